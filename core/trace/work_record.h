#ifndef POD_TRACE_WORK_RECORD_H
#define POD_TRACE_WORK_RECORD_H

/*
 * work_record - how long the instructions of a program took, and what they are: a list that outlives the program. Each
 * thread counts into its own memory, so counting needs no lock and none of it is shared between caches.
 */

#include "base/arena.h"
#include "base/context.h"
#include "moonpod/profile.h"

#include <stdatomic.h>

typedef struct pod_work_count {
    _Atomic uint64_t nanoseconds, runs; /* runs: chunks of rows */
} pod_work_count;

/* Holds what one thread counts, followed by instructions[count] in the order of the schedule. */
typedef struct pod_work_counts {
    _Atomic uint64_t waiting, steps, runs;
    pod_work_count instructions[];
} pod_work_counts;

typedef struct pod_work_record {
    pod_context *context; /* borrowed */
    pod_arena memory;     /* of the tasks */
    atomic_uint shares;
    uint32_t number; /* in the recording, + 1; 0: in none. See pod_trace_register() */
    uint32_t generation;
    uint32_t phases;
    size_t count;
    pod_instruction_time *tasks; /* what instructions are, without times */
    size_t value_count;
    pod_profile_value *values; /* what the program keeps in memory */
    int threads;
    pod_work_counts **of_thread;
} pod_work_record;

/* The sums of all threads at a moment; NULL counts: all zero. */
typedef struct pod_work_sums {
    uint64_t steps, waiting, runs;
    uint64_t *counts; /* of each instruction: nanoseconds, runs */
} pod_work_sums;

/* Makes a record, of one share, of instructions that `describe` fills in one by one: texts that are given are copied.
 * NULL when there is no memory. */
pod_work_record *pod_trace_work_new(pod_context *context, size_t count, uint32_t phases,
                                    void (*describe)(const void *program, size_t index, pod_instruction_time *task),
                                    const void *program);

/* Copies the texts of a task; false when there is no memory. */
bool pod_trace_keep_texts(pod_arena *memory, pod_instruction_time *task);

/* Gives a record what its program keeps in memory: a block of the context, the record's from now on. */
void pod_trace_work_take_values(pod_work_record *work, pod_profile_value *values, size_t count);

pod_work_record *pod_trace_work_retain(pod_work_record *work);
/* NULL is allowed. */
void pod_trace_work_release(pod_work_record *work);

/* Makes room for more threads than have counted; what was counted stays. False when there is no memory. */
bool pod_trace_work_prepare(pod_work_record *work, int threads);

/* Sums all threads, less `before` (NULL: nothing). Fills times[0 .. most-1]. */
pod_program_times pod_trace_work_read(const pod_work_record *work, const pod_work_sums *before,
                                      pod_instruction_time *times, size_t most);

/* Takes the sums as they are. False when there is no memory. */
bool pod_trace_work_sum(const pod_work_record *work, pod_work_sums *sums);

/* Makes a record part of what a context records, unless it is, and returns its number in that; 0 while nothing is
 * recorded, when there are too many, or no memory. */
uint32_t pod_trace_register(pod_context *context, pod_work_record *work);

#endif
