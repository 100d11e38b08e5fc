/* heap - see passes.def (R11). */

#include "tpu/heap.h"
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

/* ---- the order of the schedule ---------------------------------------------------------------------------------- */

static int compare_begins(const void *left, const void *right)
{
    const pod_tpu_block *a = *(pod_tpu_block *const *)left, *b = *(pod_tpu_block *const *)right;
    return a->first != b->first ? (a->first > b->first) - (a->first < b->first) : (a > b) - (a < b);
}

static int compare_ends(const void *left, const void *right)
{
    const pod_tpu_block *a = *(pod_tpu_block *const *)left, *b = *(pod_tpu_block *const *)right;
    return (a->last > b->last) - (a->last < b->last);
}

bool pod_tpu_fill(pod_tpu_lowering *lowering, pod_tpu_block *blocks, uint32_t count, int64_t begin, int64_t *top)
{
    heap h = {.top = begin, .end = begin};
    pod_tpu_block **begins = pod_tpu_array(lowering, count, sizeof(pod_tpu_block *));
    pod_tpu_block **ends = pod_tpu_array(lowering, count, sizeof(pod_tpu_block *));
    h.holes = pod_tpu_array(lowering, (size_t)count + 3, sizeof *h.holes);
    if (!pod_tpu_has_memory(lowering))
        return pod_tpu_no_memory(lowering);
    for (uint32_t i = 0; i < count; i++)
        begins[i] = ends[i] = &blocks[i];
    qsort(begins, count, sizeof(pod_tpu_block *), compare_begins);
    qsort(ends, count, sizeof(pod_tpu_block *), compare_ends);
    for (uint32_t i = 0, over = 0; i < count; i++) {
        for (; ends[over]->last < begins[i]->first; over++)
            heap_give(&h, ends[over]->offset, ends[over]->bytes);
        if (!heap_take(&h, begins[i]->bytes, &begins[i]->offset)) {
            (void)!pod_error_set(lowering->error, POD_ERROR_SHAPE,
                                 "the temporaries of the graph take more than 2^63 - 1 bytes");
            return false;
        }
    }
    *top = h.top;
    return true;
}

/* ---- the other way: the largest first ------------------------------------------------------------------------- */

static int compare_blocks(const void *left, const void *right)
{
    const pod_tpu_block *a = left, *b = right;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? 1 : -1;
    return a->first != b->first ? (a->first > b->first) - (a->first < b->first)
                                : (a->last > b->last) - (a->last < b->last);
}

static int compare_offsets(const void *left, const void *right)
{
    const int64_t a = (*(pod_tpu_block *const *)left)->offset, b = (*(pod_tpu_block *const *)right)->offset;
    return (a > b) - (a < b);
}

bool pod_tpu_pack(pod_tpu_lowering *lowering, pod_tpu_block *blocks, uint32_t count, int64_t begin, int64_t *top)
{
    pod_tpu_block **room = pod_tpu_array(lowering, count, sizeof(pod_tpu_block *));
    if (!pod_tpu_has_memory(lowering))
        return pod_tpu_no_memory(lowering);
    qsort(blocks, count, sizeof *blocks, compare_blocks);
    *top = begin;
    for (uint32_t i = 0; i < count; i++) {
        pod_tpu_block *block = &blocks[i];
        int64_t end = begin, best = -1, gap = INT64_MAX;
        uint32_t there = 0;
        for (uint32_t j = 0; j < i; j++)
            if (blocks[j].first <= block->last && block->first <= blocks[j].last)
                room[there++] = &blocks[j];
        qsort(room, there, sizeof(pod_tpu_block *), compare_offsets);
        for (uint32_t j = 0; j < there; j++) {
            const int64_t offset = room[j]->offset, after = pod_tpu_sum(offset, room[j]->bytes);
            if (offset - end >= block->bytes && offset - end < gap) {
                best = end;
                gap = offset - end;
            }
            end = after > end ? after : end;
        }
        block->offset = best >= 0 ? best : end;
        end = pod_tpu_sum(block->offset, block->bytes);
        *top = end > *top ? end : *top;
    }
    return true;
}

/* ---- the pass --------------------------------------------------------------------------------------------------- */

/* Adds what a kernel made that is in HBM from a step on: the one that makes it, or, where it was on the chip first, the
 * next. */
static uint32_t list_results(pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel, int32_t step,
                             pod_tpu_block *blocks)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < kernel->result_count; i++) {
        const pod_ref value = lowering->results[kernel->result_first + i];
        const int64_t bytes = lowering->values[value].bytes.padded;
        if (pod_tpu_takes_heap(lowering, value) && bytes > 0 && lowering->first_step[value] == step)
            blocks[count++] = (pod_tpu_block){bytes, -1, &lowering->offsets[value], step, lowering->last_step[value]};
    }
    return count;
}

/* Lists all that is in the heap, in the order of the schedule. Returns how many. */
static uint32_t list_blocks(pod_tpu_lowering *lowering, pod_tpu_block *blocks)
{
    uint32_t count = 0;
    for (uint32_t step = 0; step < lowering->kernel_count; step++) {
        pod_tpu_kernel *kernel = &lowering->kernels[lowering->order[step]];
        if (step > 0)
            count +=
                list_results(lowering, &lowering->kernels[lowering->order[step - 1]], (int32_t)step, &blocks[count]);
        count += list_results(lowering, kernel, (int32_t)step, &blocks[count]);
        if (kernel->scratch > 0)
            blocks[count++] =
                (pod_tpu_block){kernel->scratch, -1, &kernel->scratch_offset, (int32_t)step, (int32_t)step};
    }
    return count;
}

static void place(const pod_tpu_block *blocks, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        *blocks[i].place = blocks[i].offset;
}

/* The share of what a program may have from which on its heap is packed: 0.60 is not, 0.80 is. */
#define LARGE_HEAP 0.7

bool pod_tpu_pass_heap(pod_tpu_lowering *lowering)
{
    const uint32_t most = lowering->result_count + lowering->kernel_count;
    int64_t packed;
    lowering->offsets = pod_tpu_array(lowering, lowering->ir->value_count, sizeof *lowering->offsets);
    pod_tpu_block *blocks = pod_tpu_array(lowering, most, sizeof *blocks);
    if (!pod_tpu_has_memory(lowering))
        return pod_tpu_no_memory(lowering);
    memset(lowering->offsets, 0xff, lowering->ir->value_count * sizeof *lowering->offsets);
    const uint32_t count = list_blocks(lowering, blocks);
    if (!pod_tpu_fill(lowering, blocks, count, lowering->window_bytes, &lowering->temp_bytes))
        return false;
    place(blocks, count);
    /* a heap that is large is packed, too, and the smaller one taken */
    if (count > POD_TPU_MOST_BLOCKS || lowering->depth > 0 || !pod_tpu_has(lowering, POD_TPU_PACKED_ANEW) ||
        (double)lowering->temp_bytes <= LARGE_HEAP * (double)lowering->target->chip->hbm_limit_bytes)
        return true;
    if (!pod_tpu_pack(lowering, blocks, count, lowering->window_bytes, &packed))
        return false;
    if (packed < lowering->temp_bytes) {
        lowering->temp_bytes = packed;
        place(blocks, count);
    }
    return true;
}
