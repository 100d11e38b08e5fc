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

static size_t f32_scratch_bytes(const pod_dot_kernels *kernels, const pod_dot_call *call)
{
    return pod_kernel_openblas_found() ? pod_kernel_openblas_scratch_bytes(kernels, call)
                                       : pod_kernel_dot_scratch_bytes(kernels, call);
}

static void f32_run(const pod_dot_kernels *kernels, const pod_dot_call *call, int64_t row_begin, int64_t row_end,
                    int64_t column_begin, int64_t column_end, void *scratch)
{
    if (pod_kernel_openblas_found())
        pod_kernel_openblas_run(kernels, call, row_begin, row_end, column_begin, column_end, scratch);
    else
        pod_kernel_dot_drive(kernels, call, row_begin, row_end, column_begin, column_end, scratch);
}

const pod_dot_kernels pod_dot_f32_portable = {
    .row_granularity = PIECE_ROWS,
    .row_block = 128,
    .pass_rows = POD_PASS_ROWS,
    .panel_columns = PIECE_COLUMNS,
    .family = &f32_family,
    .reads_plain = pod_kernel_openblas_found,
    .scratch_bytes = f32_scratch_bytes,
    .run = f32_run,
};

/* bf16 products: operands are widened when they are packed. */
POD_TILE_PRODUCTS(pod_dot_bf16_portable, bf16, 2);
