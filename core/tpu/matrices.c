/* matrices - see passes.def: what dots read and make lies as batches of matrices (R3); dots in dots (R4). */

#include "tpu/passes.h"

#include "base/checked.h"
#include "graph/ops.h"

static int64_t round_up(int64_t count, int64_t to)
{
    return count / to * to + (count % to ? to : 0);
}

/* The product of some dimensions; 0 where it is past any memory. */
static int64_t product_of(const pod_shape *shape, const pod_axes *axes)
{
    int64_t product = 1;
    for (int32_t i = 0; i < axes->count; i++)
        if (pod_multiply_overflows(product, shape->dims[axes->axes[i]], &product))
            return 0;
    return product;
}

/* Makes a stored value lie as matrices of so many rows and columns, if it is a number of them. */
static void lay_out(pod_tpu_lowering *lowering, pod_ref value, int64_t rows, int64_t columns)
{
    const pod_tpu_value *v = &lowering->values[value];
    int64_t elements;
    if (!v->stored || v->is_output || v->activation || rows < 1 || columns < 1 ||
        pod_tpu_kind_of(lowering, value) == POD_TPU_KIND_LEAF || lowering->ir->values[value].shape->rank < 3 ||
        pod_multiply_overflows(rows, columns, &elements) || v->elements % elements != 0)
        return;
    lowering->matrices[value].rows = rows;
    lowering->matrices[value].columns = columns;
}

/* Returns what is stored of an operand: it is read through views. */
static pod_ref stored_operand(const pod_tpu_lowering *lowering, pod_ref value)
{
    while (!lowering->values[value].stored) {
        const pod_ir_node *node = pod_tpu_maker(lowering, value);
        if (!pod_tpu_sees_otherwise(node->op) && !pod_tpu_converts(node) && node->op != POD_OP_SLICE)
            break;
        value = pod_tpu_inputs(lowering, node)[0];
    }
    return value;
}

static void lay_out_operand(pod_tpu_lowering *lowering, pod_ref operand, const pod_axes *batch,
                            const pod_axes *contract)
{
    const pod_shape *shape = lowering->ir->values[operand].shape;
    const int64_t batches = product_of(shape, batch), columns = product_of(shape, contract);
    if (batches < 1 || columns < 1)
        return;
    lay_out(lowering, stored_operand(lowering, operand), lowering->values[operand].elements / batches / columns,
            columns);
}

/* Tells whether loops alone read a value, as it is or through views, and change nothing: it lies as they carry it. */
static bool only_loops_keep(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    bool kept = v->user_count > 0;
    for (uint32_t i = 0; i < v->user_count && kept; i++) {
        const pod_ir_node *user = &lowering->ir->nodes[lowering->users[v->user_first + i]];
        const pod_ref *inputs = pod_tpu_inputs(lowering, user);
        if (user->op == POD_OP_WHILE) {
            for (uint32_t j = 0; j < user->value_count; j++)
                kept = kept && (inputs[j] != value || lowering->carried[user->value_first + j].invariant);
        } else {
            kept = pod_tpu_sees_otherwise(user->op) && !lowering->values[user->value_first].is_output &&
                   only_loops_keep(lowering, user->value_first);
        }
    }
    return kept;
}

/* Lays out a dot's result: where it has no batch axes, all but its last row axis are batches. */
static void lay_out_result(pod_tpu_lowering *lowering, pod_ref value, const pod_ir_node *dot)
{
    const pod_attributes *a = dot->attributes;
    const pod_ref *inputs = pod_tpu_inputs(lowering, dot);
    const pod_shape *left = lowering->ir->values[inputs[0]].shape;
    const int64_t batches = product_of(left, &a->lhs_batch), summed = product_of(left, &a->lhs_contract);
    if (batches < 1 || summed < 1)
        return;
    int64_t rows = lowering->values[inputs[0]].elements / batches / summed;
    if (rows < 1)
        return;
    const int64_t columns = lowering->values[dot->value_first].elements / batches / rows;
    for (int32_t i = left->rank - 1; a->lhs_batch.count == 0 && i >= 0; i--)
        if (!pod_op_has_axis(&a->lhs_contract, i)) {
            rows = left->dims[i];
            break;
        }
    lay_out(lowering, value, rows, columns);
}

bool pod_tpu_pass_matrices(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    if (!pod_tpu_has(lowering, POD_TPU_MATRICES))
        return true;
    for (pod_ref v = 0; v < ir->value_count; v++) {
        const uint32_t product = lowering->values[v].product;
        if (product && !only_loops_keep(lowering, v) && ir->nodes[product - 1].op == POD_OP_DOT)
            lay_out_result(lowering, v, &ir->nodes[product - 1]);
    }
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ir_node *node = &ir->nodes[i];
        if (node->op != POD_OP_DOT || node->attributes->lhs_batch.count == 0)
            continue;
        const pod_ref *inputs = pod_tpu_inputs(lowering, node);
        lay_out_operand(lowering, inputs[0], &node->attributes->lhs_batch, &node->attributes->lhs_contract);
        lay_out_operand(lowering, inputs[1], &node->attributes->rhs_batch, &node->attributes->rhs_contract);
    }
    return true;
}

bool pod_tpu_measure_matrices(pod_tpu_lowering *lowering, pod_ref v)
{
    pod_tpu_value *value = &lowering->values[v];
    const pod_tpu_matrix *m = &lowering->matrices[v];
    static const int32_t orders[2][3] = {{2, 1, 0}, {1, 2, 0}};
    pod_array_type types[2] = {value->type, value->type};
    pod_layout_bytes bytes[2];
    for (int k = 0; k < 2; k++) {
        types[k].shape = (pod_shape){3, {value->elements / m->rows / m->columns, m->rows, m->columns}};
        if (!pod_tpu_lay_out_as(lowering, &types[k], orders[k], &bytes[k]))
            return false;
    }
    const int best = bytes[1].padded < bytes[0].padded;
    if (bytes[best].padded != value->bytes.padded) {
        value->type = types[best];
        value->bytes = bytes[best];
    }
    return true;
}

/* ---- dots in dots -------------------------------------------------------------------------------------------- */

#define LARGEST_WEIGHTS (1 << 21) /* elements that the right operands of a dot and of one within it have less than */

/* Elements of what is on the right in a dot, in each of its batches; 0: past any memory. */
static int64_t weight_elements(const pod_tpu_lowering *lowering, const pod_ir_node *dot)
{
    const pod_ref *inputs = pod_tpu_inputs(lowering, dot);
    const int64_t batches = product_of(lowering->ir->values[inputs[0]].shape, &dot->attributes->lhs_batch);
    return batches > 0 ? lowering->values[inputs[1]].elements / batches : 0;
}

static bool are_small(int64_t weight, int64_t other)
{
    return weight > 0 && other > 0 && weight < LARGEST_WEIGHTS && weight + other < LARGEST_WEIGHTS;
}

/* Tells whether matrices of the last two axes lie with their rows across, as that pads less. */
static bool lies_across(const pod_shape *shape)
{
    if (shape->rank < 3)
        return false;
    const int64_t rows = shape->dims[shape->rank - 2], columns = shape->dims[shape->rank - 1];
    return (double)round_up(rows, 8) * (double)round_up(columns, 128) >
           (double)round_up(rows, 128) * (double)round_up(columns, 8);
}

bool pod_tpu_is_dot_of_dot(const pod_tpu_lowering *lowering, pod_ref product, pod_ref value)
{
    const pod_ir_node *dot = pod_tpu_maker(lowering, product);
    if (dot->op != POD_OP_DOT || lowering->training || !pod_tpu_has(lowering, POD_TPU_DOTS_IN_DOTS) ||
        lies_across(lowering->ir->values[pod_tpu_inputs(lowering, dot)[0]].shape))
        return false;
    for (;;) {
        const pod_ir_node *node = pod_tpu_only_user(lowering, value);
        if (!node)
            return false;
        if (node->op == POD_OP_DOT)
            return are_small(weight_elements(lowering, dot), weight_elements(lowering, node)) &&
                   !lowering->pairs[node->value_first].nested;
        if ((pod_tpu_kind_of(lowering, node->value_first) != POD_TPU_KIND_ELEMENTWISE &&
             node->op != POD_OP_TRANSPOSE) ||
            lowering->values[node->value_first].stored)
            return false;
        value = node->value_first;
    }
}
