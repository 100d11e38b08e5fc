#include "kernels/dot.h"

#include <immintrin.h>

#define POD_TILE_LANES        8
#define POD_TILE_ROWS         4
#define POD_TILE_VECTORS      3
#define POD_TILE_FMA(a, b, c) _mm256_fmadd_ps(_mm256_set1_ps(a), b, c)
#include "kernels/dot_f32_tile.h"

static const pod_dot_family f32_family = {
    .tile_rows = POD_TILE_ROWS,
    .panel_columns = POD_TILE_LANES * POD_TILE_VECTORS,
    .vector_columns = POD_TILE_LANES,
    .k_unit = 1,
    .packed_bytes = 4,
    .a_bytes = 4,
    .row_block = 96,
    .k_chunk = 768,
    .k_block = 256,
    .column_group = 480,
    .pack_a = pod_tile_pack_a_f32,
    .pack_b = pod_tile_pack_b_f32,
    .multiply = pod_tile_family_multiply,
};

static size_t f32_packed_b_bytes(int64_t k, int64_t n)
{
    return pod_dot_packed_b_bytes(&f32_family, k, n);
}

static void f32_pack_b(void *packed, pod_dtype dtype, const void *b, int64_t k, int64_t n,
                       int64_t k_stride, int64_t column_stride, int64_t panel_begin,
                       int64_t panel_end)
{
    pod_dot_pack_b(&f32_family, packed, dtype, b, k, n, k_stride, column_stride, panel_begin,
                   panel_end);
}

static size_t f32_scratch_bytes(const pod_dot_call *call)
{
    return pod_dot_scratch_bytes(&f32_family, call);
}

static void f32_run(const pod_dot_call *call, int64_t row_begin, int64_t row_end,
                    int64_t column_begin, int64_t column_end, void *scratch)
{
    pod_dot_drive(&f32_family, call, row_begin, row_end, column_begin, column_end, scratch);
}

const pod_dot_kernels pod_dot_f32_avx2 = {
    .row_granularity = 32,
    .row_block = 96,
    .packed_b_bytes = f32_packed_b_bytes,
    .panel_columns = POD_TILE_LANES * POD_TILE_VECTORS,
    .pack_b = f32_pack_b,
    .scratch_bytes = f32_scratch_bytes,
    .run = f32_run,
};

/* bf16 products: operands are widened when they are packed. */
static const pod_dot_family bf16_family = {
    .tile_rows = POD_TILE_ROWS,
    .panel_columns = POD_TILE_LANES * POD_TILE_VECTORS,
    .vector_columns = POD_TILE_LANES,
    .k_unit = 1,
    .packed_bytes = 4,
    .a_bytes = 2,
    .row_block = 96,
    .k_chunk = 768,
    .k_block = 256,
    .column_group = 480,
    .pack_a = pod_tile_pack_a_bf16,
    .pack_b = pod_tile_pack_b_bf16,
    .multiply = pod_tile_family_multiply,
};

static size_t bf16_packed_b_bytes(int64_t k, int64_t n)
{
    return pod_dot_packed_b_bytes(&bf16_family, k, n);
}

static void bf16_pack_b(void *packed, pod_dtype dtype, const void *b, int64_t k, int64_t n,
                        int64_t k_stride, int64_t column_stride, int64_t panel_begin,
                        int64_t panel_end)
{
    pod_dot_pack_b(&bf16_family, packed, dtype, b, k, n, k_stride, column_stride, panel_begin,
                   panel_end);
}

static size_t bf16_scratch_bytes(const pod_dot_call *call)
{
    return pod_dot_scratch_bytes(&bf16_family, call);
}

static void bf16_run(const pod_dot_call *call, int64_t row_begin, int64_t row_end,
                     int64_t column_begin, int64_t column_end, void *scratch)
{
    pod_dot_drive(&bf16_family, call, row_begin, row_end, column_begin, column_end, scratch);
}

const pod_dot_kernels pod_dot_bf16_avx2 = {
    .row_granularity = 32,
    .row_block = 96,
    .packed_b_bytes = bf16_packed_b_bytes,
    .panel_columns = POD_TILE_LANES * POD_TILE_VECTORS,
    .pack_b = bf16_pack_b,
    .scratch_bytes = bf16_scratch_bytes,
    .run = bf16_run,
};
