#include "channel.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static _Atomic int log_file = STDERR_FILENO; /* the gate logs already when it is set */

void channel_log_to(int file)
{
    log_file = file;
}

void channel_log(const char *format, ...)
{
    enum { BEGIN = sizeof "moonpod-kernel: " - 1 };
    char line[512] = "moonpod-kernel: ", *end = line + BEGIN;
    va_list values;
    va_start(values, format);
    (void)vsnprintf(end, sizeof line - BEGIN, format, values);
    va_end(values);
    for (; *end != '\0'; end++)
        if (*end < ' ' || *end > '~')
            *end = '?';
    *end++ = '\n';
    if (write(log_file, line, (size_t)(end - line)) < 0) /* in one call, unlike dprintf(): lines do not mix */
        return;                                          /* nobody reads it */
}

void channel_log_error(const char *what, lua_State *L)
{
    channel_log("%s: %s", what, lua_isstring(L, -1) ? lua_tostring(L, -1) : "(no message)");
}

wire_frame channel_text(const char *text)
{
    return (wire_frame){text, strlen(text)};
}

void channel_drop(zmq_msg_t *frames, size_t count)
{
    for (size_t i = 0; i < count; i++)
        zmq_msg_close(&frames[i]);
}

void channel_borrow(const zmq_msg_t *frames, size_t count, wire_frame *borrowed)
{
    for (size_t i = 0; i < count; i++)
        borrowed[i] = (wire_frame){zmq_msg_data((zmq_msg_t *)&frames[i]), zmq_msg_size(&frames[i])};
}

size_t channel_take(void *socket, zmq_msg_t frames[CHANNEL_MOST_FRAMES], bool *too_large)
{
    size_t count = 0, bytes = 0;
    *too_large = false;
    for (bool more = true; more;) {
        zmq_msg_t frame;
        zmq_msg_init(&frame);
        int status;
        do /* the frames of a message come together: a signal does not tear them apart */
            status = zmq_msg_recv(&frame, socket, count == 0 && !*too_large ? ZMQ_DONTWAIT : 0);
        while (status < 0 && errno == EINTR);
        if (status < 0) {
            zmq_msg_close(&frame);
            break;
        }
        more = zmq_msg_more(&frame) != 0;
        bytes += zmq_msg_size(&frame);
        if (*too_large || count == CHANNEL_MOST_FRAMES || bytes > CHANNEL_MOST_BYTES) {
            *too_large = true;
            zmq_msg_close(&frame);
        } else {
            zmq_msg_init(&frames[count]);
            zmq_msg_move(&frames[count++], &frame);
            zmq_msg_close(&frame);
        }
    }
    return count;
}

bool channel_receive(channel *from)
{
    static const wire_frame checked = {"", 0}; /* the gate has seen the signature */
    wire_frame frames[CHANNEL_MOST_FRAMES];
    bool too_large;
    channel_drop(from->frames, from->count);
    from->count = channel_take(from->socket, from->frames, &too_large);
    if (from->count > 0 && zmq_msg_size(&from->frames[0]) == 0) /* the mark: requests begin with who has sent them */
        from->holds = false;
    channel_borrow(from->frames, from->count, frames);
    return from->count > 0 && wire_read(frames, from->count, checked, &from->request) == NULL;
}

static bool send_frame(void *socket, wire_frame frame, int flags)
{
    int status;
    do
        status = zmq_send(socket, frame.bytes, frame.size, flags);
    while (status < 0 && errno == EINTR);
    return status >= 0;
}

void channel_hold(channel *from)
{
    const wire_frame nothing = {"", 0};
    from->holds = send_frame(from->socket, nothing, ZMQ_SNDMORE) && send_frame(from->socket, nothing, 0);
}

/* The header of a message that is sent now. */
static size_t write_header(kernel_shared *shared, char *to, size_t room, const char *type)
{
    struct timespec now;
    struct tm parts;
    char date[32];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts);
    const unsigned long long number = atomic_fetch_add(&shared->messages, 1);
    const int size =
        snprintf(to, room,
                 "{\"msg_id\":\"%s_%llu\",\"session\":\"%s\",\"username\":\"kernel\",\"date\":\"%s.%06ldZ\","
                 "\"msg_type\":\"%s\",\"version\":\"5.4\"}",
                 shared->session, number, shared->session, date, now.tv_nsec / 1000, type);
    return size > 0 && (size_t)size < room ? (size_t)size : 0;
}

bool channel_send(kernel_shared *shared, void *socket, const wire_frame *before, size_t count, const char *type,
                  wire_frame parent, wire_frame content)
{
    char header[512], signature[WIRE_SIGNATURE];
    const wire_frame part[WIRE_PARTS] = {
        {header, write_header(shared, header, sizeof header, type)}, parent, channel_text("{}"), content};
    const wire_frame key = {shared->key, shared->key_size};
    const wire_frame signed_by = {signature, wire_sign(key, part, signature)};
    bool sent = part[WIRE_HEADER].size > 0;
    for (size_t i = 0; i < count && sent; i++)
        sent = send_frame(socket, before[i], ZMQ_SNDMORE);
    sent = sent && send_frame(socket, wire_delimiter, ZMQ_SNDMORE) && send_frame(socket, signed_by, ZMQ_SNDMORE);
    for (size_t i = 0; i < WIRE_PARTS && sent; i++)
        sent = send_frame(socket, part[i], i + 1 < WIRE_PARTS ? ZMQ_SNDMORE : 0);
    return sent;
}

bool channel_reply(channel *to, void *socket, const char *type, wire_frame content)
{
    wire_frame before[CHANNEL_MOST_FRAMES];
    channel_borrow(to->frames, to->request.identities, before);
    return channel_send(to->shared, socket, before, to->request.identities, type, to->request.part[WIRE_HEADER],
                        content);
}

bool channel_publish(kernel_shared *shared, const char *type, wire_frame parent, wire_frame content)
{
    const wire_frame topic = channel_text(type);
    pthread_mutex_lock(&shared->lock);
    const bool sent = channel_send(shared, shared->publisher, &topic, 1, type, parent, content);
    pthread_mutex_unlock(&shared->lock);
    return sent;
}

bool channel_open_publisher(kernel_shared *shared)
{
    const int linger = CHANNEL_LINGER;
    shared->publisher = zmq_socket(shared->context, ZMQ_PUSH);
    if (shared->publisher == NULL)
        return false;
    zmq_setsockopt(shared->publisher, ZMQ_LINGER, &linger, sizeof linger);
    return zmq_connect(shared->publisher, CHANNEL_INSIDE) == 0;
}

void channel_close_socket(void *socket)
{
    if (socket != NULL)
        zmq_close(socket);
}

void channel_close(channel *ended)
{
    channel_drop(ended->frames, ended->count);
    ended->count = 0;
    if (ended->socket != NULL)
        (void)zmq_send(ended->socket, "", 0, ZMQ_DONTWAIT); /* tells the gate */
    channel_close_socket(ended->socket);
    ended->socket = NULL;
}
