#include "base/thread.h"

#include "base/context_parts.h"

#include <stddef.h>
#ifndef _WIN32
#include <pthread.h>
#include <signal.h>
#ifdef __linux__
#include <sys/resource.h>
#endif
#endif

static pod_context *account_of(pod_context *context)
{
    pod_context *root = pod_context_root(context);
    return root->account ? root->account : root;
}

int pod_threads_take(pod_context *context, int wanted)
{
    pod_context *account = account_of(context);
    int taken = atomic_load(&account->other_threads), got = wanted;
    do {
        const int left = account->all_threads - 1 - taken;
        if (account->all_threads > 0 && left < wanted)
            got = left > 0 ? left : 0;
    } while (!atomic_compare_exchange_weak(&account->other_threads, &taken, taken + got));
    return got;
}

void pod_threads_give_back(pod_context *context, int count)
{
    atomic_fetch_sub(&account_of(context)->other_threads, count);
}

#ifdef _WIN32

int pod_thread_start(uv_thread_t *thread, size_t stack, void (*run)(void *argument), void *argument)
{
    const uv_thread_options_t options = {.flags = UV_THREAD_HAS_STACK_SIZE, .stack_size = stack};
    return uv_thread_create_ex(thread, &options, run, argument);
}

#else

/* What an instruction raises goes to the thread that runs it, and ends the process where that blocks it. */
static const int faults[] = {SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGTRAP};

int pod_thread_start(uv_thread_t *thread, size_t stack, void (*run)(void *argument), void *argument)
{
    const uv_thread_options_t options = {.flags = UV_THREAD_HAS_STACK_SIZE, .stack_size = stack};
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
