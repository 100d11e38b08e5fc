#include "kernels/convolution_taps.h"

#include "kernels/convolution_phases.h"
#include "kernels/dot.h"
#include "kernels/padded.h"
#include "base/sizes.h"

#include <string.h>

/* Of x that is copied for a unit; packed it is as much again for each tap of the last axis, all in
 * L2. */
#define PADDED_BYTES (320 * 1024)

/* Of a partial sum: larger ones would have to come from memory for each unit. */
#define MOST_SUMS (1280 * 1024)

/* Of a channel's columns, those that are there at least. */
#define FULL_ENOUGH(channels, columns) ((channels)*5 >= (columns)*4)

/* How a call is laid out. */
typedef struct taps_layout {
    const pod_dot_family *family;
    pod_padded padded;
    int64_t taps, filters, channels;      /* of a group */
    int64_t rows, columns;                /* filters and channels, padded */
    int64_t most_line;                    /* k of a line of places at most, padded */
    int64_t phases, phase_lines;          /* lines of x whose numbers have the same rest by the stride lie together */
    int64_t plane_bytes, copy_bytes;      /* packed x: of a plane, of all planes for a tap of the last axis */
    int64_t x_bytes, g_bytes, tile_bytes; /* packed operands; rows of a tile of g */
} taps_layout;

/* Places of a unit on an axis at most. */
static int64_t most_places(const pod_padded *padded, int axis)
{
    return axis == padded->axis ? padded->band : padded->shape.places[axis];
}

/* Lines of x hold whole words of k; k_unit may be a multiple of those. */
static int64_t word_of(const pod_dot_family *family)
{
    return 4 / family->packed_bytes;
}

static bool find_layout(const pod_convolution_call *call, taps_layout *to)
{
    const pod_dot_family *family = call->dot->family;
    const pod_window_sizes *sizes = &call->sizes;
    pod_patches shape = pod_kernel_convolution_patches(call);
    if (pod_kernel_dot_piece_unit(call->dot) == 0 || family->multiply == NULL || family->pack_a == NULL ||
        pod_kernel_patches_are_columns(&shape) ||
        !pod_kernel_padded_plan(&to->padded, &shape, call->dtype, call->dtype, 1, PADDED_BYTES))
        return false;
    to->family = family;
    bool whole_lines = family->k_unit == word_of(family); /* can be packed one by one */
    to->taps = pod_kernel_volume(shape.size);
    to->filters = sizes->filters / sizes->groups;
    to->channels = shape.depth;
    to->rows = pod_round_up(to->filters, family->tile_rows);
    to->columns = pod_round_up(to->channels, family->vector_columns);
    to->most_line = pod_round_up(most_places(&to->padded, 2), word_of(family));
    to->phases = shape.stride[1];
    const int64_t lines = pod_kernel_patches_extent(&shape, 1, most_places(&to->padded, 1));
    to->phase_lines = pod_part_count(lines, to->phases);
    to->padded.images = 1;
    to->plane_bytes = to->columns * to->phases * to->phase_lines * to->most_line * family->packed_bytes;
    to->copy_bytes = pod_kernel_patches_extent(&shape, 0, most_places(&to->padded, 0)) * to->plane_bytes;
    /* A line that is no multiple of k_unit is packed with zeros behind it. */
    to->x_bytes =
        pod_round_up(shape.size[2] * to->copy_bytes + family->k_unit * family->word_columns * family->packed_bytes, 64);
    int64_t k = pod_round_up(most_places(&to->padded, 1) * to->most_line, family->k_unit);
    to->tile_bytes = pod_round_up(family->tile_rows * k * family->packed_bytes, 64) + 64;
    to->g_bytes = to->rows / family->tile_rows * to->tile_bytes;
    if (!whole_lines && (to->padded.axis == 2 || to->most_line != shape.places[2]))
        return false;
    return to->rows * to->taps * to->columns * sizes->groups <= MOST_SUMS / (int64_t)sizeof(float) &&
           FULL_ENOUGH(to->channels, to->columns);
}

bool pod_kernel_taps_fit(const pod_convolution_call *call)
{
    taps_layout of;
    return find_layout(call, &of);
}

static int64_t group_elements(const taps_layout *of)
{
    return of->rows * of->taps * of->columns;
}

size_t pod_kernel_taps_partial_bytes(const pod_convolution_call *call)
{
    taps_layout of;
    find_layout(call, &of);
    return (size_t)pod_round_up(call->sizes.groups * group_elements(&of) * (int64_t)sizeof(float), 64);
}

size_t pod_kernel_taps_scratch_bytes(const pod_convolution_call *call)
{
    taps_layout of;
    find_layout(call, &of);
    return (size_t)(pod_kernel_padded_bytes(&of.padded) + of.x_bytes + of.g_bytes);
}

/* A unit of a call: an image, or a band of one. */
typedef struct image_unit {
    const pod_convolution_call *call;
    const taps_layout *of;
    int64_t places[POD_MAX_SPATIAL];
    int64_t line, k;   /* of a line of places, and of a plane */
    const char *x, *g; /* of the group */
    char *packed_x, *packed_g;
} image_unit;

/* Returns where line `line` of plane `plane` of packed x begins, in the panel that begins with `column`. */
static char *packed_line(const image_unit *at, int64_t tap, int64_t plane, int64_t line, int64_t column)
{
    const taps_layout *of = at->of;
    int64_t bytes = of->family->packed_bytes;
    int64_t lines = of->phases * of->phase_lines * at->line;
    int64_t width = pod_smaller(of->family->word_columns, of->columns - column);
    int64_t place = line % of->phases * of->phase_lines + line / of->phases;
    return at->packed_x + tap * of->copy_bytes + plane * of->plane_bytes +
           (column * lines + place * at->line * width) * bytes;
}

/* Packs the places of x that a tap of the last axis meets, of all lines of a plane. */
static void pack_plane(const image_unit *at, int64_t tap, int64_t plane)
{
    const taps_layout *of = at->of;
    const pod_patches *shape = &of->padded.shape;
    const int64_t *extent = of->padded.extent, lines = pod_kernel_patches_extent(shape, 1, at->places[1]);
    const int64_t panel = of->family->word_columns, channels = shape->channels;
    for (int64_t column = 0; column < of->columns; column += panel) {
        int64_t width = pod_smaller(panel, of->columns - column);
        int64_t there = pod_smaller(width, of->channels - column);
        for (int64_t first = 0; first < of->phases; first++) /* in the order in which they lie */
            for (int64_t line = first; line < lines; line += of->phases) {
                const char *from =
                    at->x + (((plane * extent[1] + line) * extent[2] + tap * shape->dilation[2]) * channels + column) *
                                shape->element;
                of->family->pack_b(packed_line(at, tap, plane, line, column), width, at->call->dtype, from, there,
                                   at->places[2], shape->stride[2] * channels, 1);
            }
    }
}

/* Packs a plane of g: filters are rows. */
static void pack_filters(const image_unit *at, int64_t plane)
{
    const taps_layout *of = at->of;
    const pod_dot_family *family = of->family;
    const int64_t filters = at->call->sizes.filters, *places = at->places;
    const int64_t lane_bytes = family->tile_rows * family->packed_bytes;
    if (at->line == places[2]) {
        family->pack_a(at->packed_g, of->tile_bytes, at->g + plane * at->k * filters * family->a_bytes, of->filters,
                       at->k, 1, filters);
        return;
    }
    char *to = at->packed_g;
    for (int64_t line = 0; line < places[1]; line++)
        family->pack_a(to + line * at->line * lane_bytes, of->tile_bytes,
                       at->g + (plane * places[1] + line) * places[2] * filters * family->a_bytes, of->filters,
                       places[2], 1, filters);
}

/* Adds the products of g and of x for all taps of a plane of places to the sums of a group. */
static void multiply_taps(const image_unit *at, int64_t plane, float *sums)
{
    const taps_layout *of = at->of;
    const pod_dot_family *family = of->family;
    const pod_patches *shape = &of->padded.shape;
    const int64_t stride = of->taps * of->columns, bytes = family->packed_bytes;
    for (int64_t k = 0; k < at->k; k += family->k_block)
        for (int64_t tap = 0; tap < of->taps; tap++) {
            int64_t x = tap % shape->size[2], y = tap / shape->size[2] % shape->size[1];
            int64_t z = tap / shape->size[2] / shape->size[1];
            for (int64_t column = 0; column < of->columns; column += family->word_columns) {
                int64_t width = pod_smaller(family->word_columns, of->columns - column);
                const char *b = packed_line(at, x, plane * shape->stride[0] + z * shape->dilation[0],
                                            y * shape->dilation[1], column) +
                                k * width * bytes;
                for (int64_t row = 0; row < of->rows; row += family->tile_rows) {
                    float *to = sums + tap * of->columns;
                    /* What a call sums is added as one number: long sums are exact to fewer bits. */
                    const pod_sums_finish finish = {.add = to, .dtype = POD_F32, .to = to, .stride = stride};
                    const pod_tile_end end = {&finish, row, column};
                    family->multiply(
                        to + row * stride + column, stride,
                        at->packed_g + row / family->tile_rows * of->tile_bytes + k * family->tile_rows * bytes, 0, b,
                        pod_smaller(family->k_block, at->k - k), pod_smaller(family->tile_rows, of->filters - row),
                        width, !family->finishes, family->finishes ? &end : NULL, NULL, 0);
                }
            }
        }
}

static void add_unit(const pod_convolution_call *call, const taps_layout *of, const pod_padded_unit *read,
                     const char *g, float *partial, char *scratch)
{
    const pod_patches *shape = &of->padded.shape;
    image_unit at = {.call = call, .of = of, .packed_x = scratch, .packed_g = scratch + of->x_bytes};
    memcpy(at.places, read->extent, sizeof at.places);
    at.line = pod_round_up(at.places[2], word_of(of->family));
    at.k = at.places[1] * at.line;
    for (int64_t group = 0; group < call->sizes.groups; group++) {
        at.x = read->a + group * of->channels * shape->element;
        at.g = g + (read->first * call->sizes.filters + group * of->filters) * shape->element;
        for (int64_t tap = 0; tap < shape->size[2]; tap++)
            for (int64_t plane = 0; plane < pod_kernel_patches_extent(shape, 0, at.places[0]); plane++)
                pack_plane(&at, tap, plane);
        for (int64_t plane = 0; plane < at.places[0]; plane++) {
            pack_filters(&at, plane);
            multiply_taps(&at, plane, partial + group * group_elements(of));
        }
    }
}

void pod_kernel_taps_add_images(const pod_convolution_call *call, int64_t begin, int64_t end, float *partial,
                                void *scratch)
{
    taps_layout of;
    find_layout(call, &of);
    const pod_patches *shape = &of.padded.shape;
    const char *x =
        (const char *)call->left + begin * pod_kernel_volume(shape->source) * shape->channels * shape->element;
    const char *g =
        (const char *)call->right + begin * pod_kernel_volume(shape->places) * call->sizes.filters * shape->element;
    if (call->dot->begin != NULL)
        call->dot->begin();
    for (int64_t i = 0; i < pod_kernel_padded_units(&of.padded, end - begin); i++) {
        pod_padded_unit read = pod_kernel_padded_read(&of.padded, x, i, end - begin, scratch);
        add_unit(call, &of, &read, g, partial, (char *)scratch + pod_kernel_padded_bytes(&of.padded));
    }
    if (call->dot->end != NULL)
        call->dot->end();
}

void pod_kernel_taps_sum(const pod_convolution_call *call, const float *partials, size_t bytes, int64_t parts,
                         int64_t row, int64_t rows, float *tile, int64_t stride)
{
    taps_layout of;
    find_layout(call, &of);
    const int64_t filter_stride = of.taps * of.columns;
    for (int64_t done = 0; done < rows;) { /* channels of a tap */
        int64_t tap = (row + done) / of.channels, channel = (row + done) % of.channels;
        int64_t count = pod_smaller(pod_smaller(of.channels - channel, rows - done), 64);
        for (int64_t filter = 0; filter < call->sizes.filters; filter++) {
            const float *from = partials + filter / of.filters * group_elements(&of) +
                                filter % of.filters * filter_stride + tap * of.columns + channel;
            float sums[64];
            memcpy(sums, from, (size_t)count * sizeof *sums);
            for (int64_t part = 1; part < parts; part++) {
                from = (const float *)((const char *)from + bytes);
                for (int64_t i = 0; i < count; i++)
                    sums[i] += from[i];
            }
            for (int64_t i = 0; i < count; i++)
                tile[(done + i) * stride + filter] = sums[i];
        }
        done += count;
    }
}
