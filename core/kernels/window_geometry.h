#ifndef POD_KERNELS_WINDOW_GEOMETRY_H
#define POD_KERNELS_WINDOW_GEOMETRY_H

/* window_geometry - sizes of windowed ops, and which taps of a window lie inside. */

#include "base/sizes.h"
#include "moonpod/graph.h"

#include <stdbool.h>

/* Sizes; x is [batch, in..., channels], a kernel [size..., channels / groups, filters] and the result of the forward
 * form [batch, out..., filters]. Missing spatial axes come first and are 1. */
typedef struct pod_window_sizes {
    int64_t batch, channels, filters, groups; /* a pooling has as many filters as channels */
    int64_t in[POD_MAX_SPATIAL], out[POD_MAX_SPATIAL], size[POD_MAX_SPATIAL];
    int64_t stride[POD_MAX_SPATIAL], pad[POD_MAX_SPATIAL], dilation[POD_MAX_SPATIAL];
} pod_window_sizes;

/* Finds the sizes from the window and the shapes of x, the kernel (NULL: a pooling has none) and the forward result; a
 * size, stride or dilation of 0 means 1. */
static inline pod_window_sizes pod_kernel_window_sizes(const pod_window *window, const pod_shape *x,
                                                       const pod_shape *kernel, const pod_shape *result)
{
    const int missing = POD_MAX_SPATIAL - (x->rank - 2);
    pod_window_sizes sizes = {.batch = x->dims[0],
                              .channels = x->dims[x->rank - 1],
                              .filters = kernel ? kernel->dims[kernel->rank - 1] : x->dims[x->rank - 1],
                              .groups = pod_larger(window->groups, 1)};
    for (int i = 0; i < POD_MAX_SPATIAL; i++) {
        const int axis = i - missing;
        const bool given = axis >= 0;
        sizes.in[i] = given ? x->dims[axis + 1] : 1;
        sizes.out[i] = given ? result->dims[axis + 1] : 1;
        sizes.size[i] = !given ? 1 : kernel ? kernel->dims[axis] : pod_larger(window->size[axis], 1);
        sizes.stride[i] = given ? pod_larger(window->stride[axis], 1) : 1;
        sizes.dilation[i] = given ? pod_larger(window->dilation[axis], 1) : 1;
        sizes.pad[i] = given ? window->pad_low[axis] : 0;
    }
    return sizes;
}

static inline int64_t pod_kernel_volume(const int64_t size[POD_MAX_SPATIAL])
{
    return size[0] * size[1] * size[2];
}

/* The taps of one window that lie inside: places of x in row-major order. */
typedef struct window_taps {
    int64_t first[POD_MAX_SPATIAL], last[POD_MAX_SPATIAL]; /* taps from first to last - 1 */
    int64_t origin[POD_MAX_SPATIAL];                       /* of tap 0, may lie outside */
    int64_t window;                                        /* its number, where a kernel needs it */
} window_taps;

/* Finds the taps of window `out` along one axis. */
static inline void find_taps(const pod_window_sizes *g, int axis, int64_t out, window_taps *taps)
{
    int64_t origin = out * g->stride[axis] - g->pad[axis], step = g->dilation[axis];
    if (origin >= 0 && origin + (g->size[axis] - 1) * step < g->in[axis]) {
        taps->origin[axis] = origin;
        taps->first[axis] = 0;
        taps->last[axis] = g->size[axis];
        return;
    }
    int64_t first = origin < 0 ? pod_part_count(-origin, step) : 0;
    int64_t last = origin < g->in[axis] ? pod_part_count(g->in[axis] - origin, step) : 0;
    taps->origin[axis] = origin;
    taps->first[axis] = first;
    taps->last[axis] = pod_smaller(last, g->size[axis]);
}

/* Calls the body for each tap inside: `tap` is its number, `place` the place of x. */
#define FOR_TAPS(g, taps, tap, place)                                                                                  \
    for (int64_t k0 = (taps)->first[0]; k0 < (taps)->last[0]; k0++)                                                    \
        for (int64_t k1 = (taps)->first[1]; k1 < (taps)->last[1]; k1++)                                                \
            for (int64_t k2 = (taps)->first[2], tap = (k0 * (g)->size[1] + k1) * (g)->size[2] + k2,                    \
                         place = (((taps)->origin[0] + k0 * (g)->dilation[0]) * (g)->in[1] + (taps)->origin[1] +       \
                                  k1 * (g)->dilation[1]) *                                                             \
                                     (g)->in[2] +                                                                      \
                                 (taps)->origin[2] + k2 * (g)->dilation[2];                                            \
                 k2 < (taps)->last[2]; k2++, tap++, place += (g)->dilation[2])

#endif
