/*
 * subgroups - makes subgroups of instructions that can go on with fewer rows than a chunk of their group has, and gives
 * each thread a block of memory for values that only its own rows of a chunk need.
 *
 * A chunk is as coarse as the instruction of the group with the largest unit wants it: with a product of 32 rows in
 * the group, and images for rows, what convolutions and poolings hand to each other for 32 images has left the cache
 * when it is read. Instructions that follow each other and can be cut finer form a subgroup, whose own chunks go
 * through all of it. Bits do not depend on chunks being taken by other threads: units begin where they began.
 */

#include "base/divisor.h"
#include "compile/schedule.h"
#include "base/sizes.h"
#include "compile/compile_costs.h"

#include <assert.h>

#define NONE UINT32_MAX

/* Holds what uses a slot. */
typedef struct slot_usage {
    const pod_group *group; /* the only one; NULL: not used yet */
    uint32_t first, last;   /* instructions */
    bool unfit;
    uint32_t writer; /* 1 + instruction of the group that is looked at; 0: none */
    bool shared;     /* by several of that group, of which one writes it */
} slot_usage;

typedef struct cutter {
    pod_lowering *lowering;
    pod_function *function;
    slot_usage *uses;               /* of each slot that is a base */
    uint32_t *placed, placed_count; /* slots of the group that have a place in the block */
    uint64_t bytes;
} cutter;

static slot_usage *use_of(const cutter *c, uint32_t slot)
{
    return &c->uses[pod_lower_base(c->lowering, slot)];
}

/* ---- uses ----------------------------------------------------------------------------------------- */

static void make_unfit(cutter *c, const pod_function *function)
{
    for (uint32_t i = 0; function && i < function->instruction_count; i++) {
        const pod_instruction *one = function->instructions[i];
        for (uint32_t j = 0; j < one->operand_count + one->result_count; j++)
            use_of(c, one->slots[j])->unfit = true;
        if (!pod_instruction_has_regions(one))
            continue;
        for (int j = 0; j < 2; j++) {
            make_unfit(c, one->region.functions[j]);
            if (one->region.outputs[j] && one->kind != POD_DO_COND)
                use_of(c, one->region.outputs[j][0])->unfit = true;
        }
        for (int j = 0; one->region.parameters && j < 2; j++)
            use_of(c, one->region.parameters[j])->unfit = true;
    }
}

static void note(cutter *c, const pod_group *group, uint32_t index)
{
    const pod_instruction *one = c->function->instructions[index];
    if (pod_instruction_has_regions(one)) {
        const pod_function alone = {.instructions = &c->function->instructions[index], .instruction_count = 1};
        make_unfit(c, &alone);
    }
    for (uint32_t i = 0; i < one->operand_count + one->result_count; i++) {
        slot_usage *u = use_of(c, one->slots[i]);
        const pod_slot *slot = &c->lowering->slots[pod_lower_base(c->lowering, one->slots[i])];
        u->unfit = u->unfit || slot->kind != POD_SLOT_ARENA || slot->kept || slot->level != 0 ||
                   (u->group && u->group != group) || c->lowering->slots[one->slots[i]].bytes != slot->bytes;
        u->first = u->group ? u->first : index;
        u->group = group;
        u->last = index;
    }
}

/* ---- cuts ------------------------------------------------------------------------------------------ */

/* The fewest rows that an instruction may be run for, where it is run for those of a unit in their order. */
static int64_t step_of(const pod_instruction *one)
{
    switch (one->kind) {
    case POD_DO_KERNEL:
        return one->kernel.sliced ? 1 : one->unit;
    case POD_DO_LOOP:
        return one->loop->pack_count ? one->unit : 1;
    case POD_DO_CONVOLUTION:
        if (!one->convolution.images)
            return one->unit;
        return one->convolution.call_images ? one->convolution.call_images : 1;
    default:
        return one->unit;
    }
}

/* Finds which slots instructions of a group hand to each other. */
static void find_shared(const cutter *c, const pod_group *group)
{
    enum { RESET, WRITERS, OTHERS, PASSES };
    for (int pass = 0; pass < PASSES; pass++)
        for (uint32_t i = group->first; i < group->first + group->count; i++) {
            const pod_instruction *one = c->function->instructions[i];
            uint32_t slots = one->operand_count + one->result_count;
            for (uint32_t j = pass == WRITERS ? one->operand_count : 0; j < slots; j++) {
                slot_usage *u = use_of(c, one->slots[j]);
                u->shared = pass != RESET && (u->shared || (u->writer && u->writer != i + 1));
                u->writer = pass == RESET ? 0 : pass == WRITERS ? i + 1 : u->writer;
            }
        }
}

/* Into how many equal parts an instruction can be cut so that each part needs of the others of its group the same part
 * alone. */
static int64_t parts_of(const cutter *c, const pod_instruction *one)
{
    int64_t step = step_of(one), parts = one->rows % step == 0 ? one->rows / step : 1;
    for (uint32_t i = 0; i < one->operand_count + one->result_count; i++) {
        if (use_of(c, one->slots[i])->shared)
            parts = pod_common_divisor(parts, one->parts[i]);
    }
    return parts;
}

/* Bytes that a part of a subgroup touches, each slot counted once. */
static uint64_t bytes_of_part(const cutter *c, const pod_subgroup *made)
{
    uint64_t bytes = 1;
    for (uint32_t i = made->first; i < made->first + made->count; i++) {
        const pod_instruction *one = c->function->instructions[i];
        for (uint32_t j = 0; j < one->operand_count + one->result_count; j++) {
            uint32_t base = pod_lower_base(c->lowering, one->slots[j]);
            bool counted = c->uses[base].first >= made->first && c->uses[base].first < i;
            if (one->parts[j] > 1 && !counted)
                bytes += c->lowering->slots[base].bytes / (uint64_t)made->parts;
        }
    }
    return bytes;
}

/* Parts of a subgroup that are taken through it at a time: a divisor of a unit, or some units. */
static int64_t chunk_of(const cutter *c, const pod_group *group, const pod_subgroup *made)
{
    int64_t finer = made->parts / group->parts, unit = group->unit * finer;
    int64_t chunk = group->chunk * finer, fit = (int64_t)(POD_SUBGROUP_BYTES / bytes_of_part(c, made));
    for (uint32_t i = made->first; i < made->first + made->count; i++) {
        int64_t pass = pod_compile_pass_parts(c->function->instructions[i], made->parts);
        fit = pass > fit && pass > 1 ? pass : fit;
    }
    if (made->count < 2 || fit >= chunk)
        return chunk;
    if (fit >= unit)
        return fit / unit * unit;
    fit = fit < 1 ? 1 : fit;
    while (unit % fit != 0)
        fit--;
    return fit;
}

/* The longest subgroup from an instruction on that can be cut as fine as its instructions. */
static pod_subgroup subgroup_from(const cutter *c, const pod_group *group, uint32_t first)
{
    const pod_instruction *const *all = (const pod_instruction *const *)c->function->instructions;
    pod_subgroup made = {first, 1, parts_of(c, all[first]), 0};
    uint32_t end = group->first + group->count;
    if (made.parts % group->parts != 0)
        return (pod_subgroup){first, 1, group->parts, group->chunk};
    for (uint32_t i = first + 1; i < end; i++, made.count++) {
        int64_t own = parts_of(c, all[i]), both = pod_common_divisor(own, made.parts);
        if (own % group->parts != 0 || (both < own && both < made.parts))
            break;
        made.parts = both;
    }
    made.chunk = chunk_of(c, group, &made);
    if (made.chunk == group->chunk * (made.parts / group->parts))
        return (pod_subgroup){first, made.count, group->parts, group->chunk};
    return made;
}

/* Cuts a group where that makes subgroups; neighbours that take whole chunks are one subgroup. */
static bool cut_group(cutter *c, pod_group *group)
{
    pod_subgroup *subgroups = pod_arena_array(c->lowering->memory, group->count, sizeof *subgroups);
    uint32_t count = 0;
    if (!subgroups)
        return pod_lower_no_memory(c->lowering);
    find_shared(c, group);
    for (uint32_t i = group->first; i < group->first + group->count;) {
        pod_subgroup made = subgroup_from(c, group, i);
        pod_subgroup *before = count ? &subgroups[count - 1] : NULL;
        bool whole = made.parts == group->parts && made.chunk == group->chunk;
        i += made.count;
        if (whole && before && before->parts == made.parts && before->chunk == made.chunk)
            before->count += made.count;
        else
            subgroups[count++] = made;
    }
    group->subgroups = subgroups;
    group->subgroup_count = count;
    return true;
}

/* ---- blocks ---------------------------------------------------------------------------------------- */

static const pod_subgroup *subgroup_with(const pod_group *group, uint32_t index)
{
    uint32_t i = 0;
    while (index >= group->subgroups[i].first + group->subgroups[i].count)
        i++;
    return &group->subgroups[i];
}

/* Returns whether all uses of a slot touch its rows alone, where they are cut into so many parts. */
static bool is_by_rows(const cutter *c, const slot_usage *u, uint32_t base, int64_t parts)
{
    for (uint32_t i = u->first; i <= u->last; i++) {
        const pod_instruction *one = c->function->instructions[i];
        for (uint32_t j = 0; j < one->operand_count + one->result_count; j++)
            if (pod_lower_base(c->lowering, one->slots[j]) == base &&
                !pod_program_rows_alone(c->lowering->slots, one, j, parts))
                return false;
    }
    return true;
}

/* The lowest place in the block that is free while the slot is used. */
static uint64_t find_place(const cutter *c, uint32_t base, uint64_t bytes)
{
    const pod_slot *slots = c->lowering->slots;
    const slot_usage *own = &c->uses[base];
    uint64_t offset = 0;
    for (uint32_t i = 0; i < c->placed_count;) {
        const pod_slot *other = &slots[c->placed[i]];
        const slot_usage *its = &c->uses[c->placed[i]];
        uint64_t end = pod_round_up_bytes(other->offset + other->chunk_bytes, 64);
        bool disjoint =
            its->last < own->first || own->last < its->first || end <= offset || offset + bytes <= other->offset;
        offset = disjoint ? offset : end;
        i = disjoint ? i + 1 : 0;
    }
    return offset;
}

/* Moves a slot to the threads' blocks, if it can be there. */
static void move_slot(cutter *c, const pod_group *group, uint32_t base)
{
    pod_slot *slot = &c->lowering->slots[base];
    slot_usage *u = &c->uses[base];
    const pod_subgroup *from = subgroup_with(group, u->first), *to = subgroup_with(group, u->last);
    bool of_subgroup = from == to;
    int64_t parts = of_subgroup ? from->parts : group->parts;
    int64_t chunk = of_subgroup ? from->chunk : group->chunk;
    assert(parts > 0 && chunk > 0 && u->first <= u->last);
    if (parts / chunk < POD_FEWEST_PIECES || slot->bytes % (uint64_t)parts != 0 || !slot->bytes ||
        !is_by_rows(c, u, base, parts))
        return;
    if (!of_subgroup) { /* what other subgroups make again and again must not lie in its place */
        u->first = from->first;
        u->last = to->first + to->count - 1;
    }
    slot->part_bytes = slot->bytes / (uint64_t)parts;
    slot->chunk_bytes = slot->part_bytes * (uint64_t)chunk;
    slot->offset = find_place(c, base, slot->chunk_bytes);
    slot->kind = POD_SLOT_BLOCK;
    slot->of_subgroup = of_subgroup;
    c->placed[c->placed_count++] = base;
    uint64_t end = pod_round_up_bytes(slot->offset + slot->chunk_bytes, 64);
    c->bytes = end > c->bytes ? end : c->bytes;
}

/* Also what nobody reads but the loop that packs it. */
static void move_slots(cutter *c, const pod_group *group)
{
    c->placed_count = 0;
    for (uint32_t i = group->first; i < group->first + group->count; i++) {
        const pod_instruction *one = c->function->instructions[i];
        for (uint32_t j = 0; j < one->result_count; j++) {
            uint32_t base = pod_lower_base(c->lowering, one->slots[one->operand_count + j]);
            const slot_usage *u = &c->uses[base];
            if (!u->unfit && u->first == i && c->lowering->slots[base].kind == POD_SLOT_ARENA)
                move_slot(c, group, base);
        }
    }
}

bool pod_compile_cut_subgroups(pod_lowering *lowering, pod_function *function, uint64_t *bytes)
{
    cutter c = {.lowering = lowering, .function = function};
    c.uses = pod_arena_array(lowering->scratch, lowering->slot_count, sizeof *c.uses);
    c.placed = pod_arena_array(lowering->scratch, lowering->slot_count, sizeof *c.placed);
    if (!c.uses || !c.placed)
        return pod_lower_no_memory(lowering);
    make_unfit(&c, lowering->entry);
    for (uint32_t i = 0; i < function->group_count; i++)
        for (uint32_t j = 0; j < function->groups[i].count; j++)
            note(&c, &function->groups[i], function->groups[i].first + j);
    for (uint32_t i = 0; i < function->group_count; i++) {
        pod_group *group = &function->groups[i];
        if (group->count < 2 || group->parts < POD_FEWEST_PIECES)
            continue;
        if (!cut_group(&c, group))
            return false;
        move_slots(&c, group);
    }
    *bytes = c.bytes;
    return true;
}
