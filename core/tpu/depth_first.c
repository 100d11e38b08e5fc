/* depth_first - see lowering.h: the order that makes what a kernel reads right before it (R10). */

#include "tpu/lowering.h"

#include <stdlib.h>

/* The measure by which operands are made in order: the readers that kernels and arguments behind one have besides one
 * each, then their bytes. */
typedef struct branch {
    uint32_t kernel;
    int64_t readers;
    double bytes;
} branch;

typedef struct search {
    pod_tpu_lowering *lowering;
    uint32_t *maker; /* of values: the kernel + 1 that makes it */
    pod_tpu_readers readers;
    branch *branches; /* of kernels */
    branch *children;
    uint32_t *stack;
    uint8_t *state; /* of kernels: 1 what it waits for is on the stack, 2 done */
    uint32_t *order;
    uint32_t depth, count;
    double made; /* bytes of all kernels so far */
} search;

/* Many readers come first, then many bytes. */
static int compare_branches(const void *left, const void *right)
{
    const branch *a = left, *b = right;
    if (a->readers != b->readers)
        return a->readers > b->readers ? -1 : 1;
    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    return a->kernel < b->kernel ? -1 : a->kernel > b->kernel;
}

bool pod_tpu_list_readers(pod_tpu_lowering *lowering, pod_tpu_readers *r)
{
    const uint32_t values = lowering->ir->value_count;
    r->first = pod_tpu_array(lowering, values + 2, sizeof *r->first);
    r->list = pod_tpu_array(lowering, lowering->read_count + 1, sizeof *r->list);
    r->writer = pod_tpu_array(lowering, values, sizeof *r->writer);
    if (!pod_tpu_has_memory(lowering))
        return false;
    for (uint32_t i = 0; i < lowering->read_count; i++)
        r->first[lowering->reads[i] + 2]++;
    for (uint32_t v = 0; v < values; v++)
        r->first[v + 2] += r->first[v + 1];
    for (uint32_t k = 0; k < lowering->kernel_count; k++) {
        const pod_tpu_kernel *kernel = &lowering->kernels[k];
        for (uint32_t i = 0; i < kernel->read_count; i++)
            r->list[r->first[lowering->reads[kernel->read_first + i] + 1]++] = k;
        for (uint32_t i = 0; i < kernel->result_count; i++) {
            const pod_tpu_value *value = &lowering->values[lowering->results[kernel->result_first + i]];
            if (value->is_output && value->alias > 0)
                r->writer[lowering->ir->parameters[value->alias - 1]] = k + 1;
        }
    }
    return true;
}

bool pod_tpu_is_kernel_read(const pod_tpu_lowering *lowering, const pod_tpu_readers *readers,
                            const pod_tpu_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->result_count; i++)
        if (pod_tpu_reader_count(readers, lowering->results[kernel->result_first + i]) > 0)
            return true;
    return false;
}

static bool prepare(search *s)
{
    pod_tpu_lowering *lowering = s->lowering;
    const uint32_t kernels = lowering->kernel_count, edges = 2 * lowering->read_count + 2 * kernels + 1;
    s->maker = pod_tpu_array(lowering, lowering->ir->value_count, sizeof *s->maker);
    s->branches = pod_tpu_array(lowering, kernels, sizeof *s->branches);
    s->children = pod_tpu_array(lowering, edges, sizeof *s->children);
    s->stack = pod_tpu_array(lowering, edges, sizeof *s->stack);
    s->state = pod_tpu_array(lowering, kernels, sizeof *s->state);
    s->order = pod_tpu_array(lowering, kernels, sizeof *s->order);
    if (!pod_tpu_list_readers(lowering, &s->readers))
        return false;
    for (uint32_t k = 0; k < kernels; k++)
        for (uint32_t i = 0; i < lowering->kernels[k].result_count; i++)
            s->maker[lowering->results[lowering->kernels[k].result_first + i]] = k + 1;
    return true;
}

/* Kernels come after what they read: a kernel's branch is what it makes and the branches of that. */
static void weigh(search *s, uint32_t k)
{
    const pod_tpu_lowering *lowering = s->lowering;
    const pod_tpu_kernel *kernel = &lowering->kernels[k];
    branch *own = &s->branches[k];
    const int64_t most = (int64_t)lowering->kernel_count + lowering->ir->parameter_count + lowering->result_count;
    int64_t users = 0;
    *own = (branch){.kernel = k};
    for (uint32_t i = 0; i < kernel->result_count; i++) {
        const pod_ref value = lowering->results[kernel->result_first + i];
        own->bytes += (double)lowering->values[value].bytes.padded;
        users += pod_tpu_reader_count(&s->readers, value) + lowering->values[value].is_output;
    }
    s->made += own->bytes;
    own->readers = users > 1 ? users - 1 : 0;
    for (uint32_t i = 0; i < kernel->read_count; i++) {
        const pod_ref read = lowering->reads[kernel->read_first + i];
        if (s->maker[read]) {
            own->readers += s->branches[s->maker[read] - 1].readers;
            own->bytes += s->branches[s->maker[read] - 1].bytes;
        } else {
            const uint32_t readers = pod_tpu_reader_count(&s->readers, read);
            own->readers += readers > 1 ? readers - 1 : 0;
            own->bytes += (double)lowering->values[read].bytes.padded;
        }
    }
    if (own->readers > most)
        own->readers = most;
    if (own->bytes > s->made)
        own->bytes = s->made;
}

static void push_children(search *s, uint32_t count)
{
    qsort(s->children, count, sizeof *s->children, compare_branches);
    for (uint32_t i = count; i-- > 0;)
        s->stack[s->depth++] = s->children[i].kernel;
}

/* Puts on the stack what a kernel waits for: the makers of what it reads; where it writes a parameter's
 * buffer, what else reads that parameter. */
static void enter(search *s, uint32_t k)
{
    const pod_tpu_lowering *lowering = s->lowering;
    const pod_tpu_kernel *kernel = &lowering->kernels[k];
    uint32_t count = 0;
    s->state[k] = 1;
    for (uint32_t i = 0; i < kernel->read_count; i++) {
        const uint32_t maker = s->maker[lowering->reads[kernel->read_first + i]];
        if (maker && s->state[maker - 1] == 0)
            s->children[count++] = s->branches[maker - 1];
    }
    for (uint32_t i = 0; i < kernel->result_count && !pod_tpu_is_kernel_read(lowering, &s->readers, kernel); i++) {
        const pod_tpu_value *value = &lowering->values[lowering->results[kernel->result_first + i]];
        const pod_ref parameter =
            value->is_output && value->alias > 0 ? lowering->ir->parameters[value->alias - 1] : POD_REF_NONE;
        if (parameter == POD_REF_NONE || s->readers.writer[parameter] != k + 1)
            continue;
        for (uint32_t j = s->readers.first[parameter]; j < s->readers.first[parameter + 1]; j++)
            if (s->state[s->readers.list[j]] == 0)
                s->children[count++] = s->branches[s->readers.list[j]];
    }
    push_children(s, count);
}

bool pod_tpu_order_depth_first(pod_tpu_lowering *lowering, uint32_t **order)
{
    search s = {.lowering = lowering};
    if (!prepare(&s))
        return false;
    const uint32_t kernels = lowering->kernel_count;
    for (uint32_t k = 0; k < kernels; k++)
        weigh(&s, k);
    uint32_t count = 0;
    for (uint32_t k = 0; k < kernels; k++) {
        bool ends = true;
        for (uint32_t i = 0; i < lowering->kernels[k].result_count; i++) {
            const pod_ref value = lowering->results[lowering->kernels[k].result_first + i];
            ends = ends && (lowering->values[value].is_output || pod_tpu_reader_count(&s.readers, value) == 0);
        }
        if (ends)
            s.children[count++] = s.branches[k];
    }
    push_children(&s, count);
    while (s.depth > 0) {
        const uint32_t k = s.stack[s.depth - 1];
        if (s.state[k] == 0) {
            enter(&s, k);
            continue;
        }
        s.depth--;
        if (s.state[k] == 1) {
            s.state[k] = 2;
            s.order[s.count++] = k;
        }
    }
    *order = s.count == kernels ? s.order : NULL;
    return true;
}
