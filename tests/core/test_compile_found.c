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

/* A sum of bf16 need not be rounded, but is where it is cast to f32 and back. */
FOUND(a_cast_there_and_back_rounds_what_is_wider, 1)
{
    const pod_shape shape = {1, {2}};
    pod_node *a = pod_graph_parameter(g, POD_BF16, &shape, "p"), *b = pod_graph_parameter(g, POD_BF16, &shape, "p");
    pod_node *sum = pod_graph_convert(g, pod_graph_convert(g, pod_graph_add(g, a, b), POD_F32), POD_BF16);
    pod_graph_add_output(g, pod_graph_subtract(g, pod_graph_convert(g, sum, POD_F32), pod_graph_convert(g, a, POD_F32)));
    argument(f, POD_BF16, &shape, (const double[]){256, 512});
    argument(f, POD_BF16, &shape, (const double[]){1.25, 1.75});
}

TEST_MAIN(RUN(rows_that_are_folded_are_seen_reversed); RUN(folds_of_narrow_integers_wrap_where_they_are_read);
          RUN(a_cast_there_and_back_rounds_what_is_wider))
