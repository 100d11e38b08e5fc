#include "kernels/convolution.h"

#include <string.h>

/* The phases. */
enum {
    TURN,    /* input gradient: the kernel, turned, [group][channel][tap][filter] */
    PACK,    /* the right operand, packed, group by group */
    PRODUCT, /* blocks of rows; kernel gradient: partial sums over a part of the batch */
    SUM      /* kernel gradient: the parts added in order */
};

#define GATHER_BYTES  (256 * 1024) /* of patches in scratch: they stay in the L2 cache */
#define PARTIAL_BYTES (32 << 20)   /* of partial kernel gradients, where there are several */
#define FEW_CHANNELS  4            /* up to which patches are gathered as columns */
#define PARTS         16           /* of the batch at most */
#define SUM_ROWS      32           /* that a unit of the last phase adds */

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t round_up(int64_t value, int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static int64_t volume(const int64_t size[POD_MAX_SPATIAL])
{
    return size[0] * size[1] * size[2];
}

pod_convolution_sizes pod_convolution_find_sizes(const pod_window *window, const pod_shape *x,
                                                 const pod_shape *kernel, const pod_shape *result)
{
    pod_convolution_sizes sizes = {.batch = x->dims[0],
                                   .channels = x->dims[x->rank - 1],
                                   .filters = kernel->dims[kernel->rank - 1],
                                   .groups = larger(window->groups, 1)};
    int missing = POD_MAX_SPATIAL - (x->rank - 2);
    for (int i = 0; i < POD_MAX_SPATIAL; i++) {
        int axis = i - missing;
        bool given = axis >= 0;
        sizes.in[i] = given ? x->dims[axis + 1] : 1;
        sizes.out[i] = given ? result->dims[axis + 1] : 1;
        sizes.size[i] = given ? kernel->dims[axis] : 1;
        sizes.stride[i] = given ? larger(window->stride[axis], 1) : 1;
        sizes.dilation[i] = given ? larger(window->dilation[axis], 1) : 1;
        sizes.pad[i] = given ? window->pad_low[axis] : 0;
    }
    return sizes;
}

bool pod_convolution_fits(const pod_convolution_sizes *sizes)
{
    return sizes->groups == 1 ||
           (sizes->channels / sizes->groups >= 8 && sizes->filters / sizes->groups >= 8);
}

/* ---- patches ----------------------------------------------------------------------------------- */

/* What rows of patches read: place p and tap t meet at p * stride - pad + t * dilation of a source whose
 * elements lie `spread` apart there, with nothing between them. */
typedef struct geometry {
    int64_t places[POD_MAX_SPATIAL], source[POD_MAX_SPATIAL], size[POD_MAX_SPATIAL];
    int64_t stride[POD_MAX_SPATIAL], pad[POD_MAX_SPATIAL], dilation[POD_MAX_SPATIAL];
    int64_t spread[POD_MAX_SPATIAL];
    int64_t channels; /* of a place of the source */
    int64_t depth;    /* of those, the channels of a group */
    bool by_columns;  /* patches are gathered as columns */
    int64_t element;  /* bytes */
} geometry;

static geometry find_geometry(const pod_convolution_call *call)
{
    const pod_convolution_sizes *sizes = &call->sizes;
    bool turned = call->kind == POD_CONVOLVE_INPUT_GRADIENT;
    geometry result = {.channels = turned ? sizes->filters : sizes->channels,
                       .element = (int64_t)pod_dtype_size(call->dtype)};
    result.depth = result.channels / sizes->groups;
    for (int i = 0; i < POD_MAX_SPATIAL; i++) {
        result.size[i] = sizes->size[i];
        result.dilation[i] = sizes->dilation[i];
        result.places[i] = turned ? sizes->in[i] : sizes->out[i];
        result.source[i] = turned ? sizes->out[i] : sizes->in[i];
        result.stride[i] = turned ? 1 : sizes->stride[i];
        result.spread[i] = turned ? sizes->stride[i] : 1;
        result.pad[i] = turned ? (sizes->size[i] - 1) * sizes->dilation[i] - sizes->pad[i]
                               : sizes->pad[i];
    }
    result.by_columns = result.depth <= FEW_CHANNELS && result.spread[0] == 1 &&
                        result.spread[1] == 1 && result.spread[2] == 1;
    return result;
}

/* Copies few or many bytes (a multiple of 2): most runs are so short that a call would cost more. */
static inline void copy(char *to, const char *from, int64_t bytes)
{
    if (bytes > 32) {
        memcpy(to, from, (size_t)bytes);
    } else if (bytes >= 16) { /* two copies that overlap where they must */
        char first[16], last[16];
        memcpy(first, from, 16);
        memcpy(last, from + bytes - 16, 16);
        memcpy(to, first, 16);
        memcpy(to + bytes - 16, last, 16);
    } else if (bytes >= 8) {
        uint64_t first, last;
        memcpy(&first, from, 8);
        memcpy(&last, from + bytes - 8, 8);
        memcpy(to, &first, 8);
        memcpy(to + bytes - 8, &last, 8);
    } else {
        for (int64_t i = 0; i < bytes; i += 2)
            memcpy(to + i, from + i, 2);
    }
}

/* The place of the source on one axis, or -1 where there is nothing. */
static inline int64_t meet(const geometry *shape, int axis, int64_t place, int64_t tap)
{
    int64_t at = place * shape->stride[axis] - shape->pad[axis] + tap * shape->dilation[axis];
    if (at < 0)
        return -1;
    if (shape->spread[axis] != 1) {
        if (at % shape->spread[axis] != 0)
            return -1;
        at /= shape->spread[axis];
    }
    return at < shape->source[axis] ? at : -1;
}

/* Copies taps begin .. end - 1 of the last axis for one place; `line` is the line of the source. */
static inline void gather_line(const geometry *shape, char *to, const char *line, int64_t place,
                               int64_t begin, int64_t end)
{
    int64_t bytes = shape->depth * shape->element, step = shape->channels * shape->element;
    if (bytes == step && shape->dilation[2] == 1 && shape->spread[2] == 1) {
        int64_t at = place * shape->stride[2] - shape->pad[2];
        if (at + begin >= 0 && at + end <= shape->source[2]) {
            copy(to, line + (at + begin) * step, (end - begin) * step);
            return;
        }
        int64_t first = smaller(larger(begin, -at), end);
        int64_t last = larger(smaller(end, shape->source[2] - at), first);
        memset(to, 0, (size_t)((first - begin) * step));
        copy(to + (first - begin) * step, line + (first < last ? (at + first) * step : 0),
             (last - first) * step);
        memset(to + (last - begin) * step, 0, (size_t)((end - last) * step));
        return;
    }
    for (int64_t tap = begin; tap < end; tap++, to += bytes) {
        int64_t at = meet(shape, 2, place, tap);
        if (at >= 0)
            copy(to, line + at * step, bytes);
        else
            memset(to, 0, (size_t)bytes);
    }
}

/* Writes taps begin .. end - 1 (all axes) of the patch of one place; returns its end. */
static inline char *gather_patch(const geometry *shape, char *to, const char *image,
                                 const int64_t place[POD_MAX_SPATIAL], int64_t begin, int64_t end)
{
    int64_t width = shape->size[2], step = shape->channels * shape->element;
    int64_t tap = 0;
    for (int64_t z = 0; z < shape->size[0]; z++)
        for (int64_t y = 0; y < shape->size[1]; y++, tap += width) {
            int64_t first = larger(begin - tap, 0), last = smaller(end - tap, width);
            if (first >= last)
                continue;
            int64_t at_z = meet(shape, 0, place[0], z), at_y = meet(shape, 1, place[1], y);
            int64_t bytes = (last - first) * shape->depth * shape->element;
            if (at_z < 0 || at_y < 0) {
                memset(to, 0, (size_t)bytes);
            } else {
                const char *line = image + (at_z * shape->source[1] + at_y) * shape->source[2] * step;
                gather_line(shape, to, line, place[2], first, last);
            }
            to += bytes;
        }
    return to;
}

/* Writes taps begin .. end - 1 of `count` places from `first` on, a row of patches each. `source` points
 * at the first channel of the group. */
static void gather(const geometry *shape, char *to, const char *source, int64_t first,
                   int64_t count, int64_t begin, int64_t end)
{
    const int64_t *places = shape->places;
    const int64_t image_bytes = volume(shape->source) * shape->channels * shape->element;
    int64_t place[POD_MAX_SPATIAL] = {first / (places[2] * places[1]) % places[0],
                                      first / places[2] % places[1], first % places[2]};
    const char *image = source + first / volume(places) * image_bytes;
    for (int64_t row = 0; row < count; row++) {
        to = gather_patch(shape, to, image, place, begin, end);
        if (++place[2] < places[2])
            continue;
        place[2] = 0;
        if (++place[1] < places[1])
            continue;
        place[1] = 0;
        if (++place[0] < places[0])
            continue;
        place[0] = 0;
        image += image_bytes;
    }
}

/* Copies elements that lie `step` apart. */
static inline void copy_strided(char *to, const char *from, int64_t count, int64_t step,
                                int64_t element)
{
    if (step == 1)
        memcpy(to, from, (size_t)(count * element));
    else if (element == 2)
        for (int64_t i = 0; i < count; i++)
            memcpy(to + i * 2, from + i * step * 2, 2);
    else
        for (int64_t i = 0; i < count; i++)
            memcpy(to + i * 4, from + i * step * 4, 4);
}

/* Where a tap of one channel reads. */
typedef struct tap_line {
    int64_t tap[POD_MAX_SPATIAL];
    int64_t first, last; /* places of the last axis that meet the source */
} tap_line;

static tap_line find_tap_line(const geometry *shape, int64_t tap)
{
    tap_line line = {.tap = {tap / shape->size[2] / shape->size[1],
                             tap / shape->size[2] % shape->size[1], tap % shape->size[2]}};
    while (line.first < shape->places[2] && meet(shape, 2, line.first, line.tap[2]) < 0)
        line.first++;
    line.last = line.first;
    while (line.last < shape->places[2] && meet(shape, 2, line.last, line.tap[2]) >= 0)
        line.last++;
    return line;
}

/* Writes one tap of one channel of the places first .. first + count - 1, next to each other. */
static void gather_tap(const geometry *shape, char *to, const char *source, const tap_line *line,
                       int64_t first, int64_t count)
{
    const int64_t *places = shape->places, element = shape->element;
    const int64_t step = shape->stride[2] * shape->channels;
    while (count > 0) {
        int64_t x = first % places[2], run = smaller(places[2] - x, count);
        int64_t at_y = meet(shape, 1, first / places[2] % places[1], line->tap[1]);
        int64_t at_z = meet(shape, 0, first / (places[2] * places[1]) % places[0], line->tap[0]);
        int64_t begin = smaller(larger(line->first - x, 0), run);
        int64_t end = larger(smaller(line->last - x, run), begin);
        if (at_y < 0 || at_z < 0)
            begin = end = run;
        memset(to, 0, (size_t)(begin * element));
        if (begin < end) {
            int64_t at = (first / volume(places) * shape->source[0] + at_z) * shape->source[1] + at_y;
            at = at * shape->source[2] + meet(shape, 2, x + begin, line->tap[2]);
            copy_strided(to + begin * element, source + at * shape->channels * element,
                         end - begin, step, element);
        }
        memset(to + end * element, 0, (size_t)((run - end) * element));
        to += run * element;
        first += run;
        count -= run;
    }
}

/* Writes patches as columns: [tap][channel][place], `stride` places apart. For few channels: there the
 * runs along places are longer than those along a patch. Only where spread is 1. */
static void gather_columns(const geometry *shape, char *to, int64_t stride, const char *source,
                           int64_t first, int64_t count, int64_t begin, int64_t end)
{
    for (int64_t tap = begin; tap < end; tap++) {
        tap_line line = find_tap_line(shape, tap);
        for (int64_t c = 0; c < shape->depth; c++, to += stride * shape->element)
            gather_tap(shape, to, source + c * shape->element, &line, first, count);
    }
}

/* ---- how a call is cut ------------------------------------------------------------------------- */

/* The product of one group, and how its rows or its sum over places are cut. */
typedef struct plan {
    geometry shape;
    int64_t groups;
    int64_t places;        /* rows of patches in all */
    int64_t taps, patch;   /* taps, and elements of a patch of one group */
    int64_t columns;       /* of the result, in one group */
    int64_t block;         /* places gathered at once */
    int64_t gathered_row;  /* elements gathered for a place at most */
    size_t turned_bytes;   /* the kernel, turned */
    size_t packed_bytes;   /* a packed right operand of one group; 0: read as it is */
    size_t gathered_bytes; /* in scratch */
    /* kernel gradient */
    int64_t parts;        /* of the batch */
    int64_t tap_block;    /* taps of a unit */
    int64_t tap_blocks;
} plan;

static void plan_rows(const pod_convolution_call *call, plan *result)
{
    const pod_dot_kernels *dot = call->dot;
    result->gathered_row = result->patch;
    int64_t bytes = larger(result->patch * result->shape.element, 1);
    int64_t rows = GATHER_BYTES / bytes / dot->row_granularity * dot->row_granularity;
    result->block = larger(smaller(rows, round_up(dot->row_block, dot->row_granularity)),
                           dot->row_granularity);
    result->packed_bytes = (dot->packed_b_bytes(result->patch, result->columns) + 63) & ~(size_t)63;
    if (call->kind == POD_CONVOLVE_INPUT_GRADIENT)
        result->turned_bytes = (size_t)round_up(
            result->groups * result->columns * result->patch * result->shape.element, 64);
    result->gathered_bytes = (size_t)round_up(result->block * bytes, 64);
}

static void plan_parts(const pod_convolution_call *call, plan *result)
{
    int64_t depth = larger(result->shape.depth, 1), element = result->shape.element;
    result->tap_block = smaller(larger(1024 / depth, 1), result->taps);
    result->tap_blocks = (result->taps + result->tap_block - 1) / result->tap_block;
    result->gathered_row = result->tap_block * depth;
    int64_t row_bytes = result->gathered_row * element;
    result->block = larger(smaller(GATHER_BYTES / row_bytes / 32 * 32, 1024), 32);
    int64_t partial = larger(result->taps * depth * call->sizes.filters * 4, 1);
    result->parts = (PARTS + result->tap_blocks - 1) / result->tap_blocks;
    result->parts = smaller(result->parts, smaller(call->sizes.batch, PARTIAL_BYTES / partial));
    result->parts = larger(result->parts, 1);
    result->packed_bytes =
        (call->dot->packed_b_bytes(result->block, result->columns) + 63) & ~(size_t)63;
    result->gathered_bytes = (size_t)round_up(result->block * row_bytes, 64);
}

static plan find_plan(const pod_convolution_call *call)
{
    const pod_convolution_sizes *sizes = &call->sizes;
    plan result = {.shape = find_geometry(call), .groups = sizes->groups};
    result.places = sizes->batch * volume(result.shape.places);
    result.taps = volume(sizes->size);
    result.patch = result.taps * result.shape.depth;
    result.columns = (call->kind == POD_CONVOLVE_INPUT_GRADIENT ? sizes->channels : sizes->filters) /
                     sizes->groups;
    if (call->kind == POD_CONVOLVE_KERNEL_GRADIENT)
        plan_parts(call, &result);
    else
        plan_rows(call, &result);
    return result;
}

static int64_t panels_of(const pod_convolution_call *call, const plan *cut)
{
    return (cut->columns + call->dot->panel_columns - 1) / call->dot->panel_columns;
}

static size_t partial_bytes(const pod_convolution_call *call, const plan *cut)
{
    return (size_t)round_up(cut->patch * call->sizes.filters * (int64_t)sizeof(float), 64);
}

int64_t pod_convolution_units(const pod_convolution_call *call, int phase)
{
    plan cut = find_plan(call);
    bool by_parts = call->kind == POD_CONVOLVE_KERNEL_GRADIENT;
    switch (phase) {
    case TURN:
        return call->kind == POD_CONVOLVE_INPUT_GRADIENT ? call->sizes.channels : 0;
    case PACK:
        return by_parts || cut.packed_bytes == 0 ? 0 : cut.groups * panels_of(call, &cut);
    case PRODUCT:
        return by_parts ? cut.parts * cut.tap_blocks : (cut.places + cut.block - 1) / cut.block;
    default:
        return by_parts ? (cut.patch + SUM_ROWS - 1) / SUM_ROWS : 0;
    }
}

size_t pod_convolution_shared_bytes(const pod_convolution_call *call)
{
    plan cut = find_plan(call);
    if (call->kind == POD_CONVOLVE_KERNEL_GRADIENT)
        return (size_t)cut.parts * partial_bytes(call, &cut);
    return cut.turned_bytes + (size_t)cut.groups * cut.packed_bytes;
}

/* The product of a block: what does not change from block to block. */
static pod_dot_call block_call(const pod_convolution_call *call, const plan *cut)
{
    pod_dot_call product = {.n = cut->columns, .b_k_stride = call->sizes.filters,
                            .b_column_stride = 1};
    /* Gathered patches are [place][patch] or, by columns, [patch][place]. */
    int64_t place_stride = cut->shape.by_columns ? 1 : cut->gathered_row;
    int64_t patch_stride = cut->shape.by_columns ? cut->block : 1;
    if (call->kind == POD_CONVOLVE_KERNEL_GRADIENT) {
        product.m = cut->gathered_row;
        product.k = cut->block;
        product.a_row_stride = patch_stride;
        product.a_k_stride = place_stride;
        return product;
    }
    product.m = cut->block;
    product.k = cut->patch;
    product.a_row_stride = place_stride;
    product.a_k_stride = patch_stride;
    if (call->kind == POD_CONVOLVE_INPUT_GRADIENT) {
        product.b_k_stride = 1;
        product.b_column_stride = cut->patch;
    }
    return product;
}

/* Gathers a block of places of a group for `product`. */
static void gather_block(const pod_convolution_call *call, const plan *cut, int64_t group,
                         int64_t first, int64_t count, int64_t tap, int64_t tap_end, char *to)
{
    const geometry *shape = &cut->shape;
    const char *source = (const char *)call->left + group * shape->depth * shape->element;
    if (shape->by_columns)
        gather_columns(shape, to, cut->block, source, first, count, tap, tap_end);
    else
        gather(shape, to, source, first, count, tap, tap_end);
}

size_t pod_convolution_scratch_bytes(const pod_convolution_call *call)
{
    plan cut = find_plan(call);
    pod_dot_call product = block_call(call, &cut);
    size_t bytes = cut.gathered_bytes + ((call->dot->scratch_bytes(&product) + 63) & ~(size_t)63);
    if (call->kind != POD_CONVOLVE_KERNEL_GRADIENT)
        return bytes;
    size_t sums = (size_t)(SUM_ROWS * round_up(call->sizes.filters, 16)) * sizeof(float);
    return bytes + cut.packed_bytes > sums ? bytes + cut.packed_bytes : sums;
}

/* ---- phases ------------------------------------------------------------------------------------ */

/* The place in `right`, as a matrix, where a group's columns begin. */
static const void *right_of(const pod_convolution_call *call, const plan *cut, int64_t group,
                            const void *shared)
{
    if (call->kind == POD_CONVOLVE_INPUT_GRADIENT)
        return (const char *)shared +
               group * cut->columns * cut->patch * cut->shape.element;
    return (const char *)call->right + group * cut->columns * cut->shape.element;
}

/* Turns the kernel for channels begin .. end - 1: taps in reverse, filters innermost. */
static void turn(const pod_convolution_call *call, const plan *cut, int64_t begin, int64_t end,
                 char *to)
{
    int64_t depth = cut->columns, width = cut->shape.depth, element = cut->shape.element;
    for (int64_t channel = begin; channel < end; channel++)
        for (int64_t tap = 0; tap < cut->taps; tap++) {
            int64_t row = (cut->taps - 1 - tap) * depth + channel % depth;
            const char *from = (const char *)call->right +
                               (row * call->sizes.filters + channel / depth * width) * element;
            memcpy(to + (channel * cut->taps + tap) * width * element, from,
                   (size_t)(width * element));
        }
}

static void pack(const pod_convolution_call *call, const plan *cut, int64_t begin, int64_t end,
                 void *shared)
{
    int64_t panels = panels_of(call, cut);
    pod_dot_call product = block_call(call, cut);
    for (int64_t unit = begin; unit < end; unit++) {
        int64_t group = unit / panels;
        char *to = (char *)shared + cut->turned_bytes + (size_t)group * cut->packed_bytes;
        call->dot->pack_b(to, call->dtype, right_of(call, cut, group, shared), product.k,
                          product.n, product.b_k_stride, product.b_column_stride, unit % panels,
                          unit % panels + 1);
    }
}

/* Puts a block's tiles at their place in the result. */
typedef struct placed {
    const pod_convolution_call *call;
    int64_t row, column;
} placed;

static void finish(const pod_convolution_call *call, float *tile, int64_t stride, int64_t row,
                   int64_t column, int64_t rows, int64_t columns)
{
    if (call->epilogue != NULL)
        call->epilogue(call->epilogue_context, tile, stride, row, column, rows, columns);
    if (call->result == NULL)
        return;
    for (int64_t i = 0; i < rows; i++)
        memcpy(call->result + (row + i) * call->result_stride + column, tile + i * stride,
               (size_t)columns * sizeof(float));
}

static void place_epilogue(void *context, float *tile, int64_t stride, int64_t row, int64_t column,
                           int64_t rows, int64_t columns)
{
    const placed *block = context;
    finish(block->call, tile, stride, block->row + row, block->column + column, rows, columns);
}

static void multiply_blocks(const pod_convolution_call *call, const plan *cut, int64_t begin,
                            int64_t end, const void *shared, char *scratch)
{
    for (int64_t unit = begin; unit < end; unit++)
        for (int64_t group = 0; group < cut->groups; group++) {
            int64_t first = unit * cut->block;
            placed block = {call, first, group * cut->columns};
            pod_dot_call product = block_call(call, cut);
            product.m = smaller(cut->block, cut->places - first);
            gather_block(call, cut, group, first, product.m, 0, cut->taps, scratch);
            product.a = scratch;
            product.b = cut->packed_bytes == 0
                            ? right_of(call, cut, group, shared)
                            : (const char *)shared + cut->turned_bytes +
                                  (size_t)group * cut->packed_bytes;
            product.epilogue = place_epilogue;
            product.epilogue_context = &block;
            call->dot->run(&product, 0, product.m, 0, product.n, scratch + cut->gathered_bytes);
        }
}

/* Where the sums of a block of places are added. */
typedef struct added {
    float *to;
    int64_t stride;
} added;

static void add_epilogue(void *context, float *tile, int64_t stride, int64_t row, int64_t column,
                         int64_t rows, int64_t columns)
{
    const added *sum = context;
    for (int64_t i = 0; i < rows; i++) {
        float *to = sum->to + (row + i) * sum->stride + column;
        for (int64_t j = 0; j < columns; j++)
            to[j] += tile[i * stride + j];
    }
}

/* Adds the product of the places of one part of the batch to a block of taps of its partial sum. */
static void add_part(const pod_convolution_call *call, const plan *cut, int64_t part,
                     int64_t tap_block, int64_t group, float *partial, char *scratch)
{
    int64_t depth = cut->shape.depth, filters = call->sizes.filters;
    int64_t tap = tap_block * cut->tap_block;
    int64_t taps = smaller(cut->tap_block, cut->taps - tap);
    int64_t image = volume(cut->shape.places);
    int64_t begin = part * call->sizes.batch / cut->parts * image;
    int64_t end = (part + 1) * call->sizes.batch / cut->parts * image;
    added sum = {partial + tap * depth * filters + group * cut->columns, filters};
    char *packed = scratch + cut->gathered_bytes;
    pod_dot_call product = block_call(call, cut);
    product.m = taps * depth;
    if (!cut->shape.by_columns)
        product.a_k_stride = product.m;
    product.a = scratch;
    product.epilogue = add_epilogue;
    product.epilogue_context = &sum;
    for (int64_t place = begin; place < end; place += cut->block) {
        const char *right = (const char *)call->right +
                            (place * filters + group * cut->columns) * cut->shape.element;
        product.k = smaller(cut->block, end - place);
        gather_block(call, cut, group, place, product.k, tap, tap + taps, scratch);
        product.b = right;
        if (cut->packed_bytes != 0) {
            call->dot->pack_b(packed, call->dtype, right, product.k, product.n, filters, 1, 0,
                              panels_of(call, cut));
            product.b = packed;
        }
        call->dot->run(&product, 0, product.m, 0, product.n, packed + cut->packed_bytes);
    }
}

static void sum_parts(const pod_convolution_call *call, const plan *cut, int64_t begin,
                      int64_t end, const void *shared, float *tile)
{
    int64_t filters = call->sizes.filters, stride = round_up(filters, 16);
    size_t bytes = partial_bytes(call, cut);
    for (int64_t unit = begin; unit < end; unit++) {
        int64_t row = unit * SUM_ROWS, rows = smaller(SUM_ROWS, cut->patch - row);
        for (int64_t i = 0; i < rows; i++) {
            float *to = tile + i * stride;
            memcpy(to, (const float *)shared + (row + i) * filters,
                   (size_t)filters * sizeof(float));
            for (int64_t part = 1; part < cut->parts; part++) {
                const float *from =
                    (const float *)((const char *)shared + (size_t)part * bytes) +
                    (row + i) * filters;
                for (int64_t j = 0; j < filters; j++)
                    to[j] += from[j];
            }
        }
        finish(call, tile, stride, row, 0, rows, filters);
    }
}

static void multiply_parts(const pod_convolution_call *call, const plan *cut, int64_t begin,
                           int64_t end, void *shared, char *scratch)
{
    int64_t depth = cut->shape.depth, filters = call->sizes.filters;
    for (int64_t unit = begin; unit < end; unit++) {
        int64_t part = unit / cut->tap_blocks, block = unit % cut->tap_blocks;
        float *partial = (float *)((char *)shared + (size_t)part * partial_bytes(call, cut));
        int64_t first = block * cut->tap_block;
        int64_t taps = smaller(cut->tap_block, cut->taps - first);
        memset(partial + first * depth * filters, 0,
               (size_t)(taps * depth * filters) * sizeof(float));
        for (int64_t group = 0; group < cut->groups; group++)
            add_part(call, cut, part, block, group, partial, scratch);
    }
}

void pod_convolution_run(const pod_convolution_call *call, int phase, int64_t begin, int64_t end,
                         void *shared, void *scratch)
{
    if (begin >= end)
        return;
    plan cut = find_plan(call);
    if (phase == TURN)
        turn(call, &cut, begin, end, shared);
    else if (phase == PACK)
        pack(call, &cut, begin, end, shared);
    else if (phase == SUM)
        sum_parts(call, &cut, begin, end, shared, scratch);
    else if (call->kind == POD_CONVOLVE_KERNEL_GRADIENT)
        multiply_parts(call, &cut, begin, end, shared, scratch);
    else
        multiply_blocks(call, &cut, begin, end, shared, scratch);
}
