/* portable_ops - ops that StableHLO has not, or compilers do otherwise, as others that give the same. */

#include "exchange/portable.h"

#include <string.h>

#include "exchange/folds.h"
#include "moonpod/builders.h"

enum { MOST_PLACES = 128 }; /* of a window whose places are looked at one by one */

static pod_node *pad(pod_graph *graph, pod_node *x, double with, const pod_attributes *range)
{
    pod_node *const inputs[] = {x, pod_graph_scalar(graph, pod_node_type(x)->dtype, with, NULL)};
    return pod_graph_apply(graph, POD_OP_PAD, inputs, 2, range, NULL, 0);
}

/* The range of a window's padding over [batch, spatial..., channels], and the one that takes it away again. */
static pod_attributes padding_of(const pod_window *window, bool away)
{
    pod_attributes range = {0};
    for (int32_t i = 0; i < window->rank; i++) {
        range.low[i + 1] = away ? -window->pad_low[i] : window->pad_low[i];
        range.high[i + 1] = away ? -window->pad_high[i] : window->pad_high[i];
    }
    return range;
}

/* ---- reductions and signs --------------------------------------------------------------------------------------- */

/* Folds in the type of the result, and floats of 16 bits in 32: compilers have one type. */
static pod_node *fold_wide(pod_graph *graph, const pod_node *node, pod_node *x)
{
    const pod_dtype to = pod_node_type(node)->dtype, from = pod_node_type(x)->dtype;
    const pod_dtype wide = to == POD_F16 || to == POD_BF16 ? POD_F32 : to;
    pod_attributes attributes = *node->attributes;
    if (from == wide)
        return NULL;
    x = pod_graph_convert(graph, x, wide);
    attributes.dtype = POD_DTYPE_NONE;
    return pod_graph_convert(graph, pod_graph_apply(graph, node->op, &x, 1, &attributes, NULL, 0), to);
}

static pod_node *sign_of_unsigned(pod_graph *graph, pod_node *x)
{
    const pod_dtype dtype = pod_node_type(x)->dtype;
    return dtype < POD_U8 || dtype > POD_U64 ? NULL
                                             : pod_graph_minimum(graph, x, pod_graph_scalar(graph, dtype, 1, NULL));
}

/* Whole numbers by zero: StableHLO leaves open what that gives, and XLA takes x / x to be 1. */
static pod_node *divide_by_any(pod_graph *graph, const pod_node *node, pod_node *const *inputs)
{
    const pod_dtype dtype = pod_node_type(node)->dtype;
    if (pod_dtype_is_float(dtype))
        return NULL;
    const pod_shape *shape = &pod_node_type(node)->shape;
    pod_node *is_zero = pod_graph_compare(graph, POD_COMPARE_EQ, inputs[1], pod_graph_scalar(graph, dtype, 0, shape));
    pod_node *ones = pod_graph_scalar(graph, dtype, 1, shape);
    pod_node *const both[] = {inputs[0], pod_graph_select(graph, is_zero, ones, inputs[1])};
    pod_node *by_zero =
        node->op == POD_OP_DIVIDE ? pod_graph_not(graph, pod_graph_scalar(graph, dtype, 0, shape)) : inputs[0];
    return pod_graph_select(graph, is_zero, by_zero, pod_graph_elementwise(graph, node->op, both, 2));
}

/* ---- convolutions ----------------------------------------------------------------------------------------------- */

/* Filters of each group become its channels: [spatial..., c / groups, o] to [spatial..., o / groups, c]. */
static pod_node *turn_groups(pod_graph *graph, pod_node *kernel, const pod_window *window)
{
    const int32_t rank = window->rank;
    const int64_t *from = pod_node_type(kernel)->shape.dims;
    const int64_t channels = from[rank], filters = from[rank + 1] / window->groups;
    pod_attributes reverse = {.axes = {.count = rank}};
    pod_axes order = {.count = rank + 3};
    pod_shape apart = {.rank = rank + 3}, joined = {.rank = rank + 2};
    for (int32_t i = 0; i < rank; i++) {
        reverse.axes.axes[i] = order.axes[i] = i;
        apart.dims[i] = joined.dims[i] = from[i];
    }
    memcpy(apart.dims + rank, (const int64_t[]){channels, window->groups, filters}, 3 * sizeof *apart.dims);
    memcpy(joined.dims + rank, (const int64_t[]){filters, window->groups * channels}, 2 * sizeof *joined.dims);
    memcpy(order.axes + rank, (const int32_t[]){rank + 2, rank + 1, rank}, 3 * sizeof *order.axes);
    kernel = pod_graph_apply(graph, POD_OP_REVERSE, &kernel, 1, &reverse, NULL, 0);
    kernel = pod_graph_transpose(graph, pod_graph_reshape(graph, kernel, &apart), &order);
    return pod_graph_reshape(graph, kernel, &joined);
}

/* XLA's CPU compiler (PJRT 0.115) errs where a convolution's padding takes places away before and adds some behind. */
static bool takes_away(const pod_window *window)
{
    for (int32_t i = 0; i < window->rank; i++)
        if (window->pad_low[i] > (window->size[i] - 1) * window->dilation[i])
            return true;
    return false;
}

/* The gradient of a convolution for its operand, in groups or where the padding is more than the window reaches: a
 * convolution of the gradient, which is padded, with zeros between its places where there is a stride. */
static pod_node *padded_input_gradient(pod_graph *graph, const pod_node *node, pod_node *const *inputs)
{
    const pod_window *window = &node->attributes->window;
    if (window->groups <= 1 && !takes_away(window))
        return NULL;
    const int64_t *g = pod_node_type(inputs[0])->shape.dims, *x = pod_node_type(node)->shape.dims;
    pod_attributes range = {0};
    pod_attributes convolution = {.dtype = node->attributes->dtype, .precision = node->attributes->precision};
    convolution.window = (pod_window){.rank = window->rank, .groups = window->groups};
    memcpy(convolution.window.dilation, window->dilation, sizeof window->dilation);
    for (int32_t i = 0; i < window->rank; i++) {
        const int64_t reach = (window->size[i] - 1) * window->dilation[i];
        range.low[i + 1] = reach - window->pad_low[i];
        range.high[i + 1] = x[i + 1] - 1 - (g[i + 1] - 1) * window->stride[i] - range.low[i + 1] + reach;
        range.step[i + 1] = window->stride[i] - 1;
    }
    pod_node *const both[] = {pad(graph, inputs[0], 0, &range), turn_groups(graph, inputs[1], window)};
    return pod_graph_apply(graph, POD_OP_CONVOLUTION, both, 2, &convolution, NULL, 0);
}

/* ---- maxima of windows --------------------------------------------------------------------------------------------
 */

/* Looks at the places of all windows one by one: the first place of all windows, then the second ... */
typedef struct window_walk {
    pod_graph *graph;
    const pod_window *window;
    pod_node *x, *inside;          /* padded: the values, and where padding is not */
    pod_node *best, *taken;        /* of each window: the maximum, and whether it was met (NULL: not yet) */
    pod_attributes place, between; /* slices, and what puts a place's values back between zeros */
} window_walk;

static void set_place(window_walk *w, int64_t number)
{
    const pod_shape *x = &pod_node_type(w->x)->shape, *y = &pod_node_type(w->best)->shape;
    for (int32_t axis = 0; axis < x->rank; axis++) {
        w->place.low[axis] = w->between.low[axis] = w->between.high[axis] = w->between.step[axis] = 0;
        w->place.high[axis] = x->dims[axis];
        w->place.step[axis] = 1;
    }
    for (int32_t i = w->window->rank; i-- > 0;) {
        const int64_t at = number % w->window->size[i] * w->window->dilation[i];
        const int64_t end = at + (y->dims[i + 1] - 1) * w->window->stride[i] + 1;
        number /= w->window->size[i];
        w->place.low[i + 1] = w->between.low[i + 1] = at;
        w->place.high[i + 1] = end;
        w->between.high[i + 1] = x->dims[i + 1] - end;
        w->place.step[i + 1] = w->window->stride[i];
        w->between.step[i + 1] = w->window->stride[i] - 1;
    }
}

static pod_node *at_place(const window_walk *w, pod_node *x)
{
    return pod_graph_apply(w->graph, POD_OP_SLICE, &x, 1, &w->place, NULL, 0);
}

/* Whether a window's first maximum is at the place; what is no number is one. */
static pod_node *meets(window_walk *w)
{
    pod_node *x = at_place(w, w->x), *hit = pod_graph_compare(w->graph, POD_COMPARE_EQ, x, w->best);
    if (pod_dtype_is_float(pod_node_type(x)->dtype))
        hit = pod_graph_or(w->graph, hit, pod_graph_compare(w->graph, POD_COMPARE_NE, x, x));
    hit = pod_graph_and(w->graph, hit, at_place(w, w->inside));
    if (w->taken != NULL)
        hit = pod_graph_and(w->graph, hit, pod_graph_not(w->graph, w->taken));
    w->taken = w->taken != NULL ? pod_graph_or(w->graph, w->taken, hit) : hit;
    return hit;
}

static pod_node *zeros(pod_graph *graph, const pod_node *like)
{
    return pod_graph_scalar(graph, pod_node_type(like)->dtype, 0, &pod_node_type(like)->shape);
}

static pod_node *walk_windows(pod_graph *graph, const pod_node *node, pod_node *const *inputs)
{
    const pod_window *window = &node->attributes->window;
    const pod_attributes around = padding_of(window, false), away = padding_of(window, true);
    const bool selects = node->op == POD_OP_POOL_MAX_SELECT;
    const pod_dtype dtype = pod_node_type(node)->dtype;
    window_walk w = {.graph = graph, .window = window};
    int64_t places = 1;
    for (int32_t i = 0; i < window->rank; i++)
        places *= window->size[i];
    if (places > MOST_PLACES)
        return NULL;
    const pod_attributes pooling = {.window = *window};
    w.best = pod_graph_apply(graph, POD_OP_POOL_MAX, inputs, 1, &pooling, NULL, 0);
    w.x = pad(graph, inputs[0], 0, &around);
    w.inside = pad(graph, pod_graph_scalar(graph, POD_BOOL, 1, &pod_node_type(inputs[0])->shape), 0, &around);
    pod_node *other = selects ? pad(graph, inputs[1], 0, &around) : inputs[1], *sum = NULL;
    if (!selects && (dtype == POD_F16 || dtype == POD_BF16))
        other = pod_graph_convert(graph, other, POD_F32);
    for (int64_t i = 0; i < places; i++) {
        set_place(&w, i);
        pod_node *hit = meets(&w), *here = selects ? at_place(&w, other) : other;
        pod_node *part = pod_graph_select(graph, hit, here, selects && sum ? sum : zeros(graph, here));
        if (!selects)
            part = pad(graph, part, 0, &w.between);
        sum = selects || !sum ? part : pod_graph_add(graph, sum, part);
    }
    return selects ? sum : pod_graph_convert(graph, pad(graph, sum, 0, &away), dtype);
}

/* XLA's CPU compiler confuses equal values where windows reach into padding, so that is padded before, as JAX does.
 * The least whole number is no padding: it may be a maximum. */
static pod_node *maxima_gradient(pod_graph *graph, const pod_node *node, pod_node *const *inputs)
{
    const pod_window *window = &node->attributes->window;
    const pod_attributes around = padding_of(window, false), away = padding_of(window, true);
    const pod_dtype dtype = pod_node_type(inputs[0])->dtype;
    pod_attributes attributes = *node->attributes;
    bool is_padded = false;
    for (int32_t i = 0; i < window->rank; i++) {
        if (window->dilation[i] > 1) /* which select_and_scatter has not */
            return walk_windows(graph, node, inputs);
        is_padded = is_padded || window->pad_low[i] != 0 || window->pad_high[i] != 0;
        attributes.window.pad_low[i] = attributes.window.pad_high[i] = 0;
    }
    if (!is_padded)
        return NULL;
    pod_node *walked = pod_dtype_is_float(dtype) ? NULL : walk_windows(graph, node, inputs);
    if (walked != NULL)
        return walked;
    pod_node *const both[] = {pad(graph, inputs[0], pod_exchange_fold_identity(POD_OP_MAXIMUM, dtype), &around),
                              inputs[1]};
    return pad(graph, pod_graph_apply(graph, POD_OP_POOL_MAX_GRADIENT, both, 2, &attributes, NULL, 0), 0, &away);
}

pod_node *pod_exchange_say_otherwise(pod_graph *graph, const pod_node *node, pod_node *const *inputs)
{
    switch ((int)node->op) {
    case POD_OP_REDUCE_SUM:
    case POD_OP_REDUCE_PRODUCT:
        return fold_wide(graph, node, inputs[0]);
    case POD_OP_DIVIDE:
    case POD_OP_REMAINDER:
        return divide_by_any(graph, node, inputs);
    case POD_OP_SIGN:
        return sign_of_unsigned(graph, inputs[0]);
    case POD_OP_CONVOLUTION_INPUT_GRADIENT:
        return padded_input_gradient(graph, node, inputs);
    case POD_OP_POOL_MAX_SELECT:
        return walk_windows(graph, node, inputs);
    case POD_OP_POOL_MAX_GRADIENT:
        return maxima_gradient(graph, node, inputs);
    default:
        return NULL;
    }
}
