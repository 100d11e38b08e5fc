/* on_chip - see lowering.h: what has a place in VMEM or CMEM and costs no HBM (R12). */

#include "tpu/lowering.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a chip keeps near its cores. The constants are fitted to what the compiler did, not derived. */
typedef struct pool {
    const char *chip;
    int64_t fits;  /* temporaries that never take more than this are all on the chip */
    int64_t bytes; /* else this much is given out */
    double wait;   /* to what lives no longer than so many times the copying of it takes */
} pool;

static const pool pools[] = {
    {"v4", 70000000, 60000000, 10},
    {"v5e", 125000000, 100000000, 80},
    {"v6e", 96000000, 80000000, 20},
    {"v7x", 27000000, 27000000, 5},
};

#define MXU_SHARE     0.84   /* of the published peak that products reach */
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
    double worth; /* seconds that a place on the chip saves, over the root of the bytes */
    int64_t bytes;
} candidate;

static int compare_candidates(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->worth != y->worth)
        return x->worth < y->worth ? 1 : -1;
    return (x->value < y->value) - (x->value > y->value);
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
        const int64_t here = pod_tpu_sum(live[step], lowering->kernels[lowering->order[step]].scratch);
        *peak = here > *peak ? here : *peak;
    }
    return true;
}

/* Seconds of a kernel that reads and writes so many bytes of HBM. */
static double kernel_seconds(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel, double bytes)
{
    const pod_chip *chip = lowering->chip;
    const double compute = kernel->flops / (chip->bf16_flops / chip->devices * MXU_SHARE);
    const double memory = bytes / (chip->hbm_bytes_per_second / chip->devices);
    return compute > memory ? compute : memory;
}

static double kernel_bytes(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel)
{
    double bytes = (double)kernel->scratch;
    for (uint32_t i = 0; i < kernel->result_count; i++)
        bytes += (double)lowering->values[lowering->results[kernel->result_first + i]].bytes.padded;
    for (uint32_t i = 0; i < kernel->read_count; i++)
        bytes += (double)lowering->values[lowering->reads[kernel->read_first + i]].bytes.padded;
    return bytes;
}

/* What is saved where each value alone is on the chip, and when each step begins. */
static void measure_worth(const pod_tpu_lowering *lowering, double *worth, double *begins)
{
    double now = 0;
    for (uint32_t step = 0; step < lowering->kernel_count; step++) {
        const pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[step]];
        const double bytes = kernel_bytes(lowering, kernel);
        const double seconds = kernel_seconds(lowering, kernel, bytes);
        begins[step] = now;
        now += seconds;
        for (uint32_t i = 0; i < kernel->result_count + kernel->read_count; i++) {
            const pod_ref value = i < kernel->result_count
                                      ? lowering->results[kernel->result_first + i]
                                      : lowering->reads[kernel->read_first + i - kernel->result_count];
            const double own = (double)lowering->values[value].bytes.padded;
            worth[lowering->values[value].storage] +=
                seconds - kernel_seconds(lowering, kernel, bytes - own);
        }
    }
    begins[lowering->kernel_count] = now;
}

static uint32_t list_candidates(const pod_tpu_lowering *lowering, candidate *list, const double *worth)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lowering->result_count; i++) {
        const pod_ref value = lowering->results[i];
        const pod_tpu_value *v = &lowering->values[value];
        if (v->stored && !v->free && v->storage == value && v->bytes.padded > 0 && worth[value] > 0)
            list[count++] =
                (candidate){value, worth[value] / sqrt((double)v->bytes.padded), v->bytes.padded};
    }
    if (count)
        qsort(list, count, sizeof *list, compare_candidates);
    return count;
}

/* Gives a value a place where the pool has one for its whole life. */
static void place_one(pod_tpu_lowering *lowering, const pool *p, const candidate *c, int64_t *used,
                      const double *begins)
{
    const int32_t first = lowering->first_step[c->value], last = lowering->last_step[c->value];
    const double copy = (double)c->bytes / (lowering->chip->hbm_bytes_per_second / lowering->chip->devices);
    if (c->bytes > p->bytes || begins[last] - begins[first + 1] > p->wait * copy)
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
    double *worth = pod_arena_array(lowering->arena, lowering->ir->value_count, sizeof *worth);
    double *begins = pod_arena_array(lowering->arena, steps + 1, sizeof *begins);
    if (!list || !worth || !begins)
        return pod_tpu_no_memory(lowering);
    memset(used, 0, (steps + 1) * sizeof *used);
    measure_worth(lowering, worth, begins);
    const uint32_t count = list_candidates(lowering, list, worth);
    for (uint32_t i = 0; i < count; i++)
        place_one(lowering, p, &list[i], used, begins);
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
