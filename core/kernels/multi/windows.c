/*
 * Pooling and depthwise convolutions of f16, bf16 and f32, vectorised over channels: see special.h.
 * Sums are made in f32.
 */

#include "kernels/block_formats.h"
#include "kernels/special.h"

/* Channels that are computed side by side. */
#define CHANNELS 64

/* Sizes of a windowed op; x is [images, in..., channels] and the result of the forward form
 * [images, out..., channels]. Missing spatial axes come first and have size 1. */
typedef struct geometry {
    int64_t images, channels;
    int64_t in[POD_MAX_SPATIAL], out[POD_MAX_SPATIAL], size[POD_MAX_SPATIAL];
    int64_t stride[POD_MAX_SPATIAL], pad[POD_MAX_SPATIAL], dilation[POD_MAX_SPATIAL];
} geometry;

/* Finds the sizes from the window and the shapes of x and the forward result. */
static geometry find_geometry(const pod_window *window, const pod_shape *x, const pod_shape *result)
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

/* The same for a depthwise convolution, whose window is the kernel's leading axes. */
static geometry find_depthwise(const pod_window *window, const pod_shape *x,
                               const pod_shape *kernel, const pod_shape *result)
{
    pod_window sized = *window;
    for (int i = 0; i < kernel->rank - 2; i++)
        sized.size[i] = kernel->dims[i];
    return find_geometry(&sized, x, result);
}

static int64_t volume(const int64_t size[POD_MAX_SPATIAL])
{
    return size[0] * size[1] * size[2];
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The taps of one window that lie inside: places of x in row-major order. */
typedef struct window_taps {
    int64_t first[POD_MAX_SPATIAL], last[POD_MAX_SPATIAL]; /* taps from first to last - 1 */
    int64_t origin[POD_MAX_SPATIAL];                       /* of tap 0, may lie outside */
} window_taps;

/* Finds the taps of window `out` along one axis. */
static void find_taps(const geometry *g, int axis, int64_t out, window_taps *taps)
{
    int64_t origin = out * g->stride[axis] - g->pad[axis], step = g->dilation[axis];
    int64_t first = origin < 0 ? (-origin + step - 1) / step : 0;
    int64_t last = origin < g->in[axis] ? (g->in[axis] - origin + step - 1) / step : 0;
    taps->origin[axis] = origin;
    taps->first[axis] = first;
    taps->last[axis] = least(last, g->size[axis]);
}

/* Calls the body for each tap inside: `tap` is its number, `place` the place of x. */
#define FOR_TAPS(g, taps, tap, place)                                                              \
    for (int64_t k0 = (taps)->first[0]; k0 < (taps)->last[0]; k0++)                                \
        for (int64_t k1 = (taps)->first[1]; k1 < (taps)->last[1]; k1++)                            \
            for (int64_t k2 = (taps)->first[2],                                                    \
                         tap = (k0 * (g)->size[1] + k1) * (g)->size[2] + k2,                       \
                         place = (((taps)->origin[0] + k0 * (g)->dilation[0]) * (g)->in[1] +       \
                                  (taps)->origin[1] + k1 * (g)->dilation[1]) *                     \
                                     (g)->in[2] +                                                  \
                                 (taps)->origin[2] + k2 * (g)->dilation[2];                        \
                 k2 < (taps)->last[2]; k2++, tap++, place += (g)->dilation[2])

/* Returns `count` elements as f32: where they lie, or widened into `room`. */
static inline const float *floats_at(const pod_array *array, int64_t first, float *room,
                                     int64_t count)
{
    if (array->dtype == POD_F32)
        return (const float *)array->data + first;
    read_floats(array->dtype, array->data, first, room, count);
    return room;
}

/* ---- forward: a unit is a line of windows
 * -------------------------------------------------------------- */

/* Computes `count` channels of one window; `first` is the element of the image's place 0 and the
 * first channel. */
typedef void (*window_function)(const pod_kernel_call *call, const geometry *g,
                                const window_taps *taps, int64_t first, int64_t channel,
                                int64_t count, float *result);

static void max_window(const pod_kernel_call *call, const geometry *g, const window_taps *taps,
                       int64_t first, int64_t channel, int64_t count, float *result)
{
    (void)channel;
    float room[CHANNELS];
    for (int64_t i = 0; i < count; i++)
        result[i] = -INFINITY;
    FOR_TAPS(g, taps, tap, place)
    {
        const float *x = floats_at(&call->inputs[0], first + place * g->channels, room, count);
        for (int64_t i = 0; i < count; i++)
            result[i] = maximum_f32(x[i], result[i]);
    }
}

static void sum_window(const pod_kernel_call *call, const geometry *g, const window_taps *taps,
                       int64_t first, int64_t channel, int64_t count, float *result)
{
    (void)channel;
    float room[CHANNELS];
    memset(result, 0, (size_t)count * sizeof *result);
    FOR_TAPS(g, taps, tap, place)
    {
        const float *x = floats_at(&call->inputs[0], first + place * g->channels, room, count);
        for (int64_t i = 0; i < count; i++)
            result[i] += x[i];
    }
}

/* Finds for each channel the first tap with the maximum, or the first with NaN; -1 in a window that
 * is all padding. */
static void find_maxima(const pod_array *x, const geometry *g, const window_taps *taps,
                        int64_t first, int64_t count, int32_t *winner)
{
    float best[CHANNELS], room[CHANNELS];
    for (int64_t i = 0; i < CHANNELS; i++) {
        best[i] = -INFINITY;
        winner[i] = -1;
    }
    FOR_TAPS(g, taps, tap, place)
    {
        const float *value = floats_at(x, first + place * g->channels, room, count);
        for (int64_t i = 0; i < count; i++) {
            int is_new = (winner[i] < 0) | (value[i] > best[i]) |
                         ((value[i] != value[i]) & (best[i] == best[i]));
            best[i] = is_new ? value[i] : best[i];
            winner[i] = is_new ? (int32_t)tap : winner[i];
        }
    }
}

static void select_window(const pod_kernel_call *call, const geometry *g, const window_taps *taps,
                          int64_t first, int64_t channel, int64_t count, float *result)
{
    (void)channel;
    float room[CHANNELS];
    int32_t winner[CHANNELS];
    find_maxima(&call->inputs[0], g, taps, first, count, winner);
    memset(result, 0, (size_t)count * sizeof *result);
    FOR_TAPS(g, taps, tap, place)
    {
        const float *u = floats_at(&call->inputs[1], first + place * g->channels, room, count);
        for (int64_t i = 0; i < count; i++)
            result[i] = winner[i] == (int32_t)tap ? u[i] : result[i];
    }
}

static void depthwise_window(const pod_kernel_call *call, const geometry *g,
                             const window_taps *taps, int64_t first, int64_t channel, int64_t count,
                             float *result)
{
    float room[CHANNELS], kernel_room[CHANNELS];
    memset(result, 0, (size_t)count * sizeof *result);
    FOR_TAPS(g, taps, tap, place)
    {
        const float *x = floats_at(&call->inputs[0], first + place * g->channels, room, count);
        const float *weight =
            floats_at(&call->inputs[1], tap * g->channels + channel, kernel_room, count);
        for (int64_t i = 0; i < count; i++)
            result[i] = mul_add(x[i], weight[i], result[i]);
    }
}

/* Lines of windows: all but the last spatial axis. */
static int64_t line_units(const pod_kernel_call *call)
{
    const pod_shape *shape = &call->outputs[0].shape;
    int64_t units = 1;
    for (int axis = 0; axis < shape->rank - 2; axis++)
        units *= shape->dims[axis];
    return units;
}

static void run_line(const pod_kernel_call *call, const geometry *g, window_function function,
                     int64_t unit)
{
    const pod_array *result = &call->outputs[0];
    int64_t row = unit / g->out[1], image = row / g->out[0];
    float lanes[CHANNELS];
    window_taps taps;
    find_taps(g, 0, row % g->out[0], &taps);
    find_taps(g, 1, unit % g->out[1], &taps);
    for (int64_t column = 0; column < g->out[2]; column++) {
        find_taps(g, 2, column, &taps);
        for (int64_t channel = 0; channel < g->channels; channel += CHANNELS) {
            int64_t count = least(g->channels - channel, CHANNELS);
            function(call, g, &taps, image * volume(g->in) * g->channels + channel, channel, count,
                     lanes);
            write_floats(result->dtype, result->data,
                         (unit * g->out[2] + column) * g->channels + channel, lanes, count);
        }
    }
}

static pod_status run_pooling(const pod_kernel_call *call, window_function function, int64_t begin,
                              int64_t end)
{
    geometry g =
        find_geometry(&call->attributes->window, &call->inputs[0].shape, &call->outputs[0].shape);
    for (int64_t unit = begin; unit < end; unit++)
        run_line(call, &g, function, unit);
    return POD_OK;
}

static pod_status pool_max_run(const pod_kernel_call *call, int64_t begin, int64_t end,
                               void *scratch)
{
    (void)scratch;
    return run_pooling(call, max_window, begin, end);
}

static pod_status pool_sum_run(const pod_kernel_call *call, int64_t begin, int64_t end,
                               void *scratch)
{
    (void)scratch;
    return run_pooling(call, sum_window, begin, end);
}

static pod_status pool_max_select_run(const pod_kernel_call *call, int64_t begin, int64_t end,
                                      void *scratch)
{
    (void)scratch;
    return run_pooling(call, select_window, begin, end);
}

static pod_status depthwise_run(const pod_kernel_call *call, int64_t begin, int64_t end,
                                void *scratch)
{
    (void)scratch;
    geometry g = find_depthwise(&call->attributes->window, &call->inputs[0].shape,
                                &call->inputs[1].shape, &call->outputs[0].shape);
    for (int64_t unit = begin; unit < end; unit++)
        run_line(call, &g, depthwise_window, unit);
    return POD_OK;
}

/* ---- gradients of x: a unit is a block of channels of an image
 * -------------------------------------------- */

/* Adds what one window gives back to `sum` [places of x][stride]. */
typedef void (*spread_function)(const pod_kernel_call *call, const geometry *g,
                                const window_taps *taps, int64_t image, int64_t channel,
                                int64_t count, const float *given, float *sum, int64_t stride);

static void spread_sum(const pod_kernel_call *call, const geometry *g, const window_taps *taps,
                       int64_t image, int64_t channel, int64_t count, const float *given,
                       float *sum, int64_t stride)
{
    (void)call;
    (void)image;
    (void)channel;
    FOR_TAPS(g, taps, tap, place)
    {
        float *to = sum + place * stride;
#pragma GCC ivdep
        for (int64_t i = 0; i < count; i++)
            to[i] += given[i];
    }
}

static void spread_max(const pod_kernel_call *call, const geometry *g, const window_taps *taps,
                       int64_t image, int64_t channel, int64_t count, const float *given,
                       float *sum, int64_t stride)
{
    int32_t winner[CHANNELS];
    find_maxima(&call->inputs[0], g, taps, image * volume(g->in) * g->channels + channel, count,
                winner);
    FOR_TAPS(g, taps, tap, place)
    {
        float *to = sum + place * stride;
#pragma GCC ivdep
        for (int64_t i = 0; i < count; i++)
            to[i] += winner[i] == (int32_t)tap ? given[i] : 0.0f;
    }
}

static void spread_depthwise(const pod_kernel_call *call, const geometry *g,
                             const window_taps *taps, int64_t image, int64_t channel, int64_t count,
                             const float *given, float *sum, int64_t stride)
{
    (void)image;
    float room[CHANNELS];
    FOR_TAPS(g, taps, tap, place)
    {
        const float *weight = floats_at(&call->inputs[1], tap * g->channels + channel, room, count);
        float *to = sum + place * stride;
#pragma GCC ivdep
        for (int64_t i = 0; i < count; i++)
            to[i] = mul_add(given[i], weight[i], to[i]);
    }
}

static int64_t spread_units(const pod_kernel_call *call)
{
    const pod_shape *shape = &call->outputs[0].shape;
    return shape->dims[0] * ((shape->dims[shape->rank - 1] + CHANNELS - 1) / CHANNELS);
}

/* 16-bit sums are kept as f32 until the last; f32 sums are made in the result. */
static size_t spread_scratch(const pod_kernel_call *call)
{
    const pod_shape *shape = &call->outputs[0].shape;
    size_t places = 1;
    for (int axis = 1; axis < shape->rank - 1; axis++)
        places *= (size_t)shape->dims[axis];
    return call->outputs[0].dtype == POD_F32 ? 0 : places * CHANNELS * sizeof(float);
}

/* Goes through the windows of one image in row-major order. `given` is the array of what the
 * windows give. */
static void spread_image(const pod_kernel_call *call, const geometry *g, spread_function function,
                         const pod_array *given, int64_t image, int64_t channel, float *sum,
                         int64_t stride)
{
    int64_t count = least(g->channels - channel, CHANNELS);
    int64_t window = image * volume(g->out);
    float room[CHANNELS];
    window_taps taps;
    for (int64_t i = 0; i < g->out[0]; i++) {
        find_taps(g, 0, i, &taps);
        for (int64_t j = 0; j < g->out[1]; j++) {
            find_taps(g, 1, j, &taps);
            for (int64_t k = 0; k < g->out[2]; k++, window++) {
                find_taps(g, 2, k, &taps);
                const float *values = floats_at(given, window * g->channels + channel, room, count);
                function(call, g, &taps, image, channel, count, values, sum, stride);
            }
        }
    }
}

static void spread_unit(const pod_kernel_call *call, const geometry *g, spread_function function,
                        const pod_array *given, int64_t unit, float *scratch)
{
    const pod_array *result = &call->outputs[0];
    int64_t blocks = (g->channels + CHANNELS - 1) / CHANNELS;
    int64_t image = unit / blocks, channel = unit % blocks * CHANNELS;
    int64_t count = least(g->channels - channel, CHANNELS), places = volume(g->in);
    int64_t first = image * places * g->channels + channel;
    bool direct = result->dtype == POD_F32;
    float *sum = direct ? (float *)result->data + first : scratch;
    int64_t stride = direct ? g->channels : CHANNELS;
    for (int64_t place = 0; place < places; place++)
        memset(sum + place * stride, 0, (size_t)count * sizeof *sum);
    spread_image(call, g, function, given, image, channel, sum, stride);
    for (int64_t place = 0; place < places && !direct; place++)
        write_floats(result->dtype, result->data, first + place * g->channels, sum + place * stride,
                     count);
}

static pod_status pool_sum_gradient_run(const pod_kernel_call *call, int64_t begin, int64_t end,
                                        void *scratch)
{
    geometry g =
        find_geometry(&call->attributes->window, &call->outputs[0].shape, &call->inputs[0].shape);
    for (int64_t unit = begin; unit < end; unit++)
        spread_unit(call, &g, spread_sum, &call->inputs[0], unit, scratch);
    return POD_OK;
}

static pod_status pool_max_gradient_run(const pod_kernel_call *call, int64_t begin, int64_t end,
                                        void *scratch)
{
    geometry g =
        find_geometry(&call->attributes->window, &call->outputs[0].shape, &call->inputs[1].shape);
    for (int64_t unit = begin; unit < end; unit++)
        spread_unit(call, &g, spread_max, &call->inputs[1], unit, scratch);
    return POD_OK;
}

static pod_status depthwise_input_gradient_run(const pod_kernel_call *call, int64_t begin,
                                               int64_t end, void *scratch)
{
    geometry g = find_depthwise(&call->attributes->window, &call->outputs[0].shape,
                                &call->inputs[1].shape, &call->inputs[0].shape);
    for (int64_t unit = begin; unit < end; unit++)
        spread_unit(call, &g, spread_depthwise, &call->inputs[0], unit, scratch);
    return POD_OK;
}

/* ---- gradient of a depthwise kernel: a unit is a block of channels of one tap
 * ------------------------------- */

static int64_t kernel_units(const pod_kernel_call *call)
{
    const pod_shape *shape = &call->outputs[0].shape;
    int64_t units = (shape->dims[shape->rank - 1] + CHANNELS - 1) / CHANNELS;
    for (int axis = 0; axis < shape->rank - 2; axis++)
        units *= shape->dims[axis];
    return units;
}

/* Adds the products along one line of windows, summed in f32, to the f64 `total`. */
static void add_line(const pod_kernel_call *call, const geometry *g, int64_t k2, int64_t in_line,
                     int64_t out_line, int64_t channel, int64_t count, double *total)
{
    float sum[CHANNELS] = {0}, x_room[CHANNELS], g_room[CHANNELS];
    for (int64_t column = 0; column < g->out[2]; column++) {
        int64_t place = column * g->stride[2] - g->pad[2] + k2 * g->dilation[2];
        if (place < 0 || place >= g->in[2])
            continue;
        const float *x = floats_at(
            &call->inputs[0], (in_line * g->in[2] + place) * g->channels + channel, x_room, count);
        const float *given =
            floats_at(&call->inputs[1], (out_line * g->out[2] + column) * g->channels + channel,
                      g_room, count);
        for (int64_t i = 0; i < count; i++)
            sum[i] = mul_add(x[i], given[i], sum[i]);
    }
    for (int64_t i = 0; i < count; i++)
        total[i] += (double)sum[i];
}

static void kernel_unit(const pod_kernel_call *call, const geometry *g, int64_t tap,
                        int64_t channel)
{
    const pod_array *result = &call->outputs[0];
    int64_t count = least(g->channels - channel, CHANNELS);
    int64_t k2 = tap % g->size[2], k1 = tap / g->size[2] % g->size[1];
    int64_t k0 = tap / g->size[2] / g->size[1];
    double total[CHANNELS] = {0};
    float lanes[CHANNELS];
    for (int64_t image = 0; image < g->images; image++) {
        for (int64_t i = 0; i < g->out[0]; i++) {
            int64_t in_0 = i * g->stride[0] - g->pad[0] + k0 * g->dilation[0];
            if (in_0 < 0 || in_0 >= g->in[0])
                continue;
            for (int64_t j = 0; j < g->out[1]; j++) {
                int64_t in_1 = j * g->stride[1] - g->pad[1] + k1 * g->dilation[1];
                if (in_1 >= 0 && in_1 < g->in[1])
                    add_line(call, g, k2, (image * g->in[0] + in_0) * g->in[1] + in_1,
                             (image * g->out[0] + i) * g->out[1] + j, channel, count, total);
            }
        }
    }
    for (int64_t i = 0; i < count; i++)
        lanes[i] = (float)total[i];
    write_floats(result->dtype, result->data, tap * g->channels + channel, lanes, count);
}

static pod_status depthwise_kernel_gradient_run(const pod_kernel_call *call, int64_t begin,
                                                int64_t end, void *scratch)
{
    (void)scratch;
    geometry g = find_depthwise(&call->attributes->window, &call->inputs[0].shape,
                                &call->outputs[0].shape, &call->inputs[1].shape);
    int64_t blocks = (g.channels + CHANNELS - 1) / CHANNELS;
    for (int64_t unit = begin; unit < end; unit++)
        kernel_unit(call, &g, unit / blocks, unit % blocks * CHANNELS);
    return POD_OK;
}

/* ---- the table
 * -----------------------------------------------------------------------------------------------
 */

static bool is_narrow_float(pod_dtype dtype)
{
    return dtype == POD_F32 || dtype == POD_BF16 || dtype == POD_F16;
}

static bool fits_pooling(const pod_kernel_call *call)
{
    return is_narrow_float(call->inputs[0].dtype) && is_narrow_float(call->outputs[0].dtype) &&
           call->inputs[0].shape.rank >= 3;
}

/* One channel and one filter a group. */
static bool fits_depthwise(const pod_kernel_call *call, const pod_shape *kernel, int64_t channels)
{
    return fits_pooling(call) && is_narrow_float(call->inputs[1].dtype) &&
           call->attributes->window.groups == channels && kernel->dims[kernel->rank - 2] == 1 &&
           kernel->dims[kernel->rank - 1] == channels;
}

static bool fits_forward(const pod_kernel_call *call)
{
    const pod_shape *x = &call->inputs[0].shape;
    return fits_depthwise(call, &call->inputs[1].shape, x->dims[x->rank - 1]);
}

static bool fits_input_gradient(const pod_kernel_call *call)
{
    const pod_shape *x = &call->outputs[0].shape;
    return fits_depthwise(call, &call->inputs[1].shape, x->dims[x->rank - 1]);
}

static bool fits_kernel_gradient(const pod_kernel_call *call)
{
    const pod_shape *x = &call->inputs[0].shape;
    return fits_depthwise(call, &call->outputs[0].shape, x->dims[x->rank - 1]);
}

extern const pod_special_kernel POD_FAMILY_TABLE[];

const pod_special_kernel POD_FAMILY_TABLE[] = {
    {"pool_max", fits_pooling, {line_units, pool_max_run, NULL}},
    {"pool_sum", fits_pooling, {line_units, pool_sum_run, NULL}},
    {"pool_max_select", fits_pooling, {line_units, pool_max_select_run, NULL}},
    {"pool_max_gradient", fits_pooling, {spread_units, pool_max_gradient_run, spread_scratch}},
    {"pool_sum_gradient", fits_pooling, {spread_units, pool_sum_gradient_run, spread_scratch}},
    {"convolution", fits_forward, {line_units, depthwise_run, NULL}},
    {"convolution_input_gradient",
     fits_input_gradient,
     {spread_units, depthwise_input_gradient_run, spread_scratch}},
    {"convolution_kernel_gradient",
     fits_kernel_gradient,
     {kernel_units, depthwise_kernel_gradient_run, NULL}},
    {NULL, NULL, {NULL, NULL, NULL}},
};
