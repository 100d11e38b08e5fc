/* host_files - files that a host reads and writes by functions of its own. See moonpod/formats.h. */

#include <string.h>
#include <uv.h>

#include "base/context.h"
#include "base/system/system.h"
#include "formats/located.h"
#include "formats/writer.h"
#include "moonpod/formats.h"

static pod_status say(pod_error *error, const char *path, const char *what, int failure)
{
    const bool absent = failure == UV_ENOENT || failure == UV_ENOTDIR;
    return pod_error_set(error, absent ? POD_ERROR_NOT_FOUND : POD_ERROR_IO, "%s: %s: %s", path, what,
                         uv_strerror(failure));
}

pod_status pod_open_file(pod_context *context, const char *path, const char *mode, int *file, pod_error *error)
{
    const int flags = *mode == 'r'   ? UV_FS_O_RDONLY
                      : *mode == 'w' ? UV_FS_O_WRONLY | UV_FS_O_CREAT | UV_FS_O_TRUNC
                      : *mode == 'a' ? UV_FS_O_WRONLY | UV_FS_O_CREAT | UV_FS_O_APPEND
                                     : -1;
    char *located;
    *file = -1;
    if (flags == -1 || (mode[1] != '\0' && strcmp(mode + 1, "b") != 0))
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the mode is \"%.8s\"; it must be \"r\", \"w\" or \"a\"", mode);
    const pod_status status = pod_locate_file(context, path, &located, error);
    if (status != POD_OK)
        return status;
    const int opened = pod_system_leave_streams(pod_format_open_located(context, located, flags, 0666));
    pod_free(context, located);
    if (opened < 0)
        return say(error, path, "cannot open", opened);
    *file = opened;
    return POD_OK;
}

pod_status pod_sync_file(pod_context *context, const char *path, pod_error *error)
{
    uv_fs_t request;
    char *located;
    const pod_status status = pod_locate_file(context, path, &located, error);
    if (status != POD_OK)
        return status;
    const int file = pod_system_leave_streams(pod_format_open_located(context, located, UV_FS_O_RDWR, 0));
    int result = file;
    if (file >= 0) {
        result = uv_fs_fsync(NULL, &request, file, NULL);
        uv_fs_req_cleanup(&request);
        result = result == UV_EINVAL || result == UV_ENOTSUP ? 0 : result; /* file systems and pipes without it */
        (void)uv_fs_close(NULL, &request, file, NULL);
        uv_fs_req_cleanup(&request);
        if (result >= 0)
            result = pod_format_sync_name(located);
    }
    pod_free(context, located);
    return result < 0 && result != UV_ENOENT ? say(error, path, "cannot see the file onto the disk", result) : POD_OK;
}

pod_status pod_remove_file(pod_context *context, const char *path, pod_error *error)
{
    char *located;
    const pod_status status = pod_locate_file(context, path, &located, error);
    if (status != POD_OK)
        return status;
    for (size_t length = strlen(located); length > 1 && located[length - 1] == '/'; length--)
        located[length - 1] = '\0';
    const int result = pod_format_remove_located(context, located);
    pod_free(context, located);
    return result < 0 ? say(error, path, "cannot delete", result) : POD_OK;
}
