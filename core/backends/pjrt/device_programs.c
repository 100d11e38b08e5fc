/* device_programs - compiles programs by a plugin. */

#include "device_programs.h"

#include "kept_programs.h"
#include "options.h"

#include "base/context.h"
#include "exchange/write.h"
#include "moonpod/profile.h"

#include <string.h>

static pod_status compile_with(pod_pjrt_device *device, const char *text, bool fewer_copies, void **executable,
                               pod_error *error)
{
    pod_text options;
    pod_text_init(&options, device->base.context);
    pod_pjrt_write_options(&options, 1, device->base.description.count, false);
    if (strcmp(device->base.description.platform, "cpu") == 0)
        pod_pjrt_write_cpu_options(&options, fewer_copies);
    if (options.failed)
        return pod_error_memory(error, "options of a compiler", 0);
    const pod_pjrt_module module = {text, options.data, strlen(text), options.length};
    const pod_pjrt_kept kept = pod_pjrt_find_kept(device, &module);
    pod_bytes program = {0};
    pod_status status = POD_OK;
    const uint32_t span = pod_profile_enter(device->base.context, POD_PART_COMPILE, "device: compile");
    *executable = pod_pjrt_load_kept(device, &kept);
    if (*executable == NULL)
        status = pod_pjrt_compile_module(device, &module, executable, &program, error);
    if (status == POD_OK)
        pod_pjrt_keep(device, &kept, &program);
    pod_bytes_free(device->base.context, &program);
    pod_profile_leave(device->base.context, span);
    pod_text_clear(&options);
    return status;
}

static pod_status compile_text(pod_pjrt_device *device, const char *text, void **executable, pod_error *error)
{
    const pod_status status = compile_with(device, text, true, executable, error);
    if (status == POD_OK || !error || strstr(error->message, POD_PJRT_FEWER_COPIES) == NULL)
        return status;
    return compile_with(device, text, false, executable, error);
}

static pod_status compile_graph(const pod_program *program, const pod_graph *graph, const int8_t *cut,
                                void **executable, pod_error *error)
{
    char *text;
    const pod_exchange_target target = {.devices = program->device->description.count, .cut = cut};
    pod_status status = pod_exchange_write_for(graph, &target, &text, error);
    if (status != POD_OK)
        return status;
    status = compile_text((pod_pjrt_device *)program->device, text, executable, error);
    pod_text_free(program->context, text);
    return status;
}

/* What each step reads anew is divided along the axis behind that of the steps. */
static pod_status compile_loop(const pod_program *program, pod_pjrt_compiled *of, pod_error *error)
{
    pod_graph *loop;
    const pod_exchange_repeats repeats = {.most = POD_PJRT_LOOP_STEPS,
                                          .first = of->infeed_first,
                                          .count = of->infeed_count,
                                          .has_checks = of->checks.count > 0};
    int8_t *cut = pod_allocate_zeroed(program->context, (size_t)program->parameter_count + 1, sizeof *cut);
    if (cut == NULL)
        return pod_error_memory(error, "a program", program->parameter_count);
    for (uint32_t i = 0; i < program->parameter_count; i++)
        cut[i] = of->cut[i] == 0 && i - of->infeed_first < of->infeed_count ? 1 : of->cut[i];
    cut[program->parameter_count] = -1;
    pod_status status = pod_exchange_repeat(of->graph, &repeats, &loop, error);
    if (status == POD_OK) {
        status = compile_graph(program, loop, cut, &of->loop, error);
        pod_graph_free(loop);
    }
    pod_free(program->context, cut);
    return status;
}

pod_status pod_pjrt_compile_program(pod_program *program, const pod_run_options *options, bool loops, pod_error *error)
{
    pod_pjrt_compiled *of = program->executable;
    if (!loops)
        return of->step != NULL ? POD_OK : compile_graph(program, of->graph, of->cut, &of->step, error);
    const uint32_t first = (uint32_t)options->infeed_first;
    const uint32_t count = options->infeed != NULL ? (uint32_t)options->infeed_count : 0;
    if (of->loop != NULL && (of->infeed_first != first || of->infeed_count != count)) {
        pod_pjrt_end_object((pod_pjrt_device *)program->device, POD_PJRT_LoadedExecutable_Destroy, of->loop);
        of->loop = NULL;
    }
    of->infeed_first = first;
    of->infeed_count = count;
    return of->loop != NULL ? POD_OK : compile_loop(program, of, error);
}

/* Rows that can be divided in equal parts are, and variables that are kept in parts; of a short last batch each device
 * has all. */
static bool divide_rows(const pod_compile_options *options, pod_program *program, pod_pjrt_compiled *made)
{
    const int64_t devices = options->device->description.count;
    made->cut = pod_arena_array(&program->memory, program->parameter_count + 1, sizeof *made->cut);
    for (uint32_t i = 0; made->cut && i < program->parameter_count; i++) {
        const pod_shape *shape = &program->parameters[i].shape;
        const bool is_cut = options->has_rows && options->has_rows[i] && devices > 1 && shape->rank > 0 &&
                            shape->dims[0] % devices == 0;
        made->cut[i] = is_cut ? 0 : -1;
    }
    return made->cut != NULL;
}

/* Whether the text can be written: what cannot is refused before anything runs. */
static pod_status try_to_write(const pod_program *program, const pod_pjrt_compiled *made, pod_error *error)
{
    char *text;
    const pod_exchange_target target = {.devices = program->device->description.count, .cut = made->cut};
    const pod_status status = pod_exchange_write_for(made->graph, &target, &text, error);
    if (status == POD_OK)
        pod_text_free(program->context, text);
    return status;
}

pod_status pod_pjrt_prepare_program(const pod_compile_options *options, const pod_graph *graph, pod_program *program,
                                    pod_error *error)
{
    pod_pjrt_compiled *made = pod_arena_allocate(&program->memory, sizeof *made);
    if (made == NULL || !divide_rows(options, program, made))
        return pod_error_memory(error, "a program", sizeof *made);
    pod_status status = pod_exchange_make_portable(graph, &program->memory, &made->graph, &made->checks, error);
    if (status != POD_OK)
        return status;
    status = try_to_write(program, made, error);
    if (status == POD_OK)
        program->executable = made;
    else
        pod_graph_free(made->graph);
    return status;
}

void pod_pjrt_end_program(pod_program *program)
{
    const pod_pjrt_compiled *of = program->executable;
    pod_pjrt_device *device = (pod_pjrt_device *)program->device;
    pod_pjrt_end_object(device, POD_PJRT_LoadedExecutable_Destroy, of->step);
    pod_pjrt_end_object(device, POD_PJRT_LoadedExecutable_Destroy, of->loop);
    pod_graph_free(of->graph);
}
