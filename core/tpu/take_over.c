/* take_over - see passes.def (R11). */

#include "tpu/passes.h"

#include <assert.h>

bool pod_tpu_dies_in(const pod_tpu_lowering *lowering, pod_ref value, int32_t step)
{
    const pod_tpu_value *v = &lowering->values[value];
    return v->stored && !v->free && lowering->kinds[lowering->ir->values[value].node] != POD_TPU_KIND_LEAF &&
           lowering->last_step[v->storage] == step;
}

void pod_tpu_take_over(pod_tpu_lowering *lowering, pod_ref result, pod_ref from)
{
    const pod_ref storage = lowering->values[from].storage;
    assert(storage <= result && lowering->values[result].storage == result);
    lowering->values[result].storage = storage;
    lowering->last_step[storage] = lowering->last_step[result];
}

/* Tells whether a loop's result that it did not change is where its operand is. */
static bool stays(const pod_tpu_lowering *lowering, pod_ref from, pod_ref result)
{
    const pod_tpu_value *v = &lowering->values[from], *made = &lowering->values[result];
    return v->stored && !v->free && made->stored && !made->free && !made->is_output &&
           lowering->kinds[lowering->ir->values[from].node] != POD_TPU_KIND_LEAF &&
           v->bytes.padded == made->bytes.padded;
}

/* Updates and loops work in the buffers of their operands. */
static void update_in_place(pod_tpu_lowering *lowering, const pod_ir_node *node, int32_t step)
{
    const bool all = node->op == POD_OP_WHILE;
    const bool first = node->op == POD_OP_SCATTER || node->op == POD_OP_DYNAMIC_UPDATE_SLICE;
    for (uint32_t i = 0; i < node->value_count && (all || (first && i == 0)); i++) {
        const pod_ref from = pod_tpu_root(lowering, pod_tpu_inputs(lowering, node)[i]);
        const pod_ref result = node->value_first + i;
        if (lowering->carried[result].invariant && stays(lowering, from, result)) {
            const pod_ref storage = lowering->values[from].storage;
            lowering->values[result].storage = storage;
            if (lowering->last_step[result] > lowering->last_step[storage])
                lowering->last_step[storage] = lowering->last_step[result];
        } else if (lowering->values[result].stored && !lowering->values[result].free &&
                   pod_tpu_dies_in(lowering, from, step) &&
                   lowering->values[from].bytes.padded == lowering->values[result].bytes.padded)
            pod_tpu_take_over(lowering, result, from);
    }
}

bool pod_tpu_pass_take_over(pod_tpu_lowering *lowering)
{
    for (uint32_t step = 0; step < lowering->kernel_count && pod_tpu_has(lowering, POD_TPU_IN_PLACE); step++)
        update_in_place(lowering, &lowering->ir->nodes[lowering->kernels[lowering->order[step]].node], (int32_t)step);
    return true;
}
