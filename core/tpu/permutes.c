/* permutes - see passes.def: transposes that are copies (R3). */

#include "tpu/passes.h"
#include "tpu/walks.h"

/* The first axis of `one` that each axis of `many` is a part of, where `many` has the axes of `one` split, in order;
 * false where it has not. */
static bool find_parts(const pod_shape *one, const pod_shape *many, int32_t *parts)
{
    int32_t at = 0;
    int64_t part = 1;
    for (int32_t i = 0; i < many->rank; i++) {
        if (at == one->rank)
            return false;
        parts[i] = at;
        part *= many->dims[i];
        if (part > one->dims[at] || many->dims[i] < 2)
            return false;
        if (part == one->dims[at]) {
            at++;
            part = 1;
        }
    }
    return at == one->rank;
}

/* Returns whether, in an order of axes, the parts of each axis follow each other. */
static bool parts_follow(const int32_t *order, const int32_t *parts, int32_t rank)
{
    int32_t places[POD_MAX_RANK];
    bool follow = true;
    for (int32_t i = 0; i < rank; i++)
        places[order[i]] = i;
    for (int32_t i = 1; i < rank; i++)
        follow = follow && (parts[i] != parts[i - 1] || places[i] == places[i - 1] + 1);
    return follow;
}

/* Tells whether a transpose is a view of what has its axes split as `parts` says, in some order of the last two axes of
 * matrices in a batch. `order` is that of the batch's axes and the matrices', by the axes that are split. */
static bool is_view(const int32_t *order, const int32_t *parts, int32_t rank)
{
    int32_t other[POD_MAX_RANK];
    for (int32_t i = 0; i < rank; i++)
        other[i] = order[i];
    other[rank - 1] = order[rank - 2];
    other[rank - 2] = order[rank - 1];
    return parts_follow(order, parts, rank) || parts_follow(other, parts, rank);
}

/* Tells whether a batch of matrices is made of a dot's result, or the other way round, by a transpose between whose
 * axes that are parts of one come others: as of queries, keys and values in one array. */
static bool is_permuted(const pod_tpu_lowering *lowering, const pod_ir_node *transpose)
{
    const pod_ref from = pod_tpu_inputs(lowering, transpose)[0];
    const pod_tpu_value *made = &lowering->values[transpose->value_first];
    const pod_ir_node *before = pod_tpu_maker(lowering, from);
    const pod_shape *shape = lowering->ir->values[from].shape;
    const int32_t *axes = transpose->attributes->axes.axes;
    int32_t parts[POD_MAX_RANK], order[POD_MAX_RANK];
    if (shape->rank < 4 || made->is_output)
        return false;
    if (before->op == POD_OP_RESHAPE) {
        const pod_ref whole = pod_tpu_inputs(lowering, before)[0];
        const pod_tpu_kind kind = pod_tpu_kind_of(lowering, whole);
        return lowering->values[whole].user_count == 1 && lowering->values[from].user_count == 1 &&
               (kind == POD_TPU_KIND_ELEMENTWISE || pod_tpu_is_product(pod_tpu_maker(lowering, whole)->op)) &&
               find_parts(lowering->ir->values[whole].shape, shape, parts) && !is_view(axes, parts, shape->rank);
    }
    if (made->user_count != 1 || before->op != POD_OP_ADD)
        return false;
    const pod_ir_node *after = &lowering->ir->nodes[lowering->users[made->user_first]];
    if (after->op != POD_OP_RESHAPE || !find_parts(lowering->ir->values[after->value_first].shape,
                                                   lowering->ir->values[transpose->value_first].shape, parts))
        return false;
    for (int32_t i = 0; i < shape->rank; i++)
        order[axes[i]] = i;
    return !is_view(order, parts, shape->rank);
}

/* Tells whether batched dots alone read a value, some of them turned. */
static bool only_dots_read(const pod_tpu_lowering *lowering, pod_ref value, bool turned)
{
    const pod_tpu_value *v = &lowering->values[value];
    bool only = v->user_count > 0 && !v->is_output;
    for (uint32_t i = 0; i < v->user_count && only; i++) {
        const pod_ir_node *user = &lowering->ir->nodes[lowering->users[v->user_first + i]];
        only = user->op == POD_OP_DOT
                   ? user->attributes->lhs_batch.count > 0
                   : user->op == POD_OP_TRANSPOSE && !turned && only_dots_read(lowering, user->value_first, true);
    }
    return only;
}

/* The matrices that are computed from a slice alone, an element from an element, by a transpose and a reshape that no
 * order of axes makes a view, as PyTorch joins batch and heads; POD_REF_NONE where others than batched dots read them.
 */
static pod_ref matrices_of_slice(const pod_tpu_lowering *lowering, const pod_ir_node *slice)
{
    pod_ref value = slice->value_first;
    bool turned = false, joined = false;
    for (;;) {
        if (joined && only_dots_read(lowering, value, false))
            return value;
        const pod_ir_node *user = pod_tpu_only_user(lowering, value);
        if (!user || (!pod_tpu_is_view(user) && !pod_tpu_is_elementwise(user)) ||
            lowering->values[user->value_first].elements != lowering->values[value].elements)
            return POD_REF_NONE;
        const pod_ref *inputs = pod_tpu_inputs(lowering, user);
        for (uint32_t i = 0; i < user->input_count; i++)
            if (inputs[i] != value && !pod_tpu_is_number(lowering, inputs[i]) &&
                pod_tpu_kind_of(lowering, pod_tpu_root(lowering, inputs[i])) != POD_TPU_KIND_CONSTANT)
                return POD_REF_NONE;
        turned = turned || user->op == POD_OP_TRANSPOSE;
        joined = joined || (turned && user->op == POD_OP_RESHAPE);
        value = user->value_first;
    }
}

/* Queries, keys and values that are slices of what one dot makes, and alone read that, are made at once. */
static void store_slices(pod_tpu_lowering *lowering, pod_ref whole)
{
    const pod_tpu_value *v = &lowering->values[whole];
    pod_ref first = POD_REF_NONE;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < v->user_count; i++) {
            const pod_ir_node *slice = &lowering->ir->nodes[lowering->users[v->user_first + i]];
            const pod_ref end = slice->op == POD_OP_SLICE ? matrices_of_slice(lowering, slice) : POD_REF_NONE;
            if (end == POD_REF_NONE)
                return;
            if (pass == 0)
                continue;
            lowering->values[end].stored = lowering->values[slice->value_first].stored = true;
            if (first != POD_REF_NONE)
                lowering->values[slice->value_first].joined = lowering->ir->values[first].node + 1;
            first = first == POD_REF_NONE ? slice->value_first : first;
        }
}

bool pod_tpu_pass_permutes(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    for (uint32_t i = 0; i < ir->node_count && pod_tpu_has(lowering, POD_TPU_PERMUTED); i++) {
        const pod_ir_node *node = &ir->nodes[i];
        if (node->value_count == 1 && lowering->values[node->value_first].user_count > 1)
            store_slices(lowering, node->value_first);
        if (node->op != POD_OP_TRANSPOSE || !is_permuted(lowering, node))
            continue;
        const pod_ref from = pod_tpu_inputs(lowering, node)[0];
        lowering->permuted[node->value_first] = lowering->values[node->value_first].stored = true;
        if (pod_tpu_maker(lowering, from)->op != POD_OP_RESHAPE)
            lowering->values[from].stored = true;
    }
    return true;
}
