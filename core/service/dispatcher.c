/* dispatcher - knows which workers there are, and gives splits to consumers. One thread, which owns all of it. */

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/growth.h"
#include "base/text.h"
#include "service/ledger.h"
#include "service/server.h"

/* Nanoseconds of silence after which somebody is gone. Consumers have longer: a debugger may hold one. */
#define WORKER_SILENCE   UINT64_C(10000000000)
#define CONSUMER_SILENCE UINT64_C(120000000000)

/* The most that may register, and the most splits that are done at once. */
#define MOST_MEMBERS 4096
#define MOST_DONE    4096

typedef struct service_member {
    int64_t id;
    uint64_t seen;
    char address[POD_ADDRESS_SIZE]; /* of workers */
} service_member;

typedef struct service_members {
    service_member *rows;
    size_t count, room;
} service_members;

struct pod_service_dispatcher {
    pod_server server;
    pod_context *context; /* the server's */
    pod_ledger *ledger;
    service_members workers, consumers;
};

/* ---- who is there ---- */

static service_member *find(const service_members *list, int64_t id)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->rows[i].id == id)
            return &list->rows[i];
    return NULL;
}

/* Notes that somebody is there; NULL: there are too many. */
static service_member *see(pod_service_dispatcher *self, service_members *list, int64_t id)
{
    const pod_growth growth = {sizeof *list->rows, .first = 16, .most = MOST_MEMBERS, .what = "a list of members"};
    service_member *found = find(list, id);
    if (found == NULL) {
        if (list->count == MOST_MEMBERS ||
            pod_grow(self->context, &list->rows, &list->room, list->count + 1, growth, NULL) != POD_OK)
            return NULL;
        found = &list->rows[list->count++];
        *found = (service_member){.id = id};
    }
    found->seen = uv_hrtime();
    return found;
}

static void drop_member(service_members *list, service_member *gone)
{
    memmove(gone, gone + 1, (size_t)(list->rows + list->count - gone - 1) * sizeof *gone);
    list->count--;
}

static void forget(pod_service_dispatcher *self, int64_t consumer)
{
    pod_error error = {0};
    service_member *gone = find(&self->consumers, consumer);
    if (gone != NULL)
        drop_member(&self->consumers, gone);
    if (pod_service_ledger_forget(self->ledger, consumer, &error) != POD_OK)
        pod_log(self->context, POD_LOG_WARNING, "data-dispatcher: %s", error.message);
}

static void see_all(service_members *list, uint64_t now)
{
    for (size_t i = 0; i < list->count; i++)
        list->rows[i].seen = now;
}

/* Drops who was silent for too long. */
static void sweep(pod_service_dispatcher *self)
{
    bool slept;
    const uint64_t now = pod_service_server_now(&self->server, &slept);
    if (slept) {
        see_all(&self->workers, now);
        see_all(&self->consumers, now);
    }
    for (size_t i = self->workers.count; i-- > 0;)
        if (now - self->workers.rows[i].seen > WORKER_SILENCE) {
            pod_log(self->context, POD_LOG_WARNING, "data-dispatcher: the worker at %s is gone",
                    self->workers.rows[i].address);
            drop_member(&self->workers, &self->workers.rows[i]);
        }
    for (size_t i = self->consumers.count; i-- > 0;)
        if (now - self->consumers.rows[i].seen > CONSUMER_SILENCE)
            forget(self, self->consumers.rows[i].id);
}

/* ---- answers ---- */

static void answer(pod_service_dispatcher *self, const pod_envelope *to, const pod_header *header,
                   const pod_bytes *frame)
{
    (void)pod_service_send(self->server.listener.socket, &to->sender, header, frame, frame != NULL);
}

/* Tells which workers there are. */
static void tell_workers(pod_service_dispatcher *self, const pod_envelope *to, pod_message_kind kind, int64_t job)
{
    const pod_header header = {.kind = kind, .numbers = {job}};
    pod_text text;
    pod_text_init(&text, self->context);
    for (size_t i = 0; i < self->workers.count; i++)
        pod_text_format(&text, "%lld %s\n", (long long)self->workers.rows[i].id, self->workers.rows[i].address);
    if (!text.failed)
        answer(self, to, &header, &(pod_bytes){text.data, text.length});
    pod_text_clear(&text);
}

static void let_register(pod_service_dispatcher *self, const pod_envelope *from)
{
    char address[POD_ADDRESS_SIZE];
    if (!pod_service_frame_text(from, 0, address, sizeof address) || strchr(address, '\n') != NULL) {
        pod_service_server_refuse(&self->server, from, "a worker's address is none");
        return;
    }
    const bool is_new = find(&self->workers, from->header.numbers[0]) == NULL;
    service_member *worker = see(self, &self->workers, from->header.numbers[0]);
    if (worker == NULL) {
        pod_service_server_refuse(&self->server, from, "the dispatcher has as many workers as it may");
        return;
    }
    memcpy(worker->address, address, sizeof address);
    if (is_new)
        pod_log(self->context, POD_LOG_INFO, "data-dispatcher: the worker at %s is there", address);
    const pod_header header = {.kind = POD_SAYS_REGISTERED};
    answer(self, from, &header, NULL);
}

static void let_join(pod_service_dispatcher *self, const pod_envelope *from)
{
    char name[256], pipeline[128];
    const int64_t *numbers = from->header.numbers;
    pod_error error = {0};
    int64_t id;
    if (!pod_service_frame_text(from, 0, name, sizeof name) ||
        !pod_service_frame_text(from, 1, pipeline, sizeof pipeline) || numbers[0] <= 0) {
        pod_service_server_refuse(&self->server, from, "a consumer's job has no name, or one of more than 255 bytes");
        return;
    }
    const pod_job job = {.name = name,
                         .pipeline = pipeline,
                         .mode = numbers[1],
                         .sharding = numbers[2],
                         .split_size = numbers[3],
                         .end = numbers[4],
                         .owner = numbers[5] != 0 ? numbers[0] : 0};
    if (see(self, &self->consumers, numbers[0]) == NULL)
        pod_service_server_refuse(&self->server, from, "the dispatcher has as many consumers as it may");
    else if (pod_service_ledger_join(self->ledger, &job, &id, &error) != POD_OK)
        pod_service_server_refuse(&self->server, from, error.message);
    else
        tell_workers(self, from, POD_SAYS_JOINED, id);
}

/* Reads the splits that a consumer says are done; false where the frame is none. */
static bool read_done(const pod_envelope *from, int64_t *done, size_t *count)
{
    const pod_bytes bytes = pod_service_frame(from, 0);
    *count = bytes.size / 8;
    if (bytes.size % 8 != 0 || *count > MOST_DONE)
        return false;
    for (size_t i = 0; i < *count; i++)
        done[i] = (int64_t)pod_little_u64((const unsigned char *)bytes.data + 8 * i);
    return true;
}

static void let_ask(pod_service_dispatcher *self, const pod_envelope *from)
{
    int64_t done[MOST_DONE], split, others;
    size_t count;
    pod_error error = {0};
    const int64_t *numbers = from->header.numbers;
    const pod_asking asking = {.consumer = numbers[0],
                               .job = numbers[1],
                               .request = numbers[2],
                               .round = numbers[3],
                               .worker = numbers[4],
                               .end = numbers[5],
                               .next = numbers[6]};
    if (asking.consumer <= 0 || asking.next < 0 || !read_done(from, done, &count)) {
        pod_service_server_refuse(&self->server, from, "a list of splits is none");
        return;
    }
    (void)see(self, &self->consumers, asking.consumer);
    const pod_status status = pod_service_ledger_ask(self->ledger, &asking, done, count, &split, &others, &error);
    if (status == POD_ERROR_NOT_FOUND) {
        const pod_header header = {.kind = POD_SAYS_UNKNOWN, .numbers = {asking.request}};
        answer(self, from, &header, NULL);
    } else if (status != POD_OK) {
        pod_log(self->context, POD_LOG_WARNING, "data-dispatcher: %s", error.message);
        pod_service_server_refuse(&self->server, from, error.message);
    } else {
        const pod_header header = {.kind = POD_SAYS_SPLIT, .numbers = {asking.request, split, others}};
        answer(self, from, &header, NULL);
    }
}

static void hear(void *dispatcher, pod_envelope *from)
{
    pod_service_dispatcher *self = dispatcher;
    switch (from->header.kind) {
    case POD_SAYS_REGISTER:
        let_register(self, from);
        break;
    case POD_SAYS_JOIN:
        let_join(self, from);
        break;
    case POD_SAYS_BEAT:
        (void)see(self, &self->consumers, from->header.numbers[0]);
        tell_workers(self, from, POD_SAYS_WORKERS, from->header.numbers[1]);
        break;
    case POD_SAYS_ASK:
        let_ask(self, from);
        break;
    case POD_SAYS_LEAVE:
        forget(self, from->header.numbers[0]);
        break;
    default: /* what others are told */
        break;
    }
}

static void work(void *argument)
{
    pod_service_dispatcher *self = argument;
    pod_envelope *envelope = pod_allocate(self->context, sizeof *envelope);
    pod_server *server = &self->server;
    zmq_pollitem_t items[] = {{server->stopped, 0, ZMQ_POLLIN, 0},
                              {server->listener.socket, 0, ZMQ_POLLIN, 0},
                              {server->listener.door, 0, ZMQ_POLLIN, 0}};
    const int count = server->listener.door != NULL ? 3 : 2;
    while (envelope != NULL && items[0].revents == 0) {
        if (pod_zmq.poll(items, count, 1000) < 0)
            continue; /* a signal */
        pod_service_server_hear(server, envelope, hear, self);
        sweep(self);
    }
    pod_free(self->context, envelope);
}

/* ---- its life ---- */

static void see_again(void *context, int64_t consumer)
{
    pod_service_dispatcher *self = context;
    (void)see(self, &self->consumers, consumer);
}

pod_status pod_service_dispatcher_open(pod_context *context, const pod_dispatcher_options *options,
                                       pod_service_dispatcher **dispatcher, pod_error *error)
{
    *dispatcher = NULL;
    pod_status status = pod_service_load(context, error);
    if (status != POD_OK)
        return status;
    pod_service_dispatcher *self = pod_allocate_zeroed(context, 1, sizeof *self);
    if (self == NULL)
        return pod_error_memory(error, "a dispatcher", sizeof *self);
    self->context = context;
    status = pod_service_server_open(&self->server, context, options->keys, POD_ROLE_DISPATCHER, error);
    if (status == POD_OK)
        status = pod_service_ledger_open(context, options->state, &self->ledger, error);
    if (status == POD_OK)
        status = pod_service_ledger_consumers(self->ledger, see_again, self, error);
    if (status == POD_OK)
        status = pod_service_server_listen(
            &self->server, options->address != NULL ? options->address : "tcp://127.0.0.1:*", POD_SERVICE_SMALL, error);
    if (status == POD_OK)
        status = pod_service_server_start(&self->server, work, self, error);
    if (status == POD_OK)
        *dispatcher = self;
    else
        pod_service_dispatcher_close(self);
    return status;
}

const char *pod_service_dispatcher_address(const pod_service_dispatcher *self)
{
    return self->server.address;
}

void pod_service_dispatcher_close(pod_service_dispatcher *self)
{
    if (self == NULL)
        return;
    pod_service_server_stop(&self->server);
    pod_service_ledger_close(self->ledger);
    pod_free(self->context, self->workers.rows);
    pod_free(self->context, self->consumers.rows);
    pod_server server = self->server;
    pod_free(self->context, self);
    pod_service_server_close(&server);
}
