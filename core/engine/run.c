/* run - the step loop: arguments, infeed, results. See moonpod/program.h. */

#include "engine/execute.h"
#include "engine/run_costs.h"
#include "engine/times.h"

#include "base/error.h"
#include "base/workers.h"
#include "tensor/version.h"

#include <string.h>
#include <uv.h>

_Static_assert(sizeof(pod_worker) <= POD_THREAD_BYTES, "a thread's state fits its scratch");

static void release_buffers(pod_buffer **buffers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        pod_buffer_release(buffers[i]);
        buffers[i] = NULL;
    }
}

/* ---- arguments ------------------------------------------------------------------------------------ */

static bool is_infed(const pod_run_options *options, size_t index)
{
    return options->infeed && index >= options->infeed_first && index - options->infeed_first < options->infeed_count;
}

static pod_status check_type(const pod_program *program, size_t index, pod_dtype dtype, const pod_shape *shape,
                             pod_error *error)
{
    const pod_signature *wanted = &program->parameters[index];
    const char *name = wanted->name ? wanted->name : "";
    if (dtype != wanted->dtype)
        return pod_error_set(error, POD_ERROR_DTYPE, "argument %zu '%s' has type %s; the program was compiled for %s",
                             index, name, pod_dtype_name(dtype), pod_dtype_name(wanted->dtype));
    if (pod_shape_equal(shape, &wanted->shape))
        return POD_OK;
    char has[POD_SHAPE_TEXT_SIZE], wants[POD_SHAPE_TEXT_SIZE];
    return pod_error_set(error, POD_ERROR_SHAPE, "argument %zu '%s' has shape %s; the program was compiled for %s",
                         index, name, pod_shape_format(shape, has), pod_shape_format(&wanted->shape, wants));
}

static pod_status check_buffer(const pod_program *program, size_t index, const pod_buffer *buffer, pod_error *error)
{
    const char *name = program->parameters[index].name;
    if (!buffer)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "argument %zu '%s' is missing", index, name ? name : "");
    return check_type(program, index, pod_buffer_dtype(buffer), pod_buffer_shape(buffer), error);
}

/* A buffer that is updated must be no other argument's. */
static pod_status check_sharing(const pod_program *program, pod_buffer *const *arguments, pod_error *error)
{
    const pod_run_state *state = program->run_state;
    memset(state->seen, 0, ((size_t)state->seen_mask + 1) * sizeof *state->seen);
    for (uint32_t i = 0; i < program->parameter_count; i++) {
        uint64_t at = (uint64_t)(uintptr_t)arguments[i] * 0x9e3779b97f4a7c15u >> 32;
        if (!arguments[i])
            continue;
        for (; state->seen[at & state->seen_mask]; at++) {
            uint32_t other = state->seen[at & state->seen_mask] - 1;
            bool updated = program->parameters[i].alias >= 0 || program->parameters[other].alias >= 0;
            if (arguments[other] == arguments[i] && updated)
                return pod_error_set(error, POD_ERROR_ARGUMENT,
                                     "arguments %u and %u are the same buffer, which the program "
                                     "updates: give one of them a copy",
                                     other, i);
        }
        state->seen[at & state->seen_mask] = i + 1;
    }
    return POD_OK;
}

static pod_status check_arguments(const pod_program *program, pod_buffer *const *arguments,
                                  const pod_run_options *options, pod_error *error)
{
    if (options->steps < 0)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "option 'steps' is %lld; it must be positive",
                             (long long)options->steps);
    if (options->infeed && (options->infeed_first > program->parameter_count ||
                            options->infeed_count > program->parameter_count - options->infeed_first))
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the infeed gives parameters %zu to %zu; the program has %u",
                             options->infeed_first, options->infeed_first + options->infeed_count,
                             program->parameter_count);
    for (uint32_t i = 0; i < program->parameter_count; i++) {
        bool infed = is_infed(options, i);
        if (infed && program->parameters[i].alias >= 0)
            return pod_error_set(error, POD_ERROR_ARGUMENT,
                                 "argument %u '%s' is updated in place; it cannot come from an infeed", i,
                                 program->parameters[i].name ? program->parameters[i].name : "");
        pod_status status = infed ? POD_OK : check_buffer(program, i, arguments[i], error);
        if (status != POD_OK)
            return status;
    }
    return check_sharing(program, arguments, error);
}

/* Sets the pointers of slots in arguments or results; `rows` NULL: none lie apart. */
static void set_pointers(const pod_run *run, pod_slot_kind kind, uint32_t first, uint32_t count,
                         pod_buffer *const *buffers, const pod_infeed_rows *rows)
{
    const pod_program *program = run->program;
    for (uint32_t i = 0; i < program->slot_count; i++) {
        const pod_slot *slot = &program->slots[i];
        if (slot->kind == kind && slot->index >= first && slot->index - first < count && buffers[slot->index - first])
            run->state->pointers[i] =
                rows && rows[slot->index - first].apart ? NULL : pod_buffer_data(buffers[slot->index - first]);
    }
}

/* ---- what stays packed from run to run -------------------------------------------------------------- */

/* Whether what the entry makes of the variables is there, and they are as they were. */
static bool is_packed(const pod_program *program, pod_buffer *const *arguments)
{
    const pod_run_state *state = program->run_state;
    bool is = state->packed;
    for (uint32_t i = 0; is && i < program->parameter_count; i++)
        is = program->parameters[i].alias < 0 || (state->packed_of[i].buffer == arguments[i] &&
                                                  state->packed_of[i].version == pod_buffer_version(arguments[i]));
    return is;
}

/* Notes what a run has written, and whether all that was packed of it is there. */
static void note_writes(const pod_run *run, pod_buffer *const *arguments)
{
    const pod_program *program = run->program;
    const pod_run_options *options = run->options;
    const bool failed = run->status != POD_OK || run->interrupted;
    for (uint32_t i = 0; options->result_buffers && i < program->output_count; i++)
        if (options->result_buffers[i] && program->outputs[i].alias < 0)
            pod_buffer_note_write(options->result_buffers[i]);
    if (run->steps_done == 0 && !failed)
        return;
    for (uint32_t i = 0; i < program->parameter_count; i++) {
        if (program->parameters[i].alias < 0)
            continue;
        pod_buffer_note_write(arguments[i]);
        run->state->packed_of[i] = (pod_packed_variable){arguments[i], pod_buffer_version(arguments[i])};
    }
    run->state->packed = options->tells_writes && !failed;
}

/* ---- steps ----------------------------------------------------------------------------------------- */

/* Takes note of where the rows of a parameter lie. */
static pod_status take_rows(pod_run *run, size_t index, const pod_infeed_rows *rows, const pod_buffer *table)
{
    const pod_program *program = run->program;
    pod_status status = check_type(program, index, rows->dtype, &rows->shape, &run->error);
    if (status != POD_OK)
        return status;
    const pod_shape wanted = {1, {rows->shape.dims[0]}};
    if (!table || pod_buffer_dtype(table) != POD_U64 || !pod_shape_equal(pod_buffer_shape(table), &wanted) ||
        !program->reads_rows[index])
        return pod_error_set(&run->error, POD_ERROR_ARGUMENT,
                             "the infeed gives rows of argument %zu in a table of another form, or "
                             "unasked",
                             index);
    int64_t bytes = pod_shape_elements(&rows->shape) * (int64_t)pod_dtype_size(rows->dtype);
    run->state->tables[index] =
        (pod_row_table){pod_buffer_data(table), wanted.dims[0], bytes / (wanted.dims[0] ? wanted.dims[0] : 1)};
    return POD_OK;
}

/* Takes the buffers of the next step from the infeed. */
static pod_status ask_infeed(pod_run *run)
{
    const pod_run_options *options = run->options;
    const pod_infeed *infeed = options->infeed;
    const pod_program *program = run->program;
    pod_run_state *state = run->state;
    const size_t first = options->infeed_first, count = options->infeed_count;
    memset(state->infed_rows, 0, count * sizeof *state->infed_rows);
    pod_status status = infeed->next_rows ? infeed->next_rows(infeed->context, program->reads_rows + first,
                                                              state->infed, state->infed_rows, count, &run->error)
                                          : infeed->next(infeed->context, state->infed, count, &run->error);
    if (status != POD_OK)
        return status;
    for (size_t i = 0; i < count && status == POD_OK; i++) {
        const pod_infeed_rows *rows = &state->infed_rows[i];
        status = rows->apart ? take_rows(run, first + i, rows, state->infed[i])
                             : check_buffer(program, first + i, state->infed[i], &run->error);
    }
    if (count > 0 && status == POD_OK) {
        const pod_shape *shape = pod_buffer_shape(state->infed[0]);
        run->infed_rows = shape->rank > 0 ? (uint64_t)shape->dims[0] : 1;
    }
    if (status == POD_OK)
        set_pointers(run, POD_SLOT_PARAMETER, (uint32_t)first, (uint32_t)count, state->infed, state->infed_rows);
    else
        release_buffers(state->infed, count);
    return status;
}

static pod_status take_infeed(pod_worker *worker)
{
    pod_run *run = worker->run;
    if (!run->options->infeed)
        return POD_OK;
    const pod_lane_place place = pod_run_times_enter(worker, POD_PART_INPUT_FEED);
    const pod_status status = ask_infeed(run);
    (void)pod_run_times_leave(worker, place, (pod_profile_event){.kind = POD_EVENT_FEED, .amount = run->infed_rows});
    return status;
}

/* Decides whether there is another step, and takes what it reads. */
static void begin_step(pod_worker *worker, int64_t steps)
{
    pod_run *run = worker->run;
    run->go = false;
    if (run->steps_done == steps)
        return;
    if (pod_context_is_interrupted(run->program->context)) {
        run->interrupted = true;
        return;
    }
    pod_status status = take_infeed(worker);
    if (status == POD_END) {
        run->ended = true;
        return;
    }
    if (status == POD_ERROR_INTERRUPTED) { /* while it waited for the infeed */
        run->interrupted = true;
        return;
    }
    run->status = status;
    if (status != POD_OK)
        return;
    uint32_t outputs = run->program->output_count;
    run->results = run->state->results + (steps > 1 ? run->steps_done % 2 * outputs : 0);
    set_pointers(run, POD_SLOT_OUTPUT, 0, outputs, run->results, NULL);
    run->step_began = uv_hrtime();
    run->keeps = run->options->tells_writes || run->steps_done + 1 < steps;
    run->go = true;
}

/* The failure that is told is the first one in the program's order, not in time. */
static void collect_failure(pod_run *run, int threads)
{
    const pod_worker *first = NULL;
    for (int i = 0; i < threads; i++) {
        const pod_worker *one = &run->workers[i];
        if (one->status != POD_OK && (!first || one->status_meeting < first->status_meeting))
            first = one;
    }
    if (!first)
        return;
    if (first->status == POD_ERROR_INTERRUPTED) {
        run->interrupted = true;
        return;
    }
    run->status = first->status;
    run->error = first->error;
}

static const pod_function *entry_of_step(const pod_run *run)
{
    return run->steps_done == 0 && !run->packed ? run->program->entry : NULL;
}

/* The interlude before the first step, and the part of all others that prepares a step. */
static void prepare_step(pod_worker *worker, const void *argument)
{
    (void)argument;
    pod_run *run = worker->run;
    begin_step(worker, run->options->steps ? run->options->steps : 1);
    if (run->go && !entry_of_step(run))
        pod_run_execute_small(worker, run->program->function);
}

/* The interlude after the entry. */
static void leave_entry(pod_worker *worker, const void *argument)
{
    (void)argument;
    pod_run_execute_small(worker, worker->run->program->function);
}

/* The interlude after a step. */
static void end_step(pod_worker *worker, const void *argument)
{
    pod_run *run = worker->run;
    release_buffers(run->state->infed, run->options->infeed_count);
    run->steps_done++;
    pod_run_times_step(worker);
    prepare_step(worker, argument);
}

static void run_steps(void *argument, int thread, int threads)
{
    static const pod_interlude before = {prepare_step, NULL}, within = {leave_entry, NULL}, after = {end_step, NULL};
    pod_run *run = argument;
    pod_worker *worker = &run->workers[thread];
    const pod_function *function = run->program->function;
    worker->count = threads;
    pod_run_times_begin(worker);
    bool done = pod_run_meet(worker, &before);
    while (done && run->go) {
        if (thread == 0 && worker->times)
            pod_trace_add(&worker->times->steps, 1);
        const pod_function *entry = entry_of_step(run);
        if (entry)
            done = pod_run_execute_from(worker, entry, 0, &within);
        if (done)
            done = pod_run_execute_from(worker, function, pod_run_small_phases(function), &after);
    }
    if (thread == 0) {
        release_buffers(run->state->infed, run->options->infeed_count);
        if (!done)
            collect_failure(run, threads);
    }
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
            pod_buffer_new(program->context, output->dtype, &output->shape, &results[index], &run->error);
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

/* Takes result buffers (two sets when several steps may be done: a step that is broken off must not
 * spoil the results of the one before) and scratch for every thread. */
static pod_status prepare(pod_run *run, int64_t steps, int threads)
{
    const pod_program *program = run->program;
    uint32_t sets = steps > 1 ? 2 : 1;
    for (uint32_t i = 0; i < program->output_count * sets; i++) {
        pod_status status = prepare_result(run, i, steps);
        if (status != POD_OK)
            return status;
    }
    return pod_run_state_take_scratch(run->state, threads)
               ? POD_OK
               : pod_error_memory(&run->error, "scratch of a run", program->stats.scratch_bytes * (size_t)threads);
}

/* Plans the memory of a run, before any is taken. */
static void plan_run(const pod_run *run, int64_t steps, int threads)
{
    pod_program *program = run->state->program;
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
    release_buffers(own, (size_t)count * 2);
}

static pod_status run_program(pod_program *program, pod_buffer *const *arguments, pod_buffer **results,
                              const pod_run_options *options, pod_run_report *report, pod_error *error)
{
    pod_run run = {.execute = pod_run_execute, .program = program, .state = program->run_state, .options = options};
    atomic_init(&run.failed_meeting, UINT64_MAX);
    pod_status status = check_arguments(program, arguments, run.options, error);
    if (status != POD_OK)
        return status;
    int64_t steps = run.options->steps ? run.options->steps : 1;
    const bool alone = pod_run_is_short(program, steps);
    const int threads = alone ? 1 : pod_context_threads(program->context);
    status = pod_run_check_time(program, threads, error);
    if (status != POD_OK)
        return status;
    plan_run(&run, steps, threads);
    run.packed = run.options->tells_writes && is_packed(program, arguments);
    run.status = prepare(&run, steps, threads);
    if (run.status == POD_OK)
        run.status = pod_run_times_prepare(program, threads, &run.error);
    if (run.status == POD_OK) {
        set_pointers(&run, POD_SLOT_PARAMETER, 0, program->parameter_count, arguments, NULL);
        char *scratch = run.state->scratch;
        run.workers = (pod_worker *)(scratch + program->scratch_bytes * (size_t)threads);
        for (int i = 0; i < threads; i++)
            run.workers[i] = (pod_worker){
                .run = &run,
                .index = i,
                .scratch = scratch + program->scratch_bytes * (size_t)i,
                .block = scratch + program->scratch_bytes * (size_t)(i + 1) - program->block_bytes,
            };
        status = alone ? pod_workers_run_alone(program->context, run_steps, &run, &run.error)
                       : pod_workers_run(program->context, run_steps, &run, &run.error);
        if (status != POD_OK)
            run.status = status;
    }
    note_writes(&run, arguments);
    hand_over_results(&run, steps, results);
    if (report)
        *report = (pod_run_report){run.steps_done, run.interrupted, run.ended};
    if (run.status != POD_OK && error)
        *error = run.error;
    return run.status;
}

/* Shares the arguments with the run while an infeed is asked, which may release them. */
static void share_arguments(const pod_program *program, pod_buffer *const *arguments, const pod_run_options *options,
                            bool shared)
{
    for (uint32_t i = 0; options->infeed && i < program->parameter_count; i++) {
        if (shared && arguments[i])
            pod_buffer_retain(arguments[i]);
        else if (arguments[i])
            pod_buffer_release(arguments[i]);
    }
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
    pod_run_state *state = pod_run_state_of(program, error);
    if (!state)
        return POD_ERROR_MEMORY;
    if (state->running)
        return pod_error_set(error, POD_ERROR_STATE,
                             "the program is running: what a run calls, as its infeed, cannot run it as well");
    state->running = true;
    pod_lane *lane = pod_trace_lane(program->context, "main", 0);
    const pod_lane_place place = lane ? pod_trace_enter(lane, POD_PART_LAUNCH, 0) : (pod_lane_place){0};
    share_arguments(program, arguments, options, true);
    const pod_status status = run_program(program, arguments, results, options, report, error);
    share_arguments(program, arguments, options, false);
    if (lane)
        (void)pod_trace_leave(lane, place, (pod_profile_event){.kind = POD_EVENT_RUN, .program = state->work_number});
    state->running = false;
    if (state->closing)
        pod_program_free(program);
    return status;
}
