/* on_others - what takes the place of on_linux.c elsewhere: see system.h. */

#ifndef __linux__

#include "base/system/system.h"

#include <errno.h>
#include <stdio.h>

#ifndef _WIN32

int pod_thread_nice(void)
{
    return 0;
}

bool pod_thread_set_nice(int nice)
{
    (void)nice;
    return true;
}

#endif

int pod_cpu_count(void)
{
    return (int)uv_available_parallelism();
}

void pod_cpus_find(pod_cpus *cpus)
{
    *cpus = (pod_cpus){0};
}

int pod_cpus_current(void)
{
    return -1;
}

void pod_thread_keep_on(const pod_cpus *cpus, int cpu)
{
    (void)cpus, (void)cpu;
}

bool pod_cpu_allow_tiles(void)
{
    return false;
}

bool pod_cpu_has_arm_bf16(void)
{
    return false;
}

void pod_huge_pages_advise(void *block, size_t size)
{
    (void)block, (void)size;
}

const pod_counter_kind pod_counter_kinds[POD_COUNTERS] = {{0, 0}};

int pod_counters_open(const pod_counter_kind kinds[POD_COUNTERS], int files[POD_COUNTERS])
{
    (void)kinds;
    files[0] = -1;
    return ENOSYS;
}

bool pod_counters_read(const int files[POD_COUNTERS], uint64_t counts[POD_COUNTERS])
{
    (void)files, (void)counts;
    return false;
}

void pod_counters_close(int files[POD_COUNTERS])
{
    files[0] = -1;
}

int pod_system_open_below(const char *root, const char *path, int flags, int mode)
{
    char joined[4096];
    if (snprintf(joined, sizeof joined, "%s/%s", root, path) >= (int)sizeof joined)
        return UV_ENAMETOOLONG;
    return pod_system_open(NULL, joined, flags | UV_FS_O_NOFOLLOW, mode);
}

#endif
