#ifndef POD_ENGINE_RUN_WORKER_H
#define POD_ENGINE_RUN_WORKER_H

/*
 * run_worker - a run of a program and the threads that do it: where they find memory, wait for each other and fail. A
 * failure is kept by the thread that found it and seen by all at the next barrier, where all leave.
 */

#include "engine/run_state.h"

#include <stdatomic.h>

struct pod_worker;

/* What the threads of a run share. */
struct pod_run {
    /* pod_run_execute(), for the regions of instructions. */
    bool (*execute)(struct pod_worker *worker, const pod_function *function);
    const pod_program *program;
    pod_run_state *state;
    const pod_run_options *options;
    pod_buffer **results; /* of this step */
    /* The number of the first barrier after the first failure; UINT64_MAX: none. Threads compare it with
     * the barrier that they leave, so that all decide alike. */
    _Atomic uint64_t failed_barrier;
    /* The number of the barrier at which the slice ends, said by thread 0 before it comes there; UINT64_MAX: none yet.
     */
    _Atomic uint64_t paused_barrier;
    struct pod_worker *workers;
    int64_t steps_done;
    /* Written by thread 0 in completions, `paused`, `phase` and `commits` also where it comes out of a barrier: */
    uint64_t step_began; /* in nanoseconds; 0: a run alone, which looks at the clock once it is interrupted */
    uint64_t infed_rows; /* of this step */
    bool meets;          /* whether meetings of ranks were begun and have not ended */
    bool keeps;          /* whether what is kept for the next step is made */
    bool packed;         /* whether what the entry makes is there since the last run */
    bool go;             /* whether there is another step */
    bool paused;         /* the time is over; a later slice goes on: where `go`, with phase `phase` of this step */
    uint32_t phase;
    bool commits; /* whether that step has begun to write arguments: it is to be finished */
    bool interrupted, ended;
    pod_status status; /* of what thread 0 does between steps */
    /* Written between slices: */
    uint64_t deadline; /* in nanoseconds; 0: none */
    bool alone;        /* on the caller's thread: too short for a barrier of several */
    bool stopping;     /* no step is begun any more */
    pod_error error;   /* of `status`; last: its text is not cleared for each run */
};

/* One thread of a run. */
typedef struct pod_worker {
    pod_run *run;
    int index, count;
    bool alone;       /* runs a region by itself, inside an instruction: no barriers */
    bool commits;     /* arguments are being written: too late for an interrupt */
    uint64_t barrier; /* that comes next */
    int piece;        /* of the phase, that is being done */
    /* What is taken of this thread's share of a phase: see pod_run_claim(). */
    _Atomic uint64_t claimed;
    char *scratch;
    char *block;                   /* for the rows of slots that it has to itself */
    int64_t first[2];              /* the first part of the group's chunk, and of the subgroup's, that it is at */
    struct pod_work_counts *times; /* NULL: not counted */
    struct pod_lane *lane;         /* NULL: not recorded */
    uint64_t mark;                 /* when what is being done began, where times are counted */
    pod_status status;             /* of this thread's first failure */
    uint64_t status_barrier;
    int status_piece;
    pod_error error; /* last, as above */
} pod_worker;

/* What thread 0 does at a barrier, once all have come and none has failed, while the others still wait: as the
 * completion of C++'s std::barrier. */
typedef struct pod_completion {
    void (*run)(pod_worker *worker, const void *argument);
    const void *argument;
} pod_completion;

/* Waits for the other threads. Returns false when any of them had failed before, or fails in the completion; that may
 * be NULL. */
bool pod_run_barrier(pod_worker *worker, const pod_completion *completion);

/* Takes the next piece of a phase for this thread, `piece`; each has `share` of them, by index. A thread that has done
 * its own takes from the end of another's, so that nobody waits for one that is slow or does not run. Returns false
 * when all are taken. All threads are between the same two barriers and give the same `share`, below 2^15. */
bool pod_run_claim(pod_worker *worker, int share);

/* Keeps a failure of this thread. The message is in worker->error. */
void pod_run_fail(pod_worker *worker, pod_status status);

/* Returns whether this step is to be given up for an interrupt, which is then kept as this thread's failure. A
 * step that ends soon is done whole, and none is left half-done once it writes arguments. */
bool pod_run_is_stopped(pod_worker *worker);

/* Returns whether a slice of time is over, or somebody has asked for its end. */
bool pod_run_slice_is_over(const pod_run *run);

/* The scratch of an instruction on this thread, 64-aligned, behind its arrays. */
char *pod_run_worker_scratch(const pod_worker *worker, const pod_instruction *instruction);

/* The memory of a slot in this step. */
void *pod_run_slot_memory(const pod_worker *worker, uint32_t slot);

#endif
