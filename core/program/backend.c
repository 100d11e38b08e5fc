/* backend - see backend.h. */

#include "program/backend.h"

#include "base/context.h"

pod_device *pod_device_retain(pod_device *device)
{
    atomic_fetch_add_explicit(&device->shares, 1, memory_order_relaxed);
    return device;
}

void pod_device_release(pod_device *device)
{
    if (!device || atomic_fetch_sub_explicit(&device->shares, 1, memory_order_acq_rel) != 1)
        return;
    pod_context *context = device->context;
    device->backend->end(device);
    pod_context_release(context);
}

const pod_device_description *pod_device_describe(const pod_device *device)
{
    return &device->description;
}
