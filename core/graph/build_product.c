#include "graph/build.h"

/* Matrix products as NumPy has them. */

pod_node *pod_graph_dot(pod_graph *graph, pod_node *a, pod_node *b, const pod_attributes *lists)
{
    return pod_graph_apply(graph, POD_OP_DOT, (pod_node *[]){a, b}, 2, lists, NULL, 0);
}

static pod_axes one_axis(int32_t axis)
{
    return (pod_axes){.count = 1, .axes = {axis}};
}

/* [..., m, k] times [k, n], or vectors in place of one of them: one product, no batch. */
static pod_node *multiply_flat(pod_graph *graph, pod_node *a, pod_node *b)
{
    pod_attributes lists = {.lhs_contract = one_axis(a->results[0].shape.rank - 1), .rhs_contract = one_axis(0)};
    return pod_graph_dot(graph, a, b, &lists);
}

/* [k] or [m, k] times [..., k, n]: a's free axis comes first in the product, and then has to go
 * behind b's leading axes. */
static pod_node *multiply_leading(pod_graph *graph, pod_node *a, pod_node *b)
{
    int32_t rank_a = a->results[0].shape.rank, rank_b = b->results[0].shape.rank;
    pod_attributes lists = {.lhs_contract = one_axis(rank_a - 1), .rhs_contract = one_axis(rank_b - 2)};
    pod_node *product = pod_graph_dot(graph, a, b, &lists);
    if (rank_a == 1)
        return product;
    pod_axes axes = {.count = rank_b};
    for (int32_t i = 0; i < rank_b - 2; i++)
        axes.axes[i] = i + 1;
    axes.axes[rank_b - 2] = 0;
    axes.axes[rank_b - 1] = rank_b - 1;
    return pod_graph_transpose(graph, product, &axes);
}

static pod_node *with_batch(pod_graph *graph, pod_node *x, pod_shape shape)
{
    const pod_shape *have = &x->results[0].shape;
    shape.dims[shape.rank++] = have->dims[have->rank - 2];
    shape.dims[shape.rank++] = have->dims[have->rank - 1];
    return pod_graph_broadcast_to(graph, x, &shape);
}

/* [..., m, k] times [..., k, n]: one product for each place of the leading axes. */
static pod_node *multiply_batched(pod_graph *graph, pod_node *a, pod_node *b)
{
    char first[POD_SHAPE_TEXT_SIZE], second[POD_SHAPE_TEXT_SIZE];
    pod_shape batch = a->results[0].shape, other = b->results[0].shape;
    batch.rank -= 2;
    other.rank -= 2;
    if (!pod_graph_join_shapes(&batch, &other))
        return pod_graph_fail(graph, POD_ERROR_SHAPE, "matmul: the leading axes of %s and %s do not broadcast",
                              pod_shape_format(&a->results[0].shape, first),
                              pod_shape_format(&b->results[0].shape, second));
    pod_attributes lists = {.lhs_contract = one_axis(batch.rank + 1), .rhs_contract = one_axis(batch.rank)};
    lists.lhs_batch.count = lists.rhs_batch.count = batch.rank;
    for (int32_t i = 0; i < batch.rank; i++)
        lists.lhs_batch.axes[i] = lists.rhs_batch.axes[i] = i;
    return pod_graph_dot(graph, with_batch(graph, a, batch), with_batch(graph, b, batch), &lists);
}

/* Returns whether the axes that are multiplied along are as long; else says so in the words of matrices. */
static bool fits(pod_graph *graph, const pod_shape *a, const pod_shape *b)
{
    char first[POD_SHAPE_TEXT_SIZE], second[POD_SHAPE_TEXT_SIZE];
    const int64_t columns = a->dims[a->rank - 1], rows = b->dims[b->rank >= 2 ? b->rank - 2 : 0];
    if (columns == rows)
        return true;
    (void)pod_graph_fail(
        graph, POD_ERROR_SHAPE,
        "matmul: the last axis of %s has %lld, but the %s of %s has %lld; they are multiplied with each "
        "other: transpose or reshape one",
        pod_shape_format(a, first), (long long)columns, b->rank >= 2 ? "last axis but one" : "only axis",
        pod_shape_format(b, second), (long long)rows);
    return false;
}

pod_node *pod_graph_matmul(pod_graph *graph, pod_node *a, pod_node *b)
{
    static const pod_attributes none;
    if (!pod_graph_is_value(graph, a) || !pod_graph_is_value(graph, b))
        return pod_graph_dot(graph, a, b, &none); /* says what is wrong with them */
    int32_t rank_a = a->results[0].shape.rank, rank_b = b->results[0].shape.rank;
    if (rank_a == 0 || rank_b == 0)
        return pod_graph_fail(graph, POD_ERROR_SHAPE, "matmul: a scalar is no matrix; use multiply");
    if (!fits(graph, &a->results[0].shape, &b->results[0].shape))
        return NULL;
    if (rank_b <= 2)
        return multiply_flat(graph, a, b);
    if (rank_a <= 2)
        return multiply_leading(graph, a, b);
    return multiply_batched(graph, a, b);
}
