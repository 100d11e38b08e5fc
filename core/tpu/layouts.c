/* layouts - see passes.def (R0, R3, R9). */

#include "tpu/passes.h"
#include "tpu/walks.h"

#include "base/error.h"
#include "graph/ops.h"

#define WORDS_OF_PHILOX 3 /* of the state of that algorithm */
#define NUMBERS_IN_ROW  4 /* that one step of it makes */

/* ---- R9: operands of products alone are stored in 16 bits ---------------------------------------------- */

static bool only_products_read(const pod_tpu_lowering *lowering, pod_ref value, bool reductions, uint32_t depth,
                               bool *some);

/* Tells whether a loop lets products alone read a value, in its turns and after it. */
static bool only_loops_feed(const pod_tpu_lowering *lowering, const pod_ir_node *loop, pod_ref value, uint32_t depth)
{
    const pod_ref *inputs = pod_tpu_inputs(lowering, loop);
    for (uint32_t i = 0; i < loop->input_count; i++) {
        const pod_ref result = loop->value_first + i;
        const pod_tpu_value *carried = &lowering->values[result];
        bool some;
        if (inputs[i] == value &&
            (i >= loop->value_count || !lowering->carried[result].narrow || carried->is_output ||
             (carried->user_count > 0 && !only_products_read(lowering, result, false, depth + 1, &some))))
            return false;
    }
    return true;
}

/* Tells whether a node is the larger or smaller of a value and a constant (ReLU): of what is rounded it is the same. */
static bool bounds(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    const pod_ref *inputs = pod_tpu_inputs(lowering, node);
    return (node->op == POD_OP_MAXIMUM || node->op == POD_OP_MINIMUM) &&
           (pod_tpu_kind_of(lowering, inputs[0]) == POD_TPU_KIND_CONSTANT ||
            pod_tpu_kind_of(lowering, inputs[1]) == POD_TPU_KIND_CONSTANT) &&
           pod_tpu_has(lowering, POD_TPU_NARROW_BOUNDED);
}

/* Tells whether products alone read a value; `some` is set where one does. */
static bool only_products_read(const pod_tpu_lowering *lowering, pod_ref value, bool reductions, uint32_t depth,
                               bool *some)
{
    const pod_tpu_value *v = &lowering->values[value];
    if (v->user_count == 0 || depth == 8)
        return false;
    for (uint32_t i = 0; i < v->user_count; i++) {
        const pod_ir_node *user = &lowering->ir->nodes[lowering->users[v->user_first + i]];
        *some = *some || pod_tpu_is_product(user->op);
        if (user->op == POD_OP_WHILE) {
            *some = true;
            if (!only_loops_feed(lowering, user, value, depth))
                return false;
            continue;
        }
        if (pod_tpu_is_product(user->op) || (reductions && pod_tpu_is_reduction(user->op)))
            continue;
        if (user->op == POD_OP_POOL_MAX && only_products_read(lowering, user->value_first, false, depth + 1, some))
            continue;
        const bool moves =
            user->op == POD_OP_RESHAPE || user->op == POD_OP_TRANSPOSE || user->op == POD_OP_REVERSE ||
            user->op == POD_OP_PAD || user->op == POD_OP_SLICE || pod_tpu_converts(user) || bounds(lowering, user) ||
            (user->op == POD_OP_CONCATENATE &&
             (v->of_product || v->activation || pod_tpu_kind_of(lowering, value) != POD_TPU_KIND_COMPUTE));
        if (!moves || !only_products_read(lowering, user->value_first,
                                          reductions && !lowering->parts[user->value_first].for_dots, depth + 1, some))
            return false;
    }
    return true;
}

/* Tells whether one dot alone reads a matrix, as it is: that one converts it. */
static bool is_matrix_of_one_dot(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    return pod_tpu_has(lowering, POD_TPU_WIDE_MATRICES) && v->user_count == 1 && v->of_product &&
           lowering->ir->values[value].shape->rank == 2 &&
           lowering->ir->nodes[lowering->users[v->user_first]].op == POD_OP_DOT;
}

/* What random bits are stored as: the narrowest of what elementwise ops compute from them and numbers alone. */
static pod_element element_of_bits(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_value *bits = &lowering->values[value], *v = bits;
    pod_dtype narrowest = lowering->ir->values[value].dtype;
    while (v->user_count == 1 && !v->is_output) {
        const pod_ir_node *user = &lowering->ir->nodes[lowering->users[v->user_first]];
        const pod_ref *inputs = pod_tpu_inputs(lowering, user), made = user->value_first;
        bool alone = pod_tpu_is_elementwise(user) || user->op == POD_OP_BITCAST;
        for (uint32_t i = 0; i < user->input_count; i++)
            alone = alone && (inputs[i] == value || pod_tpu_is_number(lowering, inputs[i]));
        if (!alone || lowering->values[made].elements != bits->elements)
            break;
        value = made;
        v = &lowering->values[value];
        if (pod_dtype_size(lowering->ir->values[value].dtype) < pod_dtype_size(narrowest))
            narrowest = lowering->ir->values[value].dtype;
    }
    return pod_element_from_dtype(narrowest);
}

bool pod_tpu_makes_rows_of_bits(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    return pod_tpu_is_opaque(node, "stablehlo.rng_bit_generator") && pod_tpu_has(lowering, POD_TPU_ROWS_OF_BITS) &&
           lowering->values[pod_tpu_inputs(lowering, node)[0]].elements == WORDS_OF_PHILOX;
}

int64_t pod_tpu_rows_of_bits(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    pod_array_type rows = {.element = v->type.element, .shape = {2, {v->elements / NUMBERS_IN_ROW, NUMBERS_IN_ROW}}};
    pod_array_type whole = {.element = v->type.element, .shape = *lowering->ir->values[value].shape};
    pod_layout_bytes bytes, after;
    return pod_tpu_lay_out(lowering, &rows, POD_LAYOUT_ROW_MAJOR, &bytes, NULL) &&
                   pod_tpu_lay_out(lowering, &whole, POD_LAYOUT_ROW_MAJOR, &after, NULL)
               ? pod_tpu_sum(bytes.padded, after.padded)
               : 0;
}

static pod_element stored_element(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_ir_value *v = &lowering->ir->values[value];
    bool some = false;
    if (pod_tpu_makes_rows_of_bits(lowering, &lowering->ir->nodes[v->node]))
        return element_of_bits(lowering, value);
    if (lowering->tables[value].table_copy)
        return pod_element_from_dtype(v->dtype);
    if (lowering->parts[value].for_dots && v->dtype == POD_F32)
        return POD_ELEMENT_BF16;
    if (lowering->tables[value].split)
        return pod_element_from_dtype(v->dtype);
    if (lowering->ir->nodes[v->node].op == POD_OP_WHILE) {
        if (lowering->carried[value].narrow && lowering->values[value].user_count == 0 &&
            !lowering->values[value].is_output)
            return POD_ELEMENT_BF16;
        some = lowering->carried[value].narrow;
        if (!some)
            return pod_element_from_dtype(v->dtype);
    }
    /* reductions of what a product or elementwise ops make are made with it */
    const bool with_reductions =
        pod_tpu_has(lowering, POD_TPU_SUMMED_NARROW) &&
        (lowering->values[value].of_product || lowering->kinds[v->node] == POD_TPU_KIND_ELEMENTWISE);
    if (v->dtype == POD_F32 && lowering->values[value].stored && !lowering->values[value].is_output &&
        pod_tpu_has(lowering, POD_TPU_NARROW_OPERANDS) && lowering->kinds[v->node] != POD_TPU_KIND_LEAF &&
        !is_matrix_of_one_dot(lowering, value) && only_products_read(lowering, value, with_reductions, 0, &some) &&
        some)
        return POD_ELEMENT_BF16;
    return pod_element_from_dtype(v->dtype);
}

#define DEEPEST 64 /* concatenations of concatenations */

/* ---- R0: bytes ------------------------------------------------------------------------------------------- */

/* The channels of the widest concatenation that is normalised of which a value is a part, or that it is; 0: of none. */
static int64_t normalised_channels(const pod_tpu_lowering *lowering, pod_ref v, uint32_t depth)
{
    const pod_tpu_value *value = &lowering->values[v];
    const pod_shape *shape = lowering->ir->values[v].shape;
    int64_t widest = lowering->parts[v].normalised ? shape->dims[shape->rank - 1] : 0;
    for (uint32_t i = 0; i < value->user_count && depth < DEEPEST; i++) {
        const pod_ref made = lowering->ir->nodes[lowering->users[value->user_first + i]].value_first;
        const int64_t channels = lowering->parts[made].normalised && lowering->values[made].elements >= value->elements
                                     ? normalised_channels(lowering, made, depth + 1)
                                     : 0;
        widest = channels > widest ? channels : widest;
    }
    return widest;
}

/* The channels of the narrowest part that a value is joined of, or that is sliced out of it; else its own. */
static int64_t narrowest_part(const pod_tpu_lowering *lowering, pod_ref v)
{
    const pod_shape *shape = lowering->ir->values[v].shape;
    const pod_tpu_value *value = &lowering->values[v];
    const pod_ir_node *maker = pod_tpu_maker(lowering, v);
    const int32_t last = value->activation ? value->activation : shape->rank - 1;
    int64_t narrowest = shape->dims[last];
    if (!pod_tpu_has(lowering, POD_TPU_NARROWEST_PARTS))
        return narrowest;
    for (uint32_t i = 0; maker->op == POD_OP_CONCATENATE && maker->attributes->axis == last && i < maker->input_count;
         i++) {
        const int64_t part = narrowest_part(lowering, pod_tpu_inputs(lowering, maker)[i]);
        narrowest = part < narrowest ? part : narrowest;
    }
    for (uint32_t i = 0; i < value->user_count; i++) {
        const pod_ir_node *user = &lowering->ir->nodes[lowering->users[value->user_first + i]];
        const pod_shape *part = lowering->ir->values[user->value_first].shape;
        if (user->op == POD_OP_SLICE && part->dims[last] < narrowest &&
            lowering->values[user->value_first].elements * shape->dims[last] == value->elements * part->dims[last])
            narrowest = part->dims[last];
    }
    return narrowest;
}

/* Batch and channels are minor, in the order that is cheaper, also for the parts of what is joined. */
static bool measure_activation(pod_tpu_lowering *lowering, pod_ref v)
{
    pod_tpu_value *value = &lowering->values[v];
    int32_t orders[2][POD_MAX_RANK];
    const int32_t rank = value->type.shape.rank, axis = value->activation;
    const int64_t channels = !pod_tpu_has(lowering, POD_TPU_WIDEST_JOIN) ? 0 : normalised_channels(lowering, v, 0);
    pod_array_type types[2] = {value->type, value->type};
    pod_layout_bytes bytes[2];
    for (int k = 0; k < 2; k++) {
        orders[k][k] = 0;
        orders[k][1 - k] = axis;
        for (int32_t i = 2, other = rank - 1; i < rank; i++, other--) {
            other -= other == axis;
            orders[k][i] = other;
        }
        types[k].shape.dims[axis] = channels > 0 ? channels : narrowest_part(lowering, v);
        if (!pod_tpu_lay_out_as(lowering, &types[k], orders[k], &bytes[k]))
            return false;
    }
    return pod_tpu_lay_out_as(lowering, &value->type, orders[bytes[1].padded <= bytes[0].padded], &value->bytes);
}

/* A mask of bits is packed along the rows of its images, or along the batch of what a dot makes. */
static bool measure_packed(pod_tpu_lowering *lowering, pod_tpu_value *value)
{
    pod_shape *shape = &value->type.shape;
    const int32_t axis = value->packed - 1;
    value->type.element = shape->dims[axis] > 16  ? POD_ELEMENT_U32
                          : shape->dims[axis] > 8 ? POD_ELEMENT_U16
                                                  : POD_ELEMENT_U8;
    for (int32_t i = axis; i + 1 < shape->rank; i++)
        shape->dims[i] = shape->dims[i + 1];
    shape->rank--;
    return pod_tpu_lay_out(lowering, &value->type, POD_LAYOUT_COMPACT, &value->bytes, lowering->error);
}

/* A converted copy of a parameter lies as the parameter where its batch fills the lanes, or where convolutions read it
 * through another copy. */
static bool lies_as_argument(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_ir_node *node = pod_tpu_maker(lowering, value);
    if (pod_tpu_kind_of(lowering, value) == POD_TPU_KIND_LEAF || lowering->values[value].is_output)
        return true;
    if (!pod_tpu_converts(node) || !pod_tpu_has(lowering, POD_TPU_CONVERTED_ARGUMENTS))
        return false;
    const pod_ref from = pod_tpu_inputs(lowering, node)[0];
    return pod_tpu_maker(lowering, from)->op == POD_OP_PARAMETER &&
           (lowering->ir->values[value].shape->dims[0] % 128 == 0 ||
            lowering->ir->values[from].dtype != lowering->ir->values[value].dtype);
}

/* The batch is minor, then the second and the first axis of the image. */
static bool measure_pixels(pod_tpu_lowering *lowering, pod_tpu_value *value)
{
    int32_t order[POD_MAX_RANK] = {0, 2, 1};
    for (int32_t i = 3; i < value->type.shape.rank; i++)
        order[i] = i;
    return pod_tpu_lay_out_as(lowering, &value->type, order, &value->bytes);
}

/* The other axis of a matrix is in the lanes. */
static bool measure_turned(pod_tpu_lowering *lowering, pod_tpu_value *value)
{
    if (!pod_tpu_lay_out(lowering, &value->type, POD_LAYOUT_COMPACT, &value->bytes, lowering->error))
        return false;
    const int32_t order[2] = {value->type.layout.minor_to_major[1], value->type.layout.minor_to_major[0]};
    return pod_tpu_lay_out_as(lowering, &value->type, order, &value->bytes);
}

/* The gather that looks up the windows of which a node computes an element from an element, or sums; NULL: none. */
static const pod_ir_node *looked_up_windows(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    if (node->op == POD_OP_REDUCE_SUM)
        node = pod_tpu_maker(lowering, pod_tpu_inputs(lowering, node)[0]);
    while (node->input_count > 0 && pod_op_is_elementwise(node->op) && !lowering->values[node->value_first].stored)
        node = pod_tpu_maker(lowering, pod_tpu_inputs(lowering, node)[0]);
    return pod_tpu_is_opaque(node, "stablehlo.gather") && node->attributes->axes.count > 1 ? node : NULL;
}

/* Windows that are looked up lie as in their table, what they are looked up by outside, one after the other; so do sums
 * of them, without the axes that are summed. */
static bool measure_windows(pod_tpu_lowering *lowering, pod_tpu_value *value, const pod_ir_node *node,
                            const pod_ir_node *gather)
{
    const pod_axes *windows = &gather->attributes->axes;
    const int32_t rank = lowering->ir->values[gather->value_first].shape->rank;
    int32_t axes[POD_MAX_RANK], order[POD_MAX_RANK], places[POD_MAX_RANK], count = 0, kept = 0;
    for (int32_t i = windows->count - 1; i >= 0; i--)
        axes[count++] = windows->axes[i];
    for (int32_t i = rank - 1; i >= 0; i--)
        if (!pod_op_has_axis(windows, i))
            axes[count++] = i;
    const bool sums = node->op == POD_OP_REDUCE_SUM;
    for (int32_t i = 0; i < rank; i++)
        places[i] = sums && pod_op_has_axis(&node->attributes->axes, i) ? -1 : kept++;
    count = 0;
    for (int32_t i = 0; i < rank; i++)
        if (places[axes[i]] >= 0)
            order[count++] = places[axes[i]];
    return pod_tpu_lay_out_as(lowering, &value->type, order, &value->bytes);
}

static bool measure_value(pod_tpu_lowering *lowering, pod_ref v)
{
    pod_tpu_value *value = &lowering->values[v];
    value->type = (pod_array_type){
        .element = stored_element(lowering, v),
        .shape = *lowering->ir->values[v].shape,
    };
    if (value->packed)
        return measure_packed(lowering, value);
    const pod_ir_node *maker = pod_tpu_maker(lowering, v);
    const pod_ir_node *windows = value->is_output ? NULL : looked_up_windows(lowering, maker);
    if (windows && pod_tpu_has(lowering, POD_TPU_WINDOWS_LOOKED_UP))
        return measure_windows(lowering, value, maker, windows);
    const bool looked_up = lowering->tables[v].row_major && !value->is_output;
    if (looked_up && lowering->tables[v].row_axes < 2)
        return pod_tpu_lay_out(lowering, &value->type, POD_LAYOUT_ROW_MAJOR, &value->bytes, lowering->error);
    if (looked_up || lowering->carried[v].rows) {
        int32_t order[POD_MAX_RANK];
        if (looked_up)
            pod_tpu_order_table(&value->type.shape, lowering->tables[v].row_axes, order);
        else
            pod_tpu_order_rows(&value->type.shape, lowering->carried[v].rows - 1, order);
        return pod_tpu_lay_out_as(lowering, &value->type, order, &value->bytes);
    }
    if (lowering->turned[v])
        return measure_turned(lowering, value);
    if (lowering->pixels[v] && pod_tpu_has(lowering, POD_TPU_PIXELS) && !lies_as_argument(lowering, v))
        return measure_pixels(lowering, value);
    if (value->activation && value->type.shape.rank >= 3 && pod_tpu_has(lowering, POD_TPU_ACTIVATIONS) &&
        !lies_as_argument(lowering, v))
        return measure_activation(lowering, v);
    return pod_tpu_lay_out(lowering, &value->type, POD_LAYOUT_COMPACT, &value->bytes, lowering->error) &&
           (lowering->matrices[v].rows == 0 || pod_tpu_measure_matrices(lowering, v));
}

bool pod_tpu_pass_layouts(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    for (uint32_t v = 0; v < ir->value_count; v++)
        if ((lowering->values[v].stored || pod_tpu_kind_of(lowering, v) == POD_TPU_KIND_LEAF) &&
            !measure_value(lowering, v))
            return false;
    for (uint32_t i = 0; lowering->wholes && lowering->depth == 0 && i < ir->output_count; i++) {
        pod_tpu_value *value = &lowering->values[ir->outputs[i]];
        if (pod_tpu_kind_of(lowering, ir->outputs[i]) != POD_TPU_KIND_LEAF &&
            !pod_tpu_lay_out_output(lowering, i, &value->type, &value->bytes))
            return false;
    }
    return true;
}
