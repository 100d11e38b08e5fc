/* receiver_work - what a receiver's thread does: see receiver.h. */

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "service/peers.h"
#include "trace/recorder.h"

#define SECOND  UINT64_C(1000000000)
#define AGAIN   (2 * SECOND) /* a message to the dispatcher that was not answered goes once more */
#define ANEW    (SECOND / 5) /* where others have the rest in hand, they may leave it */
#define PATIENT (5 * SECOND) /* somebody is told that nobody is there */

/* ---- what is said to the dispatcher ---- */

static void join(pod_receiving *self)
{
    const pod_receiver_task *task = self->task;
    char own[32];
    (void)snprintf(own, sizeof own, "#%llx", (unsigned long long)self->consumer);
    const char *job = task->job != NULL ? task->job : own;
    const pod_header header = {.kind = POD_SAYS_JOIN,
                               .numbers = {self->consumer, task->mode, task->sharding, task->split_size, task->end,
                                           task->job == NULL, task->lanes}};
    const pod_bytes frames[] = {{job, strlen(job)}, {task->alike, strlen(task->alike)}};
    self->said = uv_hrtime();
    (void)pod_service_send(self->dispatcher, NULL, &header, frames, 2);
}

static void beat(pod_receiving *self)
{
    const pod_header header = {.kind = POD_SAYS_BEAT, .numbers = {self->consumer, self->job}};
    self->beat = uv_hrtime();
    (void)pod_service_send(self->dispatcher, NULL, &header, NULL, 0);
}

/* Asks for a split for the peer `self->asker`, and tells which are done. */
static void ask(pod_receiving *self)
{
    pod_receiver *receiver = self->receiver;
    unsigned char bytes[sizeof receiver->done], nexts[8 * POD_MOST_LANES];
    const size_t count = self->told;
    uv_mutex_lock(&receiver->gate.mutex);
    for (size_t i = 0; i < count; i++)
        pod_put_little_u64(bytes + 8 * i, (uint64_t)receiver->done[i]);
    uv_mutex_unlock(&receiver->gate.mutex);
    const size_t lanes = (size_t)pod_service_lanes(self->task);
    for (size_t i = 0; i < lanes; i++)
        pod_put_little_u64(nexts + 8 * i, (uint64_t)self->nexts[i]);
    const pod_pass_number pass = self->task->pass;
    const pod_peer *asker = self->asker >= 0 ? &self->peers[self->asker] : NULL;
    const pod_header header = {.kind = POD_SAYS_ASK,
                               .numbers = {self->consumer, self->job, self->request, (int64_t)pod_input_pass_key(pass),
                                           asker != NULL ? asker->worker : 0, self->end,
                                           asker != NULL ? asker->lane : -1}};
    const pod_bytes frames[] = {{bytes, 8 * count}, {nexts, 8 * lanes}};
    self->said = uv_hrtime();
    (void)pod_service_send(self->dispatcher, NULL, &header, frames, 2);
}

/* Begins a question; what was done when it was first asked is told with it. */
static void begin_asking(pod_receiving *self, int asker)
{
    uv_mutex_lock(&self->receiver->gate.mutex);
    self->told = self->receiver->done_count;
    uv_mutex_unlock(&self->receiver->gate.mutex);
    self->asking = true;
    self->asker = asker;
    self->request++;
    ask(self);
}

/* ---- what it answers ---- */

/* Whether a split is for a peer. */
static bool is_for(const pod_receiving *self, const pod_peer *peer, const pod_split *split)
{
    return self->task->lanes == 0 || split->number % self->task->lanes == peer->lane;
}

/* The first split in hand that nobody reads and that is for a peer; NULL: for any. */
static pod_split *unread(pod_receiving *self, const pod_peer *peer)
{
    uv_mutex_lock(&self->receiver->gate.mutex);
    pod_split *split = self->receiver->order;
    while (split != NULL && (split->ended || split->read || (peer != NULL && !is_for(self, peer, split))))
        split = split->next;
    uv_mutex_unlock(&self->receiver->gate.mutex);
    return split;
}

/* The splits that were told are known as done. */
static void forget_done(pod_receiving *self)
{
    pod_receiver *receiver = self->receiver;
    const size_t count = self->told;
    uv_mutex_lock(&receiver->gate.mutex);
    receiver->done_count -= count;
    memmove(receiver->done, receiver->done + count, receiver->done_count * sizeof receiver->done[0]);
    uv_cond_signal(&receiver->gate.conditions[0]); /* the stage may have waited for room */
    uv_mutex_unlock(&receiver->gate.mutex);
}

static pod_split *add_split(pod_receiving *self, int64_t number)
{
    pod_receiver *receiver = self->receiver;
    pod_split *split = pod_allocate_zeroed(self->task->context, 1, sizeof *split);
    if (split == NULL) {
        pod_service_peers_fail(self, POD_ERROR_MEMORY, "there is no memory for a split");
        return NULL;
    }
    split->number = number;
    uv_mutex_lock(&receiver->gate.mutex);
    pod_split **last = &receiver->order;
    while (*last != NULL)
        last = &(*last)->next;
    *last = split;
    uv_mutex_unlock(&receiver->gate.mutex);
    return split;
}

static void take_split(pod_receiving *self, const int64_t *numbers)
{
    if (!self->asking || numbers[0] != self->request)
        return; /* an answer to a question that was repeated */
    pod_peer *peer = self->asker >= 0 ? &self->peers[self->asker] : NULL;
    self->asking = false;
    self->others = numbers[1] >= 0 ? -1 : numbers[2];
    forget_done(self);
    if (peer != NULL) {
        peer->none = numbers[1] < 0;
        peer->lane = numbers[3];
    }
    if (numbers[1] < 0)
        return;
    int64_t *next = &self->nexts[numbers[1] % pod_service_lanes(self->task)];
    *next = numbers[1] >= *next ? numbers[1] + pod_service_lanes(self->task) : *next;
    pod_split *split = add_split(self, numbers[1]);
    if (split != NULL && peer != NULL && peer->reading == NULL) /* of a lane those that lost their worker come first */
        pod_service_peers_read(self, peer, self->task->lanes > 0 ? unread(self, peer) : split);
    else if (split != NULL && self->task->mode == POD_SERVICE_PARALLEL)
        split->ended = true; /* its worker is gone: nobody else gives that pass */
}

/* The dispatcher was started anew without its state. */
static void take_unknown(pod_receiving *self)
{
    if (self->task->job == NULL && self->task->mode == POD_SERVICE_DISTRIBUTED) {
        self->joined = false; /* what was given is known here */
        join(self);
        return;
    }
    pod_service_peers_fail(
        self, POD_ERROR_STATE,
        "the dispatcher does not know the job any more, so nobody knows which elements were given: it was started anew "
        "without its state (--state FILE keeps it), or no consumer of the job was there for five minutes");
}

static void hear(pod_receiving *self, const pod_envelope *from)
{
    const pod_bytes list = pod_service_frame(from, 0);
    switch (from->header.kind) {
    case POD_SAYS_JOINED:
        self->joined = true;
        self->job = from->header.numbers[0];
        pod_service_peers_learn(self, list.data, list.size);
        if (self->asking)
            ask(self); /* of the job that is known now */
        break;
    case POD_SAYS_WORKERS:
        pod_service_peers_learn(self, list.data, list.size);
        break;
    case POD_SAYS_SPLIT:
        take_split(self, from->header.numbers);
        break;
    case POD_SAYS_UNKNOWN:
        if (self->asking && from->header.numbers[0] == self->request)
            take_unknown(self);
        break;
    default:
        break;
    }
}

static void hear_dispatcher(pod_receiving *self)
{
    char text[512];
    bool sound;
    pod_envelope *from = &self->envelope;
    while (pod_service_receive(self->dispatcher, false, from, &sound)) {
        self->refusals = 0;
        if (!sound && from->header.version != 0) {
            (void)snprintf(text, sizeof text,
                           "the dispatcher at %.200s speaks version %u of the data service, this end version %d",
                           self->task->address, (unsigned)from->header.version, POD_SERVICE_PROTOCOL);
            pod_service_peers_fail(self, POD_ERROR_UNSUPPORTED, text);
        } else if (sound && from->header.kind == POD_SAYS_REFUSED) {
            if (!pod_service_frame_text(from, 0, text, sizeof text))
                strcpy(text, "the dispatcher refuses it");
            pod_service_peers_fail(self, POD_ERROR_VALUE, text);
        } else if (sound) {
            hear(self, from);
        }
        pod_service_drop(from);
    }
}

/* ---- what is to be done ---- */

/* Whether all splits in hand have come. */
static bool all_came(pod_receiving *self)
{
    uv_mutex_lock(&self->receiver->gate.mutex);
    const pod_split *split = self->receiver->order;
    while (split != NULL && split->ended)
        split = split->next;
    uv_mutex_unlock(&self->receiver->gate.mutex);
    return split == NULL;
}

/* In order, a split that nobody reads may be the one that is waited for, while the sessions are full of later ones: the
 * last of these gives way. */
static void make_way(pod_receiving *self)
{
    pod_peer *latest = NULL;
    const pod_split *wanted = unread(self, NULL);
    for (int i = 0; wanted != NULL && i < POD_RECEIVER_SESSIONS; i++) {
        pod_peer *peer = &self->peers[i];
        if (peer->reading != NULL && is_for(self, peer, wanted) &&
            (latest == NULL || peer->reading->number > latest->reading->number))
            latest = peer;
    }
    if (wanted != NULL && latest != NULL && latest->reading->number > wanted->number)
        pod_service_peers_lose(self, latest, 0, NULL);
}

/* Whether there may be a split for a peer. */
static bool may_ask(const pod_receiving *self, const pod_peer *peer)
{
    if (self->task->mode == POD_SERVICE_PARALLEL || self->task->lanes > 0)
        return !peer->none;
    return self->others < 0 || (self->others > 0 && uv_hrtime() - self->said > ANEW);
}

/* A worker whose lane had nothing, or that had no lane, may get something when another is gone. */
static void renew_lanes(pod_receiving *self)
{
    const uint64_t now = uv_hrtime();
    if (self->task->lanes == 0 || now - self->renewed < ANEW)
        return;
    self->renewed = now;
    for (int i = 0; i < POD_RECEIVER_SESSIONS; i++)
        self->peers[i].none = false;
}

/* Gives each peer that has nothing to read something. */
static void employ(pod_receiving *self)
{
    renew_lanes(self);
    for (int i = 0; i < POD_RECEIVER_SESSIONS; i++) {
        pod_peer *peer = &self->peers[i];
        if (!peer->ready || peer->reading != NULL)
            continue;
        pod_split *split = self->task->mode == POD_SERVICE_DISTRIBUTED ? unread(self, peer) : NULL;
        if (split != NULL)
            pod_service_peers_read(self, peer, split);
        else if (self->joined && !self->asking && !self->drains && may_ask(self, peer))
            begin_asking(self, i);
    }
    if (self->task->in_order)
        make_way(self);
}

/* Whether no peer has, or may get, another pass. */
static bool all_asked(const pod_receiving *self)
{
    for (int i = 0; self->task->mode == POD_SERVICE_PARALLEL && i < POD_RECEIVER_SESSIONS; i++)
        if (self->peers[i].socket != NULL && !self->peers[i].none)
            return false;
    return true;
}

static bool is_in_a_hand(const pod_receiving *self, const pod_split *split)
{
    for (int i = 0; i < POD_RECEIVER_SESSIONS; i++)
        if (self->peers[i].socket != NULL && self->peers[i].reading == split)
            return true;
    return false;
}

/* What would be waited for forever is an error: a split that nobody reads and nobody is to read, and splits that others
 * have of a job that is this consumer's alone. */
static void look_for_lost(pod_receiving *self)
{
    const pod_receiver_task *task = self->task;
    const bool alone = task->job == NULL && task->mode == POD_SERVICE_DISTRIBUTED && task->lanes == 0;
    const char *lost = self->others > 0 && alone
                           ? "distribute: the dispatcher has given splits of this consumer's own job to others"
                           : NULL;
    uv_mutex_lock(&self->receiver->gate.mutex);
    for (const pod_split *split = self->receiver->order; split != NULL; split = split->next)
        if (split->read && !is_in_a_hand(self, split))
            lost = "distribute: a split is in no worker's hand";
    uv_mutex_unlock(&self->receiver->gate.mutex);
    if (lost != NULL)
        pod_service_peers_fail(self, POD_ERROR_STATE, lost);
}

/* No more splits were wanted than were in hand: whoever goes on begins with the next. So nothing is told any more: with
 * a question comes another split. */
static void end_drained(pod_receiving *self)
{
    pod_receiver *receiver = self->receiver;
    uv_mutex_lock(&receiver->gate.mutex);
    if (!receiver->finished) {
        receiver->drained = true;
        receiver->done_count = 0;
        receiver->next = self->nexts[0];
        receiver->end = self->end;
    }
    pod_service_receiver_fail(receiver, POD_END, "");
    uv_mutex_unlock(&receiver->gate.mutex);
}

/* The end, and what is still to be told then. */
static void conclude(pod_receiving *self)
{
    if (!self->asking && self->others == 0 && all_asked(self) && all_came(self))
        pod_service_peers_fail(self, POD_END, "");
    else if (!self->asking && self->drains && all_came(self))
        end_drained(self);
    uv_mutex_lock(&self->receiver->gate.mutex);
    const bool tells = self->receiver->done_count > 0 && (self->others >= 0 || self->receiver->done_count > 64);
    uv_mutex_unlock(&self->receiver->gate.mutex);
    if (tells && self->joined && !self->asking)
        begin_asking(self, -1);
}

/* Repeats what was not answered, and announces a wait. */
static void keep_up(pod_receiving *self)
{
    const uint64_t now = uv_hrtime();
    const pod_receiver_task *task = self->task;
    if (now - self->said > AGAIN && !self->joined)
        join(self);
    else if (now - self->said > AGAIN && self->asking)
        ask(self);
    if (self->joined && now - self->beat > (pod_service_peers_count(self) > 0 ? SECOND : SECOND / 10))
        beat(self);
    if (pod_service_peers_count(self) > 0) {
        self->alone_since = now;
        self->warned = false;
    }
    if (task->local != NULL && pod_service_local_count(task->local) == 0)
        pod_service_peers_fail(self, POD_ERROR_STATE,
                               "all workers of the local service have ended: what they printed tells why");
    if (now - self->alone_since > PATIENT && !self->warned) {
        self->warned = true;
        pod_log(task->context, POD_LOG_WARNING,
                self->joined ? "distribute: the dispatcher at %s has no worker; waiting for one"
                             : "distribute: the dispatcher at %s does not answer; waiting for it",
                task->address);
    }
}

/* ---- the thread ---- */

/* Waits until something comes. The item of a peer's socket is followed by that of its monitor. */
static size_t wait_for_news(pod_receiving *self, zmq_pollitem_t *items, int *peers)
{
    size_t count = 0;
    items[count++] = (zmq_pollitem_t){self->receiver->woken, 0, ZMQ_POLLIN, 0};
    items[count++] = (zmq_pollitem_t){self->dispatcher, 0, ZMQ_POLLIN, 0};
    for (int i = 0; i < POD_RECEIVER_SESSIONS; i++) {
        if (self->peers[i].socket == NULL)
            continue;
        peers[count] = i;
        items[count++] = (zmq_pollitem_t){self->peers[i].socket, 0, ZMQ_POLLIN, 0};
        if (self->peers[i].monitor == NULL)
            continue;
        peers[count] = i;
        items[count++] = (zmq_pollitem_t){self->peers[i].monitor, 0, ZMQ_POLLIN, 0};
    }
    const size_t left = pod_service_leaving_items(&self->leaving, items + count);
    return pod_zmq.poll(items, (int)(count + left), 100) < 0 ? 0 : count;
}

static void hear_peers(pod_receiving *self, const zmq_pollitem_t *items, const int *peers, size_t count)
{
    for (size_t i = 2; i < count; i++) {
        pod_peer *peer = &self->peers[peers[i]];
        int refusals = 0;
        if (items[i].revents == 0 || peer->socket == NULL)
            continue;
        if (items[i].socket == peer->socket)
            pod_service_peers_hear(self, peer);
        else if (items[i].socket == peer->monitor && pod_service_peers_is_lost(peer->monitor, &refusals))
            pod_service_peers_lose(self, peer, refusals > 0 ? SECOND : SECOND / 4,
                                   refusals > 0 ? "it does not accept the key" : "the connection has ended");
    }
}

static void hear_wakes(pod_receiving *self)
{
    bool sound;
    while (pod_service_receive(self->receiver->woken, false, &self->envelope, &sound))
        pod_service_drop(&self->envelope);
}

/* Whether the stage wants nothing any more: it has closed, or all was given and told. */
static bool is_to_end(pod_receiving *self)
{
    const pod_receiver *receiver = self->receiver;
    const pod_stop *stop = &self->task->stop;
    uv_mutex_lock(&self->receiver->gate.mutex);
    const bool given = receiver->failure.status == POD_END && receiver->order == NULL && receiver->done_count == 0;
    const bool ends = receiver->ends || (receiver->finished && given && !self->asking);
    self->drains = receiver->drains;
    uv_mutex_unlock(&self->receiver->gate.mutex);
    if (!ends && stop->is_asked(stop->context))
        pod_service_peers_fail(self, POD_ERROR_INTERRUPTED, "distribute: interrupted");
    return ends;
}

static void run(pod_receiving *self)
{
    zmq_pollitem_t items[3 + 3 * POD_RECEIVER_SESSIONS];
    int peers[2 + 2 * POD_RECEIVER_SESSIONS];
    join(self);
    while (!is_to_end(self)) {
        const size_t count = wait_for_news(self, items, peers);
        hear_wakes(self);
        hear_peers(self, items, peers, count);
        pod_service_leaving_hear(&self->leaving, &self->envelope);
        hear_dispatcher(self);
        if (self->monitor != NULL && pod_service_peers_is_lost(self->monitor, &self->refusals)) {
            self->said = 0; /* what it was told last it may not have heard */
            if (self->refusals >= POD_MOST_REFUSALS && self->task->keys->used)
                pod_service_peers_fail(self, POD_ERROR_STATE,
                                       "the dispatcher does not accept the key: it has other ones");
        }
        pod_service_peers_leave_silent(self);
        pod_service_peers_credit(self);
        employ(self);
        look_for_lost(self);
        conclude(self);
        keep_up(self);
    }
}

/* Says to all that this consumer is done; what the dispatcher has not been told yet goes first. */
static void leave(pod_receiving *self)
{
    const pod_header header = {.kind = POD_SAYS_LEAVE, .numbers = {self->consumer, self->job}};
    const int patience = 200;
    (void)pod_zmq.setsockopt(self->dispatcher, ZMQ_LINGER, &patience, sizeof patience);
    (void)pod_zmq.socket_monitor(self->dispatcher, NULL, 0);
    pod_service_close_socket(self->monitor);
    if (self->joined) {
        begin_asking(self, -1);
        (void)pod_service_send(self->dispatcher, NULL, &header, NULL, 0);
        pod_service_leaving_add(&self->leaving, self->dispatcher, self->request);
    } else {
        pod_service_close_socket(self->dispatcher);
    }
    pod_service_peers_lose_all(self);
    pod_service_leaving_end(&self->leaving, &self->envelope);
}

void pod_service_receiver_work(void *argument)
{
    pod_receiver *receiver = argument;
    const pod_receiver_task *task = &receiver->task;
    pod_error error = {0};
    pod_receiving *self = pod_allocate_zeroed(task->context, 1, sizeof *self);
    if (self == NULL) {
        uv_mutex_lock(&receiver->gate.mutex);
        pod_service_receiver_fail(receiver, POD_ERROR_MEMORY, "there is no memory for what distribute receives");
        uv_mutex_unlock(&receiver->gate.mutex);
        return;
    }
    self->receiver = receiver;
    self->task = task;
    self->consumer = pod_service_draw_id();
    self->end = self->others = -1;
    for (int i = 0; i < POD_MOST_LANES; i++)
        self->nexts[i] = task->first + i;
    self->alone_since = uv_hrtime();
    if (pod_service_connect(receiver->zmq, task->address, task->keys, POD_ROLE_DISPATCHER, POD_SERVICE_SMALL,
                            &self->dispatcher, &error) != POD_OK) {
        pod_service_peers_fail(self, error.status, error.message);
    } else {
        self->monitor = pod_service_peers_watch(self, self->dispatcher);
        run(self);
        leave(self);
    }
    pod_trace_end_thread(task->context);
    pod_free(task->context, self);
}
