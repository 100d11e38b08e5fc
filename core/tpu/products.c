/* products - see passes.def (R4, R8). */

#include <limits.h>

#include "graph/ops.h"
#include "tpu/passes.h"
#include "tpu/walks.h"

/* ---- R4: the stored value of a product moves forward ------------------------------------------------- */

static bool continues_chain(const pod_tpu_lowering *lowering, uint32_t node, int64_t elements)
{
    const pod_op op = lowering->ir->nodes[node].op;
    if (pod_tpu_is_copy(&lowering->ir->nodes[node])) /* is stored by itself */
        return false;
    const pod_tpu_value *made = &lowering->values[lowering->ir->nodes[node].value_first];
    return (lowering->kinds[node] == POD_TPU_KIND_ELEMENTWISE || op == POD_OP_RESHAPE || op == POD_OP_TRANSPOSE) &&
           made->elements == elements && !made->claimed && !made->scattered &&
           !lowering->permuted[lowering->ir->nodes[node].value_first] &&
           !pod_tpu_is_output_copy(lowering, &lowering->ir->nodes[node]);
}

/* R5b: whether one weight gradient without strides alone reads a convolution's stored value: the two
 * are then one kernel. */
static bool feeds_weight_gradient(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_ir_node *user = pod_tpu_only_user(lowering, value);
    const pod_shape *shape = lowering->ir->values[value].shape;
    if (!user || shape->rank < 4 || shape->dims[shape->rank - 1] % 8 != 0 ||
        !pod_tpu_has(lowering, POD_TPU_FED_WEIGHT_GRADIENTS))
        return false;
    if (user->op != POD_OP_CONVOLUTION_KERNEL_GRADIENT || pod_tpu_inputs(lowering, user)[1] != value ||
        pod_tpu_inputs(lowering, user)[0] == value)
        return false;
    bool steps = false;
    for (int32_t i = 0; i < user->attributes->window.rank; i++)
        steps = steps || user->attributes->window.stride[i] > 1;
    return !steps;
}

/* Tells whether scores in a wider type than their product's are too many: two arrays of them, one as the product made
 * it and the arguments are more than there is. */
static bool are_too_many(const pod_tpu_lowering *lowering, pod_ref product, pod_ref scores)
{
    const pod_ir *ir = lowering->ir;
    int64_t bits = pod_tpu_sum(2 * pod_tpu_stored_bits(lowering, scores), pod_tpu_stored_bits(lowering, product));
    for (uint32_t i = 0; i < ir->parameter_count; i++)
        bits = pod_tpu_sum(bits, pod_tpu_stored_bits(lowering, ir->parameters[i]));
    return bits / CHAR_BIT > lowering->target->chip->hbm_limit_bytes;
}

#define LONGEST_ROW 2048 /* of scores, from which the product that makes them takes the largest of the row */

/* Tells whether rows of scores are too long for their product's kernel, so that they are stored before what is left
 * without the largest: of heads that share keys, whose axis lies between the rows. */
static bool are_too_long(const pod_tpu_lowering *lowering, const pod_ir_node *dot, pod_ref scores,
                         const pod_ir_node *largest)
{
    const pod_axes *axes = &largest->attributes->axes;
    const pod_attributes *a = dot->attributes;
    const int32_t rank = lowering->ir->values[pod_tpu_inputs(lowering, dot)[0]].shape->rank;
    return axes->count == 1 && rank - a->lhs_batch.count - a->lhs_contract.count > 1 &&
           lowering->ir->values[scores].shape->dims[axes->axes[0]] > LONGEST_ROW;
}

/* Tells whether scores may be stored twice: not where the chip has room for one of the two alone. */
static bool may_be_twice(const pod_tpu_lowering *lowering, pod_ref scores)
{
    const pod_ir *ir = lowering->ir;
    const int64_t room = lowering->target->chip->hbm_limit_bytes, bits = pod_tpu_stored_bits(lowering, scores);
    int64_t arguments = 0;
    for (uint32_t i = 0; i < ir->parameter_count; i++)
        arguments = pod_tpu_sum(arguments, pod_tpu_stored_bits(lowering, ir->parameters[i]));
    return pod_tpu_has(lowering, POD_TPU_STORED_TWICE) &&
           (pod_tpu_sum(arguments, pod_tpu_sum(bits, bits)) / CHAR_BIT <= room ||
            pod_tpu_sum(arguments, bits) / CHAR_BIT > room);
}

/* What is left of scores without the largest where they are also compared with something, as PyTorch does to find rows
 * that are masked whole; POD_REF_NONE where they are not. */
static pod_ref compared_difference(const pod_tpu_lowering *lowering, pod_ref scores)
{
    const pod_tpu_value *value = &lowering->values[scores];
    pod_ref difference = POD_REF_NONE;
    bool largest = false, compared = false;
    for (uint32_t i = 0; i < value->user_count && value->user_count == 3; i++) {
        const pod_ir_node *user = &lowering->ir->nodes[lowering->users[value->user_first + i]];
        largest = largest || user->op == POD_OP_REDUCE_MAX;
        compared = compared || user->op == POD_OP_COMPARE;
        if (user->op == POD_OP_SUBTRACT)
            difference = user->value_first;
    }
    return largest && compared ? difference : POD_REF_NONE;
}

/* R6, R4b: the scores of attention are not stored, or as their difference from the largest. */
static bool store_scores(pod_tpu_lowering *lowering, pod_ref product, pod_ref end)
{
    const pod_ir *ir = lowering->ir;
    pod_tpu_softmax softmax;
    uint32_t largest, shifted;
    const pod_ir_node *dot = pod_tpu_maker(lowering, product);
    if (dot->op != POD_OP_DOT || dot->attributes->lhs_batch.count == 0)
        return false;
    const bool attends = pod_tpu_is_attention(lowering, product, end, &softmax);
    if (attends && softmax.wide && are_too_many(lowering, product, end) &&
        pod_tpu_has(lowering, POD_TPU_NARROW_SCORES)) {
        lowering->values[ir->nodes[softmax.largest].value_first].stored = false;
        lowering->values[ir->nodes[softmax.sum].value_first].stored = false;
        return false;
    }
    if (attends && !softmax.wide &&
        pod_tpu_has(lowering, softmax.raw ? POD_TPU_ATTENTION_KERNELS : POD_TPU_SOFTMAX_KERNELS)) {
        const pod_ref result = ir->nodes[softmax.product].value_first;
        lowering->values[product].stored = false;
        if (!softmax.raw) {
            lowering->values[end].stored = lowering->values[end].of_product = true;
            lowering->values[end].product = ir->values[product].node + 1;
        }
        lowering->values[ir->nodes[softmax.largest].value_first].stored = false;
        lowering->values[ir->nodes[softmax.sum].value_first].stored = false;
        lowering->scores[result] = ir->values[product].node + 1;
        return true;
    }
    const pod_ref twice = compared_difference(lowering, end);
    if (twice != POD_REF_NONE && may_be_twice(lowering, end)) {
        lowering->values[twice].stored = true;
        lowering->values[twice].product = ir->values[product].node + 1; /* it lies as that */
    }
    if (!pod_tpu_has(lowering, POD_TPU_SCORE_DIFFERENCES) || pod_tpu_converts(pod_tpu_maker(lowering, end)) ||
        !pod_tpu_starts_softmax(lowering, end, &largest, &shifted) ||
        lowering->values[ir->nodes[shifted].value_first].claimed)
        return false;
    if (are_too_long(lowering, dot, end, &ir->nodes[largest]) && may_be_twice(lowering, end)) {
        lowering->values[ir->nodes[shifted].value_first].stored = lowering->long_rows = true;
        return false;
    }
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
    const pod_ir_node *user = pod_tpu_only_user(lowering, product);
    const bool slices = user && user->op == POD_OP_SLICE && pod_tpu_has(lowering, POD_TPU_SLICED_PRODUCTS);
    return slices ? user->value_first : product;
}

/* Tells whether a node reduces images, as global pooling does: all axes but the batch and the channels. */
static bool reduces_images(const pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    return pod_tpu_is_reduction(node->op) && node->attributes->axes.axes[0] != 0 &&
           node->attributes->axes.count == lowering->ir->values[pod_tpu_inputs(lowering, node)[0]].shape->rank - 2;
}

/* Tells whether one reduction alone reads a value that is the result of a product: it is made with it. Of convolutions
 * that is one of images, in nets that do not train, or along a single axis that a reshape has split off, as the
 * gradient of repetition has. */
static bool feeds_reduction(const pod_tpu_lowering *lowering, pod_ref product, pod_ref value)
{
    const pod_ir_node *user = pod_tpu_only_user(lowering, value);
    if (!user || !pod_tpu_has(lowering, POD_TPU_REDUCED_PRODUCTS))
        return false;
    if (pod_tpu_maker(lowering, product)->op == POD_OP_DOT || (!lowering->training && reduces_images(lowering, user)))
        return pod_tpu_is_reduction(user->op);
    if (user->op == POD_OP_RESHAPE && lowering->values[user->value_first].user_count == 1) {
        user = &lowering->ir->nodes[lowering->users[lowering->values[user->value_first].user_first]];
    }
    return pod_tpu_is_reduction(user->op) && user->attributes->axes.count == 1 &&
           lowering->ir->values[pod_tpu_inputs(lowering, user)[0]].shape->rank >
               lowering->ir->values[product].shape->rank;
}

/* A node + 1 that sums columns (over all axes but the last) of what is computed from a value, an element from an
 * element; 0 where there is none. */
static uint32_t column_sum(pod_tpu_lowering *lowering, pod_ref value)
{
    const int64_t elements = lowering->values[value].elements;
    const int32_t rank = lowering->ir->values[value].shape->rank;
    uint32_t user;
    pod_tpu_uses uses = pod_tpu_uses_of(lowering, value);
    while (pod_tpu_next_use(&uses, &user)) {
        const pod_ir_node *node = &lowering->ir->nodes[user];
        bool columns = node->op == POD_OP_REDUCE_SUM && node->attributes->axes.count == rank - 1;
        for (int32_t j = 0; columns && j < rank - 1; j++)
            columns = node->attributes->axes.axes[j] != rank - 1;
        if (columns)
            return user + 1;
        if (lowering->kinds[user] == POD_TPU_KIND_ELEMENTWISE &&
            lowering->values[node->value_first].elements == elements)
            pod_tpu_walk_to(&uses.walk, node->value_first);
    }
    return 0;
}

/* A product that is converted, looked up in memory and computed with besides is stored narrow as well, by one kernel,
 * and those who compute with it convert the narrow value. */
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
    if (convert->op != POD_OP_CONVERT || !looked_up || !others || w->is_output ||
        !pod_tpu_has(lowering, POD_TPU_NARROW_LOOKUPS))
        return;
    const pod_ref narrow = pod_tpu_inputs(lowering, convert)[0];
    pod_tpu_value *n = &lowering->values[narrow];
    if (pod_tpu_stored_bits(lowering, narrow) >= pod_tpu_stored_bits(lowering, wide) || n->elements != w->elements)
        return;
    n->stored = n->of_product = true;
    n->product = w->product;
    w->joined = lowering->ir->values[narrow].node + 1;
    w->before = narrow + 1;
    const uint32_t sum = pod_tpu_has(lowering, POD_TPU_SUMMED_LOOKUPS) ? column_sum(lowering, wide) : 0;
    if (sum == 0)
        return;
    w->joined = sum;
    w->of_product = false;
    w->product = 0;
}

/* What an activation is computed from is stored in a product's place, and lookups read the activation from memory: one
 * kernel stores both, and all else computes the activation anew. */
static void keep_looked_up(pod_tpu_lowering *lowering, pod_ref source)
{
    const pod_tpu_value *v = &lowering->values[source];
    for (uint32_t i = 0; i < v->user_count && pod_tpu_has(lowering, POD_TPU_NARROW_LOOKUPS); i++) {
        const pod_ir_node *node = &lowering->ir->nodes[lowering->users[v->user_first + i]];
        const pod_ref *inputs = pod_tpu_inputs(lowering, node), made = node->value_first;
        pod_tpu_value *activation = &lowering->values[made];
        bool alone = pod_tpu_is_elementwise(node) && !pod_tpu_converts(node) && activation->elements == v->elements;
        for (uint32_t j = 0; alone && j < node->input_count; j++)
            alone = inputs[j] == source ||
                    pod_tpu_kind_of(lowering, pod_tpu_root(lowering, inputs[j])) == POD_TPU_KIND_CONSTANT;
        bool looked_up = false;
        for (uint32_t j = 0; alone && j < activation->user_count; j++)
            looked_up =
                looked_up || lowering->ir->nodes[lowering->users[activation->user_first + j]].op == POD_OP_GATHER;
        if (!looked_up || !activation->stored || activation->is_output)
            continue;
        activation->joined = lowering->ir->values[source].node + 1;
        activation->before = source + 1;
        lowering->parts[made].for_lookups = true;
    }
}

/* Stores the value that is stored between a convolution and the one convolution or pooling that reads its result,
 * through elementwise ops. Returns whether there is such a chain. */
static bool store_in_chain(pod_tpu_lowering *lowering, pod_ref product)
{
    const pod_op op = pod_tpu_maker(lowering, product)->op;
    pod_tpu_link link;
    if ((op != POD_OP_CONVOLUTION && op != POD_OP_CONVOLUTION_INPUT_GRADIENT) ||
        !pod_tpu_has(lowering, POD_TPU_LINKS) || !pod_tpu_follow_link(lowering, product, &link))
        return false;
    const bool nested = pod_tpu_is_nested(lowering, product, &link);
    if (!nested && (lowering->ir->values[product].dtype != POD_F32 || lowering->ir->values[link.end].dtype != POD_F32))
        return false;
    const pod_ref best = pod_tpu_stored_of_link(lowering, product, &link);
    lowering->values[product].stored = false;
    lowering->values[best].stored = !nested;
    lowering->pairs[product].nested = nested;
    lowering->pairs[lowering->ir->nodes[link.reader].value_first].nests |= nested;
    lowering->values[best].of_product = true;
    lowering->values[best].product = lowering->ir->values[product].node + 1;
    return true;
}

/* The part of a product's chain that is computed with it: the values behind it, the one that is best stored, and the
 * last. */
typedef struct product_chain {
    pod_ref passed[POD_TPU_LONGEST_CHAIN];
    uint32_t kept;
    pod_ref best, end;
} product_chain;

static void walk_chain(const pod_tpu_lowering *lowering, pod_ref product, product_chain *chain)
{
    const int64_t elements = lowering->values[product].elements;
    uint32_t passed_count = 0;
    pod_tpu_front f = {.count = 0};
    bool more = !lowering->values[product].stored || !lowering->values[product].is_output;
    more = more && pod_tpu_has(lowering, POD_TPU_EPILOGUES) &&
           !pod_tpu_is_grouped(lowering, pod_tpu_maker(lowering, product)) &&
           pod_tpu_front_add_users(&f, lowering, product);
    chain->kept = 0;
    chain->best = chain->end = product;
    while (more && f.count > 0 && passed_count < POD_TPU_LONGEST_CHAIN) {
        const uint32_t node = f.nodes[--f.count];
        if (!continues_chain(lowering, node, elements))
            break;
        const pod_ref made = lowering->ir->nodes[node].value_first;
        chain->passed[passed_count++] = made;
        const bool meets = f.count == 0;
        if (meets) {
            if (pod_tpu_stored_bits(lowering, made) <= pod_tpu_stored_bits(lowering, chain->best))
                chain->best = made;
            chain->kept = passed_count;
            chain->end = made;
        }
        if (lowering->values[made].stored) {
            if (meets)
                chain->best = made;
            break;
        }
        more = pod_tpu_front_add_users(&f, lowering, made);
    }
}

static bool has_reshape(const pod_tpu_lowering *lowering, const product_chain *chain)
{
    bool found = false;
    for (uint32_t i = 0; i < chain->kept; i++)
        found = found || pod_tpu_maker(lowering, chain->passed[i])->op == POD_OP_RESHAPE;
    return found;
}

/* Tells whether a node of a chain reads something that is neither of the chain nor constant. */
static bool joins_other(const pod_tpu_lowering *lowering, const product_chain *chain, pod_ref product,
                        const pod_ir_node *node)
{
    const pod_ref *inputs = pod_tpu_inputs(lowering, node);
    for (uint32_t i = 0; i < node->input_count; i++) {
        bool known = inputs[i] == product || pod_tpu_kind_of(lowering, inputs[i]) == POD_TPU_KIND_CONSTANT;
        for (uint32_t k = 0; k < chain->kept && !known; k++)
            known = chain->passed[k] == inputs[i];
        if (!known && pod_tpu_kind_of(lowering, pod_tpu_root(lowering, inputs[i])) != POD_TPU_KIND_CONSTANT)
            return true;
    }
    return false;
}

/* The value that a dot stores where it leaves the elementwise ops after that to the dot that alone reads what comes of
 * them, as it has room for those before itself: ops that read a value several times, with functions such as tanh among
 * them, or where nothing is computed before the dot either. Else POD_REF_NONE. */
static pod_ref left_to_reader(const pod_tpu_lowering *lowering, pod_ref product, const product_chain *chain)
{
    const pod_ir_node *dot = pod_tpu_maker(lowering, product), *reader = pod_tpu_only_user(lowering, chain->end);
    if (!pod_tpu_has(lowering, POD_TPU_RAW_DOTS) || lowering->training || dot->op != POD_OP_DOT || !reader ||
        reader->op != POD_OP_DOT || lowering->values[chain->end].stored ||
        lowering->ir->values[product].dtype != POD_F32 || lowering->ir->values[chain->end].dtype != POD_F32)
        return POD_REF_NONE;
    pod_ref joined = product;
    bool again = lowering->values[product].user_count > 1, functions = false;
    for (uint32_t i = 0; i < chain->kept; i++) {
        const pod_ir_node *node = pod_tpu_maker(lowering, chain->passed[i]);
        if (joins_other(lowering, chain, product, node)) {
            joined = chain->passed[i];
            again = functions = false;
        }
        again = again || lowering->values[chain->passed[i]].user_count > 1;
        functions = functions || pod_op_get(node->op)->flops == POD_FLOPS_TRANS;
    }
    const bool first = pod_tpu_kind_of(lowering, pod_tpu_inputs(lowering, dot)[0]) == POD_TPU_KIND_LEAF;
    return again && (functions || first) ? joined : POD_REF_NONE;
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
    product_chain chain;
    walk_chain(lowering, product, &chain);
    const pod_ref left = left_to_reader(lowering, product, &chain);
    const pod_ref best = left != POD_REF_NONE ? left : chain.best;
    const bool nested = !has_reshape(lowering, &chain) && pod_tpu_is_dot_of_dot(lowering, product, best);
    for (uint32_t i = 0; i < chain.kept; i++)
        lowering->values[chain.passed[i]].claimed = true;
    if (store_scores(lowering, product, chain.end))
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
        lowering->pairs[product].nested = true;
    }
    if (lowering->values[best].stored)
        keep_looked_up(lowering, best);
    pod_tpu_store_masks(lowering, product, best);
    if (pod_tpu_is_convolution(pod_tpu_maker(lowering, product)->op) && feeds_weight_gradient(lowering, best))
        lowering->values[best].stored = false;
}

/* What devices have added up is stored as they did; a value of its size that others are added to for all that read it
 * (the residual stream) besides, as a product's is. */
static void store_after_exchange(pod_tpu_lowering *lowering, pod_ref sum)
{
    product_chain chain;
    bool joins = false;
    walk_chain(lowering, sum, &chain);
    for (uint32_t i = 0; i < chain.kept; i++)
        joins = joins || joins_other(lowering, &chain, sum, pod_tpu_maker(lowering, chain.passed[i]));
    if (joins)
        lowering->values[chain.best].stored = true;
}

/* Pooling that adds up windows, forward or backward, computes what follows it as a product does. */
bool pod_tpu_pass_products(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    for (uint32_t i = ir->node_count; i-- > 0;) {
        const pod_ref value = ir->nodes[i].value_first;
        const pod_op op = ir->nodes[i].op;
        const bool sums = op == POD_OP_POOL_SUM || op == POD_OP_POOL_SUM_GRADIENT;
        if ((sums && pod_tpu_has(lowering, POD_TPU_POOLED_SUMS)) ||
            (pod_tpu_is_product(op) && (!lowering->values[value].only_outputs || lowering->pairs[value].part)))
            move_product(lowering, value);
        if (op == POD_OP_ALL_REDUCE && !lowering->values[value].only_outputs)
            store_after_exchange(lowering, value);
    }
    return true;
}
