#ifndef POD_KERNELS_DOT_F32_TILE_H
#define POD_KERNELS_DOT_F32_TILE_H

/*
 * dot_f32_tile - products whose packed operands are f32. A family's file defines, before including it once, what
 * dot_tile.h says, but for words, and
 *
 *     POD_TILE_ROW_BLOCK, POD_TILE_K_CHUNK, POD_TILE_K_BLOCK, POD_TILE_COLUMN_GROUP   as in pod_dot_family
 */

#include "kernels/dot_pack.h"
#include "kernels/finish_sums.h"

#define POD_TILE_WORD float
#define POD_TILE_UNIT 1
#define POD_TILE_STORE(end, j, sums, tile, rows)                                                                       \
    store_sums((end)->finish, (end)->row, (end)->column + (j), sums, tile, rows)
#define POD_TILE_FETCH(end, i, j)                                                                                      \
    __builtin_prefetch(                                                                                                \
        (const float *)(end)->finish->to + ((end)->row + (i)) * (end)->finish->stride + (end)->column + (j), 1)
#include "kernels/dot_tile.h"

/* Columns of a that are asked for before they are packed: each lies on pages of its own. */
#define POD_TILE_COLUMNS_AHEAD 16

/* pod_dot_family.pack_a */
POD_PACK_INLINE void pod_kernel_tile_pack_a(pod_pack_kind kind, char *packed, int64_t tile_bytes, const char *a,
                                            int64_t rows, int64_t k, int64_t row_stride, int64_t k_stride)
{
    int64_t bytes = pod_kernel_pack_bytes(kind), tile_step = POD_TILE_ROWS * row_stride * bytes;
    if (k_stride != 1 && rows % POD_TILE_ROWS == 0) { /* along the rows of memory, for all tiles */
        for (int64_t at = 0; at < k; at++, packed += 4 * POD_TILE_ROWS, a += k_stride * bytes)
            for (int64_t row = 0; row < rows; row += POD_TILE_ROWS) {
                __builtin_prefetch(a + POD_TILE_COLUMNS_AHEAD * k_stride * bytes + row * bytes);
                pod_words8 lanes = pod_kernel_pack_words(kind, a + row * bytes, POD_TILE_ROWS);
                memcpy(packed + row / POD_TILE_ROWS * tile_bytes, &lanes, 4 * POD_TILE_ROWS);
            }
        return;
    }
    for (; rows > 0; rows -= POD_TILE_ROWS, packed += tile_bytes, a += tile_step)
        pod_kernel_pack_panel(kind, packed, POD_TILE_ROWS, a, rows < POD_TILE_ROWS ? rows : POD_TILE_ROWS, k,
                              row_stride, k_stride);
}

static void pod_kernel_tile_pack_a_f32(void *packed, int64_t tile_bytes, const void *a, int64_t rows, int64_t k,
                                       int64_t row_stride, int64_t k_stride)
{
    pod_kernel_tile_pack_a(POD_PACK_F32_TO_F32, packed, tile_bytes, a, rows, k, row_stride, k_stride);
}

static void pod_kernel_tile_pack_a_bf16(void *packed, int64_t tile_bytes, const void *a, int64_t rows, int64_t k,
                                        int64_t row_stride, int64_t k_stride)
{
    pod_kernel_tile_pack_a(POD_PACK_BF16_TO_F32, packed, tile_bytes, a, rows, k, row_stride, k_stride);
}

/* pod_dot_family.pack_b of a bf16 product that is computed in f32. */
static void pod_kernel_tile_pack_b_bf16(void *packed, int64_t width, pod_dtype dtype, const void *b, int64_t columns,
                                        int64_t k, int64_t k_stride, int64_t column_stride)
{
    if (dtype == POD_BF16)
        pod_kernel_pack_panel(POD_PACK_BF16_TO_F32, packed, width, b, columns, k, column_stride, k_stride);
    else
        pod_kernel_pack_panel(POD_PACK_ROUND_TO_F32, packed, width, b, columns, k, column_stride, k_stride);
}

/* pod_dot_family.pack_b of an f32 product; b may be stored as bf16. */
static void pod_kernel_tile_pack_b_f32(void *packed, int64_t width, pod_dtype dtype, const void *b, int64_t columns,
                                       int64_t k, int64_t k_stride, int64_t column_stride)
{
    if (dtype == POD_BF16)
        pod_kernel_pack_panel(POD_PACK_BF16_TO_F32, packed, width, b, columns, k, column_stride, k_stride);
    else
        pod_kernel_pack_panel(POD_PACK_F32_TO_F32, packed, width, b, columns, k, column_stride, k_stride);
}

/* Defines the static pod_dot_family <name>_family, whose operand a has elements of `size` bytes. */
#define POD_TILE_FAMILY(name, size)                                                                                    \
    static const pod_dot_family name##_family = {                                                                      \
        .tile_rows = POD_TILE_ROWS,                                                                                    \
        .panel_columns = POD_TILE_LANES * POD_TILE_VECTORS,                                                            \
        .vector_columns = POD_TILE_LANES,                                                                              \
        .word_columns = POD_TILE_LANES * POD_TILE_VECTORS,                                                             \
        .k_unit = 1,                                                                                                   \
        .packed_bytes = 4,                                                                                             \
        .a_bytes = size,                                                                                               \
        .reads_rows = size == 4,                                                                                       \
        .piece_unit = 1,                                                                                               \
        .row_block = POD_TILE_ROW_BLOCK,                                                                               \
        .k_chunk = POD_TILE_K_CHUNK,                                                                                   \
        .k_block = POD_TILE_K_BLOCK,                                                                                   \
        .column_group = POD_TILE_COLUMN_GROUP,                                                                         \
        .pack_a = pod_kernel_tile_pack_a_##name,                                                                       \
        .pack_b = pod_kernel_tile_pack_b_##name,                                                                       \
        .multiply = pod_kernel_tile_multiply,                                                                          \
        .multiply_pieces = pod_kernel_tile_multiply_pieces,                                                            \
        .finishes = true,                                                                                              \
    }

/* Defines the family and, as `kernels`, the products that it computes alone. */
#define POD_TILE_PRODUCTS(kernels, name, size)                                                                         \
    POD_TILE_FAMILY(name, size);                                                                                       \
                                                                                                                       \
    POD_DOT_TABLE(kernels, name##_family, 32, POD_TILE_ROWS, POD_TILE_ROW_BLOCK, POD_TILE_LANES *POD_TILE_VECTORS, 0)

#endif
