/* host_posix - see host_system.h. */

#ifndef _WIN32

#define _GNU_SOURCE /* wcwidth(), ppoll(), pipe2() */

#include "base/system/host/host_system.h"

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

uint64_t pod_host_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

bool pod_host_is_terminal(int file)
{
    return isatty(file) != 0;
}

int pod_host_columns(void)
{
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool pod_host_path_of(int file, char *path, size_t size)
{
    return snprintf(path, size, "/proc/self/fd/%d", file) < (int)size;
}

void pod_host_close(int file)
{
    (void)close(file);
}

#ifdef __APPLE__

int pod_host_poll(struct pollfd *files, size_t count, const struct timespec *time, const sigset_t *signals)
{
    fd_set waited;
    int limit = 0;
    FD_ZERO(&waited);
    for (size_t i = 0; i < count; i++)
        if (files[i].fd >= 0 && files[i].fd < FD_SETSIZE) {
            FD_SET(files[i].fd, &waited);
            limit = files[i].fd >= limit ? files[i].fd + 1 : limit;
        }
    const int ready = pselect(limit, &waited, NULL, NULL, time, signals);
    for (size_t i = 0; i < count; i++) {
        const bool has = ready > 0 && files[i].fd >= 0 && files[i].fd < FD_SETSIZE && FD_ISSET(files[i].fd, &waited);
        files[i].revents = has ? POLLIN : 0;
    }
    return ready;
}

bool pod_host_pipe(int ends[2])
{
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

#else

int pod_host_poll(struct pollfd *files, size_t count, const struct timespec *time, const sigset_t *signals)
{
    return ppoll(files, (nfds_t)count, time, signals);
}

bool pod_host_pipe(int ends[2])
{
    return pipe2(ends, O_CLOEXEC) == 0;
}

#endif

void pod_host_begin(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0)
            (void)!open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

const char *pod_host_home(void)
{
    return getenv("HOME");
}

bool pod_host_is_named(int file, const char *path)
{
    struct stat opened, named;
    return fstat(file, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

bool pod_host_is_absolute(const char *path)
{
    return path != NULL && path[0] == '/';
}

void pod_host_use_slashes(char *path)
{
    (void)path; /* a '\\' may be part of a name */
}

/* The locale that knows characters beyond ASCII; where the system has none the user's, and at last what is set. */
static locale_t find_locale(void)
{
    locale_t found = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (found == (locale_t)0)
        found = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    return found != (locale_t)0 ? found : LC_GLOBAL_LOCALE;
}

int pod_host_width(uint32_t character)
{
    static locale_t unicode;
    if (unicode == (locale_t)0)
        unicode = find_locale();
    const locale_t before = uselocale(unicode);
    const int width = wcwidth((wchar_t)character);
    (void)uselocale(before);
    return width;
}

#endif
