#include <stdio.h>

#include "graph/build.h"
#include "graph/composites.h"

/* Losses of classifiers. Logits are [..., classes]; all is computed wide. */

/* The shape of one value an example. */
static pod_shape example_shape(const pod_node *logits)
{
    pod_shape shape = *pod_node_shape(logits, 0);
    shape.dims[--shape.rank] = 0;
    return shape;
}

/* Fails unless operand 0 is logits with at least one class. */
static bool expect_logits(pod_body *body)
{
    const pod_shape *shape = pod_node_shape(body->operands[0], 0);
    if (!pod_graph_body_expect_float(body, 0))
        return false;
    if (shape->rank > 0 && shape->dims[shape->rank - 1] > 0 && shape->dims[shape->rank - 1] <= INT32_MAX)
        return true;
    return pod_graph_body_fail(body, POD_ERROR_SHAPE, "the logits need a last axis of classes");
}

/* Repeats one value an example over the classes. */
static pod_node *over_classes(pod_graph *graph, pod_node *x, const pod_shape *shape)
{
    return pod_graph_unreduce(graph, x, shape, &(pod_axes){.count = 1, .axes = {shape->rank - 1}});
}

/* Sums over the classes. */
static pod_node *sum_classes(pod_graph *graph, pod_node *x)
{
    return pod_graph_reduce_axis(graph, "reduce_sum", x, pod_node_shape(x, 0)->rank - 1);
}

/* ---- labels ---------------------------------------------------------------------------------- */

static bool expect_labels(pod_body *body)
{
    pod_shape shape = example_shape(body->operands[0]);
    pod_dtype dtype = pod_node_dtype(body->operands[1], 0);
    if (!pod_dtype_is_integer(dtype))
        return pod_graph_body_fail(body, POD_ERROR_DTYPE, "the labels are %s, but must be integers: class numbers",
                                   pod_dtype_name(dtype));
    return pod_graph_body_expect_shape(body, 1, &shape);
}

/* Lets a run fail where a label is no class. Compared as s64, since narrow types cannot hold the
 * number of classes. */
static pod_node *checked_labels(pod_graph *graph, pod_node *labels, int64_t classes)
{
    char message[128];
    pod_node *wide = pod_graph_convert(graph, labels, POD_S64);
    pod_node *in_range = pod_graph_and(
        graph, pod_graph_compare(graph, POD_COMPARE_GE, wide, pod_graph_number_like(graph, wide, 0)),
        pod_graph_compare(graph, POD_COMPARE_LT, wide, pod_graph_number_like(graph, wide, (double)classes)));
    snprintf(message, sizeof(message), "sparse_softmax_cross_entropy: a label is not one of the classes 0 to %lld",
             (long long)classes - 1);
    pod_attributes attributes = {.name = message};
    return pod_graph_apply(graph, POD_OP_CHECK, (pod_node *[]){labels, in_range}, 2, &attributes, NULL, 0);
}

/* Whether each class is the labelled one: bool [..., classes]. */
static pod_node *is_labelled(pod_graph *graph, pod_node *labels, const pod_shape *shape)
{
    pod_node *number = pod_graph_convert(graph, labels, POD_S32);
    return pod_graph_compare(graph, POD_COMPARE_EQ, over_classes(graph, number, shape),
                             pod_graph_iota(graph, POD_S32, shape, shape->rank - 1));
}

void pod_body_sparse_softmax_cross_entropy(pod_body *body)
{
    pod_graph *graph = body->graph;
    if (!expect_logits(body) || !expect_labels(body))
        return;
    pod_node *x = pod_graph_widen(graph, body->operands[0]);
    const pod_shape *shape = pod_node_shape(x, 0);
    pod_exponentials e = pod_graph_exponentials(graph, x, shape->rank - 1);
    pod_node *labels = checked_labels(graph, body->operands[1], shape->dims[shape->rank - 1]);
    pod_node *labelled =
        pod_graph_select(graph, is_labelled(graph, labels, shape), e.shifted, pod_graph_number_like(graph, x, 0));
    pod_node *log_sum = pod_graph_log(graph, e.sum);
    pod_graph_add_output(graph, pod_graph_subtract(graph, log_sum, sum_classes(graph, labelled)));
}

void pod_graph_pullback_sparse_softmax_cross_entropy(pod_pullback *back)
{
    pod_node *inputs[] = {back->node->inputs[0], back->node->inputs[1], back->cotangents[0]};
    back->operands[0] = pod_graph_composite(back->graph, "sparse_softmax_cross_entropy_gradient", inputs, 3, NULL);
}

/* g over the classes, after checking that there is one an example. */
static pod_node *spread_gradient(pod_body *body)
{
    pod_shape one = example_shape(body->operands[0]);
    if (!pod_graph_body_expect_float(body, 2) || !pod_graph_body_expect_shape(body, 2, &one))
        return NULL;
    pod_node *x = body->operands[0];
    pod_node *g = pod_graph_convert(body->graph, body->operands[2], pod_graph_wide_dtype(pod_node_dtype(x, 0)));
    return over_classes(body->graph, g, pod_node_shape(x, 0));
}

void pod_body_sparse_softmax_cross_entropy_gradient(pod_body *body)
{
    pod_graph *graph = body->graph;
    if (!expect_logits(body) || !expect_labels(body))
        return;
    pod_node *g = spread_gradient(body);
    if (!g)
        return;
    pod_node *x = pod_graph_widen(graph, body->operands[0]);
    const pod_shape *shape = pod_node_shape(x, 0);
    pod_exponentials e = pod_graph_exponentials(graph, x, shape->rank - 1);
    pod_node *p = pod_graph_divide(graph, e.exp, over_classes(graph, e.sum, shape));
    pod_node *one = pod_graph_number_like(graph, x, 1), *zero = pod_graph_number_like(graph, x, 0);
    pod_node *hot = pod_graph_select(graph, is_labelled(graph, body->operands[1], shape), one, zero);
    pod_node *dx = pod_graph_multiply(graph, pod_graph_subtract(graph, p, hot), g);
    pod_graph_add_output(graph, pod_graph_convert(graph, dx, pod_node_dtype(body->operands[0], 0)));
}

/* ---- probabilities --------------------------------------------------------------------------- */

static bool expect_targets(pod_body *body)
{
    return pod_graph_body_expect_same_dtype(body, 0, 1) &&
           pod_graph_body_expect_shape(body, 1, pod_node_shape(body->operands[0], 0));
}

void pod_body_softmax_cross_entropy(pod_body *body)
{
    pod_graph *graph = body->graph;
    if (!expect_logits(body) || !expect_targets(body))
        return;
    pod_node *x = pod_graph_widen(graph, body->operands[0]);
    pod_node *targets = pod_graph_widen(graph, body->operands[1]);
    const pod_shape *shape = pod_node_shape(x, 0);
    pod_exponentials e = pod_graph_exponentials(graph, x, shape->rank - 1);
    /* log(sum) - shifted is never negative: no cancellation is left in the sum */
    pod_node *loss = pod_graph_subtract(graph, over_classes(graph, pod_graph_log(graph, e.sum), shape), e.shifted);
    pod_graph_add_output(graph, sum_classes(graph, pod_graph_multiply(graph, targets, loss)));
}

/* dtargets = -log_softmax(x) g */
static pod_node *targets_cotangent(pod_pullback *back)
{
    pod_graph *graph = back->graph;
    pod_node *x = back->node->inputs[0], *targets = back->node->inputs[1];
    pod_attributes attributes = {.axis = -1};
    pod_node *y = pod_graph_composite(graph, "log_softmax", &x, 1, &attributes);
    y = pod_graph_negate(graph, pod_graph_widen(graph, y));
    pod_node *g = over_classes(graph, back->cotangents[0], pod_node_shape(x, 0));
    return pod_graph_convert(graph, pod_graph_multiply(graph, y, g), pod_node_dtype(targets, 0));
}

void pod_graph_pullback_softmax_cross_entropy(pod_pullback *back)
{
    pod_node *inputs[] = {back->node->inputs[0], back->node->inputs[1], back->cotangents[0]};
    if (back->needed[0])
        back->operands[0] = pod_graph_composite(back->graph, "softmax_cross_entropy_gradient", inputs, 3, NULL);
    if (back->needed[1])
        back->operands[1] = targets_cotangent(back);
}

void pod_body_softmax_cross_entropy_gradient(pod_body *body)
{
    pod_graph *graph = body->graph;
    if (!expect_logits(body) || !expect_targets(body))
        return;
    pod_node *g = spread_gradient(body);
    if (!g)
        return;
    pod_node *x = pod_graph_widen(graph, body->operands[0]);
    pod_node *targets = pod_graph_widen(graph, body->operands[1]);
    const pod_shape *shape = pod_node_shape(x, 0);
    pod_exponentials e = pod_graph_exponentials(graph, x, shape->rank - 1);
    pod_node *total = over_classes(graph, sum_classes(graph, targets), shape);
    pod_node *p = pod_graph_divide(graph, e.exp, over_classes(graph, e.sum, shape));
    p = pod_graph_multiply(graph, p, total);
    pod_node *dx = pod_graph_multiply(graph, pod_graph_subtract(graph, p, targets), g);
    pod_graph_add_output(graph, pod_graph_convert(graph, dx, pod_node_dtype(body->operands[0], 0)));
}

/* max(x, 0) - x t + log(1 + exp(-|x|)) */
void pod_body_sigmoid_cross_entropy(pod_body *body)
{
    pod_graph *graph = body->graph;
    if (!pod_graph_body_expect_float(body, 0) || !expect_targets(body))
        return;
    pod_node *x = pod_graph_widen(graph, body->operands[0]);
    pod_node *targets = pod_graph_widen(graph, body->operands[1]);
    pod_node *positive = pod_graph_maximum(graph, x, pod_graph_number_like(graph, x, 0));
    pod_node *decayed = pod_graph_exp(graph, pod_graph_negate(graph, pod_graph_abs(graph, x)));
    pod_node *loss = pod_graph_subtract(graph, positive, pod_graph_multiply(graph, x, targets));
    pod_graph_add_output(graph, pod_graph_add(graph, loss, pod_graph_log1p(graph, decayed)));
}

/* dx = (logistic(x) - t) g, dt = -x g */
void pod_graph_pullback_sigmoid_cross_entropy(pod_pullback *back)
{
    pod_graph *graph = back->graph;
    pod_node *g = back->cotangents[0];
    pod_dtype dtype = pod_node_dtype(back->node->inputs[0], 0);
    pod_node *x = pod_graph_widen(graph, back->node->inputs[0]);
    pod_node *targets = pod_graph_widen(graph, back->node->inputs[1]);
    if (back->needed[0]) {
        pod_node *difference = pod_graph_subtract(graph, pod_graph_logistic(graph, x), targets);
        back->operands[0] = pod_graph_convert(graph, pod_graph_multiply(graph, difference, g), dtype);
    }
    if (back->needed[1])
        back->operands[1] = pod_graph_convert(graph, pod_graph_multiply(graph, pod_graph_negate(graph, x), g), dtype);
}
