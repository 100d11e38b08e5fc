/* each - see each.h. */

#include "input/each.h"

pod_status pod_each_open(pod_stage *stage, pod_error *error)
{
    pod_each_stage *self = (pod_each_stage *)stage;
    pod_context *context = stage->pass->context;
    self->block = pod_results_block_size(stage->dataset);
    const size_t bytes = self->block * stage->dataset->inputs[0]->width * sizeof *self->input;
    self->input = pod_allocate(context, bytes);
    if (self->input == NULL)
        return pod_error_memory(error, "an iterator", bytes);
    return pod_results_open(&self->results, context, stage->dataset->components, stage->width,
                            error);
}

void pod_each_close(pod_stage *stage)
{
    pod_each_stage *self = (pod_each_stage *)stage;
    pod_results_close(&self->results);
    pod_image_decoder_free(self->decoder);
    pod_free(stage->pass->context, self->input);
}

pod_status pod_each_next(pod_stage *stage, pod_each_function make, pod_part *parts, size_t limit,
                         size_t *count, pod_error *error)
{
    pod_each_stage *self = (pod_each_stage *)stage;
    size_t got;
    if (limit > self->block)
        limit = self->block;
    pod_status status = pod_stage_next(stage->inputs[0], self->input, limit, &got, error);
    if (status != POD_OK)
        return status;
    status = pod_results_begin(&self->results, got, error);
    for (; status == POD_OK && *count < got; *count += status == POD_OK) {
        status = make(self, *count, parts + *count * stage->width, error);
        if (status < 0 && error != NULL)
            pod_error_prepend(error, "%s, element %lld: ", pod_dataset_label(stage->dataset),
                              (long long)(stage->inputs[0]->given - (int64_t)(got - *count)));
    }
    pod_results_end(&self->results);
    pod_parts_release(self->input, got * stage->inputs[0]->width);
    return status;
}
