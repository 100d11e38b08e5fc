#include "moonpod/tensor.h"

#include <string.h>

typedef struct dtype_row {
    const char *name, *xla_name;
    size_t size;
} dtype_row;

static const dtype_row rows[POD_DTYPE_END] = {[POD_DTYPE_NONE] = {"none", "none", 0},
#define X(enumerator, long_name, xla_name, bytes) [enumerator] = {long_name, xla_name, bytes},
                                              POD_DTYPE_LIST(X)
#undef X
};

static const dtype_row *row_of(pod_dtype dtype)
{
    const int number = (int)dtype;
    return &rows[number > 0 && number < POD_DTYPE_END ? number : POD_DTYPE_NONE];
}

size_t pod_dtype_size(pod_dtype dtype)
{
    return row_of(dtype)->size;
}

const char *pod_dtype_name(pod_dtype dtype)
{
    return row_of(dtype)->name;
}

const char *pod_dtype_xla_name(pod_dtype dtype)
{
    return row_of(dtype)->xla_name;
}

pod_dtype pod_dtype_from_name(const char *name)
{
    for (int i = POD_DTYPE_NONE + 1; name && i < POD_DTYPE_END; i++)
        if (strcmp(name, rows[i].name) == 0 || strcmp(name, rows[i].xla_name) == 0)
            return (pod_dtype)i;
    return POD_DTYPE_NONE;
}

bool pod_dtype_is_float(pod_dtype dtype)
{
    return dtype >= POD_F16 && dtype <= POD_F64;
}

bool pod_dtype_is_integer(pod_dtype dtype)
{
    return dtype >= POD_S8 && dtype <= POD_U64;
}
