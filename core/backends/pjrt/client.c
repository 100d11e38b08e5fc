/* client - takes the devices of a plugin: first in a child process, then here. */

#include "client.h"

#include "child.h"
#include "kept_programs.h"

#include "base/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_SECONDS = 120, MOST_DEVICES = 4096 };

static pod_status create_client(pod_pjrt_device *device, int32_t cpus, pod_error *error)
{
    static const char cpu_count[] = "cpu_device_count";
    const pod_pjrt_named named = {.head = POD_PJRT_HEAD(named),
                                  .name = cpu_count,
                                  .name_size = sizeof cpu_count - 1,
                                  .type = POD_PJRT_VALUE_INTEGER,
                                  .value = {.integer = cpus},
                                  .value_size = 1};
    pod_pjrt_client_create create = {
        .head = POD_PJRT_HEAD(create), .options = cpus > 0 ? &named : NULL, .option_count = cpus > 0};
    pod_status status = pod_pjrt_do(&device->plugin, POD_PJRT_Client_Create, &create, error);
    device->client = status == POD_OK ? create.client : NULL;
    if (status != POD_OK)
        return status;
    pod_pjrt_devices devices = {.head = POD_PJRT_HEAD(devices), .client = device->client};
    status = pod_pjrt_do(&device->plugin, POD_PJRT_Client_AddressableDevices, &devices, error);
    device->devices = devices.devices;
    device->base.description.there = (int32_t)devices.count;
    return status;
}

static pod_status take_devices(pod_pjrt_device *device, int32_t count, pod_error *error)
{
    pod_device_description *about = &device->base.description;
    const pod_pjrt_api *api = device->plugin.api;
    about->major = api->version.major;
    about->minor = api->version.minor;
    about->count = count;
    pod_status status = create_client(device, 0, error);
    if (status != POD_OK)
        return status;
    const pod_pjrt_plugin *plugin = &device->plugin;
    pod_pjrt_ask_line(plugin, POD_PJRT_Client_PlatformName, device->client, about->platform, sizeof about->platform);
    if (about->there < count && strcmp(about->platform, "cpu") == 0) {
        pod_pjrt_end_object(device, POD_PJRT_Client_Destroy, device->client);
        status = create_client(device, count, error);
    }
    if (status != POD_OK)
        return status;
    if (count < 0)
        about->count = about->there;
    if (about->there < about->count || about->there < 1)
        return pod_error_set(error, POD_ERROR_UNSUPPORTED, "%s has %d devices (%s), and %d are asked for", device->path,
                             about->there, about->platform, count < 0 ? 1 : count);
    pod_pjrt_ask_line(plugin, POD_PJRT_Client_PlatformVersion, device->client, about->version, sizeof about->version);
    pod_pjrt_object_of of = {.head = POD_PJRT_HEAD(of), .object = device->devices[0]};
    if (pod_pjrt_do(&device->plugin, POD_PJRT_Device_GetDescription, &of, NULL) == POD_OK)
        pod_pjrt_ask_line(plugin, POD_PJRT_DeviceDescription_Kind, of.of, about->kind, sizeof about->kind);
    return POD_OK;
}

/* ---- in a child process ----------------------------------------------------------------------------------- */

typedef struct client_trial {
    pod_pjrt_device device;
    pod_error answer;
} client_trial;

static void try_devices(void *at)
{
    client_trial *tried = at;
    pod_status status = pod_pjrt_open(tried->device.path, &tried->device.plugin, &tried->answer);
    if (status == POD_OK)
        status = take_devices(&tried->device, tried->device.base.description.count, &tried->answer);
    tried->answer.status = status;
}

/* -1: all. */
static int32_t count_of(const pod_device_question *question)
{
    return question->all ? -1 : question->count > 0 ? question->count : 1;
}

static pod_status try_in_child(pod_context *context, const pod_device_question *question, pod_error *error)
{
    client_trial tried = {.device = {.base.description.count = count_of(question), .path = (char *)question->plugin}};
    const pod_pjrt_child child = {.what = question->plugin,
                                  .work = try_devices,
                                  .at = &tried,
                                  .answer = &tried.answer,
                                  .answer_size = sizeof tried.answer,
                                  .seconds = question->seconds > 0 ? question->seconds : DEFAULT_SECONDS};
    const pod_status status = pod_pjrt_run_child(context, &child, error);
    if (status != POD_OK || tried.answer.status == POD_OK)
        return status;
    tried.answer.message[sizeof tried.answer.message - 1] = '\0';
    return pod_error_set(error, tried.answer.status < 0 ? tried.answer.status : POD_ERROR_STATE, "%s",
                         tried.answer.message);
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
    pod_status status = try_in_child(context, question, error);
    if (status != POD_OK)
        return status;
    pod_pjrt_device *made = pod_allocate_zeroed(context, 1, sizeof *made);
    char *path = pod_copy_text(context, question->plugin);
    char *kept = question->kept != NULL ? pod_copy_text(context, question->kept) : NULL;
    if (made == NULL || path == NULL || (kept == NULL && question->kept != NULL)) {
        pod_free(context, made);
        pod_free(context, path);
        pod_free(context, kept);
        return pod_error_memory(error, "a device", sizeof *made);
    }
    made->base.backend = &pod_pjrt_backend;
    made->base.context = pod_context_retain(context);
    atomic_init(&made->base.shares, 1);
    made->path = path;
    made->kept = kept;
    made->kept_bytes = question->kept_bytes > 0 ? question->kept_bytes : POD_PJRT_KEPT_BYTES;
    pod_pjrt_make_kept_folder(made);
    const int output = divert_output();
    status = pod_pjrt_open(path, &made->plugin, error);
    if (status == POD_OK)
        status = take_devices(made, count_of(question), error);
    restore_output(output);
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
