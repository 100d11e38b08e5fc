/* pickle_arrays - the arrays among what a pickle makes. */

#include "formats/pickle.h"

#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/context.h"

/* The longest name of an array: "cifar-10-batches-py/data_batch_1/labels". */
#define NAME_SIZE 256

/* The most bytes of a pickle: in memory it may be sixteen times as many. The largest of Keras' data sets has 160 MB. */
#define MOST_BYTES ((uint64_t)256 << 20)

static pod_status add_buffer(pod_buffer_list *list, const char *name, pod_status status, pod_buffer *buffer,
                             pod_error *error)
{
    if (status != POD_OK)
        return status;
    status = pod_format_list_add(list, name, strlen(name), buffer, error);
    pod_buffer_release(buffer);
    return status;
}

/* Makes a vector of whole numbers; *numbers are its elements. */
static pod_status new_vector(pod_context *context, size_t count, pod_buffer **buffer, int64_t **numbers,
                             pod_error *error)
{
    const pod_status status = pod_buffer_new(context, POD_S64, &(pod_shape){1, {(int64_t)count}}, buffer, error);
    if (status == POD_OK)
        *numbers = pod_buffer_data(*buffer);
    return status;
}

/* Copies the numbers of a list; refuses one that has something else. */
static pod_status copy_numbers(const pod_pickle *pickle, const pod_pickle_object *from, int64_t *to, pod_error *error)
{
    for (size_t i = 0; i < from->count; i++)
        if (!pod_format_pickle_number(from->items[i], &to[i]))
            return pod_format_pickle_refuse(pickle, "a list has something else than whole numbers", error);
    return POD_OK;
}

static pod_status add_numbers(const pod_pickle *pickle, const pod_pickle_object *from, const char *name,
                              pod_buffer_list *list, pod_error *error)
{
    pod_buffer *buffer;
    int64_t *numbers = NULL;
    pod_status status = new_vector(pickle->context, from->count, &buffer, &numbers, error);
    if (status == POD_OK && (status = copy_numbers(pickle, from, numbers, error)) != POD_OK)
        pod_buffer_release(buffer);
    return add_buffer(list, name, status, buffer, error);
}

/* Counts the numbers of lists: no more than there are bytes, though a list may be there twice. */
static pod_status count_rows(const pod_pickle *pickle, const pod_pickle_object *rows, size_t *total, pod_error *error)
{
    *total = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const pod_pickle_object *row = pod_format_pickle_object(pickle, rows->items[i], POD_PICKLE_LIST);
        if (row == NULL)
            return pod_format_pickle_refuse(pickle, "an array of objects has other ones than lists of numbers", error);
        *total += row->count;
        if (*total > pickle->size)
            return pod_format_pickle_refuse(pickle, "lists are there more than once", error);
    }
    return POD_OK;
}

static pod_status add_rows(const pod_pickle *pickle, const pod_pickle_object *rows, const char *name,
                           pod_buffer_list *list, pod_error *error)
{
    size_t total;
    pod_buffer *values = NULL, *lengths = NULL;
    int64_t *to = NULL, *length = NULL;
    char other[NAME_SIZE];
    pod_status status = count_rows(pickle, rows, &total, error);
    if (status == POD_OK)
        status = new_vector(pickle->context, total, &values, &to, error);
    if (status == POD_OK)
        status = new_vector(pickle->context, rows->count, &lengths, &length, error);
    for (size_t i = 0; status == POD_OK && i < rows->count; i++) {
        const pod_pickle_object *row = pod_format_pickle_object(pickle, rows->items[i], POD_PICKLE_LIST);
        status = copy_numbers(pickle, row, to, error);
        to += row->count;
        length[i] = (int64_t)row->count;
    }
    snprintf(other, sizeof other, "%s.lengths", name);
    if (status == POD_OK)
        status = pod_format_list_add(list, name, strlen(name), values, error);
    if (status == POD_OK)
        status = pod_format_list_add(list, other, strlen(other), lengths, error);
    pod_buffer_release(values);
    pod_buffer_release(lengths);
    return status;
}

/* What an array was completed with. */
typedef struct array_state {
    pod_shape shape;
    const pod_pickle_object *type, *data;
    int64_t by_columns; /* whether its elements stand in Fortran's order */
    bool other_order;   /* whether they have the other order of bytes */
} array_state;

/* Reads a type's state, (3, "<", ...), where it has one. */
static bool read_order(const pod_pickle *pickle, array_state *array)
{
    const pod_pickle_object *state = pod_format_pickle_object(pickle, array->type->state, POD_PICKLE_TUPLE);
    if (state == NULL)
        return true;
    const pod_pickle_object *order =
        state->count > 1 ? pod_format_pickle_object(pickle, state->items[1], POD_PICKLE_TEXT) : NULL;
    if (order == NULL || order->size != 1 || strchr("<>|=", order->text[0]) == NULL || order->text[0] == '\0')
        return false;
    const bool host_is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    array->other_order = order->text[0] == (host_is_little ? '>' : '<');
    return true;
}

/* Reads (1, (2, 3), type, False, bytes or list). */
static bool read_state(const pod_pickle *pickle, const pod_pickle_object *from, array_state *array)
{
    const pod_pickle_object *state = pod_format_pickle_object(pickle, from->state, POD_PICKLE_TUPLE);
    if (state == NULL || state->count != 5)
        return false;
    const pod_pickle_object *dims = pod_format_pickle_object(pickle, state->items[1], POD_PICKLE_TUPLE);
    array->type = pod_format_pickle_object(pickle, state->items[2], POD_PICKLE_DTYPE);
    array->data = pod_format_pickle_object(pickle, state->items[4], POD_PICKLE_TEXT);
    if (array->data == NULL)
        array->data = pod_format_pickle_object(pickle, state->items[4], POD_PICKLE_LIST);
    if (dims == NULL || dims->count > POD_MAX_RANK || array->type == NULL || array->data == NULL ||
        !pod_format_pickle_number(state->items[3], &array->by_columns))
        return false;
    array->shape.rank = (int32_t)dims->count;
    for (size_t i = 0; i < dims->count; i++)
        if (!pod_format_pickle_number(dims->items[i], &array->shape.dims[i]) || array->shape.dims[i] < 0)
            return false;
    return read_order(pickle, array);
}

/* Returns whether the bytes of an array are those of its shape. */
static bool has_all_bytes(const array_state *array, pod_dtype dtype)
{
    uint64_t bytes = pod_dtype_size(dtype);
    for (int32_t i = 0; i < array->shape.rank; i++)
        if (pod_multiply_overflows(bytes, (uint64_t)array->shape.dims[i], &bytes))
            return false;
    return array->data->kind == POD_PICKLE_TEXT && bytes == array->data->size;
}

static pod_status add_array(const pod_pickle *pickle, const pod_pickle_object *from, const char *name,
                            pod_buffer_list *list, pod_error *error)
{
    array_state array = {0};
    pod_buffer *buffer;
    if (!read_state(pickle, from, &array))
        return pod_format_pickle_refuse(pickle, "an array is not complete, or has too many axes", error);
    if (array.type->size > 0 && array.type->text[0] == 'O') {
        if (array.data->kind == POD_PICKLE_LIST && array.shape.rank == 1 &&
            array.shape.dims[0] == (int64_t)array.data->count)
            return add_rows(pickle, array.data, name, list, error);
        return pod_format_pickle_refuse(pickle, "an array of objects has no list of them, or several axes", error);
    }
    const pod_dtype dtype = array.type->size == 2 ? pod_format_dtype_of_npy(array.type->text) : POD_DTYPE_NONE;
    if (dtype == POD_DTYPE_NONE || (array.by_columns != 0 && array.shape.rank > 1))
        return pod_error_set(error, POD_ERROR_UNSUPPORTED,
                             "%s: array '%s' of the pickle is of type '%.*s'%s; booleans, integers and floats in C's "
                             "order are read",
                             pickle->path, name, array.type->size < 40 ? (int)array.type->size : 40, array.type->text,
                             array.by_columns != 0 ? " in Fortran's order" : "");
    if (!has_all_bytes(&array, dtype))
        return pod_format_pickle_refuse(pickle, "an array has more or fewer bytes than its shape", error);
    const pod_status status = pod_buffer_new(pickle->context, dtype, &array.shape, &buffer, error);
    if (status == POD_OK && array.data->size > 0)
        memcpy(pod_buffer_data(buffer), array.data->text, array.data->size);
    if (status == POD_OK && array.other_order)
        pod_format_swap_elements(buffer);
    return add_buffer(list, name, status, buffer, error);
}

/* Adds what a dictionary has under a key; texts, and lists of them, are none of ours. */
static pod_status add_entry(const pod_pickle *pickle, const pod_pickle_value *pair, const char *name,
                            pod_buffer_list *list, pod_error *error)
{
    char whole[NAME_SIZE];
    const pod_pickle_object *key = pod_format_pickle_object(pickle, pair[0], POD_PICKLE_TEXT);
    const pod_pickle_object *items = pod_format_pickle_object(pickle, pair[1], POD_PICKLE_LIST);
    const pod_pickle_object *array = pod_format_pickle_object(pickle, pair[1], POD_PICKLE_ARRAY);
    int64_t number;
    if (key == NULL || memchr(key->text, '\0', key->size) != NULL || strlen(name) + key->size + 2 > sizeof whole)
        return pod_format_pickle_refuse(pickle, "a key of a dictionary is no text, or a long one", error);
    snprintf(whole, sizeof whole, "%s/%.*s", name, (int)key->size, key->text);
    if (array != NULL)
        return add_array(pickle, array, whole, list, error);
    if (items != NULL && (items->count == 0 || pod_format_pickle_number(items->items[0], &number)))
        return add_numbers(pickle, items, whole, list, error);
    return POD_OK;
}

pod_status pod_format_pickle_arrays(const pod_pickle *pickle, pod_pickle_value value, const char *name,
                                    pod_buffer_list *list, pod_error *error)
{
    const pod_pickle_object *array = pod_format_pickle_object(pickle, value, POD_PICKLE_ARRAY);
    const pod_pickle_object *items = pod_format_pickle_object(pickle, value, POD_PICKLE_LIST);
    const pod_pickle_object *dict = pod_format_pickle_object(pickle, value, POD_PICKLE_DICT);
    if (array != NULL)
        return add_array(pickle, array, name, list, error);
    if (items != NULL)
        return add_numbers(pickle, items, name, list, error);
    if (dict == NULL)
        return pod_format_pickle_refuse(pickle, "it holds no array, list or dictionary", error);
    pod_status status = POD_OK;
    for (size_t i = 0; status == POD_OK && i + 1 < dict->count; i += 2)
        status = add_entry(pickle, &dict->items[i], name, list, error);
    return status;
}

pod_status pod_format_pickle_read(pod_context *context, pod_reader *reader, uint64_t size, const char *name,
                                  pod_buffer_list *list, pod_error *error)
{
    pod_claim claim = {POD_U8, {1, {(int64_t)size}}, 0};
    pod_status status = size > MOST_BYTES || strlen(name) > NAME_SIZE / 2
                            ? pod_error_set(error, POD_ERROR_UNSUPPORTED,
                                            "%s: the pickle has %llu bytes, or a long name; at most 256 MiB are read",
                                            pod_format_reader_path(reader), (unsigned long long)size)
                            : pod_format_check_claim(reader, &claim, error);
    if (status != POD_OK)
        return status;
    unsigned char *bytes = pod_allocate(context, (size_t)size);
    if (bytes == NULL)
        return pod_error_memory(error, "a pickle", (size_t)size);
    if (size > 0)
        status = pod_format_read_needed(reader, bytes, (size_t)size, "the end of a pickle", error);
    pod_pickle pickle = {
        .context = context, .path = pod_format_reader_path(reader), .bytes = bytes, .size = (size_t)size};
    pod_pickle_value value;
    if (status == POD_OK)
        status = pod_format_pickle_run(&pickle, &value, error);
    if (status == POD_OK)
        status = pod_format_pickle_arrays(&pickle, value, name, list, error);
    pod_format_pickle_clear(&pickle);
    pod_free(context, bytes);
    return status;
}
