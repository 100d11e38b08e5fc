#ifndef POD_KERNELS_FINISH_KERNEL_H
#define POD_KERNELS_FINISH_KERNEL_H

/*
 * finish_kernel - the kernel of finish.h: one or two vectors side by side, row after row. Included by finish_FAMILY.c
 * behind the vectors of that family, finish_lanes.h or finish_avx512.h.
 */

#include "kernels/finish.h"
#include "base/sizes.h"
#include "kernels/unroll.h"

#include <stdint.h>
#include <string.h>

/* Element `at` on of an array of f32 or bf16. */
FINISH_INLINE floats load_as(pod_dtype dtype, const void *from, int64_t at)
{
    return dtype == POD_F32 ? load((const float *)from + at) : widened((const uint16_t *)from + at);
}

/* Holds what columns of a call need all the time. */
typedef struct column_block {
    floats bias[2], scale[2], shift[2], sums[2];
    char *packed[2];
    int64_t pair_bytes;
} column_block;

static void find_packed(const pod_finish_pack *pack, int64_t column, int vectors, column_block *block)
{
    if (!pack->packed)
        return;
    const int64_t column_bytes = pod_round_up(pack->k, pack->k_unit) * 2;
    for (int i = 0; i < vectors; i++) {
        const int64_t at = pack->column + column + i * LANES, lane = at % POD_FINISH_LANES;
        const int64_t panel = at / pack->panel_columns * pack->panel_columns;
        const int64_t width = pod_smaller(pack->panel_columns, pod_round_up(pack->n - panel, POD_FINISH_LANES));
        block->packed[i] = pack->packed + panel * column_bytes + pack->k_begin * width * 2 +
                           (at - lane - panel) * pack->k_unit * 2 + lane * 4;
        block->pair_bytes = pack->k_unit == 2 ? width * 4 : POD_FINISH_LANES * 4;
    }
}

/* What is done to sums at last: a constant wherever this is inlined. */
typedef enum ending { PLAIN, MASKED, GELU, SLOPE } ending;

FINISH_INLINE void round_row(int vectors, floats y[2])
{
    POD_UNROLL (2, int i = 0; i < vectors; i++)
        y[i] = rounded(y[i]);
}

/* The results of a row. */
FINISH_INLINE void finish_row(const pod_finish *f, int vectors, ending how, const column_block *block, int64_t row,
                              int64_t column, floats y[2])
{
    const float *tile = f->tile + row * f->tile_stride + column;
    const int64_t at = row * f->stride + column;
    POD_UNROLL (2, int i = 0; i < vectors; i++)
        y[i] = load(tile + i * LANES);
    if (f->rounds.tile)
        round_row(vectors, y);
    if (f->bias)
        POD_UNROLL (2, int i = 0; i < vectors; i++)
            y[i] += block->bias[i];
    if (f->rounds.bias)
        round_row(vectors, y);
    if (f->scale)
        POD_UNROLL (2, int i = 0; i < vectors; i++)
            y[i] = y[i] * block->scale[i] + block->shift[i];
    if (f->rounds.shift)
        round_row(vectors, y);
    if (f->add)
        POD_UNROLL (2, int i = 0; i < vectors; i++)
            y[i] += load_as(f->add_dtype, f->add, at + i * LANES);
    if (f->rounds.add)
        round_row(vectors, y);
    if (f->relu)
        POD_UNROLL (2, int i = 0; i < vectors; i++)
            y[i] = f->most > 0 ? at_most(positive(y[i]), f->most) : positive(y[i]);
    if (how == MASKED)
        POD_UNROLL (2, int i = 0; i < vectors; i++)
            y[i] = where_positive(load_as(f->mask_dtype, f->mask, at + i * LANES), y[i]);
    if (how == SLOPE)
        POD_UNROLL (2, int i = 0; i < vectors; i++)
            y[i] = gelu_gradient_at(load_as(f->mask_dtype, f->slope_at, at + i * LANES), y[i]);
    if (how != GELU)
        return;
    if (f->before)
        store_halves(f->before + at, vectors, narrowed(vectors, y));
    POD_UNROLL (2, int i = 0; i < vectors; i++)
        y[i] = gelu_of(y[i]);
}

/* Adds a row to the sums and stores it; returns its 16-bit floats. */
FINISH_INLINE row_halves take_row(const pod_finish *f, int vectors, ending how, column_block *block, int64_t row,
                                  int64_t column)
{
    const int64_t at = row * f->stride + column;
    floats y[2] = {0};
    row_halves narrow = {0};
    finish_row(f, vectors, how, block, row, column, y);
    if (f->rounds.result)
        round_row(vectors, y);
    if (f->sums && row == 0 && f->first) {
        memcpy(block->sums, y, sizeof block->sums);
    } else if (f->sums) {
        POD_UNROLL (2, int i = 0; i < vectors; i++)
            block->sums[i] += y[i];
    }
    if (f->dtype == POD_F32) {
        POD_UNROLL (2, int i = 0; i < vectors; i++)
            memcpy((float *)f->result + at + i * LANES, &y[i], sizeof y[i]);
    } else {
        narrow = narrowed(vectors, y);
        store_halves((uint16_t *)f->result + at, vectors, narrow);
    }
    return narrow;
}

/* Rows for which memory is asked before they are taken: they lie on pages of their own, where no prefetcher of the
 * machine goes. */
#define ROWS_AHEAD 16

FINISH_INLINE void fetch_elements(pod_dtype dtype, const void *from, int64_t at, int64_t count)
{
    const int64_t size = dtype == POD_F32 ? 4 : 2;
    for (int64_t i = 0; i < count * size; i += 64)
        __builtin_prefetch((const char *)from + at * size + i);
}

/* Fetches what is read ROWS_AHEAD rows on: in these rows, in the next columns from the first row on, or in the rows
 * that come next. */
FINISH_INLINE void fetch_ahead(const pod_finish *f, int vectors, ending how, int64_t row, int64_t column)
{
    const int64_t width = vectors * LANES;
    row += ROWS_AHEAD;
    if (row >= f->rows && column + width < f->columns) {
        row -= f->rows;
        column += width;
    } else if (row >= f->rows + f->ahead) {
        return;
    } else if (row >= f->rows) {
        column = 0;
    }
    const int64_t at = row * f->stride + column;
    if (f->add)
        fetch_elements(f->add_dtype, f->add, at, width);
    if (how == MASKED)
        fetch_elements(f->mask_dtype, f->mask, at, width);
    if (how == SLOPE)
        fetch_elements(f->mask_dtype, f->slope_at, at, width);
}

/* All rows of some columns. */
FINISH_INLINE void finish_columns(const pod_finish *f, int vectors, ending how, int64_t column)
{
    column_block block = {0};
    find_packed(&f->pack, column, vectors, &block);
    POD_UNROLL (2, int i = 0; i < vectors; i++) {
        if (f->bias)
            block.bias[i] = load(f->bias + column + i * LANES);
        if (f->scale) {
            block.scale[i] = load(f->scale + column + i * LANES);
            block.shift[i] = load(f->shift + column + i * LANES);
        }
        if (f->sums && !f->first)
            block.sums[i] = load(f->sums + column + i * LANES);
    }
    for (int64_t row = 0; row < f->rows; row += 2) {
        if (f->add || how == MASKED || how == SLOPE)
            POD_UNROLL (2, int64_t i = 0; i < 2; i++)
                fetch_ahead(f, vectors, how, row + i, column);
        const row_halves upper = take_row(f, vectors, how, &block, row, column);
        if (row + 1 == f->rows)
            break;
        const row_halves lower = take_row(f, vectors, how, &block, row + 1, column);
        if (!block.packed[0])
            continue;
        words pairs[2];
        join_rows(vectors, upper, lower, pairs);
        POD_UNROLL (2, int i = 0; i < vectors; i++)
            store_pairs(block.packed[i] + row / 2 * block.pair_bytes, pairs[i], f->pack.streams);
    }
    if (f->sums)
        POD_UNROLL (2, int i = 0; i < vectors; i++)
            memcpy(f->sums + column + i * LANES, &block.sums[i], sizeof block.sums[i]);
}

FINISH_INLINE void finish_all(const pod_finish *f, ending how)
{
    int64_t column = 0;
    for (; column + 2 * LANES <= f->columns; column += 2 * LANES)
        finish_columns(f, 2, how, column);
    if (column < f->columns)
        finish_columns(f, 1, how, column);
}

static void finish(const pod_finish *f)
{
    if (f->mask)
        finish_all(f, MASKED);
    else if (f->gelu)
        finish_all(f, GELU);
    else if (f->slope_at)
        finish_all(f, SLOPE);
    else
        finish_all(f, PLAIN);
}

#endif
