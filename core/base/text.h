#ifndef POD_BASE_TEXT_H
#define POD_BASE_TEXT_H

/*
 * text - a text that grows.
 *
 *     pod_text text;
 *     pod_text_init(&text, context);
 *     pod_text_format(&text, "%d nodes\n", count);
 *     return pod_text_take(&text);     -- NULL when memory ran out on the way
 *
 * Without memory, appending does nothing any more and pod_text_take() tells. Numbers are written as
 * C's locale-independent formats do for integers; floats go through pod_text_number().
 */

#include "base/context.h"

typedef struct pod_text {
    pod_context *context; /* borrowed */
    char *data;           /* NUL-terminated once something was appended */
    size_t length, capacity;
    bool failed; /* memory ran out */
} pod_text;

/* Makes an empty text; takes no memory yet. */
void pod_text_init(pod_text *text, pod_context *context);

/* Appends a NUL-terminated text. */
void pod_text_append(pod_text *text, const char *more);

/* Appends `length` bytes, which may hold NULs. */
void pod_text_append_bytes(pod_text *text, const void *bytes, size_t length);

/* Appends what printf would print. */
void pod_text_format(pod_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends the shortest decimal that reads back as the same double, with a point whatever the
 * locale: "0.1", "1e+30", "inf", "nan". */
void pod_text_number(pod_text *text, double value);

/* Appends a text as JSON has it, in quotes. */
void pod_text_json(pod_text *text, const char *value);

/* Gives the text away, to be freed with pod_free(); NULL when memory ran out. The text is empty
 * after. */
char *pod_text_take(pod_text *text);

/* Frees what was not taken. */
void pod_text_clear(pod_text *text);

/* Returns the length of the UTF-8 sequence at `at`, of which `left` bytes are there, at least one; 0 where it is
 * malformed (RFC 3629). */
size_t pod_text_utf8_length(const unsigned char *at, size_t left);

#endif
