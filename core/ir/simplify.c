/*
 * simplify - values that equal a node's, found from the node and its operands alone. Only rules that
 * keep every bit are here (apart from -0 + 0 = -0, and from sums of gradients of poolings and slices).
 */

#include "ir/rewrite.h"

#include <string.h>

static const pod_ir_value *type_of(const pod_subject *s, pod_ref value)
{
    return &s->r->to->values[value];
}

static const pod_ir_node *maker_of(const pod_subject *s, uint32_t input)
{
    return pod_ir_maker(s->r->to, s->inputs[input]);
}

/* The first operand of the node that makes operand `input`. */
static pod_ref inner_of(const pod_subject *s, uint32_t input)
{
    return pod_ir_inputs(s->r->to, maker_of(s, input))[0];
}

static bool is_splat_of(const pod_subject *s, uint32_t input, double wanted)
{
    double element;
    return pod_ir_splat(s->r->to, s->inputs[input], &element) && element == wanted;
}

static pod_ref reshape(const pod_subject *s, pod_ref value)
{
    return pod_ir_rewrite_has_type(s, value) ? value : pod_ir_rewrite_reshape(s->r, value, s->shape);
}

/* The same repeated element in the node's shape; POD_REF_NONE when operand 0 is none. */
static pod_ref respread(const pod_subject *s)
{
    double element;
    if (!pod_ir_splat(s->r->to, s->inputs[0], &element))
        return POD_REF_NONE;
    return pod_ir_rewrite_constant(s->r, s->dtype, s->shape, true, maker_of(s, 0)->constant);
}

/* ---- arithmetic ----------------------------------------------------------------------------------- */

/* x + 0, 0 + x, x - 0, x * 1, 1 * x, x / 1. */
static pod_ref simplify_neutral(const pod_subject *s)
{
    const bool adds = s->node->op == POD_OP_ADD, commutes = adds || s->node->op == POD_OP_MULTIPLY;
    const double neutral = adds || s->node->op == POD_OP_SUBTRACT ? 0 : 1;
    if (is_splat_of(s, 1, neutral))
        return s->inputs[0];
    if (commutes && is_splat_of(s, 0, neutral))
        return s->inputs[1];
    return adds ? pod_ir_simplify_padded_sum(s) : POD_REF_NONE;
}

static pod_ref simplify_same(const pod_subject *s)
{
    return s->inputs[0] == s->inputs[1] ? s->inputs[0] : POD_REF_NONE;
}

static pod_ref simplify_select(const pod_subject *s)
{
    double truth;
    if (s->inputs[1] == s->inputs[2])
        return s->inputs[1];
    if (pod_ir_splat(s->r->to, s->inputs[0], &truth))
        return s->inputs[truth ? 1 : 2];
    return pod_ir_simplify_masked_pooling(s);
}

/* Inverse pairs: -(-x), !!x. */
static pod_ref simplify_twice(const pod_subject *s)
{
    return maker_of(s, 0)->op == s->node->op ? inner_of(s, 0) : POD_REF_NONE;
}

/* ---- conversions ----------------------------------------------------------------------------------- */

/* True when every value of `from` is one of `to`. */
static bool widens(pod_dtype from, pod_dtype to)
{
    if (from == to || from == POD_BOOL)
        return true;
    if (pod_dtype_is_float(from))
        return pod_dtype_is_float(to) && pod_dtype_size(to) > pod_dtype_size(from);
    bool is_signed = from >= POD_S8 && from <= POD_S64;
    bool to_signed = to >= POD_S8 && to <= POD_S64;
    size_t bits = pod_dtype_size(from) * 8;
    if (pod_dtype_is_integer(to))
        return pod_dtype_size(to) > pod_dtype_size(from) && (to_signed || !is_signed);
    size_t mantissa = to == POD_F64 ? 53 : to == POD_F32 ? 24 : to == POD_F16 ? 11 : 8;
    return to != POD_BOOL && bits <= mantissa;
}

static pod_ref simplify_convert(const pod_subject *s)
{
    if (pod_ir_rewrite_has_type(s, s->inputs[0]))
        return pod_ir_is_wide(s->r->to, s->inputs[0]) ? POD_REF_NONE : s->inputs[0];
    const pod_ir_node *maker = maker_of(s, 0);
    if (maker->op != POD_OP_CONVERT)
        return POD_REF_NONE;
    pod_ref inner = inner_of(s, 0);
    pod_dtype from = type_of(s, inner)->dtype, through = type_of(s, s->inputs[0])->dtype;
    /* Floats saturate where they become integers, integers keep their low bits. */
    bool saturates = pod_dtype_is_float(through) && pod_dtype_is_integer(from) && pod_dtype_is_integer(s->dtype);
    if (!widens(from, through) || (saturates && !widens(from, s->dtype)))
        return POD_REF_NONE;
    if (pod_ir_rewrite_has_type(s, inner) && pod_ir_is_wide(s->r->to, inner))
        return POD_REF_NONE;
    if (pod_ir_rewrite_has_type(s, inner))
        return inner;
    return pod_ir_rewrite_convert(s->r, inner, s->dtype);
}

/* ---- shapes ---------------------------------------------------------------------------------------- */

static pod_ref simplify_reshape(const pod_subject *s)
{
    if (pod_ir_rewrite_has_type(s, s->inputs[0]))
        return s->inputs[0];
    if (maker_of(s, 0)->op == POD_OP_RESHAPE)
        return reshape(s, inner_of(s, 0));
    return respread(s);
}

/* A transpose that only moves axes of size 1 keeps the elements where they are. */
static bool keeps_order(const pod_shape *shape, const pod_axes *axes)
{
    int32_t last = -1;
    for (int32_t i = 0; i < axes->count; i++) {
        if (shape->dims[axes->axes[i]] == 1)
            continue;
        if (axes->axes[i] < last)
            return false;
        last = axes->axes[i];
    }
    return true;
}

static pod_ref turn(const pod_subject *s, pod_ref value)
{
    const pod_attributes turned = {.axes = {.axes = {1, 0}, .count = 2}};
    const pod_ir_value *type = type_of(s, value);
    const pod_shape shape = {.dims = {type->shape->dims[1], type->shape->dims[0]}, .rank = 2};
    return pod_ir_rewrite_emit(s->r, POD_OP_TRANSPOSE, &value, 1, &turned, type->dtype, &shape);
}

/* A matrix product that is read turned alone is made turned: the same sums, which then are stored as they are read. */
static pod_ref turn_product(const pod_subject *s)
{
    const pod_ir_node *maker = maker_of(s, 0);
    if (maker->op != POD_OP_DOT || s->r->unshared != s->inputs[0] || s->shape->rank != 2 ||
        maker->wide != s->node->wide || !pod_ir_is_product_type(type_of(s, inner_of(s, 0))->dtype))
        return POD_REF_NONE;
    const pod_ref left = inner_of(s, 0), right = pod_ir_inputs(s->r->to, maker)[1];
    const pod_attributes *attributes = maker->attributes;
    if (!pod_ir_is_normal_dot(attributes, type_of(s, left)->shape, type_of(s, right)->shape))
        return POD_REF_NONE;
    const pod_ref operands[] = {turn(s, right), turn(s, left)};
    return pod_ir_rewrite_emit(s->r, POD_OP_DOT, operands, 2, attributes, s->dtype, s->shape);
}

static pod_ref simplify_transpose(const pod_subject *s)
{
    const pod_axes *axes = &s->node->attributes->axes;
    if (keeps_order(type_of(s, s->inputs[0])->shape, axes))
        return reshape(s, s->inputs[0]);
    const pod_ir_node *maker = maker_of(s, 0);
    if (maker->op == POD_OP_DOT)
        return turn_product(s);
    if (maker->op != POD_OP_TRANSPOSE)
        return respread(s);
    pod_attributes both = *s->node->attributes;
    for (int32_t i = 0; i < axes->count; i++)
        both.axes.axes[i] = maker->attributes->axes.axes[axes->axes[i]];
    pod_ref inner = inner_of(s, 0);
    return pod_ir_rewrite_emit(s->r, POD_OP_TRANSPOSE, &inner, 1, &both, s->dtype, s->shape);
}

static pod_ref simplify_broadcast(const pod_subject *s)
{
    if (pod_shape_elements(type_of(s, s->inputs[0])->shape) == pod_shape_elements(s->shape))
        return reshape(s, s->inputs[0]);
    const pod_ir_node *maker = maker_of(s, 0);
    if (maker->op != POD_OP_BROADCAST)
        return respread(s);
    pod_attributes both = *s->node->attributes;
    both.axes.count = maker->attributes->axes.count;
    for (int32_t i = 0; i < both.axes.count; i++)
        both.axes.axes[i] = s->node->attributes->axes.axes[maker->attributes->axes.axes[i]];
    pod_ref inner = inner_of(s, 0);
    return pod_ir_rewrite_emit(s->r, POD_OP_BROADCAST, &inner, 1, &both, s->dtype, s->shape);
}

/* slice, pad, concatenate, reverse, dynamic_slice that give what they got. A pad that cuts as much as it puts between
 * elements has their shape as well. */
static pod_ref simplify_moved(const pod_subject *s)
{
    bool one = s->node->op != POD_OP_CONCATENATE || s->node->input_count == 1;
    bool whole = s->node->op != POD_OP_REVERSE && one && pod_ir_rewrite_has_type(s, s->inputs[0]);
    if (s->node->op == POD_OP_PAD)
        for (int32_t i = 0; i < s->shape->rank; i++)
            whole = whole && s->node->attributes->low[i] == 0 && s->node->attributes->step[i] == 0;
    return whole ? s->inputs[0] : POD_REF_NONE;
}

static pod_ref simplify_dimension_size(const pod_subject *s)
{
    int64_t size = type_of(s, s->inputs[0])->shape->dims[s->node->attributes->axis];
    int32_t element = (int32_t)size;
    if (element != size)
        return POD_REF_NONE;
    return pod_ir_rewrite_constant(s->r, s->dtype, s->shape, true, &element);
}

/* ---- reductions ------------------------------------------------------------------------------------ */

/* Nothing to reduce: axes of size 1. */
static pod_ref simplify_reduce(const pod_subject *s)
{
    int64_t elements = pod_shape_elements(s->shape);
    if (elements == 0 || pod_shape_elements(type_of(s, s->inputs[0])->shape) != elements)
        return POD_REF_NONE;
    pod_ref converted = s->inputs[0];
    if (type_of(s, converted)->dtype != s->dtype)
        converted = pod_ir_rewrite_convert(s->r, converted, s->dtype);
    return converted == POD_REF_NONE ? POD_REF_NONE : reshape(s, converted);
}

static pod_ref simplify_sum(const pod_subject *s)
{
    pod_ref found = simplify_reduce(s);
    return found != POD_REF_NONE || s->r->failed ? found : pod_ir_simplify_pooled_sum(s);
}

/* The reduction whose region is one op on its two parameters; -1: none. */
static pod_op reduction_of(const pod_ir *region, pod_op *combine)
{
    static const struct {
        pod_op combine, reduction;
    } pairs[] = {
        {POD_OP_ADD, POD_OP_REDUCE_SUM},     {POD_OP_MULTIPLY, POD_OP_REDUCE_PRODUCT},
        {POD_OP_MAXIMUM, POD_OP_REDUCE_MAX}, {POD_OP_MINIMUM, POD_OP_REDUCE_MIN},
        {POD_OP_AND, POD_OP_REDUCE_AND},     {POD_OP_OR, POD_OP_REDUCE_OR},
    };
    const pod_ir_node *node = pod_ir_maker(region, region->outputs[0]);
    if (region->parameter_count != 2 || node->input_count != 2)
        return -1;
    const pod_ref *inputs = pod_ir_inputs(region, node);
    bool in_order = inputs[0] == region->parameters[0] && inputs[1] == region->parameters[1];
    bool swapped = inputs[1] == region->parameters[0] && inputs[0] == region->parameters[1];
    for (size_t i = 0; (in_order || swapped) && i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].combine == node->op) {
            *combine = node->op;
            return pairs[i].reduction;
        }
    return -1;
}

/* reduce with a region of one op becomes that reduction, and the first value is folded in after. AND and
 * OR only of bool: of integers their reductions are not bitwise. */
static pod_ref simplify_region(const pod_subject *s)
{
    pod_op combine;
    pod_op reduction = reduction_of(s->node->regions[0], &combine);
    bool logical = reduction == POD_OP_REDUCE_AND || reduction == POD_OP_REDUCE_OR;
    if (reduction < 0 || (logical && s->dtype != POD_BOOL))
        return POD_REF_NONE;
    pod_attributes axes = {.axes = s->node->attributes->axes};
    s->r->wide = true; /* one op, whose parts are not rounded */
    pod_ref reduced = pod_ir_rewrite_emit(s->r, reduction, s->inputs, 1, &axes, s->dtype, s->shape);
    s->r->wide = s->node->wide;
    pod_attributes spread = {.shape = *s->shape};
    pod_ref first = pod_ir_rewrite_emit(s->r, POD_OP_BROADCAST, &s->inputs[1], 1, &spread, s->dtype, s->shape);
    pod_ref both[2] = {first, reduced};
    return pod_ir_rewrite_emit(s->r, combine, both, 2, &(pod_attributes){0}, s->dtype, s->shape);
}

static pod_ref simplify_dot(const pod_subject *s)
{
    bool wanted = pod_ir_is_product_type(type_of(s, s->inputs[0])->dtype);
    bool normal =
        pod_ir_is_normal_dot(s->node->attributes, type_of(s, s->inputs[0])->shape, type_of(s, s->inputs[1])->shape);
    if (!wanted || normal || pod_shape_elements(s->shape) == 0)
        return POD_REF_NONE;
    return pod_ir_normalize_dot(s);
}

typedef pod_ref (*rule)(const pod_subject *s);

static const rule rules[POD_OP_COUNT] = {
    [POD_OP_ADD] = simplify_neutral,
    [POD_OP_SUBTRACT] = simplify_neutral,
    [POD_OP_MULTIPLY] = simplify_neutral,
    [POD_OP_DIVIDE] = simplify_neutral,
    [POD_OP_MAXIMUM] = simplify_same,
    [POD_OP_MINIMUM] = simplify_same,
    [POD_OP_AND] = simplify_same,
    [POD_OP_OR] = simplify_same,
    [POD_OP_NEGATE] = simplify_twice,
    [POD_OP_NOT] = simplify_twice,
    [POD_OP_SELECT] = simplify_select,
    [POD_OP_CONVERT] = simplify_convert,
    [POD_OP_RESHAPE] = simplify_reshape,
    [POD_OP_TRANSPOSE] = simplify_transpose,
    [POD_OP_BROADCAST] = simplify_broadcast,
    [POD_OP_SLICE] = simplify_moved,
    [POD_OP_DYNAMIC_SLICE] = simplify_moved,
    [POD_OP_PAD] = simplify_moved,
    [POD_OP_CONCATENATE] = simplify_moved,
    [POD_OP_DOT] = simplify_dot,
    [POD_OP_CONVOLUTION] = pod_ir_simplify_padded_operand,
    [POD_OP_CONVOLUTION_KERNEL_GRADIENT] = pod_ir_simplify_padded_operand,
    [POD_OP_DIMENSION_SIZE] = simplify_dimension_size,
    [POD_OP_REDUCE_SUM] = simplify_sum,
    [POD_OP_REDUCE_PRODUCT] = simplify_reduce,
    [POD_OP_REDUCE_MAX] = simplify_reduce,
    [POD_OP_REDUCE_MIN] = simplify_reduce,
    [POD_OP_REDUCE_AND] = simplify_reduce,
    [POD_OP_REDUCE_OR] = simplify_reduce,
    [POD_OP_REDUCE] = simplify_region,
};

pod_ref pod_ir_simplify(const pod_subject *s)
{
    return rules[s->node->op] ? rules[s->node->op](s) : POD_REF_NONE;
}
