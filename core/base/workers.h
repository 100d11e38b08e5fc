#ifndef POD_BASE_WORKERS_H
#define POD_BASE_WORKERS_H

/*
 * workers - the host threads of a context that run programs.
 *
 * Threads start at the first run and sleep between runs. pod_workers_run() gives the same function
 * to every thread, the caller's included (it is thread 0); inside, pod_workers_barrier() makes all
 * meet.
 *
 *     static void run(void *argument, int thread, int threads)
 *     {
 *         first_part(argument, thread, threads);
 *         pod_workers_barrier(context);
 *         second_part(argument, thread, threads);
 *     }
 *     status = pod_workers_run(context, run, &work, &error);
 */

#include "base/context.h"

typedef void (*pod_work)(void *argument, int thread, int threads);

/* Runs `run` once on each of pod_context_threads() threads and returns when all have returned. One
 * thread at a time runs a context's workers: others wait their turn; a run inside a run is
 * POD_ERROR_STATE, and so is one in a child that was forked when there were workers. When threads cannot be
 * started, the run is done with those that could, down to the caller's alone, and the log tells: `threads` is the
 * number there is. */
POD_CHECKED pod_status pod_workers_run(pod_context *context, pod_work run, void *argument, pod_error *error);

/* The same, for a run of a millisecond or less: as long as the caller is on the CPU where the last run kept it, it is
 * not kept there, which costs about 10 microseconds. */
POD_CHECKED pod_status pod_workers_run_brief(pod_context *context, pod_work run, void *argument, pod_error *error);

/* The same on the caller's thread alone, which wakes and starts no other: `threads` is 1. */
POD_CHECKED pod_status pod_workers_run_alone(pod_context *context, pod_work run, void *argument, pod_error *error);

/* Waits until all threads of the current run have come here. What each did before is seen by all
 * after. Only inside a run, by every one of its threads the same number of times. */
void pod_workers_barrier(pod_context *context);

/* The same, led by the caller's thread: once all have come, `between` runs on it while the others still wait. */
void pod_workers_barrier_around(pod_context *context, int thread, void (*between)(void *argument), void *argument);

/* For base/context.c. */
struct pod_workers *pod_workers_new(pod_context *context);
void pod_workers_free(pod_context *context, struct pod_workers *workers);

#endif
