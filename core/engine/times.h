#ifndef POD_ENGINE_TIMES_H
#define POD_ENGINE_TIMES_H

/*
 * times - counts how long instructions take: see pod_program_count_time() in moonpod/program.h. Each thread
 * counts into its own memory, so counting needs no lock and none of it is shared between caches.
 */

#include "engine/run_state.h"

typedef struct pod_time_count {
    uint64_t nanoseconds, runs; /* runs: chunks of rows */
} pod_time_count;

/* What one thread counts, followed by instructions[instruction_count] in the order of the schedule. */
typedef struct pod_time_counts {
    uint64_t waiting, steps;
    pod_time_count instructions[];
} pod_time_counts;

/* Makes room for more threads than have been counted; what was counted stays. */
pod_status pod_run_times_prepare(pod_program *program, int threads, pod_error *error);

/* The counts of a thread; NULL when times are not counted. */
pod_time_counts *pod_run_times_of(const pod_program *program, int thread);

#endif
