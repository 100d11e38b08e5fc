#include "kernels/dot.h"
#include "kernels/dot_pack.h"

#include <immintrin.h>

/* 24 accumulators, three vectors of b and one of a fill 28 of 32 registers, and 11 loads feed 24
 * multiplications. */
#define ROWS    8
#define VECTORS 3
#define LANES   16

/* rows and vectors are constants wherever this is inlined; k counts pairs. */
POD_PACK_INLINE void multiply_tile(int rows, int vectors, float *c, int64_t c_stride,
                                   const uint32_t *a, const uint32_t *b, int64_t k,
                                   bool accumulate)
{
    __m512 sums[ROWS][VECTORS];
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 4
        for (int j = 0; j < vectors; j++)
            sums[i][j] = accumulate ? _mm512_loadu_ps(c + i * c_stride + j * LANES)
                                    : _mm512_setzero_ps();
    for (int64_t at = 0; at < k; at++) {
        __m512i row[VECTORS];
#pragma GCC unroll 4
        for (int j = 0; j < vectors; j++)
            row[j] = _mm512_loadu_si512(b + j * LANES);
#pragma GCC unroll 8
        for (int i = 0; i < rows; i++) {
            __m512i pair = _mm512_set1_epi32((int)a[i]);
#pragma GCC unroll 4
            for (int j = 0; j < vectors; j++)
                sums[i][j] = _mm512_dpbf16_ps(sums[i][j], (__m512bh)pair, (__m512bh)row[j]);
        }
        a += ROWS;
        b += vectors * LANES;
    }
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 4
        for (int j = 0; j < vectors; j++)
            _mm512_storeu_ps(c + i * c_stride + j * LANES, sums[i][j]);
}

POD_PACK_INLINE void multiply_rows(int vectors, float *c, int64_t c_stride, const uint32_t *a,
                                   const uint32_t *b, int64_t k, int64_t rows, bool accumulate)
{
    if (rows > ROWS / 2)
        multiply_tile(ROWS, vectors, c, c_stride, a, b, k, accumulate);
    else if (rows > 1)
        multiply_tile(ROWS / 2, vectors, c, c_stride, a, b, k, accumulate);
    else
        multiply_tile(1, vectors, c, c_stride, a, b, k, accumulate);
}

static void multiply(float *c, int64_t c_stride, const void *a, const void *b, int64_t k,
                     int64_t rows, int64_t columns, bool accumulate, const char *next,
                     int64_t next_bytes)
{
    for (int64_t at = 0; at < next_bytes; at += 64)
        __builtin_prefetch(next + at, 0, 2);
    if (columns <= LANES)
        multiply_rows(1, c, c_stride, a, b, k / 2, rows, accumulate);
    else if (columns <= 2 * LANES)
        multiply_rows(2, c, c_stride, a, b, k / 2, rows, accumulate);
    else
        multiply_rows(VECTORS, c, c_stride, a, b, k / 2, rows, accumulate);
}

static void pack_a(void *packed, const void *a, int64_t rows, int64_t k, int64_t row_stride,
                   int64_t k_stride)
{
    pod_pack_strip(POD_PACK_BF16_TO_PAIR, packed, ROWS, a, rows, k, (k + 1) / 2, row_stride,
                   k_stride);
}

static void pack_panel(void *packed, int64_t width, pod_dtype dtype, const void *b,
                       int64_t columns, int64_t k, int64_t k_stride, int64_t column_stride)
{
    if (dtype == POD_BF16)
        pod_pack_strip(POD_PACK_BF16_TO_PAIR, packed, width, b, columns, k, (k + 1) / 2,
                       column_stride, k_stride);
    else
        pod_pack_strip(POD_PACK_F32_TO_PAIR, packed, width, b, columns, k, (k + 1) / 2,
                       column_stride, k_stride);
}

static const pod_dot_family family = {
    .tile_rows = ROWS,
    .panel_columns = VECTORS * LANES,
    .vector_columns = LANES,
    .k_unit = 2,
    .packed_bytes = 2,
    .a_bytes = 2,
    .row_block = 128,
    .k_chunk = 1536,
    .k_block = 384,
    .column_group = 480,
    .pack_a = pack_a,
    .pack_b = pack_panel,
    .multiply = multiply,
};

static size_t packed_b_bytes(int64_t k, int64_t n)
{
    return pod_dot_packed_b_bytes(&family, k, n);
}

static void pack_b(void *packed, pod_dtype dtype, const void *b, int64_t k, int64_t n,
                   int64_t k_stride, int64_t column_stride, int64_t panel_begin, int64_t panel_end)
{
    pod_dot_pack_b(&family, packed, dtype, b, k, n, k_stride, column_stride, panel_begin,
                   panel_end);
}

static size_t scratch_bytes(const pod_dot_call *call)
{
    return pod_dot_scratch_bytes(&family, call);
}

static void run(const pod_dot_call *call, int64_t row_begin, int64_t row_end, int64_t column_begin,
                int64_t column_end, void *scratch)
{
    pod_dot_drive(&family, call, row_begin, row_end, column_begin, column_end, scratch);
}

const pod_dot_kernels pod_dot_bf16_avx512bf16 = {
    .row_granularity = 32,
    .row_block = 128,
    .packed_b_bytes = packed_b_bytes,
    .panel_columns = VECTORS * LANES,
    .pack_b = pack_b,
    .scratch_bytes = scratch_bytes,
    .run = run,
};
