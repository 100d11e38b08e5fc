/* Values that several steps and several loops read: each finds them where they are. */

#include "program/compiled.h"
#include "graph_setup.h"

static void check(setup *s, const char *what, double tolerance)
{
    ASSERT_OK(pod_graph_check(s->graph, &error));
    check_against_oracle(s->context, s->graph, s->arguments, what, tolerance);
    setup_free(s);
}

/* What is the same along a row is read by rows where that can be, and by blocks elsewhere: here by two steps, of
 * each of which it
 * is any operand. */
TEST(row_values_are_every_operand)
{
    enum { PARTS = 7 };
    for (int i = 0; i < PARTS; i++)
        for (int j = 0; j <= i; j++) {
            setup s = setup_new("registers");
            pod_graph *g = s.graph;
            const pod_shape shape = {2, {40, 48}};
            pod_node *x = parameter(&s, POD_F32, &shape), *zero = pod_graph_scalar(g, POD_F32, 0, NULL);
            pod_node *sum = pod_graph_reduce(g, "reduce_sum", x, &(pod_axes){1, {1}}, true);
            pod_node *row = pod_graph_broadcast_to(g, pod_graph_tanh(g, sum), &shape);
            pod_node *positive = pod_graph_compare(g, POD_COMPARE_GT, x, zero);
            pod_node *above = pod_graph_add(g, x, pod_graph_scalar(g, POD_F32, 3, NULL));
            pod_node *parts[PARTS] = {pod_graph_add(g, x, row),
                                      pod_graph_subtract(g, row, x),
                                      pod_graph_select(g, positive, x, row),
                                      pod_graph_select(g, positive, row, x),
                                      pod_graph_multiply(g, row, x),
                                      pod_graph_divide(g, x, row),
                                      pod_graph_divide(g, row, above)};
            pod_graph_add_output(g, pod_graph_add(g, parts[i], pod_graph_tanh(g, parts[j])));
            check(&s, "two operands", 0x1p-12);
        }
}

/* All three results of Adam, in the loop that makes them, in one that waits for their sum, and as results. */
TEST(results_of_adam_are_read_in_later_loops)
{
    for (int later = 0; later < 3; later++) {
        setup s = setup_new("registers");
        pod_graph *g = s.graph;
        const pod_shape shape = {2, {64, 48}};
        pod_node *parts[5];
        for (int i = 0; i < 4; i++)
            parts[i] = parameter(&s, POD_F32, &shape);
        for (int64_t i = 0; i < 64 * 48; i++) /* squares are not negative */
            ((float *)s.arguments[2].data)[i] = fabsf(((float *)s.arguments[2].data)[i]);
        parts[4] = pod_graph_scalar(g, POD_F32, 0.01, NULL);
        pod_node *update = pod_graph_composite(g, "adam", parts, 5, &(pod_attributes){.values = {0.9, 0.999, 1e-3}});
        pod_node *made = pod_graph_result(g, update, (size_t)later);
        pod_node *sum = pod_graph_reduce(g, "reduce_sum", made, NULL, false);
        pod_graph_add_output(g, pod_graph_multiply(g, made, pod_graph_tanh(g, sum)));
        for (int i = 0; i < 3; i++)
            if (i != later)
                pod_graph_add_output(g, pod_graph_result(g, update, (size_t)i));
        check(&s, "results of Adam", 0x1p-10);
    }
}

/* Products of many columns, of which a tile has some: biased, what is kept before the activation, and added to. */
TEST(finished_products_have_any_columns)
{
    static const int64_t widths[] = {32, 144, 528, 1040};
    const pod_dtype types[] = {POD_F32, POD_BF16};
    for (size_t i = 0; i < 2 * sizeof widths / sizeof *widths; i++)
        for (int kind = 0; kind < 4; kind++) {
            const pod_dtype dtype = types[i % 2];
            const int64_t width = widths[i / 2];
            setup s = setup_new("registers");
            pod_graph *g = s.graph;
            pod_node *x = parameter(&s, dtype, &(pod_shape){2, {70, 40}});
            pod_node *w = parameter(&s, dtype, &(pod_shape){2, {40, width}});
            pod_node *bias = parameter(&s, dtype, &(pod_shape){1, {width}});
            pod_node *more = parameter(&s, dtype, &(pod_shape){2, {70, width}});
            pod_node *y = pod_graph_add(g, pod_graph_matmul(g, x, w), bias);
            if (kind == 1)
                y = pod_graph_add(g, y, more);
            if (kind == 3) /* the gradient of a relu, and the bias's */
                y = pod_graph_select(g, pod_graph_compare(g, POD_COMPARE_GT, more, pod_graph_scalar(g, dtype, 0, NULL)),
                                     y, pod_graph_scalar(g, dtype, 0, NULL));
            if (kind == 2)
                pod_graph_add_output(g, y);
            pod_node *made = kind == 3 ? y : pod_graph_composite(g, kind == 2 ? "gelu" : "relu", &y, 1, NULL);
            pod_graph_add_output(g, made);
            pod_graph_add_output(
                g, pod_graph_reduce(g, "reduce_sum", pod_graph_convert(g, made, POD_F32), &(pod_axes){1, {0}}, false));
            check(&s, "a finished product", dtype == POD_F32 ? 0x1p-10 : 0x1p-4);
        }
}

/* As many columns, scaled and shifted as a normalisation by known statistics does: biased before, added to behind, not
 * negative, and at most a bound; and two that only look like that: a bound that is not the one that is chosen, and one
 * that is negative. */
TEST(products_are_scaled_and_bounded)
{
    static const int64_t widths[] = {24, 48, 144, 1040};
    const pod_dtype types[] = {POD_F32, POD_BF16};
    for (size_t i = 0; i < 2 * sizeof widths / sizeof *widths; i++)
        for (int kind = 0; kind < 6; kind++) {
            const pod_dtype dtype = types[i % 2];
            const int64_t width = widths[i / 2];
            setup s = setup_new("registers");
            pod_graph *g = s.graph;
            pod_node *x = parameter(&s, dtype, &(pod_shape){2, {70, 40}});
            pod_node *w = parameter(&s, dtype, &(pod_shape){2, {40, width}});
            pod_node *columns[3];
            for (int j = 0; j < 3; j++)
                columns[j] = parameter(&s, dtype, &(pod_shape){1, {width}});
            pod_node *more = parameter(&s, dtype, &(pod_shape){2, {70, width}});
            pod_node *y = pod_graph_matmul(g, x, w);
            if (kind == 1 || kind == 2)
                y = pod_graph_add(g, y, columns[0]);
            y = pod_graph_add(g, pod_graph_multiply(g, y, columns[1]), columns[2]);
            if (kind == 2 || kind == 3)
                y = pod_graph_add(g, more, y);
            pod_node *positive = pod_graph_composite(g, "relu", &y, 1, NULL);
            pod_node *bound = pod_graph_scalar(g, dtype, kind == 5 ? -1 : 1.5, NULL);
            pod_node *chosen = pod_graph_scalar(g, dtype, kind == 4 ? 1 : kind == 5 ? -1 : 1.5, NULL);
            pod_node *bounded = pod_graph_select(g, pod_graph_compare(g, POD_COMPARE_GE, y, bound),
                                                 pod_graph_broadcast_to(g, chosen, pod_node_shape(y, 0)), positive);
            pod_graph_add_output(g, kind == 1 || kind == 3 ? positive : bounded);
            check(&s, "a scaled product", dtype == POD_F32 ? 0x1p-10 : 0x1p-4);
        }
}

TEST_MAIN(RUN(products_are_scaled_and_bounded); RUN(row_values_are_every_operand);
          RUN(results_of_adam_are_read_in_later_loops); RUN(finished_products_have_any_columns))
