/* host_posix - see host_system.h. */

#ifndef _WIN32

#define _GNU_SOURCE /* wcwidth() */

#include "base/system/host/host_system.h"

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
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
