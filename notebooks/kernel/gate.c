#include "gate.h"

#include "threads.h"

#include <errno.h>

/* What keeps a message from being answered; NULL: nothing does. */
static const char *judge(gate *at, const zmq_msg_t *messages, size_t count)
{
    wire_frame frames[CHANNEL_MOST_FRAMES];
    wire_message message;
    const wire_frame key = {at->shared->key, at->shared->key_size};
    channel_borrow(messages, count, frames);
    const char *wrong = wire_read(frames, count, key, &message);
    if (wrong == NULL && key.size > 0 && !wire_remember(&at->seen, frames[message.identities + 1].bytes))
        return "its signature was there before: somebody sends it again";
    return wrong;
}

/* Takes a message of a front end, and passes it on or drops it. */
static void let_in(gate *at, const gate_way *way)
{
    zmq_msg_t frames[CHANNEL_MOST_FRAMES];
    bool too_large;
    const size_t count = channel_take(way->outside, frames, &too_large);
    if (count == 0 && !too_large)
        return;
    const char *wrong = too_large ? "it has too many frames or bytes" : judge(at, frames, count);
    if (wrong != NULL)
        channel_log("a message on %s is dropped: %s", way->name, wrong);
    else
        for (size_t i = 0; i < count; i++) /* without waiting: it fails where the channel was closed just now */
            if (zmq_msg_send(&frames[i], way->inside, ZMQ_DONTWAIT | (i + 1 < count ? ZMQ_SNDMORE : 0)) < 0)
                break;
    channel_drop(frames, count);
}

void *gate_run(void *argument)
{
    gate *at = argument;
    zmq_pollitem_t items[2 * GATE_WAYS]; /* the insides, then the outsides */
    int open = GATE_WAYS;
    for (int i = 0; i < GATE_WAYS; i++) {
        items[i] = (zmq_pollitem_t){at->ways[i].inside, 0, ZMQ_POLLIN, 0};
        items[GATE_WAYS + i] = (zmq_pollitem_t){at->ways[i].outside, 0, ZMQ_POLLIN, 0};
    }
    while (open > 0) {
        if (zmq_poll(items, 2 * GATE_WAYS, -1) < 0) {
            if (errno != EINTR)
                break;
            continue;
        }
        for (int i = 0; i < GATE_WAYS; i++) {
            const gate_way *way = &at->ways[i];
            if (items[GATE_WAYS + i].revents != 0)
                let_in(at, way);
            if (items[i].revents != 0 && !threads_forward(way->inside, way->outside)) {
                items[i].events = items[GATE_WAYS + i].events = 0;
                open--;
            }
        }
    }
    gate_close(at);
    return NULL;
}

void gate_close(gate *closed)
{
    for (int i = 0; i < GATE_WAYS; i++) {
        channel_close_socket(closed->ways[i].inside);
        channel_close_socket(closed->ways[i].outside);
        closed->ways[i] = (gate_way){NULL, NULL, NULL};
    }
}
