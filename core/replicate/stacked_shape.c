/* Stacked rules of ops that compute each element apart or move elements about. */

#include <string.h>

#include "replicate/replicate_emit.h"

pod_node *pod_stacked_elementwise(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    pod_replicate_emit_stack_all(emitter, node, inputs, stacked);
    return pod_graph_copy_node(emitter->graph, node, inputs);
}

pod_node *pod_stacked_unrolled(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    return pod_replicate_emit_unrolled(emitter, node, inputs, stacked);
}

/* Copies a node whose shape attribute gains the replica axis. */
static pod_node *copy_with_shape(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const pod_axes *axes)
{
    pod_attributes attributes = *node->attributes;
    attributes.shape = pod_replicate_emit_stacked_shape(emitter, &attributes.shape);
    attributes.axes = *axes;
    return pod_graph_copy_node_with(emitter->graph, node, inputs, &attributes);
}

pod_node *pod_stacked_reshape(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    (void)stacked;
    return copy_with_shape(emitter, node, inputs, &node->attributes->axes);
}

pod_node *pod_stacked_broadcast(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    (void)stacked;
    pod_axes axes = pod_replicate_emit_shifted(&node->attributes->axes, true);
    return copy_with_shape(emitter, node, inputs, &axes);
}

pod_node *pod_stacked_transpose(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    pod_attributes attributes = *node->attributes;
    (void)stacked;
    attributes.axes = pod_replicate_emit_shifted(&attributes.axes, true);
    return pod_graph_copy_node_with(emitter->graph, node, inputs, &attributes);
}

pod_node *pod_stacked_reverse(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    pod_attributes attributes = *node->attributes;
    (void)stacked;
    attributes.axes = pod_replicate_emit_shifted(&attributes.axes, false);
    return pod_graph_copy_node_with(emitter->graph, node, inputs, &attributes);
}

/* Makes room for the replica axis in a list of one number an axis. */
static void shift_numbers(int64_t *numbers, int64_t first)
{
    memmove(numbers + 1, numbers, (POD_MAX_RANK - 1) * sizeof *numbers);
    numbers[0] = first;
}

static pod_node *copy_with_range(pod_emitter *emitter, const pod_node *node, pod_node **inputs, int64_t low,
                                 int64_t high, int64_t step)
{
    pod_attributes attributes = *node->attributes;
    shift_numbers(attributes.low, low);
    shift_numbers(attributes.high, high);
    shift_numbers(attributes.step, step);
    return pod_graph_copy_node_with(emitter->graph, node, inputs, &attributes);
}

pod_node *pod_stacked_slice(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    (void)stacked;
    int64_t replicas = emitter->plan->session->shards.replicas;
    return copy_with_range(emitter, node, inputs, 0, replicas, 1);
}

/* Padding of a value that each replica has its own of: pads with zeros, then takes that value
 * wherever a padded mask is false. */
static pod_node *pad_with_stacked(pod_emitter *emitter, const pod_node *node, pod_node **inputs)
{
    const pod_type *type = &node->results[0];
    pod_shape shape = pod_replicate_emit_stacked_shape(emitter, &type->shape);
    pod_node *zero = pod_graph_scalar(emitter->graph, type->dtype, 0, NULL);
    pod_node *values = pod_replicate_emit_broadcast(emitter, inputs[1], &shape, (int32_t[]){0});
    pod_node *inside = pod_replicate_emit_fill(emitter, POD_BOOL, &pod_node_type(node->inputs[0])->shape, POD_FILL_ONE);
    pod_node *outside = pod_graph_scalar(emitter->graph, POD_BOOL, 0, NULL);
    pod_node *mask = pod_graph_copy_node(emitter->graph, node, (pod_node *[]){inside, outside});
    pod_node *padded = copy_with_range(emitter, node, (pod_node *[]){inputs[0], zero}, 0, 0, 0);
    return pod_replicate_emit_select(emitter, pod_replicate_emit_repeat(emitter, mask), padded, values);
}

pod_node *pod_stacked_pad(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    if (!stacked[0])
        inputs[0] = pod_replicate_emit_repeat(emitter, inputs[0]);
    if (stacked[1])
        return pad_with_stacked(emitter, node, inputs);
    return copy_with_range(emitter, node, inputs, 0, 0, 0);
}

pod_node *pod_stacked_axis(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    pod_attributes attributes = *node->attributes;
    pod_replicate_emit_stack_all(emitter, node, inputs, stacked);
    attributes.axis++;
    return pod_graph_copy_node_with(emitter->graph, node, inputs, &attributes);
}

/* Padding is behind the rows, so it matters only to sums from the end. */
pod_node *pod_stacked_cumulative(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    if (node->attributes->flag)
        inputs[0] = pod_replicate_emit_masked_operand(emitter, node, 0, inputs[0], POD_FILL_ZERO);
    return pod_stacked_axis(emitter, node, inputs, stacked);
}

pod_node *pod_stacked_collective(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    pod_attributes attributes = *node->attributes;
    (void)stacked;
    if ((pod_op_get(node->op)->reads & POD_FIELD_AXIS) != 0)
        attributes.axis++;
    if ((pod_op_get(node->op)->reads & POD_FIELD_AXES) != 0)
        attributes.axes = pod_replicate_emit_shifted(&attributes.axes, false);
    return pod_graph_copy_node_with(emitter->graph, node, inputs, &attributes);
}
