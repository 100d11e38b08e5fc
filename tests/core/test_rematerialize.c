/* Graphs that compute values of their forward pass again: random ones and a step of a deep network give the same
 * numbers, and little is kept for the backward pass. */

#include "base/arena_apart.h"
#include "moonpod/exchange.h"
#include "moonpod/replicate.h"
#include "random_graph.h"
#include "test.h"

static pod_context *context;
static pod_error error;

enum { LAYERS = 12, ROWS = 64, WIDTH = 8 };

/* Outputs of a graph of which each parameter is of ones and a half. */
static void run(const pod_graph *graph, pod_array *outputs)
{
    pod_array arguments[LAYERS + 1];
    for (uint32_t i = 0; i < graph->parameter_count; i++) {
        const pod_type *type = &graph->parameters[i]->results[0];
        arguments[i] = evaluate_allocate(type->dtype, &type->shape);
        for (int64_t k = 0; k < pod_shape_elements(&type->shape); k++) {
            const float value = (float)(k * (i + 3) % 7) / 8 - 0.375f;
            pod_convert(POD_F32, &value, type->dtype,
                        (char *)arguments[i].data + (size_t)k * pod_dtype_size(type->dtype), 1);
        }
    }
    ASSERT_OK(evaluate_graph(graph, arguments, outputs, &error));
    evaluate_free(arguments, graph->parameter_count);
}

static void check_same_results(const pod_graph *graph, const pod_graph *made, const char *what)
{
    pod_array expected[64], actual[64];
    ASSERT_OK(pod_graph_verify(made, &error));
    ASSERT_EQ(graph->output_count, made->output_count);
    run(graph, expected);
    run(made, actual);
    for (uint32_t i = 0; i < graph->output_count; i++) {
        ASSERT_EQ(graph->aliases[i], made->aliases[i]);
        const size_t bytes = (size_t)pod_shape_elements(&expected[i].shape) * pod_dtype_size(expected[i].dtype);
        if (memcmp(expected[i].data, actual[i].data, bytes) != 0)
            FAIL("%s: output %u is another one", what, i);
    }
    evaluate_free(expected, graph->output_count);
    evaluate_free(actual, graph->output_count);
}

TEST(random_graphs_give_the_same)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        pod_graph *graph = random_graph_new(context, seed);
        for (uint32_t groups = 2; groups <= 5; groups++) {
            pod_graph *made;
            ASSERT_OK(pod_graph_rematerialize(graph, groups, &made, &error));
            check_same_results(graph, made, "a random graph");
            pod_graph_free(made);
        }
        pod_graph_free(graph);
    }
}

/* A step of a deep network: w - gradient for each layer's weights. */
static pod_graph *deep_step(void)
{
    pod_graph *g;
    pod_node *weights[LAYERS], *gradients[LAYERS];
    ASSERT_OK(pod_graph_new(context, "step", &g, &error));
    pod_node *x = pod_graph_parameter(g, POD_F32, &(pod_shape){2, {ROWS, WIDTH}}, "x");
    for (int i = 0; i < LAYERS; i++)
        weights[i] = pod_graph_parameter(g, POD_F32, &(pod_shape){2, {WIDTH, WIDTH}}, "w");
    for (int i = 0; i < LAYERS; i++)
        x = pod_graph_exp(g, pod_graph_tanh(g, pod_graph_tanh(g, pod_graph_matmul(g, x, weights[i]))));
    pod_node *loss = pod_graph_mean(g, x, NULL, false);
    ASSERT_OK(pod_graph_gradient(g, loss, NULL, weights, LAYERS, gradients, &error));
    for (int i = 0; i < LAYERS; i++) {
        pod_graph_add_output(g, pod_graph_subtract(g, weights[i], gradients[i]));
        pod_graph_set_alias(g, (size_t)i, (size_t)i + 1);
    }
    return g;
}

/* The most values of the batch's size that are there at one moment, each computed when it stands in the graph. */
static int most_kept(const pod_graph *graph)
{
    int most = 0;
    for (uint32_t at = 0; at < graph->node_count; at++) {
        int kept = 0;
        for (uint32_t i = 0; i <= at; i++) {
            const pod_node *node = graph->nodes[i];
            bool is_read = false;
            for (uint32_t k = at + 1; k < graph->node_count && !is_read; k++)
                for (uint32_t n = 0; n < graph->nodes[k]->input_count; n++)
                    is_read = is_read || graph->nodes[k]->inputs[n] == node;
            kept += is_read && node->op != POD_OP_PARAMETER && node->op != POD_OP_BARRIER &&
                    node->op != POD_OP_BROADCAST && node->results[0].shape.dims[0] == ROWS;
        }
        most = kept > most ? kept : most;
    }
    return most;
}

static int count_of(const pod_graph *graph, pod_op op)
{
    int count = 0;
    for (uint32_t i = 0; i < graph->node_count; i++)
        count += graph->nodes[i]->op == op;
    return count;
}

TEST(a_deep_step_keeps_what_groups_need)
{
    pod_graph *graph = deep_step(), *made;
    ASSERT_OK(pod_graph_rematerialize(graph, 4, &made, &error));
    check_same_results(graph, made, "a deep step");
    const int before = most_kept(graph), after = most_kept(made);
    if (after * 2 > before)
        FAIL("%d values are kept in the place of %d", after, before);
    /* three groups of three layers are computed again, the last is not */
    ASSERT_EQ(2 * LAYERS, count_of(graph, POD_OP_TANH));
    ASSERT(count_of(made, POD_OP_TANH) > 2 * LAYERS && count_of(made, POD_OP_TANH) <= 2 * LAYERS + 3 * 2 * 3);
    pod_graph_free(made);
    pod_graph_free(graph);
}

/* What a group reads is held back by one barrier with what the backward pass has come to, in the text as well. */
TEST(groups_wait_for_the_backward_pass)
{
    pod_graph *graph = deep_step(), *made;
    char *text;
    pod_exchange_module *module;
    ASSERT_OK(pod_graph_rematerialize(graph, 4, &made, &error));
    ASSERT_OK(pod_exchange_write(made, &text, &error));
    ASSERT_CONTAINS(" = \"stablehlo.optimization_barrier\"(%a0_", text);
    ASSERT_OK(pod_exchange_read(context, text, strlen(text), "text", &module, &error));
    const pod_graph *read = pod_exchange_graph(module);
    ASSERT_EQ(count_of(made, POD_OP_BARRIER), count_of(read, POD_OP_BARRIER));
    check_same_results(graph, read, "the text of a deep step");
    int64_t groups = 0;
    for (uint32_t i = 0; i < read->node_count; i++)
        if (read->nodes[i]->op == POD_OP_BARRIER && read->nodes[i]->attributes->count > groups)
            groups = read->nodes[i]->attributes->count;
    ASSERT_EQ(3, groups);
    pod_exchange_free(module);
    pod_text_free(context, text);
    pod_graph_free(made);
    pod_graph_free(graph);
}

TEST(a_number_of_groups_that_cannot_be_is_refused)
{
    pod_graph *graph = deep_step(), *made;
    ASSERT_EQ(POD_ERROR_ARGUMENT, pod_graph_rematerialize(graph, 1, &made, &error));
    ASSERT(made == NULL);
    ASSERT_EQ(POD_ERROR_ARGUMENT, pod_graph_rematerialize(graph, 1000000, &made, &error));
    ASSERT_CONTAINS("cannot be 1000000 groups", error.message);
    pod_graph_free(graph);
}

TEST_MAIN(context = test_context(NULL); RUN(random_graphs_give_the_same); RUN(a_deep_step_keeps_what_groups_need);
          RUN(groups_wait_for_the_backward_pass); RUN(a_number_of_groups_that_cannot_be_is_refused);
          pod_context_release(context);)
