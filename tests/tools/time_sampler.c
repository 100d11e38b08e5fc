/*
 * time_sampler - where the first thread of a process is, looked at by a timer: what perf does, where perf is not
 * allowed. Loaded in front of a program (LD_PRELOAD) with TIME_SAMPLER=PATH it writes to PATH, at the process' end, a
 * line for each sample: seconds of CLOCK_MONOTONIC, how many moments it stands for (those that passed while the thread
 * waited for a CPU count where it was found), the file that the instruction is of, and its place in that.
 */

#define _GNU_SOURCE /* dladdr(), SIGEV_THREAD_ID */

#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum { MOST = 1 << 20, NANOSECONDS = 200003 /* no multiple of the system's own times */ };

static struct sample {
    struct timespec time;
    uintptr_t at;
    unsigned weight;
} samples[MOST];
static volatile sig_atomic_t count;
static timer_t timer;
static const char *path;

static uintptr_t instruction_of(const void *context)
{
    const ucontext_t *thread = context;
#if defined(__x86_64__)
    return (uintptr_t)thread->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)thread->uc_mcontext.pc;
#else
    (void)thread;
    return 0;
#endif
}

static void look(int number, siginfo_t *info, void *context)
{
    (void)number;
    if (count == MOST)
        return;
    struct sample *one = &samples[count];
    clock_gettime(CLOCK_MONOTONIC, &one->time);
    one->at = instruction_of(context);
    one->weight = 1u + (unsigned)info->si_overrun;
    count = count + 1;
}

__attribute__((constructor)) static void begin(void)
{
    path = getenv("TIME_SAMPLER");
    if (!path || !*path)
        return;
    unsetenv("LD_PRELOAD"); /* not for what this process starts */
    struct sigaction action;
    struct sigevent event;
    memset(&action, 0, sizeof action);
    memset(&event, 0, sizeof event);
    action.sa_sigaction = look;
    action.sa_flags = SA_RESTART | SA_SIGINFO;
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGPROF;
    event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
    const struct itimerspec times = {{0, NANOSECONDS}, {0, NANOSECONDS}};
    if (sigaction(SIGPROF, &action, NULL) != 0 || timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 ||
        timer_settime(timer, 0, &times, NULL) != 0)
        path = NULL;
}

__attribute__((destructor)) static void end(void)
{
    if (!path || !*path)
        return;
    timer_delete(timer);
    FILE *file = fopen(path, "w");
    for (int i = 0; file && i < count; i++) {
        Dl_info about;
        const struct sample *one = &samples[i];
        const int known = dladdr((const void *)one->at, &about);
        fprintf(file, "%lld.%09ld %u %s %llx\n", (long long)one->time.tv_sec, one->time.tv_nsec, one->weight,
                known ? about.dli_fname : "?", (unsigned long long)(known ? one->at - (uintptr_t)about.dli_fbase : 0));
    }
    if (file)
        fclose(file);
}
