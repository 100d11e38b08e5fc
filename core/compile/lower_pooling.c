/*
 * lower_pooling - max poolings that tell where the maxima are (the number of the tap, one byte each), and
 * their gradients, which read that instead of x: x is four times as large or more, and has then no
 * readers after the pooling.
 */

#include "compile/lower.h"

#include <assert.h>

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
    assert(pooling != POD_NO_NODE);
    return pod_lower_kernel_with(function, node, function->positions[pooling], POD_SLOT_END);
}
