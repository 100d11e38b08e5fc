/* exported_program - programs with their weights: opened from a file, run on rows. See moonpod/exported.h. */

#include "moonpod/exported.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "exported/signature.h"
#include "formats/own_file.h"
#include "formats/safetensors.h"
#include "moonpod/chip.h"
#include "moonpod/exchange.h"
#include "moonpod/formats.h"
#include "moonpod/program.h"

/* The program for one number of rows. */
typedef struct sized {
    int64_t rows; /* 0: of a function, which has no rows */
    pod_program *program;
    pod_buffer **arguments; /* weights, shared with the others, then inputs, its own */
    pod_buffer **outputs;   /* its own; NULL for those that update a weight */
    pod_buffer **results;   /* what a run gives: shares of outputs */
} sized;

struct pod_exported {
    pod_context *context;
    char *name, *structure;
    pod_exported_signature signature;
    pod_buffer **weights;
    sized *programs; /* ascending */
    size_t program_count;
    bool keeps_state;
};

/* ---- one program ---- */

/* The type that a value has in a program of so many rows. */
static pod_shape shape_of(const pod_exported_value *value, int64_t rows)
{
    pod_shape shape = value->shape;
    if (rows == 0)
        return shape;
    memmove(shape.dims + 1, shape.dims, (size_t)shape.rank * sizeof shape.dims[0]);
    shape.dims[0] = rows;
    shape.rank++;
    return shape;
}

/* Checks that the program has a type where the signature or the file has it. */
static pod_status check_type(const char *what, const char *name, pod_dtype dtype, const pod_shape *shape,
                             const pod_node *node, pod_error *error)
{
    char has[POD_SHAPE_TEXT_SIZE], takes[POD_SHAPE_TEXT_SIZE];
    if (pod_node_dtype(node, 0) == dtype && pod_node_element(node, 0) == pod_element_from_dtype(dtype) &&
        pod_shape_equal(pod_node_shape(node, 0), shape))
        return POD_OK;
    return pod_error_set(error, POD_ERROR_FORMAT, "%s '%.128s' is %s %s, but the program has %s %s", what, name,
                         pod_dtype_name(dtype), pod_shape_format(shape, has), pod_dtype_name(pod_node_dtype(node, 0)),
                         pod_shape_format(pod_node_shape(node, 0), takes));
}

static pod_status check_parameters(const pod_exported *self, const pod_graph *graph, int64_t rows, pod_error *error)
{
    const pod_exported_signature *signature = &self->signature;
    const size_t weights = signature->weight_count, inputs = signature->inputs.count;
    pod_status status = POD_OK;
    if (pod_graph_parameter_count(graph) != weights + inputs)
        return pod_error_set(error, POD_ERROR_FORMAT,
                             "the program has %zu parameters, but the signature %zu weights and %zu inputs",
                             pod_graph_parameter_count(graph), weights, inputs);
    for (size_t i = 0; status == POD_OK && i < weights; i++)
        status = check_type("weight", signature->weights[i], pod_buffer_dtype(self->weights[i]),
                            pod_buffer_shape(self->weights[i]), pod_graph_get_parameter(graph, i), error);
    for (size_t i = 0; status == POD_OK && i < inputs; i++) {
        const pod_exported_value *input = &signature->inputs.values[i];
        const pod_shape shape = shape_of(input, rows);
        status =
            check_type("input", input->name, input->dtype, &shape, pod_graph_get_parameter(graph, weights + i), error);
    }
    return status;
}

/* Checks the outputs: those of the signature, then new values of weights. */
static pod_status check_outputs(pod_exported *self, const pod_exchange_module *module, const pod_graph *graph,
                                int64_t rows, pod_error *error)
{
    const pod_exported_list *outputs = &self->signature.outputs;
    const size_t parameters = pod_graph_parameter_count(graph), all = pod_graph_output_count(graph);
    size_t updates = 0;
    for (size_t i = 0; i < parameters; i++) {
        const int64_t alias = pod_exchange_get_parameter(module, i).alias;
        updates += alias >= 0;
        if (alias >= 0 && (i >= self->signature.weight_count || (uint64_t)alias < outputs->count))
            return pod_error_set(error, POD_ERROR_FORMAT, "parameter %zu is updated, but is no weight", i);
    }
    self->keeps_state = self->keeps_state || updates > 0;
    if (all < outputs->count || all - outputs->count != updates)
        return pod_error_set(error, POD_ERROR_FORMAT,
                             "the program has %zu outputs, but the signature %zu, and %zu weights are updated", all,
                             outputs->count, updates);
    pod_status status = POD_OK;
    for (size_t i = 0; status == POD_OK && i < outputs->count; i++) {
        const pod_exported_value *output = &outputs->values[i];
        const pod_shape shape = shape_of(output, rows);
        status = check_type("output", output->name, output->dtype, &shape, pod_graph_get_output(graph, i), error);
    }
    return status;
}

/* Makes the buffers of a program's own values. */
static pod_status make_buffers(const pod_exported *self, sized *into, size_t all_outputs, pod_error *error)
{
    const pod_exported_signature *signature = &self->signature;
    const size_t weights = signature->weight_count, inputs = signature->inputs.count;
    into->arguments = pod_allocate_zeroed(self->context, weights + inputs, sizeof(pod_buffer *));
    into->outputs = pod_allocate_zeroed(self->context, all_outputs, sizeof(pod_buffer *));
    into->results = pod_allocate_zeroed(self->context, all_outputs, sizeof(pod_buffer *));
    if (into->arguments == NULL || into->outputs == NULL || into->results == NULL)
        return pod_error_memory(error, "the arguments of a program", 0);
    for (size_t i = 0; i < weights; i++)
        into->arguments[i] = pod_buffer_retain(self->weights[i]);
    pod_status status = POD_OK;
    for (size_t i = 0; status == POD_OK && i < inputs; i++) {
        const pod_shape shape = shape_of(&signature->inputs.values[i], into->rows);
        status = pod_buffer_new(self->context, signature->inputs.values[i].dtype, &shape, &into->arguments[weights + i],
                                error);
    }
    for (size_t i = 0; status == POD_OK && i < signature->outputs.count; i++) {
        const pod_shape shape = shape_of(&signature->outputs.values[i], into->rows);
        status = pod_buffer_new(self->context, signature->outputs.values[i].dtype, &shape, &into->outputs[i], error);
    }
    return status;
}

/* Compiles a graph that has been checked; weights stay as they are from run to run. */
static pod_status compile_held(pod_exported *self, const pod_graph *graph, sized *into, pod_error *error)
{
    const size_t parameters = pod_graph_parameter_count(graph), weights = self->signature.weight_count;
    bool *held = pod_allocate_zeroed(self->context, parameters + 1, sizeof *held);
    if (held == NULL)
        return pod_error_memory(error, "a program", parameters);
    for (size_t i = 0; i < weights; i++)
        held[i] = true;
    const pod_compile_options options = {.matmul_precision = self->signature.precision, .held = held};
    const pod_status status = pod_program_compile(self->context, graph, &options, &into->program, error);
    pod_free(self->context, held);
    return status;
}

/* Reads, checks and compiles the text of a program. */
static pod_status open_program(pod_exported *self, const char *text, const char *name, sized *into, pod_error *error)
{
    pod_exchange_module *module;
    pod_status status = pod_exchange_read(self->context, text, strlen(text), name, &module, error);
    if (status != POD_OK)
        return status;
    const pod_graph *graph = pod_exchange_graph(module);
    status = check_parameters(self, graph, into->rows, error);
    if (status == POD_OK)
        status = check_outputs(self, module, graph, into->rows, error);
    if (status == POD_OK)
        status = compile_held(self, graph, into, error);
    if (status == POD_OK)
        status = make_buffers(self, into, pod_graph_output_count(graph), error);
    pod_exchange_free(module);
    return status;
}

static void close_program(const pod_exported *self, sized *one)
{
    const size_t arguments = self->signature.weight_count + self->signature.inputs.count;
    for (size_t i = 0; one->arguments != NULL && i < arguments; i++)
        pod_buffer_release(one->arguments[i]);
    for (size_t i = 0; one->outputs != NULL && i < self->signature.outputs.count; i++)
        pod_buffer_release(one->outputs[i]);
    pod_free(self->context, one->arguments);
    pod_free(self->context, one->outputs);
    pod_free(self->context, one->results);
    pod_program_free(one->program);
}

/* ---- opening ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(const pod_named_buffer *const *)a)->name, (*(const pod_named_buffer *const *)b)->name);
}

/* Takes the weights of the signature from the file's tensors, sorted by name. */
static pod_status pick_weights(pod_exported *self, const pod_named_buffer **sorted, size_t count, pod_error *error)
{
    for (size_t i = 0; i < self->signature.weight_count; i++) {
        const pod_named_buffer wanted = {.name = self->signature.weights[i]}, *key = &wanted;
        const pod_named_buffer *const *found =
            count > 0 ? bsearch(&key, sorted, count, sizeof *sorted, compare_names) : NULL;
        if (found == NULL)
            return pod_error_set(error, POD_ERROR_FORMAT, "the program reads a weight '%.128s', which is not there",
                                 wanted.name);
        assert(self->weights[i] == NULL && strcmp((*found)->name, wanted.name) == 0);
        self->weights[i] = pod_buffer_retain((*found)->buffer);
    }
    return POD_OK;
}

static pod_status take_weights(pod_exported *self, const pod_buffer_list *list, pod_error *error)
{
    const pod_named_buffer **sorted = pod_allocate_zeroed(self->context, list->count + 1, sizeof *sorted);
    self->weights = pod_allocate_zeroed(self->context, self->signature.weight_count, sizeof *self->weights);
    pod_status status = POD_OK;
    if (sorted == NULL || self->weights == NULL)
        status = pod_error_memory(error, "a list of weights", 0);
    for (size_t i = 0; status == POD_OK && i < list->count; i++)
        sorted[i] = &list->entries[i];
    if (status == POD_OK) {
        qsort(sorted, list->count, sizeof *sorted, compare_names);
        status = pick_weights(self, sorted, list->count, error);
    }
    pod_free(self->context, sorted);
    return status;
}

static pod_status open_programs(pod_exported *self, const pod_buffer_list *list, const char *path, pod_error *error)
{
    const pod_exported_signature *signature = &self->signature;
    const size_t count = signature->size_count > 0 ? signature->size_count : 1;
    self->programs = pod_allocate_zeroed(self->context, count, sizeof *self->programs);
    if (self->programs == NULL)
        return pod_error_memory(error, "a list of programs", count * sizeof *self->programs);
    self->program_count = count;
    for (size_t i = 0; i < count; i++) {
        char key[48] = "program", name[512];
        sized *one = &self->programs[i];
        one->rows = signature->size_count > 0 ? signature->sizes[i] : 0;
        assert(i == 0 || self->programs[i - 1].rows < one->rows); /* choose() goes by that */
        if (one->rows > 0)
            snprintf(key, sizeof key, "program.%" PRId64, one->rows);
        snprintf(name, sizeof name, "%.400s: %s", path, key);
        const char *text = pod_format_own_text(list, key);
        if (text == NULL)
            return pod_error_set(error, POD_ERROR_FORMAT, "the text '%s' is missing in the metadata", key);
        const pod_status status = open_program(self, text, name, one, error);
        if (status != POD_OK)
            return status;
    }
    return POD_OK;
}

/* A shape that has an axis of rows in front must still be one. */
static pod_status check_ranks(const pod_exported_signature *signature, pod_error *error)
{
    const pod_exported_list *lists[] = {&signature->inputs, &signature->outputs};
    for (size_t list = 0; signature->size_count > 0 && list < 2; list++)
        for (size_t i = 0; i < lists[list]->count; i++)
            if (lists[list]->values[i].shape.rank == POD_MAX_RANK)
                return pod_error_set(error, POD_ERROR_FORMAT,
                                     "the signature: '%.128s' has more than %d axes with its "
                                     "rows",
                                     lists[list]->values[i].name, POD_MAX_RANK);
    return POD_OK;
}

static pod_status read_content(pod_exported *self, const pod_buffer_list *list, const char *path, pod_error *error)
{
    pod_status status = pod_format_check_own(list, "exported", error);
    if (status != POD_OK)
        return status;
    const char *name = pod_format_own_text(list, "name"), *signature = pod_format_own_text(list, "signature");
    if (signature == NULL)
        return pod_error_set(error, POD_ERROR_FORMAT, "the signature is missing in the metadata");
    const char *structure = pod_format_own_text(list, "structure");
    self->name = pod_copy_text(self->context, name != NULL ? name : "");
    self->structure = structure != NULL ? pod_copy_text(self->context, structure) : NULL;
    if (self->name == NULL || (self->structure == NULL) != (structure == NULL))
        return pod_error_memory(error, "a name", 0);
    status = pod_exported_read_signature(self->context, signature, &self->signature, error);
    if (status == POD_OK)
        status = check_ranks(&self->signature, error);
    if (status == POD_OK)
        status = take_weights(self, list, error);
    return status == POD_OK ? open_programs(self, list, path, error) : status;
}

/* Makes a program of what was read, which is cleared. */
static pod_status open_list(pod_context *context, const char *path, pod_buffer_list *list, pod_exported **exported,
                            pod_error *error)
{
    pod_exported *self = pod_allocate_zeroed(context, 1, sizeof *self);
    pod_status status = POD_OK;
    if (self == NULL) {
        status = pod_error_memory(error, "an exported program", sizeof *self);
    } else {
        self->context = pod_context_retain(context);
        status = read_content(self, list, path, error);
        if (status != POD_OK && error != NULL && strstr(error->message, path) == NULL)
            pod_error_prepend(error, "%s: ", path);
    }
    pod_buffer_list_clear(list);
    if (status == POD_OK)
        *exported = self;
    else
        pod_exported_close(self);
    return status;
}

pod_status pod_exported_open(pod_context *context, const char *path, pod_exported **exported, pod_error *error)
{
    pod_buffer_list list;
    *exported = NULL;
    const pod_status status = pod_safetensors_read(context, path, &list, error);
    return status == POD_OK ? open_list(context, path, &list, exported, error) : status;
}

pod_status pod_exported_open_memory(pod_context *context, const void *bytes, size_t size, pod_exported **exported,
                                    pod_error *error)
{
    const char *name = "the bytes";
    pod_buffer_list list;
    *exported = NULL;
    const pod_status status = pod_safetensors_from_bytes(context, name, &(pod_bytes){bytes, size}, &list, error);
    return status == POD_OK ? open_list(context, name, &list, exported, error) : status;
}

void pod_exported_close(pod_exported *self)
{
    if (self == NULL)
        return;
    pod_context *context = self->context;
    for (size_t i = 0; i < self->program_count; i++)
        close_program(self, &self->programs[i]);
    for (size_t i = 0; self->weights != NULL && i < self->signature.weight_count; i++)
        pod_buffer_release(self->weights[i]);
    pod_free(context, self->programs);
    pod_free(context, self->weights);
    pod_exported_clear_signature(context, &self->signature);
    pod_free(context, self->name);
    pod_free(context, self->structure);
    pod_free(context, self);
    pod_context_release(context);
}

/* ---- asking ---- */

pod_exported_description pod_exported_describe(const pod_exported *self)
{
    const pod_exported_signature *signature = &self->signature;
    return (pod_exported_description){.name = self->name,
                                      .structure = self->structure,
                                      .input_count = signature->inputs.count,
                                      .output_count = signature->outputs.count,
                                      .weight_count = signature->weight_count,
                                      .size_count = signature->size_count,
                                      .sizes = signature->sizes,
                                      .keeps_state = self->keeps_state};
}

pod_exported_value pod_exported_input(const pod_exported *self, size_t index)
{
    return self->signature.inputs.values[index];
}

pod_exported_value pod_exported_output(const pod_exported *self, size_t index)
{
    return self->signature.outputs.values[index];
}

pod_buffer *pod_exported_weight(const pod_exported *self, size_t index, const char **name)
{
    if (name != NULL)
        *name = self->signature.weights[index];
    return self->weights[index];
}

/* ---- running ---- */

/* Runs `rows` rows from row `first` on; what a program has rows for beyond them is zero. */
static pod_status run_program(const pod_exported *self, const sized *one, int64_t first, int64_t rows,
                              const void *const *inputs, void *const *outputs, pod_error *error)
{
    const pod_exported_signature *signature = &self->signature;
    const pod_run_options options = {.result_buffers = one->outputs, .tells_writes = true};
    pod_run_report report;
    assert(rows > 0 && (one->rows == 0 || rows <= one->rows));
    for (size_t i = 0; i < signature->inputs.count; i++) {
        const size_t bytes = signature->inputs.values[i].bytes;
        pod_buffer *input = one->arguments[signature->weight_count + i];
        unsigned char *data = pod_buffer_data(input);
        if (bytes == 0)
            continue;
        assert(pod_buffer_bytes(input) >= (size_t)rows * bytes);
        memcpy(data, (const unsigned char *)inputs[i] + (size_t)first * bytes, (size_t)rows * bytes);
        if (rows < one->rows)
            memset(data + (size_t)rows * bytes, 0, (size_t)(one->rows - rows) * bytes);
        pod_buffer_note_write(input);
    }
    pod_status status = pod_program_run(one->program, one->arguments, one->results, &options, &report, error);
    if (status != POD_OK)
        return status;
    for (size_t i = 0; i < signature->outputs.count; i++) {
        const size_t bytes = signature->outputs.values[i].bytes;
        if (report.steps == 1 && bytes > 0)
            memcpy((unsigned char *)outputs[i] + (size_t)first * bytes, pod_buffer_data(one->outputs[i]),
                   (size_t)rows * bytes);
        pod_buffer_release(one->results[i]);
        one->results[i] = NULL;
    }
    if (report.steps == 1)
        return POD_OK;
    return pod_error_set(error, POD_ERROR_INTERRUPTED, "the run of '%.128s' was interrupted", self->name);
}

/* The program that takes the next of `rows` rows: the largest that they fill, else the smallest. */
static const sized *choose(const pod_exported *self, int64_t rows)
{
    size_t at = self->program_count - 1;
    while (at > 0 && self->programs[at].rows > rows)
        at--;
    return &self->programs[at];
}

/* Whether a program that must run as a whole does so with so many rows. */
static pod_status check_rows(const pod_exported *self, int64_t rows, pod_error *error)
{
    if (rows < 0)
        return pod_error_set(error, POD_ERROR_VALUE, "'%.128s' cannot run %" PRId64 " rows", self->name, rows);
    if (self->signature.size_count == 0 && rows > 1)
        return pod_error_set(error, POD_ERROR_VALUE,
                             "'%.128s' is a function, which takes its arguments as they are: "
                             "rows is 1, not %" PRId64,
                             self->name, rows);
    if (rows == 0 || !self->keeps_state || self->signature.size_count == 0 || choose(self, rows)->rows == rows)
        return POD_OK;
    return pod_error_set(error, POD_ERROR_VALUE,
                         "'%.128s' keeps state from run to run, so its rows are not divided: "
                         "export it with %" PRId64 " among its batch_sizes",
                         self->name, rows);
}

pod_status pod_exported_run(pod_exported *self, int64_t rows, const void *const *inputs, void *const *outputs,
                            pod_error *error)
{
    pod_status status = check_rows(self, rows, error);
    for (int64_t done = 0; status == POD_OK && done < rows;) {
        const sized *one = choose(self, rows - done);
        const int64_t taken = one->rows == 0 || rows - done < one->rows ? rows - done : one->rows;
        status = run_program(self, one, done, taken, inputs, outputs, error);
        done += taken;
    }
    return status;
}
