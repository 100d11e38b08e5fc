/* make_elementwise - ops of one element of each operand, conversions, constants and random bits. */

#include "programs.h"

#include <math.h>

static bool takes(pod_op op, pod_dtype dtype)
{
    const pod_kinds kinds = op == POD_OP_COMPARE  ? POD_KIND_ANY
                            : op == POD_OP_SELECT ? POD_KIND_NUMBER
                                                  : pod_op_get(op)->kinds;
    return (kinds & (dtype == POD_BOOL           ? POD_KIND_BOOL
                     : pod_dtype_is_float(dtype) ? POD_KIND_FLOAT
                                                 : POD_KIND_INTEGER)) != 0;
}

/* Whether small whole numbers give whole numbers. */
static bool is_exact(pod_op op)
{
    return pod_op_get(op)->bound == 0 && op != POD_OP_SQRT && op != POD_OP_DIVIDE;
}

static pod_node *operand_of(maker *m, pod_op op)
{
    for (int i = 0; i < 20; i++) {
        pod_node *node = any_node(m);
        if (takes(op, pod_node_dtype(node, 0)))
            return node;
    }
    return NULL;
}

/* x within what an op is defined for. */
static pod_node *in_domain(maker *m, pod_op op, pod_node *x)
{
    pod_graph *g = m->graph;
    if (m->wild && chance(&m->dice, 50))
        return x;
    switch (op) {
    case POD_OP_LOG:
    case POD_OP_RSQRT:
        return pod_graph_offset(g, pod_graph_abs(g, x), 0.25);
    case POD_OP_LOG1P:
    case POD_OP_SQRT:
        return pod_graph_abs(g, x);
    case POD_OP_ERF_INV:
        return pod_graph_scale(g, pod_graph_tanh(g, x), 0.5);
    case POD_OP_POWER:
        return pod_dtype_is_float(pod_node_dtype(x, 0)) ? pod_graph_offset(g, pod_graph_abs(g, x), 0.25) : x;
    case POD_OP_TAN:
        return pod_graph_tanh(g, x);
    case POD_OP_EXP:
    case POD_OP_EXPM1:
        return pod_graph_minimum(g, x, pod_graph_scalar(g, pod_node_dtype(x, 0), 8, NULL));
    default:
        return x;
    }
}

/* Integers that may divide: XLA's CPU compiler gives division by 0, and of the least by -1, to the processor, which
 * ends the process. */
static pod_node *not_zero(maker *m, pod_node *x)
{
    const pod_dtype dtype = pod_node_dtype(x, 0);
    if (dtype < POD_U8 || dtype > POD_U64)
        x = pod_graph_abs(m->graph, x);
    return pod_graph_maximum(m->graph, x, pod_graph_scalar(m->graph, dtype, 1, NULL));
}

pod_node *make_elementwise(maker *m, pod_op op)
{
    if (m->whole && !is_exact(op))
        return NULL;
    pod_node *x = operand_of(m, op), *inputs[3];
    const int count = pod_op_get(op)->operands;
    pod_attributes attributes = {.comparison = (pod_comparison)below(&m->dice, 6)};
    if (!x)
        return NULL;
    const pod_shape *shape = pod_node_shape(x, 0);
    const pod_dtype dtype = pod_node_dtype(x, 0);
    inputs[0] = in_domain(m, op, x);
    for (int i = 1; i < count; i++)
        inputs[i] = like(m, dtype, shape);
    if (op == POD_OP_SELECT) {
        inputs[1] = x;
        inputs[0] = like(m, POD_BOOL, shape);
    }
    if ((op == POD_OP_DIVIDE || op == POD_OP_REMAINDER) && !m->wild && pod_dtype_is_float(dtype))
        inputs[1] = pod_graph_offset(m->graph, pod_graph_abs(m->graph, inputs[1]), 0.5);
    if ((op == POD_OP_DIVIDE || op == POD_OP_REMAINDER) && m->kind == PROGRAM_EXCHANGE && !pod_dtype_is_float(dtype))
        inputs[1] = not_zero(m, inputs[1]);
    if (op == POD_OP_POWER && !m->wild)
        inputs[1] = pod_graph_remainder(m->graph, inputs[1], pod_graph_scalar(m->graph, dtype, 3, NULL));
    return add_op(m, op, inputs, (size_t)count, &attributes);
}

pod_node *make_convert(maker *m, pod_op op)
{
    pod_node *x = any_node(m);
    pod_dtype dtype = any_type(m);
    if (op == POD_OP_BITCAST) {
        static const pod_dtype same[][3] = {{POD_S8, POD_U8, POD_S8}, {POD_S16, POD_U16, POD_S16}};
        const size_t size = pod_dtype_size(pod_node_dtype(x, 0));
        if (pod_dtype_is_float(pod_node_dtype(x, 0)) || pod_node_dtype(x, 0) == POD_BOOL)
            return NULL;
        dtype = size <= 2              ? same[size - 1][below(&m->dice, 3)]
                : size == 4            ? (chance(&m->dice, 50) ? POD_S32 : POD_U32)
                : chance(&m->dice, 50) ? POD_S64
                                       : POD_U64;
    } else if (chance(&m->dice, 40)) {
        dtype = (pod_dtype)(POD_BOOL + below(&m->dice, POD_DTYPE_END - POD_BOOL));
    } else if (chance(&m->dice, 30)) {
        dtype = POD_F32;
    }
    return add_op(m, op, &x, 1, &(pod_attributes){.dtype = dtype});
}

/* Whether all of a value is known to be true. */
static bool holds(const maker *m, const pod_node *node)
{
    const pod_array *value = value_of(m, node);
    for (int64_t i = 0; value && i < pod_shape_elements(&value->shape); i++)
        if (array_get(value, i) == 0)
            return false;
    return value != NULL;
}

/* Ops that give their operand. */
pod_node *make_marked(maker *m, pod_op op)
{
    pod_node *inputs[2] = {any_node(m)};
    pod_attributes attributes = {.name = "a check of a random program"};
    if (op != POD_OP_CHECK)
        return add_op(m, op, inputs, 1, op == POD_OP_PRINT ? &attributes : NULL);
    for (int i = 0; i < 20; i++) {
        inputs[1] = any_node(m);
        if (pod_node_dtype(inputs[1], 0) == POD_BOOL && holds(m, inputs[1]))
            return add_op(m, op, inputs, 2, &attributes);
    }
    return NULL;
}

static pod_node *random_state(maker *m)
{
    const pod_shape shape = {1, {2}};
    for (size_t i = 0; i < pod_graph_parameter_count(m->graph); i++) {
        pod_node *parameter = pod_graph_get_parameter(m->graph, i);
        if (pod_node_dtype(parameter, 0) == POD_U64 && pod_shape_equal(pod_node_shape(parameter, 0), &shape))
            return parameter;
    }
    return new_parameter(m, POD_U64, &shape);
}

pod_node *make_random_bits(maker *m, pod_op op)
{
    pod_attributes attributes = {
        .seed = ++m->places, .shape = any_shape(m), .dtype = chance(&m->dice, 85) ? POD_U32 : POD_U64};
    pod_node *inputs[2] = {random_state(m), any_node(m)};
    if (chance(&m->dice, 50))
        return add_op(m, op, inputs, 1, &attributes);
    attributes.shape = (pod_shape){0};
    return add_op(m, op, inputs, 2, &attributes);
}

pod_node *make_iota(maker *m, pod_op op)
{
    const pod_shape shape = any_shape(m);
    const pod_dtype dtype = any_type(m);
    (void)op;
    if (shape.rank == 0 || dtype == POD_BOOL)
        return NULL;
    return pod_graph_iota(m->graph, dtype, &shape, (int32_t)below(&m->dice, shape.rank));
}

pod_node *make_constant(maker *m, pod_op op)
{
    const pod_shape shape = any_shape(m);
    const pod_dtype dtype = any_type(m);
    (void)op;
    if (chance(&m->dice, 50))
        return number(m, dtype, m->whole ? (double)below(&m->dice, 5) : unit(&m->dice) * 3, &shape);
    pod_array elements = array_new(dtype, &shape);
    for (int64_t i = 0; i < pod_shape_elements(&shape); i++)
        array_set(&elements, i, dtype == POD_BOOL ? (double)below(&m->dice, 2) : (double)below(&m->dice, 6));
    pod_node *made = pod_graph_constant(m->graph, dtype, &shape, elements.data);
    array_free(&elements);
    return made;
}
