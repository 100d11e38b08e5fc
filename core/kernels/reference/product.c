#include "kernels/reference/families.h"
#include "kernels/reference/walk.h"
#include "kernels/reference/wide.h"
#include "kernels/reference/window_walk.h"

#include <string.h>

/* Floats are summed in f64, in an order that depends on shapes alone, and rounded once. */

/* sum += a * row, lane by lane. */
static void add_product(pod_wide_kind kind, pod_lanes *sum, pod_wide a, const pod_lanes *row, int64_t count)
{
    if (kind == POD_WIDE_FLOAT) {
        for (int64_t i = 0; i < count; i++)
            sum->f[i] += a.f * row->f[i];
    } else {
        for (int64_t i = 0; i < count; i++)
            sum->u[i] += a.u * row->u[i];
    }
}

/* Returns the sum of the products of two lines of lanes, added to `sum`. Floats are summed in four
 * parts, by place modulo 4, because additions to one sum wait for each other. */
static pod_wide inner_product(pod_wide_kind kind, pod_wide sum, const pod_lanes *a, const pod_lanes *b, int64_t count)
{
    if (kind != POD_WIDE_FLOAT) {
        for (int64_t i = 0; i < count; i++)
            sum.u += a->u[i] * b->u[i];
        return sum;
    }
    double parts[4] = {0};
    int64_t whole = count / 4 * 4;
    for (int64_t i = 0; i < whole; i += 4) {
        for (int part = 0; part < 4; part++)
            parts[part] += a->f[i + part] * b->f[i + part];
    }
    for (int64_t i = whole; i < count; i++)
        parts[i - whole] += a->f[i] * b->f[i];
    sum.f += (parts[0] + parts[1]) + (parts[2] + parts[3]);
    return sum;
}

/* ---- dot
 * ----------------------------------------------------------------------------------------- */

static bool listed(const pod_axes *axes, int axis)
{
    for (int i = 0; i < axes->count; i++) {
        if (axes->axes[i] == axis)
            return true;
    }
    return false;
}

/* The walks of a dot: over result rows (batch and free axes of lhs; arrays 0 and 1 are lhs and
 * rhs), over the free axes of rhs (array 1), and over the contracted axes (arrays 0 and 1). */
typedef struct dot_plan {
    pod_walk rows, columns, contracted;
    int64_t column_count, contracted_count;
    int64_t line;      /* columns of the innermost free axis of rhs */
    int64_t line_step; /* and what lies between them */
} dot_plan;

static void add_pairs(pod_walk *walk, const pod_shape *lhs, const pod_axes *lhs_axes, const pod_shape *rhs,
                      const pod_axes *rhs_axes)
{
    int64_t lhs_strides[POD_MAX_RANK] = {0}, rhs_strides[POD_MAX_RANK] = {0};
    pod_kernel_strides(lhs, lhs_strides);
    pod_kernel_strides(rhs, rhs_strides);
    for (int i = 0; i < lhs_axes->count; i++)
        pod_kernel_walk_add(walk, lhs->dims[lhs_axes->axes[i]], lhs_strides[lhs_axes->axes[i]],
                            rhs_strides[rhs_axes->axes[i]], 0);
}

static void add_free(pod_walk *walk, int array, const pod_shape *shape, const pod_axes *batch, const pod_axes *contract)
{
    int64_t strides[POD_MAX_RANK] = {0};
    pod_kernel_strides(shape, strides);
    for (int axis = 0; axis < shape->rank; axis++) {
        if (!listed(batch, axis) && !listed(contract, axis))
            pod_kernel_walk_add(walk, shape->dims[axis], array == 0 ? strides[axis] : 0, array == 1 ? strides[axis] : 0,
                                0);
    }
}

static dot_plan plan_dot(const pod_kernel_call *call)
{
    const pod_attributes *attributes = call->attributes;
    const pod_shape *lhs = &call->inputs[0].shape, *rhs = &call->inputs[1].shape;
    dot_plan plan = {.line = 1};
    add_pairs(&plan.rows, lhs, &attributes->lhs_batch, rhs, &attributes->rhs_batch);
    add_free(&plan.rows, 0, lhs, &attributes->lhs_batch, &attributes->lhs_contract);
    add_free(&plan.columns, 1, rhs, &attributes->rhs_batch, &attributes->rhs_contract);
    add_pairs(&plan.contracted, lhs, &attributes->lhs_contract, rhs, &attributes->rhs_contract);
    plan.column_count = pod_kernel_walk_count(&plan.columns);
    plan.contracted_count = pod_kernel_walk_count(&plan.contracted);
    if (plan.columns.rank > 0) {
        int inner = --plan.columns.rank;
        plan.line = plan.columns.dims[inner];
        plan.line_step = plan.columns.stride[1][inner];
    }
    return plan;
}

/* A unit is one row of the result: all columns at one place of the batch and free axes of lhs. */
static int64_t dot_units(const pod_kernel_call *call)
{
    dot_plan plan = plan_dot(call);
    return plan.column_count == 0 ? 0 : pod_kernel_walk_count(&plan.rows);
}

/* Computes `count` columns, which lie line_step apart in rhs from element `rhs_first` on. */
static void dot_columns(const pod_kernel_call *call, dot_plan *plan, int64_t lhs_first, int64_t rhs_first,
                        int64_t result_first, int64_t count)
{
    const pod_array *lhs = &call->inputs[0], *rhs = &call->inputs[1];
    pod_wide_kind kind = pod_kernel_wide_kind_of(lhs->dtype);
    pod_lanes sum, row;
    pod_kernel_lanes_fill(&sum, (pod_wide){0}, count);
    pod_kernel_walk_seek(&plan->contracted, 0);
    for (int64_t k = 0; k < plan->contracted_count; k++) {
        const int64_t *offset = plan->contracted.offset;
        pod_wide a = pod_kernel_wide_load(lhs->dtype, pod_kernel_array_at(lhs, lhs_first + offset[0]));
        pod_kernel_lanes_load(rhs->dtype, pod_kernel_array_at(rhs, rhs_first + offset[1]), plan->line_step, &row,
                              count);
        add_product(kind, &sum, a, &row, count);
        pod_kernel_walk_next(&plan->contracted);
    }
    pod_kernel_lanes_store_sum(lhs->dtype, &call->outputs[0], result_first, &sum, count);
}

static pod_status dot_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    dot_plan plan = plan_dot(call);
    pod_kernel_walk_seek(&plan.rows, begin);
    for (int64_t unit = begin; unit < end; unit++, pod_kernel_walk_next(&plan.rows)) {
        pod_kernel_walk_seek(&plan.columns, 0);
        for (int64_t line = 0; line < plan.column_count; line += plan.line) {
            for (int64_t i = 0; i < plan.line; i += POD_WIDE_LANES)
                dot_columns(call, &plan, plan.rows.offset[0],
                            plan.rows.offset[1] + plan.columns.offset[1] + i * plan.line_step,
                            unit * plan.column_count + line + i, pod_smaller(plan.line - i, POD_WIDE_LANES));
            pod_kernel_walk_next(&plan.columns);
        }
    }
    return POD_OK;
}

/* ---- convolution
 * ---------------------------------------------------------------------------------- */

/* Computes filters first .. first + count - 1 (of one group) at result place `out` of image
 * `image`. */
static void convolve_place(const pod_kernel_call *call, const pod_window_sizes *sizes, int64_t image,
                           const int64_t *out, int64_t first, int64_t count, pod_lanes *sum)
{
    const pod_array *x = &call->inputs[0], *kernel = &call->inputs[1];
    int64_t depth = sizes->channels / sizes->groups;
    int64_t channel = first / (sizes->filters / sizes->groups) * depth;
    pod_walk taps = pod_kernel_spatial_walk(sizes->size);
    pod_lanes row;
    pod_kernel_lanes_fill(sum, (pod_wide){0}, count);
    for (int64_t tap = 0, end = pod_kernel_volume(sizes->size); tap < end; tap++, pod_kernel_walk_next(&taps)) {
        int64_t place;
        if (!pod_kernel_tap_source(sizes, out, taps.index, &place))
            continue;
        place += image * pod_kernel_volume(sizes->in);
        for (int64_t c = 0; c < depth; c++) {
            pod_wide a = pod_kernel_wide_load(x->dtype, pod_kernel_array_at(x, place * sizes->channels + channel + c));
            pod_kernel_lanes_load(
                kernel->dtype, pod_kernel_array_at(kernel, (tap * depth + c) * sizes->filters + first), 1, &row, count);
            add_product(pod_kernel_wide_kind_of(x->dtype), sum, a, &row, count);
        }
    }
}

/* Adds what the filters of one group give back through one tap: for `count` channels from `channel`
 * on the inner product of a row of g with a row of the kernel. */
static void add_back(const pod_kernel_call *call, const pod_window_sizes *sizes, int64_t place, int64_t tap,
                     int64_t channel, int64_t count, pod_lanes *sum)
{
    const pod_array *g = &call->inputs[0], *kernel = &call->inputs[1];
    pod_wide_kind kind = pod_kernel_wide_kind_of(g->dtype);
    int64_t depth = sizes->channels / sizes->groups, width = sizes->filters / sizes->groups;
    int64_t filter = channel / depth * width;
    pod_lanes a, b;
    for (int64_t f = 0; f < width; f += POD_WIDE_LANES) {
        int64_t part = pod_smaller(width - f, POD_WIDE_LANES);
        pod_kernel_lanes_load(g->dtype, pod_kernel_array_at(g, place * sizes->filters + filter + f), 1, &a, part);
        for (int64_t c = 0; c < count; c++) {
            int64_t row = tap * depth + (channel + c) % depth;
            pod_kernel_lanes_load(kernel->dtype, pod_kernel_array_at(kernel, row * sizes->filters + filter + f), 1, &b,
                                  part);
            sum->u[c] = inner_product(kind, (pod_wide){.u = sum->u[c]}, &a, &b, part).u;
        }
    }
}

/* The same of the gradient of x, of channels first .. first + count - 1 at place `in`. */
static void input_place(const pod_kernel_call *call, const pod_window_sizes *sizes, int64_t image, const int64_t *in,
                        int64_t first, int64_t count, pod_lanes *sum)
{
    pod_walk tap = pod_kernel_spatial_walk(sizes->size);
    int64_t out[POD_MAX_SPATIAL], images = image * pod_kernel_volume(sizes->out);
    pod_kernel_lanes_fill(sum, (pod_wide){0}, count);
    for (int64_t i = 0, end = pod_kernel_volume(sizes->size); i < end; i++, pod_kernel_walk_next(&tap))
        if (pod_kernel_tap_target(sizes, in, tap.index, out))
            add_back(call, sizes, images + pod_kernel_place_of(sizes->out, out), i, first, count, sum);
}

/* A unit of the kernel's gradient is one row of the kernel: a tap and a channel of the group, with
 * all filters. */
static void kernel_row(const pod_kernel_call *call, const pod_window_sizes *sizes, int64_t c, const int64_t *tap,
                       int64_t first, int64_t count, pod_lanes *sum)
{
    const pod_array *x = &call->inputs[0], *g = &call->inputs[1];
    int64_t depth = sizes->channels / sizes->groups, places = pod_kernel_volume(sizes->out);
    int64_t channel = first / (sizes->filters / sizes->groups) * depth + c;
    pod_lanes row;
    pod_kernel_lanes_fill(sum, (pod_wide){0}, count);
    for (int64_t image = 0; image < sizes->batch; image++) {
        pod_walk out = pod_kernel_spatial_walk(sizes->out);
        for (int64_t i = 0; i < places; i++, pod_kernel_walk_next(&out)) {
            int64_t place;
            if (!pod_kernel_tap_source(sizes, out.index, tap, &place))
                continue;
            place = (image * pod_kernel_volume(sizes->in) + place) * sizes->channels + channel;
            pod_kernel_lanes_load(g->dtype, pod_kernel_array_at(g, (image * places + i) * sizes->filters + first), 1,
                                  &row, count);
            add_product(pod_kernel_wide_kind_of(x->dtype), sum,
                        pod_kernel_wide_load(x->dtype, pod_kernel_array_at(x, place)), &row, count);
        }
    }
}

enum { FORWARD, INPUT_GRADIENT, KERNEL_GRADIENT };

/* A unit is a row of the result: all filters, or channels, of a place of an image or, of the kernel's gradient, of a
 * tap and a channel. */
static pod_status convolution_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    static void (*const functions[])(const pod_kernel_call *call, const pod_window_sizes *sizes, int64_t other,
                                     const int64_t *place, int64_t first, int64_t count, pod_lanes *sum) = {
        [FORWARD] = convolve_place, [INPUT_GRADIENT] = input_place, [KERNEL_GRADIENT] = kernel_row};
    const pod_array *inputs = call->inputs, *result = &call->outputs[0];
    const bool back = call->form == INPUT_GRADIENT, of_kernel = call->form == KERNEL_GRADIENT;
    const pod_window_sizes sizes =
        pod_kernel_window_sizes(&call->attributes->window, back ? &result->shape : &inputs[0].shape,
                                of_kernel ? &result->shape : &inputs[1].shape,
                                back        ? &inputs[0].shape
                                : of_kernel ? &inputs[1].shape
                                            : &result->shape);
    const int64_t row = back ? sizes.channels : sizes.filters, width = row / sizes.groups;
    pod_walk places = pod_kernel_spatial_walk(back ? sizes.in : of_kernel ? sizes.size : sizes.out);
    const int64_t volume = pod_kernel_walk_count(&places), depth = sizes.channels / sizes.groups;
    for (int64_t unit = begin; unit < end; unit++) {
        const int64_t other = of_kernel ? unit % depth : unit / volume;
        pod_kernel_walk_seek(&places, of_kernel ? unit / depth : unit % volume);
        for (int64_t first = 0, count; first < row; first += count) {
            pod_lanes sum;
            count = pod_smaller(width - first % width, POD_WIDE_LANES);
            functions[call->form](call, &sizes, other, places.index, first, count, &sum);
            pod_kernel_lanes_store_sum(inputs[0].dtype, result, unit * row + first, &sum, count);
        }
    }
    return POD_OK;
}

const pod_named_kernel pod_reference_product[] = {
    {"dot", NULL, {dot_units, dot_run, NULL, 0}},
    {"convolution", NULL, {pod_kernel_place_units, convolution_run, NULL, FORWARD}},
    {"convolution_input_gradient", NULL, {pod_kernel_place_units, convolution_run, NULL, INPUT_GRADIENT}},
    {"convolution_kernel_gradient", NULL, {pod_kernel_place_units, convolution_run, NULL, KERNEL_GRADIENT}},
    {.op = NULL},
};
