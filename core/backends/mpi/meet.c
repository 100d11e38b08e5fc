/*
 * meet - what ranks exchange, by messages between two of them each. A schedule says who sends what to whom, round by
 * round: little goes whole to everybody in one round, else each rank folds a share of the elements and gives that to
 * all, if nothing else was asked for. What was begun goes on in its order, one meeting at a time.
 */

#include "backends/mpi/crossing.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>
#include <uv.h>

#define WHOLE_BYTES 32768 /* up to which everything goes to everybody */

/* ---- from round to round ---- */

/* Bytes of a block. */
static int64_t block_bytes(int32_t ranks)
{
    const int64_t shares = (int64_t)ranks * POD_MPI_SHARE_BYTES;
    return shares > POD_MPI_BLOCK_BYTES ? shares : POD_MPI_BLOCK_BYTES;
}

static void begin_pass(pod_mpi_crossing *r, pod_mpi_algorithm algorithm, bool gathers, bool reduces)
{
    const int32_t ranks = r->ranks->about.count;
    const size_t bytes = (gathers ? r->gathered : 0) + (reduces ? r->reduced : 0);
    r->schedule = pod_mpi_schedule_make(algorithm, ranks, r->ranks->about.neighbours);
    r->gathers = gathers;
    r->reduces = reduces;
    r->blocks = (int64_t)bytes / block_bytes(ranks) + 1;
    r->block = 0;
    r->number = -1;
    r->folded = false;
}

/* What is reduced goes by the algorithm that was asked for; what is gathered is little, and goes whole before it. */
static void begin_passes(pod_mpi_crossing *r)
{
    const bool whole = r->reduced <= WHOLE_BYTES || r->ranks->algorithm == POD_MPI_WHOLE;
    if (whole || r->gathered > 0)
        begin_pass(r, POD_MPI_WHOLE, true, whole);
    else
        begin_pass(r, r->ranks->algorithm, false, true);
}

/* Goes to the round behind; false: there is none. */
static bool next_round(pod_mpi_crossing *r)
{
    r->number++;
    while (r->number == pod_mpi_schedule_rounds(&r->schedule)) {
        r->number = 0;
        r->folded = false;
        if (++r->block == r->blocks && r->reduces)
            return false;
        if (r->block == r->blocks)
            begin_pass(r, r->ranks->algorithm, false, true);
        r->number = r->number < 0 ? 0 : r->number;
    }
    r->round = (pod_mpi_round){.sends = r->ranks->transfers, .receives = r->ranks->transfers + r->ranks->about.count};
    pod_mpi_schedule_round(&r->schedule, r->ranks->place, r->number, &r->round);
    return true;
}

/* Sends the first round's messages, or the next one's; *over: there is none. */
static pod_status go_on(pod_mpi_crossing *r, bool *over)
{
    *over = !next_round(r);
    if (*over)
        return POD_OK;
    return pod_mpi_crossing_begin_round(r);
}

/* ---- what was begun ---- */

static void free_crossing(pod_mpi_crossing *r)
{
    pod_context *context = r->ranks->context;
    pod_mpi_narrowed_free(context, &r->narrowed);
    pod_free(context, r->parts);
    pod_free(context, r);
}

/* Ends the first that was begun, and begins to exchange what the one after it has. */
static pod_status leave_first(pod_mpi_ranks *ranks, pod_error *error)
{
    pod_mpi_crossing *r = ranks->first;
    bool over = false;
    pod_mpi_widen(&r->narrowed, r->parts, r->part_count);
    if (r->location != NULL)
        (void)snprintf(ranks->last_location, sizeof ranks->last_location, "%s", r->location);
    ranks->first = r->next;
    free_crossing(r);
    if (ranks->first == NULL)
        return POD_OK;
    ranks->first->error = error;
    return go_on(ranks->first, &over);
}

/* Does what can be done for those that were begun, in their order; waits where `waits`. */
static pod_status move_all(pod_mpi_ranks *ranks, bool waits, pod_error *error)
{
    pod_status status = POD_OK;
    bool done = true;
    while (status == POD_OK && ranks->first != NULL && done) {
        pod_mpi_crossing *r = ranks->first;
        bool over = false;
        r->error = error;
        status = waits ? pod_mpi_wait(ranks, r->location, error) : pod_mpi_look(ranks, r->location, &done, error);
        if (status == POD_OK && done)
            status = pod_mpi_crossing_end_round(r);
        if (status == POD_OK && done)
            status = go_on(r, &over);
        if (status == POD_OK && over)
            status = leave_first(ranks, error);
    }
    return status;
}

static pod_status fail_broken(const char *location, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_STATE,
                         "%s%sthe ranks no longer meet, since an earlier meeting failed: start them again",
                         location ? location : "", location ? ": " : "");
}

void pod_mpi_give_up(pod_ranks *base)
{
    pod_mpi_ranks *ranks = (pod_mpi_ranks *)base;
    while (ranks->first != NULL) {
        pod_mpi_crossing *r = ranks->first;
        ranks->broken = true;
        ranks->first = r->next;
        free_crossing(r);
    }
}

/* Notes how long something took, and that nobody meets any more where it failed. */
static pod_status note(pod_mpi_ranks *ranks, uint64_t began, pod_status status)
{
    if (status != POD_OK) {
        ranks->broken = true;
        pod_mpi_give_up(&ranks->base);
    }
    ranks->about.meeting_nanoseconds += (int64_t)(uv_hrtime() - began);
    return status;
}

static pod_mpi_crossing *new_crossing(pod_mpi_ranks *ranks, const pod_meeting *meeting)
{
    pod_mpi_crossing *r = pod_allocate_zeroed(ranks->context, 1, sizeof *r);
    pod_meeting_part *parts = pod_allocate(ranks->context, (size_t)meeting->count * sizeof *parts + 1);
    if (r == NULL || parts == NULL) {
        pod_free(ranks->context, r);
        pod_free(ranks->context, parts);
        return NULL;
    }
    memcpy(parts, meeting->parts, meeting->count * sizeof *parts);
    r->ranks = ranks;
    r->parts = parts;
    r->part_count = meeting->count;
    r->location = meeting->location;
    r->head = (pod_mpi_message_head){
        .number = (uint64_t)ranks->about.meetings++, .parts = meeting->count, .agreed = meeting->agreed};
    return r;
}

static pod_status begin(pod_mpi_ranks *ranks, const pod_meeting *meeting, pod_error *error)
{
    bool over = false;
    if (ranks->broken)
        return fail_broken(meeting->location, error);
    pod_mpi_crossing *r = new_crossing(ranks, meeting), **end = &ranks->first;
    if (r == NULL)
        return pod_error_memory(error, "what ranks exchange", 0);
    while (*end != NULL)
        end = &(*end)->next;
    *end = r;
    r->error = error;
    const pod_status status =
        ranks->options.narrow ? pod_mpi_narrow(ranks->context, r->parts, r->part_count, &r->narrowed, error) : POD_OK;
    pod_mpi_crossing_measure(r);
    begin_passes(r);
    if (status != POD_OK || ranks->first != r)
        return status;
    if (ranks->about.count > 1)
        return go_on(r, &over);
    pod_mpi_crossing_keep_own(r);
    return leave_first(ranks, error);
}

pod_status pod_mpi_begin(pod_ranks *base, const pod_meeting *meeting, pod_error *error)
{
    pod_mpi_ranks *ranks = (pod_mpi_ranks *)base;
    const uint64_t began = uv_hrtime();
    return note(ranks, began, begin(ranks, meeting, error));
}

void pod_mpi_advance(pod_ranks *base)
{
    pod_mpi_ranks *ranks = (pod_mpi_ranks *)base;
    const uint64_t began = uv_hrtime();
    if (ranks->first != NULL)
        (void)note(ranks, began, move_all(ranks, false, &ranks->failure));
}

pod_status pod_mpi_finish(pod_ranks *base, pod_error *error)
{
    pod_mpi_ranks *ranks = (pod_mpi_ranks *)base;
    const uint64_t began = uv_hrtime();
    if (ranks->broken) {
        const pod_error failure = ranks->failure;
        if (failure.status == POD_OK)
            return fail_broken(NULL, error);
        ranks->failure.status = POD_OK;
        if (error)
            *error = failure;
        return failure.status;
    }
    return note(ranks, began, move_all(ranks, true, error));
}

pod_status pod_mpi_meet(pod_ranks *base, const pod_meeting *meeting, pod_error *error)
{
    const pod_status status = pod_mpi_begin(base, meeting, error);
    return status == POD_OK ? pod_mpi_finish(base, error) : status;
}

pod_status pod_ranks_gather(pod_ranks *ranks, const void *from, size_t bytes, void *all, pod_error *error)
{
    const pod_meeting_part part = {
        .way = {.gathers = true}, .dtype = POD_U8, .count = (int64_t)bytes, .from = from, .to = all};
    return ranks->meet(ranks, &(pod_meeting){.parts = &part, .count = 1}, error);
}
