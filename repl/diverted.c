#include "diverted.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/system/host/host_system.h"
#include "editor/byte_string.h"

enum { LOWEST = 10 }; /* descriptors below belong to scripts of the shell */

static int pipe_ends[2] = {-1, -1};
static volatile sig_atomic_t is_on; /* between diverted_begin() and diverted_end() */
static int kept[2] = {-1, -1};      /* standard output and standard error as they were; -1: not diverted */

/* Guards what follows, and who reads the pipe. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static bool reads; /* the thread has to read */
static byte_string written;

static byte_string taken;

/* Takes what is in the pipe; nobody waits for more. */
static void drain(void)
{
    char bytes[65536];
    for (;;) {
        const ssize_t got = read(pipe_ends[0], bytes, sizeof bytes);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            return;
        if (got > 0)
            (void)byte_string_add(&written, bytes, (size_t)got);
    }
}

/* Reads while nobody else does, so that a pipe that is full stops nobody. */
static void *read_meanwhile(void *nothing)
{
    struct pollfd source = {.fd = pipe_ends[0], .events = POLLIN};
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!reads)
            pthread_cond_wait(&turned, &lock);
        pthread_mutex_unlock(&lock);
        (void)poll(&source, 1, -1);
        pthread_mutex_lock(&lock);
        if (reads)
            drain();
        pthread_mutex_unlock(&lock);
    }
    return nothing;
}

/* Signals are for the thread that edits. */
static bool start_reader(void)
{
    sigset_t all, before;
    pthread_t reader;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(&reader, NULL, read_meanwhile, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started)
        pthread_detach(reader);
    return started;
}

static bool open_pipe(void)
{
    if (pipe_ends[0] >= 0)
        return true;
    if (!pod_host_pipe(pipe_ends))
        return false;
    (void)fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
    if (start_reader())
        return true;
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    pipe_ends[0] = pipe_ends[1] = -1;
    return false;
}

static void set_reads(bool on)
{
    pthread_mutex_lock(&lock);
    reads = on;
    pthread_cond_signal(&turned);
    pthread_mutex_unlock(&lock);
}

void diverted_begin(void)
{
    fflush(stdout);
    fflush(stderr);
    if (is_on || !open_pipe())
        return;
    for (int i = 0; i < 2; i++) {
        const int descriptor = i == 0 ? STDOUT_FILENO : STDERR_FILENO;
        kept[i] = isatty(descriptor) ? fcntl(descriptor, F_DUPFD_CLOEXEC, LOWEST) : -1;
        if (kept[i] >= 0)
            (void)dup2(pipe_ends[1], descriptor);
    }
    is_on = 1;
    set_reads(true);
}

int diverted_terminal(void)
{
    return is_on && kept[0] >= 0 ? kept[0] : STDOUT_FILENO;
}

void diverted_write(const char *bytes, size_t size)
{
    (void)byte_string_write(diverted_terminal(), bytes, size);
}

static void restore(void)
{
    if (kept[0] >= 0)
        (void)dup2(kept[0], STDOUT_FILENO);
    if (kept[1] >= 0)
        (void)dup2(kept[1], STDERR_FILENO);
    is_on = 0;
}

void diverted_end(void)
{
    size_t size;
    if (!is_on)
        return;
    fflush(stdout);
    fflush(stderr);
    restore();
    const char *bytes = diverted_take(&size);
    diverted_write(bytes, size);
    set_reads(false);
    for (int i = 0; i < 2; i++)
        if (kept[i] >= 0)
            close(kept[i]);
    kept[0] = kept[1] = -1;
}

void diverted_end_at_once(void)
{
    char bytes[4096];
    ssize_t got;
    if (!is_on)
        return;
    restore();
    while ((got = read(pipe_ends[0], bytes, sizeof bytes)) > 0)
        diverted_write(bytes, (size_t)got);
}

int diverted_source(void)
{
    return is_on ? pipe_ends[0] : -1;
}

bool diverted_begin_wait(void)
{
    if (!is_on)
        return false;
    set_reads(false);
    return written.size > 0;
}

void diverted_end_wait(void)
{
    if (is_on)
        set_reads(true);
}

const char *diverted_take(size_t *size)
{
    const byte_string before = taken;
    pthread_mutex_lock(&lock);
    if (pipe_ends[0] >= 0)
        drain();
    taken = written;
    written = before;
    written.size = 0;
    pthread_mutex_unlock(&lock);
    *size = taken.size;
    return taken.data != NULL ? taken.data : "";
}
