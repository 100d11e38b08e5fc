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
    const pod_attributes *kept = pod_ir_keep_attributes(rewriter->arena, attributes);
    const pod_shape *kept_shape = pod_ir_keep_shape(rewriter->arena, shape);
    if (!kept || !kept_shape) {
        rewriter->failed = true;
        return POD_REF_NONE;
    }
    pod_ir_node node = {.op = op, .input_count = input_count, .value_count = 1, .attributes = kept};
    node.wide = rewriter->wide && op != POD_OP_CONVERT;
    return rewriter->rewrite(&(pod_subject){rewriter, &node, inputs, dtype, kept_shape});
}

pod_ref pod_ir_rewrite_splat(pod_rewriter *rewriter, pod_dtype dtype, const pod_shape *shape, const void *element)
{
    pod_attributes attributes = {.dtype = dtype, .shape = *shape, .flag = true};
    const pod_attributes *kept = pod_ir_keep_attributes(rewriter->arena, &attributes);
    const pod_shape *kept_shape = pod_ir_keep_shape(rewriter->arena, shape);
    void *kept_element = pod_arena_copy(rewriter->arena, element, pod_dtype_size(dtype));
    if (!kept || !kept_shape || !kept_element) {
        rewriter->failed = true;
        return POD_REF_NONE;
    }
    pod_ir_node node = {.op = POD_OP_CONSTANT, .value_count = 1, .attributes = kept, .constant = kept_element};
    return pod_ir_rewrite_add(&(pod_subject){rewriter, &node, NULL, dtype, kept_shape});
}
