/* run_worker - see run_worker.h. */

#include "engine/run_worker.h"
#include "base/sizes.h"
#include "engine/engine_costs.h"
#include "engine/times.h"

#include "base/workers.h"

#include <assert.h>
#include <uv.h>

void *pod_run_slot_memory(const pod_worker *worker, uint32_t slot)
{
    assert(slot < worker->run->program->slot_count);
    void *memory = worker->run->state->pointers[slot];
    const pod_slot *at = &worker->run->program->slots[slot];
    if (memory || at->kind != POD_SLOT_BLOCK)
        return memory;
    /* Where the first row of all would be, if the rows that are there were not the only ones. */
    return (void *)((uintptr_t)worker->block + (uintptr_t)at->offset -
                    (uintptr_t)worker->first[at->of_subgroup] * (uintptr_t)at->part_bytes);
}

char *pod_run_worker_scratch(const pod_worker *worker, const pod_instruction *instruction)
{
    size_t count = instruction->operand_count + instruction->result_count;
    return worker->scratch + pod_round_up_bytes(count * sizeof(pod_array), 64);
}

void pod_run_fail(pod_worker *worker, pod_status status)
{
    if (worker->status != POD_OK)
        return;
    worker->status = status;
    worker->status_barrier = worker->barrier;
    worker->status_piece = worker->piece;
    if (worker->alone)
        return;
    uint64_t known = atomic_load_explicit(&worker->run->failed_barrier, memory_order_relaxed);
    while (worker->barrier < known &&
           !atomic_compare_exchange_weak(&worker->run->failed_barrier, &known, worker->barrier))
        ;
}

/* Takes a piece of a share: the owner the first that is left, others the last. What is taken is written down with the
 * barrier at the end of the phase, so that nobody has to clear it. */
static bool take_piece(pod_worker *of, uint64_t barrier, uint32_t share, bool own, uint32_t *piece)
{
    const uint64_t phase = (barrier + 1) << 32;
    uint64_t known = atomic_load_explicit(&of->claimed, memory_order_relaxed), next;
    do {
        const bool begun = (known ^ phase) >> 32 == 0;
        const uint32_t first = begun ? (uint32_t)known >> 16 : 0, last = begun ? (uint32_t)known & 0xffff : 0;
        assert(first + last <= share);
        if (first + last == share)
            return false;
        *piece = own ? first : share - 1 - last;
        next = phase | (first + own) << 16 | (last + !own);
    } while (
        !atomic_compare_exchange_weak_explicit(&of->claimed, &known, next, memory_order_relaxed, memory_order_relaxed));
    return true;
}

bool pod_run_claim(pod_worker *worker, int share)
{
    assert(share > 0 && share < 1 << 15);
    for (int i = 0, owner = worker->index; i < worker->count; i++, owner = (owner + 1) % worker->count) {
        uint32_t piece;
        if (!take_piece(&worker->run->workers[owner], worker->barrier, (uint32_t)share, i == 0, &piece))
            continue;
        worker->piece = owner * share + (int)piece;
        return true;
    }
    worker->piece = 0;
    return false;
}

/* A barrier that thread 0 leads. */
typedef struct led_barrier {
    pod_worker *worker;
    const pod_completion *completion;
    uint64_t nanoseconds; /* that the completion took */
} led_barrier;

static bool has_failed(const pod_worker *worker)
{
    return atomic_load_explicit(&worker->run->failed_barrier, memory_order_relaxed) <= worker->barrier;
}

static void lead(void *argument)
{
    led_barrier *barrier = argument;
    pod_worker *worker = barrier->worker;
    if (worker->count > 1)
        pod_run_times_mark(worker);
    if (has_failed(worker))
        return;
    const uint64_t began = pod_run_times_since(worker);
    barrier->completion->run(worker, barrier->completion->argument);
    barrier->nanoseconds = pod_run_times_since(worker) - began;
}

/* Meets the other threads of a run; around what thread 0 does meanwhile, if there is that. */
static void wait_for_others(pod_worker *worker, const pod_completion *completion)
{
    led_barrier barrier = {worker, completion, 0};
    pod_context *context = worker->run->program->context;
    const pod_profile_event event = {.kind = POD_EVENT_BARRIER};
    const pod_lane_state outer = pod_run_times_enter(worker, POD_PART_BARRIER);
    if (completion)
        pod_workers_barrier_around(context, worker->index, lead, &barrier);
    else
        pod_workers_barrier(context);
    if (!worker->times)
        return;
    /* who led it goes on at once */
    const uint64_t took = completion && worker->index == 0 ? pod_run_times_leave_since(worker, outer, event)
                                                           : pod_run_times_leave(worker, outer, event);
    pod_trace_add(&worker->times->waiting, took - barrier.nanoseconds);
}

bool pod_run_barrier(pod_worker *worker, const pod_completion *completion)
{
    if (worker->alone)
        return worker->status == POD_OK;
    led_barrier alone = {worker, completion, 0};
    if (worker->count > 1)
        wait_for_others(worker, completion);
    else if (completion)
        lead(&alone);
    bool failed = has_failed(worker);
    worker->barrier++;
    return !failed;
}

bool pod_run_slice_is_over(const pod_run *run)
{
    return run->deadline != 0 && (uv_hrtime() >= run->deadline || pod_context_yields(run->program->context));
}

bool pod_run_is_stopped(pod_worker *worker)
{
    pod_run *run = worker->run;
    if (worker->commits || !pod_context_is_interrupted(run->program->context))
        return false;
    const uint64_t now = uv_hrtime();
    if (run->step_began == 0)
        run->step_began = now;
    if (now - run->step_began < POD_PATIENCE_NANOSECONDS)
        return false;
    pod_run_fail(worker, POD_ERROR_INTERRUPTED);
    return true;
}
