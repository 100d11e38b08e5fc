/* lower - see lower.h. Here: slots, literals, views and the walk over the nodes. */

#include "base/growth.h"
#include "base/sizes.h"
#include "compile/compile_costs.h"
#include "compile/lower_group.h"
#include "base/error.h"

#include <assert.h>
#include <string.h>

bool pod_lower_no_memory(pod_lowering *lowering)
{
    pod_error_set(lowering->error, POD_ERROR_MEMORY, "no memory to compile the graph");
    return false;
}

/* ---- slots --------------------------------------------------------------------------------------- */

static bool reserve_slot(pod_lowering *lowering)
{
    return pod_arena_grow(lowering->scratch, &lowering->slots, &lowering->slot_room, (size_t)lowering->slot_count + 1,
                          (pod_growth){sizeof *lowering->slots, .first = 256}) ||
           pod_lower_no_memory(lowering);
}

uint32_t pod_lower_slot(pod_lowering *lowering, pod_dtype dtype, const pod_shape *shape)
{
    pod_shape *kept = pod_arena_copy(lowering->memory, shape, sizeof *shape);
    if (!kept || !reserve_slot(lowering)) {
        pod_lower_no_memory(lowering);
        return POD_SLOT_END;
    }
    uint32_t slot = lowering->slot_count++;
    lowering->slots[slot] = (pod_slot){
        .kind = POD_SLOT_ARENA,
        .dtype = dtype,
        .shape = kept,
        .base = slot,
        .level = lowering->level,
        .bytes = (uint64_t)pod_shape_elements(shape) * pod_dtype_size(dtype),
    };
    return slot;
}

uint32_t pod_lower_view(pod_lowering *lowering, uint32_t base, pod_dtype dtype, const pod_shape *shape)
{
    uint32_t slot = pod_lower_slot(lowering, dtype, shape);
    if (slot != POD_SLOT_END) {
        lowering->slots[slot].base = pod_lower_base(lowering, base);
        assert(lowering->slots[slot].bytes <= lowering->slots[base].bytes);
        lowering->slots[slot].level = lowering->slots[base].level;
    }
    return slot;
}

uint32_t pod_lower_base(const pod_lowering *lowering, uint32_t slot)
{
    assert(slot < lowering->slot_count);
    while (lowering->slots[slot].base != slot)
        slot = lowering->slots[slot].base;
    return slot;
}

/* ---- instructions -------------------------------------------------------------------------------- */

pod_instruction *pod_lower_add(pod_lowered *function, pod_instruction_kind kind, uint32_t operands, uint32_t results)
{
    pod_lowering *owner = function->owner;
    if (!pod_arena_grow(owner->scratch, &function->instructions, &function->room, (size_t)function->count + 1,
                        (pod_growth){sizeof *function->instructions, .first = 64}))
        goto no_memory;
    pod_instruction *made = pod_arena_array(owner->memory, 1, sizeof *made);
    uint32_t *slots = pod_arena_array(owner->memory, operands + results, sizeof *slots);
    int64_t *parts = pod_arena_array(owner->memory, operands + results, sizeof *parts);
    if (!made || !slots || !parts)
        goto no_memory;
    for (uint32_t i = 0; i < operands + results; i++)
        parts[i] = 1;
    made->kind = kind;
    made->slots = slots;
    made->parts = parts;
    made->operand_count = operands;
    made->result_count = results;
    made->rows = made->grain = 1;
    function->instructions[function->count++] = made;
    return made;
no_memory:
    pod_lower_no_memory(owner);
    return NULL;
}

bool pod_lower_copy(pod_lowered *function, uint32_t from, uint32_t to)
{
    assert(function->owner->slots[from].bytes == function->owner->slots[to].bytes);
    pod_instruction *copy = pod_lower_add(function, POD_DO_COPY, 1, 1);
    if (!copy)
        return false;
    copy->name = "copy";
    copy->slots[0] = from;
    copy->slots[1] = to;
    copy->rows = pod_part_count((int64_t)function->owner->slots[from].bytes, POD_COPY_ROW);
    copy->row_cost = POD_COPY_ROW * POD_COST_COPIED_BYTE;
    return true;
}

/* ---- leaves and views ---------------------------------------------------------------------------- */

/* Splats of more bytes are filled in by an instruction instead of being kept as literals. */
#define LITERAL_SPLAT_BYTES 4096

bool pod_lower_constant(pod_lowered *function, const pod_ir_node *node)
{
    assert(node->op == POD_OP_CONSTANT && node->value_count == 1);
    pod_lowering *owner = function->owner;
    const pod_ir_value *value = &function->ir->values[node->value_first];
    bool splat = node->attributes->flag;
    uint64_t bytes = (uint64_t)pod_shape_elements(value->shape) * pod_dtype_size(value->dtype);
    if (splat && bytes > LITERAL_SPLAT_BYTES)
        return pod_lower_kernel(function, node);
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

static bool lower_view(pod_lowered *function, const pod_ir_node *node)
{
    const pod_ir_value *value = &function->ir->values[node->value_first];
    uint32_t source = function->slots[pod_ir_inputs(function->ir, node)[0]];
    uint32_t slot = pod_lower_view(function->owner, source, value->dtype, value->shape);
    function->slots[node->value_first] = slot;
    return slot != POD_SLOT_END;
}

/* ---- the walk ------------------------------------------------------------------------------------ */

bool pod_lower_node(pod_lowered *function, const pod_ir_node *node)
{
    switch (node->op) {
    case POD_OP_PARAMETER:
        return true;
    case POD_OP_CONSTANT:
        return pod_lower_constant(function, node);
    case POD_OP_RESHAPE:
    case POD_OP_BITCAST:
    case POD_OP_BARRIER:
    case POD_OP_STOP_GRADIENT:
        return lower_view(function, node);
    case POD_OP_CHECK:
    case POD_OP_PRINT:
    case POD_OP_COND:
    case POD_OP_WHILE:
    case POD_OP_REDUCE:
        return pod_lower_control(function, node);
    default:
        return pod_lower_kernel(function, node);
    }
}

/* Returns whether an output can be made in its target at once: it is a temporary of this very function
 * that nothing else asked to be elsewhere. */
static bool can_unify(const pod_lowered *function, uint32_t base)
{
    const pod_slot *slot = &function->owner->slots[base];
    return slot->kind == POD_SLOT_ARENA && slot->level == function->owner->level;
}

/* Copies an output that lies in a slot which is going to be written, or is not this function's own. */
static bool through_copy(pod_lowered *function, uint32_t *output)
{
    const pod_slot *slot = &function->owner->slots[*output];
    uint32_t kept = pod_lower_slot(function->owner, slot->dtype, slot->shape);
    bool copied = kept != POD_SLOT_END && pod_lower_copy(function, *output, kept);
    *output = kept;
    return copied;
}

/* Puts one output where it is wanted, unless that is the place of a parameter that it updates. */
static bool place_output(pod_lowered *function, uint32_t target, bool update, uint32_t *output)
{
    pod_lowering *owner = function->owner;
    uint32_t base = pod_lower_base(owner, *output);
    assert(owner->slots[target].base == target);
    if (base == pod_lower_base(owner, target))
        return true;
    bool own = can_unify(function, base);
    if (update)
        return own || through_copy(function, output);
    if (!own)
        return pod_lower_copy(function, *output, target);
    owner->slots[base].base = target;
    return true;
}

/* Puts outputs where they are wanted. Parameters are updated last: what is still to be read of their
 * old values has then been read or copied. */
static bool place_outputs(pod_lowered *function, const uint32_t *targets, uint32_t *outputs)
{
    pod_lowering *owner = function->owner;
    const pod_ir *ir = function->ir;
    for (uint32_t i = 0; i < ir->output_count; i++) {
        outputs[i] = function->slots[ir->outputs[i]];
        bool update = ir->aliases[i] >= 0;
        if (targets && !place_output(function, targets[i], update, &outputs[i]))
            return false;
    }
    if (targets && !owner->options->no_fusion && !pod_place_in_place(function, targets, outputs))
        return false;
    for (uint32_t i = 0; targets && i < ir->output_count; i++) {
        bool there = pod_lower_base(owner, outputs[i]) == pod_lower_base(owner, targets[i]);
        if (ir->aliases[i] >= 0 && !there && !pod_lower_copy(function, outputs[i], targets[i]))
            return false;
    }
    return true;
}

pod_function *pod_lower_function(pod_lowering *lowering, const pod_ir *ir, const uint32_t *parameters,
                                 const uint32_t *targets, uint32_t *outputs)
{
    pod_lowered function = {.owner = lowering, .ir = ir};
    function.slots = pod_arena_array(lowering->scratch, ir->value_count, sizeof *function.slots);
    if (!function.slots) {
        pod_lower_no_memory(lowering);
        return NULL;
    }
    for (uint32_t i = 0; i < ir->value_count; i++)
        function.slots[i] = POD_SLOT_END;
    for (uint32_t i = 0; i < ir->parameter_count; i++)
        function.slots[ir->parameters[i]] = parameters[i];
    bool whole = lowering->level == 0;
    pod_lowered entry = {.owner = lowering, .ir = ir};
    if (!pod_lower_groups(&function) || !place_outputs(&function, targets, outputs) ||
        !pod_attach_packs(&function, whole ? &entry : NULL))
        return NULL;
    if (whole)
        pod_attach_poolings(&function);
    if (entry.count) {
        lowering->entry = pod_schedule(&entry);
        if (!lowering->entry)
            return NULL;
    }
    return pod_schedule(&function);
}
