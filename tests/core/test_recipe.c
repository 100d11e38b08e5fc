/* Datasets as bytes: they come back as they were, and bytes that are none are refused. */

#include "data_cases.h"

#include <string.h>

#include "input/recipe.h"
#include "moonpod/builders.h"

static pod_context *context;
static pod_error error;
static char expected[4096], got[4096];

/* Writes a dataset, whose share it ends, and makes it again. */
static pod_dataset *again(pod_dataset *dataset)
{
    pod_bytes bytes;
    pod_dataset *made;
    ASSERT_OK(pod_input_recipe_write(dataset, false, &bytes, &error));
    ASSERT_OK(pod_input_recipe_read(context, bytes.data, bytes.size, &made, &error));
    ASSERT_EQ(pod_dataset_cardinality(dataset), pod_dataset_cardinality(made));
    ASSERT_TEXT(pod_dataset_label(dataset), pod_dataset_label(made));
    pod_bytes_free(context, &bytes);
    pod_dataset_release(dataset);
    return made;
}

/* A dataset, whose share it ends, has the same elements when it comes back. */
static void expect_same(pod_dataset *dataset)
{
    const size_t width = pod_dataset_component_count(dataset);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    spell(iterator, width, expected);
    pod_dataset_iterator_close(iterator);
    pod_dataset *made = again(dataset);
    iterator = open_iterator(made);
    ASSERT_TEXT(expected, spell(iterator, width, got));
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(made);
}

/* The graph of x * 3. */
static pod_graph *tripling(void)
{
    pod_graph *graph;
    ASSERT_OK(pod_graph_new(context, "triple", &graph, &error));
    pod_node *x = pod_graph_parameter(graph, POD_S64, &(pod_shape){0}, "x");
    pod_graph_add_output(graph, pod_graph_multiply(graph, x, pod_graph_scalar(graph, POD_S64, 3, NULL)));
    return graph;
}

static pod_dataset *tripled(pod_dataset *input)
{
    pod_dataset *dataset;
    ASSERT_OK(pod_dataset_map(input, tripling(), &dataset, &error));
    pod_dataset_release(input);
    return dataset;
}

TEST(plain_stages_come_back)
{
    expect_same(range_of(context, 7));
    expect_same(batch(shuffle(range_of(context, 20), 5, 3), 4, true));
    expect_same(repeat(take(skip(range_of(context, 9), 2), 4), 2));
    expect_same(prefetch(cache(range_of(context, 5)), 2));
    expect_same(tripled(range_of(context, 6)));
}

TEST(stages_of_several_inputs_come_back)
{
    pod_dataset *one = range_of(context, 4), *made;
    pod_dataset *inputs[] = {one, one};
    ASSERT_OK(pod_dataset_concatenate(inputs, 2, &made, &error));
    expect_same(made);
    ASSERT_OK(pod_dataset_zip(inputs, 2, &made, &error));
    expect_same(made);
    const pod_sample_options options = {.seed = 5};
    ASSERT_OK(pod_dataset_sample(inputs, 2, &options, &made, &error));
    expect_same(made);
    pod_dataset_release(one);
}

TEST(rows_and_texts_come_back)
{
    const pod_shape shape = {2, {3, 2}};
    pod_buffer *rows;
    pod_dataset *made;
    ASSERT_OK(pod_buffer_new(context, POD_S64, &shape, &rows, &error));
    for (int i = 0; i < 6; i++)
        ((int64_t *)pod_buffer_data(rows))[i] = i * i;
    ASSERT_OK(pod_dataset_from_slices(context, &rows, 1, &made, &error));
    expect_same(made);
    pod_buffer_release(rows);
    ASSERT_OK(pod_dataset_from_texts(context, (const char *const[]){"one", "", "three"}, NULL, 3, &made, &error));
    made = again(made);
    ASSERT_EQ(3, pod_dataset_cardinality(made));
    pod_dataset_release(made);
}

/* Datasets of scripts that lie elsewhere are the same to those who share a job. */
TEST(labels_do_not_count_in_a_sum)
{
    unsigned char sums[3][POD_SHA256_SIZE];
    pod_dataset *datasets[] = {batch(range_of(context, 9), 2, false), batch(range_of(context, 9), 2, false),
                               batch(range_of(context, 9), 3, false)};
    ASSERT_OK(pod_dataset_set_label(datasets[1], "batch (b.lua:1)", &error));
    for (int i = 0; i < 3; i++) {
        ASSERT_OK(pod_input_recipe_sum(datasets[i], false, sums[i], &error));
        pod_dataset_release(datasets[i]);
    }
    ASSERT_EQ(0, memcmp(sums[0], sums[1], sizeof sums[0]));
    ASSERT(memcmp(sums[0], sums[2], sizeof sums[0]) != 0);
}

TEST(a_stage_that_needs_this_process_is_named)
{
    counter numbers = {.context = context, .last = 3};
    pod_bytes bytes;
    pod_dataset *made = count_with(&numbers, true);
    ASSERT_OK(pod_dataset_set_label(made, "from_generator (train.lua:3)", &error));
    ASSERT_FAILS(POD_ERROR_UNSUPPORTED, "stage 'from_generator (train.lua:3)' cannot be sent to workers",
                 pod_input_recipe_write(made, false, &bytes, &error));
    pod_dataset_release(made);
}

/* Every cut is refused, and every change of a byte is, or makes some dataset. */
TEST(damaged_bytes_are_refused)
{
    pod_bytes bytes;
    pod_dataset *made, *dataset = batch(tripled(shuffle(range_of(context, 20), 5, 3)), 4, true);
    ASSERT_OK(pod_input_recipe_write(dataset, false, &bytes, &error));
    unsigned char *copy = malloc(bytes.size);
    for (size_t size = 0; size < bytes.size; size++) {
        memcpy(copy, bytes.data, size);
        ASSERT(pod_input_recipe_read(context, copy, size, &made, &error) < 0);
        ASSERT(made == NULL);
    }
    for (size_t i = 0; i < bytes.size; i++) {
        memcpy(copy, bytes.data, bytes.size);
        copy[i] ^= (unsigned char)(1u << i % 8);
        if (pod_input_recipe_read(context, copy, bytes.size, &made, &error) == POD_OK)
            pod_dataset_release(made);
    }
    free(copy);
    pod_bytes_free(context, &bytes);
    pod_dataset_release(dataset);
}

TEST_MAIN(context = test_context(NULL); RUN(plain_stages_come_back); RUN(stages_of_several_inputs_come_back);
          RUN(rows_and_texts_come_back); RUN(labels_do_not_count_in_a_sum);
          RUN(a_stage_that_needs_this_process_is_named); RUN(damaged_bytes_are_refused); pod_context_release(context))
