#include <math.h>

#include "graph/build.h"
#include "graph/composites.h"

/* Normalisation over the last axis, and attention. */

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
    if (!pod_body_expect_float(body, 0))
        return false;
    if (shape->rank == 0) {
        pod_body_fail(body, POD_ERROR_SHAPE, "a scalar has no features to normalize over");
        return false;
    }
    pod_shape features = {.rank = 1, .dims = {shape->dims[shape->rank - 1]}};
    for (size_t i = 1; i < body->operand_count; i++) {
        if (!pod_body_expect_float(body, i) || !pod_body_expect_shape(body, i, &features))
            return false;
    }
    return true;
}

/* x * gamma + beta, as far as they are given, in x's type. */
static pod_node *scale_and_shift(pod_body *body, pod_node *x)
{
    pod_dtype dtype = pod_node_dtype(x, 0);
    if (body->operand_count > 1)
        x = pod_graph_multiply(body->graph, x,
                               pod_graph_convert(body->graph, body->operands[1], dtype));
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

/* ---- attention ------------------------------------------------------------------------------- */

/* What scores become where a query may not look: finite, so that a query that may look nowhere
 * gives the mean of all instead of NaN. */
#define HIDDEN_SCORE (-1e30)

static bool expect_attention(pod_body *body)
{
    const pod_shape *q = pod_node_shape(body->operands[0], 0);
    const pod_shape *k = pod_node_shape(body->operands[1], 0);
    const pod_shape *v = pod_node_shape(body->operands[2], 0);
    char a[POD_SHAPE_TEXT_SIZE], b[POD_SHAPE_TEXT_SIZE], c[POD_SHAPE_TEXT_SIZE];
    for (size_t i = 0; i < 3; i++) {
        if (!pod_body_expect_float(body, i) || !pod_body_expect_same_dtype(body, 0, i))
            return false;
    }
    bool fits = q->rank == 4 && k->rank == 4 && v->rank == 4;
    for (int i = 0; i < 2 && fits; i++)
        fits = q->dims[i] == k->dims[i] && q->dims[i] == v->dims[i];
    if (fits && q->dims[3] == k->dims[3] && k->dims[2] == v->dims[2])
        return true;
    pod_body_fail(body, POD_ERROR_SHAPE,
                  "q, k and v are %s, %s and %s, but must be [b, h, t, d], [b, h, s, d] and "
                  "[b, h, s, e]",
                  pod_shape_format(q, a), pod_shape_format(k, b), pod_shape_format(v, c));
    return false;
}

/* q k^T * scale, wide: [b, h, t, s] */
static pod_node *scores(pod_body *body)
{
    pod_node *q = body->operands[0], *k = body->operands[1];
    double scale = body->attributes.values[0];
    pod_attributes lists = {
        .lhs_batch = {2, {0, 1}},
        .rhs_batch = {2, {0, 1}},
        .lhs_contract = {1, {3}},
        .rhs_contract = {1, {3}},
        .dtype = pod_wide_dtype(pod_node_dtype(q, 0)),
    };
    if (scale == 0)
        scale = 1 / sqrt((double)pod_node_shape(q, 0)->dims[3]);
    return pod_graph_scale(body->graph, pod_graph_dot(body->graph, q, k, &lists), scale);
}

/* Hides keys from queries: by the mask, and those behind the query when causal. */
static pod_node *hide(pod_body *body, pod_node *s)
{
    pod_graph *graph = body->graph;
    pod_node *hidden = pod_graph_number_like(graph, s, HIDDEN_SCORE);
    if (body->attributes.flag && pod_node_is_valid(s)) {
        const pod_shape *shape = pod_node_shape(s, 0);
        pod_shape plane = {.rank = 2, .dims = {shape->dims[2], shape->dims[3]}};
        pod_node *seen =
            pod_graph_compare(graph, POD_COMPARE_GE, pod_graph_iota(graph, POD_S32, &plane, 0),
                              pod_graph_iota(graph, POD_S32, &plane, 1));
        s = pod_graph_select(graph, seen, s, hidden);
    }
    if (body->operand_count > 3)
        s = pod_graph_select(graph, body->operands[3], s, hidden);
    return s;
}

void pod_body_attention(pod_body *body)
{
    pod_graph *graph = body->graph;
    if (!expect_attention(body))
        return;
    pod_node *v = body->operands[2];
    pod_attributes axis = {.axis = 3};
    pod_node *s = hide(body, scores(body));
    pod_node *p = pod_graph_composite(graph, "softmax", &s, 1, &axis);
    pod_attributes lists = {
        .lhs_batch = {2, {0, 1}},
        .rhs_batch = {2, {0, 1}},
        .lhs_contract = {1, {3}},
        .rhs_contract = {1, {2}},
    };
    p = pod_graph_convert(graph, p, pod_node_dtype(v, 0));
    pod_graph_add_output(graph, pod_graph_dot(graph, p, v, &lists));
}
