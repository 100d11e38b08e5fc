#ifndef POD_SERVICE_SERVER_H
#define POD_SERVICE_SERVER_H

/* server - what a dispatcher and a worker have both: a thread, the socket that it listens at, and how it is ended. */

#include "base/thread.h"
#include "service/endpoint.h"

typedef struct pod_server {
    pod_context *context; /* shared */
    pod_service_keys keys;
    void *zmq, *stop, *stopped; /* a PAIR between the host's thread and its own */
    pod_listener listener;
    char address[POD_ADDRESS_SIZE]; /* where it listens */
    uv_thread_t thread;
    bool runs, has_place;
    uint64_t looked; /* when its thread looked for silent ones last */
} pod_server;

/* Reads the keys of a role from a folder (NULL: none), and begins with ZeroMQ. Whatever these functions return, the
 * server is to be stopped and closed. */
pod_status pod_service_server_open(pod_server *server, pod_context *context, const char *keys, pod_service_role role,
                                   pod_error *error);

/* Listens for messages of at most so many bytes a frame. */
pod_status pod_service_server_listen(pod_server *server, const char *address, int64_t most_bytes, pod_error *error);

/* Starts its thread, which works until `stopped` has something to read. */
pod_status pod_service_server_start(pod_server *server, void (*work)(void *argument), void *argument, pod_error *error);

/* Answers those at the door, and calls hear(argument, envelope) with each message that came. */
void pod_service_server_hear(pod_server *server, pod_envelope *envelope,
                             void (*hear)(void *argument, pod_envelope *from), void *argument);

/* What `now` is for its thread, which looks for silent ones each second. *slept: it did not run for long, or its clock
 * jumped; then nobody was silent, and all begin anew. */
uint64_t pod_service_server_now(pod_server *server, bool *slept);

/* Says to who sent a message why it is refused. */
void pod_service_server_refuse(const pod_server *server, const pod_envelope *to, const char *why);

/* Ends its thread. */
void pod_service_server_stop(pod_server *server);

/* Closes what it has; other sockets of its `zmq` must be closed before. */
void pod_service_server_close(pod_server *server);

#endif
