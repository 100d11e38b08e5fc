/*
 * plant - the oracle itself is tried: faults are planted in runs of the reference kernels, which it should find, and
 * shaken runs should lie within the intervals of intervals.c.
 */

#include "oracle.h"

#include <math.h>
#include <string.h>

#include "evaluate.h"

/* A fault of one element of one node. */
static struct {
    dice dice;
    int64_t node; /* so many evaluations from here; < 0: planted */
    char what[96];
} fault;

/* Another value for an element: its neighbour's, none, or one that is off by a little or a lot. */
static double spoilt(const pod_array *array, int64_t index, int way)
{
    const double x = array_get(array, index);
    switch (way) {
    case 0:
        return array_get(array, (index + 1) % count_of(array));
    case 1:
        return 0;
    case 2:
        return array->dtype == POD_BOOL ? !(x != 0) : x + 1;
    case 3:
        return pod_dtype_is_float(array->dtype) ? x * (1 + 0x1p-6) : -x;
    default:
        return pod_dtype_is_float(array->dtype) ? x * (1 - 0x1p-3) : x - 1;
    }
}

static pod_status plant(const pod_node *node, const pod_array *inputs, pod_array *results, pod_error *error)
{
    const pod_status status = evaluate_node(node, inputs, results, error);
    if (status != POD_OK || fault.node < 0 || fault.node-- > 0)
        return status;
    const int way = (int)below(&fault.dice, 5);
    const int64_t count = count_of(&results[0]);
    if (count == 0)
        return status;
    const int64_t first = below(&fault.dice, count), number = chance(&fault.dice, 50) ? 1 : 1 + below(&fault.dice, 16);
    for (int64_t i = first; i < first + number && i < count; i++)
        array_set(&results[0], i, spoilt(&results[0], i, way));
    snprintf(fault.what, sizeof fault.what, "%s, way %d, element %lld", pod_op_name(node->op), way, (long long)first);
    return status;
}

/* One step of the program with a fault. */
static void run_planted(const program *p, outcome *o)
{
    pod_error error = {0};
    const pod_graph *g = p->graph;
    *o = (outcome){.output_count = g->output_count, .parameter_count = g->parameter_count};
    for (uint32_t i = 0; i < g->parameter_count; i++)
        o->arguments[i] = evaluate_copy(&p->arguments[i]);
    evaluate_instead = plant;
    o->status = evaluate_graph(g, o->arguments, o->outputs, &error);
    evaluate_instead = NULL;
    for (uint32_t i = 0; i < g->output_count && o->status == POD_OK; i++)
        if (g->aliases[i] >= 0) {
            array_free(&o->arguments[g->aliases[i]]);
            o->arguments[g->aliases[i]] = evaluate_copy(&o->outputs[i]);
        }
}

/* Whether an array of a shaken run lies within its intervals; else where it does not. */
static const char *outside(const pod_array *e, const pod_array *m, const interval *all, uint32_t array)
{
    static char text[200];
    for (int64_t i = 0, end = count_of(e); i < end; i++) {
        const double x = array_get(m, i), expected = array_get(e, i);
        if (is_anything(all[i]) || (isnan(x) && isnan(expected)) || (x >= all[i].low && x <= all[i].high))
            continue;
        snprintf(text, sizeof text, "array %u, element %lld is %.9g in a shaken run, expected %.9g (%.9g to %.9g)",
                 array, (long long)i, x, expected, all[i].low, all[i].high);
        return text;
    }
    return NULL;
}

static const char *check_intervals(const program *p, const outcome *expected)
{
    interval *all[MOST_OUTPUTS + MOST_PARAMETERS] = {0};
    envelope kept = {.dice = {p->seed}};
    const char *wrong = NULL;
    intervals_of(p, expected, all);
    for (int i = 0; i < 8 && !wrong; i++) {
        outcome moved;
        oracle_sample(p, &kept, 1, false, &moved);
        for (uint32_t j = 0; j < expected->output_count && moved.status == POD_OK && !wrong; j++)
            wrong = outside(&expected->outputs[j], &moved.outputs[j], all[j], j);
        outcome_free(&moved);
    }
    evaluate_free(kept.terms, kept.count);
    for (uint32_t i = 0; i < expected->output_count + expected->parameter_count; i++)
        free(all[i]);
    return wrong;
}

const char *plant_check(const program *p, planted *counts)
{
    program once = *p;
    outcome expected, got;
    once.steps = 1;
    oracle_run(&once, NULL, 0, &expected);
    if (expected.status != POD_OK) {
        outcome_free(&expected);
        return NULL;
    }
    fault.dice = (dice){p->seed ^ 0x9999};
    fault.node = below(&fault.dice, (int64_t)p->graph->node_count);
    fault.what[0] = '\0';
    run_planted(&once, &got);
    const bool changes = got.status != expected.status || same_bits(&expected, &got);
    if (changes) {
        const long before = oracle_explained(NULL);
        const bool found = oracle_compare(&once, &expected, &got) != NULL;
        counts->planted++;
        counts->found += found;
        counts->explained += oracle_explained(NULL) > before;
        if (oracle_explained(NULL) > before && getenv("PLANT"))
            printf("# %llu explained: %s\n", (unsigned long long)p->seed, fault.what);
    }
    outcome_free(&got);
    const char *wrong = check_intervals(&once, &expected);
    outcome_free(&expected);
    return wrong;
}
