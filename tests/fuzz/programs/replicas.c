/*
 * replicas - programs on several replicas: the graph of one core is replicated, and each replica gives what the oracle
 * gives for its own arguments. Parameters of one number of rows are split; the others are the same everywhere.
 */

#include "programs.h"

#include <stdlib.h>
#include <string.h>

#include "evaluate.h"

#define MOST_REPLICAS 8

typedef struct split {
    int64_t replicas, rows; /* rows of a replica */
    pod_placement placements[MOST_PARAMETERS], outputs[MOST_OUTPUTS];
} split;

/* Ops whose results depend on the replica, or that act on the host. */
static bool stands_alone(const pod_graph *g)
{
    for (uint32_t i = 0; i < g->node_count; i++) {
        const pod_op op = g->nodes[i]->op;
        if (op == POD_OP_RANDOM_BITS || op == POD_OP_PRINT || op == POD_OP_CHECK)
            return false;
        for (uint32_t j = 0; j < g->nodes[i]->region_count; j++)
            if (!stands_alone(g->nodes[i]->regions[j]))
                return false;
    }
    return true;
}

/* Chooses rows that some parameter has; false where there is none. */
static bool choose(const program *p, dice *d, split *s)
{
    const pod_graph *g = p->graph;
    *s = (split){.replicas = 2 + below(d, chance(d, 70) ? 2 : MOST_REPLICAS - 1)};
    for (uint32_t i = 0; i < g->output_count; i++)
        s->outputs[i] = POD_PER_REPLICA;
    for (uint32_t i = 0; i < g->parameter_count; i++) {
        const pod_shape *shape = pod_node_shape(g->parameters[i], 0);
        s->placements[i] = POD_MIRRORED;
        if (shape->rank == 0 || shape->dims[0] == 0 || (s->rows && shape->dims[0] != s->rows) || chance(d, 30))
            continue;
        s->rows = shape->dims[0];
        s->placements[i] = POD_SPLIT;
    }
    return s->rows > 0;
}

/* The arguments of a replica: its own of what is split, which are those of the program with elements exchanged. */
static void own_arguments(const program *p, const split *s, dice *d, program *own)
{
    *own = (program){.seed = p->seed, .graph = p->graph, .steps = 1};
    for (uint32_t i = 0; i < p->graph->parameter_count; i++) {
        own->arguments[i] = evaluate_copy(&p->arguments[i]);
        const int64_t count = pod_shape_elements(&own->arguments[i].shape);
        for (int64_t j = 0; s->placements[i] == POD_SPLIT && j < count; j++)
            array_set(&own->arguments[i], j, array_get(&p->arguments[i], below(d, count)));
    }
}

static void free_arguments(program *own)
{
    evaluate_free(own->arguments, own->graph->parameter_count);
}

/* The arguments of all: those that are split one behind the other. */
static void join_arguments(const program *owns, const split *s, program *all)
{
    for (uint32_t i = 0; i < owns[0].graph->parameter_count; i++) {
        const pod_array *one = &owns[0].arguments[i];
        if (s->placements[i] != POD_SPLIT) {
            all->arguments[i] = evaluate_copy(one);
            continue;
        }
        pod_shape shape = one->shape;
        const size_t bytes = (size_t)pod_shape_elements(&shape) * pod_dtype_size(one->dtype);
        shape.dims[0] *= s->replicas;
        all->arguments[i] = array_new(one->dtype, &shape);
        for (int64_t j = 0; j < s->replicas; j++)
            memcpy((char *)all->arguments[i].data + (size_t)j * bytes, owns[j].arguments[i].data, bytes);
    }
}

/* What a replica gave; its arguments are as they were. */
static void part_of(const outcome *all, const program *own, int64_t replica, outcome *part)
{
    *part = (outcome){.status = all->status, .output_count = all->output_count,
                      .parameter_count = own->graph->parameter_count};
    snprintf(part->message, sizeof part->message, "%s", all->message);
    for (uint32_t i = 0; i < part->parameter_count; i++)
        part->arguments[i] = evaluate_copy(&own->arguments[i]);
    for (uint32_t i = 0; i < all->output_count && all->status == POD_OK; i++) {
        part->outputs[i] = array_new(all->outputs[i].dtype, pod_node_shape(own->graph->outputs[i], 0));
        const size_t bytes = (size_t)pod_shape_elements(&part->outputs[i].shape) * pod_dtype_size(all->outputs[i].dtype);
        memcpy(part->outputs[i].data, (char *)all->outputs[i].data + (size_t)replica * bytes, bytes);
    }
}

const char *replicas_check(pod_context *context, const program *p)
{
    static char report[4 * POD_ERROR_MESSAGE_SIZE];
    const pod_graph *g = p->graph;
    dice d = {p->seed ^ 0x5555};
    split s;
    for (uint32_t i = 0; i < g->output_count; i++)
        if (g->aliases[i] >= 0)
            return NULL;
    if (p->steps != 1 || !stands_alone(g) || !choose(p, &d, &s))
        return NULL;
    pod_error error;
    program owns[MOST_REPLICAS], all = {.seed = p->seed, .steps = 1};
    const pod_replicate_options options = {s.replicas, s.placements, s.outputs, s.replicas * s.rows};
    const pod_status status = pod_graph_replicate(g, &options, &all.graph, &error);
    if (status == POD_ERROR_UNSUPPORTED) /* it says that it cannot */
        return NULL;
    const char *wrong = status == POD_OK ? NULL : error.message;
    for (int64_t i = 0; i < s.replicas; i++)
        own_arguments(p, &s, &d, &owns[i]);
    outcome got = {0};
    if (!wrong) {
        join_arguments(owns, &s, &all);
        wrong = program_run_once(context, &all, &got);
    }
    for (int64_t i = 0; i < s.replicas && !wrong; i++) {
        outcome expected, part;
        oracle_run(&owns[i], NULL, 0, &expected);
        part_of(&got, &owns[i], i, &part);
        wrong = oracle_compare(&owns[i], &expected, &part);
        outcome_free(&part);
        outcome_free(&expected);
    }
    if (wrong) {
        char kept[3 * POD_ERROR_MESSAGE_SIZE];
        snprintf(kept, sizeof kept, "%s", wrong);
        snprintf(report, sizeof report, "%lld replicas: %s", (long long)s.replicas, kept);
    }
    outcome_free(&got);
    for (int64_t i = 0; i < s.replicas; i++)
        free_arguments(&owns[i]);
    if (all.graph)
        program_free(&all);
    return wrong ? report : NULL;
}
