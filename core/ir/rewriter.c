/* rewriter - nodes that rules add: see rewrite.h. */

#include "ir/rewrite.h"

static const char *inherit(const char *own, const char *other)
{
    return own ? own : other;
}

pod_ref pod_ir_rewrite_add(const pod_subject *s)
{
    const pod_ir_node *node = s->node;
    pod_rewriter *r = s->r;
    uint64_t hash;
    pod_ref made = pod_ir_find_common(s, &hash);
    if (made != POD_REF_NONE)
        return made;
    made = pod_ir_emit(r->to, node->op, s->inputs, node->input_count, node->attributes, s->dtype, s->shape);
    if (made == POD_REF_NONE || !pod_ir_enter_common(r, r->to->values[made].node, hash)) {
        r->failed = true;
        return POD_REF_NONE;
    }
    pod_ir_node *to = pod_ir_maker(r->to, made);
    to->constant = node->constant;
    to->wide = node->wide;
    to->location = inherit(node->location, r->location);
    to->scope = inherit(node->scope, r->scope);
    return made;
}

pod_ref pod_ir_rewrite_emit(pod_rewriter *rewriter, pod_op op, const pod_ref *inputs, uint32_t input_count,
                            const pod_attributes *attributes, pod_dtype dtype, const pod_shape *shape)
{
    for (uint32_t i = 0; i < input_count; i++)
        if (inputs[i] == POD_REF_NONE)
            return POD_REF_NONE;
    const pod_attributes *kept = pod_arena_copy(rewriter->arena, attributes, sizeof *attributes);
    const pod_shape *kept_shape = pod_arena_copy(rewriter->arena, shape, sizeof *shape);
    if (!kept || !kept_shape) {
        rewriter->failed = true;
        return POD_REF_NONE;
    }
    pod_ir_node node = {.op = op, .input_count = input_count, .value_count = 1, .attributes = kept};
    node.wide = rewriter->wide && op != POD_OP_CONVERT;
    return rewriter->rewrite(&(pod_subject){rewriter, &node, inputs, dtype, kept_shape});
}

pod_ref pod_ir_rewrite_constant(pod_rewriter *rewriter, pod_dtype dtype, const pod_shape *shape, bool splat,
                                const void *elements)
{
    const size_t bytes = (splat ? 1 : (size_t)pod_shape_elements(shape)) * pod_dtype_size(dtype);
    const pod_attributes attributes = {.dtype = dtype, .shape = *shape, .flag = splat};
    const pod_attributes *kept = pod_arena_copy(rewriter->arena, &attributes, sizeof attributes);
    const pod_shape *kept_shape = pod_arena_copy(rewriter->arena, shape, sizeof *shape);
    void *kept_elements = pod_arena_copy(rewriter->arena, elements, bytes);
    if (!kept || !kept_shape || !kept_elements) {
        rewriter->failed = true;
        return POD_REF_NONE;
    }
    pod_ir_node node = {.op = POD_OP_CONSTANT, .value_count = 1, .attributes = kept, .constant = kept_elements};
    return pod_ir_rewrite_add(&(pod_subject){rewriter, &node, NULL, dtype, kept_shape});
}

pod_ref pod_ir_rewrite_convert(pod_rewriter *rewriter, pod_ref value, pod_dtype dtype)
{
    const pod_attributes attributes = {.dtype = dtype};
    const pod_shape *shape = value == POD_REF_NONE ? NULL : rewriter->to->values[value].shape;
    return pod_ir_rewrite_emit(rewriter, POD_OP_CONVERT, &value, 1, &attributes, dtype, shape);
}

pod_ref pod_ir_rewrite_reshape(pod_rewriter *rewriter, pod_ref value, const pod_shape *shape)
{
    const pod_attributes attributes = {.shape = *shape};
    const pod_dtype dtype = value == POD_REF_NONE ? POD_DTYPE_NONE : rewriter->to->values[value].dtype;
    return pod_ir_rewrite_emit(rewriter, POD_OP_RESHAPE, &value, 1, &attributes, dtype, shape);
}
