#ifndef POD_KERNELS_SIZES_H
#define POD_KERNELS_SIZES_H

/* sizes - arithmetic of blocks and parts. */

#include <stdint.h>

static inline int64_t pod_smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t pod_larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline int64_t pod_round_up(int64_t value, int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Cuts `total` into equal parts of at most `most`, each a multiple of `unit`; returns a part's size. */
static inline int64_t pod_even_part(int64_t total, int64_t most, int64_t unit)
{
    int64_t parts = (total + most - 1) / most;
    return parts <= 1 ? pod_round_up(total, unit)
                      : pod_round_up((total + parts - 1) / parts, unit);
}

#endif
