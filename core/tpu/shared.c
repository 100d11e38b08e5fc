/* shared - see passes.def: what several products read (R8). */

#include "tpu/passes.h"
#include "tpu/walks.h"

/* Of the arrays that a value is computed from those of at least half its elements: how many, and their bits. */
typedef struct big_sources {
    uint32_t count;
    double bits;
} big_sources;

static big_sources find_big(pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    const int64_t least = (lowering->values[node->value_first].elements + 1) / 2;
    big_sources big = {0};
    pod_ref value;
    pod_tpu_sources sources = pod_tpu_sources_of(lowering, node);
    while (pod_tpu_next_source(&sources, &value)) {
        if (pod_tpu_kind_of(lowering, value) == POD_TPU_KIND_CONSTANT || lowering->values[value].elements < least ||
            lowering->values[value].packed)
            continue;
        big.count++;
        big.bits += (double)pod_tpu_stored_bits(lowering, value);
    }
    return big;
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
        else if ((pod_tpu_is_view(user) || (user->op == POD_OP_SLICE && v->activation) ||
                  (user->op == POD_OP_REVERSE && pod_tpu_has(lowering, POD_TPU_FUNCTIONS))) &&
                 !lowering->values[user->value_first].stored)
            count += product_readers(lowering, user->value_first, depth + 1);
    }
    return count;
}

/* Tells whether dots and reductions alone read a value, through conversions and views; `batched` is set where one of
 * the dots has batch axes. */
static bool only_dots_read(const pod_tpu_lowering *lowering, pod_ref value, uint32_t depth, bool *batched)
{
    const pod_tpu_value *v = &lowering->values[value];
    bool only = depth < 8;
    for (uint32_t i = 0; i < v->user_count && only; i++) {
        const pod_ir_node *user = &lowering->ir->nodes[lowering->users[v->user_first + i]];
        if (user->op == POD_OP_DOT)
            *batched = *batched || user->attributes->lhs_batch.count > 0;
        else if (pod_tpu_is_view(user))
            only = only_dots_read(lowering, user->value_first, depth + 1, batched);
        else
            only = pod_tpu_is_reduction(user->op);
    }
    return only;
}

/* Tells whether a reduction reads a value, through conversions and views. */
static bool is_summed(const pod_tpu_lowering *lowering, pod_ref value, uint32_t depth)
{
    const pod_tpu_value *v = &lowering->values[value];
    bool summed = false;
    for (uint32_t i = 0; i < v->user_count && depth < 8 && !summed; i++) {
        const pod_ir_node *user = &lowering->ir->nodes[lowering->users[v->user_first + i]];
        summed = pod_tpu_is_reduction(user->op) ||
                 (pod_tpu_is_view(user) && is_summed(lowering, user->value_first, depth + 1));
    }
    return summed;
}

#define MOST_READ 4 /* times its own bytes, what a value may be computed anew from */

/* Tells whether each dot that reads a value computes it anew: where dots alone read it, from less than four times its
 * bytes. */
static bool computed_by_dots(const pod_tpu_lowering *lowering, pod_ref value, pod_ref copy, const big_sources *sources)
{
    bool batched = false;
    return only_dots_read(lowering, value, 0, &batched) &&
           sources->bits < MOST_READ * (double)pod_tpu_stored_bits(lowering, copy);
}

#define LEAST_READ 2 /* times its own bytes, from what a value with functions is stored for dots on large chips */

/* Tells whether a value is stored as each dot would compute functions (exp and its like) anew, from more bytes than its
 * own: softmax in 16 bits of scores in 32, what two products of a gate give. */
static bool spares_functions(pod_tpu_lowering *lowering, pod_ref value, pod_ref copy, const big_sources *sources)
{
    bool batched = false;
    const double least = pod_tpu_has(lowering, POD_TPU_ALL_FUNCTIONS) ? 1 : LEAST_READ;
    return pod_tpu_has(lowering, POD_TPU_SPARED_FUNCTIONS) && only_dots_read(lowering, value, 0, &batched) &&
           sources->bits >= least * (double)pod_tpu_stored_bits(lowering, copy) &&
           pod_tpu_count_functions(lowering, value).functions > 0;
}

/* The copy of a value that all its readers share, where that is a narrower one. */
static pod_ref narrowest_copy(const pod_tpu_lowering *lowering, pod_ref value)
{
    pod_ref best = value;
    while (lowering->values[value].user_count == 1) {
        const uint32_t user = lowering->users[lowering->values[value].user_first];
        const pod_ir_node *node = &lowering->ir->nodes[user];
        if (!pod_tpu_converts(node) && node->op != POD_OP_RESHAPE && node->op != POD_OP_TRANSPOSE)
            break;
        value = lowering->ir->nodes[user].value_first;
        if (pod_tpu_stored_bits(lowering, value) < pod_tpu_stored_bits(lowering, best))
            best = value;
    }
    return best;
}

/* Stores a value that several products read with padding around it. */
static void store_padded(pod_tpu_lowering *lowering, const pod_ir_node *pad)
{
    const pod_ref root = pod_tpu_root(lowering, pod_tpu_inputs(lowering, pad)[0]);
    const pod_tpu_kind kind = pod_tpu_kind_of(lowering, root);
    if (kind == POD_TPU_KIND_ELEMENTWISE && product_readers(lowering, pad->value_first, 0) >= 2)
        lowering->values[root].stored = true;
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
        else if (pod_tpu_converts(user) && depth < 8 && !lowering->values[user->value_first].stored)
            count += convolution_readers(lowering, user->value_first, depth + 1);
        else
            count = 3;
    }
    return count;
}

#define MOST_FUNCTIONS 1 /* and divisions of an element, that convolutions compute anew */

/* Tells whether convolutions, and sums that are made elsewhere, alone read a value, through views. */
static bool only_convolutions_read(const pod_tpu_lowering *lowering, pod_ref value, uint32_t depth)
{
    const pod_tpu_value *v = &lowering->values[value];
    bool only = depth < 8;
    for (uint32_t i = 0; i < v->user_count && only; i++) {
        const pod_ir_node *user = &lowering->ir->nodes[lowering->users[v->user_first + i]];
        if (pod_tpu_is_view(user) || user->op == POD_OP_REVERSE)
            only = only_convolutions_read(lowering, user->value_first, depth + 1);
        else
            only = pod_tpu_is_convolution(user->op) || pod_tpu_is_reduction(user->op);
    }
    return only;
}

/* Tells whether each convolution that reads a value computes it anew: where they alone read it, from what one
 * convolution made, and arguments, by cheap ops. */
static bool computed_by_convolutions(pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    const int64_t elements = lowering->values[node->value_first].elements;
    uint32_t made = 0;
    pod_ref value;
    if (!pod_tpu_has(lowering, POD_TPU_FUNCTIONS) || !only_convolutions_read(lowering, node->value_first, 0))
        return false;
    pod_tpu_sources sources = pod_tpu_sources_of(lowering, node);
    while (pod_tpu_next_source(&sources, &value)) {
        const pod_tpu_value *v = &lowering->values[value];
        const pod_tpu_kind kind = pod_tpu_kind_of(lowering, value);
        if (v->elements < elements || kind == POD_TPU_KIND_CONSTANT || kind == POD_TPU_KIND_LEAF)
            continue;
        if (!v->of_product || !v->product || !pod_tpu_is_convolution(lowering->ir->nodes[v->product - 1].op))
            return false;
        made++;
    }
    const pod_tpu_functions count = pod_tpu_count_functions(lowering, node->value_first);
    return made == 1 && count.functions + count.divisions <= MOST_FUNCTIONS;
}

#define TILE_ROWS 8

/* Tells whether a dot sums over several axes, which are one as they lie, that its two operands have in another order in
 * memory; `left` is where the operand is that is not looked at. */
static bool sums_across(const pod_tpu_lowering *lowering, const pod_ir_node *dot, bool left)
{
    const pod_axes *here = left ? &dot->attributes->lhs_contract : &dot->attributes->rhs_contract;
    const pod_axes *there = left ? &dot->attributes->rhs_contract : &dot->attributes->lhs_contract;
    const pod_ir_node *other = pod_tpu_maker(lowering, pod_tpu_inputs(lowering, dot)[left]);
    while (pod_tpu_converts(other))
        other = pod_tpu_maker(lowering, pod_tpu_inputs(lowering, other)[0]);
    const pod_shape *shape = lowering->ir->values[pod_tpu_inputs(lowering, dot)[!left]].shape;
    bool across = false;
    if (here->count < 1 || shape->dims[here->axes[here->count - 1]] % TILE_ROWS != 0)
        return false;
    for (int32_t i = 1; other->op == POD_OP_TRANSPOSE && i < here->count; i++) {
        const int32_t *from = other->attributes->axes.axes;
        across = across || (here->axes[i] > here->axes[i - 1]) != (from[there->axes[i]] > from[there->axes[i - 1]]);
    }
    return across;
}

/* Tells whether such a dot reads a value, through conversions: as where the steps of a recurrent net, which come first
 * in what its loop makes, meet gradients that have the batch first. */
static bool summed_across(const pod_tpu_lowering *lowering, pod_ref value, uint32_t depth)
{
    const pod_tpu_value *v = &lowering->values[value];
    bool across = false;
    for (uint32_t i = 0; i < v->user_count && depth < 8 && !across; i++) {
        const pod_ir_node *user = &lowering->ir->nodes[lowering->users[v->user_first + i]];
        if (pod_tpu_converts(user))
            across = summed_across(lowering, user->value_first, depth + 1);
        else if (user->op == POD_OP_DOT)
            across = sums_across(lowering, user, pod_tpu_inputs(lowering, user)[0] == value);
    }
    return across;
}

/* Elementwise results that lie as activations of convolutions do, as normalised pixels, are stored for the dot that
 * reads them: dots compute only what lies as they read it. */
static void store_pixels(pod_tpu_lowering *lowering, const pod_ir_node *dot)
{
    for (uint32_t i = 0; i < 2; i++) {
        const pod_ref operand = pod_tpu_inputs(lowering, dot)[i];
        pod_tpu_value *value = &lowering->values[operand];
        if (value->activation && lowering->ir->values[operand].shape->rank >= 3 && !value->claimed &&
            pod_tpu_kind_of(lowering, operand) == POD_TPU_KIND_ELEMENTWISE)
            value->stored = true;
    }
}

/* A concatenation that several dots read, through a reshape, and that is summed too (for a bias), as the gradient of
 * queries, keys and values of one dot is, is stored for the dots; the sums are computed from what it joins. */
static void store_joined_gradient(pod_tpu_lowering *lowering, const pod_ir_node *concatenation)
{
    const pod_ref joined = concatenation->value_first;
    pod_tpu_value *value = &lowering->values[joined];
    bool batched = false;
    if (value->stored || value->activation || !pod_tpu_has(lowering, POD_TPU_JOINED_GRADIENTS) ||
        value->user_count != 1 || lowering->ir->nodes[lowering->users[value->user_first]].op != POD_OP_RESHAPE ||
        product_readers(lowering, joined, 0) < 2 || !only_dots_read(lowering, joined, 0, &batched) || batched ||
        !is_summed(lowering, joined, 0))
        return;
    value->stored = lowering->parts[joined].for_dots = true;
}

bool pod_tpu_pass_shared(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ir_node *node = &ir->nodes[i];
        pod_tpu_value *value = &lowering->values[node->value_first];
        if (node->op == POD_OP_DOT && pod_tpu_has(lowering, POD_TPU_STORED_PIXELS))
            store_pixels(lowering, node);
        if (node->op == POD_OP_PAD && pod_tpu_has(lowering, POD_TPU_PADDED_OPERANDS))
            store_padded(lowering, node);
        if (node->op == POD_OP_CONCATENATE)
            store_joined_gradient(lowering, node);
        if (lowering->kinds[i] != POD_TPU_KIND_ELEMENTWISE || pod_tpu_converts(node) || value->stored ||
            product_readers(lowering, node->value_first, 0) < 2 || computed_by_convolutions(lowering, node))
            continue;
        const big_sources sources = find_big(lowering, node);
        pod_ref copy = node->value_first;
        if (pod_tpu_has(lowering, POD_TPU_NARROWEST_COPIES))
            copy = narrowest_copy(lowering, node->value_first);
        const bool stores =
            pod_tpu_has(lowering, POD_TPU_SHARED_OPERANDS) &&
            (sources.count > 2 || (sources.count == 2 && (!pod_tpu_has(lowering, POD_TPU_TWO_CONVOLUTIONS) ||
                                                          convolution_readers(lowering, node->value_first, 0) > 2)));
        const bool absorbed = stores && copy == node->value_first && pod_tpu_absorb(lowering, copy);
        if ((pod_tpu_has(lowering, POD_TPU_SUMMED_ACROSS) && summed_across(lowering, node->value_first, 0)) ||
            absorbed || spares_functions(lowering, node->value_first, copy, &sources) ||
            (stores && !(pod_tpu_has(lowering, POD_TPU_COMPUTED_BY_DOTS) &&
                         computed_by_dots(lowering, node->value_first, copy, &sources))))
            lowering->values[copy].stored = true;
    }
    return true;
}
