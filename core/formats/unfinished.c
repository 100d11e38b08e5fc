/* unfinished - files that are being written, and those that nobody writes any more. */

#include "formats/unfinished.h"

#if defined(__unix__) || defined(__APPLE__)
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#endif
#include <string.h>
#include <uv.h>

#include "base/context.h"
#include "formats/symlinks.h"
#include "moonpod/formats.h"

#if defined(__unix__) || defined(__APPLE__)

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

/* Deletes a file where the lock that its writer would have is free. */
static void remove_unheld(const char *path)
{
    struct stat about;
    const int file = open(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && flock(file, LOCK_EX | LOCK_NB) == 0)
        (void)unlink(path);
    (void)close(file);
}

#else

bool pod_format_hold_unfinished(int file)
{
    (void)file;
    return true;
}

static void remove_unheld(const char *path)
{
    (void)path;
}

#endif

/* Whether `name` is that of `base` while it is written: "base.1a2b.part". */
static bool is_unfinished(const char *name, const char *base)
{
    const size_t length = strlen(base), suffix = strlen(POD_UNFINISHED_SUFFIX);
    if (strncmp(name, base, length) != 0 || name[length] != '.')
        return false;
    const char *digits = name + length + 1;
    const size_t count = strspn(digits, "0123456789abcdef");
    return count > 0 && strlen(digits) == count + suffix && strcmp(digits + count, POD_UNFINISHED_SUFFIX) == 0;
}

/* Deletes what was left of a file whose name is no link. */
static pod_status remove_of_file(pod_context *context, const char *path, pod_error *error)
{
    uv_fs_t request;
    uv_dirent_t entry;
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    const size_t folder_length = (size_t)(base - path);
    char *folder = pod_allocate(context, folder_length + 2);
    if (folder == NULL)
        return pod_error_memory(error, "a path", folder_length + 2);
    memcpy(folder, path, folder_length);
    memcpy(folder + folder_length, ".", 2); /* "a/b/." or "." */
    pod_status status = POD_OK;
    const int count = uv_fs_scandir(NULL, &request, folder, 0, NULL);
    /* To the end also after a failure: libuv keeps the last entry where it was not asked for one more. */
    while (count > 0 && uv_fs_scandir_next(&request, &entry) == 0) {
        if (status != POD_OK || !is_unfinished(entry.name, base))
            continue;
        const size_t size = folder_length + strlen(entry.name) + 1;
        char *found = pod_allocate(context, size);
        if (found == NULL) {
            status = pod_error_memory(error, "a path", size);
            continue;
        }
        memcpy(found, path, folder_length);
        memcpy(found + folder_length, entry.name, size - folder_length);
        remove_unheld(found);
        pod_free(context, found);
    }
    uv_fs_req_cleanup(&request);
    pod_free(context, folder);
    return status;
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
