/* located - paths of a context that keeps to one folder. See located.h. */

#include "formats/located.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <uv.h>

#include "base/context.h"
#include "base/system/system.h"
#include "moonpod/formats.h"

static pod_status refuse(pod_error *error, const char *path, const char *root)
{
    return pod_error_set(error, POD_ERROR_IO,
                         "%.400s: this is outside of '%.300s', the one folder that files are read from and written to "
                         "here: give a path below it, without '..' and symbolic links",
                         path, root);
}

/* The bytes of a root without a '/' at its end. */
static size_t length_of(const char *root)
{
    const size_t length = strlen(root);
    return length > 0 && root[length - 1] == '/' ? length - 1 : length;
}

/* Returns what stands behind the root in a path: a relative one lies below it. NULL: it is elsewhere. */
static const char *below(const char *path, const char *root)
{
    const size_t length = length_of(root);
    if (!pod_system_is_absolute(path))
        return path;
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
        uv_fs_t request;
        *at = '\0';
        const int result = uv_fs_lstat(NULL, &request, path, NULL);
        *at = kept;
        const bool is_link = result == 0 && (request.statbuf.st_mode & S_IFMT) == S_IFLNK;
        uv_fs_req_cleanup(&request);
        if (result != 0 || is_link)
            return is_link;
    }
    return false;
}

pod_status pod_locate_file(pod_context *context, const char *path, char **located, pod_error *error)
{
    const char *root = pod_context_files(context);
    *located = NULL;
    if (root != NULL && *root == '\0')
        return pod_error_set(error, POD_ERROR_IO, "%.400s: files are switched off here (files = false)", path);
    const size_t length = root != NULL ? length_of(root) : 0, size = length + strlen(path) + 2;
    char *made = pod_allocate(context, size);
    if (made == NULL)
        return pod_error_memory(error, "a path", size);
    char *own = root != NULL ? made + length + 1 : made;
    strcpy(own, path);
    pod_system_use_slashes(own);
    if (root != NULL) {
        const char *rest = below(own, root);
        bool is_within = rest != NULL && !goes_up(rest) && pod_system_is_plain(rest);
        if (is_within) {
            memmove(own, rest, strlen(rest) + 1);
            memcpy(made, root, length);
            made[length] = '/';
            is_within = !has_link(made, length);
        }
        if (!is_within) {
            pod_free(context, made);
            return refuse(error, path, root);
        }
    }
    *located = made;
    return POD_OK;
}

/* ---- what is done there: a path that is located lies below the root, or there is none ----------------- */

/* Finds what lies below the root of a located path; false where that lies elsewhere. */
static bool find_root(pod_context *context, const char **path, const char **root)
{
    *root = pod_context_files(context);
    if (*root != NULL)
        *path = below(*path, *root);
    return *path != NULL;
}

int pod_format_open_located(pod_context *context, const char *path, int flags, int mode)
{
    const char *root;
    return find_root(context, &path, &root) ? pod_system_open(root, path, flags, mode) : UV_EACCES;
}

int pod_format_rename_located(pod_context *context, const char *from, const char *to)
{
    const char *root;
    const bool found = find_root(context, &from, &root) && find_root(context, &to, &root);
    return found ? pod_system_rename(root, from, to) : UV_EACCES;
}

int pod_format_remove_located(pod_context *context, const char *path)
{
    const char *root;
    return find_root(context, &path, &root) ? pod_system_remove(root, path) : UV_EACCES;
}

int pod_format_mode_located(pod_context *context, const char *path)
{
    const char *root;
    return find_root(context, &path, &root) ? pod_system_mode(root, path) : UV_EACCES;
}

int pod_format_make_located(pod_context *context, const char *path, int mode)
{
    const char *root;
    return find_root(context, &path, &root) ? pod_system_make_folder(root, path, mode) : UV_EACCES;
}

bool pod_format_is_folder_located(pod_context *context, const char *path)
{
    const char *root, *whole = path; /* that of a folder above the root, too */
    return find_root(context, &path, &root) ? pod_system_is_folder(root, path) : pod_system_is_folder(NULL, whole);
}

void pod_format_each_name_located(pod_context *context, const char *path, void (*each)(void *closure, const char *name),
                                  void *closure)
{
    const char *root;
    if (find_root(context, &path, &root))
        pod_system_each_name(root, path, each, closure);
}
