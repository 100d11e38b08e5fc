/* Branches: of a predicate that all replicas share, or both sides and a choice a replica. */

#include "replicate/replicate_regions.h"

/* Binds the parameters of a region to new parameters of its target, in natural form. */
static void bind_new_parameters(pod_emitter *inner, pod_node *const *values)
{
    const pod_graph *region = inner->plan->graph;
    for (uint32_t i = 0; i < region->parameter_count; i++) {
        if (values[i] == NULL)
            continue;
        const pod_node *parameter = region->parameters[i];
        pod_replicate_emitter_bind(inner, parameter, POD_VIEW_NATURAL,
                                   pod_replicate_region_parameter(inner->graph, values[i], parameter));
    }
}

static bool is_masked(const pod_plan *plan, const pod_node *node)
{
    return pod_replicate_plan_operand_form(plan, node, 0)->kind == POD_FORM_STACKED;
}

void pod_form_of_cond(pod_plan *plan, const pod_node *node)
{
    pod_result_plan *slots = pod_replicate_plan_slot(plan, node);
    pod_form *forms = pod_replicate_region_forms(plan, node, 1), stacked = POD_STACKED_FORM;
    pod_plan *sides[2];
    for (uint32_t k = 0; k < 2; k++) {
        sides[k] = forms == NULL ? NULL : pod_replicate_region_plan(plan, node, k, forms);
        if (sides[k] == NULL)
            return;
        pod_replicate_plan_forward(sides[k]);
    }
    for (uint32_t r = 0; r < node->result_count; r++) {
        const pod_result_plan *a = pod_replicate_region_output(sides[0], r),
                              *b = pod_replicate_region_output(sides[1], r);
        bool sums =
            (a->partial || a->form.kind == POD_FORM_UNIFORM) && (b->partial || b->form.kind == POD_FORM_UNIFORM);
        slots[r].form = pod_replicate_form_merge(&a->form, &b->form);
        if (is_masked(plan, node))
            slots[r].form = pod_replicate_form_merge(&slots[r].form, &stacked);
        slots[r].partial = !is_masked(plan, node) && sums && (a->partial || b->partial);
    }
    if (is_masked(plan, node))
        pod_replicate_region_refuse_effects(plan, node);
    pod_replicate_region_refuse_rank(plan, node);
}

/* Returns whether the body of either side needs its parameter. */
static bool either_wants(pod_plan *const *sides, uint32_t parameter)
{
    for (uint32_t k = 0; k < 2; k++)
        if (pod_replicate_plan_slot(sides[k], sides[k]->graph->parameters[parameter])->wanted[POD_VIEW_NATURAL])
            return true;
    return false;
}

void pod_need_of_cond(pod_plan *plan, const pod_node *node)
{
    const pod_result_plan *slots = pod_replicate_plan_slot(plan, node);
    pod_plan **sides = pod_replicate_region_plans(plan, node);
    if (sides[0] == NULL || sides[1] == NULL || !pod_replicate_region_wanted(plan, node))
        return;
    pod_replicate_plan_request(plan, node->inputs[0], POD_AS_NATURAL);
    for (uint32_t k = 0; k < 2; k++) {
        for (uint32_t r = 0; r < node->result_count; r++) {
            const pod_node *output = sides[k]->graph->outputs[r];
            if (slots[r].wanted[POD_VIEW_NATURAL])
                pod_replicate_plan_request(sides[k], output, pod_replicate_ask_for(&slots[r].form));
            if (slots[r].wanted[POD_VIEW_SUM] && slots[r].partial)
                pod_replicate_plan_request(sides[k], output, POD_AS_SUM);
        }
        if (!pod_replicate_plan_backward(sides[k]))
            return;
    }
    for (uint32_t j = 1; j < node->input_count; j++)
        if (either_wants(sides, j - 1))
            pod_replicate_plan_request(plan, node->inputs[j], POD_AS_NATURAL);
}

/* Emits one side as a region whose parameters are the values that either side needs. */
static pod_graph *emit_side(pod_emitter *emitter, const pod_node *node, pod_plan *side, pod_node *const *values)
{
    const pod_result_plan *slots = pod_replicate_plan_slot(emitter->plan, node);
    pod_graph *region = pod_replicate_region_new(emitter, side->graph);
    pod_emitter *inner = region == NULL ? NULL : pod_replicate_region_emitter(emitter, node, side, region);
    if (inner == NULL)
        return region;
    bind_new_parameters(inner, values);
    pod_replicate_emitter_run(inner);
    for (uint32_t r = 0; r < node->result_count; r++) {
        if (slots[r].wanted[POD_VIEW_NATURAL])
            pod_graph_add_output(region, pod_replicate_region_result(inner, r, pod_replicate_ask_for(&slots[r].form)));
        if (slots[r].wanted[POD_VIEW_SUM] && slots[r].partial)
            pod_graph_add_output(region, pod_replicate_region_result(inner, r, POD_AS_SUM));
    }
    return region;
}

/* Collects the values that the sides need, NULL for the others; returns how many. */
static uint32_t collect_values(pod_emitter *emitter, const pod_node *node, pod_node **values, pod_node **operands)
{
    pod_plan **sides = pod_replicate_region_plans(emitter->plan, node);
    uint32_t count = 0;
    for (uint32_t j = 1; j < node->input_count; j++) {
        values[j - 1] = NULL;
        if (!either_wants(sides, j - 1))
            continue;
        values[j - 1] = pod_replicate_emitter_get(emitter, node->inputs[j], POD_AS_NATURAL);
        operands[count++] = values[j - 1];
    }
    return count;
}

static void emit_branch(pod_emitter *emitter, const pod_node *node, pod_node **values)
{
    const pod_result_plan *slots = pod_replicate_plan_slot(emitter->plan, node);
    pod_value *made = pod_replicate_emitter_value(emitter, node);
    pod_plan **sides = pod_replicate_region_plans(emitter->plan, node);
    emitter->inputs[0] = pod_replicate_emitter_get(emitter, node->inputs[0], POD_AS_NATURAL);
    uint32_t count = collect_values(emitter, node, values, emitter->inputs + 1);
    pod_graph *regions[2] = {emit_side(emitter, node, sides[0], values), emit_side(emitter, node, sides[1], values)};
    pod_node *branch =
        pod_graph_apply(emitter->graph, POD_OP_COND, emitter->inputs, count + 1, node->attributes, regions, 2);
    for (uint32_t r = 0, next = 0; r < node->result_count; r++) {
        if (slots[r].wanted[POD_VIEW_NATURAL])
            made[r].views[POD_VIEW_NATURAL] = pod_graph_result(emitter->graph, branch, next++);
        if (slots[r].wanted[POD_VIEW_SUM] && slots[r].partial)
            made[r].views[POD_VIEW_SUM] = pod_graph_result(emitter->graph, branch, next++);
    }
}

static void emit_both_sides(pod_emitter *emitter, const pod_node *node, pod_node **values)
{
    const pod_result_plan *slots = pod_replicate_plan_slot(emitter->plan, node);
    pod_value *made = pod_replicate_emitter_value(emitter, node);
    pod_plan **sides = pod_replicate_region_plans(emitter->plan, node);
    pod_emitter *inner[2];
    collect_values(emitter, node, values, emitter->inputs);
    for (uint32_t k = 0; k < 2; k++) {
        inner[k] = pod_replicate_region_inline(emitter, node, sides[k], emitter->graph, values);
        if (inner[k] == NULL)
            return;
    }
    pod_replicate_emitter_place(emitter, node);
    pod_node *predicate = pod_replicate_emitter_get(emitter, node->inputs[0], POD_AS_NATURAL);
    for (uint32_t r = 0; r < node->result_count; r++)
        if (slots[r].wanted[POD_VIEW_NATURAL])
            made[r].views[POD_VIEW_NATURAL] = pod_replicate_region_select(
                emitter, predicate, pod_replicate_region_result(inner[0], r, POD_AS_STACKED),
                pod_replicate_region_result(inner[1], r, POD_AS_STACKED));
}

void pod_emit_cond(pod_emitter *emitter, const pod_node *node)
{
    if (!pod_replicate_region_wanted(emitter->plan, node))
        return;
    pod_node **values = pod_replicate_session_allocate(emitter->plan->session, node->input_count, sizeof *values);
    if (values == NULL)
        return;
    if (is_masked(emitter->plan, node))
        emit_both_sides(emitter, node, values);
    else
        emit_branch(emitter, node, values);
}
