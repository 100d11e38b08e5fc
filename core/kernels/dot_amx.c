#include "kernels/dot.h"
#include "kernels/dot_pack.h"
#include "kernels/tiles.h"

/*
 * Packed layouts, all tiles 16 rows of 64 bytes, contiguous along k in blocks of 32:
 *   a: blocks of two tiles, rows 0 to 15 and 16 to 31, each row 32 k
 *   b: blocks of two tiles (one in a last panel of 16 columns or fewer), columns 0 to 15 and 16 to 31, each
 *      row a pair of k for 16 columns
 * An instruction sums a block of k in even and odd chains of its own, then adds both to the sum: the
 * order of a sum depends on k alone.
 */
#define BLOCK_K    32
#define TILE_ROWS  32
#define TILE_BYTES 1024

/* A block of k of a fits L1 together with b up to this; beyond it operands stream from L2. */
#define NEAR_K 256

static void multiply_left(float *c, int64_t c_stride, const char *a, const char *b, int64_t k,
                          bool accumulate)
{
    pod_tiles_zero();
    if (accumulate)
        pod_tiles_load_left(c, c_stride * (int64_t)sizeof(float));
    for (int64_t at = 0; at < k; at += BLOCK_K, a += 2 * TILE_BYTES, b += TILE_BYTES)
        pod_tiles_multiply_left(a, b);
    pod_tiles_store_left(c, c_stride * (int64_t)sizeof(float));
}

/* pod_dot_family.multiply. The next panel of b is fetched a few lines at a time: all at once, the loads
 * of tiles would wait behind them. */
static void multiply(float *c, int64_t c_stride, const void *a_packed, const void *b_packed,
                     int64_t k, int64_t rows, int64_t columns, bool accumulate, const char *next,
                     int64_t next_bytes)
{
    const char *a = a_packed, *b = b_packed, *end = next + next_bytes;
    int64_t lines = k > 0 ? (next_bytes * BLOCK_K / k + 63) / 64 : 0;
    (void)rows;
    if (columns <= 16) {
        multiply_left(c, c_stride, a, b, k, accumulate);
        return;
    }
    if (accumulate)
        pod_tiles_load(c, c_stride * (int64_t)sizeof(float));
    else
        pod_tiles_zero();
    for (int64_t at = 0; at < k; at += BLOCK_K, a += 2 * TILE_BYTES, b += 2 * TILE_BYTES) {
        for (int64_t i = 0; i < lines && next < end; i++, next += 64)
            __builtin_prefetch(next, 0, 2);
        if (k > NEAR_K)
            pod_tiles_multiply_far(a, b);
        else
            pod_tiles_multiply(a, b);
    }
    pod_tiles_store(c, c_stride * (int64_t)sizeof(float));
}

/* Copies rows of a that are rows in memory: a row of a tile is 64 bytes of it. */
static void pack_a_rows(char *packed, const char *a, int64_t rows, int64_t k, int64_t row_stride)
{
    for (int64_t at = 0; at < k; at += BLOCK_K, packed += 2 * TILE_BYTES) {
        int64_t bytes = k - at < BLOCK_K ? (k - at) * 2 : 64;
        for (int64_t row = 0; row < TILE_ROWS; row++) {
            char *to = packed + row * 64;
            if (row < rows && bytes == 64) {
                memcpy(to, a + (row * row_stride + at) * 2, 64);
            } else {
                memset(to, 0, 64);
                if (row < rows)
                    memcpy(to, a + (row * row_stride + at) * 2, (size_t)bytes);
            }
        }
    }
}

/* Packs rows of a that are columns in memory: 8 rows x 8 pairs of k at a time, transposed. */
static void pack_a_columns(char *packed, const char *a, int64_t rows, int64_t k, int64_t k_stride)
{
    for (int64_t at = 0; at < k; at += BLOCK_K, packed += 2 * TILE_BYTES)
        for (int64_t pair = 0; pair < BLOCK_K / 2; pair += 8)
            for (int64_t row = 0; row < TILE_ROWS; row += 8) {
                pod_words8 words[8];
                for (int i = 0; i < 8; i++) {
                    int64_t here = at + (pair + i) * 2;
                    const char *from = a + (here * k_stride + row) * 2;
                    const char *next = here + 1 < k ? from + k_stride * 2 : NULL;
                    words[i] = (pod_words8){0};
                    if (here < k && rows - row >= 8)
                        words[i] = pod_pack_across(POD_PACK_BF16_TO_PAIR, from, next, 8);
                    else if (here < k && rows > row)
                        words[i] = pod_pack_across(POD_PACK_BF16_TO_PAIR, from, next, rows - row);
                }
                pod_pack_transpose(words);
                for (int i = 0; i < 8; i++)
                    memcpy(packed + (row + i) * 64 + pair * 4, &words[i], 32);
            }
}

static void pack_a(void *packed, const void *a, int64_t rows, int64_t k, int64_t row_stride,
                   int64_t k_stride)
{
    if (k_stride == 1)
        pack_a_rows(packed, a, rows, k, row_stride);
    else
        pack_a_columns(packed, a, rows, k, k_stride);
}

static void pack_panel(void *packed, int64_t width, pod_dtype dtype, const void *b,
                       int64_t columns, int64_t k, int64_t k_stride, int64_t column_stride)
{
    int64_t bytes = dtype == POD_BF16 ? 2 : 4;
    char *to = packed;
    for (int64_t at = 0; at < k; at += BLOCK_K)
        for (int64_t column = 0; column < width; column += 16, to += TILE_BYTES) {
            const char *from = (const char *)b + (at * k_stride + column * column_stride) * bytes;
            if (dtype == POD_BF16)
                pod_pack_strip(POD_PACK_BF16_TO_PAIR, to, 16, from, columns - column, k - at, 16,
                               column_stride, k_stride);
            else
                pod_pack_strip(POD_PACK_F32_TO_PAIR, to, 16, from, columns - column, k - at, 16,
                               column_stride, k_stride);
        }
}

static void begin(void)
{
    pod_tiles_begin();
}

static void end(void)
{
    pod_tiles_end();
}

/* Blocks are larger than other families': tiles are so fast that a panel of b must be used for many rows
 * before the next one comes from L3. */
static const pod_dot_family family = {
    .tile_rows = TILE_ROWS,
    .panel_columns = 32,
    .vector_columns = 16,
    .k_unit = BLOCK_K,
    .packed_bytes = 2,
    .a_bytes = 2,
    .row_block = 512,
    .k_chunk = 1024,
    .k_block = 1024,
    .column_group = 128,
    .pack_a = pack_a,
    .pack_b = pack_panel,
    .multiply = multiply,
    .begin = begin,
    .end = end,
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

const pod_dot_kernels pod_dot_bf16_amx = {
    .row_granularity = TILE_ROWS,
    .row_block = 512,
    .packed_b_bytes = packed_b_bytes,
    .panel_columns = 32,
    .pack_b = pack_b,
    .scratch_bytes = scratch_bytes,
    .run = run,
};
