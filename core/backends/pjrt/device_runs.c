/* device_runs - runs programs on devices: one step, or loops of several. */

#include "device_programs.h"
#include "device_times.h"

#include "base/context.h"
#include "engine/run_arguments.h"

#include <string.h>

static const pod_pjrt_compiled *of_program(const pod_program *program)
{
    return program->executable;
}

static uint32_t count_outputs(const pod_program *program)
{
    return program->output_count + (of_program(program)->checks.count > 0);
}

/* ---- a run --------------------------------------------------------------------------------------------------- */

/* What a run has, in one block. Arrays are of parameters and of outputs; those of the plugin's buffers have as many
 * for each device, and a place more for the count of a loop. */
typedef struct device_run {
    pod_program *program;
    pod_pjrt_device *device;
    const pod_run_options *options;
    pod_pjrt_copy **arguments; /* what the step reads: borrowed of the buffers, or in `sent` */
    pod_pjrt_copy **sent;      /* what is the run's own; else NULL */
    pod_pjrt_copy **outputs;   /* of the last step, the run's own */
    pod_buffer **infed;        /* of the step */
    void **events;             /* of each device: the last step; NULL: there was none */
    void ***input_lists, ***output_lists;
    void **inputs, **results;
    void **stacks, **read;     /* of the infeed in a loop: elements of its steps, and those that the launch reads */
    pod_pjrt_copy **lent;      /* to the launch: of `read` */
    bool loops;                /* steps are done in loops */
    pod_pjrt_copy *count;      /* of the loop: how many steps it does */
    int64_t steps, steps_done; /* that are wanted, and were done */
    int64_t launched;          /* steps of the last launch; 0: it was waited for */
    pod_status after;          /* how the infeed has ended the run */
} device_run;

static void *take(char *block, size_t *at, size_t count)
{
    void *array = block != NULL ? block + *at : NULL;
    *at += (count > 0 ? count : 1) * sizeof(void *);
    return array;
}

static size_t lay_out(device_run *run, char *block)
{
    const size_t parameters = run->program->parameter_count, outputs = count_outputs(run->program);
    const size_t devices = (size_t)run->device->base.description.count;
    size_t at = 0;
    run->arguments = take(block, &at, parameters);
    run->sent = take(block, &at, parameters);
    run->outputs = take(block, &at, outputs);
    run->infed = take(block, &at, parameters);
    run->events = take(block, &at, devices);
    run->input_lists = take(block, &at, devices);
    run->output_lists = take(block, &at, devices);
    run->inputs = take(block, &at, devices * (parameters + 1));
    run->results = take(block, &at, devices * outputs);
    run->stacks = take(block, &at, parameters);
    run->read = take(block, &at, parameters);
    run->lent = take(block, &at, parameters);
    for (size_t i = 0; block != NULL && i < devices; i++) {
        run->input_lists[i] = run->inputs + i * (parameters + 1);
        run->output_lists[i] = run->results + i * outputs;
    }
    return at;
}

static void drop(pod_pjrt_copy **copies, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++) {
        pod_pjrt_end_copy(copies[i]);
        copies[i] = NULL;
    }
}

/* Raises the first check of the last step that does not hold. */
static pod_status look_at_checks(device_run *run, pod_error *error)
{
    const pod_program *program = run->program;
    const pod_exchange_checks *checks = &of_program(program)->checks;
    pod_pjrt_copy *said = checks->count > 0 ? run->outputs[program->output_count] : NULL;
    bool *held = said != NULL ? pod_allocate_zeroed(program->context, checks->count, sizeof *held) : NULL;
    if (said == NULL)
        return POD_OK;
    pod_status status = held != NULL ? said->base.kind->read(&said->base, held, checks->count, error)
                                     : pod_error_memory(error, "checks", checks->count);
    for (uint32_t i = 0; status == POD_OK && i < checks->count; i++)
        if (!held[i])
            status = pod_error_set(error, POD_ERROR_VALUE, "%s", checks->messages[i]);
    pod_free(program->context, held);
    pod_pjrt_end_copy(said);
    run->outputs[program->output_count] = NULL;
    return status;
}

/* How many rows the infeed has given for a launch. */
static int64_t rows_of_launch(const device_run *run)
{
    const pod_run_options *options = run->options;
    const pod_shape *shape = options->infeed ? &run->program->parameters[options->infeed_first].shape : NULL;
    return shape != NULL && shape->rank > 0 ? shape->dims[0] * run->launched : 0;
}

/* Waits for the last step. */
static pod_status await_step(device_run *run, pod_error *error)
{
    pod_status status = POD_OK;
    if (run->launched == 0)
        return POD_OK;
    const pod_lane_state outer = pod_pjrt_enter_run(run->program);
    for (int32_t i = 0; i < run->device->base.description.count; i++) {
        const pod_status one = pod_pjrt_await(run->device, run->events[i], status == POD_OK ? error : NULL);
        status = status == POD_OK ? one : status;
        run->events[i] = NULL;
    }
    pod_pjrt_leave_run(run->program, outer);
    pod_pjrt_note_launch(run->program, run->launched, rows_of_launch(run));
    run->launched = 0;
    return status == POD_OK ? look_at_checks(run, error) : status;
}

/* An argument that the infeed does not give: what the device has of it already, or what is sent now. A host that does
 * not tell of its writes may have written since. */
static pod_status prepare_argument(device_run *run, uint32_t index, pod_buffer *buffer, pod_error *error)
{
    const bool is_cut = of_program(run->program)->cut[index] == 0;
    pod_pjrt_copy *there = (pod_pjrt_copy *)pod_buffer_remote(buffer, run->device);
    if (there != NULL &&
        (there->is_cut != is_cut || (!run->options->tells_writes && !pod_buffer_is_only_remote(buffer))))
        there = NULL;
    pod_status status = there != NULL ? POD_OK : pod_buffer_settle(buffer, error);
    if (status == POD_OK && there == NULL) {
        status = pod_pjrt_send(run->device, buffer, is_cut, &there, error);
        if (status == POD_OK && run->options->tells_writes)
            pod_buffer_set_remote(buffer, &there->base);
        else if (status == POD_OK)
            run->sent[index] = there;
    }
    run->arguments[index] = there;
    return status;
}

/* ---- what the infeed gives --------------------------------------------------------------------------------------- */

/* Keeps a buffer's elements among those of the loop's steps: what each device gets of all steps lies together. */
static pod_status stack(device_run *run, uint32_t parameter, int64_t step, pod_buffer *buffer, pod_error *error)
{
    const bool is_cut = of_program(run->program)->cut[parameter] == 0;
    const size_t parts = is_cut ? (size_t)run->device->base.description.count : 1;
    const size_t bytes = pod_buffer_bytes(buffer), part = bytes / parts;
    if (run->stacks[parameter] == NULL)
        run->stacks[parameter] = pod_allocate(run->program->context, POD_PJRT_LOOP_STEPS * (bytes + 1));
    if (run->stacks[parameter] == NULL)
        return pod_error_memory(error, "steps of a run on a device", POD_PJRT_LOOP_STEPS * bytes);
    for (size_t i = 0; i < parts && part > 0; i++)
        memcpy((char *)run->stacks[parameter] + (i * POD_PJRT_LOOP_STEPS + (size_t)step) * part,
               (char *)pod_buffer_data(buffer) + i * part, part);
    return POD_OK;
}

static pod_status keep_infed(device_run *run, uint32_t parameter, int64_t step, pod_buffer *buffer, pod_error *error)
{
    const bool is_cut = of_program(run->program)->cut[parameter] == 0;
    pod_status status = pod_run_check_buffer(run->program, parameter, buffer, error);
    if (status == POD_OK)
        status = pod_buffer_settle(buffer, error);
    if (status != POD_OK || run->loops)
        return status == POD_OK ? stack(run, parameter, step, buffer, error) : status;
    drop(run->sent, parameter, 1);
    status = pod_pjrt_send(run->device, buffer, is_cut, &run->sent[parameter], error);
    run->arguments[parameter] = run->sent[parameter];
    return status;
}

/* Takes what the infeed gives for one step. */
static pod_status take_step(device_run *run, int64_t step, pod_error *error)
{
    const pod_run_options *options = run->options;
    const uint32_t first = (uint32_t)options->infeed_first, count = (uint32_t)options->infeed_count;
    pod_status status = options->infeed->next(options->infeed->context, run->infed, count, error);
    if (status != POD_OK)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        if (status == POD_OK)
            status = keep_infed(run, first + i, step, run->infed[i], error);
        pod_buffer_release(run->infed[i]);
    }
    return status;
}

/* Sends what was kept of a loop's steps, and their number. */
static pod_status send_steps(device_run *run, int64_t steps, pod_error *error)
{
    const uint32_t first = (uint32_t)run->options->infeed_first;
    const uint32_t count = run->options->infeed != NULL ? (uint32_t)run->options->infeed_count : 0;
    pod_status status = POD_OK;
    for (uint32_t i = first; status == POD_OK && i < first + count; i++) {
        const pod_signature *of = &run->program->parameters[i];
        const pod_pjrt_steps sent = {run->stacks[i], of->dtype, &of->shape, POD_PJRT_LOOP_STEPS,
                                     of_program(run->program)->cut[i] == 0};
        status = pod_pjrt_send_steps(run->device, &sent, &run->sent[i], error);
        run->arguments[i] = run->sent[i];
    }
    pod_pjrt_end_copy(run->count);
    run->count = NULL;
    return status == POD_OK ? pod_pjrt_send_number(run->device, (int32_t)steps, &run->count, error) : status;
}

/* Takes what is given for the steps of one launch; returns how many there are. How the infeed ended the run is in
 * run->after. */
static int64_t take_steps(device_run *run, pod_error *error)
{
    const int64_t left = run->steps - run->steps_done, most = run->loops ? POD_PJRT_LOOP_STEPS : 1;
    const int64_t wanted = left < most ? left : most;
    int64_t steps = run->options->infeed != NULL ? 0 : wanted;
    while (steps < wanted && run->after == POD_OK) {
        run->after = take_step(run, steps, error);
        steps += run->after == POD_OK;
    }
    return steps;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* What the steps read that are now launched stands apart: the next ones' is written while they are done. */
static void lend(device_run *run)
{
    const uint32_t first = (uint32_t)run->options->infeed_first;
    const uint32_t count = run->options->infeed != NULL ? (uint32_t)run->options->infeed_count : 0;
    drop(run->lent, first, count);
    for (uint32_t i = first; i < first + count; i++) {
        void *free_now = run->read[i];
        run->read[i] = run->stacks[i];
        run->stacks[i] = free_now;
        run->lent[i] = run->sent[i];
        run->sent[i] = NULL;
    }
}

/* Gives the plugin one step to do, or a loop of some. XLA's CPU backend does them at once. */
static pod_status launch(device_run *run, int64_t steps, pod_error *error)
{
    const pod_program *program = run->program;
    const size_t devices = (size_t)run->device->base.description.count;
    for (size_t i = 0; i < devices; i++) {
        for (uint32_t j = 0; j < program->parameter_count; j++)
            run->input_lists[i][j] = run->arguments[j]->buffers[i];
        if (run->loops)
            run->input_lists[i][program->parameter_count] = run->count->buffers[i];
    }
    const pod_pjrt_execute_options options = {.head = POD_PJRT_HEAD(options)};
    pod_pjrt_execute execute = {
        .head = POD_PJRT_HEAD(execute),
        .executable = run->loops ? of_program(program)->loop : of_program(program)->step,
        .options = &options,
        .arguments = (void *const *const *)run->input_lists,
        .device_count = devices,
        .argument_count = program->parameter_count + run->loops,
        .outputs = run->output_lists,
        .events = run->events,
    };
    const pod_lane_state outer = pod_pjrt_enter_run(program);
    const pod_status status = pod_pjrt_do(&run->device->plugin, POD_PJRT_LoadedExecutable_Execute, &execute, error);
    pod_pjrt_leave_run(program, outer);
    run->launched = status == POD_OK ? steps : 0;
    return status;
}

/* Makes copies of what the last step has given. */
static pod_status take_outputs(device_run *run, pod_error *error)
{
    const pod_program *program = run->program;
    const pod_shape of_checks = {1, {of_program(program)->checks.count}};
    pod_status status = POD_OK;
    for (uint32_t i = 0; i < count_outputs(program); i++) {
        const pod_shape *shape = i < program->output_count ? &program->outputs[i].shape : &of_checks;
        const int64_t alias = i < program->output_count ? program->outputs[i].alias : -1;
        pod_pjrt_copy *made = pod_pjrt_new_copy(run->device, shape, error);
        if (made != NULL)
            made->is_cut = alias >= 0 && of_program(program)->cut[alias] == 0;
        for (int32_t j = 0; j < run->device->base.description.count; j++) {
            if (made != NULL)
                made->buffers[j] = run->output_lists[j][i];
            else
                pod_pjrt_end_object(run->device, POD_PJRT_Buffer_Destroy, run->output_lists[j][i]);
        }
        status = made != NULL ? status : POD_ERROR_MEMORY;
        pod_pjrt_end_copy(run->outputs[i]);
        run->outputs[i] = made;
    }
    return status;
}

/* Variables are what the step has given for them; without that (no memory) their values are gone. */
static void update_variables(device_run *run, pod_buffer *const *arguments)
{
    const pod_program *program = run->program;
    for (uint32_t i = 0; i < program->output_count; i++) {
        const int64_t alias = program->outputs[i].alias;
        if (alias < 0 || run->outputs[i] == NULL)
            continue;
        pod_buffer_move_to_remote(arguments[alias], &run->outputs[i]->base);
        run->arguments[alias] = run->outputs[i];
        run->outputs[i] = NULL;
        pod_pjrt_end_copy(run->sent[alias]);
        run->sent[alias] = NULL;
    }
}

/* One launch: what the infeed gives is taken and sent while the steps before are done. */
static pod_status do_launch(device_run *run, pod_buffer *const *arguments, pod_error *error)
{
    const int64_t steps = take_steps(run, error);
    if (steps == 0)
        return run->after;
    pod_error other; /* that of the infeed is told in the end */
    error = run->after == POD_OK ? error : &other;
    pod_status status = run->loops ? send_steps(run, steps, error) : POD_OK;
    if (status == POD_OK)
        status = await_step(run, error);
    if (status == POD_OK && run->loops)
        lend(run);
    if (status == POD_OK)
        status = launch(run, steps, error);
    if (status == POD_OK)
        status = take_outputs(run, error);
    if (status == POD_OK)
        update_variables(run, arguments);
    run->steps_done += status == POD_OK ? steps : 0;
    return status == POD_OK ? run->after : status;
}

static pod_status give_results(device_run *run, pod_buffer **results, pod_error *error)
{
    const pod_program *program = run->program;
    for (uint32_t i = 0; results != NULL && i < program->output_count; i++) {
        const pod_signature *output = &program->outputs[i];
        pod_buffer *given = run->options->result_buffers ? run->options->result_buffers[i] : NULL;
        if (output->alias >= 0)
            continue;
        if (given != NULL)
            results[i] = pod_buffer_retain(given);
        else if (pod_buffer_new(program->context, output->dtype, &output->shape, &results[i], error) != POD_OK)
            return POD_ERROR_MEMORY;
        pod_buffer_move_to_remote(results[i], &run->outputs[i]->base);
        run->outputs[i] = NULL;
    }
    return POD_OK;
}

static pod_status do_steps(device_run *run, pod_buffer *const *arguments, pod_run_report *report, pod_error *error)
{
    pod_status status = POD_OK;
    while (status == POD_OK && run->steps_done < run->steps && !report->interrupted) {
        report->interrupted = pod_context_is_interrupted(run->program->context);
        if (!report->interrupted)
            status = do_launch(run, arguments, error);
    }
    report->interrupted = report->interrupted || status == POD_ERROR_INTERRUPTED;
    report->ended = status == POD_END;
    const bool ends_well = status == POD_OK || report->ended || report->interrupted;
    const pod_status last = await_step(run, ends_well ? error : NULL);
    report->steps = run->steps_done;
    return ends_well ? last : status;
}

/* Frees what a run has of its own. */
static void end_run(device_run *run, char *block)
{
    const pod_program *program = run->program;
    drop(run->sent, 0, program->parameter_count);
    drop(run->lent, 0, program->parameter_count);
    for (uint32_t i = 0; i < count_outputs(program); i++)
        pod_pjrt_end_copy(run->outputs[i]);
    for (uint32_t i = 0; i < program->parameter_count; i++) {
        pod_free(program->context, run->stacks[i]);
        pod_free(program->context, run->read[i]);
    }
    pod_pjrt_end_copy(run->count);
    pod_free(program->context, block);
}

static pod_status run_program(pod_program *program, pod_buffer *const *arguments, pod_buffer **results,
                              const pod_run_options *options, pod_run_report *report, pod_error *error)
{
    device_run run = {.program = program,
                      .device = (pod_pjrt_device *)program->device,
                      .options = options,
                      .steps = options->steps > 0 ? options->steps : 1,
                      .after = POD_OK};
    pod_run_report done = {0};
    const size_t bytes = lay_out(&run, NULL);
    char *block = pod_allocate_zeroed(program->context, 1, bytes);
    if (block == NULL)
        return pod_error_memory(error, "a run on a device", bytes);
    (void)lay_out(&run, block);
    run.loops = run.steps > 1 || (of_program(program)->step == NULL && of_program(program)->loop != NULL);
    pod_status status = pod_pjrt_compile_program(program, options, run.loops, error);
    if (status == POD_OK)
        status = pod_pjrt_begin_times(program, error);
    for (uint32_t i = 0; status == POD_OK && i < program->parameter_count; i++)
        if (arguments[i] != NULL)
            status = prepare_argument(&run, i, arguments[i], error);
    if (status == POD_OK)
        status = do_steps(&run, arguments, &done, error);
    if (status == POD_OK && run.steps_done > 0)
        status = give_results(&run, results, error);
    end_run(&run, block);
    if (report != NULL)
        *report = done;
    return status;
}

const pod_backend pod_pjrt_backend = {pod_pjrt_prepare_program, run_program, pod_pjrt_end_program, pod_pjrt_end_device};
