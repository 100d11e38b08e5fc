/* Ops by element. */

#include "exchange/fold_values.h"

static bool is_bool(const pod_call *call, uint32_t index)
{
    return pod_exchange_call_operand_type(call, index)->dtype == POD_BOOL;
}

/* erfc(x) = 1 - erf(x) */
pod_outcome pod_exchange_read_erfc(pod_call *call)
{
    pod_node *x = pod_exchange_call_apply(call, POD_OP_ERF, call->inputs, 1, NULL);
    return pod_exchange_call_result(
        call, pod_graph_binary(call->graph, POD_OP_SUBTRACT, pod_graph_full_like(call->graph, x, 1), x));
}

pod_outcome pod_exchange_read_square(pod_call *call)
{
    pod_node *both[2] = {call->inputs[0], call->inputs[0]};
    return pod_exchange_call_give(call, POD_OP_MULTIPLY, both, 2, NULL);
}

pod_outcome pod_exchange_read_atan(pod_call *call)
{
    pod_node *both[2] = {call->inputs[0], pod_graph_full_like(call->graph, call->inputs[0], 1)};
    return pod_exchange_call_give(call, POD_OP_ATAN2, both, 2, NULL);
}

/* Arithmetic of bool: the sum is `or`, the product `and`. */
static pod_op code_of_bool(pod_op code)
{
    switch (code) {
    case POD_OP_ADD:
    case POD_OP_MAXIMUM:
        return POD_OP_OR;
    case POD_OP_MULTIPLY:
    case POD_OP_MINIMUM:
        return POD_OP_AND;
    default:
        return code;
    }
}

pod_op pod_exchange_find_binary(const pod_translator *translator, pod_span name, pod_dtype dtype)
{
    const pod_reader_row *row = translator->find_reader(name);
    if (!row || row->read != pod_exchange_read_binary)
        return -1;
    return dtype == POD_BOOL ? code_of_bool(row->code) : row->code;
}

pod_outcome pod_exchange_read_binary(pod_call *call)
{
    pod_op code = is_bool(call, 0) ? code_of_bool(call->code) : call->code;
    return pod_exchange_call_give(call, code, call->inputs, 2, NULL);
}

pod_comparison pod_exchange_read_direction(pod_translator *t, const pod_syntax_op *op, bool *total)
{
    const char *const *names = pod_comparison_names();
    pod_span word = pod_exchange_value_word(t, pod_exchange_syntax_find(&op->attributes, "comparison_direction"));
    pod_span kind = pod_exchange_value_word(t, pod_exchange_syntax_find(&op->attributes, "compare_type"));
    for (const pod_syntax_value *at = op->words.first; at; at = at->next)
        *(at == op->words.first ? &word : &kind) = at->text;
    *total = pod_exchange_span_is(kind, "TOTALORDER");
    for (int i = 0; names[i] && word.length == 2; i++)
        if (word.text[0] == names[i][0] - 'a' + 'A' && word.text[1] == names[i][1] - 'a' + 'A')
            return (pod_comparison)i;
    return (pod_comparison)-1;
}

/* The bits of floats as integers in the order of IEEE 754's totalOrder: those of negative ones turned around.
 * Integers are their own. */
static pod_node *total_order_key(pod_call *call, pod_node *x)
{
    const pod_dtype dtype = pod_node_dtype(x, 0);
    if (!pod_dtype_is_float(dtype))
        return x;
    const size_t size = pod_dtype_size(dtype);
    pod_attributes attributes = {.dtype = size == 2 ? POD_S16 : size == 4 ? POD_S32 : POD_S64};
    pod_node *bits = pod_exchange_call_apply(call, POD_OP_BITCAST, &x, 1, &attributes);
    pod_node *zero = pod_graph_full_like(call->graph, bits, 0);
    pod_node *least = pod_graph_unary(call->graph, POD_OP_NOT, zero); /* all ones: -1 */
    pod_node *one = pod_graph_full_like(call->graph, bits, 1);
    pod_node *most = pod_graph_binary(call->graph, POD_OP_SHIFT_RIGHT, least, one);
    pod_node *turned = pod_graph_binary(call->graph, POD_OP_XOR, bits, most);
    pod_node *negative = pod_graph_compare(call->graph, POD_COMPARE_LT, bits, zero);
    return pod_graph_select(call->graph, negative, turned, bits);
}

pod_outcome pod_exchange_read_compare(pod_call *call)
{
    bool total;
    const pod_attributes attributes = {.comparison = pod_exchange_read_direction(call->translator, call->op, &total)};
    if ((int)attributes.comparison < 0)
        return pod_exchange_read_fail(call, POD_ERROR_FORMAT, "the comparison is none of EQ, NE, LT, LE, GT, GE");
    pod_node *inputs[2] = {call->inputs[0], call->inputs[1]};
    for (int i = 0; i < 2 && total; i++)
        inputs[i] = total_order_key(call, inputs[i]);
    return pod_exchange_call_give(call, POD_OP_COMPARE, inputs, 2, &attributes);
}

/* Repeats a scalar to the shape of the result. */
static pod_node *spread(pod_call *call, pod_node *x)
{
    const pod_shape *shape = &pod_exchange_call_result_type(call, 0)->shape;
    static const pod_axes none;
    if (shape->rank == 0 || pod_node_shape(x, 0)->rank != 0)
        return x;
    return pod_graph_broadcast_axes(call->graph, x, shape, &none);
}

pod_outcome pod_exchange_read_select(pod_call *call)
{
    pod_node *inputs[3] = {spread(call, call->inputs[0]), call->inputs[1], call->inputs[2]};
    return pod_exchange_call_give(call, POD_OP_SELECT, inputs, 3, NULL);
}

pod_outcome pod_exchange_read_clamp(pod_call *call)
{
    if (is_bool(call, 1))
        return pod_exchange_not_known(call, "it does not limit numbers");
    pod_node *inputs[3] = {spread(call, call->inputs[0]), call->inputs[1], spread(call, call->inputs[2])};
    return pod_exchange_call_give(call, POD_OP_CLAMP, inputs, 3, NULL);
}

pod_outcome pod_exchange_read_convert(pod_call *call)
{
    pod_attributes attributes = {.dtype = pod_exchange_call_result_type(call, 0)->dtype};
    return pod_exchange_call_give(call, POD_OP_CONVERT, call->inputs, 1, &attributes);
}

pod_outcome pod_exchange_read_bitcast(pod_call *call)
{
    pod_dtype from = pod_exchange_call_operand_type(call, 0)->dtype;
    pod_dtype to = pod_exchange_call_result_type(call, 0)->dtype;
    if (pod_dtype_size(from) != pod_dtype_size(to) || (from == POD_BOOL) != (to == POD_BOOL))
        return POD_PLACED; /* elements become several smaller ones, or the reverse */
    pod_attributes attributes = {.dtype = to};
    return pod_exchange_call_give(call, POD_OP_BITCAST, call->inputs, 1, &attributes);
}

/* One barrier of several values becomes one node a value, with a number in common. */
pod_outcome pod_exchange_read_barrier(pod_call *call)
{
    const pod_syntax_op *op = call->op;
    if (op->operand_count != op->result_count)
        return pod_exchange_not_known(call, "it has not as many results as operands");
    pod_attributes attributes = {.count = op->result_count > 1 ? ++call->translator->barriers : 0};
    for (uint32_t i = 0; i < op->result_count; i++)
        call->results[i] = pod_exchange_call_apply(call, POD_OP_BARRIER, &call->inputs[i], 1, &attributes);
    return POD_READ;
}
