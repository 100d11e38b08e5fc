/* Plans of graphs for TPUs: what lies otherwise than its reader wants it. */

#include "tpu_setup.h"

/* Whether a temporary is of a type. */
static bool stores(const char *chip, const char *type)
{
    char text[POD_ARRAY_TYPE_TEXT_SIZE];
    bool found = false;
    pod_tpu_plan_free(plan);
    ASSERT_OK(pod_tpu_lower(graph, pod_chip_find(chip), NULL, &plan, &error));
    for (size_t i = 0; i < pod_tpu_plan_buffer_count(plan); i++) {
        const pod_tpu_buffer *buffer = pod_tpu_plan_buffer(plan, i);
        found = found ||
                (buffer->use == POD_TPU_TEMPORARY && strcmp(type, pod_array_type_format(&buffer->type, text)) == 0);
    }
    return found;
}

static pod_node *apply(const char *op, pod_node *a, pod_node *b, const pod_attributes *attributes)
{
    pod_node *inputs[] = {a, b};
    return pod_graph_apply(graph, pod_op_from_name(op), inputs, b ? 2 : 1, attributes, NULL, 0);
}

static pod_node *argument(pod_dtype dtype, const pod_shape *shape)
{
    return pod_graph_parameter(graph, dtype, shape, "x");
}

static pod_node *reshape(pod_node *x, const pod_shape *shape)
{
    return apply("reshape", x, NULL, &(pod_attributes){.shape = *shape});
}

/* A third of queries, keys and values, which come first. */
static pod_node *third(pod_node *all, int64_t index)
{
    const pod_attributes part = {
        .low = {index, 0, 0, 0, 0}, .high = {index + 1, 8, 4, 256, 64}, .step = {1, 1, 1, 1, 1}};
    return reshape(apply("slice", all, NULL, &part), SHAPE(4, {8, 4, 256, 64}));
}

/* As the compiler: queries, keys and values of one dot are copied where the third axis comes first, and are a view of
 * what the dot makes where heads alone move. */
TEST(queries_keys_and_values_of_one_dot_are_copied)
{
    set_up();
    pod_node *x = argument(POD_BF16, SHAPE(3, {8, 256, 256})), *w = argument(POD_BF16, SHAPE(2, {256, 768}));
    pod_node *h = reshape(pod_graph_matmul(graph, x, w), SHAPE(5, {8, 256, 3, 4, 64}));
    pod_node *all = apply("transpose", h, NULL, &(pod_attributes){.axes = {5, {2, 0, 3, 1, 4}}});
    const pod_attributes scores = {
        .lhs_batch = {2, {0, 1}}, .rhs_batch = {2, {0, 1}}, .lhs_contract = {1, {3}}, .rhs_contract = {1, {3}}};
    pod_graph_add_output(graph, apply("dot", third(all, 0), third(all, 1), &scores));
    ASSERT(stores("v3", "bf16[8,256,3,4,64]{1,4,3,2,0:T(8,128)(2,1)}"));
    ASSERT(stores("v3", "bf16[3,8,4,256,64]{3,4,2,1,0:T(8,128)(2,1)}"));
    tear_down();
    set_up();
    pod_node *q = argument(POD_BF16, SHAPE(3, {8, 256, 256}));
    for (int i = 0; i < 2; i++) {
        w = argument(POD_BF16, SHAPE(2, {256, 256}));
        h = reshape(pod_graph_matmul(graph, q, w), SHAPE(4, {8, 256, 4, 64}));
        x = i == 0 ? apply("transpose", h, NULL, &(pod_attributes){.axes = {4, {0, 2, 1, 3}}}) : x;
    }
    h = apply("transpose", h, NULL, &(pod_attributes){.axes = {4, {0, 2, 1, 3}}});
    pod_graph_add_output(graph, apply("dot", x, h, &scores));
    stores("v3", "");
    size_t count = 0;
    for (size_t i = 0; i < pod_tpu_plan_buffer_count(plan); i++)
        count += pod_tpu_plan_buffer(plan, i)->use == POD_TPU_TEMPORARY;
    ASSERT_EQ(2, count);
    tear_down();
}

/* Normalised pixels of an image lie as convolutions made them: the dot does not compute them. */
TEST(what_a_dot_reads_of_an_activation_is_stored)
{
    set_up();
    const pod_attributes same = {.window = {.rank = 2, .size = {3, 3}, .pad_low = {1, 1}, .pad_high = {1, 1}}};
    pod_node *x = argument(POD_BF16, SHAPE(4, {128, 16, 16, 128}));
    pod_node *h = apply("convolution", x, argument(POD_BF16, SHAPE(4, {3, 3, 128, 128})), &same);
    pod_node *largest = pod_graph_reduce(graph, "reduce_max", h, &(pod_axes){1, {3}}, true);
    pod_node *pixels = pod_graph_subtract(graph, pod_graph_tanh(graph, h), largest);
    pod_graph_add_output(graph, pod_graph_matmul(graph, pixels, argument(POD_BF16, SHAPE(2, {128, 512}))));
    pod_graph_add_output(graph, pod_graph_reduce(graph, "reduce_sum", h, NULL, false));
    ASSERT(stores("v3", "bf16[128,16,16,128]{3,0,2,1:T(8,128)(2,1)}"));
    size_t large = 0;
    for (size_t i = 0; i < pod_tpu_plan_buffer_count(plan); i++)
        large += pod_tpu_plan_buffer(plan, i)->use == POD_TPU_TEMPORARY &&
                 pod_tpu_plan_buffer(plan, i)->bytes.padded == 128 * 16 * 16 * 128 * 2;
    ASSERT_EQ(2, large);
    tear_down();
}

/* As the compiler: a concatenation that is normalised is stored, its parts lie as it does. */
TEST(normalised_concatenations_are_stored)
{
    set_up();
    const pod_attributes same = {.window = {.rank = 2, .size = {3, 3}, .pad_low = {1, 1}, .pad_high = {1, 1}}};
    pod_node *h = argument(POD_BF16, SHAPE(4, {64, 32, 32, 64}));
    pod_node *inputs[] = {h, apply("convolution", h, argument(POD_BF16, SHAPE(4, {3, 3, 64, 32})), &same)};
    pod_node *all =
        pod_graph_apply(graph, pod_op_from_name("concatenate"), inputs, 2, &(pod_attributes){.axis = 3}, NULL, 0);
    pod_node *sum = pod_graph_reduce(graph, "reduce_sum", all, &(pod_axes){3, {0, 1, 2}}, true);
    pod_node *k = argument(POD_BF16, SHAPE(4, {3, 3, 96, 64}));
    pod_graph_add_output(graph, apply("convolution", pod_graph_subtract(graph, all, sum), k, &same));
    ASSERT(stores("v3", "bf16[64,32,32,96]{3,0,2,1:T(8,128)(2,1)}"));
    ASSERT(stores("v3", "bf16[64,32,32,32]{3,0,2,1:T(8,128)(2,1)}"));
    tear_down();
}

/* A residual stream of tokens, of which the first is read in the end, lies as the convolution made it, where queries,
 * keys and values are copied. */
TEST(tokens_of_which_one_is_read_lie_as_patches_do)
{
    for (int token = 0; token < 2; token++) {
        set_up();
        const pod_attributes patches = {.window = {.rank = 2, .size = {16, 16}, .stride = {16, 16}}};
        pod_node *x = argument(POD_BF16, SHAPE(4, {32, 160, 160, 3}));
        pod_node *k = argument(POD_BF16, SHAPE(4, {16, 16, 3, 384}));
        pod_node *inputs[] = {argument(POD_BF16, SHAPE(3, {32, 1, 384})),
                              reshape(apply("convolution", x, k, &patches), SHAPE(3, {32, 100, 384}))};
        pod_node *h =
            pod_graph_apply(graph, pod_op_from_name("concatenate"), inputs, 2, &(pod_attributes){.axis = 1}, NULL, 0);
        for (int i = 0; i < 2; i++)
            h = pod_graph_add(graph, h, pod_graph_matmul(graph, h, argument(POD_BF16, SHAPE(2, {384, 384}))));
        pod_node *all = reshape(pod_graph_matmul(graph, h, argument(POD_BF16, SHAPE(2, {384, 1152}))),
                                SHAPE(5, {32, 101, 3, 6, 64}));
        all = apply("transpose", all, NULL, &(pod_attributes){.axes = {5, {2, 0, 3, 1, 4}}});
        pod_graph_add_output(graph, pod_graph_reduce(graph, "reduce_max", all, NULL, false));
        const pod_attributes first = {.low = {0, 0, 0}, .high = {32, 1, 384}, .step = {1, 1, 1}};
        pod_graph_add_output(graph, token ? apply("slice", h, NULL, &first)
                                          : pod_graph_reduce(graph, "reduce_sum", h, &(pod_axes){1, {1}}, false));
        ASSERT(stores("v3", "bf16[32,101,384]{2,0,1:T(8,128)(2,1)}") == token);
        tear_down();
    }
}

TEST_MAIN(RUN(queries_keys_and_values_of_one_dot_are_copied); RUN(what_a_dot_reads_of_an_activation_is_stored);
          RUN(normalised_concatenations_are_stored); RUN(tokens_of_which_one_is_read_lie_as_patches_do))
