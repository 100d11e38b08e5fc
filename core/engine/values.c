/* values - what a program keeps in memory, and from which instruction to which: see values.h. */

#include "engine/values.h"

#include <string.h>

/* The slot whose memory it is. */
static uint32_t root_of(const pod_program *program, uint32_t slot)
{
    while (program->slots[slot].base != slot)
        slot = program->slots[slot].base;
    return slot;
}

/* What the memory of a slot is; -1: none that is told of. */
static const int places[] = {
    [POD_SLOT_NONE] = -1,
    [POD_SLOT_BLOCK] = -1,
    [POD_SLOT_ARENA] = POD_VALUE_TEMPORARY,
    [POD_SLOT_PARAMETER] = POD_VALUE_ARGUMENT,
    [POD_SLOT_OUTPUT] = POD_VALUE_RESULT,
    [POD_SLOT_LITERAL] = POD_VALUE_CONSTANT,
};

static void touch(pod_profile_value *value, const pod_slot *slot, pod_value_place place, size_t instruction)
{
    value->place = place;
    if (value->bytes == 0) {
        value->bytes = slot->bytes;
        value->offset = slot->offset;
        value->first = instruction;
    }
    value->last = instruction;
}

size_t pod_run_values(const pod_program *program, pod_profile_value *values)
{
    const pod_function *function = program->function;
    size_t count = 0;
    memset(values, 0, program->slot_count * sizeof *values);
    for (size_t i = 0; i < function->instruction_count; i++) {
        const pod_instruction *one = function->instructions[i];
        for (uint32_t j = 0; j < one->operand_count + one->result_count; j++) {
            const uint32_t root = root_of(program, one->slots[j]);
            const int place = places[program->slots[root].kind];
            if (place >= 0)
                touch(&values[root], &program->slots[root], (pod_value_place)place, i);
        }
    }
    for (uint32_t i = 0; i < program->slot_count; i++) {
        if (values[i].bytes == 0)
            continue;
        values[i].kept = program->slots[i].kept || values[i].place != POD_VALUE_TEMPORARY;
        values[count++] = values[i];
    }
    return count;
}
