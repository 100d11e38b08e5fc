/* lowered - see lowered.h. */

#include "compile/lowered.h"

#include "base/context.h"
#include "base/error.h"
#include "base/growth.h"
#include "base/sizes.h"
#include "compile/compile_costs.h"

#include <assert.h>
#include <string.h>

bool pod_lower_no_memory(pod_lowering *lowering)
{
    pod_error_set(lowering->error, POD_ERROR_MEMORY, "no memory to compile the graph");
    return false;
}

bool pod_lower_goes_on(pod_lowering *lowering)
{
    if (!pod_context_is_interrupted(lowering->context))
        return true;
    pod_error_set(lowering->error, POD_ERROR_INTERRUPTED, "the compilation was interrupted");
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

uint32_t pod_lower_result(pod_lowered *function, pod_ref value)
{
    const pod_ir_value *type = &function->ir->values[value];
    function->slots[value] = pod_lower_slot(function->owner, type->dtype, type->shape);
    return function->slots[value];
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
    made->rows = made->unit = 1;
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

pod_slot_users *pod_lower_slot_users(const pod_lowered *function)
{
    pod_lowering *owner = function->owner;
    pod_slot_users *slots = pod_arena_array(owner->scratch, owner->slot_count, sizeof *slots);
    if (!slots)
        pod_lower_no_memory(owner);
    for (uint32_t i = 0; slots && i < function->count; i++) {
        const pod_instruction *one = function->instructions[i];
        for (uint32_t j = 0; j < one->operand_count + one->result_count; j++) {
            pod_slot_users *u = &slots[pod_lower_base(owner, one->slots[j])];
            if (j < one->operand_count) {
                u->last_reader = i + 1;
                continue;
            }
            u->writers += u->writers == 0 || u->last_writer != i;
            u->last_writer = i;
        }
    }
    return slots;
}
