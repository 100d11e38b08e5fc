/*
 * Pooling of f16, bf16 and f32, vectorised over channels: see special.h.
 * Sums are made in f32.
 */

#include "base/sizes.h"
#include "kernels/block_formats.h"
#include "kernels/reference/walk.h"
#include "kernels/special.h"
#include "kernels/window_geometry.h"

/* Channels that are computed side by side. */
#define CHANNELS 64

/* Returns `count` elements as f32: where they lie, or widened into `room`. */
static inline const float *floats_at(const pod_array *array, int64_t first, float *room, int64_t count)
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
typedef void (*window_function)(const pod_kernel_call *call, const pod_window_sizes *g, const window_taps *taps,
                                int64_t first, int64_t channel, int64_t count, float *result);

static void sum_window(const pod_kernel_call *call, const pod_window_sizes *g, const window_taps *taps, int64_t first,
                       int64_t channel, int64_t count, float *result)
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
static void find_maxima(const pod_array *x, const pod_window_sizes *g, const window_taps *taps, int64_t first,
                        int64_t count, int32_t *winner)
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
            int is_new = (winner[i] < 0) | (value[i] > best[i]) | ((value[i] != value[i]) & (best[i] == best[i]));
            best[i] = is_new ? value[i] : best[i];
            winner[i] = is_new ? (int32_t)tap : winner[i];
        }
    }
}

static void select_window(const pod_kernel_call *call, const pod_window_sizes *g, const window_taps *taps,
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

static void run_line(const pod_kernel_call *call, const pod_window_sizes *g, window_function function, int64_t unit)
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
            int64_t count = pod_smaller(g->channels - channel, CHANNELS);
            function(call, g, &taps, image * pod_kernel_volume(g->in) * g->channels + channel, channel, count, lanes);
            write_floats(result->dtype, result->data, (unit * g->out[2] + column) * g->channels + channel, lanes,
                         count);
        }
    }
}

enum { SUM, MAX_SELECT };

static pod_status pooling_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    pod_window_sizes g =
        pod_kernel_window_sizes(&call->attributes->window, &call->inputs[0].shape, NULL, &call->outputs[0].shape);
    for (int64_t unit = begin; unit < end; unit++)
        run_line(call, &g, call->form == SUM ? sum_window : select_window, unit);
    return POD_OK;
}

/* ---- gradients of x: a unit is a block of channels of an image
 * -------------------------------------------- */

/* Adds what one window gives back to `sum` [places of x][stride]. */
typedef void (*spread_function)(const pod_kernel_call *call, const pod_window_sizes *g, const window_taps *taps,
                                int64_t image, int64_t channel, int64_t count, const float *given, float *sum,
                                int64_t stride);

static void spread_sum(const pod_kernel_call *call, const pod_window_sizes *g, const window_taps *taps, int64_t image,
                       int64_t channel, int64_t count, const float *given, float *sum, int64_t stride)
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

static void spread_max(const pod_kernel_call *call, const pod_window_sizes *g, const window_taps *taps, int64_t image,
                       int64_t channel, int64_t count, const float *given, float *sum, int64_t stride)
{
    int32_t winner[CHANNELS];
    find_maxima(&call->inputs[0], g, taps, image * pod_kernel_volume(g->in) * g->channels + channel, count, winner);
    FOR_TAPS(g, taps, tap, place)
    {
        float *to = sum + place * stride;
#pragma GCC ivdep
        for (int64_t i = 0; i < count; i++)
            to[i] += winner[i] == (int32_t)tap ? given[i] : 0.0f;
    }
}

/* What positions tell of the maxima, where windows overlap. */
static void spread_positions(const pod_kernel_call *call, const pod_window_sizes *g, const window_taps *taps,
                             int64_t image, int64_t channel, int64_t count, const float *given, float *sum,
                             int64_t stride)
{
    const uint8_t *winner = call->inputs[0].data;
    int64_t line = taps->window * g->channels + channel;
    (void)image;
    FOR_TAPS(g, taps, tap, place)
    {
        float *to = sum + place * stride;
#pragma GCC ivdep
        for (int64_t i = 0; i < count; i++)
            to[i] += winner[line + i] == tap ? given[i] : 0.0f;
    }
}

static int64_t spread_units(const pod_kernel_call *call)
{
    const pod_shape *shape = &call->outputs[0].shape;
    return shape->dims[0] * pod_part_count(shape->dims[shape->rank - 1], CHANNELS);
}

/* 16-bit sums are kept as f32 until the last; f32 sums are made in the result. */
static size_t spread_scratch(const pod_kernel_call *call)
{
    const pod_shape *shape = &call->outputs[0].shape;
    size_t places = (size_t)pod_kernel_dims_product(shape, 1, shape->rank - 1);
    return call->outputs[0].dtype == POD_F32 ? 0 : places * CHANNELS * sizeof(float);
}

/* Goes through the windows of one image in row-major order. `given` is the array of what the
 * windows give. */
static void spread_image(const pod_kernel_call *call, const pod_window_sizes *g, spread_function function,
                         const pod_array *given, int64_t image, int64_t channel, float *sum, int64_t stride)
{
    int64_t count = pod_smaller(g->channels - channel, CHANNELS);
    int64_t window = image * pod_kernel_volume(g->out);
    float room[CHANNELS];
    window_taps taps;
    for (int64_t i = 0; i < g->out[0]; i++) {
        find_taps(g, 0, i, &taps);
        for (int64_t j = 0; j < g->out[1]; j++) {
            find_taps(g, 1, j, &taps);
            for (int64_t k = 0; k < g->out[2]; k++, window++) {
                find_taps(g, 2, k, &taps);
                taps.window = window;
                const float *values = floats_at(given, window * g->channels + channel, room, count);
                function(call, g, &taps, image, channel, count, values, sum, stride);
            }
        }
    }
}

static void spread_unit(const pod_kernel_call *call, const pod_window_sizes *g, spread_function function,
                        const pod_array *given, int64_t unit, float *scratch)
{
    const pod_array *result = &call->outputs[0];
    int64_t blocks = pod_part_count(g->channels, CHANNELS);
    int64_t image = unit / blocks, channel = unit % blocks * CHANNELS;
    int64_t count = pod_smaller(g->channels - channel, CHANNELS), places = pod_kernel_volume(g->in);
    int64_t first = image * places * g->channels + channel;
    bool direct = result->dtype == POD_F32;
    float *sum = direct ? (float *)result->data + first : scratch;
    int64_t stride = direct ? g->channels : CHANNELS;
    for (int64_t place = 0; place < places; place++)
        memset(sum + place * stride, 0, (size_t)count * sizeof *sum);
    spread_image(call, g, function, given, image, channel, sum, stride);
    for (int64_t place = 0; place < places && !direct; place++)
        write_floats(result->dtype, result->data, first + place * g->channels, sum + place * stride, count);
}

/* Of what windows give, the last operand; for maxima, x or their positions stand before it. */
static pod_status gradient_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    const pod_array *given = &call->inputs[call->input_count - 1];
    pod_window_sizes g =
        pod_kernel_window_sizes(&call->attributes->window, &call->outputs[0].shape, NULL, &given->shape);
    spread_function function = call->form == SUM                 ? spread_sum
                               : call->inputs[0].dtype == POD_U8 ? spread_positions
                                                                 : spread_max;
    for (int64_t unit = begin; unit < end; unit++)
        spread_unit(call, &g, function, given, unit, call->scratch);
    return POD_OK;
}

/* ---- the table
 * -----------------------------------------------------------------------------------------------
 */

static bool fits_pooling(const pod_kernel_call *call)
{
    return pod_kernel_is_narrow_float(call->inputs[0].dtype) && pod_kernel_is_narrow_float(call->outputs[0].dtype) &&
           call->inputs[0].shape.rank >= 3;
}

/* From x, or from positions that a max pooling gave. */
static bool fits_max_gradient(const pod_kernel_call *call)
{
    const pod_array *inputs = call->inputs;
    return pod_kernel_is_narrow_float(inputs[1].dtype) && pod_kernel_is_narrow_float(call->outputs[0].dtype) &&
           inputs[0].shape.rank >= 3 &&
           (pod_kernel_is_narrow_float(inputs[0].dtype) ||
            (inputs[0].dtype == POD_U8 && pod_shape_equal(&inputs[0].shape, &inputs[1].shape)));
}

extern const pod_named_kernel POD_FAMILY_TABLE[];

const pod_named_kernel POD_FAMILY_TABLE[] = {
    {"pool_sum", fits_pooling, {pod_kernel_line_units, pooling_run, NULL, SUM}},
    {"pool_max_select", fits_pooling, {pod_kernel_line_units, pooling_run, NULL, MAX_SELECT}},
    {"pool_max_gradient", fits_max_gradient, {spread_units, gradient_run, spread_scratch, MAX_SELECT}},
    {"pool_sum_gradient", fits_pooling, {spread_units, gradient_run, spread_scratch, SUM}},
    {.op = NULL},
};
