/* Prefetching: what runs on a thread of its own, how it stops, and how errors arrive. */

#include "data_cases.h"

static pod_context *context;

TEST(elements_come_in_order_and_then_the_end_stays)
{
    pod_buffer *number;
    pod_error error;
    for (int64_t ahead = -1; ahead < 4; ahead++) {
        pod_dataset *dataset = prefetch(range_of(context, 1000), ahead);
        pod_dataset_iterator *iterator = open_iterator(dataset);
        for (int64_t i = 0; i < 1000; i++) {
            ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
            ASSERT_EQ(i, *(int64_t *)pod_buffer_data(number));
            pod_buffer_release(number);
        }
        ASSERT_EQ(POD_END, pod_dataset_iterator_next(iterator, &number, &error));
        ASSERT_EQ(POD_END, pod_dataset_iterator_next(iterator, &number, &error));
        ASSERT(number == NULL);
        ASSERT_EQ(1000, pod_dataset_iterator_get_stats(iterator).elements);
        pod_dataset_iterator_close(iterator);
        pod_dataset_release(dataset);
    }
}

TEST(a_failure_arrives_after_the_elements_made_before_it_and_stays)
{
    counter numbers = {.context = context, .last = 9, .fails_at = 3};
    pod_dataset *dataset = prefetch(count_with(&numbers, true), 8);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_buffer *number;
    pod_error error;
    for (int i = 1; i < 3; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
        ASSERT_EQ(i, *(int64_t *)pod_buffer_data(number));
        pod_buffer_release(number);
    }
    for (int i = 0; i < 2; i++)
        ASSERT_FAILS(POD_ERROR_FORMAT, "record 3 is cut short", pod_dataset_iterator_next(iterator, &number, &error));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

TEST(a_full_queue_stops_the_producer)
{
    counter numbers = {.context = context, .last = 1000};
    pod_dataset *dataset = prefetch(count_with(&numbers, true), 4);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_buffer *number;
    pod_error error;
    ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
    pod_buffer_release(number);
    /* A thread that has filled the queue goes on when half of it is empty. */
    for (int taken = 1; taken <= 3; taken += 2) {
        while (numbers.made < taken + 3)
            uv_sleep(1);
        uv_sleep(20); /* gives a fault time to show; a sound queue needs none */
        ASSERT(numbers.made <= taken + 4);
        for (int i = 0; i < 2; i++) {
            ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
            pod_buffer_release(number);
        }
    }
    pod_dataset_iterator_close(iterator);
    ASSERT_EQ(0, numbers.open);
    pod_dataset_release(dataset);
}

TEST(producer_and_consumer_work_at_the_same_time)
{
    counter numbers = {.context = context, .last = 40, .milliseconds = 1};
    pod_dataset *dataset = prefetch(count_with(&numbers, true), 2);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_buffer *number;
    pod_error error;
    /* While the consumer holds an element the next one is made: no clock decides, only the test's time limit. */
    for (int taken = 1; taken <= 40; taken++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
        while (numbers.made <= taken && taken < 40)
            uv_sleep(1);
        pod_buffer_release(number);
    }
    ASSERT_EQ(POD_END, pod_dataset_iterator_next(iterator, &number, &error));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

/* A producer that makes numbers only as far as it is allowed to. */
typedef struct gate {
    atomic_int allowed, made;
    atomic_bool over; /* it makes no more in this pass */
    int64_t words;    /* of an element */
} gate;

static pod_status gate_next(void *state, void *cursor, pod_buffer **components, pod_error *error)
{
    gate *self = state;
    (void)cursor;
    while (self->made >= self->allowed && !self->over)
        uv_sleep(1);
    if (self->over)
        return POD_END;
    self->made++;
    return pod_buffer_new(context, POD_S64, &(pod_shape){1, {self->words}}, &components[0], error);
}

static pod_dataset *gated(gate *state, int64_t ahead)
{
    const pod_source source = {.next = gate_next, .context = state, .any_thread = true};
    const pod_component numbers = {.dtype = POD_S64, .shape = {1, {state->words}}};
    pod_dataset *dataset;
    pod_error error;
    ASSERT_OK(pod_dataset_from_source(context, &source, &numbers, 1, POD_CARDINALITY_INFINITE, &dataset, &error));
    return prefetch(dataset, ahead);
}

static void take_one(pod_dataset_iterator *iterator)
{
    pod_buffer *number;
    pod_error error;
    ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
    pod_buffer_release(number);
}

static void open_gate(void *state)
{
    uv_sleep(20); /* so that the consumer waits, mostly */
    ((gate *)state)->allowed++;
}

static int64_t queue_count(pod_dataset_iterator *iterator)
{
    pod_stage_stats stats[2];
    double seconds;
    ASSERT_EQ(2, pod_dataset_iterator_get_stage_stats(iterator, stats, 2, &seconds));
    return stats[1].queue_count;
}

/* Lets the queue fill with `count` elements, takes them, and one more that comes late. */
static void empty_the_queue(gate *state, pod_dataset_iterator *iterator, int64_t count)
{
    uv_thread_t thread;
    state->allowed = state->made + (int)count;
    while (queue_count(iterator) < count)
        uv_sleep(1);
    for (int64_t i = 0; i < count; i++)
        take_one(iterator);
    ASSERT_EQ(0, uv_thread_create(&thread, open_gate, state));
    take_one(iterator);
    uv_thread_join(&thread);
}

static int64_t queue_size(pod_dataset_iterator *iterator)
{
    return pod_dataset_iterator_get_stats(iterator).prefetch_buffer;
}

/* Fills and empties the queue until it is larger. */
static int64_t enlarge(gate *state, pod_dataset_iterator *iterator)
{
    const int64_t before = queue_size(iterator);
    for (int i = 0; i < 50 && queue_size(iterator) == before; i++)
        empty_the_queue(state, iterator, before);
    return queue_size(iterator);
}

TEST(autotune_keeps_more_where_a_queue_was_full_and_then_empty)
{
    gate state = {.words = 8, .allowed = 1};
    pod_dataset *dataset = gated(&state, POD_AUTOTUNE);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    take_one(iterator); /* the thread runs */
    ASSERT_EQ(2, queue_size(iterator));
    ASSERT_EQ(4, enlarge(&state, iterator));
    ASSERT_EQ(8, enlarge(&state, iterator));
    empty_the_queue(&state, iterator, 3); /* never full: a larger queue would not help */
    ASSERT_EQ(8, queue_size(iterator));
    state.allowed = INT32_MAX;
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

TEST(autotune_settles_after_two_passes)
{
    gate state = {.words = 8};
    pod_dataset *dataset = gated(&state, POD_AUTOTUNE);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_error error;
    for (int64_t pass = 1; pass <= 3; pass++) {
        state.allowed = state.made + 1;
        take_one(iterator);
        if (pass < 3)
            ASSERT_EQ(4 * pass, enlarge(&state, iterator));
        for (int i = 0; pass == 3 && i < 3; i++)
            empty_the_queue(&state, iterator, 8);
        ASSERT_EQ(pass == 1 ? 4 : 8, queue_size(iterator));
        state.over = true; /* rewinding waits for the producer, which is not to wait for the gate */
        ASSERT_OK(pod_dataset_iterator_rewind(iterator, &error));
        state.over = false;
    }
    state.allowed = INT32_MAX;
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

TEST(autotune_respects_the_budget_of_memory_and_may_be_switched_off)
{
    const pod_iterator_options options[] = {{.ram_budget = 3 * 8000}, {.no_autotune = true}};
    for (int i = 0; i < 2; i++) {
        gate state = {.words = 1000, .allowed = 1};
        pod_dataset *dataset = gated(&state, POD_AUTOTUNE);
        pod_dataset_iterator *iterator;
        pod_error error;
        ASSERT_OK(pod_dataset_iterator_open(dataset, &options[i], &iterator, &error));
        take_one(iterator);
        empty_the_queue(&state, iterator, 2);
        ASSERT_EQ(2, queue_size(iterator));
        state.allowed = INT32_MAX;
        pod_dataset_iterator_close(iterator);
        pod_dataset_release(dataset);
    }
}

TEST(stages_tell_what_they_did)
{
    counter numbers = {.context = context, .last = 10};
    pod_dataset *dataset = prefetch(batch(count_with(&numbers, true), 4, false), 3);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_stage_stats stats[4];
    double seconds;
    char text[4096];
    ASSERT_TEXT("[1 2 3 4] [5 6 7 8] [9 10]", spell(iterator, 1, text));
    ASSERT_EQ(3, pod_dataset_iterator_get_stage_stats(iterator, stats, 2, &seconds));
    ASSERT_EQ(3, pod_dataset_iterator_get_stage_stats(iterator, stats, 4, &seconds));
    ASSERT_TEXT("from_generator", pod_dataset_stage_name(stats[0].dataset));
    ASSERT_TEXT("prefetch", pod_dataset_stage_name(stats[2].dataset));
    ASSERT_EQ(10, stats[0].elements);
    ASSERT_EQ(3, stats[1].elements);
    ASSERT_EQ(3, stats[2].elements);
    ASSERT_EQ(0, stats[1].threads);
    ASSERT_EQ(1, stats[2].threads);
    ASSERT_EQ(3, stats[2].queue_size);
    ASSERT_EQ(0, stats[2].queue_count);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

static void cancel_soon(void *iterator)
{
    uv_sleep(20);
    pod_dataset_iterator_cancel(iterator);
}

TEST(cancel_wakes_a_consumer_that_waits_below_two_queues)
{
    counter numbers = {.context = context, .last = 1000, .milliseconds = 50};
    pod_dataset *dataset = prefetch(batch(prefetch(count_with(&numbers, true), 2), 100, false), 2);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_buffer *number;
    pod_error error;
    uv_thread_t thread;
    ASSERT_EQ(0, uv_thread_create(&thread, cancel_soon, iterator));
    ASSERT_FAILS(POD_ERROR_CANCELLED, "cancelled", pod_dataset_iterator_next(iterator, &number, &error));
    uv_thread_join(&thread);
    ASSERT_FAILS(POD_ERROR_CANCELLED, "cancelled", pod_dataset_iterator_next(iterator, &number, &error));
    pod_dataset_iterator_close(iterator);
    ASSERT(numbers.made < 100); /* nobody waited for the batch that was being put together */
    pod_dataset_release(dataset);
}

TEST(a_pass_can_be_left_and_begun_anew)
{
    char text[4096];
    pod_dataset *dataset = prefetch(batch(prefetch(repeat(range_of(context, 5), 2), 3), 4, false), 2);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_buffer *number;
    pod_error error;
    for (int pass = 0; pass < 20; pass++) {
        for (int i = 0; i < pass % 3; i++) {
            ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
            pod_buffer_release(number);
        }
        if (pass % 4 == 3)
            pod_dataset_iterator_cancel(iterator);
        ASSERT_OK(pod_dataset_iterator_rewind(iterator, &error));
    }
    ASSERT_TEXT("[0 1 2 3] [4 0 1 2] [3 4]", spell(iterator, 1, text));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

static pod_status own_thread_next(void *thread, void *cursor, pod_buffer **components, pod_error *error)
{
    const uv_thread_t here = uv_thread_self();
    const pod_shape scalar = {0};
    (void)cursor;
    if (!uv_thread_equal(thread, &here))
        return pod_error_set(error, POD_ERROR_STATE, "called on another thread");
    return pod_buffer_new(context, POD_S64, &scalar, &components[0], error);
}

TEST(a_callback_may_insist_on_the_consumers_thread)
{
    uv_thread_t here = uv_thread_self();
    const pod_source source = {.next = own_thread_next, .context = &here};
    const pod_component number = {.dtype = POD_S64};
    pod_dataset *dataset;
    pod_buffer *row;
    pod_error error;
    size_t ready;
    ASSERT_OK(pod_dataset_from_source(context, &source, &number, 1, POD_CARDINALITY_INFINITE, &dataset, &error));
    dataset = prefetch(batch(prefetch(dataset, 2), 3, true), 2);
    ASSERT(pod_dataset_needs_own_thread(dataset));
    pod_dataset_iterator *iterator = open_iterator(dataset);
    ASSERT_OK(pod_dataset_iterator_prepare(iterator, 5, &ready, &error));
    ASSERT_EQ(5, ready);
    for (int i = 0; i < 8; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &row, &error));
        pod_buffer_release(row);
    }
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

TEST(prepared_elements_come_first_and_a_failure_waits_its_turn)
{
    counter numbers = {.context = context, .last = 9, .fails_at = 4};
    pod_dataset *dataset = count_with(&numbers, false);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_buffer *number;
    pod_error error;
    size_t ready;
    ASSERT_OK(pod_dataset_iterator_prepare(iterator, 2, &ready, &error));
    ASSERT_EQ(2, ready);
    ASSERT_OK(pod_dataset_iterator_prepare(iterator, 7, &ready, &error));
    ASSERT_EQ(3, ready);
    for (int i = 1; i < 4; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
        ASSERT_EQ(i, *(int64_t *)pod_buffer_data(number));
        pod_buffer_release(number);
    }
    ASSERT_FAILS(POD_ERROR_FORMAT, "record 4", pod_dataset_iterator_prepare(iterator, 1, &ready, &error));
    ASSERT_FAILS(POD_ERROR_FORMAT, "record 4", pod_dataset_iterator_next(iterator, &number, &error));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

static pod_dataset *padded(pod_dataset *input, int64_t size)
{
    const pod_padded_batch_options options = {.size = size};
    pod_dataset *dataset;
    pod_error error;
    ASSERT_OK(pod_dataset_padded_batch(input, &options, &dataset, &error));
    pod_dataset_release(input);
    return dataset;
}

TEST(a_batch_is_made_in_parts_where_time_is_short)
{
    for (int way = 0; way < 4; way++) {
        counter numbers = {.context = context, .last = 7};
        pod_dataset *dataset = count_with(&numbers, false);
        dataset = way == 1 ? padded(dataset, 3) : batch(dataset, 3, way == 2);
        dataset = way == 3 ? prefetch(dataset, 2) : dataset;
        pod_dataset_iterator *iterator = open_iterator(dataset);
        pod_component next;
        pod_buffer *row;
        pod_error error;
        size_t ready;
        char text[4096];
        for (int i = 1; i <= 3; i++) { /* an element a call */
            ASSERT_OK(pod_dataset_iterator_prepare_for(iterator, 2, 1, &ready, &error));
            ASSERT_EQ(i, numbers.made);
            ASSERT_EQ(i == 3, ready);
        }
        ASSERT_OK(pod_dataset_iterator_prepare_for(iterator, 1, 1, &ready, &error));
        ASSERT_EQ(3, numbers.made);
        ASSERT_OK(pod_dataset_iterator_prepare_for(iterator, 2, 1, &ready, &error));
        ASSERT_EQ(1, ready);
        ASSERT_TEXT(way == 2 ? "[1 2 3] [4 5 6]" : "[1 2 3] [4 5 6] [7]", spell(iterator, 1, text));
        ASSERT_EQ(POD_END, pod_dataset_iterator_prepare_for(iterator, 1, 1, &ready, &error));
        ASSERT_OK(pod_dataset_iterator_rewind(iterator, &error));
        ASSERT_OK(pod_dataset_iterator_prepare_for(iterator, 1, 1, &ready, &error)); /* dropped by another pass, */
        ASSERT_OK(pod_dataset_iterator_rewind(iterator, &error));
        ASSERT_OK(pod_dataset_iterator_prepare_for(iterator, 1, 1, &ready, &error)); /* and by a close */
        ASSERT_EQ(0, ready);
        ASSERT_OK(pod_dataset_iterator_peek(iterator, &next, &error));
        ASSERT_EQ(3, next.shape.dims[0]);
        ASSERT_OK(pod_dataset_iterator_next(iterator, &row, &error));
        ASSERT_EQ(1, *(int64_t *)pod_buffer_data(row));
        pod_buffer_release(row);
        ASSERT_OK(pod_dataset_iterator_prepare_for(iterator, 1, 1, &ready, &error));
        pod_dataset_iterator_close(iterator);
        pod_dataset_release(dataset);
    }
}

TEST(an_infeed_ends_a_run_before_other_shapes)
{
    pod_dataset *dataset = repeat(batch(range_of(context, 8), 3, false), 2);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    const pod_infeed infeed = pod_dataset_iterator_infeed(iterator);
    pod_component next;
    pod_buffer *slot[2];
    pod_error error;
    const int64_t runs[] = {3, 2, 3, 2}, steps[] = {2, 1, 2, 1};
    for (int run = 0; run < 4; run++) {
        ASSERT_OK(pod_dataset_iterator_peek(iterator, &next, &error));
        ASSERT_EQ(runs[run], next.shape.dims[0]);
        for (int64_t step = 0; step < steps[run]; step++) {
            ASSERT_OK(infeed.next(infeed.context, slot, 1, &error));
            ASSERT_EQ(runs[run], pod_buffer_shape(slot[0])->dims[0]);
            pod_buffer_release(slot[0]);
        }
        ASSERT_EQ(POD_END, infeed.next(infeed.context, slot, 1, &error));
    }
    ASSERT_EQ(POD_END, pod_dataset_iterator_peek(iterator, &next, &error));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "the program takes 2 values a step", infeed.next(infeed.context, slot, 2, &error));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

TEST(an_iterator_that_was_never_asked_closes)
{
    pod_dataset *dataset = prefetch(batch(shuffle(range_of(context, 10), 4, 1), 2, false), 2);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_dataset_release(dataset);
    pod_dataset_iterator_close(iterator);
    pod_dataset_iterator_close(NULL);
}

TEST_MAIN(context = test_context(NULL); RUN(elements_come_in_order_and_then_the_end_stays);
          RUN(a_failure_arrives_after_the_elements_made_before_it_and_stays); RUN(a_full_queue_stops_the_producer);
          RUN(producer_and_consumer_work_at_the_same_time);
          RUN(autotune_keeps_more_where_a_queue_was_full_and_then_empty); RUN(autotune_settles_after_two_passes);
          RUN(autotune_respects_the_budget_of_memory_and_may_be_switched_off); RUN(stages_tell_what_they_did);
          RUN(cancel_wakes_a_consumer_that_waits_below_two_queues); RUN(a_pass_can_be_left_and_begun_anew);
          RUN(a_callback_may_insist_on_the_consumers_thread);
          RUN(prepared_elements_come_first_and_a_failure_waits_its_turn);
          RUN(a_batch_is_made_in_parts_where_time_is_short); RUN(an_infeed_ends_a_run_before_other_shapes);
          RUN(an_iterator_that_was_never_asked_closes); pod_context_release(context))
