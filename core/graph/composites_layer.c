#include <math.h>

#include "graph/build.h"
#include "graph/composites.h"

/* Normalisation over the last axis. */

/* The mean over the last axis, which is removed. The size is a constant: features are not shared
 * out over replicas. */
static pod_node *mean_last(pod_graph *graph, pod_node *x)
{
    const pod_shape *shape = pod_node_shape(x, 0);
    int32_t axis = shape->rank - 1;
    double size = (double)shape->dims[axis];
    pod_node *sum = pod_graph_reduce_axis(graph, "reduce_sum", x, axis);
    return pod_graph_scale(graph, sum, 1 / size);
}

/* Repeats x over the last axis of `like`. */
static pod_node *over_last(pod_graph *graph, pod_node *x, const pod_node *like)
{
    return pod_graph_over_axis(graph, x, like, pod_node_shape(like, 0)->rank - 1);
}

/* 1 / sqrt(x + epsilon) over the last axis of `like`. */
static pod_node *inverse_root(pod_body *body, pod_node *x, const pod_node *like)
{
    x = pod_graph_offset(body->graph, x, body->attributes.values[0]);
    return over_last(body->graph, pod_graph_rsqrt(body->graph, x), like);
}

/* Fails unless x is a float with a last axis and the others are [n]. */
static bool expect_features(pod_body *body)
{
    const pod_shape *shape = pod_node_shape(body->operands[0], 0);
    if (!pod_graph_body_expect_float(body, 0))
        return false;
    if (shape->rank == 0)
        return pod_graph_body_fail(body, POD_ERROR_SHAPE, "a scalar has no features to normalize over");
    pod_shape features = {.rank = 1, .dims = {shape->dims[shape->rank - 1]}};
    for (size_t i = 1; i < body->operand_count; i++) {
        if (!pod_graph_body_expect_float(body, i) || !pod_graph_body_expect_shape(body, i, &features))
            return false;
    }
    return true;
}

/* x * gamma + beta, as far as they are given, in x's type. */
static pod_node *scale_and_shift(pod_body *body, pod_node *x)
{
    pod_dtype dtype = pod_node_dtype(x, 0);
    if (body->operand_count > 1)
        x = pod_graph_multiply(body->graph, x, pod_graph_convert(body->graph, body->operands[1], dtype));
    if (body->operand_count > 2)
        x = pod_graph_add(body->graph, x, pod_graph_convert(body->graph, body->operands[2], dtype));
    return x;
}

void pod_body_layer_normalization(pod_body *body)
{
    pod_graph *graph = body->graph;
    if (!expect_features(body))
        return;
    pod_node *x = pod_graph_widen(graph, body->operands[0]);
    pod_node *centered = pod_graph_subtract(graph, x, over_last(graph, mean_last(graph, x), x));
    pod_node *variance = mean_last(graph, pod_graph_multiply(graph, centered, centered));
    pod_node *inverse = inverse_root(body, variance, x);
    pod_node *y = scale_and_shift(body, pod_graph_multiply(graph, centered, inverse));
    pod_graph_add_output(graph, pod_graph_convert(graph, y, pod_node_dtype(body->operands[0], 0)));
}

void pod_body_rms_normalization(pod_body *body)
{
    pod_graph *graph = body->graph;
    if (!expect_features(body))
        return;
    pod_node *x = pod_graph_widen(graph, body->operands[0]);
    pod_node *square = mean_last(graph, pod_graph_multiply(graph, x, x));
    pod_node *inverse = inverse_root(body, square, x);
    pod_node *y = scale_and_shift(body, pod_graph_multiply(graph, x, inverse));
    pod_graph_add_output(graph, pod_graph_convert(graph, y, pod_node_dtype(body->operands[0], 0)));
}
