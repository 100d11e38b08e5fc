#ifndef POD_TRACE_CLOCK_H
#define POD_TRACE_CLOCK_H

/*
 * clock - uv_hrtime(), for those who ask it several times in ten microseconds: where the CPU counts ticks at one rate,
 * whatever else it does, ticks since the last look at uv_hrtime() are scaled, which takes a half of the time. No look
 * is older than a millisecond, so an error of the rate does not grow. Ticks that turn out to come at another rate (the
 * machine slept, or its guest went to another) are not used again: uv_hrtime() is asked.
 *
 * A clock is one thread's. Others take copies of one that was started: all tell the same time.
 */

#include <stdint.h>
#include <uv.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define POD_HAS_TICKS 1
#endif

typedef struct pod_clock {
    uint64_t ticks, nanoseconds; /* of the last look */
    uint64_t most;               /* ticks since then for which it holds; 0: uv_hrtime() is asked */
    uint64_t scale;              /* nanoseconds in 2^32 ticks */
    uint64_t closest;            /* ticks that a look takes when nothing comes between */
} pod_clock;

/* Compares ticks with uv_hrtime(), for half a millisecond where ticks are of use. */
void pod_trace_clock_start(pod_clock *clock);

/* Looks at uv_hrtime(), which is returned, and compares ticks with it. */
uint64_t pod_trace_clock_look(pod_clock *clock);

/* The time, in nanoseconds of uv_hrtime(). It may be some hundreds of nanoseconds less than the time before, behind a
 * look. */
static inline uint64_t pod_trace_clock_now(pod_clock *clock)
{
#ifdef POD_HAS_TICKS
    if (clock->most) {
        const uint64_t ticks = __builtin_ia32_rdtsc() - clock->ticks;
        return ticks < clock->most ? clock->nanoseconds + (ticks * clock->scale >> 32) : pod_trace_clock_look(clock);
    }
#else
    (void)clock;
#endif
    return uv_hrtime();
}

#endif
