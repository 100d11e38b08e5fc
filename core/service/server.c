/* server - see server.h. */

#include "service/server.h"

#include <string.h>

pod_status pod_service_server_open(pod_server *self, pod_context *context, const char *keys, pod_service_role role,
                                   pod_error *error)
{
    *self = (pod_server){.context = pod_context_retain(context)};
    const pod_status status = pod_service_keys_read(context, keys, role, &self->keys, error);
    if (status != POD_OK)
        return status;
    self->zmq = pod_zmq.ctx_new();
    return self->zmq != NULL ? POD_OK : pod_error_set(error, POD_ERROR_SYSTEM, "cannot start ZeroMQ");
}

pod_status pod_service_server_listen(pod_server *self, const char *address, int64_t most_bytes, pod_error *error)
{
    pod_status status = pod_service_listen(self->zmq, address, &self->keys, most_bytes, &self->listener, error);
    if (status == POD_OK)
        status = pod_service_inside(self->zmq, ZMQ_PAIR, "inproc://stop", true, &self->stopped, error);
    if (status == POD_OK)
        status = pod_service_inside(self->zmq, ZMQ_PAIR, "inproc://stop", false, &self->stop, error);
    if (status == POD_OK)
        memcpy(self->address, self->listener.address, sizeof self->address);
    return status;
}

pod_status pod_service_server_start(pod_server *self, void (*work)(void *argument), void *argument, pod_error *error)
{
    self->has_place = pod_threads_take(self->context, 1) == 1;
    const int failure = self->has_place ? pod_thread_start(&self->thread, 0, work, argument) : UV_EAGAIN;
    self->runs = failure == 0;
    return self->runs ? POD_OK
                      : pod_error_set(error, POD_ERROR_SYSTEM, "cannot start a thread of the data service: %s",
                                      uv_strerror(failure));
}

void pod_service_server_hear(pod_server *self, pod_envelope *envelope, void (*hear)(void *argument, pod_envelope *from),
                             void *argument)
{
    bool sound;
    pod_service_open_door(&self->listener, &self->keys);
    while (pod_service_receive(self->listener.socket, true, envelope, &sound)) {
        if (sound)
            hear(argument, envelope);
        else if (envelope->header.version != 0)
            pod_service_refuse_version(self->listener.socket, envelope);
        pod_service_drop(envelope);
    }
}

uint64_t pod_service_server_now(pod_server *self, bool *slept)
{
    const uint64_t now = uv_hrtime(), most = UINT64_C(5000000000);
    *slept = self->looked != 0 && now - self->looked > most;
    self->looked = now;
    return now;
}

void pod_service_server_refuse(const pod_server *self, const pod_envelope *to, const char *why)
{
    const pod_header header = {.kind = POD_SAYS_REFUSED};
    (void)pod_service_send(self->listener.socket, &to->sender, &header, &(pod_bytes){why, strlen(why)}, 1);
}

void pod_service_server_stop(pod_server *self)
{
    const pod_header end = {.kind = POD_SAYS_CLOSE};
    if (self->runs && pod_service_send(self->stop, NULL, &end, NULL, 0))
        uv_thread_join(&self->thread);
    if (self->has_place)
        pod_threads_give_back(self->context, 1);
}

void pod_service_server_close(pod_server *self)
{
    pod_service_close_socket(self->stop);
    pod_service_close_socket(self->stopped);
    pod_service_close_listener(&self->listener);
    if (self->zmq != NULL)
        (void)pod_zmq.ctx_term(self->zmq);
    pod_context_release(self->context);
}
