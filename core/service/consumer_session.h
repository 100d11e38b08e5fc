#ifndef POD_SERVICE_CONSUMER_SESSION_H
#define POD_SERVICE_CONSUMER_SESSION_H

/*
 * consumer_session - what a worker does for one consumer: it runs the consumer's pipeline on a thread and hands what
 * comes of it to the worker's own thread, no more than the consumer has given credit for.
 *
 * All but pod_service_session_work() is for the worker's thread.
 */

#include "base/sha256.h"
#include "service/block.h"
#include "service/endpoint.h"

/* Where a session's thread leaves messages for its consumer. */
#define POD_SESSION_OUT "inproc://out"

/* A pipeline's name: its SHA-256 in hexadecimal digits. */
#define POD_PIPELINE_NAME 65

void pod_service_pipeline_name(const void *recipe, size_t size, char name[POD_PIPELINE_NAME]);
void pod_service_digest_name(const unsigned char digest[POD_SHA256_SIZE], char name[POD_PIPELINE_NAME]);

/* Pipelines that were read, so that a consumer which comes back, or another of the same job, need not send it again.
 * For any thread. */
typedef struct pod_pipelines {
    pod_context *context; /* borrowed */
    uv_mutex_t mutex;
    struct {
        char name[POD_PIPELINE_NAME];
        pod_dataset *dataset; /* shared */
        uint64_t used;
    } rows[8];
    uint64_t uses;
} pod_pipelines;

/* Finds one, shared for the caller; NULL where it is not there. */
pod_dataset *pod_service_pipelines_find(pod_pipelines *pipelines, const char *name);

/* Keeps one in the place of that which was used longest ago. */
void pod_service_pipelines_keep(pod_pipelines *pipelines, const char *name, pod_dataset *dataset);

/* What a consumer asks for: elements of a pass, in order. */
typedef struct pod_reading {
    int64_t ticket;
    int64_t first, count, skip; /* `skip` elements of those are not sent; count -1: to the end */
    int64_t files, file;        /* of all files only this; 0: all; below 0: of the source's blocks of -files elements */
    pod_pass_number pass;
} pod_reading;

/* So many readings may wait, behind the one that is served. */
#define POD_MOST_READINGS 4

typedef struct pod_session {
    pod_context *context; /* borrowed, as all of the worker's */
    void *zmq;
    pod_pipelines *pipelines;
    unsigned char consumer[256]; /* its identity at the worker's socket */
    size_t consumer_size;
    char pipeline[POD_PIPELINE_NAME];
    bool compresses;
    uint64_t heard; /* when the consumer said something last */
    uv_thread_t thread;
    bool runs;

    uv_mutex_t mutex; /* guards all below */
    uv_cond_t changed;
    zmq_msg_t recipe;
    bool has_recipe;
    pod_reading readings[POD_MOST_READINGS];
    size_t reading_count;
    int64_t credit;                 /* bytes; a block may exceed it once */
    bool closed;                    /* nobody wants anything any more: changed only by who closes it */
    bool ended;                     /* the thread has nothing more to do */
    pod_dataset_iterator *iterator; /* that is to be cancelled with it */
} pod_session;

/* Makes a session and starts its thread with `work`, which is pod_service_session_work(). On success *session is the
 * caller's, to end with pod_service_session_end(). */
pod_status pod_service_session_start(const pod_session *fields, int64_t window, void (*work)(void *session),
                                     pod_session **session, pod_error *error);

/* What the consumer says. A reading that there is no place for is refused with false. */
void pod_service_session_give_recipe(pod_session *session, zmq_msg_t *recipe);
bool pod_service_session_read(pod_session *session, const pod_reading *reading);
void pod_service_session_credit(pod_session *session, int64_t bytes);

/* Nobody wants anything any more: the thread ends soon. */
void pod_service_session_close(pod_session *session);
bool pod_service_session_has_ended(pod_session *session);

/* Closes it, waits for the thread and frees it. */
void pod_service_session_end(pod_session *session);

/* What its thread does. */
void pod_service_session_work(void *session);

#endif
