#include <string.h>

#include "grad/gradient.h"

/* Ops that move data: each hands g back to where the elements came from. */

static const pod_shape *operand_shape(const pod_pullback *back, size_t index)
{
    return &back->node->inputs[index]->results[0].shape;
}

void pod_gradient_reshape(pod_pullback *back)
{
    back->operands[0] = pod_graph_reshape(back->graph, back->cotangents[0], operand_shape(back, 0));
}

void pod_gradient_transpose(pod_pullback *back)
{
    back->operands[0] = pod_graph_untranspose(back->graph, back->cotangents[0], &back->node->attributes->axes);
}

/* Sums over the axes that were added or repeated. */
void pod_gradient_broadcast(pod_pullback *back)
{
    const pod_axes *axes = &back->node->attributes->axes;
    const pod_shape *from = operand_shape(back, 0), *to = &back->node->results[0].shape;
    pod_axes kept = {0};
    for (int32_t i = 0; i < axes->count; i++) {
        if (from->dims[i] == to->dims[axes->axes[i]])
            kept.axes[kept.count++] = axes->axes[i];
    }
    pod_axes summed = pod_graph_axes_others(&kept, to->rank);
    pod_node *sum = pod_graph_sum_axes(back->graph, back->cotangents[0], &summed, POD_DTYPE_NONE);
    back->operands[0] = pod_graph_reshape(back->graph, sum, from);
}

/* ---- slice and pad are each other's inverse -------------------------------------------------- */

static pod_node *pad_with_zero(pod_graph *graph, pod_node *x, const pod_attributes *attributes)
{
    pod_node *zero = pod_graph_number_like(graph, x, 0);
    return pod_graph_apply(graph, POD_OP_PAD, (pod_node *[]){x, zero}, 2, attributes, NULL, 0);
}

void pod_gradient_slice(pod_pullback *back)
{
    const pod_attributes *cut = back->node->attributes;
    const pod_shape *from = operand_shape(back, 0), *to = &back->node->results[0].shape;
    pod_attributes padding = {0};
    for (int32_t i = 0; i < from->rank; i++) {
        int64_t reach = to->dims[i] > 0 ? (to->dims[i] - 1) * cut->step[i] + 1 : 0;
        padding.low[i] = cut->low[i];
        padding.high[i] = from->dims[i] - cut->low[i] - reach;
        padding.step[i] = cut->step[i] - 1;
    }
    back->operands[0] = pad_with_zero(back->graph, back->cotangents[0], &padding);
}

/* The elements of g that came from x. Negative padding cut some of x off: they get 0. */
static pod_node *unpad(pod_pullback *back)
{
    const pod_attributes *padding = back->node->attributes;
    const pod_shape *shape = operand_shape(back, 0);
    pod_attributes undo = {0}, pick = {0};
    for (int32_t i = 0; i < shape->rank; i++) {
        int64_t step = padding->step[i] + 1;
        undo.low[i] = -padding->low[i];
        undo.high[i] = -padding->high[i];
        pick.high[i] = shape->dims[i] > 0 ? (shape->dims[i] - 1) * step + 1 : 0;
        pick.step[i] = step;
    }
    pod_node *g = pad_with_zero(back->graph, back->cotangents[0], &undo);
    return pod_graph_apply(back->graph, POD_OP_SLICE, &g, 1, &pick, NULL, 0);
}

static pod_node *sum_all(pod_graph *graph, pod_node *x)
{
    return pod_graph_reduce(graph, "reduce_sum", x, NULL, false);
}

void pod_gradient_pad(pod_pullback *back)
{
    pod_graph *graph = back->graph;
    pod_node *inside = unpad(back);
    back->operands[0] = inside;
    if (back->needed[1]) /* what does not go to x went to the padding */
        back->operands[1] = pod_graph_subtract(graph, sum_all(graph, back->cotangents[0]), sum_all(graph, inside));
}

void pod_gradient_concatenate(pod_pullback *back)
{
    int32_t axis = back->node->attributes->axis;
    const pod_shape *whole = &back->node->results[0].shape;
    pod_attributes cut = {0};
    memcpy(cut.high, whole->dims, sizeof(whole->dims));
    for (uint32_t i = 0; i < back->node->input_count; i++) {
        cut.high[axis] = cut.low[axis] + operand_shape(back, i)->dims[axis];
        if (back->needed[i])
            back->operands[i] = pod_graph_apply(back->graph, POD_OP_SLICE, back->cotangents, 1, &cut, NULL, 0);
        cut.low[axis] = cut.high[axis];
    }
}

void pod_gradient_reverse(pod_pullback *back)
{
    back->operands[0] =
        pod_graph_apply(back->graph, POD_OP_REVERSE, back->cotangents, 1, back->node->attributes, NULL, 0);
}

/* ---- dynamic slices -------------------------------------------------------------------------- */

/* Applies an op to `inputs` followed by the starts, which are the node's operands from `first` on.
 */
static pod_node *apply_at_starts(pod_pullback *back, pod_op op, pod_node *const *inputs, size_t count, uint32_t first,
                                 const pod_attributes *attributes)
{
    pod_node *all[2 + POD_MAX_RANK];
    memcpy(all, inputs, count * sizeof(*all));
    for (uint32_t i = first; i < back->node->input_count; i++)
        all[count++] = back->node->inputs[i];
    return pod_graph_apply(back->graph, op, all, count, attributes, NULL, 0);
}

void pod_gradient_dynamic_slice(pod_pullback *back)
{
    pod_node *inputs[] = {pod_graph_full_like(back->graph, back->node->inputs[0], 0), back->cotangents[0]};
    if (back->needed[0])
        back->operands[0] = apply_at_starts(back, POD_OP_DYNAMIC_UPDATE_SLICE, inputs, 2, 1, NULL);
}

void pod_gradient_dynamic_update_slice(pod_pullback *back)
{
    pod_node *inputs[] = {back->cotangents[0], pod_graph_full_like(back->graph, back->node->inputs[1], 0)};
    pod_attributes sizes = {.shape = *operand_shape(back, 1)};
    if (back->needed[0])
        back->operands[0] = apply_at_starts(back, POD_OP_DYNAMIC_UPDATE_SLICE, inputs, 2, 2, NULL);
    if (back->needed[1])
        back->operands[1] = apply_at_starts(back, POD_OP_DYNAMIC_SLICE, inputs, 1, 2, &sizes);
}
