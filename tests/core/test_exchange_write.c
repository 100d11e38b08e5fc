/* Graphs written as StableHLO and read again are the same graphs: every op of the table,
 * composites, random graphs and modules of JAX. */

#include "evaluate.h"
#include "op_cases.h"
#include "random_graph.h"
#include "same_graph.h"

#include "base/arena_apart.h"
#include "exchange/write.h"
#include "moonpod/exchange.h"

static pod_context *context;
static pod_error error;

/* Writes, reads and compares; returns the text, to be freed. */
static char *round_trip(const pod_graph *graph, const char *what)
{
    char *text;
    pod_exchange_module *module;
    ASSERT_OK(pod_graph_check(graph, &error));
    if (pod_exchange_write(graph, &text, &error) != POD_OK)
        FAIL("%s: %s", what, error.message);
    if (pod_exchange_read(context, text, strlen(text), "text", &module, &error) != POD_OK)
        FAIL("%s: %s\n%s", what, error.message, text);
    ASSERT_OK(pod_graph_verify(pod_exchange_graph(module), &error));
    if (!same_graph(graph, pod_exchange_graph(module)))
        FAIL("%s is read as another graph:\n%s\n%s", what, text, pod_graph_print(pod_exchange_graph(module)));
    pod_exchange_free(module);
    return text;
}

/* A second region of a call, its gradient, is not written. */
static bool is_written(const shape_case *c)
{
    return c->results && c->regions != BODY_CUSTOM && c->op != POD_OP_PARAMETER;
}

TEST(every_op_is_read_as_it_was_written)
{
    for (size_t i = 0; i < CASE_COUNT; i++) {
        pod_node *node;
        if (!is_written(&cases[i]))
            continue;
        pod_graph *graph = build_case(context, &cases[i], &node);
        for (uint32_t r = 0; r < node->result_count; r++)
            pod_graph_add_output(graph, pod_graph_result(graph, node, r));
        pod_text_free(context, round_trip(graph, pod_op_name(cases[i].op)));
        pod_graph_free(graph);
    }
}

/* Other compilers refuse modules with abs or sign of such. */
TEST(abs_and_sign_of_unsigned_numbers_are_written_as_stablehlo_has_them)
{
    for (pod_dtype dtype = POD_S8; dtype <= POD_U64; dtype++) {
        pod_graph *graph;
        ASSERT_OK(pod_graph_new(context, "signs", &graph, &error));
        pod_node *x = pod_graph_parameter(graph, dtype, &(pod_shape){1, {3}}, "x");
        pod_graph_add_output(graph, pod_graph_unary(graph, POD_OP_ABS, x));
        pod_graph_add_output(graph, pod_graph_unary(graph, POD_OP_SIGN, x));
        char *text = round_trip(graph, pod_dtype_name(dtype));
        ASSERT_EQ(dtype < POD_U8, strstr(text, "\"stablehlo.abs\"") != NULL);
        ASSERT_EQ(dtype < POD_U8, strstr(text, "\"stablehlo.sign\"") != NULL);
        ASSERT_EQ(dtype >= POD_U8, strstr(text, "\"stablehlo.convert\"") != NULL);
        ASSERT_EQ(dtype >= POD_U8, strstr(text, "\"stablehlo.custom_call\"") != NULL);
        pod_text_free(context, text);
        pod_graph_free(graph);
    }
}

TEST(random_graphs_are_read_as_they_were_written)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        pod_graph *graph = random_graph_new(context, seed);
        pod_text_free(context, round_trip(graph, "a random graph"));
        pod_graph_free(graph);
    }
}

TEST(composites_aliases_names_and_places_are_kept)
{
    pod_graph *graph;
    pod_exchange_module *module;
    const pod_shape logits = {2, {4, 3}}, labels = {1, {4}};
    ASSERT_OK(pod_graph_new(context, "step \"1\"", &graph, &error));
    pod_node *w = pod_graph_parameter(graph, POD_F32, &logits, "dense/kernel");
    pod_node *y = pod_graph_parameter(graph, POD_S32, &labels, "labels");
    pod_graph_set_location(graph, "model.lua:12");
    pod_graph_set_scope(graph, "loss");
    pod_node *inputs[2] = {w, y};
    pod_node *loss = pod_graph_composite(graph, "sparse_softmax_cross_entropy", inputs, 2, NULL);
    pod_graph_add_output(graph, pod_graph_tanh(graph, w));
    pod_graph_add_output(graph, pod_graph_result(graph, loss, 0));
    pod_graph_set_alias(graph, 0, 0);
    char *text = round_trip(graph, "a step");
    ASSERT_CONTAINS("tf.aliasing_output = 0 : i32", text);
    ASSERT_OK(pod_exchange_read(context, text, strlen(text), "text", &module, &error));
    const pod_node *node = pod_graph_get_output(pod_exchange_graph(module), 1);
    ASSERT_TEXT("model.lua:12", node->location);
    ASSERT_TEXT("loss", node->scope);
    ASSERT_TEXT("dense/kernel", pod_exchange_get_parameter(module, 0).name);
    ASSERT_EQ(0, pod_exchange_get_parameter(module, 0).alias);
    pod_exchange_free(module);
    pod_text_free(context, text);
    pod_graph_free(graph);
}

/* A kernel that the user reverses is not the one that StableHLO wants reversed. */
TEST(reversed_kernels_of_input_gradients_are_kept)
{
    static const pod_axes all = {4, {0, 1, 2, 3}}, spatial = {2, {0, 1}}, first = {1, {0}};
    const pod_axes *const reversed[] = {&all, &spatial, &first};
    for (int groups = 1; groups <= 3; groups += 2)
        for (int i = 0; i < 3; i++) {
            pod_graph *graph;
            ASSERT_OK(pod_graph_new(context, "reversed", &graph, &error));
            pod_node *g = pod_graph_parameter(graph, POD_F32, &(pod_shape){4, {1, 1, 3, 12}}, "g");
            pod_node *kernel = pod_graph_parameter(graph, POD_F32, &(pod_shape){4, {4, 4, 3 / groups, 12}}, "kernel");
            pod_attributes turn = {.axes = *reversed[i]};
            pod_attributes attributes = {.shape = {4, {1, 4, 6, 3}},
                                         .window = {.rank = 2,
                                                    .size = {4, 4},
                                                    .stride = {1, 3},
                                                    .dilation = {1, 1},
                                                    .pad_low = {0, 3},
                                                    .pad_high = {0, 3},
                                                    .groups = groups}};
            kernel = pod_graph_apply(graph, POD_OP_REVERSE, &kernel, 1, &turn, NULL, 0);
            pod_graph_add_output(graph, pod_graph_apply(graph, POD_OP_CONVOLUTION_INPUT_GRADIENT,
                                                        (pod_node *[]){g, kernel}, 2, &attributes, NULL, 0));
            ASSERT_OK(pod_graph_check(graph, &error));
            pod_text_free(context, round_trip(graph, "a reversed kernel"));
            pod_graph_free(graph);
        }
}

TEST(modules_of_jax_are_read_as_they_were_written)
{
    static const char *const names[] = {"cnn_sgd", "control", "gpt_sgd", "layouts", "mlp_adam", "orders"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        static char text[65536];
        char path[128];
        pod_exchange_module *module;
        snprintf(path, sizeof path, "tests/golden/stablehlo/%s.mlir", names[i]);
        FILE *file = fopen(path, "rb");
        ASSERT(file != NULL);
        size_t length = fread(text, 1, sizeof text, file);
        fclose(file);
        ASSERT_OK(pod_exchange_read(context, text, length, names[i], &module, &error));
        pod_text_free(context, round_trip(pod_exchange_graph(module), names[i]));
        pod_exchange_free(module);
    }
}

/* What a fold begins with: no double holds the largest of 64 bits. */
TEST(the_largest_integers_are_written_whole)
{
    static const struct {
        pod_dtype dtype;
        const char *largest;
    } wholes[] = {{POD_U64, "dense<18446744073709551615>"},
                  {POD_S64, "dense<9223372036854775807>"},
                  {POD_U8, "dense<255>"},
                  {POD_S16, "dense<32767>"}};
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
        pod_graph *g;
        ASSERT_OK(pod_graph_new(context, "largest", &g, &error));
        pod_node *x = pod_graph_parameter(g, wholes[i].dtype, &(pod_shape){1, {3}}, "x");
        pod_graph_add_output(g, pod_graph_reduce(g, "reduce_min", x, NULL, false));
        char *text = round_trip(g, pod_dtype_name(wholes[i].dtype));
        if (!strstr(text, wholes[i].largest))
            FAIL("there is no %s in %s", wholes[i].largest, text);
        pod_text_free(context, text);
        pod_graph_free(g);
    }
}

TEST(constants_of_bool_keep_their_elements)
{
    static const bool elements[2][3] = {{true, false, true}, {false, false, true}};
    pod_graph *g;
    ASSERT_OK(pod_graph_new(context, "mask", &g, &error));
    pod_node *mask = pod_graph_constant(g, POD_BOOL, &(pod_shape){2, {2, 3}}, elements);
    pod_node *x = pod_graph_parameter(g, POD_F32, &(pod_shape){2, {2, 3}}, "x");
    pod_graph_add_output(g, pod_graph_select(g, mask, x, pod_graph_scale(g, x, 2)));
    char *text = round_trip(g, "a mask");
    ASSERT_CONTAINS("dense<[[true, false, true], [false, false, true]]> : tensor<2x3xi1>", text);
    pod_text_free(context, text);
    pod_graph_free(g);
}

/* The new value of what devices divide is divided as it was. */
TEST(what_devices_divide_is_said_of_parameters_and_their_new_values)
{
    char *text;
    const int8_t cut[] = {0, -1};
    pod_graph *graph;
    ASSERT_OK(pod_graph_new(context, "step", &graph, &error));
    pod_node *parts = pod_graph_parameter(graph, POD_F32, &(pod_shape){2, {8, 3}}, NULL);
    pod_node *whole = pod_graph_parameter(graph, POD_F32, &(pod_shape){2, {8, 3}}, NULL);
    pod_node *sum = pod_graph_add(graph, parts, whole);
    pod_graph_add_output(graph, sum);
    pod_graph_add_output(graph, pod_graph_add(graph, sum, sum));
    pod_graph_set_alias(graph, 1, 0);
    ASSERT_OK(pod_exchange_write_for(graph, &(pod_exchange_target){.devices = 8, .cut = cut}, &text, &error));
    ASSERT_CONTAINS("tensor<8x3xf32> {mhlo.sharding = \"{devices=[8,1]<=[8]}\", tf.aliasing_output = 1 : i32}", text);
    ASSERT_CONTAINS("-> (tensor<8x3xf32> {mhlo.sharding = \"{replicated}\"}, "
                    "tensor<8x3xf32> {mhlo.sharding = \"{devices=[8,1]<=[8]}\"})",
                    text);
    pod_text_free(context, text);
    pod_graph_free(graph);
}

/* A graph of a region, a constant, names, a scope and an alias. */
static pod_status write_some(pod_context *host, pod_error *into)
{
    pod_graph *graph = NULL, *body = NULL;
    char *text = NULL;
    pod_status status = pod_graph_new(host, "step", &graph, into);
    if (status == POD_OK)
        status = pod_graph_new(host, "body", &body, into);
    if (status != POD_OK) {
        pod_graph_free(graph);
        return status;
    }
    pod_node *inner = pod_graph_parameter(body, POD_F32, &(pod_shape){2, {4, 2}}, NULL);
    pod_graph_add_output(body, pod_graph_tanh(body, inner));
    pod_graph_set_location(graph, "model.lua:3");
    pod_graph_set_scope(graph, "dense_1");
    pod_node *x = pod_graph_parameter(graph, POD_F32, &(pod_shape){2, {4, 3}}, "x");
    pod_node *w = pod_graph_parameter(graph, POD_F32, &(pod_shape){2, {3, 2}}, "w");
    pod_node *y = pod_graph_matmul(graph, x, w);
    y = pod_graph_apply(graph, POD_OP_CALL, &y, 1, NULL, &body, 1);
    pod_graph_add_output(graph, pod_graph_scale(graph, y, 2));
    pod_graph_add_output(graph, pod_graph_scale(graph, w, 0.5));
    pod_graph_set_alias(graph, 1, 1);
    status = pod_graph_check(graph, into);
    if (status == POD_OK)
        status = pod_exchange_write(graph, &text, into);
    pod_text_free(host, text);
    pod_graph_free(graph);
    return status;
}

TEST(each_allocation_of_writing_may_fail)
{
    pod_arenas_apart = true;
    every_allocation_may_fail(write_some);
    pod_arenas_apart = false;
}

TEST_MAIN(context = test_context(NULL); RUN(reversed_kernels_of_input_gradients_are_kept);
          RUN(constants_of_bool_keep_their_elements); RUN(the_largest_integers_are_written_whole);
          RUN(every_op_is_read_as_it_was_written);
          RUN(abs_and_sign_of_unsigned_numbers_are_written_as_stablehlo_has_them);
          RUN(random_graphs_are_read_as_they_were_written);
          RUN(what_devices_divide_is_said_of_parameters_and_their_new_values);
          RUN(composites_aliases_names_and_places_are_kept); RUN(modules_of_jax_are_read_as_they_were_written);
          RUN(each_allocation_of_writing_may_fail); pod_context_release(context);)
