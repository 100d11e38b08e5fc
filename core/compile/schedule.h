#ifndef POD_COMPILE_SCHEDULE_H
#define POD_COMPILE_SCHEDULE_H

/*
 * schedule - what is done with the instructions of a function once all are there: phases and groups (schedule.c),
 * subgroups (subgroups.c), places in memory (recycle.c, plan.c).
 */

#include "compile/lowered.h"

/* Of `parts` equal parts of an instruction's rows, how many its product wants at least for a pass over b; 1: it is
 * none. */
int64_t pod_compile_pass_parts(const pod_instruction *one, int64_t parts);

/* Orders the instructions in phases. */
pod_function *pod_compile_schedule(pod_lowered *function);

/* Cuts the groups of a scheduled function into subgroups, and moves slots into the threads' blocks, of which each has
 * *bytes; false when there is no memory. */
bool pod_compile_cut_subgroups(pod_lowering *lowering, pod_function *function, uint64_t *bytes);

/* Lets slots that live within one group lie in each other's places. */
bool pod_compile_recycle_slots(pod_lowering *lowering, const pod_function *function);

/* Gives every arena slot its offset; returns the bytes of the arena in *bytes, and in *live_bytes the most that slots
 * hold in one phase. */
bool pod_compile_plan_buffers(pod_lowering *lowering, const pod_function *function, uint64_t *bytes,
                              uint64_t *live_bytes);

#endif
