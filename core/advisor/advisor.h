#ifndef POD_ADVISOR_ADVISOR_H
#define POD_ADVISOR_ADVISOR_H

/* advisor - what the files of the advisor share. */

#include "moonpod/advise.h"

#include "base/text.h"

/* Buffers up to this size are not shown one by one in pictures. */
#define POD_SMALL_BUFFER_BYTES 16384

/* Appends `part` as a percentage of `whole` with one digit after the point: "33.1%". */
void pod_advise_text_percent(pod_text *text, int64_t part, int64_t whole);

/* Appends a pattern in which each $ stands for the next number as a size. */
void pod_advise_text_filled(pod_text *text, const char *pattern, const int64_t *numbers);

/* Gives the text to the caller, or fails for want of memory. */
pod_status pod_advise_text_finish(pod_text *text, char **result, pod_error *error);

typedef enum pod_memory_order {
    POD_MEMORY_BY_SIZE,   /* padded bytes, largest first */
    POD_MEMORY_BY_PADDING /* bytes of padding, most first */
} pod_memory_order;

typedef struct pod_memory_entry {
    const pod_tpu_buffer *buffer;
    int64_t bytes; /* by which it is in its place */
    size_t index;  /* in the facts */
} pod_memory_entry;

/* Returns a block of the buffers that take HBM at a step, or with step -1 of all that take any, and how many there are;
 * to be freed with pod_free(); NULL when there is no memory. Aliased outputs take none. */
pod_memory_entry *pod_memory_entries(pod_context *context, const pod_memory_facts *facts, int32_t step,
                                     pod_memory_order order, size_t *count);

/* Returns "argument", "output", "temporary" or "constant". */
const char *pod_advise_use_name(pod_tpu_use use);

/* Returns "fits", "does not fit" or "cannot say". */
const char *pod_advise_verdict_text(pod_tpu_verdict verdict);

/* Appends a sentence: whether the program fits, by how much and how sure that is, or why that cannot be said. */
void pod_advise_text_verdict(pod_text *text, const pod_memory_facts *facts);

/* Returns the options with defaults in the place of zeros. */
pod_memory_options pod_memory_defaults(const pod_memory_options *options);

/* HBM in use at a point of the program's order: of the steps that share one where most is in use. */
typedef struct pod_memory_point {
    pod_layout_bytes bytes;
    int32_t step; /* -1: the program has no steps */
} pod_memory_point;

/* Makes at most so many points, one at least; returns how many. The one of the peak is points[*peak]. */
size_t pod_memory_curve(const pod_memory_facts *facts, size_t most, pod_memory_point *points, size_t *peak);

/* The form POD_MEMORY_ERROR of pod_memory_report(). */
POD_CHECKED pod_status pod_advise_out_of_memory(pod_context *context, const pod_memory_facts *facts,
                                                const pod_memory_options *options, char **text, pod_error *error);

#endif
