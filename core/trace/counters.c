/* counters - see counters.h. */

#include "trace/counters.h"

#include <errno.h>
#include <stddef.h>

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
