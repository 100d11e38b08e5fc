/* Products of bf16 by the instruction that adds two of them to each f32. It rounds as no other does: what is added and
 * not representable gets an odd last bit, and subnormal numbers are 0. */

#include "kernels/dot.h"

#include <arm_neon.h>

#include "base/float16.h"

#define POD_TILE_LANES        4
#define POD_TILE_ROWS         8
#define POD_TILE_VECTORS      2
#define POD_TILE_WORD         uint32_t
#define POD_TILE_UNIT         2
#define POD_TILE_FMA(a, b, c) vbfdotq_f32(c, vreinterpretq_bf16_u32(vdupq_n_u32(a)), vreinterpretq_bf16_f32(b))
#include "kernels/dot_tile.h"

/* dtype is a constant wherever this is inlined. */
TILE_INLINE uint32_t bf16_at(pod_dtype dtype, const char *source)
{
    uint16_t stored;
    float x;
    if (dtype == POD_BF16) {
        memcpy(&stored, source, sizeof stored);
        return stored;
    }
    memcpy(&x, source, sizeof x);
    return pod_bf16_from_f32(x);
}

/* Packs `lanes` lanes of k elements into [pair of k][width], zeros elsewhere. */
TILE_INLINE void pack_lanes(pod_dtype dtype, uint32_t *packed, int64_t width, const char *source, int64_t lanes,
                            int64_t k, int64_t lane_stride, int64_t k_stride)
{
    const int64_t bytes = dtype == POD_BF16 ? 2 : 4;
    for (int64_t at = 0; at < k; at += 2, packed += width, source += 2 * k_stride * bytes)
        for (int64_t lane = 0; lane < width; lane++) {
            const char *from = source + lane * lane_stride * bytes;
            packed[lane] = 0;
            if (lane < lanes)
                packed[lane] = bf16_at(dtype, from);
            if (lane < lanes && at + 1 < k)
                packed[lane] |= bf16_at(dtype, from + k_stride * bytes) << 16;
        }
}

static void pack_a(void *packed, int64_t tile_bytes, const void *a, int64_t rows, int64_t k, int64_t row_stride,
                   int64_t k_stride)
{
    const char *from = a;
    char *to = packed;
    for (; rows > 0; rows -= POD_TILE_ROWS, to += tile_bytes, from += POD_TILE_ROWS * row_stride * 2)
        pack_lanes(POD_BF16, (uint32_t *)(void *)to, POD_TILE_ROWS, from, rows, k, row_stride, k_stride);
}

static void pack_panel(void *packed, int64_t width, pod_dtype dtype, const void *b, int64_t columns, int64_t k,
                       int64_t k_stride, int64_t column_stride)
{
    if (dtype == POD_BF16)
        pack_lanes(POD_BF16, packed, width, b, columns, k, column_stride, k_stride);
    else
        pack_lanes(POD_F32, packed, width, b, columns, k, column_stride, k_stride);
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
    .multiply = pod_kernel_tile_multiply,
    .multiply_pieces = pod_kernel_tile_multiply_pieces,
};

POD_DOT_TABLE(pod_dot_bf16_neonbf16, own_family, 32, POD_TILE_ROWS, 128, POD_TILE_VECTORS *POD_TILE_LANES, 0);
