/* test_tuner - what is chosen for a stage whose times are simulated. */

#include "test.h"

#include "input/tuner.h"

/* A stage whose element takes `work` seconds, of which `alone` is done by one thread at a time. */
typedef struct simulated {
    double work, alone, demand, supply;
} simulated;

static int64_t settle(pod_thread_tuner *tuner, const simulated *stage, int judgements)
{
    for (int i = 0; i < judgements; i++) {
        const double threads = (double)tuner->threads;
        double latency = stage->work + stage->alone;
        if (threads * stage->alone > latency)
            latency = threads * stage->alone; /* they queue up */
        pod_input_thread_tuner_judge(tuner, latency, stage->demand, stage->supply);
    }
    return tuner->threads;
}

static int64_t chosen(simulated stage, int64_t most)
{
    pod_thread_tuner tuner;
    pod_input_thread_tuner_init(&tuner, 1, most);
    return settle(&tuner, &stage, 40);
}

TEST(threads_are_as_many_as_the_consumer_needs)
{
    ASSERT_EQ(1, chosen((simulated){.work = 1, .demand = 1.5}, 16));
    ASSERT_EQ(2, chosen((simulated){.work = 1, .demand = 0.6}, 16));
    ASSERT_EQ(4, chosen((simulated){.work = 1, .demand = 0.26}, 16));
    ASSERT_EQ(16, chosen((simulated){.work = 1, .demand = 0}, 16));
    ASSERT_EQ(3, chosen((simulated){.work = 1, .demand = 0}, 3));
}

TEST(threads_are_no_more_than_the_input_can_feed)
{
    ASSERT_EQ(2, chosen((simulated){.work = 1, .demand = 0, .supply = 0.55}, 16));
    ASSERT_EQ(1, chosen((simulated){.work = 1, .demand = 0, .supply = 2}, 16));
}

TEST(threads_that_bring_nothing_go_again)
{
    /* a third of the work is done by one at a time: three threads are all that helps */
    ASSERT_EQ(3, chosen((simulated){.work = 2, .alone = 1, .demand = 0}, 16));
    ASSERT_EQ(1, chosen((simulated){.work = 0, .alone = 1, .demand = 0}, 16));
}

TEST(threads_follow_the_consumer)
{
    pod_thread_tuner tuner;
    pod_input_thread_tuner_init(&tuner, 1, 8);
    ASSERT_EQ(8, settle(&tuner, &(simulated){.work = 1, .demand = 0.1}, 40));
    ASSERT_EQ(8, settle(&tuner, &(simulated){.work = 1, .demand = 0.14}, 40)); /* no slack to speak of */
    ASSERT_EQ(3, settle(&tuner, &(simulated){.work = 1, .demand = 0.55}, 40));
    ASSERT_EQ(1, settle(&tuner, &(simulated){.work = 1, .demand = 9}, 40));
    ASSERT_EQ(2, settle(&tuner, &(simulated){.work = 1, .demand = 0.7}, 40));
}

TEST(a_limit_is_doubted_after_a_while)
{
    pod_thread_tuner tuner;
    pod_input_thread_tuner_init(&tuner, 1, 8);
    ASSERT_EQ(1, settle(&tuner, &(simulated){.alone = 1}, 40));
    ASSERT_EQ(8, settle(&tuner, &(simulated){.work = 1}, 100));
}

TEST(what_was_not_measured_changes_nothing)
{
    pod_thread_tuner tuner;
    pod_input_thread_tuner_init(&tuner, 4, 2);
    ASSERT_EQ(2, tuner.threads);
    ASSERT_EQ(2, pod_input_thread_tuner_judge(&tuner, 0, 0, 0));
}

TEST(queues_share_a_budget)
{
    pod_budget budget;
    pod_queue_tuner a, b;
    pod_input_budget_init(&budget, 1000);
    pod_input_queue_tuner_init(&a, 2, 1024);
    pod_input_queue_tuner_init(&b, 2, 6);
    a.element_bytes = 100;
    ASSERT(!pod_input_queue_tuner_empty(&a, &budget)); /* it was never full */
    a.was_full = true;
    ASSERT(!pod_input_queue_tuner_empty(&b, &budget));
    ASSERT(pod_input_queue_tuner_empty(&a, &budget));
    ASSERT_EQ(4, a.size);
    ASSERT(!pod_input_queue_tuner_empty(&a, &budget));
    a.was_full = true;
    ASSERT(pod_input_queue_tuner_empty(&a, &budget));
    ASSERT_EQ(8, a.size);
    ASSERT_EQ(800, budget.used);
    a.was_full = true;
    ASSERT(!pod_input_queue_tuner_empty(&a, &budget)); /* 1600 bytes are not there */
    ASSERT_EQ(8, a.size);
    b.was_full = true;
    ASSERT(!pod_input_queue_tuner_empty(&b, &budget)); /* its elements are not known yet */
    b.element_bytes = 70;
    b.was_full = true;
    ASSERT(!pod_input_queue_tuner_empty(&b, &budget)); /* 280 of 200 */
    pod_input_queue_tuner_close(&a, &budget);
    b.was_full = true;
    ASSERT(pod_input_queue_tuner_empty(&b, &budget));
    b.was_full = true;
    ASSERT(pod_input_queue_tuner_empty(&b, &budget));
    ASSERT_EQ(6, b.size);
    b.was_full = true;
    ASSERT(!pod_input_queue_tuner_empty(&b, &budget));
    pod_input_queue_tuner_close(&b, &budget);
    ASSERT_EQ(0, budget.used);
}

TEST(large_elements_need_few_places)
{
    static const struct {
        int64_t bytes, expected;
    } cases[] = {{4 << 20, 16}, {600 << 10, 16}, {100 << 10, 64}, {600, 1024}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pod_budget budget;
        pod_queue_tuner queue;
        pod_input_budget_init(&budget, INT64_MAX);
        pod_input_queue_tuner_init(&queue, 2, 1024);
        queue.element_bytes = cases[i].bytes;
        for (int step = 0; step < 20; step++) {
            queue.was_full = true;
            pod_input_queue_tuner_empty(&queue, &budget);
        }
        ASSERT_EQ(cases[i].expected, queue.size);
    }
}

TEST(elements_without_memory_cost_nothing)
{
    pod_budget budget;
    pod_queue_tuner rows;
    pod_input_budget_init(&budget, 0);
    pod_input_queue_tuner_init(&rows, 2, 1024);
    rows.element_bytes = 0;
    for (int64_t size = 4; size <= 1024; size *= 2) {
        rows.was_full = true;
        ASSERT(pod_input_queue_tuner_empty(&rows, &budget));
        ASSERT_EQ(size, rows.size);
    }
}

TEST(blocks_are_larger_the_less_an_element_takes)
{
    static const struct {
        double seconds;
        int64_t most, expected;
    } cases[] = {{1e-7, 256, 256}, {1e-5, 256, 16}, {1e-3, 256, 1}, {1, 256, 1}, {1e-7, 100, 100}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t block = 1;
        for (int step = 0; step < 20; step++)
            block = pod_input_tuner_choose_block(block, cases[i].most, (double)block * cases[i].seconds);
        ASSERT_EQ(cases[i].expected, block);
    }
    ASSERT_EQ(64, pod_input_tuner_choose_block(128, 256, 1));
}

TEST_MAIN(RUN(threads_are_as_many_as_the_consumer_needs); RUN(threads_are_no_more_than_the_input_can_feed);
          RUN(threads_that_bring_nothing_go_again); RUN(threads_follow_the_consumer);
          RUN(a_limit_is_doubted_after_a_while); RUN(what_was_not_measured_changes_nothing); RUN(queues_share_a_budget);
          RUN(large_elements_need_few_places); RUN(elements_without_memory_cost_nothing);
          RUN(blocks_are_larger_the_less_an_element_takes))
