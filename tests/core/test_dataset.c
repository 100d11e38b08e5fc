/* The stages that choose, order and stack elements: goldens of tf.data. */

#include "data_cases.h"

static pod_context *context;

TEST(a_range_counts_up_and_down)
{
    pod_dataset *down;
    pod_error error;
    expect_elements("0 1 2 3 4", range_of(context, 5));
    expect_elements("", range_of(context, 0));
    ASSERT_OK(pod_dataset_range(context, 5, -5, -3, &down, &error));
    ASSERT_EQ(4, pod_dataset_cardinality(down));
    expect_elements("5 2 -1 -4", down);
    ASSERT_OK(pod_dataset_range(context, INT64_MAX - 2, INT64_MAX, 1, &down, &error));
    expect_elements("9223372036854775805 9223372036854775806", down);
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "step of a range is 0", pod_dataset_range(context, 0, 5, 0, &down, &error));
    ASSERT(down == NULL);
}

TEST(a_long_range_keeps_its_numbers_while_they_are_held)
{
    pod_dataset *all = range_of(context, 1000);
    pod_dataset *kept = shuffle(all, 1000, 7);
    pod_dataset_iterator *iterator = open_iterator(kept);
    pod_buffer *number;
    pod_error error;
    int64_t sum = 0;
    for (int i = 0; i < 1000; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
        sum += *(int64_t *)pod_buffer_data(number);
        pod_buffer_release(number);
    }
    ASSERT_EQ(499500, sum);
    ASSERT_EQ(POD_END, pod_dataset_iterator_next(iterator, &number, &error));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(kept);
}

TEST(batches_are_those_of_tf_data)
{
    expect_elements("[0 1 2] [3 4 5] [6 7]", batch(range_of(context, 8), 3, false));
    expect_elements("[0 1 2] [3 4 5]", batch(range_of(context, 8), 3, true));
    expect_elements("", batch(range_of(context, 0), 3, false));
    expect_elements("[0 1 2 3 4]", batch(range_of(context, 5), 1000000000, false));
    expect_elements("[0 1 2 3] [4 5 6 7] [8]", batch(range_of(context, 9), 4, false));
    expect_elements("[0 1 2 3] [4 5 6 7]", batch(batch(range_of(context, 8), 2, false), 2, false));
}

TEST(repeat_and_batch_keep_their_order)
{
    expect_elements("[0 1 2] [3 4 0] [1 2 3] [4]", batch(repeat(range_of(context, 5), 2), 3, false));
    expect_elements("[0 1 2] [3 4] [0 1 2] [3 4]", repeat(batch(range_of(context, 5), 3, false), 2));
    expect_elements("0 1 2 0 1 2 0", take(repeat(range_of(context, 3), -1), 7));
    expect_elements("", repeat(range_of(context, 0), -1));
    expect_elements("", repeat(range_of(context, 3), 0));
}

TEST(take_and_skip_count)
{
    expect_elements("0 1", take(range_of(context, 5), 2));
    expect_elements("0 1 2 3 4", take(range_of(context, 5), -1));
    expect_elements("0 1 2 3 4", take(range_of(context, 5), 9));
    expect_elements("3 4", skip(range_of(context, 5), 3));
    expect_elements("", skip(range_of(context, 5), -1));
    expect_elements("", skip(range_of(context, 5), 5));
    expect_elements("3", take(skip(range_of(context, 1000), 3), 1));
    expect_elements("300 301", take(skip(range_of(context, 1000), 300), 2));
}

TEST(cardinality_follows_the_stages)
{
    const struct {
        int64_t expected;
        pod_dataset *dataset;
    } cases[] = {
        {3, batch(range_of(context, 8), 3, false)},
        {2, batch(range_of(context, 8), 3, true)},
        {16, repeat(range_of(context, 8), 2)},
        {POD_CARDINALITY_INFINITE, repeat(range_of(context, 8), -1)},
        {POD_CARDINALITY_INFINITE, skip(repeat(range_of(context, 8), -1), 4)},
        {4, take(repeat(range_of(context, 8), -1), 4)},
        {5, skip(range_of(context, 8), 3)},
        {8, prefetch(shuffle(cache(range_of(context, 8)), 3, 1), 2)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ASSERT_EQ(cases[i].expected, pod_dataset_cardinality(cases[i].dataset));
        pod_dataset_release(cases[i].dataset);
    }
}

TEST(shuffle_gives_every_element_once_and_not_too_early)
{
    pod_dataset *dataset = shuffle(range_of(context, 1000), 10, 42);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_buffer *number;
    pod_error error;
    bool seen[1000] = {false};
    int moved = 0;
    for (int64_t i = 0; i < 1000; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
        const int64_t value = *(int64_t *)pod_buffer_data(number);
        ASSERT(value <= i + 10 - 1);
        ASSERT(!seen[value]);
        seen[value] = true;
        moved += value != i;
        pod_buffer_release(number);
    }
    ASSERT(moved > 900);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

TEST(shuffle_draws_from_a_full_buffer_evenly)
{
    /* the first of 4 elements from a buffer of 4: each equally often */
    int first[4] = {0};
    pod_dataset *dataset = shuffle(range_of(context, 4), 4, 3);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_buffer *number;
    pod_error error;
    for (int i = 0; i < 4000; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
        first[*(int64_t *)pod_buffer_data(number)]++;
        pod_buffer_release(number);
        ASSERT_OK(pod_dataset_iterator_rewind(iterator, &error));
    }
    for (int i = 0; i < 4; i++)
        ASSERT(first[i] > 850 && first[i] < 1150);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

TEST(a_seed_gives_the_same_order_of_passes)
{
    char one[4096], two[4096], other[4096], second[4096];
    pod_dataset *a = shuffle(range_of(context, 50), 20, 5), *b = shuffle(range_of(context, 50), 20, 5);
    pod_dataset *c = shuffle(range_of(context, 50), 20, 6);
    pod_dataset_iterator *in_a = open_iterator(a), *in_b = open_iterator(b), *in_c = open_iterator(c);
    pod_error error;
    spell(in_a, 1, one);
    spell(in_b, 1, two);
    spell(in_c, 1, other);
    ASSERT_TEXT(one, two);
    ASSERT(strcmp(one, other) != 0);
    ASSERT_OK(pod_dataset_iterator_rewind(in_a, &error));
    spell(in_a, 1, second);
    ASSERT(strcmp(one, second) != 0);
    pod_dataset_iterator_close(in_b);
    in_b = open_iterator(b); /* another iterator of the stage: its second pass */
    ASSERT_TEXT(second, spell(in_b, 1, two));
    pod_dataset_iterator_close(in_a);
    pod_dataset_iterator_close(in_b);
    pod_dataset_iterator_close(in_c);
    pod_dataset_release(a);
    pod_dataset_release(b);
    pod_dataset_release(c);
}

TEST(an_epoch_can_be_entered_by_its_number)
{
    char third[4096], again[4096], text[4096];
    pod_dataset *dataset = repeat(shuffle(range_of(context, 30), 30, 5), 2);
    pod_dataset_iterator *iterator;
    pod_error error;
    ASSERT_OK(pod_dataset_iterator_open(dataset, &(pod_iterator_options){.epoch = 3}, &iterator, &error));
    spell(iterator, 1, third);
    pod_dataset_iterator_close(iterator);
    ASSERT_OK(pod_dataset_iterator_open(dataset, &(pod_iterator_options){.epoch = 2}, &iterator, &error));
    spell(iterator, 1, text);
    ASSERT_OK(pod_dataset_iterator_rewind(iterator, &error));
    ASSERT_TEXT(third, spell(iterator, 1, again));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

TEST(shuffle_before_repeat_never_mixes_epochs)
{
    pod_dataset *dataset = repeat(shuffle(range_of(context, 10), 10, 5), 3);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_buffer *number;
    pod_error error;
    int64_t orders[3] = {0};
    for (int epoch = 0; epoch < 3; epoch++) {
        unsigned seen = 0;
        for (int i = 0; i < 10; i++) {
            ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
            const int64_t value = *(int64_t *)pod_buffer_data(number);
            seen |= 1u << value;
            orders[epoch] = orders[epoch] * 10 + value;
            pod_buffer_release(number);
        }
        ASSERT_EQ(1023, seen);
    }
    ASSERT(orders[0] != orders[1] && orders[1] != orders[2]);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

TEST(shuffle_can_keep_one_order_for_all_passes)
{
    char text[4096];
    pod_dataset *input = range_of(context, 20), *dataset;
    pod_error error;
    const pod_shuffle_options options = {20, 9, true};
    ASSERT_OK(pod_dataset_shuffle(input, &options, &dataset, &error));
    pod_dataset_release(input);
    pod_dataset *twice = repeat(dataset, 2);
    pod_dataset_iterator *iterator = open_iterator(twice);
    spell(iterator, 1, text);
    const size_t half = strlen(text) / 2;
    ASSERT_EQ(0, strncmp(text, text + half + 1, half));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(twice);
}

/* The numbers first, first + 1, ... as rows of one buffer. */
static pod_dataset *slices_of(int64_t first, int64_t count)
{
    pod_buffer *numbers;
    pod_dataset *dataset = NULL;
    pod_error error;
    ASSERT_OK(pod_buffer_new(context, POD_S64, &(pod_shape){1, {count}}, &numbers, &error));
    for (int64_t i = 0; i < count; i++)
        ((int64_t *)pod_buffer_data(numbers))[i] = first + i;
    ASSERT_OK(pod_dataset_from_slices(context, &numbers, 1, &dataset, &error));
    pod_buffer_release(numbers);
    return dataset;
}

/* Ends the shares of its inputs, as the stages of data_cases.h do. */
static pod_dataset *joined(pod_dataset *a, pod_dataset *b,
                           pod_status (*join)(pod_dataset *const *, size_t, pod_dataset **, pod_error *))
{
    pod_dataset *dataset = NULL;
    pod_error error;
    ASSERT_OK(join((pod_dataset *[]){a, b}, 2, &dataset, &error));
    pod_dataset_release(a);
    pod_dataset_release(b);
    return dataset;
}

/* Two passes, of which the first is left after a few elements. */
static void spell_passes(pod_dataset *dataset, char text[4096])
{
    const size_t width = pod_dataset_component_count(dataset);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_buffer *parts[2];
    pod_error error;
    for (int i = 0; i < 5; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, parts, &error));
        for (size_t component = 0; component < width; component++)
            pod_buffer_release(parts[component]);
    }
    ASSERT_OK(pod_dataset_iterator_rewind(iterator, &error));
    spell(iterator, width, text);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

TEST(shuffle_draws_the_same_whatever_holds_its_elements)
{
    /* sizes for which the second buffer appears while the first elements are exchanged, and while the buffer fills */
    const int64_t sizes[] = {7, 300, 420, 600};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char rows[4096], two_buffers[4096], unlike_rows[4096], wholes[4096];
        spell_passes(shuffle(slices_of(0, 500), sizes[i], 8), rows);
        spell_passes(shuffle(joined(slices_of(0, 400), slices_of(400, 100), pod_dataset_concatenate), sizes[i], 8),
                     two_buffers);
        spell_passes(shuffle(joined(slices_of(0, 500), skip(slices_of(-1, 501), 1), pod_dataset_zip), sizes[i], 8),
                     unlike_rows);
        spell_passes(shuffle(batch(slices_of(0, 500), 1, true), sizes[i], 8), wholes);
        ASSERT_TEXT(rows, two_buffers);
        ASSERT_TEXT(rows, unlike_rows);
        ASSERT(strncmp(rows, "0 1 2 3 4 5 ", 12) != 0);
        char *plain = wholes; /* without the brackets of batches */
        for (const char *from = wholes; *from != '\0'; from++)
            if (*from != '[' && *from != ']')
                *plain++ = *from;
        *plain = '\0';
        ASSERT_TEXT(rows, wholes);
    }
}

TEST(slices_are_rows_of_each_component)
{
    pod_buffer *columns[2], *row[2];
    pod_dataset *dataset;
    pod_error error;
    ASSERT_OK(pod_buffer_new(context, POD_U8, &(pod_shape){3, {4, 2, 3}}, &columns[0], &error));
    ASSERT_OK(pod_buffer_new(context, POD_S32, &(pod_shape){1, {4}}, &columns[1], &error));
    for (int i = 0; i < 24; i++)
        ((uint8_t *)pod_buffer_data(columns[0]))[i] = (uint8_t)i;
    for (int i = 0; i < 4; i++)
        ((int32_t *)pod_buffer_data(columns[1]))[i] = 10 * i;
    ASSERT_OK(pod_dataset_from_slices(context, columns, 2, &dataset, &error));
    ASSERT_EQ(2, pod_dataset_component_count(dataset));
    ASSERT_EQ(2, pod_dataset_get_component(dataset, 0).shape.rank);
    ASSERT_EQ(POD_S32, pod_dataset_get_component(dataset, 1).dtype);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    for (int i = 0; i < 4; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, row, &error));
        ASSERT_EQ(6 * i + 5, ((uint8_t *)pod_buffer_data(row[0]))[5]);
        ASSERT_EQ(10 * i, *(int32_t *)pod_buffer_data(row[1]));
        ASSERT_EQ(0, (uintptr_t)pod_buffer_data(row[0]) % 64);
        pod_buffer_release(row[0]);
        pod_buffer_release(row[1]);
    }
    ASSERT_EQ(POD_END, pod_dataset_iterator_next(iterator, row, &error));
    ASSERT(row[0] == NULL && row[1] == NULL);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
    pod_buffer_release(columns[0]);
    pod_buffer_release(columns[1]);
}

TEST(slices_must_have_the_same_number_of_rows)
{
    pod_buffer *columns[2];
    pod_dataset *dataset;
    pod_error error;
    ASSERT_OK(pod_buffer_new(context, POD_U8, &(pod_shape){2, {4, 2}}, &columns[0], &error));
    ASSERT_OK(pod_buffer_new(context, POD_S32, &(pod_shape){1, {5}}, &columns[1], &error));
    ASSERT_FAILS(POD_ERROR_SHAPE, "component 1 has shape (5,), but component 0 has 4 rows",
                 pod_dataset_from_slices(context, columns, 2, &dataset, &error));
    ASSERT(dataset == NULL);
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "a dataset of 0 components",
                 pod_dataset_from_slices(context, columns, 0, &dataset, &error));
    pod_buffer_release(columns[1]);
    ASSERT_OK(pod_buffer_new(context, POD_S32, &(pod_shape){0}, &columns[1], &error));
    ASSERT_FAILS(POD_ERROR_SHAPE, "component 1 is a scalar",
                 pod_dataset_from_slices(context, columns, 2, &dataset, &error));
    pod_buffer_release(columns[0]);
    pod_buffer_release(columns[1]);
}

TEST(zip_joins_until_the_shortest_ends)
{
    char text[4096];
    pod_dataset *inputs[2] = {range_of(context, 3), batch(range_of(context, 10), 2, false)}, *zipped;
    pod_error error;
    ASSERT_OK(pod_dataset_zip(inputs, 2, &zipped, &error));
    pod_dataset_release(inputs[0]);
    pod_dataset_release(inputs[1]);
    ASSERT_EQ(3, pod_dataset_cardinality(zipped));
    ASSERT_EQ(2, pod_dataset_component_count(zipped));
    pod_dataset *batches = batch(zipped, 2, false);
    pod_dataset_iterator *iterator = open_iterator(batches);
    ASSERT_TEXT("[0 1] [2]", spell(iterator, 2, text));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(batches);
}

TEST(cache_asks_its_input_once)
{
    char text[4096];
    counter numbers = {.context = context, .last = 5};
    pod_dataset *dataset = cache(count_with(&numbers, true));
    for (int pass = 0; pass < 3; pass++) {
        pod_dataset_iterator *iterator = open_iterator(dataset);
        ASSERT_TEXT("1 2 3 4 5", spell(iterator, 1, text));
        pod_dataset_iterator_close(iterator);
    }
    ASSERT_EQ(5, numbers.made);
    ASSERT_EQ(1, numbers.passes);
    ASSERT_EQ(0, numbers.open);
    pod_dataset_release(dataset);
    ASSERT_EQ(1, numbers.released);
}

static char logged[POD_ERROR_MESSAGE_SIZE];

static void keep_message(void *log_context, pod_log_level level, const char *message)
{
    (void)log_context;
    if (level == POD_LOG_WARNING)
        snprintf(logged, sizeof logged, "%s", message);
}

TEST(cache_drops_what_a_partial_pass_kept_and_says_so)
{
    char text[4096];
    pod_context *logging = test_context(&(pod_context_options){.log = keep_message});
    counter numbers = {.context = logging, .last = 5};
    pod_dataset *cached = cache(count_with(&numbers, true));
    pod_dataset *two = take(pod_dataset_retain(cached), 2);
    pod_dataset_iterator *iterator = open_iterator(two);
    ASSERT_TEXT("1 2", spell(iterator, 1, text));
    pod_dataset_iterator_close(iterator);
    ASSERT_CONTAINS("ended after 2 elements", logged);
    iterator = open_iterator(cached);
    ASSERT_TEXT("1 2 3 4 5", spell(iterator, 1, text));
    pod_dataset_iterator_close(iterator);
    ASSERT_EQ(7, numbers.made);
    pod_dataset_release(two);
    pod_dataset_release(cached);
    pod_context_release(logging);
}

TEST(a_source_must_keep_to_what_it_announced)
{
    counter numbers = {.context = context, .last = 5};
    const pod_source source = {counter_open, counter_next, counter_close, counter_release, &numbers, true};
    const pod_component pair = {.dtype = POD_S64, .shape = {1, {2}}};
    pod_dataset *dataset;
    pod_buffer *number;
    pod_error error;
    ASSERT_OK(pod_dataset_from_source(context, &source, &pair, 1, -2, &dataset, &error));
    pod_dataset_iterator *iterator = open_iterator(dataset);
    ASSERT_FAILS(POD_ERROR_SHAPE, "element 0 of from_generator: component 0 is int64 (), but int64 (2,)",
                 pod_dataset_iterator_next(iterator, &number, &error));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

TEST(options_are_checked_by_name)
{
    pod_dataset *input = range_of(context, 5), *made;
    pod_error error;
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "size of a batch is 0; it must be at least 1",
                 pod_dataset_batch(input, &(pod_batch_options){0}, &made, &error));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "buffer size of shuffle is 0",
                 pod_dataset_shuffle(input, &(pod_shuffle_options){0}, &made, &error));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "count of take is -2", pod_dataset_take(input, -2, &made, &error));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "buffer size of prefetch is -2", pod_dataset_prefetch(input, -2, &made, &error));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "zip needs", pod_dataset_zip(NULL, 0, &made, &error));
    pod_dataset *endless = repeat(input, -1);
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "dataset without end", pod_dataset_cache(endless, &made, &error));
    ASSERT(made == NULL);
    pod_dataset_release(endless);
    pod_dataset_release(NULL);
}

TEST(host_bytes_count_buffers_that_hold_elements)
{
    pod_dataset *plain = range_of(context, 1000);
    ASSERT_EQ(0, pod_dataset_host_bytes(plain));
    pod_dataset *batches = batch(plain, 100, true);
    ASSERT_EQ(800, pod_dataset_host_bytes(batches));
    pod_dataset *ready = prefetch(batches, 3);
    ASSERT_EQ(800 + 3 * 800, pod_dataset_host_bytes(ready));
    pod_dataset_release(ready);
}

/* ---- memory ---- */

static pod_status walk(pod_context *poor, pod_error *error)
{
    pod_buffer *columns[2] = {0}, *batch_[2];
    pod_dataset *chain[6] = {0};
    pod_dataset_iterator *iterator = NULL;
    pod_status status = pod_buffer_new(poor, POD_U8, &(pod_shape){2, {50, 7}}, &columns[0], error);
    if (status == POD_OK)
        status = pod_buffer_new(poor, POD_S32, &(pod_shape){1, {50}}, &columns[1], error);
    if (status == POD_OK)
        status = pod_dataset_from_slices(poor, columns, 2, &chain[0], error);
    if (status == POD_OK)
        status = pod_dataset_cache(chain[0], &chain[1], error);
    if (status == POD_OK)
        status = pod_dataset_shuffle(chain[1], &(pod_shuffle_options){.buffer_size = 20}, &chain[2], error);
    if (status == POD_OK)
        status = pod_dataset_repeat(chain[2], 2, &chain[3], error);
    if (status == POD_OK)
        status = pod_dataset_batch(chain[3], &(pod_batch_options){.size = 15}, &chain[4], error);
    if (status == POD_OK)
        status = pod_dataset_prefetch(chain[4], 2, &chain[5], error);
    if (status == POD_OK)
        status = pod_dataset_iterator_open(chain[5], &(pod_iterator_options){.no_threads = true}, &iterator, error);
    while (status == POD_OK) {
        status = pod_dataset_iterator_next(iterator, batch_, error);
        if (status == POD_OK) {
            pod_buffer_release(batch_[0]);
            pod_buffer_release(batch_[1]);
        }
    }
    pod_dataset_iterator_close(iterator);
    for (int i = 0; i < 6; i++)
        pod_dataset_release(chain[i]);
    pod_buffer_release(columns[0]);
    pod_buffer_release(columns[1]);
    return status == POD_END ? POD_OK : status;
}

TEST(every_allocation_may_fail_without_a_leak)
{
    every_allocation_may_fail(walk);
}

static void fill_the_queue(pod_dataset_iterator *iterator)
{
    pod_stage_stats stats[8] = {0};
    double seconds;
    size_t count = pod_dataset_iterator_get_stage_stats(iterator, stats, 8, &seconds);
    ASSERT(count > 0 && count <= 8 && stats[count - 1].queue_size == 2);
    while (stats[count - 1].queue_count < 2) { /* only the test's time limit ends it */
        uv_sleep(1);
        count = pod_dataset_iterator_get_stage_stats(iterator, stats, 8, &seconds);
    }
    uv_sleep(20); /* gives a fault time to show */
}

TEST(after_the_first_batches_nothing_is_allocated)
{
    pod_buffer *columns[2], *batch_[2];
    pod_dataset *dataset;
    pod_error error;
    ASSERT_OK(pod_buffer_new(context, POD_U8, &(pod_shape){2, {1000, 784}}, &columns[0], &error));
    ASSERT_OK(pod_buffer_new(context, POD_U8, &(pod_shape){1, {1000}}, &columns[1], &error));
    ASSERT_OK(pod_dataset_from_slices(context, columns, 2, &dataset, &error));
    dataset = prefetch(batch(repeat(shuffle(cache(dataset), 1000, 1), -1), 100, true), 2);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    uint64_t before = 0;
    for (int step = 0; step < 120; step++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, batch_, &error));
        if (step == 5)
            fill_the_queue(iterator); /* the most batches at once: this one and a full queue */
        if (step == 10)
            before = pod_context_memory(context).allocations;
        pod_buffer_release(batch_[0]);
        pod_buffer_release(batch_[1]);
    }
    ASSERT_EQ(before, pod_context_memory(context).allocations);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
    pod_buffer_release(columns[0]);
    pod_buffer_release(columns[1]);
}

TEST_MAIN(context = test_context(NULL); RUN(a_range_counts_up_and_down);
          RUN(a_long_range_keeps_its_numbers_while_they_are_held); RUN(batches_are_those_of_tf_data);
          RUN(repeat_and_batch_keep_their_order); RUN(take_and_skip_count); RUN(cardinality_follows_the_stages);
          RUN(shuffle_gives_every_element_once_and_not_too_early); RUN(shuffle_draws_from_a_full_buffer_evenly);
          RUN(a_seed_gives_the_same_order_of_passes); RUN(an_epoch_can_be_entered_by_its_number);
          RUN(shuffle_before_repeat_never_mixes_epochs); RUN(shuffle_can_keep_one_order_for_all_passes);
          RUN(shuffle_draws_the_same_whatever_holds_its_elements); RUN(slices_are_rows_of_each_component);
          RUN(slices_must_have_the_same_number_of_rows); RUN(zip_joins_until_the_shortest_ends);
          RUN(cache_asks_its_input_once); RUN(cache_drops_what_a_partial_pass_kept_and_says_so);
          RUN(a_source_must_keep_to_what_it_announced); RUN(options_are_checked_by_name);
          RUN(host_bytes_count_buffers_that_hold_elements); RUN(every_allocation_may_fail_without_a_leak);
          RUN(after_the_first_batches_nothing_is_allocated); pod_context_release(context))
