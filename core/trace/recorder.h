#ifndef POD_TRACE_RECORDER_H
#define POD_TRACE_RECORDER_H

/*
 * recorder - what the threads of a context did, and when: the one place that all times of a profile come from.
 *
 * Each thread has a *lane*: a ring of events, of which the newest are kept, and sums that nothing is ever lost of. At
 * each moment a lane is in one *part* (of a step: see pod_profile_part) and within one *thing* (a stage of a dataset, a
 * callback: what has a name); the time that passes is that part's and that thing's. So the parts of a stretch of time
 * sum to it.
 *
 * Only the lane's own thread writes it, without locks and without taking memory. A reader may look at any time: all
 * that both touch are atomic words. A context's recorder is made when it is first switched on and lives as long as the
 * context, so a thread that is late writes to memory that is there.
 *
 *     pod_lane *lane = pod_trace_lane(context, "main", 0);     -- NULL while nothing is recorded
 *     if (lane) {
 *         const pod_lane_state outer = pod_trace_enter(lane, POD_PART_INPUT_FEED, 0);
 *         ...
 *         (void)pod_trace_leave(lane, outer, (pod_profile_event){.kind = POD_EVENT_FEED});
 *     }
 */

#include "base/context.h"
#include "moonpod/profile.h"
#include "trace/clock.h"
#include "base/system/system.h"

#include <stdatomic.h>

#define POD_LANES       64
#define POD_LANE_EVENTS 8192 /* a power of 2 */
#define POD_THINGS      512
#define POD_THING_TEXT  128
#define POD_STEPS_KEPT  8192 /* a power of 2 */
#define POD_EVENT_WORDS 5

/* Holds what is summed of a thing on a lane. */
typedef struct pod_thing_sums {
    _Atomic uint64_t calls, total, self, amount, rows, bytes;
} pod_thing_sums;

typedef struct pod_lane {
    _Atomic uint64_t owner; /* the thread; see recorder.c */
    _Atomic uint32_t generation;
    _Atomic(const char *) name;
    _Atomic uint32_t number;
    _Atomic uint64_t began, head; /* events written since then */
    _Atomic uint64_t parts[POD_PARTS];
    _Atomic uint64_t *events;
    pod_thing_sums *things;
    struct pod_recorder *recorder;
    int counters[POD_COUNTERS];     /* of the CPU, for the thread; [0] is -1 where there are none */
    uint64_t counted[POD_COUNTERS]; /* of threads that left the lane; under the recorder's mutex, as the files */
    /* The thread's own: */
    pod_clock clock;
    uint64_t since; /* from when on time is not yet any part's */
    uint32_t part, thing;
    uint64_t step_began, step_parts[POD_PARTS]; /* as they were when the last step ended */
    uint32_t depth;                             /* of the stack */
    struct pod_lane_open {
        uint64_t began;
        uint32_t part, thing, outer_part, outer_thing;
    } stack[POD_SPANS_DEEP];
} pod_lane;

/* Where a lane was before it entered what it is in. */
typedef struct pod_lane_state {
    uint64_t began;
    uint32_t part, thing;
} pod_lane_state;

/* Returns the lane of the calling thread, made where it has none; NULL while nothing is recorded, or when all lanes are
 * taken (which is counted). `name` says what kind of thread it is and lives for ever; `number` tells those of a kind
 * apart. */
pod_lane *pod_trace_lane(pod_context *context, const char *name, uint32_t number);
#ifdef POD_NO_RECORDER /* a build to hold against this one: ./dev bench profiler off */
#define pod_trace_lane(context, name, number) ((pod_lane *)NULL)
#endif

/* Gives the lane of the calling thread to whoever comes next: for threads that end. */
void pod_trace_end_thread(pod_context *context);

/* The context that a profile is of; borrowed from it. */
pod_context *pod_trace_context_of(const pod_profile *profile);

/* Finds or adds what has this name; 0 when there are too many. */
uint32_t pod_trace_thing(pod_context *context, const char *text, pod_profile_part part);

static inline void pod_trace_add(_Atomic uint64_t *sum, uint64_t more)
{
    atomic_store_explicit(sum, atomic_load_explicit(sum, memory_order_relaxed) + more, memory_order_relaxed);
}

/* The time, which on a lane never goes back, whichever core its thread is moved to. */
static inline uint64_t pod_trace_now(pod_lane *lane)
{
    const uint64_t now = pod_trace_clock_now(&lane->clock);
    return now > lane->since ? now : lane->since;
}

/* The time up to `now` is the part's and the thing's that the lane is in. */
static inline void pod_trace_settle(pod_lane *lane, uint64_t now)
{
    const uint64_t time = now - lane->since;
    pod_trace_add(&lane->parts[lane->part], time);
    if (lane->thing)
        pod_trace_add(&lane->things[lane->thing].self, time);
    lane->since = now;
}

static inline void pod_trace_write(pod_lane *lane, const pod_profile_event *event)
{
    const uint64_t head = atomic_load_explicit(&lane->head, memory_order_relaxed);
    _Atomic uint64_t *words = lane->events + (head & (POD_LANE_EVENTS - 1)) * POD_EVENT_WORDS;
    atomic_store_explicit(&words[0], event->began, memory_order_relaxed);
    atomic_store_explicit(&words[1], event->ended, memory_order_relaxed);
    atomic_store_explicit(&words[2],
                          (uint64_t)event->kind | (uint64_t)event->part << 8 | (uint64_t)event->name << 16 |
                              (uint64_t)event->program << 32,
                          memory_order_relaxed);
    atomic_store_explicit(&words[3], event->index, memory_order_relaxed);
    atomic_store_explicit(&words[4], event->amount, memory_order_relaxed);
    atomic_store_explicit(&lane->head, head + 1, memory_order_release);
}

/* What was done since the lane's time is not yet anybody's was of event.part; its times are filled in. */
static inline void pod_trace_lap(pod_lane *lane, uint64_t now, pod_profile_event event)
{
    pod_trace_add(&lane->parts[event.part], now - lane->since);
    event.began = lane->since;
    event.ended = now;
    lane->since = now;
    pod_trace_write(lane, &event);
}

/* Enters a part at the moment up to which the lane's time is somebody's: where no more than some instructions of the
 * CPU lie behind it, for a look at the clock less. */
static inline pod_lane_state pod_trace_go_on(pod_lane *lane, pod_profile_part part)
{
    const pod_lane_state outer = {lane->since, lane->part, lane->thing};
    lane->part = part;
    return outer;
}

/* Enters a part, and a thing (0: stays in that which it is in). */
static inline pod_lane_state pod_trace_enter(pod_lane *lane, pod_profile_part part, uint32_t thing)
{
    pod_trace_settle(lane, pod_trace_now(lane));
    const pod_lane_state outer = pod_trace_go_on(lane, part);
    if (thing)
        lane->thing = thing;
    return outer;
}

/* Leaves it; writes the event, whose part, thing and times are filled in. Returns how long it took. The second ends it
 * at the moment up to which the lane's time is somebody's. */
uint64_t pod_trace_leave(pod_lane *lane, pod_lane_state outer, pod_profile_event event);
uint64_t pod_trace_leave_since(pod_lane *lane, pod_lane_state outer, pod_profile_event event);

/* Notes the end of a step of a program, whose infeed gave so many rows, at the moment up to which the lane's time is
 * somebody's. */
void pod_trace_step(pod_lane *lane, uint32_t program, uint64_t rows);

#endif
