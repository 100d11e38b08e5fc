/*
 * anew - see passes.def: what several kernels read is stored, or computed anew in each of them (R8).
 *
 * A value that is computed from I bytes, has O bytes and is read by k kernels is stored if they all would read more
 * otherwise: k I > I + O + k O. Values are looked at one after the other, first those of which most is won by not
 * storing them: until it is decided, a value counts as one that is stored. */

#include "tpu/passes.h"
#include "tpu/walks.h"

#include <math.h>

#define FEWEST_ELEMENTS 1024 /* of a value that is worth a look */
#define MOST_READERS    64   /* kernels; more of them decide as these do */
#define MOST_SOURCES    64   /* that a value is computed from: what takes more is stored */
#define MOST_OPS        1000 /* ops looked at from a value: what takes more is stored */
#define MOST_SWEEPS     8    /* over what has not been decided */

typedef struct decisions {
    pod_tpu_lowering *lowering;
    bool *open;     /* of values: not decided yet */
    pod_ref *queue; /* a heap: the most is won by the first */
    double *won;    /* of values: bytes, by not storing them */
    uint32_t count;
    uint32_t *read_by; /* of values: the walk that found it last */
    pod_ref *made;     /* of nodes: what its kernel makes */
} decisions;

/* ---- the queue --------------------------------------------------------------------------------------------- */

static bool comes_before(const decisions *d, pod_ref a, pod_ref b)
{
    return d->won[a] != d->won[b] ? d->won[a] > d->won[b] : a < b;
}

static void push(decisions *d, pod_ref value)
{
    uint32_t at = d->count++;
    while (at > 0 && comes_before(d, value, d->queue[(at - 1) / 2])) {
        d->queue[at] = d->queue[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    d->queue[at] = value;
}

static pod_ref pop(decisions *d)
{
    const pod_ref first = d->queue[0], last = d->queue[--d->count];
    uint32_t at = 0;
    for (uint32_t child = 1; child < d->count; child = 2 * at + 1) {
        if (child + 1 < d->count && comes_before(d, d->queue[child + 1], d->queue[child]))
            child++;
        if (!comes_before(d, d->queue[child], last))
            break;
        d->queue[at] = d->queue[child];
        at = child;
    }
    d->queue[at] = last;
    return first;
}

/* ---- what a value is computed from, and what reads it -------------------------------------------------------- */

static double bytes_of(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_element element = pod_element_from_dtype(lowering->ir->values[value].dtype);
    const double elements = (double)lowering->values[value].elements;
    return elements * (lowering->values[value].packed ? 1 : pod_element_bits(element)) / 8;
}

/* Walks from a node through what is computed with it to what is read from memory, and stamps that in `read_by`: slices
 * of a value each, other values as a whole. Returns how many of them are listed, up to MOST_SOURCES; more than that
 * where there are more, or many ops; 0 where the node is in a product's kernel and `alone` is set. */
static uint32_t list_sources(decisions *d, const pod_ir_node *node, bool alone, pod_ref *sources)
{
    pod_tpu_lowering *lowering = d->lowering;
    uint32_t seen = 0, found = 0;
    pod_tpu_walk walk = pod_tpu_walk_begin(lowering);
    do {
        const pod_ref *inputs = pod_tpu_inputs(lowering, node);
        const bool slices = node->op == POD_OP_SLICE || node->op == POD_OP_DYNAMIC_SLICE;
        for (uint32_t i = 0; i < node->input_count; i++) {
            const pod_ref read = inputs[i];
            const pod_tpu_kind kind = pod_tpu_kind_of(lowering, read);
            const bool there = lowering->values[read].stored || d->open[read] || kind == POD_TPU_KIND_LEAF;
            const pod_ref source = there && slices && i == 0 ? node->value_first : read;
            if (kind == POD_TPU_KIND_CONSTANT)
                continue;
            if (there && d->read_by[source] != lowering->stamp) {
                d->read_by[source] = lowering->stamp;
                if (found == MOST_SOURCES)
                    return MOST_SOURCES + 1;
                sources[found++] = source;
            }
            if (there || lowering->stamps[read] == lowering->stamp)
                continue;
            if (alone && (kind == POD_TPU_KIND_COMPUTE || kind == POD_TPU_KIND_BARRIER))
                return 0;
            if (++seen > MOST_OPS)
                return MOST_SOURCES + 1;
            pod_tpu_walk_to(&walk, read);
        }
    } while (pod_tpu_walk_next_maker(&walk, &node));
    return found;
}

/* The node of the kernel in which a node that reads a value computes; UINT32_MAX where that is not decided by it. */
static uint32_t kernel_of(const decisions *d, uint32_t node)
{
    const pod_tpu_lowering *lowering = d->lowering;
    const pod_ref made = lowering->ir->nodes[node].value_first;
    const pod_tpu_value *v = &lowering->values[made];
    if (lowering->kinds[node] == POD_TPU_KIND_COMPUTE || lowering->ir->nodes[node].value_count != 1)
        return node;
    if (!v->stored && !d->open[made])
        return UINT32_MAX;
    return v->of_product && v->product ? v->product - 1 : node;
}

/* The nodes of the kernels that read a value, up to MOST_READERS. */
static uint32_t list_readers(const decisions *d, pod_ref value, uint32_t *kernels)
{
    pod_tpu_lowering *lowering = d->lowering;
    uint32_t found = 0, seen = 0, user;
    pod_tpu_uses uses = pod_tpu_uses_of(lowering, value);
    while (pod_tpu_next_use(&uses, &user)) {
        const uint32_t kernel = kernel_of(d, user);
        uint32_t at = 0;
        while (kernel != UINT32_MAX && at < found && kernels[at] != kernel)
            at++;
        if (kernel != UINT32_MAX && at == found)
            kernels[found++] = kernel;
        if (found == MOST_READERS || ++seen == MOST_OPS)
            return found;
        if (kernel == UINT32_MAX)
            pod_tpu_walk_to(&uses.walk, lowering->ir->nodes[user].value_first);
    }
    return found;
}

/* Tells whether a kernel also makes something that a value is computed from: then it does not read the value. */
static bool makes_source(const pod_tpu_lowering *lowering, uint32_t kernel, const pod_ref *sources, uint32_t count)
{
    bool makes = false;
    for (uint32_t i = 0; i < count; i++)
        makes = makes || lowering->values[sources[i]].joined == kernel + 1;
    return makes;
}

/* The bytes that are not moved where a value is not stored: less than none where it is better stored. A reader reads
 * what it is computed from, but for what it reads anyway, in its place. */
static double measure_won(decisions *d, pod_ref value)
{
    const pod_tpu_lowering *lowering = d->lowering;
    uint32_t kernels[MOST_READERS];
    pod_ref sources[MOST_SOURCES], others[MOST_SOURCES];
    const uint32_t readers = list_readers(d, value, kernels);
    if (readers < 2)
        return INFINITY;
    const uint32_t count = list_sources(d, pod_tpu_maker(lowering, value), true, sources);
    if (count > MOST_SOURCES)
        return -INFINITY;
    const double own = bytes_of(lowering, value);
    double won = count > 0 ? own * (1 + readers) : INFINITY;
    for (uint32_t i = 0; i < count; i++)
        won += bytes_of(lowering, sources[i]);
    for (uint32_t k = 0; k < readers; k++) {
        const pod_ref made = d->made[kernels[k]];
        if (makes_source(lowering, kernels[k], sources, count)) {
            won -= own;
            continue;
        }
        list_sources(d, pod_tpu_maker(lowering, made), false, others);
        const uint32_t stamp = lowering->stamp;
        for (uint32_t i = 0; i < count; i++)
            won -= d->read_by[sources[i]] == stamp ? 0 : bytes_of(lowering, sources[i]);
    }
    return won;
}

/* ---- decisions ------------------------------------------------------------------------------------------------ */

static bool is_open(const pod_tpu_lowering *lowering, uint32_t index)
{
    const pod_ir_node *node = &lowering->ir->nodes[index];
    const pod_tpu_value *v = &lowering->values[node->value_first];
    if (lowering->kinds[index] != POD_TPU_KIND_ELEMENTWISE || node->value_count != 1 || v->stored || v->is_output ||
        v->only_outputs || v->mask || v->elements < FEWEST_ELEMENTS || v->user_count == 0)
        return false;
    if (pod_tpu_converts(node)) {
        const pod_dtype from = lowering->ir->values[pod_tpu_inputs(lowering, node)[0]].dtype;
        if (pod_dtype_size(from) <= pod_dtype_size(lowering->ir->values[node->value_first].dtype))
            return false;
    }
    return v->user_count > 1 || lowering->kinds[lowering->users[v->user_first]] != POD_TPU_KIND_ELEMENTWISE;
}

bool pod_tpu_pass_anew(pod_tpu_lowering *lowering)
{
    if (!pod_tpu_has(lowering, POD_TPU_OFTEN_READ))
        return true;
    const pod_ir *ir = lowering->ir;
    decisions d = {.lowering = lowering,
                   .open = pod_tpu_array(lowering, ir->value_count, sizeof *d.open),
                   .queue = pod_tpu_array(lowering, ir->value_count, sizeof *d.queue),
                   .won = pod_tpu_array(lowering, ir->value_count, sizeof *d.won),
                   .read_by = pod_tpu_array(lowering, ir->value_count, sizeof *d.read_by),
                   .made = pod_tpu_array(lowering, ir->node_count, sizeof *d.made)};
    if (!pod_tpu_has_memory(lowering))
        return false;
    for (uint32_t i = 0; i < ir->node_count; i++) {
        const pod_ref value = ir->nodes[i].value_first;
        d.open[value] = is_open(lowering, i);
        d.made[i] = value;
        if (lowering->values[value].of_product && lowering->values[value].product)
            d.made[lowering->values[value].product - 1] = value;
    }
    bool changed = true;
    for (int sweep = 0; sweep < MOST_SWEEPS && changed; sweep++) {
        changed = false;
        d.count = 0;
        for (uint32_t v = 0; v < ir->value_count; v++)
            if (d.open[v]) {
                d.won[v] = measure_won(&d, v);
                push(&d, v);
            }
        while (d.count > 0 && d.won[d.queue[0]] >= 0) {
            const pod_ref value = pop(&d);
            const double won = measure_won(&d, value);
            if (won >= d.won[value] || (won >= 0 && (d.count == 0 || won >= d.won[d.queue[0]]))) {
                d.open[value] = false;
                changed = true;
            } else {
                d.won[value] = won;
                push(&d, value);
            }
        }
    }
    for (uint32_t v = 0; v < ir->value_count; v++)
        if (d.open[v])
            lowering->values[v].stored = true;
    return true;
}
