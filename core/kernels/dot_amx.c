#include "kernels/kernel_costs.h"
#include "kernels/dot.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "kernels/dot_pack_amx.h"
#include "base/sizes.h"
#include "kernels/tiles.h"
#include "kernels/unroll.h"

/*
 * Products of bf16 on AMX's tiles. Blocks are 32 rows x 32 k of a and 32 k x 32 columns of b, two tiles each.
 *
 *   b is packed in panels of 32 columns (16 in a last one of 16 or fewer), contiguous along k in blocks of
 *     two tiles (one): each row of a tile is a pair of k for 16 columns
 *   a is read by tiles where it lies if its rows are rows in memory; only the last k that fill no block, and a last
 *     block of fewer rows, are copied with zeros around them. Where its rows are columns in memory (a weight gradient)
 *     blocks of it are transposed, once for all columns
 *
 * An instruction sums a block of k in even and odd chains of its own, then adds both to the sum: the
 * order of a sum depends on k alone, and sums that are stored and loaded again keep their bits.
 *
 * How it is blocked, from large to small:
 *
 *   PASS_ROWS rows       at least take b from L3: with 128 of them b would come to L2 no faster than tiles need it
 *   ROW_BLOCK rows       of a stay in L2 while all columns pass (PACKED_ROWS of those that are packed: what a weight
 *                        gradient's epilogue reads has to come through L2, too)
 *   GROUP_COLUMNS        of b stay in L2 while these rows pass; while the first of them do, each next panel comes to L2
 *   PIECE_ROWS           are finished together with these columns: their sums stay in L2 for the epilogue
 *   NEAR_K               k of a panel of b stay in L1 while the rows of a piece pass; those are loaded with
 *                        a hint to leave L1 alone
 */
#define PASS_ROWS     256
#define ROW_BLOCK     512
#define PACKED_ROWS   256
#define GROUP_COLUMNS 128
#define PIECE_ROWS    128
#define NEAR_K        512
#define SMALL_K       128 /* all operands of a piece fit L1 */

/* Elements of a that are packed at once, rows and k of them where all k are too many. */
#define PACKED_ELEMENTS (512 * 1024)
#define CHUNK_K         4096
#define CHUNK_ROWS      (PACKED_ELEMENTS / CHUNK_K)

/* pod_dot_family.multiply, for 16 columns whose last words of k may fill no block. */
static void multiply_packed(float *c, int64_t c_stride, const void *a, int64_t a_row_bytes, const void *b, int64_t k,
                            int64_t rows, int64_t columns, bool accumulate, const pod_tile_end *end, const char *next,
                            int64_t next_bytes)
{
    const char *at = a, *right = b;
    const int64_t c_bytes = c_stride * (int64_t)sizeof(float);
    (void)a_row_bytes, (void)rows, (void)columns, (void)end, (void)next, (void)next_bytes;
    if (accumulate)
        pod_kernel_tiles_load(true, c, c_bytes);
    else
        pod_kernel_tiles_zero();
    for (; k >= BLOCK_K; k -= BLOCK_K, at += 2 * TILE_BYTES, right += TILE_BYTES)
        pod_tiles_multiply_rows_left(at, at + TILE_BYTES, 64, right);
    if (k > 0) { /* what follows b is another line: zero times that need not be zero */
        char edge[TILE_BYTES] __attribute__((aligned(64)));
        memcpy(edge, right, (size_t)(k * 32));
        memset(edge + k * 32, 0, (size_t)(TILE_BYTES - k * 32));
        pod_tiles_multiply_rows_left(at, at + TILE_BYTES, 64, edge);
    }
    pod_kernel_tiles_store(true, c, c + 16 * c_stride, c_bytes);
}

/* Products are driven below: this is what packing b and convolutions need. */
static const pod_dot_family family = {
    .tile_rows = BLOCK_ROWS,
    .panel_columns = 32,
    .vector_columns = 16,
    .word_columns = 16,
    .k_unit = BLOCK_K,
    .packed_bytes = 2,
    .a_bytes = 2,
    .k_block = 1024,
    .piece_unit = BLOCK_K,
    .pack_a = pack_tile_rows,
    .pack_b = pack_panel,
    .stream = pod_kernel_wide_stream,
    .multiply = multiply_packed,
};

/* ---- one block of the result ---------------------------------------------------------------------- */

/* 32 rows of a along k: `count` blocks, `step` bytes apart, whose rows lie row_bytes apart; then, unless it is
 * NULL, a padded one. */
typedef struct row_blocks {
    const char *first;
    int64_t row_bytes, step, count;
    const char *last;
} row_blocks;

/* Memory that is wanted in L2 soon, up to `end`: `lines` of it are fetched with each block of k. All at once, the loads
 * of tiles would wait behind them. */
typedef struct fetching {
    const char *next, *end;
    int64_t lines;
} fetching;

typedef enum nearness { NEAR, FAR_A, FAR, LEFT } nearness;

/* How is a constant wherever this is inlined: nothing but tiles' instructions and prefetches in the loop. */
POD_WIDE_INLINE void multiply_blocks(nearness how, const char *a, const row_blocks *rows, const char *b, int64_t count,
                                     fetching *fetch)
{
    const char *lower = a + 16 * rows->row_bytes, *next = fetch->next;
    const int64_t stride = rows->row_bytes, step = rows->step, lines = fetch->lines;
    for (int64_t i = 0; i < count; i++, a += step, lower += step) {
        POD_UNROLL (1, int64_t line = 0; line < lines; line++, next += 64)
            __builtin_prefetch(next, 0, 2);
        if (how == NEAR)
            pod_tiles_multiply_rows(a, lower, stride, b);
        else if (how == FAR_A)
            pod_tiles_multiply_rows_far_a(a, lower, stride, b);
        else if (how == FAR)
            pod_tiles_multiply_rows_far(a, lower, stride, b);
        else
            pod_tiles_multiply_rows_left(a, lower, stride, b);
        b += how == LEFT ? TILE_BYTES : 2 * TILE_BYTES;
    }
    fetch->next = next;
}

/* c = (or, to accumulate, +=) blocks begin .. end - 1 along k of 32 rows of a, times a panel of b that begins
 * with the first of them. Not inlined, so that its loops have all registers. */
__attribute__((noinline)) static void multiply_panel(nearness how, float *c, int64_t c_stride, const row_blocks *rows,
                                                     int64_t begin, int64_t end, const char *b, bool accumulate,
                                                     fetching *fetch)
{
    const char *a = rows->first + begin * rows->step;
    int64_t count = pod_smaller(end, rows->count) - begin, c_bytes = c_stride * (int64_t)sizeof(float);
    bool has_last = rows->last != NULL && end > rows->count;
    if (!accumulate)
        pod_kernel_tiles_zero();
    else
        pod_kernel_tiles_load(how == LEFT, c, c_bytes);
    if (how == LEFT)
        multiply_blocks(LEFT, a, rows, b, count, fetch);
    else if (how == NEAR)
        multiply_blocks(NEAR, a, rows, b, count, fetch);
    else if (how == FAR_A)
        multiply_blocks(FAR_A, a, rows, b, count, fetch);
    else
        multiply_blocks(FAR, a, rows, b, count, fetch);
    if (has_last && how == LEFT)
        pod_tiles_multiply_rows_left(rows->last, rows->last + TILE_BYTES, 64, b + count * TILE_BYTES);
    else if (has_last)
        pod_tiles_multiply_rows(rows->last, rows->last + TILE_BYTES, 64, b + count * 2 * TILE_BYTES);
    pod_kernel_tiles_store(how == LEFT, c, c + 16 * c_stride, c_bytes);
}

/* ---- a product ------------------------------------------------------------------------------------ */

/* How a call is cut, and its memory. */
typedef struct plan {
    const pod_dot_call *call;
    bool direct;     /* a is read where it lies */
    int64_t rows;    /* of a at once */
    int64_t chunk;   /* k of them: all, unless a is packed and has many */
    int64_t piece;   /* rows finished at once */
    int64_t columns; /* in a group */
    int64_t c_stride;
    char *packed; /* a's blocks: all of them, or those that are not read where they lie */
    float *c;     /* sums of a piece: in scratch, or where the result lies */
} plan;

static bool is_direct(const pod_dot_call *call)
{
    return call->a_k_stride == 1;
}

/* Finds rows and k that are packed at once. */
static void cut_packed(plan *p, int64_t rows)
{
    int64_t k = pod_round_up(p->call->k > 0 ? p->call->k : 1, BLOCK_K);
    p->chunk = pod_smaller(k, CHUNK_K);
    p->rows = pod_even_part(rows, pod_smaller(PACKED_ELEMENTS / p->chunk, PACKED_ROWS), BLOCK_ROWS);
}

static plan make_plan(const pod_dot_call *call, int64_t rows, int64_t columns)
{
    plan p = {.call = call, .direct = is_direct(call)};
    p.chunk = pod_round_up(call->k > 0 ? call->k : 1, BLOCK_K);
    p.rows = pod_even_part(rows, ROW_BLOCK, BLOCK_ROWS);
    if (!p.direct)
        cut_packed(&p, rows);
    p.piece = pod_smaller(p.rows, PIECE_ROWS);
    p.columns = pod_even_part(columns, GROUP_COLUMNS, family.panel_columns);
    p.c_stride = pod_round_up(pod_smaller(p.columns, columns), 16);
    return p;
}

/* Bytes of packed blocks of a: of a direct one, the last block of each 32 rows and all of a last few rows, which
 * calls of fewer rows may have where this one has none. */
static int64_t packed_bytes(const pod_dot_call *call, bool direct)
{
    int64_t rows = pod_smaller(pod_round_up(call->m, BLOCK_ROWS), ROW_BLOCK);
    int64_t k = pod_round_up(call->k + 1, BLOCK_K);
    return direct ? (rows * BLOCK_K + BLOCK_ROWS * k) * 2 : pod_smaller(rows * k, PACKED_ELEMENTS) * 2;
}

static size_t scratch_bytes(const pod_dot_kernels *kernels, const pod_dot_call *call)
{
    (void)kernels;
    int64_t rows = pod_smaller(pod_round_up(call->m, BLOCK_ROWS), PIECE_ROWS);
    int64_t columns = pod_smaller(pod_round_up(call->n, 16), GROUP_COLUMNS);
    int64_t direct = packed_bytes(call, true), packed = packed_bytes(call, false);
    return (size_t)((direct > packed ? direct : packed) + rows * columns * (int64_t)sizeof(float) + 64);
}

/* Packs what is not read where it lies of rows row .. row + rows - 1. */
static void pack_a(const plan *p, int64_t row, int64_t rows, int64_t k_begin)
{
    const pod_dot_call *call = p->call;
    int64_t row_bytes = call->a_row_stride * 2, k_bytes = call->a_k_stride * 2;
    const char *a = (const char *)call->a + row * row_bytes + k_begin * k_bytes;
    int64_t whole = call->k / BLOCK_K * BLOCK_K;
    if (!p->direct) {
        int64_t k = pod_smaller(p->chunk, call->k - k_begin);
        transpose_rows(p->packed, pod_round_up(k, BLOCK_K) * BLOCK_ROWS * 2, a, rows, k, k_bytes);
        return;
    }
    char *to = p->packed;
    for (int64_t i = 0; i < rows; i += BLOCK_ROWS, to += 2 * TILE_BYTES, a += BLOCK_ROWS * row_bytes) {
        if (rows - i < BLOCK_ROWS)
            copy_rows(to, a, rows - i, call->k, row_bytes);
        else if (whole < call->k)
            copy_block(to, a + whole * 2, BLOCK_ROWS, call->k - whole, row_bytes);
    }
}

/* The 32 rows of a that begin at `row`, `at` on from the first that are packed; k from k_begin, of which `blocks`
 * blocks are wanted. */
static row_blocks rows_of(const plan *p, int64_t row, int64_t at, int64_t rows, int64_t blocks)
{
    const pod_dot_call *call = p->call;
    int64_t row_bytes = call->a_row_stride * 2;
    if (!p->direct)
        return (row_blocks){p->packed + at * blocks * 64, 64, 2 * TILE_BYTES, blocks, NULL};
    const char *extra = p->packed + at * 64;
    if (rows < BLOCK_ROWS)
        return (row_blocks){extra, 64, 2 * TILE_BYTES, blocks, NULL};
    return (row_blocks){(const char *)call->a + row * row_bytes, row_bytes, 64, call->k / BLOCK_K,
                        call->k % BLOCK_K != 0 ? extra : NULL};
}

/* Computes the sums of a piece over a chunk of k. Rows are row .. row + rows - 1, the first of them `at` on
 * from the first that are packed. */
static void multiply_piece(const plan *p, int64_t row, int64_t at, int64_t rows, int64_t column, int64_t columns,
                           int64_t k_begin, fetching *fetch)
{
    const pod_dot_call *call = p->call;
    int64_t k = pod_smaller(p->chunk, call->k - k_begin), blocks = pod_part_count(k, BLOCK_K);
    int64_t before = k_begin / BLOCK_K, all = pod_part_count(call->k, BLOCK_K);
    bool together = rows > BLOCK_ROWS; /* rows share a panel in L1 */
    int64_t part = together ? pod_even_part(blocks, NEAR_K / BLOCK_K, 1) : blocks;
    part = part > 0 ? part : 1;
    for (int64_t i = 0; i < columns; i += family.panel_columns) {
        bool narrow = columns - i <= 16;
        const char *panel = (const char *)call->b + (column + i) * all * BLOCK_K * 2;
        if (fetch->next >= fetch->end)
            fetch->lines = 0;
        int64_t block_bytes = narrow ? TILE_BYTES : 2 * TILE_BYTES;
        nearness how = narrow ? LEFT : k <= SMALL_K ? NEAR : together ? FAR_A : FAR;
        for (int64_t block = 0; block == 0 || block < blocks; block += part)
            for (int64_t j = 0; j < rows; j += BLOCK_ROWS) {
                row_blocks a = rows_of(p, row + j, at + j, rows - j, blocks);
                multiply_panel(how, p->c + j * p->c_stride + i, p->c_stride, &a, block,
                               pod_smaller(block + part, blocks), panel + (before + block) * block_bytes,
                               before + block > 0, fetch);
            }
    }
}

/* The panels of b behind the one at column_begin, each of which comes to L2 while the first rows pass over the one
 * before it. */
static fetching fetch_panels(const plan *p, int64_t rows, int64_t column_begin, int64_t column_end)
{
    const int64_t blocks = pod_part_count(p->call->k, BLOCK_K), panel_bytes = blocks * 2 * TILE_BYTES;
    const char *b = (const char *)p->call->b + column_begin * blocks * BLOCK_K * 2;
    const int64_t steps = pod_part_count(pod_smaller(rows, p->piece), BLOCK_ROWS);
    const int64_t lines = pod_part_count(2 * TILE_BYTES / 64, steps);
    return (fetching){b + panel_bytes, b + (column_end - column_begin) * blocks * BLOCK_K * 2, pod_smaller(lines, 8)};
}

/* ---- an a in pieces ------------------------------------------------------------------------------- */

/* Some rows of pieces that are finished together, as tiles of `rows` rows each: the last of a group begins where it
 * ends with the group, and its first rows are computed twice. */
typedef struct piece_tiles {
    int64_t rows, count;
    const char *a[PIECE_ROWS];
    int64_t c_row[PIECE_ROWS];
} piece_tiles;

/* Parts of a group that are a piece each; none has fewer rows than a tile. */
static int64_t parts_of_group(const pod_dot_pieces *pieces)
{
    return pod_part_count(pieces->width, PIECE_ROWS);
}

static int64_t piece_tile_rows(const pod_dot_pieces *pieces)
{
    return pod_even_part(pod_even_part(pieces->width, PIECE_ROWS, 1), 16, 1);
}

/* Adds the tiles of rows first .. first + rows - 1 of a group. */
static void add_tiles(const pod_dot_call *call, int64_t group, int64_t first, int64_t rows, int64_t c_row,
                      piece_tiles *to)
{
    const char *a = (const char *)call->a + call->pieces->groups[group] * 2;
    for (int64_t at = 0; at < rows; at += to->rows) {
        int64_t row = pod_smaller(at, rows - to->rows);
        to->a[to->count] = a + (first + row) * call->a_row_stride * 2;
        to->c_row[to->count++] = c_row + row;
    }
}

static void multiply_piece_tiles(const pod_dot_call *call, const piece_tiles *tiles, const char *b, bool narrow,
                                 float *c, int64_t c_stride)
{
    const pod_dot_pieces *pieces = call->pieces;
    const int64_t stride = call->a_row_stride * 2, c_bytes = c_stride * (int64_t)sizeof(float);
    const bool nearby = call->k <= NEAR_K;
    for (int64_t i = 0; i < tiles->count; i += 2) {
        int64_t second = i + 1 < tiles->count ? i + 1 : i;
        const char *block = b;
        pod_kernel_tiles_zero();
        for (int64_t run = 0; run < call->k / pieces->run_k; run++) {
            const char *upper = tiles->a[i] + pieces->runs[run] * 2;
            const char *lower = tiles->a[second] + pieces->runs[run] * 2;
            for (int64_t k = 0; k < pieces->run_k; k += BLOCK_K, upper += 64, lower += 64) {
                if (narrow)
                    pod_tiles_multiply_rows_left(upper, lower, stride, block);
                else if (nearby)
                    pod_tiles_multiply_rows(upper, lower, stride, block);
                else
                    pod_tiles_multiply_rows_far(upper, lower, stride, block);
                block += narrow ? TILE_BYTES : 2 * TILE_BYTES;
            }
        }
        float *to = c + tiles->c_row[i] * c_stride, *low = c + tiles->c_row[second] * c_stride;
        pod_kernel_tiles_store(narrow, to, low, c_bytes);
    }
}

static void finish_piece(const pod_dot_call *call, const piece_tiles *tiles, int64_t row, int64_t rows,
                         int64_t column_begin, int64_t column_end, float *c)
{
    for (int64_t column = column_begin; column < column_end; column += GROUP_COLUMNS) {
        int64_t columns = pod_smaller(GROUP_COLUMNS, column_end - column);
        int64_t c_stride = pod_round_up(columns, 16);
        for (int64_t i = 0; i < columns; i += family.panel_columns)
            multiply_piece_tiles(call, tiles, (const char *)call->b + (column + i) * call->k * 2, columns - i <= 16,
                                 c + i, c_stride);
        pod_kernel_dot_finish(call, c, c_stride, row, column, rows, columns);
    }
}

static void run_pieces(const pod_dot_call *call, int64_t column_begin, int64_t column_end, void *scratch)
{
    const pod_dot_pieces *pieces = call->pieces;
    float *c = (float *)pod_round_up_bytes((uintptr_t)scratch, 64);
    int64_t parts = parts_of_group(pieces), groups = call->m / pieces->width;
    int64_t together = pod_larger(PIECE_ROWS / pieces->width, 1);
    if (!call->begun)
        pod_kernel_tiles_begin();
    pod_kernel_tiles_shape(piece_tile_rows(pieces));
    for (int64_t group = 0; group < groups; group += together)
        for (int64_t part = 0; part < parts; part++) {
            int64_t first = part * pieces->width / parts;
            int64_t rows = (part + 1) * pieces->width / parts - first;
            int64_t count = pod_smaller(together, groups - group);
            piece_tiles tiles = {.rows = piece_tile_rows(pieces)};
            for (int64_t i = 0; i < count; i++)
                add_tiles(call, group + i, first, rows, i * rows, &tiles);
            finish_piece(call, &tiles, group * pieces->width + first, count * rows, column_begin, column_end, c);
        }
    if (call->begun)
        pod_kernel_tiles_shape(16);
    else
        pod_kernel_tiles_end();
}

/* Returns whether whole tiles are what is wanted, so that they are stored where the result lies. */
static bool is_stored_directly(const pod_dot_call *call, int64_t rows, int64_t columns)
{
    return call->epilogue == NULL && call->result != NULL && rows % BLOCK_ROWS == 0 && columns % 16 == 0;
}

static void run(const pod_dot_kernels *kernels, const pod_dot_call *call, int64_t row_begin, int64_t row_end,
                int64_t column_begin, int64_t column_end, void *scratch)
{
    (void)kernels;
    if (row_begin >= row_end || column_begin >= column_end)
        return;
    if (call->pieces != NULL) {
        run_pieces(call, column_begin, column_end, scratch);
        return;
    }
    plan p = make_plan(call, row_end - row_begin, column_end - column_begin);
    p.packed = (char *)pod_round_up_bytes((uintptr_t)scratch, 64);
    float *sums = (float *)(p.packed + packed_bytes(call, p.direct));
    int64_t sums_stride = p.c_stride;
    bool chunked = p.chunk < call->k; /* then a block of rows is one piece */
    if (!call->begun)
        pod_kernel_tiles_begin();
    for (int64_t row = row_begin; row < row_end && !pod_kernel_dot_stops(call); row += p.rows) {
        int64_t rows = pod_smaller(p.rows, row_end - row);
        if (!chunked)
            pack_a(&p, row, rows, 0);
        fetching fetch = fetch_panels(&p, rows, column_begin, column_end);
        for (int64_t column = column_begin; column < column_end; column += p.columns) {
            int64_t columns = pod_smaller(p.columns, column_end - column);
            for (int64_t at = 0; at < rows; at += p.piece) {
                fetching none = {0};
                int64_t piece = pod_smaller(p.piece, rows - at);
                bool direct = is_stored_directly(call, piece, columns);
                p.c = direct ? call->result + (row + at) * call->result_stride + column : sums;
                p.c_stride = direct ? call->result_stride : sums_stride;
                for (int64_t k = 0; k == 0 || k < call->k; k += p.chunk) {
                    if (chunked)
                        pack_a(&p, row, rows, k);
                    multiply_piece(&p, row + at, at, piece, column, columns, k, at == 0 ? &fetch : &none);
                }
                if (!direct)
                    pod_kernel_dot_finish(call, p.c, p.c_stride, row + at, column, piece, columns);
            }
        }
    }
    if (!call->begun)
        pod_kernel_tiles_end();
}

const pod_dot_kernels pod_dot_bf16_amx = {
    .row_granularity = BLOCK_ROWS,
    .row_block = ROW_BLOCK,
    .pass_rows = PASS_ROWS,
    .panel_columns = 32,
    .family = &family,
    .scratch_bytes = scratch_bytes,
    .run = run,
    .begin = pod_kernel_tiles_begin,
    .end = pod_kernel_tiles_end,
    .nanoseconds = POD_COST_BF16_AMX,
};
