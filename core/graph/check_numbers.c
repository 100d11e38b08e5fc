#include "base/context.h"
#include "base/error.h"
#include "graph/build.h"
#include "graph/composites.h"
#include "graph/ops.h"

#include <stdio.h>

/* A copy of a graph that stops at the first op which makes Inf or NaN out of finite numbers. */

/* One copying. Both arrays go by the number of the original node. */
typedef struct checking {
    pod_graph *graph;
    pod_node *const *mapped; /* the copies; where a copy is checked, its check */
    pod_node **finite;       /* bool scalars: all elements are finite; NULL where not asked for yet */
    bool parameters;         /* are checked, too */
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
static pod_node *is_finite(checking *c, const pod_node *node, pod_node *copy)
{
    if (!is_float_value(node))
        return NULL;
    pod_node **known = &c->finite[node->id];
    if (!*known)
        *known = all_true(c->graph, pod_graph_unary(c->graph, POD_OP_IS_FINITE, copy));
    return *known;
}

/* Ops that move data, and those whose bits may be anything: they make no Inf and no NaN. */
static bool only_moves(const pod_node *node)
{
    return pod_op_get(node->op)->flops == POD_FLOPS_FREE && node->op != POD_OP_RESULT;
}

/* The check of the copy of `value`, a result of `maker`: it fails where the operands of `maker` are
 * finite and the value is not. */
static pod_node *add_check(checking *c, pod_node *copy, const pod_node *value, const pod_node *maker)
{
    pod_node *passes = is_finite(c, value, copy);
    for (uint32_t i = 0; i < maker->input_count; i++) {
        pod_node *finite = is_finite(c, maker->inputs[i], c->mapped[maker->inputs[i]->id]);
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
    pod_graph_set_place(c->graph, maker->location, maker->scope);
    return pod_graph_apply(c->graph, POD_OP_CHECK, (pod_node *[]){copy, passes}, 2, &attributes, NULL, 0);
}

/* The check of a parameter: no element is NaN. */
static pod_node *add_parameter_check(checking *c, pod_node *x, const pod_node *node)
{
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

static pod_graph *copy_region(const pod_node *node, uint32_t index, pod_error *error)
{
    return is_checked_inside(node, index) ? checked_copy(node->regions[index], false, error)
                                          : pod_graph_copy(node->regions[index], error);
}

static pod_node *copy_node(void *context, pod_graph *graph, const pod_node *node, pod_node **inputs,
                           pod_node *const *mapped)
{
    checking *c = context;
    c->graph = graph;
    c->mapped = mapped;
    pod_node *copy = pod_graph_copy_node_by(graph, node, inputs, node->attributes, copy_region);
    if (!is_float_value(node))
        return copy;
    if (node->op == POD_OP_PARAMETER)
        return c->parameters ? add_parameter_check(c, copy, node) : copy;
    if (node->op == POD_OP_RESULT)
        return add_check(c, copy, node, node->inputs[0]);
    return only_moves(node) ? copy : add_check(c, copy, node, node);
}

static pod_graph *checked_copy(const pod_graph *source, bool parameters, pod_error *error)
{
    checking c = {.parameters = parameters};
    c.finite = pod_allocate_zeroed(source->context, (size_t)source->node_count + 1, sizeof(*c.finite));
    pod_graph *made = NULL;
    if (c.finite)
        made = pod_graph_copy_by(source, copy_node, &c, error);
    else
        pod_error_set(error, POD_ERROR_MEMORY, "graph '%s' cannot be checked: there is no memory", source->name);
    pod_free(source->context, c.finite);
    return made;
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
