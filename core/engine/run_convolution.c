/* run_convolution - phases of convolutions: see kernels/convolution.h. */

#include "engine/run_loop.h"

/* Takes the tiles of the last phase. */
typedef struct tile_taker {
    pod_worker *worker;
    const pod_loop *loop;
    int64_t first_row;
    char *scratch;
} tile_taker;

static void take_tile(void *context, float *tile, int64_t stride, int64_t row, int64_t column,
                      int64_t rows, int64_t columns)
{
    const tile_taker *taker = context;
    row += taker->first_row;
    pod_tile from = {tile, stride, row, column};
    pod_rectangle to = {row, row + rows, column, column + columns};
    pod_run_rectangle(taker->worker, taker->loop, &from, &to, taker->scratch);
}

/* Cuts a call to images begin .. end - 1. */
static void cut_to_images(pod_convolution_call *call, int64_t begin, int64_t end)
{
    pod_convolution_sizes *sizes = &call->sizes;
    bool turned = call->kind == POD_CONVOLVE_INPUT_GRADIENT;
    int64_t image = turned ? sizes->filters : sizes->channels;
    for (int i = 0; i < POD_MAX_SPATIAL; i++)
        image *= turned ? sizes->out[i] : sizes->in[i];
    sizes->batch = end - begin;
    call->left = (const char *)call->left + begin * image * (int64_t)pod_dtype_size(call->dtype);
}

/* Runs units begin .. end - 1 of a phase, or the images with these numbers. */
static void run_units(pod_worker *worker, const pod_instruction *instruction, int64_t begin,
                      int64_t end)
{
    const pod_convolution_detail *c = &instruction->convolution;
    const uint32_t *slots = instruction->slots;
    char *scratch = pod_worker_scratch(worker, instruction);
    pod_convolution_call call = c->call;
    call.left = pod_slot_memory(worker, slots[c->left]);
    call.right = pod_slot_memory(worker, slots[c->right]);
    void *shared = pod_slot_memory(worker, slots[c->shared]);
    tile_taker taker = {worker, c->epilogue, c->images ? begin * c->image_rows : 0,
                        scratch + c->scratch_bytes};
    bool is_last = c->shared < instruction->operand_count;
    if (is_last && c->epilogue) {
        call.epilogue = take_tile;
        call.epilogue_context = &taker;
    } else if (is_last) {
        call.result = (float *)pod_slot_memory(worker, slots[instruction->operand_count]) +
                      taker.first_row * call.result_stride;
    }
    if (c->images) {
        cut_to_images(&call, begin, end);
        begin = 0;
        end = pod_convolution_units(&call, c->phase);
    }
    pod_convolution_run(&call, c->phase, begin, end, shared, scratch);
}

bool pod_run_convolution(pod_worker *worker, const pod_instruction *instruction, int64_t begin,
                         int64_t end)
{
    const pod_convolution_detail *c = &instruction->convolution;
    if (c->unit_rows) {
        begin /= c->unit_rows;
        end = (end + c->unit_rows - 1) / c->unit_rows;
    }
    int64_t step = c->call_images ? c->call_images : end - begin;
    for (int64_t at = begin; at < end; at += step)
        run_units(worker, instruction, at, at + step < end ? at + step : end);
    return true;
}
