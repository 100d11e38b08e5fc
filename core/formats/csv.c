/* csv - rows of separated fields. */

#include "formats/csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/growth.h"
#include "base/decimal.h"

#define LONGEST_ROW ((size_t)1 << 26)
#define MOST_FIELDS ((size_t)1 << 16)

#define FIRST_TEXT   256
#define FIRST_FIELDS 32

struct pod_csv {
    pod_context *context; /* borrowed: the reader shares it */
    pod_reader *reader;
    char separator;
    uint64_t row;
    unsigned char block[16384];
    size_t at, filled;
    char *text; /* the fields of the row, each with a NUL behind it */
    size_t size, room;
    size_t *ends; /* of the fields in the text, at their NULs */
    size_t count, ends_room;
    pod_csv_field *fields;
    size_t fields_room;
};

pod_status pod_format_csv_open(pod_context *context, const char *path, pod_compression compression, char separator,
                               pod_csv **csv, pod_error *error)
{
    *csv = NULL;
    pod_csv *made = pod_allocate(context, sizeof *made);
    if (made == NULL)
        return pod_error_memory(error, "a CSV reader", sizeof *made);
    memset(made, 0, sizeof *made);
    made->context = context;
    made->separator = separator;
    const pod_status status = pod_format_reader_open(context, path, compression, &made->reader, error);
    if (status != POD_OK) {
        pod_free(context, made);
        return status;
    }
    *csv = made;
    return POD_OK;
}

void pod_format_csv_close(pod_csv *csv)
{
    if (csv == NULL)
        return;
    pod_context *context = pod_context_retain(csv->context);
    pod_format_reader_close(csv->reader);
    pod_free(context, csv->text);
    pod_free(context, csv->ends);
    pod_free(context, csv->fields);
    pod_free(context, csv);
    pod_context_release(context);
}

void pod_format_csv_set_stop(pod_csv *csv, pod_stop stop)
{
    pod_format_reader_set_stop(csv->reader, stop);
}

static pod_status refuse(const pod_csv *csv, const char *what, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_FORMAT, "%s, row %llu: %s", pod_format_reader_path(csv->reader),
                         (unsigned long long)csv->row, what);
}

/* Looks at the next byte: -1 at the end of the file. */
static pod_status look(pod_csv *csv, int *byte, pod_error *error)
{
    if (csv->at == csv->filled) {
        csv->at = csv->filled = 0;
        const pod_status status =
            pod_format_reader_read(csv->reader, csv->block, sizeof csv->block, &csv->filled, error);
        if (status < 0)
            return status;
    }
    *byte = csv->filled > 0 ? csv->block[csv->at] : -1;
    return POD_OK;
}

static pod_status append(pod_csv *csv, int byte, pod_error *error)
{
    if (csv->size == csv->room) {
        const size_t room = csv->room == 0 ? FIRST_TEXT : 2 * csv->room;
        if (room > LONGEST_ROW)
            return refuse(csv, "the row is too long; is a quote missing?", error);
        pod_status status = pod_format_reader_check_room(csv->reader, room, "a row", error);
        if (status == POD_OK)
            status = pod_grow(csv->context, &csv->text, &csv->room, room, (pod_growth){1, .what = "a row"}, error);
        if (status != POD_OK)
            return status;
    }
    csv->text[csv->size++] = (char)byte;
    return POD_OK;
}

static pod_status end_field(pod_csv *csv, pod_error *error)
{
    if (csv->count == MOST_FIELDS)
        return refuse(csv, "the row has too many fields", error);
    const pod_status status = pod_grow(csv->context, &csv->ends, &csv->ends_room, csv->count + 1,
                                       (pod_growth){sizeof *csv->ends, FIRST_FIELDS, .what = "a row"}, error);
    if (status != POD_OK)
        return status;
    csv->ends[csv->count++] = csv->size;
    return append(csv, '\0', error);
}

/* Reads the rest of a quoted field, up to behind its closing quote. */
static pod_status read_quoted(pod_csv *csv, pod_error *error)
{
    int byte;
    for (;;) {
        pod_status status = look(csv, &byte, error);
        if (status != POD_OK)
            return status;
        if (byte < 0)
            return refuse(csv, "a quoted field does not end", error);
        csv->at++;
        if (byte == '"') {
            status = look(csv, &byte, error);
            if (status != POD_OK)
                return status;
            if (byte != '"')
                return POD_OK;
            csv->at++;
        }
        status = append(csv, byte, error);
        if (status != POD_OK)
            return status;
    }
}

/* Reads a field; *last tells whether the row ends with it. */
static pod_status read_field(pod_csv *csv, bool *last, pod_error *error)
{
    int byte;
    bool quoted = false;
    *last = false;
    const size_t begin = csv->size;
    for (;;) {
        pod_status status = look(csv, &byte, error);
        if (status != POD_OK)
            return status;
        if (byte >= 0)
            csv->at++;
        if (byte < 0 || byte == '\n' || byte == csv->separator) {
            *last = byte != csv->separator;
            if (*last && !quoted && csv->size > begin && csv->text[csv->size - 1] == '\r')
                csv->size--;
            return end_field(csv, error);
        }
        if (byte == '"' && csv->size == begin && !quoted) {
            quoted = true;
            status = read_quoted(csv, error);
        } else if (quoted && byte != '\r') {
            return refuse(csv, "a quoted field goes on behind its quote", error);
        } else if (!quoted) {
            status = append(csv, byte, error);
        }
        if (status != POD_OK)
            return status;
    }
}

static pod_status skip_mark(pod_csv *csv, pod_error *error)
{
    int byte;
    const pod_status status = look(csv, &byte, error);
    if (status == POD_OK && csv->filled >= 3 && memcmp(csv->block, "\xef\xbb\xbf", 3) == 0)
        csv->at = 3;
    return status;
}

/* Points the fields at the text, which does not move any more. */
static pod_status make_fields(pod_csv *csv, pod_error *error)
{
    const pod_status status = pod_grow(csv->context, &csv->fields, &csv->fields_room, csv->count,
                                       (pod_growth){sizeof *csv->fields, FIRST_FIELDS, .what = "a row"}, error);
    if (status != POD_OK)
        return status;
    for (size_t i = 0; i < csv->count; i++) {
        const size_t begin = i == 0 ? 0 : csv->ends[i - 1] + 1;
        csv->fields[i] = (pod_csv_field){csv->text + begin, csv->ends[i] - begin};
    }
    return POD_OK;
}

pod_status pod_format_csv_next(pod_csv *csv, const pod_csv_field **fields, size_t *count, pod_error *error)
{
    int byte;
    bool last = false;
    *count = 0;
    pod_status status = csv->row == 0 ? skip_mark(csv, error) : POD_OK;
    do { /* until a line is not empty */
        if (status == POD_OK)
            status = look(csv, &byte, error);
        if (status == POD_OK && byte < 0)
            return POD_END;
        csv->row++;
        csv->size = csv->count = 0;
        last = false;
        while (status == POD_OK && !last)
            status = read_field(csv, &last, error);
        if (status != POD_OK)
            return status;
        csv->row -= csv->count == 1 && csv->ends[0] == 0;
    } while (csv->count == 1 && csv->ends[0] == 0);
    status = make_fields(csv, error);
    *fields = csv->fields;
    *count = csv->count;
    return status;
}

uint64_t pod_format_csv_row(const pod_csv *csv)
{
    return csv->row;
}

const char *pod_format_csv_path(const pod_csv *csv)
{
    return pod_format_reader_path(csv->reader);
}

/* ---- numbers ---- */

/* Finds the field without spaces around it. */
static pod_csv_field trim(const pod_csv_field *field)
{
    pod_csv_field inner = *field;
    while (inner.size > 0 && (inner.text[0] == ' ' || inner.text[0] == '\t')) {
        inner.text++;
        inner.size--;
    }
    while (inner.size > 0 && (inner.text[inner.size - 1] == ' ' || inner.text[inner.size - 1] == '\t'))
        inner.size--;
    return inner;
}

bool pod_format_csv_read_int64(const pod_csv_field *field, int64_t *value)
{
    const pod_csv_field inner = trim(field);
    const char *at = inner.text, *end = at + inner.size;
    const bool negative = at < end && *at == '-';
    at += negative || (at < end && *at == '+');
    return pod_digits_read(&at, end, negative, value) && at == end;
}

bool pod_format_csv_read_double(const pod_csv_field *field, double *value)
{
    const pod_csv_field inner = trim(field);
    return pod_number_read(inner.text, inner.size, value);
}
