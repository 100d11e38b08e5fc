#ifndef POD_SERVICE_PEERS_H
#define POD_SERVICE_PEERS_H

/* peers - the workers that a receiver's thread talks to. */

#include "service/leaving.h"
#include "service/ledger.h"
#include "service/receiver.h"

typedef struct pod_peer {
    int64_t worker; /* its id */
    void *socket, *monitor;
    pod_split *reading; /* NULL: none */
    int64_t ticket;
    int64_t lane;      /* -1: none is known */
    bool heard, ready; /* it has said something; it has the pipeline */
    bool none;         /* the dispatcher has no split for it */
    uint64_t opened;
    uint64_t pinged;
} pod_peer;

/* A worker that the dispatcher has told of. */
typedef struct pod_known_worker {
    int64_t id;
    uint64_t until; /* by the clock: it is left alone so long */
    char address[POD_ADDRESS_SIZE];
} pod_known_worker;

/* What the thread has. */
typedef struct pod_receiving {
    pod_receiver *receiver;
    const pod_receiver_task *task;
    void *dispatcher, *monitor;            /* the DEALER, and what happens to it */
    pod_peer peers[POD_RECEIVER_SESSIONS]; /* those without a socket are free */
    pod_leaving leaving;                   /* the sockets of those that were left */
    int monitors;                          /* names that were used */
    pod_known_worker known[POD_RECEIVER_SESSIONS];
    size_t known_count;
    int64_t ticket;
    pod_envelope envelope;

    int64_t consumer, job, request, end;
    int64_t nexts[POD_MOST_LANES]; /* of each lane the first split that was not given yet; without lanes there is one */
    bool joined, asking;
    bool drains;    /* the stage wants no more splits */
    size_t told;    /* splits that the question says are done */
    int asker;      /* the peer */
    int refusals;   /* of the dispatcher, one after the other */
    int64_t others; /* that others have in hand, where there was none to be given; -1: there was one */
    uint64_t said, beat, alone_since; /* by the clock */
    uint64_t renewed;                 /* when workers with lanes that had nothing were asked for again */
    bool warned;
} pod_receiving;

/* Opens what happens to a socket. NULL where it cannot be watched. */
void *pod_service_peers_watch(pod_receiving *self, void *socket);

/* So many handshakes that fail one after the other tell that the keys are others. */
#define POD_MOST_REFUSALS 5

/* Returns whether a socket has lost its peer. *refusals grows with each handshake that failed. */
bool pod_service_peers_is_lost(void *monitor, int *refusals);

/* The stage gets no more than has come: POD_END, or why. */
void pod_service_peers_fail(pod_receiving *self, pod_status status, const char *text);

/* Takes note of the workers of a list, and begins sessions with them. */
void pod_service_peers_learn(pod_receiving *self, const char *list, size_t size);

/* Ends a session: what it was reading is for another to go on with. The worker is left alone for so many nanoseconds.
 */
void pod_service_peers_lose(pod_receiving *self, pod_peer *peer, uint64_t pause, const char *why);

void pod_service_peers_lose_all(pod_receiving *self);

/* Has a peer read a split. */
void pod_service_peers_read(pod_receiving *self, pod_peer *peer, pod_split *split);

/* Hears what a peer says. */
void pod_service_peers_hear(pod_receiving *self, pod_peer *peer);

/* Gives peers back what the stage has taken, and tells them that somebody is there. */
void pod_service_peers_credit(pod_receiving *self);

/* Leaves those that have never said anything: a worker that is gone may still be on the dispatcher's list. */
void pod_service_peers_leave_silent(pod_receiving *self);

/* How many there are. */
int pod_service_peers_count(const pod_receiving *self);

#endif
