#include "kernels/convolution.h"

#include "kernels/convolution_direct.h"
#include "kernels/patches.h"
#include "kernels/sizes.h"

#include <string.h>

/* The phases. */
enum {
    TURN,    /* the kernel: turned for the input gradient, [group][channel][tap][filter]; with taps in the
              * order of lines, [tap][channel][filter] */
    PACK,    /* the right operand, packed, group by group */
    PRODUCT, /* blocks of rows; kernel gradient: partial sums over a part of the batch */
    SUM      /* kernel gradient: the parts added in order */
};

#define GATHER_BYTES  (256 * 1024) /* of patches in scratch: they stay in the L2 cache */
#define PARTIAL_BYTES (32 << 20)   /* of partial kernel gradients, where there are several */
#define FEW_PARTS     16           /* of the batch, where that leaves few images in each */
#define MOST_PARTS    64
#define PART_IMAGES   16
#define SUM_ROWS      32           /* that a unit of the last phase adds */

pod_convolution_sizes pod_convolution_find_sizes(const pod_window *window, const pod_shape *x,
                                                 const pod_shape *kernel, const pod_shape *result)
{
    pod_convolution_sizes sizes = {.batch = x->dims[0],
                                   .channels = x->dims[x->rank - 1],
                                   .filters = kernel->dims[kernel->rank - 1],
                                   .groups = pod_larger(window->groups, 1)};
    int missing = POD_MAX_SPATIAL - (x->rank - 2);
    for (int i = 0; i < POD_MAX_SPATIAL; i++) {
        int axis = i - missing;
        bool given = axis >= 0;
        sizes.in[i] = given ? x->dims[axis + 1] : 1;
        sizes.out[i] = given ? result->dims[axis + 1] : 1;
        sizes.size[i] = given ? kernel->dims[axis] : 1;
        sizes.stride[i] = given ? pod_larger(window->stride[axis], 1) : 1;
        sizes.dilation[i] = given ? pod_larger(window->dilation[axis], 1) : 1;
        sizes.pad[i] = given ? window->pad_low[axis] : 0;
    }
    return sizes;
}

/* ---- how a call is cut ------------------------------------------------------------------------- */

/* How rows, or the sum over places, of the product of one group are cut. */
typedef struct plan {
    int64_t groups;
    int64_t columns;  /* of the result, in one group */
    int64_t lattices; /* sets of places that are treated apart */
    int64_t row;      /* elements gathered for a place at most */
    int64_t block;    /* places gathered at once */
    size_t gathered_bytes; /* in scratch */
    size_t turned_bytes;   /* the kernel, turned or with its taps in another order */
    /* kernel gradient */
    int64_t taps, patch, parts; /* of the batch */
    int64_t tap_block;          /* taps of a unit */
    int64_t tap_blocks;
    size_t packed_bytes; /* a packed block of g, in scratch; 0: read as it is */
} plan;

/* A set of places with the same taps. The input gradient of a convolution with strides reads, at each place
 * of x, only every stride-th tap: which ones depends on the place modulo the stride. Each of these
 * lattices is a convolution without strides. There is one lattice in all other cases. */
typedef struct lattice {
    int64_t index;
    pod_patches shape;
    int64_t first[POD_MAX_SPATIAL], step[POD_MAX_SPATIAL];         /* places in the result */
    int64_t tap_first[POD_MAX_SPATIAL], tap_step[POD_MAX_SPATIAL]; /* taps of the kernel */
    int64_t taps, patch, places;
    bool overlap;              /* patches are gathered as lines */
    pod_patch_lines lines;
    int64_t block_lines;       /* gathered at once */
    int64_t unit_begin, units; /* of the product */
    size_t turned_at, packed_at, packed_bytes; /* in shared memory; packed_bytes is of a group */
} lattice;

static int64_t greatest_common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Finds, on one axis of an input gradient, the lattice of places that are `residue` modulo the stride. */
static void turn_axis(const pod_convolution_sizes *sizes, int axis, int64_t residue, lattice *to)
{
    int64_t stride = sizes->stride[axis], dilation = sizes->dilation[axis];
    int64_t common = greatest_common_divisor(stride, dilation), step = stride / common;
    int64_t tap = 0;
    while (tap < step && (residue + sizes->pad[axis] + tap * (stride - dilation % stride)) % stride != 0)
        tap++;
    int64_t taps = tap < step && tap < sizes->size[axis] ? (sizes->size[axis] - tap - 1) / step + 1 : 0;
    int64_t last = tap + (taps - 1) * step;
    to->first[axis] = residue;
    to->step[axis] = stride;
    to->tap_first[axis] = tap;
    to->tap_step[axis] = step;
    to->shape.places[axis] = (sizes->in[axis] - residue + stride - 1) / stride;
    to->shape.source[axis] = sizes->out[axis];
    to->shape.size[axis] = taps;
    to->shape.stride[axis] = 1;
    to->shape.dilation[axis] = dilation / common;
    /* The first tap of a turned patch is the last of the kernel. */
    to->shape.pad[axis] = taps > 0 ? (last * dilation - residue - sizes->pad[axis]) / stride : 0;
}

static void plain_axis(const pod_convolution_sizes *sizes, int axis, lattice *to)
{
    to->step[axis] = to->tap_step[axis] = 1;
    to->shape.places[axis] = sizes->out[axis];
    to->shape.source[axis] = sizes->in[axis];
    to->shape.size[axis] = sizes->size[axis];
    to->shape.stride[axis] = sizes->stride[axis];
    to->shape.dilation[axis] = sizes->dilation[axis];
    to->shape.pad[axis] = sizes->pad[axis];
}

/* Decides whether places are gathered as lines: as many as fit where patches would lie. Products through
 * OpenBLAS, which do not pack, cannot read rows that overlap. */
static void set_lines(const pod_convolution_call *call, const plan *cut, lattice *to)
{
    const pod_patches *shape = &to->shape;
    to->overlap = pod_patches_overlap(shape) && call->kind != POD_CONVOLVE_KERNEL_GRADIENT &&
                  call->dot->packed_b_bytes(1, 1) > 0;
    if (!to->overlap)
        return;
    to->lines = pod_patches_find_lines(shape);
    int64_t bytes = to->lines.together * shape->element;
    int64_t fit = (int64_t)cut->gathered_bytes / bytes - to->lines.behind;
    fit = pod_smaller(fit, call->dot->row_block);
    to->block_lines = pod_larger(fit / to->lines.pitch, 1);
    to->overlap = to->block_lines * to->lines.pitch + to->lines.behind <=
                  (int64_t)cut->gathered_bytes / bytes;
    if (to->overlap)
        to->units = (to->places / shape->places[2] + to->block_lines - 1) / to->block_lines;
}

/* Fills in what belongs to the lattice of this index. */
static void set_lattice(const pod_convolution_call *call, const plan *cut, lattice *to)
{
    const pod_convolution_sizes *sizes = &call->sizes;
    bool turned = call->kind == POD_CONVOLVE_INPUT_GRADIENT;
    int64_t rest = to->index;
    to->shape.channels = turned ? sizes->filters : sizes->channels;
    to->shape.depth = to->shape.channels / sizes->groups;
    to->shape.element = (int64_t)pod_dtype_size(call->dtype);
    for (int axis = POD_MAX_SPATIAL - 1; axis >= 0; axis--) {
        if (turned)
            turn_axis(sizes, axis, rest % sizes->stride[axis], to);
        else
            plain_axis(sizes, axis, to);
        rest /= sizes->stride[axis];
        to->shape.places[axis] = pod_larger(to->shape.places[axis], 0);
    }
    to->taps = pod_volume(to->shape.size);
    to->patch = to->taps * to->shape.depth;
    to->places = sizes->batch * pod_volume(to->shape.places);
    to->units = (to->places + cut->block - 1) / cut->block;
    set_lines(call, cut, to);
    to->packed_bytes = (call->dot->packed_b_bytes(to->patch, cut->columns) + 63) & ~(size_t)63;
}

static lattice first_lattice(const pod_convolution_call *call, const plan *cut)
{
    lattice result = {.packed_at = cut->turned_bytes};
    set_lattice(call, cut, &result);
    return result;
}

static void next_lattice(const pod_convolution_call *call, const plan *cut, lattice *at)
{
    at->unit_begin += at->units;
    at->packed_at += (size_t)cut->groups * at->packed_bytes;
    at->turned_at += (size_t)(cut->groups * cut->columns * at->patch * at->shape.element);
    at->index++;
    if (at->index < cut->lattices)
        set_lattice(call, cut, at);
}

static void plan_rows(const pod_convolution_call *call, int64_t depth, int64_t element, plan *to)
{
    const pod_convolution_sizes *sizes = &call->sizes;
    const pod_dot_kernels *dot = call->dot;
    to->row = depth;
    for (int axis = 0; axis < POD_MAX_SPATIAL; axis++) {
        int64_t stride = sizes->stride[axis], step = 1;
        if (call->kind == POD_CONVOLVE_INPUT_GRADIENT) {
            to->lattices *= stride;
            step = stride / greatest_common_divisor(stride, sizes->dilation[axis]);
        }
        to->row *= (sizes->size[axis] + step - 1) / step;
    }
    int64_t row_bytes = pod_larger(to->row * element, 1);
    int64_t rows = GATHER_BYTES / row_bytes / dot->row_granularity * dot->row_granularity;
    to->block = pod_larger(pod_smaller(rows, pod_round_up(dot->row_block, dot->row_granularity)),
                       dot->row_granularity);
    to->gathered_bytes = (size_t)pod_round_up(pod_larger(to->block * row_bytes, GATHER_BYTES), 64);
    if (call->kind == POD_CONVOLVE_INPUT_GRADIENT)
        to->turned_bytes =
            (size_t)pod_round_up(to->groups * to->columns * to->patch * element, 64);
}

static void plan_parts(const pod_convolution_call *call, int64_t depth, int64_t element, plan *to)
{
    to->tap_block = pod_smaller(pod_larger(1024 / pod_larger(depth, 1), 1), to->taps);
    to->tap_blocks = (to->taps + to->tap_block - 1) / to->tap_block;
    to->row = to->tap_block * depth;
    int64_t row_bytes = pod_larger(to->row * element, 1);
    to->block = pod_larger(pod_smaller(GATHER_BYTES / row_bytes / 32 * 32, 1024), 32);
    to->gathered_bytes = (size_t)pod_round_up(to->block * row_bytes, 64);
    to->packed_bytes = (call->dot->packed_b_bytes(to->block, to->columns) + 63) & ~(size_t)63;
    int64_t partial = pod_larger(to->patch * call->sizes.filters * (int64_t)sizeof(float), 1);
    int64_t batch = call->sizes.batch;
    int64_t parts = pod_larger(pod_smaller(batch / PART_IMAGES, MOST_PARTS), FEW_PARTS);
    parts = pod_smaller((parts + to->tap_blocks - 1) / to->tap_blocks, PARTIAL_BYTES / partial);
    parts = pod_larger(pod_smaller(parts, batch), 1);
    to->parts = parts;
    while (to->parts > 1 && to->parts * 2 > parts && batch % to->parts != 0)
        to->parts--;
    if (batch % to->parts != 0)
        to->parts = parts;
}

static plan find_plan(const pod_convolution_call *call)
{
    const pod_convolution_sizes *sizes = &call->sizes;
    bool turned = call->kind == POD_CONVOLVE_INPUT_GRADIENT;
    int64_t depth = (turned ? sizes->filters : sizes->channels) / sizes->groups;
    int64_t element = (int64_t)pod_dtype_size(call->dtype);
    plan result = {.groups = sizes->groups, .lattices = 1};
    result.columns = (turned ? sizes->channels : sizes->filters) / sizes->groups;
    result.taps = pod_volume(sizes->size);
    result.patch = result.taps * depth;
    if (call->kind == POD_CONVOLVE_KERNEL_GRADIENT)
        plan_parts(call, depth, element, &result);
    else
        plan_rows(call, depth, element, &result);
    if (call->kind == POD_CONVOLVE) {
        lattice only = {0};
        set_lattice(call, &result, &only);
        if (only.overlap)
            result.turned_bytes = (size_t)pod_round_up(
                result.taps * depth * sizes->filters * element, 64);
    }
    return result;
}

static int64_t panels_of(const pod_convolution_call *call, const plan *cut)
{
    return (cut->columns + call->dot->panel_columns - 1) / call->dot->panel_columns;
}

static size_t partial_bytes(const pod_convolution_call *call, const plan *cut)
{
    return (size_t)pod_round_up(cut->patch * call->sizes.filters * (int64_t)sizeof(float), 64);
}

/* The lattice behind the last one: its beginnings are totals. */
static lattice end_lattice(const pod_convolution_call *call, const plan *cut)
{
    lattice at = first_lattice(call, cut);
    while (at.index < cut->lattices)
        next_lattice(call, cut, &at);
    return at;
}

int64_t pod_convolution_units(const pod_convolution_call *call, int phase)
{
    plan cut = find_plan(call);
    bool by_parts = call->kind == POD_CONVOLVE_KERNEL_GRADIENT;
    switch (phase) {
    case TURN:
        if (call->kind == POD_CONVOLVE_INPUT_GRADIENT)
            return call->sizes.channels;
        return cut.turned_bytes ? cut.taps : 0;
    case PACK:
        if (!by_parts && pod_direct_fits(call))
            return 1;
        return by_parts ? 0 : cut.lattices * cut.groups * panels_of(call, &cut);
    case PRODUCT:
        if (!by_parts && pod_direct_fits(call))
            return pod_direct_blocks(call);
        return by_parts ? cut.parts * cut.tap_blocks : end_lattice(call, &cut).unit_begin;
    default:
        return by_parts ? (cut.patch + SUM_ROWS - 1) / SUM_ROWS : 0;
    }
}

bool pod_convolution_has_parts(const pod_convolution_call *call, int phase)
{
    if (call->kind != POD_CONVOLVE_KERNEL_GRADIENT || phase != PRODUCT)
        return false;
    plan cut = find_plan(call);
    return cut.tap_blocks == 1 && call->sizes.batch % cut.parts == 0;
}

size_t pod_convolution_shared_bytes(const pod_convolution_call *call)
{
    plan cut = find_plan(call);
    if (call->kind == POD_CONVOLVE_KERNEL_GRADIENT)
        return (size_t)cut.parts * partial_bytes(call, &cut);
    if (pod_direct_fits(call))
        return pod_direct_packed_bytes(call);
    return end_lattice(call, &cut).packed_at;
}

/* The product of a block of places of a lattice, without its operands. */
static pod_dot_call block_call(const pod_convolution_call *call, const plan *cut,
                               const lattice *of)
{
    pod_dot_call product = {.m = cut->block, .n = cut->columns, .k = of->patch,
                            .a_row_stride = of->patch, .a_k_stride = 1,
                            .b_k_stride = call->sizes.filters, .b_column_stride = 1};
    if (of->overlap) {
        product.a_row_stride = of->lines.together;
    } else if (pod_patches_are_columns(&of->shape)) {
        product.a_row_stride = 1;
        product.a_k_stride = cut->block;
    }
    if (call->kind == POD_CONVOLVE_INPUT_GRADIENT) {
        product.b_k_stride = 1;
        product.b_column_stride = of->patch;
    }
    return product;
}

size_t pod_convolution_scratch_bytes(const pod_convolution_call *call)
{
    plan cut = find_plan(call);
    lattice of = first_lattice(call, &cut);
    pod_dot_call product = block_call(call, &cut, &of);
    bool by_parts = call->kind == POD_CONVOLVE_KERNEL_GRADIENT;
    product.k = cut.row;
    product.m = pod_larger(product.m, call->dot->row_block);
    if (by_parts) {
        product.m = cut.row;
        product.k = cut.block;
    }
    size_t bytes = cut.gathered_bytes + ((call->dot->scratch_bytes(&product) + 63) & ~(size_t)63);
    if (pod_direct_fits(call))
        bytes = pod_direct_scratch_bytes(call);
    if (!by_parts)
        return bytes;
    size_t sums = (size_t)(SUM_ROWS * pod_round_up(call->sizes.filters, 16)) * sizeof(float);
    return bytes + cut.packed_bytes > sums ? bytes + cut.packed_bytes : sums;
}

void pod_convolution_products(const pod_convolution_call *call, int phase, int64_t *products,
                              int64_t *rows, int64_t *columns, int64_t *depth)
{
    const pod_convolution_sizes *z = &call->sizes;
    int64_t places = z->batch, taps = 1, channels = z->channels / z->groups;
    for (int i = 0; i < POD_MAX_SPATIAL; i++) {
        places *= z->out[i];
        taps *= z->size[i];
    }
    bool gradient = call->kind == POD_CONVOLVE_KERNEL_GRADIENT;
    bool input = call->kind == POD_CONVOLVE_INPUT_GRADIENT;
    *products = phase == PRODUCT ? z->groups : 0;
    *rows = gradient ? taps * channels : places;
    *depth = gradient ? places : taps * (input ? z->filters / z->groups : channels);
    *columns = input ? channels : z->filters / z->groups;
}

/* ---- phases ------------------------------------------------------------------------------------ */

/* The place in `right`, as a matrix, where a group's columns begin. */
static const void *right_of(const pod_convolution_call *call, const plan *cut, const lattice *of,
                            int64_t group, const void *shared)
{
    if (call->kind == POD_CONVOLVE_INPUT_GRADIENT)
        return (const char *)shared + of->turned_at +
               group * cut->columns * of->patch * of->shape.element;
    if (of->overlap)
        return (const char *)shared + of->turned_at + group * cut->columns * of->shape.element;
    return (const char *)call->right + group * cut->columns * of->shape.element;
}

/* The tap, in the order of the kernel, that stands at place `at` of a patch of lines. */
static int64_t tap_of_lines(const lattice *of, int64_t at)
{
    int64_t together = of->taps / of->shape.size[2];
    return at % together * of->shape.size[2] + at / together;
}

/* Turns the kernel for a channel and a lattice: its taps in reverse, filters innermost. */
static void turn_channel(const pod_convolution_call *call, const plan *cut, const lattice *of,
                         int64_t channel, char *to)
{
    const int64_t *size = call->sizes.size, depth = cut->columns;
    const int64_t bytes = of->shape.depth * of->shape.element;
    to += of->turned_at + (size_t)(channel * of->patch * of->shape.element);
    for (int64_t tap = 0; tap < of->taps; tap++, to += bytes) {
        const int64_t *taps = of->shape.size;
        int64_t i = of->taps - 1 - (of->overlap ? tap_of_lines(of, tap) : tap);
        int64_t place[POD_MAX_SPATIAL] = {i / (taps[2] * taps[1]), i / taps[2] % taps[1],
                                          i % taps[2]};
        int64_t row = 0;
        for (int axis = 0; axis < POD_MAX_SPATIAL; axis++)
            row = row * size[axis] + of->tap_first[axis] + place[axis] * of->tap_step[axis];
        row = row * depth + channel % depth;
        memcpy(to,
               (const char *)call->right +
                   (row * call->sizes.filters + channel / depth * of->shape.depth) *
                       of->shape.element,
               (size_t)bytes);
    }
}

static void turn(const pod_convolution_call *call, const plan *cut, int64_t begin, int64_t end,
                 char *to)
{
    lattice first = first_lattice(call, cut);
    if (call->kind == POD_CONVOLVE) {
        size_t bytes = (size_t)(first.shape.depth * call->sizes.filters * first.shape.element);
        for (int64_t tap = begin; tap < end; tap++)
            memcpy(to + (size_t)tap * bytes,
                   (const char *)call->right + (size_t)tap_of_lines(&first, tap) * bytes, bytes);
        return;
    }
    for (lattice at = first; at.index < cut->lattices; next_lattice(call, cut, &at))
        for (int64_t channel = begin; channel < end; channel++)
            turn_channel(call, cut, &at, channel, to);
}

/* A unit is a panel of a group of a lattice. */
static void pack(const pod_convolution_call *call, const plan *cut, int64_t begin, int64_t end,
                 void *shared)
{
    int64_t panels = panels_of(call, cut);
    lattice at = first_lattice(call, cut);
    for (int64_t unit = begin; unit < end; unit++) {
        while (unit / panels / cut->groups > at.index)
            next_lattice(call, cut, &at);
        if (at.packed_bytes == 0)
            continue;
        int64_t group = unit / panels % cut->groups;
        pod_dot_call product = block_call(call, cut, &at);
        char *to = (char *)shared + at.packed_at + (size_t)group * at.packed_bytes;
        call->dot->pack_b(to, call->dtype, right_of(call, cut, &at, group, shared), product.k,
                          product.n, product.b_k_stride, product.b_column_stride, unit % panels,
                          unit % panels + 1);
    }
}

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

/* Where the tiles of a block belong. */
typedef struct placed {
    const pod_convolution_call *call;
    const lattice *of;
    int64_t place, column; /* of the first element of the block */
} placed;

/* Where a place of a lattice is in the result of an input gradient. */
static int64_t place_in_result(const placed *block, int64_t place)
{
    const int64_t *places = block->of->shape.places, *in = block->call->sizes.in;
    const int64_t at[POD_MAX_SPATIAL] = {place / (places[2] * places[1]) % places[0],
                                         place / places[2] % places[1], place % places[2]};
    int64_t row = place / pod_volume(places);
    for (int axis = 0; axis < POD_MAX_SPATIAL; axis++)
        row = row * in[axis] + block->of->first[axis] + at[axis] * block->of->step[axis];
    return row;
}

static void place_epilogue(void *context, float *tile, int64_t stride, int64_t row, int64_t column,
                           int64_t rows, int64_t columns)
{
    const placed *block = context;
    const lattice *of = block->of;
    int64_t place = block->place + row;
    column += block->column;
    if (of->step[0] == 1 && of->step[1] == 1 && of->step[2] == 1) {
        finish(block->call, tile, stride, place, column, rows, columns);
        return;
    }
    while (rows > 0) { /* runs of places that are neighbours in the result */
        int64_t line = of->shape.places[2];
        int64_t run = of->step[2] == 1 ? pod_smaller(line - place % line, rows) : 1;
        finish(block->call, tile, stride, place_in_result(block, place), column, run, columns);
        tile += run * stride;
        place += run;
        rows -= run;
    }
}

/* Of the rows of a block of lines, those between lines are no places: moves places together. */
static void lines_epilogue(void *context, float *tile, int64_t stride, int64_t row, int64_t column,
                           int64_t rows, int64_t columns)
{
    const placed *block = context;
    int64_t pitch = block->of->lines.pitch, places = block->of->shape.places[2];
    int64_t first = row / pitch * places + pod_smaller(row % pitch, places), count = 0;
    for (int64_t at = 0; at < rows;) {
        int64_t x = (row + at) % pitch, run = pod_smaller(places - x, rows - at);
        if (run <= 0) {
            at += pod_smaller(pitch - x, rows - at);
            continue;
        }
        if (count != at)
            memmove(tile + count * stride, tile + at * stride,
                    (size_t)((run - 1) * stride + columns) * sizeof *tile);
        count += run;
        at += run;
    }
    if (count)
        place_epilogue(context, tile, stride, first, column, count, columns);
}

/* Gathers lines and sets a, its rows, and what takes the tiles; returns the first place. */
static int64_t gather_lines(const lattice *of, int64_t unit, const char *source, char *scratch,
                            pod_dot_call *product)
{
    int64_t line = unit * of->block_lines, places = of->shape.places[2];
    int64_t lines = pod_smaller(of->block_lines, of->places / places - line);
    product->m = (lines - 1) * of->lines.pitch + places;
    product->epilogue = lines_epilogue;
    pod_patches_gather_lines(&of->shape, &of->lines, scratch, source, line, lines);
    return line * places;
}

static void multiply_block(const pod_convolution_call *call, const plan *cut, const lattice *of,
                           int64_t unit, int64_t group, const void *shared, char *scratch)
{
    placed block = {call, of, unit * cut->block, group * cut->columns};
    pod_dot_call product = block_call(call, cut, of);
    const char *source = (const char *)call->left + group * of->shape.depth * of->shape.element;
    product.epilogue = place_epilogue;
    if (of->overlap) {
        block.place = gather_lines(of, unit, source, scratch, &product);
    } else {
        product.m = pod_smaller(cut->block, of->places - block.place);
        pod_patches_gather(&of->shape, scratch, source, block.place, product.m, 0, of->taps,
                           cut->block);
    }
    product.a = scratch;
    product.b = of->packed_bytes == 0
                    ? right_of(call, cut, of, group, shared)
                    : (const char *)shared + of->packed_at + (size_t)group * of->packed_bytes;
    product.epilogue_context = &block;
    call->dot->run(&product, 0, product.m, 0, product.n, scratch + cut->gathered_bytes);
}

/* A unit is a block of places of a lattice. */
static void multiply_blocks(const pod_convolution_call *call, const plan *cut, int64_t begin,
                            int64_t end, const void *shared, char *scratch)
{
    lattice at = first_lattice(call, cut);
    for (int64_t unit = begin; unit < end; unit++) {
        while (unit >= at.unit_begin + at.units)
            next_lattice(call, cut, &at);
        for (int64_t group = 0; group < cut->groups; group++)
            multiply_block(call, cut, &at, unit - at.unit_begin, group, shared,
                           scratch);
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
static void add_part(const pod_convolution_call *call, const plan *cut, const lattice *of,
                     int64_t part, int64_t tap, int64_t taps, int64_t group, float *partial,
                     char *scratch)
{
    const pod_patches *shape = &of->shape;
    int64_t filters = call->sizes.filters, image = pod_volume(shape->places);
    int64_t begin = part * call->sizes.batch / cut->parts * image;
    int64_t end = (part + 1) * call->sizes.batch / cut->parts * image;
    added sum = {partial + tap * shape->depth * filters + group * cut->columns, filters};
    char *packed = scratch + cut->gathered_bytes;
    pod_dot_call product = {.m = taps * shape->depth, .n = cut->columns, .a = scratch,
                            .a_row_stride = 1, .a_k_stride = taps * shape->depth,
                            .b_k_stride = filters, .b_column_stride = 1,
                            .epilogue = add_epilogue, .epilogue_context = &sum};
    if (pod_patches_are_columns(shape)) {
        product.a_row_stride = cut->block;
        product.a_k_stride = 1;
    }
    for (int64_t place = begin; place < end; place += cut->block) {
        const char *right = (const char *)call->right +
                            (place * filters + group * cut->columns) * shape->element;
        product.k = pod_smaller(cut->block, end - place);
        pod_patches_gather(shape, scratch,
                           (const char *)call->left + group * shape->depth * shape->element, place,
                           product.k, tap, tap + taps, cut->block);
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
    int64_t filters = call->sizes.filters, stride = pod_round_up(filters, 16);
    size_t bytes = partial_bytes(call, cut);
    for (int64_t unit = begin; unit < end; unit++) {
        int64_t row = unit * SUM_ROWS, rows = pod_smaller(SUM_ROWS, cut->patch - row);
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

/* A unit is a block of taps of a part of the batch. */
static void multiply_parts(const pod_convolution_call *call, const plan *cut, int64_t begin,
                           int64_t end, void *shared, char *scratch)
{
    lattice of = first_lattice(call, cut);
    int64_t row = of.shape.depth * call->sizes.filters;
    for (int64_t unit = begin; unit < end; unit++) {
        int64_t part = unit / cut->tap_blocks, tap = unit % cut->tap_blocks * cut->tap_block;
        int64_t taps = pod_smaller(cut->tap_block, cut->taps - tap);
        float *partial = (float *)((char *)shared + (size_t)part * partial_bytes(call, cut));
        memset(partial + tap * row, 0, (size_t)(taps * row) * sizeof(float));
        if (pod_direct_fits(call)) { /* all taps are one block */
            pod_direct_add_images(call, part * call->sizes.batch / cut->parts,
                                  (part + 1) * call->sizes.batch / cut->parts, partial, scratch);
            continue;
        }
        for (int64_t group = 0; group < cut->groups; group++)
            add_part(call, cut, &of, part, tap, taps, group, partial, scratch);
    }
}

void pod_convolution_run(const pod_convolution_call *call, int phase, int64_t begin, int64_t end,
                         void *shared, void *scratch)
{
    if (begin >= end)
        return;
    plan cut = find_plan(call);
    bool direct = call->kind == POD_CONVOLVE && pod_direct_fits(call);
    if (direct && phase == PACK)
        pod_direct_pack(call, shared);
    else if (direct)
        pod_direct_multiply(call, begin, end, shared, scratch);
    else if (phase == TURN)
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
