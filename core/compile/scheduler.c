/* scheduler - see scheduler.h. */

#include "compile/scheduler.h"
#include "base/sets.h"
#include "base/sizes.h"
#include "compile/compile_costs.h"

#include <assert.h>

static double cost_of(const pod_instruction *instruction)
{
    return instruction->row_cost * (double)instruction->rows;
}

uint32_t pod_compile_group_of(const pod_scheduler *s, uint32_t instruction)
{
    return pod_set_of(s->parents, s->members[instruction].group);
}

uint32_t pod_compile_phase_of(const pod_scheduler *s, uint32_t instruction)
{
    return s->groups[pod_compile_group_of(s, instruction)].phase;
}

int64_t pod_compile_unit_parts(const pod_open_group *g, int64_t parts)
{
    int64_t unit = 1;
    for (uint32_t i = 0; i < g->cut_count; i++)
        while (unit < parts && unit * (g->cuts[i].rows / parts) % g->cuts[i].unit != 0)
            unit *= 2;
    return unit < parts ? unit : parts;
}

bool pod_compile_can_cut_by(const pod_open_group *g, int64_t parts, int64_t unit)
{
    int64_t wanted = g->units < POD_WANTED_UNITS ? g->units : POD_WANTED_UNITS;
    int64_t units = pod_part_count(parts, unit);
    bool is_short = units >= POD_FEWEST_UNITS && g->cost < POD_SHORT_NANOSECONDS * (double)units;
    return parts > 1 && (units >= wanted || is_short);
}

bool pod_compile_can_cut(const pod_open_group *g, int64_t parts)
{
    return pod_compile_can_cut_by(g, parts, pod_compile_unit_parts(g, parts));
}

static void add_cut(pod_open_group *g, const pod_row_cut *more)
{
    for (uint32_t i = 0; i < g->cut_count; i++)
        if (g->cuts[i].rows == more->rows && g->cuts[i].unit == more->unit)
            return;
    assert(g->cut_count < POD_GROUP_CUTS);
    g->cuts[g->cut_count++] = *more;
}

uint32_t pod_compile_join_groups(pod_scheduler *s, uint32_t first, uint32_t second, int64_t parts)
{
    pod_open_group *a = &s->groups[first], *b = &s->groups[second];
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

uint32_t pod_compile_new_group(pod_scheduler *s, uint32_t index, uint32_t phase)
{
    const pod_instruction *one = s->function->instructions[index];
    uint32_t made = s->group_count++;
    pod_row_cut own = {one->rows > 0 ? one->rows : 1, one->unit};
    s->parents[made] = made;
    s->groups[made] = (pod_open_group){.phase = phase,
                                       .first = index,
                                       .last = index,
                                       .count = 1,
                                       .parts = own.rows,
                                       .units = pod_part_count(own.rows, own.unit),
                                       .cuts = {own},
                                       .cut_count = 1,
                                       .cost = cost_of(one),
                                       .serial = pod_instruction_is_serial(one)};
    s->members[index].group = made;
    s->members[index].next = POD_NONE;
    return made;
}
