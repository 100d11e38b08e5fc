/* run_convolution - phases of convolutions: see kernels/convolution.h. */

#include "base/sizes.h"
#include "engine/run_loop.h"
#include "program/loop_plans.h"

/* Cuts a call to images begin .. end - 1. */
static void cut_to_images(pod_convolution_call *call, int64_t begin, int64_t end)
{
    pod_window_sizes *sizes = &call->sizes;
    bool turned = call->kind == POD_CONVOLVE_INPUT_GRADIENT;
    int64_t image =
        turned ? pod_kernel_volume(sizes->out) * sizes->filters : pod_kernel_volume(sizes->in) * sizes->channels;
    sizes->batch = end - begin;
    call->left = (const char *)call->left + begin * image * (int64_t)pod_dtype_size(call->dtype);
}

/* Runs units begin .. end - 1 of a phase, or the images with these numbers. */
static void run_units(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end)
{
    const pod_convolution_detail *c = &instruction->convolution;
    const uint32_t *slots = instruction->slots;
    char *scratch = pod_run_worker_scratch(worker, instruction);
    pod_convolution_call call = c->call;
    call.left = pod_run_slot_memory(worker, slots[c->left]);
    call.right = pod_run_slot_memory(worker, slots[c->right]);
    void *shared = pod_run_slot_memory(worker, slots[c->shared]);
    pod_tile_taker taker = {worker, c->epilogue, c->images ? begin * c->image_rows : 0, scratch + c->scratch_bytes};
    bool is_last = c->shared < instruction->operand_count;
    pod_sums_finish finish;
    if (is_last && c->epilogue && pod_run_finishes_sums(&taker, &finish) &&
        pod_kernel_convolution_finishes(&call, finish.dtype)) {
        call.finish = &finish;
    } else if (is_last && c->epilogue) {
        call.epilogue = pod_run_take_tile;
        call.epilogue_context = &taker;
    } else if (is_last) {
        call.result = (float *)pod_run_slot_memory(worker, slots[instruction->operand_count]) +
                      taker.first_row * call.result_stride;
    }
    if (c->images && call.kind == POD_CONVOLVE_KERNEL_GRADIENT) {
        if (call.is_pooled)
            call.pooling.positions = pod_run_slot_memory(worker, slots[c->positions]);
        pod_kernel_convolution_add_images(&call, begin, end, shared, scratch);
        return;
    }
    if (c->images) {
        cut_to_images(&call, begin, end);
        begin = 0;
        end = pod_kernel_convolution_units(&call, c->phase);
    }
    pod_kernel_convolution_run(&call, c->phase, begin, end, shared, scratch);
}

bool pod_run_convolution(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end)
{
    const pod_convolution_detail *c = &instruction->convolution;
    if (c->unit_rows) {
        begin /= c->unit_rows;
        end = pod_part_count(end, c->unit_rows);
    }
    int64_t step = c->call_images ? c->call_images : end - begin;
    for (int64_t at = begin; at < end; at += step)
        run_units(worker, instruction, at, at + step < end ? at + step : end);
    return true;
}
