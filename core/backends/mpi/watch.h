#ifndef POD_BACKENDS_MPI_WATCH_H
#define POD_BACKENDS_MPI_WATCH_H

/*
 * watch - tells which rank has died. Launchers end a job in which one has, but say little of it, and a rank that is
 * ended says nothing. So a process stands outside of the job, a child of rank 0 that no launcher knows. Each rank has a
 * line to it, a connection that the system ends with the rank. The first line that ends without a farewell is told on
 * standard error of rank 0, once, and then the process ends.
 */

#include "backends/mpi/mpi_ranks.h"

/* Starts the process; all ranks come here. A rank that cannot have a line, since no connection to rank 0 can be made
 * from its host, is not watched. */
pod_status pod_mpi_watch_begin(pod_mpi_ranks *ranks, pod_error *error);

/* Notes a file by which training may go on: the newest one that is there is named. Done by rank 0. */
void pod_mpi_watch_note(const pod_mpi_ranks *ranks, const char *path);

/* Says that this rank ends as it should. */
void pod_mpi_watch_end(pod_mpi_ranks *ranks);

#endif
