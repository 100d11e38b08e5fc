/*
 * schedule - orders instructions in phases of groups: see instructions.h. Instructions come in an order in
 * which they could run one by one. Each goes into the earliest phase that its dependences allow: the
 * phase of what it needs, if it can share a group with it, else the one after. What it needs is what
 * wrote its operands, and whoever reads or writes the slots that it writes.
 */

#include "base/divisor.h"
#include "base/growth.h"
#include "compile/compile_costs.h"
#include "compile/scheduler.h"

#include <assert.h>

/* ---- dependences ---------------------------------------------------------------------------------- */

/* Adds an edge from an earlier instruction; parts are what both ends can be cut into. */
static void add_edge(pod_scheduler *s, uint32_t from, int64_t from_parts, uint32_t to, int64_t to_parts)
{
    assert(from < to && to < s->function->count && from_parts > 0 && to_parts > 0);
    if (!pod_arena_grow(s->function->owner->scratch, &s->edges, &s->edge_room, (size_t)s->edge_count + 1,
                        (pod_growth){sizeof *s->edges, .first = 256})) {
        s->failed = true;
        return;
    }
    s->edges[s->edge_count] =
        (pod_dependence){to, s->members[from].successors, pod_common_divisor(from_parts, to_parts)};
    s->members[from].successors = s->edge_count++;
}

/* Finds what instruction `index` depends on. Its edges are the last ones added. */
static void find_dependences(pod_scheduler *s, uint32_t index, uint32_t *sources, uint32_t *count)
{
    const pod_instruction *one = s->function->instructions[index];
    pod_instruction **all = s->function->instructions;
    for (uint32_t i = 0; i < one->operand_count + one->result_count; i++) {
        pod_slot_accesses *a = &s->accesses[pod_lower_base(s->function->owner, one->slots[i])];
        bool writes = i >= one->operand_count;
        if (a->writer != POD_NONE && a->writer != index) {
            add_edge(s, a->writer, all[a->writer]->parts[a->writer_at], index, one->parts[i]);
            sources[(*count)++] = a->writer;
        }
        for (uint32_t r = writes ? a->readers : POD_NONE; r != POD_NONE; r = s->readers[r].next) {
            uint32_t by = s->readers[r].instruction;
            if (by == index)
                continue;
            add_edge(s, by, all[by]->parts[s->readers[r].at], index, one->parts[i]);
            sources[(*count)++] = by;
        }
    }
}

static void note_accesses(pod_scheduler *s, uint32_t index)
{
    const pod_instruction *one = s->function->instructions[index];
    for (uint32_t i = 0; i < one->operand_count + one->result_count; i++) {
        pod_slot_accesses *a = &s->accesses[pod_lower_base(s->function->owner, one->slots[i])];
        if (i < one->operand_count) {
            s->readers[s->reader_count] = (pod_slot_reader){index, i, a->readers};
            a->readers = s->reader_count++;
        } else {
            *a = (pod_slot_accesses){index, i, POD_NONE, 0};
        }
    }
}

/* ---- phases --------------------------------------------------------------------------------------- */

/* Returns what an instruction must wait for besides its operands. */
static uint32_t first_phase(pod_scheduler *s, uint32_t index)
{
    const pod_instruction *one = s->function->instructions[index];
    const pod_slot *slots = s->function->owner->slots;
    uint32_t phase = one->kind == POD_DO_PRINT ? s->print_phase : pod_instruction_meets(one) ? s->meet_phase : 0;
    for (uint32_t i = 0; i < one->result_count; i++) {
        uint32_t base = pod_lower_base(s->function->owner, one->slots[one->operand_count + i]);
        if (slots[base].kind == POD_SLOT_PARAMETER && s->fail_phase > phase)
            phase = s->fail_phase;
    }
    return phase;
}

/* Returns whether a group runs on one thread, or may. */
static bool is_alone(const pod_open_group *g)
{
    return g->parts == 1 || g->units == 1 || g->cost < POD_ALONE_NANOSECONDS;
}

/* The parts into which `own` and the groups of its phase that it depends on, none of them serial, can be cut
 * together; 0 when they cannot be one group. */
static int64_t common_parts(pod_scheduler *s, pod_open_group *own, const uint32_t *sources, uint32_t count,
                            uint32_t first_edge)
{
    int64_t parts = own->parts;
    double cost = own->cost;
    bool alone = is_alone(own);
    uint32_t longer = 0; /* groups that other threads could run meanwhile */
    uint32_t mark = own->first + 1, cuts = own->cut_count;
    for (uint32_t i = 0; i < count; i++) {
        pod_open_group *other = &s->groups[pod_compile_group_of(s, sources[i])];
        if (other->phase != own->phase)
            continue;
        parts = pod_common_divisor(pod_common_divisor(parts, other->parts), s->edges[first_edge + i].parts);
        cost += other->mark == mark ? 0 : other->cost;
        alone = alone && is_alone(other);
        longer += other->mark != mark && other->cost >= POD_ALONE_NANOSECONDS;
        cuts += other->mark == mark ? 0 : other->cut_count;
        other->mark = mark;
    }
    if (cuts > POD_GROUP_CUTS)
        return 0;
    if (cost < POD_TINY_NANOSECONDS)
        return parts;
    if (alone && longer < 2)
        return 1;
    /* Units are powers of two: the largest is that of all together. */
    int64_t unit = pod_compile_unit_parts(own, parts);
    for (uint32_t i = 0; i < count; i++) {
        const pod_open_group *other = &s->groups[pod_compile_group_of(s, sources[i])];
        int64_t its = other->phase == own->phase ? pod_compile_unit_parts(other, parts) : 1;
        unit = its > unit ? its : unit;
    }
    bool can = pod_compile_can_cut_by(own, parts, unit);
    for (uint32_t i = 0; can && i < count; i++) {
        const pod_open_group *other = &s->groups[pod_compile_group_of(s, sources[i])];
        can = other->phase != own->phase || pod_compile_can_cut_by(other, parts, unit);
    }
    return can ? parts : 0;
}

static bool has_source_in(const pod_scheduler *s, uint32_t phase, const uint32_t *sources, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (pod_compile_phase_of(s, sources[i]) == phase)
            return true;
    return false;
}

/* Gives an instruction its phase and group, those of what it depends on being known. */
static void place(pod_scheduler *s, uint32_t index, const uint32_t *sources, uint32_t count, uint32_t first_edge)
{
    uint32_t own = pod_compile_new_group(s, index, first_phase(s, index));
    pod_open_group *g = &s->groups[own];
    for (uint32_t i = 0; i < count; i++) {
        const pod_open_group *source = &s->groups[pod_compile_group_of(s, sources[i])];
        uint32_t phase = source->phase + (source->serial && !g->serial);
        g->phase = phase > g->phase ? phase : g->phase;
    }
    if (g->serial || !has_source_in(s, g->phase, sources, count))
        return;
    int64_t parts = common_parts(s, g, sources, count, first_edge);
    if (!parts) {
        g->phase++;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = pod_compile_group_of(s, sources[i]);
        own = pod_compile_group_of(s, index);
        if (other != own && s->groups[other].phase == s->groups[own].phase)
            pod_compile_join_groups(s, other, own, parts);
    }
    s->groups[pod_compile_group_of(s, index)].parts = parts;
}

static uint32_t most_slots(const pod_lowered *function, uint32_t *total)
{
    uint32_t most = 0;
    *total = 0;
    for (uint32_t i = 0; i < function->count; i++) {
        uint32_t count = function->instructions[i]->operand_count + function->instructions[i]->result_count;
        most = count > most ? count : most;
        *total += count;
    }
    return most;
}

static bool place_all(pod_scheduler *s)
{
    uint32_t total, most = most_slots(s->function, &total);
    pod_arena *scratch = s->function->owner->scratch;
    /* Each read is met at most once again, by the next writer. */
    uint32_t *sources = pod_arena_array(scratch, (size_t)total + most + 1, sizeof *sources);
    s->readers = pod_arena_array(scratch, (size_t)total + 1, sizeof *s->readers);
    if (!sources || !s->readers)
        return false;
    for (uint32_t i = 0; i < s->function->count && !s->failed; i++) {
        const pod_instruction *one = s->function->instructions[i];
        uint32_t count = 0, first_edge = s->edge_count;
        s->members[i].successors = POD_NONE;
        find_dependences(s, i, sources, &count);
        if (s->failed)
            return false;
        place(s, i, sources, count, first_edge);
        note_accesses(s, i);
        uint32_t done = pod_compile_phase_of(s, i) + 1;
        if (one->may_fail && done > s->fail_phase)
            s->fail_phase = done;
        if (one->kind == POD_DO_PRINT)
            s->print_phase = done - 1;
        if (pod_instruction_meets(one))
            s->meet_phase = done - 1;
    }
    return !s->failed;
}

/* ---- later, where it is used ----------------------------------------------------------------------- */

/* Returns whether an instruction makes a large temporary of what is no temporary: of arguments, or of nothing. */
static bool fills_memory(const pod_lowered *function, const pod_instruction *one)
{
    const pod_slot *slots = function->owner->slots;
    for (uint32_t i = 0; i < one->operand_count; i++)
        if (slots[pod_lower_base(function->owner, one->slots[i])].kind == POD_SLOT_ARENA)
            return false;
    const pod_slot *made = &slots[pod_lower_base(function->owner, one->slots[one->operand_count])];
    return one->result_count == 1 && made->kind == POD_SLOT_ARENA && !made->kept && made->bytes >= POD_LATE_BYTES;
}

/* The phase where what an instruction makes is first needed. */
static uint32_t needed_in(const pod_scheduler *s, uint32_t index)
{
    uint32_t first = POD_NONE;
    for (uint32_t e = s->members[index].successors; e != POD_NONE; e = s->edges[e].next) {
        uint32_t phase = pod_compile_phase_of(s, s->edges[e].to);
        first = phase < first ? phase : first;
    }
    return first;
}

/* Moves an instruction that stands alone into the later phase where what it makes is first needed, when
 * it can share a group there: its rows are then fresh in the cache. What only fills memory goes right before it. */
static void move_later(pod_scheduler *s, uint32_t index)
{
    uint32_t own = pod_compile_group_of(s, index), first = needed_in(s, index);
    pod_open_group *g = &s->groups[own];
    if (g->serial || g->count > 1 || s->function->instructions[index]->may_fail || first == POD_NONE ||
        first <= g->phase)
        return;
    if (fills_memory(s->function, s->function->instructions[index]))
        g->phase = first - 1;
    int64_t parts = g->parts;
    uint32_t cuts = g->cut_count;
    for (uint32_t e = s->members[index].successors; e != POD_NONE; e = s->edges[e].next) {
        const pod_open_group *to = &s->groups[pod_compile_group_of(s, s->edges[e].to)];
        if (to->phase != first)
            continue;
        parts = to->serial ? 1 : pod_common_divisor(pod_common_divisor(parts, to->parts), s->edges[e].parts);
        cuts += to->cut_count;
    }
    if (!pod_compile_can_cut(g, parts) || cuts > POD_GROUP_CUTS)
        return;
    for (uint32_t e = s->members[index].successors; e != POD_NONE; e = s->edges[e].next) {
        const pod_open_group *to = &s->groups[pod_compile_group_of(s, s->edges[e].to)];
        if (to->phase == first && !pod_compile_can_cut(to, parts))
            return;
    }
    g->phase = first;
    for (uint32_t e = s->members[index].successors; e != POD_NONE; e = s->edges[e].next) {
        uint32_t other = pod_compile_group_of(s, s->edges[e].to);
        own = pod_compile_group_of(s, index);
        if (other != own && s->groups[other].phase == first)
            pod_compile_join_groups(s, other, own, parts);
    }
    s->groups[pod_compile_group_of(s, index)].parts = parts;
}

/* ---- the function ---------------------------------------------------------------------------------- */

pod_function *pod_compile_schedule(pod_lowered *function)
{
    pod_arena *scratch = function->owner->scratch;
    uint32_t slots = function->owner->slot_count;
    pod_scheduler s = {.function = function};
    pod_function *made = pod_arena_array(function->owner->memory, 1, sizeof *made);
    s.members = pod_arena_array(scratch, function->count, sizeof *s.members);
    s.groups = pod_arena_array(scratch, function->count, sizeof *s.groups);
    s.parents = pod_arena_array(scratch, function->count, sizeof *s.parents);
    s.accesses = pod_arena_array(scratch, slots, sizeof *s.accesses);
    if (!made || !s.members || !s.groups || !s.parents || !s.accesses)
        goto no_memory;
    for (uint32_t i = 0; i < slots; i++)
        s.accesses[i] = (pod_slot_accesses){POD_NONE, 0, POD_NONE, 0};
    if (!place_all(&s))
        goto no_memory;
    for (uint32_t i = function->count; i-- > 0;)
        move_later(&s, i);
    if (!pod_compile_arrange(&s, made))
        goto no_memory;
    return made;
no_memory:
    pod_lower_no_memory(function->owner);
    return NULL;
}
