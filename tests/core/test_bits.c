/* The portable kernels train to the same bits on every machine: the hashes that are kept here were made on x86-64, and
 * ./dev test --arm finds them on ARM. OpenBLAS, which has bits of its own, is left out. */

#include "test_system.h"
#include "trained_models.h"

static pod_node *depthwise_model(model *m, pod_dtype compute)
{
    (void)compute;
    pod_graph *g = m->graph;
    pod_node *x = pod_graph_parameter(g, POD_F32, SHAPE(6, 12, 11, 16), "x");
    pod_node *y = pod_graph_parameter(g, POD_S32, SHAPE(6), "y");
    const pod_attributes attributes = {.window = {.rank = 2,
                                                  .size = {3, 3},
                                                  .stride = {1, 1},
                                                  .pad_low = {1, 1},
                                                  .pad_high = {1, 1},
                                                  .dilation = {1, 1},
                                                  .groups = 16}};
    pod_node *both[2] = {x, weight(m, SHAPE(3, 3, 1, 16))};
    x = pod_graph_apply(g, POD_OP_CONVOLUTION, both, 2, &attributes, NULL, 0);
    x = pod_graph_composite(g, "silu", &x, 1, NULL);
    x = pod_graph_mean(g, pod_graph_tanh(g, x), &(pod_axes){2, {1, 2}}, false);
    return class_loss(g, dense(m, x, 16, 10, POD_F32), y);
}

/* FNV-1a of what weights and the sums of their gradients are after some steps. */
static uint64_t train(pod_node *(*make)(model *, pod_dtype), pod_dtype compute)
{
    pod_error error;
    const pod_context_options options = {.isa = "portable", .threads = 2};
    pod_context *context = test_context(&options);
    pod_graph *graph = build(context, make, compute, true);
    pod_array arrays[MOST_VALUES];
    pod_buffer *arguments[MOST_VALUES], *results[MOST_VALUES];
    const size_t parameters = pod_graph_parameter_count(graph);
    pod_program *program;
    make_arguments(graph, arrays);
    for (size_t i = 0; i < parameters; i++)
        arguments[i] = buffer_of(context, &arrays[i]);
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    ASSERT_OK(pod_program_run(program, arguments, results, &(pod_run_options){.steps = 20}, NULL, &error));
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < parameters; i++) {
        const unsigned char *bytes = pod_buffer_data(arguments[i]);
        for (size_t j = 0; j < pod_buffer_bytes(arguments[i]); j++)
            hash = (hash ^ bytes[j]) * 1099511628211u;
        pod_buffer_release(arguments[i]);
    }
    for (size_t i = 0; i < pod_graph_output_count(graph); i++)
        pod_buffer_release(results[i]);
    pod_program_free(program);
    evaluate_free(arrays, parameters);
    pod_graph_free(graph);
    pod_context_release(context);
    return hash;
}

static void check(const char *name, pod_node *(*make)(model *, pod_dtype), pod_dtype compute, uint64_t expected)
{
    const uint64_t found = train(make, compute);
    if (found != expected)
        FAIL("%s: the weights' hash is %016llx, not %016llx", name, (unsigned long long)found,
             (unsigned long long)expected);
}

TEST(dense_networks_have_the_same_weights_everywhere)
{
    check("dense f32", dense_model, POD_F32, 0xbd2574ede40c2dc7);
    check("dense bf16", dense_model, POD_BF16, 0x17dfc5a2ef8b2a46);
}

TEST(networks_of_images_have_the_same_weights_everywhere)
{
    check("images", image_model, POD_F32, 0x598f394657ea1595);
    check("depthwise", depthwise_model, POD_F32, 0x82b8b81f67bc4db4);
}

TEST(networks_of_text_have_the_same_weights_everywhere)
{
    check("text f32", text_model, POD_F32, 0x2166a879f8aedd82);
    check("text bf16", text_model, POD_BF16, 0x1819f640ded533fa);
}

static void leave_out_openblas(void)
{
    system_set_variable("MOONPOD_OPENBLAS", "");
}

TEST_MAIN(leave_out_openblas(); RUN(dense_networks_have_the_same_weights_everywhere);
          RUN(networks_of_images_have_the_same_weights_everywhere);
          RUN(networks_of_text_have_the_same_weights_everywhere))
