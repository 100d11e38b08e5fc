/* donations - see passes.def. */

#include "tpu/passes.h"

/* Tells whether an output has as many bytes as the argument that it is to take over: parts may lie otherwise. */
static bool is_as_large(pod_tpu_lowering *lowering, uint32_t output, pod_ref parameter)
{
    const pod_ir_value *from = &lowering->ir->values[parameter];
    const pod_ir_value *to = &lowering->ir->values[lowering->ir->outputs[output]];
    pod_array_type argument = {.element = pod_element_from_dtype(from->dtype), .shape = *from->shape};
    pod_array_type result = {.element = pod_element_from_dtype(to->dtype), .shape = *to->shape};
    pod_layout_bytes bytes, others;
    return lowering->wholes == NULL || lowering->depth > 0 ||
           (pod_tpu_lay_out(lowering, &argument, POD_LAYOUT_COMPACT, &bytes, NULL) &&
            pod_tpu_lay_out_output(lowering, output, &result, &others) && bytes.padded == others.padded);
}

bool pod_tpu_pass_donations(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    const bool *donated = lowering->may_donate;
    lowering->donated = pod_tpu_array(lowering, ir->parameter_count, sizeof *lowering->donated);
    if (!lowering->donated)
        return pod_tpu_no_memory(lowering);
    for (uint32_t i = 0; i < ir->output_count; i++)
        if (ir->aliases[i] >= 0 && (!donated || donated[ir->aliases[i]]) &&
            is_as_large(lowering, i, ir->parameters[ir->aliases[i]])) {
            lowering->donated[ir->aliases[i]] = true;
            lowering->values[ir->outputs[i]].alias = (uint32_t)ir->aliases[i] + 1;
        }
    for (uint32_t i = 0; i < ir->parameter_count; i++)
        lowering->training = lowering->training || lowering->donated[i];
    return true;
}
