/*
 * What single gradient rules do where differences cannot tell: ties, zeros, types, collectives,
 * custom gradients, refusals.
 */

#include "base/arena_apart.h"
#include "evaluate.h"
#include "graph/build.h"
#include "graph/composites.h"
#include "test.h"

typedef struct fixture {
    pod_context *context;
    pod_graph *graph;
    pod_error error;
} fixture;

static fixture set_up(void)
{
    fixture f = {.context = test_context(&(pod_context_options){.threads = 1})};
    if (pod_graph_new(f.context, "test", &f.graph, &f.error) != POD_OK)
        FAIL("%s", f.error.message);
    pod_graph_set_location(f.graph, "model.lua:12");
    return f;
}

static void tear_down(fixture *f)
{
    pod_graph_free(f->graph);
    pod_context_release(f->context);
}

static pod_node *vector(fixture *f, pod_dtype dtype, int64_t size)
{
    return pod_graph_parameter(f->graph, dtype, &(pod_shape){1, {size}}, NULL);
}

static pod_node *gradient_of(fixture *f, pod_node *target, pod_node *seed, pod_node *source)
{
    pod_node *gradient;
    if (pod_graph_gradient(f->graph, target, seed, &source, 1, &gradient, &f->error) != POD_OK)
        FAIL("%s", f->error.message);
    return gradient;
}

/* What a gradient is before it is given the rows of its value. */
static const pod_node *without_rows(const pod_node *node)
{
    return node->op == POD_OP_WITH_ROWS ? node->inputs[0] : node;
}

/* Makes `node` (f64) the only output, runs the graph on one f64 parameter and compares. */
static void expect_values(fixture *f, pod_node *node, const double *x, const double *expected)
{
    pod_array output;
    pod_error error = {0};
    pod_graph_add_output(f->graph, node);
    const pod_array parameter = {POD_F64, *pod_node_shape(pod_graph_get_parameter(f->graph, 0), 0), (void *)x};
    ASSERT_OK(pod_graph_check(f->graph, &error));
    ASSERT_OK(evaluate_graph(f->graph, &parameter, &output, &error));
    for (int64_t i = 0; i < pod_shape_elements(&output.shape); i++)
        ASSERT_NEAR(expected[i], ((double *)output.data)[i], 1e-12, 1e-12);
    evaluate_free(&output, 1);
}

/* ---- values ---------------------------------------------------------------------------------- */

TEST(equal_operands_of_maximum_get_half_each)
{
    fixture f = set_up();
    pod_node *x = vector(&f, POD_F64, 3);
    pod_node *y = pod_graph_maximum(f.graph, x, pod_graph_number_like(f.graph, x, 1));
    expect_values(&f, gradient_of(&f, y, NULL, x), (double[]){0, 1, 2}, (double[]){0, 0.5, 1});
    tear_down(&f);
}

TEST(relu_has_no_slope_at_zero)
{
    fixture f = set_up();
    pod_node *x = vector(&f, POD_F64, 3);
    pod_node *y = pod_graph_composite(f.graph, "relu", &x, 1, NULL);
    expect_values(&f, gradient_of(&f, y, NULL, x), (double[]){-1, 0, 2}, (double[]){0, 0, 1});
    tear_down(&f);
}

TEST(equal_maxima_share_the_gradient)
{
    fixture f = set_up();
    pod_node *x = vector(&f, POD_F64, 4);
    pod_node *y = pod_graph_reduce(f.graph, "reduce_max", x, NULL, false);
    expect_values(&f, gradient_of(&f, y, NULL, x), (double[]){3, 1, 3, 3}, (double[]){1 / 3.0, 0, 1 / 3.0, 1 / 3.0});
    tear_down(&f);
}

TEST(products_with_zeros_have_their_gradient)
{
    fixture f = set_up();
    pod_node *x = pod_graph_parameter(f.graph, POD_F64, &(pod_shape){2, {3, 3}}, NULL);
    pod_node *y = pod_graph_reduce(f.graph, "reduce_product", x, &(pod_axes){1, {1}}, false);
    expect_values(&f, gradient_of(&f, y, NULL, x), (double[]){0, 2, 3, 0, 0, 5, 7, 2, 3},
                  (double[]){6, 0, 0, 0, 0, 0, 6, 21, 14});
    tear_down(&f);
}

TEST(power_has_a_slope_at_zero)
{
    fixture f = set_up();
    pod_node *x = vector(&f, POD_F64, 2);
    pod_node *y = pod_graph_power(f.graph, x, pod_graph_number_like(f.graph, x, 0));
    expect_values(&f, gradient_of(&f, y, NULL, x), (double[]){0, 2}, (double[]){0, 0});
    tear_down(&f);
}

TEST(updates_that_lose_a_scatter_get_no_gradient)
{
    fixture f = set_up();
    static const int32_t places[] = {1, 0, 1};
    static const double weights[] = {10, 20, 30};
    pod_node *u = vector(&f, POD_F64, 3);
    pod_attributes attributes = {.reduction = POD_REDUCE_ASSIGN};
    pod_node *inputs[] = {pod_graph_scalar(f.graph, POD_F64, 0, &(pod_shape){1, {3}}),
                          pod_graph_constant(f.graph, POD_S32, &(pod_shape){1, {3}}, places), u};
    pod_node *y = pod_graph_apply(f.graph, POD_OP_SCATTER, inputs, 3, &attributes, NULL, 0);
    pod_node *seed = pod_graph_constant(f.graph, POD_F64, &(pod_shape){1, {3}}, weights);
    expect_values(&f, gradient_of(&f, y, seed, u), (double[]){1, 2, 3}, (double[]){0, 10, 20});
    tear_down(&f);
}

TEST(the_seed_is_the_gradient_from_above)
{
    fixture f = set_up();
    static const double weights[] = {1, -2, 3};
    pod_node *x = vector(&f, POD_F64, 3);
    pod_node *seed = pod_graph_constant(f.graph, POD_F64, &(pod_shape){1, {3}}, weights);
    pod_node *y = pod_graph_multiply(f.graph, x, x);
    expect_values(&f, gradient_of(&f, y, seed, x), (double[]){1, 2, 3}, (double[]){2, -8, 18});
    tear_down(&f);
}

/* y = x^2, z = sin(y): dz/dy and dz/dx at once, and dz/dx twice. */
TEST(sources_may_be_in_between_and_come_twice)
{
    fixture f = set_up();
    pod_node *x = vector(&f, POD_F64, 1), *gradients[4];
    pod_node *y = pod_graph_multiply(f.graph, x, x), *z = pod_graph_sin(f.graph, y);
    pod_node *sources[] = {x, y, x, z};
    pod_error error = {0};
    ASSERT_OK(pod_graph_gradient(f.graph, z, NULL, sources, 4, gradients, &error));
    ASSERT(gradients[0] == gradients[2]);
    for (int i = 1; i < 4; i++)
        pod_graph_add_output(f.graph, gradients[i]);
    pod_array outputs[3];
    double value = 0.7;
    const pod_array parameter = {POD_F64, {1, {1}}, &value};
    ASSERT_OK(evaluate_graph(f.graph, &parameter, outputs, &error));
    ASSERT_NEAR(cos(0.49), *(double *)outputs[0].data, 1e-14, 0);
    ASSERT_NEAR(cos(0.49) * 1.4, *(double *)outputs[1].data, 1e-14, 0);
    ASSERT_NUMBER(1, *(double *)outputs[2].data);
    evaluate_free(outputs, 3);
    tear_down(&f);
}

/* ---- where there is none --------------------------------------------------------------------- */

TEST(what_does_not_depend_on_a_source_has_no_gradient)
{
    fixture f = set_up();
    pod_node *x = vector(&f, POD_F32, 3), *y = vector(&f, POD_F32, 3), *i = vector(&f, POD_S32, 3);
    pod_node *stopped = pod_graph_unary(f.graph, POD_OP_STOP_GRADIENT, x);
    pod_node *floored = pod_graph_floor(f.graph, x);
    pod_node *through_integers = pod_graph_convert(f.graph, pod_graph_convert(f.graph, x, POD_S32), POD_F32);
    pod_node *from_integers = pod_graph_convert(f.graph, i, POD_F32);
    ASSERT(!gradient_of(&f, pod_graph_exp(f.graph, y), NULL, x));
    ASSERT(!gradient_of(&f, stopped, NULL, x));
    ASSERT(!gradient_of(&f, floored, NULL, x));
    ASSERT(!gradient_of(&f, through_integers, NULL, x));
    ASSERT(!gradient_of(&f, from_integers, NULL, i));
    tear_down(&f);
}

/* The walk from another source passes by it and must not go on behind it. */
TEST(a_stopped_value_may_be_a_source)
{
    fixture f = set_up();
    pod_node *x = vector(&f, POD_F32, 3), *gradients[2];
    pod_node *stopped = pod_graph_unary(f.graph, POD_OP_STOP_GRADIENT, x);
    pod_node *y = pod_graph_multiply(f.graph, stopped, stopped), *sources[] = {x, stopped};
    pod_error error = {0};
    ASSERT_OK(pod_graph_gradient(f.graph, y, NULL, sources, 2, gradients, &error));
    ASSERT(!gradients[0] && gradients[1]);
    tear_down(&f);
}

TEST(ops_without_a_gradient_are_refused_by_name_and_line)
{
    fixture f = set_up();
    pod_node *x = vector(&f, POD_F32, 3), *gradient;
    pod_attributes attributes = {.dtype = POD_F32};
    pod_node *y = pod_graph_apply(f.graph, POD_OP_BITCAST, &x, 1, &attributes, NULL, 0);
    pod_error error = {0};
    ASSERT_FAILS(POD_ERROR_UNSUPPORTED, "gradient of bitcast",
                 pod_graph_gradient(f.graph, y, NULL, &x, 1, &gradient, &error));
    ASSERT_CONTAINS("stop_gradient", error.message);
    ASSERT_CONTAINS("(model.lua:12)", error.message);
    ASSERT(!gradient);
    ASSERT_EQ(POD_OK, pod_graph_check(f.graph, NULL));
    tear_down(&f);
}

TEST(a_product_over_replicas_is_refused)
{
    fixture f = set_up();
    pod_node *x = vector(&f, POD_F32, 3), *gradient;
    pod_attributes attributes = {.reduction = POD_REDUCE_PRODUCT};
    pod_node *y = pod_graph_apply(f.graph, POD_OP_ALL_REDUCE, &x, 1, &attributes, NULL, 0);
    pod_error error = {0};
    ASSERT_FAILS(POD_ERROR_UNSUPPORTED, "logarithms", pod_graph_gradient(f.graph, y, NULL, &x, 1, &gradient, &error));
    tear_down(&f);
}

/* state x -> x * x while x < 10 */
static pod_node *squares(fixture *f, pod_node *x, int64_t count)
{
    pod_graph *regions[2];
    pod_node *state[2];
    for (int r = 0; r < 2; r++) {
        if (pod_graph_new(f->context, "region", &regions[r], &f->error) != POD_OK)
            FAIL("%s", f->error.message);
        state[r] = pod_graph_parameter(regions[r], POD_F64, &(pod_shape){0}, NULL);
    }
    pod_graph_add_output(regions[0], pod_graph_compare(regions[0], POD_COMPARE_LT, state[0],
                                                       pod_graph_number_like(regions[0], state[0], 10)));
    pod_graph_add_output(regions[1], pod_graph_multiply(regions[1], state[1], state[1]));
    pod_attributes attributes = {.count = count};
    return pod_graph_apply(f->graph, POD_OP_WHILE, &x, 1, &attributes, regions, 2);
}

TEST(a_loop_without_count_is_refused)
{
    fixture f = set_up();
    pod_node *x = pod_graph_parameter(f.graph, POD_F64, &(pod_shape){0}, NULL), *gradient;
    pod_node *y = squares(&f, x, 0);
    pod_error error = {0};
    ASSERT_FAILS(POD_ERROR_UNSUPPORTED, "give the loop its count",
                 pod_graph_gradient(f.graph, y, NULL, &x, 1, &gradient, &error));
    ASSERT_CONTAINS("(model.lua:12)", error.message);
    tear_down(&f);
}

/* 2 -> 4 -> 16: x^4, whose slope at 2 is 32; the loop stops before its count. */
TEST(a_loop_may_stop_before_its_count)
{
    fixture f = set_up();
    pod_node *x = pod_graph_parameter(f.graph, POD_F64, &(pod_shape){0}, NULL);
    expect_values(&f, gradient_of(&f, squares(&f, x, 7), NULL, x), (double[]){2}, (double[]){32});
    tear_down(&f);
}

TEST(a_loop_that_does_not_run_hands_the_gradient_on)
{
    fixture f = set_up();
    pod_node *x = pod_graph_parameter(f.graph, POD_F64, &(pod_shape){0}, NULL);
    expect_values(&f, gradient_of(&f, squares(&f, x, 7), NULL, x), (double[]){11}, (double[]){1});
    tear_down(&f);
}

TEST(requests_that_make_no_sense_are_refused)
{
    fixture f = set_up();
    pod_node *x = vector(&f, POD_F32, 3), *i = vector(&f, POD_S32, 3), *gradient;
    pod_error error = {0};
    ASSERT_FAILS(POD_ERROR_DTYPE, "must be a float", pod_graph_gradient(f.graph, i, NULL, &x, 1, &gradient, &error));
    ASSERT_FAILS(POD_ERROR_SHAPE, "the seed is int32 (3,), but the target is float32 (3,)",
                 pod_graph_gradient(f.graph, x, i, &x, 1, &gradient, &error));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "is not a node of graph 'test'",
                 pod_graph_gradient(f.graph, NULL, NULL, &x, 1, &gradient, &error));
    pod_graph_add(f.graph, x, i);
    ASSERT_FAILS(POD_ERROR_DTYPE, "add: operands 0 and 1",
                 pod_graph_gradient(f.graph, x, NULL, &x, 1, &gradient, &error));
    tear_down(&f);
}

/* ---- 16 bits --------------------------------------------------------------------------------- */

/* The gradient of f32 weights that are used as bf16 comes from products that give f32. */
TEST(cotangents_of_narrowed_weights_are_summed_wide)
{
    fixture f = set_up();
    pod_node *x = pod_graph_parameter(f.graph, POD_BF16, &(pod_shape){2, {8, 4}}, "x");
    pod_node *w = pod_graph_parameter(f.graph, POD_F32, &(pod_shape){2, {4, 2}}, "w");
    pod_node *b = pod_graph_parameter(f.graph, POD_F32, &(pod_shape){1, {2}}, "b");
    pod_node *y = pod_graph_matmul(f.graph, x, pod_graph_convert(f.graph, w, POD_BF16));
    y = pod_graph_tanh(f.graph, pod_graph_add(f.graph, y, pod_graph_convert(f.graph, b, POD_BF16)));
    pod_node *sources[] = {w, b}, *gradients[2];
    pod_error error = {0};
    ASSERT_OK(pod_graph_gradient(f.graph, y, NULL, sources, 2, gradients, &error));
    const pod_node *product = without_rows(gradients[0]);
    ASSERT_EQ(POD_OP_DOT, product->op);
    ASSERT_EQ(POD_F32, pod_node_dtype(product, 0));
    ASSERT_EQ(POD_BF16, pod_node_dtype(product->inputs[0], 0));
    ASSERT_EQ(POD_OP_REDUCE_SUM, without_rows(gradients[1])->op);
    ASSERT_EQ(POD_F32, pod_node_dtype(gradients[1], 0));
    tear_down(&f);
}

TEST(cotangents_have_the_type_of_their_values)
{
    fixture f = set_up();
    pod_node *a = pod_graph_parameter(f.graph, POD_BF16, &(pod_shape){2, {2, 3}}, NULL);
    pod_node *b = pod_graph_parameter(f.graph, POD_BF16, &(pod_shape){2, {3, 4}}, NULL);
    pod_attributes lists = {.lhs_contract = {1, {1}}, .rhs_contract = {1, {0}}, .dtype = POD_F32};
    pod_node *y = pod_graph_dot(f.graph, a, b, &lists);
    pod_node *sum = pod_graph_sum_axes(f.graph, a, &(pod_axes){1, {0}}, POD_F32);
    ASSERT_EQ(POD_BF16, pod_node_dtype(gradient_of(&f, y, NULL, a), 0));
    ASSERT_EQ(POD_BF16, pod_node_dtype(gradient_of(&f, y, NULL, b), 0));
    ASSERT_EQ(POD_BF16, pod_node_dtype(gradient_of(&f, sum, NULL, a), 0));
    tear_down(&f);
}

/* ---- collectives ----------------------------------------------------------------------------- */

static const pod_node *collective_gradient(fixture *f, pod_op op, const pod_attributes *attributes)
{
    pod_node *x = pod_graph_parameter(f->graph, POD_F32, &(pod_shape){2, {8, 4}}, NULL);
    return without_rows(gradient_of(f, pod_graph_apply(f->graph, op, &x, 1, attributes, NULL, 0), NULL, x));
}

TEST(collectives_have_collectives_as_gradients)
{
    fixture f = set_up();
    static const int32_t pairs[] = {0, 1, 1, 2};
    const pod_node *g;
    g = collective_gradient(&f, POD_OP_ALL_REDUCE, &(pod_attributes){.reduction = POD_REDUCE_SUM});
    ASSERT(g->op == POD_OP_ALL_REDUCE && g->attributes->reduction == POD_REDUCE_SUM);
    g = collective_gradient(&f, POD_OP_ALL_REDUCE, &(pod_attributes){.reduction = POD_REDUCE_MEAN});
    ASSERT(g->op == POD_OP_ALL_REDUCE && g->attributes->reduction == POD_REDUCE_MEAN);
    g = collective_gradient(&f, POD_OP_ALL_REDUCE, &(pod_attributes){.reduction = POD_REDUCE_MAX});
    ASSERT_EQ(POD_OP_MULTIPLY, g->op);
    g = collective_gradient(&f, POD_OP_REDUCE_SCATTER, &(pod_attributes){.axis = 1, .count = 2});
    ASSERT(g->op == POD_OP_ALL_GATHER && g->attributes->axis == 1 && g->attributes->count == 2);
    g = collective_gradient(&f, POD_OP_ALL_GATHER, &(pod_attributes){.axis = 1, .count = 2});
    ASSERT(g->op == POD_OP_REDUCE_SCATTER && g->attributes->axis == 1 && g->attributes->count == 2);
    g = collective_gradient(&f, POD_OP_ALL_TO_ALL, &(pod_attributes){.axis = 0, .axes = {1, {1}}, .count = 2});
    ASSERT(g->op == POD_OP_ALL_TO_ALL && g->attributes->axis == 1 && g->attributes->axes.axes[0] == 0);
    g = collective_gradient(&f, POD_OP_COLLECTIVE_PERMUTE, &(pod_attributes){.count = 2, .data = pairs});
    const int32_t *turned = g->attributes->data;
    ASSERT(turned[0] == 1 && turned[1] == 0 && turned[2] == 2 && turned[3] == 1);
    tear_down(&f);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Region 1 says that the gradient of exp is 7 g, which nobody could derive. */
TEST(a_custom_gradient_is_taken_at_its_word)
{
    fixture f = set_up();
    pod_graph *regions[2];
    pod_shape shape = {1, {2}};
    pod_error error = {0};
    for (int r = 0; r < 2; r++)
        ASSERT_OK(pod_graph_new(f.context, "region", &regions[r], &error));
    pod_node *q = pod_graph_parameter(regions[0], POD_F64, &shape, NULL);
    pod_graph_add_output(regions[0], pod_graph_exp(regions[0], q));
    pod_graph_parameter(regions[1], POD_F64, &shape, NULL);
    pod_node *g = pod_graph_parameter(regions[1], POD_F64, &shape, NULL);
    pod_graph_add_output(regions[1], pod_graph_scale(regions[1], g, 7));
    pod_node *x = vector(&f, POD_F64, 2);
    pod_node *y = pod_graph_apply(f.graph, POD_OP_CALL, &x, 1, NULL, regions, 2);
    expect_values(&f, gradient_of(&f, y, NULL, x), (double[]){1, 2}, (double[]){7, 7});
    tear_down(&f);
}

/* The body is computed again behind barriers of its operands. */
TEST(a_rematerialised_body_stands_behind_barriers)
{
    fixture f = set_up();
    pod_graph *body;
    pod_error error = {0};
    ASSERT_OK(pod_graph_new(f.context, "body", &body, &error));
    pod_node *q = pod_graph_parameter(body, POD_F64, &(pod_shape){1, {2}}, NULL);
    pod_graph_add_output(body, pod_graph_exp(body, q));
    pod_node *x = vector(&f, POD_F64, 2);
    pod_attributes attributes = {.name = "remat"};
    pod_node *y = pod_graph_apply(f.graph, POD_OP_CALL, &x, 1, &attributes, &body, 1);
    const pod_node *g = without_rows(gradient_of(&f, y, NULL, x));
    ASSERT_EQ(POD_OP_MULTIPLY, g->op);
    ASSERT_EQ(POD_OP_EXP, g->inputs[1]->op);
    ASSERT_EQ(POD_OP_BARRIER, g->inputs[1]->inputs[0]->op);
    ASSERT(g->inputs[1]->inputs[0]->inputs[0] == x);
    tear_down(&f);
}

/* ---- size ------------------------------------------------------------------------------------ */

TEST(a_chain_of_a_hundred_thousand_nodes_is_differentiated)
{
    fixture f = set_up();
    pod_node *x = vector(&f, POD_F32, 2), *y = x;
    for (int i = 0; i < 100000; i++)
        y = pod_graph_sin(f.graph, y);
    ASSERT(gradient_of(&f, y, NULL, x));
    tear_down(&f);
}

static pod_status build_all(pod_context *context, pod_error *error)
{
    pod_graph *graph, *body;
    pod_node *gradients[2];
    pod_status status = pod_graph_new(context, "step", &graph, error);
    if (status != POD_OK)
        return status;
    status = pod_graph_new(context, "body", &body, error);
    if (status != POD_OK) {
        pod_graph_free(graph);
        return status;
    }
    pod_node *q = pod_graph_parameter(body, POD_F32, &(pod_shape){2, {4, 2}}, NULL);
    pod_graph_add_output(body, pod_graph_tanh(body, q));
    pod_node *x = pod_graph_parameter(graph, POD_F32, &(pod_shape){2, {4, 3}}, "x");
    pod_node *w = pod_graph_parameter(graph, POD_F32, &(pod_shape){2, {3, 2}}, "w");
    pod_node *y = pod_graph_matmul(graph, x, w);
    y = pod_graph_apply(graph, POD_OP_CALL, &y, 1, NULL, &body, 1);
    pod_attributes axis = {.axis = -1};
    y = pod_graph_composite(graph, "softmax", &y, 1, &axis);
    pod_node *sources[] = {x, w};
    status = pod_graph_gradient(graph, y, NULL, sources, 2, gradients, error);
    pod_graph_free(graph);
    return status;
}

TEST(every_allocation_of_a_gradient_may_fail)
{
    pod_arenas_apart = true;
    every_allocation_may_fail(build_all);
    pod_arenas_apart = false;
}

TEST_MAIN(RUN(equal_operands_of_maximum_get_half_each); RUN(relu_has_no_slope_at_zero);
          RUN(equal_maxima_share_the_gradient); RUN(products_with_zeros_have_their_gradient);
          RUN(power_has_a_slope_at_zero); RUN(updates_that_lose_a_scatter_get_no_gradient);
          RUN(the_seed_is_the_gradient_from_above); RUN(sources_may_be_in_between_and_come_twice);
          RUN(what_does_not_depend_on_a_source_has_no_gradient); RUN(a_stopped_value_may_be_a_source);
          RUN(ops_without_a_gradient_are_refused_by_name_and_line); RUN(a_product_over_replicas_is_refused);
          RUN(a_loop_without_count_is_refused); RUN(a_loop_may_stop_before_its_count);
          RUN(a_loop_that_does_not_run_hands_the_gradient_on); RUN(requests_that_make_no_sense_are_refused);
          RUN(cotangents_of_narrowed_weights_are_summed_wide); RUN(cotangents_have_the_type_of_their_values);
          RUN(collectives_have_collectives_as_gradients); RUN(a_custom_gradient_is_taken_at_its_word);
          RUN(a_rematerialised_body_stands_behind_barriers); RUN(a_chain_of_a_hundred_thousand_nodes_is_differentiated);
          RUN(every_allocation_of_a_gradient_may_fail))
