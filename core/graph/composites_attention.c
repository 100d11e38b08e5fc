#include <math.h>

#include "graph/build.h"
#include "graph/composites.h"

/* Attention and its gradient: see composites.def. */

/* What scores become where a query may not look: finite, so that a query that may look nowhere
 * gives the mean of all instead of NaN. */
#define HIDDEN_SCORE (-1e30)

/* The operands of a body, with heads before places; NULL for those that are not given. */
typedef struct pod_attention {
    pod_body *body;
    pod_graph *graph;
    pod_node *q, *k, *v, *mask, *state, *g;
    int64_t times; /* heads of queries for each of keys */
} pod_attention;

/* ---- operands -------------------------------------------------------------------------------- */

/* The axis of heads. */
static int heads_axis(const pod_body *body)
{
    return body->attributes.axis == 2 ? 2 : 1;
}

static bool shapes_fit(const pod_body *body)
{
    const pod_shape *q = pod_node_shape(body->operands[0], 0);
    const pod_shape *k = pod_node_shape(body->operands[1], 0);
    const pod_shape *v = pod_node_shape(body->operands[2], 0);
    int heads = heads_axis(body), places = 3 - heads;
    return q->rank == 4 && k->rank == 4 && v->rank == 4 && q->dims[0] == k->dims[0] && q->dims[0] == v->dims[0] &&
           q->dims[3] == k->dims[3] && k->dims[places] == v->dims[places] && k->dims[heads] == v->dims[heads] &&
           k->dims[heads] > 0 && q->dims[heads] % k->dims[heads] == 0;
}

static bool expect_attention(pod_body *body)
{
    char a[POD_SHAPE_TEXT_SIZE], b[POD_SHAPE_TEXT_SIZE], c[POD_SHAPE_TEXT_SIZE];
    const char *wanted = heads_axis(body) == 2 ? "[b, t, h, d], [b, s, h, d] and [b, s, h, e]"
                                               : "[b, h, t, d], [b, h, s, d] and [b, h, s, e]";
    for (size_t i = 0; i < 3; i++) {
        if (!pod_graph_body_expect_float(body, i) || !pod_graph_body_expect_same_dtype(body, 0, i))
            return false;
    }
    if (shapes_fit(body))
        return true;
    return pod_graph_body_fail(body, POD_ERROR_SHAPE,
                               "q, k and v are %s, %s and %s, but must be %s (the heads of k and v may be a "
                               "divisor of q's)",
                               pod_shape_format(pod_node_shape(body->operands[0], 0), a),
                               pod_shape_format(pod_node_shape(body->operands[1], 0), b),
                               pod_shape_format(pod_node_shape(body->operands[2], 0), c), wanted);
}

/* Takes mask and state, which stand between v and operand `end`. */
static bool take_optional(pod_attention *a, size_t end)
{
    pod_body *body = a->body;
    size_t at = 3;
    if (at < end && pod_node_dtype(body->operands[at], 0) == POD_BOOL)
        a->mask = body->operands[at++];
    if (at < end && pod_node_dtype(body->operands[at], 0) == POD_U64)
        a->state = body->operands[at++];
    if (at < end)
        pod_graph_body_fail(body, POD_ERROR_DTYPE,
                            "operand %zu is %s; behind v come a mask (bool) and then the state of dropout "
                            "(u64)",
                            at, pod_dtype_name(pod_node_dtype(body->operands[at], 0)));
    return at == end;
}

/* Puts heads before places, or back. */
static pod_node *swap_places(pod_attention *a, pod_node *x)
{
    if (heads_axis(a->body) == 1)
        return x;
    return pod_graph_transpose(a->graph, x, &(pod_axes){4, {0, 2, 1, 3}});
}

/* [b, h, s, d] of [b, h / times, s, d]: head i is head i / times. */
static pod_node *repeat_heads(pod_attention *a, pod_node *x)
{
    if (a->times == 1 || !pod_node_is_valid(x))
        return x;
    pod_shape shape = *pod_node_shape(x, 0);
    pod_shape apart = {5, {shape.dims[0], shape.dims[1], a->times, shape.dims[2], shape.dims[3]}};
    shape.dims[1] *= a->times;
    x = pod_graph_unreduce(a->graph, x, &apart, &(pod_axes){1, {2}});
    return pod_graph_reshape(a->graph, x, &shape);
}

static bool take_operands(pod_body *body, bool backward, pod_attention *a)
{
    *a = (pod_attention){.body = body, .graph = body->graph};
    size_t end = body->operand_count - backward;
    if (!expect_attention(body) || !take_optional(a, end))
        return false;
    const pod_shape *q = pod_node_shape(body->operands[0], 0);
    const pod_shape *v = pod_node_shape(body->operands[2], 0);
    int heads = heads_axis(body);
    pod_shape result = *q;
    result.dims[3] = v->dims[3];
    if (backward &&
        (!pod_graph_body_expect_same_dtype(body, 0, end) || !pod_graph_body_expect_shape(body, end, &result)))
        return false;
    a->times = q->dims[heads] / pod_node_shape(body->operands[1], 0)->dims[heads];
    a->q = swap_places(a, body->operands[0]);
    a->k = repeat_heads(a, swap_places(a, body->operands[1]));
    a->v = repeat_heads(a, swap_places(a, body->operands[2]));
    a->g = backward ? swap_places(a, body->operands[end]) : NULL;
    return true;
}

/* ---- shares ---------------------------------------------------------------------------------- */

static double scale_of(const pod_attention *a)
{
    double scale = a->body->attributes.values[0];
    return scale == 0 ? 1 / sqrt((double)pod_node_shape(a->body->operands[0], 0)->dims[3]) : scale;
}

/* A product of each head's matrices, over axis `left` of a and `right` of b. */
static pod_node *multiply(pod_attention *a, pod_node *x, int32_t left, pod_node *y, int32_t right, pod_dtype dtype)
{
    pod_attributes lists = {
        .lhs_batch = {2, {0, 1}},
        .rhs_batch = {2, {0, 1}},
        .lhs_contract = {1, {left}},
        .rhs_contract = {1, {right}},
        .dtype = dtype,
    };
    return pod_graph_dot(a->graph, x, y, &lists);
}

static pod_dtype wide(const pod_attention *a)
{
    return pod_graph_wide_dtype(pod_node_dtype(a->body->operands[0], 0));
}

/* Puts `hidden` where a query may not look: behind its own place when causal, and by the mask. */
static pod_node *hide(pod_attention *a, pod_node *x, double hidden_value)
{
    pod_graph *graph = a->graph;
    pod_node *hidden = pod_graph_number_like(graph, x, hidden_value);
    if (a->body->attributes.flag && pod_node_is_valid(x)) {
        const pod_shape *shape = pod_node_shape(x, 0);
        pod_shape plane = {.rank = 2, .dims = {shape->dims[2], shape->dims[3]}};
        pod_node *seen = pod_graph_compare(graph, POD_COMPARE_GE, pod_graph_iota(graph, POD_S32, &plane, 0),
                                           pod_graph_iota(graph, POD_S32, &plane, 1));
        x = pod_graph_select(graph, seen, x, hidden);
    }
    if (a->mask)
        x = pod_graph_select(graph, a->mask, x, hidden);
    return x;
}

/* softmax(q k^T * scale), wide: [b, h, t, s] */
static pod_node *shares(pod_attention *a)
{
    pod_attributes axis = {.axis = 3};
    pod_node *s = multiply(a, a->q, 3, a->k, 3, wide(a));
    s = hide(a, pod_graph_scale(a->graph, s, scale_of(a)), HIDDEN_SCORE);
    pod_node *p = pod_graph_composite(a->graph, "softmax", &s, 1, &axis);
    return a->body->attributes.count ? hide(a, p, 0) : p;
}

/* Drops shares, or what comes back to them: the same each time. */
static pod_node *drop(pod_attention *a, pod_node *x)
{
    if (!a->state)
        return x;
    pod_attributes attributes = {.values = {a->body->attributes.values[1]}, .seed = a->body->attributes.seed};
    return pod_graph_composite(a->graph, "dropout", (pod_node *[]){x, a->state}, 2, &attributes);
}

void pod_body_attention(pod_body *body)
{
    pod_attention a;
    if (!take_operands(body, false, &a))
        return;
    pod_dtype dtype = pod_node_dtype(body->operands[2], 0);
    pod_node *p = pod_graph_convert(a.graph, drop(&a, shares(&a)), dtype);
    pod_graph_add_output(a.graph, swap_places(&a, multiply(&a, p, 3, a.v, 2, POD_DTYPE_NONE)));
}

/* ---- gradient -------------------------------------------------------------------------------- */

void pod_graph_pullback_attention(pod_pullback *back)
{
    const pod_node *node = back->node;
    pod_node *inputs[6] = {NULL};
    uint32_t count = node->input_count;
    for (uint32_t i = 0; i < count; i++)
        inputs[i] = node->inputs[i];
    inputs[count] = back->cotangents[0];
    pod_node *made = pod_graph_composite(back->graph, "attention_gradient", inputs, count + 1, node->attributes);
    for (uint32_t i = 0; i < 3; i++)
        back->operands[i] = pod_graph_result(back->graph, made, i);
}

/* The gradient of k or v: of the heads that share one, the sum. */
static void add_keys_output(pod_attention *a, pod_node *weights, pod_node *x)
{
    pod_node *sum = multiply(a, weights, 2, x, 2, a->times > 1 ? wide(a) : POD_DTYPE_NONE);
    if (a->times > 1 && pod_node_is_valid(sum)) {
        pod_shape apart = *pod_node_shape(sum, 0);
        apart = (pod_shape){5, {apart.dims[0], apart.dims[1] / a->times, a->times, apart.dims[2], apart.dims[3]}};
        sum = pod_graph_reshape(a->graph, sum, &apart);
        sum = pod_graph_reduce_axis(a->graph, "reduce_sum", sum, 2);
        sum = pod_graph_convert(a->graph, sum, pod_node_dtype(a->body->operands[0], 0));
    }
    pod_graph_add_output(a->graph, swap_places(a, sum));
}

/* With p = shares and dp = g v^T: dv = p^T g; ds = (dp - sum(dp p)) p; dq = ds k; dk = ds^T q. */
void pod_body_attention_gradient(pod_body *body)
{
    pod_attention a;
    if (!take_operands(body, true, &a))
        return;
    pod_graph *graph = a.graph;
    pod_dtype dtype = pod_node_dtype(body->operands[0], 0);
    pod_node *p = shares(&a);
    pod_node *dp = drop(&a, multiply(&a, a.g, 3, a.v, 3, wide(&a)));
    pod_node *sum = pod_graph_reduce_axis(graph, "reduce_sum", pod_graph_multiply(graph, dp, p), 3);
    pod_node *ds = pod_graph_subtract(graph, dp, pod_graph_over_axis(graph, sum, dp, 3));
    ds = hide(&a, pod_graph_multiply(graph, ds, p), 0);
    ds = pod_graph_convert(graph, pod_graph_scale(graph, ds, scale_of(&a)), dtype);
    pod_graph_add_output(graph, swap_places(&a, multiply(&a, ds, 3, a.k, 2, POD_DTYPE_NONE)));
    add_keys_output(&a, ds, a.q);
    add_keys_output(&a, pod_graph_convert(graph, drop(&a, p), dtype), a.g);
}
