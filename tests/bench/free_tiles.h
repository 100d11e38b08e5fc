#ifndef FREE_TILES_H
#define FREE_TILES_H

/* Included first, it stands in the place of core/kernels/tiles.h. */
#define POD_KERNELS_TILES_H

/*
 * free_tiles - core/kernels/tiles.h with tiles that cost nothing: for `./dev bench tiles`, which times on any machine
 * with AVX-512 BF16 what a step takes on one with AMX *besides* its tiles.
 *
 * Loads, products and clearing of tiles are nothing (the compiler still takes their operands for read, so that
 * packing is not left out), stores write their bytes: a pattern of small numbers, not the sums. So packing, epilogues,
 * updates, loops and waiting run as they would, on nonsense.
 *
 * It is a lower bound of that rest, and no measurement of AMX: the products themselves are left out, and with them the
 * traffic of tile loads to the L1 and L2 caches, which takes packed operands into L1 or drives others out, and what
 * out-of-order execution hides of an epilogue behind products. Operands that only tiles read are not fetched at all.
 */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define FREE_TILE_INLINE static inline __attribute__((always_inline, unused))

/* What tiles "hold": 16 columns of both signs that neither grow nor vanish in a few thousand steps. */
typedef float free_tile_row __attribute__((vector_size(64), aligned(4), may_alias));

static const free_tile_row free_tile_sums = {0x1p-7f,  -0x1p-8f, 0x1p-9f,  -0x1p-7f, -0x1p-9f, 0x1p-8f,
                                             -0x1p-9f, 0x1p-7f,  -0x1p-8f, 0x1p-9f,  0x1p-8f,  -0x1p-7f,
                                             0x1p-9f,  0x1p-8f,  -0x1p-9f, -0x1p-8f};

/* An operand counts as read. */
FREE_TILE_INLINE void free_tiles_read(const void *first, const void *second)
{
    __asm__ volatile("" ::"r"(first), "r"(second) : "memory");
}

static _Thread_local int64_t free_tile_rows = 16;

FREE_TILE_INLINE void pod_kernel_tiles_shape(int64_t rows)
{
    free_tile_rows = rows;
}

FREE_TILE_INLINE void free_tiles_write(float *c, int64_t stride, int64_t rows, int64_t columns)
{
    for (int64_t row = 0; row < rows; row++)
        for (int64_t column = 0; column < columns; column += 16)
            *(free_tile_row *)((char *)c + row * stride + column * 4) = free_tile_sums;
}

FREE_TILE_INLINE void pod_kernel_tiles_begin(void)
{
}

FREE_TILE_INLINE void pod_kernel_tiles_end(void)
{
}

FREE_TILE_INLINE void pod_kernel_tiles_zero(void)
{
}

FREE_TILE_INLINE void pod_kernel_tiles_load(bool left, const float *c, int64_t stride)
{
    (void)left, (void)stride;
    free_tiles_read(c, c);
}

FREE_TILE_INLINE void pod_kernel_tiles_store(bool left, float *c, float *lower, int64_t stride)
{
    free_tiles_write(c, stride, free_tile_rows, left ? 16 : 32);
    free_tiles_write(lower, stride, free_tile_rows, left ? 16 : 32);
}

#define FREE_TILES_MULTIPLY(name)                                                                                      \
    FREE_TILE_INLINE void name(const char *a, const char *lower, int64_t stride, const char *b)                        \
    {                                                                                                                  \
        (void)lower, (void)stride;                                                                                     \
        free_tiles_read(a, b);                                                                                         \
    }
FREE_TILES_MULTIPLY(pod_tiles_multiply_rows)
FREE_TILES_MULTIPLY(pod_tiles_multiply_rows_far_a)
FREE_TILES_MULTIPLY(pod_tiles_multiply_rows_far)
FREE_TILES_MULTIPLY(pod_tiles_multiply_rows_left)

FREE_TILE_INLINE void pod_kernel_tiles_take_a(const char *a)
{
    free_tiles_read(a, a);
}

FREE_TILE_INLINE void pod_kernel_tiles_take_b(bool left, const char *b)
{
    (void)left;
    free_tiles_read(b, b);
}

FREE_TILE_INLINE void pod_kernel_tiles_multiply_taken(bool left)
{
    (void)left;
}

#endif
