/* padded_batch - stacks elements of different sizes, filled up to a common one. */

#include "base/growth.h"
#include "input/padding.h"

#include <string.h>

typedef struct padded_dataset {
    pod_dataset base;
    int64_t size;
    bool drop_remainder;
    pod_padding padding;
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

static pod_status stack(padded_stage *self, size_t component, pod_part *part, pod_error *error)
{
    char has[POD_SHAPE_TEXT_SIZE], wants[POD_SHAPE_TEXT_SIZE];
    const pod_padding *padding = &padded_of(&self->base)->padding;
    const pod_rows rows = {self->rows, self->count, self->base.width, component};
    pod_buffer *made;
    pod_shape row = padding->shapes[component];
    const size_t fitting = pod_input_padding_measure(&rows, &row);
    if (fitting < rows.count) {
        pod_input_part_shape(pod_input_rows_part(&rows, fitting), &row);
        return pod_error_set(error, POD_ERROR_SHAPE,
                             "padded_batch: component %zu of element %lld is %s, larger than the padded shape %s",
                             component, (long long)self->base.inputs[0]->given - (long long)(self->count - fitting),
                             pod_shape_format(&row, has), pod_shape_format(&padding->shapes[component], wants));
    }
    const pod_shape shape = pod_input_shape_of_rows(&row, (int64_t)self->count);
    const pod_status status = pod_input_spares_take(
        &self->base.spares[component], self->base.dataset->components[component].dtype, &shape, &made, error);
    if (status != POD_OK)
        return status;
    pod_input_padding_stack(&rows, padding->values[component], made);
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

static void describe(const pod_dataset *input, const pod_padded_batch_options *options, const pod_padding *padding,
                     pod_component *components)
{
    const int64_t all = input->cardinality;
    const bool full =
        options->drop_remainder || all == POD_CARDINALITY_INFINITE || (all >= 0 && all % options->size == 0);
    for (size_t i = 0; i < input->width; i++)
        components[i] =
            (pod_component){.dtype = input->components[i].dtype,
                            .shape = pod_input_shape_of_rows(&padding->shapes[i], full ? options->size : -1)};
}

pod_status pod_dataset_padded_batch(pod_dataset *input, const pod_padded_batch_options *options, pod_dataset **dataset,
                                    pod_error *error)
{
    pod_component components[POD_MAX_COMPONENTS];
    pod_padding padding;
    *dataset = NULL;
    if (options->size < 1)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the size of a batch is %lld; it must be at least 1",
                             (long long)options->size);
    pod_status status = pod_input_padding_choose(&padding, input, input->width, options->shapes, options->values,
                                                 "padded_batch", error);
    if (status != POD_OK)
        return status;
    describe(input, options, &padding, components);
    status = pod_dataset_new(input->context, &padded_class, &input, 1, components, input->width, dataset, error);
    if (status != POD_OK)
        return status;
    padded_dataset *made = (padded_dataset *)*dataset;
    made->size = options->size;
    made->drop_remainder = options->drop_remainder;
    pod_dataset_tell(*dataset, "%lld%s", (long long)options->size, options->drop_remainder ? ", drop remainder" : "");
    made->padding = padding;
    if (input->cardinality > 0)
        made->base.cardinality =
            input->cardinality / options->size + (input->cardinality % options->size != 0 && !options->drop_remainder);
    return status;
}

pod_status pod_input_padded_batch_recipe(pod_recipe *recipe, pod_dataset **made)
{
    const padded_dataset *from = (const padded_dataset *)recipe->from;
    pod_padding padding = {0};
    pod_padded_batch_options options = {.shapes = padding.shapes};
    if (from != NULL) {
        options.size = from->size;
        options.drop_remainder = from->drop_remainder;
        padding = from->padding;
    }
    pod_input_recipe_number(recipe, &options.size);
    pod_input_recipe_flag(recipe, &options.drop_remainder);
    pod_input_recipe_padding(recipe, &padding, from != NULL ? from->base.width : recipe->inputs[0]->width);
    if (!pod_input_recipe_is_read(recipe))
        return POD_OK;
    const pod_status status = pod_dataset_padded_batch(recipe->inputs[0], &options, made, recipe->error);
    if (status == POD_OK)
        memcpy(((padded_dataset *)*made)->padding.values, padding.values, sizeof padding.values);
    return status;
}
