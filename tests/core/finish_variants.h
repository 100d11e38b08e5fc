#ifndef TESTS_CORE_FINISH_VARIANTS_H
#define TESTS_CORE_FINISH_VARIANTS_H

/* finish_variants - all that kernels may do to sums in their registers (pod_sums_finish), and the steps one by one. */

#include "kernels/finish.h"
#include "moonpod/tensor.h"

#define FINISH_VARIANTS 64
#define FINISH_COLUMNS  1024

/* What columns have: biases, scales and shifts. */
typedef struct finish_operands {
    float bias[FINISH_COLUMNS], scale[FINISH_COLUMNS], shift[FINISH_COLUMNS];
} finish_operands;

static inline void finish_fill(finish_operands *operands)
{
    for (int i = 0; i < FINISH_COLUMNS; i++) {
        operands->bias[i] = (float)(i % 5) * 0.25f - 0.5f;
        operands->scale[i] = (float)(i % 7) * 0.3f - 0.7f;
        operands->shift[i] = (float)(i % 3) * 0.1f - 0.1f;
    }
}

/* Variant `number` of a result of type `dtype`; `add` lies as the result does. */
static inline pod_sums_finish finish_variant(int number, const finish_operands *operands, const float *add,
                                             pod_dtype dtype, void *to, int64_t stride)
{
    return (pod_sums_finish){.rounds = number & 8,
                             .bias = number & 1 ? operands->bias : NULL,
                             .scale = number & 4 ? operands->scale : NULL,
                             .shift = number & 4 ? operands->shift : NULL,
                             .add = number & 16 ? add : NULL,
                             .relu = number & 2,
                             .most = (number & 34) == 34 ? 0.4f : 0,
                             .dtype = dtype,
                             .to = to,
                             .stride = stride};
}

/* What is made of a sum, but for the rounding to the result's type. */
static inline float finish_one(float sum, const pod_sums_finish *finish, int64_t row, int64_t column)
{
    if (finish->rounds)
        sum = pod_bf16_to_f32(pod_bf16_from_f32(sum));
    if (finish->bias)
        sum += finish->bias[column];
    if (finish->scale) {
        volatile float scaled = sum * finish->scale[column]; /* rounded for itself */
        sum = scaled + finish->shift[column];
    }
    if (finish->add)
        sum += finish->add[row * finish->stride + column];
    if (finish->relu && sum <= 0)
        sum = 0;
    return finish->most > 0 && sum >= finish->most ? finish->most : sum;
}

#endif
