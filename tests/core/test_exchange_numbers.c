/*
 * Modules of JAX, run by the engine, give what XLA computed with them. The modules and the numbers
 * are written by tests/golden/stablehlo.py, which makes the same arguments.
 */

#include "program_run.h"

#include "moonpod/exchange.h"

typedef struct golden {
    const char *module;
    size_t output;
    double first, sum, weighted, magnitude;
} golden;

#define STABLEHLO(module, output, first, sum, weighted, magnitude) {#module, output, first, sum, weighted, magnitude},
static const golden goldens[] = {
#include "../golden/stablehlo.def"
};
#define GOLDEN_COUNT (sizeof goldens / sizeof *goldens)

static pod_context *context;
static pod_error error;

static char *read_text(const char *name, size_t *length)
{
    char path[512];
    snprintf(path, sizeof path, "tests/golden/stablehlo/%s.mlir", name);
    FILE *file = fopen(path, "rb");
    if (!file)
        FAIL("%s cannot be opened", path);
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*length);
    ASSERT(text && fread(text, 1, *length, file) == *length);
    fclose(file);
    return text;
}

/* As argument() in stablehlo.py. */
static pod_array make_argument(size_t number, const pod_node *parameter)
{
    pod_array made = {.dtype = pod_node_dtype(parameter, 0), .shape = *pod_node_shape(parameter, 0)};
    const size_t size = pod_dtype_size(made.dtype);
    const int64_t count = pod_shape_elements(&made.shape);
    made.data = malloc((size_t)count * size + 1);
    ASSERT(made.data != NULL);
    for (int64_t i = 0; i < count; i++) {
        const uint32_t hash = (uint32_t)((uint64_t)i * 2654435761u + 12345 * (number + 1));
        double value = hash / 4294967296.0;
        value = pod_dtype_is_float(made.dtype) ? value - 0.5 : floor(value * 4);
        pod_convert(POD_F64, &value, made.dtype, (char *)made.data + (size_t)i * size, 1);
    }
    return made;
}

/* An output of a variable is where the variable lies. */
static const pod_buffer *result_of(const pod_graph *graph, const outcome *o, size_t output)
{
    return o->results[output] ? o->results[output] : o->arguments[graph->aliases[output]];
}

static void check_number(const golden *row, const char *what, double expected, double actual, double allowed)
{
    if (!(fabs(expected - actual) <= allowed))
        FAIL("%s of output %zu of %s is %.9g, not %.9g", what, row->output, row->module, actual, expected);
}

static void check_output(const golden *row, const pod_buffer *result)
{
    const size_t size = pod_dtype_size(pod_buffer_dtype(result));
    const int64_t count = pod_shape_elements(pod_buffer_shape(result));
    double first = 0, sum = 0, weighted = 0, magnitude = 0;
    for (int64_t i = 0; i < count; i++) {
        double value;
        pod_convert(pod_buffer_dtype(result), (char *)pod_buffer_data(result) + (size_t)i * size, POD_F64, &value, 1);
        first = i == 0 ? value : first;
        sum += value;
        weighted += value * (double)(1 + i % 7);
        magnitude += fabs(value);
    }
    /* bf16 is rounded at other places by fused ops */
    const double relative = strcmp(row->module, "mlp_adam") == 0 ? 1e-3 : 2e-5;
    const double allowed = relative * row->magnitude + 1e-6;
    check_number(row, "the first element", row->first, first, allowed);
    check_number(row, "the sum", row->sum, sum, allowed);
    check_number(row, "the weighted sum", row->weighted, weighted, 7 * allowed);
    check_number(row, "the sum of magnitudes", row->magnitude, magnitude, allowed);
}

static void run_module(const char *name, bool no_fusion)
{
    size_t length;
    char *text = read_text(name, &length);
    pod_exchange_module *module;
    pod_array arguments[MOST_VALUES];
    ASSERT_OK(pod_exchange_read(context, text, length, name, &module, &error));
    ASSERT_EQ(0, pod_exchange_describe(module).unknown_count);
    const pod_graph *graph = pod_exchange_graph(module);
    const size_t parameters = pod_graph_parameter_count(graph);
    for (size_t i = 0; i < parameters; i++)
        arguments[i] = make_argument(i, pod_graph_get_parameter(graph, i));
    outcome o = program_run(context, graph, arguments, no_fusion, 1, 1);
    for (size_t i = 0; i < GOLDEN_COUNT; i++)
        if (strcmp(goldens[i].module, name) == 0)
            check_output(&goldens[i], result_of(graph, &o, goldens[i].output));
    outcome_release(&o);
    for (size_t i = 0; i < parameters; i++)
        free(arguments[i].data);
    pod_exchange_free(module);
    free(text);
}

static void run_all(bool no_fusion)
{
    for (size_t i = 0; i < GOLDEN_COUNT; i++)
        if (goldens[i].output == 0)
            run_module(goldens[i].module, no_fusion);
}

TEST(modules_give_what_xla_computes)
{
    run_all(false);
}

TEST(without_fusion_they_give_the_same)
{
    run_all(true);
}

TEST_MAIN(context = test_context(NULL); RUN(modules_give_what_xla_computes); RUN(without_fusion_they_give_the_same);
          pod_context_release(context);)
