#include "base/context.h"
#include "graph/node.h"

#include <assert.h>

/* Copies of nodes, bodies and whole graphs. */

/* Copies the regions of a node; false, with none left, when that fails. */
static bool copy_regions(pod_graph *graph, const pod_node *node, pod_region_copier copy, pod_graph **regions)
{
    pod_error error = {0};
    for (uint32_t i = 0; i < node->region_count; i++) {
        regions[i] = copy ? copy(node, i, &error) : pod_graph_copy(node->regions[i], &error);
        if (regions[i])
            continue;
        pod_graph_fail_with(graph, &error);
        while (i-- > 0)
            pod_graph_free(regions[i]);
        return false;
    }
    return true;
}

void pod_graph_set_place(pod_graph *graph, const char *location, const char *scope)
{
    pod_graph_set_location(graph, location);
    pod_graph_set_scope(graph, scope);
}

pod_node *pod_graph_copy_node_by(pod_graph *graph, const pod_node *node, pod_node *const *inputs,
                                 const pod_attributes *attributes, pod_region_copier copy)
{
    pod_graph *regions[2];
    const char *location = graph->location, *scope = graph->scope;
    pod_node *made = &graph->invalid;
    pod_graph_set_place(graph, node->location ? node->location : location, node->scope ? node->scope : scope);
    if (node->constant)
        made = pod_graph_constant_buffer(graph, node->constant);
    else if (copy_regions(graph, node, copy, regions))
        made = pod_graph_apply(graph, node->op, inputs, node->input_count, attributes, regions, node->region_count);
    pod_graph_set_place(graph, location, scope);
    return made;
}

pod_node *pod_graph_copy_node_with(pod_graph *graph, const pod_node *node, pod_node *const *inputs,
                                   const pod_attributes *attributes)
{
    return pod_graph_copy_node_by(graph, node, inputs, attributes, NULL);
}

pod_node *pod_graph_copy_node(pod_graph *graph, const pod_node *node, pod_node *const *inputs)
{
    return pod_graph_copy_node_by(graph, node, inputs, node->attributes, NULL);
}

/* ---- many nodes ------------------------------------------------------------------------------ */

static uint32_t most_inputs(const pod_graph *graph)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        if (most < graph->nodes[i]->input_count)
            most = graph->nodes[i]->input_count;
    }
    return most;
}

pod_node **pod_graph_copy_nodes(pod_graph *graph, const pod_graph *source, pod_node_copier copy, void *context)
{
    size_t room = (size_t)source->node_count + most_inputs(source);
    pod_node **mapped = pod_allocate_zeroed(graph->context, room, sizeof(*mapped));
    if (!mapped) {
        pod_graph_fail(graph, POD_ERROR_MEMORY,
                       "graph '%s' with %u nodes cannot be copied: there is "
                       "no memory",
                       source->name, source->node_count);
        return NULL;
    }
    pod_node **inputs = mapped + source->node_count;
    for (uint32_t i = 0; i < source->node_count; i++) {
        const pod_node *node = source->nodes[i];
        for (uint32_t j = 0; j < node->input_count; j++) {
            assert(node->inputs[j]->id < i && mapped[node->inputs[j]->id]); /* operands come first */
            inputs[j] = mapped[node->inputs[j]->id];
        }
        mapped[i] = copy(context, graph, node, inputs, mapped);
    }
    return mapped;
}

pod_graph *pod_graph_copy_by(const pod_graph *graph, pod_node_copier copy, void *context, pod_error *error)
{
    pod_graph *made;
    if (pod_graph_new(graph->context, graph->name, &made, error) != POD_OK)
        return NULL;
    pod_node **mapped = pod_graph_copy_nodes(made, graph, copy, context);
    for (uint32_t i = 0; i < graph->output_count && mapped; i++) {
        pod_graph_add_output(made, mapped[graph->outputs[i]->id]);
        if (graph->aliases[i] >= 0)
            pod_graph_set_alias(made, i, (size_t)graph->aliases[i]);
    }
    pod_free(graph->context, mapped);
    if (pod_graph_check(made, error) == POD_OK)
        return made;
    pod_graph_free(made);
    return NULL;
}

static pod_node *copy_as_it_is(void *context, pod_graph *graph, const pod_node *node, pod_node **inputs,
                               pod_node *const *mapped)
{
    (void)context, (void)mapped;
    return pod_graph_copy_node(graph, node, inputs);
}

pod_graph *pod_graph_copy(const pod_graph *graph, pod_error *error)
{
    return pod_graph_copy_by(graph, copy_as_it_is, NULL, error);
}

/* What parameters of a body become, and whether prints and checks become their operands. */
typedef struct pod_inlining {
    pod_node *const *arguments;
    bool pure;
} pod_inlining;

static pod_node *copy_inlined(void *context, pod_graph *graph, const pod_node *node, pod_node **inputs,
                              pod_node *const *mapped)
{
    const pod_inlining *into = context;
    (void)mapped;
    if (node->op == POD_OP_PARAMETER)
        return into->arguments[node->attributes->axis];
    if (into->pure && (node->op == POD_OP_PRINT || node->op == POD_OP_CHECK))
        return inputs[0];
    return pod_graph_copy_node(graph, node, inputs);
}

static void inline_nodes(pod_graph *graph, const pod_graph *source, pod_inlining into, pod_node **results)
{
    pod_node **mapped = pod_graph_copy_nodes(graph, source, copy_inlined, &into);
    for (uint32_t i = 0; i < source->output_count; i++)
        results[i] = mapped ? mapped[source->outputs[i]->id] : &graph->invalid;
    pod_free(graph->context, mapped);
}

void pod_graph_inline(pod_graph *graph, const pod_graph *source, pod_node *const *arguments, pod_node **results)
{
    inline_nodes(graph, source, (pod_inlining){arguments, false}, results);
}

void pod_graph_inline_pure(pod_graph *graph, const pod_graph *source, pod_node *const *arguments, pod_node **results)
{
    inline_nodes(graph, source, (pod_inlining){arguments, true}, results);
}
