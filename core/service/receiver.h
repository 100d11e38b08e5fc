#ifndef POD_SERVICE_RECEIVER_H
#define POD_SERVICE_RECEIVER_H

/*
 * receiver - the consumer's side of the data service: a thread that has the sockets, asks the dispatcher for splits,
 * has workers read them, and keeps what comes for the stage that gives it on.
 *
 * Exactly once is decided here. A split is a numbered part of the pass, and its elements come in their order; the
 * thread knows how many of them have come. When the worker is lost, the next one is told to leave that many out. The
 * dispatcher hears that a split is done once the stage has given all of it.
 */

#include "service/block.h"
#include "service/endpoint.h"
#include "service/local.h"
#include "service/consumer_session.h"
#include "service/remote_stats.h"

/* What the stage asks for, for a pass. All is borrowed and does not change. */
typedef struct pod_receiver_task {
    pod_context *context;
    const pod_dataset *dataset; /* whose components elements have */
    const char *address;        /* the dispatcher's */
    const pod_service_keys *keys;
    const char *job; /* NULL: one of its own */
    pod_service_mode mode;
    pod_service_sharding sharding;
    int64_t split_size, end; /* splits of a pass; -1: not known */
    int64_t first;           /* the first split that it is to get: another receiver had those before */
    int64_t files;           /* by files: how many */
    int64_t lanes;           /* split i is for the worker of lane i mod so many; 0: for any */
    int64_t target_workers;  /* 0: all */
    bool in_order;
    bool compress, compress_here; /* what comes from other machines; from this one, too */
    pod_bytes recipe;
    const char *pipeline; /* its name */
    const char *alike;    /* the name of what makes the same elements: so consumers of a job are compared */
    pod_pass_number pass;
    pod_service_local *local;         /* NULL: workers are somebody else's */
    pod_stop stop;                    /* when nobody waits any more */
    pod_stage *stage;                 /* whose elements it receives: for what a profile is told of workers */
    const pod_dataset *const *remote; /* the stages that workers run, as they count them */
    size_t remote_count;
} pod_receiver_task;

/* Lanes, of which there is one where splits are for whichever worker is free. */
static inline int64_t pod_service_lanes(const pod_receiver_task *task)
{
    return task->lanes > 0 ? task->lanes : 1;
}

/* A part of the pass that this consumer has in hand. */
typedef struct pod_split {
    struct pod_split *next; /* of those in hand */
    int64_t number, came;   /* elements that have come */
    int64_t lost_at;        /* how many had come when a session that read it was lost */
    int losses;             /* sessions that were lost there, one after the other */
    bool ended;             /* all have */
    bool read;              /* some session reads it */
} pod_split;

/* Elements that came, or, where there are none, the news that a split has ended. */
typedef struct pod_came {
    struct pod_came *next;
    pod_split *split;
    int session; /* that is to have its cost back; -1: it is gone */
    int64_t cost;
    size_t count, given;
    pod_part parts[];
} pod_came;

#define POD_RECEIVER_SESSIONS 256

typedef struct pod_receiver {
    pod_receiver_task task;
    void *zmq, *wake, *woken; /* a PAIR, of which `wake` is used with the gate's lock */
    uv_thread_t thread;
    bool runs, has_place;

    pod_gate gate; /* guards all below; condition 0: something came */
    pod_came *first, **last;
    pod_split *order;                    /* splits in hand, first given first: the thread adds, the stage ends them */
    int64_t turn;                        /* in order: the split that is to be given now */
    int64_t owed[POD_RECEIVER_SESSIONS]; /* bytes that the stage has taken, by session */
    int64_t done[256];                   /* splits that the stage has given all of, not told yet */
    size_t done_count;
    bool finished, ends; /* nothing more comes; the stage wants the thread to end */
    bool drains;         /* the stage wants no more splits than are in hand */
    bool drained;        /* the end is that of those; then: */
    int64_t next, end;   /* the first split that was not given, and how many there are in all, -1: not known */
    uint64_t waited;     /* nanoseconds that the stage waited */
    pod_error failure;   /* its status is POD_OK or POD_END */
    size_t blocks;       /* that wait */
    int64_t bytes;       /* of those */
    int sessions;        /* that are open now */
    int most_sessions;   /* that were at once */
    int64_t received;    /* bytes of the pass */
    pod_remote_stats stats;
    uint64_t held, idle; /* nanoseconds that workers waited for credit, for something to read */
} pod_receiver;

/* Begins: opens the sockets and starts the thread with `work`, which is pod_service_receiver_work(). On failure it is
 * still to be stopped. */
pod_status pod_service_receiver_start(pod_receiver *receiver, const pod_receiver_task *task, pod_scope *scope,
                                      void (*work)(void *receiver), pod_error *error);

/* Gives 1 to `limit` elements, or waits for them; POD_END, or why no more come. */
pod_status pod_service_receiver_next(pod_receiver *receiver, pod_part *parts, size_t limit, size_t *count,
                                     pod_error *error);

/* Has the receiver end behind the splits that it has in hand: `drained` tells then whether there are others. */
void pod_service_receiver_drain(pod_receiver *receiver);

/* Ends the thread and drops what has come. One that never started is allowed. */
void pod_service_receiver_stop(pod_receiver *receiver);

/* What the thread does. */
void pod_service_receiver_work(void *receiver);

/* For the thread, with the lock. */
void pod_service_receiver_add(pod_receiver *receiver, pod_came *came);
void pod_service_receiver_fail(pod_receiver *receiver, pod_status status, const char *message);

#endif
