/* times - see times.h. */

#include "engine/times.h"

#include "base/error.h"
#include "base/sizes.h"

#include <assert.h>
#include <string.h>

/* Bytes of one thread's counts, in whole pairs of cache lines. */
static size_t thread_bytes(const pod_program *program)
{
    size_t bytes = sizeof(pod_time_counts) + program->function->instruction_count * sizeof(pod_time_count);
    return pod_round_up_bytes(bytes, 128);
}

pod_time_counts *pod_run_times_of(const pod_program *program, int thread)
{
    const pod_run_state *state = program->run_state;
    if (!state || !state->times)
        return NULL;
    assert(thread >= 0 && thread < state->times_threads);
    return (pod_time_counts *)((char *)state->times + thread_bytes(program) * (size_t)thread);
}

pod_status pod_run_times_prepare(pod_program *program, int threads, pod_error *error)
{
    pod_run_state *state = program->run_state;
    if (!state->times || state->times_threads >= threads)
        return POD_OK;
    size_t bytes = thread_bytes(program);
    pod_time_counts *made = pod_allocate_zeroed(program->context, (size_t)threads, bytes);
    if (!made)
        return pod_error_memory(error, "counts of instructions' times", bytes * (size_t)threads);
    memcpy(made, state->times, bytes * (size_t)state->times_threads);
    pod_free(program->context, state->times);
    state->times = made;
    state->times_threads = threads;
    return POD_OK;
}

pod_status pod_program_count_time(pod_program *program, bool on, pod_error *error)
{
    if (!on && !program->run_state)
        return POD_OK;
    pod_run_state *state = pod_run_state_of(program, error);
    if (!state)
        return POD_ERROR_MEMORY;
    if (state->running)
        return pod_error_set(error, POD_ERROR_STATE, "the program is running: time is counted from run to run");
    pod_free(program->context, state->times);
    state->times = NULL;
    state->times_threads = 0;
    if (!on)
        return POD_OK;
    state->times = pod_allocate_zeroed(program->context, 1, thread_bytes(program));
    if (!state->times)
        return pod_error_memory(error, "counts of instructions' times", thread_bytes(program));
    state->times_threads = 1;
    return POD_OK;
}

/* How large the products of an instruction are. A convolution is one for each group. */
static void describe_products(const pod_instruction *one, pod_instruction_time *time)
{
    if (one->kind == POD_DO_PRODUCT) {
        const pod_product_detail *p = &one->product;
        time->products = p->outer * p->inner;
        time->rows = p->call.m;
        time->columns = p->call.n;
        time->depth = p->call.k;
    } else if (one->kind == POD_DO_CONVOLUTION) {
        const pod_convolution_detail *c = &one->convolution;
        pod_kernel_convolution_products(&c->call, c->phase, &time->products, &time->rows, &time->columns, &time->depth);
    }
    time->operations = 2.0 * (double)time->products * (double)time->rows * (double)time->columns * (double)time->depth;
}

/* Bytes of the values that an instruction reads or writes; one that is used twice counts once. */
static uint64_t bytes_of(const pod_program *program, const pod_instruction *one)
{
    uint64_t bytes = 0;
    uint32_t count = one->operand_count + one->result_count;
    for (uint32_t i = 0; i < count; i++) {
        bool seen = program->slots[one->slots[i]].kind == POD_SLOT_NONE;
        for (uint32_t j = 0; j < i && !seen; j++)
            seen = one->slots[j] == one->slots[i];
        if (!seen)
            bytes += program->slots[one->slots[i]].bytes;
    }
    return bytes;
}

pod_program_times pod_program_get_times(const pod_program *program, pod_instruction_time *times, size_t most)
{
    const pod_function *function = program->function;
    const int threads = program->run_state ? program->run_state->times_threads : 0;
    pod_program_times sum = {.phases = function->phase_count, .instructions = function->instruction_count};
    for (int thread = 0; thread < threads; thread++) {
        const pod_time_counts *counts = pod_run_times_of(program, thread);
        sum.waiting_nanoseconds += counts->waiting;
        sum.steps += counts->steps;
    }
    for (size_t i = 0; i < most && i < function->instruction_count; i++) {
        const pod_instruction *one = function->instructions[i];
        times[i] = (pod_instruction_time){
            .kind = pod_instruction_kind_name(one->kind),
            .name = one->name ? one->name : "",
            .location = one->location,
            .phase = one->phase,
            .bytes = bytes_of(program, one),
        };
        describe_products(one, &times[i]);
        for (int thread = 0; thread < threads; thread++) {
            const pod_time_count *count = &pod_run_times_of(program, thread)->instructions[i];
            times[i].nanoseconds += count->nanoseconds;
            times[i].runs += count->runs;
        }
    }
    return sum;
}
