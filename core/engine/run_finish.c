/*
 * run_finish - loops behind products that do no more than the kernel of kernels/finish.h, as program/find_finish.c has
 * found them to do, run by it, some rows at a time.
 */

#include "engine/run_loop.h"

#include "kernels/dot.h"
#include "program/loop_plans.h"

/* An element of what lies as the loop's elements do. NULL: rows by address. */
static const char *element_of(pod_worker *worker, const pod_loop *loop, const pod_loop_load *load, int64_t row,
                              int64_t column)
{
    const char *from = pod_run_slot_memory(worker, load->slot);
    if (!from)
        return NULL;
    return from + (size_t)(load->offset + row * loop->columns + column) * pod_dtype_size(load->dtype);
}

/* What columns have, as it lies or, where that is not f32, where `free` points, which goes on behind; NULL: nothing. */
static const float *load_columns(pod_worker *worker, const pod_loop_load *load, int64_t column, int64_t width,
                                 float **free)
{
    if (!load)
        return NULL;
    const char *from = (const char *)pod_run_slot_memory(worker, load->slot) +
                       (size_t)(load->offset + column) * pod_dtype_size(load->dtype);
    if (load->dtype == POD_F32)
        return (const float *)from;
    float *to = *free;
    worker->run->program->kernels->load[load->dtype](to, from, (size_t)width);
    *free = to + width;
    return to;
}

/* The pack that the kernel does; its number, or 64. */
static uint32_t find_pack(const pod_worker *worker, const pod_loop *loop, const pod_loop_finish *what)
{
    for (uint32_t i = 0; i < loop->pack_count && i < 64; i++) {
        const pod_loop_pack *pack = &loop->packs[i];
        const pod_dot_family *family = pack->kernels->family;
        if (pack->source == what->store->slot && pack->dtype == POD_BF16 && !pack->turned &&
            (!pack->kept || worker->run->keeps) && family->packed_bytes == 2 &&
            (family->k_unit == 2 || family->k_unit == POD_PACK_UNIT) && family->vector_columns == POD_FINISH_LANES)
            return i;
    }
    return 64;
}

/* Sets what lies where rows row .. row + rows - 1 do. */
static void set_rows(pod_worker *worker, const pod_loop *loop, const pod_loop_finish *what, pod_finish *f, int64_t row,
                     int64_t rows, int64_t column)
{
    f->rows = rows;
    f->add = what->add ? element_of(worker, loop, what->add, row, column) : NULL;
    f->mask = what->mask ? element_of(worker, loop, what->mask, row, column) : NULL;
    f->slope_at = what->slope_at ? element_of(worker, loop, what->slope_at, row, column) : NULL;
    f->before = what->before
                    ? (uint16_t *)pod_run_slot_memory(worker, what->before->slot) + row * loop->columns + column
                    : NULL;
    f->result = (char *)pod_run_slot_memory(worker, what->store->slot) +
                (size_t)(row * loop->columns + column) * pod_dtype_size(f->dtype);
    if (!what->fold)
        return;
    f->first = row % what->fold->partial_rows == 0;
    f->sums = (float *)pod_run_slot_memory(worker, what->fold->slot) + row / what->fold->partial_rows * loop->columns +
              column;
}

static void set_pack(pod_worker *worker, const pod_loop *loop, uint32_t index, pod_finish *f, int64_t row,
                     int64_t column)
{
    f->pack.packed = NULL;
    if (index == 64 || f->rows != POD_PACK_UNIT)
        return;
    const pod_loop_pack *pack = &loop->packs[index];
    f->pack = (pod_finish_pack){
        .packed = pod_run_slot_memory(worker, pack->slot),
        .streams = pod_run_pack_streams(worker, pack),
        .k = loop->rows,
        .n = loop->columns,
        .k_begin = row,
        .column = column,
        .k_unit = pack->kernels->family->k_unit,
        .panel_columns = pack->kernels->family->panel_columns,
    };
}

bool pod_run_finish(pod_worker *worker, const pod_loop *loop, const pod_result_tile *tile, const pod_rectangle *r,
                    char *scratch)
{
    const pod_kernels *kernels = worker->run->program->kernels;
    const int64_t width = r->column_end - r->column;
    const pod_loop_finish *what = loop->finish;
    if (!what || !tile || width % POD_FINISH_LANES != 0 || width > loop->block ||
        (what->add && !pod_run_slot_memory(worker, what->add->slot)) ||
        (what->mask && !pod_run_slot_memory(worker, what->mask->slot)) ||
        (what->slope_at && !pod_run_slot_memory(worker, what->slope_at->slot)))
        return false;
    const uint32_t packed = find_pack(worker, loop, what);
    pod_finish f = {.tile_stride = tile->stride,
                    .rounds = what->rounds,
                    .columns = width,
                    .add_dtype = what->add ? what->add->dtype : POD_F32,
                    .mask_dtype = what->mask       ? what->mask->dtype
                                  : what->slope_at ? what->slope_at->dtype
                                                   : POD_F32,
                    .dtype = what->store->dtype,
                    .relu = what->relu,
                    .most = what->most,
                    .gelu = what->gelu,
                    .stride = loop->columns};
    float *of_columns = (float *)scratch;
    f.bias = load_columns(worker, what->bias, r->column, width, &of_columns);
    f.scale = load_columns(worker, what->scale, r->column, width, &of_columns);
    f.shift = load_columns(worker, what->shift, r->column, width, &of_columns);
    for (int64_t row = r->row, end; row < r->row_end; row = end) {
        end = (row / POD_PACK_UNIT + 1) * POD_PACK_UNIT;
        end = end < r->row_end ? end : r->row_end;
        f.tile = tile->data + (row - tile->row) * tile->stride + (r->column - tile->column);
        set_rows(worker, loop, what, &f, row, end - row, r->column);
        set_pack(worker, loop, packed, &f, row, r->column);
        f.ahead = r->row_end - end;
        kernels->finish(&f);
        pod_run_packs(worker, loop, r, row, end, f.pack.packed ? UINT64_C(1) << packed : 0);
    }
    return true;
}

static bool is_f32(const pod_loop_load *load)
{
    return !load || load->dtype == POD_F32;
}

bool pod_run_finishes_sums(const pod_tile_taker *taker, pod_sums_finish *finish)
{
    const pod_loop *loop = taker->loop;
    const pod_loop_finish *what = loop->finish;
    if (!what || what->mask || what->gelu || what->slope_at || what->fold || loop->pack_count || what->rounds.bias ||
        what->rounds.shift || what->rounds.add || what->rounds.result || !is_f32(what->add) ||
        (loop->columns > loop->block && !(is_f32(what->bias) && is_f32(what->scale) && is_f32(what->shift))))
        return false;
    float *free = (float *)taker->scratch;
    const char *add = what->add ? element_of(taker->worker, loop, what->add, taker->first_row, 0) : NULL;
    if (what->add && !add)
        return false;
    const int64_t first = taker->first_row * loop->columns;
    *finish = (pod_sums_finish){.rounds = what->rounds.tile,
                                .bias = load_columns(taker->worker, what->bias, 0, loop->columns, &free),
                                .scale = load_columns(taker->worker, what->scale, 0, loop->columns, &free),
                                .shift = load_columns(taker->worker, what->shift, 0, loop->columns, &free),
                                .add = (const float *)add,
                                .relu = what->relu,
                                .most = what->most,
                                .dtype = what->store->dtype,
                                .to = (char *)pod_run_slot_memory(taker->worker, what->store->slot) +
                                      (size_t)first * pod_dtype_size(what->store->dtype),
                                .stride = loop->columns};
    return true;
}
