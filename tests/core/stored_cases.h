#ifndef POD_TESTS_STORED_CASES_H
#define POD_TESTS_STORED_CASES_H

/*
 * stored_cases - graphs whose programs have every kind of instruction, and running what came of damaged bytes:
 * for tests/core/test_program_cache.c and tests/fuzz/fuzz_program.c.
 */

#include "store/stored.h"
#include "formats/crc32c.h"
#include "random_graph.h"

/* One graph a number; what it may hold is small enough to be run often. */
#define STORED_CASES 24

/* a * b + a: no fold that a loop knows. */
static pod_graph *region(pod_context *context)
{
    pod_graph *graph;
    if (pod_graph_new(context, "region", &graph, NULL) != POD_OK)
        return NULL;
    const pod_shape scalar = {0};
    pod_node *a = pod_graph_parameter(graph, POD_F32, &scalar, "a");
    pod_node *b = pod_graph_parameter(graph, POD_F32, &scalar, "b");
    pod_graph_add_output(graph, pod_graph_add(graph, pod_graph_multiply(graph, a, b), a));
    return graph;
}

static pod_graph *branch(pod_context *context, bool negates)
{
    pod_graph *graph;
    if (pod_graph_new(context, "branch", &graph, NULL) != POD_OK)
        return NULL;
    pod_node *x = pod_graph_parameter(graph, POD_F32, &(pod_shape){1, {12}}, "x");
    pod_graph_add_output(graph, negates ? pod_graph_negate(graph, x) : pod_graph_tanh(graph, x));
    return graph;
}

/* Attention with its gradient. */
static void add_attention(pod_graph *g, pod_node *x)
{
    pod_node *q = pod_graph_reshape(g, x, &(pod_shape){4, {2, 3, 4, 2}}), *gradient = NULL;
    pod_node *inputs[] = {q, q, q};
    pod_attributes attributes = {.axis = 2, .flag = true};
    pod_node *y = pod_graph_composite(g, "attention", inputs, 3, &attributes);
    pod_graph_add_output(g, y);
    pod_node *sum = pod_graph_reduce(g, "reduce_sum", y, NULL, false);
    if (pod_graph_gradient(g, sum, NULL, &x, 1, &gradient, NULL) == POD_OK && gradient)
        pod_graph_add_output(g, gradient);
}

/* Cond, reduce with a region, check, print, attention and cross-entropy. */
static void add_control(pod_context *context, pod_graph *g)
{
    pod_node *x = pod_graph_parameter(g, POD_F32, &(pod_shape){2, {4, 12}}, "x");
    pod_node *labels = pod_graph_parameter(g, POD_S32, &(pod_shape){1, {4}}, "labels");
    pod_node *zero = pod_graph_scalar(g, POD_F32, 0, NULL);
    pod_graph *fold = region(context);
    pod_node *folded =
        pod_graph_apply(g, POD_OP_REDUCE, (pod_node *[]){x, zero}, 2, &(pod_attributes){.axes = {1, {0}}}, &fold, 1);
    pod_node *total = pod_graph_reduce(g, "reduce_sum", folded, NULL, false);
    pod_node *sign = pod_graph_compare(g, POD_COMPARE_GT, total, zero);
    pod_graph *branches[2] = {branch(context, true), branch(context, false)};
    pod_node *chosen =
        pod_graph_apply(g, POD_OP_COND, (pod_node *[]){sign, folded}, 2, &(pod_attributes){0}, branches, 2);
    chosen = pod_graph_result(g, chosen, 0);
    chosen = pod_graph_apply(g, POD_OP_PRINT, &chosen, 1, &(pod_attributes){.name = "chosen"}, NULL, 0);
    pod_node *fine = pod_graph_compare(g, POD_COMPARE_EQ, chosen, chosen);
    chosen = pod_graph_apply(g, POD_OP_CHECK, (pod_node *[]){chosen, fine}, 2,
                             &(pod_attributes){.name = "a number is not one"}, NULL, 0);
    pod_graph_add_output(g, chosen);
    pod_node *loss = pod_graph_composite(g, "sparse_softmax_cross_entropy", (pod_node *[]){x, labels}, 2, NULL);
    pod_node *gradient = NULL;
    add_attention(g, x);
    pod_graph_add_output(g, loss);
    pod_node *sum = pod_graph_reduce(g, "reduce_sum", loss, NULL, false);
    if (pod_graph_gradient(g, sum, NULL, &x, 1, &gradient, NULL) == POD_OK && gradient)
        pod_graph_add_output(g, gradient);
}

/* A convolution with its gradients, products whose b is wide and narrow, random numbers and a look-up. */
static void add_layers(pod_graph *g, pod_dtype dtype)
{
    pod_node *x = pod_graph_parameter(g, dtype, &(pod_shape){4, {6, 7, 5, 3}}, "x");
    pod_node *kernel = pod_graph_parameter(g, dtype, &(pod_shape){4, {3, 2, 3, 8}}, "kernel");
    pod_node *weights = pod_graph_parameter(g, dtype, &(pod_shape){2, {8, 70}}, "weights");
    pod_node *state = pod_graph_parameter(g, POD_U64, &(pod_shape){1, {2}}, "state");
    pod_attributes window = {.window = {2, {3, 2}, {2, 1}, {1, 0}, {1, 1}, {1, 1}, 1}};
    pod_node *y = pod_graph_apply(g, POD_OP_CONVOLUTION, (pod_node *[]){x, kernel}, 2, &window, NULL, 0);
    pod_node *z = pod_graph_matmul(g, pod_graph_tanh(g, y), weights);
    const pod_shape *shape = pod_node_shape(z, 0);
    pod_node *bits =
        pod_graph_apply(g, POD_OP_RANDOM_BITS, &state, 1, &(pod_attributes){.shape = *shape, .seed = 9}, NULL, 0);
    pod_node *small = pod_graph_convert(g, bits, dtype);
    pod_node *sum = pod_graph_reduce(g, "reduce_sum", pod_graph_multiply(g, z, small), NULL, false);
    pod_node *gradients[3] = {NULL}, *sources[3] = {x, kernel, weights};
    pod_graph_add_output(g, z);
    if (pod_graph_gradient(g, sum, NULL, sources, 3, gradients, NULL) != POD_OK)
        return;
    for (int i = 0; i < 3; i++)
        pod_graph_add_output(g, gradients[i]);
    pod_graph_add_output(g, pod_graph_subtract(g, weights, gradients[2]));
    pod_graph_set_alias(g, pod_graph_output_count(g) - 1, 2);
}

static pod_graph *stored_case(pod_context *context, int number)
{
    if (number >= 3)
        return random_graph_new(context, (uint64_t)number);
    pod_graph *graph;
    if (pod_graph_new(context, "case", &graph, NULL) != POD_OK)
        return NULL;
    pod_graph_set_location(graph, "case.lua:7");
    if (number == 0)
        add_control(context, graph);
    else
        add_layers(graph, number == 1 ? POD_F32 : POD_BF16);
    return graph;
}

/* Makes the checksum right again after a change. */
static void seal(unsigned char *bytes, size_t size)
{
    const uint32_t checksum = pod_format_crc32c(bytes + 16, size - 16);
    memcpy(bytes + 12, &checksum, 4);
}

static bool has_while(const pod_function *function)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const pod_instruction *one = function->instructions[i];
        if (one->kind == POD_DO_WHILE)
            return true;
        for (int j = 0; pod_instruction_has_regions(one) && j < 2; j++)
            if (one->region.functions[j] && has_while(one->region.functions[j]))
                return true;
    }
    return false;
}

/* Runs a step of a program on arguments of zeros and ones. What it computes does not matter. A while may never
 * end: it is not run. */
static void run_anyhow(pod_context *context, pod_program *program)
{
    pod_buffer *arguments[64] = {NULL}, *results[64] = {NULL};
    pod_run_options options = {.steps = 1};
    pod_error error;
    bool ready = !has_while(program->function) && program->parameter_count <= 64 && program->output_count <= 64;
    for (uint32_t i = 0; ready && i < program->parameter_count; i++) {
        const pod_signature *type = &program->parameters[i];
        ready = pod_buffer_new(context, type->dtype, &type->shape, &arguments[i], NULL) == POD_OK;
        for (size_t j = 0; ready && j < pod_buffer_bytes(arguments[i]); j += 8)
            ((char *)pod_buffer_data(arguments[i]))[j] = 1;
    }
    if (ready && pod_program_run(program, arguments, results, &options, NULL, &error) == POD_OK)
        for (uint32_t i = 0; i < program->output_count; i++)
            pod_buffer_release(results[i]);
    for (uint32_t i = 0; i < 64; i++)
        pod_buffer_release(arguments[i]);
}

#endif
