/* activations - see passes.def (R3). */

#include "tpu/passes.h"

/* Channels come last in convolutions. */
static void mark(const pod_tpu_lowering *lowering, pod_ref value)
{
    lowering->values[value].activation = (uint8_t)(lowering->ir->values[value].shape->rank - 1);
}

static void mark_convolutions(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ir_node *node = &ir->nodes[i];
        const pod_ref *inputs = pod_tpu_inputs(lowering, node);
        switch (node->op) {
        case POD_OP_CONVOLUTION:
        case POD_OP_CONVOLUTION_INPUT_GRADIENT:
            mark(lowering, inputs[0]);
            mark(lowering, node->value_first);
            break;
        case POD_OP_CONVOLUTION_KERNEL_GRADIENT:
            mark(lowering, inputs[0]);
            mark(lowering, inputs[1]);
            break;
        default:
            break;
        }
    }
}

/* Operands and results of convolutions have the convolutions' layout, images of one channel as well. */
static void unmark_convolved(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ir_node *node = &ir->nodes[i];
        if (!pod_tpu_is_convolution(node->op))
            continue;
        lowering->pixels[node->value_first] = false;
        for (uint32_t j = 0; j < node->input_count; j++)
            lowering->pixels[pod_tpu_inputs(lowering, node)[j]] = false;
    }
}

/* Of two values that lie alike, one computed from the other, both lie as an activation if one does. */
static bool join_activations(pod_tpu_value *from, pod_tpu_value *made, bool forward)
{
    pod_tpu_value *to = forward ? made : from;
    const uint8_t channels = forward ? from->activation : made->activation;
    if (to->activation || !channels)
        return false;
    to->activation = channels;
    return true;
}

/* A transpose that keeps the batch is another name of the axes: nothing moves (R3). */
static bool join_transposed(pod_tpu_value *from, pod_tpu_value *made, const pod_axes *axes, bool forward)
{
    if (axes->count < 4 || axes->axes[0] != 0 || (forward ? made : from)->activation)
        return false;
    for (int32_t i = 1; i < axes->count; i++) {
        if (forward && from->activation == axes->axes[i])
            made->activation = (uint8_t)i;
        else if (!forward && made->activation == i)
            from->activation = (uint8_t)axes->axes[i];
    }
    return (forward ? made : from)->activation != 0;
}

/* Tells whether a reshape, or sums, of an activation keep its batch and its channels, as those of upsampling by
 * repetition do. */
static bool keeps_channels(const pod_shape *from, const pod_shape *to)
{
    return from->rank >= 4 && to->rank >= 4 && from->dims[0] == to->dims[0] &&
           from->dims[from->rank - 1] == to->dims[to->rank - 1];
}

/* The same for such a reshape or sum. */
static bool join_reshaped(const pod_tpu_lowering *lowering, pod_ref from, pod_ref made, bool forward)
{
    const pod_ref known = forward ? from : made, other = forward ? made : from;
    if (lowering->values[other].activation ||
        lowering->values[known].activation != lowering->ir->values[known].shape->rank - 1)
        return false;
    mark(lowering, other);
    return true;
}

/* Elementwise ops and pooling keep the layout of their operands. */
static bool spread_activation(pod_tpu_lowering *lowering, uint32_t index, bool forward)
{
    const pod_ir *ir = lowering->ir;
    const pod_ir_node *node = &ir->nodes[index];
    const pod_ref *inputs = pod_tpu_inputs(lowering, node);
    const pod_shape *shape = ir->values[node->value_first].shape;
    pod_tpu_value *made = &lowering->values[node->value_first];
    if ((node->op == POD_OP_RESHAPE || pod_tpu_is_reduction(node->op)) &&
        keeps_channels(ir->values[inputs[0]].shape, shape))
        return join_reshaped(lowering, inputs[0], node->value_first, forward);
    if (node->op == POD_OP_TRANSPOSE && pod_tpu_has(lowering, POD_TPU_CHANNELS_FIRST))
        return join_transposed(&lowering->values[inputs[0]], made, &node->attributes->axes, forward);
    if (lowering->kinds[index] != POD_TPU_KIND_ELEMENTWISE && !pod_tpu_is_pooling(node) &&
        node->op != POD_OP_CONCATENATE && node->op != POD_OP_PAD)
        return false;
    bool changed = false;
    for (uint32_t i = 0; i < node->input_count; i++)
        if (ir->values[inputs[i]].shape->rank == shape->rank) {
            pod_tpu_value *input = &lowering->values[inputs[i]];
            changed = join_activations(input, made, forward) || changed;
        }
    return changed;
}

/* Tells whether a shape is that of numbers a pixel: three axes, and any of one element. */
static bool is_of_pixels(const pod_shape *shape)
{
    bool pixels = shape->rank >= 3;
    for (int32_t i = 3; i < shape->rank; i++)
        pixels = pixels && shape->dims[i] == 1;
    return pixels;
}

/* Tells whether there is one such number for each pixel of an image. */
static bool has_pixels_of(const pod_shape *image, const pod_shape *pixels)
{
    return image->rank == 4 && image->dims[0] == pixels->dims[0] && image->dims[1] == pixels->dims[1] &&
           image->dims[2] == pixels->dims[2];
}

/* The sum of an activation over its channels has its batch minor too, and so have values that are computed with such a
 * sum or spread over channels. */
static bool spread_pixels(pod_tpu_lowering *lowering, uint32_t index, bool forward)
{
    const pod_ir *ir = lowering->ir;
    const pod_ir_node *node = &ir->nodes[index];
    const pod_ref *inputs = pod_tpu_inputs(lowering, node);
    const pod_tpu_value *made = &lowering->values[node->value_first];
    bool *made_of_pixels = &lowering->pixels[node->value_first];
    const bool here = is_of_pixels(ir->values[node->value_first].shape);
    const bool moves = node->op == POD_OP_RESHAPE || node->op == POD_OP_BROADCAST;
    if (!moves && lowering->kinds[index] != POD_TPU_KIND_ELEMENTWISE && !pod_tpu_is_reduction(node->op))
        return false;
    bool changed = false;
    for (uint32_t i = 0; i < node->input_count; i++) {
        const pod_tpu_value *input = &lowering->values[inputs[i]];
        bool *input_of_pixels = &lowering->pixels[inputs[i]];
        const pod_shape *shape = ir->values[inputs[i]].shape;
        const bool there = is_of_pixels(shape);
        const bool same = here && there && input->elements == made->elements;
        if (forward && !*made_of_pixels && here &&
            (same ? *input_of_pixels
                  : pod_tpu_is_reduction(node->op) && input->activation &&
                        has_pixels_of(shape, ir->values[node->value_first].shape)))
            changed = *made_of_pixels = true;
        if (!forward && !*input_of_pixels && there &&
            (same ? *made_of_pixels
                  : made->activation && !pod_tpu_is_reduction(node->op) &&
                        has_pixels_of(ir->values[node->value_first].shape, shape)))
            changed = *input_of_pixels = true;
    }
    return changed;
}

#define MOST_ROUNDS 4

/* Spreads marks forward and back until nothing changes any more. */
static void spread_all(pod_tpu_lowering *lowering, bool (*spread)(pod_tpu_lowering *, uint32_t index, bool forward))
{
    const uint32_t count = lowering->ir->node_count;
    bool changed = true;
    for (int round = 0; round < MOST_ROUNDS && changed; round++) {
        changed = false;
        for (uint32_t i = 0; i < count; i++)
            changed = spread(lowering, i, true) || changed;
        for (uint32_t i = count; i-- > 0;)
            changed = spread(lowering, i, false) || changed;
    }
}

bool pod_tpu_pass_activations(pod_tpu_lowering *lowering)
{
    mark_convolutions(lowering);
    spread_all(lowering, spread_activation);
    spread_all(lowering, spread_pixels);
    unmark_convolved(lowering);
    return true;
}
