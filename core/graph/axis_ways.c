#include "graph/axis_ways.h"

/* What the rules below return besides an axis of the result. */
enum { CUT = -1, REDUCED = -2 };

static int32_t axes_find(const pod_axes *axes, int32_t axis)
{
    for (int32_t i = 0; i < axes->count; i++)
        if (axes->axes[i] == axis)
            return i;
    return -1;
}

/* Returns how many of the axes are less than `axis`. */
static int32_t axes_below(const pod_axes *axes, int32_t axis)
{
    int32_t count = 0;
    for (int32_t i = 0; i < axes->count; i++)
        count += axes->axes[i] < axis;
    return count;
}

/* The rows must be the outermost part of some axis of the result, behind as many entries as before.
 * Several axes fit only where sizes are 1: the same place with the same multiplier comes first, then
 * the outermost, as an axis of rows times steps is divided more often than it gets one before it. */
static pod_axis_way way_of_reshape(const pod_op_sizes *sizes, int32_t axis, int64_t multiplier)
{
    const pod_shape *from = sizes->first, *to = sizes->result;
    int64_t rows = from->dims[axis] / multiplier, outer = 1, prefix = 1;
    for (int32_t k = 0; k < axis; k++)
        outer *= from->dims[k];
    pod_axis_way best = {.fate = POD_AXIS_CUT};
    for (int32_t k = 0; k < to->rank && prefix <= outer; prefix *= to->dims[k++]) {
        if (prefix != outer || rows == 0 || to->dims[k] == 0 || to->dims[k] % rows != 0)
            continue;
        int64_t found = to->dims[k] / rows;
        bool same = k == axis && found == multiplier;
        if (best.fate == POD_AXIS_CUT || same)
            best = (pod_axis_way){POD_AXIS_KEPT, k, found};
        if (same)
            break;
    }
    return best;
}

/* Result: x[:axis] + indices[count:] + x[axis + 1:]. Along the axis that is indexed the numbers
 * are those of the core's own rows, so the axis cannot grow; padding is never asked for. */
static int32_t axis_of_gather(const pod_op_sizes *sizes, uint32_t operand, int32_t axis)
{
    int32_t indexed = sizes->attributes->axis, count = (int32_t)sizes->attributes->count;
    if (operand == 1)
        return axis < count ? axis : indexed + axis - count;
    if (axis == indexed)
        return REDUCED;
    return axis < indexed ? axis : axis + sizes->second->rank - count - 1;
}

/* The places that indices and updates share are folded into x. */
static int32_t axis_of_scatter(const pod_op_sizes *sizes, uint32_t operand, int32_t axis)
{
    int32_t indexed = sizes->attributes->axis, count = (int32_t)sizes->attributes->count;
    int32_t index_axes = sizes->second->rank - count;
    if (operand == 0)
        return axis == indexed ? CUT : axis;
    if (operand == 1)
        return axis < count ? axis : REDUCED;
    if (axis < indexed)
        return axis;
    return axis < indexed + index_axes ? REDUCED : axis - index_axes + 1;
}

static int32_t axis_of_dot(const pod_op_sizes *sizes, uint32_t operand, int32_t axis)
{
    const pod_attributes *a = sizes->attributes;
    const pod_axes *batch = operand == 0 ? &a->lhs_batch : &a->rhs_batch;
    const pod_axes *contract = operand == 0 ? &a->lhs_contract : &a->rhs_contract;
    int32_t place = axes_find(batch, axis);
    if (place >= 0)
        return place;
    if (axes_find(contract, axis) >= 0)
        return REDUCED;
    int32_t before = operand == 0 ? 0 : sizes->first->rank - batch->count - contract->count;
    return batch->count + before + axis - axes_below(batch, axis) - axes_below(contract, axis);
}

/* Ops that take each element from one place. */
static int32_t axis_of_move(const pod_op_sizes *sizes, uint32_t operand, int32_t axis)
{
    const pod_attributes *a = sizes->attributes;
    const int64_t size = sizes->result->dims[axis < sizes->result->rank ? axis : 0];
    switch (sizes->op) {
    case POD_OP_TRANSPOSE:
        return axes_find(&a->axes, axis);
    case POD_OP_BROADCAST:
        return sizes->first->dims[axis] == sizes->result->dims[a->axes.axes[axis]] ? a->axes.axes[axis] : CUT;
    case POD_OP_SLICE:
    case POD_OP_DYNAMIC_SLICE:
        return operand == 0 && sizes->first->dims[axis] == size ? axis : CUT;
    case POD_OP_DYNAMIC_UPDATE_SLICE:
        return operand < 2 && sizes->second->dims[axis] == size ? axis : CUT;
    case POD_OP_PAD:
        return operand == 0 && a->low[axis] == 0 && a->high[axis] == 0 && a->step[axis] == 0 ? axis : CUT;
    case POD_OP_CONCATENATE:
        return axis == a->axis && sizes->input_count > 1 ? CUT : axis;
    case POD_OP_REVERSE:
        return axes_find(&a->axes, axis) >= 0 ? CUT : axis;
    case POD_OP_GATHER:
        return axis_of_gather(sizes, operand, axis);
    case POD_OP_SORT:
        return axis == a->axis ? CUT : axis;
    case POD_OP_TOP_K:
        return axis == sizes->first->rank - 1 ? CUT : axis;
    case POD_OP_BARRIER:
    case POD_OP_WITH_ROWS:
    case POD_OP_PRINT:
    case POD_OP_ALL_REDUCE:
        return axis;
    case POD_OP_CHECK:
        return operand == 0 ? axis : CUT;
    case POD_OP_RANDOM_BITS: /* operand 1 gives the shape */
        return operand == 1 ? axis : CUT;
    default:
        return CUT;
    }
}

/* Ops that fold elements, and all others. */
static int32_t axis_of(const pod_op_sizes *sizes, uint32_t operand, int32_t axis)
{
    const pod_attributes *a = sizes->attributes;
    const bool listed = axes_find(&a->axes, axis) >= 0;
    switch (sizes->op) {
    case POD_OP_REDUCE_SUM:
    case POD_OP_REDUCE_PRODUCT:
    case POD_OP_REDUCE_MAX:
    case POD_OP_REDUCE_MIN:
    case POD_OP_REDUCE_AND:
    case POD_OP_REDUCE_OR:
        return listed ? REDUCED : axis - axes_below(&a->axes, axis);
    case POD_OP_REDUCE: /* a region's fold has no known value that changes nothing */
        return operand != 0 || listed ? CUT : axis - axes_below(&a->axes, axis);
    case POD_OP_ARGMAX:
    case POD_OP_ARGMIN:
        return axis == a->axis ? REDUCED : axis - (axis > a->axis);
    case POD_OP_CUMULATIVE_SUM:
        return axis;
    case POD_OP_SCATTER:
        return axis_of_scatter(sizes, operand, axis);
    case POD_OP_DOT:
        return axis_of_dot(sizes, operand, axis);
    case POD_OP_CONVOLUTION:
    case POD_OP_CONVOLUTION_INPUT_GRADIENT:
        return operand == 0 && axis == 0 ? 0 : CUT;
    case POD_OP_CONVOLUTION_KERNEL_GRADIENT:
        return axis == 0 ? REDUCED : CUT;
    case POD_OP_POOL_MAX:
    case POD_OP_POOL_MAX_GRADIENT:
    case POD_OP_POOL_MAX_SELECT:
    case POD_OP_POOL_SUM:
    case POD_OP_POOL_SUM_GRADIENT:
        return axis == 0 || axis == sizes->result->rank - 1 ? axis : CUT;
    default:
        return pod_op_is_elementwise(sizes->op) ? axis : axis_of_move(sizes, operand, axis);
    }
}

pod_axis_way pod_op_axis_way(const pod_op_sizes *sizes, uint32_t operand, int32_t axis, int64_t multiplier)
{
    if (sizes->op == POD_OP_RESHAPE)
        return way_of_reshape(sizes, axis, multiplier);
    int32_t to = axis_of(sizes, operand, axis);
    if (to < 0)
        return (pod_axis_way){.fate = to == REDUCED ? POD_AXIS_REDUCED : POD_AXIS_CUT};
    bool local = sizes->op == POD_OP_CUMULATIVE_SUM && axis == sizes->attributes->axis;
    return (pod_axis_way){local ? POD_AXIS_LOCAL : POD_AXIS_KEPT, to, multiplier};
}

bool pod_op_axis_pair(pod_op op, const pod_attributes *attributes, uint32_t operand, int32_t axis, uint32_t other,
                      int32_t *other_axis)
{
    *other_axis = axis;
    if (operand == other)
        return true;
    if (op == POD_OP_SCATTER) {
        int32_t shift = attributes->axis - (int32_t)attributes->count;
        *other_axis = operand == 1 ? axis + shift : axis - shift;
        return operand != 0 && other != 0;
    }
    if (op == POD_OP_CONVOLUTION || op == POD_OP_CONVOLUTION_INPUT_GRADIENT) {
        const int32_t last = attributes->window.rank + 1; /* channels, of a kernel the filters */
        const int32_t summed[2] = {last, op == POD_OP_CONVOLUTION ? last - 1 : last};
        *other_axis = summed[other];
        return axis == summed[operand];
    }
    if (op != POD_OP_DOT)
        return op == POD_OP_CONVOLUTION_KERNEL_GRADIENT;
    const pod_axes *mine = operand == 0 ? &attributes->lhs_contract : &attributes->rhs_contract;
    const pod_axes *others = operand == 0 ? &attributes->rhs_contract : &attributes->lhs_contract;
    int32_t place = axes_find(mine, axis);
    if (place >= 0)
        *other_axis = others->axes[place];
    return place >= 0;
}
