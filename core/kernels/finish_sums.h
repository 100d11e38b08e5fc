#ifndef POD_KERNELS_FINISH_SUMS_H
#define POD_KERNELS_FINISH_SUMS_H

/* finish_sums - pod_sums_finish on vectors of lanes.h in registers, for the kernels that have sums there. */

#include "kernels/finish.h"
#include "kernels/lanes.h"

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

/* What becomes of a vector of sums, columns `column` on of row `row`, but for the rounding to the result's type. */
LANES_INLINE floats finish_sums(const pod_sums_finish *f, int64_t row, int64_t column, floats y)
{
    if (f->rounds)
        y = (floats)(round_to_bf16(y) & 0xFFFF0000u);
    if (f->bias)
        y += load(f->bias + column);
    if (f->scale)
        y = unfused(y * load(f->scale + column)) + load(f->shift + column);
    if (f->add)
        y += load(f->add + row * f->stride + column);
    if (f->relu)
        y = positive(y);
    return f->most > 0 ? at_most(y, f->most) : y;
}

/* The same of a result of f32, which is stored. */
LANES_INLINE void store_sums(const pod_sums_finish *f, int64_t row, int64_t column, floats y)
{
    y = finish_sums(f, row, column, y);
    memcpy((float *)f->to + row * f->stride + column, &y, sizeof y);
}

#endif
