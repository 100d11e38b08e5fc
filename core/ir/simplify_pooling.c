/*
 * simplify_pooling - what is done to the gradient of a max pooling, done before it to what the windows
 * give, of which there is less. A window gives all to the place of its maximum, whose element is the
 * pooling's own result:
 *
 *     select(x > 0, pool_max_gradient(x, g), 0) = pool_max_gradient(x, select(pool_max(x) > 0, g, 0))
 *     sum over places of pool_max_gradient(x, g) = sum over windows of g
 *
 * The first keeps every bit; the second sums in another order. Where windows overlap, sums of 16 bits are rounded in
 * between, and stay; so do those that are converted to what does not hold all of their numbers.
 */

#include "ir/rewrite.h"

static const pod_ir_node *maker(const pod_rewriter *r, pod_ref value)
{
    return pod_ir_maker(r->to, value);
}

static pod_ref input(const pod_rewriter *r, const pod_ir_node *node, uint32_t index)
{
    return pod_ir_inputs(r->to, node)[index];
}

/* The same repeated element in another shape. */
static pod_ref respread(pod_rewriter *r, pod_ref splat, const pod_shape *shape)
{
    return pod_ir_rewrite_constant(r, r->to->values[splat].dtype, shape, true, maker(r, splat)->constant);
}

pod_ref pod_ir_simplify_masked_pooling(const pod_subject *s)
{
    pod_rewriter *r = s->r;
    const pod_ir_node *mask = maker(r, s->inputs[0]), *pooling = maker(r, s->inputs[1]);
    double element;
    if (mask->op != POD_OP_COMPARE || pooling->op != POD_OP_POOL_MAX_GRADIENT ||
        !pod_ir_splat(r->to, s->inputs[2], &element) || element != 0)
        return POD_REF_NONE;
    pod_ref x = input(r, pooling, 0), g = input(r, pooling, 1);
    pod_ref sides[2] = {input(r, mask, 0), input(r, mask, 1)};
    int place = sides[0] == x ? 0 : 1;
    if (sides[place] != x || !pod_ir_splat(r->to, sides[1 - place], &element))
        return POD_REF_NONE;
    /* Nodes move when others are added. */
    const pod_attributes *compare = mask->attributes, *window = pooling->attributes;
    const pod_ir_value *given = &r->to->values[g];
    const pod_shape *small = given->shape;
    pod_dtype x_dtype = r->to->values[x].dtype, g_dtype = given->dtype;
    pod_attributes plain = {.window = window->window};
    sides[1 - place] = respread(r, sides[1 - place], small);
    sides[place] = pod_ir_rewrite_emit(r, POD_OP_POOL_MAX, &x, 1, &plain, x_dtype, small);
    pod_ref parts[3] = {pod_ir_rewrite_emit(r, POD_OP_COMPARE, sides, 2, compare, POD_BOOL, small), g,
                        respread(r, s->inputs[2], small)};
    pod_ref masked = pod_ir_rewrite_emit(r, POD_OP_SELECT, parts, 3, s->node->attributes, g_dtype, small);
    return pod_ir_rewrite_emit(r, POD_OP_POOL_MAX_GRADIENT, (pod_ref[]){x, masked}, 2, window, s->dtype, s->shape);
}

/* Returns whether every window sees a place, by the rule of shapes: padding is less than a window. Where there is no
 * place at all, windows lie in padding alone. */
static bool sees_all(const pod_window *window, const pod_shape *places)
{
    for (int32_t i = 0; i < window->rank; i++)
        if (window->dilation[i] > 1)
            return false;
    return pod_shape_elements(places) > 0;
}

static bool overlaps(const pod_window *window)
{
    for (int32_t i = 0; i < window->rank; i++)
        if (window->size[i] > (window->stride[i] > 0 ? window->stride[i] : 1))
            return true;
    return false;
}

pod_ref pod_ir_simplify_pooled_sum(const pod_subject *s)
{
    pod_rewriter *r = s->r;
    const pod_ir_node *source = maker(r, s->inputs[0]);
    const pod_axes *axes = &s->node->attributes->axes;
    if (source->op == POD_OP_CONVERT)
        source = maker(r, input(r, source, 0));
    if (source->op != POD_OP_POOL_MAX_GRADIENT ||
        !sees_all(&source->attributes->window, r->to->values[source->value_first].shape))
        return POD_REF_NONE;
    pod_dtype own = r->to->values[source->value_first].dtype, summed = r->to->values[s->inputs[0]].dtype;
    bool keeps = own == summed || (pod_dtype_is_float(summed) && pod_dtype_size(summed) > pod_dtype_size(own));
    if ((pod_ir_is_narrow(own) || !keeps) && overlaps(&source->attributes->window))
        return POD_REF_NONE;
    int32_t spatial = 0;
    for (int32_t i = 0; i < axes->count; i++)
        spatial += axes->axes[i] > 0 && axes->axes[i] <= source->attributes->window.rank;
    if (spatial != source->attributes->window.rank)
        return POD_REF_NONE;
    pod_ref g = pod_ir_rewrite_convert(r, input(r, source, 1), summed);
    return pod_ir_rewrite_emit(r, POD_OP_REDUCE_SUM, &g, 1, s->node->attributes, s->dtype, s->shape);
}
