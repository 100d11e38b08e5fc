/* heap - see lowering.h: where buffers lie in HBM (R10b, R11). */

#include "tpu/lowering.h"

#include "base/error.h"

#include <string.h>

static bool takes_heap(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    return v->stored && !v->free && v->storage == value && !lowering->on_chip[value];
}

/* ---- buffers that are taken over ------------------------------------------------------------------------- */

static bool dies_in(const pod_tpu_lowering *lowering, pod_ref value, int32_t step)
{
    const pod_tpu_value *v = &lowering->values[value];
    return v->stored && !v->free && lowering->kinds[lowering->ir->values[value].node] != POD_TPU_KIND_LEAF &&
           lowering->last_step[v->storage] == step;
}

static void take_over(pod_tpu_lowering *lowering, pod_ref result, pod_ref from)
{
    const pod_ref storage = lowering->values[from].storage;
    lowering->values[result].storage = storage;
    lowering->last_step[storage] = lowering->last_step[result];
}

/* Whether a loop's result that it did not change is where its operand is. */
static bool stays(const pod_tpu_lowering *lowering, pod_ref from, pod_ref result)
{
    const pod_tpu_value *v = &lowering->values[from], *made = &lowering->values[result];
    return v->stored && !v->free && made->stored && !made->free && !made->is_output &&
           lowering->kinds[lowering->ir->values[from].node] != POD_TPU_KIND_LEAF &&
           v->bytes.padded == made->bytes.padded;
}

static void lengthen(pod_tpu_lowering *lowering, pod_ref storage, int32_t step)
{
    if (step > lowering->last_step[storage])
        lowering->last_step[storage] = step;
}

/* Updates and loops work in the buffers of their operands. */
static void update_in_place(pod_tpu_lowering *lowering, const pod_ir_node *node, int32_t step)
{
    const bool all = node->op == POD_OP_WHILE;
    const bool first = node->op == POD_OP_SCATTER || node->op == POD_OP_DYNAMIC_UPDATE_SLICE;
    for (uint32_t i = 0; i < node->value_count && (all || (first && i == 0)); i++) {
        const pod_ref from = pod_tpu_root(lowering, pod_tpu_inputs(lowering, node)[i]);
        const pod_ref result = node->value_first + i;
        if (lowering->values[result].invariant && stays(lowering, from, result)) {
            lowering->values[result].storage = lowering->values[from].storage;
            lengthen(lowering, lowering->values[from].storage, lowering->last_step[result]);
        } else if (lowering->values[result].stored && !lowering->values[result].free && dies_in(lowering, from, step) &&
                   lowering->values[from].bytes.padded == lowering->values[result].bytes.padded)
            take_over(lowering, result, from);
    }
}

/* Whether ops that are computed in a value's kernel lead from another value to it, an element for an element. */
static bool leads_elementwise(pod_tpu_lowering *lowering, pod_ref from, pod_ref to)
{
    const uint32_t stamp = ++lowering->stamp;
    uint32_t count = 0;
    const pod_ir_node *node = pod_tpu_maker(lowering, to);
    for (;;) {
        const pod_ref *inputs = pod_tpu_inputs(lowering, node);
        for (uint32_t i = 0; i < node->input_count; i++) {
            const pod_tpu_value *v = &lowering->values[inputs[i]];
            const pod_ir_node *maker = pod_tpu_maker(lowering, inputs[i]);
            if (inputs[i] == from)
                return true;
            if (lowering->stamps[inputs[i]] == stamp || v->stored || v->elements != lowering->values[from].elements ||
                (pod_tpu_kind_of(lowering, inputs[i]) != POD_TPU_KIND_ELEMENTWISE && maker->op != POD_OP_RESHAPE))
                continue;
            lowering->stamps[inputs[i]] = stamp;
            lowering->stack[count++] = inputs[i];
        }
        if (count == 0)
            return false;
        node = pod_tpu_maker(lowering, lowering->stack[--count]);
    }
}

typedef struct sought {
    pod_ref value;
    bool found;
} sought;

static void seek(pod_tpu_lowering *lowering, pod_ref value, void *context)
{
    sought *s = context;
    (void)lowering;
    s->found = s->found || value == s->value;
}

#define MOST_NESTED 8 /* products that are computed with a value */

/* Whether a product that is computed with a value reads another one: it needs more of that than an element for an
 * element. */
static bool is_read_by_product(pod_tpu_lowering *lowering, pod_ref from, pod_ref to)
{
    const uint32_t stamp = ++lowering->stamp;
    const pod_ir_node *products[MOST_NESTED], *node = pod_tpu_maker(lowering, to);
    uint32_t count = 0, found = 0;
    sought s = {.value = from};
    for (;;) {
        const pod_ref *inputs = pod_tpu_inputs(lowering, node);
        if (pod_tpu_is_product(node->op) && found < MOST_NESTED)
            products[found++] = node;
        for (uint32_t i = 0; i < node->input_count && !pod_tpu_is_product(node->op); i++) {
            if (lowering->stamps[inputs[i]] == stamp || lowering->values[inputs[i]].stored ||
                pod_tpu_kind_of(lowering, inputs[i]) == POD_TPU_KIND_LEAF)
                continue;
            lowering->stamps[inputs[i]] = stamp;
            lowering->stack[count++] = inputs[i];
        }
        if (count == 0)
            break;
        node = pod_tpu_maker(lowering, lowering->stack[--count]);
    }
    for (uint32_t i = 0; i < found && !s.found; i++)
        pod_tpu_visit_sources(lowering, products[i], seek, &s);
    return s.found;
}

/* Whether rows are summed of what is computed from a value, an element from an element. */
static bool rows_are_reduced(const pod_tpu_lowering *lowering, pod_ref value, uint32_t depth)
{
    const pod_tpu_value *v = &lowering->values[value];
    for (uint32_t i = 0; i < v->user_count && depth < 8; i++) {
        const uint32_t user = lowering->users[v->user_first + i];
        const pod_ir_node *node = &lowering->ir->nodes[user];
        const pod_tpu_value *made = &lowering->values[node->value_first];
        const int32_t last = lowering->ir->values[value].shape->rank - 1;
        for (int32_t j = 0; pod_tpu_is_reduction(node->op) && j < node->attributes->axes.count; j++)
            if (node->attributes->axes.axes[j] == last)
                return true;
        if (lowering->kinds[user] == POD_TPU_KIND_ELEMENTWISE && !made->stored && made->elements == v->elements &&
            rows_are_reduced(lowering, node->value_first, depth + 1))
            return true;
    }
    return false;
}

/* Whether a value is one of several results: those that its kernel has, or sums of its rows that a dot makes with it.
 */
static bool is_one_of_several(const pod_tpu_lowering *lowering, pod_ref value, const uint32_t *makers)
{
    const uint32_t product = lowering->values[value].product;
    return lowering->kernels[makers[value]].result_count > 1 ||
           (product && lowering->ir->nodes[product - 1].op == POD_OP_DOT && rows_are_reduced(lowering, value, 0));
}

/* Whether all that a kernel makes is elementwise. */
static bool is_elementwise(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel)
{
    bool all = true;
    for (uint32_t i = 0; i < kernel->result_count; i++)
        all = all && pod_tpu_kind_of(lowering, lowering->results[kernel->result_first + i]) == POD_TPU_KIND_ELEMENTWISE;
    return all;
}

/* A result takes over the buffer of an equal operand that ends there, that no other kernel has read (but for lookups in
 * a table's copy), that is all its kernel made, and from which elementwise ops lead to it. Of several results only
 * those of products do, and those of kernels that make elementwise values alone. */
static void overwrite_operand(pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel, pod_ref result,
                              const uint32_t *readers, const uint32_t *makers, int32_t step)
{
    const pod_tpu_value *made = &lowering->values[result];
    if (kernel->result_count > 1 && kernel->work.flops <= 0 && !is_elementwise(lowering, kernel))
        return;
    if (made->free || !made->stored || pod_tpu_kind_of(lowering, result) != POD_TPU_KIND_ELEMENTWISE)
        return;
    for (uint32_t i = 0; i < kernel->read_count; i++) {
        const pod_ref read = lowering->reads[kernel->read_first + i];
        const pod_tpu_value *there = &lowering->values[read];
        if ((readers[read] == 1 || there->held) && !lowering->on_chip[there->storage] &&
            dies_in(lowering, read, step) && there->bytes.padded == made->bytes.padded &&
            there->elements == made->elements && there->type.element == made->type.element &&
            !is_one_of_several(lowering, read, makers) && leads_elementwise(lowering, read, result) &&
            !is_read_by_product(lowering, read, result)) {
            take_over(lowering, result, read);
            return;
        }
    }
}

static void overwrite_operands(pod_tpu_lowering *lowering, uint32_t *readers, uint32_t *makers)
{
    for (uint32_t k = 0; k < lowering->kernel_count; k++)
        for (uint32_t i = 0; i < lowering->kernels[k].result_count; i++)
            makers[lowering->results[lowering->kernels[k].result_first + i]] = k;
    for (uint32_t i = 0; i < lowering->read_count; i++)
        readers[lowering->reads[i]]++;
    for (uint32_t step = 0; step < lowering->kernel_count; step++) {
        const pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[step]];
        for (uint32_t i = 0; i < kernel->result_count; i++) {
            const pod_ref result = lowering->results[kernel->result_first + i];
            if (takes_heap(lowering, result))
                overwrite_operand(lowering, kernel, result, readers, makers, (int32_t)step);
        }
    }
    for (pod_ref value = 0; value < lowering->ir->value_count; value++) {
        pod_tpu_value *v = &lowering->values[value];
        while (lowering->values[v->storage].storage != v->storage)
            v->storage = lowering->values[v->storage].storage;
    }
}

/* ---- R11: the heap ---------------------------------------------------------------------------------------- */

typedef struct hole {
    int64_t offset, bytes;
} hole;

typedef struct heap {
    hole *holes; /* ascending, apart from each other */
    uint32_t count;
    int64_t top; /* the end of what was ever used */
    int64_t end; /* of the last block */
} heap;

/* The smallest hole that fits, else the end. */
static bool heap_take(heap *h, int64_t bytes, int64_t *offset)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < h->count; i++)
        if (h->holes[i].bytes >= bytes && (best == UINT32_MAX || h->holes[i].bytes < h->holes[best].bytes))
            best = i;
    if (best == UINT32_MAX) {
        *offset = h->end;
        if (__builtin_add_overflow(h->end, bytes, &h->end))
            return false;
        h->top = h->end > h->top ? h->end : h->top;
        return true;
    }
    *offset = h->holes[best].offset;
    h->holes[best].offset += bytes;
    h->holes[best].bytes -= bytes;
    if (h->holes[best].bytes == 0) {
        h->count--;
        memmove(&h->holes[best], &h->holes[best + 1], (h->count - best) * sizeof *h->holes);
    }
    return true;
}

static void heap_give(heap *h, int64_t offset, int64_t bytes)
{
    uint32_t at = 0;
    while (at < h->count && h->holes[at].offset < offset)
        at++;
    memmove(&h->holes[at + 1], &h->holes[at], (h->count - at) * sizeof *h->holes);
    h->holes[at] = (hole){offset, bytes};
    h->count++;
    if (at + 1 < h->count && offset + bytes == h->holes[at + 1].offset) {
        h->holes[at].bytes += h->holes[at + 1].bytes;
        h->count--;
        memmove(&h->holes[at + 1], &h->holes[at + 2], (h->count - at - 1) * sizeof *h->holes);
    }
    if (at > 0 && h->holes[at - 1].offset + h->holes[at - 1].bytes == offset) {
        h->holes[at - 1].bytes += h->holes[at].bytes;
        h->count--;
        memmove(&h->holes[at], &h->holes[at + 1], (h->count - at) * sizeof *h->holes);
    }
    if (h->count && h->holes[h->count - 1].offset + h->holes[h->count - 1].bytes == h->end) {
        h->end = h->holes[--h->count].offset;
    }
}

/* Values by the step in which they are freed, as lists. */
typedef struct deaths {
    uint32_t *first, *next;
} deaths;

static bool list_deaths(pod_tpu_lowering *lowering, deaths *d)
{
    d->first = pod_arena_array(lowering->arena, lowering->kernel_count, sizeof *d->first);
    d->next = pod_arena_array(lowering->arena, lowering->ir->value_count, sizeof *d->next);
    if (!d->first || !d->next)
        return pod_tpu_no_memory(lowering);
    for (uint32_t i = 0; i < lowering->kernel_count; i++)
        d->first[i] = POD_REF_NONE;
    for (uint32_t i = lowering->result_count; i-- > 0;) {
        const pod_ref value = lowering->results[i];
        if (takes_heap(lowering, value)) {
            d->next[value] = d->first[lowering->last_step[value]];
            d->first[lowering->last_step[value]] = value;
        }
    }
    return true;
}

/* Of the results of a kernel those that end first are placed first, then small ones before large ones. */
static void sort_results(pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel)
{
    uint32_t *results = &lowering->results[kernel->result_first];
    for (uint32_t i = 1; i < kernel->result_count; i++) {
        const uint32_t value = results[i];
        const int64_t bytes = lowering->values[value].bytes.padded;
        const int32_t last = lowering->last_step[value];
        uint32_t at = i;
        for (; at > 0 && (lowering->last_step[results[at - 1]] > last ||
                          (lowering->last_step[results[at - 1]] == last &&
                           lowering->values[results[at - 1]].bytes.padded > bytes));
             at--)
            results[at] = results[at - 1];
        results[at] = value;
    }
}

/* Takes room for what a kernel made that is in HBM from a step on: the one that makes it, or, where it was on the chip
 * first, the next. */
static bool take_results(pod_tpu_lowering *lowering, heap *h, const pod_tpu_kernel *kernel, int32_t step)
{
    for (uint32_t i = 0; i < kernel->result_count; i++) {
        const pod_ref value = lowering->results[kernel->result_first + i];
        const int64_t bytes = lowering->values[value].bytes.padded;
        if (takes_heap(lowering, value) && bytes > 0 && lowering->first_step[value] == step &&
            !heap_take(h, bytes, &lowering->offsets[value]))
            return false;
    }
    return true;
}

/* Fills the heap in the order of the schedule. */
static bool fill(pod_tpu_lowering *lowering, heap *h, const deaths *d)
{
    for (uint32_t step = 0; step < lowering->kernel_count; step++) {
        const pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[step]];
        sort_results(lowering, kernel);
        if ((step > 0 && !take_results(lowering, h, &lowering->kernels[lowering->order[step - 1]], (int32_t)step)) ||
            !take_results(lowering, h, kernel, (int32_t)step))
            return false;
        int64_t scratch = 0;
        if (kernel->scratch > 0 && !heap_take(h, kernel->scratch, &scratch))
            return false;
        for (uint32_t value = d->first[step]; value != POD_REF_NONE; value = d->next[value])
            if (lowering->values[value].bytes.padded > 0)
                heap_give(h, lowering->offsets[value], lowering->values[value].bytes.padded);
        if (kernel->scratch > 0)
            heap_give(h, scratch, kernel->scratch);
    }
    return true;
}

void pod_tpu_update_in_place(pod_tpu_lowering *lowering)
{
    for (uint32_t step = 0; step < lowering->kernel_count; step++)
        update_in_place(lowering, &lowering->ir->nodes[lowering->kernels[lowering->order[step]].node], (int32_t)step);
}

bool pod_tpu_fill_heap(pod_tpu_lowering *lowering)
{
    deaths d;
    heap h = {0};
    uint32_t *readers = pod_arena_array(lowering->arena, lowering->ir->value_count, sizeof *readers);
    uint32_t *makers = pod_arena_array(lowering->arena, lowering->ir->value_count, sizeof *makers);
    if (!readers || !makers)
        return pod_tpu_no_memory(lowering);
    overwrite_operands(lowering, readers, makers);
    lowering->offsets = pod_arena_array(lowering->arena, lowering->ir->value_count, sizeof *lowering->offsets);
    h.holes = pod_arena_array(lowering->arena, (size_t)lowering->result_count + 3, sizeof *h.holes);
    if (!lowering->offsets || !h.holes || !list_deaths(lowering, &d))
        return pod_tpu_no_memory(lowering);
    memset(lowering->offsets, 0xff, lowering->ir->value_count * sizeof *lowering->offsets);
    if (!fill(lowering, &h, &d)) {
        (void)!pod_error_set(lowering->error, POD_ERROR_SHAPE,
                             "the temporaries of the graph take more than 2^63 - 1 bytes");
        return false;
    }
    lowering->temp_bytes = h.top;
    return true;
}
