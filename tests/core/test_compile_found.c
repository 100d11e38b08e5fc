/* Programs that random programs found wrong, each named by what was: see found.h. */

#include "test.h"

#include "found.h"

/* A fold of rows times itself, reversed: the loop read it as it lies. */
FOUND(rows_that_are_folded_are_seen_reversed, 1)
{
    pod_node *x = pod_graph_parameter(g, POD_F32, &(pod_shape){2, {3, 2}}, "p");
    pod_node *least = pod_graph_reduce(g, "reduce_min", x, &(pod_axes){1, {1}}, false);
    pod_node *back = pod_graph_apply(g, POD_OP_REVERSE, &least, 1, &(pod_attributes){.axes = {1, {0}}}, NULL, 0);
    pod_graph_add_output(g, pod_graph_multiply(g, least, back));
    argument(f, POD_F32, &(pod_shape){2, {3, 2}}, (const double[]){1, 2, 4, 3, 5, 6});
}

/* Products and sums of narrow integers that leave their type, read by the loop that folds them. */
FOUND(folds_of_narrow_integers_wrap_where_they_are_read, 1)
{
    static const pod_dtype dtypes[] = {POD_U16, POD_S16, POD_U8, POD_S8};
    for (int i = 0; i < 8; i++) {
        const pod_dtype dtype = dtypes[i / 2];
        pod_node *x = pod_graph_parameter(g, dtype, &(pod_shape){2, {3, 17}}, "p");
        pod_node *fold = pod_graph_reduce(g, i % 2 ? "reduce_sum" : "reduce_product", x, &(pod_axes){1, {1}}, true);
        pod_node *rest = pod_graph_remainder(g, fold, pod_graph_scalar(g, dtype, 7, NULL));
        pod_graph_add_output(g, pod_graph_add(g, x, rest));
        pod_graph_add_output(g, rest);
        double elements[51];
        for (int j = 0; j < 51; j++)
            elements[j] = 20 + j * (i + 1) % 90;
        argument(f, dtype, &(pod_shape){2, {3, 17}}, elements);
    }
}

/* What is put between elements is cut off at the end: as many, but others. */
FOUND(a_pad_that_keeps_the_shape_moves_elements, 1)
{
    pod_node *x = pod_graph_parameter(g, POD_S32, &(pod_shape){2, {2, 3}}, "p");
    pod_node *zero = pod_graph_scalar(g, POD_S32, 0, NULL), *inputs[] = {x, zero};
    pod_graph_add_output(
        g, pod_graph_apply(g, POD_OP_PAD, inputs, 2, &(pod_attributes){.high = {-1, 0}, .step = {1, 0}}, NULL, 0));
    pod_graph_add_output(
        g, pod_graph_apply(g, POD_OP_PAD, inputs, 2, &(pod_attributes){.high = {0, -2}, .step = {0, 1}}, NULL, 0));
    argument(f, POD_S32, &(pod_shape){2, {2, 3}}, (const double[]){1, 2, 3, 4, 5, 6});
}

/* The largest of what is wider in the loop that made it, and its place in what was stored: no division by 0. */
FOUND(the_place_of_a_largest_16_bit_value_is_found_again, 1)
{
    enum { COUNT = 3000 };
    static double elements[COUNT];
    pod_node *x = pod_graph_parameter(g, POD_BF16, &(pod_shape){1, {COUNT}}, "p");
    pod_node *y = pod_graph_tanh(g, x), *wide = pod_graph_convert(g, y, POD_F32), *gradients[2];
    pod_node *most = pod_graph_reduce(g, "reduce_max", wide, NULL, false);
    pod_node *least = pod_graph_reduce(g, "reduce_min", y, NULL, false);
    pod_error error;
    ASSERT_OK(pod_graph_gradient(g, most, NULL, &x, 1, &gradients[0], &error));
    ASSERT_OK(pod_graph_gradient(g, least, NULL, &x, 1, &gradients[1], &error));
    for (int i = 0; i < 2; i++) {
        pod_node *zero = pod_graph_number_like(g, gradients[i], 0);
        pod_graph_add_output(g, pod_graph_compare(g, POD_COMPARE_GT, gradients[i], zero));
    }
    for (int i = 0; i < COUNT; i++)
        elements[i] = (i == 1234 ? 0.9 : i == 2345 ? -0.9 : 0.5) + (i % 7) * 0.01;
    argument(f, POD_BF16, &(pod_shape){1, {COUNT}}, elements);
}

/* An iota of one element a row, beside what a loop folds of its rows: there is no memory to load it from. */
FOUND(a_count_of_one_a_row_is_no_load, 1)
{
    pod_node *x = pod_graph_parameter(g, POD_S32, &(pod_shape){2, {4, 7}}, "p");
    pod_node *most = pod_graph_reduce(g, "reduce_max", x, &(pod_axes){1, {1}}, true);
    pod_node *least = pod_graph_minimum(g, most, pod_graph_scalar(g, POD_S32, 5, NULL));
    pod_graph_add_output(g, pod_graph_add(g, pod_graph_iota(g, POD_S32, &(pod_shape){2, {4, 1}}, 1), least));
    argument(f, POD_S32, &(pod_shape){2, {4, 7}}, (const double[28]){1, 2, 3, 4, 5, 6, 7, 3});
}

/* What 0 / 0 gives has its sign set on some CPUs, and is greater than all numbers to a pooling none the less. */
FOUND(no_number_is_lost_in_a_pooling, 1)
{
    const pod_shape shape = {4, {1, 4, 4, 3}};
    static const pod_dtype dtypes[] = {POD_F32, POD_BF16, POD_F16};
    for (int i = 0; i < 3; i++) {
        pod_node *x = pod_graph_parameter(g, dtypes[i], &shape, "p"), *y = pod_graph_divide(g, x, x), *gradient;
        pod_attributes a = {.window = {2, {2, 3}, {2, 1}, {0, 1}, {0, 1}}};
        pod_node *most = pod_graph_apply(g, POD_OP_POOL_MAX, &y, 1, &a, NULL, 0);
        pod_error error;
        ASSERT_OK(pod_graph_gradient(g, most, NULL, &y, 1, &gradient, &error));
        pod_graph_add_output(g, pod_graph_is_finite(g, most));
        pod_graph_add_output(g, gradient);
        double elements[48];
        for (int j = 0; j < 48; j++)
            elements[j] = j % 13 == 5 ? 0 : j % 5 + 1;
        argument(f, dtypes[i], &shape, elements);
    }
}

/* Scores so large that a last place of them is a large power: equal ones have equal shares. */
FOUND(attention_to_large_scores, 1)
{
    const pod_shape shape = {4, {1, 1, 6, 8}};
    pod_node *q = pod_graph_parameter(g, POD_F32, &shape, "p"), *k = pod_graph_parameter(g, POD_F32, &shape, "p");
    pod_node *v = pod_graph_parameter(g, POD_F32, &shape, "p"), *inputs[] = {q, k, v};
    pod_graph_add_output(g, pod_graph_composite(g, "attention", inputs, 3, &(pod_attributes){0}));
    double elements[3][48];
    for (int i = 0; i < 48; i++) {
        elements[0][i] = 12.0371;
        elements[1][i] = 8.580e9;
        elements[2][i] = i % 5;
    }
    for (int i = 0; i < 3; i++)
        argument(f, POD_F32, &shape, elements[i]);
}

/* A sum of bf16 need not be rounded, but is where it is cast to f32 and back. */
FOUND(a_cast_there_and_back_rounds_what_is_wider, 1)
{
    const pod_shape shape = {1, {2}};
    pod_node *a = pod_graph_parameter(g, POD_BF16, &shape, "p"), *b = pod_graph_parameter(g, POD_BF16, &shape, "p");
    pod_node *sum = pod_graph_convert(g, pod_graph_convert(g, pod_graph_add(g, a, b), POD_F32), POD_BF16);
    pod_graph_add_output(g,
                         pod_graph_subtract(g, pod_graph_convert(g, sum, POD_F32), pod_graph_convert(g, a, POD_F32)));
    argument(f, POD_BF16, &shape, (const double[]){256, 512});
    argument(f, POD_BF16, &shape, (const double[]){1.25, 1.75});
}

/* Scores so large that the power set off from the largest was off by hundreds: all shares were 0, and 0 / 0. */
FOUND(attention_of_large_scores_is_a_number, 1)
{
    pod_node *inputs[3];
    double elements[3][64];
    const pod_shape shapes[3] = {{4, {2, 1, 7, 2}}, {4, {2, 1, 8, 2}}, {4, {2, 1, 8, 4}}};
    for (int i = 0; i < 3; i++) {
        inputs[i] = pod_graph_parameter(g, POD_F32, &shapes[i], "p");
        for (int j = 0; j < 64; j++)
            elements[i][j] = i == 0 ? 0x1p+32 : i == 1 ? 0x1.7aee3ep-1 : j;
        argument(f, POD_F32, &shapes[i], elements[i]);
    }
    pod_node *y = pod_graph_composite(g, "attention", inputs, 3, &(pod_attributes){.flag = true}), *gradients[3];
    pod_error error;
    pod_graph_add_output(g, y);
    ASSERT_OK(pod_graph_gradient(g, y, NULL, inputs + 2, 1, gradients, &error));
    pod_graph_add_output(g, gradients[0]);
}

/* A comparison of what each row has one of, for all columns. */
FOUND(rows_of_a_fold_are_compared, 1)
{
    pod_node *x = pod_graph_parameter(g, POD_F32, &(pod_shape){2, {3, 33}}, "p");
    pod_node *y = pod_graph_parameter(g, POD_F32, &(pod_shape){2, {3, 1}}, "p");
    pod_node *sum = pod_graph_reduce(g, "reduce_sum", pod_graph_multiply(g, x, y), &(pod_axes){1, {1}}, true);
    pod_node *wide = pod_graph_broadcast_to(g, sum, &(pod_shape){2, {3, 33}});
    pod_graph_add_output(g, pod_graph_compare(g, POD_COMPARE_GT, wide, wide));
    double elements[99];
    for (int i = 0; i < 99; i++)
        elements[i] = i % 7 - 3;
    argument(f, POD_F32, &(pod_shape){2, {3, 33}}, elements);
    argument(f, POD_F32, &(pod_shape){2, {3, 1}}, elements);
}

/* The sum of whole numbers that sums of overlapping windows are cut to: what each window gives is cut later, not first.
 */
FOUND(sums_of_overlapping_windows_are_cut_as_sums, 1)
{
    const pod_attributes a = {.window = {1, {2}, {1}, {0}, {0}, {1}, 1}};
    pod_node *inputs[] = {pod_graph_parameter(g, POD_F32, &(pod_shape){3, {1, 3, 1}}, "x"),
                          pod_graph_parameter(g, POD_F32, &(pod_shape){3, {1, 2, 1}}, "g")};
    pod_node *places = pod_graph_apply(g, POD_OP_POOL_MAX_GRADIENT, inputs, 2, &a, NULL, 0);
    for (int i = 0; i < 2; i++) {
        pod_node *numbers = pod_graph_convert(g, places, i ? POD_BOOL : POD_S32);
        pod_node *counts = pod_graph_convert(g, numbers, POD_S32);
        pod_graph_add_output(g, pod_graph_reduce(g, "reduce_sum", counts, &(pod_axes){2, {0, 1}}, false));
    }
    argument(f, POD_F32, &(pod_shape){3, {1, 3, 1}}, (const double[]){0, 5, 0});
    argument(f, POD_F32, &(pod_shape){3, {1, 2, 1}}, (const double[]){0.5, 0.75});
}

/* The gradient of a pooling of nothing, whose windows lie in padding alone: what they give goes nowhere. */
FOUND(windows_that_see_no_place_give_nothing, 1)
{
    const pod_attributes a = {.window = {1, {3}, {1}, {2}, {2}, {1}, 1}};
    pod_node *inputs[] = {pod_graph_parameter(g, POD_U16, &(pod_shape){3, {1, 0, 1}}, "x"),
                          pod_graph_parameter(g, POD_U16, &(pod_shape){3, {1, 2, 1}}, "g")};
    pod_node *places = pod_graph_apply(g, POD_OP_POOL_MAX_GRADIENT, inputs, 2, &a, NULL, 0);
    pod_graph_add_output(g, pod_graph_reduce(g, "reduce_sum", places, &(pod_axes){3, {0, 1, 2}}, false));
    argument(f, POD_U16, &(pod_shape){3, {1, 0, 1}}, (const double[]){0});
    argument(f, POD_U16, &(pod_shape){3, {1, 2, 1}}, (const double[]){6, 2});
}

TEST_MAIN(RUN(windows_that_see_no_place_give_nothing); RUN(sums_of_overlapping_windows_are_cut_as_sums);
          RUN(rows_that_are_folded_are_seen_reversed); RUN(folds_of_narrow_integers_wrap_where_they_are_read);
          RUN(a_pad_that_keeps_the_shape_moves_elements); RUN(the_place_of_a_largest_16_bit_value_is_found_again);
          RUN(a_count_of_one_a_row_is_no_load); RUN(no_number_is_lost_in_a_pooling); RUN(attention_to_large_scores);
          RUN(attention_of_large_scores_is_a_number); RUN(rows_of_a_fold_are_compared);
          RUN(a_cast_there_and_back_rounds_what_is_wider))
