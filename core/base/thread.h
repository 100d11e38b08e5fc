#ifndef POD_BASE_THREAD_H
#define POD_BASE_THREAD_H

/* thread - the one place that starts threads: they leave the host's signals to the host's threads, and have a place in
 * the account of their context (context.h). */

#include "base/context.h"

#include <uv.h>

/* Takes places for threads that are to be started, and returns how many there are of those that are wanted. */
int pod_threads_take(pod_context *context, int wanted);

/* Gives places back, once their threads are joined. */
void pod_threads_give_back(pod_context *context, int count);

#define POD_THREAD_STACK ((size_t)1 << 20) /* of a thread that runs programs */

/* Starts run(argument) on a thread that has a place, with a stack of so many bytes; 0: what the system gives. Signals
 * that are sent to the process stay with the host's threads. Returns 0, or libuv's code where there is none. The caller
 * marks it (process.h) and joins it. */
int pod_thread_start(uv_thread_t *thread, size_t stack, void (*run)(void *argument), void *argument);

/* The nice of the calling thread; 0 where threads have none of their own. */
int pod_thread_nice(void);

/* Sets it; false where the system refuses. */
bool pod_thread_set_nice(int nice);

#endif
