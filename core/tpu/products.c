/* products - see lowering.h: what dots and convolutions do to the values around them (R4, R8). */

#include "tpu/front.h"

/* ---- R4: the stored value of a product moves forward ------------------------------------------------- */

static int64_t stored_bits(const pod_tpu_lowering *lowering, pod_ref value)
{
    return lowering->values[value].elements *
           pod_element_bits(pod_element_from_dtype(lowering->ir->values[value].dtype));
}

/* Whether a node is a copy of what it reads, which is stored by itself. */
static bool is_copy(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    return node->op == POD_OP_CONVERT && lowering->ir->values[pod_tpu_inputs(lowering, node)[0]].dtype ==
                                             lowering->ir->values[node->value_first].dtype;
}

static bool continues_chain(const pod_tpu_lowering *lowering, uint32_t node, int64_t elements)
{
    const pod_op op = lowering->ir->nodes[node].op;
    if (is_copy(lowering, &lowering->ir->nodes[node]))
        return false;
    const pod_tpu_value *made = &lowering->values[lowering->ir->nodes[node].value_first];
    return (lowering->kinds[node] == POD_TPU_KIND_ELEMENTWISE || op == POD_OP_RESHAPE ||
            op == POD_OP_TRANSPOSE) &&
           made->elements == elements && !made->claimed && !made->scattered &&
           !pod_tpu_is_output_copy(lowering, &lowering->ir->nodes[node]);
}

/* Whether a node compares a value with a constant, as the gradient of relu does. */
static bool is_mask(const pod_tpu_lowering *lowering, uint32_t node)
{
    const pod_ir_node *n = &lowering->ir->nodes[node];
    if (n->op != POD_OP_COMPARE)
        return false;
    const pod_ir_node *other = pod_tpu_maker(lowering, pod_tpu_inputs(lowering, n)[1]);
    while (other->op == POD_OP_BROADCAST)
        other = pod_tpu_maker(lowering, pod_tpu_inputs(lowering, other)[0]);
    return other->op == POD_OP_CONSTANT;
}

/* Whether all that is computed from a value, an element from an element, is read by reductions. */
static bool only_reductions_read(const pod_tpu_lowering *lowering, pod_ref value, uint32_t depth)
{
    const pod_tpu_value *v = &lowering->values[value];
    for (uint32_t i = 0; i < v->user_count; i++) {
        const uint32_t user = lowering->users[v->user_first + i];
        const pod_ref made = lowering->ir->nodes[user].value_first;
        if (pod_tpu_is_reduction(lowering->ir->nodes[user].op) || is_mask(lowering, user))
            continue;
        if (depth == 8 || lowering->kinds[user] != POD_TPU_KIND_ELEMENTWISE ||
            lowering->values[made].stored || !only_reductions_read(lowering, made, depth + 1))
            return false;
    }
    return v->user_count > 0;
}

#define PACKED_ROWS 32 /* bits of a word */

/* How many arrays of its size a select reads besides its predicate. */
static uint32_t selected_arrays(const pod_tpu_lowering *lowering, const pod_ir_node *select)
{
    const pod_ref *inputs = pod_tpu_inputs(lowering, select);
    uint32_t count = 0;
    for (uint32_t i = 1; i < 3; i++)
        count += pod_tpu_kind_of(lowering, inputs[i]) != POD_TPU_KIND_CONSTANT &&
                 pod_tpu_maker(lowering, inputs[i])->op != POD_OP_BROADCAST;
    return count;
}

/* The bits of an f32 activation's mask are unpacked by a kernel of their own where one select alone reads them that
 * selects from no array, or, before v6e, from a product alone: later on the product's readers select. */
static void store_unpacked(pod_tpu_lowering *lowering, pod_ref mask)
{
    const pod_tpu_value *v = &lowering->values[mask];
    for (uint32_t i = 0; i < v->user_count; i++) {
        const pod_ir_node *unpack = &lowering->ir->nodes[lowering->users[v->user_first + i]];
        pod_tpu_value *bytes = &lowering->values[unpack->value_first];
        if (unpack->op != POD_OP_CONVERT || bytes->user_count != 1)
            continue;
        const pod_ir_node *select = &lowering->ir->nodes[lowering->users[bytes->user_first]];
        const bool after = lowering->values[select->value_first].claimed && lowering->chip->mxu_size <= 128;
        const uint32_t arrays = select->op == POD_OP_SELECT ? selected_arrays(lowering, select) : 2;
        bytes->stored = arrays == 0 || (arrays == 1 && after);
    }
}

/* Whether the axes of a convolution's result come in another order in what is stored of it, channels first. */
static bool has_channels_first(const pod_tpu_lowering *lowering, pod_ref product, pod_ref value)
{
    const pod_shape *made = lowering->ir->values[product].shape, *stored = lowering->ir->values[value].shape;
    return made->rank == stored->rank && made->dims[1] == stored->dims[2] &&
           made->dims[made->rank - 1] == stored->dims[1] && !pod_shape_equal(made, stored);
}

/* Whether a value is the sum of something and an activation, as where a residual block ends. */
static bool adds_activation(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_ir_node *node = pod_tpu_maker(lowering, value);
    bool adds = false;
    for (uint32_t i = 0; node->op == POD_OP_ADD && i < 2; i++)
        adds = adds || pod_tpu_maker(lowering, pod_tpu_inputs(lowering, node)[i])->op == POD_OP_MAXIMUM;
    return adds;
}

/* Whether pooling is among what reads a value. */
static bool is_pooled(const pod_tpu_lowering *lowering, const pod_tpu_value *v)
{
    bool pooled = false;
    for (uint32_t i = 0; i < v->user_count; i++)
        pooled = pooled || pod_tpu_is_pooling(&lowering->ir->nodes[lowering->users[v->user_first + i]]);
    return pooled;
}

/* What a value may be computed from, and whether something else was met. */
typedef struct single_source {
    pod_ref source;
    bool others;
} single_source;

static void find_others(pod_tpu_lowering *lowering, pod_ref value, void *context)
{
    single_source *single = context;
    if (value != single->source && pod_tpu_kind_of(lowering, value) != POD_TPU_KIND_CONSTANT)
        single->others = true;
}

/* Where an activation is stored for the gradient of pooling, what it is computed from is stored beside it, by one
 * kernel, and max pooling reads that. Returns whether it is so. */
static bool stores_both(pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    for (uint32_t i = 0; i < v->user_count; i++) {
        const uint32_t user = lowering->users[v->user_first + i];
        const pod_ir_node *node = &lowering->ir->nodes[user];
        pod_tpu_value *activated = &lowering->values[node->value_first];
        single_source single = {.source = value};
        if (lowering->kinds[user] != POD_TPU_KIND_ELEMENTWISE || !activated->stored || activated->is_output ||
            !is_pooled(lowering, activated))
            continue;
        pod_tpu_visit_sources(lowering, node, find_others, &single);
        if (single.others)
            continue;
        activated->joined = lowering->ir->values[value].node + 1;
        activated->before = value + 1;
        return true;
    }
    return false;
}

/* Whether a product has axes besides batch and features, along which bits of masks are packed: a convolution's rows, or
 * the first axis of a dot of three dimensions and a matrix. */
static bool has_rows(const pod_tpu_lowering *lowering, pod_ref product, pod_ref value)
{
    const pod_ir_node *node = pod_tpu_maker(lowering, product);
    const int32_t rank = lowering->ir->values[value].shape->rank;
    return pod_tpu_is_convolution(node->op) ? rank >= 4
                                            : node->op == POD_OP_DOT && rank == 3 &&
                                                  lowering->ir->values[product].shape->rank == 3 &&
                                                  node->attributes->lhs_batch.count == 0;
}

/* Stores the mask of a product's stored value where that lets the value go early (R7). */
static void store_masks(pod_tpu_lowering *lowering, pod_ref product, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    const pod_ir_value *type = &lowering->ir->values[value];
    if (!has_rows(lowering, product, value) || pod_tpu_is_2021(lowering))
        return;
    const bool dot = type->shape->rank == 3;
    const uint8_t axis = dot ? 0 : has_channels_first(lowering, product, value) ? 2 : 1;
    const bool packed = type->shape->dims[axis] <= PACKED_ROWS;
    if (dot && !packed)
        return;
    const bool both = stores_both(lowering, value);
    if (adds_activation(lowering, value))
        return;
    if (!packed && (type->dtype != POD_F32 || !only_reductions_read(lowering, value, 0)))
        return;
    pod_ref activated = POD_REF_NONE;
    bool masked = false, meets = packed && !v->is_output && !only_reductions_read(lowering, value, 0);
    for (uint32_t i = 0; i < v->user_count; i++) {
        const uint32_t user = lowering->users[v->user_first + i];
        const pod_ref made = lowering->ir->nodes[user].value_first;
        if (is_mask(lowering, user)) {
            lowering->values[made].stored = lowering->values[made].mask = masked = true;
            lowering->values[made].packed = packed ? axis + 1 : 0;
            if (packed)
                store_unpacked(lowering, made);
        } else {
            meets = meets && activated == POD_REF_NONE &&
                    lowering->kinds[user] == POD_TPU_KIND_ELEMENTWISE;
            activated = made;
        }
    }
    if (masked && meets && activated != POD_REF_NONE && !both) {
        lowering->values[value].stored = false;
        lowering->values[activated].stored = lowering->values[activated].of_product = true;
    }
}

/* R5b: whether one weight gradient without strides alone reads a convolution's stored value: the two
 * are then one kernel. */
static bool feeds_weight_gradient(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    const pod_shape *shape = lowering->ir->values[value].shape;
    if (v->user_count != 1 || v->is_output || shape->rank < 4 ||
        shape->dims[shape->rank - 1] % 8 != 0 || pod_tpu_is_2021(lowering))
        return false;
    const pod_ir_node *user = &lowering->ir->nodes[lowering->users[v->user_first]];
    if (user->op != POD_OP_CONVOLUTION_KERNEL_GRADIENT || pod_tpu_inputs(lowering, user)[1] != value ||
        pod_tpu_inputs(lowering, user)[0] == value)
        return false;
    bool steps = false;
    for (int32_t i = 0; i < user->attributes->window.rank; i++)
        steps = steps || user->attributes->window.stride[i] > 1;
    return !steps;
}

/* Whether a depthwise convolution alone reads what a convolution of single pixels makes: it is made with it (R5b). */
static bool feeds_depthwise(const pod_tpu_lowering *lowering, pod_ref product, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    const pod_ir_node *node = pod_tpu_maker(lowering, product);
    if (v->user_count != 1 || v->is_output || node->op != POD_OP_CONVOLUTION || pod_tpu_is_2021(lowering))
        return false;
    const pod_ir_node *user = &lowering->ir->nodes[lowering->users[v->user_first]];
    bool single = user->op == POD_OP_CONVOLUTION && user->attributes->window.groups > 1 &&
                  pod_tpu_inputs(lowering, user)[0] == value && node->attributes->window.groups == 1;
    const pod_shape *kernel = lowering->ir->values[pod_tpu_inputs(lowering, node)[1]].shape;
    for (int32_t i = 0; single && i < kernel->rank - 2; i++)
        single = kernel->dims[i] == 1 && node->attributes->window.stride[i] == 1;
    return single;
}

/* R6, R4b: the scores of attention are not stored, or as their difference from the largest. */
static bool store_scores(pod_tpu_lowering *lowering, pod_ref product, pod_ref end)
{
    const pod_ir *ir = lowering->ir;
    pod_tpu_softmax softmax;
    uint32_t largest, shifted;
    const pod_ir_node *dot = pod_tpu_maker(lowering, product);
    if (dot->op != POD_OP_DOT || dot->attributes->lhs_batch.count == 0 || pod_tpu_is_2021(lowering))
        return false;
    if (pod_tpu_is_attention(lowering, product, end, &softmax)) {
        const pod_ref result = ir->nodes[softmax.product].value_first;
        lowering->values[product].stored = false;
        lowering->values[ir->nodes[softmax.largest].value_first].stored = false;
        lowering->values[ir->nodes[softmax.sum].value_first].stored = false;
        lowering->values[result].scores = ir->values[product].node + 1;
        return true;
    }
    if (lowering->chip->layout_rows == 2 || pod_tpu_maker(lowering, end)->op == POD_OP_CONVERT ||
        !pod_tpu_starts_softmax(lowering, end, &largest, &shifted) ||
        lowering->values[ir->nodes[shifted].value_first].claimed)
        return false;
    const pod_ref difference = ir->nodes[shifted].value_first;
    lowering->values[product].stored = false;
    lowering->values[difference].stored = lowering->values[difference].claimed = true;
    lowering->values[difference].product = ir->values[product].node + 1;
    lowering->values[ir->nodes[largest].value_first].joined = shifted + 1;
    return true;
}

/* The value that is computed in the place of a product's: where a slice of it alone is read, that. */
static pod_ref only_slice(const pod_tpu_lowering *lowering, pod_ref product)
{
    const pod_tpu_value *v = &lowering->values[product];
    if (v->user_count != 1 || v->is_output || pod_tpu_is_2021(lowering))
        return product;
    const pod_ir_node *user = &lowering->ir->nodes[lowering->users[v->user_first]];
    return user->op == POD_OP_SLICE ? user->value_first : product;
}

/* Whether one reduction alone reads a value that is the result of a product: it is made with it. Of convolutions that
 * is one along a single axis that a reshape has split off, as the gradient of repetition has. */
static bool feeds_reduction(const pod_tpu_lowering *lowering, pod_ref product, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    if (v->user_count != 1 || v->is_output || pod_tpu_is_2021(lowering))
        return false;
    const pod_ir_node *user = &lowering->ir->nodes[lowering->users[v->user_first]];
    if (pod_tpu_maker(lowering, product)->op == POD_OP_DOT)
        return pod_tpu_is_reduction(user->op);
    if (user->op == POD_OP_RESHAPE && lowering->values[user->value_first].user_count == 1) {
        v = &lowering->values[user->value_first];
        user = &lowering->ir->nodes[lowering->users[v->user_first]];
    }
    return pod_tpu_is_reduction(user->op) && user->attributes->axes.count == 1 &&
           lowering->ir->values[pod_tpu_inputs(lowering, user)[0]].shape->rank >
               lowering->ir->values[product].shape->rank;
}

/* Whether one product alone reads a value, through views: it computes what comes before it from where the product's
 * result is read more than once. */
static bool one_product_reads(const pod_tpu_lowering *lowering, pod_ref value)
{
    for (;;) {
        const pod_tpu_value *v = &lowering->values[value];
        if (v->user_count != 1 || v->is_output || v->stored || pod_tpu_is_2021(lowering))
            return false;
        const pod_ir_node *user = &lowering->ir->nodes[lowering->users[v->user_first]];
        if (pod_tpu_is_product(user->op))
            return true;
        if (user->op != POD_OP_RESHAPE && user->op != POD_OP_TRANSPOSE && user->op != POD_OP_CONVERT)
            return false;
        value = user->value_first;
    }
}

/* A node + 1 that sums columns (over all axes but the last) of what is computed from a value, an element from an element;
 * 0 where there is none. */
static uint32_t column_sum(pod_tpu_lowering *lowering, pod_ref value)
{
    const uint32_t stamp = ++lowering->stamp;
    const int64_t elements = lowering->values[value].elements;
    const int32_t rank = lowering->ir->values[value].shape->rank;
    uint32_t count = 0;
    for (;;) {
        const pod_tpu_value *v = &lowering->values[value];
        for (uint32_t i = 0; i < v->user_count; i++) {
            const uint32_t user = lowering->users[v->user_first + i];
            const pod_ir_node *node = &lowering->ir->nodes[user];
            bool columns = node->op == POD_OP_REDUCE_SUM && node->attributes->axes.count == rank - 1;
            for (int32_t j = 0; columns && j < rank - 1; j++)
                columns = node->attributes->axes.axes[j] != rank - 1;
            if (columns)
                return user + 1;
            if (lowering->kinds[user] != POD_TPU_KIND_ELEMENTWISE || lowering->stamps[node->value_first] == stamp ||
                lowering->values[node->value_first].elements != elements)
                continue;
            lowering->stamps[node->value_first] = stamp;
            lowering->stack[count++] = node->value_first;
        }
        if (count == 0)
            return 0;
        value = lowering->stack[--count];
    }
}

/* Where a lookup reads what a product is converted to from memory, and others compute with it, the narrower value is
 * stored beside it, by one kernel, and those others convert that. */
static void keep_narrow(pod_tpu_lowering *lowering, pod_ref wide)
{
    const pod_ir_node *convert = pod_tpu_maker(lowering, wide);
    pod_tpu_value *w = &lowering->values[wide];
    bool looked_up = false, others = false;
    for (uint32_t i = 0; i < w->user_count; i++) {
        const bool looks = lowering->ir->nodes[lowering->users[w->user_first + i]].op == POD_OP_GATHER;
        looked_up = looked_up || looks;
        others = others || !looks;
    }
    if (convert->op != POD_OP_CONVERT || !looked_up || !others || w->is_output || pod_tpu_is_2021(lowering))
        return;
    const pod_ref narrow = pod_tpu_inputs(lowering, convert)[0];
    pod_tpu_value *n = &lowering->values[narrow];
    if (stored_bits(lowering, narrow) >= stored_bits(lowering, wide) || n->elements != w->elements)
        return;
    n->stored = n->of_product = true;
    n->product = w->product;
    w->joined = lowering->ir->values[narrow].node + 1;
    w->before = narrow + 1;
    const uint32_t sum = column_sum(lowering, wide);
    if (sum == 0)
        return;
    w->joined = sum;
    w->of_product = false;
    w->product = 0;
}

/* Where one convolution or pooling alone reads a convolution's result, through elementwise ops: stores what of them is
 * stored. Returns whether it is so. */
static bool store_in_chain(pod_tpu_lowering *lowering, pod_ref product)
{
    const pod_op op = pod_tpu_maker(lowering, product)->op;
    pod_tpu_chain chain;
    if ((op != POD_OP_CONVOLUTION && op != POD_OP_CONVOLUTION_INPUT_GRADIENT) || pod_tpu_is_2021(lowering) ||
        !pod_tpu_follow_chain(lowering, product, &chain))
        return false;
    const bool nested = pod_tpu_is_nested(lowering, product, &chain);
    if (!nested && (lowering->ir->values[product].dtype != POD_F32 || lowering->ir->values[chain.end].dtype != POD_F32))
        return false;
    const pod_ref best = pod_tpu_stored_of_chain(lowering, product, &chain);
    lowering->values[product].stored = false;
    lowering->values[best].stored = !nested;
    lowering->values[product].nested = nested;
    lowering->values[lowering->ir->nodes[chain.reader].value_first].nests |= nested;
    lowering->values[best].of_product = true;
    lowering->values[best].product = lowering->ir->values[product].node + 1;
    return true;
}

/* Walks the chain of a product and stores its best value instead. */
static void move_product(pod_tpu_lowering *lowering, pod_ref product)
{
    const pod_ref slice = only_slice(lowering, product);
    if (slice != product) {
        lowering->values[product].stored = false;
        lowering->values[slice].stored = lowering->values[slice].of_product = true;
        return;
    }
    if (store_in_chain(lowering, product))
        return;
    const int64_t elements = lowering->values[product].elements;
    pod_ref passed[POD_TPU_LONGEST_CHAIN];
    uint32_t passed_count = 0, kept = 0;
    pod_ref best = product, end = product, straight = product;
    bool forked = false;
    pod_tpu_front f = {.count = 0};
    bool more = !lowering->values[product].stored || !lowering->values[product].is_output;
    more = more && pod_tpu_front_add_users(&f, lowering, product);
    forked = f.count > 1;
    while (more && f.count > 0 && passed_count < POD_TPU_LONGEST_CHAIN) {
        const uint32_t node = f.nodes[--f.count];
        if (!continues_chain(lowering, node, elements))
            break;
        const pod_ref made = lowering->ir->nodes[node].value_first;
        passed[passed_count++] = made;
        const bool meets = f.count == 0;
        if (meets) {
            if (stored_bits(lowering, made) <= stored_bits(lowering, best))
                best = made;
            if (!forked || stored_bits(lowering, made) < stored_bits(lowering, straight))
                straight = best;
            kept = passed_count;
            end = made;
        }
        if (lowering->values[made].stored) {
            if (meets)
                best = made;
            break;
        }
        more = pod_tpu_front_add_users(&f, lowering, made);
        forked = forked || f.count > 1;
    }
    bool moved = false;
    for (uint32_t i = 0; i < kept; i++)
        moved = moved || pod_tpu_maker(lowering, passed[i])->op == POD_OP_RESHAPE;
    const bool nested = !moved && pod_tpu_is_dot_of_dot(lowering, product, best);
    if (straight != best && one_product_reads(lowering, best))
        best = straight;
    for (uint32_t i = 0; i < kept; i++)
        lowering->values[passed[i]].claimed = true;
    if (store_scores(lowering, product, end))
        return;
    lowering->values[best].of_product = true;
    lowering->values[best].product = lowering->ir->values[product].node + 1;
    if (best != product) {
        lowering->values[product].stored = false;
        lowering->values[best].stored = true;
        keep_narrow(lowering, best);
    }
    if (feeds_reduction(lowering, product, best))
        lowering->values[best].stored = false;
    if (nested) {
        lowering->values[best].stored = false;
        lowering->values[product].nested = true;
    }
    store_masks(lowering, product, best);
    if (!pod_tpu_is_convolution(pod_tpu_maker(lowering, product)->op))
        return;
    if (feeds_weight_gradient(lowering, best) || feeds_depthwise(lowering, product, best))
        lowering->values[best].stored = false;
}

/* Whether pooling adds up windows, forward or backward: what follows is computed with it as after a product. */
static bool sums_windows(const pod_ir_node *node)
{
    return node->op == POD_OP_POOL_SUM || node->op == POD_OP_POOL_SUM_GRADIENT;
}

/* Claims what is computed from a product, an element from an element. Returns false, and claims nothing, where a later
 * product has claimed some of that: of several that are added, the last alone is made with the update (R5). */
static bool claim_update(pod_tpu_lowering *lowering, pod_ref product)
{
    const int64_t elements = lowering->values[product].elements;
    for (int pass = 0; pass < 2; pass++) {
        const uint32_t stamp = ++lowering->stamp;
        uint32_t count = 0;
        lowering->stack[count++] = product;
        while (count > 0) {
            const pod_tpu_value *v = &lowering->values[lowering->stack[--count]];
            for (uint32_t i = 0; i < v->user_count; i++) {
                const uint32_t user = lowering->users[v->user_first + i];
                const pod_ref made = lowering->ir->nodes[user].value_first;
                if (lowering->stamps[made] == stamp || lowering->values[made].elements != elements)
                    continue;
                if (pass == 0 && lowering->values[made].claimed)
                    return false;
                lowering->values[made].claimed = pass == 1;
                lowering->stamps[made] = stamp;
                lowering->stack[count++] = made;
            }
        }
    }
    return true;
}

void pod_tpu_move_forward(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    pod_tpu_mark_starts(lowering);
    for (uint32_t i = ir->node_count; i-- > 0;) {
        const pod_ref value = ir->nodes[i].value_first;
        if (sums_windows(&ir->nodes[i]) && !pod_tpu_is_2021(lowering))
            move_product(lowering, value);
        if (!pod_tpu_is_product(ir->nodes[i].op))
            continue;
        if (lowering->values[value].only_outputs && !lowering->values[value].is_output &&
            !claim_update(lowering, value))
            lowering->values[value].only_outputs = false;
        if (!lowering->values[value].only_outputs)
            move_product(lowering, value);
    }
}

/* ---- R8: elementwise operands of several products ---------------------------------------------------- */

typedef struct big_sources {
    int64_t least;
    uint32_t count, others;
    double bits;
} big_sources;

static void count_big(pod_tpu_lowering *lowering, pod_ref value, void *context)
{
    big_sources *sources = context;
    if (pod_tpu_kind_of(lowering, value) == POD_TPU_KIND_CONSTANT ||
        lowering->values[value].elements < sources->least || lowering->values[value].packed)
        return;
    sources->count++;
    sources->bits += (double)stored_bits(lowering, value);
}

/* How many products read a value, through conversions and views. Stops at 2. */
static uint32_t product_readers(const pod_tpu_lowering *lowering, pod_ref value, uint32_t depth)
{
    uint32_t count = 0;
    const pod_tpu_value *v = &lowering->values[value];
    for (uint32_t i = 0; i < v->user_count && count < 2 && depth < 8; i++) {
        const pod_ir_node *user = &lowering->ir->nodes[lowering->users[v->user_first + i]];
        if (pod_tpu_is_product(user->op))
            count++;
        else if ((user->op == POD_OP_CONVERT || user->op == POD_OP_RESHAPE ||
                  user->op == POD_OP_TRANSPOSE) && !lowering->values[user->value_first].stored)
            count += product_readers(lowering, user->value_first, depth + 1);
    }
    return count;
}

/* Whether dots and reductions alone read a value, through conversions and views; `batched` is set where one of the
 * dots has batch axes. */
static bool only_dots_read(const pod_tpu_lowering *lowering, pod_ref value, uint32_t depth, bool *batched)
{
    const pod_tpu_value *v = &lowering->values[value];
    bool only = depth < 8;
    for (uint32_t i = 0; i < v->user_count && only; i++) {
        const pod_ir_node *user = &lowering->ir->nodes[lowering->users[v->user_first + i]];
        if (user->op == POD_OP_DOT)
            *batched = *batched || user->attributes->lhs_batch.count > 0;
        else if (user->op == POD_OP_CONVERT || user->op == POD_OP_RESHAPE || user->op == POD_OP_TRANSPOSE)
            only = only_dots_read(lowering, user->value_first, depth + 1, batched);
        else
            only = pod_tpu_is_reduction(user->op);
    }
    return only;
}

#define LARGE_MATRIX 256 /* rows and columns of the matrices of a batch */
#define MOST_READ    4   /* times its own bytes, what a value may be computed anew from */

/* Whether each dot that reads a value computes it anew: where dots alone read it, from less than four times its bytes,
 * but for a batch of large matrices in 16 bits. */
static bool computed_by_dots(const pod_tpu_lowering *lowering, pod_ref value, pod_ref copy,
                             const big_sources *sources)
{
    const pod_ir_value *v = &lowering->ir->values[copy];
    const int32_t rank = v->shape->rank;
    bool batched = false;
    if (!only_dots_read(lowering, value, 0, &batched) ||
        sources->bits >= MOST_READ * (double)stored_bits(lowering, copy))
        return false;
    return pod_dtype_size(v->dtype) > 2 || !batched || rank < 2 ||
           v->shape->dims[rank - 1] < LARGE_MATRIX || v->shape->dims[rank - 2] < LARGE_MATRIX;
}

/* The copy of a value that all its readers share, where that is a narrower one. */
static pod_ref narrowest_copy(const pod_tpu_lowering *lowering, pod_ref value)
{
    pod_ref best = value;
    while (lowering->values[value].user_count == 1) {
        const uint32_t user = lowering->users[lowering->values[value].user_first];
        const pod_op op = lowering->ir->nodes[user].op;
        if (op != POD_OP_CONVERT && op != POD_OP_RESHAPE && op != POD_OP_TRANSPOSE)
            break;
        value = lowering->ir->nodes[user].value_first;
        if (stored_bits(lowering, value) < stored_bits(lowering, best))
            best = value;
    }
    return best;
}

/* What several products read with padding around it. */
static void store_padded(pod_tpu_lowering *lowering, const pod_ir_node *pad)
{
    const pod_ref root = pod_tpu_root(lowering, pod_tpu_inputs(lowering, pad)[0]);
    const pod_tpu_kind kind = pod_tpu_kind_of(lowering, root);
    if (kind == POD_TPU_KIND_ELEMENTWISE && product_readers(lowering, pad->value_first, 0) >= 2)
        lowering->values[root].stored = true;
}

/* Where the mask of an activation is computed too, what both are computed from is stored. */
static pod_ref before_activation(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_ir_node *node = pod_tpu_maker(lowering, value);
    if (node->op != POD_OP_MAXIMUM)
        return value;
    const pod_ref x = pod_tpu_inputs(lowering, node)[0];
    const pod_tpu_value *v = &lowering->values[x];
    bool masked = false;
    for (uint32_t i = 0; i < v->user_count; i++)
        masked = masked || is_mask(lowering, lowering->users[v->user_first + i]);
    return masked && pod_tpu_kind_of(lowering, x) == POD_TPU_KIND_ELEMENTWISE ? x : value;
}

/* ---- R8b: masks of random bits -------------------------------------------------------------------------- */

static void count_bits(pod_tpu_lowering *lowering, pod_ref value, void *context)
{
    big_sources *sources = context;
    const pod_tpu_value *v = &lowering->values[value];
    if (v->elements < sources->least || pod_tpu_kind_of(lowering, value) == POD_TPU_KIND_CONSTANT)
        return;
    const pod_dtype dtype = lowering->ir->values[value].dtype;
    sources->others += v->of_product || !(dtype == POD_U32 || dtype == POD_U64);
    sources->count++;
}

/* Kernels that read a comparison, or the node between it and what selects by it. */
static uint32_t mask_readers(const pod_tpu_lowering *lowering, const pod_tpu_value *mask)
{
    if (mask->user_count != 1)
        return mask->user_count;
    const pod_ir_node *user = &lowering->ir->nodes[lowering->users[mask->user_first]];
    return user->op == POD_OP_CONVERT ? lowering->values[user->value_first].user_count : 1;
}

/* A comparison of random bits that several kernels read, as dropout has, is stored in their place. */
static void store_random_mask(pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    pod_tpu_value *value = &lowering->values[node->value_first];
    if (node->op != POD_OP_COMPARE || value->stored || mask_readers(lowering, value) < 2)
        return;
    big_sources sources = {.least = (value->elements + 1) / 2};
    pod_tpu_visit_sources(lowering, node, count_bits, &sources);
    value->stored = sources.count > 0 && sources.others == 0;
}

/* How many convolutions read a value, through conversions; 3 or more where something else does too. */
static uint32_t convolution_readers(const pod_tpu_lowering *lowering, pod_ref value, uint32_t depth)
{
    const pod_tpu_value *v = &lowering->values[value];
    uint32_t count = 0;
    for (uint32_t i = 0; i < v->user_count && count < 3; i++) {
        const pod_ir_node *user = &lowering->ir->nodes[lowering->users[v->user_first + i]];
        if (pod_tpu_is_convolution(user->op))
            count++;
        else if (user->op == POD_OP_CONVERT && depth < 8 && !lowering->values[user->value_first].stored)
            count += convolution_readers(lowering, user->value_first, depth + 1);
        else
            count = 3;
    }
    return count;
}

#define TILE_ROWS 8

/* Whether a dot sums over several axes, which are one as they lie, that its two operands have in another order in
 * memory; `left` is where the operand is that is not looked at. */
static bool sums_across(const pod_tpu_lowering *lowering, const pod_ir_node *dot, bool left)
{
    const pod_axes *here = left ? &dot->attributes->lhs_contract : &dot->attributes->rhs_contract;
    const pod_axes *there = left ? &dot->attributes->rhs_contract : &dot->attributes->lhs_contract;
    const pod_ir_node *other = pod_tpu_maker(lowering, pod_tpu_inputs(lowering, dot)[left]);
    while (other->op == POD_OP_CONVERT)
        other = pod_tpu_maker(lowering, pod_tpu_inputs(lowering, other)[0]);
    const pod_shape *shape = lowering->ir->values[pod_tpu_inputs(lowering, dot)[!left]].shape;
    bool across = false;
    if (here->count < 1 || shape->dims[here->axes[here->count - 1]] % TILE_ROWS != 0)
        return false;
    const pod_ref value = pod_tpu_inputs(lowering, dot)[!left];
    pod_array_type type = {.element = pod_element_from_dtype(lowering->ir->values[value].dtype), .shape = *shape,
                           .has_layout = true};
    pod_layout_bytes bytes;
    if (pod_tpu_comes_steps_first(lowering, pod_tpu_inputs(lowering, dot)[left]) &&
        pod_tpu_lies_steps_first(lowering, &type, &bytes))
        return false;
    for (int32_t i = 1; other->op == POD_OP_TRANSPOSE && i < here->count; i++) {
        const int32_t *from = other->attributes->axes.axes;
        across = across || (here->axes[i] > here->axes[i - 1]) !=
                               (from[there->axes[i]] > from[there->axes[i - 1]]);
    }
    return across;
}

/* Whether such a dot reads a value, through conversions: as where the steps of a recurrent net, which come first in
 * what its loop makes, meet gradients that have the batch first. */
static bool summed_across(const pod_tpu_lowering *lowering, pod_ref value, uint32_t depth)
{
    const pod_tpu_value *v = &lowering->values[value];
    bool across = false;
    for (uint32_t i = 0; i < v->user_count && depth < 8 && !across; i++) {
        const pod_ir_node *user = &lowering->ir->nodes[lowering->users[v->user_first + i]];
        if (user->op == POD_OP_CONVERT)
            across = summed_across(lowering, user->value_first, depth + 1);
        else if (user->op == POD_OP_DOT)
            across = sums_across(lowering, user, pod_tpu_inputs(lowering, user)[0] == value);
    }
    return across;
}

void pod_tpu_store_shared_operands(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ir_node *node = &ir->nodes[i];
        pod_tpu_value *value = &lowering->values[node->value_first];
        store_random_mask(lowering, node);
        if (node->op == POD_OP_PAD)
            store_padded(lowering, node);
        if (lowering->kinds[i] != POD_TPU_KIND_ELEMENTWISE || node->op == POD_OP_CONVERT ||
            value->stored || product_readers(lowering, node->value_first, 0) < 2)
            continue;
        big_sources sources = {.least = (value->elements + 1) / 2};
        pod_tpu_visit_sources(lowering, node, count_big, &sources);
        pod_ref copy = before_activation(lowering, node->value_first);
        if (copy == node->value_first)
            copy = narrowest_copy(lowering, node->value_first);
        const bool stores = sources.count > 2 ||
                            (sources.count == 2 && convolution_readers(lowering, node->value_first, 0) > 2);
        const bool absorbed = stores && copy == node->value_first && pod_tpu_absorb(lowering, copy);
        if (summed_across(lowering, node->value_first, 0) || absorbed ||
            (stores && !computed_by_dots(lowering, node->value_first, copy, &sources)))
            lowering->values[copy].stored = true;
    }
}
