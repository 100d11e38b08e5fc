/* safetensors_write - how a safetensors file is written: the header, then the elements, without a gap. */

#include "formats/safetensors.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/context.h"
#include "base/text.h"
#include "formats/array_file.h"

/* Bytes that are written between two looks at the interrupt. */
#define PIECE ((size_t)4 << 20)

struct pod_safetensors_writer {
    pod_context *context;        /* shared */
    const pod_buffer_list *list; /* borrowed */
    pod_writer *writer;
    const pod_named_buffer **entries; /* in the order of the file */
};

static void append_texts(pod_text *to, const pod_buffer_list *list)
{
    pod_text_append(to, "\"__metadata__\":{");
    for (size_t i = 0; i < list->text_count; i++) {
        pod_text_append(to, i > 0 ? "," : "");
        pod_text_json(to, list->texts[2 * i]);
        pod_text_append(to, ":");
        pod_text_json(to, list->texts[2 * i + 1]);
    }
    pod_text_append(to, "}");
}

static void append_array(pod_text *to, const pod_named_buffer *entry, uint64_t *place)
{
    const pod_shape *shape = pod_buffer_shape(entry->buffer);
    pod_text_json(to, entry->name);
    pod_text_format(to, ":{\"dtype\":\"%s\",\"shape\":[",
                    pod_format_names_of(pod_buffer_dtype(entry->buffer))->safetensors);
    for (int32_t i = 0; i < shape->rank; i++)
        pod_text_format(to, "%s%lld", i > 0 ? "," : "", (long long)shape->dims[i]);
    const uint64_t end = *place + pod_buffer_bytes(entry->buffer);
    pod_text_format(to, "],\"data_offsets\":[%llu,%llu]}", (unsigned long long)*place, (unsigned long long)end);
    *place = end;
}

static int compare_entry_names(const void *first, const void *second)
{
    const pod_named_buffer *a = *(const pod_named_buffer *const *)first;
    const pod_named_buffer *b = *(const pod_named_buffer *const *)second;
    return strcmp(a->name, b->name);
}

/* The order of the format's own library: larger elements first, so that all are aligned, then names. */
static int compare_entries(const void *first, const void *second)
{
    const pod_named_buffer *a = *(const pod_named_buffer *const *)first;
    const pod_named_buffer *b = *(const pod_named_buffer *const *)second;
    const size_t size_a = pod_dtype_size(pod_buffer_dtype(a->buffer));
    const size_t size_b = pod_dtype_size(pod_buffer_dtype(b->buffer));
    if (size_a != size_b)
        return size_a > size_b ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* Puts references to the arrays into their order in the file; two of one name are an error. */
static pod_status order_entries(const pod_buffer_list *list, const pod_named_buffer **entries, pod_error *error)
{
    if (list->count == 0)
        return POD_OK;
    for (size_t i = 0; i < list->count; i++)
        entries[i] = &list->entries[i];
    qsort(entries, list->count, sizeof(const pod_named_buffer *), compare_entry_names);
    for (size_t i = 1; i < list->count; i++)
        if (strcmp(entries[i - 1]->name, entries[i]->name) == 0)
            return pod_error_set(error, POD_ERROR_ARGUMENT, "two arrays are named '%s'", entries[i]->name);
    qsort(entries, list->count, sizeof(const pod_named_buffer *), compare_entries);
    return POD_OK;
}

/* The text of a header, to free by pod_free(), and its size; NULL where memory has run out. */
static char *make_header(pod_context *context, const pod_buffer_list *list, const pod_named_buffer **entries,
                         size_t *size)
{
    pod_text text;
    uint64_t place = 0;
    pod_text_init(&text, context);
    pod_text_append(&text, "{");
    if (list->text_count > 0)
        append_texts(&text, list);
    for (size_t i = 0; i < list->count; i++) {
        pod_text_append(&text, i > 0 || list->text_count > 0 ? "," : "");
        append_array(&text, entries[i], &place);
    }
    pod_text_append(&text, "}");
    while (text.length % 8 != 0 && !text.failed)
        pod_text_append(&text, " ");
    *size = text.length;
    return pod_text_take(&text);
}

static pod_status write_header(pod_context *context, pod_writer *writer, const pod_buffer_list *list,
                               const pod_named_buffer **entries, pod_error *error)
{
    unsigned char length[8];
    size_t size;
    char *bytes = make_header(context, list, entries, &size);
    if (bytes == NULL)
        return pod_error_memory(error, "a header", size);
    pod_put_little_u64(length, size);
    pod_format_writer_put(writer, length, sizeof length);
    pod_format_writer_put(writer, bytes, size);
    pod_free(context, bytes);
    return POD_OK;
}

static pod_status write_elements(const pod_safetensors_writer *self, const pod_buffer *buffer, bool stops,
                                 pod_error *error)
{
    const unsigned char *bytes = pod_buffer_data(buffer);
    size_t left = pod_buffer_bytes(buffer);
    while (left > 0) {
        const size_t size = left < PIECE ? left : PIECE;
        if (stops && pod_context_is_interrupted(self->context))
            return pod_error_set(error, POD_ERROR_INTERRUPTED, "interrupted while the file was written");
        const pod_status status = pod_format_writer_write(self->writer, bytes, size, error);
        if (status != POD_OK)
            return status;
        bytes += size;
        left -= size;
    }
    return POD_OK;
}

pod_status pod_format_safetensors_open(pod_context *context, const char *path, const pod_buffer_list *list,
                                       pod_safetensors_writer **writer, pod_error *error)
{
    *writer = NULL;
    pod_safetensors_writer *made = pod_allocate_zeroed(context, 1, sizeof *made);
    if (made == NULL)
        return pod_error_memory(error, "a writer", sizeof *made);
    made->context = pod_context_retain(context);
    made->list = list;
    made->entries = pod_allocate_zeroed(context, list->count, sizeof *made->entries);
    pod_status status = made->entries != NULL
                            ? order_entries(list, made->entries, error)
                            : pod_error_memory(error, "a list of arrays", list->count * sizeof *made->entries);
    if (status == POD_OK)
        status = pod_format_writer_open(context, path, POD_COMPRESSION_NONE, &made->writer, error);
    if (status != POD_OK) {
        pod_format_safetensors_abandon(made);
        return status;
    }
    *writer = made;
    return POD_OK;
}

pod_status pod_format_safetensors_finish(pod_safetensors_writer *self, bool stops, pod_error *error)
{
    pod_status status = write_header(self->context, self->writer, self->list, self->entries, error);
    for (size_t i = 0; status == POD_OK && i < self->list->count; i++)
        status = write_elements(self, self->entries[i]->buffer, stops, error);
    if (status == POD_OK) {
        status = pod_format_writer_commit(self->writer, error);
        self->writer = NULL;
    }
    pod_format_safetensors_abandon(self);
    return status;
}

void pod_format_safetensors_abandon(pod_safetensors_writer *self)
{
    if (self == NULL)
        return;
    pod_context *context = self->context;
    pod_format_writer_abandon(self->writer);
    pod_free(context, self->entries);
    pod_free(context, self);
    pod_context_release(context);
}

pod_status pod_safetensors_write(pod_context *context, const char *path, const pod_buffer_list *list, pod_error *error)
{
    pod_safetensors_writer *writer;
    const pod_status status = pod_format_safetensors_open(context, path, list, &writer, error);
    return status == POD_OK ? pod_format_safetensors_finish(writer, true, error) : status;
}

/* ---- in memory ---- */

static void copy_arrays(unsigned char *to, const pod_buffer_list *list, const pod_named_buffer **entries)
{
    for (size_t i = 0; i < list->count; i++) {
        const size_t size = pod_buffer_bytes(entries[i]->buffer);
        if (size > 0)
            memcpy(to, pod_buffer_data(entries[i]->buffer), size);
        to += size;
    }
}

/* Takes `header`, which may be NULL. */
static pod_status join(pod_context *context, const pod_buffer_list *list, const pod_named_buffer **entries,
                       char *header, size_t header_size, pod_bytes *bytes, pod_error *error)
{
    uint64_t size = 8 + (uint64_t)header_size;
    for (size_t i = 0; i < list->count; i++)
        size += pod_buffer_bytes(list->entries[i].buffer);
    unsigned char *made = header != NULL && size <= SIZE_MAX ? pod_allocate(context, (size_t)size) : NULL;
    if (made == NULL) {
        pod_free(context, header);
        return pod_error_memory(error, "the bytes of a file", (size_t)size);
    }
    pod_put_little_u64(made, header_size);
    memcpy(made + 8, header, header_size);
    copy_arrays(made + 8 + header_size, list, entries);
    pod_free(context, header);
    *bytes = (pod_bytes){made, (size_t)size};
    return POD_OK;
}

pod_status pod_safetensors_to_bytes(pod_context *context, const pod_buffer_list *list, pod_bytes *bytes,
                                    pod_error *error)
{
    *bytes = (pod_bytes){0};
    const pod_named_buffer **entries = pod_allocate_zeroed(context, list->count, sizeof *entries);
    if (entries == NULL)
        return pod_error_memory(error, "a list of arrays", list->count * sizeof *entries);
    pod_status status = order_entries(list, entries, error);
    if (status == POD_OK) {
        size_t size;
        char *header = make_header(context, list, entries, &size);
        status = join(context, list, entries, header, size, bytes, error);
    }
    pod_free(context, entries);
    return status;
}
