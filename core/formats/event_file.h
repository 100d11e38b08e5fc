#ifndef POD_FORMATS_EVENT_FILE_H
#define POD_FORMATS_EVENT_FILE_H

/*
 * event_file - what the files that write summaries share: an event is begun, filled in and ended.
 *
 *     pod_event_draft draft;
 *     status = pod_format_event_begin(writer, step, tag, "scalars", no_content, &draft, error);
 *     ... append the fields of the value's tensor to draft.text ...
 *     return pod_format_event_end(&draft, error);
 *
 *     Event { 1: wall_time, 2: step, 3: file_version | 4: graph_def | 5: Summary, 10: { 1: writer } }
 *     Summary { 1: Value { 1: tag, 9: metadata { 1: plugin { 1: name, 2: content } }, 8: TensorProto } }
 *     TensorProto { 1: dtype, 2: shape { 2: dim { 1: size } }, 4: content, 8: string }
 */

#include "formats/protobuf.h"
#include "moonpod/events.h"

/* DataType of TensorFlow. */
enum { POD_TF_FLOAT = 1, POD_TF_DOUBLE = 2, POD_TF_STRING = 7 };

/* An event that is being made. */
typedef struct pod_event_draft {
    pod_event_writer *writer;
    pod_text *text;
    size_t open[3]; /* summary, value, tensor */
    int depth;
} pod_event_draft;

/* Begins an event with nothing but its time and step. */
void pod_format_event_begin_bare(pod_event_writer *writer, int64_t step, pod_event_draft *draft);

/* Begins an event whose summary has a value with a tag and a plugin's name and content, down to the tensor. */
POD_CHECKED pod_status pod_format_event_begin(pod_event_writer *writer, int64_t step, const char *tag,
                                              const char *plugin, pod_bytes content, pod_event_draft *draft,
                                              pod_error *error);

/* Appends type and shape of a tensor. */
void pod_format_event_tensor_type(pod_text *text, int dtype, const pod_shape *shape);

/* Appends a shape as field `number`. */
void pod_format_event_shape(pod_text *text, unsigned number, const pod_shape *shape);

/* Ends the event and queues it. */
POD_CHECKED pod_status pod_format_event_end(pod_event_draft *draft, pod_error *error);

/* Ends the event; it is not written. */
void pod_format_event_drop(pod_event_draft *draft);

/* POD_ERROR_ARGUMENT where a text is not UTF-8. */
POD_CHECKED pod_status pod_format_event_check_text(const char *what, const void *text, size_t size, pod_error *error);

/* Returns the context, borrowed. */
pod_context *pod_format_event_context(const pod_event_writer *writer);

/* Returns the seconds since 1970. */
double pod_format_event_now(void);

#endif
