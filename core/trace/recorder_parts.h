#ifndef POD_TRACE_RECORDER_PARTS_H
#define POD_TRACE_RECORDER_PARTS_H

/* recorder_parts - what a recorder is made of: for recorder.c and those that read it. */

#include "trace/recorder.h"
#include "trace/work_record.h"

#define POD_STEP_WORDS (6 + POD_PARTS)
#define POD_WORKS      256

/* What has a name. `state` grows once: free, being written, there. */
typedef struct pod_thing {
    _Atomic uint32_t state;
    pod_profile_part part;
    char text[POD_THING_TEXT];
} pod_thing;

/* A program of the recording, and what it had counted before. */
typedef struct pod_recorded_work {
    pod_work_record *work;
    pod_work_sums before;
} pod_recorded_work;

/* Holds what the system counts of a process. */
typedef struct pod_system_counts {
    uint64_t page_faults, disk_faults, preemptions;
} pod_system_counts;

pod_system_counts pod_trace_system_counts(void);

/* What the CPU counted of a lane. With the recorder's mutex held. */
void pod_trace_count_lane(const pod_lane *lane, uint64_t counts[POD_COUNTERS]);

/* Ends counting on all lanes. With the recorder's mutex held. */
void pod_trace_end_counters(pod_recorder *recorder);

struct pod_recorder {
    pod_context *context; /* owns this */
    pod_clock clock;      /* as it was when the recording began: lanes have copies */
    _Atomic uint32_t generation;
    _Atomic uint64_t began;
    pod_system_counts before; /* the recording */
    _Atomic uint64_t threads_lost;
    _Atomic uint64_t steps_done;
    _Atomic uint64_t *steps; /* a ring of POD_STEPS_KEPT */
    _Atomic uint64_t *events;
    pod_thing_sums *sums;
    _Atomic uint64_t main_thread; /* that began the recording */
    uv_mutex_t mutex;             /* guards the works, counters, and starting and stopping */
    int no_counters;              /* the error of opening counters; 0: lanes have them */
    bool on;
    uint32_t work_count;
    pod_recorded_work works[POD_WORKS];
    pod_lane lanes[POD_LANES];
    pod_thing things[POD_THINGS]; /* the first has no name */
};

#endif
