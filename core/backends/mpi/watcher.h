#ifndef POD_BACKENDS_MPI_WATCHER_H
#define POD_BACKENDS_MPI_WATCHER_H

/* watcher - the process of watch.h: what it has of rank 0, and what it does. */

#include "backends/mpi/mpi_ranks.h"

#define POD_MPI_WATCHED_PATH     4096 /* bytes of the longest path that is noted, with its zero */
#define POD_MPI_WATCHED_FAREWELL '\1' /* comes last; before it are paths, a zero behind each */

typedef struct pod_mpi_watcher {
    int32_t count;
    const int *lines;            /* to each rank; -1: there is none */
    char (*hosts)[POD_MPI_HOST]; /* of each */
} pod_mpi_watcher;

/* Starts the process, which watches until all ranks have left, or one has died. Returns whether it could be made. */
bool pod_mpi_watcher_start(const pod_mpi_watcher *watcher);

#endif
