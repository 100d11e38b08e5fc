/* updates - see passes.def (R5). */

#include "tpu/passes.h"
#include "tpu/walks.h"

/* Tells whether a convolution is the weight gradient of a transposed one, which is one over an input spread by its
 * stride: it comes with its channels the other way round, and the update is a kernel of its own. */
static bool is_transposed_gradient(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    const pod_tpu_value *value = &lowering->values[node->value_first];
    return node->op == POD_OP_CONVOLUTION_INPUT_GRADIENT && lowering->training && value->user_count == 1 &&
           lowering->ir->nodes[lowering->users[value->user_first]].op == POD_OP_TRANSPOSE &&
           pod_tpu_has(lowering, POD_TPU_TRANSPOSED_GRADIENTS);
}

/* Claims all that is computed from a product; false, and nothing is claimed, where another one has claimed some of it.
 */
static bool claim_update(pod_tpu_lowering *lowering, pod_ref product)
{
    const pod_ir *ir = lowering->ir;
    for (int claims = 0; claims < 2; claims++) {
        uint32_t user;
        pod_tpu_uses uses = pod_tpu_uses_of(lowering, product);
        while (pod_tpu_next_use(&uses, &user)) {
            const pod_ref made = ir->nodes[user].value_first;
            if (lowering->values[made].claimed && !claims)
                return false;
            lowering->values[made].claimed = claims;
            pod_tpu_walk_to(&uses.walk, made);
        }
    }
    return true;
}

/* A kernel has one product: of several that are summed, as where weights are used twice, the last is made with the
 * update, and what each other one makes is stored. */
bool pod_tpu_pass_updates(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    for (uint32_t i = ir->node_count; i-- > 0;) {
        const pod_ref product = ir->nodes[i].value_first;
        pod_tpu_value *value = &lowering->values[product];
        if (!pod_tpu_is_product(ir->nodes[i].op) || !value->only_outputs || value->is_output ||
            is_transposed_gradient(lowering, &ir->nodes[i]))
            continue;
        lowering->pairs[product].part = pod_tpu_has(lowering, POD_TPU_LONE_UPDATES) && !claim_update(lowering, product);
        value->stored = lowering->pairs[product].part;
    }
    return true;
}
