/* attention - see lowering.h: softmax between two products (R4b, R6). */

#include "tpu/lowering.h"

/* The only node that reads a value through conversions, or UINT32_MAX. `value` becomes what it reads. */
static uint32_t only_reader(const pod_tpu_lowering *lowering, pod_ref *value)
{
    for (;;) {
        const pod_tpu_value *v = &lowering->values[*value];
        if (v->user_count != 1 || v->is_output)
            return UINT32_MAX;
        const uint32_t user = lowering->users[v->user_first];
        if (lowering->ir->nodes[user].op != POD_OP_CONVERT)
            return user;
        *value = lowering->ir->nodes[user].value_first;
    }
}

/* Finds the two readers of a value, of which one is a reduction and the other an op of a kind that
 * takes the value first. */
static bool two_readers(const pod_tpu_lowering *lowering, pod_ref value, pod_op reduction, pod_op other,
                        uint32_t *reduced, uint32_t *read)
{
    const pod_tpu_value *v = &lowering->values[value];
    if (v->user_count != 2 || v->is_output)
        return false;
    const uint32_t a = lowering->users[v->user_first], b = lowering->users[v->user_first + 1];
    const bool swapped = lowering->ir->nodes[b].op == reduction;
    *reduced = swapped ? b : a;
    *read = swapped ? a : b;
    const pod_ir_node *node = &lowering->ir->nodes[*read];
    return lowering->ir->nodes[*reduced].op == reduction && node->op == other &&
           pod_tpu_inputs(lowering, node)[0] == value;
}

bool pod_tpu_starts_softmax(const pod_tpu_lowering *lowering, pod_ref scores, uint32_t *largest,
                            uint32_t *shifted)
{
    return two_readers(lowering, scores, POD_OP_REDUCE_MAX, POD_OP_SUBTRACT, largest, shifted);
}

/* R6: whether softmax of the scores is all that becomes of them, and one product reads it. */
bool pod_tpu_is_attention(const pod_tpu_lowering *lowering, pod_ref scores, pod_tpu_softmax *softmax)
{
    const pod_ir *ir = lowering->ir;
    uint32_t shifted, divided;
    if (!pod_tpu_starts_softmax(lowering, scores, &softmax->largest, &shifted))
        return false;
    pod_ref value = ir->nodes[shifted].value_first;
    const uint32_t exponential = only_reader(lowering, &value);
    if (exponential == UINT32_MAX || ir->nodes[exponential].op != POD_OP_EXP)
        return false;
    value = ir->nodes[exponential].value_first;
    if (!two_readers(lowering, value, POD_OP_REDUCE_SUM, POD_OP_DIVIDE, &softmax->sum, &divided))
        return false;
    value = ir->nodes[divided].value_first;
    softmax->product = only_reader(lowering, &value);
    return softmax->product != UINT32_MAX && ir->nodes[softmax->product].op == POD_OP_DOT;
}
