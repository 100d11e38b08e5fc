/* schedule - see lowering.h: kernels, and the order that keeps the fewest bytes (R10). */

#include "tpu/lowering.h"

#include <string.h>

/* ---- kernels ------------------------------------------------------------------------------------------- */

/* The kernel that each node belongs to, while kernels are joined: a forest over nodes whose roots
 * are the last nodes. */
static uint32_t leader(uint32_t *parents, uint32_t node)
{
    while (parents[node] != node)
        node = parents[node] = parents[parents[node]];
    return node;
}

static void join(uint32_t *parents, uint32_t a, uint32_t b)
{
    a = leader(parents, a);
    b = leader(parents, b);
    if (a < b)
        parents[a] = b;
    else
        parents[b] = a;
}

/* Outputs that are computed from one product which has no buffer are one kernel (R5). */
static void join_updates(pod_tpu_lowering *lowering, uint32_t *parents, uint32_t product)
{
    const pod_ir *ir = lowering->ir;
    const uint32_t stamp = ++lowering->stamp;
    uint32_t count = 0, first = UINT32_MAX;
    pod_ref value = ir->nodes[product].value_first;
    for (;;) {
        const pod_tpu_value *v = &lowering->values[value];
        for (uint32_t i = 0; i < v->user_count; i++) {
            const uint32_t user = lowering->users[v->user_first + i];
            const pod_ref made = ir->nodes[user].value_first;
            if (lowering->stamps[made] == stamp)
                continue;
            lowering->stamps[made] = stamp;
            lowering->stack[count++] = made;
            if (lowering->values[made].stored && first == UINT32_MAX)
                first = user;
            else if (lowering->values[made].stored)
                join(parents, first, user);
        }
        if (count == 0)
            return;
        value = lowering->stack[--count];
    }
}

static bool is_kernel(const pod_tpu_lowering *lowering, uint32_t node)
{
    const pod_ir_node *n = &lowering->ir->nodes[node];
    bool stores = false;
    for (uint32_t i = 0; i < n->value_count; i++)
        stores = stores || lowering->values[n->value_first + i].stored;
    return stores && lowering->kinds[node] != POD_TPU_KIND_LEAF;
}

/* What is added to the reads of the kernel being made. */
static void add_read(pod_tpu_lowering *lowering, pod_ref value, void *context)
{
    const uint32_t *kernel_of = context;
    const pod_tpu_kernel *kernel = &lowering->kernels[lowering->kernel_count - 1];
    const uint32_t maker = lowering->ir->values[value].node;
    const bool stored = lowering->values[value].stored;
    const bool leaf = lowering->kinds[maker] == POD_TPU_KIND_LEAF;
    if (!leaf && (!stored || kernel_of[maker] == lowering->kernel_count))
        return;
    for (uint32_t i = 0; i < kernel->read_count; i++)
        if (lowering->reads[kernel->read_first + i] == value)
            return;
    if (lowering->read_count == lowering->read_capacity) {
        const uint32_t capacity = lowering->read_capacity * 2 + 64;
        uint32_t *larger = pod_arena_array(lowering->arena, capacity, sizeof *larger);
        if (!larger) {
            lowering->reads = NULL;
            lowering->read_capacity = lowering->read_count = 0;
            return;
        }
        if (lowering->read_count)
            memcpy(larger, lowering->reads, lowering->read_count * sizeof *larger);
        lowering->reads = larger;
        lowering->read_capacity = capacity;
    }
    lowering->reads[lowering->read_count++] = value;
    lowering->kernels[lowering->kernel_count - 1].read_count++;
}

static void add_results(pod_tpu_lowering *lowering, pod_tpu_kernel *kernel, uint32_t node)
{
    const pod_ir_node *n = &lowering->ir->nodes[node];
    for (uint32_t i = 0; i < n->value_count; i++)
        if (lowering->values[n->value_first + i].stored) {
            lowering->results[lowering->result_count++] = n->value_first + i;
            kernel->result_count++;
        }
}

/* The members of each kernel as lists: heads by leader, next by node. */
typedef struct members {
    uint32_t *heads, *next, *kernel_of;
} members;

static bool make_kernel(pod_tpu_lowering *lowering, const members *m, uint32_t node)
{
    pod_tpu_kernel *kernel = &lowering->kernels[lowering->kernel_count++];
    kernel->node = node;
    kernel->result_first = lowering->result_count;
    kernel->read_first = lowering->read_count;
    for (uint32_t i = m->heads[node]; i != UINT32_MAX; i = m->next[i])
        m->kernel_of[i] = lowering->kernel_count;
    for (uint32_t i = m->heads[node]; i != UINT32_MAX; i = m->next[i]) {
        const uint32_t before = lowering->walked_products;
        add_results(lowering, kernel, i);
        pod_tpu_visit_sources(lowering, &lowering->ir->nodes[i], add_read, m->kernel_of);
        kernel->products += pod_tpu_is_product(lowering->ir->nodes[i].op) +
                            lowering->walked_products - before;
    }
    return lowering->reads || kernel->read_count == 0;
}

bool pod_tpu_make_kernels(pod_tpu_lowering *lowering)
{
    const pod_ir *ir = lowering->ir;
    const uint32_t count = ir->node_count;
    uint32_t *parents = pod_arena_array(lowering->arena, count, sizeof *parents);
    members m = {
        pod_arena_array(lowering->arena, count, sizeof *m.heads),
        pod_arena_array(lowering->arena, count, sizeof *m.next),
        pod_arena_array(lowering->arena, count, sizeof *m.kernel_of),
    };
    lowering->kernels = pod_arena_array(lowering->arena, count, sizeof *lowering->kernels);
    lowering->results = pod_arena_array(lowering->arena, ir->value_count, sizeof *lowering->results);
    if (!parents || !m.heads || !m.next || !m.kernel_of || !lowering->kernels || !lowering->results)
        return pod_tpu_no_memory(lowering);
    for (uint32_t i = 0; i < count; i++) {
        parents[i] = i;
        m.heads[i] = UINT32_MAX;
    }
    for (uint32_t i = 0; i < count; i++)
        if (pod_tpu_is_product(ir->nodes[i].op) &&
            !lowering->values[ir->nodes[i].value_first].stored &&
            lowering->values[ir->nodes[i].value_first].only_outputs)
            join_updates(lowering, parents, i);
    for (uint32_t i = count; i-- > 0;)
        if (is_kernel(lowering, i)) {
            const uint32_t root = leader(parents, i);
            m.next[i] = m.heads[root];
            m.heads[root] = i;
        }
    for (uint32_t i = 0; i < count; i++)
        if (m.heads[i] != UINT32_MAX && !make_kernel(lowering, &m, i))
            return pod_tpu_no_memory(lowering);
    return true;
}

/* ---- R10: the order ------------------------------------------------------------------------------------- */

typedef struct scheduler {
    pod_tpu_lowering *lowering;
    uint32_t *waiting;  /* of kernels: values that they read and that are not there yet */
    uint32_t *readers;  /* of values: kernels that read them and are not done yet */
    uint32_t *reader_first, *reader_list; /* of values: the kernels */
    uint32_t *ready;
    uint32_t ready_count;
    int64_t unit; /* bytes: smaller differences do not count */
} scheduler;

static int64_t bytes_of(const pod_tpu_lowering *lowering, pod_ref value)
{
    const pod_tpu_value *v = &lowering->values[value];
    return v->stored && !v->free ? v->bytes.padded : 0;
}

static void measure_kernel(const scheduler *s, uint32_t index, int64_t *taken, int64_t *freed)
{
    const pod_tpu_lowering *lowering = s->lowering;
    const pod_tpu_kernel *kernel = &lowering->kernels[index];
    *taken = *freed = 0;
    for (uint32_t i = 0; i < kernel->result_count; i++)
        *taken += bytes_of(lowering, lowering->results[kernel->result_first + i]) / s->unit;
    for (uint32_t i = 0; i < kernel->read_count; i++) {
        const pod_ref read = lowering->reads[kernel->read_first + i];
        if (s->readers[read] == 1)
            *freed += bytes_of(lowering, read) / s->unit;
    }
}

static bool only_outputs(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel)
{
    bool only = true;
    for (uint32_t i = 0; i < kernel->result_count; i++) {
        const pod_tpu_value *value = &lowering->values[lowering->results[kernel->result_first + i]];
        only = only && value->is_output && value->user_count == 0;
    }
    return only;
}

/* The place among the ready ones of the kernel that comes next. */
static uint32_t choose(const scheduler *s)
{
    uint32_t best = 0;
    int64_t best_score = INT64_MIN;
    for (uint32_t i = 0; i < s->ready_count; i++) {
        int64_t taken, freed;
        measure_kernel(s, s->ready[i], &taken, &freed);
        int64_t score = freed - taken;
        if (freed == 0 && only_outputs(s->lowering, &s->lowering->kernels[s->ready[i]]))
            score = INT64_MIN + 1;
        if (score > best_score || (score == best_score && s->ready[i] < s->ready[best])) {
            best_score = score;
            best = i;
        }
    }
    return best;
}

static void finish(scheduler *s, uint32_t index)
{
    const pod_tpu_lowering *lowering = s->lowering;
    const pod_tpu_kernel *kernel = &lowering->kernels[index];
    for (uint32_t i = 0; i < kernel->read_count; i++)
        s->readers[lowering->reads[kernel->read_first + i]]--;
    for (uint32_t i = 0; i < kernel->result_count; i++) {
        const pod_ref value = lowering->results[kernel->result_first + i];
        for (uint32_t j = s->reader_first[value]; j < s->reader_first[value + 1]; j++)
            if (--s->waiting[s->reader_list[j]] == 0)
                s->ready[s->ready_count++] = s->reader_list[j];
    }
}

static bool prepare(scheduler *s)
{
    pod_tpu_lowering *lowering = s->lowering;
    const uint32_t values = lowering->ir->value_count, kernels = lowering->kernel_count;
    s->waiting = pod_arena_array(lowering->arena, kernels, sizeof *s->waiting);
    s->ready = pod_arena_array(lowering->arena, kernels, sizeof *s->ready);
    s->readers = pod_arena_array(lowering->arena, values, sizeof *s->readers);
    s->reader_first = pod_arena_array(lowering->arena, values + 2, sizeof *s->reader_first);
    s->reader_list = pod_arena_array(lowering->arena, lowering->read_count, sizeof *s->reader_list);
    if (!s->waiting || !s->ready || !s->readers || !s->reader_first || !s->reader_list)
        return pod_tpu_no_memory(lowering);
    for (uint32_t i = 0; i < lowering->read_count; i++)
        s->readers[lowering->reads[i]]++;
    for (uint32_t v = 0; v < values; v++)
        s->reader_first[v + 2] = s->reader_first[v + 1] + s->readers[v];
    for (uint32_t k = 0; k < kernels; k++) {
        const pod_tpu_kernel *kernel = &lowering->kernels[k];
        for (uint32_t i = 0; i < kernel->read_count; i++) {
            const pod_ref read = lowering->reads[kernel->read_first + i];
            s->reader_list[s->reader_first[read + 1]++] = k;
            s->waiting[k] += lowering->kinds[lowering->ir->values[read].node] != POD_TPU_KIND_LEAF;
        }
    }
    int64_t largest = 64;
    for (uint32_t i = 0; i < lowering->result_count; i++)
        if (bytes_of(lowering, lowering->results[i]) > largest)
            largest = bytes_of(lowering, lowering->results[i]);
    s->unit = largest / 64;
    return true;
}

/* The first and last step of each value that is stored. */
static void find_lives(pod_tpu_lowering *lowering)
{
    for (uint32_t step = 0; step < lowering->kernel_count; step++) {
        const pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[step]];
        for (uint32_t i = 0; i < kernel->result_count; i++) {
            const pod_ref value = lowering->results[kernel->result_first + i];
            lowering->first_step[value] = lowering->last_step[value] = (int32_t)step;
        }
        for (uint32_t i = 0; i < kernel->read_count; i++)
            lowering->last_step[lowering->reads[kernel->read_first + i]] = (int32_t)step;
    }
}

bool pod_tpu_schedule(pod_tpu_lowering *lowering)
{
    scheduler s = {.lowering = lowering};
    const uint32_t values = lowering->ir->value_count;
    lowering->order = pod_arena_array(lowering->arena, lowering->kernel_count, sizeof *lowering->order);
    lowering->first_step = pod_arena_array(lowering->arena, values, sizeof *lowering->first_step);
    lowering->last_step = pod_arena_array(lowering->arena, values, sizeof *lowering->last_step);
    if (!lowering->order || !lowering->first_step || !lowering->last_step)
        return pod_tpu_no_memory(lowering);
    if (!prepare(&s))
        return false;
    for (uint32_t k = 0; k < lowering->kernel_count; k++)
        if (s.waiting[k] == 0)
            s.ready[s.ready_count++] = k;
    for (uint32_t step = 0; step < lowering->kernel_count; step++) {
        const uint32_t at = choose(&s);
        const uint32_t kernel = s.ready[at];
        s.ready[at] = s.ready[--s.ready_count];
        lowering->order[step] = kernel;
        finish(&s, kernel);
    }
    find_lives(lowering);
    return true;
}
