/*
 * Where each op takes an axis that runs over a shard's rows. The same answers serve three ends:
 * growing that axis to the global batch (joined form), knowing which axes of a padded value have
 * padding (stacked form), and growing a value that is the same in every row.
 */

#include "replicate/replicate_plan.h"

static pod_axis_way way_cut(void)
{
    return (pod_axis_way){.fate = POD_AXIS_CUT};
}

static pod_axis_way way_reduced(void)
{
    return (pod_axis_way){.fate = POD_AXIS_REDUCED};
}

static pod_axis_way way_kept(int32_t axis, int64_t multiplier)
{
    return (pod_axis_way){.fate = POD_AXIS_KEPT, .axis = axis, .multiplier = multiplier};
}

static const pod_shape *shape_of(const pod_node *node)
{
    return &node->results[0].shape;
}

static const pod_shape *operand_shape(const pod_node *node, uint32_t operand)
{
    return &pod_node_type(node->inputs[operand])->shape;
}

static bool axes_contain(const pod_axes *axes, int32_t axis)
{
    for (int32_t i = 0; i < axes->count; i++)
        if (axes->axes[i] == axis)
            return true;
    return false;
}

/* Returns how many of the axes are less than `axis`. */
static int32_t axes_below(const pod_axes *axes, int32_t axis)
{
    int32_t count = 0;
    for (int32_t i = 0; i < axes->count; i++)
        count += axes->axes[i] < axis;
    return count;
}

static int32_t axes_find(const pod_axes *axes, int32_t axis)
{
    for (int32_t i = 0; i < axes->count; i++)
        if (axes->axes[i] == axis)
            return i;
    return -1;
}

pod_axis_way pod_axis_none(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    (void)node, (void)operand, (void)axis, (void)multiplier;
    return way_cut();
}

pod_axis_way pod_axis_elementwise(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    (void)node, (void)operand;
    return way_kept(axis, multiplier);
}

pod_axis_way pod_axis_check(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    (void)node;
    return operand == 0 ? way_kept(axis, multiplier) : way_cut();
}

pod_axis_way pod_axis_random(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    (void)node;
    return operand == 1 ? way_kept(axis, multiplier) : way_cut();
}

/* The rows must be the outermost part of some axis of the result, behind as many entries as before.
 * Several axes fit only where sizes are 1: the same place with the same multiplier comes first, then
 * the outermost, as an axis of rows times steps is divided more often than it gets one before it. */
pod_axis_way pod_axis_reshape(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    const pod_shape *from = operand_shape(node, operand), *to = shape_of(node);
    int64_t rows = from->dims[axis] / multiplier, outer = 1, prefix = 1;
    for (int32_t k = 0; k < axis; k++)
        outer *= from->dims[k];
    pod_axis_way best = way_cut();
    for (int32_t k = 0; k < to->rank && prefix <= outer; prefix *= to->dims[k++]) {
        if (prefix != outer || rows == 0 || to->dims[k] == 0 || to->dims[k] % rows != 0)
            continue;
        int64_t found = to->dims[k] / rows;
        bool same = k == axis && found == multiplier;
        if (best.fate == POD_AXIS_CUT || same)
            best = way_kept(k, found);
        if (same)
            break;
    }
    return best;
}

pod_axis_way pod_axis_transpose(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    (void)operand;
    return way_kept(axes_find(&node->attributes->axes, axis), multiplier);
}

pod_axis_way pod_axis_broadcast(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    int32_t to = node->attributes->axes.axes[axis];
    if (operand_shape(node, operand)->dims[axis] != shape_of(node)->dims[to])
        return way_cut();
    return way_kept(to, multiplier);
}

pod_axis_way pod_axis_slice(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    if (operand_shape(node, operand)->dims[axis] != shape_of(node)->dims[axis])
        return way_cut();
    return way_kept(axis, multiplier);
}

pod_axis_way pod_axis_dynamic_slice(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    return operand == 0 ? pod_axis_slice(node, operand, axis, multiplier) : way_cut();
}

pod_axis_way pod_axis_dynamic_update(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    if (operand > 1 || operand_shape(node, 1)->dims[axis] != shape_of(node)->dims[axis])
        return way_cut();
    return way_kept(axis, multiplier);
}

pod_axis_way pod_axis_pad(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    const pod_attributes *attributes = node->attributes;
    if (operand != 0 || attributes->low[axis] != 0 || attributes->high[axis] != 0 || attributes->step[axis] != 0)
        return way_cut();
    return way_kept(axis, multiplier);
}

pod_axis_way pod_axis_concatenate(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    (void)operand;
    if (axis == node->attributes->axis && node->input_count > 1)
        return way_cut();
    return way_kept(axis, multiplier);
}

pod_axis_way pod_axis_reverse(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    (void)operand;
    return axes_contain(&node->attributes->axes, axis) ? way_cut() : way_kept(axis, multiplier);
}

/* Result: x[:axis] + indices[count:] + x[axis + 1:]. Along the axis that is indexed the numbers
 * are those of the core's own rows, so the axis cannot grow; padding is never asked for. */
pod_axis_way pod_axis_gather(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    int32_t indexed = node->attributes->axis;
    int32_t count = (int32_t)node->attributes->count;
    if (operand == 1)
        return way_kept(axis < count ? axis : indexed + axis - count, multiplier);
    if (axis == indexed)
        return way_reduced();
    if (axis < indexed)
        return way_kept(axis, multiplier);
    return way_kept(axis + operand_shape(node, 1)->rank - count - 1, multiplier);
}

/* The places that indices and updates share are folded into x. */
pod_axis_way pod_axis_scatter(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    int32_t indexed = node->attributes->axis;
    int32_t count = (int32_t)node->attributes->count;
    int32_t index_axes = operand_shape(node, 1)->rank - count;
    if (operand == 0)
        return axis == indexed ? way_cut() : way_kept(axis, multiplier);
    if (operand == 1)
        return axis < count ? way_kept(axis, multiplier) : way_reduced();
    if (axis < indexed)
        return way_kept(axis, multiplier);
    if (axis < indexed + index_axes)
        return way_reduced();
    return way_kept(axis - index_axes + 1, multiplier);
}

pod_axis_way pod_axis_sort(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    (void)operand;
    return axis == node->attributes->axis ? way_cut() : way_kept(axis, multiplier);
}

pod_axis_way pod_axis_top_k(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    bool last = axis == operand_shape(node, operand)->rank - 1;
    return last ? way_cut() : way_kept(axis, multiplier);
}

pod_axis_way pod_axis_reduction(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    const pod_axes *axes = &node->attributes->axes;
    (void)operand;
    if (axes_contain(axes, axis))
        return way_reduced();
    return way_kept(axis - axes_below(axes, axis), multiplier);
}

pod_axis_way pod_axis_arg_reduction(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    (void)operand;
    if (axis == node->attributes->axis)
        return way_reduced();
    return way_kept(axis - (axis > node->attributes->axis), multiplier);
}

/* A region's fold has no known value that changes nothing. */
pod_axis_way pod_axis_region_reduction(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    pod_axis_way way = pod_axis_reduction(node, operand, axis, multiplier);
    return operand == 0 && way.fate == POD_AXIS_KEPT ? way : way_cut();
}

pod_axis_way pod_axis_cumulative(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    pod_axis_way way = way_kept(axis, multiplier);
    (void)operand;
    if (axis == node->attributes->axis)
        way.fate = POD_AXIS_LOCAL;
    return way;
}

pod_axis_way pod_axis_dot(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    const pod_attributes *attributes = node->attributes;
    const pod_axes *batch = operand == 0 ? &attributes->lhs_batch : &attributes->rhs_batch;
    const pod_axes *contract = operand == 0 ? &attributes->lhs_contract : &attributes->rhs_contract;
    int32_t place = axes_find(batch, axis);
    if (place >= 0)
        return way_kept(place, multiplier);
    if (axes_contain(contract, axis))
        return way_reduced();
    int32_t result = batch->count + axis - axes_below(batch, axis) - axes_below(contract, axis);
    if (operand == 1)
        result += operand_shape(node, 0)->rank - batch->count - contract->count;
    return way_kept(result, multiplier);
}

pod_axis_way pod_axis_convolution(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    (void)node;
    return operand == 0 && axis == 0 ? way_kept(0, multiplier) : way_cut();
}

pod_axis_way pod_axis_kernel_gradient(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    (void)node, (void)operand, (void)multiplier;
    return axis == 0 ? way_reduced() : way_cut();
}

pod_axis_way pod_axis_pool(const pod_node *node, uint32_t operand, int32_t axis, int64_t multiplier)
{
    bool outside = axis == 0 || axis == operand_shape(node, operand)->rank - 1;
    return outside ? way_kept(axis, multiplier) : way_cut();
}

static bool pair_of_dot(const pod_node *node, uint32_t operand, int32_t axis, int32_t *other_axis)
{
    const pod_attributes *attributes = node->attributes;
    const pod_axes *mine = operand == 0 ? &attributes->lhs_contract : &attributes->rhs_contract;
    const pod_axes *others = operand == 0 ? &attributes->rhs_contract : &attributes->lhs_contract;
    int32_t place = axes_find(mine, axis);
    if (place < 0)
        return false;
    *other_axis = others->axes[place];
    return true;
}

static bool pair_of_scatter(const pod_node *node, uint32_t operand, int32_t axis, uint32_t other, int32_t *other_axis)
{
    int32_t shift = node->attributes->axis - (int32_t)node->attributes->count;
    if (operand == 0 || other == 0)
        return false;
    *other_axis = operand == other ? axis : operand == 1 ? axis + shift : axis - shift;
    return true;
}

bool pod_replicate_axis_pair(const pod_node *node, uint32_t operand, int32_t axis, uint32_t other, int32_t *other_axis)
{
    if (operand == other) {
        *other_axis = axis;
        return true;
    }
    if (node->op == POD_OP_DOT)
        return pair_of_dot(node, operand, axis, other_axis);
    if (node->op == POD_OP_SCATTER)
        return pair_of_scatter(node, operand, axis, other, other_axis);
    *other_axis = axis;
    return node->op == POD_OP_CONVOLUTION_KERNEL_GRADIENT;
}
