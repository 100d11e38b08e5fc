/*
 * turned - see passes.def: gradients that come with their axes the other way round, and the updates from them (R5).
 *
 * The compiler makes a dot of what other products are computed into and of what comes from arguments alone as if the
 * latter were its weights: those are the right operand. The gradient of a first layer's weights so has the axis of the
 * inputs in the lanes, if the inputs do. If the weights do not lie so, the update reads copies of its operands which
 * do, and its results are copied to be outputs. */

#include "tpu/passes.h"

/* The kinds of values that another is computed from. */
typedef enum origin {
    ORIGIN_CONSTANT,
    ORIGIN_ARGUMENT, /* arguments, by elementwise ops and views */
    ORIGIN_PRODUCT,  /* a product at least */
    ORIGIN_OTHER
} origin;

/* The axis of inputs of a gradient, or the axis that it has become in a value computed from one; -1: not turned. */
typedef int8_t input_axis;

static bool turns_gradients(const pod_tpu_lowering *lowering)
{
    return pod_tpu_has(lowering, POD_TPU_TURNED_GRADIENTS);
}

static origin origin_of(const pod_ir *ir, const pod_ir_node *node, const origin *origins)
{
    if (node->op == POD_OP_PARAMETER)
        return ORIGIN_ARGUMENT;
    if (pod_tpu_is_product(node->op))
        return ORIGIN_PRODUCT;
    const bool plain = pod_tpu_sees_otherwise(node->op) || node->op == POD_OP_BROADCAST || pod_tpu_is_elementwise(node);
    const pod_ref *inputs = pod_ir_inputs(ir, node);
    origin most = ORIGIN_CONSTANT;
    for (uint32_t i = 0; i < node->input_count; i++) {
        const origin one = origins[inputs[i]];
        if (one == ORIGIN_PRODUCT)
            return one;
        most = one > most ? one : most;
    }
    return plain || node->input_count == 0 ? most : ORIGIN_OTHER;
}

/* The one axis of an operand that a dot does not sum over; -1: there are others. */
static int32_t kept_axis(const pod_axes *sums, int32_t rank)
{
    int32_t kept = rank * (rank - 1) / 2;
    for (int32_t i = 0; i < sums->count; i++)
        kept -= sums->axes[i];
    return sums->count == rank - 1 ? kept : -1;
}

/* The axis of its result that a dot has from arguments whose lanes it is, where those are its weights. */
static input_axis turned_axis(const pod_tpu_lowering *lowering, const pod_ir *ir, const pod_ir_node *dot,
                              const origin *origins)
{
    const pod_ref *inputs = pod_ir_inputs(ir, dot);
    if (dot->op != POD_OP_DOT || dot->attributes->lhs_batch.count > 0 || ir->values[dot->value_first].shape->rank != 2)
        return -1;
    for (int i = 0; i < 2; i++) {
        const pod_ir_value *weights = &ir->values[inputs[i]];
        const pod_axes *sums = i ? &dot->attributes->rhs_contract : &dot->attributes->lhs_contract;
        if (origins[inputs[i]] == ORIGIN_ARGUMENT && origins[inputs[1 - i]] == ORIGIN_PRODUCT &&
            weights->shape->rank > 1 && kept_axis(sums, weights->shape->rank) == pod_tpu_lane_axis(lowering, weights))
            return (input_axis)i;
    }
    return -1;
}

/* The axis in what a node makes of something turned, an element from an element. */
static input_axis axis_of(const pod_ir *ir, const pod_ir_node *node, const input_axis *axes)
{
    const pod_ref *inputs = pod_ir_inputs(ir, node);
    if (node->op == POD_OP_TRANSPOSE && axes[inputs[0]] >= 0)
        return (input_axis)(1 - axes[inputs[0]]);
    if (!pod_tpu_is_elementwise(node))
        return -1;
    for (uint32_t i = 0; i < node->input_count; i++)
        if (axes[inputs[i]] >= 0)
            return axes[inputs[i]];
    return -1;
}

/* Values that an update computes of arguments alone, as it reads them, are turned too. */
static void find_operands(const pod_ir *ir, const input_axis *axes, bool *turned)
{
    for (uint32_t i = ir->node_count; i-- > 0;) {
        const pod_ir_node *node = &ir->nodes[i];
        const pod_ref *inputs = pod_ir_inputs(ir, node);
        for (uint32_t k = 0; k < node->input_count && turned[node->value_first]; k++) {
            const pod_ir_node *maker = pod_ir_maker(ir, inputs[k]);
            turned[inputs[k]] = turned[inputs[k]] ||
                                (axes[inputs[k]] < 0 && maker->input_count > 0 && pod_tpu_is_elementwise(maker) &&
                                 pod_shape_equal(ir->values[inputs[k]].shape, ir->values[node->value_first].shape));
        }
    }
}

bool pod_tpu_find_turned(pod_tpu_lowering *lowering, const pod_ir *ir, bool **turned)
{
    *turned = NULL;
    if (!turns_gradients(lowering) || lowering->depth > 0)
        return true;
    origin *origins = pod_tpu_array(lowering, ir->value_count, sizeof *origins);
    input_axis *axes = pod_tpu_array(lowering, ir->value_count, sizeof *axes);
    bool *found = pod_tpu_array(lowering, ir->value_count, sizeof *found);
    if (!pod_tpu_has_memory(lowering))
        return false;
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ir_node *node = &ir->nodes[i];
        for (uint32_t k = 0; k < node->value_count; k++) {
            const pod_ref made = node->value_first + k;
            origins[made] = origin_of(ir, node, origins);
            axes[made] = node->value_count > 1 ? -1 : turned_axis(lowering, ir, node, origins);
            if (axes[made] < 0 && node->value_count == 1)
                axes[made] = axis_of(ir, node, axes);
            found[made] = axes[made] >= 0 && pod_tpu_lane_axis(lowering, &ir->values[made]) != axes[made];
            if (found[made])
                *turned = found;
        }
    }
    find_operands(ir, axes, found);
    return true;
}

bool pod_tpu_is_turned_copy(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    if (!pod_tpu_is_copy(node) || !turns_gradients(lowering))
        return false;
    const pod_ref value = pod_tpu_inputs(lowering, node)[0];
    const pod_ir_value *from = &lowering->ir->values[value];
    return (lowering->values[node->value_first].is_output || pod_tpu_kind_of(lowering, value) == POD_TPU_KIND_LEAF) &&
           from->shape->rank == 2 && pod_tpu_maker(lowering, value)->op != POD_OP_WHILE &&
           !pod_tpu_scatters_copy(lowering, from->dtype, from->shape);
}

bool pod_tpu_pass_turned(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    for (uint32_t i = 0; i < ir->node_count; i++) {
        if (!pod_tpu_is_turned_copy(lowering, &ir->nodes[i]))
            continue;
        const pod_ref from = pod_tpu_inputs(lowering, &ir->nodes[i])[0];
        const pod_ref value = lowering->values[ir->nodes[i].value_first].is_output ? from : ir->nodes[i].value_first;
        lowering->values[value].stored = lowering->turned[value] = true;
    }
    return true;
}
