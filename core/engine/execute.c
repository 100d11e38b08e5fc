/* execute - see execute.h. Here: phases, shares of threads, barriers and failures. */

#include "engine/execute.h"
#include "base/sizes.h"
#include "engine/engine_costs.h"
#include "engine/times.h"

#include "base/workers.h"

#include <assert.h>
#include <uv.h>

static const pod_task tasks[POD_DO_COUNT] = {
    [POD_DO_KERNEL] = pod_run_kernel,
    [POD_DO_COPY] = pod_run_copy,
    [POD_DO_LOOP] = pod_run_loop,
    [POD_DO_COMBINE] = pod_run_combine,
    [POD_DO_PACK] = pod_run_pack,
    [POD_DO_PRODUCT] = pod_run_product,
    [POD_DO_CONVOLUTION] = pod_run_convolution,
    [POD_DO_CROSS_ENTROPY] = pod_run_cross_entropy,
    [POD_DO_CHECK] = pod_run_check,
    [POD_DO_REDUCE] = pod_run_reduce,
};

static const pod_serial_task serial_tasks[POD_DO_COUNT] = {
    [POD_DO_PRINT] = pod_run_print,
    [POD_DO_COND] = pod_run_cond,
    [POD_DO_WHILE] = pod_run_while,
    [POD_DO_MEET] = pod_run_meet,
};

/* The first unit of a group that belongs to the share which begins at `cost` of the phase. */
static int64_t unit_at(const pod_group *group, double cost, int64_t units)
{
    assert(group->unit_cost > 0 && units > 0);
    double unit = (cost - group->cost_before) / group->unit_cost;
    if (!(unit > 0))
        return 0;
    return unit >= (double)units ? units : (int64_t)unit + ((double)(int64_t)unit < unit);
}

/* Does a task, and counts its time. Those of regions count with the instruction that runs them. */
static bool run_task(pod_worker *worker, const pod_function *function, uint32_t index, int64_t begin, int64_t end)
{
    const pod_instruction *one = function->instructions[index];
    assert(index < function->instruction_count && begin <= end && end <= (one->rows > 0 ? one->rows : 1));
    if (!worker->times || function != worker->run->program->function)
        return tasks[one->kind](worker, one, begin, end);
    bool done = tasks[one->kind](worker, one, begin, end);
    pod_run_times_count(worker, index, end - begin);
    return done;
}

/* Takes parts begin .. end - 1 of a group through a subgroup, some of the subgroup's parts at a time. */
static bool run_subgroup(pod_worker *worker, const pod_function *function, const pod_group *group,
                         const pod_subgroup *subgroup, int64_t begin, int64_t end)
{
    int64_t finer = subgroup->parts / group->parts, stop;
    assert(subgroup->parts % group->parts == 0 && subgroup->chunk > 0);
    end *= finer;
    for (int64_t part = begin * finer; part < end; part = stop) {
        stop = end - part < subgroup->chunk ? end : part + subgroup->chunk;
        worker->first[1] = part;
        for (uint32_t i = subgroup->first; i < subgroup->first + subgroup->count; i++) {
            int64_t rows = function->instructions[i]->rows / subgroup->parts; /* of a part */
            if (!run_task(worker, function, i, part * rows, stop * rows))
                return false;
        }
    }
    return true;
}

/* Takes parts begin .. end - 1 through all instructions of a group, some at a time. */
static bool run_parts(pod_worker *worker, const pod_function *function, const pod_group *group, int64_t begin,
                      int64_t end)
{
    for (int64_t part = begin; part < end; part += group->chunk) {
        int64_t stop = end - part < group->chunk ? end : part + group->chunk;
        if (pod_run_is_stopped(worker))
            return false;
        worker->first[0] = part;
        for (uint32_t i = 0; i < group->subgroup_count; i++)
            if (!run_subgroup(worker, function, group, &group->subgroups[i], part, stop))
                return false;
        const pod_subgroup all = {group->first, group->count, group->parts, group->chunk};
        if (!group->subgroup_count && !run_subgroup(worker, function, group, &all, part, stop))
            return false;
    }
    return true;
}

/* How each thread's share of a phase is cut: in `even` pieces, of which the last is halved `halvings` times, so that
 * what threads wait for at the end is a small one. A share of no more than the least piece is not halved: each half
 * would read a product's right operand again. */
typedef struct cut_share {
    int even, halvings;
} cut_share;

static cut_share cut(const pod_phase *phase, int threads)
{
    const double share = phase->cost / threads, most = share / phase->piece_cost;
    cut_share made = {most < 1 ? 1 : most < POD_MOST_PIECES ? (int)most : POD_MOST_PIECES, 0};
    const bool is_long = most > POD_LEAST_HALVED;
    const double part = phase->piece_cost * POD_LAST_PIECE;
    const double least = part > POD_LAST_PIECE_NANOSECONDS ? part : POD_LAST_PIECE_NANOSECONDS;
    for (double last = share / made.even / 2; is_long && last >= least && made.halvings < POD_MOST_PIECES; last /= 2)
        made.halvings++;
    return made;
}

/* Where a piece begins, in shares. */
static double border(cut_share pieces, int piece)
{
    const int count = pieces.even + pieces.halvings, at = piece % count, beyond = at - (pieces.even - 1);
    const double within = beyond <= 0 ? at : pieces.even - 1.0 / (1 << beyond);
    return piece / count + within / pieces.even;
}

/* Does a piece of a phase, all of which are cut by cost, at borders of units. */
static bool run_piece(pod_worker *worker, const pod_function *function, const pod_phase *phase, cut_share pieces,
                      int piece)
{
    const int last = worker->count * (pieces.even + pieces.halvings) - 1;
    const double share = phase->cost / worker->count;
    const double low = share * border(pieces, piece), high = share * border(pieces, piece + 1);
    assert(piece >= 0 && piece <= last);
    for (uint32_t i = 0; i < phase->count; i++) {
        const pod_group *group = &function->groups[phase->first + i];
        int64_t units = pod_part_count(group->parts, group->unit);
        int64_t begin = piece == 0 ? 0 : unit_at(group, low, units);
        int64_t end = piece == last ? units : unit_at(group, high, units);
        if (begin >= end)
            continue;
        int64_t stop = end * group->unit < group->parts ? end * group->unit : group->parts;
        if (!run_parts(worker, function, group, begin * group->unit, stop))
            return false;
    }
    return true;
}

/* Does pieces of a phase as long as there are any: those of this thread's share, then what is left of others'. */
static bool run_phase(pod_worker *worker, const pod_function *function, const pod_phase *phase)
{
    if (worker->count == 1)
        return run_piece(worker, function, phase, (cut_share){1, 0}, 0);
    const cut_share pieces = cut(phase, worker->count);
    while (pod_run_claim(worker, pieces.even + pieces.halvings)) {
        pod_run_advance_meetings(worker);
        if (!run_piece(worker, function, phase, pieces, worker->piece))
            return false;
    }
    return true;
}

/* The number of small phases from `first` on. The last phase is none: it ends with the step's own completion. */
static uint32_t count_small(const pod_function *function, uint32_t first)
{
    uint32_t count = 0;
    while (first + count + 1 < function->phase_count) {
        const pod_phase *phase = &function->phases[first + count];
        if (phase->serial || phase->commits || phase->cost > POD_SMALL_NANOSECONDS)
            break;
        count++;
    }
    return count;
}

uint32_t pod_run_small_phases(const pod_function *function)
{
    return count_small(function, 0);
}

/* Small phases, and where they are. */
typedef struct small_phases {
    const pod_function *function;
    uint32_t first, count;
} small_phases;

static void run_small(pod_worker *worker, const void *argument)
{
    const small_phases *small = argument;
    int threads = worker->count;
    worker->count = 1; /* all shares are this thread's */
    for (uint32_t i = 0; i < small->count; i++)
        if (!run_phase(worker, small->function, &small->function->phases[small->first + i]))
            break;
    worker->count = threads;
}

uint32_t pod_run_execute_small(pod_worker *worker, const pod_function *function)
{
    small_phases small = {function, 0, count_small(function, 0)};
    run_small(worker, &small);
    return small.count;
}

static bool run_serial(pod_worker *worker, const pod_function *function, const pod_phase *phase)
{
    assert(phase->count == 1);
    const pod_group *group = &function->groups[phase->first];
    const pod_instruction *one = function->instructions[group->first];
    if (!worker->times || function != worker->run->program->function)
        return serial_tasks[one->kind](worker, one);
    const pod_lane_state outer = pod_run_times_enter(worker, POD_PART_COMPUTE);
    const bool done = serial_tasks[one->kind](worker, one);
    const uint64_t took =
        pod_run_times_leave(worker, outer, (pod_profile_event){.kind = POD_EVENT_INSTRUCTION, .index = group->first});
    pod_trace_add(&worker->times->instructions[group->first].nanoseconds, took);
    pod_trace_add(&worker->times->instructions[group->first].runs, 1);
    return done;
}

/* Holds what comes between two phases: small phases, which thread 0 runs, and perhaps the end of a slice of time. */
typedef struct gap {
    small_phases small;
    bool pauses;   /* whether the run may pause here */
    uint32_t next; /* the phase behind */
} gap;

static void pass_gap(pod_worker *worker, const void *argument)
{
    const gap *between = argument;
    run_small(worker, &between->small);
}

/* On thread 0, before the barrier of a gap: says whether the slice ends there. The others read it behind the barrier,
 * when thread 0 may have come to the next one, so it is told by its number. */
static void look_at_time(pod_worker *worker, const gap *between)
{
    pod_run *run = worker->run;
    if (between->pauses && worker->index == 0 && pod_run_slice_is_over(run))
        atomic_store_explicit(&run->paused_barrier, worker->barrier, memory_order_relaxed);
}

/* Returns whether the slice has ended at a barrier that nobody has failed before. */
static bool pauses_at(pod_worker *worker, const gap *between, uint64_t barrier)
{
    pod_run *run = worker->run;
    if (!between->pauses || atomic_load_explicit(&run->paused_barrier, memory_order_relaxed) != barrier)
        return false;
    if (worker->index == 0) {
        run->phase = between->next;
        run->commits = worker->commits;
        run->paused = true;
    }
    return true;
}

/* The gap behind phase `at`. */
static gap find_gap(const pod_worker *worker, const pod_function *function, uint32_t at)
{
    gap found = {{function, at + 1, worker->alone ? 0 : count_small(function, at + 1)}, false, 0};
    found.next = at + 1 + found.small.count;
    found.pauses =
        worker->run->deadline != 0 && function == worker->run->program->function && found.next < function->phase_count;
    return found;
}

bool pod_run_execute_from(pod_worker *worker, const pod_function *function, uint32_t first, const pod_completion *last)
{
    bool commits = worker->commits;
    assert(first <= function->phase_count);
    if (first == function->phase_count)
        return pod_run_barrier(worker, last);
    for (uint32_t i = first; i < function->phase_count; i++) {
        const pod_phase *phase = &function->phases[i];
        worker->commits = worker->commits || phase->commits;
        const gap between = find_gap(worker, function, i);
        pod_run_advance_meetings(worker);
        const pod_completion completion = {pass_gap, &between};
        if (!phase->serial)
            run_phase(worker, function, phase);
        else if (!run_serial(worker, function, phase))
            return false;
        const uint64_t barrier = worker->barrier;
        look_at_time(worker, &between);
        if (!pod_run_barrier(worker, i + 1 == function->phase_count ? last
                                     : between.small.count          ? &completion
                                                                    : NULL) ||
            pauses_at(worker, &between, barrier))
            return false;
        i += between.small.count;
    }
    worker->commits = commits;
    return true;
}

bool pod_run_execute(pod_worker *worker, const pod_function *function)
{
    return pod_run_execute_from(worker, function, 0, NULL);
}
