/* control - cond, while, reduce with a region, and print. */

#include "engine/execute.h"

#include <string.h>

bool pod_run_cond(pod_worker *worker, const pod_instruction *instruction)
{
    const char *predicate = pod_run_slot_memory(worker, instruction->slots[0]);
    return worker->run->execute(worker, instruction->region.functions[*predicate ? 0 : 1]);
}

/* All threads read the same predicate: it is written before a meeting, and the next time after one. */
bool pod_run_while(pod_worker *worker, const pod_instruction *instruction)
{
    const pod_region_detail *region = &instruction->region;
    const char *predicate = pod_run_slot_memory(worker, region->outputs[0][0]);
    for (int64_t turn = 0; !region->most_turns || turn < region->most_turns; turn++) {
        if (worker->index == 0)
            (void)pod_run_is_stopped(worker);
        if (!worker->run->execute(worker, region->functions[0]) || !pod_run_meet(worker, NULL))
            return false;
        if (!*predicate)
            return true;
        if (!worker->run->execute(worker, region->functions[1]) || !pod_run_meet(worker, NULL))
            return false;
    }
    return true;
}

/* ---- reduce --------------------------------------------------------------------------------------- */

/* How the elements of operand and result of a reduce lie. */
typedef struct reduce_walk {
    int32_t kept_rank, reduced_rank;
    int64_t kept[POD_MAX_RANK], kept_strides[POD_MAX_RANK];
    int64_t reduced[POD_MAX_RANK], reduced_strides[POD_MAX_RANK];
} reduce_walk;

static reduce_walk make_walk(const pod_shape *shape, const pod_axes *axes)
{
    reduce_walk made = {0};
    bool is_reduced[POD_MAX_RANK] = {false};
    for (int32_t i = 0; i < axes->count; i++)
        is_reduced[axes->axes[i]] = true;
    int64_t stride = 1;
    for (int32_t i = shape->rank - 1; i >= 0; i--) { /* innermost first */
        int32_t *rank = is_reduced[i] ? &made.reduced_rank : &made.kept_rank;
        (is_reduced[i] ? made.reduced : made.kept)[*rank] = shape->dims[i];
        (is_reduced[i] ? made.reduced_strides : made.kept_strides)[(*rank)++] = stride;
        stride *= shape->dims[i];
    }
    return made;
}

/* Returns where element `index` of a list of axes lies. */
static int64_t offset_of(int64_t index, int32_t rank, const int64_t *sizes, const int64_t *strides)
{
    int64_t offset = 0;
    for (int32_t i = 0; i < rank; i++) {
        offset += index % sizes[i] * strides[i];
        index /= sizes[i];
    }
    return offset;
}

static int64_t product_of(int32_t rank, const int64_t *sizes)
{
    int64_t product = 1;
    for (int32_t i = 0; i < rank; i++)
        product *= sizes[i];
    return product;
}

/* The region runs on this thread alone: its accumulator and element are two scalars. */
bool pod_run_reduce(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end)
{
    (void)begin, (void)end;
    const pod_region_detail *region = &instruction->region;
    const pod_slot *source = &worker->run->program->slots[instruction->slots[0]];
    size_t size = pod_dtype_size(source->dtype);
    reduce_walk way = make_walk(source->shape, &region->attributes->axes);
    const char *from = pod_run_slot_memory(worker, instruction->slots[0]);
    const char *init = pod_run_slot_memory(worker, instruction->slots[1]);
    char *to = pod_run_slot_memory(worker, instruction->slots[2]);
    char *accumulator = pod_run_slot_memory(worker, region->parameters[0]);
    char *element = pod_run_slot_memory(worker, region->parameters[1]);
    const char *output = pod_run_slot_memory(worker, region->outputs[0][0]);
    int64_t kept = product_of(way.kept_rank, way.kept);
    int64_t reduced = product_of(way.reduced_rank, way.reduced);
    pod_worker alone = *worker;
    alone.alone = true;
    alone.count = 1;
    alone.index = 0;
    alone.scratch += pod_instruction_scratch(instruction);
    for (int64_t i = 0; i < kept; i++) {
        int64_t base = offset_of(i, way.kept_rank, way.kept, way.kept_strides);
        memcpy(accumulator, init, size);
        for (int64_t j = 0; j < reduced; j++) {
            int64_t at = offset_of(j, way.reduced_rank, way.reduced, way.reduced_strides);
            memcpy(element, from + (size_t)(base + at) * size, size);
            if (!worker->run->execute(&alone, region->functions[0])) {
                worker->error = alone.error;
                pod_run_fail(worker, alone.status);
                return false;
            }
            memcpy(accumulator, output, size);
        }
        memcpy(to + (size_t)i * size, accumulator, size);
    }
    return true;
}

/* ---- print ---------------------------------------------------------------------------------------- */

/* The hook gets a buffer of its own, so that it may keep a share of it. */
bool pod_run_print(pod_worker *worker, const pod_instruction *instruction)
{
    const pod_run_options *options = worker->run->options;
    if (worker->index != 0 || !options->print)
        return true;
    const pod_slot *slot = &worker->run->program->slots[instruction->slots[0]];
    pod_buffer *value;
    pod_status status = pod_buffer_new(worker->run->program->context, slot->dtype, slot->shape, &value, &worker->error);
    if (status != POD_OK) {
        pod_run_fail(worker, status);
        return true;
    }
    if (slot->bytes)
        memcpy(pod_buffer_data(value), pod_run_slot_memory(worker, instruction->slots[0]), slot->bytes);
    const char *label = instruction->kernel.attributes->name;
    options->print(options->print_context, label ? label : "", value);
    pod_buffer_release(value);
    return true;
}
