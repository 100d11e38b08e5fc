#include "replicate/replicate_regions.h"

#include "base/error.h"

pod_plan **pod_replicate_region_plans(pod_plan *plan, const pod_node *node)
{
    return &plan->regions[2 * (size_t)node->id];
}

pod_plan *pod_replicate_region_plan(pod_plan *plan, const pod_node *node, uint32_t index, const pod_form *forms)
{
    const pod_graph *region = node->regions[index];
    pod_plan *child = pod_replicate_plan_new(plan->session, region);
    pod_replicate_region_plans(plan, node)[index] = child;
    if (child == NULL)
        return NULL;
    for (uint32_t i = 0; i < region->parameter_count; i++)
        pod_replicate_plan_slot(child, region->parameters[i])->form = forms[i];
    return child;
}

pod_form *pod_replicate_region_forms(pod_plan *plan, const pod_node *node, uint32_t first)
{
    pod_form *forms = pod_replicate_session_allocate(plan->session, node->input_count, sizeof *forms);
    for (uint32_t j = first; forms != NULL && j < node->input_count; j++) {
        forms[j - first] = *pod_replicate_plan_operand_form(plan, node, j);
        forms[j - first].repeated = 0;
    }
    return forms;
}

pod_result_plan *pod_replicate_region_input(const pod_plan *child, uint32_t parameter)
{
    return pod_replicate_plan_slot(child, child->graph->parameters[parameter]);
}

pod_result_plan *pod_replicate_region_output(const pod_plan *child, uint32_t output)
{
    return pod_replicate_plan_slot(child, child->graph->outputs[output]);
}

bool pod_replicate_region_wanted(pod_plan *plan, const pod_node *node)
{
    const pod_result_plan *slots = pod_replicate_plan_slot(plan, node);
    for (uint32_t r = 0; r < node->result_count; r++)
        if (slots[r].wanted[POD_VIEW_NATURAL] || slots[r].wanted[POD_VIEW_SUM])
            return true;
    return false;
}

/* Returns whether replicas meet in a graph. */
static bool has_collectives(const pod_batch_session *session, const pod_graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const pod_node *node = graph->nodes[i];
        if (session->rule(node->op)->ask == pod_ask_of_collective)
            return true;
        for (uint32_t r = 0; r < node->region_count; r++)
            if (node->op != POD_OP_REDUCE && has_collectives(session, node->regions[r]))
                return true;
    }
    return false;
}

void pod_replicate_region_refuse_effects(pod_plan *plan, const pod_node *node)
{
    bool some = pod_node_has_effect(node);
    for (uint32_t r = 0; r < node->region_count; r++)
        some = some || has_collectives(plan->session, node->regions[r]);
    if (some)
        pod_replicate_plan_refuse(plan, node, POD_REFUSED_EFFECT);
}

void pod_replicate_region_refuse_rank(pod_plan *plan, const pod_node *node)
{
    const pod_result_plan *slots = pod_replicate_plan_slot(plan, node);
    for (uint32_t r = 0; r < node->result_count; r++)
        if (slots[r].form.kind == POD_FORM_STACKED && node->results[r].shape.rank == POD_MAX_RANK)
            pod_replicate_plan_refuse(plan, node, POD_REFUSED_RANK);
}

pod_emitter *pod_replicate_region_emitter(pod_emitter *emitter, const pod_node *node, pod_plan *child,
                                          pod_graph *target)
{
    pod_emitter *inner = pod_replicate_emitter_new(child, target);
    if (inner == NULL)
        return NULL;
    inner->location = node->location ? node->location : emitter->location;
    inner->scope = node->scope ? node->scope : emitter->scope;
    inner->outer = emitter;
    return inner;
}

pod_graph *pod_replicate_region_new(pod_emitter *emitter, const pod_graph *like)
{
    pod_graph *region;
    pod_batch_session *session = emitter->plan->session;
    pod_error error;
    if (pod_graph_new(session->context, like->name, &region, &error) != POD_OK)
        pod_replicate_session_fail(session, NULL, error.status, "%s", error.message);
    return region;
}

pod_node *pod_replicate_region_parameter(pod_graph *region, const pod_node *value, const pod_node *like)
{
    const pod_type *type = pod_node_type(value);
    return pod_graph_parameter(region, type->dtype, &type->shape, like->attributes->name);
}

pod_node *pod_replicate_region_result(pod_emitter *inner, uint32_t output, pod_ask ask)
{
    return pod_replicate_emitter_get(inner, inner->plan->graph->outputs[output], ask);
}

pod_emitter *pod_replicate_region_inline(pod_emitter *emitter, const pod_node *node, pod_plan *child, pod_graph *target,
                                         pod_node *const *values)
{
    pod_emitter *inner = pod_replicate_region_emitter(emitter, node, child, target);
    if (inner == NULL)
        return NULL;
    for (uint32_t i = 0; i < child->graph->parameter_count; i++) {
        bool sum = pod_replicate_region_input(child, i)->partial;
        pod_replicate_emitter_bind(inner, child->graph->parameters[i], sum ? POD_VIEW_SUM : POD_VIEW_NATURAL,
                                   values[i]);
    }
    pod_replicate_emitter_run(inner);
    return inner;
}

pod_node *pod_replicate_region_select(pod_emitter *emitter, pod_node *predicate, pod_node *a, pod_node *b)
{
    pod_node *mask = pod_replicate_emit_broadcast(emitter, predicate, pod_node_shape(a, 0), (int32_t[]){0});
    return pod_graph_select(emitter->graph, mask, a, b);
}
