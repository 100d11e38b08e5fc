#include "grad/gradient.h"

/* Reductions: g is repeated over the axes that were reduced. */

static pod_node *unreduce(pod_pullback *back, pod_node *x)
{
    const pod_shape *shape = pod_node_shape(back->node->inputs[0], 0);
    return pod_graph_unreduce(back->graph, x, shape, &back->node->attributes->axes);
}

void pod_gradient_reduce_sum(pod_pullback *back)
{
    back->operands[0] = unreduce(back, pod_gradient_in_operand_type(back));
}

/* The product of the others, for each element: the product of all that are not 0, divided by the
 * element; where one is 0 the others' product is its own factor and 0 for the rest, and where more
 * are, 0 for all. */
void pod_gradient_reduce_product(pod_pullback *back)
{
    pod_graph *graph = back->graph;
    const pod_axes *axes = &back->node->attributes->axes;
    pod_node *x = back->node->inputs[0];
    pod_node *is_zero = pod_gradient_equal_mask(graph, x, pod_graph_number_like(graph, x, 0));
    pod_node *zero = pod_graph_number_like(graph, x, 0), *one = pod_graph_number_like(graph, x, 1);
    pod_node *hidden = pod_graph_compare(graph, POD_COMPARE_GT, is_zero, zero);
    pod_node *factor = pod_graph_select(graph, hidden, one, x);
    pod_node *product = pod_graph_reduce(graph, "reduce_product", factor, axes, false);
    pod_node *zeros = unreduce(back, pod_graph_sum_axes(graph, is_zero, axes, POD_DTYPE_NONE));
    pod_node *others = pod_graph_divide(graph, unreduce(back, product), factor);
    /* an element's factors are all but itself: none of them is 0 */
    pod_node *alone = pod_graph_compare(graph, POD_COMPARE_EQ, zeros, is_zero);
    others = pod_graph_select(graph, alone, others, zero);
    back->operands[0] = pod_graph_multiply(graph, unreduce(back, pod_gradient_in_operand_type(back)), others);
}

static bool is_narrow(const pod_node *node)
{
    pod_dtype dtype = pod_node_dtype(node, 0);
    return pod_dtype_is_float(dtype) && pod_dtype_size(dtype) == 2;
}

/* Returns whether each element of a result is one of the operand's, in its type or another. */
static bool only_moves(pod_op op)
{
    return op == POD_OP_CONVERT || op == POD_OP_RESHAPE || op == POD_OP_TRANSPOSE || op == POD_OP_BROADCAST ||
           op == POD_OP_SLICE || op == POD_OP_REVERSE;
}

/* x as it is stored. One reader of a 16-bit float, or of what one was widened to, may have it wider than another, and
 * an extreme that equals no element would have no share to divide by: so both are rounded, which keeps their order. */
static pod_node *as_stored(pod_graph *graph, const pod_node *origin, pod_node *x)
{
    while (!is_narrow(origin) && pod_dtype_is_float(pod_node_dtype(origin, 0)) && only_moves(origin->op))
        origin = origin->inputs[0];
    if (!is_narrow(origin))
        return x;
    pod_dtype narrow = pod_node_dtype(origin, 0), dtype = pod_node_dtype(x, 0);
    if (dtype == narrow)
        x = pod_graph_convert(graph, x, POD_F32);
    return pod_graph_convert(graph, pod_graph_convert(graph, x, narrow), dtype);
}

/* All elements that equal the extreme share g. */
void pod_gradient_reduce_extreme(pod_pullback *back)
{
    pod_graph *graph = back->graph;
    pod_node *x = back->node->inputs[0];
    pod_node *extreme = unreduce(back, as_stored(graph, x, back->node));
    pod_node *mask = pod_gradient_equal_mask(graph, as_stored(graph, x, x), extreme);
    pod_node *count = pod_graph_sum_axes(graph, mask, &back->node->attributes->axes, POD_DTYPE_NONE);
    pod_node *share = pod_graph_divide(graph, back->cotangents[0], count);
    back->operands[0] = pod_graph_multiply(graph, mask, unreduce(back, share));
}

/* Each element counts in all sums behind it: the sums of g from the other end. */
void pod_gradient_cumulative_sum(pod_pullback *back)
{
    pod_attributes attributes = *back->node->attributes;
    attributes.flag = !attributes.flag;
    back->operands[0] = pod_graph_apply(back->graph, POD_OP_CUMULATIVE_SUM, back->cotangents, 1, &attributes, NULL, 0);
}
