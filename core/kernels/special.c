#include "kernels/special.h"

#include <string.h>

#include "kernels/attention.h"
#include "kernels/kernels.h"

static const pod_kernel *find_in(const pod_special_kernel *row, const char *op_name, const pod_kernel_call *call)
{
    for (; row != NULL && row->op != NULL; row++) {
        if (strcmp(row->op, op_name) == 0 && row->fits(call))
            return &row->kernel;
    }
    return NULL;
}

const pod_kernel *pod_kernel_find(const pod_kernels *kernels, const char *op_name, const pod_kernel_call *call)
{
    const pod_kernel *kernel = find_in(kernels->pools, op_name, call);
    if (kernel == NULL)
        kernel = find_in(kernels->windows, op_name, call);
    if (kernel == NULL)
        kernel = find_in(kernels->lines, op_name, call);
    if (kernel == NULL)
        kernel = find_in(kernels->depthwise, op_name, call);
    return kernel != NULL ? kernel : pod_kernel_reference_kernel(op_name);
}

const pod_kernel *pod_kernel_of_composite(const char *name, const pod_kernel_call *call)
{
    return find_in(pod_attention_kernels, name, call);
}
