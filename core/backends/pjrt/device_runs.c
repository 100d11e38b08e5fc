/* device_runs - compiles programs by a plugin and runs them on its devices. */

#include "client.h"

#include "options.h"

#include "base/context.h"
#include "engine/run_arguments.h"
#include "exchange/portable.h"
#include "exchange/write.h"

#include <string.h>

/* What program->executable is. */
typedef struct device_program {
    void *loaded; /* of the plugin */
    bool *is_cut; /* parameters of whose rows each device has a part */
    pod_exchange_checks checks;
} device_program;

static uint32_t count_outputs(const pod_program *program)
{
    return program->output_count + (((const device_program *)program->executable)->checks.count > 0);
}

/* ---- compiling --------------------------------------------------------------------------------------------- */

static pod_status compile_text(pod_pjrt_device *device, const char *text, void **executable, pod_error *error)
{
    pod_text options;
    pod_text_init(&options, device->base.context);
    pod_pjrt_write_options(&options, 1, device->base.description.count, false);
    if (strcmp(device->base.description.platform, "cpu") == 0)
        pod_pjrt_write_cpu_options(&options);
    if (options.failed)
        return pod_error_memory(error, "options of a compiler", 0);
    const pod_pjrt_program program = {.head = POD_PJRT_HEAD(program),
                                      .code = (char *)text,
                                      .code_size = strlen(text),
                                      .format = "mlir",
                                      .format_size = 4};
    pod_pjrt_client_compile compile = {.head = POD_PJRT_HEAD(compile),
                                       .client = device->client,
                                       .program = &program,
                                       .options = options.data,
                                       .option_size = options.length};
    const pod_status status = pod_pjrt_do(&device->plugin, POD_PJRT_Client_Compile, &compile, error);
    pod_text_clear(&options);
    *executable = compile.executable;
    return status;
}

static pod_status compile_graph(pod_device *base, const pod_graph *graph, device_program *made, pod_error *error)
{
    char *text;
    const pod_exchange_target target = {.devices = base->description.count, .is_cut = made->is_cut};
    pod_status status = pod_exchange_write_for(graph, &target, &text, error);
    if (status != POD_OK)
        return status;
    status = compile_text((pod_pjrt_device *)base, text, &made->loaded, error);
    pod_text_free(base->context, text);
    return status;
}

/* Rows that can be divided in equal parts are; of a short last batch each device has all. */
static bool divide_rows(const pod_compile_options *options, pod_program *program, device_program *made)
{
    const int64_t devices = options->device->description.count;
    made->is_cut = pod_arena_array(&program->memory, program->parameter_count + 1, sizeof *made->is_cut);
    for (uint32_t i = 0; made->is_cut && options->has_rows && i < program->parameter_count; i++) {
        const pod_shape *shape = &program->parameters[i].shape;
        made->is_cut[i] = devices > 1 && options->has_rows[i] && program->parameters[i].alias < 0 && shape->rank > 0 &&
                          shape->dims[0] % devices == 0;
    }
    return made->is_cut != NULL;
}

static pod_status compile(const pod_compile_options *options, const pod_graph *graph, pod_program *program,
                          pod_error *error)
{
    pod_graph *portable;
    device_program *made = pod_arena_allocate(&program->memory, sizeof *made);
    if (made == NULL || !divide_rows(options, program, made))
        return pod_error_memory(error, "a program", sizeof *made);
    pod_status status = pod_exchange_make_portable(graph, &program->memory, &portable, &made->checks, error);
    if (status != POD_OK)
        return status;
    status = compile_graph(options->device, portable, made, error);
    pod_graph_free(portable);
    program->executable = status == POD_OK ? made : NULL;
    return status;
}

static void end_program(pod_program *program)
{
    const device_program *made = program->executable;
    pod_pjrt_end_object((pod_pjrt_device *)program->device, POD_PJRT_LoadedExecutable_Destroy, made->loaded);
}

/* ---- a run --------------------------------------------------------------------------------------------------- */

/* What a run has, in one block. Arrays are of parameters and of outputs; those of the plugin's buffers have as many
 * for each device. */
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
    int64_t steps_done;
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
    run->inputs = take(block, &at, devices * parameters);
    run->results = take(block, &at, devices * outputs);
    for (size_t i = 0; block != NULL && i < devices; i++) {
        run->input_lists[i] = run->inputs + i * parameters;
        run->output_lists[i] = run->results + i * outputs;
    }
    return at;
}

static void drop_sent(device_run *run, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++) {
        pod_pjrt_end_copy(run->sent[i]);
        run->sent[i] = NULL;
    }
}

/* Raises the first check of the last step that does not hold. */
static pod_status look_at_checks(device_run *run, pod_error *error)
{
    const pod_program *program = run->program;
    const pod_exchange_checks *checks = &((const device_program *)program->executable)->checks;
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

/* Waits for the last step. */
static pod_status await_step(device_run *run, pod_error *error)
{
    pod_status status = POD_OK;
    for (int32_t i = 0; i < run->device->base.description.count; i++) {
        const pod_status one = pod_pjrt_await(run->device, run->events[i], status == POD_OK ? error : NULL);
        status = status == POD_OK ? one : status;
        run->events[i] = NULL;
    }
    return status == POD_OK ? look_at_checks(run, error) : status;
}

/* An argument that the infeed does not give: what the device has of it already, or what is sent now. A host that does
 * not tell of its writes may have written since. */
static pod_status prepare_argument(device_run *run, uint32_t index, pod_buffer *buffer, pod_error *error)
{
    const bool is_cut = ((const device_program *)run->program->executable)->is_cut[index];
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

/* Takes what the infeed gives for one step. */
static pod_status take_infeed(device_run *run, pod_error *error)
{
    const pod_run_options *options = run->options;
    const uint32_t first = (uint32_t)options->infeed_first, count = (uint32_t)options->infeed_count;
    const bool *is_cut = ((const device_program *)run->program->executable)->is_cut;
    if (options->infeed == NULL)
        return POD_OK;
    pod_status status = options->infeed->next(options->infeed->context, run->infed, count, error);
    if (status != POD_OK)
        return status;
    drop_sent(run, first, count);
    for (uint32_t i = 0; i < count; i++) {
        if (status == POD_OK)
            status = pod_run_check_buffer(run->program, first + i, run->infed[i], error);
        if (status == POD_OK)
            status = pod_buffer_settle(run->infed[i], error);
        if (status == POD_OK)
            status = pod_pjrt_send(run->device, run->infed[i], is_cut[first + i], &run->sent[first + i], error);
        run->arguments[first + i] = run->sent[first + i];
        pod_buffer_release(run->infed[i]);
    }
    return status;
}

/* Gives the plugin one step to do. */
static pod_status launch(device_run *run, pod_error *error)
{
    const pod_program *program = run->program;
    const size_t devices = (size_t)run->device->base.description.count;
    for (size_t i = 0; i < devices; i++)
        for (uint32_t j = 0; j < program->parameter_count; j++)
            run->input_lists[i][j] = run->arguments[j]->buffers[i];
    const pod_pjrt_execute_options options = {.head = POD_PJRT_HEAD(options)};
    pod_pjrt_execute execute = {
        .head = POD_PJRT_HEAD(execute),
        .executable = ((const device_program *)program->executable)->loaded,
        .options = &options,
        .arguments = (void *const *const *)run->input_lists,
        .device_count = devices,
        .argument_count = program->parameter_count,
        .outputs = run->output_lists,
        .events = run->events,
    };
    return pod_pjrt_do(&run->device->plugin, POD_PJRT_LoadedExecutable_Execute, &execute, error);
}

/* Makes copies of what the last step has given. */
static pod_status take_outputs(device_run *run, pod_error *error)
{
    const pod_program *program = run->program;
    const device_program *of = program->executable;
    const pod_shape of_checks = {1, {of->checks.count}};
    pod_status status = POD_OK;
    for (uint32_t i = 0; i < count_outputs(program); i++) {
        const pod_shape *shape = i < program->output_count ? &program->outputs[i].shape : &of_checks;
        pod_pjrt_copy *made = pod_pjrt_new_copy(run->device, shape, error);
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

/* One step: the infeed and what it sends go on while the step before is done. */
static pod_status do_step(device_run *run, pod_buffer *const *arguments, pod_error *error)
{
    pod_status status = take_infeed(run, error);
    if (status != POD_OK)
        return status;
    status = await_step(run, error);
    if (status == POD_OK)
        status = launch(run, error);
    if (status == POD_OK)
        status = take_outputs(run, error);
    if (status == POD_OK)
        update_variables(run, arguments);
    run->steps_done += status == POD_OK;
    return status;
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
    const int64_t steps = run->options->steps > 0 ? run->options->steps : 1;
    pod_status status = POD_OK;
    while (status == POD_OK && run->steps_done < steps && !report->interrupted) {
        report->interrupted = pod_context_is_interrupted(run->program->context);
        if (!report->interrupted)
            status = do_step(run, arguments, error);
    }
    report->interrupted = report->interrupted || status == POD_ERROR_INTERRUPTED;
    report->ended = status == POD_END;
    const pod_status last = await_step(run, status == POD_OK ? error : NULL);
    report->steps = run->steps_done;
    return status == POD_OK || report->ended || report->interrupted ? last : status;
}

static pod_status run_program(pod_program *program, pod_buffer *const *arguments, pod_buffer **results,
                              const pod_run_options *options, pod_run_report *report, pod_error *error)
{
    device_run run = {.program = program, .device = (pod_pjrt_device *)program->device, .options = options};
    pod_run_report done = {0};
    const size_t bytes = lay_out(&run, NULL);
    char *block = pod_allocate_zeroed(program->context, 1, bytes);
    if (block == NULL)
        return pod_error_memory(error, "a run on a device", bytes);
    (void)lay_out(&run, block);
    pod_status status = POD_OK;
    for (uint32_t i = 0; status == POD_OK && i < program->parameter_count; i++)
        if (arguments[i] != NULL)
            status = prepare_argument(&run, i, arguments[i], error);
    if (status == POD_OK)
        status = do_steps(&run, arguments, &done, error);
    if (status == POD_OK && run.steps_done > 0)
        status = give_results(&run, results, error);
    drop_sent(&run, 0, program->parameter_count);
    for (uint32_t i = 0; i < count_outputs(program); i++)
        pod_pjrt_end_copy(run.outputs[i]);
    pod_free(program->context, block);
    if (report != NULL)
        *report = done;
    return status;
}

const pod_backend pod_pjrt_backend = {compile, run_program, end_program, pod_pjrt_end_device};
