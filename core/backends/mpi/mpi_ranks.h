#ifndef POD_BACKENDS_MPI_MPI_RANKS_H
#define POD_BACKENDS_MPI_MPI_RANKS_H

/* mpi_ranks - the ranks of an MPI: what they are, and how they wait for each other. */

#include "backends/mpi/mpi_wire.h"
#include "backends/mpi/mpi_schedule.h"
#include "moonpod/ranks.h"
#include "program/meetings.h"

/* Tags of messages. */
#define POD_MPI_MEETING  1 /* what a meeting exchanges */
#define POD_MPI_FAREWELL 2 /* a rank has left */
#define POD_MPI_STANDING 3 /* where a rank stands that has waited long */

#define POD_MPI_HOST 64 /* bytes of the name of a host */

#define POD_MPI_ANNOUNCED  5000000000u  /* nanoseconds after which a rank says that it waits */
#define POD_MPI_ANNOUNCED2 60000000000u /* and again, each so many */

/* What is exchanged at a time, and the least of it that is a rank's share. */
#define POD_MPI_BLOCK_BYTES ((int64_t)1 << 20)
#define POD_MPI_SHARE_BYTES ((int64_t)1 << 16)

/* A message of a round on its way. */
typedef struct pod_mpi_request {
    pod_mpi_message request;
    int32_t peer;
    bool receives;
} pod_mpi_request;

/* Where a rank waits: it says so to those who may tell of it. All zero: it has not. */
typedef struct pod_mpi_standing {
    uint64_t meeting; /* its number, + 1 */
    char location[256];
} pod_mpi_standing;

typedef struct pod_mpi_crossing pod_mpi_crossing; /* meet.c */

typedef struct pod_mpi_ranks {
    pod_ranks base; /* first */
    pod_context *context;
    pod_ranks_description about;
    pod_ranks_options options;
    void *library; /* of the module; never closed: MPI stays in a process */
    pod_mpi_wire wire;
    char (*hosts)[POD_MPI_HOST]; /* of each rank */
    bool *left;                  /* of each rank: whether it has said so */
    char last_location[256];     /* where all ranks met last in a program */
    pod_mpi_standing *standings; /* of each rank what it has said last; behind them what this one says */
    pod_mpi_message said[2];     /* on its way, to the first two */
    bool says[2];
    pod_mpi_algorithm algorithm; /* of sums */
    int32_t *order;              /* the rank at each place of a schedule */
    int32_t place;               /* of this one */
    int line;                    /* to the process that watches (watch.h); -1: there is none */
    uint64_t unwatched;          /* when this rank saw first that the process has ended; 0: it has not */
    bool broken;                 /* a meeting ended halfway: messages of it may come, and no other can be */
    pod_mpi_crossing *first;     /* that was begun and has not ended */
    pod_error failure;           /* of what goes on while nobody waits; status POD_OK: none */
    /* Kept from one meeting to the next: */
    char *out, *in;
    size_t out_room, in_room;
    const void **folded;             /* an array a rank */
    pod_mpi_transfer *transfers;     /* of one round: two a rank */
    pod_mpi_request *requests;       /* of one round: two a rank at most */
    uint32_t request_count, missing; /* the first that is not done */
} pod_mpi_ranks;

/* Waits for the requests of a round. `location` is where this rank stands, or NULL. On failure the ranks are broken. */
pod_status pod_mpi_wait(pod_mpi_ranks *ranks, const char *location, pod_error *error);

/* Says where this rank waits to the two that may tell of it; nobody waits for that. `ranks->first` is what it waits
 * for. False: MPI failed. */
bool pod_mpi_say_standing(pod_mpi_ranks *ranks, const char *location);

/* Takes in what others have said so. False: MPI failed. */
bool pod_mpi_hear_standings(pod_mpi_ranks *ranks);

/* Tells who is waited for, and where each stands: the first rank does, or the second where the first does not wait. */
void pod_mpi_tell_standings(pod_mpi_ranks *ranks, int32_t peer, const char *location, uint64_t nanoseconds);

/* Says that a rank exchanges something else here. */
pod_status pod_mpi_fail_strayed(const pod_mpi_ranks *ranks, int32_t peer, const char *location, pod_error *error);

/* Notes who has left, of whom a message has come; how many have. False: MPI failed, with the error. */
bool pod_mpi_note_farewells(pod_mpi_ranks *ranks, int32_t *count, pod_error *error);

/* Returns whether a rank has died, and the launcher, which ends the others then, has let this one live for seconds. */
bool pod_mpi_is_left_alone(pod_mpi_ranks *ranks);

/* Looks whether the requests of a round are done, without waiting. On failure the ranks are broken. */
pod_status pod_mpi_look(pod_mpi_ranks *ranks, const char *location, bool *done, pod_error *error);

/* The table's functions: see program/meetings.h. */
pod_status pod_mpi_meet(pod_ranks *ranks, const pod_meeting *meeting, pod_error *error);
pod_status pod_mpi_begin(pod_ranks *ranks, const pod_meeting *meeting, pod_error *error);
void pod_mpi_advance(pod_ranks *ranks);
pod_status pod_mpi_finish(pod_ranks *ranks, pod_error *error);
void pod_mpi_give_up(pod_ranks *ranks);

/* What crosses in 16 bits: room for it, and where its sums belong. All zero: nothing does. */
typedef struct pod_mpi_narrowed {
    uint16_t *room;
    void **to; /* of each part; NULL: it crosses as it is */
} pod_mpi_narrowed;

/* Rounds large sums of f32, and makes the parts those of what was rounded. */
pod_status pod_mpi_narrow(pod_context *context, pod_meeting_part *parts, uint32_t count, pod_mpi_narrowed *narrowed,
                          pod_error *error);

/* Writes their sums to where they belong. */
void pod_mpi_widen(const pod_mpi_narrowed *narrowed, const pod_meeting_part *parts, uint32_t count);
void pod_mpi_narrowed_free(pod_context *context, pod_mpi_narrowed *narrowed);

/* Gives no time away to those who can use it: called where nothing has come, `turns` times in a row. */
void pod_mpi_rest(uint64_t turns);

/* Makes ranks of a wire that is open, which is theirs then; on failure the caller's still. Sums go by DIRECT. */
pod_status pod_mpi_ranks_new(pod_context *context, const pod_mpi_wire *wire, pod_mpi_ranks **ranks, pod_error *error);

/* Takes an algorithm by its name; NULL: DIRECT. The same on all ranks. POD_ERROR_VALUE: there is none such, or hosts
 * have not as many ranks each, as HIERARCHICAL wants. */
pod_status pod_mpi_choose_algorithm(pod_mpi_ranks *ranks, const char *name, pod_error *error);

#endif
