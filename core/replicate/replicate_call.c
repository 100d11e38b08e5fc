/* Calls: kept by name where they can be, else inlined. */

#include "graph/composites.h"
#include "replicate/replicate_regions.h"

void pod_form_of_call(pod_plan *plan, const pod_node *node)
{
    const pod_graph *region = node->regions[0];
    pod_result_plan *slots = pod_replicate_plan_slot(plan, node);
    pod_form *forms = pod_replicate_region_forms(plan, node, 0);
    pod_plan *child = forms == NULL ? NULL : pod_replicate_region_plan(plan, node, 0, forms);
    if (child == NULL)
        return;
    for (uint32_t i = 0; i < node->input_count; i++) {
        pod_result_plan *parameter = pod_replicate_plan_slot(child, region->parameters[i]);
        const pod_result_plan *operand = pod_replicate_plan_slot(plan, node->inputs[i]);
        parameter->form.repeated = operand->form.repeated;
        parameter->partial = operand->partial;
    }
    pod_replicate_plan_forward(child);
    for (uint32_t r = 0; r < node->result_count; r++) {
        slots[r].form = pod_replicate_region_output(child, r)->form;
        slots[r].form.repeated = 0;
        slots[r].partial = pod_replicate_region_output(child, r)->partial;
    }
}

/* A call keeps its name, for kernels that know it, when what goes in, comes out and lies between has the core's axes:
 * a kernel would fold the rows of all replicas where the body has one of each replica. */
static bool call_may_be_kept(pod_plan *plan, const pod_node *node)
{
    const pod_result_plan *slots = pod_replicate_plan_slot(plan, node);
    const pod_plan *child = pod_replicate_region_plans(plan, node)[0];
    for (uint32_t j = 0; j < node->input_count; j++)
        if (pod_replicate_plan_operand_form(plan, node, j)->kind == POD_FORM_STACKED)
            return false;
    for (uint32_t r = 0; r < node->result_count; r++)
        if (slots[r].form.kind == POD_FORM_STACKED || (slots[r].wanted[POD_VIEW_SUM] && slots[r].partial))
            return false;
    for (uint32_t i = 0; i < child->graph->node_count; i++)
        if (child->refusals[i] != POD_REFUSED_NOT ||
            pod_replicate_plan_slot(child, child->graph->nodes[i])->form.kind == POD_FORM_STACKED)
            return false;
    return true;
}

/* Asks for the operands in the views that the body wants of its parameters; returns whether each
 * is wanted in one view at most, and none as a sum. */
static bool request_for_body(pod_plan *plan, const pod_node *node, bool kept)
{
    const pod_plan *child = pod_replicate_region_plans(plan, node)[0];
    bool single = true;
    for (uint32_t i = 0; i < node->input_count; i++) {
        const pod_result_plan *slot = pod_replicate_plan_slot(child, child->graph->parameters[i]);
        bool sum = slot->wanted[POD_VIEW_SUM] && slot->partial;
        bool grown = slot->wanted[POD_VIEW_GROWN], natural = slot->wanted[POD_VIEW_NATURAL];
        pod_ask joined = {POD_ASK_JOINED, slot->grown_axis, slot->grown_multiplier};
        single &= !sum && !(grown && natural);
        if (sum)
            pod_replicate_plan_request(plan, node->inputs[i], POD_AS_SUM);
        if (grown)
            pod_replicate_plan_request(plan, node->inputs[i], joined);
        if (natural || (kept && !grown))
            pod_replicate_plan_request(plan, node->inputs[i], POD_AS_NATURAL);
    }
    return single;
}

void pod_need_of_call(pod_plan *plan, const pod_node *node)
{
    const pod_result_plan *slots = pod_replicate_plan_slot(plan, node);
    pod_plan *child = pod_replicate_region_plans(plan, node)[0];
    if (child == NULL || !pod_replicate_region_wanted(plan, node))
        return;
    bool kept = call_may_be_kept(plan, node);
    for (uint32_t r = 0; r < node->result_count; r++) {
        const pod_node *output = child->graph->outputs[r];
        if (slots[r].wanted[POD_VIEW_SUM] && slots[r].partial)
            pod_replicate_plan_request(child, output, POD_AS_SUM);
        if (slots[r].wanted[POD_VIEW_NATURAL] || kept)
            pod_replicate_plan_request(child, output, POD_AS_NATURAL);
    }
    if (pod_replicate_plan_backward(child))
        plan->marks[node->id] = request_for_body(plan, node, kept) && kept;
}

/* Binds the views of the body's parameters to values of the operands; as new parameters of the
 * region when the call is kept, whose operands go to `operands`. */
static void bind_body(pod_emitter *emitter, const pod_node *node, pod_emitter *inner, pod_node **operands)
{
    const pod_graph *region = inner->plan->graph;
    for (uint32_t i = 0; i < node->input_count; i++) {
        const pod_node *parameter = region->parameters[i];
        const pod_result_plan *slot = pod_replicate_plan_slot(inner->plan, parameter);
        pod_ask asks[POD_VIEW_COUNT] = {
            [POD_VIEW_NATURAL] = POD_AS_NATURAL,
            [POD_VIEW_GROWN] = {POD_ASK_JOINED, slot->grown_axis, slot->grown_multiplier},
            [POD_VIEW_SUM] = POD_AS_SUM,
        };
        bool unused = !slot->wanted[POD_VIEW_NATURAL] && !slot->wanted[POD_VIEW_GROWN];
        for (pod_result_view view = 0; view < POD_VIEW_COUNT; view++) {
            bool wanted = slot->wanted[view] || (view == POD_VIEW_NATURAL && operands && unused);
            if (!wanted || (view == POD_VIEW_SUM && !slot->partial))
                continue;
            pod_node *value = pod_replicate_emitter_get(emitter, node->inputs[i], asks[view]);
            if (operands != NULL) {
                operands[i] = value;
                value = pod_replicate_region_parameter(inner->graph, value, parameter);
            }
            pod_replicate_emitter_bind(inner, parameter, view, value);
        }
    }
}

/* The gradient of a call is of use before replicating: it goes along while types stay as they are.
 */
static pod_graph *copy_gradient(pod_emitter *emitter, const pod_node *node)
{
    pod_plan *plan = emitter->plan;
    const pod_result_plan *slots = pod_replicate_plan_slot(plan, node);
    if (node->region_count < 2)
        return NULL;
    for (uint32_t j = 0; j < node->input_count; j++)
        if (pod_replicate_plan_operand_form(plan, node, j)->kind != POD_FORM_UNIFORM)
            return NULL;
    for (uint32_t r = 0; r < node->result_count; r++)
        if (slots[r].form.kind != POD_FORM_UNIFORM)
            return NULL;
    return pod_graph_copy(node->regions[1], NULL);
}

/* Returns whether the composite of a call's name takes operands as the body has them now, and gives what the body
 * gives. An operand that is the same on every core has no joined rows: the body repeats it for them, and a kernel would
 * not. Shapes alone do not tell it: heads of keys that are repeated for the queries of each core are as many as those
 * that the name repeats for queries beside each other, and positions that begin anew for each core go on for the name.
 * Where memory runs out that is the body's error: without its name the call would compute other numbers. */
static bool name_fits(const pod_node *node, pod_graph *body)
{
    enum { MOST_OPERANDS = 8 };
    const char *name = node->attributes->name;
    const pod_composite *composite = name ? pod_graph_composite_find(name) : NULL;
    pod_graph *scratch;
    pod_error error;
    if (!composite)
        return true;
    if (node->input_count > MOST_OPERANDS || pod_graph_check(body, NULL) != POD_OK)
        return false;
    if (pod_graph_new(body->context, name, &scratch, &error) != POD_OK) {
        pod_graph_fail(body, error.status, "%s", error.message);
        return false;
    }
    pod_node *operands[MOST_OPERANDS];
    for (uint32_t i = 0; i < node->input_count; i++) {
        const pod_node *parameter = body->parameters[i];
        operands[i] = pod_graph_parameter(scratch, pod_node_dtype(parameter, 0), pod_node_shape(parameter, 0), NULL);
    }
    const pod_node *made = pod_graph_composite(scratch, name, operands, node->input_count, node->attributes);
    bool fits = pod_node_is_valid(made) && made->result_count == body->output_count;
    for (uint32_t r = 0; fits && r < made->result_count; r++)
        fits = pod_shape_equal(pod_node_shape(made, r), pod_node_shape(body->outputs[r], 0));
    if (pod_graph_check(scratch, &error) == POD_ERROR_MEMORY)
        pod_graph_fail(body, error.status, "%s", error.message);
    pod_graph_free(scratch);
    return fits;
}

static void emit_kept_call(pod_emitter *emitter, const pod_node *node)
{
    pod_plan *child = pod_replicate_region_plans(emitter->plan, node)[0];
    pod_graph *body = pod_replicate_region_new(emitter, child->graph);
    pod_emitter *inner = body == NULL ? NULL : pod_replicate_region_emitter(emitter, node, child, body);
    if (inner == NULL) {
        pod_graph_free(body);
        return;
    }
    bind_body(emitter, node, inner, emitter->inputs);
    pod_replicate_emitter_run(inner);
    for (uint32_t r = 0; r < node->result_count; r++)
        pod_graph_add_output(body, pod_replicate_region_result(inner, r, POD_AS_NATURAL));
    pod_graph *regions[2] = {body, copy_gradient(emitter, node)};
    pod_attributes attributes = *node->attributes;
    if (inner->repeats || !name_fits(node, body))
        attributes.name = NULL;
    pod_node *call = pod_graph_apply(emitter->graph, POD_OP_CALL, emitter->inputs, node->input_count, &attributes,
                                     regions, regions[1] != NULL ? 2 : 1);
    pod_value *values = pod_replicate_emitter_value(emitter, node);
    for (uint32_t r = 0; r < node->result_count; r++)
        values[r].views[POD_VIEW_NATURAL] = pod_graph_result(emitter->graph, call, r);
}

static void emit_inlined_call(pod_emitter *emitter, const pod_node *node)
{
    const pod_result_plan *slots = pod_replicate_plan_slot(emitter->plan, node);
    pod_value *values = pod_replicate_emitter_value(emitter, node);
    pod_plan *child = pod_replicate_region_plans(emitter->plan, node)[0];
    pod_emitter *inner = pod_replicate_region_emitter(emitter, node, child, emitter->graph);
    if (inner == NULL)
        return;
    bind_body(emitter, node, inner, NULL);
    pod_replicate_emitter_run(inner);
    for (uint32_t r = 0; r < node->result_count; r++) {
        if (slots[r].wanted[POD_VIEW_NATURAL])
            values[r].views[POD_VIEW_NATURAL] = pod_replicate_region_result(inner, r, POD_AS_NATURAL);
        if (slots[r].wanted[POD_VIEW_SUM] && slots[r].partial)
            values[r].views[POD_VIEW_SUM] = pod_replicate_region_result(inner, r, POD_AS_SUM);
    }
}

void pod_emit_call(pod_emitter *emitter, const pod_node *node)
{
    if (!pod_replicate_region_wanted(emitter->plan, node))
        return;
    if (emitter->plan->marks[node->id])
        emit_kept_call(emitter, node);
    else
        emit_inlined_call(emitter, node);
}
