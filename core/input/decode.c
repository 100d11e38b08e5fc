/* decode - components of elements that name files or are pictures become their contents. */

#include "base/growth.h"
#include "input/stage_results.h"

#include <string.h>

#include "formats/reader.h"

#define LARGEST_FILE ((uint64_t)1 << 31)

typedef struct decode_dataset {
    pod_dataset base;
    pod_decode_output *outputs;
    pod_image_options *images; /* of outputs that are pictures */
} decode_dataset;

typedef struct decode_stage {
    pod_stage base;
    size_t block; /* most elements at once */
    pod_part *input;
    pod_results results;
    pod_image_decoder *decoder; /* made when it is first needed */
    char *path;                 /* terminated */
    size_t path_room;
    unsigned char *file; /* the bytes of the last one */
    size_t file_room;
} decode_stage;

static pod_status read_bytes(decode_stage *self, pod_reader *reader, size_t size, pod_error *error)
{
    /* Of exactly the largest file: one may be of gigabytes. */
    pod_status status = pod_grow(self->base.pass->context, &self->file, &self->file_room, size,
                                 (pod_growth){1, .most = size, .what = "a file"}, error);
    if (status == POD_OK && size > 0)
        status = pod_format_reader_read_all(reader, self->file, size, "the file", error);
    return status == POD_END ? pod_error_set(error, POD_ERROR_IO, "%s became shorter", self->path) : status;
}

/* Reads the file that a string names. *bytes is borrowed until the next one. */
static pod_status read_file(decode_stage *self, const pod_part *name, pod_bytes *bytes, pod_error *error)
{
    const size_t length = pod_input_part_bytes(name);
    pod_reader *reader;
    pod_status status = pod_grow(self->base.pass->context, &self->path, &self->path_room, length + 1,
                                 (pod_growth){1, .what = "a path"}, error);
    if (status != POD_OK)
        return status;
    memcpy(self->path, pod_input_part_data(name), length);
    self->path[length] = '\0';
    if (strlen(self->path) != length)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "a path has a zero byte in it");
    status = pod_format_reader_open(self->base.pass->context, self->path, POD_COMPRESSION_NONE, &reader, error);
    if (status != POD_OK)
        return status;
    pod_format_reader_set_stop(reader, pod_input_stage_stop(&self->base));
    const uint64_t size = pod_format_reader_file_size(reader);
    status = pod_format_reader_check_sized(reader, error);
    if (status == POD_OK && size > LARGEST_FILE)
        status = pod_error_set(error, POD_ERROR_FORMAT, "%s has %llu bytes; files of up to 2^31 are read as a whole",
                               self->path, (unsigned long long)size);
    if (status == POD_OK)
        status = read_bytes(self, reader, (size_t)size, error);
    pod_format_reader_close(reader);
    *bytes = (pod_bytes){self->file, (size_t)size};
    return status;
}

static pod_status give_text(decode_stage *self, size_t index, size_t row, const pod_bytes *bytes, pod_part *part,
                            pod_error *error)
{
    const pod_shape shape = {1, {(int64_t)bytes->size}};
    void *data;
    const pod_status status = pod_input_results_place(&self->results, index, row, &shape, part, &data, error);
    if (status == POD_OK && bytes->size > 0)
        memcpy(data, bytes->data, bytes->size);
    return status;
}

static pod_status make_output(decode_stage *self, size_t index, size_t row, pod_part *part, pod_error *error)
{
    const decode_dataset *dataset = (const decode_dataset *)self->base.dataset;
    const pod_decode_output *output = &dataset->outputs[index];
    const pod_part *from = &self->input[row * self->base.inputs[0]->width + output->component];
    if (output->image == NULL && !output->is_path) {
        pod_input_parts_share(from, 1, part);
        return POD_OK;
    }
    pod_bytes bytes = {pod_input_part_data(from), pod_input_part_bytes(from)};
    pod_status status = output->is_path ? read_file(self, from, &bytes, error) : POD_OK;
    if (status != POD_OK)
        return status;
    if (output->image == NULL)
        return give_text(self, index, row, &bytes, part, error);
    status = pod_input_results_decode(&self->results, &self->decoder, &bytes, output->image,
                                      &dataset->base.components[index], index, row, part, error);
    if (status < 0 && error != NULL && output->is_path)
        pod_error_prepend(error, "%s: ", self->path);
    return status;
}

static pod_status decode_element(decode_stage *self, size_t row, pod_part *parts, pod_error *error)
{
    pod_status status = POD_OK;
    size_t done = 0;
    for (; status == POD_OK && done < self->base.width; done += status == POD_OK)
        status = make_output(self, done, row, &parts[done], error);
    if (status != POD_OK)
        pod_input_parts_release(parts, done);
    return status;
}

static pod_status decode_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    decode_stage *self = (decode_stage *)stage;
    size_t got;
    if (limit > self->block)
        limit = self->block;
    pod_status status = pod_input_stage_next(stage->inputs[0], self->input, limit, &got, error);
    if (status != POD_OK)
        return status;
    status = pod_input_results_begin(&self->results, got, error);
    for (; status == POD_OK && *count < got; *count += status == POD_OK) {
        status = decode_element(self, *count, parts + *count * stage->width, error);
        if (status < 0 && error != NULL)
            pod_error_prepend(error, "%s, element %lld: ", pod_dataset_label(stage->dataset),
                              (long long)(stage->inputs[0]->given - (int64_t)(got - *count)));
    }
    pod_input_results_end(&self->results);
    pod_input_parts_release(self->input, got * stage->inputs[0]->width);
    return status;
}

static pod_status decode_open(pod_stage *stage, pod_error *error)
{
    decode_stage *self = (decode_stage *)stage;
    pod_context *context = stage->pass->context;
    self->block = pod_input_results_block_size(stage->dataset);
    const size_t bytes = self->block * stage->dataset->inputs[0]->width * sizeof *self->input;
    self->input = pod_allocate(context, bytes);
    if (self->input == NULL)
        return pod_error_memory(error, "an iterator", bytes);
    return pod_input_results_open(&self->results, context, stage->dataset->components, stage->width, error);
}

static void decode_close(pod_stage *stage)
{
    decode_stage *self = (decode_stage *)stage;
    pod_context *context = stage->pass->context;
    pod_input_results_close(&self->results);
    pod_image_decoder_free(self->decoder);
    pod_free(context, self->input);
    pod_free(context, self->path);
    pod_free(context, self->file);
}

static void decode_free(pod_dataset *dataset)
{
    decode_dataset *self = (decode_dataset *)dataset;
    pod_free(dataset->context, self->outputs);
    pod_free(dataset->context, self->images);
}

static const pod_stage_class decode_class = {
    .name = "decode",
    .dataset_size = sizeof(decode_dataset),
    .iterator_size = sizeof(decode_stage),
    .elementwise = true,
    .free = decode_free,
    .open = decode_open,
    .next = decode_next,
    .close = decode_close,
};

static pod_status check_output(const pod_dataset *input, const pod_decode_output *output, pod_component *component,
                               pod_error *error)
{
    if (output->component >= input->width)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "elements have no component %zu, only %zu", output->component,
                             input->width);
    *component = input->components[output->component];
    if (output->image == NULL && !output->is_path)
        return POD_OK;
    if (!component->text)
        return pod_error_set(error, POD_ERROR_DTYPE, "component %zu is %s, not a string that %s", output->component,
                             pod_dtype_name(component->dtype), output->is_path ? "names a file" : "is a picture");
    if (output->image == NULL)
        return POD_OK;
    *component = (pod_component){.dtype = pod_image_dtype(output->image), .shape = output->shape};
    return pod_input_check_image(output->image, component, error);
}

pod_status pod_dataset_decode(pod_dataset *input, const pod_decode_output *outputs, size_t count, pod_dataset **dataset,
                              pod_error *error)
{
    pod_component components[POD_MAX_COMPONENTS];
    pod_status status = POD_OK;
    *dataset = NULL;
    if (count == 0 || count > POD_MAX_COMPONENTS)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "1 to %d components are decoded, not %zu", POD_MAX_COMPONENTS,
                             count);
    for (size_t i = 0; status == POD_OK && i < count; i++)
        status = check_output(input, &outputs[i], &components[i], error);
    if (status == POD_OK)
        status = pod_dataset_new(input->context, &decode_class, &input, 1, components, count, dataset, error);
    if (status != POD_OK)
        return status;
    decode_dataset *made = (decode_dataset *)*dataset;
    made->base.together = (int64_t)pod_input_results_block_size(*dataset);
    made->outputs = pod_allocate_zeroed(input->context, count, sizeof *outputs);
    made->images = pod_allocate_zeroed(input->context, count, sizeof *made->images);
    if (made->outputs == NULL || made->images == NULL) {
        pod_dataset_release(*dataset);
        *dataset = NULL;
        return pod_error_memory(error, "a stage", count * sizeof *outputs);
    }
    for (size_t i = 0; i < count; i++) {
        made->outputs[i] = outputs[i];
        if (outputs[i].image == NULL)
            continue;
        made->images[i] = *outputs[i].image;
        made->outputs[i].image = &made->images[i];
    }
    return POD_OK;
}
