#ifndef POD_PJRT_DEVICE_TIMES_H
#define POD_PJRT_DEVICE_TIMES_H

/*
 * device_times - what a profile has of a run on devices. Spans tell what is compiled, sent and read back
 * (pod_profile_enter()); what runs is one instruction of the program, and a launch is a step, also one of several steps
 * in a loop: the host does not see where one ends.
 */

#include "client.h"

#include "trace/recorder.h"

/* Makes a program part of what its context records, where that records. */
POD_CHECKED pod_status pod_pjrt_begin_times(pod_program *program, pod_error *error);

/* What is done from now on is the device's; and what was done since was. */
pod_lane_state pod_pjrt_enter_run(const pod_program *program);
void pod_pjrt_leave_run(const pod_program *program, pod_lane_state outer);

/* Notes that a launch of so many steps has ended, whose infeed gave `rows` in all. */
void pod_pjrt_note_launch(const pod_program *program, int64_t steps, int64_t rows);

#endif
