/* stored_program - slots, functions and literals of a program as bytes: see stored.h. */

#include "store/stored.h"

#define SLOT_BYTES        24 /* of a slot, an instruction, a group and a phase at least */
#define INSTRUCTION_BYTES 32
#define GROUP_BYTES       48
#define PHASE_BYTES       18
#define STRIP_BYTES       24

static void store_slot(pod_stored *s, pod_slot *slot)
{
    pod_shape *shape = pod_store_array(s, slot->shape, 1, sizeof *shape);
    if (s->failed)
        return;
    pod_store_shape(s, shape);
    slot->shape = shape;
    slot->kind = (pod_slot_kind)pod_store_below(s, slot->kind, POD_SLOT_LITERAL + 1);
    slot->dtype = (pod_dtype)pod_store_below(s, slot->dtype, POD_DTYPE_END);
    slot->base = pod_store_u32(s, slot->base);
    slot->index = pod_store_u32(s, slot->index);
    slot->level = pod_store_u32(s, slot->level);
    slot->offset = pod_store_u64(s, slot->offset);
    slot->part_bytes = pod_store_u64(s, slot->part_bytes);
    slot->room = pod_store_u64(s, slot->room);
    slot->of_strip = pod_store_bool(s, slot->of_strip);
    if (!s->writes)
        slot->bytes = (uint64_t)pod_shape_elements(shape) * pod_dtype_size(slot->dtype);
}

static void store_strip(pod_stored *s, pod_strip *strip)
{
    strip->first = pod_store_u32(s, strip->first);
    strip->count = pod_store_u32(s, strip->count);
    strip->parts = pod_store_i64(s, strip->parts);
    strip->chunk = pod_store_i64(s, strip->chunk);
}

static void store_group(pod_stored *s, pod_group *group)
{
    group->first = pod_store_u32(s, group->first);
    group->count = pod_store_u32(s, group->count);
    group->parts = pod_store_i64(s, group->parts);
    group->grain = pod_store_i64(s, group->grain);
    group->chunk = pod_store_i64(s, group->chunk);
    group->unit_cost = pod_store_f64(s, group->unit_cost);
    group->cost_before = pod_store_f64(s, group->cost_before);
    group->strip_count = pod_store_count(s, group->strip_count, STRIP_BYTES);
    group->strips = pod_store_array(s, group->strips, group->strip_count, sizeof(pod_strip));
    for (uint32_t i = 0; i < group->strip_count && !s->failed; i++)
        store_strip(s, &group->strips[i]);
}

static void store_phase(pod_stored *s, pod_phase *phase)
{
    phase->first = pod_store_u32(s, phase->first);
    phase->count = pod_store_u32(s, phase->count);
    phase->serial = pod_store_bool(s, phase->serial);
    phase->commits = pod_store_bool(s, phase->commits);
    phase->cost = pod_store_f64(s, phase->cost);
}

static pod_function *store_function(const pod_stored_part *part, pod_function *function)
{
    pod_stored *s = part->stored;
    if (part->depth > POD_MAX_REGION_DEPTH)
        s->failed = true;
    pod_function *f = pod_store_array(s, function, 1, sizeof *f);
    if (s->failed)
        return pod_store_kept(s, f);
    f->instruction_count = pod_store_count(s, f->instruction_count, INSTRUCTION_BYTES);
    f->instructions = pod_store_array(s, f->instructions, f->instruction_count, sizeof(pod_instruction *));
    for (uint32_t i = 0; i < f->instruction_count && !s->failed; i++) {
        f->instructions[i] = pod_store_array(s, f->instructions[i], 1, sizeof(pod_instruction));
        if (!s->failed)
            pod_store_instruction(part, f->instructions[i]);
    }
    f->group_count = pod_store_count(s, f->group_count, GROUP_BYTES);
    f->groups = pod_store_array(s, f->groups, f->group_count, sizeof(pod_group));
    for (uint32_t i = 0; i < f->group_count && !s->failed; i++)
        store_group(s, &f->groups[i]);
    f->phase_count = pod_store_count(s, f->phase_count, PHASE_BYTES);
    f->phases = pod_store_array(s, f->phases, f->phase_count, sizeof(pod_phase));
    for (uint32_t i = 0; i < f->phase_count && !s->failed; i++)
        store_phase(s, &f->phases[i]);
    return pod_store_kept(s, f);
}

void pod_store_program(pod_stored *s, pod_program *program, const pod_places *places)
{
    program->arena_bytes = pod_store_u64(s, program->arena_bytes);
    program->literal_bytes = pod_store_u64(s, program->literal_bytes);
    program->block_bytes = pod_store_u64(s, program->block_bytes);
    program->stats.kernels_fused = (size_t)pod_store_u64(s, program->stats.kernels_fused);
    program->slot_count = pod_store_count(s, program->slot_count, SLOT_BYTES);
    program->slots = pod_store_array(s, program->slots, program->slot_count, sizeof(pod_slot));
    for (uint32_t i = 0; i < program->slot_count && !s->failed; i++)
        store_slot(s, &program->slots[i]);
    const pod_stored_part part = {s, places, program->kernels, 0, store_function};
    program->function = store_function(&part, program->function);
    if (pod_store_bool(s, program->entry != NULL))
        program->entry = store_function(&part, program->entry);
}
