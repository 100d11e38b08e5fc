#ifndef POD_TRACE_COUNTERS_H
#define POD_TRACE_COUNTERS_H

/* counters - what the CPU counts of a thread (perf_event_open), where the system allows it. */

#include <stdbool.h>
#include <stdint.h>

#define POD_COUNTERS 3 /* cycles, instructions, cache misses */

/* An event, as perf_event_open() numbers them. */
typedef struct pod_counter_kind {
    uint32_t type;
    uint64_t config;
} pod_counter_kind;

extern const pod_counter_kind pod_trace_counter_kinds[POD_COUNTERS];

/* Begins to count what the calling thread does, in user code, from zero. *files receives what reads and closes it.
 * Returns 0, or the system's error. */
int pod_trace_counters_open(const pod_counter_kind kinds[POD_COUNTERS], int files[POD_COUNTERS]);

/* Reads the counts; any thread may. Where the CPU had to share its counters they are scaled up. False when that fails.
 */
bool pod_trace_counters_read(const int files[POD_COUNTERS], uint64_t counts[POD_COUNTERS]);

/* Closes them; files[0] may be -1. */
void pod_trace_counters_close(int files[POD_COUNTERS]);

/* Why there are no counts, for people: of what opening them returned. A text that lives for ever; NULL for 0. */
const char *pod_trace_counters_why(int failure);

#endif
