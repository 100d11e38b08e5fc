#include "base/context.h"
#include "graph/build.h"
#include "graph/composites.h"
#include "graph/ops.h"

#include <stdio.h>

/* A copy of a graph that stops at the first op which makes Inf or NaN out of finite numbers. */

/* One copying. Both arrays go by the number of the original node. */
typedef struct checking {
    pod_graph *graph;
    const pod_graph *source;
    pod_node **mapped; /* the copies; where a copy is checked, its check */
    pod_node **finite; /* bool scalars: all elements are finite; NULL where not asked for yet */
    pod_node **inputs; /* room for the operands of one node */
} checking;

static pod_graph *checked_copy(const pod_graph *source, bool parameters, pod_error *error);

static bool is_float_value(const pod_node *node)
{
    return node->result_count == 1 && pod_dtype_is_float(node->results[0].dtype);
}

static pod_node *all_true(pod_graph *graph, pod_node *x)
{
    return pod_graph_reduce(graph, "reduce_and", x, NULL, false);
}

/* Whether all elements of a value are finite, as a node; NULL where they cannot be otherwise. */
static pod_node *is_finite(checking *c, const pod_node *node)
{
    if (!is_float_value(node))
        return NULL;
    pod_node **known = &c->finite[node->id];
    if (!*known)
        *known = all_true(c->graph, pod_graph_unary(c->graph, POD_OP_IS_FINITE, c->mapped[node->id]));
    return *known;
}

/* Ops that move data, and those whose bits may be anything: they make no Inf and no NaN. */
static bool only_moves(const pod_node *node)
{
    return pod_op_get(node->op)->flops == POD_FLOPS_FREE && node->op != POD_OP_RESULT;
}

/* The check of result `value` (a copy) of `maker`: it fails where the operands of `maker` are
 * finite and the value is not. */
static pod_node *add_check(checking *c, const pod_node *value, const pod_node *maker)
{
    pod_node *passes = is_finite(c, value);
    for (uint32_t i = 0; i < maker->input_count; i++) {
        pod_node *finite = is_finite(c, maker->inputs[i]);
        if (finite)
            passes = pod_graph_binary(c->graph, POD_OP_OR, passes, pod_graph_unary(c->graph, POD_OP_NOT, finite));
    }
    const char *name =
        maker->op == POD_OP_CALL && maker->attributes->name ? maker->attributes->name : pod_op_name(maker->op);
    char shape[POD_SHAPE_TEXT_SIZE], text[512];
    pod_shape_format(&value->results[0].shape, shape);
    snprintf(text, sizeof text, "%s%s%s%s made Inf or NaN out of finite numbers: %s %s", name,
             maker->scope ? " in '" : "", maker->scope ? maker->scope : "", maker->scope ? "'" : "",
             pod_dtype_name(value->results[0].dtype), shape);
    pod_attributes attributes = {.name = text};
    pod_graph_set_location(c->graph, maker->location);
    pod_graph_set_scope(c->graph, maker->scope);
    return pod_graph_apply(c->graph, POD_OP_CHECK, (pod_node *[]){c->mapped[value->id], passes}, 2, &attributes, NULL,
                           0);
}

/* The check of a parameter: no element is NaN. */
static pod_node *add_parameter_check(checking *c, const pod_node *node)
{
    pod_node *x = c->mapped[node->id];
    pod_node *passes = all_true(c->graph, pod_graph_compare(c->graph, POD_COMPARE_EQ, x, x));
    const char *name = node->attributes->name;
    char shape[POD_SHAPE_TEXT_SIZE], text[512];
    pod_shape_format(&node->results[0].shape, shape);
    snprintf(text, sizeof text, "%s%s%s holds NaN already: %s %s", name ? "'" : "an argument", name ? name : "",
             name ? "'" : "", pod_dtype_name(node->results[0].dtype), shape);
    pod_attributes attributes = {.name = text};
    return pod_graph_apply(c->graph, POD_OP_CHECK, (pod_node *[]){x, passes}, 2, &attributes, NULL, 0);
}

/* Returns whether region `index` of a node is checked inside. Bodies of composites are not: some go through
 * infinities on purpose, and kernels stand for them. */
static bool is_checked_inside(const pod_node *node, uint32_t index)
{
    if (node->op == POD_OP_CALL)
        return index == 0 && !pod_graph_composite_find(node->attributes->name);
    return node->op == POD_OP_COND || (node->op == POD_OP_WHILE && index == 1);
}

static bool has_region_to_check(const pod_node *node)
{
    for (uint32_t i = 0; i < node->region_count; i++)
        if (is_checked_inside(node, i))
            return true;
    return false;
}

/* Copies a node whose regions are checked inside. */
static pod_node *copy_with_regions(checking *c, const pod_node *node)
{
    pod_graph *regions[2];
    pod_error error = {0};
    for (uint32_t i = 0; i < node->region_count; i++) {
        regions[i] = is_checked_inside(node, i) ? checked_copy(node->regions[i], false, &error)
                                                : pod_graph_copy(node->regions[i], &error);
        if (regions[i])
            continue;
        while (i-- > 0)
            pod_graph_free(regions[i]);
        return pod_graph_fail_with(c->graph, &error);
    }
    pod_graph_set_location(c->graph, node->location);
    pod_graph_set_scope(c->graph, node->scope);
    return pod_graph_apply(c->graph, node->op, c->inputs, node->input_count, node->attributes, regions,
                           node->region_count);
}

static void copy_node(checking *c, const pod_node *node, bool parameters)
{
    for (uint32_t i = 0; i < node->input_count; i++)
        c->inputs[i] = c->mapped[node->inputs[i]->id];
    pod_node **copy = &c->mapped[node->id];
    *copy = has_region_to_check(node) ? copy_with_regions(c, node) : pod_graph_copy_node(c->graph, node, c->inputs);
    if (!is_float_value(node))
        return;
    if (node->op == POD_OP_PARAMETER)
        *copy = parameters ? add_parameter_check(c, node) : *copy;
    else if (node->op == POD_OP_RESULT)
        *copy = add_check(c, node, node->inputs[0]);
    else if (!only_moves(node))
        *copy = add_check(c, node, node);
}

static uint32_t most_inputs(const pod_graph *graph)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (most < graph->nodes[i]->input_count)
            most = graph->nodes[i]->input_count;
    return most;
}

static pod_graph *checked_copy(const pod_graph *source, bool parameters, pod_error *error)
{
    pod_graph *graph;
    if (pod_graph_new(source->context, source->name, &graph, error) != POD_OK)
        return NULL;
    size_t count = source->node_count;
    pod_node **room = pod_allocate_zeroed(source->context, 2 * count + most_inputs(source) + 1, sizeof *room);
    if (!room)
        pod_graph_fail(graph, POD_ERROR_MEMORY, "graph '%s' cannot be checked: there is no memory", source->name);
    checking c = {graph, source, room, room + count, room + 2 * count};
    for (size_t i = 0; i < count && room; i++)
        copy_node(&c, source->nodes[i], parameters);
    for (uint32_t i = 0; i < source->output_count && room; i++) {
        pod_graph_add_output(graph, c.mapped[source->outputs[i]->id]);
        if (source->aliases[i] >= 0)
            pod_graph_set_alias(graph, i, (size_t)source->aliases[i]);
    }
    pod_free(source->context, room);
    if (pod_graph_check(graph, error) == POD_OK)
        return graph;
    pod_graph_free(graph);
    return NULL;
}

pod_status pod_graph_check_numbers(const pod_graph *graph, bool parameters, pod_graph **checked, pod_error *error)
{
    pod_error own = {0};
    *checked = checked_copy(graph, parameters, &own);
    if (*checked)
        return POD_OK;
    if (error)
        *error = own;
    return own.status;
}
