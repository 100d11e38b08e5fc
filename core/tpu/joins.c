/* joins - see passes.def (R5, R7, R8, R10, R13). */

#include "base/sets.h"
#include "tpu/passes.h"
#include "tpu/walks.h"

/* Kernels are joined as sets of nodes (base/sets.h) whose last nodes stand for them. */
static void join(uint32_t *parents, uint32_t a, uint32_t b)
{
    a = pod_set_of(parents, a);
    b = pod_set_of(parents, b);
    pod_set_join(parents, a < b ? b : a, a < b ? a : b);
}

/* ---- updates (R5, R13) ------------------------------------------------------------------------------------------- */

/* Outputs that are computed from one product which has no buffer are one kernel (R5). */
static void join_updates(pod_tpu_lowering *lowering, uint32_t *parents, uint32_t product)
{
    const pod_ir *ir = lowering->ir;
    uint32_t first = UINT32_MAX, user;
    pod_tpu_uses uses = pod_tpu_uses_of(lowering, ir->nodes[product].value_first);
    while (pod_tpu_next_use(&uses, &user)) {
        const pod_ref made = ir->nodes[user].value_first;
        if (!pod_tpu_walk_sees(&uses.walk, made) ||
            (lowering->turned[uses.value] && pod_tpu_is_turned_copy(lowering, &ir->nodes[user])))
            continue;
        pod_tpu_walk_push(&uses.walk, made);
        if (lowering->values[made].stored && first == UINT32_MAX)
            first = user;
        else if (lowering->values[made].stored)
            join(parents, first, user);
    }
}

#define MOST_UPDATED 16 /* results of an update that are made at once */

/* Updates from one sum of scattered rows are one kernel (R13). */
static void join_table_updates(pod_tpu_lowering *lowering, uint32_t *parents, uint32_t node)
{
    uint32_t nodes[MOST_UPDATED];
    const uint32_t count = pod_tpu_list_update(lowering, node, nodes, MOST_UPDATED);
    for (uint32_t i = 1; i < count; i++)
        join(parents, nodes[0], nodes[i]);
}

/* ---- outputs that elementwise ops make of other outputs are computed with them (R10) ----------------------------- */

#define MOST_SOURCES 32

static bool is_elementwise_output(const pod_tpu_lowering *lowering, pod_ref value, int64_t elements)
{
    const pod_tpu_value *v = &lowering->values[value];
    return v->is_output && v->elements == elements && !v->joined && !v->of_product && !v->scattered &&
           pod_tpu_kind_of(lowering, value) == POD_TPU_KIND_ELEMENTWISE;
}

static void join_outputs(pod_tpu_lowering *lowering, uint32_t *parents, uint32_t node)
{
    const pod_ref value = lowering->ir->nodes[node].value_first;
    pod_ref list[MOST_SOURCES], source;
    uint32_t count = 0;
    if (lowering->ir->nodes[node].value_count == 0 ||
        !is_elementwise_output(lowering, value, lowering->values[value].elements))
        return;
    pod_tpu_sources sources = pod_tpu_sources_of(lowering, &lowering->ir->nodes[node]);
    while (pod_tpu_next_source(&sources, &source)) {
        const pod_tpu_kind kind = pod_tpu_kind_of(lowering, source);
        if (kind == POD_TPU_KIND_LEAF || kind == POD_TPU_KIND_CONSTANT)
            continue;
        if (count == MOST_SOURCES)
            return;
        list[count++] = source;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool apart = is_elementwise_output(lowering, list[i], lowering->values[value].elements);
        for (uint32_t j = 0; j < count && apart; j++)
            apart = j == i || lowering->ir->values[list[j]].node < lowering->ir->values[list[i]].node ||
                    is_elementwise_output(lowering, list[j], lowering->values[value].elements) ||
                    !pod_tpu_leads_to(lowering, list[i], lowering->ir->values[list[j]].node);
        if (apart)
            join(parents, node, lowering->ir->values[list[i]].node);
    }
}

/* ---- masks (R7) -------------------------------------------------------------------------------------------------- */

/* A mask is computed with what it masks, where that is not stored itself. */
static void join_mask(pod_tpu_lowering *lowering, uint32_t *parents, uint32_t mask)
{
    const pod_ir *ir = lowering->ir;
    const pod_ref source = pod_tpu_inputs(lowering, &ir->nodes[mask])[0];
    const pod_tpu_value *v = &lowering->values[source];
    if (v->stored) {
        if (lowering->kinds[ir->values[source].node] != POD_TPU_KIND_LEAF)
            join(parents, mask, ir->values[source].node);
        return;
    }
    for (uint32_t i = 0; i < v->user_count; i++) {
        const uint32_t user = lowering->users[v->user_first + i];
        if (lowering->values[ir->nodes[user].value_first].stored)
            join(parents, mask, user);
    }
}

/* ---- reductions of what a product makes are made with it (R7) ---------------------------------------------------- */

/* The only value, besides constants and arguments, that a node is computed from; POD_REF_NONE where there are others.
 */
static pod_ref lone_source(pod_tpu_lowering *lowering, const pod_ir_node *node)
{
    pod_ref value, found = POD_REF_NONE;
    pod_tpu_sources sources = pod_tpu_sources_of(lowering, node);
    while (pod_tpu_next_source(&sources, &value)) {
        const pod_tpu_kind kind = pod_tpu_kind_of(lowering, value);
        if (kind == POD_TPU_KIND_CONSTANT || kind == POD_TPU_KIND_LEAF)
            continue;
        if (found != POD_REF_NONE)
            return POD_REF_NONE;
        found = value;
    }
    return found;
}

/* Tells of each kernel, by the node that stands for it, whether it also packs a mask. */
static bool *find_packing(pod_tpu_lowering *lowering, uint32_t *parents)
{
    bool *packing = pod_tpu_array(lowering, lowering->ir->node_count, sizeof *packing);
    for (uint32_t i = 0; packing && i < lowering->ir->node_count; i++) {
        const pod_ir_node *node = &lowering->ir->nodes[i];
        if (node->value_count && lowering->values[node->value_first].mask && lowering->values[node->value_first].packed)
            packing[pod_set_of(parents, i)] = true;
    }
    return packing;
}

static void join_packing(uint32_t *parents, bool *packing, uint32_t a, uint32_t b)
{
    const bool packs = packing[pod_set_of(parents, a)] || packing[pod_set_of(parents, b)];
    join(parents, a, b);
    packing[pod_set_of(parents, a)] = packs;
}

/* Packed masks are sums as well, of another shape: other sums are not made with them. */
static void join_reduction(pod_tpu_lowering *lowering, uint32_t *parents, bool *packing, uint32_t node)
{
    const pod_ir_node *n = &lowering->ir->nodes[node];
    if (!lowering->values[n->value_first].stored || lowering->values[n->value_first].is_output)
        return;
    const pod_ref source = lone_source(lowering, n);
    if (source == POD_REF_NONE || !lowering->values[source].of_product)
        return;
    const uint32_t product = lowering->ir->values[source].node;
    if (!pod_tpu_has(lowering, POD_TPU_PACKED_APART) || !packing[pod_set_of(parents, product)])
        join_packing(parents, packing, product, node);
}

static bool join_sums(pod_tpu_lowering *lowering, uint32_t *parents)
{
    const pod_ir *ir = lowering->ir;
    bool *packing = find_packing(lowering, parents);
    if (!packing)
        return false;
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const uint32_t joined = ir->nodes[i].value_count ? lowering->values[ir->nodes[i].value_first].joined : 0;
        if (joined)
            join_packing(parents, packing, i, joined - 1);
        else if (pod_tpu_is_reduction(ir->nodes[i].op) && pod_tpu_has(lowering, POD_TPU_JOINED_SUMS))
            join_reduction(lowering, parents, packing, i);
    }
    return true;
}

/* ---- kernels of which neither waits for the other ---------------------------------------------------------------- */

#define FARTHEST 4096 /* values looked at when asking what a kernel leads to */

/* Nodes of one kernel as rings. */
static uint32_t *make_rings(pod_tpu_lowering *lowering, uint32_t *parents)
{
    const uint32_t count = lowering->ir->node_count;
    uint32_t *next = pod_tpu_array(lowering, count, sizeof *next);
    for (uint32_t i = 0; next && i < count; i++)
        next[i] = i;
    for (uint32_t i = 0; next && i < count; i++) {
        const uint32_t head = pod_set_of(parents, i);
        if (head != i) {
            next[i] = next[head];
            next[head] = i;
        }
    }
    return next;
}

/* Has a walk come to all that the nodes of a kernel make. */
static void walk_to_ring(pod_tpu_walk *walk, const uint32_t *next, uint32_t node)
{
    const pod_tpu_lowering *lowering = walk->lowering;
    uint32_t at = node;
    if (lowering->ir->nodes[node].value_count > 0 &&
        lowering->stamps[lowering->ir->nodes[node].value_first] == lowering->stamp)
        return;
    do {
        const pod_ir_node *n = &lowering->ir->nodes[at];
        for (uint32_t j = 0; j < n->value_count; j++)
            pod_tpu_walk_to(walk, n->value_first + j);
        at = next[at];
    } while (at != node);
}

/* Tells whether the kernel of one node, or one that waits for it, makes what the kernel of another one reads; it may
 * be. */
static bool kernel_leads_to(pod_tpu_lowering *lowering, uint32_t *parents, const uint32_t *next, uint32_t from,
                            uint32_t to)
{
    uint32_t seen = 0;
    pod_ref value;
    pod_tpu_walk walk = pod_tpu_walk_begin(lowering);
    walk_to_ring(&walk, next, from);
    while (pod_tpu_walk_next(&walk, &value)) {
        const pod_tpu_value *v = &lowering->values[value];
        for (uint32_t i = 0; i < v->user_count; i++) {
            const uint32_t user = lowering->users[v->user_first + i];
            if (pod_set_of(parents, user) == pod_set_of(parents, to) || seen++ == FARTHEST)
                return true;
            walk_to_ring(&walk, next, user);
        }
    }
    return false;
}

/* Joins the kernels of two nodes, where neither waits for the other. */
static void join_apart(pod_tpu_lowering *lowering, uint32_t *parents, uint32_t *next, uint32_t a, uint32_t b)
{
    if (pod_set_of(parents, a) == pod_set_of(parents, b) || kernel_leads_to(lowering, parents, next, a, b) ||
        kernel_leads_to(lowering, parents, next, b, a))
        return;
    const uint32_t other = next[b];
    next[b] = next[a];
    next[a] = other;
    join(parents, a, b);
}

/* ---- two elementwise values of one 16-bit source are computed at once (R8) --------------------------------------- */

/* The value of 16 bits that one of so many elements is computed from; POD_REF_NONE where there is none. */
static pod_ref narrow_source(pod_tpu_lowering *lowering, const pod_ir_node *node, int64_t elements)
{
    pod_ref value, found = POD_REF_NONE;
    pod_tpu_sources sources = pod_tpu_sources_of(lowering, node);
    while (pod_tpu_next_source(&sources, &value)) {
        const pod_tpu_value *v = &lowering->values[value];
        if (v->stored && v->elements / 2 <= elements && v->elements >= elements &&
            pod_element_bits(v->type.element) == 16)
            found = value;
    }
    return found;
}

static bool join_twins(pod_tpu_lowering *lowering, uint32_t *parents)
{
    const pod_ir *ir = lowering->ir;
    uint32_t *twins = pod_tpu_array(lowering, ir->value_count, sizeof *twins), *next = make_rings(lowering, parents);
    if (!pod_tpu_has_memory(lowering))
        return false;
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ref value = ir->nodes[i].value_first;
        const pod_tpu_value *v = &lowering->values[value];
        if (lowering->kinds[i] != POD_TPU_KIND_ELEMENTWISE || !v->stored || v->of_product || v->mask || v->is_output)
            continue;
        const pod_ref source = narrow_source(lowering, &ir->nodes[i], v->elements);
        if (source == POD_REF_NONE)
            continue;
        const uint32_t twin = twins[source];
        twins[source] = i + 1;
        const pod_ref other = twin ? ir->nodes[twin - 1].value_first : value;
        if (twin && lowering->values[other].elements == v->elements)
            join_apart(lowering, parents, next, twin - 1, i);
    }
    return true;
}

/* ---- sums of what is computed from a value are made with elementwise values that are (R8) ------------------------ */

#define FEWEST_SHARED 1024 /* elements of what two loops over the same elements read */

/* A node + 1 that is computed from what another one is, as `last` has it by value, where that one is entered; 0: none.
 */
static uint32_t find_sibling(pod_tpu_lowering *lowering, uint32_t node, uint32_t *last)
{
    uint32_t found = 0;
    pod_ref value;
    pod_tpu_sources sources = pod_tpu_sources_of(lowering, &lowering->ir->nodes[node]);
    while (pod_tpu_next_source(&sources, &value)) {
        const pod_tpu_value *v = &lowering->values[value];
        if (!v->stored || v->elements < FEWEST_SHARED || pod_tpu_kind_of(lowering, value) == POD_TPU_KIND_LEAF)
            continue;
        found = last[value] ? last[value] : found;
        last[value] = node + 1;
    }
    return found;
}

/* The elements that a sum or an elementwise value is computed for, one after the other; 0 for all else. */
static int64_t loop_elements(const pod_tpu_lowering *lowering, uint32_t node)
{
    const pod_ir_node *n = &lowering->ir->nodes[node];
    const pod_tpu_value *v = &lowering->values[n->value_first];
    if (n->value_count != 1 || !v->stored || v->of_product || v->mask || v->is_output || v->scattered ||
        (v->before && v->joined))
        return 0;
    if (pod_tpu_is_reduction(n->op))
        return lowering->values[pod_tpu_inputs(lowering, n)[0]].elements;
    return lowering->kinds[node] == POD_TPU_KIND_ELEMENTWISE ? v->elements : 0;
}

static bool join_siblings(pod_tpu_lowering *lowering, uint32_t *parents)
{
    const pod_ir *ir = lowering->ir;
    uint32_t *last = pod_tpu_array(lowering, ir->value_count, sizeof *last), *next = make_rings(lowering, parents);
    if (!pod_tpu_has_memory(lowering))
        return false;
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const int64_t elements = loop_elements(lowering, i);
        const uint32_t found = elements < 2 ? 0 : find_sibling(lowering, i, last);
        if (found && loop_elements(lowering, found - 1) == elements &&
            pod_tpu_is_reduction(ir->nodes[i].op) != pod_tpu_is_reduction(ir->nodes[found - 1].op))
            join_apart(lowering, parents, next, found - 1, i);
    }
    return true;
}

/* ---- dots of vectors with one vector (R2, R8) -------------------------------------------------------------------- */

/* Tells whether sums alone are computed in a kernel. */
static bool only_sums(const pod_tpu_lowering *lowering, const uint32_t *next, uint32_t node)
{
    uint32_t at = node;
    do {
        if (!pod_tpu_is_reduction(lowering->ir->nodes[at].op))
            return false;
        at = next[at];
    } while (at != node);
    return true;
}

/* Sums over the same elements that an argument is a factor of are one kernel, as where a net ends in one number, and is
 * asked twice. */
static bool join_vector_dots(pod_tpu_lowering *lowering, uint32_t *parents)
{
    const pod_ir *ir = lowering->ir;
    uint32_t *last = pod_tpu_array(lowering, ir->value_count, sizeof *last), *next = make_rings(lowering, parents);
    if (!pod_tpu_has_memory(lowering))
        return false;
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const int64_t elements = pod_tpu_is_reduction(ir->nodes[i].op) ? loop_elements(lowering, i) : 0;
        pod_ref value;
        if (elements < 2 || !only_sums(lowering, next, i))
            continue;
        pod_tpu_sources sources = pod_tpu_sources_of(lowering, &ir->nodes[i]);
        while (pod_tpu_next_source(&sources, &value)) {
            const uint32_t other = last[value];
            if (lowering->values[value].elements < 2 || pod_tpu_kind_of(lowering, value) != POD_TPU_KIND_LEAF)
                continue;
            last[value] = i + 1;
            if (other && loop_elements(lowering, other - 1) == elements && only_sums(lowering, next, other - 1)) {
                join_apart(lowering, parents, next, other - 1, i);
                break;
            }
        }
    }
    return true;
}

/* ---- what loops start from, as the counters of random bits (R8) -------------------------------------------------- */

/* Tells whether a value is such a start: several of one size are made at once. */
static bool is_counter(pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    const pod_dtype dtype = lowering->ir->values[value].dtype;
    if (!v->stored || v->is_output || v->elements < 2 || (dtype != POD_U32 && dtype != POD_U64) ||
        pod_tpu_kind_of(lowering, value) != POD_TPU_KIND_ELEMENTWISE || !pod_tpu_has(lowering, POD_TPU_JOINED_COUNTERS))
        return false;
    pod_tpu_sources sources = pod_tpu_sources_of(lowering, pod_tpu_maker(lowering, value));
    while (pod_tpu_next_source(&sources, &value))
        if (pod_tpu_kind_of(lowering, value) != POD_TPU_KIND_CONSTANT && lowering->values[value].elements > 1)
            return false;
    return true;
}

static void join_counters(pod_tpu_lowering *lowering, uint32_t *parents)
{
    const pod_ir *ir = lowering->ir;
    uint32_t heads[16] = {0}, count = 0; /* the first node of a size */
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ref *inputs = pod_tpu_inputs(lowering, &ir->nodes[i]);
        for (uint32_t j = 0; ir->nodes[i].op == POD_OP_WHILE && j < ir->nodes[i].input_count; j++) {
            const pod_ref value = pod_tpu_root(lowering, inputs[j]);
            if (!is_counter(lowering, value))
                continue;
            const uint32_t node = ir->values[value].node;
            uint32_t at = 0;
            while (at < count &&
                   lowering->values[ir->nodes[heads[at]].value_first].elements != lowering->values[value].elements)
                at++;
            if (at == count && count < 16)
                heads[count++] = node;
            else if (at < count && !pod_tpu_leads_to(lowering, ir->nodes[heads[at]].value_first, node))
                join(parents, heads[at], node);
        }
    }
}

bool pod_tpu_pass_joins(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    const uint32_t count = ir->node_count;
    uint32_t *parents = pod_tpu_array(lowering, count, sizeof *parents);
    if (!parents)
        return pod_tpu_no_memory(lowering);
    for (uint32_t i = 0; i < count; i++)
        parents[i] = i;
    for (uint32_t i = 0; i < count; i++)
        if (pod_tpu_is_product(ir->nodes[i].op) && !lowering->values[ir->nodes[i].value_first].stored &&
            lowering->values[ir->nodes[i].value_first].only_outputs && !lowering->pairs[ir->nodes[i].value_first].part)
            join_updates(lowering, parents, i);
    for (uint32_t i = 0; i < count && pod_tpu_has(lowering, POD_TPU_TABLE_UPDATES); i++)
        join_table_updates(lowering, parents, i);
    for (uint32_t i = 0; i < count; i++)
        if (ir->nodes[i].value_count > 0 && lowering->values[ir->nodes[i].value_first].mask &&
            pod_tpu_has(lowering, POD_TPU_JOINED_MASKS))
            join_mask(lowering, parents, i);
    if (!join_sums(lowering, parents))
        return pod_tpu_no_memory(lowering);
    for (uint32_t i = 0; i < count && pod_tpu_has(lowering, POD_TPU_JOINED_OUTPUTS); i++)
        join_outputs(lowering, parents, i);
    join_counters(lowering, parents);
    if ((pod_tpu_has(lowering, POD_TPU_TWINS) && !join_twins(lowering, parents)) ||
        (pod_tpu_has(lowering, POD_TPU_SIBLINGS) && !join_siblings(lowering, parents)) ||
        (pod_tpu_has(lowering, POD_TPU_VECTOR_DOTS) && !join_vector_dots(lowering, parents)))
        return false;
    for (uint32_t i = 0; i < count; i++)
        parents[i] = pod_set_of(parents, i);
    lowering->leaders = parents;
    return true;
}
