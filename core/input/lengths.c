/* lengths - see lengths.h. */

#include "input/lengths.h"

#include <string.h>

static pod_status check_last(const pod_dataset *input, const char *stage, pod_error *error)
{
    const pod_component *last = &input->components[input->width - 1];
    if (input->width > 1 && last->dtype == POD_S64 && last->shape.rank == 0)
        return POD_OK;
    return pod_error_set(
        error, POD_ERROR_DTYPE,
        "%s: without a function the last of several components is an element's length, an int64 scalar", stage);
}

pod_status pod_input_lengths_plan(pod_lengths_plan *plan, const pod_dataset *input, const pod_graph *graph,
                                  const char *stage, pod_error *error)
{
    *plan = (pod_lengths_plan){.input = input, .graph = graph, .block = POD_STAGE_BLOCK};
    if (graph == NULL)
        return check_last(input, stage, error);
    int64_t bytes = 0;
    for (size_t i = 0; i < input->width; i++) {
        plan->asked[i] = input->components[i];
        if (!pod_input_component_is_static(&input->components[i]))
            plan->asked[i] = (pod_component){.dtype = POD_S64, .shape = {1, {input->components[i].shape.rank}}};
        bytes += pod_input_component_bytes(&plan->asked[i]);
    }
    plan->block = pod_input_runner_choose_block(bytes, &plan->mode);
    const pod_status status = pod_input_runner_check_graph(graph, plan->asked, input->width, false, stage, error);
    if (status != POD_OK)
        return status;
    const pod_node *length = pod_graph_get_output(graph, 0);
    if (pod_graph_output_count(graph) != 1 || pod_node_dtype(length, 0) != POD_S64 ||
        pod_node_shape(length, 0)->rank != 0)
        return pod_error_set(error, POD_ERROR_DTYPE, "%s: the function must return one int64, a scalar", stage);
    return POD_OK;
}

pod_status pod_input_lengths_open(pod_lengths *lengths, const pod_lengths_plan *plan, pod_stage *stage,
                                  pod_error *error)
{
    lengths->plan = plan;
    if (plan->graph == NULL)
        return POD_OK;
    const size_t width = plan->input->width;
    lengths->asked = pod_input_hold(&stage->holdings, (size_t)plan->block * width, sizeof *lengths->asked);
    lengths->sizes = pod_input_spares_hold(&stage->holdings, width);
    return pod_input_runner_open(&lengths->runner, stage->pass->context, plan->graph, plan->mode, plan->asked, width,
                                 error);
}

void pod_input_lengths_close(pod_lengths *lengths)
{
    if (lengths->sizes != NULL)
        pod_input_spares_end(lengths->sizes, lengths->plan->input->width);
    pod_input_runner_close(&lengths->runner);
}

/* Makes rows of the sizes of a component of elements. */
static pod_status gather_sizes(pod_lengths *lengths, const pod_part *elements, size_t count, size_t component,
                               pod_error *error)
{
    const size_t width = lengths->plan->input->width;
    const pod_shape shape = pod_input_shape_of_rows(&lengths->plan->asked[component].shape, (int64_t)count);
    pod_buffer *rows;
    const pod_status status = pod_input_spares_take(&lengths->sizes[component], POD_S64, &shape, &rows, error);
    if (status != POD_OK)
        return status;
    int64_t *to = pod_buffer_data(rows);
    for (size_t i = 0; i < count; i++) {
        pod_shape sizes;
        pod_input_part_shape(&elements[i * width + component], &sizes);
        memcpy(to + i * (size_t)sizes.rank, sizes.dims, (size_t)sizes.rank * sizeof *to);
        lengths->asked[i * width + component] = (pod_part){pod_buffer_retain(rows), (int64_t)i};
    }
    pod_buffer_release(rows);
    return POD_OK;
}

/* Makes what the graph takes of elements. */
static pod_status gather(pod_lengths *lengths, const pod_part *elements, size_t count, pod_error *error)
{
    const size_t width = lengths->plan->input->width;
    pod_status status = POD_OK;
    size_t done = 0;
    for (; status == POD_OK && done < width; done += status == POD_OK) {
        if (!pod_input_component_is_static(&lengths->plan->input->components[done]))
            status = gather_sizes(lengths, elements, count, done, error);
        else
            for (size_t i = 0; i < count; i++)
                pod_input_parts_share(&elements[i * width + done], 1, &lengths->asked[i * width + done]);
    }
    for (size_t i = 0; status != POD_OK && i < count; i++)
        pod_input_parts_release(lengths->asked + i * width, done);
    return status;
}

static void take_last(pod_part *elements, size_t count, size_t width, int64_t *into)
{
    for (size_t i = 0; i < count; i++) {
        pod_part *element = elements + i * width;
        memcpy(&into[i], pod_input_part_data(&element[width - 1]), sizeof *into);
        pod_input_parts_release(&element[width - 1], 1);
        memmove(elements + i * (width - 1), element, (width - 1) * sizeof *element);
    }
}

pod_status pod_input_lengths_find(pod_lengths *lengths, pod_part *elements, size_t count, int64_t *into, size_t *found,
                                  pod_error *error)
{
    const pod_lengths_plan *plan = lengths->plan;
    *found = 0;
    if (plan->graph == NULL) {
        take_last(elements, count, plan->input->width, into);
        *found = count;
        return POD_OK;
    }
    pod_status status = gather(lengths, elements, count, error);
    if (status != POD_OK)
        return status;
    status = plan->mode == POD_RUN_ALONE ? pod_input_runner_run_element(&lengths->runner, lengths->asked, error)
                                         : pod_input_runner_run_block(&lengths->runner, lengths->asked, count,
                                                                      pod_input_runner_rows(count, plan->block), error);
    *found = status == POD_OK ? count : (size_t)lengths->runner.sound_rows;
    if (*found > 0)
        memcpy(into, pod_buffer_data(lengths->runner.results[0]), *found * sizeof *into);
    return status;
}
