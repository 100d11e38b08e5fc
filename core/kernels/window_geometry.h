#ifndef POD_KERNELS_WINDOW_GEOMETRY_H
#define POD_KERNELS_WINDOW_GEOMETRY_H

/*
 * window_geometry - sizes of windowed ops, and which taps of a window lie inside. For the files of
 * core/kernels/multi.
 */

#include "base/sizes.h"
#include "moonpod/graph.h"

#include <stdbool.h>

/* Sizes of a windowed op; x is [images, in..., channels] and the result of the forward form
 * [images, out..., channels]. Missing spatial axes come first and have size 1. */
typedef struct geometry {
    int64_t images, channels;
    int64_t in[POD_MAX_SPATIAL], out[POD_MAX_SPATIAL], size[POD_MAX_SPATIAL];
    int64_t stride[POD_MAX_SPATIAL], pad[POD_MAX_SPATIAL], dilation[POD_MAX_SPATIAL];
} geometry;

/* Finds the sizes from the window and the shapes of x and the forward result. */
static inline geometry find_geometry(const pod_window *window, const pod_shape *x, const pod_shape *result)
{
    geometry g = {.images = x->dims[0], .channels = x->dims[x->rank - 1]};
    int spatial = x->rank - 2, missing = POD_MAX_SPATIAL - spatial;
    for (int axis = 0; axis < POD_MAX_SPATIAL; axis++) {
        int i = axis - missing;
        g.in[axis] = i >= 0 ? x->dims[i + 1] : 1;
        g.out[axis] = i >= 0 ? result->dims[i + 1] : 1;
        g.size[axis] = i >= 0 && window->size[i] > 0 ? window->size[i] : 1;
        g.stride[axis] = i >= 0 && window->stride[i] > 0 ? window->stride[i] : 1;
        g.dilation[axis] = i >= 0 && window->dilation[i] > 0 ? window->dilation[i] : 1;
        g.pad[axis] = i >= 0 ? window->pad_low[i] : 0;
    }
    return g;
}

static inline int64_t volume(const int64_t size[POD_MAX_SPATIAL])
{
    return size[0] * size[1] * size[2];
}

static inline int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The taps of one window that lie inside: places of x in row-major order. */
typedef struct window_taps {
    int64_t first[POD_MAX_SPATIAL], last[POD_MAX_SPATIAL]; /* taps from first to last - 1 */
    int64_t origin[POD_MAX_SPATIAL];                       /* of tap 0, may lie outside */
    int64_t window;                                        /* its number, where a kernel needs it */
} window_taps;

/* Finds the taps of window `out` along one axis. */
static inline void find_taps(const geometry *g, int axis, int64_t out, window_taps *taps)
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
    taps->last[axis] = least(last, g->size[axis]);
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
