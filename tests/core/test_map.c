/* Graphs applied to elements: map, map over rows, filter, scan, and these on several threads. */

#include "data_cases.h"

#include "moonpod/builders.h"

static pod_context *context;
static pod_dataset *made;
static pod_error error;

/* A graph of one s64 parameter of a shape: 2 x + offset. */
static pod_graph *doubling(const pod_shape *shape, double offset)
{
    pod_graph *graph;
    ASSERT_OK(pod_graph_new(context, "double", &graph, &error));
    pod_node *x = pod_graph_parameter(graph, POD_S64, shape, "x");
    pod_node *two = pod_graph_scalar(graph, POD_S64, 2, NULL);
    pod_node *more = pod_graph_scalar(graph, POD_S64, offset, NULL);
    pod_graph_add_output(graph, pod_graph_add(graph, pod_graph_multiply(graph, x, two), more));
    return graph;
}

/* A graph that is true for numbers below a limit. */
static pod_graph *below(double limit)
{
    pod_graph *graph;
    ASSERT_OK(pod_graph_new(context, "below", &graph, &error));
    pod_node *x = pod_graph_parameter(graph, POD_S64, &(pod_shape){0}, "x");
    pod_node *bound = pod_graph_scalar(graph, POD_S64, limit, NULL);
    pod_graph_add_output(graph, pod_graph_compare(graph, POD_COMPARE_LT, x, bound));
    return graph;
}

static pod_dataset *map(pod_dataset *input, pod_graph *graph)
{
    pod_dataset *dataset = NULL;
    ASSERT_OK(pod_dataset_map(input, graph, &dataset, &error));
    pod_dataset_release(input);
    return dataset;
}

static pod_dataset *parallel(pod_dataset *input, int64_t threads)
{
    pod_dataset *dataset = NULL;
    ASSERT_OK(pod_dataset_parallel(input, &(pod_parallel_options){threads, false}, &dataset, &error));
    pod_dataset_release(input);
    return dataset;
}

TEST(a_map_sees_each_element)
{
    const pod_shape scalar = {0};
    expect_elements("1 3 5 7 9", map(range_of(context, 5), doubling(&scalar, 1)));
    expect_elements("[1 3] [5 7] [9]", batch(map(range_of(context, 5), doubling(&scalar, 1)), 2, false));
    expect_elements("3 7", map(map(range_of(context, 2), doubling(&scalar, 1)), doubling(&scalar, 1)));
    expect_elements("1", take(map(range_of(context, 100000), doubling(&scalar, 1)), 1));
    expect_elements("0 2 4 0 2 4", repeat(map(range_of(context, 3), doubling(&scalar, 0)), 2));
}

TEST(a_map_over_rows_fits_batches_of_any_size)
{
    const pod_shape scalar = {0};
    pod_dataset *batches = batch(range_of(context, 8), 3, false);
    ASSERT_OK(pod_dataset_map_rows(batches, doubling(&scalar, 0), &made, &error));
    ASSERT_EQ(-1, pod_dataset_get_component(made, 0).shape.dims[0]);
    pod_dataset_release(batches);
    expect_elements("[0 2 4] [6 8 10] [12 14]", prefetch(made, 2));
}

TEST(large_elements_are_mapped_alone)
{
    const pod_shape large = {1, {20000}};
    pod_dataset *batches = batch(range_of(context, 40000), 20000, true);
    pod_dataset_iterator *iterator = open_iterator(batches);
    pod_dataset *mapped = map(batches, doubling(&large, 1));
    pod_buffer *first;
    pod_dataset_iterator_close(iterator);
    iterator = open_iterator(mapped);
    for (int64_t i = 0; i < 2; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &first, &error));
        ASSERT_EQ(2 * (20000 * i + 19999) + 1, ((int64_t *)pod_buffer_data(first))[19999]);
        pod_buffer_release(first);
    }
    ASSERT_EQ(POD_END, pod_dataset_iterator_next(iterator, &first, &error));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(mapped);
}

TEST(a_map_runs_while_the_consumer_runs_programs)
{
    const pod_shape scalar = {0};
    pod_graph *graph = doubling(&scalar, 1);
    pod_program *program;
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    pod_graph_free(graph);
    pod_dataset *dataset = prefetch(map(range_of(context, 600), doubling(&scalar, 0)), 2);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    const pod_infeed infeed = pod_dataset_iterator_infeed(iterator);
    const pod_run_options options = {.steps = 1000, .infeed = &infeed, .infeed_count = 1};
    pod_buffer *argument = NULL, *result;
    pod_run_report report;
    ASSERT_OK(pod_program_run(program, &argument, &result, &options, &report, &error));
    ASSERT_EQ(600, report.steps);
    ASSERT(report.ended);
    ASSERT_EQ(2 * 2 * 599 + 1, *(int64_t *)pod_buffer_data(result));
    pod_buffer_release(result);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
    /* and without a thread: within the run of the program */
    dataset = map(range_of(context, 600), doubling(&scalar, 0));
    iterator = open_iterator(dataset);
    const pod_infeed direct = pod_dataset_iterator_infeed(iterator);
    const pod_run_options once = {.steps = 1000, .infeed = &direct, .infeed_count = 1};
    ASSERT_OK(pod_program_run(program, &argument, &result, &once, &report, &error));
    ASSERT_EQ(600, report.steps);
    pod_buffer_release(result);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
    pod_program_free(program);
}

TEST(graphs_that_do_not_fit_are_refused)
{
    const pod_shape scalar = {0}, pair = {1, {2}};
    pod_dataset *input = range_of(context, 5), *batches = batch(range_of(context, 5), 2, false);
    ASSERT_FAILS(POD_ERROR_SHAPE, "map: component 0 is int64 (), but the function was traced for int64 (2,)",
                 pod_dataset_map(input, doubling(&pair, 0), &made, &error));
    ASSERT_FAILS(POD_ERROR_SHAPE, "map: component 0 is int64 (-1,), whose sizes are not all known",
                 pod_dataset_map(batches, doubling(&pair, 0), &made, &error));
    ASSERT_FAILS(POD_ERROR_SHAPE, "map over rows: component 0 is a scalar",
                 pod_dataset_map_rows(input, doubling(&scalar, 0), &made, &error));
    ASSERT_FAILS(POD_ERROR_DTYPE, "filter: the function must return one bool",
                 pod_dataset_filter(input, doubling(&scalar, 0), &made, &error));
    pod_graph *none;
    ASSERT_OK(pod_graph_new(context, "none", &none, &error));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "elements have 1 components, but the function takes 0",
                 pod_dataset_map(input, none, &made, &error));
    ASSERT(made == NULL);
    pod_dataset_release(input);
    pod_dataset_release(batches);
}

TEST(a_filter_keeps_what_its_graph_likes)
{
    pod_dataset *input = range_of(context, 1000);
    ASSERT_OK(pod_dataset_filter(input, below(4), &made, &error));
    expect_elements("0 1 2 3 0 1", take(repeat(made, 2), 6));
    ASSERT_OK(pod_dataset_filter(input, below(-1), &made, &error));
    expect_elements("", made);
    ASSERT_OK(pod_dataset_filter(input, below(1000), &made, &error));
    ASSERT_EQ(POD_CARDINALITY_UNKNOWN, pod_dataset_cardinality(made));
    expect_elements("997 998 999", skip(made, 997));
    pod_dataset_release(input);
}

TEST(a_scan_hands_its_state_on)
{
    pod_graph *graph;
    pod_buffer *zero;
    ASSERT_OK(pod_graph_new(context, "sum", &graph, &error));
    pod_node *sum = pod_graph_parameter(graph, POD_S64, &(pod_shape){0}, "sum");
    pod_node *x = pod_graph_parameter(graph, POD_S64, &(pod_shape){0}, "x");
    pod_node *total = pod_graph_add(graph, sum, x);
    pod_graph_add_output(graph, total);
    pod_graph_add_output(graph, pod_graph_multiply(graph, total, x));
    ASSERT_OK(pod_buffer_new(context, POD_S64, &(pod_shape){0}, &zero, &error));
    pod_dataset *input = range_of(context, 5);
    ASSERT_OK(pod_dataset_scan(input, graph, &zero, 1, &made, &error));
    expect_elements("0 1 6 18 40 0 1 6", take(repeat(made, 2), 8));
    ASSERT_OK(pod_graph_new(context, "state alone", &graph, &error));
    pod_graph_add_output(graph, pod_graph_parameter(graph, POD_S64, &(pod_shape){0}, "sum"));
    (void)pod_graph_parameter(graph, POD_S64, &(pod_shape){0}, "x");
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "must return a new state and a result",
                 pod_dataset_scan(input, graph, &zero, 1, &made, &error));
    pod_dataset_release(input);
    pod_buffer_release(zero);
}

TEST(maps_and_filters_run_in_parallel_in_order)
{
    char one[4096], many[4096];
    const pod_shape scalar = {0};
    pod_dataset *plain = skip(map(range_of(context, 3000), doubling(&scalar, 1)), 2300);
    pod_dataset *threads = skip(parallel(map(range_of(context, 3000), doubling(&scalar, 1)), 3), 2300);
    pod_dataset_iterator *a = open_iterator(plain), *b = open_iterator(threads);
    ASSERT_TEXT(spell(a, 1, one), spell(b, 1, many));
    ASSERT_OK(pod_dataset_iterator_rewind(b, &error));
    ASSERT_TEXT(one, spell(b, 1, many));
    pod_dataset_iterator_close(a);
    pod_dataset_iterator_close(b);
    pod_dataset_release(plain);
    pod_dataset_release(threads);
    pod_dataset *input = range_of(context, 3000), *filtered;
    ASSERT_OK(pod_dataset_filter(input, below(5), &filtered, &error));
    pod_dataset_release(input);
    expect_elements("0 1 2 3 4", parallel(filtered, 4));
}

static pod_status map_and_walk(pod_context *poor, pod_error *failure)
{
    pod_dataset *input = NULL, *mapped = NULL;
    pod_dataset_iterator *iterator = NULL;
    pod_graph *graph;
    pod_buffer *number;
    pod_status status = pod_graph_new(poor, "negate", &graph, failure);
    if (status != POD_OK)
        return status;
    pod_graph_add_output(graph, pod_graph_negate(graph, pod_graph_parameter(graph, POD_S64, &(pod_shape){0}, "x")));
    status = pod_dataset_range(poor, 0, 3, 1, &input, failure);
    if (status == POD_OK)
        status = pod_dataset_map(input, graph, &mapped, failure);
    else
        pod_graph_free(graph);
    if (status == POD_OK)
        status = pod_dataset_iterator_open(mapped, NULL, &iterator, failure);
    while (status == POD_OK) {
        status = pod_dataset_iterator_next(iterator, &number, failure);
        pod_buffer_release(number);
    }
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(mapped);
    pod_dataset_release(input);
    return status == POD_END ? POD_OK : status;
}

TEST(every_allocation_may_fail_without_a_leak)
{
    every_allocation_may_fail(map_and_walk);
}

TEST_MAIN(context = test_context(NULL); RUN(a_map_sees_each_element); RUN(a_map_over_rows_fits_batches_of_any_size);
          RUN(large_elements_are_mapped_alone); RUN(a_map_runs_while_the_consumer_runs_programs);
          RUN(graphs_that_do_not_fit_are_refused); RUN(a_filter_keeps_what_its_graph_likes);
          RUN(a_scan_hands_its_state_on); RUN(maps_and_filters_run_in_parallel_in_order);
          RUN(every_allocation_may_fail_without_a_leak); pod_context_release(context))
