/* unfinished - files that are being written, and those that nobody writes any more. */

#include "formats/unfinished.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/context.h"
#include "formats/located.h"
#include "formats/symlinks.h"
#include "moonpod/formats.h"

/* File systems without locks say otherwise than EWOULDBLOCK: nobody cleans up there. */
static bool is_locked_by_others(int file)
{
    int result;
    do
        result = flock(file, LOCK_EX | LOCK_NB);
    while (result != 0 && errno == EINTR);
    return result != 0 && errno == EWOULDBLOCK;
}

bool pod_format_hold_unfinished(int file)
{
    struct stat about;
    return !is_locked_by_others(file) && (fstat(file, &about) != 0 || about.st_nlink > 0);
}

/* Returns whether `name` is that of `base` while it is written: "base.1a2b.part". */
static bool is_unfinished(const char *name, const char *base)
{
    const size_t length = strlen(base), suffix = strlen(POD_UNFINISHED_SUFFIX);
    if (strncmp(name, base, length) != 0 || name[length] != '.')
        return false;
    const char *digits = name + length + 1;
    const size_t count = strspn(digits, "0123456789abcdef");
    return count > 0 && strlen(digits) == count + suffix && strcmp(digits + count, POD_UNFINISHED_SUFFIX) == 0;
}

/* Returns whether a name is still that of a file which is open: its writer may have given it another meanwhile. */
static bool is_named(pod_context *context, const char *path, const struct stat *about)
{
    struct stat named;
    const int other = pod_format_open_located(context, path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW, 0);
    const bool is =
        other >= 0 && fstat(other, &named) == 0 && named.st_ino == about->st_ino && named.st_dev == about->st_dev;
    if (other >= 0)
        (void)close(other);
    return is;
}

/* The lock that its writer would have is free, and is held here while the name goes. */
void pod_format_remove_unheld(pod_context *context, const char *path)
{
    struct stat about;
    const int file = pod_format_open_located(context, path, O_RDWR | O_NONBLOCK | O_NOFOLLOW, 0);
    if (file < 0)
        return;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && flock(file, LOCK_EX | LOCK_NB) == 0 &&
        is_named(context, path, &about))
        (void)pod_format_remove_located(context, path);
    (void)close(file);
}

/* Deletes what was left of a file whose name is no link. */
static pod_status remove_of_file(pod_context *context, const char *path, pod_error *error)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    const size_t length = (size_t)(base - path), size = length + NAME_MAX + 2;
    char *name = pod_allocate(context, size);
    if (name == NULL)
        return pod_error_memory(error, "a path", size);
    memcpy(name, path, length);
    memcpy(name + length, ".", 2); /* "a/b/." or "." */
    const int folder = pod_format_open_located(context, name, O_RDONLY | O_DIRECTORY, 0);
    DIR *entries = folder >= 0 ? fdopendir(folder) : NULL;
    if (entries == NULL && folder >= 0)
        (void)close(folder);
    for (const struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;)
        if (is_unfinished(entry->d_name, base)) {
            snprintf(name + length, size - length, "%s", entry->d_name);
            pod_format_remove_unheld(context, name);
        }
    if (entries != NULL)
        (void)closedir(entries);
    pod_free(context, name);
    return POD_OK;
}

pod_status pod_remove_unfinished(pod_context *context, const char *path, pod_error *error)
{
    char *file = NULL, *located;
    pod_status status = pod_locate_file(context, path, &located, error);
    if (status == POD_OK)
        status = pod_format_follow_links(context, located, &file, error);
    if (status == POD_OK)
        status = remove_of_file(context, file, error);
    pod_free(context, file);
    pod_free(context, located);
    return status == POD_ERROR_IO ? POD_OK : status; /* a link that leads to itself: nothing was written through it */
}
