#ifndef MOONPOD_KERNEL_THREADS_H
#define MOONPOD_KERNEL_THREADS_H

/* threads - those beside the one of Lua: heartbeat, and iopub with all that is published. */

#include <pthread.h>

#include "channel.h"

/* Begins a thread that gets no signals: those are for the thread of Lua. */
bool threads_begin(pthread_t *thread, void *(*run)(void *), void *argument);

/* Moves a message from one socket to another, frame by frame. Between different sockets one of an empty frame goes
 * nowhere, and ends the thread; one that begins with an empty frame goes back where it came from. Returns whether the
 * thread goes on. */
bool threads_forward(void *from, void *to);

/* Sends back whatever comes, until the context ends; closes the socket (REP), which is the argument. */
void *threads_heartbeat(void *socket);

typedef struct threads_iopub {
    kernel_shared *shared;
    void *socket; /* XPUB, which is closed at the end */
    void *inside; /* PULL, bound to CHANNEL_INSIDE; closed, too */
} threads_iopub;

/* Publishes what the others send, and welcomes who subscribes (JEP 65), until a message of one empty frame comes or the
 * context ends. The argument is a threads_iopub. */
void *threads_publish(void *iopub);

#endif
