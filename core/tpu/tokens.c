/* tokens - see passes.def: residual streams that end in one token (R3). */

#include "tpu/passes.h"
#include "tpu/walks.h"

/* Tells whether a node takes one of the tokens of a value of batch, tokens and features. */
static bool takes_token(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    if (node->op != POD_OP_SLICE)
        return false;
    const pod_shape *from = lowering->ir->values[pod_tpu_inputs(lowering, node)[0]].shape;
    const pod_shape *to = lowering->ir->values[node->value_first].shape;
    return from->rank == 3 && to->dims[0] == from->dims[0] && to->dims[1] == 1 && from->dims[1] > 1 &&
           to->dims[2] == from->dims[2];
}

/* The operand of an elementwise node that has its shape and is no broadcast; POD_REF_NONE where there is none. */
static pod_ref main_operand(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    const pod_ref *inputs = pod_tpu_inputs(lowering, node);
    for (uint32_t i = 0; i < node->input_count; i++)
        if (lowering->values[inputs[i]].elements == lowering->values[node->value_first].elements &&
            pod_tpu_maker(lowering, inputs[i])->op != POD_OP_BROADCAST)
            return inputs[i];
    return POD_REF_NONE;
}

/* Tells whether a value is what a convolution made, through elementwise ops and reshapes. */
static bool is_convolved(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_ir_node *node = pod_tpu_maker(lowering, value);
    while (pod_tpu_is_elementwise(node) || node->op == POD_OP_RESHAPE) {
        value = node->op == POD_OP_RESHAPE ? pod_tpu_inputs(lowering, node)[0] : main_operand(lowering, node);
        if (value == POD_REF_NONE)
            return false;
        node = pod_tpu_maker(lowering, value);
    }
    return node->op == POD_OP_CONVOLUTION;
}

/* Tells whether sums, from a value up, begin with patches that a convolution made and a token before them. */
static bool begins_with_patches(pod_tpu_lowering *lowering, pod_ref value)
{
    pod_tpu_walk walk = pod_tpu_walk_begin(lowering);
    do {
        const pod_ir_node *node = pod_tpu_maker(lowering, value);
        const pod_ref *inputs = pod_tpu_inputs(lowering, node);
        const bool joins = node->op == POD_OP_CONCATENATE && node->attributes->axis == 1;
        for (uint32_t i = 0; joins && i < node->input_count; i++)
            if (is_convolved(lowering, inputs[i]))
                return true;
        for (uint32_t i = 0; (node->op == POD_OP_ADD || pod_tpu_converts(node)) && i < node->input_count; i++)
            pod_tpu_walk_to(&walk, inputs[i]);
    } while (pod_tpu_walk_next(&walk, &value));
    return false;
}

/* Tells whether what dots make of tokens is copied, as queries, keys and values of one dot are: else those want them
 * otherwise. */
static bool copies_queries(const pod_tpu_lowering *lowering)
{
    bool copies = false;
    for (pod_ref v = 0; v < lowering->ir->value_count && !copies; v++)
        copies = lowering->permuted[v] && pod_tpu_maker(lowering, v)->op == POD_OP_TRANSPOSE;
    return copies;
}

bool pod_tpu_pass_tokens(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    const uint32_t count = pod_tpu_has(lowering, POD_TPU_TOKENS) && copies_queries(lowering) ? ir->node_count : 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!takes_token(lowering, &ir->nodes[i]))
            continue;
        pod_ref value = pod_tpu_inputs(lowering, &ir->nodes[i])[0];
        while (value != POD_REF_NONE && lowering->values[value].user_count == 1 &&
               pod_tpu_kind_of(lowering, value) == POD_TPU_KIND_ELEMENTWISE)
            value = main_operand(lowering, pod_tpu_maker(lowering, value));
        if (value != POD_REF_NONE && begins_with_patches(lowering, value))
            lowering->values[value].activation = (uint8_t)(lowering->ir->values[value].shape->rank - 1);
    }
    return true;
}
