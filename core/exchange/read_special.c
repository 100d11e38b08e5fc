/* Functions of numbers that the op table has not, written out in those that it has. */

#include "exchange/translate.h"

#include <math.h>

static pod_node *one_of(pod_call *call, pod_op op, pod_node *x)
{
    return pod_graph_unary(call->graph, op, x);
}

static pod_node *two_of(pod_call *call, pod_op op, pod_node *a, pod_node *b)
{
    return pod_graph_binary(call->graph, op, a, b);
}

static pod_node *like(pod_call *call, pod_node *x, double value)
{
    return pod_graph_full_like(call->graph, x, value);
}

static pod_node *less(pod_call *call, pod_node *a, pod_node *b)
{
    return pod_graph_compare(call->graph, POD_COMPARE_LT, a, b);
}

static pod_node *choose(pod_call *call, pod_node *predicate, pod_node *a, pod_node *b)
{
    return pod_graph_select(call->graph, predicate, a, b);
}

/* sqrt((1 - x) (1 + x)) */
static pod_node *other_leg(pod_call *call, pod_node *x)
{
    pod_node *one = like(call, x, 1);
    return one_of(
        call, POD_OP_SQRT,
        two_of(call, POD_OP_MULTIPLY, two_of(call, POD_OP_SUBTRACT, one, x), two_of(call, POD_OP_ADD, one, x)));
}

/* 2 atan2(x, 1 + sqrt(1 - x^2)) */
static pod_node *arc_sine(pod_call *call, pod_node *x)
{
    pod_node *leg = pod_graph_offset(call->graph, other_leg(call, x), 1);
    return pod_graph_scale(call->graph, two_of(call, POD_OP_ATAN2, x, leg), 2);
}

/* 2 atan2(sqrt(1 - x^2), 1 + x), and pi at -1 */
static pod_node *arc_cosine(pod_call *call, pod_node *x)
{
    pod_node *half = two_of(call, POD_OP_ATAN2, other_leg(call, x), pod_graph_offset(call->graph, x, 1));
    pod_node *least = pod_graph_compare(call->graph, POD_COMPARE_EQ, x, like(call, x, -1));
    return choose(call, least, like(call, x, M_PI), pod_graph_scale(call->graph, half, 2));
}

/* exp(x + log 1/2): half of exp(x) without its overflow */
static pod_node *half_exponential(pod_call *call, pod_node *x)
{
    return one_of(call, POD_OP_EXP, pod_graph_offset(call->graph, x, -M_LN2));
}

/* By expm1 where exp(x) - exp(-x) would lose digits. */
static pod_node *hyperbolic_sine(pod_call *call, pod_node *x)
{
    pod_node *e = one_of(call, POD_OP_EXPM1, x), *one = like(call, x, 1);
    pod_node *ratio = two_of(call, POD_OP_DIVIDE, e, two_of(call, POD_OP_ADD, e, one));
    pod_node *small = pod_graph_scale(call->graph, two_of(call, POD_OP_ADD, e, ratio), 0.5);
    pod_node *large = two_of(call, POD_OP_SUBTRACT, half_exponential(call, x),
                             half_exponential(call, one_of(call, POD_OP_NEGATE, x)));
    return choose(call, less(call, one_of(call, POD_OP_ABS, x), one), small, large);
}

static pod_node *hyperbolic_cosine(pod_call *call, pod_node *x)
{
    return two_of(call, POD_OP_ADD, half_exponential(call, x), half_exponential(call, one_of(call, POD_OP_NEGATE, x)));
}

/* Whether x * x is beyond the range of its type. */
static pod_node *has_large_square(pod_call *call, pod_node *x)
{
    double most = pod_node_dtype(x, 0) == POD_F64 ? 0x1p511 : pod_node_dtype(x, 0) == POD_F16 ? 0x1p7 : 0x1p63;
    return less(call, like(call, x, most), x);
}

/* sign(x) log1p(a + a^2 / (1 + sqrt(a^2 + 1))), a = |x|; log(2 a) where a^2 overflows */
static pod_node *inverse_sine(pod_call *call, pod_node *x)
{
    pod_node *a = one_of(call, POD_OP_ABS, x), *square = two_of(call, POD_OP_MULTIPLY, a, a);
    pod_node *root = one_of(call, POD_OP_SQRT, pod_graph_offset(call->graph, square, 1));
    pod_node *part = two_of(call, POD_OP_DIVIDE, square, pod_graph_offset(call->graph, root, 1));
    pod_node *nearby = one_of(call, POD_OP_LOG1P, two_of(call, POD_OP_ADD, a, part));
    pod_node *distant = pod_graph_offset(call->graph, one_of(call, POD_OP_LOG, a), M_LN2);
    return two_of(call, POD_OP_MULTIPLY, one_of(call, POD_OP_SIGN, x),
                  choose(call, has_large_square(call, a), distant, nearby));
}

/* log(x + sqrt((x + 1) (x - 1))); log(2 x) where x^2 overflows */
static pod_node *inverse_cosine(pod_call *call, pod_node *x)
{
    pod_node *square =
        two_of(call, POD_OP_MULTIPLY, pod_graph_offset(call->graph, x, 1), pod_graph_offset(call->graph, x, -1));
    pod_node *root = one_of(call, POD_OP_SQRT, square);
    pod_node *nearby = one_of(call, POD_OP_LOG, two_of(call, POD_OP_ADD, x, root));
    pod_node *distant = pod_graph_offset(call->graph, one_of(call, POD_OP_LOG, x), M_LN2);
    return choose(call, has_large_square(call, x), distant, nearby);
}

/* (log1p(x) - log1p(-x)) / 2 */
static pod_node *inverse_tangent(pod_call *call, pod_node *x)
{
    pod_node *difference = two_of(call, POD_OP_SUBTRACT, one_of(call, POD_OP_LOG1P, x),
                                  one_of(call, POD_OP_LOG1P, one_of(call, POD_OP_NEGATE, x)));
    return pod_graph_scale(call->graph, difference, 0.5);
}

static pod_node *cubic_root(pod_call *call, pod_node *x)
{
    pod_node *root = two_of(call, POD_OP_POWER, one_of(call, POD_OP_ABS, x), like(call, x, 1.0 / 3));
    return two_of(call, POD_OP_MULTIPLY, one_of(call, POD_OP_SIGN, x), root);
}

/* Halves go away from zero. */
static pod_node *round_away(pod_call *call, pod_node *x)
{
    pod_node *a = one_of(call, POD_OP_ABS, x), *whole = one_of(call, POD_OP_FLOOR, a);
    pod_node *below = less(call, two_of(call, POD_OP_SUBTRACT, a, whole), like(call, x, 0.5));
    pod_node *size = choose(call, below, whole, pod_graph_offset(call->graph, whole, 1));
    return two_of(call, POD_OP_MULTIPLY, one_of(call, POD_OP_SIGN, x), size);
}

static const struct {
    const char *name;
    pod_node *(*make)(pod_call *call, pod_node *x);
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
            return pod_exchange_call_result(call, functions[i].make(call, call->inputs[0]));
    }
    return pod_exchange_not_known(call, "no op of ours means it");
}

/* is_inf, is_pos_inf, is_neg_inf */
pod_outcome pod_exchange_read_is_infinite(pod_call *call)
{
    const pod_span name = pod_exchange_bare_name(call->op->name);
    pod_node *x = call->inputs[0];
    if (pod_exchange_span_is(name, "is_inf"))
        x = one_of(call, POD_OP_ABS, x);
    const double infinity = pod_exchange_span_is(name, "is_neg_inf") ? -INFINITY : INFINITY;
    return pod_exchange_call_result(call, pod_graph_compare(call->graph, POD_COMPARE_EQ, x, like(call, x, infinity)));
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
