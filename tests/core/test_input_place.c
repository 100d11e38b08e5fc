/* Where iterators are, and files of elements: states, caches in files, pipelines of hosts. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data_cases.h"
#include "test.h"
#include "test_path.h"

static char path[64];

static pod_context *context;

/* The next number, -1 at the end. */
static int64_t next_number(pod_dataset_iterator *iterator)
{
    pod_buffer *element;
    pod_error error;
    const pod_status status = pod_dataset_iterator_next(iterator, &element, &error);
    ASSERT(status >= 0);
    const int64_t value = status == POD_END ? -1 : *(const int64_t *)pod_buffer_data(element);
    pod_buffer_release(element);
    return value;
}

TEST(an_iterator_goes_on_where_another_was)
{
    pod_error error;
    pod_dataset *mixed = shuffle(range_of(context, 20), 5, 1), *ahead;
    ASSERT_OK(pod_dataset_prefetch(mixed, 3, &ahead, &error));
    for (int64_t given = 0; given <= 20; given += 4) {
        pod_dataset_iterator *first, *second;
        pod_bytes state;
        ASSERT_OK(pod_dataset_iterator_open(ahead, NULL, &first, &error));
        for (int64_t i = 0; i < given; i++)
            next_number(first);
        ASSERT_OK(pod_dataset_iterator_get_state(first, &state, &error));
        ASSERT_OK(pod_dataset_iterator_open(mixed, NULL, &second, &error));
        ASSERT_OK(pod_dataset_iterator_set_state(second, state.data, state.size, &error));
        for (int pass = 0; pass < 2; pass++) { /* numbers of passes go on, too */
            for (int64_t value = 0; value >= 0;) {
                value = next_number(first);
                ASSERT_EQ(value, next_number(second));
            }
            ASSERT_OK(pod_dataset_iterator_rewind(second, &error));
            ASSERT_OK(pod_dataset_iterator_set_state(first, state.data, state.size, &error));
            ASSERT_OK(pod_dataset_iterator_rewind(first, &error));
        }
        pod_bytes_free(context, &state);
        pod_dataset_iterator_close(first);
        pod_dataset_iterator_close(second);
    }
    pod_dataset_release(ahead);
    pod_dataset_release(mixed);
}

TEST(plain_iterators_number_their_passes)
{
    pod_error error;
    pod_dataset *mixed = shuffle(range_of(context, 20), 5, 1);
    for (int64_t epoch = 1; epoch <= 3; epoch++) {
        pod_dataset_iterator *plain, *numbered;
        ASSERT_OK(pod_dataset_iterator_open(mixed, NULL, &plain, &error));
        ASSERT_OK(pod_dataset_iterator_open(mixed, &(pod_iterator_options){.epoch = epoch}, &numbered, &error));
        for (int i = 0; i < 20; i++)
            ASSERT_EQ(next_number(numbered), next_number(plain));
        ASSERT_EQ(epoch, pod_dataset_iterator_get_stats(plain).epoch);
        pod_dataset_iterator_close(plain);
        pod_dataset_iterator_close(numbered);
    }
    pod_dataset_release(mixed);
}

TEST(a_damaged_state_leaves_an_iterator_where_it_is)
{
    pod_error error;
    pod_dataset *mixed = shuffle(range_of(context, 20), 5, 1);
    pod_dataset_iterator *iterator;
    pod_bytes state;
    unsigned char damaged[1024];
    ASSERT_OK(pod_dataset_iterator_open(mixed, NULL, &iterator, &error));
    next_number(iterator);
    ASSERT_OK(pod_dataset_iterator_get_state(iterator, &state, &error));
    ASSERT(state.size < sizeof damaged);
    for (size_t i = 0; i < state.size; i++) {
        memcpy(damaged, state.data, state.size);
        damaged[i] ^= 4;
        ASSERT_EQ(POD_ERROR_FORMAT, pod_dataset_iterator_set_state(iterator, damaged, state.size, &error));
        ASSERT_EQ(POD_ERROR_FORMAT, pod_dataset_iterator_set_state(iterator, state.data, i, &error));
    }
    ASSERT_EQ(1, pod_dataset_iterator_get_stats(iterator).position);
    pod_bytes_free(context, &state);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(mixed);
}

TEST(elements_come_back_from_a_file)
{
    static const char *const texts[] = {"one", "", "three"};
    pod_error error;
    pod_dataset *dataset, *back;
    pod_dataset_iterator *iterator;
    pod_buffer *element;
    char *note;
    ASSERT_OK(pod_dataset_from_texts(context, texts, NULL, 3, &dataset, &error));
    ASSERT_OK(pod_dataset_save(dataset, path, NULL, "a note", &error));
    ASSERT_OK(pod_dataset_load(context, path, &back, &note, &error));
    ASSERT_TEXT("a note", note);
    ASSERT_EQ(3, pod_dataset_cardinality(back));
    ASSERT(pod_dataset_get_component(back, 0).text);
    ASSERT_OK(pod_dataset_iterator_open(back, NULL, &iterator, &error));
    for (int i = 0; i < 3; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &element, &error));
        ASSERT_EQ(strlen(texts[i]), pod_buffer_bytes(element));
        pod_buffer_release(element);
    }
    ASSERT_EQ(POD_END, pod_dataset_iterator_next(iterator, &element, &error));
    pod_dataset_iterator_close(iterator);
    pod_text_free(context, note);
    pod_dataset_release(back);
    pod_dataset_release(dataset);
    unlink(path);
}

TEST(a_cache_in_a_file_asks_its_input_once)
{
    counter numbers = {.context = context, .last = 10};
    pod_error error;
    pod_dataset *source = count_with(&numbers, true), *cached;
    ASSERT_OK(pod_dataset_cache_file(source, path, "gzip", &cached, &error));
    for (int pass = 0; pass < 3; pass++) {
        pod_dataset_iterator *iterator;
        ASSERT_OK(pod_dataset_iterator_open(cached, NULL, &iterator, &error));
        for (int64_t i = 1; i <= 10; i++)
            ASSERT_EQ(i, next_number(iterator));
        ASSERT_EQ(-1, next_number(iterator));
        pod_dataset_iterator_close(iterator);
    }
    ASSERT_EQ(1, numbers.passes);
    pod_dataset_release(cached);
    pod_dataset_release(source);
    unlink(path);
}

TEST(hosts_give_their_pieces_in_turn)
{
    pod_error error;
    pod_dataset *ranges[2], *batches[2], *joined;
    pod_dataset_iterator *iterator;
    pod_buffer *element;
    static const int64_t expected[3][4] = {{0, 1, 6, 7}, {2, 3, 8, 9}, {4, 10}};
    static const int64_t rows[3] = {4, 4, 2};
    for (int host = 0; host < 2; host++) {
        ASSERT_OK(pod_dataset_range(context, 6 * host, 6 * host + 5, 1, &ranges[host], &error));
        ASSERT_OK(pod_dataset_batch(ranges[host], &(pod_batch_options){.size = 4}, &batches[host], &error));
    }
    ASSERT_OK(pod_dataset_hosts(batches, 2, &(pod_hosts_options){.pieces = 2, .pieces_a_step = 1}, &joined, &error));
    ASSERT_EQ(POD_CARDINALITY_UNKNOWN, pod_dataset_cardinality(joined));
    ASSERT_OK(pod_dataset_iterator_open(joined, NULL, &iterator, &error));
    for (int step = 0; step < 3; step++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &element, &error));
        ASSERT_EQ(rows[step], pod_buffer_shape(element)->dims[0]);
        ASSERT(memcmp(pod_buffer_data(element), expected[step], (size_t)rows[step] * sizeof(int64_t)) == 0);
        pod_buffer_release(element);
    }
    ASSERT_EQ(POD_END, pod_dataset_iterator_next(iterator, &element, &error));
    pod_dataset_iterator_close(iterator);
    ASSERT_EQ(-1, pod_dataset_file_count(joined));
    pod_dataset_release(joined);
    for (int host = 0; host < 2; host++) {
        pod_dataset_release(batches[host]);
        pod_dataset_release(ranges[host]);
    }
}

TEST(hosts_divide_elements_at_marks)
{
    pod_error error;
    pod_dataset *range, *marked, *batches, *joined;
    pod_dataset_iterator *iterator = NULL;
    pod_buffer *element = NULL;
    static const int64_t expected[2][4] = {{0, 2, 1, 3}, {4, 6, 5}};
    ASSERT_OK(pod_dataset_range(context, 0, 7, 1, &range, &error));
    ASSERT_OK(pod_dataset_shard(range, POD_SHARD_HINT, POD_SHARD_HINT, &marked, &error));
    ASSERT_EQ(POD_CARDINALITY_UNKNOWN, pod_dataset_cardinality(marked));
    ASSERT_OK(pod_dataset_batch(marked, &(pod_batch_options){.size = 2}, &batches, &error));
    const pod_hosts_options options = {.pieces = 1, .pieces_a_step = 1, .division = POD_HOSTS_AT_MARKS};
    ASSERT_OK(pod_dataset_hosts((pod_dataset *const[]){batches, batches}, 2, &options, &joined, &error));
    ASSERT_OK(pod_dataset_iterator_open(joined, NULL, &iterator, &error));
    for (int step = 0; step < 2; step++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &element, &error));
        ASSERT_EQ(4 - step, pod_buffer_shape(element)->dims[0]);
        ASSERT(memcmp(pod_buffer_data(element), expected[step], (size_t)(4 - step) * sizeof(int64_t)) == 0);
        pod_buffer_release(element);
    }
    ASSERT_EQ(POD_END, pod_dataset_iterator_next(iterator, &element, &error));
    pod_dataset_iterator_close(iterator);
    const pod_iterator_options by_files = {.file_shards = 2, .file_shard = 1};
    ASSERT_EQ(POD_ERROR_STATE, pod_dataset_iterator_open(marked, &by_files, &iterator, &error));
    pod_dataset_release(joined);
    pod_dataset_release(batches);
    ASSERT_EQ(POD_ERROR_ARGUMENT, pod_dataset_shard(range, POD_SHARD_HINT, 0, &batches, &error));
    pod_dataset_release(marked);
    pod_dataset_release(range);
}

TEST_MAIN(test_path(path, sizeof path, "place"); context = test_context(NULL);
          RUN(an_iterator_goes_on_where_another_was); RUN(plain_iterators_number_their_passes);
          RUN(a_damaged_state_leaves_an_iterator_where_it_is); RUN(elements_come_back_from_a_file);
          RUN(a_cache_in_a_file_asks_its_input_once); RUN(hosts_give_their_pieces_in_turn);
          RUN(hosts_divide_elements_at_marks); pod_context_release(context))
