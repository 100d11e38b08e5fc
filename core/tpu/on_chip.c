/* on_chip - see lowering.h: what has a place in VMEM or CMEM and costs no HBM (R12). */

#include "tpu/lowering.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* What a chip keeps near its cores. The constants are fitted to what the compiler did, not derived. */
typedef struct pool {
    const char *chip;
    int64_t fits;     /* temporaries that never take more than this are all on the chip */
    int64_t bytes;    /* else this much is given out */
    int32_t products; /* to what lives no longer than so many products */
} pool;

static const pool pools[] = {
    {"v4", 70000000, 67200000, 4},
    {"v5e", 125000000, 117000000, 6},
    {"v5p", 60000000, 56000000, 6},
    {"v6e", 96000000, 80000000, 6},
    {"v7x", 60000000, 50000000, 6},
};

#define ALWAYS_IN_HBM 600000 /* bytes of HBM that a program with a pool takes besides */

static const pool *pool_of(const pod_tpu_lowering *lowering)
{
    for (size_t i = 0; i < sizeof pools / sizeof pools[0] && !pod_tpu_is_2021(lowering); i++)
        if (strcmp(pools[i].chip, lowering->chip->name) == 0)
            return &pools[i];
    return NULL;
}

typedef struct candidate {
    pod_ref value;
    uint32_t reads;
    int64_t bytes;
} candidate;

static int compare_candidates(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->reads != y->reads)
        return x->reads < y->reads ? 1 : -1;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return (x->value > y->value) - (x->value < y->value);
}

/* Bytes that live in each step, and their largest sum. */
static bool measure_live(pod_tpu_lowering *lowering, int64_t *live, int64_t *peak)
{
    memset(live, 0, (lowering->kernel_count + 1) * sizeof *live);
    for (uint32_t i = 0; i < lowering->result_count; i++) {
        const pod_ref value = lowering->results[i];
        const pod_tpu_value *v = &lowering->values[value];
        if (!v->stored || v->free || v->storage != value)
            continue;
        int64_t *from = &live[lowering->first_step[value]];
        if (__builtin_add_overflow(*from, v->bytes.padded, from))
            return false;
        live[lowering->last_step[value] + 1] -= v->bytes.padded;
    }
    *peak = 0;
    for (uint32_t step = 0; step < lowering->kernel_count; step++) {
        if (step > 0 && __builtin_add_overflow(live[step], live[step - 1], &live[step]))
            return false;
        const int64_t here = live[step] + lowering->kernels[lowering->order[step]].scratch;
        *peak = here > *peak ? here : *peak;
    }
    return true;
}

static uint32_t list_candidates(const pod_tpu_lowering *lowering, candidate *list, uint32_t *reads)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lowering->read_count; i++)
        reads[lowering->values[lowering->reads[i]].storage]++;
    for (uint32_t i = 0; i < lowering->result_count; i++) {
        const pod_ref value = lowering->results[i];
        const pod_tpu_value *v = &lowering->values[value];
        if (v->stored && !v->free && v->storage == value && v->bytes.padded > 0)
            list[count++] = (candidate){value, reads[value], v->bytes.padded};
    }
    qsort(list, count, sizeof *list, compare_candidates);
    return count;
}

/* Gives a value a place where the pool has one for its whole life. */
static void place_one(pod_tpu_lowering *lowering, const pool *p, const candidate *c, int64_t *used,
                      const uint32_t *products)
{
    const int32_t first = lowering->first_step[c->value], last = lowering->last_step[c->value];
    if (products[last + 1] - products[first] > (uint32_t)p->products || c->bytes > p->bytes)
        return;
    for (int32_t step = first; step <= last; step++)
        if (used[step] > p->bytes - c->bytes)
            return;
    for (int32_t step = first; step <= last; step++)
        used[step] += c->bytes;
    lowering->on_chip[c->value] = true;
}

static bool place_some(pod_tpu_lowering *lowering, const pool *p, int64_t *used)
{
    const uint32_t steps = lowering->kernel_count;
    candidate *list = pod_arena_array(lowering->arena, lowering->result_count, sizeof *list);
    uint32_t *reads = pod_arena_array(lowering->arena, lowering->ir->value_count, sizeof *reads);
    uint32_t *products = pod_arena_array(lowering->arena, steps + 1, sizeof *products);
    if (!list || !reads || !products)
        return pod_tpu_no_memory(lowering);
    for (uint32_t step = 0; step < steps; step++)
        products[step + 1] = products[step] + (uint32_t)lowering->kernels[lowering->order[step]].products;
    memset(used, 0, (steps + 1) * sizeof *used);
    const uint32_t count = list_candidates(lowering, list, reads);
    for (uint32_t i = 0; i < count; i++)
        place_one(lowering, p, &list[i], used, products);
    for (uint32_t step = 0; step < steps; step++) {
        pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[step]];
        if (kernel->scratch <= p->bytes - used[step])
            kernel->scratch = 0;
    }
    return true;
}

bool pod_tpu_place_on_chip(pod_tpu_lowering *lowering)
{
    const pool *p = pool_of(lowering);
    int64_t peak;
    int64_t *live = pod_arena_array(lowering->arena, lowering->kernel_count + 1, sizeof *live);
    lowering->on_chip = pod_arena_array(lowering->arena, lowering->ir->value_count,
                                        sizeof *lowering->on_chip);
    if (!live || !lowering->on_chip)
        return pod_tpu_no_memory(lowering);
    if (!measure_live(lowering, live, &peak)) {
        (void)!pod_error_set(lowering->error, POD_ERROR_SHAPE,
                             "the temporaries of the graph take more than 2^63 - 1 bytes");
        return false;
    }
    if (!p || lowering->kernel_count == 0)
        return true;
    lowering->extra_bytes = peak > ALWAYS_IN_HBM ? ALWAYS_IN_HBM : peak;
    if (peak > p->fits)
        return place_some(lowering, p, live);
    for (uint32_t i = 0; i < lowering->result_count; i++)
        lowering->on_chip[lowering->results[i]] = !lowering->values[lowering->results[i]].free;
    for (uint32_t k = 0; k < lowering->kernel_count; k++)
        lowering->kernels[k].scratch = 0;
    return true;
}
