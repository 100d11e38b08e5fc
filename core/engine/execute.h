#ifndef POD_ENGINE_EXECUTE_H
#define POD_ENGINE_EXECUTE_H

/*
 * execute - runs a function on all threads of a run. Every thread walks the phases of the function and
 * does its share of each; they meet between phases. A failure is kept by the thread that found it and
 * seen by all at the next meeting, where all leave.
 */

#include "engine/run_state.h"

#include <stdatomic.h>

/* What the threads of a run share. */
typedef struct pod_run {
    const pod_program *program;
    pod_run_state *state;
    const pod_run_options *options;
    pod_buffer **results; /* of this step */
    /* The number of the first meeting after the first failure; UINT64_MAX: none. Threads compare it with
     * the meeting that they leave, so that all decide alike. */
    _Atomic uint64_t failed_meeting;
    struct pod_worker *workers;
    int64_t steps_done;
    /* Written by thread 0 in interludes: */
    uint64_t step_began; /* in nanoseconds */
    bool keeps;          /* whether what is kept for the next step is made */
    bool packed;         /* whether what the entry makes is there since the last run */
    bool go;             /* whether there is another step */
    bool interrupted, ended;
    pod_status status; /* of what thread 0 does between steps */
    pod_error error;
} pod_run;

/* One thread of a run. */
typedef struct pod_worker {
    pod_run *run;
    int index, count;
    bool alone;       /* runs a region by itself, inside an instruction: nobody to meet */
    bool commits;     /* arguments are being written: too late for an interrupt */
    uint64_t meeting; /* that comes next */
    char *scratch;
    char *block;                   /* for the rows of slots that it has to itself */
    int64_t first[2];              /* the first part of the chunk, and of the strip, that it is at */
    struct pod_time_counts *times; /* NULL: not counted */
    pod_status status;             /* of this thread's first failure */
    uint64_t status_meeting;
    pod_error error;
} pod_worker;

/* What thread 0 does at a meeting, once all have come and none has failed, while the others still wait. */
typedef struct pod_interlude {
    void (*run)(pod_worker *worker, const void *argument);
    const void *argument;
} pod_interlude;

/* Runs the phases of a function from `first` on; false when this thread's run has failed somewhere. There is `last` at
 * the meeting after the last of them, unless it is NULL. Small phases, but for the last, are interludes. */
bool pod_execute_from(pod_worker *worker, const pod_function *function, uint32_t first, const pod_interlude *last);
bool pod_execute(pod_worker *worker, const pod_function *function);

/* Runs the small phases that a function begins with on this thread; returns their number. */
uint32_t pod_execute_small(pod_worker *worker, const pod_function *function);

/* The number of small phases that a function begins with. */
uint32_t pod_small_phases(const pod_function *function);

/* Waits for the other threads. Returns false when any of them had failed before, or fails in the interlude; that may be
 * NULL. */
bool pod_meet(pod_worker *worker, const pod_interlude *interlude);

/* Keeps a failure of this thread. The message is in worker->error. */
void pod_fail(pod_worker *worker, pod_status status);

/* Whether this step is to be given up for an interrupt, which is then kept as this thread's failure. A
 * step that ends soon is done whole, and none is left half-done once it writes arguments. */
bool pod_is_stopped(pod_worker *worker);

/* The scratch of an instruction on this thread, 64-aligned, behind the room for its arrays. */
char *pod_worker_scratch(const pod_worker *worker, const pod_instruction *instruction);

/* The memory of a slot in this step. */
void *pod_slot_memory(const pod_worker *worker, uint32_t slot);

/* What runs rows begin .. end - 1 of an instruction. Returns false after pod_fail(). */
typedef bool (*pod_task)(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);

bool pod_run_kernel(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);
bool pod_run_copy(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);
bool pod_run_loop(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);
bool pod_run_combine(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);
bool pod_run_pack(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);
bool pod_run_product(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);
bool pod_run_convolution(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);
bool pod_run_cross_entropy(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);
bool pod_run_check(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);
bool pod_run_reduce(pod_worker *worker, const pod_instruction *instruction, int64_t begin, int64_t end);

/* What all threads enter together. */
typedef bool (*pod_serial_task)(pod_worker *worker, const pod_instruction *instruction);

bool pod_run_print(pod_worker *worker, const pod_instruction *instruction);
bool pod_run_cond(pod_worker *worker, const pod_instruction *instruction);
bool pod_run_while(pod_worker *worker, const pod_instruction *instruction);

#endif
