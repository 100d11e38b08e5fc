/* folder - makes a folder and those above it. */

#include <string.h>
#include <uv.h>

#include "base/context.h"
#include "formats/located.h"
#include "formats/writer.h"
#include "moonpod/formats.h"

pod_status pod_format_make_directory(pod_context *context, const char *path, int mode, pod_error *error)
{
    int result = pod_format_make_located(context, path, mode);
    if (result == 0)
        result = pod_format_sync_name(path);
    if (result < 0 && result != UV_EEXIST)
        return pod_error_set(error, result == UV_ENOENT ? POD_ERROR_NOT_FOUND : POD_ERROR_IO,
                             "%s: cannot make the directory: %s", path, uv_strerror(result));
    return POD_OK;
}

pod_status pod_format_make_folders(pod_context *context, const char *path, int mode, pod_error *error)
{
    if (pod_format_is_folder_located(context, path))
        return POD_OK;
    char *part = pod_copy_text(context, path);
    if (part == NULL)
        return pod_error_memory(error, "a path", strlen(path) + 1);
    pod_status status = POD_OK;
    for (char *slash = part; status == POD_OK && *slash != '\0' && (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '\0';
        if (!pod_format_is_folder_located(context, part))
            status = pod_format_make_directory(context, part, mode, error);
        *slash = '/';
    }
    if (status == POD_OK)
        status = pod_format_make_directory(context, path, mode, error);
    pod_free(context, part);
    if (status == POD_OK && !pod_format_is_folder_located(context, path))
        status = pod_error_set(error, POD_ERROR_IO, "%s: cannot make the folder: a file has this name", path);
    return status;
}

pod_status pod_make_folder(pod_context *context, const char *path, pod_error *error)
{
    char *located;
    pod_status status = pod_locate_file(context, path, &located, error);
    if (status == POD_OK)
        status = pod_format_make_folders(context, located, 0777, error);
    pod_free(context, located);
    return status;
}
