/*
 * standing - who waits long says where to the first two ranks, and one of these tells: of whom nothing is heard does
 * not come.
 */

#include "backends/mpi/crossing.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define TELLERS 2

/* Whether what was said before is no longer on its way; false also where MPI failed. */
static bool has_said(pod_mpi_ranks *ranks, bool *good)
{
    *good = true;
    for (int32_t i = 0; i < TELLERS; i++) {
        bool done = false;
        *good = *good && (!ranks->says[i] || ranks->wire.test(&ranks->wire, &ranks->said[i], &done));
        ranks->says[i] = ranks->says[i] && !done;
    }
    return *good && !ranks->says[0] && !ranks->says[1];
}

bool pod_mpi_say_standing(pod_mpi_ranks *ranks, const char *location)
{
    pod_mpi_standing *own = &ranks->standings[ranks->about.count];
    bool good;
    if (!has_said(ranks, &good))
        return good;
    own->meeting = ranks->first->head.number + 1;
    (void)snprintf(own->location, sizeof own->location, "%s", location ? location : "");
    for (int32_t i = 0; i < TELLERS; i++) {
        if (i == ranks->about.rank || i >= ranks->about.count)
            continue;
        if (!ranks->wire.send(&ranks->wire, i, POD_MPI_STANDING, own, sizeof *own, &ranks->said[i]))
            return false;
        ranks->says[i] = true;
    }
    return true;
}

bool pod_mpi_hear_standings(pod_mpi_ranks *ranks)
{
    for (;;) {
        bool found = false, done = false;
        int32_t from = 0;
        size_t bytes = 0;
        pod_mpi_message request = {0};
        if (!ranks->wire.probe(&ranks->wire, POD_MPI_STANDING, &found, &from, &bytes))
            return false;
        if (!found)
            return true;
        pod_mpi_standing *of = &ranks->standings[from];
        if (!ranks->wire.receive(&ranks->wire, from, POD_MPI_STANDING, of, sizeof *of, &request))
            return false;
        while (!done)
            if (!ranks->wire.test(&ranks->wire, &request, &done))
                return false;
    }
}

/* Whether another rank waits, too: here, or in the meeting before, which this one has left. */
static bool stands(const pod_mpi_ranks *ranks, int32_t rank)
{
    const uint64_t meeting = ranks->standings[rank].meeting;
    return rank != ranks->about.rank && meeting > 0 && meeting >= ranks->first->head.number;
}

/* The first rank from `rank` on that does not stand anywhere, as far as is known; the count of ranks: there is none. */
static int32_t next_missing(const pod_mpi_ranks *ranks, int32_t rank)
{
    while (rank < ranks->about.count && (rank == ranks->about.rank || stands(ranks, rank)))
        rank++;
    return rank;
}

static const char *location_of(const pod_mpi_ranks *ranks, int32_t rank)
{
    return ranks->standings[rank].location;
}

/* The first rank that stands where this one does. */
static int32_t first_at(const pod_mpi_ranks *ranks, int32_t rank)
{
    for (int32_t i = 0; i < rank; i++)
        if (stands(ranks, i) && strcmp(location_of(ranks, i), location_of(ranks, rank)) == 0)
            return i;
    return rank;
}

/* Writes who stands elsewhere, or here, too: a place after the other. */
static void write_places(const pod_mpi_ranks *ranks, const char *location, pod_text *text)
{
    for (int32_t i = 0; i < ranks->about.count; i++) {
        if (!stands(ranks, i) || first_at(ranks, i) != i)
            continue;
        const char *there = location_of(ranks, i);
        const bool here = strcmp(there, location ? location : "") == 0;
        int32_t count = 0;
        for (int32_t j = i; j < ranks->about.count; j++)
            if (stands(ranks, j) && first_at(ranks, j) == i)
                pod_text_format(text, "%s%d", count++ == 0 ? "; waiting, too: " : ", ", j);
        pod_text_format(text, "%s%s", here ? " here" : there[0] ? " at " : " outside of a program", here ? "" : there);
    }
}

void pod_mpi_tell_standings(pod_mpi_ranks *ranks, int32_t peer, const char *location, uint64_t nanoseconds)
{
    const char *last = ranks->last_location;
    pod_text text;
    if (ranks->options.tell == NULL || ranks->about.rank >= TELLERS || !pod_mpi_hear_standings(ranks))
        return;
    if (ranks->about.rank == 1 && stands(ranks, 0))
        return; /* which tells */
    const int32_t missing = stands(ranks, peer) ? next_missing(ranks, 0) : peer;
    const int32_t who = missing < ranks->about.count ? missing : peer;
    pod_text_init(&text, ranks->context);
    pod_text_format(&text, "%s%srank %d has waited %d s for rank %d on %s, which does not come here%s%s",
                    location ? location : "", location ? ": " : "", ranks->about.rank, (int)(nanoseconds / 1000000000u),
                    who, ranks->hosts[who], last[0] ? ": it came last to " : "", last);
    for (int32_t i = next_missing(ranks, 0); i < ranks->about.count; i = next_missing(ranks, i + 1))
        if (i != who)
            pod_text_format(&text, "; nor does rank %d on %s", i, ranks->hosts[i]);
    write_places(ranks, location, &text);
    if (!text.failed)
        ranks->options.tell(ranks->options.tell_context, text.data);
    pod_text_clear(&text);
}
