/*
 * bench_step - milliseconds of whole training steps, compiled from graphs as a model would make them:
 * a dense network with relu, softmax cross-entropy and Adam, on one batch that is given once.
 *
 *     ninja -C build/release bench_step && build/release/tests/bench_step [w1|w2] [bf16|f32] [threads]
 *                                                                     [seconds] [print]
 *
 * Prints the median over runs of 20 steps each, of the wall clock and of the CPU time of all threads
 * (which other programs disturb less; it counts spinning, too); "print" shows the program.
 */

#include "moonpod.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH  1024
#define LAYERS 3
#define STEPS  20

static pod_error error;

#define MUST(call)                                                                                 \
    do {                                                                                           \
        if ((call) != POD_OK) {                                                                    \
            fprintf(stderr, "%s: %s\n", #call, error.message);                                     \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static double read_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

typedef struct step {
    pod_graph *graph;
    pod_node *parameters[64];
    size_t count;
} step;

static pod_node *parameter(step *s, pod_dtype dtype, int32_t rank, int64_t first, int64_t second,
                           const char *name)
{
    pod_shape shape = {rank, {first, second}};
    s->parameters[s->count] = pod_graph_parameter(s->graph, dtype, &shape, name);
    return s->parameters[s->count++];
}

/* x * w + b in the type of the policy, with the sums in that type. */
static pod_node *dense(step *s, pod_node *x, pod_node *w, pod_node *b, pod_dtype compute)
{
    pod_graph *g = s->graph;
    pod_node *product = pod_graph_matmul(g, pod_graph_convert(g, x, compute),
                                         pod_graph_convert(g, w, compute));
    return pod_graph_add(g, product, pod_graph_convert(g, b, compute));
}

/* lr * sqrt(1 - b2^t) / (1 - b1^t) */
static pod_node *adam_rate(pod_graph *g, pod_node *t)
{
    pod_node *one = pod_graph_scalar(g, POD_F32, 1, NULL);
    pod_node *b1 = pod_graph_power(g, pod_graph_scalar(g, POD_F32, 0.9, NULL), t);
    pod_node *b2 = pod_graph_power(g, pod_graph_scalar(g, POD_F32, 0.999, NULL), t);
    pod_node *top = pod_graph_sqrt(g, pod_graph_subtract(g, one, b2));
    return pod_graph_multiply(g, pod_graph_scalar(g, POD_F32, 1e-3, NULL),
                              pod_graph_divide(g, top, pod_graph_subtract(g, one, b1)));
}

static void update(step *s, size_t index, pod_node *value, size_t *output)
{
    pod_graph_add_output(s->graph, value);
    pod_graph_set_alias(s->graph, (*output)++, index);
}

/* The training step of a network of `layers` dense layers. */
static step make_step(pod_context *context, const int64_t *sizes, int layers, pod_dtype compute)
{
    step s = {0};
    MUST(pod_graph_new(context, "step", &s.graph, &error));
    pod_graph *g = s.graph;
    pod_node *x = parameter(&s, POD_F32, 2, BATCH, sizes[0], "x");
    pod_node *y = parameter(&s, POD_S32, 1, BATCH, 0, "y");
    pod_node *t = parameter(&s, POD_F32, 0, 0, 0, "t");
    pod_node *weights[LAYERS * 2], *gradients[LAYERS * 2];
    size_t first = s.count;
    for (int i = 0; i < layers; i++) {
        weights[2 * i] = parameter(&s, POD_F32, 2, sizes[i], sizes[i + 1], "w");
        weights[2 * i + 1] = parameter(&s, POD_F32, 1, sizes[i + 1], 0, "b");
    }
    for (int i = 0; i < layers; i++) {
        x = dense(&s, x, weights[2 * i], weights[2 * i + 1], compute);
        if (i + 1 < layers)
            x = pod_graph_composite(g, "relu", &x, 1, NULL);
    }
    pod_node *pair[2] = {x, y};
    pod_node *losses = pod_graph_composite(g, "sparse_softmax_cross_entropy", pair, 2, NULL);
    pod_node *loss = pod_graph_mean(g, losses, NULL, false);
    MUST(pod_graph_check(g, &error));
    MUST(pod_graph_gradient(g, loss, NULL, weights, (size_t)layers * 2, gradients, &error));
    pod_graph_add_output(g, loss);
    size_t output = 1;
    t = pod_graph_add(g, t, pod_graph_scalar(g, POD_F32, 1, NULL));
    update(&s, 2, t, &output);
    pod_node *rate = adam_rate(g, t);
    for (int i = 0; i < layers * 2; i++) {
        const pod_shape *shape = pod_node_shape(weights[i], 0);
        size_t slots = s.count;
        pod_node *m = parameter(&s, POD_F32, shape->rank, shape->dims[0], shape->dims[1], "m");
        pod_node *v = parameter(&s, POD_F32, shape->rank, shape->dims[0], shape->dims[1], "v");
        pod_node *inputs[5] = {weights[i], m, v, gradients[i], rate};
        pod_attributes attributes = {.values = {0.9, 0.999, 1e-7}};
        pod_node *adam = pod_graph_composite(g, "adam", inputs, 5, &attributes);
        update(&s, first + (size_t)i, pod_graph_result(g, adam, 0), &output);
        update(&s, slots, pod_graph_result(g, adam, 1), &output);
        update(&s, slots + 1, pod_graph_result(g, adam, 2), &output);
    }
    MUST(pod_graph_check(g, &error));
    return s;
}

static void fill_argument(pod_buffer *buffer, size_t index)
{
    int64_t count = pod_shape_elements(pod_buffer_shape(buffer));
    uint32_t state = (uint32_t)index * 77 + 1;
    double scale = index == 0 ? 1.0 : sqrt(3.0 / (double)pod_buffer_shape(buffer)->dims[0]);
    for (int64_t i = 0; i < count; i++) {
        state = state * 1664525 + 1013904223;
        double u = (double)(state >> 8) / 16777216.0;
        if (pod_buffer_dtype(buffer) == POD_S32)
            ((int32_t *)pod_buffer_data(buffer))[i] = (int32_t)(u * 10);
        else
            ((float *)pod_buffer_data(buffer))[i] = (float)(index == 0 ? u : scale * (2 * u - 1));
    }
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
    static const int64_t w1[] = {784, 128, 10}, w2[] = {784, 1024, 1024, 10};
    bool large = argc > 1 && strcmp(argv[1], "w2") == 0;
    pod_dtype compute = argc > 2 && strcmp(argv[2], "f32") == 0 ? POD_F32 : POD_BF16;
    pod_context_options options = {.threads = argc > 3 ? atoi(argv[3]) : 2};
    double seconds = argc > 4 ? atof(argv[4]) : 2;
    pod_context *context;
    pod_program *program;
    MUST(pod_context_new(&options, &context, &error));
    step s = make_step(context, large ? w2 : w1, large ? 3 : 2, compute);
    MUST(pod_program_compile(context, s.graph, NULL, &program, &error));
    if (argc > 5) {
        char *text = pod_program_print(program);
        printf("%s", text);
        pod_text_free(context, text);
    }
    pod_buffer *arguments[64], *results[64];
    for (size_t i = 0; i < s.count; i++) {
        const char *name = i < 3 ? "" : "w";
        MUST(pod_buffer_new(context, pod_node_dtype(s.parameters[i], 0),
                            pod_node_shape(s.parameters[i], 0), &arguments[i], &error));
        if (i < 2 || (*name && i < (large ? 9 : 7)))
            fill_argument(arguments[i], i);
    }
    static double times[100000], cpu_times[100000];
    int count = 0;
    float loss = 0;
    pod_run_options how = {.steps = STEPS};
    for (double end = now() + seconds; now() < end && count < 100000;) {
        double start = now(), cpu_start = read_clock(CLOCK_PROCESS_CPUTIME_ID);
        MUST(pod_program_run(program, arguments, results, &how, NULL, &error));
        cpu_times[count] = (read_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu_start) * 1e3 / STEPS;
        times[count++] = (now() - start) * 1e3 / STEPS;
        loss = *(float *)pod_buffer_data(results[0]);
        for (size_t i = 0; i < pod_graph_output_count(s.graph); i++)
            pod_buffer_release(results[i]);
    }
    qsort(times, (size_t)count, sizeof *times, compare_doubles);
    qsort(cpu_times, (size_t)count, sizeof *cpu_times, compare_doubles);
    printf("%s %s, %d threads, %s: step_ms median %.3f, best %.3f; cpu_ms median %.3f, best %.3f; loss %g after %d steps; "
           "compiled in %.1f ms\n",
           large ? "w2" : "w1", compute == POD_F32 ? "f32" : "bf16", options.threads,
           pod_context_isa(context), times[count / 2], times[0],
           cpu_times[count / 2], cpu_times[0], (double)loss,
           count * STEPS, pod_program_get_stats(program).compile_seconds * 1e3);
    for (size_t i = 0; i < s.count; i++)
        pod_buffer_release(arguments[i]);
    pod_program_free(program);
    pod_graph_free(s.graph);
    pod_context_release(context);
    return 0;
}
