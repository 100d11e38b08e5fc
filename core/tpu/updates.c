/* updates - see passes.def (R5). */

#include "tpu/passes.h"

/* Tells whether a convolution is the weight gradient of a transposed one, which is one over an input spread by its
 * stride: it comes with its channels the other way round, and the update is a kernel of its own. */
static bool is_transposed_gradient(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    const pod_tpu_value *value = &lowering->values[node->value_first];
    return node->op == POD_OP_CONVOLUTION_INPUT_GRADIENT && lowering->training && value->user_count == 1 &&
           lowering->ir->nodes[lowering->users[value->user_first]].op == POD_OP_TRANSPOSE &&
           pod_tpu_has(lowering, POD_TPU_TRANSPOSED_GRADIENTS);
}

bool pod_tpu_pass_updates(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    for (uint32_t i = 0; i < ir->node_count; i++) {
        pod_tpu_value *value = &lowering->values[ir->nodes[i].value_first];
        if (pod_tpu_is_product(ir->nodes[i].op) && value->only_outputs && !value->is_output &&
            !is_transposed_gradient(lowering, &ir->nodes[i]))
            value->stored = false;
    }
    return true;
}
