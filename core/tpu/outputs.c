/* outputs - see passes.def (R5). */

#include "tpu/passes.h"

bool pod_tpu_pass_outputs(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    for (uint32_t v = ir->value_count; v-- > 0 && pod_tpu_has(lowering, POD_TPU_UPDATES);) {
        pod_tpu_value *value = &lowering->values[v];
        bool only = value->is_output || value->user_count > 0;
        for (uint32_t i = 0; i < value->user_count && only; i++) {
            const uint32_t user = lowering->users[value->user_first + i];
            const pod_ir_node *node = &ir->nodes[user];
            const bool same = lowering->kinds[user] == POD_TPU_KIND_ELEMENTWISE || node->op == POD_OP_RESHAPE ||
                              node->op == POD_OP_TRANSPOSE;
            const pod_tpu_value *made = &lowering->values[node->value_first];
            only = same && (!pod_tpu_is_output_copy(lowering, node) || lowering->turned[v]) &&
                   made->elements == value->elements && made->only_outputs && !made->scattered;
        }
        value->only_outputs = only;
    }
    return true;
}
