/* Orders and what is left: sort, top_k, replicas. */

#include "exchange/fold_values.h"

pod_outcome pod_read_sort(pod_call *call)
{
    const pod_syntax_op *op = call->op;
    int64_t axis = -1;
    bool descending = false;
    if (op->operand_count == 0 || op->operand_count != op->result_count || op->region_count != 1 ||
        op->regions[0].argument_count != 2 * op->operand_count)
        return pod_read_fail(call, POD_ERROR_FORMAT, "its comparator takes two of each operand");
    int32_t rank = pod_node_shape(call->inputs[0], 0)->rank;
    if (!pod_value_integer(pod_call_attribute(call, "dimension", NULL), &axis))
        axis = -1;
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank)
        return pod_read_fail(call, POD_ERROR_SHAPE, "there is no axis %lld to sort along",
                             (long long)axis);
    pod_dtype dtype = pod_node_dtype(call->inputs[0], 0);
    if (!pod_region_orders(call->translator, &op->regions[0], pod_dtype_is_float(dtype),
                           &descending))
        return pod_not_known(call, "its order is not that of its first operand");
    pod_attributes attributes = {.axis = (int32_t)axis, .flag = descending};
    return pod_call_results(
        call, pod_call_apply(call, POD_OP_SORT, call->inputs, op->operand_count, &attributes));
}

pod_outcome pod_read_top_k(pod_call *call)
{
    pod_attributes attributes = {0};
    bool largest =
        pod_value_flag(call->translator, pod_call_attribute(call, "largest", NULL), true);
    if (call->op->operand_count != 1 || call->op->result_count != 2 || !largest ||
        pod_node_dtype(call->inputs[0], 0) == POD_BOOL)
        return pod_not_known(call, "it does not give the largest numbers and their places");
    if (!pod_value_integer(pod_call_attribute(call, "k", NULL), &attributes.count))
        return pod_read_fail(call, POD_ERROR_FORMAT, "k is not given");
    return pod_call_results(call, pod_call_apply(call, POD_OP_TOP_K, call->inputs, 1, &attributes));
}

/* Over all replicas in one group. */
pod_outcome pod_read_all_reduce(pod_call *call)
{
    const pod_syntax_op *op = call->op;
    const pod_syntax_value *groups = pod_call_attribute(call, "replica_groups", NULL);
    pod_attributes attributes = {0};
    if (op->operand_count != 1 || op->result_count != 1 || op->region_count != 1)
        return pod_not_known(call, "it reduces several arrays at once");
    if (groups && groups->kind == POD_VALUE_DENSE && groups->type.shape.dims[0] > 1)
        return pod_not_known(call, "it reduces in groups of replicas");
    switch (pod_region_fold(call->translator, &op->regions[0])) {
    case POD_OP_ADD:
        attributes.reduction = POD_REDUCE_SUM;
        break;
    case POD_OP_MULTIPLY:
        attributes.reduction = POD_REDUCE_PRODUCT;
        break;
    case POD_OP_MAXIMUM:
        attributes.reduction = POD_REDUCE_MAX;
        break;
    case POD_OP_MINIMUM:
        attributes.reduction = POD_REDUCE_MIN;
        break;
    default:
        return pod_not_known(call, "it folds in a way that is not known");
    }
    return pod_call_result(call,
                           pod_call_apply(call, POD_OP_ALL_REDUCE, call->inputs, 1, &attributes));
}

pod_outcome pod_read_replica_id(pod_call *call)
{
    if (call->op->operand_count != 0 || call->op->result_count != 1)
        return pod_not_known(call, "it has operands");
    pod_node *id = pod_call_apply(call, POD_OP_REPLICA_ID, NULL, 0, NULL);
    return pod_call_result(
        call, pod_graph_convert(call->graph, id, pod_call_result_type(call, 0)->dtype));
}

pod_outcome pod_read_dimension_size(pod_call *call)
{
    int64_t axis;
    if (call->op->operand_count != 1 || call->op->result_count != 1)
        return pod_not_known(call, "it has another number of operands than is known");
    if (!pod_value_integer(pod_call_attribute(call, "dim", "dimension"), &axis) || axis < 0 ||
        axis >= POD_MAX_RANK)
        return pod_read_fail(call, POD_ERROR_FORMAT, "the axis is not given");
    pod_attributes attributes = {.axis = (int32_t)axis};
    return pod_call_result(
        call, pod_call_apply(call, POD_OP_DIMENSION_SIZE, call->inputs, 1, &attributes));
}
