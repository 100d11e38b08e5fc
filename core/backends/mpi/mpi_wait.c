/*
 * mpi_wait - a rank waits for others. Ranks may share cores, so it gives its time away while nothing comes, and sleeps
 * where that takes longer. A wait that is long is announced; one for a rank that has left ends.
 */

#include "backends/mpi/mpi_ranks.h"

#include "base/error.h"

#include <sched.h>
#include <sys/socket.h>
#include <time.h>
#include <uv.h>

#define GRACE 500000000u  /* for what others have sent: who has left, before; who waits, where */
#define ALONE 5000000000u /* for the launcher to end all once a rank has died */

void pod_mpi_rest(uint64_t turns)
{
    if (turns < 2000)
        (void)sched_yield();
    else
        (void)nanosleep(&(struct timespec){0, turns < 20000 ? 50000 : 500000}, NULL);
}

static pod_status fail_wire(pod_mpi_ranks *ranks, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_STATE, "%s: %s", ranks->about.library, ranks->wire.trouble);
}

bool pod_mpi_note_farewells(pod_mpi_ranks *ranks, int32_t *count, pod_error *error)
{
    for (;;) {
        bool found = false, done = false;
        int32_t from = 0;
        size_t bytes = 0;
        char word = 0;
        pod_mpi_message request = {0};
        if (!ranks->wire.probe(&ranks->wire, POD_MPI_FAREWELL, &found, &from, &bytes))
            return fail_wire(ranks, error) == POD_OK;
        if (!found)
            break;
        if (!ranks->wire.receive(&ranks->wire, from, POD_MPI_FAREWELL, &word, sizeof word, &request))
            return fail_wire(ranks, error) == POD_OK;
        while (!done)
            if (!ranks->wire.test(&ranks->wire, &request, &done))
                return fail_wire(ranks, error) == POD_OK;
        ranks->left[from] = true;
    }
    *count = 0;
    for (int32_t i = 0; i < ranks->about.count; i++)
        *count += ranks->left[i];
    return true;
}

/* Tests what is still on its way: the first of it is `missing` then, none: request_count. */
static pod_status test_all(pod_mpi_ranks *ranks, const char *location, bool *moved, pod_error *error)
{
    *moved = false;
    for (uint32_t i = ranks->missing; i < ranks->request_count; i++) {
        const pod_mpi_request *one = &ranks->requests[i];
        bool done = false;
        if (!ranks->wire.test(&ranks->wire, &ranks->requests[i].request, &done))
            return one->receives /* a message longer than what is wanted */
                       ? pod_mpi_fail_strayed(ranks, one->peer, location, error)
                       : fail_wire(ranks, error);
        if (done && i == ranks->missing) {
            ranks->missing++;
            *moved = true;
        }
    }
    return POD_OK;
}

pod_status pod_mpi_look(pod_mpi_ranks *ranks, const char *location, bool *done, pod_error *error)
{
    bool moved;
    const pod_status status = test_all(ranks, location, &moved, error);
    *done = ranks->missing == ranks->request_count;
    return status;
}

pod_status pod_mpi_fail_strayed(const pod_mpi_ranks *ranks, int32_t peer, const char *location, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_STATE,
                         "%s%srank %d on %s exchanges other values here than rank %d: all ranks must run the same "
                         "script, in the same order",
                         location ? location : "", location ? ": " : "", peer, ranks->hosts[peer], ranks->about.rank);
}

static pod_status fail_left(const pod_mpi_ranks *ranks, int32_t peer, const char *location, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_STATE,
                         "%s%srank %d on %s has ended its run, for which rank %d waits here: what it says stands in "
                         "its own output",
                         location ? location : "", location ? ": " : "", peer, ranks->hosts[peer], ranks->about.rank);
}

bool pod_mpi_is_left_alone(pod_mpi_ranks *ranks)
{
    char byte;
    if (ranks->line < 0 || recv(ranks->line, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0)
        return false;
    const uint64_t now = uv_hrtime();
    ranks->unwatched = ranks->unwatched ? ranks->unwatched : now;
    return now - ranks->unwatched > ALONE;
}

pod_status pod_mpi_wait(pod_mpi_ranks *ranks, const char *location, pod_error *error)
{
    const uint64_t began = uv_hrtime();
    uint64_t said = began + POD_MPI_ANNOUNCED, told = said + GRACE, left = 0, turns = 0;
    for (bool moved;; turns = moved ? 0 : turns + 1) {
        const pod_status status = test_all(ranks, location, &moved, error);
        if (status != POD_OK)
            return status;
        if (ranks->missing == ranks->request_count)
            return POD_OK;
        if (turns % 64 == 63) {
            const uint64_t now = uv_hrtime();
            const int32_t peer = ranks->requests[ranks->missing].peer;
            int32_t gone;
            if (pod_context_is_interrupted(ranks->context))
                return pod_error_set(error, POD_ERROR_INTERRUPTED, "interrupted while other ranks were waited for");
            if (!pod_mpi_note_farewells(ranks, &gone, error))
                return POD_ERROR_STATE;
            if (pod_mpi_is_left_alone(ranks))
                return pod_error_set(error, POD_ERROR_STATE,
                                     "%s%sa rank has died, and nothing has ended the others: standard error of rank 0 "
                                     "says which it was",
                                     location ? location : "", location ? ": " : "");
            left = !ranks->left[peer] ? 0 : left ? left : now;
            if (left && now - left > GRACE)
                return fail_left(ranks, peer, location, error);
            if (now > said) {
                if (!pod_mpi_say_standing(ranks, location))
                    return fail_wire(ranks, error);
                said = now + POD_MPI_ANNOUNCED2;
            }
            if (now > told && !ranks->unwatched) {
                pod_mpi_tell_standings(ranks, peer, location, now - began);
                told = now + POD_MPI_ANNOUNCED2;
            }
        }
        pod_mpi_rest(turns);
    }
}
