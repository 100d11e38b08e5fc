/* How the rows of convolutions as products are cut (see convolution_lattices.h). */

#include "kernels/convolution_lattices.h"

#include "base/divisor.h"
#include "base/sizes.h"
#include "kernels/convolution_phases.h"

#include <assert.h>

/* Shorter runs are gathered: there is little to be multiplied between two of them. */
#define SHORTEST_RUN 8

/* Bytes of results that are put together: some images that stay in the L2 cache, or a large one. */
#define TOGETHER_BYTES      (256 * 1024)
#define MOST_TOGETHER_BYTES (16 * 1024 * 1024)

/* Threads that few places should have units for; chosen: more pieces copy their patches as often. The least columns
 * of one that copies; those of others cost nothing, as a thread does neighbours at once. The least places of a band
 * that is copied, with lines of its neighbours. */
#define FEWEST_UNITS          8
#define LEAST_COLUMNS_COPYING 128
#define LEAST_PLACES_COPYING  1024

/* Finds, on one axis of an input gradient, the lattice of places that are `residue` modulo the stride. */
static void turn_axis(const pod_window_sizes *sizes, int axis, int64_t residue, pod_lattice *to)
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
static void set_lines(const pod_convolution_call *call, const pod_rows_plan *cut, pod_lattice *to)
{
    const pod_patches *shape = &to->shape;
    to->overlap = !to->in_place && !cut->packs_taps && pod_kernel_patches_overlap(shape) &&
                  pod_kernel_dot_packed_b_bytes(call->dot, 1, 1) > 0;
    if (!to->overlap)
        return;
    to->lines = pod_kernel_patches_find_lines(shape);
    int64_t bytes = to->lines.together * shape->element;
    int64_t fit = (int64_t)cut->gathered_bytes / bytes - to->lines.behind;
    fit = pod_smaller(fit, call->dot->row_block);
    to->block_lines = pod_larger(fit / to->lines.pitch, 1);
    to->overlap = to->block_lines * to->lines.pitch + to->lines.behind <= (int64_t)cut->gathered_bytes / bytes;
    if (to->overlap)
        to->units = pod_part_count(to->places / shape->places[2], to->block_lines);
}

/* Decides whether patches are read in place. */
static void set_padded(const pod_convolution_call *call, const pod_rows_plan *cut, pod_lattice *to)
{
    int64_t unit = pod_kernel_dot_piece_unit(call->dot);
    to->in_place = unit > 0 &&
                   pod_kernel_padded_plan(&to->padded, &to->shape, call->dtype, pod_kernel_dot_piece_type(call->dot),
                                          unit, (int64_t)cut->gathered_bytes) &&
                   to->padded.run_k >= SHORTEST_RUN;
    if (to->in_place && call->sizes.batch > 0)
        pod_kernel_padded_cut(&to->padded, call->sizes.batch, FEWEST_UNITS,
                              to->padded.copied ? LEAST_PLACES_COPYING : POD_PASS_ROWS);
    if (to->in_place)
        to->units = pod_kernel_padded_units(&to->padded, call->sizes.batch);
}

/* Fills in what belongs to the lattice of this index. */
static void set_lattice(const pod_convolution_call *call, const pod_rows_plan *cut, pod_lattice *to)
{
    const pod_window_sizes *sizes = &call->sizes;
    bool turned = call->kind == POD_CONVOLVE_INPUT_GRADIENT;
    int64_t rest = to->index;
    to->shape = pod_kernel_convolution_patches(call);
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
    to->taps = pod_kernel_volume(to->shape.size);
    to->patch = to->taps * to->shape.depth;
    assert(rest == 0 && to->taps >= 0); /* the index is one of the lattices */
    to->places = sizes->batch * pod_kernel_volume(to->shape.places);
    to->units = pod_part_count(to->places, cut->block);
    set_padded(call, cut, to);
    set_lines(call, cut, to);
    assert(!to->in_place || !to->overlap);
    to->packed_bytes = pod_round_up_bytes(pod_kernel_dot_packed_b_bytes(call->dot, to->patch, cut->columns), 64);
}

pod_lattice pod_kernel_first_lattice(const pod_convolution_call *call, const pod_rows_plan *cut)
{
    pod_lattice result = {.packed_at = cut->turned_bytes};
    set_lattice(call, cut, &result);
    return result;
}

void pod_kernel_next_lattice(const pod_convolution_call *call, const pod_rows_plan *cut, pod_lattice *at)
{
    assert(at->index < cut->lattices && at->units >= 0);
    at->unit_begin += at->units;
    at->packed_at += (size_t)cut->groups * at->packed_bytes;
    at->turned_at += (size_t)(cut->groups * cut->columns * at->patch * at->shape.element);
    at->index++;
    if (at->index < cut->lattices)
        set_lattice(call, cut, at);
}

/* Elements of an image of the result of an input gradient. */
int64_t pod_kernel_result_image_elements(const pod_convolution_call *call)
{
    return pod_kernel_volume(call->sizes.in) * call->sizes.channels;
}

/* The places of a lattice are no neighbours in the result, and an epilogue of one place at a time would cost more than
 * the product. Products through OpenBLAS get the same pieces wherever a call begins: one image each. */
static int64_t images_together(const pod_convolution_call *call)
{
    int64_t bytes = pod_kernel_result_image_elements(call) * (int64_t)sizeof(float);
    if (bytes <= 0 || bytes > MOST_TOGETHER_BYTES)
        return 0;
    return pod_kernel_dot_packed_b_bytes(call->dot, 1, 1) > 0 ? pod_larger(TOGETHER_BYTES / bytes, 1) : 1;
}

/* Columns of a unit. Products through OpenBLAS, whose bits depend on where a call begins, have all. */
static int64_t piece_of(const pod_convolution_call *call, const pod_rows_plan *cut, const pod_lattice *only)
{
    if (only->units >= FEWEST_UNITS || cut->groups > 1 || only->packed_bytes == 0)
        return pod_larger(cut->columns, 1);
    const int64_t panel = call->dot->panel_columns;
    if (only->in_place && !only->padded.copied)
        return panel;
    const int64_t wanted = pod_part_count(cut->columns * pod_larger(only->units, 1), FEWEST_UNITS);
    return panel * pod_fair_part(pod_part_count(cut->columns, panel),
                                 pod_part_count(pod_larger(wanted, LEAST_COLUMNS_COPYING), panel));
}

pod_rows_plan pod_kernel_rows_plan_of(const pod_convolution_call *call)
{
    const pod_window_sizes *sizes = &call->sizes;
    const pod_dot_kernels *dot = call->dot;
    bool turned = call->kind == POD_CONVOLVE_INPUT_GRADIENT;
    int64_t depth = (turned ? sizes->filters : sizes->channels) / sizes->groups;
    int64_t element = (int64_t)pod_dtype_size(call->dtype);
    pod_rows_plan to = {.groups = sizes->groups, .lattices = 1, .row = depth};
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
    to.piece = pod_larger(to.columns, 1);
    to.packs_taps = turned && pod_kernel_dot_piece_unit(dot) > 0 && depth % dot->family->k_unit == 0;
    if (!turned) {
        pod_lattice only = {0};
        set_lattice(call, &to, &only);
        in_lines = only.overlap;
        to.piece = piece_of(call, &to, &only);
    }
    to.images = to.lattices > 1 ? images_together(call) : 0;
    if ((turned && !to.packs_taps) || in_lines)
        to.turned_bytes =
            (size_t)pod_round_up(to.groups * to.columns * pod_kernel_volume(sizes->size) * depth * element, 64);
    return to;
}

/* The lattice behind the last one: its beginnings are totals. */
pod_lattice pod_kernel_end_lattice(const pod_convolution_call *call, const pod_rows_plan *cut)
{
    pod_lattice at = pod_kernel_first_lattice(call, cut);
    while (at.index < cut->lattices)
        pod_kernel_next_lattice(call, cut, &at);
    return at;
}
