/* run - runs of programs, at once or a slice at a time. See moonpod/program.h. */

#include "engine/execute.h"
#include "engine/run_arguments.h"
#include "engine/run_costs.h"
#include "engine/run_steps.h"
#include "engine/times.h"

#include "base/error.h"
#include "base/workers.h"
#include "program/backend.h"
#include "tensor/unset.h"
#include "tensor/version.h"

#include <stddef.h>
#include <string.h>
#include <uv.h>

_Static_assert(sizeof(pod_worker) <= POD_THREAD_BYTES, "a thread's state fits its scratch");

/* ---- what stays packed from run to run -------------------------------------------------------------- */

/* Whether the entry may read a parameter. */
static bool is_packed_of(const pod_program *program, uint32_t index)
{
    return program->parameters[index].alias >= 0 || program->parameters[index].held;
}

/* Returns whether what the entry makes of its parameters is there, and they are as they were. */
static bool is_packed(const pod_program *program, pod_buffer *const *arguments)
{
    const pod_run_state *state = program->run_state;
    bool is = state->packed;
    for (uint32_t i = 0; is && i < program->parameter_count; i++)
        is = !is_packed_of(program, i) || (state->packed_of[i].buffer == arguments[i] &&
                                           state->packed_of[i].version == pod_buffer_version(arguments[i]));
    return is;
}

/* Notes what a run that is over has written, and whether all that was packed of it is there. */
static void note_writes(pod_run *run, pod_buffer *const *arguments)
{
    const pod_program *program = run->program;
    const bool failed = run->status != POD_OK || run->interrupted;
    pod_run_give_up_meetings(run);
    for (uint32_t i = 0; run->options->result_buffers && i < program->output_count; i++)
        if (run->options->result_buffers[i] && program->outputs[i].alias < 0)
            pod_buffer_note_write(run->options->result_buffers[i]);
    if (run->steps_done == 0 && !failed)
        return;
    for (uint32_t i = 0; i < program->parameter_count; i++) {
        if (program->parameters[i].alias >= 0)
            pod_buffer_note_write(arguments[i]);
        if (is_packed_of(program, i))
            run->state->packed_of[i] = (pod_packed_variable){arguments[i], pod_buffer_version(arguments[i])};
    }
    run->state->packed = run->options->tells_writes && !failed;
}

/* ---- the run ---------------------------------------------------------------------------------------- */

/* Takes the buffer that receives a result: the caller's or a new one. */
static pod_status prepare_result(pod_run *run, uint32_t index, int64_t steps)
{
    const pod_program *program = run->program;
    pod_buffer **results = run->state->results;
    const pod_signature *output = &program->outputs[index % program->output_count];
    pod_buffer *given =
        run->options->result_buffers ? run->options->result_buffers[index % program->output_count] : NULL;
    if (output->alias >= 0)
        return POD_OK;
    if (!given) {
        pod_status status =
            pod_buffer_new_unset(program->context, output->dtype, &output->shape, &results[index], &run->error);
        if (status == POD_OK)
            pod_program_count_held(run->state->program, pod_buffer_held_bytes(results[index]), 0);
        return status;
    }
    if (steps > 1 || pod_buffer_dtype(given) != output->dtype ||
        !pod_shape_equal(pod_buffer_shape(given), &output->shape))
        return pod_error_set(&run->error, POD_ERROR_ARGUMENT,
                             "the buffer for result %u does not have its type and shape, or the run "
                             "has several steps",
                             index);
    results[index] = pod_buffer_retain(given);
    return POD_OK;
}

/* Takes result buffers: two sets when several steps may be done, as a step that is broken off must not
 * spoil the results of the one before. */
static pod_status prepare(pod_run *run, int64_t steps)
{
    const pod_program *program = run->program;
    for (uint32_t i = 0; i < program->output_count * (steps > 1 ? 2 : 1); i++) {
        pod_status status = prepare_result(run, i, steps);
        if (status != POD_OK)
            return status;
    }
    return POD_OK;
}

enum { RESULTS_NONE, RESULTS_ALL, RESULTS_SOME };

/* Which of its results a run is given buffers for. */
static int results_given(const pod_run *run)
{
    const pod_program *program = run->program;
    pod_buffer *const *given = run->options->result_buffers;
    uint32_t count = 0, all = 0;
    for (uint32_t i = 0; given && i < program->output_count; i++) {
        all += program->outputs[i].alias < 0;
        count += program->outputs[i].alias < 0 && given[i];
    }
    return count == 0 ? RESULTS_NONE : count == all ? RESULTS_ALL : RESULTS_SOME;
}

/* Plans the memory of a run, before any is taken. Runs like the one before need no more. */
static void plan_run(const pod_run *run, int64_t steps, int threads)
{
    pod_program *program = run->state->program;
    const pod_run_plan like = {threads, steps > 1, results_given(run)};
    pod_run_plan *last = &run->state->planned;
    if (like.given != RESULTS_SOME && memcmp(last, &like, sizeof like) == 0)
        return;
    *last = like;
    uint64_t planned = pod_program_planned_bytes(program, threads, steps);
    for (uint32_t i = 0; run->options->result_buffers && i < program->output_count; i++)
        if (run->options->result_buffers[i] && program->outputs[i].alias < 0)
            planned -= pod_buffer_planned_bytes(program->outputs[i].dtype, &program->outputs[i].shape);
    if (planned > program->stats.planned_bytes)
        program->stats.planned_bytes = planned;
}

/* Results that are no longer the program's: counted while they still are there. */
static void count_results_left(pod_run *run)
{
    const pod_program *program = run->program;
    pod_buffer *const *results = run->state->results;
    for (uint32_t i = 0; i < program->output_count * 2; i++) {
        const pod_buffer *given =
            run->options->result_buffers ? run->options->result_buffers[i % program->output_count] : NULL;
        if (results[i] && results[i] != given)
            pod_program_count_held(run->state->program, 0, pod_buffer_held_bytes(results[i]));
    }
}

static void hand_over_results(pod_run *run, int64_t steps, pod_buffer **results)
{
    pod_buffer **own = run->state->results;
    uint32_t count = run->program->output_count;
    int64_t last = steps > 1 ? (run->steps_done + 1) % 2 : 0;
    count_results_left(run);
    for (uint32_t i = 0; i < count; i++) {
        if (results)
            results[i] = NULL;
        if (results && run->steps_done > 0 && run->status == POD_OK) {
            results[i] = own[last * count + i];
            own[last * count + i] = NULL;
        }
    }
    pod_run_release_buffers(own, (size_t)count * 2);
}

/* Begins a run whose fields are set: checks what it is given and takes the memory that it needs. */
static pod_status begin_run(pod_run *run, pod_buffer *const *arguments, pod_error *error)
{
    pod_program *program = run->state->program;
    atomic_init(&run->failed_barrier, UINT64_MAX);
    pod_status status = pod_run_check_arguments(program, arguments, run->options, error);
    if (status != POD_OK)
        return status;
    const int64_t steps = run->options->steps ? run->options->steps : 1;
    run->alone = run->options->alone || pod_run_is_short(program, steps);
    const int threads = run->alone ? 1 : pod_context_threads(program->context);
    status = pod_run_check_time(program, threads, error);
    if (status != POD_OK)
        return status;
    plan_run(run, steps, threads);
    run->packed = run->options->tells_writes && is_packed(program, arguments);
    run->status = prepare(run, steps);
    if (run->status == POD_OK)
        pod_run_set_pointers(run, POD_SLOT_PARAMETER, 0, program->parameter_count, arguments, NULL);
    return POD_OK;
}

/* Does what there is to do until the deadline, on as many threads as the context has now. */
static void do_slice(pod_run *run)
{
    pod_program *program = run->state->program;
    const int threads = run->alone ? 1 : pod_context_threads(program->context);
    run->paused = false;
    atomic_store(&run->paused_barrier, UINT64_MAX);
    if (!pod_run_state_take_scratch(run->state, threads))
        run->status = pod_error_memory(&run->error, "scratch of a run", program->stats.scratch_bytes * (size_t)threads);
    else
        run->status = pod_run_times_prepare(program, threads, &run->error);
    if (run->status != POD_OK)
        return;
    char *scratch = run->state->scratch;
    run->workers = (pod_worker *)(scratch + program->scratch_bytes * (size_t)threads);
    for (int i = 0; i < threads; i++) {
        pod_worker *worker = &run->workers[i];
        memset(worker, 0, offsetof(pod_worker, error));
        worker->run = run;
        worker->index = i;
        worker->scratch = scratch + program->scratch_bytes * (size_t)i;
        worker->block = scratch + program->scratch_bytes * (size_t)(i + 1) - program->block_bytes;
        worker->error.status = POD_OK;
        worker->error.message[0] = '\0';
    }
    const pod_thread_runner go = run->alone ? pod_workers_run_alone : pod_run_runner(program, run->options->steps);
    const pod_status status = go(program->context, pod_run_steps, run, &run->error);
    if (status != POD_OK)
        run->status = status;
}

/* Says what a run has done, when it is over. */
static pod_status end_run(pod_run *run, pod_buffer *const *arguments, pod_buffer **results, pod_run_report *report,
                          pod_error *error)
{
    note_writes(run, arguments);
    hand_over_results(run, run->options->steps ? run->options->steps : 1, results);
    if (report)
        *report = (pod_run_report){run->steps_done, run->interrupted, run->ended};
    if (run->status != POD_OK && error)
        *error = run->error;
    return run->status;
}

/* Shares the arguments with a run that calls others, as its infeed, which may release them. */
static void share_arguments(const pod_program *program, pod_buffer *const *arguments, bool shared)
{
    for (uint32_t i = 0; i < program->parameter_count; i++) {
        if (shared && arguments[i])
            pod_buffer_retain(arguments[i]);
        else if (arguments[i])
            pod_buffer_release(arguments[i]);
    }
}

/* Takes a program for a run, which is its only one. */
static pod_status take_program(pod_program *program, pod_error *error)
{
    pod_run_state *state = pod_run_state_of(program, error);
    if (!state)
        return POD_ERROR_MEMORY;
    if (state->running)
        return pod_error_set(error, POD_ERROR_STATE,
                             "the program is running: what a run calls, as its infeed, cannot run it as well, and "
                             "neither can anybody while a run in slices is not ended");
    state->running = true;
    return POD_OK;
}

static void give_program(pod_program *program)
{
    program->run_state->running = false;
    if (program->run_state->closing)
        pod_program_free(program);
}

/* Runs a program of this host. */
static pod_status run_here(pod_program *program, pod_buffer *const *arguments, pod_buffer **results,
                           const pod_run_options *options, pod_run_report *report, pod_error *error)
{
    pod_run run;
    memset(&run, 0, offsetof(pod_run, error));
    run.execute = pod_run_execute;
    run.program = program;
    run.state = program->run_state;
    run.options = options;
    run.error.status = POD_OK;
    run.error.message[0] = '\0';
    const pod_status status = begin_run(&run, arguments, error);
    if (status != POD_OK)
        return status;
    if (run.status == POD_OK)
        do_slice(&run);
    return end_run(&run, arguments, results, report, error);
}

static pod_status run_on_device(pod_program *program, pod_buffer *const *arguments, pod_buffer **results,
                                const pod_run_options *options, pod_run_report *report, pod_error *error)
{
    const pod_status status = pod_run_check_arguments(program, arguments, options, error);
    return status == POD_OK ? program->device->backend->run(program, arguments, results, options, report, error)
                            : status;
}

pod_status pod_program_run(pod_program *program, pod_buffer *const *arguments, pod_buffer **results,
                           const pod_run_options *options, pod_run_report *report, pod_error *error)
{
    static const pod_run_options defaults = {0};
    if (!options)
        options = &defaults;
    if (report)
        *report = (pod_run_report){0};
    for (uint32_t i = 0; results && i < program->output_count; i++)
        results[i] = NULL;
    pod_status status = take_program(program, error);
    if (status != POD_OK)
        return status;
    pod_lane *lane = pod_trace_lane(program->context, "main", 0);
    const pod_lane_state outer = lane ? pod_trace_enter(lane, POD_PART_LAUNCH, 0) : (pod_lane_state){0};
    if (options->infeed)
        share_arguments(program, arguments, true);
    status = (program->device ? run_on_device : run_here)(program, arguments, results, options, report, error);
    if (options->infeed)
        share_arguments(program, arguments, false);
    if (lane)
        (void)pod_trace_leave(lane, outer,
                              (pod_profile_event){.kind = POD_EVENT_RUN, .program = program->run_state->work_number});
    give_program(program);
    return status;
}

/* ---- in slices ------------------------------------------------------------------------------------------ */

/* A run that does not live on the stack of one call. The arguments follow it. */
typedef struct sliced_run {
    pod_run run; /* first: pod_run is what callers have */
    pod_program *program;
    pod_run_options options;
    pod_infeed infeed;
    int64_t noted;   /* steps that buffers of variables were told of */
    bool over, busy; /* busy: within a slice */
    pod_buffer **arguments;
} sliced_run;

static sliced_run *sliced(pod_run *run)
{
    return (sliced_run *)run;
}

pod_status pod_run_begin(pod_program *program, pod_buffer *const *arguments, const pod_run_options *options,
                         pod_run **run, pod_error *error)
{
    *run = NULL;
    if (options && options->result_buffers)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "a run in slices gives its results by pod_run_take_results()");
    pod_status status = take_program(program, error);
    if (status != POD_OK)
        return status;
    const size_t bytes = sizeof(sliced_run) + program->parameter_count * sizeof *arguments;
    sliced_run *made = pod_allocate_zeroed(program->context, 1, bytes);
    if (!made) {
        give_program(program);
        return pod_error_memory(error, "a run", bytes);
    }
    made->program = program;
    made->options = options ? *options : (pod_run_options){0};
    made->arguments = (pod_buffer **)(made + 1);
    for (uint32_t i = 0; i < program->parameter_count; i++)
        made->arguments[i] = arguments[i];
    if (made->options.infeed) {
        made->infeed = *made->options.infeed;
        made->options.infeed = &made->infeed;
    }
    made->run.execute = pod_run_execute;
    made->run.program = program;
    made->run.state = program->run_state;
    made->run.options = &made->options;
    status = program->device ? pod_run_check_arguments(program, made->arguments, &made->options, error)
                             : begin_run(&made->run, made->arguments, error);
    if (status == POD_OK && made->run.status != POD_OK) /* no memory: nothing was done */
        status = end_run(&made->run, made->arguments, NULL, NULL, error);
    if (status != POD_OK) {
        pod_free(program->context, made);
        give_program(program);
        return status;
    }
    share_arguments(program, made->arguments, true);
    *run = &made->run;
    return POD_OK;
}

static void hand_over_device_results(pod_run *run, pod_buffer **results)
{
    for (uint32_t i = 0; i < run->program->output_count; i++) {
        results[i] = run->status == POD_OK ? run->state->results[i] : NULL;
        if (results[i])
            run->state->results[i] = NULL;
    }
}

/* A slice of a run on a device: steps, one at a time. The results of the last are kept, in the first set. */
static void do_device_slice(sliced_run *of)
{
    pod_run *run = &of->run;
    const pod_program *program = of->program;
    const int64_t steps = of->options.steps ? of->options.steps : 1;
    pod_run_options one = of->options;
    pod_buffer **kept = run->state->results, **made = kept + program->output_count;
    one.steps = 1;
    do {
        pod_run_report report = {0};
        run->status = program->device->backend->run(of->program, of->arguments, made, &one, &report, &run->error);
        for (uint32_t i = 0; report.steps > 0 && i < program->output_count; i++) {
            pod_buffer_release(kept[i]);
            kept[i] = made[i];
            made[i] = NULL;
        }
        run->steps_done += report.steps;
        run->interrupted = report.interrupted;
        run->ended = report.ended;
        of->over = run->status != POD_OK || run->interrupted || run->ended || run->stopping || run->steps_done >= steps;
    } while (!of->over && (run->deadline == 0 || uv_hrtime() < run->deadline));
}

/* Tells the variables' buffers of the steps that have written to them, for others who keep what they made of them. */
static void tell_writes(sliced_run *of)
{
    const bool wrote = of->run.steps_done > of->noted || (of->run.go && of->run.commits);
    for (uint32_t i = 0; wrote && i < of->program->parameter_count; i++)
        if (of->program->parameters[i].alias >= 0)
            pod_buffer_note_write(of->arguments[i]);
    of->noted = of->run.steps_done;
}

static void do_host_slice(sliced_run *of)
{
    do_slice(&of->run);
    of->over = of->run.status != POD_OK || !of->run.paused;
    if (of->over)
        note_writes(&of->run, of->arguments);
    else
        tell_writes(of);
}

pod_status pod_run_step_for(pod_run *run, uint64_t nanoseconds, pod_run_report *report, pod_error *error)
{
    sliced_run *of = sliced(run);
    if (of->busy)
        return pod_error_set(error, POD_ERROR_STATE,
                             "the run is within a slice: what it calls, as its infeed, cannot "
                             "go on with it");
    of->busy = true;
    if (!of->over) {
        const uint64_t now = uv_hrtime();
        run->deadline = nanoseconds && nanoseconds < UINT64_MAX - now ? now + nanoseconds : 0;
        pod_lane *lane = pod_trace_lane(of->program->context, "main", 0);
        const pod_lane_state outer = lane ? pod_trace_enter(lane, POD_PART_LAUNCH, 0) : (pod_lane_state){0};
        if (of->program->device)
            do_device_slice(of);
        else
            do_host_slice(of);
        if (lane)
            (void)pod_trace_leave(lane, outer,
                                  (pod_profile_event){.kind = POD_EVENT_RUN, .program = run->state->work_number});
    }
    of->busy = false;
    if (report)
        *report = (pod_run_report){run->steps_done, run->interrupted, run->ended};
    if (run->status != POD_OK && error)
        *error = run->error;
    return run->status != POD_OK ? run->status : of->over ? POD_END : POD_OK;
}

void pod_run_stop(pod_run *run)
{
    run->stopping = true;
}

pod_status pod_run_take_results(pod_run *run, pod_buffer **results, pod_error *error)
{
    sliced_run *of = sliced(run);
    if (!of->over)
        return pod_error_set(error, POD_ERROR_STATE, "the run is not over: pod_run_step_for() returns POD_END then");
    if (of->program->device)
        hand_over_device_results(run, results);
    else
        hand_over_results(run, of->options.steps ? of->options.steps : 1, results);
    return POD_OK;
}

void pod_run_end(pod_run *run)
{
    if (!run)
        return;
    sliced_run *of = sliced(run);
    pod_program *program = of->program;
    if (!of->over && run->go && run->commits) { /* nothing of the caller's but the arguments is needed any more */
        of->options.print = NULL;
        run->stopping = true;
        run->deadline = 0;
        do_slice(run);
    }
    if (!of->over && !program->device) { /* a step that was begun may have packed what it did not write */
        run->interrupted = true;
        note_writes(run, of->arguments);
    }
    if (program->device)
        pod_run_release_buffers(run->state->results, program->output_count);
    else
        hand_over_results(run, 1, NULL);
    pod_run_release_buffers(run->state->infed, of->options.infeed_count);
    share_arguments(program, of->arguments, false);
    pod_free(program->context, of);
    give_program(program);
}
