/*
 * Precisions of f32 products in whole programs: which kernels a product and its gradients get, how exact the
 * results are, and that threads change no bit. The family has the passes over bf16 parts of AMX, on an
 * emulator of its tiles.
 */

/* Stands in for the library's choice of kernels. */
#define pod_kernel_choose_family choose_really
#include "kernels/choose.c"
#undef pod_kernel_choose_family

#include "tile_emulator.h"
#define pod_dot_f32_six_amx   emulated_six
#define pod_dot_f32_three_amx emulated_three
#include "kernels/dot_f32_amx.c"
#undef pod_dot_f32_six_amx
#undef pod_dot_f32_three_amx

static bool emulates = true;

pod_status pod_kernel_choose_family(const char *isa, const pod_kernels **kernels, pod_error *error);

pod_status pod_kernel_choose_family(const char *isa, const pod_kernels **kernels, pod_error *error)
{
    static pod_kernels emulated;
    const pod_status status = choose_really(isa, kernels, error);
    if (status != POD_OK || !emulates)
        return status;
    emulated = **kernels;
    emulated.dot_f32_six = emulated_six;
    emulated.dot_f32_three = emulated_three;
    *kernels = &emulated;
    return POD_OK;
}

#include "program/compiled.h"
#include "graph/build.h"
#include "program_run.h"

#define SHAPE(...) (&(pod_shape){sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), {__VA_ARGS__}})
#define OUTPUTS    3

static pod_error error;

/* y = a b with its gradients, or of a convolution: three products. The loss is the sum of y g. */
typedef struct trial {
    bool convolution;
    int64_t m, n, k; /* of the product; images, filters and channels of the convolution, which is 6 x 6 by 3 x 3 */
    pod_precision precision; /* that the node asks for */
} trial;

static pod_node *product_of(pod_graph *g, const trial *t, pod_node *a, pod_node *b)
{
    pod_attributes attributes = {.precision = t->precision};
    if (!t->convolution) {
        attributes.lhs_contract = (pod_axes){1, {1}};
        attributes.rhs_contract = (pod_axes){1, {0}};
        return pod_graph_dot(g, a, b, &attributes);
    }
    pod_window *window = &attributes.window;
    window->rank = 2;
    window->groups = 1;
    for (int i = 0; i < 2; i++) {
        window->size[i] = 3;
        window->pad_low[i] = window->pad_high[i] = 1;
        window->stride[i] = window->dilation[i] = 1;
    }
    return pod_graph_apply(g, POD_OP_CONVOLUTION, (pod_node *[]){a, b}, 2, &attributes, NULL, 0);
}

static pod_graph *graph_of(pod_context *context, const trial *t, pod_array parameters[3])
{
    pod_graph *g;
    ASSERT_OK(pod_graph_new(context, "precision", &g, &error));
    const pod_shape shapes[2][3] = {{*SHAPE(t->m, t->k), *SHAPE(t->k, t->n), *SHAPE(t->m, t->n)},
                                    {*SHAPE(t->m, 6, 6, t->k), *SHAPE(3, 3, t->k, t->n), *SHAPE(t->m, 6, 6, t->n)}};
    pod_node *x[3], *gradients[2];
    uint32_t state = 7;
    for (int i = 0; i < 3; i++) {
        const pod_shape *shape = &shapes[t->convolution][i];
        const int64_t count = pod_shape_elements(shape);
        x[i] = pod_graph_parameter(g, POD_F32, shape, NULL);
        float *data = malloc((size_t)count * sizeof *data);
        for (int64_t j = 0; j < count; j++) {
            state = state * 1664525u + 1013904223u;
            data[j] = (float)(int32_t)state / 2147483648.0f;
        }
        parameters[i] = (pod_array){POD_F32, *shape, data};
    }
    pod_node *y = product_of(g, t, x[0], x[1]);
    ASSERT_OK(pod_graph_gradient(g, y, x[2], x, 2, gradients, &error));
    pod_graph_add_output(g, y);
    pod_graph_add_output(g, gradients[0]);
    pod_graph_add_output(g, gradients[1]);
    ASSERT_OK(pod_graph_check(g, &error));
    return g;
}

static size_t count_of(const char *text, const char *what)
{
    size_t count = 0;
    for (; (text = strstr(text, what)) != NULL; text++)
        count++;
    return count;
}

/* The root mean square of the misses, relative to that of the values. */
static double error_of(const pod_array *expected, const pod_buffer *got)
{
    const float *is = pod_buffer_data(got), *should = expected->data;
    double miss = 0, size = 0;
    for (int64_t i = 0; i < pod_shape_elements(&expected->shape); i++) {
        miss += ((double)is[i] - should[i]) * ((double)is[i] - should[i]);
        size += (double)should[i] * should[i];
    }
    return sqrt(miss / size);
}

/* Runs on 1, 2 and 3 threads, also a program that was stored; returns the largest error of the outputs and, in
 * *passes, how many products the listing has in passes of that name. */
static double run_trial(const trial *t, const char *precision, const char *pass, size_t *passes)
{
    pod_context *context = test_context(NULL);
    pod_array parameters[3], expected[OUTPUTS];
    pod_graph *graph = graph_of(context, t, parameters);
    ASSERT_OK(evaluate_graph(graph, parameters, expected, &error));
    const pod_compile_options options = {.matmul_precision = precision};
    pod_buffer *arguments[3], *first[OUTPUTS] = {NULL}, *results[OUTPUTS];
    double worst = 0;
    for (int i = 0; i < 3; i++)
        arguments[i] = buffer_of(context, &parameters[i]);
    for (int threads = 1; threads <= 3; threads++) {
        pod_program *program;
        ASSERT_OK(pod_context_set_threads(context, threads, &error));
        ASSERT_OK(pod_program_compile(context, graph, &options, &program, &error));
        char *text = pod_program_print(program);
        *passes = count_of(text, pass);
        pod_text_free(context, text);
        ASSERT_OK(pod_program_run(program, arguments, results, NULL, NULL, &error));
        for (int i = 0; i < OUTPUTS; i++) {
            const double miss = error_of(&expected[i], results[i]);
            worst = miss > worst ? miss : worst;
            if (threads == 1) {
                first[i] = results[i];
                continue;
            }
            ASSERT(memcmp(pod_buffer_data(first[i]), pod_buffer_data(results[i]), pod_buffer_bytes(first[i])) == 0);
            pod_buffer_release(results[i]);
        }
        pod_program_free(program);
    }
    for (int i = 0; i < 3; i++) {
        pod_buffer_release(arguments[i]);
        free(parameters[i].data);
    }
    for (int i = 0; i < OUTPUTS; i++)
        pod_buffer_release(first[i]);
    evaluate_free(expected, OUTPUTS);
    pod_graph_free(graph);
    pod_context_release(context);
    return worst;
}

static const trial large = {false, 160, 192, 224, POD_PRECISION_DEFAULT};

TEST(a_product_and_its_gradients_are_made_in_the_passes_that_are_set)
{
    size_t passes;
    ASSERT(run_trial(&large, "highest", "six passes", &passes) < 3e-7);
    ASSERT_EQ(3, passes);
    double miss = run_trial(&large, "high", "three passes", &passes);
    ASSERT_EQ(3, passes);
    ASSERT(miss > 1e-6 && miss < 6e-6);
    miss = run_trial(&large, "default", "product bf16", &passes);
    ASSERT_EQ(3, passes);
    ASSERT(miss > 1e-3 && miss < 4e-3);
}

TEST(what_a_node_asks_for_holds_for_its_gradients)
{
    trial asks = large;
    size_t passes;
    asks.precision = POD_PRECISION_HIGH;
    run_trial(&asks, "highest", "three passes", &passes);
    ASSERT_EQ(3, passes);
    asks.precision = POD_PRECISION_HIGHEST;
    run_trial(&asks, "default", "six passes", &passes);
    ASSERT_EQ(3, passes);
    asks.precision = POD_PRECISION_ROUNDED;
    run_trial(&asks, "highest", "product bf16", &passes);
    ASSERT_EQ(3, passes);
}

TEST(a_graph_gives_its_precision_to_products_that_ask_for_none)
{
    pod_context *context = test_context(NULL);
    pod_graph *graph;
    ASSERT_OK(pod_graph_new(context, "precision", &graph, &error));
    pod_node *x = pod_graph_parameter(graph, POD_F32, SHAPE(2, 2), NULL);
    const trial asks = {.precision = POD_PRECISION_HIGH};
    static const pod_precision expected[] = {POD_PRECISION_DEFAULT, POD_PRECISION_HIGH, POD_PRECISION_ROUNDED};
    pod_node *made[] = {product_of(graph, &large, x, x), NULL, NULL};
    pod_graph_set_precision(graph, POD_PRECISION_ROUNDED);
    made[1] = product_of(graph, &asks, x, x);
    made[2] = product_of(graph, &large, x, x);
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        ASSERT_EQ(expected[i], pod_node_describe(made[i]).attributes->precision);
    pod_graph_free(graph);
    pod_context_release(context);
}

TEST(small_products_stay_in_f32)
{
    static const trial small[] = {
        {.m = 300, .n = 10, .k = 300}, {.m = 4, .n = 300, .k = 300}, {.convolution = true, .m = 20, .n = 8, .k = 3}};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        size_t passes;
        ASSERT(run_trial(&small[i], "high", "passes", &passes) < 1e-6);
        ASSERT_EQ(0, passes);
    }
}

TEST(convolutions_are_products_too)
{
    static const trial convolution = {.convolution = true, .m = 12, .n = 128, .k = 96};
    size_t passes;
    const double highest = run_trial(&convolution, "highest", "passes", &passes);
    const double high = run_trial(&convolution, "high", "passes", &passes);
    const double low = run_trial(&convolution, "default", "passes", &passes);
    ASSERT(highest < 5e-7);
    ASSERT(high > 1e-6 && high < 6e-6);
    ASSERT(low > 1e-3 && low < 4e-3);
}

TEST(without_passes_high_is_f32)
{
    size_t passes;
    emulates = false;
    if (strcmp(pod_cpu_family_name(pod_cpu_best_family()), "amx") != 0)
        ASSERT(run_trial(&large, "high", "product f32:", &passes) < 1e-6);
    ASSERT(run_trial(&large, "default", "product bf16", &passes) < 4e-3);
    ASSERT_EQ(3, passes);
    emulates = true;
}

TEST_MAIN(RUN(a_product_and_its_gradients_are_made_in_the_passes_that_are_set);
          RUN(what_a_node_asks_for_holds_for_its_gradients);
          RUN(a_graph_gives_its_precision_to_products_that_ask_for_none); RUN(small_products_stay_in_f32);
          RUN(convolutions_are_products_too); RUN(without_passes_high_is_f32))
