/* written_rows - see lowering.h: arrays that turns write the rows of a dot into, and the copies of what loops carry
 * (R14).
 *
 * A dot makes rows with the last axis in the lanes and the batch second. What a turn writes such rows into (a cache of
 * keys) lies so too, whatever that pads, and with it what the loop carries there from turn to turn. An argument is
 * copied to that before the loop, and an output from it after. */

#include "tpu/lowering.h"

#include <math.h>
#include <string.h>

#define LANES      128
#define MOST_STEPS 64 /* nodes that are looked through, such as from what is written back to the dot */

/* Tells whether a node sees its operand otherwise, also with axes of one element more. */
static bool sees(const pod_ir *ir, const pod_ir_node *node)
{
    return pod_tpu_sees_otherwise(node->op) ||
           (node->op == POD_OP_BROADCAST &&
            pod_ir_elements(ir, pod_ir_inputs(ir, node)[0]) == pod_ir_elements(ir, node->value_first));
}

/* The operand that an op makes what it gives of: of a choice the first of the two. */
static pod_ref made_of(const pod_ir *ir, const pod_ir_node *node)
{
    return pod_ir_inputs(ir, node)[node->op == POD_OP_SELECT];
}

/* Tells whether an op makes what it gives of as many elements of that. */
static bool leads_back(const pod_ir *ir, const pod_ir_node *node)
{
    return node->input_count > 0 && (pod_tpu_is_elementwise(node) || sees(ir, node)) &&
           pod_ir_elements(ir, made_of(ir, node)) == pod_ir_elements(ir, node->value_first);
}

/* Tells whether a node takes a part of its operand, or joins columns: halves of what is turned by its place. */
static bool is_of_parts(const pod_ir *ir, const pod_ir_node *node)
{
    if (node->op != POD_OP_CONCATENATE)
        return node->op == POD_OP_SLICE;
    const pod_shape *made = ir->values[node->value_first].shape, *from = ir->values[made_of(ir, node)].shape;
    bool same = made->rank > 0;
    for (int32_t i = 0; same && i + 1 < made->rank; i++)
        same = made->dims[i] == from->dims[i];
    return same;
}

/* Tells whether a value is what a turn is given, or a part of that: weights. */
static bool is_of_given(const pod_ir *ir, pod_ref value)
{
    const pod_ir_node *node = pod_ir_maker(ir, value);
    for (int i = 0; i < MOST_STEPS && (sees(ir, node) || pod_tpu_converts(node) || node->op == POD_OP_SLICE ||
                                       node->op == POD_OP_DYNAMIC_SLICE);
         i++)
        node = pod_ir_maker(ir, made_of(ir, node));
    return node->op == POD_OP_PARAMETER;
}

/* The rows that a dot makes: those of what it multiplies with weights. */
static int64_t rows_of_dot(const pod_ir *ir, const pod_ir_node *node)
{
    const pod_ref *inputs = pod_ir_inputs(ir, node);
    const pod_shape *made = ir->values[node->value_first].shape;
    return made->dims[is_of_given(ir, inputs[0]) && !is_of_given(ir, inputs[1]) ? made->rank - 1 : 0];
}

/* The axis of what is written that has the rows of the dot which made it; -1: no dot made it, or they are no axis. */
static int32_t row_axis(const pod_ir *ir, pod_ref written)
{
    const pod_shape *shape = ir->values[written].shape;
    const pod_ir_node *node = pod_ir_maker(ir, written);
    for (int i = 0; i < MOST_STEPS && (leads_back(ir, node) || is_of_parts(ir, node)); i++)
        node = pod_ir_maker(ir, made_of(ir, node));
    if (node->op != POD_OP_DOT || ir->values[node->value_first].shape->rank < 2)
        return -1;
    const int64_t rows = rows_of_dot(ir, node);
    for (int32_t i = 0; rows > 1 && i + 1 < shape->rank; i++)
        if (shape->dims[i] == rows)
            return i;
    return -1;
}

/* What a value is of a parameter that a turn reads: itself, or the part of it that the turn picks. */
static pod_ref picked_from(const pod_ir *ir, pod_ref value)
{
    for (;;) {
        const pod_ir_node *node = pod_ir_maker(ir, value);
        if (!sees(ir, node) && node->op != POD_OP_DYNAMIC_SLICE && node->op != POD_OP_SLICE)
            return value;
        value = pod_ir_inputs(ir, node)[0];
    }
}

/* What an operand of a dot is of, or is written into: through views, conversions, and parts that a turn picks. */
static pod_ref read_from(const pod_ir *ir, pod_ref value)
{
    for (int i = 0; i < MOST_STEPS; i++) {
        const pod_ir_node *node = pod_ir_maker(ir, value);
        if (!sees(ir, node) && !pod_tpu_converts(node) && node->op != POD_OP_DYNAMIC_SLICE &&
            node->op != POD_OP_DYNAMIC_UPDATE_SLICE)
            break;
        value = pod_ir_inputs(ir, node)[0];
    }
    return value;
}

/* The elements that an operand of a dot has along axes that are neither of the batch nor summed over. */
static int64_t free_elements(const pod_shape *shape, const pod_axes *batch, const pod_axes *contracted)
{
    int64_t elements = 1;
    bool bound[POD_MAX_RANK] = {false};
    for (int32_t i = 0; i < batch->count; i++)
        bound[batch->axes[i]] = true;
    for (int32_t i = 0; i < contracted->count; i++)
        bound[contracted->axes[i]] = true;
    for (int32_t i = 0; i < shape->rank; i++)
        elements *= bound[i] ? 1 : shape->dims[i];
    return elements;
}

/* Tells whether dots that have more than one row a matrix read what a value is of: they read batches of matrices, which
 * it may be as it lies by itself (TinyLlama's cache, whose steps are in the lanes), or not (4 heads of 128). */
static bool feeds_matrices(const pod_ir *ir, pod_ref value)
{
    const pod_ref from = read_from(ir, value);
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ir_node *node = &ir->nodes[i];
        const pod_ref *inputs = pod_ir_inputs(ir, node);
        if (node->op != POD_OP_DOT)
            continue;
        const pod_attributes *a = node->attributes;
        if ((read_from(ir, inputs[1]) == from &&
             free_elements(ir->values[inputs[0]].shape, &a->lhs_batch, &a->lhs_contract) > 1) ||
            (read_from(ir, inputs[0]) == from &&
             free_elements(ir->values[inputs[1]].shape, &a->rhs_batch, &a->rhs_contract) > 1))
            return true;
    }
    return false;
}

/* Elements of tiles with one axis in the lanes and the other in the sublanes; of a stranger's shape that is no int64.
 */
static double tiled_elements(int64_t lanes, int64_t sublanes)
{
    return ceil((double)lanes / 128) * 128 * ceil((double)sublanes / 8) * 8;
}

void pod_tpu_order_rows(const pod_shape *shape, int32_t axis, int32_t *order)
{
    const int32_t rank = shape->rank;
    const int64_t rows = shape->dims[axis], columns = shape->dims[rank - 1];
    const bool wide = rank > 3 && tiled_elements(rows, columns) < tiled_elements(columns, rows);
    int32_t count = 0;
    if (axis == rank - 1) {
        pod_tpu_order_table(shape, axis, order);
        return;
    }
    order[count++] = wide ? axis : rank - 1;
    order[count++] = wide ? rank - 1 : axis;
    for (int32_t i = rank - 1; i-- > 0;)
        if (i != axis)
            order[count++] = i;
}

/* Tells whether an array with such rows lies otherwise than by itself. */
static bool moves(const pod_tpu_lowering *lowering, const pod_ir_value *value, int32_t axis)
{
    pod_array_type type = {.element = pod_element_from_dtype(value->dtype), .shape = *value->shape};
    pod_layout_bytes bytes;
    int32_t order[POD_MAX_RANK];
    if (axis < 0 || !pod_tpu_lay_out(lowering, &type, POD_LAYOUT_COMPACT, &bytes, NULL))
        return false;
    pod_tpu_order_rows(value->shape, axis, order);
    return memcmp(order, type.layout.minor_to_major, (size_t)value->shape->rank * sizeof *order) != 0;
}

/* The last axis along which what is written is shorter than what it is written into: that of a cache's steps. */
static int32_t written_axis(const pod_ir *ir, pod_ref whole, pod_ref part)
{
    const pod_shape *shape = ir->values[whole].shape, *written = ir->values[part].shape;
    int32_t axis = shape->rank - 2;
    while (axis >= 0 && written->dims[axis] == shape->dims[axis])
        axis--;
    return axis;
}

/* Looks from a value at what it is seen of, and from what is written into something at that. */
int32_t pod_tpu_row_axis(const pod_tpu_lowering *lowering, const pod_ir *ir, int depth, pod_ref value)
{
    int32_t axis = -1, more = 0; /* axes that the value has before those of what it is seen of */
    for (int i = 0; i < MOST_STEPS && axis < 0; i++) {
        const pod_ir_node *node = pod_ir_maker(ir, value);
        const bool writes = node->op == POD_OP_DYNAMIC_UPDATE_SLICE;
        if (node->op == POD_OP_WHILE && node->region_count == 2 && node->input_count == node->value_count &&
            node->regions[1]->output_count == node->value_count)
            axis = pod_tpu_carried_axis(lowering, node->regions[1], depth, value - node->value_first);
        if (!writes && (node->op == POD_OP_TRANSPOSE || !sees(ir, node)))
            break;
        const pod_ref from = pod_ir_inputs(ir, node)[writes];
        axis = writes ? row_axis(ir, from) : -1;
        if (axis >= 0 && feeds_matrices(ir, value)) {
            axis = written_axis(ir, value, from);
            if (!moves(lowering, &ir->values[value], axis))
                return -1;
        }
        more += ir->values[value].shape->rank - ir->values[from].shape->rank;
        value = from;
    }
    return axis < 0 || axis + more < 0 ? -1 : axis + more;
}

/* Tells whether a turn looks up rows, of more than one element, in what it takes at a place. */
static bool looks_up_rows(const pod_tpu_lowering *lowering, const pod_ir *body, uint32_t place)
{
    const pod_ref table = body->parameters[place];
    const pod_shape *shape = body->values[table].shape;
    const bool fills_lanes = shape->rank == 2 && shape->dims[1] % LANES == 0;
    if (shape->rank < 2 || (!fills_lanes && !pod_tpu_looks_up_copy(lowering, body->values[table].dtype, shape)))
        return false;
    for (uint32_t i = 0; i < body->node_count; i++) {
        const pod_ir_node *node = &body->nodes[i];
        const pod_ref *inputs = pod_ir_inputs(body, node);
        if (node->op != POD_OP_GATHER || inputs[0] != table || !pod_tpu_looks_up_rows(node, shape))
            continue;
        const pod_shape *made = body->values[node->value_first].shape;
        if (made->dims[made->rank - 1] == shape->dims[shape->rank - 1])
            return true;
    }
    return false;
}

int32_t pod_tpu_carried_axis(const pod_tpu_lowering *lowering, const pod_ir *body, int depth, uint32_t place)
{
    const pod_ref given = body->outputs[place];
    if (given == body->parameters[place])
        return !looks_up_rows(lowering, body, place)  ? -1
               : body->values[given].shape->rank == 2 ? 0
                                                      : body->values[given].shape->rank - 1;
    pod_ref from = given;
    while (pod_ir_maker(body, from)->op == POD_OP_DYNAMIC_UPDATE_SLICE || sees(body, pod_ir_maker(body, from)))
        from = pod_ir_inputs(body, pod_ir_maker(body, from))[0];
    const pod_ir_node *node = pod_ir_maker(body, given), *loop = pod_ir_maker(body, from);
    if (loop->op == POD_OP_WHILE && loop->input_count == loop->value_count)
        from = pod_ir_inputs(body, loop)[from - loop->value_first];
    if (body->parameters[place] != from || body->values[given].shape->rank < 3)
        return -1;
    /* what is written as a whole is of what was picked there, by a loop in a loop: else the rows are brought to where
     * they are written */
    if (node->op == POD_OP_DYNAMIC_UPDATE_SLICE && row_axis(body, pod_ir_inputs(body, node)[1]) < 0) {
        const pod_ref whole = pod_ir_inputs(body, node)[1];
        pod_ref row = whole;
        while (sees(body, pod_ir_maker(body, row)))
            row = pod_ir_inputs(body, pod_ir_maker(body, row))[0];
        if (depth == 0 || pod_ir_maker(body, row)->op != POD_OP_DYNAMIC_UPDATE_SLICE ||
            picked_from(body, pod_ir_inputs(body, pod_ir_maker(body, row))[0]) != body->parameters[place])
            return -1;
    }
    return pod_tpu_row_axis(lowering, body, depth + 1, given);
}

bool pod_tpu_copies_carried(const pod_tpu_lowering *lowering, const pod_ir_node *loop, const pod_ir_value *value,
                            uint32_t place)
{
    return pod_tpu_has(lowering, POD_TPU_WRITTEN_ROWS) && loop->region_count == 2 &&
           (value->shape->rank > 2 || pod_tpu_looks_up_copy(lowering, value->dtype, value->shape)) &&
           moves(lowering, value, pod_tpu_carried_axis(lowering, loop->regions[1], lowering->depth, place));
}

static bool reads(const pod_ir *ir, const pod_ir_node *node, uint32_t input, pod_ref value)
{
    pod_ref from = pod_ir_inputs(ir, node)[input];
    while (pod_tpu_sees_otherwise(pod_ir_maker(ir, from)->op))
        from = pod_ir_inputs(ir, pod_ir_maker(ir, from))[0];
    return from == value;
}

/* Tells whether a loop reads, besides what it begins from at a place, the argument that its result there is to
 * replace, or something after the loop does. */
static bool reads_replaced(const pod_tpu_lowering *lowering, const pod_ir *ir, const pod_ir_node *loop, uint32_t place,
                           int64_t alias)
{
    if (alias < 0 || !pod_tpu_has(lowering, POD_TPU_COPIED_RESULTS) ||
        (lowering->may_donate && !lowering->may_donate[alias]))
        return false;
    for (uint32_t i = 0; i < loop->input_count; i++)
        if (i != place && reads(ir, loop, i, ir->parameters[alias]))
            return true;
    for (uint32_t j = ir->values[loop->value_first].node + 1; j < ir->node_count; j++)
        for (uint32_t i = 0; i < ir->nodes[j].input_count; i++)
            if (!pod_tpu_sees_otherwise(ir->nodes[j].op) && reads(ir, &ir->nodes[j], i, ir->parameters[alias]))
                return true;
    return false;
}

bool pod_tpu_copy_loop_outputs(pod_tpu_lowering *lowering, pod_ir *ir)
{
    static const pod_attributes copy = {.name = POD_TPU_COPY, .flag = true};
    for (uint32_t i = 0; i < ir->output_count && lowering->depth == 0; i++) {
        const pod_ref output = ir->outputs[i];
        const pod_ir_value value = ir->values[output];
        const pod_ir_node loop = *pod_ir_maker(ir, output);
        if (loop.op != POD_OP_WHILE ||
            !(reads_replaced(lowering, ir, &loop, value.result, ir->aliases[i]) ||
              (pod_ir_maker(ir, pod_ir_inputs(ir, &loop)[value.result])->op != POD_OP_CONSTANT &&
               pod_tpu_copies_carried(lowering, &loop, &value, value.result))))
            continue;
        ir->outputs[i] = pod_ir_emit(ir, POD_OP_OPAQUE, &output, 1, &copy, value.dtype, value.shape);
        if (ir->outputs[i] == POD_REF_NONE)
            return pod_tpu_no_memory(lowering);
        pod_ir_node *made = pod_ir_maker(ir, ir->outputs[i]);
        made->outer = loop.outer;
        made->location = loop.location;
        made->scope = loop.scope;
    }
    return true;
}
