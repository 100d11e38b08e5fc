#include "graph/op_rules.h"

#include "base/checked.h"

/* reshape, transpose, broadcast, reverse, concatenate and dimension_size. */

bool pod_infer_reshape(pod_infer *call)
{
    char from[POD_SHAPE_TEXT_SIZE], to[POD_SHAPE_TEXT_SIZE];
    const pod_type *x = pod_infer_operand(call, 0);
    if (!pod_infer_set(call, 0, x->dtype, &call->attributes->shape))
        return false;
    int64_t have = pod_shape_elements(&x->shape);
    int64_t want = pod_shape_elements(&call->attributes->shape);
    if (have == want)
        return true;
    return pod_infer_fail(call, POD_ERROR_SHAPE, "%s has %lld elements, which do not fill %s with %lld",
                          pod_shape_format(&x->shape, from), (long long)have,
                          pod_shape_format(&call->attributes->shape, to), (long long)want);
}

bool pod_infer_transpose(pod_infer *call)
{
    char text[POD_SHAPE_TEXT_SIZE];
    const pod_type *x = pod_infer_operand(call, 0);
    const pod_axes *axes = &call->attributes->axes;
    if (axes->count != x->shape.rank)
        return pod_infer_fail(call, POD_ERROR_SHAPE, "axes lists %d axes, but %s has %d; list each of them once",
                              axes->count, pod_shape_format(&x->shape, text), x->shape.rank);
    if (!pod_infer_axes(call, "axes", axes, &x->shape, false))
        return false;
    pod_shape shape = {.rank = x->shape.rank};
    for (int32_t i = 0; i < shape.rank; i++)
        shape.dims[i] = x->shape.dims[axes->axes[i]];
    return pod_infer_set(call, 0, x->dtype, &shape);
}

static bool check_broadcast(pod_infer *call, const pod_shape *from, const pod_shape *to)
{
    char first[POD_SHAPE_TEXT_SIZE], second[POD_SHAPE_TEXT_SIZE];
    const pod_axes *axes = &call->attributes->axes;
    for (int32_t i = 0; i < from->rank; i++) {
        int32_t axis = axes->axes[i];
        if (from->dims[i] != 1 && from->dims[i] != to->dims[axis])
            return pod_infer_fail(call, POD_ERROR_SHAPE,
                                  "axis %d of %s has %lld elements and cannot be repeated to fill "
                                  "axis %d of %s, which has %lld; only size 1 repeats",
                                  i, pod_shape_format(from, first), (long long)from->dims[i], axis,
                                  pod_shape_format(to, second), (long long)to->dims[axis]);
    }
    return true;
}

bool pod_infer_broadcast(pod_infer *call)
{
    char text[POD_SHAPE_TEXT_SIZE];
    const pod_type *x = pod_infer_operand(call, 0);
    const pod_attributes *attributes = call->attributes;
    if (!pod_infer_set(call, 0, x->dtype, &attributes->shape))
        return false;
    if (attributes->axes.count != x->shape.rank)
        return pod_infer_fail(call, POD_ERROR_SHAPE,
                              "axes lists %d axes, but the operand %s has %d; give the result's "
                              "axis for each",
                              attributes->axes.count, pod_shape_format(&x->shape, text), x->shape.rank);
    return pod_infer_axes(call, "axes", &attributes->axes, &attributes->shape, true) &&
           check_broadcast(call, &x->shape, &attributes->shape);
}

bool pod_infer_reverse(pod_infer *call)
{
    const pod_type *x = pod_infer_operand(call, 0);
    return pod_infer_axes(call, "axes", &call->attributes->axes, &x->shape, false) &&
           pod_infer_set(call, 0, x->dtype, &x->shape);
}

/* Operand `index` of a concatenation may differ from operand 0 along the axis only. */
static bool check_part(pod_infer *call, size_t index, int32_t axis)
{
    char first[POD_SHAPE_TEXT_SIZE], second[POD_SHAPE_TEXT_SIZE];
    const pod_shape *a = &pod_infer_operand(call, 0)->shape;
    const pod_shape *b = &pod_infer_operand(call, index)->shape;
    bool fits = a->rank == b->rank;
    for (int32_t i = 0; fits && i < a->rank; i++)
        fits = i == axis || a->dims[i] == b->dims[i];
    if (fits)
        return true;
    return pod_infer_fail(call, POD_ERROR_SHAPE,
                          "operand 0 is %s and operand %zu is %s; they must be equal in all axes "
                          "but axis %d",
                          pod_shape_format(a, first), index, pod_shape_format(b, second), axis);
}

bool pod_infer_concatenate(pod_infer *call)
{
    if (call->input_count == 0)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "it needs at least one operand");
    const pod_type *x = pod_infer_operand(call, 0);
    int32_t axis = call->attributes->axis;
    if (!pod_infer_axis(call, "axis", axis, &x->shape))
        return false;
    pod_shape shape = x->shape;
    for (size_t i = 1; i < call->input_count; i++) {
        if (!pod_infer_same_dtype(call, 0, i) || !check_part(call, i, axis))
            return false;
        int64_t more = pod_infer_operand(call, i)->shape.dims[axis];
        if (pod_add_overflows(shape.dims[axis], more, &shape.dims[axis]))
            return pod_infer_fail(call, POD_ERROR_SHAPE, "axis %d is longer than 63 bits count", axis);
    }
    return pod_infer_set(call, 0, x->dtype, &shape);
}

bool pod_infer_dimension_size(pod_infer *call)
{
    static const pod_shape scalar = {0};
    const pod_type *x = pod_infer_operand(call, 0);
    int32_t axis = call->attributes->axis;
    if (!pod_infer_axis(call, "axis", axis, &x->shape))
        return false;
    if (x->shape.dims[axis] > INT32_MAX)
        return pod_infer_fail(call, POD_ERROR_SHAPE, "axis %d has %lld elements, more than int32 counts; reshape it",
                              axis, (long long)x->shape.dims[axis]);
    return pod_infer_set(call, 0, POD_S32, &scalar);
}
