#include "kernels/dot.h"

#include <immintrin.h>

#include "kernels/dot_pack_avx512.h"

/* 10 loads feed 16 multiplications; a third vector would spare loads that are free, and leave most numbers of columns,
 * powers of two, a narrow last panel. */
#define POD_TILE_LANES        16
#define POD_TILE_ROWS         8
#define POD_TILE_VECTORS      2
#define POD_TILE_WORD         int
#define POD_TILE_UNIT         2
#define POD_TILE_FMA(a, b, c) _mm512_dpbf16_ps(c, (__m512bh)_mm512_set1_epi32(a), (__m512bh)(b))
#include "kernels/dot_tile.h"

/* Packs rows that are columns in memory, 16 of them at a time: two tiles. */
static void pack_a_columns(char *packed, int64_t tile_bytes, const char *a, int64_t rows, int64_t k, int64_t k_bytes)
{
    for (int64_t at = 0; at < k; at += 2, packed += 4 * POD_TILE_ROWS, a += 2 * k_bytes) {
        char *to = packed;
        for (int64_t row = 0; row < rows; row += 2 * POD_TILE_ROWS, to += 2 * tile_bytes) {
            const char *from = a + row * 2;
            pod_kernel_wide_fetch(from, k_bytes);
            pod_kernel_wide_fetch(from + k_bytes, k_bytes);
            pod_words16 words = pod_kernel_wide_pairs(POD_BF16, from, at + 1 < k ? from + k_bytes : NULL, rows - row);
            pod_half_words low = pod_kernel_wide_half(words, 0), high = pod_kernel_wide_half(words, 1);
            memcpy(to, &low, 4 * POD_TILE_ROWS);
            if (rows - row > POD_TILE_ROWS)
                memcpy(to + tile_bytes, &high, 4 * POD_TILE_ROWS);
        }
    }
}

/* Packs rows of which multiply() could not read the last pair. */
static void pack_a_rows(char *packed, int64_t tile_bytes, const char *a, int64_t rows, int64_t k, int64_t row_bytes)
{
    for (; rows > 0; rows -= POD_TILE_ROWS, packed += tile_bytes, a += POD_TILE_ROWS * row_bytes)
        for (int64_t at = 0; at < k; at += 32) {
            pod_words16 words[16];
            pod_kernel_wide_pack_rows(POD_BF16, (char *)words, 64, a + at * 2,
                                      rows < POD_TILE_ROWS ? rows : POD_TILE_ROWS, k - at, row_bytes);
            for (int64_t i = 0; i < 16 && at + 2 * i < k; i++)
                memcpy(packed + (at / 2 + i) * 4 * POD_TILE_ROWS, &words[i], 4 * POD_TILE_ROWS);
        }
}

static void pack_a(void *packed, int64_t tile_bytes, const void *a, int64_t rows, int64_t k, int64_t row_stride,
                   int64_t k_stride)
{
    if (k_stride == 1)
        pack_a_rows(packed, tile_bytes, a, rows, k, row_stride * 2);
    else
        pack_a_columns(packed, tile_bytes, a, rows, k, k_stride * 2);
}

/* dtype is a constant wherever this is inlined. */
POD_WIDE_INLINE void pack_panel_of(pod_dtype dtype, uint32_t *packed, int64_t width, const char *b, int64_t columns,
                                   int64_t k, int64_t k_stride, int64_t column_stride)
{
    const int64_t bytes = dtype == POD_BF16 ? 2 : 4;
    if (k_stride != 1) {
        for (int64_t at = 0; at < k; at += 2, packed += width, b += 2 * k_stride * bytes)
            for (int64_t column = 0; column < width; column += POD_TILE_LANES) {
                const char *from = b + column * bytes;
                pod_kernel_wide_fetch(from, k_stride * bytes);
                pod_kernel_wide_fetch(from + k_stride * bytes, k_stride * bytes);
                pod_words16 words =
                    pod_kernel_wide_pairs(dtype, from, at + 1 < k ? from + k_stride * bytes : NULL, columns - column);
                memcpy(packed + column, &words, 64);
            }
        return;
    }
    for (int64_t at = 0; at < k; at += 32)
        for (int64_t column = 0; column < width; column += POD_TILE_LANES) {
            const char *from = b + (column * column_stride + at) * bytes;
            uint32_t *to = packed + at / 2 * width + column;
            pod_words16 words[16];
            if (k - at >= 31) {
                pod_kernel_wide_pack_rows(dtype, (char *)to, 4 * width, from, columns - column, k - at,
                                          column_stride * bytes);
                continue;
            }
            pod_kernel_wide_pack_rows(dtype, (char *)words, 64, from, columns - column, k - at, column_stride * bytes);
            for (int64_t i = 0; at + 2 * i < k; i++)
                memcpy(to + i * width, &words[i], 64);
        }
}

static void pack_panel(void *packed, int64_t width, pod_dtype dtype, const void *b, int64_t columns, int64_t k,
                       int64_t k_stride, int64_t column_stride)
{
    if (dtype == POD_BF16)
        pack_panel_of(POD_BF16, packed, width, b, columns, k, k_stride, column_stride);
    else
        pack_panel_of(POD_F32, packed, width, b, columns, k, k_stride, column_stride);
}

static const pod_dot_family own_family = {
    .tile_rows = POD_TILE_ROWS,
    .panel_columns = POD_TILE_VECTORS * POD_TILE_LANES,
    .vector_columns = POD_TILE_LANES,
    .word_columns = POD_TILE_VECTORS * POD_TILE_LANES,
    .k_unit = 2,
    .packed_bytes = 2,
    .a_bytes = 2,
    .reads_rows = true,
    .piece_unit = 2,
    .row_block = 128,
    .k_chunk = 1536,
    .k_block = 384,
    .column_group = 480,
    .pack_a = pack_a,
    .pack_b = pack_panel,
    .stream = pod_kernel_wide_stream,
    .multiply = pod_kernel_tile_multiply,
    .multiply_pieces = pod_kernel_tile_multiply_pieces,
};

POD_DOT_TABLE(pod_dot_bf16_avx512bf16, own_family, 32, POD_TILE_ROWS, 128, POD_TILE_VECTORS *POD_TILE_LANES, 0);
