#ifndef POD_TPU_LOWERING_H
#define POD_TPU_LOWERING_H

/*
 * lowering - a graph on its way to a plan: what the passes of passes.def hand on to each other, and what several of
 * them ask. tpu_plan.c makes the table of what they decide.
 *
 * The rules are what programs compiled for TPUs show; rules.def has their names, which are those of
 * docs/contributors/tpu-rules.md, and target.c which compiler has which.
 *
 * Functions that return false have run out of memory or have set the error of the lowering. */

#include "base/checked.h"
#include "ir/ir.h"
#include "ir/rewrite.h"
#include "moonpod/tpu.h"
#include "tpu/plan_costs.h"
#include "tpu/target.h"

/* The way in which a node deals with memory. */
typedef enum pod_tpu_kind {
    POD_TPU_KIND_LEAF,        /* parameters: in memory before the program begins */
    POD_TPU_KIND_CONSTANT,    /* constants and iota: made where they are read */
    POD_TPU_KIND_ELEMENTWISE, /* computed inside readers */
    POD_TPU_KIND_MOVE,        /* reshape, transpose, slice ...: the same */
    POD_TPU_KIND_BARRIER,     /* its operand, which is stored */
    POD_TPU_KIND_COMPUTE      /* results are stored */
} pod_tpu_kind;

/* A value of the ir, by its number: what most passes ask or decide. The tables below have what one pass finds for
 * a few. */
typedef struct pod_tpu_value {
    int64_t elements;
    uint32_t user_first, user_count; /* nodes that read it, ascending, each once */
    uint32_t storage;                /* the value whose buffer it is: itself, or what it updates */
    pod_array_type type;             /* as it is stored */
    pod_layout_bytes bytes;
    uint32_t alias;   /* of an output: the parameter + 1 whose buffer it is in; else 0 */
    uint32_t product; /* the node + 1 of the product in whose place it is stored */
    uint32_t joined;  /* a node + 1 whose kernel computes this value too */
    uint32_t before;  /* a value + 1, stored as well, that some readers read in its place: reads_before() in walks.c */
    bool is_output;
    bool stored;        /* gets a buffer, or is an output */
    bool free;          /* stored, but in a buffer that is there: an output's */
    bool claimed;       /* in the link of a product that is handled already */
    bool only_outputs;  /* only outputs are computed from it, an element from an element */
    bool of_product;    /* stored in the place of a product: its result, or after its epilogue */
    uint8_t activation; /* input or output of a convolution: its axis of channels, as it has such a layout; else 0 */
    bool scattered;     /* a sum that is a scatter into one of its operands */
    bool mask;          /* a comparison that is stored one bit (packed) or one byte an element */
    uint8_t packed;     /* the axis + 1 whose elements are the bits of a word; 0: none */
} pod_tpu_value;

/* results.c, shared.c, products.c: of concatenations, what they join, and what is stored for some readers alone. */
typedef struct pod_tpu_part {
    bool normalised; /* a concatenation of channels of which sums are made, or its gradient: its parts lie as it does */
    bool for_dots;   /* a concatenation that is stored for dots alone */
    bool for_join;   /* stored for concatenations of channels alone */
    bool for_lookups; /* stored for lookups alone: all else computes it anew from what is `before` */
} pod_tpu_part;

/* The ops before a convolution in its kernel. */
typedef enum pod_tpu_start {
    POD_TPU_START_PLAIN,    /* nothing: it reads its operand as that is in memory */
    POD_TPU_START_COMPUTED, /* elementwise ops */
    POD_TPU_START_COPIED    /* a copy to another layout, or a concatenation */
} pod_tpu_start;

/* links.c: of products. */
typedef struct pod_tpu_pair {
    uint8_t start; /* of a convolution: a pod_tpu_start */
    bool nested;   /* is computed in the product that reads it */
    bool nests;    /* computes another one */
    bool part;     /* updates.c: of a sum from which outputs alone are computed, with another product */
} pod_tpu_pair;

/* loops.c: of what loops carry, and what rows are written into. */
typedef struct pod_tpu_carried {
    bool invariant; /* the loop does not change it */
    bool narrow;    /* the loop lets products alone read it */
    bool brought;   /* a part that a turn picks and brings to where rows are written into it */
    uint8_t rows;   /* the axis + 1 of rows that a dot makes of it: second, where the last axis is in the lanes */
} pod_tpu_carried;

/* tables.c: of tables, what is looked up in them and scattered. */
typedef struct pod_tpu_table {
    uint32_t copy;    /* of a parameter: the value + 1 that is a copy of it whose rows lie side by side */
    bool table_copy;  /* is such a copy */
    bool held;        /* and is there until the table is updated */
    bool row_major;   /* rows lie side by side, whatever that costs */
    uint8_t row_axes; /* the last axes, which are a row's; 0: one */
    bool copied;      /* its readers make such a copy of it */
    bool moved;       /* scattered so, but copied for what is updated from it */
    bool split;       /* gathered as a matrix, of which it is a copy */
} pod_tpu_table;

/* matrices.c: of what dots read and make. */
typedef struct pod_tpu_matrix {
    int64_t rows, columns; /* of the matrices as which it lies; 0: it is none */
} pod_tpu_matrix;

/* The work of a kernel. */
typedef struct pod_tpu_work {
    double flops;     /* of its dots and convolutions */
    uint32_t product; /* the node + 1 of one of them */
    double mxu_flops; /* that the device's MXUs would have done at their peak in the time that they take */
    double others, transcendentals; /* floating point operations of all else */
    double elements;                /* of the largest array that it goes through */
    uint32_t ops, awaited; /* how many, views apart; the value + 1 that a barrier waits for whose result is read */
} pod_tpu_work;

/* A step of the schedule: what one kernel computes. */
typedef struct pod_tpu_kernel {
    uint32_t node;                       /* of the ir; the last one where several were joined */
    uint32_t result_first, result_count; /* stored values, in `results` */
    uint32_t read_first, read_count;     /* stored values and parameters, in `reads` */
    int64_t scratch;                     /* bytes in HBM for this step alone */
    struct pod_tpu_lowering *turn;       /* of a loop: its body, where it is planned; else NULL */
    int64_t scratch_offset;              /* in HBM */
    float *turns;                        /* of a loop: how much of each value that it carries a turn reads; else NULL */
    pod_tpu_work work;
} pod_tpu_kernel;

typedef struct pod_tpu_lowering {
    pod_arena *arena;             /* borrowed */
    const pod_tpu_target *target; /* borrowed */
    const pod_ir *from;           /* what was imported; borrowed */
    int32_t devices;              /* of which the graph is one's part of a program; 0: of none */
    const pod_shape *wholes;      /* by output, as in pod_graph; borrowed */
    const bool *may_donate;       /* of parameters, as in pod_tpu_options; NULL: all that outputs are aliases of */
    pod_ir *ir;
    pod_tpu_value *values; /* of the ir */
    bool *permuted;   /* of values, by permutes.c: a transpose that no order of axes in memory makes a view: a copy */
    bool *turned;     /* by turned.c: a matrix that lies the other way round than an argument of its type */
    uint32_t *scores; /* by products.c: of a product that computes attention, the node + 1 of the scores' product */
    bool *pixels;     /* by activations.c: one number a pixel, as sums over channels: its batch is minor */
    pod_tpu_part *parts;
    pod_tpu_pair *pairs;
    pod_tpu_carried *carried;
    pod_tpu_table *tables;
    pod_tpu_matrix *matrices;
    pod_tpu_kind *kinds; /* of the ir's nodes */
    uint32_t *users;
    uint32_t *stamps; /* of values: the walk that saw it last */
    uint32_t stamp;
    uint32_t *stack;   /* room for a walk over the values */
    bool *donated;     /* of parameters */
    bool long_rows;    /* of scores that are stored twice */
    bool training;     /* some parameter is donated */
    uint32_t *leaders; /* of nodes: the last node that is computed in the same kernel */
    pod_tpu_kernel *kernels;
    uint32_t kernel_count;
    uint32_t *results, *reads;
    float *shares; /* of reads: how much of the value's elements is read */
    uint32_t result_count, read_count, read_room;
    uint32_t *order;                     /* kernels by their place in the schedule */
    int32_t *first_step, *last_step;     /* of values */
    int64_t *offsets;                    /* of values, in HBM; -1: none */
    bool *on_chip;                       /* of values */
    bool *placed_results, *placed_reads; /* of results and reads: near the cores in the kernel's step */
    double copied_bytes;                 /* between HBM and there, while kernels run */
    double counted_copies;               /* of those, as XLA's cost analysis counts them */
    int64_t window_bytes;   /* what loops over parts of sums have from the start: the heap begins behind it */
    int64_t temp_bytes;     /* the end of the heap */
    uint32_t result_tables; /* of results that are several buffers: each is in HBM, besides the heap */
    int depth;              /* loops whose body this is within */
    pod_error *error;
} pod_tpu_lowering;

/* Tells whether a node is an op that no row of the op table means, named as in StableHLO. */
bool pod_tpu_is_opaque(const pod_ir_node *node, const char *name);

/* Tells whether the compiler that the graph is lowered as has a rule. */
static inline bool pod_tpu_has(const pod_tpu_lowering *lowering, pod_tpu_rule rule)
{
    return lowering->target->rules[rule];
}

/* Says that there is no memory; returns false. */
bool pod_tpu_no_memory(pod_tpu_lowering *lowering);

/* Makes an array of zeros in the arena; NULL where there is no memory, which pod_tpu_has_memory() tells for all arrays
 * before it. */
void *pod_tpu_array(pod_tpu_lowering *lowering, size_t count, size_t size);
bool pod_tpu_has_memory(const pod_tpu_lowering *lowering);

/* The sum of two sizes, or the largest there is: a heap of that size is refused. */
static inline int64_t pod_tpu_sum(int64_t a, int64_t b)
{
    int64_t sum;
    return pod_add_overflows(a, b, &sum) ? INT64_MAX : sum;
}

/* The bits of a value in the type that it has in the graph. */
static inline int64_t pod_tpu_stored_bits(const pod_tpu_lowering *lowering, pod_ref value)
{
    return lowering->values[value].elements *
           pod_element_bits(pod_element_from_dtype(lowering->ir->values[value].dtype));
}

/* ---- tpu_plan.c ---- */

/* pod_tpu_lower() by a compiler that lacks some rules: what each rule is worth is measured so. `off` by rule. */
POD_CHECKED pod_status pod_tpu_lower_without(const pod_graph *graph, const pod_chip *chip,
                                             const pod_tpu_options *options, const bool *off, pod_tpu_plan **plan,
                                             pod_error *error);

/* ---- passes.c ---- */

/* Takes an ir through all passes. */
bool pod_tpu_run_passes(pod_tpu_lowering *lowering, const pod_ir *from);

/* ---- verify_lowering.c ---- */

#ifndef NDEBUG
/* Tells whether what the passes up to one (by its place in passes.def) made is what this file says. Sets the error. */
bool pod_tpu_verify(const pod_tpu_lowering *lowering, size_t pass);
#else
#define pod_tpu_verify(lowering, pass) true
#endif

/* ---- nodes.c ---- */

/* The node that makes a value; its inputs; what it is. */
const pod_ir_node *pod_tpu_maker(const pod_tpu_lowering *lowering, pod_ref value);
const pod_ref *pod_tpu_inputs(const pod_tpu_lowering *lowering, const pod_ir_node *node);
pod_tpu_kind pod_tpu_kind_of_op(pod_op op);
pod_tpu_kind pod_tpu_kind_of(const pod_tpu_lowering *lowering, pod_ref value);

bool pod_tpu_is_convolution(pod_op op);

/* Tells whether a convolution has groups of several channels each, which the compiler makes axes of their own. */
bool pod_tpu_is_grouped(const pod_tpu_lowering *lowering, const pod_ir_node *node);
bool pod_tpu_is_product(pod_op op); /* dot or convolution */
bool pod_tpu_is_reduction(pod_op op);
bool pod_tpu_is_pooling(const pod_ir_node *node);

/* Tells whether a node is a copy that the compiler makes: such nodes are opaque ones of this name. */
#define POD_TPU_COPY "copy"
bool pod_tpu_is_copy(const pod_ir_node *node);

/* Tells whether a node converts its operand, or copies it. */
bool pod_tpu_converts(const pod_ir_node *node);

/* Tells whether an op makes an element from an element, as copies do. */
bool pod_tpu_is_elementwise(const pod_ir_node *node);

/* Returns the node that alone reads a value, which is no output; NULL where there is none. */
const pod_ir_node *pod_tpu_only_user(const pod_tpu_lowering *lowering, pod_ref value);

/* Tells whether one of the nodes that read a value is such. */
bool pod_tpu_some_user(const pod_tpu_lowering *lowering, pod_ref value, bool (*is_such)(const pod_ir_node *node));

bool pod_tpu_sees_otherwise(pod_op op); /* the result is the operand */

/* Tells whether a node reshapes, transposes, converts or copies its operand. */
bool pod_tpu_is_view(const pod_ir_node *node);

/* Returns what a value is a view of, looking through reshapes, transposes and barriers. */
pod_ref pod_tpu_root(const pod_tpu_lowering *lowering, pod_ref value);

/* Gives a type a layout, by a policy or with its axes in an order, and measures it. Sets `error` (or NULL) where it
 * does not. */
bool pod_tpu_lay_out(const pod_tpu_lowering *lowering, pod_array_type *type, pod_layout_policy policy,
                     pod_layout_bytes *bytes, pod_error *error);
bool pod_tpu_lay_out_as(const pod_tpu_lowering *lowering, pod_array_type *type, const int32_t *order,
                        pod_layout_bytes *bytes);

/* The same of an output: as the whole array, of which it may be a part. */
bool pod_tpu_lay_out_output(const pod_tpu_lowering *lowering, uint32_t n, pod_array_type *type, pod_layout_bytes *to);

/* The axis in the lanes where an array lies with the fewest bytes; -1: none is. */
int32_t pod_tpu_lane_axis(const pod_tpu_lowering *lowering, const pod_ir_value *value);

/* What a node is called; one that is only read by its own name, without the dialect. */
const char *pod_tpu_op_text(const pod_ir_node *node);

/* "convolution.12", or "fusion.12" where a kernel computes more than one op; in the arena, NULL: no memory. */
const char *pod_tpu_value_name(const pod_tpu_lowering *lowering, pod_arena *arena, pod_ref value);

/* Adds a node with one result as it is, or finds the one that is there. POD_REF_NONE when there is no memory. */
pod_ref pod_tpu_emit(pod_rewriter *rewriter, pod_op op, const pod_ref *inputs, uint32_t count,
                     const pod_attributes *attributes, pod_dtype dtype, const pod_shape *shape);

/* Adds a copy of a value. POD_REF_NONE when there is no memory. */
pod_ref pod_tpu_emit_copy(pod_rewriter *rewriter, pod_ref value);

/* ---- turned.c ---- */

/* Finds gradients that come with their axes the other way round than the arguments they update, and what is computed
 * from them, an element from an element: `turned` by value, in the arena; NULL where there are none. */
bool pod_tpu_find_turned(pod_tpu_lowering *lowering, const pod_ir *ir, bool **turned);

/* Tells whether a node copies an argument for such an update, or what that makes to be an output. */
bool pod_tpu_is_turned_copy(const pod_tpu_lowering *lowering, const pod_ir_node *node);

/* ---- loops.c ---- */

/* Plans a turn of the loop that a kernel is, if it is one: what it needs besides what it carries, and how much of the
 * elements of each value that is carried it reads: what two kernels read counts twice, what a turn only writes into not
 * at all. */
bool pod_tpu_plan_body(pod_tpu_lowering *lowering, pod_tpu_kernel *kernel);

/* ---- read.c ---- */

/* Tells whether a turn of a loop gives at a place what it takes there: itself, or reshaped or converted to what it is.
 */
bool pod_tpu_passes_on(const pod_ir *body, uint32_t place);

/* ---- written_rows.c ---- */

/* The axis of the rows that a dot made and that are written into a value of a graph that is a turn `depth` loops deep;
 * -1: there are none. */
int32_t pod_tpu_row_axis(const pod_tpu_lowering *lowering, const pod_ir *ir, int depth, pod_ref value);

/* The same of what a turn of a loop in such a graph carries at a place, where what it writes into is what it takes
 * there. */
int32_t pod_tpu_carried_axis(const pod_tpu_lowering *lowering, const pod_ir *body, int depth, uint32_t place);

/* The order of an array whose rows are along an axis, or of a table whose rows have all axes but the first, where that
 * axis is the last: `order` has room for its rank. */
void pod_tpu_order_rows(const pod_shape *shape, int32_t axis, int32_t *order);

/* Tells whether what a loop carries at a place lies there otherwise than a value of that type does by itself. */
bool pod_tpu_copies_carried(const pod_tpu_lowering *lowering, const pod_ir_node *loop, const pod_ir_value *value,
                            uint32_t place);

/* Puts copies in the place of outputs that are results of loops and cannot be made where they are to be. */
bool pod_tpu_copy_loop_outputs(pod_tpu_lowering *lowering, pod_ir *ir);

/* ---- masks.c ---- */

/* Stores the mask of a product's stored value where that lets the value go early. */
void pod_tpu_store_masks(pod_tpu_lowering *lowering, pod_ref product, pod_ref value);

/* ---- absorb.c ---- */

/* A dot makes an operand of several dots that is summed too (for a bias) itself, and does not store its own value, if
 * nothing but reductions is computed from that value besides; it makes the reductions, too: so is the gradient of a
 * loss made beside the loss. Returns whether it is so; the operand is to be stored then. */
bool pod_tpu_absorb(pod_tpu_lowering *lowering, pod_ref operand);

/* What takes a while of what a value is computed with from what is stored, for each element. */
typedef struct pod_tpu_functions {
    uint32_t functions; /* exp, log1p and their like */
    uint32_t divisions; /* but by one number */
} pod_tpu_functions;

pod_tpu_functions pod_tpu_count_functions(pod_tpu_lowering *lowering, pod_ref operand);

/* ---- links.c ---- */

/* Elementwise ops between a convolution and the one convolution or max pooling that alone reads what comes of it. */
typedef struct pod_tpu_link {
    pod_ref joined; /* the last value that more is computed into than comes from the convolution */
    pod_ref end;    /* what is read */
    uint32_t reader;
} pod_tpu_link;

/* Follows a convolution's result; false where it is read otherwise. */
bool pod_tpu_follow_link(pod_tpu_lowering *lowering, pod_ref product, pod_tpu_link *link);

/* Tells whether a node copies what is in another layout to be an output. */
bool pod_tpu_is_output_copy(const pod_tpu_lowering *lowering, const pod_ir_node *node);

/* The value of a link that is stored. */
pod_ref pod_tpu_stored_of_link(const pod_tpu_lowering *lowering, pod_ref product, const pod_tpu_link *link);

/* Tells whether a convolution is computed in the one that reads it. */
bool pod_tpu_is_nested(pod_tpu_lowering *lowering, pod_ref product, const pod_tpu_link *link);

/* ---- least.c ---- */

/* Returns the bytes of temporaries in HBM that are there in each schedule, whatever is computed again. */
int64_t pod_tpu_least(pod_tpu_lowering *lowering);

/* ---- attention_kernel.c ---- */

/* The nodes of a softmax over scores that a product made and another one reads. */
typedef struct pod_tpu_softmax {
    uint32_t largest, sum, product;
    bool raw;  /* neither scaled nor masked */
    bool wide; /* computed in another type than the product's */
} pod_tpu_softmax;

/* Tells whether all that reads the scores is their maximum and the difference from it. */
bool pod_tpu_starts_softmax(const pod_tpu_lowering *lowering, pod_ref scores, uint32_t *largest, uint32_t *shifted);

bool pod_tpu_is_attention(const pod_tpu_lowering *lowering, pod_ref product, pod_ref scores, pod_tpu_softmax *softmax);

/* ---- tables.c ---- */

/* The order of an array of rows that lie one after the other, the longer axes of each, which are the last `row_axes`,
 * inside: `order` has room for the array's rank. */
void pod_tpu_order_table(const pod_shape *shape, int32_t row_axes, int32_t *order);

/* Tells whether a lookup takes rows, which are all that a matrix has, or all of the axes but the first. */
bool pod_tpu_looks_up_rows(const pod_ir_node *gather, const pod_shape *table);

/* Tells whether rows of such a table are looked up in a copy of it whose rows lie side by side. */
bool pod_tpu_looks_up_copy(const pod_tpu_lowering *lowering, pod_dtype dtype, const pod_shape *shape);

/* Tells whether rows are scattered into such a table where they lie side by side, though it does not lie so. */
bool pod_tpu_scatters_copy(const pod_tpu_lowering *lowering, pod_dtype dtype, const pod_shape *shape);

/* The rows that a scatter reads as a copy of them, a matrix; POD_REF_NONE where it reads them as they are. */
pod_ref pod_tpu_copied_rows(const pod_tpu_lowering *lowering, const pod_ir_node *scatter);

/* The nodes whose results are updates from the sum that a node scatters, up to so many; those are one kernel. Returns
 * their number. */
uint32_t pod_tpu_list_update(pod_tpu_lowering *lowering, uint32_t node, uint32_t *nodes, uint32_t capacity);

/* Bytes of the copies of tables that a kernel makes for itself. */
int64_t pod_tpu_table_scratch(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel);

/* Bytes of a table that a kernel updates, as a copy whose rows lie side by side, from which the result is copied then;
 * 0: it makes the result as that lies. */
int64_t pod_tpu_rows_of_update(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel, pod_ref result);

/* Makes a kernel that updates tables read the copies of them that are there. */
void pod_tpu_read_table_copies(pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel);

/* ---- matrices.c ---- */

/* Makes a value that was measured lie as matrices, in the cheaper order. */
bool pod_tpu_measure_matrices(pod_tpu_lowering *lowering, pod_ref value);

/* Tells whether a dot's value is computed in the dot that alone reads it, through elementwise ops, but for no reshape
 * between them: both right operands are small, and that dot has a buffer. */
bool pod_tpu_is_dot_of_dot(const pod_tpu_lowering *lowering, pod_ref product, pod_ref value);

/* ---- work.c ---- */

/* How much of a value's elements a kernel reads: its slices, and once all, where it reads it otherwise. */
typedef struct pod_tpu_read_share {
    uint32_t kernel; /* + 1 */
    float share;
    bool whole; /* all of them are among what it reads */
} pod_tpu_read_share;

/* The work and the reads of the kernel being made. Arrays are by value: the last kernel + 1 that did something with it.
 */
typedef struct pod_tpu_tally {
    uint32_t kernel; /* + 1 */
    pod_tpu_work work;
    uint32_t *read_by, *counted;
    pod_tpu_read_share *reads;
} pod_tpu_tally;

bool pod_tpu_tally_make(pod_tpu_tally *tally, pod_tpu_lowering *lowering);
void pod_tpu_tally_begin(pod_tpu_tally *tally, uint32_t kernel);

/* Tells whether the kernel was not known to read a value. */
bool pod_tpu_tally_read(pod_tpu_tally *tally, pod_ref value);

/* Adds what a node computes, and reads of what is in memory, once. */
void pod_tpu_tally_node(pod_tpu_tally *tally, const pod_tpu_lowering *lowering, const pod_ir_node *node);

float pod_tpu_tally_share(const pod_tpu_tally *tally, pod_ref value);

/* ---- mxu.c ---- */

/* What a dot or convolution takes of the device's MXUs, in floating point operations at their peak: with what is padded
 * to whole tiles, and while weights are loaded. `flops` are those that it asks for. */
double pod_tpu_mxu_flops(const pod_tpu_lowering *lowering, const pod_ir_node *node, double flops);

/* ---- depth_first.c ---- */

/* The kernels that read each value: list[first[v]] to list[first[v + 1] - 1]; and of each parameter the kernel + 1 that
 * makes an output in its buffer. */
typedef struct pod_tpu_readers {
    uint32_t *first, *list, *writer;
} pod_tpu_readers;

bool pod_tpu_list_readers(pod_tpu_lowering *lowering, pod_tpu_readers *readers);

static inline uint32_t pod_tpu_reader_count(const pod_tpu_readers *readers, pod_ref value)
{
    return readers->first[value + 1] - readers->first[value];
}

/* Tells whether other kernels read what a kernel makes: those may be what it would wait for. */
bool pod_tpu_is_kernel_read(const pod_tpu_lowering *lowering, const pod_tpu_readers *readers,
                            const pod_tpu_kernel *kernel);

/* Another order of the kernels: `order` is in the arena, or NULL where there is none. */
bool pod_tpu_order_depth_first(pod_tpu_lowering *lowering, uint32_t **order);

/* ---- take_over.c, overwrites.c ---- */

/* Tells whether a value's buffer, which is its own, ends in a step. */
bool pod_tpu_dies_in(const pod_tpu_lowering *lowering, pod_ref value, int32_t step);

/* Puts a result in the buffer of another value. */
void pod_tpu_take_over(pod_tpu_lowering *lowering, pod_ref result, pod_ref from);

/* Tells whether a value has a buffer of its own in the heap. */
bool pod_tpu_takes_heap(const pod_tpu_lowering *lowering, pod_ref value);

#endif
