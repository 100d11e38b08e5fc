/* Attention by the kernel that takes it whole, against its body by reference kernels, in the family
 * in use; and with products of AMX, emulated. */

#include "tile_emulator.h"
#define pod_dot_bf16_amx emulated_bf16_amx
#include "kernels/dot_amx.c"
#undef pod_dot_bf16_amx

#include "program_run.h"
#include "test_system.h"

typedef struct attention_case {
    const char *name;
    pod_dtype dtype;
    int64_t batch, heads, shared, queries, keys, width, value_width;
    bool places_first; /* [b, t, h, d] */
    bool causal, zero_hidden;
    int64_t mask[4]; /* its shape; zeros: none */
    double scale, rate;
} attention_case;

static const attention_case cases[] = {
    {"one query", POD_F32, 1, 1, 1, 1, 1, 1, 1, false, true, false, {0}, 0, 0},
    {"plain", POD_F32, 2, 3, 3, 5, 7, 4, 6, false, false, false, {0}, 0, 0},
    {"places first", POD_F32, 2, 3, 3, 5, 7, 4, 6, true, false, false, {0}, 0.7, 0},
    {"causal", POD_F32, 3, 2, 2, 70, 70, 16, 16, true, true, false, {0}, 0, 0},
    {"causal, more keys", POD_F32, 1, 2, 2, 40, 90, 8, 24, true, true, false, {0}, 0, 0},
    {"causal, more queries", POD_F32, 1, 2, 2, 150, 20, 8, 8, false, true, false, {0}, 0, 0},
    {"long", POD_F32, 1, 1, 1, 150, 600, 20, 12, true, false, false, {0}, 0, 0},
    {"long and causal", POD_F32, 1, 2, 1, 600, 600, 12, 20, true, true, false, {0}, 0, 0},
    {"whole mask", POD_F32, 2, 3, 3, 20, 33, 8, 8, true, false, false, {2, 3, 20, 33}, 0, 0},
    {"mask of keys", POD_F32, 3, 2, 2, 20, 33, 8, 8, true, false, true, {3, 1, 1, 33}, 0, 0},
    {"mask of queries", POD_F32, 3, 2, 2, 20, 33, 8, 8, false, false, false, {3, 1, 20, 1}, 0, 0},
    {"mask and causal", POD_F32, 2, 2, 2, 80, 80, 8, 8, true, true, false, {1, 2, 80, 80}, 0, 0},
    {"nothing seen is 0", POD_F32, 2, 2, 2, 80, 80, 8, 8, true, true, true, {2, 1, 80, 80}, 0, 0},
    {"shared heads", POD_F32, 2, 6, 2, 33, 40, 8, 10, true, true, false, {0}, 0, 0},
    {"shared by all", POD_F32, 2, 4, 1, 70, 40, 8, 10, false, false, false, {2, 4, 70, 40}, 0, 0},
    {"dropout", POD_F32, 3, 2, 2, 40, 50, 8, 8, true, false, false, {0}, 0, 0.3},
    {"dropout, mask, causal", POD_F32, 2, 4, 2, 70, 70, 8, 8, false, true, true, {2, 1, 70, 70}, 0, 0.5},
    {"bf16", POD_BF16, 2, 4, 4, 128, 128, 64, 64, true, true, false, {0}, 0, 0},
    {"bf16, odd", POD_BF16, 2, 2, 1, 45, 71, 33, 17, true, false, false, {2, 1, 45, 71}, 0, 0.2},
    {"large scores", POD_F32, 2, 2, 2, 70, 45, 16, 16, true, false, false, {0}, 8, 0},
    {"bf16, large scores", POD_BF16, 2, 2, 2, 45, 71, 16, 16, true, true, false, {0}, 8, 0},
    {"bf16, odd, nothing hidden", POD_BF16, 2, 2, 1, 45, 71, 33, 17, true, false, false, {0}, 0, 0},
    {"bf16, long", POD_BF16, 1, 1, 1, 300, 300, 64, 32, false, true, false, {0}, 0, 0},
};

#define CASE_COUNT (sizeof cases / sizeof cases[0])

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static pod_array random_array(pod_dtype dtype, const pod_shape *shape, uint32_t seed)
{
    pod_array made = evaluate_allocate(dtype, shape);
    size_t size = pod_dtype_size(dtype);
    for (int64_t i = 0; i < pod_shape_elements(shape); i++) {
        double x = next_random(&seed) * 0x1p-23 - 1;
        x = dtype == POD_BOOL ? x > 0 : x;
        pod_convert(POD_F64, &x, dtype, (char *)made.data + (size_t)i * size, 1);
    }
    return made;
}

/* Queries that may look nowhere, some of them. */
static void hide_rows(pod_array *mask)
{
    int64_t keys = mask->shape.dims[3], rows = pod_shape_elements(&mask->shape) / keys;
    for (int64_t i = 2; i < rows; i += 7)
        memset((char *)mask->data + i * keys, 0, (size_t)keys);
}

static pod_shape four(const attention_case *one, int64_t heads, int64_t places, int64_t width)
{
    if (one->places_first)
        return (pod_shape){4, {one->batch, places, heads, width}};
    return (pod_shape){4, {one->batch, heads, places, width}};
}

/* q, k, v, then g, mask and state where there are; returns how many. */
static size_t make_operands(const attention_case *one, pod_array *arrays)
{
    pod_shape q = four(one, one->heads, one->queries, one->width);
    pod_shape k = four(one, one->shared, one->keys, one->width);
    pod_shape v = four(one, one->shared, one->keys, one->value_width);
    pod_shape g = four(one, one->heads, one->queries, one->value_width);
    size_t count = 0;
    arrays[count++] = random_array(one->dtype, &q, 1);
    arrays[count++] = random_array(one->dtype, &k, 2);
    arrays[count++] = random_array(one->dtype, &v, 3);
    if (one->mask[0]) {
        pod_shape mask = {4, {one->mask[0], one->mask[1], one->mask[2], one->mask[3]}};
        arrays[count++] = random_array(POD_BOOL, &mask, 4);
        hide_rows(&arrays[count - 1]);
    }
    if (one->rate > 0) {
        arrays[count] = evaluate_allocate(POD_U64, &(pod_shape){1, {2}});
        ((uint64_t *)arrays[count].data)[0] = 11;
        ((uint64_t *)arrays[count++].data)[1] = 3;
    }
    arrays[count++] = random_array(one->dtype, &g, 5);
    return count;
}

static pod_attributes attributes_of(const attention_case *one)
{
    return (pod_attributes){.axis = one->places_first ? 2 : 0,
                            .flag = one->causal,
                            .count = one->zero_hidden,
                            .seed = 9,
                            .values = {one->scale, one->rate}};
}

/* Attention of the parameters, and the gradients of q, k and v. */
static pod_graph *make_graph(pod_context *context, const attention_case *one, const pod_array *arrays, size_t count)
{
    pod_graph *graph;
    pod_node *nodes[6], *gradients[3];
    pod_error error;
    pod_attributes attributes = attributes_of(one);
    ASSERT_OK(pod_graph_new(context, one->name, &graph, &error));
    for (size_t i = 0; i < count; i++)
        nodes[i] = pod_graph_parameter(graph, arrays[i].dtype, &arrays[i].shape, NULL);
    pod_node *y = pod_graph_composite(graph, "attention", nodes, count - 1, &attributes);
    pod_graph_add_output(graph, y);
    ASSERT_OK(pod_graph_gradient(graph, y, nodes[count - 1], nodes, 3, gradients, &error));
    for (int i = 0; i < 3; i++)
        pod_graph_add_output(graph, gradients[i]);
    return graph;
}

/* Whether the kernels take the calls. */
static void expect_kernels(pod_context *context, const pod_graph *graph, bool expected)
{
    pod_program *program;
    pod_error error;
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    char *text = pod_program_print(program);
    ASSERT_EQ(expected, strstr(text, "kernel attention rows") != NULL);
    ASSERT_EQ(expected, strstr(text, "kernel attention_gradient rows") != NULL);
    pod_text_free(context, text);
    pod_program_free(program);
}

TEST(the_kernels_agree_with_the_bodies)
{
    pod_context *context = test_context(NULL);
    for (size_t i = 0; i < CASE_COUNT; i++) {
        pod_array arrays[6];
        size_t count = make_operands(&cases[i], arrays);
        pod_graph *graph = make_graph(context, &cases[i], arrays, count);
        expect_kernels(context, graph, true);
        check_against_oracle(context, graph, arrays, cases[i].name, cases[i].dtype == POD_BF16 ? 2e-2 : 1e-5);
        pod_graph_free(graph);
        evaluate_free(arrays, count);
    }
    pod_context_release(context);
}

TEST(bits_do_not_depend_on_threads)
{
    pod_context *context = test_context(NULL);
    for (size_t i = 0; i < CASE_COUNT; i++) {
        pod_array arrays[6];
        size_t count = make_operands(&cases[i], arrays);
        pod_graph *graph = make_graph(context, &cases[i], arrays, count);
        outcome one = program_run(context, graph, arrays, false, 1, 1);
        for (int threads = 2; threads <= 3; threads++) {
            outcome more = program_run(context, graph, arrays, false, threads, 1);
            for (size_t j = 0; j < one.outputs; j++)
                ASSERT_EQ(0, memcmp(pod_buffer_data(one.results[j]), pod_buffer_data(more.results[j]),
                                    pod_buffer_bytes(one.results[j])));
            outcome_release(&more);
        }
        outcome_release(&one);
        pod_graph_free(graph);
        evaluate_free(arrays, count);
    }
    pod_context_release(context);
}

/* What the kernels do not take runs as the body. */
TEST(other_calls_are_left_to_the_body)
{
    const attention_case others[] = {
        {"f64", POD_F64, 1, 2, 2, 5, 6, 4, 4, true, true, false, {0}, 0, 0},
        {"negative scale", POD_F32, 1, 2, 2, 5, 6, 4, 4, true, true, false, {0}, -0.5, 0},
        {"all is dropped", POD_F32, 1, 2, 2, 5, 6, 4, 4, true, true, false, {0}, 0, 1},
    };
    pod_context *context = test_context(NULL);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        pod_array arrays[6];
        size_t count = make_operands(&others[i], arrays);
        pod_graph *graph = make_graph(context, &others[i], arrays, count);
        expect_kernels(context, graph, false);
        check_against_oracle(context, graph, arrays, others[i].name, 1e-5);
        pod_graph_free(graph);
        evaluate_free(arrays, count);
    }
    pod_context_release(context);
}

/* ---- AMX, emulated --------------------------------------------------------------------------- */

static void run_kernel(const char *name, pod_kernel_call *call)
{
    const pod_kernel *kernel = pod_kernel_of_composite(name, call);
    ASSERT(kernel != NULL);
    void *scratch = system_aligned_new(pod_kernel_scratch_bytes(kernel, call));
    ASSERT_EQ(POD_OK, pod_kernel_run(kernel, call, 0, pod_kernel_units(kernel, call), scratch));
    system_aligned_free(scratch);
}

static void compare_floats(const char *name, const pod_array *expected, const pod_array *actual)
{
    for (int64_t i = 0; i < pod_shape_elements(&expected->shape); i++) {
        float a, b;
        pod_convert(POD_BF16, (uint16_t *)expected->data + i, POD_F32, &a, 1);
        pod_convert(POD_BF16, (uint16_t *)actual->data + i, POD_F32, &b, 1);
        if (!(fabsf(a - b) <= 0.02f * (fabsf(a) + 1)))
            FAIL("%s: element %lld is %g, expected %g", name, (long long)i, b, a);
    }
}

TEST(emulated_tiles_do_the_same)
{
    const pod_kernels *kernels;
    pod_error error;
    ASSERT_OK(pod_kernel_choose_family("portable", &kernels, &error));
    pod_kernels tiles = *kernels;
    tiles.dot_bf16 = emulated_bf16_amx;
    for (size_t i = 0; i < CASE_COUNT; i++) {
        if (cases[i].dtype != POD_BF16)
            continue;
        pod_array arrays[6], expected[4], actual[4];
        size_t count = make_operands(&cases[i], arrays);
        pod_attributes attributes = attributes_of(&cases[i]);
        for (int j = 0; j < 4; j++) {
            expected[j] = evaluate_copy(&arrays[j == 0 ? count - 1 : (size_t)j - 1]);
            actual[j] = evaluate_copy(&expected[j]);
        }
        for (int pass = 0; pass < 2; pass++) {
            pod_array *to = pass ? actual : expected;
            pod_kernel_call call = {&attributes, arrays, count - 1, to, 1, NULL, .kernels = pass ? &tiles : kernels};
            run_kernel("attention", &call);
            call.input_count = count;
            call.outputs = to + 1;
            call.output_count = 3;
            run_kernel("attention_gradient", &call);
        }
        for (int j = 0; j < 4; j++)
            compare_floats(cases[i].name, &expected[j], &actual[j]);
        evaluate_free(arrays, count);
        evaluate_free(expected, 4);
        evaluate_free(actual, 4);
    }
    ASSERT_EQ(0, emulated_tiles_open);
}

TEST_MAIN(RUN(the_kernels_agree_with_the_bodies); RUN(bits_do_not_depend_on_threads);
          RUN(other_calls_are_left_to_the_body); RUN(emulated_tiles_do_the_same))
