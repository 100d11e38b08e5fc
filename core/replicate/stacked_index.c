/* Stacked rules of ops that find elements by numbers. */

#include <string.h>

#include "replicate/replicate_emit.h"

/* Numbers in padding may be anything: 0 is always in range of a full shard. */
static pod_node *safe_indices(pod_emitter *emitter, const pod_node *node, pod_node *indices)
{
    return pod_replicate_emit_masked_operand(emitter, node, 1, indices, POD_FILL_ZERO);
}

static pod_node *gather(pod_emitter *emitter, pod_node *x, pod_node *indices, int32_t axis, int64_t count)
{
    pod_attributes attributes = {.axis = axis, .count = count};
    return pod_replicate_emit_op(emitter, POD_OP_GATHER, (pod_node *[]){x, indices}, 2, &attributes);
}

pod_node *pod_stacked_gather(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    pod_attributes attributes = *node->attributes;
    bool batched = attributes.count > 0;
    if (stacked[1])
        inputs[1] = safe_indices(emitter, node, inputs[1]);
    if (!stacked[0] && !batched) {
        pod_node *found = pod_graph_copy_node(emitter->graph, node, inputs);
        return pod_replicate_emit_move(emitter, found, attributes.axis, 0);
    }
    attributes.axis++;
    if (!stacked[1] && !batched)
        return pod_graph_copy_node_with(emitter->graph, node, inputs, &attributes);
    attributes.count++;
    for (uint32_t j = 0; j < 2; j++)
        if (!stacked[j])
            inputs[j] = pod_replicate_emit_repeat(emitter, inputs[j]);
    return pod_graph_copy_node_with(emitter->graph, node, inputs, &attributes);
}

static pod_fill scatter_identity(pod_reduction reduction)
{
    if (reduction == POD_REDUCE_MAX)
        return POD_FILL_LOWEST;
    return reduction == POD_REDUCE_MIN ? POD_FILL_HIGHEST : POD_FILL_ZERO;
}

/* Indices and updates share their rows: where either is padding the update must change nothing. */
static void mask_updates(pod_emitter *emitter, const pod_node *node, pod_node **inputs)
{
    int64_t rows[POD_MAX_RANK], index_rows[POD_MAX_RANK];
    const pod_plan *plan = emitter->plan;
    int32_t shift = node->attributes->axis - (int32_t)node->attributes->count;
    pod_replicate_form_rows(pod_replicate_plan_operand_form(plan, node, 1), index_rows);
    pod_replicate_form_rows(pod_replicate_plan_operand_form(plan, node, 2), rows);
    for (int32_t k = (int32_t)node->attributes->count; k < POD_MAX_RANK; k++)
        if (index_rows[k] != 0)
            rows[k + shift] = index_rows[k];
    inputs[1] = safe_indices(emitter, node, inputs[1]);
    inputs[2] = pod_replicate_emit_masked(emitter, inputs[2], rows, scatter_identity(node->attributes->reduction));
}

pod_node *pod_stacked_scatter(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    pod_attributes attributes = *node->attributes;
    pod_replicate_emit_stack_all(emitter, node, inputs, stacked);
    mask_updates(emitter, node, inputs);
    attributes.axis++;
    attributes.count++;
    return pod_graph_copy_node_with(emitter->graph, node, inputs, &attributes);
}

/* ---- slices that start anywhere ---- */

/* Brings numbers into 0 .. limit. */
static pod_node *clamp(pod_emitter *emitter, pod_node *numbers, int64_t limit)
{
    const pod_type *type = pod_node_type(numbers);
    pod_node *low = pod_replicate_emit_number(emitter, type->dtype, &type->shape, 0);
    pod_node *high = pod_replicate_emit_number(emitter, type->dtype, &type->shape, limit);
    return pod_replicate_emit_op(emitter, POD_OP_CLAMP, (pod_node *[]){low, numbers, high}, 3, NULL);
}

/* Returns [replicas, size]: iota plus sign times each replica's start. */
static pod_node *count_from(pod_emitter *emitter, pod_node *starts, int64_t size, pod_op op)
{
    pod_dtype dtype = pod_node_type(starts)->dtype;
    pod_shape shape = {2, {emitter->plan->session->shards.replicas, size}};
    pod_node *numbers = pod_graph_iota(emitter->graph, dtype, &shape, 1);
    pod_node *first = pod_replicate_emit_broadcast(emitter, starts, &shape, (int32_t[]){0});
    return pod_graph_binary(emitter->graph, op, numbers, first);
}

/* Cuts the axes whose starts are uniform, of a stacked x. */
static pod_node *slice_uniform_axes(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    pod_attributes attributes = {.shape = *pod_node_shape(inputs[0], 0)};
    pod_node *operands[POD_MAX_RANK + 2];
    bool any = false;
    uint32_t count = node->input_count - 1;
    operands[0] = inputs[0];
    operands[1] = pod_graph_scalar(emitter->graph, POD_S32, 0, NULL);
    for (uint32_t k = 0; k < count; k++) {
        operands[k + 2] = stacked[k + 1] ? operands[1] : inputs[k + 1];
        if (stacked[k + 1])
            continue;
        any |= attributes.shape.dims[k + 1] != node->attributes->shape.dims[k];
        attributes.shape.dims[k + 1] = node->attributes->shape.dims[k];
    }
    if (!any)
        return inputs[0];
    return pod_replicate_emit_op(emitter, POD_OP_DYNAMIC_SLICE, operands, count + 2, &attributes);
}

pod_node *pod_stacked_dynamic_slice(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    const pod_shape *sizes = &node->attributes->shape;
    if (!stacked[0])
        inputs[0] = pod_replicate_emit_repeat(emitter, inputs[0]);
    pod_node *x = slice_uniform_axes(emitter, node, inputs, stacked);
    for (int32_t k = 0; k < sizes->rank; k++) {
        int64_t size = pod_node_type(node->inputs[0])->shape.dims[k];
        if (!stacked[k + 1] || size == sizes->dims[k])
            continue;
        pod_node *starts = clamp(emitter, inputs[k + 1], size - sizes->dims[k]);
        pod_node *numbers = count_from(emitter, starts, sizes->dims[k], POD_OP_ADD);
        x = gather(emitter, x, numbers, k + 1, 1);
    }
    return x;
}

/* Returns where axis k of x lies within the update: a bool [replicas, size of x]. */
static pod_node *within(pod_emitter *emitter, pod_node *places, int64_t size)
{
    const pod_type *type = pod_node_type(places);
    pod_node *low = pod_replicate_emit_number(emitter, type->dtype, &type->shape, 0);
    pod_node *high = pod_replicate_emit_number(emitter, type->dtype, &type->shape, size);
    pod_node *after = pod_graph_compare(emitter->graph, POD_COMPARE_GE, places, low);
    pod_node *before = pod_graph_compare(emitter->graph, POD_COMPARE_LT, places, high);
    return pod_graph_binary(emitter->graph, POD_OP_AND, after, before);
}

/* Spreads the update over x axis by axis, and takes it where its axes all reach. */
static pod_node *spread_update(pod_emitter *emitter, const pod_node *node, pod_node **inputs)
{
    const pod_shape *shape = pod_node_shape(inputs[0], 0);
    pod_node *update = inputs[1], *mask = NULL;
    for (int32_t k = 1; k < shape->rank; k++) {
        int64_t size = pod_node_type(node->inputs[1])->shape.dims[k - 1];
        if (size == shape->dims[k])
            continue;
        pod_node *starts = clamp(emitter, inputs[k + 1], shape->dims[k] - size);
        pod_node *places = count_from(emitter, starts, shape->dims[k], POD_OP_SUBTRACT);
        pod_node *one = pod_replicate_emit_broadcast(emitter, within(emitter, places, size), shape, (int32_t[]){0, k});
        update = gather(emitter, update, clamp(emitter, places, size - 1), k, 1);
        mask = mask == NULL ? one : pod_graph_binary(emitter->graph, POD_OP_AND, mask, one);
    }
    return mask == NULL ? update : pod_graph_select(emitter->graph, mask, update, inputs[0]);
}

static bool any_zero(const pod_shape *shape)
{
    for (int32_t k = 0; k < shape->rank; k++)
        if (shape->dims[k] == 0)
            return true;
    return false;
}

pod_node *pod_stacked_dynamic_update(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    pod_node *operands[POD_MAX_RANK + 3];
    bool uniform_starts = true;
    for (uint32_t j = 0; j < 2; j++)
        if (!stacked[j])
            inputs[j] = pod_replicate_emit_repeat(emitter, inputs[j]);
    if (any_zero(&pod_node_type(node->inputs[1])->shape))
        return inputs[0];
    for (uint32_t j = 2; j < node->input_count; j++)
        uniform_starts &= !stacked[j];
    if (uniform_starts) {
        memcpy(operands, inputs, 2 * sizeof *operands);
        operands[2] = pod_graph_scalar(emitter->graph, POD_S32, 0, NULL);
        memcpy(operands + 3, inputs + 2, (node->input_count - 2) * sizeof *operands);
        return pod_replicate_emit_op(emitter, POD_OP_DYNAMIC_UPDATE_SLICE, operands, (size_t)node->input_count + 1,
                                     NULL);
    }
    for (uint32_t j = 2; j < node->input_count; j++)
        if (!stacked[j])
            inputs[j] = pod_replicate_emit_repeat(emitter, inputs[j]);
    return spread_update(emitter, node, inputs);
}
