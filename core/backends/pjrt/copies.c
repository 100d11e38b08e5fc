/* copies - elements of buffers on devices: sent, and fetched. */

#include "client.h"

#include "base/context.h"
#include "moonpod/profile.h"

#include <string.h>

static const int types[POD_DTYPE_END] = {
    [POD_BOOL] = POD_PJRT_PRED, [POD_S8] = POD_PJRT_S8,   [POD_S16] = POD_PJRT_S16,   [POD_S32] = POD_PJRT_S32,
    [POD_S64] = POD_PJRT_S64,   [POD_U8] = POD_PJRT_U8,   [POD_U16] = POD_PJRT_U16,   [POD_U32] = POD_PJRT_U32,
    [POD_U64] = POD_PJRT_U64,   [POD_F16] = POD_PJRT_F16, [POD_BF16] = POD_PJRT_BF16, [POD_F32] = POD_PJRT_F32,
    [POD_F64] = POD_PJRT_F64,
};

void pod_pjrt_end_object(const pod_pjrt_device *device, pod_pjrt_call call, void *object)
{
    pod_pjrt_object end = {.head = POD_PJRT_HEAD(end), .object = object};
    if (object != NULL)
        (void)!pod_pjrt_do(&device->plugin, call, &end, NULL);
}

void pod_pjrt_end_device(pod_device *base)
{
    pod_pjrt_device *device = (pod_pjrt_device *)base;
    pod_pjrt_end_object(device, POD_PJRT_Client_Destroy, device->client);
    pod_pjrt_end_children(device->children);
    pod_text_clear(&device->topology);
    pod_free(base->context, device->path);
    pod_free(base->context, device->kept);
    pod_free(base->context, device);
}

pod_status pod_pjrt_await(const pod_pjrt_device *device, void *event, pod_error *error)
{
    if (event == NULL)
        return POD_OK;
    pod_pjrt_object await = {.head = POD_PJRT_HEAD(await), .object = event};
    const pod_status status = pod_pjrt_do(&device->plugin, POD_PJRT_Event_Await, &await, error);
    pod_pjrt_end_object(device, POD_PJRT_Event_Destroy, event);
    return status;
}

void pod_pjrt_end_copy(pod_pjrt_copy *copy)
{
    if (copy == NULL)
        return;
    pod_pjrt_device *device = copy->of;
    const int32_t count = device->base.description.count;
    for (int32_t i = 0; i < count; i++)
        pod_pjrt_end_object(device, POD_PJRT_Buffer_Destroy, copy->buffers[i]);
    for (int32_t i = 0; i < count; i++)
        (void)!pod_pjrt_await(device, copy->buffers[count + i], NULL);
    pod_free(device->base.context, copy);
    pod_device_release(&device->base);
}

static void end_remote(pod_remote *remote)
{
    pod_pjrt_end_copy((pod_pjrt_copy *)remote);
}

/* Fetches what one device has, row-major. */
static pod_status read_part(const pod_pjrt_copy *copy, int32_t device, char *elements, size_t bytes, pod_error *error)
{
    int64_t order[POD_MAX_RANK];
    for (int32_t i = 0; i < copy->shape.rank; i++)
        order[i] = copy->shape.rank - 1 - i;
    const pod_pjrt_layout layout = {
        .head = POD_PJRT_HEAD(layout),
        .tiled = {.head = {.size = sizeof layout.tiled}, .minor_to_major = order, .rank = (size_t)copy->shape.rank}};
    pod_pjrt_to_host to = {
        .head = POD_PJRT_HEAD(to), .buffer = copy->buffers[device], .layout = &layout, .data = elements, .size = bytes};
    const pod_status status = pod_pjrt_do(&copy->of->plugin, POD_PJRT_Buffer_ToHostBuffer, &to, error);
    return status == POD_OK ? pod_pjrt_await(copy->of, to.event, error) : status;
}

/* All devices have the same, and the first one is asked; or each has its part. */
static pod_status read_remote(pod_remote *remote, void *elements, size_t bytes, pod_error *error)
{
    const pod_pjrt_copy *copy = (const pod_pjrt_copy *)remote;
    const int32_t parts = copy->is_cut ? copy->of->base.description.count : 1;
    const size_t part = bytes / (size_t)parts;
    pod_status status = POD_OK;
    if (bytes == 0)
        return POD_OK;
    pod_context *context = copy->of->base.context;
    const uint32_t span = pod_profile_enter(context, POD_PART_OUTPUT, "device: read back");
    for (int32_t i = 0; status == POD_OK && i < parts; i++)
        status = read_part(copy, i, (char *)elements + part * (size_t)i, part, error);
    pod_profile_leave(context, span);
    return status;
}

static const pod_remote_kind kind = {read_remote, end_remote};

pod_pjrt_copy *pod_pjrt_new_copy(pod_pjrt_device *device, const pod_shape *shape, pod_error *error)
{
    const size_t bytes = sizeof(pod_pjrt_copy) + 2 * (size_t)device->base.description.count * sizeof(void *);
    pod_pjrt_copy *copy = pod_allocate_zeroed(device->base.context, 1, bytes);
    if (copy == NULL) {
        (void)pod_error_memory(error, "a buffer of a device", bytes);
        return NULL;
    }
    copy->base = (pod_remote){&kind, device};
    copy->of = (pod_pjrt_device *)pod_device_retain(&device->base);
    copy->shape = *shape;
    return copy;
}

/* Elements that are sent: to each device the same, or one of equal parts, which lie one behind the other. */
typedef struct parcel {
    const char *elements;
    pod_dtype dtype;
    pod_shape part; /* what a device gets */
    bool is_cut, is_lent;
} parcel;

static pod_status send_parcel(pod_pjrt_device *device, const parcel *sent, const pod_shape *whole, pod_pjrt_copy **copy,
                              pod_error *error)
{
    const size_t bytes = (size_t)pod_shape_elements(&sent->part) * pod_dtype_size(sent->dtype);
    const uint32_t span = pod_profile_enter(device->base.context, POD_PART_INPUT_FEED, "device: send");
    pod_pjrt_copy *made = pod_pjrt_new_copy(device, whole, error);
    pod_status status = made != NULL ? POD_OK : POD_ERROR_MEMORY;
    if (made != NULL)
        made->is_cut = sent->is_cut;
    for (int32_t i = 0; status == POD_OK && i < device->base.description.count; i++) {
        pod_pjrt_from_host from = {
            .head = POD_PJRT_HEAD(from),
            .client = device->client,
            .data = sent->elements + (sent->is_cut ? bytes * (size_t)i : 0),
            .type = types[sent->dtype],
            .sizes = sent->part.dims,
            .rank = (size_t)sent->part.rank,
            .semantics = sent->is_lent ? POD_PJRT_ZERO_COPY : POD_PJRT_ONLY_DURING_CALL,
            .device = device->devices[i],
        };
        status = pod_pjrt_do(&device->plugin, POD_PJRT_Client_BufferFromHostBuffer, &from, error);
        made->buffers[i] = from.buffer;
        if (status == POD_OK && sent->is_lent)
            made->buffers[device->base.description.count + i] = from.done;
        else if (status == POD_OK)
            status = pod_pjrt_await(device, from.done, error);
    }
    pod_profile_leave(device->base.context, span);
    if (status != POD_OK)
        pod_pjrt_end_copy(made);
    *copy = status == POD_OK ? made : NULL;
    return status;
}

pod_status pod_pjrt_send(pod_pjrt_device *device, const pod_buffer *buffer, bool is_cut, pod_pjrt_copy **copy,
                         pod_error *error)
{
    parcel sent = {pod_buffer_data(buffer), pod_buffer_dtype(buffer), *pod_buffer_shape(buffer), is_cut, false};
    if (is_cut)
        sent.part.dims[0] /= device->base.description.count;
    return send_parcel(device, &sent, pod_buffer_shape(buffer), copy, error);
}

pod_status pod_pjrt_send_steps(pod_pjrt_device *device, const pod_pjrt_steps *steps, pod_pjrt_copy **copy,
                               pod_error *error)
{
    const pod_shape *one = steps->shape;
    parcel sent = {steps->elements, steps->dtype, {.rank = one->rank + 1, .dims = {steps->count}}, steps->is_cut, true};
    memcpy(sent.part.dims + 1, one->dims, (size_t)one->rank * sizeof *one->dims);
    const pod_shape whole = sent.part;
    if (steps->is_cut)
        sent.part.dims[1] /= device->base.description.count;
    return send_parcel(device, &sent, &whole, copy, error);
}

pod_status pod_pjrt_send_number(pod_pjrt_device *device, int32_t number, pod_pjrt_copy **copy, pod_error *error)
{
    const parcel sent = {(const char *)&number, POD_S32, {0}, false, false};
    return send_parcel(device, &sent, &sent.part, copy, error);
}
