/* symlinks - what a name stands for. */

#include "formats/symlinks.h"

#include <string.h>
#include <uv.h>

#include "base/context.h"

/* More links than this in a row are a circle, as the system has it. */
#define MOST_LINKS 40

/* The text of a link, NULL where `path` is none or there is no memory; *failure says which. */
static char *read_link(pod_context *context, const char *path, bool *failed)
{
    uv_fs_t request;
    char *target = NULL;
    if (uv_fs_readlink(NULL, &request, path, NULL) == 0) {
        target = pod_copy_text(context, request.ptr);
        *failed = target == NULL;
    }
    uv_fs_req_cleanup(&request);
    return target;
}

/* The path of a link's target, which is looked up from the link's folder; frees both. NULL: no memory. */
static char *join(pod_context *context, char *link, char *target)
{
    const char *slash = strrchr(link, '/');
    if (target[0] == '/' || slash == NULL) {
        pod_free(context, link);
        return target;
    }
    const size_t folder = (size_t)(slash - link) + 1, size = strlen(target) + 1;
    char *joined = pod_allocate(context, folder + size);
    if (joined != NULL) {
        memcpy(joined, link, folder);
        memcpy(joined + folder, target, size);
    }
    pod_free(context, link);
    pod_free(context, target);
    return joined;
}

pod_status pod_format_follow_links(pod_context *context, const char *path, char **found, pod_error *error)
{
    char *now = pod_copy_text(context, path);
    if (now != NULL && pod_context_files(context) != NULL) {
        *found = now; /* below its folder a context follows none */
        return POD_OK;
    }
    for (int links = 0; now != NULL; links++) {
        bool failed = false;
        char *target = read_link(context, now, &failed);
        if (target == NULL && !failed) {
            *found = now;
            return POD_OK;
        }
        if (failed || links == MOST_LINKS) {
            pod_free(context, target);
            pod_free(context, now);
            if (!failed)
                return pod_error_set(error, POD_ERROR_IO, "%s: cannot create: the link leads to itself", path);
            break;
        }
        now = join(context, now, target);
    }
    *found = NULL;
    return pod_error_memory(error, "a path", strlen(path) + 1);
}
