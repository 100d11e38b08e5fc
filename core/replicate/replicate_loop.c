/*
 * Loops: region 0 tells whether to go on, region 1 makes the next state.
 *
 * A state that differs between the replicas only to be summed over them in the end is carried as
 * that sum, when each turn's sum can be made of the last one's: so do gradients of weights, which a
 * loop over time adds up.
 */

#include "replicate/replicate_regions.h"

static bool fails(const pod_plan *plan)
{
    return plan->session->error.status != POD_OK;
}

/* Returns whether state i goes through the loop unchanged. */
static bool is_carried(const pod_node *node, uint32_t i)
{
    return node->regions[1]->outputs[i] == node->regions[1]->parameters[i];
}

/* Returns whether the replicas decide apart whether to go on. */
static bool is_masked(const pod_plan *plan, const pod_node *node)
{
    return plan->marks[node->id] != 0;
}

/* Plans both regions under forms of the state; `sums`, when given, tells which are sums. */
static bool plan_regions(pod_plan *plan, const pod_node *node, const pod_form *forms, const bool *sums)
{
    for (uint32_t k = 0; k < 2; k++) {
        pod_plan *child = pod_replicate_region_plan(plan, node, k, forms);
        if (child == NULL)
            return false;
        for (uint32_t i = 0; sums != NULL && i < node->input_count; i++)
            pod_replicate_region_input(child, i)->partial = sums[i];
        pod_replicate_plan_forward(child);
    }
    return !fails(plan);
}

/* Widens the forms of the state to what a turn makes of them; returns whether one changed. */
static bool widen_state(pod_plan *plan, const pod_node *node, pod_form *forms)
{
    pod_form stacked = POD_STACKED_FORM;
    bool changed = false;
    if (!plan_regions(plan, node, forms, NULL))
        return false;
    pod_plan **regions = pod_replicate_region_plans(plan, node);
    plan->marks[node->id] = pod_replicate_region_output(regions[0], 0)->form.kind == POD_FORM_STACKED;
    for (uint32_t i = 0; i < node->input_count; i++) {
        if (is_carried(node, i))
            continue;
        pod_form next = pod_replicate_form_merge(&forms[i], &pod_replicate_region_output(regions[1], i)->form);
        if (is_masked(plan, node))
            next = pod_replicate_form_merge(&next, &stacked);
        changed |= !pod_replicate_form_equal(&next, &forms[i]);
        forms[i] = next;
    }
    return changed;
}

/* Drops sums of states whose next value is no such sum; returns whether there was one. */
static bool drop_sums_not_made(pod_plan *plan, const pod_node *node, bool *sums)
{
    const pod_plan *body = pod_replicate_region_plans(plan, node)[1];
    bool dropped = false;
    for (uint32_t i = 0; i < node->input_count; i++) {
        const pod_result_plan *next = pod_replicate_region_output(body, i);
        bool made = next->partial || next->form.kind == POD_FORM_UNIFORM;
        dropped |= sums[i] && !made;
        sums[i] &= made;
    }
    return dropped;
}

void pod_form_of_while(pod_plan *plan, const pod_node *node)
{
    pod_result_plan *slots = pod_replicate_plan_slot(plan, node);
    pod_form *forms = pod_replicate_region_forms(plan, node, 0);
    bool *sums = pod_replicate_session_allocate(plan->session, node->input_count, sizeof *sums);
    if (forms == NULL || sums == NULL)
        return;
    while (!fails(plan) && widen_state(plan, node, forms))
        continue;
    for (uint32_t i = 0; i < node->input_count; i++) /* a bool has no sum */
        sums[i] = !is_masked(plan, node) && forms[i].kind == POD_FORM_STACKED &&
                  node->inputs[i]->results[0].dtype != POD_BOOL;
    while (plan_regions(plan, node, forms, sums) && drop_sums_not_made(plan, node, sums))
        continue;
    for (uint32_t i = 0; i < node->result_count; i++) {
        slots[i].form = forms[i];
        slots[i].partial = sums[i];
    }
    if (is_masked(plan, node))
        pod_replicate_region_refuse_effects(plan, node);
    pod_replicate_region_refuse_rank(plan, node);
}

/* ---- what the regions need ---- */

/* Returns what is asked for a state: before the loop, and of each turn. */
static pod_ask ask_for_state(const pod_result_plan *slot)
{
    if (slot->carried)
        return POD_AS_SUM;
    return pod_replicate_ask_for(&slot->form);
}

/* Requests a turn's state and the predicate of the regions. */
static bool request_turn(pod_plan *plan, const pod_node *node)
{
    const pod_result_plan *slots = pod_replicate_plan_slot(plan, node);
    pod_plan **regions = pod_replicate_region_plans(plan, node);
    pod_replicate_plan_request(regions[0], regions[0]->graph->outputs[0], POD_AS_NATURAL);
    for (uint32_t i = 0; i < node->input_count; i++)
        pod_replicate_plan_request(regions[1], regions[1]->graph->outputs[i], ask_for_state(&slots[i]));
    return pod_replicate_plan_backward(regions[0]) && pod_replicate_plan_backward(regions[1]);
}

/* Carries in natural form the states of which a turn needs that; returns whether there was one. */
static bool drop_sums_not_enough(pod_plan *plan, const pod_node *node)
{
    pod_result_plan *slots = pod_replicate_plan_slot(plan, node);
    pod_plan **regions = pod_replicate_region_plans(plan, node);
    bool dropped = false;
    for (uint32_t i = 0; i < node->input_count; i++) {
        bool natural = pod_replicate_region_input(regions[0], i)->wanted[POD_VIEW_NATURAL] ||
                       pod_replicate_region_input(regions[1], i)->wanted[POD_VIEW_NATURAL];
        dropped |= slots[i].carried && natural;
        slots[i].carried &= !natural;
    }
    return dropped;
}

/* Plans the regions for those sums that the slots still say, and settles which can be kept. */
static bool settle_sums(pod_plan *plan, const pod_node *node, pod_form *forms, bool *sums)
{
    pod_result_plan *slots = pod_replicate_plan_slot(plan, node);
    do {
        for (uint32_t i = 0; i < node->input_count; i++) {
            forms[i] = slots[i].form;
            sums[i] = slots[i].carried;
        }
        while (plan_regions(plan, node, forms, sums) && drop_sums_not_made(plan, node, sums))
            continue;
        for (uint32_t i = 0; i < node->input_count; i++)
            slots[i].carried = sums[i];
    } while (!fails(plan) && request_turn(plan, node) && drop_sums_not_enough(plan, node));
    return !fails(plan);
}

void pod_need_of_while(pod_plan *plan, const pod_node *node)
{
    pod_result_plan *slots = pod_replicate_plan_slot(plan, node);
    pod_form *forms = pod_replicate_session_allocate(plan->session, node->input_count, sizeof *forms);
    bool *sums = pod_replicate_session_allocate(plan->session, node->input_count, sizeof *sums);
    if (forms == NULL || sums == NULL || !pod_replicate_region_wanted(plan, node))
        return;
    for (uint32_t i = 0; i < node->input_count; i++)
        slots[i].carried = slots[i].partial && !slots[i].wanted[POD_VIEW_NATURAL];
    if (!settle_sums(plan, node, forms, sums))
        return;
    /* Those that asked for sums do so still, which are then made of the natural form: what is partial stays so. */
    for (uint32_t i = 0; i < node->input_count; i++)
        slots[i].wanted[POD_VIEW_NATURAL] |= slots[i].wanted[POD_VIEW_SUM] && !slots[i].carried;
    for (uint32_t i = 0; i < node->input_count; i++)
        pod_replicate_plan_request(plan, node->inputs[i], ask_for_state(&slots[i]));
}

/* ---- emission ---- */

/* A new region of the loop, with one parameter for each state. */
static pod_graph *new_loop_region(pod_emitter *emitter, const pod_node *node, uint32_t index, pod_node **state)
{
    const pod_graph *like = node->regions[index];
    pod_graph *region = pod_replicate_region_new(emitter, like);
    for (uint32_t i = 0; region != NULL && i < node->input_count; i++)
        state[i] = pod_replicate_region_parameter(region, emitter->inputs[i], like->parameters[i]);
    return region;
}

/* Goes on while any replica does. */
static pod_graph *emit_loop_condition(pod_emitter *emitter, const pod_node *node, pod_node **state)
{
    pod_plan **plans = pod_replicate_region_plans(emitter->plan, node);
    pod_graph *region = new_loop_region(emitter, node, 0, state);
    if (region == NULL)
        return NULL;
    pod_emitter *inner = pod_replicate_region_inline(emitter, node, plans[0], region, state);
    if (inner == NULL)
        return region;
    pod_node *go_on = pod_replicate_region_result(inner, 0, POD_AS_NATURAL);
    if (is_masked(emitter->plan, node))
        go_on = pod_replicate_emit_reduce(inner, POD_OP_REDUCE_OR, go_on, 0);
    pod_graph_add_output(region, go_on);
    return region;
}

/* A replica that is done keeps its state. */
static pod_graph *emit_loop_body(pod_emitter *emitter, const pod_node *node, pod_node **state)
{
    const pod_result_plan *slots = pod_replicate_plan_slot(emitter->plan, node);
    pod_plan **plans = pod_replicate_region_plans(emitter->plan, node);
    pod_graph *region = new_loop_region(emitter, node, 1, state);
    pod_node *go_on = NULL;
    if (region == NULL)
        return NULL;
    if (is_masked(emitter->plan, node)) {
        pod_emitter *test = pod_replicate_region_inline(emitter, node, plans[0], region, state);
        if (test == NULL)
            return region;
        go_on = pod_replicate_region_result(test, 0, POD_AS_NATURAL);
    }
    pod_emitter *inner = pod_replicate_region_inline(emitter, node, plans[1], region, state);
    if (inner == NULL)
        return region;
    for (uint32_t i = 0; i < node->input_count; i++) {
        pod_node *next = pod_replicate_region_result(inner, i, ask_for_state(&slots[i]));
        if (go_on != NULL && !is_carried(node, i))
            next = pod_replicate_region_select(inner, go_on, next, state[i]);
        pod_graph_add_output(region, next);
    }
    return region;
}

void pod_emit_while(pod_emitter *emitter, const pod_node *node)
{
    const pod_result_plan *slots = pod_replicate_plan_slot(emitter->plan, node);
    pod_value *values = pod_replicate_emitter_value(emitter, node);
    if (!pod_replicate_region_wanted(emitter->plan, node))
        return;
    pod_node **state = pod_replicate_session_allocate(emitter->plan->session, node->input_count, sizeof *state);
    if (state == NULL)
        return;
    for (uint32_t i = 0; i < node->input_count; i++)
        emitter->inputs[i] = pod_replicate_emitter_get(emitter, node->inputs[i], ask_for_state(&slots[i]));
    pod_graph *regions[2] = {emit_loop_condition(emitter, node, state), emit_loop_body(emitter, node, state)};
    if (regions[0] == NULL || regions[1] == NULL) {
        pod_graph_free(regions[0]);
        pod_graph_free(regions[1]);
        return;
    }
    pod_node *loop =
        pod_graph_apply(emitter->graph, POD_OP_WHILE, emitter->inputs, node->input_count, node->attributes, regions, 2);
    for (uint32_t r = 0; r < node->result_count; r++) {
        pod_result_view view = slots[r].carried ? POD_VIEW_SUM : POD_VIEW_NATURAL;
        values[r].views[view] = pod_graph_result(emitter->graph, loop, r);
    }
}
