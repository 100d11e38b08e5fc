/* test_claims - pieces of phases are each done once, whichever threads are slow. Runs under ThreadSanitizer. */

#include "test.h"

#include <stdatomic.h>
#include <uv.h>

#include "base/workers.h"
#include "engine/run_worker.h"

#define MOST_THREADS 7
#define SHARE        5
#define PHASES       400

typedef struct crowd {
    pod_context *context;
    pod_run run;
    pod_worker workers[MOST_THREADS];
    atomic_int taken[PHASES][MOST_THREADS * SHARE];
} crowd;

static crowd *crowd_new(int threads)
{
    crowd *made = calloc(1, sizeof *made);
    ASSERT(made);
    made->context = test_context(&(pod_context_options){.threads = threads});
    made->run.workers = made->workers;
    for (int i = 0; i < threads; i++)
        made->workers[i] = (pod_worker){.run = &made->run, .index = i, .count = threads};
    return made;
}

static void crowd_free(crowd *c)
{
    pod_context_release(c->context);
    free(c);
}

static void take_all(void *argument, int thread, int threads)
{
    crowd *c = argument;
    pod_worker *worker = &c->workers[thread];
    (void)threads;
    for (int phase = 0; phase < PHASES; phase++) {
        while (pod_run_claim(worker, 1 + phase % SHARE)) {
            atomic_fetch_add(&c->taken[phase][worker->piece], 1);
            if (thread == phase % 3) /* is slow for once */
                uv_sleep(phase % 50 == 0);
        }
        pod_workers_barrier(c->context);
        worker->barrier++;
    }
}

TEST(each_piece_is_taken_once)
{
    pod_error error;
    for (int threads = 2; threads <= MOST_THREADS; threads += 5) {
        crowd *c = crowd_new(threads);
        ASSERT_OK(pod_workers_run(c->context, take_all, c, &error));
        for (int phase = 0; phase < PHASES; phase++)
            for (int piece = 0; piece < MOST_THREADS * SHARE; piece++)
                ASSERT_EQ(piece < threads * (1 + phase % SHARE), atomic_load(&c->taken[phase][piece]));
        crowd_free(c);
    }
}

TEST(a_share_is_taken_from_its_front_and_what_others_leave_from_its_end)
{
    crowd *c = crowd_new(3);
    const int expected[] = {5, 6, 7, 8, 9, 14, 13, 12, 3, 2, 1};
    pod_worker *second = &c->workers[1];
    ASSERT(pod_run_claim(&c->workers[0], SHARE));
    ASSERT_EQ(0, c->workers[0].piece);
    for (int i = 0; i < 8; i++) {
        ASSERT(pod_run_claim(second, SHARE));
        ASSERT_EQ(expected[i], second->piece);
    }
    for (int piece = 10; piece < 12; piece++) {
        ASSERT(pod_run_claim(&c->workers[2], SHARE));
        ASSERT_EQ(piece, c->workers[2].piece);
    }
    ASSERT(pod_run_claim(second, SHARE)); /* of the first's: thread 2 has none left */
    ASSERT_EQ(4, second->piece);
    for (int i = 8; i < 11; i++) {
        ASSERT(pod_run_claim(second, SHARE));
        ASSERT_EQ(expected[i], second->piece);
    }
    for (int i = 0; i < 3; i++)
        ASSERT(!pod_run_claim(&c->workers[i], SHARE));
    crowd_free(c);
}

TEST(what_others_took_of_an_earlier_phase_is_no_longer_taken)
{
    crowd *c = crowd_new(2);
    while (pod_run_claim(&c->workers[1], SHARE))
        ;
    ASSERT(!pod_run_claim(&c->workers[0], SHARE));
    c->workers[0].barrier = c->workers[1].barrier = UINT32_MAX; /* the last whose number has 32 bits */
    for (int phase = 0; phase < 3; phase++) {
        for (int piece = 0; piece < 2 * SHARE; piece++)
            ASSERT(pod_run_claim(&c->workers[0], SHARE));
        ASSERT(!pod_run_claim(&c->workers[1], SHARE));
        c->workers[0].barrier++, c->workers[1].barrier++;
    }
    crowd_free(c);
}

TEST_MAIN(RUN(each_piece_is_taken_once); RUN(a_share_is_taken_from_its_front_and_what_others_leave_from_its_end);
          RUN(what_others_took_of_an_earlier_phase_is_no_longer_taken))
