#ifndef POD_KERNELS_DEPTHWISE_TILES_H
#define POD_KERNELS_DEPTHWISE_TILES_H

/*
 * depthwise_tiles - how depthwise convolutions are cut into tiles of places, and the copies of what a tile reaches.
 * Included by multi/depthwise.c, once a family.
 */

#include "base/sizes.h"
#include "kernels/block_formats.h"
#include "kernels/lanes.h"
#include "kernels/reference.h"
#include "kernels/window_geometry.h"

#include <string.h>

#define CHANNELS     (LANES * 4)  /* that are copied side by side */
#define TILE_COLUMNS 32           /* places of a tile along the last axis at most */
#define TILE_BYTES   (128 * 1024) /* of a tile's copy, where that holds several lines */
#define BANDS        8            /* of an image that is read in place: threads that one should have units for */

/* Places that are asked for before they are read or written: strides of several lines are no pattern that CPUs
 * foresee. */
#define AHEAD 16

#define DEPTH_INLINE static inline __attribute__((always_inline))

/* Asks for the channels of a place some places on, or for room for them. */
DEPTH_INLINE void ask_for(pod_dtype dtype, const void *data, int64_t element, int64_t channels, bool written)
{
    const char *at = (const char *)data + (element + AHEAD * channels) * (dtype == POD_F32 ? 4 : 2);
    for (int64_t i = 0; i < CHANNELS * (dtype == POD_F32 ? 4 : 2); i += 64)
        if (written)
            __builtin_prefetch(at + i, 1);
        else
            __builtin_prefetch(at + i);
}

/* Channels of a place; dtype is a constant where these are inlined. */
DEPTH_INLINE void read_channels(pod_dtype dtype, const void *data, int64_t element, int64_t channels, float *to,
                                int64_t count)
{
    int64_t at = 0;
    ask_for(dtype, data, element, channels, false);
    for (; at + LANES <= count; at += LANES)
        read_floats(dtype, data, element + at, to + at, LANES);
    if (at < count)
        read_floats(dtype, data, element + at, to + at, count - at);
}

DEPTH_INLINE void write_channels(pod_dtype dtype, void *data, int64_t element, int64_t channels, const float *from,
                                 int64_t count)
{
    int64_t at = 0;
    ask_for(dtype, data, element, channels, true);
    for (; at + LANES <= count; at += LANES)
        write_floats(dtype, data, element + at, from + at, LANES);
    if (at < count)
        write_floats(dtype, data, element + at, from + at, count - at);
}

/* Holds what is computed at each place of `out`: tap k of an axis meets place * stride - pad + k * dilation of a source
 * whose places lie `up` apart. */
typedef struct depthwise_plan {
    pod_window_sizes of;
    int64_t taps, up[POD_MAX_SPATIAL];
    int64_t rows, columns;          /* places of a tile */
    int64_t lines, width;           /* of its copy, for each tap of axis 0; the source's width where that is read */
    bool in_place;                  /* nothing is copied: the source's channels are read where they lie */
    bool slides;                    /* three taps lie side by side along the last axis */
    int64_t inner_begin, inner_end; /* then: places of a line all of whose taps lie inside along the last axis */
} depthwise_plan;

static int64_t reach(const depthwise_plan *p, int axis, int64_t places)
{
    return (places - 1) * p->of.stride[axis] + (p->of.size[axis] - 1) * p->of.dilation[axis] + 1;
}

static int64_t copy_elements(const depthwise_plan *p)
{
    return p->of.size[0] * p->lines * p->width * CHANNELS;
}

static void set_tile(depthwise_plan *p)
{
    p->columns = pod_smaller(p->of.out[2], TILE_COLUMNS);
    p->width = reach(p, 2, p->columns);
    p->rows = pod_larger(p->of.out[1], 1);
    do {
        p->lines = reach(p, 1, p->rows);
        if (copy_elements(p) * (int64_t)sizeof(float) <= TILE_BYTES || p->rows == 1)
            break;
        p->rows = (p->rows + 1) / 2;
    } while (true);
}

/* The plan of the forward form or of the gradient of x, by the same sizes. */
static depthwise_plan find_plan(const pod_window_sizes *sizes, bool backward)
{
    const pod_window_sizes forward = *sizes;
    depthwise_plan p = {.of = forward, .taps = pod_kernel_volume(forward.size)};
    for (int axis = 0; axis < POD_MAX_SPATIAL; axis++) {
        p.up[axis] = 1;
        if (!backward)
            continue;
        p.of.in[axis] = forward.out[axis];
        p.of.out[axis] = forward.in[axis];
        p.of.stride[axis] = 1;
        p.of.pad[axis] = (forward.size[axis] - 1) * forward.dilation[axis] - forward.pad[axis];
        p.up[axis] = forward.stride[axis];
    }
    p.slides = p.of.size[2] == 3 && p.of.dilation[2] == 1 && p.of.stride[2] <= 2;
    set_tile(&p);
    return p;
}

/* Decides whether a source of this type is read where it lies, if places of it are neighbours. */
static void read_in_place(depthwise_plan *p, pod_dtype dtype)
{
    const int64_t *in = p->of.in, *stride = p->of.stride, *pad = p->of.pad;
    p->in_place = dtype == POD_F32 && p->of.channels % LANES == 0 && pod_kernel_volume(p->up) == 1;
    if (p->in_place && p->of.out[1] > 0) {
        p->rows = pod_fair_part(p->of.out[1], pod_part_count(p->of.out[1], BANDS));
        p->width = in[2];
    }
    const int64_t last = in[2] - 1 - (p->of.size[2] - 1) * p->of.dilation[2] + pad[2];
    p->inner_begin = pad[2] > 0 ? pod_part_count(pad[2], stride[2]) : 0;
    p->inner_end = last < 0 ? 0 : last / stride[2] + 1;
}

static int64_t bands_of(const depthwise_plan *p)
{
    return pod_part_count(p->of.out[1], p->rows);
}

static int64_t blocks_of(const depthwise_plan *p)
{
    return pod_part_count(p->of.channels, CHANNELS);
}

/* A tile: the first place and how many there are, of some channels. */
typedef struct tile {
    int64_t image, plane, row, rows, column, columns;
    int64_t channel, count;
} tile;

/* A line of the source, from place `first` of those that lie `up` apart; zeros around it. dtype is a constant where
 * this is inlined. */
DEPTH_INLINE void copy_line(const depthwise_plan *p, pod_dtype dtype, const void *source, int64_t line, int64_t first,
                            int64_t channel, int64_t count, float *to)
{
    const int64_t up = p->up[2];
    const int64_t begin = pod_smaller(first < 0 ? -first : (up - first % up) % up, p->width);
    int64_t place = (first + begin) / up;
    const int64_t there = pod_larger(pod_smaller(p->of.in[2] - place, p->width - begin), 0);
    if (up > 1 || count % LANES != 0) {
        memset(to, 0, (size_t)(p->width * CHANNELS) * sizeof *to);
    } else {
        memset(to, 0, (size_t)(begin * CHANNELS) * sizeof *to);
        memset(to + (begin + there) * CHANNELS, 0, (size_t)((p->width - begin - there) * CHANNELS) * sizeof *to);
    }
    for (int64_t at = begin; at < p->width && place < p->of.in[2]; at += up, place++) {
        const int64_t element = (line * p->of.in[2] + place) * p->of.channels + channel;
        read_channels(dtype, source, element, p->of.channels, to + at * CHANNELS, count);
    }
}

/* Returns where place `at` of an axis lies in the source; -1: nowhere. */
static int64_t place_in(const depthwise_plan *p, int axis, int64_t at)
{
    const int64_t up = p->up[axis], place = up == 1 || at < 0 ? at : at % up == 0 ? at / up : -1;
    return place < p->of.in[axis] ? place : -1;
}

DEPTH_INLINE void copy_lines(const depthwise_plan *p, pod_dtype dtype, const void *source, const tile *t, float *to)
{
    const int64_t lines = reach(p, 1, t->rows), line_elements = p->width * CHANNELS;
    for (int64_t k = 0; k < p->of.size[0]; k++)
        for (int64_t i = 0; i < lines; i++) {
            const int64_t z = place_in(p, 0, t->plane * p->of.stride[0] - p->of.pad[0] + k * p->of.dilation[0]);
            const int64_t y = place_in(p, 1, t->row * p->of.stride[1] - p->of.pad[1] + i);
            float *line = to + (k * p->lines + i) * line_elements;
            if (z < 0 || y < 0)
                memset(line, 0, (size_t)line_elements * sizeof *line);
            else
                copy_line(p, dtype, source, (t->image * p->of.in[0] + z) * p->of.in[1] + y,
                          t->column * p->of.stride[2] - p->of.pad[2], t->channel, t->count, line);
        }
}

/* Copies what a tile reaches. */
static void copy_tile(const depthwise_plan *p, const pod_array *source, const tile *t, float *to)
{
    if (source->dtype == POD_F32)
        copy_lines(p, POD_F32, source->data, t, to);
    else if (source->dtype == POD_BF16)
        copy_lines(p, POD_BF16, source->data, t, to);
    else
        copy_lines(p, POD_F16, source->data, t, to);
}

/* What the taps of the last axis meet, for one of each other axis: place 0 of a line, and how far it is from one to the
 * next. */
typedef struct source_line {
    const float *at;
    int64_t place;
} source_line;

/* Where a line lies outside. */
static const float zeros[CHANNELS];

/* The lines of a copy that places of row `row` of its tile meet. */
static void find_copied_lines(const depthwise_plan *p, const float *copy, int64_t row, source_line *lines)
{
    for (int64_t k0 = 0; k0 < p->of.size[0]; k0++)
        for (int64_t k1 = 0; k1 < p->of.size[1]; k1++) {
            const int64_t line = k0 * p->lines + row * p->of.stride[1] + k1 * p->of.dilation[1];
            *lines++ = (source_line){copy + line * p->width * CHANNELS, CHANNELS};
        }
}

/* The same of the source itself. */
static void find_lines(const depthwise_plan *p, const float *source, const tile *t, int64_t row, source_line *lines)
{
    for (int64_t k0 = 0; k0 < p->of.size[0]; k0++)
        for (int64_t k1 = 0; k1 < p->of.size[1]; k1++) {
            const int64_t z = place_in(p, 0, t->plane * p->of.stride[0] - p->of.pad[0] + k0 * p->of.dilation[0]);
            const int64_t y = place_in(p, 1, (t->row + row) * p->of.stride[1] - p->of.pad[1] + k1 * p->of.dilation[1]);
            const int64_t line = (t->image * p->of.in[0] + z) * p->of.in[1] + y;
            *lines++ = z < 0 || y < 0
                           ? (source_line){zeros, 0}
                           : (source_line){source + line * p->of.in[2] * p->of.channels + t->channel, p->of.channels};
        }
}

#endif
