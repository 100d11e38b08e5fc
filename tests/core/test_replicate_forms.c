/* Collectives, random numbers, statistics of shards, outputs of every placement, and gradients. */

#include "base/arena_apart.h"
#include "moonpod/program.h"
#include "replica_cases.h"

/* ---- a fixture: a core's graph, placements, and values ---- */

typedef struct fixture {
    pod_context *context;
    pod_graph *core;
    pod_placement parameters[4], outputs[4];
    uint32_t output_count;
} fixture;

static fixture begin(void)
{
    pod_error error;
    fixture f = {.context = test_context(NULL)};
    ASSERT_OK(pod_graph_new(f.context, "step", &f.core, &error));
    pod_graph_set_location(f.core, "model.lua:3");
    return f;
}

static void end(fixture *f)
{
    pod_graph_free(f->core);
    pod_context_release(f->context);
}

static pod_node *input(fixture *f, pod_placement placement, pod_dtype dtype, const pod_shape *shape)
{
    f->parameters[pod_graph_parameter_count(f->core)] = placement;
    return pod_graph_parameter(f->core, dtype, shape, "x");
}

static void output(fixture *f, pod_placement placement, pod_node *node)
{
    f->outputs[f->output_count++] = placement;
    pod_graph_add_output(f->core, node);
}

static pod_status replicate(fixture *f, int64_t replicas, int64_t rows, pod_graph **result, pod_error *error)
{
    pod_replicate_options options = {replicas, f->parameters, f->outputs, rows};
    return pod_graph_replicate(f->core, &options, result, error);
}

/* What all replicas have of an output is of the core's shape; what each has, behind an axis of replicas. */
static void assert_shapes(const fixture *f, int64_t replicas, pod_buffer *const *outputs)
{
    for (uint32_t i = 0; i < f->output_count; i++) {
        pod_shape wanted = *pod_node_shape(f->core->outputs[i], 0);
        const pod_shape *shape = pod_buffer_shape(outputs[i]);
        if (f->outputs[i] == POD_PER_REPLICA) {
            memmove(wanted.dims + 1, wanted.dims, (size_t)wanted.rank * sizeof *wanted.dims);
            wanted.dims[0] = replicas;
            wanted.rank++;
        }
        if (f->outputs[i] != POD_SPLIT && !pod_shape_equal(&wanted, shape))
            FAIL("output %u has %d axes, the first of %lld", i, shape->rank, (long long)shape->dims[0]);
    }
}

/* Replicates and runs on the numbers 1, 2, 3, ... of each parameter; outputs are the caller's. */
static void run(fixture *f, int64_t replicas, int64_t rows, pod_buffer **outputs)
{
    pod_error error;
    pod_graph *graph;
    pod_buffer *arguments[4];
    ASSERT_OK(replicate(f, replicas, rows, &graph, &error));
    ASSERT_OK(pod_graph_verify(graph, &error));
    for (uint32_t i = 0; i < graph->parameter_count; i++) {
        const pod_type *type = pod_node_type(graph->parameters[i]);
        arguments[i] = case_buffer(f->context, type->dtype, &type->shape);
        for (int64_t k = 0; k < pod_shape_elements(&type->shape); k++) {
            double value = (double)(k + 1);
            pod_convert(POD_F64, &value, type->dtype,
                        (char *)pod_buffer_data(arguments[i]) + (size_t)k * pod_dtype_size(type->dtype), 1);
        }
    }
    ASSERT_OK(evaluate_buffers(graph, arguments, outputs, &error));
    assert_shapes(f, replicas, outputs);
    for (uint32_t i = 0; i < graph->parameter_count; i++)
        pod_buffer_release(arguments[i]);
    pod_graph_free(graph);
}

static void assert_values(pod_buffer *buffer, size_t count, const double *expected)
{
    ASSERT_EQ(count, pod_shape_elements(pod_buffer_shape(buffer)));
    for (size_t i = 0; i < count; i++)
        if (fabs(expected[i] - element_of(buffer, (int64_t)i)) > 1e-5)
            FAIL("element %zu is %g, not %g", i, element_of(buffer, (int64_t)i), expected[i]);
    pod_buffer_release(buffer);
}

#define VALUES(...)                                                                                                    \
    sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[])                                                       \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

static pod_node *collective(fixture *f, pod_op op, pod_node *x, const pod_attributes *attributes)
{
    return pod_graph_apply(f->core, op, &x, x != NULL, attributes, NULL, 0);
}

static pod_node *all_reduce(fixture *f, pod_node *x, pod_reduction reduction)
{
    return collective(f, POD_OP_ALL_REDUCE, x, &(pod_attributes){.reduction = reduction});
}

static pod_node *sum_rows(fixture *f, pod_node *x)
{
    return pod_graph_reduce(f->core, "reduce_sum", x, &(pod_axes){1, {0}}, false);
}

/* ---- collectives ---- */

TEST(all_reduce_folds_over_the_replicas)
{
    fixture f = begin();
    pod_buffer *outputs[4];
    pod_node *x = input(&f, POD_PER_REPLICA, POD_F32, SHAPE(2));
    output(&f, POD_MIRRORED, all_reduce(&f, x, POD_REDUCE_SUM));
    output(&f, POD_MIRRORED, all_reduce(&f, x, POD_REDUCE_MAX));
    output(&f, POD_MIRRORED, all_reduce(&f, x, POD_REDUCE_PRODUCT));
    output(&f, POD_MIRRORED, all_reduce(&f, x, POD_REDUCE_MEAN));
    run(&f, 3, 0, outputs);
    assert_values(outputs[0], VALUES(9, 12));
    assert_values(outputs[1], VALUES(5, 6));
    assert_values(outputs[2], VALUES(15, 48));
    assert_values(outputs[3], VALUES(3, 4));
    end(&f);
}

TEST(all_reduce_of_what_is_the_same_everywhere)
{
    fixture f = begin();
    pod_buffer *outputs[4];
    pod_node *x = input(&f, POD_MIRRORED, POD_F32, SHAPE(2));
    output(&f, POD_MIRRORED, all_reduce(&f, x, POD_REDUCE_SUM));
    output(&f, POD_MIRRORED, all_reduce(&f, x, POD_REDUCE_MIN));
    output(&f, POD_MIRRORED, all_reduce(&f, x, POD_REDUCE_PRODUCT));
    output(&f, POD_MIRRORED, all_reduce(&f, x, POD_REDUCE_MEAN));
    run(&f, 3, 0, outputs);
    assert_values(outputs[0], VALUES(3, 6));
    assert_values(outputs[1], VALUES(1, 2));
    assert_values(outputs[2], VALUES(1, 8));
    assert_values(outputs[3], VALUES(1, 2));
    end(&f);
}

/* The sums are beyond f16; one of 16 bits would be rounded before it is divided, to 780 and 1032 together. */
TEST(a_mean_of_16_bits_over_replicas_rounds_once)
{
    fixture f = begin();
    pod_buffer *outputs[2];
    pod_node *x = input(&f, POD_PER_REPLICA, POD_F32, SHAPE(2));
    pod_node *large = pod_graph_multiply(f.core, x, pod_graph_scalar(f.core, POD_F32, 10000, NULL));
    pod_node *small = pod_graph_multiply(f.core, x, pod_graph_scalar(f.core, POD_F32, 259, NULL));
    output(&f, POD_MIRRORED, all_reduce(&f, pod_graph_convert(f.core, large, POD_F16), POD_REDUCE_MEAN));
    output(&f, POD_MIRRORED, all_reduce(&f, pod_graph_convert(f.core, small, POD_BF16), POD_REDUCE_MEAN));
    run(&f, 3, 0, outputs);
    assert_values(outputs[0], VALUES(30000, 40000));
    assert_values(outputs[1], VALUES(776, 1040)); /* of 260, 776 and 1296; of 520, 1040 and 1552 */
    end(&f);
}

TEST(the_mean_over_replicas_leaves_empty_ones_out)
{
    fixture f = begin();
    pod_buffer *outputs[4];
    pod_node *x = input(&f, POD_SPLIT, POD_F32, SHAPE(3));
    pod_node *mean = pod_graph_mean(f.core, x, NULL, false);
    output(&f, POD_MIRRORED, all_reduce(&f, mean, POD_REDUCE_MEAN));
    output(&f, POD_PER_REPLICA, mean);
    run(&f, 5, 12, outputs); /* means 2, 5, 8, 11 and of no row */
    assert_values(outputs[0], VALUES(6.5));
    ASSERT_NEAR(11, element_of(outputs[1], 3), 0, 1e-6);
    pod_buffer_release(outputs[1]);
    end(&f);
}

TEST(scatters_and_gathers_move_parts_between_replicas)
{
    fixture f = begin();
    pod_buffer *outputs[4];
    pod_node *x = input(&f, POD_PER_REPLICA, POD_F32, SHAPE(4)); /* 1 2 3 4 and 5 6 7 8 */
    pod_attributes attributes = {.count = 2};
    pod_node *part = collective(&f, POD_OP_REDUCE_SCATTER, x, &attributes);
    output(&f, POD_PER_REPLICA, part);
    output(&f, POD_MIRRORED, collective(&f, POD_OP_ALL_GATHER, part, &attributes));
    attributes.axes = (pod_axes){1, {0}};
    output(&f, POD_PER_REPLICA, collective(&f, POD_OP_ALL_TO_ALL, x, &attributes));
    int32_t pairs[] = {0, 1};
    attributes = (pod_attributes){.count = 1, .data = pairs};
    output(&f, POD_PER_REPLICA, collective(&f, POD_OP_COLLECTIVE_PERMUTE, x, &attributes));
    run(&f, 2, 0, outputs);
    assert_values(outputs[0], VALUES(6, 8, 10, 12));
    assert_values(outputs[1], VALUES(6, 8, 10, 12));
    assert_values(outputs[2], VALUES(1, 2, 5, 6, 3, 4, 7, 8));
    assert_values(outputs[3], VALUES(0, 0, 0, 0, 1, 2, 3, 4));
    end(&f);
}

TEST(all_to_all_splits_one_axis_and_joins_another)
{
    fixture f = begin();
    pod_buffer *outputs[4];
    pod_node *x = input(&f, POD_PER_REPLICA, POD_F32, SHAPE(2, 2)); /* [[1 2] [3 4]], [[5 6] [7 8]] */
    pod_attributes attributes = {.count = 2, .axis = 0, .axes = {1, {1}}};
    output(&f, POD_PER_REPLICA, collective(&f, POD_OP_ALL_TO_ALL, x, &attributes));
    attributes = (pod_attributes){.count = 2, .axis = 1, .axes = {1, {0}}};
    output(&f, POD_PER_REPLICA, collective(&f, POD_OP_ALL_TO_ALL, x, &attributes));
    run(&f, 2, 0, outputs);
    assert_values(outputs[0], VALUES(1, 2, 5, 6, 3, 4, 7, 8));
    assert_values(outputs[1], VALUES(1, 3, 5, 7, 2, 4, 6, 8));
    end(&f);
}

TEST(one_replica_exchanges_with_itself)
{
    fixture f = begin();
    pod_buffer *outputs[4];
    int32_t pairs[] = {0, 0};
    pod_node *x = input(&f, POD_PER_REPLICA, POD_F32, SHAPE(2));
    pod_attributes attributes = {.count = 1, .axes = {1, {0}}, .data = pairs};
    output(&f, POD_PER_REPLICA, collective(&f, POD_OP_ALL_TO_ALL, x, &attributes));
    output(&f, POD_MIRRORED, collective(&f, POD_OP_ALL_GATHER, x, &attributes));
    output(&f, POD_MIRRORED, collective(&f, POD_OP_COLLECTIVE_PERMUTE, x, &attributes));
    output(&f, POD_MIRRORED, collective(&f, POD_OP_REDUCE_SCATTER, x, &attributes));
    run(&f, 1, 0, outputs);
    for (int i = 0; i < 4; i++)
        assert_values(outputs[i], VALUES(1, 2));
    end(&f);
}

TEST(gathering_even_rows_costs_nothing)
{
    fixture f = begin();
    pod_error error;
    pod_graph *graph;
    pod_node *x = input(&f, POD_SPLIT, POD_F32, SHAPE(3, 2));
    pod_attributes attributes = {.count = 4};
    output(&f, POD_MIRRORED, collective(&f, POD_OP_ALL_GATHER, x, &attributes));
    ASSERT_OK(replicate(&f, 4, 12, &graph, &error));
    ASSERT_EQ(1, graph->node_count);
    pod_graph_free(graph);
    ASSERT_FAILS(POD_ERROR_UNSUPPORTED, "model.lua:3: 'all_gather' works along the rows",
                 replicate(&f, 4, 11, &graph, &error));
    ASSERT_FAILS(POD_ERROR_VALUE, "traced for another number of replicas than 3", replicate(&f, 3, 9, &graph, &error));
    end(&f);
}

TEST(a_replica_knows_its_number)
{
    fixture f = begin();
    pod_buffer *outputs[4];
    pod_node *x = input(&f, POD_SPLIT, POD_S32, SHAPE(2));
    pod_node *id = collective(&f, POD_OP_REPLICA_ID, NULL, &(pod_attributes){0});
    output(&f, POD_PER_REPLICA, id);
    output(&f, POD_SPLIT, pod_graph_multiply(f.core, x, id));
    run(&f, 3, 5, outputs);
    assert_values(outputs[0], VALUES(0, 1, 2));
    assert_values(outputs[1], VALUES(0, 0, 3, 4, 10));
    end(&f);
}

/* Nothing of the replicated graph falls into what each replica has. */
static void assert_joined(fixture *f, int64_t replicas, int64_t rows)
{
    pod_error error;
    pod_graph *graph;
    ASSERT_OK(replicate(f, replicas, rows, &graph, &error));
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i]->op == POD_OP_RESHAPE)
            FAIL("there are parts of replicas:\n%s", pod_graph_print(graph));
    pod_graph_free(graph);
}

/* What is linear takes sums over the replicas: those of two values, checked, and of updates of a value that all
 * have. */
TEST(sums_pass_through_checks_and_scatters)
{
    fixture f = begin();
    pod_buffer *outputs[4];
    pod_node *x = input(&f, POD_SPLIT, POD_F32, SHAPE(2, 3)), *base = input(&f, POD_MIRRORED, POD_F32, SHAPE(5));
    pod_node *indices = input(&f, POD_MIRRORED, POD_S32, SHAPE(3));
    pod_node *fine = pod_graph_compare(f.core, POD_COMPARE_GE, indices, indices);
    fine = pod_graph_apply(f.core, POD_OP_REDUCE_AND, &fine, 1, &(pod_attributes){.axes = {1, {0}}}, NULL, 0);
    pod_node *sum = pod_graph_add(f.core, sum_rows(&f, x), sum_rows(&f, pod_graph_multiply(f.core, x, x)));
    pod_node *checked = pod_graph_apply(f.core, POD_OP_CHECK, (pod_node *[]){sum, fine}, 2,
                                        &(pod_attributes){.name = "no number"}, NULL, 0);
    output(&f, POD_MIRRORED, all_reduce(&f, pod_graph_add(f.core, checked, checked), POD_REDUCE_SUM));
    sum = pod_graph_add(f.core, sum, checked);
    pod_node *scattered = pod_graph_apply(f.core, POD_OP_SCATTER, (pod_node *[]){base, indices, sum}, 3,
                                          &(pod_attributes){.reduction = POD_REDUCE_SUM}, NULL, 0);
    output(&f, POD_MIRRORED, all_reduce(&f, pod_graph_add(f.core, scattered, scattered), POD_REDUCE_SUM));
    assert_joined(&f, 2, 4);
    run(&f, 2, 4, outputs); /* sums of four rows and of their squares: 22 + 166, 26 + 214, 30 + 270 */
    assert_values(outputs[0], VALUES(376, 480, 600));
    assert_values(outputs[1], VALUES(4, 760, 972, 1216, 20)); /* the base twice on each of two */
    end(&f);
}

/* A check and a print of which nothing uses the results are there all the same. */
TEST(what_checks_and_prints_is_never_left_out)
{
    fixture f = begin();
    pod_error error;
    pod_graph *graph;
    pod_node *x = input(&f, POD_SPLIT, POD_F32, SHAPE(2, 3));
    pod_node *fine = pod_graph_compare(f.core, POD_COMPARE_GE, x, x);
    pod_graph_apply(f.core, POD_OP_CHECK, (pod_node *[]){x, fine}, 2, &(pod_attributes){.name = "no number"}, NULL, 0);
    pod_graph_apply(f.core, POD_OP_PRINT, &x, 1, &(pod_attributes){.name = "x"}, NULL, 0);
    output(&f, POD_MIRRORED, all_reduce(&f, sum_rows(&f, x), POD_REDUCE_SUM));
    ASSERT_OK(replicate(&f, 2, 4, &graph, &error));
    int checks = 0, prints = 0;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        checks += graph->nodes[i]->op == POD_OP_CHECK;
        prints += graph->nodes[i]->op == POD_OP_PRINT;
    }
    ASSERT_EQ(checks, 1);
    ASSERT_EQ(prints, 1);
    pod_graph_free(graph);
    end(&f);
}

/* A sum that is summed further needs no copy a replica. */
TEST(sums_of_sums_are_joined)
{
    fixture f = begin();
    pod_node *x = input(&f, POD_SPLIT, POD_F32, SHAPE(2, 3));
    pod_node *sum = pod_graph_reduce(f.core, "reduce_sum", sum_rows(&f, x), &(pod_axes){1, {0}}, false);
    output(&f, POD_MIRRORED, all_reduce(&f, sum, POD_REDUCE_SUM));
    assert_joined(&f, 2, 4);
    end(&f);
}

/* Rows are 1 to 6 times 40: the replicas' own sums are 120, 280 - 256 and 440 - 256. */
TEST(sums_of_integers_wrap_around_in_each_replica)
{
    static const pod_dtype to[] = {POD_U8, POD_S32, POD_F32};
    static const double expected[] = {72, 328, 328};
    for (int i = 0; i < 3; i++) {
        fixture f = begin();
        pod_buffer *outputs[1];
        pod_node *x = input(&f, POD_SPLIT, POD_U8, SHAPE(2));
        pod_node *scaled = pod_graph_multiply(f.core, x, pod_graph_scalar(f.core, POD_U8, 40, NULL));
        pod_node *sum = pod_graph_convert(f.core, sum_rows(&f, scaled), to[i]);
        output(&f, POD_MIRRORED, all_reduce(&f, sum, POD_REDUCE_SUM));
        run(&f, 3, 6, outputs);
        assert_values(outputs[0], VALUES(expected[i]));
        end(&f);
    }
}

/* As one core does that has all rows, whatever the number of replicas: 257 has no place in 16 bits. */
TEST(casts_are_of_the_sum_of_all_replicas)
{
    fixture f = begin();
    pod_buffer *outputs[3];
    pod_node *x = input(&f, POD_SPLIT, POD_F32, SHAPE(2));
    x = pod_graph_multiply(f.core, x, pod_graph_scalar(f.core, POD_F32, 0, NULL));
    x = pod_graph_add(f.core, x, pod_graph_scalar(f.core, POD_F32, 128.5, NULL));
    pod_node *narrow = pod_graph_convert(f.core, sum_rows(&f, x), POD_BF16); /* 257 on each */
    output(&f, POD_MIRRORED, all_reduce(&f, narrow, POD_REDUCE_SUM));
    pod_node *wide = pod_graph_convert(f.core, sum_rows(&f, pod_graph_convert(f.core, x, POD_BF16)), POD_F32);
    output(&f, POD_MIRRORED, all_reduce(&f, wide, POD_REDUCE_SUM));                         /* 128 each */
    pod_node *odd = pod_graph_add(f.core, x, pod_graph_scalar(f.core, POD_F32, 0.5, NULL)); /* 129 each */
    output(&f, POD_MIRRORED, all_reduce(&f, sum_rows(&f, pod_graph_convert(f.core, odd, POD_BF16)), POD_REDUCE_SUM));
    run(&f, 3, 6, outputs);
    assert_values(outputs[0], VALUES(772)); /* 771 */
    assert_values(outputs[1], VALUES(768));
    assert_values(outputs[2], VALUES(776)); /* 774, half way from 772; 258 on each */
    end(&f);
}

/* A sum from the end meets the padding of a short shard first, which is nothing there. */
TEST(sums_from_the_end_leave_padding_out)
{
    fixture f = begin();
    pod_buffer *outputs[4];
    pod_node *x = input(&f, POD_SPLIT, POD_F32, SHAPE(3));
    x = collective(&f, POD_OP_CUMULATIVE_SUM, x, &(pod_attributes){0}); /* stacked; what is behind the rows is no 0 */
    for (int64_t exclusive = 0; exclusive < 2; exclusive++)
        output(&f, POD_SPLIT,
               collective(&f, POD_OP_CUMULATIVE_SUM, x, &(pod_attributes){.flag = true, .count = exclusive}));
    run(&f, 3, 7, outputs); /* 1 3 6, 4 9 15, 7 */
    assert_values(outputs[0], VALUES(10, 9, 6, 28, 24, 15, 7));
    assert_values(outputs[1], VALUES(9, 6, 0, 24, 15, 0, 0));
    end(&f);
}

/* ---- random numbers ---- */

static pod_node *bits(fixture *f, pod_node *state, pod_node *like, const pod_shape *shape)
{
    pod_node *inputs[2] = {state, like};
    pod_attributes attributes = {.dtype = POD_U32, .seed = 9, .shape = *shape};
    if (like != NULL)
        attributes.shape = (pod_shape){0};
    return pod_graph_apply(f->core, POD_OP_RANDOM_BITS, inputs, like != NULL ? 2 : 1, &attributes, NULL, 0);
}

/* Draws for 12 rows in all, on so many replicas. */
static void draw(int64_t replicas, bool stacked, pod_buffer **drawn)
{
    fixture f = begin();
    int64_t chunk = (12 + replicas - 1) / replicas;
    pod_node *state = input(&f, POD_MIRRORED, POD_U64, SHAPE(2));
    pod_node *x = input(&f, POD_SPLIT, POD_F32, SHAPE(chunk, 3));
    if (stacked) /* a value that each replica has its own of keeps the rows apart */
        x = pod_graph_add(
            f.core, x,
            pod_graph_broadcast_to(f.core,
                                   pod_graph_mean(f.core,
                                                  pod_graph_reduce(f.core, "reduce_max", x, &(pod_axes){1, {0}}, true),
                                                  NULL, false),
                                   SHAPE(chunk, 3)));
    output(&f, POD_SPLIT, bits(&f, state, x, SCALAR));
    output(&f, POD_SPLIT, bits(&f, state, NULL, SHAPE(chunk, 3)));
    run(&f, replicas, 12, drawn);
    end(&f);
}

TEST(a_row_draws_the_same_on_any_replica)
{
    pod_buffer *one[2], *many[2];
    for (int64_t replicas = 2; replicas <= 7; replicas++) {
        draw(1, false, one);
        draw(replicas, replicas % 2, many);
        for (int i = 0; i < 2; i++) {
            ASSERT_EQ(pod_buffer_bytes(one[i]), pod_buffer_bytes(many[i]));
            ASSERT_EQ(0, memcmp(pod_buffer_data(one[i]), pod_buffer_data(many[i]), pod_buffer_bytes(one[i])));
            pod_buffer_release(one[i]);
            pod_buffer_release(many[i]);
        }
    }
}

TEST(mapped_elements_draw_by_their_number)
{
    fixture f = begin();
    pod_error error;
    pod_graph *graph;
    pod_buffer *state, *all, *rows;
    bool mapped[1] = {false};
    bits(&f, input(&f, POD_MIRRORED, POD_U64, SHAPE(2)), NULL, SHAPE(5));
    output(&f, POD_PER_REPLICA, f.core->nodes[f.core->node_count - 1]);
    ASSERT_OK(pod_graph_map(f.core, 4, mapped, &graph, &error));
    state = case_buffer(f.context, POD_U64, SHAPE(2));
    ASSERT_OK(evaluate_buffers(graph, &state, &all, &error));
    pod_graph_free(graph);
    ASSERT_OK(pod_graph_map(f.core, 2, mapped, &graph, &error));
    ASSERT_OK(evaluate_buffers(graph, &state, &rows, &error));
    pod_graph_free(graph);
    ASSERT_EQ(0, memcmp(pod_buffer_data(all), pod_buffer_data(rows), pod_buffer_bytes(rows)));
    ASSERT(element_of(all, 0) != element_of(all, 5));
    pod_buffer_release(all);
    pod_buffer_release(rows);
    pod_buffer_release(state);
    end(&f);
}

TEST(each_replica_may_have_its_own_random_state)
{
    fixture f = begin();
    pod_buffer *outputs[4];
    pod_node *state = input(&f, POD_PER_REPLICA, POD_U64, SHAPE(2));
    output(&f, POD_PER_REPLICA, bits(&f, state, NULL, SHAPE(3)));
    run(&f, 2, 0, outputs);
    ASSERT(element_of(outputs[0], 0) != element_of(outputs[0], 3));
    pod_buffer_release(outputs[0]);
    end(&f);
}

/* ---- what each replica computes over its shard ---- */

TEST(statistics_of_a_shard_count_true_rows)
{
    fixture f = begin();
    pod_buffer *outputs[4];
    pod_node *x = input(&f, POD_SPLIT, POD_F32, SHAPE(2, 1)); /* 1 2 | 3 4 | 5 */
    pod_node *mean = pod_graph_mean(f.core, x, &(pod_axes){1, {0}}, true);
    pod_node *centred = pod_graph_subtract(f.core, x, mean);
    pod_node *variance =
        pod_graph_mean(f.core, pod_graph_multiply(f.core, centred, centred), &(pod_axes){1, {0}}, false);
    output(&f, POD_SPLIT, centred);
    output(&f, POD_PER_REPLICA, variance);
    output(&f, POD_MIRRORED, all_reduce(&f, mean, POD_REDUCE_MEAN));
    output(&f, POD_PER_REPLICA, x);
    run(&f, 3, 5, outputs);
    assert_values(outputs[0], VALUES(-0.5, 0.5, -0.5, 0.5, 0));
    assert_values(outputs[1], VALUES(0.25, 0.25, 0));
    assert_values(outputs[2], VALUES((1.5 + 3.5 + 5) / 3));
    assert_values(outputs[3], VALUES(1, 2, 3, 4, 5, 0));
    end(&f);
}

TEST(whole_batch_sums_are_one_reduction)
{
    fixture f = begin();
    pod_error error;
    pod_graph *graph;
    pod_node *x = input(&f, POD_SPLIT, POD_F32, SHAPE(3, 2));
    pod_node *w = input(&f, POD_SPLIT, POD_F32, SHAPE(3, 4));
    pod_attributes fold = {.lhs_contract = {1, {0}}, .rhs_contract = {1, {0}}};
    pod_node *g = pod_graph_apply(f.core, POD_OP_DOT, (pod_node *[]){x, w}, 2, &fold, NULL, 0);
    pod_node *half = pod_graph_scalar(f.core, POD_F32, 0.5, SHAPE(4, 2));
    g = pod_graph_multiply(f.core, pod_graph_transpose(f.core, g, NULL), half);
    output(&f, POD_MIRRORED, all_reduce(&f, g, POD_REDUCE_SUM));
    ASSERT_OK(replicate(&f, 5, 13, &graph, &error));
    ASSERT_EQ(f.core->node_count - 1, graph->node_count);
    pod_graph_free(graph);
    end(&f);
}

TEST(outputs_are_split_per_replica_or_mirrored)
{
    fixture f = begin();
    pod_buffer *outputs[4];
    pod_node *x = input(&f, POD_SPLIT, POD_F32, SHAPE(2));
    pod_node *w = input(&f, POD_MIRRORED, POD_F32, SHAPE(2));
    pod_node *own = input(&f, POD_PER_REPLICA, POD_F32, SHAPE(2, 1));
    output(&f, POD_SPLIT, pod_graph_add(f.core, x, w));
    output(&f, POD_PER_REPLICA, w);
    output(&f, POD_SPLIT, own);
    output(&f, POD_SPLIT, w);
    run(&f, 2, 3, outputs);
    assert_values(outputs[0], VALUES(2, 4, 4));
    assert_values(outputs[1], VALUES(1, 2, 1, 2));
    assert_values(outputs[2], VALUES(1, 2, 3));
    assert_values(outputs[3], VALUES(1, 2, 1));
    end(&f);
}

/* ---- control flow ---- */

static pod_graph *region(fixture *f)
{
    pod_graph *graph;
    pod_error error;
    ASSERT_OK(pod_graph_new(f->context, "side", &graph, &error));
    return graph;
}

/* A branch of what is positive here, where `op` is done to it. */
static pod_node *branch_with(fixture *f, pod_op op)
{
    pod_graph *sides[2];
    pod_node *x = input(f, POD_PER_REPLICA, POD_F32, SCALAR);
    for (int k = 0; k < 2; k++) {
        sides[k] = region(f);
        pod_node *y = pod_graph_parameter(sides[k], POD_F32, SCALAR, "y");
        pod_node *operands[2] = {y, pod_graph_compare(sides[k], POD_COMPARE_EQ, y, y)};
        pod_attributes attributes = {.name = "seen"};
        if (k == 0)
            y = pod_graph_apply(sides[k], op, operands, op == POD_OP_CHECK ? 2 : 1, &attributes, NULL, 0);
        pod_graph_add_output(sides[k], y);
    }
    pod_node *zero = pod_graph_scalar(f->core, POD_F32, 0, NULL);
    pod_node *inputs[2] = {pod_graph_compare(f->core, POD_COMPARE_GT, x, zero), x};
    return pod_graph_apply(f->core, POD_OP_COND, inputs, 2, NULL, sides, 2);
}

/* All replicas compute both sides: they would print, check and sum up what they do not take. */
TEST(a_branch_that_only_some_replicas_take_has_no_effects)
{
    static const pod_op effects[] = {POD_OP_PRINT, POD_OP_CHECK, POD_OP_ALL_REDUCE};
    for (int i = 0; i < 6; i++) {
        fixture f = begin();
        pod_error error;
        pod_graph *result;
        pod_node *made = branch_with(&f, effects[i / 2]);
        bool sum = i % 2 != 0; /* nothing but the sum over the replicas is wanted */
        output(&f, sum ? POD_MIRRORED : POD_PER_REPLICA, sum ? all_reduce(&f, made, POD_REDUCE_SUM) : made);
        ASSERT_FAILS(POD_ERROR_UNSUPPORTED, "model.lua:3: 'cond' depends on a value that differs",
                     replicate(&f, 2, 0, &result, &error));
        end(&f);
    }
}

/* A recurrent cell: for t in 0 .. 3: h = tanh(x[:, t] + h w). */
static pod_node *recurrent(fixture *f, pod_node *x, pod_node *w, int64_t rows)
{
    pod_graph *regions[2];
    pod_attributes none = {0};
    for (int k = 0; k < 2; k++) {
        pod_graph *g = regions[k] = region(f);
        pod_node *t = pod_graph_parameter(g, POD_S32, SCALAR, "t");
        pod_node *h = pod_graph_parameter(g, POD_F32, SHAPE(rows, 2), "h");
        pod_node *xs = pod_graph_parameter(g, POD_F32, SHAPE(rows, 4, 2), "x");
        pod_node *ws = pod_graph_parameter(g, POD_F32, SHAPE(2, 2), "w");
        if (k == 0) {
            pod_node *limit = pod_graph_scalar(g, POD_S32, 4, NULL);
            pod_graph_add_output(g, pod_graph_compare(g, POD_COMPARE_LT, t, limit));
            continue;
        }
        pod_node *zero = pod_graph_scalar(g, POD_S32, 0, NULL);
        pod_attributes sizes = {.shape = *SHAPE(rows, 1, 2)};
        pod_node *xt = pod_graph_apply(g, POD_OP_DYNAMIC_SLICE, (pod_node *[]){xs, zero, t, zero}, 4, &sizes, NULL, 0);
        xt = pod_graph_reshape(g, xt, SHAPE(rows, 2));
        pod_graph_add_output(g, pod_graph_add(g, t, pod_graph_scalar(g, POD_S32, 1, NULL)));
        pod_graph_add_output(g, pod_graph_tanh(g, pod_graph_add(g, xt, pod_graph_matmul(g, h, ws))));
        pod_graph_add_output(g, xs);
        pod_graph_add_output(g, ws);
    }
    pod_node *inputs[4] = {pod_graph_scalar(f->core, POD_S32, 0, NULL),
                           pod_graph_scalar(f->core, POD_F32, 0, SHAPE(rows, 2)), x, w};
    pod_node *loop = pod_graph_apply(f->core, POD_OP_WHILE, inputs, 4, &none, regions, 2);
    return pod_graph_result(f->core, loop, 1);
}

TEST(a_loop_over_time_is_one_graph_for_any_number_of_shards)
{
    uint64_t hashes[3];
    static const int64_t replicas[] = {1, 2, 6};
    for (int i = 0; i < 3; i++) {
        pod_error error;
        pod_graph *graph;
        fixture f = begin();
        int64_t rows = 12 / replicas[i];
        pod_node *x = input(&f, POD_SPLIT, POD_F32, SHAPE(rows, 4, 2));
        pod_node *w = input(&f, POD_MIRRORED, POD_F32, SHAPE(2, 2));
        pod_node *h = recurrent(&f, x, w, rows);
        output(&f, POD_MIRRORED, all_reduce(&f, sum_rows(&f, h), POD_REDUCE_SUM));
        ASSERT_OK(replicate(&f, replicas[i], 12, &graph, &error));
        ASSERT_OK(pod_graph_verify(graph, &error));
        hashes[i] = pod_graph_hash(graph);
        pod_graph_free(graph);
        end(&f);
    }
    ASSERT_EQ(hashes[0], hashes[1]);
    ASSERT_EQ(hashes[0], hashes[2]);
}

/* One reader wants the sum of a loop's state, and another one what each replica has: the loop carries that, and the
 * sum, which was planned as the loop's, is made of it. */
TEST(a_loops_sum_is_made_where_its_state_is_needed_too)
{
    fixture f = begin();
    pod_buffer *outputs[4];
    pod_graph *regions[2];
    pod_node *h = sum_rows(&f, input(&f, POD_SPLIT, POD_F32, SHAPE(2, 3)));
    for (int k = 0; k < 2; k++) {
        pod_graph *g = regions[k] = region(&f);
        pod_node *t = pod_graph_parameter(g, POD_S32, SCALAR, "t");
        pod_node *state = pod_graph_parameter(g, POD_F32, SHAPE(3), "h");
        const double number = k == 0 ? 2 : 1;
        pod_node *other = pod_graph_scalar(g, POD_S32, number, NULL);
        pod_graph_add_output(g, k == 0 ? pod_graph_compare(g, POD_COMPARE_LT, t, other) : pod_graph_add(g, t, other));
        if (k == 1)
            pod_graph_add_output(g, pod_graph_add(g, state, state));
    }
    pod_node *inputs[2] = {pod_graph_scalar(f.core, POD_S32, 0, NULL), h};
    pod_node *loop = pod_graph_apply(f.core, POD_OP_WHILE, inputs, 2, &(pod_attributes){0}, regions, 2);
    h = pod_graph_result(f.core, loop, 1);
    output(&f, POD_MIRRORED, all_reduce(&f, pod_graph_negate(f.core, h), POD_REDUCE_SUM));
    output(&f, POD_PER_REPLICA, pod_graph_exp(f.core, pod_graph_negate(f.core, h)));
    run(&f, 2, 4, outputs); /* four times 1 + 4, 2 + 5, 3 + 6 and 7 + 10, 8 + 11, 9 + 12 */
    assert_values(outputs[0], VALUES(-88, -104, -120));
    assert_values(outputs[1], VALUES(exp(-20), exp(-28), exp(-36), exp(-68), exp(-76), exp(-84)));
    end(&f);
}

TEST(a_value_without_room_for_an_axis_is_refused)
{
    fixture f = begin();
    pod_graph *result;
    pod_error error;
    output(&f, POD_PER_REPLICA, input(&f, POD_MIRRORED, POD_F32, SHAPE(1, 2, 1, 1, 1, 1, 1, 3)));
    ASSERT_FAILS(POD_ERROR_UNSUPPORTED, "a value of 8 axes has no room for one of replicas",
                 replicate(&f, 2, 0, &result, &error));
    end(&f);
}

/* x [rows], limit [] own to each replica: while (sum of x < limit) x = x + 1; then a branch. */
static void build_control(pod_graph *g, pod_graph *const *regions)
{
    pod_attributes none = {0};
    for (int k = 0; k < 4; k++) {
        pod_node *limit = pod_graph_parameter(regions[k], POD_F32, SCALAR, "limit");
        pod_node *x = pod_graph_parameter(regions[k], POD_F32, SHAPE(2), "x");
        pod_node *sum = pod_graph_reduce(regions[k], "reduce_sum", x, NULL, false);
        if (k == 0)
            pod_graph_add_output(regions[k], pod_graph_compare(regions[k], POD_COMPARE_LT, sum, limit));
        if (k == 1)
            pod_graph_add_output(regions[k], limit);
        if (k > 0)
            pod_graph_add_output(regions[k], pod_graph_exp(regions[k], x));
    }
    pod_node *limit = pod_graph_parameter(g, POD_F32, SCALAR, "limit");
    pod_node *x = pod_graph_parameter(g, POD_F32, SHAPE(2), "x");
    pod_node *loop = pod_graph_apply(g, POD_OP_WHILE, (pod_node *[]){limit, x}, 2, &none, regions, 2);
    x = pod_graph_result(g, loop, 1);
    pod_node *much = pod_graph_compare(g, POD_COMPARE_GT, limit, pod_graph_scalar(g, POD_F32, 9, NULL));
    x = pod_graph_apply(g, POD_OP_COND, (pod_node *[]){much, limit, x}, 3, &none, regions + 2, 2);
    pod_graph_add_output(g, x);
}

static pod_status replicate_control(pod_context *context, pod_placement limit, pod_error *error)
{
    pod_graph *graphs[5] = {NULL}, *result = NULL;
    pod_status status = POD_OK;
    for (int k = 0; k < 5 && status == POD_OK; k++)
        status = pod_graph_new(context, "control", &graphs[k], error);
    if (status == POD_OK) {
        const pod_placement parameters[] = {limit, POD_SPLIT}, outputs[] = {POD_PER_REPLICA};
        pod_replicate_options options = {3, parameters, outputs, 5};
        build_control(graphs[4], graphs); /* takes the regions */
        for (int k = 0; k < 4; k++)
            graphs[k] = NULL;
        status = pod_graph_replicate(graphs[4], &options, &result, error);
    }
    pod_graph_free(result);
    for (int k = 0; k < 5; k++)
        pod_graph_free(graphs[k]);
    return status;
}

static pod_status replicate_control_apart(pod_context *context, pod_error *error)
{
    return replicate_control(context, POD_PER_REPLICA, error);
}

static pod_status replicate_control_together(pod_context *context, pod_error *error)
{
    return replicate_control(context, POD_MIRRORED, error);
}

TEST(every_allocation_of_branches_and_loops_may_fail)
{
    pod_arenas_apart = true;
    every_allocation_may_fail(replicate_control_apart);
    every_allocation_may_fail(replicate_control_together);
    pod_arenas_apart = false;
}

/* ---- places ---- */

TEST(emitted_nodes_keep_their_place)
{
    fixture f = begin();
    pod_error error;
    pod_graph *graph;
    pod_node *x = input(&f, POD_SPLIT, POD_F32, SHAPE(3, 2));
    pod_graph_set_location(f.core, "model.lua:20");
    pod_graph_set_scope(f.core, "norm");
    output(&f, POD_PER_REPLICA, sum_rows(&f, pod_graph_exp(f.core, x)));
    ASSERT_OK(replicate(&f, 2, 5, &graph, &error));
    for (uint32_t i = 1; i < graph->node_count; i++) {
        ASSERT_TEXT("model.lua:20", graph->nodes[i]->location);
        ASSERT_TEXT("norm", graph->nodes[i]->scope);
    }
    pod_graph_free(graph);
    end(&f);
}

TEST_MAIN(RUN(all_reduce_folds_over_the_replicas); RUN(all_reduce_of_what_is_the_same_everywhere);
          RUN(a_mean_of_16_bits_over_replicas_rounds_once); RUN(the_mean_over_replicas_leaves_empty_ones_out);
          RUN(scatters_and_gathers_move_parts_between_replicas); RUN(all_to_all_splits_one_axis_and_joins_another);
          RUN(one_replica_exchanges_with_itself); RUN(gathering_even_rows_costs_nothing);
          RUN(a_replica_knows_its_number); RUN(sums_pass_through_checks_and_scatters); RUN(sums_of_sums_are_joined);
          RUN(what_checks_and_prints_is_never_left_out); RUN(sums_of_integers_wrap_around_in_each_replica);
          RUN(casts_are_of_the_sum_of_all_replicas); RUN(sums_from_the_end_leave_padding_out);
          RUN(a_row_draws_the_same_on_any_replica); RUN(mapped_elements_draw_by_their_number);
          RUN(each_replica_may_have_its_own_random_state); RUN(statistics_of_a_shard_count_true_rows);
          RUN(whole_batch_sums_are_one_reduction); RUN(outputs_are_split_per_replica_or_mirrored);
          RUN(a_branch_that_only_some_replicas_take_has_no_effects);
          RUN(a_loop_over_time_is_one_graph_for_any_number_of_shards);
          RUN(a_loops_sum_is_made_where_its_state_is_needed_too); RUN(a_value_without_room_for_an_axis_is_refused);
          RUN(emitted_nodes_keep_their_place); RUN(every_allocation_of_branches_and_loops_may_fail);)
