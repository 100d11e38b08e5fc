/* service_worker - runs pipelines for consumers: one thread has the sockets, and each session one of its own. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/growth.h"
#include "base/text.h"
#include "service/consumer_session.h"
#include "service/server.h"

/* Nanoseconds after which a silent consumer is gone. */
#define CONSUMER_SILENCE UINT64_C(120000000000)

#define MOST_SESSIONS 1024

/* The most elements of a block of a source. */
#define MOST_BLOCK ((int64_t)1 << 40)

/* The most bytes that a consumer may have under way to it. */
#define MOST_WINDOW ((int64_t)64 << 20)

struct pod_service_worker {
    pod_server server;
    pod_context *context;   /* the server's */
    void *dispatcher, *out; /* DEALER; PULL: what sessions send */
    int64_t id;
    bool refused; /* by the dispatcher; it is told once */
    uint64_t beat;
    pod_pipelines pipelines;
    bool has_mutex;
    pod_session **sessions;
    size_t session_count, room;
};

/* ---- sessions ---- */

static pod_session *find(const pod_service_worker *self, const void *consumer, size_t size)
{
    for (size_t i = 0; i < self->session_count; i++)
        if (self->sessions[i]->consumer_size == size && memcmp(self->sessions[i]->consumer, consumer, size) == 0)
            return self->sessions[i];
    return NULL;
}

static pod_session *session_of(const pod_service_worker *self, const pod_envelope *from)
{
    zmq_msg_t *sender = (zmq_msg_t *)(uintptr_t)&from->sender;
    pod_session *found = find(self, pod_zmq.msg_data(sender), pod_zmq.msg_size(sender));
    if (found != NULL)
        found->heard = uv_hrtime();
    return found;
}

static pod_status open_session(pod_service_worker *self, const pod_envelope *from, pod_error *error)
{
    const pod_growth growth = {sizeof *self->sessions, .first = 8, .what = "a list of sessions"};
    zmq_msg_t *sender = (zmq_msg_t *)(uintptr_t)&from->sender;
    const int64_t window = from->header.numbers[1];
    pod_session fields = {.context = self->context,
                          .zmq = self->server.zmq,
                          .pipelines = &self->pipelines,
                          .consumer_size = pod_zmq.msg_size(sender),
                          .compresses = from->header.numbers[2] != 0};
    if (fields.consumer_size > sizeof fields.consumer ||
        !pod_service_frame_text(from, 0, fields.pipeline, sizeof fields.pipeline))
        return pod_error_set(error, POD_ERROR_FORMAT, "a consumer's pipeline has no name");
    if (self->session_count == MOST_SESSIONS)
        return pod_error_set(error, POD_ERROR_STATE, "the worker has as many consumers as it may");
    memcpy(fields.consumer, pod_zmq.msg_data(sender), fields.consumer_size);
    const pod_status status =
        pod_grow(self->context, &self->sessions, &self->room, self->session_count + 1, growth, error);
    if (status != POD_OK)
        return status;
    pod_session **place = &self->sessions[self->session_count];
    const pod_status started = pod_service_session_start(
        &fields, window > 0 && window < MOST_WINDOW ? window : MOST_WINDOW, pod_service_session_work, place, error);
    self->session_count += started == POD_OK;
    return started;
}

/* Closes sessions whose consumers are silent, and ends those that are closed. One that has failed waits for its
 * consumer, who is still to hear of that. */
static void sweep(pod_service_worker *self)
{
    bool slept;
    const uint64_t now = pod_service_server_now(&self->server, &slept);
    for (size_t i = self->session_count; i-- > 0;) {
        pod_session *session = self->sessions[i];
        if (slept)
            session->heard = now;
        if (now - session->heard > CONSUMER_SILENCE)
            pod_service_session_close(session);
        if (!session->closed || !pod_service_session_has_ended(session))
            continue;
        pod_service_session_end(session);
        self->sessions[i] = self->sessions[--self->session_count];
    }
}

/* ---- what consumers say ---- */

static void let_read(pod_service_worker *self, pod_session *session, const pod_envelope *from)
{
    const int64_t *numbers = from->header.numbers;
    const pod_reading reading = {.ticket = numbers[0],
                                 .first = numbers[1],
                                 .count = numbers[2],
                                 .skip = numbers[3],
                                 .files = numbers[4],
                                 .file = numbers[5],
                                 .pass = {numbers[6], numbers[7]}};
    const bool sound = reading.first >= 0 && reading.count >= -1 && reading.skip >= 0 && reading.files >= -MOST_BLOCK &&
                       reading.file >= 0 && (reading.files >= 0 || reading.file <= INT64_MAX / -reading.files) &&
                       reading.pass.epoch > 0 && reading.pass.repetition >= 0 &&
                       reading.first <= INT64_MAX - reading.skip;
    if (!sound || !pod_service_session_read(session, &reading)) {
        pod_service_server_refuse(&self->server, from,
                                  "a consumer asks for what there cannot be, or for too much at once");
        pod_service_session_close(session);
    }
}

/* The consumer has no session here. */
static void say_closed(const pod_service_worker *self, const pod_envelope *to)
{
    const pod_header closed = {.kind = POD_SAYS_CLOSE};
    (void)pod_service_send(self->server.listener.socket, &to->sender, &closed, NULL, 0);
}

static void hear(void *worker, pod_envelope *from)
{
    pod_service_worker *self = worker;
    pod_session *session = session_of(self, from);
    pod_error error = {0};
    if (from->header.kind == POD_SAYS_OPEN && session == NULL) {
        if (open_session(self, from, &error) != POD_OK)
            pod_service_server_refuse(&self->server, from, error.message);
        return;
    }
    if (session == NULL) { /* one that ended, or never began: the consumer is to begin anew */
        say_closed(self, from);
        return;
    }
    switch (from->header.kind) {
    case POD_SAYS_RECIPE:
        if (from->count == 1)
            pod_service_session_give_recipe(session, &from->frames[0]);
        break;
    case POD_SAYS_READ:
        let_read(self, session, from);
        break;
    case POD_SAYS_CREDIT:
        pod_service_session_credit(session, from->header.numbers[0]);
        break;
    case POD_SAYS_CLOSE:
        pod_service_session_close(session);
        say_closed(self, from);
        break;
    default: /* that it is there, and what others are told */
        break;
    }
}

/* Passes one message of a session on; false where there is none. A consumer that is gone ends its session, and one that
 * has closed it gets nothing any more. */
static bool pass_on(pod_service_worker *self)
{
    zmq_msg_t consumer;
    pod_zmq.msg_init(&consumer);
    if (pod_zmq.msg_recv(&consumer, self->out, ZMQ_DONTWAIT) < 0) {
        pod_zmq.msg_close(&consumer);
        return false;
    }
    pod_session *session = find(self, pod_zmq.msg_data(&consumer), pod_zmq.msg_size(&consumer));
    bool sent = session != NULL && !session->closed &&
                pod_zmq.msg_send(&consumer, self->server.listener.socket, ZMQ_SNDMORE | ZMQ_DONTWAIT) >= 0;
    pod_zmq.msg_close(&consumer);
    pod_service_forward(self->out, sent ? self->server.listener.socket : NULL, &sent);
    if (!sent && session != NULL)
        pod_service_session_close(session);
    return true;
}

/* ---- the dispatcher ---- */

static void register_again(pod_service_worker *self)
{
    const uint64_t now = uv_hrtime();
    const pod_header header = {.kind = POD_SAYS_REGISTER, .numbers = {self->id}};
    if (now - self->beat < UINT64_C(1000000000) && self->beat != 0)
        return;
    self->beat = now;
    (void)pod_service_send(self->dispatcher, NULL, &header,
                           &(pod_bytes){self->server.address, strlen(self->server.address)}, 1);
}

static void hear_dispatcher(pod_service_worker *self, pod_envelope *envelope)
{
    char why[256];
    bool sound;
    while (pod_service_receive(self->dispatcher, false, envelope, &sound)) {
        const bool refused = (sound && envelope->header.kind == POD_SAYS_REFUSED) || envelope->header.version > 0;
        if (refused && (!sound || envelope->header.kind == POD_SAYS_REFUSED) && !self->refused) {
            if (!sound || !pod_service_frame_text(envelope, 0, why, sizeof why))
                strcpy(why, "it is of another version");
            pod_log(self->context, POD_LOG_WARNING, "data-worker: the dispatcher refuses it: %s", why);
            self->refused = true;
        }
        pod_service_drop(envelope);
    }
}

/* ---- its life ---- */

static void work(void *argument)
{
    pod_service_worker *self = argument;
    pod_envelope *envelope = pod_allocate(self->context, sizeof *envelope);
    pod_server *server = &self->server;
    zmq_pollitem_t items[] = {{server->stopped, 0, ZMQ_POLLIN, 0},
                              {server->listener.socket, 0, ZMQ_POLLIN, 0},
                              {self->out, 0, ZMQ_POLLIN, 0},
                              {self->dispatcher, 0, ZMQ_POLLIN, 0},
                              {server->listener.door, 0, ZMQ_POLLIN, 0}};
    const int count = server->listener.door != NULL ? 5 : 4;
    while (envelope != NULL && items[0].revents == 0) {
        register_again(self);
        if (pod_zmq.poll(items, count, 1000) < 0)
            continue; /* a signal */
        pod_service_server_hear(server, envelope, hear, self);
        for (int i = 0; i < 64 && pass_on(self); i++)
            continue;
        hear_dispatcher(self, envelope);
        sweep(self);
    }
    for (size_t i = 0; i < self->session_count; i++)
        pod_service_session_end(self->sessions[i]);
    pod_free(self->context, envelope);
}

/* Where it listens when nobody says: at the dispatcher's kind of address, on this machine. */
static pod_status choose_address(const pod_service_worker *self, const char *dispatcher, pod_text *text,
                                 pod_error *error)
{
    if (!pod_service_is_local(dispatcher))
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "the dispatcher is on another machine: say by which address of this one consumers reach "
                             "the worker (--address tcp://HOST:PORT)");
    if (strncmp(dispatcher, "ipc://", 6) == 0)
        pod_text_format(text, "%s.%llx", dispatcher, (unsigned long long)self->id);
    else
        pod_text_append(text, "tcp://127.0.0.1:*");
    return text->failed ? pod_error_memory(error, "an address", 0) : POD_OK;
}

static pod_status open_sockets(pod_service_worker *self, const pod_worker_options *options, pod_error *error)
{
    pod_server *server = &self->server;
    pod_text chosen;
    pod_text_init(&chosen, self->context);
    pod_status status = POD_OK;
    if (options->address == NULL)
        status = choose_address(self, options->dispatcher, &chosen, error);
    if (status == POD_OK)
        status = pod_service_server_listen(server, options->address != NULL ? options->address : chosen.data,
                                           POD_SERVICE_RECIPE, error);
    pod_text_clear(&chosen);
    if (status == POD_OK)
        status = pod_service_connect(server->zmq, options->dispatcher, &server->keys, POD_ROLE_DISPATCHER,
                                     POD_SERVICE_SMALL, &self->dispatcher, error);
    if (status == POD_OK)
        status = pod_service_inside(server->zmq, ZMQ_PULL, POD_SESSION_OUT, true, &self->out, error);
    return status;
}

pod_status pod_service_worker_open(pod_context *context, const pod_worker_options *options, pod_service_worker **worker,
                                   pod_error *error)
{
    *worker = NULL;
    pod_status status = pod_service_load(context, error);
    if (status != POD_OK)
        return status;
    if (options->dispatcher == NULL)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "a worker needs the address of its dispatcher");
    pod_service_worker *self = pod_allocate_zeroed(context, 1, sizeof *self);
    if (self == NULL)
        return pod_error_memory(error, "a worker", sizeof *self);
    self->context = context;
    self->id = pod_service_draw_id();
    status = pod_service_server_open(&self->server, context, options->keys, POD_ROLE_WORKER, error);
    if (status == POD_OK && options->files != NULL)
        status = pod_context_set_files(context, options->files, error);
    if (status == POD_OK)
        status = open_sockets(self, options, error);
    if (status == POD_OK) {
        self->pipelines.context = context;
        self->has_mutex = uv_mutex_init(&self->pipelines.mutex) == 0;
        status = self->has_mutex ? pod_service_server_start(&self->server, work, self, error)
                                 : pod_error_set(error, POD_ERROR_SYSTEM, "cannot make a mutex");
    }
    if (status == POD_OK)
        *worker = self;
    else
        pod_service_worker_close(self);
    return status;
}

const char *pod_service_worker_address(const pod_service_worker *self)
{
    return self->server.address;
}

void pod_service_worker_close(pod_service_worker *self)
{
    if (self == NULL)
        return;
    pod_service_server_stop(&self->server);
    pod_service_close_socket(self->out);
    pod_service_close_socket(self->dispatcher);
    for (size_t i = 0; i < sizeof self->pipelines.rows / sizeof self->pipelines.rows[0]; i++)
        pod_dataset_release(self->pipelines.rows[i].dataset);
    if (self->has_mutex)
        uv_mutex_destroy(&self->pipelines.mutex);
    pod_free(self->context, self->sessions);
    pod_server server = self->server;
    pod_free(self->context, self);
    pod_service_server_close(&server);
}
