/* Counting the time of instructions. */

#include "graph/node.h"
#include "program_run.h"

#include <string.h>

#define MOST 32

static pod_error error;

/* tanh(x w), and the sum of it. */
static pod_program *product_program(pod_context *context)
{
    pod_graph *graph;
    pod_program *program;
    ASSERT_OK(pod_graph_new(context, "test", &graph, &error));
    pod_node *x = pod_graph_parameter(graph, POD_F32, &(pod_shape){2, {256, 128}}, "x");
    pod_node *w = pod_graph_parameter(graph, POD_F32, &(pod_shape){2, {128, 64}}, "w");
    pod_node *y = pod_graph_tanh(graph, pod_graph_matmul(graph, x, w));
    pod_graph_add_output(graph, y);
    pod_graph_add_output(graph, pod_graph_reduce(graph, "reduce_sum", y, NULL, false));
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    pod_graph_free(graph);
    return program;
}

static void run(pod_context *context, pod_program *program, int64_t steps)
{
    pod_buffer *arguments[2], *results[2];
    ASSERT_OK(pod_buffer_new(context, POD_F32, &(pod_shape){2, {256, 128}}, &arguments[0], &error));
    ASSERT_OK(pod_buffer_new(context, POD_F32, &(pod_shape){2, {128, 64}}, &arguments[1], &error));
    ASSERT_OK(pod_program_run(program, arguments, results, &(pod_run_options){.steps = steps}, NULL, &error));
    for (int i = 0; i < 2; i++) {
        pod_buffer_release(arguments[i]);
        pod_buffer_release(results[i]);
    }
}

static uint64_t runs_of(const pod_program *program)
{
    pod_instruction_time times[MOST];
    pod_program_times sum = pod_program_get_times(program, times, MOST);
    uint64_t all = 0;
    for (size_t i = 0; i < sum.instructions; i++)
        all += times[i].runs;
    return all;
}

TEST(nothing_is_counted_unless_asked_for)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 2});
    pod_program *program = product_program(context);
    run(context, program, 2);
    pod_program_times sum = pod_program_get_times(program, NULL, 0);
    ASSERT_EQ(0, sum.steps);
    ASSERT_EQ(0, runs_of(program));
    pod_program_free(program);
    pod_context_release(context);
}

TEST(runs_of_instructions_are_counted_over_steps_and_threads)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 2});
    pod_program *program = product_program(context);
    ASSERT_OK(pod_program_count_time(program, true, &error));
    run(context, program, 3);
    uint64_t after_three = runs_of(program);
    ASSERT(after_three >= 3 * pod_program_get_times(program, NULL, 0).instructions);
    run(context, program, 2);
    ASSERT_EQ(5, pod_program_get_times(program, NULL, 0).steps);
    ASSERT_EQ(5 * after_three, 3 * runs_of(program)); /* each step is cut alike */
    ASSERT_OK(pod_program_count_time(program, true, &error));
    ASSERT_EQ(0, runs_of(program));
    ASSERT_OK(pod_program_count_time(program, false, &error));
    run(context, program, 1);
    ASSERT_EQ(0, runs_of(program));
    pod_program_free(program);
    pod_context_release(context);
}

TEST(instructions_tell_what_they_compute_and_touch)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 1});
    pod_program *program = product_program(context);
    pod_instruction_time times[MOST];
    pod_program_times sum = pod_program_get_times(program, times, MOST);
    ASSERT(sum.instructions > 0 && sum.instructions <= MOST && sum.phases > 0);
    double operations = 0;
    uint64_t bytes = 0;
    for (size_t i = 0; i < sum.instructions; i++) {
        ASSERT(strlen(times[i].kind) > 0);
        ASSERT(times[i].phase < sum.phases);
        operations += times[i].operations;
        if (times[i].products) {
            ASSERT_EQ(1, times[i].products);
            ASSERT_EQ(256, times[i].rows);
            ASSERT_EQ(64, times[i].columns);
            ASSERT_EQ(128, times[i].depth);
        }
        bytes += times[i].bytes;
    }
    ASSERT_NUMBER(2.0 * 256 * 128 * 64, operations);
    ASSERT(bytes >= (256 * 128 + 128 * 64 + 256 * 64) * sizeof(float));
    pod_program_free(program);
    pod_context_release(context);
}

/* The two gradients and the convolution itself have the same number of multiplications. */
TEST(convolutions_tell_their_products)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 1});
    pod_graph *graph;
    pod_program *program;
    ASSERT_OK(pod_graph_new(context, "test", &graph, &error));
    pod_node *x = pod_graph_parameter(graph, POD_F32, &(pod_shape){4, {8, 10, 10, 16}}, "x");
    pod_node *w = pod_graph_parameter(graph, POD_F32, &(pod_shape){4, {3, 3, 16, 24}}, "w");
    pod_attributes attributes = {.window = {.rank = 2}};
    pod_node *operands[] = {x, w};
    pod_node *y = pod_graph_apply(graph, POD_OP_CONVOLUTION, operands, 2, &attributes, NULL, 0);
    pod_node *wrt[] = {x, w}, *gradients[2];
    pod_node *loss = pod_graph_reduce(graph, "reduce_sum", pod_graph_tanh(graph, y), NULL, false);
    ASSERT_OK(pod_graph_gradient(graph, loss, NULL, wrt, 2, gradients, &error));
    pod_graph_add_output(graph, gradients[0]);
    pod_graph_add_output(graph, gradients[1]);
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    pod_instruction_time times[MOST];
    pod_program_times sum = pod_program_get_times(program, times, MOST);
    ASSERT(sum.instructions <= MOST);
    double operations = 0;
    for (size_t i = 0; i < sum.instructions; i++)
        operations += times[i].operations;
    ASSERT_NUMBER(3 * 2.0 * 8 * 8 * 8 * 24 * 3 * 3 * 16, operations);
    pod_program_free(program);
    pod_graph_free(graph);
    pod_context_release(context);
}

TEST_MAIN(RUN(convolutions_tell_their_products); RUN(nothing_is_counted_unless_asked_for);
          RUN(runs_of_instructions_are_counted_over_steps_and_threads);
          RUN(instructions_tell_what_they_compute_and_touch))
