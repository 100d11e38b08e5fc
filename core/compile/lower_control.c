/*
 * lower_control - ops that are not computed from arrays alone. Regions become functions over the slots
 * of the function around them: they read operands where these lie.
 */

#include "compile/lower.h"
#include "base/error.h"

/* Adds an instruction for a node, with its name. */
static pod_instruction *add(pod_lowered *function, const pod_ir_node *node, pod_instruction_kind kind,
                            uint32_t operands, uint32_t results)
{
    pod_instruction *made = pod_lower_add(function, kind, operands, results);
    if (made) {
        made->op = node->op;
        made->name = pod_op_name(node->op);
    }
    return made;
}

static uint32_t operand(const pod_lowered *function, const pod_ir_node *node, uint32_t index)
{
    return function->slots[pod_ir_inputs(function->ir, node)[index]];
}

/* Makes the function of a region one level deeper. */
static pod_function *lower_region(pod_lowered *function, const pod_ir *region, const uint32_t *parameters,
                                  const uint32_t *targets, uint32_t **outputs)
{
    pod_lowering *owner = function->owner;
    *outputs = pod_arena_array(owner->memory, region->output_count, sizeof **outputs);
    if (!*outputs) {
        pod_lower_no_memory(owner);
        return NULL;
    }
    owner->level++;
    pod_function *made = owner->lower_region(owner, region, parameters, targets, *outputs);
    owner->level--;
    return made;
}

/* Keeps the text that check and print carry. */
static bool keep_text(pod_lowering *owner, const pod_ir_node *node, pod_instruction *made)
{
    pod_attributes *kept = pod_arena_array(owner->memory, 1, sizeof *kept);
    if (kept)
        kept->name = pod_arena_string(owner->memory, node->attributes->name);
    made->kernel.attributes = kept;
    if (!kept || (node->attributes->name && !kept->name))
        return pod_lower_no_memory(owner);
    return true;
}

/* Check reads operand 1, print operand 0; both give operand 0: see pod_compile_passed_on(). */
static bool lower_effect(pod_lowered *function, const pod_ir_node *node)
{
    const bool checks = node->op == POD_OP_CHECK;
    pod_instruction *made = add(function, node, checks ? POD_DO_CHECK : POD_DO_PRINT, 1, 0);
    if (!made)
        return false;
    made->slots[0] = operand(function, node, checks);
    made->may_fail = checks;
    made->row_cost = checks ? (double)function->owner->slots[made->slots[0]].bytes : 0;
    return keep_text(function->owner, node, made);
}

/* What was begun ends: its results are where they were. */
static bool lower_end_of_meetings(pod_lowered *function, const pod_ir_node *node, pod_instruction *made)
{
    made->meet.finishes = true;
    for (uint32_t i = 0; i < node->input_count; i++)
        made->slots[i] = operand(function, node, i);
    for (uint32_t i = 0; i < node->value_count; i++) {
        const pod_ir_value *value = &function->ir->values[node->value_first + i];
        const uint32_t slot = pod_lower_view(function->owner, made->slots[i], value->dtype, value->shape);
        function->slots[node->value_first + i] = made->slots[node->input_count + i] = slot;
        if (slot == POD_SLOT_END)
            return false;
    }
    return true;
}

/* Ranks meet: each operand has a result. */
static bool lower_meet(pod_lowered *function, const pod_ir_node *node)
{
    pod_lowering *owner = function->owner;
    pod_instruction *made = add(function, node, POD_DO_MEET, node->input_count, node->value_count);
    if (!made)
        return false;
    made->may_fail = true;
    made->meet.ranks = node->attributes->count;
    if (!node->attributes->data)
        return lower_end_of_meetings(function, node, made);
    made->meet.finishes = node->attributes->axis != POD_IR_BEGINS;
    made->scratch_bytes = node->input_count * sizeof(pod_meeting_part);
    made->meet.agreed = node->attributes->seed;
    pod_meeting_way *ways = pod_arena_array(owner->memory, node->input_count, sizeof *ways);
    made->meet.ways = ways;
    made->location = pod_arena_string(owner->memory, node->location);
    if (!ways || (node->location && !made->location))
        return pod_lower_no_memory(owner);
    for (uint32_t i = 0; i < node->input_count; i++) {
        const int32_t way = ((const int32_t *)node->attributes->data)[i];
        ways[i] = (pod_meeting_way){way == POD_IR_GATHERS, way == POD_IR_GATHERS ? POD_REDUCE_SUM : (pod_reduction)way};
        made->slots[i] = operand(function, node, i);
        made->slots[node->input_count + i] = pod_lower_result(function, node->value_first + i);
        if (made->slots[node->input_count + i] == POD_SLOT_END)
            return false;
        made->row_cost += (double)owner->slots[made->slots[i]].bytes;
    }
    return true;
}

static bool lower_cond(pod_lowered *function, const pod_ir_node *node)
{
    pod_instruction *made = add(function, node, POD_DO_COND, node->input_count, node->value_count);
    if (!made)
        return false;
    made->may_fail = true;
    for (uint32_t i = 0; i < node->input_count; i++)
        made->slots[i] = operand(function, node, i);
    uint32_t *results = made->slots + node->input_count;
    for (uint32_t i = 0; i < node->value_count; i++)
        if ((results[i] = pod_lower_result(function, node->value_first + i)) == POD_SLOT_END)
            return false;
    for (int side = 0; side < 2; side++) {
        made->region.functions[side] =
            lower_region(function, node->regions[side], made->slots + 1, results, &made->region.outputs[side]);
        if (!made->region.functions[side])
            return false;
    }
    return true;
}

/* The state of a while lies in the slots of its results: it is copied there, and the body updates it in
 * place as a step updates a program's variables. */
static bool lower_while(pod_lowered *function, const pod_ir_node *node)
{
    uint32_t count = node->input_count;
    uint32_t *states = pod_arena_array(function->owner->memory, count, sizeof *states);
    if (!states)
        return pod_lower_no_memory(function->owner);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t initial = operand(function, node, i);
        states[i] = pod_lower_result(function, node->value_first + i);
        if (states[i] == POD_SLOT_END || !pod_lower_copy(function, initial, states[i]))
            return false;
    }
    pod_instruction *made = add(function, node, POD_DO_WHILE, count, count);
    if (!made)
        return false;
    made->may_fail = true;
    made->region.most_turns = node->attributes->count;
    for (uint32_t i = 0; i < count; i++) {
        made->slots[i] = made->slots[count + i] = states[i];
        node->regions[1]->aliases[i] = i;
    }
    made->region.functions[0] = lower_region(function, node->regions[0], states, NULL, &made->region.outputs[0]);
    if (!made->region.functions[0])
        return false;
    made->region.functions[1] = lower_region(function, node->regions[1], states, states, &made->region.outputs[1]);
    return made->region.functions[1] != NULL;
}

/* The region of a reduce reads an accumulator and an element, two scalars. */
static bool lower_reduce(pod_lowered *function, const pod_ir_node *node)
{
    pod_lowering *owner = function->owner;
    pod_instruction *made = add(function, node, POD_DO_REDUCE, 2, 1);
    if (!made)
        return false;
    made->slots[0] = operand(function, node, 0);
    made->slots[1] = operand(function, node, 1);
    made->slots[2] = pod_lower_result(function, node->value_first);
    made->region.attributes = pod_arena_copy(owner->memory, node->attributes, sizeof *node->attributes);
    uint32_t *scalars = pod_arena_array(owner->memory, 2, sizeof *scalars);
    if (!made->region.attributes || !scalars)
        return pod_lower_no_memory(owner);
    if (made->slots[2] == POD_SLOT_END)
        return false;
    for (int i = 0; i < 2; i++) {
        scalars[i] = pod_lower_slot(owner, owner->slots[made->slots[1]].dtype, &(pod_shape){0});
        if (scalars[i] == POD_SLOT_END)
            return false;
    }
    made->region.parameters = scalars;
    made->region.functions[0] = lower_region(function, node->regions[0], scalars, NULL, &made->region.outputs[0]);
    return made->region.functions[0] != NULL;
}

bool pod_lower_control(pod_lowered *function, const pod_ir_node *node)
{
    switch (node->op) {
    case POD_OP_CHECK:
    case POD_OP_PRINT:
        return lower_effect(function, node);
    case POD_OP_ALL_REDUCE:
        return lower_meet(function, node);
    case POD_OP_COND:
        return lower_cond(function, node);
    case POD_OP_WHILE:
        return lower_while(function, node);
    default:
        return lower_reduce(function, node);
    }
}
