/* make_control - ops with regions, composites, and gradients. */

#include "programs.h"

#include <stdlib.h>

/* ---- composites ----------------------------------------------------------------------------------------- */

static const char *const activations[] = {
    "relu", "softplus", "gelu", "silu", "softmax", "log_softmax", "layer_normalization", "rms_normalization"};

static pod_node *make_activation(maker *m)
{
    pod_node *x = any_float(m);
    const char *name = activations[below(&m->dice, 8)];
    if (!x || (m->whole && name[0] != 'r') || (m->whole && name[1] == 'm'))
        return NULL;
    const pod_shape *shape = pod_node_shape(x, 0);
    pod_attributes a = {.values = {1e-3}, .flag = name[0] == 'g' && chance(&m->dice, 50)};
    pod_node *inputs[3] = {x};
    size_t count = 1;
    if (name == activations[4] || name == activations[5])
        a.axis = shape->rank > 0 ? (int32_t)below(&m->dice, shape->rank) : 0;
    if (name == activations[6] || name == activations[7]) {
        const pod_shape row = {1, {shape->rank > 0 ? shape->dims[shape->rank - 1] : 1}};
        for (size_t most = name == activations[6] ? 3 : 2; count < most && chance(&m->dice, 60); count++)
            inputs[count] = like(m, pod_node_dtype(x, 0), &row);
    } else {
        a.values[0] = 0;
    }
    return add_composite(m, name, inputs, count, &a);
}

static pod_node *make_loss(maker *m)
{
    pod_node *x = any_float(m), *inputs[2] = {x};
    if (!x || pod_node_shape(x, 0)->rank == 0 || m->whole)
        return NULL;
    pod_shape shape = *pod_node_shape(x, 0), rows = shape;
    rows.rank--;
    if (chance(&m->dice, 50)) {
        const int64_t classes = shape.dims[rows.rank];
        if (classes == 0)
            return NULL;
        inputs[1] = index_node(m, chance(&m->dice, 70) ? POD_S32 : POD_S64, &rows, classes);
        return inputs[1] ? add_composite(m, "sparse_softmax_cross_entropy", inputs, 2, NULL) : NULL;
    }
    inputs[1] = like(m, pod_node_dtype(x, 0), &shape);
    return add_composite(m, chance(&m->dice, 50) ? "softmax_cross_entropy" : "sigmoid_cross_entropy", inputs, 2, NULL);
}

static pod_node *make_attention(maker *m)
{
    dice *d = &m->dice;
    if (m->whole)
        return NULL;
    const pod_dtype dtype = pod_dtype_is_float(m->types[0]) ? m->types[0] : POD_F32;
    const int64_t batch = 1 + below(d, 2), keys = 1 + below(d, 2), times = 1 + below(d, 2);
    const int64_t t = 1 + below(d, 9), s = 1 + below(d, 9), width = 1 + below(d, 8), depth = 1 + below(d, 8);
    pod_attributes a = {.axis = chance(d, 50) ? 2 : 0, .flag = chance(d, 40), .count = chance(d, 30)};
    pod_shape q = {4, {batch, keys * times, t, width}}, k = {4, {batch, keys, s, width}};
    pod_shape v = {4, {batch, keys, s, depth}};
    pod_shape *all[] = {&q, &k, &v};
    for (int i = 0; i < 3 && a.axis == 2; i++) {
        const int64_t kept = all[i]->dims[1];
        all[i]->dims[1] = all[i]->dims[2];
        all[i]->dims[2] = kept;
    }
    pod_node *inputs[4] = {like(m, dtype, &q), like(m, dtype, &k), like(m, dtype, &v)};
    size_t count = 3;
    if (chance(d, 40))
        inputs[count++] = like(m, POD_BOOL, &(pod_shape){4, {chance(d, 50) ? batch : 1, 1, t, s}});
    return add_composite(m, "attention", inputs, count, &a);
}

static pod_node *make_optimizer(maker *m)
{
    static const pod_shape scalar;
    pod_node *w = any_float(m);
    if (!w || m->whole || m->wild)
        return NULL;
    const pod_shape *shape = pod_node_shape(w, 0);
    const pod_dtype dtype = pod_node_dtype(w, 0);
    const bool mixes = !chance(&m->dice, 70) && m->kind != PROGRAM_SMOOTH; /* conversions make steps */
    pod_node *g = like(m, mixes ? POD_F32 : dtype, shape);
    pod_node *square = pod_graph_abs(m->graph, like(m, dtype, shape)), *rate = number(m, POD_F32, 0.05, &scalar);
    pod_node *inputs[6] = {w, like(m, dtype, shape), square, g, rate, rate};
    pod_node *made;
    pod_attributes a = {.values = {0.9, 0.99, 1e-2, 0.1}, .flag = chance(&m->dice, 50)};
    switch (below(&m->dice, 4)) {
    case 0:
        made = add_composite(m, "sgd", (pod_node *[]){w, g, rate}, 3, NULL);
        return made;
    case 1:
        made = add_composite(m, "sgd_momentum", (pod_node *[]){w, inputs[1], g, rate}, 4,
                             &(pod_attributes){.values = {0.9}, .flag = a.flag});
        return made ? pod_graph_result(m->graph, made, (size_t)below(&m->dice, 2)) : NULL;
    case 2:
        a.flag = false;
        a.values[3] = 0;
        made = add_composite(m, "adam", inputs, 5, &a);
        break;
    default:
        a.flag = false;
        made = add_composite(m, "adamw", inputs, 6, &a);
    }
    if (!made)
        return NULL;
    for (size_t i = 0; i < 2; i++)
        m->nodes[m->node_count++] = pod_graph_result(m->graph, made, i + 1);
    return pod_graph_result(m->graph, made, 0);
}

static pod_node *make_random(maker *m)
{
    static const char *const names[] = {"random_uniform", "random_normal", "truncated_normal", "bernoulli"};
    pod_node *bits = make_random_bits(m, POD_OP_RANDOM_BITS);
    if (!bits || m->whole || m->kind == PROGRAM_SMOOTH)
        return NULL;
    pod_node *state = bits->inputs[0];
    pod_attributes a = {.seed = ++m->places, .shape = any_shape(m), .values = {0, 1}};
    if (chance(&m->dice, 40)) {
        pod_node *x = any_float(m);
        a = (pod_attributes){.seed = a.seed, .values = {0.3}};
        return x ? add_composite(m, "dropout", (pod_node *[]){x, state}, 2, &a) : NULL;
    }
    const char *name = names[below(&m->dice, 4)];
    if (name == names[3])
        a.values[0] = 0.4;
    return add_composite(m, name, &state, 1, &a);
}

/* A body of ops, or one that is computed a second time for its gradient. */
static pod_node *make_body(maker *m, pod_op op)
{
    pod_node *inputs[2] = {any_node(m), any_node(m)};
    maker *body = region_open(m);
    for (int i = 0; i < 2; i++)
        body->nodes[body->node_count++] =
            new_parameter(body, pod_node_dtype(inputs[i], 0), pod_node_shape(inputs[i], 0));
    make_nodes(body, 1 + (int)below(&m->dice, 4));
    pod_graph_add_output(body->graph, body->nodes[body->node_count - 1]);
    pod_graph *region = region_close(body);
    const pod_attributes a = {.name = chance(&m->dice, 50) ? "remat" : "body"};
    return add_regions(m, op, inputs, 2, &a, &region, 1);
}

pod_node *make_call(maker *m, pod_op op)
{
    switch (below(&m->dice, 12)) {
    case 0:
    case 1:
        return make_body(m, op);
    case 2:
    case 3:
        return make_loss(m);
    case 4:
        return make_attention(m);
    case 5:
        return make_optimizer(m);
    case 6:
        return make_random(m);
    default:
        return make_activation(m);
    }
}

/* ---- regions --------------------------------------------------------------------------------------------- */

#define MOST_STATE 3

/* A region that takes values of these types, and gives as many of the same. */
static pod_graph *make_region(maker *m, pod_node *const *state, size_t count, bool counts)
{
    static const pod_shape scalar;
    maker *region = region_open(m);
    pod_node *counter = counts ? new_parameter(region, POD_S32, &scalar) : NULL;
    for (size_t i = 0; i < count; i++)
        region->nodes[region->node_count++] =
            new_parameter(region, pod_node_dtype(state[i], 0), pod_node_shape(state[i], 0));
    make_nodes(region, 1 + (int)below(&m->dice, 5));
    pod_node *made[MOST_STATE];
    for (size_t i = 0; i < count; i++) {
        made[i] = fitted(region, any_node(region), pod_node_dtype(state[i], 0), pod_node_shape(state[i], 0));
        if (!made[i])
            made[i] = region->nodes[i];
        made[i] = tamed(region, made[i]);
    }
    if (counts)
        pod_graph_add_output(region->graph, pod_graph_offset(region->graph, counter, 1));
    for (size_t i = 0; i < count; i++)
        pod_graph_add_output(region->graph, made[i]);
    return region_close(region);
}

/* Remembers all results of a node but one, which is given. */
static pod_node *results_of(maker *m, pod_node *made, size_t first, size_t count)
{
    if (!made)
        return NULL;
    for (size_t i = first; i + 1 < count; i++)
        m->nodes[m->node_count++] = pod_graph_result(m->graph, made, i);
    return pod_graph_result(m->graph, made, count - 1);
}

pod_node *make_cond(maker *m, pod_op op)
{
    static const pod_shape scalar;
    pod_node *inputs[1 + MOST_STATE] = {like(m, POD_BOOL, &scalar)};
    const size_t count = 1 + (size_t)below(&m->dice, MOST_STATE);
    for (size_t i = 0; i < count; i++)
        inputs[1 + i] = any_node(m);
    pod_graph *regions[2];
    for (int i = 0; i < 2; i++)
        regions[i] = make_region(m, inputs + 1, count, false);
    return results_of(m, add_regions(m, op, inputs, 1 + count, NULL, regions, 2), 0, count);
}

/* Goes on while a counter is below a number. */
pod_node *make_while(maker *m, pod_op op)
{
    static const pod_shape scalar;
    const int64_t turns = below(&m->dice, 5);
    pod_node *inputs[1 + MOST_STATE] = {number(m, POD_S32, 0, &scalar)};
    const size_t count = 1 + (size_t)below(&m->dice, MOST_STATE);
    for (size_t i = 0; i < count; i++)
        inputs[1 + i] = any_node(m);
    maker *condition = region_open(m);
    pod_node *counter = new_parameter(condition, POD_S32, &scalar);
    for (size_t i = 0; i < count; i++)
        new_parameter(condition, pod_node_dtype(inputs[1 + i], 0), pod_node_shape(inputs[1 + i], 0));
    pod_graph_add_output(condition->graph, pod_graph_compare(condition->graph, POD_COMPARE_LT, counter,
                                                             number(condition, POD_S32, (double)turns, &scalar)));
    pod_graph *regions[2] = {region_close(condition), make_region(m, inputs + 1, count, true)};
    const pod_attributes a = {.count = chance(&m->dice, 60) ? turns + below(&m->dice, 2) + 1 : 0};
    return results_of(m, add_regions(m, op, inputs, 1 + count, &a, regions, 2), 1, 1 + count);
}

/* Folds by a region of one op that may be known, or of several that are not. */
pod_node *make_reduce(maker *m, pod_op op)
{
    static const pod_shape scalar;
    pod_node *x = any_number(m);
    if (!x || pod_shape_elements(pod_node_shape(x, 0)) > 2000)
        return NULL;
    const pod_dtype dtype = pod_node_dtype(x, 0);
    maker *region = region_open(m);
    pod_graph *g = region->graph;
    pod_node *a = new_parameter(region, dtype, &scalar), *b = new_parameter(region, dtype, &scalar), *made;
    switch (below(&m->dice, m->whole ? 4 : 5)) {
    case 0:
        made = pod_graph_add(g, a, b);
        break;
    case 1:
        made = pod_graph_maximum(g, b, a);
        break;
    case 2:
        made = pod_graph_minimum(g, a, b);
        break;
    case 3:
        made = pod_graph_remainder(g, pod_graph_subtract(g, pod_graph_add(g, a, a), b),
                                   pod_graph_scalar(g, dtype, 7, NULL));
        break;
    default:
        made = pod_graph_multiply(g, a, b);
    }
    pod_graph_add_output(g, made);
    pod_graph *regions[1] = {region_close(region)};
    pod_attributes axes = {0};
    for (int32_t i = 0; i < pod_node_shape(x, 0)->rank; i++)
        if (chance(&m->dice, 50))
            axes.axes.axes[axes.axes.count++] = i;
    return add_regions(m, op, (pod_node *[]){x, like(m, dtype, &scalar)}, 2, &axes, regions, 1);
}

/* ---- gradients -------------------------------------------------------------------------------------------- */

/* Gradients of one value by up to three others, and sometimes of one of those. */
void make_gradients(maker *m)
{
    const int orders = chance(&m->dice, 40) ? 2 : 1;
    pod_node *first = NULL;
    for (int order = 0; order < orders; order++) {
        pod_node *target = first && chance(&m->dice, 70) ? first : any_float(m), *sources[3], *gradients[3];
        size_t count = 0;
        pod_error error;
        for (size_t i = 0; i < pod_graph_parameter_count(m->graph) && count < 3; i++) {
            pod_node *parameter = pod_graph_get_parameter(m->graph, i);
            if (pod_dtype_is_float(pod_node_dtype(parameter, 0)))
                sources[count++] = parameter;
        }
        if (!target || count == 0)
            return;
        if (pod_graph_gradient(m->graph, target, NULL, sources, count, gradients, &error) != POD_OK) {
            pod_graph_clear_error(m->graph);
            return;
        }
        for (size_t i = 0; i < count; i++) {
            pod_node *small = gradients[i] ? tamed(m, gradients[i]) : NULL;
            if (!small)
                continue;
            m->nodes[m->node_count++] = small;
            first = pod_dtype_is_float(pod_node_dtype(small, 0)) ? small : first;
        }
        make_nodes(m, (int)below(&m->dice, 3));
    }
}
