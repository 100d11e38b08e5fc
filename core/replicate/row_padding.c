/*
 * Whether a function that was traced for some rows may be run by its program for more: two traces are walked side by
 * side. What differs between the sizes of a value tells which of its axes run over rows, so nothing has to be guessed.
 * Claim: row r of each value is the same function of row r of the parameters in both traces, and what has no such axis
 * is the same in both. It holds for the parameters, and each op is asked whether it keeps that, by the rules that say
 * where replicas' rows go (graph/axis_ways.h). So rows that are copies of others fail no check that those pass.
 */

#include "moonpod/replicate.h"

#include "base/error.h"
#include "replicate/replicate_plan.h"

#include <stdio.h>

typedef struct pod_padding_check {
    int64_t few_rows, many_rows;
    pod_arena *arena;
    pod_error *error;
} pod_padding_check;

/* The axis of a value that runs over rows (-1: none), and its entries a row. */
typedef struct pod_row_axis {
    int32_t axis;
    int64_t multiplier;
} pod_row_axis;

/* The nodes of a graph that something is computed from, in their order. */
typedef struct pod_live_nodes {
    uint32_t *place; /* of each node, counted from 1; 0: it is not needed */
    const pod_node **nodes;
    uint32_t count;
} pod_live_nodes;

static bool fail_memory(pod_padding_check *check)
{
    pod_error_set(check->error, POD_ERROR_MEMORY, "there is no memory to compare two traces");
    return false;
}

/* Returns where a node was made, or, as numbers of the source have no place, where it is used first. */
static const char *place_of(const pod_node *node)
{
    const pod_graph *graph = node->graph;
    for (uint32_t i = node->id; node->location == NULL && i < graph->node_count; i++)
        for (uint32_t j = 0; j < graph->nodes[i]->input_count; j++)
            if (graph->nodes[i]->inputs[j] == node && graph->nodes[i]->location != NULL)
                return graph->nodes[i]->location;
    return node->location;
}

/* Says where in the source a node was made, and what it is. */
static bool fail_at(pod_padding_check *check, const pod_node *node, const char *why)
{
    const char *name =
        node->op == POD_OP_CALL && node->attributes->name ? node->attributes->name : pod_op_name(node->op);
    const char *place = place_of(node);
    pod_error_set(check->error, POD_ERROR_UNSUPPORTED, "%.250s%s'%.60s' %s", place ? place : "", place ? ": " : "",
                  name, why);
    return false;
}

static bool fail_differs(pod_padding_check *check, const pod_node *node)
{
    char why[160];
    snprintf(why, sizeof why, "is another for %lld rows than for %lld: it depends on their number",
             (long long)check->few_rows, (long long)check->many_rows);
    return fail_at(check, node, why);
}

/* Finds the axis in which two shapes differ as the numbers of rows do; false where they differ otherwise. */
static bool find_row_axis(const pod_padding_check *check, const pod_shape *few, const pod_shape *many,
                          pod_row_axis *found)
{
    *found = (pod_row_axis){-1, 0};
    if (few->rank != many->rank)
        return false;
    for (int32_t k = 0; k < few->rank; k++) {
        if (few->dims[k] == many->dims[k])
            continue;
        int64_t multiplier = few->dims[k] / check->few_rows;
        if (found->axis >= 0 || few->dims[k] % check->few_rows != 0 || many->dims[k] % check->many_rows != 0 ||
            many->dims[k] / check->many_rows != multiplier)
            return false;
        *found = (pod_row_axis){k, multiplier};
    }
    return true;
}

static bool result_axis(const pod_padding_check *check, const pod_node *few, const pod_node *many, uint32_t result,
                        pod_row_axis *found)
{
    return few->results[result].dtype == many->results[result].dtype &&
           find_row_axis(check, &few->results[result].shape, &many->results[result].shape, found);
}

/* ---- what is needed ---- */

/* Counts the nodes that outputs, checks, prints and parameters are. */
static bool find_live(pod_padding_check *check, const pod_graph *graph, pod_live_nodes *live)
{
    live->place = pod_arena_array(check->arena, graph->node_count + 1, sizeof *live->place);
    live->nodes = pod_arena_array(check->arena, graph->node_count + 1, sizeof *live->nodes);
    if (live->place == NULL || live->nodes == NULL)
        return fail_memory(check);
    for (uint32_t i = 0; i < graph->output_count; i++)
        live->place[graph->outputs[i]->id] = 1;
    for (uint32_t i = graph->node_count; i-- > 0;) {
        const pod_node *node = graph->nodes[i];
        if (node->op == POD_OP_PARAMETER || pod_node_has_effect(node))
            live->place[i] = 1;
        for (uint32_t j = 0; live->place[i] != 0 && j < node->input_count; j++)
            live->place[node->inputs[j]->id] = 1;
    }
    for (uint32_t i = 0; i < graph->node_count; i++) {
        if (live->place[i] == 0)
            continue;
        live->nodes[live->count++] = graph->nodes[i];
        live->place[i] = live->count;
    }
    return true;
}

/* ---- one node ---- */

static bool same_structure(const pod_live_nodes *few, const pod_live_nodes *many, const pod_node *a, const pod_node *b)
{
    if (a->op != b->op || a->input_count != b->input_count || a->result_count != b->result_count ||
        a->region_count != b->region_count)
        return false;
    for (uint32_t j = 0; j < a->input_count; j++)
        if (few->place[a->inputs[j]->id] != many->place[b->inputs[j]->id])
            return false;
    return true;
}

/* Returns whether the attributes say the same: apart from sizes along an axis that runs over rows. */
static bool same_attributes(const pod_padding_check *check, const pod_node *a, const pod_node *b)
{
    pod_row_axis grown;
    pod_attributes attributes = *b->attributes;
    pod_node other = *b;
    other.attributes = &attributes;
    if (!find_row_axis(check, &a->attributes->shape, &attributes.shape, &grown))
        return false;
    attributes.shape = a->attributes->shape;
    if (a->op == POD_OP_SLICE) {
        const pod_shape *few = &pod_node_type(a->inputs[0])->shape, *many = &pod_node_type(b->inputs[0])->shape;
        for (int32_t k = 0; k < few->rank; k++)
            if (a->attributes->high[k] == few->dims[k] && attributes.high[k] == many->dims[k])
                attributes.high[k] = few->dims[k];
    }
    return pod_node_same_attributes(a, &other);
}

/* Returns whether all rows of a value that has no rows of operands are equal. */
static bool makes_rows(const pod_node *node, const pod_row_axis *to)
{
    return node->op == POD_OP_PARAMETER || node->op == POD_OP_CONSTANT || node->op == POD_OP_BROADCAST ||
           (node->op == POD_OP_IOTA && node->attributes->axis != to->axis);
}

/* Says why an op is refused whatever its operands are; NULL: it is not. */
static const char *why_refused(pod_op op)
{
    switch (op) {
    case POD_OP_RANDOM_BITS:
        return "draws random numbers, which are others in each trace";
    case POD_OP_ALL_REDUCE:
    case POD_OP_REDUCE_SCATTER:
    case POD_OP_ALL_GATHER:
    case POD_OP_ALL_TO_ALL:
    case POD_OP_COLLECTIVE_PERMUTE:
    case POD_OP_REPLICA_ID:
        return "goes from replica to replica";
    case POD_OP_OPAQUE:
        return "is an op that is only read";
    default:
        return NULL;
    }
}

/* Returns whether an op leads the rows of an operand to those of its result. */
static bool leads_to(const pod_node *node, uint32_t operand, const pod_row_axis *from, const pod_row_axis *to)
{
    if (node->op == POD_OP_PRINT)
        return false;
    if (node->op == POD_OP_CHECK && operand == 1)
        return true;
    if (node->op == POD_OP_DIMENSION_SIZE)
        return node->attributes->axis != from->axis;
    pod_axis_way way = pod_replicate_plan_follow(node, operand, from->axis, from->multiplier);
    return way.fate == POD_AXIS_KEPT && way.axis == to->axis && way.multiplier == to->multiplier;
}

static bool check_operands(pod_padding_check *check, const pod_node *few, const pod_node *many, const pod_row_axis *to)
{
    bool any = false;
    for (uint32_t j = 0; j < many->input_count; j++) {
        pod_row_axis from;
        if (!find_row_axis(check, &pod_node_type(few->inputs[j])->shape, &pod_node_type(many->inputs[j])->shape, &from))
            return fail_differs(check, many->inputs[j]);
        if (from.axis < 0)
            continue;
        any = true;
        if (!leads_to(many, j, &from, to))
            return fail_at(check, many, "mixes rows, or takes some of them, so rows that fill a bucket up would count");
    }
    return any || to->axis < 0 || makes_rows(many, to) || fail_differs(check, many);
}

static bool check_graph(pod_padding_check *check, const pod_graph *few, const pod_graph *many);

static bool check_node(pod_padding_check *check, const pod_node *few, const pod_node *many)
{
    pod_row_axis to = {-1, 0};
    for (uint32_t r = 0; r < many->result_count; r++)
        if (!result_axis(check, few, many, r, &to))
            return fail_differs(check, many);
    const char *why = why_refused(many->op);
    if (why != NULL)
        return fail_at(check, many, why);
    if (!same_attributes(check, few, many))
        return fail_differs(check, many);
    /* The second region of a call is its gradient. */
    for (uint32_t r = 0; r < many->region_count && (r == 0 || many->op != POD_OP_CALL); r++)
        if (!check_graph(check, few->regions[r], many->regions[r]))
            return false;
    if (many->op == POD_OP_RESULT || many->op == POD_OP_CALL || many->op == POD_OP_COND || many->op == POD_OP_WHILE)
        return true;
    return check_operands(check, few, many, &to);
}

static bool check_graph(pod_padding_check *check, const pod_graph *few, const pod_graph *many)
{
    pod_live_nodes few_live = {0}, many_live = {0};
    if (!find_live(check, few, &few_live) || !find_live(check, many, &many_live))
        return false;
    uint32_t count = few_live.count < many_live.count ? few_live.count : many_live.count;
    for (uint32_t i = 0; i < count; i++) {
        const pod_node *a = few_live.nodes[i], *b = many_live.nodes[i];
        if (!same_structure(&few_live, &many_live, a, b))
            return fail_differs(check, b);
        if (!check_node(check, a, b))
            return false;
    }
    bool same = few_live.count == many_live.count && few->output_count == many->output_count;
    for (uint32_t i = 0; same && i < many->output_count; i++)
        same = few->aliases[i] == many->aliases[i] &&
               few_live.place[few->outputs[i]->id] == many_live.place[many->outputs[i]->id];
    if (!same)
        pod_error_set(check->error, POD_ERROR_UNSUPPORTED, "it computes something else for %lld rows than for %lld",
                      (long long)check->few_rows, (long long)check->many_rows);
    return same;
}

pod_status pod_graph_check_row_padding(const pod_graph *few, int64_t few_rows, const pod_graph *many, int64_t many_rows,
                                       int32_t *output_axes, pod_error *error)
{
    pod_error inner = {.status = POD_OK};
    if (few_rows < 1 || many_rows <= few_rows)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "%lld rows cannot be filled up to %lld", (long long)few_rows,
                             (long long)many_rows);
    pod_arena arena;
    pod_arena_init(&arena, many->context);
    pod_padding_check check = {few_rows, many_rows, &arena, &inner};
    bool fits = check_graph(&check, few, many);
    for (uint32_t i = 0; fits && i < many->output_count; i++) {
        pod_row_axis grown = {-1, 0};
        fits = find_row_axis(&check, &pod_node_type(few->outputs[i])->shape, &pod_node_type(many->outputs[i])->shape,
                             &grown);
        output_axes[i] = grown.axis;
    }
    pod_arena_clear(&arena);
    return fits ? POD_OK : pod_error_set(error, inner.status, "%s", inner.message);
}
