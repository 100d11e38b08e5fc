/*
 * Scatters, arguments of extremes and cumulative sums of f32 lines: see special.h.
 */

#include "base/error.h"
#include "base/sizes.h"
#include "kernels/block_formats.h"
#include "kernels/reference/walk.h"
#include "kernels/special.h"

/* ---- scatter: sums of f32 rows, as gradients of embeddings are
 * -------------------------------------------- */

/* x is [batch, middle, size, inner], the indices [batch, places], the updates [batch, middle,
 * places, inner]. A unit is a part of the rows of one [size, inner] block: it copies them and goes
 * through all indices in order, so that sums have one order however units are cut. */
typedef struct scatter_plan {
    int64_t batch, middle, size, inner, places, rows, parts;
} scatter_plan;

/* Elements of x in a part: enough that reading all indices costs little beside it. */
#define PART_ELEMENTS 65536

static scatter_plan plan_scatter(const pod_kernel_call *call)
{
    const pod_shape *x = &call->inputs[0].shape, *indices = &call->inputs[1].shape;
    int axis = call->attributes->axis, count = (int)call->attributes->count;
    scatter_plan plan = {.batch = pod_kernel_dims_product(x, 0, count),
                         .middle = pod_kernel_dims_product(x, count, axis),
                         .size = x->dims[axis],
                         .inner = pod_kernel_dims_product(x, axis + 1, x->rank),
                         .places = pod_kernel_dims_product(indices, count, indices->rank)};
    plan.rows = pod_smaller(plan.size, PART_ELEMENTS / (plan.inner > 0 ? plan.inner : 1));
    plan.rows = plan.rows > 0 ? plan.rows : 1;
    plan.parts = pod_part_count(plan.size, plan.rows);
    return plan;
}

static int64_t scatter_units(const pod_kernel_call *call)
{
    scatter_plan plan = plan_scatter(call);
    return plan.batch * plan.middle * plan.parts;
}

/* Fails with the first index outside 0 .. size - 1. */
static pod_status check_indices(const pod_kernel_call *call, const int32_t *indices, int64_t count, int64_t size,
                                int64_t first)
{
    uint32_t bad = 0;
    for (int64_t i = 0; i < count; i++)
        bad |= (uint32_t)((indices[i] < 0) | (indices[i] >= size));
    for (int64_t i = 0; bad && i < count; i++) {
        if (indices[i] < 0 || indices[i] >= size)
            return pod_error_set(call->error, POD_ERROR_VALUE,
                                 "index %d (element %lld of the indices) is outside 0 .. %lld", indices[i],
                                 (long long)(first + i), (long long)size - 1);
    }
    return POD_OK;
}

static void scatter_part(const pod_kernel_call *call, const scatter_plan *plan, int64_t outer, int64_t row)
{
    const int32_t *indices = (const int32_t *)call->inputs[1].data + outer / plan->middle * plan->places;
    const float *updates = (const float *)call->inputs[2].data + outer * plan->places * plan->inner;
    int64_t first = (outer * plan->size + row) * plan->inner;
    int64_t rows = pod_smaller(plan->rows, plan->size - row);
    float *part = (float *)call->outputs[0].data + first;
    memcpy(part, (const float *)call->inputs[0].data + first, (size_t)(rows * plan->inner) * sizeof *part);
    for (int64_t place = 0; place < plan->places; place++) {
        int64_t target = indices[place] - row;
        if (target < 0 || target >= rows)
            continue;
        float *to = part + target * plan->inner;
        const float *from = updates + place * plan->inner;
#pragma GCC ivdep
        for (int64_t i = 0; i < plan->inner; i++)
            to[i] += from[i];
    }
}

static pod_status scatter_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    scatter_plan plan = plan_scatter(call);
    int64_t checked = -1;
    for (int64_t unit = begin; unit < end; unit++) {
        int64_t outer = unit / plan.parts, batch = outer / plan.middle;
        /* with the flag updates of indices outside are dropped */
        if (batch != checked && !call->attributes->flag) {
            const int32_t *indices = (const int32_t *)call->inputs[1].data + batch * plan.places;
            pod_status status = check_indices(call, indices, plan.places, plan.size, batch * plan.places);
            if (status != POD_OK)
                return status;
            checked = batch;
        }
        scatter_part(call, &plan, outer, unit % plan.parts * plan.rows);
    }
    return POD_OK;
}

static bool fits_scatter(const pod_kernel_call *call)
{
    return call->inputs[0].dtype == POD_F32 && call->inputs[1].dtype == POD_S32 &&
           call->attributes->reduction == POD_REDUCE_SUM;
}

/* ---- argmax, argmin of lines
 * ------------------------------------------------------------------------------- */

/* Lines of a unit. */
#define LINES 16

static bool fits_lines(const pod_kernel_call *call)
{
    const pod_shape *shape = &call->inputs[0].shape;
    return call->inputs[0].dtype == POD_F32 &&
           pod_kernel_dims_product(shape, call->attributes->axis + 1, shape->rank) == 1;
}

static int64_t line_units(const pod_kernel_call *call)
{
    return pod_part_count(pod_kernel_dims_product(&call->inputs[0].shape, 0, call->attributes->axis), LINES);
}

/* Returns the place of the first greatest element, or of the first NaN; `flip` is the sign bit to
 * look for the least instead. Places are found in lanes of a vector, of which each keeps its first.
 */
static int32_t find_greatest(const float *x, int64_t size, uint32_t flip)
{
    float best[16];
    int32_t place[16];
    int64_t whole = size / 16 * 16;
    int32_t found = 0;
    float greatest = float_of(bits_of(x[0]) ^ flip);
    for (int lane = 0; lane < 16; lane++) {
        best[lane] = whole > 0 ? float_of(bits_of(x[lane]) ^ flip) : greatest;
        place[lane] = whole > 0 ? lane : 0;
    }
    for (int64_t i = 16; i < whole; i += 16) {
        for (int lane = 0; lane < 16; lane++) {
            float value = float_of(bits_of(x[i + lane]) ^ flip);
            int wins = (value > best[lane]) | ((value != value) & (best[lane] == best[lane]));
            best[lane] = wins ? value : best[lane];
            place[lane] = wins ? (int32_t)(i + lane) : place[lane];
        }
    }
    for (int64_t i = 0; i < (whole > 0 ? 16 : 0) + size - whole; i++) {
        bool is_lane = whole > 0 && i < 16;
        int32_t at = is_lane ? place[i] : (int32_t)(whole + i - (whole > 0 ? 16 : 0));
        float value = is_lane ? best[i] : float_of(bits_of(x[at]) ^ flip);
        bool equal = value == greatest || (value != value && greatest != greatest);
        bool wins = value > greatest || (value != value && greatest == greatest);
        if (wins || (equal && at < found)) {
            greatest = value;
            found = at;
        }
    }
    return found;
}

enum { ARGMAX, ARGMIN };

static pod_status argument_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    const uint32_t flip = call->form == ARGMIN ? 0x80000000u : 0;
    const pod_array *x = &call->inputs[0], *result = &call->outputs[0];
    int64_t lines = pod_kernel_dims_product(&x->shape, 0, call->attributes->axis);
    int64_t size = x->shape.dims[call->attributes->axis];
    for (int64_t line = begin * LINES; line < pod_smaller(lines, end * LINES); line++) {
        int32_t place = find_greatest((const float *)x->data + line * size, size, flip);
        if (result->dtype == POD_S64)
            ((int64_t *)result->data)[line] = place;
        else
            ((int32_t *)result->data)[line] = place;
    }
    return POD_OK;
}

static bool fits_argument(const pod_kernel_call *call)
{
    int64_t size = call->inputs[0].shape.dims[call->attributes->axis];
    return fits_lines(call) && size > 0 && size <= INT32_MAX &&
           (call->outputs[0].dtype == POD_S32 || call->outputs[0].dtype == POD_S64);
}

/* ---- cumulative_sum: in f64, as the reference kernel does
 * ---------------------------------------------------- */

/* Lines that are summed side by side: the additions of one line wait for each other. */
#define TOGETHER 4

static void sum_lines(const float *x, float *result, int64_t size, int64_t lines, bool backwards, bool exclusive)
{
    double sum[TOGETHER] = {0};
    for (int64_t step = 0; step < size; step++) {
        int64_t place = backwards ? size - 1 - step : step;
        for (int64_t line = 0; line < lines; line++) {
            double next = sum[line] + (double)x[line * size + place];
            result[line * size + place] = (float)(exclusive ? sum[line] : next);
            sum[line] = next;
        }
    }
}

static pod_status cumulative_sum_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    const pod_shape *shape = &call->inputs[0].shape;
    int64_t lines = pod_kernel_dims_product(shape, 0, call->attributes->axis);
    int64_t size = shape->dims[call->attributes->axis], last = pod_smaller(lines, end * LINES);
    for (int64_t line = begin * LINES; line < last; line += TOGETHER) {
        const float *x = (const float *)call->inputs[0].data + line * size;
        float *result = (float *)call->outputs[0].data + line * size;
        bool exclusive = call->attributes->count == 1;
        if (last - line >= TOGETHER)
            sum_lines(x, result, size, TOGETHER, call->attributes->flag, exclusive);
        else
            sum_lines(x, result, size, last - line, call->attributes->flag, exclusive);
    }
    return POD_OK;
}

extern const pod_named_kernel POD_FAMILY_TABLE[];

const pod_named_kernel POD_FAMILY_TABLE[] = {
    {"scatter", fits_scatter, {scatter_units, scatter_run, NULL, 0}},
    {"argmax", fits_argument, {line_units, argument_run, NULL, ARGMAX}},
    {"argmin", fits_argument, {line_units, argument_run, NULL, ARGMIN}},
    {"cumulative_sum", fits_lines, {line_units, cumulative_sum_run, NULL, 0}},
    {.op = NULL},
};
