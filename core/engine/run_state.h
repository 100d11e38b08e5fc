#ifndef POD_ENGINE_RUN_STATE_H
#define POD_ENGINE_RUN_STATE_H

/*
 * run_state - what the runs of a program need besides it, and what one leaves to the next. The first run makes it, so
 * that later ones take no memory; it goes with the program.
 */

#include "engine/row_tables.h"
#include "program/compiled.h"

/* A variable as it was when it was packed. */
typedef struct pod_packed_variable {
    const pod_buffer *buffer;
    uint64_t version;
} pod_packed_variable;

/* Holds what the memory of a run depends on. */
typedef struct pod_run_plan {
    int threads; /* 0: none was planned */
    int several; /* whether it may do several steps */
    int given;   /* which results it was given buffers for */
} pod_run_plan;

typedef struct pod_run_state {
    pod_program *program; /* which counts the memory that is held */
    /* Of each slot: where it lies in this step; NULL: `tables` tells where its rows are. */
    void **pointers;
    pod_row_table *tables; /* of each parameter */
    pod_buffer **results;  /* two sets of result buffers: of this step and of the one before */
    pod_buffer **infed;    /* buffers of the step that the infeed gave */
    pod_infeed_rows *infed_rows;
    pod_packed_variable *packed_of; /* of each parameter that is one, when `entry` was last done or made up for */
    bool packed;                    /* whether it was */
    uint32_t *seen;                 /* arguments by the hash of their buffers, + 1; 2^n entries */
    uint32_t seen_mask;
    char *scratch; /* of `scratch_threads` threads; taken when a run starts */
    int scratch_threads;
    pod_run_plan planned;         /* the last run's */
    struct pod_work_record *work; /* what its instructions took; NULL: not counted. See times.h */
    uint32_t work_number;         /* in what the context records; 0: not recorded */
    bool counts_time;             /* asked for by pod_program_count_time() */
    bool running;                 /* asked for more steps by what a run calls: the infeed, print */
    bool closing;                 /* the program was ended while it runs: freed behind the run */
} pod_run_state;

/* The state of a program's runs, made where there is none; NULL, with an error, when there is no memory. */
pod_run_state *pod_run_state_of(pod_program *program, pod_error *error);

/* Takes scratch for so many threads, unless it is there. False when there is no memory. */
bool pod_run_state_take_scratch(pod_run_state *state, int threads);

#endif
