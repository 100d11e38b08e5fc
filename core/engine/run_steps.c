/* run_steps - see run_steps.h. */

#include "engine/run_steps.h"

#include "engine/run_arguments.h"
#include "engine/times.h"

#include "base/error.h"

#include <string.h>
#include <uv.h>

void pod_run_release_buffers(pod_buffer **buffers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        pod_buffer_release(buffers[i]);
        buffers[i] = NULL;
    }
}

/* Takes note of where the rows of a parameter lie. */
static pod_status take_rows(pod_run *run, size_t index, const pod_infeed_rows *rows, const pod_buffer *table)
{
    const pod_program *program = run->program;
    pod_status status = pod_run_check_type(program, index, rows->dtype, &rows->shape, &run->error);
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
        status = rows->by_address ? take_rows(run, first + i, rows, state->infed[i])
                                  : pod_run_check_buffer(program, first + i, state->infed[i], &run->error);
    }
    if (count > 0 && status == POD_OK) {
        const pod_shape *shape = pod_buffer_shape(state->infed[0]);
        run->infed_rows = shape->rank > 0 ? (uint64_t)shape->dims[0] : 1;
    }
    if (status == POD_OK)
        pod_run_set_pointers(run, POD_SLOT_PARAMETER, (uint32_t)first, (uint32_t)count, state->infed,
                             state->infed_rows);
    else
        pod_run_release_buffers(state->infed, count);
    return status;
}

static pod_status take_infeed(pod_worker *worker)
{
    pod_run *run = worker->run;
    if (!run->options->infeed)
        return POD_OK;
    const pod_lane_state outer = pod_run_times_enter(worker, POD_PART_INPUT_FEED);
    const pod_status status = ask_infeed(run);
    (void)pod_run_times_leave(worker, outer, (pod_profile_event){.kind = POD_EVENT_FEED, .amount = run->infed_rows});
    return status;
}

/* Decides whether there is another step, and takes what it reads. */
static void begin_step(pod_worker *worker, int64_t steps)
{
    pod_run *run = worker->run;
    run->go = false;
    if (run->steps_done == steps || run->stopping)
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
    pod_run_set_pointers(run, POD_SLOT_OUTPUT, 0, outputs, run->results, NULL);
    run->step_began = run->alone ? 0 : uv_hrtime();
    run->keeps = run->options->tells_writes || run->steps_done + 1 < steps;
    run->go = true;
}

static bool comes_before(const pod_worker *one, const pod_worker *other)
{
    if (one->status_barrier != other->status_barrier)
        return one->status_barrier < other->status_barrier;
    return one->status_piece < other->status_piece;
}

/* The failure that is told is the first one in the program's order, not in time. */
static void collect_failure(pod_run *run, int threads)
{
    const pod_worker *first = NULL;
    for (int i = 0; i < threads; i++) {
        const pod_worker *one = &run->workers[i];
        if (one->status != POD_OK && (!first || comes_before(one, first)))
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

/* The completion before the first step, and the part of all others that prepares a step. */
static void prepare_step(pod_worker *worker, const void *argument)
{
    (void)argument;
    pod_run *run = worker->run;
    begin_step(worker, run->options->steps ? run->options->steps : 1);
    if (run->go && !entry_of_step(run))
        pod_run_execute_small(worker, run->program->function);
}

/* The completion after the entry. */
static void leave_entry(pod_worker *worker, const void *argument)
{
    (void)argument;
    pod_run_execute_small(worker, worker->run->program->function);
}

/* The completion after a step. */
static void end_step(pod_worker *worker, const void *argument)
{
    pod_run *run = worker->run;
    pod_run_release_buffers(run->state->infed, run->options->infeed_count);
    run->steps_done++;
    pod_run_times_step(worker);
    run->go = false;
    run->paused = pod_run_slice_is_over(run);
    if (!run->paused)
        prepare_step(worker, argument);
}

void pod_run_steps(void *argument, int thread, int threads)
{
    static const pod_completion before = {prepare_step, NULL}, within = {leave_entry, NULL}, after = {end_step, NULL};
    pod_run *run = argument;
    pod_worker *worker = &run->workers[thread];
    const pod_function *function = run->program->function;
    worker->count = threads;
    pod_run_times_begin(worker);
    /* Where a step was broken off it goes on. */
    uint32_t from = run->go ? run->phase : 0;
    worker->commits = from > 0 && function->phases[from - 1].commits;
    bool done = run->go || pod_run_barrier(worker, &before);
    while (done && run->go) {
        if (thread == 0 && worker->times && from == 0)
            pod_trace_add(&worker->times->steps, 1);
        const pod_function *entry = from == 0 ? entry_of_step(run) : NULL;
        if (entry)
            done = pod_run_execute_from(worker, entry, 0, &within);
        if (done)
            done = pod_run_execute_from(worker, function, from ? from : pod_run_small_phases(function), &after);
        from = 0;
        worker->commits = false;
    }
    if (thread != 0 || run->paused)
        return;
    pod_run_release_buffers(run->state->infed, run->options->infeed_count);
    if (!done)
        collect_failure(run, threads);
}
