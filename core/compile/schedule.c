/*
 * schedule - orders instructions in phases of groups: see instructions.h. Instructions come in an order in
 * which they could run one by one. Each goes into the earliest phase that its dependences allow: the
 * phase of what it needs, if it can share a group with it, else the one after. What it needs is what
 * wrote its operands, and whoever reads or writes the slots that it writes.
 */

#include "base/divisor.h"
#include "base/growth.h"
#include "base/sets.h"
#include "base/sizes.h"
#include "compile/compile_costs.h"
#include "compile/lower.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

typedef struct group_member {
    uint32_t group;      /* it is in */
    uint32_t next;       /* instruction of the group */
    uint32_t successors; /* first in scheduler.edges */
} group_member;

/* A grid of rows. */
typedef struct cut {
    int64_t rows, grain;
} cut;

/* Different grids that a group may have. */
#define GROUP_CUTS 16

typedef struct group {
    uint32_t phase;
    uint32_t first, last; /* instructions, linked by member.next */
    uint32_t count;
    int64_t parts;
    int64_t units; /* of the instruction that has the fewest by itself */
    cut cuts[GROUP_CUTS];
    uint32_t cut_count;
    double cost;
    uint32_t mark; /* 1 + the instruction for which it was last counted */
    bool serial;
} group;

typedef struct edge {
    uint32_t to, next;
    int64_t parts; /* common to both ends; 1: none */
} edge;

/* Who last wrote a slot, and who has read it since. */
typedef struct access {
    uint32_t writer, writer_at; /* instruction, place among its slots */
    uint32_t readers;           /* first in scheduler.readers */
    uint32_t mark;              /* 1 + first instruction of the group that counted it last */
} access;

typedef struct reader {
    uint32_t instruction, at, next;
} reader;

typedef struct scheduler {
    pod_lowered *function;
    group_member *members;
    group *groups;
    uint32_t *parents; /* of each group: sets of those that are one, see base/sets.h */
    uint32_t group_count;
    access *accesses; /* of each slot */
    reader *readers;
    uint32_t reader_count;
    edge *edges;
    uint32_t edge_count, edge_room;
    uint32_t print_phase; /* of the last print */
    uint32_t fail_phase;  /* the first in which everything that may fail is done */
    bool failed;
} scheduler;

static bool is_serial(const pod_instruction *instruction)
{
    return instruction->kind == POD_DO_PRINT || instruction->kind == POD_DO_COND || instruction->kind == POD_DO_WHILE;
}

static double cost_of(const pod_instruction *instruction)
{
    return instruction->row_cost * (double)instruction->rows;
}

static uint32_t group_of(const scheduler *s, uint32_t instruction)
{
    return pod_set_of(s->parents, s->members[instruction].group);
}

static uint32_t phase_of(const scheduler *s, uint32_t instruction)
{
    return s->groups[group_of(s, instruction)].phase;
}

/* ---- dependences ---------------------------------------------------------------------------------- */

/* Adds an edge from an earlier instruction; parts are what both ends can be cut into. */
static void add_edge(scheduler *s, uint32_t from, int64_t from_parts, uint32_t to, int64_t to_parts)
{
    assert(from < to && to < s->function->count && from_parts > 0 && to_parts > 0);
    if (!pod_arena_grow(s->function->owner->scratch, &s->edges, &s->edge_room, (size_t)s->edge_count + 1,
                        (pod_growth){sizeof *s->edges, .first = 256})) {
        s->failed = true;
        return;
    }
    s->edges[s->edge_count] = (edge){to, s->members[from].successors, pod_common_divisor(from_parts, to_parts)};
    s->members[from].successors = s->edge_count++;
}

/* Finds what instruction `index` depends on. Its edges are the last ones added. */
static void find_dependences(scheduler *s, uint32_t index, uint32_t *sources, uint32_t *count)
{
    const pod_instruction *one = s->function->instructions[index];
    pod_instruction **all = s->function->instructions;
    for (uint32_t i = 0; i < one->operand_count + one->result_count; i++) {
        access *a = &s->accesses[pod_lower_base(s->function->owner, one->slots[i])];
        bool writes = i >= one->operand_count;
        if (a->writer != NONE && a->writer != index) {
            add_edge(s, a->writer, all[a->writer]->parts[a->writer_at], index, one->parts[i]);
            sources[(*count)++] = a->writer;
        }
        for (uint32_t r = writes ? a->readers : NONE; r != NONE; r = s->readers[r].next) {
            uint32_t by = s->readers[r].instruction;
            if (by == index)
                continue;
            add_edge(s, by, all[by]->parts[s->readers[r].at], index, one->parts[i]);
            sources[(*count)++] = by;
        }
    }
}

static void note_accesses(scheduler *s, uint32_t index)
{
    const pod_instruction *one = s->function->instructions[index];
    for (uint32_t i = 0; i < one->operand_count + one->result_count; i++) {
        access *a = &s->accesses[pod_lower_base(s->function->owner, one->slots[i])];
        if (i < one->operand_count) {
            s->readers[s->reader_count] = (reader){index, i, a->readers};
            a->readers = s->reader_count++;
        } else {
            *a = (access){index, i, NONE, 0};
        }
    }
}

/* ---- groups --------------------------------------------------------------------------------------- */

/* Parts of a unit: so many that every instruction's grain divides its rows. */
static int64_t unit_grain(const group *g, int64_t parts)
{
    int64_t grain = 1;
    for (uint32_t i = 0; i < g->cut_count; i++)
        while (grain < parts && grain * (g->cuts[i].rows / parts) % g->cuts[i].grain != 0)
            grain *= 2;
    return grain < parts ? grain : parts;
}

/* Whether the instructions of a group can be cut into so many parts, of which units have at least `grain`, for as
 * many threads as before. */
static bool can_cut_by(const group *g, int64_t parts, int64_t grain)
{
    int64_t wanted = g->units < POD_WANTED_UNITS ? g->units : POD_WANTED_UNITS;
    int64_t units = pod_part_count(parts, grain);
    bool is_short = units >= POD_FEWEST_UNITS && g->cost < POD_SHORT_NANOSECONDS * (double)units;
    return parts > 1 && (units >= wanted || is_short);
}

static bool can_cut(const group *g, int64_t parts)
{
    return can_cut_by(g, parts, unit_grain(g, parts));
}

static void add_cut(group *g, const cut *more)
{
    for (uint32_t i = 0; i < g->cut_count; i++)
        if (g->cuts[i].rows == more->rows && g->cuts[i].grain == more->grain)
            return;
    assert(g->cut_count < GROUP_CUTS);
    g->cuts[g->cut_count++] = *more;
}

static uint32_t join(scheduler *s, uint32_t first, uint32_t second, int64_t parts)
{
    group *a = &s->groups[first], *b = &s->groups[second];
    assert(a->phase == b->phase && !a->serial && !b->serial && parts > 0);
    pod_set_join(s->parents, first, second);
    s->members[a->last].next = b->first;
    a->last = b->last;
    a->count += b->count;
    a->cost += b->cost;
    a->units = a->units < b->units ? a->units : b->units;
    for (uint32_t i = 0; i < b->cut_count; i++)
        add_cut(a, &b->cuts[i]);
    a->parts = parts;
    return first;
}

static uint32_t new_group(scheduler *s, uint32_t index, uint32_t phase)
{
    const pod_instruction *one = s->function->instructions[index];
    uint32_t made = s->group_count++;
    cut own = {one->rows > 0 ? one->rows : 1, one->grain};
    s->parents[made] = made;
    s->groups[made] = (group){.phase = phase,
                              .first = index,
                              .last = index,
                              .count = 1,
                              .parts = own.rows,
                              .units = pod_part_count(own.rows, own.grain),
                              .cuts = {own},
                              .cut_count = 1,
                              .cost = cost_of(one),
                              .serial = is_serial(one)};
    s->members[index].group = made;
    s->members[index].next = NONE;
    return made;
}

/* ---- phases --------------------------------------------------------------------------------------- */

/* What an instruction must wait for besides its operands. */
static uint32_t first_phase(scheduler *s, uint32_t index)
{
    const pod_instruction *one = s->function->instructions[index];
    const pod_slot *slots = s->function->owner->slots;
    uint32_t phase = one->kind == POD_DO_PRINT ? s->print_phase : 0;
    for (uint32_t i = 0; i < one->result_count; i++) {
        uint32_t base = pod_lower_base(s->function->owner, one->slots[one->operand_count + i]);
        if (slots[base].kind == POD_SLOT_PARAMETER && s->fail_phase > phase)
            phase = s->fail_phase;
    }
    return phase;
}

/* Whether a group runs on one thread, or may. */
static bool is_alone(const group *g)
{
    return g->parts == 1 || g->units == 1 || g->cost < POD_ALONE_NANOSECONDS;
}

/* The parts into which `own` and the groups of its phase that it depends on, none of them serial, can be cut
 * together; 0 when they cannot be one group. */
static int64_t common_parts(scheduler *s, group *own, const uint32_t *sources, uint32_t count, uint32_t first_edge)
{
    int64_t parts = own->parts;
    double cost = own->cost;
    bool alone = is_alone(own);
    uint32_t longer = 0; /* groups that other threads could run meanwhile */
    uint32_t mark = own->first + 1, cuts = own->cut_count;
    for (uint32_t i = 0; i < count; i++) {
        group *other = &s->groups[group_of(s, sources[i])];
        if (other->phase != own->phase)
            continue;
        parts = pod_common_divisor(pod_common_divisor(parts, other->parts), s->edges[first_edge + i].parts);
        cost += other->mark == mark ? 0 : other->cost;
        alone = alone && is_alone(other);
        longer += other->mark != mark && other->cost >= POD_ALONE_NANOSECONDS;
        cuts += other->mark == mark ? 0 : other->cut_count;
        other->mark = mark;
    }
    if (cuts > GROUP_CUTS)
        return 0;
    if (cost < POD_TINY_NANOSECONDS)
        return parts;
    if (alone && longer < 2)
        return 1;
    /* Grains are powers of two: the largest is that of all together. */
    int64_t grain = unit_grain(own, parts);
    for (uint32_t i = 0; i < count; i++) {
        const group *other = &s->groups[group_of(s, sources[i])];
        int64_t its = other->phase == own->phase ? unit_grain(other, parts) : 1;
        grain = its > grain ? its : grain;
    }
    bool can = can_cut_by(own, parts, grain);
    for (uint32_t i = 0; can && i < count; i++) {
        const group *other = &s->groups[group_of(s, sources[i])];
        can = other->phase != own->phase || can_cut_by(other, parts, grain);
    }
    return can ? parts : 0;
}

static bool has_source_in(const scheduler *s, uint32_t phase, const uint32_t *sources, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (phase_of(s, sources[i]) == phase)
            return true;
    return false;
}

/* Gives an instruction its phase and group, those of what it depends on being known. */
static void place(scheduler *s, uint32_t index, const uint32_t *sources, uint32_t count, uint32_t first_edge)
{
    uint32_t own = new_group(s, index, first_phase(s, index));
    group *g = &s->groups[own];
    for (uint32_t i = 0; i < count; i++) {
        const group *source = &s->groups[group_of(s, sources[i])];
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
        uint32_t other = group_of(s, sources[i]);
        own = group_of(s, index);
        if (other != own && s->groups[other].phase == s->groups[own].phase)
            join(s, other, own, parts);
    }
    s->groups[group_of(s, index)].parts = parts;
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

static bool place_all(scheduler *s)
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
        s->members[i].successors = NONE;
        find_dependences(s, i, sources, &count);
        if (s->failed)
            return false;
        place(s, i, sources, count, first_edge);
        note_accesses(s, i);
        uint32_t done = phase_of(s, i) + 1;
        if (one->may_fail && done > s->fail_phase)
            s->fail_phase = done;
        if (one->kind == POD_DO_PRINT)
            s->print_phase = done - 1;
    }
    return !s->failed;
}

/* ---- later, where it is used ----------------------------------------------------------------------- */

/* Moves an instruction that stands alone into the later phase where what it makes is first needed, when
 * it can share a group there: its rows are then fresh in the cache. */
static void move_later(scheduler *s, uint32_t index)
{
    uint32_t own = group_of(s, index), first = NONE;
    group *g = &s->groups[own];
    if (g->serial || g->count > 1 || s->function->instructions[index]->may_fail)
        return;
    for (uint32_t e = s->members[index].successors; e != NONE; e = s->edges[e].next) {
        uint32_t phase = phase_of(s, s->edges[e].to);
        first = phase < first ? phase : first;
    }
    if (first == NONE || first <= g->phase)
        return;
    int64_t parts = g->parts;
    uint32_t cuts = g->cut_count;
    for (uint32_t e = s->members[index].successors; e != NONE; e = s->edges[e].next) {
        const group *to = &s->groups[group_of(s, s->edges[e].to)];
        if (to->phase != first)
            continue;
        parts = to->serial ? 1 : pod_common_divisor(pod_common_divisor(parts, to->parts), s->edges[e].parts);
        cuts += to->cut_count;
    }
    if (!can_cut(g, parts) || cuts > GROUP_CUTS)
        return;
    for (uint32_t e = s->members[index].successors; e != NONE; e = s->edges[e].next) {
        const group *to = &s->groups[group_of(s, s->edges[e].to)];
        if (to->phase == first && !can_cut(to, parts))
            return;
    }
    g->phase = first;
    for (uint32_t e = s->members[index].successors; e != NONE; e = s->edges[e].next) {
        uint32_t other = group_of(s, s->edges[e].to);
        own = group_of(s, index);
        if (other != own && s->groups[other].phase == first)
            join(s, other, own, parts);
    }
    s->groups[group_of(s, index)].parts = parts;
}

/* ---- the function ---------------------------------------------------------------------------------- */

typedef struct place_in_order {
    uint32_t phase, serial, group_first, index;
} place_in_order;

static int compare_places(const void *a, const void *b)
{
    const place_in_order *x = a, *y = b;
    if (x->phase != y->phase)
        return x->phase < y->phase ? -1 : 1;
    if (x->serial != y->serial)
        return x->serial < y->serial ? -1 : 1;
    if (x->group_first != y->group_first)
        return x->group_first < y->group_first ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Bytes of a part that the instructions of a group touch, each slot counted once. */
static uint64_t bytes_of_part(const scheduler *s, const group *g)
{
    uint64_t bytes = 1;
    const pod_slot *slots = s->function->owner->slots;
    uint32_t mark = g->first + 1;
    for (uint32_t i = g->first; i != NONE; i = s->members[i].next) {
        const pod_instruction *one = s->function->instructions[i];
        for (uint32_t j = 0; j < one->operand_count + one->result_count; j++) {
            uint32_t base = pod_lower_base(s->function->owner, one->slots[j]);
            if (one->parts[j] > 1 && s->accesses[base].mark != mark)
                bytes += slots[base].bytes / (uint64_t)g->parts;
            s->accesses[base].mark = mark;
        }
    }
    return bytes;
}

int64_t pod_pass_parts(const pod_instruction *one, int64_t parts)
{
    if (one->kind != POD_DO_PRODUCT || one->product.outer > 1 || one->product.by_columns)
        return 1;
    int64_t wanted = one->product.kernels->pass_rows * parts / one->rows;
    return wanted > 1 ? wanted : 1;
}

/* Parts with as many rows as products of the group want for a pass over b: with more of them, what lies between the
 * products would leave the cache. */
static int64_t pass_of(const scheduler *s, const group *g)
{
    int64_t parts = 1;
    for (uint32_t i = g->first; i != NONE; i = s->members[i].next) {
        int64_t wanted = pod_pass_parts(s->function->instructions[i], g->parts);
        parts = wanted > parts ? wanted : parts;
    }
    return parts;
}

/* Parts taken at a time. */
static int64_t chunk_of(const scheduler *s, const group *g, int64_t grain)
{
    int64_t by_bytes = g->count > 1 ? (int64_t)(POD_CHUNK_BYTES / bytes_of_part(s, g)) : g->parts;
    int64_t by_time = (int64_t)(POD_CHUNK_NANOSECONDS / (g->cost / (double)g->parts + 1e-9));
    int64_t chunk = by_bytes < by_time ? by_bytes : by_time, pass = pass_of(s, g);
    chunk = chunk > pass ? chunk : pass;
    return chunk > grain ? chunk / grain * grain : grain;
}

static pod_group finish_group(const scheduler *s, const group *g, uint32_t first)
{
    int64_t grain = unit_grain(g, g->parts);
    assert(grain > 0 && g->parts > 0);
    return (pod_group){
        .first = first,
        .parts = g->parts,
        .grain = grain,
        .chunk = chunk_of(s, g, grain),
        .unit_cost = g->cost / (double)g->parts * (double)grain + 1,
    };
}

static bool writes_parameter(const scheduler *s, const pod_instruction *one)
{
    for (uint32_t i = 0; i < one->result_count; i++) {
        uint32_t base = pod_lower_base(s->function->owner, one->slots[one->operand_count + i]);
        if (s->function->owner->slots[base].kind == POD_SLOT_PARAMETER)
            return true;
    }
    return false;
}

static void write_out(const scheduler *s, const place_in_order *order, pod_function *made)
{
    const place_in_order *before = NULL;
    bool commits = false;
    for (uint32_t i = 0; i < s->function->count; i++) {
        const place_in_order *at = &order[i];
        assert(!before || compare_places(before, at) < 0);
        pod_instruction *one = s->function->instructions[at->index];
        bool new_phase = !before || before->phase != at->phase || before->serial != at->serial;
        if (new_phase)
            made->phases[made->phase_count++] = (pod_phase){.first = made->group_count, .serial = at->serial > 0};
        pod_phase *phase = &made->phases[made->phase_count - 1];
        if (new_phase || before->group_first != at->group_first) {
            pod_group done = finish_group(s, &s->groups[group_of(s, at->index)], i);
            int64_t units = pod_part_count(done.parts, done.grain);
            done.cost_before = phase->cost;
            phase->cost += done.unit_cost * (double)units;
            phase->count++;
            made->groups[made->group_count++] = done;
        }
        made->groups[made->group_count - 1].count++;
        commits = commits || writes_parameter(s, one);
        phase->commits = commits;
        one->phase = made->phase_count - 1;
        made->instructions[made->instruction_count++] = one;
        before = at;
    }
}

static bool arrange(const scheduler *s, pod_function *made)
{
    uint32_t count = s->function->count;
    pod_arena *memory = s->function->owner->memory;
    place_in_order *order = pod_arena_array(s->function->owner->scratch, count, sizeof *order);
    made->instructions = pod_arena_array(memory, count, sizeof *made->instructions);
    made->groups = pod_arena_array(memory, count, sizeof *made->groups);
    made->phases = pod_arena_array(memory, count, sizeof *made->phases);
    uint32_t *firsts = pod_arena_array(s->function->owner->scratch, count, sizeof *firsts);
    if (!order || !made->instructions || !made->groups || !made->phases || !firsts)
        return false;
    for (uint32_t i = count; i-- > 0;)
        firsts[group_of(s, i)] = i;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = group_of(s, i);
        /* What is entered together stands alone, in its order. */
        uint32_t serial = s->groups[at].serial ? i + 1 : 0;
        order[i] = (place_in_order){s->groups[at].phase, serial, firsts[at], i};
    }
    qsort(order, count, sizeof *order, compare_places);
    write_out(s, order, made);
    return true;
}

pod_function *pod_schedule(pod_lowered *function)
{
    pod_arena *scratch = function->owner->scratch;
    uint32_t slots = function->owner->slot_count;
    scheduler s = {.function = function};
    pod_function *made = pod_arena_array(function->owner->memory, 1, sizeof *made);
    s.members = pod_arena_array(scratch, function->count, sizeof *s.members);
    s.groups = pod_arena_array(scratch, function->count, sizeof *s.groups);
    s.parents = pod_arena_array(scratch, function->count, sizeof *s.parents);
    s.accesses = pod_arena_array(scratch, slots, sizeof *s.accesses);
    if (!made || !s.members || !s.groups || !s.parents || !s.accesses)
        goto no_memory;
    for (uint32_t i = 0; i < slots; i++)
        s.accesses[i] = (access){NONE, 0, NONE, 0};
    if (!place_all(&s))
        goto no_memory;
    for (uint32_t i = function->count; i-- > 0;)
        move_later(&s, i);
    if (!arrange(&s, made))
        goto no_memory;
    return made;
no_memory:
    pod_lower_no_memory(function->owner);
    return NULL;
}
