#ifndef POD_KERNELS_FINISH_SUMS_H
#define POD_KERNELS_FINISH_SUMS_H

/* finish_sums - pod_sums_finish on vectors of lanes.h in registers, for the kernels that have sums there. */

#include "kernels/finish.h"
#include "kernels/lanes.h"
#include "kernels/unroll.h"

/* A product that is rounded for itself where files are compiled with products and sums contracted. */
LANES_INLINE floats unfused(floats product)
{
#if defined(__x86_64__)
    __asm__("" : "+v"(product));
#elif defined(__aarch64__)
    __asm__("" : "+w"(product));
#endif
    return product;
}

/* What becomes of vectors of sums, columns `column` on of `rows` rows from `row` on, a constant of which `there` are
 * there, but for the rounding to the result's type. What is to be done is looked up once for all rows. */
LANES_INLINE void finish_sums(const pod_sums_finish *f, int64_t row, int64_t column, floats *y, int rows, int64_t there)
{
    if (f->rounds)
        POD_UNROLL (12, int i = 0; i < rows; i++)
            y[i] = (floats)(round_to_bf16(y[i]) & 0xFFFF0000u);
    if (f->bias) {
        const floats bias = load(f->bias + column);
        POD_UNROLL (12, int i = 0; i < rows; i++)
            y[i] += bias;
    }
    if (f->scale) {
        const floats scale = load(f->scale + column), shift = load(f->shift + column);
        POD_UNROLL (12, int i = 0; i < rows; i++)
            y[i] = unfused(y[i] * scale) + shift;
    }
    if (f->add)
        POD_UNROLL (12, int i = 0; i < rows; i++)
            if (i < there)
                y[i] += load(f->add + (row + i) * f->stride + column);
    if (f->relu)
        POD_UNROLL (12, int i = 0; i < rows; i++)
            y[i] = positive(y[i]);
    if (f->most > 0) {
        const float most = f->most;
        POD_UNROLL (12, int i = 0; i < rows; i++)
            y[i] = at_most(y[i], most);
    }
}

/* The same of a result of f32, which is stored. */
LANES_INLINE void store_sums(const pod_sums_finish *f, int64_t row, int64_t column, floats *y, int rows, int64_t there)
{
    float *to = (float *)f->to + row * f->stride + column;
    const int64_t stride = f->stride;
    finish_sums(f, row, column, y, rows, there);
    POD_UNROLL (12, int i = 0; i < rows; i++)
        if (i < there)
            memcpy(to + i * stride, &y[i], sizeof y[i]);
}

#endif
