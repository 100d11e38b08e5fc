/* leaving - see leaving.h. */

#include "service/leaving.h"

#include <string.h>

/* Nanoseconds that a last word is waited for. */
#define PATIENCE UINT64_C(500000000)

static void close_row(pod_leaving *self, size_t row)
{
    pod_service_close_socket(self->rows[row].socket);
    memmove(self->rows + row, self->rows + row + 1, (--self->count - row) * sizeof self->rows[0]);
}

void pod_service_leaving_add(pod_leaving *self, void *socket, int64_t request)
{
    if (self->count == sizeof self->rows / sizeof self->rows[0])
        close_row(self, 0);
    self->rows[self->count++] = (pod_leaver){socket, request, uv_hrtime() + PATIENCE};
}

size_t pod_service_leaving_items(const pod_leaving *self, zmq_pollitem_t *items)
{
    for (size_t i = 0; i < self->count; i++)
        items[i] = (zmq_pollitem_t){self->rows[i].socket, 0, ZMQ_POLLIN, 0};
    return self->count;
}

/* A refusal is none: it may answer what was said before. */
static bool is_last_word(const pod_leaver *self, const pod_header *header)
{
    if (self->request < 0)
        return header->kind == POD_SAYS_CLOSE;
    return (header->kind == POD_SAYS_SPLIT || header->kind == POD_SAYS_UNKNOWN) && header->numbers[0] == self->request;
}

/* Drops what has come; whether the socket may be closed. */
static bool has_left(const pod_leaver *self, pod_envelope *envelope)
{
    bool sound, last = false;
    while (!last && uv_hrtime() < self->until && pod_service_receive(self->socket, false, envelope, &sound)) {
        last = sound && is_last_word(self, &envelope->header);
        pod_service_drop(envelope);
    }
    return last || uv_hrtime() >= self->until;
}

void pod_service_leaving_hear(pod_leaving *self, pod_envelope *envelope)
{
    for (size_t i = self->count; i-- > 0;)
        if (has_left(&self->rows[i], envelope))
            close_row(self, i);
}

void pod_service_leaving_end(pod_leaving *self, pod_envelope *envelope)
{
    zmq_pollitem_t items[sizeof self->rows / sizeof self->rows[0]];
    while (self->count > 0) {
        const int count = (int)pod_service_leaving_items(self, items);
        (void)pod_zmq.poll(items, count, (long)(PATIENCE / 1000000));
        pod_service_leaving_hear(self, envelope);
    }
}
