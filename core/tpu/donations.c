/* donations - see passes.def. */

#include "tpu/passes.h"

bool pod_tpu_pass_donations(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    const bool *donated = lowering->may_donate;
    lowering->donated = pod_tpu_array(lowering, ir->parameter_count, sizeof *lowering->donated);
    if (!lowering->donated)
        return pod_tpu_no_memory(lowering);
    for (uint32_t i = 0; i < ir->output_count; i++)
        if (ir->aliases[i] >= 0 && (!donated || donated[ir->aliases[i]])) {
            lowering->donated[ir->aliases[i]] = true;
            lowering->values[ir->outputs[i]].alias = (uint32_t)ir->aliases[i] + 1;
        }
    for (uint32_t i = 0; i < ir->parameter_count; i++)
        lowering->training = lowering->training || lowering->donated[i];
    return true;
}
