#ifndef POD_PJRT_CHILD_H
#define POD_PJRT_CHILD_H

/*
 * child - a function in a child process: what it calls may abort, hang, write and change the environment.
 *
 * The child has the memory of this process as it was, and none of its threads, so the function may call what is loaded
 * by it alone, and what needs no other thread. It sends its answer back by a pipe and ends without anybody's exit
 * handlers. It ends with its parent, too.
 */

#include "base/error.h"

typedef struct pod_pjrt_child {
    const char *what;       /* for messages: a path */
    void (*work)(void *at); /* in the child, on a stack of 256 MiB: fills in the answer */
    void *at;
    void *answer; /* within `at`; in the parent, too, it is filled in */
    size_t answer_size;
    int seconds; /* until the child is ended */
} pod_pjrt_child;

/* Runs it. POD_ERROR_STATE: the child died (by which signal, with the last line that it wrote) or took too long;
 * POD_ERROR_INTERRUPTED; POD_ERROR_SYSTEM: no process could be made. */
POD_CHECKED pod_status pod_pjrt_run_child(pod_context *context, const pod_pjrt_child *child, pod_error *error);

#endif
