#ifndef POD_TRACE_COUNTERS_H
#define POD_TRACE_COUNTERS_H

/* counters - says why the CPU's counters of a thread (base/system/system.h) are not there. */

/* Why there are no counts, for people: of what opening them returned. A text that lives for ever; NULL for 0. */
const char *pod_trace_counters_why(int failure);

#endif
