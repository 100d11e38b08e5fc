/*
 * lower_call - calls that a kernel takes whole. Those that are one function of a block are taken by loops as any
 * element; composites of core/kernels/special.h are instructions like those of ops; Adam is a step of a loop
 * (lower_loop.c). Softmax cross-entropy of labels and its gradient: when both are asked for the same logits, and the
 * gradient's factor is there in time, one instruction makes both.
 */

#include "compile/compile_costs.h"
#include "compile/lower.h"
#include "compile/node_kinds.h"

#include <string.h>

/* The gradient of the same logits and labels that can run with a loss; POD_NO_NODE when there is none. */
static uint32_t find_gradient(const pod_fusion *fusion, uint32_t loss)
{
    const pod_ir *ir = fusion->ir;
    const pod_ref *wanted = pod_ir_inputs(ir, &ir->nodes[loss]);
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ir_node *node = &ir->nodes[i];
        if (pod_compile_is_call_of(node, POD_CALL_GRADIENT) && fusion->stages[i] == fusion->stages[loss] &&
            pod_ir_inputs(ir, node)[0] == wanted[0] && pod_ir_inputs(ir, node)[1] == wanted[1])
            return i;
    }
    return POD_NO_NODE;
}

static bool add_instruction(pod_lowered *function, const pod_fusion *fusion, const pod_ir_node *loss,
                            const pod_ir_node *gradient)
{
    const pod_ir *ir = function->ir;
    const pod_ref *inputs = pod_ir_inputs(ir, gradient ? gradient : loss);
    uint32_t operands = gradient ? 3 : 2, results = loss && gradient ? 2 : 1;
    pod_instruction *made = pod_lower_add(function, POD_DO_CROSS_ENTROPY, operands, results);
    if (!made)
        return false;
    const pod_ir_value *logits = &ir->values[inputs[0]];
    int64_t classes = logits->shape->dims[logits->shape->rank - 1];
    made->cross_entropy = (pod_cross_entropy_detail){logits->dtype, classes, loss != NULL, gradient != NULL};
    made->op = POD_OP_CALL;
    made->name = loss ? POD_CALL_LOSS : POD_CALL_GRADIENT;
    made->may_fail = true;
    made->rows = pod_shape_elements(logits->shape) / classes;
    made->row_cost = POD_COST_CROSS_ENTROPY_ROW + POD_COST_CROSS_ENTROPY_CLASS * (double)classes;
    made->scratch_bytes = loss ? 0 : (uint64_t)POD_BLOCK * sizeof(float);
    for (uint32_t i = 0; i < operands; i++)
        made->slots[i] = pod_compile_value_slot(function, fusion, inputs[i]);
    if (loss)
        made->slots[operands] = pod_lower_result(function, loss->value_first);
    if (gradient)
        made->slots[operands + results - 1] = pod_lower_result(function, gradient->value_first);
    for (uint32_t i = 0; i < operands + results; i++) {
        made->parts[i] = made->rows;
        if (made->slots[i] == POD_SLOT_END)
            return false;
    }
    return true;
}

bool pod_lower_call(pod_lowered *function, const pod_fusion *fusion, uint32_t index)
{
    const pod_ir_node *node = &function->ir->nodes[index];
    if (function->slots[node->value_first] != POD_SLOT_END)
        return true; /* made together with the loss */
    if (!pod_compile_is_call_of(node, POD_CALL_LOSS) && !pod_compile_is_call_of(node, POD_CALL_GRADIENT))
        return pod_lower_kernel(function, node, POD_SLOT_END, POD_SLOT_END);
    if (pod_compile_is_call_of(node, POD_CALL_GRADIENT))
        return add_instruction(function, fusion, NULL, node);
    uint32_t gradient = find_gradient(fusion, index);
    return add_instruction(function, fusion, node, gradient == POD_NO_NODE ? NULL : &function->ir->nodes[gradient]);
}
