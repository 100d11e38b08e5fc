/*
 * in_place - lets the instruction that makes a parameter's new value write it over the old one, where
 * nothing reads the old value later and nothing can fail later: a step that fails leaves its arguments
 * as they were.
 */

#include "compile/lower.h"

/* Holds what happens to a slot over the list of instructions. */
typedef struct history {
    uint32_t writer, writes;
    uint32_t last_reader; /* 1 + the last instruction that reads it, other than `writer`; 0: none */
} history;

/* Instructions that write elements of a result once, after they have read what they need for them. */
static bool is_plain(const pod_instruction *one)
{
    return one->kind == POD_DO_LOOP || one->kind == POD_DO_PRODUCT || one->kind == POD_DO_COMBINE ||
           one->kind == POD_DO_CONVOLUTION || one->kind == POD_DO_KERNEL || one->kind == POD_DO_COPY;
}

/* Returns whether an instruction that reads a slot may write its results into it: a loop reads a block before it
 * writes it, if it reads the same elements. */
static bool reads_safely(const pod_lowering *lowering, const pod_instruction *one, uint32_t target)
{
    const pod_loop *loop = pod_instruction_loop(one);
    for (uint32_t i = 0; i < pod_instruction_own_operands(one); i++)
        if (pod_lower_base(lowering, one->slots[i]) == target)
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

static void read_history(const pod_lowered *function, history *slots, uint32_t *last_fault)
{
    const pod_lowering *lowering = function->owner;
    *last_fault = 0;
    for (uint32_t i = 0; i < function->count; i++) {
        const pod_instruction *one = function->instructions[i];
        for (uint32_t j = 0; j < one->result_count; j++) {
            history *h = &slots[pod_lower_base(lowering, one->slots[one->operand_count + j])];
            h->writer = i;
            h->writes++;
        }
        for (uint32_t j = 0; j < one->operand_count; j++)
            slots[pod_lower_base(lowering, one->slots[j])].last_reader = i + 1;
        if (one->may_fail)
            *last_fault = i + 1;
    }
}

static bool is_fold(const pod_instruction *one, uint32_t slot)
{
    const pod_loop *loop = pod_instruction_loop(one);
    for (uint32_t i = 0; loop && i < loop->fold_count; i++)
        if (loop->folds[i].slot == slot)
            return true;
    return false;
}

bool pod_compile_place_in_place(pod_lowered *function, const uint32_t *targets, const uint32_t *outputs)
{
    pod_lowering *lowering = function->owner;
    history *slots = pod_arena_array(lowering->scratch, lowering->slot_count, sizeof *slots);
    uint32_t last_fault;
    if (!slots)
        return pod_lower_no_memory(lowering);
    read_history(function, slots, &last_fault);
    for (uint32_t i = 0; i < function->ir->output_count; i++) {
        uint32_t base = pod_lower_base(lowering, outputs[i]);
        uint32_t target = pod_lower_base(lowering, targets[i]);
        const history *made = &slots[base], *old = &slots[target];
        if (function->ir->aliases[i] < 0 || base == target || lowering->slots[base].kind != POD_SLOT_ARENA ||
            lowering->slots[base].level != lowering->level || made->writes != 1 || old->writes)
            continue;
        const pod_instruction *maker = function->instructions[made->writer];
        bool free = old->last_reader <= made->writer + 1 && made->writer + 1 > last_fault;
        if (!free || !is_plain(maker) || is_fold(maker, base) || !reads_safely(lowering, maker, target))
            continue;
        lowering->slots[base].base = target;
        slots[target].writes++;
    }
    return true;
}
