/* Runs in slices of time: the bits of whole runs, variables between two slices, who may run a program meanwhile. */

#include "program_run.h"

static pod_error error;

enum { ROWS = 300, WIDTH = 200, STEPS = 3 };

/* w -= x^T tanh(x w) / 1000, count += 1; a result: the sum of all. Of several phases. */
typedef struct trained {
    pod_context *context;
    pod_graph *graph;
    pod_program *program;
    pod_buffer *arguments[3]; /* x, w, count */
} trained;

static pod_buffer *filled(pod_context *context, const pod_shape *shape)
{
    pod_buffer *buffer;
    ASSERT_OK(pod_buffer_new(context, POD_F32, shape, &buffer, &error));
    float *data = pod_buffer_data(buffer);
    for (size_t i = 0; i < pod_buffer_bytes(buffer) / sizeof *data; i++)
        data[i] = (float)((i * 37 + 11) % 101) / 101 - 0.5f;
    return buffer;
}

static trained trained_new(int threads, test_allocator *allocator)
{
    trained t = {0};
    const pod_allocator own = {test_resize, allocator}, none = {0};
    t.context = test_context(&(pod_context_options){.threads = threads, .allocator = allocator ? own : none});
    ASSERT_OK(pod_graph_new(t.context, "trained", &t.graph, &error));
    const pod_shape rows = {2, {ROWS, WIDTH}}, weights = {2, {WIDTH, WIDTH}}, one = {1, {1}};
    pod_node *x = pod_graph_parameter(t.graph, POD_F32, &rows, "x");
    pod_node *w = pod_graph_parameter(t.graph, POD_F32, &weights, "w");
    pod_node *count = pod_graph_parameter(t.graph, POD_F32, &one, "count");
    pod_node *h = pod_graph_tanh(t.graph, pod_graph_matmul(t.graph, x, w)), *gradient;
    pod_node *loss = pod_graph_reduce(t.graph, "reduce_sum", pod_graph_matmul(t.graph, h, w), NULL, false);
    ASSERT_OK(pod_graph_gradient(t.graph, loss, NULL, &w, 1, &gradient, &error));
    pod_node *step = pod_graph_multiply(t.graph, gradient, pod_graph_scalar(t.graph, POD_F32, 0.001, NULL));
    pod_graph_add_output(t.graph, pod_graph_subtract(t.graph, w, step));
    pod_graph_set_alias(t.graph, 0, 1);
    pod_graph_add_output(t.graph, pod_graph_add(t.graph, count, pod_graph_scalar(t.graph, POD_F32, 1, NULL)));
    pod_graph_set_alias(t.graph, 1, 2);
    pod_graph_add_output(t.graph, loss);
    ASSERT_OK(pod_graph_check(t.graph, &error));
    ASSERT_OK(pod_program_compile(t.context, t.graph, NULL, &t.program, &error));
    t.arguments[0] = filled(t.context, &rows);
    t.arguments[1] = filled(t.context, &weights);
    t.arguments[2] = filled(t.context, &one);
    memset(pod_buffer_data(t.arguments[2]), 0, sizeof(float));
    return t;
}

static void trained_free(trained *t)
{
    for (int i = 0; i < 3; i++)
        pod_buffer_release(t->arguments[i]);
    pod_program_free(t->program);
    pod_graph_free(t->graph);
    pod_context_release(t->context);
}

static float count_of(const trained *t)
{
    return ((const float *)pod_buffer_data(t->arguments[2]))[0];
}

static void assert_same(const pod_buffer *a, const pod_buffer *b)
{
    ASSERT_EQ(pod_buffer_bytes(a), pod_buffer_bytes(b));
    ASSERT(memcmp(pod_buffer_data(a), pod_buffer_data(b), pod_buffer_bytes(a)) == 0);
}

/* The same program, run whole. */
static trained whole_run(int threads, int64_t steps, pod_buffer **results)
{
    trained t = trained_new(threads, NULL);
    const pod_run_options how = {.steps = steps, .tells_writes = true};
    ASSERT_OK(pod_program_run(t.program, t.arguments, results, &how, NULL, &error));
    return t;
}

TEST(slices_have_the_bits_of_a_whole_run)
{
    for (int threads = 1; threads <= 3; threads += 2) {
        pod_buffer *wanted[3], *results[3];
        trained whole = whole_run(threads, STEPS, wanted), t = trained_new(threads, NULL);
        const pod_run_options how = {.steps = STEPS, .tells_writes = true};
        pod_run *run;
        pod_run_report report;
        pod_status status;
        int slices = 0, within = 0;
        ASSERT_OK(pod_run_begin(t.program, t.arguments, &how, &run, &error));
        ASSERT_EQ(POD_ERROR_STATE, pod_run_take_results(run, results, &error));
        while ((status = pod_run_step_for(run, 1, &report, &error)) == POD_OK) {
            slices++;
            within += slices > report.steps;
        }
        ASSERT_EQ(POD_END, status);
        ASSERT(slices > STEPS && within > 0);
        ASSERT_EQ(STEPS, report.steps);
        ASSERT_EQ(POD_END, pod_run_step_for(run, 1, NULL, &error));
        ASSERT_OK(pod_run_take_results(run, results, &error));
        pod_run_end(run);
        assert_same(whole.arguments[1], t.arguments[1]);
        assert_same(wanted[2], results[2]);
        pod_buffer_release(wanted[2]);
        pod_buffer_release(results[2]);
        trained_free(&whole);
        trained_free(&t);
    }
}

TEST(threads_may_change_between_slices)
{
    pod_buffer *wanted[3];
    trained whole = whole_run(2, STEPS, wanted), t = trained_new(1, NULL);
    const pod_run_options how = {.steps = STEPS};
    pod_run *run;
    pod_status status = POD_OK;
    ASSERT_OK(pod_run_begin(t.program, t.arguments, &how, &run, &error));
    for (int i = 0; status == POD_OK; i++) {
        ASSERT_OK(pod_context_set_threads(t.context, 1 + i % 4, &error));
        status = pod_run_step_for(run, 1, NULL, &error);
    }
    ASSERT_EQ(POD_END, status);
    pod_run_end(run);
    assert_same(whole.arguments[1], t.arguments[1]);
    pod_buffer_release(wanted[2]);
    trained_free(&whole);
    trained_free(&t);
}

TEST(a_run_stops_behind_its_step)
{
    trained t = trained_new(2, NULL);
    const pod_run_options how = {.steps = 1000};
    pod_run *run;
    pod_run_report report;
    const float first = count_of(&t);
    ASSERT_OK(pod_run_begin(t.program, t.arguments, &how, &run, &error));
    do
        ASSERT_OK(pod_run_step_for(run, 1, &report, &error));
    while (report.steps < 2);
    ASSERT_OK(pod_run_step_for(run, 1, &report, &error)); /* within the third */
    pod_run_stop(run);
    ASSERT_EQ(POD_END, pod_run_step_for(run, 0, &report, &error));
    ASSERT(report.steps >= 2 && report.steps <= 4);
    ASSERT_NUMBER(first + (float)report.steps, count_of(&t));
    pod_run_end(run);
    trained_free(&t);
}

/* After any number of slices. */
TEST(a_run_that_is_given_up_leaves_a_whole_step)
{
    for (int slices = 0; slices < 12; slices++) {
        trained t = trained_new(2, NULL);
        const pod_run_options how = {.steps = 5, .tells_writes = true};
        pod_run *run;
        pod_run_report report = {0};
        pod_buffer *wanted[3], *results[3];
        ASSERT_OK(pod_run_begin(t.program, t.arguments, &how, &run, &error));
        for (int i = 0; i < slices && report.steps < 4; i++)
            ASSERT_OK(pod_run_step_for(run, 1, &report, &error));
        pod_run_end(run);
        const int64_t steps = (int64_t)count_of(&t);
        ASSERT(steps >= report.steps && steps <= report.steps + 1);
        /* What was packed of variables does not mislead the next run. */
        ASSERT_OK(
            pod_program_run(t.program, t.arguments, results, &(pod_run_options){.tells_writes = true}, NULL, &error));
        trained whole = whole_run(2, steps + 1, wanted);
        assert_same(whole.arguments[1], t.arguments[1]);
        assert_same(wanted[2], results[2]);
        pod_buffer_release(results[2]);
        pod_buffer_release(wanted[2]);
        trained_free(&whole);
        trained_free(&t);
    }
}

TEST(a_program_has_one_run_at_a_time)
{
    trained t = trained_new(2, NULL);
    pod_run *run, *other;
    pod_buffer *results[3];
    ASSERT_OK(pod_run_begin(t.program, t.arguments, NULL, &run, &error));
    ASSERT_EQ(POD_ERROR_STATE, pod_run_begin(t.program, t.arguments, NULL, &other, &error));
    ASSERT(other == NULL);
    ASSERT_EQ(POD_ERROR_STATE, pod_program_run(t.program, t.arguments, results, NULL, NULL, &error));
    pod_program_free(t.program); /* it goes with the run */
    t.program = NULL;
    ASSERT_EQ(POD_END, pod_run_step_for(run, 0, NULL, &error));
    pod_run_end(run);
    pod_run_end(NULL);
    trained_free(&t);
}

TEST(an_interrupt_ends_a_run_in_slices)
{
    trained t = trained_new(2, NULL);
    pod_run *run;
    pod_run_report report;
    const pod_run_options how = {.steps = INT64_MAX};
    ASSERT_OK(pod_run_begin(t.program, t.arguments, &how, &run, &error));
    ASSERT_OK(pod_run_step_for(run, 1, &report, &error));
    pod_context_interrupt(t.context);
    ASSERT_EQ(POD_END, pod_run_step_for(run, 0, &report, &error));
    ASSERT(report.interrupted);
    pod_run_end(run);
    trained_free(&t);
}

TEST(a_slice_ends_for_who_asks)
{
    const uint64_t hours = UINT64_C(3600000000000) * 10;
    trained whole, t = trained_new(2, NULL);
    pod_buffer *wanted[3];
    const pod_run_options how = {.steps = STEPS};
    pod_run *run;
    pod_run_report report;
    int slices = 0;
    ASSERT_OK(pod_run_begin(t.program, t.arguments, &how, &run, &error));
    ASSERT(!pod_context_yields(t.context));
    pod_context_yield(t.context);
    ASSERT(pod_context_yields(t.context));
    for (; slices < 2; slices++)
        ASSERT_OK(pod_run_step_for(run, hours, &report, &error));
    ASSERT(report.steps < STEPS);
    ASSERT(pod_context_clear_yield(t.context));
    ASSERT(!pod_context_clear_yield(t.context));
    ASSERT_EQ(POD_END, pod_run_step_for(run, hours, &report, &error));
    ASSERT_EQ(STEPS, report.steps);
    pod_run_end(run);
    pod_context_yield(t.context); /* of no slice: a run to the end goes there */
    whole = whole_run(2, STEPS, wanted);
    assert_same(whole.arguments[1], t.arguments[1]);
    ASSERT_OK(pod_run_begin(t.program, t.arguments, &how, &run, &error));
    ASSERT_EQ(POD_END, pod_run_step_for(run, 0, &report, &error));
    pod_run_end(run);
    pod_buffer_release(wanted[2]);
    trained_free(&whole);
    trained_free(&t);
}

TEST(every_allocation_of_a_run_in_slices_may_fail)
{
    test_allocator allocator = {.granted = -1};
    trained t = trained_new(1, &allocator);
    const pod_run_options how = {.steps = 2};
    pod_run *run;
    long failures = 0;
    for (long granted = 0;; granted++, failures++) {
        allocator.granted = granted;
        pod_status status = pod_run_begin(t.program, t.arguments, &how, &run, &error);
        if (status == POD_OK)
            status = pod_run_step_for(run, 0, NULL, &error);
        allocator.granted = -1;
        pod_run_end(run);
        if (status == POD_END)
            break;
        ASSERT_EQ(POD_ERROR_MEMORY, status);
        ASSERT(granted < 1000);
    }
    ASSERT(failures > 2);
    trained_free(&t);
    ASSERT_EQ(0, allocator.live);
}

TEST_MAIN(RUN(slices_have_the_bits_of_a_whole_run); RUN(threads_may_change_between_slices);
          RUN(a_run_stops_behind_its_step); RUN(a_run_that_is_given_up_leaves_a_whole_step);
          RUN(a_program_has_one_run_at_a_time); RUN(an_interrupt_ends_a_run_in_slices); RUN(a_slice_ends_for_who_asks);
          RUN(every_allocation_of_a_run_in_slices_may_fail))
