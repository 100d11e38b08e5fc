/* test_workers - runs on all threads, barriers, changing counts. Runs under ThreadSanitizer. */

#include "test.h"

#include <float.h>
#include <stdatomic.h>
#include <uv.h>

#include "base/thread.h"
#include "base/workers.h"

/* Checks stay on the test's own thread: workers only write down what they saw. */

static pod_context *context_of(int threads)
{
    return test_context(&(pod_context_options){.threads = threads});
}

typedef struct roll_call {
    int seen[64];
    int threads[64];
} roll_call;

static void answer(void *argument, int thread, int threads)
{
    roll_call *call = argument;
    call->seen[thread]++;
    call->threads[thread] = threads;
}

TEST(every_thread_runs_once_and_results_are_seen_after)
{
    pod_error error;
    for (int threads = 1; threads <= 9; threads++) {
        pod_context *context = context_of(threads);
        roll_call call = {0};
        for (int run = 1; run <= 20; run++) {
            ASSERT_OK(pod_workers_run(context, answer, &call, &error));
            for (int i = 0; i < 64; i++) {
                ASSERT_EQ(i < threads ? run : 0, call.seen[i]);
                ASSERT_EQ(i < threads ? threads : 0, call.threads[i]);
            }
        }
        pod_context_release(context);
    }
}

TEST(contexts_with_one_account_share_its_threads)
{
    pod_context *account = test_context(&(pod_context_options){.threads = 1, .all_threads = 3});
    const pod_context_options options = {.threads = 4, .account = account};
    pod_context *first = test_context(&options), *second = test_context(&options);
    pod_error error;
    roll_call given = {0};
    ASSERT_OK(pod_workers_run(first, answer, &given, &error));
    ASSERT_EQ(3, given.threads[0]);
    ASSERT_OK(pod_workers_run(second, answer, &given, &error));
    ASSERT_EQ(1, given.threads[0]);
    ASSERT_EQ(0, pod_threads_take(second, 2));
    pod_context_release(first);
    ASSERT_EQ(1, pod_threads_take(second, 1));
    ASSERT_OK(pod_workers_run(second, answer, &given, &error));
    ASSERT_EQ(2, given.threads[0]);
    pod_threads_give_back(second, 1);
    pod_context_release(second);
    pod_context_release(account);
}

static void note_nice(void *argument, int thread, int threads)
{
    int *seen = argument;
    (void)threads;
    seen[thread] = pod_thread_nice();
}

TEST(threads_of_the_context_run_below_the_hosts)
{
    pod_error error;
    pod_context *context = context_of(3);
    const int own = pod_thread_nice();
    int seen[3];
    ASSERT_EQ(0, pod_context_nice(context));
    for (int nice = 0; nice <= 6; nice += 3) {
        ASSERT_OK(pod_context_set_nice(context, nice, &error));
        ASSERT_EQ(nice, pod_context_nice(context));
        ASSERT_OK(pod_workers_run(context, note_nice, seen, &error));
        ASSERT_EQ(own, seen[0]);
        ASSERT_EQ(own + nice < 19 ? own + nice : 19, seen[1]);
        ASSERT_EQ(seen[1], seen[2]);
    }
    ASSERT_EQ(POD_ERROR_ARGUMENT, pod_context_set_nice(context, -1, &error));
    ASSERT_EQ(POD_ERROR_ARGUMENT, pod_context_set_nice(context, 20, &error));
    ASSERT_EQ(6, pod_context_nice(context));
    pod_context_release(context);
}

/* Halves the smallest normal number, and doubles what that gives. */
static void halve_and_double(void *argument, int thread, int threads)
{
    float *seen = argument;
    (void)threads;
    volatile float half = FLT_MIN;
    half /= 2;
    seen[thread] = half * 2;
}

TEST(subnormal_numbers_are_flushed_where_that_is_asked_for)
{
    pod_error error;
    pod_context *context = context_of(3);
    if (!POD_CPU_FLUSHES) {
        ASSERT_EQ(POD_ERROR_UNSUPPORTED, pod_context_set_flush_subnormals(context, true, &error));
        ASSERT_OK(pod_context_set_flush_subnormals(context, false, &error));
        pod_context_release(context);
        return;
    }
    for (int flush = 0; flush < 4; flush++) {
        float seen[4] = {-1, -1, -1, -1};
        ASSERT_OK(pod_context_set_flush_subnormals(context, flush % 2, &error));
        ASSERT_EQ(flush % 2, pod_context_flushes_subnormals(context));
        ASSERT_OK(pod_workers_run(context, halve_and_double, seen, &error));
        for (int i = 0; i < 3; i++)
            ASSERT(seen[i] == (flush % 2 ? 0 : FLT_MIN));
        ASSERT_OK(pod_workers_run_alone(context, halve_and_double, seen, &error));
        ASSERT(seen[0] == (flush % 2 ? 0 : FLT_MIN));
        halve_and_double(seen, 3, 4); /* the caller's thread is as it was */
        ASSERT(seen[3] == FLT_MIN);
    }
    pod_context_release(context);
}

TEST(the_number_of_threads_may_change_between_runs)
{
    static const int counts[] = {4, 1, 7, 2, 2, 8, 3, 1};
    pod_error error;
    pod_context *context = context_of(1);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        roll_call call = {0};
        ASSERT_OK(pod_context_set_threads(context, counts[i], &error));
        ASSERT_OK(pod_workers_run(context, answer, &call, &error));
        for (int j = 0; j < 64; j++)
            ASSERT_EQ(j < counts[i], call.seen[j]);
    }
    pod_context_release(context);
}

enum { ROUNDS = 200 };

typedef struct relay {
    pod_context *context;
    int values[64]; /* plain: the barrier orders them */
    atomic_int wrong;
    bool slow;
} relay;

/* In each round every thread writes its place, all meet, every thread reads its neighbour's. */
static void pass_on(void *argument, int thread, int threads)
{
    relay *r = argument;
    for (int round = 1; round <= ROUNDS; round++) {
        r->values[thread] = round * 64 + thread;
        if (r->slow && round % 50 == thread)
            uv_sleep(1); /* makes the others wait longer than they spin */
        pod_workers_barrier(r->context);
        const int next = (thread + 1) % threads;
        if (r->values[next] != round * 64 + next)
            atomic_fetch_add(&r->wrong, 1);
        pod_workers_barrier(r->context);
    }
}

TEST(a_barrier_orders_what_threads_write_and_read)
{
    pod_error error;
    for (int threads = 1; threads <= 8; threads++) {
        relay r = {.context = context_of(threads), .slow = threads % 2 == 0};
        ASSERT_OK(pod_workers_run(r.context, pass_on, &r, &error));
        ASSERT_EQ(0, atomic_load(&r.wrong));
        pod_context_release(r.context);
    }
}

enum { MOST_CPUS = 64 };

typedef struct seats {
    int cpu[MOST_CPUS + 1];
    int may_use[MOST_CPUS + 1]; /* so many CPUs */
} seats;

static void sit_down(void *argument, int thread, int threads)
{
    seats *s = argument;
    pod_cpus cpus;
    (void)threads;
    pod_cpus_find(&cpus);
    s->cpu[thread] = pod_cpus_current();
    s->may_use[thread] = cpus.count;
}

TEST(as_many_threads_as_cpus_have_one_each)
{
    pod_error error;
    pod_cpus own;
    pod_cpus_find(&own);
    const int cpus = own.count;
    if (cpus < 2 || cpus > MOST_CPUS)
        return;
    pod_context *context = context_of(cpus);
    for (int run = 0; run < 3; run++) {
        seats s = {0};
        ASSERT_OK(pod_workers_run(context, sit_down, &s, &error));
        for (int i = 0; i < cpus; i++) {
            ASSERT_EQ(1, s.may_use[i]);
            for (int j = 0; j < i; j++)
                ASSERT(s.cpu[i] != s.cpu[j]);
        }
        pod_cpus_find(&own);
        ASSERT_EQ(cpus, own.count); /* the caller has all again */

        ASSERT_OK(pod_workers_run_brief(context, sit_down, &s, &error));
        for (int i = 1; i < cpus; i++)
            ASSERT_EQ(1, s.may_use[i]);
        pod_cpus_find(&own);
        ASSERT_EQ(cpus, own.count);

        ASSERT_OK(pod_context_set_threads(context, cpus + 1, &error));
        ASSERT_OK(pod_workers_run(context, sit_down, &s, &error));
        for (int i = 0; i <= cpus; i++)
            ASSERT_EQ(cpus, s.may_use[i]);
        ASSERT_OK(pod_context_set_threads(context, cpus, &error));
    }
    pod_context_release(context);
}

TEST(threads_start_at_the_first_run_only)
{
    pod_error error;
    pod_context *context = context_of(5);
    const uint64_t before = pod_context_memory(context).allocations;
    roll_call call = {0};
    ASSERT_OK(pod_workers_run(context, answer, &call, &error));
    const uint64_t after = pod_context_memory(context).allocations;
    ASSERT_EQ(before + 4, after);
    ASSERT_OK(pod_workers_run(context, answer, &call, &error));
    ASSERT_EQ(after, pod_context_memory(context).allocations);
    pod_context_release(context);
}

typedef struct nested {
    pod_context *context;
    pod_status status[4];
} nested;

static void run_again(void *argument, int thread, int threads)
{
    nested *n = argument;
    (void)threads;
    n->status[thread] = pod_workers_run(n->context, answer, NULL, NULL);
}

TEST(a_run_inside_a_run_is_refused)
{
    pod_error error;
    nested n = {.context = context_of(3)};
    ASSERT_OK(pod_workers_run(n.context, run_again, &n, &error));
    for (int i = 0; i < 3; i++)
        ASSERT_EQ(POD_ERROR_STATE, n.status[i]);
    pod_context_release(n.context);
}

typedef struct rival {
    pod_context *context;
    atomic_int *inside;
    atomic_int together;
    int runs;
} rival;

static void enter_alone(void *argument, int thread, int threads)
{
    rival *r = argument;
    (void)threads;
    if (thread == 0) {
        if (atomic_fetch_add(r->inside, 1) != 0)
            atomic_fetch_add(&r->together, 1);
        pod_thread_yield();
    }
    pod_workers_barrier(r->context);
    if (thread == 0)
        atomic_fetch_sub(r->inside, 1);
}

static void compete(void *argument)
{
    rival *r = argument;
    for (int i = 0; i < 50; i++)
        r->runs += pod_workers_run(r->context, enter_alone, r, NULL) == POD_OK;
}

TEST(several_threads_take_turns_at_one_context)
{
    enum { RIVALS = 3 };
    atomic_int inside = 0;
    pod_context *context = context_of(3);
    rival rivals[RIVALS] = {0};
    uv_thread_t threads[RIVALS];
    for (int i = 0; i < RIVALS; i++) {
        rivals[i].context = context;
        rivals[i].inside = &inside;
        ASSERT_EQ(0, uv_thread_create(&threads[i], compete, &rivals[i]));
    }
    for (int i = 0; i < RIVALS; i++)
        uv_thread_join(&threads[i]);
    for (int i = 0; i < RIVALS; i++) {
        ASSERT_EQ(50, rivals[i].runs);
        ASSERT_EQ(0, atomic_load(&rivals[i].together));
    }
    pod_context_release(context);
}

static void release_context(void *argument, int thread, int threads)
{
    (void)threads;
    if (thread == 1)
        pod_context_release(argument);
}

TEST(the_last_share_may_end_on_a_worker)
{
    pod_error error;
    pod_context *context = context_of(2);
    ASSERT_OK(pod_workers_run(context, release_context, context, &error));
}

TEST(a_worker_that_cannot_be_had_is_done_without)
{
    pod_error error;
    test_allocator allocator = {.granted = -1};
    pod_context *context = test_context(&(pod_context_options){.threads = 6, .allocator = {test_resize, &allocator}});
    allocator.granted = 2;
    roll_call call = {0};
    ASSERT_OK(pod_workers_run(context, answer, &call, &error));
    for (int i = 0; i < 64; i++)
        ASSERT_EQ(i < 3 ? 3 : 0, call.threads[i]);
    pod_context_release(context);
    ASSERT_EQ(0, allocator.live);
}

TEST_MAIN(RUN(every_thread_runs_once_and_results_are_seen_after); RUN(the_number_of_threads_may_change_between_runs);
          RUN(threads_of_the_context_run_below_the_hosts); RUN(subnormal_numbers_are_flushed_where_that_is_asked_for);
          RUN(a_barrier_orders_what_threads_write_and_read); RUN(as_many_threads_as_cpus_have_one_each);
          RUN(threads_start_at_the_first_run_only); RUN(a_run_inside_a_run_is_refused);
          RUN(several_threads_take_turns_at_one_context); RUN(the_last_share_may_end_on_a_worker);
          RUN(contexts_with_one_account_share_its_threads); RUN(a_worker_that_cannot_be_had_is_done_without))
