#ifndef POD_PROGRAM_COMPILED_H
#define POD_PROGRAM_COMPILED_H

/*
 * compiled - a compiled program: functions of instructions, the slots they work on, signatures and memory, whether it
 * was compiled here or loaded.
 */

#include "base/arena.h"
#include "graph/node.h"
#include "moonpod/program.h"
#include "program/instructions.h"

/* The type of an argument or result. */
typedef struct pod_signature {
    pod_dtype dtype;
    pod_shape shape;
    int64_t alias; /* outputs: the parameter updated, or -1. Parameters: the output, or -1 */
    const char *name;
    bool held; /* parameters: see pod_compile_options */
} pod_signature;

struct pod_program {
    pod_context *context;
    pod_arena memory; /* of everything below but arena, literals and scratch */
    const pod_kernels *kernels;
    pod_function *function;
    pod_function *entry; /* makes what is kept from step to step, before the first of a run; NULL: nothing */
    pod_slot *slots;
    uint32_t slot_count;
    pod_signature *parameters, *outputs;
    uint32_t parameter_count, output_count;
    char *arena; /* temporaries */
    char *literals;
    uint64_t arena_bytes, literal_bytes;
    uint64_t scratch_bytes; /* of one thread, with its block behind what instructions need */
    uint64_t block_bytes;   /* of a thread's block */
    bool *reads_rows;       /* parameters that are only read by dense loads of loops */
    pod_program_stats stats;
    uint64_t held_bytes;             /* of arena, literals and what runs take, counted as it is taken */
    struct pod_run_state *run_state; /* of the engine; NULL before the first run */
    pod_device *device;              /* shared; NULL: the engine runs the program. See backend.h */
    void *executable;                /* of the device's backend */
};

/* An empty program for a graph, with its signatures; NULL when there is no memory. */
pod_program *pod_program_begin(pod_context *context, const pod_graph *graph, pod_error *error);

/* Takes the arena and the literals, which the caller fills in. */
bool pod_program_take_memory(pod_program *program);

/* Counts bytes of blocks that were taken for a program, and of those that it gave back or handed over. */
void pod_program_count_held(pod_program *program, uint64_t more, uint64_t less);

/* Finds reads_rows. */
void pod_program_find_row_reads(pod_program *program);

/* Makes the table of a loop that is a function of a byte. False when there is no memory. */
bool pod_program_make_table(pod_program *program, pod_arena *scratch, pod_loop *loop);

/* Finds what loops can be run as: by tables, and see loop_plans.h. False when there is no memory. */
bool pod_program_plan_loops(pod_program *program);

/* Sets sizes of scratch and figures of a program whose function, slots and memory are there. */
bool pod_program_finish(pod_program *program);

/* Frees a program that was never run; pod_program_free() any. */
void pod_program_discard(pod_program *program);

#endif
