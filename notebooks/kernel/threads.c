#include "threads.h"

#include "json_text.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

bool threads_begin(pthread_t *thread, void *(*run)(void *), void *argument)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool began = pthread_create(thread, NULL, run, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return began;
}

bool threads_forward(void *from, void *to)
{
    bool more = true, first = true, goes_on = true;
    while (more) {
        zmq_msg_t frame;
        zmq_msg_init(&frame);
        if (zmq_msg_recv(&frame, from, 0) < 0) {
            goes_on = errno == EINTR;
            zmq_msg_close(&frame);
            return goes_on;
        }
        more = zmq_msg_more(&frame) != 0;
        const bool is_own = first && from != to && zmq_msg_size(&frame) == 0, is_end = is_own && !more;
        if (is_own && more)
            to = from;
        const int wait = to == from ? ZMQ_DONTWAIT : 0; /* whoever is to have it back may have closed his end */
        goes_on = goes_on && !is_end;
        if (is_end || zmq_msg_send(&frame, to, wait | (more ? ZMQ_SNDMORE : 0)) < 0)
            zmq_msg_close(&frame);
        first = false;
    }
    return goes_on;
}

void *threads_heartbeat(void *socket)
{
    while (threads_forward(socket, socket))
        continue;
    zmq_close(socket);
    return NULL;
}

/* Says to who has subscribed that what is published from now on comes to him. */
static void welcome(const threads_iopub *iopub, const char *topic, size_t size)
{
    static const char begin[] = "{\"subscription\":";
    enum { MOST_TOPIC = 256 };
    char content[sizeof begin + JSON_TEXT_ROOM(MOST_TOPIC) + 1];
    if (size > MOST_TOPIC)
        return;
    memcpy(content, begin, sizeof begin - 1);
    size_t end = sizeof begin - 1;
    end += json_text_write(content + end, topic, size);
    content[end++] = '}';
    const wire_frame before = {topic, size};
    (void)channel_send(iopub->shared, iopub->socket, &before, 1, "iopub_welcome", channel_text("{}"),
                       (wire_frame){content, end});
}

/* A frame of a subscriber: 1 and the topic, 0 and the topic, or what it likes. */
static bool take_subscription(const threads_iopub *iopub)
{
    zmq_msg_t frame;
    zmq_msg_init(&frame);
    const int size = zmq_msg_recv(&frame, iopub->socket, ZMQ_DONTWAIT);
    const bool goes_on = size >= 0 || errno == EAGAIN || errno == EINTR;
    const char *bytes = zmq_msg_data(&frame);
    if (size > 0 && bytes[0] == 1 && !zmq_msg_more(&frame)) {
        welcome(iopub, bytes + 1, (size_t)size - 1);
        atomic_store(&iopub->shared->is_heard, true);
    }
    zmq_msg_close(&frame);
    return goes_on;
}

void *threads_publish(void *argument)
{
    threads_iopub *iopub = argument;
    zmq_pollitem_t from[] = {{iopub->inside, 0, ZMQ_POLLIN, 0}, {iopub->socket, 0, ZMQ_POLLIN, 0}};
    for (bool goes_on = true; goes_on;) {
        if (zmq_poll(from, 2, -1) < 0)
            goes_on = errno == EINTR;
        else if ((from[1].revents & ZMQ_POLLIN) != 0) /* first: who has just come misses nothing */
            goes_on = take_subscription(iopub);
        else if ((from[0].revents & ZMQ_POLLIN) != 0)
            goes_on = threads_forward(iopub->inside, iopub->socket);
    }
    zmq_close(iopub->inside);
    zmq_close(iopub->socket);
    return NULL;
}
