/* ir - see ir.h. */

#include "ir/ir.h"
#include "base/growth.h"

#include <assert.h>
#include <string.h>

pod_ir *pod_ir_new(pod_arena *arena, uint32_t nodes, uint32_t parameters, uint32_t outputs)
{
    pod_ir *ir = pod_arena_array(arena, 1, sizeof *ir);
    if (!ir)
        return NULL;
    uint32_t room = nodes < 16 ? 16 : nodes;
    ir->arena = arena;
    ir->node_room = room;
    ir->value_room = room;
    ir->input_room = room * 2;
    ir->parameter_count = parameters;
    ir->output_count = outputs;
    ir->nodes = pod_arena_array(arena, room, sizeof *ir->nodes);
    ir->values = pod_arena_array(arena, room, sizeof *ir->values);
    ir->inputs = pod_arena_array(arena, (size_t)room * 2, sizeof *ir->inputs);
    ir->parameters = pod_arena_array(arena, parameters, sizeof *ir->parameters);
    ir->outputs = pod_arena_array(arena, outputs, sizeof *ir->outputs);
    ir->aliases = pod_arena_array(arena, outputs, sizeof *ir->aliases);
    bool whole = ir->nodes && ir->values && ir->inputs && ir->parameters && ir->outputs && ir->aliases;
    return whole ? ir : NULL;
}

uint32_t pod_ir_add(pod_ir *ir, pod_op op, uint32_t inputs, uint32_t results, const pod_attributes *attributes)
{
    assert(op >= 0 && op < POD_OP_COUNT);
    bool room = pod_arena_grow(ir->arena, &ir->nodes, &ir->node_room, (size_t)ir->node_count + 1,
                               (pod_growth){.item = sizeof *ir->nodes}) &&
                pod_arena_grow(ir->arena, &ir->values, &ir->value_room, (size_t)ir->value_count + results,
                               (pod_growth){.item = sizeof *ir->values}) &&
                pod_arena_grow(ir->arena, &ir->inputs, &ir->input_room, (size_t)ir->input_count + inputs,
                               (pod_growth){.item = sizeof *ir->inputs});
    if (!room)
        return POD_REF_NONE;
    ir->nodes[ir->node_count] = (pod_ir_node){
        .op = op,
        .input_first = ir->input_count,
        .input_count = inputs,
        .value_first = ir->value_count,
        .value_count = results,
        .attributes = attributes,
    };
    ir->input_count += inputs;
    ir->value_count += results;
    return ir->node_count++;
}

void pod_ir_set_type(pod_ir *ir, uint32_t node, uint32_t result, pod_dtype dtype, const pod_shape *shape)
{
    assert(node < ir->node_count && result < ir->nodes[node].value_count && shape);
    ir->values[ir->nodes[node].value_first + result] =
        (pod_ir_value){.dtype = dtype, .node = node, .result = result, .shape = shape};
}

pod_ref pod_ir_emit(pod_ir *ir, pod_op op, const pod_ref *inputs, uint32_t input_count,
                    const pod_attributes *attributes, pod_dtype dtype, const pod_shape *shape)
{
    uint32_t node = pod_ir_add(ir, op, input_count, 1, attributes);
    if (node == POD_REF_NONE)
        return POD_REF_NONE;
    for (uint32_t i = 0; i < input_count; i++) {
        assert(inputs[i] < ir->nodes[node].value_first);
        ir->inputs[ir->nodes[node].input_first + i] = inputs[i];
    }
    pod_ir_set_type(ir, node, 0, dtype, shape);
    return ir->nodes[node].value_first;
}

pod_ref *pod_ir_inputs(const pod_ir *ir, const pod_ir_node *node)
{
    assert(node->input_first <= ir->input_count && node->input_count <= ir->input_count - node->input_first);
    return ir->inputs + node->input_first;
}

static const pod_shape *operand_shape(const pod_ir *ir, const pod_ir_node *node, uint32_t operand)
{
    return operand < node->input_count ? ir->values[pod_ir_inputs(ir, node)[operand]].shape : NULL;
}

pod_op_sizes pod_ir_sizes(const pod_ir *ir, const pod_ir_node *node)
{
    return (pod_op_sizes){
        .op = node->op,
        .attributes = node->attributes,
        .result = ir->values[node->value_first].shape,
        .first = operand_shape(ir, node, 0),
        .second = operand_shape(ir, node, 1),
        .last = operand_shape(ir, node, node->input_count - 1),
        .input_count = node->input_count,
    };
}

pod_ir_node *pod_ir_maker(const pod_ir *ir, pod_ref value)
{
    assert(value < ir->value_count && ir->values[value].node < ir->node_count);
    return &ir->nodes[ir->values[value].node];
}

int64_t pod_ir_elements(const pod_ir *ir, pod_ref value)
{
    return pod_shape_elements(ir->values[value].shape);
}

int64_t pod_ir_bytes(const pod_ir *ir, pod_ref value)
{
    return pod_ir_elements(ir, value) * (int64_t)pod_dtype_size(ir->values[value].dtype);
}

pod_array pod_ir_array(const pod_ir *ir, pod_ref value)
{
    return (pod_array){.dtype = ir->values[value].dtype, .shape = *ir->values[value].shape};
}

bool pod_ir_keeps_values(pod_op op)
{
    static const bool keeps[POD_OP_COUNT] = {
        [POD_OP_NEGATE] = true,     [POD_OP_ABS] = true,           [POD_OP_MAXIMUM] = true,
        [POD_OP_MINIMUM] = true,    [POD_OP_CLAMP] = true,         [POD_OP_SELECT] = true,
        [POD_OP_REDUCE_MAX] = true, [POD_OP_REDUCE_MIN] = true,    [POD_OP_POOL_MAX] = true,
        [POD_OP_RESHAPE] = true,    [POD_OP_TRANSPOSE] = true,     [POD_OP_BROADCAST] = true,
        [POD_OP_SLICE] = true,      [POD_OP_DYNAMIC_SLICE] = true, [POD_OP_DYNAMIC_UPDATE_SLICE] = true,
        [POD_OP_PAD] = true,        [POD_OP_REVERSE] = true,       [POD_OP_CONCATENATE] = true,
        [POD_OP_GATHER] = true};
    return keeps[op];
}

bool pod_ir_is_wide(const pod_ir *ir, pod_ref value)
{
    return pod_ir_is_narrow(ir->values[value].dtype) && pod_ir_maker(ir, value)->wide;
}

bool pod_ir_splat(const pod_ir *ir, pod_ref value, double *element)
{
    const pod_ir_node *node = pod_ir_maker(ir, value);
    const pod_ir_value *type = &ir->values[value];
    if (node->op != POD_OP_CONSTANT || !(node->attributes->flag || pod_shape_elements(type->shape) == 1))
        return false;
    pod_convert(type->dtype, node->constant, POD_F64, element, 1);
    return true;
}
