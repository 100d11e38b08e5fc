/* lower_value - values that lie somewhere already: constants, and views of what is stored. */

#include "base/sizes.h"
#include "compile/lower.h"
#include "compile/node_kinds.h"

#include <assert.h>

bool pod_lower_constant(pod_lowered *function, const pod_ir_node *node)
{
    assert(node->op == POD_OP_CONSTANT && node->value_count == 1);
    pod_lowering *owner = function->owner;
    const pod_ir_value *value = &function->ir->values[node->value_first];
    bool splat = node->attributes->flag;
    uint64_t bytes = (uint64_t)pod_shape_elements(value->shape) * pod_dtype_size(value->dtype);
    if (splat && bytes > POD_LITERAL_BYTES)
        return pod_lower_kernel(function, node, POD_SLOT_END, POD_SLOT_END);
    uint32_t slot = pod_lower_slot(owner, value->dtype, value->shape);
    pod_literal *literal = pod_arena_array(owner->scratch, 1, sizeof *literal);
    if (slot == POD_SLOT_END || !literal)
        return pod_lower_no_memory(owner);
    *literal = (pod_literal){owner->literals, node->constant, owner->literal_bytes, bytes, value->dtype, splat};
    owner->literals = literal;
    owner->slots[slot].kind = POD_SLOT_LITERAL;
    owner->slots[slot].offset = owner->literal_bytes;
    owner->literal_bytes += pod_round_up_bytes(bytes, 64);
    function->slots[node->value_first] = slot;
    return true;
}

uint32_t pod_compile_value_slot(pod_lowered *function, const pod_fusion *fusion, pod_ref value)
{
    const pod_ref passed = pod_compile_passed_on(function->ir, value);
    assert(value < function->ir->value_count);
    if (passed != value)
        return function->slots[value] = pod_compile_value_slot(function, fusion, passed);
    const pod_ir_value *type = &function->ir->values[value];
    const pod_ir_node *node = &function->ir->nodes[type->node];
    if (function->slots[value] != POD_SLOT_END)
        return function->slots[value];
    if (node->op == POD_OP_CONSTANT)
        return pod_lower_constant(function, node) ? function->slots[value] : POD_SLOT_END;
    uint32_t base = function->slots[fusion->views[value].base];
    assert(base != POD_SLOT_END); /* what is seen is stored by now */
    function->slots[value] = pod_lower_view(function->owner, base, type->dtype, type->shape);
    return function->slots[value];
}
