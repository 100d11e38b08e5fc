/* client - takes the devices of a plugin, first in a child process, and tells of them. */

#include "client.h"

#include "apart.h"
#include "kept_programs.h"

#include "base/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_SECONDS = 120, COMPILE_SECONDS = 3600, MOST_DEVICES = 4096 };

/* -1: all. */
static int32_t count_of(const pod_device_question *question)
{
    return question->all ? -1 : question->count > 0 ? question->count : 1;
}

/* What plugins write to the standard output while they begin goes where errors go: a program's output is its own. */
static int divert_output(void)
{
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    if (kept >= 0)
        (void)dup2(STDERR_FILENO, STDOUT_FILENO);
    return kept;
}

static void restore_output(int kept)
{
    fflush(stdout);
    if (kept >= 0) {
        (void)dup2(kept, STDOUT_FILENO);
        (void)close(kept);
    }
}

static pod_status take_here(pod_pjrt_device *device, int32_t count, pod_error *error)
{
    pod_pjrt_make_kept_folder(device);
    const int output = divert_output();
    pod_status status = pod_pjrt_open(device->path, &device->plugin, error);
    if (status == POD_OK)
        status = pod_pjrt_take_devices(device, count, error);
    if (status == POD_OK)
        status = pod_pjrt_find_apart(device, error);
    restore_output(output);
    return status;
}

static int64_t value_of(pod_pjrt_told told)
{
    return told.is_told && told.value > 0 ? told.value : 0;
}

/* ---- public ------------------------------------------------------------------------------------------------ */

pod_status pod_device_open(pod_context *context, const pod_device_question *question, pod_device **device,
                           pod_error *error)
{
    *device = NULL;
    if (pod_context_is_guest(context))
        return pod_error_set(error, POD_ERROR_UNSUPPORTED, "a sandbox may load no plugin");
    (void)setenv("TF_CPP_MIN_LOG_LEVEL", "2", 0); /* XLA writes errors only, and no greetings */
    if (question->count < 0 || question->count > MOST_DEVICES)
        return pod_error_set(error, POD_ERROR_VALUE, "%d devices are asked for; it is 1 to %d", question->count,
                             MOST_DEVICES);
    pod_pjrt_device *made = pod_allocate_zeroed(context, 1, sizeof *made);
    if (made == NULL)
        return pod_error_memory(error, "a device", sizeof *made);
    made->base.backend = &pod_pjrt_backend;
    made->base.context = pod_context_retain(context);
    atomic_init(&made->base.shares, 1);
    made->path = pod_copy_text(context, question->plugin);
    made->kept = question->kept != NULL ? pod_copy_text(context, question->kept) : NULL;
    made->kept_bytes = question->kept_bytes > 0 ? question->kept_bytes : POD_PJRT_KEPT_BYTES;
    made->base.description.count = count_of(question);
    made->compile_seconds = question->compile_seconds > 0 ? question->compile_seconds : COMPILE_SECONDS;
    pod_text_init(&made->topology, context);
    pod_status status = made->path != NULL && (made->kept != NULL || question->kept == NULL)
                            ? POD_OK
                            : pod_error_memory(error, "a device", 0);
    if (status == POD_OK)
        status = pod_pjrt_try_apart(made, question->seconds > 0 ? question->seconds : DEFAULT_SECONDS, error);
    if (status == POD_OK)
        status = take_here(made, count_of(question), error);
    if (status != POD_OK)
        pod_device_release(&made->base);
    else
        *device = &made->base;
    return status;
}

pod_status pod_device_ask_memory(const pod_device *base, int32_t index, pod_device_memory *memory, pod_error *error)
{
    const pod_pjrt_device *device = (const pod_pjrt_device *)base;
    *memory = (pod_device_memory){0};
    if (index < 0 || index >= base->description.count)
        return pod_error_set(error, POD_ERROR_VALUE, "there is no device %d: they are 0 to %d", index,
                             base->description.count - 1);
    pod_pjrt_device_memory asked = {.head = POD_PJRT_HEAD(asked), .device = device->devices[index]};
    pod_error said;
    if (pod_pjrt_do(&device->plugin, POD_PJRT_Device_MemoryStats, &asked, &said) != POD_OK)
        return pod_error_set(error, POD_ERROR_UNSUPPORTED, "memory is not told by this plugin: %.400s", said.message);
    *memory =
        (pod_device_memory){asked.used, value_of(asked.peak), value_of(asked.limit), value_of(asked.largest_free)};
    return POD_OK;
}
