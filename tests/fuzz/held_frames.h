#ifndef POD_TESTS_HELD_FRAMES_H
#define POD_TESTS_HELD_FRAMES_H

/*
 * held_frames - knows which frames were received and not let go of. LeakSanitizer cannot tell that of libzmq's buffers:
 * libzmq (4.3.4) itself loses what has come of a message of several frames when its socket is closed, as a program of
 * libzmq alone shows, so that what it allocates is left out there.
 */

#include <stddef.h>
#include <uv.h>

#include "fuzz.h"
#include "service/libraries.h"

/* LeakSanitizer asks for this. Only libzmq is written in C++ here, and its stacks end in the other's operator new. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libzmq.so\nleak:libstdc++.so";
}

enum { HELD_MOST = 4096 };

static struct {
    uv_mutex_t mutex;
    struct pod_zmq_functions real;
    const zmq_msg_t *frames[HELD_MOST];
    size_t count;
} held;

static size_t held_place(const zmq_msg_t *frame)
{
    size_t place = 0;
    while (place < held.count && held.frames[place] != frame)
        place++;
    return place;
}

/* Notes whether a frame is held from now on; returns whether it was. */
static bool held_note(const zmq_msg_t *frame, bool is_held)
{
    uv_mutex_lock(&held.mutex);
    const size_t place = held_place(frame);
    const bool was = place < held.count;
    if (is_held && !was) {
        if (held.count == HELD_MOST)
            fuzz_die("service", "thousands of frames are held");
        held.frames[held.count++] = frame;
    } else if (!is_held && was) {
        held.frames[place] = held.frames[--held.count];
    }
    uv_mutex_unlock(&held.mutex);
    return was;
}

static int held_init(zmq_msg_t *frame)
{
    if (held_note(frame, false))
        fuzz_die("service", "a frame was forgotten");
    return held.real.msg_init(frame);
}

static int held_init_size(zmq_msg_t *frame, size_t size)
{
    if (held_note(frame, false))
        fuzz_die("service", "a frame was forgotten");
    return held.real.msg_init_size(frame, size);
}

static int held_receive(zmq_msg_t *frame, void *socket, int flags)
{
    const int size = held.real.msg_recv(frame, socket, flags);
    if (size >= 0)
        (void)held_note(frame, true);
    return size;
}

static int held_send(zmq_msg_t *frame, void *socket, int flags)
{
    const int size = held.real.msg_send(frame, socket, flags);
    if (size >= 0)
        (void)held_note(frame, false);
    return size;
}

static int held_move(zmq_msg_t *to, zmq_msg_t *from)
{
    const int status = held.real.msg_move(to, from);
    (void)held_note(to, held_note(from, false));
    return status;
}

static int held_close(zmq_msg_t *frame)
{
    (void)held_note(frame, false);
    return held.real.msg_close(frame);
}

/* Begins to look, once; the libraries are loaded. */
static void held_begin(void)
{
    if (held.real.msg_init != NULL)
        return;
    held.real = pod_zmq;
    if (uv_mutex_init(&held.mutex) != 0)
        fuzz_die("service", "no mutex");
    pod_zmq.msg_init = held_init;
    pod_zmq.msg_init_size = held_init_size;
    pod_zmq.msg_recv = held_receive;
    pod_zmq.msg_send = held_send;
    pod_zmq.msg_move = held_move;
    pod_zmq.msg_close = held_close;
}

#endif
