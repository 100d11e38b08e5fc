/* Convolutions, their gradients, pooling and sums along an axis. */

#include "exchange/write_parts.h"

#include <string.h>

#include "moonpod/exchange.h"

/* ---- convolutions ---------------------------------------------------------------------------- */

/* Holds what is written of a convolution besides its operands, by spatial axis. */
typedef struct written {
    const char *x, *k, *y; /* the outer axes: 'b' and 'f' around or behind the spatial ones */
    int64_t stride[POD_MAX_SPATIAL], low[POD_MAX_SPATIAL], high[POD_MAX_SPATIAL];
    int64_t x_dilation[POD_MAX_SPATIAL], k_dilation[POD_MAX_SPATIAL];
    int64_t groups, batch_groups;
} written;

/* "[b, 0, 1, f]": '*' in the pattern stands for the spatial axes. */
static void write_axes_of(pod_module_writer *w, const char *pattern, int32_t spatial)
{
    pod_text_append(&w->text, "[");
    for (const char *at = pattern; *at; at++) {
        pod_text_append(&w->text, at > pattern ? ", " : "");
        if (*at != '*')
            pod_text_append_bytes(&w->text, at, 1);
        for (int32_t i = 0; *at == '*' && i < spatial; i++)
            pod_text_format(&w->text, "%s%d", i > 0 ? ", " : "", i);
    }
    pod_text_append(&w->text, "]");
}

static void write_padding(pod_module_writer *w, const int64_t *low, const int64_t *high, int32_t count, bool outer)
{
    int32_t rows = count + (outer ? 2 : 0);
    pod_text_append(&w->text, outer ? ", padding = dense<[[0, 0]" : ", padding = dense<[");
    for (int32_t i = 0; i < count; i++)
        pod_text_format(&w->text, "%s[%lld, %lld]", i > 0 || outer ? ", " : "", (long long)low[i], (long long)high[i]);
    pod_text_format(&w->text, "%s> : tensor<%dx2xi64>", outer ? ", [0, 0]]" : "]", rows);
}

static void write_properties(pod_module_writer *w, const pod_node *node, const written *c)
{
    int32_t spatial = node->attributes->window.rank;
    pod_text_append(&w->text, " <{dimension_numbers = #stablehlo.conv<");
    write_axes_of(w, c->x, spatial);
    pod_text_append(&w->text, "x");
    write_axes_of(w, c->k, spatial);
    pod_text_append(&w->text, "->");
    write_axes_of(w, c->y, spatial);
    pod_text_append(&w->text, ">");
    pod_exchange_write_sizes(w, ", ", "window_strides", c->stride, spatial);
    pod_exchange_write_sizes(w, ", ", "lhs_dilation", c->x_dilation, spatial);
    pod_exchange_write_sizes(w, ", ", "rhs_dilation", c->k_dilation, spatial);
    write_padding(w, c->low, c->high, spatial, false);
    pod_text_format(&w->text, ", feature_group_count = %lld : i64, batch_group_count = %lld : i64",
                    (long long)c->groups, (long long)c->batch_groups);
    pod_exchange_write_precision(w, node);
}

static void fill(int64_t values[POD_MAX_SPATIAL], int64_t value)
{
    for (int i = 0; i < POD_MAX_SPATIAL; i++)
        values[i] = value;
}

void pod_exchange_write_convolution(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    const pod_window *window = &node->attributes->window;
    written c = {.x = "b*f", .k = "*io", .y = "b*f", .groups = window->groups, .batch_groups = 1};
    memcpy(c.stride, window->stride, sizeof c.stride);
    memcpy(c.low, window->pad_low, sizeof c.low);
    memcpy(c.high, window->pad_high, sizeof c.high);
    memcpy(c.k_dilation, window->dilation, sizeof c.k_dilation);
    fill(c.x_dilation, 1);
    pod_exchange_write_head(w, frame, node, "stablehlo.convolution");
    write_properties(w, node, &c);
    pod_exchange_write_end(w, node);
}

/* Padding of g dilated by the stride such that the window slides over `size` places. */
static void gradient_padding(const pod_window *window, const int64_t *g, const int64_t *size, int64_t *low,
                             int64_t *high)
{
    for (int32_t i = 0; i < window->rank; i++) {
        int64_t reach = (window->size[i] - 1) * window->dilation[i];
        low[i] = reach - window->pad_low[i];
        high[i] = size[i] - 1 - (g[i] - 1) * window->stride[i] - low[i] + reach;
    }
}

void pod_exchange_write_input_gradient(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    const pod_window *window = &node->attributes->window;
    written c = {.x = "b*f", .k = "*oi", .y = "b*f", .groups = 1, .batch_groups = 1};
    const int64_t space[POD_MAX_SPATIAL] = {0, 1, 2};
    char type[POD_EXCHANGE_TYPE_SIZE], value[POD_EXCHANGE_VALUE_SIZE];
    if (window->groups != 1) {
        pod_exchange_write_custom(w, frame, node);
        return;
    }
    fill(c.stride, 1);
    memcpy(c.x_dilation, window->stride, sizeof c.x_dilation);
    memcpy(c.k_dilation, window->dilation, sizeof c.k_dilation);
    gradient_padding(window, node->inputs[0]->results[0].shape.dims + 1, node->results[0].shape.dims + 1, c.low,
                     c.high);
    const pod_node *kernel = node->inputs[1];
    pod_exchange_type_text((int32_t)pod_node_element(kernel, 0), &kernel->results[0].shape, type);
    pod_text_format(&w->text, "%%c%u_%u = \"stablehlo.reverse\"(%s)", frame->number, node->id,
                    pod_exchange_value_text(frame, kernel, value));
    pod_exchange_write_sizes(w, " <{", "dimensions", space, window->rank);
    pod_text_format(&w->text, "}> : (%s) -> %s\n", type, type);
    pod_exchange_write_begin(w, frame, node, "stablehlo.convolution");
    pod_exchange_write_value(w, frame, node->inputs[0]);
    pod_text_format(&w->text, ", %%c%u_%u)", frame->number, node->id);
    write_properties(w, node, &c);
    pod_exchange_write_mark(w, node);
    pod_exchange_write_end(w, node);
}

void pod_exchange_write_kernel_gradient(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    const pod_window *window = &node->attributes->window;
    const int64_t *x = node->inputs[0]->results[0].shape.dims + 1;
    const int64_t *g = node->inputs[1]->results[0].shape.dims + 1;
    written c = {.x = "f*b", .k = "i*o", .y = "*bf", .groups = 1, .batch_groups = window->groups};
    memcpy(c.stride, window->dilation, sizeof c.stride);
    memcpy(c.k_dilation, window->stride, sizeof c.k_dilation);
    memcpy(c.low, window->pad_low, sizeof c.low);
    fill(c.x_dilation, 1);
    for (int32_t i = 0; i < window->rank; i++)
        c.high[i] = (window->size[i] - 1) * window->dilation[i] + (g[i] - 1) * window->stride[i] + 1 - x[i] - c.low[i];
    pod_exchange_write_head(w, frame, node, "stablehlo.convolution");
    write_properties(w, node, &c);
    pod_exchange_write_mark(w, node);
    pod_exchange_write_end(w, node);
}

/* ---- windows --------------------------------------------------------------------------------- */

/* What is written of a window, by axis that it slides along; NULL: not that. */
typedef struct slides {
    const int64_t *size, *stride, *x_dilation, *dilation, *low, *high;
    int32_t rank;
    bool outer; /* with an axis before them and one behind, along which it does not slide */
} slides;

/* `key = array<i64: ..>` with ones around the values where there are outer axes. */
static void write_spatial(pod_module_writer *w, const char *open, const char *key, const int64_t *values,
                          const slides *s)
{
    int64_t all[POD_MAX_RANK + 2] = {1};
    if (!values)
        return;
    memcpy(all + s->outer, values, (size_t)s->rank * sizeof *all);
    all[s->rank + 1] = s->outer ? 1 : 0;
    pod_exchange_write_sizes(w, open, key, all, s->rank + 2 * s->outer);
}

/* The first of equal ones stays; what meets in one place is added. */
static const char selection_and_sum[] =
    " ({\n^bb0(%l: $0, %r: $0):\n%o = \"stablehlo.compare\"(%l, %r) <{comparison_direction = "
    "#stablehlo<comparison_direction GE>}> : ($0, $0) -> tensor<i1>\n\"stablehlo.return\"(%o) : (tensor<i1>) -> ()\n}, "
    "{\n^bb0(%l: $0, %r: $0):\n%o = \"stablehlo.add\"(%l, %r) : ($0, $0) -> $0\n\"stablehlo.return\"(%o) : ($0) -> "
    "()\n})";

static void write_slides(pod_module_writer *w, const pod_frame *frame, const pod_node *node, const slides *s)
{
    const bool selects = node->op == POD_OP_POOL_MAX_GRADIENT;
    char type[POD_EXCHANGE_TYPE_SIZE];
    const char *const words[] = {pod_exchange_scalar_text(node->results[0].dtype, type)};
    pod_exchange_write_head_of_fold(w, frame, node,
                                    selects ? "stablehlo.select_and_scatter" : "stablehlo.reduce_window");
    write_spatial(w, " <{", "window_dimensions", s->size, s);
    write_spatial(w, ", ", "window_strides", s->stride, s);
    write_spatial(w, ", ", "base_dilations", s->x_dilation, s);
    write_spatial(w, ", ", "window_dilations", s->dilation, s);
    write_padding(w, s->low, s->high, s->rank, s->outer);
    pod_text_append(&w->text, "}>");
    if (selects)
        pod_exchange_write_filled(w, selection_and_sum, words);
    else
        pod_exchange_write_fold(w, pod_exchange_fold_of_node(node), node->results[0].dtype);
    pod_exchange_write_mark(w, node);
    pod_exchange_write_end_of_fold(w, node);
}

/* Pooling, and of the maximum its gradient: select_and_scatter has no dilation. */
void pod_exchange_write_pool(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    const pod_window *window = &node->attributes->window;
    const bool selects = node->op == POD_OP_POOL_MAX_GRADIENT;
    for (int32_t i = 0; i < window->rank && selects; i++)
        if (window->dilation[i] != 1) {
            pod_exchange_write_custom(w, frame, node);
            return;
        }
    write_slides(w, frame, node,
                 &(slides){.size = window->size,
                           .stride = window->stride,
                           .dilation = selects ? NULL : window->dilation,
                           .low = window->pad_low,
                           .high = window->pad_high,
                           .rank = window->rank,
                           .outer = true});
}

void pod_exchange_write_pool_sum_gradient(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    const pod_window *window = &node->attributes->window;
    int64_t low[POD_MAX_SPATIAL], high[POD_MAX_SPATIAL], ones[POD_MAX_SPATIAL];
    gradient_padding(window, node->inputs[0]->results[0].shape.dims + 1, node->results[0].shape.dims + 1, low, high);
    fill(ones, 1);
    write_slides(w, frame, node,
                 &(slides){.size = window->size,
                           .stride = ones,
                           .x_dilation = window->stride,
                           .dilation = window->dilation,
                           .low = low,
                           .high = high,
                           .rank = window->rank,
                           .outer = true});
}

/* A window as long as the axis that begins or ends outside. */
void pod_exchange_write_cumulative_sum(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    const pod_attributes *a = node->attributes;
    const pod_shape *x = &node->results[0].shape;
    int64_t size[POD_MAX_RANK], low[POD_MAX_RANK] = {0}, high[POD_MAX_RANK] = {0}, count = x->dims[a->axis];
    if (count < 1) {
        pod_exchange_write_custom(w, frame, node);
        return;
    }
    for (int32_t i = 0; i < x->rank; i++)
        size[i] = i == a->axis ? count : 1;
    (a->flag ? high : low)[a->axis] = a->count ? count : count - 1;
    (a->flag ? low : high)[a->axis] = a->count ? -1 : 0;
    write_slides(w, frame, node, &(slides){.size = size, .low = low, .high = high, .rank = x->rank});
}
