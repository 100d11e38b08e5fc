/* schedule - orders instructions in phases: see compiled.h. */

#include "compile/lower.h"

/* Instructions that all threads enter together, or that call the host. */
static bool is_serial(const pod_instruction *instruction)
{
    return instruction->kind == POD_DO_PRINT || instruction->kind == POD_DO_COND ||
           instruction->kind == POD_DO_WHILE;
}

pod_function *pod_schedule(pod_lowered *function)
{
    pod_arena *memory = function->owner->memory;
    pod_function *made = pod_arena_array(memory, 1, sizeof *made);
    if (!made)
        goto no_memory;
    made->instructions = pod_arena_array(memory, function->count, sizeof *made->instructions);
    made->groups = pod_arena_array(memory, function->count, sizeof *made->groups);
    made->phases = pod_arena_array(memory, function->count, sizeof *made->phases);
    if (!made->instructions || !made->groups || !made->phases)
        goto no_memory;
    for (uint32_t i = 0; i < function->count; i++) {
        pod_instruction *instruction = function->instructions[i];
        double cost = instruction->row_cost * (double)instruction->grain;
        int64_t units = (instruction->rows + instruction->grain - 1) / instruction->grain;
        instruction->phase = i;
        made->instructions[i] = instruction;
        made->groups[i] = (pod_group){i, 1, instruction->rows, instruction->grain,
                                      instruction->rows, cost, 0};
        made->phases[i] = (pod_phase){i, 1, is_serial(instruction), false, cost * (double)units};
    }
    made->instruction_count = made->group_count = made->phase_count = function->count;
    return made;
no_memory:
    pod_lower_no_memory(function->owner);
    return NULL;
}
