/* run_loop - loops, by whatever runs them, and what combines the partial results of their folds. */

#include "engine/run_loop.h"

#include <assert.h>
#include <string.h>

/* What runs a loop: the first of these that takes it. What could is known from when the program was made. */
static bool (*const executors[])(pod_worker *worker, const pod_loop *loop, const pod_result_tile *tile,
                                 const pod_rectangle *r, char *scratch) = {
    pod_run_table,  /* its results by a byte are known */
    pod_run_finish, /* one kernel takes tiles of a product */
    pod_run_chains, /* rows stay in the CPU's registers */
    pod_run_blocks, /* any loop */
};

void pod_run_rectangle(pod_worker *worker, const pod_loop *loop, const pod_result_tile *tile, const pod_rectangle *r,
                       char *scratch)
{
    assert(r->row >= 0 && r->row <= r->row_end && r->row_end <= loop->rows);
    assert(r->column >= 0 && r->column <= r->column_end && r->column_end <= loop->columns);
    assert((uintptr_t)scratch % 64 == 0);
    for (int i = 0; !executors[i](worker, loop, tile, r, scratch); i++)
        ;
}

void pod_run_take_tile(void *context, float *tile, int64_t stride, int64_t row, int64_t column, int64_t rows,
                       int64_t columns)
{
    const pod_tile_taker *taker = context;
    row += taker->first_row;
    const pod_result_tile from = {tile, stride, row, column};
    const pod_rectangle to = {row, row + rows, column, column + columns};
    pod_run_rectangle(taker->worker, taker->loop, &from, &to, taker->scratch);
}

bool pod_run_loop(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end)
{
    pod_rectangle all = {begin, end, 0, instruction->loop->columns};
    pod_run_rectangle(worker, instruction->loop, NULL, &all, pod_run_worker_scratch(worker, instruction));
    return true;
}

bool pod_run_combine(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end)
{
    const pod_combine_detail *c = &instruction->combine;
    const pod_kernels *kernels = worker->run->program->kernels;
    pod_block_function add = kernels->element[pod_fold_elements[c->fold]][c->class_];
    size_t in = pod_kernel_class_size(c->class_), size = pod_dtype_size(c->dtype);
    const char *partials = pod_run_slot_memory(worker, instruction->slots[0]);
    char *result = pod_run_slot_memory(worker, instruction->slots[1]);
    char *sums = pod_run_worker_scratch(worker, instruction);
    for (int64_t at = begin; at < end; at += POD_BLOCK) {
        size_t count = (size_t)(end - at < POD_BLOCK ? end - at : POD_BLOCK);
        memcpy(sums, partials + (size_t)at * in, count * in);
        for (int64_t i = 1; i < c->partials; i++)
            add(sums, sums, partials + (size_t)(i * c->columns + at) * in, NULL, count);
        kernels->store[c->dtype](result + (size_t)at * size, sums, count);
    }
    return true;
}
