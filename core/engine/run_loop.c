/*
 * run_loop - runs fused loops block by block: see program/loop.h. A rectangle of rows and columns is cut
 * into blocks of whole rows, or of pieces of one row. Blocks never cross a chunk of a fold over rows, and
 * begin where a chunk begins: so sums do not depend on which thread takes which rows.
 */

#include "engine/run_loop.h"

#include "engine/row_tables.h"

#include <assert.h>
#include <string.h>

/* The types that registers of a class have. */
static const pod_dtype class_types[POD_CLASS_COUNT] = {POD_F32, POD_F64, POD_S32, POD_U32, POD_S64, POD_U64};

/* Registers point into `blocks`, or where a load found its elements lying as they should. */
typedef struct frame {
    pod_worker *worker;
    const pod_kernels *kernels;
    const pod_loop *loop;
    const pod_result_tile *tile; /* NULL: none */
    char *blocks, *staging;
    char **registers;
} frame;

/* A block: rows row .. row + rows - 1, columns column .. column + width - 1. */
typedef struct block {
    int64_t row, rows, column, width;
} block;

static frame open_frame(pod_worker *worker, const pod_loop *loop, const pod_result_tile *tile, char *scratch)
{
    frame f = {worker, worker->run->program->kernels, loop, tile, scratch, NULL, NULL};
    f.staging = scratch + (size_t)loop->register_count * loop->register_bytes;
    f.registers = (char **)(f.staging + POD_LOOP_STAGING);
    return f;
}

static char *own_block(const frame *f, uint32_t index)
{
    return f->blocks + (size_t)index * f->loop->register_bytes;
}

static char *memory_of(const frame *f, uint32_t slot)
{
    return pod_slot_memory(f->worker, slot);
}

/* True when a block register of the type's class is what is stored. */
static bool is_whole(pod_dtype dtype)
{
    return class_types[pod_class_of(dtype)] == dtype;
}

static void fill(char *to, const void *element, size_t size, int64_t count)
{
    if (size == 4) {
        uint32_t value, *out = (uint32_t *)to;
        memcpy(&value, element, 4);
        for (int64_t i = 0; i < count; i++)
            out[i] = value;
    } else {
        uint64_t value, *out = (uint64_t *)to;
        memcpy(&value, element, 8);
        for (int64_t i = 0; i < count; i++)
            out[i] = value;
    }
}

/* ---- loads ---------------------------------------------------------------------------------------- */

/* Elements `count` on from the one numbered `first`, by the strides of a view. */
static void gather(const pod_loop_load *load, const char *from, size_t size, int64_t first, int64_t count, char *to)
{
    int64_t at[POD_MAX_RANK], offset = load->offset, rest = first;
    int32_t inner = load->shape.rank - 1;
    for (int32_t i = inner; i >= 0; i--) {
        at[i] = rest % load->shape.dims[i];
        rest /= load->shape.dims[i];
        offset += at[i] * load->strides[i];
    }
    int64_t stride = load->strides[inner];
    while (count > 0) {
        int64_t run = load->shape.dims[inner] - at[inner];
        run = run < count ? run : count;
        pod_copy_strided(to, from ? from + offset * (int64_t)size : NULL, offset, stride, size, run);
        to += (size_t)run * size;
        count -= run;
        at[inner] += run;
        offset += run * stride;
        for (int32_t i = inner; i > 0 && at[i] == load->shape.dims[i]; i--) {
            offset += load->strides[i - 1] - at[i] * load->strides[i];
            at[i] = 0;
            at[i - 1]++;
        }
    }
}

/* `from` NULL gives the offsets themselves, as s64. */
void pod_copy_strided(char *to, const char *from, int64_t offset, int64_t stride, size_t size, int64_t count)
{
    if (!from) {
        for (int64_t i = 0; i < count; i++)
            ((int64_t *)to)[i] = offset + i * stride;
    } else if (stride == 1) {
        memcpy(to, from, (size_t)count * size);
    } else if (size == 4) {
        for (int64_t i = 0; i < count; i++)
            ((uint32_t *)to)[i] = ((const uint32_t *)from)[i * stride];
    } else if (size == 2) {
        for (int64_t i = 0; i < count; i++)
            ((uint16_t *)to)[i] = ((const uint16_t *)from)[i * stride];
    } else if (size == 8) {
        for (int64_t i = 0; i < count; i++)
            ((uint64_t *)to)[i] = ((const uint64_t *)from)[i * stride];
    } else {
        for (int64_t i = 0; i < count; i++)
            to[i] = from[i * stride];
    }
}

static void load_run(const frame *f, const pod_loop_load *load, int64_t first, int64_t count, char *to)
{
    size_t size = pod_dtype_size(load->dtype);
    if (load->access == POD_ACCESS_COUNT) {
        char *typed = f->staging + POD_BLOCK * 8;
        gather(load, NULL, 8, first, count, f->staging);
        pod_convert(POD_S64, f->staging, load->dtype, typed, (size_t)count);
        f->kernels->load[load->dtype](to, typed, (size_t)count);
        return;
    }
    const char *from = memory_of(f, load->slot);
    char *out = is_whole(load->dtype) ? to : f->staging;
    gather(load, from, size, first, count, out);
    if (out != to)
        f->kernels->load[load->dtype](to, out, (size_t)count);
}

static void load_strided(const frame *f, const pod_loop_load *load, const block *b, char *to)
{
    size_t size = pod_class_size(pod_class_of(load->dtype));
    if (b->width == f->loop->columns) {
        load_run(f, load, b->row * b->width, b->rows * b->width, to);
        return;
    }
    for (int64_t i = 0; i < b->rows; i++)
        load_run(f, load, (b->row + i) * f->loop->columns + b->column, b->width, to + (size_t)(i * b->width) * size);
}

/* Rows of memory that lie `stride` elements apart; returns where the block then is. */
static char *load_rows(const frame *f, pod_dtype dtype, char *from, int64_t stride, const block *b, char *to)
{
    size_t size = pod_dtype_size(dtype), out = pod_class_size(pod_class_of(dtype));
    bool whole = is_whole(dtype);
    if (stride == b->width || b->rows == 1) {
        if (whole)
            return from;
        f->kernels->load[dtype](to, from, (size_t)(b->rows * b->width));
        return to;
    }
    for (int64_t i = 0; i < b->rows; i++) {
        char *row = to + (size_t)(i * b->width) * out;
        const char *source = from + (size_t)(i * stride) * size;
        if (whole)
            memcpy(row, source, (size_t)b->width * size);
        else
            f->kernels->load[dtype](row, source, (size_t)b->width);
    }
    return to;
}

/* Rows of a parameter that lie apart: see row_tables.c. */
static char *load_from_table(const frame *f, const pod_loop_load *load, const block *b, char *to)
{
    const pod_run *run = f->worker->run;
    const pod_row_table *table = &run->state->tables[run->program->slots[load->slot].index];
    size_t size = pod_dtype_size(load->dtype), out = pod_class_size(pod_class_of(load->dtype));
    bool whole = is_whole(load->dtype), together = b->width == f->loop->columns;
    block one = {b->row, together ? b->rows : 1, b->column, b->width};
    char *at = to;
    for (int64_t i = 0; i < b->rows; i += one.rows) {
        char *here = to + (size_t)(i * b->width) * out;
        pod_piece piece = {load->offset + (b->row + i) * f->loop->columns + b->column, one.rows * b->width, size};
        const char *from = pod_find_rows(table, &piece, whole ? here : f->staging);
        at = load_rows(f, load->dtype, (char *)(uintptr_t)from, b->width, &one, here);
        if (b->rows > one.rows && at != here)
            memcpy(here, at, (size_t)b->width * out);
    }
    return b->rows > one.rows ? to : at;
}

static void load_row_values(const frame *f, const pod_loop_load *load, const block *b, char *to)
{
    size_t size = pod_dtype_size(load->dtype), out = pod_class_size(pod_class_of(load->dtype));
    const char *from = memory_of(f, load->slot) + (size_t)(load->offset + b->row) * size;
    f->kernels->load[load->dtype](f->staging, from, (size_t)b->rows);
    for (int64_t i = 0; i < b->rows; i++)
        fill(to + (size_t)(i * b->width) * out, f->staging + (size_t)i * out, out, b->width);
}

/* The elements themselves, where they lie when that is how registers have them. */
static char *load_rows_apart(const frame *f, const pod_loop_load *load, const block *b, char *to)
{
    char *from = memory_of(f, load->slot) + (size_t)(load->offset + b->row) * pod_dtype_size(load->dtype);
    if (is_whole(load->dtype))
        return from;
    f->kernels->load[load->dtype](to, from, (size_t)b->rows);
    return to;
}

static void load_column_values(const frame *f, const pod_loop_load *load, const block *b, char *to)
{
    size_t size = pod_dtype_size(load->dtype), out = pod_class_size(pod_class_of(load->dtype));
    const char *from = memory_of(f, load->slot) + (size_t)(load->offset + b->column) * size;
    f->kernels->load[load->dtype](to, from, (size_t)b->width);
    for (int64_t i = 1; i < b->rows; i++)
        memcpy(to + (size_t)(i * b->width) * out, to, (size_t)b->width * out);
}

static void load_scalar(const frame *f, const pod_loop_load *load, char *to)
{
    const char *from = load->slot == POD_SLOT_END
                           ? (const char *)&load->element
                           : memory_of(f, load->slot) + (size_t)load->offset * pod_dtype_size(load->dtype);
    f->kernels->load[load->dtype](f->staging, from, 1);
    fill(to, f->staging, pod_class_size(pod_class_of(load->dtype)), f->loop->block);
}

static void load_random(const frame *f, const pod_loop_load *load, const block *b, char *to)
{
    const uint64_t *state = (const uint64_t *)memory_of(f, load->slot);
    bool whole = b->width == f->loop->columns;
    int64_t pieces = whole ? 1 : b->rows, count = whole ? b->rows * b->width : b->width;
    for (int64_t i = 0; i < pieces; i++)
        f->kernels->random_bits((uint32_t *)to + i * count, state[0], load->seed, state[1],
                                (b->row + i) * f->loop->columns + b->column, load->row_elements, 0, (size_t)count);
}

static void run_load(const frame *f, const pod_loop_load *load, const block *b)
{
    char *to = own_block(f, load->result), *at = to;
    int64_t columns = f->loop->columns;
    switch (load->access) {
    case POD_ACCESS_DENSE:
        at = memory_of(f, load->slot);
        if (!at) {
            at = load_from_table(f, load, b, to);
            break;
        }
        at += (size_t)(load->offset + b->row * columns + b->column) * pod_dtype_size(load->dtype);
        at = load->apart ? at : load_rows(f, load->dtype, at, columns, b, to);
        break;
    case POD_ACCESS_TILE:
        at = (char *)(f->tile->data + (b->row - f->tile->row) * f->tile->stride + (b->column - f->tile->column));
        at = load->apart ? at : load_rows(f, POD_F32, at, f->tile->stride, b, to);
        break;
    case POD_ACCESS_SCALAR:
        load_scalar(f, load, to);
        break;
    case POD_ACCESS_ROW:
        load_row_values(f, load, b, to);
        break;
    case POD_ACCESS_ROWS:
        at = load_rows_apart(f, load, b, to);
        break;
    case POD_ACCESS_COLUMN:
        load_column_values(f, load, b, to);
        break;
    case POD_ACCESS_RANDOM:
        load_random(f, load, b, to);
        break;
    case POD_ACCESS_STRIDED:
    case POD_ACCESS_COUNT:
        load_strided(f, load, b, to);
        break;
    }
    f->registers[load->result] = at;
}

/* ---- Adam ------------------------------------------------------------------------------------------ */

/* Where a result goes, and how far apart its rows are. */
static float *adam_result(const frame *f, const pod_loop_adam *adam, int index, const block *b, int64_t *stride)
{
    *stride = b->width;
    if (adam->slots[index] == POD_SLOT_END) {
        char *to = own_block(f, adam->results[index]);
        f->registers[adam->results[index]] = to;
        return (float *)to;
    }
    *stride = f->loop->columns;
    return (float *)memory_of(f, adam->slots[index]) + b->row * f->loop->columns + b->column;
}

static void run_adam(const frame *f, const pod_loop_adam *adam, const block *b)
{
    const int64_t strides[POD_ROWS_KINDS] = {b->width, f->loop->columns, f->tile ? f->tile->stride : b->width};
    pod_adam_rows all = {.rows = b->rows,
                         .width = b->width,
                         .alpha = *(const float *)f->registers[adam->operands[4]],
                         .room = (float *)own_block(f, adam->operands[3])};
    for (int i = 0; i < 4; i++) {
        all.from[i] = (const float *)f->registers[adam->operands[i]];
        all.from_strides[i] = strides[adam->rows[i]];
    }
    for (int i = 0; i < 3; i++)
        all.to[i] = adam_result(f, adam, i, b, &all.to_strides[i]);
    pod_run_adam(f->kernels, adam, all);
}

/* ---- stores and folds ----------------------------------------------------------------------------- */

static void run_store(const frame *f, const pod_loop_store *store, const block *b)
{
    size_t size = pod_dtype_size(store->dtype);
    size_t in = pod_class_size(pod_class_of(store->dtype));
    int64_t columns = f->loop->columns;
    if (store->by_rows) {
        f->kernels->store[store->dtype](memory_of(f, store->slot) + (size_t)b->row * size, f->registers[store->source],
                                        (size_t)b->rows);
        return;
    }
    char *to = memory_of(f, store->slot) + (size_t)(b->row * columns + b->column) * size;
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
static void fold_row(const frame *f, const pod_loop_fold *fold, const block *b, int64_t row, const char *from)
{
    char *accumulator = f->blocks + fold->scratch;
    size_t size = pod_dtype_size(fold->dtype);
    if (b->column == 0)
        memcpy(accumulator, &fold->first, 8);
    f->kernels->fold[fold->fold][fold->class_](accumulator, from, (size_t)b->width);
    if (b->column + b->width == f->loop->columns)
        f->kernels->store[fold->dtype](memory_of(f, fold->slot) + (size_t)row * size, accumulator, 1);
}

/* [columns, inner] of a row into `inner` elements of the result. */
static void fold_row_inner(const frame *f, const pod_loop_fold *fold, const block *b, int64_t row, const char *from)
{
    char *accumulator = f->blocks + fold->scratch;
    size_t in = pod_class_size(fold->class_), size = pod_dtype_size(fold->dtype);
    pod_block_function add = f->kernels->element[pod_fold_elements[fold->fold]][fold->class_];
    if (b->column == 0)
        fill(accumulator, &fold->first, in, fold->inner);
    for (int64_t done = 0; done < b->width;) {
        int64_t at = (b->column + done) % fold->inner;
        int64_t run = fold->inner - at < b->width - done ? fold->inner - at : b->width - done;
        char *to = accumulator + (size_t)at * in;
        add(to, to, from + (size_t)done * in, NULL, (size_t)run);
        done += run;
    }
    if (b->column + b->width != f->loop->columns)
        return;
    char *result = memory_of(f, fold->slot) + (size_t)(row * fold->inner) * size;
    for (int64_t at = 0; at < fold->inner; at += POD_BLOCK) {
        int64_t count = fold->inner - at < POD_BLOCK ? fold->inner - at : POD_BLOCK;
        f->kernels->store[fold->dtype](result + (size_t)at * size, accumulator + (size_t)at * in, (size_t)count);
    }
}

/* Rows into the partial of their chunk. */
static void fold_columns(const frame *f, const pod_loop_fold *fold, const block *b, const char *from)
{
    size_t in = pod_class_size(fold->class_);
    pod_block_function add = f->kernels->element[pod_fold_elements[fold->fold]][fold->class_];
    char *partial = memory_of(f, fold->slot) + (size_t)(b->row / fold->chunk * fold->inner + b->column) * in;
    int64_t first = 0;
    if (b->row % fold->chunk == 0) {
        memcpy(partial, from, (size_t)b->width * in);
        first = 1;
    }
    for (int64_t i = first; i < b->rows; i++)
        add(partial, partial, from + (size_t)(i * b->width) * in, NULL, (size_t)b->width);
}

static void fold_all(const frame *f, const pod_loop_fold *fold, const block *b, const char *from)
{
    size_t in = pod_class_size(fold->class_);
    char *partial = memory_of(f, fold->slot) + (size_t)(b->row / fold->chunk) * in;
    if (b->row % fold->chunk == 0 && b->column == 0)
        memcpy(partial, &fold->first, in);
    f->kernels->fold[fold->fold][fold->class_](partial, from, (size_t)(b->rows * b->width));
}

static void run_fold(const frame *f, const pod_loop_fold *fold, const block *b)
{
    const char *from = f->registers[fold->source];
    size_t in = pod_class_size(fold->class_);
    if (!fold->by_rows && fold->inner == f->loop->columns && f->loop->columns > 1) {
        fold_columns(f, fold, b, from);
    } else if (!fold->by_rows) {
        fold_all(f, fold, b, from);
    } else {
        for (int64_t i = 0; i < b->rows; i++)
            (fold->inner == 1 ? fold_row : fold_row_inner)(f, fold, b, b->row + i, from + (size_t)(i * b->width) * in);
    }
}

/* ---- steps ---------------------------------------------------------------------------------------- */

/* Rows of a block into one element each. The result may be where the block is: its elements come behind
 * those that they are made of. */
static void fold_block(const frame *f, const pod_loop_step *step, const block *b, char *result)
{
    size_t size = pod_class_size(step->class_);
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
}

/* One element a row over its columns; from the last one on, as the result may be where they are. */
static void spread_rows(const frame *f, const pod_loop_step *step, const block *b, char *result)
{
    size_t size = pod_class_size(step->class_);
    const char *from = f->registers[step->a];
    for (int64_t i = b->rows; i-- > 0;)
        fill(result + (size_t)(i * b->width) * size, from + (size_t)i * size, size, b->width);
}

static void run_step(const frame *f, const pod_loop_step *step, const block *b)
{
    if (step->adam) {
        run_adam(f, step->adam, b);
        return;
    }
    char *result = own_block(f, step->result);
    if (step->kind == POD_STEP_FOLD)
        fold_block(f, step, b, result);
    else if (step->kind == POD_STEP_SPREAD)
        spread_rows(f, step, b, result);
    else if (step->kind == POD_STEP_BY_ROW)
        f->kernels->by_row[step->by_row](result, f->registers[step->a], f->registers[step->b], (size_t)b->rows,
                                         (size_t)b->width);
    else
        step->function(result, step->a == UINT32_MAX ? NULL : f->registers[step->a],
                       step->b == UINT32_MAX ? NULL : f->registers[step->b],
                       step->c == UINT32_MAX ? NULL : f->registers[step->c],
                       (size_t)(step->kind == POD_STEP_ROWS ? b->rows : b->rows * b->width));
    f->registers[step->result] = result;
}

/* ---- blocks --------------------------------------------------------------------------------------- */

static void run_block(const frame *f, const block *b)
{
    const pod_loop *loop = f->loop;
    uint32_t load = 0;
    for (uint32_t i = 0; i <= loop->step_count; i++) {
        for (; load < loop->load_count && loop->loads[load].at <= i; load++)
            if (!loop->loads[load].once)
                run_load(f, &loop->loads[load], b);
        if (i == loop->step_count)
            break;
        run_step(f, &loop->steps[i], b);
    }
    for (uint32_t i = 0; i < loop->fold_count; i++)
        run_fold(f, &loop->folds[i], b);
    for (uint32_t i = 0; i < loop->store_count; i++)
        if (loop->stores[i].source != UINT32_MAX)
            run_store(f, &loop->stores[i], b);
}

int64_t pod_chunk_end(const pod_loop *loop, int64_t row, int64_t end)
{
    for (uint32_t i = 0; i < loop->fold_count; i++) {
        if (loop->folds[i].by_rows)
            continue;
        int64_t stop = (row / loop->folds[i].chunk + 1) * loop->folds[i].chunk;
        end = stop < end ? stop : end;
    }
    return end;
}

/* Rows row .. end - 1 of a rectangle, so many in a block. */
static void run_rows(const frame *f, const pod_rectangle *r, int64_t row, int64_t end, int64_t rows)
{
    const pod_loop *loop = f->loop;
    for (int64_t stop; row < end; row = stop) {
        stop = pod_chunk_end(loop, row, end);
        stop = stop - row > rows ? row + rows : stop;
        for (int64_t column = r->column; column < r->column_end; column += loop->block) {
            int64_t left = r->column_end - column;
            block b = {row, stop - row, column, left < loop->block ? left : loop->block};
            run_block(f, &b);
        }
    }
}

/* Runs any loop, block by block. */
static bool run_blocks(pod_worker *worker, const pod_loop *loop, const pod_result_tile *tile, const pod_rectangle *r,
                       char *scratch)
{
    frame f = open_frame(worker, loop, tile, scratch);
    int64_t width = r->column_end - r->column;
    int64_t rows = width <= loop->block ? loop->block / width : 1;
    block once = {r->row, rows, r->column, width};
    for (uint32_t i = 0; i < loop->load_count; i++)
        if (loop->loads[i].once)
            run_load(&f, &loop->loads[i], &once);
    int64_t strip = loop->pack_count ? POD_PACK_GRAIN : r->row_end - r->row;
    for (int64_t row = r->row, end; row < r->row_end; row = end) {
        end = r->row_end - row < strip ? r->row_end : row + strip;
        run_rows(&f, r, row, end, rows);
        pod_run_packs(worker, loop, r, row, end, 0);
    }
    return true;
}

/* What runs a loop: the first of these that takes it. What could is known from when the program was made. */
static bool (*const executors[])(pod_worker *worker, const pod_loop *loop, const pod_result_tile *tile,
                                 const pod_rectangle *r, char *scratch) = {pod_run_finish, pod_run_chains, run_blocks};

void pod_run_rectangle(pod_worker *worker, const pod_loop *loop, const pod_result_tile *tile, const pod_rectangle *r,
                       char *scratch)
{
    assert(r->row >= 0 && r->row <= r->row_end && r->row_end <= loop->rows);
    assert(r->column >= 0 && r->column <= r->column_end && r->column_end <= loop->columns);
    assert((uintptr_t)scratch % 64 == 0);
    for (int i = 0; !executors[i](worker, loop, tile, r, scratch); i++)
        ;
}

bool pod_run_loop(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end)
{
    if (instruction->table) {
        pod_run_table(worker, instruction, begin, end);
        return true;
    }
    pod_rectangle all = {begin, end, 0, instruction->loop->columns};
    pod_run_rectangle(worker, instruction->loop, NULL, &all, pod_worker_scratch(worker, instruction));
    return true;
}

bool pod_run_combine(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end)
{
    const pod_combine_detail *c = &instruction->combine;
    const pod_kernels *kernels = worker->run->program->kernels;
    pod_block_function add = kernels->element[pod_fold_elements[c->fold]][c->class_];
    size_t in = pod_class_size(c->class_), size = pod_dtype_size(c->dtype);
    const char *partials = pod_slot_memory(worker, instruction->slots[0]);
    char *result = pod_slot_memory(worker, instruction->slots[1]);
    char *sums = pod_worker_scratch(worker, instruction);
    for (int64_t at = begin; at < end; at += POD_BLOCK) {
        size_t count = (size_t)(end - at < POD_BLOCK ? end - at : POD_BLOCK);
        memcpy(sums, partials + (size_t)at * in, count * in);
        for (int64_t i = 1; i < c->chunks; i++)
            add(sums, sums, partials + (size_t)(i * c->columns + at) * in, NULL, count);
        kernels->store[c->dtype](result + (size_t)at * size, sums, count);
    }
    return true;
}
