#ifndef POD_SERVICE_LEDGER_H
#define POD_SERVICE_LEDGER_H

/*
 * ledger - what a dispatcher must not forget: which splits of a job were given to whom and are not done yet. All of it
 * is in SQLite, in a file or in memory, and is there before it is told to anybody.
 *
 * A split that was given stays given until its consumer says that it is done, or is gone; then it is free for the next
 * that asks. Splits that nobody had yet are given in their order, so what is kept is no more than what is in hand.
 */

#include "moonpod/service.h"

typedef struct pod_ledger pod_ledger;

/* Opens the file, made where there is none; NULL: in memory. */
pod_status pod_service_ledger_open(pod_context *context, const char *path, pod_ledger **ledger, pod_error *error);
void pod_service_ledger_close(pod_ledger *ledger);

typedef struct pod_job {
    const char *name, *pipeline;
    int64_t mode, sharding, split_size;
    int64_t lanes; /* split i is for the worker that has lane i mod so many; 0: for whichever asks */
    int64_t end;   /* splits of a round; -1: not known */
    int64_t owner; /* the consumer that has it alone; 0: consumers share it */
} pod_job;

/* Finds or makes a job. POD_ERROR_VALUE where there is one of this name that is another. */
pod_status pod_service_ledger_join(pod_ledger *ledger, const pod_job *job, int64_t *id, pod_error *error);

/* The most lanes of a job. */
#define POD_MOST_LANES 256

typedef struct pod_asking {
    int64_t consumer, job, request; /* who asks again with the same request gets the same */
    int64_t round, worker;          /* the worker that is to make it; 0: none */
    const char *address;            /* the worker's; NULL: not known */
    int64_t lane;                   /* that the consumer takes for the worker's; -1: it does not know */
    int64_t end;                    /* splits of the round, where the consumer has seen that; -1: not */
    const int64_t *nexts; /* of each lane, the first that this consumer was not given yet: where its own job goes on if
                           * it is not known; without lanes there is one */
    size_t next_count;
    bool (*is_there)(void *dispatcher, int64_t worker);
    void *dispatcher;
} pod_asking;

#define POD_NO_SPLIT ((int64_t)-1)

typedef struct pod_answer {
    int64_t split;  /* or POD_NO_SPLIT */
    int64_t others; /* splits that others have in hand, or that other workers are to make */
    int64_t lane;   /* the worker's; -1: none */
} pod_answer;

/* Notes that splits are done, and gives one. Of a job with lanes, a worker gets splits of its own lane: that which its
 * address had before, or one whose worker is not there. POD_ERROR_NOT_FOUND: there is no such job. */
pod_status pod_service_ledger_ask(pod_ledger *ledger, const pod_asking *asking, const int64_t *done, size_t done_count,
                                  pod_answer *answer, pod_error *error);

/* A consumer is gone: what it had in hand is free, and its own job is forgotten. */
pod_status pod_service_ledger_forget(pod_ledger *ledger, int64_t consumer, pod_error *error);

/* Forgets a job, with all that was given of it. */
pod_status pod_service_ledger_drop(pod_ledger *ledger, int64_t job, pod_error *error);

/* Calls consumer(context, id) for each consumer that has something in hand, and job(context, id) for each job. */
pod_status pod_service_ledger_visit(pod_ledger *ledger, void (*consumer)(void *context, int64_t id),
                                    void (*job)(void *context, int64_t id), void *context, pod_error *error);

#endif
