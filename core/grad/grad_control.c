#include <string.h>

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

/* Puts a body into `graph`, without its effects, and writes the gradients of the arguments that are wanted; NULL where
 * nothing depends on one. Nodes from `first` on are walked. False after a failure, which is kept. */
static bool differentiate_body(pod_pullback *back, pod_graph *graph, uint32_t first, const pod_graph *body,
                               pod_node *const *arguments, pod_node *const *seeds, const bool *wanted,
                               pod_node **gradients)
{
    const uint32_t parameters = body->parameter_count;
    pod_node **results = pod_gradient_room(back, body->output_count, sizeof(*results));
    pod_node **sources = pod_gradient_room(back, 2 * (size_t)parameters, sizeof(*sources));
    pod_gradient_request request = {
        .graph = graph,
        .first = first,
        .targets = results,
        .seeds = seeds,
        .target_count = body->output_count,
        .sources = sources,
    };
    if (!results || !sources)
        return false;
    request.gradients = sources + parameters;
    pod_graph_inline_pure(graph, body, arguments, results);
    for (uint32_t i = 0; i < parameters; i++) {
        if (wanted[i])
            sources[request.source_count++] = arguments[i];
    }
    if (pod_graph_check(graph, back->error) != POD_OK || pod_gradient_walk(&request, back->error) != POD_OK)
        return false;
    size_t next = 0;
    for (uint32_t i = 0; i < parameters; i++) {
        if (wanted[i])
            gradients[i] = request.gradients[next++];
    }
    return true;
}

pod_graph *pod_gradient_of_body(pod_pullback *back, const pod_graph *body, const bool *given, const bool *wanted)
{
    pod_graph *graph;
    const uint32_t parameters = body->parameter_count;
    pod_node **values = pod_gradient_room(back, 2 * (size_t)parameters, sizeof(*values));
    pod_node **seeds = pod_gradient_room(back, body->output_count, sizeof(*seeds));
    if (!values || !seeds || pod_graph_new(body->context, body->name, &graph, back->error) != POD_OK)
        return NULL;
    pod_node **gradients = values + parameters;
    add_parameters(graph, body, given, values, seeds);
    bool done = differentiate_body(back, graph, 0, body, values, seeds, wanted, gradients);
    for (uint32_t i = 0; i < parameters && done; i++) {
        if (!wanted[i])
            continue;
        if (!gradients[i])
            gradients[i] = pod_graph_with_rows(graph, pod_graph_full_like(graph, values[i], 0), values[i]);
        pod_graph_add_output(graph, gradients[i]);
    }
    if (done && pod_graph_check(graph, back->error) == POD_OK)
        return graph;
    pod_graph_free(graph);
    return NULL;
}

/* ---- call ------------------------------------------------------------------------------------ */

/* Region 1 of a call is its gradient, written by the user: it is put here with the cotangents,
 * zeros for those that are none. */
static void call_custom(pod_pullback *back)
{
    const pod_node *node = back->node;
    uint32_t operands = node->input_count;
    pod_node **arguments = pod_gradient_room(back, (size_t)operands + node->result_count, sizeof(*arguments));
    if (!arguments)
        return;
    memcpy(arguments, node->inputs, operands * sizeof(*arguments));
    for (uint32_t i = 0; i < node->result_count; i++)
        arguments[operands + i] = pod_gradient_or_zero(back, i);
    pod_graph_inline(back->graph, node->regions[1], arguments, back->operands);
}

/* The body once more, and its gradient. A "remat" holds the copy apart from the first by barriers,
 * so that no pass makes one of them and keeps the values in between until now. */
static void call_inlined(pod_pullback *back)
{
    pod_graph *graph = back->graph;
    const pod_node *node = back->node;
    pod_node **arguments = pod_gradient_room(back, node->input_count, sizeof(*arguments));
    bool apart = node->attributes->name && strcmp(node->attributes->name, "remat") == 0;
    for (uint32_t i = 0; arguments && i < node->input_count; i++)
        arguments[i] = apart ? pod_graph_unary(graph, POD_OP_BARRIER, node->inputs[i]) : node->inputs[i];
    if (arguments)
        (void)differentiate_body(back, graph, graph->node_count, node->regions[0], arguments, back->cotangents,
                                 back->needed, back->operands);
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

void pod_gradient_call(pod_pullback *back)
{
    const pod_composite *composite = composite_of(back->node);
    if (back->node->region_count == 2)
        call_custom(back);
    else if (composite && composite->gradient)
        composite->gradient(back);
    else
        call_inlined(back);
}

/* ---- cond ------------------------------------------------------------------------------------ */

/* A cond whose branches are the gradients of the branches: takes the predicate, the operands and
 * the cotangents that there are; gives the cotangents of the operands that are needed. */
void pod_gradient_cond(pod_pullback *back)
{
    const pod_node *node = back->node;
    pod_graph *branches[2];
    size_t count = node->input_count, next = 0;
    pod_node **inputs = pod_gradient_room(back, count + node->result_count, sizeof(*inputs));
    bool *given = pod_gradient_room(back, node->result_count, sizeof(*given));
    if (!inputs || !given)
        return;
    memcpy(inputs, node->inputs, count * sizeof(*inputs));
    for (uint32_t i = 0; i < node->result_count; i++) {
        given[i] = back->cotangents[i] != NULL;
        if (given[i])
            inputs[count++] = back->cotangents[i];
    }
    branches[0] = pod_gradient_of_body(back, node->regions[0], given, back->needed + 1);
    branches[1] = branches[0] ? pod_gradient_of_body(back, node->regions[1], given, back->needed + 1) : NULL;
    if (!branches[1]) {
        pod_graph_free(branches[0]);
        return;
    }
    pod_node *gradient = pod_graph_apply(back->graph, POD_OP_COND, inputs, count, NULL, branches, 2);
    for (uint32_t i = 1; i < node->input_count; i++) {
        if (back->needed[i])
            back->operands[i] = pod_graph_result(back->graph, gradient, next++);
    }
}
