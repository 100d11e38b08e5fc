#ifndef POD_BACKENDS_MPI_MPI_SCHEDULE_H
#define POD_BACKENDS_MPI_MPI_SCHEDULE_H

/*
 * mpi_schedule - who sends what to whom, round by round, until each rank has the sum of all. What is summed falls into
 * as many shares as there are ranks, from 0. A rank is known here by its place, from 0. No message is sent here: meet.c
 * does what a schedule says, and `./dev bench scaling` reckons what it would take on a thousand hosts.
 */

#include <stdbool.h>
#include <stdint.h>

/* X(enumerator, name): */
#define POD_MPI_ALGORITHM_LIST(X)                                                                                      \
    X(DIRECT, "direct")             /* a share to each, which sums it and gives that to all: two rounds */             \
    X(WHOLE, "whole")               /* all to all, one round */                                                        \
    X(RING, "ring")                 /* shares go round, from neighbour to neighbour */                                 \
    X(TREE, "tree")                 /* all goes up to the first in pairs, and down again */                            \
    X(GRID, "2d")                   /* rings along rows, then along columns */                                         \
    X(HIERARCHICAL, "hierarchical") /* direct within a host, then rings over hosts */

typedef enum pod_mpi_algorithm {
#define X(enumerator, name) POD_MPI_##enumerator,
    POD_MPI_ALGORITHM_LIST(X)
#undef X
        POD_MPI_ALGORITHM_COUNT
} pod_mpi_algorithm;

/* Returns the algorithm of a name; POD_MPI_ALGORITHM_COUNT: there is none such. */
pod_mpi_algorithm pod_mpi_algorithm_of(const char *name);

typedef struct pod_mpi_schedule {
    pod_mpi_algorithm algorithm;
    int32_t ranks;
    int32_t columns; /* of a grid, whose rows are neighbouring places; it divides `ranks` */
} pod_mpi_schedule;

/* A schedule. `neighbours`: ranks of a host, which are at neighbouring places; for HIERARCHICAL alone. */
pod_mpi_schedule pod_mpi_schedule_make(pod_mpi_algorithm algorithm, int32_t ranks, int32_t neighbours);

/* Shares that go to, or come from, the rank at a place. */
typedef struct pod_mpi_transfer {
    int32_t place, first, count;
} pod_mpi_transfer;

/* What one rank does in one round. */
typedef struct pod_mpi_round {
    pod_mpi_transfer *sends, *receives; /* the caller's: room for as many as there are ranks. Receives: by place */
    int32_t send_count, receive_count;
    bool folds; /* what comes is added to what is there; else it takes its place */
    bool fresh; /* what it is added to is what this rank brought, to which nothing has been added */
} pod_mpi_round;

/* How many rounds there are, the same for all ranks. */
int32_t pod_mpi_schedule_rounds(const pod_mpi_schedule *schedule);

/* Fills in what the rank at a place does in a round. */
void pod_mpi_schedule_round(const pod_mpi_schedule *schedule, int32_t place, int32_t number, pod_mpi_round *round);

#endif
