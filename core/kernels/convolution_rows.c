#include "base/divisor.h"
#include "kernels/convolution_phases.h"
#include "kernels/dot.h"
#include "kernels/padded.h"
#include "base/sizes.h"

#include <string.h>

/* ---- how a call is cut ------------------------------------------------------------------------- */

/* How rows of the product of one group are cut. */
typedef struct rows_plan {
    int64_t groups;
    int64_t columns;       /* of the result, in one group */
    int64_t lattices;      /* sets of places that are treated apart */
    int64_t row;           /* elements gathered for a place at most */
    int64_t block;         /* places gathered at once */
    size_t gathered_bytes; /* in scratch */
    bool packs_taps;       /* the turned kernel is packed tap by tap from where it lies */
    int64_t images;        /* whose lattices are put together before the epilogue takes them: a unit is one; 0: none */
    size_t turned_bytes;   /* the kernel, turned or with its taps in another order */
} rows_plan;

/* A set of places with the same taps. The input gradient of a convolution with strides reads, at each place
 * of x, only every stride-th tap: which ones depends on the place modulo the stride. Each of these
 * lattices is a convolution without strides. There is one lattice in all other cases. */
typedef struct lattice {
    int64_t index;
    pod_patches shape;
    int64_t first[POD_MAX_SPATIAL], step[POD_MAX_SPATIAL];         /* places in the result */
    int64_t tap_first[POD_MAX_SPATIAL], tap_step[POD_MAX_SPATIAL]; /* taps of the kernel */
    int64_t taps, patch, places;
    bool in_place; /* patches are read from padded images */
    pod_padded padded;
    bool overlap; /* patches are gathered as lines */
    pod_patch_lines lines;
    int64_t block_lines;                       /* gathered at once */
    int64_t unit_begin, units;                 /* of the product */
    size_t turned_at, packed_at, packed_bytes; /* in shared memory; packed_bytes is of a group */
} lattice;

/* Finds, on one axis of an input gradient, the lattice of places that are `residue` modulo the stride. */
static void turn_axis(const pod_convolution_sizes *sizes, int axis, int64_t residue, lattice *to)
{
    int64_t stride = sizes->stride[axis], dilation = sizes->dilation[axis];
    int64_t common = pod_common_divisor(stride, dilation), step = stride / common;
    int64_t tap = 0;
    while (tap < step && (residue + sizes->pad[axis] + tap * (stride - dilation % stride)) % stride != 0)
        tap++;
    int64_t taps = tap < step && tap < sizes->size[axis] ? (sizes->size[axis] - tap - 1) / step + 1 : 0;
    int64_t last = tap + (taps - 1) * step;
    to->first[axis] = residue;
    to->step[axis] = stride;
    to->tap_first[axis] = tap;
    to->tap_step[axis] = step;
    to->shape.places[axis] = pod_part_count(sizes->in[axis] - residue, stride);
    to->shape.source[axis] = sizes->out[axis];
    to->shape.size[axis] = taps;
    to->shape.stride[axis] = 1;
    to->shape.dilation[axis] = dilation / common;
    /* The first tap of a turned patch is the last of the kernel. */
    to->shape.pad[axis] = taps > 0 ? (last * dilation - residue - sizes->pad[axis]) / stride : 0;
}

/* Decides whether places are gathered as lines: as many as fit where patches would lie. Products through
 * OpenBLAS, which do not pack, cannot read rows that overlap. */
static void set_lines(const pod_convolution_call *call, const rows_plan *cut, lattice *to)
{
    const pod_patches *shape = &to->shape;
    to->overlap =
        !to->in_place && !cut->packs_taps && pod_patches_overlap(shape) && call->dot->packed_b_bytes(1, 1) > 0;
    if (!to->overlap)
        return;
    to->lines = pod_patches_find_lines(shape);
    int64_t bytes = to->lines.together * shape->element;
    int64_t fit = (int64_t)cut->gathered_bytes / bytes - to->lines.behind;
    fit = pod_smaller(fit, call->dot->row_block);
    to->block_lines = pod_larger(fit / to->lines.pitch, 1);
    to->overlap = to->block_lines * to->lines.pitch + to->lines.behind <= (int64_t)cut->gathered_bytes / bytes;
    if (to->overlap)
        to->units = pod_part_count(to->places / shape->places[2], to->block_lines);
}

/* Shorter runs are gathered: there is little to be multiplied between two of them. */
#define SHORTEST_RUN 8

/* Decides whether patches are read in place. */
static void set_padded(const pod_convolution_call *call, const rows_plan *cut, lattice *to)
{
    int64_t unit = pod_dot_piece_unit(call->dot);
    to->in_place = unit > 0 &&
                   pod_padded_plan(&to->padded, &to->shape, call->dtype, pod_dot_piece_type(call->dot), unit,
                                   (int64_t)cut->gathered_bytes) &&
                   to->padded.run_k >= SHORTEST_RUN;
    if (to->in_place)
        to->units = pod_padded_units(&to->padded, call->sizes.batch);
}

/* Fills in what belongs to the lattice of this index. */
static void set_lattice(const pod_convolution_call *call, const rows_plan *cut, lattice *to)
{
    const pod_convolution_sizes *sizes = &call->sizes;
    bool turned = call->kind == POD_CONVOLVE_INPUT_GRADIENT;
    int64_t rest = to->index;
    to->shape = pod_convolution_patches(call);
    if (turned) {
        to->shape.channels = sizes->filters;
        to->shape.depth = sizes->filters / sizes->groups;
    }
    for (int axis = POD_MAX_SPATIAL - 1; axis >= 0; axis--) {
        to->step[axis] = to->tap_step[axis] = 1;
        if (turned)
            turn_axis(sizes, axis, rest % sizes->stride[axis], to);
        rest /= sizes->stride[axis];
        to->shape.places[axis] = pod_larger(to->shape.places[axis], 0);
    }
    to->taps = pod_volume(to->shape.size);
    to->patch = to->taps * to->shape.depth;
    to->places = sizes->batch * pod_volume(to->shape.places);
    to->units = pod_part_count(to->places, cut->block);
    set_padded(call, cut, to);
    set_lines(call, cut, to);
    to->packed_bytes = pod_round_up_bytes(call->dot->packed_b_bytes(to->patch, cut->columns), 64);
}

static lattice first_lattice(const pod_convolution_call *call, const rows_plan *cut)
{
    lattice result = {.packed_at = cut->turned_bytes};
    set_lattice(call, cut, &result);
    return result;
}

static void next_lattice(const pod_convolution_call *call, const rows_plan *cut, lattice *at)
{
    at->unit_begin += at->units;
    at->packed_at += (size_t)cut->groups * at->packed_bytes;
    at->turned_at += (size_t)(cut->groups * cut->columns * at->patch * at->shape.element);
    at->index++;
    if (at->index < cut->lattices)
        set_lattice(call, cut, at);
}

/* Bytes of results that are put together: some images that stay in the L2 cache, or a large one. */
#define TOGETHER_BYTES      (256 * 1024)
#define MOST_TOGETHER_BYTES (16 * 1024 * 1024)

/* Elements of an image of the result of an input gradient. */
static int64_t image_elements(const pod_convolution_call *call)
{
    return pod_volume(call->sizes.in) * call->sizes.channels;
}

/* The places of a lattice are no neighbours in the result, and an epilogue of one place at a time would cost more than
 * the product. Products through OpenBLAS get the same pieces wherever a call begins: one image each. */
static int64_t images_together(const pod_convolution_call *call)
{
    int64_t bytes = image_elements(call) * (int64_t)sizeof(float);
    if (bytes <= 0 || bytes > MOST_TOGETHER_BYTES)
        return 0;
    return call->dot->packed_b_bytes(1, 1) > 0 ? pod_larger(TOGETHER_BYTES / bytes, 1) : 1;
}

static rows_plan find_plan(const pod_convolution_call *call)
{
    const pod_convolution_sizes *sizes = &call->sizes;
    const pod_dot_kernels *dot = call->dot;
    bool turned = call->kind == POD_CONVOLVE_INPUT_GRADIENT;
    int64_t depth = (turned ? sizes->filters : sizes->channels) / sizes->groups;
    int64_t element = (int64_t)pod_dtype_size(call->dtype);
    rows_plan to = {.groups = sizes->groups, .lattices = 1, .row = depth};
    to.columns = (turned ? sizes->channels : sizes->filters) / sizes->groups;
    for (int axis = 0; axis < POD_MAX_SPATIAL; axis++) {
        int64_t stride = sizes->stride[axis], step = 1;
        if (turned) {
            to.lattices *= stride;
            step = stride / pod_common_divisor(stride, sizes->dilation[axis]);
        }
        to.row *= pod_part_count(sizes->size[axis], step);
    }
    int64_t row_bytes = pod_larger(to.row * element, 1);
    int64_t rows = POD_CONVOLUTION_GATHER_BYTES / row_bytes / dot->row_granularity * dot->row_granularity;
    to.block = pod_larger(pod_smaller(rows, pod_round_up(dot->row_block, dot->row_granularity)), dot->row_granularity);
    to.gathered_bytes = (size_t)pod_round_up(pod_larger(to.block * row_bytes, POD_CONVOLUTION_GATHER_BYTES), 64);
    bool in_lines = false;
    to.packs_taps = turned && pod_dot_piece_unit(dot) > 0 && depth % dot->family->k_unit == 0;
    if (!turned) {
        lattice only = {0};
        set_lattice(call, &to, &only);
        in_lines = only.overlap;
    }
    to.images = to.lattices > 1 ? images_together(call) : 0;
    if ((turned && !to.packs_taps) || in_lines)
        to.turned_bytes = (size_t)pod_round_up(to.groups * to.columns * pod_volume(sizes->size) * depth * element, 64);
    return to;
}

static int64_t panels_of(const pod_convolution_call *call, const rows_plan *cut)
{
    return pod_part_count(cut->columns, call->dot->panel_columns);
}

/* The lattice behind the last one: its beginnings are totals. */
static lattice end_lattice(const pod_convolution_call *call, const rows_plan *cut)
{
    lattice at = first_lattice(call, cut);
    while (at.index < cut->lattices)
        next_lattice(call, cut, &at);
    return at;
}

int64_t pod_convolution_rows_units(const pod_convolution_call *call, int phase)
{
    rows_plan cut = find_plan(call);
    switch (phase) {
    case POD_CONVOLUTION_TURN:
        if (!cut.turned_bytes)
            return 0;
        return call->kind == POD_CONVOLVE ? pod_volume(call->sizes.size) : call->sizes.channels;
    case POD_CONVOLUTION_PACK:
        return cut.lattices * cut.groups * panels_of(call, &cut);
    case POD_CONVOLUTION_PRODUCT:
        return cut.images ? call->sizes.batch : end_lattice(call, &cut).unit_begin;
    default:
        return 0;
    }
}

size_t pod_convolution_rows_shared_bytes(const pod_convolution_call *call)
{
    rows_plan cut = find_plan(call);
    return end_lattice(call, &cut).packed_at;
}

/* The product of a block of places of a lattice, without its operands. */
static pod_dot_call block_call(const pod_convolution_call *call, const rows_plan *cut, const lattice *of)
{
    pod_dot_call product = {.m = cut->block,
                            .n = cut->columns,
                            .k = of->patch,
                            .a_row_stride = of->patch,
                            .a_k_stride = 1,
                            .b_k_stride = call->sizes.filters,
                            .b_column_stride = 1};
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

/* Scratch for what products gather and pack. */
static size_t product_scratch(const pod_convolution_call *call, const rows_plan *cut)
{
    lattice of = first_lattice(call, cut);
    pod_dot_call product = block_call(call, cut, &of);
    product.k = cut->row;
    product.m = pod_larger(product.m, call->dot->row_block);
    return cut->gathered_bytes + pod_round_up_bytes(call->dot->scratch_bytes(&product), 64);
}

size_t pod_convolution_rows_scratch_bytes(const pod_convolution_call *call)
{
    rows_plan cut = find_plan(call);
    return product_scratch(call, &cut) + (size_t)(cut.images * image_elements(call)) * sizeof(float);
}

/* ---- phases ------------------------------------------------------------------------------------ */

/* The place in `right`, as a matrix, where a group's columns begin. */
static const void *right_of(const pod_convolution_call *call, const rows_plan *cut, const lattice *of, int64_t group,
                            const void *shared)
{
    if (call->kind == POD_CONVOLVE_INPUT_GRADIENT)
        return (const char *)shared + of->turned_at + group * cut->columns * of->patch * of->shape.element;
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

/* Where in the kernel the filters of a channel begin for tap `tap` of a turned patch, of which the last tap is
 * first. */
static const char *turned_tap(const pod_convolution_call *call, const rows_plan *cut, const lattice *of, int64_t tap,
                              int64_t channel)
{
    const int64_t *size = call->sizes.size, *taps = of->shape.size, depth = cut->columns;
    int64_t i = of->taps - 1 - tap, row = 0;
    int64_t place[POD_MAX_SPATIAL] = {i / (taps[2] * taps[1]), i / taps[2] % taps[1], i % taps[2]};
    for (int axis = 0; axis < POD_MAX_SPATIAL; axis++)
        row = row * size[axis] + of->tap_first[axis] + place[axis] * of->tap_step[axis];
    row = row * depth + channel % depth;
    return (const char *)call->right +
           (row * call->sizes.filters + channel / depth * of->shape.depth) * of->shape.element;
}

/* Turns the kernel for a channel and a lattice: its taps in reverse, filters innermost. */
static void turn_channel(const pod_convolution_call *call, const rows_plan *cut, const lattice *of, int64_t channel,
                         char *to)
{
    const int64_t bytes = of->shape.depth * of->shape.element;
    to += of->turned_at + (size_t)(channel * of->patch * of->shape.element);
    for (int64_t tap = 0; tap < of->taps; tap++, to += bytes)
        memcpy(to, turned_tap(call, cut, of, of->overlap ? tap_of_lines(of, tap) : tap, channel), (size_t)bytes);
}

static void turn(const pod_convolution_call *call, const rows_plan *cut, int64_t begin, int64_t end, char *to)
{
    lattice first = first_lattice(call, cut);
    if (call->kind == POD_CONVOLVE) {
        size_t bytes = (size_t)(first.shape.depth * call->sizes.filters * first.shape.element);
        for (int64_t tap = begin; tap < end; tap++)
            memcpy(to + (size_t)tap * bytes, (const char *)call->right + (size_t)tap_of_lines(&first, tap) * bytes,
                   bytes);
        return;
    }
    for (lattice at = first; at.index < cut->lattices; next_lattice(call, cut, &at))
        for (int64_t channel = begin; channel < end; channel++)
            turn_channel(call, cut, &at, channel, to);
}

/* Packs a panel of a group's turned kernel, tap by tap. */
static void pack_taps(const pod_convolution_call *call, const rows_plan *cut, const lattice *of, int64_t group,
                      int64_t panel, char *packed)
{
    const pod_dot_family *family = call->dot->family;
    const int64_t depth = of->shape.depth, bytes = family->packed_bytes;
    const int64_t begin = panel * call->dot->panel_columns; /* some panels of the family */
    const int64_t end = pod_smaller(begin + call->dot->panel_columns, cut->columns);
    for (int64_t column = begin; column < end; column += family->panel_columns) {
        int64_t columns = pod_smaller(family->panel_columns, end - column);
        int64_t width = pod_round_up(columns, family->vector_columns);
        char *to = packed + column * of->patch * bytes;
        for (int64_t tap = 0; tap < of->taps; tap++, to += depth * width * bytes)
            family->pack_b(to, width, call->dtype, turned_tap(call, cut, of, tap, group * cut->columns + column),
                           columns, depth, 1, call->sizes.filters);
    }
}

/* A unit is a panel of a group of a lattice. */
static void pack(const pod_convolution_call *call, const rows_plan *cut, int64_t begin, int64_t end, void *shared)
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
        if (cut->packs_taps) {
            pack_taps(call, cut, &at, group, unit % panels, to);
            continue;
        }
        call->dot->pack_b(to, call->dtype, right_of(call, cut, &at, group, shared), product.k, product.n,
                          product.b_k_stride, product.b_column_stride, unit % panels, unit % panels + 1);
    }
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
    const int64_t at[POD_MAX_SPATIAL] = {place / (places[2] * places[1]) % places[0], place / places[2] % places[1],
                                         place % places[2]};
    int64_t row = place / pod_volume(places);
    for (int axis = 0; axis < POD_MAX_SPATIAL; axis++)
        row = row * in[axis] + block->of->first[axis] + at[axis] * block->of->step[axis];
    return row;
}

static void place_epilogue(void *context, float *tile, int64_t stride, int64_t row, int64_t column, int64_t rows,
                           int64_t columns)
{
    const placed *block = context;
    const lattice *of = block->of;
    int64_t place = block->place + row;
    column += block->column;
    if (of->step[0] == 1 && of->step[1] == 1 && of->step[2] == 1) {
        pod_convolution_finish(block->call, tile, stride, place, column, rows, columns);
        return;
    }
    while (rows > 0) { /* runs of places that are neighbours in the result */
        int64_t line = of->shape.places[2];
        int64_t run = pod_smaller(line - place % line, rows), first = place_in_result(block, place);
        if (of->step[2] == 1)
            pod_convolution_finish(block->call, tile, stride, first, column, run, columns);
        else
            for (int64_t i = 0; i < run; i++)
                pod_convolution_finish(block->call, tile + i * stride, stride, first + i * of->step[2], column, 1,
                                       columns);
        tile += run * stride;
        place += run;
        rows -= run;
    }
}

/* Of the rows of a block of lines, those between lines are no places: moves places together. */
static void lines_epilogue(void *context, float *tile, int64_t stride, int64_t row, int64_t column, int64_t rows,
                           int64_t columns)
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
            memmove(tile + count * stride, tile + at * stride, (size_t)((run - 1) * stride + columns) * sizeof *tile);
        count += run;
        at += run;
    }
    if (count)
        place_epilogue(context, tile, stride, first, column, count, columns);
}

/* Gathers lines and sets a, its rows, and what takes the tiles; returns the first place. */
static int64_t gather_lines(const lattice *of, int64_t unit, const char *source, char *scratch, pod_dot_call *product)
{
    int64_t line = unit * of->block_lines, places = of->shape.places[2];
    int64_t lines = pod_smaller(of->block_lines, of->places / places - line);
    product->m = (lines - 1) * of->lines.pitch + places;
    product->epilogue = lines_epilogue;
    pod_patches_gather_lines(&of->shape, &of->lines, scratch, source, line, lines);
    return line * places;
}

/* The product of a group; `read` is what a block reads in place, NULL where it is gathered. */
static void multiply_block(const pod_convolution_call *call, const rows_plan *cut, const lattice *of, int64_t unit,
                           int64_t group, const pod_padded_unit *read, const void *shared, char *scratch)
{
    placed block = {call, of, unit * cut->block, group * cut->columns};
    pod_dot_call product = block_call(call, cut, of);
    const int64_t channel = group * of->shape.depth;
    const char *source = (const char *)call->left + channel * of->shape.element;
    product.epilogue = place_epilogue;
    product.a = scratch;
    if (read != NULL) {
        block.place = read->first;
        product.m = read->places;
        product.a = read->a + channel * (int64_t)pod_dtype_size(of->padded.wanted);
        product.a_row_stride = read->row_stride;
        product.pieces = &read->pieces;
    } else if (of->overlap) {
        block.place = gather_lines(of, unit, source, scratch, &product);
    } else {
        product.m = pod_smaller(cut->block, of->places - block.place);
        pod_patches_gather(&of->shape, scratch, source, block.place, product.m, 0, of->taps, cut->block);
    }
    product.b = of->packed_bytes == 0 ? right_of(call, cut, of, group, shared)
                                      : (const char *)shared + of->packed_at + (size_t)group * of->packed_bytes;
    product.epilogue_context = &block;
    call->dot->run(&product, 0, product.m, 0, product.n, scratch + cut->gathered_bytes);
}

/* Units are blocks of places of a lattice. */
static void multiply_blocks(const pod_convolution_call *call, const rows_plan *cut, int64_t begin, int64_t end,
                            const void *shared, char *scratch)
{
    lattice at = first_lattice(call, cut);
    for (int64_t unit = begin; unit < end; unit++) {
        while (unit >= at.unit_begin + at.units)
            next_lattice(call, cut, &at);
        int64_t block = unit - at.unit_begin;
        pod_padded_unit read;
        if (at.in_place)
            read = pod_padded_read(&at.padded, call->left, block, call->sizes.batch, scratch);
        for (int64_t group = 0; group < cut->groups; group++)
            multiply_block(call, cut, &at, block, group, at.in_place ? &read : NULL, shared, scratch);
    }
}

/* Puts the lattices of some images together, and hands on whole images. */
static void multiply_images(const pod_convolution_call *call, const rows_plan *cut, int64_t begin, int64_t end,
                            const void *shared, char *scratch)
{
    const pod_convolution_sizes *sizes = &call->sizes;
    const int64_t elements = image_elements(call), rows = pod_volume(sizes->in);
    const int64_t source = pod_volume(sizes->out) * sizes->filters * (int64_t)pod_dtype_size(call->dtype);
    float *together = (float *)(scratch + product_scratch(call, cut));
    for (int64_t image = begin; image < end; image += cut->images) {
        pod_convolution_call some = *call;
        some.sizes.batch = pod_smaller(cut->images, end - image);
        some.left = (const char *)call->left + image * source;
        some.epilogue = NULL;
        some.result = together;
        some.result_stride = sizes->channels;
        multiply_blocks(&some, cut, 0, end_lattice(&some, cut).unit_begin, shared, scratch);
        pod_convolution_finish(call, together, sizes->channels, image * rows, 0, some.sizes.batch * rows,
                               elements / rows);
    }
}

void pod_convolution_rows_run(const pod_convolution_call *call, int phase, int64_t begin, int64_t end, void *shared,
                              void *scratch)
{
    rows_plan cut = find_plan(call);
    if (phase == POD_CONVOLUTION_TURN)
        turn(call, &cut, begin, end, shared);
    else if (phase == POD_CONVOLUTION_PACK)
        pack(call, &cut, begin, end, shared);
    else if (cut.images)
        multiply_images(call, &cut, begin, end, shared, scratch);
    else
        multiply_blocks(call, &cut, begin, end, shared, scratch);
}
