/* lower - see lower.h. Here: a whole function, and where its outputs are put. */

#include "compile/lower.h"
#include "compile/schedule.h"

#include <assert.h>

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
    if (targets && !owner->options->no_fusion && !pod_compile_place_in_place(function, targets, outputs))
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
    if (!pod_lower_stages(&function) || !place_outputs(&function, targets, outputs) ||
        !pod_compile_attach_packs(&function, whole ? &entry : NULL))
        return NULL;
    if (whole)
        pod_compile_attach_poolings(&function);
    if (whole && !pod_compile_take_held(&function, &entry))
        return NULL;
    if (entry.count) {
        lowering->entry = pod_compile_schedule(&entry);
        if (!lowering->entry)
            return NULL;
    }
    return pod_compile_schedule(&function);
}
