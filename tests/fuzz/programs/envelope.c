/* envelope - what results span in runs that are shaken, and whether others lie within: see oracle.h. */

#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"

static void envelope_free(envelope *e)
{
    for (int i = 0; e && i < MOST_OUTPUTS + MOST_PARAMETERS; i++)
        free(e->spans[i]);
    for (int i = 0; e && i < MOST_OUTPUTS + MOST_PARAMETERS; i++)
        free(e->intervals[i]);
    if (e)
        evaluate_free(e->terms, e->count);
    free(e);
}

void outcome_free(outcome *o)
{
    evaluate_free(o->outputs, o->output_count);
    evaluate_free(o->arguments, o->parameter_count);
    envelope_free(o->envelope);
    o->envelope = NULL;
}
typedef struct span {
    double low, high;
    bool any; /* EXEMPT: it may be anything: it is infinite or no number in one run and otherwise in another */
} span;

static char verdict[3 * POD_ERROR_MESSAGE_SIZE];
static char last_explained[sizeof verdict];
static long explained; /* results within intervals that no sample reached */

static bool equal(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Arrays of an outcome one after the other: outputs that are no alias, then parameters. */
static const pod_array *array_of(const program *p, const outcome *o, uint32_t index)
{
    if (index < o->output_count)
        return p->graph->aliases[index] >= 0 ? NULL : &o->outputs[index];
    return &o->arguments[index - o->output_count];
}

static void widen(span *s, double expected, double x)
{
    if (equal(expected, x))
        return;
    s->any = s->any || !isfinite(x) || !isfinite(expected);
    s->low = x < s->low ? x : s->low;
    s->high = x > s->high ? x : s->high;
}

static envelope *envelope_new(const program *p, const outcome *expected)
{
    envelope *made = calloc(1, sizeof *made);
    if (!made)
        abort();
    made->dice.state = p->seed;
    for (uint32_t i = 0; i < expected->output_count + expected->parameter_count; i++) {
        const pod_array *e = array_of(p, expected, i);
        if (!e)
            continue;
        made->spans[i] = calloc((size_t)count_of(e) + 1, sizeof *made->spans[i]);
        if (!made->spans[i])
            abort();
        for (int64_t j = 0, end = count_of(e); j < end; j++) {
            const double x = array_get(e, j);
            made->spans[i][j] = (span){x, x, false};
        }
    }
    return made;
}

/* Computes the program so often that the envelope holds this many runs, and widens the spans of all elements. */
static void widen_all(const program *p, int samples, double scale, bool steps, outcome *expected)
{
    envelope *kept = expected->envelope;
    outcome moved;
    for (; kept->samples < samples; kept->samples++) {
        oracle_sample(p, kept, scale, steps, &moved);
        for (uint32_t i = 0; i < expected->output_count + expected->parameter_count; i++) {
            const pod_array *e = array_of(p, expected, i), *m = moved.status == POD_OK ? array_of(p, &moved, i) : NULL;
            for (int64_t j = 0, end = e ? count_of(e) : 0; j < end; j++) {
                if (m)
                    widen(&kept->spans[i][j], array_get(e, j), array_get(m, j));
                else
                    kept->spans[i][j].any = true;
            }
        }
        outcome_free(&moved);
    }
}

/* Half of an f32's last place, for results that are rounded once more than here. */
static double rounding(pod_dtype dtype, double x)
{
    switch (dtype) {
    case POD_F64:
        return fabs(x) * 0x1p-52;
    case POD_F32:
        return fabs(x) * 0x1p-23 + 0x1p-126;
    case POD_BF16:
        return fabs(x) * 0x1p-7;
    case POD_F16:
        return fabs(x) * 0x1p-10 + 0x1p-24;
    default:
        return 0;
    }
}

static bool within(const pod_array *expected, int64_t index, double got, const span *s, double stretch)
{
    const double e = array_get(expected, index);
    if (equal(e, got) || s->any)
        return true;
    if (s->low == s->high || !isfinite(e)) /* nothing moves it */
        return false;
    const double room = rounding(expected->dtype, e) + fmax(e - s->low, s->high - e) * stretch;
    return got >= e - room && got <= e + room;
}

static bool within_interval(const pod_array *expected, int64_t index, double got, const interval *all)
{
    const double room = rounding(expected->dtype, array_get(expected, index));
    const interval x = all ? all[index] : (interval){0, 0};
    return all && (is_anything(x) || (x.low < x.high && got >= x.low - room && got <= x.high + room));
}

/* What lies outside of what samples span and, if asked, of the intervals. */
static const char *find_outside(const program *p, const outcome *expected, const outcome *got, double stretch,
                                bool intervals)
{
    for (uint32_t i = 0; i < expected->output_count + expected->parameter_count; i++) {
        const pod_array *e = array_of(p, expected, i), *g = e ? array_of(p, got, i) : NULL;
        for (int64_t j = 0, end = e ? count_of(e) : 0; j < end; j++) {
            const span *s = &expected->envelope->spans[i][j];
            if (within(e, j, array_get(g, j), s, stretch) ||
                (intervals && within_interval(e, j, array_get(g, j), expected->envelope->intervals[i])))
                continue;
            const bool output = i < expected->output_count;
            snprintf(verdict, sizeof verdict, "%s %u, element %lld is %.9g, expected %.9g (%.9g to %.9g)",
                     output ? "output" : "parameter", output ? i : i - expected->output_count, (long long)j,
                     array_get(g, j), array_get(e, j), s->low, s->high);
            return verdict;
        }
    }
    return NULL;
}

/* Whether a check may hold in one run and not in another, as errors decide it. */
static bool may_end(const program *p, pod_status status)
{
    envelope *none = calloc(1, sizeof *none);
    bool may = false;
    if (none)
        none->dice.state = p->seed;
    for (int i = 0; i < 200 && !may && none; i++) {
        outcome moved;
        oracle_sample(p, none, 1, false, &moved);
        may = moved.status == status;
        outcome_free(&moved);
    }
    envelope_free(none);
    return may;
}

/* Runs are drawn until what a way gave lies within them. Many errors that each are as large as allowed never meet with
 * all their signs right in so few runs: so what the runs span is stretched by 2, and those drawn last move by twice
 * the bound. Neither gives room to what no run moves. What no run explains may lie within intervals, which bound all
 * runs that there are (intervals.c); they are wide, so how often only they explain a result is counted. */
const char *oracle_compare(const program *p, outcome *expected, const outcome *got)
{
    static const struct {
        int samples;
        double scale, stretch;
    } tries[] = {{0, 0, 1}, {4, 1, 2}, {20, 1, 2}, {100, 1, 2}, {400, 2, 2}};
    if (expected->status != got->status && may_end(p, got->status))
        return NULL;
    if (expected->status != got->status) {
        snprintf(verdict, sizeof verdict, "it ends with %d (%s), expected %d (%s)", got->status, got->message,
                 expected->status, expected->message);
        return verdict;
    }
    if (expected->status != POD_OK)
        return NULL;
    if (!expected->envelope)
        expected->envelope = envelope_new(p, expected);
    const char *wrong = NULL;
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        widen_all(p, tries[i].samples, tries[i].scale, false, expected);
        wrong = find_outside(p, expected, got, tries[i].stretch, false);
        if (!wrong)
            return NULL;
    }
    if (!expected->envelope->bounded)
        intervals_of(p, expected, expected->envelope->intervals);
    expected->envelope->bounded = true;
    memcpy(last_explained, verdict, sizeof verdict);
    wrong = find_outside(p, expected, got, 2, true);
    explained += !wrong;
    return wrong;
}

long oracle_explained(const char **last)
{
    if (last)
        *last = last_explained;
    return explained;
}

void oracle_bounds(const program *p, outcome *expected, pod_array *low, pod_array *high)
{
    expected->envelope = envelope_new(p, expected);
    widen_all(p, 60, 4, true, expected); /* compilers of others have other functions */
    for (uint32_t i = 0; i < expected->output_count; i++) {
        const pod_array *e = &expected->outputs[i];
        low[i] = array_new(POD_F64, &e->shape);
        high[i] = array_new(POD_F64, &e->shape);
        for (int64_t j = 0, j_end = count_of(e); j < j_end; j++) {
            const span *s = &expected->envelope->spans[i][j];
            const double x = array_get(e, j), far = fmax(x - s->low, s->high - x) * 2;
            const double room = s->low == s->high ? 0 : far + rounding(e->dtype, x);
            ((double *)low[i].data)[j] = s->any ? (double)-INFINITY : x - room;
            ((double *)high[i].data)[j] = s->any ? (double)INFINITY : x + room;
        }
    }
}

/* EXEMPT: whatever bits what is no number has. */
static bool equal_bits(const pod_array *a, const pod_array *b)
{
    const size_t size = pod_dtype_size(a->dtype);
    if (memcmp(a->data, b->data, (size_t)count_of(a) * size) == 0)
        return true;
    for (int64_t i = 0, end = count_of(a); i < end; i++)
        if (memcmp((char *)a->data + (size_t)i * size, (char *)b->data + (size_t)i * size, size) != 0 &&
            !(isnan(array_get(a, i)) && isnan(array_get(b, i))))
            return false;
    return true;
}

const char *same_bits(const outcome *a, const outcome *b)
{
    if (a->status != b->status)
        return "one ends otherwise";
    for (uint32_t i = 0; a->status == POD_OK && i < a->output_count + a->parameter_count; i++) {
        const bool output = i < a->output_count;
        const uint32_t at = output ? i : i - a->output_count;
        const pod_array *x = output ? &a->outputs[at] : &a->arguments[at];
        const pod_array *y = output ? &b->outputs[at] : &b->arguments[at];
        if (!x->data || !y->data || equal_bits(x, y))
            continue;
        snprintf(verdict, sizeof verdict, "%s %u has other bits", output ? "output" : "parameter", at);
        return verdict;
    }
    return NULL;
}
