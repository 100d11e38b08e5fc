/*
 * Collectives become arithmetic along the replica axis. When a function is mapped they stay what
 * they are: its elements are no replicas.
 */

#include <string.h>

#include "graph/build.h"
#include "graph/composites.h"
#include "replicate/replicate_emit.h"

static const pod_ask ASK_NOTHING = {POD_ASK_NOTHING, 0, 0};
static const pod_ask ASK_NATURAL = {POD_ASK_NATURAL, 0, 0};
static const pod_ask ASK_STACKED = {POD_ASK_STACKED, 0, 0};
static const pod_ask ASK_SUM = {POD_ASK_SUM, 0, 0};

static int64_t replicas_of(const pod_plan *plan)
{
    return plan->session->shards.replicas;
}

static const pod_form *form_of_operand(const pod_plan *plan, const pod_node *node)
{
    return pod_replicate_plan_operand_form(plan, node, 0);
}

/* Results that every replica has its own of. */
static pod_form own_form(const pod_plan *plan)
{
    return replicas_of(plan) == 1 ? pod_replicate_form_uniform() : pod_replicate_form_stacked();
}

/* Refuses what was traced for other replicas, and rows that would lose their shard. */
static void refuse_unfit(pod_plan *plan, const pod_node *node, bool counted)
{
    int64_t rows[POD_MAX_RANK];
    pod_replicate_form_rows(form_of_operand(plan, node), rows);
    for (int32_t k = 0; k < POD_MAX_RANK; k++)
        if (rows[k] != 0 && !plan->session->shards.even)
            pod_replicate_plan_refuse(plan, node, POD_REFUSED_UNEVEN);
    if (counted && node->attributes->count != replicas_of(plan))
        pod_replicate_plan_refuse(plan, node, POD_REFUSED_COUNT);
}

/* True, with the form set, when a function is mapped. */
static bool form_when_mapped(pod_plan *plan, const pod_node *node)
{
    if (plan->session->shards.mapping)
        pod_replicate_plan_slot(plan, node)->form = pod_replicate_plan_form_by_axes(plan, node);
    return plan->session->shards.mapping;
}

void pod_form_of_all_reduce(pod_plan *plan, const pod_node *node)
{
    if (!form_when_mapped(plan, node))
        pod_replicate_plan_slot(plan, node)->form = pod_replicate_form_uniform();
}

void pod_form_of_reduce_scatter(pod_plan *plan, const pod_node *node)
{
    if (form_when_mapped(plan, node))
        return;
    pod_replicate_plan_slot(plan, node)->form = own_form(plan);
    if (node->attributes->count != replicas_of(plan))
        pod_replicate_plan_refuse(plan, node, POD_REFUSED_COUNT);
}

void pod_form_of_all_gather(pod_plan *plan, const pod_node *node)
{
    if (form_when_mapped(plan, node))
        return;
    pod_replicate_plan_slot(plan, node)->form = pod_replicate_form_uniform();
    refuse_unfit(plan, node, true);
}

void pod_form_of_exchange(pod_plan *plan, const pod_node *node)
{
    if (form_when_mapped(plan, node))
        return;
    pod_replicate_plan_slot(plan, node)->form = own_form(plan);
    refuse_unfit(plan, node, node->op == POD_OP_ALL_TO_ALL);
    const int32_t *pairs = node->attributes->data;
    if (node->op != POD_OP_COLLECTIVE_PERMUTE)
        return;
    for (int64_t i = 0; i < 2 * node->attributes->count; i++)
        if (pairs[i] >= replicas_of(plan))
            pod_replicate_plan_refuse(plan, node, POD_REFUSED_COUNT);
}

void pod_form_of_replica_id(pod_plan *plan, const pod_node *node)
{
    if (!form_when_mapped(plan, node))
        pod_replicate_plan_slot(plan, node)->form = own_form(plan);
}

/* ---- what they need ---- */

static pod_ask ask_of_all_reduce(const pod_plan *plan, const pod_node *node)
{
    const pod_shards *shards = &plan->session->shards;
    bool uniform = form_of_operand(plan, node)->kind == POD_FORM_UNIFORM;
    pod_reduction reduction = node->attributes->reduction;
    if (reduction == POD_REDUCE_SUM)
        return ASK_SUM;
    if (uniform && reduction != POD_REDUCE_PRODUCT)
        return ASK_NATURAL;
    /* A sum of 16 bits would be rounded before it is divided, and may overflow where no replica's value does. */
    pod_dtype dtype = node->results[0].dtype;
    bool wide = pod_graph_wide_dtype(dtype) == dtype;
    if (reduction == POD_REDUCE_MEAN && wide && pod_replicate_shards_nonempty(shards) == shards->replicas)
        return ASK_SUM;
    return ASK_STACKED;
}

/* Even shards joined along the gathered axis are gathered already. */
static bool is_gathered(const pod_plan *plan, const pod_node *node)
{
    const pod_form *form = form_of_operand(plan, node);
    return form->kind == POD_FORM_JOINED && form->axis == node->attributes->axis;
}

void pod_ask_of_collective(pod_plan *plan, const pod_node *node, pod_result_view view, pod_ask *asks)
{
    bool uniform = form_of_operand(plan, node)->kind == POD_FORM_UNIFORM;
    (void)view;
    asks[0] = ASK_STACKED;
    if (plan->session->shards.mapping) {
        asks[0] = uniform ? ASK_NATURAL : ASK_STACKED;
    } else if (node->op == POD_OP_ALL_REDUCE) {
        asks[0] = ask_of_all_reduce(plan, node);
    } else if (node->op == POD_OP_REDUCE_SCATTER) {
        asks[0] = ASK_SUM;
    } else if (node->op == POD_OP_ALL_GATHER && is_gathered(plan, node)) {
        asks[0] = ASK_NATURAL;
    } else if (node->op == POD_OP_REPLICA_ID) {
        asks[0] = ASK_NOTHING;
    }
}

/* ---- emission ---- */

static pod_node *emit_when_mapped(pod_emitter *emitter, const pod_node *node, pod_node **inputs)
{
    bool stacked = form_of_operand(emitter->plan, node)->kind == POD_FORM_STACKED;
    if (stacked)
        return pod_stacked_collective(emitter, node, inputs, &stacked);
    return pod_graph_copy_node(emitter->graph, node, inputs);
}

static pod_node *divided_by(pod_emitter *emitter, pod_node *x, int64_t count)
{
    const pod_type *type = pod_node_type(x);
    if (count == 1)
        return x;
    return pod_replicate_emit_binary(emitter, POD_OP_DIVIDE, x,
                                     pod_replicate_emit_number(emitter, type->dtype, &type->shape, count));
}

/* The mean over the replicas that have rows: they are the first ones. */
static pod_node *mean_of_nonempty(pod_emitter *emitter, const pod_node *node, pod_node *x)
{
    int64_t nonempty = pod_replicate_shards_nonempty(&emitter->plan->session->shards);
    x = pod_replicate_emit_masked_operand(emitter, node, 0, x, POD_FILL_ZERO);
    x = pod_graph_widen(emitter->graph, pod_replicate_emit_slice(emitter, x, 0, 0, nonempty));
    x = divided_by(emitter, pod_replicate_emit_reduce(emitter, POD_OP_REDUCE_SUM, x, 0), nonempty);
    return pod_graph_convert(emitter->graph, x, node->results[0].dtype);
}

pod_node *pod_emit_all_reduce(pod_emitter *emitter, const pod_node *node, pod_result_view view, pod_node **inputs)
{
    pod_reduction reduction = node->attributes->reduction;
    (void)view;
    if (emitter->plan->session->shards.mapping)
        return emit_when_mapped(emitter, node, inputs);
    pod_ask ask = ask_of_all_reduce(emitter->plan, node);
    if (ask.kind == POD_ASK_NATURAL || reduction == POD_REDUCE_SUM)
        return inputs[0];
    if (ask.kind == POD_ASK_SUM)
        return divided_by(emitter, inputs[0], replicas_of(emitter->plan));
    if (reduction == POD_REDUCE_MEAN)
        return mean_of_nonempty(emitter, node, inputs[0]);
    bool max = reduction == POD_REDUCE_MAX, min = reduction == POD_REDUCE_MIN;
    pod_fill fill = max ? POD_FILL_LOWEST : min ? POD_FILL_HIGHEST : POD_FILL_ONE;
    pod_op op = max ? POD_OP_REDUCE_MAX : min ? POD_OP_REDUCE_MIN : POD_OP_REDUCE_PRODUCT;
    pod_node *x = pod_replicate_emit_masked_operand(emitter, node, 0, inputs[0], fill);
    return pod_replicate_emit_reduce(emitter, op, x, 0);
}

pod_node *pod_emit_reduce_scatter(pod_emitter *emitter, const pod_node *node, pod_result_view view, pod_node **inputs)
{
    int64_t replicas = replicas_of(emitter->plan);
    (void)view;
    if (emitter->plan->session->shards.mapping)
        return emit_when_mapped(emitter, node, inputs);
    if (replicas == 1)
        return inputs[0];
    pod_node *parts = pod_replicate_emit_split(emitter, inputs[0], node->attributes->axis, replicas);
    return pod_replicate_emit_move(emitter, parts, node->attributes->axis, 0);
}

pod_node *pod_emit_all_gather(pod_emitter *emitter, const pod_node *node, pod_result_view view, pod_node **inputs)
{
    int32_t axis = node->attributes->axis;
    (void)view;
    if (emitter->plan->session->shards.mapping)
        return emit_when_mapped(emitter, node, inputs);
    if (is_gathered(emitter->plan, node))
        return inputs[0];
    return pod_replicate_emit_merge(emitter, pod_replicate_emit_move(emitter, inputs[0], 0, axis), axis);
}

/* x [from, ..., split, ..., joined, ...]: the split axis falls into (to, part), `to` becomes the
 * replica axis, and `from` goes in front of the axis that is concatenated. */
pod_node *pod_emit_all_to_all(pod_emitter *emitter, const pod_node *node, pod_result_view view, pod_node **inputs)
{
    int32_t split = node->attributes->axis, joined = node->attributes->axes.axes[0];
    int64_t replicas = replicas_of(emitter->plan);
    (void)view;
    if (emitter->plan->session->shards.mapping)
        return emit_when_mapped(emitter, node, inputs);
    pod_node *x = pod_replicate_emit_split(emitter, inputs[0], split + 1, replicas);
    x = pod_replicate_emit_move(emitter, x, split + 1, 0);
    x = pod_replicate_emit_move(emitter, x, 1, joined + 1);
    x = pod_replicate_emit_merge(emitter, x, joined + 1);
    return replicas == 1 ? pod_replicate_emit_merge(emitter, x, 0) : x;
}

/* Writes which replica each one receives from, and whether it does; returns whether all do. */
static bool find_sources(const pod_node *node, int64_t replicas, int32_t *sources, bool *receives)
{
    const int32_t *pairs = node->attributes->data;
    int64_t count = 0;
    for (int64_t i = 0; i < node->attributes->count; i++) {
        sources[pairs[2 * i + 1]] = pairs[2 * i];
        count += !receives[pairs[2 * i + 1]];
        receives[pairs[2 * i + 1]] = true;
    }
    return count == replicas;
}

static pod_node *emit_exchange(pod_emitter *emitter, const pod_node *node, pod_node *x)
{
    pod_batch_session *session = emitter->plan->session;
    pod_shape shape = {1, {session->shards.replicas}};
    size_t count = (size_t)shape.dims[0];
    int32_t *sources = pod_replicate_session_allocate(session, count, sizeof *sources);
    bool *receives = pod_replicate_session_allocate(session, count, sizeof *receives);
    if (sources == NULL || receives == NULL)
        return &emitter->graph->invalid;
    bool all = find_sources(node, shape.dims[0], sources, receives);
    pod_node *numbers = pod_graph_constant(emitter->graph, POD_S32, &shape, sources);
    pod_node *moved = pod_replicate_emit_op(emitter, POD_OP_GATHER, (pod_node *[]){x, numbers}, 2, NULL);
    if (all)
        return moved;
    const pod_type *type = pod_node_type(moved);
    pod_node *mask = pod_graph_constant(emitter->graph, POD_BOOL, &shape, receives);
    mask = pod_replicate_emit_broadcast(emitter, mask, pod_replicate_emit_shape(moved), (int32_t[]){0});
    return pod_replicate_emit_select(emitter, mask, moved,
                                     pod_replicate_emit_fill(emitter, type->dtype, &type->shape, POD_FILL_ZERO));
}

pod_node *pod_emit_permute(pod_emitter *emitter, const pod_node *node, pod_result_view view, pod_node **inputs)
{
    (void)view;
    if (emitter->plan->session->shards.mapping)
        return emit_when_mapped(emitter, node, inputs);
    pod_node *moved = emit_exchange(emitter, node, inputs[0]);
    if (replicas_of(emitter->plan) > 1)
        return moved;
    return pod_replicate_emit_reshape(emitter, moved, &node->results[0].shape);
}

pod_node *pod_emit_replica_id(pod_emitter *emitter, const pod_node *node, pod_result_view view, pod_node **inputs)
{
    const pod_shards *shards = &emitter->plan->session->shards;
    (void)view;
    if (shards->mapping)
        return pod_graph_copy_node(emitter->graph, node, inputs);
    if (shards->replicas == 1)
        return pod_graph_scalar(emitter->graph, POD_S32, 0, NULL);
    return pod_replicate_emit_iota(emitter, POD_S32, &(pod_shape){1, {shards->replicas}}, 0);
}
