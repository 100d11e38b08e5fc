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

/* Groups of several ranks would have to meet apart from the others. */
void pod_replicate_group_form(pod_plan *plan, const pod_node *node)
{
    const pod_shards *shards = &plan->session->shards;
    const int64_t count = node->attributes->count;
    pod_replicate_plan_slot(plan, node)->form = POD_STACKED_FORM;
    const bool fits = node->attributes->seed <= (uint64_t)shards->all_replicas &&
                      count <= shards->all_replicas / (int64_t)node->attributes->seed &&
                      shards->all_replicas % (count * (int64_t)node->attributes->seed) == 0;
    if (!fits || shards->ranks > 1)
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

pod_node *pod_replicate_emit_grouped(pod_emitter *emitter, const pod_node *node, pod_node *x)
{
    const int64_t count = node->attributes->count, stride = (int64_t)node->attributes->seed;
    const int32_t axis = node->attributes->axis;
    const int64_t replicas = emitter->plan->session->shards.replicas;
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
