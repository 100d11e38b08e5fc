/* heavy - see passes.def (R8). */

#include "tpu/passes.h"
#include "tpu/walks.h"

#define HEAVIEST 1000 /* ops that are rather stored than computed anew */

/* Tells whether more ops than that are computed anew with a node, each counted once. */
static bool is_heavy(pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    uint32_t seen = 0;
    pod_tpu_walk walk = pod_tpu_walk_begin(lowering);
    do {
        const pod_ref *inputs = pod_tpu_inputs(lowering, node);
        for (uint32_t i = 0; i < node->input_count; i++) {
            const pod_tpu_kind kind = pod_tpu_kind_of(lowering, inputs[i]);
            if (lowering->values[inputs[i]].stored || kind == POD_TPU_KIND_LEAF || kind == POD_TPU_KIND_CONSTANT ||
                !pod_tpu_walk_sees(&walk, inputs[i]))
                continue;
            pod_tpu_walk_push(&walk, inputs[i]);
            if (++seen > HEAVIEST)
                return true;
        }
    } while (pod_tpu_walk_next_maker(&walk, &node));
    return false;
}

bool pod_tpu_pass_heavy(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    uint32_t *weights = pod_tpu_array(lowering, ir->value_count, sizeof *weights); /* ops computed anew */
    if (!pod_tpu_has(lowering, POD_TPU_HEAVY))
        return true;
    if (!weights)
        return pod_tpu_no_memory(lowering);
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ir_node *node = &ir->nodes[i];
        const pod_ref *inputs = pod_tpu_inputs(lowering, node);
        if (lowering->kinds[i] == POD_TPU_KIND_LEAF || lowering->kinds[i] == POD_TPU_KIND_CONSTANT)
            continue;
        uint32_t weight = 1;
        for (uint32_t j = 0; j < node->input_count && weight <= HEAVIEST; j++)
            weight += lowering->values[inputs[j]].stored ? 0 : weights[inputs[j]];
        const bool store =
            weight > HEAVIEST && lowering->kinds[i] == POD_TPU_KIND_ELEMENTWISE && is_heavy(lowering, node);
        for (uint32_t j = 0; j < node->value_count; j++) {
            weights[node->value_first + j] = weight;
            if (store)
                lowering->values[node->value_first + j].stored = true;
        }
    }
    return true;
}
