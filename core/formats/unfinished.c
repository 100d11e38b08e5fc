/* unfinished - files that are being written, and those that nobody writes any more. */

#include "formats/unfinished.h"

#include <string.h>
#include <sys/stat.h>
#include <uv.h>

#include "base/context.h"
#include "base/system/system.h"
#include "formats/located.h"
#include "formats/symlinks.h"
#include "moonpod/formats.h"

#define LONGEST_NAME 1024 /* bytes of a name in a folder, at most */

static bool look_at(int file, uv_stat_t *about)
{
    uv_fs_t request;
    const int result = uv_fs_fstat(NULL, &request, file, NULL);
    *about = request.statbuf;
    uv_fs_req_cleanup(&request);
    return result == 0;
}

static void close_file(int file)
{
    uv_fs_t request;
    (void)uv_fs_close(NULL, &request, file, NULL);
    uv_fs_req_cleanup(&request);
}

/* File systems without locks say otherwise than UV_EAGAIN: nobody cleans up there. */
bool pod_format_hold_unfinished(int file)
{
    uv_stat_t about;
    return pod_system_lock(file) != UV_EAGAIN && (!look_at(file, &about) || about.st_nlink > 0);
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

/* How such a file is opened: no other file that has its name keeps us waiting, or is led to. */
#define OPEN_AS_IT_IS (UV_FS_O_NONBLOCK | UV_FS_O_NOFOLLOW)

/* Returns whether a name is still that of a file which is open: its writer may have given it another meanwhile. */
static bool is_named(pod_context *context, const char *path, const uv_stat_t *about)
{
    uv_stat_t named;
    const int other = pod_format_open_located(context, path, UV_FS_O_RDONLY | OPEN_AS_IT_IS, 0);
    if (other < 0)
        return false;
    const bool is = look_at(other, &named) && named.st_ino == about->st_ino && named.st_dev == about->st_dev;
    close_file(other);
    return is;
}

/* The lock that its writer would have is free, and is held here while the name goes. */
void pod_format_remove_unheld(pod_context *context, const char *path)
{
    uv_stat_t about;
    const int file = pod_format_open_located(context, path, UV_FS_O_RDWR | OPEN_AS_IT_IS, 0);
    if (file < 0)
        return;
    if (look_at(file, &about) && (about.st_mode & S_IFMT) == S_IFREG && pod_system_lock(file) == 0 &&
        is_named(context, path, &about))
        (void)pod_format_remove_located(context, path);
    close_file(file);
}

typedef struct {
    pod_context *context;
    const char *base; /* the name that others are that of while they are written */
    char *path;       /* with room for a name from `length` on */
    size_t length, size;
} cleaning;

static void remove_if_unfinished(void *closure, const char *name)
{
    cleaning *of = closure;
    if (strlen(name) >= of->size - of->length || !is_unfinished(name, of->base))
        return;
    strcpy(of->path + of->length, name);
    pod_format_remove_unheld(of->context, of->path);
}

/* Deletes what was left of a file whose name is no link. */
static pod_status remove_of_file(pod_context *context, const char *path, pod_error *error)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    const size_t length = (size_t)(base - path), size = length + LONGEST_NAME + 1;
    cleaning of = {context, base, pod_allocate(context, 2 * size), length, size};
    if (of.path == NULL)
        return pod_error_memory(error, "a path", 2 * size);
    char *folder = of.path + size;
    memcpy(of.path, path, length);
    memcpy(folder, path, length);
    memcpy(folder + length, ".", 2); /* "a/b/." or "." */
    pod_format_each_name_located(context, folder, remove_if_unfinished, &of);
    pod_free(context, of.path);
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
