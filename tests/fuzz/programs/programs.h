#ifndef POD_TESTS_FUZZ_PROGRAMS_H
#define POD_TESTS_FUZZ_PROGRAMS_H

/*
 * programs - random programs against oracles.
 *
 * A program is a graph over every op of the table with arguments for its parameters. make.c and make_*.c make one of
 * a number: the same number gives the same program everywhere. run.c runs it in every way that there is, oracle.c
 * computes it node by node with the reference kernels, says how far results may be from that, and compares;
 * intervals.c bounds what samples do not reach, and plant.c tries both on faults that are planted.
 * replicas.c and shards.c run it on several replicas, divided.c on a mesh that divides it, padding.c by the program for
 * more rows, devices.c on devices.
 * shrink.c makes a program that fails as small as it gets, and write.c writes it down as a test in C. gradients.c holds
 * gradients of smooth programs to slopes, and measure.c tells what the bounds of the ops are made of.
 *
 * What is left out, by op and for a reason; a line that says EXEMPT does each:
 *
 *   convolutions of values that are infinite or no numbers: padding is multiplied by them, as elsewhere
 *   attention of such: a masked place counts as a share of 0, and 0 times infinite is no number
 *   composites with kernels: what their bodies make infinite or no number, as kernels know where functions end
 *   gradients of attention: sums that they subtract from equal ones, which a kernel takes from what attention gave
 *   sums: the sign of a result of 0, as x + 0 is x and sums begin with the first term or with 0
 *   maxima and minima: the sign of a result of 0, as 0 and -0 are equal
 *   all ops: which bits stand for what is no number
 *   all ops: what bounds allow to be infinite or no number, and to be a number, too, may be anything
 *   16-bit floats: within bodies of calls, kernels of composites and folds by a region they may keep what f32 holds
 *   until they are stored; a sum over replicas rounds once, as one core with all rows (shards.c)
 *   sums of many terms and products of many factors: anything, where they leave what floats (f16: its 16 bits) hold in
 * some order
 *   functions and sums of products: what is below all normal numbers may be 0, as instructions of 16 bits and
 * fast kernels have none such
 *
 * A test tool: it ends the process where there is no memory.
 */

#include <stdio.h>

#include "graph/build.h"
#include "graph/node.h"
#include "kernels/reference.h"
#include "moonpod/program.h"

#define MOST_PARAMETERS 24
#define MOST_OUTPUTS    24
#define MOST_NODES      4096

typedef struct program {
    uint64_t seed;
    pod_graph *graph;
    pod_array arguments[MOST_PARAMETERS]; /* one a parameter; owned */
    int64_t steps;
    uint32_t *kin; /* by node: the node of one replica that it is of, from 1 on; 0: of none; NULL: there are none */
} program;

/* ---- numbers ---------------------------------------------------------------------------------------- */

typedef struct dice {
    uint64_t state;
} dice;

static inline uint64_t roll(dice *d)
{
    uint64_t x = d->state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* 0 .. bound - 1 */
static inline int64_t below(dice *d, int64_t bound)
{
    return (int64_t)(roll(d) >> 1) % bound;
}

/* True in so many of 100. */
static inline bool chance(dice *d, int percent)
{
    return below(d, 100) < percent;
}

/* -1 .. 1 */
static inline double unit(dice *d)
{
    return (double)(int64_t)roll(d) * 0x1p-63;
}

/* ---- making ------------------------------------------------------------------------------------------ */

/* Which programs are made. */
typedef enum program_kind {
    PROGRAM_ANY,
    PROGRAM_EXCHANGE, /* of ops that StableHLO has, for other compilers to run */
    PROGRAM_DEVICES,  /* of ops that devices do */
    PROGRAM_SMOOTH    /* of f64 that is differentiated */
} program_kind;

/* Makes program number `seed`; its graph is the caller's, to end with program_free(). */
void program_make(program *made, pod_context *context, uint64_t seed, program_kind kind);

void program_free(program *p);

/* Elements of a parameter. */
pod_array array_new(pod_dtype dtype, const pod_shape *shape);
double array_get(const pod_array *array, int64_t index);
void array_set(const pod_array *array, int64_t index, double value);
void array_free(pod_array *array);

/* ---- the oracle -------------------------------------------------------------------------------------- */

typedef struct envelope envelope;

/* What a run gives: the status, and where it is POD_OK outputs and parameters after the last step. */
typedef struct outcome {
    pod_status status;
    char message[POD_ERROR_MESSAGE_SIZE];
    uint32_t output_count, parameter_count;
    long prints; /* of all steps */
    pod_array outputs[MOST_OUTPUTS], arguments[MOST_PARAMETERS];
    envelope *envelope; /* what oracle_compare() found that results may be; NULL: not yet */
} outcome;

void outcome_free(outcome *o);

/* Runs all steps node by node with the reference kernels. With `shake` the results of ops that kernels may round
 * otherwise are moved at random, by `scale` times their bound at most. */
void oracle_run(const program *p, dice *shake, double scale, outcome *o);

/* Compares a run with the oracle's: NULL where each element is as near as the bounds of the ops allow, else what is
 * wrong, until the next call. */
const char *oracle_compare(const program *p, outcome *expected, const outcome *got);

/* How many results were within bounds that no sample reached. `last`, if given: of the last, what it is beside the
 * samples. */
long oracle_explained(const char **last);

/* Whether two runs are equal bit for bit; NULL, or what differs. */
const char *same_bits(const outcome *a, const outcome *b);

/* Where XLA's CPU compiler computes the node in steps that round: what they give as the node's result. */
void steps_replace(const pod_node *node, const pod_array *inputs, pod_array *result);

/* The least and largest that outputs may be by XLA's CPU compiler. */
void oracle_bounds(const program *p, outcome *expected, pod_array *low, pod_array *high);

/* ---- runs -------------------------------------------------------------------------------------------- */

/* Contexts of each family of kernels that the machine has, on one thread and on three. */
#define MOST_FAMILIES 8
typedef struct machine {
    int families;
    pod_context *one[MOST_FAMILIES], *three[MOST_FAMILIES];
} machine;

void machine_open(machine *m);
void machine_close(machine *m);

/* Compiles and runs a program; NULL, or why it cannot be compiled. */
const char *program_run_once(pod_context *context, const program *p, outcome *o);

/* Runs a program that is compiled. */
void program_run_compiled(pod_context *context, pod_program *compiled, const program *p, outcome *o);

/* Takes devices of a plugin for devices_check(); says why not and ends the process where that fails. */
void devices_open(pod_context *context, const char *plugin, int32_t count);
void devices_close(void);

/* Runs a program on these devices; NULL, or what is wrong. Counts those that devices do not do. */
const char *devices_check(const program *p, long *refused);

/* Runs a program on several replicas, each with its own rows of some arguments, and counts that; NULL, or what is
 * wrong. */
const char *replicas_check(pod_context *context, const program *p, long *runs);

/* The same for replicas of which the last have fewer rows, or none. */
const char *shards_check(pod_context *context, const program *p, long *runs);

/* The same for a program that is divided among the devices of a mesh, which several ranks may have: divided.c. */
const char *divided_check(pod_context *context, const program *p, long *runs);

/* Runs what one replica computes (`one`) on the ranks that have the replicas, where all parameters and outputs have an
 * axis of them in front, as `all` has the arguments. Fills `got` as a run of all replicas would; NULL, or why it cannot
 * be run. */
const char *ranks_run(const pod_context *like, const pod_graph *one, const pod_replicate_options *options,
                      const program *all, int32_t count, outcome *got);

/* Runs a program of rows by the program for more rows, where that is said to be the same; counts that; NULL, or what is
 * wrong. */
const char *padding_check(pod_context *context, const program *p, long *runs);

/* Whether a graph has no op that acts on the host or draws. */
bool stands_alone(const pod_graph *g);

/* Runs a program in all ways. NULL where they agree, else which does not and how, until the next call. */
const char *program_check(machine *m, const program *p);

/* Makes a smooth program of a number, and holds its gradients of first and second order to differences; NULL, or what
 * is wrong. known[] counts the verdicts of each order. */
const char *gradients_check(pod_context *context, uint64_t number, long *known);

/* Faults that were planted and change a result; of them those that the oracle finds, and those that only intervals
 * explain. */
typedef struct planted {
    long planted, found, explained;
} planted;

/* Plants a fault in a run of the program, and holds shaken runs to the intervals; NULL, or what lies outside. */
const char *plant_check(const program *p, planted *counts);

/* Says how far plain f32 and the kernels of all families are from f64, op by op, in so many rounds of random operands;
 * counts those that are within 4 times plain f32 and their bound, which is within that, too, and the others. */
void measure_ops(machine *m, uint64_t seed, int64_t rounds, long counts[2]);

/* Says how many of the programs so far went each way. */
void ways_print(FILE *to);

/* ---- what is done with a program that fails ------------------------------------------------------------ */

/* Makes the program smaller while `fails` says that it fails. */
void program_shrink(machine *m, program *p, const char *(*fails)(machine *, const program *));

/* Writes a test in C that makes the program and runs it. */
void program_write(const program *p, FILE *to);

/* ---- parts of making (make_*.c) ----------------------------------------------------------------------- */

#define MOST_SIZES 5

/* A program in the making. A graph of a region has no values: they are not known. */
typedef struct maker {
    pod_context *context;
    pod_graph *graph;
    dice dice;
    program *program; /* NULL: a region */
    program_kind kind;
    bool whole; /* values are small whole numbers, so that sums and products are exact in any order */
    bool wild;  /* values may be the largest there are, infinite or no numbers */
    int64_t sizes[MOST_SIZES];
    pod_dtype types[3];
    int64_t most; /* elements of a value */
    pod_node *nodes[MOST_NODES];
    uint32_t node_count;
    uint32_t places; /* of random ops */
    int depth;
    uint32_t evaluated;
    uint32_t firsts[MOST_NODES];
    pod_array values[2 * MOST_NODES];
} maker;

/* A node that there is: any, one of a float type, of any type with numbers, of this type and shape; NULL: none. */
pod_node *any_node(maker *m);
pod_node *any_float(maker *m);
pod_node *any_number(maker *m);

/* A node of this type and shape: one there is, one made of one there is, a parameter or a constant. */
pod_node *like(maker *m, pod_dtype dtype, const pod_shape *shape);

/* The same made of x. */
pod_node *fitted(maker *m, pod_node *x, pod_dtype dtype, const pod_shape *shape);

pod_node *new_parameter(maker *m, pod_dtype dtype, const pod_shape *shape);
pod_node *number(maker *m, pod_dtype dtype, double value, const pod_shape *shape);
pod_shape any_shape(maker *m);

/* The elements of a shape were its axes of size 0 of size 1: what folds them has as many. */
int64_t bulk_of(const pod_shape *shape);
pod_dtype any_type(maker *m);

/* Indices 0 .. size - 1. */
pod_node *index_node(maker *m, pod_dtype dtype, const pod_shape *shape, int64_t size);

/* The value of a node; NULL where it is not known. */
const pod_array *value_of(const maker *m, const pod_node *node);

/* Adds an op; NULL where the graph refuses it. */
pod_node *add_op(maker *m, pod_op op, pod_node *const *inputs, size_t count, const pod_attributes *attributes);
pod_node *add_regions(maker *m, pod_op op, pod_node *const *inputs, size_t count, const pod_attributes *attributes,
                      pod_graph **regions, size_t region_count);
pod_node *add_composite(maker *m, const char *name, pod_node *const *inputs, size_t count,
                        const pod_attributes *attributes);

/* Makes a node's values small, as the program's kind wants. */
pod_node *tamed(maker *m, pod_node *x);

/* What makes a node of an op; NULL where there is nothing to make it of. */
typedef pod_node *(*op_maker)(maker *m, pod_op op);

pod_node *make_elementwise(maker *m, pod_op op);
pod_node *make_convert(maker *m, pod_op op);
pod_node *make_marked(maker *m, pod_op op);
pod_node *make_random_bits(maker *m, pod_op op);
pod_node *make_iota(maker *m, pod_op op);
pod_node *make_constant(maker *m, pod_op op);
pod_node *make_view(maker *m, pod_op op);
pod_node *make_pad(maker *m, pod_op op);
pod_node *make_concatenate(maker *m, pod_op op);
pod_node *make_dynamic_slice(maker *m, pod_op op);
pod_node *make_dynamic_slice_of(maker *m, pod_op op, pod_node *x);
pod_node *make_gather(maker *m, pod_op op);
pod_node *make_sort(maker *m, pod_op op);
pod_node *make_reduction(maker *m, pod_op op);
pod_node *make_along_axis(maker *m, pod_op op);
pod_node *make_dot(maker *m, pod_op op);
pod_node *make_convolution(maker *m, pod_op op);
pod_node *make_pooling(maker *m, pod_op op);
pod_node *make_call(maker *m, pod_op op);
pod_node *make_cond(maker *m, pod_op op);
pod_node *make_while(maker *m, pod_op op);
pod_node *make_reduce(maker *m, pod_op op);

/* Opens a maker of a region of `m`. */
maker *region_open(maker *m);
pod_graph *region_close(maker *region);

/* Adds so many nodes. */
void make_nodes(maker *m, int count);

/* Adds gradients of what there is. */
void make_gradients(maker *m);

#endif
