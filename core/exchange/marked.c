/* Nodes of ours, from the attributes that the writer gives them. */

#include "exchange/translate.h"

#include <string.h>

static const pod_syntax_value *find(const pod_call *call, const char *key)
{
    return pod_exchange_call_attribute(call, key, NULL);
}

static int64_t integer(const pod_call *call, const char *key)
{
    int64_t value = 0;
    return pod_exchange_value_integer(find(call, key), &value) ? value : 0;
}

static bool read_window(pod_call *call, pod_window *window)
{
    int64_t values[2 + 5 * POD_MAX_SPATIAL];
    const pod_syntax_value *value = find(call, "moonpod.window");
    if (!value)
        return true;
    if (pod_exchange_value_integers(call->translator, value, values, 2 + 5 * POD_MAX_SPATIAL) !=
            2 + 5 * POD_MAX_SPATIAL ||
        values[0] < 0 || values[0] > POD_MAX_SPATIAL)
        return false;
    window->rank = (int32_t)values[0];
    window->groups = values[1];
    for (int i = 0; i < POD_MAX_SPATIAL; i++) {
        const int64_t *at = values + 2 + 5 * i;
        window->size[i] = at[0];
        window->stride[i] = at[1];
        window->pad_low[i] = at[2];
        window->pad_high[i] = at[3];
        window->dilation[i] = at[4];
    }
    return true;
}

static bool read_shape(pod_call *call, pod_shape *shape)
{
    int rank = pod_exchange_value_integers(call->translator, find(call, "moonpod.shape"), shape->dims, POD_MAX_RANK);
    shape->rank = rank < 0 ? 0 : rank;
    return rank >= 0;
}

static bool read_values(pod_call *call, double *values)
{
    int64_t bits[4] = {0};
    int count = pod_exchange_value_integers(call->translator, find(call, "moonpod.values"), bits, 4);
    memcpy(values, bits, sizeof bits);
    return count >= 0;
}

/* Reads what the op takes besides its operands; false when it is not as the writer writes it. */
static bool read_attributes(pod_call *call, pod_attributes *a)
{
    char dtype[16] = "";
    pod_translator *t = call->translator;
    const pod_syntax_value *name = find(call, "moonpod.name"), *type = find(call, "moonpod.dtype");
    int64_t axis = integer(call, "moonpod.axis"), reduction = integer(call, "moonpod.reduction");
    int64_t precision = integer(call, "moonpod.precision");
    if (axis < INT32_MIN || axis > INT32_MAX || reduction < POD_REDUCE_SUM || reduction > POD_REDUCE_ASSIGN ||
        precision < 0 || precision > POD_PRECISION_ROUNDED)
        return false;
    a->axis = (int32_t)axis;
    a->reduction = (pod_reduction)reduction;
    a->precision = (pod_precision)precision;
    a->count = integer(call, "moonpod.count");
    a->flag = integer(call, "moonpod.flag") != 0;
    a->seed = (uint64_t)integer(call, "moonpod.seed");
    if (name) {
        a->name = pod_exchange_keep_text(t, name->text);
        if (!a->name)
            return false;
    }
    if (type && type->text.length < sizeof dtype) {
        memcpy(dtype, type->text.text, type->text.length);
        a->dtype = pod_dtype_from_name(dtype);
    }
    return read_window(call, &a->window) && read_shape(call, &a->shape) && read_values(call, a->values) &&
           pod_exchange_value_axes(t, find(call, "moonpod.axes"), &a->axes);
}

static pod_op find_op(const pod_syntax_value *mark)
{
    char name[48];
    if (mark->kind != POD_VALUE_TEXT || mark->text.length >= sizeof name)
        return -1;
    memcpy(name, mark->text.text, mark->text.length);
    name[mark->text.length] = '\0';
    return pod_op_from_name(name);
}

/* The body of a call becomes its region. */
static pod_node *read_call(pod_call *call, const pod_attributes *attributes)
{
    const pod_syntax_value *function = find(call, "decomposition");
    if (!function || function->kind != POD_VALUE_SYMBOL)
        return NULL;
    pod_graph *body = pod_exchange_translate_function_graph(call, function->text);
    if (!body)
        return NULL;
    return pod_graph_apply(call->graph, POD_OP_CALL, call->inputs, call->op->operand_count, attributes, &body, 1);
}

/* Types of an opaque node are those of the results. */
static pod_node *read_opaque(pod_call *call, pod_attributes *attributes)
{
    pod_value_type *types = pod_exchange_call_result_types(call);
    if (!types)
        return NULL;
    attributes->count = call->op->result_count;
    attributes->data = types;
    pod_node *node = pod_exchange_call_apply(call, POD_OP_OPAQUE, call->inputs, call->op->operand_count, attributes);
    pod_free(call->translator->context, types);
    return node;
}

/* Pairs of a permutation. */
static pod_node *read_permutation(pod_call *call, pod_attributes *attributes)
{
    enum { MOST = 8192 };
    pod_translator *t = call->translator;
    int64_t *wide = pod_allocate_zeroed(t->context, MOST, sizeof *wide);
    int32_t *pairs = pod_allocate_zeroed(t->context, MOST, sizeof *pairs);
    pod_node *node = NULL;
    int count = -1;
    if (wide && pairs)
        count = pod_exchange_value_integers(t, find(call, "moonpod.data"), wide, MOST);
    for (int i = 0; i < count; i++)
        pairs[i] = wide[i] < 0 || wide[i] > INT32_MAX ? -1 : (int32_t)wide[i];
    if (count >= 0 && count % 2 == 0 && attributes->count == count / 2) {
        attributes->data = pairs;
        node = pod_exchange_call_apply(call, POD_OP_COLLECTIVE_PERMUTE, call->inputs, 1, attributes);
    }
    pod_free(t->context, wide);
    pod_free(t->context, pairs);
    return node;
}

/* StableHLO's convolutions take the kernel of an input gradient reversed; custom calls take ours. */
static pod_node *forward_kernel(pod_call *call, pod_node *kernel, int32_t spatial)
{
    pod_attributes attributes = {.axes = {.count = spatial}};
    uint32_t reversed = 0;
    for (int32_t i = 0; i < spatial; i++)
        attributes.axes.axes[i] = i;
    for (int32_t i = 0; kernel->op == POD_OP_REVERSE && i < kernel->attributes->axes.count; i++)
        reversed |= 1u << kernel->attributes->axes.axes[i];
    if (kernel->op == POD_OP_REVERSE && reversed == (1u << spatial) - 1)
        return kernel->inputs[0];
    return pod_exchange_call_apply(call, POD_OP_REVERSE, &kernel, 1, &attributes);
}

static pod_node *apply(pod_call *call, pod_op op, pod_attributes *attributes)
{
    int32_t wanted = pod_op_get(op)->operands;
    uint32_t given = call->op->operand_count;
    pod_node *inputs[3];
    if (wanted > (int32_t)given || op == POD_OP_PARAMETER || op == POD_OP_CONSTANT || op == POD_OP_REDUCE ||
        op == POD_OP_COND || op == POD_OP_WHILE)
        return NULL;
    if (op == POD_OP_CALL)
        return read_call(call, attributes);
    if (op == POD_OP_OPAQUE)
        return read_opaque(call, attributes);
    if (op == POD_OP_COLLECTIVE_PERMUTE)
        return given == 1 ? read_permutation(call, attributes) : NULL;
    if (wanted < 0)
        return pod_exchange_call_apply(call, op, call->inputs, given, attributes);
    for (int32_t i = 0; i < wanted; i++)
        inputs[i] = call->inputs[i];
    if (op == POD_OP_CONVOLUTION_INPUT_GRADIENT &&
        pod_exchange_span_is(pod_exchange_bare_name(call->op->name), "convolution"))
        inputs[1] = forward_kernel(call, inputs[1], attributes->window.rank);
    return pod_exchange_call_apply(call, op, inputs, (size_t)wanted, attributes);
}

bool pod_exchange_is_marked(const pod_call *call)
{
    return find(call, "moonpod.op") != NULL;
}

pod_outcome pod_exchange_read_marked(pod_call *call)
{
    pod_attributes attributes = {0};
    pod_op op = find_op(find(call, "moonpod.op"));
    pod_node *node = NULL;
    if (op >= 0 && read_attributes(call, &attributes))
        node = apply(call, op, &attributes);
    if (call->translator->syntax->lexer.failed)
        return POD_READ_FAILED;
    if (!node)
        return pod_exchange_read_fail(call, POD_ERROR_FORMAT, "its moonpod attributes are not as they are written");
    if (node->op < 0) /* the graph has the error */
        return POD_READ;
    if (node->result_count != call->op->result_count)
        return pod_exchange_read_fail(call, POD_ERROR_FORMAT, "it has another number of results");
    return pod_exchange_call_results(call, node);
}
