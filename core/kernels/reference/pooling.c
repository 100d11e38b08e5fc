#include "kernels/reference/families.h"
#include "kernels/reference/walk.h"
#include "kernels/reference/wide.h"
#include "kernels/reference/window_walk.h"
#include "kernels/scalar_math.h"

#include <string.h>

/* Returns the maximum of a window that is all padding. */
static pod_wide lowest(pod_dtype dtype)
{
    switch (pod_kernel_wide_kind_of(dtype)) {
    case POD_WIDE_FLOAT:
        return (pod_wide){.f = -INFINITY};
    case POD_WIDE_SIGNED:
        return (pod_wide){.s = INT64_MIN >> (64 - 8 * (int)pod_dtype_size(dtype))};
    default:
        return (pod_wide){.u = 0};
    }
}

/* Finds the maxima of a window in `count` channels, and the places of x where they are first (-1
 * when the window is all padding). `first` is the element of image and channel at place 0. */
static void window_maximum(const pod_array *x, const pod_window_sizes *sizes, const int64_t *out, int64_t first,
                           int64_t count, pod_lanes *best, int64_t *places)
{
    pod_wide_kind kind = pod_kernel_wide_kind_of(x->dtype);
    pod_walk taps = pod_kernel_spatial_walk(sizes->size);
    pod_lanes value;
    bool empty = true;
    pod_kernel_lanes_fill(best, lowest(x->dtype), count);
    for (int64_t i = 0; i < count; i++)
        places[i] = -1;
    for (int64_t tap = 0, end = pod_kernel_volume(sizes->size); tap < end; tap++, pod_kernel_walk_next(&taps)) {
        int64_t place;
        if (!pod_kernel_tap_source(sizes, out, taps.index, &place))
            continue;
        pod_kernel_lanes_load(x->dtype, pod_kernel_array_at(x, first + place * sizes->channels), 1, &value, count);
        for (int64_t i = 0; i < count; i++) {
            if (empty || pod_kernel_wide_wins(kind, false, value.u[i], best->u[i])) {
                best->u[i] = value.u[i];
                places[i] = place;
            }
        }
        empty = false;
    }
}

/* Computes channels channel .. channel + count - 1 of one place of the result. */
typedef void (*place_function)(const pod_kernel_call *call, const pod_window_sizes *sizes, int64_t image,
                               const int64_t *place, int64_t channel, int64_t count, pod_lanes *result);

static pod_status run_places(const pod_kernel_call *call, const pod_window_sizes *sizes,
                             const int64_t places[POD_MAX_SPATIAL], place_function function, int64_t begin, int64_t end)
{
    const pod_array *result = &call->outputs[0];
    int64_t per_image = pod_kernel_volume(places);
    pod_walk walk = pod_kernel_spatial_walk(places);
    if (begin >= end)
        return POD_OK;
    pod_kernel_walk_seek(&walk, begin % per_image);
    for (int64_t unit = begin; unit < end; unit++, pod_kernel_walk_next(&walk)) {
        for (int64_t channel = 0; channel < sizes->channels; channel += POD_WIDE_LANES) {
            int64_t left = sizes->channels - channel;
            int64_t count = left < POD_WIDE_LANES ? left : POD_WIDE_LANES;
            pod_lanes lanes;
            function(call, sizes, unit / per_image, walk.index, channel, count, &lanes);
            pod_kernel_lanes_store(result->dtype, pod_kernel_array_at(result, unit * sizes->channels + channel), &lanes,
                                   count);
        }
    }
    return POD_OK;
}

static void max_place(const pod_kernel_call *call, const pod_window_sizes *sizes, int64_t image, const int64_t *out,
                      int64_t channel, int64_t count, pod_lanes *result)
{
    int64_t places[POD_WIDE_LANES];
    int64_t first = image * pod_kernel_volume(sizes->in) * sizes->channels + channel;
    window_maximum(&call->inputs[0], sizes, out, first, count, result, places);
}

static void select_place(const pod_kernel_call *call, const pod_window_sizes *sizes, int64_t image, const int64_t *out,
                         int64_t channel, int64_t count, pod_lanes *result)
{
    const pod_array *u = &call->inputs[1];
    int64_t places[POD_WIDE_LANES];
    int64_t first = image * pod_kernel_volume(sizes->in) * sizes->channels + channel;
    window_maximum(&call->inputs[0], sizes, out, first, count, result, places);
    for (int64_t i = 0; i < count; i++) {
        result->u[i] = 0;
        if (places[i] >= 0)
            result->u[i] =
                pod_kernel_wide_load(u->dtype, pod_kernel_array_at(u, first + places[i] * sizes->channels + i)).u;
    }
}

static void sum_place(const pod_kernel_call *call, const pod_window_sizes *sizes, int64_t image, const int64_t *out,
                      int64_t channel, int64_t count, pod_lanes *result)
{
    const pod_array *x = &call->inputs[0];
    bool is_float = pod_dtype_is_float(x->dtype);
    int64_t first = image * pod_kernel_volume(sizes->in) * sizes->channels + channel;
    pod_walk taps = pod_kernel_spatial_walk(sizes->size);
    pod_lanes value;
    pod_kernel_lanes_fill(result, (pod_wide){0}, count);
    for (int64_t tap = 0, end = pod_kernel_volume(sizes->size); tap < end; tap++, pod_kernel_walk_next(&taps)) {
        int64_t place;
        if (!pod_kernel_tap_source(sizes, out, taps.index, &place))
            continue;
        pod_kernel_lanes_load(x->dtype, pod_kernel_array_at(x, first + place * sizes->channels), 1, &value, count);
        for (int64_t i = 0; i < count; i++) {
            if (is_float)
                result->f[i] += value.f[i];
            else
                result->u[i] += value.u[i];
        }
    }
}

/* Adds g of one window to the lanes for which `places` is NULL or says that `place` has the
 * maximum. */
static void add_gradient(const pod_array *g, int64_t element, const int64_t *places, int64_t place, int64_t count,
                         pod_lanes *result)
{
    bool is_float = pod_dtype_is_float(g->dtype);
    pod_lanes value;
    pod_kernel_lanes_load(g->dtype, pod_kernel_array_at(g, element), 1, &value, count);
    for (int64_t i = 0; i < count; i++) {
        if (places != NULL && places[i] != place)
            continue;
        if (is_float)
            result->f[i] += value.f[i];
        else
            result->u[i] += value.u[i];
    }
}

/* The gradient at one place of x: goes through the windows that cover it, in the order of the taps.
 */
static void gradient_place(const pod_kernel_call *call, const pod_window_sizes *sizes, int64_t image, const int64_t *in,
                           int64_t channel, int64_t count, pod_lanes *result)
{
    const pod_array *g = &call->inputs[call->input_count - 1];
    const pod_array *x = call->input_count == 2 ? &call->inputs[0] : NULL;
    int64_t first = image * pod_kernel_volume(sizes->in) * sizes->channels + channel;
    int64_t here = pod_kernel_place_of(sizes->in, in);
    pod_walk taps = pod_kernel_spatial_walk(sizes->size);
    pod_lanes best;
    int64_t places[POD_WIDE_LANES];
    pod_kernel_lanes_fill(result, (pod_wide){0}, count);
    for (int64_t tap = 0, end = pod_kernel_volume(sizes->size); tap < end; tap++, pod_kernel_walk_next(&taps)) {
        int64_t out[POD_MAX_SPATIAL];
        if (!pod_kernel_tap_target(sizes, in, taps.index, out))
            continue;
        if (x != NULL)
            window_maximum(x, sizes, out, first, count, &best, places);
        int64_t window = image * pod_kernel_volume(sizes->out) + pod_kernel_place_of(sizes->out, out);
        add_gradient(g, window * sizes->channels + channel, x != NULL ? places : NULL, here, count, result);
    }
}

enum { MAX, MAX_SELECT, SUM };

static pod_status pooling_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    static const place_function functions[] = {[MAX] = max_place, [MAX_SELECT] = select_place, [SUM] = sum_place};
    pod_window_sizes sizes =
        pod_kernel_window_sizes(&call->attributes->window, &call->inputs[0].shape, NULL, &call->outputs[0].shape);
    return run_places(call, &sizes, sizes.out, functions[call->form], begin, end);
}

/* pool_max_gradient of x and g, and pool_sum_gradient of g alone. */
static pod_status pool_gradient_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    pod_window_sizes sizes = pod_kernel_window_sizes(&call->attributes->window, &call->outputs[0].shape, NULL,
                                                     &call->inputs[call->input_count - 1].shape);
    return run_places(call, &sizes, sizes.in, gradient_place, begin, end);
}

const pod_named_kernel pod_reference_pooling[] = {
    {"pool_max", NULL, {pod_kernel_place_units, pooling_run, NULL, MAX}},
    {"pool_max_select", NULL, {pod_kernel_place_units, pooling_run, NULL, MAX_SELECT}},
    {"pool_max_gradient", NULL, {pod_kernel_place_units, pool_gradient_run, NULL, 0}},
    {"pool_sum", NULL, {pod_kernel_place_units, pooling_run, NULL, SUM}},
    {"pool_sum_gradient", NULL, {pod_kernel_place_units, pool_gradient_run, NULL, 0}},
    {.op = NULL},
};
