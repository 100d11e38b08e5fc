/*
 * meet - what ranks exchange, by messages between two of them each. Little, or what two ranks have, goes whole to
 * everybody in one round, and each folds all of it. Else there are two: each rank folds a share of the elements and
 * gives that to all, so each sends and receives about twice what it has, whatever their number. Both fold in the order
 * of ranks, so both give the same bits.
 */

#include "backends/mpi/fold.h"
#include "backends/mpi/mpi_ranks.h"

#include "base/error.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <uv.h>

#define WHOLE_BYTES 32768             /* up to which everything goes to everybody */
#define PIECE_BYTES ((size_t)1 << 30) /* most of one message */
#define PART_ALIGN  64                /* of parts within a message */

/* What each message begins with: by that ranks know that they stand at the same place. */
typedef struct message_head {
    uint64_t number;       /* of the meeting */
    uint64_t bytes, parts; /* of what all of them exchange there */
    uint64_t agreed;
    uint8_t rest[PART_ALIGN - 4 * sizeof(uint64_t)];
} message_head;

/* A meeting as it goes on. */
typedef struct crossing {
    pod_mpi_ranks *ranks;
    const pod_meeting_part *parts;
    uint32_t part_count;
    const char *location;
    message_head head;
    size_t stride; /* bytes between the messages of two ranks */
    pod_error *error;
} crossing;

static size_t bytes_of(const pod_meeting_part *part, int64_t count)
{
    return pod_dtype_size(part->dtype) * (size_t)count;
}

static size_t padded(size_t bytes)
{
    return (bytes + PART_ALIGN - 1) & ~(size_t)(PART_ALIGN - 1);
}

/* The elements of a part that rank `rank` folds begin here; those of the rank after the last one where it ends. */
static int64_t share_begin(const pod_meeting_part *part, int32_t ranks, int32_t rank)
{
    const int64_t each = part->count / ranks, more = part->count % ranks;
    return each * rank + (rank < more ? rank : more);
}

static int64_t share_count(const pod_meeting_part *part, int32_t ranks, int32_t rank)
{
    return share_begin(part, ranks, rank + 1) - share_begin(part, ranks, rank);
}

/* ---- messages ---- */

static bool make_room(pod_mpi_ranks *ranks, char **buffer, size_t *room, size_t bytes)
{
    if (bytes <= *room)
        return true;
    char *more = pod_allocate(ranks->context, bytes);
    if (more == NULL)
        return false;
    pod_free(ranks->context, *buffer);
    *buffer = more;
    *room = bytes;
    return true;
}

static bool make_requests(pod_mpi_ranks *ranks, size_t count)
{
    if (count <= ranks->request_room)
        return true;
    pod_mpi_request *requests = pod_reallocate(ranks->context, ranks->requests, count * sizeof *requests);
    if (requests == NULL)
        return false;
    ranks->requests = requests;
    ranks->request_room = (uint32_t)count;
    return true;
}

/* Makes room for `out` messages that this rank sends and one of each rank that it receives, of up to `stride` bytes. */
static pod_status begin_round(crossing *r, size_t stride, int32_t out)
{
    pod_mpi_ranks *ranks = r->ranks;
    const size_t count = (size_t)ranks->about.count, pieces = stride / PIECE_BYTES + 1;
    r->stride = stride;
    ranks->request_count = 0;
    if (stride > SIZE_MAX / 2 / count || !make_room(ranks, &ranks->out, &ranks->out_room, stride * (size_t)out) ||
        !make_room(ranks, &ranks->in, &ranks->in_room, stride * count) || !make_requests(ranks, 2 * count * pieces))
        return pod_error_memory(r->error, "what ranks exchange", 0);
    for (int32_t i = 0; i < out; i++)
        memcpy(ranks->out + (size_t)i * stride, &r->head, sizeof r->head);
    return POD_OK;
}

static char *incoming(const crossing *r, int32_t rank)
{
    return r->ranks->in + (size_t)rank * r->stride + sizeof(message_head);
}

/* Posts a message in pieces: to send `from`, or to receive. */
static bool post(crossing *r, int32_t peer, const char *from, char *to, size_t bytes)
{
    pod_mpi_ranks *ranks = r->ranks;
    for (size_t done = 0; done < bytes; done += PIECE_BYTES) {
        const size_t piece = bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES;
        pod_mpi_request *one = &ranks->requests[ranks->request_count];
        assert(ranks->request_count < ranks->request_room);
        *one = (pod_mpi_request){.peer = peer, .receives = from == NULL};
        if (!(from ? ranks->wire.send(&ranks->wire, peer, POD_MPI_MEETING, from + done, piece, &one->request)
                   : ranks->wire.receive(&ranks->wire, peer, POD_MPI_MEETING, to + done, piece, &one->request)))
            return false;
        ranks->request_count++;
        ranks->about.sent_bytes += from ? (int64_t)piece : 0;
    }
    return true;
}

static pod_status check_heads(const crossing *r)
{
    for (int32_t i = 0; i < r->ranks->about.count; i++) {
        const char *message = r->ranks->in + (size_t)i * r->stride;
        if (i != r->ranks->about.rank && memcmp(message, &r->head, sizeof r->head) != 0) {
            r->ranks->broken = true;
            return pod_mpi_fail_strayed(r->ranks, i, r->location, r->error);
        }
    }
    return POD_OK;
}

/* Sends what was written, message `i * apart` to rank i, of sent[i] bytes, and receives `received` of each. */
static pod_status swap(crossing *r, int32_t apart, const size_t *sent, size_t received)
{
    pod_mpi_ranks *ranks = r->ranks;
    const int32_t count = ranks->about.count, own = ranks->about.rank;
    for (int32_t step = 1; step < count; step++) {
        const int32_t from = (own + count - step) % count, to = (own + step) % count;
        char *place = ranks->in + (size_t)from * r->stride;
        const char *message = ranks->out + (size_t)(to * apart) * r->stride;
        if (!post(r, from, NULL, place, sizeof(message_head) + received) ||
            !post(r, to, message, NULL, sizeof(message_head) + sent[apart ? to : 0])) {
            ranks->broken = true;
            return pod_error_set(r->error, POD_ERROR_STATE, "%s: %s", ranks->about.library, ranks->wire.trouble);
        }
    }
    const pod_status status = pod_mpi_wait(ranks, r->location, r->error);
    return status == POD_OK ? check_heads(r) : status;
}

/* ---- one round ---- */

/* What all ranks have of a part lies at `offset` of their messages, this one's own where the part does. */
static const void **arrays_of(crossing *r, const void *own, size_t offset)
{
    pod_mpi_ranks *ranks = r->ranks;
    for (int32_t i = 0; i < ranks->about.count; i++)
        ranks->folded[i] = i == ranks->about.rank ? own : incoming(r, i) + offset;
    return ranks->folded;
}

static void spread(const pod_meeting_part *part, const void *const *arrays, int32_t ranks)
{
    const size_t bytes = bytes_of(part, part->count);
    for (int32_t i = 0; bytes > 0 && i < ranks; i++)
        memcpy((char *)part->to + (size_t)i * bytes, arrays[i], bytes);
}

static pod_status meet_whole(crossing *r, size_t bytes)
{
    const int32_t ranks = r->ranks->about.count;
    pod_status status = begin_round(r, sizeof(message_head) + bytes, 1);
    char *at = r->ranks->out + sizeof(message_head);
    for (uint32_t i = 0; status == POD_OK && i < r->part_count; i++) {
        const size_t own = bytes_of(&r->parts[i], r->parts[i].count);
        if (own > 0)
            memcpy(at, r->parts[i].from, own);
        at += padded(own);
    }
    if (status == POD_OK)
        status = swap(r, 0, &bytes, bytes);
    size_t offset = 0;
    for (uint32_t i = 0; status == POD_OK && i < r->part_count; i++) {
        const pod_meeting_part *part = &r->parts[i];
        const void **arrays = arrays_of(r, part->from, offset);
        if (part->way.gathers)
            spread(part, arrays, ranks);
        else
            pod_mpi_fold(part->dtype, part->way.reduction, arrays, ranks, part->to, part->count);
        offset += padded(bytes_of(part, part->count));
    }
    return status;
}

/* ---- two rounds ---- */

/* Bytes of the shares of rank `rank` of all that is reduced. */
static size_t share_bytes(const crossing *r, int32_t rank)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < r->part_count; i++)
        if (!r->parts[i].way.gathers)
            bytes += padded(bytes_of(&r->parts[i], share_count(&r->parts[i], r->ranks->about.count, rank)));
    return bytes;
}

/* Each rank gets all shares of what it folds. */
static pod_status send_shares(crossing *r)
{
    pod_mpi_ranks *ranks = r->ranks;
    const int32_t count = ranks->about.count;
    pod_status status = begin_round(r, sizeof(message_head) + share_bytes(r, 0), count);
    size_t *sent = status == POD_OK ? pod_allocate(ranks->context, (size_t)count * sizeof *sent) : NULL;
    if (sent == NULL)
        return status == POD_OK ? pod_error_memory(r->error, "what ranks exchange", 0) : status;
    for (int32_t to = 0; to < count; to++) {
        char *at = ranks->out + (size_t)to * r->stride + sizeof(message_head);
        for (uint32_t i = 0; i < r->part_count; i++) {
            const pod_meeting_part *part = &r->parts[i];
            const size_t bytes = bytes_of(part, share_count(part, count, to));
            if (part->way.gathers)
                continue;
            if (bytes > 0)
                memcpy(at, (const char *)part->from + bytes_of(part, share_begin(part, count, to)), bytes);
            at += padded(bytes);
        }
        sent[to] = share_bytes(r, to);
    }
    status = swap(r, 1, sent, sent[ranks->about.rank]);
    pod_free(ranks->context, sent);
    return status;
}

/* Folds this rank's shares, to where they belong. */
static void fold_shares(crossing *r)
{
    const int32_t count = r->ranks->about.count, own = r->ranks->about.rank;
    size_t offset = 0;
    for (uint32_t i = 0; i < r->part_count; i++) {
        const pod_meeting_part *part = &r->parts[i];
        const int64_t elements = share_count(part, count, own);
        const size_t begin = bytes_of(part, share_begin(part, count, own));
        if (part->way.gathers)
            continue;
        pod_mpi_fold(part->dtype, part->way.reduction, arrays_of(r, (const char *)part->from + begin, offset), count,
                     (char *)part->to + begin, elements);
        offset += padded(bytes_of(part, elements));
    }
}

/* Copies what one rank gives to all, to its message or from it. */
static void copy_results(const crossing *r, int32_t rank, char *message, bool writes)
{
    const int32_t count = r->ranks->about.count;
    for (uint32_t i = 0; i < r->part_count; i++) {
        const pod_meeting_part *part = &r->parts[i];
        const bool gathers = part->way.gathers;
        const size_t bytes = bytes_of(part, gathers ? part->count : share_count(part, count, rank));
        char *to = (char *)part->to + (gathers ? (size_t)rank * bytes : bytes_of(part, share_begin(part, count, rank)));
        if (bytes > 0)
            memcpy(writes ? message : to, !writes ? message : gathers ? (const char *)part->from : to, bytes);
        message += padded(bytes);
    }
}

static pod_status share_results(crossing *r)
{
    pod_mpi_ranks *ranks = r->ranks;
    size_t gathered = 0;
    for (uint32_t i = 0; i < r->part_count; i++) {
        const pod_meeting_part *part = &r->parts[i];
        const size_t bytes = part->way.gathers ? bytes_of(part, part->count) : 0;
        if (bytes > 0)
            memcpy((char *)part->to + (size_t)ranks->about.rank * bytes, part->from, bytes);
        gathered += padded(bytes);
    }
    /* All messages are as long as the longest, so that each knows what comes. */
    const size_t bytes = share_bytes(r, 0) + gathered;
    pod_status status = begin_round(r, sizeof(message_head) + bytes, 1);
    if (status != POD_OK)
        return status;
    copy_results(r, ranks->about.rank, ranks->out + sizeof(message_head), true);
    status = swap(r, 0, &bytes, bytes);
    for (int32_t i = 0; status == POD_OK && i < ranks->about.count; i++)
        if (i != ranks->about.rank)
            copy_results(r, i, incoming(r, i), false);
    return status;
}

/* ---- the whole ---- */

static pod_status meet(pod_mpi_ranks *ranks, const pod_meeting *meeting, pod_error *error)
{
    const char *location = meeting->location;
    crossing r = {ranks, meeting->parts, meeting->count, location, .error = error};
    size_t bytes = 0;
    if (ranks->broken)
        return pod_error_set(error, POD_ERROR_STATE,
                             "%s%sthe ranks no longer meet, since an earlier meeting failed: start them again",
                             location ? location : "", location ? ": " : "");
    r.head =
        (message_head){.number = (uint64_t)ranks->about.meetings++, .parts = meeting->count, .agreed = meeting->agreed};
    for (uint32_t i = 0; i < meeting->count; i++) {
        const size_t own = bytes_of(&meeting->parts[i], meeting->parts[i].count);
        r.head.bytes += own;
        bytes += padded(own);
    }
    if (ranks->about.count <= 2 || bytes <= WHOLE_BYTES)
        return meet_whole(&r, bytes);
    const pod_status status = send_shares(&r);
    if (status != POD_OK)
        return status;
    fold_shares(&r);
    return share_results(&r);
}

pod_status pod_mpi_meet(pod_ranks *base, const pod_meeting *meeting, pod_error *error)
{
    pod_mpi_ranks *ranks = (pod_mpi_ranks *)base;
    const uint64_t began = uv_hrtime();
    const pod_status status = meet(ranks, meeting, error);
    ranks->about.meeting_nanoseconds += (int64_t)(uv_hrtime() - began);
    if (status == POD_OK && meeting->location != NULL)
        (void)snprintf(ranks->last_location, sizeof ranks->last_location, "%s", meeting->location);
    return status;
}

pod_status pod_ranks_gather(pod_ranks *ranks, const void *from, size_t bytes, void *all, pod_error *error)
{
    const pod_meeting_part part = {
        .way = {.gathers = true}, .dtype = POD_U8, .count = (int64_t)bytes, .from = from, .to = all};
    return ranks->meet(ranks, &(pod_meeting){.parts = &part, .count = 1}, error);
}
