#ifndef POD_FORMATS_JSON_H
#define POD_FORMATS_JSON_H

/*
 * json - a strict reader of JSON texts (RFC 8259) that are in memory. Nothing is built: the caller walks
 * through the text and takes what it knows.
 *
 *     pod_json json;
 *     pod_format_json_begin(&json, context, text, size);
 *     status = pod_format_json_enter(&json, '{', &error);
 *     while ((status = pod_format_json_next(&json, &more, &error)) == POD_OK && more) {
 *         status = pod_format_json_read_key(&json, &key, &error);      -- then a value: read or enter it
 *         ...
 *     }
 *     status = pod_format_json_end(&json, &error);
 *
 * Depth is bounded; numbers are exact for s64; texts are checked UTF-8. For one thread at a time.
 *
 * Why not json-c or jansson: they build a tree of the whole text by malloc, where a header of safetensors may have
 * 100 MB and memory is the host's to count and refuse (pod_allocator); errors here have the offset in the file. Fuzzed
 * with the readers above it (tests/fuzz).
 */

#include "moonpod/status.h"

#define POD_JSON_MOST_DEPTH 64

typedef struct pod_json {
    pod_context *context; /* borrowed */
    const char *begin, *at, *end;
    int depth;
    char closing[POD_JSON_MOST_DEPTH]; /* of the objects and arrays that are open */
    bool first[POD_JSON_MOST_DEPTH];   /* no entry of it was read yet */
} pod_json;

/* Begins at a text, which is borrowed. */
void pod_format_json_begin(pod_json *json, pod_context *context, const char *text, size_t size);

/* Enters an object ('{') or an array ('['). */
POD_CHECKED pod_status pod_format_json_enter(pod_json *json, char opening, pod_error *error);

/* Tells whether another entry comes in the innermost object or array; at its end leaves it. */
POD_CHECKED pod_status pod_format_json_next(pod_json *json, bool *more, pod_error *error);

/* Reads the key of an entry of an object, and the colon. *key is the caller's, for pod_free(). */
POD_CHECKED pod_status pod_format_json_read_key(pod_json *json, char **key, pod_error *error);

/* Reads a text without NULs. *text is the caller's, for pod_free(). */
POD_CHECKED pod_status pod_format_json_read_text(pod_json *json, char **text, pod_error *error);

/* Reads an integer that fits s64 and is written without fraction and exponent. */
POD_CHECKED pod_status pod_format_json_read_int64(pod_json *json, int64_t *value, pod_error *error);

/* Checks that only spaces follow. */
POD_CHECKED pod_status pod_format_json_end(pod_json *json, pod_error *error);

#endif
