/*
 * Composites: gradients against differences, values against formulas, in f64.
 */

#include "grad_check.h"

#include "graph/composites.h"

#define COMPOSITE(function, name, count, ...)                                                                          \
    static pod_node *function(pod_graph *graph, pod_node **p)                                                          \
    {                                                                                                                  \
        pod_attributes attributes = {__VA_ARGS__};                                                                     \
        return pod_graph_composite(graph, name, p, count, &attributes);                                                \
    }

COMPOSITE(relu, "relu", 1, 0)
COMPOSITE(softplus, "softplus", 1, 0)
COMPOSITE(gelu, "gelu", 1, 0)
COMPOSITE(gelu_approximate, "gelu", 1, .flag = true)
COMPOSITE(silu, "silu", 1, 0)
COMPOSITE(softmax, "softmax", 1, .axis = 1)
COMPOSITE(log_softmax, "log_softmax", 1, .axis = -2)
COMPOSITE(softmax_cross_entropy, "softmax_cross_entropy", 2, 0)
COMPOSITE(sigmoid_cross_entropy, "sigmoid_cross_entropy", 2, 0)
COMPOSITE(layer_normalization, "layer_normalization", 3, .values = {1e-3})
COMPOSITE(rms_normalization, "rms_normalization", 2, .values = {1e-6})
COMPOSITE(attention, "attention", 3, .flag = true)
COMPOSITE(sgd, "sgd", 3, 0)

static pod_node *sparse_softmax_cross_entropy(pod_graph *graph, pod_node **p)
{
    static const uint8_t labels[] = {2, 0};
    pod_node *inputs[] = {p[0], pod_graph_constant(graph, POD_U8, &(pod_shape){1, {2}}, labels)};
    return pod_graph_composite(graph, "sparse_softmax_cross_entropy", inputs, 2, NULL);
}

static pod_node *dropout(pod_graph *graph, pod_node **p)
{
    static const uint64_t state[] = {5, 7};
    pod_attributes attributes = {.values = {0.5}, .seed = 3};
    pod_node *inputs[] = {p[0], pod_graph_constant(graph, POD_U64, &(pod_shape){1, {2}}, state)};
    return pod_graph_exp(graph, pod_graph_composite(graph, "dropout", inputs, 2, &attributes));
}

static pod_node *masked_attention(pod_graph *graph, pod_node **p)
{
    static const bool seen[] = {true, false, true, true};
    pod_node *inputs[] = {p[0], p[1], p[2], pod_graph_constant(graph, POD_BOOL, &(pod_shape){1, {4}}, seen)};
    pod_attributes attributes = {.values = {0.3}};
    return pod_graph_composite(graph, "attention", inputs, 4, &attributes);
}

/* Heads that share keys, places before heads, dropout and a query that sees nothing. */
static pod_node *shared_attention(pod_graph *graph, pod_node **p)
{
    static const uint64_t state[] = {5, 7};
    static const bool seen[] = {true, false, true, false, false, false};
    pod_node *inputs[] = {p[0], p[1], p[2], pod_graph_constant(graph, POD_BOOL, &(pod_shape){4, {1, 1, 2, 3}}, seen),
                          pod_graph_constant(graph, POD_U64, &(pod_shape){1, {2}}, state)};
    pod_attributes attributes = {.axis = 2, .count = 1, .seed = 3, .values = {0.8, 0.4}};
    return pod_graph_composite(graph, "attention", inputs, 5, &attributes);
}

/* Meta-learning goes through updates. */
static pod_node *adam(pod_graph *graph, pod_node **p)
{
    pod_attributes attributes = {.values = {0.9, 0.999, 1e-3}};
    pod_node *v = pod_graph_multiply(graph, p[2], p[2]);
    pod_node *alpha = pod_graph_scalar(graph, POD_F64, 0.1, NULL);
    pod_node *inputs[] = {p[0], p[1], v, p[2], alpha};
    pod_node *update = pod_graph_composite(graph, "adam", inputs, 5, &attributes);
    return pod_graph_add(graph, pod_graph_result(graph, update, 0), pod_graph_result(graph, update, 2));
}

typedef struct composite_case {
    const char *name;
    grad_builder build;
    size_t count;
    pod_shape shapes[3];
    bool first_order;
} composite_case;

#define TWO_ROWS                                                                                                       \
    {                                                                                                                  \
        2,                                                                                                             \
        {                                                                                                              \
            2, 3                                                                                                       \
        }                                                                                                              \
    }

static const composite_case cases[] = {
    {"relu", relu, 1, {TWO_ROWS}, true},
    {"softplus", softplus, 1, {TWO_ROWS}, false},
    {"gelu", gelu, 1, {TWO_ROWS}, false},
    {"gelu approximate", gelu_approximate, 1, {TWO_ROWS}, false},
    {"silu", silu, 1, {TWO_ROWS}, false},
    {"softmax", softmax, 1, {TWO_ROWS}, false},
    {"log_softmax", log_softmax, 1, {TWO_ROWS}, false},
    {"sparse_softmax_cross_entropy", sparse_softmax_cross_entropy, 1, {TWO_ROWS}, false},
    {"softmax_cross_entropy", softmax_cross_entropy, 2, {TWO_ROWS, TWO_ROWS}, false},
    {"sigmoid_cross_entropy", sigmoid_cross_entropy, 2, {TWO_ROWS, TWO_ROWS}, false},
    {"layer_normalization", layer_normalization, 3, {TWO_ROWS, {1, {3}}, {1, {3}}}, false},
    {"rms_normalization", rms_normalization, 2, {TWO_ROWS, {1, {3}}}, false},
    {"attention", attention, 3, {{4, {1, 2, 3, 2}}, {4, {1, 2, 3, 2}}, {4, {1, 2, 3, 2}}}, false},
    {"shared attention", shared_attention, 3, {{4, {1, 2, 4, 2}}, {4, {1, 3, 2, 2}}, {4, {1, 3, 2, 1}}}, false},
    {"masked attention", masked_attention, 3, {{4, {1, 1, 2, 2}}, {4, {1, 1, 4, 2}}, {4, {1, 1, 4, 3}}}, true},
    {"sgd", sgd, 3, {TWO_ROWS, TWO_ROWS, {0}}, true},
    {"adam", adam, 3, {TWO_ROWS, TWO_ROWS, TWO_ROWS}, true},
    {"dropout", dropout, 1, {{2, {4, 3}}}, false},
};

static void check_all(int order, double tolerance)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const composite_case *c = &cases[i];
        if (order == 1 || !c->first_order)
            check_gradient(c->build, c->shapes, c->count, -1, 1, order, tolerance, c->name);
    }
}

TEST(gradients_are_the_slopes)
{
    check_all(1, 1e-6);
}

TEST(gradients_of_gradients_are_the_second_slopes)
{
    check_all(2, 1e-5);
}

TEST_MAIN(RUN(gradients_are_the_slopes); RUN(gradients_of_gradients_are_the_second_slopes))
