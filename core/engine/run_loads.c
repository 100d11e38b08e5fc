/* run_loads - what fills the registers of a loop: see program/loop.h. */

#include "engine/loop_frame.h"
#include "engine/row_tables.h"
#include "kernels/reference/walk.h"

#include <string.h>

/* The types that registers of a class have. */
static const pod_dtype class_types[POD_CLASS_COUNT] = {POD_F32, POD_F64, POD_S32, POD_U32, POD_S64, POD_U64};

/* True when a block register of the type's class is what is stored. */
static bool is_whole(pod_dtype dtype)
{
    return class_types[pod_kernel_class_of(dtype)] == dtype;
}

/* Elements `count` on from the one numbered `first`, by the strides of a view; `from` NULL gives their offsets, as s64.
 */
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
        if (from)
            pod_kernel_line_copy(size, to, 1, from + offset * (int64_t)size, stride, run);
        for (int64_t i = 0; i < run && !from; i++)
            ((int64_t *)to)[i] = offset + i * stride;
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

static void load_run(const pod_loop_frame *f, const pod_loop_load *load, int64_t first, int64_t count, char *to)
{
    size_t size = pod_dtype_size(load->dtype);
    if (load->access == POD_ACCESS_COUNT) {
        char *typed = f->staging + POD_BLOCK * 8;
        gather(load, NULL, 8, first, count, f->staging);
        pod_convert(POD_S64, f->staging, load->dtype, typed, (size_t)count);
        f->kernels->load[load->dtype](to, typed, (size_t)count);
        return;
    }
    const char *from = pod_run_frame_memory(f, load->slot);
    char *out = is_whole(load->dtype) ? to : f->staging;
    gather(load, from, size, first, count, out);
    if (out != to)
        f->kernels->load[load->dtype](to, out, (size_t)count);
}

static void load_strided(const pod_loop_frame *f, const pod_loop_load *load, const pod_loop_block *b, char *to)
{
    size_t size = pod_kernel_class_size(pod_kernel_class_of(load->dtype));
    if (b->width == f->loop->columns) {
        load_run(f, load, b->row * b->width, b->rows * b->width, to);
        return;
    }
    for (int64_t i = 0; i < b->rows; i++)
        load_run(f, load, (b->row + i) * f->loop->columns + b->column, b->width, to + (size_t)(i * b->width) * size);
}

/* Rows of memory that lie `stride` elements apart; returns where the block then is. */
static char *load_rows(const pod_loop_frame *f, pod_dtype dtype, char *from, int64_t stride, const pod_loop_block *b,
                       char *to)
{
    size_t size = pod_dtype_size(dtype), out = pod_kernel_class_size(pod_kernel_class_of(dtype));
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

/* Rows of a parameter that are given by address: see row_tables.c. */
static char *load_from_table(const pod_loop_frame *f, const pod_loop_load *load, const pod_loop_block *b, char *to)
{
    const pod_run *run = f->worker->run;
    const pod_row_table *table = &run->state->tables[run->program->slots[load->slot].index];
    size_t size = pod_dtype_size(load->dtype), out = pod_kernel_class_size(pod_kernel_class_of(load->dtype));
    bool whole = is_whole(load->dtype), together = b->width == f->loop->columns;
    pod_loop_block one = {b->row, together ? b->rows : 1, b->column, b->width};
    char *at = to;
    for (int64_t i = 0; i < b->rows; i += one.rows) {
        char *here = to + (size_t)(i * b->width) * out;
        pod_piece piece = {load->offset + (b->row + i) * f->loop->columns + b->column, one.rows * b->width, size};
        const char *from = pod_run_find_rows(table, &piece, whole ? here : f->staging);
        at = load_rows(f, load->dtype, (char *)(uintptr_t)from, b->width, &one, here);
        if (b->rows > one.rows && at != here)
            memcpy(here, at, (size_t)b->width * out);
    }
    return b->rows > one.rows ? to : at;
}

static void load_row_values(const pod_loop_frame *f, const pod_loop_load *load, const pod_loop_block *b, char *to)
{
    size_t size = pod_dtype_size(load->dtype), out = pod_kernel_class_size(pod_kernel_class_of(load->dtype));
    const char *from = pod_run_frame_memory(f, load->slot) + (size_t)(load->offset + b->row) * size;
    f->kernels->load[load->dtype](f->staging, from, (size_t)b->rows);
    for (int64_t i = 0; i < b->rows; i++)
        pod_kernel_line_copy(out, to + (size_t)(i * b->width) * out, 1, f->staging + (size_t)i * out, 0, b->width);
}

/* The elements themselves, where they lie when that is how registers have them. */
static char *load_rows_by_address(const pod_loop_frame *f, const pod_loop_load *load, const pod_loop_block *b, char *to)
{
    char *from = pod_run_frame_memory(f, load->slot) + (size_t)(load->offset + b->row) * pod_dtype_size(load->dtype);
    if (is_whole(load->dtype))
        return from;
    f->kernels->load[load->dtype](to, from, (size_t)b->rows);
    return to;
}

static void load_column_values(const pod_loop_frame *f, const pod_loop_load *load, const pod_loop_block *b, char *to)
{
    size_t size = pod_dtype_size(load->dtype), out = pod_kernel_class_size(pod_kernel_class_of(load->dtype));
    const char *from = pod_run_frame_memory(f, load->slot) + (size_t)(load->offset + b->column) * size;
    f->kernels->load[load->dtype](to, from, (size_t)b->width);
    for (int64_t i = 1; i < b->rows; i++)
        memcpy(to + (size_t)(i * b->width) * out, to, (size_t)b->width * out);
}

static void load_scalar(const pod_loop_frame *f, const pod_loop_load *load, char *to)
{
    const char *from = load->slot == POD_SLOT_END
                           ? (const char *)&load->element
                           : pod_run_frame_memory(f, load->slot) + (size_t)load->offset * pod_dtype_size(load->dtype);
    f->kernels->load[load->dtype](f->staging, from, 1);
    pod_kernel_line_copy(pod_kernel_class_size(pod_kernel_class_of(load->dtype)), to, 1, f->staging, 0, f->loop->block);
}

static void load_random(const pod_loop_frame *f, const pod_loop_load *load, const pod_loop_block *b, char *to)
{
    const uint64_t *state = (const uint64_t *)pod_run_frame_memory(f, load->slot);
    bool whole = b->width == f->loop->columns;
    int64_t pieces = whole ? 1 : b->rows, count = whole ? b->rows * b->width : b->width;
    for (int64_t i = 0; i < pieces; i++)
        f->kernels->random_bits((uint32_t *)to + i * count, state[0], load->seed, state[1],
                                (b->row + i) * f->loop->columns + b->column, load->row_elements, 0, (size_t)count);
}

void pod_run_load(const pod_loop_frame *f, const pod_loop_load *load, const pod_loop_block *b)
{
    char *to = pod_run_own_block(f, load->result), *at = to;
    int64_t columns = f->loop->columns;
    switch (load->access) {
    case POD_ACCESS_DENSE:
        at = pod_run_frame_memory(f, load->slot);
        if (!at) {
            at = load_from_table(f, load, b, to);
            break;
        }
        at += (size_t)(load->offset + b->row * columns + b->column) * pod_dtype_size(load->dtype);
        at = load->in_memory ? at : load_rows(f, load->dtype, at, columns, b, to);
        break;
    case POD_ACCESS_TILE:
        at = (char *)(f->tile->data + (b->row - f->tile->row) * f->tile->stride + (b->column - f->tile->column));
        at = load->in_memory ? at : load_rows(f, POD_F32, at, f->tile->stride, b, to);
        break;
    case POD_ACCESS_SCALAR:
        load_scalar(f, load, to);
        break;
    case POD_ACCESS_ROW:
        load_row_values(f, load, b, to);
        break;
    case POD_ACCESS_ROWS:
        at = load_rows_by_address(f, load, b, to);
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
