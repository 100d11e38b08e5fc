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
    pod_part *element;
    pod_buffer **inputs, **outputs;
    void *cursor;
    bool opened;
} transform_stage;

static const pod_transform *transform_of(const pod_stage *stage)
{
    return &((const transform_dataset *)stage->dataset)->transform;
}

/* Makes buffers of the element's parts, which are taken. */
static pod_status make_buffers(transform_stage *self, pod_error *error)
{
    pod_status status = POD_OK;
    for (size_t i = 0; i < self->base.inputs[0]->width; i++) {
        pod_part *part = &self->element[i];
        pod_shape shape;
        self->inputs[i] = part->buffer;
        if (part->row == POD_WHOLE)
            continue;
        pod_input_part_shape(part, &shape);
        self->inputs[i] = NULL;
        if (status == POD_OK)
            status = pod_buffer_new(self->base.pass->context, pod_buffer_dtype(part->buffer), &shape, &self->inputs[i],
                                    error);
        if (status == POD_OK)
            memcpy(pod_buffer_data(self->inputs[i]), pod_input_part_data(part), pod_input_part_bytes(part));
        pod_buffer_release(part->buffer);
    }
    return status;
}

pod_status pod_input_check_buffers(const pod_dataset *dataset, pod_buffer *const *buffers, int64_t element,
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
    status = pod_input_check_buffers(self->base.dataset, self->outputs, element, error);
    for (size_t i = 0; status != POD_OK && i < self->base.width; i++)
        pod_buffer_release(self->outputs[i]);
    return status;
}

/* Makes one element. */
static pod_status transform_one(transform_stage *self, pod_part *parts, pod_error *error)
{
    pod_stage *stage = &self->base;
    size_t got;
    pod_status status = pod_input_stage_next(stage->inputs[0], self->element, 1, &got, error);
    if (status != POD_OK)
        return status;
    const int64_t element = stage->inputs[0]->given - 1;
    status = make_buffers(self, error);
    if (status == POD_OK) {
        status = apply(self, element, error);
        if (status < 0 && error != NULL)
            pod_error_prepend(error, "%s, element %lld: ", pod_dataset_label(stage->dataset), (long long)element);
    }
    for (size_t i = 0; i < stage->inputs[0]->width; i++)
        pod_buffer_release(self->inputs[i]);
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
    do {
        status = transform_one(self, parts + *count * stage->width, error);
        *count += status == POD_OK;
    } while (status == POD_OK && *count < limit && uv_hrtime() - begin < POD_TOGETHER_NANOSECONDS);
    return status;
}

static pod_status transform_open(pod_stage *stage, pod_error *error)
{
    transform_stage *self = (transform_stage *)stage;
    pod_context *context = stage->pass->context;
    const size_t width = stage->dataset->inputs[0]->width;
    self->element = pod_allocate_zeroed(context, width, sizeof *self->element);
    self->inputs = pod_allocate_zeroed(context, width, sizeof *self->inputs);
    self->outputs = pod_allocate_zeroed(context, stage->width, sizeof *self->outputs);
    if (self->element == NULL || self->inputs == NULL || self->outputs == NULL)
        return pod_error_memory(error, "an iterator", width * sizeof *self->element);
    return POD_OK;
}

static void transform_close(pod_stage *stage)
{
    transform_stage *self = (transform_stage *)stage;
    const pod_transform *transform = transform_of(stage);
    if (self->opened && transform->close != NULL)
        transform->close(transform->context, self->cursor);
    pod_free(stage->pass->context, self->element);
    pod_free(stage->pass->context, self->inputs);
    pod_free(stage->pass->context, self->outputs);
}

static void transform_free(pod_dataset *dataset)
{
    const pod_transform *transform = &((const transform_dataset *)dataset)->transform;
    if (transform->release != NULL)
        transform->release(transform->context);
}

static const pod_stage_class transform_class = {
    .name = "transform",
    .dataset_size = sizeof(transform_dataset),
    .iterator_size = sizeof(transform_stage),
    .elementwise = true,
    .one_for_one = true,
    .at_once = 4, /* of a Lua function of some operations */
    .free = transform_free,
    .open = transform_open,
    .next = transform_next,
    .pass_over = pod_input_stage_pass_over_input,
    .close = transform_close,
};

pod_status pod_dataset_transform(pod_dataset *input, const pod_transform *transform, const pod_component *components,
                                 size_t count, pod_dataset **dataset, pod_error *error)
{
    const pod_status status =
        pod_dataset_new(input->context, &transform_class, &input, 1, components, count, dataset, error);
    if (status != POD_OK) {
        if (transform->release != NULL)
            transform->release(transform->context);
        return status;
    }
    ((transform_dataset *)*dataset)->transform = *transform;
    (*dataset)->own_thread |= !transform->any_thread;
    return POD_OK;
}
