#ifndef SERVICE_RIG_H
#define SERVICE_RIG_H

/*
 * service_rig - a dispatcher and workers of a test, which say to a consumer what the test wants: a case's answer() gets
 * each message of the consumer, and may leave it to rig_answer().
 */

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <uv.h>

#include "moonpod/data.h"
#include "service/message.h"

enum { RIG_DISPATCHER, RIG_WORKERS, RIG_SOCKETS };

typedef struct service_rig {
    pod_dataset *dataset; /* that the consumer distributes */
    int64_t split_size;
    size_t workers; /* that the dispatcher tells of, all at one address */
    void (*answer)(struct service_rig *rig, int socket, pod_envelope *from);
    void *of; /* the test's */

    char addresses[RIG_SOCKETS][300];
    void *zmq, *sockets[RIG_SOCKETS];
    pod_envelope heard, joined; /* `joined` has the consumer's name at the dispatcher's socket */
    int64_t splits;             /* that were given */
    pod_status status;          /* of the consumer, when it has ended */
    pod_error error;
    atomic_bool ended;
} service_rig;

__attribute__((unused)) static void *rig_socket(void *zmq, int type, const char *address)
{
    const int none = 0;
    void *socket = pod_zmq.socket(zmq, type);
    pod_zmq.setsockopt(socket, ZMQ_LINGER, &none, sizeof none);
    pod_zmq.setsockopt(socket, ZMQ_SNDHWM, &none, sizeof none);
    pod_zmq.setsockopt(socket, ZMQ_RCVHWM, &none, sizeof none);
    return (type == ZMQ_ROUTER ? pod_zmq.bind : pod_zmq.connect)(socket, address) == 0 ? socket : NULL;
}

__attribute__((unused)) static void rig_say(service_rig *rig, int socket, const pod_envelope *to, pod_header header)
{
    (void)pod_service_send(rig->sockets[socket], &to->sender, &header, NULL, 0);
}

static void rig_tell_workers(service_rig *rig, const pod_envelope *to, pod_message_kind kind)
{
    char text[256 * 80];
    size_t size = 0;
    for (size_t i = 0; i < rig->workers; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "%zu %s\n", i + 1, rig->addresses[RIG_WORKERS]);
    const pod_header header = {.kind = kind, .numbers = {1}};
    (void)pod_service_send(rig->sockets[RIG_DISPATCHER], &to->sender, &header, &(pod_bytes){text, size}, 1);
}

/* What a dispatcher that has splits for ever, and workers that give no elements, answer. */
__attribute__((unused)) static void rig_answer(service_rig *rig, int socket, pod_envelope *from)
{
    switch (from->header.kind) {
    case POD_SAYS_JOIN:
        pod_service_drop(&rig->joined);
        pod_zmq.msg_init_size(&rig->joined.sender, pod_zmq.msg_size(&from->sender));
        memcpy(pod_zmq.msg_data(&rig->joined.sender), pod_zmq.msg_data(&from->sender), pod_zmq.msg_size(&from->sender));
        rig->joined.has_sender = true;
        rig_tell_workers(rig, from, POD_SAYS_JOINED);
        break;
    case POD_SAYS_BEAT:
        rig_tell_workers(rig, from, POD_SAYS_WORKERS);
        break;
    case POD_SAYS_ASK:
        rig_say(rig, socket, from,
                (pod_header){.kind = POD_SAYS_SPLIT, .numbers = {from->header.numbers[2], rig->splits++}});
        break;
    case POD_SAYS_OPEN:
        rig_say(rig, socket, from, (pod_header){.kind = POD_SAYS_OPENED});
        break;
    case POD_SAYS_CLOSE:
        rig_say(rig, socket, from, (pod_header){.kind = POD_SAYS_CLOSE});
        break;
    default:
        break;
    }
}

static void rig_consume(void *argument)
{
    service_rig *rig = argument;
    pod_dataset *remote = NULL;
    pod_dataset_iterator *iterator = NULL;
    pod_buffer *element;
    const pod_distribute_options options = {.service = rig->addresses[RIG_DISPATCHER], .split_size = rig->split_size};
    rig->status = pod_dataset_distribute(rig->dataset, &options, &remote, &rig->error);
    if (rig->status == POD_OK)
        rig->status = pod_dataset_iterator_open(remote, NULL, &iterator, &rig->error);
    while (rig->status == POD_OK) {
        rig->status = pod_dataset_iterator_next(iterator, &element, &rig->error);
        if (rig->status == POD_OK)
            pod_buffer_release(element);
    }
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(remote);
    atomic_store(&rig->ended, true);
}

static void rig_hear(service_rig *rig)
{
    bool sound;
    for (int i = 0; i < RIG_SOCKETS; i++)
        while (pod_service_receive(rig->sockets[i], true, &rig->heard, &sound)) {
            if (sound)
                rig->answer(rig, i, &rig->heard);
            pod_service_drop(&rig->heard);
        }
}

/* Runs a consumer to its end, whose status and error are in the rig then. False where there are no sockets. */
__attribute__((unused)) static bool rig_run(service_rig *rig, const char *path)
{
    (void)snprintf(rig->addresses[RIG_DISPATCHER], sizeof rig->addresses[0], "ipc://%s.d", path);
    (void)snprintf(rig->addresses[RIG_WORKERS], sizeof rig->addresses[0], "ipc://%s.w", path);
    rig->zmq = pod_zmq.ctx_new();
    for (int i = 0; i < RIG_SOCKETS; i++)
        rig->sockets[i] = rig_socket(rig->zmq, ZMQ_ROUTER, rig->addresses[i]);
    uv_thread_t thread;
    const bool runs = rig->sockets[RIG_DISPATCHER] != NULL && rig->sockets[RIG_WORKERS] != NULL &&
                      uv_thread_create(&thread, rig_consume, rig) == 0;
    zmq_pollitem_t items[] = {{rig->sockets[0], 0, ZMQ_POLLIN, 0}, {rig->sockets[1], 0, ZMQ_POLLIN, 0}};
    while (runs && !atomic_load(&rig->ended)) {
        (void)pod_zmq.poll(items, RIG_SOCKETS, 1);
        rig_hear(rig);
    }
    if (runs)
        uv_thread_join(&thread);
    pod_service_drop(&rig->joined);
    for (int i = 0; i < RIG_SOCKETS; i++)
        if (rig->sockets[i] != NULL)
            pod_zmq.close(rig->sockets[i]);
    (void)pod_zmq.ctx_term(rig->zmq);
    return runs;
}

#endif
