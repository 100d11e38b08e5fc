/*
 * lower_pooling - max poolings that tell where the maxima are (the number of the tap, one byte each), and
 * their gradients, which read that instead of x: x is four times as large or more, and has then no
 * readers after the pooling.
 */

#include "compile/lower_group.h"

#include "kernels/special.h"

#include <string.h>

static pod_array array_of(const pod_ir *ir, pod_ref value)
{
    return (pod_array){.dtype = ir->values[value].dtype, .shape = *ir->values[value].shape};
}

/* Whether the family in use has both kernels. */
static bool has_kernels(const pod_fusion *f, const pod_ir_node *pooling, const pod_ir_node *gradient)
{
    const pod_ref *inputs = pod_ir_inputs(f->ir, gradient);
    pod_array x = array_of(f->ir, inputs[0]), g = array_of(f->ir, inputs[1]);
    pod_array given = array_of(f->ir, gradient->value_first), positions = g;
    positions.dtype = POD_U8;
    pod_array results[2] = {array_of(f->ir, pooling->value_first), positions};
    pod_array operands[2] = {positions, g};
    const char *forward = pod_op_name(POD_OP_POOL_MAX), *back = pod_op_name(gradient->op);
    pod_kernel_call there = {pooling->attributes, &x, 1, results, 2, NULL, NULL};
    pod_kernel_call here = {gradient->attributes, operands, 2, &given, 1, NULL, NULL};
    return pod_kernel_find(f->kernels, forward, &there) != pod_reference_kernel(forward) &&
           pod_kernel_find(f->kernels, back, &here) != pod_reference_kernel(back);
}

uint32_t pod_find_pooling(const pod_fusion *fusion, const pod_ir_node *gradient)
{
    if (gradient->op != POD_OP_POOL_MAX_GRADIENT || fusion->no_fusion)
        return POD_NO_GROUP;
    uint32_t found = fusion->pooled[pod_ir_inputs(fusion->ir, gradient)[0]];
    if (found == POD_NO_GROUP)
        return POD_NO_GROUP;
    const pod_ir_node *pooling = &fusion->ir->nodes[found];
    bool same =
        memcmp(&pooling->attributes->window, &gradient->attributes->window, sizeof gradient->attributes->window) == 0;
    return same && has_kernels(fusion, pooling, gradient) ? found : POD_NO_GROUP;
}

bool pod_lower_pooling(pod_lowered *function, const pod_fusion *fusion, uint32_t index)
{
    const pod_ir_node *node = &function->ir->nodes[index];
    if (fusion->positions[index]) {
        const pod_ir_value *type = &function->ir->values[node->value_first];
        function->positions[index] = pod_lower_slot(function->owner, POD_U8, type->shape);
        return function->positions[index] != POD_SLOT_END &&
               pod_lower_kernel_with(function, node, POD_SLOT_END, function->positions[index]);
    }
    uint32_t pooling = fusion->poolings[index];
    if (pooling == POD_NO_GROUP)
        return pod_lower_node(function, node);
    return pod_lower_kernel_with(function, node, function->positions[pooling], POD_SLOT_END);
}
