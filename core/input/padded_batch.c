/* padded_batch - stacks elements of different sizes, filled up to a common one. */

#include "base/growth.h"
#include "input/stage.h"
#include "input/recipe.h"

#include <string.h>

typedef struct padded_dataset {
    pod_dataset base;
    int64_t size;
    bool drop_remainder;
    pod_shape shapes[POD_MAX_COMPONENTS]; /* to which elements are filled up; -1: the largest */
    char values[POD_MAX_COMPONENTS][8];   /* an element each */
} padded_dataset;

typedef struct padded_stage {
    pod_stage base;
    pod_part *rows; /* the elements of the batch that is being made */
    size_t count, room;
} padded_stage;

static const padded_dataset *padded_of(const pod_stage *stage)
{
    return (const padded_dataset *)stage->dataset;
}

static pod_status grow(padded_stage *self, pod_error *error)
{
    const pod_growth growth = {.item = self->base.width * sizeof *self->rows,
                               .first = 64,
                               .most = (size_t)padded_of(&self->base)->size,
                               .what = "a padded batch"};
    return pod_grow(self->base.pass->context, &self->rows, &self->room, self->room + 1, growth, error);
}

static pod_status pull(padded_stage *self, pod_error *error)
{
    const size_t size = (size_t)padded_of(&self->base)->size;
    while (self->count < size) {
        size_t got;
        pod_status status = self->count == self->room ? grow(self, error) : POD_OK;
        if (status == POD_OK)
            status =
                pod_input_stage_next(self->base.inputs[0], self->rows + self->count * self->base.width,
                                     pod_input_stage_is_timed(&self->base) ? 1 : self->room - self->count, &got, error);
        if (status != POD_OK)
            return status;
        self->count += got;
        if (self->count < size && pod_input_stage_is_late(&self->base))
            return POD_INPUT_LATER;
    }
    return POD_OK;
}

/* Finds the shape of a component of the batch. */
static pod_status measure(const padded_stage *self, size_t component, pod_shape *shape, pod_error *error)
{
    char has[POD_SHAPE_TEXT_SIZE], wants[POD_SHAPE_TEXT_SIZE];
    const pod_shape *wanted = &padded_of(&self->base)->shapes[component];
    *shape = (pod_shape){.rank = wanted->rank + 1, .dims = {(int64_t)self->count}};
    for (int32_t axis = 0; axis < wanted->rank; axis++)
        shape->dims[axis + 1] = wanted->dims[axis] < 0 ? 0 : wanted->dims[axis];
    for (size_t i = 0; i < self->count; i++) {
        pod_shape row;
        pod_input_part_shape(&self->rows[i * self->base.width + component], &row);
        for (int32_t axis = 0; axis < wanted->rank; axis++) {
            if (wanted->dims[axis] >= 0 && row.dims[axis] > wanted->dims[axis])
                return pod_error_set(error, POD_ERROR_SHAPE,
                                     "padded_batch: component %zu of element %lld is %s, larger than "
                                     "the padded shape %s",
                                     component, (long long)self->base.inputs[0]->given - (long long)(self->count - i),
                                     pod_shape_format(&row, has), pod_shape_format(wanted, wants));
            if (row.dims[axis] > shape->dims[axis + 1])
                shape->dims[axis + 1] = row.dims[axis];
        }
    }
    return POD_OK;
}

/* Fills a buffer with one element. */
static void fill(pod_buffer *buffer, const void *element)
{
    const size_t size = pod_dtype_size(pod_buffer_dtype(buffer)), bytes = pod_buffer_bytes(buffer);
    char *data = pod_buffer_data(buffer);
    if (bytes == 0)
        return;
    memcpy(data, element, size);
    for (size_t done = size; done < bytes; done *= 2)
        memcpy(data + done, data, done < bytes - done ? done : bytes - done);
}

/* Copies an element into the corner of row `row` of a stack, one run of the last axis at a time. */
static void copy_into(const pod_part *part, pod_buffer *stack, size_t row)
{
    const pod_shape *whole = pod_buffer_shape(stack);
    const size_t size = pod_dtype_size(pod_buffer_dtype(stack));
    const char *from = pod_input_part_data(part);
    char *to = (char *)pod_buffer_data(stack) + row * (pod_buffer_bytes(stack) / (size_t)whole->dims[0]);
    pod_shape shape;
    int64_t place[POD_MAX_RANK] = {0};
    pod_input_part_shape(part, &shape);
    if (pod_shape_elements(&shape) == 0)
        return;
    const int32_t last = shape.rank - 1;
    const size_t run = (last >= 0 ? (size_t)shape.dims[last] : 1) * size;
    for (;;) {
        int64_t offset = 0;
        for (int32_t axis = 0; axis <= last; axis++)
            offset = offset * whole->dims[axis + 1] + (axis < last ? place[axis] : 0);
        memcpy(to + (size_t)offset * size, from, run);
        from += run;
        int32_t axis = last - 1;
        for (; axis >= 0 && ++place[axis] == shape.dims[axis]; axis--)
            place[axis] = 0;
        if (axis < 0)
            return;
    }
}

static pod_status stack(padded_stage *self, size_t component, pod_part *part, pod_error *error)
{
    pod_buffer *made;
    pod_shape shape;
    pod_status status = measure(self, component, &shape, error);
    if (status == POD_OK)
        status = pod_input_spares_take(&self->base.spares[component], self->base.dataset->components[component].dtype,
                                       &shape, &made, error);
    if (status != POD_OK)
        return status;
    fill(made, padded_of(&self->base)->values[component]);
    for (size_t i = 0; i < self->count; i++)
        copy_into(&self->rows[i * self->base.width + component], made, i);
    *part = (pod_part){made, POD_WHOLE};
    return POD_OK;
}

static void padded_drop(pod_stage *stage)
{
    padded_stage *self = (padded_stage *)stage;
    pod_input_parts_release(self->rows, self->count * self->base.width);
    self->count = 0;
}

static pod_status padded_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    padded_stage *self = (padded_stage *)stage;
    size_t done = 0;
    (void)limit; /* one at a time: a batch is large */
    *count = 0;
    pod_status status = pull(self, error);
    if (status == POD_INPUT_LATER)
        return status;
    if (status == POD_END && self->count > 0 && !padded_of(stage)->drop_remainder)
        status = POD_OK;
    for (; status == POD_OK && done < stage->width; done += status == POD_OK)
        status = stack(self, done, &parts[done], error);
    if (status != POD_OK)
        pod_input_parts_release(parts, done);
    padded_drop(stage);
    *count = status == POD_OK;
    return status;
}

static void padded_close(pod_stage *stage)
{
    pod_free(stage->pass->context, ((padded_stage *)stage)->rows);
}

static int64_t padded_size(const pod_dataset *dataset)
{
    return ((const padded_dataset *)dataset)->size;
}

/* The batch in hand; -1 where elements are filled up to sizes that are not known. */
static int64_t padded_host_bytes(const pod_dataset *dataset)
{
    return pod_dataset_element_bytes(dataset);
}

static const pod_stage_class padded_class = {
    .name = "padded_batch",
    .divides = true,
    .reuses_buffers = true,
    .at_once = 1,
    .dataset_size = sizeof(padded_dataset),
    .iterator_size = sizeof(padded_stage),
    .host_bytes = padded_host_bytes,
    .batch_size = padded_size,
    .next = padded_next,
    .drop = padded_drop,
    .close = padded_close,
};

/* Finds the padded shape of a component: as given, or unknown sizes as large as needed. */
static pod_status choose_shape(const pod_component *component, size_t index, const pod_padded_batch_options *options,
                               pod_shape *shape, pod_error *error)
{
    char has[POD_SHAPE_TEXT_SIZE], given[POD_SHAPE_TEXT_SIZE];
    *shape = component->shape;
    if (options->shapes == NULL)
        return POD_OK;
    const pod_shape *wanted = &options->shapes[index];
    bool fits = wanted->rank == shape->rank;
    for (int32_t axis = 0; fits && axis < shape->rank; axis++)
        fits = wanted->dims[axis] < 0 || shape->dims[axis] <= wanted->dims[axis];
    if (!fits)
        return pod_error_set(error, POD_ERROR_SHAPE,
                             "padded_batch: component %zu is %s, which cannot be filled up to %s", index,
                             pod_shape_format(&component->shape, has), pod_shape_format(wanted, given));
    for (int32_t axis = 0; axis < shape->rank; axis++)
        if (wanted->dims[axis] >= 0)
            shape->dims[axis] = wanted->dims[axis];
    return POD_OK;
}

static pod_status describe(const pod_dataset *input, const pod_padded_batch_options *options, pod_component *components,
                           pod_shape *shapes, pod_error *error)
{
    const int64_t all = input->cardinality;
    const bool full =
        options->drop_remainder || all == POD_CARDINALITY_INFINITE || (all >= 0 && all % options->size == 0);
    for (size_t i = 0; i < input->width; i++) {
        const pod_component *row = &input->components[i];
        if (row->shape.rank == POD_MAX_RANK)
            return pod_error_set(error, POD_ERROR_SHAPE,
                                 "padded_batch cannot stack component %zu: it has %d axes already", i, POD_MAX_RANK);
        const pod_status status = choose_shape(row, i, options, &shapes[i], error);
        if (status != POD_OK)
            return status;
        char element[8];
        if (options->values != NULL && pod_element_from_real(row->dtype, options->values[i], element, error) != POD_OK)
            return pod_error_prepend(error, "padded_batch: the padding of component %zu: ", i);
        components[i] = (pod_component){.dtype = row->dtype,
                                        .shape = pod_input_shape_of_rows(&shapes[i], full ? options->size : -1)};
    }
    return POD_OK;
}

pod_status pod_dataset_padded_batch(pod_dataset *input, const pod_padded_batch_options *options, pod_dataset **dataset,
                                    pod_error *error)
{
    pod_component components[POD_MAX_COMPONENTS];
    pod_shape shapes[POD_MAX_COMPONENTS];
    *dataset = NULL;
    if (options->size < 1)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the size of a batch is %lld; it must be at least 1",
                             (long long)options->size);
    pod_status status = describe(input, options, components, shapes, error);
    if (status == POD_OK)
        status = pod_dataset_new(input->context, &padded_class, &input, 1, components, input->width, dataset, error);
    if (status != POD_OK)
        return status;
    padded_dataset *made = (padded_dataset *)*dataset;
    made->size = options->size;
    made->drop_remainder = options->drop_remainder;
    pod_dataset_tell(*dataset, "%lld%s", (long long)options->size, options->drop_remainder ? ", drop remainder" : "");
    memcpy(made->shapes, shapes, input->width * sizeof shapes[0]);
    for (size_t i = 0; options->values != NULL && status == POD_OK && i < input->width; i++)
        status = pod_element_from_real(components[i].dtype, options->values[i], made->values[i], error);
    if (input->cardinality > 0)
        made->base.cardinality =
            input->cardinality / options->size + (input->cardinality % options->size != 0 && !options->drop_remainder);
    return status;
}

pod_status pod_input_padded_batch_recipe(pod_recipe *recipe, pod_dataset **made)
{
    const padded_dataset *from = (const padded_dataset *)recipe->from;
    pod_shape shapes[POD_MAX_COMPONENTS] = {0};
    char values[POD_MAX_COMPONENTS][8] = {0};
    pod_padded_batch_options options = {.shapes = shapes};
    const size_t width = from != NULL ? from->base.width : recipe->inputs[0]->width;
    if (from != NULL) {
        options.size = from->size;
        options.drop_remainder = from->drop_remainder;
        memcpy(shapes, from->shapes, width * sizeof shapes[0]);
        memcpy(values, from->values, width * sizeof values[0]);
    }
    pod_input_recipe_number(recipe, &options.size);
    pod_input_recipe_flag(recipe, &options.drop_remainder);
    for (size_t i = 0; i < width; i++) {
        pod_bytes value = {values[i], sizeof values[i]};
        pod_input_recipe_shape(recipe, &shapes[i]);
        pod_input_recipe_bytes(recipe, &value);
        if (pod_input_recipe_is_read(recipe) && value.size == sizeof values[i])
            memcpy(values[i], value.data, sizeof values[i]);
    }
    if (!pod_input_recipe_is_read(recipe))
        return POD_OK;
    const pod_status status = pod_dataset_padded_batch(recipe->inputs[0], &options, made, recipe->error);
    if (status == POD_OK)
        memcpy(((padded_dataset *)*made)->values, values, width * sizeof values[0]);
    return status;
}
