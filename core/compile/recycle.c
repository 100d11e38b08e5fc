/*
 * recycle - lets values that live within one group of a phase lie in each other's places. A thread takes
 * some parts through all instructions of a group, so when a value has been read for the last time, its
 * part of the memory is free for the same part of another value of that size: a deep network's forward
 * pass needs the memory of two layers, not of all. The same holds of a group of one part, which one thread runs.
 */

#include "compile/schedule.h"

#include <assert.h>

#define NONE UINT32_MAX

/* The one group that uses a slot. What is kept for the next step is used there, too, and so unfit. */
typedef struct usage {
    const pod_group *group; /* NULL: not used yet */
    uint32_t last;          /* instruction */
    uint32_t next_free;     /* slot, in the list of those that are free */
    bool unfit;
} usage;

typedef struct recycler {
    pod_lowering *lowering;
    usage *slots;
    uint32_t *roots; /* of each slot: where it lies before anything is recycled */
    uint32_t free;   /* first free slot */
    uint32_t level;
} recycler;

static void note(recycler *r, const pod_group *group, const pod_instruction *one, uint32_t at, uint32_t index)
{
    uint32_t base = r->roots[one->slots[at]];
    const pod_slot *slot = &r->lowering->slots[base];
    usage *u = &r->slots[base];
    if (slot->kind != POD_SLOT_ARENA || slot->kept || slot->level != r->level || (u->group && u->group != group) ||
        one->parts[at] % group->parts != 0 || slot->bytes % (uint64_t)group->parts != 0)
        u->unfit = true;
    u->group = group;
    u->last = index;
}

/* What the engine itself reads of a region. */
static void note_outputs(recycler *r, const pod_instruction *one)
{
    for (int i = 0; i < 2; i++)
        if (one->region.outputs[i] && one->kind != POD_DO_COND)
            r->slots[r->roots[one->region.outputs[i][0]]].unfit = true;
}

static void note_all(recycler *r, const pod_function *function)
{
    for (uint32_t i = 0; function && i < function->group_count; i++) {
        const pod_group *group = &function->groups[i];
        for (uint32_t j = group->first; j < group->first + group->count; j++) {
            const pod_instruction *one = function->instructions[j];
            for (uint32_t k = 0; k < one->operand_count + one->result_count; k++)
                note(r, group, one, k, j);
            if (!pod_instruction_has_regions(one))
                continue;
            r->level++;
            for (int k = 0; k < 2; k++)
                note_all(r, one->region.functions[k]);
            r->level--;
            note_outputs(r, one);
        }
    }
}

/* Takes a free slot of this size for a result that has none of its own yet. */
static void give_place(recycler *r, uint32_t base)
{
    pod_slot *slots = r->lowering->slots;
    uint32_t *at = &r->free;
    for (int tries = 0; *at != NONE && tries < 16; tries++) {
        uint32_t found = *at;
        if (slots[found].bytes == slots[base].bytes) {
            assert(found != base && slots[found].base == found);
            *at = r->slots[found].next_free;
            slots[base].base = found;
            return;
        }
        at = &r->slots[found].next_free;
    }
}

static void recycle_group(recycler *r, const pod_function *function, const pod_group *group)
{
    r->free = NONE;
    for (uint32_t j = group->first; j < group->first + group->count; j++) {
        const pod_instruction *one = function->instructions[j];
        for (uint32_t k = 0; k < one->result_count; k++) {
            uint32_t base = r->roots[one->slots[one->operand_count + k]];
            usage *u = &r->slots[base];
            if (!u->unfit && u->group == group && u->last > j)
                give_place(r, base);
        }
        for (uint32_t k = 0; k < one->operand_count + one->result_count; k++) {
            uint32_t own = r->roots[one->slots[k]];
            usage *u = &r->slots[own];
            if (u->unfit || u->group != group || u->last != j)
                continue;
            uint32_t place = pod_lower_base(r->lowering, own);
            u->unfit = true; /* given back once */
            r->slots[place].next_free = r->free;
            r->free = place;
        }
    }
}

static void recycle_all(recycler *r, const pod_function *function)
{
    if (!function)
        return;
    for (uint32_t i = 0; i < function->group_count; i++)
        recycle_group(r, function, &function->groups[i]);
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const pod_instruction *one = function->instructions[i];
        for (int k = 0; k < 2; k++)
            recycle_all(r, pod_instruction_region(one, k));
    }
}

bool pod_compile_recycle_slots(pod_lowering *lowering, const pod_function *function)
{
    recycler r = {.lowering = lowering};
    r.slots = pod_arena_array(lowering->scratch, lowering->slot_count, sizeof *r.slots);
    r.roots = pod_arena_array(lowering->scratch, lowering->slot_count, sizeof *r.roots);
    if (!r.slots || !r.roots)
        return pod_lower_no_memory(lowering);
    for (uint32_t i = 0; i < lowering->slot_count; i++)
        r.roots[i] = pod_lower_base(lowering, i);
    note_all(&r, function);
    recycle_all(&r, function);
    return true;
}
