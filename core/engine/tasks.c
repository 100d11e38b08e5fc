/* tasks - instructions that call one kernel or move bytes. */

#include "engine/execute.h"

#include "base/error.h"

#include <string.h>

char *pod_worker_scratch(const pod_worker *worker, const pod_instruction *instruction)
{
    size_t count = instruction->operand_count + instruction->result_count;
    return worker->scratch + ((count * sizeof(pod_array) + 63) & ~(size_t)63);
}

bool pod_run_kernel(pod_worker *worker, const pod_instruction *instruction, int64_t begin,
                    int64_t end)
{
    const pod_slot *slots = worker->run->program->slots;
    pod_array *arrays = (pod_array *)worker->scratch;
    uint32_t count = instruction->operand_count + instruction->result_count;
    for (uint32_t i = 0; i < count; i++) {
        const pod_slot *slot = &slots[instruction->slots[i]];
        arrays[i] = (pod_array){slot->dtype, *slot->shape,
                                pod_slot_memory(worker, instruction->slots[i])};
    }
    pod_kernel_call call = {instruction->kernel.attributes,
                            arrays,
                            instruction->operand_count,
                            arrays + instruction->operand_count,
                            instruction->result_count,
                            &worker->error};
    pod_status status = instruction->kernel.kernel->run(&call, begin, end,
                                                        pod_worker_scratch(worker, instruction));
    if (status == POD_OK)
        return true;
    if (instruction->location)
        pod_error_prepend(&worker->error, "%s: ", instruction->location);
    pod_fail(worker, status);
    return false;
}

/* Rows of a copy are pieces of equal bytes, the last one shorter. */
bool pod_run_copy(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end)
{
    const pod_slot *slot = &worker->run->program->slots[instruction->slots[0]];
    if (!slot->bytes)
        return true;
    uint64_t first = (uint64_t)begin * POD_COPY_ROW, last = (uint64_t)end * POD_COPY_ROW;
    if (last > slot->bytes)
        last = slot->bytes;
    const char *from = pod_slot_memory(worker, instruction->slots[0]);
    char *to = pod_slot_memory(worker, instruction->slots[1]);
    memcpy(to + first, from + first, last - first);
    return true;
}

bool pod_run_check(pod_worker *worker, const pod_instruction *instruction, int64_t begin,
                   int64_t end)
{
    (void)begin, (void)end;
    const pod_slot *slot = &worker->run->program->slots[instruction->slots[0]];
    const char *truth = pod_slot_memory(worker, instruction->slots[0]);
    if (!slot->bytes || !memchr(truth, 0, slot->bytes))
        return true;
    const char *message = instruction->kernel.attributes->name;
    pod_error_set(&worker->error, POD_ERROR_VALUE, "%s%s%s",
                  instruction->location ? instruction->location : "",
                  instruction->location ? ": " : "", message ? message : "check failed");
    pod_fail(worker, POD_ERROR_VALUE);
    return false;
}
