#include "kernels/reference.h"

#include "kernels/reference/families.h"

#include <string.h>

const pod_kernel *pod_kernel_reference_kernel(const char *op_name)
{
    static const pod_named_kernel *const families[] = {
        pod_reference_elementwise, pod_reference_fill,      pod_reference_movement, pod_reference_index,
        pod_reference_order,       pod_reference_reduction, pod_reference_product,  pod_reference_pooling,
    };
    for (size_t family = 0; family < sizeof families / sizeof *families; family++) {
        for (const pod_named_kernel *row = families[family]; row->name != NULL; row++) {
            if (strcmp(row->name, op_name) == 0)
                return &row->kernel;
        }
    }
    return NULL;
}
