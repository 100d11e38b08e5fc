#ifndef POD_ENGINE_TIMES_H
#define POD_ENGINE_TIMES_H

/*
 * times - what runs tell of themselves: how long instructions take (pod_program_count_time() in moonpod/program.h, and
 * profiles), and where else time goes (profiles alone; see trace/recorder.h).
 */

#include "engine/run_worker.h"
#include "trace/recorder.h"
#include "trace/work_record.h"

/* Makes a program's record ready for a run on so many threads, where its time is counted or the context records. */
pod_status pod_run_times_prepare(pod_program *program, int threads, pod_error *error);

/* Gives a worker what it counts into, and the lane of its thread, for the run. */
void pod_run_times_begin(pod_worker *worker);

/* Counts an instruction that took the time since the worker's last event; `rows` of its grid. */
void pod_run_times_count(pod_worker *worker, uint32_t instruction, int64_t rows);

/* Takes note of the time at which what comes now begins. */
void pod_run_times_mark(pod_worker *worker);

/* Notes that a step ended with the worker's last event; by thread 0. */
void pod_run_times_step(pod_worker *worker);

/* The time of the worker's last event, or mark. */
uint64_t pod_run_times_since(const pod_worker *worker);

/* Enters a part, at the worker's last event: what little is done between two is the second's. Leaves it now, or at the
 * last event within it; returns how long it took, 0 where nothing is counted. */
pod_lane_state pod_run_times_enter(pod_worker *worker, pod_profile_part part);
uint64_t pod_run_times_leave(pod_worker *worker, pod_lane_state outer, pod_profile_event event);
uint64_t pod_run_times_leave_since(pod_worker *worker, pod_lane_state outer, pod_profile_event event);

#endif
