/* stage_results - where a stage puts the elements it makes. */

#include "input/stage_results.h"

#include "formats/picture.h"

#include <string.h>

#define SOME_ELEMENTS 8 /* of sizes that are not known */
#define BLOCK_BYTES   ((int64_t)1 << 20)

pod_status pod_input_results_open(pod_stage *stage, pod_error *error)
{
    pod_results_stage *self = (pod_results_stage *)stage;
    (void)error; /* memory is checked behind it */
    self->blocks = pod_input_hold(&stage->holdings, stage->width, sizeof *self->blocks);
    self->row_bytes = pod_input_hold(&stage->holdings, stage->width, sizeof *self->row_bytes);
    return POD_OK;
}

void pod_input_results_end(pod_results_stage *results)
{
    pod_input_buffers_drop(results->blocks, results->base.width);
}

void pod_input_results_close(pod_stage *stage)
{
    pod_image_decoder_free(((pod_results_stage *)stage)->decoder);
}

/* A scalar, too, becomes a row. */
static bool is_row(const pod_component *component)
{
    return pod_input_component_is_static(component) && component->shape.rank < POD_MAX_RANK;
}

pod_status pod_input_results_begin(pod_results_stage *results, size_t count, pod_error *error)
{
    pod_stage *stage = &results->base;
    pod_status status = POD_OK;
    for (size_t i = 0; status == POD_OK && i < stage->width; i++) {
        const pod_component *component = &stage->dataset->components[i];
        if (!is_row(component))
            continue;
        const pod_shape shape = pod_input_shape_of_rows(&component->shape, (int64_t)count);
        status = pod_input_spares_take(&stage->spares[i], component->dtype, &shape, &results->blocks[i], error);
        results->row_bytes[i] = status == POD_OK ? pod_buffer_bytes(results->blocks[i]) / count : 0;
    }
    if (status != POD_OK)
        pod_input_results_end(results);
    return status;
}

pod_status pod_input_results_next(pod_stage *stage, pod_result_maker make, pod_part *parts, size_t limit, size_t *count,
                                  pod_error *error)
{
    pod_results_stage *self = (pod_results_stage *)stage;
    const size_t most = pod_input_results_block_size(stage->dataset);
    size_t got;
    pod_status status = pod_input_stage_next(stage->inputs[0], stage->taken, limit < most ? limit : most, &got, error);
    if (status != POD_OK)
        return status;
    status = pod_input_results_begin(self, got, error);
    const int64_t first = stage->inputs[0]->given - (int64_t)got;
    for (; status == POD_OK && *count < got; *count += status == POD_OK)
        status = pod_input_stage_explain(stage, first + (int64_t)*count,
                                         make(stage, *count, parts + *count * stage->width, error), error);
    pod_input_results_end(self);
    pod_input_parts_release(stage->taken, got * stage->inputs[0]->width);
    return status;
}

pod_status pod_input_results_place(pod_results_stage *results, size_t component, size_t row, const pod_shape *shape,
                                   pod_part *part, void **data, pod_error *error)
{
    pod_buffer *block = results->blocks[component];
    if (block != NULL) {
        *part = (pod_part){pod_buffer_retain(block), (int64_t)row};
        *data = (char *)pod_buffer_data(block) + row * results->row_bytes[component];
        return POD_OK;
    }
    const pod_status status = pod_buffer_new(
        results->base.pass->context, results->base.dataset->components[component].dtype, shape, &part->buffer, error);
    part->row = POD_WHOLE;
    if (status == POD_OK)
        *data = pod_buffer_data(part->buffer);
    return status;
}

pod_status pod_input_results_copy(pod_results_stage *results, size_t component, size_t row, const pod_shape *shape,
                                  const pod_bytes *bytes, pod_part *part, pod_error *error)
{
    void *data;
    const pod_status status = pod_input_results_place(results, component, row, shape, part, &data, error);
    if (status == POD_OK && bytes->size > 0)
        memcpy(data, bytes->data, bytes->size);
    return status;
}

static bool fits(const pod_component *announced, const pod_image_type *type)
{
    bool same = announced->dtype == type->dtype && announced->shape.rank == 3;
    for (int32_t axis = 0; same && axis < 3; axis++)
        same = announced->shape.dims[axis] < 0 || announced->shape.dims[axis] == type->shape.dims[axis];
    return same;
}

pod_status pod_input_results_decode(pod_results_stage *results, const pod_bytes *bytes,
                                    const pod_image_options *options, size_t component, size_t row, pod_part *part,
                                    pod_error *error)
{
    const pod_component *announced = &results->base.dataset->components[component];
    pod_image_decoder **decoder = &results->decoder;
    pod_image_type type;
    void *pixels;
    char found[POD_SHAPE_TEXT_SIZE], expected[POD_SHAPE_TEXT_SIZE];
    pod_status status = POD_OK;
    if (*decoder == NULL)
        status = pod_image_decoder_new(results->base.pass->context, decoder, error);
    if (status == POD_OK)
        status = pod_image_describe(*decoder, bytes->data, bytes->size, options, &type, error);
    if (status == POD_OK && !fits(announced, &type))
        status = pod_error_set(error, POD_ERROR_SHAPE, "the picture becomes %s %s, but %s %s was announced",
                               pod_dtype_name(type.dtype), pod_shape_format(&type.shape, found),
                               pod_dtype_name(announced->dtype), pod_shape_format(&announced->shape, expected));
    if (status == POD_OK)
        status = pod_input_results_place(results, component, row, &type.shape, part, &pixels, error);
    if (status != POD_OK)
        return status;
    status = pod_image_decode(*decoder, bytes->data, bytes->size, options, &type, pixels, error);
    if (status != POD_OK)
        pod_buffer_release(part->buffer);
    return status;
}

pod_status pod_input_check_image(const pod_image_options *options, const pod_component *announced, pod_error *error)
{
    char text[POD_SHAPE_TEXT_SIZE];
    const pod_status status = pod_format_image_check_options(options, error);
    if (status != POD_OK)
        return status;
    pod_image_type type = {pod_image_dtype(options), announced->shape};
    if (announced->shape.rank != 3)
        return pod_error_set(error, POD_ERROR_SHAPE, "pictures are (height, width, channels), which %s is not",
                             pod_shape_format(&announced->shape, text));
    if (options->height > 0) {
        type.shape.dims[0] = options->height;
        type.shape.dims[1] = options->width;
    }
    if (options->channels > 0)
        type.shape.dims[2] = options->channels;
    if (!fits(announced, &type))
        return pod_error_set(error, POD_ERROR_SHAPE,
                             "by these options pictures become %s with %d channels, which is not %s %s",
                             pod_dtype_name(type.dtype), options->channels, pod_dtype_name(announced->dtype),
                             pod_shape_format(&announced->shape, text));
    return POD_OK;
}

size_t pod_input_results_block_size(const pod_dataset *dataset)
{
    const int64_t bytes = pod_dataset_element_bytes(dataset);
    if (bytes <= 0)
        return bytes < 0 ? SOME_ELEMENTS : POD_MOST_RESULTS;
    const int64_t count = BLOCK_BYTES / bytes;
    return (size_t)(count < 1 ? 1 : count > POD_MOST_RESULTS ? POD_MOST_RESULTS : count);
}
