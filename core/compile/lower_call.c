/*
 * lower_call - calls that a kernel takes whole. Those that are one function of a block are taken by loops as any
 * element; composites of core/kernels/special.h are instructions like those of ops; Adam is a step of a loop
 * (lower_loop.c). Softmax cross-entropy of labels and its gradient: when both are asked for the same logits, and the
 * gradient's factor is there in time, one instruction makes both.
 */

#include "compile/compile_costs.h"
#include "compile/lower_group.h"

#include <string.h>

#define ADAM     "adam"
#define LOSS     "sparse_softmax_cross_entropy"
#define GRADIENT "sparse_softmax_cross_entropy_gradient"

static bool is_call(const pod_ir_node *node, const char *name)
{
    return node->op == POD_OP_CALL && node->attributes->name && strcmp(node->attributes->name, name) == 0;
}

bool pod_is_adam(const pod_ir_node *node)
{
    return is_call(node, ADAM);
}

/* Weight, m, v and gradient of one shape in f32. */
static bool keep_adam(const pod_node_description *node)
{
    const pod_shape *shape = pod_node_shape(node->inputs[0], 0);
    for (uint32_t i = 0; i < 5; i++)
        if (pod_node_dtype(node->inputs[i], 0) != POD_F32 ||
            (i < 4 && !pod_shape_equal(pod_node_shape(node->inputs[i], 0), shape)))
            return false;
    return pod_shape_elements(shape) > 0 && pod_shape_elements(pod_node_shape(node->inputs[4], 0)) == 1;
}

/* Whether a call is a function of blocks of one 32-bit or narrower float type. */
static bool is_element(const pod_node *call, const pod_node_description *node)
{
    pod_block_op element;
    pod_dtype dtype = pod_node_dtype(call, 0);
    if (!pod_element_of_call(node->attributes, node->input_count, dtype, &element) || !pod_dtype_is_float(dtype) ||
        pod_class_of(dtype) != POD_CLASS_F32 || pod_shape_elements(pod_node_shape(call, 0)) == 0)
        return false;
    for (uint32_t i = 0; i < node->input_count; i++)
        if (pod_node_dtype(node->inputs[i], 0) != dtype ||
            !pod_shape_equal(pod_node_shape(node->inputs[i], 0), pod_node_shape(call, 0)))
            return false;
    return true;
}

/* Whether the kernels of composites take a call with these operands. */
static bool has_kernel(const pod_node *call, const pod_node_description *node, const pod_call_keeper *keeper)
{
    pod_array arrays[16];
    uint32_t count = node->input_count + node->result_count;
    if (!node->attributes->name || count > 16)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        bool result = i >= node->input_count;
        const pod_node *of = result ? call : node->inputs[i];
        uint32_t at = result ? i - node->input_count : 0;
        arrays[i] = (pod_array){.dtype = pod_node_dtype(of, at), .shape = *pod_node_shape(of, at)};
    }
    if (keeper->rounds && count > 0 && arrays[0].dtype == POD_F32)
        return false;
    pod_kernel_call made = {.attributes = node->attributes,
                            .inputs = arrays,
                            .input_count = node->input_count,
                            .outputs = arrays + node->input_count,
                            .output_count = node->result_count};
    return pod_kernel_of_composite(node->attributes->name, &made) != NULL;
}

bool pod_keep_call(const pod_node *call, void *context)
{
    const pod_node_description node = pod_node_describe(call);
    const char *name = node.attributes->name;
    if (is_element(call, &node))
        return true;
    if (name && strcmp(name, ADAM) == 0 && node.input_count == 5 && node.result_count == 3)
        return keep_adam(&node);
    bool loss = name && strcmp(name, LOSS) == 0 && node.input_count == 2;
    bool gradient = name && strcmp(name, GRADIENT) == 0 && node.input_count == 3;
    if (!loss && !gradient)
        return has_kernel(call, &node, context);
    pod_dtype logits = pod_node_dtype(node.inputs[0], 0);
    return (logits == POD_F32 || logits == POD_BF16) && pod_shape_elements(pod_node_shape(node.inputs[0], 0)) > 0 &&
           pod_node_dtype(node.inputs[1], 0) == POD_S32 && pod_node_dtype(call, 0) == (loss ? POD_F32 : logits) &&
           (loss || pod_node_dtype(node.inputs[2], 0) == POD_F32);
}

/* The gradient of the same logits and labels that can run with a loss; POD_NO_GROUP when there is none. */
static uint32_t find_gradient(const pod_fusion *fusion, uint32_t loss)
{
    const pod_ir *ir = fusion->ir;
    const pod_ref *wanted = pod_ir_inputs(ir, &ir->nodes[loss]);
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ir_node *node = &ir->nodes[i];
        if (is_call(node, GRADIENT) && fusion->stages[i] == fusion->stages[loss] &&
            pod_ir_inputs(ir, node)[0] == wanted[0] && pod_ir_inputs(ir, node)[1] == wanted[1])
            return i;
    }
    return POD_NO_GROUP;
}

static bool add_instruction(pod_lowered *function, const pod_fusion *fusion, const pod_ir_node *loss,
                            const pod_ir_node *gradient)
{
    pod_lowering *owner = function->owner;
    const pod_ir *ir = function->ir;
    const pod_ir_node *first = loss ? loss : gradient;
    const pod_ref *inputs = pod_ir_inputs(ir, gradient ? gradient : loss);
    uint32_t operands = gradient ? 3 : 2, results = loss && gradient ? 2 : 1;
    pod_instruction *made = pod_lower_add(function, POD_DO_CROSS_ENTROPY, operands, results);
    if (!made)
        return false;
    const pod_ir_value *logits = &ir->values[inputs[0]];
    int64_t classes = logits->shape->dims[logits->shape->rank - 1];
    made->cross_entropy = (pod_cross_entropy_detail){logits->dtype, classes, loss != NULL, gradient != NULL};
    made->op = POD_OP_CALL;
    made->name = loss ? LOSS : GRADIENT;
    made->location = pod_arena_string(owner->memory, first->location);
    made->may_fail = true;
    made->rows = pod_shape_elements(logits->shape) / classes;
    made->row_cost = POD_COST_CROSS_ENTROPY_ROW + POD_COST_CROSS_ENTROPY_CLASS * (double)classes;
    made->scratch_bytes = loss ? 0 : (uint64_t)POD_BLOCK * sizeof(float);
    for (uint32_t i = 0; i < operands; i++)
        made->slots[i] = pod_value_slot(function, fusion, inputs[i]);
    if (loss)
        made->slots[operands] = pod_group_result(function, loss->value_first);
    if (gradient)
        made->slots[operands + results - 1] = pod_group_result(function, gradient->value_first);
    for (uint32_t i = 0; i < operands + results; i++) {
        made->parts[i] = made->rows;
        if (made->slots[i] == POD_SLOT_END)
            return false;
    }
    return first->location && !made->location ? pod_lower_no_memory(owner) : true;
}

bool pod_lower_call(pod_lowered *function, const pod_fusion *fusion, uint32_t index)
{
    const pod_ir_node *node = &function->ir->nodes[index];
    if (function->slots[node->value_first] != POD_SLOT_END)
        return true; /* made together with the loss */
    if (!is_call(node, LOSS) && !is_call(node, GRADIENT))
        return pod_lower_kernel(function, node);
    if (is_call(node, GRADIENT))
        return add_instruction(function, fusion, NULL, node);
    uint32_t gradient = find_gradient(fusion, index);
    return add_instruction(function, fusion, node, gradient == POD_NO_GROUP ? NULL : &function->ir->nodes[gradient]);
}
