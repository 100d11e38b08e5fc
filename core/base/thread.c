#include "base/thread.h"

#include <stddef.h>
#ifndef _WIN32
#include <pthread.h>
#include <signal.h>
#ifdef __linux__
#include <sys/resource.h>
#endif
#endif

#define STACK_SIZE ((size_t)1 << 20)

#ifdef _WIN32

int pod_thread_start(uv_thread_t *thread, void (*run)(void *argument), void *argument)
{
    const uv_thread_options_t options = {.flags = UV_THREAD_HAS_STACK_SIZE, .stack_size = STACK_SIZE};
    return uv_thread_create_ex(thread, &options, run, argument);
}

#else

/* What an instruction raises goes to the thread that runs it, and ends the process where that blocks it. */
static const int faults[] = {SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGTRAP};

int pod_thread_start(uv_thread_t *thread, void (*run)(void *argument), void *argument)
{
    const uv_thread_options_t options = {.flags = UV_THREAD_HAS_STACK_SIZE, .stack_size = STACK_SIZE};
    sigset_t sent, before;
    sigfillset(&sent);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        sigdelset(&sent, faults[i]);
    pthread_sigmask(SIG_SETMASK, &sent, &before);
    const int failure = uv_thread_create_ex(thread, &options, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure;
}

#endif

#ifdef __linux__ /* where 0 is the calling thread, not its process */

int pod_thread_nice(void)
{
    return getpriority(PRIO_PROCESS, 0);
}

bool pod_thread_set_nice(int nice)
{
    return setpriority(PRIO_PROCESS, 0, nice) == 0;
}

#else

int pod_thread_nice(void)
{
    return 0;
}

bool pod_thread_set_nice(int nice)
{
    (void)nice;
    return true;
}

#endif
