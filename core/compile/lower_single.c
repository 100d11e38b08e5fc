/* lower_single - nodes that are instructions of their own. */

#include "compile/lower.h"

static bool lower_view(pod_lowered *function, const pod_ir_node *node)
{
    const pod_ir_value *value = &function->ir->values[node->value_first];
    uint32_t source = function->slots[pod_ir_inputs(function->ir, node)[0]];
    uint32_t slot = pod_lower_view(function->owner, source, value->dtype, value->shape);
    function->slots[node->value_first] = slot;
    return slot != POD_SLOT_END;
}

/*
 * Max poolings that tell where the maxima are (the number of the tap, one byte each), and their gradients, which read
 * that instead of x: x is four times as large or more, and has then no readers after the pooling.
 */
static bool lower_kernel(pod_lowered *function, const pod_fusion *fusion, uint32_t index)
{
    const pod_ir_node *node = &function->ir->nodes[index];
    const uint32_t pooling = fusion->poolings[index];
    const uint32_t positions = pooling == POD_NO_NODE ? POD_SLOT_END : function->positions[pooling];
    if (!fusion->positions[index])
        return pod_lower_kernel(function, node, positions, POD_SLOT_END);
    const pod_shape *shape = function->ir->values[node->value_first].shape;
    const uint32_t made = function->positions[index] = pod_lower_slot(function->owner, POD_U8, shape);
    return made != POD_SLOT_END && pod_lower_kernel(function, node, positions, made);
}

bool pod_lower_single(pod_lowered *function, const pod_fusion *fusion, uint32_t index)
{
    const pod_ir_node *node = &function->ir->nodes[index];
    for (uint32_t i = 0; i < node->input_count; i++) {
        if (i == 0 && (node->op == POD_OP_CHECK || fusion->poolings[index] != POD_NO_NODE))
            continue;
        if (pod_compile_value_slot(function, fusion, pod_ir_inputs(function->ir, node)[i]) == POD_SLOT_END)
            return false;
    }
    if (node->op == POD_OP_CALL)
        return pod_lower_call(function, fusion, index);
    if (fusion->roles[index] == POD_ROLE_ALIAS)
        return lower_view(function, node);
    if (node->region_count > 0 || node->op == POD_OP_CHECK || node->op == POD_OP_PRINT || pod_ir_meets(node))
        return pod_lower_control(function, node);
    return lower_kernel(function, fusion, index);
}
