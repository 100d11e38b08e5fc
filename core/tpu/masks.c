/* masks - see lowering.h: masks of activations (R7). */

#include "tpu/walks.h"

/* Tells whether a node compares a value with a constant, as the gradient of relu does. */
static bool is_mask(const pod_tpu_lowering *lowering, uint32_t node)
{
    const pod_ir_node *n = &lowering->ir->nodes[node];
    if (n->op != POD_OP_COMPARE)
        return false;
    const pod_ir_node *other = pod_tpu_maker(lowering, pod_tpu_inputs(lowering, n)[1]);
    while (other->op == POD_OP_BROADCAST)
        other = pod_tpu_maker(lowering, pod_tpu_inputs(lowering, other)[0]);
    return other->op == POD_OP_CONSTANT;
}

/* Tells whether all that is computed from a value, an element from an element, is read by reductions. */
static bool only_reductions_read(const pod_tpu_lowering *lowering, pod_ref value, uint32_t depth)
{
    const pod_tpu_value *v = &lowering->values[value];
    for (uint32_t i = 0; i < v->user_count; i++) {
        const uint32_t user = lowering->users[v->user_first + i];
        const pod_ref made = lowering->ir->nodes[user].value_first;
        if (pod_tpu_is_reduction(lowering->ir->nodes[user].op) || is_mask(lowering, user))
            continue;
        if (depth == 8 || lowering->kinds[user] != POD_TPU_KIND_ELEMENTWISE || lowering->values[made].stored ||
            !only_reductions_read(lowering, made, depth + 1))
            return false;
    }
    return v->user_count > 0;
}

#define PACKED_ROWS 32 /* bits of a word */

/* How many arrays of its size a select reads besides its predicate. */
static uint32_t selected_arrays(const pod_tpu_lowering *lowering, const pod_ir_node *select)
{
    const pod_ref *inputs = pod_tpu_inputs(lowering, select);
    uint32_t count = 0;
    for (uint32_t i = 1; i < 3; i++)
        count += pod_tpu_kind_of(lowering, inputs[i]) != POD_TPU_KIND_CONSTANT &&
                 pod_tpu_maker(lowering, inputs[i])->op != POD_OP_BROADCAST;
    return count;
}

/* The bits of an f32 activation's mask are unpacked by a kernel of their own where one select alone reads them that
 * selects from no array, or from a product alone where the product's readers do not select. */
static void store_unpacked(pod_tpu_lowering *lowering, pod_ref mask)
{
    const pod_tpu_value *v = &lowering->values[mask];
    for (uint32_t i = 0; i < v->user_count; i++) {
        const pod_ir_node *unpack = &lowering->ir->nodes[lowering->users[v->user_first + i]];
        pod_tpu_value *bytes = &lowering->values[unpack->value_first];
        if (!pod_tpu_is_copy(unpack) || bytes->user_count != 1)
            continue;
        const pod_ir_node *select = &lowering->ir->nodes[lowering->users[bytes->user_first]];
        const bool after =
            lowering->values[select->value_first].claimed && pod_tpu_has(lowering, POD_TPU_UNPACKED_AFTER_PRODUCTS);
        const uint32_t arrays = select->op == POD_OP_SELECT ? selected_arrays(lowering, select) : 2;
        bytes->stored = arrays == 0 || (arrays == 1 && after);
    }
}

/* Tells whether the axes of a convolution's result come in another order in what is stored of it, channels first. */
static bool has_channels_first(const pod_tpu_lowering *lowering, pod_ref product, pod_ref value)
{
    const pod_shape *made = lowering->ir->values[product].shape, *stored = lowering->ir->values[value].shape;
    return made->rank == stored->rank && made->dims[1] == stored->dims[2] &&
           made->dims[made->rank - 1] == stored->dims[1] && !pod_shape_equal(made, stored);
}

/* Tells whether a node is computed from one value and constants. */
static bool is_made_of(pod_tpu_lowering *lowering, const pod_ir_node *node, pod_ref value)
{
    pod_ref source;
    pod_tpu_sources sources = pod_tpu_sources_of(lowering, node);
    while (pod_tpu_next_source(&sources, &source))
        if (source != value && pod_tpu_kind_of(lowering, source) != POD_TPU_KIND_CONSTANT)
            return false;
    return true;
}

/* The kernel that stores an activation for the gradient of pooling stores the activation's source beside it, which max
 * pooling reads. Returns whether it is so. */
static bool stores_both(pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    for (uint32_t i = 0; i < v->user_count; i++) {
        const uint32_t user = lowering->users[v->user_first + i];
        const pod_ir_node *node = &lowering->ir->nodes[user];
        pod_tpu_value *activated = &lowering->values[node->value_first];
        if (lowering->kinds[user] != POD_TPU_KIND_ELEMENTWISE || !activated->stored || activated->is_output ||
            !pod_tpu_some_user(lowering, node->value_first, pod_tpu_is_pooling) || !is_made_of(lowering, node, value))
            continue;
        activated->joined = lowering->ir->values[value].node + 1;
        activated->before = value + 1;
        return true;
    }
    return false;
}

void pod_tpu_store_masks(pod_tpu_lowering *lowering, pod_ref product, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    const pod_ir_value *type = &lowering->ir->values[value];
    const bool image = pod_tpu_is_convolution(pod_tpu_maker(lowering, product)->op) && type->shape->rank >= 4;
    if (!pod_tpu_has(lowering, POD_TPU_MASKS))
        return;
    const uint8_t axis = image && has_channels_first(lowering, product, value) ? 2 : 1;
    const bool packed = image && type->shape->dims[axis] <= PACKED_ROWS;
    const bool both = pod_tpu_has(lowering, POD_TPU_POOLED_ACTIVATIONS) && stores_both(lowering, value);
    if (!packed && (type->dtype != POD_F32 || !only_reductions_read(lowering, value, 0)))
        return;
    pod_ref activated = POD_REF_NONE;
    bool masked = false, meets = packed && !v->is_output && !only_reductions_read(lowering, value, 0);
    for (uint32_t i = 0; i < v->user_count; i++) {
        const uint32_t user = lowering->users[v->user_first + i];
        const pod_ref made = lowering->ir->nodes[user].value_first;
        if (is_mask(lowering, user)) {
            lowering->values[made].stored = lowering->values[made].mask = masked = true;
            lowering->values[made].packed = packed ? axis + 1 : 0;
            if (packed)
                store_unpacked(lowering, made);
        } else {
            meets = meets && activated == POD_REF_NONE && lowering->kinds[user] == POD_TPU_KIND_ELEMENTWISE;
            activated = made;
        }
    }
    if (pod_tpu_has(lowering, POD_TPU_MASKED_ACTIVATIONS) && masked && meets && activated != POD_REF_NONE && !both) {
        lowering->values[value].stored = false;
        lowering->values[activated].stored = lowering->values[activated].of_product = true;
    }
}
