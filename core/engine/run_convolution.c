/* run_convolution - phases of convolutions: see kernels/convolution.h. */

#include "base/sizes.h"
#include "engine/run_loop.h"

/* Takes the tiles of the last phase. */
typedef struct phase_taker {
    pod_worker *worker;
    const pod_loop *loop;
    int64_t first_row;
    char *scratch;
} phase_taker;

static void take_tile(void *context, float *tile, int64_t stride, int64_t row, int64_t column, int64_t rows,
                      int64_t columns)
{
    const phase_taker *taker = context;
    row += taker->first_row;
    pod_result_tile from = {tile, stride, row, column};
    pod_rectangle to = {row, row + rows, column, column + columns};
    pod_run_rectangle(taker->worker, taker->loop, &from, &to, taker->scratch);
}

/* The load that fills a register at the start; NULL: none. */
static const pod_loop_load *load_of(const pod_loop *loop, uint32_t result, pod_access access)
{
    for (uint32_t i = 0; i < loop->load_count; i++)
        if (loop->loads[i].result == result && loop->loads[i].access == access)
            return &loop->loads[i];
    return NULL;
}

static bool is_step(const pod_loop_step *step, pod_block_function function)
{
    return step->kind == POD_STEP_BLOCK && step->function == function;
}

/* Finds whether a loop does no more than what pod_direct_finish says: adds a bias to the tile, takes what is positive,
 * stores one result. */
static bool is_finish(const pod_kernels *kernels, const pod_loop *loop, const pod_loop_load **bias,
                      pod_direct_finish *finish)
{
    const pod_loop_load *tile = NULL, *zero;
    for (uint32_t i = 0; i < loop->load_count; i++)
        if (loop->loads[i].access == POD_ACCESS_TILE)
            tile = &loop->loads[i];
    *bias = NULL;
    if (!tile || loop->store_count != 1 || loop->fold_count || loop->pack_count || loop->stores[0].by_rows ||
        (loop->stores[0].dtype != POD_F32 && loop->stores[0].dtype != POD_BF16))
        return false;
    uint32_t x = tile->result, at = 0;
    if (at < loop->step_count && is_step(&loop->steps[at], kernels->element[POD_BLOCK_OP_ROUND_BF16][POD_CLASS_F32])) {
        if (loop->steps[at].a != x)
            return false;
        finish->rounds = true;
        x = loop->steps[at++].result;
    }
    if (at < loop->step_count && is_step(&loop->steps[at], kernels->element[POD_BLOCK_OP_ADD][POD_CLASS_F32])) {
        const pod_loop_step *add = &loop->steps[at++];
        *bias = load_of(loop, add->a == x ? add->b : add->a, POD_ACCESS_COLUMN);
        if ((add->a != x && add->b != x) || !*bias)
            return false;
        x = add->result;
    }
    if (at < loop->step_count && is_step(&loop->steps[at], kernels->element[POD_BLOCK_OP_MAXIMUM][POD_CLASS_F32])) {
        const pod_loop_step *larger = &loop->steps[at++];
        zero = load_of(loop, larger->b, POD_ACCESS_SCALAR);
        if (larger->a != x || !zero || zero->slot != POD_SLOT_END || zero->element != 0)
            return false;
        finish->relu = true;
        x = larger->result;
    }
    return at == loop->step_count && loop->stores[0].source == x;
}

/* Lets the kernel do what the loop behind it does, where it can; `room` receives the bias. */
static bool set_finish(pod_worker *worker, const pod_loop *loop, const pod_convolution_call *call,
                       pod_direct_finish *finish, char *room)
{
    const pod_kernels *kernels = worker->run->program->kernels;
    const pod_loop_load *bias;
    if (!pod_kernel_convolution_finishes(call) || loop->columns > POD_BLOCK || !is_finish(kernels, loop, &bias, finish))
        return false;
    if (bias)
        kernels->load[bias->dtype](room,
                                   (const char *)pod_run_slot_memory(worker, bias->slot) +
                                       (size_t)bias->offset * pod_dtype_size(bias->dtype),
                                   (size_t)loop->columns);
    finish->bias = bias ? (const float *)room : NULL;
    finish->dtype = loop->stores[0].dtype;
    finish->to = (char *)pod_run_slot_memory(worker, loop->stores[0].slot);
    return true;
}

/* Cuts a call to images begin .. end - 1. */
static void cut_to_images(pod_convolution_call *call, int64_t begin, int64_t end)
{
    pod_window_sizes *sizes = &call->sizes;
    bool turned = call->kind == POD_CONVOLVE_INPUT_GRADIENT;
    int64_t image = turned ? sizes->filters : sizes->channels;
    for (int i = 0; i < POD_MAX_SPATIAL; i++)
        image *= turned ? sizes->out[i] : sizes->in[i];
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
    phase_taker taker = {worker, c->epilogue, c->images ? begin * c->image_rows : 0, scratch + c->scratch_bytes};
    bool is_last = c->shared < instruction->operand_count;
    pod_direct_finish finish = {0};
    if (is_last && c->epilogue && set_finish(worker, c->epilogue, &call, &finish, scratch + c->scratch_bytes)) {
        finish.to = (char *)finish.to + taker.first_row * c->epilogue->columns * (int64_t)pod_dtype_size(finish.dtype);
        call.finish = &finish;
    } else if (is_last && c->epilogue) {
        call.epilogue = take_tile;
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
