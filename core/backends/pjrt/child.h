#ifndef POD_PJRT_CHILD_H
#define POD_PJRT_CHILD_H

/*
 * child - a function in a child process: what it calls may abort, hang, write and change the environment.
 *
 *     static pod_status compile(void *at, const pod_bytes *request, pod_text *answer, pod_error *error);
 *     pod_pjrt_children *children;
 *     status = pod_pjrt_begin_children(context, &(pod_pjrt_child){.what = path, .work = compile}, &children, &error);
 *     status = pod_pjrt_ask_child(children, &module, 60, &answer, &error);
 *
 * Two processes are behind it. A nurse is forked before anything is loaded, and waits; at a request it forks the child,
 * which has the memory of this process as it was then, and none of its threads. So each child begins clean, also where
 * the one before has died and this process has loaded meanwhile what the children call. A child answers requests until
 * one is its last. Both end with this process, without anybody's exit handlers.
 */

#include "base/text.h"
#include "moonpod/formats.h"

typedef struct pod_pjrt_child {
    const char *what; /* for messages: a path. Borrowed, as `at` is, until pod_pjrt_end_children() */
    /* In the child, on a stack of 256 MiB: appends the answer. What it changes at `at` is there for its next request.
     */
    pod_status (*work)(void *at, const pod_bytes *request, pod_text *answer, pod_error *error);
    void *at;
} pod_pjrt_child;

typedef struct pod_pjrt_children pod_pjrt_children;

/* Makes the nurse. POD_ERROR_SYSTEM: no process can be made. */
POD_CHECKED pod_status pod_pjrt_begin_children(pod_context *context, const pod_pjrt_child *child,
                                               pod_pjrt_children **children, pod_error *error);

/* Asks the child, a new one where there is none, and waits; threads take turns. *answer is the caller's, to free with
 * pod_bytes_free(). What the work has failed with is the error here; POD_ERROR_STATE, too: the child died (by which
 * signal, with the last that it wrote) or took longer than `seconds`; POD_ERROR_INTERRUPTED. The next request has a new
 * child then. */
POD_CHECKED pod_status pod_pjrt_ask_child(pod_pjrt_children *children, const pod_bytes *request, int seconds,
                                          pod_bytes *answer, pod_error *error);

/* Ends the child, with what it has taken. */
void pod_pjrt_end_child(pod_pjrt_children *children);

/* Ends the child and the nurse. NULL is allowed. */
void pod_pjrt_end_children(pod_pjrt_children *children);

#endif
