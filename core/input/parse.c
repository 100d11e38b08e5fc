/* parse - records of tf.train.Example become arrays. */

#include "input/stage_results.h"
#include "input/recipe.h"

#include <string.h>

#include "moonpod/formats.h"

typedef struct parse_dataset {
    pod_dataset base;
    size_t count;
    pod_feature_spec *specs; /* in the order of the results; names are copies, defaults shared */
} parse_dataset;

/* A feature of the element in hand. */
typedef struct place {
    pod_results_stage *stage;
    const pod_feature_spec *spec;
    size_t index, row;
    pod_part *part;
} place;

static void parse_free(pod_dataset *dataset)
{
    parse_dataset *self = (parse_dataset *)dataset;
    for (size_t i = 0; i < self->count; i++)
        pod_buffer_release(self->specs[i].default_value);
}

static pod_status wrong(const pod_feature_spec *spec, const pod_feature *feature, const char *what, pod_error *error)
{
    static const char *const kinds[] = {"nothing", "bytes", "floats", "int64s"};
    char text[POD_SHAPE_TEXT_SIZE];
    return pod_error_set(error, POD_ERROR_SHAPE, "feature '%s' has %zu %s, but %s %s is expected%s", spec->name,
                         feature->count, kinds[feature->kind], pod_dtype_name(spec->dtype),
                         pod_shape_format(&spec->shape, text), what);
}

/* The bytes of a string feature: text, or the elements of an array as they stand. */
static pod_status parse_bytes(const place *at, const pod_bytes *bytes, pod_error *error)
{
    const pod_feature_spec *spec = at->spec;
    const size_t size = pod_dtype_size(spec->dtype);
    pod_shape shape = spec->shape;
    if (shape.rank == 1 && shape.dims[0] < 0 && bytes->size % size == 0)
        shape.dims[0] = (int64_t)(bytes->size / size);
    if (pod_shape_elements(&shape) < 0 || (size_t)pod_shape_elements(&shape) * size != bytes->size) {
        char text[POD_SHAPE_TEXT_SIZE];
        return pod_error_set(error, POD_ERROR_SHAPE, "feature '%s' has a string of %zu bytes, which are no %s %s",
                             spec->name, bytes->size, pod_dtype_name(spec->dtype),
                             pod_shape_format(&spec->shape, text));
    }
    return pod_input_results_copy(at->stage, at->index, at->row, &shape, bytes, at->part, error);
}

static pod_status parse_image(const place *at, const pod_bytes *bytes, pod_error *error)
{
    const pod_status status =
        pod_input_results_decode(at->stage, bytes, at->spec->image, at->index, at->row, at->part, error);
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

/* Numbers: floats become floats and int64s integers of any width that holds them, as the types are what a script says
 * of its files. */
static pod_status parse_numbers(const place *at, const pod_feature *feature, pod_error *error)
{
    pod_shape shape = at->spec->shape;
    void *data;
    if (shape.rank == 1 && shape.dims[0] < 0)
        shape.dims[0] = (int64_t)feature->count;
    if (feature->count > 0 && pod_dtype_is_float(at->spec->dtype) != (feature->kind == POD_FEATURE_FLOAT))
        return wrong(at->spec, feature, "; a list is not converted: ask for its own type, and cast in a map", error);
    if (pod_shape_elements(&shape) != (int64_t)feature->count)
        return wrong(at->spec, feature, "", error);
    pod_status status = pod_input_results_place(at->stage, at->index, at->row, &shape, at->part, &data, error);
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

static pod_status parse_element(pod_stage *stage, size_t row, pod_part *parts, pod_error *error)
{
    const parse_dataset *dataset = (const parse_dataset *)stage->dataset;
    const pod_part *record = &stage->taken[row];
    pod_example example;
    pod_status status = pod_example_decode(stage->pass->context, pod_input_part_data(record),
                                           pod_input_part_bytes(record), &example, error);
    if (status != POD_OK)
        return status;
    size_t done = 0;
    for (; status == POD_OK && done < dataset->count; done += status == POD_OK) {
        const place at = {(pod_results_stage *)stage, &dataset->specs[done], done, row, &parts[done]};
        status = parse_feature(&at, &example, error);
    }
    if (status != POD_OK)
        pod_input_parts_release(parts, done);
    pod_example_clear(&example);
    return status;
}

static pod_status parse_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    return pod_input_results_next(stage, parse_element, parts, limit, count, error);
}

static const pod_stage_class parse_class = {
    .name = "parse_example",
    .dataset_size = sizeof(parse_dataset),
    .iterator_size = sizeof(pod_results_stage),
    .elementwise = true,
    .one_for_one = true,
    .reuses_buffers = true,
    .takes = POD_MOST_RESULTS,
    .free = parse_free,
    .open = pod_input_results_open,
    .next = parse_next,
    .pass_over = pod_input_stage_pass_over_input,
    .close = pod_input_results_close,
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
    pod_holdings *holdings = &self->base.holdings;
    self->specs = pod_input_hold(holdings, count, sizeof *specs);
    pod_image_options *images = pod_input_hold(holdings, count, sizeof *images);
    pod_status status = pod_input_holdings_check(holdings, "the features", error);
    for (; status == POD_OK && self->count < count; self->count++) {
        const pod_feature_spec *spec = &specs[self->count];
        pod_feature_spec *copy = &self->specs[self->count];
        status = check_spec(spec, error);
        if (status != POD_OK)
            return status;
        *copy = *spec;
        copy->name = pod_input_hold_text(holdings, spec->name);
        if (spec->image != NULL) {
            images[self->count] = *spec->image;
            copy->image = &images[self->count];
        }
        if (spec->default_value != NULL)
            pod_buffer_retain(spec->default_value);
        status = pod_input_holdings_check(holdings, "a name", error);
    }
    return status;
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
    return status == POD_OK ? POD_OK : pod_dataset_fail(dataset, status);
}

/* Visits a feature; a default that is read is the caller's. */
static void feature_recipe(pod_recipe *recipe, pod_feature_spec *spec, pod_image_options *image)
{
    bool has_default = spec->default_value != NULL, is_image = spec->image != NULL;
    if (is_image && recipe->from != NULL)
        *image = *spec->image;
    pod_input_recipe_text(recipe, &spec->name);
    pod_input_recipe_dtype(recipe, &spec->dtype);
    pod_input_recipe_shape(recipe, &spec->shape);
    pod_input_recipe_flag(recipe, &spec->text);
    pod_input_recipe_flag(recipe, &has_default);
    if (has_default)
        pod_input_recipe_buffer(recipe, &spec->default_value);
    pod_input_recipe_flag(recipe, &is_image);
    if (is_image)
        pod_input_recipe_image(recipe, image);
    spec->image = is_image ? image : NULL;
}

pod_status pod_input_parse_recipe(pod_recipe *recipe, pod_dataset **made)
{
    const parse_dataset *from = (const parse_dataset *)recipe->from;
    pod_feature_spec specs[POD_MAX_COMPONENTS] = {0};
    pod_image_options images[POD_MAX_COMPONENTS] = {0};
    size_t count = from != NULL ? from->count : 0;
    pod_status status = POD_OK;
    if (from != NULL)
        memcpy(specs, from->specs, count * sizeof specs[0]);
    pod_input_recipe_count(recipe, &count, POD_MAX_COMPONENTS);
    for (size_t i = 0; i < count; i++)
        feature_recipe(recipe, &specs[i], &images[i]);
    if (pod_input_recipe_is_read(recipe))
        status = pod_dataset_parse_examples(recipe->inputs[0], specs, count, made, recipe->error);
    for (size_t i = 0; from == NULL && i < count; i++)
        pod_buffer_release(specs[i].default_value);
    return status;
}
