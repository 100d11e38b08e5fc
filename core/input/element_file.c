/* element_file - the elements of a dataset in a file. */

#include "input/element_file.h"

#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "base/decimal.h"
#include "base/growth.h"
#include "base/text.h"
#include "formats/crc32c.h"
#include "formats/record.h"

#define MAGIC       "moonpod dataset "
#define VERSION     2
#define MOST_HEADER ((size_t)1 << 20)

enum { TAG_ELEMENT, TAG_END };

/* ---- writing ---- */

static pod_status write_header(pod_element_writer *writer, const char *note, pod_error *error)
{
    pod_text text;
    pod_text_init(&text, writer->context);
    pod_text_format(&text, MAGIC "%d\n", VERSION);
    for (size_t i = 0; i < writer->width; i++) {
        const pod_component *component = &writer->components[i];
        pod_text_append(&text, component->text ? "text" : pod_dtype_name(component->dtype));
        for (int32_t j = 0; !component->text && j < component->shape.rank; j++)
            pod_text_format(&text, " %" PRId64, component->shape.dims[j]);
        pod_text_append(&text, "\n");
    }
    pod_text_append(&text, "note ");
    pod_text_append(&text, note);
    pod_text_append(&text, "\n");
    const pod_status status = text.failed ? pod_error_memory(error, "the header of a file of elements", text.length)
                                          : pod_record_writer_write(writer->records, text.data, text.length, error);
    pod_text_clear(&text);
    return status;
}

pod_status pod_input_element_writer_open(pod_element_writer *writer, pod_context *context, const char *path,
                                         const char *compression, const pod_component *components, size_t width,
                                         const char *note, pod_error *error)
{
    *writer = (pod_element_writer){.context = context, .components = components, .width = width};
    pod_status status = pod_record_writer_open(context, path, compression, &writer->records, error);
    if (status != POD_OK)
        return status;
    status = write_header(writer, note, error);
    if (status != POD_OK)
        pod_input_element_writer_abandon(writer);
    return status;
}

static pod_status add_one(pod_element_writer *writer, const pod_part *parts, pod_error *error)
{
    size_t size = 1;
    for (size_t i = 0; i < writer->width; i++)
        size += 8 * POD_MAX_RANK + pod_input_part_bytes(&parts[i]);
    const pod_status status = pod_grow(writer->context, &writer->bytes, &writer->room, size,
                                       (pod_growth){1, .what = "an element of a file"}, error);
    if (status != POD_OK)
        return status;
    unsigned char *at = writer->bytes;
    *at++ = TAG_ELEMENT;
    for (size_t i = 0; i < writer->width; i++) {
        pod_shape shape;
        pod_input_part_shape(&parts[i], &shape);
        for (int32_t j = 0; j < shape.rank; j++) {
            if (writer->components[i].shape.dims[j] >= 0)
                continue;
            pod_put_little_u64(at, (uint64_t)shape.dims[j]);
            at += 8;
        }
        const size_t bytes = pod_input_part_bytes(&parts[i]);
        if (bytes > 0)
            memcpy(at, pod_input_part_data(&parts[i]), bytes);
        at += bytes;
    }
    writer->count++;
    return pod_record_writer_write(writer->records, writer->bytes, (size_t)(at - writer->bytes), error);
}

pod_status pod_input_element_writer_add(pod_element_writer *writer, const pod_part *parts, size_t count,
                                        pod_error *error)
{
    pod_status status = POD_OK;
    for (size_t i = 0; status == POD_OK && i < count; i++)
        status = add_one(writer, parts + i * writer->width, error);
    return status;
}

pod_status pod_input_element_writer_commit(pod_element_writer *writer, pod_error *error)
{
    unsigned char end[9] = {TAG_END};
    pod_put_little_u64(end + 1, writer->count);
    pod_status status = pod_record_writer_write(writer->records, end, sizeof end, error);
    if (status == POD_OK) {
        status = pod_record_writer_close(writer->records, error);
        writer->records = NULL;
    }
    pod_input_element_writer_abandon(writer);
    return status;
}

void pod_input_element_writer_abandon(pod_element_writer *writer)
{
    if (writer->context == NULL)
        return;
    pod_record_writer_abandon(writer->records);
    pod_free(writer->context, writer->bytes);
    *writer = (pod_element_writer){0};
}

/* ---- the first record ---- */

static pod_status malformed(const pod_element_reader *reader, const char *what, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_FORMAT, "%s: %s", reader->path, what);
}

/* Reads an integer from -1 on; NULL where there is none. */
static const char *read_integer(const char *at, int64_t *value)
{
    const bool negative = *at == '-';
    at += negative;
    return pod_digits_read(&at, at + strlen(at), negative, value) && (!negative || *value == -1) ? at : NULL;
}

/* Reads the line of a component, which is terminated. */
static bool read_component(char *line, pod_component *component)
{
    *component = (pod_component){0};
    if (strcmp(line, "text") == 0) {
        *component = (pod_component){.dtype = POD_U8, .shape = {1, {-1}}, .text = true};
        return true;
    }
    char *sizes = strchr(line, ' ');
    if (sizes != NULL)
        *sizes++ = '\0';
    component->dtype = pod_dtype_from_name(line);
    if (component->dtype == POD_DTYPE_NONE)
        return false;
    const char *at = sizes;
    while (at != NULL) {
        if (component->shape.rank == POD_MAX_RANK)
            return false;
        at = read_integer(at, &component->shape.dims[component->shape.rank++]);
        if (at == NULL || (*at != '\0' && *at != ' '))
            return false;
        at = *at == ' ' ? at + 1 : NULL;
    }
    return true;
}

static pod_status read_lines(pod_element_reader *reader, char *text, pod_error *error)
{
    char *next = text, *line;
    while ((line = next) != NULL && *line != '\0') {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (strncmp(line, "note ", 5) == 0) {
            reader->note = pod_copy_text(reader->context, line + 5);
            return reader->note != NULL ? POD_OK : pod_error_memory(error, "a note", strlen(line));
        }
        if (reader->width == POD_MAX_COMPONENTS || !read_component(line, &reader->components[reader->width++]))
            return malformed(reader, "the description of a component is malformed", error);
    }
    return malformed(reader, "the description of its elements is incomplete", error);
}

static pod_status read_header(pod_element_reader *reader, pod_error *error)
{
    const void *bytes;
    size_t size;
    int64_t version;
    pod_status status = pod_record_reader_next(reader->records, &bytes, &size, error);
    if (status < 0) {
        if (error != NULL)
            pod_error_prepend(error, "this is no file of a dataset's elements, or a damaged one: ");
        return status;
    }
    if (status == POD_END || size < sizeof MAGIC || size > MOST_HEADER || memcmp(bytes, MAGIC, sizeof MAGIC - 1) != 0 ||
        memchr(bytes, '\0', size) != NULL)
        return malformed(reader, "this is no file of a dataset's elements", error);
    char *text = pod_allocate(reader->context, size + 1);
    if (text == NULL)
        return pod_error_memory(error, "the header of a file of elements", size);
    memcpy(text, bytes, size);
    text[size] = '\0';
    const char *behind = read_integer(text + sizeof MAGIC - 1, &version);
    if (behind == NULL || *behind != '\n')
        status = malformed(reader, "this is no file of a dataset's elements", error);
    else if (version != VERSION)
        status = pod_error_set(error, POD_ERROR_FORMAT,
                               "%s has version %" PRId64 " of the format of saved datasets; this "
                               "Moonpod reads %d",
                               reader->path, version, VERSION);
    else
        status = read_lines(reader, text + (behind - text) + 1, error);
    pod_free(reader->context, text);
    if (status == POD_OK && reader->width == 0)
        status = malformed(reader, "the description of its elements is incomplete", error);
    return status;
}

pod_status pod_input_element_reader_open(pod_element_reader *reader, pod_context *context, const char *path,
                                         pod_error *error)
{
    *reader = (pod_element_reader){.context = context};
    reader->path = pod_copy_text(context, path);
    if (reader->path == NULL)
        return pod_error_memory(error, "a path", strlen(path) + 1);
    pod_status status = pod_record_reader_open(context, path, "auto", &reader->records, error);
    if (status == POD_OK)
        status = read_header(reader, error);
    if (status != POD_OK)
        pod_input_element_reader_close(reader);
    return status;
}

/* ---- elements ---- */

/* Reads the sizes of a component that are not known; *bytes receives the size of its data. False where the
 * record has less than that. */
static bool read_shape(const pod_component *component, const unsigned char **at, size_t *left, pod_shape *shape,
                       size_t *bytes)
{
    *shape = component->shape;
    *bytes = pod_dtype_size(component->dtype);
    for (int32_t i = 0; i < shape->rank; i++) {
        if (shape->dims[i] < 0) {
            const uint64_t size = *left >= 8 ? pod_little_u64(*at) : UINT64_MAX;
            if (size > *left)
                return false;
            shape->dims[i] = (int64_t)size;
            *at += 8;
            *left -= 8;
        }
        if (shape->dims[i] > 0 && *bytes > SIZE_MAX / (size_t)shape->dims[i])
            return false;
        *bytes *= (size_t)shape->dims[i];
    }
    return *bytes <= *left;
}

static pod_status read_part(pod_element_reader *reader, const pod_component *component, const unsigned char **at,
                            size_t *left, pod_part *part, pod_error *error)
{
    pod_shape shape;
    size_t bytes;
    if (!read_shape(component, at, left, &shape, &bytes))
        return pod_error_set(error, POD_ERROR_FORMAT, "%s: element %" PRIu64 " is cut short", reader->path,
                             reader->count);
    *part = (pod_part){NULL, POD_WHOLE};
    const pod_status status = pod_buffer_new(reader->context, component->dtype, &shape, &part->buffer, error);
    if (status != POD_OK)
        return status;
    if (bytes > 0)
        memcpy(pod_buffer_data(part->buffer), *at, bytes);
    *at += bytes;
    *left -= bytes;
    return POD_OK;
}

static pod_status read_end(pod_element_reader *reader, const unsigned char *bytes, size_t size, pod_error *error)
{
    const void *more;
    size_t more_size;
    if (size != 9 || pod_little_u64(bytes + 1) != reader->count)
        return malformed(reader, "its number of elements is another than its end tells", error);
    const pod_status status = pod_record_reader_next(reader->records, &more, &more_size, error);
    if (status < 0)
        return status;
    if (status == POD_OK)
        return malformed(reader, "it goes on behind its end", error);
    reader->ended = true;
    return POD_END;
}

pod_status pod_input_element_reader_next(pod_element_reader *reader, pod_part *parts, pod_error *error)
{
    const void *bytes;
    size_t size, made = 0;
    if (reader->ended)
        return POD_END;
    pod_status status = pod_record_reader_next(reader->records, &bytes, &size, error);
    if (status == POD_END)
        return pod_error_set(error, POD_ERROR_FORMAT, "%s is cut short: it ends behind element %" PRIu64, reader->path,
                             reader->count);
    if (status != POD_OK)
        return status;
    const unsigned char *at = bytes;
    if (size > 0 && *at == TAG_END)
        return read_end(reader, at, size, error);
    if (size == 0 || *at != TAG_ELEMENT)
        return malformed(reader, "a record is neither an element nor the end", error);
    at++;
    size--;
    for (; status == POD_OK && made < reader->width; made += status == POD_OK)
        status = read_part(reader, &reader->components[made], &at, &size, &parts[made], error);
    if (status == POD_OK && size > 0)
        status = pod_error_set(error, POD_ERROR_FORMAT, "%s: element %" PRIu64 " is longer than its components",
                               reader->path, reader->count);
    if (status != POD_OK)
        pod_input_parts_release(parts, made);
    else
        reader->count++;
    return status;
}

int64_t pod_input_element_file_count(pod_context *context, const char *path)
{
    unsigned char record[POD_RECORD_HEADER + 9 + POD_RECORD_FOOTER];
    pod_reader *reader;
    uint64_t size = 0;
    pod_status status = pod_format_reader_open(context, path, POD_COMPRESSION_NONE, &reader, NULL);
    if (status == POD_OK) {
        size = pod_format_reader_file_size(reader);
        pod_format_reader_close(reader);
    }
    if (size < sizeof record)
        return POD_CARDINALITY_UNKNOWN;
    status = pod_format_reader_open_part(context, path, size - sizeof record, sizeof record, POD_COMPRESSION_NONE,
                                         &reader, NULL);
    if (status != POD_OK)
        return POD_CARDINALITY_UNKNOWN;
    status = pod_format_reader_read_all(reader, record, sizeof record, "the end", NULL);
    pod_format_reader_close(reader);
    const unsigned char *end = record + POD_RECORD_HEADER;
    const uint32_t crc = pod_format_crc32c_mask(pod_format_crc32c(end, 9));
    bool whole = status == POD_OK && pod_little_u64(record) == 9 && end[0] == TAG_END;
    whole = whole && pod_little_u32(end + 9) == crc;
    return whole && pod_little_u64(end + 1) < INT64_MAX ? (int64_t)pod_little_u64(end + 1) : POD_CARDINALITY_UNKNOWN;
}

void pod_input_element_reader_close(pod_element_reader *reader)
{
    if (reader->context == NULL)
        return;
    pod_record_reader_close(reader->records);
    pod_free(reader->context, reader->path);
    pod_free(reader->context, reader->note);
    *reader = (pod_element_reader){0};
}
