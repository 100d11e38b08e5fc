#ifndef POD_TRACE_CLOCK_H
#define POD_TRACE_CLOCK_H

/*
 * clock - uv_hrtime(), for those who ask it several times in ten microseconds: where the CPU counts ticks at one rate,
 * whatever else it does, ticks are scaled, which takes a half of the time.
 */

#include <stdint.h>
#include <uv.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define POD_HAS_TICKS 1
#endif

typedef struct pod_clock {
    uint64_t ticks, nanoseconds; /* of one moment */
    double scale;                /* nanoseconds a tick; 0: uv_hrtime() is asked */
} pod_clock;

/* Compares ticks with uv_hrtime(), for half a millisecond where ticks are of use. */
void pod_trace_clock_start(pod_clock *clock);

/* The time, in nanoseconds of uv_hrtime(). */
static inline uint64_t pod_trace_clock_now(const pod_clock *clock)
{
#ifdef POD_HAS_TICKS
    if (clock->scale > 0)
        return clock->nanoseconds +
               (uint64_t)(int64_t)((double)(int64_t)(__builtin_ia32_rdtsc() - clock->ticks) * clock->scale);
#endif
    return uv_hrtime();
}

#endif
