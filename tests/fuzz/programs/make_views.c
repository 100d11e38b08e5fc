/* make_views - ops that move elements: views, padding, concatenation, slices and look-ups by index, sorting. */

#include "programs.h"

/* Another shape of as many elements: neighbours merged, or one axis cut in two. */
static pod_shape regrouped(maker *m, const pod_shape *from)
{
    dice *d = &m->dice;
    pod_shape shape = *from;
    if (chance(d, 30))
        return (pod_shape){1, {pod_shape_elements(from)}};
    if (shape.rank > 1 && chance(d, 50)) {
        const int32_t at = (int32_t)below(d, shape.rank - 1);
        shape.dims[at] *= shape.dims[at + 1];
        for (int32_t i = at + 1; i + 1 < shape.rank; i++)
            shape.dims[i] = shape.dims[i + 1];
        shape.rank--;
    }
    if (shape.rank > 0 && shape.rank < 6 && chance(d, 70)) {
        static const int64_t parts[] = {1, 2, 3, 4, 5, 7, 8, 16};
        const int32_t at = (int32_t)below(d, shape.rank);
        int64_t part = parts[below(d, 8)];
        if (shape.dims[at] % part != 0)
            part = shape.dims[at];
        for (int32_t i = shape.rank; i > at + 1; i--)
            shape.dims[i] = shape.dims[i - 1];
        shape.dims[at + 1] = part ? shape.dims[at] / part : 1;
        shape.dims[at] = part;
        if (chance(d, 50)) {
            shape.dims[at] = shape.dims[at + 1];
            shape.dims[at + 1] = part;
        }
        shape.rank++;
    }
    return shape;
}

static pod_axes shuffled(maker *m, int32_t rank)
{
    pod_axes axes = {rank, {0, 1, 2, 3, 4, 5, 6, 7}};
    for (int32_t i = rank - 1; i > 0; i--) {
        const int32_t other = (int32_t)below(&m->dice, i + 1), kept = axes.axes[i];
        axes.axes[i] = axes.axes[other];
        axes.axes[other] = kept;
    }
    return axes;
}

/* New axes between those of x, and axes of size 1 repeated. */
static pod_attributes repeated(maker *m, const pod_shape *from)
{
    pod_attributes a = {0};
    for (int32_t i = 0; i <= from->rank; i++) {
        if (a.shape.rank + from->rank - i < 6 && chance(&m->dice, i == 0 ? 60 : 25))
            a.shape.dims[a.shape.rank++] = m->sizes[below(&m->dice, MOST_SIZES)];
        if (i == from->rank)
            break;
        a.axes.axes[a.axes.count++] = a.shape.rank;
        a.shape.dims[a.shape.rank++] =
            from->dims[i] == 1 && chance(&m->dice, 70) ? m->sizes[below(&m->dice, MOST_SIZES)] : from->dims[i];
    }
    return a;
}

static pod_attributes cut(maker *m, const pod_shape *from)
{
    pod_attributes a = {0};
    for (int32_t i = 0; i < from->rank; i++) {
        const int64_t size = from->dims[i];
        a.step[i] = 1 + (chance(&m->dice, 30) ? below(&m->dice, 3) : 0);
        a.low[i] = chance(&m->dice, 50) ? 0 : below(&m->dice, size + 1);
        a.high[i] = chance(&m->dice, 50) ? size : a.low[i] + below(&m->dice, size - a.low[i] + 1);
        if (a.high[i] == a.low[i] && size > 0 && chance(&m->dice, 95)) { /* nothing is left, seldom */
            a.low[i] = 0;
            a.high[i] = size;
        }
    }
    return a;
}

pod_node *make_view(maker *m, pod_op op)
{
    pod_node *x = any_node(m);
    const pod_shape *shape = pod_node_shape(x, 0);
    pod_attributes a = {0};
    switch (op) {
    case POD_OP_RESHAPE:
        a.shape = regrouped(m, shape);
        break;
    case POD_OP_TRANSPOSE:
        a.axes = shuffled(m, shape->rank);
        break;
    case POD_OP_BROADCAST:
        a = repeated(m, shape);
        if (bulk_of(&a.shape) > m->most)
            return NULL;
        break;
    case POD_OP_SLICE:
        a = cut(m, shape);
        break;
    default:
        a.axes = shuffled(m, shape->rank);
        a.axes.count = shape->rank > 0 ? 1 + (int32_t)below(&m->dice, shape->rank) : 0;
    }
    return add_op(m, op, &x, 1, &a);
}

pod_node *make_pad(maker *m, pod_op op)
{
    pod_node *x = any_node(m);
    const pod_shape *shape = pod_node_shape(x, 0), scalar = {0};
    pod_attributes a = {0};
    double elements = 1;
    for (int32_t i = 0; i < shape->rank; i++) {
        a.low[i] = chance(&m->dice, 50) ? 0 : below(&m->dice, 5) - 1;
        a.high[i] = chance(&m->dice, 50) ? 0 : below(&m->dice, 5) - 1;
        a.step[i] = chance(&m->dice, 80) ? 0 : below(&m->dice, 3);
        const int64_t size = a.low[i] + a.high[i] + (shape->dims[i] - 1) * (a.step[i] + 1) + 1;
        elements *= size > 1 ? (double)size : 1;
    }
    if (elements > (double)m->most * 4) /* graphs keep what they were given, and all of it is computed */
        return NULL;
    pod_node *with =
        chance(&m->dice, 50) ? number(m, pod_node_dtype(x, 0), 0, &scalar) : like(m, pod_node_dtype(x, 0), &scalar);
    return add_op(m, op, (pod_node *[]){x, with}, 2, &a);
}

pod_node *make_concatenate(maker *m, pod_op op)
{
    pod_node *inputs[3] = {any_node(m)};
    const pod_dtype dtype = pod_node_dtype(inputs[0], 0);
    const pod_shape *shape = pod_node_shape(inputs[0], 0);
    const size_t count = 1 + (size_t)below(&m->dice, 3);
    if (shape->rank == 0)
        return NULL;
    const int32_t axis = (int32_t)below(&m->dice, shape->rank);
    for (size_t i = 1; i < count; i++) {
        pod_shape other = *shape;
        if (chance(&m->dice, 30))
            other.dims[axis] = 1 + below(&m->dice, 3);
        inputs[i] = like(m, dtype, &other);
    }
    return add_op(m, op, inputs, count, &(pod_attributes){.axis = axis});
}

/* Starts may lie outside: they are clamped. */
pod_node *make_dynamic_slice_of(maker *m, pod_op op, pod_node *x)
{
    static const pod_shape scalar;
    pod_node *inputs[2 + POD_MAX_RANK] = {x};
    const pod_shape *shape = pod_node_shape(inputs[0], 0);
    const bool updates = op == POD_OP_DYNAMIC_UPDATE_SLICE;
    pod_attributes a = {.shape = *shape};
    for (int32_t i = 0; i < shape->rank; i++)
        if (chance(&m->dice, 60))
            a.shape.dims[i] = below(&m->dice, shape->dims[i] + 1);
    if (updates)
        inputs[1] = like(m, pod_node_dtype(inputs[0], 0), &a.shape);
    for (int32_t i = 0; i < shape->rank; i++)
        inputs[1 + updates + i] = chance(&m->dice, 40) ? number(m, POD_S32, (double)(below(&m->dice, 9) - 2), &scalar)
                                                       : like(m, POD_S32, &scalar);
    return add_op(m, op, inputs, (size_t)(1 + updates + shape->rank), updates ? NULL : &a);
}

pod_node *make_dynamic_slice(maker *m, pod_op op)
{
    return make_dynamic_slice_of(m, op, any_node(m));
}

pod_node *make_gather(maker *m, pod_op op)
{
    static const pod_reduction reductions[] = {POD_REDUCE_SUM, POD_REDUCE_MAX, POD_REDUCE_MIN, POD_REDUCE_ASSIGN};
    pod_node *x = any_node(m);
    const pod_dtype dtype = pod_node_dtype(x, 0), kind = chance(&m->dice, 80) ? POD_S32 : POD_S64;
    const pod_shape *shape = pod_node_shape(x, 0);
    if (shape->rank == 0)
        return NULL;
    pod_attributes a = {.axis = (int32_t)below(&m->dice, shape->rank),
                        .flag = chance(&m->dice, 30),
                        .reduction = reductions[dtype == POD_BOOL ? 3 : below(&m->dice, 4)]};
    a.count = chance(&m->dice, 70) ? 0 : below(&m->dice, a.axis + 1);
    pod_shape places = {.rank = (int32_t)a.count};
    for (int32_t i = 0; i < places.rank; i++)
        places.dims[i] = shape->dims[i];
    for (int32_t more = (int32_t)below(&m->dice, 3); more > 0; more--)
        places.dims[places.rank++] = m->sizes[below(&m->dice, MOST_SIZES)];
    if (shape->dims[a.axis] == 0)
        return NULL;
    if (bulk_of(&places) > m->most ||
        pod_shape_elements(&places) * pod_shape_elements(shape) / shape->dims[a.axis] > m->most)
        return NULL;
    pod_node *at = a.flag ? like(m, kind, &places) : index_node(m, kind, &places, shape->dims[a.axis]);
    if (!at)
        return NULL;
    if (op == POD_OP_GATHER) {
        a.reduction = 0;
        return add_op(m, op, (pod_node *[]){x, at}, 2, &a);
    }
    pod_shape given = {0};
    for (int32_t i = 0; i < a.axis; i++)
        given.dims[given.rank++] = shape->dims[i];
    for (int32_t i = (int32_t)a.count; i < places.rank; i++)
        given.dims[given.rank++] = places.dims[i];
    for (int32_t i = a.axis + 1; i < shape->rank; i++)
        given.dims[given.rank++] = shape->dims[i];
    return add_op(m, op, (pod_node *[]){x, at, like(m, dtype, &given)}, 3, &a);
}

pod_node *make_sort(maker *m, pod_op op)
{
    pod_node *inputs[2] = {op == POD_OP_TOP_K ? any_number(m) : any_node(m)};
    if (!inputs[0] || pod_node_shape(inputs[0], 0)->rank == 0)
        return NULL;
    const pod_shape *shape = pod_node_shape(inputs[0], 0);
    pod_attributes a = {.axis = (int32_t)below(&m->dice, shape->rank), .flag = chance(&m->dice, 50)};
    if (op == POD_OP_TOP_K) {
        pod_node *both =
            add_op(m, op, inputs, 1, &(pod_attributes){.count = below(&m->dice, shape->dims[shape->rank - 1] + 1)});
        return both ? pod_graph_result(m->graph, both, (size_t)below(&m->dice, 2)) : NULL;
    }
    const size_t count = 1 + (size_t)below(&m->dice, 2);
    if (count == 2)
        inputs[1] = like(m, any_type(m), shape);
    pod_node *sorted = add_op(m, op, inputs, count, &a);
    return sorted ? pod_graph_result(m->graph, sorted, (size_t)below(&m->dice, (int64_t)count)) : NULL;
}
