/* scan - applies a graph to a state and each element in turn. */

#include "input/runner.h"
#include "input/recipe.h"

#include <stdio.h>
#include <string.h>

typedef struct scan_dataset {
    pod_dataset base;
    pod_graph *graph;
    size_t state_count;
    pod_buffer *initial[POD_MAX_COMPONENTS];      /* shared */
    pod_component inputs[2 * POD_MAX_COMPONENTS]; /* of the graph: state, then element */
} scan_dataset;

typedef struct scan_stage {
    pod_stage base;
    pod_runner runner;
    pod_part *parts; /* state, then element: what the graph takes */
    pod_part *state; /* before the next element */
    bool has_state;
} scan_stage;

static const scan_dataset *scan_of(const pod_stage *stage)
{
    return (const scan_dataset *)stage->dataset;
}

static void begin(scan_stage *self)
{
    const scan_dataset *dataset = scan_of(&self->base);
    for (size_t i = 0; i < dataset->state_count; i++)
        self->state[i] = (pod_part){pod_buffer_retain(dataset->initial[i]), POD_WHOLE};
    self->has_state = true;
}

static pod_status scan_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    scan_stage *self = (scan_stage *)stage;
    const size_t states = scan_of(stage)->state_count;
    size_t got;
    (void)limit; /* one after the other */
    if (!self->has_state)
        begin(self);
    pod_status status = pod_input_stage_next(stage->inputs[0], self->parts + states, 1, &got, error);
    if (status != POD_OK)
        return status;
    memcpy(self->parts, self->state, states * sizeof *self->state);
    self->has_state = false;
    status = pod_input_runner_run_element(&self->runner, self->parts, error);
    if (status != POD_OK)
        return pod_input_stage_explain(stage, stage->inputs[0]->given - 1, status, error);
    for (size_t i = 0; i < states; i++)
        self->state[i] = pod_input_runner_take_result(&self->runner, i);
    self->has_state = true;
    for (size_t i = 0; i < stage->width; i++)
        parts[i] = pod_input_runner_take_result(&self->runner, states + i);
    *count = 1;
    return POD_OK;
}

static pod_status scan_open(pod_stage *stage, pod_error *error)
{
    scan_stage *self = (scan_stage *)stage;
    const scan_dataset *dataset = scan_of(stage);
    const size_t width = dataset->state_count + stage->inputs[0]->width;
    self->parts = pod_input_hold(&stage->holdings, width, sizeof *self->parts);
    self->state = pod_input_hold(&stage->holdings, dataset->state_count, sizeof *self->state);
    return pod_input_runner_open(&self->runner, stage->pass->context, dataset->graph, POD_RUN_ALONE, dataset->inputs,
                                 width, error);
}

static void scan_drop(pod_stage *stage)
{
    scan_stage *self = (scan_stage *)stage;
    if (self->has_state)
        pod_input_parts_release(self->state, scan_of(&self->base)->state_count);
    self->has_state = false;
}

static void scan_close(pod_stage *stage)
{
    pod_input_runner_close(&((scan_stage *)stage)->runner);
}

static void scan_free(pod_dataset *dataset)
{
    pod_input_buffers_drop(((scan_dataset *)dataset)->initial, ((scan_dataset *)dataset)->state_count);
}

static void scan_describe(const pod_dataset *dataset, char *text, size_t size)
{
    snprintf(text, size, "graph %016llx", (unsigned long long)pod_graph_hash(((const scan_dataset *)dataset)->graph));
}

static const pod_stage_class scan_class = {
    .name = "scan",
    .dataset_size = sizeof(scan_dataset),
    .iterator_size = sizeof(scan_stage),
    .free = scan_free,
    .open = scan_open,
    .describe = scan_describe,
    .next = scan_next,
    .drop = scan_drop,
    .close = scan_close,
};

/* Checks that the state that the graph gives is like the one it takes. */
static pod_status check_states(const pod_graph *graph, const pod_component *inputs, size_t states, pod_error *error)
{
    char before[POD_SHAPE_TEXT_SIZE], after[POD_SHAPE_TEXT_SIZE];
    if (pod_graph_output_count(graph) <= states)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "scan: the function must return a new state and a result");
    for (size_t i = 0; i < states; i++) {
        const pod_node *output = pod_graph_get_output(graph, i);
        if (pod_node_dtype(output, 0) != inputs[i].dtype ||
            !pod_shape_equal(pod_node_shape(output, 0), &inputs[i].shape))
            return pod_error_set(error, POD_ERROR_SHAPE, "scan: state %zu is %s %s before and %s %s after an element",
                                 i, pod_dtype_name(inputs[i].dtype), pod_shape_format(&inputs[i].shape, before),
                                 pod_dtype_name(pod_node_dtype(output, 0)),
                                 pod_shape_format(pod_node_shape(output, 0), after));
    }
    return POD_OK;
}

static pod_status new_scan(pod_dataset *input, pod_graph *graph, pod_buffer *const *states, size_t count,
                           const pod_component *inputs, pod_dataset **dataset, pod_error *error)
{
    pod_component components[POD_MAX_COMPONENTS];
    const size_t outputs = pod_graph_output_count(graph) - count;
    for (size_t i = 0; i < outputs; i++) {
        const pod_node *output = pod_graph_get_output(graph, count + i);
        components[i] = (pod_component){.dtype = pod_node_dtype(output, 0), .shape = *pod_node_shape(output, 0)};
    }
    const pod_status status =
        pod_dataset_new(input->context, &scan_class, &input, 1, components, outputs, dataset, error);
    if (status != POD_OK)
        return status;
    scan_dataset *made = (scan_dataset *)*dataset;
    made->graph = graph;
    made->state_count = count;
    memcpy(made->inputs, inputs, (count + input->width) * sizeof *inputs);
    for (size_t i = 0; i < count; i++)
        made->initial[i] = pod_buffer_retain(states[i]);
    return POD_OK;
}

pod_status pod_dataset_scan(pod_dataset *input, pod_graph *graph, pod_buffer *const *states, size_t count,
                            pod_dataset **dataset, pod_error *error)
{
    pod_component inputs[2 * POD_MAX_COMPONENTS];
    pod_status status = POD_OK;
    *dataset = NULL;
    if (count > POD_MAX_COMPONENTS)
        status = pod_error_set(error, POD_ERROR_ARGUMENT, "scan: a state of more than %d arrays", POD_MAX_COMPONENTS);
    for (size_t i = 0; status == POD_OK && i < count; i++)
        inputs[i] = (pod_component){.dtype = pod_buffer_dtype(states[i]), .shape = *pod_buffer_shape(states[i])};
    if (status == POD_OK) {
        memcpy(inputs + count, input->components, input->width * sizeof *inputs);
        status = pod_input_runner_check_graph(graph, inputs, count + input->width, false, "scan", error);
    }
    if (status == POD_OK)
        status = check_states(graph, inputs, count, error);
    if (status == POD_OK)
        status = new_scan(input, graph, states, count, inputs, dataset, error);
    return pod_dataset_own(dataset, pod_input_runner_owned(graph), status);
}

pod_status pod_input_scan_recipe(pod_recipe *recipe, pod_dataset **made)
{
    const scan_dataset *from = (const scan_dataset *)recipe->from;
    size_t count = from != NULL ? from->state_count : 0;
    pod_buffer *states[POD_MAX_COMPONENTS] = {0};
    pod_graph *graph;
    pod_status status = POD_OK;
    if (from != NULL)
        memcpy(states, from->initial, count * sizeof states[0]);
    pod_input_recipe_count(recipe, &count, POD_MAX_COMPONENTS);
    pod_input_recipe_buffers(recipe, states, count);
    pod_input_recipe_graph(recipe, from != NULL ? from->graph : NULL, &graph);
    if (pod_input_recipe_is_read(recipe))
        status = pod_dataset_scan(recipe->inputs[0], graph, states, count, made, recipe->error);
    if (from == NULL)
        pod_input_buffers_drop(states, count);
    return status;
}
