/* signature - reads what an exported file says of its program. */

#include "exported/signature.h"

#include <string.h>

#include "base/checked.h"
#include "base/context.h"
#include "base/growth.h"
#include "formats/json.h"

typedef struct signature_reader {
    pod_context *context;
    pod_json json;
    pod_exported_signature *into;
} signature_reader;

static pod_status read_weight(signature_reader *r, pod_error *error)
{
    pod_exported_signature *into = r->into;
    const pod_status status = pod_grow(r->context, &into->weights, &into->weight_room, into->weight_count + 1,
                                       (pod_growth){sizeof *into->weights, .first = 16, .what = "a list"}, error);
    if (status != POD_OK)
        return status;
    into->weights[into->weight_count] = NULL;
    return pod_format_json_read_text(&r->json, &into->weights[into->weight_count++], error);
}

static pod_status read_size(signature_reader *r, pod_error *error)
{
    pod_exported_signature *into = r->into;
    if (into->size_count == POD_EXPORTED_MOST_SIZES)
        return pod_error_set(error, POD_ERROR_FORMAT, "there are more than %d sizes", POD_EXPORTED_MOST_SIZES);
    int64_t *size = &into->sizes[into->size_count];
    const pod_status status = pod_format_json_read_int64(&r->json, size, error);
    if (status != POD_OK)
        return status;
    if (*size < 1 || (into->size_count > 0 && *size <= size[-1]))
        return pod_error_set(error, POD_ERROR_FORMAT, "the sizes do not ascend from 1");
    into->size_count++;
    return POD_OK;
}

static pod_status read_dimension(signature_reader *r, pod_shape *shape, pod_error *error)
{
    int64_t size;
    const pod_status status = pod_format_json_read_int64(&r->json, &size, error);
    if (status != POD_OK)
        return status;
    if (size < 0 || shape->rank == POD_MAX_RANK)
        return pod_error_set(error, POD_ERROR_FORMAT, "a shape has a negative size or more than %d", POD_MAX_RANK);
    shape->dims[shape->rank++] = size;
    return POD_OK;
}

static pod_status read_shape(signature_reader *r, pod_shape *shape, pod_error *error)
{
    bool more = true;
    *shape = (pod_shape){0};
    pod_status status = pod_format_json_enter(&r->json, '[', error);
    while (status == POD_OK && (status = pod_format_json_next(&r->json, &more, error)) == POD_OK && more)
        status = read_dimension(r, shape, error);
    return status;
}

static pod_status read_dtype(signature_reader *r, pod_dtype *dtype, pod_error *error)
{
    char *name;
    pod_status status = pod_format_json_read_text(&r->json, &name, error);
    if (status != POD_OK)
        return status;
    *dtype = pod_dtype_from_name(name);
    if (*dtype == POD_DTYPE_NONE)
        status = pod_error_set(error, POD_ERROR_UNSUPPORTED, "elements of type '%.32s' are not known", name);
    pod_free(r->context, name);
    return status;
}

/* Reads one field of a value; `found` has a bit for each that was there. */
static pod_status read_value_field(signature_reader *r, pod_exported_value *value, unsigned *found, pod_error *error)
{
    static const char *const names[] = {"dtype", "name", "shape"};
    char *key, *name;
    pod_status status = pod_format_json_read_key(&r->json, &key, error);
    if (status != POD_OK)
        return status;
    unsigned field = 0;
    while (field < 3 && strcmp(key, names[field]) != 0)
        field++;
    pod_free(r->context, key);
    if (field == 3 || (*found & 1u << field))
        return pod_error_set(error, POD_ERROR_FORMAT, "a value has an unknown or a double field");
    *found |= 1u << field;
    if (field == 0)
        return read_dtype(r, &value->dtype, error);
    if (field == 2)
        return read_shape(r, &value->shape, error);
    status = pod_format_json_read_text(&r->json, &name, error);
    value->name = name;
    return status;
}

static pod_status read_value(signature_reader *r, pod_exported_list *list, pod_error *error)
{
    bool more = true;
    unsigned found = 0;
    pod_status status = pod_grow(r->context, &list->values, &list->room, list->count + 1,
                                 (pod_growth){sizeof *list->values, .first = 4, .what = "a list"}, error);
    if (status != POD_OK)
        return status;
    pod_exported_value *value = &list->values[list->count++];
    *value = (pod_exported_value){0};
    status = pod_format_json_enter(&r->json, '{', error);
    while (status == POD_OK && (status = pod_format_json_next(&r->json, &more, error)) == POD_OK && more)
        status = read_value_field(r, value, &found, error);
    if (status != POD_OK)
        return status;
    const int64_t elements = pod_shape_elements(&value->shape);
    if (found != 7 || elements < 0 ||
        pod_multiply_overflows((size_t)elements, pod_dtype_size(value->dtype), &value->bytes))
        return pod_error_set(error, POD_ERROR_FORMAT, "a value lacks name, dtype or shape, or is too large");
    return POD_OK;
}

static pod_status read_entry(signature_reader *r, unsigned field, pod_error *error)
{
    switch (field) {
    case 0:
        return read_value(r, &r->into->inputs, error);
    case 1:
        return read_value(r, &r->into->outputs, error);
    case 2:
        return read_size(r, error);
    default:
        return read_weight(r, error);
    }
}

static pod_status read_field(signature_reader *r, unsigned *found, pod_error *error)
{
    static const char *const names[] = {"inputs", "outputs", "sizes", "weights", "precision"};
    char *key;
    bool more = true;
    pod_status status = pod_format_json_read_key(&r->json, &key, error);
    if (status != POD_OK)
        return status;
    unsigned field = 0;
    while (field < 5 && strcmp(key, names[field]) != 0)
        field++;
    pod_free(r->context, key);
    if (field == 5 || (*found & 1u << field))
        return pod_error_set(error, POD_ERROR_FORMAT, "there is an unknown or a double field");
    *found |= 1u << field;
    if (field == 4)
        return pod_format_json_read_text(&r->json, &r->into->precision, error);
    status = pod_format_json_enter(&r->json, '[', error);
    while (status == POD_OK && (status = pod_format_json_next(&r->json, &more, error)) == POD_OK && more)
        status = read_entry(r, field, error);
    return status;
}

pod_status pod_exported_read_signature(pod_context *context, const char *text, pod_exported_signature *signature,
                                       pod_error *error)
{
    signature_reader r = {.context = context, .into = signature};
    bool more = true;
    unsigned found = 0;
    *signature = (pod_exported_signature){0};
    pod_format_json_begin(&r.json, context, text, strlen(text));
    pod_status status = pod_format_json_enter(&r.json, '{', error);
    while (status == POD_OK && (status = pod_format_json_next(&r.json, &more, error)) == POD_OK && more)
        status = read_field(&r, &found, error);
    if (status == POD_OK)
        status = pod_format_json_end(&r.json, error);
    if (status == POD_OK && (found & 15) != 15)
        status = pod_error_set(error, POD_ERROR_FORMAT, "inputs, outputs, sizes or weights are missing");
    if (status != POD_OK)
        pod_error_prepend(error, "the signature: ");
    return status;
}

static void clear_list(pod_context *context, pod_exported_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        pod_free(context, (void *)(uintptr_t)list->values[i].name);
    pod_free(context, list->values);
}

void pod_exported_clear_signature(pod_context *context, pod_exported_signature *signature)
{
    for (size_t i = 0; i < signature->weight_count; i++)
        pod_free(context, signature->weights[i]);
    pod_free(context, signature->weights);
    pod_free(context, signature->precision);
    clear_list(context, &signature->inputs);
    clear_list(context, &signature->outputs);
    *signature = (pod_exported_signature){0};
}
