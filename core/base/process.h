#ifndef POD_BASE_PROCESS_H
#define POD_BASE_PROCESS_H

/*
 * process - tells the child of a fork() that it has none of the threads that its parent started.
 *
 * Whoever starts threads marks that, asks before waiting for one of them, and does not join them in a child: there they
 * are not, and what they held is held for ever.
 *
 *     atomic_uint threads_of = 0;
 *     pod_process_mark(&threads_of);                       a thread was started
 *     status = pod_process_check(&threads_of, "...", error);
 */

#include "base/error.h"

#include <stdatomic.h>

/* Notes that this process has started threads. */
void pod_process_mark(atomic_uint *threads_of);

/* Returns whether the threads were started by a process of which this one is a child. From any thread. */
bool pod_process_is_child(const atomic_uint *threads_of);

/* POD_ERROR_STATE in such a child: "<what> began threads before this process was forked, ...". */
POD_CHECKED pod_status pod_process_check(const atomic_uint *threads_of, const char *what, pod_error *error);

#endif
