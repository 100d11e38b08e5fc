#ifndef POD_KERNELS_TILES_H
#define POD_KERNELS_TILES_H

/*
 * tiles - the instructions of AMX that products use. All tiles are 16 rows of 64 bytes: 16 x 16 f32, or
 * 16 rows x 32 k bf16 of a, or 16 pairs of k x 16 columns of b. A 2 x 2 block of sums is in tiles 0
 * to 3; tiles 4 and 5 hold a, 6 and 7 hold b.
 */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define POD_TILE_INLINE static inline __attribute__((always_inline, unused))

/* Gives tiles of sums and of a `rows` rows, at most 16, until it is called again; all tiles lose what they hold. */
POD_TILE_INLINE void pod_kernel_tiles_shape(int64_t rows)
{
    struct {
        uint8_t palette, start_row, reserved[14];
        uint16_t row_bytes[16];
        uint8_t rows[16];
    } config;
    memset(&config, 0, sizeof config);
    config.palette = 1;
    for (int i = 0; i < 8; i++) {
        config.row_bytes[i] = 64;
        config.rows[i] = i < 6 ? (uint8_t)rows : 16;
    }
    __asm__ volatile("ldtilecfg %0" ::"m"(config));
}

/* Gives the calling thread its tiles. */
POD_TILE_INLINE void pod_kernel_tiles_begin(void)
{
    pod_kernel_tiles_shape(16);
}

/* Gives them back, which spares the system from saving them when it switches threads. */
POD_TILE_INLINE void pod_kernel_tiles_end(void)
{
    __asm__ volatile("tilerelease" ::);
}

/* Clears the sums. */
POD_TILE_INLINE void pod_kernel_tiles_zero(void)
{
    __asm__ volatile("tilezero %%tmm0\n\ttilezero %%tmm1\n\ttilezero %%tmm2\n\ttilezero %%tmm3" ::);
}

/* Loads the four tiles of sums, `stride` bytes between rows, or the left two alone. `left` is a constant where the
 * branch matters. */
POD_TILE_INLINE void pod_kernel_tiles_load(bool left, const float *c, int64_t stride)
{
    const char *lower = (const char *)c + 16 * stride;
    __asm__ volatile("tileloadd (%0,%2,1),%%tmm0\n\ttileloadd (%1,%2,1),%%tmm2" ::"r"(c), "r"(lower), "r"(stride)
                     : "memory");
    if (!left)
        __asm__ volatile("tileloadd 64(%0,%2,1),%%tmm1\n\ttileloadd 64(%1,%2,1),%%tmm3" ::"r"(c), "r"(lower),
                         "r"(stride)
                         : "memory");
}

/* Stores them; the lower ones at `lower`. */
POD_TILE_INLINE void pod_kernel_tiles_store(bool left, float *c, float *lower, int64_t stride)
{
    __asm__ volatile("tilestored %%tmm0,(%0,%2,1)\n\ttilestored %%tmm2,(%1,%2,1)" ::"r"(c), "r"(lower), "r"(stride)
                     : "memory");
    if (!left)
        __asm__ volatile("tilestored %%tmm1,64(%0,%2,1)\n\ttilestored %%tmm3,64(%1,%2,1)" ::"r"(c), "r"(lower),
                         "r"(stride)
                         : "memory");
}

/* Add the product of a block of a, whose rows lie `stride` bytes apart, the lower 16 at `lower`, and a block of b (two
 * tiles, 1 KiB each). far: both come from the L2 cache, with a hint not to fill L1 with them; far_a: a alone, while b
 * stays in L1. */
#define POD_TILES_MULTIPLY(name, load_a, load_b)                                                                       \
    POD_TILE_INLINE void name(const char *a, const char *lower, int64_t stride, const char *b)                         \
    {                                                                                                                  \
        __asm__ volatile(load_a " (%0,%2,1),%%tmm4\n\t" load_b " (%3,%4,1),%%tmm6\n\t"                                 \
                                "tdpbf16ps %%tmm6,%%tmm4,%%tmm0\n\t" load_b " 1024(%3,%4,1),%%tmm7\n\t"                \
                                "tdpbf16ps %%tmm7,%%tmm4,%%tmm1\n\t" load_a " (%1,%2,1),%%tmm5\n\t"                    \
                                "tdpbf16ps %%tmm6,%%tmm5,%%tmm2\n\ttdpbf16ps %%tmm7,%%tmm5,%%tmm3" ::"r"(a),           \
                         "r"(lower), "r"(stride), "r"(b), "r"((int64_t)64)                                             \
                         : "memory");                                                                                  \
    }
POD_TILES_MULTIPLY(pod_tiles_multiply_rows, "tileloadd", "tileloadd")
POD_TILES_MULTIPLY(pod_tiles_multiply_rows_far_a, "tileloaddt1", "tileloadd")
POD_TILES_MULTIPLY(pod_tiles_multiply_rows_far, "tileloaddt1", "tileloaddt1")

/* The same for a block of b that has one tile, 16 columns. */
POD_TILE_INLINE void pod_tiles_multiply_rows_left(const char *a, const char *lower, int64_t stride, const char *b)
{
    __asm__ volatile("tileloadd (%3,%4,1),%%tmm6\n\ttileloadd (%0,%2,1),%%tmm4\n\t"
                     "tdpbf16ps %%tmm6,%%tmm4,%%tmm0\n\t"
                     "tileloadd (%1,%2,1),%%tmm5\n\ttdpbf16ps %%tmm6,%%tmm5,%%tmm2" ::"r"(a),
                     "r"(lower), "r"(stride), "r"(b), "r"((int64_t)64)
                     : "memory");
}

/* Load a block of a, or of b with two tiles or, left, one, as operands that come from the L2 cache. */
POD_TILE_INLINE void pod_kernel_tiles_take_a(const char *a)
{
    __asm__ volatile("tileloaddt1 (%0,%1,1),%%tmm4\n\ttileloaddt1 1024(%0,%1,1),%%tmm5" ::"r"(a), "r"((int64_t)64)
                     : "memory");
}

POD_TILE_INLINE void pod_kernel_tiles_take_b(bool left, const char *b)
{
    __asm__ volatile("tileloaddt1 (%0,%1,1),%%tmm6" ::"r"(b), "r"((int64_t)64) : "memory");
    if (!left)
        __asm__ volatile("tileloaddt1 1024(%0,%1,1),%%tmm7" ::"r"(b), "r"((int64_t)64) : "memory");
}

/* Add the product of the blocks that were loaded last. */
POD_TILE_INLINE void pod_kernel_tiles_multiply_taken(bool left)
{
    if (left)
        __asm__ volatile("tdpbf16ps %%tmm6,%%tmm4,%%tmm0\n\ttdpbf16ps %%tmm6,%%tmm5,%%tmm2" ::);
    else
        __asm__ volatile("tdpbf16ps %%tmm6,%%tmm4,%%tmm0\n\ttdpbf16ps %%tmm7,%%tmm4,%%tmm1\n\t"
                         "tdpbf16ps %%tmm6,%%tmm5,%%tmm2\n\ttdpbf16ps %%tmm7,%%tmm5,%%tmm3" ::);
}

#endif
