#include "base/process.h"

#include "base/system/system.h"

void pod_process_mark(atomic_uint *threads_of)
{
    atomic_store_explicit(threads_of, pod_process_generation(), memory_order_relaxed);
}

bool pod_process_is_child(const atomic_uint *threads_of)
{
    const unsigned began = atomic_load_explicit(threads_of, memory_order_relaxed);
    return began != 0 && began != pod_process_generation();
}

pod_status pod_process_check(const atomic_uint *threads_of, const char *what, pod_error *error)
{
    if (!pod_process_is_child(threads_of))
        return POD_OK;
    return pod_error_set(error, POD_ERROR_STATE,
                         "%s started threads before this process was forked, and a child has none of them: fork before "
                         "the first computation, or let the child start a program of its own (exec)",
                         what);
}
