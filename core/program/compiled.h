#ifndef POD_PROGRAM_COMPILED_H
#define POD_PROGRAM_COMPILED_H

/*
 * compiled - a compiled program: functions of instructions, the slots they work on, signatures and memory, whether it was
 * compiled here or loaded.
 */

#include "base/arena.h"
#include "graph/graph.h"
#include "moonpod/program.h"
#include "program/instructions.h"

/* The type of an argument or result. */
typedef struct pod_signature {
    pod_dtype dtype;
    pod_shape shape;
    int64_t alias; /* outputs: the parameter updated, or -1. Parameters: the output, or -1 */
    const char *name;
} pod_signature;

/* Where the rows of a parameter lie in this step, when they lie apart. */
typedef struct pod_row_table {
    const uint64_t *rows; /* the address of each */
    int64_t count, row_bytes;
} pod_row_table;

/* A variable as it was when it was packed. */
typedef struct pod_packed_variable {
    const pod_buffer *buffer;
    uint64_t version;
} pod_packed_variable;

struct pod_program {
    pod_context *context;
    pod_arena memory; /* of everything below but arena, literals and scratch */
    const pod_kernels *kernels;
    pod_function *function;
    pod_function *entry; /* makes what is kept from step to step, before the first of a run; NULL: nothing */
    pod_packed_variable *packed_of; /* of each parameter that is one, when `entry` was last done or made up for */
    bool packed;                    /* whether it was */
    pod_slot *slots;
    void **pointers; /* of each slot while running; NULL: `tables` tells where its rows are */
    uint32_t slot_count;
    pod_signature *parameters, *outputs;
    uint32_t parameter_count, output_count;
    char *arena; /* temporaries */
    char *literals;
    uint64_t arena_bytes, literal_bytes;
    uint64_t scratch_bytes; /* of one thread, with its block behind what instructions need */
    uint64_t block_bytes;   /* of a thread's block */
    char *scratch;          /* of `scratch_threads` threads; taken when a run starts */
    int scratch_threads;
    uint64_t held_bytes;    /* of arena, literals, scratch and results, counted as they are taken */
    pod_buffer **results;   /* two sets of result buffers: of this step and of the one before */
    uint32_t *seen;         /* arguments by the hash of their buffers, + 1; 2^n entries */
    uint32_t seen_mask;
    pod_buffer **infed;     /* buffers of the step that the infeed gave */
    pod_infeed_rows *infed_rows;
    bool *reads_rows;       /* parameters that are only read by dense loads of loops */
    pod_row_table *tables;  /* of each parameter */
    pod_program_stats stats;
    struct pod_time_counts *times; /* of each thread; NULL: not counted. See engine/times.h */
    int times_threads;
    bool running; /* asked for more steps by what a run calls: the infeed, print */
    bool closing; /* ended while it runs: freed behind the run */
};

/* An empty program for a graph, with its signatures; NULL when there is no memory. */
pod_program *pod_program_begin(pod_context *context, const pod_graph *graph, pod_error *error);

/* Takes the arena and the literals, which the caller fills in. */
bool pod_program_take_memory(pod_program *program);

/* Takes scratch for so many threads, unless it is there. False when there is no memory. */
bool pod_program_take_scratch(pod_program *program, int threads);

/* Counts bytes of blocks that were taken for a program, and of those that it gave back or handed over. */
void pod_program_count_held(pod_program *program, uint64_t more, uint64_t less);

/* Finds reads_rows. */
void pod_program_find_row_reads(pod_program *program);

/* Makes the tables of loops that are functions of a byte. False when there is no memory. */
bool pod_program_make_tables(pod_program *program);

/* Sets pointers of slots, sizes of scratch and figures of a program whose function, slots and memory are there. */
bool pod_program_finish(pod_program *program);

#endif
