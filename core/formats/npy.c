/* npy - single arrays in NumPy's format: magic, version, a Python dictionary as text, elements. */

#include "base/bytes.h"
#include "formats/array_file.h"

#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/decimal.h"

#define MAGIC      "\x93NUMPY"
#define MAGIC_SIZE 6
/* NumPy itself refuses longer headers. */
#define MOST_HEADER 10000
#define ALIGNMENT   64

typedef struct npy_header {
    pod_claim claim;
    bool other_order; /* elements have the other byte order */
    bool fortran_order;
    bool may_be_objects, objects; /* elements are a pickle */
    unsigned found;               /* keys, as bits */
} npy_header;

enum { FOUND_DESCR = 1, FOUND_ORDER = 2, FOUND_SHAPE = 4, FOUND_ALL = 7 };

/* ---- the header's text ---- */

typedef struct header_cursor {
    const pod_reader *reader;
    const char *begin, *at, *end;
} header_cursor;

static pod_status refuse(const header_cursor *text, const char *what, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_FORMAT, "%s: the npy header is malformed at offset %zu: %s",
                         pod_format_reader_path(text->reader), (size_t)(text->at - text->begin), what);
}

static void skip_spaces(header_cursor *text)
{
    while (text->at < text->end && *text->at != '\0' && strchr(" \t\r\n", *text->at) != NULL)
        text->at++;
}

static bool take(header_cursor *text, char wanted)
{
    skip_spaces(text);
    if (text->at == text->end || *text->at != wanted)
        return false;
    text->at++;
    return true;
}

/* Reads a quoted text without escapes. */
static pod_status read_text(header_cursor *text, const char **begin, size_t *size, pod_error *error)
{
    skip_spaces(text);
    if (text->at == text->end || (*text->at != '\'' && *text->at != '"'))
        return refuse(text, "a quoted text is expected (arrays of records are not supported)", error);
    const char quote = *text->at++;
    *begin = text->at;
    while (text->at < text->end && *text->at != quote && *text->at != '\\')
        text->at++;
    *size = (size_t)(text->at - *begin);
    return take(text, quote) ? POD_OK : refuse(text, "a text does not end", error);
}

static pod_status read_descr(header_cursor *text, npy_header *header, pod_error *error)
{
    const char *code = NULL;
    size_t size = 0;
    const pod_status status = read_text(text, &code, &size, error);
    if (status != POD_OK)
        return status;
    const bool host_is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    header->objects = size == 2 && memcmp(code, "|O", 2) == 0;
    if (header->objects && header->may_be_objects)
        return POD_OK;
    if (size == 3)
        header->claim.dtype = pod_format_dtype_of_npy(code + 1);
    if (header->claim.dtype == POD_DTYPE_NONE || code[0] == '\0' || strchr("<>|=", code[0]) == NULL)
        return pod_error_set(error, POD_ERROR_UNSUPPORTED,
                             "%s: elements of type '%.*s' are not supported; they may be booleans, "
                             "integers and floats",
                             pod_format_reader_path(text->reader), size < 40 ? (int)size : 40, code);
    header->other_order = code[0] == (host_is_little ? '>' : '<');
    return POD_OK;
}

static pod_status read_order(header_cursor *text, npy_header *header, pod_error *error)
{
    const size_t left = (size_t)(text->end - text->at);
    skip_spaces(text);
    header->fortran_order = left >= 4 && strncmp(text->at, "True", 4) == 0;
    if (!header->fortran_order && (left < 5 || strncmp(text->at, "False", 5) != 0))
        return refuse(text, "True or False is expected", error);
    text->at += header->fortran_order ? 4 : 5;
    return POD_OK;
}

static pod_status read_size(header_cursor *text, int64_t *size, pod_error *error)
{
    const char *begin = text->at;
    if (!pod_digits_read(&text->at, text->end, false, size))
        return refuse(text, text->at > begin ? "a size is too large" : "a size is expected", error);
    text->at += text->at < text->end && *text->at == 'L'; /* written by Python 2 */
    return POD_OK;
}

static pod_status read_shape(header_cursor *text, npy_header *header, pod_error *error)
{
    if (!take(text, '('))
        return refuse(text, "a tuple of sizes is expected", error);
    header->claim.shape.rank = 0;
    while (!take(text, ')')) {
        if (header->claim.shape.rank == POD_MAX_RANK)
            return pod_error_set(error, POD_ERROR_UNSUPPORTED, "%s: the array has more than %d axes",
                                 pod_format_reader_path(text->reader), POD_MAX_RANK);
        const pod_status status = read_size(text, &header->claim.shape.dims[header->claim.shape.rank], error);
        if (status != POD_OK)
            return status;
        header->claim.shape.rank++;
        if (!take(text, ',') && (text->at == text->end || *text->at != ')'))
            return refuse(text, "a comma is expected", error);
    }
    return POD_OK;
}

static pod_status read_value(header_cursor *text, const char *key, size_t size, npy_header *header, pod_error *error)
{
    const struct {
        const char *name;
        unsigned bit;
        pod_status (*read)(header_cursor *, npy_header *, pod_error *);
    } values[] = {{"descr", FOUND_DESCR, read_descr},
                  {"fortran_order", FOUND_ORDER, read_order},
                  {"shape", FOUND_SHAPE, read_shape}};
    for (size_t i = 0; i < 3; i++)
        if (strlen(values[i].name) == size && memcmp(key, values[i].name, size) == 0 &&
            !(header->found & values[i].bit)) {
            header->found |= values[i].bit;
            skip_spaces(text);
            return values[i].read(text, header, error);
        }
    return refuse(text, "a key is unknown or there twice", error);
}

static pod_status read_dictionary(header_cursor *text, npy_header *header, pod_error *error)
{
    if (!take(text, '{'))
        return refuse(text, "a dictionary is expected", error);
    while (!take(text, '}')) {
        const char *key = NULL;
        size_t size = 0;
        pod_status status = read_text(text, &key, &size, error);
        if (status == POD_OK && !take(text, ':'))
            status = refuse(text, "a colon is expected", error);
        if (status == POD_OK)
            status = read_value(text, key, size, header, error);
        if (status != POD_OK)
            return status;
        skip_spaces(text);
        if (!take(text, ',') && (text->at == text->end || *text->at != '}'))
            return refuse(text, "a comma is expected", error);
    }
    skip_spaces(text);
    if (text->at != text->end || header->found != FOUND_ALL)
        return refuse(text, "descr, fortran_order and shape are expected, and nothing else", error);
    return POD_OK;
}

/* ---- reading ---- */

static pod_status read_header(pod_reader *reader, npy_header *header, pod_error *error)
{
    unsigned char start[MAGIC_SIZE + 2], length[4];
    char text[MOST_HEADER];
    pod_status status = pod_format_read_needed(reader, start, sizeof start, "the npy header", error);
    if (status != POD_OK)
        return status;
    const unsigned version = start[MAGIC_SIZE];
    if (memcmp(start, MAGIC, MAGIC_SIZE) != 0 || version < 1 || version > 3)
        return pod_error_set(error, POD_ERROR_FORMAT,
                             "%s is no npy file of version 1 to 3: it begins with %02x %02x %02x %02x",
                             pod_format_reader_path(reader), start[0], start[1], start[2], start[3]);
    status = pod_format_read_needed(reader, length, version == 1 ? 2 : 4, "the npy header", error);
    if (status != POD_OK)
        return status;
    const uint32_t size = version == 1 ? pod_little_u16(length) : pod_little_u32(length);
    if (size > MOST_HEADER)
        return pod_error_set(error, POD_ERROR_FORMAT, "%s: the npy header claims %u bytes; at most %d are read",
                             pod_format_reader_path(reader), (unsigned)size, MOST_HEADER);
    status = size > 0 ? pod_format_read_needed(reader, text, size, "the npy header", error) : POD_OK;
    if (status != POD_OK)
        return status;
    header_cursor from = {reader, text, text, text + size};
    return read_dictionary(&from, header, error);
}

/* Copies elements from column-major to row-major order. */
static void reorder(const pod_buffer *source, pod_buffer *result)
{
    const pod_shape *shape = pod_buffer_shape(result);
    const size_t size = pod_dtype_size(pod_buffer_dtype(result));
    const char *from = pod_buffer_data(source);
    char *to = pod_buffer_data(result);
    const int64_t count = pod_shape_elements(shape);
    int64_t place[POD_MAX_RANK] = {0};
    for (int64_t i = 0; i < count; i++, to += size) {
        int64_t offset = 0;
        for (int32_t axis = shape->rank - 1; axis >= 0; axis--)
            offset = offset * shape->dims[axis] + place[axis];
        memcpy(to, from + (size_t)offset * size, size);
        for (int32_t axis = shape->rank - 1; axis >= 0 && ++place[axis] == shape->dims[axis]; axis--)
            place[axis] = 0;
    }
}

static pod_status to_row_major(pod_context *context, pod_buffer **buffer, pod_error *error)
{
    pod_buffer *result;
    const pod_status status =
        pod_buffer_new(context, pod_buffer_dtype(*buffer), pod_buffer_shape(*buffer), &result, error);
    if (status == POD_OK)
        reorder(*buffer, result);
    pod_buffer_release(*buffer);
    *buffer = status == POD_OK ? result : NULL;
    return status;
}

pod_status pod_format_npy_read_from(pod_context *context, pod_reader *reader, bool *objects, pod_buffer **buffer,
                                    pod_error *error)
{
    npy_header header = {.may_be_objects = objects != NULL};
    *buffer = NULL;
    pod_status status = read_header(reader, &header, error);
    if (status == POD_OK && objects != NULL && (*objects = header.objects))
        return POD_OK;
    if (status == POD_OK)
        status = pod_format_check_claim(reader, &header.claim, error);
    if (status == POD_OK)
        status = pod_format_read_elements(context, reader, &header.claim, buffer, error);
    if (status == POD_OK && header.other_order)
        pod_format_swap_elements(*buffer);
    if (status == POD_OK && header.fortran_order && header.claim.shape.rank > 1)
        status = to_row_major(context, buffer, error);
    return status;
}

pod_status pod_npy_read(pod_context *context, const char *path, pod_buffer **buffer, pod_error *error)
{
    pod_reader *reader;
    *buffer = NULL;
    pod_status status = pod_format_reader_open(context, path, POD_COMPRESSION_NONE, &reader, error);
    if (status != POD_OK)
        return status;
    status = pod_format_npy_read_from(context, reader, NULL, buffer, error);
    pod_format_reader_close(reader);
    return status;
}

/* ---- writing ---- */

/* Writes "(3, 4)", "(3,)" or "()". */
static int format_tuple(const pod_shape *shape, char *text, size_t size)
{
    int length = snprintf(text, size, "(");
    for (int32_t i = 0; i < shape->rank; i++)
        length +=
            snprintf(text + length, size - (size_t)length, "%s%lld", i > 0 ? ", " : "", (long long)shape->dims[i]);
    return length + snprintf(text + length, size - (size_t)length, shape->rank == 1 ? ",)" : ")");
}

size_t pod_format_npy_header(const pod_buffer *buffer, char header[POD_NPY_HEADER_SIZE])
{
    const pod_dtype dtype = pod_buffer_dtype(buffer);
    char shape[256];
    const char order = pod_dtype_size(dtype) == 1 || dtype == POD_BF16 ? '|'
                       : __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__     ? '<'
                                                                       : '>';
    format_tuple(pod_buffer_shape(buffer), shape, sizeof shape);
    memcpy(header, MAGIC "\x01\x00", MAGIC_SIZE + 2);
    const int text =
        snprintf(header + 10, POD_NPY_HEADER_SIZE - 10, "{'descr': '%c%s', 'fortran_order': False, 'shape': %s, }",
                 order, pod_format_names_of(dtype)->npy, shape);
    size_t size = 10 + (size_t)text;
    while ((size + 1) % ALIGNMENT != 0)
        header[size++] = ' ';
    header[size++] = '\n';
    pod_put_little_u16((unsigned char *)header + 8, size - 10);
    return size;
}

pod_status pod_npy_write(pod_context *context, const char *path, const pod_buffer *buffer, pod_error *error)
{
    pod_writer *writer;
    char header[POD_NPY_HEADER_SIZE];
    const pod_status status = pod_format_writer_open(context, path, POD_COMPRESSION_NONE, &writer, error);
    if (status != POD_OK)
        return status;
    pod_format_writer_put(writer, header, pod_format_npy_header(buffer, header));
    pod_format_writer_put(writer, pod_buffer_data(buffer), pod_buffer_bytes(buffer));
    return pod_format_writer_commit(writer, error);
}
