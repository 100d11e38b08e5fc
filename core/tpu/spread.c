/* spread - see passes.def (R2). */

#include "tpu/passes.h"

#define SPREAD 32 /* elements that each one is spread over */

/* Elementwise results that a broadcast spreads, as the means and deviations of rows are, are stored and not computed
 * anew for each element. */
bool pod_tpu_pass_spread(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    for (uint32_t i = 0; i < ir->node_count && pod_tpu_has(lowering, POD_TPU_SPREAD); i++) {
        if (ir->nodes[i].op != POD_OP_BROADCAST)
            continue;
        const pod_ref from = pod_tpu_root(lowering, pod_tpu_inputs(lowering, &ir->nodes[i])[0]);
        pod_tpu_value *value = &lowering->values[from];
        if (pod_tpu_kind_of(lowering, from) == POD_TPU_KIND_ELEMENTWISE && value->elements > 1 && !value->claimed &&
            !value->only_outputs && lowering->values[ir->nodes[i].value_first].elements / SPREAD >= value->elements)
            value->stored = true;
    }
    return true;
}
