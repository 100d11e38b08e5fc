/* parse - records of tf.train.Example become arrays. */

#include "input/stage_results.h"

#include <string.h>

#include "moonpod/formats.h"

typedef struct parse_dataset {
    pod_dataset base;
    size_t count;
    pod_feature_spec *specs;   /* in the order of the results; names are copies, defaults shared */
    pod_image_options *images; /* of specs that are pictures */
} parse_dataset;

typedef struct parse_stage {
    pod_stage base;
    size_t block; /* most elements at once */
    pod_part *input;
    pod_results results;
    pod_image_decoder *decoder; /* made when it is first needed */
} parse_stage;

/* A feature of the element in hand. */
typedef struct place {
    parse_stage *stage;
    const pod_feature_spec *spec;
    size_t index, row;
    pod_part *part;
} place;

static void parse_free(pod_dataset *dataset)
{
    parse_dataset *self = (parse_dataset *)dataset;
    for (size_t i = 0; self->specs != NULL && i < self->count; i++) {
        pod_free(dataset->context, (char *)(uintptr_t)self->specs[i].name);
        pod_buffer_release(self->specs[i].default_value);
    }
    pod_free(dataset->context, self->specs);
    pod_free(dataset->context, self->images);
}

static pod_status wrong(const pod_feature_spec *spec, const pod_feature *feature, const char *what, pod_error *error)
{
    static const char *const kinds[] = {"nothing", "bytes", "floats", "int64s"};
    char text[POD_SHAPE_TEXT_SIZE];
    return pod_error_set(error, POD_ERROR_SHAPE, "feature '%s' has %zu %s, but %s %s is expected%s", spec->name,
                         feature->count, kinds[feature->kind], pod_dtype_name(spec->dtype),
                         pod_shape_format(&spec->shape, text), what);
}

static pod_status make_place(const place *at, const pod_shape *shape, void **data, pod_error *error)
{
    return pod_input_results_place(&at->stage->results, at->index, at->row, shape, at->part, data, error);
}

/* The bytes of a string feature: text, or the elements of an array as they stand. */
static pod_status parse_bytes(const place *at, const pod_bytes *bytes, pod_error *error)
{
    const pod_feature_spec *spec = at->spec;
    const size_t size = pod_dtype_size(spec->dtype);
    pod_shape shape = spec->shape;
    void *data;
    if (shape.rank == 1 && shape.dims[0] < 0 && bytes->size % size == 0)
        shape.dims[0] = (int64_t)(bytes->size / size);
    if (pod_shape_elements(&shape) < 0 || (size_t)pod_shape_elements(&shape) * size != bytes->size) {
        char text[POD_SHAPE_TEXT_SIZE];
        return pod_error_set(error, POD_ERROR_SHAPE, "feature '%s' has a string of %zu bytes, which are no %s %s",
                             spec->name, bytes->size, pod_dtype_name(spec->dtype),
                             pod_shape_format(&spec->shape, text));
    }
    const pod_status status = make_place(at, &shape, &data, error);
    if (status == POD_OK && bytes->size > 0)
        memcpy(data, bytes->data, bytes->size);
    return status;
}

static pod_status parse_image(const place *at, const pod_bytes *bytes, pod_error *error)
{
    const pod_component component = {.dtype = at->spec->dtype, .shape = at->spec->shape};
    const pod_status status = pod_input_results_decode(&at->stage->results, &at->stage->decoder, bytes, at->spec->image,
                                                       &component, at->index, at->row, at->part, error);
    if (status < 0 && error != NULL)
        pod_error_prepend(error, "feature '%s': ", at->spec->name);
    return status;
}

/* Stores the numbers of a list as elements of the type that is asked for. */
static pod_status put_numbers(const place *at, const pod_feature *feature, char *data, pod_error *error)
{
    const pod_dtype dtype = at->spec->dtype;
    const size_t size = pod_dtype_size(dtype);
    pod_status status = POD_OK;
    size_t i = 0;
    for (; status == POD_OK && i < feature->count; i++, data += size)
        status = feature->kind == POD_FEATURE_FLOAT
                     ? pod_element_from_real(dtype, (double)feature->floats[i], data, error)
                     : pod_element_from_integer(dtype, feature->integers[i], data, error);
    return status == POD_OK ? POD_OK : pod_error_prepend(error, "feature '%s': number %zu: ", at->spec->name, i - 1);
}

static bool is_float(pod_dtype dtype)
{
    return dtype == POD_F16 || dtype == POD_BF16 || dtype == POD_F32 || dtype == POD_F64;
}

/* Numbers: floats become floats and int64s integers of any width that holds them, as the types are what a script says
 * of its files. */
static pod_status parse_numbers(const place *at, const pod_feature *feature, pod_error *error)
{
    pod_shape shape = at->spec->shape;
    void *data;
    if (shape.rank == 1 && shape.dims[0] < 0)
        shape.dims[0] = (int64_t)feature->count;
    if (feature->count > 0 && is_float(at->spec->dtype) != (feature->kind == POD_FEATURE_FLOAT))
        return wrong(at->spec, feature, "; a list is not converted: ask for its own type, and cast in a map", error);
    if (pod_shape_elements(&shape) != (int64_t)feature->count)
        return wrong(at->spec, feature, "", error);
    pod_status status = make_place(at, &shape, &data, error);
    if (status != POD_OK)
        return status;
    const bool floats = feature->kind == POD_FEATURE_FLOAT;
    if (at->spec->dtype == (floats ? POD_F32 : POD_S64) && feature->count > 0)
        memcpy(data, floats ? (const void *)feature->floats : feature->integers,
               feature->count * pod_dtype_size(at->spec->dtype));
    else
        status = put_numbers(at, feature, data, error);
    if (status != POD_OK) {
        pod_buffer_release(at->part->buffer);
        at->part->buffer = NULL;
    }
    return status;
}

static pod_status parse_feature(const place *at, const pod_example *example, pod_error *error)
{
    static const pod_feature none = {.kind = POD_FEATURE_INT64};
    const pod_feature_spec *spec = at->spec;
    const pod_feature *feature = pod_example_find(example, spec->name);
    const bool missing = feature == NULL || feature->kind == POD_FEATURE_NONE;
    if (missing && spec->default_value != NULL) {
        *at->part = (pod_part){pod_buffer_retain(spec->default_value), POD_WHOLE};
        return POD_OK;
    }
    if (missing && spec->shape.rank == 1 && spec->shape.dims[0] < 0)
        return parse_numbers(at, &none, error);
    if (missing)
        return pod_error_set(error, POD_ERROR_NOT_FOUND,
                             "the example has no feature '%s', and there is no default for it", spec->name);
    if (feature->kind != POD_FEATURE_BYTES)
        return spec->text || spec->image != NULL ? wrong(spec, feature, spec->text ? ": text" : ": a picture", error)
                                                 : parse_numbers(at, feature, error);
    if (feature->count != 1)
        return wrong(spec, feature, ": one string", error);
    return spec->image != NULL ? parse_image(at, &feature->bytes[0], error)
                               : parse_bytes(at, &feature->bytes[0], error);
}

static pod_status parse_element(parse_stage *self, size_t row, pod_part *parts, pod_error *error)
{
    const parse_dataset *dataset = (const parse_dataset *)self->base.dataset;
    const pod_part *record = &self->input[row];
    pod_example example;
    pod_status status = pod_example_decode(self->base.pass->context, pod_input_part_data(record),
                                           pod_input_part_bytes(record), &example, error);
    if (status != POD_OK)
        return status;
    size_t done = 0;
    for (; status == POD_OK && done < dataset->count; done += status == POD_OK) {
        const place at = {self, &dataset->specs[done], done, row, &parts[done]};
        status = parse_feature(&at, &example, error);
    }
    if (status != POD_OK)
        pod_input_parts_release(parts, done);
    pod_example_clear(&example);
    return status;
}

static pod_status parse_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    parse_stage *self = (parse_stage *)stage;
    size_t got;
    if (limit > self->block)
        limit = self->block;
    pod_status status = pod_input_stage_next(stage->inputs[0], self->input, limit, &got, error);
    if (status != POD_OK)
        return status;
    status = pod_input_results_begin(&self->results, got, error);
    for (; status == POD_OK && *count < got; *count += status == POD_OK) {
        status = parse_element(self, *count, parts + *count * stage->width, error);
        if (status < 0 && error != NULL)
            pod_error_prepend(error, "%s, element %lld: ", pod_dataset_label(stage->dataset),
                              (long long)(stage->inputs[0]->given - (int64_t)(got - *count)));
    }
    pod_input_results_end(&self->results);
    pod_input_parts_release(self->input, got);
    return status;
}

static pod_status parse_open(pod_stage *stage, pod_error *error)
{
    parse_stage *self = (parse_stage *)stage;
    pod_context *context = stage->pass->context;
    self->block = pod_input_results_block_size(stage->dataset);
    self->input = pod_allocate(context, self->block * sizeof *self->input);
    if (self->input == NULL)
        return pod_error_memory(error, "an iterator", self->block * sizeof *self->input);
    return pod_input_results_open(&self->results, context, stage->dataset->components, stage->width, error);
}

static void parse_close(pod_stage *stage)
{
    parse_stage *self = (parse_stage *)stage;
    pod_input_results_close(&self->results);
    pod_image_decoder_free(self->decoder);
    pod_free(stage->pass->context, self->input);
}

static const pod_stage_class parse_class = {
    .name = "parse_example",
    .dataset_size = sizeof(parse_dataset),
    .iterator_size = sizeof(parse_stage),
    .elementwise = true,
    .free = parse_free,
    .open = parse_open,
    .next = parse_next,
    .close = parse_close,
};

static pod_status check_spec(const pod_feature_spec *spec, pod_error *error)
{
    char text[POD_SHAPE_TEXT_SIZE];
    const bool any_length = spec->shape.rank == 1 && spec->shape.dims[0] < 0;
    if (spec->image != NULL) {
        const pod_component component = {.dtype = spec->dtype, .shape = spec->shape};
        return pod_input_check_image(spec->image, &component, error);
    }
    if (!any_length && pod_shape_elements(&spec->shape) < 0)
        return pod_error_set(error, POD_ERROR_SHAPE,
                             "feature '%s' is to be %s: sizes must be known, or there is one axis of "
                             "any size",
                             spec->name, pod_shape_format(&spec->shape, text));
    if (spec->text && (spec->dtype != POD_U8 || !any_length))
        return pod_error_set(error, POD_ERROR_DTYPE, "feature '%s' is text, which is uint8 (-1,)", spec->name);
    const pod_buffer *value = spec->default_value;
    if (value == NULL ||
        (pod_buffer_dtype(value) == spec->dtype && (pod_shape_equal(pod_buffer_shape(value), &spec->shape) ||
                                                    (any_length && pod_buffer_shape(value)->rank == 1))))
        return POD_OK;
    return pod_error_set(error, POD_ERROR_SHAPE, "the default of feature '%s' does not have its type and shape",
                         spec->name);
}

static pod_status copy_specs(parse_dataset *self, const pod_feature_spec *specs, size_t count, pod_error *error)
{
    pod_context *context = self->base.context;
    self->specs = pod_allocate_zeroed(context, count, sizeof *specs);
    self->images = pod_allocate_zeroed(context, count, sizeof *self->images);
    if (self->specs == NULL || self->images == NULL)
        return pod_error_memory(error, "the features", count * sizeof *specs);
    for (; self->count < count; self->count++) {
        const pod_feature_spec *spec = &specs[self->count];
        const pod_status status = check_spec(spec, error);
        if (status != POD_OK)
            return status;
        char *name = pod_copy_text(context, spec->name);
        if (name == NULL)
            return pod_error_memory(error, "a name", strlen(spec->name) + 1);
        pod_feature_spec *copy = &self->specs[self->count];
        *copy = *spec;
        copy->name = name;
        if (spec->image != NULL) {
            self->images[self->count] = *spec->image;
            copy->image = &self->images[self->count];
        }
        if (spec->default_value != NULL)
            pod_buffer_retain(spec->default_value);
    }
    return POD_OK;
}

pod_status pod_dataset_parse_examples(pod_dataset *input, const pod_feature_spec *specs, size_t count,
                                      pod_dataset **dataset, pod_error *error)
{
    pod_component components[POD_MAX_COMPONENTS];
    *dataset = NULL;
    if (count == 0 || count > POD_MAX_COMPONENTS)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "1 to %d features are parsed, not %zu", POD_MAX_COMPONENTS,
                             count);
    if (input->width != 1 || !input->components[0].text)
        return pod_error_set(error, POD_ERROR_DTYPE, "examples are parsed from elements that are one string of bytes");
    for (size_t i = 0; i < count; i++)
        components[i] = (pod_component){specs[i].dtype, specs[i].shape, specs[i].text};
    pod_status status = pod_dataset_new(input->context, &parse_class, &input, 1, components, count, dataset, error);
    if (status != POD_OK)
        return status;
    (*dataset)->together = (int64_t)pod_input_results_block_size(*dataset);
    status = copy_specs((parse_dataset *)*dataset, specs, count, error);
    if (status != POD_OK) {
        pod_dataset_release(*dataset);
        *dataset = NULL;
    }
    return status;
}
