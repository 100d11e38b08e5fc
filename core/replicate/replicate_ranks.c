/*
 * replicate_ranks - where the replicas of several ranks (processes) meet. Values that come from outside, and those that
 * go there, are whole on each rank: a rank takes its own rows and replicas of what comes, and what goes is gathered. So
 * nothing outside of the graph needs to know of ranks. What is in between is a rank's own, but for collectives.
 */

#include "graph/build.h"
#include "replicate/replicate_emit.h"

static const pod_shards *shards_of(const pod_emitter *emitter)
{
    return &emitter->plan->session->shards;
}

/* Ranks agree on the batch: with other rows their sums would be of different things. */
static pod_node *meet(pod_emitter *emitter, pod_op op, pod_node *x, pod_reduction reduction)
{
    const pod_shards *shards = shards_of(emitter);
    const pod_attributes attributes = {.reduction = reduction,
                                       .count = shards->ranks,
                                       .flag = true,
                                       .seed = (uint64_t)shards->all_rows * 65599u + (uint64_t)shards->all_replicas};
    return shards->ranks == 1 ? x : pod_replicate_emit_op(emitter, op, &x, 1, &attributes);
}

pod_node *pod_replicate_emit_over_ranks(pod_emitter *emitter, pod_node *x, pod_reduction reduction)
{
    return meet(emitter, POD_OP_ALL_REDUCE, x, reduction);
}

pod_node *pod_replicate_emit_own_rows(pod_emitter *emitter, pod_node *x, int32_t axis, int64_t multiplier)
{
    const pod_shards *shards = shards_of(emitter);
    if (shards->ranks == 1)
        return x;
    const int64_t first = shards->first_row * multiplier;
    return pod_replicate_emit_slice(emitter, x, axis, first, first + shards->rows * multiplier);
}

pod_node *pod_replicate_emit_own_replicas(pod_emitter *emitter, pod_node *x)
{
    const pod_shards *shards = shards_of(emitter);
    if (shards->ranks == 1)
        return x;
    return pod_replicate_emit_slice(emitter, x, 0, shards->first_replica, shards->first_replica + shards->replicas);
}

pod_node *pod_replicate_emit_all_replicas(pod_emitter *emitter, pod_node *x)
{
    return meet(emitter, POD_OP_ALL_GATHER, x, POD_REDUCE_SUM);
}

/* Rows of short ranks are filled up for the way: those of all ranks are then the first ones of what comes together. */
pod_node *pod_replicate_emit_all_rows(pod_emitter *emitter, pod_node *x, int32_t axis, int64_t multiplier)
{
    const pod_shards *shards = shards_of(emitter);
    if (shards->ranks == 1)
        return x;
    const int64_t most = shards->full * shards->replicas;
    x = pod_replicate_emit_pad_end(emitter, x, axis, (most - shards->rows) * multiplier);
    x = pod_replicate_emit_all_replicas(emitter, pod_replicate_emit_split(emitter, x, 0, 1));
    x = pod_replicate_emit_merge(emitter, pod_replicate_emit_move(emitter, x, 0, axis), axis);
    return pod_replicate_emit_slice(emitter, x, axis, 0, shards->all_rows * multiplier);
}
