#include "graph/op_rules.h"

#include "base/checked.h"

/* slice, dynamic_slice, dynamic_update_slice and pad. */

/* Clears the ranges of axes that there are not, so that equal nodes have equal attributes. */
static void clear_ranges(pod_attributes *attributes, int32_t rank)
{
    for (int32_t i = rank; i < POD_MAX_RANK; i++)
        attributes->low[i] = attributes->high[i] = attributes->step[i] = 0;
}

static bool slice_axis(pod_infer *call, int32_t axis, const pod_shape *from, int64_t *size)
{
    char text[POD_SHAPE_TEXT_SIZE];
    int64_t low = call->attributes->low[axis], high = call->attributes->high[axis];
    int64_t step = call->attributes->step[axis];
    if (step < 1)
        return pod_infer_fail(call, POD_ERROR_SHAPE,
                              "the step of axis %d is %lld; it must be 1 or more (reverse the "
                              "operand to go backwards)",
                              axis, (long long)step);
    if (low < 0 || low > high || high > from->dims[axis])
        return pod_infer_fail(call, POD_ERROR_SHAPE,
                              "axis %d of %s cannot be cut from %lld to %lld; 0 <= low <= high "
                              "<= %lld must hold",
                              axis, pod_shape_format(from, text), (long long)low, (long long)high,
                              (long long)from->dims[axis]);
    *size = (high - low) / step + ((high - low) % step != 0);
    if (step > high - low) /* one element at most: so no product of steps overflows */
        call->attributes->step[axis] = high > low ? high - low : 1;
    return true;
}

bool pod_infer_slice(pod_infer *call)
{
    const pod_type *x = pod_infer_operand(call, 0);
    pod_shape shape = {.rank = x->shape.rank};
    clear_ranges(call->attributes, shape.rank);
    for (int32_t i = 0; i < shape.rank; i++) {
        if (call->attributes->step[i] == 0) /* not given */
            call->attributes->step[i] = 1;
        if (!slice_axis(call, i, &x->shape, &shape.dims[i]))
            return false;
    }
    return pod_infer_set(call, 0, x->dtype, &shape);
}

/* Operands `first` and up are one scalar s32 for each axis of x. */
static bool check_starts(pod_infer *call, size_t first)
{
    char text[POD_TYPE_TEXT_SIZE];
    const pod_shape *shape = &pod_infer_operand(call, 0)->shape;
    if (call->input_count != first + (size_t)shape->rank)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "%s has %d axes; give one start for each, not %zu",
                              pod_shape_format(shape, text), shape->rank, call->input_count - first);
    for (size_t i = first; i < call->input_count; i++) {
        const pod_type *start = pod_infer_operand(call, i);
        if (start->dtype != POD_S32 || start->shape.rank != 0)
            return pod_infer_fail(call, POD_ERROR_DTYPE, "the start of axis %zu must be an int32 scalar; it is %s",
                                  i - first, pod_graph_type_format(start, text));
    }
    return true;
}

/* A part must have x's rank and fit into x. */
static bool check_fits(pod_infer *call, const pod_shape *part, const pod_shape *whole)
{
    char small[POD_SHAPE_TEXT_SIZE], large[POD_SHAPE_TEXT_SIZE];
    bool fits = part->rank == whole->rank;
    for (int32_t i = 0; fits && i < part->rank; i++)
        fits = part->dims[i] >= 0 && part->dims[i] <= whole->dims[i];
    if (fits)
        return true;
    return pod_infer_fail(call, POD_ERROR_SHAPE, "a part of shape %s does not lie in %s", pod_shape_format(part, small),
                          pod_shape_format(whole, large));
}

bool pod_infer_dynamic_slice(pod_infer *call)
{
    if (call->input_count == 0)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "operands are x and a start for each axis");
    const pod_type *x = pod_infer_operand(call, 0);
    return check_starts(call, 1) && check_fits(call, &call->attributes->shape, &x->shape) &&
           pod_infer_set(call, 0, x->dtype, &call->attributes->shape);
}

bool pod_infer_dynamic_update_slice(pod_infer *call)
{
    if (call->input_count < 2)
        return pod_infer_fail(call, POD_ERROR_ARGUMENT, "operands are x, the update and a start for each axis");
    const pod_type *x = pod_infer_operand(call, 0);
    return pod_infer_same_dtype(call, 0, 1) && check_starts(call, 2) &&
           check_fits(call, &pod_infer_operand(call, 1)->shape, &x->shape) &&
           pod_infer_set(call, 0, x->dtype, &x->shape);
}

/* What is padded with or cut off is far below this, so that sums of it and of sizes do not overflow. */
#define MOST_PADDING ((int64_t)1 << 48)

static bool is_padding(int64_t amount)
{
    return amount >= -MOST_PADDING && amount <= MOST_PADDING;
}

static bool pad_axis(pod_infer *call, int32_t axis, int64_t size, int64_t *padded)
{
    const pod_attributes *attributes = call->attributes;
    int64_t inner = attributes->step[axis], gaps, total;
    if (inner < 0)
        return pod_infer_fail(call, POD_ERROR_SHAPE, "the inner padding of axis %d is %lld; it cannot be negative",
                              axis, (long long)inner);
    if (!is_padding(attributes->low[axis]) || !is_padding(attributes->high[axis]) || !is_padding(inner))
        return pod_infer_fail(call, POD_ERROR_SHAPE,
                              "axis %d is padded by %lld and %lld, %lld within; at most 2^48 are possible", axis,
                              (long long)attributes->low[axis], (long long)attributes->high[axis], (long long)inner);
    bool overflow = pod_multiply_overflows(size > 0 ? size - 1 : 0, inner, &gaps);
    overflow |= pod_add_overflows(size, gaps, &total);
    overflow |= pod_add_overflows(total, attributes->low[axis], &total);
    overflow |= pod_add_overflows(total, attributes->high[axis], &total);
    if (overflow || total < 0)
        return pod_infer_fail(call, POD_ERROR_SHAPE,
                              "padding axis %d of size %lld by %lld and %lld leaves no valid size", axis,
                              (long long)size, (long long)attributes->low[axis], (long long)attributes->high[axis]);
    *padded = total;
    return true;
}

bool pod_infer_pad(pod_infer *call)
{
    char text[POD_TYPE_TEXT_SIZE];
    const pod_type *x = pod_infer_operand(call, 0), *value = pod_infer_operand(call, 1);
    if (!pod_infer_same_dtype(call, 0, 1))
        return false;
    if (value->shape.rank != 0)
        return pod_infer_fail(call, POD_ERROR_SHAPE, "what is padded with must be a scalar; it is %s",
                              pod_graph_type_format(value, text));
    pod_shape shape = {.rank = x->shape.rank};
    clear_ranges(call->attributes, shape.rank);
    for (int32_t i = 0; i < shape.rank; i++) {
        if (!pad_axis(call, i, x->shape.dims[i], &shape.dims[i]))
            return false;
    }
    return pod_infer_set(call, 0, x->dtype, &shape);
}
