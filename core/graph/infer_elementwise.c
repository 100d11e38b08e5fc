#include "graph/op_rules.h"

/* Operands 1 and up have the type and shape of operand 0, which is of one of some kinds. */
static bool check_alike(pod_infer *call, pod_kinds kinds)
{
    bool fits = pod_infer_kind(call, 0, kinds);
    for (size_t i = 1; fits && i < call->input_count; i++)
        fits = pod_infer_same_dtype(call, 0, i) && pod_infer_same_shape(call, 0, i);
    return fits;
}

bool pod_infer_elementwise(pod_infer *call)
{
    if (!check_alike(call, pod_op_get(call->op)->kinds))
        return false;
    const pod_type *x = pod_infer_operand(call, 0);
    pod_dtype dtype = call->op == POD_OP_IS_FINITE ? POD_BOOL : x->dtype;
    return pod_infer_set(call, 0, dtype, &x->shape);
}

bool pod_infer_convert(pod_infer *call)
{
    pod_dtype dtype = call->attributes->dtype;
    if (dtype <= POD_DTYPE_NONE || dtype >= POD_DTYPE_END)
        return pod_infer_fail(call, POD_ERROR_DTYPE, "the type to convert to is not given");
    return pod_infer_set(call, 0, dtype, &pod_infer_operand(call, 0)->shape);
}

bool pod_infer_bitcast(pod_infer *call)
{
    const pod_type *x = pod_infer_operand(call, 0);
    pod_dtype dtype = call->attributes->dtype;
    if (dtype <= POD_DTYPE_NONE || dtype >= POD_DTYPE_END)
        return pod_infer_fail(call, POD_ERROR_DTYPE, "the type to read the bits as is not given");
    if (pod_dtype_size(dtype) != pod_dtype_size(x->dtype))
        return pod_infer_fail(call, POD_ERROR_DTYPE, "%s has %zu bytes an element and %s has %zu; they must be equal",
                              pod_dtype_name(x->dtype), pod_dtype_size(x->dtype), pod_dtype_name(dtype),
                              pod_dtype_size(dtype));
    return pod_infer_set(call, 0, dtype, &x->shape);
}

bool pod_infer_check(pod_infer *call)
{
    const pod_type *x = pod_infer_operand(call, 0);
    return pod_infer_kind(call, 1, POD_KIND_BOOL) && pod_infer_set(call, 0, x->dtype, &x->shape);
}

bool pod_infer_with_rows(pod_infer *call)
{
    const pod_type *x = pod_infer_operand(call, 0);
    if (!pod_shape_equal(&x->shape, &pod_infer_operand(call, 1)->shape))
        return pod_infer_fail(call, POD_ERROR_SHAPE, "operand 1, whose rows count, is of another shape");
    return pod_infer_set(call, 0, x->dtype, &x->shape);
}

bool pod_infer_compare(pod_infer *call)
{
    if (!check_alike(call, POD_KIND_ANY))
        return false;
    int comparison = (int)call->attributes->comparison;
    if (comparison < POD_COMPARE_EQ || comparison > POD_COMPARE_GE)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "%d is no comparison", comparison);
    return pod_infer_set(call, 0, POD_BOOL, &pod_infer_operand(call, 0)->shape);
}

bool pod_infer_select(pod_infer *call)
{
    const pod_type *x = pod_infer_operand(call, 1);
    return pod_infer_kind(call, 0, POD_KIND_BOOL) && pod_infer_same_dtype(call, 1, 2) &&
           pod_infer_same_shape(call, 1, 2) && pod_infer_same_shape(call, 0, 1) &&
           pod_infer_set(call, 0, x->dtype, &x->shape);
}
