#include "kernels/dot.h"

#include <immintrin.h>

#include "kernels/dot_pack_avx512.h"

/* 10 loads feed 16 multiplications; a third vector would spare loads that are free, and leave most numbers of columns,
 * powers of two, a narrow last panel. */
#define ROWS    8
#define VECTORS 2
#define LANES   16

/* Where a tile's rows lie: `step` bytes from one pair of k to the next in each of `count` runs; runs NULL: in one. */
typedef struct lanes {
    const char *rows[ROWS];
    int64_t step, count;
    const int64_t *runs;
} lanes;

/* tile and vectors are constants wherever this is inlined. k counts the pairs of a run. */
POD_WIDE_INLINE void multiply_tile(int tile, int vectors, float *c, int64_t c_stride, const lanes *a, const uint32_t *b,
                                   int64_t k, bool accumulate)
{
    __m512 sums[ROWS][VECTORS];
#pragma GCC unroll 8
    for (int i = 0; i < tile; i++) {
#pragma GCC unroll 4
        for (int j = 0; j < vectors; j++)
            sums[i][j] = accumulate ? _mm512_loadu_ps(c + i * c_stride + j * LANES) : _mm512_setzero_ps();
    }
    for (int64_t run = 0; run < (a->runs ? a->count : 1); run++) {
        const char *rows[ROWS];
#pragma GCC unroll 8
        for (int i = 0; i < tile; i++)
            rows[i] = a->rows[i] + (a->runs ? a->runs[run] * 2 : 0);
        for (int64_t at = 0; at < k; at++) {
            __m512i row[VECTORS];
#pragma GCC unroll 4
            for (int j = 0; j < vectors; j++)
                row[j] = _mm512_loadu_si512(b + j * LANES);
#pragma GCC unroll 8
            for (int i = 0; i < tile; i++) {
                int word;
                memcpy(&word, rows[i] + at * a->step, 4);
                __m512i pair = _mm512_set1_epi32(word);
#pragma GCC unroll 4
                for (int j = 0; j < vectors; j++)
                    sums[i][j] = _mm512_dpbf16_ps(sums[i][j], (__m512bh)pair, (__m512bh)row[j]);
            }
            b += vectors * LANES;
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < tile; i++)
#pragma GCC unroll 4
        for (int j = 0; j < vectors; j++)
            _mm512_storeu_ps(c + i * c_stride + j * LANES, sums[i][j]);
}

/* Rows that are not there are computed, too, and do not count. */
POD_WIDE_INLINE void multiply_rows(int vectors, float *c, int64_t c_stride, const lanes *a, const uint32_t *b,
                                   int64_t k, int64_t rows, bool accumulate)
{
    if (rows > ROWS / 2)
        multiply_tile(ROWS, vectors, c, c_stride, a, b, k, accumulate);
    else if (rows > 1)
        multiply_tile(ROWS / 2, vectors, c, c_stride, a, b, k, accumulate);
    else
        multiply_tile(1, vectors, c, c_stride, a, b, k, accumulate);
}

POD_WIDE_INLINE void multiply_vectors(float *c, int64_t c_stride, const lanes *a, const uint32_t *b, int64_t k,
                                      int64_t rows, int64_t columns, bool accumulate)
{
    if (columns <= LANES)
        multiply_rows(1, c, c_stride, a, b, k, rows, accumulate);
    else
        multiply_rows(VECTORS, c, c_stride, a, b, k, rows, accumulate);
}

static void multiply(float *c, int64_t c_stride, const void *a, int64_t a_row_bytes, const void *b, int64_t k,
                     int64_t rows, int64_t columns, bool accumulate, const char *next, int64_t next_bytes)
{
    for (int64_t at = 0; at < next_bytes; at += 64)
        __builtin_prefetch(next + at, 0, 2);
    lanes at = {.step = 4};
    if (a_row_bytes) {
#pragma GCC unroll 8
        for (int i = 0; i < ROWS; i++)
            at.rows[i] = (const char *)a + (i < rows ? i : rows - 1) * a_row_bytes;
        multiply_vectors(c, c_stride, &at, b, k / 2, rows, columns, accumulate);
        return;
    }
    at.step = 4 * ROWS;
#pragma GCC unroll 8
    for (int i = 0; i < ROWS; i++)
        at.rows[i] = (const char *)a + 4 * i;
    multiply_vectors(c, c_stride, &at, b, k / 2, rows, columns, accumulate);
}

static void multiply_pieces(float *c, int64_t c_stride, const char *const *rows, const int64_t *runs, int64_t count,
                            const void *b, int64_t k, int64_t row_count, int64_t columns, bool accumulate)
{
    lanes at = {.step = 4, .count = count, .runs = runs};
    memcpy(at.rows, rows, sizeof at.rows);
    multiply_vectors(c, c_stride, &at, b, k / 2, row_count, columns, accumulate);
}

/* Packs rows that are columns in memory, 16 of them at a time: two tiles. */
static void pack_a_columns(char *packed, int64_t tile_bytes, const char *a, int64_t rows, int64_t k, int64_t k_bytes)
{
    for (int64_t at = 0; at < k; at += 2, packed += 4 * ROWS, a += 2 * k_bytes) {
        char *to = packed;
        for (int64_t row = 0; row < rows; row += 2 * ROWS, to += 2 * tile_bytes) {
            const char *from = a + row * 2;
            pod_kernel_wide_fetch(from, k_bytes);
            pod_kernel_wide_fetch(from + k_bytes, k_bytes);
            pod_words16 words = pod_kernel_wide_pairs(POD_BF16, from, at + 1 < k ? from + k_bytes : NULL, rows - row);
            pod_half_words low = pod_kernel_wide_half(words, 0), high = pod_kernel_wide_half(words, 1);
            memcpy(to, &low, 4 * ROWS);
            if (rows - row > ROWS)
                memcpy(to + tile_bytes, &high, 4 * ROWS);
        }
    }
}

/* Packs rows of which multiply() could not read the last pair. */
static void pack_a_rows(char *packed, int64_t tile_bytes, const char *a, int64_t rows, int64_t k, int64_t row_bytes)
{
    for (; rows > 0; rows -= ROWS, packed += tile_bytes, a += ROWS * row_bytes)
        for (int64_t at = 0; at < k; at += 32) {
            pod_words16 words[16];
            pod_kernel_wide_pack_rows(POD_BF16, (char *)words, 64, a + at * 2, rows < ROWS ? rows : ROWS, k - at,
                                      row_bytes);
            for (int64_t i = 0; i < 16 && at + 2 * i < k; i++)
                memcpy(packed + (at / 2 + i) * 4 * ROWS, &words[i], 4 * ROWS);
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
            for (int64_t column = 0; column < width; column += LANES) {
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
        for (int64_t column = 0; column < width; column += LANES) {
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
    .tile_rows = ROWS,
    .panel_columns = VECTORS * LANES,
    .vector_columns = LANES,
    .word_columns = VECTORS * LANES,
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
    .multiply = multiply,
    .multiply_pieces = multiply_pieces,
};

POD_DOT_TABLE(pod_dot_bf16_avx512bf16, own, 32, 128, VECTORS *LANES, &own_family, 0);
