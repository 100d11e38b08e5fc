/* receiver - the stage's side of a receiver: see receiver.h. */

#include "service/receiver.h"

#include <string.h>

#include "base/thread.h"

enum { SOMETHING_CAME };

static void drop_came(pod_receiver *self, pod_came *came)
{
    const size_t width = self->task.dataset->width;
    pod_input_parts_release(came->parts + came->given * width, (came->count - came->given) * width);
    pod_free(self->task.context, came);
}

/* ---- for the thread ---- */

void pod_service_receiver_add(pod_receiver *self, pod_came *came)
{
    came->next = NULL;
    *self->last = came;
    self->last = &came->next;
    self->blocks++;
    self->bytes += came->cost;
    self->received += came->cost;
    uv_cond_signal(&self->gate.conditions[SOMETHING_CAME]);
}

void pod_service_receiver_fail(pod_receiver *self, pod_status status, const char *message)
{
    if (self->finished)
        return;
    self->finished = true;
    if (status == POD_END)
        self->failure.status = POD_END;
    else
        pod_error_set(&self->failure, status, "%s", message);
    uv_cond_signal(&self->gate.conditions[SOMETHING_CAME]);
}

/* ---- its life ---- */

pod_status pod_service_receiver_start(pod_receiver *self, const pod_receiver_task *task, pod_scope *scope,
                                      void (*work)(void *receiver), pod_error *error)
{
    *self = (pod_receiver){.task = *task, .turn = task->first};
    self->last = &self->first;
    pod_status status = pod_input_gate_open(&self->gate, scope, error);
    if (status != POD_OK)
        return status;
    self->zmq = pod_zmq.ctx_new();
    if (self->zmq == NULL)
        return pod_error_set(error, POD_ERROR_SYSTEM, "cannot start ZeroMQ");
    status = pod_service_inside(self->zmq, ZMQ_PAIR, "inproc://wake", true, &self->woken, error);
    if (status == POD_OK)
        status = pod_service_inside(self->zmq, ZMQ_PAIR, "inproc://wake", false, &self->wake, error);
    if (status != POD_OK)
        return status;
    self->has_place = pod_threads_take(task->context, 1) == 1;
    if (!self->has_place)
        return pod_error_set(error, POD_ERROR_STATE, "distribute needs a thread, and the context has none left");
    const int failure = pod_thread_start(&self->thread, 0, work, self);
    self->runs = failure == 0;
    return self->runs ? POD_OK
                      : pod_error_set(error, POD_ERROR_SYSTEM, "cannot start a receiver: %s", uv_strerror(failure));
}

/* Wakes the thread; with the lock. */
static void wake(pod_receiver *self)
{
    const pod_header nothing = {.kind = POD_SAYS_PING};
    (void)pod_service_send(self->wake, NULL, &nothing, NULL, 0);
}

void pod_service_receiver_drain(pod_receiver *self)
{
    if (!self->runs)
        return;
    uv_mutex_lock(&self->gate.mutex);
    self->drains = true;
    wake(self);
    uv_mutex_unlock(&self->gate.mutex);
}

void pod_service_receiver_stop(pod_receiver *self)
{
    if (self->runs) {
        uv_mutex_lock(&self->gate.mutex);
        self->ends = true;
        wake(self);
        uv_mutex_unlock(&self->gate.mutex);
        uv_thread_join(&self->thread);
    }
    if (self->has_place)
        pod_threads_give_back(self->task.context, 1);
    while (self->first != NULL) {
        pod_came *came = self->first;
        self->first = came->next;
        drop_came(self, came);
    }
    while (self->order != NULL) {
        pod_split *split = self->order;
        self->order = split->next;
        pod_free(self->task.context, split);
    }
    pod_service_close_socket(self->wake);
    pod_service_close_socket(self->woken);
    if (self->zmq != NULL)
        (void)pod_zmq.ctx_term(self->zmq);
    pod_input_gate_close(&self->gate);
    *self = (pod_receiver){0};
}

/* ---- giving ---- */

/* The place of the block that is next: the first, or in order the first of the split whose turn it is. */
static pod_came **next_came(pod_receiver *self)
{
    pod_came **place = &self->first;
    while (self->task.in_order && *place != NULL && (*place)->split->number != self->turn)
        place = &(*place)->next;
    return place;
}

/* Takes a block out of the list. */
static void take_out(pod_receiver *self, pod_came **place)
{
    pod_came *came = *place;
    *place = came->next;
    if (self->last == &came->next)
        self->last = place;
    self->blocks--;
    self->bytes -= came->cost;
}

/* A split is done: the dispatcher is to hear of it, but for those of a job that ends with this receiver. */
static void end_split(pod_receiver *self, pod_split *split)
{
    pod_split **place = &self->order;
    while (*place != split)
        place = &(*place)->next;
    *place = split->next;
    if (!self->drained)
        self->done[self->done_count++] = split->number;
    self->turn = split->number + 1;
    pod_free(self->task.context, split);
    wake(self);
}

/* Gives what a block has; one that is empty then is dropped, and its session may send as much again. */
static size_t give(pod_receiver *self, pod_came **place, pod_part *parts, size_t limit)
{
    pod_came *came = *place;
    const size_t width = self->task.dataset->width, left = came->count - came->given;
    const size_t count = left < limit ? left : limit;
    memcpy(parts, came->parts + came->given * width, count * width * sizeof *parts);
    came->given += count;
    if (came->given < came->count)
        return count;
    take_out(self, place);
    if (came->session >= 0) {
        self->owed[came->session] += came->cost;
        wake(self);
    }
    if (came->count == 0)
        end_split(self, came->split);
    drop_came(self, came);
    return count;
}

/* As many splits as may be done before the dispatcher is told; the news of more wait with their elements behind them.
 */
#define MOST_DONE (sizeof((pod_receiver *)0)->done / sizeof((pod_receiver *)0)->done[0])

pod_status pod_service_receiver_next(pod_receiver *self, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    pod_status status = POD_OK;
    const uint64_t began = uv_hrtime();
    *count = 0;
    uv_mutex_lock(&self->gate.mutex);
    while (*count == 0 && status == POD_OK) {
        pod_came **place = next_came(self);
        if (*place != NULL && self->done_count < MOST_DONE)
            *count = give(self, place, parts, limit);
        else if (pod_input_scope_is_cancelled(&self->gate.scope))
            status = pod_error_set(error, POD_ERROR_CANCELLED, "the iteration was cancelled");
        else if (self->finished && self->first == NULL)
            status = self->failure.status;
        else if (self->finished && self->failure.status < 0 && *place == NULL)
            status = self->failure.status;
        else
            pod_input_gate_wait(&self->gate, SOMETHING_CAME);
    }
    self->waited += uv_hrtime() - began;
    if (status < 0 && status != POD_ERROR_CANCELLED)
        pod_error_set(error, status, "%s", self->failure.message);
    uv_mutex_unlock(&self->gate.mutex);
    return status;
}
