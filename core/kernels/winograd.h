#ifndef POD_KERNELS_WINOGRAD_H
#define POD_KERNELS_WINOGRAD_H

/*
 * winograd - the transforms of convolutions with kernels of 3 x 3 by minimal filtering, F(2 x 2, 3 x 3) of Lavin and
 * Gray (arXiv:1509.09308). Tiles of 2 x 2 places read 4 x 4 places of x; 16 points of both operands are multiplied,
 * each as a matrix product over channels, in the place of 36 products for each tile:
 *
 *     rows of x    d0 - d2, d1 + d2, d2 - d1, d1 - d3
 *     of a kernel  g0, (g0 + g1 + g2) / 2, (g0 - g1 + g2) / 2, g2
 *     of a result  m0 + m1 + m2, m1 - m2 - m3
 *
 * and the same along columns. A place takes no part in sums of results that do not read it, so what is not finite
 * stays where it is met. Channels and filters are multiples of POD_FINISH_LANES; points of anything are `step` floats
 * apart, point 4 * i + j being row i, column j.
 */

#include "kernels/finish.h"

#include <stdbool.h>
#include <stdint.h>

#define POD_WINOGRAD_POINTS 16

/* A row of tiles in x: four lines of f32 or bf16, of which places are `steps` bytes apart: 0 for one that lies outside
 * and is one place of zeros. */
typedef struct pod_winograd_lines {
    pod_dtype dtype;
    const char *lines[4];
    int64_t steps[4];
    int64_t width; /* places of a line; tile 0 begins at place `first`, tiles are two places apart */
    int64_t first; /* may lie outside */
    int64_t channels;
} pod_winograd_lines;

/* A row of tiles of a result. */
typedef struct pod_winograd_results {
    const pod_sums_finish *finish; /* of f32 */
    int64_t row;                   /* of finish, of the first place */
    int64_t line;                  /* rows from a line to the next */
    int64_t lines, places;         /* that are there of the two lines, and of each one's 2 * tiles places */
    int64_t column, columns;       /* of finish */
} pod_winograd_results;

typedef struct pod_winograd_kernels {
    /* to[point][tile][channel], of tiles that follow each other. */
    void (*read)(float *to, int64_t step, const pod_winograd_lines *lines, int64_t tiles);
    /* to[point][count] of `count` kernels of f32 or bf16 whose taps are tap_step bytes apart, a negative number where
     * the last tap is to be the first. */
    void (*weigh)(float *to, int64_t step, pod_dtype dtype, const char *taps, int64_t tap_step, int64_t count);
    /* Packs `k` rows of a panel as pod_dot_family.pack_b does for words of one f32; one of the strides is 1. */
    void (*pack)(float *to, const float *from, int64_t columns, int64_t k, int64_t k_stride, int64_t column_stride);
    /* Finishes and stores what products[point][tile][column], with tiles tile_step apart, give. */
    void (*store)(const pod_winograd_results *to, const float *products, int64_t step, int64_t tile_step,
                  int64_t tiles);
} pod_winograd_kernels;

extern const pod_winograd_kernels pod_winograd_portable, pod_winograd_neon, pod_winograd_avx2, pod_winograd_avx512;

#endif
