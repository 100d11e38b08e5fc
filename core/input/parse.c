/* parse - records of tf.train.Example become arrays. */

#include "input/stage.h"

#include <string.h>

#include "moonpod/formats.h"

/* What a transform of examples knows: the features in the order of its results. */
typedef struct parser {
    pod_context *context; /* shared */
    size_t count;
    pod_feature_spec *specs; /* names are copies, defaults shared */
} parser;

static void free_parser(void *context)
{
    parser *self = context;
    pod_context *owner = self->context;
    for (size_t i = 0; self->specs != NULL && i < self->count; i++) {
        pod_free(owner, (char *)(uintptr_t)self->specs[i].name);
        pod_buffer_release(self->specs[i].default_value);
    }
    pod_free(owner, self->specs);
    pod_free(owner, self);
    pod_context_release(owner);
}

static pod_status wrong(const pod_feature_spec *spec, const pod_feature *feature,
                        const char *what, pod_error *error)
{
    static const char *const kinds[] = {"nothing", "bytes", "floats", "int64s"};
    char text[POD_SHAPE_TEXT_SIZE];
    return pod_error_set(error, POD_ERROR_SHAPE,
                         "feature '%s' has %zu %s, but %s %s is expected%s", spec->name,
                         feature->count, kinds[feature->kind], pod_dtype_name(spec->dtype),
                         pod_shape_format(&spec->shape, text), what);
}

/* The bytes of a string feature: text, or the elements of an array as they stand. */
static pod_status parse_bytes(const parser *self, const pod_feature_spec *spec,
                              const pod_feature *feature, pod_buffer **output, pod_error *error)
{
    const size_t size = pod_dtype_size(spec->dtype);
    pod_shape shape = spec->shape;
    if (feature->count != 1)
        return wrong(spec, feature, ": one string", error);
    const pod_bytes *bytes = &feature->bytes[0];
    if (shape.rank == 1 && shape.dims[0] < 0 && bytes->size % size == 0)
        shape.dims[0] = (int64_t)(bytes->size / size);
    if (pod_shape_elements(&shape) < 0 ||
        (size_t)pod_shape_elements(&shape) * size != bytes->size) {
        char text[POD_SHAPE_TEXT_SIZE];
        return pod_error_set(error, POD_ERROR_SHAPE,
                             "feature '%s' has a string of %zu bytes, which are no %s %s", spec->name,
                             bytes->size, pod_dtype_name(spec->dtype),
                             pod_shape_format(&spec->shape, text));
    }
    const pod_status status = pod_buffer_new(self->context, spec->dtype, &shape, output, error);
    if (status == POD_OK && bytes->size > 0)
        memcpy(pod_buffer_data(*output), bytes->data, bytes->size);
    return status;
}

/* Numbers, converted to the wanted type. */
static pod_status parse_numbers(const parser *self, const pod_feature_spec *spec,
                                const pod_feature *feature, pod_buffer **output, pod_error *error)
{
    pod_shape shape = spec->shape;
    if (shape.rank == 1 && shape.dims[0] < 0)
        shape.dims[0] = (int64_t)feature->count;
    if (pod_shape_elements(&shape) != (int64_t)feature->count)
        return wrong(spec, feature, "", error);
    const pod_status status = pod_buffer_new(self->context, spec->dtype, &shape, output, error);
    if (status == POD_OK && feature->kind == POD_FEATURE_FLOAT)
        pod_convert(POD_F32, feature->floats, spec->dtype, pod_buffer_data(*output),
                    feature->count);
    else if (status == POD_OK)
        pod_convert(POD_S64, feature->integers, spec->dtype, pod_buffer_data(*output),
                    feature->count);
    return status;
}

static pod_status parse_feature(const parser *self, const pod_example *example,
                                const pod_feature_spec *spec, pod_buffer **output,
                                pod_error *error)
{
    static const pod_feature none = {.kind = POD_FEATURE_INT64};
    const pod_feature *feature = pod_example_find(example, spec->name);
    const bool missing = feature == NULL || feature->kind == POD_FEATURE_NONE;
    if (missing && spec->default_value != NULL) {
        *output = pod_buffer_retain(spec->default_value);
        return POD_OK;
    }
    if (missing && spec->shape.rank == 1 && spec->shape.dims[0] < 0)
        return parse_numbers(self, spec, &none, output, error);
    if (missing)
        return pod_error_set(error, POD_ERROR_NOT_FOUND,
                             "the example has no feature '%s', and there is no default for it",
                             spec->name);
    if (feature->kind == POD_FEATURE_BYTES)
        return parse_bytes(self, spec, feature, output, error);
    if (spec->text)
        return wrong(spec, feature, ": text", error);
    return parse_numbers(self, spec, feature, output, error);
}

static pod_status parse_example(void *context, void *cursor, pod_buffer *const *inputs,
                                pod_buffer **outputs, pod_error *error)
{
    const parser *self = context;
    pod_example example;
    (void)cursor;
    pod_status status = pod_example_decode(self->context, pod_buffer_data(inputs[0]),
                                           pod_buffer_bytes(inputs[0]), &example, error);
    if (status != POD_OK)
        return status;
    size_t done = 0;
    for (; status == POD_OK && done < self->count; done += status == POD_OK)
        status = parse_feature(self, &example, &self->specs[done], &outputs[done], error);
    for (size_t i = 0; status != POD_OK && i < done; i++)
        pod_buffer_release(outputs[i]);
    pod_example_clear(&example);
    return status;
}

static pod_status check_spec(const pod_feature_spec *spec, pod_error *error)
{
    char text[POD_SHAPE_TEXT_SIZE];
    const bool any_length = spec->shape.rank == 1 && spec->shape.dims[0] < 0;
    if (!any_length && pod_shape_elements(&spec->shape) < 0)
        return pod_error_set(error, POD_ERROR_SHAPE,
                             "feature '%s' is to be %s: sizes must be known, or there is one axis of "
                             "any size",
                             spec->name, pod_shape_format(&spec->shape, text));
    if (spec->text && (spec->dtype != POD_U8 || !any_length))
        return pod_error_set(error, POD_ERROR_DTYPE, "feature '%s' is text, which is uint8 (-1,)",
                             spec->name);
    const pod_buffer *value = spec->default_value;
    if (value == NULL || (pod_buffer_dtype(value) == spec->dtype &&
                          (pod_shape_equal(pod_buffer_shape(value), &spec->shape) ||
                           (any_length && pod_buffer_shape(value)->rank == 1))))
        return POD_OK;
    return pod_error_set(error, POD_ERROR_SHAPE,
                         "the default of feature '%s' does not have its type and shape", spec->name);
}

static pod_status copy_specs(parser *self, const pod_feature_spec *specs, size_t count,
                             pod_error *error)
{
    self->specs = pod_allocate_zeroed(self->context, count, sizeof *specs);
    if (self->specs == NULL)
        return pod_error_memory(error, "the features", count * sizeof *specs);
    for (; self->count < count; self->count++) {
        const pod_feature_spec *spec = &specs[self->count];
        const pod_status status = check_spec(spec, error);
        if (status != POD_OK)
            return status;
        char *name = pod_copy_text(self->context, spec->name);
        if (name == NULL)
            return pod_error_memory(error, "a name", strlen(spec->name) + 1);
        self->specs[self->count] = *spec;
        self->specs[self->count].name = name;
        if (spec->default_value != NULL)
            pod_buffer_retain(spec->default_value);
    }
    return POD_OK;
}

pod_status pod_dataset_parse_examples(pod_dataset *input, const pod_feature_spec *specs,
                                      size_t count, pod_dataset **dataset, pod_error *error)
{
    pod_component components[POD_MAX_COMPONENTS];
    *dataset = NULL;
    if (count == 0 || count > POD_MAX_COMPONENTS)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "1 to %d features are parsed, not %zu",
                             POD_MAX_COMPONENTS, count);
    if (input->width != 1 || !input->components[0].text)
        return pod_error_set(error, POD_ERROR_DTYPE,
                             "examples are parsed from elements that are one string of bytes");
    parser *self = pod_allocate_zeroed(input->context, 1, sizeof *self);
    if (self == NULL)
        return pod_error_memory(error, "a parser", sizeof *self);
    self->context = pod_context_retain(input->context);
    const pod_status status = copy_specs(self, specs, count, error);
    if (status != POD_OK) {
        free_parser(self);
        return status;
    }
    for (size_t i = 0; i < count; i++)
        components[i] = (pod_component){specs[i].dtype, specs[i].shape, specs[i].text};
    const pod_transform transform = {.apply = parse_example,
                                     .release = free_parser,
                                     .context = self,
                                     .any_thread = true};
    return pod_dataset_transform(input, &transform, components, count, dataset, error);
}
