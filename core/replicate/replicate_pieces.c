/* The small pieces that rules build with. What would change nothing is not emitted. */

#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "replicate/replicate_emit.h"

pod_node *pod_replicate_emit_op(pod_emitter *emitter, pod_op op, pod_node *const *inputs, size_t count,
                                const pod_attributes *attributes)
{
    return pod_graph_apply(emitter->graph, op, inputs, count, attributes, NULL, 0);
}

/* Least and greatest integers of a type, as bits. */
static uint64_t integer_limit(pod_dtype dtype, bool highest)
{
    bool is_signed = dtype == POD_S8 || dtype == POD_S16 || dtype == POD_S32 || dtype == POD_S64;
    size_t bits = 8 * pod_dtype_size(dtype);
    uint64_t all = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    if (!is_signed)
        return highest ? all : 0;
    return highest ? all >> 1 : (uint64_t)1 << (bits - 1);
}

static pod_node *fill_with_bits(pod_emitter *emitter, pod_dtype dtype, const pod_shape *shape, uint64_t bits)
{
    uint8_t element[sizeof bits];
    pod_put_little_u64(element, bits);
    pod_attributes attributes = {.dtype = dtype, .shape = *shape, .flag = true, .data = element};
    return pod_replicate_emit_op(emitter, POD_OP_CONSTANT, NULL, 0, &attributes);
}

pod_node *pod_replicate_emit_fill(pod_emitter *emitter, pod_dtype dtype, const pod_shape *shape, pod_fill fill)
{
    bool highest = fill == POD_FILL_HIGHEST;
    if (fill == POD_FILL_ZERO || fill == POD_FILL_ONE)
        return pod_graph_scalar(emitter->graph, dtype, fill == POD_FILL_ONE, shape);
    if (pod_dtype_is_float(dtype))
        return pod_graph_scalar(emitter->graph, dtype, highest ? INFINITY : -INFINITY, shape);
    if (dtype == POD_BOOL)
        return pod_graph_scalar(emitter->graph, dtype, highest, shape);
    return fill_with_bits(emitter, dtype, shape, integer_limit(dtype, highest));
}

pod_node *pod_replicate_emit_number(pod_emitter *emitter, pod_dtype dtype, const pod_shape *shape, int64_t value)
{
    if (dtype == POD_S64 || dtype == POD_U64)
        return fill_with_bits(emitter, dtype, shape, (uint64_t)value);
    return pod_graph_scalar(emitter->graph, dtype, (double)value, shape);
}

pod_node *pod_replicate_emit_broadcast(pod_emitter *emitter, pod_node *x, const pod_shape *shape, const int32_t *axes)
{
    pod_attributes attributes = {.shape = *shape};
    if (pod_shape_equal(pod_node_shape(x, 0), shape))
        return x;
    attributes.axes.count = pod_node_shape(x, 0)->rank;
    for (int32_t k = 0; k < attributes.axes.count; k++)
        attributes.axes.axes[k] = axes[k];
    return pod_replicate_emit_op(emitter, POD_OP_BROADCAST, &x, 1, &attributes);
}

pod_node *pod_replicate_emit_slice(pod_emitter *emitter, pod_node *x, int32_t axis, int64_t low, int64_t high)
{
    const pod_shape *shape = pod_node_shape(x, 0);
    pod_attributes attributes = {0};
    if (axis >= shape->rank || (low == 0 && high == shape->dims[axis]))
        return x;
    for (int32_t k = 0; k < shape->rank; k++) {
        attributes.high[k] = shape->dims[k];
        attributes.step[k] = 1;
    }
    attributes.low[axis] = low;
    attributes.high[axis] = high;
    return pod_replicate_emit_op(emitter, POD_OP_SLICE, &x, 1, &attributes);
}

pod_node *pod_replicate_emit_pad_end(pod_emitter *emitter, pod_node *x, int32_t axis, int64_t count)
{
    pod_attributes attributes = {0};
    if (count == 0)
        return x;
    attributes.high[axis] = count;
    pod_node *zero = pod_graph_scalar(emitter->graph, pod_node_type(x)->dtype, 0, NULL);
    return pod_replicate_emit_op(emitter, POD_OP_PAD, (pod_node *[]){x, zero}, 2, &attributes);
}

pod_node *pod_replicate_emit_reduce(pod_emitter *emitter, pod_op op, pod_node *x, int32_t axis)
{
    pod_attributes attributes = {.axes = {1, {axis}}};
    return pod_replicate_emit_op(emitter, op, &x, 1, &attributes);
}

pod_node *pod_replicate_emit_move(pod_emitter *emitter, pod_node *x, int32_t from, int32_t to)
{
    int32_t rank = pod_node_shape(x, 0)->rank;
    pod_attributes attributes = {.axes.count = rank};
    if (from == to || rank == 0)
        return x;
    for (int32_t k = 0, source = 0; k < rank; k++) {
        if (source == from)
            source++;
        attributes.axes.axes[k] = k == to ? from : source++;
    }
    return pod_replicate_emit_op(emitter, POD_OP_TRANSPOSE, &x, 1, &attributes);
}

pod_node *pod_replicate_emit_merge(pod_emitter *emitter, pod_node *x, int32_t axis)
{
    pod_shape shape = *pod_node_shape(x, 0);
    if (shape.rank < axis + 2)
        return x;
    shape.dims[axis] *= shape.dims[axis + 1];
    for (int32_t k = axis + 1; k < shape.rank - 1; k++)
        shape.dims[k] = shape.dims[k + 1];
    shape.rank--;
    return pod_graph_reshape(emitter->graph, x, &shape);
}

pod_node *pod_replicate_emit_no_room(pod_emitter *emitter)
{
    return pod_graph_fail(emitter->graph, POD_ERROR_UNSUPPORTED,
                          "a value of %d axes has no room for one of replicas or elements", POD_MAX_RANK);
}

pod_node *pod_replicate_emit_split(pod_emitter *emitter, pod_node *x, int32_t axis, int64_t size)
{
    pod_shape shape = *pod_node_shape(x, 0);
    if (!pod_node_is_valid(x) || shape.rank == POD_MAX_RANK)
        return pod_replicate_emit_no_room(emitter);
    for (int32_t k = shape.rank; k > axis; k--)
        shape.dims[k] = shape.dims[k - 1];
    shape.dims[axis] = size;
    shape.dims[axis + 1] /= size;
    shape.rank++;
    return pod_graph_reshape(emitter->graph, x, &shape);
}

pod_shape pod_replicate_emit_stacked_shape(const pod_emitter *emitter, const pod_shape *shape)
{
    pod_shape stacked = {.rank = shape->rank + 1};
    stacked.dims[0] = emitter->plan->session->shards.replicas;
    for (int32_t k = 0; k < shape->rank && k + 1 < POD_MAX_RANK; k++)
        stacked.dims[k + 1] = shape->dims[k];
    return stacked;
}

pod_axes pod_replicate_emit_shifted(const pod_axes *axes, bool lead)
{
    pod_axes shifted = {0};
    if (lead)
        shifted.axes[shifted.count++] = 0;
    for (int32_t i = 0; i < axes->count && shifted.count < POD_MAX_RANK; i++)
        shifted.axes[shifted.count++] = axes->axes[i] + 1;
    return shifted;
}

/* Makes room for the replica axis in a list of one number an axis. */
static void shift_numbers(int64_t *numbers, int64_t first)
{
    memmove(numbers + 1, numbers, (POD_MAX_RANK - 1) * sizeof *numbers);
    numbers[0] = first;
}

pod_node *pod_replicate_emit_behind(pod_emitter *emitter, const pod_node *node, pod_node **inputs)
{
    const uint32_t reads = pod_op_get(node->op)->reads;
    const bool lists_all = node->op == POD_OP_TRANSPOSE || node->op == POD_OP_BROADCAST,
               cuts = node->op == POD_OP_SLICE;
    pod_attributes attributes = *node->attributes;
    attributes.axis += (reads & POD_FIELD_AXIS) != 0;
    if ((reads & POD_FIELD_AXES) != 0)
        attributes.axes = pod_replicate_emit_shifted(&attributes.axes, lists_all);
    if ((reads & POD_FIELD_SHAPE) != 0)
        attributes.shape = pod_replicate_emit_stacked_shape(emitter, &attributes.shape);
    if ((reads & POD_FIELD_RANGE) != 0) {
        shift_numbers(attributes.low, 0);
        shift_numbers(attributes.high, cuts ? emitter->plan->session->shards.replicas : 0);
        shift_numbers(attributes.step, cuts);
    }
    return pod_graph_copy_node_with(emitter->graph, node, inputs, &attributes);
}
