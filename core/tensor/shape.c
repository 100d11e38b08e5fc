#include "moonpod/tensor.h"

#include <stdio.h>

#include "base/checked.h"

int64_t pod_shape_elements(const pod_shape *shape)
{
    int64_t elements = 1;
    bool empty = false;
    if (shape->rank < 0 || shape->rank > POD_MAX_RANK)
        return -1;
    for (int32_t i = 0; i < shape->rank; i++) {
        if (shape->dims[i] < 0)
            return -1;
        if (shape->dims[i] == 0)
            empty = true;
        else if (pod_multiply_overflows(elements, shape->dims[i], &elements))
            return -1;
    }
    return empty ? 0 : elements;
}

bool pod_shape_equal(const pod_shape *a, const pod_shape *b)
{
    if (a->rank != b->rank)
        return false;
    for (int32_t i = 0; i < a->rank; i++)
        if (a->dims[i] != b->dims[i])
            return false;
    return true;
}

const char *pod_shape_format(const pod_shape *shape, char text[POD_SHAPE_TEXT_SIZE])
{
    int used = snprintf(text, POD_SHAPE_TEXT_SIZE, "(");
    for (int32_t i = 0; i < shape->rank && i < POD_MAX_RANK; i++)
        used += snprintf(text + used, (size_t)(POD_SHAPE_TEXT_SIZE - used), "%s%lld", i > 0 ? ", " : "",
                         (long long)shape->dims[i]);
    snprintf(text + used, (size_t)(POD_SHAPE_TEXT_SIZE - used), shape->rank == 1 ? ",)" : ")");
    return text;
}
