/*
 * How the value that one core would give of all rows is made of those that the replicas give of theirs: what is a part
 * of a sum over rows stays one through what is linear, and a mean over a core's own rows counts as many as it has.
 */

#include "replicate/replicate_passes.h"

/* The same for values that have rows themselves. */
#define HAS_ROWS ((pod_row_total)(POD_TOTAL_MIN + 1))

typedef struct totals {
    const pod_plan *plan;
    pod_row_total *of; /* each node's */
} totals;

static pod_row_total of_operand(const totals *t, const pod_node *node, uint32_t operand)
{
    return t->of[node->inputs[operand]->id];
}

static bool others_are_same(const totals *t, const pod_node *node, uint32_t operand)
{
    for (uint32_t j = 0; j < node->input_count; j++)
        if (j != operand && of_operand(t, node, j) != POD_TOTAL_SAME)
            return false;
    return true;
}

/* Of what folds rows away: `rows` where operand 0 has them. */
static pod_row_total folded(const totals *t, const pod_node *node, pod_row_total rows)
{
    pod_row_total x = of_operand(t, node, 0);
    if (x == HAS_ROWS)
        return rows;
    return x == POD_TOTAL_SAME || (rows == POD_TOTAL_SUM && x <= POD_TOTAL_MEAN) ? x : POD_TOTAL_OTHER;
}

static pod_row_total linear(const totals *t, const pod_node *node)
{
    return others_are_same(t, node, 0) ? of_operand(t, node, 0) : POD_TOTAL_OTHER;
}

/* Each replica adds what is the same on all: a sum of all has it once from each, as its gradient has. */
static pod_row_total added(const totals *t, const pod_node *node)
{
    pod_row_total a = of_operand(t, node, 0), b = of_operand(t, node, 1);
    if (a == b)
        return a == POD_TOTAL_SAME || a == POD_TOTAL_SUM || a == POD_TOTAL_MEAN ? a : POD_TOTAL_OTHER;
    pod_row_total one = a == POD_TOTAL_SAME ? b : a;
    bool other_same = a == POD_TOTAL_SAME || b == POD_TOTAL_SAME;
    return other_same && (one == POD_TOTAL_SUM || one == POD_TOTAL_MEAN) ? one : POD_TOTAL_OTHER;
}

static pod_row_total product(const totals *t, const pod_node *node)
{
    pod_row_total a = of_operand(t, node, 0), b = of_operand(t, node, 1);
    if (a == HAS_ROWS || b == HAS_ROWS)
        return POD_TOTAL_SUM; /* over the rows of either */
    pod_row_total one = a == POD_TOTAL_SAME ? b : a;
    bool other_same = a == POD_TOTAL_SAME || b == POD_TOTAL_SAME;
    return other_same && one <= POD_TOTAL_MEAN ? one : POD_TOTAL_OTHER;
}

/* Returns whether a value is the number of a core's own rows, times what is the same on each. */
static bool counts_rows(const totals *t, const pod_node *node)
{
    switch (node->op) {
    case POD_OP_DIMENSION_SIZE:
        return t->of[node->id] == POD_TOTAL_SUM;
    case POD_OP_CONVERT:
    case POD_OP_RESHAPE:
    case POD_OP_BROADCAST:
        return counts_rows(t, node->inputs[0]);
    case POD_OP_MULTIPLY:
        return t->of[node->id] == POD_TOTAL_SUM && (counts_rows(t, node->inputs[0]) || counts_rows(t, node->inputs[1]));
    default:
        return false;
    }
}

static pod_row_total divided(const totals *t, const pod_node *node)
{
    pod_row_total a = of_operand(t, node, 0);
    if (others_are_same(t, node, 0))
        return a <= POD_TOTAL_MEAN ? a : POD_TOTAL_OTHER;
    return a == POD_TOTAL_SUM && counts_rows(t, node->inputs[1]) ? POD_TOTAL_MEAN : POD_TOTAL_OTHER;
}

/* One of two by what is the same on each, as where a sum is divided by a number that may be 0. */
static pod_row_total selected(const totals *t, const pod_node *node)
{
    double value = 1;
    pod_row_total a = of_operand(t, node, 1), b = of_operand(t, node, 2);
    if (of_operand(t, node, 0) != POD_TOTAL_SAME)
        return POD_TOTAL_OTHER;
    if (a == b)
        return a;
    const pod_node *same = node->inputs[a == POD_TOTAL_SAME ? 1 : 2];
    pod_row_total one = a == POD_TOTAL_SAME ? b : a;
    bool other_same = a == POD_TOTAL_SAME || b == POD_TOTAL_SAME;
    bool fits = one == POD_TOTAL_MEAN || (one == POD_TOTAL_SUM && pod_node_is_splat(same, &value) && value == 0);
    return other_same && fits ? one : POD_TOTAL_OTHER;
}

static pod_row_total of_dimension(const totals *t, const pod_node *node)
{
    int64_t rows[POD_MAX_RANK];
    pod_replicate_form_rows(pod_replicate_plan_operand_form(t->plan, node, 0), rows);
    return rows[node->attributes->axis] != 0 ? POD_TOTAL_SUM : POD_TOTAL_SAME;
}

/* Of a value that has no rows. */
static pod_row_total of_node(const totals *t, const pod_node *node)
{
    switch (node->op) {
    case POD_OP_DIMENSION_SIZE:
        return of_dimension(t, node);
    case POD_OP_PARAMETER:
        return pod_replicate_plan_slot(t->plan, node)->form.kind == POD_FORM_UNIFORM ? POD_TOTAL_SAME : POD_TOTAL_OTHER;
    case POD_OP_CONSTANT:
    case POD_OP_IOTA:
    case POD_OP_ALL_REDUCE:
    case POD_OP_ALL_GATHER:
        return POD_TOTAL_SAME;
    case POD_OP_REPLICA_ID:
    case POD_OP_RANDOM_BITS:
        return POD_TOTAL_OTHER;
    case POD_OP_REDUCE_SUM:
        return folded(t, node, POD_TOTAL_SUM);
    case POD_OP_REDUCE_MAX:
        return folded(t, node, POD_TOTAL_MAX);
    case POD_OP_REDUCE_MIN:
        return folded(t, node, POD_TOTAL_MIN);
    case POD_OP_DOT:
    case POD_OP_MULTIPLY:
        return product(t, node);
    case POD_OP_DIVIDE:
        return divided(t, node);
    case POD_OP_ADD:
    case POD_OP_SUBTRACT:
        return added(t, node);
    case POD_OP_SELECT:
        return selected(t, node);
    case POD_OP_WITH_ROWS:
    case POD_OP_RESULT:
        return of_operand(t, node, 0);
    case POD_OP_NEGATE: {
        pod_row_total x = of_operand(t, node, 0);
        return x <= POD_TOTAL_MEAN ? x : POD_TOTAL_OTHER;
    }
    case POD_OP_CONVERT:
    case POD_OP_STOP_GRADIENT:
    case POD_OP_BARRIER:
    case POD_OP_RESHAPE:
    case POD_OP_TRANSPOSE:
    case POD_OP_BROADCAST:
    case POD_OP_SLICE:
        return linear(t, node);
    default:
        return others_are_same(t, node, UINT32_MAX) ? POD_TOTAL_SAME : POD_TOTAL_OTHER;
    }
}

void pod_replicate_totals(const pod_plan *plan, pod_output_rows *output_rows)
{
    const pod_graph *graph = plan->graph;
    totals t = {plan, pod_replicate_session_allocate(plan->session, graph->node_count, sizeof *t.of)};
    for (uint32_t i = 0; t.of != NULL && i < graph->node_count; i++) {
        const pod_node *node = graph->nodes[i];
        const pod_form *form = &pod_replicate_plan_slot(plan, node)->form;
        t.of[i] = pod_replicate_form_has_rows(form) ? HAS_ROWS : of_node(&t, node);
        if (t.of[i] == POD_TOTAL_SAME && form->kind != POD_FORM_UNIFORM)
            t.of[i] = POD_TOTAL_OTHER;
    }
    for (uint32_t i = 0; t.of != NULL && i < graph->output_count; i++) {
        pod_row_total total = t.of[graph->outputs[i]->id];
        output_rows[i].total = total == HAS_ROWS ? POD_TOTAL_OTHER : total;
    }
}
