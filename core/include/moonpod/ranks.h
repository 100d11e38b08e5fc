#ifndef MOONPOD_RANKS_H
#define MOONPOD_RANKS_H

/*
 * ranks - processes, on one host or on many, that run one program together by MPI.
 *
 *     pod_ranks *ranks;
 *     pod_ranks_options options = {.module = "/usr/lib/.../mpi_openmpi.so"};
 *     if (pod_ranks_open(context, &options, &ranks, &error) == POD_OK)
 *         printf("rank %d\n", pod_ranks_describe(ranks)->rank);
 *     pod_ranks_close(ranks);
 *
 * A launcher (mpirun) starts the processes. Graphs that pod_graph_replicate_on_rank() made run where a context has
 * ranks.
 */

#include "moonpod/status.h"

POD_BEGIN_C

typedef struct pod_ranks pod_ranks;

typedef struct pod_ranks_options {
    const char *module; /* the path of what was built for the MPI of the launcher */
    /* Is told while a rank waits long for another: on the thread that waits, but on one of the library's own until all
     * have joined. Default: nobody is. */
    void (*tell)(void *tell_context, const char *text);
    void *tell_context; /* borrowed */
    /* Whether a process outside of the job, a child of rank 0 that fork() makes, says on its standard error which rank
     * has died: a launcher ends the others before they can. The same on all ranks. Default: nobody says it. */
    bool watches;
    /* Whether sums of many f32 cross as bf16. The same on all ranks. Default: as they are. */
    bool narrow;
    /* How sums of more than 32 KB go round, the same on all ranks: "direct" (each rank sums a share, and gives that to
     * all: the default), "whole" (all to all), "ring", "tree", "2d" (rings along the rows of a grid, then its columns),
     * "hierarchical" (direct on each host, all of which have as many ranks, then rings over hosts). */
    const char *algorithm;
} pod_ranks_options;

typedef struct pod_ranks_description {
    int32_t rank, count; /* of this process, from 0, and how many there are */
    int32_t neighbours;  /* ranks on this host, this one included */
    const char *host;    /* the name of this host; borrowed */
    int32_t threads;     /* of the host's, that each of them has without taking another's */
    char library[96];    /* "Open MPI v4.1.4" */
    /* Until now: how often the ranks met, what this one sent there, and how long that took, waiting for others
     * included. */
    int64_t meetings, sent_bytes, meeting_nanoseconds;
} pod_ranks_description;

/* Joins the processes that were started together, once in a process, and gives them to the context. On success *ranks
 * is the caller's: end with pod_ranks_close(). POD_ERROR_NOT_FOUND: there is no such module, or no such MPI;
 * POD_ERROR_STATE: MPI failed, or was begun before. */
POD_API POD_CHECKED pod_status pod_ranks_open(pod_context *context, const pod_ranks_options *options, pod_ranks **ranks,
                                              pod_error *error);

/* Leaves the others, and waits until all have left: who meets a rank that has left fails. The context, of which no
 * program runs any more, has no ranks then. NULL is allowed. */
POD_API void pod_ranks_close(pod_ranks *ranks);

/* Returns what is known of them; borrowed. */
POD_API const pod_ranks_description *pod_ranks_describe(const pod_ranks *ranks);

/* Gives all ranks what each of them gives, in their order: `bytes` from each. All call it, at the same place of their
 * runs. */
POD_API POD_CHECKED pod_status pod_ranks_gather(pod_ranks *ranks, const void *from, size_t bytes, void *all,
                                                pod_error *error);

/* Notes a file that is being written, by which training can go on: should a rank die, the newest that is there is named
 * where `watches` was asked for. Rank 0 is heard alone. */
POD_API void pod_ranks_note_checkpoint(pod_ranks *ranks, const char *path);

POD_END_C

#endif
