/* folds - see folds.h. */

#include "exchange/folds.h"

#include <math.h>

static const pod_exchange_fold folds[] = {
    {POD_OP_ADD, POD_OP_REDUCE_SUM, POD_REDUCE_SUM},     {POD_OP_MULTIPLY, POD_OP_REDUCE_PRODUCT, POD_REDUCE_PRODUCT},
    {POD_OP_MAXIMUM, POD_OP_REDUCE_MAX, POD_REDUCE_MAX}, {POD_OP_MINIMUM, POD_OP_REDUCE_MIN, POD_REDUCE_MIN},
    {POD_OP_AND, POD_OP_REDUCE_AND, POD_REDUCE_ASSIGN},  {POD_OP_OR, POD_OP_REDUCE_OR, POD_REDUCE_ASSIGN},
};

#define FOLD_COUNT (sizeof folds / sizeof *folds)

const pod_exchange_fold *pod_exchange_find_fold(pod_op op)
{
    for (size_t i = 0; i < FOLD_COUNT; i++)
        if (folds[i].op == op || folds[i].reduce == op)
            return &folds[i];
    return NULL;
}

const pod_exchange_fold *pod_exchange_fold_of_reduction(pod_reduction reduction)
{
    for (size_t i = 0; i < FOLD_COUNT && reduction != POD_REDUCE_ASSIGN; i++)
        if (folds[i].reduction == reduction)
            return &folds[i];
    return NULL;
}

double pod_exchange_fold_identity(pod_op op, pod_dtype dtype)
{
    const bool is_signed = dtype >= POD_S8 && dtype <= POD_S64;
    const int bits = 8 * (int)pod_dtype_size(dtype);
    double least = -INFINITY, most = INFINITY;
    if (!pod_dtype_is_float(dtype)) {
        least = is_signed ? -ldexp(1, bits - 1) : 0;
        most = ldexp(1, is_signed ? bits - 1 : bits) - 1;
    }
    switch (op) {
    case POD_OP_MULTIPLY:
        return 1;
    case POD_OP_MAXIMUM:
        return least;
    case POD_OP_MINIMUM:
        return most;
    case POD_OP_AND:
        return dtype == POD_BOOL ? 1 : is_signed ? -1 : most;
    default:
        return 0;
    }
}
