/* without_backends - what the backends are in a build without them, for systems where no library is loaded and no
 * process started by them. */

#ifdef POD_WITHOUT_BACKENDS

#include "base/error.h"
#include "moonpod/compiler.h"
#include "moonpod/device.h"
#include "moonpod/ranks.h"

static pod_status without(const char *what, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_UNSUPPORTED, "this build has no %s: it was made for a system without them",
                         what);
}

pod_status pod_device_open(pod_context *context, const pod_device_question *question, pod_device **device,
                           pod_error *error)
{
    (void)context, (void)question;
    *device = NULL;
    return without("plugins of accelerators (PJRT)", error);
}

pod_status pod_device_ask_memory(const pod_device *device, int32_t index, pod_device_memory *memory, pod_error *error)
{
    (void)device, (void)index;
    *memory = (pod_device_memory){0};
    return without("plugins of accelerators (PJRT)", error);
}

pod_status pod_compiler_memory(pod_context *context, const pod_compiler_question *question, pod_compiled_memory *memory,
                               pod_error *error)
{
    (void)context, (void)question;
    *memory = (pod_compiled_memory){0};
    return without("compilers of accelerators (PJRT)", error);
}

pod_status pod_ranks_open(pod_context *context, const pod_ranks_options *options, pod_ranks **ranks, pod_error *error)
{
    (void)context, (void)options;
    *ranks = NULL;
    return without("ranks of MPI", error);
}

void pod_ranks_close(pod_ranks *ranks)
{
    (void)ranks;
}

void pod_ranks_note_checkpoint(pod_ranks *ranks, const char *path)
{
    (void)ranks, (void)path;
}

const pod_ranks_description *pod_ranks_describe(const pod_ranks *ranks)
{
    static const pod_ranks_description alone = {.count = 1, .neighbours = 1, .threads = 1};
    (void)ranks;
    return &alone;
}

pod_status pod_ranks_gather(pod_ranks *ranks, const void *from, size_t bytes, void *all, pod_error *error)
{
    (void)ranks, (void)from, (void)bytes, (void)all;
    return without("ranks of MPI", error);
}

#endif
