#include <math.h>

#include "graph/build.h"
#include "graph/composites.h"

/* Activations. */

void pod_body_relu(pod_body *body)
{
    pod_node *x = body->operands[0];
    pod_graph_add_output(
        body->graph, pod_graph_maximum(body->graph, x, pod_graph_number_like(body->graph, x, 0)));
}

/* The result is positive where x is: so x need not be kept. */
pod_status pod_pullback_relu(pod_pullback *back, pod_error *error)
{
    (void)error;
    pod_graph *graph = back->graph;
    pod_node *zero = pod_graph_number_like(graph, back->node, 0);
    pod_node *positive = pod_graph_compare(graph, POD_COMPARE_GT, back->node, zero);
    back->operands[0] = pod_graph_select(graph, positive, back->cotangents[0], zero);
    return POD_OK;
}

void pod_body_softplus(pod_body *body)
{
    pod_graph *graph = body->graph;
    pod_node *x = body->operands[0];
    if (!pod_body_expect_float(body, 0))
        return;
    pod_node *decayed = pod_graph_exp(graph, pod_graph_negate(graph, pod_graph_abs(graph, x)));
    pod_node *positive = pod_graph_maximum(graph, x, pod_graph_number_like(graph, x, 0));
    pod_graph_add_output(graph, pod_graph_add(graph, positive, pod_graph_log1p(graph, decayed)));
}

pod_status pod_pullback_softplus(pod_pullback *back, pod_error *error)
{
    (void)error;
    pod_graph *graph = back->graph;
    back->operands[0] = pod_graph_multiply(graph, back->cotangents[0],
                                           pod_graph_logistic(graph, back->node->inputs[0]));
    return POD_OK;
}

/* tanh(sqrt(2 / pi) * (x + 0.044715 x^3)) */
static pod_node *gelu_tanh(pod_graph *graph, pod_node *x)
{
    pod_node *square = pod_graph_multiply(graph, x, x);
    pod_node *inner = pod_graph_offset(graph, pod_graph_scale(graph, square, 0.044715), 1);
    inner = pod_graph_multiply(graph, x, inner);
    return pod_graph_tanh(graph, pod_graph_scale(graph, inner, sqrt(2 / M_PI)));
}

void pod_body_gelu(pod_body *body)
{
    pod_graph *graph = body->graph;
    pod_node *x = body->operands[0], *part;
    if (!pod_body_expect_float(body, 0))
        return;
    if (body->attributes.flag)
        part = gelu_tanh(graph, x);
    else
        part = pod_graph_erf(graph, pod_graph_scale(graph, x, M_SQRT1_2));
    pod_node *half = pod_graph_scale(graph, x, 0.5);
    pod_graph_add_output(graph, pod_graph_multiply(graph, half, pod_graph_offset(graph, part, 1)));
}

void pod_body_silu(pod_body *body)
{
    pod_node *x = body->operands[0];
    pod_graph_add_output(body->graph,
                         pod_graph_multiply(body->graph, x, pod_graph_logistic(body->graph, x)));
}

/* ---- softmax --------------------------------------------------------------------------------- */

void pod_body_softmax(pod_body *body)
{
    pod_graph *graph = body->graph;
    pod_node *x = body->operands[0];
    if (!pod_body_expect_float(body, 0) || !pod_body_normalize_axis(body, x))
        return;
    int32_t axis = body->attributes.axis;
    pod_exponentials e = pod_graph_exponentials(graph, pod_graph_widen(graph, x), axis);
    pod_node *y = pod_graph_divide(graph, e.exp, pod_graph_over_axis(graph, e.sum, x, axis));
    pod_graph_add_output(graph, pod_graph_convert(graph, y, pod_node_dtype(x, 0)));
}

/* dx = (g - sum(g y)) y */
pod_status pod_pullback_softmax(pod_pullback *back, pod_error *error)
{
    (void)error;
    pod_graph *graph = back->graph;
    pod_node *y = pod_graph_widen(graph, back->node);
    pod_node *g = pod_graph_widen(graph, back->cotangents[0]);
    int32_t axis = back->node->attributes->axis;
    pod_node *sum =
        pod_graph_reduce_axis(graph, "reduce_sum", pod_graph_multiply(graph, g, y), axis);
    sum = pod_graph_over_axis(graph, sum, y, axis);
    pod_node *dx = pod_graph_multiply(graph, pod_graph_subtract(graph, g, sum), y);
    back->operands[0] = pod_graph_convert(graph, dx, pod_node_dtype(back->node, 0));
    return POD_OK;
}

void pod_body_log_softmax(pod_body *body)
{
    pod_graph *graph = body->graph;
    pod_node *x = body->operands[0];
    if (!pod_body_expect_float(body, 0) || !pod_body_normalize_axis(body, x))
        return;
    int32_t axis = body->attributes.axis;
    pod_exponentials e = pod_graph_exponentials(graph, pod_graph_widen(graph, x), axis);
    pod_node *log_sum = pod_graph_over_axis(graph, pod_graph_log(graph, e.sum), x, axis);
    pod_node *y = pod_graph_subtract(graph, e.shifted, log_sum);
    pod_graph_add_output(graph, pod_graph_convert(graph, y, pod_node_dtype(x, 0)));
}

/* dx = g - exp(y) sum(g) */
pod_status pod_pullback_log_softmax(pod_pullback *back, pod_error *error)
{
    (void)error;
    pod_graph *graph = back->graph;
    pod_node *y = pod_graph_widen(graph, back->node);
    pod_node *g = pod_graph_widen(graph, back->cotangents[0]);
    int32_t axis = back->node->attributes->axis;
    pod_node *sum = pod_graph_reduce_axis(graph, "reduce_sum", g, axis);
    sum = pod_graph_over_axis(graph, sum, y, axis);
    pod_node *dx =
        pod_graph_subtract(graph, g, pod_graph_multiply(graph, pod_graph_exp(graph, y), sum));
    back->operands[0] = pod_graph_convert(graph, dx, pod_node_dtype(back->node, 0));
    return POD_OK;
}
