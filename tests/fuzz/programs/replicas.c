/*
 * replicas - programs on several replicas, and mapped over several elements.
 *
 * Collectives are put among the ops of a program, and the graph of one core is replicated. What it should give is
 * computed by another graph, made here: all replicas side by side, each op once for each of them, collectives written
 * out. Parameters of one number of rows are split; the others are the same everywhere. A mapped program is one without
 * collectives.
 */

#include "programs.h"

#include <stdlib.h>
#include <string.h>

#include "evaluate.h"
#include "graph/composites.h"

#define MOST_REPLICAS 8

typedef struct split {
    bool maps;              /* over elements, not over replicas */
    int64_t replicas, rows; /* rows of a replica */
    pod_placement placements[MOST_PARAMETERS], outputs[MOST_OUTPUTS];
    bool keeps[MOST_OUTPUTS]; /* the output is the next value of a variable */
    bool any_kept;
} split;

bool stands_alone(const pod_graph *g)
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

static bool is_variable(const pod_graph *g, uint32_t parameter)
{
    for (uint32_t i = 0; i < g->output_count; i++)
        if (g->aliases[i] == (int64_t)parameter)
            return true;
    return false;
}

/* Chooses rows that some parameter has; false where there is none, or the graph of all would be too large. */
static bool choose(const program *p, dice *d, split *s)
{
    const pod_graph *g = p->graph;
    uint32_t parameters = 0;
    *s = (split){.replicas = 2 + below(d, chance(d, 70) ? 2 : MOST_REPLICAS - 1), .maps = chance(d, 30)};
    for (uint32_t i = 0; i < g->output_count; i++)
        s->outputs[i] = POD_PER_REPLICA;
    for (uint32_t i = 0; i < g->parameter_count; i++) {
        const pod_shape *shape = pod_node_shape(g->parameters[i], 0);
        s->placements[i] = POD_MIRRORED;
        parameters++;
        if ((chance(d, 30) && !is_variable(g, i)) || (s->maps && shape->rank == POD_MAX_RANK) || /* no axis more */
            (!s->maps && (shape->rank == 0 || shape->dims[0] == 0 || (s->rows && shape->dims[0] != s->rows))))
            continue;
        s->rows = s->maps ? 1 : shape->dims[0];
        s->placements[i] = POD_SPLIT;
        parameters += (uint32_t)s->replicas - 1;
    }
    for (uint32_t i = 0; i < g->output_count; i++) {
        s->keeps[i] = g->aliases[i] >= 0 && s->placements[g->aliases[i]] == POD_SPLIT;
        s->any_kept = s->any_kept || s->keeps[i];
        if (s->keeps[i])
            s->outputs[i] = POD_SPLIT;
    }
    return s->rows > 0 && parameters <= MOST_PARAMETERS && g->output_count * (uint32_t)s->replicas <= MOST_OUTPUTS;
}

/* ---- the graph of one core ------------------------------------------------------------------------------- */

/* x as a collective and what undoes it give it, so that the rest of the program takes it; x itself where none fits. */
static pod_node *exchanged(pod_graph *g, dice *d, pod_node *x, int64_t replicas)
{
    static const pod_reduction reductions[] = {POD_REDUCE_SUM, POD_REDUCE_MAX, POD_REDUCE_MIN, POD_REDUCE_MEAN};
    const pod_dtype dtype = pod_node_dtype(x, 0);
    const pod_shape *shape = pod_node_shape(x, 0);
    pod_attributes a = {.count = replicas};
    pod_node *made = NULL;
    if (shape->rank == POD_MAX_RANK) /* stacked() adds an axis */
        return x;
    if (shape->rank > 0)
        a.axis = (int32_t)below(d, shape->rank);
    const bool divides = shape->rank > 0 && shape->dims[a.axis] % replicas == 0;
    switch (below(d, 6)) {
    case 0:
        if (divides && dtype != POD_BOOL) {
            made = pod_graph_apply(g, POD_OP_REDUCE_SCATTER, &x, 1, &a, NULL, 0);
            made = pod_graph_apply(g, POD_OP_ALL_GATHER, &made, 1, &a, NULL, 0);
        }
        break;
    case 1:
        if (divides) {
            a.axes = (pod_axes){1, {a.axis}};
            made = pod_graph_apply(g, POD_OP_ALL_TO_ALL, &x, 1, &a, NULL, 0);
        }
        break;
    case 2: {
        const int32_t pairs[] = {0, 1, 1, 0};
        a = (pod_attributes){.count = 2, .data = pairs};
        made = pod_graph_apply(g, POD_OP_COLLECTIVE_PERMUTE, &x, 1, &a, NULL, 0);
        break;
    }
    case 3:
        if (dtype == POD_F32 || dtype == POD_S32) {
            pod_node *id = pod_graph_apply(g, POD_OP_REPLICA_ID, NULL, 0, &(pod_attributes){0}, NULL, 0);
            made = pod_graph_add(g, x, pod_graph_convert(g, id, dtype));
        }
        break;
    default:
        if (dtype != POD_BOOL) {
            a = (pod_attributes){.reduction = reductions[below(d, pod_dtype_is_float(dtype) ? 4 : 3)]};
            made = pod_graph_apply(g, POD_OP_ALL_REDUCE, &x, 1, &a, NULL, 0);
        }
    }
    if (made && pod_node_is_valid(made))
        return made;
    pod_graph_clear_error(g);
    return x;
}

/* Half of a parameter, by random bits: those of a row of all replicas' rows. */
static pod_node *dropped(pod_graph *g, pod_node *x)
{
    static const uint64_t state[2] = {7, 3};
    pod_node *inputs[] = {pod_graph_constant(g, POD_U64, &(pod_shape){1, {2}}, state), x};
    pod_node *bits = pod_graph_apply(g, POD_OP_RANDOM_BITS, inputs, 2,
                                     &(pod_attributes){.seed = 1 + x->id, .dtype = POD_U32}, NULL, 0);
    pod_node *kept = pod_graph_compare(g, POD_COMPARE_LT, bits, pod_graph_scalar(g, POD_U32, 2147483648., NULL));
    return pod_graph_select(g, kept, x, pod_graph_scalar(g, pod_node_dtype(x, 0), 0, NULL));
}

/* Whether calls take a node for labels, which they check and their bodies do not. */
static bool tells_labels(const pod_graph *g, const pod_node *node)
{
    for (uint32_t i = node->id + 1; i < g->node_count; i++) {
        const pod_node *reader = g->nodes[i];
        const char *name = reader->op == POD_OP_CALL ? reader->attributes->name : NULL;
        if (name && strncmp(name, "sparse_softmax", 14) == 0 && reader->inputs[1] == node)
            return true;
    }
    return false;
}

/* The program with some collectives in it. */
static pod_graph *core_of(const program *p, const split *s, dice *d)
{
    const pod_graph *g = p->graph;
    pod_graph *made;
    pod_error error;
    pod_node **map = calloc(g->node_count, sizeof *map), *inputs[64];
    if (!map || pod_graph_new(g->context, "core", &made, &error) != POD_OK)
        abort();
    for (uint32_t i = 0; i < g->node_count; i++) {
        const pod_node *node = g->nodes[i];
        for (uint32_t j = 0; j < node->input_count; j++)
            inputs[j] = map[node->inputs[j]->id];
        map[i] = pod_graph_copy_node(made, node, inputs);
        /* Counters of loops stay as they are: loops tell how often they turn at most. */
        const bool counts = pod_node_shape(node, 0)->rank == 0 && !pod_dtype_is_float(pod_node_dtype(node, 0));
        if (!s->maps && node->result_count == 1 && node->op != POD_OP_PARAMETER && !counts && !tells_labels(g, node) &&
            chance(d, 12))
            map[i] = exchanged(made, d, map[i], s->replicas);
        if (!s->maps && node->op == POD_OP_PARAMETER && pod_node_shape(node, 0)->rank > 0 && chance(d, 15))
            map[i] = dropped(made, map[i]);
    }
    for (uint32_t i = 0; i < g->output_count; i++) {
        pod_graph_add_output(made, map[g->outputs[i]->id]);
        if (s->keeps[i])
            pod_graph_set_alias(made, i, (size_t)g->aliases[i]);
    }
    free(map);
    return made;
}

/* ---- all replicas side by side ------------------------------------------------------------------------------ */

typedef struct side_by_side {
    pod_graph *graph;
    int64_t replicas;
    const split *split;
    pod_node ***nodes; /* of each replica and node of the core */
} side_by_side;

static pod_node *part(pod_graph *g, pod_node *x, int32_t axis, int64_t index, int64_t count)
{
    const pod_shape *shape = pod_node_shape(x, 0);
    pod_attributes a = {0};
    for (int32_t i = 0; i < shape->rank; i++) {
        a.high[i] = shape->dims[i];
        a.step[i] = 1;
    }
    a.low[axis] = index * (shape->dims[axis] / count);
    a.high[axis] = (index + 1) * (shape->dims[axis] / count);
    return pod_graph_apply(g, POD_OP_SLICE, &x, 1, &a, NULL, 0);
}

/* What all replicas have of a value, one behind the other along a new first axis. */
static pod_node *stacked(side_by_side *all, uint32_t id)
{
    pod_node *parts[MOST_REPLICAS];
    const pod_shape *shape = pod_node_shape(all->nodes[0][id], 0);
    pod_shape row = {shape->rank + 1, {1}};
    memcpy(row.dims + 1, shape->dims, (size_t)shape->rank * sizeof *shape->dims);
    for (int64_t i = 0; i < all->replicas; i++)
        parts[i] = pod_graph_reshape(all->graph, all->nodes[i][id], &row);
    return pod_graph_apply(all->graph, POD_OP_CONCATENATE, parts, (size_t)all->replicas, &(pod_attributes){0}, NULL, 0);
}

/* The sum over all replicas of their sums, which is one sum where that is faster: elements of all in any order. */
static pod_node *sum_of_sums(side_by_side *all, const pod_node *sum)
{
    pod_axes axes = {1, {0}};
    for (int32_t i = 0; i < sum->attributes->axes.count; i++)
        axes.axes[axes.count++] = sum->attributes->axes.axes[i] + 1;
    pod_node *stack = stacked(all, sum->inputs[0]->id);
    return pod_graph_apply(all->graph, POD_OP_REDUCE_SUM, &stack, 1,
                           &(pod_attributes){.dtype = sum->results[0].dtype, .axes = axes}, NULL, 0);
}

/* A collective reduces in any order, which a chain of exact additions would not: the bounds are those of folds. A mean
 * is one op, which rounds once. */
static pod_node *reduced(side_by_side *all, const pod_node *node, pod_reduction reduction)
{
    const char *op = reduction == POD_REDUCE_MAX   ? "reduce_max"
                     : reduction == POD_REDUCE_MIN ? "reduce_min"
                                                   : "reduce_sum";
    const bool mean = reduction == POD_REDUCE_MEAN;
    pod_graph *g = all->graph;
    const pod_node *from = node->inputs[0];
    if (reduction == POD_REDUCE_SUM && from->op == POD_OP_REDUCE_SUM && from->results[0].dtype == POD_F32 &&
        pod_node_shape(from->inputs[0], 0)->rank < POD_MAX_RANK)
        return sum_of_sums(all, from);
    pod_node *stack = stacked(all, from->id);
    stack = mean ? pod_graph_widen(g, stack) : stack;
    pod_node *made = pod_graph_reduce(g, op, stack, &(pod_axes){1, {0}}, false);
    if (!mean)
        return made;
    made = pod_graph_divide(g, made, pod_graph_number_like(g, made, (double)all->replicas));
    return pod_graph_convert(g, made, node->results[0].dtype);
}

/* The source of what a replica receives; -1: none. */
static int64_t source_of(const pod_node *node, int64_t replica)
{
    const int32_t *pairs = node->attributes->data;
    for (int64_t i = 0; i < node->attributes->count; i++)
        if (pairs[2 * i + 1] == replica)
            return pairs[2 * i];
    return -1;
}

static pod_node *concatenated(side_by_side *all, uint32_t id, int32_t axis, int64_t piece, int32_t cut)
{
    pod_node *parts[MOST_REPLICAS];
    for (int64_t i = 0; i < all->replicas; i++)
        parts[i] = piece < 0 ? all->nodes[i][id] : part(all->graph, all->nodes[i][id], cut, piece, all->replicas);
    return pod_graph_apply(all->graph, POD_OP_CONCATENATE, parts, (size_t)all->replicas,
                           &(pod_attributes){.axis = axis}, NULL, 0);
}

/* One node of one replica, whose operands are there for all. */
static pod_node *written_out(side_by_side *all, const pod_node *node, int64_t replica)
{
    const pod_attributes *a = node->attributes;
    const uint32_t id = node->input_count ? node->inputs[0]->id : 0;
    pod_graph *g = all->graph;
    switch (node->op) {
    case POD_OP_REPLICA_ID:
        return pod_graph_scalar(g, POD_S32, (double)replica, NULL);
    case POD_OP_ALL_REDUCE:
        return reduced(all, node, a->reduction);
    case POD_OP_REDUCE_SCATTER:
        return part(g, reduced(all, node, POD_REDUCE_SUM), a->axis, replica, all->replicas);
    case POD_OP_ALL_GATHER:
        return concatenated(all, id, a->axis, -1, 0);
    case POD_OP_ALL_TO_ALL:
        return concatenated(all, id, a->axes.axes[0], replica, a->axis);
    case POD_OP_COLLECTIVE_PERMUTE: {
        const int64_t source = source_of(node, replica);
        return source >= 0 ? all->nodes[source][id] : pod_graph_full_like(g, all->nodes[0][id], 0);
    }
    default:
        break;
    }
    pod_node *inputs[64];
    for (uint32_t i = 0; i < node->input_count; i++)
        inputs[i] = all->nodes[replica][node->inputs[i]->id];
    const bool bits = node->op == POD_OP_RANDOM_BITS;
    if (bits && all->split->placements[node->inputs[1]->attributes->axis] == POD_SPLIT) {
        inputs[1] = concatenated(all, node->inputs[1]->id, 0, -1, 0);
        return part(g, pod_graph_copy_node(g, node, inputs), 0, replica, all->replicas);
    }
    return pod_graph_copy_node(g, node, inputs);
}

/* An argument with elements of the program's, in another order for each replica but the first. */
static pod_array own_argument(const pod_array *from, dice *d, int64_t replica)
{
    pod_array made = evaluate_copy(from);
    const int64_t count = pod_shape_elements(&from->shape);
    for (int64_t i = 0; i < count && replica > 0; i++)
        array_set(&made, i, array_get(from, below(d, count)));
    return made;
}

/* Makes the graph of all, with its arguments: for each of the core's, one or as many as there are replicas. */
static void expand(const program *p, const pod_graph *core, const split *s, dice *d, program *made)
{
    pod_error error;
    side_by_side all = {.replicas = s->replicas, .split = s};
    uint32_t firsts[MOST_PARAMETERS];
    *made = (program){.seed = p->seed, .steps = s->any_kept ? p->steps : 1};
    all.nodes = calloc((size_t)s->replicas, sizeof *all.nodes);
    if (!all.nodes || pod_graph_new(core->context, "all", &all.graph, &error) != POD_OK)
        abort();
    for (int64_t i = 0; i < s->replicas; i++)
        all.nodes[i] = calloc(core->node_count, sizeof **all.nodes);
    for (uint32_t i = 0; i < core->node_count; i++) {
        const pod_node *node = core->nodes[i];
        for (int64_t j = 0; j < s->replicas; j++) {
            if (node->op != POD_OP_PARAMETER) {
                all.nodes[j][i] = written_out(&all, node, j);
                continue;
            }
            const int32_t parameter = node->attributes->axis;
            if (j == 0)
                firsts[parameter] = all.graph->parameter_count;
            if (j > 0 && s->placements[parameter] == POD_MIRRORED) {
                all.nodes[j][i] = all.nodes[0][i];
                continue;
            }
            made->arguments[all.graph->parameter_count] = own_argument(&p->arguments[parameter], d, j);
            all.nodes[j][i] = pod_graph_copy_node(all.graph, node, NULL);
        }
    }
    for (uint32_t i = 0; i < core->output_count; i++)
        for (int64_t j = 0; j < s->replicas; j++) {
            pod_graph_add_output(all.graph, all.nodes[j][core->outputs[i]->id]);
            if (s->keeps[i])
                pod_graph_set_alias(all.graph, all.graph->output_count - 1, firsts[core->aliases[i]] + (size_t)j);
        }
    made->kin = calloc(all.graph->node_count, sizeof *made->kin);
    if (!made->kin)
        abort();
    for (int64_t j = 0; j < s->replicas; j++) {
        for (uint32_t i = 0; i < core->node_count; i++)
            made->kin[all.nodes[j][i]->id] = i + 1;
        free(all.nodes[j]);
    }
    free(all.nodes);
    made->graph = all.graph;
}

/* ---- comparing ----------------------------------------------------------------------------------------------- */

/* Bytes of one part among equal ones; an array without elements may have no memory. */
static void copy_bytes(void *to, const void *from, size_t to_offset, size_t from_offset, size_t bytes)
{
    if (bytes > 0)
        memcpy((char *)to + to_offset, (const char *)from + from_offset, bytes);
}

/* The arguments of the replicated graph: those that are split one behind the other. */
static void join_arguments(const program *all, const split *s, program *replicated)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < replicated->graph->parameter_count; i++) {
        const pod_array *one = &all->arguments[at];
        const bool splits = s->placements[i] == POD_SPLIT;
        const size_t bytes = (size_t)pod_shape_elements(&one->shape) * pod_dtype_size(one->dtype);
        replicated->arguments[i] = array_new(one->dtype, pod_node_shape(replicated->graph->parameters[i], 0));
        for (int64_t j = 0; j < (splits ? s->replicas : 1); j++)
            copy_bytes(replicated->arguments[i].data, all->arguments[at++].data, (size_t)j * bytes, 0, bytes);
    }
}

/* What the replicated graph gave, as the graph of all gives it. */
static void cut_outputs(const outcome *got, const program *all, const split *s, outcome *cut)
{
    *cut = (outcome){.status = got->status,
                     .output_count = all->graph->output_count,
                     .parameter_count = all->graph->parameter_count};
    snprintf(cut->message, sizeof cut->message, "%s", got->message);
    uint32_t at = 0;
    for (uint32_t i = 0; i < got->parameter_count; i++)
        for (int64_t j = 0; j < (s->placements[i] == POD_SPLIT ? s->replicas : 1); j++, at++) {
            pod_array *to = &cut->arguments[at];
            *to = evaluate_copy(&all->arguments[at]);
            const size_t bytes = (size_t)pod_shape_elements(&to->shape) * pod_dtype_size(to->dtype);
            copy_bytes(to->data, got->arguments[i].data, 0, (size_t)j * bytes, bytes);
        }
    for (uint32_t i = 0; i < cut->output_count && got->status == POD_OK; i++) {
        const pod_array *from = &got->outputs[i / s->replicas];
        cut->outputs[i] = array_new(from->dtype, pod_node_shape(all->graph->outputs[i], 0));
        const size_t bytes = (size_t)pod_shape_elements(&cut->outputs[i].shape) * pod_dtype_size(from->dtype);
        copy_bytes(cut->outputs[i].data, from->data, 0, (size_t)(i % s->replicas) * bytes, bytes);
    }
}

static const char *compare(pod_context *context, const program *all, const split *s, program *replicated)
{
    outcome got = {0}, cut, expected;
    join_arguments(all, s, replicated);
    const char *wrong = program_run_once(context, replicated, &got);
    if (!wrong) {
        oracle_run(all, NULL, 0, &expected);
        cut_outputs(&got, all, s, &cut);
        if (expected.status == POD_OK) /* else the other arguments of some replica are refused */
            wrong = oracle_compare(all, &expected, &cut);
        outcome_free(&cut);
        outcome_free(&expected);
    }
    outcome_free(&got);
    return wrong;
}

/* Replicates or maps; *refused where it says that it cannot. */
static pod_status replicate(const pod_graph *core, const split *s, pod_graph **made, pod_error *error)
{
    bool mapped[MOST_PARAMETERS];
    for (int i = 0; i < MOST_PARAMETERS; i++)
        mapped[i] = s->placements[i] == POD_SPLIT;
    const pod_replicate_options options = {s->replicas, s->placements, s->outputs, s->replicas * s->rows};
    return s->maps ? pod_graph_map(core, s->replicas, mapped, made, error)
                   : pod_graph_replicate(core, &options, made, error);
}

const char *replicas_check(pod_context *context, const program *p, long *runs)
{
    static char report[4 * POD_ERROR_MESSAGE_SIZE];
    const pod_graph *g = p->graph;
    dice d = {p->seed ^ 0x5555};
    split s;
    if (!stands_alone(g) || !choose(p, &d, &s))
        return NULL;
    pod_error error;
    program all, replicated = {.seed = p->seed, .steps = s.any_kept ? p->steps : 1};
    pod_graph *core = core_of(p, &s, &d);
    if (pod_graph_check(core, &error) != POD_OK)
        abort();
    const pod_status status = replicate(core, &s, &replicated.graph, &error);
    const char *wrong = status == POD_OK || status == POD_ERROR_UNSUPPORTED ? NULL : error.message;
    if (status == POD_OK) {
        ++*runs;
        expand(p, core, &s, &d, &all);
        wrong = compare(context, &all, &s, &replicated);
        program_free(&all);
        program_free(&replicated);
    }
    if (wrong) {
        char kept[3 * POD_ERROR_MESSAGE_SIZE];
        snprintf(kept, sizeof kept, "%s", wrong);
        snprintf(report, sizeof report, "%s %lld: %s", s.maps ? "mapped over" : "replicas", (long long)s.replicas,
                 kept);
    }
    pod_graph_free(core);
    return wrong ? report : NULL;
}
