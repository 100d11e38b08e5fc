#ifndef POD_BASE_THREAD_H
#define POD_BASE_THREAD_H

/* thread - places for threads in the account of their context (context.h); who has one starts it by pod_thread_start().
 */

#include "base/context.h"
#include "base/system/system.h"

#define POD_THREAD_STACK ((size_t)1 << 20) /* of a thread that runs programs */

/* Takes places for threads that are to be started, and returns how many there are of those that are wanted. */
int pod_threads_take(pod_context *context, int wanted);

/* Gives places back, once their threads are joined. */
void pod_threads_give_back(pod_context *context, int count);

#endif
