/*
 * padding - programs of rows, run by the program for more of them.
 *
 * A program is mapped over a few elements and over more, and here and there a step is put in that mixes elements. Where
 * pod_graph_check_row_padding() says so, the program for more, on rows that are filled up with copies, gives first what
 * the one for a few gives.
 */

#include "programs.h"

#include <stdlib.h>
#include <string.h>

#include "evaluate.h"
#include "moonpod/replicate.h"

typedef struct padding {
    int64_t few, many;
    bool mapped[MOST_PARAMETERS];
    int32_t axes[MOST_OUTPUTS];
} padding;

static bool choose(const program *p, dice *d, padding *s)
{
    const pod_graph *g = p->graph;
    bool any = false;
    double elements = 0;
    *s = (padding){.few = 1 + below(d, 9)};
    s->many = s->few + 1 + below(d, 8);
    for (uint32_t i = 0; i < g->parameter_count; i++) {
        s->mapped[i] = chance(d, 70);
        any = any || s->mapped[i];
    }
    for (uint32_t i = 0; i < g->output_count; i++)
        if (g->aliases[i] >= 0)
            return false;
    for (uint32_t i = 0; i < g->node_count; i++)
        elements += (double)pod_shape_elements(pod_node_shape(g->nodes[i], 0)) * (double)s->many;
    return any && elements < 200000;
}

/* x with its rows in another order, or times their number; x itself where it has no rows. */
static pod_node *mixed(pod_graph *g, pod_node *x, int64_t rows, int64_t way)
{
    const pod_shape *shape = pod_node_shape(x, 0);
    if (shape->rank == 0 || shape->dims[0] != rows)
        return x;
    if (way == 0)
        return pod_graph_apply(g, POD_OP_REVERSE, &x, 1, &(pod_attributes){.axes = {1, {0}}}, NULL, 0);
    if (way == 1)
        return pod_graph_apply(g, POD_OP_SORT, &x, 1, &(pod_attributes){0}, NULL, 0);
    if (way == 2 && pod_node_dtype(x, 0) == POD_F32)
        return pod_graph_multiply(g, x, pod_graph_number_like(g, x, (double)rows));
    return x;
}

/* A copy of a mapped graph with steps that mix rows behind some nodes: the same ones in each copy. */
static pod_graph *with_mixing(const pod_graph *g, int64_t rows, int percent, dice d)
{
    pod_graph *made;
    pod_error error;
    pod_node **map = calloc(g->node_count, sizeof *map), *inputs[64];
    if (!map || pod_graph_new(g->context, "mixed", &made, &error) != POD_OK)
        abort();
    for (uint32_t i = 0; i < g->node_count; i++) {
        for (uint32_t j = 0; j < g->nodes[i]->input_count; j++)
            inputs[j] = map[g->nodes[i]->inputs[j]->id];
        map[i] = pod_graph_copy_node(made, g->nodes[i], inputs);
        const bool here = chance(&d, percent);
        const int64_t way = below(&d, 3);
        if (here && g->nodes[i]->result_count == 1 && g->nodes[i]->op != POD_OP_PARAMETER)
            map[i] = mixed(made, map[i], rows, way);
    }
    for (uint32_t i = 0; i < g->output_count; i++)
        pod_graph_add_output(made, map[g->outputs[i]->id]);
    free(map);
    return made;
}

/* Arguments for a few rows, and the same filled up from the first on. */
static void fill_up(const program *p, const padding *s, program *few, program *many, dice *d)
{
    for (uint32_t i = 0; i < p->graph->parameter_count; i++) {
        const pod_array *from = &p->arguments[i];
        const int64_t count = pod_shape_elements(&from->shape);
        few->arguments[i] = array_new(from->dtype, pod_node_shape(few->graph->parameters[i], 0));
        many->arguments[i] = array_new(from->dtype, pod_node_shape(many->graph->parameters[i], 0));
        for (int64_t k = 0, end = pod_shape_elements(&few->arguments[i].shape); k < end; k++)
            array_set(&few->arguments[i], k, array_get(from, k < count ? k : below(d, count)));
        const size_t row = (size_t)count * pod_dtype_size(from->dtype);
        for (int64_t r = 0; r < (s->mapped[i] ? s->many : 1); r++)
            memcpy((char *)many->arguments[i].data + (size_t)r * row,
                   (char *)few->arguments[i].data + (size_t)(r % s->few) * row, row);
    }
}

/* The first entries along an axis. */
static pod_array cut(const pod_array *from, int32_t axis, const pod_shape *shape)
{
    pod_array made = array_new(from->dtype, shape);
    if (axis < 0) {
        memcpy(made.data, from->data, (size_t)pod_shape_elements(shape) * pod_dtype_size(from->dtype));
        return made;
    }
    size_t inner = pod_dtype_size(from->dtype);
    int64_t outer = 1;
    for (int32_t k = axis + 1; k < shape->rank; k++)
        inner *= (size_t)shape->dims[k];
    for (int32_t k = 0; k < axis; k++)
        outer *= shape->dims[k];
    const size_t size = inner * (size_t)shape->dims[axis], step = inner * (size_t)from->shape.dims[axis];
    for (int64_t k = 0; k < outer; k++)
        memcpy((char *)made.data + (size_t)k * size, (const char *)from->data + (size_t)k * step, size);
    return made;
}

static const char *compare(pod_context *context, const program *few, const program *many, const padding *s)
{
    outcome got = {0}, own, expected;
    const char *wrong = program_run_once(context, many, &got);
    if (!wrong) {
        own = (outcome){.status = got.status,
                        .output_count = few->graph->output_count,
                        .parameter_count = few->graph->parameter_count};
        memcpy(own.message, got.message, sizeof own.message);
        for (uint32_t i = 0; i < own.parameter_count; i++)
            own.arguments[i] = evaluate_copy(&few->arguments[i]);
        for (uint32_t i = 0; i < own.output_count && got.status == POD_OK; i++)
            own.outputs[i] = cut(&got.outputs[i], s->axes[i], pod_node_shape(few->graph->outputs[i], 0));
        oracle_run(few, NULL, 0, &expected);
        wrong = oracle_compare(few, &expected, &own);
        outcome_free(&own);
        outcome_free(&expected);
    }
    outcome_free(&got);
    return wrong;
}

const char *padding_check(pod_context *context, const program *p, long *runs)
{
    static char report[4 * POD_ERROR_MESSAGE_SIZE];
    dice d = {p->seed ^ 0x5151};
    padding s;
    pod_error error;
    pod_graph *plain_few = NULL, *plain_many = NULL;
    program few = {.seed = p->seed, .steps = 1}, many = {.seed = p->seed, .steps = 1};
    const char *wrong = NULL;
    if (!stands_alone(p->graph) || !choose(p, &d, &s))
        return NULL;
    if (pod_graph_map(p->graph, s.few, s.mapped, &plain_few, &error) == POD_OK &&
        pod_graph_map(p->graph, s.many, s.mapped, &plain_many, &error) == POD_OK) {
        const int percent = chance(&d, 50) ? 0 : 4;
        few.graph = with_mixing(plain_few, s.few, percent, d);
        many.graph = with_mixing(plain_many, s.many, percent, d);
        const bool built =
            pod_graph_check(few.graph, &error) == POD_OK && pod_graph_check(many.graph, &error) == POD_OK;
        if (built && pod_graph_check_row_padding(few.graph, s.few, many.graph, s.many, s.axes, &error) == POD_OK) {
            fill_up(p, &s, &few, &many, &d);
            ++*runs;
            wrong = compare(context, &few, &many, &s);
        }
        if (wrong)
            snprintf(report, sizeof report, "%lld rows, filled up to %lld: %s", (long long)s.few, (long long)s.many,
                     wrong);
        program_free(&few);
        program_free(&many);
    }
    pod_graph_free(plain_few);
    pod_graph_free(plain_many);
    return wrong ? report : NULL;
}
