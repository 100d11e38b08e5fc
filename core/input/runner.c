/* runner - runs the graph of an element over blocks of elements. */

#include "input/runner.h"

#include <string.h>

#define BLOCK_BYTES ((int64_t)4 << 20)   /* of the inputs and outputs of a block, at most */
#define LARGE_BYTES ((int64_t)128 << 10) /* of the inputs and outputs of an element run alone */

pod_status pod_input_runner_open(pod_runner *runner, pod_context *context, const pod_graph *graph, pod_runner_mode mode,
                                 const pod_component *components, size_t width, pod_error *error)
{
    *runner = (pod_runner){.context = context,
                           .graph = graph,
                           .mode = mode,
                           .components = components,
                           .width = width,
                           .results_width = pod_graph_output_count(graph)};
    const pod_status status = pod_context_new_beside(context, 1, &runner->beside, error);
    if (status != POD_OK)
        return status;
    runner->holdings.context = context;
    runner->spares = pod_input_spares_hold(&runner->holdings, width);
    runner->arguments = pod_input_hold(&runner->holdings, width, sizeof *runner->arguments);
    runner->results = pod_input_hold(&runner->holdings, runner->results_width, sizeof *runner->results);
    runner->result_spares = pod_input_spares_hold(&runner->holdings, runner->results_width);
    return pod_input_holdings_check(&runner->holdings, "what runs a mapped function", error);
}

void pod_input_runner_close(pod_runner *runner)
{
    if (runner->context == NULL)
        return;
    pod_input_buffers_drop(runner->arguments, runner->width);
    pod_input_buffers_drop(runner->results, runner->results_width);
    for (size_t i = 0; i < runner->program_count; i++)
        pod_program_free(runner->programs[i].program);
    pod_input_spares_end(runner->spares, runner->width);
    pod_input_spares_end(runner->result_spares, runner->results_width);
    pod_input_holdings_end(&runner->holdings);
    pod_context_release(runner->beside);
    *runner = (pod_runner){0};
}

static pod_status compile(pod_runner *runner, int64_t rows, pod_program **program, pod_error *error)
{
    pod_graph *mapped;
    if (runner->mode == POD_RUN_ALONE)
        return pod_program_compile(runner->beside, runner->graph, NULL, program, error);
    pod_status status = pod_graph_map(runner->graph, rows, NULL, &mapped, error);
    if (status != POD_OK)
        return status;
    status = pod_program_compile(runner->beside, mapped, NULL, program, error);
    pod_graph_free(mapped);
    return status;
}

/* Finds or makes the program for a number of rows. The oldest gives way: batches have few sizes. */
static pod_status find_program(pod_runner *runner, int64_t rows, pod_program **program, pod_error *error)
{
    const size_t most = sizeof runner->programs / sizeof runner->programs[0];
    for (size_t i = 0; i < runner->program_count; i++) {
        *program = runner->programs[i].program;
        if (runner->programs[i].rows == rows)
            return POD_OK;
    }
    const pod_status status = compile(runner, rows, program, error);
    if (status != POD_OK)
        return status;
    const size_t place = runner->program_count < most ? runner->program_count++ : runner->oldest_program++ % most;
    pod_program_free(runner->programs[place].program);
    runner->programs[place] = (pod_runner_program){rows, *program};
    return POD_OK;
}

/* Takes buffers for the results of a run. */
static pod_status take_results(pod_runner *runner, int64_t rows, pod_error *error)
{
    for (size_t i = 0; i < runner->results_width; i++) {
        const pod_node *output = pod_graph_get_output(runner->graph, i);
        pod_shape shape = *pod_node_shape(output, 0);
        if (runner->mode != POD_RUN_ALONE)
            shape = pod_input_shape_of_rows(pod_node_shape(output, 0), rows);
        const pod_status status = pod_input_spares_take(&runner->result_spares[i], pod_node_dtype(output, 0), &shape,
                                                        &runner->results[i], error);
        if (status != POD_OK)
            return status;
    }
    return POD_OK;
}

/* Runs the program for `rows` on arguments. */
static pod_status run_on(pod_runner *runner, pod_buffer **arguments, int64_t rows, pod_error *error)
{
    pod_program *program;
    pod_input_buffers_drop(runner->results, runner->results_width);
    pod_status status = find_program(runner, rows, &program, error);
    if (status == POD_OK)
        status = take_results(runner, rows, error);
    const pod_run_options options = {.result_buffers = runner->results};
    if (status == POD_OK)
        status = pod_program_run(program, arguments, NULL, &options, NULL, error);
    if (status != POD_OK)
        pod_input_buffers_drop(runner->results, runner->results_width);
    return status;
}

/* Makes buffers of one row each of the arguments. */
static pod_status take_row(pod_runner *runner, int64_t row, pod_buffer **ones, pod_error *error)
{
    for (size_t i = 0; i < runner->width; i++) {
        pod_shape shape = *pod_buffer_shape(runner->arguments[i]);
        const size_t bytes = pod_buffer_bytes(runner->arguments[i]) / (size_t)shape.dims[0];
        shape.dims[0] = 1;
        const pod_status status =
            pod_input_spares_take(&runner->spares[i], pod_buffer_dtype(runner->arguments[i]), &shape, &ones[i], error);
        if (status != POD_OK)
            return status;
        memcpy(pod_buffer_data(ones[i]), (const char *)pod_buffer_data(runner->arguments[i]) + (size_t)row * bytes,
               bytes);
    }
    return POD_OK;
}

/* A run of several rows failed: finds the first that fails alone, and its message. */
static void find_failing_row(pod_runner *runner, int64_t count, pod_error *error)
{
    pod_buffer *ones[POD_MAX_COMPONENTS] = {NULL};
    pod_error failure;
    pod_status status = POD_OK;
    for (int64_t row = 0; status == POD_OK && row < count; row++) {
        status = take_row(runner, row, ones, &failure);
        if (status == POD_OK)
            status = run_on(runner, ones, 1, &failure);
        pod_input_buffers_drop(ones, runner->width);
        if (status == POD_OK || status == POD_ERROR_MEMORY || status == POD_ERROR_INTERRUPTED)
            continue;
        runner->failed_row = row;
        if (error != NULL)
            *error = failure;
    }
}

/* Copies the first row of the arguments behind `count` rows: what is no element must not fail where none does. */
static void fill_up(pod_runner *runner, int64_t count, int64_t rows)
{
    for (size_t i = 0; i < runner->width; i++) {
        const size_t bytes = pod_buffer_bytes(runner->arguments[i]) / (size_t)rows;
        char *data = pod_buffer_data(runner->arguments[i]);
        for (size_t row = (size_t)count; row < (size_t)rows; row++)
            memcpy(data + row * bytes, data, bytes);
    }
}

/* Runs the program for `rows` on the arguments, of which `count` are elements; releases them. Where an element of a
 * block fails, those before it are run again: a failure comes behind all elements before it. */
static pod_status run(pod_runner *runner, int64_t rows, int64_t count, pod_error *error)
{
    runner->failed_row = -1;
    runner->sound_rows = 0;
    const pod_status status = run_on(runner, runner->arguments, rows, error);
    if (status < 0 && status != POD_ERROR_MEMORY && status != POD_ERROR_INTERRUPTED && runner->mode != POD_RUN_ALONE)
        find_failing_row(runner, count, error);
    if (runner->mode == POD_RUN_BLOCKS && runner->failed_row > 0) {
        fill_up(runner, runner->failed_row, rows);
        if (run_on(runner, runner->arguments, rows, NULL) == POD_OK)
            runner->sound_rows = runner->failed_row;
    }
    pod_input_buffers_drop(runner->arguments, runner->width);
    return status;
}

static pod_status gather(pod_runner *runner, const pod_part *parts, size_t count, int64_t rows, pod_error *error)
{
    for (size_t i = 0; i < runner->width; i++) {
        const pod_shape shape = pod_input_shape_of_rows(&runner->components[i].shape, rows);
        const pod_status status = pod_input_spares_take(&runner->spares[i], runner->components[i].dtype, &shape,
                                                        &runner->arguments[i], error);
        if (status != POD_OK)
            return status;
        const size_t bytes = pod_buffer_bytes(runner->arguments[i]) / (size_t)rows;
        pod_input_parts_gather(parts, runner->width, i, count, bytes, pod_buffer_data(runner->arguments[i]));
    }
    fill_up(runner, (int64_t)count, rows);
    return POD_OK;
}

pod_status pod_input_runner_run_block(pod_runner *runner, pod_part *parts, size_t count, int64_t rows, pod_error *error)
{
    runner->failed_row = -1;
    runner->sound_rows = 0;
    pod_status status = gather(runner, parts, count, rows, error);
    pod_input_parts_release(parts, count * runner->width);
    if (status == POD_OK)
        status = run(runner, rows, (int64_t)count, error);
    else
        pod_input_buffers_drop(runner->arguments, runner->width);
    return status;
}

/* Makes a part that is a row of a larger buffer a buffer of its own, which programs need. */
static pod_status own_buffer(pod_runner *runner, size_t component, pod_part *part, pod_error *error)
{
    pod_buffer *copy;
    pod_shape shape;
    if (part->row == POD_WHOLE)
        return POD_OK;
    pod_input_part_shape(part, &shape);
    const pod_status status =
        pod_input_spares_take(&runner->spares[component], pod_buffer_dtype(part->buffer), &shape, &copy, error);
    if (status != POD_OK)
        return status;
    memcpy(pod_buffer_data(copy), pod_input_part_data(part), pod_input_part_bytes(part));
    pod_buffer_release(part->buffer);
    *part = (pod_part){copy, POD_WHOLE};
    return POD_OK;
}

/* The rows of a batch; 0 when its components do not agree. */
static int64_t count_rows(const pod_runner *runner)
{
    int64_t rows = -1;
    for (size_t i = 0; i < runner->width; i++) {
        const int64_t here = pod_buffer_shape(runner->arguments[i])->dims[0];
        if (rows >= 0 && rows != here)
            return 0;
        rows = here;
    }
    return rows;
}

pod_status pod_input_runner_run_element(pod_runner *runner, pod_part *parts, pod_error *error)
{
    pod_status status = POD_OK;
    for (size_t i = 0; status == POD_OK && i < runner->width; i++)
        status = own_buffer(runner, i, &parts[i], error);
    for (size_t i = 0; i < runner->width; i++)
        runner->arguments[i] = parts[i].buffer;
    const int64_t rows = status == POD_OK && runner->mode == POD_RUN_ROWS ? count_rows(runner) : 1;
    if (status == POD_OK && rows == 0)
        status =
            pod_error_set(error, POD_ERROR_SHAPE, "the components of a batch have different numbers of rows, or none");
    if (status == POD_OK)
        return run(runner, rows, rows, error);
    pod_input_buffers_drop(runner->arguments, runner->width);
    return status;
}

pod_part pod_input_runner_take_result(pod_runner *runner, size_t index)
{
    const pod_part part = {runner->results[index], POD_WHOLE};
    runner->results[index] = NULL;
    return part;
}

int64_t pod_input_runner_choose_block(int64_t element_bytes, pod_runner_mode *mode)
{
    *mode = element_bytes >= LARGE_BYTES ? POD_RUN_ALONE : POD_RUN_BLOCKS;
    if (*mode == POD_RUN_ALONE)
        return 1;
    const int64_t fitting = element_bytes > 0 ? BLOCK_BYTES / element_bytes : POD_STAGE_BLOCK;
    return fitting < POD_STAGE_BLOCK ? fitting : POD_STAGE_BLOCK;
}

static void free_graph(void *graph)
{
    pod_graph_free(graph);
}

pod_owned pod_input_runner_owned(pod_graph *graph)
{
    return (pod_owned){graph, free_graph};
}

/* ---- checks ---- */

static pod_status check_parameter(const pod_graph *graph, const pod_component *component, size_t index, bool of_rows,
                                  const char *stage, pod_error *error)
{
    char wants[POD_SHAPE_TEXT_SIZE], has[POD_SHAPE_TEXT_SIZE];
    const pod_node *parameter = pod_graph_get_parameter(graph, index);
    const pod_shape *wanted = pod_node_shape(parameter, 0);
    pod_component here = *component;
    if (of_rows && here.shape.rank == 0)
        return pod_error_set(error, POD_ERROR_SHAPE, "%s over rows: component %zu is a scalar, which has none", stage,
                             index);
    if (of_rows)
        here.shape = pod_input_shape_of_row(&component->shape);
    if (!pod_input_component_is_static(&here))
        return pod_error_set(error, POD_ERROR_SHAPE,
                             "%s: component %zu is %s %s, whose sizes are not all known; compiled "
                             "functions need them: batch with drop_remainder, or pad",
                             stage, index, pod_dtype_name(here.dtype), pod_shape_format(&here.shape, has));
    if (pod_node_dtype(parameter, 0) == here.dtype && pod_shape_equal(wanted, &here.shape))
        return POD_OK;
    return pod_error_set(error, POD_ERROR_SHAPE, "%s: component %zu is %s %s, but the function was traced for %s %s",
                         stage, index, pod_dtype_name(here.dtype), pod_shape_format(&here.shape, has),
                         pod_dtype_name(pod_node_dtype(parameter, 0)), pod_shape_format(wanted, wants));
}

static pod_status check_outputs(const pod_graph *graph, const char *stage, pod_error *error)
{
    const size_t outputs = pod_graph_output_count(graph);
    if (outputs == 0 || outputs > POD_MAX_COMPONENTS)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "%s: the function returns %zu values; it must return 1 to %d",
                             stage, outputs, POD_MAX_COMPONENTS);
    for (size_t i = 0; i < outputs; i++)
        if (pod_node_shape(pod_graph_get_output(graph, i), 0)->rank == POD_MAX_RANK)
            return pod_error_set(error, POD_ERROR_SHAPE, "%s: value %zu has %d axes, which leaves none for a batch",
                                 stage, i, POD_MAX_RANK);
    return POD_OK;
}

pod_status pod_input_runner_check_graph(const pod_graph *graph, const pod_component *components, size_t width,
                                        bool of_rows, const char *stage, pod_error *error)
{
    pod_status status = pod_graph_check(graph, error);
    if (status != POD_OK)
        return status;
    if (pod_graph_parameter_count(graph) != width)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "%s: elements have %zu components, but the function takes %zu",
                             stage, width, pod_graph_parameter_count(graph));
    for (size_t i = 0; status == POD_OK && i < width; i++)
        status = check_parameter(graph, &components[i], i, of_rows, stage, error);
    return status == POD_OK ? check_outputs(graph, stage, error) : status;
}
