/* Stacked rules of ops that compute each element apart or move elements about. */

#include "replicate/replicate_emit.h"

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
    pod_node *padded = pod_replicate_emit_behind(emitter, node, (pod_node *[]){inputs[0], zero});
    return pod_graph_select(emitter->graph, pod_replicate_emit_repeat(emitter, mask), padded, values);
}

pod_node *pod_stacked_pad(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    if (!stacked[0])
        inputs[0] = pod_replicate_emit_repeat(emitter, inputs[0]);
    return stacked[1] ? pad_with_stacked(emitter, node, inputs) : pod_replicate_emit_behind(emitter, node, inputs);
}

/* Padding is behind the rows, so it matters only to sums from the end. */
pod_node *pod_stacked_cumulative(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    (void)stacked;
    if (node->attributes->flag)
        inputs[0] = pod_replicate_emit_masked_operand(emitter, node, 0, inputs[0], POD_FILL_ZERO);
    return pod_replicate_emit_behind(emitter, node, inputs);
}
