/* clock - see clock.h. */

#include "trace/clock.h"

#include <stdbool.h>

#ifdef POD_HAS_TICKS

#include <cpuid.h>

#define COMPARED_FOR 500000 /* by the system's clock */
#define ROUNDS       16
#define LEAST_SCALE  0.05 /* nanoseconds a tick: 20 GHz */
#define MOST_SCALE   10.0

/* Whether ticks come at one rate in all states of the CPU, on all cores. */
static bool is_invariant(void)
{
    unsigned a, b, c, d;
    const unsigned invariant = 1u << 8;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & invariant) != 0;
}

/* Takes ticks and nanoseconds of one moment: of some tries, those between which least time passed. */
static pod_clock look(void)
{
    pod_clock best = {0};
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < ROUNDS; i++) {
        const uint64_t before = __builtin_ia32_rdtsc(), nanoseconds = uv_hrtime(), after = __builtin_ia32_rdtsc();
        if (after - before < least) {
            least = after - before;
            best = (pod_clock){before + least / 2, nanoseconds, 0};
        }
    }
    return best;
}

/* Whether reading ticks takes less time than asking the system: a hypervisor may stand between. */
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
    const pod_clock first = look();
    while (uv_hrtime() - first.nanoseconds < COMPARED_FOR)
        ;
    const pod_clock last = look();
    const double scale = (double)(last.nanoseconds - first.nanoseconds) / (double)(int64_t)(last.ticks - first.ticks);
    if (scale > LEAST_SCALE && scale < MOST_SCALE)
        *clock = (pod_clock){last.ticks, last.nanoseconds, scale};
}

#else

void pod_trace_clock_start(pod_clock *clock)
{
    *clock = (pod_clock){0};
}

#endif
