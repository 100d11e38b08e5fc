#ifndef POD_ENGINE_RUN_COSTS_H
#define POD_ENGINE_RUN_COSTS_H

/*
 * run_costs - what is decided of a run by what it costs, before it starts.
 */

#include "base/workers.h"
#include "moonpod/program.h"

/* Returns whether a run of so many steps is not worth a barrier of threads: it is short, or each of its steps is done
 * before they had met. */
bool pod_run_is_short(const pod_program *program, int64_t steps);

/* pod_workers_run(), or pod_workers_run_brief() for a run of so many steps that another program's work on a CPU is not
 * worth evading; steps 0 is 1. */
typedef pod_status (*pod_thread_runner)(pod_context *context, pod_work run, void *argument, pod_error *error);
pod_thread_runner pod_run_runner(const pod_program *program, int64_t steps);

/* Refuses steps that cannot be done until the context's deadline: twice the time would not do, by the estimate. */
pod_status pod_run_check_time(const pod_program *program, int threads, pod_error *error);

#endif
