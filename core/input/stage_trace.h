#ifndef POD_INPUT_STAGE_TRACE_H
#define POD_INPUT_STAGE_TRACE_H

/* stage_trace - what a profile calls the stages of an open iterator. */

#include "input/stage.h"
#include "trace/recorder.h"

/* The stage among what is recorded: "Iterator::Prefetch::Batch::Map", the way from the consumer to it. 0: none. *part
 * receives which part of a step its time is, without that of its inputs. While the context records; any thread may
 * ask. */
uint32_t pod_input_stage_thing(pod_stage *stage, pod_profile_part *part);

/* The same of what a worker of the data service does for the stage `distribute`: "Iterator::Distribute[0]::Batch::Map".
 * `remote`: a dataset that the stage's is made of; NULL: the worker itself, whose time is waiting. */
uint32_t pod_input_remote_thing(pod_stage *stage, int worker, const pod_dataset *remote);

#endif
