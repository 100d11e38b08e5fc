#include "kernels/convolution.h"

#include "kernels/convolution_direct.h"
#include "kernels/convolution_phases.h"
#include "kernels/convolution_winograd.h"
#include "base/sizes.h"

#include <string.h>

bool pod_kernel_convolution_is_depthwise(const pod_convolution_call *call)
{
    return call->depthwise != NULL && call->depthwise->fits(call);
}

static const pod_convolution_way *way_of(const pod_convolution_call *call)
{
    if (call->kind == POD_CONVOLVE_KERNEL_GRADIENT)
        return &pod_convolution_gradient;
    if (pod_kernel_convolution_is_depthwise(call))
        return call->depthwise;
    if (pod_kernel_direct_fits(call))
        return &pod_convolution_direct;
    return pod_kernel_winograd_fits(call) ? &pod_convolution_winograd : &pod_convolution_by_rows;
}

void pod_kernel_convolution_products(const pod_convolution_call *call, int phase, int64_t *products, int64_t *rows,
                                     int64_t *columns, int64_t *depth)
{
    const pod_window_sizes *z = &call->sizes;
    int64_t places = z->batch * pod_kernel_volume(z->out), taps = pod_kernel_volume(z->size);
    int64_t channels = z->channels / z->groups;
    bool gradient = call->kind == POD_CONVOLVE_KERNEL_GRADIENT;
    bool input = call->kind == POD_CONVOLVE_INPUT_GRADIENT;
    *products = phase == POD_CONVOLUTION_PRODUCT ? z->groups : 0;
    *rows = gradient ? taps * channels : places;
    *depth = gradient ? places : taps * (input ? z->filters / z->groups : channels);
    *columns = input ? channels : z->filters / z->groups;
    if (*products && way_of(call) == &pod_convolution_winograd) {
        pod_kernel_winograd_products(call, products, rows);
        *depth /= taps;
    }
}

bool pod_kernel_convolution_finishes(const pod_convolution_call *call, pod_dtype dtype)
{
    const pod_window_sizes *z = &call->sizes;
    const pod_convolution_way *way = way_of(call);
    const int64_t columns = call->kind == POD_CONVOLVE_INPUT_GRADIENT ? z->channels : z->filters;
    return way->finishes && columns % POD_FINISH_LANES == 0 && way->finishes(call, dtype);
}

int64_t pod_kernel_convolution_images(const pod_convolution_call *call)
{
    return way_of(call) == &pod_convolution_winograd ? pod_kernel_winograd_images(call) : 1;
}

int64_t pod_kernel_convolution_units(const pod_convolution_call *call, int phase)
{
    return way_of(call)->units(call, phase);
}

size_t pod_kernel_convolution_shared_bytes(const pod_convolution_call *call)
{
    return way_of(call)->shared_bytes(call);
}

size_t pod_kernel_convolution_scratch_bytes(const pod_convolution_call *call)
{
    return way_of(call)->scratch_bytes(call);
}

void pod_kernel_convolution_run(const pod_convolution_call *call, int phase, int64_t begin, int64_t end, void *shared,
                                void *scratch)
{
    if (begin < end)
        way_of(call)->run(call, phase, begin, end, shared, scratch);
}
