/* test_counters - what is counted of a thread: here by counters of the system, which need none of the CPU. */

#include "test.h"
#include "base/system/system.h"
#include "trace/counters.h"

#include <errno.h>

#ifdef __linux__
#include <linux/perf_event.h>

static const pod_counter_kind software[POD_COUNTERS] = {
    {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY},
};

TEST(counts_grow_while_the_thread_works)
{
    int files[POD_COUNTERS];
    const int failure = pod_counters_open(software, files);
    if (failure) { /* not allowed to this process */
        ASSERT(pod_trace_counters_why(failure) != NULL);
        ASSERT_EQ(-1, files[0]);
        return;
    }
    uint64_t before[POD_COUNTERS], after[POD_COUNTERS];
    ASSERT(pod_counters_read(files, before));
    volatile double sum = 0;
    for (int i = 0; i < 1000000; i++)
        sum = sum + i;
    ASSERT(pod_counters_read(files, after));
    ASSERT(after[0] > before[0]);
    ASSERT(after[1] > before[1]);
    ASSERT_EQ(0, (int)after[2]);
    pod_counters_close(files);
    ASSERT_EQ(-1, files[0]);
    ASSERT(!pod_counters_read(files, after));
}

TEST(an_event_that_is_none_is_refused_and_nothing_stays_open)
{
    const pod_counter_kind wrong[POD_COUNTERS] = {software[0], {PERF_TYPE_SOFTWARE, 1u << 20}, software[0]};
    int files[POD_COUNTERS];
    ASSERT(pod_counters_open(wrong, files) != 0);
    for (int i = 0; i < POD_COUNTERS; i++)
        ASSERT_EQ(-1, files[i]);
}
#endif

TEST(why_there_are_none_is_said)
{
    ASSERT(pod_trace_counters_why(0) == NULL);
    ASSERT_CONTAINS("perf_event_paranoid", pod_trace_counters_why(EACCES));
    ASSERT_CONTAINS("perf_event_paranoid", pod_trace_counters_why(EPERM));
    ASSERT_CONTAINS("virtual", pod_trace_counters_why(ENOENT));
    ASSERT(pod_trace_counters_why(EMFILE) != NULL);
    ASSERT(pod_trace_counters_why(ENOSYS) != NULL);
}

#ifdef __linux__
TEST_MAIN(RUN(counts_grow_while_the_thread_works); RUN(an_event_that_is_none_is_refused_and_nothing_stays_open);
          RUN(why_there_are_none_is_said))
#else
TEST_MAIN(RUN(why_there_are_none_is_said))
#endif
