#ifndef POD_FORMATS_CSV_H
#define POD_FORMATS_CSV_H

/*
 * csv - rows of fields separated by a character (RFC 4180): fields may be quoted and then hold separators,
 * line ends and doubled quotes; lines end with LF or CRLF; a byte order mark is skipped, and so are empty
 * lines. Rows are read as a stream. For one thread at a time.
 */

#include "formats/reader.h"

typedef struct pod_csv pod_csv;

/* A field of a row, terminated by a NUL behind it. */
typedef struct pod_csv_field {
    const char *text;
    size_t size;
} pod_csv_field;

/* Opens a file. On success *csv is the caller's, to end with pod_format_csv_close(). */
POD_CHECKED pod_status pod_format_csv_open(pod_context *context, const char *path, pod_compression compression,
                                           char separator, pod_csv **csv, pod_error *error);

/* Sets when reading is to end: see pod_format_reader_set_stop(). */
void pod_format_csv_set_stop(pod_csv *csv, pod_stop stop);

/* Reads a row; the fields are borrowed until the next call. POD_END at the end. */
POD_CHECKED pod_status pod_format_csv_next(pod_csv *csv, const pod_csv_field **fields, size_t *count, pod_error *error);

/* Returns the number of the last row, from 1, counting the header and no empty lines. */
uint64_t pod_format_csv_row(const pod_csv *csv);

/* Returns the path; borrowed until the file is closed. */
const char *pod_format_csv_path(const pod_csv *csv);

/* NULL is allowed. */
void pod_format_csv_close(pod_csv *csv);

/* Reads a whole field as a number: decimal, with a point whatever the locale, or "inf" and "nan"; spaces
 * around it do not count. False when it is none. */
bool pod_format_csv_read_double(const pod_csv_field *field, double *value);

/* Reads a whole field as an integer. False when it is none, or does not fit. */
bool pod_format_csv_read_int64(const pod_csv_field *field, int64_t *value);

#endif
