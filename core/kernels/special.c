#include "kernels/special.h"

#include <string.h>

#include "kernels/attention.h"
#include "kernels/kernels.h"
#include "kernels/reference/families.h"
#include "kernels/reference/walk.h"

/* A call as the functions of a kernel read it. */
static pod_kernel_call call_of(const pod_kernel *kernel, const pod_kernel_call *call, void *scratch)
{
    pod_kernel_call made = *call;
    made.form = kernel->form;
    made.scratch = scratch;
    return made;
}

int64_t pod_kernel_units(const pod_kernel *kernel, const pod_kernel_call *call)
{
    const pod_kernel_call asked = call_of(kernel, call, NULL);
    return kernel->units ? kernel->units(&asked) : 1;
}

size_t pod_kernel_scratch_bytes(const pod_kernel *kernel, const pod_kernel_call *call)
{
    const pod_kernel_call asked = call_of(kernel, call, NULL);
    return kernel->scratch_bytes ? kernel->scratch_bytes(&asked) : 0;
}

pod_status pod_kernel_run(const pod_kernel *kernel, const pod_kernel_call *call, int64_t begin, int64_t end,
                          void *scratch)
{
    const pod_kernel_call asked = call_of(kernel, call, scratch);
    return kernel->run(&asked, begin, end);
}

int64_t pod_kernel_line_units(const pod_kernel_call *call)
{
    const pod_shape *shape = &call->outputs[0].shape;
    return pod_kernel_dims_product(shape, 0, shape->rank - 2);
}

/* The first kernel of a table for a call; NULL: of any. */
static const pod_kernel *find_in(const pod_named_kernel *row, const char *op_name, const pod_kernel_call *call)
{
    for (; row->op != NULL; row++) {
        if (strcmp(row->op, op_name) != 0)
            continue;
        const pod_kernel_call asked = call ? call_of(&row->kernel, call, NULL) : (pod_kernel_call){0};
        if (!row->fits || row->fits(&asked))
            return &row->kernel;
    }
    return NULL;
}

/* The same of several tables. */
static const pod_kernel *find_among(const pod_named_kernel *const *tables, size_t count, const char *op_name,
                                    const pod_kernel_call *call)
{
    const pod_kernel *found = NULL;
    for (size_t i = 0; i < count && !found; i++)
        found = find_in(tables[i], op_name, call);
    return found;
}

const pod_kernel *pod_kernel_reference_kernel(const char *op_name)
{
    static const pod_named_kernel *const tables[] = {
        pod_reference_elementwise, pod_reference_fill,      pod_reference_movement, pod_reference_index,
        pod_reference_order,       pod_reference_reduction, pod_reference_product,  pod_reference_pooling,
    };
    return find_among(tables, sizeof tables / sizeof *tables, op_name, NULL);
}

const pod_kernel *pod_kernel_find(const pod_kernels *kernels, const char *op_name, const pod_kernel_call *call)
{
    const pod_named_kernel *const tables[] = {kernels->pools, kernels->windows, kernels->lines, kernels->depthwise};
    const pod_kernel *kernel = find_among(tables, sizeof tables / sizeof *tables, op_name, call);
    return kernel != NULL ? kernel : pod_kernel_reference_kernel(op_name);
}

const pod_kernel *pod_kernel_of_composite(const char *name, const pod_kernel_call *call)
{
    return find_in(pod_attention_kernels, name, call);
}
