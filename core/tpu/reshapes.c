/* reshapes - see node_rewrite.h: reshapes that are copies (R3).
 *
 * The compiler computes through a reshape where some order of axes makes it a view. Where it joins axes along which a
 * broadcast spreads to others, and no other axis is long enough to lie in the lanes, what is spread is stored, and so
 * is the copy. Elementwise ops between a reshape and one back are computed without both: then it is broadcasts that are
 * reshaped, as those of relative positions in attention over pictures. */

#include "base/sizes.h"
#include "tpu/node_rewrite.h"

#define LANES      128
#define MOST_WASTE 2 /* times the bytes of the least padded order that a view may take */

/* Tells whether a broadcast spreads along an axis of its result. */
static bool spreads(const pod_ir *ir, const pod_ir_node *broadcast, int32_t axis)
{
    const pod_shape *from = ir->values[pod_ir_inputs(ir, broadcast)[0]].shape;
    const pod_axes *axes = &broadcast->attributes->axes;
    for (int32_t i = 0; i < axes->count; i++)
        if (axes->axes[i] == axis)
            return from->dims[i] == 1;
    return true;
}

/* What a reshape makes of the axes of what a broadcast spreads. */
typedef struct pod_joined {
    int64_t longest; /* of the axes that stay as they are */
    bool mixed;      /* some axis is joined of such that are spread and others */
    bool pure;       /* some axis is of such that are spread alone: it is spread after what the others make */
} pod_joined;

/* Walks both shapes from the first axis on, by the parts that the axes of both are made of. */
static pod_joined join_axes(const pod_ir *ir, const pod_ir_node *broadcast, const pod_shape *from, const pod_shape *to)
{
    pod_joined joined = {0};
    int32_t i = -1;
    int64_t left = 1; /* of axis i */
    for (int32_t k = 0; k < to->rank; k++) {
        bool own = false, spread = false, whole = left == 1;
        int32_t parts = 0;
        for (int64_t size = to->dims[k]; size > 1; parts++) {
            while (left == 1 && i + 1 < from->rank)
                left = from->dims[++i];
            if (left == 1)
                break;
            const int64_t part = left < size ? left : size;
            const bool even = left % part == 0 && size % part == 0;
            whole = whole && even && part == from->dims[i];
            own = own || !even || !spreads(ir, broadcast, i);
            spread = spread || !even || spreads(ir, broadcast, i);
            size = size % part == 0 ? size / part : 1;
            left = left % part == 0 ? left / part : 1;
        }
        if (parts == 1 && whole && left == 1)
            joined.longest = to->dims[k] > joined.longest ? to->dims[k] : joined.longest;
        joined.mixed = joined.mixed || (own && spread);
        joined.pure = joined.pure || (spread && !own);
    }
    return joined;
}

static int64_t least_bytes(const pod_tpu_lowering *lowering, pod_dtype dtype, const pod_shape *shape)
{
    pod_array_type type = {.element = pod_element_from_dtype(dtype), .shape = *shape};
    pod_layout_bytes bytes;
    return pod_tpu_lay_out(lowering, &type, POD_LAYOUT_COMPACT, &bytes, NULL) ? bytes.padded : 0;
}

/* Tells whether what a broadcast spreads is copied to be of another shape. */
static bool is_copied(const pod_tpu_lowering *lowering, const pod_ir *ir, const pod_ir_node *broadcast,
                      const pod_shape *to)
{
    const pod_dtype dtype = ir->values[broadcast->value_first].dtype;
    const pod_shape *from = ir->values[broadcast->value_first].shape;
    const int64_t elements = pod_shape_elements(from);
    if (elements < 2)
        return false;
    const pod_joined joined = join_axes(ir, broadcast, from, to);
    if (!joined.mixed || joined.pure || joined.longest == 0)
        return joined.mixed && !joined.pure;
    const double bytes = (double)elements * pod_element_bits(pod_element_from_dtype(dtype)) / 8;
    const double view = bytes * (double)pod_round_up(joined.longest, LANES) / (double)joined.longest;
    return view > MOST_WASTE * (double)least_bytes(lowering, dtype, from) ||
           view > MOST_WASTE * (double)least_bytes(lowering, dtype, to);
}

bool pod_tpu_reshapes_spread(const pod_tpu_lowering *lowering, const pod_ir *ir, const pod_ir_node *node)
{
    if (node->op != POD_OP_RESHAPE)
        return false;
    const pod_ref from = pod_ir_inputs(ir, node)[0];
    const pod_ir_node *maker = pod_ir_maker(ir, from);
    return maker->op == POD_OP_BROADCAST && pod_ir_maker(ir, pod_ir_inputs(ir, maker)[0])->op != POD_OP_CONSTANT &&
           is_copied(lowering, ir, maker, ir->values[node->value_first].shape);
}

/* ---- a reshape, elementwise ops and a reshape back ------------------------------------------------------------- */

#define MOST_OPS 32 /* between the two reshapes */

/* What is computed between two reshapes. */
typedef struct round_trip {
    const pod_tpu_lowering *lowering;
    pod_rewriter *r;
    const pod_shape *shape; /* before the first and after the last */
    int ops;
    bool comes, copies; /* something is reshaped from that shape; a broadcast is reshaped to it by a copy */
} round_trip;

/* Tells whether a value is made of such alone, and looks for what it is made of. */
static bool look(round_trip *t, pod_ref value)
{
    const pod_ir *ir = t->r->to;
    const pod_ir_node *node = pod_ir_maker(ir, value);
    const pod_ref *inputs = pod_ir_inputs(ir, node);
    if (node->op == POD_OP_RESHAPE && pod_shape_equal(ir->values[inputs[0]].shape, t->shape))
        return t->comes = true;
    if (node->op == POD_OP_BROADCAST) {
        t->copies = t->copies || is_copied(t->lowering, ir, node, t->shape);
        return true;
    }
    bool all = pod_tpu_is_elementwise(node) && node->value_count == 1 && ++t->ops < MOST_OPS;
    for (uint32_t i = 0; all && i < node->input_count; i++)
        all = pod_shape_equal(ir->values[inputs[i]].shape, ir->values[value].shape) && look(t, inputs[i]);
    return all;
}

static pod_ref move(round_trip *t, pod_ref value)
{
    pod_rewriter *r = t->r;
    const pod_ir_node node = *pod_ir_maker(r->to, value);
    const pod_attributes none = {0};
    const pod_dtype dtype = r->to->values[value].dtype;
    pod_ref inputs[4];
    if (node.op == POD_OP_RESHAPE)
        return pod_ir_inputs(r->to, &node)[0];
    if (node.op == POD_OP_BROADCAST || node.input_count > 4)
        return pod_tpu_emit(r, POD_OP_RESHAPE, &value, 1, &none, dtype, t->shape);
    for (uint32_t i = 0; i < node.input_count; i++) {
        inputs[i] = move(t, pod_ir_inputs(r->to, &node)[i]);
        if (inputs[i] == POD_REF_NONE)
            return POD_REF_NONE;
    }
    return pod_tpu_emit(r, node.op, inputs, node.input_count, node.attributes, dtype, t->shape);
}

bool pod_tpu_move_reshape(const pod_tpu_lowering *lowering, pod_rewriter *r, const pod_ir_value *result, pod_ref input,
                          pod_ref *made)
{
    round_trip t = {lowering, r, result->shape, .ops = 0};
    if (!look(&t, input) || !t.comes || !t.copies)
        return true;
    *made = move(&t, input);
    return *made != POD_REF_NONE;
}
