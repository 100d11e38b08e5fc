/* safetensors - named arrays: u64 length, a JSON header, the elements without a gap. */

#include "base/bytes.h"
#include "base/checked.h"
#include "base/growth.h"
#include "formats/array_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/text.h"
#include "formats/json.h"
#include "formats/safetensors.h"

/* The format's own library refuses longer headers. */
#define MOST_HEADER ((uint64_t)100000000)

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "elements are written as they are");

/* One array as the header describes it. */
typedef struct description {
    char *name;
    pod_dtype dtype;
    pod_shape shape;
    uint64_t begin, end;
} description;

/* A header while it is read. */
typedef struct header {
    pod_context *context;
    const char *path;
    char *text;
    size_t size;
    pod_json json;
    description *arrays;
    size_t count, room;
    pod_buffer_list *list;
} header;

/* ---- the header ---- */

static pod_status read_dtype(header *self, description *array, pod_error *error)
{
    char *name;
    pod_status status = pod_format_json_read_text(&self->json, &name, error);
    if (status != POD_OK)
        return status;
    for (size_t i = 0; i < POD_DTYPES_NAMED; i++)
        if (strcmp(name, pod_format_dtypes[i].safetensors) == 0)
            array->dtype = pod_format_dtypes[i].dtype;
    if (array->dtype == POD_DTYPE_NONE)
        status = pod_error_set(error, POD_ERROR_UNSUPPORTED,
                               "array '%s' has elements of type '%.32s', which are not supported", array->name, name);
    pod_free(self->context, name);
    return status;
}

/* Reads an array of at most `limit` integers that are not negative. */
static pod_status read_integers(header *self, int64_t *values, size_t limit, size_t *count, pod_error *error)
{
    bool more;
    pod_status status = pod_format_json_enter(&self->json, '[', error);
    for (*count = 0; status == POD_OK; ++*count) {
        status = pod_format_json_next(&self->json, &more, error);
        if (status != POD_OK || !more)
            return status;
        if (*count == limit)
            return pod_error_set(error, POD_ERROR_UNSUPPORTED,
                                 "an array's description has more than %zu numbers in a row", limit);
        status = pod_format_json_read_int64(&self->json, &values[*count], error);
        if (status == POD_OK && values[*count] < 0)
            status = pod_error_set(error, POD_ERROR_FORMAT, "an array's description has a negative number");
    }
    return status;
}

static pod_status read_field(header *self, description *array, unsigned *found, pod_error *error)
{
    static const char *const names[] = {"dtype", "shape", "data_offsets"};
    int64_t offsets[2];
    size_t count;
    char *key;
    pod_status status = pod_format_json_read_key(&self->json, &key, error);
    if (status != POD_OK)
        return status;
    unsigned field = 0;
    while (field < 3 && strcmp(key, names[field]) != 0)
        field++;
    pod_free(self->context, key);
    if (field == 3 || (*found & 1u << field))
        return pod_error_set(error, POD_ERROR_FORMAT, "the description of array '%s' has an unknown or a double field",
                             array->name);
    *found |= 1u << field;
    if (field == 0)
        return read_dtype(self, array, error);
    if (field == 1) {
        status = read_integers(self, array->shape.dims, POD_MAX_RANK, &count, error);
        array->shape.rank = (int32_t)count;
        return status;
    }
    status = read_integers(self, offsets, 2, &count, error);
    if (status == POD_OK && (count != 2 || offsets[0] > offsets[1]))
        return pod_error_set(error, POD_ERROR_FORMAT, "the data_offsets of array '%s' are no range", array->name);
    array->begin = (uint64_t)offsets[0];
    array->end = (uint64_t)offsets[1];
    return status;
}

/* Checks that the range of an array's data has the size of its elements. */
static pod_status check_array(const description *array, pod_error *error)
{
    char text[POD_SHAPE_TEXT_SIZE];
    const int64_t elements = pod_shape_elements(&array->shape);
    uint64_t bytes;
    if (elements >= 0 && !pod_multiply_overflows((uint64_t)elements, pod_dtype_size(array->dtype), &bytes) &&
        bytes == array->end - array->begin)
        return POD_OK;
    return pod_error_set(error, POD_ERROR_FORMAT,
                         "array '%s' is %s %s, but its data_offsets %llu to %llu have another size", array->name,
                         pod_dtype_name(array->dtype), pod_shape_format(&array->shape, text),
                         (unsigned long long)array->begin, (unsigned long long)array->end);
}

static pod_status read_description(header *self, description *array, pod_error *error)
{
    unsigned found = 0;
    bool more = true;
    pod_status status = pod_format_json_enter(&self->json, '{', error);
    while (status == POD_OK && more) {
        status = pod_format_json_next(&self->json, &more, error);
        if (status == POD_OK && more)
            status = read_field(self, array, &found, error);
    }
    if (status != POD_OK)
        return status;
    if (found != 7)
        return pod_error_set(error, POD_ERROR_FORMAT, "array '%s' lacks dtype, shape or data_offsets", array->name);
    return check_array(array, error);
}

/* Adds an array named `name`, which is taken. */
static pod_status add_array(header *self, char *name, pod_error *error)
{
    const pod_status status = pod_grow(self->context, &self->arrays, &self->room, self->count + 1,
                                       (pod_growth){sizeof *self->arrays, .first = 16, .what = "a header"}, error);
    if (status != POD_OK) {
        pod_free(self->context, name);
        return status;
    }
    description *array = &self->arrays[self->count++];
    *array = (description){.name = name};
    return read_description(self, array, error);
}

static pod_status read_texts(header *self, pod_error *error)
{
    bool more = true;
    pod_status status = pod_format_json_enter(&self->json, '{', error);
    while (status == POD_OK && more) {
        char *key = NULL, *value = NULL;
        status = pod_format_json_next(&self->json, &more, error);
        if (status == POD_OK && more)
            status = pod_format_json_read_key(&self->json, &key, error);
        if (status == POD_OK && more)
            status = pod_format_json_read_text(&self->json, &value, error);
        if (status == POD_OK && more)
            status = pod_format_list_add_text(self->list, key, value, error);
        pod_free(self->context, key);
        pod_free(self->context, value);
    }
    return status;
}

static pod_status read_header(header *self, pod_error *error)
{
    bool more = true;
    pod_format_json_begin(&self->json, self->context, self->text, self->size);
    pod_status status = pod_format_json_enter(&self->json, '{', error);
    while (status == POD_OK && more) {
        char *name = NULL;
        status = pod_format_json_next(&self->json, &more, error);
        if (status == POD_OK && more)
            status = pod_format_json_read_key(&self->json, &name, error);
        if (status != POD_OK || !more)
            break;
        if (strcmp(name, "__metadata__") != 0) {
            status = add_array(self, name, error);
            continue;
        }
        pod_free(self->context, name);
        status = read_texts(self, error);
    }
    return status == POD_OK ? pod_format_json_end(&self->json, error) : status;
}

/* ---- reading ---- */

/* By their place in the file, then by name: equal names and gaps then show. */
static int compare_places(const void *first, const void *second)
{
    const description *a = first, *b = second;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const description *)a)->name, ((const description *)b)->name);
}

static void sort(header *self, int (*compare)(const void *a, const void *b))
{
    if (self->count > 0)
        qsort(self->arrays, self->count, sizeof *self->arrays, compare);
}

/* Checks that names differ and that the data has neither gap nor overlap. */
static pod_status check_layout(header *self, uint64_t data_size, pod_error *error)
{
    sort(self, compare_names);
    for (size_t i = 1; i < self->count; i++)
        if (strcmp(self->arrays[i - 1].name, self->arrays[i].name) == 0)
            return pod_error_set(error, POD_ERROR_FORMAT, "array '%s' is there twice", self->arrays[i].name);
    sort(self, compare_places);
    uint64_t place = 0;
    for (size_t i = 0; i < self->count; i++) {
        if (self->arrays[i].begin != place)
            return pod_error_set(error, POD_ERROR_FORMAT,
                                 "the data of array '%s' begins at %llu, but that before it ends at "
                                 "%llu",
                                 self->arrays[i].name, (unsigned long long)self->arrays[i].begin,
                                 (unsigned long long)place);
        place = self->arrays[i].end;
    }
    if (place != data_size)
        return pod_error_set(error, POD_ERROR_FORMAT, "the header describes %llu bytes of data, but the file has %llu",
                             (unsigned long long)place, (unsigned long long)data_size);
    return POD_OK;
}

static pod_status read_data(header *self, pod_reader *reader, pod_error *error)
{
    for (size_t i = 0; i < self->count; i++) {
        const description *array = &self->arrays[i];
        pod_buffer *buffer;
        pod_status status = pod_buffer_new(self->context, array->dtype, &array->shape, &buffer, error);
        if (status == POD_OK && pod_buffer_bytes(buffer) > 0)
            status = pod_format_read_needed(reader, pod_buffer_data(buffer), pod_buffer_bytes(buffer),
                                            "the data of an array", error);
        if (status == POD_OK)
            status = pod_format_list_add(self->list, array->name, strlen(array->name), buffer, error);
        pod_buffer_release(buffer);
        if (status != POD_OK)
            return status;
    }
    return POD_OK;
}

static pod_status read_file(header *self, pod_reader *reader, pod_error *error)
{
    unsigned char length[8];
    pod_status status = pod_format_reader_check_sized(reader, error);
    if (status == POD_OK)
        status = pod_format_read_needed(reader, length, sizeof length, "the header", error);
    if (status != POD_OK)
        return status;
    const uint64_t size = pod_little_u64(length);
    const uint64_t left = pod_format_reader_file_size(reader) - sizeof length;
    if (size > MOST_HEADER || size > left)
        return pod_error_set(error, POD_ERROR_FORMAT,
                             "the header claims %llu bytes at offset 0, but %llu follow (and at most "
                             "%llu are read)",
                             (unsigned long long)size, (unsigned long long)left, (unsigned long long)MOST_HEADER);
    self->size = (size_t)size;
    self->text = pod_allocate(self->context, self->size);
    if (self->text == NULL)
        return pod_error_memory(error, "a header", self->size);
    if (size > 0)
        status = pod_format_read_needed(reader, self->text, self->size, "the header", error);
    if (status == POD_OK)
        status = read_header(self, error);
    if (status == POD_OK)
        status = check_layout(self, left - size, error);
    return status == POD_OK ? read_data(self, reader, error) : status;
}

/* Ends the reader. */
static pod_status read_all(pod_context *context, const char *path, pod_reader *reader, pod_buffer_list *list,
                           pod_error *error)
{
    header self = {.context = context, .path = path, .list = list};
    const pod_status status = read_file(&self, reader, error);
    pod_format_reader_close(reader);
    for (size_t i = 0; i < self.count; i++)
        pod_free(context, self.arrays[i].name);
    pod_free(context, self.arrays);
    pod_free(context, self.text);
    if (status != POD_OK) {
        pod_buffer_list_clear(list);
        if (error != NULL && strstr(error->message, path) == NULL)
            pod_error_prepend(error, "%s: ", path);
    }
    return status;
}

pod_status pod_safetensors_read(pod_context *context, const char *path, pod_buffer_list *list, pod_error *error)
{
    pod_reader *reader;
    *list = (pod_buffer_list){.context = context};
    const pod_status status = pod_format_reader_open(context, path, POD_COMPRESSION_NONE, &reader, error);
    return status == POD_OK ? read_all(context, path, reader, list, error) : status;
}

pod_status pod_safetensors_from_bytes(pod_context *context, const char *name, const pod_bytes *bytes,
                                      pod_buffer_list *list, pod_error *error)
{
    pod_reader *reader;
    *list = (pod_buffer_list){.context = context};
    const pod_status status = pod_format_reader_open_memory(context, name, bytes->data, bytes->size, &reader, error);
    return status == POD_OK ? read_all(context, name, reader, list, error) : status;
}
