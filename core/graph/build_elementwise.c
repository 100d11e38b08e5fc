#include "graph/build.h"

#include <string.h>

/* Builders of elementwise ops: operands broadcast as NumPy's do. */

pod_node *pod_graph_unary(pod_graph *graph, pod_op op, pod_node *x)
{
    return pod_graph_apply(graph, op, &x, 1, NULL, NULL, 0);
}

/* ---- broadcasting ---------------------------------------------------------------------------- */

bool pod_graph_join_shapes(pod_shape *shape, const pod_shape *other)
{
    pod_shape joined = {.rank = shape->rank > other->rank ? shape->rank : other->rank};
    for (int32_t i = 1; i <= joined.rank; i++) { /* counted from the last axis */
        int64_t a = i <= shape->rank ? shape->dims[shape->rank - i] : 1;
        int64_t b = i <= other->rank ? other->dims[other->rank - i] : 1;
        if (a != b && a != 1 && b != 1)
            return false;
        joined.dims[joined.rank - i] = a == 1 ? b : a;
    }
    *shape = joined;
    return true;
}

static pod_node *fail_broadcast(pod_graph *graph, pod_op op, const pod_shape *a, const pod_shape *b)
{
    char first[POD_SHAPE_TEXT_SIZE], second[POD_SHAPE_TEXT_SIZE];
    return pod_graph_fail(graph, POD_ERROR_SHAPE,
                          "%s: the shapes %s and %s do not broadcast: counted from the last axis, "
                          "sizes must be equal or 1; reshape one",
                          pod_op_name(op), pod_shape_format(a, first), pod_shape_format(b, second));
}

/* Broadcasts the operands to one shape in place; false after an error. */
static bool broadcast_all(pod_graph *graph, pod_op op, pod_node **inputs, size_t count)
{
    pod_shape shape = pod_node_type(inputs[0])->shape;
    for (size_t i = 1; i < count; i++) {
        const pod_shape *other = &pod_node_type(inputs[i])->shape;
        pod_shape before = shape;
        if (!pod_graph_join_shapes(&shape, other)) {
            fail_broadcast(graph, op, &before, other);
            return false;
        }
    }
    for (size_t i = 0; i < count; i++)
        inputs[i] = pod_graph_broadcast_to(graph, inputs[i], &shape);
    return true;
}

/* Returns whether every operand is a value of this graph; if not, the op itself will say what is wrong. */
static bool all_values(const pod_graph *graph, pod_node *const *inputs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!pod_graph_is_value(graph, inputs[i]))
            return false;
    return true;
}

pod_node *pod_graph_broadcasted(pod_graph *graph, pod_op op, pod_node *const *inputs, size_t count,
                                const pod_attributes *attributes)
{
    pod_node *same[3];
    if (count > sizeof(same) / sizeof(same[0]) || !all_values(graph, inputs, count))
        return pod_graph_apply(graph, op, inputs, count, attributes, NULL, 0);
    memcpy(same, inputs, count * sizeof(*same));
    if (!broadcast_all(graph, op, same, count))
        return &graph->invalid;
    return pod_graph_apply(graph, op, same, count, attributes, NULL, 0);
}

pod_node *pod_graph_binary(pod_graph *graph, pod_op op, pod_node *a, pod_node *b)
{
    return pod_graph_broadcasted(graph, op, (pod_node *[]){a, b}, 2, NULL);
}

pod_node *pod_graph_elementwise(pod_graph *graph, pod_op op, pod_node *const *inputs, size_t count)
{
    return count == 1 ? pod_graph_unary(graph, op, inputs[0]) : pod_graph_broadcasted(graph, op, inputs, count, NULL);
}

pod_node *pod_graph_compare(pod_graph *graph, pod_comparison comparison, pod_node *a, pod_node *b)
{
    pod_attributes attributes = {.comparison = comparison};
    return pod_graph_broadcasted(graph, POD_OP_COMPARE, (pod_node *[]){a, b}, 2, &attributes);
}

pod_node *pod_graph_select(pod_graph *graph, pod_node *predicate, pod_node *a, pod_node *b)
{
    return pod_graph_broadcasted(graph, POD_OP_SELECT, (pod_node *[]){predicate, a, b}, 3, NULL);
}

pod_node *pod_graph_clamp(pod_graph *graph, pod_node *low, pod_node *x, pod_node *high)
{
    return pod_graph_broadcasted(graph, POD_OP_CLAMP, (pod_node *[]){low, x, high}, 3, NULL);
}

pod_node *pod_graph_convert(pod_graph *graph, pod_node *x, pod_dtype dtype)
{
    pod_attributes attributes = {.dtype = dtype};
    if (pod_graph_is_value(graph, x) && x->results[0].dtype == dtype)
        return x;
    return pod_graph_apply(graph, POD_OP_CONVERT, &x, 1, &attributes, NULL, 0);
}

/* ---- by name --------------------------------------------------------------------------------- */

#define UNARY(function, op)                                                                                            \
    pod_node *function(pod_graph *graph, pod_node *x)                                                                  \
    {                                                                                                                  \
        return pod_graph_unary(graph, op, x);                                                                          \
    }
UNARY(pod_graph_negate, POD_OP_NEGATE)
UNARY(pod_graph_abs, POD_OP_ABS)
UNARY(pod_graph_sign, POD_OP_SIGN)
UNARY(pod_graph_exp, POD_OP_EXP)
UNARY(pod_graph_expm1, POD_OP_EXPM1)
UNARY(pod_graph_log, POD_OP_LOG)
UNARY(pod_graph_log1p, POD_OP_LOG1P)
UNARY(pod_graph_sqrt, POD_OP_SQRT)
UNARY(pod_graph_rsqrt, POD_OP_RSQRT)
UNARY(pod_graph_sin, POD_OP_SIN)
UNARY(pod_graph_cos, POD_OP_COS)
UNARY(pod_graph_tan, POD_OP_TAN)
UNARY(pod_graph_tanh, POD_OP_TANH)
UNARY(pod_graph_logistic, POD_OP_LOGISTIC)
UNARY(pod_graph_erf, POD_OP_ERF)
UNARY(pod_graph_erf_inv, POD_OP_ERF_INV)
UNARY(pod_graph_floor, POD_OP_FLOOR)
UNARY(pod_graph_ceil, POD_OP_CEIL)
UNARY(pod_graph_round, POD_OP_ROUND)
UNARY(pod_graph_is_finite, POD_OP_IS_FINITE)
UNARY(pod_graph_not, POD_OP_NOT)

#define BINARY(function, op)                                                                                           \
    pod_node *function(pod_graph *graph, pod_node *a, pod_node *b)                                                     \
    {                                                                                                                  \
        return pod_graph_binary(graph, op, a, b);                                                                      \
    }
BINARY(pod_graph_add, POD_OP_ADD)
BINARY(pod_graph_subtract, POD_OP_SUBTRACT)
BINARY(pod_graph_multiply, POD_OP_MULTIPLY)
BINARY(pod_graph_divide, POD_OP_DIVIDE)
BINARY(pod_graph_remainder, POD_OP_REMAINDER)
BINARY(pod_graph_power, POD_OP_POWER)
BINARY(pod_graph_maximum, POD_OP_MAXIMUM)
BINARY(pod_graph_minimum, POD_OP_MINIMUM)
BINARY(pod_graph_atan2, POD_OP_ATAN2)
BINARY(pod_graph_and, POD_OP_AND)
BINARY(pod_graph_or, POD_OP_OR)
BINARY(pod_graph_xor, POD_OP_XOR)
BINARY(pod_graph_shift_left, POD_OP_SHIFT_LEFT)
BINARY(pod_graph_shift_right, POD_OP_SHIFT_RIGHT)
BINARY(pod_graph_shift_right_arithmetic, POD_OP_SHIFT_RIGHT_ARITHMETIC)

/* ---- by a number ---------------------------------------------------------------------------------- */

pod_node *pod_graph_scale(pod_graph *graph, pod_node *x, double value)
{
    return pod_graph_multiply(graph, x, pod_graph_number_like(graph, x, value));
}

pod_node *pod_graph_offset(pod_graph *graph, pod_node *x, double value)
{
    return pod_graph_add(graph, x, pod_graph_number_like(graph, x, value));
}
