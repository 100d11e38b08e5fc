#ifndef POD_INPUT_STAGE_TRACE_H
#define POD_INPUT_STAGE_TRACE_H

/* stage_trace - what a profile calls the stages of an open iterator. */

#include "input/stage.h"
#include "trace/recorder.h"

/* Which part of a step the time of a stage is, without that of its inputs. */
pod_profile_part pod_input_stage_part(const pod_stage *stage);

/* The stage among what is recorded: "Iterator::Prefetch::Batch::Map", the way from the consumer to it. 0: none. While
 * the context records; any thread may ask. */
uint32_t pod_input_stage_thing(pod_stage *stage);

#endif
