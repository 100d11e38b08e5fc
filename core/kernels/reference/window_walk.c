#include "kernels/reference/window_walk.h"

pod_walk pod_kernel_spatial_walk(const int64_t size[POD_MAX_SPATIAL])
{
    pod_walk walk = {0};
    for (int i = 0; i < POD_MAX_SPATIAL; i++)
        pod_kernel_walk_add(&walk, size[i], 0, 0, 0);
    pod_kernel_walk_seek(&walk, 0);
    return walk;
}

int64_t pod_kernel_place_of(const int64_t size[POD_MAX_SPATIAL], const int64_t *at)
{
    return (at[0] * size[1] + at[1]) * size[2] + at[2];
}

bool pod_kernel_tap_source(const pod_window_sizes *sizes, const int64_t *out, const int64_t *tap, int64_t *place)
{
    int64_t in[POD_MAX_SPATIAL];
    for (int i = 0; i < POD_MAX_SPATIAL; i++) {
        in[i] = out[i] * sizes->stride[i] - sizes->pad[i] + tap[i] * sizes->dilation[i];
        if (in[i] < 0 || in[i] >= sizes->in[i])
            return false;
    }
    *place = pod_kernel_place_of(sizes->in, in);
    return true;
}

bool pod_kernel_tap_target(const pod_window_sizes *sizes, const int64_t *in, const int64_t *tap,
                           int64_t out[POD_MAX_SPATIAL])
{
    for (int i = 0; i < POD_MAX_SPATIAL; i++) {
        int64_t scaled = in[i] + sizes->pad[i] - tap[i] * sizes->dilation[i];
        out[i] = scaled / sizes->stride[i];
        if (scaled < 0 || scaled % sizes->stride[i] != 0 || out[i] >= sizes->out[i])
            return false;
    }
    return true;
}

int64_t pod_kernel_place_units(const pod_kernel_call *call)
{
    const pod_shape *shape = &call->outputs[0].shape;
    return pod_kernel_dims_product(shape, 0, shape->rank - 1);
}
