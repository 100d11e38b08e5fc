/* Convolutions and their input gradients as products of gathered patches. */

#include "kernels/convolution_phases.h"

#include <string.h>

#include "base/sizes.h"
#include "kernels/convolution_lattices.h"

static int64_t panels_of(const pod_convolution_call *call, const pod_rows_plan *cut)
{
    return pod_part_count(cut->columns, call->dot->panel_columns);
}

static int64_t rows_units(const pod_convolution_call *call, int phase)
{
    pod_rows_plan cut = pod_kernel_rows_plan_of(call);
    switch (phase) {
    case POD_CONVOLUTION_TURN:
        if (!cut.turned_bytes)
            return 0;
        return call->kind == POD_CONVOLVE ? pod_kernel_volume(call->sizes.size) : call->sizes.channels;
    case POD_CONVOLUTION_PACK:
        return cut.lattices * cut.groups * panels_of(call, &cut);
    case POD_CONVOLUTION_PRODUCT:
        return cut.images ? call->sizes.batch
                          : pod_kernel_end_lattice(call, &cut).unit_begin * pod_kernel_rows_pieces(&cut);
    default:
        return 0;
    }
}

static size_t rows_shared_bytes(const pod_convolution_call *call)
{
    pod_rows_plan cut = pod_kernel_rows_plan_of(call);
    return pod_kernel_end_lattice(call, &cut).packed_at;
}

/* The product of a block of places of a lattice, without its operands. */
static pod_dot_call block_call(const pod_convolution_call *call, const pod_rows_plan *cut, const pod_lattice *of)
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
    } else if (pod_kernel_patches_are_columns(&of->shape)) {
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
static size_t product_scratch(const pod_convolution_call *call, const pod_rows_plan *cut)
{
    pod_lattice of = pod_kernel_first_lattice(call, cut);
    pod_dot_call product = block_call(call, cut, &of);
    product.k = cut->row;
    product.m = pod_larger(product.m, call->dot->row_block);
    return cut->gathered_bytes + pod_round_up_bytes(call->dot->scratch_bytes(call->dot, &product), 64);
}

static size_t rows_scratch_bytes(const pod_convolution_call *call)
{
    pod_rows_plan cut = pod_kernel_rows_plan_of(call);
    return product_scratch(call, &cut) + (size_t)(cut.images * pod_kernel_result_image_elements(call)) * sizeof(float);
}

/* ---- phases ------------------------------------------------------------------------------------ */

/* The place in `right`, as a matrix, where a group's columns begin. */
static const void *right_of(const pod_convolution_call *call, const pod_rows_plan *cut, const pod_lattice *of,
                            int64_t group, const void *shared)
{
    if (call->kind == POD_CONVOLVE_INPUT_GRADIENT)
        return (const char *)shared + of->turned_at + group * cut->columns * of->patch * of->shape.element;
    if (of->overlap)
        return (const char *)shared + of->turned_at + group * cut->columns * of->shape.element;
    return (const char *)call->right + group * cut->columns * of->shape.element;
}

/* The tap, in the order of the kernel, that stands at place `at` of a patch of lines. */
static int64_t tap_of_lines(const pod_lattice *of, int64_t at)
{
    int64_t together = of->taps / of->shape.size[2];
    return at % together * of->shape.size[2] + at / together;
}

/* Returns where in the kernel the filters of a channel begin for tap `tap` of a turned patch, of which the last tap is
 * first. */
static const char *turned_tap(const pod_convolution_call *call, const pod_rows_plan *cut, const pod_lattice *of,
                              int64_t tap, int64_t channel)
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
static void turn_channel(const pod_convolution_call *call, const pod_rows_plan *cut, const pod_lattice *of,
                         int64_t channel, char *to)
{
    const int64_t bytes = of->shape.depth * of->shape.element;
    to += of->turned_at + (size_t)(channel * of->patch * of->shape.element);
    for (int64_t tap = 0; tap < of->taps; tap++, to += bytes)
        memcpy(to, turned_tap(call, cut, of, of->overlap ? tap_of_lines(of, tap) : tap, channel), (size_t)bytes);
}

static void turn(const pod_convolution_call *call, const pod_rows_plan *cut, int64_t begin, int64_t end, char *to)
{
    pod_lattice first = pod_kernel_first_lattice(call, cut);
    if (call->kind == POD_CONVOLVE) {
        size_t bytes = (size_t)(first.shape.depth * call->sizes.filters * first.shape.element);
        for (int64_t tap = begin; tap < end; tap++)
            memcpy(to + (size_t)tap * bytes, (const char *)call->right + (size_t)tap_of_lines(&first, tap) * bytes,
                   bytes);
        return;
    }
    for (pod_lattice at = first; at.index < cut->lattices; pod_kernel_next_lattice(call, cut, &at))
        for (int64_t channel = begin; channel < end; channel++)
            turn_channel(call, cut, &at, channel, to);
}

/* Packs a panel of a group's turned kernel, tap by tap. */
static void pack_taps(const pod_convolution_call *call, const pod_rows_plan *cut, const pod_lattice *of, int64_t group,
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
static void pack(const pod_convolution_call *call, const pod_rows_plan *cut, int64_t begin, int64_t end, void *shared)
{
    int64_t panels = panels_of(call, cut);
    pod_lattice at = pod_kernel_first_lattice(call, cut);
    for (int64_t unit = begin; unit < end; unit++) {
        while (unit / panels / cut->groups > at.index)
            pod_kernel_next_lattice(call, cut, &at);
        if (at.packed_bytes == 0)
            continue;
        int64_t group = unit / panels % cut->groups;
        pod_dot_call product = block_call(call, cut, &at);
        char *to = (char *)shared + at.packed_at + (size_t)group * at.packed_bytes;
        if (cut->packs_taps) {
            pack_taps(call, cut, &at, group, unit % panels, to);
            continue;
        }
        pod_kernel_dot_pack_b(call->dot, to, call->dtype, right_of(call, cut, &at, group, shared), product.k, product.n,
                              product.b_k_stride, product.b_column_stride, unit % panels, unit % panels + 1);
    }
}

/* Where the tiles of a block belong. */
typedef struct placed {
    const pod_convolution_call *call;
    const pod_lattice *of;
    int64_t place, column; /* of the first element of the block */
} placed;

/* Returns where a place of a lattice is in the result of an input gradient. */
static int64_t place_in_result(const placed *block, int64_t place)
{
    const int64_t *places = block->of->shape.places, *in = block->call->sizes.in;
    const int64_t at[POD_MAX_SPATIAL] = {place / (places[2] * places[1]) % places[0], place / places[2] % places[1],
                                         place % places[2]};
    int64_t row = place / pod_kernel_volume(places);
    for (int axis = 0; axis < POD_MAX_SPATIAL; axis++)
        row = row * in[axis] + block->of->first[axis] + at[axis] * block->of->step[axis];
    return row;
}

static void place_epilogue(void *context, float *tile, int64_t stride, int64_t row, int64_t column, int64_t rows,
                           int64_t columns)
{
    const placed *block = context;
    const pod_lattice *of = block->of;
    int64_t place = block->place + row;
    column += block->column;
    if (of->step[0] == 1 && of->step[1] == 1 && of->step[2] == 1) {
        pod_kernel_convolution_finish(block->call, tile, stride, place, column, rows, columns);
        return;
    }
    while (rows > 0) { /* runs of places that are neighbours in the result */
        int64_t line = of->shape.places[2];
        int64_t run = pod_smaller(line - place % line, rows), first = place_in_result(block, place);
        if (of->step[2] == 1)
            pod_kernel_convolution_finish(block->call, tile, stride, first, column, run, columns);
        else
            for (int64_t i = 0; i < run; i++)
                pod_kernel_convolution_finish(block->call, tile + i * stride, stride, first + i * of->step[2], column,
                                              1, columns);
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
static int64_t gather_lines(const pod_lattice *of, int64_t unit, const char *source, char *scratch,
                            pod_dot_call *product)
{
    int64_t line = unit * of->block_lines, places = of->shape.places[2];
    int64_t lines = pod_smaller(of->block_lines, of->places / places - line);
    product->m = (lines - 1) * of->lines.pitch + places;
    product->epilogue = lines_epilogue;
    pod_kernel_patches_gather_lines(&of->shape, &of->lines, scratch, source, line, lines);
    return line * places;
}

/* The same finish with another place for row 0, column 0. */
static pod_sums_finish finish_from(const pod_sums_finish *of, int64_t row, int64_t column)
{
    pod_sums_finish to = *of;
    to.bias = of->bias ? of->bias + column : NULL;
    to.scale = of->scale ? of->scale + column : NULL;
    to.shift = of->shift ? of->shift + column : NULL;
    to.add = of->add ? of->add + row * of->stride + column : NULL;
    to.to = (float *)of->to + row * of->stride + column;
    return to;
}

/* Some columns of the product of a group; `read` is what a block reads in place, NULL where it is gathered. */
static void multiply_block(const pod_convolution_call *call, const pod_rows_plan *cut, const pod_lattice *of,
                           int64_t unit, int64_t group, const int64_t columns[2], const pod_padded_unit *read,
                           const void *shared, char *scratch)
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
        pod_kernel_patches_gather(&of->shape, scratch, source, block.place, product.m, 0, of->taps, cut->block);
    }
    product.b = of->packed_bytes == 0 ? right_of(call, cut, of, group, shared)
                                      : (const char *)shared + of->packed_at + (size_t)group * of->packed_bytes;
    product.epilogue_context = &block;
    pod_sums_finish finish;
    if (call->finish) {
        finish = finish_from(call->finish, block.place, block.column);
        product.finish = &finish;
    }
    call->dot->run(call->dot, &product, 0, product.m, columns[0], columns[1], scratch + cut->gathered_bytes);
}

/* Units are pieces of the columns of blocks of places of a lattice; those of a block are done at once. */
static void multiply_blocks(const pod_convolution_call *call, const pod_rows_plan *cut, int64_t begin, int64_t end,
                            const void *shared, char *scratch)
{
    pod_lattice at = pod_kernel_first_lattice(call, cut);
    const int64_t pieces = pod_kernel_rows_pieces(cut);
    for (int64_t unit = begin, next; unit < end; unit = next) {
        next = pod_smaller((unit / pieces + 1) * pieces, end);
        const int64_t columns[2] = {unit % pieces * cut->piece,
                                    pod_smaller((unit % pieces + next - unit) * cut->piece, cut->columns)};
        while (unit / pieces >= at.unit_begin + at.units)
            pod_kernel_next_lattice(call, cut, &at);
        int64_t block = unit / pieces - at.unit_begin;
        pod_padded_unit read;
        if (at.in_place)
            read = pod_kernel_padded_read(&at.padded, call->left, block, call->sizes.batch, scratch);
        for (int64_t group = 0; group < cut->groups; group++)
            multiply_block(call, cut, &at, block, group, columns, at.in_place ? &read : NULL, shared, scratch);
    }
}

/* Puts the lattices of some images together, and hands on whole images. */
static void multiply_images(const pod_convolution_call *call, const pod_rows_plan *cut, int64_t begin, int64_t end,
                            const void *shared, char *scratch)
{
    const pod_window_sizes *sizes = &call->sizes;
    const int64_t elements = pod_kernel_result_image_elements(call), rows = pod_kernel_volume(sizes->in);
    const int64_t source = pod_kernel_volume(sizes->out) * sizes->filters * (int64_t)pod_dtype_size(call->dtype);
    float *together = (float *)(scratch + product_scratch(call, cut));
    for (int64_t image = begin; image < end; image += cut->images) {
        pod_convolution_call some = *call;
        some.sizes.batch = pod_smaller(cut->images, end - image);
        some.left = (const char *)call->left + image * source;
        some.epilogue = NULL;
        some.result = together;
        some.result_stride = sizes->channels;
        multiply_blocks(&some, cut, 0, pod_kernel_end_lattice(&some, cut).unit_begin * pod_kernel_rows_pieces(cut),
                        shared, scratch);
        pod_kernel_convolution_finish(call, together, sizes->channels, image * rows, 0, some.sizes.batch * rows,
                                      elements / rows);
    }
}

static void rows_run(const pod_convolution_call *call, int phase, int64_t begin, int64_t end, void *shared,
                     void *scratch)
{
    pod_rows_plan cut = pod_kernel_rows_plan_of(call);
    if (phase == POD_CONVOLUTION_TURN)
        turn(call, &cut, begin, end, shared);
    else if (phase == POD_CONVOLUTION_PACK)
        pack(call, &cut, begin, end, shared);
    else if (cut.images)
        multiply_images(call, &cut, begin, end, shared, scratch);
    else
        multiply_blocks(call, &cut, begin, end, shared, scratch);
}

/* Places that are neighbours in the result and are read in place: tiles of products are those of the result. */
static bool rows_finish(const pod_convolution_call *call, pod_dtype dtype)
{
    const pod_rows_plan cut = pod_kernel_rows_plan_of(call);
    return dtype == POD_F32 && cut.lattices == 1 && cut.columns % POD_FINISH_LANES == 0 &&
           pod_kernel_dot_finishes(call->dot) && pod_kernel_first_lattice(call, &cut).in_place;
}

const pod_convolution_way pod_convolution_by_rows = {rows_units, rows_shared_bytes, rows_scratch_bytes, rows_run,
                                                     NULL,       rows_finish};
