#ifndef MOONPOD_EXPORTED_H
#define MOONPOD_EXPORTED_H

/*
 * exported - programs that a script wrote with their weights, loaded and run without Lua.
 *
 * In Lua `model:export("net.safetensors")` or `fn:export("step.safetensors", specs)` writes one file. A host loads it:
 *
 *     pod_exported *net;
 *     pod_error error;
 *     if (pod_exported_open(context, "net.safetensors", &net, &error) != POD_OK)
 *         return puts(error.message);
 *     const void *inputs[] = {pixels};                       // float32 [rows, 784]
 *     void *outputs[] = {scores};                            // float32 [rows, 10]
 *     status = pod_exported_run(net, rows, inputs, outputs, &error);
 *     pod_exported_close(net);
 *
 * The file is a safetensors file. Its tensors are the weights. Its metadata has `format` "moonpod", `kind` "exported",
 * `version` "1.0", `name`, `signature` (JSON: names and types of weights, inputs and outputs) and the program
 * as StableHLO text. Each number of rows that it is compiled for has one ("program.1", "program.32"). All of them
 * take the same weights. So the file knows no machine: what is loaded on another CPU is compiled for that CPU, and
 * other tools read weights and program, too. Compiling takes milliseconds to seconds.
 *
 * Shapes are static. pod_exported_run() takes any number of rows and cuts them itself: as many as fit into the largest
 * size, then into the next smaller one. Fewer rows than the smallest size are run with rows of zeros behind them. What
 * a row gives does not depend on the others, as in model:predict(). Whoever wants the fewest calls exports the sizes
 * that will come. A program that keeps state from run to run (random numbers, a stateful layer, a step of training)
 * cuts nothing: rows must be one of its sizes. A program of a function (fn:export) takes its arguments as they are:
 * rows is 1.
 *
 * Memory and threads are the context's: with pod_context_options.threads = 1 no thread is ever started. Opening
 * compiles all sizes and takes all memory; a run takes none, from the second of a size on. What a file may take is
 * bounded by the context's allocator. Programs of strangers run only what the op table has: they compute, and
 * touch neither files nor memory other than their own; but they may compute for long (pod_context_interrupt()).
 *
 * A handle is for one thread at a time; several handles are independent.
 */

#include "moonpod/formats.h"

POD_BEGIN_C

typedef struct pod_exported pod_exported;

/* Opens a file, compiles its program for this machine and loads its weights. On success *exported is the caller's, to
 * end with pod_exported_close(); on failure it is NULL. POD_ERROR_NOT_FOUND and POD_ERROR_IO: the file cannot be
 * read. POD_ERROR_FORMAT: it is damaged, is no exported program or contradicts itself (a weight of another type
 * than the program takes). POD_ERROR_UNSUPPORTED: a newer version of Moonpod wrote it, or an op is not known
 * here. */
POD_API POD_CHECKED pod_status pod_exported_open(pod_context *context, const char *path, pod_exported **exported,
                                                 pod_error *error);

/* The same for a file whose `size` bytes the host has in memory, as those of a game's archive; it keeps none of them.
 */
POD_API POD_CHECKED pod_status pod_exported_open_memory(pod_context *context, const void *bytes, size_t size,
                                                        pod_exported **exported, pod_error *error);

/* Ends it with its weights. NULL is allowed. */
POD_API void pod_exported_close(pod_exported *exported);

/* Holds what a program is. Strings and arrays are borrowed from it. */
typedef struct pod_exported_description {
    const char *name;      /* of the model or function */
    const char *structure; /* JSON: how inputs and outputs nest in tables of Lua; NULL: not said */
    size_t input_count, output_count, weight_count;
    size_t size_count;    /* numbers of rows that it is compiled for; 0 of a function, whose values are as they are */
    const int64_t *sizes; /* ascending */
    bool keeps_state;     /* a run changes weights */
} pod_exported_description;

POD_API pod_exported_description pod_exported_describe(const pod_exported *exported);

/* An input or output: of one row, without the axis of rows, where the program takes rows. */
typedef struct pod_exported_value {
    const char *name; /* borrowed: "pixels", "scores" */
    pod_dtype dtype;
    pod_shape shape;
    size_t bytes; /* of its elements, row-major: what `rows` rows take is rows times that */
} pod_exported_value;

/* Returns input `index`, which must be below input_count, or output `index`, below output_count. */
POD_API pod_exported_value pod_exported_input(const pod_exported *exported, size_t index);
POD_API pod_exported_value pod_exported_output(const pod_exported *exported, size_t index);

/* Returns weight `index`, below weight_count, and its name ("dense_1/kernel"; `name` may be NULL): borrowed. Hosts may
 * read it, and write to it between runs, followed by pod_buffer_note_write(). */
POD_API pod_buffer *pod_exported_weight(const pod_exported *exported, size_t index, const char **name);

/* Runs `rows` rows: inputs[i] points at the elements of input i, outputs[i] receives those of output i, both of any
 * alignment and borrowed for the call. 0 rows do nothing. Fails with POD_ERROR_VALUE where a program that keeps state
 * has no such size, POD_ERROR_INTERRUPTED after pod_context_interrupt(), and what the program's ops fail with; outputs
 * of rows before the failure may then be written. */
POD_API POD_CHECKED pod_status pod_exported_run(pod_exported *exported, int64_t rows, const void *const *inputs,
                                                void *const *outputs, pod_error *error);

/* Reads the weights alone of a file that Lua wrote (model:save_weights(), model:save(), model:export()), by name:
 * "encoder/dense_1/kernel". The state of optimizers and metrics is left out; list->texts are the metadata. Fails as
 * pod_safetensors_read() does, with POD_ERROR_FORMAT for a safetensors file of others, and with POD_ERROR_UNSUPPORTED
 * for one that a newer Moonpod wrote (its major version). *list is the caller's, to end with
 * pod_buffer_list_clear(). */
POD_API POD_CHECKED pod_status pod_weights_read(pod_context *context, const char *path, pod_buffer_list *list,
                                                pod_error *error);

/* Finds a weight in a list that pod_weights_read() gave; NULL when there is none such. Borrowed. */
POD_API pod_buffer *pod_weights_find(const pod_buffer_list *list, const char *name);

POD_END_C

#endif
