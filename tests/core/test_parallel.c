/* Threads: stages that run on several, and what autotune chooses for them. */

#include "data_cases.h"

#include "input/consumer.h"
#include "input/input_costs.h"

static pod_context *context;
static pod_dataset *made;
static pod_error error;

typedef struct slow {
    unsigned milliseconds; /* that even numbers take; odd ones take none */
    int64_t fails_at;
    int meets;         /* the first call waits until so many run at once */
    bool is_overtaken; /* the first number waits until another has come to the consumer */
    atomic_int running, most, cursors, released, taken, calls;
} slow;

#define PATIENCE 60000 /* milliseconds: only where what is waited for never comes */

static pod_status slow_open(void *state, void **cursor, pod_error *failure)
{
    (void)cursor;
    (void)failure;
    ((slow *)state)->cursors++;
    return POD_OK;
}

static void slow_close(void *state, void *cursor)
{
    (void)cursor;
    ((slow *)state)->cursors--;
}

static void slow_release(void *state)
{
    ((slow *)state)->released++;
}

static pod_status slow_square(void *state, void *cursor, pod_buffer *const *inputs, pod_buffer **outputs,
                              pod_error *failure)
{
    slow *self = state;
    const int64_t number = *(const int64_t *)pod_buffer_data(inputs[0]);
    const int running = ++self->running;
    (void)cursor;
    self->calls++;
    for (int most = self->most; running > most && !atomic_compare_exchange_weak(&self->most, &most, running);)
        ;
    for (int i = 0; self->most < self->meets && i < PATIENCE; i++)
        uv_sleep(1);
    for (int i = 0; self->is_overtaken && number == 0 && self->taken == 0 && i < PATIENCE; i++)
        uv_sleep(1);
    if (number % 2 == 0 && self->milliseconds > 0)
        uv_sleep(self->milliseconds);
    self->running--;
    if (number == self->fails_at)
        return pod_error_set(failure, POD_ERROR_VALUE, "%lld is not square enough", (long long)number);
    const pod_status status = pod_buffer_new(context, POD_S64, &(pod_shape){0}, &outputs[0], failure);
    if (status == POD_OK)
        *(int64_t *)pod_buffer_data(outputs[0]) = number * number;
    return status;
}

static pod_dataset *squares(slow *state, pod_dataset *input, int64_t threads, bool unordered)
{
    const pod_transform transform = {slow_open, slow_square, slow_close, slow_release, state, true};
    const pod_component number = {.dtype = POD_S64};
    pod_dataset *mapped, *dataset;
    ASSERT_OK(pod_dataset_transform(input, &transform, &number, 1, &mapped, &error));
    pod_dataset_release(input);
    if (threads == 0)
        return mapped;
    ASSERT_OK(pod_dataset_set_label(mapped, "square (here.lua:3)", &error));
    ASSERT_OK(pod_dataset_parallel(mapped, &(pod_parallel_options){threads, unordered ? POD_ORDER_ANY : POD_ORDER_KEPT},
                                   &dataset, &error));
    pod_dataset_release(mapped);
    return dataset;
}

TEST(a_function_of_the_host_sees_each_element)
{
    slow state = {.fails_at = -1};
    expect_elements("0 1 4 9 16", squares(&state, range_of(context, 5), 0, false));
    ASSERT_EQ(0, state.cursors);
    ASSERT_EQ(1, state.released);
}

TEST(a_quick_function_hands_on_no_more_than_is_foreseen)
{
    slow state = {.fails_at = -1};
    pod_dataset *dataset = squares(&state, range_of(context, 1000), 0, false);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_part elements[POD_STAGE_BLOCK];
    size_t count;
    for (size_t seen = 0; seen < 1000; seen += count) {
        ASSERT_OK(pod_input_stage_next(iterator->stage, elements, POD_STAGE_BLOCK, &count, &error));
        ASSERT(count >= 1 && count <= POD_MOST_TOGETHER);
        pod_input_parts_release(elements, count);
    }
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

TEST(threads_keep_the_order)
{
    char sequential[4096], parallel[4096];
    slow state = {.fails_at = -1, .milliseconds = 1}, together = {.fails_at = -1, .milliseconds = 1, .meets = 2};
    pod_dataset *a = squares(&state, range_of(context, 60), 0, false);
    pod_dataset *b = squares(&together, range_of(context, 60), 4, false);
    pod_dataset_iterator *in_a = open_iterator(a), *in_b = open_iterator(b);
    spell(in_a, 1, sequential);
    ASSERT_TEXT(sequential, spell(in_b, 1, parallel));
    ASSERT(state.most == 1 && together.most > 1);
    ASSERT_OK(pod_dataset_iterator_rewind(in_b, &error));
    ASSERT_TEXT(sequential, spell(in_b, 1, parallel));
    pod_dataset_iterator_close(in_a);
    pod_dataset_iterator_close(in_b);
    pod_dataset_release(a);
    pod_dataset_release(b);
    ASSERT_EQ(0, state.cursors + together.cursors);
    ASSERT_EQ(2, state.released + together.released);
}

TEST(without_order_all_elements_come_once)
{
    slow state = {.fails_at = -1, .milliseconds = 3, .is_overtaken = true};
    pod_dataset *dataset = squares(&state, range_of(context, 40), 3, true);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_buffer *number;
    int64_t sum = 0, before = -1;
    bool overtaken = false;
    for (int i = 0; i < 40; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
        state.taken++;
        const int64_t value = *(int64_t *)pod_buffer_data(number);
        overtaken |= value < before;
        before = value;
        sum += value;
        pod_buffer_release(number);
    }
    ASSERT_EQ(39 * 40 * 79 / 6, sum);
    ASSERT(overtaken);
    ASSERT_EQ(POD_END, pod_dataset_iterator_next(iterator, &number, &error));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

TEST(a_failure_on_a_thread_arrives_in_its_place)
{
    slow state = {.fails_at = 13};
    pod_dataset *dataset = prefetch(squares(&state, range_of(context, 100), 4, false), 4);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_buffer *number;
    for (int64_t i = 0; i < 13; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
        ASSERT_EQ(i * i, *(int64_t *)pod_buffer_data(number));
        pod_buffer_release(number);
    }
    for (int i = 0; i < 2; i++)
        ASSERT_FAILS(POD_ERROR_VALUE, "square (here.lua:3), element 13: 13 is not square enough",
                     pod_dataset_iterator_next(iterator, &number, &error));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
    ASSERT_EQ(0, state.cursors);
}

TEST(threads_stop_soon_when_nobody_waits_for_them)
{
    slow state = {.fails_at = -1, .milliseconds = 5};
    pod_dataset *dataset = squares(&state, prefetch(repeat(range_of(context, 100), -1), 4), 3, false);
    for (int pass = 0; pass < 10; pass++) {
        pod_dataset_iterator *iterator = open_iterator(dataset);
        pod_buffer *number;
        for (int i = 0; i < pass; i++) {
            ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
            pod_buffer_release(number);
        }
        if (pass % 3 == 2)
            pod_dataset_iterator_cancel(iterator);
        if (pass % 3 == 1)
            ASSERT_OK(pod_dataset_iterator_rewind(iterator, &error));
        pod_dataset_iterator_close(iterator);
    }
    pod_dataset_release(dataset);
    ASSERT_EQ(0, state.cursors);
}

TEST(only_stages_of_single_elements_run_in_parallel)
{
    pod_dataset *input = range_of(context, 3);
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "stage 'range' cannot run on several threads",
                 pod_dataset_parallel(input, &(pod_parallel_options){2, false}, &made, &error));
    pod_dataset_release(input);
}

TEST(elements_that_take_no_time_go_in_blocks)
{
    slow state = {.fails_at = 70000};
    pod_dataset *dataset = squares(&state, range_of(context, 100000), 2, false);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_stage_stats stats[2];
    pod_buffer *number;
    double seconds;
    for (int64_t i = 0; i < 70000; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
        ASSERT_EQ(i * i, *(int64_t *)pod_buffer_data(number));
        pod_buffer_release(number);
    }
    ASSERT_FAILS(POD_ERROR_VALUE, "element 70000: ", pod_dataset_iterator_next(iterator, &number, &error));
    ASSERT_EQ(2, pod_dataset_iterator_get_stage_stats(iterator, stats, 2, &seconds));
    ASSERT_TEXT("transform", pod_dataset_stage_name(stats[1].dataset));
    ASSERT_EQ(70000, stats[1].elements);
    ASSERT_EQ(2, stats[1].threads);
    ASSERT(!stats[1].tunes_threads);
    ASSERT(stats[1].queue_size >= 8); /* four blocks, of more than one element each */
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

static int64_t threads_of(pod_dataset_iterator *iterator)
{
    pod_stage_stats stats[4];
    double seconds;
    const size_t count = pod_dataset_iterator_get_stage_stats(iterator, stats, 4, &seconds);
    return stats[count - 1].threads;
}

static pod_dataset *shard(pod_dataset *input, int64_t count)
{
    pod_dataset *dataset;
    ASSERT_OK(pod_dataset_shard(input, count, 0, &dataset, &error));
    pod_dataset_release(input);
    return dataset;
}

/* The most threads that a slow stage had at once in `count` elements, or in as many more as it takes to have `least` at
 * once: on a busy machine the last may be fewer. */
static int64_t tuned(pod_iterator_options options, int64_t count, int least)
{
    slow state = {.fails_at = -1, .milliseconds = 2};
    pod_dataset *evens = shard(repeat(range_of(context, 100), -1), 2);
    pod_dataset *dataset = squares(&state, evens, POD_AUTOTUNE, false);
    pod_dataset_iterator *iterator;
    pod_buffer *number;
    ASSERT_OK(pod_dataset_iterator_open(dataset, &options, &iterator, &error));
    for (int64_t i = 0; i < count || (state.most < least && i < PATIENCE / 2); i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
        ASSERT_EQ(2 * i % 100 * (2 * i % 100), *(int64_t *)pod_buffer_data(number));
        pod_buffer_release(number);
    }
    ASSERT(threads_of(iterator) >= 1);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
    ASSERT_EQ(0, state.cursors);
    return state.most;
}

TEST(autotune_adds_threads_to_a_slow_stage)
{
    const int64_t threads = tuned((pod_iterator_options){.cpu_budget = 4}, 160, 2);
    ASSERT(threads > 1 && threads <= 4); /* how many, and when none: test_tuner, where no clock counts */
    ASSERT_EQ(1, tuned((pod_iterator_options){.cpu_budget = 1}, 40, 1));
    ASSERT_EQ(1, tuned((pod_iterator_options){.cpu_budget = 4, .no_autotune = true}, 40, 1));
}

TEST(impossible_budgets_are_refused)
{
    pod_dataset *dataset = range_of(context, 3);
    pod_dataset_iterator *iterator;
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "-1 threads",
                 pod_dataset_iterator_open(dataset, &(pod_iterator_options){.cpu_budget = -1}, &iterator, &error));
    pod_dataset_release(dataset);
}

/* ---- interleave ---- */

/* Makes counters from the element on. */
typedef struct family {
    counter *counters;
    atomic_int made;
} family;

static pod_status expand(void *state, pod_buffer *const *components, pod_dataset **dataset, pod_error *failure)
{
    family *self = state;
    const int64_t index = *(const int64_t *)pod_buffer_data(components[0]);
    (void)failure;
    self->made++;
    *dataset = count_with(&self->counters[index], true);
    return POD_OK;
}

static pod_dataset *interleaved(family *state, int64_t count, int64_t cycle, int64_t threads, pod_order order)
{
    pod_dataset *input = range_of(context, count), *dataset;
    const pod_component number = {.dtype = POD_S64};
    const pod_expansion expansion = {.expand = expand, .context = state, .any_thread = true};
    const pod_interleave_options options = {
        .cycle_length = cycle, .block_length = 1, .threads = threads, .order = order};
    ASSERT_OK(pod_dataset_interleave(input, &expansion, &number, 1, &options, &dataset, &error));
    pod_dataset_release(input);
    return dataset;
}

TEST(interleaving_ahead_keeps_the_order)
{
    char expected[4096], ahead[4096];
    static const int64_t threads[] = {1, 2, 3, POD_AUTOTUNE};
    for (int i = 0; i < 4; i++) {
        counter counters[5] = {{.context = context, .last = 9, .milliseconds = 1},
                               {.context = context, .last = 3},
                               {.context = context},
                               {.context = context, .last = 7},
                               {.context = context, .last = 5, .milliseconds = 1}};
        family state = {.counters = counters};
        pod_dataset *a = interleaved(&state, 5, 3, 0, POD_ORDER_KEPT);
        pod_dataset *b = interleaved(&state, 5, 3, threads[i], POD_ORDER_KEPT);
        pod_dataset_iterator *in_a = open_iterator(a), *in_b = open_iterator(b);
        spell(in_a, 1, expected);
        ASSERT_TEXT(expected, spell(in_b, 1, ahead));
        ASSERT_OK(pod_dataset_iterator_rewind(in_b, &error));
        pod_buffer *number;
        ASSERT_OK(pod_dataset_iterator_next(in_b, &number, &error));
        pod_buffer_release(number);
        ASSERT_OK(pod_dataset_iterator_rewind(in_b, &error));
        ASSERT_TEXT(expected, spell(in_b, 1, ahead));
        pod_dataset_iterator_close(in_a);
        pod_dataset_iterator_close(in_b);
        pod_dataset_release(a);
        pod_dataset_release(b);
        for (int j = 0; j < 5; j++)
            ASSERT_EQ(0, counters[j].open);
    }
}

TEST(a_slow_place_is_read_while_others_have_their_turn)
{
    counter counters[2] = {{.context = context, .last = 4}, {.context = context, .last = 4}};
    family state = {.counters = counters};
    pod_dataset *dataset = interleaved(&state, 2, 2, 2, POD_ORDER_KEPT);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_buffer *number;
    for (int i = 0; i < 2; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
        pod_buffer_release(number);
    }
    while (counters[0].made < 3 || counters[1].made < 3) /* without being asked */
        uv_sleep(1);
    ASSERT_EQ(2, threads_of(iterator));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

TEST(without_order_a_place_that_is_ready_goes_first)
{
    counter counters[2] = {{.context = context, .last = 9, .milliseconds = 20}, {.context = context, .last = 50}};
    family state = {.counters = counters};
    pod_dataset *dataset = interleaved(&state, 2, 2, 2, POD_ORDER_ANY);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_buffer *number;
    int64_t sum = 0;
    bool overtaken = false;
    for (int i = 0; i < 59; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
        sum += *(int64_t *)pod_buffer_data(number);
        overtaken |= i < 18 && *(int64_t *)pod_buffer_data(number) != i / 2 + 1; /* of turns */
        pod_buffer_release(number);
    }
    ASSERT_EQ(45 + 1275, sum);
    ASSERT(overtaken);
    ASSERT_EQ(POD_END, pod_dataset_iterator_next(iterator, &number, &error));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

TEST(a_failure_ahead_arrives_in_its_place)
{
    counter counters[2] = {{.context = context, .last = 4}, {.context = context, .last = 4, .fails_at = 3}};
    family state = {.counters = counters};
    pod_dataset *dataset = interleaved(&state, 2, 2, 2, POD_ORDER_KEPT);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_buffer *number;
    for (int i = 0; i < 5; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
        ASSERT_EQ(i / 2 + 1, *(int64_t *)pod_buffer_data(number));
        pod_buffer_release(number);
    }
    ASSERT_FAILS(POD_ERROR_FORMAT, "record 3 is cut short", pod_dataset_iterator_next(iterator, &number, &error));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
    ASSERT_EQ(0, counters[0].open);
}

TEST(threads_leave_out_what_is_passed_over)
{
    slow state = {.fails_at = -1};
    made = squares(&state, range_of(context, 200000), 2, false);
    pod_dataset_iterator *iterator = open_iterator(made);
    int64_t at = 0, passed;
    for (int i = 0; i < 20; i++) {
        pod_buffer *number;
        ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
        ASSERT_EQ(at * at, *(int64_t *)pod_buffer_data(number));
        pod_buffer_release(number);
        ASSERT_OK(pod_input_stage_pass_over(iterator->stage, 9000 + i, &passed, &error));
        ASSERT_EQ(9000 + i, passed);
        at += 1 + passed;
    }
    ASSERT_EQ(POD_END, pod_input_stage_pass_over(iterator->stage, 200000, &passed, &error));
    ASSERT_EQ(200000 - at, passed);
    /* Those that threads had in hand each time: four blocks that are made, and two that are begun. */
    ASSERT(state.calls <= 21 * 6 * POD_STAGE_BLOCK);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(made);
}

TEST_MAIN(context = test_context(&(pod_context_options){.threads = 3}); RUN(a_function_of_the_host_sees_each_element);
          RUN(a_quick_function_hands_on_no_more_than_is_foreseen); RUN(threads_keep_the_order);
          RUN(without_order_all_elements_come_once); RUN(a_failure_on_a_thread_arrives_in_its_place);
          RUN(threads_stop_soon_when_nobody_waits_for_them); RUN(only_stages_of_single_elements_run_in_parallel);
          RUN(elements_that_take_no_time_go_in_blocks); RUN(autotune_adds_threads_to_a_slow_stage);
          RUN(impossible_budgets_are_refused); RUN(interleaving_ahead_keeps_the_order);
          RUN(a_slow_place_is_read_while_others_have_their_turn); RUN(without_order_a_place_that_is_ready_goes_first);
          RUN(a_failure_ahead_arrives_in_its_place); RUN(threads_leave_out_what_is_passed_over);
          pod_context_release(context))
