/* Random graphs: compiled programs give exactly what the oracle gives, for any number of threads. */

#include "test.h"

#include "random_graph.h"

#include "compile/compiled.h"

#define MOST_VALUES 64

static pod_error error;

/* Small integers. */
static pod_buffer *make_argument(pod_context *context, const pod_node *parameter, uint64_t seed)
{
    pod_buffer *buffer;
    const pod_shape *shape = pod_node_shape(parameter, 0);
    const pod_dtype dtype = pod_node_dtype(parameter, 0);
    ASSERT_OK(pod_buffer_new(context, dtype, shape, &buffer, &error));
    char *data = pod_buffer_data(buffer);
    const int64_t count = pod_shape_elements(shape);
    for (int64_t i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const double value = (double)(seed >> 40) - (double)((seed >> 40) / 7 * 7) - 3;
        pod_convert(POD_F64, &value, dtype, data + (size_t)i * pod_dtype_size(dtype), 1);
    }
    return buffer;
}

typedef struct outcome {
    pod_buffer *arguments[MOST_VALUES], *results[MOST_VALUES];
    size_t parameters, outputs;
} outcome;

static void release(outcome *o)
{
    for (size_t i = 0; i < o->parameters; i++)
        pod_buffer_release(o->arguments[i]);
    for (size_t i = 0; i < o->outputs; i++)
        pod_buffer_release(o->results[i]);
}

static outcome run(pod_context *context, const pod_graph *graph, bool no_fusion, int threads,
                   int64_t steps, uint64_t seed)
{
    outcome o = {.parameters = pod_graph_parameter_count(graph),
                 .outputs = pod_graph_output_count(graph)};
    pod_program *program;
    const pod_compile_options options = {.no_fusion = no_fusion};
    ASSERT_OK(pod_context_set_threads(context, threads, &error));
    ASSERT_OK(pod_program_compile(context, graph, &options, &program, &error));
    for (size_t i = 0; i < o.parameters; i++)
        o.arguments[i] = make_argument(context, pod_graph_get_parameter(graph, i), seed + i);
    const pod_run_options how = {.steps = steps};
    pod_run_report report;
    ASSERT_OK(pod_program_run(program, o.arguments, o.results, &how, &report, &error));
    ASSERT_EQ(steps, report.steps);
    pod_program_free(program);
    return o;
}

/* The oracle, step by step. */
static outcome evaluate(pod_context *context, const pod_graph *graph, int64_t steps, uint64_t seed)
{
    outcome o = {.parameters = pod_graph_parameter_count(graph),
                 .outputs = pod_graph_output_count(graph)};
    pod_array parameters[MOST_VALUES], outputs[MOST_VALUES];
    for (size_t i = 0; i < o.parameters; i++) {
        const pod_node *node = pod_graph_get_parameter(graph, i);
        o.arguments[i] = make_argument(context, node, seed + i);
        parameters[i] = (pod_array){pod_node_dtype(node, 0), *pod_node_shape(node, 0),
                                    pod_buffer_data(o.arguments[i])};
    }
    for (int64_t step = 0; step < steps; step++) {
        ASSERT_OK(evaluate_graph(graph, parameters, outputs, &error));
        for (size_t i = 0; i < o.outputs; i++) {
            const pod_array *from = &outputs[i];
            const int64_t alias = graph->aliases[i];
            pod_buffer *to = alias >= 0 ? o.arguments[alias] : NULL;
            pod_buffer_release(o.results[i]);
            o.results[i] = NULL;
            if (!to) {
                ASSERT_OK(pod_buffer_new(context, from->dtype, &from->shape, &o.results[i], &error));
                to = o.results[i];
            }
            memcpy(pod_buffer_data(to), from->data, pod_buffer_bytes(to));
        }
        evaluate_free(outputs, o.outputs);
    }
    return o;
}

static void compare(const char *what, uint64_t seed, size_t index, const pod_buffer *expected,
                    const pod_buffer *actual)
{
    if (!expected && !actual)
        return;
    ASSERT(expected && actual);
    const size_t bytes = pod_buffer_bytes(expected), size = pod_dtype_size(pod_buffer_dtype(expected));
    const char *x = pod_buffer_data(expected), *y = pod_buffer_data(actual);
    for (size_t i = 0; i < bytes; i += size) {
        double a, b;
        pod_convert(pod_buffer_dtype(expected), x + i, POD_F64, &a, 1);
        pod_convert(pod_buffer_dtype(actual), y + i, POD_F64, &b, 1);
        if (a != b && !(isnan(a) && isnan(b)))
            FAIL("graph %llu: %s %zu, element %zu is %g, expected %g", (unsigned long long)seed, what,
                 index, i / size, b, a);
    }
}

static void compare_all(uint64_t seed, const outcome *expected, const outcome *actual)
{
    for (size_t i = 0; i < expected->outputs; i++)
        compare("result", seed, i, expected->results[i], actual->results[i]);
    for (size_t i = 0; i < expected->parameters; i++)
        compare("argument", seed, i, expected->arguments[i], actual->arguments[i]);
}

#define GRAPHS 400

TEST(programs_give_what_the_oracle_gives)
{
    const char *only = getenv("GRAPH");
    for (uint64_t seed = only ? (uint64_t)atoi(only) : 0; seed < GRAPHS; seed++) {
        pod_context *context = test_context(NULL);
        pod_graph *graph = random_graph_new(context, seed);
        ASSERT(graph);
        ASSERT_OK(pod_graph_check(graph, &error));
        outcome oracle = evaluate(context, graph, 2, seed);
        for (int threads = 0; threads <= 3; threads++) { /* 0: without fusion */
            outcome got = run(context, graph, threads == 0, threads ? threads : 2, 2, seed);
            compare_all(seed, &oracle, &got);
            release(&got);
        }
        release(&oracle);
        pod_graph_free(graph);
        pod_context_release(context);
        if (only)
            break;
    }
}

TEST_MAIN(RUN(programs_give_what_the_oracle_gives))
