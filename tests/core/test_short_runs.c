/* test_short_runs - what takes less than a barrier of threads is run by the caller's thread alone, with the same bits.
 */

#include "program_run.h"

#include "count_threads.h"

static pod_error error;
static int alone_before; /* threads before the first test */

typedef struct trial {
    pod_context *context;
    pod_graph *graph;
    pod_program *program;
    pod_buffer *state;
} trial;

/* state -> tanh(state x weights + state), [rows, 32]. */
static trial trial_new(int64_t rows, int threads, int64_t short_run)
{
    trial t = {.context = test_context(&(pod_context_options){.threads = threads, .short_run_nanoseconds = short_run})};
    ASSERT_OK(pod_graph_new(t.context, "short", &t.graph, &error));
    float weights[32 * 32];
    for (int i = 0; i < 32 * 32; i++)
        weights[i] = (float)((i * 7) % 13) / 64 - 0.1f;
    const pod_shape shape = {2, {rows, 32}};
    pod_node *state = pod_graph_parameter(t.graph, POD_F32, &shape, "state");
    pod_node *constant = pod_graph_constant(t.graph, POD_F32, &(pod_shape){2, {32, 32}}, weights);
    pod_node *product = pod_graph_matmul(t.graph, state, constant);
    pod_graph_add_output(t.graph, pod_graph_tanh(t.graph, pod_graph_add(t.graph, product, state)));
    pod_graph_set_alias(t.graph, 0, 0);
    ASSERT_OK(pod_graph_check(t.graph, &error));
    ASSERT_OK(pod_program_compile(t.context, t.graph, NULL, &t.program, &error));
    ASSERT_OK(pod_buffer_new(t.context, POD_F32, &shape, &t.state, &error));
    for (int64_t i = 0; i < rows * 32; i++)
        ((float *)pod_buffer_data(t.state))[i] = (float)(i % 17) / 8 - 1;
    return t;
}

static void trial_run(trial *t, int64_t steps)
{
    pod_run_report report;
    const pod_run_options how = {.steps = steps};
    ASSERT_OK(pod_program_run(t->program, &t->state, NULL, &how, &report, &error));
    ASSERT_EQ(steps, report.steps);
}

static void trial_end(trial *t)
{
    pod_buffer_release(t->state);
    pod_program_free(t->program);
    pod_graph_free(t->graph);
    pod_context_release(t->context);
}

TEST(short_runs_start_no_thread_and_give_the_same_bits)
{
    const int before = alone_before;
    trial alone = trial_new(4, 4, 1000000), together = trial_new(4, 4, -1);
    trial_run(&alone, 3);
    ASSERT_EQ(before, count_threads(before));
    trial_run(&together, 3);
    ASSERT_EQ(before + 3, count_threads(before + 3));
    ASSERT(memcmp(pod_buffer_data(alone.state), pod_buffer_data(together.state), pod_buffer_bytes(alone.state)) == 0);
    trial_end(&alone);
    trial_end(&together);
}

TEST(long_runs_use_threads_be_it_for_their_size_or_their_steps)
{
    const int before = alone_before;
    trial large = trial_new(20000, 3, 50000), many = trial_new(4, 3, 50000);
    trial_run(&many, 1);
    ASSERT_EQ(before, count_threads(before));
    trial_run(&many, 1000);
    ASSERT_EQ(before + 2, count_threads(before + 2));
    trial_end(&many);
    trial_run(&large, 1);
    ASSERT_EQ(before + 2, count_threads(before + 2));
    trial_end(&large);
}

/* A program goes from one to the other by what is asked of it. */
TEST(runs_of_both_kinds_follow_each_other)
{
    trial mixed = trial_new(64, 3, 100000), plain = trial_new(64, 1, -1);
    for (int i = 0; i < 6; i++) {
        trial_run(&mixed, i % 2 == 0 ? 1 : 500);
        trial_run(&plain, i % 2 == 0 ? 1 : 500);
        ASSERT(memcmp(pod_buffer_data(mixed.state), pod_buffer_data(plain.state), pod_buffer_bytes(plain.state)) == 0);
    }
    trial_end(&mixed);
    trial_end(&plain);
}

TEST(the_environment_says_where_the_host_does_not)
{
    pod_context *context = NULL;
    ASSERT_EQ(0, setenv("MOONPOD_SHORT_RUN", "soon", 1));
    ASSERT_EQ(POD_ERROR_ARGUMENT, pod_context_new(NULL, &context, &error));
    ASSERT(strstr(error.message, "MOONPOD_SHORT_RUN is 'soon'") != NULL);
    ASSERT_EQ(0, setenv("MOONPOD_SHORT_RUN", "0", 1));
    const int before = alone_before;
    trial every = trial_new(4, 2, 0), told = trial_new(4, 2, 1000000);
    trial_run(&told, 1);
    ASSERT_EQ(before, count_threads(before));
    trial_run(&every, 1);
    ASSERT_EQ(before + 1, count_threads(before + 1));
    trial_end(&every);
    trial_end(&told);
    ASSERT_EQ(0, unsetenv("MOONPOD_SHORT_RUN"));
    trial measured = trial_new(4, 2, 0);
    trial_run(&measured, 1);
    ASSERT_EQ(before, count_threads(before));
    trial_end(&measured);
}

TEST_MAIN(alone_before = count_entries("/proc/self/task"); RUN(short_runs_start_no_thread_and_give_the_same_bits);
          RUN(long_runs_use_threads_be_it_for_their_size_or_their_steps); RUN(runs_of_both_kinds_follow_each_other);
          RUN(the_environment_says_where_the_host_does_not))
