#include "kernels/convolution_direct.h"

#include "kernels/convolution_phases.h"
#include "kernels/direct.h"
#include "base/sizes.h"

#include <string.h>

/* Taps and channels of a patch at most: longer ones are better off with products. */
#define MOST_PATCH 32

/* Places computed at once, and floats of x that they may read: both stay in the L1 cache. */
#define BLOCK_PLACES 128
#define MOST_LINE    4096

/* How a call is laid out. */
typedef struct direct_layout {
    int64_t patch, columns; /* columns padded to a multiple of 16 */
    int64_t run;            /* places of a line at once at most */
    int64_t block;          /* places of a tile: some lines, or a part of one */
    int64_t image_places;   /* of the result */
    int64_t lines;          /* of x that a run meets: taps of the first two axes */
    int64_t width;          /* elements of x of a line that a run meets at most */
} direct_layout;

static int64_t width_of(const pod_window_sizes *s, int64_t run)
{
    return ((run - 1) * s->stride[2] + (s->size[2] - 1) * s->dilation[2] + 1) * s->channels;
}

static direct_layout find_layout(const pod_convolution_call *call)
{
    const pod_window_sizes *s = &call->sizes;
    direct_layout to = {.patch = pod_kernel_volume(s->size) * s->channels,
                        .columns = pod_round_up(s->filters, 16),
                        .run = pod_larger(pod_smaller(s->out[2], BLOCK_PLACES), 1),
                        .image_places = pod_kernel_volume(s->out),
                        .lines = s->size[0] * s->size[1]};
    to.block = BLOCK_PLACES / to.run * to.run;
    to.width = width_of(s, to.run);
    return to;
}

bool pod_kernel_direct_fits(const pod_convolution_call *call)
{
    const pod_window_sizes *s = &call->sizes;
    if (call->direct == NULL || call->kind == POD_CONVOLVE_INPUT_GRADIENT || s->groups != 1 ||
        s->channels > POD_PATCHES_FEW_CHANNELS || pod_kernel_volume(s->size) * s->channels > MOST_PATCH)
        return false;
    direct_layout of = find_layout(call);
    return of.width <= MOST_LINE / of.lines;
}

/* Floats of scratch: lines of x, then the tile or g, then sums. */
static int64_t line_floats(const direct_layout *of)
{
    return pod_round_up(of->lines * of->width, 16);
}

/* The convolution whose patches are what the windows of a pooling read together. */
static pod_convolution_call over_windows(const pod_convolution_call *call)
{
    pod_convolution_call wide = *call;
    for (int i = 0; i < POD_MAX_SPATIAL; i++) {
        wide.sizes.size[i] = call->sizes.size[i] + call->pooling.size[i] - 1;
        wide.sizes.stride[i] = call->pooling.stride[i];
        wide.sizes.out[i] = call->pooling.out[i];
    }
    return wide;
}

bool pod_kernel_convolution_pools(const pod_convolution_call *call)
{
    const pod_window_sizes *s = &call->sizes;
    const pod_convolution_pooling *p = &call->pooling;
    if (call->kind != POD_CONVOLVE_KERNEL_GRADIENT || !pod_kernel_direct_fits(call) ||
        call->direct->accumulate_windows == NULL || s->filters % 16 != 0)
        return false;
    int64_t table = s->channels;
    for (int i = 0; i < POD_MAX_SPATIAL; i++) {
        if (s->stride[i] != 1 || s->dilation[i] != 1 || p->size[i] < 1 || p->out[i] < 1 || p->stride[i] < 1 ||
            p->size[i] > POD_DIRECT_TABLE || p->out[i] > s->out[i] || p->stride[i] > s->out[i] ||
            (p->out[i] - 1) * p->stride[i] + p->size[i] > s->out[i])
            return false;
        table *= s->size[i] + p->size[i] - 1;
        if (table > POD_DIRECT_TABLE)
            return false;
    }
    pod_convolution_call wide = over_windows(call);
    return pod_kernel_direct_fits(&wide);
}

/* Floats of scratch behind the lines of x of a line of windows: tables, with room for what is copied too much, sums. */
static int64_t table_floats(const direct_layout *of)
{
    return (of->run + 1) * POD_DIRECT_TABLE;
}

size_t pod_kernel_direct_scratch_bytes(const pod_convolution_call *call)
{
    direct_layout of = find_layout(call);
    if (call->is_pooled) {
        pod_convolution_call wide = over_windows(call);
        direct_layout windows = find_layout(&wide);
        return (size_t)(line_floats(&windows) + table_floats(&windows) + of.patch * of.columns) * sizeof(float);
    }
    bool by_parts = call->kind == POD_CONVOLVE_KERNEL_GRADIENT;
    int64_t rows = by_parts ? of.run + of.patch : of.block;
    return (size_t)(line_floats(&of) + rows * of.columns) * sizeof(float);
}

/* Of the kernel in f32. */
static size_t packed_bytes(const pod_convolution_call *call)
{
    direct_layout of = find_layout(call);
    return (size_t)(of.patch * of.columns) * sizeof(float);
}

/* Copies rows of `filters` elements to rows of padded f32. */
static void widen_rows(const pod_convolution_call *call, const direct_layout *of, float *to, const char *from,
                       int64_t rows)
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

/* A run of places of one line of the result. */
typedef struct run {
    int64_t image, z, y, x, places;
} run;

/* The run that begins at a place of an image and ends with its line, or before `end`. */
static run run_at(const pod_convolution_call *call, const direct_layout *of, int64_t image, int64_t place, int64_t end)
{
    const int64_t *out = call->sizes.out;
    run made = {image, place / (out[2] * out[1]), place / out[2] % out[1], place % out[2], 0};
    made.places = pod_smaller(pod_smaller(out[2] - made.x, end - place), of->run);
    return made;
}

/* Widens what a run meets of one line of x, zeros where it leaves x. */
static void widen_line(const pod_convolution_call *call, float *to, const char *line, int64_t first, int64_t count)
{
    const pod_window_sizes *s = &call->sizes;
    int64_t begin = pod_smaller(pod_larger(-first, 0), count);
    int64_t end = pod_larger(pod_smaller(s->in[2] - first, count), begin);
    memset(to, 0, (size_t)(begin * s->channels) * sizeof *to);
    if (begin < end)
        call->direct->widen(to + begin * s->channels, call->dtype,
                            line + (first + begin) * s->channels * (int64_t)pod_dtype_size(call->dtype),
                            (end - begin) * s->channels);
    memset(to + end * s->channels, 0, (size_t)((count - end) * s->channels) * sizeof *to);
}

/* Lines of x that the next run, a line below, meets too: how many of size[1] are no longer met; 0: it is not such a
 * run. */
static int64_t lines_below(const pod_convolution_call *call, const run *at, const run *before)
{
    const pod_window_sizes *s = &call->sizes;
    bool below = before->places == at->places && before->image == at->image && before->z == at->z &&
                 before->x == at->x && before->y + 1 == at->y;
    int64_t passed = s->stride[1] / s->dilation[1];
    bool meets = s->stride[1] % s->dilation[1] == 0 && passed < s->size[1];
    return below && meets ? passed : 0;
}

/* Widens all that a run meets of x, but for what is there from the run before; fills in where its taps and channels
 * are. */
static void widen_lines(const pod_convolution_call *call, const run *at, run *before, float *lines,
                        int64_t offsets[MOST_PATCH])
{
    const pod_window_sizes *s = &call->sizes;
    const int64_t line_bytes = s->in[2] * s->channels * (int64_t)pod_dtype_size(call->dtype);
    const int64_t width = width_of(s, at->places), passed = lines_below(call, at, before);
    const int64_t kept = passed ? s->size[1] - passed : 0;
    const char *image = (const char *)call->left + at->image * s->in[0] * s->in[1] * line_bytes;
    float *to = lines;
    for (int64_t i = 0; i < s->size[0]; i++) {
        int64_t z = at->z * s->stride[0] - s->pad[0] + i * s->dilation[0];
        memmove(to, to + passed * width, (size_t)(kept * width) * sizeof *to);
        to += kept * width;
        for (int64_t j = kept; j < s->size[1]; j++, to += width) {
            int64_t y = at->y * s->stride[1] - s->pad[1] + j * s->dilation[1];
            bool inside = z >= 0 && z < s->in[0] && y >= 0 && y < s->in[1];
            if (inside)
                widen_line(call, to, image + (z * s->in[1] + y) * line_bytes, at->x * s->stride[2] - s->pad[2],
                           width / s->channels);
            else
                memset(to, 0, (size_t)width * sizeof *to);
        }
    }
    for (int64_t i = 0; i < s->size[0] * s->size[1]; i++)
        for (int64_t k = 0; k < s->size[2]; k++)
            for (int64_t c = 0; c < s->channels; c++)
                *offsets++ = i * width + k * s->dilation[2] * s->channels + c;
    *before = *at;
}

static int64_t blocks_of(const direct_layout *of)
{
    return pod_part_count(of->image_places, of->block);
}

/* The product's units are blocks of places of the result, none of which is of two images. */
static int64_t direct_units(const pod_convolution_call *call, int phase)
{
    direct_layout of = find_layout(call);
    return phase == POD_CONVOLUTION_PACK      ? 1
           : phase == POD_CONVOLUTION_PRODUCT ? call->sizes.batch * blocks_of(&of)
                                              : 0;
}

/* Tiles of blocks go to the epilogue or the result. */
static void multiply(const pod_convolution_call *call, const direct_layout *layout, int64_t begin, int64_t end,
                     const float *packed, void *scratch)
{
    const direct_layout of = *layout;
    int64_t blocks = blocks_of(&of), step = call->sizes.stride[2] * call->sizes.channels;
    int64_t offsets[MOST_PATCH];
    float *lines = scratch, *tile = lines + line_floats(&of);
    run before = {0};
    for (int64_t block = begin; block < end; block++) {
        int64_t image = block / blocks, first = block % blocks * of.block;
        int64_t last = pod_smaller(first + of.block, of.image_places);
        for (int64_t place = first; place < last;) {
            run at = run_at(call, &of, image, place, last);
            widen_lines(call, &at, &before, lines, offsets);
            if (call->finish)
                call->direct->convolve_finished(call->finish, image * of.image_places + place, packed, of.columns,
                                                lines, step, offsets, of.patch, at.places);
            else
                call->direct->convolve(tile + (place - first) * of.columns, packed, of.columns, lines, step, offsets,
                                       of.patch, at.places);
            place += at.places;
        }
        if (!call->finish)
            pod_kernel_convolution_finish(call, tile, of.columns, image * of.image_places + first, 0, last - first,
                                          call->sizes.filters);
    }
}

static void direct_run(const pod_convolution_call *call, int phase, int64_t begin, int64_t end, void *shared,
                       void *scratch)
{
    const direct_layout of = find_layout(call);
    if (phase == POD_CONVOLUTION_PACK)
        widen_rows(call, &of, shared, call->right, of.patch);
    else
        multiply(call, &of, begin, end, shared, scratch);
}

static bool direct_finishes(const pod_convolution_call *call, pod_dtype dtype)
{
    return call->kind == POD_CONVOLVE && (dtype == POD_F32 || dtype == POD_BF16);
}

const pod_convolution_way pod_convolution_direct = {
    direct_units, packed_bytes, pod_kernel_direct_scratch_bytes, direct_run, pod_kernel_direct_fits, direct_finishes};

/* Copies what each window of a run reads of the lines to its table. Lines of a window are copied whole vectors at a
 * time: what is too much is written over by the next one. */
static void fill_tables(const direct_layout *of, const pod_convolution_call *wide, float *tables, const float *lines,
                        const int64_t *offsets, int64_t windows)
{
    const int64_t step = wide->sizes.stride[2] * wide->sizes.channels;
    const int64_t line = wide->sizes.size[2] * wide->sizes.channels;
    for (int64_t window = 0; window < windows; window++)
        for (int64_t at = 0; at < of->patch; at += line) {
            float *to = tables + window * POD_DIRECT_TABLE + at;
            const float *from = lines + offsets[at] + window * step;
            if (line <= 4)
                memcpy(to, from, 4 * sizeof *to);
            else
                memcpy(to, from, POD_DIRECT_TABLE * sizeof *to);
        }
}

/* Finds where in a table the places of a window, and the elements of a patch, are. */
static void find_table_places(const pod_convolution_call *call, const pod_convolution_call *wide,
                              pod_direct_windows *to)
{
    const pod_window_sizes *s = &call->sizes;
    const int64_t *size = wide->sizes.size, *pool = call->pooling.size;
    int32_t *first = to->first, *offset = to->offsets;
    for (int64_t z = 0; z < size[0]; z++)
        for (int64_t y = 0; y < size[1]; y++)
            for (int64_t x = 0; x < size[2]; x++) {
                int32_t at = (int32_t)(((z * size[1] + y) * size[2] + x) * s->channels);
                if (z < pool[0] && y < pool[1] && x < pool[2])
                    *first++ = at;
                bool tap = z < s->size[0] && y < s->size[1] && x < s->size[2];
                for (int32_t channel = 0; tap && channel < s->channels; channel++)
                    *offset++ = at + channel;
            }
}

/* pod_kernel_direct_add_images() through a pooling. */
static void add_windows(const pod_convolution_call *call, int64_t begin, int64_t end, float *gradient, void *scratch)
{
    const pod_convolution_call wide = over_windows(call);
    direct_layout of = find_layout(&wide), sums_of = find_layout(call);
    int64_t filters = call->sizes.filters, offsets[MOST_PATCH];
    float *lines = scratch, *tables = lines + line_floats(&of);
    float *sums = tables + table_floats(&of);
    pod_direct_windows windows = {.dtype = call->dtype, .tables = tables};
    run before = {0};
    find_table_places(call, &wide, &windows);
    memset(sums, 0, (size_t)(sums_of.patch * filters) * sizeof *sums);
    for (int64_t image = begin; image < end; image++)
        for (int64_t place = 0; place < of.image_places;) {
            run at = run_at(&wide, &of, image, place, of.image_places);
            int64_t element = (image * of.image_places + place) * filters;
            widen_lines(&wide, &at, &before, lines, offsets);
            fill_tables(&of, &wide, tables, lines, offsets, at.places);
            windows.given = (const char *)call->right + element * (int64_t)pod_dtype_size(call->dtype);
            windows.positions = call->pooling.positions + element;
            call->direct->accumulate_windows(sums, filters, &windows, sums_of.patch, at.places);
            place += at.places;
        }
    for (int64_t i = 0; i < sums_of.patch * filters; i++)
        gradient[i] += sums[i];
}

void pod_kernel_direct_add_images(const pod_convolution_call *call, int64_t begin, int64_t end, float *gradient,
                                  void *scratch)
{
    if (call->is_pooled) {
        add_windows(call, begin, end, gradient, scratch);
        return;
    }
    direct_layout of = find_layout(call);
    int64_t filters = call->sizes.filters, row = filters * (int64_t)pod_dtype_size(call->dtype);
    int64_t step = call->sizes.stride[2] * call->sizes.channels;
    int64_t offsets[MOST_PATCH];
    float *lines = scratch, *given = lines + line_floats(&of);
    float *sums = given + of.run * of.columns;
    run before = {0};
    memset(sums, 0, (size_t)(of.patch * of.columns) * sizeof *sums);
    for (int64_t image = begin; image < end; image++)
        for (int64_t place = 0; place < of.image_places;) {
            run at = run_at(call, &of, image, place, of.image_places);
            widen_lines(call, &at, &before, lines, offsets);
            widen_rows(call, &of, given, (const char *)call->right + (image * of.image_places + place) * row,
                       at.places);
            call->direct->accumulate(sums, given, of.columns, lines, step, offsets, of.patch, at.places);
            place += at.places;
        }
    for (int64_t k = 0; k < of.patch; k++)
        for (int64_t j = 0; j < filters; j++)
            gradient[k * filters + j] += sums[k * of.columns + j];
}
