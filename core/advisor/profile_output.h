#ifndef POD_ADVISOR_PROFILE_OUTPUT_H
#define POD_ADVISOR_PROFILE_OUTPUT_H

/*
 * profile_output - what all files that a profile is written into have in common: a text that is written out whenever it
 * has become long, what instructions are, and texts that are UTF-8. */

#include "base/text.h"
#include "formats/writer.h"
#include "moonpod/profile.h"

typedef struct pod_advise_output {
    pod_context *context; /* borrowed, as is the profile */
    const pod_profile *profile;
    pod_profile_facts facts;
    pod_instruction_time **times; /* of each program */
    pod_writer *file;
    pod_text text; /* what comes next */
    pod_status status;
    pod_error *error;
} pod_advise_output;

/* Opens the file and writes it: `write` appends to output->text and calls pod_advise_output_flush() now and then. The
 * file is there whole or not at all. `own` is for `write`. */
pod_status pod_advise_output_file(const pod_profile *profile, const char *path, pod_compression compression,
                                  void (*write)(pod_advise_output *output, void *own), void *own, pod_error *error);

/* Writes the text out when it is long; `all`: in any case. */
void pod_advise_output_flush(pod_advise_output *output, bool all);

/* Returns what an event is of; NULL when it is of no instruction that is known. */
const pod_instruction_time *pod_advise_output_instruction(const pod_advise_output *output,
                                                          const pod_profile_event *event);

/* Writes what an instruction is of, and what it is: "dense_1: product". */
void pod_advise_output_name(const pod_instruction_time *time, char *name, size_t size);

/* Writes the name of a lane: "main", "worker 1". */
void pod_advise_output_lane(const pod_advise_output *output, size_t lane, char *name, size_t size);

/* Writes the name of an event; "step 3" for the end of a step. Returns whether the event can be shown: what was under
 * way when the recording began cannot. */
bool pod_advise_output_event(const pod_advise_output *output, const pod_profile_event *event, char *name, size_t size);

/* Copies a text; bytes that are no UTF-8 become U+FFFD: names are cut to fit. */
void pod_advise_output_clean(const char *text, char *clean, size_t size);

/* The same into a field of a protocol buffer: of long texts the beginning. */
void pod_advise_output_put_clean(pod_text *to, unsigned field, const char *text);

#endif
