/* dispatcher - knows which workers there are, and gives splits to consumers. One thread, which owns all of it. */

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/growth.h"
#include "base/text.h"
#include "service/ledger.h"
#include "service/server.h"

/* Nanoseconds of silence after which somebody is gone. Consumers have longer: a debugger may hold one. A job that no
 * consumer has is forgotten then, so that its name begins anew: as long as tf.data service keeps it. */
#define WORKER_SILENCE   UINT64_C(10000000000)
#define CONSUMER_SILENCE UINT64_C(120000000000)
#define JOB_SILENCE      UINT64_C(300000000000)

/* The most that may register, and the most splits that are done at once. */
#define MOST_MEMBERS 4096
#define MOST_DONE    4096

typedef struct service_member {
    int64_t id;
    uint64_t seen;
    char address[POD_ADDRESS_SIZE]; /* of workers */
    int64_t lane;                   /* that a worker had last, which it gets again where it is free; -1: none */
} service_member;

typedef struct service_members {
    service_member *rows;
    size_t count, room;
} service_members;

struct pod_service_dispatcher {
    pod_server server;
    pod_context *context; /* the server's */
    pod_ledger *ledger;
    service_members workers, consumers, jobs;
    uint64_t began;
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
        *found = (service_member){.id = id, .lane = -1};
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

static void drop_job(pod_service_dispatcher *self, service_member *gone)
{
    pod_error error = {0};
    const pod_status status = pod_service_ledger_drop(self->ledger, gone->id, &error);
    if (status != POD_OK)
        pod_log(self->context, POD_LOG_WARNING, "data-dispatcher: %s", error.message);
    drop_member(&self->jobs, gone);
}

/* A consumer says something of a job. */
static void see_job(pod_service_dispatcher *self, int64_t job)
{
    service_member *found = find(&self->jobs, job);
    if (found != NULL)
        found->seen = uv_hrtime();
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
        see_all(&self->jobs, now);
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
    for (size_t i = self->jobs.count; i-- > 0;)
        if (now - self->jobs.rows[i].seen > JOB_SILENCE)
            drop_job(self, &self->jobs.rows[i]);
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
    for (size_t i = self->workers.count; i-- > 0;) /* who was there before cannot be there any more */
        if (self->workers.rows[i].id != from->header.numbers[0] && strcmp(self->workers.rows[i].address, address) == 0)
            drop_member(&self->workers, &self->workers.rows[i]);
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
                         .owner = numbers[5] != 0 ? numbers[0] : 0,
                         .lanes = numbers[6]};
    if (job.lanes < 0 || job.lanes > POD_MOST_LANES)
        pod_service_server_refuse(&self->server, from, "a job has at most 256 workers that its splits are for");
    else if (see(self, &self->consumers, numbers[0]) == NULL)
        pod_service_server_refuse(&self->server, from, "the dispatcher has as many consumers as it may");
    else if (pod_service_ledger_join(self->ledger, &job, &id, &error) != POD_OK)
        pod_service_server_refuse(&self->server, from, error.message);
    else if (job.owner == 0 && see(self, &self->jobs, id) == NULL)
        pod_service_server_refuse(&self->server, from, "the dispatcher has as many jobs as it may");
    else
        tell_workers(self, from, POD_SAYS_JOINED, id);
}

/* Reads a list of splits; false where the frame is none. */
static bool read_splits(const pod_envelope *from, size_t frame, int64_t *splits, size_t most, size_t *count)
{
    const pod_bytes bytes = pod_service_frame(from, frame);
    *count = bytes.size / 8;
    if (bytes.size % 8 != 0 || *count > most)
        return false;
    for (size_t i = 0; i < *count; i++)
        splits[i] = (int64_t)pod_little_u64((const unsigned char *)bytes.data + 8 * i);
    return true;
}

/* Whether a worker is there, or may only not have said so yet since the dispatcher began. */
static bool is_there(void *dispatcher, int64_t worker)
{
    const pod_service_dispatcher *self = dispatcher;
    return find(&self->workers, worker) != NULL || uv_hrtime() - self->began < WORKER_SILENCE;
}

static void let_ask(pod_service_dispatcher *self, const pod_envelope *from)
{
    int64_t done[MOST_DONE], nexts[POD_MOST_LANES];
    size_t count, next_count;
    pod_answer given;
    pod_error error = {0};
    const int64_t *numbers = from->header.numbers;
    if (numbers[0] <= 0 || !read_splits(from, 0, done, MOST_DONE, &count) ||
        !read_splits(from, 1, nexts, POD_MOST_LANES, &next_count)) {
        pod_service_server_refuse(&self->server, from, "a list of splits is none");
        return;
    }
    service_member *worker = find(&self->workers, numbers[4]);
    const pod_asking asking = {.consumer = numbers[0],
                               .job = numbers[1],
                               .request = numbers[2],
                               .round = numbers[3],
                               .worker = numbers[4],
                               .address = worker != NULL ? worker->address : NULL,
                               .lane = numbers[6] < 0 && worker != NULL ? worker->lane : numbers[6],
                               .end = numbers[5],
                               .nexts = nexts,
                               .next_count = next_count,
                               .is_there = is_there,
                               .dispatcher = self};
    (void)see(self, &self->consumers, asking.consumer);
    see_job(self, asking.job);
    const pod_status status = pod_service_ledger_ask(self->ledger, &asking, done, count, &given, &error);
    if (status == POD_OK && worker != NULL && given.lane >= 0)
        worker->lane = given.lane;
    if (status == POD_ERROR_NOT_FOUND) {
        const pod_header header = {.kind = POD_SAYS_UNKNOWN, .numbers = {asking.request}};
        answer(self, from, &header, NULL);
    } else if (status != POD_OK) {
        pod_log(self->context, POD_LOG_WARNING, "data-dispatcher: %s", error.message);
        pod_service_server_refuse(&self->server, from, error.message);
    } else {
        const pod_header header = {.kind = POD_SAYS_SPLIT,
                                   .numbers = {asking.request, given.split, given.others, given.lane}};
        answer(self, from, &header, NULL);
    }
}

/* Who is gone is looked for each second also where messages never end. */
#define LOOKS_EACH UINT64_C(1000000000)

static void hear(void *dispatcher, pod_envelope *from)
{
    pod_service_dispatcher *self = dispatcher;
    if (uv_hrtime() - self->server.looked >= LOOKS_EACH)
        sweep(self);
    switch (from->header.kind) {
    case POD_SAYS_REGISTER:
        let_register(self, from);
        break;
    case POD_SAYS_JOIN:
        let_join(self, from);
        break;
    case POD_SAYS_BEAT:
        (void)see(self, &self->consumers, from->header.numbers[0]);
        see_job(self, from->header.numbers[1]);
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

static void see_job_again(void *context, int64_t job)
{
    pod_service_dispatcher *self = context;
    (void)see(self, &self->jobs, job);
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
    self->began = uv_hrtime();
    status = pod_service_server_open(&self->server, context, options->keys, POD_ROLE_DISPATCHER, error);
    if (status == POD_OK)
        status = pod_service_ledger_open(context, options->state, &self->ledger, error);
    if (status == POD_OK)
        status = pod_service_ledger_visit(self->ledger, see_again, see_job_again, self, error);
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
    pod_free(self->context, self->jobs.rows);
    pod_server server = self->server;
    pod_free(self->context, self);
    pod_service_server_close(&server);
}
