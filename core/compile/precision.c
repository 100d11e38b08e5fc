/*
 * precision - f32 products by products of bf16, where less than full precision is asked for: one pass
 * rounds both operands; three passes split each into a high and a low part and leave out the product
 * of the low ones.
 */

#include "compile/rewrite.h"

#include <string.h>

static pod_ref convert(pod_rewriter *r, pod_ref value, pod_dtype dtype)
{
    pod_attributes attributes = {.dtype = dtype};
    return pod_rewrite_emit(r, POD_OP_CONVERT, &value, 1, &attributes, dtype,
                            r->to->values[value].shape);
}

static pod_ref binary(pod_rewriter *r, pod_op op, pod_ref a, pod_ref b)
{
    pod_ref both[2] = {a, b};
    const pod_ir_value *type = &r->to->values[a];
    return pod_rewrite_emit(r, op, both, 2, &(pod_attributes){0}, type->dtype, type->shape);
}

static pod_ref product(pod_rewriter *r, const pod_ir_node *node, pod_ref a, pod_ref b,
                       const pod_shape *shape)
{
    pod_attributes attributes = *node->attributes;
    pod_ref both[2] = {a, b};
    attributes.dtype = POD_F32;
    return pod_rewrite_emit(r, POD_OP_DOT, both, 2, &attributes, POD_F32, shape);
}

/* What rounding to bf16 leaves of a value, in bf16. */
static pod_ref low_part(pod_rewriter *r, pod_ref value, pod_ref high)
{
    pod_ref wide = convert(r, high, POD_F32);
    if (wide == POD_REF_NONE)
        return wide;
    pod_ref rest = binary(r, POD_OP_SUBTRACT, value, wide);
    return rest == POD_REF_NONE ? rest : convert(r, rest, POD_BF16);
}

pod_ref pod_lower_precision(pod_rewriter *r, const pod_ir_node *node, const pod_ref *inputs,
                            pod_dtype dtype, const pod_shape *shape)
{
    bool f32 = node->op == POD_OP_DOT && dtype == POD_F32 &&
               r->to->values[inputs[0]].dtype == POD_F32 &&
               r->to->values[inputs[1]].dtype == POD_F32;
    if (r->passes == 0 || !f32)
        return POD_REF_NONE;
    pod_ref a = convert(r, inputs[0], POD_BF16), b = convert(r, inputs[1], POD_BF16);
    if (a == POD_REF_NONE || b == POD_REF_NONE)
        return POD_REF_NONE;
    pod_ref sum = product(r, node, a, b, shape);
    if (r->passes == 1 || sum == POD_REF_NONE)
        return sum;
    pod_ref a_low = low_part(r, inputs[0], a), b_low = low_part(r, inputs[1], b);
    if (a_low == POD_REF_NONE || b_low == POD_REF_NONE)
        return POD_REF_NONE;
    pod_ref first = product(r, node, a, b_low, shape), second = product(r, node, a_low, b, shape);
    if (first == POD_REF_NONE || second == POD_REF_NONE)
        return POD_REF_NONE;
    pod_ref small = binary(r, POD_OP_ADD, first, second);
    return small == POD_REF_NONE ? small : binary(r, POD_OP_ADD, sum, small);
}

bool pod_precision_passes(const char *name, int *passes)
{
    static const struct {
        const char *name;
        int passes;
    } settings[] = {{"highest", 0}, {"default", 1}, {"high", 3}};
    *passes = 0;
    if (!name)
        return true;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (strcmp(name, settings[i].name) == 0) {
            *passes = settings[i].passes;
            return true;
        }
    return false;
}
