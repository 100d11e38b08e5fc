/* host_posix - see host_system.h. */

#ifndef _WIN32

#include "base/system/host/host_system.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

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

#endif
