/* The stages beyond the plain ones: rows, padding, turns, chance, files, functions and threads. */

#include "data_cases.h"

#include <unistd.h>

#include "moonpod/formats.h"
#include "test_path.h"

static pod_context *context;
static char path[64];

static pod_dataset *made; /* by the last call of a test */
static pod_error error;

/* ---- rows ---- */

TEST(shards_are_those_of_tf_data)
{
    const char *const expected[] = {"0 3 6 9", "1 4 7", "2 5 8"};
    for (int64_t i = 0; i < 3; i++) {
        pod_dataset *input = range_of(context, 10);
        ASSERT_OK(pod_dataset_shard(input, 3, i, &made, &error));
        pod_dataset_release(input);
        ASSERT_EQ(i == 0 ? 4 : 3, pod_dataset_cardinality(made));
        expect_elements(expected[i], made);
    }
    pod_dataset *input = range_of(context, 10);
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "shard 3 of 3", pod_dataset_shard(input, 3, 3, &made, &error));
    pod_dataset_release(input);
}

TEST(concatenated_datasets_follow_each_other)
{
    pod_dataset *inputs[3] = {range_of(context, 2), range_of(context, 0), range_of(context, 3)};
    ASSERT_OK(pod_dataset_concatenate(inputs, 3, &made, &error));
    ASSERT_EQ(5, pod_dataset_cardinality(made));
    expect_elements("0 1 0 1 2 0 1 0 1 2", repeat(made, 2));
    pod_dataset *other = batch(range_of(context, 4), 2, true);
    ASSERT_FAILS(POD_ERROR_SHAPE, "component 0 of dataset 1 is int64 (2,), that of the first int64 ()",
                 pod_dataset_concatenate((pod_dataset *[]){inputs[0], other}, 2, &made, &error));
    pod_dataset_release(other);
    for (int i = 0; i < 3; i++)
        pod_dataset_release(inputs[i]);
}

TEST(unbatch_takes_batches_apart)
{
    pod_dataset *batches = batch(range_of(context, 8), 3, false);
    ASSERT_OK(pod_dataset_unbatch(batches, &made, &error));
    pod_dataset_release(batches);
    expect_elements("0 1 2 3 4 5 6 7", made);
    batches = batch(batch(range_of(context, 8), 2, true), 2, true); /* rows of rows */
    pod_dataset *once;
    ASSERT_OK(pod_dataset_unbatch(batches, &once, &error));
    ASSERT_EQ(4, pod_dataset_cardinality(once));
    ASSERT_OK(pod_dataset_unbatch(once, &made, &error));
    pod_dataset_release(batches);
    pod_dataset_release(once);
    ASSERT_EQ(8, pod_dataset_cardinality(made));
    expect_elements("[0 1 2] [3 4 5] [6 7]", batch(made, 3, false));
    pod_dataset *scalars = range_of(context, 3);
    ASSERT_FAILS(POD_ERROR_SHAPE, "component 0 is a scalar", pod_dataset_unbatch(scalars, &made, &error));
    pod_dataset_release(scalars);
}

/* ---- sizes that differ ---- */

/* A source of vectors: i elements i, for i from 1. */
typedef struct vectors {
    int64_t next, last;
} vectors;

static pod_status vectors_open(void *state, pod_pass_number pass, void **cursor, pod_error *failure)
{
    (void)pass;
    (void)cursor;
    (void)failure;
    ((vectors *)state)->next = 1;
    return POD_OK;
}

static pod_status vectors_next(void *state, void *cursor, pod_buffer **components, pod_error *failure)
{
    vectors *self = state;
    (void)cursor;
    if (self->next > self->last)
        return POD_END;
    const pod_status status = pod_buffer_new(context, POD_S64, &(pod_shape){1, {self->next}}, &components[0], failure);
    for (int64_t i = 0; status == POD_OK && i < self->next; i++)
        ((int64_t *)pod_buffer_data(components[0]))[i] = self->next;
    self->next++;
    return status;
}

static pod_dataset *vectors_to(vectors *state, int64_t last)
{
    const pod_source source = {.open = vectors_open, .next = vectors_next, .context = state, .any_thread = true};
    const pod_component component = {.dtype = POD_S64, .shape = {1, {-1}}};
    pod_dataset *dataset;
    state->last = last;
    ASSERT_OK(pod_dataset_from_source(context, &source, &component, 1, last, &dataset, &error));
    return dataset;
}

TEST(padded_batches_are_those_of_tf_data)
{
    vectors state;
    pod_dataset *input = vectors_to(&state, 4);
    ASSERT_OK(pod_dataset_padded_batch(input, &(pod_padded_batch_options){.size = 2}, &made, &error));
    ASSERT_EQ(-1, pod_dataset_get_component(made, 0).shape.dims[1]);
    expect_elements("[1 0 2 2] [3 3 3 0 4 4 4 4]", made);
    const pod_shape five = {1, {5}}, three = {1, {3}};
    const double fill = -1;
    ASSERT_OK(pod_dataset_padded_batch(
        input, &(pod_padded_batch_options){.size = 3, .shapes = &five, .values = &fill, .drop_remainder = true}, &made,
        &error));
    ASSERT_EQ(5, pod_dataset_get_component(made, 0).shape.dims[1]);
    expect_elements("[1 -1 -1 -1 -1 2 2 -1 -1 -1 3 3 3 -1 -1]", made);
    ASSERT_OK(pod_dataset_padded_batch(input, &(pod_padded_batch_options){.size = 2, .shapes = &three}, &made, &error));
    pod_dataset_iterator *iterator = open_iterator(made);
    pod_buffer *first;
    ASSERT_OK(pod_dataset_iterator_next(iterator, &first, &error));
    pod_buffer_release(first);
    ASSERT_FAILS(POD_ERROR_SHAPE, "element 3 is (4,), larger than the padded shape (3,)",
                 pod_dataset_iterator_next(iterator, &first, &error));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(made);
    pod_dataset_release(input);
}

TEST(elements_of_different_sizes_are_no_batch)
{
    vectors state;
    pod_dataset *dataset = batch(vectors_to(&state, 3), 2, false);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_buffer *first;
    ASSERT_FAILS(POD_ERROR_SHAPE,
                 "cannot stack element 1: component 0 has shape (2,), but the first of the batch "
                 "(element 0) has (1,); use padded_batch",
                 pod_dataset_iterator_next(iterator, &first, &error));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

TEST(padding_fills_the_end_of_each_axis)
{
    pod_buffer *rows;
    ASSERT_OK(pod_buffer_new(context, POD_S64, &(pod_shape){3, {1, 2, 2}}, &rows, &error));
    for (int i = 0; i < 4; i++)
        ((int64_t *)pod_buffer_data(rows))[i] = i + 1;
    pod_dataset *input;
    ASSERT_OK(pod_dataset_from_slices(context, &rows, 1, &input, &error));
    pod_buffer_release(rows);
    const pod_shape larger = {2, {3, 4}};
    ASSERT_OK(
        pod_dataset_padded_batch(input, &(pod_padded_batch_options){.size = 1, .shapes = &larger}, &made, &error));
    pod_dataset_release(input);
    expect_elements("[1 2 0 0 3 4 0 0 0 0 0 0]", made);
}

/* ---- turns and chance ---- */

static pod_status six_times(void *state, pod_buffer *const *components, pod_dataset **dataset, pod_error *failure)
{
    const int64_t number = *(const int64_t *)pod_buffer_data(components[0]);
    pod_dataset *one;
    if (state != NULL && number == *(int64_t *)state)
        return pod_error_set(failure, POD_ERROR_VALUE, "I do not like %lld", (long long)number);
    pod_status status = pod_dataset_range(context, number, number + 1, 1, &one, failure);
    if (status != POD_OK)
        return status;
    status = pod_dataset_repeat(one, 6, dataset, failure);
    pod_dataset_release(one);
    return status;
}

static pod_dataset *interleaved(int64_t cycle, int64_t block, void *state)
{
    pod_dataset *input = skip(range_of(context, 6), 1), *dataset;
    const pod_component number = {.dtype = POD_S64};
    const pod_expansion expansion = {.expand = six_times, .context = state, .any_thread = true};
    const pod_interleave_options options = {.cycle_length = cycle, .block_length = block};
    ASSERT_OK(pod_dataset_interleave(input, &expansion, &number, 1, &options, &dataset, &error));
    pod_dataset_release(input);
    return dataset;
}

TEST(interleaving_is_that_of_tf_data)
{
    expect_elements("1 1 1 1 2 2 2 2 1 1 2 2 3 3 3 3 4 4 4 4 3 3 4 4 5 5 5 5 5 5", interleaved(2, 4, NULL));
    expect_elements("1 1 1 1 1 1 2 2 2 2 2 2 3 3 3 3 3 3 4 4 4 4 4 4 5 5 5 5 5 5", interleaved(0, 0, NULL));
    expect_elements("1 2 3 4 5 1 2 3 4 5", take(interleaved(9, 1, NULL), 10));
    expect_elements("1 1 1 1 2 2 2 2 1 1 2 2 3 3 3 3 4 4 4 4 3 3 4 4 5 5 5 5 5 5 1 1",
                    take(prefetch(repeat(interleaved(2, 4, NULL), 2), 3), 32));
}

TEST(a_failed_expansion_names_its_element)
{
    int64_t disliked = 3;
    pod_dataset *dataset = interleaved(1, 1, &disliked);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_buffer *number;
    for (int i = 0; i < 12; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
        pod_buffer_release(number);
    }
    ASSERT_FAILS(POD_ERROR_VALUE, "interleave, element 2: I do not like 3",
                 pod_dataset_iterator_next(iterator, &number, &error));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

TEST(choices_are_followed)
{
    pod_buffer *numbers;
    ASSERT_OK(pod_buffer_new(context, POD_S64, &(pod_shape){1, {6}}, &numbers, &error));
    memcpy(pod_buffer_data(numbers), (const int64_t[]){1, 0, 1, 0, 0, 1}, 48);
    pod_dataset *choices, *inputs[2] = {range_of(context, 2), skip(range_of(context, 30), 10)};
    ASSERT_OK(pod_dataset_from_slices(context, &numbers, 1, &choices, &error));
    ASSERT_OK(pod_dataset_choose(inputs, 2, choices, true, &made, &error));
    expect_elements("10 0 11 1", made);
    ASSERT_OK(pod_dataset_choose(inputs, 2, choices, false, &made, &error));
    expect_elements("10 0 11 1 12", made);
    ((int64_t *)pod_buffer_data(numbers))[2] = 2;
    ASSERT_OK(pod_dataset_choose(inputs, 2, choices, true, &made, &error));
    pod_dataset_iterator *iterator = open_iterator(made);
    pod_buffer *number;
    for (int i = 0; i < 2; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
        pod_buffer_release(number);
    }
    ASSERT_FAILS(POD_ERROR_VALUE, "choice 2 is 2; there are datasets 0 to 1",
                 pod_dataset_iterator_next(iterator, &number, &error));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(made);
    pod_dataset_release(choices);
    pod_buffer_release(numbers);
    for (int i = 0; i < 2; i++)
        pod_dataset_release(inputs[i]);
}

TEST(samples_follow_their_weights)
{
    pod_dataset *inputs[3];
    int64_t counts[3] = {0};
    pod_buffer *number;
    for (int64_t i = 0; i < 3; i++) {
        ASSERT_OK(pod_dataset_range(context, i, i + 1, 1, &made, &error));
        inputs[i] = repeat(made, -1);
    }
    const double weights[] = {0.5, 0, 1.5};
    ASSERT_OK(pod_dataset_sample(inputs, 3, &(pod_sample_options){.weights = weights, .seed = 1}, &made, &error));
    pod_dataset_iterator *iterator = open_iterator(made);
    for (int i = 0; i < 4000; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, &number, &error));
        counts[*(int64_t *)pod_buffer_data(number)]++;
        pod_buffer_release(number);
    }
    ASSERT(counts[0] > 850 && counts[0] < 1150);
    ASSERT_EQ(0, counts[1]);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(made);
    ASSERT_FAILS(
        POD_ERROR_VALUE, "all weights are 0",
        pod_dataset_sample(inputs, 3, &(pod_sample_options){.weights = (const double[]){0, 0, 0}}, &made, &error));
    ASSERT_FAILS(
        POD_ERROR_VALUE, "weight 1 is -1",
        pod_dataset_sample(inputs, 3, &(pod_sample_options){.weights = (const double[]){1, -1, 0}}, &made, &error));
    for (int i = 0; i < 3; i++)
        pod_dataset_release(inputs[i]);
}

TEST(samples_go_on_with_what_is_left)
{
    pod_dataset *inputs[2] = {range_of(context, 3), range_of(context, 100)};
    char text[4096];
    ASSERT_OK(pod_dataset_sample(inputs, 2, &(pod_sample_options){.seed = 5}, &made, &error));
    pod_dataset_iterator *iterator = open_iterator(made);
    spell(iterator, 1, text);
    int count = 1;
    for (const char *c = text; *c != '\0'; c++)
        count += *c == ' ';
    ASSERT_EQ(103, count);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(made);
    for (int i = 0; i < 2; i++)
        pod_dataset_release(inputs[i]);
}

/* ---- files ---- */

static void write_text(const char *text)
{
    FILE *file = fopen(path, "wb");
    ASSERT(file != NULL && fwrite(text, 1, strlen(text), file) == strlen(text));
    fclose(file);
}

/* Spells elements that are bytes: "one|two". */
static const char *spell_bytes(pod_dataset *dataset, char text[4096])
{
    pod_dataset_iterator *iterator = open_iterator(dataset);
    pod_buffer *bytes;
    pod_status status;
    size_t length = 0;
    text[0] = '\0';
    while ((status = pod_dataset_iterator_next(iterator, &bytes, &error)) == POD_OK) {
        length += (size_t)snprintf(text + length, 4096 - length, "%s%.*s", length > 0 ? "|" : "",
                                   (int)pod_buffer_bytes(bytes), (char *)pod_buffer_data(bytes));
        pod_buffer_release(bytes);
    }
    if (status != POD_END)
        snprintf(text + length, 4096 - length, "!%s", error.message);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
    return text;
}

static pod_dataset *files_of_kind(pod_file_kind kind, int64_t record_bytes, size_t count)
{
    const char *const paths[] = {path, path};
    const pod_files_options options = {
        .kind = kind, .record_bytes = record_bytes, .header_bytes = record_bytes > 0 ? 2 : 0};
    ASSERT_OK(pod_dataset_files(context, paths, count, &options, &made, &error));
    return made;
}

TEST(lines_lose_their_ends)
{
    char text[4096];
    write_text("one\ntwo\r\n\nfour");
    ASSERT_TEXT("one|two||four|one|two||four", spell_bytes(files_of_kind(POD_FILE_LINES, 0, 2), text));
    write_text("one\n");
    ASSERT_TEXT("one", spell_bytes(files_of_kind(POD_FILE_LINES, 0, 1), text));
    write_text("");
    ASSERT_TEXT("", spell_bytes(files_of_kind(POD_FILE_LINES, 0, 1), text));
}

TEST(long_lines_are_whole)
{
    static char line[20001];
    memset(line, 'x', 20000);
    write_text(line);
    pod_dataset_iterator *iterator = open_iterator(files_of_kind(POD_FILE_LINES, 0, 1));
    pod_buffer *bytes;
    ASSERT_OK(pod_dataset_iterator_next(iterator, &bytes, &error));
    ASSERT_EQ(20000, pod_buffer_bytes(bytes));
    pod_buffer_release(bytes);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(made);
}

TEST(pieces_have_one_length)
{
    char text[4096];
    write_text("##abcdef");
    ASSERT_TEXT("abc|def|abc|def", spell_bytes(files_of_kind(POD_FILE_PIECES, 3, 2), text));
    write_text("##abcde");
    ASSERT_CONTAINS("has 7 bytes: without 2 of header and 0 of footer that is no multiple of 3",
                    spell_bytes(files_of_kind(POD_FILE_PIECES, 3, 1), text));
}

static void write_examples(int64_t count)
{
    pod_record_writer *writer;
    ASSERT_OK(pod_record_writer_open(context, path, NULL, &writer, &error));
    for (int64_t i = 0; i < count; i++) {
        const float weights[] = {(float)i, 0.5f};
        const pod_bytes image = {"abcd", 4};
        pod_bytes encoded;
        const pod_feature features[] = {
            {.name = {"label", 5}, .kind = POD_FEATURE_INT64, .count = 1, .integers = &i},
            {.name = {"weights", 7}, .kind = POD_FEATURE_FLOAT, .count = 2, .floats = weights},
            {.name = {"image", 5}, .kind = POD_FEATURE_BYTES, .count = 1, .bytes = &image},
        };
        ASSERT_OK(pod_example_encode(context, &(pod_example){3, features, NULL}, &encoded, &error));
        ASSERT_OK(pod_record_writer_write(writer, encoded.data, encoded.size, &error));
        pod_bytes_free(context, &encoded);
    }
    ASSERT_OK(pod_record_writer_close(writer, &error));
}

TEST(examples_become_arrays)
{
    pod_buffer *parts[5], *seven;
    write_examples(3);
    ASSERT_OK(pod_buffer_new(context, POD_S32, &(pod_shape){0}, &seven, &error));
    *(int32_t *)pod_buffer_data(seven) = 7;
    const pod_feature_spec specs[] = {
        {.name = "label", .dtype = POD_S32},
        {.name = "weights", .dtype = POD_F32, .shape = {1, {-1}}},
        {.name = "image", .dtype = POD_U8, .shape = {2, {2, 2}}},
        {.name = "other", .dtype = POD_S32, .default_value = seven},
        {.name = "none", .dtype = POD_S64, .shape = {1, {-1}}},
    };
    pod_dataset *records = files_of_kind(POD_FILE_RECORDS, 0, 1);
    ASSERT_OK(pod_dataset_parse_examples(records, specs, 5, &made, &error));
    pod_buffer_release(seven);
    pod_dataset_release(records);
    pod_dataset_iterator *iterator = open_iterator(made);
    for (int32_t i = 0; i < 3; i++) {
        ASSERT_OK(pod_dataset_iterator_next(iterator, parts, &error));
        ASSERT_EQ(i, *(int32_t *)pod_buffer_data(parts[0]));
        ASSERT_NUMBER(i, ((float *)pod_buffer_data(parts[1]))[0]);
        ASSERT_EQ(0, memcmp("abcd", pod_buffer_data(parts[2]), 4));
        ASSERT_EQ(7, *(int32_t *)pod_buffer_data(parts[3]));
        ASSERT_EQ(0, pod_buffer_bytes(parts[4]));
        for (int j = 0; j < 5; j++)
            pod_buffer_release(parts[j]);
    }
    ASSERT_EQ(POD_END, pod_dataset_iterator_next(iterator, parts, &error));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(made);
}

TEST(features_that_do_not_fit_are_named)
{
    static const struct {
        pod_feature_spec spec;
        const char *message;
    } cases[] = {
        {{.name = "weights", .dtype = POD_F32}, "element 0: feature 'weights' has 2 floats, but float32 ()"},
        {{.name = "image", .dtype = POD_U8, .shape = {1, {5}}}, "a string of 4 bytes, which are no uint8 (5,)"},
        {{.name = "nothing", .dtype = POD_F32}, "the example has no feature 'nothing'"},
        {{.name = "label", .dtype = POD_U8, .shape = {1, {-1}}, .text = true}, ": text"},
    };
    pod_buffer *part;
    write_examples(1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pod_dataset *records = files_of_kind(POD_FILE_RECORDS, 0, 1);
        ASSERT_OK(pod_dataset_parse_examples(records, &cases[i].spec, 1, &made, &error));
        pod_dataset_release(records);
        pod_dataset_iterator *iterator = open_iterator(made);
        const pod_status status = pod_dataset_iterator_next(iterator, &part, &error);
        ASSERT(status < 0);
        ASSERT_CONTAINS(cases[i].message, error.message);
        pod_dataset_iterator_close(iterator);
        pod_dataset_release(made);
    }
}

TEST_MAIN(context = test_context(NULL); test_path(path, sizeof path, "stages"); RUN(shards_are_those_of_tf_data);
          RUN(concatenated_datasets_follow_each_other); RUN(unbatch_takes_batches_apart);
          RUN(padded_batches_are_those_of_tf_data); RUN(elements_of_different_sizes_are_no_batch);
          RUN(padding_fills_the_end_of_each_axis); RUN(interleaving_is_that_of_tf_data);
          RUN(a_failed_expansion_names_its_element); RUN(choices_are_followed); RUN(samples_follow_their_weights);
          RUN(samples_go_on_with_what_is_left); RUN(lines_lose_their_ends); RUN(long_lines_are_whole);
          RUN(pieces_have_one_length); RUN(examples_become_arrays); RUN(features_that_do_not_fit_are_named);
          unlink(path); pod_context_release(context))
