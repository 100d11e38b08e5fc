/*
 * Calls, branches and loops: their regions are planned under the forms of what goes in, and emitted
 * again as regions, or inlined where that is not possible.
 */

#include <string.h>

#include "replicate/emit.h"

static pod_plan **region_plans(pod_plan *plan, const pod_node *node)
{
    return &plan->regions[2 * (size_t)node->id];
}

static bool fails(const pod_plan *plan)
{
    return plan->session->error.status != POD_OK;
}

/* Plans region `index` with parameters of the given forms. */
static pod_plan *plan_region(pod_plan *plan, const pod_node *node, uint32_t index,
                             const pod_form *forms)
{
    const pod_graph *region = node->regions[index];
    pod_plan *child = pod_plan_new(plan->session, region);
    region_plans(plan, node)[index] = child;
    if (child == NULL)
        return NULL;
    for (uint32_t i = 0; i < region->parameter_count; i++)
        pod_plan_slot(child, region->parameters[i])->form = forms[i];
    return child;
}

/* Copies the forms of operands `first` and up, which tell nothing about repetition. */
static pod_form *operand_forms(pod_plan *plan, const pod_node *node, uint32_t first)
{
    pod_form *forms = pod_session_allocate(plan->session, node->input_count, sizeof *forms);
    for (uint32_t j = first; forms != NULL && j < node->input_count; j++) {
        forms[j - first] = *pod_plan_operand_form(plan, node, j);
        forms[j - first].repeated = 0;
    }
    return forms;
}

static const pod_slot *output_slot(const pod_plan *child, uint32_t output)
{
    return pod_plan_slot(child, child->graph->outputs[output]);
}

static bool any_wanted(pod_plan *plan, const pod_node *node)
{
    const pod_slot *slots = pod_plan_slot(plan, node);
    for (uint32_t r = 0; r < node->result_count; r++)
        if (slots[r].wanted[POD_VIEW_NATURAL] || slots[r].wanted[POD_VIEW_SUM])
            return true;
    return false;
}

/* Whether something happens in a graph that only some replicas would reach. */
static bool has_effects(const pod_graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const pod_node *node = graph->nodes[i];
        if (node->op == POD_OP_CHECK || node->op == POD_OP_PRINT ||
            (node->op >= POD_OP_ALL_REDUCE && node->op <= POD_OP_COLLECTIVE_PERMUTE))
            return true;
        for (uint32_t r = 0; r < node->region_count; r++)
            if (node->op != POD_OP_REDUCE && has_effects(node->regions[r]))
                return true;
    }
    return false;
}

static void refuse_effects(pod_plan *plan, const pod_node *node)
{
    for (uint32_t r = 0; r < node->region_count; r++)
        if (has_effects(node->regions[r]))
            pod_plan_refuse(plan, node, POD_REFUSED_EFFECT);
}

static void refuse_rank(pod_plan *plan, const pod_node *node)
{
    const pod_slot *slots = pod_plan_slot(plan, node);
    for (uint32_t r = 0; r < node->result_count; r++)
        if (slots[r].form.kind == POD_FORM_STACKED &&
            node->results[r].shape.rank == POD_MAX_RANK)
            pod_plan_refuse(plan, node, POD_REFUSED_RANK);
}

/* Sums that are not partial are made of the natural form. */
static void need_natural_for_sums(pod_plan *plan, const pod_node *node)
{
    pod_slot *slots = pod_plan_slot(plan, node);
    for (uint32_t r = 0; r < node->result_count; r++)
        if (slots[r].wanted[POD_VIEW_SUM] && !slots[r].partial)
            slots[r].wanted[POD_VIEW_NATURAL] = true;
}

static pod_emitter *child_emitter(pod_emitter *emitter, const pod_node *node, pod_plan *child,
                                  pod_graph *target)
{
    pod_emitter *inner = pod_emitter_new(child, target);
    if (inner == NULL)
        return NULL;
    inner->location = node->location ? node->location : emitter->location;
    inner->scope = node->scope ? node->scope : emitter->scope;
    return inner;
}

static pod_graph *new_region(pod_emitter *emitter, const pod_graph *like)
{
    pod_graph *region;
    pod_batch_session *session = emitter->plan->session;
    pod_error error;
    if (pod_graph_new(session->context, like->name, &region, &error) != POD_OK)
        pod_session_fail(session, error.status, "%s", error.message);
    return region;
}

/* Adds a parameter of a value's type. */
static pod_node *add_parameter(pod_graph *region, const pod_node *value, const pod_node *like)
{
    const pod_type *type = pod_node_type(value);
    return pod_graph_parameter(region, type->dtype, &type->shape, like->attributes->name);
}

/* Binds the parameters of a region to new parameters of its target, in natural form. */
static void bind_new_parameters(pod_emitter *inner, pod_node *const *values)
{
    const pod_graph *region = inner->plan->graph;
    for (uint32_t i = 0; i < region->parameter_count; i++) {
        if (values[i] == NULL)
            continue;
        const pod_node *parameter = region->parameters[i];
        pod_emitter_bind(inner, parameter, POD_VIEW_NATURAL,
                         add_parameter(inner->graph, values[i], parameter));
    }
}

static pod_node *output_in(pod_emitter *inner, uint32_t output, pod_ask ask)
{
    return pod_emitter_get(inner, inner->plan->graph->outputs[output], ask);
}

/* ---- call ---- */

void pod_form_of_call(pod_plan *plan, const pod_node *node)
{
    const pod_graph *region = node->regions[0];
    pod_slot *slots = pod_plan_slot(plan, node);
    pod_form *forms = operand_forms(plan, node, 0);
    pod_plan *child = forms == NULL ? NULL : plan_region(plan, node, 0, forms);
    if (child == NULL)
        return;
    for (uint32_t i = 0; i < node->input_count; i++) {
        pod_slot *parameter = pod_plan_slot(child, region->parameters[i]);
        const pod_slot *operand = pod_plan_slot(plan, node->inputs[i]);
        parameter->form.repeated = operand->form.repeated;
        parameter->partial = operand->partial;
    }
    pod_plan_forward(child);
    for (uint32_t r = 0; r < node->result_count; r++) {
        slots[r].form = output_slot(child, r)->form;
        slots[r].form.repeated = 0;
        slots[r].partial = output_slot(child, r)->partial;
    }
}

/* A call keeps its name, for kernels that know it, when what goes in and comes out has the core's
 * axes. */
static bool call_may_be_kept(pod_plan *plan, const pod_node *node)
{
    const pod_slot *slots = pod_plan_slot(plan, node);
    const pod_plan *child = region_plans(plan, node)[0];
    for (uint32_t j = 0; j < node->input_count; j++)
        if (pod_plan_operand_form(plan, node, j)->kind == POD_FORM_STACKED)
            return false;
    for (uint32_t r = 0; r < node->result_count; r++)
        if (slots[r].form.kind == POD_FORM_STACKED ||
            (slots[r].wanted[POD_VIEW_SUM] && slots[r].partial))
            return false;
    for (uint32_t i = 0; i < child->graph->node_count; i++)
        if (child->refusals[i] != POD_REFUSED_NOT)
            return false;
    return true;
}

/* Asks for the operands in the views that the body wants of its parameters; returns whether each
 * is wanted in one view at most, and none as a sum. */
static bool request_for_body(pod_plan *plan, const pod_node *node, bool kept)
{
    const pod_plan *child = region_plans(plan, node)[0];
    bool single = true;
    for (uint32_t i = 0; i < node->input_count; i++) {
        const pod_slot *slot = pod_plan_slot(child, child->graph->parameters[i]);
        bool sum = slot->wanted[POD_VIEW_SUM] && slot->partial;
        bool grown = slot->wanted[POD_VIEW_GROWN], natural = slot->wanted[POD_VIEW_NATURAL];
        pod_ask joined = {POD_ASK_JOINED, slot->grown_axis, slot->grown_multiplier};
        single &= !sum && !(grown && natural);
        if (sum)
            pod_plan_request(plan, node->inputs[i], (pod_ask){POD_ASK_SUM, 0, 0});
        if (grown)
            pod_plan_request(plan, node->inputs[i], joined);
        if (natural || (kept && !grown))
            pod_plan_request(plan, node->inputs[i], (pod_ask){POD_ASK_NATURAL, 0, 0});
    }
    return single;
}

void pod_need_of_call(pod_plan *plan, const pod_node *node)
{
    const pod_slot *slots = pod_plan_slot(plan, node);
    pod_plan *child = region_plans(plan, node)[0];
    need_natural_for_sums(plan, node);
    if (child == NULL || !any_wanted(plan, node))
        return;
    bool kept = call_may_be_kept(plan, node);
    for (uint32_t r = 0; r < node->result_count; r++) {
        const pod_node *output = child->graph->outputs[r];
        if (slots[r].wanted[POD_VIEW_SUM] && slots[r].partial)
            pod_plan_request(child, output, (pod_ask){POD_ASK_SUM, 0, 0});
        if (slots[r].wanted[POD_VIEW_NATURAL] || kept)
            pod_plan_request(child, output, (pod_ask){POD_ASK_NATURAL, 0, 0});
    }
    if (pod_plan_backward(child))
        plan->marks[node->id] = request_for_body(plan, node, kept) && kept;
}

/* Binds the views of the body's parameters to values of the operands; as new parameters of the
 * region when the call is kept, whose operands go to `operands`. */
static void bind_body(pod_emitter *emitter, const pod_node *node, pod_emitter *inner,
                      pod_node **operands)
{
    const pod_graph *region = inner->plan->graph;
    for (uint32_t i = 0; i < node->input_count; i++) {
        const pod_node *parameter = region->parameters[i];
        const pod_slot *slot = pod_plan_slot(inner->plan, parameter);
        pod_ask asks[POD_VIEW_COUNT] = {
            [POD_VIEW_NATURAL] = {POD_ASK_NATURAL, 0, 0},
            [POD_VIEW_GROWN] = {POD_ASK_JOINED, slot->grown_axis, slot->grown_multiplier},
            [POD_VIEW_SUM] = {POD_ASK_SUM, 0, 0},
        };
        bool unused = !slot->wanted[POD_VIEW_NATURAL] && !slot->wanted[POD_VIEW_GROWN];
        for (pod_view view = 0; view < POD_VIEW_COUNT; view++) {
            bool wanted = slot->wanted[view] || (view == POD_VIEW_NATURAL && operands && unused);
            if (!wanted || (view == POD_VIEW_SUM && !slot->partial))
                continue;
            pod_node *value = pod_emitter_get(emitter, node->inputs[i], asks[view]);
            if (operands != NULL) {
                operands[i] = value;
                value = add_parameter(inner->graph, value, parameter);
            }
            pod_emitter_bind(inner, parameter, view, value);
        }
    }
}

/* The gradient of a call is of use before replicating: it goes along while types stay as they are. */
static pod_graph *copy_gradient(pod_emitter *emitter, const pod_node *node)
{
    pod_plan *plan = emitter->plan;
    const pod_slot *slots = pod_plan_slot(plan, node);
    if (node->region_count < 2)
        return NULL;
    for (uint32_t j = 0; j < node->input_count; j++)
        if (pod_plan_operand_form(plan, node, j)->kind != POD_FORM_UNIFORM)
            return NULL;
    for (uint32_t r = 0; r < node->result_count; r++)
        if (slots[r].form.kind != POD_FORM_UNIFORM)
            return NULL;
    return pod_graph_copy(node->regions[1], NULL);
}

static void emit_kept_call(pod_emitter *emitter, const pod_node *node)
{
    pod_plan *child = region_plans(emitter->plan, node)[0];
    pod_graph *body = new_region(emitter, child->graph);
    pod_emitter *inner = body == NULL ? NULL : child_emitter(emitter, node, child, body);
    if (inner == NULL) {
        pod_graph_free(body);
        return;
    }
    bind_body(emitter, node, inner, emitter->inputs);
    pod_emitter_run(inner);
    for (uint32_t r = 0; r < node->result_count; r++)
        pod_graph_add_output(body, output_in(inner, r, (pod_ask){POD_ASK_NATURAL, 0, 0}));
    pod_graph *regions[2] = {body, copy_gradient(emitter, node)};
    pod_node *call = pod_graph_apply(emitter->graph, POD_OP_CALL, emitter->inputs,
                                     node->input_count, node->attributes, regions,
                                     regions[1] != NULL ? 2 : 1);
    pod_value *values = pod_emitter_value(emitter, node);
    for (uint32_t r = 0; r < node->result_count; r++)
        values[r].views[POD_VIEW_NATURAL] = pod_graph_result(emitter->graph, call, r);
}

static void emit_inlined_call(pod_emitter *emitter, const pod_node *node)
{
    const pod_slot *slots = pod_plan_slot(emitter->plan, node);
    pod_value *values = pod_emitter_value(emitter, node);
    pod_plan *child = region_plans(emitter->plan, node)[0];
    pod_emitter *inner = child_emitter(emitter, node, child, emitter->graph);
    if (inner == NULL)
        return;
    bind_body(emitter, node, inner, NULL);
    pod_emitter_run(inner);
    for (uint32_t r = 0; r < node->result_count; r++) {
        pod_ask natural = {POD_ASK_NATURAL, 0, 0}, sum = {POD_ASK_SUM, 0, 0};
        if (slots[r].wanted[POD_VIEW_NATURAL])
            values[r].views[POD_VIEW_NATURAL] = output_in(inner, r, natural);
        if (slots[r].wanted[POD_VIEW_SUM] && slots[r].partial)
            values[r].views[POD_VIEW_SUM] = output_in(inner, r, sum);
    }
}

void pod_emit_call(pod_emitter *emitter, const pod_node *node)
{
    if (!any_wanted(emitter->plan, node))
        return;
    if (emitter->plan->marks[node->id])
        emit_kept_call(emitter, node);
    else
        emit_inlined_call(emitter, node);
}

/* ---- cond ---- */

static bool is_masked(const pod_plan *plan, const pod_node *node)
{
    return pod_plan_operand_form(plan, node, 0)->kind == POD_FORM_STACKED;
}

void pod_form_of_cond(pod_plan *plan, const pod_node *node)
{
    pod_slot *slots = pod_plan_slot(plan, node);
    pod_form *forms = operand_forms(plan, node, 1), stacked = pod_form_stacked();
    pod_plan *sides[2];
    for (uint32_t k = 0; k < 2; k++) {
        sides[k] = forms == NULL ? NULL : plan_region(plan, node, k, forms);
        if (sides[k] == NULL)
            return;
        pod_plan_forward(sides[k]);
    }
    for (uint32_t r = 0; r < node->result_count; r++) {
        const pod_slot *a = output_slot(sides[0], r), *b = output_slot(sides[1], r);
        bool sums = (a->partial || a->form.kind == POD_FORM_UNIFORM) &&
                    (b->partial || b->form.kind == POD_FORM_UNIFORM);
        slots[r].form = pod_form_merge(&a->form, &b->form);
        if (is_masked(plan, node))
            slots[r].form = pod_form_merge(&slots[r].form, &stacked);
        slots[r].partial = !is_masked(plan, node) && sums && (a->partial || b->partial);
    }
    if (is_masked(plan, node))
        refuse_effects(plan, node);
    refuse_rank(plan, node);
}

/* Returns whether the body of either side needs its parameter. */
static bool either_wants(pod_plan *const *sides, uint32_t parameter)
{
    for (uint32_t k = 0; k < 2; k++)
        if (pod_plan_slot(sides[k], sides[k]->graph->parameters[parameter])
                ->wanted[POD_VIEW_NATURAL])
            return true;
    return false;
}

void pod_need_of_cond(pod_plan *plan, const pod_node *node)
{
    const pod_slot *slots = pod_plan_slot(plan, node);
    pod_plan **sides = region_plans(plan, node);
    need_natural_for_sums(plan, node);
    if (sides[0] == NULL || sides[1] == NULL || !any_wanted(plan, node))
        return;
    pod_plan_request(plan, node->inputs[0], (pod_ask){POD_ASK_NATURAL, 0, 0});
    for (uint32_t k = 0; k < 2; k++) {
        for (uint32_t r = 0; r < node->result_count; r++) {
            const pod_node *output = sides[k]->graph->outputs[r];
            if (slots[r].wanted[POD_VIEW_NATURAL])
                pod_plan_request(sides[k], output, pod_ask_for(&slots[r].form));
            if (slots[r].wanted[POD_VIEW_SUM] && slots[r].partial)
                pod_plan_request(sides[k], output, (pod_ask){POD_ASK_SUM, 0, 0});
        }
        if (!pod_plan_backward(sides[k]))
            return;
    }
    for (uint32_t j = 1; j < node->input_count; j++)
        if (either_wants(sides, j - 1))
            pod_plan_request(plan, node->inputs[j], (pod_ask){POD_ASK_NATURAL, 0, 0});
}

/* Emits one side as a region whose parameters are the values that either side needs. */
static pod_graph *emit_side(pod_emitter *emitter, const pod_node *node, pod_plan *side,
                            pod_node *const *values)
{
    const pod_slot *slots = pod_plan_slot(emitter->plan, node);
    pod_graph *region = new_region(emitter, side->graph);
    pod_emitter *inner = region == NULL ? NULL : child_emitter(emitter, node, side, region);
    if (inner == NULL)
        return region;
    bind_new_parameters(inner, values);
    pod_emitter_run(inner);
    for (uint32_t r = 0; r < node->result_count; r++) {
        if (slots[r].wanted[POD_VIEW_NATURAL])
            pod_graph_add_output(region, output_in(inner, r, pod_ask_for(&slots[r].form)));
        if (slots[r].wanted[POD_VIEW_SUM] && slots[r].partial)
            pod_graph_add_output(region, output_in(inner, r, (pod_ask){POD_ASK_SUM, 0, 0}));
    }
    return region;
}

/* Collects the values that the sides need, NULL for the others; returns how many. */
static uint32_t collect_values(pod_emitter *emitter, const pod_node *node, pod_node **values,
                               pod_node **operands)
{
    pod_plan **sides = region_plans(emitter->plan, node);
    uint32_t count = 0;
    for (uint32_t j = 1; j < node->input_count; j++) {
        pod_ask natural = {POD_ASK_NATURAL, 0, 0};
        values[j - 1] = NULL;
        if (!either_wants(sides, j - 1))
            continue;
        values[j - 1] = pod_emitter_get(emitter, node->inputs[j], natural);
        operands[count++] = values[j - 1];
    }
    return count;
}

static void emit_branch(pod_emitter *emitter, const pod_node *node, pod_node **values)
{
    const pod_slot *slots = pod_plan_slot(emitter->plan, node);
    pod_value *made = pod_emitter_value(emitter, node);
    pod_plan **sides = region_plans(emitter->plan, node);
    pod_ask natural = {POD_ASK_NATURAL, 0, 0};
    emitter->inputs[0] = pod_emitter_get(emitter, node->inputs[0], natural);
    uint32_t count = collect_values(emitter, node, values, emitter->inputs + 1);
    pod_graph *regions[2] = {emit_side(emitter, node, sides[0], values),
                             emit_side(emitter, node, sides[1], values)};
    if (regions[0] == NULL || regions[1] == NULL) {
        pod_graph_free(regions[0]);
        pod_graph_free(regions[1]);
        return;
    }
    pod_node *branch = pod_graph_apply(emitter->graph, POD_OP_COND, emitter->inputs, count + 1,
                                       node->attributes, regions, 2);
    for (uint32_t r = 0, next = 0; r < node->result_count; r++) {
        if (slots[r].wanted[POD_VIEW_NATURAL])
            made[r].views[POD_VIEW_NATURAL] = pod_graph_result(emitter->graph, branch, next++);
        if (slots[r].wanted[POD_VIEW_SUM] && slots[r].partial)
            made[r].views[POD_VIEW_SUM] = pod_graph_result(emitter->graph, branch, next++);
    }
}

/* Inlines a region whose parameters are the given values, in natural form. */
static pod_emitter *inline_region(pod_emitter *emitter, const pod_node *node, pod_plan *child,
                                  pod_graph *target, pod_node *const *values)
{
    pod_emitter *inner = child_emitter(emitter, node, child, target);
    if (inner == NULL)
        return NULL;
    for (uint32_t i = 0; i < child->graph->parameter_count; i++)
        pod_emitter_bind(inner, child->graph->parameters[i], POD_VIEW_NATURAL, values[i]);
    pod_emitter_run(inner);
    return inner;
}

/* Takes a stacked value from the replicas where the predicate [replicas] is true. */
static pod_node *select_replicas(pod_emitter *emitter, pod_node *predicate, pod_node *a,
                                 pod_node *b)
{
    pod_node *mask = pod_emit_broadcast(emitter, predicate, pod_emit_shape(a), (int32_t[]){0});
    return pod_emit_select(emitter, mask, a, b);
}

static void emit_both_sides(pod_emitter *emitter, const pod_node *node, pod_node **values)
{
    const pod_slot *slots = pod_plan_slot(emitter->plan, node);
    pod_value *made = pod_emitter_value(emitter, node);
    pod_plan **sides = region_plans(emitter->plan, node);
    pod_ask natural = {POD_ASK_NATURAL, 0, 0}, stacked = {POD_ASK_STACKED, 0, 0};
    pod_emitter *inner[2];
    collect_values(emitter, node, values, emitter->inputs);
    for (uint32_t k = 0; k < 2; k++) {
        inner[k] = inline_region(emitter, node, sides[k], emitter->graph, values);
        if (inner[k] == NULL)
            return;
    }
    pod_emitter_place(emitter, node);
    pod_node *predicate = pod_emitter_get(emitter, node->inputs[0], natural);
    for (uint32_t r = 0; r < node->result_count; r++)
        if (slots[r].wanted[POD_VIEW_NATURAL])
            made[r].views[POD_VIEW_NATURAL] =
                select_replicas(emitter, predicate, output_in(inner[0], r, stacked),
                                output_in(inner[1], r, stacked));
}

void pod_emit_cond(pod_emitter *emitter, const pod_node *node)
{
    if (!any_wanted(emitter->plan, node))
        return;
    pod_node **values =
        pod_session_allocate(emitter->plan->session, node->input_count, sizeof *values);
    if (values == NULL)
        return;
    if (is_masked(emitter->plan, node))
        emit_both_sides(emitter, node, values);
    else
        emit_branch(emitter, node, values);
}

/* ---- while: region 0 tells whether to go on, region 1 makes the next state ---- */

/* Returns whether state i goes through the loop unchanged. */
static bool is_carried(const pod_node *node, uint32_t i)
{
    return node->regions[1]->outputs[i] == node->regions[1]->parameters[i];
}

/* Plans both regions under the forms of the state, and widens those to what a turn makes of them.
 * Returns whether a form changed. */
static bool widen_state(pod_plan *plan, const pod_node *node, pod_form *forms)
{
    pod_form stacked = pod_form_stacked();
    bool changed = false;
    for (uint32_t k = 0; k < 2; k++) {
        pod_plan *child = plan_region(plan, node, k, forms);
        if (child == NULL)
            return false;
        pod_plan_forward(child);
    }
    pod_plan **regions = region_plans(plan, node);
    bool masked = output_slot(regions[0], 0)->form.kind == POD_FORM_STACKED;
    plan->marks[node->id] = masked;
    for (uint32_t i = 0; i < node->input_count; i++) {
        if (is_carried(node, i))
            continue;
        pod_form next = pod_form_merge(&forms[i], &output_slot(regions[1], i)->form);
        if (masked)
            next = pod_form_merge(&next, &stacked);
        changed |= !pod_form_equal(&next, &forms[i]);
        forms[i] = next;
    }
    return changed;
}

void pod_form_of_while(pod_plan *plan, const pod_node *node)
{
    pod_slot *slots = pod_plan_slot(plan, node);
    pod_form *forms = operand_forms(plan, node, 0);
    if (forms == NULL)
        return;
    while (!fails(plan) && widen_state(plan, node, forms))
        continue;
    for (uint32_t i = 0; i < node->result_count; i++)
        slots[i].form = forms[i];
    if (plan->marks[node->id])
        refuse_effects(plan, node);
    refuse_rank(plan, node);
}

void pod_need_of_while(pod_plan *plan, const pod_node *node)
{
    const pod_slot *slots = pod_plan_slot(plan, node);
    pod_plan **regions = region_plans(plan, node);
    need_natural_for_sums(plan, node);
    if (regions[0] == NULL || regions[1] == NULL || !any_wanted(plan, node))
        return;
    pod_plan_request(regions[0], regions[0]->graph->outputs[0],
                     (pod_ask){POD_ASK_NATURAL, 0, 0});
    for (uint32_t i = 0; i < node->input_count; i++) {
        pod_ask ask = pod_ask_for(&slots[i].form);
        pod_plan_request(regions[1], regions[1]->graph->outputs[i], ask);
        pod_plan_request(plan, node->inputs[i], ask);
    }
    if (pod_plan_backward(regions[0]))
        (void)pod_plan_backward(regions[1]);
}

/* A new region of the loop, with one parameter for each state. */
static pod_graph *new_loop_region(pod_emitter *emitter, const pod_node *node, uint32_t index,
                                  pod_node **state)
{
    const pod_graph *like = node->regions[index];
    pod_graph *region = new_region(emitter, like);
    for (uint32_t i = 0; region != NULL && i < node->input_count; i++)
        state[i] = add_parameter(region, emitter->inputs[i], like->parameters[i]);
    return region;
}

/* Goes on while any replica does. */
static pod_graph *emit_loop_condition(pod_emitter *emitter, const pod_node *node,
                                      pod_node **state)
{
    pod_plan **plans = region_plans(emitter->plan, node);
    pod_graph *region = new_loop_region(emitter, node, 0, state);
    if (region == NULL)
        return NULL;
    pod_emitter *inner = inline_region(emitter, node, plans[0], region, state);
    if (inner == NULL)
        return region;
    pod_node *go_on = output_in(inner, 0, (pod_ask){POD_ASK_NATURAL, 0, 0});
    if (emitter->plan->marks[node->id])
        go_on = pod_emit_reduce(inner, POD_OP_REDUCE_OR, go_on, 0);
    pod_graph_add_output(region, go_on);
    return region;
}

/* A replica that is done keeps its state. */
static pod_graph *emit_loop_body(pod_emitter *emitter, const pod_node *node, pod_node **state)
{
    const pod_slot *slots = pod_plan_slot(emitter->plan, node);
    pod_plan **plans = region_plans(emitter->plan, node);
    pod_graph *region = new_loop_region(emitter, node, 1, state);
    pod_node *go_on = NULL;
    if (region == NULL)
        return NULL;
    if (emitter->plan->marks[node->id]) {
        pod_emitter *test = inline_region(emitter, node, plans[0], region, state);
        if (test == NULL)
            return region;
        go_on = output_in(test, 0, (pod_ask){POD_ASK_NATURAL, 0, 0});
    }
    pod_emitter *inner = inline_region(emitter, node, plans[1], region, state);
    if (inner == NULL)
        return region;
    for (uint32_t i = 0; i < node->input_count; i++) {
        pod_node *next = output_in(inner, i, pod_ask_for(&slots[i].form));
        if (go_on != NULL && !is_carried(node, i))
            next = select_replicas(inner, go_on, next, state[i]);
        pod_graph_add_output(region, next);
    }
    return region;
}

void pod_emit_while(pod_emitter *emitter, const pod_node *node)
{
    const pod_slot *slots = pod_plan_slot(emitter->plan, node);
    pod_value *values = pod_emitter_value(emitter, node);
    if (!any_wanted(emitter->plan, node))
        return;
    pod_node **state =
        pod_session_allocate(emitter->plan->session, node->input_count, sizeof *state);
    if (state == NULL)
        return;
    for (uint32_t i = 0; i < node->input_count; i++)
        emitter->inputs[i] = pod_emitter_get(emitter, node->inputs[i],
                                             pod_ask_for(&slots[i].form));
    pod_graph *regions[2] = {emit_loop_condition(emitter, node, state),
                             emit_loop_body(emitter, node, state)};
    if (regions[0] == NULL || regions[1] == NULL) {
        pod_graph_free(regions[0]);
        pod_graph_free(regions[1]);
        return;
    }
    pod_node *loop = pod_graph_apply(emitter->graph, POD_OP_WHILE, emitter->inputs,
                                     node->input_count, node->attributes, regions, 2);
    for (uint32_t r = 0; r < node->result_count; r++)
        values[r].views[POD_VIEW_NATURAL] = pod_graph_result(emitter->graph, loop, r);
}
