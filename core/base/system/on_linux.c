#define _GNU_SOURCE
/* on_linux - what Linux alone has: see system.h. */

#ifdef __linux__

#include "base/system/system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- CPUs ------------------------------------------------------------------------------------------- */

/* 0 is the calling thread, not its process. */

int pod_thread_nice(void)
{
    return getpriority(PRIO_PROCESS, 0);
}

bool pod_thread_set_nice(int nice)
{
    return setpriority(PRIO_PROCESS, 0, nice) == 0;
}

int pod_cpu_count(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

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
        if (cpu < 0 ? (cpus->bits[each / 64] >> each % 64 & 1) != 0 : each == cpu)
            CPU_SET((size_t)each, &set);
    (void)sched_setaffinity(0, sizeof set, &set);
}

bool pod_cpu_allow_tiles(void)
{
#ifdef SYS_arch_prctl
    /* Linux: Documentation/arch/x86/xstate.rst. */
    enum { ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };
    return syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;
#else
    return false;
#endif
}

bool pod_cpu_has_arm_bf16(void)
{
#ifdef __aarch64__
    return (getauxval(AT_HWCAP2) & 1ul << 14) != 0; /* HWCAP2_BF16 */
#else
    return false;
#endif
}

/* ---- memory ------------------------------------------------------------------------------------------- */

#define HUGE_PAGE ((uintptr_t)2 << 20)

void pod_huge_pages_advise(void *block, size_t size)
{
    const uintptr_t first = ((uintptr_t)block + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    const uintptr_t end = ((uintptr_t)block + size) & ~(HUGE_PAGE - 1);
    if (end > first)
        (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
}

/* ---- counters ----------------------------------------------------------------------------------------- */

const pod_counter_kind pod_counter_kinds[POD_COUNTERS] = {
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
};

int pod_counters_open(const pod_counter_kind kinds[POD_COUNTERS], int files[POD_COUNTERS])
{
    for (int i = 0; i < POD_COUNTERS; i++)
        files[i] = -1;
    for (int i = 0; i < POD_COUNTERS; i++) {
        struct perf_event_attr one;
        memset(&one, 0, sizeof one);
        one.size = sizeof one;
        one.type = kinds[i].type;
        one.config = kinds[i].config;
        one.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
        one.exclude_kernel = one.exclude_hv = 1;
        files[i] = (int)syscall(SYS_perf_event_open, &one, 0, -1, files[0], PERF_FLAG_FD_CLOEXEC);
        if (files[i] < 0) {
            const int failure = errno;
            files[i] = -1;
            pod_counters_close(files);
            return failure;
        }
    }
    return 0;
}

bool pod_counters_read(const int files[POD_COUNTERS], uint64_t counts[POD_COUNTERS])
{
    for (int i = 0; i < POD_COUNTERS; i++) {
        uint64_t words[3]; /* count, time enabled, time running */
        if (files[i] < 0 || read(files[i], words, sizeof words) != sizeof words)
            return false;
        counts[i] = words[2] == 0 || words[2] == words[1]
                        ? words[0]
                        : (uint64_t)((double)words[0] * (double)words[1] / (double)words[2]);
    }
    return true;
}

void pod_counters_close(int files[POD_COUNTERS])
{
    for (int i = POD_COUNTERS - 1; i >= 0; i--)
        if (files[i] >= 0) {
            (void)close(files[i]);
            files[i] = -1;
        }
}

/* ---- files --------------------------------------------------------------------------------------------- */

/* musl has no close_range(). */
void pod_system_close_files(unsigned first, unsigned last)
{
    (void)syscall(SYS_close_range, first, last, 0);
}

/* Opens what lies below a folder, part by part, where the system has no openat2(): Linux before 5.6, and what stands
 * between. Returns -1 with errno where that fails, be it by a link. */
static int open_by_parts(int folder, const char *rest, int flags, int mode)
{
    int at = folder;
    for (const char *part = rest;;) {
        char name[NAME_MAX + 1];
        part += strspn(part, "/");
        const size_t length = strcspn(part, "/");
        const bool is_last = part[length + strspn(part + length, "/")] == '\0';
        int found = -1;
        if (length > NAME_MAX) {
            errno = ENAMETOOLONG;
        } else if (length == 2 && part[0] == '.' && part[1] == '.') {
            errno = EXDEV;
        } else if (is_last && part[length] == '/' && (flags & O_CREAT) != 0) {
            errno = EISDIR;
        } else {
            snprintf(name, sizeof name, "%.*s", (int)length, part);
            const int how = is_last ? flags | (part[length] == '/' ? O_DIRECTORY : 0) : O_PATH | O_DIRECTORY;
            found = openat(at, length > 0 ? name : ".", how | O_NOFOLLOW | O_CLOEXEC, (mode_t)mode);
        }
        const int failure = errno;
        if (at != folder)
            (void)close(at);
        errno = failure;
        if (found < 0 || is_last)
            return found;
        at = found;
        part += length;
    }
}

int pod_system_open_below(const char *root, const char *path, int flags, int mode)
{
    const struct open_how how = {.flags = (uint64_t)(unsigned)(flags | O_CLOEXEC),
                                 .mode = (flags & O_CREAT) != 0 ? (uint64_t)(unsigned)mode : 0,
                                 .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
    const int folder = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return uv_translate_sys_error(errno);
    const long opened = syscall(SYS_openat2, folder, *path != '\0' ? path : ".", &how, sizeof how);
    const int found = opened < 0 && errno == ENOSYS ? open_by_parts(folder, path, flags, mode) : (int)opened;
    const int failure = errno;
    (void)close(folder);
    return found >= 0 ? found : uv_translate_sys_error(failure);
}

#endif
