#include "graph/infer.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/checked.h"
#include "base/error.h"

bool pod_infer_fail(pod_infer *call, pod_status status, const char *format, ...)
{
    char text[POD_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (call->location)
        pod_error_set(call->error, status, "%s: %s (%s)", pod_op_name(call->op), text, call->location);
    else
        pod_error_set(call->error, status, "%s: %s", pod_op_name(call->op), text);
    return false;
}

const pod_type *pod_infer_operand(const pod_infer *call, size_t index)
{
    assert(index < call->input_count);
    return &call->inputs[index]->results[0];
}

const char *pod_graph_type_format(const pod_type *type, char text[POD_TYPE_TEXT_SIZE])
{
    char shape[POD_SHAPE_TEXT_SIZE];
    snprintf(text, POD_TYPE_TEXT_SIZE, "%s %s", pod_dtype_name(type->dtype), pod_shape_format(&type->shape, shape));
    return text;
}

bool pod_graph_type_equal(const pod_type *a, const pod_type *b)
{
    return a->dtype == b->dtype && pod_shape_equal(&a->shape, &b->shape);
}

/* ---- numbers of operands, regions and results ------------------------------------------------ */

bool pod_infer_set(pod_infer *call, size_t index, pod_dtype dtype, const pod_shape *shape)
{
    char text[POD_SHAPE_TEXT_SIZE];
    if (dtype <= POD_DTYPE_NONE || dtype >= POD_DTYPE_END)
        return pod_infer_fail(call, POD_ERROR_DTYPE, "the type of the result is not given");
    if (shape->rank < 0 || shape->rank > POD_MAX_RANK)
        return pod_infer_fail(call, POD_ERROR_SHAPE, "the result would have %d axes; at most %d are possible",
                              shape->rank, POD_MAX_RANK);
    int64_t elements = pod_shape_elements(shape), bytes;
    if (elements < 0 || pod_multiply_overflows(elements, (int64_t)pod_dtype_size(dtype), &bytes))
        return pod_infer_fail(call, POD_ERROR_SHAPE,
                              "the result's shape %s has a negative size or more bytes than 63 "
                              "bits count",
                              pod_shape_format(shape, text));
    assert(index < call->result_count);
    pod_type *result = &call->results[index];
    *result = (pod_type){.dtype = dtype, .shape = {.rank = shape->rank}};
    for (int32_t i = 0; i < shape->rank; i++)
        result->shape.dims[i] = shape->dims[i];
    return true;
}

bool pod_infer_axis(pod_infer *call, const char *what, int64_t axis, const pod_shape *shape)
{
    char text[POD_SHAPE_TEXT_SIZE];
    if (axis >= 0 && axis < shape->rank)
        return true;
    if (shape->rank == 0)
        return pod_infer_fail(call, POD_ERROR_SHAPE, "%s is %lld, but a scalar has no axes", what, (long long)axis);
    return pod_infer_fail(call, POD_ERROR_SHAPE, "%s is %lld, but the axes of %s are 0 to %d", what, (long long)axis,
                          pod_shape_format(shape, text), shape->rank - 1);
}

bool pod_infer_axes(pod_infer *call, const char *what, const pod_axes *axes, const pod_shape *shape, bool ascending)
{
    uint32_t seen = 0;
    if (axes->count < 0 || axes->count > POD_MAX_RANK)
        return pod_infer_fail(call, POD_ERROR_SHAPE, "%s lists %d axes; 0 to %d are possible", what, axes->count,
                              POD_MAX_RANK);
    for (int32_t i = 0; i < axes->count; i++) {
        int32_t axis = axes->axes[i];
        if (!pod_infer_axis(call, what, axis, shape))
            return false;
        if (seen & 1u << axis)
            return pod_infer_fail(call, POD_ERROR_SHAPE, "%s lists axis %d twice", what, axis);
        if (ascending && i > 0 && axis < axes->axes[i - 1])
            return pod_infer_fail(call, POD_ERROR_SHAPE, "%s must be in ascending order", what);
        seen |= 1u << axis;
    }
    return true;
}

bool pod_infer_same_dtype(pod_infer *call, size_t a, size_t b)
{
    pod_dtype first = pod_infer_operand(call, a)->dtype, second = pod_infer_operand(call, b)->dtype;
    if (first == second)
        return true;
    return pod_infer_fail(call, POD_ERROR_DTYPE, "operands %zu and %zu have different types, %s and %s; convert one", a,
                          b, pod_dtype_name(first), pod_dtype_name(second));
}

bool pod_infer_same_shape(pod_infer *call, size_t a, size_t b)
{
    char first[POD_SHAPE_TEXT_SIZE], second[POD_SHAPE_TEXT_SIZE];
    const pod_shape *x = &pod_infer_operand(call, a)->shape;
    const pod_shape *y = &pod_infer_operand(call, b)->shape;
    if (pod_shape_equal(x, y))
        return true;
    return pod_infer_fail(call, POD_ERROR_SHAPE,
                          "operands %zu and %zu have different shapes, %s and %s; broadcast or "
                          "reshape one",
                          a, b, pod_shape_format(x, first), pod_shape_format(y, second));
}

bool pod_infer_kind(pod_infer *call, size_t index, pod_kinds kinds)
{
    static const char *const texts[] = {
        [POD_KIND_BOOL] = "bool",
        [POD_KIND_INTEGER] = "integers",
        [POD_KIND_FLOAT] = "floats",
        [POD_KIND_NUMBER] = "integers or floats",
        [POD_KIND_BITS] = "bool or integers",
        [POD_KIND_BOOL | POD_KIND_FLOAT] = "bool or floats",
        [POD_KIND_ANY] = "any type",
    };
    pod_dtype dtype = pod_infer_operand(call, index)->dtype;
    if (pod_graph_kind_of(dtype) & kinds)
        return true;
    return pod_infer_fail(call, POD_ERROR_DTYPE, "operand %zu is %s, but must be %s; convert it", index,
                          pod_dtype_name(dtype), texts[kinds]);
}

bool pod_infer_result_dtype(pod_infer *call, pod_dtype *dtype)
{
    pod_dtype operand = pod_infer_operand(call, 0)->dtype;
    pod_dtype wanted = call->attributes->dtype;
    *dtype = operand;
    if (wanted == POD_DTYPE_NONE || wanted == operand) {
        call->attributes->dtype = POD_DTYPE_NONE;
        return true;
    }
    if (wanted < 0 || wanted >= POD_DTYPE_END || pod_graph_kind_of(wanted) != pod_graph_kind_of(operand))
        return pod_infer_fail(call, POD_ERROR_DTYPE, "a result of type %s cannot be summed from %s; convert after",
                              wanted > 0 && wanted < POD_DTYPE_END ? pod_dtype_name(wanted) : "?",
                              pod_dtype_name(operand));
    *dtype = wanted;
    return true;
}
