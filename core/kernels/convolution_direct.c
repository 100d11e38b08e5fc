#include "kernels/convolution_direct.h"

#include "kernels/convolution_phases.h"
#include "kernels/direct.h"
#include "kernels/sizes.h"

#include <string.h>

/* Taps and channels of a patch at most: longer ones are better off with products. */
#define MOST_PATCH 32

/* Places computed at once, and floats of x that they may read: both stay in the L1 cache. */
#define BLOCK_PLACES 128
#define MOST_LINE    4096

/* How a call is laid out. */
typedef struct layout {
    int64_t patch, columns; /* columns padded to a multiple of 16 */
    int64_t run;            /* places of a line at once at most */
    int64_t block;          /* places of a tile: some lines, or a part of one */
    int64_t image_places;   /* of the result */
    int64_t lines;          /* of x that a run meets: taps of the first two axes */
    int64_t width;          /* elements of x of a line that a run meets at most */
} layout;

static int64_t width_of(const pod_convolution_sizes *s, int64_t run)
{
    return ((run - 1) * s->stride[2] + (s->size[2] - 1) * s->dilation[2] + 1) * s->channels;
}

static layout find_layout(const pod_convolution_call *call)
{
    const pod_convolution_sizes *s = &call->sizes;
    layout to = {.patch = pod_volume(s->size) * s->channels,
                 .columns = (s->filters + 15) / 16 * 16,
                 .run = pod_larger(pod_smaller(s->out[2], BLOCK_PLACES), 1),
                 .image_places = pod_volume(s->out),
                 .lines = s->size[0] * s->size[1]};
    to.block = BLOCK_PLACES / to.run * to.run;
    to.width = width_of(s, to.run);
    return to;
}

bool pod_direct_fits(const pod_convolution_call *call)
{
    const pod_convolution_sizes *s = &call->sizes;
    if (call->direct == NULL || call->kind == POD_CONVOLVE_INPUT_GRADIENT || s->groups != 1 ||
        s->channels > POD_PATCHES_FEW_CHANNELS || pod_volume(s->size) * s->channels > MOST_PATCH)
        return false;
    layout of = find_layout(call);
    return of.width <= MOST_LINE / of.lines;
}

bool pod_convolution_finishes(const pod_convolution_call *call)
{
    return call->kind == POD_CONVOLVE && call->sizes.filters % 16 == 0 && pod_direct_fits(call);
}

/* Floats of scratch: lines of x, then the tile or g, then sums. */
static int64_t line_floats(const layout *of)
{
    return (of->lines * of->width + 15) / 16 * 16;
}

size_t pod_direct_scratch_bytes(const pod_convolution_call *call)
{
    layout of = find_layout(call);
    bool by_parts = call->kind == POD_CONVOLVE_KERNEL_GRADIENT;
    int64_t rows = by_parts ? of.run + of.patch : of.block;
    return (size_t)(line_floats(&of) + rows * of.columns) * sizeof(float);
}

size_t pod_direct_packed_bytes(const pod_convolution_call *call)
{
    layout of = find_layout(call);
    return (size_t)(of.patch * of.columns) * sizeof(float);
}

/* Copies rows of `filters` elements to rows of padded f32. */
static void widen_rows(const pod_convolution_call *call, const layout *of, float *to,
                       const char *from, int64_t rows)
{
    int64_t filters = call->sizes.filters, bytes = filters * (int64_t)pod_dtype_size(call->dtype);
    if (filters == of->columns) {
        call->direct->widen(to, call->dtype, from, rows * filters);
        return;
    }
    for (int64_t row = 0; row < rows; row++, to += of->columns, from += bytes) {
        call->direct->widen(to, call->dtype, from, filters);
        memset(to + filters, 0, (size_t)(of->columns - filters) * sizeof *to);
    }
}

void pod_direct_pack(const pod_convolution_call *call, float *packed)
{
    layout of = find_layout(call);
    widen_rows(call, &of, packed, call->right, of.patch);
}

/* A run of places of one line of the result. */
typedef struct run {
    int64_t image, z, y, x, places;
} run;

/* The run that begins at a place of an image and ends with its line, or before `end`. */
static run run_at(const pod_convolution_call *call, const layout *of, int64_t image, int64_t place,
                  int64_t end)
{
    const int64_t *out = call->sizes.out;
    run made = {image, place / (out[2] * out[1]), place / out[2] % out[1], place % out[2], 0};
    made.places = pod_smaller(pod_smaller(out[2] - made.x, end - place), of->run);
    return made;
}

/* Widens what a run meets of one line of x, zeros where it leaves x. */
static void widen_line(const pod_convolution_call *call, float *to, const char *line, int64_t first,
                       int64_t count)
{
    const pod_convolution_sizes *s = &call->sizes;
    int64_t begin = pod_smaller(pod_larger(-first, 0), count);
    int64_t end = pod_larger(pod_smaller(s->in[2] - first, count), begin);
    memset(to, 0, (size_t)(begin * s->channels) * sizeof *to);
    if (begin < end)
        call->direct->widen(to + begin * s->channels, call->dtype,
                            line + (first + begin) * s->channels *
                                       (int64_t)pod_dtype_size(call->dtype),
                            (end - begin) * s->channels);
    memset(to + end * s->channels, 0, (size_t)((count - end) * s->channels) * sizeof *to);
}

/* Widens all that a run meets of x; fills in where its taps and channels are. */
static void widen_lines(const pod_convolution_call *call, const run *at, float *lines,
                        int64_t offsets[MOST_PATCH])
{
    const pod_convolution_sizes *s = &call->sizes;
    const int64_t line_bytes = s->in[2] * s->channels * (int64_t)pod_dtype_size(call->dtype);
    const int64_t width = width_of(s, at->places);
    const char *image = (const char *)call->left + at->image * s->in[0] * s->in[1] * line_bytes;
    float *to = lines;
    for (int64_t i = 0; i < s->size[0]; i++) {
        int64_t z = at->z * s->stride[0] - s->pad[0] + i * s->dilation[0];
        for (int64_t j = 0; j < s->size[1]; j++, to += width) {
            int64_t y = at->y * s->stride[1] - s->pad[1] + j * s->dilation[1];
            bool inside = z >= 0 && z < s->in[0] && y >= 0 && y < s->in[1];
            if (inside)
                widen_line(call, to, image + (z * s->in[1] + y) * line_bytes,
                           at->x * s->stride[2] - s->pad[2], width / s->channels);
            else
                memset(to, 0, (size_t)width * sizeof *to);
            for (int64_t k = 0; k < s->size[2]; k++)
                for (int64_t c = 0; c < s->channels; c++)
                    *offsets++ = to - lines + k * s->dilation[2] * s->channels + c;
        }
    }
}

static int64_t blocks_of(const layout *of)
{
    return (of->image_places + of->block - 1) / of->block;
}

int64_t pod_direct_blocks(const pod_convolution_call *call)
{
    layout of = find_layout(call);
    return call->sizes.batch * blocks_of(&of);
}

/* A run of places, of which the first is number `place`. */
static void multiply_finished(const pod_convolution_call *call, const layout *of, int64_t place,
                              const float *packed, const float *lines, const int64_t *offsets,
                              int64_t places)
{
    pod_direct_finish finish = *call->finish;
    finish.to = (char *)finish.to + place * of->columns * (int64_t)pod_dtype_size(finish.dtype);
    call->direct->convolve_finished(&finish, packed, of->columns, lines,
                                    call->sizes.stride[2] * call->sizes.channels, offsets,
                                    of->patch, places);
}

void pod_direct_multiply(const pod_convolution_call *call, int64_t begin, int64_t end,
                         const float *packed, void *scratch)
{
    layout of = find_layout(call);
    int64_t blocks = blocks_of(&of), step = call->sizes.stride[2] * call->sizes.channels;
    int64_t offsets[MOST_PATCH];
    float *lines = scratch, *tile = lines + line_floats(&of);
    for (int64_t block = begin; block < end; block++) {
        int64_t image = block / blocks, first = block % blocks * of.block;
        int64_t last = pod_smaller(first + of.block, of.image_places);
        for (int64_t place = first; place < last;) {
            run at = run_at(call, &of, image, place, last);
            widen_lines(call, &at, lines, offsets);
            if (call->finish)
                multiply_finished(call, &of, image * of.image_places + place, packed, lines,
                                  offsets, at.places);
            else
                call->direct->convolve(tile + (place - first) * of.columns, packed, of.columns,
                                       lines, step, offsets, of.patch, at.places);
            place += at.places;
        }
        if (!call->finish)
            pod_convolution_finish(call, tile, of.columns, image * of.image_places + first, 0,
                                   last - first, call->sizes.filters);
    }
}

void pod_direct_add_images(const pod_convolution_call *call, int64_t begin, int64_t end,
                           float *gradient, void *scratch)
{
    layout of = find_layout(call);
    int64_t filters = call->sizes.filters, row = filters * (int64_t)pod_dtype_size(call->dtype);
    int64_t step = call->sizes.stride[2] * call->sizes.channels;
    int64_t offsets[MOST_PATCH];
    float *lines = scratch, *given = lines + line_floats(&of);
    float *sums = given + of.run * of.columns;
    memset(sums, 0, (size_t)(of.patch * of.columns) * sizeof *sums);
    for (int64_t image = begin; image < end; image++)
        for (int64_t place = 0; place < of.image_places;) {
            run at = run_at(call, &of, image, place, of.image_places);
            widen_lines(call, &at, lines, offsets);
            widen_rows(call, &of, given,
                       (const char *)call->right + (image * of.image_places + place) * row,
                       at.places);
            call->direct->accumulate(sums, given, of.columns, lines, step, offsets, of.patch,
                                     at.places);
            place += at.places;
        }
    for (int64_t k = 0; k < of.patch; k++)
        for (int64_t j = 0; j < filters; j++)
            gradient[k * filters + j] += sums[k * of.columns + j];
}
