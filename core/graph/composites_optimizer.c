#include "graph/build.h"
#include "graph/composites.h"

/* Updates of weights, in Keras' order of operations. */

/* Fails unless w and its `slots` (operands 1 ..) are floats of one type and shape, operand
 * `gradient` has that shape, and the operands after it are float scalars. */
static bool expect_update(pod_body *body, size_t slots)
{
    static const pod_shape scalar;
    size_t gradient = slots + 1;
    const pod_shape *shape = pod_node_shape(body->operands[0], 0);
    if (!pod_graph_body_expect_float(body, 0))
        return false;
    for (size_t i = 1; i < body->operand_count; i++) {
        if (i < gradient && !pod_graph_body_expect_same_dtype(body, 0, i))
            return false;
        if (!pod_graph_body_expect_float(body, i) ||
            !pod_graph_body_expect_shape(body, i, i <= gradient ? shape : &scalar))
            return false;
    }
    return true;
}

/* Operand `index` in the type of w. */
static pod_node *like_weight(pod_body *body, size_t index)
{
    return pod_graph_convert(body->graph, body->operands[index], pod_node_dtype(body->operands[0], 0));
}

void pod_body_sgd(pod_body *body)
{
    pod_graph *graph = body->graph;
    if (!expect_update(body, 0))
        return;
    pod_node *step = pod_graph_multiply(graph, like_weight(body, 1), like_weight(body, 2));
    pod_graph_add_output(graph, pod_graph_subtract(graph, body->operands[0], step));
}

void pod_body_sgd_momentum(pod_body *body)
{
    pod_graph *graph = body->graph;
    if (!expect_update(body, 1))
        return;
    double momentum = body->attributes.values[0];
    pod_node *w = body->operands[0];
    pod_node *step = pod_graph_multiply(graph, like_weight(body, 2), like_weight(body, 3));
    pod_node *m = pod_graph_subtract(graph, pod_graph_scale(graph, body->operands[1], momentum), step);
    pod_node *move = m;
    if (body->attributes.flag)
        move = pod_graph_subtract(graph, pod_graph_scale(graph, m, momentum), step);
    pod_graph_add_output(graph, pod_graph_add(graph, w, move));
    pod_graph_add_output(graph, m);
}

/* slot + (x - slot) (1 - rate) */
static pod_node *moving_average(pod_graph *graph, pod_node *slot, pod_node *x, double rate)
{
    pod_node *move = pod_graph_scale(graph, pod_graph_subtract(graph, x, slot), 1 - rate);
    return pod_graph_add(graph, slot, move);
}

/* Adam from `w`, which may have been decayed. */
static void write_adam(pod_body *body, pod_node *w)
{
    pod_graph *graph = body->graph;
    const double *values = body->attributes.values;
    pod_node *g = like_weight(body, 3), *alpha = like_weight(body, 4);
    pod_node *m = moving_average(graph, body->operands[1], g, values[0]);
    pod_node *v = moving_average(graph, body->operands[2], pod_graph_multiply(graph, g, g), values[1]);
    pod_node *root = pod_graph_offset(graph, pod_graph_sqrt(graph, v), values[2]);
    pod_node *step = pod_graph_divide(graph, pod_graph_multiply(graph, m, alpha), root);
    pod_graph_add_output(graph, pod_graph_subtract(graph, w, step));
    pod_graph_add_output(graph, m);
    pod_graph_add_output(graph, v);
}

void pod_body_adam(pod_body *body)
{
    if (expect_update(body, 2))
        write_adam(body, body->operands[0]);
}

void pod_body_adamw(pod_body *body)
{
    pod_graph *graph = body->graph;
    if (!expect_update(body, 2))
        return;
    pod_node *w = body->operands[0];
    pod_node *decay = pod_graph_scale(graph, w, body->attributes.values[3]);
    decay = pod_graph_multiply(graph, decay, like_weight(body, 5));
    write_adam(body, pod_graph_subtract(graph, w, decay));
}
