/* results - see passes.def (R2, R3, R13). */

#include "tpu/node_rewrite.h"
#include "tpu/passes.h"

/* Ops that read their operands as they lie in memory. */
static bool reads_memory(const pod_ir_node *node)
{
    switch (node->op) {
    case POD_OP_GATHER:
    case POD_OP_SCATTER:
    case POD_OP_SORT:
    case POD_OP_TOP_K:
    case POD_OP_WHILE:
    case POD_OP_COND:
    case POD_OP_POOL_MAX_GRADIENT:
    case POD_OP_BARRIER:
        return true;
    case POD_OP_OPAQUE:
        return !node->attributes->flag && !pod_tpu_is_opaque(node, "stablehlo.reduce_window") &&
               !pod_tpu_is_opaque(node, "stablehlo.reduce");
    default:
        return false;
    }
}

static void store_operand(pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_ref root = pod_tpu_root(lowering, value);
    const pod_tpu_kind kind = pod_tpu_kind_of(lowering, root);
    if (kind != POD_TPU_KIND_CONSTANT && kind != POD_TPU_KIND_LEAF)
        lowering->values[root].stored = true;
}

static void store_operands(pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    const pod_ref *inputs = pod_tpu_inputs(lowering, node);
    for (uint32_t i = 0; i < node->input_count; i++) {
        const pod_ref root = pod_tpu_root(lowering, inputs[i]);
        store_operand(lowering, root);
        if (pod_tpu_copied_rows(lowering, node) != POD_REF_NONE)
            store_operand(lowering, pod_tpu_copied_rows(lowering, node));
    }
}

/* Stores the value that upsampling by repetition reshapes, if `value` is its result. */
static void store_joined(pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_ir_node *maker = pod_tpu_maker(lowering, value);
    if (maker->op != POD_OP_RESHAPE)
        return;
    const pod_ref joined = pod_tpu_inputs(lowering, maker)[0];
    if (lowering->ir->values[joined].shape->rank > lowering->ir->values[value].shape->rank)
        store_operand(lowering, joined);
}

#define MOST_PARTS 4 /* arrays that a convolution joins as it reads them */

/* How many arrays a concatenation joins, those of concatenations along the same axis among them. */
static uint32_t count_parts(const pod_tpu_lowering *lowering, const pod_ir_node *concatenation)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < concatenation->input_count; i++) {
        const pod_ir_node *maker = pod_tpu_maker(lowering, pod_tpu_inputs(lowering, concatenation)[i]);
        count += maker->op == POD_OP_CONCATENATE && maker->attributes->axis == concatenation->attributes->axis
                     ? count_parts(lowering, maker)
                     : 1;
    }
    return count;
}

/* A convolution joins up to four arrays as it reads them from memory: each is stored, also what is computed from a
 * product beside that. Of more arrays the concatenation is stored. */
static void store_parts(pod_tpu_lowering *lowering, const pod_ir_node *concatenation)
{
    if (count_parts(lowering, concatenation) > MOST_PARTS) {
        lowering->values[concatenation->value_first].stored = true;
        return;
    }
    for (uint32_t i = 0; i < concatenation->input_count; i++) {
        const pod_ref part = pod_tpu_inputs(lowering, concatenation)[i];
        const pod_ir_node *maker = pod_tpu_maker(lowering, part);
        store_joined(lowering, part);
        if (maker->op == POD_OP_CONCATENATE)
            store_parts(lowering, maker);
        else if (pod_tpu_kind_of(lowering, part) == POD_TPU_KIND_ELEMENTWISE)
            store_operand(lowering, part);
    }
}

/* Tells whether reductions over batch and images, as batch normalisation has, read a value, through elementwise ops. */
static bool is_normalised(const pod_tpu_lowering *lowering, pod_ref value, uint32_t depth)
{
    const pod_tpu_value *v = &lowering->values[value];
    const int32_t rank = lowering->ir->values[value].shape->rank;
    for (uint32_t i = 0; i < v->user_count && depth < 3; i++) {
        const uint32_t user = lowering->users[v->user_first + i];
        const pod_ir_node *node = &lowering->ir->nodes[user];
        if (node->op == POD_OP_REDUCE_SUM && node->attributes->axes.count == rank - 1)
            return true;
        if (lowering->kinds[user] == POD_TPU_KIND_ELEMENTWISE &&
            lowering->values[node->value_first].elements == v->elements &&
            is_normalised(lowering, node->value_first, depth + 1))
            return true;
    }
    return false;
}

/* A concatenation of channels that is normalised is stored, by the kernel that makes its sums, and so is what is
 * computed for it, which others compute anew (R3). */
static void store_normalised(pod_tpu_lowering *lowering, const pod_ir_node *concatenation)
{
    const pod_ref joined = concatenation->value_first;
    const int32_t rank = lowering->ir->values[joined].shape->rank;
    if (rank < 4 || concatenation->attributes->axis != rank - 1 || !lowering->values[joined].activation ||
        !pod_tpu_has(lowering, POD_TPU_NORMALISED_JOINS) || !is_normalised(lowering, joined, 0))
        return;
    lowering->values[joined].stored = lowering->values[joined].of_product = lowering->parts[joined].normalised = true;
    for (uint32_t i = 0; i < concatenation->input_count; i++) {
        const pod_ref part = pod_tpu_inputs(lowering, concatenation)[i];
        pod_tpu_value *value = &lowering->values[part];
        if (pod_tpu_kind_of(lowering, part) == POD_TPU_KIND_ELEMENTWISE && !value->stored)
            value->stored = lowering->parts[part].for_join = true;
    }
}

/* Convolutions do not read through a reshape that joins axes, as upsampling by repetition has: what it joins is
 * stored (R3), also where a skip connection is joined to it. */
static void store_repeated(pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    const pod_ref *inputs = pod_tpu_inputs(lowering, node);
    for (uint32_t i = 0; i < node->input_count && pod_tpu_has(lowering, POD_TPU_STORED_REPETITION); i++) {
        const pod_ir_node *maker = pod_tpu_maker(lowering, inputs[i]);
        store_joined(lowering, inputs[i]);
        if (maker->op == POD_OP_CONCATENATE && pod_tpu_has(lowering, POD_TPU_SKIP_CONNECTIONS))
            store_parts(lowering, maker);
    }
}

/* Convolutions read a converted parameter as it lies in memory, and what is converted is there too where that is copied
 * (R3). */
static void store_converted(pod_tpu_lowering *lowering, const pod_ir_node *convolution)
{
    const pod_ref input = pod_tpu_root(lowering, pod_tpu_inputs(lowering, convolution)[0]);
    pod_ref value = input;
    while (pod_tpu_converts(pod_tpu_maker(lowering, value)))
        value = pod_tpu_root(lowering, pod_tpu_inputs(lowering, pod_tpu_maker(lowering, value))[0]);
    if (pod_tpu_maker(lowering, value)->op != POD_OP_PARAMETER)
        return;
    for (value = input; pod_tpu_converts(pod_tpu_maker(lowering, value));
         value = pod_tpu_root(lowering, pod_tpu_inputs(lowering, pod_tpu_maker(lowering, value))[0]))
        lowering->values[value].stored = true;
}

#define FEW_CHANNELS    8 /* tiles have as many rows */
#define DEEPEST_PICTURE 8 /* ops between a parameter and a convolution */

/* Tells whether no kernel makes anything that a value is computed from: pictures are parameters. */
static bool comes_of_parameters(const pod_tpu_lowering *lowering, pod_ref value, uint32_t depth)
{
    const pod_ir_node *maker = pod_tpu_maker(lowering, value);
    const pod_ref *inputs = pod_tpu_inputs(lowering, maker);
    const pod_tpu_kind kind = pod_tpu_kind_of(lowering, value);
    bool alone = kind <= POD_TPU_KIND_MOVE && depth < DEEPEST_PICTURE;
    for (uint32_t i = 0; i < maker->input_count && alone; i++)
        alone = comes_of_parameters(lowering, inputs[i], depth + 1);
    return alone;
}

/* Convolutions read what is computed of pictures from memory where its channels do not fill the rows of a tile (R3). */
static void store_few_channels(pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    const pod_ref read = pod_tpu_root(lowering, pod_tpu_inputs(lowering, node)[0]);
    const pod_shape *kernel = lowering->ir->values[pod_tpu_inputs(lowering, node)[1]].shape;
    if (node->op == POD_OP_CONVOLUTION && kernel->dims[kernel->rank - 2] < FEW_CHANNELS &&
        node->attributes->window.groups <= 1 && pod_tpu_kind_of(lowering, read) == POD_TPU_KIND_ELEMENTWISE &&
        pod_tpu_has(lowering, POD_TPU_FEW_CHANNELS) && comes_of_parameters(lowering, read, 0))
        lowering->values[read].stored = true;
}

#define DEEPEST_GROUPS 12 /* ops between two convolutions */

/* Tells whether a value is what a convolution in groups makes, or computed from that, an element from an element. */
static bool comes_of_groups(const pod_tpu_lowering *lowering, pod_ref value, uint32_t depth)
{
    const pod_ir_node *maker = pod_tpu_maker(lowering, value);
    if (pod_tpu_is_grouped(lowering, maker))
        return true;
    const pod_ref *inputs = pod_tpu_inputs(lowering, maker);
    for (uint32_t i = 0; i < maker->input_count && depth < DEEPEST_GROUPS; i++)
        if (lowering->kinds[lowering->ir->values[value].node] == POD_TPU_KIND_ELEMENTWISE &&
            lowering->values[inputs[i]].elements == lowering->values[value].elements &&
            comes_of_groups(lowering, inputs[i], depth + 1))
            return true;
    return false;
}

/* The groups of a convolution are an axis of what it reads and makes, where other convolutions have none: what is
 * computed between them is computed in neither (R3). */
static void store_grouped(pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    const uint32_t arrays = node->op == POD_OP_CONVOLUTION_KERNEL_GRADIENT ? 2 : 1; /* a kernel is none */
    for (uint32_t i = 0; i < arrays; i++) {
        const pod_ref read = pod_tpu_root(lowering, pod_tpu_inputs(lowering, node)[i]);
        if (pod_tpu_kind_of(lowering, read) == POD_TPU_KIND_ELEMENTWISE && !lowering->values[read].stored &&
            (pod_tpu_is_grouped(lowering, node) || comes_of_groups(lowering, read, 0)))
            lowering->values[read].stored = true;
    }
}

static int32_t row_rank(const pod_tpu_lowering *lowering, const pod_ir_node *scatter)
{
    return lowering->ir->values[pod_tpu_inputs(lowering, scatter)[2]].shape->rank;
}

/* A scatter into zeros that something is added to scatters into that something instead: the sum is the scatter. Two of
 * them are one, if their indices have the same rank. */
static void scatter_into_sum(pod_tpu_lowering *lowering, uint32_t add)
{
    const pod_ir_node *node = &lowering->ir->nodes[add];
    const pod_ref *inputs = pod_tpu_inputs(lowering, node);
    for (uint32_t i = 0; i < 2; i++) {
        const pod_ir_node *scatter = pod_tpu_maker(lowering, inputs[i]);
        const pod_ref other = pod_tpu_root(lowering, inputs[1 - i]);
        if (scatter->op != POD_OP_SCATTER || scatter->attributes->reduction != POD_REDUCE_SUM ||
            pod_tpu_kind_of(lowering, inputs[i]) != POD_TPU_KIND_COMPUTE ||
            lowering->values[inputs[i]].user_count != 1 ||
            pod_tpu_kind_of(lowering, pod_tpu_inputs(lowering, scatter)[0]) != POD_TPU_KIND_CONSTANT ||
            pod_tpu_kind_of(lowering, other) == POD_TPU_KIND_LEAF ||
            pod_tpu_kind_of(lowering, other) == POD_TPU_KIND_CONSTANT)
            continue;
        const pod_ir_node *maker = pod_tpu_maker(lowering, inputs[1 - i]);
        if (maker->op == POD_OP_SCATTER && row_rank(lowering, maker) != row_rank(lowering, scatter))
            return;
        lowering->values[inputs[i]].stored = false;
        lowering->values[other].stored = true;
        lowering->values[node->value_first].stored = lowering->values[node->value_first].scattered = true;
        return;
    }
}

/* Parts of what a turn takes that it joins anew (a roll) are stored. */
static void store_rolled(pod_tpu_lowering *lowering, const pod_ir_node *concatenation)
{
    const pod_ref *parts = pod_tpu_inputs(lowering, concatenation);
    const pod_ir_node *first = pod_tpu_maker(lowering, parts[0]);
    const pod_ref from = first->op == POD_OP_SLICE ? pod_tpu_inputs(lowering, first)[0] : POD_REF_NONE;
    bool rolled = from != POD_REF_NONE && pod_tpu_kind_of(lowering, from) == POD_TPU_KIND_LEAF &&
                  lowering->values[from].elements == lowering->values[concatenation->value_first].elements;
    for (uint32_t i = 1; rolled && i < concatenation->input_count; i++)
        rolled = pod_tpu_maker(lowering, parts[i])->op == POD_OP_SLICE &&
                 pod_tpu_inputs(lowering, pod_tpu_maker(lowering, parts[i]))[0] == from;
    for (uint32_t i = 0; rolled && i < concatenation->input_count; i++)
        lowering->values[parts[i]].stored = true;
}

#define DEEPEST_SLICED 12 /* ops before a slice */

/* A kernel that slices computes what is for itself alone, and reads from memory what others read, too (R2). */
static void store_sliced(pod_tpu_lowering *lowering, pod_ref value, uint32_t depth)
{
    const pod_ir_node *maker = pod_tpu_maker(lowering, value);
    const pod_ref *inputs = pod_tpu_inputs(lowering, maker);
    if (lowering->values[value].user_count > 1) {
        if (pod_tpu_kind_of(lowering, pod_tpu_root(lowering, value)) == POD_TPU_KIND_ELEMENTWISE)
            store_operand(lowering, value);
        return;
    }
    if (depth == DEEPEST_SLICED ||
        (!pod_tpu_is_view(maker) && pod_tpu_kind_of(lowering, value) != POD_TPU_KIND_ELEMENTWISE))
        return;
    for (uint32_t i = 0; i < maker->input_count; i++)
        if (lowering->values[inputs[i]].elements == lowering->values[value].elements)
            store_sliced(lowering, inputs[i], depth + 1);
}

bool pod_tpu_pass_results(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ir_node *node = &ir->nodes[i];
        const pod_tpu_kind kind = lowering->kinds[i];
        for (uint32_t j = 0; j < node->value_count; j++)
            if (kind == POD_TPU_KIND_COMPUTE)
                lowering->values[node->value_first + j].stored = true;
        if (pod_tpu_is_convolution(node->op)) {
            if (pod_tpu_has(lowering, POD_TPU_STORED_CONVERSIONS))
                store_converted(lowering, node);
            store_few_channels(lowering, node);
            store_repeated(lowering, node);
            store_grouped(lowering, node);
        }
        if (pod_tpu_has(lowering, POD_TPU_RESHAPED_SPREADS) && pod_tpu_reshapes_spread(lowering, ir, node))
            lowering->values[node->value_first].stored = lowering->values[pod_tpu_inputs(lowering, node)[0]].stored =
                true;
        if (node->op == POD_OP_SLICE && pod_tpu_has(lowering, POD_TPU_SLICED))
            store_sliced(lowering, pod_tpu_inputs(lowering, node)[0], 0);
        if (node->op == POD_OP_CONCATENATE)
            store_normalised(lowering, node);
        if (node->op == POD_OP_CONCATENATE && lowering->depth > 0 && pod_tpu_has(lowering, POD_TPU_COPIED_RESULTS))
            store_rolled(lowering, node);
        if ((kind != POD_TPU_KIND_ELEMENTWISE && reads_memory(node)) || pod_tpu_is_output_copy(lowering, node))
            store_operands(lowering, node);
    }
    for (uint32_t i = 0; i < ir->node_count; i++)
        if (ir->nodes[i].op == POD_OP_ADD && pod_tpu_has(lowering, POD_TPU_SCATTERED_SUMS))
            scatter_into_sum(lowering, i);
    for (uint32_t i = 0; i < ir->output_count; i++) {
        const pod_ref output = ir->outputs[i];
        const pod_tpu_kind kind = pod_tpu_kind_of(lowering, output);
        if (kind != POD_TPU_KIND_LEAF)
            lowering->values[output].stored = lowering->values[output].free = true;
    }
    return true;
}
