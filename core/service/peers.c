/* peers - see peers.h. */

#include "service/peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/decimal.h"
#include "input/stage_trace.h"

/* Bytes that may be under way from a worker: so many, or a few elements where these are larger. */
#define WINDOW             ((int64_t)4 << 20)
#define MOST_WINDOW        ((int64_t)64 << 20)
#define ELEMENTS_UNDER_WAY 4

static int64_t window_of(const pod_dataset *dataset)
{
    const int64_t element = pod_dataset_element_bytes(dataset);
    if (element > MOST_WINDOW / ELEMENTS_UNDER_WAY)
        return MOST_WINDOW;
    return element > WINDOW / ELEMENTS_UNDER_WAY ? ELEMENTS_UNDER_WAY * element : WINDOW;
}

/* What tells that a peer is lost, and that it does not accept the keys: with another server's key the handshake only
 * breaks off, as it also does where a process ends in the middle of it. */
#define WATCHED                                                                                                        \
    (ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL |                 \
     ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL)

#define SECOND UINT64_C(1000000000)

/* ---- what happens to sockets ---- */

void *pod_service_peers_watch(pod_receiving *self, void *socket)
{
    char name[64];
    void *monitor;
    (void)snprintf(name, sizeof name, "inproc://monitor.%d", self->monitors++);
    if (pod_zmq.socket_monitor(socket, name, WATCHED) != 0 ||
        pod_service_inside(self->receiver->zmq, ZMQ_PAIR, name, false, &monitor, NULL) != POD_OK)
        return NULL;
    return monitor;
}

bool pod_service_peers_is_lost(void *monitor, int *refusals)
{
    bool lost = false;
    zmq_msg_t frame;
    for (bool first = true;;) {
        pod_zmq.msg_init(&frame);
        const int size = pod_zmq.msg_recv(&frame, monitor, ZMQ_DONTWAIT);
        if (size >= 2 && first) {
            const uint16_t event = pod_little_u16(pod_zmq.msg_data(&frame));
            lost = true;
            if (event == ZMQ_EVENT_HANDSHAKE_FAILED_AUTH)
                *refusals = POD_MOST_REFUSALS;
            else if (event != ZMQ_EVENT_DISCONNECTED)
                ++*refusals;
        }
        first = size < 0 || pod_zmq.msg_more(&frame) == 0;
        pod_zmq.msg_close(&frame);
        if (size < 0)
            return lost;
    }
}

/* ---- sessions ---- */

void pod_service_peers_fail(pod_receiving *self, pod_status status, const char *text)
{
    uv_mutex_lock(&self->receiver->gate.mutex);
    pod_service_receiver_fail(self->receiver, status, text);
    uv_mutex_unlock(&self->receiver->gate.mutex);
}

int pod_service_peers_count(const pod_receiving *self)
{
    int count = 0;
    for (int i = 0; i < POD_RECEIVER_SESSIONS; i++)
        count += self->peers[i].socket != NULL;
    return count;
}

static bool has_session(const pod_receiving *self, int64_t worker)
{
    for (int i = 0; i < POD_RECEIVER_SESSIONS; i++)
        if (self->peers[i].socket != NULL && self->peers[i].worker == worker)
            return true;
    return false;
}

static void close_peer(pod_receiving *self, pod_peer *peer)
{
    const int index = (int)(peer - self->peers);
    const pod_header bye = {.kind = POD_SAYS_CLOSE};
    (void)pod_zmq.socket_monitor(peer->socket, NULL, 0);
    pod_service_close_socket(peer->monitor);
    (void)pod_service_send(peer->socket, NULL, &bye, NULL, 0);
    pod_service_leaving_add(&self->leaving, peer->socket, -1);
    if (self->asking && self->asker == index)
        self->asker = -1; /* what it is given another reads */
    *peer = (pod_peer){0};
    pod_receiver *receiver = self->receiver;
    uv_mutex_lock(&receiver->gate.mutex);
    receiver->owed[index] = 0;
    for (pod_came *came = receiver->first; came != NULL; came = came->next)
        if (came->session == index)
            came->session = -1;
    receiver->sessions = pod_service_peers_count(self);
    uv_mutex_unlock(&receiver->gate.mutex);
}

static void open_peer(pod_receiving *self, const pod_known_worker *worker)
{
    const pod_receiver_task *task = self->task;
    pod_error error = {0};
    pod_peer *peer = self->peers;
    while (peer->socket != NULL)
        peer++;
    if (pod_service_connect(self->receiver->zmq, worker->address, task->keys, POD_ROLE_WORKER, POD_SERVICE_ELEMENT,
                            &peer->socket, &error) != POD_OK) {
        pod_log(task->context, POD_LOG_WARNING, "distribute: %s", error.message);
        return;
    }
    peer->worker = worker->id;
    peer->lane = -1;
    peer->monitor = pod_service_peers_watch(self, peer->socket);
    peer->pinged = peer->opened = uv_hrtime();
    const pod_header header = {
        .kind = POD_SAYS_OPEN,
        .numbers = {0, window_of(task->dataset),
                    task->compress_here || (task->compress && !pod_service_is_local(worker->address))}};
    (void)pod_service_send(peer->socket, NULL, &header, &(pod_bytes){task->pipeline, strlen(task->pipeline)}, 1);
    uv_mutex_lock(&self->receiver->gate.mutex);
    pod_receiver *receiver = self->receiver;
    receiver->sessions = pod_service_peers_count(self);
    if (receiver->sessions > receiver->most_sessions)
        receiver->most_sessions = receiver->sessions;
    uv_mutex_unlock(&receiver->gate.mutex);
}

/* Finds or adds a worker; NULL: there are too many. */
static pod_known_worker *note_worker(pod_receiving *self, int64_t id)
{
    for (size_t i = 0; i < self->known_count; i++)
        if (self->known[i].id == id)
            return &self->known[i];
    if (self->known_count == POD_RECEIVER_SESSIONS) {
        size_t i = 0; /* one that there is no session with makes room */
        while (i < self->known_count && has_session(self, self->known[i].id))
            i++;
        if (i == self->known_count)
            return NULL;
        self->known[i] = self->known[--self->known_count];
    }
    pod_known_worker *added = &self->known[self->known_count++];
    *added = (pod_known_worker){.id = id};
    return added;
}

static void learn_one(pod_receiving *self, int64_t id, const char *address, size_t size)
{
    const pod_receiver_task *task = self->task;
    const bool limited = task->lanes == 0 && task->target_workers > 0 && task->target_workers < POD_RECEIVER_SESSIONS;
    const int64_t most = limited ? task->target_workers : POD_RECEIVER_SESSIONS;
    pod_known_worker *worker = note_worker(self, id);
    if (worker == NULL || size >= sizeof worker->address)
        return;
    memcpy(worker->address, address, size);
    worker->address[size] = '\0';
    if (!has_session(self, id) && pod_service_peers_count(self) < most && uv_hrtime() >= worker->until)
        open_peer(self, worker);
}

void pod_service_peers_learn(pod_receiving *self, const char *list, size_t size)
{
    const char *end = size > 0 ? list + size : list; /* no frame has no address, either */
    while (list < end) {
        int64_t id;
        const char *line = memchr(list, '\n', (size_t)(end - list));
        if (line == NULL || !pod_digits_read(&list, line, false, &id) || list == line || *list != ' ')
            return;
        learn_one(self, id, list + 1, (size_t)(line - list - 1));
        list = line + 1;
    }
}

static pod_came *new_came(pod_receiving *self, pod_peer *peer, size_t count)
{
    const size_t bytes = sizeof(pod_came) + count * self->task->dataset->width * sizeof(pod_part);
    pod_came *came = pod_allocate(self->task->context, bytes);
    pod_error error = {0};
    if (came == NULL) {
        (void)pod_error_memory(&error, "elements of a worker", bytes);
        pod_service_peers_fail(self, POD_ERROR_MEMORY, error.message);
        return NULL;
    }
    *came = (pod_came){.split = peer->reading, .session = -1, .count = count};
    return came;
}

/* A split has ended; the stage hears of it behind its elements. */
static void end_split(pod_receiving *self, pod_peer *peer)
{
    pod_came *came = new_came(self, peer, 0);
    if (came == NULL)
        return;
    peer->reading->ended = true;
    peer->reading->read = false;
    peer->reading = NULL;
    uv_mutex_lock(&self->receiver->gate.mutex);
    pod_service_receiver_add(self->receiver, came);
    uv_mutex_unlock(&self->receiver->gate.mutex);
}

/* A worker that is lost gives its split to the next, with the element that may be what ends workers: so many of them
 * that have given nothing of it are enough. */
#define MOST_LOSSES 16

static void note_loss(pod_receiving *self, pod_split *split)
{
    char text[256];
    split->losses = split->lost_at == split->came ? split->losses + 1 : 1;
    split->lost_at = split->came;
    if (split->losses < MOST_LOSSES)
        return;
    (void)snprintf(text, sizeof text,
                   "distribute: %d workers were lost one after the other at element %lld of split %lld: that element "
                   "may be what ends them; what they printed tells why",
                   split->losses, (long long)split->came, (long long)split->number);
    pod_service_peers_fail(self, POD_ERROR_STATE, text);
}

void pod_service_peers_lose(pod_receiving *self, pod_peer *peer, uint64_t pause, const char *why)
{
    for (size_t i = 0; i < self->known_count; i++)
        if (self->known[i].id == peer->worker) {
            self->known[i].until = uv_hrtime() + pause;
            if (why != NULL)
                pod_log(self->task->context, POD_LOG_WARNING, "distribute: the worker at %s is left: %s",
                        self->known[i].address, why);
        }
    pod_split *split = peer->reading;
    if (split != NULL && self->task->mode == POD_SERVICE_PARALLEL)
        end_split(self, peer); /* what it had not given is lost with it */
    else if (split != NULL)
        split->read = false;
    if (split != NULL && why != NULL)
        note_loss(self, split);
    close_peer(self, peer);
}

void pod_service_peers_lose_all(pod_receiving *self)
{
    for (int i = 0; i < POD_RECEIVER_SESSIONS; i++)
        if (self->peers[i].socket != NULL)
            pod_service_peers_lose(self, &self->peers[i], 0, NULL);
}

void pod_service_peers_read(pod_receiving *self, pod_peer *peer, pod_split *split)
{
    const pod_receiver_task *task = self->task;
    const bool whole = task->mode == POD_SERVICE_PARALLEL, by_blocks = task->sharding == POD_SERVICE_BY_BLOCKS;
    const bool to_end = whole || task->sharding != POD_SERVICE_BY_ELEMENTS;
    pod_header header = {.kind = POD_SAYS_READ,
                         .numbers = {++self->ticket, to_end ? 0 : split->number * task->split_size,
                                     to_end ? -1 : task->split_size, split->came, 0, 0, task->pass.epoch,
                                     task->pass.repetition}};
    if (to_end && !whole) {
        header.numbers[4] = by_blocks ? -task->split_size : task->files;
        header.numbers[5] = split->number;
    }
    if (whole || by_blocks) /* each has an order, and draws, of its own */
        header.numbers[7] += split->number << 16;
    split->read = true;
    peer->reading = split;
    peer->ticket = self->ticket;
    (void)pod_service_send(peer->socket, NULL, &header, NULL, 0);
}

/* ---- what they say ---- */

/* Has a profile know what a worker did: of one stage of its pipeline, or waiting. */
static void record(const pod_receiving *self, pod_lane *lane, int worker, const pod_dataset *remote, uint64_t elements,
                   uint64_t time)
{
    const uint32_t thing = pod_input_remote_thing(self->task->stage, worker, remote);
    if (thing == 0)
        return;
    pod_trace_add(&lane->things[thing].calls, 1);
    pod_trace_add(&lane->things[thing].amount, elements);
    pod_trace_add(&lane->things[thing].self, time);
    pod_trace_add(&lane->things[thing].total, time);
}

/* What the stages of a worker did since it said so last. */
static bool take_stats(pod_receiving *self, const pod_peer *peer, const pod_envelope *from)
{
    pod_receiver *receiver = self->receiver;
    const pod_receiver_task *task = self->task;
    const pod_bytes frame = pod_service_frame(from, 0);
    const int64_t held = from->header.numbers[0], idle = from->header.numbers[1];
    pod_remote_stats more;
    if (!pod_service_remote_read(frame.data, frame.size, task->remote_count, &more) || held < 0 || idle < 0)
        return false;
    uv_mutex_lock(&receiver->gate.mutex);
    pod_service_remote_add(&receiver->stats, &more);
    receiver->held += (uint64_t)held;
    receiver->idle += (uint64_t)idle;
    uv_mutex_unlock(&receiver->gate.mutex);
    pod_lane *lane = pod_trace_lane(task->context, "distribute", 0);
    const int worker = (int)(peer - self->peers);
    for (size_t i = 0; lane != NULL && i < more.count; i++)
        if (more.stages[i].elements > 0)
            record(self, lane, worker, task->remote[i], more.stages[i].elements, more.stages[i].busy);
    if (lane != NULL)
        record(self, lane, worker, NULL, 0, (uint64_t)(held + idle));
    return true;
}

/* Notes in a profile how many bytes of a worker came. */
static void record_bytes(const pod_receiving *self, const pod_peer *peer, uint64_t elements, uint64_t bytes)
{
    pod_lane *lane = pod_trace_lane(self->task->context, "distribute", 0);
    const uint32_t thing =
        lane != NULL ? pod_input_remote_thing(self->task->stage, (int)(peer - self->peers), NULL) : 0;
    if (thing == 0)
        return;
    pod_trace_add(&lane->things[thing].amount, elements);
    pod_trace_add(&lane->things[thing].bytes, bytes);
}

/* Takes a block; false where it is none that was asked for. */
static bool take_block(pod_receiving *self, pod_peer *peer, const pod_envelope *from, pod_error *error)
{
    const int64_t *numbers = from->header.numbers;
    const size_t width = self->task->dataset->width;
    size_t cost = POD_BLOCK_BESIDES, done = 0;
    pod_status status = POD_OK;
    if (numbers[1] != peer->reading->came || numbers[2] < 1 || numbers[2] > POD_MOST_IN_BLOCK || from->count != width)
        return false;
    for (size_t i = 0; i < width; i++)
        cost += pod_service_frame(from, i).size;
    pod_came *came = (int64_t)cost == numbers[3] ? new_came(self, peer, (size_t)numbers[2]) : NULL;
    if (came == NULL)
        return false;
    for (; status == POD_OK && done < width; done += status == POD_OK) {
        const pod_bytes frame = pod_service_frame(from, done);
        status = pod_service_block_read(self->task->context, &self->task->dataset->components[done], frame.data,
                                        frame.size, came->count, came->parts + done, width, error);
    }
    if (status != POD_OK) {
        for (size_t i = 0; i < came->count; i++)
            pod_input_parts_release(came->parts + i * width, done);
        pod_free(self->task->context, came);
        return false;
    }
    came->session = (int)(peer - self->peers);
    came->cost = (int64_t)cost;
    record_bytes(self, peer, (uint64_t)numbers[2], cost);
    peer->reading->came += numbers[2];
    uv_mutex_lock(&self->receiver->gate.mutex);
    pod_service_receiver_add(self->receiver, came);
    uv_mutex_unlock(&self->receiver->gate.mutex);
    return true;
}

/* A split has ended; where the pipeline has ended with it, no later one has elements. */
static bool take_end(pod_receiving *self, pod_peer *peer, const pod_envelope *from)
{
    const int64_t elements = from->header.numbers[1], number = peer->reading->number;
    if (elements < peer->reading->came)
        pod_service_peers_fail(self, POD_ERROR_STATE,
                               "the pipeline does not give the same elements again, which went on from a lost "
                               "worker: some stage depends on chance or time");
    if (elements != peer->reading->came)
        return elements < peer->reading->came;
    if (from->header.numbers[2] != 0 && self->task->mode == POD_SERVICE_DISTRIBUTED &&
        self->task->sharding != POD_SERVICE_BY_FILES) {
        const bool has_some = elements > 0 || self->task->sharding == POD_SERVICE_BY_BLOCKS;
        const int64_t end = has_some ? number + 1 : number;
        self->end = self->end < 0 || end < self->end ? end : self->end;
    }
    end_split(self, peer);
    return true;
}

/* A worker's pipeline has failed: so would another's. */
static void take_failure(pod_receiving *self, const pod_envelope *from)
{
    char text[POD_ERROR_MESSAGE_SIZE];
    const int64_t status = from->header.numbers[1];
    if (!pod_service_frame_text(from, 0, text, sizeof text))
        strcpy(text, "it has failed");
    char whole[POD_ERROR_MESSAGE_SIZE + 32];
    (void)snprintf(whole, sizeof whole, "on a worker: %s", text);
    pod_service_peers_fail(self, status < 0 && status > -64 ? (pod_status)status : POD_ERROR_STATE, whole);
}

/* One worker may be of another version, or full; all cannot. */
static void take_refusal(pod_receiving *self, pod_peer *peer, const pod_envelope *from, bool sound)
{
    char text[256];
    if (!sound)
        (void)snprintf(text, sizeof text, "it speaks version %u of the data service, this end version %d",
                       (unsigned)from->header.version, POD_SERVICE_PROTOCOL);
    else if (!pod_service_frame_text(from, 0, text, sizeof text))
        strcpy(text, "it does not say why");
    pod_service_peers_lose(self, peer, 5 * SECOND, text);
    if (pod_service_peers_count(self) == 0)
        pod_service_peers_fail(self, POD_ERROR_STATE, text);
}

/* Hears a message; false where the peer is none of the service, or was left. */
static bool hear(pod_receiving *self, pod_peer *peer, const pod_envelope *from, pod_error *error)
{
    const pod_header wanted = {.kind = POD_SAYS_RECIPE};
    const bool is_asked = peer->reading != NULL && from->header.numbers[0] == peer->ticket;
    switch (from->header.kind) {
    case POD_SAYS_OPENED:
        peer->ready = true;
        return true;
    case POD_SAYS_WANTED:
        return pod_service_send(peer->socket, NULL, &wanted, &self->task->recipe, 1);
    case POD_SAYS_DATA:
        return !is_asked || take_block(self, peer, from, error);
    case POD_SAYS_ENDED:
        return !is_asked || take_end(self, peer, from);
    case POD_SAYS_CLOSE:
        pod_service_peers_lose(self, peer, 0, "it took this consumer for gone");
        return true;
    case POD_SAYS_STATS:
        return take_stats(self, peer, from);
    case POD_SAYS_FAILED:
        if (is_asked || from->header.numbers[0] == -1)
            take_failure(self, from);
        return true;
    default:
        return true;
    }
}

void pod_service_peers_hear(pod_receiving *self, pod_peer *peer)
{
    bool sound;
    pod_envelope *from = &self->envelope;
    while (peer->socket != NULL && pod_service_receive(peer->socket, false, from, &sound)) {
        pod_error error = {0};
        peer->heard = true;
        if ((!sound && from->header.version != 0) || (sound && from->header.kind == POD_SAYS_REFUSED))
            take_refusal(self, peer, from, sound);
        else if (!sound || !hear(self, peer, from, &error))
            pod_service_peers_lose(self, peer, 5 * SECOND,
                                   error.message[0] != '\0' ? error.message : "it says what it was not asked for");
        pod_service_drop(from);
    }
}

void pod_service_peers_leave_silent(pod_receiving *self)
{
    const uint64_t now = uv_hrtime();
    for (int i = 0; i < POD_RECEIVER_SESSIONS; i++) {
        pod_peer *peer = &self->peers[i];
        if (peer->socket != NULL && !peer->heard && now - peer->opened > 5 * SECOND)
            pod_service_peers_lose(self, peer, SECOND, "it does not answer");
    }
}

void pod_service_peers_credit(pod_receiving *self)
{
    const uint64_t now = uv_hrtime();
    for (int i = 0; i < POD_RECEIVER_SESSIONS; i++) {
        pod_peer *peer = &self->peers[i];
        if (peer->socket == NULL)
            continue;
        uv_mutex_lock(&self->receiver->gate.mutex);
        const int64_t owed = self->receiver->owed[i];
        const bool gives = owed >= window_of(self->task->dataset) / 4 || (owed > 0 && self->receiver->blocks == 0);
        if (gives)
            self->receiver->owed[i] = 0;
        uv_mutex_unlock(&self->receiver->gate.mutex);
        const pod_header credit = {.kind = POD_SAYS_CREDIT, .numbers = {owed}}, ping = {.kind = POD_SAYS_PING};
        if (gives)
            (void)pod_service_send(peer->socket, NULL, &credit, NULL, 0);
        else if (now - peer->pinged > 5 * SECOND)
            (void)pod_service_send(peer->socket, NULL, &ping, NULL, 0);
        if (gives || now - peer->pinged > 5 * SECOND)
            peer->pinged = now;
    }
}
