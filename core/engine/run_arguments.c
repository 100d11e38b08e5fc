/* run_arguments - see run_arguments.h. */

#include "engine/run_arguments.h"

#include "base/error.h"

#include <string.h>

static bool is_infed(const pod_run_options *options, size_t index)
{
    return options->infeed && index >= options->infeed_first && index - options->infeed_first < options->infeed_count;
}

pod_status pod_run_check_type(const pod_program *program, size_t index, pod_dtype dtype, const pod_shape *shape,
                              pod_error *error)
{
    const pod_signature *wanted = &program->parameters[index];
    const char *name = wanted->name ? wanted->name : "";
    if (dtype != wanted->dtype)
        return pod_error_set(error, POD_ERROR_DTYPE, "argument %zu '%s' has type %s; the program was compiled for %s",
                             index, name, pod_dtype_name(dtype), pod_dtype_name(wanted->dtype));
    if (pod_shape_equal(shape, &wanted->shape))
        return POD_OK;
    char has[POD_SHAPE_TEXT_SIZE], wants[POD_SHAPE_TEXT_SIZE];
    return pod_error_set(error, POD_ERROR_SHAPE, "argument %zu '%s' has shape %s; the program was compiled for %s",
                         index, name, pod_shape_format(shape, has), pod_shape_format(&wanted->shape, wants));
}

pod_status pod_run_check_buffer(const pod_program *program, size_t index, pod_buffer *buffer, pod_error *error)
{
    const char *name = program->parameters[index].name;
    if (!buffer)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "argument %zu '%s' is missing", index, name ? name : "");
    const pod_status status =
        pod_run_check_type(program, index, pod_buffer_dtype(buffer), pod_buffer_shape(buffer), error);
    return status == POD_OK && !program->device ? pod_buffer_settle(buffer, error) : status;
}

/* A buffer that is updated must be no other argument's. */
static pod_status check_sharing(const pod_program *program, pod_buffer *const *arguments, pod_error *error)
{
    const pod_run_state *state = program->run_state;
    memset(state->seen, 0, ((size_t)state->seen_mask + 1) * sizeof *state->seen);
    for (uint32_t i = 0; i < program->parameter_count; i++) {
        uint64_t at = (uint64_t)(uintptr_t)arguments[i] * 0x9e3779b97f4a7c15u >> 32;
        if (!arguments[i])
            continue;
        for (; state->seen[at & state->seen_mask]; at++) {
            uint32_t other = state->seen[at & state->seen_mask] - 1;
            bool updated = program->parameters[i].alias >= 0 || program->parameters[other].alias >= 0;
            if (arguments[other] == arguments[i] && updated)
                return pod_error_set(error, POD_ERROR_ARGUMENT,
                                     "arguments %u and %u are the same buffer, which the program "
                                     "updates: give one of them a copy",
                                     other, i);
        }
        state->seen[at & state->seen_mask] = i + 1;
    }
    return POD_OK;
}

pod_status pod_run_check_arguments(const pod_program *program, pod_buffer *const *arguments,
                                   const pod_run_options *options, pod_error *error)
{
    if (options->steps < 0)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "option 'steps' is %lld; it must be positive",
                             (long long)options->steps);
    if (options->infeed && (options->infeed_first > program->parameter_count ||
                            options->infeed_count > program->parameter_count - options->infeed_first))
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the infeed gives parameters %zu to %zu; the program has %u",
                             options->infeed_first, options->infeed_first + options->infeed_count,
                             program->parameter_count);
    bool updates = false;
    for (uint32_t i = 0; i < program->parameter_count; i++) {
        bool infed = is_infed(options, i);
        updates = updates || program->parameters[i].alias >= 0;
        if (infed && (program->parameters[i].alias >= 0 || program->parameters[i].held))
            return pod_error_set(error, POD_ERROR_ARGUMENT, "argument %u '%s' is %s; it cannot come from an infeed", i,
                                 program->parameters[i].name ? program->parameters[i].name : "",
                                 program->parameters[i].held ? "held" : "updated in place");
        pod_status status = infed ? POD_OK : pod_run_check_buffer(program, i, arguments[i], error);
        if (status != POD_OK)
            return status;
    }
    return updates ? check_sharing(program, arguments, error) : POD_OK;
}

void pod_run_set_pointers(const pod_run *run, pod_slot_kind kind, uint32_t first, uint32_t count,
                          pod_buffer *const *buffers, const pod_infeed_rows *rows)
{
    const pod_program *program = run->program;
    for (uint32_t i = 0; i < program->slot_count; i++) {
        const pod_slot *slot = &program->slots[i];
        if (slot->kind == kind && slot->index >= first && slot->index - first < count && buffers[slot->index - first])
            run->state->pointers[i] =
                rows && rows[slot->index - first].by_address ? NULL : pod_buffer_data(buffers[slot->index - first]);
    }
}
