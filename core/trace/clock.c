/* clock - see clock.h. */

#include "trace/clock.h"

#include <stdbool.h>

#ifdef POD_HAS_TICKS

#include <cpuid.h>

#define COMPARED_FOR 500000 /* by the system's clock */
#define HOLDS_FOR    1000000
#define ROUNDS       16
#define LEAST_SCALE  0.05 /* nanoseconds a tick: 20 GHz */
#define MOST_SCALE   10.0
#define UNIT         4294967296.0 /* pod_clock.scale of a nanosecond a tick */

/* A look is of use when it took at most so many times as long as the closest: nobody came between. */
#define STILL_CLOSE 8

/* What the system's clock may be off a tick's rate that was measured: it is adjusted by up to 0.05 %. */
#define RATE_ERROR 1e-3
#define LOOK_ERROR 2000.0 /* nanoseconds */

/* Returns whether ticks come at one rate in all states of the CPU, on all cores. */
static bool is_invariant(void)
{
    unsigned a, b, c, d;
    const unsigned invariant = 1u << 8;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & invariant) != 0;
}

/* Takes ticks and nanoseconds of one moment; returns how many ticks lie between reading one and the other. */
static uint64_t take(pod_clock *clock)
{
    const uint64_t before = __builtin_ia32_rdtsc(), nanoseconds = uv_hrtime(), after = __builtin_ia32_rdtsc();
    clock->ticks = before + (after - before) / 2;
    clock->nanoseconds = nanoseconds;
    return after - before;
}

/* Of some tries, that which took least. */
static pod_clock take_best(void)
{
    pod_clock best = {.closest = UINT64_MAX};
    for (int i = 0; i < ROUNDS; i++) {
        pod_clock one;
        one.closest = take(&one);
        if (one.closest < best.closest)
            best = (pod_clock){.ticks = one.ticks, .nanoseconds = one.nanoseconds, .closest = one.closest};
    }
    return best;
}

/* Returns whether reading ticks takes less time than asking the system: a hypervisor may stand between. */
static bool is_cheap(void)
{
    uint64_t sum = 0;
    const uint64_t began = uv_hrtime();
    for (int i = 0; i < ROUNDS; i++)
        sum += __builtin_ia32_rdtsc();
    const uint64_t between = uv_hrtime();
    for (int i = 0; i < ROUNDS; i++)
        sum += uv_hrtime();
    const uint64_t ended = uv_hrtime();
    return sum != 0 && between - began < ended - between;
}

void pod_trace_clock_start(pod_clock *clock)
{
    *clock = (pod_clock){0};
    if (!is_invariant() || !is_cheap())
        return;
    const pod_clock first = take_best();
    while (uv_hrtime() - first.nanoseconds < COMPARED_FOR)
        ;
    const pod_clock last = take_best();
    const double scale = (double)(last.nanoseconds - first.nanoseconds) / (double)(int64_t)(last.ticks - first.ticks);
    if (scale <= LEAST_SCALE || scale >= MOST_SCALE)
        return;
    *clock = last;
    clock->scale = (uint64_t)(scale * UNIT);
    clock->most = (uint64_t)(HOLDS_FOR / scale);
    if (first.closest > last.closest)
        clock->closest = first.closest;
}

uint64_t pod_trace_clock_look(pod_clock *clock)
{
    pod_clock here;
    const uint64_t took = take(&here);
    if (took > STILL_CLOSE * clock->closest)
        return here.nanoseconds;
    const double passed = (double)(here.nanoseconds - clock->nanoseconds);
    const double counted = (double)(here.ticks - clock->ticks) * ((double)clock->scale / UNIT);
    if (counted - passed > RATE_ERROR * passed + LOOK_ERROR || passed - counted > RATE_ERROR * passed + LOOK_ERROR)
        clock->most = 0;
    clock->ticks = here.ticks;
    clock->nanoseconds = here.nanoseconds;
    return here.nanoseconds;
}

#else

void pod_trace_clock_start(pod_clock *clock)
{
    *clock = (pod_clock){0};
}

uint64_t pod_trace_clock_look(pod_clock *clock)
{
    (void)clock;
    return uv_hrtime();
}

#endif
