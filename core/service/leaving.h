#ifndef POD_SERVICE_LEAVING_H
#define POD_SERVICE_LEAVING_H

/*
 * leaving - sockets that nobody hears any more, and that close when nothing more is under way to them.
 *
 * A peer that is left is told so, and says last that it knows. Until then what comes is dropped: libzmq (4.3.4) forgets
 * to free the frames that have come of a message where a socket is closed in the middle of it, just behind what it was
 * told to send. A peer that does not answer within half a second is not waited for. What it was to be told may be lost
 * then, and libzmq frees what has come, unless its thread did not run that long, either.
 */

#include "service/receiver.h"

typedef struct pod_leaver {
    void *socket;
    int64_t request; /* a dispatcher's answer to this is its last word; -1: a worker, which says that it is closed */
    uint64_t until;  /* by the clock: it is not waited for any more */
} pod_leaver;

typedef struct pod_leaving {
    pod_leaver rows[POD_RECEIVER_SESSIONS + 1]; /* in the order in which they were left */
    size_t count;
} pod_leaving;

/* Takes a socket, to close it later. Its peer has been told. */
void pod_service_leaving_add(pod_leaving *leaving, void *socket, int64_t request);

/* Writes what is to be waited for, and returns how many that are. */
size_t pod_service_leaving_items(const pod_leaving *leaving, zmq_pollitem_t *items);

/* Drops what has come, and closes the sockets that need not be open any more. */
void pod_service_leaving_hear(pod_leaving *leaving, pod_envelope *envelope);

/* Does so until all are closed. */
void pod_service_leaving_end(pod_leaving *leaving, pod_envelope *envelope);

#endif
