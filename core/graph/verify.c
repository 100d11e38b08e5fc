#include <string.h>

#include "base/context.h"
#include "graph/infer.h"

/* Checks a finished graph again, without trust in what built it. */

static pod_status fail(const pod_graph *graph, const pod_node *node, const char *what, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_STATE, "graph '%s' is broken: node %%%u (%s) %s", graph->name, node->id,
                         pod_op_name(node->op), what);
}

static pod_status check_order(const pod_graph *graph, uint32_t id, pod_error *error)
{
    const pod_node *node = graph->nodes[id];
    if (node->graph != graph || node->op < 0 || node->op >= POD_OP_COUNT)
        return pod_error_set(error, POD_ERROR_STATE, "graph '%s' is broken: node %u is not a node of it", graph->name,
                             id);
    if (node->id != id)
        return fail(graph, node, "does not stand at its number", error);
    for (uint32_t i = 0; i < node->input_count; i++) {
        const pod_node *input = node->inputs[i];
        if (!input || input->graph != graph || input->id >= id || graph->nodes[input->id] != input)
            return fail(graph, node, "has an operand that does not come before it", error);
    }
    return POD_OK;
}

/* Infers the types anew and compares. */
static pod_status check_types(const pod_graph *graph, const pod_node *node, pod_type *results, pod_error *error)
{
    pod_attributes attributes = *node->attributes;
    pod_infer call = {
        .graph = graph,
        .op = node->op,
        .inputs = node->inputs,
        .input_count = node->input_count,
        .attributes = &attributes,
        .regions = node->regions,
        .region_count = node->region_count,
        .results = results,
        .location = node->location,
        .error = error,
    };
    if (!pod_infer_count(&call))
        return error->status;
    if (call.result_count != node->result_count)
        return fail(graph, node, "has another number of results than its op gives", error);
    if (!pod_infer_run(&call))
        return error->status;
    for (uint32_t i = 0; i < node->result_count; i++) {
        if (!pod_graph_type_equal(&results[i], &node->results[i]))
            return fail(graph, node, "has another type than its op gives", error);
    }
    return POD_OK;
}

static pod_status check_node(const pod_graph *graph, uint32_t id, pod_type *results, pod_error *error)
{
    const pod_node *node = graph->nodes[id];
    pod_status status = check_order(graph, id, error);
    for (uint32_t i = 0; status == POD_OK && i < node->region_count; i++)
        status = pod_graph_verify(node->regions[i], error);
    if (status == POD_OK)
        status = check_types(graph, node, results, error);
    if (status != POD_OK || node->op != POD_OP_PARAMETER)
        return status;
    int32_t number = node->attributes->axis;
    if (number < 0 || (uint32_t)number >= graph->parameter_count || graph->parameters[number] != node)
        return fail(graph, node, "is not the parameter that its number says", error);
    return POD_OK;
}

static pod_status check_output(const pod_graph *graph, uint32_t index, pod_error *error)
{
    const pod_node *node = graph->outputs[index];
    int64_t alias = graph->aliases[index];
    if (!node || node->graph != graph || node->id >= graph->node_count || graph->nodes[node->id] != node ||
        node->result_count != 1)
        return pod_error_set(error, POD_ERROR_STATE, "graph '%s' is broken: output %u is not a value of it",
                             graph->name, index);
    if (alias < 0)
        return POD_OK;
    if (alias >= graph->parameter_count ||
        !pod_graph_type_equal(&node->results[0], &graph->parameters[alias]->results[0]))
        return fail(graph, node, "is an alias of a parameter of another type", error);
    return POD_OK;
}

static size_t most_results(const pod_graph *graph)
{
    size_t most = 1;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        if (most < graph->nodes[i]->result_count)
            most = graph->nodes[i]->result_count;
    }
    return most;
}

pod_status pod_graph_verify(const pod_graph *graph, pod_error *error)
{
    pod_error own;
    if (!error)
        error = &own;
    pod_status status = pod_graph_check(graph, error);
    if (status != POD_OK)
        return status;
    size_t room = most_results(graph);
    pod_type *results = pod_allocate_zeroed(graph->context, room, sizeof(*results));
    if (!results)
        return pod_error_memory(error, "verifying a graph", room * sizeof(*results));
    for (uint32_t i = 0; i < graph->node_count && status == POD_OK; i++)
        status = check_node(graph, i, results, error);
    for (uint32_t i = 0; i < graph->output_count && status == POD_OK; i++)
        status = check_output(graph, i, error);
    pod_free(graph->context, results);
    return status;
}
