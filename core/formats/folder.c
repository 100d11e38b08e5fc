/* folder - makes a folder and those above it. */

#include <string.h>
#include <uv.h>

#include "base/context.h"
#include "formats/writer.h"
#include "moonpod/formats.h"

static bool is_folder(const char *path)
{
    uv_fs_t request;
    const bool is = uv_fs_stat(NULL, &request, path, NULL) == 0 && (request.statbuf.st_mode & 0170000) == 0040000;
    uv_fs_req_cleanup(&request);
    return is;
}

pod_status pod_format_make_folders(pod_context *context, const char *path, int mode, pod_error *error)
{
    if (is_folder(path))
        return POD_OK;
    char *part = pod_copy_text(context, path);
    if (part == NULL)
        return pod_error_memory(error, "a path", strlen(path) + 1);
    pod_status status = POD_OK;
    for (char *slash = part; status == POD_OK && *slash != '\0' && (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '\0';
        if (!is_folder(part))
            status = pod_format_make_directory(part, mode, error);
        *slash = '/';
    }
    if (status == POD_OK)
        status = pod_format_make_directory(path, mode, error);
    pod_free(context, part);
    if (status == POD_OK && !is_folder(path))
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
