#ifndef POD_KERNELS_DIRECT_H
#define POD_KERNELS_DIRECT_H

/*
 * direct - convolutions with patches so short that to gather and pack them would cost more than the
 * products: first layers with few channels. A run of places of one line of the result reads `line`,
 * the lines of x that it meets, widened to f32 with zeros where there is padding; `offsets` tells
 * where in it tap and channel k of the first place is, and places are `step` elements apart.
 *
 * All sums are made in f32 in rising k or place, each by one accumulator.
 */

#include "kernels/finish.h"
#include "moonpod/tensor.h"

#include <stdbool.h>
#include <stddef.h>

/* Elements of x that the places of a window of a pooling read together, at most. */
#define POD_DIRECT_TABLE 16

/* A line of windows of a max pooling behind a convolution: each gives a gradient to one of its places, which is another
 * one in each column. What its places read of x is a table, in which place p reads elements first[p] + offsets[k]. */
typedef struct pod_direct_windows {
    const void *given; /* [windows][columns] of f32 or bf16 */
    pod_dtype dtype;
    const uint8_t *positions; /* [windows][columns]: the number of the place */
    const float *tables;      /* [windows][POD_DIRECT_TABLE] */
    int32_t first[POD_DIRECT_TABLE];
    int32_t offsets[POD_DIRECT_TABLE]; /* of each k */
} pod_direct_windows;

typedef struct pod_direct_kernels {
    /* Widens `count` elements of f32 or bf16. */
    void (*widen)(float *to, pod_dtype dtype, const void *from, int64_t count);
    /* tile[i][f] = sum over k of line[i * step + offsets[k]] * weights[k][f], for `places` places and
     * `columns` columns, a multiple of 16; rows of tile and weights have as many elements. */
    void (*convolve)(float *tile, const float *weights, int64_t columns, const float *line, int64_t step,
                     const int64_t *offsets, int64_t k, int64_t places);
    /* The same, with what becomes of the sums in registers, for rows `row` on of the result, which is of f32 or bf16.
     */
    void (*convolve_finished)(const pod_sums_finish *finish, int64_t row, const float *weights, int64_t columns,
                              const float *line, int64_t step, const int64_t *offsets, int64_t k, int64_t places);
    /* sums[k][f] += sum over i of line[i * step + offsets[k]] * given[i][f], alike. */
    void (*accumulate)(float *sums, const float *given, int64_t columns, const float *line, int64_t step,
                       const int64_t *offsets, int64_t k, int64_t places);
    /* sums[k][f] += sum over windows of table[first[position[f]] + offsets[k]] * given[f], with `k` up to
     * POD_DIRECT_TABLE; NULL in families that cannot look up a table of this size. */
    void (*accumulate_windows)(float *sums, int64_t columns, const pod_direct_windows *of, int64_t k, int64_t windows);
} pod_direct_kernels;

extern const pod_direct_kernels pod_direct_portable, pod_direct_neon, pod_direct_avx2, pod_direct_avx512;

#endif
