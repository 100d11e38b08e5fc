/* heap - see passes.def (R11). */

#include "tpu/passes.h"

#include "base/checked.h"
#include "base/error.h"

#include <assert.h>
#include <stdlib.h>
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

/* ---- the other way: the largest first ------------------------------------------------------------------------- */

/* A value or the scratch of a kernel, in the steps in which it is there. */
typedef struct heap_block {
    int64_t bytes, *offset;
    int32_t first, last;
} heap_block;

static int compare_blocks(const void *left, const void *right)
{
    const heap_block *a = left, *b = right;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? 1 : -1;
    return a->first != b->first ? (a->first > b->first) - (a->first < b->first)
                                : (a->last > b->last) - (a->last < b->last);
}

static int compare_offsets(const void *left, const void *right)
{
    const int64_t a = *(*(heap_block *const *)left)->offset, b = *(*(heap_block *const *)right)->offset;
    return (a > b) - (a < b);
}

/* Lists all that is in the heap, the largest first; `offsets` by value and scratch, in their order. Returns how many.
 */
static uint32_t list_blocks(const pod_tpu_lowering *lowering, heap_block *blocks, int64_t *offsets)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lowering->result_count; i++) {
        const pod_ref value = lowering->results[i];
        const int64_t bytes = lowering->values[value].bytes.padded;
        if (pod_tpu_takes_heap(lowering, value) && bytes > 0)
            blocks[count++] =
                (heap_block){bytes, &offsets[value], lowering->first_step[value], lowering->last_step[value]};
    }
    for (uint32_t step = 0; step < lowering->kernel_count; step++) {
        const uint32_t kernel = lowering->order[step];
        if (lowering->kernels[kernel].scratch > 0)
            blocks[count++] = (heap_block){lowering->kernels[kernel].scratch,
                                           &offsets[lowering->ir->value_count + kernel], (int32_t)step, (int32_t)step};
    }
    qsort(blocks, count, sizeof *blocks, compare_blocks);
    return count;
}

/* Gives each block the smallest gap that fits between those before it which are there at the same time, else the end of
 * them. Returns the end of all; `room` is for as many. */
static int64_t pack(heap_block *blocks, uint32_t count, int64_t begin, heap_block **room)
{
    int64_t top = begin;
    for (uint32_t i = 0; i < count; i++) {
        heap_block *block = &blocks[i];
        int64_t end = begin, best = -1, gap = INT64_MAX;
        uint32_t there = 0;
        for (uint32_t j = 0; j < i; j++)
            if (blocks[j].first <= block->last && block->first <= blocks[j].last)
                room[there++] = &blocks[j];
        qsort(room, there, sizeof(heap_block *), compare_offsets);
        for (uint32_t j = 0; j < there; j++) {
            const int64_t offset = *room[j]->offset, after = pod_tpu_sum(offset, room[j]->bytes);
            if (offset - end >= block->bytes && offset - end < gap) {
                best = end;
                gap = offset - end;
            }
            end = after > end ? after : end;
        }
        *block->offset = best >= 0 ? best : end;
        end = pod_tpu_sum(*block->offset, block->bytes);
        top = end > top ? end : top;
    }
    return top;
}

#define MOST_BLOCKS 8192 /* that are packed: that takes as long as the square of their number */

/* The share of what a program may have from which on its heap is packed: 0.60 is not, 0.80 is. */
#define LARGE_HEAP 0.7

/* The compiler packs a heap that is large, the largest first, and takes what is smaller. */
static bool pack_anew(pod_tpu_lowering *lowering, int64_t *top)
{
    const size_t most = (size_t)lowering->result_count + lowering->kernel_count;
    if (most > MOST_BLOCKS || lowering->depth > 0 ||
        (double)*top <= LARGE_HEAP * (double)lowering->target->chip->hbm_limit_bytes ||
        !pod_tpu_has(lowering, POD_TPU_PACKED_ANEW))
        return true;
    heap_block *blocks = pod_tpu_array(lowering, most, sizeof *blocks);
    heap_block **room = pod_tpu_array(lowering, most, sizeof(heap_block *));
    int64_t *offsets =
        pod_tpu_array(lowering, (size_t)lowering->ir->value_count + lowering->kernel_count, sizeof *offsets);
    if (!pod_tpu_has_memory(lowering))
        return false;
    const uint32_t count = list_blocks(lowering, blocks, offsets);
    const int64_t packed = pack(blocks, count, lowering->window_bytes, room);
    if (packed >= *top)
        return true;
    *top = packed;
    for (uint32_t v = 0; v < lowering->ir->value_count; v++)
        lowering->offsets[v] = lowering->offsets[v] < 0 ? -1 : offsets[v];
    for (uint32_t k = 0; k < lowering->kernel_count; k++)
        lowering->kernels[k].scratch_offset = offsets[lowering->ir->value_count + k];
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
    if (!pack_anew(lowering, &h.top))
        return false;
    lowering->temp_bytes = h.top;
    return true;
}
