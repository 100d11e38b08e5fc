/* test_clock - the time by the CPU's ticks, against the system's. Where ticks are of no use all of it is the system's.
 */

#include "test.h"
#include "trace/recorder.h"

#define FAR_OFF 10000 /* nanoseconds */

/* Whether the clock tells the time, or is off it by so much at most. */
static bool agrees(pod_clock *clock, uint64_t off)
{
    const uint64_t before = uv_hrtime(), now = pod_trace_clock_now(clock), after = uv_hrtime();
    return now + off >= before && now <= after + off;
}

TEST(the_clock_is_the_systems)
{
    pod_clock clock;
    pod_trace_clock_start(&clock);
    for (int i = 0; i < 300; i++) {
        for (int j = 0; j < 1000; j++)
            ASSERT(agrees(&clock, FAR_OFF));
        uv_sleep((unsigned)i % 3); /* for less and for more than a look holds */
    }
}

/* Whether a clock whose look was tampered with asks the system from the next look on that nobody came between. */
static bool gives_up(pod_clock clock)
{
    uv_sleep(2);
    for (int i = 0; i < 100000 && clock.most; i++)
        (void)pod_trace_clock_now(&clock);
    for (int i = 0; i < 1000; i++)
        if (clock.most || !agrees(&clock, 0))
            return false;
    return true;
}

TEST(ticks_of_another_rate_are_given_up)
{
    pod_clock clock, wrong;
    pod_trace_clock_start(&clock);
    wrong = clock;
    wrong.scale += clock.scale / 100; /* as on another machine */
    ASSERT(gives_up(wrong));
    wrong.scale = clock.scale - clock.scale / 100;
    ASSERT(gives_up(wrong));
    wrong = clock;
    wrong.ticks += (uint64_t)1 << 40; /* they went back */
    ASSERT(gives_up(wrong));
    wrong.ticks = clock.ticks - ((uint64_t)1 << 40); /* they went on while the machine slept */
    ASSERT(gives_up(wrong));
}

TEST(on_a_lane_time_never_goes_back)
{
    static pod_lane lane;
    pod_trace_clock_start(&lane.clock);
    lane.since = uv_hrtime();
    lane.clock.nanoseconds += 3000000; /* ahead, until the next look */
    const uint64_t began = lane.since, real = uv_hrtime();
    uint64_t before = began;
    while (uv_hrtime() - real < 20000000) {
        const uint64_t now = pod_trace_now(&lane);
        ASSERT(now >= before);
        pod_trace_settle(&lane, now);
        before = now;
    }
    ASSERT_EQ(before - began, atomic_load(&lane.parts[POD_PART_OTHER]));
    const uint64_t least = uv_hrtime(), now = pod_trace_now(&lane);
    ASSERT(now >= least && now <= uv_hrtime());
}

TEST_MAIN(RUN(the_clock_is_the_systems); RUN(ticks_of_another_rate_are_given_up); RUN(on_a_lane_time_never_goes_back))
