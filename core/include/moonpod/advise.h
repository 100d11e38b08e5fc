#ifndef MOONPOD_ADVISE_H
#define MOONPOD_ADVISE_H

/*
 * advise - what people read of a program lowered for a TPU: its memory as a report, as the errors that a
 * TPU's compiler prints when it does not fit, and as a chart of text.
 *
 *     pod_memory_facts *facts;
 *     status = pod_memory_facts_new(context, plan, graph, "train_step", &facts, &error);
 *     char *text;
 *     status = pod_memory_report(context, facts, POD_MEMORY_TODAY, NULL, &text, &error);
 *     // ...
 *     pod_text_free(context, text);
 *     pod_memory_facts_free(context, facts);
 *
 * Sizes are written as XLA writes them: binary units, "14.00G". Every text is the caller's, to free with
 * pod_text_free(). All functions fail with POD_ERROR_MEMORY when there is none, and may be called from any
 * thread.
 */

#include "moonpod/compiler.h"
#include "moonpod/tpu.h"

POD_BEGIN_C

/* ---- what a report reads ------------------------------------------------------------------------ */

/* A lowered program as reports see it: filled from a plan, or by hand. All of it is borrowed. */
typedef struct pod_memory_facts {
    const char *name; /* of the program */
    const pod_chip *chip;
    pod_tpu_memory memory;
    pod_tpu_certainty certainty;
    pod_tpu_verdict verdict;
    const pod_tpu_buffer *const *buffers;
    size_t buffer_count;
    const pod_tpu_step *const *steps;
    size_t step_count;
    const pod_graph *graph; /* where names of arguments are; may be NULL */
    /* What the chip's own compiler has answered, and what the plan says then; NULL: it was not asked. */
    const pod_compiled_memory *compiled;
    pod_tpu_memory planned;
} pod_memory_facts;

/* Reads a plan, which must outlive the facts, as must the graph that it was made of (NULL: reports go
 * without the names of arguments); `name` (NULL: "program") is copied. On success *facts is the
 * caller's, to end with pod_memory_facts_free(); on failure it is NULL. */
POD_API POD_CHECKED pod_status pod_memory_facts_new(pod_context *context, const pod_tpu_plan *plan,
                                                    const pod_graph *graph, const char *name, pod_memory_facts **facts,
                                                    pod_error *error);

/* Frees facts that pod_memory_facts_new() made. NULL is allowed. */
POD_API void pod_memory_facts_free(pod_context *context, pod_memory_facts *facts);

/* Puts the compiler's answer, which must outlive the facts, in the place of the plan's totals and verdict. Buffers and
 * steps stay the plan's. */
POD_API void pod_memory_facts_use_compiled(pod_memory_facts *facts, const pod_compiled_memory *compiled);

/* Returns the name of the parameter that an argument is ("dense/kernel"), borrowed from the graph; NULL for
 * one without, and for other buffers. */
POD_API const char *pod_memory_argument_name(const pod_memory_facts *facts, const pod_tpu_buffer *buffer);

/* Bytes of HBM that are in use through the whole program: arguments, and outputs that are no alias. */
POD_API pod_layout_bytes pod_memory_held(const pod_memory_facts *facts);

/* Returns whether a buffer takes HBM at a step. */
POD_API bool pod_memory_lives(const pod_memory_facts *facts, const pod_tpu_buffer *buffer, int32_t step);

/* ---- reports -------------------------------------------------------------------------------------- */

typedef enum pod_memory_form {
    /* Bytes by kind with the verdict and its margin, and the largest buffers with all that is known
     * of them. */
    POD_MEMORY_TODAY,
    /* The error of a TPU's compiler: one line with E1000, and a table of offsets. */
    POD_MEMORY_ERROR
} pod_memory_form;

/* A zero field means its default. */
typedef struct pod_memory_options {
    size_t largest; /* buffers that are listed at most; default 10 */
    int32_t width;  /* of lines, in characters; default 100 */
    int32_t height; /* of the viewer's chart, in lines; default 16 */
} pod_memory_options;

/* Writes a report. `options` may be NULL. */
POD_API POD_CHECKED pod_status pod_memory_report(pod_context *context, const pod_memory_facts *facts,
                                                 pod_memory_form form, const pod_memory_options *options, char **text,
                                                 pod_error *error);

/* Writes the verdict as a sentence: whether the program fits, by how much and how sure that is, or why it cannot be
 * said. */
POD_API POD_CHECKED pod_status pod_memory_verdict(pod_context *context, const pod_memory_facts *facts, char **text,
                                                  pod_error *error);

/* Why a buffer's layout is what it is, in a sentence. Returns `text`. */
POD_API const char *pod_memory_reason(const pod_memory_facts *facts, const pod_tpu_buffer *buffer,
                                      char text[POD_LAYOUT_REASON_SIZE]);

/* Writes the memory viewer as text: HBM in use, padded and unpadded, over the program's order, the peak
 * marked, and the buffers that live there by size and by padding. Buffers of 16 KiB and less are one
 * line. `options` may be NULL. */
POD_API POD_CHECKED pod_status pod_memory_viewer(pod_context *context, const pod_memory_facts *facts,
                                                 const pod_memory_options *options, char **text, pod_error *error);

POD_END_C

#endif
