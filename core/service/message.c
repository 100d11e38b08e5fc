/* message - see message.h. */

#include "service/message.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"

#define MARK UINT32_C(0x53444f50) /* "PODS" */

/* ---- headers ---- */

bool pod_service_read_header(const void *bytes, size_t size, pod_header *header)
{
    const unsigned char *at = bytes;
    *header = (pod_header){0};
    if (size < 12 || pod_little_u32(at) != MARK)
        return false;
    header->version = pod_little_u32(at + 4);
    const uint32_t kind = pod_little_u32(at + 8);
    if (header->version != POD_SERVICE_PROTOCOL)
        return false;
    if (size != POD_SERVICE_HEADER_SIZE || kind < POD_SAYS_REFUSED || kind > POD_SAYS_LAST) {
        header->version = 0;
        return false;
    }
    header->kind = (pod_message_kind)kind;
    for (size_t i = 0; i < POD_SERVICE_NUMBERS; i++)
        header->numbers[i] = (int64_t)pod_little_u64(at + 12 + 8 * i);
    return true;
}

void pod_service_write_header(const pod_header *header, unsigned char bytes[POD_SERVICE_HEADER_SIZE])
{
    unsigned char *at = pod_put_little_u32(bytes, MARK);
    at = pod_put_little_u32(at, POD_SERVICE_PROTOCOL);
    at = pod_put_little_u32(at, header->kind);
    for (size_t i = 0; i < POD_SERVICE_NUMBERS; i++)
        at = pod_put_little_u64(at, (uint64_t)header->numbers[i]);
}

/* ---- receiving ---- */

/* Takes a frame; the frames of a message come together, so only the first is not waited for. */
static bool take_frame(void *socket, zmq_msg_t *frame, bool first)
{
    int status;
    pod_zmq.msg_init(frame);
    do
        status = pod_zmq.msg_recv(frame, socket, first ? ZMQ_DONTWAIT : 0);
    while (status < 0 && errno == EINTR);
    if (status < 0)
        pod_zmq.msg_close(frame);
    return status >= 0;
}

/* Takes the frames that are left, and keeps as many as there may be; false where there were more. */
static bool take_frames(void *socket, bool more, pod_envelope *envelope)
{
    bool fits = true;
    while (more) {
        zmq_msg_t frame;
        if (!take_frame(socket, &frame, false))
            return false;
        more = pod_zmq.msg_more(&frame) != 0;
        if (envelope->count < POD_SERVICE_MOST_FRAMES) {
            pod_zmq.msg_init(&envelope->frames[envelope->count]);
            pod_zmq.msg_move(&envelope->frames[envelope->count++], &frame);
        } else {
            fits = false;
        }
        pod_zmq.msg_close(&frame);
    }
    return fits;
}

bool pod_service_receive(void *socket, bool routed, pod_envelope *envelope, bool *sound)
{
    zmq_msg_t frame;
    envelope->count = 0;
    envelope->has_sender = false;
    envelope->header = (pod_header){0};
    *sound = false;
    if (!take_frame(socket, &frame, true))
        return false;
    bool more = pod_zmq.msg_more(&frame) != 0;
    if (routed) {
        pod_zmq.msg_init(&envelope->sender);
        pod_zmq.msg_move(&envelope->sender, &frame);
        pod_zmq.msg_close(&frame);
        envelope->has_sender = true;
        if (!more || !take_frame(socket, &frame, false))
            return true;
        more = pod_zmq.msg_more(&frame) != 0;
    }
    const bool read = pod_service_read_header(pod_zmq.msg_data(&frame), pod_zmq.msg_size(&frame), &envelope->header);
    pod_zmq.msg_close(&frame);
    *sound = take_frames(socket, more, envelope) && read;
    return true;
}

void pod_service_drop(pod_envelope *envelope)
{
    if (envelope->has_sender)
        pod_zmq.msg_close(&envelope->sender);
    for (size_t i = 0; i < envelope->count; i++)
        pod_zmq.msg_close(&envelope->frames[i]);
    envelope->has_sender = false;
    envelope->count = 0;
}

pod_bytes pod_service_frame(const pod_envelope *envelope, size_t index)
{
    if (index >= envelope->count)
        return (pod_bytes){0};
    zmq_msg_t *frame = (zmq_msg_t *)(uintptr_t)&envelope->frames[index];
    return (pod_bytes){pod_zmq.msg_data(frame), pod_zmq.msg_size(frame)};
}

bool pod_service_frame_text(const pod_envelope *envelope, size_t index, char *text, size_t size)
{
    const pod_bytes bytes = pod_service_frame(envelope, index);
    if (bytes.size == 0 || bytes.size >= size || memchr(bytes.data, '\0', bytes.size) != NULL)
        return false;
    memcpy(text, bytes.data, bytes.size);
    text[bytes.size] = '\0';
    return true;
}

/* ---- sending ---- */

static bool send_bytes(void *socket, const void *bytes, size_t size, bool more)
{
    zmq_msg_t frame;
    if (pod_zmq.msg_init_size(&frame, size) != 0)
        return false;
    if (size > 0)
        memcpy(pod_zmq.msg_data(&frame), bytes, size);
    int status;
    do
        status = pod_zmq.msg_send(&frame, socket, ZMQ_DONTWAIT | (more ? ZMQ_SNDMORE : 0));
    while (status < 0 && errno == EINTR);
    if (status < 0)
        pod_zmq.msg_close(&frame);
    return status >= 0;
}

bool pod_service_send(void *socket, const zmq_msg_t *receiver, const pod_header *header, const pod_bytes *frames,
                      size_t count)
{
    unsigned char bytes[POD_SERVICE_HEADER_SIZE];
    zmq_msg_t *to = (zmq_msg_t *)(uintptr_t)receiver;
    pod_service_write_header(header, bytes);
    bool sent = to == NULL || send_bytes(socket, pod_zmq.msg_data(to), pod_zmq.msg_size(to), true);
    sent = sent && send_bytes(socket, bytes, sizeof bytes, count > 0);
    for (size_t i = 0; sent && i < count; i++)
        sent = send_bytes(socket, frames[i].data, frames[i].size, i + 1 < count);
    return sent;
}

void pod_service_refuse_version(void *socket, const pod_envelope *envelope)
{
    char text[128];
    const int size = snprintf(text, sizeof text, "it speaks version %u of the data service, this end version %d",
                              (unsigned)envelope->header.version, POD_SERVICE_PROTOCOL);
    const pod_header header = {.kind = POD_SAYS_REFUSED};
    const pod_bytes frame = {text, (size_t)size};
    (void)pod_service_send(socket, envelope->has_sender ? &envelope->sender : NULL, &header, &frame, 1);
}

bool pod_service_forward(void *from, void *to, bool *sent)
{
    zmq_msg_t frame;
    *sent = true;
    for (bool first = true, more = true; more; first = false) {
        if (!take_frame(from, &frame, first))
            return !first;
        more = pod_zmq.msg_more(&frame) != 0;
        int status = -1;
        while (*sent && to != NULL &&
               (status = pod_zmq.msg_send(&frame, to, ZMQ_DONTWAIT | (more ? ZMQ_SNDMORE : 0))) < 0 && errno == EINTR)
            continue;
        *sent = *sent && status >= 0;
        pod_zmq.msg_close(&frame); /* nothing to do where it went */
    }
    return true;
}
