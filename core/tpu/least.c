/* least - see lowering.h. The compiler may compute values again, in other kernels and another order than were planned:
 * also a product in the one that reads it. What is sure is each stored value alone. */

#include "tpu/walks.h"

#include <limits.h>

#define FARTHEST 1024 /* values looked at to find what one is computed from */

/* Tells whether an op can be computed inside whatever reads its result. */
static bool computes_anywhere(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    const pod_tpu_kind kind = lowering->kinds[node - lowering->ir->nodes];
    return kind == POD_TPU_KIND_ELEMENTWISE || kind == POD_TPU_KIND_MOVE || kind == POD_TPU_KIND_BARRIER ||
           pod_tpu_is_view(node);
}

static bool is_at_hand(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_kind kind = pod_tpu_kind_of(lowering, value);
    return kind == POD_TPU_KIND_LEAF || kind == POD_TPU_KIND_CONSTANT;
}

static void walk_to_inputs(pod_tpu_walk *walk, const pod_ir_node *node)
{
    for (uint32_t i = 0; i < node->input_count; i++)
        pod_tpu_walk_to(walk, pod_tpu_inputs(walk->lowering, node)[i]);
}

/* Returns what has to be in HBM for a value: it, or in its place what it is computed from. */
static int64_t count_value(pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    int64_t sources = 0;
    uint32_t seen = 0;
    if (!v->stored || v->free || lowering->on_chip[v->storage])
        return 0;
    pod_tpu_walk walk = pod_tpu_walk_begin(lowering);
    pod_ref next = value;
    do {
        const pod_ir_node *node = pod_tpu_maker(lowering, next);
        if (++seen > FARTHEST)
            return 0;
        if (computes_anywhere(lowering, node)) {
            walk_to_inputs(&walk, node);
        } else if (!is_at_hand(lowering, next)) {
            sources =
                pod_tpu_sum(sources, next == value ? v->bytes.padded : pod_tpu_stored_bits(lowering, next) / CHAR_BIT);
        }
    } while (pod_tpu_walk_next(&walk, &next));
    return sources < v->bytes.padded ? sources : v->bytes.padded;
}

int64_t pod_tpu_least(pod_tpu_lowering *lowering)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < lowering->result_count; i++) {
        const int64_t one = count_value(lowering, lowering->results[i]);
        most = one > most ? one : most;
    }
    return most;
}
