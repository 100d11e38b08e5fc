/* Which stages of a pipeline run at workers and which here: what is chosen, and that elements are the same however it
 * is, also where it changes within a pass. */

#include "data_cases.h"

#include <string.h>
#include <uv.h>

#include "input/consumer.h"
#include "moonpod/builders.h"
#include "moonpod/service.h"
#include "service/distribute.h"

static pod_context *context;
static pod_error error;
static pod_service_dispatcher *dispatcher;
static pod_service_worker *workers[2];

/* ---- choosing ---- */

static pod_cut_choice choose(const pod_cut *cuts, size_t count, size_t now, pod_cut_measurement measured)
{
    return pod_service_cut_choose(cuts, count, now, &measured);
}

/* A stage that makes elements four times as large is run here where the link is what is waited for. */
TEST(a_slow_link_moves_a_stage_that_makes_elements_larger)
{
    const pod_cut cuts[] = {{100e-6, 0, 4000}, {90e-6, 10e-6, 1000}};
    const pod_cut_measurement slow = {
        .seconds = 1, .elements = 1000, .workers = 2, .waited = 0.9, .held = 1.6, .bytes = 4e6};
    const pod_cut_choice choice = choose(cuts, 2, 0, slow);
    char text[256];
    ASSERT_EQ(1, choice.cut);
    ASSERT_EQ(POD_LIMIT_LINK, choice.limit);
    pod_service_cut_explain(&choice, cuts, 0, "map (a.lua:3)", text, sizeof text);
    ASSERT_TEXT(
        "map (a.lua:3) run here since the link is what takes longest: 250.0 us an element instead of 1000.0, 1000 "
        "bytes on the way instead of 4000 (4.0 MB/s came)",
        text);
    /* from there it does not go back: the link is not what takes longest any more, but there is nothing to gain */
    const pod_cut_measurement after = {
        .seconds = 1, .elements = 4000, .workers = 2, .waited = 0.8, .held = 1.5, .bytes = 4e6};
    ASSERT_EQ(1, choose(cuts, 2, 1, after).cut);
}

/* A worker whose elements are all on the way is not held: it is idle, as nobody asks it for more. The link is what is
 * waited for all the same, but where this process waits for nothing. */
TEST(workers_are_idle_behind_a_slow_link)
{
    const pod_cut cuts[] = {{100e-6, 0, 4000}, {90e-6, 10e-6, 1000}};
    pod_cut_measurement measured = {
        .seconds = 1, .elements = 1000, .workers = 2, .waited = 0.9, .held = 0.2, .idle = 1.4, .bytes = 4e6};
    ASSERT_EQ(1, choose(cuts, 2, 0, measured).cut);
    ASSERT_EQ(POD_LIMIT_LINK, choose(cuts, 2, 0, measured).limit);
    measured.idle = 0.7; /* less than half of their time in all */
    ASSERT_EQ(0, choose(cuts, 2, 0, measured).cut);
    ASSERT_EQ(POD_LIMIT_CONSUMER, choose(cuts, 2, 0, measured).limit);
    measured.idle = 1.8;
    measured.waited = 0.1;
    ASSERT_EQ(0, choose(cuts, 2, 0, measured).cut);
    ASSERT_EQ(POD_LIMIT_CONSUMER, choose(cuts, 2, 0, measured).limit);
}

TEST(a_stage_runs_where_nobody_waits_for_it)
{
    /* the workers are at work, and this process waits: it takes the last stage over */
    const pod_cut heavy[] = {{1000e-6, 0, 100}, {500e-6, 500e-6, 100}};
    const pod_cut_measurement waiting = {
        .seconds = 1, .elements = 1000, .workers = 1, .waited = 0.99, .held = 0, .bytes = 1e5};
    ASSERT_EQ(1, choose(heavy, 2, 0, waiting).cut);
    ASSERT_EQ(POD_LIMIT_WORKERS, choose(heavy, 2, 0, waiting).limit);
    /* this process never waits, and is what takes longest: it gives the stage back */
    const pod_cut_measurement busy = {
        .seconds = 1, .elements = 1000, .workers = 4, .waited = 0, .held = 2, .bytes = 1e5};
    ASSERT_EQ(0, choose(heavy, 2, 1, busy).cut);
    ASSERT_EQ(POD_LIMIT_CONSUMER, choose(heavy, 2, 1, busy).limit);
}

TEST(what_gains_less_than_a_quarter_stays)
{
    const pod_cut cuts[] = {{1000e-6, 0, 100}, {850e-6, 150e-6, 100}};
    const pod_cut_measurement measured = {
        .seconds = 1, .elements = 1000, .workers = 1, .waited = 0.99, .held = 0, .bytes = 1e5};
    const pod_cut_choice choice = choose(cuts, 2, 0, measured);
    char text[256];
    ASSERT_EQ(0, choice.cut);
    pod_service_cut_explain(&choice, cuts, 0, "", text, sizeof text);
    ASSERT_TEXT("no stage runs here: the workers are what takes longest, and no other cut is faster by a quarter",
                text);
    ASSERT_EQ(0, choose(cuts, 2, 0, (pod_cut_measurement){0}).cut);
    pod_service_cut_explain_return("map (a.lua:3)", true, 1250e-6, 1000e-6, text, sizeof text);
    ASSERT_TEXT("map (a.lua:3) moved here and back: 1250.0 us an element there, 1000.0 before", text);
}

/* ---- moving ---- */

static void start(void)
{
    ASSERT_OK(pod_service_dispatcher_open(context, &(pod_dispatcher_options){0}, &dispatcher, &error));
    const pod_worker_options options = {.dispatcher = pod_service_dispatcher_address(dispatcher)};
    for (int i = 0; i < 2; i++)
        ASSERT_OK(pod_service_worker_open(context, &options, &workers[i], &error));
}

static void stop(void)
{
    for (int i = 0; i < 2; i++)
        pod_service_worker_close(workers[i]);
    pod_service_dispatcher_close(dispatcher);
}

enum { ELEMENTS = 3000 };

/* A graph of a number: 2 x + offset. */
static pod_graph *doubling(double offset)
{
    pod_graph *graph;
    ASSERT_OK(pod_graph_new(context, "double", &graph, &error));
    pod_node *x = pod_graph_parameter(graph, POD_S64, &(pod_shape){0}, "x");
    pod_node *twice = pod_graph_multiply(graph, x, pod_graph_scalar(graph, POD_S64, 2, NULL));
    pod_graph_add_output(graph, pod_graph_add(graph, twice, pod_graph_scalar(graph, POD_S64, offset, NULL)));
    return graph;
}

/* Numbers, of which two stages make 2 x + 1 and 2 (2 x + 1). */
static pod_dataset *mapped(bool in_order, int64_t split_size)
{
    pod_dataset *first = NULL, *second = NULL, *remote = NULL, *numbers = range_of(context, ELEMENTS);
    ASSERT_OK(pod_dataset_map(numbers, doubling(1), &first, &error));
    ASSERT_OK(pod_dataset_map(first, doubling(0), &second, &error));
    const pod_distribute_options options = {.service = pod_service_dispatcher_address(dispatcher),
                                            .in_order = in_order,
                                            .split_size = split_size,
                                            .no_autotune = true};
    ASSERT_OK(pod_dataset_distribute(second, &options, &remote, &error));
    pod_dataset_release(numbers);
    pod_dataset_release(first);
    pod_dataset_release(second);
    return remote;
}

/* The next element's number; -1: there is none. */
static int64_t next_number(pod_dataset_iterator *iterator)
{
    pod_buffer *element;
    const pod_status status = pod_dataset_iterator_next(iterator, &element, &error);
    if (status == POD_END)
        return -1;
    ASSERT_OK(status);
    const int64_t number = *(const int64_t *)pod_buffer_data(element) / 4;
    pod_buffer_release(element);
    return number;
}

/* A pass in which the cut moves after some elements, to and fro. */
static void expect_each_once(bool in_order)
{
    static const size_t cuts[] = {1, 2, 0, 2, 1, 0};
    pod_dataset *remote = mapped(in_order, 50);
    pod_dataset_iterator *iterator = open_iterator(remote);
    for (int pass = 0; pass < 2; pass++) {
        unsigned char seen[ELEMENTS] = {0};
        int count = 0;
        for (int64_t number; (number = next_number(iterator)) >= 0;) {
            ASSERT(number < ELEMENTS);
            if (in_order)
                ASSERT_EQ(count, number);
            seen[number]++;
            if (count++ % 400 == 0)
                pod_service_distribute_move(iterator->stage, cuts[(size_t)count / 400 % 6]);
        }
        for (int i = 0; i < ELEMENTS; i++)
            ASSERT_EQ(1, seen[i]);
        ASSERT_OK(pod_dataset_iterator_rewind(iterator, &error));
    }
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(remote);
}

TEST(each_element_comes_once_while_stages_move)
{
    start();
    expect_each_once(false);
    stop();
}

TEST(elements_keep_their_order_while_stages_move)
{
    start();
    expect_each_once(true);
    stop();
}

/* Waits until so many blocks of elements have come that were not taken. */
static void wait_for_blocks(pod_dataset_iterator *iterator, int64_t most)
{
    pod_stage_stats stats[8] = {0};
    double seconds;
    size_t count;
    do {
        uv_sleep(1);
        count = pod_dataset_iterator_get_stage_stats(iterator, stats, 8, &seconds);
        ASSERT(count > 0 && count <= 8);
    } while (stats[count - 1].queue_count < most);
}

/* More splits wait to be taken, when a stage moves, than may be done before the dispatcher is told: it is told of none
 * of them, for it would give another with its answer. */
TEST(each_element_comes_once_where_many_splits_wait_when_a_stage_moves)
{
    unsigned char seen[ELEMENTS] = {0};
    start();
    pod_dataset *remote = mapped(false, 1);
    pod_dataset_iterator *iterator = open_iterator(remote);
    seen[next_number(iterator)]++;
    wait_for_blocks(iterator, 600);
    pod_service_distribute_move(iterator->stage, 1);
    int64_t number;
    for (int taken = 1; (number = next_number(iterator)) >= 0; taken++) {
        ASSERT(number < ELEMENTS);
        seen[number]++;
        if (taken < 400)
            uv_sleep(1); /* in which an answer may come */
    }
    for (int i = 0; i < ELEMENTS; i++)
        ASSERT_EQ(1, seen[i]);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(remote);
    stop();
}

static bool is_absent(void)
{
    pod_service_dispatcher *made;
    const pod_status status = pod_service_dispatcher_open(context, &(pod_dispatcher_options){0}, &made, &error);
    pod_service_dispatcher_close(made);
    return status == POD_ERROR_UNSUPPORTED;
}

TEST_MAIN(context = test_context(NULL); if (is_absent()) puts("skipped: this build has no data service"); else {
    RUN(a_slow_link_moves_a_stage_that_makes_elements_larger);
    RUN(workers_are_idle_behind_a_slow_link);
    RUN(a_stage_runs_where_nobody_waits_for_it);
    RUN(what_gains_less_than_a_quarter_stays);
    RUN(each_element_comes_once_while_stages_move);
    RUN(elements_keep_their_order_while_stages_move);
    RUN(each_element_comes_once_where_many_splits_wait_when_a_stage_moves);
} pod_context_release(context))
