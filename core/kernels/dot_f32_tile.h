#ifndef POD_KERNELS_DOT_F32_TILE_H
#define POD_KERNELS_DOT_F32_TILE_H

/*
 * dot_f32_tile - the inner kernel of products whose packed operands are f32, over vectors of the
 * including family's width. A family's file defines, before including it once,
 *
 *     POD_TILE_LANES     f32 in a vector
 *     POD_TILE_ROWS      4 or 8
 *     POD_TILE_VECTORS   vectors of a panel: 2 or 3
 *     POD_TILE_FMA(a, b, c)   a * b + c where a is a float, b and c are pod_tile_vector
 *     POD_TILE_ROW_BLOCK, POD_TILE_K_CHUNK, POD_TILE_K_BLOCK, POD_TILE_COLUMN_GROUP   as in pod_dot_family
 *
 * Accumulators, the vectors of b and one of a have to fit the registers.
 */

#include "base/sizes.h"
#include "kernels/dot_pack.h"

typedef float pod_tile_vector __attribute__((vector_size(POD_TILE_LANES * 4)));

/* Where a tile's rows lie: `step` floats from one k to the next in each of `count` runs; runs NULL: in one. */
typedef struct pod_tile_lanes {
    const float *rows[POD_TILE_ROWS];
    int64_t step, count;
    const int64_t *runs;
} pod_tile_lanes;

/* tile and vectors are constants wherever this is inlined; k is that of a run. */
POD_PACK_INLINE void pod_kernel_tile_multiply(int tile, int vectors, float *c, int64_t c_stride,
                                              const pod_tile_lanes *a, const float *b, int64_t k, bool accumulate)
{
    pod_tile_vector sums[POD_TILE_ROWS][POD_TILE_VECTORS];
#pragma GCC unroll 8
    for (int i = 0; i < tile; i++)
#pragma GCC unroll 4
        for (int j = 0; j < vectors; j++) {
            sums[i][j] = (pod_tile_vector){0};
            if (accumulate)
                memcpy(&sums[i][j], c + i * c_stride + j * POD_TILE_LANES, sizeof(pod_tile_vector));
        }
    for (int64_t run = 0; run < (a->runs ? a->count : 1); run++) {
        const float *rows[POD_TILE_ROWS];
#pragma GCC unroll 8
        for (int i = 0; i < tile; i++)
            rows[i] = a->rows[i] + (a->runs ? a->runs[run] : 0);
        for (int64_t at = 0; at < k; at++) {
            pod_tile_vector row[POD_TILE_VECTORS];
#pragma GCC unroll 4
            for (int j = 0; j < vectors; j++)
                memcpy(&row[j], b + j * POD_TILE_LANES, sizeof(pod_tile_vector));
#pragma GCC unroll 8
            for (int i = 0; i < tile; i++)
#pragma GCC unroll 4
                for (int j = 0; j < vectors; j++)
                    sums[i][j] = POD_TILE_FMA(rows[i][at * a->step], row[j], sums[i][j]);
            b += vectors * POD_TILE_LANES;
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < tile; i++)
#pragma GCC unroll 4
        for (int j = 0; j < vectors; j++)
            memcpy(c + i * c_stride + j * POD_TILE_LANES, &sums[i][j], sizeof(pod_tile_vector));
}

/* Rows that are not there are computed, too, and do not count. */
POD_PACK_INLINE void pod_kernel_tile_rows(int vectors, float *c, int64_t c_stride, const pod_tile_lanes *a,
                                          const float *b, int64_t k, int64_t rows, bool accumulate)
{
    if (rows > POD_TILE_ROWS / 2)
        pod_kernel_tile_multiply(POD_TILE_ROWS, vectors, c, c_stride, a, b, k, accumulate);
    else if (rows > 1)
        pod_kernel_tile_multiply(POD_TILE_ROWS / 2, vectors, c, c_stride, a, b, k, accumulate);
    else
        pod_kernel_tile_multiply(1, vectors, c, c_stride, a, b, k, accumulate);
}

POD_PACK_INLINE void pod_kernel_tile_vectors(float *c, int64_t c_stride, const pod_tile_lanes *a, const float *b,
                                             int64_t k, int64_t rows, int64_t columns, bool accumulate)
{
    int64_t vectors = pod_part_count(columns, POD_TILE_LANES);
    if (vectors == 1)
        pod_kernel_tile_rows(1, c, c_stride, a, b, k, rows, accumulate);
    else if (vectors == 2)
        pod_kernel_tile_rows(2, c, c_stride, a, b, k, rows, accumulate);
    else
        pod_kernel_tile_rows(POD_TILE_VECTORS, c, c_stride, a, b, k, rows, accumulate);
}

static void pod_kernel_tile_family_multiply(float *c, int64_t c_stride, const void *a, int64_t a_row_bytes,
                                            const void *b, int64_t k, int64_t rows, int64_t columns, bool accumulate,
                                            const char *next, int64_t next_bytes)
{
    for (int64_t at = 0; at < next_bytes; at += 64)
        __builtin_prefetch(next + at, 0, 2);
    pod_tile_lanes at = {.step = 1};
    if (a_row_bytes) {
#pragma GCC unroll 8
        for (int i = 0; i < POD_TILE_ROWS; i++)
            at.rows[i] = (const float *)a + (i < rows ? i : rows - 1) * (a_row_bytes / 4);
        pod_kernel_tile_vectors(c, c_stride, &at, b, k, rows, columns, accumulate);
        return;
    }
    at.step = POD_TILE_ROWS;
#pragma GCC unroll 8
    for (int i = 0; i < POD_TILE_ROWS; i++)
        at.rows[i] = (const float *)a + i;
    pod_kernel_tile_vectors(c, c_stride, &at, b, k, rows, columns, accumulate);
}

/* pod_dot_family.multiply_pieces */
static void pod_kernel_tile_family_multiply_pieces(float *c, int64_t c_stride, const char *const *rows,
                                                   const int64_t *runs, int64_t count, const void *b, int64_t k,
                                                   int64_t row_count, int64_t columns, bool accumulate)
{
    pod_tile_lanes at = {.step = 1, .count = count, .runs = runs};
    for (int i = 0; i < POD_TILE_ROWS; i++)
        at.rows[i] = (const float *)rows[i];
    pod_kernel_tile_vectors(c, c_stride, &at, b, k, row_count, columns, accumulate);
}

/* pod_dot_family.pack_a */
POD_PACK_INLINE void pod_kernel_tile_pack_a(pod_pack_kind kind, char *packed, int64_t tile_bytes, const char *a,
                                            int64_t rows, int64_t k, int64_t row_stride, int64_t k_stride)
{
    int64_t bytes = pod_kernel_pack_bytes(kind), tile_step = POD_TILE_ROWS * row_stride * bytes;
    if (k_stride != 1 && rows % POD_TILE_ROWS == 0) { /* along the rows of memory, for all tiles */
        for (int64_t at = 0; at < k; at++, packed += 4 * POD_TILE_ROWS, a += k_stride * bytes)
            for (int64_t row = 0; row < rows; row += POD_TILE_ROWS) {
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
        .multiply = pod_kernel_tile_family_multiply,                                                                   \
        .multiply_pieces = pod_kernel_tile_family_multiply_pieces,                                                     \
    }

/* Defines the family and, as `kernels`, the products that it computes alone. */
#define POD_TILE_PRODUCTS(kernels, name, size)                                                                         \
    POD_TILE_FAMILY(name, size);                                                                                       \
                                                                                                                       \
    POD_DOT_TABLE(kernels, name, 32, POD_TILE_ROW_BLOCK, POD_TILE_LANES *POD_TILE_VECTORS, &name##_family, 0)

#endif
