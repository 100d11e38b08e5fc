/* work - see lowering.h: what a kernel computes and reads, for the worth of places on the chip (R12). */

#include "base/sizes.h"
#include "tpu/lowering.h"

#define LONGEST_KERNEL 65536 /* of which the elements are looked at one by one */

/* How often, along a spatial axis, an element of the kernel meets one of the input that is not padding. */
static double count_meetings(const pod_window *window, int32_t axis, int64_t input, int64_t output)
{
    const int64_t stride = window->stride[axis] > 0 ? window->stride[axis] : 1;
    const int64_t dilation = window->dilation[axis] > 0 ? window->dilation[axis] : 1;
    const int64_t size = window->size[axis];
    double meetings = 0;
    for (int64_t k = 0; k < size && size <= LONGEST_KERNEL; k++) {
        const int64_t before = window->pad_low[axis] - k * dilation; /* where the first one reads, from the left */
        const int64_t first = before > 0 ? pod_part_count(before, stride) : 0;
        const int64_t end = before + input > 0 ? (before + input - 1) / stride + 1 : 0;
        const int64_t last = end < output ? end : output;
        meetings += last > first ? (double)(last - first) : 0;
    }
    return size <= LONGEST_KERNEL ? meetings : (double)size * (double)output;
}

/* Both gradients of a convolution multiply as often as it does. */
static double convolution_flops(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    const pod_ref *inputs = pod_tpu_inputs(lowering, node);
    const pod_window *window = &node->attributes->window;
    const bool weights = node->op == POD_OP_CONVOLUTION_KERNEL_GRADIENT;
    const bool backward = node->op == POD_OP_CONVOLUTION_INPUT_GRADIENT;
    const pod_shape *kernel = lowering->ir->values[weights ? node->value_first : inputs[1]].shape;
    const pod_shape *input = lowering->ir->values[backward ? node->value_first : inputs[0]].shape;
    const pod_shape *output = lowering->ir->values[weights    ? inputs[1]
                                                   : backward ? inputs[0]
                                                              : node->value_first]
                                  .shape;
    double flops =
        2 * (double)input->dims[0] * (double)kernel->dims[window->rank] * (double)kernel->dims[window->rank + 1];
    for (int32_t i = 0; i < window->rank; i++)
        flops *= pod_tpu_has(lowering, POD_TPU_MEETINGS)
                     ? count_meetings(window, i, input->dims[i + 1], output->dims[i + 1])
                     : (double)window->size[i] * (double)output->dims[i + 1];
    return flops;
}

/* Floating point operations of a dot or convolution; 0 for other ops. */
static double product_flops(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    if (pod_tpu_is_convolution(node->op))
        return convolution_flops(lowering, node);
    if (node->op != POD_OP_DOT)
        return 0;
    const pod_shape *left = lowering->ir->values[pod_tpu_inputs(lowering, node)[0]].shape;
    double flops = 2.0 * (double)lowering->values[node->value_first].elements;
    for (int32_t i = 0; i < node->attributes->lhs_contract.count; i++)
        flops *= (double)left->dims[node->attributes->lhs_contract.axes[i]];
    return flops;
}

static bool in_memory(const pod_tpu_lowering *lowering, pod_ref value)
{
    return lowering->values[value].stored || pod_tpu_kind_of(lowering, value) == POD_TPU_KIND_LEAF;
}

/* ---- the tally of a kernel ------------------------------------------------------------------------------------ */

bool pod_tpu_tally_make(pod_tpu_tally *tally, pod_tpu_lowering *lowering)
{
    const uint32_t count = lowering->ir->value_count;
    *tally = (pod_tpu_tally){.read_by = pod_tpu_array(lowering, count, sizeof *tally->read_by),
                             .counted = pod_tpu_array(lowering, count, sizeof *tally->counted),
                             .reads = pod_tpu_array(lowering, count, sizeof *tally->reads)};
    return tally->read_by && tally->counted && tally->reads;
}

void pod_tpu_tally_begin(pod_tpu_tally *tally, uint32_t kernel)
{
    tally->kernel = kernel;
    tally->work = (pod_tpu_work){0};
}

bool pod_tpu_tally_read(pod_tpu_tally *tally, pod_ref value)
{
    const bool first = tally->read_by[value] != tally->kernel;
    tally->read_by[value] = tally->kernel;
    return first;
}

float pod_tpu_tally_share(const pod_tpu_tally *tally, pod_ref value)
{
    return tally->reads[value].kernel == tally->kernel ? tally->reads[value].share : 1;
}

/* Of what is in memory a slice reads its own elements, and an update in place none; all else that one kernel computes
 * shares one read of it all. */
static void tally_reads(pod_tpu_tally *tally, const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    const pod_ref *inputs = pod_tpu_inputs(lowering, node);
    for (uint32_t i = 0; i < node->input_count && !pod_tpu_sees_otherwise(node->op); i++) {
        pod_ref value = inputs[i];
        while (!in_memory(lowering, value) && pod_tpu_sees_otherwise(pod_tpu_maker(lowering, value)->op))
            value = pod_tpu_inputs(lowering, pod_tpu_maker(lowering, value))[0];
        pod_tpu_read_share *read = &tally->reads[value];
        if (!in_memory(lowering, value))
            continue;
        if (read->kernel != tally->kernel)
            *read = (pod_tpu_read_share){.kernel = tally->kernel};
        if (node->op == POD_OP_DYNAMIC_UPDATE_SLICE && i == 0)
            continue;
        if (node->op == POD_OP_SLICE || (node->op == POD_OP_DYNAMIC_SLICE && i == 0)) {
            read->share +=
                (float)lowering->values[node->value_first].elements / (float)lowering->values[value].elements;
        } else if (!read->whole) {
            read->whole = true;
            read->share += 1;
        }
    }
}

void pod_tpu_tally_node(pod_tpu_tally *tally, const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    const pod_ref made = node->value_first;
    if (node->value_count == 0 || tally->counted[made] == tally->kernel)
        return;
    tally->counted[made] = tally->kernel;
    tally_reads(tally, lowering, node);
    const pod_ref passed = pod_tpu_is_reduction(node->op) ? pod_tpu_inputs(lowering, node)[0] : made;
    const double elements = (double)lowering->values[passed].elements;
    tally->work.elements = elements > tally->work.elements ? elements : tally->work.elements;
    tally->work.ops += !pod_tpu_sees_otherwise(node->op);
    if (node->op == POD_OP_BARRIER && node->input_count > 1)
        tally->work.awaited = pod_tpu_root(lowering, pod_tpu_inputs(lowering, node)[1]) + 1;
    if (pod_tpu_is_product(node->op)) {
        const double flops = product_flops(lowering, node);
        tally->work.flops += flops;
        tally->work.mxu_flops += pod_tpu_mxu_flops(lowering, node, flops);
        tally->work.product = (uint32_t)(node - lowering->ir->nodes) + 1;
        return;
    }
    const pod_flops_class class = pod_op_get(node->op)->flops;
    if (class == POD_FLOPS_REGION || class == POD_FLOPS_FREE)
        return;
    const pod_op_sizes sizes = pod_ir_sizes(lowering->ir, node);
    *(class == POD_FLOPS_TRANS ? &tally->work.transcendentals : &tally->work.others) += pod_op_flops(&sizes);
}
