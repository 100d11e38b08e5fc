/*
 * Builders with NumPy's broadcasting: shapes, and values through the reference kernels.
 */

#include "evaluate.h"
#include "graph/build.h"
#include "test.h"

static pod_context *context;
static pod_graph *graph;
static pod_error error;

static void set_up(void)
{
    context = test_context(&(pod_context_options){.threads = 1});
    ASSERT_OK(pod_graph_new(context, "test", &graph, &error));
}

static void tear_down(void)
{
    pod_graph_free(graph);
    pod_context_release(context);
}

/* A constant that counts up from 1. */
static pod_node *counting(pod_shape shape)
{
    double values[64];
    for (int i = 0; i < 64; i++)
        values[i] = i + 1;
    return pod_graph_constant(graph, POD_F64, &shape, values);
}

static void expect_shape(const pod_node *node, pod_shape shape)
{
    char have[POD_SHAPE_TEXT_SIZE], want[POD_SHAPE_TEXT_SIZE];
    ASSERT_OK(pod_graph_check(graph, &error));
    ASSERT_TEXT(pod_shape_format(&shape, want), pod_shape_format(pod_node_shape(node, 0), have));
}

/* Computes a node without parameters, of type f64. */
static void expect_values(pod_node *node, pod_shape shape, const double *expected)
{
    pod_array output;
    pod_graph *copy;
    expect_shape(node, shape);
    ASSERT_OK(pod_graph_verify(graph, &error));
    copy = pod_graph_copy(graph, &error);
    pod_graph_add_output(copy, pod_graph_get_node(copy, node->id));
    ASSERT_OK(evaluate_graph(copy, NULL, &output, &error));
    for (int64_t i = 0; i < pod_shape_elements(&shape); i++)
        ASSERT_NEAR(expected[i], ((double *)output.data)[i], 1e-14, 1e-14);
    evaluate_free(&output, 1);
    pod_graph_free(copy);
}

#define SHAPE(...) ((pod_shape){__VA_ARGS__})

TEST(operands_broadcast)
{
    set_up();
    pod_node *column = counting(SHAPE(2, {2, 1})), *row = counting(SHAPE(1, {3}));
    expect_values(pod_graph_add(graph, column, row), SHAPE(2, {2, 3}), (double[]){2, 3, 4, 3, 4, 5});
    expect_shape(pod_graph_compare(graph, POD_COMPARE_LT, column, row), SHAPE(2, {2, 3}));
    pod_node *more = pod_graph_compare(graph, POD_COMPARE_GT, column, pod_graph_number_like(graph, row, 1));
    expect_values(pod_graph_select(graph, more, row, pod_graph_number_like(graph, row, 9)), SHAPE(2, {2, 3}),
                  (double[]){9, 9, 9, 1, 2, 3});
    pod_node *none = pod_graph_scalar(graph, POD_F64, 1, &SHAPE(2, {0, 1}));
    expect_shape(pod_graph_multiply(graph, none, row), SHAPE(2, {0, 3}));
    tear_down();
}

TEST(what_changes_nothing_adds_no_node)
{
    set_up();
    pod_node *x = counting(SHAPE(2, {2, 3}));
    ASSERT(pod_graph_convert(graph, x, POD_F64) == x);
    ASSERT(pod_graph_reshape(graph, x, &SHAPE(2, {2, -1})) == x);
    ASSERT(pod_graph_broadcast_to(graph, x, &SHAPE(2, {2, 3})) == x);
    ASSERT(pod_graph_transpose(graph, x, &(pod_axes){2, {0, 1}}) == x);
    ASSERT(pod_graph_result(graph, x, 0) == x);
    ASSERT_EQ(1, pod_graph_node_count(graph));
    tear_down();
}

TEST(one_size_of_a_reshape_may_be_open)
{
    set_up();
    pod_node *x = counting(SHAPE(3, {2, 3, 4}));
    expect_shape(pod_graph_reshape(graph, x, &SHAPE(2, {-1, 6})), SHAPE(2, {4, 6}));
    expect_shape(pod_graph_reshape(graph, x, &SHAPE(1, {-1})), SHAPE(1, {24}));
    pod_graph_reshape(graph, x, &SHAPE(2, {-1, -1}));
    ASSERT_FAILS(POD_ERROR_SHAPE, "one size may be -1", pod_graph_check(graph, &error));
    tear_down();
}

TEST(axes_are_reversed_by_default)
{
    set_up();
    expect_values(pod_graph_transpose(graph, counting(SHAPE(2, {2, 3})), NULL), SHAPE(2, {3, 2}),
                  (double[]){1, 4, 2, 5, 3, 6});
    tear_down();
}

TEST(reductions_take_axes_from_both_ends_and_keep_them)
{
    set_up();
    pod_node *x = counting(SHAPE(2, {2, 3}));
    expect_values(pod_graph_reduce(graph, "reduce_sum", x, &(pod_axes){1, {-1}}, true), SHAPE(2, {2, 1}),
                  (double[]){6, 15});
    expect_values(pod_graph_reduce(graph, "reduce_max", x, &(pod_axes){2, {1, 0}}, false), SHAPE(0), (double[]){6});
    expect_values(pod_graph_reduce(graph, "reduce_sum", x, NULL, true), SHAPE(2, {1, 1}), (double[]){21});
    tear_down();
}

TEST(means_divide_by_the_true_number)
{
    set_up();
    pod_node *x = counting(SHAPE(2, {2, 3}));
    pod_node *mean = pod_graph_mean(graph, x, &(pod_axes){1, {0}}, true);
    expect_values(mean, SHAPE(2, {1, 3}), (double[]){2.5, 3.5, 4.5});
    expect_values(pod_graph_mean(graph, x, NULL, false), SHAPE(0), (double[]){3.5});
    bool asked = false;
    for (uint32_t i = 0; i < graph->node_count; i++)
        asked |= graph->nodes[i]->op == POD_OP_DIMENSION_SIZE;
    ASSERT(asked);
    pod_node *narrow = pod_graph_convert(graph, x, POD_BF16);
    ASSERT_EQ(POD_BF16, pod_node_dtype(pod_graph_mean(graph, narrow, NULL, false), 0));
    tear_down();
}

TEST(matrices_multiply_as_in_numpy)
{
    set_up();
    pod_node *v = counting(SHAPE(1, {2})), *m = counting(SHAPE(2, {2, 2}));
    pod_node *t = counting(SHAPE(3, {2, 2, 2}));
    expect_values(pod_graph_matmul(graph, v, v), SHAPE(0), (double[]){5});
    expect_values(pod_graph_matmul(graph, m, v), SHAPE(1, {2}), (double[]){5, 11});
    expect_values(pod_graph_matmul(graph, v, m), SHAPE(1, {2}), (double[]){7, 10});
    expect_values(pod_graph_matmul(graph, m, m), SHAPE(2, {2, 2}), (double[]){7, 10, 15, 22});
    expect_values(pod_graph_matmul(graph, t, m), SHAPE(3, {2, 2, 2}), (double[]){7, 10, 15, 22, 23, 34, 31, 46});
    expect_values(pod_graph_matmul(graph, m, t), SHAPE(3, {2, 2, 2}), (double[]){7, 10, 15, 22, 19, 22, 43, 50});
    expect_values(pod_graph_matmul(graph, v, t), SHAPE(2, {2, 2}), (double[]){7, 10, 19, 22});
    expect_values(pod_graph_matmul(graph, t, v), SHAPE(2, {2, 2}), (double[]){5, 11, 17, 23});
    expect_values(pod_graph_matmul(graph, t, t), SHAPE(3, {2, 2, 2}), (double[]){7, 10, 15, 22, 67, 78, 91, 106});
    expect_shape(pod_graph_matmul(graph, counting(SHAPE(4, {3, 1, 2, 2})), t), SHAPE(4, {3, 2, 2, 2}));
    expect_shape(pod_graph_matmul(graph, counting(SHAPE(4, {2, 1, 3, 4})), counting(SHAPE(2, {4, 5}))),
                 SHAPE(4, {2, 1, 3, 5}));
    tear_down();
}

TEST(matrices_that_do_not_fit_are_refused)
{
    set_up();
    pod_node *a = counting(SHAPE(3, {2, 2, 2})), *b = counting(SHAPE(3, {3, 2, 2}));
    pod_graph_matmul(graph, a, b);
    ASSERT_FAILS(POD_ERROR_SHAPE, "matmul: the leading axes of (2, 2, 2) and (3, 2, 2) do not broadcast",
                 pod_graph_check(graph, &error));
    pod_graph_clear_error(graph);
    pod_graph_matmul(graph, a, pod_graph_scalar(graph, POD_F64, 1, NULL));
    ASSERT_FAILS(POD_ERROR_SHAPE, "matmul: a scalar is no matrix", pod_graph_check(graph, &error));
    tear_down();
}

TEST(constants_are_one_element_where_that_is_enough)
{
    double value;
    set_up();
    const pod_node *ones = pod_graph_scalar(graph, POD_F16, 1.5, &SHAPE(2, {100000, 100000}));
    ASSERT(pod_node_is_splat(ones, &value));
    ASSERT_NUMBER(1.5, value);
    ASSERT(pod_context_memory(context).current_bytes < 1000000);
    ASSERT(!pod_node_is_splat(counting(SHAPE(1, {2})), &value));
    ASSERT(pod_node_is_splat(counting(SHAPE(2, {1, 1})), &value));
    expect_shape(pod_graph_constant(graph, POD_F32, &SHAPE(1, {0}), NULL), SHAPE(1, {0}));
    tear_down();
}

/* Sums of what is padded and of sizes stay below 63 bits, in all that is made of the op. */
TEST(extremes_of_int64_are_refused_or_harmless)
{
    static const int64_t amounts[][2] = {{INT64_MIN, INT64_MAX},
                                         {-INT64_MAX, INT64_MAX},
                                         {INT64_MAX, INT64_MIN},
                                         {INT64_MAX, INT64_MAX},
                                         {0, INT64_MIN}};
    for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++) {
        set_up();
        pod_node *inputs[2] = {counting(SHAPE(1, {6})), pod_graph_scalar(graph, POD_F64, 0, NULL)};
        const pod_attributes pad = {.low = {amounts[i][0]}, .high = {amounts[i][1]}};
        pod_graph_apply(graph, POD_OP_PAD, inputs, 2, &pad, NULL, 0);
        ASSERT_EQ(POD_ERROR_SHAPE, pod_graph_check(graph, &error));
        ASSERT_CONTAINS("at most 2^48 are possible", error.message);
        tear_down();
    }
    set_up(); /* a step beyond the end takes one element, whatever its size */
    const pod_attributes slice = {.low = {1}, .high = {6}, .step = {INT64_MAX}};
    pod_node *x = counting(SHAPE(1, {6}));
    expect_values(pod_graph_apply(graph, POD_OP_SLICE, &x, 1, &slice, NULL, 0), SHAPE(1, {1}), (double[]){2});
    tear_down();
}

TEST_MAIN(RUN(operands_broadcast); RUN(extremes_of_int64_are_refused_or_harmless);
          RUN(what_changes_nothing_adds_no_node); RUN(one_size_of_a_reshape_may_be_open);
          RUN(axes_are_reversed_by_default); RUN(reductions_take_axes_from_both_ends_and_keep_them);
          RUN(means_divide_by_the_true_number); RUN(matrices_multiply_as_in_numpy);
          RUN(matrices_that_do_not_fit_are_refused); RUN(constants_are_one_element_where_that_is_enough))
