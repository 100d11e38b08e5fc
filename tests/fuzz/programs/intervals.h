#ifndef INTERVALS_H
#define INTERVALS_H

/* intervals - what the files of the intervals share: intervals.c walks programs, interval_rules.c has the ops' rules.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

#define SLACK 2.0 /* times the bounds, as the last samples have */

/* Elements of an array: as the reference kernels compute them, and all that they may be. */
typedef struct range {
    pod_array exact;
    interval *spans;
} range;

/* Where a node stands. */
typedef struct standing {
    bool replicated; /* in a program of several replicas */
    bool body;       /* in the body of a call: 16-bit floats keep what f32 holds */
    bool kernel;     /* in a body in whose place a kernel may be */
    bool result;     /* in a gradient that takes sums from a result: see sums_from_result() */
} standing;

/* What may be infinite or no number, too. */
#define ANYTHING ((interval){NAN, INFINITY})

static inline bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static inline bool is_certain(interval x)
{
    return same(x.low, x.high);
}

/* Takes the array. */
static inline range range_of(pod_array exact)
{
    range made = {exact, calloc((size_t)count_of(&exact) + 1, sizeof *made.spans)};
    if (!made.spans)
        abort();
    for (int64_t i = 0, end = count_of(&exact); i < end; i++)
        made.spans[i].low = made.spans[i].high = array_get(&exact, i);
    return made;
}

static inline range range_copy(const range *from)
{
    pod_array exact = array_new(from->exact.dtype, &from->exact.shape);
    memcpy(exact.data, from->exact.data, (size_t)count_of(&exact) * pod_dtype_size(exact.dtype));
    range made = range_of(exact);
    memcpy(made.spans, from->spans, (size_t)count_of(&from->exact) * sizeof *made.spans);
    return made;
}

static inline void range_free(range *r)
{
    array_free(&r->exact);
    free(r->spans);
    *r = (range){0};
}

static inline bool all_certain(const range *r)
{
    for (int64_t i = 0, end = count_of(&r->exact); i < end; i++)
        if (!is_certain(r->spans[i]))
            return false;
    return true;
}

static inline bool inputs_certain(const range *inputs, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < count; i++)
        if (!all_certain(&inputs[i]))
            return false;
    return true;
}

static inline void set_all(range *to, interval x)
{
    for (int64_t i = 0, end = count_of(&to->exact); i < end; i++)
        to->spans[i] = x;
}

/* What is one or the other. */
static inline interval hull(interval a, interval b)
{
    if (is_certain(a) && is_certain(b) && same(a.low, b.low))
        return a;
    if (!isfinite(a.low) || !isfinite(a.high) || !isfinite(b.low) || !isfinite(b.high))
        return ANYTHING;
    return (interval){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static inline interval hull_of(const range *r)
{
    interval all = count_of(&r->exact) > 0 ? r->spans[0] : (interval){0, 0};
    for (int64_t i = 1, end = count_of(&r->exact); i < end; i++)
        all = hull(all, r->spans[i]);
    return all;
}

static inline double size_of(interval x)
{
    return fmax(fabs(x.low), fabs(x.high));
}

/* Whether errors move what is not rounded yet: results of 16 bits are rounded after them. */
bool is_unrounded(const pod_node *node);

/* The op at each place, of its operands there; false where there is no rule. */
bool interval_places(const pod_node *node, const range *inputs, range *result);

/* All that two factors give. */
interval multiplied(interval a, interval b);

/* What the results of a node may be, its own errors apart: where operands are certain, what they give. */
void interval_rules(const pod_node *node, const range *inputs, const standing *at, range *results);

/* What a graph gives of these parameters; outputs are the caller's. */
void interval_walk(const pod_graph *g, const range *parameters, const standing *at, range *outputs);

/* The largest magnitude of what is finite. */
double largest_of_range(const range *r);

/* 16-bit floats where f32 may be kept, or where a kernel rounds elsewhere: so many units in the last place of an
 * element and of what else it is made of. */
void widen_narrow(range *r, pod_dtype narrow, double units, double other);

/* An interval with room on both sides, if it is bounded. */
static inline interval wider(interval x, double room)
{
    return isfinite(x.low) && isfinite(x.high) ? (interval){x.low - room, x.high + room} : x;
}

#endif
