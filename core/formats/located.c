#define _GNU_SOURCE
/* located - paths of a context that keeps to one folder. See located.h. */

#include "formats/located.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "base/context.h"
#include "moonpod/formats.h"

#if defined(__linux__)
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif
#ifndef O_PATH /* of Linux */
#define O_PATH O_RDONLY
#endif

static pod_status refuse(pod_error *error, const char *path, const char *root)
{
    return pod_error_set(error, POD_ERROR_IO,
                         "%.400s: this is outside of '%.300s', the one folder that files are read from and written to "
                         "here: give a path below it, without '..' and symbolic links",
                         path, root);
}

/* Returns what stands behind the root in a path: a relative one lies below it. NULL: it is elsewhere. */
static const char *below(const char *path, const char *root)
{
    const size_t length = strlen(root);
    if (*path != '/')
        return path;
    if (strcmp(root, "/") == 0)
        return path + strspn(path, "/");
    if (strncmp(path, root, length) != 0 || (path[length] != '/' && path[length] != '\0'))
        return NULL;
    return path + length + strspn(path + length, "/");
}

static bool goes_up(const char *path)
{
    for (const char *part = path; *part != '\0'; part += strspn(part, "/")) {
        const size_t length = strcspn(part, "/");
        if (length == 2 && part[0] == '.' && part[1] == '.')
            return true;
        part += length;
    }
    return false;
}

/* Returns whether a part of a path below the root that is there is a symbolic link: `path` ends in it. */
static bool has_link(char *path, size_t root_length)
{
    for (char *at = path + root_length; *at != '\0';) {
        at += strspn(at, "/");
        at += strcspn(at, "/");
        const char kept = *at;
        struct stat about;
        *at = '\0';
        const bool there = lstat(path, &about) == 0;
        *at = kept;
        if (!there)
            return false;
        if (S_ISLNK(about.st_mode))
            return true;
    }
    return false;
}

pod_status pod_locate_file(pod_context *context, const char *path, char **located, pod_error *error)
{
    const char *root = pod_context_files(context);
    *located = NULL;
    if (root != NULL && *root == '\0')
        return pod_error_set(error, POD_ERROR_IO, "%.400s: files are switched off here (files = false)", path);
    const char *rest = root != NULL ? below(path, root) : NULL;
    if (root != NULL && (rest == NULL || goes_up(rest)))
        return refuse(error, path, root);
    const size_t size = strlen(path) + (root != NULL ? strlen(root) : 0) + 2;
    char *made = pod_allocate(context, size);
    if (made == NULL)
        return pod_error_memory(error, "a path", size);
    if (root == NULL) {
        strcpy(made, path);
    } else {
        const size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
        memcpy(made, root, length);
        made[length] = '/';
        strcpy(made + length + 1, rest);
        if (has_link(made, length)) {
            pod_free(context, made);
            return refuse(error, path, root);
        }
    }
    *located = made;
    return POD_OK;
}

#if defined(__linux__)

/* Opens what lies below a folder, part by part, where the system has no openat2(): Linux before 5.6, and what stands
 * between. Returns -1 with errno where that fails, be it by a link. */
static int open_by_parts(int folder, const char *rest, int flags, int mode)
{
    int at = folder;
    for (const char *part = rest;;) {
        char name[NAME_MAX + 1];
        part += strspn(part, "/");
        const size_t length = strcspn(part, "/");
        const bool is_last = part[length + strspn(part + length, "/")] == '\0';
        int found = -1;
        if (length > NAME_MAX) {
            errno = ENAMETOOLONG;
        } else if (length == 2 && part[0] == '.' && part[1] == '.') {
            errno = EXDEV;
        } else if (is_last && part[length] == '/' && (flags & O_CREAT) != 0) {
            errno = EISDIR;
        } else {
            snprintf(name, sizeof name, "%.*s", (int)length, part);
            const int how = is_last ? flags | (part[length] == '/' ? O_DIRECTORY : 0) : O_PATH | O_DIRECTORY;
            found = openat(at, length > 0 ? name : ".", how | O_NOFOLLOW | O_CLOEXEC, (mode_t)mode);
        }
        const int failure = errno;
        if (at != folder)
            (void)close(at);
        errno = failure;
        if (found < 0 || is_last)
            return found;
        at = found;
        part += length;
    }
}

#endif

int pod_format_open_located(pod_context *context, const char *path, int flags, int mode)
{
    uv_fs_t request;
#if defined(__linux__)
    const char *root = pod_context_files(context), *rest = root != NULL ? below(path, root) : NULL;
    if (root != NULL && rest == NULL)
        return UV_EACCES;
    if (rest != NULL) {
        const struct open_how how = {.flags = (uint64_t)(unsigned)(flags | O_CLOEXEC),
                                     .mode = (flags & O_CREAT) != 0 ? (uint64_t)(unsigned)mode : 0,
                                     .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
        const int folder = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder < 0)
            return uv_translate_sys_error(errno);
        const long opened = syscall(SYS_openat2, folder, *rest != '\0' ? rest : ".", &how, sizeof how);
        const int found = opened < 0 && errno == ENOSYS ? open_by_parts(folder, rest, flags, mode) : (int)opened;
        const int failure = errno;
        (void)close(folder);
        return found >= 0 ? found : uv_translate_sys_error(failure);
    }
#endif
    const int result = uv_fs_open(NULL, &request, path, flags, mode, NULL);
    uv_fs_req_cleanup(&request);
    return result;
}

/* ---- names --------------------------------------------------------------------------------------- */

static void close_folder(int folder)
{
    if (folder >= 0)
        (void)close(folder);
}

/* Opens the folder that the last part of a located path lies in; *name is that part. Where all files are allowed it is
 * the path, and *folder AT_FDCWD. Returns 0 or one of libuv's errors; *folder is closed by close_folder() also then. */
static int open_folder_of(pod_context *context, const char *path, int *folder, const char **name)
{
    char above[4096];
    *folder = AT_FDCWD;
    *name = path;
    if (pod_context_files(context) == NULL)
        return 0;
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] == '/')
        length--;
    while (length > 0 && path[length - 1] != '/')
        length--;
    if (length >= sizeof above)
        return UV_ENAMETOOLONG;
    *name = path + length;
    snprintf(above, sizeof above, "%.*s", (int)length, path);
    const int opened = pod_format_open_located(context, above, O_PATH | O_DIRECTORY, 0);
    if (opened < 0)
        return opened;
    *folder = opened;
    return 0;
}

int pod_format_rename_located(pod_context *context, const char *from, const char *to)
{
    const char *old, *new;
    int old_folder, new_folder = AT_FDCWD;
    int result = open_folder_of(context, from, &old_folder, &old);
    if (result == 0)
        result = open_folder_of(context, to, &new_folder, &new);
    if (result == 0 && renameat(old_folder, old, new_folder, new) != 0)
        result = uv_translate_sys_error(errno);
    close_folder(old_folder);
    close_folder(new_folder);
    return result;
}

int pod_format_remove_located(pod_context *context, const char *path)
{
    const char *name;
    int folder, result = open_folder_of(context, path, &folder, &name);
    if (result == 0 && unlinkat(folder, name, 0) != 0 &&
        ((errno != EISDIR && errno != EPERM) || unlinkat(folder, name, AT_REMOVEDIR) != 0))
        result = uv_translate_sys_error(errno);
    close_folder(folder);
    return result;
}

int pod_format_mode_located(pod_context *context, const char *path)
{
    const char *name;
    struct stat about;
    int folder, result = open_folder_of(context, path, &folder, &name);
    if (result == 0)
        result = fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0 ? (int)(about.st_mode & 0777)
                                                                         : uv_translate_sys_error(errno);
    close_folder(folder);
    return result;
}

int pod_format_make_located(pod_context *context, const char *path, int mode)
{
    const char *name;
    int folder, result = open_folder_of(context, path, &folder, &name);
    if (result == 0 && mkdirat(folder, name, (mode_t)mode) != 0)
        result = uv_translate_sys_error(errno);
    close_folder(folder);
    return result;
}

bool pod_format_is_folder_located(pod_context *context, const char *path)
{
    struct stat about;
    const char *root = pod_context_files(context);
    if (root == NULL || below(path, root) == NULL)
        return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    const int folder = pod_format_open_located(context, path, O_PATH | O_DIRECTORY, 0);
    close_folder(folder);
    return folder >= 0;
}
