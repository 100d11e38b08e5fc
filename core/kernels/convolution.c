#include "kernels/convolution.h"

#include "kernels/convolution_direct.h"
#include "kernels/convolution_phases.h"
#include "base/sizes.h"

#include <string.h>

void pod_kernel_convolution_products(const pod_convolution_call *call, int phase, int64_t *products, int64_t *rows,
                                     int64_t *columns, int64_t *depth)
{
    const pod_window_sizes *z = &call->sizes;
    int64_t places = z->batch, taps = 1, channels = z->channels / z->groups;
    for (int i = 0; i < POD_MAX_SPATIAL; i++) {
        places *= z->out[i];
        taps *= z->size[i];
    }
    bool gradient = call->kind == POD_CONVOLVE_KERNEL_GRADIENT;
    bool input = call->kind == POD_CONVOLVE_INPUT_GRADIENT;
    *products = phase == POD_CONVOLUTION_PRODUCT ? z->groups : 0;
    *rows = gradient ? taps * channels : places;
    *depth = gradient ? places : taps * (input ? z->filters / z->groups : channels);
    *columns = input ? channels : z->filters / z->groups;
}

int64_t pod_kernel_convolution_units(const pod_convolution_call *call, int phase)
{
    if (call->kind == POD_CONVOLVE_KERNEL_GRADIENT)
        return pod_kernel_gradient_units(call, phase);
    if (!pod_kernel_direct_fits(call))
        return pod_kernel_convolution_rows_units(call, phase);
    return phase == POD_CONVOLUTION_PACK ? 1 : phase == POD_CONVOLUTION_PRODUCT ? pod_kernel_direct_blocks(call) : 0;
}

size_t pod_kernel_convolution_shared_bytes(const pod_convolution_call *call)
{
    if (call->kind == POD_CONVOLVE_KERNEL_GRADIENT)
        return pod_kernel_gradient_shared_bytes(call);
    return pod_kernel_direct_fits(call) ? pod_kernel_direct_packed_bytes(call)
                                        : pod_kernel_convolution_rows_shared_bytes(call);
}

size_t pod_kernel_convolution_scratch_bytes(const pod_convolution_call *call)
{
    if (call->kind == POD_CONVOLVE_KERNEL_GRADIENT)
        return pod_kernel_gradient_scratch_bytes(call);
    return pod_kernel_direct_fits(call) ? pod_kernel_direct_scratch_bytes(call)
                                        : pod_kernel_convolution_rows_scratch_bytes(call);
}

void pod_kernel_convolution_run(const pod_convolution_call *call, int phase, int64_t begin, int64_t end, void *shared,
                                void *scratch)
{
    if (begin >= end)
        return;
    if (call->kind == POD_CONVOLVE_KERNEL_GRADIENT)
        pod_kernel_gradient_run(call, phase, begin, end, shared, scratch);
    else if (!pod_kernel_direct_fits(call))
        pod_kernel_convolution_rows_run(call, phase, begin, end, shared, scratch);
    else if (phase == POD_CONVOLUTION_PACK)
        pod_kernel_direct_pack(call, shared);
    else
        pod_kernel_direct_multiply(call, begin, end, shared, scratch);
}
