/*
 * Composites: values against published numbers and formulas, types, refusals, randomness.
 */

#include "evaluate.h"
#include "graph/build.h"
#include "graph/composites.h"
#include "test.h"

static pod_context *context;
static pod_graph *graph;
static pod_error error;

static void set_up(void)
{
    context = test_context(&(pod_context_options){.threads = 1});
    ASSERT_OK(pod_graph_new(context, "test", &graph, &error));
    pod_graph_set_location(graph, "model.lua:3");
}

static void tear_down(void)
{
    pod_graph_free(graph);
    pod_context_release(context);
}

#define SHAPE(...) ((pod_shape){__VA_ARGS__})

static pod_node *constant(pod_shape shape, const double *values)
{
    return pod_graph_constant(graph, POD_F64, &shape, values);
}

/* Computes nodes without parameters. */
static void compute(pod_node *const *nodes, size_t count, pod_array *outputs)
{
    ASSERT_OK(pod_graph_verify(graph, &error));
    pod_graph *copy = pod_graph_copy(graph, &error);
    for (size_t i = 0; i < count; i++)
        pod_graph_add_output(copy, pod_graph_get_node(copy, nodes[i]->id));
    ASSERT_OK(evaluate_graph(copy, NULL, outputs, &error));
    pod_graph_free(copy);
}

static void expect_values(pod_node *node, int64_t count, const double *expected, double tolerance)
{
    pod_array output;
    ASSERT_OK(pod_graph_check(graph, &error));
    pod_node *wide = pod_graph_convert(graph, node, POD_F64);
    compute(&wide, 1, &output);
    ASSERT_EQ(count, pod_shape_elements(&output.shape));
    for (int64_t i = 0; i < count; i++)
        ASSERT_NEAR(expected[i], ((double *)output.data)[i], 0, tolerance);
    evaluate_free(&output, 1);
}

static pod_node *apply_1(const char *name, pod_node *x, const pod_attributes *attributes)
{
    return pod_graph_composite(graph, name, &x, 1, attributes);
}

/* ---- activations and losses ------------------------------------------------------------------ */

TEST(activations_have_their_values)
{
    set_up();
    pod_node *x = constant(SHAPE(1, {4}), (double[]){-100, -1, 0, 2});
    expect_values(apply_1("relu", x, NULL), 4, (double[]){0, 0, 0, 2}, 0);
    expect_values(apply_1("softplus", x, NULL), 4,
                  (double[]){3.720075976020836e-44, 0.31326168751822286, 0.6931471805599453, 2.1269280110429727},
                  1e-15);
    expect_values(apply_1("gelu", x, NULL), 4, (double[]){0, -0.15865525393145707, 0, 1.9544997361036416}, 1e-15);
    expect_values(apply_1("gelu", x, &(pod_attributes){.flag = true}), 4,
                  (double[]){0, -0.15880800939172324, 0, 1.954597694087775}, 1e-15);
    expect_values(apply_1("silu", x, NULL), 4, (double[]){0, -0.2689414213699951, 0, 1.7615941559557649}, 1e-15);
    tear_down();
}

TEST(softmax_survives_large_numbers_and_takes_any_axis)
{
    set_up();
    pod_node *x = constant(SHAPE(2, {2, 2}), (double[]){1000, 1000, 1000, -1000});
    expect_values(apply_1("softmax", x, &(pod_attributes){.axis = -1}), 4, (double[]){0.5, 0.5, 1, 0}, 1e-15);
    expect_values(apply_1("softmax", x, &(pod_attributes){.axis = 0}), 4, (double[]){0.5, 1, 0.5, 0}, 1e-15);
    expect_values(apply_1("log_softmax", x, &(pod_attributes){.axis = 1}), 4,
                  (double[]){-0.6931471805599453, -0.6931471805599453, 0, -2000}, 1e-12);
    tear_down();
}

/* From the logarithms of probabilities: -log of the wanted one. */
TEST(cross_entropies_have_their_published_values)
{
    set_up();
    static const int32_t labels[] = {1, 2};
    pod_node *p = constant(SHAPE(2, {2, 3}), (double[]){0.05, 0.95, 1e-300, 0.1, 0.8, 0.1});
    pod_node *logits = pod_graph_log(graph, p);
    pod_node *sparse[] = {logits, pod_graph_constant(graph, POD_S32, &SHAPE(1, {2}), labels)};
    expect_values(pod_graph_composite(graph, "sparse_softmax_cross_entropy", sparse, 2, NULL), 2,
                  (double[]){0.05129329438755058, 2.3025850929940455}, 1e-14);
    pod_node *dense[] = {logits, constant(SHAPE(2, {2, 3}), (double[]){0, 1, 0, 0, 0, 1})};
    expect_values(pod_graph_composite(graph, "softmax_cross_entropy", dense, 2, NULL), 2,
                  (double[]){0.05129329438755058, 2.3025850929940455}, 1e-14);
    pod_node *binary[] = {constant(SHAPE(1, {3}), (double[]){0, 1000, -1000}),
                          constant(SHAPE(1, {3}), (double[]){0.3, 1, 1})};
    expect_values(pod_graph_composite(graph, "sigmoid_cross_entropy", binary, 2, NULL), 3,
                  (double[]){0.6931471805599453, 0, 1000}, 1e-14);
    tear_down();
}

TEST(a_label_out_of_range_fails_the_run)
{
    set_up();
    static const uint8_t labels[] = {1, 3};
    pod_array output;
    pod_node *inputs[] = {constant(SHAPE(2, {2, 3}), (double[]){1, 2, 3, 4, 5, 6}),
                          pod_graph_constant(graph, POD_U8, &SHAPE(1, {2}), labels)};
    pod_graph_add_output(graph, pod_graph_composite(graph, "sparse_softmax_cross_entropy", inputs, 2, NULL));
    ASSERT_FAILS(POD_ERROR_VALUE, "a label is not one of the classes 0 to 2",
                 evaluate_graph(graph, NULL, &output, &error));
    tear_down();
}

TEST(narrow_logits_give_wide_losses_and_narrow_gradients)
{
    set_up();
    pod_node *x = pod_graph_parameter(graph, POD_BF16, &SHAPE(2, {4, 3}), NULL), *gradient;
    pod_node *labels = pod_graph_parameter(graph, POD_S64, &SHAPE(1, {4}), NULL);
    pod_node *loss = pod_graph_composite(graph, "sparse_softmax_cross_entropy", (pod_node *[]){x, labels}, 2, NULL);
    ASSERT_EQ(POD_F32, pod_node_dtype(loss, 0));
    ASSERT_OK(pod_graph_gradient(graph, loss, NULL, &x, 1, &gradient, &error));
    ASSERT_EQ(POD_BF16, pod_node_dtype(gradient, 0));
    ASSERT_TEXT("sparse_softmax_cross_entropy_gradient", gradient->inputs[0]->attributes->name);
    tear_down();
}

/* ---- normalisation and attention ------------------------------------------------------------- */

TEST(normalisations_have_their_values)
{
    set_up();
    pod_node *x = constant(SHAPE(1, {5}), (double[]){0, 1, 2, 3, 4});
    expect_values(apply_1("layer_normalization", x, &(pod_attributes){.values = {1e-7}}), 5,
                  (double[]){-1.4142135, -0.70710677, 0, 0.70710677, 1.4142135}, 1e-7);
    pod_node *gamma = constant(SHAPE(1, {5}), (double[]){1, 2, 3, 4, 5});
    expect_values(pod_graph_composite(graph, "rms_normalization", (pod_node *[]){x, gamma}, 2, NULL), 5,
                  (double[]){0, 0.816496580927726, 2.449489742783178, 4.898979485566356, 8.16496580927726}, 1e-14);
    tear_down();
}

TEST(attention_looks_where_it_may)
{
    set_up();
    pod_node *zero = pod_graph_scalar(graph, POD_F64, 0, &SHAPE(4, {1, 1, 3, 2}));
    pod_node *v = constant(SHAPE(4, {1, 1, 3, 1}), (double[]){3, 6, 12});
    pod_node *inputs[] = {zero, zero, v, NULL};
    expect_values(pod_graph_composite(graph, "attention", inputs, 3, NULL), 3, (double[]){7, 7, 7}, 1e-14);
    expect_values(pod_graph_composite(graph, "attention", inputs, 3, &(pod_attributes){.flag = true}), 3,
                  (double[]){3, 4.5, 7}, 1e-14);
    static const bool seen[] = {true, false, true};
    inputs[3] = pod_graph_constant(graph, POD_BOOL, &SHAPE(1, {3}), seen);
    expect_values(pod_graph_composite(graph, "attention", inputs, 4, NULL), 3, (double[]){7.5, 7.5, 7.5}, 1e-14);
    tear_down();
}

/* ---- optimizers: three steps from (1, -2), by Keras' published formulas, in double ----------- */

static const double gradients[3][2] = {{0.1, -0.2}, {0.3, 0.1}, {-0.2, 0.4}};

static void expect_training(const char *name, size_t slots, const pod_attributes *attributes, bool is_adam, double lr,
                            const double *expected)
{
    set_up();
    pod_node *state[3] = {constant(SHAPE(1, {2}), (double[]){1, -2})};
    for (size_t i = 1; i <= slots; i++)
        state[i] = pod_graph_scalar(graph, POD_F64, 0, &SHAPE(1, {2}));
    for (int step = 1; step <= 3; step++) {
        double rate = lr;
        if (is_adam)
            rate *= sqrt(1 - pow(0.999, step)) / (1 - pow(0.9, step));
        pod_node *inputs[6];
        memcpy(inputs, state, sizeof state);
        inputs[slots + 1] = constant(SHAPE(1, {2}), gradients[step - 1]);
        inputs[slots + 2] = pod_graph_scalar(graph, POD_F64, rate, NULL);
        inputs[slots + 3] = pod_graph_scalar(graph, POD_F64, lr, NULL);
        size_t count = slots + 3 + (strcmp(name, "adamw") == 0);
        pod_node *update = pod_graph_composite(graph, name, inputs, count, attributes);
        for (size_t i = 0; i <= slots; i++)
            state[i] = pod_graph_result(graph, update, i);
    }
    expect_values(state[0], 2, expected, 6e-10);
    tear_down();
}

TEST(optimizers_follow_the_published_steps)
{
    expect_training("sgd", 0, NULL, false, 0.01, (double[]){0.998, -2.003});
    expect_training("sgd_momentum", 1, &(pod_attributes){.values = {0.9}}, false, 0.01, (double[]){0.99359, -2.00048});
    expect_training("adam", 2, &(pod_attributes){.values = {0.9, 0.999, 1e-7}}, true, 0.001,
                    (double[]){0.997824358, -1.999191011});
}

/* Without gradients the weight only decays; Nesterov by hand: m = -0.001, -0.0039, w moves by
 * 0.9 m - lr g in each step. */
TEST(decay_and_nesterov_follow_their_formulas)
{
    set_up();
    pod_node *zero = pod_graph_scalar(graph, POD_F64, 0, &SHAPE(1, {2}));
    pod_node *inputs[] = {
        constant(SHAPE(1, {2}), (double[]){1, -2}), zero, zero, zero, pod_graph_scalar(graph, POD_F32, 0.1, NULL),
        pod_graph_scalar(graph, POD_F64, 0.5, NULL)};
    pod_attributes attributes = {.values = {0.9, 0.999, 1e-7, 0.1}};
    pod_node *update = pod_graph_composite(graph, "adamw", inputs, 6, &attributes);
    expect_values(pod_graph_result(graph, update, 0), 2, (double[]){0.95, -1.9}, 1e-15);
    tear_down();
    const double m1 = -0.001, m2 = 0.9 * m1 - 0.003, m3 = 0.9 * m2 + 0.002;
    const double w = 1 + (0.9 * m1 - 0.001) + (0.9 * m2 - 0.003) + (0.9 * m3 + 0.002);
    const double n1 = 0.002, n2 = 0.9 * n1 - 0.001, n3 = 0.9 * n2 - 0.004;
    const double v = -2 + (0.9 * n1 + 0.002) + (0.9 * n2 - 0.001) + (0.9 * n3 - 0.004);
    expect_training("sgd_momentum", 1, &(pod_attributes){.values = {0.9}, .flag = true}, false, 0.01, (double[]){w, v});
}

/* ---- random ---------------------------------------------------------------------------------- */

#define DRAWS 40000

typedef struct moments {
    double mean, variance, least, most;
} moments;

static pod_node *random_state(uint64_t seed, uint64_t step)
{
    const uint64_t state[] = {seed, step};
    return pod_graph_constant(graph, POD_U64, &SHAPE(1, {2}), state);
}

static moments draw(const char *name, pod_attributes attributes)
{
    pod_array output;
    set_up();
    attributes.shape = SHAPE(2, {DRAWS / 100, 100});
    attributes.seed = 11;
    pod_node *state = random_state(1, 2);
    pod_node *x = pod_graph_convert(graph, apply_1(name, state, &attributes), POD_F64);
    compute(&x, 1, &output);
    const double *values = output.data;
    moments m = {.least = values[0], .most = values[0]};
    for (int i = 0; i < DRAWS; i++) {
        m.mean += values[i] / DRAWS;
        m.least = fmin(m.least, values[i]);
        m.most = fmax(m.most, values[i]);
    }
    for (int i = 0; i < DRAWS; i++)
        m.variance += (values[i] - m.mean) * (values[i] - m.mean) / DRAWS;
    evaluate_free(&output, 1);
    tear_down();
    return m;
}

TEST(uniform_numbers_fill_their_range)
{
    static const pod_dtype types[] = {POD_F32, POD_F64, POD_BF16, POD_F16};
    for (int i = 0; i < 4; i++) {
        moments m = draw("random_uniform", (pod_attributes){.values = {-1, 3}, .dtype = types[i]});
        ASSERT(m.least >= -1 && m.least < -0.99 && m.most < 3 && m.most > 2.97);
        ASSERT_NEAR(1, m.mean, 0, 0.03);
        ASSERT_NEAR(16 / 12.0, m.variance, 0, 0.03);
    }
}

TEST(uniform_integers_leave_the_end_out)
{
    moments m = draw("random_uniform", (pod_attributes){.values = {-2, 3}, .dtype = POD_S8});
    ASSERT(m.least == -2 && m.most == 2);
    ASSERT_NEAR(0, m.mean, 0, 0.03);
    ASSERT_NEAR(2, m.variance, 0, 0.05);
}

TEST(normal_numbers_have_mean_and_deviation)
{
    moments m = draw("random_normal", (pod_attributes){.values = {3, 2}});
    ASSERT_NEAR(3, m.mean, 0, 0.05);
    ASSERT_NEAR(4, m.variance, 0, 0.12);
    ASSERT(m.least < -3.5 && m.most > 9.5);
    m = draw("random_normal", (pod_attributes){.values = {0, 1}, .dtype = POD_F64});
    ASSERT_NEAR(0, m.mean, 0, 0.025);
    ASSERT_NEAR(1, m.variance, 0, 0.03);
}

TEST(truncated_numbers_stay_within_two_deviations)
{
    moments m = draw("truncated_normal", (pod_attributes){.values = {1, 0.5}});
    ASSERT(m.least >= 0 && m.least < 0.02 && m.most <= 2 && m.most > 1.98);
    ASSERT_NEAR(1, m.mean, 0, 0.01);
    ASSERT_NEAR(0.87962566103423978 * 0.5, sqrt(m.variance), 0, 0.006);
}

TEST(coins_fall_by_their_probability)
{
    ASSERT_NEAR(0.3, draw("bernoulli", (pod_attributes){.values = {0.3}}).mean, 0, 0.01);
    ASSERT_NUMBER(0, draw("bernoulli", (pod_attributes){.values = {0}}).mean);
    ASSERT_NEAR(1, draw("bernoulli", (pod_attributes){.values = {1}}).mean, 0, 1e-9);
}

/* Rate 0.75 keeps a quarter of the elements, four times as large. */
TEST(dropout_keeps_the_mean)
{
    set_up();
    pod_array output;
    pod_node *ones = pod_graph_scalar(graph, POD_F32, 1, &SHAPE(2, {DRAWS / 100, 100}));
    pod_attributes attributes = {.values = {0.75}, .seed = 5};
    pod_node *x = pod_graph_composite(graph, "dropout", (pod_node *[]){ones, random_state(1, 2)}, 2, &attributes);
    compute(&x, 1, &output);
    double sum = 0;
    for (int i = 0; i < DRAWS; i++) {
        const double value = ((float *)output.data)[i];
        ASSERT(value == 0 || value == 4);
        sum += value;
    }
    ASSERT_NEAR(1, sum / DRAWS, 0, 0.03);
    evaluate_free(&output, 1);
    attributes.values[0] = 1;
    x = pod_graph_composite(graph, "dropout", (pod_node *[]){ones, random_state(1, 2)}, 2, &attributes);
    compute(&x, 1, &output);
    ASSERT_NUMBER(0, *(float *)output.data);
    evaluate_free(&output, 1);
    tear_down();
}

TEST(draws_differ_by_seed_step_and_place)
{
    set_up();
    pod_attributes attributes = {.values = {0, 1}, .seed = 1, .shape = SHAPE(1, {1})};
    pod_node *nodes[5];
    nodes[0] = apply_1("random_uniform", random_state(1, 1), &attributes);
    nodes[1] = apply_1("random_uniform", random_state(1, 1), &attributes);
    nodes[2] = apply_1("random_uniform", random_state(2, 1), &attributes);
    nodes[3] = apply_1("random_uniform", random_state(1, 2), &attributes);
    attributes.seed = 2;
    nodes[4] = apply_1("random_uniform", random_state(1, 1), &attributes);
    pod_array outputs[5];
    compute(nodes, 5, outputs);
    const float first = *(float *)outputs[0].data;
    ASSERT_NUMBER(first, *(float *)outputs[1].data);
    for (int i = 2; i < 5; i++)
        ASSERT(*(float *)outputs[i].data != first);
    evaluate_free(outputs, 5);
    tear_down();
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void expect_refusal(const char *name, pod_node *const *inputs, size_t count, const pod_attributes *attributes,
                           pod_status status, const char *message)
{
    ASSERT(!pod_node_is_valid(pod_graph_composite(graph, name, inputs, count, attributes)));
    ASSERT_FAILS(status, message, pod_graph_check(graph, &error));
    ASSERT_CONTAINS("(model.lua:3)", error.message);
    ASSERT_CONTAINS(name, error.message);
    pod_graph_clear_error(graph);
}

TEST(composites_say_what_does_not_fit)
{
    set_up();
    pod_node *x = pod_graph_scalar(graph, POD_F32, 0, &SHAPE(2, {4, 3}));
    pod_node *i = pod_graph_scalar(graph, POD_S32, 0, &SHAPE(1, {3}));
    pod_node *state = random_state(1, 1), *one = pod_graph_scalar(graph, POD_F32, 1, NULL);
    expect_refusal("frobnicate", &x, 1, NULL, POD_ERROR_NOT_FOUND, "there is no composite 'frobnicate'");
    expect_refusal("relu", (pod_node *[]){x, x}, 2, NULL, POD_ERROR_ARGUMENT, "it has 1 to 1 operands");
    expect_refusal("softmax", &x, 1, &(pod_attributes){.axis = 2}, POD_ERROR_SHAPE,
                   "axis is 2, but the operand (4, 3) has 2 axes");
    expect_refusal("gelu", &i, 1, NULL, POD_ERROR_DTYPE, "operand 0 is int32, but must be a float");
    expect_refusal("sparse_softmax_cross_entropy", (pod_node *[]){x, i}, 2, NULL, POD_ERROR_SHAPE,
                   "operand 1 is (3,), but must be (4,)");
    expect_refusal("sparse_softmax_cross_entropy", (pod_node *[]){x, one}, 2, NULL, POD_ERROR_DTYPE,
                   "must be integers: class numbers");
    expect_refusal("softmax_cross_entropy", (pod_node *[]){one, one}, 2, NULL, POD_ERROR_SHAPE,
                   "a last axis of classes");
    expect_refusal("layer_normalization", &one, 1, NULL, POD_ERROR_SHAPE, "a scalar has no features");
    expect_refusal("attention", (pod_node *[]){x, x, x}, 3, NULL, POD_ERROR_SHAPE, "[b, h, t, d]");
    expect_refusal("adam", (pod_node *[]){x, x, x, x, x}, 5, NULL, POD_ERROR_SHAPE,
                   "operand 4 is (4, 3), but must be ()");
    expect_refusal("sgd_momentum", (pod_node *[]){x, i, x, one}, 4, NULL, POD_ERROR_DTYPE,
                   "operands 0 and 1 have different types");
    expect_refusal("dropout", (pod_node *[]){x, state}, 2, &(pod_attributes){.values = {2}}, POD_ERROR_VALUE,
                   "the rate is 2; it must be from 0 to 1");
    expect_refusal("dropout", (pod_node *[]){x, x}, 2, &(pod_attributes){.values = {0.5}}, POD_ERROR_SHAPE,
                   "the state must be uint64 (2)");
    expect_refusal("random_uniform", &state, 1, &(pod_attributes){.values = {1, 1}}, POD_ERROR_VALUE,
                   "with low < high");
    expect_refusal("random_uniform", &state, 1, &(pod_attributes){.values = {0, 1.5}, .dtype = POD_S32},
                   POD_ERROR_VALUE, "must be integers less than 2^32 apart");
    expect_refusal("random_uniform", &state, 1, &(pod_attributes){.values = {0, 1}, .dtype = POD_BOOL}, POD_ERROR_DTYPE,
                   "use bernoulli");
    expect_refusal("random_normal", &state, 1, &(pod_attributes){.dtype = POD_S32}, POD_ERROR_DTYPE,
                   "the result is a float type, not int32");
    tear_down();
}

TEST(a_body_stands_where_its_call_does)
{
    set_up();
    pod_graph_set_scope(graph, "dense");
    const pod_node *call = apply_1("relu", pod_graph_scalar(graph, POD_F32, 1, NULL), NULL);
    ASSERT_TEXT("relu", call->attributes->name);
    ASSERT_TEXT("model.lua:3", call->regions[0]->outputs[0]->location);
    ASSERT_TEXT("dense", call->regions[0]->outputs[0]->scope);
    tear_down();
}

TEST(composites_are_listed_once)
{
    for (size_t i = 0; pod_graph_composite_get(i); i++)
        ASSERT(pod_graph_composite_find(pod_graph_composite_get(i)->name) == pod_graph_composite_get(i));
    ASSERT(!pod_graph_composite_find(NULL) && !pod_graph_composite_find("no"));
}

TEST_MAIN(RUN(activations_have_their_values); RUN(softmax_survives_large_numbers_and_takes_any_axis);
          RUN(cross_entropies_have_their_published_values); RUN(a_label_out_of_range_fails_the_run);
          RUN(narrow_logits_give_wide_losses_and_narrow_gradients); RUN(normalisations_have_their_values);
          RUN(attention_looks_where_it_may); RUN(optimizers_follow_the_published_steps);
          RUN(decay_and_nesterov_follow_their_formulas); RUN(uniform_numbers_fill_their_range);
          RUN(uniform_integers_leave_the_end_out); RUN(normal_numbers_have_mean_and_deviation);
          RUN(truncated_numbers_stay_within_two_deviations); RUN(coins_fall_by_their_probability);
          RUN(dropout_keeps_the_mean); RUN(draws_differ_by_seed_step_and_place); RUN(composites_say_what_does_not_fit);
          RUN(a_body_stands_where_its_call_does); RUN(composites_are_listed_once))
