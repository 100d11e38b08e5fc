#ifndef POD_BASE_THREAD_H
#define POD_BASE_THREAD_H

/* thread - a thread that leaves the host's signals to the host's threads. */

#include <stdbool.h>
#include <uv.h>

/* Starts run(argument) on a thread with a small stack (1 MiB). Signals that are sent to the process stay with the
 * host's threads. Returns 0, or libuv's code where there is none. The caller marks it (process.h) and joins it. */
int pod_thread_start(uv_thread_t *thread, void (*run)(void *argument), void *argument);

/* The nice of the calling thread; 0 where threads have none of their own. */
int pod_thread_nice(void);

/* Sets it; false where the system refuses. */
bool pod_thread_set_nice(int nice);

#endif
