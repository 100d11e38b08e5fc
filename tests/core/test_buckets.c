/* Batches of elements of similar length: what no script says, or not in one thread. */

#include "data_cases.h"

#include <string.h>

#include "input/recipe.h"
#include "moonpod/builders.h"

static pod_context *context;
static pod_error error;
static pod_dataset *made;

static const int64_t boundaries[] = {2, 4}, sizes[] = {2, 1, 3};

/* The graph of x * 3 mod 5. */
static pod_graph *length_of_numbers(void)
{
    pod_graph *graph;
    ASSERT_OK(pod_graph_new(context, "length", &graph, &error));
    pod_node *x = pod_graph_parameter(graph, POD_S64, &(pod_shape){0}, "x");
    pod_node *tripled = pod_graph_multiply(graph, x, pod_graph_scalar(graph, POD_S64, 3, NULL));
    pod_graph_add_output(graph, pod_graph_remainder(graph, tripled, pod_graph_scalar(graph, POD_S64, 5, NULL)));
    return graph;
}

static pod_bucket_options of_three(void)
{
    return (pod_bucket_options){.boundaries = boundaries, .boundary_count = 2, .sizes = sizes};
}

/* Of 0 to 11 the lengths are 0 3 1 4 2 0 3 1 4 2 0 3. */
static const char numbers_in_buckets[] = "[1] [0 2] [4] [6] [5 7] [9] [11] [10] [3 8]";

TEST(the_last_component_is_a_length)
{
    pod_dataset *one = range_of(context, 12), *lengths, *both;
    ASSERT_OK(pod_dataset_map(one, length_of_numbers(), &lengths, &error));
    ASSERT_OK(pod_dataset_zip((pod_dataset *[]){one, lengths}, 2, &both, &error));
    const pod_bucket_options options = of_three();
    ASSERT_OK(pod_dataset_bucket_by_sequence_length(both, NULL, &options, &made, &error));
    ASSERT_EQ(1, (int64_t)pod_dataset_component_count(made));
    expect_elements(numbers_in_buckets, made);
    ASSERT_FAILS(POD_ERROR_DTYPE, "the last of several components is an element's length",
                 pod_dataset_bucket_by_sequence_length(one, NULL, &options, &made, &error));
    ASSERT(made == NULL);
    pod_dataset_release(one);
    pod_dataset_release(lengths);
    pod_dataset_release(both);
}

TEST(a_graph_is_a_length)
{
    pod_dataset *one = range_of(context, 12);
    const pod_bucket_options options = of_three();
    ASSERT_OK(pod_dataset_bucket_by_sequence_length(one, length_of_numbers(), &options, &made, &error));
    ASSERT_EQ(POD_CARDINALITY_UNKNOWN, pod_dataset_cardinality(made));
    pod_bytes bytes;
    pod_dataset *again;
    ASSERT_OK(pod_input_recipe_write(made, false, &bytes, &error));
    ASSERT_OK(pod_input_recipe_read(context, bytes.data, bytes.size, &again, &error));
    expect_elements(numbers_in_buckets, made);
    expect_elements(numbers_in_buckets, again);
    unsigned char *copy = malloc(bytes.size);
    for (size_t size = 0; size < bytes.size; size++) { /* every cut is refused, and a byte that is changed may be */
        memcpy(copy, bytes.data, size);
        ASSERT(pod_input_recipe_read(context, copy, size, &again, &error) < 0);
        memcpy(copy, bytes.data, bytes.size);
        copy[size] ^= (unsigned char)(1u << size % 8);
        if (pod_input_recipe_read(context, copy, bytes.size, &again, &error) == POD_OK)
            pod_dataset_release(again);
    }
    free(copy);
    pod_bytes_free(context, &bytes);
    pod_dataset_release(one);
}

/* Batches that are passed over are not made, and those behind them are the same. */
TEST(batches_are_passed_over)
{
    static const char *const rest[] = {"[1] [0 2]", "[0 2] [4]", "[4] [6]", "[6] [5 7]"};
    const pod_bucket_options options = of_three();
    for (int64_t skipped = 0; skipped < 4; skipped++) {
        pod_dataset *one = range_of(context, 12);
        ASSERT_OK(pod_dataset_bucket_by_sequence_length(one, length_of_numbers(), &options, &made, &error));
        pod_dataset_release(one);
        expect_elements(rest[skipped], take(skip(made, skipped), 2));
    }
    pod_dataset *one = range_of(context, 12);
    ASSERT_OK(pod_dataset_bucket_by_sequence_length(one, length_of_numbers(), &options, &made, &error));
    pod_dataset_release(one);
    expect_elements("", skip(made, 10));
}

TEST(options_are_refused)
{
    pod_dataset *one = range_of(context, 3);
    static const int64_t falling[] = {4, 4}, nothing[] = {1, 0, 1}, large[] = {1, INT64_MAX, 1}, low[] = {0, 3};
    pod_bucket_options options = of_three();
    options.boundaries = falling;
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "boundary 1 is 4, not above the 4 before it",
                 pod_dataset_bucket_by_sequence_length(one, length_of_numbers(), &options, &made, &error));
    options = of_three();
    options.sizes = nothing;
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "1 batches of 0; both must be at least 1",
                 pod_dataset_bucket_by_sequence_length(one, length_of_numbers(), &options, &made, &error));
    options.sizes = large;
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "the buckets are too large",
                 pod_dataset_bucket_by_sequence_length(one, length_of_numbers(), &options, &made, &error));
    options = of_three();
    options.in_step = -1;
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "-1 batches of 2; both must be at least 1",
                 pod_dataset_bucket_by_sequence_length(one, length_of_numbers(), &options, &made, &error));
    options = of_three();
    options.boundaries = low;
    options.pad_to_boundary = true;
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "no element is padded to below the boundary 0",
                 pod_dataset_bucket_by_sequence_length(one, length_of_numbers(), &options, &made, &error));
    pod_graph *graph;
    ASSERT_OK(pod_graph_new(context, "length", &graph, &error));
    pod_graph_add_output(graph,
                         pod_graph_convert(graph, pod_graph_parameter(graph, POD_S64, &(pod_shape){0}, "x"), POD_F32));
    options = of_three();
    ASSERT_FAILS(POD_ERROR_DTYPE, "the function must return one int64, a scalar",
                 pod_dataset_bucket_by_sequence_length(one, graph, &options, &made, &error));
    pod_dataset_release(one);
}

TEST_MAIN(context = test_context(NULL); RUN(the_last_component_is_a_length); RUN(a_graph_is_a_length);
          RUN(batches_are_passed_over); RUN(options_are_refused); pod_context_release(context))
