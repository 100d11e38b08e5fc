#include "graph/build.h"
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

/* The axes of one side are in range, and none is both batch and contracted; *free receives the others. */
static bool check_side(pod_infer *call, const char *side, const pod_axes *batch, const pod_axes *contract,
                       const pod_shape *shape, pod_axes *free)
{
    char batch_name[32], contract_name[32];
    snprintf(batch_name, sizeof(batch_name), "%s_batch", side);
    snprintf(contract_name, sizeof(contract_name), "%s_contract", side);
    if (!pod_infer_axes(call, batch_name, batch, shape, false) ||
        !pod_infer_axes(call, contract_name, contract, shape, false))
        return false;
    const int32_t left = shape->rank - batch->count - contract->count;
    if (left >= 0) /* there is room for both in one list */
        *free = pod_graph_axes_free(batch, contract, shape->rank);
    if (left < 0 || free->count != left)
        return pod_infer_fail(call, POD_ERROR_SHAPE, "%s and %s share an axis", batch_name, contract_name);
    return true;
}

/* Appends the sizes of some axes; false when there is no room. */
static bool append_sizes(pod_shape *shape, const pod_shape *from, const pod_axes *axes)
{
    if (shape->rank + axes->count > POD_MAX_RANK)
        return false;
    for (int32_t i = 0; i < axes->count; i++)
        shape->dims[shape->rank++] = from->dims[axes->axes[i]];
    return true;
}

bool pod_infer_dot(pod_infer *call)
{
    const pod_attributes *a = call->attributes;
    const pod_shape *x = &pod_infer_operand(call, 0)->shape;
    const pod_shape *y = &pod_infer_operand(call, 1)->shape;
    pod_axes x_free, y_free;
    pod_dtype dtype;
    if (!pod_infer_kind(call, 0, POD_KIND_NUMBER) || !pod_infer_same_dtype(call, 0, 1) ||
        !pod_infer_result_dtype(call, &dtype) ||
        !check_side(call, "lhs", &a->lhs_batch, &a->lhs_contract, x, &x_free) ||
        !check_side(call, "rhs", &a->rhs_batch, &a->rhs_contract, y, &y_free) ||
        !check_pairs(call, "batch", &a->lhs_batch, &a->rhs_batch) ||
        !check_pairs(call, "contracted", &a->lhs_contract, &a->rhs_contract))
        return false;
    pod_shape shape = {0};
    if (!append_sizes(&shape, x, &a->lhs_batch) || !append_sizes(&shape, x, &x_free) ||
        !append_sizes(&shape, y, &y_free))
        return pod_infer_fail(call, POD_ERROR_SHAPE, "the result would have more than %d axes", POD_MAX_RANK);
    return pod_infer_set(call, 0, dtype, &shape);
}
