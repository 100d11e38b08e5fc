/*
 * in_place - lets the instruction that makes a parameter's new value write it over the old one, where
 * nothing reads the old value later and nothing can fail later: a step that fails leaves its arguments
 * as they were. And lets large gradients of losses lie where the logits lay.
 */

#include "compile/compile_costs.h"
#include "compile/lower.h"

/* Instructions that write elements of a result once, after they have read what they need for them. */
static bool is_plain(const pod_instruction *one)
{
    return one->kind == POD_DO_LOOP || one->kind == POD_DO_PRODUCT || one->kind == POD_DO_COMBINE ||
           one->kind == POD_DO_CONVOLUTION || one->kind == POD_DO_KERNEL || one->kind == POD_DO_COPY;
}

/* Returns whether an operand may lie where the result does: this kernel writes what changes alone then. */
static bool updates_operand(const pod_instruction *one, uint32_t operand)
{
    return one->kind == POD_DO_KERNEL && one->op == POD_OP_DYNAMIC_UPDATE_SLICE && operand == 0;
}

/* Returns whether an instruction that reads a slot may write its results into it: a loop reads a block before it
 * writes it, if it reads the same elements. */
static bool reads_safely(const pod_lowering *lowering, const pod_instruction *one, uint32_t target)
{
    const pod_loop *loop = pod_instruction_loop(one);
    for (uint32_t i = 0; i < pod_instruction_own_operands(one); i++)
        if (pod_lower_base(lowering, one->slots[i]) == target && !updates_operand(one, i))
            return false;
    for (uint32_t i = 0; loop && i < loop->load_count; i++) {
        const pod_loop_load *load = &loop->loads[i];
        bool same = load->access == POD_ACCESS_DENSE && load->offset == 0;
        if (load->slot != POD_SLOT_END && !same && pod_lower_base(lowering, load->slot) == target)
            return false;
    }
    for (uint32_t i = 0; loop && i < loop->fold_count; i++)
        if (pod_lower_base(lowering, loop->folds[i].slot) == target)
            return false;
    return true;
}

static bool is_fold(const pod_instruction *one, uint32_t slot)
{
    const pod_loop *loop = pod_instruction_loop(one);
    for (uint32_t i = 0; loop && i < loop->fold_count; i++)
        if (loop->folds[i].slot == slot)
            return true;
    return false;
}

/* The gradient of a loss, where it may lie in the place of the logits, which `outputs` are not; else POD_SLOT_END. */
static uint32_t gradient_over_logits(const pod_lowered *function, uint32_t index, const pod_slot_users *users,
                                     const uint32_t *outputs)
{
    const pod_lowering *lowering = function->owner;
    const pod_instruction *one = function->instructions[index];
    if (one->kind != POD_DO_CROSS_ENTROPY || !one->cross_entropy.gradient)
        return POD_SLOT_END;
    uint32_t logits = pod_lower_base(lowering, one->slots[0]);
    uint32_t made = one->slots[one->operand_count + one->result_count - 1];
    const pod_slot *from = &lowering->slots[logits], *to = &lowering->slots[made];
    for (uint32_t i = 0; i < function->ir->output_count; i++)
        if (pod_lower_base(lowering, outputs[i]) == logits)
            return POD_SLOT_END;
    bool fits = from->kind == POD_SLOT_ARENA && to->kind == POD_SLOT_ARENA && from->bytes == to->bytes &&
                from->bytes >= POD_LATE_BYTES && from->level == lowering->level && to->level == lowering->level;
    bool is_last = pod_lower_base(lowering, made) == made && users[made].writers == 1 && users[logits].writers == 1 &&
                   users[logits].last_reader == index + 1;
    return fits && is_last ? made : POD_SLOT_END;
}

bool pod_compile_place_in_place(pod_lowered *function, const uint32_t *targets, const uint32_t *outputs)
{
    pod_lowering *lowering = function->owner;
    pod_slot_users *slots = pod_lower_slot_users(function);
    uint32_t last_fault = 0; /* 1 + the last instruction that may fail; 0: none */
    if (!slots)
        return false;
    for (uint32_t i = 0; i < function->count; i++)
        last_fault = function->instructions[i]->may_fail ? i + 1 : last_fault;
    for (uint32_t i = 0; i < function->count; i++) {
        uint32_t made = gradient_over_logits(function, i, slots, outputs);
        if (made != POD_SLOT_END)
            lowering->slots[made].base = pod_lower_base(lowering, function->instructions[i]->slots[0]);
    }
    for (uint32_t i = 0; i < function->ir->output_count; i++) {
        uint32_t base = pod_lower_base(lowering, outputs[i]);
        uint32_t target = pod_lower_base(lowering, targets[i]);
        const pod_slot_users *made = &slots[base], *old = &slots[target];
        if (function->ir->aliases[i] < 0 || base == target || lowering->slots[base].kind != POD_SLOT_ARENA ||
            lowering->slots[base].level != lowering->level || made->writers != 1 || old->writers)
            continue;
        const pod_instruction *maker = function->instructions[made->last_writer];
        bool free = old->last_reader <= made->last_writer + 1 && made->last_writer + 1 > last_fault;
        if (!free || !is_plain(maker) || is_fold(maker, base) || !reads_safely(lowering, maker, target))
            continue;
        lowering->slots[base].base = target;
        slots[target].writers++;
    }
    return true;
}
