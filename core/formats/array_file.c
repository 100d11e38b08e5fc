/* array_file - what the formats of arrays share. */

#include "formats/array_file.h"

#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/context.h"
#include "base/growth.h"

/* Deflate makes at most 1032 bytes of one; a header that claims more lies. */
#define MOST_EXPANSION 1032

const pod_dtype_names pod_format_dtypes[POD_DTYPES_NAMED] = {
    {POD_BOOL, "b1", "BOOL", 0}, {POD_S8, "i1", "I8", 0x09}, {POD_S16, "i2", "I16", 0x0b}, {POD_S32, "i4", "I32", 0x0c},
    {POD_S64, "i8", "I64", 0},   {POD_U8, "u1", "U8", 0x08}, {POD_U16, "u2", "U16", 0},    {POD_U32, "u4", "U32", 0},
    {POD_U64, "u8", "U64", 0},   {POD_F16, "f2", "F16", 0},  {POD_F32, "f4", "F32", 0x0d}, {POD_F64, "f8", "F64", 0x0e},
    {POD_BF16, "V2", "BF16", 0},
};

const pod_dtype_names *pod_format_names_of(pod_dtype dtype)
{
    size_t i = 0;
    while (i + 1 < POD_DTYPES_NAMED && pod_format_dtypes[i].dtype != dtype)
        i++;
    return &pod_format_dtypes[i];
}

pod_dtype pod_format_dtype_of_npy(const char code[2])
{
    for (size_t i = 0; i < POD_DTYPES_NAMED; i++)
        if (memcmp(code, pod_format_dtypes[i].npy, 2) == 0)
            return pod_format_dtypes[i].dtype;
    return POD_DTYPE_NONE;
}

void pod_format_swap_elements(pod_buffer *buffer)
{
    const size_t size = pod_dtype_size(pod_buffer_dtype(buffer));
    unsigned char *bytes = pod_buffer_data(buffer);
    for (size_t i = 0; size > 1 && i < pod_buffer_bytes(buffer); i += size)
        for (size_t low = 0; low < size / 2; low++) {
            const unsigned char byte = bytes[i + low];
            bytes[i + low] = bytes[i + size - 1 - low];
            bytes[i + size - 1 - low] = byte;
        }
}

const char *pod_format_claim_text(const pod_claim *claim, char text[POD_CLAIM_TEXT_SIZE])
{
    char shape[POD_SHAPE_TEXT_SIZE];
    snprintf(text, POD_CLAIM_TEXT_SIZE, "%s %s", pod_dtype_name(claim->dtype), pod_shape_format(&claim->shape, shape));
    return text;
}

pod_status pod_format_check_claim(pod_reader *reader, pod_claim *claim, pod_error *error)
{
    char what[POD_CLAIM_TEXT_SIZE];
    claim->bytes = pod_dtype_size(claim->dtype);
    for (int32_t i = 0; i < claim->shape.rank; i++)
        if (pod_multiply_overflows(claim->bytes, (uint64_t)claim->shape.dims[i], &claim->bytes))
            claim->bytes = UINT64_MAX / 2; /* a size 0 may still follow */
    const pod_status status = pod_format_reader_check_sized(reader, error);
    if (status != POD_OK)
        return status;
    const uint64_t file = pod_format_reader_file_size(reader), done = pod_format_reader_offset(reader);
    uint64_t most = file > done ? file - done : 0;
    if (pod_format_reader_is_compressed(reader))
        most = file > UINT64_MAX / MOST_EXPANSION ? UINT64_MAX : file * MOST_EXPANSION;
    (void)pod_format_claim_text(claim, what);
    if (claim->bytes <= most)
        return pod_format_reader_check_room(reader, claim->bytes, what, error);
    return pod_error_set(error, POD_ERROR_FORMAT,
                         "%s is truncated: its header, which ends at offset %llu, announces %s = %llu "
                         "bytes, but the file has at most %llu",
                         pod_format_reader_path(reader), (unsigned long long)done, what,
                         (unsigned long long)claim->bytes, (unsigned long long)most);
}

pod_status pod_format_read_needed(pod_reader *reader, void *bytes, size_t size, const char *what, pod_error *error)
{
    const pod_status status = pod_format_reader_read_all(reader, bytes, size, what, error);
    if (status != POD_END)
        return status;
    return pod_error_set(error, POD_ERROR_FORMAT, "%s: the file ends at offset %llu, before %s",
                         pod_format_reader_path(reader), (unsigned long long)pod_format_reader_offset(reader), what);
}

/* Fails unless the data ends here. */
static pod_status check_end(pod_reader *reader, pod_error *error)
{
    unsigned char byte;
    size_t got;
    const pod_status status = pod_format_reader_read(reader, &byte, 1, &got, error);
    if (status == POD_END)
        return POD_OK;
    if (status != POD_OK)
        return status;
    return pod_error_set(error, POD_ERROR_FORMAT,
                         "%s: the array that the header announces ends at offset %llu, but the data "
                         "goes on",
                         pod_format_reader_path(reader), (unsigned long long)pod_format_reader_offset(reader) - 1);
}

pod_status pod_format_read_elements(pod_context *context, pod_reader *reader, const pod_claim *claim,
                                    pod_buffer **buffer, pod_error *error)
{
    pod_status status = pod_buffer_new(context, claim->dtype, &claim->shape, buffer, error);
    if (status != POD_OK)
        return status;
    if (pod_buffer_bytes(*buffer) > 0)
        status = pod_format_read_needed(reader, pod_buffer_data(*buffer), pod_buffer_bytes(*buffer),
                                        "the elements of the array", error);
    if (status == POD_OK)
        status = check_end(reader, error);
    if (status != POD_OK) {
        pod_buffer_release(*buffer);
        *buffer = NULL;
    }
    return status;
}

static char *copy_bytes(pod_context *context, const char *text, size_t size)
{
    char *copy = pod_allocate(context, size + 1);
    if (copy != NULL) {
        memcpy(copy, text, size);
        copy[size] = '\0';
    }
    return copy;
}

/* Makes room for one more than `count` entries: a block has room for as many as the next power of two. */
static pod_status grow(void **block, const pod_buffer_list *list, size_t count, size_t entry_size, const char *what,
                       pod_error *error)
{
    size_t room = (count & (count - 1)) == 0 ? count : count + 1;
    return pod_grow(list->context, block, &room, count + 1, (pod_growth){entry_size, .what = what}, error);
}

pod_status pod_format_list_add(pod_buffer_list *list, const char *name, size_t name_size, pod_buffer *buffer,
                               pod_error *error)
{
    const pod_status status =
        grow((void **)&list->entries, list, list->count, sizeof *list->entries, "a list of arrays", error);
    if (status != POD_OK)
        return status;
    char *copy = copy_bytes(list->context, name, name_size);
    if (copy == NULL)
        return pod_error_memory(error, "a name", name_size);
    list->entries[list->count++] = (pod_named_buffer){copy, pod_buffer_retain(buffer)};
    return POD_OK;
}

pod_status pod_format_list_add_text(pod_buffer_list *list, const char *key, const char *value, pod_error *error)
{
    const pod_status status =
        grow((void **)&list->texts, list, list->text_count, 2 * sizeof *list->texts, "texts", error);
    if (status != POD_OK)
        return status;
    char *key_copy = pod_copy_text(list->context, key);
    char *value_copy = pod_copy_text(list->context, value);
    if (key_copy == NULL || value_copy == NULL) {
        pod_free(list->context, key_copy);
        pod_free(list->context, value_copy);
        return pod_error_memory(error, "texts", strlen(key) + strlen(value));
    }
    list->texts[2 * list->text_count] = key_copy;
    list->texts[2 * list->text_count + 1] = value_copy;
    list->text_count++;
    return POD_OK;
}

void pod_buffer_list_clear(pod_buffer_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        pod_free(list->context, list->entries[i].name);
        pod_buffer_release(list->entries[i].buffer);
    }
    for (size_t i = 0; i < 2 * list->text_count; i++)
        pod_free(list->context, list->texts[i]);
    if (list->context != NULL) {
        pod_free(list->context, list->entries);
        pod_free(list->context, list->texts);
    }
    *list = (pod_buffer_list){0};
}
