#include "grad/gradient.h"

/* Collectives. What is differentiated is the sum of all replicas' targets, so the cotangent of a
 * value that went to all replicas is the sum of what all of them hand back. */

static pod_node *all_reduce(pod_graph *graph, pod_node *x, pod_reduction reduction)
{
    pod_attributes attributes = {.reduction = reduction};
    return pod_graph_apply(graph, POD_OP_ALL_REDUCE, &x, 1, &attributes, NULL, 0);
}

/* Replicas whose element is the extreme share what all hand back. */
static pod_node *share_of_extreme(pod_pullback *back)
{
    pod_graph *graph = back->graph;
    pod_node *x = back->node->inputs[0];
    pod_node *mask = pod_gradient_equal_mask(graph, x, back->node);
    pod_node *total = all_reduce(graph, back->cotangents[0], POD_REDUCE_SUM);
    pod_node *count = all_reduce(graph, mask, POD_REDUCE_SUM);
    return pod_graph_multiply(graph, mask, pod_graph_divide(graph, total, count));
}

/* What ranks have made together is one value for all: no rank has a part of it whose gradient could be asked for. */
static bool refuses_ranks(pod_pullback *back)
{
    if (back->node->attributes->flag)
        pod_gradient_refuse(back, "of what ranks have exchanged it is not there; take it within strategy:run");
    return back->node->attributes->flag;
}

void pod_gradient_all_reduce(pod_pullback *back)
{
    if (refuses_ranks(back))
        return;
    pod_reduction reduction = back->node->attributes->reduction;
    if (reduction == POD_REDUCE_PRODUCT)
        pod_gradient_refuse(back, "of a product it is not there; all_reduce the logarithms with sum");
    else if (reduction == POD_REDUCE_SUM || reduction == POD_REDUCE_MEAN)
        back->operands[0] = all_reduce(back->graph, back->cotangents[0], reduction);
    else
        back->operands[0] = share_of_extreme(back);
}

/* reduce_scatter and all_gather are each other's cotangent. */
void pod_gradient_gather_or_scatter(pod_pullback *back)
{
    if (refuses_ranks(back))
        return;
    pod_op other = back->node->op == POD_OP_ALL_GATHER ? POD_OP_REDUCE_SCATTER : POD_OP_ALL_GATHER;
    pod_attributes attributes = {.axis = back->node->attributes->axis, .count = back->node->attributes->count};
    back->operands[0] = pod_graph_apply(back->graph, other, back->cotangents, 1, &attributes, NULL, 0);
}

void pod_gradient_all_to_all(pod_pullback *back)
{
    const pod_attributes *forth = back->node->attributes;
    pod_attributes attributes = {.axis = forth->axes.axes[0], .count = forth->count};
    attributes.axes = (pod_axes){.count = 1, .axes = {forth->axis}};
    back->operands[0] = pod_graph_apply(back->graph, POD_OP_ALL_TO_ALL, back->cotangents, 1, &attributes, NULL, 0);
}

/* Each pair the other way round. */
void pod_gradient_collective_permute(pod_pullback *back)
{
    const pod_attributes *forth = back->node->attributes;
    size_t count = (size_t)forth->count;
    const int32_t *pairs = forth->data;
    int32_t *turned = pod_gradient_room(back, 2 * count, sizeof(*turned));
    if (!turned)
        return;
    for (size_t i = 0; i < count; i++) {
        turned[2 * i] = pairs[2 * i + 1];
        turned[2 * i + 1] = pairs[2 * i];
    }
    pod_attributes attributes = {.count = forth->count, .data = turned};
    back->operands[0] =
        pod_graph_apply(back->graph, POD_OP_COLLECTIVE_PERMUTE, back->cotangents, 1, &attributes, NULL, 0);
}
