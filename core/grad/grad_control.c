#include <string.h>

#include "base/context.h"
#include "grad/gradient.h"

/* call and cond: bodies are computed again where their gradient is, and differentiated there. */

/* ---- bodies ---------------------------------------------------------------------------------- */

/* Adds the parameters of `body` to `graph`, then one for each given output. Writes the former into
 * `values`, the latter into `seeds` (NULL where not given). */
static void add_parameters(pod_graph *graph, const pod_graph *body, const bool *given, pod_node **values,
                           pod_node **seeds)
{
    for (uint32_t i = 0; i < body->parameter_count; i++) {
        const pod_type *type = pod_node_type(body->parameters[i]);
        values[i] = pod_graph_parameter(graph, type->dtype, &type->shape, NULL);
    }
    for (uint32_t i = 0; i < body->output_count; i++) {
        const pod_type *type = pod_node_type(body->outputs[i]);
        seeds[i] = given[i] ? pod_graph_parameter(graph, type->dtype, &type->shape, NULL) : NULL;
    }
}

/* Writes the graph of pod_gradient_of_body(); `room` holds pointers enough. */
static pod_status write_gradient(pod_graph *graph, const pod_graph *body, const bool *given, const bool *wanted,
                                 pod_node **room, pod_error *error)
{
    uint32_t parameters = body->parameter_count, outputs = body->output_count;
    pod_node **values = room, **seeds = values + parameters, **results = seeds + outputs;
    pod_node **sources = results + outputs, **gradients = sources + parameters;
    add_parameters(graph, body, given, values, seeds);
    pod_graph_inline_pure(graph, body, values, results);
    pod_status status = pod_graph_check(graph, error);
    if (status != POD_OK)
        return status;
    pod_gradient_request request = {
        .graph = graph,
        .targets = results,
        .seeds = seeds,
        .target_count = outputs,
        .sources = sources,
        .gradients = gradients,
    };
    for (uint32_t i = 0; i < parameters; i++) {
        if (wanted[i])
            sources[request.source_count++] = values[i];
    }
    status = pod_gradient_walk(&request, error);
    for (size_t i = 0; i < request.source_count && status == POD_OK; i++)
        pod_graph_add_output(
            graph, gradients[i] ? gradients[i]
                                : pod_graph_with_rows(graph, pod_graph_full_like(graph, sources[i], 0), sources[i]));
    return status == POD_OK ? pod_graph_check(graph, error) : status;
}

pod_graph *pod_gradient_of_body(const pod_graph *body, const bool *given, const bool *wanted, pod_error *error)
{
    pod_graph *graph;
    size_t pointers = 3 * (size_t)body->parameter_count + 2 * (size_t)body->output_count;
    if (pod_graph_new(body->context, body->name, &graph, error) != POD_OK)
        return NULL;
    pod_status status;
    pod_node **room = pod_allocate_zeroed(body->context, pointers, sizeof(*room));
    if (room)
        status = write_gradient(graph, body, given, wanted, room, error);
    else
        status = pod_error_memory(error, "a gradient", pointers * sizeof(*room));
    pod_free(body->context, room);
    if (status == POD_OK)
        return graph;
    pod_graph_free(graph);
    return NULL;
}

/* ---- call ------------------------------------------------------------------------------------ */

/* Region 1 of a call is its gradient, written by the user: it is put here with the cotangents,
 * zeros for those that are none. */
static pod_status call_custom(pod_pullback *back, pod_error *error)
{
    pod_graph *graph = back->graph;
    const pod_node *node = back->node;
    uint32_t operands = node->input_count;
    size_t count = (size_t)operands + node->result_count;
    pod_node **arguments = pod_allocate_zeroed(graph->context, count, sizeof(*arguments));
    if (!arguments)
        return pod_error_memory(error, "a gradient", count * sizeof(*arguments));
    memcpy(arguments, node->inputs, operands * sizeof(*arguments));
    for (uint32_t i = 0; i < node->result_count; i++) {
        const pod_type *type = &node->results[i];
        arguments[operands + i] =
            back->cotangents[i] ? back->cotangents[i] : pod_graph_scalar(graph, type->dtype, 0, &type->shape);
    }
    pod_graph_inline(graph, node->regions[1], arguments, back->operands);
    pod_free(graph->context, arguments);
    return POD_OK;
}

/* The body once more, and its gradient. A "remat" holds the copy apart from the first by barriers,
 * so that no pass makes one of them and keeps the values in between until now. */
static pod_status call_inlined(pod_pullback *back, pod_node **room, pod_error *error)
{
    pod_graph *graph = back->graph;
    const pod_node *node = back->node;
    uint32_t operands = node->input_count;
    pod_node **arguments = room, **sources = arguments + operands;
    pod_node **gradients = sources + operands, **results = gradients + operands;
    bool apart = node->attributes->name && strcmp(node->attributes->name, "remat") == 0;
    for (uint32_t i = 0; i < operands; i++)
        arguments[i] = apart ? pod_graph_unary(graph, POD_OP_BARRIER, node->inputs[i]) : node->inputs[i];
    pod_gradient_request request = {
        .graph = graph,
        .first = graph->node_count,
        .targets = results,
        .seeds = back->cotangents,
        .target_count = node->result_count,
        .sources = sources,
        .gradients = gradients,
    };
    pod_graph_inline_pure(graph, node->regions[0], arguments, results);
    pod_status status = pod_graph_check(graph, error);
    for (uint32_t i = 0; i < operands; i++) {
        if (back->needed[i])
            sources[request.source_count++] = arguments[i];
    }
    if (status == POD_OK)
        status = pod_gradient_walk(&request, error);
    size_t next = 0;
    for (uint32_t i = 0; i < operands && status == POD_OK; i++) {
        if (back->needed[i])
            back->operands[i] = gradients[next++];
    }
    return status;
}

/* The composite that a call is by its name; NULL for other calls, also for those that only have the
 * name. */
static const pod_composite *composite_of(const pod_node *node)
{
    const pod_composite *composite = pod_graph_composite_find(node->attributes->name);
    bool fits = composite && node->result_count == 1 && node->input_count >= composite->fewest &&
                node->input_count <= composite->most;
    return fits ? composite : NULL;
}

pod_status pod_gradient_call(pod_pullback *back, pod_error *error)
{
    pod_node *node = back->node;
    const pod_composite *composite = composite_of(node);
    if (node->region_count == 2)
        return call_custom(back, error);
    if (composite && composite->gradient)
        return composite->gradient(back, error);
    size_t count = 3 * (size_t)node->input_count + node->result_count;
    pod_node **room = pod_allocate_zeroed(back->graph->context, count, sizeof(*room));
    if (!room)
        return pod_error_memory(error, "a gradient", count * sizeof(*room));
    pod_status status = call_inlined(back, room, error);
    pod_free(back->graph->context, room);
    return status;
}

/* ---- cond ------------------------------------------------------------------------------------ */

/* A cond whose branches are the gradients of the branches: takes the predicate, the operands and
 * the cotangents that there are; gives the cotangents of the operands that are needed. */
static pod_status cond_gradient(pod_pullback *back, bool *given, pod_node **inputs, pod_error *error)
{
    pod_graph *graph = back->graph, *branches[2];
    const pod_node *node = back->node;
    size_t count = node->input_count;
    memcpy(inputs, node->inputs, count * sizeof(*inputs));
    for (uint32_t i = 0; i < node->result_count; i++) {
        given[i] = back->cotangents[i] != NULL;
        if (given[i])
            inputs[count++] = back->cotangents[i];
    }
    branches[0] = pod_gradient_of_body(node->regions[0], given, back->needed + 1, error);
    if (!branches[0])
        return error->status;
    branches[1] = pod_gradient_of_body(node->regions[1], given, back->needed + 1, error);
    if (!branches[1]) {
        pod_graph_free(branches[0]);
        return error->status;
    }
    pod_node *gradient = pod_graph_apply(graph, POD_OP_COND, inputs, count, NULL, branches, 2);
    size_t next = 0;
    for (uint32_t i = 1; i < node->input_count; i++) {
        if (back->needed[i])
            back->operands[i] = pod_graph_result(graph, gradient, next++);
    }
    return POD_OK;
}

pod_status pod_gradient_cond(pod_pullback *back, pod_error *error)
{
    const pod_node *node = back->node;
    pod_error own = {0};
    size_t pointers = (size_t)node->input_count + node->result_count;
    pod_node **inputs = pod_allocate_zeroed(back->graph->context, pointers + node->result_count, sizeof(*inputs));
    if (!inputs)
        return pod_error_memory(error, "a gradient", pointers * sizeof(*inputs));
    pod_status status = cond_gradient(back, (bool *)(inputs + pointers), inputs, &own);
    pod_free(back->graph->context, inputs);
    return status == POD_OK ? POD_OK : pod_error_set(error, status, "%s", own.message);
}
