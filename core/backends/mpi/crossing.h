#ifndef POD_BACKENDS_MPI_CROSSING_H
#define POD_BACKENDS_MPI_CROSSING_H

/* crossing - a meeting of ranks as it goes on, round by round of a schedule. */

#include "backends/mpi/mpi_ranks.h"

#define POD_MPI_PART_ALIGN 64 /* of parts within a message */

/* What each message begins with: by that ranks know that they stand at the same place. */
typedef struct pod_mpi_message_head {
    uint64_t number;       /* of the meeting */
    uint64_t bytes, parts; /* of what all of them exchange there */
    uint64_t agreed;
    uint8_t rest[POD_MPI_PART_ALIGN - 4 * sizeof(uint64_t)];
} pod_mpi_message_head;

/* A meeting as it goes on. The first that was begun and has not ended exchanges messages. */
struct pod_mpi_crossing {
    pod_mpi_crossing *next; /* begun after it */
    pod_mpi_ranks *ranks;
    pod_meeting_part *parts; /* as they cross */
    uint32_t part_count;
    const char *location;
    pod_mpi_narrowed narrowed; /* where `narrow` was asked for */
    pod_mpi_message_head head;
    pod_mpi_schedule schedule;
    pod_mpi_round round;
    int32_t number;           /* of the round; -1: none is on its way */
    int64_t blocks, block;    /* all elements fall into blocks, which go one after the other: they lie in a cache */
    size_t reduced, gathered; /* bytes */
    bool gathers, reduces;    /* which parts take part in the rounds now */
    bool folded;              /* whether something has come: then `to` has what goes on */
    pod_error *error;
};

/* Fills in how much there is of the parts, for whom they are told to others too. */
void pod_mpi_crossing_measure(pod_mpi_crossing *r);

/* Sends what the round is to send, and begins to receive. */
pod_status pod_mpi_crossing_begin_round(pod_mpi_crossing *r);

/* Takes in what the round has brought, whose messages are all there. */
pod_status pod_mpi_crossing_end_round(pod_mpi_crossing *r);

/* One rank has all there is. */
void pod_mpi_crossing_keep_own(const pod_mpi_crossing *r);

#endif
