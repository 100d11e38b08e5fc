/* verify_program - proves that slots lie in their memory and that phases and groups cover only what there is: see
 * verify.h. */

#ifndef NDEBUG

#include "base/error.h"
#include "base/sizes.h"
#include "verify/verify.h"

#include <assert.h>

/* ---- slots ---------------------------------------------------------------------------------------------- */

static uint64_t bytes_of(const pod_signature *signature)
{
    return (uint64_t)pod_shape_elements(&signature->shape) * pod_dtype_size(signature->dtype);
}

static bool fits(uint64_t offset, uint64_t bytes, uint64_t memory)
{
    return offset % 64 == 0 && offset <= memory && bytes <= memory - offset;
}

static bool verify_slot(const pod_program *program, const pod_slot *slot)
{
    int64_t elements = pod_shape_elements(slot->shape);
    int64_t bytes = pod_verify_times(elements, (int64_t)pod_dtype_size(slot->dtype));
    if (slot->dtype == POD_DTYPE_NONE || bytes < 0 || slot->bytes != (uint64_t)bytes ||
        slot->base >= program->slot_count)
        return false;
    switch (slot->kind) {
    case POD_SLOT_NONE:
        return true;
    case POD_SLOT_ARENA:
        return fits(slot->offset, slot->bytes, program->arena_bytes);
    case POD_SLOT_BLOCK:
        return fits(slot->offset, slot->chunk_bytes, program->block_bytes);
    case POD_SLOT_LITERAL:
        return fits(slot->offset, slot->bytes, program->literal_bytes);
    case POD_SLOT_PARAMETER:
        return slot->index < program->parameter_count && slot->bytes <= bytes_of(&program->parameters[slot->index]);
    case POD_SLOT_OUTPUT:
        return slot->index < program->output_count && program->outputs[slot->index].alias < 0 &&
               slot->bytes <= bytes_of(&program->outputs[slot->index]);
    }
    return false;
}

/* Returns whether memory ends where the last slot of a kind in it does, and slots could fill it. */
static bool is_filled(const pod_program *program, pod_slot_kind kind, uint64_t memory)
{
    uint64_t end = 0, sum = 0;
    for (uint32_t i = 0; i < program->slot_count; i++) {
        const pod_slot *slot = &program->slots[i];
        if (slot->kind != kind)
            continue;
        uint64_t bytes = pod_round_up_bytes(kind == POD_SLOT_BLOCK ? slot->chunk_bytes : slot->bytes, 64);
        end = slot->offset + bytes > end ? slot->offset + bytes : end;
        sum = sum > UINT64_MAX - bytes ? UINT64_MAX : sum + bytes;
    }
    return memory == end && memory <= sum;
}

/* ---- functions ------------------------------------------------------------------------------------------- */

/* Units of a group begin where every instruction may begin. */
static bool verify_group(const pod_function *function, const pod_group *group)
{
    if (group->first > function->instruction_count || group->count > function->instruction_count - group->first ||
        group->parts < 0 || group->unit < 1 || group->chunk < 1 || group->chunk % group->unit != 0 ||
        group->parts > INT64_MAX / 4 || group->unit > INT64_MAX / 4 || group->chunk > INT64_MAX / 4)
        return false;
    for (uint32_t i = 0; i < group->count && group->parts > 0; i++) {
        const pod_instruction *one = function->instructions[group->first + i];
        int64_t rows = one->rows / group->parts;
        bool whole = group->unit >= group->parts;
        if (one->rows % group->parts != 0 || (!whole && pod_verify_times(rows, group->unit) % one->unit != 0))
            return false;
    }
    return true;
}

/* Returns whether an instruction keeps to the rows of a slot that lie in its thread's block while it is at a part. */
static bool verify_block_slots(const pod_verifier *v, const pod_instruction *one, const pod_group *group,
                               const pod_subgroup *subgroup)
{
    for (uint32_t i = 0; i < one->operand_count + one->result_count; i++) {
        const pod_slot *slot = &v->program->slots[one->slots[i]];
        int64_t parts = slot->of_subgroup ? subgroup->parts : group->parts;
        int64_t chunk = slot->of_subgroup ? subgroup->chunk : group->chunk;
        if (slot->kind != POD_SLOT_BLOCK)
            continue;
        if (slot->part_bytes > INT64_MAX || slot->bytes > INT64_MAX || slot->chunk_bytes > INT64_MAX ||
            pod_verify_times(parts, (int64_t)slot->part_bytes) != (int64_t)slot->bytes ||
            pod_verify_times(chunk, (int64_t)slot->part_bytes) != (int64_t)slot->chunk_bytes ||
            !pod_program_rows_alone(v->program->slots, one, i, parts))
            return false;
    }
    return true;
}

/* Subgroups hold the instructions of their group one behind the other. Only they know threads' blocks. */
static bool verify_subgroups(const pod_verifier *v, const pod_function *function, const pod_group *group)
{
    const pod_subgroup all = {group->first, group->count, group->parts, group->chunk};
    uint32_t count = group->subgroup_count ? group->subgroup_count : 1, next = group->first;
    for (uint32_t i = 0; i < count; i++) {
        const pod_subgroup *subgroup = group->subgroup_count ? &group->subgroups[i] : &all;
        if (subgroup->first != next || subgroup->count > group->first + group->count - next || subgroup->parts < 0 ||
            subgroup->chunk < 1 || subgroup->parts > INT64_MAX / 4 || subgroup->chunk > INT64_MAX / 4 ||
            (group->parts > 0 ? subgroup->parts % group->parts != 0 : subgroup->parts != 0))
            return false;
        for (next += subgroup->count; group->parts > 0 && next > subgroup->first;) {
            const pod_instruction *one = function->instructions[--next];
            assert(next >= group->first && next < function->instruction_count);
            if (subgroup->parts == 0 || one->rows % subgroup->parts != 0 ||
                !verify_block_slots(v, one, group, subgroup))
                return false;
        }
        next = subgroup->first + subgroup->count;
    }
    return next == group->first + group->count;
}

static bool verify_phase(const pod_function *function, const pod_phase *phase)
{
    if (phase->count == 0 || phase->first > function->group_count ||
        phase->count > function->group_count - phase->first)
        return false;
    const pod_group *groups = function->groups + phase->first;
    if (phase->serial)
        return phase->count == 1 && groups[0].count == 1 &&
               pod_instruction_is_serial(function->instructions[groups[0].first]);
    for (uint32_t i = 0; i < phase->count; i++)
        for (uint32_t j = 0; j < groups[i].count; j++)
            if (pod_instruction_is_serial(function->instructions[groups[i].first + j]))
                return false;
    return true;
}

static bool verify_function(pod_verifier *v, const pod_function *function)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const pod_instruction *one = function->instructions[i];
        if (!pod_verify_instruction(v, one))
            return false;
        for (int j = 0; j < 2; j++)
            if (pod_instruction_region(one, j) && !verify_function(v, pod_instruction_region(one, j)))
                return false;
    }
    for (uint32_t i = 0; i < function->group_count; i++)
        if (!verify_group(function, &function->groups[i]) || !verify_subgroups(v, function, &function->groups[i]))
            return pod_verify_fail(v, "a group does not fit its instructions");
    for (uint32_t i = 0; i < function->phase_count; i++)
        if (!verify_phase(function, &function->phases[i]))
            return pod_verify_fail(v, "a phase does not fit its groups");
    return true;
}

bool pod_verify_whole(pod_verifier *v)
{
    const pod_program *program = v->program;
    if (program->block_bytes % 64 != 0) /* what lies behind it in scratch is aligned, too */
        return pod_verify_fail(v, "threads' blocks have no good size");
    for (uint32_t i = 0; i < program->slot_count; i++)
        if (!verify_slot(program, &program->slots[i]))
            return pod_verify_fail(v, "a slot lies outside of its memory");
    if (!is_filled(program, POD_SLOT_ARENA, program->arena_bytes) ||
        !is_filled(program, POD_SLOT_BLOCK, program->block_bytes))
        return pod_verify_fail(v, "there is memory that no slot lies in");
    return verify_function(v, program->function) && (!program->entry || verify_function(v, program->entry));
}

pod_status pod_verify_program(const pod_program *program, const pod_compile_options *options, pod_error *error)
{
    pod_arena scratch;
    pod_arena_init(&scratch, program->context);
    pod_verifier v = {.program = program, .options = options, .scratch = &scratch};
    pod_status status = pod_graph_new(program->context, "kernels", &v.graph, error);
    if (status == POD_OK && !pod_verify_whole(&v)) {
        assert(v.what || v.lacks_memory || pod_graph_check(v.graph, NULL) != POD_OK);
        status = v.lacks_memory ? POD_ERROR_MEMORY : pod_graph_check(v.graph, NULL);
        status = status == POD_ERROR_MEMORY
                     ? pod_error_memory(error, "the proof of a program", 0)
                     : pod_error_set(error, POD_ERROR_STATE, "a program was compiled wrongly: %s", v.what);
    }
    pod_graph_free(v.graph);
    pod_arena_clear(&scratch);
    return status;
}

#endif
