#include "replicate/replicate_emit.h"

#include <assert.h>
#include <string.h>

pod_emitter *pod_replicate_emitter_new(pod_plan *plan, pod_graph *target)
{
    pod_batch_session *session = plan->session;
    pod_emitter *emitter = pod_replicate_session_allocate(session, 1, sizeof *emitter);
    if (emitter == NULL)
        return NULL;
    emitter->plan = plan;
    emitter->graph = target;
    emitter->values = pod_replicate_session_allocate(session, plan->slot_count, sizeof *emitter->values);
    emitter->inputs = pod_replicate_session_allocate(session, plan->input_limit, sizeof *emitter->inputs);
    emitter->stacked = pod_replicate_session_allocate(session, plan->input_limit, sizeof *emitter->stacked);
    emitter->asks = pod_replicate_session_allocate(session, plan->input_limit, sizeof *emitter->asks);
    bool complete = emitter->values && emitter->inputs && emitter->stacked && emitter->asks;
    return complete ? emitter : NULL;
}

pod_value *pod_replicate_emitter_value(pod_emitter *emitter, const pod_node *node)
{
    assert(node->graph == emitter->plan->graph);
    return &emitter->values[emitter->plan->first_slots[node->id]];
}

void pod_replicate_emitter_bind(pod_emitter *emitter, const pod_node *parameter, pod_result_view view, pod_node *value)
{
    pod_replicate_emitter_value(emitter, parameter)->views[view] = value;
}

void pod_replicate_emitter_place(pod_emitter *emitter, const pod_node *node)
{
    pod_graph_set_place(emitter->graph, node->location ? node->location : emitter->location,
                        node->scope ? node->scope : emitter->scope);
}

/* ---- conversions ---- */

/* Shape of a stacked value without its replica axis. */
static pod_shape core_shape(const pod_node *x)
{
    pod_shape shape = *pod_node_shape(x, 0);
    if (shape.rank == 0)
        return shape;
    shape.rank--;
    memmove(shape.dims, shape.dims + 1, (size_t)shape.rank * sizeof *shape.dims);
    return shape;
}

static pod_node *joined_to_stacked(pod_emitter *emitter, pod_node *x, int32_t axis, int64_t multiplier)
{
    const pod_shards *shards = &emitter->plan->session->shards;
    assert(pod_node_shape(x, 0)->rank == 0 || pod_node_shape(x, 0)->dims[axis] == shards->rows * multiplier);
    int64_t rows = shards->full * shards->replicas;
    x = pod_replicate_emit_pad_end(emitter, x, axis, (rows - shards->rows) * multiplier);
    x = pod_replicate_emit_split(emitter, x, axis, shards->replicas);
    x = pod_replicate_emit_move(emitter, x, axis, 0);
    return pod_replicate_emit_pad_end(emitter, x, axis + 1, (shards->chunk - shards->full) * multiplier);
}

static pod_node *stacked_to_joined(pod_emitter *emitter, pod_node *x, int32_t axis, int64_t multiplier)
{
    const pod_shards *shards = &emitter->plan->session->shards;
    x = pod_replicate_emit_slice(emitter, x, axis + 1, 0, shards->full * multiplier);
    x = pod_replicate_emit_move(emitter, x, 0, axis);
    x = pod_replicate_emit_merge(emitter, x, axis);
    return pod_replicate_emit_slice(emitter, x, axis, 0, shards->rows * multiplier);
}

pod_node *pod_replicate_emit_repeat(pod_emitter *emitter, pod_node *x)
{
    if (pod_node_shape(x, 0)->rank == POD_MAX_RANK)
        return pod_replicate_emit_no_room(emitter);
    pod_shape shape = pod_replicate_emit_stacked_shape(emitter, pod_node_shape(x, 0));
    int32_t axes[POD_MAX_RANK];
    for (int32_t k = 0; k < POD_MAX_RANK; k++)
        axes[k] = k + 1;
    if (shape.dims[0] == 1)
        return pod_graph_reshape(emitter->graph, x, &shape);
    return pod_replicate_emit_broadcast(emitter, x, &shape, axes);
}

/* The natural form; the invalid node when emission has failed before it. */
static pod_node *get_natural(pod_emitter *emitter, const pod_node *node)
{
    pod_node *natural = pod_replicate_emitter_value(emitter, node)->views[POD_VIEW_NATURAL];
    return natural != NULL ? natural : &emitter->graph->invalid;
}

static pod_node *get_stacked(pod_emitter *emitter, const pod_node *node)
{
    const pod_form *form = &pod_replicate_plan_slot(emitter->plan, node)->form;
    pod_value *value = pod_replicate_emitter_value(emitter, node);
    pod_node *natural = get_natural(emitter, node);
    if (form->kind == POD_FORM_STACKED)
        return natural;
    if (value->stacked == NULL && form->kind == POD_FORM_UNIFORM)
        value->stacked = pod_replicate_emit_repeat(emitter, natural);
    if (value->stacked == NULL)
        value->stacked = joined_to_stacked(emitter, natural, form->axis, form->multiplier);
    return value->stacked;
}

/* Moves the rows, one a core, to another axis: see pod_replicate_form_same_rows. */
static pod_node *move_rows(pod_emitter *emitter, pod_node *x, const pod_form *from, int32_t axis, int64_t multiplier)
{
    pod_shape shape = *pod_node_shape(x, 0);
    if (from->axis == axis || shape.rank == 0)
        return x;
    shape.dims[from->axis] = from->multiplier;
    shape.dims[axis] = emitter->plan->session->shards.rows * multiplier;
    return pod_graph_reshape(emitter->graph, x, &shape);
}

/* Returns whether the one row that a value has along an axis may tell a position, as far as `depth` nodes show. */
static bool may_tell_position(const pod_plan *plan, const pod_node *node, int32_t axis, int depth)
{
    if (depth == 0 || node->op == POD_OP_IOTA)
        return depth == 0 || node->attributes->axis == axis;
    for (uint32_t j = 0; j < node->input_count; j++) {
        int32_t operand_axis;
        int64_t multiplier;
        if (pod_replicate_plan_demand(node, axis, 1, j, &operand_axis, &multiplier) &&
            may_tell_position(plan, node->inputs[j], operand_axis, depth - 1))
            return true;
    }
    return false;
}

/* Notes that rows of a value that is the same on every core are laid once for each core. One row is one that a kernel
 * repeats, too, but positions begin anew for each core here, and go on for a kernel. */
static void note_repetition(pod_emitter *emitter, const pod_node *node, int32_t axis)
{
    if (pod_node_shape(node, 0)->dims[axis] == 1 && !may_tell_position(emitter->plan, node, axis, 8))
        return;
    for (; emitter != NULL; emitter = emitter->outer)
        emitter->repeats = true;
}

static pod_node *get_joined(pod_emitter *emitter, const pod_node *node, int32_t axis, int64_t multiplier)
{
    const pod_result_plan *slot = pod_replicate_plan_slot(emitter->plan, node);
    pod_value *value = pod_replicate_emitter_value(emitter, node);
    if (slot->form.kind == POD_FORM_JOINED)
        return move_rows(emitter, get_natural(emitter, node), &slot->form, axis, multiplier);
    if (value->views[POD_VIEW_GROWN] != NULL && slot->grown_axis == axis && slot->grown_multiplier == multiplier)
        return value->views[POD_VIEW_GROWN];
    if (value->joined != NULL && value->joined_axis == axis && value->joined_multiplier == multiplier)
        return value->joined;
    if (slot->form.kind == POD_FORM_UNIFORM)
        note_repetition(emitter, node, axis);
    value->joined = stacked_to_joined(emitter, get_stacked(emitter, node), axis, multiplier);
    value->joined_axis = axis;
    value->joined_multiplier = multiplier;
    return value->joined;
}

pod_node *pod_replicate_emit_stacked_sum(pod_emitter *emitter, pod_node *x, const int64_t rows[POD_MAX_RANK])
{
    x = pod_replicate_emit_masked(emitter, x, rows, POD_FILL_ZERO);
    return pod_replicate_emit_reduce(emitter, POD_OP_REDUCE_SUM, x, 0);
}

/* The sum of a natural form: n times a uniform value. */
static pod_node *sum_of_natural(pod_emitter *emitter, const pod_node *node)
{
    const pod_form *form = &pod_replicate_plan_slot(emitter->plan, node)->form;
    int64_t replicas = emitter->plan->session->shards.replicas;
    pod_node *natural = get_natural(emitter, node);
    double value;
    if (form->kind == POD_FORM_UNIFORM) {
        if (replicas == 1 || (pod_node_is_splat(natural, &value) && value == 0))
            return natural;
        const pod_type *type = pod_node_type(natural);
        pod_node *times = pod_replicate_emit_number(emitter, type->dtype, &type->shape, replicas);
        return pod_graph_binary(emitter->graph, POD_OP_MULTIPLY, natural, times);
    }
    int64_t rows[POD_MAX_RANK];
    pod_replicate_form_rows(form, rows);
    return pod_replicate_emit_stacked_sum(emitter, get_stacked(emitter, node), rows);
}

pod_node *pod_replicate_emitter_get(pod_emitter *emitter, const pod_node *node, pod_ask ask)
{
    pod_value *value = pod_replicate_emitter_value(emitter, node);
    switch (ask.kind) {
    case POD_ASK_NOTHING:
        return NULL;
    case POD_ASK_NATURAL:
        return get_natural(emitter, node);
    case POD_ASK_JOINED:
        return get_joined(emitter, node, ask.axis, ask.multiplier);
    case POD_ASK_STACKED:
        return get_stacked(emitter, node);
    case POD_ASK_SUM:
        if (value->views[POD_VIEW_SUM] == NULL)
            value->views[POD_VIEW_SUM] = sum_of_natural(emitter, node);
        return value->views[POD_VIEW_SUM];
    }
    return NULL;
}

/* ---- masks ---- */

/* A bool [replicas, chunk * multiplier] that is true for entries of true rows. As shards are full
 * but for the last ones, an entry's number over all replicas tells. */
static pod_node *row_mask(pod_emitter *emitter, int64_t multiplier)
{
    const pod_shards *shards = &emitter->plan->session->shards;
    for (uint32_t i = 0; i < POD_EMITTER_MASKS; i++)
        if (emitter->masks[i].mask != NULL && emitter->masks[i].multiplier == multiplier)
            return emitter->masks[i].mask;
    int64_t entries = shards->full * multiplier;
    pod_shape flat = {1, {shards->replicas * entries}};
    pod_shape shape = {2, {shards->replicas, entries}};
    pod_dtype dtype = flat.dims[0] > INT32_MAX ? POD_S64 : POD_S32;
    pod_node *numbers = pod_graph_iota(emitter->graph, dtype, &flat, 0);
    pod_node *limit = pod_replicate_emit_number(emitter, dtype, &flat, shards->rows * multiplier);
    pod_node *mask = pod_graph_compare(emitter->graph, POD_COMPARE_LT, numbers, limit);
    uint32_t place = emitter->next_mask++ % POD_EMITTER_MASKS;
    mask = pod_graph_reshape(emitter->graph, mask, &shape);
    emitter->masks[place].multiplier = multiplier;
    emitter->masks[place].mask =
        pod_replicate_emit_pad_end(emitter, mask, 1, (shards->chunk - shards->full) * multiplier);
    return emitter->masks[place].mask;
}

pod_node *pod_replicate_emit_masked(pod_emitter *emitter, pod_node *x, const int64_t rows[POD_MAX_RANK], pod_fill fill)
{
    const pod_type *type = pod_node_type(x);
    pod_node *mask = NULL;
    if (emitter->plan->session->shards.even || !pod_node_is_valid(x))
        return x;
    for (int32_t k = 0; k < type->shape.rank - 1; k++) {
        if (rows[k] == 0)
            continue;
        pod_node *one =
            pod_replicate_emit_broadcast(emitter, row_mask(emitter, rows[k]), &type->shape, (int32_t[]){0, k + 1});
        mask = mask == NULL ? one : pod_graph_binary(emitter->graph, POD_OP_AND, mask, one);
    }
    if (mask == NULL)
        return x;
    return pod_graph_select(emitter->graph, mask, x, pod_replicate_emit_fill(emitter, type->dtype, &type->shape, fill));
}

pod_node *pod_replicate_emit_masked_operand(pod_emitter *emitter, const pod_node *node, uint32_t operand, pod_node *x,
                                            pod_fill fill)
{
    int64_t rows[POD_MAX_RANK];
    pod_replicate_form_rows(pod_replicate_plan_operand_form(emitter->plan, node, operand), rows);
    return pod_replicate_emit_masked(emitter, x, rows, fill);
}

/* ---- stacked operands ---- */

void pod_replicate_emit_stack_all(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    for (uint32_t j = 0; j < node->input_count; j++)
        if (!stacked[j])
            inputs[j] = get_stacked(emitter, node->inputs[j]);
}

pod_node *pod_stacked_shifted(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked)
{
    pod_replicate_emit_stack_all(emitter, node, inputs, stacked);
    return pod_replicate_emit_behind(emitter, node, inputs);
}

/* Emits the node on the parts of replica `replica`. */
static pod_node *emit_for_replica(pod_emitter *emitter, const pod_node *node, pod_node **inputs, const bool *stacked,
                                  int64_t replica, pod_node **parts)
{
    for (uint32_t j = 0; j < node->input_count; j++) {
        parts[j] = inputs[j];
        if (!stacked[j])
            continue;
        parts[j] = pod_replicate_emit_slice(emitter, inputs[j], 0, replica, replica + 1);
        pod_shape shape = core_shape(inputs[j]);
        parts[j] = pod_graph_reshape(emitter->graph, parts[j], &shape);
    }
    pod_node *result = pod_graph_copy_node(emitter->graph, node, parts);
    pod_shape shape = *pod_node_shape(result, 0);
    memmove(shape.dims + 1, shape.dims, (size_t)shape.rank * sizeof *shape.dims);
    shape.rank++;
    shape.dims[0] = 1;
    return pod_graph_reshape(emitter->graph, result, &shape);
}

pod_node *pod_replicate_emit_unrolled(pod_emitter *emitter, const pod_node *node, pod_node **inputs,
                                      const bool *stacked)
{
    pod_batch_session *session = emitter->plan->session;
    size_t replicas = (size_t)session->shards.replicas;
    pod_node **parts = pod_replicate_session_allocate(session, node->input_count, sizeof *parts);
    pod_node **results = pod_replicate_session_allocate(session, replicas, sizeof *results);
    if (parts == NULL || results == NULL)
        return &emitter->graph->invalid;
    for (size_t i = 0; i < replicas; i++)
        results[i] = emit_for_replica(emitter, node, inputs, stacked, (int64_t)i, parts);
    return pod_replicate_emit_op(emitter, POD_OP_CONCATENATE, results, replicas, &(pod_attributes){.axis = 0});
}

/* ---- nodes ---- */

/* Only these attributes tell sizes of the result. */
static pod_node *emit_joined(pod_emitter *emitter, const pod_node *node, pod_node **inputs, int32_t axis,
                             int64_t multiplier)
{
    pod_attributes attributes = *node->attributes;
    int64_t size = emitter->plan->session->shards.rows * multiplier;
    if ((pod_op_get(node->op)->reads & POD_FIELD_SHAPE) != 0 && node->op != POD_OP_RANDOM_BITS)
        attributes.shape.dims[axis] = size;
    if (node->op == POD_OP_SLICE)
        attributes.high[axis] = size;
    return pod_graph_copy_node_with(emitter->graph, node, inputs, &attributes);
}

static pod_node *emit_by_form(pod_emitter *emitter, const pod_node *node, pod_result_view view)
{
    const pod_result_plan *slot = pod_replicate_plan_slot(emitter->plan, node);
    pod_node **inputs = emitter->inputs;
    if (view == POD_VIEW_GROWN)
        return emit_joined(emitter, node, inputs, slot->grown_axis, slot->grown_multiplier);
    if (slot->form.kind == POD_FORM_JOINED)
        return emit_joined(emitter, node, inputs, slot->form.axis, slot->form.multiplier);
    if (slot->form.kind == POD_FORM_UNIFORM)
        return pod_graph_copy_node(emitter->graph, node, inputs);
    pod_stacked_rule *stacked = emitter->plan->session->rule(node->op)->stacked;
    return (stacked ? stacked : pod_stacked_shifted)(emitter, node, inputs, emitter->stacked);
}

static void get_inputs(pod_emitter *emitter, const pod_node *node)
{
    for (uint32_t j = 0; j < node->input_count; j++) {
        const pod_form *form = pod_replicate_plan_operand_form(emitter->plan, node, j);
        emitter->inputs[j] = pod_replicate_emitter_get(emitter, node->inputs[j], emitter->asks[j]);
        emitter->stacked[j] = emitter->asks[j].kind == POD_ASK_STACKED ||
                              (emitter->asks[j].kind == POD_ASK_NATURAL && form->kind == POD_FORM_STACKED);
    }
}

/* Emits the natural or the grown view of all results. */
static void emit_view(pod_emitter *emitter, const pod_node *node, pod_result_view view)
{
    const pod_batching *rule = emitter->plan->session->rule(node->op);
    pod_value *values = pod_replicate_emitter_value(emitter, node);
    pod_replicate_plan_asks(emitter->plan, node, view, emitter->asks);
    get_inputs(emitter, node);
    pod_node *emitted =
        rule->emit != NULL ? rule->emit(emitter, node, view, emitter->inputs) : emit_by_form(emitter, node, view);
    for (uint32_t r = 0; r < node->result_count; r++)
        values[r].views[view] = pod_graph_result(emitter->graph, emitted, r);
}

static void emit_sum(pod_emitter *emitter, const pod_node *node)
{
    const pod_batching *rule = emitter->plan->session->rule(node->op);
    pod_value *value = pod_replicate_emitter_value(emitter, node);
    pod_sum_way way = pod_replicate_plan_sum_way(emitter->plan, node, emitter->asks);
    if (way == POD_SUM_OF_NATURAL)
        return;
    get_inputs(emitter, node);
    if (way == POD_SUM_FOLD)
        value->views[POD_VIEW_SUM] = rule->fold(emitter, node, emitter->inputs);
    else if (rule->emit != NULL)
        value->views[POD_VIEW_SUM] = rule->emit(emitter, node, POD_VIEW_SUM, emitter->inputs);
    else
        value->views[POD_VIEW_SUM] = pod_graph_copy_node(emitter->graph, node, emitter->inputs);
}

static void emit_node(pod_emitter *emitter, const pod_node *node)
{
    const pod_result_plan *slots = pod_replicate_plan_slot(emitter->plan, node);
    bool natural = false;
    for (uint32_t r = 0; r < node->result_count; r++)
        natural |= slots[r].wanted[POD_VIEW_NATURAL];
    if (natural)
        emit_view(emitter, node, POD_VIEW_NATURAL);
    if (slots->wanted[POD_VIEW_GROWN])
        emit_view(emitter, node, POD_VIEW_GROWN);
    if (slots->wanted[POD_VIEW_SUM])
        emit_sum(emitter, node);
}

static bool has_failed(const pod_emitter *emitter)
{
    return emitter->plan->session->error.status != POD_OK || emitter->graph->error.status != POD_OK;
}

void pod_replicate_emitter_run(pod_emitter *emitter)
{
    const pod_graph *graph = emitter->plan->graph;
    for (uint32_t i = 0; i < graph->node_count && !has_failed(emitter); i++) {
        const pod_node *node = graph->nodes[i];
        if (node->op == POD_OP_PARAMETER || node->op == POD_OP_RESULT)
            continue;
        pod_replicate_emitter_place(emitter, node);
        pod_control_rule *control = emitter->plan->session->rule(node->op)->control;
        if (control != NULL)
            control(emitter, node);
        else
            emit_node(emitter, node);
    }
}
