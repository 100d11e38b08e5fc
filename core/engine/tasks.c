/* tasks - instructions that call one kernel or move bytes. */

#include "base/sizes.h"
#include "engine/execute.h"

#include "base/error.h"

#include <string.h>

/* Cuts arrays that have parts to rows begin .. end - 1. */
static void slice_arrays(const pod_instruction *instruction, pod_array *arrays, int64_t begin, int64_t end)
{
    for (uint32_t i = 0; i < instruction->operand_count + instruction->result_count; i++) {
        pod_array *array = &arrays[i];
        if (instruction->parts[i] <= 1)
            continue;
        array->shape.dims[0] = 1;
        int64_t bytes = pod_shape_elements(&array->shape) * (int64_t)pod_dtype_size(array->dtype);
        array->shape.dims[0] = end - begin;
        array->data = (char *)array->data + begin * bytes;
    }
}

bool pod_run_kernel(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end)
{
    const pod_slot *slots = worker->run->program->slots;
    pod_array *arrays = (pod_array *)worker->scratch;
    uint32_t count = instruction->operand_count + instruction->result_count;
    for (uint32_t i = 0; i < count; i++) {
        const pod_slot *slot = &slots[instruction->slots[i]];
        arrays[i] = (pod_array){slot->dtype, *slot->shape, pod_run_slot_memory(worker, instruction->slots[i])};
    }
    pod_kernel_call call = {.attributes = instruction->kernel.attributes,
                            .inputs = arrays,
                            .input_count = instruction->operand_count,
                            .outputs = arrays + instruction->operand_count,
                            .output_count = instruction->result_count,
                            .error = &worker->error,
                            .kernels = worker->run->program->kernels};
    const pod_kernel *kernel = instruction->kernel.kernel;
    if (instruction->kernel.sliced) {
        slice_arrays(instruction, arrays, begin, end);
        begin = 0;
        end = pod_kernel_units(kernel, &call);
    }
    pod_status status = pod_kernel_run(kernel, &call, begin, end, pod_run_worker_scratch(worker, instruction));
    if (status == POD_OK)
        return true;
    if (instruction->location)
        pod_error_prepend(&worker->error, "%s: ", instruction->location);
    pod_run_fail(worker, status);
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
    const char *from = pod_run_slot_memory(worker, instruction->slots[0]);
    char *to = pod_run_slot_memory(worker, instruction->slots[1]);
    memcpy(to + first, from + first, last - first);
    return true;
}

bool pod_run_check(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end)
{
    (void)begin, (void)end;
    const pod_slot *slot = &worker->run->program->slots[instruction->slots[0]];
    const char *truth = pod_run_slot_memory(worker, instruction->slots[0]);
    if (!slot->bytes || !memchr(truth, 0, slot->bytes))
        return true;
    const char *message = instruction->kernel.attributes->name;
    pod_error_set(&worker->error, POD_ERROR_VALUE, "%s%s%s", instruction->location ? instruction->location : "",
                  instruction->location ? ": " : "", message ? message : "check failed");
    pod_run_fail(worker, POD_ERROR_VALUE);
    return false;
}

/* Rows of a gradient without a loss: the losses go to scratch. */
static int64_t cross_entropy_rows(pod_worker *worker, const pod_instruction *instruction, int64_t row, int64_t rows)
{
    const pod_cross_entropy_detail *c = &instruction->cross_entropy;
    const uint32_t *slots = instruction->slots;
    uint32_t results = c->gradient ? 3 : 2;
    size_t bytes = pod_dtype_size(c->dtype) * (size_t)c->classes;
    const char *logits = pod_run_slot_memory(worker, slots[0]);
    const int32_t *labels = pod_run_slot_memory(worker, slots[1]);
    const float *scale = c->gradient ? pod_run_slot_memory(worker, slots[2]) : NULL;
    float *loss = c->loss ? (float *)pod_run_slot_memory(worker, slots[results]) + row
                          : (float *)pod_run_worker_scratch(worker, instruction);
    char *gradient = c->gradient ? pod_run_slot_memory(worker, slots[results + c->loss]) : NULL;
    return worker->run->program->kernels->sparse_softmax_cross_entropy(
        c->dtype, logits + (size_t)row * bytes, labels + row, loss, gradient ? gradient + (size_t)row * bytes : NULL,
        scale ? scale + row : NULL, rows, c->classes);
}

bool pod_run_cross_entropy(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end)
{
    const pod_cross_entropy_detail *c = &instruction->cross_entropy;
    for (int64_t row = begin; row < end; row += POD_BLOCK) {
        int64_t rows = end - row < POD_BLOCK ? end - row : POD_BLOCK;
        int64_t bad = cross_entropy_rows(worker, instruction, row, rows);
        if (bad < 0)
            continue;
        const int32_t *labels = pod_run_slot_memory(worker, instruction->slots[1]);
        pod_error_set(&worker->error, POD_ERROR_VALUE,
                      "%s%s%s: label %d of example %lld is not one of the classes 0 to %lld",
                      instruction->location ? instruction->location : "", instruction->location ? ": " : "",
                      instruction->name, labels[row + bad], (long long)(row + bad), (long long)c->classes - 1);
        pod_run_fail(worker, POD_ERROR_VALUE);
        return false;
    }
    return true;
}
