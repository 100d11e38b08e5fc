/* decode - components of elements that name files or are pictures become their contents. */

#include "base/growth.h"
#include "input/stage_results.h"
#include "input/recipe.h"

#include <string.h>

#include "formats/reader.h"

#define LARGEST_FILE ((uint64_t)1 << 31)

typedef struct decode_dataset {
    pod_dataset base;
    pod_decode_output *outputs;
} decode_dataset;

typedef struct decode_stage {
    pod_results_stage base;
    char *path; /* terminated */
    size_t path_room;
    unsigned char *file; /* the bytes of the last one */
    size_t file_room;
} decode_stage;

static pod_status read_bytes(decode_stage *self, pod_reader *reader, size_t size, pod_error *error)
{
    /* Of exactly the largest file: one may be of gigabytes. */
    pod_status status = pod_grow(self->base.base.pass->context, &self->file, &self->file_room, size,
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
    pod_status status = pod_grow(self->base.base.pass->context, &self->path, &self->path_room, length + 1,
                                 (pod_growth){1, .what = "a path"}, error);
    if (status != POD_OK)
        return status;
    memcpy(self->path, pod_input_part_data(name), length);
    self->path[length] = '\0';
    if (strlen(self->path) != length)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "a path has a zero byte in it");
    status = pod_format_reader_open(self->base.base.pass->context, self->path, POD_COMPRESSION_NONE, &reader, error);
    if (status != POD_OK)
        return status;
    pod_format_reader_set_stop(reader, pod_input_stage_stop(&self->base.base));
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

static pod_status make_output(decode_stage *self, size_t index, size_t row, pod_part *part, pod_error *error)
{
    const pod_stage *stage = &self->base.base;
    const pod_decode_output *output = &((const decode_dataset *)stage->dataset)->outputs[index];
    const pod_part *from = &stage->taken[row * stage->inputs[0]->width + output->component];
    if (output->image == NULL && !output->is_path) {
        pod_input_parts_share(from, 1, part);
        return POD_OK;
    }
    pod_bytes bytes = {pod_input_part_data(from), pod_input_part_bytes(from)};
    pod_status status = output->is_path ? read_file(self, from, &bytes, error) : POD_OK;
    if (status != POD_OK)
        return status;
    if (output->image == NULL)
        return pod_input_results_copy(&self->base, index, row, &(pod_shape){1, {(int64_t)bytes.size}}, &bytes, part,
                                      error);
    status = pod_input_results_decode(&self->base, &bytes, output->image, index, row, part, error);
    if (status < 0 && error != NULL && output->is_path)
        pod_error_prepend(error, "%s: ", self->path);
    return status;
}

static pod_status decode_element(pod_stage *stage, size_t row, pod_part *parts, pod_error *error)
{
    pod_status status = POD_OK;
    size_t done = 0;
    for (; status == POD_OK && done < stage->width; done += status == POD_OK)
        status = make_output((decode_stage *)stage, done, row, &parts[done], error);
    if (status != POD_OK)
        pod_input_parts_release(parts, done);
    return status;
}

static pod_status decode_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    return pod_input_results_next(stage, decode_element, parts, limit, count, error);
}

static void decode_close(pod_stage *stage)
{
    pod_input_results_close(stage);
    pod_free(stage->pass->context, ((decode_stage *)stage)->path);
    pod_free(stage->pass->context, ((decode_stage *)stage)->file);
}

static const pod_stage_class decode_class = {
    .name = "decode",
    .dataset_size = sizeof(decode_dataset),
    .iterator_size = sizeof(decode_stage),
    .elementwise = true,
    .one_for_one = true,
    .reuses_buffers = true,
    .takes = POD_MOST_RESULTS,
    .open = pod_input_results_open,
    .next = decode_next,
    .pass_over = pod_input_stage_pass_over_input,
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
    made->outputs = pod_input_hold(&made->base.holdings, count, sizeof *outputs);
    pod_image_options *images = pod_input_hold(&made->base.holdings, count, sizeof *images);
    status = pod_dataset_check_holdings(dataset, error);
    for (size_t i = 0; status == POD_OK && i < count; i++) {
        made->outputs[i] = outputs[i];
        if (outputs[i].image == NULL)
            continue;
        images[i] = *outputs[i].image;
        made->outputs[i].image = &images[i];
    }
    return status;
}

pod_status pod_input_decode_recipe(pod_recipe *recipe, pod_dataset **made)
{
    const decode_dataset *from = (const decode_dataset *)recipe->from;
    pod_decode_output outputs[POD_MAX_COMPONENTS] = {0};
    pod_image_options images[POD_MAX_COMPONENTS] = {0};
    size_t count = from != NULL ? from->base.width : 0;
    if (from != NULL)
        memcpy(outputs, from->outputs, count * sizeof outputs[0]);
    pod_input_recipe_count(recipe, &count, POD_MAX_COMPONENTS);
    for (size_t i = 0; i < count; i++) {
        bool is_image = outputs[i].image != NULL;
        if (is_image)
            images[i] = *outputs[i].image;
        pod_input_recipe_count(recipe, &outputs[i].component, POD_MAX_COMPONENTS);
        pod_input_recipe_flag(recipe, &outputs[i].is_path);
        pod_input_recipe_shape(recipe, &outputs[i].shape);
        pod_input_recipe_flag(recipe, &is_image);
        if (is_image)
            pod_input_recipe_image(recipe, &images[i]);
        outputs[i].image = is_image ? &images[i] : NULL;
    }
    return pod_input_recipe_is_read(recipe) ? pod_dataset_decode(recipe->inputs[0], outputs, count, made, recipe->error)
                                            : POD_OK;
}
