/* execute - see execute.h. Here: phases, shares of threads, meetings and failures. */

#include "engine/execute.h"
#include "engine/times.h"

#include "base/workers.h"

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
};

void *pod_slot_memory(const pod_worker *worker, uint32_t slot)
{
    return worker->run->program->pointers[slot];
}

void pod_fail(pod_worker *worker, pod_status status)
{
    if (worker->status != POD_OK)
        return;
    worker->status = status;
    worker->status_meeting = worker->meeting;
    if (worker->alone)
        return;
    uint64_t known = atomic_load_explicit(&worker->run->failed_meeting, memory_order_relaxed);
    while (worker->meeting < known &&
           !atomic_compare_exchange_weak(&worker->run->failed_meeting, &known, worker->meeting))
        ;
}

bool pod_meet(pod_worker *worker)
{
    if (worker->alone)
        return worker->status == POD_OK;
    uint64_t meeting = worker->meeting++;
    uint64_t began = worker->times ? uv_hrtime() : 0;
    if (worker->count > 1)
        pod_workers_barrier(worker->run->program->context);
    if (worker->times)
        worker->times->waiting += uv_hrtime() - began;
    return atomic_load_explicit(&worker->run->failed_meeting, memory_order_relaxed) > meeting;
}

/* A step that is interrupted has this long to end by itself. */
#define PATIENCE_NANOSECONDS 300000000u

bool pod_is_stopped(pod_worker *worker)
{
    if (worker->commits || !pod_context_is_interrupted(worker->run->program->context) ||
        uv_hrtime() - worker->run->step_began < PATIENCE_NANOSECONDS)
        return false;
    pod_fail(worker, POD_ERROR_INTERRUPTED);
    return true;
}

/* The first unit of a group that belongs to the share which begins at `cost` of the phase. */
static int64_t unit_at(const pod_group *group, double cost, int64_t units)
{
    double place = (cost - group->cost_before) / group->unit_cost;
    if (!(place > 0))
        return 0;
    return place >= (double)units ? units : (int64_t)place + ((double)(int64_t)place < place);
}

/* Does a task, and counts its time. Those of regions count with the instruction that runs them. */
static bool run_task(pod_worker *worker, const pod_function *function, uint32_t index,
                     int64_t begin, int64_t end)
{
    const pod_instruction *one = function->instructions[index];
    if (!worker->times || function != worker->run->program->function)
        return tasks[one->kind](worker, one, begin, end);
    uint64_t began = uv_hrtime();
    bool done = tasks[one->kind](worker, one, begin, end);
    worker->times->instructions[index].nanoseconds += uv_hrtime() - began;
    worker->times->instructions[index].runs++;
    return done;
}

/* Takes parts begin .. end - 1 through all instructions of a group, some at a time. */
static bool run_parts(pod_worker *worker, const pod_function *function, const pod_group *group,
                      int64_t begin, int64_t end)
{
    for (int64_t part = begin; part < end; part += group->chunk) {
        int64_t stop = end - part < group->chunk ? end : part + group->chunk;
        if (pod_is_stopped(worker))
            return false;
        for (uint32_t i = 0; i < group->count; i++) {
            const pod_instruction *one = function->instructions[group->first + i];
            int64_t rows = one->rows / group->parts; /* of a part */
            if (!run_task(worker, function, group->first + i, part * rows, stop * rows))
                return false;
        }
    }
    return true;
}

/* Does this thread's share of a phase: shares are cut by cost, at borders of units. */
static bool run_phase(pod_worker *worker, const pod_function *function, const pod_phase *phase)
{
    double low = phase->cost * worker->index / worker->count;
    double high = phase->cost * (worker->index + 1) / worker->count;
    for (uint32_t i = 0; i < phase->count; i++) {
        const pod_group *group = &function->groups[phase->first + i];
        int64_t units = (group->parts + group->grain - 1) / group->grain;
        int64_t begin = worker->index == 0 ? 0 : unit_at(group, low, units);
        int64_t end = worker->index == worker->count - 1 ? units : unit_at(group, high, units);
        if (begin >= end)
            continue;
        int64_t stop = end * group->grain < group->parts ? end * group->grain : group->parts;
        if (!run_parts(worker, function, group, begin * group->grain, stop))
            return false;
    }
    return true;
}

bool pod_execute(pod_worker *worker, const pod_function *function)
{
    bool commits = worker->commits;
    for (uint32_t i = 0; i < function->phase_count; i++) {
        const pod_phase *phase = &function->phases[i];
        worker->commits = commits || phase->commits;
        if (phase->serial) {
            const pod_group *group = &function->groups[phase->first];
            const pod_instruction *one = function->instructions[group->first];
            bool counts = worker->times && function == worker->run->program->function;
            uint64_t began = counts ? uv_hrtime() : 0;
            if (!serial_tasks[one->kind](worker, one))
                return false;
            if (counts) {
                worker->times->instructions[group->first].nanoseconds += uv_hrtime() - began;
                worker->times->instructions[group->first].runs++;
            }
        } else {
            run_phase(worker, function, phase);
        }
        if (!pod_meet(worker))
            return false;
    }
    worker->commits = commits;
    return true;
}
