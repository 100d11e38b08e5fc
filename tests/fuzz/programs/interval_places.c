/* interval_places - ops at each place, of intervals: see intervals.h. */

#include "intervals.h"

#define PI 3.14159265358979323846

/* All that a function of two gives, where its ends are at corners. */
static interval corners(interval a, interval b, double (*f)(double, double))
{
    const double all[] = {f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)};
    interval made = {all[0], all[0]};
    for (int i = 0; i < 4; i++) {
        if (isnan(all[i]))
            return is_certain(a) && is_certain(b) ? (interval){NAN, NAN} : ANYTHING;
        made.low = fmin(made.low, all[i]);
        made.high = fmax(made.high, all[i]);
    }
    return made;
}

static double times(double a, double b)
{
    return a * b;
}

interval multiplied(interval a, interval b)
{
    return corners(a, b, times);
}

static double over(double a, double b)
{
    return a / b;
}

/* What is left of x by y: on one line where the quotient is the same at all corners, else anything below y. */
static interval rest(interval x, interval y)
{
    const double most = fmin(size_of(y), size_of(x));
    if (!isfinite(x.low + x.high + y.low + y.high) || (y.low <= 0 && y.high >= 0))
        return is_certain(x) && is_certain(y) ? corners(x, y, fmod) : ANYTHING;
    const interval quotient = corners(x, y, over);
    return trunc(quotient.low) == trunc(quotient.high) ? corners(x, y, fmod)
                                                       : (interval){x.low < 0 ? -most : 0, x.high > 0 ? most : 0};
}

static interval compared(pod_comparison how, interval a, interval b)
{
    static const interval no = {0, 0}, yes = {1, 1}, open = {0, 1};
    if (is_certain(a) && is_certain(b)) {
        const double x = a.low, y = b.low;
        const bool holds = how == POD_COMPARE_EQ   ? x == y
                           : how == POD_COMPARE_NE ? x != y
                           : how == POD_COMPARE_LT ? x < y
                           : how == POD_COMPARE_LE ? x <= y
                           : how == POD_COMPARE_GT ? x > y
                                                   : x >= y;
        return holds ? yes : no;
    }
    if (isnan(a.low) || isnan(a.high) || isnan(b.low) || isnan(b.high))
        return open;
    const bool below = a.high<b.low, above = a.low> b.high;
    if (how == POD_COMPARE_EQ || how == POD_COMPARE_NE)
        return below || above ? (how == POD_COMPARE_NE ? yes : no) : open;
    const bool less = how == POD_COMPARE_LT || how == POD_COMPARE_LE;
    return below ? (less ? yes : no) : above ? (less ? no : yes) : open;
}

static interval wave(interval x, double (*f)(double))
{
    const double width = x.high - x.low, middle = x.low / 2 + x.high / 2;
    if (!(width < 1))
        return is_certain(x) ? (interval){f(x.low), f(x.low)} : isfinite(width) ? (interval){-1, 1} : ANYTHING;
    return width == 0 ? (interval){f(x.low), f(x.low)}
                      : (interval){fmax(-1, f(middle) - width), fmin(1, f(middle) + width)};
}

/* The op on one element's intervals; false where there is no rule. */
static bool at_place(const pod_node *node, const interval *x, interval *made)
{
    const bool is_float = pod_dtype_is_float(pod_node_dtype(node->inputs[0], 0));
    switch (node->op) {
    case POD_OP_MULTIPLY:
        *made = corners(x[0], x[1], times);
        if (node->inputs[0] == node->inputs[1] && made->low < 0)
            made->low = 0;
        return true;
    case POD_OP_DIVIDE: /* EXEMPT: the sign of a zero, which is that of what is infinite */
        *made = !is_float                              ? ANYTHING
                : x[1].low <= 0 && x[1].high >= 0      ? ANYTHING
                : isnan(x[1].low) && !is_certain(x[1]) ? ANYTHING
                                                       : corners(x[0], x[1], over);
        return true;
    case POD_OP_REMAINDER:
        *made = is_float ? rest(x[0], x[1]) : ANYTHING;
        return true;
    case POD_OP_TAN: {
        const double first = floor(x[0].low / PI + 0.5), last = floor(x[0].high / PI + 0.5);
        *made = first == last ? (interval){tan(x[0].low), tan(x[0].high)} : ANYTHING;
        return true;
    }
    case POD_OP_POWER:
        *made = is_float && (x[0].low > 0 || (x[0].low == 0 && x[1].low > 0)) ? corners(x[0], x[1], pow) : ANYTHING;
        return true;
    case POD_OP_RSQRT:
        *made = x[0].low > 0 ? (interval){1 / sqrt(x[0].high), 1 / sqrt(x[0].low)} : ANYTHING;
        return true;
    case POD_OP_ABS:
        *made = isnan(x[0].low)
                    ? x[0]
                    : (interval){x[0].low <= 0 && x[0].high >= 0 ? 0 : fmin(fabs(x[0].low), fabs(x[0].high)),
                                 size_of(x[0])};
        return true;
    case POD_OP_SIN:
        *made = wave(x[0], sin);
        return true;
    case POD_OP_COS:
        *made = wave(x[0], cos);
        return true;
    case POD_OP_ATAN2: /* EXEMPT: the sign of a zero */
        *made = !isfinite(x[0].low + x[0].high + x[1].low + x[1].high) ? ANYTHING
                : x[1].low > 0 || x[0].low > 0 || x[0].high < 0        ? corners(x[0], x[1], atan2)
                                                                       : (interval){-3.2, 3.2};
        return true;
    case POD_OP_IS_FINITE:
        *made = is_certain(x[0]) ? (interval){isfinite(x[0].low), isfinite(x[0].low)}
                                 : (interval){isfinite(x[0].low) && isfinite(x[0].high), 1};
        return true;
    case POD_OP_COMPARE:
        *made = compared(node->attributes->comparison, x[0], x[1]);
        return true;
    case POD_OP_SELECT:
        *made = is_certain(x[0]) ? x[x[0].low != 0 ? 1 : 2] : hull(x[1], x[2]);
        return true;
    case POD_OP_NOT:
        *made = (interval){1 - x[0].high, 1 - x[0].low};
        return pod_node_dtype(node, 0) == POD_BOOL;
    case POD_OP_CONVERT: {
        const pod_dtype to = pod_node_dtype(node, 0);
        *made = pod_dtype_is_float(to) || is_certain(x[0])    ? x[0]
                : !isfinite(x[0].low) || !isfinite(x[0].high) ? ANYTHING
                : to != POD_BOOL                              ? (interval){trunc(x[0].low), trunc(x[0].high)}
                                                              : (interval){x[0].low > 0 || x[0].high < 0, 1};
        return true;
    }
    default:
        *made = ANYTHING;
        return pod_op_is_elementwise(node->op);
    }
}

bool is_unrounded(const pod_node *node)
{
    return is_narrow(pod_node_dtype(node, 0)) && has_kernel(node) && pod_op_get(node->op)->bound != 0;
}

/* EXEMPT: the sign of a zero that is a sum or an extreme: whether an op tells it, which otherwise nothing does. */
static bool tells_sign(const pod_node *node, const interval *x)
{
    switch (node->op) {
    case POD_OP_RSQRT:
    case POD_OP_BITCAST:
    case POD_OP_POWER:
        return x[0].low == 0 && !(x[1].low > 0);
    case POD_OP_DIVIDE:
        return x[1].low == 0;
    case POD_OP_ATAN2:
        return x[0].low == 0;
    default:
        return false;
    }
}

bool interval_places(const pod_node *node, const range *inputs, range *result)
{
    for (int64_t i = 0, end = count_of(&result->exact); i < end; i++) {
        interval x[3] = {{0, 0}, {0, 0}, {0, 0}};
        bool certain = true;
        for (uint32_t j = 0; j < node->input_count; j++) {
            x[j] = inputs[j].spans[i];
            certain = certain && is_certain(x[j]);
        }
        if (!at_place(node, x, &result->spans[i]))
            return false;
        if (certain && !tells_sign(node, x) && !is_unrounded(node))
            result->spans[i].low = result->spans[i].high = array_get(&result->exact, i);
    }
    return true;
}
