/* arrange - writes the phases and groups of a function down, and decides how groups are cut: see scheduler.h. */

#include "base/sizes.h"
#include "compile/compile_costs.h"
#include "compile/scheduler.h"

#include <assert.h>
#include <stdlib.h>

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
static uint64_t bytes_of_part(const pod_scheduler *s, const pod_open_group *g)
{
    uint64_t bytes = 1;
    const pod_slot *slots = s->function->owner->slots;
    uint32_t mark = g->first + 1;
    for (uint32_t i = g->first; i != POD_NONE; i = s->members[i].next) {
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

int64_t pod_compile_pass_parts(const pod_instruction *one, int64_t parts)
{
    if (one->kind != POD_DO_PRODUCT || one->product.outer > 1 || one->product.by_columns)
        return 1;
    int64_t wanted = one->product.kernels->pass_rows * parts / one->rows;
    return wanted > 1 ? wanted : 1;
}

/* Parts with as many rows as products of the group want for a pass over b: with more of them, what lies between the
 * products would leave the cache. */
static int64_t pass_of(const pod_scheduler *s, const pod_open_group *g)
{
    int64_t parts = 1;
    for (uint32_t i = g->first; i != POD_NONE; i = s->members[i].next) {
        int64_t wanted = pod_compile_pass_parts(s->function->instructions[i], g->parts);
        parts = wanted > parts ? wanted : parts;
    }
    return parts;
}

/* Parts taken at a time. */
static int64_t chunk_of(const pod_scheduler *s, const pod_open_group *g, int64_t unit)
{
    int64_t by_bytes = g->count > 1 ? (int64_t)(POD_CHUNK_BYTES / bytes_of_part(s, g)) : g->parts;
    int64_t by_time = (int64_t)(POD_CHUNK_NANOSECONDS / (g->cost / (double)g->parts + 1e-9));
    int64_t chunk = by_bytes < by_time ? by_bytes : by_time, pass = pass_of(s, g);
    chunk = chunk > pass ? chunk : pass;
    return chunk > unit ? chunk / unit * unit : unit;
}

static pod_group finish_group(const pod_scheduler *s, const pod_open_group *g, uint32_t first)
{
    int64_t unit = pod_compile_unit_parts(g, g->parts);
    assert(unit > 0 && g->parts > 0);
    return (pod_group){
        .first = first,
        .parts = g->parts,
        .unit = unit,
        .chunk = chunk_of(s, g, unit),
        .unit_cost = g->cost / (double)g->parts * (double)unit + 1,
    };
}

static bool writes_parameter(const pod_scheduler *s, const pod_instruction *one)
{
    for (uint32_t i = 0; i < one->result_count; i++) {
        uint32_t base = pod_lower_base(s->function->owner, one->slots[one->operand_count + i]);
        if (s->function->owner->slots[base].kind == POD_SLOT_PARAMETER)
            return true;
    }
    return false;
}

static void write_out(const pod_scheduler *s, const place_in_order *order, pod_function *made)
{
    const place_in_order *before = NULL;
    bool commits = false;
    for (uint32_t i = 0; i < s->function->count; i++) {
        const place_in_order *at = &order[i];
        assert(!before || compare_places(before, at) < 0);
        pod_instruction *one = s->function->instructions[at->index];
        bool new_phase = !before || before->phase != at->phase || before->serial != at->serial;
        if (new_phase)
            made->phases[made->phase_count++] =
                (pod_phase){.first = made->group_count, .serial = at->serial > 0, .piece_cost = POD_PIECE_NANOSECONDS};
        pod_phase *phase = &made->phases[made->phase_count - 1];
        if (new_phase || before->group_first != at->group_first) {
            const pod_open_group *open = &s->groups[pod_compile_group_of(s, at->index)];
            pod_group done = finish_group(s, open, i);
            int64_t units = pod_part_count(done.parts, done.unit);
            done.cost_before = phase->cost;
            phase->cost += done.unit_cost * (double)units;
            const double pass = open->cost / (double)open->parts * (double)pass_of(s, open);
            phase->piece_cost = pass > phase->piece_cost ? pass : phase->piece_cost;
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

bool pod_compile_arrange(const pod_scheduler *s, pod_function *made)
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
        firsts[pod_compile_group_of(s, i)] = i;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = pod_compile_group_of(s, i);
        /* What is entered together stands alone, in its order. */
        uint32_t serial = s->groups[at].serial ? i + 1 : 0;
        order[i] = (place_in_order){s->groups[at].phase, serial, firsts[at], i};
    }
    qsort(order, count, sizeof *order, compare_places);
    write_out(s, order, made);
    return true;
}
