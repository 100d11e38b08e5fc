/* Reductions. */

#include "exchange/fold_values.h"
#include "exchange/folds.h"

/* The op that reduces with a fold; -1 when there is none. */
static pod_op reduction_of(pod_op op)
{
    const pod_exchange_fold *fold = pod_exchange_find_fold(op);
    return fold ? fold->reduce : -1;
}

bool pod_exchange_is_identity(pod_op fold, const pod_node *start)
{
    double value;
    pod_dtype dtype = pod_node_dtype(start, 0);
    if (start->op == POD_OP_BROADCAST) /* of a scalar to a scalar */
        start = start->inputs[0];
    return pod_exchange_find_fold(fold) && pod_node_is_splat(start, &value) &&
           value == pod_exchange_fold_identity(fold, dtype);
}

static bool is_zero(const pod_node *node)
{
    double value;
    return pod_node_is_splat(node, &value) && value == 0;
}

/* "applies stablehlo.add across dimensions = [1]" or a region. */
static pod_op fold_of(const pod_call *call)
{
    const pod_syntax_op *op = call->op;
    if (op->region_count == 1)
        return pod_exchange_region_fold(call->translator, &op->regions[0]);
    for (const pod_syntax_value *at = op->words.first; at; at = at->next) {
        pod_op code =
            pod_exchange_find_binary(call->translator, at->text, pod_exchange_call_operand_type(call, 0)->dtype);
        if (code >= 0)
            return code;
    }
    return POD_FOLD_OTHER;
}

static void sort_axes(pod_axes *axes)
{
    for (int32_t i = 1; i < axes->count; i++) {
        int32_t axis = axes->axes[i], j = i;
        for (; j > 0 && axes->axes[j - 1] > axis; j--)
            axes->axes[j] = axes->axes[j - 1];
        axes->axes[j] = axis;
    }
}

/* The fold of array `index` of several where the region folds each apart from the others. */
static pod_op fold_of_one(pod_call *call, uint32_t index, uint32_t count)
{
    const pod_syntax_region *region = &call->op->regions[0];
    const uint32_t a = region->first_value + index, b = a + count;
    for (const pod_syntax_op *op = region->first; op && op != region->last; op = op->next) {
        const bool pair = op->operand_count == 2 && op->operands[0] + op->operands[1] == a + b &&
                          (op->operands[0] == a || op->operands[0] == b);
        if (op->result_count == 1 && op->first_result == region->last->operands[index])
            return pair ? pod_exchange_find_binary(call->translator, op->name, pod_node_dtype(call->inputs[index], 0))
                        : -1;
    }
    return -1;
}

/* Several arrays, each folded for itself. */
static pod_outcome read_several(pod_call *call, const pod_axes *axes)
{
    const pod_syntax_op *op = call->op;
    const uint32_t count = op->result_count;
    const pod_attributes attributes = {.axes = *axes};
    if (op->region_count != 1 || op->operand_count != 2 * count || op->regions[0].argument_count != 2 * count ||
        !op->regions[0].last || op->regions[0].last->operand_count != count)
        return pod_exchange_read_fail(call, POD_ERROR_FORMAT, "it has not one start for each array");
    for (uint32_t i = 0; i < count; i++) {
        const pod_op fold = fold_of_one(call, i, count), reduction = reduction_of(fold);
        if (reduction < 0)
            return POD_PLACED; /* one by the other */
        call->results[i] = pod_exchange_call_apply(call, reduction, &call->inputs[i], 1, &attributes);
        if (!pod_exchange_is_identity(fold, call->inputs[count + i]))
            call->results[i] = pod_graph_binary(call->graph, fold, call->results[i], call->inputs[count + i]);
    }
    return POD_READ;
}

/* (values, numbers along the axis) reduced to the largest or smallest value and its number. */
static pod_outcome read_argument(pod_call *call, const pod_axes *axes)
{
    const pod_node *numbers = call->inputs[1];
    pod_dtype dtype = pod_node_dtype(call->inputs[0], 0);
    bool counted = numbers->op == POD_OP_IOTA && axes->count == 1 && numbers->attributes->axis == axes->axes[0] &&
                   (pod_node_dtype(numbers, 0) == POD_S32 || pod_node_dtype(numbers, 0) == POD_S64);
    pod_op op = counted && call->op->region_count == 1
                    ? pod_exchange_region_picks(call->translator, &call->op->regions[0], pod_dtype_is_float(dtype))
                    : -1;
    pod_op fold = op == POD_OP_ARGMAX ? POD_OP_MAXIMUM : POD_OP_MINIMUM;
    if (dtype == POD_BOOL)
        fold = op == POD_OP_ARGMAX ? POD_OP_OR : POD_OP_AND;
    if (op < 0 || !pod_exchange_is_identity(fold, call->inputs[2]) || !is_zero(call->inputs[3]))
        return read_several(call, axes);
    pod_attributes by_axes = {.axes = *axes};
    pod_attributes by_axis = {.axis = axes->axes[0], .dtype = pod_node_dtype(numbers, 0)};
    call->results[0] = pod_exchange_call_apply(call, reduction_of(fold), call->inputs, 1, &by_axes);
    pod_node *values = call->inputs[0];
    if (dtype == POD_BOOL)
        values = pod_graph_convert(call->graph, values, POD_S32);
    call->results[1] = pod_exchange_call_apply(call, op, &values, 1, &by_axis);
    return POD_READ;
}

/* Any other fold of one array. */
static pod_outcome read_region(pod_call *call, const pod_attributes *attributes)
{
    uint32_t captured = 0;
    pod_translator *t = call->translator;
    if (call->op->region_count != 1 || call->op->regions[0].argument_count != 2)
        return pod_exchange_not_known(call, "it folds in a way that is not known");
    uint32_t *captures = pod_exchange_find_captures(t, call->op, &captured);
    pod_free(t->context, captures);
    if (!captures)
        return POD_READ_FAILED;
    if (captured > 0)
        return POD_PLACED; /* its fold reads what is defined outside */
    pod_graph *fold = pod_exchange_translate_closure(t, &call->op->regions[0], NULL, 0, 1, false);
    if (!fold)
        return POD_READ_FAILED;
    return pod_exchange_call_result(call,
                                    pod_graph_apply(call->graph, POD_OP_REDUCE, call->inputs, 2, attributes, &fold, 1));
}

pod_outcome pod_exchange_read_reduce(pod_call *call)
{
    const pod_syntax_op *op = call->op;
    pod_attributes attributes = {0};
    if (!pod_exchange_value_axes(call->translator, pod_exchange_call_attribute(call, "dimensions", NULL),
                                 &attributes.axes))
        return pod_exchange_read_fail(call, POD_ERROR_FORMAT, "dimensions must list axes");
    sort_axes(&attributes.axes);
    if (op->operand_count == 4 && op->result_count == 2)
        return read_argument(call, &attributes.axes);
    if (op->operand_count != 2 || op->result_count != 1)
        return read_several(call, &attributes.axes);
    pod_op fold = fold_of(call), reduction = reduction_of(fold);
    if (reduction < 0 || pod_exchange_call_attribute(call, "moonpod.general", NULL))
        return read_region(call, &attributes);
    pod_node *reduced = pod_exchange_call_apply(call, reduction, call->inputs, 1, &attributes);
    if (!pod_exchange_is_identity(fold, call->inputs[1]))
        reduced = pod_graph_binary(call->graph, fold, reduced, call->inputs[1]);
    return pod_exchange_call_result(call, reduced);
}
