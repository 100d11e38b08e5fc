/*
 * How sums over the replicas merge into the ops that make the values. A fold over the joined rows
 * is the sum over the replicas of their own folds, and what is linear passes sums through: so
 * gradients are summed without a copy a replica.
 *
 * "Partial" is a value whose sum is made that way.
 */

#include "replicate/replicate_plan.h"

static bool is_partial(const pod_plan *plan, const pod_node *node, uint32_t operand)
{
    return pod_replicate_plan_slot(plan, node->inputs[operand])->partial;
}

static bool is_uniform(const pod_plan *plan, const pod_node *node, uint32_t operand)
{
    return pod_replicate_plan_operand_form(plan, node, operand)->kind == POD_FORM_UNIFORM;
}

static bool is_stacked(const pod_plan *plan, const pod_node *node, uint32_t operand)
{
    return pod_replicate_plan_operand_form(plan, node, operand)->kind == POD_FORM_STACKED;
}

pod_sum_way pod_sum_unary(pod_plan *plan, const pod_node *node, pod_ask *asks)
{
    if (!is_partial(plan, node, 0))
        return POD_SUM_OF_NATURAL;
    asks[0] = POD_AS_SUM;
    for (uint32_t j = 1; j < node->input_count; j++) {
        if (!is_uniform(plan, node, j))
            return POD_SUM_OF_NATURAL;
        asks[j] = POD_AS_NATURAL;
    }
    return POD_SUM_SAME_OP;
}

pod_sum_way pod_sum_each(pod_plan *plan, const pod_node *node, pod_ask *asks)
{
    bool any = false;
    for (uint32_t j = 0; j < node->input_count; j++) {
        any |= is_partial(plan, node, j);
        if (!is_partial(plan, node, j) && !is_uniform(plan, node, j))
            return POD_SUM_OF_NATURAL;
        asks[j] = POD_AS_SUM;
    }
    return any ? POD_SUM_SAME_OP : POD_SUM_OF_NATURAL;
}

pod_sum_way pod_sum_bilinear(pod_plan *plan, const pod_node *node, pod_ask *asks)
{
    for (uint32_t j = 0; j < 2; j++) {
        if (!is_partial(plan, node, j) || !is_uniform(plan, node, 1 - j))
            continue;
        asks[j] = POD_AS_SUM;
        asks[1 - j] = POD_AS_NATURAL;
        return POD_SUM_SAME_OP;
    }
    return POD_SUM_OF_NATURAL;
}

/* Division of integers truncates: it is not linear. */
pod_sum_way pod_sum_divide(pod_plan *plan, const pod_node *node, pod_ask *asks)
{
    if (!pod_dtype_is_float(node->results[0].dtype))
        return POD_SUM_OF_NATURAL;
    return pod_sum_unary(plan, node, asks);
}

/* A number of rows, or of elements that are true: what all replicas have together fits as well. */
static bool is_count(const pod_node *node)
{
    while (node->op == POD_OP_RESHAPE || node->op == POD_OP_BROADCAST)
        node = node->inputs[0];
    if (node->op == POD_OP_REDUCE_SUM && node->inputs[0]->op == POD_OP_CONVERT)
        return pod_dtype_size(node->results[0].dtype) >= 4 &&
               pod_node_type(node->inputs[0]->inputs[0])->dtype == POD_BOOL;
    return node->op == POD_OP_DIMENSION_SIZE;
}

/* Sums in floating point are rounded once, whatever the order of conversion and sum: to a wider type that is what would
 * have come, to a narrower one it is closer to the true sum. So any number of replicas gives what one core gives that
 * has all rows. Sums of integers wrap around: what drops high bits passes them through, a wider type and a float would
 * see the sum of all replicas wrap where no replica's own does. */
pod_sum_way pod_sum_convert(pod_plan *plan, const pod_node *node, pod_ask *asks)
{
    pod_dtype from = pod_node_type(node->inputs[0])->dtype, to = node->results[0].dtype;
    bool wraps = pod_dtype_is_integer(from) && pod_dtype_is_integer(to) && pod_dtype_size(to) <= pod_dtype_size(from);
    bool floats = pod_dtype_is_float(from) && pod_dtype_is_float(to);
    bool counts = pod_dtype_is_integer(from) && pod_dtype_size(to) >= 4 && is_count(node->inputs[0]);
    return wraps || floats || counts ? pod_sum_unary(plan, node, asks) : POD_SUM_OF_NATURAL;
}

pod_sum_way pod_sum_check(pod_plan *plan, const pod_node *node, pod_ask *asks)
{
    if (!is_partial(plan, node, 0) || is_stacked(plan, node, 1))
        return POD_SUM_OF_NATURAL;
    asks[0] = POD_AS_SUM;
    asks[1] = POD_AS_NATURAL;
    return POD_SUM_SAME_OP;
}

pod_sum_way pod_sum_select(pod_plan *plan, const pod_node *node, pod_ask *asks)
{
    if (!is_uniform(plan, node, 0) || !(is_partial(plan, node, 1) || is_partial(plan, node, 2)))
        return POD_SUM_OF_NATURAL;
    asks[0] = POD_AS_NATURAL;
    for (uint32_t j = 1; j < 3; j++) {
        if (!is_partial(plan, node, j) && !is_uniform(plan, node, j))
            return POD_SUM_OF_NATURAL;
        asks[j] = POD_AS_SUM;
    }
    return POD_SUM_SAME_OP;
}

pod_sum_way pod_sum_pad(pod_plan *plan, const pod_node *node, pod_ask *asks)
{
    double value;
    if (!pod_node_is_splat(node->inputs[1], &value) || value != 0)
        return POD_SUM_OF_NATURAL;
    return pod_sum_unary(plan, node, asks);
}

/* Folds over the joined rows of operand `operand`; the axes that go with them in the others must be
 * joined too. */
static bool folds_rows(pod_plan *plan, const pod_node *node, uint32_t operand, uint32_t first, pod_ask *asks)
{
    const pod_form *form = pod_replicate_plan_operand_form(plan, node, operand);
    if (form->kind != POD_FORM_JOINED)
        return false;
    pod_axis_way way = pod_replicate_plan_follow(node, operand, form->axis, form->multiplier);
    if (way.fate != POD_AXIS_REDUCED)
        return false;
    for (uint32_t j = first; j < node->input_count; j++) {
        asks[j] = (pod_ask){POD_ASK_JOINED, 0, form->multiplier};
        if (!pod_op_axis_pair(node->op, node->attributes, operand, form->axis, j, &asks[j].axis))
            return false;
        const pod_form *other = pod_replicate_plan_operand_form(plan, node, j);
        if (other->kind == POD_FORM_JOINED && !pod_replicate_form_same_rows(other, asks[j].axis, form->multiplier,
                                                                            &pod_node_type(node->inputs[j])->shape))
            return false;
    }
    return true;
}

pod_sum_way pod_sum_reduction(pod_plan *plan, const pod_node *node, pod_ask *asks)
{
    if (folds_rows(plan, node, 0, 0, asks))
        return POD_SUM_SAME_OP;
    if (is_partial(plan, node, 0)) {
        asks[0] = POD_AS_SUM;
        return POD_SUM_SAME_OP;
    }
    if (!is_stacked(plan, node, 0))
        return POD_SUM_OF_NATURAL;
    asks[0] = POD_AS_STACKED;
    return POD_SUM_FOLD;
}

pod_sum_way pod_sum_product(pod_plan *plan, const pod_node *node, pod_ask *asks)
{
    if (folds_rows(plan, node, 0, 0, asks) || folds_rows(plan, node, 1, 0, asks))
        return POD_SUM_SAME_OP;
    pod_sum_way way = pod_sum_bilinear(plan, node, asks);
    if (way != POD_SUM_OF_NATURAL)
        return way;
    if (is_uniform(plan, node, 0) || is_uniform(plan, node, 1) ||
        pod_replicate_plan_slot(plan, node)->form.kind != POD_FORM_STACKED)
        return POD_SUM_OF_NATURAL;
    asks[0] = asks[1] = POD_AS_STACKED;
    return POD_SUM_FOLD;
}

/* Updates of all replicas are folded into the sum of what they go into. */
pod_sum_way pod_sum_scatter(pod_plan *plan, const pod_node *node, pod_ask *asks)
{
    if (node->attributes->reduction != POD_REDUCE_SUM)
        return POD_SUM_OF_NATURAL;
    bool base = is_uniform(plan, node, 0) || is_partial(plan, node, 0);
    asks[0] = POD_AS_SUM;
    if (base && (folds_rows(plan, node, 1, 1, asks) || folds_rows(plan, node, 2, 1, asks)))
        return POD_SUM_SAME_OP;
    bool linear = is_partial(plan, node, 2) || (is_uniform(plan, node, 2) && is_partial(plan, node, 0));
    if (!base || !is_uniform(plan, node, 1) || !linear)
        return POD_SUM_OF_NATURAL;
    asks[0] = asks[2] = POD_AS_SUM;
    asks[1] = POD_AS_NATURAL;
    return POD_SUM_SAME_OP;
}

/* The number of rows of the whole batch is known without the rows. */
pod_sum_way pod_sum_dimension(pod_plan *plan, const pod_node *node, pod_ask *asks)
{
    int64_t rows[POD_MAX_RANK];
    pod_replicate_form_rows(pod_replicate_plan_operand_form(plan, node, 0), rows);
    asks[0] = POD_AS_NOTHING;
    return rows[node->attributes->axis] != 0 ? POD_SUM_SAME_OP : POD_SUM_OF_NATURAL;
}
