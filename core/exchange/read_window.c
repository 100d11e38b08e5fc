/*
 * Windows. Ours slide over the inner axes of [batch, spatial..., channels]: axes without a window
 * are put in front as the batch, unless they stand so already, and padding that ours has not is
 * done before. */

#include "exchange/fold_values.h"

#include "base/checked.h"

typedef struct sliding {
    int32_t rank;
    int64_t size[POD_MAX_RANK], stride[POD_MAX_RANK], dilation[POD_MAX_RANK];
    int64_t x_dilation[POD_MAX_RANK], pad[2 * POD_MAX_RANK];
} sliding;

static bool read_part(pod_call *call, const char *name, int count, int64_t otherwise, int64_t *values)
{
    return pod_exchange_value_sizes(call->translator, pod_exchange_call_attribute(call, name, NULL), count, otherwise,
                                    values);
}

static bool read_sliding(pod_call *call, sliding *s)
{
    s->rank = pod_node_shape(call->inputs[0], 0)->rank;
    bool read = pod_exchange_call_attribute(call, "window_dimensions", NULL) &&
                read_part(call, "window_dimensions", s->rank, 1, s->size) &&
                read_part(call, "window_strides", s->rank, 1, s->stride) &&
                read_part(call, "window_dilations", s->rank, 1, s->dilation) &&
                read_part(call, "base_dilations", s->rank, 1, s->x_dilation) &&
                read_part(call, "padding", 2 * s->rank, 0, s->pad);
    for (int32_t i = 0; read && i < s->rank; i++) {
        read = s->size[i] >= 1 && s->stride[i] >= 1 && s->dilation[i] >= 1 && s->x_dilation[i] >= 1 &&
               s->size[i] <= INT32_MAX && s->stride[i] <= INT32_MAX && s->dilation[i] <= INT32_MAX &&
               s->x_dilation[i] <= INT32_MAX && s->pad[2 * i] > -INT32_MAX && s->pad[2 * i] < INT32_MAX &&
               s->pad[2 * i + 1] > -INT32_MAX && s->pad[2 * i + 1] < INT32_MAX;
    }
    return read;
}

/* ---- sums along an axis ---------------------------------------------------------------------- */

static bool slides_along(const sliding *s, int32_t axis)
{
    return s->size[axis] != 1 || s->stride[axis] != 1 || s->x_dilation[axis] != 1 || s->pad[2 * axis] != 0 ||
           s->pad[2 * axis + 1] != 0;
}

/* A window as long as its axis that begins or ends outside sums up along it. */
static bool is_cumulative(const sliding *s, const pod_shape *x, int32_t *axis, bool *reversed)
{
    int32_t count = 0;
    for (int32_t i = 0; i < s->rank; i++) {
        if (slides_along(s, i)) {
            *axis = i;
            count++;
        }
    }
    if (count != 1)
        return false;
    int64_t size = s->size[*axis], low = s->pad[2 * *axis], high = s->pad[2 * *axis + 1];
    *reversed = low == 0;
    return size == x->dims[*axis] && size > 1 && s->stride[*axis] == 1 && s->dilation[*axis] == 1 &&
           s->x_dilation[*axis] == 1 && ((low == size - 1 && high == 0) || (low == 0 && high == size - 1));
}

/* ---- as ours --------------------------------------------------------------------------------- */

/* How x is seen as [batch, spatial..., channels]. */
typedef struct arrangement {
    bool direct;                            /* as it stands */
    int32_t spatial, axes[POD_MAX_SPATIAL]; /* of x, that a window slides along */
    pod_axes order;                         /* the others, then those */
    int64_t batch;
} arrangement;

static bool arrange(const sliding *s, const pod_shape *x, arrangement *a)
{
    *a = (arrangement){.batch = 1, .order = {.count = s->rank}};
    int32_t others = 0;
    for (int32_t i = 0; i < s->rank; i++) {
        if (!slides_along(s, i)) {
            a->order.axes[others++] = i;
            if (pod_multiply_overflows(a->batch, x->dims[i], &a->batch))
                return false;
        } else if (a->spatial == POD_MAX_SPATIAL) {
            return false;
        } else {
            a->axes[a->spatial++] = i;
        }
    }
    for (int32_t i = 0; i < a->spatial; i++)
        a->order.axes[others + i] = a->axes[i];
    a->direct = s->rank >= 3 && s->rank <= POD_MAX_SPATIAL + 2 && !slides_along(s, 0) && !slides_along(s, s->rank - 1);
    if (a->direct) { /* axes between that nothing slides along have a window of 1 */
        a->spatial = s->rank - 2;
        for (int32_t i = 0; i < a->spatial; i++)
            a->axes[i] = 1 + i;
    }
    return a->spatial > 0;
}

static pod_node *to_ours(pod_graph *graph, const arrangement *a, pod_node *x)
{
    if (a->direct)
        return x;
    pod_node *moved = pod_graph_transpose(graph, x, &a->order);
    const pod_shape *from = pod_node_shape(x, 0);
    pod_shape shape = {.rank = a->spatial + 2, .dims = {a->batch}};
    for (int32_t i = 0; i < a->spatial; i++)
        shape.dims[1 + i] = from->dims[a->axes[i]];
    shape.dims[a->spatial + 1] = 1;
    return pod_graph_reshape(graph, moved, &shape);
}

static pod_node *from_ours(pod_graph *graph, const arrangement *a, pod_node *y, const pod_shape *written)
{
    pod_shape shape = {.rank = a->order.count};
    if (a->direct)
        return y;
    for (int32_t i = 0; i < shape.rank; i++)
        shape.dims[i] = written->dims[a->order.axes[i]];
    return pod_graph_untranspose(graph, pod_graph_reshape(graph, y, &shape), &a->order);
}

static pod_window window_of(const sliding *s, const arrangement *a)
{
    pod_window window = {.rank = a->spatial};
    for (int32_t i = 0; i < a->spatial; i++) {
        int32_t axis = a->axes[i];
        window.size[i] = s->size[axis];
        window.stride[i] = s->stride[axis];
        window.dilation[i] = s->dilation[axis];
        window.pad_low[i] = s->pad[2 * axis];
        window.pad_high[i] = s->pad[2 * axis + 1];
    }
    return window;
}

/* Returns whether ours pads so: no dilation of x, nothing cut off, no window in padding alone. */
static bool pads_as_ours(const sliding *s)
{
    for (int32_t i = 0; i < s->rank; i++) {
        int64_t reach = (s->size[i] - 1) * s->dilation[i];
        if (s->x_dilation[i] != 1 || s->pad[2 * i] < 0 || s->pad[2 * i + 1] < 0 || s->pad[2 * i] > reach ||
            s->pad[2 * i + 1] > reach)
            return false;
    }
    return true;
}

/* Pads x with the value that does not count. */
static pod_node *pad_before(pod_call *call, sliding *s, pod_node *start)
{
    pod_attributes attributes = {0};
    for (int32_t i = 0; i < s->rank; i++) {
        attributes.low[i] = s->pad[2 * i];
        attributes.high[i] = s->pad[2 * i + 1];
        attributes.step[i] = s->x_dilation[i] - 1;
        s->pad[2 * i] = s->pad[2 * i + 1] = 0;
        s->x_dilation[i] = 1;
    }
    pod_node *inputs[2] = {call->inputs[0], start};
    return pod_exchange_call_apply(call, POD_OP_PAD, inputs, 2, &attributes);
}

static pod_op pool_of(pod_op fold)
{
    return fold == POD_OP_ADD ? POD_OP_POOL_SUM : fold == POD_OP_MAXIMUM ? POD_OP_POOL_MAX : -1;
}

pod_outcome pod_exchange_read_reduce_window(pod_call *call)
{
    const pod_syntax_op *op = call->op;
    sliding s;
    arrangement a;
    int32_t axis = 0;
    bool reversed = false;
    if (op->region_count != 1)
        return pod_exchange_not_known(call, "it reduces several arrays at once");
    if (!read_sliding(call, &s))
        return pod_exchange_read_fail(call, POD_ERROR_FORMAT, "the window must give numbers for each axis");
    pod_op fold = pod_exchange_region_fold(call->translator, &op->regions[0]);
    if (pool_of(fold) < 0 || !pod_exchange_is_identity(fold, call->inputs[1]))
        return POD_PLACED; /* another fold */
    if (fold == POD_OP_ADD && is_cumulative(&s, pod_node_shape(call->inputs[0], 0), &axis, &reversed)) {
        pod_attributes sums = {.axis = axis, .flag = reversed};
        return pod_exchange_call_give(call, POD_OP_CUMULATIVE_SUM, call->inputs, 1, &sums);
    }
    pod_node *x = call->inputs[0];
    if (!pads_as_ours(&s))
        x = pad_before(call, &s, call->inputs[1]);
    if (!arrange(&s, pod_node_shape(x, 0), &a))
        return POD_PLACED; /* it slides along no axis, or more than 3 */
    pod_attributes attributes = {.window = window_of(&s, &a)};
    x = to_ours(call->graph, &a, x);
    pod_node *y = pod_exchange_call_apply(call, pool_of(fold), &x, 1, &attributes);
    return pod_exchange_call_result(call,
                                    from_ours(call->graph, &a, y, &pod_exchange_call_result_type(call, 0)->shape));
}

/* The selection keeps the first of equal maxima: it asks whether the one so far is at least the
 * next. */
static bool selects_maximum(pod_call *call, const pod_syntax_region *region)
{
    const pod_syntax_op *op = region->first;
    pod_op_reader compare = pod_exchange_read_compare;
    const pod_reader_row *row = op ? call->translator->find_reader(op->name) : NULL;
    if (!row || row->read != compare || region->argument_count != 2 || op->next != region->last ||
        op->operand_count != 2 || op->operands[0] != region->first_value || op->operands[1] != region->first_value + 1)
        return false;
    bool total;
    return pod_exchange_read_direction(call->translator, op, &total) == POD_COMPARE_GE;
}

pod_outcome pod_exchange_read_select_and_scatter(pod_call *call)
{
    const pod_syntax_op *op = call->op;
    sliding s;
    arrangement a;
    if (op->region_count != 2)
        return pod_exchange_not_known(call, "it has another number of operands or regions than is known");
    if (!read_sliding(call, &s))
        return pod_exchange_read_fail(call, POD_ERROR_FORMAT, "the window must give numbers for each axis");
    if (!selects_maximum(call, &op->regions[0]) ||
        pod_exchange_region_fold(call->translator, &op->regions[1]) != POD_OP_ADD ||
        !pod_exchange_is_identity(POD_OP_ADD, call->inputs[2]))
        return pod_exchange_not_known(call, "it does not add to the first maximum of each window");
    if (!pads_as_ours(&s) || !arrange(&s, pod_node_shape(call->inputs[0], 0), &a))
        return pod_exchange_not_known(call, "its window is none of ours");
    pod_attributes attributes = {.window = window_of(&s, &a)};
    const pod_shape *shape = pod_node_shape(call->inputs[0], 0);
    pod_node *inputs[2] = {to_ours(call->graph, &a, call->inputs[0]), to_ours(call->graph, &a, call->inputs[1])};
    pod_node *y = pod_exchange_call_apply(call, POD_OP_POOL_MAX_GRADIENT, inputs, 2, &attributes);
    return pod_exchange_call_result(call, from_ours(call->graph, &a, y, shape));
}
