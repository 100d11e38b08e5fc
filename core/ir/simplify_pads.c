/*
 * simplify_pads - zeros that need not be written. Those around what a convolution reads are its own padding:
 *
 *     convolution(pad(x, 1, 1), k) = convolution(x, k) padded by 1 more
 *
 * and sums of arrays that are 0 but for a part each. Gradients of slices are such: each is padded to the
 * whole, and what the slices of one value hand back is added. Where parts lie side by side along an axis they are
 * concatenated:
 *
 *     pad(a, 0, 4) + pad(b, 4, 0) = concatenate(a, b)
 *
 * so that the gates of a cell, or the steps of an unrolled loop, cost their own bytes and not each those of the whole.
 * Other terms may change their order, but for 16-bit floats, of which each sum is rounded: there no element is to have
 * more than two terms.
 */

#include "ir/rewrite.h"

/* Terms of a sum that are looked at: a run of parts is one of them as soon as its parts are known. */
#define MOST_TERMS 16

/* A term that is 0 outside of [begin, end) of an axis, or (axis -1) another one. */
typedef struct term {
    pod_ref value;
    int64_t begin, end;
    int32_t axis;
} term;

typedef struct sum {
    pod_rewriter *r;
    const pod_shape *shape;
    pod_dtype dtype;
    term terms[MOST_TERMS];
    uint32_t count;
    bool full; /* it has more terms than that */
} sum;

static pod_ref input(const pod_rewriter *r, pod_ref value, uint32_t index)
{
    return pod_ir_inputs(r->to, pod_ir_maker(r->to, value))[index];
}

static term read_term(const pod_rewriter *r, pod_ref value)
{
    const pod_ir_node *node = pod_ir_maker(r->to, value);
    term other = {.value = value, .axis = -1}, found = other;
    double element;
    if (node->op != POD_OP_PAD || !pod_ir_splat(r->to, pod_ir_inputs(r->to, node)[1], &element) || element != 0)
        return other;
    const pod_shape *inner = r->to->values[pod_ir_inputs(r->to, node)[0]].shape;
    for (int32_t i = 0; i < inner->rank; i++) {
        int64_t low = node->attributes->low[i], high = node->attributes->high[i];
        if (low < 0 || high < 0 || node->attributes->step[i] != 0 || ((low || high) && found.axis >= 0))
            return other;
        if (low || high)
            found = (term){value, low, low + inner->dims[i], i};
    }
    return found;
}

static void add_terms(sum *s, pod_ref value, int depth)
{
    if (depth < MOST_TERMS && pod_ir_maker(s->r->to, value)->op == POD_OP_ADD) {
        pod_ref first = input(s->r, value, 0), second = input(s->r, value, 1);
        add_terms(s, first, depth + 1);
        add_terms(s, second, depth + 1);
        return;
    }
    s->full = s->full || s->count == MOST_TERMS;
    if (!s->full)
        s->terms[s->count++] = read_term(s->r, value);
}

/* The parts of two terms one behind the other, padded to the whole. */
static pod_ref join(sum *s, const term *first, const term *second)
{
    pod_rewriter *r = s->r;
    pod_ref sides[2] = {input(r, first->value, 0), input(r, second->value, 0)};
    pod_ref zero = input(r, first->value, 1);
    uint32_t count = 0, counts[2];
    bool flat[2];
    for (int i = 0; i < 2; i++) {
        const pod_ir_node *node = pod_ir_maker(r->to, sides[i]);
        flat[i] = node->op == POD_OP_CONCATENATE && node->attributes->axis == first->axis;
        counts[i] = flat[i] ? node->input_count : 1;
        count += counts[i];
    }
    pod_ref *parts = pod_arena_array(r->arena, count, sizeof *parts);
    if (!parts) {
        r->failed = true;
        return POD_REF_NONE;
    }
    for (uint32_t i = 0, at = 0; i < 2; i++)
        for (uint32_t j = 0; j < counts[i]; j++)
            parts[at++] = flat[i] ? input(r, sides[i], j) : sides[i];
    pod_shape shape = *s->shape;
    shape.dims[first->axis] = second->end - first->begin;
    pod_attributes joined = {.axis = first->axis}, padded = {0};
    padded.low[first->axis] = first->begin;
    padded.high[first->axis] = s->shape->dims[first->axis] - second->end;
    pod_ref inner = pod_ir_rewrite_emit(r, POD_OP_CONCATENATE, parts, count, &joined, s->dtype, &shape);
    return pod_ir_rewrite_emit(r, POD_OP_PAD, (pod_ref[]){inner, zero}, 2, &padded, s->dtype, s->shape);
}

/* Joins one pair of neighbours; false when there is none. */
static bool join_neighbours(sum *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t j = 0; j < s->count; j++) {
            const term *x = &s->terms[i], *y = &s->terms[j];
            if (i == j || x->axis < 0 || x->axis != y->axis || x->end != y->begin)
                continue;
            term both = {.value = join(s, x, y)};
            if (both.value == POD_REF_NONE)
                return false;
            /* The place of the first of the two in the sum; what became the whole is padded no more. */
            s->terms[i < j ? i : j] = read_term(s->r, both.value);
            s->terms[i < j ? j : i] = s->terms[--s->count];
            return true;
        }
    return false;
}

pod_ref pod_ir_simplify_padded_sum(const pod_subject *s)
{
    sum whole = {.r = s->r, .shape = s->shape, .dtype = s->dtype};
    if (pod_ir_maker(s->r->to, s->inputs[0])->op != POD_OP_PAD &&
        pod_ir_maker(s->r->to, s->inputs[1])->op != POD_OP_PAD)
        return POD_REF_NONE;
    add_terms(&whole, s->inputs[0], 0);
    add_terms(&whole, s->inputs[1], 0);
    uint32_t before = whole.count;
    while (!whole.full && join_neighbours(&whole)) {
    }
    if (whole.full || whole.count == before || s->r->failed || (pod_ir_is_narrow(s->dtype) && whole.count > 2))
        return POD_REF_NONE;
    pod_ref made = whole.terms[0].value;
    for (uint32_t i = 1; i < whole.count; i++)
        made = pod_ir_rewrite_emit(s->r, POD_OP_ADD, (pod_ref[]){made, whole.terms[i].value}, 2, &(pod_attributes){0},
                                   s->dtype, s->shape);
    return made;
}

/* Returns whether a value is another one with zeros around its spatial axes alone. */
static bool has_zeros_around(const pod_rewriter *r, const pod_ir_node *node)
{
    double element;
    if (node->op != POD_OP_PAD || !pod_ir_splat(r->to, pod_ir_inputs(r->to, node)[1], &element) || element != 0)
        return false;
    const int32_t rank = r->to->values[pod_ir_inputs(r->to, node)[0]].shape->rank;
    for (int32_t i = 0; i < rank; i++) {
        const int64_t low = node->attributes->low[i], high = node->attributes->high[i];
        if (low < 0 || high < 0 || node->attributes->step[i] != 0 || ((i == 0 || i == rank - 1) && (low || high)))
            return false;
    }
    return true;
}

pod_ref pod_ir_simplify_padded_operand(const pod_subject *s)
{
    const pod_ir_node *padded = pod_ir_maker(s->r->to, s->inputs[0]);
    if (!has_zeros_around(s->r, padded))
        return POD_REF_NONE;
    pod_attributes more = *s->node->attributes;
    for (int32_t i = 0; i < more.window.rank; i++) {
        more.window.pad_low[i] += padded->attributes->low[i + 1];
        more.window.pad_high[i] += padded->attributes->high[i + 1];
    }
    const pod_ref operands[2] = {input(s->r, s->inputs[0], 0), s->inputs[1]};
    return pod_ir_rewrite_emit(s->r, s->node->op, operands, 2, &more, s->dtype, s->shape);
}
