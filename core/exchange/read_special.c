/* Functions of numbers that the op table has not, written out in those that it has. */

#include "exchange/translate.h"

#include <math.h>

/* sqrt((1 - x) (1 + x)) */
static pod_node *other_leg(pod_graph *g, pod_node *x)
{
    pod_node *one = pod_graph_full_like(g, x, 1);
    return pod_graph_sqrt(g, pod_graph_multiply(g, pod_graph_subtract(g, one, x), pod_graph_add(g, one, x)));
}

/* 2 atan2(x, 1 + sqrt(1 - x^2)) */
static pod_node *arc_sine(pod_graph *g, pod_node *x)
{
    pod_node *leg = pod_graph_offset(g, other_leg(g, x), 1);
    return pod_graph_scale(g, pod_graph_atan2(g, x, leg), 2);
}

/* 2 atan2(sqrt(1 - x^2), 1 + x), and pi at -1 */
static pod_node *arc_cosine(pod_graph *g, pod_node *x)
{
    pod_node *half = pod_graph_atan2(g, other_leg(g, x), pod_graph_offset(g, x, 1));
    pod_node *least = pod_graph_compare(g, POD_COMPARE_EQ, x, pod_graph_full_like(g, x, -1));
    return pod_graph_select(g, least, pod_graph_full_like(g, x, M_PI), pod_graph_scale(g, half, 2));
}

/* exp(x + log 1/2): half of exp(x) without its overflow */
static pod_node *half_exponential(pod_graph *g, pod_node *x)
{
    return pod_graph_exp(g, pod_graph_offset(g, x, -M_LN2));
}

/* By expm1 where exp(x) - exp(-x) would lose digits. */
static pod_node *hyperbolic_sine(pod_graph *g, pod_node *x)
{
    pod_node *e = pod_graph_expm1(g, x), *one = pod_graph_full_like(g, x, 1);
    pod_node *ratio = pod_graph_divide(g, e, pod_graph_add(g, e, one));
    pod_node *small = pod_graph_scale(g, pod_graph_add(g, e, ratio), 0.5);
    pod_node *large = pod_graph_subtract(g, half_exponential(g, x), half_exponential(g, pod_graph_negate(g, x)));
    return pod_graph_select(g, pod_graph_compare(g, POD_COMPARE_LT, pod_graph_abs(g, x), one), small, large);
}

static pod_node *hyperbolic_cosine(pod_graph *g, pod_node *x)
{
    return pod_graph_add(g, half_exponential(g, x), half_exponential(g, pod_graph_negate(g, x)));
}

/* Whether x * x is beyond the range of its type. */
static pod_node *has_large_square(pod_graph *g, pod_node *x)
{
    double most = pod_node_dtype(x, 0) == POD_F64 ? 0x1p511 : pod_node_dtype(x, 0) == POD_F16 ? 0x1p7 : 0x1p63;
    return pod_graph_compare(g, POD_COMPARE_LT, pod_graph_full_like(g, x, most), x);
}

/* sign(x) log1p(a + a^2 / (1 + sqrt(a^2 + 1))), a = |x|; log(2 a) where a^2 overflows */
static pod_node *inverse_sine(pod_graph *g, pod_node *x)
{
    pod_node *a = pod_graph_abs(g, x), *square = pod_graph_multiply(g, a, a);
    pod_node *root = pod_graph_sqrt(g, pod_graph_offset(g, square, 1));
    pod_node *part = pod_graph_divide(g, square, pod_graph_offset(g, root, 1));
    pod_node *nearby = pod_graph_log1p(g, pod_graph_add(g, a, part));
    pod_node *distant = pod_graph_offset(g, pod_graph_log(g, a), M_LN2);
    return pod_graph_multiply(g, pod_graph_sign(g, x), pod_graph_select(g, has_large_square(g, a), distant, nearby));
}

/* log(x + sqrt((x + 1) (x - 1))); log(2 x) where x^2 overflows */
static pod_node *inverse_cosine(pod_graph *g, pod_node *x)
{
    pod_node *square = pod_graph_multiply(g, pod_graph_offset(g, x, 1), pod_graph_offset(g, x, -1));
    pod_node *root = pod_graph_sqrt(g, square);
    pod_node *nearby = pod_graph_log(g, pod_graph_add(g, x, root));
    pod_node *distant = pod_graph_offset(g, pod_graph_log(g, x), M_LN2);
    return pod_graph_select(g, has_large_square(g, x), distant, nearby);
}

/* (log1p(x) - log1p(-x)) / 2 */
static pod_node *inverse_tangent(pod_graph *g, pod_node *x)
{
    pod_node *difference = pod_graph_subtract(g, pod_graph_log1p(g, x), pod_graph_log1p(g, pod_graph_negate(g, x)));
    return pod_graph_scale(g, difference, 0.5);
}

static pod_node *cubic_root(pod_graph *g, pod_node *x)
{
    pod_node *root = pod_graph_power(g, pod_graph_abs(g, x), pod_graph_full_like(g, x, 1.0 / 3));
    return pod_graph_multiply(g, pod_graph_sign(g, x), root);
}

/* Halves go away from zero. */
static pod_node *round_away(pod_graph *g, pod_node *x)
{
    pod_node *a = pod_graph_abs(g, x), *whole = pod_graph_floor(g, a);
    pod_node *below =
        pod_graph_compare(g, POD_COMPARE_LT, pod_graph_subtract(g, a, whole), pod_graph_full_like(g, x, 0.5));
    pod_node *size = pod_graph_select(g, below, whole, pod_graph_offset(g, whole, 1));
    return pod_graph_multiply(g, pod_graph_sign(g, x), size);
}

static const struct {
    const char *name;
    pod_node *(*make)(pod_graph *g, pod_node *x);
} functions[] = {
    {"acos", arc_cosine},        {"acosh", inverse_cosine},         {"asin", arc_sine},
    {"asinh", inverse_sine},     {"atanh", inverse_tangent},        {"cbrt", cubic_root},
    {"cosh", hyperbolic_cosine}, {"round_nearest_afz", round_away}, {"sinh", hyperbolic_sine},
};

pod_outcome pod_exchange_read_special(pod_call *call)
{
    const pod_span name = pod_exchange_bare_name(call->op->name);
    if (!pod_dtype_is_float(pod_node_dtype(call->inputs[0], 0)))
        return pod_exchange_not_known(call, "it has not one operand of floats and one result");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (pod_exchange_span_is(name, functions[i].name))
            return pod_exchange_call_result(call, functions[i].make(call->graph, call->inputs[0]));
    }
    return pod_exchange_not_known(call, "no op of ours means it");
}

/* is_inf, is_pos_inf, is_neg_inf */
pod_outcome pod_exchange_read_is_infinite(pod_call *call)
{
    const pod_span name = pod_exchange_bare_name(call->op->name);
    pod_node *x = call->inputs[0];
    if (pod_exchange_span_is(name, "is_inf"))
        x = pod_graph_abs(call->graph, x);
    const double infinity = pod_exchange_span_is(name, "is_neg_inf") ? -INFINITY : INFINITY;
    pod_node *like = pod_graph_full_like(call->graph, x, infinity);
    return pod_exchange_call_result(call, pod_graph_compare(call->graph, POD_COMPARE_EQ, x, like));
}

/* Special functions and bits of numbers: chips have long series for them, kernels compute them in place. */
pod_outcome pod_exchange_read_by_element(pod_call *call)
{
    const pod_syntax_op *op = call->op;
    if (op->operand_count == 0 || op->result_count != 1)
        return pod_exchange_not_known(call, "it has not operands and one result");
    const pod_shape *shape = &pod_exchange_call_result_type(call, 0)->shape;
    for (uint32_t i = 0; i < op->operand_count; i++) {
        if (!pod_shape_equal(&pod_exchange_call_operand_type(call, i)->shape, shape))
            return pod_exchange_not_known(call, "its operands have not the shape of its result");
    }
    return POD_BY_ELEMENT;
}
