/* Leaves, and ops whose form does not follow from axes alone: check, random_bits, dimension_size.
 */

#include <string.h>

#include "replicate/replicate_emit.h"

/* Constants of one element repeat it along all axes, and iota along all but its own. */
void pod_form_of_leaf(pod_plan *plan, const pod_node *node)
{
    pod_form *form = &pod_replicate_plan_slot(plan, node)->form;
    uint32_t all = (1u << node->results[0].shape.rank) - 1;
    *form = POD_UNIFORM_FORM;
    if (plan->session->shards.mapping)
        return;
    if (node->op == POD_OP_CONSTANT && node->attributes->flag)
        form->repeated = all;
    if (node->op == POD_OP_IOTA)
        form->repeated = all & ~(1u << node->attributes->axis);
}

/* ---- opaque: what it does is not known ---- */

void pod_form_of_opaque(pod_plan *plan, const pod_node *node)
{
    pod_result_plan *slots = pod_replicate_plan_slot(plan, node);
    for (uint32_t r = 0; r < node->result_count; r++)
        slots[r].form = POD_UNIFORM_FORM;
    pod_replicate_plan_refuse(plan, node, POD_REFUSED_OPAQUE);
}

/* ---- check: operand 0, whatever the form of what is checked ---- */

void pod_form_of_check(pod_plan *plan, const pod_node *node)
{
    pod_replicate_plan_slot(plan, node)->form = *pod_replicate_plan_operand_form(plan, node, 0);
}

void pod_ask_of_check(pod_plan *plan, const pod_node *node, pod_result_view view, pod_ask *asks)
{
    const pod_result_plan *slot = pod_replicate_plan_slot(plan, node);
    asks[0] = asks[1] = POD_AS_NATURAL;
    if (view == POD_VIEW_GROWN)
        asks[0] = (pod_ask){POD_ASK_JOINED, slot->grown_axis, slot->grown_multiplier};
}

/* Padding never fails a check. */
pod_node *pod_emit_check(pod_emitter *emitter, const pod_node *node, pod_result_view view, pod_node **inputs)
{
    (void)view;
    if (pod_replicate_plan_operand_form(emitter->plan, node, 1)->kind == POD_FORM_STACKED)
        inputs[1] = pod_replicate_emit_masked_operand(emitter, node, 1, inputs[1], POD_FILL_ONE);
    return pod_graph_copy_node(emitter->graph, node, inputs);
}

/* ---- with_rows: operand 0 in the form of its own rows and those of operand 1, of which no value is needed ---- */

static bool gives_rows(const pod_plan *plan, const pod_node *node)
{
    return pod_replicate_form_has_rows(pod_replicate_plan_operand_form(plan, node, 1));
}

void pod_form_of_with_rows(pod_plan *plan, const pod_node *node)
{
    pod_form *form = &pod_replicate_plan_slot(plan, node)->form;
    *form = gives_rows(plan, node) ? pod_replicate_plan_form_by_axes(plan, node)
                                   : *pod_replicate_plan_operand_form(plan, node, 0);
}

void pod_ask_of_with_rows(pod_plan *plan, const pod_node *node, pod_result_view view, pod_ask *asks)
{
    const pod_result_plan *slot = pod_replicate_plan_slot(plan, node);
    asks[0] = pod_replicate_ask_for(&slot->form);
    asks[1] = POD_AS_NOTHING;
    if (view == POD_VIEW_GROWN)
        asks[0] = (pod_ask){POD_ASK_JOINED, slot->grown_axis, slot->grown_multiplier};
}

pod_node *pod_emit_with_rows(pod_emitter *emitter, const pod_node *node, pod_result_view view, pod_node **inputs)
{
    (void)emitter, (void)node, (void)view;
    return inputs[0];
}

pod_sum_way pod_sum_with_rows(pod_plan *plan, const pod_node *node, pod_ask *asks)
{
    if (gives_rows(plan, node) || !pod_replicate_plan_slot(plan, node->inputs[0])->partial)
        return POD_SUM_OF_NATURAL;
    asks[0] = POD_AS_SUM;
    asks[1] = POD_AS_NOTHING;
    return POD_SUM_SAME_OP;
}

/* ---- random_bits ---- */

static bool state_is_stacked(const pod_plan *plan, const pod_node *node)
{
    return pod_replicate_plan_operand_form(plan, node, 0)->kind == POD_FORM_STACKED;
}

/* A shape alone is each replica's own; like a uniform value the bits are uniform, so that they do
 * not depend on the number of replicas. */
void pod_form_of_random(pod_plan *plan, const pod_node *node)
{
    pod_result_plan *slot = pod_replicate_plan_slot(plan, node);
    bool has_like = node->input_count > 1;
    const pod_form *like = has_like ? pod_replicate_plan_operand_form(plan, node, 1) : NULL;
    slot->form = POD_UNIFORM_FORM;
    if (plan->session->shards.all_replicas == 1 && !plan->session->shards.mapping)
        return;
    if (state_is_stacked(plan, node) || (has_like && like->kind == POD_FORM_STACKED) || plan->session->shards.mapping ||
        !has_like)
        slot->form = pod_replicate_plan_form_stacked(plan, node);
    else if (like->kind == POD_FORM_JOINED)
        slot->form = *like;
}

void pod_ask_of_random(pod_plan *plan, const pod_node *node, pod_result_view view, pod_ask *asks)
{
    bool stacked = pod_replicate_plan_slot(plan, node)->form.kind == POD_FORM_STACKED;
    (void)view;
    asks[0] = state_is_stacked(plan, node) ? POD_AS_STACKED : POD_AS_NATURAL;
    if (node->input_count > 1)
        asks[1] = stacked ? POD_AS_NOTHING : POD_AS_NATURAL;
}

/* Rows of the bits are global rows: those of replica k come behind those of replicas 0 to k - 1.
 * Of mapped elements each is one row. */
static pod_node *stacked_bits(pod_emitter *emitter, const pod_node *node, pod_node *state)
{
    const pod_shards *shards = &emitter->plan->session->shards;
    pod_attributes attributes = *node->attributes;
    pod_shape shape = pod_replicate_emit_stacked_shape(emitter, &node->results[0].shape);
    shape.dims[0] = shards->mapping ? shards->replicas : shards->all_replicas;
    attributes.shape = shape;
    attributes.dtype = node->results[0].dtype;
    int64_t padding = 0;
    if (!shards->mapping && shape.rank > 1) {
        padding = (shards->chunk - shards->full) * pod_replicate_plan_slot(emitter->plan, node)->form.rows[0];
        shape.dims[1] -= padding;
        attributes.shape = node->results[0].shape;
        attributes.shape.dims[0] = shape.dims[1] * shards->all_replicas;
    }
    pod_node *bits = pod_replicate_emit_op(emitter, POD_OP_RANDOM_BITS, &state, 1, &attributes);
    bits = pod_replicate_emit_own_replicas(emitter, pod_graph_reshape(emitter->graph, bits, &shape));
    return pod_replicate_emit_pad_end(emitter, bits, 1, padding);
}

/* Those of all ranks' rows, of which this one takes its own. */
static pod_node *joined_bits(pod_emitter *emitter, const pod_node *node, const pod_form *form, pod_node *state)
{
    pod_attributes attributes = *node->attributes;
    attributes.shape = node->results[0].shape;
    attributes.shape.dims[form->axis] = emitter->plan->session->shards.all_rows * form->multiplier;
    attributes.dtype = node->results[0].dtype;
    pod_node *bits = pod_replicate_emit_op(emitter, POD_OP_RANDOM_BITS, &state, 1, &attributes);
    return pod_replicate_emit_own_rows(emitter, bits, form->axis, form->multiplier);
}

/* Each replica has its own state. */
static pod_node *unrolled_bits(pod_emitter *emitter, const pod_node *node, pod_node *state)
{
    pod_batch_session *session = emitter->plan->session;
    size_t replicas = (size_t)session->shards.replicas;
    pod_node **parts = pod_replicate_session_allocate(session, replicas, sizeof *parts);
    pod_attributes attributes = *node->attributes;
    if (parts == NULL)
        return &emitter->graph->invalid;
    attributes.shape = node->results[0].shape;
    attributes.dtype = node->results[0].dtype;
    for (size_t i = 0; i < replicas; i++) {
        parts[i] = pod_replicate_emit_slice(emitter, state, 0, (int64_t)i, (int64_t)i + 1);
        parts[i] = pod_replicate_emit_merge(emitter, parts[i], 0);
        parts[i] = pod_replicate_emit_op(emitter, POD_OP_RANDOM_BITS, &parts[i], 1, &attributes);
        pod_shape shape = pod_replicate_emit_stacked_shape(emitter, &attributes.shape);
        shape.dims[0] = 1;
        parts[i] = pod_graph_reshape(emitter->graph, parts[i], &shape);
    }
    return pod_replicate_emit_op(emitter, POD_OP_CONCATENATE, parts, replicas, NULL);
}

pod_node *pod_emit_random(pod_emitter *emitter, const pod_node *node, pod_result_view view, pod_node **inputs)
{
    const pod_form *form = &pod_replicate_plan_slot(emitter->plan, node)->form;
    (void)view;
    if (form->kind == POD_FORM_JOINED && emitter->plan->session->shards.ranks > 1)
        return joined_bits(emitter, node, form, inputs[0]);
    if (form->kind != POD_FORM_STACKED)
        return pod_graph_copy_node(emitter->graph, node, inputs);
    if (state_is_stacked(emitter->plan, node))
        return unrolled_bits(emitter, node, inputs[0]);
    return stacked_bits(emitter, node, inputs[0]);
}

/* ---- dimension_size ---- */

/* Returns the entries a row of the axis that is asked for; 0 when it does not run over rows. */
static int64_t rows_of_axis(const pod_plan *plan, const pod_node *node)
{
    int64_t rows[POD_MAX_RANK];
    pod_replicate_form_rows(pod_replicate_plan_operand_form(plan, node, 0), rows);
    return rows[node->attributes->axis];
}

void pod_form_of_dimension(pod_plan *plan, const pod_node *node)
{
    bool differs = rows_of_axis(plan, node) != 0 && !plan->session->shards.even;
    pod_replicate_plan_slot(plan, node)->form = differs ? POD_STACKED_FORM : POD_UNIFORM_FORM;
}

void pod_ask_of_dimension(pod_plan *plan, const pod_node *node, pod_result_view view, pod_ask *asks)
{
    (void)node, (void)view;
    asks[0] = plan->session->shards.mapping ? POD_AS_NATURAL : POD_AS_NOTHING;
}

static pod_node *row_counts(pod_emitter *emitter, int64_t multiplier)
{
    pod_batch_session *session = emitter->plan->session;
    pod_shape shape = {1, {session->shards.replicas}};
    int32_t *counts = pod_replicate_session_allocate(session, (size_t)shape.dims[0], sizeof *counts);
    if (counts == NULL)
        return &emitter->graph->invalid;
    for (int64_t i = 0; i < shape.dims[0]; i++)
        counts[i] = (int32_t)(pod_replicate_shards_length(&session->shards, i) * multiplier);
    return pod_graph_constant(emitter->graph, POD_S32, &shape, counts);
}

pod_node *pod_emit_dimension(pod_emitter *emitter, const pod_node *node, pod_result_view view, pod_node **inputs)
{
    static const pod_shape scalar = {0};
    const pod_shards *shards = &emitter->plan->session->shards;
    int64_t multiplier = rows_of_axis(emitter->plan, node);
    int64_t size = pod_node_type(node->inputs[0])->shape.dims[node->attributes->axis];
    pod_attributes attributes = *node->attributes;
    if (shards->mapping) {
        attributes.axis += pod_replicate_plan_operand_form(emitter->plan, node, 0)->kind == POD_FORM_STACKED;
        return pod_graph_copy_node_with(emitter->graph, node, inputs, &attributes);
    }
    if (view == POD_VIEW_SUM)
        return pod_replicate_emit_number(emitter, POD_S32, &scalar, shards->rows * multiplier);
    if (pod_replicate_plan_slot(emitter->plan, node)->form.kind == POD_FORM_UNIFORM)
        return pod_replicate_emit_number(emitter, POD_S32, &scalar, size);
    return row_counts(emitter, multiplier);
}
