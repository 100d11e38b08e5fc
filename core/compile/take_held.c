/*
 * take_held - what is made of held arguments alone is made when these change, not in each run: packed weights, scales
 * of normalisations, weights in 16 bits. Its instructions go to the program's entry, and what others read of it is
 * kept.
 */

#include "compile/compile_costs.h"
#include "compile/lower.h"

/* Finds what goes. */
typedef struct finder {
    const pod_lowered *function;
    const pod_slot_users *users; /* of each slot that is a base */
    uint32_t *taken;             /* of each such slot: how many of those that write there go */
    bool *goes;                  /* of each instruction */
} finder;

static bool writes_to(const finder *f, const pod_instruction *one, uint32_t base)
{
    for (uint32_t i = 0; i < one->result_count; i++)
        if (pod_lower_base(f->function->owner, one->slots[one->operand_count + i]) == base)
            return true;
    return false;
}

/* Returns whether a value stays as it is while held arguments do; *held tells whether it depends on any. */
static bool is_settled(const finder *f, uint32_t base, bool *held)
{
    const pod_slot *slot = &f->function->owner->slots[base];
    if (slot->kind == POD_SLOT_LITERAL)
        return true;
    *held = true;
    if (slot->kind == POD_SLOT_PARAMETER)
        return f->function->owner->options->held[slot->index] && f->users[base].writers == 0;
    return f->users[base].writers > 0 && f->taken[base] == f->users[base].writers;
}

/* Returns whether an instruction can go. The phases of a convolution write to one place, and read the same. */
static bool can_go(const finder *f, const pod_instruction *one)
{
    const pod_lowering *owner = f->function->owner;
    bool held = false;
    if (one->may_fail || one->kind == POD_DO_PRINT || pod_instruction_has_regions(one))
        return false;
    for (uint32_t i = 0; i < one->result_count; i++) {
        const uint32_t base = pod_lower_base(owner, one->slots[one->operand_count + i]);
        const pod_slot *slot = &owner->slots[base];
        if (slot->kind != POD_SLOT_ARENA || slot->kept ||
            (f->users[base].writers > 1 && one->kind != POD_DO_CONVOLUTION))
            return false;
    }
    for (uint32_t i = 0; i < one->operand_count; i++) {
        const uint32_t base = pod_lower_base(owner, one->slots[i]);
        const bool goes_on = one->kind == POD_DO_CONVOLUTION && writes_to(f, one, base);
        if (!goes_on && !is_settled(f, base, &held))
            return false;
    }
    return held;
}

/* Finds the instructions that go; returns the operations of those that stay. */
static double find(const finder *f)
{
    double flops = 0;
    for (uint32_t i = 0; i < f->function->count; i++) {
        const pod_instruction *one = f->function->instructions[i];
        f->goes[i] = can_go(f, one);
        flops += f->goes[i] ? 0 : one->flops;
        for (uint32_t j = 0; f->goes[i] && j < one->result_count; j++)
            f->taken[pod_lower_base(f->function->owner, one->slots[one->operand_count + j])]++;
    }
    return flops;
}

/* Keeps, or no longer, what those that stay read of what goes; returns its bytes. */
static uint64_t set_kept(const finder *f, bool kept)
{
    pod_slot *slots = f->function->owner->slots;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < f->function->count; i++) {
        const pod_instruction *one = f->function->instructions[i];
        for (uint32_t j = 0; !f->goes[i] && j < one->operand_count; j++) {
            const uint32_t base = pod_lower_base(f->function->owner, one->slots[j]);
            if (f->taken[base] == 0 || slots[base].kept == kept)
                continue;
            slots[base].kept = kept;
            bytes += slots[base].bytes;
        }
    }
    return bytes;
}

bool pod_compile_take_held(pod_lowered *function, pod_lowered *entry)
{
    pod_lowering *owner = function->owner;
    if (!owner->options->held)
        return true;
    pod_instruction **all = pod_arena_array(owner->scratch, (size_t)entry->count + function->count, sizeof *all);
    finder f = {function, pod_lower_slot_users(function),
                pod_arena_array(owner->scratch, owner->slot_count, sizeof *f.taken),
                pod_arena_array(owner->scratch, function->count, sizeof *f.goes)};
    if (!f.users || !f.taken || !f.goes || !all)
        return pod_lower_no_memory(owner);
    const double flops = find(&f);
    if (flops > POD_HELD_FLOPS * (double)set_kept(&f, true)) {
        (void)set_kept(&f, false);
        return true;
    }
    for (uint32_t i = 0; i < entry->count; i++)
        all[i] = entry->instructions[i];
    uint32_t stays = 0;
    for (uint32_t i = 0; i < function->count; i++) {
        pod_instruction *one = function->instructions[i];
        *(f.goes[i] ? &all[entry->count++] : &function->instructions[stays++]) = one;
    }
    entry->instructions = all;
    function->count = stays;
    return true;
}
