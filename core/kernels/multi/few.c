/*
 * Products of few rows of f32, whose right operand is read once, where it lies: packing it would take longer than the
 * product. Compiled with products and additions contracted to fused ones where the family has them.
 *
 * Where neighbours of b lie along columns, an element is summed over k in rising order, so with the bits of the
 * family's other f32 products. Where they lie along k, lanes are summed apart, and then onto each other.
 */

#include "kernels/dot.h"
#include "kernels/kernel_costs.h"
#include "kernels/lanes.h"
#include "base/sizes.h"
#include "kernels/unroll.h"

#if defined(__AVX512F__)
#define MOST_SUMS   16 /* vectors that fit the registers beside operands */
#define SUM_VECTORS 16 /* those of one row */
#else
#define MOST_SUMS   8
#define SUM_VECTORS 8
#endif

/* Columns that are handed on together at most, and that a piece of work has. */
#define TILE_COLUMNS  4096
#define PIECE_COLUMNS 64

/* k of b that are summed together, by one row of a and by more, while which those that follow are asked for; columns
 * that are summed between such askings; and the sums that wait in L1. Chosen: from memory two threads of an EPYC (Zen
 * 4) read b so at 25 to 29 GB/s, at 18 to 23 where a strip of columns is summed over all k, at 28 to 30 where b was
 * packed. One row asks for nothing: to ask takes as many instructions as to sum. On Zen 5 one of 784-1024-1024-10 took
 * 69 us with it, from the third cache, and 54 without, GPT-2's next token, from memory, 16.5 and 14.4 ms. */
#define BLOCK_K_ONE  32
#define BLOCK_K_MORE 16
#define PIECE_SUMS   256
#define WAITING_SUMS 4096
#define LINE_FLOATS  16

/* How far ahead rows along k are asked for. Chosen: with four of them that lie far apart two threads of an EPYC (Zen 4)
 * read b from memory at 36 to 59 GB/s, at 26 to 39 where the four were neighbours; from small pages at 31 to 48 and 12
 * to 25. */
#define AHEAD_FLOATS 2048

#define FEW_INLINE static inline __attribute__((always_inline))

/* Rows of a product, and columns from one on. a and b are elements (0, 0); c is where the column's sums go. */
typedef struct part {
    const float *a, *b;
    int64_t a_row_stride, a_k_stride, b_stride, k;
    float *c;
    int64_t c_stride;
    int64_t behind; /* k of the same columns that follow in b */
    bool goes_on;   /* c has the sums of those before */
} part;

/* ---- neighbours along columns --------------------------------------------------------------------- */

/* k of `count` elements of b's rows that can be read a whole vector at a time, not to read behind the last. */
static int64_t whole_reads(const part *p, int64_t count)
{
    const int64_t over = pod_larger(LANES - count, 0);
    return pod_larger(p->k + p->behind - pod_part_count(over, p->b_stride), 0);
}

/* rows and vectors are constants wherever this is inlined; `count` columns of the last vector are there. */
FEW_INLINE void sum_columns(const part *p, int rows, int vectors, int64_t count)
{
    floats sums[MOST_SUMS / 2 + 1][SUM_VECTORS];
    const int64_t whole = whole_reads(p, count);
    POD_UNROLL (8, int i = 0; i < rows; i++)
        POD_UNROLL (16, int j = 0; j < vectors; j++)
            sums[i][j] = p->goes_on ? load(p->c + i * p->c_stride + j * LANES) : (floats){0};
    const float *b = p->b, *a = p->a;
    for (int64_t at = 0; at < p->k; at++, b += p->b_stride, a += p->a_k_stride) {
        floats row[SUM_VECTORS];
        POD_UNROLL (16, int j = 0; j < vectors; j++) {
            row[j] = (floats){0};
            if (j + 1 < vectors || at < whole)
                row[j] = load(b + j * LANES);
            else
                memcpy(&row[j], b + j * LANES, (size_t)count * sizeof(float));
        }
        POD_UNROLL (8, int i = 0; i < rows; i++)
            POD_UNROLL (16, int j = 0; j < vectors; j++)
                sums[i][j] += a[i * p->a_row_stride] * row[j];
    }
    POD_UNROLL (8, int i = 0; i < rows; i++)
        POD_UNROLL (16, int j = 0; j < vectors; j++)
            memcpy(p->c + i * p->c_stride + j * LANES, &sums[i][j], sizeof(floats));
}

/* `rows` rows of up to MOST_SUMS / rows vectors; `most` is that many. */
FEW_INLINE void sum_range(part p, int rows, int most, int64_t columns)
{
    while (columns > 0) {
        const int64_t vectors = pod_smaller(pod_part_count(columns, LANES), most);
        int64_t done = most;
        if (vectors == most) {
            sum_columns(&p, rows, most, pod_smaller(columns - (most - 1) * LANES, LANES));
        } else if (most >= 16 && vectors >= 8) {
            done = 8;
            sum_columns(&p, rows, 8, pod_smaller(columns - 7 * LANES, LANES));
        } else if (most >= 8 && vectors >= 4) {
            done = 4;
            sum_columns(&p, rows, 4, pod_smaller(columns - 3 * LANES, LANES));
        } else {
            done = 1;
            sum_columns(&p, rows, 1, pod_smaller(columns, LANES));
        }
        p.b += done * LANES;
        p.c += done * LANES;
        columns -= done * LANES;
    }
}

static void sum_rows(part p, int64_t rows, int64_t columns)
{
    const int64_t quarter = MOST_SUMS / 4;
    for (int64_t left = rows; left > 0;) {
        int64_t done = 1;
        if (left >= 4) {
            done = 4;
            sum_range(p, 4, (int)quarter, columns);
        } else if (left >= 2) {
            done = 2;
            sum_range(p, 2, MOST_SUMS / 2, columns);
        } else {
            sum_range(p, 1, MOST_SUMS, columns);
        }
        p.a += done * p.a_row_stride;
        p.c += done * p.c_stride;
        left -= done;
    }
}

/* Asks for rows `begin` to `end` - 1 of b, one after the other. */
static void prefetch_rows(const float *b, int64_t stride, int64_t begin, int64_t end, int64_t columns)
{
    for (int64_t i = begin; i < end; i++)
        for (int64_t j = 0; j < columns; j += LINE_FLOATS)
            __builtin_prefetch(b + i * stride + j, 0, 2);
}

/* Reads b by its rows, as memory likes it: a sum that waits in c keeps its bits. */
static void multiply_columns(part p, int64_t rows, int64_t columns)
{
    const int64_t all = p.k, block = rows > 1 ? BLOCK_K_MORE : BLOCK_K_ONE;
    const int64_t pieces = pod_part_count(columns, PIECE_SUMS);
    for (int64_t at = 0; at == 0 || at < all; at += block) { /* of no k: zeros */
        p.k = pod_smaller(all - at, block);
        p.behind = all - at - p.k;
        p.goes_on = at > 0;
        part piece = p;
        const float *next = p.b + p.k * p.b_stride;
        const int64_t more = pod_smaller(p.behind, block);
        for (int64_t i = 0; i < pieces; i++) {
            if (rows > 1)
                prefetch_rows(next, p.b_stride, i * more / pieces, (i + 1) * more / pieces, columns);
            sum_rows(piece, rows, pod_smaller(columns - i * PIECE_SUMS, PIECE_SUMS));
            piece.b += PIECE_SUMS;
            piece.c += PIECE_SUMS;
        }
        p.b = next;
        p.a += p.k * p.a_k_stride;
    }
}

/* ---- neighbours along k ---------------------------------------------------------------------------- */

static float sum_lanes(floats x)
{
    float lanes[LANES];
    memcpy(lanes, &x, sizeof lanes);
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++)
            lanes[i] += lanes[i + half];
    return lanes[0];
}

/* The sums of one or two rows of a with four columns of b, of which the last may stand there again; theirs are `apart`.
 */
FEW_INLINE void sum_along(const part *p, int rows, const float *const *b, int64_t apart)
{
    floats sums[2][4];
    float rest[2][4] = {{0}};
    const int64_t whole = p->k / LANES * LANES;
    POD_UNROLL (2, int i = 0; i < rows; i++)
        POD_UNROLL (4, int j = 0; j < 4; j++)
            sums[i][j] = (floats){0};
    for (int64_t at = 0; at < whole; at += LANES)
        POD_UNROLL (4, int j = 0; j < 4; j++) {
            const floats x = load(b[j] + at);
            __builtin_prefetch(b[j] + at + AHEAD_FLOATS, 0, 2);
            POD_UNROLL (2, int i = 0; i < rows; i++)
                sums[i][j] += load(p->a + i * p->a_row_stride + at) * x;
        }
    for (int64_t at = whole; at < p->k; at++)
        for (int j = 0; j < 4; j++)
            for (int i = 0; i < rows; i++)
                rest[i][j] += p->a[i * p->a_row_stride + at] * b[j][at];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 4; j++)
            p->c[i * p->c_stride + j * apart] = sum_lanes(sums[i][j]) + rest[i][j];
}

/* All rows of a with `count` columns of b that are `apart`, up to four. */
static void multiply_four(part p, int64_t rows, int64_t count, int64_t apart)
{
    const float *b[4];
    for (int64_t j = 0; j < 4; j++)
        b[j] = p.b + pod_smaller(j, count - 1) * apart * p.b_stride;
    for (int64_t row = 0; row < rows; row += 2) {
        if (rows - row >= 2)
            sum_along(&p, 2, b, apart);
        else
            sum_along(&p, 1, b, apart);
        p.a += 2 * p.a_row_stride;
        p.c += 2 * p.c_stride;
    }
}

/* Sums have the same order whatever stands beside them. Memory is read in four long runs at once: a CPU follows each
 * for itself, and where one comes to another page the others go on. */
static void multiply_along(part p, int64_t rows, int64_t columns)
{
    const int64_t quarter = columns / 4;
    for (int64_t column = 0; column < quarter; column++, p.b += p.b_stride, p.c++)
        multiply_four(p, rows, 4, quarter);
    p.b += 3 * quarter * p.b_stride;
    p.c += 3 * quarter;
    if (columns % 4 > 0)
        multiply_four(p, rows, columns % 4, 1);
}

/* ---- the table --------------------------------------------------------------------------------------- */

/* Columns of a tile, which holds whole vectors and the four columns that are summed together. */
static int64_t tile_stride(int64_t columns)
{
    return pod_round_up(pod_smaller(columns, TILE_COLUMNS), 16);
}

static int64_t tile_bytes(int64_t m, int64_t columns)
{
    return m * tile_stride(columns) * (int64_t)sizeof(float) + 64;
}

/* A tile, and a with its rows as such where they are columns. */
static size_t scratch_bytes(const pod_dot_kernels *kernels, const pod_dot_call *call)
{
    (void)kernels;
    return (size_t)(tile_bytes(call->m, call->n) + 64 + call->m * call->k * (int64_t)sizeof(float));
}

static void gather_rows(float *to, const pod_dot_call *call, int64_t row_begin, int64_t row_end)
{
    const float *a = call->a;
    for (int64_t i = row_begin; i < row_end; i++)
        for (int64_t at = 0; at < call->k; at++)
            *to++ = a[i * call->a_row_stride + at * call->a_k_stride];
}

static void run(const pod_dot_kernels *kernels, const pod_dot_call *call, int64_t row_begin, int64_t row_end,
                int64_t column_begin, int64_t column_end, void *scratch)
{
    (void)kernels;
    const int64_t rows = row_end - row_begin;
    const bool along = call->b_column_stride != 1;
    part p = {.a = (const float *)call->a + row_begin * call->a_row_stride,
              .a_row_stride = call->a_row_stride,
              .a_k_stride = call->a_k_stride,
              .b_stride = along ? call->b_column_stride : call->b_k_stride,
              .k = call->k,
              .c = (float *)pod_round_up_bytes((uintptr_t)scratch, 64),
              .c_stride = tile_stride(column_end - column_begin)};
    if (along && call->a_k_stride != 1) {
        float *to = p.c + rows * p.c_stride;
        gather_rows(to, call, row_begin, row_end);
        p.a = to;
        p.a_row_stride = call->k;
    }
    const int64_t most = along ? TILE_COLUMNS : pod_round_up(WAITING_SUMS / pod_larger(rows, 1), PIECE_COLUMNS);
    for (int64_t column = column_begin; rows > 0 && column < column_end; column += most) {
        const int64_t columns = pod_smaller(column_end - column, most);
        p.b = (const float *)call->b + column * call->b_column_stride;
        if (along)
            multiply_along(p, rows, columns);
        else
            multiply_columns(p, rows, columns);
        pod_kernel_dot_finish(call, p.c, p.c_stride, row_begin, column, rows, columns);
    }
}

extern const pod_dot_kernels POD_FAMILY_TABLE;

const pod_dot_kernels POD_FAMILY_TABLE = {
    .row_granularity = 32,
    .row_block = 32,
    .panel_columns = PIECE_COLUMNS,
    .scratch_bytes = scratch_bytes,
    .run = run,
    .nanoseconds = POD_COST_F32_FEW,
};
