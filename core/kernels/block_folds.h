#ifndef POD_KERNELS_BLOCK_FOLDS_H
#define POD_KERNELS_BLOCK_FOLDS_H

/* The folds of a block, in lanes and then half onto half. Included by multi/blocks.c, once a
 * family. */

#include "kernels/block_math.h"

/* Whole groups of `lanes` elements, then what is left in sixteens, go onto as many lanes; the lanes
 * are folded, half onto half, and then onto the accumulator; what is left over follows one by one.
 * x is an element or a lane, m what it is folded onto. Lanes are only written as wholes: a short
 * write before a long read would stall. `read` begins to read what the parameters say, `element` is its element k. */
#define FOLD_OF(name, parameters, read, element, type, lanes, neutral, expression)                                     \
    __attribute__((unused)) static void name(void *accumulator, parameters, size_t count)                              \
    {                                                                                                                  \
        read;                                                                                                          \
        type result = *(const type *)accumulator;                                                                      \
        size_t k = 0;                                                                                                  \
        if (count >= 16) {                                                                                             \
            type lane[lanes];                                                                                          \
            for (size_t i = 0; i < lanes; i++)                                                                         \
                lane[i] = neutral;                                                                                     \
            for (; count - k >= lanes; k += lanes) {                                                                   \
                for (size_t i = 0; i < lanes; i++) {                                                                   \
                    type m = lane[i], x = element(k + i);                                                              \
                    lane[i] = expression;                                                                              \
                }                                                                                                      \
            }                                                                                                          \
            size_t whole = (count - k) / 16 * 16;                                                                      \
            for (size_t i = 0; i < whole; i++) {                                                                       \
                type m = lane[i], x = element(k + i);                                                                  \
                lane[i] = expression;                                                                                  \
            }                                                                                                          \
            k += whole;                                                                                                \
            for (size_t half = lanes / 2; half > 0; half /= 2) {                                                       \
                for (size_t i = 0; i < half; i++) {                                                                    \
                    type m = lane[i], x = lane[i + half];                                                              \
                    lane[i] = expression;                                                                              \
                }                                                                                                      \
            }                                                                                                          \
            type m = result, x = lane[0];                                                                              \
            result = expression;                                                                                       \
        }                                                                                                              \
        for (; k < count; k++) {                                                                                       \
            type m = result, x = element(k);                                                                           \
            result = expression;                                                                                       \
        }                                                                                                              \
        *(type *)accumulator = result;                                                                                 \
    }

#define PARAMETERS(...)    __VA_ARGS__
#define FOLD_ELEMENT(i)    from[i]
#define PRODUCT_ELEMENT(i) (a[i] * b[i])

#define FOLD(name, type, lanes, neutral, expression)                                                                   \
    FOLD_OF(name, const void *block, const type *from = block, FOLD_ELEMENT, type, lanes, neutral, expression)

FOLD(f32_fold_sum, float, 64, -0.0f, m + x)
FOLD(f32_fold_product, float, 64, 1, m *x)
FOLD(f32_fold_max, float, 64, -INFINITY, maximum_f32(m, x))
FOLD(f32_fold_min, float, 64, INFINITY, minimum_f32(m, x))
FOLD(f64_fold_sum, double, 32, -0.0, m + x)
FOLD(f64_fold_product, double, 32, 1, m *x)
FOLD(f64_fold_max, double, 32, -(double)INFINITY, ((m > x) | (m != m)) ? m : x)
FOLD(f64_fold_min, double, 32, (double)INFINITY, ((m < x) | (m != m)) ? m : x)

/* Of integers; what is the same for both signs is under the unsigned name. */
#define INTEGER_FOLDS(bits, lanes)                                                                                     \
    FOLD(s##bits##_fold_max, int##bits##_t, lanes, INT##bits##_MIN, m > x ? m : x)                                     \
    FOLD(s##bits##_fold_min, int##bits##_t, lanes, INT##bits##_MAX, m < x ? m : x)                                     \
    FOLD(u##bits##_fold_sum, uint##bits##_t, lanes, 0, m + x)                                                          \
    FOLD(u##bits##_fold_product, uint##bits##_t, lanes, 1, m *x)                                                       \
    FOLD(u##bits##_fold_max, uint##bits##_t, lanes, 0, m > x ? m : x)                                                  \
    FOLD(u##bits##_fold_min, uint##bits##_t, lanes, UINT##bits##_MAX, m < x ? m : x)                                   \
    FOLD(u##bits##_fold_and, uint##bits##_t, lanes, UINT##bits##_MAX, m &x)                                            \
    FOLD(u##bits##_fold_or, uint##bits##_t, lanes, 0, m | x)

INTEGER_FOLDS(32, 64)
INTEGER_FOLDS(64, 32)

/* As f32_fold_sum of what multiplying the blocks makes. */
FOLD_OF(f32_fold_products, PARAMETERS(const float *a, const float *b), , PRODUCT_ELEMENT, float, 64, -0.0f, m + x)

#endif
