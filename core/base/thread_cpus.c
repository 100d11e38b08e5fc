#define _GNU_SOURCE
#include "base/thread_cpus.h"

#include <assert.h>

#ifdef __linux__
#include <sched.h>
#endif

static bool has(const pod_cpus *cpus, int cpu)
{
    return (cpus->bits[cpu / 64] >> cpu % 64 & 1) != 0;
}

int pod_cpus_next(const pod_cpus *cpus, int first, int after)
{
    assert(cpus->count > 0 && first >= 0);
    int cpu = first;
    for (after %= cpus->count; after > 0; after -= has(cpus, cpu))
        cpu = (cpu + 1) % POD_CPUS_LIMIT;
    return cpu;
}

#ifdef __linux__

void pod_cpus_find(pod_cpus *cpus)
{
    cpu_set_t set;
    *cpus = (pod_cpus){0};
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return;
    for (int cpu = 0; cpu < POD_CPUS_LIMIT && cpu < CPU_SETSIZE; cpu++)
        cpus->bits[cpu / 64] |= (uint64_t)(CPU_ISSET((size_t)cpu, &set) != 0) << cpu % 64;
    cpus->count = CPU_COUNT(&set);
}

int pod_cpus_current(void)
{
    return sched_getcpu();
}

void pod_thread_keep_on(const pod_cpus *cpus, int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int each = 0; each < POD_CPUS_LIMIT && each < CPU_SETSIZE; each++)
        if (cpu < 0 ? has(cpus, each) : each == cpu)
            CPU_SET((size_t)each, &set);
    (void)sched_setaffinity(0, sizeof set, &set);
}

#else

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
    (void)cpus;
    (void)cpu;
}

#endif
