/* part_sums - see passes.def: sums over devices of which each keeps a part (R10). */

#include "tpu/passes.h"
#include "tpu/walks.h"

#define MOST_AT_ONCE 4 /* devices that add up a sum at once */

/* Tells whether products are computed from a value. */
static bool feeds_products(pod_tpu_lowering *lowering, pod_ref value)
{
    uint32_t user;
    pod_tpu_uses uses = pod_tpu_uses_of(lowering, value);
    while (pod_tpu_next_use(&uses, &user)) {
        const pod_ir_node *node = &lowering->ir->nodes[user];
        if (pod_tpu_is_product(node->op))
            return true;
        for (uint32_t j = 0; j < node->value_count; j++)
            pod_tpu_walk_to(&uses.walk, node->value_first + j);
    }
    return false;
}

/* Returns the dot, which nothing else reads, whose value a node sums over all devices; NULL where there is none. */
static const pod_ir_node *summed_dot(pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    if (node->op != POD_OP_REDUCE_SCATTER || node->attributes->count != lowering->devices ||
        feeds_products(lowering, node->value_first))
        return NULL;
    pod_ref value = pod_tpu_inputs(lowering, node)[0];
    while (pod_tpu_is_view(pod_tpu_maker(lowering, value)) && lowering->values[value].user_count == 1)
        value = pod_tpu_inputs(lowering, pod_tpu_maker(lowering, value))[0];
    const pod_ir_node *dot = pod_tpu_maker(lowering, value);
    const bool alone = lowering->values[value].user_count == 1 && !lowering->values[value].is_output;
    return dot->op == POD_OP_DOT && alone ? dot : NULL;
}

static bool add_bytes(pod_tpu_lowering *lowering, pod_ref value, pod_element element, int64_t times)
{
    pod_array_type type = {.element = element, .shape = *lowering->ir->values[value].shape};
    pod_layout_bytes bytes;
    if (!pod_tpu_lay_out(lowering, &type, POD_LAYOUT_COMPACT, &bytes, lowering->error))
        return false;
    for (int64_t i = 0; i < times; i++)
        lowering->window_bytes = pod_tpu_sum(lowering->window_bytes, bytes.padded);
    return true;
}

/* What a loop reads is there before it, in 16 bits: of an argument a copy is. */
static bool store_operand(pod_tpu_lowering *lowering, pod_ref value, bool *copied)
{
    const pod_ref root = pod_tpu_root(lowering, value);
    const pod_tpu_kind kind = pod_tpu_kind_of(lowering, root);
    if (kind != POD_TPU_KIND_LEAF) {
        lowering->values[root].stored |= kind != POD_TPU_KIND_CONSTANT;
        return true;
    }
    const bool again = copied[root];
    copied[root] = true;
    return again || add_bytes(lowering, root, POD_ELEMENT_BF16, 1);
}

/* The sum is added up in one of two buffers while the other one is on its way; both are there from the start. */
static bool make_window(pod_tpu_lowering *lowering, const pod_ir_node *sum, const pod_ir_node *dot, bool *copied)
{
    pod_ref value = pod_tpu_inputs(lowering, sum)[0];
    for (; value != dot->value_first; value = pod_tpu_inputs(lowering, pod_tpu_maker(lowering, value))[0])
        lowering->values[value].stored = false;
    lowering->values[value].stored = false;
    lowering->values[sum->value_first].free = true;
    if (!add_bytes(lowering, sum->value_first, pod_element_from_dtype(lowering->ir->values[sum->value_first].dtype), 2))
        return false;
    for (uint32_t j = 0; j < dot->input_count; j++)
        if (!store_operand(lowering, pod_tpu_inputs(lowering, dot)[j], copied))
            return false;
    return true;
}

bool pod_tpu_pass_part_sums(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    if (lowering->devices <= MOST_AT_ONCE || !pod_tpu_has(lowering, POD_TPU_WINDOWS))
        return true;
    bool *copied = pod_tpu_array(lowering, ir->value_count, sizeof *copied);
    for (uint32_t i = 0; copied && i < ir->node_count; i++) {
        const pod_ir_node *dot = summed_dot(lowering, &ir->nodes[i]);
        if (dot && !make_window(lowering, &ir->nodes[i], dot, copied))
            return false;
    }
    return copied != NULL;
}
