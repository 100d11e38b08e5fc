#include "base/sizes.h"
#include "kernels/reference/families.h"
#include "kernels/reference/walk.h"
#include "kernels/reference/wide.h"

#include <string.h>

/* Bytes of a unit of a plain copy. */
#define COPY_UNIT 65536

/* ---- copies: reshape, bitcast, stop_gradient, with_rows, barrier
 * -------------------------------------------- */

static int64_t array_bytes(const pod_array *array)
{
    return pod_shape_elements(&array->shape) * (int64_t)pod_dtype_size(array->dtype);
}

static int64_t copy_units(const pod_kernel_call *call)
{
    return pod_part_count(array_bytes(&call->outputs[0]), COPY_UNIT);
}

static pod_status copy_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    int64_t bytes = array_bytes(&call->outputs[0]);
    int64_t first = begin * COPY_UNIT, last = end * COPY_UNIT < bytes ? end * COPY_UNIT : bytes;
    if (last > first)
        memcpy((char *)call->outputs[0].data + first, (const char *)call->inputs[0].data + first,
               (size_t)(last - first));
    return POD_OK;
}

/* ---- boxes: transpose, broadcast, slice, dynamic_slice, reverse
 * ---------------------------------- */

/* Makes the box that fills the result; strides of the source are 0. */
static pod_box result_box(const pod_kernel_call *call)
{
    const pod_shape *shape = &call->outputs[0].shape;
    pod_box box = {.element = pod_dtype_size(call->outputs[0].dtype), .rank = shape->rank};
    memcpy(box.dims, shape->dims, sizeof box.dims);
    pod_kernel_strides(shape, box.to);
    return box;
}

static void transpose_box(const pod_kernel_call *call, pod_box *box)
{
    int64_t strides[POD_MAX_RANK];
    pod_kernel_strides(&call->inputs[0].shape, strides);
    for (int axis = 0; axis < box->rank; axis++)
        box->from[axis] = strides[call->attributes->axes.axes[axis]];
}

static void broadcast_box(const pod_kernel_call *call, pod_box *box)
{
    const pod_shape *shape = &call->inputs[0].shape;
    int64_t strides[POD_MAX_RANK];
    pod_kernel_strides(shape, strides);
    for (int axis = 0; axis < shape->rank; axis++)
        box->from[call->attributes->axes.axes[axis]] = shape->dims[axis] == 1 ? 0 : strides[axis];
}

static void slice_box(const pod_kernel_call *call, pod_box *box)
{
    int64_t strides[POD_MAX_RANK];
    pod_kernel_strides(&call->inputs[0].shape, strides);
    for (int axis = 0; axis < box->rank; axis++) {
        int64_t step = call->attributes->step[axis];
        box->from[axis] = strides[axis] * (step > 0 ? step : 1);
        box->from_first += strides[axis] * call->attributes->low[axis];
    }
}

/* Returns the start along an axis that operand `input` gives, clamped to 0 .. size - part. Units
 * are counted before there is data; they do not depend on starts. */
static int64_t clamped_start(const pod_kernel_call *call, size_t input, int64_t size, int64_t part)
{
    const pod_array *array = &call->inputs[input];
    if (array->data == NULL)
        return 0;
    pod_wide value = pod_kernel_wide_load(array->dtype, array->data);
    bool is_signed = pod_kernel_wide_kind_of(array->dtype) == POD_WIDE_SIGNED;
    int64_t start = is_signed ? value.s : value.u > INT64_MAX ? INT64_MAX : (int64_t)value.u;
    start = start > size - part ? size - part : start;
    return start < 0 ? 0 : start;
}

static void dynamic_slice_box(const pod_kernel_call *call, pod_box *box)
{
    const pod_shape *shape = &call->inputs[0].shape;
    pod_kernel_strides(shape, box->from);
    for (int axis = 0; axis < box->rank; axis++)
        box->from_first += box->from[axis] * clamped_start(call, 1 + (size_t)axis, shape->dims[axis], box->dims[axis]);
}

static void reverse_box(const pod_kernel_call *call, pod_box *box)
{
    const pod_axes *axes = &call->attributes->axes;
    pod_kernel_strides(&call->inputs[0].shape, box->from);
    for (int i = 0; i < axes->count; i++) {
        int axis = axes->axes[i];
        box->from_first += (box->dims[axis] - 1) * box->from[axis];
        box->from[axis] = -box->from[axis];
    }
}

enum { TRANSPOSE, BROADCAST, SLICE, DYNAMIC_SLICE, REVERSE };

/* Each finds the source strides of each axis of the result and the source element that comes first. */
static void (*const box_makers[])(const pod_kernel_call *call, pod_box *box) = {
    [TRANSPOSE] = transpose_box,         [BROADCAST] = broadcast_box, [SLICE] = slice_box,
    [DYNAMIC_SLICE] = dynamic_slice_box, [REVERSE] = reverse_box,
};

static pod_box find_box(const pod_kernel_call *call)
{
    pod_box box = result_box(call);
    box_makers[call->form](call, &box);
    pod_kernel_box_simplify(&box);
    return box;
}

static int64_t box_units(const pod_kernel_call *call)
{
    const pod_box box = find_box(call);
    return pod_kernel_box_pieces(&box);
}

static pod_status box_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    const pod_box box = find_box(call);
    pod_kernel_box_copy(&box, call->outputs[0].data, call->inputs[0].data, begin, end);
    return POD_OK;
}

/* ---- concatenate ---------------------------------------------------------------------------------------- */

/* Makes the box of one operand. */
static pod_box concatenate_box(const pod_kernel_call *call, size_t input)
{
    pod_box box = result_box(call);
    int axis = call->attributes->axis;
    for (size_t before = 0; before < input; before++)
        box.to_first += call->inputs[before].shape.dims[axis] * box.to[axis];
    memcpy(box.dims, call->inputs[input].shape.dims, sizeof box.dims);
    pod_kernel_strides(&call->inputs[input].shape, box.from);
    pod_kernel_box_simplify(&box);
    return box;
}

static int64_t concatenate_units(const pod_kernel_call *call)
{
    int64_t units = 0;
    for (size_t input = 0; input < call->input_count; input++) {
        const pod_box box = concatenate_box(call, input);
        units += pod_kernel_box_pieces(&box);
    }
    return units;
}

static pod_status concatenate_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    int64_t first = 0;
    for (size_t input = 0; input < call->input_count && first < end; input++) {
        const pod_box box = concatenate_box(call, input);
        int64_t pieces = pod_kernel_box_pieces(&box);
        int64_t from = pod_larger(begin - first, 0), to = pod_smaller(end - first, pieces);
        if (from < to)
            pod_kernel_box_copy(&box, call->outputs[0].data, call->inputs[input].data, from, to);
        first += pieces;
    }
    return POD_OK;
}

/* ---- pad and dynamic_update_slice: line by line of the result
 * ------------------------------------- */

static int64_t line_length(const pod_shape *shape)
{
    return shape->rank > 0 ? shape->dims[shape->rank - 1] : 1;
}

/* Walks the first `rank` axes of the result, from place `begin` on. */
static pod_walk line_walk(const pod_shape *shape, int rank, int64_t begin)
{
    pod_walk walk = {0};
    for (int axis = 0; axis < rank; axis++)
        pod_kernel_walk_add(&walk, shape->dims[axis], 0, 0, 0);
    pod_kernel_walk_seek(&walk, begin);
    return walk;
}

/* A line of a pad is the last axis that is padded, with all axes inside it. */
static int padded_axis(const pod_kernel_call *call)
{
    const pod_attributes *attributes = call->attributes;
    int axis = call->outputs[0].shape.rank - 1;
    while (axis > 0 && attributes->low[axis] == 0 && attributes->high[axis] == 0 && attributes->step[axis] == 0)
        axis--;
    return axis;
}

static int64_t pad_units(const pod_kernel_call *call)
{
    const pod_shape *shape = &call->outputs[0].shape;
    if (pod_shape_elements(shape) == 0)
        return 0;
    return pod_kernel_dims_product(shape, 0, padded_axis(call));
}

/* Finds the source index that pads to `index`; false for padding. */
static bool pad_source(const pod_kernel_call *call, int axis, int64_t index, int64_t *source)
{
    int64_t period = call->attributes->step[axis] + 1;
    int64_t place = index - call->attributes->low[axis];
    if (place < 0 || place % period != 0)
        return false;
    *source = place / period;
    return *source < call->inputs[0].shape.dims[axis];
}

/* Copies a source line to its places in a result line that is padding so far. Both have `inner`
 * elements at each place of the axis. */
static void pad_line(const pod_kernel_call *call, int axis, int64_t inner, char *to, const char *from)
{
    int64_t element = (int64_t)pod_dtype_size(call->outputs[0].dtype);
    int64_t low = call->attributes->low[axis], period = call->attributes->step[axis] + 1;
    int64_t size = call->inputs[0].shape.dims[axis], length = call->outputs[0].shape.dims[axis];
    int64_t first = low >= 0 ? 0 : pod_part_count(-low, period);
    int64_t last = length <= low ? 0 : pod_part_count(length - low, period);
    last = last < size ? last : size;
    if (first >= last)
        return;
    to += (low + first * period) * inner * element;
    from += first * inner * element;
    if (period == 1 || inner == 1) {
        pod_kernel_line_copy((size_t)element, to, period, from, 1, (last - first) * inner);
        return;
    }
    for (int64_t i = 0; i < last - first; i++)
        memcpy(to + i * period * inner * element, from + i * inner * element, (size_t)(inner * element));
}

static pod_status pad_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    const pod_array *x = &call->inputs[0];
    const pod_shape *shape = &call->outputs[0].shape;
    size_t element = pod_dtype_size(x->dtype);
    if (shape->rank == 0) {
        memcpy(call->outputs[0].data, x->data, element);
        return POD_OK;
    }
    int line_axis = padded_axis(call);
    int64_t strides[POD_MAX_RANK] = {0};
    int64_t inner = pod_kernel_dims_product(shape, line_axis + 1, shape->rank);
    int64_t length = shape->dims[line_axis] * inner;
    pod_kernel_strides(&x->shape, strides);
    pod_walk walk = line_walk(shape, line_axis, begin);
    for (int64_t line = begin; line < end; line++, pod_kernel_walk_next(&walk)) {
        char *to = pod_kernel_array_at(&call->outputs[0], line * length);
        int64_t offset = 0, source = 0;
        bool inside = true;
        for (int axis = 0; axis < line_axis && inside; axis++) {
            inside = pad_source(call, axis, walk.index[axis], &source);
            offset += source * strides[axis];
        }
        pod_kernel_line_copy(element, to, 1, call->inputs[1].data, 0, length);
        if (inside)
            pad_line(call, line_axis, inner, to, pod_kernel_array_at(x, offset));
    }
    return POD_OK;
}

static int64_t update_units(const pod_kernel_call *call)
{
    const pod_shape *shape = &call->outputs[0].shape;
    return line_length(shape) == 0 ? 0 : pod_kernel_dims_product(shape, 0, shape->rank - 1);
}

/* The result may lie where x does. */
static pod_status dynamic_update_slice_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    const pod_array *x = &call->inputs[0], *update = &call->inputs[1];
    size_t element = pod_dtype_size(x->dtype);
    int64_t starts[POD_MAX_RANK] = {0}, strides[POD_MAX_RANK] = {0};
    int64_t length = line_length(&x->shape);
    int rank = x->shape.rank;
    pod_kernel_strides(&update->shape, strides);
    for (int axis = 0; axis < rank; axis++)
        starts[axis] = clamped_start(call, 2 + (size_t)axis, x->shape.dims[axis], update->shape.dims[axis]);
    pod_walk walk = line_walk(&x->shape, rank - 1, begin);
    for (int64_t line = begin; line < end; line++, pod_kernel_walk_next(&walk)) {
        char *to = pod_kernel_array_at(&call->outputs[0], line * length);
        int64_t offset = 0;
        bool inside = true;
        for (int axis = 0; axis < walk.rank; axis++) {
            int64_t place = walk.index[axis] - starts[axis];
            inside = inside && place >= 0 && place < update->shape.dims[axis];
            offset += place * strides[axis];
        }
        if (call->outputs[0].data != x->data)
            memcpy(to, pod_kernel_array_at(x, line * length), (size_t)length * element);
        if (inside)
            memcpy(to + starts[rank > 0 ? rank - 1 : 0] * (int64_t)element, pod_kernel_array_at(update, offset),
                   (size_t)line_length(&update->shape) * element);
    }
    return POD_OK;
}

const pod_named_kernel pod_reference_movement[] = {
    {"reshape", NULL, {copy_units, copy_run, NULL, 0}},
    {"bitcast", NULL, {copy_units, copy_run, NULL, 0}},
    {"stop_gradient", NULL, {copy_units, copy_run, NULL, 0}},
    {"with_rows", NULL, {copy_units, copy_run, NULL, 0}},
    {"barrier", NULL, {copy_units, copy_run, NULL, 0}},
    {"transpose", NULL, {box_units, box_run, NULL, TRANSPOSE}},
    {"broadcast", NULL, {box_units, box_run, NULL, BROADCAST}},
    {"slice", NULL, {box_units, box_run, NULL, SLICE}},
    {"dynamic_slice", NULL, {box_units, box_run, NULL, DYNAMIC_SLICE}},
    {"reverse", NULL, {box_units, box_run, NULL, REVERSE}},
    {"concatenate", NULL, {concatenate_units, concatenate_run, NULL, 0}},
    {"pad", NULL, {pad_units, pad_run, NULL, 0}},
    {"dynamic_update_slice", NULL, {update_units, dynamic_update_slice_run, NULL, 0}},
    {.op = NULL},
};
