/*
 * shards - programs on replicas of which the last have fewer rows than the others, or none.
 *
 * A program is mapped over as many elements as a replica has rows at most, and replicated; and it is mapped over all
 * rows on one core, which tells what is expected. Sums, extremes and counts over all rows are added to both.
 */

#include "programs.h"

#include <string.h>

#include "evaluate.h"
#include "moonpod/replicate.h"

typedef struct shards {
    int64_t replicas, rows, each; /* each replica has this many rows at most */
    bool mapped[MOST_PARAMETERS];
    pod_placement parameters[MOST_PARAMETERS], outputs[MOST_OUTPUTS];
    pod_output_rows output_rows[MOST_OUTPUTS];
    uint32_t folds; /* outputs from here on are folds of all rows of another output */
    uint32_t folded[MOST_OUTPUTS];
} shards;

static bool choose(const program *p, dice *d, shards *s)
{
    const pod_graph *g = p->graph;
    bool any = false;
    double elements = 0;
    *s = (shards){.replicas = 2 + below(d, 7)};
    s->rows = 1 + below(d, 3 * s->replicas);
    s->each = (s->rows + s->replicas - 1) / s->replicas;
    for (uint32_t i = 0; i < g->parameter_count; i++) {
        s->mapped[i] = chance(d, 70);
        s->parameters[i] = s->mapped[i] ? POD_SPLIT : POD_MIRRORED;
        any = any || s->mapped[i];
    }
    for (uint32_t i = 0; i < g->output_count; i++) {
        s->outputs[i] = POD_PER_REPLICA;
        if (g->aliases[i] >= 0)
            return false;
    }
    for (uint32_t i = 0; i < g->node_count; i++) {
        elements += (double)pod_shape_elements(pod_node_shape(g->nodes[i], 0)) * (double)s->rows;
        if (pod_node_shape(g->nodes[i], 0)->rank + 2 > POD_MAX_RANK)
            return false;
    }
    return any && elements < 200000 && 2 * g->output_count <= MOST_OUTPUTS;
}

static pod_status replicate(const pod_graph *core, shards *s, pod_graph **made, pod_error *error)
{
    const pod_replicate_options options = {s->replicas, s->parameters, s->outputs, s->rows};
    return pod_graph_replicate_on_rank(core, &options, &(pod_rank_share){.count = 1}, s->output_rows, made, error);
}

/* Finds what is an element's own: of what is not there is one a replica, and not one a row. */
static void find_own(const pod_graph *g, const bool *mapped, bool *own)
{
    for (uint32_t i = 0; i < g->node_count; i++) {
        const pod_node *node = g->nodes[i];
        own[i] = node->op == POD_OP_PARAMETER && mapped[node->attributes->axis] &&
                 pod_shape_elements(pod_node_shape(node, 0)) > 0;
        for (uint32_t j = 0; j < node->input_count && node->op != POD_OP_DIMENSION_SIZE; j++)
            own[i] = own[i] || own[node->inputs[j]->id];
    }
}

/* A sum of floats through some ops that sums over replicas pass: each rounds the sum of all rows, as on one core. */
static pod_node *passed(pod_graph *g, pod_node *x, dice d)
{
    static const pod_dtype types[] = {POD_F32, POD_BF16, POD_F16, POD_F64};
    static const double numbers[] = {3, 0.75, 1 / 3., -5};
    for (int64_t steps = below(&d, 5); steps > 0; steps--) {
        const int64_t way = below(&d, 7), draw = below(&d, 4);
        pod_node *number = pod_graph_number_like(g, x, numbers[draw]);
        const pod_shape *shape = pod_node_shape(x, 0);
        x = way == 0                      ? pod_graph_multiply(g, x, number)
            : way == 1                    ? pod_graph_divide(g, x, number)
            : way == 2                    ? pod_graph_subtract(g, x, pod_graph_multiply(g, x, number))
            : way == 3 && shape->rank > 0 ? pod_graph_reduce(g, "reduce_sum", x, &(pod_axes){1, {0}}, false)
                                          : pod_graph_convert(g, x, types[draw]);
    }
    return x;
}

/* Adds folds over all rows: on replicas those of their own rows and a collective. */
static void add_folds(const program *p, pod_graph *core, pod_graph *whole, dice *d, shards *s)
{
    static const struct {
        const char *name;
        pod_reduction reduction;
    } folds[] = {{"reduce_sum", POD_REDUCE_SUM}, {"reduce_max", POD_REDUCE_MAX}, {"reduce_min", POD_REDUCE_MIN}};
    const pod_axes rows = {1, {0}};
    bool own[MOST_NODES];
    find_own(p->graph, s->mapped, own);
    s->folds = core->output_count;
    for (uint32_t i = 0; i < s->folds; i++) {
        const bool numbers = pod_node_dtype(core->outputs[i], 0) != POD_BOOL;
        if (s->output_rows[i].entries[0] != 1 || !own[p->graph->outputs[i]->id] || !numbers || !chance(d, 50))
            continue;
        const bool is_float = pod_dtype_is_float(pod_node_dtype(core->outputs[i], 0));
        const int64_t way = is_float && chance(d, 60) ? 0 : below(d, 3);
        const bool passes = way == 0 && is_float;
        pod_node *part = pod_graph_reduce(core, folds[way].name, core->outputs[i], &rows, false);
        pod_node *all = pod_graph_reduce(whole, folds[way].name, whole->outputs[i], &rows, false);
        part = passes ? passed(core, part, *d) : part;
        all = passes ? passed(whole, all, *d) : all;
        const pod_attributes a = {.reduction = folds[way].reduction};
        s->outputs[core->output_count] = POD_PER_REPLICA;
        s->folded[core->output_count] = i;
        pod_graph_add_output(core, pod_graph_apply(core, POD_OP_ALL_REDUCE, &part, 1, &a, NULL, 0));
        pod_graph_add_output(whole, all);
    }
}

/* An argument for all rows, of elements of the program's. */
static pod_array rows_of(const pod_array *from, const pod_shape *shape, dice *d)
{
    pod_array made = array_new(from->dtype, shape);
    const int64_t count = pod_shape_elements(&from->shape);
    for (int64_t i = 0, end = pod_shape_elements(shape); i < end; i++)
        array_set(&made, i, array_get(from, i < count ? i : below(d, count)));
    return made;
}

/* What all replicas gave of an output, as one core gives it. */
static pod_array cut(const pod_array *from, const pod_node *output, const shards *s, uint32_t index)
{
    pod_array made = array_new(from->dtype, pod_node_shape(output, 0));
    const size_t bytes = (size_t)pod_shape_elements(&made.shape) * pod_dtype_size(made.dtype);
    const size_t row = index < s->folds && s->rows ? bytes / (size_t)s->rows : bytes;
    for (int64_t i = 0; i < s->rows && index < s->folds; i++) /* shards are full but for the last ones */
        memcpy((char *)made.data + (size_t)i * row, (char *)from->data + (size_t)i * row, row);
    if (index >= s->folds)
        memcpy(made.data, from->data, bytes);
    return made;
}

/* Whether all rows are equal: then compilers may find that a value is no element's own, after all. */
static bool is_repeated(const pod_array *x, int64_t rows)
{
    const size_t row = (size_t)pod_shape_elements(&x->shape) * pod_dtype_size(x->dtype) / (size_t)rows;
    for (int64_t i = 1; i < rows; i++)
        if (memcmp(x->data, (const char *)x->data + (size_t)i * row, row) != 0)
            return false;
    return true;
}

static const char *compare(pod_context *context, const program *whole, const program *replicated, const shards *s)
{
    outcome got = {0}, expected, own;
    const char *wrong = program_run_once(context, replicated, &got);
    if (!wrong) {
        own = (outcome){.status = got.status,
                        .output_count = whole->graph->output_count,
                        .parameter_count = whole->graph->parameter_count};
        snprintf(own.message, sizeof own.message, "%s", got.message);
        for (uint32_t i = 0; i < own.parameter_count; i++)
            own.arguments[i] = evaluate_copy(&whole->arguments[i]);
        for (uint32_t i = 0; i < own.output_count && got.status == POD_OK; i++)
            own.outputs[i] = cut(&got.outputs[i], whole->graph->outputs[i], s, i);
        oracle_run(whole, NULL, 0, &expected);
        for (uint32_t i = s->folds; i < own.output_count && expected.status == POD_OK && got.status == POD_OK; i++)
            if (is_repeated(&expected.outputs[s->folded[i]], s->rows)) {
                array_free(&own.outputs[i]);
                own.outputs[i] = evaluate_copy(&expected.outputs[i]);
            }
        if (expected.status == POD_OK) /* else the other rows of some argument are refused */
            wrong = oracle_compare(whole, &expected, &own);
        outcome_free(&own);
        outcome_free(&expected);
    }
    outcome_free(&got);
    return wrong;
}

/* Replicates a mapped program once more with folds, and runs it. */
static const char *run(pod_context *context, const program *p, pod_graph *core, program *whole, dice *d, shards *s,
                       long *runs)
{
    static char message[POD_ERROR_MESSAGE_SIZE];
    pod_error error;
    program replicated = {.seed = p->seed, .steps = 1};
    add_folds(p, core, whole->graph, d, s);
    const pod_status status = replicate(core, s, &replicated.graph, &error);
    if (status != POD_OK) {
        snprintf(message, sizeof message, "%s", error.message);
        return status == POD_ERROR_UNSUPPORTED ? NULL : message;
    }
    for (uint32_t i = 0; i < p->graph->parameter_count; i++) {
        const pod_shape *shape = pod_node_shape(whole->graph->parameters[i], 0);
        whole->arguments[i] = rows_of(&p->arguments[i], shape, d);
        replicated.arguments[i] = array_new(p->arguments[i].dtype, pod_node_shape(replicated.graph->parameters[i], 0));
        memcpy(replicated.arguments[i].data, whole->arguments[i].data,
               (size_t)pod_shape_elements(shape) * pod_dtype_size(p->arguments[i].dtype));
    }
    ++*runs;
    const char *wrong = compare(context, whole, &replicated, s);
    program_free(&replicated);
    return wrong;
}

const char *shards_check(pod_context *context, const program *p, long *runs)
{
    static char report[4 * POD_ERROR_MESSAGE_SIZE];
    dice d = {p->seed ^ 0x7777};
    shards s;
    pod_error error;
    pod_graph *core, *first;
    program whole = {.seed = p->seed, .steps = 1};
    if (!stands_alone(p->graph) || !choose(p, &d, &s))
        return NULL;
    pod_status status = pod_graph_map(p->graph, s.each, s.mapped, &core, &error);
    if (status != POD_OK)
        return NULL; /* replicas_check() tells whether that may be */
    status = pod_graph_map(p->graph, s.rows, s.mapped, &whole.graph, &error);
    const char *wrong = status == POD_OK ? NULL : error.message;
    if (!wrong && replicate(core, &s, &first, &error) == POD_OK) {
        pod_graph_free(first);
        wrong = run(context, p, core, &whole, &d, &s, runs);
    }
    if (wrong)
        snprintf(report, sizeof report, "%lld rows on %lld replicas: %s", (long long)s.rows, (long long)s.replicas,
                 wrong);
    if (status == POD_OK)
        program_free(&whole);
    pod_graph_free(core);
    return wrong ? report : NULL;
}
