#ifndef MOONPOD_KERNEL_CHANNEL_H
#define MOONPOD_KERNEL_CHANNEL_H

/*
 * channel - sockets of ZeroMQ with messages of Jupyter. A socket is one thread's; requests come from the thread that
 * has the sockets of front ends (gate.h), and answers go there. What is published goes through a PUSH socket that
 * threads use in turn, so that it keeps its order, to the thread that has iopub (threads.h).
 */

#include <lua.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <zmq.h>

#include "wire.h"

/* What all threads of the kernel know; unchanged once they run, but the counter and what the lock is for. */
typedef struct kernel_shared {
    void *context;
    char key[512]; /* what messages are signed with */
    size_t key_size;
    char session[33]; /* in hex, new for each process */
    _Atomic unsigned long long messages;
    _Atomic bool is_heard; /* somebody has subscribed to iopub */
    pthread_mutex_t lock;  /* of the publisher */
    void *publisher;       /* PUSH to iopub */
} kernel_shared;

/* A message of more frames, or bytes, is dropped. */
enum { CHANNEL_MOST_FRAMES = 64, CHANNEL_MOST_BYTES = 32 << 20 };

typedef struct channel {
    kernel_shared *shared;
    const char *name;                      /* for the log */
    void *socket;                          /* PAIR, to the gate */
    zmq_msg_t frames[CHANNEL_MOST_FRAMES]; /* of the message that is answered, and its parts in them */
    size_t count;
    wire_message request;
    bool holds; /* what comes was there before channel_hold() was called */
} channel;

/* Writes a line of the kernel's log, where the standard errors of the process went when it began: printable ASCII. */
void channel_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes what failed, and the message on top of a state. */
void channel_log_error(const char *what, lua_State *L);

/* Says where the log goes; standard error until then. */
void channel_log_to(int file);

/* Receives a message without waiting. Returns whether there was one, whose parts stay until the next. */
bool channel_receive(channel *from);

/* Holds the messages that have come by now: sends the gate a mark, which comes back behind them. */
void channel_hold(channel *from);

/* Sends a message to whoever has sent the request, on the socket of this channel or of another. The content is JSON. */
bool channel_reply(channel *to, void *socket, const char *type, wire_frame content);

/* Publishes a message, from any thread. The parent is the header of what it belongs to, "{}" without one. */
bool channel_publish(kernel_shared *shared, const char *type, wire_frame parent, wire_frame content);

/* Opens the publisher; false when it fails. */
bool channel_open_publisher(kernel_shared *shared);

/* Sends a message: frames that stand before it, <IDS|MSG>, and what follows. */
bool channel_send(kernel_shared *shared, void *socket, const wire_frame *before, size_t count, const char *type,
                  wire_frame parent, wire_frame content);

/* Receives the frames of a message without waiting, all of it also where that is more than may be. Returns the number
 * of those that are kept, 0: there was none. *too_large: it is to be dropped. The caller closes them. */
size_t channel_take(void *socket, zmq_msg_t frames[CHANNEL_MOST_FRAMES], bool *too_large);

/* Closes frames. */
void channel_drop(zmq_msg_t *frames, size_t count);

/* Leaves what so many frames hold in `borrowed`. */
void channel_borrow(const zmq_msg_t *frames, size_t count, wire_frame *borrowed);

/* Closes its socket, once what was sent is at the gate, and frees its messages. */
void channel_close(channel *ended);

/* Closes a socket, if there is one. */
void channel_close_socket(void *socket);

/* Milliseconds in which a socket that was closed may send what it has. */
enum { CHANNEL_LINGER = 500 };

/* Where threads of the process that publish reach iopub. */
#define CHANNEL_INSIDE "inproc://iopub"

/* The text as a frame. */
wire_frame channel_text(const char *text);

#endif
