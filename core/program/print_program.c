/* print_program - a program as text: see pod_program_print. */

#include "program/compiled.h"

#include "base/text.h"

static void print_slot(pod_text *text, const pod_program *program, uint32_t index)
{
    static const char *const places[] = {"loop", "arena", "block", "argument", "result", "literal"};
    const pod_slot *slot = &program->slots[index];
    char shape[POD_SHAPE_TEXT_SIZE];
    pod_text_format(text, " %%%u:%s%s@%s", index, pod_dtype_xla_name(slot->dtype), pod_shape_format(slot->shape, shape),
                    places[slot->kind]);
    if (slot->kind == POD_SLOT_PARAMETER || slot->kind == POD_SLOT_OUTPUT)
        pod_text_format(text, "%u", slot->index);
    else if (slot->kind != POD_SLOT_NONE)
        pod_text_format(text, "+%llu", (unsigned long long)slot->offset);
}

static void print_function(pod_text *text, const pod_program *program, const pod_function *function, int depth);

static void print_instruction(pod_text *text, const pod_program *program, const pod_instruction *one, int depth)
{
    pod_text_format(text, "%*s  %s", depth * 4, "", pod_instruction_kind_name(one->kind));
    if (one->name)
        pod_text_format(text, " %s", one->name);
    if (one->kind == POD_DO_LOOP && one->loop->table)
        pod_text_append(text, " by table");
    pod_text_format(text, " rows %lld by %lld:", (long long)one->rows, (long long)one->unit);
    for (uint32_t i = 0; i < one->operand_count + one->result_count; i++) {
        if (i == one->operand_count)
            pod_text_append(text, " ->");
        print_slot(text, program, one->slots[i]);
    }
    if (one->location)
        pod_text_format(text, "  (%s)", one->location);
    pod_text_append(text, "\n");
    for (int i = 0; i < 2; i++) {
        const pod_function *region = pod_instruction_region(one, i);
        if (region)
            pod_text_format(text, "%*s  region %d\n", depth * 4, "", i);
        print_function(text, program, region, depth + 1);
    }
}

static void print_subgroup(pod_text *text, const pod_subgroup *subgroup, int depth)
{
    pod_text_format(text, "%*s  subgroup: %lld parts, %lld at a time\n", depth * 4, "", (long long)subgroup->parts,
                    (long long)subgroup->chunk);
}

static void print_function(pod_text *text, const pod_program *program, const pod_function *function, int depth)
{
    for (uint32_t i = 0; function && i < function->phase_count; i++) {
        const pod_phase *phase = &function->phases[i];
        pod_text_format(text, "%*sphase %u%s%s\n", depth * 4, "", i, phase->serial ? " serial" : "",
                        phase->commits ? " commits" : "");
        for (uint32_t j = 0; j < phase->count; j++) {
            const pod_group *group = &function->groups[phase->first + j];
            if (phase->count > 1 || group->count > 1)
                pod_text_format(text, "%*s group %u: %lld parts by %lld, %lld at a time\n", depth * 4, "", j,
                                (long long)group->parts, (long long)group->unit, (long long)group->chunk);
            for (uint32_t k = 0, subgroup = 0; k < group->count; k++) {
                if (subgroup < group->subgroup_count && group->subgroups[subgroup].first == group->first + k)
                    print_subgroup(text, &group->subgroups[subgroup++], depth);
                print_instruction(text, program, function->instructions[group->first + k], depth);
            }
        }
    }
}

char *pod_program_print(const pod_program *program)
{
    pod_text text;
    pod_text_init(&text, program->context);
    const pod_program_stats *stats = &program->stats;
    pod_text_format(&text,
                    "program: %zu instructions of %zu nodes, %zu nodes inside others' loops\n"
                    "bytes: arena %llu, literals %llu, scratch a thread %llu, arguments %llu, "
                    "outputs %llu, updated in place %llu\n",
                    stats->instructions, stats->nodes, stats->kernels_fused, (unsigned long long)program->arena_bytes,
                    (unsigned long long)program->literal_bytes, (unsigned long long)program->scratch_bytes,
                    (unsigned long long)stats->argument_bytes, (unsigned long long)stats->output_bytes,
                    (unsigned long long)stats->alias_bytes);
    if (program->entry) {
        pod_text_append(&text, "before the first step of a run\n");
        print_function(&text, program, program->entry, 1);
    }
    print_function(&text, program, program->function, 0);
    return pod_text_take(&text);
}
