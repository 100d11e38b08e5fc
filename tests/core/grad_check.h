#ifndef POD_TESTS_GRAD_CHECK_H
#define POD_TESTS_GRAD_CHECK_H

/*
 * grad_check - compares gradients with central differences, in f64.
 */

#include "evaluate.h"
#include "graph/build.h"
#include "test.h"

#define GRAD_CHECK_MOST 8 /* parameters */

/* Numbers that look random and are the same every time; each in [low, high). */
typedef struct grad_numbers {
    uint64_t state;
} grad_numbers;

static double grad_number(grad_numbers *numbers, double low, double high)
{
    numbers->state = numbers->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(numbers->state >> 11) * 0x1p-53;
}

static double *grad_fill(grad_numbers *numbers, const pod_shape *shape, double low, double high)
{
    const int64_t count = pod_shape_elements(shape);
    double *values = malloc((size_t)count * sizeof *values + 8);
    for (int64_t i = 0; i < count; i++)
        values[i] = grad_number(numbers, low, high);
    return values;
}

/* sum(x * weights), the weights being constants: so upstream gradients are not uniform. */
static pod_node *grad_weighted_sum(pod_graph *graph, pod_node *x, grad_numbers *numbers)
{
    const pod_shape *shape = pod_node_shape(x, 0);
    double *weights = grad_fill(numbers, shape, -1.5, 1.5);
    pod_node *product = pod_graph_multiply(graph, x, pod_graph_constant(graph, POD_F64, shape, weights));
    free(weights);
    return pod_graph_reduce(graph, "reduce_sum", product, NULL, false);
}

/* Runs the graph and returns output 0, a scalar. */
static double grad_loss(const pod_graph *graph, const pod_array *parameters, const char *name)
{
    pod_error error = {0};
    pod_array *outputs = calloc(pod_graph_output_count(graph) + 1, sizeof *outputs);
    if (evaluate_graph(graph, parameters, outputs, &error) != POD_OK)
        FAIL("%s: %s", name, error.message);
    const double loss = *(double *)outputs[0].data;
    evaluate_free(outputs, pod_graph_output_count(graph));
    free(outputs);
    return loss;
}

/* Outputs are the loss, then the gradients of the parameters: compares them with differences. */
static void grad_compare(pod_graph *graph, pod_array *parameters, size_t count, const char *name, double tolerance)
{
    const double step = 1e-5;
    pod_error error = {0};
    pod_array outputs[1 + GRAD_CHECK_MOST];
    ASSERT_OK(evaluate_graph(graph, parameters, outputs, &error));
    for (size_t i = 0; i < count; i++) {
        double *x = parameters[i].data;
        const double *gradient = outputs[1 + i].data;
        for (int64_t j = 0; j < pod_shape_elements(&parameters[i].shape); j++) {
            const double kept = x[j];
            x[j] = kept + step;
            const double above = grad_loss(graph, parameters, name);
            x[j] = kept - step;
            const double below = grad_loss(graph, parameters, name);
            x[j] = kept;
            const double slope = (above - below) / (2 * step);
            if (!(fabs(gradient[j] - slope) <= tolerance * (1 + fabs(slope))))
                FAIL("%s: gradient %zu [%lld] is %.12g, the difference is %.12g", name, i, (long long)j, gradient[j],
                     slope);
        }
    }
    evaluate_free(outputs, 1 + count);
}

/* Adds the loss's gradients and makes all of them outputs; returns them. A parameter that the loss
 * does not depend on gets zeros. */
static void grad_differentiate(pod_graph *graph, pod_node *loss, pod_node **sources, size_t count, pod_node **gradients)
{
    pod_error error = {0};
    ASSERT_OK(pod_graph_gradient(graph, loss, NULL, sources, count, gradients, &error));
    for (size_t i = 0; i < count; i++) {
        if (!gradients[i])
            gradients[i] = pod_graph_full_like(graph, sources[i], 0);
    }
    ASSERT_OK(pod_graph_check(graph, &error));
}

typedef pod_node *(*grad_builder)(pod_graph *graph, pod_node **p);

/* Checks the gradient of a function of f64 parameters (order 1), or that of a weighted sum of its
 * gradients (order 2). */
static void check_gradient(grad_builder build, const pod_shape *shapes, size_t count, double low, double high,
                           int order, double tolerance, const char *name)
{
    grad_numbers numbers = {.state = 20240229 + (uint64_t)order};
    pod_error error = {0};
    pod_graph *graph;
    pod_array parameters[GRAD_CHECK_MOST];
    pod_node *sources[GRAD_CHECK_MOST], *gradients[GRAD_CHECK_MOST];
    pod_context *context = test_context(&(pod_context_options){.threads = 1});
    ASSERT_OK(pod_graph_new(context, name, &graph, &error));
    for (size_t i = 0; i < count; i++) {
        sources[i] = pod_graph_parameter(graph, POD_F64, &shapes[i], NULL);
        parameters[i] = (pod_array){POD_F64, shapes[i], grad_fill(&numbers, &shapes[i], low, high)};
    }
    pod_node *loss = grad_weighted_sum(graph, build(graph, sources), &numbers);
    ASSERT_OK(pod_graph_check(graph, &error));
    for (int i = 1; i <= order; i++) {
        if (i > 1) {
            loss = pod_graph_scalar(graph, POD_F64, 0, NULL);
            for (size_t j = 0; j < count; j++)
                loss = pod_graph_add(graph, loss, grad_weighted_sum(graph, gradients[j], &numbers));
        }
        grad_differentiate(graph, loss, sources, count, gradients);
    }
    pod_graph_add_output(graph, loss);
    for (size_t i = 0; i < count; i++)
        pod_graph_add_output(graph, gradients[i]);
    ASSERT_OK(pod_graph_verify(graph, &error));
    grad_compare(graph, parameters, count, name, tolerance);
    evaluate_free(parameters, count);
    pod_graph_free(graph);
    pod_context_release(context);
}

#endif
