/* loop_plans - finds for all loops of a program what they can be run as: see loop_plans.h. */

#include "program/compiled.h"
#include "program/loop_plans.h"

static bool plan_loop(pod_program *program, pod_arena *scratch, pod_loop *loop, bool tile)
{
    pod_loop_finish finish;
    if (!loop)
        return true;
    if (!tile && !pod_program_make_table(program, scratch, loop))
        return false;
    if (loop->table)
        return true;
    if (tile && pod_program_find_finish(program->kernels, loop, &finish)) {
        loop->finish = pod_arena_copy(&program->memory, &finish, sizeof finish);
        if (!loop->finish)
            return false;
    }
    return pod_program_plan_chains(program->kernels, loop, tile, &program->memory, &loop->chains);
}

static bool plan_function(pod_program *program, pod_arena *scratch, const pod_function *function)
{
    for (uint32_t i = 0; function && i < function->instruction_count; i++) {
        const pod_instruction *one = function->instructions[i];
        if (!plan_loop(program, scratch, pod_instruction_loop(one), one->kind != POD_DO_LOOP) ||
            !plan_function(program, scratch, pod_instruction_region(one, 0)) ||
            !plan_function(program, scratch, pod_instruction_region(one, 1)))
            return false;
    }
    return true;
}

bool pod_program_plan_loops(pod_program *program)
{
    pod_arena scratch;
    pod_arena_init(&scratch, program->context);
    const bool planned =
        plan_function(program, &scratch, program->function) && plan_function(program, &scratch, program->entry);
    pod_arena_clear(&scratch);
    return planned;
}
