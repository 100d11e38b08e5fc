/* run_product - matrix products, the packing of their operands, and the loops that take their tiles. */

#include "base/sizes.h"
#include "engine/run_loop.h"

bool pod_run_pack(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end)
{
    const pod_pack_detail *p = &instruction->pack;
    size_t size = pod_dtype_size(p->dtype);
    const char *from = pod_run_slot_memory(worker, instruction->slots[0]);
    char *to = pod_run_slot_memory(worker, instruction->slots[1]);
    from += p->offset * (int64_t)size;
    int64_t panels = pod_part_count(p->n, p->kernels->panel_columns);
    bool batched = p->outer > 1;
    for (int64_t o = batched ? begin : 0; o < (batched ? end : 1); o++)
        for (int64_t i = 0; i < p->inner; i++)
            pod_kernel_dot_pack_b(p->kernels, to + (uint64_t)(o * p->inner + i) * p->packed_bytes, p->dtype,
                                  from + (o * p->outer_stride + i * p->inner_stride) * (int64_t)size, p->k, p->n,
                                  p->k_stride, p->column_stride, batched ? 0 : begin, batched ? panels : end);
    return true;
}

static bool is_stopped(void *worker)
{
    return pod_run_is_stopped(worker);
}

/* Runs a part of one batch. */
static void run_batch(pod_worker *worker, const pod_instruction *instruction, int64_t batch, const pod_rectangle *part)
{
    const pod_product_detail *p = &instruction->product;
    char *scratch = pod_run_worker_scratch(worker, instruction);
    pod_tile_taker taker = {worker, p->epilogue, batch * p->call.m, scratch + p->scratch_bytes};
    int64_t outer = batch / p->inner, inner = batch % p->inner;
    size_t size = p->a_bytes;
    pod_dot_call call = p->call;
    call.a = (const char *)pod_run_slot_memory(worker, instruction->slots[0]) +
             (p->a_offset + outer * p->a_outer_stride + inner * p->a_inner_stride) * (int64_t)size;
    const char *b = pod_run_slot_memory(worker, instruction->slots[1]);
    int64_t b_offset = (p->b_offset + outer * p->b_outer_stride + inner * p->b_inner_stride) * (int64_t)size;
    call.b = p->packed_bytes ? b + (uint64_t)batch * p->packed_bytes : b + b_offset;
    pod_sums_finish finish;
    if (p->epilogue && call.n % POD_FINISH_LANES == 0 && pod_kernel_dot_finishes(p->kernels) &&
        pod_run_finishes_sums(&taker, &finish) && finish.dtype == POD_F32) {
        call.finish = &finish;
    } else if (p->epilogue) {
        call.epilogue = pod_run_take_tile;
        call.epilogue_context = &taker;
    } else {
        call.result = (float *)pod_run_slot_memory(worker, instruction->slots[2]) + batch * call.m * call.n;
    }
    call.begun = p->kernels->begin != NULL;
    call.stops = is_stopped;
    call.stops_context = worker;
    p->kernels->run(p->kernels, &call, part->row, part->row_end, part->column, part->column_end, scratch);
}

bool pod_run_product(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end)
{
    const pod_product_detail *p = &instruction->product;
    pod_rectangle all = {0, p->call.m, 0, p->call.n};
    if (p->kernels->begin)
        p->kernels->begin();
    if (p->by_columns) {
        all.column = begin * p->kernels->panel_columns;
        all.column_end = end * p->kernels->panel_columns;
        all.column_end = all.column_end < p->call.n ? all.column_end : p->call.n;
        run_batch(worker, instruction, 0, &all);
    } else if (p->outer > 1) {
        for (int64_t i = begin * p->inner; i < end * p->inner; i++)
            run_batch(worker, instruction, i, &all);
    } else {
        all.row = begin;
        all.row_end = end;
        run_batch(worker, instruction, 0, &all);
    }
    if (p->kernels->end)
        p->kernels->end();
    return worker->status == POD_OK;
}
