#include <string.h>

#include "graph/build.h"

#include "base/checked.h"

/* Constants and ops that move data. */

bool pod_graph_is_value(const pod_graph *graph, const pod_node *x)
{
    return x && x->op >= 0 && x->graph == graph && x->result_count == 1;
}

pod_node *pod_graph_constant(pod_graph *graph, pod_dtype dtype, const pod_shape *shape, const void *data)
{
    static const pod_shape scalar;
    pod_attributes attributes = {.dtype = dtype, .shape = shape ? *shape : scalar, .data = data};
    attributes.flag = attributes.shape.rank == 0;
    if (pod_shape_elements(&attributes.shape) == 0) /* no elements to point to */
        return pod_graph_scalar(graph, dtype, 0, &attributes.shape);
    return pod_graph_apply(graph, POD_OP_CONSTANT, NULL, 0, &attributes, NULL, 0);
}

pod_node *pod_graph_scalar(pod_graph *graph, pod_dtype dtype, double value, const pod_shape *shape)
{
    static const pod_shape scalar;
    char element[16];
    pod_attributes attributes = {.dtype = dtype, .shape = shape ? *shape : scalar, .flag = true, .data = element};
    if (dtype <= POD_DTYPE_NONE || dtype >= POD_DTYPE_END)
        return pod_graph_fail(graph, POD_ERROR_DTYPE, "constant: its type is not given");
    pod_convert(POD_F64, &value, dtype, element, 1);
    return pod_graph_apply(graph, POD_OP_CONSTANT, NULL, 0, &attributes, NULL, 0);
}

pod_node *pod_graph_full_like(pod_graph *graph, const pod_node *x, double value)
{
    if (x->op < 0)
        return &graph->invalid;
    return pod_graph_scalar(graph, x->results[0].dtype, value, &x->results[0].shape);
}

pod_node *pod_graph_with_rows(pod_graph *graph, pod_node *x, pod_node *like)
{
    if (x->op < 0 || like->op < 0 || x == like || x->results[0].shape.rank == 0 ||
        (x->op == POD_OP_WITH_ROWS && x->inputs[1] == like))
        return x;
    return pod_graph_apply(graph, POD_OP_WITH_ROWS, (pod_node *[]){x, like}, 2, NULL, NULL, 0);
}

pod_node *pod_graph_number_like(pod_graph *graph, const pod_node *x, double value)
{
    if (x->op < 0)
        return &graph->invalid;
    return pod_graph_scalar(graph, x->results[0].dtype, value, NULL);
}

pod_node *pod_graph_iota(pod_graph *graph, pod_dtype dtype, const pod_shape *shape, int32_t axis)
{
    pod_attributes attributes = {.dtype = dtype, .shape = *shape, .axis = axis};
    return pod_graph_apply(graph, POD_OP_IOTA, NULL, 0, &attributes, NULL, 0);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Puts the size that makes the elements fit where the shape says -1; false when there is none. */
static bool complete_shape(pod_shape *shape, const pod_shape *from)
{
    int32_t open = -1;
    int64_t known = 1;
    for (int32_t i = 0; i < shape->rank && i < POD_MAX_RANK; i++) {
        if (shape->dims[i] == -1) {
            if (open >= 0)
                return false;
            open = i;
        } else if (shape->dims[i] < 0 || pod_multiply_overflows(known, shape->dims[i], &known)) {
            return false;
        }
    }
    int64_t elements = pod_shape_elements(from);
    if (open < 0)
        return true;
    if (known == 0 || elements % known != 0)
        return false;
    shape->dims[open] = elements / known;
    return true;
}

pod_node *pod_graph_reshape(pod_graph *graph, pod_node *x, const pod_shape *shape)
{
    char from[POD_SHAPE_TEXT_SIZE], to[POD_SHAPE_TEXT_SIZE];
    pod_attributes attributes = {.shape = *shape};
    if (pod_graph_is_value(graph, x)) {
        const pod_shape *have = &x->results[0].shape;
        if (!complete_shape(&attributes.shape, have))
            return pod_graph_fail(graph, POD_ERROR_SHAPE,
                                  "reshape: %s cannot become %s: one size may be -1, and the "
                                  "others must divide its %lld elements",
                                  pod_shape_format(have, from), pod_shape_format(shape, to),
                                  (long long)pod_shape_elements(have));
        if (pod_shape_equal(&attributes.shape, have))
            return x;
    }
    return pod_graph_apply(graph, POD_OP_RESHAPE, &x, 1, &attributes, NULL, 0);
}

pod_node *pod_graph_broadcast_axes(pod_graph *graph, pod_node *x, const pod_shape *shape, const pod_axes *axes)
{
    pod_attributes attributes = {.shape = *shape, .axes = *axes};
    return pod_graph_apply(graph, POD_OP_BROADCAST, &x, 1, &attributes, NULL, 0);
}

pod_node *pod_graph_broadcast_to(pod_graph *graph, pod_node *x, const pod_shape *shape)
{
    char from[POD_SHAPE_TEXT_SIZE], to[POD_SHAPE_TEXT_SIZE];
    pod_axes axes = {0};
    if (pod_graph_is_value(graph, x)) {
        const pod_shape *have = &x->results[0].shape;
        if (pod_shape_equal(have, shape))
            return x;
        if (have->rank > shape->rank)
            return pod_graph_fail(graph, POD_ERROR_SHAPE, "broadcast: %s has more axes than %s; reshape it first",
                                  pod_shape_format(have, from), pod_shape_format(shape, to));
        axes.count = have->rank;
        for (int32_t i = 0; i < axes.count; i++)
            axes.axes[i] = shape->rank - have->rank + i;
    }
    return pod_graph_broadcast_axes(graph, x, shape, &axes);
}

static bool is_identity(const pod_axes *axes, int32_t rank)
{
    bool same = axes->count == rank;
    for (int32_t i = 0; same && i < rank; i++)
        same = axes->axes[i] == i;
    return same;
}

pod_node *pod_graph_transpose(pod_graph *graph, pod_node *x, const pod_axes *axes)
{
    pod_attributes attributes = {0};
    if (axes)
        attributes.axes = *axes;
    if (pod_graph_is_value(graph, x)) {
        int32_t rank = x->results[0].shape.rank;
        if (!axes) {
            attributes.axes.count = rank;
            for (int32_t i = 0; i < rank; i++)
                attributes.axes.axes[i] = rank - 1 - i;
        }
        if (is_identity(&attributes.axes, rank))
            return x;
    }
    return pod_graph_apply(graph, POD_OP_TRANSPOSE, &x, 1, &attributes, NULL, 0);
}

pod_axes pod_graph_axes_others(const pod_axes *axes, int32_t rank)
{
    pod_axes others = {0};
    for (int32_t i = 0; i < rank; i++) {
        bool listed = false;
        for (int32_t j = 0; j < axes->count; j++)
            listed |= axes->axes[j] == i;
        if (!listed)
            others.axes[others.count++] = i;
    }
    return others;
}

void pod_graph_axes_append(pod_axes *axes, const pod_axes *more)
{
    for (int32_t i = 0; i < more->count; i++)
        axes->axes[axes->count++] = more->axes[i];
}

pod_axes pod_graph_axes_free(const pod_axes *batch, const pod_axes *contract, int32_t rank)
{
    pod_axes used = *batch;
    pod_graph_axes_append(&used, contract);
    return pod_graph_axes_others(&used, rank);
}

pod_node *pod_graph_untranspose(pod_graph *graph, pod_node *x, const pod_axes *axes)
{
    pod_axes inverse = {.count = axes->count};
    for (int32_t i = 0; i < axes->count; i++)
        inverse.axes[axes->axes[i]] = i;
    return pod_graph_transpose(graph, x, &inverse);
}

pod_node *pod_graph_unreduce(pod_graph *graph, pod_node *x, const pod_shape *shape, const pod_axes *axes)
{
    if (axes->count == 0)
        return x;
    pod_axes kept = pod_graph_axes_others(axes, shape->rank);
    return pod_graph_broadcast_axes(graph, x, shape, &kept);
}
