/* heap - see passes.def (R11). */

#include "tpu/passes.h"

#include "base/checked.h"
#include "base/error.h"

#include <assert.h>
#include <string.h>

typedef struct heap_hole {
    int64_t offset, bytes;
} heap_hole;

typedef struct heap {
    heap_hole *holes; /* ascending, apart from each other */
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
        if (pod_add_overflows(h->end, bytes, &h->end))
            return false;
        h->top = h->end > h->top ? h->end : h->top;
        return true;
    }
    assert(h->holes[best].offset + h->holes[best].bytes < h->end); /* what ends the heap is no hole */
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
    assert(bytes > 0 && offset + bytes <= h->end);
    assert(at == 0 || h->holes[at - 1].offset + h->holes[at - 1].bytes <= offset);
    assert(at == h->count || offset + bytes <= h->holes[at].offset);
    memmove(&h->holes[at + 1], &h->holes[at], (h->count - at) * sizeof *h->holes);
    h->holes[at] = (heap_hole){offset, bytes};
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
    d->first = pod_tpu_array(lowering, lowering->kernel_count, sizeof *d->first);
    d->next = pod_tpu_array(lowering, lowering->ir->value_count, sizeof *d->next);
    if (!pod_tpu_has_memory(lowering))
        return false;
    for (uint32_t i = 0; i < lowering->kernel_count; i++)
        d->first[i] = POD_REF_NONE;
    for (uint32_t i = lowering->result_count; i-- > 0;) {
        const pod_ref value = lowering->results[i];
        if (pod_tpu_takes_heap(lowering, value)) {
            d->next[value] = d->first[lowering->last_step[value]];
            d->first[lowering->last_step[value]] = value;
        }
    }
    return true;
}

/* Takes room for what a kernel made that is in HBM from a step on: the one that makes it, or, where it was on the chip
 * first, the next. */
static bool take_results(pod_tpu_lowering *lowering, heap *h, const pod_tpu_kernel *kernel, int32_t step)
{
    for (uint32_t i = 0; i < kernel->result_count; i++) {
        const pod_ref value = lowering->results[kernel->result_first + i];
        const int64_t bytes = lowering->values[value].bytes.padded;
        if (pod_tpu_takes_heap(lowering, value) && bytes > 0 && lowering->first_step[value] == step &&
            !heap_take(h, bytes, &lowering->offsets[value]))
            return false;
    }
    return true;
}

/* Fills the heap in the order of the schedule. */
static bool fill(pod_tpu_lowering *lowering, heap *h, const deaths *d)
{
    for (uint32_t step = 0; step < lowering->kernel_count; step++) {
        pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[step]];
        if ((step > 0 && !take_results(lowering, h, &lowering->kernels[lowering->order[step - 1]], (int32_t)step)) ||
            !take_results(lowering, h, kernel, (int32_t)step))
            return false;
        if (kernel->scratch > 0 && !heap_take(h, kernel->scratch, &kernel->scratch_offset))
            return false;
        for (uint32_t value = d->first[step]; value != POD_REF_NONE; value = d->next[value])
            if (lowering->values[value].bytes.padded > 0)
                heap_give(h, lowering->offsets[value], lowering->values[value].bytes.padded);
        if (kernel->scratch > 0)
            heap_give(h, kernel->scratch_offset, kernel->scratch);
    }
    return true;
}

bool pod_tpu_pass_heap(pod_tpu_lowering *lowering)
{
    deaths d;
    heap h = {.top = lowering->window_bytes, .end = lowering->window_bytes};
    lowering->offsets = pod_tpu_array(lowering, lowering->ir->value_count, sizeof *lowering->offsets);
    h.holes = pod_tpu_array(lowering, (size_t)lowering->result_count + 3, sizeof *h.holes);
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
