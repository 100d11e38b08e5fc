/* on_all - what all systems have in one way: see system.h. */

#include "base/system/system.h"

bool pod_system_has_threads(void)
{
#ifdef __EMSCRIPTEN__
    return false;
#else
    return true;
#endif
}

int pod_system_open(const char *root, const char *path, int flags, int mode)
{
    uv_fs_t request;
    if (root != NULL)
        return pod_system_open_below(root, path, flags, mode);
    const int result = uv_fs_open(NULL, &request, path, flags, mode, NULL);
    uv_fs_req_cleanup(&request);
    return result;
}
