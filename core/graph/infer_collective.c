#include "graph/op_rules.h"

#include "base/checked.h"

/* Collectives over all replicas. */

bool pod_infer_all_reduce(pod_infer *call)
{
    const pod_type *x = pod_infer_operand(call, 0);
    pod_reduction reduction = call->attributes->reduction;
    if ((int)reduction < POD_REDUCE_SUM || reduction > POD_REDUCE_MEAN)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "its reduction is sum, product, max, min or mean");
    return pod_infer_kind(call, 0, reduction == POD_REDUCE_MEAN ? POD_KIND_FLOAT : POD_KIND_NUMBER) &&
           pod_infer_set(call, 0, x->dtype, &x->shape);
}

static bool check_replicas(pod_infer *call)
{
    if (call->attributes->count >= 1)
        return true;
    return pod_infer_fail(call, POD_ERROR_ARGUMENT, "count is %lld, but must be the number of replicas",
                          (long long)call->attributes->count);
}

/* Divides an axis among the replicas. */
static bool divide_axis(pod_infer *call, int32_t axis, pod_shape *shape)
{
    char text[POD_SHAPE_TEXT_SIZE];
    int64_t count = call->attributes->count;
    if (!check_replicas(call) || !pod_infer_axis(call, "axis", axis, shape))
        return false;
    if (shape->dims[axis] % count != 0)
        return pod_infer_fail(call, POD_ERROR_SHAPE,
                              "axis %d of %s cannot be divided evenly among %lld replicas; pad it", axis,
                              pod_shape_format(shape, text), (long long)count);
    shape->dims[axis] /= count;
    return true;
}

/* Multiplies an axis by the number of replicas. */
static bool multiply_axis(pod_infer *call, const char *what, int32_t axis, pod_shape *shape)
{
    if (!check_replicas(call) || !pod_infer_axis(call, what, axis, shape))
        return false;
    if (pod_multiply_overflows(shape->dims[axis], call->attributes->count, &shape->dims[axis]))
        return pod_infer_fail(call, POD_ERROR_SHAPE, "axis %d is longer than 63 bits count", axis);
    return true;
}

bool pod_infer_reduce_scatter(pod_infer *call)
{
    const pod_type *x = pod_infer_operand(call, 0);
    pod_shape shape = x->shape;
    return pod_infer_kind(call, 0, POD_KIND_NUMBER) && divide_axis(call, call->attributes->axis, &shape) &&
           pod_infer_set(call, 0, x->dtype, &shape);
}

bool pod_infer_all_gather(pod_infer *call)
{
    const pod_type *x = pod_infer_operand(call, 0);
    pod_shape shape = x->shape;
    return multiply_axis(call, "axis", call->attributes->axis, &shape) && pod_infer_set(call, 0, x->dtype, &shape);
}

bool pod_infer_all_to_all(pod_infer *call)
{
    const pod_type *x = pod_infer_operand(call, 0);
    const pod_axes *axes = &call->attributes->axes;
    if (axes->count != 1)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "axes must hold one axis, the one to concatenate along");
    pod_shape shape = x->shape;
    return divide_axis(call, call->attributes->axis, &shape) && multiply_axis(call, "axes", axes->axes[0], &shape) &&
           pod_infer_set(call, 0, x->dtype, &shape);
}

bool pod_infer_collective_permute(pod_infer *call)
{
    const pod_type *x = pod_infer_operand(call, 0);
    const int32_t *pairs = call->attributes->data;
    int64_t count = call->attributes->count;
    if (count < 0 || count > 65536 || (count > 0 && !pairs))
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "data must hold count pairs (source, target), 65536 at most");
    for (int64_t i = 0; i < 2 * count; i++) {
        if (pairs[i] < 0)
            return pod_infer_fail(call, POD_ERROR_VALUE, "pair %lld names replica %d", (long long)(i / 2), pairs[i]);
    }
    return pod_infer_set(call, 0, x->dtype, &x->shape);
}
