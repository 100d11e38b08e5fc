/*
 * shrink - makes a program that fails smaller: fewer outputs, steps and nodes. A node that goes is replaced by an
 * operand of its type, or by a parameter with what the oracle computes there.
 */

#include "programs.h"

#include <stdlib.h>
#include <string.h>

#include "evaluate.h"

/* What becomes of the nodes of a program. */
typedef struct plan {
    uint32_t *operand; /* of each node: UINT32_MAX, or the number of the operand that stands for it */
    bool *parameter;   /* of each node: it becomes a parameter */
    bool *output;      /* of each output: it stays */
    bool aliases;      /* outputs stay variables' next values */
} plan;

/* The values of all nodes; *firsts says where each begins. */
static pod_array *values_of(const program *p, uint32_t **firsts, uint32_t *total)
{
    const pod_graph *g = p->graph;
    pod_error error;
    *total = 0;
    *firsts = calloc(g->node_count + 1, sizeof **firsts);
    for (uint32_t i = 0; i < g->node_count; *total += g->nodes[i++]->result_count)
        (*firsts)[i] = *total;
    pod_array *values = calloc(*total + 1, sizeof *values);
    for (uint32_t i = 0; i < g->node_count; i++)
        if (evaluate_into(g->nodes[i], p->arguments, *firsts, values, &error) != POD_OK)
            break;
    return values;
}

static void mark_live(const pod_graph *g, const plan *how, bool *live)
{
    for (uint32_t i = 0; i < g->output_count; i++)
        if (how->output[i])
            live[g->outputs[i]->id] = true;
    for (uint32_t i = g->node_count; i-- > 0;) {
        const pod_node *node = g->nodes[i];
        if (!live[i] || how->parameter[i])
            continue;
        for (uint32_t j = 0; j < node->input_count; j++)
            if (how->operand[i] == UINT32_MAX || how->operand[i] == j)
                live[node->inputs[j]->id] = true;
    }
}

/* Builds what a plan says; false where that is no program. */
static bool build(const program *p, const plan *how, const pod_array *values, const uint32_t *firsts, program *made)
{
    const pod_graph *g = p->graph;
    pod_error error;
    *made = (program){.seed = p->seed, .steps = p->steps};
    if (pod_graph_new(g->context, "program", &made->graph, &error) != POD_OK)
        abort();
    bool *live = calloc(g->node_count, sizeof *live), good = true;
    pod_node **map = calloc(g->node_count, sizeof *map), *inputs[POD_MAX_RANK + 64];
    mark_live(g, how, live);
    for (uint32_t i = 0; i < g->node_count && good; i++) {
        const pod_node *node = g->nodes[i];
        if (!live[i])
            continue;
        if (node->op == POD_OP_PARAMETER || how->parameter[i]) {
            const uint32_t count = made->graph->parameter_count;
            const pod_array *value =
                node->op == POD_OP_PARAMETER ? &p->arguments[node->attributes->axis] : &values[firsts[i]];
            good = count < MOST_PARAMETERS && value->data;
            if (!good)
                break;
            map[i] = pod_graph_parameter(made->graph, value->dtype, &value->shape, "p");
            made->arguments[count] = evaluate_copy(value);
        } else if (how->operand[i] != UINT32_MAX) {
            map[i] = map[node->inputs[how->operand[i]]->id];
        } else {
            for (uint32_t j = 0; j < node->input_count; j++)
                inputs[j] = map[node->inputs[j]->id];
            map[i] = pod_graph_copy_node(made->graph, node, inputs);
        }
    }
    for (uint32_t i = 0; i < g->output_count && good; i++) {
        if (!how->output[i])
            continue;
        pod_graph_add_output(made->graph, map[g->outputs[i]->id]);
        if (g->aliases[i] < 0 || !how->aliases)
            continue;
        const pod_node *variable = map[g->parameters[g->aliases[i]]->id];
        if (variable)
            pod_graph_set_alias(made->graph, made->graph->output_count - 1, (size_t)variable->attributes->axis);
    }
    good = good && made->graph->output_count > 0 && pod_graph_check(made->graph, &error) == POD_OK;
    free(live);
    free(map);
    if (!good)
        program_free(made);
    return good;
}

static plan plan_new(const pod_graph *g)
{
    plan made = {calloc(g->node_count + 1, sizeof(uint32_t)), calloc(g->node_count + 1, 1),
                 calloc(g->output_count + 1, 1), true};
    memset(made.operand, 0xff, (g->node_count + 1) * sizeof(uint32_t));
    memset(made.output, 1, g->output_count + 1);
    return made;
}

static void plan_free(plan *how)
{
    free(how->operand);
    free(how->parameter);
    free(how->output);
}

typedef const char *failing(machine *m, const program *p);

/* Takes the program that a plan makes, if it fails. */
static bool take(machine *m, program *p, const plan *how, failing *fails)
{
    uint32_t *firsts, total;
    pod_array *values = values_of(p, &firsts, &total);
    program made;
    bool better = build(p, how, values, firsts, &made);
    if (better && !fails(m, &made)) {
        program_free(&made);
        better = false;
    }
    evaluate_free(values, total);
    free(values);
    free(firsts);
    if (better) {
        program_free(p);
        *p = made;
    }
    return better;
}

static bool drop_outputs(machine *m, program *p, failing *fails)
{
    for (uint32_t i = 0; i < p->graph->output_count; i++) {
        plan how = plan_new(p->graph);
        memset(how.output, 0, p->graph->output_count);
        how.output[i] = true;
        const bool better = p->graph->output_count > 1 && take(m, p, &how, fails);
        plan_free(&how);
        if (better)
            return true;
    }
    for (uint32_t i = 0; i < p->graph->output_count && p->graph->output_count > 1; i++) {
        plan how = plan_new(p->graph);
        how.output[i] = false;
        const bool better = take(m, p, &how, fails);
        plan_free(&how);
        if (better)
            return true;
    }
    return false;
}

static bool same_type(const pod_node *a, const pod_node *b)
{
    return a->result_count == 1 && b->result_count == 1 && pod_node_dtype(a, 0) == pod_node_dtype(b, 0) &&
           pod_shape_equal(pod_node_shape(a, 0), pod_node_shape(b, 0));
}

static bool drop_node(machine *m, program *p, uint32_t node, failing *fails)
{
    const pod_node *it = p->graph->nodes[node];
    for (uint32_t i = 0; i < it->input_count; i++) {
        if (!same_type(it, it->inputs[i]))
            continue;
        plan how = plan_new(p->graph);
        how.operand[node] = i;
        const bool better = take(m, p, &how, fails);
        plan_free(&how);
        if (better)
            return true;
    }
    if (it->op == POD_OP_PARAMETER || it->result_count != 1 || (it->input_count == 0 && it->op == POD_OP_CONSTANT))
        return false;
    plan how = plan_new(p->graph);
    how.parameter[node] = true;
    const bool better = take(m, p, &how, fails);
    plan_free(&how);
    return better;
}

void program_shrink(machine *m, program *p, failing *fails)
{
    bool better = true;
    for (; p->steps > 1; p->steps--) {
        program fewer = *p;
        fewer.steps--;
        if (!fails(m, &fewer))
            break;
    }
    while (better) {
        plan all = plan_new(p->graph);
        (void)take(m, p, &all, fails); /* without what is dead */
        plan_free(&all);
        plan plain = plan_new(p->graph);
        plain.aliases = false;
        bool aliases = false;
        for (uint32_t i = 0; i < p->graph->output_count; i++)
            aliases = aliases || p->graph->aliases[i] >= 0;
        better = aliases && take(m, p, &plain, fails);
        plan_free(&plain);
        better = drop_outputs(m, p, fails) || better;
        for (uint32_t i = p->graph->node_count; i-- > 0;)
            if (i < p->graph->node_count && drop_node(m, p, i, fails))
                better = true;
    }
}
