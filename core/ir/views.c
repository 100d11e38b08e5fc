/* views - see views.h. */

#include "ir/views.h"

#include "kernels/kernels.h"

#include <assert.h>

pod_view pod_ir_view_dense(pod_ref base, const pod_shape *shape)
{
    pod_view view = {.base = base, .shape = *shape};
    int64_t stride = 1;
    for (int32_t i = shape->rank - 1; i >= 0; i--) {
        view.strides[i] = stride;
        stride *= shape->dims[i];
    }
    return view;
}

bool pod_ir_view_is_dense(const pod_view *view)
{
    int64_t stride = 1;
    for (int32_t i = view->shape.rank - 1; i >= 0; i--) {
        if (view->shape.dims[i] != 1 && view->strides[i] != stride)
            return false;
        stride *= view->shape.dims[i];
    }
    return view->offset == 0;
}

pod_view pod_ir_view_collapse(const pod_view *view)
{
    pod_view made = {.base = view->base, .counts = view->counts, .offset = view->offset};
    for (int32_t i = 0; i < view->shape.rank; i++) {
        int64_t size = view->shape.dims[i], stride = view->strides[i];
        if (size == 1)
            continue;
        int32_t last = made.shape.rank - 1;
        if (last >= 0 && made.strides[last] == stride * size) {
            made.shape.dims[last] *= size;
            made.strides[last] = stride;
            continue;
        }
        made.shape.dims[made.shape.rank] = size;
        made.strides[made.shape.rank++] = stride;
    }
    return made;
}

/* Cuts the collapsed axes into those of the new shape, from the innermost on. */
bool pod_ir_view_reshape(pod_view *view, const pod_shape *shape)
{
    assert(pod_shape_elements(&view->shape) == pod_shape_elements(shape));
    pod_view from = pod_ir_view_collapse(view);
    pod_view to = {.base = view->base, .counts = view->counts, .offset = view->offset};
    int32_t axis = from.shape.rank - 1;
    int64_t left = axis >= 0 ? from.shape.dims[axis] : 1;
    int64_t stride = axis >= 0 ? from.strides[axis] : 1;
    to.shape = *shape;
    for (int32_t i = shape->rank - 1; i >= 0; i--) {
        int64_t size = shape->dims[i];
        if (size == 1)
            continue;
        if (left == 1 && axis > 0) {
            left = from.shape.dims[--axis];
            stride = from.strides[axis];
        }
        if (size == 0 || left % size != 0)
            return false;
        to.strides[i] = stride;
        stride *= size;
        left /= size;
    }
    if (left != 1 || axis > 0)
        return false;
    *view = to;
    return true;
}

static void transpose(const pod_ir_node *node, const pod_view *from, pod_view *to)
{
    assert(from->shape.rank == to->shape.rank);
    for (int32_t i = 0; i < to->shape.rank; i++)
        to->strides[i] = from->strides[node->attributes->axes.axes[i]];
}

static void broadcast(const pod_ir_node *node, const pod_view *from, pod_view *to)
{
    const pod_axes *axes = &node->attributes->axes;
    for (int32_t i = 0; i < to->shape.rank; i++)
        to->strides[i] = 0;
    assert(axes->count == from->shape.rank);
    for (int32_t i = 0; i < axes->count; i++)
        if (from->shape.dims[i] != 1)
            to->strides[axes->axes[i]] = from->strides[i];
}

static void slice(const pod_ir_node *node, const pod_view *from, pod_view *to)
{
    assert(from->shape.rank == to->shape.rank);
    for (int32_t i = 0; i < to->shape.rank; i++) {
        to->offset += node->attributes->low[i] * from->strides[i];
        to->strides[i] = from->strides[i] * node->attributes->step[i];
    }
}

static void reverse(const pod_ir_node *node, const pod_view *from, pod_view *to)
{
    for (int32_t i = 0; i < to->shape.rank; i++)
        to->strides[i] = from->strides[i];
    for (int32_t i = 0; i < node->attributes->axes.count; i++) {
        int32_t axis = node->attributes->axes.axes[i];
        to->offset += (from->shape.dims[axis] - 1) * from->strides[axis];
        to->strides[axis] = -from->strides[axis];
    }
}

bool pod_ir_view_widens(pod_dtype from, pod_dtype to)
{
    if (from == to)
        return true;
    if (to == POD_BOOL || pod_kernel_class_of(from) != pod_kernel_class_of(to))
        return false;
    bool sixteen = pod_dtype_is_float(from) && pod_dtype_size(to) == 2; /* bf16 and f16 */
    return !sixteen && pod_dtype_size(to) >= pod_dtype_size(from);
}

bool pod_ir_view_apply(const pod_ir *ir, const pod_ir_node *node, const pod_view *operand, pod_view *view)
{
    const pod_ir_value *value = &ir->values[node->value_first];
    assert(pod_shape_equal(&operand->shape, ir->values[pod_ir_inputs(ir, node)[0]].shape));
    *view =
        (pod_view){.base = operand->base, .counts = operand->counts, .offset = operand->offset, .shape = *value->shape};
    switch (node->op) {
    case POD_OP_RESHAPE:
        *view = *operand;
        return pod_ir_view_reshape(view, value->shape);
    case POD_OP_TRANSPOSE:
        transpose(node, operand, view);
        return true;
    case POD_OP_BROADCAST:
        broadcast(node, operand, view);
        return true;
    case POD_OP_SLICE:
        slice(node, operand, view);
        return true;
    case POD_OP_REVERSE:
        reverse(node, operand, view);
        return true;
    case POD_OP_CONVERT: {
        *view = *operand;
        const pod_ref from = pod_ir_inputs(ir, node)[0];
        if (ir->values[from].dtype == value->dtype && pod_ir_is_wide(ir, from))
            return false; /* it rounds */
        return pod_ir_view_widens(ir->values[from].dtype, value->dtype);
    }
    default:
        return false;
    }
}
