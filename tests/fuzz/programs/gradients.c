/*
 * gradients - gradients of random programs against differences of what the reference kernels compute in f64.
 *
 * A smooth program (PROGRAM_SMOOTH) has an output that is weighed and summed; its gradient along a random direction is
 * held to the slope between points before and behind on that direction, once more for the gradient itself. Where slopes
 * tell nothing (a corner, a jump, numbers too large) there is no verdict.
 */

#include "programs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"

#define MOST_SOURCES 6
#define STEP         0x1p-16

/* A value of a graph that is differentiated, its weights, and by which parameters along which directions. */
typedef struct derivative {
    pod_graph *graph;
    const pod_array *arguments;
    pod_node *target;
    pod_array weights, directions[MOST_SOURCES], moved[MOST_PARAMETERS];
    pod_node *sources[MOST_SOURCES], *gradients[MOST_SOURCES];
    size_t count;
} derivative;

static pod_array random_array(const pod_shape *shape, dice *d)
{
    pod_array made = array_new(POD_F64, shape);
    for (int64_t i = 0, end = pod_shape_elements(shape); i < end; i++)
        ((double *)made.data)[i] = unit(d);
    return made;
}

static double product(const pod_array *a, const pod_array *b, double *magnitude)
{
    double sum = 0;
    for (int64_t i = 0, end = pod_shape_elements(&a->shape); i < end; i++) {
        const double term = ((double *)a->data)[i] * ((double *)b->data)[i];
        sum += term;
        *magnitude += fabs(term);
    }
    return sum;
}

/* The values of all nodes that some of `wanted` need, one after the other; NULL where one cannot be computed. */
static pod_array *values_of(const pod_graph *g, const pod_array *arguments, pod_node *const *wanted, size_t count,
                            uint32_t **firsts, uint32_t *total)
{
    bool *live = calloc(g->node_count, 1), good = true;
    pod_error error;
    *firsts = calloc(g->node_count + 1, sizeof **firsts);
    *total = 0;
    for (uint32_t i = 0; i < g->node_count; *total += g->nodes[i++]->result_count)
        (*firsts)[i] = *total;
    pod_array *values = calloc(*total + 1, sizeof *values);
    if (!live || !*firsts || !values)
        abort();
    for (size_t i = 0; i < count; i++)
        if (wanted[i])
            live[wanted[i]->id] = true;
    for (uint32_t i = g->node_count; i-- > 0;)
        for (uint32_t j = 0; live[i] && j < g->nodes[i]->input_count; j++)
            live[g->nodes[i]->inputs[j]->id] = true;
    for (uint32_t i = 0; i < g->node_count && good; i++)
        good = !live[i] || evaluate_into(g->nodes[i], arguments, *firsts, values, &error) == POD_OK;
    free(live);
    if (good)
        return values;
    evaluate_free(values, *total);
    free(values);
    free(*firsts);
    return NULL;
}

/* The weighed sum of the target so far along the directions; NAN where it cannot be computed. */
static double value_at(derivative *v, double way, double *magnitude)
{
    uint32_t *firsts, total;
    for (size_t i = 0; i < v->count; i++) {
        const int32_t at = v->sources[i]->attributes->axis;
        for (int64_t j = 0, end = pod_shape_elements(&v->moved[at].shape); j < end; j++)
            ((double *)v->moved[at].data)[j] =
                ((double *)v->arguments[at].data)[j] + way * ((double *)v->directions[i].data)[j];
    }
    pod_array *values = values_of(v->graph, v->moved, &v->target, 1, &firsts, &total);
    if (!values)
        return NAN;
    const double sum = product(&values[firsts[v->target->id]], &v->weights, magnitude);
    evaluate_free(values, total);
    free(values);
    free(firsts);
    return sum;
}

/* The gradient along the directions. */
static double gradient_along(derivative *v, double *magnitude)
{
    uint32_t *firsts, total;
    double sum = 0;
    pod_array *values = values_of(v->graph, v->arguments, v->gradients, v->count, &firsts, &total);
    if (!values)
        return NAN;
    for (size_t i = 0; i < v->count; i++)
        if (v->gradients[i])
            sum += product(&values[firsts[v->gradients[i]->id]], &v->directions[i], magnitude);
    evaluate_free(values, total);
    free(values);
    free(firsts);
    return sum;
}

/* Whether the gradient is the slope; *known: there is a verdict. */
static bool agrees(derivative *v, double slopes[2], bool *known)
{
    double size = 0, size_of_value = 0, at[5];
    static const double ways[5] = {-1, -0.5, 0, 0.5, 1};
    for (int i = 0; i < 5; i++)
        at[i] = value_at(v, ways[i] * STEP, &size_of_value);
    const double far = (at[4] - at[0]) / (2 * STEP), near = (at[3] - at[1]) / STEP;
    const double bend_far = (at[4] - 2 * at[2] + at[0]) / STEP, bend_near = (at[3] - 2 * at[2] + at[1]) / (STEP / 2);
    slopes[0] = gradient_along(v, &size);
    slopes[1] = near + (near - far) / 3;
    /* Where gradients are large remainders wrap within a step. Of a smooth function both bends are
     * next to nothing, at a corner they are not. */
    const double doubt = fabs(near - far) + fabs(2 * bend_near - bend_far) + size_of_value * 0x1p-46 / STEP;
    const double allowed = 8 * doubt + 1e-6 * (size + fabs(slopes[1]));
    *known = isfinite(allowed) && isfinite(slopes[0]) && fmax(size, fabs(slopes[1])) > 1e-5 && size * STEP < 0.5 &&
             allowed < 0.02 * fmax(size, fabs(slopes[1]));
    return !*known || fabs(slopes[0] - slopes[1]) <= allowed;
}

/* Makes the gradient of a value by all parameters of f64; false where there is none. */
static bool differentiate(derivative *v, dice *d)
{
    pod_graph *g = v->graph;
    pod_error error;
    v->count = 0;
    for (uint32_t i = 0; i < g->parameter_count && v->count < MOST_SOURCES; i++)
        if (pod_node_dtype(g->parameters[i], 0) == POD_F64)
            v->sources[v->count++] = g->parameters[i];
    v->weights = random_array(pod_node_shape(v->target, 0), d);
    pod_node *seed = pod_graph_constant(g, POD_F64, &v->weights.shape, v->weights.data);
    if (v->count == 0 || pod_graph_gradient(g, v->target, seed, v->sources, v->count, v->gradients, &error) != POD_OK) {
        pod_graph_clear_error(g);
        array_free(&v->weights);
        return false;
    }
    for (size_t i = 0; i < v->count; i++)
        v->directions[i] = random_array(pod_node_shape(v->sources[i], 0), d);
    return true;
}

const char *gradients_check(pod_context *context, uint64_t number, long *known)
{
    static char report[200];
    program p;
    dice d = {number};
    bool wrong = false, sure;
    program_make(&p, context, number, PROGRAM_SMOOTH);
    derivative v = {.graph = p.graph, .arguments = p.arguments};
    for (uint32_t i = 0; i < p.graph->parameter_count; i++)
        v.moved[i] = evaluate_copy(&p.arguments[i]);
    for (uint32_t i = 0; i < p.graph->output_count && !v.target; i++)
        v.target = pod_node_dtype(p.graph->outputs[i], 0) == POD_F64 ? p.graph->outputs[i] : NULL;
    for (int order = 1; order <= 2 && v.target && !wrong && differentiate(&v, &d); order++) {
        double slopes[2];
        wrong = !agrees(&v, slopes, &sure);
        known[order - 1] += sure;
        if (wrong)
            snprintf(report, sizeof report, "the gradient of order %d along a line is %.12g, the slope %.12g", order,
                     slopes[0], slopes[1]);
        array_free(&v.weights);
        evaluate_free(v.directions, v.count);
        v.target = NULL;
        for (size_t i = 0; i < v.count && !v.target; i++)
            v.target = v.gradients[i];
    }
    evaluate_free(v.moved, p.graph->parameter_count);
    if (wrong && getenv("SHOW_CORE"))
        program_write(&p, stdout);
    program_free(&p);
    return wrong ? report : NULL;
}
