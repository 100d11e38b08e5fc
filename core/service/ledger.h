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
    int64_t end;   /* splits of a round; -1: not known */
    int64_t owner; /* the consumer that has it alone; 0: consumers share it */
} pod_job;

/* Finds or makes a job. POD_ERROR_VALUE where there is one of this name that is another. */
pod_status pod_service_ledger_join(pod_ledger *ledger, const pod_job *job, int64_t *id, pod_error *error);

typedef struct pod_asking {
    int64_t consumer, job, request; /* who asks again with the same request gets the same */
    int64_t round, worker;
    int64_t end;  /* splits of the round, where the consumer has seen that; -1: not */
    int64_t next; /* the first that this consumer was not given yet: where its own job goes on if it is not known */
} pod_asking;

#define POD_NO_SPLIT ((int64_t)-1)

/* Notes that splits are done, and gives one, or POD_NO_SPLIT; *others receives how many others have in hand.
 * POD_ERROR_NOT_FOUND: there is no such job. */
pod_status pod_service_ledger_ask(pod_ledger *ledger, const pod_asking *asking, const int64_t *done, size_t done_count,
                                  int64_t *split, int64_t *others, pod_error *error);

/* A consumer is gone: what it had in hand is free, and its own job is forgotten. */
pod_status pod_service_ledger_forget(pod_ledger *ledger, int64_t consumer, pod_error *error);

/* Calls visit(context, consumer) for each consumer that has something in hand. */
pod_status pod_service_ledger_consumers(pod_ledger *ledger, void (*visit)(void *context, int64_t consumer),
                                        void *context, pod_error *error);

#endif
