/* absorb - see lowering.h: an operand of several products takes the place of the product's value it is computed from
 * (R4). */

#include "graph/ops.h"
#include "tpu/walks.h"

#define MOST_REDUCED 8 /* reductions that are computed beside an operand */
#define MOST_MADE    8 /* values of products that an operand is computed from */

/* The reductions in which all that is computed from a value ends, an element from an element, but for one operand.
 * Returns false where something else reads the value. */
static bool list_reductions(pod_tpu_lowering *lowering, pod_ref value, pod_ref operand, uint32_t *reductions,
                            uint32_t *count)
{
    const pod_ir *ir = lowering->ir;
    const int64_t elements = lowering->values[value].elements;
    uint32_t user;
    pod_tpu_uses uses = pod_tpu_uses_of(lowering, value);
    *count = 0;
    while (pod_tpu_next_use(&uses, &user)) {
        const pod_ref made = ir->nodes[user].value_first;
        if (made == operand || !pod_tpu_walk_sees(&uses.walk, made))
            continue;
        if (pod_tpu_is_reduction(ir->nodes[user].op)) {
            if (*count == MOST_REDUCED)
                return false;
            reductions[(*count)++] = user;
        } else if (lowering->kinds[user] == POD_TPU_KIND_ELEMENTWISE && !lowering->values[made].stored &&
                   lowering->values[made].elements == elements) {
            pod_tpu_walk_push(&uses.walk, made);
        } else {
            return false;
        }
    }
    return true;
}

/* Tells whether reductions and an operand may be one kernel: none is computed from another one of them. */
static bool are_apart(pod_tpu_lowering *lowering, pod_ref operand, const uint32_t *reductions, uint32_t count)
{
    const pod_ir *ir = lowering->ir;
    for (uint32_t i = 0; i < count; i++) {
        const pod_ref reduced = ir->nodes[reductions[i]].value_first;
        if (pod_tpu_leads_to(lowering, reduced, ir->values[operand].node) ||
            pod_tpu_leads_to(lowering, operand, reductions[i]))
            return false;
        for (uint32_t j = 0; j < count; j++)
            if (i != j && pod_tpu_leads_to(lowering, reduced, reductions[j]))
                return false;
    }
    return true;
}

static bool reduces(const pod_ir_node *node)
{
    return pod_tpu_is_reduction(node->op);
}

/* Tells whether a value is one number, in each place. */
static bool is_one_number(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_ir_node *node = pod_tpu_maker(lowering, value);
    while (node->op == POD_OP_BROADCAST)
        node = pod_tpu_maker(lowering, pod_tpu_inputs(lowering, node)[0]);
    return lowering->values[node->value_first].elements == 1;
}

pod_tpu_functions pod_tpu_count_functions(pod_tpu_lowering *lowering, pod_ref operand)
{
    pod_tpu_functions count = {0};
    const int64_t elements = lowering->values[operand].elements;
    pod_tpu_walk walk = pod_tpu_walk_begin(lowering);
    pod_tpu_walk_to(&walk, operand);
    for (const pod_ir_node *node; pod_tpu_walk_next_maker(&walk, &node);) {
        const pod_ref *inputs = pod_tpu_inputs(lowering, node);
        count.functions += pod_op_get(node->op)->flops == POD_FLOPS_TRANS;
        count.divisions += node->op == POD_OP_DIVIDE && !is_one_number(lowering, inputs[1]);
        for (uint32_t i = 0; i < node->input_count; i++)
            if (!lowering->values[inputs[i]].stored && lowering->values[inputs[i]].elements == elements &&
                pod_tpu_kind_of(lowering, inputs[i]) == POD_TPU_KIND_ELEMENTWISE)
                pod_tpu_walk_to(&walk, inputs[i]);
    }
    return count;
}

/* Tells whether convolutions would compute an operand anew, from a value that one of them made. */
static bool is_left_to_convolutions(pod_tpu_lowering *lowering, pod_ref operand, pod_ref value)
{
    return pod_tpu_is_convolution(lowering->ir->nodes[lowering->values[value].product - 1].op) &&
           (!pod_tpu_has(lowering, POD_TPU_FUNCTIONS) || pod_tpu_count_functions(lowering, operand).functions == 0);
}

bool pod_tpu_absorb(pod_tpu_lowering *lowering, pod_ref operand)
{
    if (!pod_tpu_has(lowering, POD_TPU_ABSORBED) || !pod_tpu_some_user(lowering, operand, reduces))
        return false;
    pod_ref made[MOST_MADE], value;
    uint32_t reductions[MOST_REDUCED], count, made_count = 0;
    pod_tpu_sources sources = pod_tpu_sources_of(lowering, pod_tpu_maker(lowering, operand));
    while (made_count < MOST_MADE && pod_tpu_next_source(&sources, &value)) {
        const pod_tpu_value *v = &lowering->values[value];
        if (v->of_product && v->product && !v->is_output && pod_tpu_is_product(lowering->ir->nodes[v->product - 1].op))
            made[made_count++] = value;
    }
    for (uint32_t i = 0; i < made_count; i++) {
        value = made[i];
        if (lowering->values[value].elements != lowering->values[operand].elements ||
            !list_reductions(lowering, value, operand, reductions, &count) ||
            !are_apart(lowering, operand, reductions, count) || is_left_to_convolutions(lowering, operand, value))
            continue;
        lowering->values[value].stored = lowering->values[value].of_product = false;
        lowering->values[operand].of_product = true;
        lowering->values[operand].product = lowering->values[value].product;
        for (uint32_t j = 0; j < count; j++)
            lowering->values[lowering->ir->nodes[reductions[j]].value_first].joined =
                lowering->ir->values[operand].node + 1;
        return true;
    }
    return false;
}
