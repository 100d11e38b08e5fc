/* Products of matrices. */

#include "exchange/translate.h"

pod_precision pod_exchange_call_precision(const pod_call *call)
{
    pod_precision precision = POD_PRECISION_DEFAULT;
    const pod_syntax_value *list = pod_exchange_call_attribute(call, "precision", "precision_config");
    for (const pod_syntax_value *at = list ? list->first : NULL; at; at = at->next) {
        pod_span word = pod_exchange_value_word(call->translator, at);
        if (pod_exchange_span_is(word, "HIGHEST"))
            precision = POD_PRECISION_HIGHEST;
        else if (pod_exchange_span_is(word, "HIGH") && precision == POD_PRECISION_DEFAULT)
            precision = POD_PRECISION_HIGH;
    }
    return precision;
}

bool pod_exchange_call_is_product(pod_call *call)
{
    pod_dtype a, b;
    a = pod_node_dtype(call->inputs[0], 0);
    b = pod_node_dtype(call->inputs[1], 0);
    if (a == POD_BOOL || b == POD_BOOL)
        return pod_exchange_not_known(call, "its operands are no numbers") == POD_READ;
    for (int i = 0; i < 2 && a != b; i++) /* it computes in the type of the result */
        call->inputs[i] =
            pod_graph_convert(call->graph, call->inputs[i], pod_exchange_call_result_type(call, 0)->dtype);
    a = pod_node_dtype(call->inputs[0], 0);
    if (pod_dtype_is_float(a) != pod_dtype_is_float(pod_exchange_call_result_type(call, 0)->dtype))
        return pod_exchange_not_known(call, "its result is of another kind of number") == POD_READ;
    return true;
}

/* "[0] x [1]": the axes of both sides. */
static bool read_sides(pod_translator *t, const pod_syntax_value *value, pod_axes *lhs, pod_axes *rhs)
{
    *lhs = *rhs = (pod_axes){0};
    if (!value)
        return true;
    return value->kind == POD_VALUE_LIST && value->count == 2 && pod_exchange_value_axes(t, value->first, lhs) &&
           pod_exchange_value_axes(t, value->first->next, rhs);
}

static bool read_numbers(pod_call *call, pod_attributes *a)
{
    pod_translator *t = call->translator;
    const pod_syntax_value *numbers = pod_exchange_call_attribute(call, "dot_dimension_numbers", NULL);
    pod_syntax_value table;
    if (!numbers)
        return read_sides(t, pod_exchange_call_attribute(call, "batching_dims", NULL), &a->lhs_batch, &a->rhs_batch) &&
               read_sides(t, pod_exchange_call_attribute(call, "contracting_dims", NULL), &a->lhs_contract,
                          &a->rhs_contract);
    return pod_exchange_value_struct(t, numbers, &table) &&
           pod_exchange_value_axes(t, pod_exchange_syntax_find(&table, "lhs_batching_dimensions"), &a->lhs_batch) &&
           pod_exchange_value_axes(t, pod_exchange_syntax_find(&table, "rhs_batching_dimensions"), &a->rhs_batch) &&
           pod_exchange_value_axes(t, pod_exchange_syntax_find(&table, "lhs_contracting_dimensions"),
                                   &a->lhs_contract) &&
           pod_exchange_value_axes(t, pod_exchange_syntax_find(&table, "rhs_contracting_dimensions"), &a->rhs_contract);
}

pod_outcome pod_exchange_read_dot_general(pod_call *call)
{
    pod_attributes attributes = {.precision = pod_exchange_call_precision(call),
                                 .dtype = pod_exchange_call_result_type(call, 0)->dtype};
    if (!pod_exchange_call_is_product(call))
        return POD_NOT_KNOWN;
    if (!read_numbers(call, &attributes))
        return pod_exchange_read_fail(call, POD_ERROR_FORMAT, "the axes that are contracted are not given as lists");
    return pod_exchange_call_give(call, POD_OP_DOT, call->inputs, 2, &attributes);
}

/* The old form: the last axis of the left by the first of the right. */
pod_outcome pod_exchange_read_dot(pod_call *call)
{
    pod_attributes attributes = {.precision = pod_exchange_call_precision(call),
                                 .dtype = pod_exchange_call_result_type(call, 0)->dtype,
                                 .lhs_contract = {.count = 1},
                                 .rhs_contract = {.count = 1}};
    if (!pod_exchange_call_is_product(call))
        return POD_NOT_KNOWN;
    attributes.lhs_contract.axes[0] = pod_node_shape(call->inputs[0], 0)->rank - 1;
    return pod_exchange_call_give(call, POD_OP_DOT, call->inputs, 2, &attributes);
}
