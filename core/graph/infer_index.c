#include "graph/op_rules.h"

/* gather, scatter, sort and top_k. */

/* Checks x and indices and makes the shape of gather's result. */
static bool gathered(pod_infer *call, pod_shape *shape)
{
    char first[POD_SHAPE_TEXT_SIZE], second[POD_SHAPE_TEXT_SIZE];
    const pod_type *x = pod_infer_operand(call, 0), *indices = pod_infer_operand(call, 1);
    int64_t batch = call->attributes->count;
    int32_t axis = call->attributes->axis;
    if (indices->dtype != POD_S32 && indices->dtype != POD_S64)
        return pod_infer_fail(call, POD_ERROR_DTYPE, "indices are %s, but must be int32 or int64; convert them",
                              pod_dtype_name(indices->dtype));
    if (!pod_infer_axis(call, "axis", axis, &x->shape))
        return false;
    bool fits = batch >= 0 && batch <= axis && batch <= indices->shape.rank;
    for (int32_t i = 0; fits && i < batch; i++)
        fits = x->shape.dims[i] == indices->shape.dims[i];
    if (!fits)
        return pod_infer_fail(call, POD_ERROR_SHAPE,
                              "%lld batch axes of %s and of the indices %s do not agree before "
                              "axis %d",
                              (long long)batch, pod_shape_format(&x->shape, first),
                              pod_shape_format(&indices->shape, second), axis);
    int32_t rank = x->shape.rank - 1 + indices->shape.rank - (int32_t)batch;
    if (rank > POD_MAX_RANK)
        return pod_infer_fail(call, POD_ERROR_SHAPE, "the result would have %d axes; at most %d are possible", rank,
                              POD_MAX_RANK);
    *shape = (pod_shape){0};
    for (int32_t i = 0; i < axis; i++)
        shape->dims[shape->rank++] = x->shape.dims[i];
    for (int32_t i = (int32_t)batch; i < indices->shape.rank; i++)
        shape->dims[shape->rank++] = indices->shape.dims[i];
    for (int32_t i = axis + 1; i < x->shape.rank; i++)
        shape->dims[shape->rank++] = x->shape.dims[i];
    return true;
}

bool pod_infer_gather(pod_infer *call)
{
    pod_shape shape;
    const pod_type *x = pod_infer_operand(call, 0);
    if (!gathered(call, &shape))
        return false;
    if (call->attributes->flag && x->shape.dims[call->attributes->axis] == 0)
        return pod_infer_fail(call, POD_ERROR_SHAPE, "axis %d has no elements that an index could be clamped to",
                              call->attributes->axis);
    return pod_infer_set(call, 0, x->dtype, &shape);
}

static bool check_scatter_reduction(pod_infer *call)
{
    pod_reduction reduction = call->attributes->reduction;
    bool sums = reduction == POD_REDUCE_SUM || reduction == POD_REDUCE_MAX || reduction == POD_REDUCE_MIN;
    if (!sums && reduction != POD_REDUCE_ASSIGN)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "its reduction is sum, max, min or assign");
    return !sums || pod_infer_kind(call, 0, POD_KIND_NUMBER);
}

bool pod_infer_scatter(pod_infer *call)
{
    char first[POD_SHAPE_TEXT_SIZE], second[POD_SHAPE_TEXT_SIZE];
    const pod_type *x = pod_infer_operand(call, 0), *updates = pod_infer_operand(call, 2);
    pod_shape shape;
    if (!gathered(call, &shape) || !pod_infer_same_dtype(call, 0, 2) || !check_scatter_reduction(call))
        return false;
    if (!pod_shape_equal(&shape, &updates->shape))
        return pod_infer_fail(call, POD_ERROR_SHAPE, "the updates are %s, but must be %s",
                              pod_shape_format(&updates->shape, first), pod_shape_format(&shape, second));
    return pod_infer_set(call, 0, x->dtype, &x->shape);
}

bool pod_infer_sort(pod_infer *call)
{
    const pod_shape *shape = &pod_infer_operand(call, 0)->shape;
    bool fits = pod_infer_axis(call, "axis", call->attributes->axis, shape);
    for (size_t i = 0; fits && i < call->input_count; i++)
        fits = pod_infer_same_shape(call, 0, i) && pod_infer_set(call, i, pod_infer_operand(call, i)->dtype, shape);
    return fits;
}

bool pod_infer_top_k(pod_infer *call)
{
    char text[POD_SHAPE_TEXT_SIZE];
    const pod_type *x = pod_infer_operand(call, 0);
    int64_t count = call->attributes->count;
    if (!pod_infer_kind(call, 0, POD_KIND_NUMBER))
        return false;
    if (x->shape.rank == 0)
        return pod_infer_fail(call, POD_ERROR_SHAPE, "a scalar has no largest elements");
    int64_t size = x->shape.dims[x->shape.rank - 1];
    if (count < 0 || count > size)
        return pod_infer_fail(call, POD_ERROR_SHAPE, "count is %lld, but the last axis of %s has %lld elements",
                              (long long)count, pod_shape_format(&x->shape, text), (long long)size);
    if (size > INT32_MAX)
        return pod_infer_fail(call, POD_ERROR_SHAPE, "the last axis is longer than int32 counts");
    pod_shape shape = x->shape;
    shape.dims[shape.rank - 1] = count;
    return pod_infer_set(call, 0, x->dtype, &shape) && pod_infer_set(call, 1, POD_S32, &shape);
}
