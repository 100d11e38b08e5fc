#include "graph/build.h"

#include <string.h>

/* Builders of elementwise ops: operands broadcast as NumPy's do. */

pod_node *pod_graph_unary(pod_graph *graph, pod_op op, pod_node *x)
{
    return pod_graph_apply(graph, op, &x, 1, NULL, NULL, 0);
}

/* ---- broadcasting ---------------------------------------------------------------------------- */

/* Widens `shape` so that `other` fits; false when two sizes differ and none of them is 1. */
static bool join_shapes(pod_shape *shape, const pod_shape *other)
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
        if (!join_shapes(&shape, other)) {
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
    for (size_t i = 0; i < count; i++) {
        const pod_node *node = inputs[i];
        if (!node || node->op < 0 || node->graph != graph || node->result_count != 1)
            return false;
    }
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
    if (all_values(graph, &x, 1) && x->results[0].dtype == dtype)
        return x;
    return pod_graph_apply(graph, POD_OP_CONVERT, &x, 1, &attributes, NULL, 0);
}

/* ---- by name --------------------------------------------------------------------------------- */

pod_node *pod_graph_negate(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_NEGATE, x);
}

pod_node *pod_graph_abs(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_ABS, x);
}

pod_node *pod_graph_sign(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_SIGN, x);
}

pod_node *pod_graph_exp(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_EXP, x);
}

pod_node *pod_graph_expm1(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_EXPM1, x);
}

pod_node *pod_graph_log(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_LOG, x);
}

pod_node *pod_graph_log1p(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_LOG1P, x);
}

pod_node *pod_graph_sqrt(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_SQRT, x);
}

pod_node *pod_graph_rsqrt(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_RSQRT, x);
}

pod_node *pod_graph_sin(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_SIN, x);
}

pod_node *pod_graph_cos(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_COS, x);
}

pod_node *pod_graph_tan(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_TAN, x);
}

pod_node *pod_graph_tanh(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_TANH, x);
}

pod_node *pod_graph_logistic(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_LOGISTIC, x);
}

pod_node *pod_graph_erf(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_ERF, x);
}

pod_node *pod_graph_erf_inv(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_ERF_INV, x);
}

pod_node *pod_graph_floor(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_FLOOR, x);
}

pod_node *pod_graph_ceil(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_CEIL, x);
}

pod_node *pod_graph_round(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_ROUND, x);
}

pod_node *pod_graph_is_finite(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_IS_FINITE, x);
}

pod_node *pod_graph_not(pod_graph *graph, pod_node *x)
{
    return pod_graph_unary(graph, POD_OP_NOT, x);
}

pod_node *pod_graph_add(pod_graph *graph, pod_node *a, pod_node *b)
{
    return pod_graph_binary(graph, POD_OP_ADD, a, b);
}

pod_node *pod_graph_subtract(pod_graph *graph, pod_node *a, pod_node *b)
{
    return pod_graph_binary(graph, POD_OP_SUBTRACT, a, b);
}

pod_node *pod_graph_multiply(pod_graph *graph, pod_node *a, pod_node *b)
{
    return pod_graph_binary(graph, POD_OP_MULTIPLY, a, b);
}

pod_node *pod_graph_divide(pod_graph *graph, pod_node *a, pod_node *b)
{
    return pod_graph_binary(graph, POD_OP_DIVIDE, a, b);
}

pod_node *pod_graph_remainder(pod_graph *graph, pod_node *a, pod_node *b)
{
    return pod_graph_binary(graph, POD_OP_REMAINDER, a, b);
}

pod_node *pod_graph_power(pod_graph *graph, pod_node *a, pod_node *b)
{
    return pod_graph_binary(graph, POD_OP_POWER, a, b);
}

pod_node *pod_graph_maximum(pod_graph *graph, pod_node *a, pod_node *b)
{
    return pod_graph_binary(graph, POD_OP_MAXIMUM, a, b);
}

pod_node *pod_graph_minimum(pod_graph *graph, pod_node *a, pod_node *b)
{
    return pod_graph_binary(graph, POD_OP_MINIMUM, a, b);
}

pod_node *pod_graph_atan2(pod_graph *graph, pod_node *a, pod_node *b)
{
    return pod_graph_binary(graph, POD_OP_ATAN2, a, b);
}

pod_node *pod_graph_and(pod_graph *graph, pod_node *a, pod_node *b)
{
    return pod_graph_binary(graph, POD_OP_AND, a, b);
}

pod_node *pod_graph_or(pod_graph *graph, pod_node *a, pod_node *b)
{
    return pod_graph_binary(graph, POD_OP_OR, a, b);
}

pod_node *pod_graph_xor(pod_graph *graph, pod_node *a, pod_node *b)
{
    return pod_graph_binary(graph, POD_OP_XOR, a, b);
}

pod_node *pod_graph_shift_left(pod_graph *graph, pod_node *a, pod_node *b)
{
    return pod_graph_binary(graph, POD_OP_SHIFT_LEFT, a, b);
}

pod_node *pod_graph_shift_right(pod_graph *graph, pod_node *a, pod_node *b)
{
    return pod_graph_binary(graph, POD_OP_SHIFT_RIGHT, a, b);
}

pod_node *pod_graph_shift_right_arithmetic(pod_graph *graph, pod_node *a, pod_node *b)
{
    return pod_graph_binary(graph, POD_OP_SHIFT_RIGHT_ARITHMETIC, a, b);
}

/* ---- by a number ---------------------------------------------------------------------------------- */

pod_node *pod_graph_scale(pod_graph *graph, pod_node *x, double value)
{
    return pod_graph_multiply(graph, x, pod_graph_number_like(graph, x, value));
}

pod_node *pod_graph_offset(pod_graph *graph, pod_node *x, double value)
{
    return pod_graph_add(graph, x, pod_graph_number_like(graph, x, value));
}
