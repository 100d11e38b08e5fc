/* vector_dots - see node_rewrite.h: what the compiler makes of dots in which one side is a vector (R2). */

#include "graph/ops.h"
#include "tpu/node_rewrite.h"

/* An operand of a dot: its axes that are summed, in its order of them, and how many elements the others have. */
typedef struct dot_side {
    const pod_shape *shape;
    const pod_axes *batch, *sums;
    int64_t others;
} dot_side;

static dot_side side_of(const pod_ir *to, pod_ref value, const pod_axes *batch, const pod_axes *sums)
{
    dot_side side = {to->values[value].shape, batch, sums, 1};
    int64_t summed = 1;
    for (int32_t i = 0; i < sums->count; i++)
        summed *= side.shape->dims[sums->axes[i]];
    for (int32_t i = 0; i < batch->count; i++)
        summed *= side.shape->dims[batch->axes[i]];
    for (int32_t i = 0; i < side.shape->rank; i++)
        side.others *= side.shape->dims[i];
    side.others = summed > 0 ? side.others / summed : 0;
    return side;
}

/* Adds a node whose result has its own copy of a shape. */
static pod_ref emit_shaped(pod_rewriter *r, pod_op op, const pod_ref *inputs, uint32_t count,
                           const pod_attributes *attributes, pod_dtype dtype, const pod_shape *shape)
{
    const pod_shape *kept = pod_arena_copy(r->arena, shape, sizeof *shape);
    return kept ? pod_tpu_emit(r, op, inputs, count, attributes, dtype, kept) : POD_REF_NONE;
}

/* Spreads a value over a shape, of which it has some axes, in order. */
static pod_ref spread(pod_rewriter *r, pod_ref value, const pod_shape *shape, const pod_axes *axes)
{
    pod_shape own = {.rank = axes->count};
    for (int32_t i = 0; i < axes->count; i++)
        own.dims[i] = shape->dims[axes->axes[i]];
    const pod_attributes none = {0}, over = {.shape = *shape, .axes = *axes};
    const pod_dtype dtype = r->to->values[value].dtype;
    value = emit_shaped(r, POD_OP_RESHAPE, &value, 1, &none, dtype, &own);
    return value == POD_REF_NONE ? value : emit_shaped(r, POD_OP_BROADCAST, &value, 1, &over, dtype, shape);
}

/* Puts the axes of a value in another order: axis i of what is made is its axis order[i]. */
static pod_ref transpose(pod_rewriter *r, pod_ref value, const pod_axes *order)
{
    const pod_ir_value *from = &r->to->values[value];
    pod_shape shape = {.rank = order->count};
    bool same = true;
    for (int32_t i = 0; i < order->count; i++) {
        shape.dims[i] = from->shape->dims[order->axes[i]];
        same = same && order->axes[i] == i;
    }
    const pod_attributes moved = {.axes = *order};
    return same ? value : emit_shaped(r, POD_OP_TRANSPOSE, &value, 1, &moved, from->dtype, &shape);
}

/* A value without the axes, of length 1, for which `axes` has -1; the others move up in `axes`. */
static pod_ref without_single(pod_rewriter *r, pod_ref value, int32_t *axes)
{
    const pod_ir_value *from = &r->to->values[value];
    const pod_attributes none = {0};
    pod_shape shape = {0};
    for (int32_t i = 0; i < from->shape->rank; i++)
        if (axes[i] >= 0) {
            axes[shape.rank] = axes[i];
            shape.dims[shape.rank++] = from->shape->dims[i];
        }
    return shape.rank == from->shape->rank ? value
                                           : emit_shaped(r, POD_OP_RESHAPE, &value, 1, &none, from->dtype, &shape);
}

/* A dot with a vector in each of its batches sums products of elements. `axes` has, by axis of the vector, that of the
 * matrix; -1: it has none. */
static pod_ref sum_products(pod_rewriter *r, pod_ref matrix, pod_ref vector, const dot_side *side, int32_t *axes,
                            pod_dtype dtype, const pod_shape *result)
{
    const int32_t rank = side->shape->rank;
    int32_t places[POD_MAX_RANK] = {0}; /* gcc for ARM does not see that `left` reads no more than was written */
    pod_axes order = {0}, over = {0}, left = {0};
    pod_shape rest = {0};
    vector = without_single(r, vector, axes);
    if (vector == POD_REF_NONE)
        return vector;
    for (int32_t i = 0; i < rank; i++)
        for (int32_t k = 0; k < r->to->values[vector].shape->rank; k++)
            if (axes[k] == i) {
                order.axes[order.count++] = k;
                over.axes[over.count++] = i;
            }
    for (int32_t i = 0; i < rank; i++) {
        places[i] = rest.rank;
        if (!pod_op_has_axis(side->sums, i))
            rest.dims[rest.rank++] = side->shape->dims[i];
    }
    for (int32_t i = 0; i < side->batch->count; i++)
        left.axes[left.count++] = places[side->batch->axes[i]];
    for (int32_t i = 0; i < rank; i++)
        if (!pod_op_has_axis(side->sums, i) && !pod_op_has_axis(side->batch, i))
            left.axes[left.count++] = places[i];
    const pod_attributes none = {0}, sums = {.axes = *side->sums};
    vector = transpose(r, vector, &order);
    pod_ref pair[2] = {matrix, vector == POD_REF_NONE ? vector : spread(r, vector, side->shape, &over)};
    pod_ref made = POD_REF_NONE;
    if (pair[1] != POD_REF_NONE)
        made = pod_tpu_emit(r, POD_OP_MULTIPLY, pair, 2, &none, dtype, side->shape);
    if (made != POD_REF_NONE)
        made = emit_shaped(r, POD_OP_REDUCE_SUM, &made, 1, &sums, dtype, &rest);
    if (made != POD_REF_NONE)
        made = transpose(r, made, &left);
    return made == POD_REF_NONE ? made : pod_tpu_emit(r, POD_OP_RESHAPE, &made, 1, &none, dtype, result);
}

/* A dot that sums over single elements multiplies each of one side by each of the other. */
static pod_ref multiply_each(pod_rewriter *r, const pod_ref *inputs, const dot_side *sides, pod_dtype dtype,
                             const pod_shape *result)
{
    pod_ref pair[2];
    const pod_attributes none = {0};
    int32_t first = 0;
    for (int i = 0; i < 2; i++) {
        pod_axes axes = {0};
        for (; axes.count < sides[i].shape->rank - sides[i].sums->count; axes.count++)
            axes.axes[axes.count] = first++;
        pair[i] = spread(r, inputs[i], result, &axes);
        if (pair[i] == POD_REF_NONE)
            return POD_REF_NONE;
    }
    return pod_tpu_emit(r, POD_OP_MULTIPLY, pair, 2, &none, dtype, result);
}

#define MOST_PRODUCTS 32 /* elements of the vectors of a batch that are summed or multiplied one by one */

/* The axes of the matrix that a vector has, by its own: a batch's and summed ones; -1 for others, of length 1. */
static void match_axes(const dot_side *vector, const dot_side *matrix, int32_t *axes)
{
    for (int32_t i = 0; i < vector->shape->rank; i++)
        axes[i] = -1;
    for (int32_t i = 0; i < vector->batch->count; i++)
        axes[vector->batch->axes[i]] = matrix->batch->axes[i];
    for (int32_t i = 0; i < vector->sums->count; i++)
        axes[vector->sums->axes[i]] = matrix->sums->axes[i];
}

bool pod_tpu_rewrite_vector_dot(pod_rewriter *r, const pod_ir *from, const pod_ir_node *node, const pod_ref *inputs,
                                pod_ref *made)
{
    const pod_attributes *a = node->attributes;
    const pod_ir_value *result = &from->values[node->value_first];
    const dot_side sides[2] = {side_of(r->to, inputs[0], &a->lhs_batch, &a->lhs_contract),
                               side_of(r->to, inputs[1], &a->rhs_batch, &a->rhs_contract)};
    int64_t summed = 1;
    for (int32_t i = 0; i < a->lhs_contract.count; i++)
        summed *= sides[0].shape->dims[a->lhs_contract.axes[i]];
    const bool same =
        r->to->values[inputs[0]].dtype == result->dtype && r->to->values[inputs[1]].dtype == result->dtype;
    const int vector = sides[0].others != 1;
    const int64_t others = sides[1 - vector].others;
    const bool batch = a->lhs_batch.count > 0, one = sides[vector].others == 1;
    /* what sums over single elements has no axes that a batch of it could be told by */
    if (!same ||
        (batch ? !one || summed == 1 || (summed > MOST_PRODUCTS && others > MOST_PRODUCTS) : summed != 1 && !one))
        return true;
    const pod_shape *shape = pod_arena_copy(r->arena, result->shape, sizeof *result->shape);
    int32_t axes[POD_MAX_RANK];
    if (!shape)
        return false;
    match_axes(&sides[vector], &sides[1 - vector], axes);
    if (summed == 1)
        *made = multiply_each(r, inputs, sides, result->dtype, shape);
    else
        *made = sum_products(r, inputs[1 - vector], inputs[vector], &sides[1 - vector], axes, result->dtype, shape);
    return *made != POD_REF_NONE;
}
