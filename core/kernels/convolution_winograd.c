/*
 * Convolutions with kernels of 3 x 3 and their input gradients by the transforms of winograd.h. A unit is some tiles of
 * the result, or some of their columns: its places of x are transformed, multiplied point by point with the packed
 * kernel, and transformed back, all in the nearest caches.
 */

#include "kernels/convolution_winograd.h"

#include "base/sizes.h"
#include "kernels/dot.h"
#include "kernels/winograd.h"

#include <string.h>

#define POINTS POD_WINOGRAD_POINTS

/* Chosen: tiles of a unit, so that those of some hundred channels stay in the L2 cache and each packed element is used
 * for as many; bytes of products at once; channels and filters of a kernel that are transformed at once. */
#define MOST_TILES    64
#define PRODUCT_BYTES (1024 * 1024)
#define STRIP         8
#define STRIP_COLUMNS 256

/* Fewer channels or filters leave too little between the transforms. */
#define LEAST_DEPTH 32

/* A kernel of more bytes is read from memory, and with 16 points instead of 9: it needs as many tiles of an image. */
#define NEAR_BYTES (1024 * 1024)
#define MANY_TILES 16

/* Units that threads should have, as in convolution_lattices.c, and columns that one has at least: each thread that has
 * some of a block transforms what it reads. */
#define FEWEST_UNITS 8
#define LEAST_PIECE  64

/* How a call is cut. */
typedef struct winograd_plan {
    bool turned;
    int64_t in[2], out[2], pad[2];   /* lines and places of what is read, and of the result */
    int64_t depth, columns;          /* channels and filters, or the other way round */
    int64_t images, tiles[2];        /* of each image */
    int64_t lines, part, parts;      /* a block is some lines of tiles, or a part of one */
    int64_t blocks, piece, pieces;   /* units are pieces of the columns of a block */
    int64_t group, stride;           /* columns that are multiplied at once; their distance in memory */
    int64_t read_step, product_step; /* floats from a point to the next */
    int64_t packed_step;             /* bytes */
    int64_t element;                 /* bytes */
} winograd_plan;

static bool is_whole(const pod_window_sizes *s)
{
    for (int i = 0; i < POD_MAX_SPATIAL; i++)
        if (s->stride[i] != 1 || s->dilation[i] != 1 || s->size[i] != (i ? 3 : 1))
            return false;
    return s->groups == 1 && s->pad[0] == 0 && s->in[0] == s->out[0];
}

static winograd_plan plan_of(const pod_convolution_call *call)
{
    const pod_window_sizes *s = &call->sizes;
    const pod_dot_family *family = call->dot->family;
    winograd_plan to = {.turned = call->kind == POD_CONVOLVE_INPUT_GRADIENT, .images = s->batch * s->out[0]};
    to.element = (int64_t)pod_dtype_size(call->dtype);
    for (int i = 0; i < 2; i++) {
        to.in[i] = to.turned ? s->out[i + 1] : s->in[i + 1];
        to.out[i] = to.turned ? s->in[i + 1] : s->out[i + 1];
        to.pad[i] = to.turned ? 2 - s->pad[i + 1] : s->pad[i + 1];
        to.tiles[i] = pod_part_count(to.out[i], 2);
    }
    to.depth = to.turned ? s->filters : s->channels;
    to.columns = to.turned ? s->channels : s->filters;
    to.lines = pod_larger(MOST_TILES / pod_larger(to.tiles[1], 1), 1);
    to.part = pod_larger(pod_even_part(to.tiles[1], MOST_TILES, 1), 1);
    to.parts = pod_part_count(to.tiles[1], to.part);
    to.blocks = pod_part_count(to.images * to.tiles[0], to.lines) * to.parts;
    const int64_t tiles = pod_round_up(to.lines * to.part, family->tile_rows), panel = family->panel_columns;
    to.group = PRODUCT_BYTES / (POINTS * (int64_t)sizeof(float)) / tiles / panel * panel;
    to.group = pod_smaller(pod_larger(to.group, panel), pod_round_up(to.columns, panel));
    to.piece = pod_larger(to.columns, 1);
    if (to.blocks < FEWEST_UNITS) {
        const int64_t wanted = pod_part_count(to.columns * pod_larger(to.blocks, 1), FEWEST_UNITS);
        to.piece = pod_round_up(pod_larger(wanted, LEAST_PIECE), panel);
    }
    to.pieces = pod_part_count(to.columns, to.piece);
    /* A line more: points that are 2^n apart share a set of the cache. */
    to.read_step = tiles * to.depth + 16;
    to.stride = pod_round_up(to.group, 16);
    to.product_step = tiles * to.stride + 16;
    to.packed_step = (int64_t)pod_round_up_bytes(pod_kernel_dot_packed_b_bytes(call->dot, to.depth, to.columns), 64);
    return to;
}

bool pod_kernel_winograd_fits(const pod_convolution_call *call)
{
    const pod_window_sizes *s = &call->sizes;
    if (call->winograd == NULL || call->kind == POD_CONVOLVE_KERNEL_GRADIENT || !is_whole(s) ||
        !pod_kernel_dot_finishes(call->dot) || call->dot->family->packed_bytes != 4 || call->dot->family->k_unit != 1 ||
        pod_smaller(s->channels, s->filters) < LEAST_DEPTH || s->channels % POD_FINISH_LANES != 0 ||
        s->filters % POD_FINISH_LANES != 0)
        return false;
    const winograd_plan of = plan_of(call);
    const int64_t tiles = of.tiles[0] * of.tiles[1], places = of.out[0] * of.out[1];
    /* Tiles that reach over the border cost as much as others: a quarter is to be saved. By images alone, not by how
     * many there are: so an image has the same bits among others. */
    return places > POD_DOT_FEW_ROWS && POINTS * tiles * 4 <= 9 * places * 3 &&
           (tiles >= MANY_TILES || POINTS * of.depth * of.columns * (int64_t)sizeof(float) <= NEAR_BYTES);
}

void pod_kernel_winograd_products(const pod_convolution_call *call, int64_t *products, int64_t *rows)
{
    const winograd_plan of = plan_of(call);
    *products = POINTS;
    *rows = of.images * of.tiles[0] * of.tiles[1];
}

int64_t pod_kernel_winograd_images(const pod_convolution_call *call)
{
    const winograd_plan of = plan_of(call);
    const int64_t fit = MOST_TILES / pod_larger(of.tiles[0] * of.tiles[1], 1);
    return pod_larger(pod_smaller(fit, call->sizes.batch / FEWEST_UNITS), 1);
}

static int64_t winograd_units(const pod_convolution_call *call, int phase)
{
    const winograd_plan of = plan_of(call);
    if (phase == POD_CONVOLUTION_PACK)
        return of.turned ? pod_part_count(of.columns, call->dot->panel_columns) : pod_part_count(of.depth, STRIP);
    return phase == POD_CONVOLUTION_PRODUCT ? of.blocks * of.pieces : 0;
}

static size_t winograd_shared_bytes(const pod_convolution_call *call)
{
    return (size_t)(POINTS * plan_of(call).packed_step);
}

/* A thread's scratch for products. */
typedef struct winograd_memory {
    float *zeros, *read, *products, *results;
    size_t bytes;
} winograd_memory;

static winograd_memory memory_of(const winograd_plan *of, void *scratch)
{
    float *at = scratch;
    winograd_memory to = {.zeros = at};
    int64_t size = pod_round_up(of->depth, 16);
    to.read = at + size;
    size += POINTS * of->read_step;
    to.products = at + size;
    size += POINTS * of->product_step;
    to.results = at + size;
    size += 4 * of->lines * of->part * of->stride;
    to.bytes = (size_t)size * sizeof(float);
    return to;
}

/* Floats of a strip of a kernel from a point to the next. */
static int64_t strip_step(const pod_convolution_call *call)
{
    return pod_larger(STRIP, call->dot->panel_columns) * STRIP_COLUMNS + 16;
}

static size_t winograd_scratch_bytes(const pod_convolution_call *call)
{
    const winograd_plan of = plan_of(call);
    const size_t pack = (size_t)(POINTS * strip_step(call)) * sizeof(float), product = memory_of(&of, NULL).bytes;
    return pack > product ? pack : product;
}

/* ---- the kernel ---------------------------------------------------------------------------------- */

/* Packs depth k .. k + count - 1 of columns column .. column + columns - 1, a panel, of each point. */
static void pack_panel(const pod_convolution_call *call, const winograd_plan *of, const float *from, int64_t k,
                       int64_t count, int64_t column, int64_t columns, int64_t k_stride, int64_t column_stride,
                       char *packed)
{
    packed += (column * of->depth + k * columns) * (int64_t)sizeof(float); /* all columns are whole vectors */
    for (int64_t point = 0; point < POINTS; point++, packed += of->packed_step, from += strip_step(call))
        call->winograd->pack((float *)packed, from, columns, count, k_stride, column_stride);
}

/* Some channels, which are k. */
static void pack_strip(const pod_convolution_call *call, const winograd_plan *of, int64_t unit, char *packed,
                       float *strip)
{
    const int64_t k = unit * STRIP, count = pod_smaller(of->depth - k, STRIP), panel = call->dot->panel_columns;
    const int64_t together = STRIP_COLUMNS / panel * panel;
    for (int64_t first = 0; first < of->columns; first += together) {
        const int64_t columns = pod_smaller(together, of->columns - first);
        for (int64_t i = 0; i < count; i++)
            call->winograd->weigh(strip + i * STRIP_COLUMNS, strip_step(call), call->dtype,
                                  (const char *)call->right + ((k + i) * of->columns + first) * of->element,
                                  of->depth * of->columns * of->element, columns);
        for (int64_t column = 0; column < columns; column += panel)
            pack_panel(call, of, strip + column, k, count, first + column, pod_smaller(panel, columns - column),
                       STRIP_COLUMNS, 1, packed);
    }
}

/* A panel of channels, which are columns, of the turned kernel. */
static void pack_turned(const pod_convolution_call *call, const winograd_plan *of, int64_t unit, char *packed,
                        float *strip)
{
    const int64_t column = unit * call->dot->panel_columns;
    const int64_t columns = pod_smaller(of->columns - column, call->dot->panel_columns);
    const int64_t tap = of->depth * of->columns * of->element;
    for (int64_t k = 0; k < of->depth; k += STRIP_COLUMNS) {
        const int64_t count = pod_smaller(STRIP_COLUMNS, of->depth - k);
        for (int64_t i = 0; i < columns; i++)
            call->winograd->weigh(strip + i * STRIP_COLUMNS, strip_step(call), call->dtype,
                                  (const char *)call->right + 8 * tap + ((column + i) * of->depth + k) * of->element,
                                  -tap, count);
        pack_panel(call, of, strip, k, count, column, columns, 1, STRIP_COLUMNS, packed);
    }
}

/* ---- products ------------------------------------------------------------------------------------ */

/* Some tiles: `count` lines of them from `line` on, counted over all images, and of each `tiles` from `tile` on. */
typedef struct block {
    int64_t line, count, tile, tiles;
} block;

static block block_at(const winograd_plan *of, int64_t index)
{
    block to = {.line = index / of->parts * of->lines, .tile = index % of->parts * of->part};
    to.count = pod_smaller(of->lines, of->images * of->tiles[0] - to.line);
    to.tiles = pod_smaller(of->part, of->tiles[1] - to.tile);
    return to;
}

static void read_block(const pod_convolution_call *call, const winograd_plan *of, const block *at,
                       const winograd_memory *in)
{
    const int64_t place = of->depth * of->element;
    pod_winograd_lines lines = {
        .dtype = call->dtype, .width = of->in[1], .first = 2 * at->tile - of->pad[1], .channels = of->depth};
    for (int64_t i = 0; i < at->count; i++) {
        const int64_t image = (at->line + i) / of->tiles[0];
        const int64_t first = (at->line + i) % of->tiles[0] * 2 - of->pad[0];
        for (int64_t j = 0; j < 4; j++) {
            const bool inside = first + j >= 0 && first + j < of->in[0];
            lines.steps[j] = inside ? place : 0;
            lines.lines[j] = inside ? (const char *)call->left + (image * of->in[0] + first + j) * of->in[1] * place
                                    : (const char *)in->zeros;
        }
        call->winograd->read(in->read + i * at->tiles * of->depth, of->read_step, &lines, at->tiles);
    }
}

/* The products of a point for some columns. */
static void multiply_point(const pod_dot_family *family, const winograd_plan *of, const float *read, int64_t rows,
                           int64_t column, int64_t columns, const char *packed, float *products)
{
    const int64_t size = (int64_t)sizeof(float), step = of->stride, row_bytes = of->depth * size;
    const int64_t tiles = pod_part_count(rows, family->tile_rows);
    for (int64_t i = 0; i < columns; i += family->panel_columns) {
        const int64_t wide = pod_smaller(family->panel_columns, columns - i);
        const int64_t word = pod_round_up(wide, family->vector_columns) * size;
        const char *panel = packed + (column + i) * row_bytes;
        for (int64_t k = 0; k < of->depth; k += family->k_block) {
            const int64_t count = pod_smaller(family->k_block, of->depth - k);
            /* While the tiles pass over this part of the panel, what follows comes nearer. */
            const char *next = panel + (k + count) * word;
            const int64_t share = pod_round_up(count * word / tiles, 64);
            for (int64_t row = 0; row < rows; row += family->tile_rows, next += share)
                family->multiply(products + row * step + i, step, read + row * of->depth + k, row_bytes,
                                 panel + k * word, count, pod_smaller(family->tile_rows, rows - row), wide, k > 0, NULL,
                                 next, share);
        }
    }
}

/* Stores some columns of a block, as the call's finish says or in `results`. */
static void store_block(const pod_convolution_call *call, const winograd_plan *of, const block *at,
                        const winograd_memory *in, int64_t column, int64_t columns)
{
    const bool whole = at->tiles == of->tiles[1];
    const int64_t places = pod_smaller(2 * at->tiles, of->out[1] - 2 * at->tile), step = of->stride;
    int64_t rows = 0;
    for (int64_t i = 0; i < at->count; i++) {
        const int64_t line = (at->line + i) % of->tiles[0] * 2;
        const int64_t first = ((at->line + i) / of->tiles[0] * of->out[0] + line) * of->out[1] + 2 * at->tile;
        const float *products = in->products + i * at->tiles * step;
        const pod_sums_finish plain = {.dtype = POD_F32, .to = in->results, .stride = step};
        pod_winograd_results to = {.finish = call->finish ? call->finish : &plain,
                                   .row = call->finish ? first : rows,
                                   .line = call->finish ? of->out[1] : places,
                                   .lines = pod_smaller(of->out[0] - line, 2),
                                   .places = places,
                                   .column = call->finish ? column : 0,
                                   .columns = columns};
        call->winograd->store(&to, products, of->product_step, step, at->tiles);
        if (call->finish)
            continue;
        if (whole) { /* lines follow each other in the result, too */
            rows += to.lines * places;
            if (i + 1 == at->count)
                pod_kernel_convolution_finish(call, in->results, step, first + to.lines * places - rows, column, rows,
                                              columns);
            continue;
        }
        for (int64_t j = 0; j < to.lines; j++)
            pod_kernel_convolution_finish(call, in->results + j * places * step, step, first + j * of->out[1], column,
                                          places, columns);
    }
}

/* Units are pieces of the columns of blocks; those of a block are done at once. */
static void multiply_blocks(const pod_convolution_call *call, const winograd_plan *of, int64_t begin, int64_t end,
                            const char *packed, void *scratch)
{
    const winograd_memory in = memory_of(of, scratch);
    memset(in.zeros, 0, (size_t)of->depth * sizeof(float));
    for (int64_t unit = begin, next; unit < end; unit = next) {
        next = pod_smaller((unit / of->pieces + 1) * of->pieces, end);
        const int64_t last = pod_smaller((unit % of->pieces + next - unit) * of->piece, of->columns);
        const block at = block_at(of, unit / of->pieces);
        read_block(call, of, &at, &in);
        for (int64_t column = unit % of->pieces * of->piece; column < last; column += of->group) {
            const int64_t columns = pod_smaller(of->group, last - column);
            for (int64_t point = 0; point < POINTS; point++)
                multiply_point(call->dot->family, of, in.read + point * of->read_step, at.count * at.tiles, column,
                               columns, packed + point * of->packed_step, in.products + point * of->product_step);
            store_block(call, of, &at, &in, column, columns);
        }
    }
}

static void winograd_run(const pod_convolution_call *call, int phase, int64_t begin, int64_t end, void *shared,
                         void *scratch)
{
    const winograd_plan of = plan_of(call);
    if (phase == POD_CONVOLUTION_PRODUCT)
        multiply_blocks(call, &of, begin, end, shared, scratch);
    else
        for (int64_t unit = begin; unit < end; unit++)
            (of.turned ? pack_turned : pack_strip)(call, &of, unit, shared, scratch);
}

static bool winograd_finishes(const pod_convolution_call *call, pod_dtype dtype)
{
    (void)call;
    return dtype == POD_F32;
}

const pod_convolution_way pod_convolution_winograd = {winograd_units, winograd_shared_bytes,    winograd_scratch_bytes,
                                                      winograd_run,   pod_kernel_winograd_fits, winograd_finishes};
