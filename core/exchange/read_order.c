/* Orders and what is left: sort, top_k, sizes of axes. */

#include "exchange/fold_values.h"
#include "exchange/translate.h"

pod_outcome pod_exchange_read_sort(pod_call *call)
{
    const pod_syntax_op *op = call->op;
    int64_t axis = -1;
    bool descending = false;
    if (op->operand_count == 0 || op->operand_count != op->result_count || op->region_count != 1 ||
        op->regions[0].argument_count != 2 * op->operand_count)
        return pod_exchange_read_fail(call, POD_ERROR_FORMAT, "its comparator takes two of each operand");
    int32_t rank = pod_node_shape(call->inputs[0], 0)->rank;
    if (!pod_exchange_value_integer(pod_exchange_call_attribute(call, "dimension", NULL), &axis))
        axis = -1;
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank)
        return pod_exchange_read_fail(call, POD_ERROR_SHAPE, "there is no axis %lld to sort along", (long long)axis);
    pod_dtype dtype = pod_node_dtype(call->inputs[0], 0);
    if (!pod_exchange_region_orders(call->translator, &op->regions[0], pod_dtype_is_float(dtype), &descending))
        return POD_PLACED; /* by several keys, or by another order */
    pod_attributes attributes = {.axis = (int32_t)axis, .flag = descending};
    return pod_exchange_call_results(
        call, pod_exchange_call_apply(call, POD_OP_SORT, call->inputs, op->operand_count, &attributes));
}

pod_outcome pod_exchange_read_top_k(pod_call *call)
{
    pod_attributes attributes = {0};
    if (!pod_exchange_value_flag(call->translator, pod_exchange_call_attribute(call, "largest", NULL), true) ||
        pod_node_dtype(call->inputs[0], 0) == POD_BOOL)
        return pod_exchange_not_known(call, "it does not give the largest numbers and their places");
    const pod_outcome outcome = pod_exchange_read_properties(call, POD_OP_TOP_K, &attributes);
    if (outcome != POD_READ)
        return outcome;
    return pod_exchange_call_results(call, pod_exchange_call_apply(call, POD_OP_TOP_K, call->inputs, 1, &attributes));
}

/* The array is as large as it may be: only some of it counts from now on. */
pod_outcome pod_exchange_read_set_dimension_size(pod_call *call)
{
    (void)call;
    return POD_BY_ELEMENT;
}
