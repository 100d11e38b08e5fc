/*
 * normal_dot - brings products of the kernels' types to one form: [batch..., m, k] times
 * [batch..., k, n], so that later passes need to know no other. Transposes and reshapes that this adds
 * are seen through where the operand can be read by strides.
 */

#include "graph/build.h"
#include "ir/rewrite.h"

/* Where the axes of an operand go. */
typedef struct order {
    pod_axes axes;   /* batch, then the two others in their order */
    pod_shape shape; /* with free and contracted axes merged */
} order;

static int64_t size_of(const pod_shape *shape, const pod_axes *axes)
{
    int64_t size = 1;
    for (int32_t i = 0; i < axes->count; i++)
        size *= shape->dims[axes->axes[i]];
    return size;
}

/* Batch axes of size 1 are dropped from the shape. */
static order make_order(const pod_shape *shape, const pod_axes *batch, const pod_axes *first, const pod_axes *second)
{
    order made = {.axes = *batch};
    pod_graph_axes_append(&made.axes, first);
    pod_graph_axes_append(&made.axes, second);
    for (int32_t i = 0; i < batch->count; i++)
        if (shape->dims[batch->axes[i]] != 1)
            made.shape.dims[made.shape.rank++] = shape->dims[batch->axes[i]];
    made.shape.dims[made.shape.rank++] = size_of(shape, first);
    made.shape.dims[made.shape.rank++] = size_of(shape, second);
    return made;
}

static pod_ref bring_in_order(pod_rewriter *r, pod_ref value, const order *wanted)
{
    pod_dtype dtype = r->to->values[value].dtype;
    const pod_shape *shape = r->to->values[value].shape;
    pod_attributes turn = {.axes = wanted->axes};
    pod_shape turned = {.rank = shape->rank};
    for (int32_t i = 0; i < shape->rank; i++)
        turned.dims[i] = shape->dims[wanted->axes.axes[i]];
    value = pod_ir_rewrite_emit(r, POD_OP_TRANSPOSE, &value, 1, &turn, dtype, &turned);
    return pod_ir_rewrite_reshape(r, value, &wanted->shape);
}

bool pod_ir_is_normal_dot(const pod_attributes *a, const pod_shape *left, const pod_shape *right)
{
    int32_t batches = left->rank - 2;
    bool normal = batches >= 0 && right->rank == batches + 2 && a->lhs_batch.count == batches &&
                  a->rhs_batch.count == batches && a->lhs_contract.count == 1 &&
                  a->lhs_contract.axes[0] == batches + 1 && a->rhs_contract.count == 1 &&
                  a->rhs_contract.axes[0] == batches;
    for (int32_t i = 0; normal && i < batches; i++)
        normal = a->lhs_batch.axes[i] == i && a->rhs_batch.axes[i] == i && left->dims[i] != 1;
    return normal;
}

pod_ref pod_ir_normalize_dot(const pod_subject *s)
{
    const pod_attributes *a = s->node->attributes;
    const pod_shape *left = s->r->to->values[s->inputs[0]].shape;
    const pod_shape *right = s->r->to->values[s->inputs[1]].shape;
    pod_axes left_free = pod_graph_axes_free(&a->lhs_batch, &a->lhs_contract, left->rank);
    pod_axes right_free = pod_graph_axes_free(&a->rhs_batch, &a->rhs_contract, right->rank);
    order lhs = make_order(left, &a->lhs_batch, &left_free, &a->lhs_contract);
    order rhs = make_order(right, &a->rhs_batch, &a->rhs_contract, &right_free);
    int32_t batches = lhs.shape.rank - 2;
    pod_attributes normal = {.dtype = s->dtype, .precision = a->precision};
    normal.lhs_batch.count = normal.rhs_batch.count = batches;
    pod_shape result = lhs.shape;
    for (int32_t i = 0; i < batches; i++)
        normal.lhs_batch.axes[i] = normal.rhs_batch.axes[i] = i;
    normal.lhs_contract.count = normal.rhs_contract.count = 1;
    normal.lhs_contract.axes[0] = batches + 1;
    normal.rhs_contract.axes[0] = batches;
    result.dims[batches + 1] = rhs.shape.dims[batches + 1];
    pod_ref both[2] = {bring_in_order(s->r, s->inputs[0], &lhs), bring_in_order(s->r, s->inputs[1], &rhs)};
    pod_ref made = pod_ir_rewrite_emit(s->r, POD_OP_DOT, both, 2, &normal, s->dtype, &result);
    return pod_ir_rewrite_reshape(s->r, made, s->shape);
}
