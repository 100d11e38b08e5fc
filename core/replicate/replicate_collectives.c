/*
 * Collectives become arithmetic along the replica axis. When a function is mapped they stay what
 * they are: its elements are no replicas.
 */

#include <string.h>

#include "graph/build.h"
#include "graph/composites.h"
#include "replicate/replicate_emit.h"

/* Of all ranks. */
static int64_t replicas_of(const pod_plan *plan)
{
    return plan->session->shards.all_replicas;
}

static const pod_form *form_of_operand(const pod_plan *plan, const pod_node *node)
{
    return pod_replicate_plan_operand_form(plan, node, 0);
}

/* Refuses what was traced for other replicas, and rows that would lose their shard. */
void pod_form_of_collective(pod_plan *plan, const pod_node *node)
{
    const pod_op op = node->op;
    const int32_t *pairs = node->attributes->data;
    pod_form *form = &pod_replicate_plan_slot(plan, node)->form;
    if (plan->session->shards.mapping) {
        *form = pod_replicate_plan_form_by_axes(plan, node);
        return;
    }
    if (pod_replicate_is_grouped(plan, node)) {
        pod_replicate_group_form(plan, node);
        return;
    }
    const bool is_shared = op == POD_OP_ALL_REDUCE || op == POD_OP_ALL_GATHER || replicas_of(plan) == 1;
    *form = is_shared ? POD_UNIFORM_FORM : POD_STACKED_FORM;
    if ((op == POD_OP_ALL_GATHER || op == POD_OP_ALL_TO_ALL || op == POD_OP_COLLECTIVE_PERMUTE) &&
        !plan->session->shards.even && pod_replicate_form_has_rows(form_of_operand(plan, node)))
        pod_replicate_plan_refuse(plan, node, POD_REFUSED_UNEVEN);
    if ((op == POD_OP_ALL_GATHER || op == POD_OP_ALL_TO_ALL || op == POD_OP_REDUCE_SCATTER) &&
        node->attributes->count != replicas_of(plan))
        pod_replicate_plan_refuse(plan, node, POD_REFUSED_COUNT);
    for (int64_t i = 0; op == POD_OP_COLLECTIVE_PERMUTE && i < 2 * node->attributes->count; i++)
        if (pairs[i] >= replicas_of(plan))
            pod_replicate_plan_refuse(plan, node, POD_REFUSED_COUNT);
}

/* ---- what they need ---- */

static pod_ask ask_of_all_reduce(const pod_plan *plan, const pod_node *node)
{
    const pod_shards *shards = &plan->session->shards;
    bool uniform = form_of_operand(plan, node)->kind == POD_FORM_UNIFORM;
    pod_reduction reduction = node->attributes->reduction;
    if (reduction == POD_REDUCE_SUM)
        return POD_AS_SUM;
    if (uniform && reduction != POD_REDUCE_PRODUCT)
        return POD_AS_NATURAL;
    /* A sum of 16 bits would be rounded before it is divided, and may overflow where no replica's value does. */
    pod_dtype dtype = node->results[0].dtype;
    bool wide = pod_graph_wide_dtype(dtype) == dtype;
    if (reduction == POD_REDUCE_MEAN && wide && pod_replicate_shards_all_nonempty(shards) == shards->all_replicas)
        return POD_AS_SUM;
    return POD_AS_STACKED;
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
    asks[0] = POD_AS_STACKED;
    if (plan->session->shards.mapping) {
        asks[0] = uniform ? POD_AS_NATURAL : POD_AS_STACKED;
    } else if (pod_replicate_is_grouped(plan, node)) {
        return;
    } else if (node->op == POD_OP_ALL_REDUCE) {
        asks[0] = ask_of_all_reduce(plan, node);
    } else if (node->op == POD_OP_REDUCE_SCATTER) {
        asks[0] = POD_AS_SUM;
    } else if (node->op == POD_OP_ALL_GATHER && is_gathered(plan, node)) {
        asks[0] = POD_AS_NATURAL;
    }
}

/* ---- emission ---- */

static pod_node *divided_by(pod_emitter *emitter, pod_node *x, int64_t count)
{
    const pod_type *type = pod_node_type(x);
    if (count == 1)
        return x;
    return pod_graph_binary(emitter->graph, POD_OP_DIVIDE, x,
                            pod_replicate_emit_number(emitter, type->dtype, &type->shape, count));
}

/* The mean over the replicas that have rows: they are the first ones. */
static pod_node *mean_of_nonempty(pod_emitter *emitter, const pod_node *node, pod_node *x)
{
    const pod_shards *shards = &emitter->plan->session->shards;
    x = pod_replicate_emit_masked_operand(emitter, node, 0, x, POD_FILL_ZERO);
    x = pod_replicate_emit_slice(emitter, x, 0, 0, pod_replicate_shards_nonempty(shards));
    x = pod_replicate_emit_reduce(emitter, POD_OP_REDUCE_SUM, pod_graph_widen(emitter->graph, x), 0);
    x = pod_replicate_emit_over_ranks(emitter, x, POD_REDUCE_SUM);
    x = divided_by(emitter, x, pod_replicate_shards_all_nonempty(shards));
    return pod_graph_convert(emitter->graph, x, node->results[0].dtype);
}

/* The number of rows of the whole batch, where a value is that of a replica's own: nobody need ask the ranks. */
static bool counts_rows(const pod_plan *plan, const pod_node *node, int64_t *count)
{
    int64_t rows[POD_MAX_RANK];
    while (node->op == POD_OP_CONVERT || node->op == POD_OP_RESHAPE || node->op == POD_OP_BROADCAST)
        node = node->inputs[0];
    if (node->op != POD_OP_DIMENSION_SIZE)
        return false;
    pod_replicate_form_rows(form_of_operand(plan, node), rows);
    *count = plan->session->shards.all_rows * rows[node->attributes->axis];
    return rows[node->attributes->axis] != 0;
}

static pod_node *emit_sum(pod_emitter *emitter, const pod_node *node, pod_node *x)
{
    int64_t count;
    const pod_type *type = pod_node_type(x);
    if (emitter->plan->session->shards.ranks > 1 && counts_rows(emitter->plan, node->inputs[0], &count))
        return pod_replicate_emit_number(emitter, type->dtype, &type->shape, count);
    return pod_replicate_emit_over_ranks(emitter, x, POD_REDUCE_SUM);
}

static pod_node *emit_all_reduce(pod_emitter *emitter, const pod_node *node, pod_node *x)
{
    pod_reduction reduction = node->attributes->reduction;
    pod_ask ask = ask_of_all_reduce(emitter->plan, node);
    if (ask.kind == POD_ASK_NATURAL || replicas_of(emitter->plan) == 1)
        return x;
    if (reduction == POD_REDUCE_SUM)
        return emit_sum(emitter, node, x);
    if (ask.kind == POD_ASK_SUM)
        return divided_by(emitter, emit_sum(emitter, node, x), replicas_of(emitter->plan));
    if (reduction == POD_REDUCE_MEAN)
        return mean_of_nonempty(emitter, node, x);
    bool max = reduction == POD_REDUCE_MAX, min = reduction == POD_REDUCE_MIN;
    pod_fill fill = max ? POD_FILL_LOWEST : min ? POD_FILL_HIGHEST : POD_FILL_ONE;
    pod_op op = max ? POD_OP_REDUCE_MAX : min ? POD_OP_REDUCE_MIN : POD_OP_REDUCE_PRODUCT;
    x = pod_replicate_emit_masked_operand(emitter, node, 0, x, fill);
    return pod_replicate_emit_over_ranks(emitter, pod_replicate_emit_reduce(emitter, op, x, 0), reduction);
}

static pod_node *emit_reduce_scatter(pod_emitter *emitter, const pod_node *node, pod_node *x)
{
    int32_t axis = node->attributes->axis;
    int64_t replicas = replicas_of(emitter->plan);
    if (replicas == 1)
        return x;
    x = pod_replicate_emit_over_ranks(emitter, x, POD_REDUCE_SUM);
    x = pod_replicate_emit_move(emitter, pod_replicate_emit_split(emitter, x, axis, replicas), axis, 0);
    return pod_replicate_emit_own_replicas(emitter, x);
}

static pod_node *emit_all_gather(pod_emitter *emitter, const pod_node *node, pod_node *x)
{
    int32_t axis = node->attributes->axis;
    const pod_form *form = form_of_operand(emitter->plan, node);
    if (is_gathered(emitter->plan, node))
        return pod_replicate_emit_all_rows(emitter, x, axis, form->multiplier);
    x = pod_replicate_emit_all_replicas(emitter, x);
    return pod_replicate_emit_merge(emitter, pod_replicate_emit_move(emitter, x, 0, axis), axis);
}

/* x [from, ..., split, ..., joined, ...]: the split axis falls into (to, part), `to` becomes the
 * replica axis, and `from` goes in front of the axis that is concatenated. */
static pod_node *emit_all_to_all(pod_emitter *emitter, const pod_node *node, pod_node *x)
{
    int32_t split = node->attributes->axis, joined = node->attributes->axes.axes[0];
    int64_t replicas = replicas_of(emitter->plan);
    x = pod_replicate_emit_split(emitter, pod_replicate_emit_all_replicas(emitter, x), split + 1, replicas);
    x = pod_replicate_emit_move(emitter, x, split + 1, 0);
    x = pod_replicate_emit_move(emitter, x, 1, joined + 1);
    x = pod_replicate_emit_merge(emitter, x, joined + 1);
    return replicas == 1 ? pod_replicate_emit_merge(emitter, x, 0) : pod_replicate_emit_own_replicas(emitter, x);
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
    pod_shape shape = {1, {replicas_of(emitter->plan)}};
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
    mask = pod_replicate_emit_broadcast(emitter, mask, pod_node_shape(moved, 0), (int32_t[]){0});
    return pod_graph_select(emitter->graph, mask, moved,
                            pod_replicate_emit_fill(emitter, type->dtype, &type->shape, POD_FILL_ZERO));
}

static pod_node *emit_permute(pod_emitter *emitter, const pod_node *node, pod_node *x)
{
    pod_node *moved = emit_exchange(emitter, node, pod_replicate_emit_all_replicas(emitter, x));
    return replicas_of(emitter->plan) > 1 ? pod_replicate_emit_own_replicas(emitter, moved)
                                          : pod_graph_reshape(emitter->graph, moved, &node->results[0].shape);
}

static pod_node *emit_replica_id(pod_emitter *emitter)
{
    const int64_t replicas = replicas_of(emitter->plan);
    if (replicas == 1)
        return pod_graph_scalar(emitter->graph, POD_S32, 0, NULL);
    pod_node *all = pod_graph_iota(emitter->graph, POD_S32, &(pod_shape){1, {replicas}}, 0);
    return pod_replicate_emit_own_replicas(emitter, all);
}

pod_node *pod_emit_collective(pod_emitter *emitter, const pod_node *node, pod_result_view view, pod_node **inputs)
{
    (void)view;
    if (emitter->plan->session->shards.mapping) {
        bool stacked = node->input_count > 0 && form_of_operand(emitter->plan, node)->kind == POD_FORM_STACKED;
        return stacked ? pod_replicate_emit_behind(emitter, node, inputs)
                       : pod_graph_copy_node(emitter->graph, node, inputs);
    }
    if (pod_replicate_is_grouped(emitter->plan, node))
        return pod_replicate_emit_grouped(emitter, node, inputs[0]);
    switch (node->op) {
    case POD_OP_ALL_REDUCE:
        return emit_all_reduce(emitter, node, inputs[0]);
    case POD_OP_REDUCE_SCATTER:
        return emit_reduce_scatter(emitter, node, inputs[0]);
    case POD_OP_ALL_GATHER:
        return emit_all_gather(emitter, node, inputs[0]);
    case POD_OP_ALL_TO_ALL:
        return emit_all_to_all(emitter, node, inputs[0]);
    case POD_OP_COLLECTIVE_PERMUTE:
        return emit_permute(emitter, node, inputs[0]);
    default:
        return emit_replica_id(emitter);
    }
}
