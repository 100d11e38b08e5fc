/*
 * Trains a small dense network from C alone: no Lua anywhere.
 *
 * Builds one core's step as a graph (forward, loss, gradients, all-reduce, Adam), replicates it over eight
 * cores, compiles it and runs it over batches of a dataset. Prints the loss of each epoch and the accuracy on
 * data that was not trained on. The data is made here: points of a spiral with three arms.
 *
 *     cc train.c $(pkg-config --cflags --libs moonpod) -lm && ./a.out
 */

#include <math.h>
#include <moonpod.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 3072, TEST_ROWS = 768, BATCH = 256, CORES = 8, HIDDEN = 64, CLASSES = 3, EPOCHS = 40 };
enum { WEIGHTS = 4, SLOTS = 3 * WEIGHTS }; /* each weight has itself and Adam's two averages */

static void fail(const char *what, const pod_error *error)
{
    fprintf(stderr, "%s: %s (%s)\n", what, error->message, pod_status_name(error->status));
    exit(1);
}

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        pod_error error;                                                                                               \
        if ((call) != POD_OK)                                                                                          \
            fail(#call, &error);                                                                                       \
    } while (0)

/* A number from 0 to 1, the same on every machine. */
static double next_random(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

static pod_shape shape2(int64_t rows, int64_t columns)
{
    return (pod_shape){2, {rows, columns}};
}

/* Points (x, y) of `rows` rows and the arm, 0 to 2, that each is on. */
static void make_spiral(pod_buffer *points, pod_buffer *arms)
{
    float *xy = pod_buffer_data(points);
    int32_t *arm = pod_buffer_data(arms);
    const int64_t rows = pod_buffer_shape(points)->dims[0];
    for (int64_t i = 0; i < rows; i++) {
        arm[i] = (int32_t)(i % CLASSES);
        const double radius = next_random();
        const double angle = 4 * radius + arm[i] * 2.0943951 + 0.1 * (next_random() - 0.5);
        xy[2 * i] = (float)(radius * cos(angle));
        xy[2 * i + 1] = (float)(radius * sin(angle));
    }
}

/* The network: two dense layers. `weights` are kernel and bias of each. */
static pod_node *forward(pod_graph *graph, pod_node *x, pod_node *const weights[WEIGHTS])
{
    pod_node *hidden = pod_graph_add(graph, pod_graph_matmul(graph, x, weights[0]), weights[1]);
    hidden = pod_graph_tanh(graph, hidden);
    return pod_graph_add(graph, pod_graph_matmul(graph, hidden, weights[2]), weights[3]);
}

static const pod_shape weight_shapes[WEIGHTS] = {
    {2, {2, HIDDEN}}, {1, {HIDDEN}}, {2, {HIDDEN, CLASSES}}, {1, {CLASSES}}};

/* One core's step. Parameters: weights and their averages, the step number, then the shard of the batch. Outputs: the
 * new values of the first, and the loss. */
static pod_graph *build_step(pod_context *context)
{
    const int64_t rows = BATCH / CORES;
    const pod_shape scalar = {0, {0}}, points = shape2(rows, 2), labels = {1, {rows}};
    pod_graph *graph;
    TRY(pod_graph_new(context, "step", &graph, &error));

    pod_node *state[SLOTS], *weights[WEIGHTS], *gradients[WEIGHTS];
    for (int i = 0; i < SLOTS; i++)
        state[i] = pod_graph_parameter(graph, POD_F32, &weight_shapes[i % WEIGHTS], "state");
    pod_node *step = pod_graph_parameter(graph, POD_F32, &scalar, "step");
    pod_node *x = pod_graph_parameter(graph, POD_F32, &points, "points");
    pod_node *y = pod_graph_parameter(graph, POD_S32, &labels, "arms");
    for (int i = 0; i < WEIGHTS; i++)
        weights[i] = state[i];

    /* Each core sums the losses of its rows and divides by the rows of all: the parts add up to the mean. */
    pod_node *logits = forward(graph, x, weights);
    pod_node *losses = pod_graph_composite(graph, "sparse_softmax_cross_entropy", (pod_node *[]){logits, y}, 2, NULL);
    pod_node *loss = pod_graph_divide(graph, pod_graph_reduce(graph, "reduce_sum", losses, NULL, false),
                                      pod_graph_scalar(graph, POD_F32, BATCH, NULL));
    TRY(pod_graph_gradient(graph, loss, NULL, weights, WEIGHTS, gradients, &error));

    /* alpha = rate * sqrt(1 - b2^t) / (1 - b1^t) */
    pod_node *one = pod_graph_scalar(graph, POD_F32, 1, NULL);
    pod_node *t = pod_graph_add(graph, step, one);
    pod_node *b1 = pod_graph_power(graph, pod_graph_scalar(graph, POD_F32, 0.9, NULL), t);
    pod_node *b2 = pod_graph_power(graph, pod_graph_scalar(graph, POD_F32, 0.999, NULL), t);
    pod_node *alpha = pod_graph_divide(graph, pod_graph_sqrt(graph, pod_graph_subtract(graph, one, b2)),
                                       pod_graph_subtract(graph, one, b1));
    alpha = pod_graph_multiply(graph, alpha, pod_graph_scalar(graph, POD_F32, 0.01, NULL));

    const pod_attributes sum = {.reduction = POD_REDUCE_SUM};
    const pod_op all_reduce = pod_op_from_name("all_reduce");
    const pod_attributes adam = {.values = {0.9, 0.999, 1e-7}};
    pod_node *updated[SLOTS];
    for (int i = 0; i < WEIGHTS; i++) {
        pod_node *total = pod_graph_apply(graph, all_reduce, &gradients[i], 1, &sum, NULL, 0);
        pod_node *all = pod_graph_composite(
            graph, "adam", (pod_node *[]){state[i], state[WEIGHTS + i], state[2 * WEIGHTS + i], total, alpha}, 5,
            &adam);
        for (int j = 0; j < 3; j++)
            updated[j * WEIGHTS + i] = pod_graph_result(graph, all, (size_t)j);
    }
    for (size_t i = 0; i < SLOTS; i++) {
        pod_graph_add_output(graph, updated[i]);
        pod_graph_set_alias(graph, i, i);
    }
    pod_graph_add_output(graph, t);
    pod_graph_set_alias(graph, SLOTS, SLOTS);
    pod_graph_add_output(graph, pod_graph_apply(graph, all_reduce, &loss, 1, &sum, NULL, 0));
    TRY(pod_graph_check(graph, &error));
    return graph;
}

/* The step of all cores, compiled. */
static pod_program *compile_step(pod_context *context)
{
    enum { PARAMETERS = SLOTS + 3, OUTPUTS = SLOTS + 2 };
    pod_placement parameters[PARAMETERS] = {POD_MIRRORED}, outputs[OUTPUTS] = {POD_MIRRORED};
    parameters[SLOTS + 1] = parameters[SLOTS + 2] = POD_SPLIT;
    const pod_replicate_options options = {CORES, parameters, outputs, BATCH};
    pod_graph *core = build_step(context), *all;
    pod_program *program;
    TRY(pod_graph_replicate(core, &options, &all, &error));
    TRY(pod_program_compile(context, all, NULL, &program, &error));
    pod_graph_free(core);
    pod_graph_free(all);
    return program;
}

static double accuracy(pod_context *context, pod_buffer *const state[], pod_buffer *points, pod_buffer *arms)
{
    pod_graph *graph;
    pod_program *program;
    pod_node *weights[WEIGHTS];
    pod_buffer *arguments[WEIGHTS + 1], *results[1];
    TRY(pod_graph_new(context, "predict", &graph, &error));
    for (int i = 0; i < WEIGHTS; i++) {
        weights[i] = pod_graph_parameter(graph, POD_F32, &weight_shapes[i], "weight");
        arguments[i] = state[i];
    }
    pod_node *x = pod_graph_parameter(graph, POD_F32, pod_buffer_shape(points), "points");
    arguments[WEIGHTS] = points;
    pod_node *logits = forward(graph, x, weights);
    const pod_attributes last = {.axis = 1};
    pod_graph_add_output(graph, pod_graph_apply(graph, pod_op_from_name("argmax"), &logits, 1, &last, NULL, 0));
    TRY(pod_program_compile(context, graph, NULL, &program, &error));
    TRY(pod_program_run(program, arguments, results, NULL, NULL, &error));
    const int32_t *guess = pod_buffer_data(results[0]), *truth = pod_buffer_data(arms);
    int64_t right = 0, rows = pod_buffer_shape(arms)->dims[0];
    for (int64_t i = 0; i < rows; i++)
        right += guess[i] == truth[i];
    pod_buffer_release(results[0]);
    pod_program_free(program);
    pod_graph_free(graph);
    return (double)right / (double)rows;
}

int main(void)
{
    pod_context *context;
    TRY(pod_context_new(NULL, &context, &error));
    printf("moonpod %d, kernels for %s, %d threads, %d cores\n", pod_version(), pod_context_isa(context),
           pod_context_threads(context), (int)CORES);

    pod_buffer *data[2], *test[2];
    TRY(pod_buffer_new(context, POD_F32, &(pod_shape){2, {ROWS, 2}}, &data[0], &error));
    TRY(pod_buffer_new(context, POD_S32, &(pod_shape){1, {ROWS}}, &data[1], &error));
    TRY(pod_buffer_new(context, POD_F32, &(pod_shape){2, {TEST_ROWS, 2}}, &test[0], &error));
    TRY(pod_buffer_new(context, POD_S32, &(pod_shape){1, {TEST_ROWS}}, &test[1], &error));
    make_spiral(data[0], data[1]);
    make_spiral(test[0], test[1]);

    pod_dataset *rows, *mixed, *batches;
    pod_dataset_iterator *iterator;
    TRY(pod_dataset_from_slices(context, data, 2, &rows, &error));
    TRY(pod_dataset_shuffle(rows, &(pod_shuffle_options){.buffer_size = ROWS, .seed = 1}, &mixed, &error));
    TRY(pod_dataset_batch(mixed, &(pod_batch_options){.size = BATCH, .drop_remainder = true}, &batches, &error));
    TRY(pod_dataset_iterator_open(batches, NULL, &iterator, &error));
    const pod_infeed infeed = pod_dataset_iterator_infeed(iterator);

    /* Weights uniform in +-sqrt(6 / (inputs + outputs)), the rest zero. */
    pod_buffer *arguments[SLOTS + 3] = {NULL}, *results[SLOTS + 2];
    for (int i = 0; i < SLOTS; i++) {
        const pod_shape *shape = &weight_shapes[i % WEIGHTS];
        TRY(pod_buffer_new(context, POD_F32, shape, &arguments[i], &error));
        float *values = pod_buffer_data(arguments[i]);
        if (i < WEIGHTS && shape->rank == 2)
            for (int64_t j = 0; j < pod_shape_elements(shape); j++)
                values[j] = (float)((2 * next_random() - 1) * sqrt(6.0 / (double)(shape->dims[0] + shape->dims[1])));
    }
    TRY(pod_buffer_new(context, POD_F32, &(pod_shape){0, {0}}, &arguments[SLOTS], &error));

    pod_program *program = compile_step(context);
    for (int epoch = 1; epoch <= EPOCHS; epoch++) {
        const pod_run_options options = {
            .steps = ROWS / BATCH, .infeed = &infeed, .infeed_first = SLOTS + 1, .infeed_count = 2};
        pod_run_report report;
        TRY(pod_program_run(program, arguments, results, &options, &report, &error));
        if (epoch % 10 == 0)
            printf("epoch %d: %d steps, loss %.4f\n", epoch, (int)report.steps,
                   (double)*(float *)pod_buffer_data(results[SLOTS + 1]));
        pod_buffer_release(results[SLOTS + 1]);
        TRY(pod_dataset_iterator_rewind(iterator, &error));
    }
    const double right = accuracy(context, arguments, test[0], test[1]);
    printf("test accuracy %.4f\n", right);

    pod_program_free(program);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(batches);
    pod_dataset_release(mixed);
    pod_dataset_release(rows);
    for (int i = 0; i <= SLOTS; i++)
        pod_buffer_release(arguments[i]);
    for (int i = 0; i < 2; i++) {
        pod_buffer_release(data[i]);
        pod_buffer_release(test[i]);
    }
    pod_context_release(context);
    return right > 0.95 ? 0 : 1;
}
