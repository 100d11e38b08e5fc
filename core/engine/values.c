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

static bool place_of(pod_slot_kind kind, pod_value_place *place)
{
    switch (kind) {
    case POD_SLOT_ARENA:
        *place = POD_VALUE_TEMPORARY;
        return true;
    case POD_SLOT_PARAMETER:
        *place = POD_VALUE_ARGUMENT;
        return true;
    case POD_SLOT_OUTPUT:
        *place = POD_VALUE_RESULT;
        return true;
    case POD_SLOT_LITERAL:
        *place = POD_VALUE_CONSTANT;
        return true;
    case POD_SLOT_NONE:
    case POD_SLOT_BLOCK:
        break;
    }
    return false;
}

static void touch(pod_profile_value *value, const pod_slot *slot, size_t instruction)
{
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
            if (place_of(program->slots[root].kind, &values[root].place))
                touch(&values[root], &program->slots[root], i);
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
