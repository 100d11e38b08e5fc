/* Models with their gradients: one graph for any number of even shards, one result for any number.
 */

#include "moonpod/program.h"
#include "moonpod/replicate.h"
#include "replica_cases.h"
#include "thread_wire.h"

#define BATCH       12
#define MAX_WEIGHTS 8

/* A model in the making. Weights come first, then the batch's parameters. */
typedef struct model {
    pod_graph *graph;
    int64_t rows;
    pod_node *weights[MAX_WEIGHTS];
    uint32_t weight_count;
    bool looks_at_replicas; /* its graph may differ with their number */
    bool blurs_single_rows; /* with one row a replica its graph differs: a reshape between sizes of
                             * 1 does not tell which of them are the rows */
} model;

/* Returns one loss an example. */
typedef pod_node *model_builder(model *m);

static pod_node *weight(model *m, const pod_shape *shape)
{
    pod_node *w = pod_graph_parameter(m->graph, POD_F32, shape, "w");
    m->weights[m->weight_count++] = w;
    return w;
}

static pod_node *batch(model *m, pod_dtype dtype, const pod_shape *rest)
{
    pod_shape shape = {.rank = rest->rank + 1, .dims = {m->rows}};
    memcpy(shape.dims + 1, rest->dims, (size_t)rest->rank * sizeof(int64_t));
    return pod_graph_parameter(m->graph, dtype, &shape, "x");
}

static pod_node *op(model *m, pod_op op, pod_node *a, pod_node *b, const pod_attributes *attributes)
{
    pod_node *inputs[2] = {a, b};
    return pod_graph_apply(m->graph, op, inputs, b != NULL ? 2 : 1, attributes, NULL, 0);
}

static pod_node *all_sum(model *m, pod_node *x)
{
    return op(m, POD_OP_ALL_REDUCE, x, NULL, &(pod_attributes){.reduction = POD_REDUCE_SUM});
}

static pod_node *composite(model *m, const char *name, pod_node *a, pod_node *b, pod_node *c)
{
    pod_node *inputs[3] = {a, b, c};
    return pod_graph_composite(m->graph, name, inputs,
                               c   ? 3
                               : b ? 2
                                   : 1,
                               &(pod_attributes){.axis = -1, .values = {1e-3}});
}

/* The rows of the whole batch: true ones. */
static pod_node *global_count(model *m, pod_node *x)
{
    pod_node *size = op(m, POD_OP_DIMENSION_SIZE, x, NULL, &(pod_attributes){.axis = 0});
    return all_sum(m, pod_graph_convert(m->graph, size, POD_F32));
}

/* ---- models ---- */

/* Two of four weights are of 4.8 MB. */
static pod_node *wide_layers(model *m)
{
    pod_graph *g = m->graph;
    pod_node *weights[] = {weight(m, SHAPE(4, 1100)), weight(m, SHAPE(1100, 1100)), weight(m, SHAPE(1100, 1100)),
                           weight(m, SHAPE(1100, 3))};
    pod_node *x = batch(m, POD_F32, SHAPE(4)), *labels = batch(m, POD_S32, SCALAR);
    for (int i = 0; i < 4; i++) {
        x = pod_graph_matmul(g, x, weights[i]);
        x = pod_graph_multiply(g, pod_graph_tanh(g, x), pod_graph_scalar(g, POD_F32, 0.03, NULL));
    }
    return composite(m, "sparse_softmax_cross_entropy", x, labels, NULL);
}

static pod_node *convolutional(model *m)
{
    pod_graph *g = m->graph;
    pod_node *kernel = weight(m, SHAPE(2, 2, 1, 3));
    pod_node *w = weight(m, SHAPE(12, 3)), *bias = weight(m, SHAPE(3));
    pod_node *x = batch(m, POD_F32, SHAPE(5, 5, 1)), *labels = batch(m, POD_S32, SCALAR);
    pod_window window = {.rank = 2, .size = {2, 2}};
    x = op(m, POD_OP_CONVOLUTION, x, kernel, &(pod_attributes){.window = window});
    x = composite(m, "relu", pod_graph_add(g, x, bias), NULL, NULL);
    window.stride[0] = window.stride[1] = 2;
    x = op(m, POD_OP_POOL_MAX, x, NULL, &(pod_attributes){.window = window});
    x = pod_graph_matmul(g, pod_graph_reshape(g, x, SHAPE(m->rows, 12)), w);
    return composite(m, "sparse_softmax_cross_entropy", x, labels, NULL);
}

static pod_node *heads(model *m, pod_node *x)
{
    static const pod_axes swap = {4, {0, 2, 1, 3}};
    x = pod_graph_reshape(m->graph, x, SHAPE(m->rows, 3, 2, 2));
    return pod_graph_transpose(m->graph, x, &swap);
}

static pod_node *transformer(model *m)
{
    static const pod_axes swap = {4, {0, 2, 1, 3}};
    pod_graph *g = m->graph;
    pod_node *table = weight(m, SHAPE(3, 4)), *gamma = weight(m, SHAPE(4));
    pod_node *beta = weight(m, SHAPE(4)), *w = weight(m, SHAPE(4, 4));
    pod_node *tokens = batch(m, POD_S32, SHAPE(3)), *targets = batch(m, POD_F32, SHAPE(3, 4));
    pod_node *x = op(m, POD_OP_GATHER, table, tokens, &(pod_attributes){0});
    x = composite(m, "layer_normalization", x, gamma, beta);
    pod_node *q = heads(m, pod_graph_matmul(g, x, w)), *k = heads(m, x);
    pod_node *mixed = pod_graph_composite(g, "attention", (pod_node *[]){q, k, k}, 3, &(pod_attributes){.flag = true});
    mixed = pod_graph_reshape(g, pod_graph_transpose(g, mixed, &swap), SHAPE(m->rows, 3, 4));
    pod_node *error = pod_graph_subtract(g, pod_graph_add(g, x, mixed), targets);
    return pod_graph_mean(g, pod_graph_multiply(g, error, error), &(pod_axes){2, {1, 2}}, false);
}

static pod_node *with_dropout(model *m)
{
    pod_graph *g = m->graph;
    pod_node *h = NULL;
    pod_node *w = weight(m, SHAPE(4, 6)), *v = weight(m, SHAPE(6, 3));
    pod_node *state = pod_graph_constant(g, POD_U64, SHAPE(2), (uint64_t[]){5, 1});
    pod_node *x = batch(m, POD_F32, SHAPE(4)), *labels = batch(m, POD_S32, SCALAR);
    h = pod_graph_tanh(g, pod_graph_matmul(g, x, w));
    h = pod_graph_composite(g, "dropout", (pod_node *[]){h, state}, 2, &(pod_attributes){.values = {0.4}, .seed = 3});
    return composite(m, "sparse_softmax_cross_entropy", pod_graph_matmul(g, h, v), labels, NULL);
}

/* Batch normalisation over all replicas. */
static pod_node *synchronized(model *m)
{
    pod_graph *g = m->graph;
    pod_node *w = weight(m, SHAPE(4, 3)), *gamma = weight(m, SHAPE(3));
    pod_node *x = batch(m, POD_F32, SHAPE(4)), *labels = batch(m, POD_S32, SCALAR);
    static const pod_axes rows = {1, {0}};
    pod_node *count = global_count(m, x);
    x = pod_graph_matmul(g, x, w);
    pod_node *mean = pod_graph_divide(g, all_sum(m, pod_graph_reduce(g, "reduce_sum", x, &rows, false)), count);
    x = pod_graph_subtract(g, x, mean);
    pod_node *square = pod_graph_multiply(g, x, x);
    pod_node *variance =
        pod_graph_divide(g, all_sum(m, pod_graph_reduce(g, "reduce_sum", square, &rows, false)), count);
    variance = pod_graph_add(g, variance, pod_graph_scalar(g, POD_F32, 1e-3, NULL));
    x = pod_graph_multiply(g, pod_graph_multiply(g, x, pod_graph_rsqrt(g, variance)), gamma);
    return composite(m, "sparse_softmax_cross_entropy", x, labels, NULL);
}

/* A recurrent network of three unrolled steps, in bfloat16. */
static pod_node *mixed_precision(model *m)
{
    pod_graph *g = m->graph;
    pod_node *w = pod_graph_convert(g, weight(m, SHAPE(4, 4)), POD_BF16);
    pod_node *v = pod_graph_convert(g, weight(m, SHAPE(4, 3)), POD_BF16);
    pod_node *x = pod_graph_convert(g, batch(m, POD_F32, SHAPE(3, 4)), POD_BF16);
    pod_node *labels = batch(m, POD_S32, SCALAR);
    pod_node *h = pod_graph_scalar(g, POD_BF16, 0, SHAPE(m->rows, 4));
    for (int64_t t = 0; t < 3; t++) {
        pod_attributes cut = {.low = {0, t}, .high = {m->rows, t + 1, 4}, .step = {1, 1, 1}};
        pod_node *xt = pod_graph_reshape(g, op(m, POD_OP_SLICE, x, NULL, &cut), SHAPE(m->rows, 4));
        h = pod_graph_tanh(g, pod_graph_add(g, xt, pod_graph_matmul(g, h, w)));
    }
    return composite(m, "sparse_softmax_cross_entropy", pod_graph_matmul(g, h, v), labels, NULL);
}

/* Batch normalisation within each replica. */
static pod_node *normalized_apart(model *m)
{
    pod_graph *g = m->graph;
    pod_node *w = weight(m, SHAPE(4, 3));
    pod_node *x = batch(m, POD_F32, SHAPE(4)), *labels = batch(m, POD_S32, SCALAR);
    static const pod_axes rows = {1, {0}};
    m->looks_at_replicas = true;
    x = pod_graph_matmul(g, x, w);
    x = pod_graph_subtract(g, x, pod_graph_mean(g, x, &rows, true));
    pod_node *variance = pod_graph_mean(g, pod_graph_multiply(g, x, x), &rows, true);
    variance = pod_graph_add(g, variance, pod_graph_scalar(g, POD_F32, 1e-1, NULL));
    x = pod_graph_multiply(g, x, pod_graph_rsqrt(g, variance));
    return composite(m, "sparse_softmax_cross_entropy", x, labels, NULL);
}

/* while (t < 3) { h = tanh(x[:, t] + h w + b); t++ } with a known bound, so that it has a gradient.
 */
static pod_node *recurrent(model *m)
{
    pod_graph *g = m->graph, *regions[2];
    pod_node *w = weight(m, SHAPE(2, 2)), *b = weight(m, SHAPE(2));
    pod_node *x = batch(m, POD_F32, SHAPE(3, 2)), *labels = batch(m, POD_S32, SCALAR);
    pod_error error;
    m->blurs_single_rows = true;
    for (int k = 0; k < 2; k++) {
        ASSERT_OK(pod_graph_new(g->context, "loop", &regions[k], &error));
        pod_graph *r = regions[k];
        pod_node *t = pod_graph_parameter(r, POD_S32, SCALAR, "t");
        pod_node *h = pod_graph_parameter(r, POD_F32, SHAPE(m->rows, 2), "h");
        pod_node *xs = pod_graph_parameter(r, POD_F32, SHAPE(m->rows, 3, 2), "x");
        pod_node *ws = pod_graph_parameter(r, POD_F32, SHAPE(2, 2), "w");
        pod_node *bs = pod_graph_parameter(r, POD_F32, SHAPE(2), "b");
        if (k == 0) {
            pod_graph_add_output(r, pod_graph_compare(r, POD_COMPARE_LT, t, pod_graph_scalar(r, POD_S32, 3, NULL)));
            continue;
        }
        pod_node *zero = pod_graph_scalar(r, POD_S32, 0, NULL);
        pod_attributes sizes = {.shape = *SHAPE(m->rows, 1, 2)};
        pod_node *xt = pod_graph_apply(r, POD_OP_DYNAMIC_SLICE, (pod_node *[]){xs, zero, t, zero}, 4, &sizes, NULL, 0);
        xt = pod_graph_add(r, pod_graph_reshape(r, xt, SHAPE(m->rows, 2)), bs);
        pod_graph_add_output(r, pod_graph_add(r, t, pod_graph_scalar(r, POD_S32, 1, NULL)));
        pod_graph_add_output(r, pod_graph_tanh(r, pod_graph_add(r, xt, pod_graph_matmul(r, h, ws))));
        pod_graph_add_output(r, xs);
        pod_graph_add_output(r, ws);
        pod_graph_add_output(r, bs);
    }
    pod_node *inputs[5] = {pod_graph_scalar(g, POD_S32, 0, NULL), pod_graph_scalar(g, POD_F32, 0, SHAPE(m->rows, 2)), x,
                           w, b};
    pod_node *loop = pod_graph_apply(g, POD_OP_WHILE, inputs, 5, &(pod_attributes){.count = 3}, regions, 2);
    pod_node *h = pod_graph_result(g, loop, 1);
    return composite(m, "sparse_softmax_cross_entropy", h,
                     pod_graph_minimum(g, labels, pod_graph_scalar(g, POD_S32, 1, NULL)), NULL);
}

static pod_node *two_layers(model *m)
{
    pod_node *w = weight(m, SHAPE(4, 5));
    pod_node *v = weight(m, SHAPE(5, 3)), *b = weight(m, SHAPE(3));
    pod_node *x = batch(m, POD_F32, SHAPE(4)), *labels = batch(m, POD_S32, SCALAR);
    x = composite(m, "gelu", pod_graph_matmul(m->graph, x, w), NULL, NULL);
    x = pod_graph_add(m->graph, pod_graph_matmul(m->graph, x, v), b);
    return composite(m, "sparse_softmax_cross_entropy", x, labels, NULL);
}

/* ---- a step ---- */

/* Outputs: the loss and the gradient of every weight, over the whole batch. */
static void build_step(pod_context *context, model_builder *build, int64_t rows, model *m)
{
    pod_error error;
    pod_node *gradients[MAX_WEIGHTS];
    *m = (model){.rows = rows};
    ASSERT_OK(pod_graph_new(context, "step", &m->graph, &error));
    pod_graph *g = m->graph;
    pod_node *losses = build(m);
    ASSERT_OK(pod_graph_check(g, &error));
    pod_node *loss =
        pod_graph_divide(g, pod_graph_reduce(g, "reduce_sum", losses, NULL, false), global_count(m, losses));
    ASSERT_OK(pod_graph_gradient(g, loss, NULL, m->weights, m->weight_count, gradients, &error));
    pod_graph_add_output(g, all_sum(m, loss));
    for (uint32_t i = 0; i < m->weight_count; i++)
        pod_graph_add_output(g, all_sum(m, gradients[i]));
    ASSERT_OK(pod_graph_check(g, &error));
}

static pod_graph *replicated_on(pod_context *context, model_builder *build, int64_t replicas, int32_t ranks,
                                int32_t rank, model *m)
{
    pod_error error;
    pod_graph *result;
    pod_placement parameters[MAX_WEIGHTS + 4], outputs[MAX_WEIGHTS + 1] = {0};
    build_step(context, build, (BATCH + replicas - 1) / replicas, m);
    for (uint32_t i = 0; i < m->graph->parameter_count; i++)
        parameters[i] = i < m->weight_count ? POD_MIRRORED : POD_SPLIT;
    pod_replicate_options options = {replicas, parameters, outputs, BATCH};
    ASSERT_OK(
        pod_graph_replicate_on_rank(m->graph, &options, &(pod_rank_share){ranks, rank, false}, NULL, &result, &error));
    ASSERT_OK(pod_graph_verify(result, &error));
    pod_graph_free(m->graph);
    return result;
}

static pod_graph *replicated(pod_context *context, model_builder *build, int64_t replicas, model *m)
{
    return replicated_on(context, build, replicas, 1, 0, m);
}

static void random_arguments(const pod_graph *graph, pod_buffer **arguments)
{
    uint64_t state = 11;
    for (uint32_t i = 0; i < graph->parameter_count; i++) {
        const pod_type *type = pod_node_type(graph->parameters[i]);
        bool labels = type->dtype == POD_S32;
        arguments[i] =
            random_buffer(graph->context, type->dtype, &type->shape, labels ? 0 : -1, labels ? 3 : 1, &state);
    }
}

static void run_step(const pod_graph *graph, pod_buffer **outputs)
{
    pod_error error;
    pod_buffer *arguments[MAX_WEIGHTS + 4];
    random_arguments(graph, arguments);
    ASSERT_OK(evaluate_buffers(graph, arguments, outputs, &error));
    for (uint32_t i = 0; i < graph->parameter_count; i++)
        pod_buffer_release(arguments[i]);
}

/* ---- over ranks ---- */

typedef struct ranked_step {
    pod_program *programs[MOST_RANKS];
    pod_buffer *arguments[MOST_RANKS][MAX_WEIGHTS + 4], *outputs[MOST_RANKS][MAX_WEIGHTS + 1];
    pod_error errors[MOST_RANKS];
    pod_status status[MOST_RANKS];
} ranked_step;

static void run_ranked(void *argument, int32_t rank, pod_ranks *ranks)
{
    ranked_step *step = argument;
    (void)ranks;
    step->status[rank] = pod_program_run(step->programs[rank], step->arguments[rank], step->outputs[rank],
                                         &(pod_run_options){.steps = 1}, NULL, &step->errors[rank]);
}

static void assert_close(const pod_buffer *a, const pod_buffer *b, const char *name, int64_t replicas,
                         double tolerance);

/* Ranks that share the replicas give what one process gives that has all of them, each the same bits. */
static void check_ranks(const char *name, model_builder *build, int64_t replicas, int32_t ranks,
                        pod_buffer *const *expected, double tolerance)
{
    pod_error error;
    pod_context *contexts[MOST_RANKS];
    ranked_step step;
    model m;
    memset(&step, 0, sizeof step);
    for (int32_t i = 0; i < ranks; i++) {
        contexts[i] = test_context(&(pod_context_options){.threads = 1});
        pod_graph *graph = replicated_on(contexts[i], build, replicas, ranks, i, &m);
        random_arguments(graph, step.arguments[i]);
        ASSERT_OK(pod_program_compile(contexts[i], graph, NULL, &step.programs[i], &error));
        pod_graph_free(graph);
    }
    run_ranks(contexts, ranks, run_ranked, &step);
    for (int32_t i = 0; i < ranks; i++) {
        if (step.status[i] != POD_OK)
            FAIL("%s: rank %d of %d: %s", name, i, ranks, step.errors[i].message);
        for (uint32_t k = 0; k <= m.weight_count; k++) {
            assert_close(expected[k], step.outputs[i][k], name, replicas, tolerance);
            ASSERT_EQ(0, memcmp(pod_buffer_data(step.outputs[0][k]), pod_buffer_data(step.outputs[i][k]),
                                pod_buffer_bytes(step.outputs[i][k])));
        }
    }
    for (int32_t i = 0; i < ranks; i++) {
        for (uint32_t k = 0; k <= m.weight_count; k++)
            pod_buffer_release(step.outputs[i][k]);
        for (size_t k = 0; k < MAX_WEIGHTS + 4; k++)
            pod_buffer_release(step.arguments[i][k]);
        pod_program_free(step.programs[i]);
        pod_context_release(contexts[i]);
    }
}

static void assert_close(const pod_buffer *a, const pod_buffer *b, const char *name, int64_t replicas, double tolerance)
{
    for (int64_t i = 0; i < pod_shape_elements(pod_buffer_shape(a)); i++) {
        double x = element_of(a, i), y = element_of(b, i);
        if (!(fabs(x - y) <= tolerance))
            FAIL("%s over %lld replicas: element %lld is %g, not %g", name, (long long)replicas, (long long)i, y, x);
    }
}

/* Any number of replicas gives the same graph when shards are even, and the same numbers always. */
static void check_model(const char *name, model_builder *build, double tolerance)
{
    static const int64_t replicas[] = {2, 3, 4, 5, 6, 7, 12, 20};
    pod_context *context = test_context(NULL);
    pod_buffer *expected[MAX_WEIGHTS + 1], *actual[MAX_WEIGHTS + 1];
    model m;
    pod_graph *one = replicated(context, build, 1, &m);
    run_step(one, expected);
    for (size_t i = 0; i < sizeof replicas / sizeof *replicas; i++) {
        pod_graph *many = replicated(context, build, replicas[i], &m);
        bool even = BATCH % replicas[i] == 0 && !(m.blurs_single_rows && BATCH == replicas[i]);
        if (even && !m.looks_at_replicas && pod_graph_hash(one) != pod_graph_hash(many))
            FAIL("%s over %lld replicas:\n%s\none:\n%s", name, (long long)replicas[i], pod_graph_print(many),
                 pod_graph_print(one));
        run_step(many, actual);
        for (int32_t ranks = 2; ranks <= 4; ranks++)
            if (replicas[i] % ranks == 0)
                check_ranks(name, build, replicas[i], ranks, actual, tolerance + 2e-6);
        for (uint32_t k = 0; k <= m.weight_count; k++) {
            if (!m.looks_at_replicas)
                assert_close(expected[k], actual[k], name, replicas[i], tolerance);
            ASSERT(isfinite(element_of(actual[k], 0)));
            pod_buffer_release(actual[k]);
        }
        pod_graph_free(many);
    }
    for (uint32_t k = 0; k <= m.weight_count; k++)
        pod_buffer_release(expected[k]);
    pod_graph_free(one);
    pod_context_release(context);
}

TEST(a_classifier_trains_alike_on_any_number_of_replicas)
{
    check_model("two layers", two_layers, 0);
}

/* So many gradients that they cross in several buckets, while those of the first layer are made. */
TEST(much_crosses_in_buckets)
{
    pod_context *context = test_context(NULL);
    pod_buffer *expected[MAX_WEIGHTS + 1];
    model m;
    pod_graph *graph = replicated(context, wide_layers, 4, &m);
    run_step(graph, expected);
    for (int32_t ranks = 2; ranks <= 4; ranks += 2)
        check_ranks("wide layers", wide_layers, 4, ranks, expected, 2e-6);
    for (uint32_t k = 0; k <= m.weight_count; k++)
        pod_buffer_release(expected[k]);
    pod_graph_free(graph);
    pod_context_release(context);
}

TEST(a_convolutional_network_trains_alike)
{
    check_model("convolutional", convolutional, 0);
}

TEST(embeddings_and_attention_train_alike)
{
    check_model("transformer", transformer, 0);
}

TEST(dropout_drops_the_same_on_any_number_of_replicas)
{
    check_model("dropout", with_dropout, 0);
}

TEST(synchronized_normalisation_trains_alike)
{
    check_model("synchronized", synchronized, 0);
}

TEST(mixed_precision_trains_alike)
{
    check_model("mixed precision", mixed_precision, 0);
}

TEST(a_loop_trains_alike)
{
    check_model("recurrent", recurrent, 1e-6);
}

TEST(normalisation_within_replicas_trains)
{
    check_model("normalized apart", normalized_apart, 0);
}

TEST_MAIN(RUN(a_classifier_trains_alike_on_any_number_of_replicas); RUN(a_convolutional_network_trains_alike);
          RUN(much_crosses_in_buckets); RUN(embeddings_and_attention_train_alike);
          RUN(dropout_drops_the_same_on_any_number_of_replicas); RUN(synchronized_normalisation_trains_alike);
          RUN(mixed_precision_trains_alike); RUN(a_loop_trains_alike); RUN(normalisation_within_replicas_trains);)
