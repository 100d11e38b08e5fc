/* Plans of small graphs for TPUs: what is stored, in what order, where. */

#include "tpu_setup.h"

static const pod_tpu_memory *lower(const char *chip)
{
    pod_tpu_plan_free(plan);
    ASSERT_OK(pod_tpu_lower(graph, pod_chip_find(chip), NULL, &plan, &error));
    return pod_tpu_plan_memory(plan);
}

static size_t count_temporaries(void)
{
    size_t count = 0;
    for (size_t i = 0; i < pod_tpu_plan_buffer_count(plan); i++)
        count += pod_tpu_plan_buffer(plan, i)->use == POD_TPU_TEMPORARY;
    return count;
}

static const pod_tpu_buffer *temporary(size_t index)
{
    for (size_t i = 0; i < pod_tpu_plan_buffer_count(plan); i++)
        if (pod_tpu_plan_buffer(plan, i)->use == POD_TPU_TEMPORARY && index-- == 0)
            return pod_tpu_plan_buffer(plan, i);
    FAIL("there are fewer temporaries");
}

static pod_node *parameter(const char *name, int64_t rows, int64_t columns)
{
    return pod_graph_parameter(graph, POD_F32, SHAPE(2, {rows, columns}), name);
}

/* ---- sums -------------------------------------------------------------------------------------------------- */

TEST(an_elementwise_graph_has_arguments_and_outputs_alone)
{
    set_up();
    pod_node *x = parameter("x", 1024, 10);
    pod_graph_add_output(graph, pod_graph_exp(graph, pod_graph_add(graph, x, x)));
    const pod_tpu_memory *memory = lower("v3");
    ASSERT_EQ(65536, memory->argument_bytes);
    ASSERT_EQ(65536, memory->output_bytes);
    ASSERT_EQ(0, memory->temp_bytes);
    ASSERT_EQ(131072, memory->need_bytes);
    ASSERT_EQ(0, count_temporaries());
    ASSERT_EQ(1, pod_tpu_plan_step_count(plan));
    ASSERT_EQ(POD_TPU_FITS, pod_tpu_plan_verdict(plan));
    tear_down();
}

TEST(several_outputs_have_a_table)
{
    set_up();
    pod_node *x = parameter("x", 8, 128);
    pod_graph_add_output(graph, pod_graph_exp(graph, x));
    pod_graph_add_output(graph, pod_graph_log(graph, x));
    ASSERT_EQ(8192 + 1024, lower("v3")->output_bytes);
    ASSERT_EQ(8192 + 512, lower("v5e")->output_bytes);
    ASSERT_EQ(8192 + 32, lower("v6e")->output_bytes);
    tear_down();
}

TEST(an_updated_parameter_is_counted_once)
{
    set_up();
    pod_node *w = parameter("w", 128, 128), *g = parameter("g", 128, 128);
    pod_graph_add_output(graph, pod_graph_subtract(graph, w, g));
    pod_graph_set_alias(graph, 0, 0);
    const pod_tpu_memory *memory = lower("v3");
    ASSERT_EQ(65536, memory->alias_bytes);
    ASSERT_EQ(131072, memory->need_bytes);
    const pod_tpu_options kept = {.donated = (bool[]){false, false}};
    pod_tpu_plan_free(plan);
    ASSERT_OK(pod_tpu_lower(graph, pod_chip_find("v3"), &kept, &plan, &error));
    ASSERT_EQ(0, pod_tpu_plan_memory(plan)->alias_bytes);
    ASSERT_EQ(196608, pod_tpu_plan_memory(plan)->need_bytes);
    tear_down();
}

/* ---- what is stored ----------------------------------------------------------------------------------------- */

TEST(a_product_is_stored_after_its_epilogue)
{
    set_up();
    pod_node *x = parameter("x", 1024, 2048), *w = parameter("w", 2048, 2048);
    pod_node *b = parameter("b", 1, 2048);
    pod_node *h = pod_graph_tanh(graph, pod_graph_add(graph, pod_graph_matmul(graph, x, w), b));
    pod_graph_add_output(graph, pod_graph_matmul(graph, h, w));
    lower("v3");
    ASSERT_EQ(1, count_temporaries());
    ASSERT_TEXT("tanh", temporary(0)->op);
    ASSERT_EQ(4194304, temporary(0)->bytes.padded);
    ASSERT_EQ(0, temporary(0)->first_step);
    ASSERT_EQ(1, temporary(0)->last_step);
    ASSERT_EQ(0, temporary(0)->offset);
    tear_down();
}

TEST(what_products_alone_read_takes_sixteen_bits)
{
    set_up();
    pod_node *x = parameter("x", 1024, 2048), *w = parameter("w", 2048, 2048);
    pod_node *h = pod_graph_matmul(graph, x, w);
    pod_graph_add_output(graph, pod_graph_matmul(graph, h, w));
    lower("v3");
    ASSERT_EQ(1, count_temporaries());
    ASSERT_EQ(POD_ELEMENT_BF16, temporary(0)->type.element);
    ASSERT_EQ(4194304, pod_tpu_plan_memory(plan)->temp_bytes);
    tear_down();
}

TEST(gradients_that_only_update_are_not_stored)
{
    set_up();
    pod_node *x = parameter("x", 1024, 512), *w = parameter("w", 512, 512), *m = parameter("m", 512, 512);
    pod_node *transposed =
        pod_graph_apply(graph, pod_op_from_name("transpose"), &x, 1, &(pod_attributes){.axes = {2, {1, 0}}}, NULL, 0);
    pod_node *gradient = pod_graph_matmul(graph, transposed, pod_graph_tanh(graph, x));
    pod_node *moment = pod_graph_add(graph, m, gradient);
    pod_graph_add_output(graph, pod_graph_subtract(graph, w, moment));
    pod_graph_add_output(graph, moment);
    pod_graph_set_alias(graph, 0, 1);
    pod_graph_set_alias(graph, 1, 2);
    lower("v3");
    ASSERT_EQ(0, count_temporaries());
    ASSERT_EQ(1, pod_tpu_plan_step_count(plan));
    ASSERT_EQ(0, pod_tpu_plan_memory(plan)->temp_bytes);
    tear_down();
}

TEST(dead_nodes_take_nothing)
{
    set_up();
    pod_node *x = parameter("x", 1024, 512), *w = parameter("w", 512, 512);
    pod_node *dead = pod_graph_matmul(graph, x, w);
    (void)pod_graph_reduce(graph, "reduce_sum", dead, NULL, false);
    pod_graph_add_output(graph, x);
    lower("v3");
    ASSERT_EQ(0, count_temporaries());
    ASSERT_EQ(0, pod_tpu_plan_step_count(plan));
    tear_down();
}

TEST(updates_that_read_what_others_write_are_all_made)
{
    set_up();
    pod_node *a = parameter("a", 512, 512), *b = parameter("b", 512, 512);
    pod_graph_add_output(graph, pod_graph_add(graph, a, b));
    pod_graph_add_output(graph, pod_graph_subtract(graph, b, a));
    pod_graph_set_alias(graph, 0, 0);
    pod_graph_set_alias(graph, 1, 1);
    lower("v3");
    ASSERT_EQ(2, pod_tpu_plan_step_count(plan));
    tear_down();
}

/* ---- rules for kinds of programs ----------------------------------------------------------------------------- */

static pod_node *apply(const char *op, pod_node *a, pod_node *b, const pod_attributes *attributes)
{
    pod_node *inputs[] = {a, b};
    return pod_graph_apply(graph, pod_op_from_name(op), inputs, b ? 2 : 1, attributes, NULL, 0);
}

static pod_node *batched_product(pod_node *a, pod_node *b, int32_t contracted_a, int32_t contracted_b)
{
    return apply("dot", a, b,
                 &(pod_attributes){.lhs_batch = {1, {0}},
                                   .rhs_batch = {1, {0}},
                                   .lhs_contract = {1, {contracted_a}},
                                   .rhs_contract = {1, {contracted_b}}});
}

/* softmax(qk)v over [8, 1024, 64]; with a mask where asked. */
static void add_attention(bool masked)
{
    pod_node *nodes[3];
    for (int i = 0; i < 3; i++)
        nodes[i] = pod_graph_parameter(graph, POD_BF16, SHAPE(3, {8, 1024, 64}), "x");
    pod_node *scores = batched_product(nodes[0], nodes[1], 2, 2);
    if (masked) {
        pod_node *mask = pod_graph_parameter(graph, POD_BOOL, SHAPE(3, {8, 1024, 1024}), "mask");
        scores =
            pod_graph_select(graph, mask, scores, pod_graph_scalar(graph, POD_BF16, -1e9, SHAPE(3, {8, 1024, 1024})));
    }
    pod_axes last = {1, {2}};
    pod_node *shifted = pod_graph_subtract(graph, scores, pod_graph_reduce(graph, "reduce_max", scores, &last, true));
    pod_node *power = pod_graph_exp(graph, shifted);
    pod_node *sum = pod_graph_reduce(graph, "reduce_sum", power, &last, true);
    pod_node *weights = pod_graph_divide(graph, power, sum);
    pod_graph_add_output(graph, batched_product(weights, nodes[2], 2, 1));
}

TEST(scores_of_unmasked_attention_are_not_stored)
{
    set_up();
    add_attention(false);
    const pod_tpu_memory *memory = lower("v3");
    ASSERT_EQ(0, count_temporaries());
    ASSERT_EQ(4 * 8 * 1024 * 128 * 4, memory->temp_bytes); /* q, k, v and the result in f32 */
    tear_down();
    set_up();
    add_attention(true);
    lower("v3");
    ASSERT(count_temporaries() > 0);
    tear_down();
}

TEST(scattered_rows_take_a_table_whose_rows_lie_side_by_side)
{
    set_up();
    pod_node *table = parameter("table", 400000, 32), *rows = parameter("rows", 4096, 32);
    pod_node *indices = pod_graph_parameter(graph, POD_S32, SHAPE(1, {4096}), "indices");
    pod_node *zeros = pod_graph_scalar(graph, POD_F32, 0, SHAPE(2, {400000, 32}));
    pod_node *inputs[] = {zeros, indices, rows};
    pod_node *gradient = pod_graph_apply(graph, pod_op_from_name("scatter"), inputs, 3,
                                         &(pod_attributes){.axis = 0, .reduction = POD_REDUCE_SUM}, NULL, 0);
    pod_graph_add_output(graph, pod_graph_subtract(graph, table, gradient));
    pod_graph_set_alias(graph, 0, 0);
    const pod_tpu_memory *memory = lower("v3");
    ASSERT_EQ(2, count_temporaries()); /* and such a copy of the table */
    for (size_t i = 0; i < 2; i++)
        ASSERT_EQ(INT64_C(400000) * 128 * 4, temporary(i)->bytes.padded);
    ASSERT_EQ(2 * INT64_C(400000) * 128 * 4, memory->temp_bytes);
    tear_down();
}

TEST(rows_that_do_not_fill_tiles_are_scattered_from_a_matrix)
{
    set_up();
    pod_node *table = parameter("table", 20000, 128);
    pod_node *rows = pod_graph_parameter(graph, POD_F32, SHAPE(3, {4096, 5, 128}), "rows");
    pod_node *indices = pod_graph_parameter(graph, POD_S32, SHAPE(2, {4096, 5}), "indices");
    pod_node *zeros = pod_graph_scalar(graph, POD_F32, 0, SHAPE(2, {20000, 128}));
    pod_node *inputs[] = {zeros, indices, pod_graph_tanh(graph, rows)};
    pod_node *gradient = pod_graph_apply(graph, pod_op_from_name("scatter"), inputs, 3,
                                         &(pod_attributes){.axis = 0, .reduction = POD_REDUCE_SUM}, NULL, 0);
    pod_graph_add_output(graph, pod_graph_subtract(graph, table, gradient));
    pod_graph_set_alias(graph, 0, 0);
    lower("v3");
    ASSERT_EQ(3, count_temporaries());
    ASSERT_EQ(INT64_C(4096) * 8 * 128 * 4, temporary(0)->bytes.padded); /* 5 rows in tiles of 8 */
    ASSERT_EQ(INT64_C(4096) * 5 * 128 * 4, temporary(1)->bytes.padded);
    tear_down();
}

TEST(updates_of_an_argument_one_after_the_other_are_in_its_place)
{
    set_up();
    pod_node *cache = parameter("cache", 65536, 1024), *row = parameter("row", 1, 1024);
    pod_node *made = cache, *zero = pod_graph_scalar(graph, POD_S32, 0, SHAPE(0, {0}));
    for (int i = 0; i < 3; i++) {
        pod_node *place = pod_graph_scalar(graph, POD_S32, i, SHAPE(0, {0}));
        pod_node *inputs[] = {made, pod_graph_tanh(graph, row), place, zero};
        made = pod_graph_apply(graph, pod_op_from_name("dynamic_update_slice"), inputs, 4, NULL, NULL, 0);
    }
    pod_graph_add_output(graph, made);
    pod_graph_set_alias(graph, 0, 0);
    ASSERT(lower("v5e")->temp_bytes < 65536 * 1024);
    pod_graph_add_output(graph, pod_graph_add(graph, cache, made)); /* reads what they would write over */
    ASSERT(lower("v5e")->temp_bytes >= 65536 * 1024 * 4);
    tear_down();
}

/* The bytes that a lookup of rows needs on v3 besides its table and result. */
static int64_t measure_lookup(int64_t rows, int64_t columns)
{
    set_up();
    pod_node *inputs[] = {parameter("table", rows, columns),
                          pod_graph_parameter(graph, POD_S32, SHAPE(1, {4096}), "indices")};
    pod_graph_add_output(
        graph, pod_graph_apply(graph, pod_op_from_name("gather"), inputs, 2, &(pod_attributes){.axis = 0}, NULL, 0));
    const int64_t bytes = lower("v3")->temp_bytes;
    tear_down();
    return bytes;
}

/* As the compiler answered of tables of 8 to 300 columns: the copy, and rows that lie as it does. */
TEST(lookups_read_a_copy_of_a_table_unless_it_wastes_much)
{
    ASSERT_EQ((INT64_C(200000) + 4096) * 128 * 4, measure_lookup(200000, 100));
    ASSERT_EQ((INT64_C(200000) + 4096) * 128 * 4, measure_lookup(200000, 16)); /* eight times the table, but 90 MB */
    ASSERT_EQ((INT64_C(349000) + 4096) * 128 * 4, measure_lookup(349000, 32));
    ASSERT_EQ(0, measure_lookup(350000, 32));                                    /* 128 MiB more than the table */
    ASSERT_EQ((INT64_C(1000000) + 4096) * 128 * 4, measure_lookup(1000000, 64)); /* not more than twice the table */
    ASSERT_EQ(0, measure_lookup(1000000, 56));
    ASSERT_EQ(0, measure_lookup(200000, 128));
}

TEST(activations_of_convolutions_have_batch_and_channels_minor)
{
    set_up();
    pod_node *x = pod_graph_parameter(graph, POD_F32, SHAPE(4, {128, 56, 56, 18}), "x");
    pod_node *k = pod_graph_parameter(graph, POD_F32, SHAPE(4, {3, 3, 18, 18}), "k");
    const pod_attributes same = {.window = {.rank = 2, .size = {3, 3}, .pad_low = {1, 1}, .pad_high = {1, 1}}};
    pod_node *h = apply("convolution", x, k, &same);
    pod_graph_add_output(graph, pod_graph_reduce(graph, "reduce_sum", h, NULL, false));
    lower("v3");
    char text[POD_ARRAY_TYPE_TEXT_SIZE];
    ASSERT_TEXT("f32[128,56,56,18]{0,3,2,1:T(8,128)}", pod_array_type_format(&temporary(0)->type, text));
    tear_down();
}

TEST(sums_over_channels_have_the_batch_minor)
{
    set_up();
    pod_node *x = pod_graph_parameter(graph, POD_F32, SHAPE(4, {8, 64, 64, 32}), "x");
    pod_node *k = pod_graph_parameter(graph, POD_F32, SHAPE(4, {3, 3, 32, 32}), "k");
    const pod_attributes same = {.window = {.rank = 2, .size = {3, 3}, .pad_low = {1, 1}, .pad_high = {1, 1}}};
    pod_node *h = apply("convolution", x, k, &same);
    pod_node *pixels = pod_graph_reduce(graph, "reduce_max", h, &(pod_axes){1, {3}}, false);
    pod_graph_add_output(graph, pod_graph_reduce(graph, "reduce_sum", pixels, NULL, false));
    lower("v3");
    char text[POD_ARRAY_TYPE_TEXT_SIZE];
    bool found = false;
    for (size_t i = 0; i < count_temporaries(); i++)
        found = found || strcmp("f32[8,64,64]{0,2,1:T(8,128)}", pod_array_type_format(&temporary(i)->type, text)) == 0;
    ASSERT(found);
    tear_down();
}

/* As the compiler: v6e computes the first convolution in the second one, also of an image, and stores what that makes
 * as it is, in f32; v5e stores the first one's, and the activation of the second in 16 bits. */
TEST(convolutions_of_inference_are_pairs_on_v6e_and_stored_raw)
{
    set_up();
    const pod_attributes same = {.window = {.rank = 2, .size = {3, 3}, .pad_low = {1, 1}, .pad_high = {1, 1}}};
    const pod_attributes halves = {.window = {.rank = 2, .size = {2, 2}, .stride = {2, 2}}};
    pod_node *h = pod_graph_parameter(graph, POD_F32, SHAPE(4, {256, 64, 64, 3}), "x");
    for (int i = 0; i < 2; i++) {
        pod_node *k = pod_graph_parameter(graph, POD_F32, SHAPE(4, {3, 3, i ? 32 : 3, 32}), "k");
        pod_node *b = pod_graph_parameter(graph, POD_F32, SHAPE(4, {1, 1, 1, 32}), "b");
        h = pod_graph_tanh(graph, pod_graph_add(graph, apply("convolution", h, k, &same), b));
    }
    pod_graph_add_output(graph,
                         pod_graph_reduce(graph, "reduce_sum", apply("pool_max", h, NULL, &halves), NULL, false));
    char text[POD_ARRAY_TYPE_TEXT_SIZE];
    lower("v6e");
    ASSERT_TEXT("f32[256,64,64,32]{0,3,2,1:T(8,128)}", pod_array_type_format(&temporary(0)->type, text));
    const size_t fewer = count_temporaries();
    lower("v5e");
    ASSERT_EQ(fewer + 1, count_temporaries());
    tear_down();
}

/* The largest of two convolutions, one after the other, is no part of the first one's kernel. */
TEST(an_activation_of_two_products_waits_for_both)
{
    set_up();
    pod_node *x = pod_graph_parameter(graph, POD_F32, SHAPE(4, {8, 16, 16, 8}), "x");
    pod_node *k = pod_graph_parameter(graph, POD_F32, SHAPE(4, {3, 3, 8, 8}), "k");
    pod_node *g = pod_graph_parameter(graph, POD_F32, SHAPE(4, {8, 8, 8, 8}), "g");
    const pod_attributes same = {.window = {.rank = 2, .size = {3, 3}, .pad_low = {1, 1}, .pad_high = {1, 1}}};
    const pod_attributes halves = {.window = {.rank = 2, .size = {2, 2}, .stride = {2, 2}}};
    pod_node *first = apply("convolution", x, k, &same);
    pod_node *largest = pod_graph_maximum(graph, first, apply("convolution", first, k, &same));
    pod_graph_add_output(graph, apply("pool_max_gradient", largest, g, &halves));
    ASSERT(lower("v3")->temp_bytes > 0);
    ASSERT_EQ(4, pod_tpu_plan_step_count(plan));
    tear_down();
}

/* What libtpu answers of tanh(x @ w).sum(): no temporaries. */
TEST(what_a_reduction_or_a_slice_alone_reads_of_a_product_is_not_stored)
{
    set_up();
    pod_node *x = parameter("x", 8192, 512), *w = parameter("w", 512, 4096);
    pod_node *h = pod_graph_matmul(graph, x, w);
    pod_graph_add_output(graph, pod_graph_reduce(graph, "reduce_sum", pod_graph_tanh(graph, h), NULL, false));
    ASSERT_EQ(0, lower("v3")->temp_bytes);
    tear_down();
    set_up();
    x = parameter("x", 8192, 512);
    h = pod_graph_matmul(graph, x, parameter("w", 512, 4096));
    const pod_attributes few = {.low = {0, 0}, .high = {8, 4096}, .step = {1, 1}};
    h = pod_graph_apply(graph, pod_op_from_name("slice"), &h, 1, &few, NULL, 0);
    pod_graph_add_output(graph, pod_graph_exp(graph, h));
    ASSERT(lower("v3")->temp_bytes <= 8 * 4096 * 4);
    tear_down();
}

/* As the compiler: dots compute anew what they read from fewer than four arrays. */
TEST(what_two_dots_compute_from_four_arrays_is_stored)
{
    for (int arrays = 3; arrays < 5; arrays++) {
        set_up();
        pod_node *w = parameter("w", 512, 512), *v = parameter("v", 512, 512);
        pod_node *h = pod_graph_exp(graph, parameter("x", 1024, 512));
        for (int i = 1; i < arrays; i++)
            h = pod_graph_multiply(graph, h, parameter("y", 1024, 512));
        pod_graph_add_output(graph, pod_graph_matmul(graph, h, w));
        pod_graph_add_output(graph, pod_graph_matmul(graph, h, v));
        ASSERT_EQ(arrays == 4 ? 1048576 : 0, lower("v3")->temp_bytes);
        tear_down();
    }
}

/* As the compiler: q = y @ v + p is made where p lies if nothing else reads p. */
TEST(a_result_takes_over_an_operand_that_it_alone_reads)
{
    for (int others = 0; others < 2; others++) {
        set_up();
        pod_node *p = pod_graph_matmul(graph, parameter("x", 1024, 512), parameter("w", 512, 512));
        pod_node *q = pod_graph_matmul(graph, parameter("y", 1024, 512), parameter("v", 512, 512));
        q = pod_graph_add(graph, q, p);
        pod_graph_add_output(graph, pod_graph_add(graph, q, pod_graph_matmul(graph, q, parameter("u", 512, 512))));
        if (others)
            pod_graph_add_output(graph, pod_graph_exp(graph, p));
        ASSERT_EQ(others ? 4194304 : 2097152, lower("v3")->temp_bytes);
        tear_down();
    }
}

/* As the compiler: nothing for weights of 512 x 1024, the values between them for 768 x 3072. */
TEST(a_dot_that_one_dot_reads_is_computed_in_it_where_weights_are_small)
{
    for (int large = 0; large < 2; large++) {
        const int64_t width = large ? 768 : 512, hidden = large ? 3072 : 1024;
        set_up();
        pod_node *h = pod_graph_matmul(graph, parameter("x", 8192, width), parameter("w", width, hidden));
        pod_graph_add_output(graph, pod_graph_matmul(graph, pod_graph_tanh(graph, h), parameter("v", hidden, width)));
        ASSERT_EQ(large ? 50331648 : 0, lower("v3")->temp_bytes);
        tear_down();
    }
}

/* As the compiler: queries of 197 tokens have these in the lanes, scores are matrices of 200 x 256. */
TEST(what_batched_dots_read_and_make_lies_as_matrices)
{
    set_up();
    pod_node *q = pod_graph_parameter(graph, POD_BF16, SHAPE(4, {64, 6, 197, 64}), "q");
    pod_node *k = pod_graph_parameter(graph, POD_BF16, SHAPE(4, {64, 6, 64, 197}), "k");
    pod_node *s = pod_graph_matmul(graph, q, k);
    pod_node *t = pod_graph_tanh(graph, s);
    pod_graph_add_output(graph, pod_graph_matmul(graph, t, q));
    pod_graph_add_output(graph, pod_graph_matmul(graph, t, pod_graph_exp(graph, q)));
    lower("v3");
    ASSERT_EQ(1, count_temporaries());
    ASSERT_EQ(39321600, temporary(0)->bytes.padded);
    tear_down();
}

/* As the compiler: a sum of what a dot makes and an argument is made with it, both results of one kernel. */
TEST(a_sum_of_a_product_and_an_argument_is_made_with_the_product)
{
    set_up();
    pod_node *h = pod_graph_matmul(graph, parameter("x", 16384, 512), parameter("w", 512, 1024));
    pod_node *d = pod_graph_subtract(graph, h, parameter("y", 16384, 1024));
    pod_node *sum = pod_graph_reduce(graph, "reduce_sum", pod_graph_multiply(graph, d, d), &(pod_axes){1, {1}}, false);
    pod_graph_add_output(graph, pod_graph_exp(graph, sum));
    pod_graph_add_output(graph, pod_graph_matmul(graph, pod_graph_tanh(graph, h), parameter("v", 1024, 1024)));
    lower("v3");
    ASSERT_EQ(2, count_temporaries());
    ASSERT_EQ(3, pod_tpu_plan_step_count(plan));
    ASSERT_EQ(temporary(0)->first_step, temporary(1)->first_step);
    tear_down();
}

/* As the compiler: on v6e an update of weights with the inputs' axis in the lanes, from copies of weights and moments
 * that do not lie so and take 134.2 MB each; where inputs do not fill the lanes, and on v5e, none are made. */
TEST(updates_from_gradients_that_are_turned_are_made_on_copies)
{
    for (int64_t inputs = 8192; inputs <= 8200; inputs += 8) {
        set_up();
        pod_node *w = parameter("w", inputs, 4096), *m = parameter("m", inputs, 4096);
        pod_node *x = parameter("x", 1024, inputs);
        pod_node *d = pod_graph_subtract(graph, pod_graph_matmul(graph, x, w), parameter("y", 1024, 4096));
        pod_node *g = pod_graph_matmul(graph, pod_graph_transpose(graph, d, NULL), x);
        m = pod_graph_add(graph, m, pod_graph_transpose(graph, g, NULL));
        pod_graph_add_output(graph, pod_graph_subtract(graph, w, m));
        pod_graph_add_output(graph, m);
        pod_graph_set_alias(graph, 0, 0);
        pod_graph_set_alias(graph, 1, 1);
        ASSERT(lower("v5e")->temp_bytes < 1000000);
        const int64_t bytes = lower("v6e")->temp_bytes;
        ASSERT(inputs == 8192 ? llabs(bytes - 268599296) < 1000000 : bytes < 1000000);
        tear_down();
    }
}

/* As the compiler: what is computed, its rows' maxima, and a table of where both are. */
TEST(a_kernel_of_several_results_has_a_table)
{
    set_up();
    pod_node *h = pod_graph_matmul(graph, parameter("x", 8192, 1024), parameter("w", 1024, 2048));
    pod_node *largest = pod_graph_reduce(graph, "reduce_max", h, &(pod_axes){1, {1}}, true);
    pod_graph_add_output(graph, pod_graph_exp(graph, pod_graph_subtract(graph, h, largest)));
    ASSERT_EQ(8192 * 2048 * 4 + 8192 * 4 + 16384, lower("v3")->temp_bytes);
    tear_down();
}

TEST(small_programs_live_on_the_chip_where_it_has_room)
{
    set_up();
    pod_node *x = parameter("x", 4096, 1024), *w = parameter("w", 1024, 1024);
    pod_node *h = pod_graph_tanh(graph, pod_graph_matmul(graph, x, w));
    pod_graph_add_output(graph, pod_graph_matmul(graph, h, w));
    ASSERT(lower("v3")->temp_bytes >= 4096 * 1024 * 2);
    ASSERT_EQ(0, pod_tpu_plan_memory(plan)->on_chip_bytes);
    const pod_tpu_memory *memory = lower("v5e");
    ASSERT(memory->temp_bytes < 1000000);
    ASSERT(memory->on_chip_bytes >= 4096 * 1024 * 2);
    ASSERT(temporary(0)->on_chip);
    ASSERT_EQ(-1, temporary(0)->offset);
    tear_down();
}

TEST(what_waits_long_for_its_next_reader_is_in_hbm)
{
    for (int64_t width = 2048; width <= 131072; width *= 64) {
        set_up();
        pod_node *x = parameter("x", 4096, 1024), *w = parameter("w", 1024, 1024);
        pod_node *c = parameter("c", 1024, 4096), *d = parameter("d", 1024, width);
        pod_node *e = parameter("e", width, 1024), *h = pod_graph_tanh(graph, pod_graph_matmul(graph, x, w));
        pod_node *m = pod_graph_matmul(graph, pod_graph_matmul(graph, c, h), d);
        pod_graph_add_output(graph, pod_graph_matmul(graph, h, pod_graph_matmul(graph, m, e)));
        const pod_tpu_memory *memory = lower("v5e");
        ASSERT_EQ(4096 * 1024 * 2, temporary(0)->bytes.padded);
        ASSERT_EQ(width == 2048, temporary(0)->on_chip);
        ASSERT_EQ(width == 2048, memory->temp_bytes < 1000000);
        tear_down();
    }
}

TEST(live_bytes_lead_to_the_peak_and_offsets_lie_below_the_heap_s_end)
{
    set_up();
    pod_node *x = parameter("x", 4096, 1024), *h = x, *w = parameter("w", 1024, 1024);
    for (int i = 0; i < 6; i++)
        h = pod_graph_add(graph, pod_graph_tanh(graph, pod_graph_matmul(graph, h, w)), h);
    pod_graph_add_output(graph, pod_graph_reduce(graph, "reduce_sum", h, NULL, false));
    const pod_tpu_memory *memory = lower("v3");
    int64_t most = 0;
    for (size_t i = 0; i < pod_tpu_plan_step_count(plan); i++)
        most = pod_tpu_plan_step(plan, i)->live.padded > most ? pod_tpu_plan_step(plan, i)->live.padded : most;
    ASSERT_EQ(most, memory->peak.padded);
    ASSERT_EQ(most, pod_tpu_plan_step(plan, (size_t)memory->peak_step)->live.padded);
    ASSERT_EQ(memory->temp_bytes - most, memory->fragmentation_bytes);
    for (size_t i = 0; i < count_temporaries(); i++) {
        const pod_tpu_buffer *a = temporary(i);
        ASSERT(a->offset >= 0 && a->offset + a->bytes.padded <= memory->temp_bytes);
        for (size_t j = 0; j < i; j++) {
            const pod_tpu_buffer *b = temporary(j);
            const bool together = a->first_step <= b->last_step && b->first_step <= a->last_step;
            const bool apart = a->offset + a->bytes.padded <= b->offset || b->offset + b->bytes.padded <= a->offset;
            ASSERT(!together || apart || a->offset == b->offset);
        }
    }
    tear_down();
}

static void expect_doubt(const char *part)
{
    ASSERT_EQ(POD_TPU_CANNOT_SAY, pod_tpu_plan_verdict(plan));
    ASSERT_CONTAINS(part, pod_tpu_plan_certainty(plan)->doubt);
}

static pod_node *all_reduce(pod_node *x)
{
    return pod_graph_apply(graph, pod_op_from_name("all_reduce"), &x, 1, &(pod_attributes){.reduction = POD_REDUCE_SUM},
                           NULL, 0);
}

static void lower_for(const char *chip, const pod_tpu_options *options)
{
    pod_tpu_plan_free(plan);
    ASSERT_OK(pod_tpu_lower(graph, pod_chip_find(chip), options, &plan, &error));
}

TEST(what_is_divided_cannot_be_said_unless_its_arguments_surely_do_not_fit)
{
    set_up();
    const int64_t rows = INT64_C(20) * 1024 * 1024 * 1024 / 512; /* 20 GiB */
    pod_node *x = parameter("x", rows, 128);
    pod_graph_add_output(graph, pod_graph_reduce(graph, "reduce_sum", pod_graph_exp(graph, x), NULL, false));
    lower_for("v3", &(pod_tpu_options){.partitions = 1});
    ASSERT_EQ(POD_TPU_DOES_NOT_FIT, pod_tpu_plan_verdict(plan));
    ASSERT(pod_tpu_plan_certainty(plan)->doubt == NULL);
    lower_for("v3", &(pod_tpu_options){.partitions = 2});
    expect_doubt("divides its arrays among 2 devices");
    lower_for("v3", &(pod_tpu_options){.partitions = 8});
    expect_doubt("among 8 devices");
    lower_for("v2", &(pod_tpu_options){.partitions = 2});
    ASSERT_EQ(POD_TPU_DOES_NOT_FIT, pod_tpu_plan_verdict(plan));
    tear_down();
}

TEST(kinds_are_what_programs_are_made_of)
{
    set_up();
    pod_node *x = parameter("x", 256, 256), *y = pod_graph_matmul(graph, x, x);
    pod_graph_add_output(graph, y);
    lower_for("v3", NULL);
    ASSERT_EQ(1 << POD_TPU_PROGRAM_DENSE | 1 << POD_TPU_PROGRAM_INFERENCE, pod_tpu_plan_certainty(plan)->kinds);
    pod_graph_set_alias(graph, 0, 0);
    lower_for("v3", NULL);
    const pod_tpu_certainty *certainty = pod_tpu_plan_certainty(plan);
    ASSERT_EQ(1 << POD_TPU_PROGRAM_DENSE, certainty->kinds);
    ASSERT(certainty->kept >= 4 && certainty->miss > 0 && certainty->margin >= 0.1);
    ASSERT(certainty->met);
    pod_graph_add_output(graph, all_reduce(y));
    lower_for("v3", NULL);
    ASSERT_EQ(1 << POD_TPU_PROGRAM_DENSE | 1 << POD_TPU_PROGRAM_EXCHANGES, pod_tpu_plan_certainty(plan)->kinds);
    ASSERT_TEXT("exchanges", pod_tpu_program_kind_name(POD_TPU_PROGRAM_EXCHANGES));
    ASSERT(pod_tpu_program_kind_name(POD_TPU_PROGRAM_KINDS) == NULL);
    tear_down();
}

TEST(margins_decide_what_is_too_close)
{
    set_up();
    const int64_t rows = 15 * INT64_C(1024) * 1024 * 1024 / 512 / 2; /* 15 GiB in two arrays */
    pod_node *x = parameter("x", rows, 128);
    pod_graph_add_output(graph, pod_graph_exp(graph, x));
    lower("v3");
    ASSERT_EQ(POD_TPU_CANNOT_SAY, pod_tpu_plan_verdict(plan));
    lower("v6e");
    ASSERT_EQ(POD_TPU_FITS, pod_tpu_plan_verdict(plan));
    lower("v2");
    ASSERT_EQ(POD_TPU_DOES_NOT_FIT, pod_tpu_plan_verdict(plan));
    tear_down();
}

/* ---- sizes that are none -------------------------------------------------------------------------------------- */

TEST(sizes_past_any_memory_fail)
{
    for (int temporaries = 0; temporaries < 2; temporaries++) {
        set_up();
        for (int i = 0; i < 5; i++) {
            pod_node *x = parameter("x", INT64_C(1) << 30, temporaries ? 1 : INT64_C(1) << 29);
            if (temporaries)
                x = pod_graph_matmul(graph, x, parameter("w", 1, INT64_C(1) << 30));
            pod_graph_add_output(graph, pod_graph_exp(graph, x));
        }
        ASSERT_FAILS(POD_ERROR_SHAPE, "2^63", pod_tpu_lower(graph, pod_chip_find("v3"), NULL, &plan, &error));
        ASSERT(plan == NULL);
        tear_down();
    }
}

TEST(every_rank_and_empty_arrays_are_planned)
{
    for (int32_t rank = 0; rank <= POD_MAX_RANK; rank++)
        for (int64_t size = 0; size < 4; size++) {
            set_up();
            pod_shape shape = {.rank = rank};
            for (int32_t i = 0; i < rank; i++)
                shape.dims[i] = size;
            pod_node *x = pod_graph_parameter(graph, POD_BF16, &shape, "x");
            pod_node *sum = pod_graph_reduce(graph, "reduce_sum", x, NULL, false);
            pod_graph_add_output(graph, pod_graph_multiply(graph, x, sum));
            for (size_t i = 0; i < pod_chip_count(); i++) {
                const pod_tpu_memory *memory = lower(pod_chip_at(i)->name);
                ASSERT(memory->need_bytes >= 0 && memory->temp_bytes >= 0);
            }
            tear_down();
        }
}

/* ---- memory ---------------------------------------------------------------------------------------------------- */

static pod_status lower_something(pod_context *own, pod_error *own_error)
{
    pod_graph *made;
    pod_tpu_plan *planned = NULL;
    pod_status status = pod_graph_new(own, "test", &made, own_error);
    if (status != POD_OK)
        return status;
    pod_node *x = pod_graph_parameter(made, POD_F32, SHAPE(2, {1024, 512}), "x");
    pod_node *w = pod_graph_parameter(made, POD_F32, SHAPE(2, {512, 512}), "w");
    pod_node *h = pod_graph_matmul(made, pod_graph_tanh(made, pod_graph_matmul(made, x, w)), w);
    pod_graph_add_output(made, pod_graph_reduce(made, "reduce_sum", h, NULL, false));
    status = pod_graph_check(made, own_error);
    if (status == POD_OK)
        status = pod_tpu_lower(made, pod_chip_find("v5e"), NULL, &planned, own_error);
    pod_tpu_plan_free(planned);
    pod_graph_free(made);
    return status;
}

TEST(planning_survives_a_lack_of_memory)
{
    every_allocation_may_fail(lower_something);
}

TEST_MAIN(RUN(an_elementwise_graph_has_arguments_and_outputs_alone); RUN(several_outputs_have_a_table);
          RUN(an_updated_parameter_is_counted_once); RUN(a_product_is_stored_after_its_epilogue);
          RUN(what_products_alone_read_takes_sixteen_bits); RUN(gradients_that_only_update_are_not_stored);
          RUN(dead_nodes_take_nothing); RUN(updates_that_read_what_others_write_are_all_made);
          RUN(scores_of_unmasked_attention_are_not_stored);
          RUN(scattered_rows_take_a_table_whose_rows_lie_side_by_side);
          RUN(updates_of_an_argument_one_after_the_other_are_in_its_place);
          RUN(rows_that_do_not_fill_tiles_are_scattered_from_a_matrix);
          RUN(lookups_read_a_copy_of_a_table_unless_it_wastes_much);
          RUN(activations_of_convolutions_have_batch_and_channels_minor);
          RUN(convolutions_of_inference_are_pairs_on_v6e_and_stored_raw); RUN(sums_over_channels_have_the_batch_minor);
          RUN(an_activation_of_two_products_waits_for_both);
          RUN(what_a_reduction_or_a_slice_alone_reads_of_a_product_is_not_stored);
          RUN(what_two_dots_compute_from_four_arrays_is_stored);
          RUN(a_result_takes_over_an_operand_that_it_alone_reads);
          RUN(a_dot_that_one_dot_reads_is_computed_in_it_where_weights_are_small);
          RUN(what_batched_dots_read_and_make_lies_as_matrices);
          RUN(a_sum_of_a_product_and_an_argument_is_made_with_the_product);
          RUN(updates_from_gradients_that_are_turned_are_made_on_copies); RUN(a_kernel_of_several_results_has_a_table);
          RUN(small_programs_live_on_the_chip_where_it_has_room); RUN(what_waits_long_for_its_next_reader_is_in_hbm);
          RUN(live_bytes_lead_to_the_peak_and_offsets_lie_below_the_heap_s_end);
          RUN(what_is_divided_cannot_be_said_unless_its_arguments_surely_do_not_fit);
          RUN(kinds_are_what_programs_are_made_of); RUN(margins_decide_what_is_too_close);
          RUN(sizes_past_any_memory_fail); RUN(every_rank_and_empty_arrays_are_planned);
          RUN(planning_survives_a_lack_of_memory);)
