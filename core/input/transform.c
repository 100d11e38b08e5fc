/* transform - elements go through a function of the host. */

#include "input/input_costs.h"
#include "input/stage.h"

#include <string.h>

typedef struct transform_dataset {
    pod_dataset base;
    pod_transform transform;
} transform_dataset;

typedef struct transform_stage {
    pod_stage base;
    pod_buffer **inputs, **outputs;
    void *cursor;
    bool opened;
} transform_stage;

static const pod_transform *transform_of(const pod_stage *stage)
{
    return &((const transform_dataset *)stage->dataset)->transform;
}

static pod_status check_buffers(const pod_dataset *dataset, pod_buffer *const *buffers, int64_t element,
                                pod_error *error)
{
    char announced[POD_SHAPE_TEXT_SIZE], found[POD_SHAPE_TEXT_SIZE];
    for (size_t i = 0; i < dataset->width; i++) {
        const pod_component *component = &dataset->components[i];
        if (buffers[i] == NULL)
            return pod_error_set(error, POD_ERROR_SHAPE, "element %lld of %s has no component %zu", (long long)element,
                                 dataset->kind->name, i);
        const pod_shape *shape = pod_buffer_shape(buffers[i]);
        bool fits = pod_buffer_dtype(buffers[i]) == component->dtype && shape->rank == component->shape.rank;
        for (int32_t axis = 0; fits && axis < shape->rank; axis++)
            fits = component->shape.dims[axis] < 0 || component->shape.dims[axis] == shape->dims[axis];
        if (!fits)
            return pod_error_set(error, POD_ERROR_SHAPE,
                                 "element %lld of %s: component %zu is %s %s, but %s %s was "
                                 "announced",
                                 (long long)element, dataset->kind->name, i,
                                 pod_dtype_name(pod_buffer_dtype(buffers[i])), pod_shape_format(shape, found),
                                 pod_dtype_name(component->dtype), pod_shape_format(&component->shape, announced));
    }
    return POD_OK;
}

pod_status pod_input_check_buffers(const pod_dataset *dataset, pod_buffer **buffers, int64_t element, pod_error *error)
{
    const pod_status status = check_buffers(dataset, buffers, element, error);
    if (status != POD_OK)
        pod_input_buffers_drop(buffers, dataset->width);
    return status;
}

static _Thread_local const pod_stage *applying; /* whose function this thread is in */

bool pod_dataset_is_to_stop(void)
{
    if (applying == NULL)
        return false;
    const pod_stop stop = pod_input_stage_stop(applying);
    return stop.is_asked(stop.context);
}

/* Runs the function on the inputs and checks what it made; `element` is its number in the pass. */
static pod_status apply(transform_stage *self, int64_t element, pod_error *error)
{
    const pod_transform *transform = transform_of(&self->base);
    if (!self->opened && transform->open != NULL) {
        const pod_status status = transform->open(transform->context, &self->cursor, error);
        if (status != POD_OK)
            return status;
    }
    self->opened = true;
    const pod_stage *outer = applying;
    applying = &self->base;
    pod_status status = transform->apply(transform->context, self->cursor, self->inputs, self->outputs, error);
    applying = outer;
    if (status != POD_OK)
        return status == POD_END ? POD_ERROR_CALLBACK : status;
    return pod_input_check_buffers(self->base.dataset, self->outputs, element, error);
}

/* Makes one element. */
static pod_status transform_one(transform_stage *self, pod_part *parts, pod_error *error)
{
    pod_stage *stage = &self->base;
    size_t got;
    pod_status status = pod_input_stage_next(stage->inputs[0], stage->taken, 1, &got, error);
    if (status != POD_OK)
        return status;
    const int64_t element = stage->inputs[0]->given - 1;
    status = pod_input_parts_own(stage->pass->context, stage->taken, stage->inputs[0]->width, self->inputs, error);
    if (status != POD_OK)
        return status;
    status = pod_input_stage_explain(stage, element, apply(self, element, error), error);
    pod_input_buffers_drop(self->inputs, stage->inputs[0]->width);
    for (size_t i = 0; status == POD_OK && i < stage->width; i++)
        parts[i] = (pod_part){self->outputs[i], POD_WHOLE};
    return status;
}

/* Elements are made one by one, but several go on together while that takes no time. */
static pod_status transform_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    transform_stage *self = (transform_stage *)stage;
    const uint64_t begin = uv_hrtime();
    pod_status status;
    if (limit > POD_MOST_TOGETHER)
        limit = POD_MOST_TOGETHER;
    do {
        status = transform_one(self, parts + *count * stage->width, error);
        *count += status == POD_OK;
    } while (status == POD_OK && *count < limit && uv_hrtime() - begin < POD_TOGETHER_NANOSECONDS);
    return status;
}

static pod_status transform_open(pod_stage *stage, pod_error *error)
{
    transform_stage *self = (transform_stage *)stage;
    (void)error; /* memory is checked behind it */
    self->inputs = pod_input_hold(&stage->holdings, stage->dataset->inputs[0]->width, sizeof *self->inputs);
    self->outputs = pod_input_hold(&stage->holdings, stage->width, sizeof *self->outputs);
    return POD_OK;
}

static void transform_close(pod_stage *stage)
{
    transform_stage *self = (transform_stage *)stage;
    const pod_transform *transform = transform_of(stage);
    if (self->opened && transform->close != NULL)
        transform->close(transform->context, self->cursor);
}

static const pod_stage_class transform_class = {
    .name = "transform",
    .dataset_size = sizeof(transform_dataset),
    .iterator_size = sizeof(transform_stage),
    .elementwise = true,
    .one_for_one = true,
    .takes = 1,
    .at_once = POD_MOST_TOGETHER,
    .open = transform_open,
    .next = transform_next,
    .pass_over = pod_input_stage_pass_over_input,
    .close = transform_close,
};

pod_status pod_dataset_transform(pod_dataset *input, const pod_transform *transform, const pod_component *components,
                                 size_t count, pod_dataset **dataset, pod_error *error)
{
    pod_status status = pod_dataset_new(input->context, &transform_class, &input, 1, components, count, dataset, error);
    status = pod_dataset_own(dataset, (pod_owned){transform->context, transform->release}, status);
    if (status != POD_OK)
        return status;
    ((transform_dataset *)*dataset)->transform = *transform;
    (*dataset)->own_thread |= !transform->any_thread;
    return POD_OK;
}
