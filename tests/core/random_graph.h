#ifndef POD_TESTS_RANDOM_GRAPH_H
#define POD_TESTS_RANDOM_GRAPH_H

/*
 * random_graph - graphs of small integers for tests of compiling and of exchange. Whether
 * programs give what they should is what tests/fuzz/programs asks.
 */

#include "evaluate.h"
#include "graph/build.h"

#define RANDOM_NODES 48

typedef struct random_graph {
    pod_graph *graph;
    uint64_t state;
    pod_node *nodes[512];
    int count;
    int64_t rows, columns;
} random_graph;

static uint32_t random_below(random_graph *r, uint32_t bound)
{
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(r->state >> 33) % bound;
}

static const pod_dtype random_dtypes[] = {POD_F32, POD_F32, POD_F32, POD_BF16, POD_S32, POD_F64, POD_F16, POD_S64};

static pod_shape random_shape(random_graph *r)
{
    const int64_t rows = r->rows, columns = r->columns;
    const pod_shape shapes[] = {{2, {rows, columns}},    {2, {rows, columns}},   {1, {columns}}, {1, {rows}}, {0, {0}},
                                {2, {columns, columns}}, {3, {2, rows, columns}}};
    return shapes[random_below(r, sizeof shapes / sizeof *shapes)];
}

/* Makes the values of a node small again. */
static pod_node *random_bound(random_graph *r, pod_node *node)
{
    const pod_dtype dtype = pod_node_dtype(node, 0);
    if (dtype == POD_BOOL)
        return node;
    return pod_graph_remainder(r->graph, node, pod_graph_scalar(r->graph, dtype, 7, NULL));
}

static void random_keep(random_graph *r, pod_node *node)
{
    r->nodes[r->count++] = random_bound(r, node);
}

static pod_node *random_node(random_graph *r)
{
    return r->nodes[random_below(r, (uint32_t)r->count)];
}

/* A node that is no bool. */
static pod_node *random_number(random_graph *r)
{
    for (;;) {
        pod_node *node = random_node(r);
        if (pod_node_dtype(node, 0) != POD_BOOL)
            return node;
    }
}

/* A node of this type and shape: one that there is, or a constant. */
static pod_node *random_like(random_graph *r, pod_dtype dtype, const pod_shape *shape)
{
    for (int i = 0; i < 40; i++) {
        pod_node *node = random_node(r);
        if (pod_node_dtype(node, 0) == dtype && pod_shape_equal(pod_node_shape(node, 0), shape))
            return node;
    }
    return pod_graph_scalar(r->graph, dtype, random_below(r, 4), shape);
}

static pod_node *random_unary(random_graph *r)
{
    pod_node *x = random_number(r);
    const pod_dtype dtype = pod_node_dtype(x, 0);
    switch (random_below(r, 6)) {
    case 0:
        return pod_graph_negate(r->graph, x);
    case 1:
        return pod_graph_abs(r->graph, x);
    case 2:
        return pod_graph_sign(r->graph, x);
    case 3:
        return pod_dtype_is_float(dtype) ? pod_graph_floor(r->graph, x) : x;
    default:
        return pod_graph_convert(r->graph, x, random_dtypes[random_below(r, 8)]);
    }
}

static pod_node *random_binary(random_graph *r)
{
    pod_node *a = random_number(r);
    pod_node *b = random_like(r, pod_node_dtype(a, 0), pod_node_shape(a, 0));
    switch (random_below(r, 6)) {
    case 0:
        return pod_graph_add(r->graph, a, b);
    case 1:
        return pod_graph_subtract(r->graph, a, b);
    case 2:
        return pod_graph_multiply(r->graph, a, b);
    case 3:
        return pod_graph_maximum(r->graph, a, b);
    case 4:
        return pod_graph_minimum(r->graph, a, b);
    default:
        return pod_graph_select(r->graph, pod_graph_compare(r->graph, (pod_comparison)random_below(r, 6), a, b), b, a);
    }
}

static pod_node *random_broadcast(random_graph *r)
{
    pod_node *x = random_node(r);
    const pod_shape *from = pod_node_shape(x, 0);
    const pod_shape to = random_shape(r);
    pod_attributes attributes = {.shape = to};
    /* Axes of the operand go to the first axes of the result that fit, in order. */
    int32_t axis = 0;
    for (int32_t i = 0; i < from->rank; i++) {
        while (axis < to.rank && to.dims[axis] != from->dims[i])
            axis++;
        if (axis == to.rank)
            return x;
        attributes.axes.axes[attributes.axes.count++] = axis++;
    }
    return pod_graph_apply(r->graph, POD_OP_BROADCAST, &x, 1, &attributes, NULL, 0);
}

static pod_node *random_move(random_graph *r)
{
    pod_node *x = random_node(r);
    const pod_shape *shape = pod_node_shape(x, 0);
    pod_attributes attributes = {0};
    if (shape->rank == 0)
        return x;
    const int32_t axis = (int32_t)random_below(r, (uint32_t)shape->rank);
    switch (random_below(r, 6)) {
    case 0:
        return pod_graph_transpose(r->graph, x, NULL);
    case 1:
        return pod_graph_reshape(r->graph, x, &(pod_shape){1, {pod_shape_elements(shape)}});
    case 2:
        if (pod_shape_elements(shape) == r->rows * r->columns)
            return pod_graph_reshape(r->graph, x, &(pod_shape){2, {r->rows, r->columns}});
        return x;
    case 3:
        attributes.axes = (pod_axes){1, {axis}};
        return pod_graph_apply(r->graph, POD_OP_REVERSE, &x, 1, &attributes, NULL, 0);
    case 4:
        for (int32_t i = 0; i < shape->rank; i++) {
            attributes.low[i] = i == axis ? (shape->dims[i] - 1) / 2 : 0;
            attributes.high[i] = shape->dims[i];
            attributes.step[i] = i == axis ? 1 + random_below(r, 2) : 1;
        }
        return pod_graph_apply(r->graph, POD_OP_SLICE, &x, 1, &attributes, NULL, 0);
    default: {
        attributes.axis = axis;
        pod_node *both[2] = {x, x};
        if (pod_shape_elements(shape) > 20000)
            return x;
        return pod_graph_apply(r->graph, POD_OP_CONCATENATE, both, 2, &attributes, NULL, 0);
    }
    }
}

static pod_node *random_reduction(random_graph *r)
{
    static const char *const ops[] = {"reduce_sum", "reduce_sum", "reduce_max", "reduce_min"};
    pod_node *x = random_number(r);
    const pod_dtype dtype = pod_node_dtype(x, 0);
    const int32_t rank = pod_node_shape(x, 0)->rank;
    if (rank == 0)
        return x;
    if (dtype == POD_BF16 || dtype == POD_F16) /* sums would leave what these hold */
        x = pod_graph_convert(r->graph, x, POD_F32);
    if (random_below(r, 8) == 0) {
        pod_attributes attributes = {.axis = (int32_t)random_below(r, (uint32_t)rank)};
        return pod_graph_apply(r->graph, random_below(r, 2) ? POD_OP_ARGMAX : POD_OP_CUMULATIVE_SUM, &x, 1, &attributes,
                               NULL, 0);
    }
    pod_axes axes = {0};
    for (int32_t i = 0; i < rank; i++)
        if (random_below(r, 2))
            axes.axes[axes.count++] = i;
    return pod_graph_reduce(r->graph, ops[random_below(r, 4)], x, axes.count ? &axes : NULL, random_below(r, 2));
}

/* What normalisations do: folds of rows, steps on one element a row, and rows with those again, twice. */
static pod_node *random_rows(random_graph *r)
{
    static const char *const ops[] = {"reduce_sum", "reduce_max", "reduce_min"};
    pod_node *x = random_number(r);
    pod_dtype dtype = pod_node_dtype(x, 0);
    const pod_shape *shape = pod_node_shape(x, 0);
    if (shape->rank < 2)
        return x;
    if (dtype == POD_BF16 || dtype == POD_F16)
        x = pod_graph_convert(r->graph, x, dtype = POD_F32);
    pod_axes axes = {1, {shape->rank - 1}};
    pod_node *first = pod_graph_reduce(r->graph, ops[random_below(r, 3)], x, &axes, false);
    pod_node *row = pod_graph_add(r->graph, first, random_like(r, dtype, pod_node_shape(first, 0)));
    pod_node *y = pod_graph_subtract(r->graph, x, pod_graph_unreduce(r->graph, row, shape, &axes));
    pod_node *second = pod_graph_reduce(r->graph, ops[random_below(r, 3)], y, &axes, false);
    row = pod_graph_negate(r->graph, pod_graph_subtract(r->graph, second, first));
    random_keep(r, random_below(r, 2) ? y : second);
    return pod_graph_add(r->graph, y, pod_graph_unreduce(r->graph, row, shape, &axes));
}

static pod_node *random_product(random_graph *r)
{
    pod_node *x = random_number(r);
    const pod_shape *shape = pod_node_shape(x, 0);
    const pod_dtype dtype = random_below(r, 2) ? POD_F32 : POD_BF16;
    if (shape->rank < 2)
        return x;
    x = pod_graph_convert(r->graph, x, dtype);
    const int32_t last = shape->rank - 1;
    pod_shape other = {2, {shape->dims[last], random_below(r, 2) ? r->columns : 5}};
    pod_node *y = random_like(r, dtype, &other);
    if (random_below(r, 3) == 0) { /* both with the rows contracted */
        pod_attributes attributes = {.dtype = POD_F32};
        attributes.lhs_contract = attributes.rhs_contract = (pod_axes){1, {last - 1}};
        for (int32_t i = 0; i + 1 < last; i++)
            attributes.lhs_batch.axes[attributes.lhs_batch.count++] = i;
        attributes.rhs_batch = attributes.lhs_batch;
        pod_node *both[2] = {x, random_like(r, dtype, shape)};
        return pod_graph_apply(r->graph, POD_OP_DOT, both, 2, &attributes, NULL, 0);
    }
    pod_attributes attributes = {.dtype = POD_F32};
    attributes.lhs_contract = (pod_axes){1, {last}};
    attributes.rhs_contract = (pod_axes){1, {0}};
    pod_node *both[2] = {x, y};
    return pod_graph_apply(r->graph, POD_OP_DOT, both, 2, &attributes, NULL, 0);
}

static pod_node *random_special(random_graph *r)
{
    pod_node *x = random_number(r);
    const pod_shape *shape = pod_node_shape(x, 0);
    const pod_dtype dtype = pod_node_dtype(x, 0);
    if (shape->rank == 0)
        return x;
    switch (random_below(r, 4)) {
    case 0: {
        pod_attributes attributes = {.dtype = dtype, .shape = *shape, .axis = shape->rank - 1};
        return pod_graph_apply(r->graph, POD_OP_IOTA, NULL, 0, &attributes, NULL, 0);
    }
    case 1: {
        pod_attributes attributes = {.axis = 0};
        pod_node *inputs[2] = {x, pod_graph_scalar(r->graph, POD_S32, 0, &(pod_shape){1, {3}})};
        return pod_graph_apply(r->graph, POD_OP_GATHER, inputs, 2, &attributes, NULL, 0);
    }
    case 2: {
        pod_attributes attributes = {0};
        for (int32_t i = 0; i < shape->rank; i++)
            attributes.low[i] = attributes.high[i] = 1;
        if (pod_shape_elements(shape) > 20000)
            return x;
        pod_node *inputs[2] = {x, pod_graph_scalar(r->graph, dtype, 2, NULL)};
        return pod_graph_apply(r->graph, POD_OP_PAD, inputs, 2, &attributes, NULL, 0);
    }
    default: {
        pod_attributes attributes = {0};
        return pod_graph_apply(r->graph, POD_OP_BARRIER, &x, 1, &attributes, NULL, 0);
    }
    }
}

/* Builds a graph with parameters that outputs update among them. */
static pod_graph *random_graph_new(pod_context *context, uint64_t seed)
{
    static const int64_t sizes[] = {1, 2, 3, 5, 17, 33, 64, 70, 130};
    random_graph r = {.state = seed * 77 + 5};
    pod_error error;
    if (pod_graph_new(context, "random", &r.graph, &error) != POD_OK)
        return NULL;
    r.rows = sizes[random_below(&r, 9)];
    r.columns = sizes[random_below(&r, 9)];
    const int parameters = 6;
    for (int i = 0; i < parameters; i++) {
        const pod_shape shape = random_shape(&r);
        r.nodes[r.count++] = pod_graph_parameter(r.graph, random_dtypes[random_below(&r, 8)], &shape, "p");
    }
    pod_node *(*const makers[])(random_graph *) = {random_unary,   random_unary,     random_binary,    random_binary,
                                                   random_binary,  random_broadcast, random_reduction, random_move,
                                                   random_product, random_special,   random_rows};
    while (r.count < RANDOM_NODES)
        random_keep(&r, makers[random_below(&r, 11)](&r));
    size_t outputs = 0;
    for (int i = 0; i < parameters; i++) {
        pod_node *parameter = r.nodes[i];
        if (random_below(&r, 2))
            continue;
        pod_node *update = random_like(&r, pod_node_dtype(parameter, 0), pod_node_shape(parameter, 0));
        pod_graph_add_output(r.graph, update);
        pod_graph_set_alias(r.graph, outputs++, (size_t)i);
    }
    for (int i = 0; i < 4; i++)
        pod_graph_add_output(r.graph, random_node(&r));
    pod_graph_add_output(r.graph, r.nodes[r.count - 1]);
    return r.graph;
}

#endif
