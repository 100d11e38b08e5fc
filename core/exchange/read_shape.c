/* Ops that make arrays or move their elements. */

#include <string.h>

#include "exchange/translate.h"

pod_outcome pod_exchange_read_iota(pod_call *call)
{
    int64_t axis;
    const pod_syntax_type *type = pod_exchange_call_result_type(call, 0);
    if (!pod_exchange_value_integer(pod_exchange_call_attribute(call, "dim", "iota_dimension"), &axis))
        return pod_exchange_not_known(call, "the axis it counts along is not given");
    if (axis < 0 || axis >= type->shape.rank)
        return pod_exchange_read_fail(call, POD_ERROR_SHAPE, "the array has no axis %lld", (long long)axis);
    if (type->dtype == POD_BOOL)
        return pod_exchange_not_known(call, "bool cannot count");
    return pod_exchange_call_result(call, pod_graph_iota(call->graph, type->dtype, &type->shape, (int32_t)axis));
}

pod_outcome pod_exchange_read_reshape(pod_call *call)
{
    pod_attributes attributes = {.shape = pod_exchange_call_result_type(call, 0)->shape};
    return pod_exchange_call_give(call, POD_OP_RESHAPE, call->inputs, 1, &attributes);
}

/* Where the result's axes come in another order than the operand's, the operand is transposed
 * first. */
static pod_node *sort_axes(pod_call *call, pod_node *x, pod_axes *axes)
{
    pod_axes order = {.count = axes->count}, sorted = {.count = axes->count};
    bool is_sorted = true;
    for (int32_t i = 0; i < axes->count; i++) {
        int32_t place = 0;
        for (int32_t j = 0; j < axes->count; j++)
            place += axes->axes[j] < axes->axes[i];
        order.axes[place] = i;
        sorted.axes[place] = axes->axes[i];
        is_sorted &= place == i;
    }
    *axes = sorted;
    return is_sorted ? x : pod_graph_transpose(call->graph, x, &order);
}

pod_outcome pod_exchange_read_broadcast(pod_call *call)
{
    pod_attributes attributes = {0};
    const pod_outcome outcome = pod_exchange_read_properties(call, POD_OP_BROADCAST, &attributes);
    pod_axes axes = attributes.axes;
    if (outcome != POD_READ)
        return outcome;
    if (axes.count != pod_node_shape(call->inputs[0], 0)->rank)
        return pod_exchange_read_fail(call, POD_ERROR_FORMAT, "dims must list an axis for each of the operand");
    for (int32_t i = 0; i < axes.count; i++) {
        for (int32_t j = 0; j < i; j++) {
            if (axes.axes[i] == axes.axes[j])
                return pod_exchange_read_fail(call, POD_ERROR_FORMAT, "dims lists axis %d twice", axes.axes[i]);
        }
    }
    pod_node *x = sort_axes(call, call->inputs[0], &axes);
    return pod_exchange_call_result(
        call, pod_graph_broadcast_axes(call->graph, x, &pod_exchange_call_result_type(call, 0)->shape, &axes));
}

/* Start indices from operand `first` on as int32: those of other types are limited first, which the
 * op does anyway. */
static bool convert_starts(pod_call *call, uint32_t first, pod_node **inputs)
{
    for (uint32_t i = 0; i < call->op->operand_count; i++) {
        pod_dtype dtype = pod_node_dtype(call->inputs[i], 0);
        inputs[i] = call->inputs[i];
        if (i < first || dtype == POD_S32)
            continue;
        if (!pod_dtype_is_integer(dtype))
            return false;
        if (pod_dtype_size(dtype) > 4 || dtype == POD_U32) {
            pod_node *low = pod_graph_number_like(call->graph, inputs[i], 0);
            pod_node *high = pod_graph_number_like(call->graph, inputs[i], INT32_MAX);
            inputs[i] = pod_graph_clamp(call->graph, low, inputs[i], high);
        }
        inputs[i] = pod_graph_convert(call->graph, inputs[i], POD_S32);
    }
    return true;
}

pod_outcome pod_exchange_read_dynamic_slice(pod_call *call)
{
    pod_node *inputs[POD_MAX_RANK + 1];
    pod_attributes attributes = {.shape.rank = pod_node_shape(call->inputs[0], 0)->rank};
    const pod_outcome outcome = pod_exchange_read_properties(call, POD_OP_DYNAMIC_SLICE, &attributes);
    if (outcome != POD_READ)
        return outcome;
    if (!convert_starts(call, 1, inputs))
        return pod_exchange_not_known(call, "its starts are no integers");
    return pod_exchange_call_give(call, POD_OP_DYNAMIC_SLICE, inputs, call->op->operand_count, &attributes);
}

pod_outcome pod_exchange_read_dynamic_update_slice(pod_call *call)
{
    pod_node *inputs[POD_MAX_RANK + 2];
    if (!convert_starts(call, 2, inputs))
        return pod_exchange_not_known(call, "its starts are no integers");
    return pod_exchange_call_give(call, POD_OP_DYNAMIC_UPDATE_SLICE, inputs, call->op->operand_count, NULL);
}

pod_outcome pod_exchange_read_constant(pod_call *call)
{
    const pod_syntax_value *value = pod_exchange_call_attribute(call, "value", NULL);
    if (!value || (value->kind != POD_VALUE_DENSE && value->kind != POD_VALUE_RESOURCE))
        return pod_exchange_not_known(call, "its elements are not given");
    pod_node *node = pod_exchange_translate_constant(call, value, &value->type);
    return node ? pod_exchange_call_result(call, node) : POD_READ_FAILED;
}
