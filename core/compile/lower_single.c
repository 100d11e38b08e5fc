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

static bool lower_node(pod_lowered *function, const pod_ir_node *node)
{
    switch (node->op) {
    case POD_OP_PARAMETER:
        return true;
    case POD_OP_CONSTANT:
        return pod_lower_constant(function, node);
    case POD_OP_RESHAPE:
    case POD_OP_BITCAST:
    case POD_OP_BARRIER:
    case POD_OP_STOP_GRADIENT:
        return lower_view(function, node);
    case POD_OP_CHECK:
    case POD_OP_PRINT:
    case POD_OP_COND:
    case POD_OP_WHILE:
    case POD_OP_REDUCE:
        return pod_lower_control(function, node);
    default:
        return pod_lower_kernel(function, node);
    }
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
    if (fusion->positions[index] || fusion->poolings[index] != POD_NO_NODE)
        return pod_lower_pooling(function, fusion, index);
    return lower_node(function, node);
}
