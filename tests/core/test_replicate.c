/* A training step over replicas: the graph for any number of them is the graph of one. */

#include "base/arena_apart.h"
#include "graph/build.h"
#include "moonpod/program.h"
#include "replica_cases.h"

/* ---- a small classifier, with its gradients written out ---- */

#define FEATURES 4
#define HIDDEN   5
#define CLASSES  3

static pod_node *sum_over(pod_graph *g, pod_node *x, int32_t axis)
{
    return pod_graph_reduce(g, "reduce_sum", x, &(pod_axes){1, {axis}}, false);
}

static pod_node *all_reduce(pod_graph *g, pod_node *x, pod_reduction reduction)
{
    pod_attributes attributes = {.reduction = reduction};
    return pod_graph_apply(g, POD_OP_ALL_REDUCE, &x, 1, &attributes, NULL, 0);
}

static pod_node *count_rows(pod_graph *g, pod_node *x)
{
    pod_attributes attributes = {.axis = 0};
    pod_node *size = pod_graph_apply(g, POD_OP_DIMENSION_SIZE, &x, 1, &attributes, NULL, 0);
    return pod_graph_convert(g, size, POD_F32);
}

/* Product of a and b folded over axis `i` of a and `j` of b. */
static pod_node *fold(pod_graph *g, pod_node *a, int32_t i, pod_node *b, int32_t j)
{
    pod_attributes attributes = {.lhs_contract = {1, {i}}, .rhs_contract = {1, {j}}};
    return pod_graph_apply(g, POD_OP_DOT, (pod_node *[]){a, b}, 2, &attributes, NULL, 0);
}

static void add_update(pod_graph *g, size_t parameter, pod_node *w, pod_node *gradient)
{
    pod_node *rate = pod_graph_scalar(g, POD_F32, 0.5, NULL);
    pod_node *sum = all_reduce(g, gradient, POD_REDUCE_SUM);
    size_t output = pod_graph_output_count(g);
    pod_node *next = pod_graph_composite(g, "sgd", (pod_node *[]){w, sum, rate}, 3, NULL);
    pod_graph_add_output(g, pod_graph_result(g, next, 0));
    pod_graph_set_alias(g, output, parameter);
}

/* One step of a core with `rows` rows. Parameters: w1, b1, w2, b2, x, labels; outputs: the first
 * four anew, and the mean loss of the whole batch. */
static pod_graph *step_graph(pod_context *context, int64_t rows)
{
    pod_graph *g;
    pod_error error;
    ASSERT_OK(pod_graph_new(context, "step", &g, &error));
    pod_node *w1 = pod_graph_parameter(g, POD_F32, SHAPE(FEATURES, HIDDEN), "w1");
    pod_node *b1 = pod_graph_parameter(g, POD_F32, SHAPE(HIDDEN), "b1");
    pod_node *w2 = pod_graph_parameter(g, POD_F32, SHAPE(HIDDEN, CLASSES), "w2");
    pod_node *b2 = pod_graph_parameter(g, POD_F32, SHAPE(CLASSES), "b2");
    pod_node *x = pod_graph_parameter(g, POD_F32, SHAPE(rows, FEATURES), "x");
    pod_node *labels = pod_graph_parameter(g, POD_S32, SHAPE(rows), "labels");
    pod_node *h =
        pod_graph_composite(g, "relu", (pod_node *[]){pod_graph_add(g, pod_graph_matmul(g, x, w1), b1)}, 1, NULL);
    pod_node *logits = pod_graph_add(g, pod_graph_matmul(g, h, w2), b2);
    pod_node *losses = pod_graph_composite(g, "sparse_softmax_cross_entropy", (pod_node *[]){logits, labels}, 2, NULL);
    pod_node *count = all_reduce(g, count_rows(g, x), POD_REDUCE_SUM);
    pod_node *total = all_reduce(g, sum_over(g, losses, 0), POD_REDUCE_SUM);
    pod_node *one = pod_graph_divide(g, pod_graph_scalar(g, POD_F32, 1, NULL), count);
    pod_node *seed = pod_graph_negate(g, pod_graph_negate(g, pod_graph_broadcast_to(g, one, SHAPE(rows))));
    pod_node *g2 =
        pod_graph_composite(g, "sparse_softmax_cross_entropy_gradient", (pod_node *[]){logits, labels, seed}, 3, NULL);
    pod_node *zero = pod_graph_scalar(g, POD_F32, 0, SHAPE(rows, HIDDEN));
    pod_node *g1 = pod_graph_select(g, pod_graph_compare(g, POD_COMPARE_GT, h, zero), fold(g, g2, 1, w2, 1), zero);
    add_update(g, 0, w1, fold(g, x, 0, g1, 0));
    add_update(g, 1, b1, sum_over(g, g1, 0));
    add_update(g, 2, w2, fold(g, h, 0, g2, 0));
    add_update(g, 3, b2, sum_over(g, g2, 0));
    pod_graph_add_output(g, pod_graph_divide(g, total, count));
    ASSERT_OK(pod_graph_check(g, &error));
    return g;
}

static const pod_placement step_parameters[] = {POD_MIRRORED, POD_MIRRORED, POD_MIRRORED,
                                                POD_MIRRORED, POD_SPLIT,    POD_SPLIT};
static const pod_placement step_outputs[] = {POD_MIRRORED, POD_MIRRORED, POD_MIRRORED, POD_MIRRORED, POD_MIRRORED};

static pod_graph *replicated_step(pod_context *context, int64_t replicas, int64_t rows)
{
    pod_error error;
    pod_graph *replicated;
    pod_graph *core = step_graph(context, (rows + replicas - 1) / replicas);
    pod_replicate_options options = {replicas, step_parameters, step_outputs, rows};
    ASSERT_OK(pod_graph_replicate(core, &options, &replicated, &error));
    ASSERT_OK(pod_graph_verify(replicated, &error));
    pod_graph_free(core);
    return replicated;
}

/* Runs a step and writes all new weights and the loss. */
static void run_step(const pod_graph *graph, pod_buffer **outputs)
{
    pod_error error;
    pod_buffer *arguments[6];
    uint64_t state = 7;
    for (uint32_t i = 0; i < 6; i++)
        arguments[i] =
            random_buffer(graph->context, pod_node_dtype(graph->parameters[i], 0),
                          pod_node_shape(graph->parameters[i], 0), i == 5 ? 0 : -1, i == 5 ? CLASSES : 1, &state);
    ASSERT_OK(evaluate_buffers(graph, arguments, outputs, &error));
    for (uint32_t i = 0; i < 6; i++)
        pod_buffer_release(arguments[i]);
}

static void assert_same_step(pod_context *context, int64_t replicas, int64_t rows)
{
    pod_buffer *expected[5], *actual[5];
    pod_graph *one = replicated_step(context, 1, rows);
    pod_graph *many = replicated_step(context, replicas, rows);
    run_step(one, expected);
    run_step(many, actual);
    for (uint32_t i = 0; i < 5; i++) {
        ASSERT_EQ(pod_buffer_bytes(expected[i]), pod_buffer_bytes(actual[i]));
        ASSERT_EQ(0, memcmp(pod_buffer_data(expected[i]), pod_buffer_data(actual[i]), pod_buffer_bytes(actual[i])));
        pod_buffer_release(expected[i]);
        pod_buffer_release(actual[i]);
    }
    pod_graph_free(one);
    pod_graph_free(many);
}

TEST(a_step_is_one_graph_for_any_number_of_even_shards)
{
    static const int64_t replicas[] = {2, 4, 8, 16, 64};
    pod_context *context = test_context(NULL);
    pod_graph *one = replicated_step(context, 1, 64);
    for (size_t i = 0; i < sizeof replicas / sizeof *replicas; i++) {
        pod_graph *many = replicated_step(context, replicas[i], 64);
        if (pod_graph_hash(one) != pod_graph_hash(many))
            FAIL("%lld replicas:\n%s\none:\n%s", (long long)replicas[i], pod_graph_print(many), pod_graph_print(one));
        pod_graph_free(many);
    }
    pod_graph_free(one);
    pod_context_release(context);
}

TEST(uneven_shards_give_the_same_weights_bit_by_bit)
{
    pod_context *context = test_context(NULL);
    assert_same_step(context, 5, 64);
    assert_same_step(context, 7, 64);
    pod_context_release(context);
}

TEST(twelve_rows_over_five_replicas_leave_one_empty)
{
    pod_context *context = test_context(NULL);
    assert_same_step(context, 5, 12);
    pod_context_release(context);
}

TEST(a_thousand_replicas_of_few_rows_give_the_same_weights)
{
    pod_context *context = test_context(NULL);
    assert_same_step(context, 1024, 12);
    assert_same_step(context, 1024, 2048);
    pod_context_release(context);
}

TEST(aliases_of_the_core_are_those_of_all_replicas)
{
    pod_context *context = test_context(NULL);
    pod_graph *graph = replicated_step(context, 4, 16);
    for (uint32_t i = 0; i < 4; i++)
        ASSERT_EQ(i, graph->aliases[i]);
    ASSERT_EQ(-1, graph->aliases[4]);
    pod_graph_free(graph);
    pod_context_release(context);
}

TEST(named_calls_of_joined_values_keep_their_name)
{
    pod_context *context = test_context(NULL);
    pod_graph *graph = replicated_step(context, 5, 12);
    uint32_t found = 0;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const pod_node *node = graph->nodes[i];
        if (node->op == POD_OP_CALL)
            found += !strcmp(node->attributes->name, "sparse_softmax_cross_entropy") ||
                     !strcmp(node->attributes->name, "relu") || !strcmp(node->attributes->name, "sgd");
    }
    ASSERT_EQ(6, found);
    pod_graph_free(graph);
    pod_context_release(context);
}

/* One row on each core: a mask and positions for all rows are as good as those of one. */
TEST(attention_of_joined_rows_keeps_its_name)
{
    pod_error error;
    pod_context *context = test_context(NULL);
    const pod_placement parameters[] = {POD_SPLIT, POD_MIRRORED}, output = POD_SPLIT;
    for (int64_t rows = 1; rows <= 2; rows++) {
        pod_graph *g, *result;
        uint32_t found = 0;
        ASSERT_OK(pod_graph_new(context, "step", &g, &error));
        pod_node *x = pod_graph_parameter(g, POD_F32, SHAPE(rows, 2, 5, 4), "x");
        pod_node *inputs[] = {x, x, x, pod_graph_parameter(g, POD_BOOL, SHAPE(1, 1, 5, 5), "mask")};
        pod_graph_add_output(g, pod_graph_composite(g, "attention", inputs, 4, &(pod_attributes){.flag = true}));
        ASSERT_OK(pod_graph_check(g, &error));
        const pod_replicate_options options = {3, parameters, &output, 3 * rows};
        ASSERT_OK(pod_graph_replicate(g, &options, &result, &error));
        for (uint32_t i = 0; i < result->node_count; i++) {
            const char *name = result->nodes[i]->op == POD_OP_CALL ? result->nodes[i]->attributes->name : NULL;
            found += name != NULL && strcmp(name, "attention") == 0;
        }
        ASSERT_EQ(1, found);
        pod_graph_free(result);
        pod_graph_free(g);
    }
    pod_context_release(context);
}

/* Logits are the same on every core and labels are not: a kernel for the name would go by the logits' rows. */
TEST(a_call_with_rows_of_all_and_of_one_loses_its_name)
{
    pod_error error;
    pod_graph *g, *result;
    pod_context *context = test_context(NULL);
    const pod_placement parameters[] = {POD_MIRRORED, POD_SPLIT}, output = POD_SPLIT;
    ASSERT_OK(pod_graph_new(context, "step", &g, &error));
    pod_node *inputs[] = {pod_graph_parameter(g, POD_F32, SHAPE(2, 5), "logits"),
                          pod_graph_parameter(g, POD_S32, SHAPE(2), "labels"), NULL};
    inputs[2] = pod_graph_full_like(g, inputs[1], 1);
    inputs[2] = pod_graph_convert(g, inputs[2], POD_F32);
    pod_graph_add_output(g, pod_graph_composite(g, "sparse_softmax_cross_entropy_gradient", inputs, 3, NULL));
    ASSERT_OK(pod_graph_check(g, &error));
    const pod_replicate_options options = {3, parameters, &output, 6};
    ASSERT_OK(pod_graph_replicate(g, &options, &result, &error));
    for (uint32_t i = 0; i < result->node_count; i++)
        ASSERT(result->nodes[i]->op != POD_OP_CALL || result->nodes[i]->attributes->name == NULL);
    pod_graph_free(result);
    pod_graph_free(g);
    pod_context_release(context);
}

/* Queries of each core to keys that all cores have: heads of all cores' queries are not those of one that share keys,
 * and positions begin anew for each core. */
TEST(a_call_that_repeats_operands_for_each_core_loses_its_name)
{
    pod_error error;
    pod_context *context = test_context(NULL);
    const pod_placement parameters[] = {POD_SPLIT, POD_MIRRORED}, output = POD_PER_REPLICA;
    static const int64_t cases[][2] = {{2, 1}, {1, 2}, {1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pod_graph *g, *result;
        const int64_t heads = cases[i][0], positions = cases[i][1], rows = heads * positions;
        ASSERT_OK(pod_graph_new(context, "step", &g, &error));
        pod_node *queries = pod_graph_parameter(g, POD_F32, SHAPE(rows), "queries");
        pod_node *keys = pod_graph_parameter(g, POD_F32, SHAPE(1, heads, 6, 1), "keys");
        queries = pod_graph_reshape(g, queries, SHAPE(1, heads, positions, 1));
        pod_graph_add_output(g, pod_graph_composite(g, "attention", (pod_node *[]){queries, keys, keys}, 3,
                                                    &(pod_attributes){.flag = true}));
        ASSERT_OK(pod_graph_check(g, &error));
        const pod_replicate_options options = {3, parameters, &output, 3 * rows};
        ASSERT_OK(pod_graph_replicate(g, &options, &result, &error));
        for (uint32_t j = 0; j < result->node_count; j++)
            ASSERT(result->nodes[j]->op != POD_OP_CALL || result->nodes[j]->attributes->name == NULL);
        pod_graph_free(result);
        pod_graph_free(g);
    }
    pod_context_release(context);
}

/* The classes of one example are the rows of a replica: a kernel for the name would fold those of all replicas. */
TEST(a_call_that_folds_rows_of_a_replica_loses_its_name)
{
    pod_error error;
    pod_graph *g, *result;
    pod_context *context = test_context(NULL);
    const pod_placement parameter = POD_SPLIT, output = POD_PER_REPLICA;
    ASSERT_OK(pod_graph_new(context, "step", &g, &error));
    pod_node *inputs[] = {pod_graph_parameter(g, POD_F32, SHAPE(7), "x"), pod_graph_scalar(g, POD_S32, 0, NULL),
                          pod_graph_scalar(g, POD_F32, 1, NULL)};
    pod_graph_add_output(
        g, pod_graph_composite(g, "sparse_softmax_cross_entropy_gradient", inputs, 3, &(pod_attributes){0}));
    ASSERT_OK(pod_graph_check(g, &error));
    const pod_replicate_options options = {3, &parameter, &output, 21};
    ASSERT_OK(pod_graph_replicate(g, &options, &result, &error));
    for (uint32_t i = 0; i < result->node_count; i++)
        ASSERT(result->nodes[i]->op != POD_OP_CALL);
    pod_graph_free(result);
    pod_graph_free(g);
    pod_context_release(context);
}

/* ---- refusals ---- */

static pod_status replicate_one(pod_graph *core, const pod_placement *parameters, pod_placement output,
                                int64_t replicas, int64_t rows, pod_graph **result, pod_error *error)
{
    pod_placement outputs[8];
    for (int i = 0; i < 8; i++)
        outputs[i] = output;
    pod_replicate_options options = {replicas, parameters, outputs, rows};
    return pod_graph_replicate(core, &options, result, error);
}

TEST(a_mirrored_output_must_be_one_value)
{
    pod_error error;
    pod_graph *g, *result;
    pod_context *context = test_context(NULL);
    const pod_placement split[] = {POD_SPLIT};
    ASSERT_OK(pod_graph_new(context, "step", &g, &error));
    pod_node *x = pod_graph_parameter(g, POD_F32, SHAPE(3, 2), "x");
    pod_graph_set_location(g, "model.lua:12");
    pod_graph_add_output(g, pod_graph_reduce(g, "reduce_sum", x, NULL, false));
    ASSERT_FAILS(POD_ERROR_VALUE, "model.lua:12: output 0 (reduce_sum) differs between replicas",
                 replicate_one(g, split, POD_MIRRORED, 2, 6, &result, &error));
    ASSERT(result == NULL);
    ASSERT_FAILS(POD_ERROR_VALUE, "only_first_replica", replicate_one(g, split, POD_MIRRORED, 2, 6, &result, &error));
    ASSERT_FAILS(POD_ERROR_VALUE, "is a scalar, which has no rows to split",
                 replicate_one(g, split, POD_SPLIT, 2, 6, &result, &error));
    pod_graph_free(g);
    pod_context_release(context);
}

TEST(options_that_do_not_fit_are_refused)
{
    pod_error error;
    pod_graph *g, *result;
    pod_context *context = test_context(NULL);
    const pod_placement split[] = {POD_SPLIT};
    ASSERT_OK(pod_graph_new(context, "step", &g, &error));
    pod_graph_add_output(g, pod_graph_parameter(g, POD_F32, SHAPE(3, 2), "x"));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "the number of replicas is 0",
                 replicate_one(g, split, POD_SPLIT, 0, 6, &result, &error));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "the batch has 0 rows", replicate_one(g, split, POD_SPLIT, 2, 0, &result, &error));
    ASSERT_FAILS(POD_ERROR_SHAPE, "8 rows over 2 replicas are 4 rows each",
                 replicate_one(g, split, POD_SPLIT, 2, 8, &result, &error));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "are not given", replicate_one(g, NULL, POD_SPLIT, 2, 6, &result, &error));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "at least one", pod_graph_map(g, 0, NULL, &result, &error));
    pod_graph_free(g);
    pod_context_release(context);
}

/* ---- depth and memory ---- */

TEST(a_deep_graph_needs_no_deep_stack)
{
    pod_error error;
    pod_graph *g, *result;
    pod_context *context = test_context(NULL);
    const pod_placement split[] = {POD_SPLIT};
    ASSERT_OK(pod_graph_new(context, "deep", &g, &error));
    pod_node *x = pod_graph_parameter(g, POD_F32, SHAPE(2), "x");
    for (int i = 0; i < 50000; i++)
        x = pod_graph_tanh(g, x);
    pod_graph_add_output(g, all_reduce(g, sum_over(g, x, 0), POD_REDUCE_SUM));
    ASSERT_OK(replicate_one(g, split, POD_MIRRORED, 4, 8, &result, &error));
    ASSERT_EQ(50002, result->node_count);
    pod_graph_free(result);
    pod_graph_free(g);
    pod_context_release(context);
}

static pod_status replicate_small(pod_context *context, pod_error *error)
{
    pod_graph *g, *result = NULL;
    const pod_placement split[] = {POD_SPLIT};
    pod_status status = pod_graph_new(context, "step", &g, error);
    if (status != POD_OK)
        return status;
    pod_node *x = pod_graph_parameter(g, POD_F32, SHAPE(3, 2), "x");
    pod_node *y = pod_graph_composite(g, "softmax", &x, 1, &(pod_attributes){.axis = -1});
    pod_graph_add_output(g, pod_graph_mean(g, y, NULL, false));
    status = replicate_one(g, split, POD_PER_REPLICA, 2, 5, &result, error);
    pod_graph_free(result);
    pod_graph_free(g);
    return status;
}

TEST(every_allocation_of_replicating_may_fail)
{
    pod_arenas_apart = true;
    every_allocation_may_fail(replicate_small);
    pod_arenas_apart = false;
}

TEST_MAIN(RUN(a_step_is_one_graph_for_any_number_of_even_shards); RUN(uneven_shards_give_the_same_weights_bit_by_bit);
          RUN(twelve_rows_over_five_replicas_leave_one_empty);
          RUN(a_thousand_replicas_of_few_rows_give_the_same_weights);
          RUN(aliases_of_the_core_are_those_of_all_replicas); RUN(named_calls_of_joined_values_keep_their_name);
          RUN(attention_of_joined_rows_keeps_its_name); RUN(a_call_with_rows_of_all_and_of_one_loses_its_name);
          RUN(a_call_that_repeats_operands_for_each_core_loses_its_name);
          RUN(a_call_that_folds_rows_of_a_replica_loses_its_name); RUN(a_mirrored_output_must_be_one_value);
          RUN(options_that_do_not_fit_are_refused); RUN(a_deep_graph_needs_no_deep_stack);
          RUN(every_allocation_of_replicating_may_fail);)
