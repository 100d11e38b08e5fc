#include <string.h>

#include "graph/build.h"
#include "graph/op_rules.h"

/* Builders of reductions: axes may be negative, in any order, and kept with size 1. */

/* Makes the sorted list of axes, counted from 0, of which each must be there and only once. */
static bool normalize_axes(pod_graph *graph, const char *what, const pod_axes *given, int32_t rank, pod_axes *axes)
{
    uint32_t seen = 0;
    *axes = (pod_axes){0};
    for (int32_t i = 0; given && i < given->count && i < POD_MAX_RANK; i++) {
        int32_t axis = given->axes[i] < 0 ? given->axes[i] + rank : given->axes[i];
        if (axis < 0 || axis >= rank || seen & 1u << axis) {
            pod_graph_fail(graph, POD_ERROR_SHAPE, "%s: axis %d is not one of the %d axes, or is there twice", what,
                           given->axes[i], rank);
            return false;
        }
        seen |= 1u << axis;
    }
    for (int32_t i = 0; i < rank; i++) {
        if (!given || seen & 1u << i)
            axes->axes[axes->count++] = i;
    }
    return true;
}

/* Gives the removed axes back with size 1. */
static pod_node *keep_axes(pod_graph *graph, pod_node *reduced, const pod_node *x, const pod_axes *axes)
{
    pod_shape shape = x->results[0].shape;
    for (int32_t i = 0; i < axes->count; i++)
        shape.dims[axes->axes[i]] = 1;
    return pod_graph_reshape(graph, reduced, &shape);
}

static bool is_reduction(pod_op op)
{
    return op >= 0 && pod_op_infer_rule(op) == pod_infer_reduction;
}

/* Reduces into `dtype`; axes are normalized. */
static pod_node *reduce(pod_graph *graph, pod_op op, pod_node *x, const pod_axes *axes, pod_dtype dtype)
{
    pod_attributes attributes = {.axes = *axes, .dtype = dtype};
    return pod_graph_apply(graph, op, &x, 1, &attributes, NULL, 0);
}

pod_node *pod_graph_reduce(pod_graph *graph, const char *op_name, pod_node *x, const pod_axes *given, bool keep)
{
    pod_axes axes = {0};
    pod_op op = pod_op_from_name(op_name);
    if (!is_reduction(op))
        return pod_graph_fail(graph, POD_ERROR_ARGUMENT,
                              "'%s' is no reduction; there are reduce_sum, reduce_product, "
                              "reduce_max, reduce_min, reduce_and and reduce_or",
                              op_name ? op_name : "(null)");
    if (!pod_graph_is_value(graph, x))
        return reduce(graph, op, x, &axes, POD_DTYPE_NONE); /* says what is wrong with x */
    if (!normalize_axes(graph, op_name, given, x->results[0].shape.rank, &axes))
        return &graph->invalid;
    pod_node *reduced = reduce(graph, op, x, &axes, POD_DTYPE_NONE);
    return keep && reduced->op >= 0 ? keep_axes(graph, reduced, x, &axes) : reduced;
}

pod_node *pod_graph_sum_axes(pod_graph *graph, pod_node *x, const pod_axes *axes, pod_dtype dtype)
{
    if (axes->count == 0 && (dtype == POD_DTYPE_NONE || pod_node_dtype(x, 0) == dtype))
        return x;
    return reduce(graph, POD_OP_REDUCE_SUM, x, axes, dtype);
}

/* The true number of elements along the axes, as a scalar of a type. */
static pod_node *true_count(pod_graph *graph, pod_node *x, const pod_axes *axes, pod_dtype dtype)
{
    pod_node *count = NULL;
    for (int32_t i = 0; i < axes->count; i++) {
        pod_attributes attributes = {.axis = axes->axes[i]};
        pod_node *size = pod_graph_apply(graph, POD_OP_DIMENSION_SIZE, &x, 1, &attributes, NULL, 0);
        size = pod_graph_convert(graph, size, dtype);
        count = count ? pod_graph_multiply(graph, count, size) : size;
    }
    return count ? count : pod_graph_scalar(graph, dtype, 1, NULL);
}

pod_node *pod_graph_mean(pod_graph *graph, pod_node *x, const pod_axes *given, bool keep)
{
    pod_axes axes = {0};
    if (!pod_graph_is_value(graph, x))
        return reduce(graph, POD_OP_REDUCE_SUM, x, &axes, POD_DTYPE_NONE);
    pod_dtype dtype = x->results[0].dtype;
    if (!pod_dtype_is_float(dtype))
        return pod_graph_fail(graph, POD_ERROR_DTYPE, "mean: the operand is %s; convert it to a float first",
                              pod_dtype_name(dtype));
    if (!normalize_axes(graph, "mean", given, x->results[0].shape.rank, &axes))
        return &graph->invalid;
    if (axes.count == 0)
        return x;
    pod_dtype wide = dtype == POD_F64 ? POD_F64 : POD_F32; /* 16-bit floats cannot count far */
    pod_node *sum = reduce(graph, POD_OP_REDUCE_SUM, x, &axes, wide);
    pod_node *mean = pod_graph_divide(graph, sum, true_count(graph, x, &axes, wide));
    mean = pod_graph_convert(graph, mean, dtype);
    return keep && mean->op >= 0 ? keep_axes(graph, mean, x, &axes) : mean;
}
