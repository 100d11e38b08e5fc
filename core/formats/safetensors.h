#ifndef POD_FORMATS_SAFETENSORS_H
#define POD_FORMATS_SAFETENSORS_H

/* safetensors - what reading and writing such files share, and writing in two steps: what can fail at once, and the
 * rest, which takes its time. */

#include "moonpod/formats.h"

typedef struct pod_safetensors_writer pod_safetensors_writer;

/* Checks a list, which stays the caller's and as it is until the writer ends, and opens a file for it. On success
 * *writer is the caller's, to end with one of the functions below. */
POD_CHECKED pod_status pod_format_safetensors_open(pod_context *context, const char *path, const pod_buffer_list *list,
                                                   pod_safetensors_writer **writer, pod_error *error);

/* Writes the file, from any thread, and ends the writer. `stops`: an interrupt of the context ends it without a
 * file. */
POD_CHECKED pod_status pod_format_safetensors_finish(pod_safetensors_writer *writer, bool stops, pod_error *error);

/* Ends the writer without a file. NULL is allowed. */
void pod_format_safetensors_abandon(pod_safetensors_writer *writer);

#endif
