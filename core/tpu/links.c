/* links - see passes.def: what lies between two convolutions of which the second alone reads the first, as in nets
 * that do not train (R15).
 *
 * A kernel computes a convolution, what comes before it and what comes after it. The maker computes a link of
 * elementwise ops; where one of the two has groups, the reader those after the last one that joins something else (a
 * bias, a scale). A convolution that has nothing before it in its kernel, or ops that each read one value once (ReLU,
 * tanh), leaves all of them to the reader. */

#include "tpu/passes.h"
#include "tpu/walks.h"

/* Tells whether a node is a convolution or max pooling, and a value is what moves through it. */
static bool reads_link(const pod_tpu_lowering *lowering, const pod_ir_node *node, pod_ref value)
{
    return (node->op == POD_OP_CONVOLUTION || node->op == POD_OP_CONVOLUTION_INPUT_GRADIENT ||
            node->op == POD_OP_POOL_MAX) &&
           pod_tpu_inputs(lowering, node)[0] == value;
}

/* Tells whether a node's operands are what the walk with the present stamp has seen, and constants. */
static bool joins_nothing(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    const pod_ref *inputs = pod_tpu_inputs(lowering, node);
    bool nothing = true;
    for (uint32_t i = 0; i < node->input_count; i++)
        nothing = nothing && (lowering->stamps[inputs[i]] == lowering->stamp ||
                              pod_tpu_kind_of(lowering, inputs[i]) == POD_TPU_KIND_CONSTANT);
    return nothing;
}

bool pod_tpu_follow_link(pod_tpu_lowering *lowering, pod_ref product, pod_tpu_link *link)
{
    const int64_t elements = lowering->values[product].elements;
    pod_tpu_front front = {.count = 0};
    bool joins = false;
    *link = (pod_tpu_link){.joined = product, .end = product};
    lowering->stamps[product] = ++lowering->stamp;
    pod_ref value = product;
    for (uint32_t length = 0; length < POD_TPU_LONGEST_CHAIN; length++) {
        if (lowering->values[value].is_output || !pod_tpu_front_add_users(&front, lowering, value) || front.count == 0)
            return false;
        const uint32_t index = front.nodes[--front.count];
        const pod_ir_node *node = &lowering->ir->nodes[index];
        if (front.count == 0 && link->end == value && reads_link(lowering, node, value)) {
            link->reader = index;
            return lowering->values[value].user_count == 1;
        }
        const pod_ref made = node->value_first;
        if ((lowering->kinds[index] != POD_TPU_KIND_ELEMENTWISE && !pod_tpu_is_view(node)) ||
            (node->op == POD_OP_COMPARE && lowering->training) || lowering->values[made].elements != elements ||
            lowering->values[made].stored)
            return false;
        joins = joins || !joins_nothing(lowering, node);
        lowering->stamps[made] = lowering->stamp;
        value = made;
        if (front.count > 0)
            continue;
        link->end = made;
        if (joins)
            link->joined = made;
        joins = false;
    }
    return false;
}

/* Tells whether a convolution stores what it makes raw, always, and larger ones are computed in each other. */
static bool is_wide(const pod_tpu_lowering *lowering)
{
    return pod_tpu_has(lowering, POD_TPU_RAW_CONVOLUTIONS);
}

/* Tells whether an argument lies with its batch minor, or next to its channels. */
static bool lies_as_activation(const pod_tpu_lowering *lowering, const pod_ir_value *value)
{
    const int32_t rank = value->shape->rank;
    pod_layout layout;
    if (rank < 3 || pod_layout_choose(lowering->target->chip, pod_element_from_dtype(value->dtype), value->shape,
                                      POD_LAYOUT_COMPACT, &layout, NULL) != POD_OK)
        return true;
    return layout.minor_to_major[0] == 0 || (layout.minor_to_major[0] == rank - 1 && layout.minor_to_major[1] == 0);
}

bool pod_tpu_is_output_copy(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    return pod_tpu_is_copy(node) && lowering->values[node->value_first].is_output;
}

/* Tells whether a value is computed from one in memory and constants by ops that each read what the last one made, once
 * (ReLU or tanh, but no ReLU with a slope). */
static bool is_in_line(const pod_tpu_lowering *lowering, pod_ref value)
{
    uint32_t count = 1;
    while (count == 1 && !lowering->values[value].stored) {
        const pod_ir_node *node = pod_tpu_maker(lowering, value);
        const bool computed =
            pod_tpu_kind_of(lowering, value) == POD_TPU_KIND_ELEMENTWISE && lowering->values[value].user_count == 1;
        count = 0;
        for (uint32_t i = 0; i < node->input_count && computed; i++) {
            const pod_ref read = pod_tpu_root(lowering, pod_tpu_inputs(lowering, node)[i]);
            if (pod_tpu_kind_of(lowering, read) != POD_TPU_KIND_CONSTANT) {
                value = read;
                count++;
            }
        }
    }
    return count == 1;
}

/* Tells what a convolution has before it, as far as its operand tells. */
static pod_tpu_start start_of(const pod_tpu_lowering *lowering, const pod_ir_node *convolution)
{
    const pod_ref input = pod_tpu_root(lowering, pod_tpu_inputs(lowering, convolution)[0]);
    const pod_tpu_value *v = &lowering->values[input];
    const pod_tpu_kind kind = pod_tpu_kind_of(lowering, input);
    if (kind == POD_TPU_KIND_LEAF)
        return lies_as_activation(lowering, &lowering->ir->values[input]) ? POD_TPU_START_PLAIN : POD_TPU_START_COPIED;
    if (v->stored || v->user_count > 1 || is_in_line(lowering, input))
        return POD_TPU_START_PLAIN;
    return kind == POD_TPU_KIND_ELEMENTWISE ? POD_TPU_START_COMPUTED : POD_TPU_START_COPIED;
}

#define LARGEST_NESTED 36864     /* elements of a kernel: 3 x 3 of 64 channels */
#define LARGEST_FEW    (3 << 19) /* bytes, where the batch does not fill the lanes, or of 16 bits */
#define FULL           4         /* bytes of an element */
#define LARGEST_PIXELS (1 << 20) /* where the first one is of single pixels, or raw */
#define LEAST_CHANNELS 8         /* images have fewer */

/* Tells whether a convolution has windows that lie side by side. */
static bool has_strides(const pod_ir_node *convolution)
{
    bool strides = false;
    for (int32_t i = 0; i < convolution->attributes->window.rank; i++)
        strides = strides || convolution->attributes->window.stride[i] > 1;
    return strides;
}

/* Tells whether a depthwise convolution that would be computed in a node alone leads to it. */
static bool follows_groups(pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    pod_tpu_walk walk = pod_tpu_walk_begin(lowering);
    pod_tpu_walk_to(&walk, pod_tpu_inputs(lowering, node)[0]);
    for (const pod_ir_node *maker; pod_tpu_walk_next_maker(&walk, &maker);) {
        if (maker->op == POD_OP_CONVOLUTION && maker->attributes->window.groups > 1)
            return !has_strides(maker) && lowering->ir->values[maker->value_first].dtype == POD_F32 &&
                   pod_tpu_has(lowering, POD_TPU_DEPTHWISE_PAIRS);
        for (uint32_t i = 0; i < maker->input_count; i++)
            if (pod_tpu_kind_of(lowering, pod_tpu_inputs(lowering, maker)[i]) == POD_TPU_KIND_ELEMENTWISE ||
                pod_tpu_maker(lowering, pod_tpu_inputs(lowering, maker)[i])->op == POD_OP_CONVOLUTION)
                pod_tpu_walk_to(&walk, pod_tpu_inputs(lowering, maker)[i]);
    }
    return false;
}

/* Tells whether a pair may be one of a depthwise convolution and one of single pixels: in 32 bits the first is computed
 * in its reader if it has no strides, else what it reads in it. */
static bool may_nest_groups(pod_tpu_lowering *lowering, const pod_ir_node *node, const pod_ir_node *reader, bool pixels)
{
    const int64_t groups = node->attributes->window.groups, others = reader->attributes->window.groups;
    if (is_wide(lowering) || (groups <= 1 && others <= 1))
        return others <= 1 && (is_wide(lowering) || !follows_groups(lowering, node));
    if (groups <= 1)
        return pixels && !has_strides(node);
    return others <= 1 && !has_strides(node) && lowering->ir->values[node->value_first].dtype == POD_F32 &&
           pod_tpu_has(lowering, POD_TPU_DEPTHWISE_PAIRS);
}

/* Tells whether a convolution may be computed in the one that reads it, for what both are. */
static bool may_nest(pod_tpu_lowering *lowering, pod_ref product, const pod_tpu_link *link)
{
    const pod_ir_node *node = pod_tpu_maker(lowering, product), *reader = &lowering->ir->nodes[link->reader];
    const bool convolves =
        reader->op == POD_OP_CONVOLUTION || (is_wide(lowering) && reader->op == POD_OP_CONVOLUTION_INPUT_GRADIENT);
    if (!pod_tpu_has(lowering, POD_TPU_PAIRS) || node->op != POD_OP_CONVOLUTION || !convolves ||
        lowering->pairs[product].start == POD_TPU_START_COPIED)
        return false;
    const pod_ref kernel = pod_tpu_inputs(lowering, node)[1], other = pod_tpu_inputs(lowering, reader)[1];
    const pod_shape *shape = lowering->ir->values[kernel].shape;
    bool pixels = true;
    for (int32_t i = 0; i < shape->rank - 2; i++)
        pixels = pixels && shape->dims[i] == 1;
    if (!may_nest_groups(lowering, node, reader, pixels))
        return false;
    const int64_t batch = lowering->ir->values[product].shape->dims[0];
    const int64_t channels = shape->dims[shape->rank - 2] * node->attributes->window.groups;
    const int64_t size = (int64_t)pod_dtype_size(lowering->ir->values[kernel].dtype);
    const bool depthwise = node->attributes->window.groups > 1 && !is_wide(lowering); /* its reader is of pixels */
    const int64_t most = pixels || is_wide(lowering)  ? LARGEST_PIXELS
                         : batch < 128 || size < FULL ? LARGEST_FEW / size
                                                      : LARGEST_NESTED;
    return (is_wide(lowering) || channels >= LEAST_CHANNELS) && lowering->values[kernel].elements <= most &&
           lowering->values[other].elements <= (depthwise ? LARGEST_PIXELS : most);
}

/* Finds pairs of raw convolutions, from the first one on. */
static void mark_pairs(pod_tpu_lowering *lowering)
{
    pod_tpu_link link;
    for (uint32_t i = 0; i < lowering->ir->node_count; i++) {
        const pod_ir_node *node = &lowering->ir->nodes[i];
        if (node->op != POD_OP_CONVOLUTION || lowering->pairs[node->value_first].nests ||
            !pod_tpu_follow_link(lowering, node->value_first, &link) || !may_nest(lowering, node->value_first, &link))
            continue;
        const pod_ref outer = lowering->ir->nodes[link.reader].value_first;
        lowering->pairs[node->value_first].nested = lowering->pairs[outer].nests = true;
    }
}

bool pod_tpu_pass_links(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    pod_tpu_link link;
    for (uint32_t i = 0; i < ir->node_count; i++)
        if (ir->nodes[i].op == POD_OP_CONVOLUTION || ir->nodes[i].op == POD_OP_CONVOLUTION_INPUT_GRADIENT)
            lowering->pairs[ir->nodes[i].value_first].start = (uint8_t)start_of(lowering, &ir->nodes[i]);
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ir_node *node = &ir->nodes[i];
        if (node->op == POD_OP_CONVOLUTION && pod_tpu_follow_link(lowering, node->value_first, &link) &&
            pod_tpu_is_convolution(ir->nodes[link.reader].op) && link.end == node->value_first)
            lowering->pairs[ir->nodes[link.reader].value_first].start = POD_TPU_START_PLAIN;
    }
    if (is_wide(lowering))
        mark_pairs(lowering);
    return true;
}

pod_ref pod_tpu_stored_of_link(const pod_tpu_lowering *lowering, pod_ref product, const pod_tpu_link *link)
{
    const pod_ir_node *node = pod_tpu_maker(lowering, product), *reader = &lowering->ir->nodes[link->reader];
    const bool convolves = node->op == POD_OP_CONVOLUTION && reader->op == POD_OP_CONVOLUTION;
    const pod_tpu_start start = (pod_tpu_start)lowering->pairs[product].start;
    if (is_wide(lowering) || start == POD_TPU_START_PLAIN || !convolves)
        return product;
    if (node->attributes->window.groups > 1)
        return has_strides(node) ? link->end : link->joined;
    return reader->attributes->window.groups > 1 ? link->joined : link->end;
}

bool pod_tpu_is_nested(pod_tpu_lowering *lowering, pod_ref product, const pod_tpu_link *link)
{
    const pod_tpu_pair *outer = &lowering->pairs[lowering->ir->nodes[link->reader].value_first];
    if (is_wide(lowering))
        return lowering->pairs[product].nested;
    return !outer->nests && !outer->nested && may_nest(lowering, product, link);
}
