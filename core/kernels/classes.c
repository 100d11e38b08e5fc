#include "kernels/kernels.h"

const pod_block_op pod_fold_elements[POD_FOLD_COUNT] = {
    [POD_FOLD_SUM] = POD_BLOCK_OP_ADD,     [POD_FOLD_PRODUCT] = POD_BLOCK_OP_MULTIPLY,
    [POD_FOLD_MAX] = POD_BLOCK_OP_MAXIMUM, [POD_FOLD_MIN] = POD_BLOCK_OP_MINIMUM,
    [POD_FOLD_AND] = POD_BLOCK_OP_AND,     [POD_FOLD_OR] = POD_BLOCK_OP_OR,
};

pod_class pod_kernel_class_of(pod_dtype dtype)
{
    switch (dtype) {
    case POD_F16:
    case POD_BF16:
    case POD_F32:
        return POD_CLASS_F32;
    case POD_F64:
        return POD_CLASS_F64;
    case POD_U8:
    case POD_U16:
    case POD_U32:
        return POD_CLASS_U32;
    case POD_S64:
        return POD_CLASS_S64;
    case POD_U64:
        return POD_CLASS_U64;
    default:
        return POD_CLASS_S32;
    }
}

size_t pod_kernel_class_size(pod_class class_)
{
    return class_ == POD_CLASS_F64 || class_ == POD_CLASS_S64 || class_ == POD_CLASS_U64 ? 8 : 4;
}

bool pod_kernel_block_op_tests(pod_block_op op)
{
    switch (op) {
    case POD_BLOCK_OP_EQ:
    case POD_BLOCK_OP_NE:
    case POD_BLOCK_OP_LT:
    case POD_BLOCK_OP_LE:
    case POD_BLOCK_OP_GT:
    case POD_BLOCK_OP_GE:
    case POD_BLOCK_OP_IS_FINITE:
        return true;
    default:
        return false;
    }
}
