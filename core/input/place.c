/* place - where an iterator is, as bytes. */

#include "input/place.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "formats/crc32c.h"
#include "formats/reader.h"

#define VERSION    1
#define MAGIC      "moonpod iterator "
#define CRC_LINE   16 /* "crc32c 01234567\n" */
#define MOST_BYTES ((size_t)1 << 24)

/* ---- stages ---- */

static void append_stage(pod_text *to, const pod_dataset *dataset)
{
    char described[POD_STAGE_TEXT_SIZE], shape[POD_SHAPE_TEXT_SIZE];
    const char *options = dataset->options;
    if (dataset->kind->describe != NULL) {
        dataset->kind->describe(dataset, described, sizeof described);
        options = described;
    }
    pod_text_format(to, "stage %s%s%s: ", dataset->kind->name, options[0] != '\0' ? " " : "", options);
    if (dataset->cardinality >= 0)
        pod_text_format(to, "%" PRId64 " ", dataset->cardinality);
    pod_text_append(to, "elements of ");
    for (size_t i = 0; i < dataset->width; i++) {
        const pod_component *component = &dataset->components[i];
        pod_text_format(to, "%s%s %s", i > 0 ? ", " : "", component->text ? "text" : pod_dtype_name(component->dtype),
                        pod_shape_format(&component->shape, shape));
    }
    pod_text_append(to, "\n");
}

void pod_input_place_describe(const pod_dataset *dataset, pod_text *to)
{
    for (size_t i = 0; i < dataset->input_count; i++)
        pod_input_place_describe(dataset->inputs[i], to);
    if (!dataset->kind->transparent)
        append_stage(to, dataset);
}

/* ---- writing ---- */

pod_status pod_input_place_write(const pod_dataset *dataset, pod_place place, pod_bytes *bytes, pod_error *error)
{
    pod_text text;
    pod_text_init(&text, dataset->context);
    pod_text_format(&text, MAGIC "%d\nepoch %" PRId64 " %" PRId64 "\nposition %" PRId64 "\n", VERSION, place.pass.epoch,
                    place.pass.repetition, place.position);
    pod_input_place_describe(dataset, &text);
    const uint32_t crc = text.failed ? 0 : pod_format_crc32c(text.data, text.length);
    pod_text_format(&text, "crc32c %08" PRIx32 "\n", crc);
    const size_t size = text.length;
    *bytes = (pod_bytes){pod_text_take(&text), size};
    if (bytes->data != NULL)
        return POD_OK;
    *bytes = (pod_bytes){0};
    return pod_error_memory(error, "the state of an iterator", size);
}

pod_status pod_input_place_save(pod_context *context, const char *path, const pod_bytes *bytes, pod_error *error)
{
    return pod_file_write(context, path, bytes->data, bytes->size, error);
}

/* ---- reading ---- */

static pod_status damaged(const char *what, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_FORMAT, "this is no state of an iterator: %s", what);
}

/* Checks the frame; *body receives the size of what is before the checksum. */
static pod_status check_frame(const char *bytes, size_t size, size_t *body, pod_error *error)
{
    char expected[CRC_LINE + 1];
    if (size < sizeof MAGIC || memcmp(bytes, MAGIC, sizeof MAGIC - 1) != 0)
        return damaged("it does not begin as one", error);
    if (size < sizeof MAGIC + CRC_LINE || size > MOST_BYTES)
        return damaged("it is cut short, or too long", error);
    *body = size - CRC_LINE;
    snprintf(expected, sizeof expected, "crc32c %08" PRIx32 "\n", pod_format_crc32c(bytes, *body));
    if (memcmp(bytes + *body, expected, CRC_LINE) != 0)
        return damaged("its checksum does not fit, so it is damaged or cut short", error);
    return POD_OK;
}

/* Reads a number from 0 on behind `word`; moves *at behind the character that ends it. */
static bool read_number(const char **at, const char *end, const char *word, char last, int64_t *number)
{
    const size_t length = strlen(word);
    const char *here = *at;
    if ((size_t)(end - here) < length || memcmp(here, word, length) != 0)
        return false;
    here += length;
    if (!pod_digits_read(&here, end, false, number) || here == end || *here != last)
        return false;
    *at = here + 1;
    return true;
}

/* The length of a line without its end. */
static size_t line_length(const char *line, const char *end)
{
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    return (size_t)((stop != NULL ? stop : end) - line);
}

/* As much of a line as messages show. */
static int shown(size_t length)
{
    return length < 120 ? (int)length : 120;
}

/* Compares stages with those of the dataset, line by line. */
static pod_status check_stages(const pod_dataset *dataset, const char *at, const char *end, pod_error *error)
{
    pod_text own;
    pod_text_init(&own, dataset->context);
    pod_input_place_describe(dataset, &own);
    pod_status status = own.failed ? pod_error_memory(error, "a list of stages", own.length) : POD_OK;
    const char *here = own.data, *own_end = own.data + own.length;
    while (status == POD_OK && at < end && here < own_end) {
        const size_t theirs = line_length(at, end), ours = line_length(here, own_end);
        if (theirs != ours || memcmp(at, here, ours) != 0)
            status = pod_error_set(error, POD_ERROR_ARGUMENT,
                                   "the state is of another dataset: there was '%.*s' where now is "
                                   "'%.*s'; stages without a seed draw one from pod.random, so call "
                                   "pod.random.set_seed() before, or give them one",
                                   shown(theirs), at, shown(ours), here);
        at += theirs + 1;
        here += ours + 1;
    }
    if (status == POD_OK && (at < end || here < own_end))
        status =
            pod_error_set(error, POD_ERROR_ARGUMENT, "the state is of another dataset: it had %s stages than this one",
                          at < end ? "more" : "fewer");
    pod_text_clear(&own);
    return status;
}

pod_status pod_input_place_read(const pod_dataset *dataset, const void *bytes, size_t size, pod_place *place,
                                pod_error *error)
{
    const char *at = bytes;
    size_t body = 0;
    int64_t version;
    pod_status status = check_frame(at, size, &body, error);
    if (status != POD_OK)
        return status;
    const char *end = at + body;
    if (!read_number(&at, end, MAGIC, '\n', &version))
        return damaged("it has no version", error);
    if (version != VERSION)
        return pod_error_set(error, POD_ERROR_FORMAT, "the state has version %" PRId64 "; this Moonpod reads %d",
                             version, VERSION);
    if (!read_number(&at, end, "epoch ", ' ', &place->pass.epoch) ||
        !read_number(&at, end, "", '\n', &place->pass.repetition) ||
        !read_number(&at, end, "position ", '\n', &place->position) || place->pass.epoch < 1)
        return damaged("it does not tell where the iterator was", error);
    return check_stages(dataset, at, end, error);
}

pod_status pod_input_place_load(pod_context *context, const char *path, pod_bytes *bytes, pod_error *error)
{
    pod_reader *reader;
    *bytes = (pod_bytes){0};
    pod_status status = pod_format_reader_open(context, path, POD_COMPRESSION_NONE, &reader, error);
    if (status != POD_OK)
        return status;
    const uint64_t size = pod_format_reader_file_size(reader);
    if (size == 0 || size > MOST_BYTES)
        status = damaged("it is empty, or too long", error);
    char *block = status == POD_OK ? pod_allocate(context, (size_t)size) : NULL;
    if (status == POD_OK && block == NULL)
        status = pod_error_memory(error, "the state of an iterator", (size_t)size);
    if (status == POD_OK)
        status = pod_format_reader_read_all(reader, block, (size_t)size, "a state", error);
    if (status == POD_END)
        status = damaged("it is empty", error);
    pod_format_reader_close(reader);
    if (status != POD_OK) {
        pod_free(context, block);
        return status;
    }
    *bytes = (pod_bytes){block, (size_t)size};
    return POD_OK;
}
