/*
 * The graph of a step that computes values of its forward pass a second time, as if its layers had been put into groups
 * with jax.checkpoint around each.
 *
 * Values are kept from the forward pass for the backward pass; most of them are there at one moment, the turn. What was
 * computed until then falls into groups at places that few bytes cross. What crosses is kept. Everything else that is
 * read behind the turn is computed again from it where the first of it is read. A barrier before that waits for what
 * the backward pass has come to. The last group is not computed again: its values are read first.
 */

#include "moonpod/replicate.h"

#include "base/arena.h"
#include "base/error.h"
#include "graph/build.h"

#include <string.h>

#define NONE UINT32_MAX

typedef struct pod_remat {
    const pod_graph *graph;
    pod_arena arena;
    uint32_t turn;          /* the last node of the forward pass */
    uint32_t *last;         /* of nodes: the last one that reads it; NONE: none, node_count: it is an output */
    uint32_t *last_before;  /* the last one up to the turn */
    uint32_t *first_behind; /* the first one behind the turn */
    uint32_t *group;        /* of nodes up to the turn */
    bool *again;            /* of nodes: what is read of it behind the turn is computed again */
    uint32_t *ends;         /* of groups: their last node */
    uint32_t groups;
    bool *needed;             /* of nodes of a group: they are computed again now */
    pod_node **copies;        /* of nodes: what was computed again */
    pod_node **held;          /* of nodes that the group reads: the barrier; NULL: none */
    const pod_type **weights; /* the types of parameters that outputs are the new values of, each once */
    uint32_t weight_types;
    pod_node **mapped; /* of nodes: what they have become */
    bool *made;        /* of groups */
    int64_t barriers;  /* the largest number of one */
} pod_remat;

/* ---- what is kept until when ------------------------------------------------------------------------------------- */

/* Bytes of a value that would be stored. What is one element over and over, or another value in other clothes, is not;
 * nor is what comes from outside. */
static double bytes_of(const pod_node *node)
{
    if (node->op == POD_OP_PARAMETER || node->op == POD_OP_CONSTANT || node->op == POD_OP_IOTA ||
        node->op == POD_OP_BROADCAST || node->op == POD_OP_RESHAPE || node->result_count != 1)
        return 0;
    return (double)pod_shape_elements(&node->results[0].shape) * (double)pod_dtype_size(node->results[0].dtype);
}

/* Returns whether a value has the type of a parameter that an output is the new value of: a gradient of weights, of
 * which the number that is there grows to the end. */
static bool is_like_a_weight(const pod_remat *to, const pod_type *type)
{
    for (uint32_t i = 0; i < to->weight_types; i++)
        if (to->weights[i]->dtype == type->dtype && pod_shape_equal(&to->weights[i]->shape, &type->shape))
            return true;
    return false;
}

static void note_weights(pod_remat *to)
{
    const pod_graph *graph = to->graph;
    for (uint32_t i = 0; i < graph->output_count; i++) {
        const pod_type *type = graph->aliases[i] >= 0 ? &graph->parameters[graph->aliases[i]]->results[0] : NULL;
        if (type && !is_like_a_weight(to, type))
            to->weights[to->weight_types++] = type;
    }
}

static void note_readers(pod_remat *to)
{
    const pod_graph *graph = to->graph;
    for (uint32_t i = 0; i < graph->node_count; i++)
        to->last[i] = to->last_before[i] = to->first_behind[i] = NONE;
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t k = 0; k < graph->nodes[i]->input_count; k++)
            to->last[graph->nodes[i]->inputs[k]->id] = i;
    for (uint32_t i = 0; i < graph->output_count; i++)
        to->last[graph->outputs[i]->id] = graph->node_count;
}

/* Finds the moment at which the most bytes are there. */
static bool find_turn(pod_remat *to)
{
    const pod_graph *graph = to->graph;
    double *freed = pod_arena_array(&to->arena, (size_t)graph->node_count + 1, sizeof *freed);
    double now = 0, most = 0;
    if (!freed)
        return false;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const pod_node *node = graph->nodes[i];
        const double bytes = to->last[i] == NONE || is_like_a_weight(to, &node->results[0]) ? 0 : bytes_of(node);
        now += bytes;
        if (to->last[i] != NONE)
            freed[to->last[i]] += bytes;
        if (now > most) {
            most = now;
            to->turn = i;
        }
        now -= freed[i];
    }
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t k = 0; k < graph->nodes[i]->input_count; k++) {
            const uint32_t input = graph->nodes[i]->inputs[k]->id;
            if (i <= to->turn)
                to->last_before[input] = i;
            else if (to->first_behind[input] == NONE)
                to->first_behind[input] = i;
        }
    return true;
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

/* Cuts the forward pass into groups that keep as much each, at places that few bytes cross. */
static bool cut(pod_remat *to, uint32_t groups)
{
    const uint32_t count = to->turn + 1;
    double *crossing = pod_arena_array(&to->arena, (size_t)count + 1, sizeof *crossing);
    double *kept = pod_arena_array(&to->arena, count, sizeof *kept);
    double all = 0, now = 0;
    if (!crossing || !kept)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const double bytes = bytes_of(to->graph->nodes[i]);
        if (to->last_before[i] != NONE) {
            now += bytes;
            crossing[to->last_before[i]] -= bytes;
        }
        now += crossing[i]; /* what is read here for the last time before the turn */
        all += to->first_behind[i] != NONE ? bytes : 0;
        crossing[i] = now;
        kept[i] = all;
    }
    uint32_t from = 0;
    for (uint32_t j = 1; j < groups; j++) {
        const double wanted = all * j / groups, width = all / (2.0 * groups);
        uint32_t best = NONE;
        for (; from < count && kept[from] < wanted - width; from++)
            ;
        for (uint32_t i = from; i + 1 < count && kept[i] < wanted + width; i++)
            if (best == NONE || crossing[i] < crossing[best])
                best = i;
        if (best != NONE && (to->groups == 0 || best > to->ends[to->groups - 1]))
            to->ends[to->groups++] = best;
    }
    to->ends[to->groups++] = to->turn;
    return true;
}

/* Says of each node of which group it is, and what of it is computed again. */
static void divide_among_groups(pod_remat *to)
{
    const pod_graph *graph = to->graph;
    uint32_t group = 0;
    for (uint32_t i = 0; i <= to->turn; i++) {
        const pod_node *node = graph->nodes[i];
        while (i > to->ends[group])
            group++;
        to->group[i] = group;
        const bool is_read = to->first_behind[i] != NONE && to->last[i] != graph->node_count;
        const bool crosses = to->last_before[i] != NONE && to->last_before[i] > to->ends[group];
        to->again[i] = is_read && !crosses && group + 1 < to->groups && node->op != POD_OP_PARAMETER &&
                       node->op != POD_OP_CONSTANT && node->op != POD_OP_OPAQUE && node->result_count == 1;
    }
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

/* Marks what has to be computed for what a group computes again. */
static void mark_needed(pod_remat *to, uint32_t group)
{
    const uint32_t first = group > 0 ? to->ends[group - 1] + 1 : 0;
    for (uint32_t i = to->ends[group] + 1; i-- > first;) {
        const pod_node *node = to->graph->nodes[i];
        to->needed[i] = to->needed[i] || to->again[i];
        if (to->needed[i])
            for (uint32_t k = 0; k < node->input_count; k++) {
                const pod_node *input = node->inputs[k];
                if (input->id >= first && input->op != POD_OP_PARAMETER && input->op != POD_OP_CONSTANT &&
                    input->op != POD_OP_OPAQUE)
                    to->needed[input->id] = true;
            }
    }
}

static pod_node *hold_back(pod_remat *to, pod_graph *made, pod_node *value)
{
    const pod_attributes attributes = {.count = to->barriers};
    return pod_graph_apply(made, POD_OP_BARRIER, &value, 1, &attributes, NULL, 0);
}

/* What a node behind the turn reads that was computed behind it, too, and last; NULL for none. */
static const pod_node *last_behind(const pod_remat *to, const pod_node *node)
{
    const pod_node *last = NULL;
    for (uint32_t k = 0; k < node->input_count; k++)
        if (node->inputs[k]->id > to->turn && node->inputs[k]->result_count == 1 &&
            node->inputs[k]->op != POD_OP_CONSTANT && node->inputs[k]->op != POD_OP_PARAMETER &&
            (!last || node->inputs[k]->id > last->id))
            last = node->inputs[k];
    return last;
}

/* What the backward pass has come to where it reads a group for the first time. */
static const pod_node *arrival(const pod_remat *to, uint32_t group, const pod_node *reader)
{
    const pod_node *found = last_behind(to, reader);
    for (uint32_t i = reader->id + 1; !found && i < to->graph->node_count; i++) {
        const pod_node *other = to->graph->nodes[i];
        bool reads = false;
        for (uint32_t k = 0; k < other->input_count; k++)
            reads = reads || (other->inputs[k]->id <= to->turn && to->again[other->inputs[k]->id] &&
                              to->group[other->inputs[k]->id] == group);
        found = reads ? last_behind(to, other) : NULL;
        if (found && found->id >= reader->id)
            found = NULL;
    }
    for (uint32_t i = reader->id; !found && i-- > to->turn + 1;)
        if (bytes_of(to->graph->nodes[i]) > 0)
            found = to->graph->nodes[i];
    return found;
}

/* Returns whether the copies of a group from node `first` on read a value that was there before them. */
static bool is_from_outside(const pod_remat *to, const pod_node *value, uint32_t first)
{
    return value->id < first || !to->needed[value->id];
}

/* Holds back what the copies of a group read from outside until the backward pass is there. */
static void hold_operands(pod_remat *to, pod_graph *made, uint32_t group, const pod_node *reader)
{
    const uint32_t first = group > 0 ? to->ends[group - 1] + 1 : 0;
    const pod_node *last = arrival(to, group, reader);
    to->barriers++;
    memset(to->held, 0, ((size_t)to->turn + 1) * sizeof *to->held);
    for (uint32_t i = first; i <= to->ends[group]; i++) {
        const pod_node *node = to->graph->nodes[i];
        for (uint32_t k = 0; to->needed[i] && k < node->input_count; k++) {
            const pod_node *input = node->inputs[k];
            if (is_from_outside(to, input, first) && !to->held[input->id] && input->op != POD_OP_CONSTANT &&
                input->result_count == 1)
                to->held[input->id] = hold_back(to, made, to->mapped[input->id]);
        }
    }
    if (last)
        to->mapped[last->id] = hold_back(to, made, to->mapped[last->id]);
}

/* Computes a group again. */
static void copy_group(pod_remat *to, pod_graph *made, uint32_t group, const pod_node *reader, pod_node **inputs)
{
    const uint32_t first = group > 0 ? to->ends[group - 1] + 1 : 0;
    to->made[group] = true;
    mark_needed(to, group);
    hold_operands(to, made, group, reader);
    for (uint32_t i = first; i <= to->ends[group]; i++) {
        const pod_node *node = to->graph->nodes[i];
        if (!to->needed[i])
            continue;
        for (uint32_t k = 0; k < node->input_count; k++) {
            const uint32_t input = node->inputs[k]->id;
            inputs[k] = !is_from_outside(to, node->inputs[k], first) ? to->copies[input]
                        : to->held[input]                            ? to->held[input]
                                                                     : to->mapped[input];
        }
        to->copies[i] = pod_graph_copy_node(made, node, inputs);
    }
}

static void copy_node(pod_remat *to, pod_graph *made, const pod_node *node, pod_node **inputs)
{
    for (uint32_t k = 0; node->id > to->turn && k < node->input_count; k++) {
        const uint32_t input = node->inputs[k]->id;
        if (input <= to->turn && to->again[input] && !to->made[to->group[input]])
            copy_group(to, made, to->group[input], node, inputs);
    }
    for (uint32_t k = 0; k < node->input_count; k++) {
        const uint32_t input = node->inputs[k]->id;
        const bool again = node->id > to->turn && input <= to->turn && to->again[input];
        inputs[k] = again ? to->copies[input] : to->mapped[input];
    }
    to->mapped[node->id] = pod_graph_copy_node(made, node, inputs);
}

/* ---- the function ------------------------------------------------------------------------------------------------ */

static bool begin(pod_remat *to, uint32_t groups)
{
    const size_t count = to->graph->node_count;
    to->last = pod_arena_array(&to->arena, count, sizeof *to->last);
    to->last_before = pod_arena_array(&to->arena, count, sizeof *to->last_before);
    to->first_behind = pod_arena_array(&to->arena, count, sizeof *to->first_behind);
    to->group = pod_arena_array(&to->arena, count, sizeof *to->group);
    to->again = pod_arena_array(&to->arena, count, sizeof *to->again);
    to->needed = pod_arena_array(&to->arena, count, sizeof *to->needed);
    to->copies = pod_arena_array(&to->arena, count, sizeof(pod_node *));
    to->held = pod_arena_array(&to->arena, count, sizeof(pod_node *));
    to->mapped = pod_arena_array(&to->arena, count, sizeof(pod_node *));
    to->weights = pod_arena_array(&to->arena, (size_t)to->graph->output_count + 1, sizeof(const pod_type *));
    to->ends = pod_arena_array(&to->arena, groups, sizeof *to->ends);
    to->made = pod_arena_array(&to->arena, groups, sizeof *to->made);
    if (!to->last || !to->last_before || !to->first_behind || !to->group || !to->again || !to->needed || !to->copies ||
        !to->held || !to->mapped || !to->weights || !to->ends || !to->made)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (to->graph->nodes[i]->op == POD_OP_BARRIER && to->graph->nodes[i]->attributes->count > to->barriers)
            to->barriers = to->graph->nodes[i]->attributes->count;
    note_weights(to);
    note_readers(to);
    if (!find_turn(to) || !cut(to, groups))
        return false;
    divide_among_groups(to);
    return true;
}

static pod_graph *copy(pod_remat *to, pod_error *error)
{
    const pod_graph *graph = to->graph;
    pod_graph *made = NULL;
    uint32_t most = 0;
    for (uint32_t i = 0; i < graph->node_count; i++)
        most = graph->nodes[i]->input_count > most ? graph->nodes[i]->input_count : most;
    pod_node **inputs = pod_arena_array(&to->arena, (size_t)most + 1, sizeof(pod_node *));
    if (!inputs) {
        (void)pod_error_set(error, POD_ERROR_MEMORY, "there is no memory for values that are computed again");
        return NULL;
    }
    if (pod_graph_new(graph->context, graph->name, &made, error) != POD_OK)
        return NULL;
    for (uint32_t i = 0; i < graph->node_count; i++)
        copy_node(to, made, graph->nodes[i], inputs);
    for (uint32_t i = 0; i < graph->output_count; i++) {
        pod_graph_add_output(made, to->mapped[graph->outputs[i]->id]);
        if (graph->aliases[i] >= 0)
            pod_graph_set_alias(made, i, (size_t)graph->aliases[i]);
    }
    if (pod_graph_check(made, error) == POD_OK)
        return made;
    pod_graph_free(made);
    return NULL;
}

pod_status pod_graph_rematerialize(const pod_graph *graph, uint32_t groups, pod_graph **result, pod_error *error)
{
    *result = NULL;
    const pod_status status = pod_graph_check(graph, error);
    if (status != POD_OK)
        return status;
    if (groups < 2 || groups > graph->node_count)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the forward pass of %u ops cannot be %u groups of them",
                             graph->node_count, groups);
    pod_error found = {0};
    pod_remat to = {.graph = graph};
    pod_arena_init(&to.arena, graph->context);
    if (begin(&to, groups))
        *result = copy(&to, &found);
    else
        (void)pod_error_set(&found, POD_ERROR_MEMORY, "there is no memory for values that are computed again");
    pod_arena_clear(&to.arena);
    if (*result == NULL && error != NULL)
        *error = found;
    return *result != NULL ? POD_OK : found.status;
}
