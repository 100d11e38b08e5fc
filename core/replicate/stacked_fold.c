/* Stacked rules of reductions, products and windows, and their sums over the replicas. */

#include <string.h>

#include "replicate/replicate_emit.h"

/* Returns what changes nothing in a reduction. */
static pod_fill identity_of(pod_op op)
{
    switch (op) {
    case POD_OP_REDUCE_PRODUCT:
    case POD_OP_REDUCE_AND:
        return POD_FILL_ONE;
    case POD_OP_REDUCE_MAX:
    case POD_OP_ARGMAX:
        return POD_FILL_LOWEST;
    case POD_OP_REDUCE_MIN:
    case POD_OP_ARGMIN:
        return POD_FILL_HIGHEST;
    default:
        return POD_FILL_ZERO;
    }
}

/* Masks operand 0 along the axes that the op folds over. */
static pod_node *mask_reduced(pod_emitter *emitter, const pod_node *node, pod_node *x)
{
    int64_t rows[POD_MAX_RANK];
    pod_replicate_form_rows(pod_replicate_plan_operand_form(emitter->plan, node, 0), rows);
    for (int32_t k = 0; k < POD_MAX_RANK; k++)
        if (rows[k] != 0 && pod_replicate_plan_follow(node, 0, k, rows[k]).fate != POD_AXIS_REDUCED)
            rows[k] = 0;
    return pod_replicate_emit_masked(emitter, x, rows, identity_of(node->op));
}

pod_node *pod_stacked_reduction(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    (void)stacked;
    inputs[0] = mask_reduced(emitter, node, inputs[0]);
    return pod_replicate_emit_behind(emitter, node, inputs);
}

pod_node *pod_stacked_region_reduction(pod_emitter *emitter, const pod_node *node, pod_node **inputs,
                                       const bool *stacked)
{
    if (stacked[1])
        return pod_replicate_emit_unrolled(emitter, node, inputs, stacked);
    return pod_stacked_reduction(emitter, node, inputs, stacked);
}

/* Sums over the replica axis too, in one reduction. */
pod_node *pod_fold_reduction(pod_emitter *emitter, const pod_node *node, pod_node **inputs)
{
    pod_attributes attributes = *node->attributes;
    inputs[0] = pod_replicate_emit_masked_operand(emitter, node, 0, inputs[0], POD_FILL_ZERO);
    attributes.axes = pod_replicate_emit_shifted(&attributes.axes, true);
    return pod_graph_copy_node_with(emitter->graph, node, inputs, &attributes);
}

/* ---- products ---- */

/* Padding of either side must be 0 in both: 0 times what padding holds may be NaN. */
static void mask_contracted(pod_emitter *emitter, const pod_node *node, pod_node **inputs, bool *stacked)
{
    int64_t masks[2][POD_MAX_RANK] = {{0}};
    for (uint32_t j = 0; j < 2; j++) {
        int64_t rows[POD_MAX_RANK];
        pod_replicate_form_rows(pod_replicate_plan_operand_form(emitter->plan, node, j), rows);
        for (int32_t k = 0; k < POD_MAX_RANK; k++) {
            int32_t other;
            if (rows[k] == 0 || pod_replicate_plan_follow(node, j, k, rows[k]).fate != POD_AXIS_REDUCED ||
                !pod_op_axis_pair(node->op, node->attributes, j, k, 1 - j, &other))
                continue;
            masks[j][k] = masks[1 - j][other] = rows[k];
        }
    }
    for (uint32_t j = 0; j < 2; j++) {
        bool any = false;
        for (int32_t k = 0; k < POD_MAX_RANK; k++)
            any |= masks[j][k] != 0;
        if (!any || emitter->plan->session->shards.even)
            continue;
        if (!stacked[j])
            inputs[j] = pod_replicate_emit_repeat(emitter, inputs[j]);
        stacked[j] = true;
        inputs[j] = pod_replicate_emit_masked(emitter, inputs[j], masks[j], POD_FILL_ZERO);
    }
}

static void shift_side(pod_axes *batch, pod_axes *contract, bool lead_batch, bool lead_contract)
{
    *batch = pod_replicate_emit_shifted(batch, lead_batch);
    *contract = pod_replicate_emit_shifted(contract, lead_contract);
}

/* One side is uniform: the replica axis is a free axis of the other, and moves to the front. */
static pod_node *dot_with_uniform(pod_emitter *emitter, const pod_node *node, pod_node **inputs, bool left)
{
    pod_attributes attributes = *node->attributes;
    int32_t place = attributes.lhs_batch.count;
    if (left) {
        shift_side(&attributes.lhs_batch, &attributes.lhs_contract, false, false);
    } else {
        shift_side(&attributes.rhs_batch, &attributes.rhs_contract, false, false);
        place = pod_node_shape(inputs[0], 0)->rank - attributes.lhs_contract.count;
    }
    pod_node *product = pod_graph_copy_node_with(emitter->graph, node, inputs, &attributes);
    return pod_replicate_emit_move(emitter, product, place, 0);
}

pod_node *pod_stacked_dot(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *given)
{
    pod_attributes attributes = *node->attributes;
    bool stacked[2] = {given[0], given[1]};
    mask_contracted(emitter, node, inputs, stacked);
    if (!stacked[0] || !stacked[1])
        return dot_with_uniform(emitter, node, inputs, stacked[0]);
    shift_side(&attributes.lhs_batch, &attributes.lhs_contract, true, false);
    shift_side(&attributes.rhs_batch, &attributes.rhs_contract, true, false);
    return pod_graph_copy_node_with(emitter->graph, node, inputs, &attributes);
}

/* The replica axis is contracted with the others. */
pod_node *pod_fold_dot(pod_emitter *emitter, const pod_node *node, pod_node **inputs)
{
    pod_attributes attributes = *node->attributes;
    bool stacked[2] = {true, true};
    mask_contracted(emitter, node, inputs, stacked);
    for (uint32_t j = 0; j < 2; j++)
        inputs[j] = pod_replicate_emit_masked_operand(emitter, node, j, inputs[j], POD_FILL_ZERO);
    shift_side(&attributes.lhs_batch, &attributes.lhs_contract, false, true);
    shift_side(&attributes.rhs_batch, &attributes.rhs_contract, false, true);
    return pod_graph_copy_node_with(emitter->graph, node, inputs, &attributes);
}

/* ---- windows: the replicas are more of the batch axis ---- */

/* Returns whether only the operands that have a batch axis are stacked. */
static bool batch_alone_is_stacked(const pod_node *node, const bool *stacked)
{
    bool kernel = node->op == POD_OP_CONVOLUTION || node->op == POD_OP_CONVOLUTION_INPUT_GRADIENT;
    return node->op != POD_OP_CONVOLUTION_KERNEL_GRADIENT && !(kernel && stacked[1]);
}

/* Emits the op on a batch axis of all replicas' rows. */
static pod_node *fold_batch(pod_emitter *emitter, const pod_node *node, pod_node **inputs, uint32_t batched)
{
    pod_attributes attributes = *node->attributes;
    int64_t replicas = emitter->plan->session->shards.replicas;
    for (uint32_t j = 0; j < batched; j++)
        inputs[j] = pod_replicate_emit_merge(emitter, inputs[j], 0);
    if ((pod_op_get(node->op)->reads & POD_FIELD_SHAPE) != 0)
        attributes.shape.dims[0] *= replicas;
    pod_node *result = pod_graph_copy_node_with(emitter->graph, node, inputs, &attributes);
    return pod_replicate_emit_split(emitter, result, 0, replicas);
}

pod_node *pod_stacked_convolution(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *given)
{
    bool stacked[2] = {given[0], given[1]};
    if (batch_alone_is_stacked(node, stacked))
        return fold_batch(emitter, node, inputs, 1);
    if (node->op == POD_OP_CONVOLUTION_KERNEL_GRADIENT)
        mask_contracted(emitter, node, inputs, stacked);
    return pod_replicate_emit_unrolled(emitter, node, inputs, stacked);
}

pod_node *pod_stacked_pool(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    pod_replicate_emit_stack_all(emitter, node, inputs, stacked);
    return fold_batch(emitter, node, inputs, node->input_count);
}

pod_node *pod_fold_kernel_gradient(pod_emitter *emitter, const pod_node *node, pod_node **inputs)
{
    bool stacked[2] = {true, true};
    mask_contracted(emitter, node, inputs, stacked);
    for (uint32_t j = 0; j < 2; j++)
        inputs[j] = pod_replicate_emit_merge(emitter, inputs[j], 0);
    return pod_graph_copy_node(emitter->graph, node, inputs);
}
