#include "graph/op_rules.h"

/* Reductions remove axes; cumulative_sum keeps them. */

/* Makes the shape that is left without the attribute's axes. */
static bool reduced_shape(pod_infer *call, pod_shape *shape)
{
    const pod_shape *from = &pod_infer_operand(call, 0)->shape;
    const pod_axes *axes = &call->attributes->axes;
    if (!pod_infer_axes(call, "axes", axes, from, true))
        return false;
    int32_t next = 0;
    *shape = (pod_shape){0};
    for (int32_t i = 0; i < from->rank; i++) {
        if (next < axes->count && axes->axes[next] == i)
            next++;
        else
            shape->dims[shape->rank++] = from->dims[i];
    }
    return true;
}

static pod_kinds kinds_of(pod_op op)
{
    return op == POD_OP_REDUCE_AND || op == POD_OP_REDUCE_OR ? POD_KIND_BITS : POD_KIND_NUMBER;
}

bool pod_infer_reduction(pod_infer *call)
{
    pod_shape shape;
    pod_dtype dtype;
    return pod_infer_kind(call, 0, kinds_of(call->op)) && pod_infer_result_dtype(call, &dtype) &&
           reduced_shape(call, &shape) && pod_infer_set(call, 0, dtype, &shape);
}

/* argmax and argmin. */
bool pod_infer_argument(pod_infer *call)
{
    const pod_type *x = pod_infer_operand(call, 0);
    pod_attributes *attributes = call->attributes;
    if (attributes->dtype == POD_DTYPE_NONE)
        attributes->dtype = POD_S32;
    if (attributes->dtype != POD_S32 && attributes->dtype != POD_S64)
        return pod_infer_fail(call, POD_ERROR_DTYPE, "the result is int32 or int64");
    if (!pod_infer_kind(call, 0, POD_KIND_NUMBER) || !pod_infer_axis(call, "axis", attributes->axis, &x->shape))
        return false;
    int64_t size = x->shape.dims[attributes->axis];
    if (size == 0 || (attributes->dtype == POD_S32 && size > INT32_MAX))
        return pod_infer_fail(call, POD_ERROR_SHAPE, "axis %d has %lld elements; %s", attributes->axis, (long long)size,
                              size == 0 ? "there is no largest or smallest of none" : "ask for an int64 result");
    pod_shape shape = {.rank = x->shape.rank - 1};
    for (int32_t i = 0; i < shape.rank; i++)
        shape.dims[i] = x->shape.dims[i < attributes->axis ? i : i + 1];
    return pod_infer_set(call, 0, attributes->dtype, &shape);
}

/* The region of `reduce` folds scalars: (accumulator, element) -> accumulator. */
static bool check_fold(pod_infer *call)
{
    const pod_graph *fold = call->regions[0];
    pod_type scalar = {.dtype = pod_infer_operand(call, 0)->dtype};
    bool fits = fold->parameter_count == 2 && fold->output_count == 1;
    for (uint32_t i = 0; fits && i < 2; i++)
        fits = pod_graph_type_equal(&fold->parameters[i]->results[0], &scalar);
    if (fits && pod_graph_type_equal(&fold->outputs[0]->results[0], &scalar))
        return true;
    return pod_infer_fail(call, POD_ERROR_SHAPE,
                          "its region must take two %s scalars, accumulator and element, and give "
                          "one",
                          pod_dtype_name(scalar.dtype));
}

bool pod_infer_reduce(pod_infer *call)
{
    char text[POD_TYPE_TEXT_SIZE];
    pod_shape shape;
    const pod_type *start = pod_infer_operand(call, 1);
    if (!pod_infer_same_dtype(call, 0, 1))
        return false;
    if (start->shape.rank != 0)
        return pod_infer_fail(call, POD_ERROR_SHAPE, "the initial value must be a scalar; it is %s",
                              pod_graph_type_format(start, text));
    return reduced_shape(call, &shape) && check_fold(call) && pod_infer_set(call, 0, start->dtype, &shape);
}

bool pod_infer_cumulative_sum(pod_infer *call)
{
    const pod_type *x = pod_infer_operand(call, 0);
    if (!pod_infer_kind(call, 0, POD_KIND_NUMBER) || !pod_infer_axis(call, "axis", call->attributes->axis, &x->shape))
        return false;
    if (call->attributes->count != 0 && call->attributes->count != 1)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "count is 1 for exclusive sums, else 0");
    return pod_infer_set(call, 0, x->dtype, &x->shape);
}
