#include "base/sizes.h"
#include "kernels/reference/families.h"
#include "kernels/reference/walk.h"
#include "kernels/reference/wide.h"
#include "kernels/scalar_math.h"

#include <string.h>

/* What a reduction does with two elements. */
typedef enum fold_op { FOLD_SUM, FOLD_PRODUCT, FOLD_MAX, FOLD_MIN, FOLD_AND, FOLD_OR } fold_op;

#define FOLD_LOOP(field, expression)                                                                                   \
    for (int64_t i = 0; i < count; i++)                                                                                \
        a->field[i] = expression;                                                                                      \
    break;

static void fold_floats(fold_op op, pod_lanes *a, const pod_lanes *b, int64_t count)
{
    switch (op) {
    case FOLD_SUM:
        FOLD_LOOP(f, a->f[i] + b->f[i])
    case FOLD_PRODUCT:
        FOLD_LOOP(f, a->f[i] * b->f[i])
    case FOLD_MAX:
        FOLD_LOOP(f, pod_kernel_maximum(a->f[i], b->f[i]))
    case FOLD_MIN:
        FOLD_LOOP(f, pod_kernel_minimum(a->f[i], b->f[i]))
    default:
        break;
    }
}

static void fold_integers(fold_op op, bool is_signed, pod_lanes *a, const pod_lanes *b, int64_t count)
{
    switch (op) {
    case FOLD_SUM:
        FOLD_LOOP(u, a->u[i] + b->u[i])
    case FOLD_PRODUCT:
        FOLD_LOOP(u, a->u[i] * b->u[i])
    case FOLD_MAX:
        FOLD_LOOP(u, (is_signed ? a->s[i] > b->s[i] : a->u[i] > b->u[i]) ? a->u[i] : b->u[i])
    case FOLD_MIN:
        FOLD_LOOP(u, (is_signed ? a->s[i] < b->s[i] : a->u[i] < b->u[i]) ? a->u[i] : b->u[i])
    case FOLD_AND:
        FOLD_LOOP(u, a->u[i] & b->u[i])
    case FOLD_OR:
        FOLD_LOOP(u, a->u[i] | b->u[i])
    }
}

static void fold_lanes(fold_op op, pod_wide_kind kind, pod_lanes *a, const pod_lanes *b, int64_t count)
{
    if (kind == POD_WIDE_FLOAT)
        fold_floats(op, a, b, count);
    else
        fold_integers(op, kind == POD_WIDE_SIGNED, a, b, count);
}

/* Returns what a reduction begins with, which is what it gives of no elements. Sums of floats that have any begin with
 * -0: a sum of one element is that element. */
static pod_wide neutral(fold_op op, pod_dtype dtype, bool any)
{
    pod_wide_kind kind = pod_kernel_wide_kind_of(dtype);
    int bits = dtype == POD_BOOL ? 1 : (int)(8 * pod_dtype_size(dtype));
    bool is_max = op == FOLD_MAX;
    if (op == FOLD_PRODUCT)
        return kind == POD_WIDE_FLOAT ? (pod_wide){.f = 1} : (pod_wide){.u = 1};
    if (op == FOLD_AND)
        return (pod_wide){.u = UINT64_MAX};
    if (op == FOLD_SUM && kind == POD_WIDE_FLOAT)
        return (pod_wide){.f = any ? -0.0 : 0.0};
    if (op != FOLD_MAX && op != FOLD_MIN)
        return (pod_wide){.u = 0};
    if (kind == POD_WIDE_FLOAT)
        return (pod_wide){.f = is_max ? -INFINITY : INFINITY};
    if (kind == POD_WIDE_SIGNED)
        return (pod_wide){.s = (is_max ? INT64_MIN : INT64_MAX) >> (64 - bits)};
    return (pod_wide){.u = is_max ? 0 : UINT64_MAX >> (64 - bits)};
}

/*
 * A reduction as two walks: over the axes that stay and over those that go, both without the last
 * axis of the operand, which is gone through POD_WIDE_LANES elements at a time. When the last axis
 * stays, lanes are neighbouring results; when it goes, they are parts of one result and are folded
 * at the end, half onto half. So the order of the sum depends on shape and axes alone. Sums of
 * floats are made in f64.
 */
typedef struct reduction {
    pod_walk kept, reduced;
    int64_t inner;    /* size of the last axis */
    bool inner_stays; /* whether the last axis is kept */
    int64_t chunks;   /* parts of POD_WIDE_LANES of a kept last axis */
} reduction;

static reduction make_reduction(const pod_kernel_call *call)
{
    const pod_shape *shape = &call->inputs[0].shape;
    const pod_axes *axes = &call->attributes->axes;
    const int last = shape->rank - 1;
    reduction plan = {.inner = last < 0 ? 1 : shape->dims[last], .inner_stays = true};
    pod_kernel_walk_split(shape, last, axes, &plan.kept, &plan.reduced);
    for (int i = 0; i < axes->count; i++)
        plan.inner_stays = plan.inner_stays && axes->axes[i] != last;
    plan.chunks = plan.inner_stays ? pod_part_count(plan.inner, POD_WIDE_LANES) : 1;
    return plan;
}

static int64_t reduce_units(const pod_kernel_call *call)
{
    reduction plan = make_reduction(call);
    return pod_kernel_walk_count(&plan.kept) * plan.chunks;
}

/* Folds `used` lanes (a power of two) that are parts of one result onto lane 0. */
static void fold_together(fold_op op, pod_wide_kind kind, pod_lanes *lanes, int64_t used)
{
    for (int64_t half = used / 2; half > 0; half /= 2) {
        pod_lanes upper;
        memcpy(upper.u, lanes->u + half, (size_t)half * sizeof *upper.u);
        fold_lanes(op, kind, lanes, &upper, half);
    }
}

/* Folds all reduced elements at one kept place into lanes; `first` is the place's element of column
 * 0. */
static void reduce_place(const pod_array *x, fold_op op, const reduction *plan, int64_t first, int64_t column,
                         int64_t columns, pod_lanes *sum)
{
    pod_wide_kind kind = pod_kernel_wide_kind_of(x->dtype);
    pod_walk walk = plan->reduced;
    int64_t places = pod_kernel_walk_count(&walk), used = 1;
    pod_lanes part;
    while (used < columns && used < POD_WIDE_LANES)
        used *= 2;
    pod_kernel_lanes_fill(sum, neutral(op, x->dtype, places > 0 && columns > 0), used);
    pod_kernel_walk_seek(&walk, 0);
    for (int64_t place = 0; place < places; place++, pod_kernel_walk_next(&walk)) {
        for (int64_t i = 0; i < columns; i += POD_WIDE_LANES) {
            int64_t count = columns - i < POD_WIDE_LANES ? columns - i : POD_WIDE_LANES;
            pod_kernel_lanes_load(x->dtype, pod_kernel_array_at(x, first + walk.offset[0] + column + i), 1, &part,
                                  count);
            fold_lanes(op, kind, sum, &part, count);
        }
    }
    if (!plan->inner_stays)
        fold_together(op, kind, sum, used);
}

static pod_status reduce_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    const fold_op op = (fold_op)call->form;
    const pod_array *x = &call->inputs[0], *result = &call->outputs[0];
    reduction plan = make_reduction(call);
    if (begin >= end)
        return POD_OK;
    pod_lanes sum;
    int64_t place = begin / plan.chunks, chunk = begin % plan.chunks;
    pod_kernel_walk_seek(&plan.kept, place);
    for (int64_t unit = begin; unit < end; unit++) {
        int64_t column = chunk * POD_WIDE_LANES, columns = plan.inner - column;
        int64_t count = 1, target = place;
        if (plan.inner_stays) {
            columns = columns < POD_WIDE_LANES ? columns : POD_WIDE_LANES;
            count = columns;
            target = place * plan.inner + column;
        }
        reduce_place(x, op, &plan, plan.kept.offset[0], column, columns, &sum);
        pod_kernel_lanes_store_sum(x->dtype, result, target, &sum, count);
        if (++chunk == plan.chunks) {
            chunk = 0;
            place++;
            pod_kernel_walk_next(&plan.kept);
        }
    }
    return POD_OK;
}

/* ---- along one axis: argmax, argmin, cumulative_sum ---------------------------------------------------- */

/* The operand as [outer, size, inner]; a unit is one outer place and POD_WIDE_LANES inner ones. */
typedef struct axis_view {
    int64_t size, inner, chunks;
} axis_view;

static axis_view view_axis(const pod_kernel_call *call)
{
    const pod_shape *shape = &call->inputs[0].shape;
    int axis = call->attributes->axis;
    int64_t inner = pod_kernel_dims_product(shape, axis + 1, shape->rank);
    return (axis_view){shape->dims[axis], inner, pod_part_count(inner, POD_WIDE_LANES)};
}

static int64_t axis_units(const pod_kernel_call *call)
{
    axis_view view = view_axis(call);
    return pod_kernel_dims_product(&call->inputs[0].shape, 0, call->attributes->axis) * view.chunks;
}

/* Some rows of a unit, of `columns` elements each, that lie one behind the other in memory from element `first` on. */
typedef struct axis_rows {
    int64_t rows, columns, first;
    pod_lanes lanes;
} axis_rows;

static int64_t columns_of(const axis_view *view, int64_t unit)
{
    return pod_smaller(view->inner - unit % view->chunks * POD_WIDE_LANES, POD_WIDE_LANES);
}

/* Loads as many rows as lanes hold: of those that are not `done`, the first or, backwards, the last. */
static void load_rows(const pod_kernel_call *call, const axis_view *view, int64_t unit, int64_t done, bool backwards,
                      axis_rows *to)
{
    const pod_array *x = &call->inputs[0];
    const int64_t left = view->size - done, column = unit % view->chunks * POD_WIDE_LANES;
    to->columns = columns_of(view, unit);
    to->rows = view->chunks > 1 ? 1 : pod_smaller(POD_WIDE_LANES / to->columns, left);
    const int64_t row = backwards ? left - to->rows : done;
    to->first = (unit / view->chunks * view->size + row) * view->inner + column;
    pod_kernel_lanes_load(x->dtype, pod_kernel_array_at(x, to->first), 1, &to->lanes, to->rows * to->columns);
}

enum { ARGMAX, ARGMIN };

static pod_status argument_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    const pod_array *result = &call->outputs[0];
    const pod_wide_kind kind = pod_kernel_wide_kind_of(call->inputs[0].dtype);
    const axis_view view = view_axis(call);
    axis_rows at;
    for (int64_t unit = begin; unit < end; unit++) {
        pod_lanes best, place;
        pod_kernel_lanes_fill(&place, (pod_wide){.s = 0}, POD_WIDE_LANES);
        for (int64_t row = 0; row < view.size; row += at.rows) {
            load_rows(call, &view, unit, row, false, &at);
            if (row == 0)
                memcpy(&best, &at.lanes, (size_t)at.columns * sizeof *best.u);
            for (int64_t i = 0; i < at.rows; i++)
                for (int64_t j = 0; j < at.columns; j++)
                    if (pod_kernel_wide_wins(kind, call->form == ARGMIN, at.lanes.u[i * at.columns + j], best.u[j])) {
                        best.u[j] = at.lanes.u[i * at.columns + j];
                        place.s[j] = row + i;
                    }
        }
        const int64_t to = unit / view.chunks * view.inner + unit % view.chunks * POD_WIDE_LANES;
        pod_kernel_lanes_store(result->dtype, pod_kernel_array_at(result, to), &place, columns_of(&view, unit));
    }
    return POD_OK;
}

/* Sums up from either end; an exclusive sum leaves out the element itself. Floats add up in f64, and each result is
 * rounded once. */
static pod_status cumulative_sum_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    const pod_array *result = &call->outputs[0];
    const bool is_float = pod_dtype_is_float(call->inputs[0].dtype), backwards = call->attributes->flag;
    const bool exclusive = call->attributes->count == 1;
    const axis_view view = view_axis(call);
    axis_rows at;
    for (int64_t unit = begin; unit < end; unit++) {
        pod_lanes sums;
        pod_kernel_lanes_fill(&sums, (pod_wide){0}, POD_WIDE_LANES);
        for (int64_t done = 0; done < view.size; done += at.rows) {
            load_rows(call, &view, unit, done, backwards, &at);
            for (int64_t step = 0; step < at.rows; step++) {
                const int64_t row = (backwards ? at.rows - 1 - step : step) * at.columns;
                for (int64_t j = 0; j < at.columns; j++) {
                    const uint64_t before = sums.u[j];
                    if (is_float)
                        sums.f[j] += at.lanes.f[row + j];
                    else
                        sums.u[j] += at.lanes.u[row + j];
                    at.lanes.u[row + j] = exclusive ? before : sums.u[j];
                }
            }
            pod_kernel_lanes_store(result->dtype, pod_kernel_array_at(result, at.first), &at.lanes,
                                   at.rows * at.columns);
        }
    }
    return POD_OK;
}

const pod_named_kernel pod_reference_reduction[] = {
    {"reduce_sum", NULL, {reduce_units, reduce_run, NULL, FOLD_SUM}},
    {"reduce_product", NULL, {reduce_units, reduce_run, NULL, FOLD_PRODUCT}},
    {"reduce_max", NULL, {reduce_units, reduce_run, NULL, FOLD_MAX}},
    {"reduce_min", NULL, {reduce_units, reduce_run, NULL, FOLD_MIN}},
    {"reduce_and", NULL, {reduce_units, reduce_run, NULL, FOLD_AND}},
    {"reduce_or", NULL, {reduce_units, reduce_run, NULL, FOLD_OR}},
    {"argmax", NULL, {axis_units, argument_run, NULL, ARGMAX}},
    {"argmin", NULL, {axis_units, argument_run, NULL, ARGMIN}},
    {"cumulative_sum", NULL, {axis_units, cumulative_sum_run, NULL, 0}},
    {.op = NULL},
};
