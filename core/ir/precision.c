/*
 * precision - how exactly products of f32 are computed: as a node asks, else as the program is compiled.
 *
 *     highest   as exactly as f32 (on AMX by six products of bf16 parts where they are faster: kernels.h)
 *     high      by three such products where they are faster than f32, else as the highest
 *     default   both operands are rounded to bf16, as on a TPU, whatever the machine
 *
 * Lowering reads POD_PRECISION_HIGH from the nodes; the last is written out here.
 */

#include "ir/rewrite.h"

#include <string.h>

static bool is_f32_product(const pod_subject *s)
{
    const pod_op op = s->node->op;
    const pod_ir_value *values = s->r->to->values;
    return (op == POD_OP_DOT || op == POD_OP_CONVOLUTION || op == POD_OP_CONVOLUTION_INPUT_GRADIENT ||
            op == POD_OP_CONVOLUTION_KERNEL_GRADIENT) &&
           s->dtype == POD_F32 && values[s->inputs[0]].dtype == POD_F32 && values[s->inputs[1]].dtype == POD_F32;
}

pod_ref pod_ir_lower_precision(const pod_subject *s)
{
    const pod_precision asked = s->node->attributes->precision;
    const pod_precision precision = asked == POD_PRECISION_DEFAULT ? s->r->precision : asked;
    if (!is_f32_product(s) || precision == POD_PRECISION_HIGHEST || asked == POD_PRECISION_HIGH)
        return POD_REF_NONE;
    pod_attributes attributes = *s->node->attributes;
    pod_ref both[2] = {s->inputs[0], s->inputs[1]};
    attributes.dtype = POD_F32;
    attributes.precision = precision;
    for (int i = 0; precision == POD_PRECISION_ROUNDED && i < 2; i++)
        both[i] = pod_ir_rewrite_convert(s->r, s->inputs[i], POD_BF16);
    return pod_ir_rewrite_emit(s->r, s->node->op, both, 2, &attributes, POD_F32, s->shape);
}

bool pod_ir_precision_named(const char *name, pod_precision *precision)
{
    static const char *const names[] = {"high", "highest", "default"}; /* as in pod_precision, from the second */
    *precision = POD_PRECISION_HIGHEST;
    if (!name)
        return true;
    for (int i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0) {
            *precision = (pod_precision)(i + 1);
            return true;
        }
    return false;
}
