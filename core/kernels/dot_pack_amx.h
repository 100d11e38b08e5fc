#ifndef POD_KERNELS_DOT_PACK_AMX_H
#define POD_KERNELS_DOT_PACK_AMX_H

/*
 * dot_pack_amx - packs operands of bf16 products as AMX's tiles (see dot_amx.c): blocks are 32 rows x 32 k of a and
 * 32 k x 32 columns of b, two tiles each. Included by dot_amx.c, behind <immintrin.h>.
 */

#include "kernels/dot_pack_avx512.h"
#include "kernels/unroll.h"

#define BLOCK_K    32
#define BLOCK_ROWS 32
#define TILE_BYTES 1024

/* Copies a block of a whose rows are rows in memory; missing rows and k become 0. */
static void copy_block(char *to, const char *a, int64_t rows, int64_t k, int64_t row_bytes)
{
    for (int64_t i = 0; i < BLOCK_ROWS; i++, a += row_bytes) {
        pod_words16 words = {0};
        if (i < rows)
            words = pod_kernel_wide_along(POD_BF16, a, k);
        memcpy(to + 64 * i, &words, 64);
    }
}

/* Copies k elements of up to 32 rows into blocks. */
static void copy_rows(char *to, const char *a, int64_t rows, int64_t k, int64_t row_bytes)
{
    for (int64_t at = 0; at < k; at += BLOCK_K, to += 2 * TILE_BYTES)
        copy_block(to, a + at * 2, rows, k - at, row_bytes);
}

/* Copies a block whose rows lie so far apart that they may share sets of the L1 cache: each line is read once. What
 * lies 32 rows on comes to L2. */
POD_WIDE_INLINE void gather_block(char *to, const char *from, int64_t row_bytes)
{
    POD_UNROLL (4, int64_t i = 0; i < BLOCK_K; i++, from += row_bytes) {
        __builtin_prefetch(from + BLOCK_K * row_bytes, 0, 2);
        memcpy(to + 64 * i, from, 64);
    }
}

/* Packs rows of a that are columns in memory, each 32 of them panel_bytes from the last: by blocks of k, so that
 * memory is read along its rows. */
static void transpose_rows(char *to, int64_t panel_bytes, const char *a, int64_t rows, int64_t k, int64_t k_bytes)
{
    char block[2 * TILE_BYTES] __attribute__((aligned(64)));
    for (int64_t at = 0; at < k; at += BLOCK_K, to += 2 * TILE_BYTES, a += BLOCK_K * k_bytes)
        for (int64_t row = 0; row < rows; row += BLOCK_ROWS) {
            if (rows - row < BLOCK_ROWS || k - at < BLOCK_K)
                copy_block(block, a + row * 2, k - at, rows - row, k_bytes);
            else
                gather_block(block, a + row * 2, k_bytes);
            pod_kernel_wide_transpose_halves(block, 64, to + row / BLOCK_ROWS * panel_bytes, 64);
        }
}

/* Packs 32 whole columns of bf16, which are neighbours in memory, of 32 k: two tiles. */
POD_WIDE_INLINE void pack_two_tiles(char *to, const char *b, int64_t k_bytes)
{
    for (int64_t pair = 0; pair < 16; pair++, to += 64, b += 2 * k_bytes) {
        pod_kernel_wide_fetch(b, k_bytes);
        pod_kernel_wide_fetch(b + k_bytes, k_bytes);
        pod_kernel_wide_store_pairs(to, TILE_BYTES, b, b + k_bytes);
    }
}

/* dtype is a constant wherever this is inlined. */
POD_WIDE_INLINE void pack_tiles(pod_dtype dtype, char *to, int64_t width, const char *b, int64_t columns, int64_t k,
                                int64_t k_stride, int64_t column_stride)
{
    const int64_t bytes = dtype == POD_BF16 ? 2 : 4;
    for (int64_t at = 0; at < k; at += BLOCK_K)
        for (int64_t column = 0; column < width; column += 16, to += TILE_BYTES) {
            const char *from = b + (at * k_stride + column * column_stride) * bytes;
            if (dtype == POD_BF16 && k_stride != 1 && k - at >= BLOCK_K && columns - column >= 32) {
                pack_two_tiles(to, from, k_stride * bytes);
                column += 16;
                to += TILE_BYTES;
                continue;
            }
            if (k_stride == 1) {
                pod_kernel_wide_pack_rows(dtype, to, 64, from, columns - column, k - at, column_stride * bytes);
                continue;
            }
            for (int64_t pair = 0; pair < 16; pair++, from += 2 * k_stride * bytes) {
                int64_t left = k - at - 2 * pair;
                const char *second = left > 1 ? from + k_stride * bytes : NULL;
                pod_kernel_wide_fetch(from, k_stride * bytes);
                pod_kernel_wide_fetch(from + k_stride * bytes, k_stride * bytes);
                pod_words16 words = {0};
                if (left > 0)
                    words = pod_kernel_wide_pairs(dtype, from, second, columns - column);
                memcpy(to + 64 * pair, &words, 64);
            }
        }
}

static void pack_panel(void *packed, int64_t width, pod_dtype dtype, const void *b, int64_t columns, int64_t k,
                       int64_t k_stride, int64_t column_stride)
{
    if (dtype == POD_BF16)
        pack_tiles(POD_BF16, packed, width, b, columns, k, k_stride, column_stride);
    else
        pack_tiles(POD_F32, packed, width, b, columns, k, k_stride, column_stride);
}

/* pod_dot_family.pack_a, for rows that are columns in memory: no other is asked for. */
static void pack_tile_rows(void *packed, int64_t tile_bytes, const void *a, int64_t rows, int64_t k, int64_t row_stride,
                           int64_t k_stride)
{
    (void)row_stride;
    transpose_rows(packed, tile_bytes, a, rows, k, k_stride * 2);
}

#endif
