/* work_record - see work_record.h. */

#include "trace/work_record.h"
#include "base/sizes.h"

#include <assert.h>

static uint64_t read(const _Atomic uint64_t *word)
{
    return atomic_load_explicit(word, memory_order_relaxed);
}

bool pod_trace_keep_texts(pod_arena *memory, pod_instruction_time *task)
{
    const char **texts[] = {&task->kind, &task->name, &task->location, &task->layer};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *kept = pod_arena_string(memory, *texts[i]);
        if (*texts[i] && !kept)
            return false;
        *texts[i] = kept;
    }
    return true;
}

pod_work_record *pod_trace_work_new(pod_context *context, size_t count, uint32_t phases,
                                    void (*describe)(const void *program, size_t index, pod_instruction_time *task),
                                    const void *program)
{
    pod_work_record *made = pod_allocate_zeroed(context, 1, sizeof *made);
    if (!made)
        return NULL;
    made->context = context;
    pod_arena_init(&made->memory, context);
    atomic_init(&made->shares, 1);
    made->count = count;
    made->phases = phases;
    made->tasks = pod_arena_array(&made->memory, count, sizeof *made->tasks);
    bool kept = made->tasks != NULL;
    for (size_t i = 0; i < count && kept; i++) {
        describe(program, i, &made->tasks[i]);
        kept = pod_trace_keep_texts(&made->memory, &made->tasks[i]);
    }
    if (kept)
        return made;
    pod_trace_work_release(made);
    return NULL;
}

pod_work_record *pod_trace_work_retain(pod_work_record *work)
{
    atomic_fetch_add_explicit(&work->shares, 1, memory_order_relaxed);
    return work;
}

void pod_trace_work_release(pod_work_record *work)
{
    if (!work || atomic_fetch_sub_explicit(&work->shares, 1, memory_order_acq_rel) != 1)
        return;
    for (int i = 0; i < work->threads; i++)
        pod_free(work->context, work->of_thread[i]);
    pod_free(work->context, work->of_thread);
    pod_free(work->context, work->values);
    pod_arena_clear(&work->memory);
    pod_free(work->context, work);
}

void pod_trace_work_take_values(pod_work_record *work, pod_profile_value *values, size_t count)
{
    work->values = values;
    work->value_count = count;
}

bool pod_trace_work_prepare(pod_work_record *work, int threads)
{
    if (work->threads >= threads)
        return true;
    /* in whole pairs of cache lines */
    size_t bytes = pod_round_up_bytes(sizeof(pod_work_counts) + work->count * sizeof(pod_work_count), 128);
    pod_work_counts **grown = pod_reallocate(work->context, work->of_thread, (size_t)threads * sizeof *grown);
    if (!grown)
        return false;
    work->of_thread = grown;
    for (; work->threads < threads; work->threads++) {
        grown[work->threads] = pod_allocate_zeroed(work->context, 1, bytes);
        if (!grown[work->threads])
            return false;
    }
    return true;
}

bool pod_trace_work_sum(const pod_work_record *work, pod_work_sums *sums)
{
    *sums = (pod_work_sums){.counts = pod_allocate_zeroed(work->context, work->count + 1, 2 * sizeof *sums->counts)};
    if (!sums->counts)
        return false;
    for (int thread = 0; thread < work->threads; thread++) {
        const pod_work_counts *counts = work->of_thread[thread];
        sums->steps += read(&counts->steps);
        sums->waiting += read(&counts->waiting);
        sums->runs += read(&counts->runs);
        for (size_t i = 0; i < work->count; i++) {
            sums->counts[2 * i] += read(&counts->instructions[i].nanoseconds);
            sums->counts[2 * i + 1] += read(&counts->instructions[i].runs);
        }
    }
    return true;
}

pod_program_times pod_trace_work_read(const pod_work_record *work, const pod_work_sums *before,
                                      pod_instruction_time *times, size_t most)
{
    pod_program_times sum = {.phases = work->phases, .instructions = work->count};
    for (int thread = 0; thread < work->threads; thread++) {
        sum.steps += read(&work->of_thread[thread]->steps);
        sum.waiting_nanoseconds += read(&work->of_thread[thread]->waiting);
        sum.runs += read(&work->of_thread[thread]->runs);
    }
    if (before) {
        assert(sum.steps >= before->steps && sum.waiting_nanoseconds >= before->waiting && sum.runs >= before->runs);
        sum.steps -= before->steps;
        sum.waiting_nanoseconds -= before->waiting;
        sum.runs -= before->runs;
    }
    for (size_t i = 0; i < most && i < work->count; i++) {
        times[i] = work->tasks[i];
        for (int thread = 0; thread < work->threads; thread++) {
            const pod_work_count *count = &work->of_thread[thread]->instructions[i];
            times[i].nanoseconds += read(&count->nanoseconds);
            times[i].runs += read(&count->runs);
        }
        if (before && before->counts) {
            assert(times[i].nanoseconds >= before->counts[2 * i] && times[i].runs >= before->counts[2 * i + 1]);
            times[i].nanoseconds -= before->counts[2 * i];
            times[i].runs -= before->counts[2 * i + 1];
        }
    }
    return sum;
}
