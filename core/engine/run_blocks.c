/*
 * run_blocks - runs fused loops block by block: see program/loop.h. A rectangle of rows and columns is cut
 * into blocks of whole rows, or of pieces of one row. Blocks never cross the rows of a partial, and
 * begin where a partial begins: so sums do not depend on which thread takes which rows.
 */

#include "engine/loop_frame.h"
#include "kernels/reference/walk.h"

#include <string.h>

static pod_loop_frame open_frame(pod_worker *worker, const pod_loop *loop, const pod_result_tile *tile, char *scratch)
{
    pod_loop_frame f = {worker, worker->run->program->kernels, loop, tile, scratch, NULL, NULL};
    f.staging = scratch + (size_t)loop->register_count * loop->register_bytes;
    f.registers = (char **)(f.staging + POD_LOOP_STAGING);
    return f;
}

/* ---- Adam ---------------------------------------------------------------------------------------- */

/* Returns where a result goes, and how far apart its rows are. */
static float *adam_result(const pod_loop_frame *f, const pod_loop_adam *adam, int index, const pod_loop_block *b,
                          int64_t *stride)
{
    *stride = b->width;
    if (adam->slots[index] == POD_SLOT_END) {
        char *to = pod_run_own_block(f, adam->results[index]);
        f->registers[adam->results[index]] = to;
        return (float *)to;
    }
    *stride = f->loop->columns;
    return (float *)pod_run_frame_memory(f, adam->slots[index]) + b->row * f->loop->columns + b->column;
}

static void run_adam(const pod_loop_frame *f, const pod_loop_step *step, const pod_loop_block *b)
{
    const pod_loop_adam *adam = step->adam;
    const int64_t strides[POD_ROWS_KINDS] = {b->width, f->loop->columns, f->tile ? f->tile->stride : b->width};
    pod_adam_rows all = {.rows = b->rows,
                         .width = b->width,
                         .alpha = *(const float *)f->registers[adam->operands[4]],
                         .scratch = (float *)pod_run_own_block(f, adam->operands[3])};
    for (int i = 0; i < 4; i++) {
        all.from[i] = (const float *)f->registers[adam->operands[i]];
        all.from_strides[i] = strides[adam->rows[i]];
    }
    for (int i = 0; i < 3; i++)
        all.to[i] = adam_result(f, adam, i, b, &all.to_strides[i]);
    pod_run_adam(f->kernels, adam, all);
}

/* ---- stores and folds ---------------------------------------------------------------------------- */

static void run_store(const pod_loop_frame *f, const pod_loop_store *store, const pod_loop_block *b)
{
    size_t size = pod_dtype_size(store->dtype);
    size_t in = pod_kernel_class_size(pod_kernel_class_of(store->dtype));
    int64_t columns = f->loop->columns;
    if (store->by_rows) {
        f->kernels->store[store->dtype](pod_run_frame_memory(f, store->slot) + (size_t)b->row * size,
                                        f->registers[store->source], (size_t)b->rows);
        return;
    }
    char *to = pod_run_frame_memory(f, store->slot) + (size_t)(b->row * columns + b->column) * size;
    const char *from = f->registers[store->source];
    if (b->width == columns || b->rows == 1) {
        f->kernels->store[store->dtype](to, from, (size_t)(b->rows * b->width));
        return;
    }
    for (int64_t i = 0; i < b->rows; i++)
        f->kernels->store[store->dtype](to + (size_t)(i * columns) * size, from + (size_t)(i * b->width) * in,
                                        (size_t)b->width);
}

/* [columns] of a row into one element of the result. */
static void fold_row(const pod_loop_frame *f, const pod_loop_fold *fold, const pod_loop_block *b, int64_t row,
                     const char *from)
{
    char *accumulator = f->blocks + fold->scratch;
    size_t size = pod_dtype_size(fold->dtype);
    if (b->column == 0)
        memcpy(accumulator, &fold->first, 8);
    f->kernels->fold[fold->fold][fold->class_](accumulator, from, (size_t)b->width);
    if (b->column + b->width == f->loop->columns)
        f->kernels->store[fold->dtype](pod_run_frame_memory(f, fold->slot) + (size_t)row * size, accumulator, 1);
}

/* [columns, inner] of a row into `inner` elements of the result. */
static void fold_row_inner(const pod_loop_frame *f, const pod_loop_fold *fold, const pod_loop_block *b, int64_t row,
                           const char *from)
{
    char *accumulator = f->blocks + fold->scratch;
    size_t in = pod_kernel_class_size(fold->class_), size = pod_dtype_size(fold->dtype);
    pod_block_function add = f->kernels->element[pod_fold_elements[fold->fold]][fold->class_];
    if (b->column == 0)
        pod_kernel_line_copy(in, accumulator, 1, &fold->first, 0, fold->inner);
    for (int64_t done = 0; done < b->width;) {
        int64_t at = (b->column + done) % fold->inner;
        int64_t run = fold->inner - at < b->width - done ? fold->inner - at : b->width - done;
        char *to = accumulator + (size_t)at * in;
        add(to, to, from + (size_t)done * in, NULL, (size_t)run);
        done += run;
    }
    if (b->column + b->width != f->loop->columns)
        return;
    char *result = pod_run_frame_memory(f, fold->slot) + (size_t)(row * fold->inner) * size;
    for (int64_t at = 0; at < fold->inner; at += POD_BLOCK) {
        int64_t count = fold->inner - at < POD_BLOCK ? fold->inner - at : POD_BLOCK;
        f->kernels->store[fold->dtype](result + (size_t)at * size, accumulator + (size_t)at * in, (size_t)count);
    }
}

/* Rows into their partial. */
static void fold_columns(const pod_loop_frame *f, const pod_loop_fold *fold, const pod_loop_block *b, const char *from)
{
    size_t in = pod_kernel_class_size(fold->class_);
    pod_block_function add = f->kernels->element[pod_fold_elements[fold->fold]][fold->class_];
    char *partial =
        pod_run_frame_memory(f, fold->slot) + (size_t)(b->row / fold->partial_rows * fold->inner + b->column) * in;
    int64_t first = 0;
    if (b->row % fold->partial_rows == 0) {
        memcpy(partial, from, (size_t)b->width * in);
        first = 1;
    }
    for (int64_t i = first; i < b->rows; i++)
        add(partial, partial, from + (size_t)(i * b->width) * in, NULL, (size_t)b->width);
}

static void fold_all(const pod_loop_frame *f, const pod_loop_fold *fold, const pod_loop_block *b, const char *from)
{
    size_t in = pod_kernel_class_size(fold->class_);
    char *partial = pod_run_frame_memory(f, fold->slot) + (size_t)(b->row / fold->partial_rows) * in;
    if (b->row % fold->partial_rows == 0 && b->column == 0)
        memcpy(partial, &fold->first, in);
    f->kernels->fold[fold->fold][fold->class_](partial, from, (size_t)(b->rows * b->width));
}

static void run_fold(const pod_loop_frame *f, const pod_loop_fold *fold, const pod_loop_block *b)
{
    const char *from = f->registers[fold->source];
    size_t in = pod_kernel_class_size(fold->class_);
    if (!fold->by_rows && fold->inner == f->loop->columns && f->loop->columns > 1) {
        fold_columns(f, fold, b, from);
    } else if (!fold->by_rows) {
        fold_all(f, fold, b, from);
    } else {
        for (int64_t i = 0; i < b->rows; i++)
            (fold->inner == 1 ? fold_row : fold_row_inner)(f, fold, b, b->row + i, from + (size_t)(i * b->width) * in);
    }
}

/* ---- steps --------------------------------------------------------------------------------------- */

/* Rows of a block into one element each. The result may be where the block is: its elements come behind
 * those that they are made of. */
static void fold_block(const pod_loop_frame *f, const pod_loop_step *step, const pod_loop_block *b)
{
    char *result = pod_run_own_block(f, step->result);
    size_t size = pod_kernel_class_size(step->class_);
    pod_fold_function fold = f->kernels->fold[step->fold][step->class_];
    const char *from = f->registers[step->a];
    const float *times = step->b == UINT32_MAX ? NULL : (const float *)f->registers[step->b];
    for (int64_t i = 0; i < b->rows; i++) {
        uint64_t accumulator = step->first;
        const char *row = from + (size_t)(i * b->width) * size;
        if (times)
            f->kernels->fold_products(&accumulator, (const float *)row, times + i * b->width, (size_t)b->width);
        else
            fold(&accumulator, row, (size_t)b->width);
        memcpy(result + (size_t)i * size, &accumulator, size);
    }
    f->registers[step->result] = result;
}

/* One element a row over its columns; from the last one on, as the result may be where they are. */
static void spread_rows(const pod_loop_frame *f, const pod_loop_step *step, const pod_loop_block *b)
{
    char *result = pod_run_own_block(f, step->result);
    size_t size = pod_kernel_class_size(step->class_);
    const char *from = f->registers[step->a];
    for (int64_t i = b->rows; i-- > 0;)
        pod_kernel_line_copy(size, result + (size_t)(i * b->width) * size, 1, from + (size_t)i * size, 0, b->width);
    f->registers[step->result] = result;
}

static void step_by_row(const pod_loop_frame *f, const pod_loop_step *step, const pod_loop_block *b)
{
    char *result = pod_run_own_block(f, step->result);
    f->kernels->by_row[step->by_row](result, f->registers[step->a], f->registers[step->b], (size_t)b->rows,
                                     (size_t)b->width);
    f->registers[step->result] = result;
}

static void call_function(const pod_loop_frame *f, const pod_loop_step *step, int64_t count)
{
    char *result = pod_run_own_block(f, step->result);
    step->function(result, step->a == UINT32_MAX ? NULL : f->registers[step->a],
                   step->b == UINT32_MAX ? NULL : f->registers[step->b],
                   step->c == UINT32_MAX ? NULL : f->registers[step->c], (size_t)count);
    f->registers[step->result] = result;
}

static void step_elements(const pod_loop_frame *f, const pod_loop_step *step, const pod_loop_block *b)
{
    call_function(f, step, b->rows * b->width);
}

static void step_rows(const pod_loop_frame *f, const pod_loop_step *step, const pod_loop_block *b)
{
    call_function(f, step, b->rows);
}

/* What runs a step of a block. */
static void (*const step_executors[POD_STEP_KINDS])(const pod_loop_frame *f, const pod_loop_step *step,
                                                    const pod_loop_block *b) = {
    [POD_STEP_BLOCK] = step_elements, [POD_STEP_ROWS] = step_rows,     [POD_STEP_FOLD] = fold_block,
    [POD_STEP_SPREAD] = spread_rows,  [POD_STEP_BY_ROW] = step_by_row, [POD_STEP_ADAM] = run_adam,
};

/* ---- blocks -------------------------------------------------------------------------------------- */

static void run_block(const pod_loop_frame *f, const pod_loop_block *b)
{
    const pod_loop *loop = f->loop;
    uint32_t load = 0;
    for (uint32_t i = 0; i <= loop->step_count; i++) {
        for (; load < loop->load_count && loop->loads[load].at <= i; load++)
            if (!loop->loads[load].once)
                pod_run_load(f, &loop->loads[load], b);
        if (i == loop->step_count)
            break;
        step_executors[loop->steps[i].kind](f, &loop->steps[i], b);
    }
    for (uint32_t i = 0; i < loop->fold_count; i++)
        run_fold(f, &loop->folds[i], b);
    for (uint32_t i = 0; i < loop->store_count; i++)
        if (loop->stores[i].source != UINT32_MAX)
            run_store(f, &loop->stores[i], b);
}

/* Rows row .. end - 1 of a rectangle, so many in a block. */
static void run_rows(const pod_loop_frame *f, const pod_rectangle *r, int64_t row, int64_t end, int64_t rows)
{
    const pod_loop *loop = f->loop;
    for (int64_t stop; row < end; row = stop) {
        stop = pod_program_partial_end(loop, row, end);
        stop = stop - row > rows ? row + rows : stop;
        for (int64_t column = r->column; column < r->column_end; column += loop->block) {
            int64_t left = r->column_end - column;
            pod_loop_block b = {row, stop - row, column, left < loop->block ? left : loop->block};
            run_block(f, &b);
        }
    }
}

bool pod_run_blocks(pod_worker *worker, const pod_loop *loop, const pod_result_tile *tile, const pod_rectangle *r,
                    char *scratch)
{
    pod_loop_frame f = open_frame(worker, loop, tile, scratch);
    int64_t width = r->column_end - r->column;
    int64_t rows = width <= loop->block ? loop->block / width : 1;
    pod_loop_block once = {r->row, rows, r->column, width};
    for (uint32_t i = 0; i < loop->load_count; i++)
        if (loop->loads[i].once)
            pod_run_load(&f, &loop->loads[i], &once);
    int64_t piece = loop->pack_count ? POD_PACK_UNIT : r->row_end - r->row;
    for (int64_t row = r->row, end; row < r->row_end; row = end) {
        end = r->row_end - row < piece ? r->row_end : row + piece;
        run_rows(&f, r, row, end, rows);
        pod_run_packs(worker, loop, r, row, end, 0);
    }
    return true;
}
