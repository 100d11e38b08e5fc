#include <math.h>

#include "graph/build.h"
#include "graph/composites.h"

/* Activations. */

void pod_body_relu(pod_body *body)
{
    pod_node *x = body->operands[0];
    pod_graph_add_output(body->graph, pod_graph_maximum(body->graph, x, pod_graph_number_like(body->graph, x, 0)));
}

/* The result is positive where x is: so x need not be kept. */
void pod_graph_pullback_relu(pod_pullback *back)
{
    pod_graph *graph = back->graph;
    pod_node *zero = pod_graph_number_like(graph, back->node, 0);
    pod_node *positive = pod_graph_compare(graph, POD_COMPARE_GT, back->node, zero);
    back->operands[0] = pod_graph_select(graph, positive, back->cotangents[0], zero);
}

void pod_body_softplus(pod_body *body)
{
    pod_graph *graph = body->graph;
    pod_node *x = body->operands[0];
    if (!pod_graph_body_expect_float(body, 0))
        return;
    pod_node *decayed = pod_graph_exp(graph, pod_graph_negate(graph, pod_graph_abs(graph, x)));
    pod_node *positive = pod_graph_maximum(graph, x, pod_graph_number_like(graph, x, 0));
    pod_graph_add_output(graph, pod_graph_add(graph, positive, pod_graph_log1p(graph, decayed)));
}

void pod_graph_pullback_softplus(pod_pullback *back)
{
    pod_graph *graph = back->graph;
    back->operands[0] =
        pod_graph_multiply(graph, back->cotangents[0], pod_graph_logistic(graph, back->node->inputs[0]));
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
    if (!pod_graph_body_expect_float(body, 0))
        return;
    if (body->attributes.flag)
        part = gelu_tanh(graph, x);
    else
        part = pod_graph_erf(graph, pod_graph_scale(graph, x, M_SQRT1_2));
    pod_node *half = pod_graph_scale(graph, x, 0.5);
    pod_graph_add_output(graph, pod_graph_multiply(graph, half, pod_graph_offset(graph, part, 1)));
}

/* Only x is kept for the way back. */
void pod_graph_pullback_gelu(pod_pullback *back)
{
    pod_node *inputs[] = {back->node->inputs[0], back->cotangents[0]};
    pod_attributes attributes = {.flag = back->node->attributes->flag};
    back->operands[0] = pod_graph_composite(back->graph, "gelu_gradient", inputs, 2, &attributes);
}

/* P(X <= x) + x * density(x) */
static pod_node *gelu_slope(pod_graph *graph, pod_node *x)
{
    pod_node *part = pod_graph_erf(graph, pod_graph_scale(graph, x, M_SQRT1_2));
    pod_node *density = pod_graph_exp(graph, pod_graph_scale(graph, pod_graph_multiply(graph, x, x), -0.5));
    density = pod_graph_scale(graph, density, M_SQRT1_2 * M_2_SQRTPI * 0.5);
    part = pod_graph_scale(graph, pod_graph_offset(graph, part, 1), 0.5);
    return pod_graph_add(graph, part, pod_graph_multiply(graph, x, density));
}

/* With t the tanh and z' the derivative of what it is of: (1 + t) / 2 + x / 2 * (1 - t^2) * z' */
static pod_node *gelu_tanh_slope(pod_graph *graph, pod_node *x)
{
    pod_node *t = gelu_tanh(graph, x), *one = pod_graph_number_like(graph, x, 1);
    pod_node *inner = pod_graph_scale(graph, pod_graph_multiply(graph, x, x), 3 * 0.044715);
    inner = pod_graph_scale(graph, pod_graph_offset(graph, inner, 1), sqrt(2 / M_PI));
    pod_node *rest = pod_graph_subtract(graph, one, pod_graph_multiply(graph, t, t));
    rest = pod_graph_multiply(graph, pod_graph_multiply(graph, x, rest), inner);
    return pod_graph_scale(graph, pod_graph_add(graph, pod_graph_offset(graph, t, 1), rest), 0.5);
}

void pod_body_gelu_gradient(pod_body *body)
{
    pod_node *x = body->operands[0], *g = body->operands[1];
    if (!pod_graph_body_expect_float(body, 0) || !pod_graph_body_expect_same_dtype(body, 0, 1) ||
        !pod_graph_body_expect_shape(body, 1, pod_node_shape(x, 0)))
        return;
    pod_node *slope = body->attributes.flag ? gelu_tanh_slope(body->graph, x) : gelu_slope(body->graph, x);
    pod_graph_add_output(body->graph, pod_graph_multiply(body->graph, g, slope));
}

void pod_body_silu(pod_body *body)
{
    pod_node *x = body->operands[0];
    pod_graph_add_output(body->graph, pod_graph_multiply(body->graph, x, pod_graph_logistic(body->graph, x)));
}

/* ---- softmax --------------------------------------------------------------------------------- */

void pod_body_softmax(pod_body *body)
{
    pod_graph *graph = body->graph;
    pod_node *x = body->operands[0];
    if (!pod_graph_body_expect_float(body, 0) || !pod_graph_body_normalize_axis(body, x))
        return;
    int32_t axis = body->attributes.axis;
    pod_exponentials e = pod_graph_exponentials(graph, pod_graph_widen(graph, x), axis);
    pod_node *y = pod_graph_divide(graph, e.exp, pod_graph_over_axis(graph, e.sum, x, axis));
    pod_graph_add_output(graph, pod_graph_convert(graph, y, pod_node_dtype(x, 0)));
}

/* dx = (g - sum(g y)) y */
void pod_graph_pullback_softmax(pod_pullback *back)
{
    pod_graph *graph = back->graph;
    pod_node *y = pod_graph_widen(graph, back->node);
    pod_node *g = pod_graph_widen(graph, back->cotangents[0]);
    int32_t axis = back->node->attributes->axis;
    pod_node *sum = pod_graph_reduce_axis(graph, "reduce_sum", pod_graph_multiply(graph, g, y), axis);
    sum = pod_graph_over_axis(graph, sum, y, axis);
    pod_node *dx = pod_graph_multiply(graph, pod_graph_subtract(graph, g, sum), y);
    back->operands[0] = pod_graph_convert(graph, dx, pod_node_dtype(back->node, 0));
}

void pod_body_log_softmax(pod_body *body)
{
    pod_graph *graph = body->graph;
    pod_node *x = body->operands[0];
    if (!pod_graph_body_expect_float(body, 0) || !pod_graph_body_normalize_axis(body, x))
        return;
    int32_t axis = body->attributes.axis;
    pod_exponentials e = pod_graph_exponentials(graph, pod_graph_widen(graph, x), axis);
    pod_node *log_sum = pod_graph_over_axis(graph, pod_graph_log(graph, e.sum), x, axis);
    pod_node *y = pod_graph_subtract(graph, e.shifted, log_sum);
    pod_graph_add_output(graph, pod_graph_convert(graph, y, pod_node_dtype(x, 0)));
}

/* dx = g - exp(y) sum(g) */
void pod_graph_pullback_log_softmax(pod_pullback *back)
{
    pod_graph *graph = back->graph;
    pod_node *y = pod_graph_widen(graph, back->node);
    pod_node *g = pod_graph_widen(graph, back->cotangents[0]);
    int32_t axis = back->node->attributes->axis;
    pod_node *sum = pod_graph_reduce_axis(graph, "reduce_sum", g, axis);
    sum = pod_graph_over_axis(graph, sum, y, axis);
    pod_node *dx = pod_graph_subtract(graph, g, pod_graph_multiply(graph, pod_graph_exp(graph, y), sum));
    back->operands[0] = pod_graph_convert(graph, dx, pod_node_dtype(back->node, 0));
}
