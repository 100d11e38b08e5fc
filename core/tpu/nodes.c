/* nodes - see lowering.h: what nodes are. */

#include "tpu/lowering.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>

bool pod_tpu_no_memory(pod_tpu_lowering *lowering)
{
    (void)!pod_error_set(lowering->error, POD_ERROR_MEMORY, "no memory to plan the graph for a TPU");
    return false;
}

void *pod_tpu_array(pod_tpu_lowering *lowering, size_t count, size_t size)
{
    void *made = pod_arena_array(lowering->arena, count, size);
    if (!made)
        (void)pod_tpu_no_memory(lowering);
    return made;
}

bool pod_tpu_has_memory(const pod_tpu_lowering *lowering)
{
    return lowering->error->status == POD_OK;
}

bool pod_tpu_lay_out(const pod_tpu_lowering *lowering, pod_array_type *type, pod_layout_policy policy,
                     pod_layout_bytes *bytes, pod_error *error)
{
    type->has_layout = true;
    return pod_layout_choose(lowering->target->chip, type->element, &type->shape, policy, &type->layout, error) ==
               POD_OK &&
           pod_layout_measure(type->element, &type->shape, &type->layout, bytes, error) == POD_OK;
}

bool pod_tpu_lay_out_as(const pod_tpu_lowering *lowering, pod_array_type *type, const int32_t *order,
                        pod_layout_bytes *bytes)
{
    type->has_layout = true;
    return pod_layout_tile(lowering->target->chip, type->element, &type->shape, order, &type->layout,
                           lowering->error) == POD_OK &&
           pod_layout_measure(type->element, &type->shape, &type->layout, bytes, lowering->error) == POD_OK;
}

bool pod_tpu_lay_out_output(const pod_tpu_lowering *lowering, uint32_t n, pod_array_type *type, pod_layout_bytes *to)
{
    pod_array_type whole = {.element = type->element};
    if (lowering->wholes == NULL || lowering->depth > 0 || lowering->wholes[n].rank != type->shape.rank)
        return pod_tpu_lay_out(lowering, type, POD_LAYOUT_COMPACT, to, lowering->error);
    whole.shape = lowering->wholes[n];
    return pod_tpu_lay_out(lowering, &whole, POD_LAYOUT_COMPACT, to, lowering->error) &&
           pod_tpu_lay_out_as(lowering, type, whole.layout.minor_to_major, to);
}

int32_t pod_tpu_lane_axis(const pod_tpu_lowering *lowering, const pod_ir_value *value)
{
    pod_layout layout;
    if (value->shape->rank < 1 || pod_layout_choose(lowering->target->chip, pod_element_from_dtype(value->dtype),
                                                    value->shape, POD_LAYOUT_COMPACT, &layout, NULL) != POD_OK)
        return -1;
    return layout.minor_to_major[0];
}

const pod_ir_node *pod_tpu_maker(const pod_tpu_lowering *lowering, pod_ref value)
{
    return &lowering->ir->nodes[lowering->ir->values[value].node];
}

const pod_ref *pod_tpu_inputs(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    return pod_ir_inputs(lowering->ir, node);
}

pod_tpu_kind pod_tpu_kind_of(const pod_tpu_lowering *lowering, pod_ref value)
{
    return lowering->kinds[lowering->ir->values[value].node];
}

bool pod_tpu_is_convolution(pod_op op)
{
    return op == POD_OP_CONVOLUTION || op == POD_OP_CONVOLUTION_INPUT_GRADIENT ||
           op == POD_OP_CONVOLUTION_KERNEL_GRADIENT;
}

bool pod_tpu_is_grouped(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    if (!pod_tpu_is_convolution(node->op) || node->attributes->window.groups <= 1 ||
        !pod_tpu_has(lowering, POD_TPU_GROUPS))
        return false;
    const pod_ref kernel =
        node->op == POD_OP_CONVOLUTION_KERNEL_GRADIENT ? node->value_first : pod_tpu_inputs(lowering, node)[1];
    const pod_shape *shape = lowering->ir->values[kernel].shape;
    return shape->dims[shape->rank - 2] > 1;
}

bool pod_tpu_is_product(pod_op op)
{
    return op == POD_OP_DOT || pod_tpu_is_convolution(op);
}

bool pod_tpu_is_reduction(pod_op op)
{
    switch (op) {
    case POD_OP_REDUCE_SUM:
    case POD_OP_REDUCE_PRODUCT:
    case POD_OP_REDUCE_MAX:
    case POD_OP_REDUCE_MIN:
    case POD_OP_REDUCE_AND:
    case POD_OP_REDUCE_OR:
    case POD_OP_ARGMAX:
    case POD_OP_ARGMIN:
    case POD_OP_REDUCE:
        return true;
    default:
        return false;
    }
}

bool pod_tpu_is_opaque(const pod_ir_node *node, const char *name)
{
    return node->op == POD_OP_OPAQUE && node->attributes->name && strcmp(node->attributes->name, name) == 0;
}

bool pod_tpu_is_pooling(const pod_ir_node *node)
{
    switch (node->op) {
    case POD_OP_POOL_MAX:
    case POD_OP_POOL_MAX_GRADIENT:
    case POD_OP_POOL_MAX_SELECT:
    case POD_OP_POOL_SUM:
    case POD_OP_POOL_SUM_GRADIENT:
        return true;
    default:
        return pod_tpu_is_opaque(node, "stablehlo.reduce_window") ||
               pod_tpu_is_opaque(node, "stablehlo.select_and_scatter");
    }
}

pod_tpu_kind pod_tpu_kind_of_op(pod_op op)
{
    switch (op) {
    case POD_OP_PARAMETER:
        return POD_TPU_KIND_LEAF;
    case POD_OP_CONSTANT:
    case POD_OP_IOTA:
    case POD_OP_REPLICA_ID:
    case POD_OP_DIMENSION_SIZE:
        return POD_TPU_KIND_CONSTANT;
    case POD_OP_BITCAST:
    case POD_OP_RESHAPE:
    case POD_OP_TRANSPOSE:
    case POD_OP_BROADCAST:
    case POD_OP_SLICE:
    case POD_OP_DYNAMIC_SLICE:
    case POD_OP_PAD:
    case POD_OP_CONCATENATE:
    case POD_OP_REVERSE:
    case POD_OP_CHECK:
    case POD_OP_PRINT:
        return POD_TPU_KIND_MOVE;
    case POD_OP_BARRIER:
        return POD_TPU_KIND_BARRIER;
    default:
        return pod_op_is_elementwise(op) ? POD_TPU_KIND_ELEMENTWISE : POD_TPU_KIND_COMPUTE;
    }
}

bool pod_tpu_is_copy(const pod_ir_node *node)
{
    return pod_tpu_is_opaque(node, POD_TPU_COPY);
}

bool pod_tpu_converts(const pod_ir_node *node)
{
    return node->op == POD_OP_CONVERT || pod_tpu_is_copy(node);
}

bool pod_tpu_is_elementwise(const pod_ir_node *node)
{
    return pod_op_is_elementwise(node->op) || pod_tpu_is_copy(node);
}

bool pod_tpu_sees_otherwise(pod_op op)
{
    return op == POD_OP_RESHAPE || op == POD_OP_TRANSPOSE || op == POD_OP_BARRIER || op == POD_OP_BITCAST;
}

pod_ref pod_tpu_root(const pod_tpu_lowering *lowering, pod_ref value)
{
    for (;;) {
        const pod_ir_node *node = pod_tpu_maker(lowering, value);
        if (!pod_tpu_sees_otherwise(node->op))
            return value;
        value = pod_tpu_inputs(lowering, node)[0];
    }
}

bool pod_tpu_is_view(const pod_ir_node *node)
{
    return node->op == POD_OP_RESHAPE || node->op == POD_OP_TRANSPOSE || pod_tpu_converts(node);
}

const pod_ir_node *pod_tpu_only_user(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    return v->user_count == 1 && !v->is_output ? &lowering->ir->nodes[lowering->users[v->user_first]] : NULL;
}

bool pod_tpu_some_user(const pod_tpu_lowering *lowering, pod_ref value, bool (*is_such)(const pod_ir_node *node))
{
    const pod_tpu_value *v = &lowering->values[value];
    for (uint32_t i = 0; i < v->user_count; i++)
        if (is_such(&lowering->ir->nodes[lowering->users[v->user_first + i]]))
            return true;
    return false;
}

/* ---- new nodes ------------------------------------------------------------------------------------------- */

pod_ref pod_tpu_emit(pod_rewriter *r, pod_op op, const pod_ref *inputs, uint32_t count,
                     const pod_attributes *attributes, pod_dtype dtype, const pod_shape *shape)
{
    const pod_attributes *kept = pod_arena_copy(r->arena, attributes, sizeof *attributes);
    if (!kept)
        return POD_REF_NONE;
    const pod_ir_node node = {.op = op, .input_count = count, .value_count = 1, .attributes = kept};
    uint64_t hash;
    pod_ref found = pod_ir_find_common(&(pod_subject){r, &node, inputs, dtype, shape}, &hash);
    if (found != POD_REF_NONE)
        return found;
    const pod_ir_node source = *pod_ir_maker(r->to, inputs[0]);
    pod_ref made = pod_ir_emit(r->to, op, inputs, count, kept, dtype, shape);
    if (made == POD_REF_NONE || !pod_ir_enter_common(r, r->to->values[made].node, hash))
        return POD_REF_NONE;
    pod_ir_maker(r->to, made)->outer = source.outer;
    pod_ir_maker(r->to, made)->location = source.location;
    pod_ir_maker(r->to, made)->scope = source.scope;
    return made;
}

pod_ref pod_tpu_emit_copy(pod_rewriter *r, pod_ref value)
{
    const pod_attributes copy = {.name = POD_TPU_COPY, .flag = true}; /* elementwise */
    return pod_tpu_emit(r, POD_OP_OPAQUE, &value, 1, &copy, r->to->values[value].dtype, r->to->values[value].shape);
}

/* ---- names ------------------------------------------------------------------------------------------------ */

const char *pod_tpu_op_text(const pod_ir_node *node)
{
    const char *name = node->op == POD_OP_OPAQUE ? node->attributes->name : NULL;
    if (!name)
        return pod_op_stablehlo_name(node->op);
    const char *dot = strchr(name, '.');
    return dot && strchr(name, ' ') == NULL ? dot + 1 : name;
}

const char *pod_tpu_value_name(const pod_tpu_lowering *lowering, pod_arena *arena, pod_ref value)
{
    char text[96];
    const pod_ir_node *node = pod_tpu_maker(lowering, value);
    bool alone = node->value_count == 1;
    const pod_ref *inputs = pod_tpu_inputs(lowering, node);
    for (uint32_t i = 0; i < node->input_count; i++)
        alone =
            alone && (lowering->values[inputs[i]].stored || pod_tpu_kind_of(lowering, inputs[i]) == POD_TPU_KIND_LEAF);
    snprintf(text, sizeof text, "%s.%u", alone ? pod_tpu_op_text(node) : "fusion", value);
    return pod_arena_string(arena, text);
}
