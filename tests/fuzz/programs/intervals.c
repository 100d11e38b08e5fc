/*
 * intervals - what each element of a program's results may be at most: two numbers that bound it.
 *
 * Samples of shaken runs (oracle.c) miss what only a few of all errors together give: terms that cancel to a remainder
 * of their rounding, which later ops magnify, or a value at the edge of a step. Here errors are followed by rule, in
 * f64: each value has an interval, an op of intervals gives one that holds all its results, and that is widened by the
 * op's bound. The rule is sound but for what errors have in common, which it takes for independent, and so as wide as
 * it gets: it is asked last, where no sample explains a result.
 */

#include "intervals.h"

#include "evaluate.h"

static void widen_ulps(range *r, double ulps)
{
    const bool is_f64 = r->exact.dtype == POD_F64;
    const double least = is_f64 ? 0x1p-1022 : 0x1p-126;
    for (int64_t i = 0, end = count_of(&r->exact); i < end; i++) {
        interval x = r->spans[i];
        int exponent;
        if (!isfinite(x.low) || !isfinite(x.high))
            continue;
        const double size = size_of(x);
        if (fmin(fabs(x.low), fabs(x.high)) < least) /* EXEMPT: what is below all normal numbers */
            x = (interval){fmin(x.low, 0), fmax(x.high, 0)};
        frexp(size, &exponent);
        r->spans[i] = wider(x, ldexp(SLACK * ulps, (size == 0 ? -200 : exponent) - (is_f64 ? 53 : 24)));
    }
}

/* The largest magnitudes of operands, as measure_terms() takes them. */
static void magnitudes_of(const pod_node *node, const range *inputs, pod_array *made)
{
    for (uint32_t i = 0; i < node->input_count; i++) {
        made[i] = inputs[i].exact;
        if (!pod_dtype_is_float(inputs[i].exact.dtype) || !is_term(node, made, i))
            continue;
        made[i] = array_new(POD_F64, &inputs[i].exact.shape);
        for (int64_t j = 0, end = count_of(&made[i]); j < end; j++)
            ((double *)made[i].data)[j] = is_anything(inputs[i].spans[j]) ? 0 : size_of(inputs[i].spans[j]);
    }
}

static void widen_sums(const pod_node *node, const range *inputs, const standing *at, range *result)
{
    const bool product = is_product(node), is_f64 = result->exact.dtype == POD_F64;
    const bool plain = !product && !multiplies(node) && !at->kernel;
    const int bits = bits_of_sums(node, &result->exact, false);
    const double step = ldexp(bits < 24 ? 1 : 2, -bits), lost = is_f64 || plain ? 0 : 0x1p-110;
    pod_array own[8], sums, terms;
    if (node->input_count > 8 || node->result_count != 1 || !pod_dtype_is_float(result->exact.dtype))
        return;
    magnitudes_of(node, inputs, own);
    const bool summed = measure_terms(node, own, MEASURE_SIZE, &sums);
    if (summed && measure_terms(node, own, MEASURE_NUMBER, &terms)) {
        pod_array exact[8];
        for (uint32_t i = 0; i < node->input_count; i++)
            exact[i] = inputs[i].exact;
        const bool exactly =
            !at->result && inputs_certain(inputs, 0, node->input_count) && sums_exactly(node, exact, &sums, bits);
        for (int64_t i = 0, end = count_of(&sums); i < end; i++) {
            const double sum = ((double *)sums.data)[i], number = ((double *)terms.data)[i];
            if (!is_f64 && !(sum < limit_of_sums(node)))
                result->spans[i] = ANYTHING;
            else if (!exactly && (number > 1 || !plain))
                result->spans[i] =
                    wider(result->spans[i], SLACK * step * (sum + lost) * sqrt(product ? 64 : fmax(number, 1)));
        }
        array_free(&terms);
    }
    if (summed)
        array_free(&sums);
    if (product) /* factors of one product may leave what floats hold on either side, in some order */
        for (int64_t i = 0, end = count_of(&result->exact); i < end; i++)
            result->spans[i] = hull(result->spans[i], (interval){0, 0});
    if (product && measure_terms(node, own, MEASURE_MOST, &sums)) {
        for (int64_t i = 0, end = count_of(&sums); i < end; i++)
            if (!(((double *)sums.data)[i] < limit_of_sums(node)))
                result->spans[i] = ANYTHING;
        array_free(&sums);
    }
    for (uint32_t i = 0; i < node->input_count; i++)
        if (own[i].data != inputs[i].exact.data)
            array_free(&own[i]);
}

/* See shake_joined(). */
static void widen_joined(const pod_node *node, const range *inputs, range *result)
{
    const pod_dtype narrow = narrow_before(node->inputs[0]->inputs[0]->inputs[0], 8);
    pod_array own[1], sums;
    if (narrow == POD_DTYPE_NONE || !pod_dtype_is_float(inputs[0].exact.dtype))
        return;
    magnitudes_of(node, inputs, own);
    if (measure_terms(node, own, MEASURE_SIZE, &sums)) {
        for (int64_t i = 0, end = count_of(&sums); i < end; i++)
            result->spans[i] =
                wider(result->spans[i], SLACK * ((double *)sums.data)[i] * (narrow == POD_F16 ? 0x1p-10 : 0x1p-7));
        array_free(&sums);
    }
    array_free(&own[0]);
}

static double rounded(pod_dtype dtype, double x)
{
    char bytes[8];
    pod_convert(POD_F64, &x, dtype, bytes, 1);
    pod_convert(dtype, bytes, POD_F64, &x, 1);
    return x;
}

/* Rounds what is bounded, and makes sure of what the reference gave. */
static void settle(range *r, bool keeps)
{
    const pod_dtype dtype = r->exact.dtype;
    for (int64_t i = 0, end = count_of(&r->exact); i < end; i++) {
        interval *x = &r->spans[i];
        const double exact = array_get(&r->exact, i);
        if (is_certain(*x)) {
            *x = (interval){exact, exact};
            continue;
        }
        if (pod_dtype_is_float(dtype)) {
            const interval stored = {rounded(dtype, x->low), rounded(dtype, x->high)};
            *x = keeps ? (interval){fmin(x->low, stored.low), fmax(x->high, stored.high)} : stored;
        }
        const bool beyond = !pod_dtype_is_float(dtype) && (rounded(dtype, x->low) != x->low ||
                                                           rounded(dtype, x->high) != x->high || size_of(*x) > 0x1p52);
        *x = isfinite(x->low) && isfinite(x->high) && !beyond ? hull(*x, (interval){exact, exact}) : ANYTHING;
    }
}

/* EXEMPT: as gives_anything() in oracle.c */
static bool is_given_anything(const pod_node *node, const range *inputs)
{
    for (uint32_t i = 0; i < node->input_count && (convolves(node) || attends(node)); i++)
        for (int64_t j = 0, end = count_of(&inputs[i].exact); j < end; j++)
            if (!(size_of(inputs[i].spans[j]) < 0x1p40) || is_anything(inputs[i].spans[j]))
                return true;
    return false;
}

/* Widens by what a node's own errors may be. */
static void widen(const pod_node *node, const range *inputs, const standing *at, range *result)
{
    const pod_composite *composite = kernel_called(node);
    const int32_t bound = composite                                       ? composite->bound
                          : has_kernel(node) || node->op == POD_OP_REDUCE ? pod_op_get(node->op)->bound
                                                                          : 0;
    const pod_dtype dtype = result->exact.dtype;
    const bool narrow_input = node->input_count > 0 && is_narrow(pod_node_dtype(node->inputs[0], 0));
    if (!pod_dtype_is_float(dtype))
        return;
    if (bound == POD_BOUND_SUMS)
        widen_sums(node, inputs, at, result);
    else if (bound > 0)
        widen_ulps(result, bound);
    if (at->replicated && node->op == POD_OP_DIVIDE && node->inputs[0]->op == POD_OP_REDUCE_SUM)
        widen_ulps(result, 1);
    if (at->replicated && joins_replicas(node))
        widen_joined(node, inputs, result);
    if (node->op == POD_OP_REDUCE && is_narrow(dtype))
        widen_narrow(result, dtype, (double)count_of(&inputs[0].exact) / fmax(1, (double)count_of(&result->exact)) + 1,
                     largest_of_range(&inputs[0]));
    if (at->body && is_narrow(dtype))
        widen_narrow(result, dtype, 1, 0);
    if (composite && (is_narrow(dtype) || narrow_input))
        widen_narrow(result, is_narrow(dtype) ? dtype : pod_node_dtype(node->inputs[0], 0), SLACK,
                     largest_of_range(result));
    for (int64_t i = 0, end = count_of(&result->exact); i < end && composite; i++)
        if (!isfinite(array_get(&result->exact, i))) /* EXEMPT: as shake_body_ends() */
            result->spans[i] = ANYTHING;
    if (is_given_anything(node, inputs))
        set_all(result, ANYTHING);
}

/* ---- programs --------------------------------------------------------------------------------------------------- */

static void ranges_free(range *ranges, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        range_free(&ranges[i]);
}

/* One of two regions, or what both give. */
static void walk_cond(const pod_node *node, const range *inputs, const standing *at, range *results)
{
    const bool taken = array_get(&inputs[0].exact, 0) != 0;
    range others[64];
    interval_walk(node->regions[!taken], inputs + 1, at, results);
    if (all_certain(&inputs[0]))
        return;
    interval_walk(node->regions[taken], inputs + 1, at, others);
    for (uint32_t i = 0; i < node->result_count; i++)
        for (int64_t j = 0, end = count_of(&results[i].exact); j < end; j++)
            results[i].spans[j] = hull(results[i].spans[j], others[i].spans[j]);
    ranges_free(others, node->result_count);
}

/* A loop; where it may end or not, results are anything from there on. */
static void walk_while(const pod_node *node, const range *inputs, const standing *at, range *results)
{
    range next[64], again;
    bool open = false, turns = true;
    for (uint32_t i = 0; i < node->input_count; i++)
        results[i] = range_copy(&inputs[i]);
    while (turns) {
        interval_walk(node->regions[0], results, at, &again);
        turns = array_get(&again.exact, 0) != 0;
        open = open || !all_certain(&again);
        range_free(&again);
        if (!turns)
            break;
        interval_walk(node->regions[1], results, at, next);
        ranges_free(results, node->input_count);
        memcpy(results, next, node->input_count * sizeof *next);
    }
    for (uint32_t i = 0; i < node->result_count && open; i++)
        set_all(&results[i], ANYTHING);
}

/* EXEMPT: as flush_factors() in oracle.c: a factor below all normal numbers may count as 0. */
static void flush(range *factors)
{
    for (int64_t i = 0, end = count_of(&factors->exact); i < end; i++) {
        interval *x = &factors->spans[i];
        if (isfinite(x->low) && isfinite(x->high) && fmin(fabs(x->low), fabs(x->high)) < 0x1p-126)
            *x = (interval){fmin(x->low, 0), fmax(x->high, 0)};
    }
}

static void walk_product(const pod_node *node, const range *inputs, const standing *at, range *results)
{
    range own[] = {range_copy(&inputs[0]), range_copy(&inputs[1])};
    for (int i = 0; i < 2; i++)
        if (pod_dtype_is_float(inputs[i].exact.dtype) && inputs[i].exact.dtype != POD_F64)
            flush(&own[i]);
    interval_rules(node, own, at, results);
    ranges_free(own, 2);
}

static void walk_node(const pod_node *node, const range *inputs, const standing *at, range *results)
{
    pod_array exact[64], made[64];
    pod_error error;
    if (node->op == POD_OP_CALL) {
        standing inner = *at;
        inner.body = true;
        inner.kernel = at->kernel || kernel_called(node);
        inner.result =
            inner.kernel &&
            (at->result || (node->attributes->name && strncmp(node->attributes->name, "attention_gradient", 18) == 0));
        interval_walk(node->regions[0], inputs, &inner, results);
    } else if (node->op == POD_OP_COND) {
        walk_cond(node, inputs, at, results);
    } else if (node->op == POD_OP_WHILE) {
        walk_while(node, inputs, at, results);
    } else {
        for (uint32_t i = 0; i < node->input_count; i++)
            exact[i] = inputs[i].exact;
        for (uint32_t i = 0; i < node->result_count; i++)
            made[i] = evaluate_allocate(node->results[i].dtype, &node->results[i].shape);
        if (evaluate_node(node, exact, made, &error) != POD_OK)
            abort(); /* the reference came through */
        for (uint32_t i = 0; i < node->result_count; i++)
            results[i] = range_of(made[i]);
        if (multiplies(node))
            walk_product(node, inputs, at, results);
        else
            interval_rules(node, inputs, at, results);
    }
    for (uint32_t i = 0; i < node->result_count; i++) {
        widen(node, inputs, at, &results[i]);
        settle(&results[i], at->body && is_narrow(results[i].exact.dtype));
    }
}

void interval_walk(const pod_graph *g, const range *parameters, const standing *at, range *outputs)
{
    uint32_t total = 0, *firsts = calloc(g->node_count + 1, sizeof *firsts);
    for (uint32_t i = 0; firsts && i < g->node_count; i++) {
        firsts[i] = total;
        total += g->nodes[i]->result_count;
    }
    range *values = calloc(total + 1, sizeof *values);
    if (!firsts || !values)
        abort();
    for (uint32_t i = 0; i < g->node_count; i++) {
        const pod_node *node = g->nodes[i];
        range inputs[64], *results = &values[firsts[i]];
        for (uint32_t j = 0; j < node->input_count; j++)
            inputs[j] = values[firsts[node->inputs[j]->id]];
        if (node->op == POD_OP_PARAMETER)
            results[0] = range_copy(&parameters[node->attributes->axis]);
        else if (node->op == POD_OP_RESULT)
            results[0] = range_copy(&values[firsts[node->inputs[0]->id] + (uint32_t)node->attributes->axis]);
        else
            walk_node(node, inputs, at, results);
    }
    for (uint32_t i = 0; i < g->output_count; i++)
        outputs[i] = range_copy(&values[firsts[g->outputs[i]->id]]);
    ranges_free(values, total);
    free(values);
    free(firsts);
}

void intervals_of(const program *p, const outcome *expected, interval **made)
{
    const pod_graph *g = p->graph;
    const standing at = {.replicated = p->kin != NULL};
    range parameters[MOST_PARAMETERS], outputs[MOST_OUTPUTS] = {0};
    for (uint32_t i = 0; i < g->parameter_count; i++)
        parameters[i] = range_of(evaluate_copy(&p->arguments[i]));
    for (int64_t step = 0; step < p->steps; step++) {
        ranges_free(outputs, g->output_count);
        interval_walk(g, parameters, &at, outputs);
        for (uint32_t i = 0; i < g->output_count; i++)
            if (g->aliases[i] >= 0) {
                range_free(&parameters[g->aliases[i]]);
                parameters[g->aliases[i]] = range_copy(&outputs[i]);
            }
    }
    for (uint32_t i = 0; i < expected->output_count + expected->parameter_count; i++) {
        range *from = i < expected->output_count ? &outputs[i] : &parameters[i - expected->output_count];
        made[i] = from->spans;
        from->spans = NULL;
        array_free(&from->exact);
    }
}
