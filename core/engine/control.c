/* control - cond, while, reduce with a region, and print. */

#include "engine/execute.h"
#include "kernels/reference/walk.h"

#include <string.h>

bool pod_run_cond(pod_worker *worker, const pod_instruction *instruction)
{
    const char *predicate = pod_run_slot_memory(worker, instruction->slots[0]);
    return worker->run->execute(worker, instruction->region.functions[*predicate ? 0 : 1]);
}

/* All threads read the same predicate: it is written before a barrier, and the next time after one. */
bool pod_run_while(pod_worker *worker, const pod_instruction *instruction)
{
    const pod_region_detail *region = &instruction->region;
    const char *predicate = pod_run_slot_memory(worker, region->outputs[0][0]);
    for (int64_t turn = 0; !region->most_turns || turn < region->most_turns; turn++) {
        if (worker->index == 0)
            (void)pod_run_is_stopped(worker);
        if (!worker->run->execute(worker, region->functions[0]) || !pod_run_barrier(worker, NULL))
            return false;
        if (!*predicate)
            return true;
        if (!worker->run->execute(worker, region->functions[1]) || !pod_run_barrier(worker, NULL))
            return false;
    }
    return true;
}

/* ---- reduce --------------------------------------------------------------------------------------- */

/* The region runs on this thread alone: its accumulator and element are two scalars. */
bool pod_run_reduce(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end)
{
    (void)begin, (void)end;
    const pod_region_detail *region = &instruction->region;
    const pod_slot *source = &worker->run->program->slots[instruction->slots[0]];
    size_t size = pod_dtype_size(source->dtype);
    pod_walk kept = {0}, reduced = {0};
    pod_kernel_walk_split(source->shape, source->shape->rank, &region->attributes->axes, &kept, &reduced);
    const char *from = pod_run_slot_memory(worker, instruction->slots[0]);
    const char *init = pod_run_slot_memory(worker, instruction->slots[1]);
    char *to = pod_run_slot_memory(worker, instruction->slots[2]);
    char *accumulator = pod_run_slot_memory(worker, region->parameters[0]);
    char *element = pod_run_slot_memory(worker, region->parameters[1]);
    const char *output = pod_run_slot_memory(worker, region->outputs[0][0]);
    const int64_t results = pod_kernel_walk_count(&kept), elements = pod_kernel_walk_count(&reduced);
    pod_worker alone = *worker;
    alone.alone = true;
    alone.count = 1;
    alone.index = 0;
    alone.scratch += pod_instruction_scratch(instruction);
    pod_kernel_walk_seek(&kept, 0);
    for (int64_t i = 0; i < results; i++, pod_kernel_walk_next(&kept)) {
        memcpy(accumulator, init, size);
        pod_kernel_walk_seek(&reduced, 0);
        for (int64_t j = 0; j < elements; j++, pod_kernel_walk_next(&reduced)) {
            memcpy(element, from + (size_t)(kept.offset[0] + reduced.offset[0]) * size, size);
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
