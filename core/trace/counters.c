/* counters - see counters.h. */

#include "trace/counters.h"

#include <errno.h>
#include <string.h>

#ifdef __linux__

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

const pod_counter_kind pod_trace_counter_kinds[POD_COUNTERS] = {
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
};

int pod_trace_counters_open(const pod_counter_kind kinds[POD_COUNTERS], int files[POD_COUNTERS])
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
            pod_trace_counters_close(files);
            return failure;
        }
    }
    return 0;
}

bool pod_trace_counters_read(const int files[POD_COUNTERS], uint64_t counts[POD_COUNTERS])
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

void pod_trace_counters_close(int files[POD_COUNTERS])
{
    for (int i = POD_COUNTERS - 1; i >= 0; i--)
        if (files[i] >= 0) {
            (void)close(files[i]);
            files[i] = -1;
        }
}

#else

const pod_counter_kind pod_trace_counter_kinds[POD_COUNTERS] = {{0, 0}};

int pod_trace_counters_open(const pod_counter_kind kinds[POD_COUNTERS], int files[POD_COUNTERS])
{
    (void)kinds;
    files[0] = -1;
    return ENOSYS;
}

bool pod_trace_counters_read(const int files[POD_COUNTERS], uint64_t counts[POD_COUNTERS])
{
    (void)files;
    (void)counts;
    return false;
}

void pod_trace_counters_close(int files[POD_COUNTERS])
{
    files[0] = -1;
}

#endif

const char *pod_trace_counters_why(int failure)
{
    switch (failure) {
    case 0:
        return NULL;
    case EACCES:
    case EPERM:
        return "not allowed here, see perf_event_paranoid (/proc/sys/kernel/perf_event_paranoid)";
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
        return "not here: the machine gives no counters of its CPU, as virtual machines often do not";
    case EMFILE:
    case ENFILE:
        return "not counted: too many files are open";
    default:
        return "not here: the system has no perf_event_open";
    }
}
