#include "grad/gradient.h"

/* Products, convolutions and pooling: linear in each operand, and closed under differentiation. */

/* ---- dot ------------------------------------------------------------------------------------- */

static pod_axes count_from(int32_t first, int32_t count)
{
    pod_axes axes = {.count = count};
    for (int32_t i = 0; i < count; i++)
        axes.axes[i] = first + i;
    return axes;
}

/* Appends to `places` the axes of one side's `contract` list in the order in which a product leaves
 * the other side's free axes: ascending in the other's list. */
static void append_paired(pod_axes *places, const pod_axes *contract, const pod_axes *other)
{
    for (int32_t axis = 0; axis < POD_MAX_RANK; axis++) {
        for (int32_t i = 0; i < other->count; i++) {
            if (other->axes[i] == axis)
                places->axes[places->count++] = contract->axes[i];
        }
    }
}

/* da [batch, a free, contracted] = g [batch, a free, b free] . b over b's free axes. */
static pod_node *left_cotangent(pod_pullback *back, pod_node *g, pod_axes a_free, pod_axes b_free)
{
    const pod_attributes *d = back->node->attributes;
    int32_t batch = d->lhs_batch.count;
    pod_attributes lists = {
        .lhs_batch = count_from(0, batch),
        .lhs_contract = count_from(batch + a_free.count, b_free.count),
        .rhs_batch = d->rhs_batch,
        .rhs_contract = b_free,
        .precision = d->precision,
    };
    pod_node *product = pod_graph_dot(back->graph, g, back->node->inputs[1], &lists);
    pod_axes places = d->lhs_batch;
    pod_graph_axes_append(&places, &a_free);
    append_paired(&places, &d->lhs_contract, &d->rhs_contract);
    return pod_graph_untranspose(back->graph, product, &places);
}

/* db [batch, contracted, b free] = a . g over a's free axes: so that the cotangent of weights [in,
 * out] needs no transpose. */
static pod_node *right_cotangent(pod_pullback *back, pod_node *g, pod_axes a_free, pod_axes b_free)
{
    const pod_attributes *d = back->node->attributes;
    int32_t batch = d->lhs_batch.count;
    pod_attributes lists = {
        .lhs_batch = d->lhs_batch,
        .lhs_contract = a_free,
        .rhs_batch = count_from(0, batch),
        .rhs_contract = count_from(batch, a_free.count),
        .precision = d->precision,
    };
    pod_node *product = pod_graph_dot(back->graph, back->node->inputs[0], g, &lists);
    pod_axes places = d->rhs_batch;
    append_paired(&places, &d->rhs_contract, &d->lhs_contract);
    pod_graph_axes_append(&places, &b_free);
    return pod_graph_untranspose(back->graph, product, &places);
}

void pod_gradient_dot(pod_pullback *back)
{
    const pod_attributes *d = back->node->attributes;
    pod_node *g = pod_gradient_in_operand_type(back);
    int32_t rank_a = pod_node_shape(back->node->inputs[0], 0)->rank;
    int32_t rank_b = pod_node_shape(back->node->inputs[1], 0)->rank;
    pod_axes a_free = pod_graph_axes_free(&d->lhs_batch, &d->lhs_contract, rank_a);
    pod_axes b_free = pod_graph_axes_free(&d->rhs_batch, &d->rhs_contract, rank_b);
    if (back->needed[0])
        back->operands[0] = left_cotangent(back, g, a_free, b_free);
    if (back->needed[1])
        back->operands[1] = right_cotangent(back, g, a_free, b_free);
}

/* Applies an op with the node's window to one operand or two; `shape_like` gives the shape that a gradient needs. */
static pod_node *apply_window(pod_pullback *back, pod_op op, pod_node *a, pod_node *b, const pod_node *shape_like)
{
    pod_attributes attributes = {.window = back->node->attributes->window,
                                 .precision = back->node->attributes->precision};
    if (shape_like)
        attributes.shape = *pod_node_shape(shape_like, 0);
    return pod_graph_apply(back->graph, op, (pod_node *[]){a, b}, b ? 2 : 1, &attributes, NULL, 0);
}

/* ---- convolutions: y = C(x, k), I(g, k) is linear like x, K(x, g) like k --------------------- */

/* C(x, k): I(g, k) and K(x, g) */
void pod_gradient_convolution(pod_pullback *back)
{
    pod_node *x = back->node->inputs[0], *kernel = back->node->inputs[1], *g = pod_gradient_in_operand_type(back);
    if (back->needed[0])
        back->operands[0] = apply_window(back, POD_OP_CONVOLUTION_INPUT_GRADIENT, g, kernel, x);
    if (back->needed[1])
        back->operands[1] = apply_window(back, POD_OP_CONVOLUTION_KERNEL_GRADIENT, x, g, kernel);
}

/* I(y, k), with u of x's shape: C(u, k) and K(u, y) */
void pod_gradient_convolution_input_gradient(pod_pullback *back)
{
    pod_node *y = back->node->inputs[0], *kernel = back->node->inputs[1], *u = pod_gradient_in_operand_type(back);
    if (back->needed[0])
        back->operands[0] = apply_window(back, POD_OP_CONVOLUTION, u, kernel, NULL);
    if (back->needed[1])
        back->operands[1] = apply_window(back, POD_OP_CONVOLUTION_KERNEL_GRADIENT, u, y, kernel);
}

/* K(x, y), with u of the kernel's shape: I(y, u) and C(x, u) */
void pod_gradient_convolution_kernel_gradient(pod_pullback *back)
{
    pod_node *x = back->node->inputs[0], *y = back->node->inputs[1], *u = pod_gradient_in_operand_type(back);
    if (back->needed[0])
        back->operands[0] = apply_window(back, POD_OP_CONVOLUTION_INPUT_GRADIENT, y, u, x);
    if (back->needed[1])
        back->operands[1] = apply_window(back, POD_OP_CONVOLUTION, x, u, NULL);
}

/* ---- pooling --------------------------------------------------------------------------------- */

void pod_gradient_pool_max(pod_pullback *back)
{
    back->operands[0] = apply_window(back, POD_OP_POOL_MAX_GRADIENT, back->node->inputs[0], back->cotangents[0], NULL);
}

/* pool_max_gradient and pool_max_select. Which element is the maximum does not change with x, almost everywhere: x gets
 * nothing. */
void pod_gradient_pool_max_picked(pod_pullback *back)
{
    pod_op other = back->node->op == POD_OP_POOL_MAX_SELECT ? POD_OP_POOL_MAX_GRADIENT : POD_OP_POOL_MAX_SELECT;
    if (back->needed[1])
        back->operands[1] = apply_window(back, other, back->node->inputs[0], back->cotangents[0], NULL);
}

void pod_gradient_pool_sum(pod_pullback *back)
{
    pod_node *x = back->node->inputs[0];
    back->operands[0] = apply_window(back, POD_OP_POOL_SUM_GRADIENT, back->cotangents[0], NULL, x);
}

void pod_gradient_pool_sum_gradient(pod_pullback *back)
{
    back->operands[0] = apply_window(back, POD_OP_POOL_SUM, back->cotangents[0], NULL, NULL);
}
