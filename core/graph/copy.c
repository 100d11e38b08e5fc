#include "base/context.h"
#include "graph/node.h"

#include <assert.h>

/* Copies of nodes, bodies and whole graphs. */

/* Copies the regions of a node; false, with none left, when that fails. */
static bool copy_regions(pod_graph *graph, const pod_node *node, pod_graph **regions)
{
    pod_error error = {0};
    for (uint32_t i = 0; i < node->region_count; i++) {
        regions[i] = pod_graph_copy(node->regions[i], &error);
        if (regions[i])
            continue;
        pod_graph_fail_with(graph, &error);
        while (i-- > 0)
            pod_graph_free(regions[i]);
        return false;
    }
    return true;
}

/* The place of the copied node, for as long as it is being made. */
static void set_place(pod_graph *graph, const char *location, const char *scope)
{
    pod_graph_set_location(graph, location);
    pod_graph_set_scope(graph, scope);
}

pod_node *pod_graph_copy_node_with(pod_graph *graph, const pod_node *node, pod_node *const *inputs,
                                   const pod_attributes *attributes)
{
    pod_graph *regions[2];
    const char *location = graph->location, *scope = graph->scope;
    pod_node *copy = &graph->invalid;
    set_place(graph, node->location ? node->location : location, node->scope ? node->scope : scope);
    if (!attributes)
        attributes = node->attributes;
    if (node->constant)
        copy = pod_graph_constant_buffer(graph, node->constant);
    else if (copy_regions(graph, node, regions))
        copy = pod_graph_apply(graph, node->op, inputs, node->input_count, attributes, regions, node->region_count);
    set_place(graph, location, scope);
    return copy;
}

pod_node *pod_graph_copy_node(pod_graph *graph, const pod_node *node, pod_node *const *inputs)
{
    return pod_graph_copy_node_with(graph, node, inputs, NULL);
}

/* ---- many nodes ------------------------------------------------------------------------------ */

/* Copies the node with operands mapped[id of operand]. `inputs` has room for the most operands. */
static pod_node *copy_mapped(pod_graph *graph, const pod_node *node, pod_node *const *mapped, pod_node **inputs)
{
    for (uint32_t i = 0; i < node->input_count; i++) {
        assert(node->inputs[i]->id < node->id && mapped[node->inputs[i]->id]); /* operands come first */
        inputs[i] = mapped[node->inputs[i]->id];
    }
    return pod_graph_copy_node(graph, node, inputs);
}

static uint32_t most_inputs(const pod_graph *graph)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        if (most < graph->nodes[i]->input_count)
            most = graph->nodes[i]->input_count;
    }
    return most;
}

static bool is_effect(pod_op op)
{
    return op == POD_OP_PRINT || op == POD_OP_CHECK;
}

/* Copies all nodes; parameter i becomes arguments[i], or a parameter where arguments is NULL. With
 * `pure`, prints and checks become their operands. Returns the copies by the number of the
 * original, to be freed; NULL when there is no memory. */
static pod_node **copy_nodes(pod_graph *graph, const pod_graph *source, pod_node *const *arguments, bool pure)
{
    size_t room = (size_t)source->node_count + most_inputs(source);
    pod_node **mapped = pod_allocate_zeroed(graph->context, room, sizeof(*mapped));
    if (!mapped)
        return NULL;
    for (uint32_t i = 0; i < source->node_count; i++) {
        const pod_node *node = source->nodes[i];
        if (node->op == POD_OP_PARAMETER && arguments)
            mapped[i] = arguments[node->attributes->axis];
        else if (pure && is_effect(node->op))
            mapped[i] = mapped[node->inputs[0]->id];
        else
            mapped[i] = copy_mapped(graph, node, mapped, mapped + source->node_count);
    }
    return mapped;
}

static void fail_copy(pod_graph *graph, const pod_graph *source)
{
    pod_graph_fail(graph, POD_ERROR_MEMORY,
                   "graph '%s' with %u nodes cannot be copied: there is "
                   "no memory",
                   source->name, source->node_count);
}

static void inline_nodes(pod_graph *graph, const pod_graph *source, pod_node *const *arguments, pod_node **results,
                         bool pure)
{
    pod_node **mapped = copy_nodes(graph, source, arguments, pure);
    if (!mapped)
        fail_copy(graph, source);
    for (uint32_t i = 0; i < source->output_count; i++)
        results[i] = mapped ? mapped[source->outputs[i]->id] : &graph->invalid;
    pod_free(graph->context, mapped);
}

void pod_graph_inline(pod_graph *graph, const pod_graph *source, pod_node *const *arguments, pod_node **results)
{
    inline_nodes(graph, source, arguments, results, false);
}

void pod_graph_inline_pure(pod_graph *graph, const pod_graph *source, pod_node *const *arguments, pod_node **results)
{
    inline_nodes(graph, source, arguments, results, true);
}

pod_graph *pod_graph_copy(const pod_graph *graph, pod_error *error)
{
    pod_graph *copy;
    if (pod_graph_new(graph->context, graph->name, &copy, error) != POD_OK)
        return NULL;
    pod_node **mapped = copy_nodes(copy, graph, NULL, false);
    if (!mapped)
        fail_copy(copy, graph);
    for (uint32_t i = 0; i < graph->output_count && mapped; i++) {
        pod_graph_add_output(copy, mapped[graph->outputs[i]->id]);
        if (graph->aliases[i] >= 0)
            pod_graph_set_alias(copy, i, (size_t)graph->aliases[i]);
    }
    pod_free(graph->context, mapped);
    if (pod_graph_check(copy, error) == POD_OK)
        return copy;
    pod_graph_free(copy);
    return NULL;
}
