#ifndef POD_TESTS_GOLDEN_ROWS_H
#define POD_TESTS_GOLDEN_ROWS_H

/* golden_rows - calls of ops with results that were computed elsewhere: tests/golden/ops_forward.py writes the table.
 */

#include <math.h>

#include "graph/node.h"

#define MOST_ARRAYS 4

typedef struct golden_array {
    pod_dtype dtype;
    pod_shape shape;
    const double *elements;
} golden_array;

typedef struct golden {
    const char *op, *what;
    pod_attributes attributes;
    golden_array inputs[MOST_ARRAYS], outputs[MOST_ARRAYS];
} golden;

#define UNWRAP(...) __VA_ARGS__
#define NO_ARRAY                                                                                                       \
    {                                                                                                                  \
        POD_DTYPE_NONE, {0, {0}}, NULL                                                                                 \
    }
#define ARRAY(dtype, rank, dims, elements)                                                                             \
    {                                                                                                                  \
        dtype, {rank, {UNWRAP dims}}, (const double[])                                                                 \
        {                                                                                                              \
            UNWRAP elements                                                                                            \
        }                                                                                                              \
    }
#define GOLDEN(op, what, attributes, inputs, outputs)                                                                  \
    {#op, what, {UNWRAP attributes}, {UNWRAP inputs}, {UNWRAP outputs}},

static const golden goldens[] = {
#include "../golden/ops_forward.def"
};

#define GOLDEN_COUNT (sizeof goldens / sizeof *goldens)

/* Functions of other compilers, and block functions of ours, are good to a few units in the last place, and sums are
 * made in another order. */
static inline double golden_tolerance(pod_dtype dtype)
{
    switch (dtype) {
    case POD_F16:
        return 0x1p-9;
    case POD_BF16:
        return 0x1p-6;
    case POD_F32:
        return 0x1p-20;
    case POD_F64:
        return 0x1p-48;
    default:
        return 0;
    }
}

#endif
