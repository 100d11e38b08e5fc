/*
 * crossing - see crossing.h. Who folds does so in the order of ranks, or of those that came round, and each element is
 * folded by one rank or in the same way by all, so all get the same bits.
 */

#include "backends/mpi/crossing.h"

#include "backends/mpi/fold.h"
#include "base/error.h"

#include <string.h>

typedef pod_mpi_crossing crossing;

static size_t bytes_of(const pod_meeting_part *part, int64_t count)
{
    return pod_dtype_size(part->dtype) * (size_t)count;
}

static size_t padded(size_t bytes)
{
    return (bytes + POD_MPI_PART_ALIGN - 1) & ~(size_t)(POD_MPI_PART_ALIGN - 1);
}

/* ---- shares ---- */

/* Of `count` elements those of piece `at` of so many begin here; those of the one after the last where they end. */
static int64_t piece_begin(int64_t count, int64_t pieces, int64_t at)
{
    const int64_t each = count / pieces, more = count % pieces;
    return each * at + (at < more ? at : more);
}

static bool takes_part(const crossing *r, const pod_meeting_part *part)
{
    return part->way.gathers ? r->gathers : r->reduces;
}

/* Elements of a part in a transfer, and where they begin: of what is gathered, all of the block. */
static int64_t elements_of(const crossing *r, const pod_meeting_part *part, const pod_mpi_transfer *one, int64_t *begin)
{
    const int64_t first = piece_begin(part->count, r->blocks, r->block);
    const int64_t count = piece_begin(part->count, r->blocks, r->block + 1) - first;
    const int32_t shares = r->schedule.ranks;
    *begin = part->way.gathers ? first : first + piece_begin(count, shares, one->first);
    return part->way.gathers ? count : first + piece_begin(count, shares, one->first + one->count) - *begin;
}

/* Bytes of a message. */
static size_t message_bytes(const crossing *r, const pod_mpi_transfer *one)
{
    size_t bytes = sizeof(pod_mpi_message_head);
    int64_t begin;
    for (uint32_t i = 0; i < r->part_count; i++)
        if (takes_part(r, &r->parts[i]))
            bytes += padded(bytes_of(&r->parts[i], elements_of(r, &r->parts[i], one, &begin)));
    return bytes;
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

/* Whether what is sent next is what was sent last: it is written once. */
static bool is_same(const pod_mpi_round *round, int32_t at)
{
    return at > 0 && round->sends[at].first == round->sends[at - 1].first &&
           round->sends[at].count == round->sends[at - 1].count;
}

static pod_status make_all_room(crossing *r)
{
    pod_mpi_ranks *ranks = r->ranks;
    const pod_mpi_round *round = &r->round;
    size_t out = 0, in = 0;
    for (int32_t i = 0; i < round->send_count; i++)
        out += is_same(round, i) ? 0 : message_bytes(r, &round->sends[i]);
    for (int32_t i = 0; i < round->receive_count; i++)
        in += message_bytes(r, &round->receives[i]);
    return make_room(ranks, &ranks->out, &ranks->out_room, out) && make_room(ranks, &ranks->in, &ranks->in_room, in)
               ? POD_OK
               : pod_error_memory(r->error, "what ranks exchange", out + in);
}

/* Posts a message: to send `from`, or to receive. */
static bool post(crossing *r, int32_t peer, const char *from, char *to, size_t bytes)
{
    pod_mpi_ranks *ranks = r->ranks;
    pod_mpi_request *one = &ranks->requests[ranks->request_count];
    *one = (pod_mpi_request){.peer = peer, .receives = from == NULL};
    if (!(from ? ranks->wire.send(&ranks->wire, peer, POD_MPI_MEETING, from, bytes, &one->request)
               : ranks->wire.receive(&ranks->wire, peer, POD_MPI_MEETING, to, bytes, &one->request)))
        return false;
    ranks->request_count++;
    ranks->about.sent_bytes += from ? (int64_t)bytes : 0;
    return true;
}

/* Writes what a transfer sends. */
static void write_message(const crossing *r, const pod_mpi_transfer *one, char *message)
{
    memcpy(message, &r->head, sizeof r->head);
    message += sizeof r->head;
    for (uint32_t i = 0; i < r->part_count; i++) {
        const pod_meeting_part *part = &r->parts[i];
        int64_t begin;
        const size_t bytes = takes_part(r, part) ? bytes_of(part, elements_of(r, part, one, &begin)) : 0;
        if (bytes == 0)
            continue;
        memcpy(message, (const char *)(r->folded ? part->to : part->from) + bytes_of(part, begin), bytes);
        message += padded(bytes);
    }
}

/* Sends and begins to receive what a round says. */
static bool post_round(crossing *r)
{
    pod_mpi_ranks *ranks = r->ranks;
    const pod_mpi_round *round = &r->round;
    char *out = ranks->out, *in = ranks->in, *message = out;
    ranks->request_count = ranks->missing = 0;
    for (int32_t i = 0; i < round->receive_count; i++) {
        const size_t bytes = message_bytes(r, &round->receives[i]);
        if (!post(r, ranks->order[round->receives[i].place], NULL, in, bytes))
            return false;
        in += bytes;
    }
    for (int32_t i = 0; i < round->send_count; i++) {
        const size_t bytes = message_bytes(r, &round->sends[i]);
        if (!is_same(round, i)) {
            message = out;
            write_message(r, &round->sends[i], message);
            out += bytes;
        }
        if (!post(r, ranks->order[round->sends[i].place], message, NULL, bytes))
            return false;
    }
    return true;
}

static pod_status check_heads(const crossing *r)
{
    const char *message = r->ranks->in;
    for (int32_t i = 0; i < r->round.receive_count; i++) {
        if (memcmp(message, &r->head, sizeof r->head) != 0)
            return pod_mpi_fail_strayed(r->ranks, r->ranks->order[r->round.receives[i].place], r->location, r->error);
        message += message_bytes(r, &r->round.receives[i]);
    }
    return POD_OK;
}

/* ---- what comes of them ---- */

/* What lies at an offset of each message, in the order of places, this rank's own in its place; how many there are. */
static int32_t arrays_of(const crossing *r, const void *own, size_t offset)
{
    const char *message = r->ranks->in + offset;
    const void **arrays = r->ranks->folded;
    int32_t count = 0;
    bool there = false;
    for (int32_t i = 0; i < r->round.receive_count; i++) {
        if (!there && r->round.receives[i].place > r->ranks->place) {
            arrays[count++] = own;
            there = true;
        }
        arrays[count++] = message;
        message += message_bytes(r, &r->round.receives[i]);
    }
    if (!there)
        arrays[count++] = own;
    return count;
}

/* All ranks' arrays, one behind the other: elements that begin somewhere. */
static void spread(const crossing *r, const pod_meeting_part *part, size_t offset, int64_t begin, int64_t elements)
{
    const size_t bytes = bytes_of(part, elements), at = bytes_of(part, begin);
    const int32_t count = arrays_of(r, (const char *)part->from + at, offset);
    for (int32_t i = 0; bytes > 0 && i < count; i++)
        memcpy((char *)part->to + (size_t)r->ranks->order[i] * bytes_of(part, part->count) + at, r->ranks->folded[i],
               bytes);
}

/* Takes in what a round has brought: all messages of one that folds are of the same shares. */
static void fold_round(crossing *r)
{
    const pod_mpi_transfer *one = &r->round.receives[0];
    size_t offset = sizeof(pod_mpi_message_head);
    for (uint32_t i = 0; i < r->part_count; i++) {
        const pod_meeting_part *part = &r->parts[i];
        int64_t begin;
        if (!takes_part(r, part))
            continue;
        const int64_t elements = elements_of(r, part, one, &begin);
        if (part->way.gathers) {
            spread(r, part, offset, begin, elements);
        } else {
            const size_t at = bytes_of(part, begin);
            const int32_t count = arrays_of(r, (const char *)(r->round.fresh ? part->from : part->to) + at, offset);
            pod_mpi_fold(part->dtype, part->way.reduction, r->ranks->folded, count, (char *)part->to + at, elements);
        }
        offset += padded(bytes_of(part, elements));
    }
}

static void copy_round(crossing *r)
{
    const char *message = r->ranks->in;
    for (int32_t k = 0; k < r->round.receive_count; k++) {
        message += sizeof(pod_mpi_message_head);
        for (uint32_t i = 0; i < r->part_count; i++) {
            const pod_meeting_part *part = &r->parts[i];
            int64_t begin;
            const size_t bytes =
                takes_part(r, part) ? bytes_of(part, elements_of(r, part, &r->round.receives[k], &begin)) : 0;
            if (bytes > 0)
                memcpy((char *)part->to + bytes_of(part, begin), message, bytes);
            message += padded(bytes);
        }
    }
}

pod_status pod_mpi_crossing_end_round(crossing *r)
{
    const pod_status status = check_heads(r);
    if (status != POD_OK || r->round.receive_count == 0)
        return status;
    if (r->round.folds)
        fold_round(r);
    else
        copy_round(r);
    r->folded = true;
    return POD_OK;
}

pod_status pod_mpi_crossing_begin_round(crossing *r)
{
    const pod_status status = make_all_room(r);
    if (status != POD_OK || post_round(r))
        return status;
    return pod_error_set(r->error, POD_ERROR_STATE, "%s: %s", r->ranks->about.library, r->ranks->wire.trouble);
}

/* ---- the whole ---- */

void pod_mpi_crossing_measure(crossing *r)
{
    for (uint32_t i = 0; i < r->part_count; i++) {
        const size_t own = bytes_of(&r->parts[i], r->parts[i].count);
        r->head.bytes += own;
        *(r->parts[i].way.gathers ? &r->gathered : &r->reduced) += padded(own);
    }
}

void pod_mpi_crossing_keep_own(const crossing *r)
{
    for (uint32_t i = 0; i < r->part_count; i++)
        if (bytes_of(&r->parts[i], r->parts[i].count) > 0)
            memcpy(r->parts[i].to, r->parts[i].from, bytes_of(&r->parts[i], r->parts[i].count));
}
