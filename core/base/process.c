#include "base/process.h"

#include <pthread.h>

/* How many times over this process is a child, counted from 1; 0 marks that no threads were started. */
static atomic_uint generation = 1;
static pthread_once_t watched = PTHREAD_ONCE_INIT;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void begin_child(void)
{
    atomic_fetch_add(&generation, 1);
    pod_process_unlock();
}

static void watch(void)
{
    (void)pthread_atfork(pod_process_lock, pod_process_unlock, begin_child);
}

void pod_process_lock(void)
{
    (void)pthread_once(&watched, watch);
    (void)pthread_mutex_lock(&lock);
}

void pod_process_unlock(void)
{
    (void)pthread_mutex_unlock(&lock);
}

void pod_process_mark(atomic_uint *threads_of)
{
    (void)pthread_once(&watched, watch);
    atomic_store_explicit(threads_of, atomic_load(&generation), memory_order_relaxed);
}

bool pod_process_is_child(const atomic_uint *threads_of)
{
    const unsigned began = atomic_load_explicit(threads_of, memory_order_relaxed);
    return began != 0 && began != atomic_load_explicit(&generation, memory_order_relaxed);
}

pod_status pod_process_check(const atomic_uint *threads_of, const char *what, pod_error *error)
{
    if (!pod_process_is_child(threads_of))
        return POD_OK;
    return pod_error_set(error, POD_ERROR_STATE,
                         "%s started threads before this process was forked, and a child has none of them: fork before "
                         "the first computation, or let the child start a program of its own (exec)",
                         what);
}
