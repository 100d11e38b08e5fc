#include "kernels/dot.h"
#include "kernels/openblas.h"

/* Four floats are a vector on every machine that has any; elsewhere the compiler takes them apart.
 */
#define POD_TILE_LANES        4
#define POD_TILE_ROWS         4
#define POD_TILE_VECTORS      2
#define POD_TILE_FMA(a, b, c) ((a) * (b) + (c))
#define POD_TILE_ROW_BLOCK    64
#define POD_TILE_K_CHUNK      1024
#define POD_TILE_K_BLOCK      256
#define POD_TILE_COLUMN_GROUP 512
#include "kernels/dot_f32_tile.h"

/* What OpenBLAS computes in one call; our own kernels, standing in for it, are cut alike. */
#define PIECE_ROWS    128
#define PIECE_COLUMNS 1024

POD_TILE_FAMILY(f32, 4);

/* Returns whether OpenBLAS computes this product. */
static bool is_openblas(void)
{
    return pod_kernel_openblas_found();
}

static size_t f32_packed_b_bytes(int64_t k, int64_t n)
{
    return is_openblas() ? 0 : pod_kernel_dot_packed_b_bytes(&f32_family, k, n);
}

static void f32_pack_b(void *packed, pod_dtype dtype, const void *b, int64_t k, int64_t n, int64_t k_stride,
                       int64_t column_stride, int64_t panel_begin, int64_t panel_end)
{
    const int64_t panels = PIECE_COLUMNS / (POD_TILE_LANES * POD_TILE_VECTORS);
    pod_kernel_dot_pack_b(&f32_family, packed, dtype, b, k, n, k_stride, column_stride, panel_begin * panels,
                          panel_end * panels);
}

static size_t f32_scratch_bytes(const pod_dot_call *call)
{
    return is_openblas() ? pod_kernel_openblas_scratch_bytes(&pod_dot_f32_portable, call)
                         : pod_kernel_dot_scratch_bytes(&f32_family, call);
}

static void f32_run(const pod_dot_call *call, int64_t row_begin, int64_t row_end, int64_t column_begin,
                    int64_t column_end, void *scratch)
{
    if (is_openblas())
        pod_kernel_openblas_run(&pod_dot_f32_portable, call, row_begin, row_end, column_begin, column_end, scratch);
    else
        pod_kernel_dot_drive(&f32_family, call, row_begin, row_end, column_begin, column_end, scratch);
}

const pod_dot_kernels pod_dot_f32_portable = {
    .row_granularity = PIECE_ROWS,
    .row_block = 128,
    .pass_rows = POD_PASS_ROWS,
    .packed_b_bytes = f32_packed_b_bytes,
    .panel_columns = PIECE_COLUMNS,
    .pack_b = f32_pack_b,
    .family = &f32_family,
    .scratch_bytes = f32_scratch_bytes,
    .run = f32_run,
};

/* bf16 products: operands are widened when they are packed. */
POD_TILE_PRODUCTS(pod_dot_bf16_portable, bf16, 2);
