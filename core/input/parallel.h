#ifndef POD_INPUT_PARALLEL_H
#define POD_INPUT_PARALLEL_H

/* parallel - what a stage that runs on several threads has, for the consumer's side (parallel.c) and the workers'
 * (parallel_worker.c). */

#include "input/stage_stats.h"
#include "input/tuner.h"

typedef struct pod_parallel_dataset {
    pod_dataset base; /* its input is the stage that is run in parallel, and not its own input */
    int64_t threads;  /* as asked for, POD_AUTOTUNE included */
    pod_order order;
    int64_t first_block, most_block; /* elements that a thread takes at once */
} pod_parallel_dataset;

/* The elements of a finished block, or why there are no more. */
typedef struct pod_finished_block {
    bool filled;
    pod_part *parts;
    size_t count, given, room;
    int64_t left_out;   /* elements of the input in front of them that the consumer passes over */
    pod_status outcome; /* that comes behind the elements; POD_OK: nothing */
    pod_error failure;
} pod_finished_block;

/* Holds what was measured since the number of threads was judged last. */
typedef struct pod_parallel_measurement {
    uint64_t blocks, elements;
    uint64_t working;   /* nanoseconds of all threads */
    uint64_t supplying; /* that the input took */
    uint64_t began;     /* by the clock */
    uint64_t waited;    /* nanoseconds of the consumer since then */
} pod_parallel_measurement;

/* Conditions of its gate: a slot was filled; one was emptied; more threads may work, or the input ended. */
enum { POD_BLOCK_MADE, POD_SLOT_FREE, POD_THREADS_ALLOWED };

typedef struct pod_parallel_stage {
    pod_stage base;
    bool has_input_mutex, runs;
    bool direct; /* no threads: the stage itself is asked */
    bool unordered, tunes;
    size_t thread_count, slot_count; /* most threads; slots for those */
    struct pod_stage_worker *workers;
    pod_stage *input; /* of the stage that is run in parallel */

    uv_mutex_t input_mutex; /* guards `input` and the two below */
    uint64_t tickets;       /* blocks taken from the input */
    bool input_ended;       /* or failed: nobody asks again */

    atomic_int_fast64_t block;  /* elements of the next block */
    atomic_int_fast64_t wanted; /* the first element of the input that the consumer wants; threads leave out others */

    pod_gate gate;             /* guards everything below */
    pod_finished_block *slots; /* ticket t goes to slot t mod slot_count */
    uint64_t next;             /* ticket that the consumer wants */
    size_t started;            /* threads of this pass */
    pod_thread_tuner tuner;
    pod_parallel_measurement measured;
    bool no_more; /* the input ended */
} pod_parallel_stage;

/* The input of a worker's stage: the block that the worker took. */
typedef struct pod_feeder_stage {
    pod_stage base;
    pod_part *parts;
    size_t count, given;
    int64_t left_out;
} pod_feeder_stage;

typedef struct pod_stage_worker {
    pod_parallel_stage *owner;
    uv_thread_t thread;
    bool runs;
    pod_feeder_stage feeder;
    pod_dataset feeder_dataset;  /* what the feeder's stage says it is of */
    pod_stage *stage;            /* this worker's instance of the stage */
    uint64_t supplying, working; /* nanoseconds of the last block */
} pod_stage_worker;

static inline const pod_parallel_dataset *pod_input_parallel_of(const pod_parallel_stage *self)
{
    return (const pod_parallel_dataset *)self->base.dataset;
}

/* Gives a worker its instance of the stage. */
pod_status pod_input_parallel_open_worker(pod_parallel_stage *self, pod_stage_worker *one, pod_error *error);

/* What a worker's thread does until the input ends or the scope is cancelled; `argument` is the worker. */
void pod_input_parallel_work(void *argument);

#endif
