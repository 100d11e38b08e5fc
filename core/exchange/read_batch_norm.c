/* Batch normalisation, which PyTorch/XLA prints for layers of it and of layer normalisation: written out as
 * StableHLO's specification defines it, and with the sums that XLA takes on its chips (of x and x * x at once). */

#include "exchange/translate.h"
#include "formats/csv.h"

/* An op with its feature axis. */
typedef struct norm {
    pod_graph *graph;
    const pod_shape *shape; /* of the operand */
    pod_axes feature;       /* the axis of features */
    pod_axes others;
    double count; /* elements a feature */
    double epsilon;
} norm;

static bool read_number(const pod_syntax_value *value, double *number)
{
    if (!value || (value->kind != POD_VALUE_NUMBER && value->kind != POD_VALUE_INTEGER))
        return false;
    pod_csv_field field = {.text = value->text.text, .size = value->text.length};
    return pod_format_csv_read_double(&field, number);
}

/* Whether operands and attributes are those of a batch normalisation of so many operands and results. */
static pod_outcome read_norm(pod_call *call, uint32_t operands, uint32_t results, norm *n)
{
    int64_t axis;
    if (call->op->operand_count != operands || call->op->result_count != results)
        return pod_exchange_read_fail(call, POD_ERROR_FORMAT, "it has %u operands and %u results, not %u and %u",
                                      call->op->operand_count, call->op->result_count, operands, results);
    n->graph = call->graph;
    n->shape = pod_node_shape(call->inputs[0], 0);
    if (!pod_exchange_value_integer(pod_exchange_call_attribute(call, "feature_index", NULL), &axis) || axis < 0 ||
        axis >= n->shape->rank)
        return pod_exchange_read_fail(call, POD_ERROR_FORMAT, "feature_index is no axis of its operand");
    if (!read_number(pod_exchange_call_attribute(call, "epsilon", NULL), &n->epsilon))
        return pod_exchange_read_fail(call, POD_ERROR_FORMAT, "epsilon is not given");
    n->feature = (pod_axes){.count = 1, .axes = {(int32_t)axis}};
    n->others = pod_graph_axes_others(&n->feature, n->shape->rank);
    n->count = 1;
    for (int32_t i = 0; i < n->others.count; i++)
        n->count *= (double)n->shape->dims[n->others.axes[i]];
    pod_dtype dtype = pod_node_dtype(call->inputs[0], 0);
    if (!pod_dtype_is_float(dtype))
        return pod_exchange_read_fail(call, POD_ERROR_DTYPE, "it normalises no floats");
    for (uint32_t i = 1; i < operands; i++) {
        const pod_node *input = call->inputs[i];
        const pod_shape *shape = pod_node_shape(input, 0);
        if (pod_node_dtype(input, 0) != dtype)
            return pod_exchange_not_known(call, "its operands are of different types");
        bool whole = results == 3 && operands == 5 && i == 4; /* the gradient of the result */
        if (whole ? !pod_shape_equal(shape, n->shape) : shape->rank != 1 || shape->dims[0] != n->shape->dims[axis])
            return pod_exchange_read_fail(call, POD_ERROR_SHAPE, "operand %u has not its features", i);
    }
    return POD_READ;
}

static pod_node *spread(const norm *n, pod_node *features)
{
    return pod_graph_broadcast_axes(n->graph, features, n->shape, &n->feature);
}

static pod_node *sum(const norm *n, pod_node *x)
{
    return pod_graph_sum_axes(n->graph, x, &n->others, POD_DTYPE_NONE);
}

/* 1 / sqrt(variance + epsilon), a number a feature. */
static pod_node *inverse_deviation(const norm *n, pod_node *variance)
{
    return pod_graph_unary(n->graph, POD_OP_RSQRT, pod_graph_offset(n->graph, variance, n->epsilon));
}

pod_outcome pod_exchange_read_batch_norm_inference(pod_call *call)
{
    norm n;
    pod_outcome outcome = read_norm(call, 5, 1, &n);
    if (outcome != POD_READ)
        return outcome;
    pod_node *x = call->inputs[0], *scale = call->inputs[1], *offset = call->inputs[2];
    pod_node *factor = pod_graph_multiply(n.graph, scale, inverse_deviation(&n, call->inputs[4]));
    pod_node *shift = pod_graph_subtract(n.graph, offset, pod_graph_multiply(n.graph, call->inputs[3], factor));
    return pod_exchange_call_result(
        call, pod_graph_add(n.graph, pod_graph_multiply(n.graph, x, spread(&n, factor)), spread(&n, shift)));
}

pod_outcome pod_exchange_read_batch_norm_training(pod_call *call)
{
    norm n;
    pod_outcome outcome = read_norm(call, 3, 3, &n);
    if (outcome != POD_READ)
        return outcome;
    pod_node *x = call->inputs[0];
    pod_node *mean = pod_graph_scale(n.graph, sum(&n, x), 1 / n.count);
    pod_node *squares = pod_graph_scale(n.graph, sum(&n, pod_graph_multiply(n.graph, x, x)), 1 / n.count);
    pod_node *variance = pod_graph_subtract(n.graph, squares, pod_graph_multiply(n.graph, mean, mean));
    pod_node *normal = pod_graph_multiply(n.graph, pod_graph_subtract(n.graph, x, spread(&n, mean)),
                                          spread(&n, inverse_deviation(&n, variance)));
    call->results[0] = pod_graph_add(n.graph, pod_graph_multiply(n.graph, normal, spread(&n, call->inputs[1])),
                                     spread(&n, call->inputs[2]));
    call->results[1] = mean;
    call->results[2] = variance;
    return POD_READ;
}

/* Of x, scale and offset; with c = x - mean and g the gradient of the result,
 * dx = scale / deviation * (g - sum(g) / count - c * sum(g * c) / ((variance + epsilon) * count)). */
pod_outcome pod_exchange_read_batch_norm_grad(pod_call *call)
{
    norm n;
    pod_outcome outcome = read_norm(call, 5, 3, &n);
    if (outcome != POD_READ)
        return outcome;
    pod_node *g = call->inputs[4], *inverse = inverse_deviation(&n, call->inputs[3]);
    pod_node *centered = pod_graph_subtract(n.graph, call->inputs[0], spread(&n, call->inputs[2]));
    pod_node *sums = sum(&n, g), *products = sum(&n, pod_graph_multiply(n.graph, g, centered));
    pod_node *slope = pod_graph_multiply(n.graph, products, pod_graph_multiply(n.graph, inverse, inverse));
    pod_node *away = pod_graph_add(n.graph, spread(&n, sums), pod_graph_multiply(n.graph, centered, spread(&n, slope)));
    pod_node *rest = pod_graph_subtract(n.graph, g, pod_graph_scale(n.graph, away, 1 / n.count));
    call->results[0] =
        pod_graph_multiply(n.graph, rest, spread(&n, pod_graph_multiply(n.graph, call->inputs[1], inverse)));
    call->results[1] = pod_graph_multiply(n.graph, products, inverse);
    call->results[2] = sums;
    return POD_READ;
}
