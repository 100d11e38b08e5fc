/*
 * slice_rows - ops whose rows (axis 0) can be computed from the same rows of operands. A kernel for all
 * rows is then called for some of them, and the instruction can share a group with loops and products
 * over the same rows.
 */

#include "ir/slice_rows.h"

#include <assert.h>

#define ALL UINT32_MAX

/* Operands that are cut to rows, as bits; 0: the op cannot be cut. */
typedef uint32_t (*slice_rule)(const pod_ir *ir, const pod_ir_node *node);

static uint32_t slice_all(const pod_ir *ir, const pod_ir_node *node)
{
    (void)ir, (void)node;
    return ALL;
}

static uint32_t slice_first(const pod_ir *ir, const pod_ir_node *node)
{
    (void)ir, (void)node;
    return 1;
}

/* Ops along one axis. */
static uint32_t slice_axis(const pod_ir *ir, const pod_ir_node *node)
{
    (void)ir;
    return node->attributes->axis > 0 ? ALL : 0;
}

static uint32_t slice_axes(const pod_ir *ir, const pod_ir_node *node)
{
    (void)ir;
    for (int32_t i = 0; i < node->attributes->axes.count; i++)
        if (node->attributes->axes.axes[i] == 0)
            return 0;
    return ALL;
}

static uint32_t slice_top_k(const pod_ir *ir, const pod_ir_node *node)
{
    return ir->values[pod_ir_inputs(ir, node)[0]].shape->rank > 1 ? ALL : 0;
}

static uint32_t slice_pad(const pod_ir *ir, const pod_ir_node *node)
{
    (void)ir;
    const pod_attributes *a = node->attributes;
    return a->low[0] == 0 && a->high[0] == 0 && a->step[0] == 0 ? 1 : 0;
}

/* Looking rows up cuts the indices; picking from each row cuts the rows. */
static uint32_t slice_gather(const pod_ir *ir, const pod_ir_node *node)
{
    const pod_attributes *a = node->attributes;
    if (a->count > 0)
        return ALL;
    if (a->axis > 0)
        return 1;
    return ir->values[pod_ir_inputs(ir, node)[1]].shape->rank > 0 ? 2 : 0;
}

static uint32_t slice_scatter(const pod_ir *ir, const pod_ir_node *node)
{
    (void)ir;
    if (node->attributes->count > 0)
        return ALL;
    return node->attributes->axis > 0 ? 1 | 4 : 0;
}

static bool has_all_rows(const pod_ir *ir, pod_ref x, pod_ref y)
{
    return ir->values[x].shape->dims[0] == ir->values[y].shape->dims[0];
}

static uint32_t slice_dynamic_slice(const pod_ir *ir, const pod_ir_node *node)
{
    return has_all_rows(ir, pod_ir_inputs(ir, node)[0], node->value_first) ? 1 : 0;
}

static uint32_t slice_dynamic_update(const pod_ir *ir, const pod_ir_node *node)
{
    const pod_ref *inputs = pod_ir_inputs(ir, node);
    return has_all_rows(ir, inputs[0], inputs[1]) ? 1 | 2 : 0;
}

static const slice_rule rules[POD_OP_COUNT] = {
    [POD_OP_POOL_MAX] = slice_all,
    [POD_OP_POOL_MAX_GRADIENT] = slice_all,
    [POD_OP_POOL_MAX_SELECT] = slice_all,
    [POD_OP_POOL_SUM] = slice_all,
    [POD_OP_POOL_SUM_GRADIENT] = slice_all,
    [POD_OP_CONVOLUTION] = slice_first,
    [POD_OP_CONVOLUTION_INPUT_GRADIENT] = slice_first,
    [POD_OP_ARGMAX] = slice_axis,
    [POD_OP_ARGMIN] = slice_axis,
    [POD_OP_CUMULATIVE_SUM] = slice_axis,
    [POD_OP_SORT] = slice_axis,
    [POD_OP_CONCATENATE] = slice_axis,
    [POD_OP_REDUCE_SUM] = slice_axes,
    [POD_OP_REDUCE_PRODUCT] = slice_axes,
    [POD_OP_REDUCE_MAX] = slice_axes,
    [POD_OP_REDUCE_MIN] = slice_axes,
    [POD_OP_REDUCE_AND] = slice_axes,
    [POD_OP_REDUCE_OR] = slice_axes,
    [POD_OP_TOP_K] = slice_top_k,
    [POD_OP_PAD] = slice_pad,
    [POD_OP_GATHER] = slice_gather,
    [POD_OP_SCATTER] = slice_scatter,
    [POD_OP_DYNAMIC_SLICE] = slice_dynamic_slice,
    [POD_OP_DYNAMIC_UPDATE_SLICE] = slice_dynamic_update,
};

/* Fewer rows are left to the kernel's own units. */
#define FEWEST_ROWS 8

bool pod_ir_is_sliced(uint32_t mask, uint32_t operand)
{
    return mask == ALL || (operand < 32 && (mask >> operand & 1));
}

uint32_t pod_ir_slice_rows(const pod_ir *ir, const pod_ir_node *node)
{
    assert(node->value_count > 0 && node->op >= 0 && node->op < POD_OP_COUNT);
    const pod_shape *result = ir->values[node->value_first].shape;
    if (result->rank == 0 || result->dims[0] < FEWEST_ROWS)
        return 0;
    uint32_t mask = pod_op_is_elementwise(node->op) ? ALL : rules[node->op] ? rules[node->op](ir, node) : 0;
    for (uint32_t i = 0; i < node->input_count; i++) {
        const pod_shape *shape = ir->values[pod_ir_inputs(ir, node)[i]].shape;
        if (pod_ir_is_sliced(mask, i) && (shape->rank == 0 || shape->dims[0] != result->dims[0]))
            return 0;
    }
    return node->input_count > 32 && mask != ALL ? 0 : mask;
}
