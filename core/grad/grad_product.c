#include "grad/gradient.h"

/* Products, convolutions and pooling: linear in each operand, and closed under differentiation. */

static pod_node *operand(const pod_pullback *back, size_t index)
{
    return back->node->inputs[index];
}

/* g in the type of the operands, which differs from the result's where that was asked to be wider.
 */
static pod_node *operand_cotangent(pod_pullback *back)
{
    return pod_graph_convert(back->graph, back->cotangents[0], pod_node_dtype(operand(back, 0), 0));
}

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

static void append(pod_axes *places, const pod_axes *more)
{
    for (int32_t i = 0; i < more->count; i++)
        places->axes[places->count++] = more->axes[i];
}

/* da [batch, a free, contracted] = g [batch, a free, b free] . b over b's free axes. */
static pod_node *left_cotangent(pod_pullback *back, pod_node *g)
{
    const pod_attributes *d = back->node->attributes;
    int32_t rank_a = pod_node_shape(operand(back, 0), 0)->rank;
    int32_t rank_b = pod_node_shape(operand(back, 1), 0)->rank;
    pod_axes a_free = pod_graph_axes_free(&d->lhs_batch, &d->lhs_contract, rank_a);
    pod_axes b_free = pod_graph_axes_free(&d->rhs_batch, &d->rhs_contract, rank_b);
    int32_t batch = d->lhs_batch.count;
    pod_attributes lists = {
        .lhs_batch = count_from(0, batch),
        .lhs_contract = count_from(batch + a_free.count, b_free.count),
        .rhs_batch = d->rhs_batch,
        .rhs_contract = b_free,
        .precision = d->precision,
    };
    pod_node *product = pod_graph_dot(back->graph, g, operand(back, 1), &lists);
    pod_axes places = d->lhs_batch;
    append(&places, &a_free);
    append_paired(&places, &d->lhs_contract, &d->rhs_contract);
    return pod_graph_untranspose(back->graph, product, &places);
}

/* db [batch, contracted, b free] = a . g over a's free axes: so that the cotangent of weights [in,
 * out] needs no transpose. */
static pod_node *right_cotangent(pod_pullback *back, pod_node *g)
{
    const pod_attributes *d = back->node->attributes;
    int32_t rank_a = pod_node_shape(operand(back, 0), 0)->rank;
    int32_t rank_b = pod_node_shape(operand(back, 1), 0)->rank;
    pod_axes a_free = pod_graph_axes_free(&d->lhs_batch, &d->lhs_contract, rank_a);
    pod_axes b_free = pod_graph_axes_free(&d->rhs_batch, &d->rhs_contract, rank_b);
    int32_t batch = d->lhs_batch.count;
    pod_attributes lists = {
        .lhs_batch = d->lhs_batch,
        .lhs_contract = a_free,
        .rhs_batch = count_from(0, batch),
        .rhs_contract = count_from(batch, a_free.count),
        .precision = d->precision,
    };
    pod_node *product = pod_graph_dot(back->graph, operand(back, 0), g, &lists);
    pod_axes places = d->rhs_batch;
    append_paired(&places, &d->rhs_contract, &d->lhs_contract);
    append(&places, &b_free);
    return pod_graph_untranspose(back->graph, product, &places);
}

void pod_gradient_dot(pod_pullback *back)
{
    pod_node *g = operand_cotangent(back);
    if (back->needed[0])
        back->operands[0] = left_cotangent(back, g);
    if (back->needed[1])
        back->operands[1] = right_cotangent(back, g);
}

/* ---- convolutions: y = C(x, k), I(g, k) is linear like x, K(x, g) like k --------------------- */

/* Applies one of the three with the node's window; `shape_like` gives the shape that a gradient
 * needs. */
static pod_node *convolve(pod_pullback *back, pod_op op, pod_node *a, pod_node *b, const pod_node *shape_like)
{
    pod_attributes attributes = {.window = back->node->attributes->window,
                                 .precision = back->node->attributes->precision};
    if (shape_like)
        attributes.shape = *pod_node_shape(shape_like, 0);
    return pod_graph_apply(back->graph, op, (pod_node *[]){a, b}, 2, &attributes, NULL, 0);
}

/* C(x, k): I(g, k) and K(x, g) */
void pod_gradient_convolution(pod_pullback *back)
{
    pod_node *x = operand(back, 0), *kernel = operand(back, 1), *g = operand_cotangent(back);
    if (back->needed[0])
        back->operands[0] = convolve(back, POD_OP_CONVOLUTION_INPUT_GRADIENT, g, kernel, x);
    if (back->needed[1])
        back->operands[1] = convolve(back, POD_OP_CONVOLUTION_KERNEL_GRADIENT, x, g, kernel);
}

/* I(y, k), with u of x's shape: C(u, k) and K(u, y) */
void pod_gradient_convolution_input_gradient(pod_pullback *back)
{
    pod_node *y = operand(back, 0), *kernel = operand(back, 1), *u = operand_cotangent(back);
    if (back->needed[0])
        back->operands[0] = convolve(back, POD_OP_CONVOLUTION, u, kernel, NULL);
    if (back->needed[1])
        back->operands[1] = convolve(back, POD_OP_CONVOLUTION_KERNEL_GRADIENT, u, y, kernel);
}

/* K(x, y), with u of the kernel's shape: I(y, u) and C(x, u) */
void pod_gradient_convolution_kernel_gradient(pod_pullback *back)
{
    pod_node *x = operand(back, 0), *y = operand(back, 1), *u = operand_cotangent(back);
    if (back->needed[0])
        back->operands[0] = convolve(back, POD_OP_CONVOLUTION_INPUT_GRADIENT, y, u, x);
    if (back->needed[1])
        back->operands[1] = convolve(back, POD_OP_CONVOLUTION, x, u, NULL);
}

/* ---- pooling --------------------------------------------------------------------------------- */

static pod_node *pool(pod_pullback *back, pod_op op, pod_node *const *inputs, size_t count, const pod_node *shape_like)
{
    pod_attributes attributes = {.window = back->node->attributes->window};
    if (shape_like)
        attributes.shape = *pod_node_shape(shape_like, 0);
    return pod_graph_apply(back->graph, op, inputs, count, &attributes, NULL, 0);
}

void pod_gradient_pool_max(pod_pullback *back)
{
    pod_node *inputs[] = {operand(back, 0), back->cotangents[0]};
    back->operands[0] = pool(back, POD_OP_POOL_MAX_GRADIENT, inputs, 2, NULL);
}

/* Which element is the maximum does not change with x, almost everywhere: x gets nothing. */
void pod_gradient_pool_max_gradient(pod_pullback *back)
{
    pod_node *inputs[] = {operand(back, 0), back->cotangents[0]};
    if (back->needed[1])
        back->operands[1] = pool(back, POD_OP_POOL_MAX_SELECT, inputs, 2, NULL);
}

void pod_gradient_pool_max_select(pod_pullback *back)
{
    pod_node *inputs[] = {operand(back, 0), back->cotangents[0]};
    if (back->needed[1])
        back->operands[1] = pool(back, POD_OP_POOL_MAX_GRADIENT, inputs, 2, NULL);
}

void pod_gradient_pool_sum(pod_pullback *back)
{
    back->operands[0] = pool(back, POD_OP_POOL_SUM_GRADIENT, back->cotangents, 1, operand(back, 0));
}

void pod_gradient_pool_sum_gradient(pod_pullback *back)
{
    back->operands[0] = pool(back, POD_OP_POOL_SUM, back->cotangents, 1, NULL);
}
