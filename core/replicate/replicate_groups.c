/*
 * Collectives of groups of replicas: of a mesh of devices those along one of its axes. The replica axis falls into
 * (outer, count, stride): the members of a group stand along the one in the middle.
 */

#include "graph/build.h"
#include "replicate/replicate_emit.h"

bool pod_replicate_is_grouped(const pod_plan *plan, const pod_node *node)
{
    const pod_op op = node->op;
    const bool may =
        op == POD_OP_ALL_REDUCE || op == POD_OP_REDUCE_SCATTER || op == POD_OP_ALL_GATHER || op == POD_OP_ALL_TO_ALL;
    return may && !plan->session->shards.mapping && node->attributes->seed > 0 && node->attributes->count > 0 &&
           node->attributes->count != plan->session->shards.all_replicas;
}

void pod_replicate_group_form(pod_plan *plan, const pod_node *node)
{
    const int64_t replicas = plan->session->shards.all_replicas, count = node->attributes->count;
    pod_replicate_plan_slot(plan, node)->form = POD_STACKED_FORM;
    if (node->attributes->seed > (uint64_t)replicas || count > replicas / (int64_t)node->attributes->seed ||
        replicas % (count * (int64_t)node->attributes->seed) != 0)
        pod_replicate_plan_refuse(plan, node, POD_REFUSED_COUNT);
}

/* x [outer, stride, ...], which all members of a group have alike: [replicas, ...]. */
static pod_node *given_to_all(pod_emitter *emitter, pod_node *x, int64_t count)
{
    pod_shape shape = *pod_node_shape(x, 0);
    pod_axes axes = {.count = shape.rank};
    if (!pod_node_is_valid(x) || shape.rank == POD_MAX_RANK)
        return pod_replicate_emit_no_room(emitter);
    for (int32_t k = shape.rank++; k > 1; k--)
        shape.dims[k] = shape.dims[k - 1];
    shape.dims[1] = count;
    for (int32_t k = 1; k < axes.count; k++)
        axes.axes[k] = k + 1;
    return pod_graph_broadcast_axes(emitter->graph, x, &shape, &axes);
}

static pod_op fold_of(pod_reduction reduction)
{
    switch (reduction) {
    case POD_REDUCE_MAX:
        return POD_OP_REDUCE_MAX;
    case POD_REDUCE_MIN:
        return POD_OP_REDUCE_MIN;
    case POD_REDUCE_PRODUCT:
        return POD_OP_REDUCE_PRODUCT;
    default:
        return POD_OP_REDUCE_SUM;
    }
}

/* Groups that lie whole among the first axis of x, of `replicas` entries. */
static pod_node *exchange_in_groups(pod_emitter *emitter, const pod_node *node, pod_node *x, int64_t replicas)
{
    const int64_t count = node->attributes->count, stride = (int64_t)node->attributes->seed;
    const int32_t axis = node->attributes->axis;
    x = pod_replicate_emit_split(emitter, x, 0, replicas / stride / count);
    x = pod_replicate_emit_split(emitter, x, 1, count); /* [outer, count, stride, ...] */
    switch (node->op) {
    case POD_OP_ALL_REDUCE:
        x = pod_replicate_emit_reduce(emitter, fold_of(node->attributes->reduction), x, 1);
        x = given_to_all(emitter, x, count);
        break;
    case POD_OP_REDUCE_SCATTER:
        x = pod_replicate_emit_reduce(emitter, POD_OP_REDUCE_SUM, x, 1);
        x = pod_replicate_emit_move(emitter, pod_replicate_emit_split(emitter, x, axis + 2, count), axis + 2, 1);
        break;
    case POD_OP_ALL_GATHER:
        x = pod_replicate_emit_merge(emitter, pod_replicate_emit_move(emitter, x, 1, axis + 2), axis + 2);
        x = given_to_all(emitter, x, count);
        break;
    default: { /* the members' parts go in front of the axis that is joined, and the axis that is split to them */
        const int32_t joined = node->attributes->axes.axes[0];
        x = pod_replicate_emit_move(emitter, pod_replicate_emit_split(emitter, x, axis + 3, count), axis + 3, 1);
        x = pod_replicate_emit_merge(emitter, pod_replicate_emit_move(emitter, x, 2, joined + 3), joined + 3);
        break;
    }
    }
    return pod_replicate_emit_merge(emitter, pod_replicate_emit_merge(emitter, x, 0), 0);
}

/* Sums of groups of which each rank has as many members: it adds its own up, and meets the others with `stride` sums,
 * one a group. */
static pod_node *sum_over_ranks(pod_emitter *emitter, const pod_node *node, pod_node *x)
{
    const pod_shards *shards = &emitter->plan->session->shards;
    const int64_t count = node->attributes->count, stride = (int64_t)node->attributes->seed;
    const int64_t own = shards->replicas / stride;
    const int32_t axis = node->attributes->axis;
    const bool scatters = node->op == POD_OP_REDUCE_SCATTER;
    const pod_reduction reduction = scatters ? POD_REDUCE_SUM : node->attributes->reduction;
    x = pod_replicate_emit_reduce(emitter, fold_of(reduction), pod_replicate_emit_split(emitter, x, 0, own), 0);
    x = pod_replicate_emit_over_ranks(emitter, x, reduction); /* [stride, ...] */
    if (scatters) {
        x = pod_replicate_emit_move(emitter, pod_replicate_emit_split(emitter, x, axis + 1, count), axis + 1, 0);
        return pod_replicate_emit_own_replicas(emitter, pod_replicate_emit_merge(emitter, x, 0));
    }
    x = given_to_all(emitter, pod_replicate_emit_split(emitter, x, 0, 1), own);
    return pod_replicate_emit_merge(emitter, pod_replicate_emit_merge(emitter, x, 0), 0);
}

pod_node *pod_replicate_emit_grouped(pod_emitter *emitter, const pod_node *node, pod_node *x)
{
    const pod_shards *shards = &emitter->plan->session->shards;
    const int64_t stride = (int64_t)node->attributes->seed, group = node->attributes->count * stride;
    const bool adds = node->op == POD_OP_ALL_REDUCE || node->op == POD_OP_REDUCE_SCATTER;
    if (shards->replicas % group == 0) /* no rank has a part of a group alone */
        return exchange_in_groups(emitter, node, x, shards->replicas);
    if (adds && group == shards->all_replicas && shards->replicas % stride == 0)
        return sum_over_ranks(emitter, node, x);
    x = exchange_in_groups(emitter, node, pod_replicate_emit_all_replicas(emitter, x), shards->all_replicas);
    return pod_replicate_emit_own_replicas(emitter, x);
}
