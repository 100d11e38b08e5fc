/*
 * plan - gives every temporary its place in the arena. Lives are counted in phases: what lives in
 * phases that do not overlap may share bytes. A region's phases lie within the phase of its
 * instruction, and what a region uses of the outside lives for the whole of that phase.
 */

#include "base/sizes.h"
#include "compile/schedule.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct life {
    uint32_t slot, first, last; /* last is 0 for slots never used */
    uint64_t bytes;
} life;

typedef struct hole {
    uint64_t offset, bytes;
} hole;

typedef struct planner {
    pod_lowering *lowering;
    life *lives; /* of each slot */
    uint32_t time;
    uint32_t level;
    hole *holes; /* by offset */
    uint32_t hole_count;
    uint64_t end; /* of the arena */
    uint64_t live, most_live;
} planner;

static void touch(planner *p, uint32_t slot, uint32_t first, uint32_t last)
{
    uint32_t base = pod_lower_base(p->lowering, slot);
    assert(first <= last);
    life *l = &p->lives[base];
    if (!l->last || first < l->first)
        l->first = first;
    if (last > l->last)
        l->last = last;
}

static void touch_slots(planner *p, const uint32_t *slots, uint32_t count, uint32_t first, uint32_t last)
{
    for (uint32_t i = 0; i < count; i++)
        touch(p, slots[i], first, last);
}

/* Everything that regions use of levels up to `level` lives while the instruction runs. */
static void touch_outside(planner *p, const pod_function *function, uint32_t level, uint32_t first, uint32_t last)
{
    for (uint32_t i = 0; function && i < function->instruction_count; i++) {
        const pod_instruction *one = function->instructions[i];
        for (uint32_t j = 0; j < one->operand_count + one->result_count; j++) {
            uint32_t base = pod_lower_base(p->lowering, one->slots[j]);
            if (p->lowering->slots[base].level <= level)
                touch(p, base, first, last);
        }
        for (int j = 0; j < 2; j++)
            touch_outside(p, pod_instruction_region(one, j), level, first, last);
    }
}

static void measure_function(planner *p, const pod_function *function, uint32_t level);

static void measure_regions(planner *p, const pod_instruction *one, uint32_t level, uint32_t first)
{
    for (int i = 0; i < 2; i++)
        if (one->region.functions[i])
            measure_function(p, one->region.functions[i], level + 1);
    uint32_t last = ++p->time;
    for (int i = 0; i < 2; i++)
        touch_outside(p, one->region.functions[i], level, first, last);
    if (one->kind == POD_DO_WHILE)
        touch(p, one->region.outputs[0][0], first, last);
    if (one->kind == POD_DO_REDUCE) {
        touch(p, one->region.outputs[0][0], first, last);
        touch_slots(p, one->region.parameters, 2, first, last);
    }
}

static void measure_function(planner *p, const pod_function *function, uint32_t level)
{
    for (uint32_t i = 0; i < function->phase_count; i++) {
        const pod_phase *phase = &function->phases[i];
        uint32_t first = ++p->time;
        const pod_group *groups = function->groups + phase->first;
        uint32_t begin = groups[0].first;
        uint32_t end = groups[phase->count - 1].first + groups[phase->count - 1].count;
        for (uint32_t j = begin; j < end; j++)
            if (pod_instruction_has_regions(function->instructions[j]))
                measure_regions(p, function->instructions[j], level, first);
        for (uint32_t j = begin; j < end; j++) {
            const pod_instruction *one = function->instructions[j];
            touch_slots(p, one->slots, one->operand_count + one->result_count, first, p->time);
        }
    }
}

/* ---- places -------------------------------------------------------------------------------------- */

static int compare_first(const void *a, const void *b)
{
    const life *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return x->slot < y->slot ? -1 : 1;
}

static int compare_last(const void *a, const void *b)
{
    const life *x = *(life *const *)a, *y = *(life *const *)b;
    if (x->last != y->last)
        return x->last < y->last ? -1 : 1;
    return x->slot < y->slot ? -1 : 1;
}

/* The smallest hole that fits, else the end of the arena. */
static uint64_t place(planner *p, uint64_t bytes)
{
    assert(bytes > 0 && bytes % 64 == 0);
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < p->hole_count; i++)
        if (p->holes[i].bytes >= bytes && (best == UINT32_MAX || p->holes[i].bytes < p->holes[best].bytes))
            best = i;
    if (best == UINT32_MAX) {
        hole *last = p->hole_count ? &p->holes[p->hole_count - 1] : NULL;
        uint64_t offset = p->end;
        if (last && last->offset + last->bytes == p->end) {
            offset = last->offset;
            p->hole_count--;
        }
        p->end = offset + bytes;
        return offset;
    }
    uint64_t offset = p->holes[best].offset;
    p->holes[best].offset += bytes;
    p->holes[best].bytes -= bytes;
    if (!p->holes[best].bytes)
        memmove(&p->holes[best], &p->holes[best + 1], (--p->hole_count - best) * sizeof *p->holes);
    return offset;
}

/* Makes one hole of one and the next, where they lie side by side. */
static void join_next(planner *p, uint32_t at)
{
    hole *one = &p->holes[at];
    if (at + 1 == p->hole_count || one->offset + one->bytes != one[1].offset)
        return;
    one->bytes += one[1].bytes;
    memmove(one + 1, one + 2, (--p->hole_count - at - 1) * sizeof *one);
}

/* Gives bytes back, joined with the holes beside them. */
static void give_back(planner *p, uint64_t offset, uint64_t bytes)
{
    assert(offset + bytes <= p->end);
    uint32_t low = 0, high = p->hole_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (p->holes[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    assert(low == 0 || p->holes[low - 1].offset + p->holes[low - 1].bytes <= offset);
    assert(low == p->hole_count || offset + bytes <= p->holes[low].offset);
    memmove(&p->holes[low + 1], &p->holes[low], (p->hole_count++ - low) * sizeof *p->holes);
    p->holes[low] = (hole){offset, bytes};
    join_next(p, low);
    if (low > 0)
        join_next(p, low - 1);
}

/* Temporaries that are used, in the order of their birth. */
static uint32_t collect(planner *p, life *sorted)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->lowering->slot_count; i++) {
        const pod_slot *slot = &p->lowering->slots[i];
        if (slot->base != i || slot->kind != POD_SLOT_ARENA || !p->lives[i].last || !slot->bytes)
            continue;
        sorted[count] = p->lives[i];
        sorted[count].slot = i;
        sorted[count++].bytes = pod_round_up_bytes(slot->bytes, 64);
    }
    qsort(sorted, count, sizeof *sorted, compare_first);
    return count;
}

static void place_all(planner *p, life *sorted, life **by_end, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        by_end[i] = &sorted[i];
    qsort(by_end, count, sizeof *by_end, compare_last);
    uint32_t ended = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (; ended < count && by_end[ended]->last < sorted[i].first; ended++) {
            give_back(p, p->lowering->slots[by_end[ended]->slot].offset, by_end[ended]->bytes);
            p->live -= by_end[ended]->bytes;
        }
        p->lowering->slots[sorted[i].slot].offset = place(p, sorted[i].bytes);
        p->live += sorted[i].bytes;
        p->most_live = p->live > p->most_live ? p->live : p->most_live;
    }
}

bool pod_compile_plan_buffers(pod_lowering *lowering, const pod_function *function, uint64_t *bytes,
                              uint64_t *live_bytes)
{
    planner p = {.lowering = lowering};
    uint32_t count = lowering->slot_count;
    p.lives = pod_arena_array(lowering->scratch, count, sizeof *p.lives);
    p.holes = pod_arena_array(lowering->scratch, (size_t)count + 1, sizeof *p.holes);
    life *sorted = pod_arena_array(lowering->scratch, count, sizeof *sorted);
    life **by_end = pod_arena_array(lowering->scratch, count, sizeof *by_end);
    if (!p.lives || !p.holes || !sorted || !by_end)
        return pod_lower_no_memory(lowering);
    if (lowering->entry)
        measure_function(&p, lowering->entry, 0);
    measure_function(&p, function, 0);
    for (uint32_t i = 0; i < count; i++)
        if (lowering->slots[i].kept)
            touch(&p, i, 0, UINT32_MAX);
    place_all(&p, sorted, by_end, collect(&p, sorted));
    *bytes = p.end;
    *live_bytes = p.most_live;
    return true;
}
