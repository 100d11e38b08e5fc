/* pass_over - how an iterator gets to an element without those before it. */

#include "input/stage.h"

pod_status pod_stage_pull_over(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error)
{
    const size_t bytes = POD_STAGE_BLOCK * stage->width * sizeof(pod_part);
    pod_status status = POD_OK;
    *passed = 0;
    pod_part *parts = pod_allocate(stage->pass->context, bytes);
    if (parts == NULL)
        return pod_error_memory(error, "a block of elements", bytes);
    while (status == POD_OK && *passed < count) {
        const int64_t left = count - *passed;
        size_t got = 0;
        status = stage->dataset->kind->next(stage, parts, left < POD_STAGE_BLOCK ? (size_t)left : POD_STAGE_BLOCK, &got,
                                            error);
        pod_parts_release(parts, got * stage->width);
        *passed += (int64_t)got;
        if (status == POD_OK && pod_scope_is_cancelled(stage->scope))
            status = pod_error_set(error, POD_ERROR_CANCELLED, "the iteration was cancelled");
    }
    pod_free(stage->pass->context, parts);
    return status;
}

pod_status pod_stage_pass_over_input(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error)
{
    return pod_stage_pass_over(stage->inputs[0], count, passed, error);
}
