/* node_rewrite - see node_rewrite.h: copies of operands (R3, R7, R13), and what nodes are instead (R2, R3). */

#include "tpu/node_rewrite.h"

/* Tells whether a node is a convolution that reads a parameter whose batch does not fill the lanes (R3), also what that
 * is converted to, or one with its channels first, which comes transposed. */
static bool reads_copied_image(const pod_tpu_lowering *lowering, const pod_ir *to, const pod_ir_node *node,
                               pod_ref input)
{
    const pod_shape *shape = to->values[input].shape;
    const pod_ir_node *maker = pod_ir_maker(to, input);
    if (maker->op == POD_OP_TRANSPOSE || pod_tpu_converts(maker))
        maker = pod_ir_maker(to, pod_ir_inputs(to, maker)[0]);
    return pod_tpu_has(lowering, POD_TPU_COPIED_IMAGES) && pod_tpu_is_convolution(node->op) &&
           maker->op == POD_OP_PARAMETER && shape->rank >= 4 && shape->dims[0] % 128 != 0;
}

/* Tells whether a node looks up rows of a parameter, or scatters rows into one, that do not lie side by side (R13). */
static bool reads_copied_table(const pod_tpu_lowering *lowering, const pod_ir *to, const pod_ir_node *node,
                               pod_ref input)
{
    const pod_ir_value *value = &to->values[input];
    if (pod_ir_maker(to, input)->op != POD_OP_PARAMETER)
        return false;
    if (node->op == POD_OP_GATHER && lowering->depth > 0 && pod_tpu_has(lowering, POD_TPU_WRITTEN_ROWS))
        return false; /* the loop carries it so */
    if (node->op == POD_OP_GATHER)
        return pod_tpu_has(lowering, POD_TPU_COPIED_TABLES) && pod_tpu_looks_up_rows(node, value->shape) &&
               pod_tpu_looks_up_copy(lowering, value->dtype, value->shape);
    return node->op == POD_OP_SCATTER && pod_tpu_has(lowering, POD_TPU_SCATTERED_COPIES) &&
           pod_tpu_scatters_copy(lowering, value->dtype, value->shape);
}

/* Tells whether a node selects by the comparison of an f32 activation: the bits that are stored of that may be unpacked
 * by a node of its own between them (R7). */
static bool selects_by_bits(const pod_tpu_lowering *lowering, const pod_ir *to, const pod_ir_node *node,
                            pod_ref predicate)
{
    const pod_ir_node *maker = pod_ir_maker(to, predicate);
    return pod_tpu_has(lowering, POD_TPU_UNPACKED_BITS) && node->op == POD_OP_SELECT && maker->op == POD_OP_COMPARE &&
           to->values[predicate].shape->rank >= 3 && to->values[pod_ir_inputs(to, maker)[0]].dtype == POD_F32;
}

#define TILE_ROWS 8

/* Rows of several axes that do not fill tiles are scattered from a copy of them as a matrix (R13). */
static bool copy_for_scatter(const pod_tpu_lowering *lowering, pod_rewriter *r, const pod_ir_node *node,
                             pod_ref *inputs)
{
    if (node->op != POD_OP_SCATTER || node->input_count != 3 || !pod_tpu_has(lowering, POD_TPU_SCATTERED_MATRICES))
        return true;
    const pod_dtype dtype = r->to->values[inputs[2]].dtype;
    const pod_shape *shape = r->to->values[inputs[2]].shape, *table = r->to->values[inputs[0]].shape;
    if (table->rank != 2 || shape->rank != 3 || shape->dims[2] != table->dims[1] || shape->dims[1] % TILE_ROWS == 0 ||
        shape->dims[0] < 2 || shape->dims[1] < 2)
        return true;
    const pod_shape rows = {.rank = 2, .dims = {shape->dims[0] * shape->dims[1], shape->dims[2]}};
    const pod_shape *matrix = pod_arena_copy(r->arena, &rows, sizeof rows);
    const pod_attributes none = {0};
    pod_ref made = matrix ? pod_tpu_emit(r, POD_OP_RESHAPE, &inputs[2], 1, &none, dtype, matrix) : POD_REF_NONE;
    if (made != POD_REF_NONE)
        made = pod_tpu_emit_copy(r, made);
    if (made != POD_REF_NONE)
        made = pod_tpu_emit(r, POD_OP_RESHAPE, &made, 1, &none, dtype, shape);
    inputs[2] = made;
    return made != POD_REF_NONE;
}

/* Tells whether rows are scattered into a value of this shape. */
static bool is_scattered(const pod_ir *from, const pod_shape *shape)
{
    for (uint32_t i = 0; i < from->node_count; i++)
        if (from->nodes[i].op == POD_OP_SCATTER &&
            pod_shape_equal(from->values[from->nodes[i].value_first].shape, shape))
            return true;
    return false;
}

/* Updates from scattered rows read such a copy of each parameter: store_copies() in tables.c says which are made. */
static bool copy_for_update(const pod_tpu_lowering *lowering, pod_rewriter *r, const pod_ir *from,
                            const pod_ir_node *node, pod_ref *inputs)
{
    if (pod_tpu_converts(node) || !pod_tpu_is_elementwise(node) || !pod_tpu_has(lowering, POD_TPU_UPDATES_ON_COPIES))
        return true;
    for (uint32_t i = 0; i < node->input_count; i++) {
        const pod_ir_value *value = &r->to->values[inputs[i]];
        if (r->to->nodes[value->node].op != POD_OP_PARAMETER ||
            !pod_tpu_scatters_copy(lowering, value->dtype, value->shape) || !is_scattered(from, value->shape))
            continue;
        inputs[i] = pod_tpu_emit_copy(r, inputs[i]);
        if (inputs[i] == POD_REF_NONE)
            return false;
    }
    return true;
}

/* ---- padding and cropping of what convolutions read and make (R3) ------------------------------------------- */

/* Tells whether a value is a constant of zeros, perhaps converted. */
static bool is_zero(const pod_ir *ir, pod_ref value)
{
    double element;
    while (pod_ir_maker(ir, value)->op == POD_OP_CONVERT)
        value = pod_ir_inputs(ir, pod_ir_maker(ir, value))[0];
    return pod_ir_splat(ir, value, &element) && element == 0;
}

/* Tells whether a node pads with zeros between batch and channels alone. */
static bool pads_images(const pod_ir *ir, const pod_ir_node *node)
{
    const pod_attributes *a = node->attributes;
    if (node->op != POD_OP_PAD)
        return false;
    const int32_t rank = ir->values[node->value_first].shape->rank;
    bool good = rank >= 3 && is_zero(ir, pod_ir_inputs(ir, node)[1]);
    for (int32_t i = 0; good && i < rank; i++) {
        const bool edge = i == 0 || i == rank - 1;
        good = a->step[i] == 0 && a->low[i] >= 0 && a->high[i] >= 0 && (!edge || a->low[i] + a->high[i] == 0);
    }
    return good;
}

/* Tells whether a node takes a part between batch and channels alone. */
static bool crops_images(const pod_ir *ir, const pod_ir_node *node)
{
    const pod_attributes *a = node->attributes;
    if (node->op != POD_OP_PAD && node->op != POD_OP_SLICE)
        return false;
    const pod_shape *from = ir->values[pod_ir_inputs(ir, node)[0]].shape;
    const pod_shape *to = ir->values[node->value_first].shape;
    bool good = from->rank >= 3 && from->dims[0] == to->dims[0] && from->dims[from->rank - 1] == to->dims[to->rank - 1];
    for (int32_t i = 0; good && i < from->rank; i++)
        good = node->op == POD_OP_SLICE ? a->step[i] == 1 : a->step[i] == 0 && a->low[i] <= 0 && a->high[i] <= 0;
    return good;
}

/* A convolution reads its operand without the zeros around it: it knows of them. */
static void fold_padding(pod_rewriter *r, const pod_ir_node *node, pod_ref *input)
{
    const pod_ir_node *maker = pod_ir_maker(r->to, *input);
    if ((node->op == POD_OP_CONVOLUTION || node->op == POD_OP_CONVOLUTION_KERNEL_GRADIENT) && pads_images(r->to, maker))
        *input = pod_ir_inputs(r->to, maker)[0];
}

/* A gradient of which the edges are cropped is made without them. */
static bool crop_gradient(pod_rewriter *r, const pod_ir *from, const pod_ir_node *node, const pod_ref *inputs,
                          pod_ref *made)
{
    if (!crops_images(from, node))
        return true;
    const pod_ir_node maker = *pod_ir_maker(r->to, inputs[0]);
    if (maker.op != POD_OP_CONVOLUTION_INPUT_GRADIENT)
        return true;
    const pod_ir_value *value = &from->values[node->value_first];
    pod_ref operands[2] = {pod_ir_inputs(r->to, &maker)[0], pod_ir_inputs(r->to, &maker)[1]};
    *made = pod_tpu_emit(r, maker.op, operands, 2, maker.attributes, value->dtype, value->shape);
    return *made != POD_REF_NONE;
}

bool pod_tpu_copy_operands(const pod_tpu_lowering *lowering, pod_rewriter *r, const pod_ir *from,
                           const pod_ir_node *node, pod_ref *inputs)
{
    if (node->input_count == 0)
        return true;
    if (pod_tpu_has(lowering, POD_TPU_FOLDED_PADDING))
        fold_padding(r, node, &inputs[0]);
    if (reads_copied_image(lowering, r->to, node, inputs[0]) || reads_copied_table(lowering, r->to, node, inputs[0]) ||
        selects_by_bits(lowering, r->to, node, inputs[0]))
        inputs[0] = pod_tpu_emit_copy(r, inputs[0]);
    return inputs[0] != POD_REF_NONE && copy_for_scatter(lowering, r, node, inputs) &&
           copy_for_update(lowering, r, from, node, inputs);
}

/* ---- outputs that lie otherwise than dots make them (R5) ------------------------------------------------------- */

#define MOST_EPILOGUE 256 /* nodes looked at between a dot and an output */

/* Tells whether a value is the matrices that a dot without batch axes makes, or is computed of them, an element from an
 * element. */
static bool comes_as_matrices(const pod_ir *ir, pod_ref value, int *looked)
{
    const pod_ir_node *node = pod_ir_maker(ir, value);
    const pod_ref *inputs = pod_ir_inputs(ir, node);
    if (node->op == POD_OP_DOT)
        return node->attributes->lhs_batch.count == 0 && node->attributes->rhs_contract.count == 1 &&
               ir->values[inputs[1]].shape->rank == 2;
    bool found = false;
    for (uint32_t i = 0; i < node->input_count && pod_tpu_is_elementwise(node) && !found; i++)
        found = pod_shape_equal(ir->values[inputs[i]].shape, ir->values[value].shape) && ++*looked < MOST_EPILOGUE &&
                comes_as_matrices(ir, inputs[i], looked);
    return found;
}

bool pod_tpu_copies_output(const pod_tpu_lowering *lowering, const pod_ir *ir, pod_ref output)
{
    const pod_ir_value *value = &ir->values[output];
    const pod_ir_node *node = pod_ir_maker(ir, output);
    const int32_t rank = value->shape->rank;
    int looked = 0;
    pod_layout layout;
    if (rank < 2 || !pod_tpu_has(lowering, POD_TPU_COPIED_OUTPUTS) ||
        pod_layout_choose(lowering->target->chip, pod_element_from_dtype(value->dtype), value->shape,
                          POD_LAYOUT_COMPACT, &layout, NULL) != POD_OK)
        return false;
    if (node->op == POD_OP_GATHER) {
        const pod_ir_value *table = &ir->values[pod_ir_inputs(ir, node)[0]];
        return layout.minor_to_major[0] + table->shape->rank <= rank && pod_tpu_looks_up_rows(node, table->shape) &&
               pod_tpu_looks_up_copy(lowering, table->dtype, table->shape);
    }
    if (rank < 3)
        return false;
    if (node->op == POD_OP_RESHAPE) {
        const pod_ref whole = pod_ir_inputs(ir, node)[0];
        const pod_shape *shape = ir->values[whole].shape;
        return shape->rank > 1 && shape->dims[shape->rank - 1] != value->shape->dims[rank - 1] &&
               comes_as_matrices(ir, whole, &looked);
    }
    const int32_t minor = layout.minor_to_major[0], second = layout.minor_to_major[1];
    return (minor < rank - 2 || second < rank - 2) && comes_as_matrices(ir, output, &looked);
}

/* ---- reductions of single elements ------------------------------------------------------------------------ */

/* Tells whether a reduction has single elements to reduce: it is a reshape. */
static bool reduces_nothing(const pod_ir *from, const pod_ir_node *node)
{
    bool nothing = pod_tpu_is_reduction(node->op) && node->op != POD_OP_REDUCE && node->op != POD_OP_ARGMAX &&
                   node->op != POD_OP_ARGMIN && node->input_count == 1 && node->value_count == 1;
    for (int32_t i = 0; nothing && i < node->attributes->axes.count; i++)
        nothing = from->values[pod_ir_inputs(from, node)[0]].shape->dims[node->attributes->axes.axes[i]] == 1;
    return nothing;
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

bool pod_tpu_rewrite_node(const pod_tpu_lowering *lowering, pod_rewriter *r, const pod_ir *from,
                          const pod_ir_node *node, const pod_ref *inputs, pod_ref *made)
{
    const pod_ir_value *result = &from->values[node->value_first];
    *made = POD_REF_NONE;
    if (pod_tpu_has(lowering, POD_TPU_SINGLE_REDUCTIONS) && reduces_nothing(from, node)) {
        const pod_attributes none = {.dtype = result->dtype};
        *made = pod_tpu_emit(r, POD_OP_RESHAPE, inputs, 1, &none, result->dtype, result->shape);
        return *made != POD_REF_NONE;
    }
    if (pod_tpu_has(lowering, POD_TPU_VECTOR_DOTS) && node->op == POD_OP_DOT)
        return pod_tpu_rewrite_vector_dot(r, from, node, inputs, made);
    if (pod_tpu_has(lowering, POD_TPU_RESHAPED_SPREADS) && node->op == POD_OP_RESHAPE)
        return pod_tpu_move_reshape(lowering, r, result, inputs[0], made);
    return !pod_tpu_has(lowering, POD_TPU_CROPPED_GRADIENTS) || crop_gradient(r, from, node, inputs, made);
}
