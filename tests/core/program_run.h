#ifndef POD_TESTS_PROGRAM_RUN_H
#define POD_TESTS_PROGRAM_RUN_H

/*
 * program_run - compiles a graph, runs it on arrays and compares with the oracle.
 */

#include "evaluate.h"
#include "program/compiled.h"
#include "moonpod/program.h"
#include "test.h"

#define MOST_VALUES 64

/* Arguments (updated where outputs are aliases) and results of a run; end with outcome_release(). */
typedef struct outcome {
    pod_buffer *arguments[MOST_VALUES], *results[MOST_VALUES];
    size_t parameters, outputs;
} outcome;

__attribute__((unused)) static void outcome_release(outcome *o)
{
    for (size_t i = 0; i < o->parameters; i++)
        pod_buffer_release(o->arguments[i]);
    for (size_t i = 0; i < o->outputs; i++)
        pod_buffer_release(o->results[i]);
}

/* A buffer with the elements of an array. */
static pod_buffer *buffer_of(pod_context *context, const pod_array *array)
{
    pod_error error;
    pod_buffer *buffer;
    ASSERT_OK(pod_buffer_new(context, array->dtype, &array->shape, &buffer, &error));
    if (pod_buffer_bytes(buffer))
        memcpy(pod_buffer_data(buffer), array->data, pod_buffer_bytes(buffer));
    return buffer;
}

/* Compiles and runs `steps` steps. */
static outcome program_run(pod_context *context, const pod_graph *graph, const pod_array *arguments, bool no_fusion,
                           int threads, int64_t steps)
{
    pod_error error;
    outcome o = {.parameters = pod_graph_parameter_count(graph), .outputs = pod_graph_output_count(graph)};
    pod_program *program;
    const pod_compile_options options = {.no_fusion = no_fusion};
    const pod_run_options how = {.steps = steps};
    pod_run_report report;
    ASSERT_OK(pod_context_set_threads(context, threads, &error));
    ASSERT_OK(pod_program_compile(context, graph, &options, &program, &error));
    for (size_t i = 0; i < o.parameters; i++)
        o.arguments[i] = buffer_of(context, &arguments[i]);
    ASSERT_OK(pod_program_run(program, o.arguments, o.results, &how, &report, &error));
    ASSERT_EQ(steps, report.steps);
    pod_program_free(program);
    return o;
}

/* Compares two arrays: |actual - expected| <= relative * (|expected| + scale), scale the largest of the
 * array's finite elements. */
__attribute__((unused)) static void compare_arrays(const char *what, size_t index, const pod_array *expected,
                                                   const pod_buffer *actual, double relative)
{
    const size_t size = pod_dtype_size(expected->dtype);
    const int64_t count = pod_shape_elements(&expected->shape);
    double scale = 1e-3; /* what is left of values that cancel */
    ASSERT(actual != NULL);
    ASSERT_EQ(expected->dtype, pod_buffer_dtype(actual));
    ASSERT(pod_shape_equal(&expected->shape, pod_buffer_shape(actual)));
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < count; i++) {
            double a, b;
            pod_convert(expected->dtype, (char *)expected->data + (size_t)i * size, POD_F64, &a, 1);
            pod_convert(expected->dtype, (char *)pod_buffer_data(actual) + (size_t)i * size, POD_F64, &b, 1);
            if (pass == 0)
                scale = isfinite(a) && fabs(a) > scale ? fabs(a) : scale;
            else if (a != b && !(isnan(a) && isnan(b)) && !(fabs(a - b) <= relative * (fabs(a) + scale)))
                FAIL("%s: output %zu, element %lld is %.17g, expected %.17g", what, index, (long long)i, b, a);
        }
}

/* Runs a graph without aliases fused and not, on one and on three threads, and compares with the
 * oracle. */
__attribute__((unused)) static void check_against_oracle(pod_context *context, const pod_graph *graph,
                                                         const pod_array *arguments, const char *what, double relative)
{
    pod_error error;
    pod_array expected[MOST_VALUES];
    ASSERT_OK(pod_graph_check(graph, &error));
    ASSERT_OK(evaluate_graph(graph, arguments, expected, &error));
    const size_t outputs = pod_graph_output_count(graph);
    for (int threads = 0; threads <= 3; threads++) {
        outcome o = program_run(context, graph, arguments, threads == 0, threads ? threads : 2, 1);
        for (size_t i = 0; i < outputs; i++)
            compare_arrays(what, i, &expected[i], o.results[i], relative);
        outcome_release(&o);
    }
    evaluate_free(expected, outputs);
}

#endif
