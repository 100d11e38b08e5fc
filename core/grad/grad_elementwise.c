#include <math.h>

#include "grad/gradient.h"

/* Elementwise ops. In formulas: g is the cotangent of the result y. */

/* Hands g * factor to operand `index`. */
static void hand_product(pod_pullback *back, size_t index, pod_node *factor)
{
    back->operands[index] = pod_graph_multiply(back->graph, back->cotangents[0], factor);
}

static pod_node *square(pod_graph *graph, pod_node *x)
{
    return pod_graph_multiply(graph, x, x);
}

/* ---- one operand ----------------------------------------------------------------------------- */

/* Operand 1, where there is one, is no number that the result grows with. */
void pod_gradient_identity(pod_pullback *back)
{
    back->operands[0] = back->cotangents[0];
}

void pod_gradient_negate(pod_pullback *back)
{
    back->operands[0] = pod_graph_negate(back->graph, back->cotangents[0]);
}

void pod_gradient_log(pod_pullback *back)
{
    back->operands[0] = pod_graph_divide(back->graph, back->cotangents[0], back->node->inputs[0]);
}

void pod_gradient_log1p(pod_pullback *back)
{
    back->operands[0] =
        pod_graph_divide(back->graph, back->cotangents[0], pod_graph_offset(back->graph, back->node->inputs[0], 1));
}

/* g / (2 y) */
void pod_gradient_sqrt(pod_pullback *back)
{
    pod_node *half = pod_graph_scale(back->graph, back->cotangents[0], 0.5);
    back->operands[0] = pod_graph_divide(back->graph, half, back->node);
}

/* 1 - y */
static pod_node *one_minus(pod_graph *graph, pod_node *y)
{
    return pod_graph_subtract(graph, pod_graph_number_like(graph, y, 1), y);
}

/* Ops whose cotangent is g times a slope, which is a function of the operand x or of the result y. */
#define POD_SLOPE(rule, slope)                                                                                         \
    void pod_gradient_##rule(pod_pullback *back)                                                                       \
    {                                                                                                                  \
        pod_graph *graph = back->graph;                                                                                \
        pod_node *x = back->node->inputs[0], *y = back->node;                                                          \
        (void)graph, (void)x, (void)y;                                                                                 \
        hand_product(back, 0, slope);                                                                                  \
    }
POD_SLOPE(abs, pod_graph_sign(graph, x))
POD_SLOPE(exp, y)
POD_SLOPE(expm1, pod_graph_offset(graph, y, 1))
POD_SLOPE(rsqrt, pod_graph_scale(graph, pod_graph_multiply(graph, square(graph, y), y), -0.5))
POD_SLOPE(sin, pod_graph_cos(graph, x))
POD_SLOPE(cos, pod_graph_negate(graph, pod_graph_sin(graph, x)))
POD_SLOPE(tan, pod_graph_offset(graph, square(graph, y), 1))
POD_SLOPE(tanh, one_minus(graph, square(graph, y)))
POD_SLOPE(logistic, pod_graph_multiply(graph, y, one_minus(graph, y)))
POD_SLOPE(erf, pod_graph_scale(graph, pod_graph_exp(graph, pod_graph_negate(graph, square(graph, x))), M_2_SQRTPI))
POD_SLOPE(erf_inv, pod_graph_scale(graph, pod_graph_exp(graph, square(graph, y)), 1 / M_2_SQRTPI))

void pod_gradient_convert(pod_pullback *back)
{
    back->operands[0] = pod_gradient_in_operand_type(back);
}

/* ---- two operands ---------------------------------------------------------------------------- */

void pod_gradient_add(pod_pullback *back)
{
    back->operands[0] = back->operands[1] = back->cotangents[0];
}

void pod_gradient_subtract(pod_pullback *back)
{
    back->operands[0] = back->cotangents[0];
    if (back->needed[1])
        back->operands[1] = pod_graph_negate(back->graph, back->cotangents[0]);
}

void pod_gradient_multiply(pod_pullback *back)
{
    if (back->needed[0])
        hand_product(back, 0, back->node->inputs[1]);
    if (back->needed[1])
        hand_product(back, 1, back->node->inputs[0]);
}

/* g / b and -g y / b */
void pod_gradient_divide(pod_pullback *back)
{
    pod_graph *graph = back->graph;
    pod_node *quotient = pod_graph_divide(graph, back->cotangents[0], back->node->inputs[1]);
    back->operands[0] = quotient;
    if (back->needed[1])
        back->operands[1] = pod_graph_negate(graph, pod_graph_multiply(graph, quotient, back->node));
}

/* y = a - n b, n a whole number: g and -g n */
void pod_gradient_remainder(pod_pullback *back)
{
    pod_graph *graph = back->graph;
    back->operands[0] = back->cotangents[0];
    if (!back->needed[1])
        return;
    pod_node *whole =
        pod_graph_divide(graph, pod_graph_subtract(graph, back->node->inputs[0], back->node), back->node->inputs[1]);
    hand_product(back, 1, pod_graph_negate(graph, pod_graph_round(graph, whole)));
}

/* b a^(b - 1), which is 0 for b = 0, also where a is 0. */
static pod_node *power_slope(pod_graph *graph, pod_node *a, pod_node *b)
{
    double exponent;
    pod_node *zero = pod_graph_number_like(graph, b, 0);
    const pod_node *constant = b->op == POD_OP_BROADCAST ? b->inputs[0] : b;
    if (pod_node_is_splat(constant, &exponent) && exponent == 2)
        return pod_graph_scale(graph, a, 2);
    pod_node *lower = pod_graph_power(graph, a, pod_graph_offset(graph, b, -1));
    pod_node *is_zero = pod_graph_compare(graph, POD_COMPARE_EQ, b, zero);
    return pod_graph_select(graph, is_zero, zero, pod_graph_multiply(graph, b, lower));
}

/* y log(a), which counts as 0 where a is not positive. */
static pod_node *power_growth(pod_graph *graph, pod_node *y, pod_node *a)
{
    pod_node *zero = pod_graph_number_like(graph, a, 0), *one = pod_graph_number_like(graph, a, 1);
    pod_node *positive = pod_graph_compare(graph, POD_COMPARE_GT, a, zero);
    pod_node *logarithm = pod_graph_log(graph, pod_graph_select(graph, positive, a, one));
    return pod_graph_multiply(graph, y, logarithm);
}

void pod_gradient_power(pod_pullback *back)
{
    pod_node *a = back->node->inputs[0], *b = back->node->inputs[1];
    if (back->needed[0])
        hand_product(back, 0, power_slope(back->graph, a, b));
    if (back->needed[1])
        hand_product(back, 1, power_growth(back->graph, back->node, a));
}

/* Maximum and minimum: the operand that wins gets g, equal ones half of it each. */
void pod_gradient_extreme(pod_pullback *back)
{
    pod_comparison first_wins = back->node->op == POD_OP_MAXIMUM ? POD_COMPARE_GT : POD_COMPARE_LT;
    pod_graph *graph = back->graph;
    pod_node *g = back->cotangents[0], *a = back->node->inputs[0], *b = back->node->inputs[1];
    pod_node *zero = pod_graph_number_like(graph, g, 0), *half = pod_graph_scale(graph, g, 0.5);
    pod_node *tie = pod_graph_compare(graph, POD_COMPARE_EQ, a, b);
    pod_node *first = pod_graph_compare(graph, first_wins, a, b);
    if (back->needed[0])
        back->operands[0] = pod_graph_select(graph, tie, half, pod_graph_select(graph, first, g, zero));
    if (back->needed[1])
        back->operands[1] = pod_graph_select(graph, tie, half, pod_graph_select(graph, first, zero, g));
}

/* atan2(a, b): g b / (a^2 + b^2) and -g a / (a^2 + b^2) */
void pod_gradient_atan2(pod_pullback *back)
{
    pod_graph *graph = back->graph;
    pod_node *a = back->node->inputs[0], *b = back->node->inputs[1];
    pod_node *norm = pod_graph_add(graph, square(graph, a), square(graph, b));
    pod_node *part = pod_graph_divide(graph, back->cotangents[0], norm);
    if (back->needed[0])
        back->operands[0] = pod_graph_multiply(graph, part, b);
    if (back->needed[1])
        back->operands[1] = pod_graph_negate(graph, pod_graph_multiply(graph, part, a));
}

/* ---- three operands -------------------------------------------------------------------------- */

void pod_gradient_select(pod_pullback *back)
{
    pod_graph *graph = back->graph;
    pod_node *g = back->cotangents[0], *zero = pod_graph_number_like(graph, g, 0);
    if (back->needed[1])
        back->operands[1] = pod_graph_select(graph, back->node->inputs[0], g, zero);
    if (back->needed[2])
        back->operands[2] = pod_graph_select(graph, back->node->inputs[0], zero, g);
}

/* x gets g where it lies between the limits or on them; elsewhere the limit does: the upper one where the lower is
 * above it. */
void pod_gradient_clamp(pod_pullback *back)
{
    pod_graph *graph = back->graph;
    pod_node *g = back->cotangents[0], *zero = pod_graph_number_like(graph, g, 0);
    pod_node *low = back->node->inputs[0], *x = back->node->inputs[1], *high = back->node->inputs[2];
    pod_node *below = pod_graph_compare(graph, POD_COMPARE_LT, x, low);
    pod_node *above = pod_graph_compare(graph, POD_COMPARE_GT, x, high);
    if (back->needed[1])
        back->operands[1] = pod_graph_select(graph, pod_graph_or(graph, below, above), zero, g);
    if (back->needed[0] || back->needed[2]) {
        pod_node *crossed = pod_graph_compare(graph, POD_COMPARE_GT, low, high);
        above = pod_graph_or(graph, above, pod_graph_and(graph, below, crossed));
        below = pod_graph_and(graph, below, pod_graph_not(graph, crossed));
    }
    if (back->needed[0])
        back->operands[0] = pod_graph_select(graph, below, g, zero);
    if (back->needed[2])
        back->operands[2] = pod_graph_select(graph, above, g, zero);
}
