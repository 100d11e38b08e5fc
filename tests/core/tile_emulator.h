#ifndef TILE_EMULATOR_H
#define TILE_EMULATOR_H

/* Included first, it stands in the place of that header. */
#define POD_KERNELS_TILES_H

/*
 * tile_emulator - core/kernels/tiles.h in plain C: eight tiles of 16 rows of 64 bytes and the arithmetic of
 * tdpbf16ps as Intel's manual defines it. Over a tile's 16 pairs of k, the products of even and of odd k
 * are each summed by fused multiply-adds from 0 in rising order; the two sums are added, and the
 * result is added to the destination. Subnormal inputs and outputs are 0 throughout.
 */

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Sanitizers would take minutes over it. */
#define EMULATED_INLINE static inline __attribute__((always_inline, no_sanitize("address", "undefined")))

static _Thread_local struct {
    unsigned char rows[16][64];
} emulated_tiles[8];

static _Thread_local int emulated_tiles_open; /* begin() and end() come in pairs */
static _Thread_local int emulated_rows = 16;  /* of tiles 0 to 5 */

EMULATED_INLINE float emulated_flush(float value)
{
    return fabsf(value) < 0x1p-126f ? copysignf(0.0f, value) : value;
}

EMULATED_INLINE float emulated_bf16(const unsigned char *row, int index)
{
    uint16_t half;
    memcpy(&half, row + 2 * index, 2);
    uint32_t word = (uint32_t)half << 16;
    float value;
    memcpy(&value, &word, 4);
    return emulated_flush(value);
}

/* One step of the chain of products of even or odd k. */
EMULATED_INLINE float emulated_step(float sum, float a, float b)
{
    return emulated_flush(fmaf(a, b, sum));
}

EMULATED_INLINE float emulated_total(float destination, float even, float odd)
{
    return emulated_flush(emulated_flush(destination) + emulated_flush(even + odd));
}

EMULATED_INLINE void emulated_dot_plainly(int c, int a, int b)
{
    float left[16][32], right[32][16];
    for (int row = 0; row < emulated_rows; row++)
        for (int k = 0; k < 32; k++)
            left[row][k] = emulated_bf16(emulated_tiles[a].rows[row], k);
    for (int k = 0; k < 32; k++)
        for (int column = 0; column < 16; column++)
            right[k][column] = emulated_bf16(emulated_tiles[b].rows[k / 2], 2 * column + k % 2);
    for (int row = 0; row < emulated_rows; row++) {
        float even[16] = {0}, odd[16] = {0}, sums[16];
        for (int k = 0; k < 32; k += 2)
            for (int column = 0; column < 16; column++) {
                even[column] = emulated_step(even[column], left[row][k], right[k][column]);
                odd[column] = emulated_step(odd[column], left[row][k + 1], right[k + 1][column]);
            }
        memcpy(sums, emulated_tiles[c].rows[row], 64);
        for (int column = 0; column < 16; column++)
            sums[column] = emulated_total(sums[column], even[column], odd[column]);
        memcpy(emulated_tiles[c].rows[row], sums, 64);
    }
}

/* By the CPU's fused multiply-adds, where it has them: a library call for each takes minutes in larger tests. */
#if defined(__x86_64__)
#ifndef __clang__ /* which has no such attribute */
__attribute__((optimize("O3")))
#endif
__attribute__((target("fma"), no_sanitize("address", "undefined"))) static void
emulated_dot_fused(int c, int a, int b)
{
    emulated_dot_plainly(c, a, b);
}
#endif

__attribute__((no_sanitize("address", "undefined"))) static void emulated_dot(int c, int a, int b)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("fma")) {
        emulated_dot_fused(c, a, b);
        return;
    }
#endif
    emulated_dot_plainly(c, a, b);
}

static inline void emulated_load(int tile, const void *source, int64_t stride)
{
    for (int row = 0; row < (tile < 6 ? emulated_rows : 16); row++)
        memcpy(emulated_tiles[tile].rows[row], (const char *)source + row * stride, 64);
}

static inline void emulated_store(int tile, void *destination, int64_t stride)
{
    for (int row = 0; row < emulated_rows; row++)
        memcpy((char *)destination + row * stride, emulated_tiles[tile].rows[row], 64);
}

static inline void pod_kernel_tiles_shape(int64_t rows)
{
    emulated_rows = (int)rows;
    memset(emulated_tiles, 0xff, sizeof emulated_tiles);
}

static inline void pod_kernel_tiles_begin(void)
{
    emulated_tiles_open++;
    pod_kernel_tiles_shape(16);
}

static inline void pod_kernel_tiles_end(void)
{
    emulated_tiles_open--;
}

static inline void pod_kernel_tiles_zero(void)
{
    memset(emulated_tiles, 0, 4 * sizeof emulated_tiles[0]);
}

static inline void pod_kernel_tiles_load(bool left, const float *c, int64_t stride)
{
    emulated_load(0, c, stride);
    emulated_load(2, (const char *)c + 16 * stride, stride);
    if (left)
        return;
    emulated_load(1, c + 16, stride);
    emulated_load(3, (const char *)(c + 16) + 16 * stride, stride);
}

static inline void pod_kernel_tiles_store(bool left, float *c, float *lower, int64_t stride)
{
    emulated_store(0, c, stride);
    emulated_store(2, lower, stride);
    if (left)
        return;
    emulated_store(1, c + 16, stride);
    emulated_store(3, lower + 16, stride);
}

static inline void pod_tiles_multiply_rows_left(const char *a, const char *lower, int64_t stride, const char *b)
{
    emulated_load(4, a, stride);
    emulated_load(5, lower, stride);
    emulated_load(6, b, 64);
    emulated_dot(0, 4, 6);
    emulated_dot(2, 5, 6);
}

static inline void pod_tiles_multiply_rows(const char *a, const char *lower, int64_t stride, const char *b)
{
    pod_tiles_multiply_rows_left(a, lower, stride, b);
    emulated_load(7, b + 1024, 64);
    emulated_dot(1, 4, 7);
    emulated_dot(3, 5, 7);
}

static inline void pod_tiles_multiply_rows_far_a(const char *a, const char *lower, int64_t stride, const char *b)
{
    pod_tiles_multiply_rows(a, lower, stride, b);
}

static inline void pod_tiles_multiply_rows_far(const char *a, const char *lower, int64_t stride, const char *b)
{
    pod_tiles_multiply_rows(a, lower, stride, b);
}

static inline void pod_kernel_tiles_take_a(const char *a)
{
    emulated_load(4, a, 64);
    emulated_load(5, a + 1024, 64);
}

static inline void pod_kernel_tiles_take_b(bool left, const char *b)
{
    emulated_load(6, b, 64);
    if (!left)
        emulated_load(7, b + 1024, 64);
}

static inline void pod_kernel_tiles_multiply_taken(bool left)
{
    emulated_dot(0, 4, 6);
    emulated_dot(2, 5, 6);
    if (left)
        return;
    emulated_dot(1, 4, 7);
    emulated_dot(3, 5, 7);
}

#endif
