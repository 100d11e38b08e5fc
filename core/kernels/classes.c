#include "kernels/kernels.h"

pod_class pod_class_of(pod_dtype dtype)
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

size_t pod_class_size(pod_class class_)
{
    return class_ == POD_CLASS_F64 || class_ == POD_CLASS_S64 || class_ == POD_CLASS_U64 ? 8 : 4;
}
