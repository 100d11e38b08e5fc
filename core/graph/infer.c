#include "graph/infer.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"

static const pod_infer_rule rules[POD_OP_COUNT] = {
    [POD_OP_PARAMETER] = pod_infer_leaf,
    [POD_OP_CONSTANT] = pod_infer_leaf,
    [POD_OP_IOTA] = pod_infer_leaf,
    [POD_OP_RESULT] = pod_infer_result,
    [POD_OP_NEGATE] = pod_infer_elementwise,
    [POD_OP_ABS] = pod_infer_elementwise,
    [POD_OP_SIGN] = pod_infer_elementwise,
    [POD_OP_EXP] = pod_infer_elementwise,
    [POD_OP_EXPM1] = pod_infer_elementwise,
    [POD_OP_LOG] = pod_infer_elementwise,
    [POD_OP_LOG1P] = pod_infer_elementwise,
    [POD_OP_SQRT] = pod_infer_elementwise,
    [POD_OP_RSQRT] = pod_infer_elementwise,
    [POD_OP_SIN] = pod_infer_elementwise,
    [POD_OP_COS] = pod_infer_elementwise,
    [POD_OP_TAN] = pod_infer_elementwise,
    [POD_OP_TANH] = pod_infer_elementwise,
    [POD_OP_LOGISTIC] = pod_infer_elementwise,
    [POD_OP_ERF] = pod_infer_elementwise,
    [POD_OP_ERF_INV] = pod_infer_elementwise,
    [POD_OP_FLOOR] = pod_infer_elementwise,
    [POD_OP_CEIL] = pod_infer_elementwise,
    [POD_OP_ROUND] = pod_infer_elementwise,
    [POD_OP_IS_FINITE] = pod_infer_elementwise,
    [POD_OP_NOT] = pod_infer_elementwise,
    [POD_OP_CONVERT] = pod_infer_convert,
    [POD_OP_BITCAST] = pod_infer_bitcast,
    [POD_OP_STOP_GRADIENT] = pod_infer_elementwise,
    [POD_OP_BARRIER] = pod_infer_elementwise,
    [POD_OP_CHECK] = pod_infer_check,
    [POD_OP_PRINT] = pod_infer_elementwise,
    [POD_OP_ADD] = pod_infer_elementwise,
    [POD_OP_SUBTRACT] = pod_infer_elementwise,
    [POD_OP_MULTIPLY] = pod_infer_elementwise,
    [POD_OP_DIVIDE] = pod_infer_elementwise,
    [POD_OP_REMAINDER] = pod_infer_elementwise,
    [POD_OP_POWER] = pod_infer_elementwise,
    [POD_OP_MAXIMUM] = pod_infer_elementwise,
    [POD_OP_MINIMUM] = pod_infer_elementwise,
    [POD_OP_ATAN2] = pod_infer_elementwise,
    [POD_OP_AND] = pod_infer_elementwise,
    [POD_OP_OR] = pod_infer_elementwise,
    [POD_OP_XOR] = pod_infer_elementwise,
    [POD_OP_SHIFT_LEFT] = pod_infer_elementwise,
    [POD_OP_SHIFT_RIGHT] = pod_infer_elementwise,
    [POD_OP_SHIFT_RIGHT_ARITHMETIC] = pod_infer_elementwise,
    [POD_OP_COMPARE] = pod_infer_compare,
    [POD_OP_SELECT] = pod_infer_select,
    [POD_OP_CLAMP] = pod_infer_elementwise,
    [POD_OP_RANDOM_BITS] = pod_infer_random_bits,
    [POD_OP_RESHAPE] = pod_infer_reshape,
    [POD_OP_TRANSPOSE] = pod_infer_transpose,
    [POD_OP_BROADCAST] = pod_infer_broadcast,
    [POD_OP_SLICE] = pod_infer_slice,
    [POD_OP_DYNAMIC_SLICE] = pod_infer_dynamic_slice,
    [POD_OP_DYNAMIC_UPDATE_SLICE] = pod_infer_dynamic_update_slice,
    [POD_OP_PAD] = pod_infer_pad,
    [POD_OP_CONCATENATE] = pod_infer_concatenate,
    [POD_OP_REVERSE] = pod_infer_reverse,
    [POD_OP_GATHER] = pod_infer_gather,
    [POD_OP_SCATTER] = pod_infer_scatter,
    [POD_OP_SORT] = pod_infer_sort,
    [POD_OP_TOP_K] = pod_infer_top_k,
    [POD_OP_DIMENSION_SIZE] = pod_infer_dimension_size,
    [POD_OP_REDUCE_SUM] = pod_infer_reduction,
    [POD_OP_REDUCE_PRODUCT] = pod_infer_reduction,
    [POD_OP_REDUCE_MAX] = pod_infer_reduction,
    [POD_OP_REDUCE_MIN] = pod_infer_reduction,
    [POD_OP_REDUCE_AND] = pod_infer_reduction,
    [POD_OP_REDUCE_OR] = pod_infer_reduction,
    [POD_OP_ARGMAX] = pod_infer_argument,
    [POD_OP_ARGMIN] = pod_infer_argument,
    [POD_OP_REDUCE] = pod_infer_reduce,
    [POD_OP_CUMULATIVE_SUM] = pod_infer_cumulative_sum,
    [POD_OP_DOT] = pod_infer_dot,
    [POD_OP_CONVOLUTION] = pod_infer_convolution,
    [POD_OP_CONVOLUTION_INPUT_GRADIENT] = pod_infer_convolution_input_gradient,
    [POD_OP_CONVOLUTION_KERNEL_GRADIENT] = pod_infer_convolution_kernel_gradient,
    [POD_OP_POOL_MAX] = pod_infer_pool,
    [POD_OP_POOL_MAX_GRADIENT] = pod_infer_pool_max_gradient,
    [POD_OP_POOL_MAX_SELECT] = pod_infer_pool_max_select,
    [POD_OP_POOL_SUM] = pod_infer_pool,
    [POD_OP_POOL_SUM_GRADIENT] = pod_infer_pool_sum_gradient,
    [POD_OP_CALL] = pod_infer_call,
    [POD_OP_COND] = pod_infer_cond,
    [POD_OP_WHILE] = pod_infer_while,
    [POD_OP_ALL_REDUCE] = pod_infer_all_reduce,
    [POD_OP_REDUCE_SCATTER] = pod_infer_reduce_scatter,
    [POD_OP_ALL_GATHER] = pod_infer_all_gather,
    [POD_OP_ALL_TO_ALL] = pod_infer_all_to_all,
    [POD_OP_COLLECTIVE_PERMUTE] = pod_infer_collective_permute,
    [POD_OP_REPLICA_ID] = pod_infer_leaf,
    [POD_OP_OPAQUE] = pod_infer_opaque,
};

pod_status pod_infer_fail(pod_infer *call, pod_status status, const char *format, ...)
{
    char text[POD_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (call->location)
        return pod_error_set(call->error, status, "%s: %s (%s)", pod_op_name(call->op), text,
                             call->location);
    return pod_error_set(call->error, status, "%s: %s", pod_op_name(call->op), text);
}

const pod_type *pod_infer_operand(const pod_infer *call, size_t index)
{
    return &call->inputs[index]->results[0];
}

const char *pod_type_format(const pod_type *type, char text[POD_TYPE_TEXT_SIZE])
{
    char shape[POD_SHAPE_TEXT_SIZE];
    snprintf(text, POD_TYPE_TEXT_SIZE, "%s %s", pod_dtype_name(type->dtype),
             pod_shape_format(&type->shape, shape));
    return text;
}

bool pod_type_equal(const pod_type *a, const pod_type *b)
{
    return a->dtype == b->dtype && pod_shape_equal(&a->shape, &b->shape);
}

/* ---- numbers of operands, regions and results ------------------------------------------------ */

/* The regions each op has: fewest and most. */
static const uint8_t region_counts[POD_OP_COUNT][2] = {
    [POD_OP_REDUCE] = {1, 1},
    [POD_OP_CALL] = {1, 2},
    [POD_OP_COND] = {2, 2},
    [POD_OP_WHILE] = {2, 2},
};

static pod_status check_operand(pod_infer *call, size_t index)
{
    const pod_node *node = call->inputs[index];
    if (!node)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "operand %zu is NULL", index);
    if (node->graph != call->graph)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT,
                              "operand %zu is a node of another graph ('%s'); pass it in as a "
                              "parameter",
                              index, node->graph->name);
    if (node->result_count != 1 && call->op != POD_OP_RESULT)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT,
                              "operand %zu is a %s with %u results; take one of them "
                              "(pod_graph_result)",
                              index, pod_op_name(node->op), node->result_count);
    return POD_OK;
}

static pod_status check_operands(pod_infer *call)
{
    int32_t operands = pod_op_get(call->op)->operands;
    if (operands >= 0 && call->input_count != (size_t)operands)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "it has %d operand%s, but %zu are given",
                              operands, operands == 1 ? "" : "s", call->input_count);
    if (call->input_count > POD_MAX_OPERANDS)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "%zu operands are given; %d are allowed",
                              call->input_count, POD_MAX_OPERANDS);
    for (size_t i = 0; i < call->input_count; i++) {
        pod_status status = check_operand(call, i);
        if (status != POD_OK)
            return status;
    }
    return POD_OK;
}

static pod_status check_region(pod_infer *call, size_t index)
{
    const pod_graph *region = call->regions[index];
    if (!region)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "region %zu is NULL", index);
    if (region == call->graph)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "region %zu is the graph that it would be put into", index);
    for (size_t i = 0; i < index; i++)
        if (call->regions[i] == region)
            return pod_infer_fail(call, POD_ERROR_ARGUMENT, "regions %zu and %zu are one graph; give a copy of it", i,
                                  index);
    if (region->error.status != POD_OK) /* its message names the place already */
        return pod_error_set(call->error, region->error.status, "in a region of %s: %s",
                             pod_op_name(call->op), region->error.message);
    if (region->depth + 1 >= POD_MAX_REGION_DEPTH)
        return pod_infer_fail(call, POD_ERROR_UNSUPPORTED,
                              "regions are nested more than %d deep; flatten the loops or conds",
                              POD_MAX_REGION_DEPTH);
    if (region->output_count == 0)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "region %zu has no output", index);
    return POD_OK;
}

static pod_status check_regions(pod_infer *call)
{
    const uint8_t *allowed = region_counts[call->op];
    if (call->region_count < allowed[0] || call->region_count > allowed[1])
        return pod_infer_fail(call, POD_ERROR_ARGUMENT,
                              "it has %d to %d regions, but %zu are given", allowed[0], allowed[1],
                              call->region_count);
    for (size_t i = 0; i < call->region_count; i++) {
        pod_status status = check_region(call, i);
        if (status != POD_OK)
            return status;
    }
    return POD_OK;
}

pod_status pod_infer_count(pod_infer *call)
{
    pod_status status = check_operands(call);
    if (status == POD_OK)
        status = check_regions(call);
    if (status != POD_OK)
        return status;
    int32_t results = pod_op_get(call->op)->results;
    if (results >= 0)
        call->result_count = (size_t)results;
    else if (call->op == POD_OP_SORT || call->op == POD_OP_WHILE)
        call->result_count = call->input_count;
    else if (call->op == POD_OP_OPAQUE)
        return pod_infer_opaque_count(call);
    else
        call->result_count = call->regions[0]->output_count;
    if (call->result_count == 0)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "it needs at least one operand");
    return POD_OK;
}

pod_status pod_infer_run(pod_infer *call)
{
    return rules[call->op](call);
}

/* ---- for the rules --------------------------------------------------------------------------- */

pod_status pod_infer_set(pod_infer *call, size_t index, pod_dtype dtype, const pod_shape *shape)
{
    char text[POD_SHAPE_TEXT_SIZE];
    if (dtype <= POD_DTYPE_NONE || dtype >= POD_DTYPE_END)
        return pod_infer_fail(call, POD_ERROR_DTYPE, "the type of the result is not given");
    if (shape->rank < 0 || shape->rank > POD_MAX_RANK)
        return pod_infer_fail(call, POD_ERROR_SHAPE,
                              "the result would have %d axes; at most %d are possible", shape->rank,
                              POD_MAX_RANK);
    int64_t elements = pod_shape_elements(shape), bytes;
    if (elements < 0 || __builtin_mul_overflow(elements, (int64_t)pod_dtype_size(dtype), &bytes))
        return pod_infer_fail(call, POD_ERROR_SHAPE,
                              "the result's shape %s has a negative size or more bytes than 63 "
                              "bits count",
                              pod_shape_format(shape, text));
    pod_type *result = &call->results[index];
    *result = (pod_type){.dtype = dtype, .shape = {.rank = shape->rank}};
    for (int32_t i = 0; i < shape->rank; i++)
        result->shape.dims[i] = shape->dims[i];
    return POD_OK;
}

pod_status pod_infer_axis(pod_infer *call, const char *what, int64_t axis, const pod_shape *shape)
{
    char text[POD_SHAPE_TEXT_SIZE];
    if (axis >= 0 && axis < shape->rank)
        return POD_OK;
    if (shape->rank == 0)
        return pod_infer_fail(call, POD_ERROR_SHAPE, "%s is %lld, but a scalar has no axes", what,
                              (long long)axis);
    return pod_infer_fail(call, POD_ERROR_SHAPE, "%s is %lld, but the axes of %s are 0 to %d", what,
                          (long long)axis, pod_shape_format(shape, text), shape->rank - 1);
}

pod_status pod_infer_axes(pod_infer *call, const char *what, const pod_axes *axes,
                          const pod_shape *shape, bool ascending)
{
    uint32_t seen = 0;
    if (axes->count < 0 || axes->count > POD_MAX_RANK)
        return pod_infer_fail(call, POD_ERROR_SHAPE, "%s lists %d axes; 0 to %d are possible", what,
                              axes->count, POD_MAX_RANK);
    for (int32_t i = 0; i < axes->count; i++) {
        int32_t axis = axes->axes[i];
        pod_status status = pod_infer_axis(call, what, axis, shape);
        if (status != POD_OK)
            return status;
        if (seen & 1u << axis)
            return pod_infer_fail(call, POD_ERROR_SHAPE, "%s lists axis %d twice", what, axis);
        if (ascending && i > 0 && axis < axes->axes[i - 1])
            return pod_infer_fail(call, POD_ERROR_SHAPE, "%s must be in ascending order", what);
        seen |= 1u << axis;
    }
    return POD_OK;
}

pod_status pod_infer_same_dtype(pod_infer *call, size_t a, size_t b)
{
    pod_dtype first = pod_infer_operand(call, a)->dtype, second = pod_infer_operand(call, b)->dtype;
    if (first == second)
        return POD_OK;
    return pod_infer_fail(call, POD_ERROR_DTYPE,
                          "operands %zu and %zu have different types, %s and %s; convert one", a, b,
                          pod_dtype_name(first), pod_dtype_name(second));
}

pod_status pod_infer_same_shape(pod_infer *call, size_t a, size_t b)
{
    char first[POD_SHAPE_TEXT_SIZE], second[POD_SHAPE_TEXT_SIZE];
    const pod_shape *x = &pod_infer_operand(call, a)->shape;
    const pod_shape *y = &pod_infer_operand(call, b)->shape;
    if (pod_shape_equal(x, y))
        return POD_OK;
    return pod_infer_fail(call, POD_ERROR_SHAPE,
                          "operands %zu and %zu have different shapes, %s and %s; broadcast or "
                          "reshape one",
                          a, b, pod_shape_format(x, first), pod_shape_format(y, second));
}

static pod_kinds kind_of(pod_dtype dtype)
{
    if (pod_dtype_is_float(dtype))
        return POD_KIND_FLOAT;
    return dtype == POD_BOOL ? POD_KIND_BOOL : POD_KIND_INTEGER;
}

pod_status pod_infer_kind(pod_infer *call, size_t index, pod_kinds kinds)
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
    if (kind_of(dtype) & kinds)
        return POD_OK;
    return pod_infer_fail(call, POD_ERROR_DTYPE, "operand %zu is %s, but must be %s; convert it",
                          index, pod_dtype_name(dtype), texts[kinds]);
}

pod_status pod_infer_result_dtype(pod_infer *call, pod_dtype *dtype)
{
    pod_dtype operand = pod_infer_operand(call, 0)->dtype;
    pod_dtype wanted = call->attributes->dtype;
    *dtype = operand;
    if (wanted == POD_DTYPE_NONE || wanted == operand) {
        call->attributes->dtype = POD_DTYPE_NONE;
        return POD_OK;
    }
    if (wanted < 0 || wanted >= POD_DTYPE_END || kind_of(wanted) != kind_of(operand))
        return pod_infer_fail(call, POD_ERROR_DTYPE,
                              "a result of type %s cannot be summed from %s; convert after",
                              wanted > 0 && wanted < POD_DTYPE_END ? pod_dtype_name(wanted) : "?",
                              pod_dtype_name(operand));
    *dtype = wanted;
    return POD_OK;
}
