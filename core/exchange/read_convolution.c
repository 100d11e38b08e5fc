/*
 * Convolutions. Ours are [batch, spatial..., channels] by [spatial..., channels, filters]; a
 * convolution that is the gradient of such a one becomes that gradient, and others are brought
 * there by transposing. */

#include <string.h>

#include "exchange/translate.h"

#include "base/checked.h"

/* Holds what the text says. Axes are those of the operands and the result as they stand there. */
typedef struct convolution_axes {
    int32_t spatial;
    int32_t x_batch, x_channel, x_space[POD_MAX_SPATIAL];
    int32_t k_input, k_output, k_space[POD_MAX_SPATIAL];
    int32_t y_batch, y_channel, y_space[POD_MAX_SPATIAL];
    int64_t stride[POD_MAX_SPATIAL], pad[2 * POD_MAX_SPATIAL];
    int64_t x_dilation[POD_MAX_SPATIAL], k_dilation[POD_MAX_SPATIAL], reverse[POD_MAX_SPATIAL];
    int64_t groups, batch_groups;
} convolution_axes;

/* ---- reading --------------------------------------------------------------------------------- */

/* Reads one of the three lists: the places of two letters and of the numbers. */
static bool read_places(const pod_syntax_value *list, char first, char second, int32_t *first_axis,
                        int32_t *second_axis, int32_t *space, int32_t *spatial)
{
    int32_t axis = 0, seen = 0;
    *first_axis = *second_axis = -1;
    if (!list || list->kind != POD_VALUE_LIST || list->count < 2 || list->count > POD_MAX_SPATIAL + 2)
        return false;
    *spatial = (int32_t)list->count - 2;
    for (const pod_syntax_value *at = list->first; at; at = at->next, axis++) {
        if (at->kind == POD_VALUE_WORD && at->text.length == 1 && at->text.text[0] == first)
            *first_axis = axis;
        else if (at->kind == POD_VALUE_WORD && at->text.length == 1 && at->text.text[0] == second)
            *second_axis = axis;
        else if (at->kind == POD_VALUE_INTEGER && at->integer >= 0 && at->integer < *spatial &&
                 !(seen >> at->integer & 1))
            space[at->integer] = axis, seen |= 1 << at->integer;
        else
            return false;
    }
    return *first_axis >= 0 && *second_axis >= 0;
}

static bool read_dim_numbers(pod_call *call, convolution_axes *c)
{
    pod_syntax_value inner;
    int32_t k_spatial, y_spatial;
    const pod_syntax_value *list = pod_exchange_call_attribute(call, "dim_numbers", "dimension_numbers");
    if (list && list->kind == POD_VALUE_RAW) { /* #stablehlo.conv<[..]x[..]->[..]> */
        const char *open = memchr(list->text.text, '<', list->text.length);
        pod_span body = {open + 1, 0};
        if (!open)
            return false;
        body.length = (size_t)(list->text.text + list->text.length - 1 - body.text);
        if (!pod_exchange_parse_span(call->translator->syntax, body, &inner))
            return false;
        list = &inner;
    }
    if (!list || list->kind != POD_VALUE_LIST || list->count != 3)
        return false;
    const pod_syntax_value *k = list->first->next, *y = k->next;
    return read_places(list->first, 'b', 'f', &c->x_batch, &c->x_channel, c->x_space, &c->spatial) &&
           read_places(k, 'i', 'o', &c->k_input, &c->k_output, c->k_space, &k_spatial) &&
           read_places(y, 'b', 'f', &c->y_batch, &c->y_channel, c->y_space, &y_spatial) && k_spatial == c->spatial &&
           y_spatial == c->spatial;
}

/* Reads `count` numbers of the window; each is `otherwise` when they are not given. */
static bool read_window_part(pod_call *call, const char *pretty, const char *generic, int count, int64_t otherwise,
                             int64_t *values)
{
    const pod_syntax_value *window = pod_exchange_call_attribute(call, "window", NULL);
    const pod_syntax_value *part = window ? pod_exchange_syntax_find(window, pretty) : NULL;
    if (!part)
        part = pod_exchange_call_attribute(call, generic, NULL);
    return pod_exchange_value_sizes(call->translator, part, count, otherwise, values);
}

static bool read_convolution(pod_call *call, convolution_axes *c)
{
    memset(c, 0, sizeof *c);
    if (!read_dim_numbers(call, c))
        return false;
    int n = c->spatial;
    c->groups = c->batch_groups = 1;
    const pod_syntax_value *groups = pod_exchange_call_attribute(call, "feature_group_count", NULL);
    const pod_syntax_value *batch_groups = pod_exchange_call_attribute(call, "batch_group_count", NULL);
    return read_window_part(call, "stride", "window_strides", n, 1, c->stride) &&
           read_window_part(call, "pad", "padding", 2 * n, 0, c->pad) &&
           read_window_part(call, "lhs_dilate", "lhs_dilation", n, 1, c->x_dilation) &&
           read_window_part(call, "rhs_dilate", "rhs_dilation", n, 1, c->k_dilation) &&
           read_window_part(call, "reverse", "window_reversal", n, 0, c->reverse) &&
           (!groups || pod_exchange_value_integer(groups, &c->groups)) &&
           (!batch_groups || pod_exchange_value_integer(batch_groups, &c->batch_groups));
}

/* Numbers that no window of ours can have are refused before anything is computed with them. */
static bool in_range(const convolution_axes *c)
{
    for (int32_t i = 0; i < c->spatial; i++) {
        int64_t least[] = {c->stride[i], c->x_dilation[i], c->k_dilation[i]};
        for (int j = 0; j < 3; j++) {
            if (least[j] < 1 || least[j] > INT32_MAX)
                return false;
        }
        for (int j = 0; j < 2; j++) {
            if (c->pad[2 * i + j] < -INT32_MAX || c->pad[2 * i + j] > INT32_MAX)
                return false;
        }
    }
    return c->groups >= 1 && c->batch_groups >= 1;
}

/* ---- transposing ----------------------------------------------------------------------------- */

/* Transposes a node to an order of its axes; the node itself where that is its own. */
static pod_node *in_order(pod_graph *graph, pod_node *x, const pod_axes *order)
{
    bool same = true;
    for (int32_t i = 0; i < order->count; i++)
        same &= order->axes[i] == i;
    return same ? x : pod_graph_transpose(graph, x, order);
}

/* Brings an image's axes into the order first, space, last. */
static pod_node *arrange(pod_graph *graph, pod_node *x, int32_t first, const int32_t *space, int32_t count,
                         int32_t last)
{
    pod_axes order = {.count = count + 2, .axes = {first}};
    memcpy(order.axes + 1, space, (size_t)count * sizeof *space);
    order.axes[count + 1] = last;
    return in_order(graph, x, &order);
}

/* Brings a kernel's axes into the order space, second last, last. */
static pod_node *arrange_kernel(pod_graph *graph, pod_node *k, const int32_t *space, int32_t count, int32_t before,
                                int32_t last)
{
    pod_axes order = {.count = count + 2};
    memcpy(order.axes, space, (size_t)count * sizeof *space);
    order.axes[count] = before;
    order.axes[count + 1] = last;
    return in_order(graph, k, &order);
}

/* Brings an array that has the axes in our order (`ours`: for each of our axes the text's) to the
 * text's order. */
static pod_node *restore(pod_graph *graph, pod_node *y, const int32_t *ours, int32_t rank)
{
    pod_axes order = {.count = rank};
    for (int32_t i = 0; i < rank; i++)
        order.axes[ours[i]] = i;
    return in_order(graph, y, &order);
}

static pod_node *restore_image(pod_graph *graph, pod_node *y, const convolution_axes *c)
{
    int32_t ours[POD_MAX_SPATIAL + 2];
    ours[0] = c->y_batch;
    memcpy(ours + 1, c->y_space, (size_t)c->spatial * sizeof *ours);
    ours[c->spatial + 1] = c->y_channel;
    return restore(graph, y, ours, c->spatial + 2);
}

/* The node under a reversal of exactly the kernel's spatial axes; NULL when it is no such. */
static pod_node *unreversed(const convolution_axes *c, const pod_node *k)
{
    uint32_t wanted = 0, found = 0;
    if (k->op != POD_OP_REVERSE)
        return NULL;
    for (int32_t i = 0; i < c->spatial; i++)
        wanted |= 1u << c->k_space[i];
    for (int32_t i = 0; i < k->attributes->axes.count; i++)
        found |= 1u << k->attributes->axes.axes[i];
    return wanted == found ? k->inputs[0] : NULL;
}

static pod_node *reverse_space(pod_graph *graph, const convolution_axes *c, pod_node *k)
{
    pod_attributes attributes = {.axes = {.count = c->spatial}};
    memcpy(attributes.axes.axes, c->k_space, sizeof c->k_space);
    return pod_graph_apply(graph, POD_OP_REVERSE, &k, 1, &attributes, NULL, 0);
}

/* ---- gradient with respect to the kernel ----------------------------------------------------- */

/*
 * x [batch, space, channels] and g [batch, space, filters] are contracted over the batch: the text
 * has x's channels for its batch and x's batch for its channels, and its kernel is g, dilated by
 * the stride of the forward direction, whose own dilation is this one's stride. */
static bool kernel_window(const convolution_axes *c, const pod_shape *x, const pod_shape *g, const pod_shape *kernel,
                          pod_window *window)
{
    *window = (pod_window){.rank = c->spatial, .groups = c->batch_groups};
    for (int32_t i = 0; i < c->spatial; i++) {
        int64_t reach, last;
        if (c->x_dilation[i] != 1 || c->reverse[i] || c->pad[2 * i] < 0 ||
            pod_multiply_overflows(kernel->dims[i] - 1, c->stride[i], &reach) ||
            pod_multiply_overflows(g->dims[1 + i] - 1, c->k_dilation[i], &last) ||
            pod_add_overflows(last, reach, &last) || last > INT64_MAX / 4 || x->dims[1 + i] > INT64_MAX / 4)
            return false;
        /* the least padding with which the forward direction reaches its last place */
        int64_t needed = last + 1 - x->dims[1 + i] - c->pad[2 * i];
        if (-needed >= c->k_dilation[i])
            return false;
        window->size[i] = kernel->dims[i];
        window->stride[i] = c->k_dilation[i];
        window->dilation[i] = c->stride[i];
        window->pad_low[i] = c->pad[2 * i];
        window->pad_high[i] = needed > 0 ? needed : 0;
    }
    return true;
}

static pod_node *read_kernel_gradient(pod_call *call, const convolution_axes *c, pod_attributes *a)
{
    const pod_shape *written = &pod_exchange_call_result_type(call, 0)->shape;
    int32_t ours[POD_MAX_SPATIAL + 2];
    if (c->x_channel != 0 || c->k_input != 0 || c->groups != 1)
        return NULL;
    pod_node *x = arrange(call->graph, call->inputs[0], c->x_channel, c->x_space, c->spatial, c->x_batch);
    pod_node *g = arrange(call->graph, call->inputs[1], c->k_input, c->k_space, c->spatial, c->k_output);
    memcpy(ours, c->y_space, sizeof c->y_space);
    ours[c->spatial] = c->y_batch;
    ours[c->spatial + 1] = c->y_channel;
    a->shape = (pod_shape){.rank = c->spatial + 2};
    for (int32_t i = 0; i < a->shape.rank; i++)
        a->shape.dims[i] = written->dims[ours[i]];
    if (!kernel_window(c, pod_node_shape(x, 0), pod_node_shape(g, 0), &a->shape, &a->window))
        return NULL;
    pod_node *kernel = pod_exchange_call_apply(call, POD_OP_CONVOLUTION_KERNEL_GRADIENT, (pod_node *[]){x, g}, 2, a);
    return restore(call->graph, kernel, ours, a->shape.rank);
}

/* ---- gradient with respect to the input ------------------------------------------------------ */

/* g is dilated by the forward stride and goes over the reversed kernel, whose channels are the
 * filters. */
static bool input_window(const convolution_axes *c, const pod_shape *g, const pod_shape *k, pod_window *window)
{
    *window = (pod_window){.rank = c->spatial, .groups = 1};
    for (int32_t i = 0; i < c->spatial; i++) {
        int64_t reach, last;
        if (c->stride[i] != 1 || pod_multiply_overflows(k->dims[c->k_space[i]] - 1, c->k_dilation[i], &reach) ||
            pod_multiply_overflows(g->dims[c->x_space[i]] - 1, c->x_dilation[i], &last) || reach > INT32_MAX ||
            last > INT64_MAX / 4)
            return false;
        int64_t low = reach - c->pad[2 * i], high = reach - c->pad[2 * i + 1];
        if (low < 0 || -high >= c->x_dilation[i])
            return false;
        window->size[i] = k->dims[c->k_space[i]];
        window->stride[i] = c->x_dilation[i];
        window->dilation[i] = c->k_dilation[i];
        window->pad_low[i] = low;
        window->pad_high[i] = high > 0 ? high : 0;
    }
    return true;
}

static pod_node *read_input_gradient(pod_call *call, const convolution_axes *c, pod_node *k, pod_attributes *a)
{
    const pod_shape *written = &pod_exchange_call_result_type(call, 0)->shape;
    pod_node *forward = unreversed(c, k);
    bool dilated = false;
    for (int32_t i = 0; i < c->spatial; i++)
        dilated |= c->x_dilation[i] != 1;
    if ((!dilated && !forward) || c->groups != 1 || c->batch_groups != 1)
        return NULL;
    if (!input_window(c, pod_node_shape(call->inputs[0], 0), pod_node_shape(k, 0), &a->window))
        return NULL;
    forward = forward ? forward : reverse_space(call->graph, c, k);
    a->shape = (pod_shape){.rank = c->spatial + 2};
    a->shape.dims[0] = written->dims[c->y_batch];
    for (int32_t i = 0; i < c->spatial; i++)
        a->shape.dims[1 + i] = written->dims[c->y_space[i]];
    a->shape.dims[c->spatial + 1] = written->dims[c->y_channel];
    pod_node *inputs[2];
    inputs[0] = arrange(call->graph, call->inputs[0], c->x_batch, c->x_space, c->spatial, c->x_channel);
    inputs[1] = arrange_kernel(call->graph, forward, c->k_space, c->spatial, c->k_output, c->k_input);
    return restore_image(call->graph, pod_exchange_call_apply(call, POD_OP_CONVOLUTION_INPUT_GRADIENT, inputs, 2, a),
                         c);
}

/* ---- any other ------------------------------------------------------------------------------- */

/* Negative padding and dilation of x are done to x. */
static pod_node *pad_input(pod_call *call, pod_node *x, convolution_axes *c)
{
    pod_attributes attributes = {0};
    bool needed = false;
    for (int32_t i = 0; i < c->spatial; i++) {
        attributes.step[1 + i] = c->x_dilation[i] - 1;
        if (c->x_dilation[i] == 1 && c->pad[2 * i] >= 0 && c->pad[2 * i + 1] >= 0)
            continue;
        needed = true;
        attributes.low[1 + i] = c->pad[2 * i];
        attributes.high[1 + i] = c->pad[2 * i + 1];
        c->pad[2 * i] = c->pad[2 * i + 1] = 0;
    }
    if (!needed)
        return x;
    pod_node *inputs[2] = {x, pod_graph_number_like(call->graph, x, 0)};
    return pod_exchange_call_apply(call, POD_OP_PAD, inputs, 2, &attributes);
}

static pod_node *read_plain(pod_call *call, convolution_axes *c, pod_node *k, pod_attributes *a)
{
    pod_node *inputs[2];
    inputs[0] = arrange(call->graph, call->inputs[0], c->x_batch, c->x_space, c->spatial, c->x_channel);
    inputs[0] = pad_input(call, inputs[0], c);
    inputs[1] = arrange_kernel(call->graph, k, c->k_space, c->spatial, c->k_input, c->k_output);
    a->window = (pod_window){.rank = c->spatial, .groups = c->groups};
    for (int32_t i = 0; i < c->spatial; i++) {
        a->window.stride[i] = c->stride[i];
        a->window.dilation[i] = c->k_dilation[i];
        a->window.pad_low[i] = c->pad[2 * i];
        a->window.pad_high[i] = c->pad[2 * i + 1];
    }
    return restore_image(call->graph, pod_exchange_call_apply(call, POD_OP_CONVOLUTION, inputs, 2, a), c);
}

/* The kernel with the axes reversed that the window says to reverse. */
static pod_node *reversed_kernel(pod_call *call, convolution_axes *c)
{
    pod_attributes attributes = {0};
    for (int32_t i = 0; i < c->spatial; i++) {
        if (c->reverse[i])
            attributes.axes.axes[attributes.axes.count++] = c->k_space[i];
        c->reverse[i] = 0;
    }
    if (attributes.axes.count == 0)
        return call->inputs[1];
    return pod_exchange_call_apply(call, POD_OP_REVERSE, &call->inputs[1], 1, &attributes);
}

pod_outcome pod_exchange_read_convolution(pod_call *call)
{
    convolution_axes c;
    pod_attributes attributes = {.precision = pod_exchange_call_precision(call),
                                 .dtype = pod_exchange_call_result_type(call, 0)->dtype};
    if (!pod_exchange_call_is_product(call))
        return POD_NOT_KNOWN;
    if (!read_convolution(call, &c))
        return pod_exchange_not_known(call, "its axes are not given as is known for up to 3 spatial ones");
    int32_t rank = c.spatial + 2;
    if (pod_node_shape(call->inputs[0], 0)->rank != rank || pod_node_shape(call->inputs[1], 0)->rank != rank ||
        pod_exchange_call_result_type(call, 0)->shape.rank != rank)
        return pod_exchange_read_fail(call, POD_ERROR_SHAPE, "the axes that are named are not those of the operands");
    if (c.spatial == 0 || !in_range(&c))
        return pod_exchange_not_known(call, "its window is none of ours");
    pod_node *y = read_kernel_gradient(call, &c, &attributes);
    if (y)
        return pod_exchange_call_result(call, y);
    if (c.batch_groups != 1)
        return pod_exchange_not_known(call, "it has groups along the batch");
    pod_node *k = reversed_kernel(call, &c);
    y = read_input_gradient(call, &c, k, &attributes);
    return pod_exchange_call_result(call, y ? y : read_plain(call, &c, k, &attributes));
}
