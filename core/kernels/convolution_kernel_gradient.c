#include "kernels/convolution_direct.h"
#include "kernels/convolution_phases.h"
#include "kernels/convolution_taps.h"
#include "base/sizes.h"

#include <string.h>

#define PARTIAL_BYTES (32 << 20) /* of partial kernel gradients, where there are several */
#define FEW_PARTS     16         /* of the batch, where that leaves few images in each */
#define MOST_PARTS    64
#define PART_IMAGES   16
#define SUM_ROWS      32 /* that a unit of the last phase adds */

/* How the sum over places is cut. */
typedef struct gradient_plan {
    pod_patches shape;
    int64_t groups;
    int64_t columns; /* of the result, in one group */
    int64_t taps, patch;
    bool by_taps;      /* see convolution_taps.h */
    int64_t parts;     /* of the batch */
    int64_t tap_block; /* taps of a unit */
    int64_t tap_blocks;
    int64_t row;           /* elements gathered for a place */
    int64_t block;         /* places gathered at once */
    size_t gathered_bytes; /* in scratch */
    size_t packed_bytes;   /* a packed block of g, in scratch; 0: read as it is */
    size_t partial_bytes;  /* of a part's sums */
} gradient_plan;

static gradient_plan find_plan(const pod_convolution_call *call)
{
    const pod_window_sizes *sizes = &call->sizes;
    gradient_plan to = {.shape = pod_kernel_convolution_patches(call), .groups = sizes->groups};
    int64_t depth = to.shape.depth, element = to.shape.element, batch = sizes->batch;
    to.columns = sizes->filters / sizes->groups;
    to.taps = pod_kernel_volume(sizes->size);
    to.patch = to.taps * depth;
    to.by_taps = !pod_kernel_direct_fits(call) && pod_kernel_taps_fit(call);
    to.tap_block = to.by_taps ? to.taps : pod_smaller(pod_larger(1024 / pod_larger(depth, 1), 1), to.taps);
    to.tap_blocks = pod_part_count(to.taps, to.tap_block);
    to.row = to.tap_block * depth;
    int64_t row_bytes = pod_larger(to.row * element, 1);
    to.block = pod_larger(pod_smaller(POD_CONVOLUTION_GATHER_BYTES / row_bytes / 32 * 32, 1024), 32);
    to.gathered_bytes = (size_t)pod_round_up(to.block * row_bytes, 64);
    to.packed_bytes = pod_round_up_bytes(pod_kernel_dot_packed_b_bytes(call->dot, to.block, to.columns), 64);
    to.partial_bytes = (size_t)pod_round_up(to.patch * sizes->filters * (int64_t)sizeof(float), 64);
    if (to.by_taps)
        to.partial_bytes = pod_kernel_taps_partial_bytes(call);
    int64_t partial = pod_larger((int64_t)to.partial_bytes, 1);
    int64_t parts = pod_larger(pod_smaller(batch / PART_IMAGES, MOST_PARTS), FEW_PARTS);
    parts = pod_smaller(pod_part_count(parts, to.tap_blocks), PARTIAL_BYTES / partial);
    parts = pod_larger(pod_smaller(parts, batch), 1);
    to.parts = parts;
    while (to.parts > 1 && to.parts * 2 > parts && batch % to.parts != 0)
        to.parts--;
    if (batch % to.parts != 0)
        to.parts = parts;
    return to;
}

static int64_t gradient_units(const pod_convolution_call *call, int phase)
{
    gradient_plan cut = find_plan(call);
    if (phase == POD_CONVOLUTION_PRODUCT)
        return cut.parts * cut.tap_blocks;
    return phase == POD_CONVOLUTION_SUM ? pod_part_count(cut.patch, SUM_ROWS) : 0;
}

static size_t gradient_shared_bytes(const pod_convolution_call *call)
{
    gradient_plan cut = find_plan(call);
    return (size_t)cut.parts * cut.partial_bytes;
}

/* The product of a block of places for some taps, without its operands. */
static pod_dot_call block_call(const pod_convolution_call *call, const gradient_plan *cut, int64_t taps)
{
    pod_dot_call product = {.m = taps * cut->shape.depth,
                            .n = cut->columns,
                            .k = cut->block,
                            .a_row_stride = 1,
                            .a_k_stride = taps * cut->shape.depth,
                            .b_k_stride = call->sizes.filters,
                            .b_column_stride = 1};
    if (pod_kernel_patches_are_columns(&cut->shape)) {
        product.a_row_stride = cut->block;
        product.a_k_stride = 1;
    }
    return product;
}

static size_t gradient_scratch_bytes(const pod_convolution_call *call)
{
    gradient_plan cut = find_plan(call);
    pod_dot_call product = block_call(call, &cut, cut.tap_block);
    size_t bytes =
        cut.gathered_bytes + cut.packed_bytes + pod_round_up_bytes(call->dot->scratch_bytes(call->dot, &product), 64);
    if (pod_kernel_direct_fits(call))
        bytes = pod_kernel_direct_scratch_bytes(call);
    else if (cut.by_taps)
        bytes = pod_kernel_taps_scratch_bytes(call);
    size_t sums = (size_t)(SUM_ROWS * pod_round_up(call->sizes.filters, 16)) * sizeof(float);
    return bytes > sums ? bytes : sums;
}

/* Where the sums of a block of places are added. */
typedef struct added {
    float *to;
    int64_t stride;
} added;

static void add_epilogue(void *context, float *tile, int64_t stride, int64_t row, int64_t column, int64_t rows,
                         int64_t columns)
{
    const added *sum = context;
    for (int64_t i = 0; i < rows; i++) {
        float *to = sum->to + (row + i) * sum->stride + column;
        for (int64_t j = 0; j < columns; j++)
            to[j] += tile[i * stride + j];
    }
}

/* Adds the product of the places of images first .. last - 1 to a block of taps of a partial sum. */
static void add_images(const pod_convolution_call *call, const gradient_plan *cut, int64_t first, int64_t last,
                       int64_t tap, int64_t taps, int64_t group, float *partial, char *scratch)
{
    const pod_patches *shape = &cut->shape;
    int64_t filters = call->sizes.filters, image = pod_kernel_volume(shape->places);
    int64_t begin = first * image, end = last * image;
    added sum = {partial + tap * shape->depth * filters + group * cut->columns, filters};
    char *packed = scratch + cut->gathered_bytes;
    pod_dot_call product = block_call(call, cut, taps);
    product.a = scratch;
    /* The same sums, in registers where kernels finish there. */
    const pod_sums_finish finish = {.add = sum.to, .dtype = POD_F32, .to = sum.to, .stride = filters};
    if (cut->columns % POD_FINISH_LANES == 0 && pod_kernel_dot_finishes(call->dot)) {
        product.finish = &finish;
    } else {
        product.epilogue = add_epilogue;
        product.epilogue_context = &sum;
    }
    for (int64_t place = begin; place < end; place += cut->block) {
        const char *right = (const char *)call->right + (place * filters + group * cut->columns) * shape->element;
        product.k = pod_smaller(cut->block, end - place);
        pod_kernel_patches_gather(shape, scratch, (const char *)call->left + group * shape->depth * shape->element,
                                  place, product.k, tap, tap + taps, cut->block);
        product.b = right;
        if (cut->packed_bytes != 0) {
            pod_kernel_dot_pack_b(call->dot, packed, call->dtype, right, product.k, product.n, filters, 1, 0,
                                  pod_part_count(cut->columns, call->dot->panel_columns));
            product.b = packed;
        }
        call->dot->run(call->dot, &product, 0, product.m, 0, product.n, packed + cut->packed_bytes);
    }
}

static void sum_parts(const pod_convolution_call *call, const gradient_plan *cut, int64_t begin, int64_t end,
                      const void *shared, float *tile)
{
    int64_t filters = call->sizes.filters, stride = pod_round_up(filters, 16);
    for (int64_t unit = begin; unit < end; unit++) {
        int64_t row = unit * SUM_ROWS, rows = pod_smaller(SUM_ROWS, cut->patch - row);
        for (int64_t i = 0; i < rows && !cut->by_taps; i++) {
            float *to = tile + i * stride;
            memcpy(to, (const float *)shared + (row + i) * filters, (size_t)filters * sizeof(float));
            for (int64_t part = 1; part < cut->parts; part++) {
                const float *from =
                    (const float *)((const char *)shared + (size_t)part * cut->partial_bytes) + (row + i) * filters;
                for (int64_t j = 0; j < filters; j++)
                    to[j] += from[j];
            }
        }
        if (cut->by_taps)
            pod_kernel_taps_sum(call, shared, cut->partial_bytes, cut->parts, row, rows, tile, stride);
        pod_kernel_convolution_finish(call, tile, stride, row, 0, rows, filters);
    }
}

static float *partial_of(const gradient_plan *cut, int64_t part, void *shared)
{
    return (float *)((char *)shared + (size_t)part * cut->partial_bytes);
}

/* Adds images first .. last - 1 to the sums of all taps of their part. */
static void add_to_part(const pod_convolution_call *call, const gradient_plan *cut, int64_t first, int64_t last,
                        float *partial, char *scratch)
{
    if (pod_kernel_direct_fits(call)) {
        pod_kernel_direct_add_images(call, first, last, partial, scratch);
        return;
    }
    if (cut->by_taps) {
        pod_kernel_taps_add_images(call, first, last, partial, scratch);
        return;
    }
    for (int64_t group = 0; group < cut->groups; group++)
        add_images(call, cut, first, last, 0, cut->taps, group, partial, scratch);
}

/* A unit is a block of taps of a part of the batch. */
static void multiply_parts(const pod_convolution_call *call, const gradient_plan *cut, int64_t begin, int64_t end,
                           void *shared, char *scratch)
{
    int64_t row = cut->shape.depth * call->sizes.filters, batch = call->sizes.batch;
    for (int64_t unit = begin; unit < end; unit++) {
        int64_t part = unit / cut->tap_blocks, tap = unit % cut->tap_blocks * cut->tap_block;
        int64_t taps = pod_smaller(cut->tap_block, cut->taps - tap);
        int64_t first = part * batch / cut->parts, last = (part + 1) * batch / cut->parts;
        float *partial = partial_of(cut, part, shared);
        if (cut->tap_blocks == 1) {
            memset(partial, 0, cut->partial_bytes);
            add_to_part(call, cut, first, last, partial, scratch);
            continue;
        }
        memset(partial + tap * row, 0, (size_t)(taps * row) * sizeof(float));
        for (int64_t group = 0; group < cut->groups; group++)
            add_images(call, cut, first, last, tap, taps, group, partial, scratch);
    }
}

int64_t pod_kernel_convolution_part_images(const pod_convolution_call *call)
{
    if (call->kind != POD_CONVOLVE_KERNEL_GRADIENT)
        return 0;
    gradient_plan cut = find_plan(call);
    bool equal = cut.tap_blocks == 1 && call->sizes.batch % cut.parts == 0;
    return equal ? call->sizes.batch / cut.parts : 0;
}

void pod_kernel_convolution_add_images(const pod_convolution_call *call, int64_t begin, int64_t end, void *shared,
                                       void *scratch)
{
    gradient_plan cut = find_plan(call);
    int64_t images = call->sizes.batch / cut.parts;
    for (int64_t at = begin, stop; at < end; at = stop) {
        int64_t part = at / images;
        float *partial = partial_of(&cut, part, shared);
        stop = pod_smaller((part + 1) * images, end);
        if (at % images == 0)
            memset(partial, 0, cut.partial_bytes);
        add_to_part(call, &cut, at, stop, partial, scratch);
    }
}

static void gradient_run(const pod_convolution_call *call, int phase, int64_t begin, int64_t end, void *shared,
                         void *scratch)
{
    gradient_plan cut = find_plan(call);
    if (phase == POD_CONVOLUTION_SUM)
        sum_parts(call, &cut, begin, end, shared, scratch);
    else
        multiply_parts(call, &cut, begin, end, shared, scratch);
}

const pod_convolution_way pod_convolution_gradient = {
    gradient_units, gradient_shared_bytes, gradient_scratch_bytes, gradient_run, NULL, NULL};
