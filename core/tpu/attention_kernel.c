/* attention_kernel - see lowering.h: softmax between two products (R4b, R6). */

#include "tpu/lowering.h"

/* The only node that reads a value through conversions and reshapes, or UINT32_MAX. `value` becomes what it reads. */
static uint32_t only_reader(const pod_tpu_lowering *lowering, pod_ref *value)
{
    for (;;) {
        const pod_ir_node *user = pod_tpu_only_user(lowering, *value);
        if (!user || (!pod_tpu_converts(user) && user->op != POD_OP_RESHAPE))
            return user ? (uint32_t)(user - lowering->ir->nodes) : UINT32_MAX;
        *value = user->value_first;
    }
}

/* A node, or the reduction that alone reads what it converts. */
static uint32_t reduction_of(const pod_tpu_lowering *lowering, uint32_t node)
{
    const pod_ir_node *n = &lowering->ir->nodes[node];
    const pod_ir_node *user = pod_tpu_converts(n) ? pod_tpu_only_user(lowering, n->value_first) : NULL;
    return user && pod_tpu_is_reduction(user->op) ? (uint32_t)(user - lowering->ir->nodes) : node;
}

/* Finds the two readers of a value, of which one is a reduction and the other an op of a kind that
 * takes the value first. */
static bool two_readers(const pod_tpu_lowering *lowering, pod_ref value, pod_op reduction, pod_op other,
                        uint32_t *reduced, uint32_t *read)
{
    const pod_tpu_value *v = &lowering->values[value];
    if (v->user_count != 2 || v->is_output)
        return false;
    const uint32_t a = reduction_of(lowering, lowering->users[v->user_first]);
    const uint32_t b = reduction_of(lowering, lowering->users[v->user_first + 1]);
    const bool swapped = lowering->ir->nodes[b].op == reduction;
    *reduced = swapped ? b : a;
    *read = swapped ? a : b;
    const pod_ir_node *node = &lowering->ir->nodes[*read];
    return lowering->ir->nodes[*reduced].op == reduction && node->op == other &&
           pod_tpu_inputs(lowering, node)[0] == value;
}

bool pod_tpu_starts_softmax(const pod_tpu_lowering *lowering, pod_ref scores, uint32_t *largest, uint32_t *shifted)
{
    return two_readers(lowering, scores, POD_OP_REDUCE_MAX, POD_OP_SUBTRACT, largest, shifted);
}

/* Tells whether a dot's batch axes lead in both operands, and the last axis is summed on the left. */
static bool is_batched_product(const pod_tpu_lowering *lowering, const pod_ir_node *dot)
{
    const pod_attributes *a = dot->attributes;
    const int32_t rank = lowering->ir->values[pod_tpu_inputs(lowering, dot)[0]].shape->rank;
    bool leading = a->lhs_batch.count == rank - 2 && a->rhs_batch.count == rank - 2 && a->lhs_contract.count == 1 &&
                   a->lhs_contract.axes[0] == rank - 1;
    for (int32_t i = 0; i < a->lhs_batch.count; i++)
        leading = leading && a->lhs_batch.axes[i] == i && a->rhs_batch.axes[i] == i;
    return leading;
}

/* Tells whether scores are what a product makes, in another type or shape. */
static bool is_of_product(const pod_tpu_lowering *lowering, pod_ref product, pod_ref scores)
{
    while (scores != product) {
        const pod_ir_node *node = pod_tpu_maker(lowering, scores);
        if (!pod_tpu_converts(node) && node->op != POD_OP_RESHAPE)
            return false;
        scores = pod_tpu_inputs(lowering, node)[0];
    }
    return true;
}

/* R6: whether a softmax of the scores is all that becomes of them, and one product reads it. `scores` is what is
 * computed of the product's value, an element from an element. Where that is more than the value itself, the softmax is
 * of the product's type; so are the scores, unless they are `wide`. */
bool pod_tpu_is_attention(const pod_tpu_lowering *lowering, pod_ref product, pod_ref scores, pod_tpu_softmax *softmax)
{
    const pod_ir *ir = lowering->ir;
    uint32_t shifted, divided;
    softmax->raw = is_of_product(lowering, product, scores);
    softmax->wide = !softmax->raw && ir->values[product].dtype != ir->values[scores].dtype;
    if (!is_batched_product(lowering, pod_tpu_maker(lowering, product)) ||
        !pod_tpu_starts_softmax(lowering, scores, &softmax->largest, &shifted))
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
    return softmax->product != UINT32_MAX && ir->nodes[softmax->product].op == POD_OP_DOT &&
           pod_tpu_inputs(lowering, &ir->nodes[softmax->product])[0] == value &&
           (softmax->raw || ir->values[value].dtype == ir->values[product].dtype) &&
           is_batched_product(lowering, &ir->nodes[softmax->product]);
}
