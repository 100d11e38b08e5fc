#ifndef MOONPOD_PROGRAM_H
#define MOONPOD_PROGRAM_H

/*
 * program - a graph compiled for this host, ready to run any number of times.
 *
 * Compiling fuses, schedules and plans memory; running allocates nothing. One step of training is one
 * execution of the program; pod_program_run() can do many in a row without returning:
 *
 *     pod_program *program;
 *     status = pod_program_compile(context, graph, NULL, &program, &error);
 *     pod_run_options options = {.steps = 50, .infeed = &infeed};
 *     status = pod_program_run(program, arguments, results, &options, &report, &error);
 *
 * Parameters of the graph are of three kinds. Those that an output is an alias of (variables: their
 * buffers are updated in place, from step to step), those that the infeed gives anew for each step,
 * and the others (constant over the run).
 *
 * Threads: one thread runs a program at a time; it uses the context's threads. Compiling may happen
 * on any thread.
 */

#include "moonpod/device.h"
#include "moonpod/graph.h"

POD_BEGIN_C

typedef struct pod_program pod_program;

/* A zero field means its default. */
typedef struct pod_compile_options {
    /* Of f32 products and convolutions: "highest" (default), "high" or "default"; pod_precision says more. */
    const char *matmul_precision;
    bool no_fusion;     /* every node by its plain kernel, in order: to find a fault */
    pod_device *device; /* that runs it; NULL: this host */
    /* One a parameter: whether several devices divide its rows among them, where these are a multiple. What is computed
     * is the same. Borrowed; NULL: none. */
    const bool *has_rows;
    /* One a parameter: whether its elements stay as they are over many runs, as weights do while a model predicts. What
     * is made of these alone (packed weights, scales) is kept where that is worth its memory, and made anew by the run
     * that finds one of them changed: see `tells_writes`. They cannot come from an infeed. Borrowed; NULL: none. */
    const bool *held;
} pod_compile_options;

/* Compiles a graph, which is borrowed for the call. `options` may be NULL. On success *program is the
 * caller's, to end with pod_program_free(). POD_ERROR_INTERRUPTED after pod_context_interrupt(), with nothing made. */
POD_API POD_CHECKED pod_status pod_program_compile(pod_context *context, const pod_graph *graph,
                                                   const pod_compile_options *options, pod_program **program,
                                                   pod_error *error);

/* Frees a program; one that is running (an infeed may call this) when the run has ended. NULL is allowed. */
POD_API void pod_program_free(pod_program *program);

/* The type of a value whose rows are given by address. */
typedef struct pod_infeed_rows {
    bool by_address; /* false: the slot has the value itself, and the rest is not looked at */
    pod_dtype dtype;
    pod_shape shape; /* its first axis counts the rows */
} pod_infeed_rows;

/* Gives buffers for the parameters of one step. */
typedef struct pod_infeed {
    /* Fills slots[0 .. count-1] with buffers, each shared for the taker, who releases them after the
     * step. POD_END ends the run before this step; a failure ends it too. Runs on the thread that
     * runs the program. */
    pod_status (*next)(void *context, pod_buffer **slots, size_t count, pod_error *error);
    void *context; /* borrowed */
    /* In the place of next(), where it is not NULL: the program reads slot i row by row where by_rows[i], and
     * the infeed may then leave the rows where they are. It sets rows[i].by_address and the type, and gives a
     * buffer u64 (rows) of the address of each row's elements, which stay there until that buffer is
     * released. Others are given as by next(). rows[i].by_address is false before the call. */
    pod_status (*next_rows)(void *context, const bool *by_rows, pod_buffer **slots, pod_infeed_rows *rows, size_t count,
                            pod_error *error);
} pod_infeed;

/* A zero field means its default. */
typedef struct pod_run_options {
    int64_t steps;            /* most steps to do; default 1 */
    const pod_infeed *infeed; /* default: none */
    size_t infeed_first;      /* the infeed gives parameters infeed_first .. */
    size_t infeed_count;      /* .. infeed_first + infeed_count - 1 */
    /* Receives what `print` ops hand out; the buffer is borrowed for the call. */
    void (*print)(void *print_context, const char *label, const pod_buffer *value);
    void *print_context;
    /* Of a run of one step: result_buffers[i], borrowed, receives output i, whose type and shape it has,
     * in the place of a new buffer; it is no argument; results[i] is then a share of it. Default, and NULL in it: new
     * ones. */
    pod_buffer *const *result_buffers;
    /* The caller has called pod_buffer_note_write() for every variable and held argument that it wrote to since the
     * last run: what that run packed of the others is used again. Default: they are packed anew. */
    bool tells_writes;
    bool alone; /* on the caller's thread: no other is started or woken. Default: as many as the run is worth */
} pod_run_options;

typedef struct pod_run_report {
    int64_t steps;    /* steps that were done whole */
    bool interrupted; /* stopped by pod_context_interrupt() after the last of them */
    bool ended;       /* the infeed returned POD_END */
} pod_run_report;

/* Runs. arguments[i] is the buffer of parameter i, borrowed; of a parameter that the infeed gives it
 * is NULL. Buffers of aliased parameters are updated in place at the end of each step, and only by
 * steps done whole. They are the run's until it returns: nobody else writes to them between its steps. results[i], of
 * output i, receives a new buffer that is the caller's with the value of the last step. It stays NULL for an output
 * that is an alias or when no step was done. An interrupt is no failure: *report tells (report may be NULL). */
POD_API POD_CHECKED pod_status pod_program_run(pod_program *program, pod_buffer *const *arguments, pod_buffer **results,
                                               const pod_run_options *options, pod_run_report *report,
                                               pod_error *error);

/* ---- in slices of time ----
 *
 * A host that may not wait, as a game between two frames, runs steps in slices:
 *
 *     pod_run *run;
 *     status = pod_run_begin(program, arguments, &options, &run, &error);
 *     while ((status = pod_run_step_for(run, 4000000, &report, &error)) == POD_OK)
 *         draw_frame();
 *     if (status == POD_END)
 *         status = pod_run_take_results(run, results, &error);
 *     pod_run_end(run);
 *
 * A slice ends at a border of phases, also within a step: it takes as much longer as the phase takes that is under way.
 * A step that is under way may have written some of its variables: who wants to see them lets it end (pod_run_stop(),
 * and pod_run_step_for() to the end; then another run goes on). Results have the bits of a run without slices. */

typedef struct pod_run pod_run;

/* Begins a run, as pod_program_run() would, without doing anything of it. `options` and the infeed are copied (what
 * the infeed's context points to stays the caller's); options->result_buffers must be NULL. Arguments are shared until
 * pod_run_end(). Until then the program can have no other run, and nobody else writes to its variables. On success
 * *run is the caller's, to end with pod_run_end(). */
POD_API POD_CHECKED pod_status pod_run_begin(pod_program *program, pod_buffer *const *arguments,
                                             const pod_run_options *options, pod_run **run, pod_error *error);

/* Goes on for so many nanoseconds (0: to the end) on the caller's thread and, but with options->alone, the context's
 * others, which sleep between slices. POD_OK: there is more to do. POD_END: the run is over, by its steps, its infeed,
 * pod_run_stop() or an interrupt. Else the failure that has ended it. *report tells what was done since it began; it
 * may be NULL. */
POD_API POD_CHECKED pod_status pod_run_step_for(pod_run *run, uint64_t nanoseconds, pod_run_report *report,
                                                pod_error *error);

/* Lets the step that is under way be the last one: it is finished by pod_run_step_for(). */
POD_API void pod_run_stop(pod_run *run);

/* Gives the results of the last step of a run that is over, as pod_program_run() does. POD_ERROR_STATE where it is not;
 * a second time all are NULL. */
POD_API POD_CHECKED pod_status pod_run_take_results(pod_run *run, pod_buffer **results, pod_error *error);

/* Ends a run. A step that is under way is given up, or finished where it has written to variables already, so that they
 * are those of a whole step. NULL is allowed. */
POD_API void pod_run_end(pod_run *run);

typedef struct pod_program_stats {
    size_t instructions;     /* in the schedule */
    size_t nodes;            /* of the graph it came from */
    size_t kernels_fused;    /* nodes that run inside another's loop */
    uint64_t arena_bytes;    /* planned for temporaries */
    uint64_t live_bytes;     /* the most of them that are needed in one phase: no arena could be smaller */
    uint64_t literal_bytes;  /* of constants */
    uint64_t argument_bytes; /* of all parameters */
    uint64_t output_bytes;   /* of outputs that are no alias */
    uint64_t alias_bytes;    /* of outputs updated in place */
    uint64_t code_bytes;     /* of instructions and all else that describes the program */
    uint64_t scratch_bytes;  /* that each thread of a run needs */
    /* Two accounts of the same memory, both as bytes taken from the host's allocator. Planned: code, arena,
     * constants, scratch of each thread and buffers for results, of the largest run so far; what a first run
     * adds is missing before it. Allocated: each block that was taken for the program and its runs, counted by
     * its own size when it was taken and when it was given back or handed over; the most at a time. They differ
     * where the engine takes what was not planned. Arguments and what an infeed gives are the caller's. */
    uint64_t planned_bytes;
    uint64_t allocated_bytes;
    uint64_t held_bytes; /* of allocated_bytes, now */
    double compile_seconds;
} pod_program_stats;

POD_API pod_program_stats pod_program_get_stats(const pod_program *program);

/* The bytes that a run of so many steps on so many threads will hold, when it is given no result buffers: what
 * planned_bytes is after it, if none was larger. */
POD_API uint64_t pod_program_planned_bytes(const pod_program *program, int threads, int64_t steps);

/* Writes instructions, buffers and bytes as text; the caller's, to free with pod_text_free(). */
POD_API char *pod_program_print(const pod_program *program);

/* Returns a 64-bit hash of a graph's structure, types and constants: equal graphs compile to equal
 * programs. Names and locations do not count. */
POD_API uint64_t pod_graph_hash(const pod_graph *graph);

/* ---- where the time of a step goes ----
 *
 * A program may count the time of each of its instructions. That reads the clock twice for each chunk of rows an
 * instruction takes (some 10 microseconds of work), so it is off unless it is asked for. */

typedef struct pod_instruction_time {
    const char *kind, *name; /* as in pod_program_print(); the program's */
    /* Of the operation that it is for, in a fused loop the last: the place in the user's source and the scope (layer).
     * NULL where none is known. */
    const char *location, *layer;
    uint32_t phase;
    uint64_t nanoseconds; /* on all threads, of all steps since counting began; regions included */
    uint64_t runs;        /* that took them: chunks of rows */
    double flops;         /* floating point operations of one step, as pod_node_flops() counts those of the nodes */
    bool is_half;         /* whether all floats that it reads have 16 bits; of a product those that it multiplies */
    double operations;    /* multiplications and additions of a product or convolution in one step; else 0 */
    int64_t products, rows, columns, depth; /* of those: how many [rows, depth] x [depth, columns]; else 0 */
    uint64_t bytes;          /* of operands and results, each once: what one step has to read and write at least */
    uint64_t variable_bytes; /* of these, those of variables: as many for any number of rows */
    int64_t elements;        /* of the largest operand or result */
} pod_instruction_time;

typedef struct pod_program_times {
    uint64_t steps;               /* counted */
    uint64_t runs;                /* that these were steps of */
    uint64_t waiting_nanoseconds; /* of threads for others, between phases and for the next step's infeed */
    uint64_t phases;              /* of a step: after each the threads wait for each other */
    size_t instructions;          /* that there are, without those of regions */
} pod_program_times;

/* Switches counting on, from zero, or off. Not while the program runs. */
POD_API POD_CHECKED pod_status pod_program_count_time(pod_program *program, bool on, pod_error *error);

/* Fills times[0 .. most-1] with the instructions in the order of the schedule; their time is 0 where none was
 * counted. Not while the program runs. */
POD_API pod_program_times pod_program_get_times(const pod_program *program, pod_instruction_time *times, size_t most);

POD_END_C

#endif
