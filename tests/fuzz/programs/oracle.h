#ifndef ORACLE_H
#define ORACLE_H

/* oracle - what the files of the oracle share: oracle.c shakes runs, terms.c tells what of, envelope.c what for. */

#include "graph/composites.h"
#include "programs.h"

#define KEPT_TERMS 48

/* What an element may be at most: all between two numbers, or anything: see is_anything(). */
typedef struct interval {
    double low, high;
} interval;

struct envelope {
    int samples;                                         /* runs that it holds */
    bool bounded;                                        /* it has intervals */
    interval *intervals[MOST_OUTPUTS + MOST_PARAMETERS]; /* of the elements of each array; NULL: not asked for */
    dice dice;
    struct span *spans[MOST_OUTPUTS + MOST_PARAMETERS]; /* of the elements of each array; NULL: of an alias */
    uint32_t count;                                     /* of kept numbers of terms */
    const pod_node *nodes[KEPT_TERMS];
    pod_array terms[KEPT_TERMS];
};

/* Runs a program with its errors moved by dice of the envelope, by `scale` times the bounds; `steps`: results may be
 * computed in steps that round, as XLA's CPU compiler does. */
void oracle_sample(const program *p, envelope *kept, double scale, bool steps, outcome *o);

static inline int64_t count_of(const pod_array *array)
{
    return pod_shape_elements(&array->shape);
}

/* A copy in another type. */
pod_array converted(const pod_array *array, pod_dtype dtype);

/* Whether an operand is what is added: not indices, nor that whose maxima tell where to. */
bool is_term(const pod_node *node, const pod_array *inputs, uint32_t index);

/* What a region adds or multiplies, in any order: POD_OP_ADD or POD_OP_MULTIPLY, else POD_OP_REDUCE. */
pod_op region_folds_by(const pod_node *node);

/* Whether an op multiplies what it reduces. */
bool is_product(const pod_node *node);

bool convolves(const pod_node *node);

/* Whether an op adds up products of its operands. */
bool multiplies(const pod_node *node);

/* What is asked of the terms of each element of a result. */
typedef enum measured {
    MEASURE_SIZE,   /* the sum or product of their magnitudes */
    MEASURE_NUMBER, /* their number */
    MEASURE_MOST,   /* the largest that their product gets in any order: that of all magnitudes above 1 */
    MEASURE_LEAST   /* the smallest, but for 0 */
} measured;

/* The same op on what is asked of each term. */
bool measure_terms(const pod_node *node, const pod_array *inputs, measured what, pod_array *made);

/* The number of terms of each element of a result. It is kept with the envelope where shapes tell it. */
const double *count_terms(envelope *kept, const pod_node *node, const pod_array *inputs);

/* The lowest bit that any element has, as a power of two; 0 where there is none. */
double lowest_bit(const pod_array *array);

/* Whether sums of these terms are exact in any order, of so many bits. */
bool sums_exactly(const pod_node *node, const pod_array *inputs, const pod_array *sums, int bits);

/* The bits that partial sums have: XLA's CPU compiler rounds those of 16 bits at each term, but for products. */
int bits_of_sums(const pod_node *node, const pod_array *result, bool steps);

/* What sums stay below in any order where their terms do together. */
double limit_of_sums(const pod_node *node);

/* The composite with a kernel that a node calls; NULL: none. */
const pod_composite *kernel_called(const pod_node *node);

/* Whether a call is one of attention or of its gradient. */
bool attends(const pod_node *node);

/* Whether a node adds up what all replicas have of a value: see reduced() in replicas.c. */
bool joins_replicas(const pod_node *node);

/* A 16-bit type of what a sum may pass through on its way to a value; POD_DTYPE_NONE: of none. */
pod_dtype narrow_before(const pod_node *node, int depth);

/* Whether a type is a float of 16 bits. */
bool is_narrow(pod_dtype dtype);

/* Whether a reference kernel computes a node, and not its regions. */
bool has_kernel(const pod_node *node);

/* Fills in what elements may be at most, by rule and not by samples: made[i] is of the outputs and then of the
 * parameters of an outcome, and the caller's to free. */
void intervals_of(const program *p, const outcome *expected, interval **made);

/* Whether a value may be anything, infinite or no number, too. */
static inline bool is_anything(interval x)
{
    return x.low != x.low && x.high == x.high;
}

#endif
