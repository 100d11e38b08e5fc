#ifndef POD_KERNELS_BLOCK_FOLDS_H
#define POD_KERNELS_BLOCK_FOLDS_H

/* The folds of a block, in lanes and then half onto half. Included by multi/blocks.c, once a
 * family. */

#include "kernels/block_math.h"

/* Whole groups of `lanes` elements, then what is left in sixteens, go onto as many lanes; the lanes
 * are folded, half onto half, and then onto the accumulator; what is left over follows one by one.
 * x is an element or a lane, m what it is folded onto. Lanes are only written as wholes: a short
 * write before a long read would stall. */
#define FOLD(name, type, lanes, neutral, expression)                                                                   \
    __attribute__((unused)) static void name(void *accumulator, const void *block, size_t count)                       \
    {                                                                                                                  \
        const type *from = block;                                                                                      \
        type result = *(const type *)accumulator;                                                                      \
        if (count >= 16) {                                                                                             \
            type lane[lanes];                                                                                          \
            for (size_t i = 0; i < lanes; i++)                                                                         \
                lane[i] = neutral;                                                                                     \
            for (; count >= lanes; count -= lanes, from += lanes) {                                                    \
                for (size_t i = 0; i < lanes; i++) {                                                                   \
                    type m = lane[i], x = from[i];                                                                     \
                    lane[i] = expression;                                                                              \
                }                                                                                                      \
            }                                                                                                          \
            size_t whole = count / 16 * 16;                                                                            \
            for (size_t i = 0; i < whole; i++) {                                                                       \
                type m = lane[i], x = from[i];                                                                         \
                lane[i] = expression;                                                                                  \
            }                                                                                                          \
            from += whole;                                                                                             \
            count -= whole;                                                                                            \
            for (size_t half = lanes / 2; half > 0; half /= 2) {                                                       \
                for (size_t i = 0; i < half; i++) {                                                                    \
                    type m = lane[i], x = lane[i + half];                                                              \
                    lane[i] = expression;                                                                              \
                }                                                                                                      \
            }                                                                                                          \
            type m = result, x = lane[0];                                                                              \
            result = expression;                                                                                       \
        }                                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                                           \
            type m = result, x = from[i];                                                                              \
            result = expression;                                                                                       \
        }                                                                                                              \
        *(type *)accumulator = result;                                                                                 \
    }

FOLD(f32_fold_sum, float, 64, -0.0f, m + x)
FOLD(f32_fold_product, float, 64, 1, m *x)
FOLD(f32_fold_max, float, 64, -INFINITY, maximum_f32(m, x))
FOLD(f32_fold_min, float, 64, INFINITY, minimum_f32(m, x))
FOLD(f64_fold_sum, double, 32, -0.0, m + x)
FOLD(f64_fold_product, double, 32, 1, m *x)
FOLD(f64_fold_max, double, 32, -(double)INFINITY, ((m > x) | (m != m)) ? m : x)
FOLD(f64_fold_min, double, 32, (double)INFINITY, ((m < x) | (m != m)) ? m : x)
FOLD(s32_fold_max, int32_t, 64, INT32_MIN, m > x ? m : x)
FOLD(s32_fold_min, int32_t, 64, INT32_MAX, m < x ? m : x)
FOLD(u32_fold_sum, uint32_t, 64, 0, m + x)
FOLD(u32_fold_product, uint32_t, 64, 1, m *x)
FOLD(u32_fold_max, uint32_t, 64, 0, m > x ? m : x)
FOLD(u32_fold_min, uint32_t, 64, UINT32_MAX, m < x ? m : x)
FOLD(u32_fold_and, uint32_t, 64, UINT32_MAX, m &x)
FOLD(u32_fold_or, uint32_t, 64, 0, m | x)
FOLD(s64_fold_max, int64_t, 32, INT64_MIN, m > x ? m : x)
FOLD(s64_fold_min, int64_t, 32, INT64_MAX, m < x ? m : x)
FOLD(u64_fold_sum, uint64_t, 32, 0, m + x)
FOLD(u64_fold_product, uint64_t, 32, 1, m *x)
FOLD(u64_fold_max, uint64_t, 32, 0, m > x ? m : x)
FOLD(u64_fold_min, uint64_t, 32, UINT64_MAX, m < x ? m : x)
FOLD(u64_fold_and, uint64_t, 32, UINT64_MAX, m &x)
FOLD(u64_fold_or, uint64_t, 32, 0, m | x)

/* As f32_fold_sum of what multiplying the blocks makes. */
static void f32_fold_products(void *sum, const float *a, const float *b, size_t count)
{
    enum { FOLD_LANES = 64 };
    float result = *(const float *)sum;
    if (count >= 16) {
        float lane[FOLD_LANES];
        for (size_t i = 0; i < FOLD_LANES; i++)
            lane[i] = -0.0f;
        for (; count >= FOLD_LANES; count -= FOLD_LANES, a += FOLD_LANES, b += FOLD_LANES)
            for (size_t i = 0; i < FOLD_LANES; i++)
                lane[i] += a[i] * b[i];
        size_t whole = count / 16 * 16;
        for (size_t i = 0; i < whole; i++)
            lane[i] += a[i] * b[i];
        a += whole;
        b += whole;
        count -= whole;
        for (size_t half = FOLD_LANES / 2; half > 0; half /= 2)
            for (size_t i = 0; i < half; i++)
                lane[i] += lane[i + half];
        result += lane[0];
    }
    for (size_t i = 0; i < count; i++)
        result += a[i] * b[i];
    *(float *)sum = result;
}

#endif
