#include "kernels/kernel_costs.h"
#include "kernels/dot.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "kernels/split_bf16.h"
#include "kernels/tiles.h"
#include "kernels/unroll.h"

/*
 * f32 products by products of bf16 parts (split_bf16.h), which tiles compute many times faster than f32.
 *
 * Three parts of both operands and the six largest of nine products ("six passes") are more exact than a
 * sum of f32 products: what is left out is 2^-24 of a product, and the running sum is rounded six times
 * in 32 k instead of 32 times. Two parts and three products ("three passes") miss about 2^-17.
 *
 * Packed layouts, all tiles 16 rows of 64 bytes, contiguous along k in blocks of 32; in a block the parts one
 * after the other, largest first, and of each part
 *   a: two tiles, rows 0 to 15 and 16 to 31, each row 32 k
 *   b: two tiles (one in a last panel of 16 columns or fewer), columns 0 to 15 and 16 to 31, each row a
 *      pair of k for 16 columns
 * The passes of a block follow each other in one order, so the order of a sum depends on k alone.
 */
#define BLOCK_K    32
#define TILE_ROWS  32
#define TILE_BYTES 1024

/* ---- passes ------------------------------------------------------------------------------------------ */

/* The passes of a block of k, small products before large ones, and so that two passes that follow each
 * other share one operand, which is not loaded again: 14 loads for 24 products of tiles, or 8 for
 * 12. `parts` and `left` are constants wherever this is inlined. */
POD_WIDE_INLINE void add_block(int parts, bool left, const char *a, const char *b)
{
    const int64_t next_a = 2 * TILE_BYTES, next_b = left ? TILE_BYTES : 2 * TILE_BYTES;
    static const signed char paths[2][6][2] = {{{0, 1}, {0, 0}, {1, 0}}, /* of a and b */
                                               {{0, 2}, {0, 1}, {1, 1}, {1, 0}, {2, 0}, {0, 0}}};
    const int passes = parts == 3 ? 6 : 3;
    POD_UNROLL (6, int i = 0; i < passes; i++) {
        const signed char *now = paths[parts - 2][i], *before = i > 0 ? paths[parts - 2][i - 1] : NULL;
        if (before == NULL || now[0] != before[0])
            pod_kernel_tiles_take_a(a + now[0] * next_a);
        if (before == NULL || now[1] != before[1])
            pod_kernel_tiles_take_b(left, b + now[1] * next_b);
        pod_kernel_tiles_multiply_taken(left);
    }
}

/* Adds k elements; fetches the next panel of b a few lines at a time: all at once, the loads of tiles would
 * wait behind them. */
POD_WIDE_INLINE void add_blocks(int parts, bool left, const char *a, const char *b, int64_t k, const char *next,
                                int64_t next_bytes)
{
    const char *end = next + next_bytes;
    const int64_t lines = k > 0 ? (next_bytes * BLOCK_K / k + 63) / 64 : 0;
    for (int64_t at = 0; at < k; at += BLOCK_K) {
        for (int64_t i = 0; i < lines && next < end; i++, next += 64)
            __builtin_prefetch(next, 0, 2);
        add_block(parts, left, a, b);
        a += parts * 2 * TILE_BYTES;
        b += parts * (left ? 1 : 2) * TILE_BYTES;
    }
}

/* ---- what is not finite ------------------------------------------------------------------------------- */

static bool all_finite(const float *c, int64_t c_stride, int64_t rows, int64_t columns)
{
    pod_words16 odd = {0};
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j += 16) {
            pod_words16 words = pod_kernel_wide_load_words((const char *)(c + i * c_stride + j), 16) & 0x7fffffffu;
#if defined(__AVX512F__)
            odd = (pod_words16)_mm512_max_epu32((__m512i)odd, (__m512i)words);
        }
    return _mm512_cmpgt_epu32_mask((__m512i)odd, _mm512_set1_epi32(0x7f7fffff)) == 0;
#else
            odd |= (pod_words16)((pod_ints16)words > 0x7f7fffff);
        }
    uint32_t any = 0;
    for (int i = 0; i < 16; i++)
        any |= odd[i];
    return any == 0;
#endif
}

/* Adds a block of k in f32 to sums of TILE_ROWS rows of 32. */
static void add_joined(int parts, float *sums, const uint16_t *a, const uint16_t *b, int64_t rows, int64_t columns)
{
    float row[BLOCK_K][TILE_ROWS];
    const int64_t lanes = columns <= 16 ? 16 : 32, part = lanes * BLOCK_K;
    for (int64_t k = 0; k < BLOCK_K; k++)
        for (int64_t j = 0; j < lanes; j++)
            row[k][j] = pod_kernel_split_join(parts, b + j / 16 * 512 + k / 2 * 32 + j % 16 * 2 + k % 2, part);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = 0; k < BLOCK_K; k++) {
            const float value = pod_kernel_split_join(parts, a + i * BLOCK_K + k, TILE_ROWS * BLOCK_K);
            for (int64_t j = 0; j < lanes; j++)
                sums[i * 32 + j] = fmaf(value, row[k][j], sums[i * 32 + j]);
        }
}

/*
 * Gives the elements of a tile that are not finite the sums that f32 gives. The parts of an infinity, or of a
 * value whose product is hardly finite, may give NaN or infinity where f32 does not. `before`: the
 * tile as it was, [TILE_ROWS][32]; NULL: 0.
 */
static void mend(int parts, float *c, int64_t c_stride, const char *a, const char *b, int64_t k, int64_t rows,
                 int64_t columns, const float *before)
{
    float sums[TILE_ROWS * 32] = {0};
    if (before != NULL)
        memcpy(sums, before, sizeof sums);
    for (int64_t at = 0; at < k; at += BLOCK_K) {
        add_joined(parts, sums, (const uint16_t *)a, (const uint16_t *)b, rows, columns);
        a += parts * 2 * TILE_BYTES;
        b += parts * (columns <= 16 ? 1 : 2) * TILE_BYTES;
    }
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            if (!isfinite(c[i * c_stride + j]))
                c[i * c_stride + j] = sums[i * 32 + j];
}

/* ---- a tile ---------------------------------------------------------------------------------------------- */

static void copy_tile(float *to, const float *c, int64_t c_stride, int64_t width)
{
    for (int64_t i = 0; i < TILE_ROWS; i++)
        memcpy(to + i * 32, c + i * c_stride, (size_t)width * sizeof(float));
}

/* pod_dot_family.multiply */
POD_WIDE_INLINE void multiply(int parts, float *c, int64_t c_stride, const void *a, const void *b, int64_t k,
                              int64_t rows, int64_t columns, bool accumulate, const char *next, int64_t next_bytes)
{
    const int64_t stride = c_stride * (int64_t)sizeof(float);
    const bool left = columns <= 16;
    float before[TILE_ROWS * 32];
    if (accumulate)
        copy_tile(before, c, c_stride, left ? 16 : 32);
    if (!accumulate)
        pod_kernel_tiles_zero();
    else
        pod_kernel_tiles_load(left, c, stride);
    if (left)
        add_blocks(parts, true, a, b, k, next, next_bytes);
    else
        add_blocks(parts, false, a, b, k, next, next_bytes);
    pod_kernel_tiles_store(left, c, c + 16 * c_stride, stride);
    if (!all_finite(c, c_stride, rows, left ? 16 : 32))
        mend(parts, c, c_stride, a, b, k, rows, columns, accumulate ? before : NULL);
}

/* ---- packing ------------------------------------------------------------------------------------------- */

/*
 * 16 rows of a, or columns of b, make a tile: 16 lines of 64 bytes. Elements that are missing (beyond `lanes` or k)
 * become 0. The branches on whole tiles make for straight code.
 */

/* Stores line `line` of each part, or keeps it to be transposed. */
POD_WIDE_INLINE void put_line(int parts, bool turned, char *to, int64_t part_bytes, int64_t line,
                              const pod_words16 words[], char kept[][TILE_BYTES])
{
    for (int part = 0; part < parts; part++)
        memcpy((turned ? kept[part] : to + part * part_bytes) + line * 64, &words[part], 64);
}

/* Lanes are rows in memory. `whole`: none is missing. */
POD_WIDE_INLINE void take_along(int parts, pod_dtype dtype, bool whole, bool turned, char *to, int64_t part_bytes,
                                const char *from, int64_t lanes, int64_t k, int64_t lane_stride,
                                char kept[][TILE_BYTES])
{
    const int64_t size = dtype == POD_BF16 ? 2 : 4;
    for (int64_t lane = 0; lane < 16; lane++) {
        pod_words16 words[POD_SPLIT_MOST_PARTS];
        pod_kernel_split_along(dtype, parts, from + lane * lane_stride * size,
                               whole          ? BLOCK_K
                               : lane < lanes ? k
                                              : 0,
                               words);
        put_line(parts, turned, to, part_bytes, lane, words, kept);
    }
}

/* Lanes are neighbours in memory. */
POD_WIDE_INLINE void take_across(int parts, pod_dtype dtype, bool whole, bool turned, char *to, int64_t part_bytes,
                                 const char *from, int64_t lanes, int64_t k, int64_t k_stride, char kept[][TILE_BYTES])
{
    const int64_t row_bytes = k_stride * (dtype == POD_BF16 ? 2 : 4);
    for (int64_t pair = 0; pair < 16; pair++) {
        pod_words16 words[POD_SPLIT_MOST_PARTS];
        const char *at = from + pair * 2 * row_bytes, *next = at + row_bytes;
        pod_kernel_wide_fetch(at, row_bytes);
        pod_kernel_wide_fetch(next, row_bytes);
        if (whole)
            pod_kernel_split_across(dtype, parts, at, next, 16, words);
        else
            pod_kernel_split_across(dtype, parts, at, pair * 2 + 1 < k ? next : NULL, pair * 2 < k ? lanes : 0, words);
        put_line(parts, turned, to, part_bytes, pair, words, kept);
    }
}

/* Packs 16 lanes at 32 k. `lines_are_lanes`: as a wants it, else lines are pairs of k, as b does. */
POD_WIDE_INLINE void pack_lanes(int parts, pod_dtype dtype, bool lines_are_lanes, char *to, int64_t part_bytes,
                                const char *from, int64_t lanes, int64_t k, int64_t lane_stride, int64_t k_stride)
{
    char kept[POD_SPLIT_MOST_PARTS][TILE_BYTES] __attribute__((aligned(64)));
    const bool whole = lanes >= 16 && k >= BLOCK_K, along = k_stride == 1;
    const bool turned = lines_are_lanes != along;
    if (along && whole)
        take_along(parts, dtype, true, !lines_are_lanes, to, part_bytes, from, lanes, k, lane_stride, kept);
    else if (along)
        take_along(parts, dtype, false, !lines_are_lanes, to, part_bytes, from, lanes, k, lane_stride, kept);
    else if (whole)
        take_across(parts, dtype, true, lines_are_lanes, to, part_bytes, from, lanes, k, k_stride, kept);
    else
        take_across(parts, dtype, false, lines_are_lanes, to, part_bytes, from, lanes, k, k_stride, kept);
    for (int part = 0; part < parts && turned; part++)
        pod_kernel_wide_transpose_words(kept[part], 64, to + part * part_bytes, 64);
}

POD_WIDE_INLINE void pack_tile(int parts, char *packed, const char *a, int64_t rows, int64_t k, int64_t row_stride,
                               int64_t k_stride)
{
    for (int64_t at = 0; at < k; at += BLOCK_K, packed += parts * 2 * TILE_BYTES)
        for (int64_t row = 0; row < TILE_ROWS; row += 16)
            pack_lanes(parts, POD_F32, true, packed + row * 64, 2 * TILE_BYTES,
                       a + (row * row_stride + at * k_stride) * 4, rows - row, k - at, row_stride, k_stride);
}

/* pod_dot_family.pack_a */
POD_WIDE_INLINE void pack_a(int parts, char *packed, int64_t tile_bytes, const char *a, int64_t rows, int64_t k,
                            int64_t row_stride, int64_t k_stride)
{
    for (int64_t row = 0; row < rows; row += TILE_ROWS, packed += tile_bytes)
        pack_tile(parts, packed, a + row * row_stride * 4, rows - row, k, row_stride, k_stride);
}

/* pod_dot_family.pack_b */
POD_WIDE_INLINE void pack_panel(int parts, pod_dtype dtype, char *packed, int64_t width, const char *b, int64_t columns,
                                int64_t k, int64_t k_stride, int64_t column_stride)
{
    const int64_t size = dtype == POD_BF16 ? 2 : 4, part_bytes = width * BLOCK_K * 2;
    for (int64_t at = 0; at < k; at += BLOCK_K, packed += parts * part_bytes)
        for (int64_t column = 0; column < width; column += 16)
            pack_lanes(parts, dtype, false, packed + column / 16 * TILE_BYTES, part_bytes,
                       b + (at * k_stride + column * column_stride) * size, columns - column, k - at, column_stride,
                       k_stride);
}

/* ---- the families --------------------------------------------------------------------------------------- */

/* Defines, as `kernels`, products of operands in `parts` parts; `rows` of a are packed at once: together with a
 * panel of b and the next they fit the L2 cache. `time`: nanoseconds of a multiply-add, see kernel_costs.h. */
#define SPLIT_PRODUCTS(kernels, name, parts, rows, time)                                                               \
    static void name##_multiply(float *c, int64_t c_stride, const void *a, int64_t a_row_bytes, const void *b,         \
                                int64_t k, int64_t count, int64_t columns, bool accumulate, const pod_tile_end *end,   \
                                const char *next, int64_t next_bytes)                                                  \
    {                                                                                                                  \
        (void)a_row_bytes, (void)end;                                                                                  \
        multiply(parts, c, c_stride, a, b, k, count, columns, accumulate, next, next_bytes);                           \
    }                                                                                                                  \
                                                                                                                       \
    static void name##_pack_a(void *packed, int64_t tile_bytes, const void *a, int64_t count, int64_t k,               \
                              int64_t row_stride, int64_t k_stride)                                                    \
    {                                                                                                                  \
        pack_a(parts, packed, tile_bytes, a, count, k, row_stride, k_stride);                                          \
    }                                                                                                                  \
                                                                                                                       \
    static void name##_pack_panel(void *packed, int64_t width, pod_dtype dtype, const void *b, int64_t columns,        \
                                  int64_t k, int64_t k_stride, int64_t column_stride)                                  \
    {                                                                                                                  \
        if (dtype == POD_BF16)                                                                                         \
            pack_panel(parts, POD_BF16, packed, width, b, columns, k, k_stride, column_stride);                        \
        else                                                                                                           \
            pack_panel(parts, POD_F32, packed, width, b, columns, k, k_stride, column_stride);                         \
    }                                                                                                                  \
                                                                                                                       \
    static const pod_dot_family name##_family = {                                                                      \
        .tile_rows = TILE_ROWS,                                                                                        \
        .panel_columns = 32,                                                                                           \
        .vector_columns = 16,                                                                                          \
        .k_unit = BLOCK_K,                                                                                             \
        .packed_bytes = (parts)*2,                                                                                     \
        .a_bytes = 4,                                                                                                  \
        .row_block = rows,                                                                                             \
        .k_chunk = 1024,                                                                                               \
        .k_block = 1024,                                                                                               \
        .column_group = 128,                                                                                           \
        .pack_a = name##_pack_a,                                                                                       \
        .pack_b = name##_pack_panel,                                                                                   \
        .stream = pod_kernel_wide_stream,                                                                              \
        .multiply = name##_multiply,                                                                                   \
        .begin = pod_kernel_tiles_begin,                                                                               \
        .end = pod_kernel_tiles_end,                                                                                   \
    };                                                                                                                 \
                                                                                                                       \
    POD_DOT_TABLE(kernels, name##_family, TILE_ROWS, 0, rows, 32, time)

SPLIT_PRODUCTS(pod_dot_f32_six_amx, six, 3, 128, POD_COST_F32_SIX_AMX);
SPLIT_PRODUCTS(pod_dot_f32_three_amx, three, 2, 256, POD_COST_F32_THREE_AMX);
