/* matrices - see lowering.h: what dots read and make lies as batches of matrices (R3); dots in dots (R4). */

#include "tpu/lowering.h"

/* The product of some dimensions; 0 where it is past any memory. */
static int64_t product_of(const pod_shape *shape, const pod_axes *axes)
{
    int64_t product = 1;
    for (int32_t i = 0; i < axes->count; i++)
        if (__builtin_mul_overflow(product, shape->dims[axes->axes[i]], &product))
            return 0;
    return product;
}

static bool has_axis(const pod_axes *axes, int32_t axis)
{
    for (int32_t i = 0; i < axes->count; i++)
        if (axes->axes[i] == axis)
            return true;
    return false;
}

/* Makes a stored value lie as matrices of so many rows and columns, if it is a number of them. */
static void lay_out(pod_tpu_lowering *lowering, pod_ref value, int64_t rows, int64_t columns)
{
    pod_tpu_value *v = &lowering->values[value];
    int64_t elements;
    if (!v->stored || v->is_output || v->activation || rows < 1 || columns < 1 ||
        pod_tpu_kind_of(lowering, value) == POD_TPU_KIND_LEAF ||
        lowering->ir->values[value].shape->rank < 3 || __builtin_mul_overflow(rows, columns, &elements) ||
        v->elements % elements != 0)
        return;
    v->rows = rows;
    v->columns = columns;
}

/* What is stored of an operand: it is read through views. */
static pod_ref stored_operand(const pod_tpu_lowering *lowering, pod_ref value)
{
    while (!lowering->values[value].stored) {
        const pod_ir_node *node = pod_tpu_maker(lowering, value);
        if (node->op != POD_OP_RESHAPE && node->op != POD_OP_TRANSPOSE && node->op != POD_OP_CONVERT &&
            node->op != POD_OP_SLICE && node->op != POD_OP_BARRIER && node->op != POD_OP_BITCAST)
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
    lay_out(lowering, stored_operand(lowering, operand),
            lowering->values[operand].elements / batches / columns, columns);
}

/* What lies in the place of a dot's result: where it has no batch axes, all but its last row axis are batches. */
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
        if (!has_axis(&a->lhs_contract, i)) {
            rows = left->dims[i];
            break;
        }
    lay_out(lowering, value, rows, columns);
}

void pod_tpu_mark_matrices(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    if (pod_tpu_is_2021(lowering))
        return;
    for (pod_ref v = 0; v < ir->value_count; v++) {
        const uint32_t product = lowering->values[v].product;
        if (product && ir->nodes[product - 1].op == POD_OP_DOT)
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
}

bool pod_tpu_measure_matrices(pod_tpu_lowering *lowering, pod_tpu_value *value)
{
    static const int32_t orders[2][3] = {{2, 1, 0}, {1, 2, 0}};
    pod_array_type types[2] = {value->type, value->type};
    pod_layout_bytes bytes[2];
    for (int k = 0; k < 2; k++) {
        types[k].shape = (pod_shape){3, {value->elements / value->rows / value->columns, value->rows, value->columns}};
        if (pod_layout_tile(lowering->chip, types[k].element, &types[k].shape, orders[k], &types[k].layout,
                            lowering->error) != POD_OK ||
            pod_layout_measure(types[k].element, &types[k].shape, &types[k].layout, &bytes[k],
                               lowering->error) != POD_OK)
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

#define LARGEST_WEIGHT (1 << 20) /* elements of an operand on the right that a dot within a dot reads */

static bool has_small_weight(const pod_tpu_lowering *lowering, const pod_ir_node *dot)
{
    const pod_ref *inputs = pod_tpu_inputs(lowering, dot);
    const int64_t elements = lowering->values[inputs[1]].elements;
    const int64_t batches = product_of(lowering->ir->values[inputs[0]].shape, &dot->attributes->lhs_batch);
    return batches > 0 && elements / batches < LARGEST_WEIGHT;
}

bool pod_tpu_is_dot_of_dot(const pod_tpu_lowering *lowering, pod_ref product, pod_ref value)
{
    const pod_ir_node *dot = pod_tpu_maker(lowering, product);
    if (dot->op != POD_OP_DOT || lowering->training || pod_tpu_is_2021(lowering) ||
        !has_small_weight(lowering, dot))
        return false;
    for (;;) {
        const pod_tpu_value *v = &lowering->values[value];
        if (v->user_count != 1 || v->is_output)
            return false;
        const uint32_t user = lowering->users[v->user_first];
        const pod_ir_node *node = &lowering->ir->nodes[user];
        if (node->op == POD_OP_DOT)
            return has_small_weight(lowering, node) && !lowering->values[node->value_first].nested;
        if ((lowering->kinds[user] != POD_TPU_KIND_ELEMENTWISE && node->op != POD_OP_TRANSPOSE) ||
            lowering->values[node->value_first].stored)
            return false;
        value = node->value_first;
    }
}
