/* take_devices - makes a client of a plugin, in a child process or here. */

#include "client.h"

#include <string.h>

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

pod_status pod_pjrt_take_devices(pod_pjrt_device *device, int32_t count, pod_error *error)
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
    /* XLA's CPUs are as many as are asked for: four where nobody asks, with as many threads, also on two cores */
    if (count > 0 && about->there != count && strcmp(about->platform, "cpu") == 0) {
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
