#include "graph/op_rules.h"

#include <stdio.h>

/* Two lists of axes pair up: as many on both sides, with equal sizes. */
static bool check_pairs(pod_infer *call, const char *what, const pod_axes *lhs, const pod_axes *rhs)
{
    char first[POD_SHAPE_TEXT_SIZE], second[POD_SHAPE_TEXT_SIZE];
    const pod_shape *a = &pod_infer_operand(call, 0)->shape;
    const pod_shape *b = &pod_infer_operand(call, 1)->shape;
    if (lhs->count != rhs->count)
        return pod_infer_fail(call, POD_ERROR_SHAPE, "%d %s axes of the left operand cannot pair with %d of the right",
                              lhs->count, what, rhs->count);
    for (int32_t i = 0; i < lhs->count; i++) {
        int32_t x = lhs->axes[i], y = rhs->axes[i];
        if (a->dims[x] != b->dims[y])
            return pod_infer_fail(call, POD_ERROR_SHAPE, "the %s axes differ: %s axis %d has %lld, %s axis %d has %lld",
                                  what, pod_shape_format(a, first), x, (long long)a->dims[x],
                                  pod_shape_format(b, second), y, (long long)b->dims[y]);
    }
    return true;
}

static uint32_t axes_mask(const pod_axes *batch, const pod_axes *contract)
{
    uint32_t mask = 0;
    for (int32_t i = 0; i < batch->count; i++)
        mask |= 1u << batch->axes[i];
    for (int32_t i = 0; i < contract->count; i++)
        mask |= 1u << contract->axes[i];
    return mask;
}

/* The axes of one side are in range, and none is both batch and contracted. */
static bool check_side(pod_infer *call, const char *side, const pod_axes *batch, const pod_axes *contract,
                       const pod_shape *shape)
{
    char batch_name[32], contract_name[32];
    snprintf(batch_name, sizeof(batch_name), "%s_batch", side);
    snprintf(contract_name, sizeof(contract_name), "%s_contract", side);
    if (!pod_infer_axes(call, batch_name, batch, shape, false) ||
        !pod_infer_axes(call, contract_name, contract, shape, false))
        return false;
    if (__builtin_popcount(axes_mask(batch, contract)) != batch->count + contract->count)
        return pod_infer_fail(call, POD_ERROR_SHAPE, "%s and %s share an axis", batch_name, contract_name);
    return true;
}

/* Appends the axes that are neither batch nor contracted; false when there is no room. */
static bool append_free(pod_shape *shape, const pod_shape *from, uint32_t used)
{
    for (int32_t i = 0; i < from->rank; i++) {
        if (used & 1u << i)
            continue;
        if (shape->rank == POD_MAX_RANK)
            return false;
        shape->dims[shape->rank++] = from->dims[i];
    }
    return true;
}

bool pod_infer_dot(pod_infer *call)
{
    const pod_attributes *a = call->attributes;
    const pod_shape *x = &pod_infer_operand(call, 0)->shape;
    const pod_shape *y = &pod_infer_operand(call, 1)->shape;
    pod_dtype dtype;
    if (!pod_infer_kind(call, 0, POD_KIND_NUMBER) || !pod_infer_same_dtype(call, 0, 1) ||
        !pod_infer_result_dtype(call, &dtype) || !check_side(call, "lhs", &a->lhs_batch, &a->lhs_contract, x) ||
        !check_side(call, "rhs", &a->rhs_batch, &a->rhs_contract, y) ||
        !check_pairs(call, "batch", &a->lhs_batch, &a->rhs_batch) ||
        !check_pairs(call, "contracted", &a->lhs_contract, &a->rhs_contract))
        return false;
    pod_shape shape = {.rank = a->lhs_batch.count};
    for (int32_t i = 0; i < shape.rank; i++)
        shape.dims[i] = x->dims[a->lhs_batch.axes[i]];
    if (!append_free(&shape, x, axes_mask(&a->lhs_batch, &a->lhs_contract)) ||
        !append_free(&shape, y, axes_mask(&a->rhs_batch, &a->rhs_contract)))
        return pod_infer_fail(call, POD_ERROR_SHAPE, "the result would have more than %d axes", POD_MAX_RANK);
    return pod_infer_set(call, 0, dtype, &shape);
}
