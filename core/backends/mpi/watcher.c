/* watcher - see watcher.h. It runs in a child of fork(), so it takes no memory and no lock. */

#define _GNU_SOURCE
#include "backends/mpi/watcher.h"

#include "base/system/system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_NOTED 4 /* paths that are remembered: those of the last files that were begun */

/* What rank 0 has noted. A file is there once it is whole, so the newest that is there is looked for when one died. */
static struct {
    char paths[MOST_NOTED][POD_MPI_WATCHED_PATH];
    uint32_t count;
    char partial[POD_MPI_WATCHED_PATH];
    size_t size;
} noted;

static void note_path(const char *path)
{
    for (uint32_t i = 0; i < MOST_NOTED; i++)
        if (strcmp(noted.paths[i], path) == 0)
            return;
    memcpy(noted.paths[noted.count++ % MOST_NOTED], path, strlen(path) + 1);
}

/* Takes bytes of a line: paths; returns whether there is a farewell, which comes last. */
static bool take(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (noted.size == 0 && bytes[i] == POD_MPI_WATCHED_FAREWELL)
            return true;
        if (noted.size < sizeof noted.partial)
            noted.partial[noted.size++] = bytes[i];
        if (bytes[i] != '\0')
            continue;
        noted.partial[sizeof noted.partial - 1] = '\0';
        note_path(noted.partial);
        noted.size = 0;
    }
    return false;
}

static bool is_newer(const struct stat *a, const struct stat *b)
{
    return a->st_mtim.tv_sec != b->st_mtim.tv_sec ? a->st_mtim.tv_sec > b->st_mtim.tv_sec
                                                  : a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

/* The newest file of those that were noted, or NULL. */
static const char *newest_file(void)
{
    const char *newest = NULL;
    struct stat best = {0}, one;
    for (uint32_t i = 0; i < MOST_NOTED; i++)
        if (noted.paths[i][0] && stat(noted.paths[i], &one) == 0 && (!newest || is_newer(&one, &best))) {
            newest = noted.paths[i];
            best = one;
        }
    return newest;
}

static void tell(const pod_mpi_watcher *watcher, int32_t rank)
{
    static char text[POD_MPI_WATCHED_PATH + 256];
    const char *newest = newest_file();
    const int size = snprintf(text, sizeof text,
                              newest ? "moonpod: rank %d on %s has died, and so the run ends. The newest checkpoint is "
                                       "%s\n"
                                     : "moonpod: rank %d on %s has died, and so the run ends. There is no checkpoint: "
                                       "pod.callbacks.backup_and_restore keeps one\n",
                              rank, watcher->hosts[rank], newest);
    if (size > 0)
        (void)!write(STDERR_FILENO, text, (size_t)size);
}

/* Keeps the lines, and standard error. What a launcher knows rank 0 by it must not find here. */
static void close_others(const pod_mpi_watcher *watcher)
{
    unsigned from = STDERR_FILENO + 1;
    for (;;) {
        unsigned next = UINT_MAX;
        for (int32_t i = 0; i < watcher->count; i++)
            if (watcher->lines[i] >= (int)from && (unsigned)watcher->lines[i] < next)
                next = (unsigned)watcher->lines[i];
        if (next > from)
            pod_system_close_files(from, next == UINT_MAX ? next : next - 1);
        if (next == UINT_MAX)
            break;
        from = next + 1;
    }
    const int empty = open("/dev/null", O_RDWR);
    if (empty < 0 || dup2(empty, STDIN_FILENO) < 0 || dup2(empty, STDOUT_FILENO) < 0)
        _exit(1);
    (void)close(empty);
}

static void be_apart(const pod_mpi_watcher *watcher)
{
    sigset_t none;
    for (int i = 1; i < NSIG; i++)
        (void)signal(i, SIG_DFL);
    (void)signal(SIGPIPE, SIG_IGN);
    sigemptyset(&none);
    (void)pthread_sigmask(SIG_SETMASK, &none, NULL);
    close_others(watcher);
}

/* Lines come in the order in which they became ready, so the first that ends is that of the rank that died first, also
 * where a launcher has ended all others before this process runs. Each is read once in its turn. */
static _Noreturn void watch(const pod_mpi_watcher *watcher)
{
    int32_t left = 0;
    be_apart(watcher);
    const int all = epoll_create1(EPOLL_CLOEXEC);
    for (int32_t i = 0; i < watcher->count; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)i};
        left += watcher->lines[i] >= 0 && epoll_ctl(all, EPOLL_CTL_ADD, watcher->lines[i], &event) == 0;
    }
    while (left > 0) {
        struct epoll_event event;
        char bytes[POD_MPI_WATCHED_PATH];
        const int ready = epoll_wait(all, &event, 1, -1);
        if (ready < 0 && errno != EINTR)
            break;
        if (ready <= 0)
            continue;
        const int32_t rank = (int32_t)event.data.u32;
        const ssize_t size = read(watcher->lines[rank], bytes, sizeof bytes);
        if (size < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (size <= 0) {
            tell(watcher, rank);
            _exit(0);
        }
        if (take(bytes, (size_t)size)) {
            (void)epoll_ctl(all, EPOLL_CTL_DEL, watcher->lines[rank], NULL);
            left--;
        }
    }
    _exit(0);
}

/* The parent of the process ends at once: so no launcher finds it among those of rank 0. */
bool pod_mpi_watcher_start(const pod_mpi_watcher *watcher)
{
    int state = 1;
    const pid_t child = fork();
    if (child == 0) {
        const pid_t own = setsid() >= 0 ? fork() : -1;
        if (own == 0)
            watch(watcher);
        _exit(own < 0);
    }
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR)
        continue;
    return child > 0 && state == 0;
}
