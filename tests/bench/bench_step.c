/*
 * bench_step - milliseconds of whole training steps, compiled from graphs as a model would make them:
 * softmax cross-entropy and Adam, on one batch that is given once.
 *
 *     ninja -C build/release bench_step
 *     build/release/tests/bench_step [w1|w2|w3|w3s|w4] [bf16|f32] [threads] [seconds] [print]
 *
 *   w1, w2   784-128-10 and 784-1024-1024-10 with relu, batch 1024
 *   w3, w3s  two convolutions with pooling, 128, 10; batch 1024 and 128
 *   w4       a decoder of four layers, width 256, batch 32 of 128 characters
 *
 * Prints the median over runs of some steps each, of the wall clock and of the CPU time of all threads
 * (which other programs disturb less; it counts spinning, too); "print" shows the program.
 */

#include "moonpod.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH 1024

static pod_error error;

#define MUST(call)                                                                                                     \
    do {                                                                                                               \
        if ((call) != POD_OK) {                                                                                        \
            fprintf(stderr, "%s: %s\n", #call, error.message);                                                         \
            exit(1);                                                                                                   \
        }                                                                                                              \
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
    pod_node *parameters[400];
    size_t count;
    size_t weights; /* parameters up to here are filled; the others begin as zeros */
} step;

static pod_node *parameter(step *s, pod_dtype dtype, int32_t rank, int64_t first, int64_t second, const char *name)
{
    pod_shape shape = {rank, {first, second}};
    s->parameters[s->count] = pod_graph_parameter(s->graph, dtype, &shape, name);
    return s->parameters[s->count++];
}

/* x * w + b in the type of the policy, with the sums in that type. */
static pod_node *dense(step *s, pod_node *x, pod_node *w, pod_node *b, pod_dtype compute)
{
    pod_graph *g = s->graph;
    pod_node *product = pod_graph_matmul(g, pod_graph_convert(g, x, compute), pod_graph_convert(g, w, compute));
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

/* ---- models: each returns the loss; weights are parameters from `first` on ---------------------------- */

typedef struct model {
    step s;
    pod_dtype compute;
    pod_node *weights[128];
    int count;
} model;

static pod_node *weight(model *m, const pod_shape *shape)
{
    pod_node *w = pod_graph_parameter(m->s.graph, POD_F32, shape, "w");
    m->s.parameters[m->s.count++] = w;
    return m->weights[m->count++] = w;
}

#define SHAPE(...) (&(pod_shape){sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), {__VA_ARGS__}})

static pod_node *layer(model *m, pod_node *x, int64_t in, int64_t out)
{
    return dense(&m->s, x, weight(m, SHAPE(in, out)), weight(m, SHAPE(out)), m->compute);
}

static pod_node *composite(model *m, const char *name, pod_node *x)
{
    return pod_graph_composite(m->s.graph, name, &x, 1, NULL);
}

static pod_node *mean_loss(model *m, pod_node *logits, pod_node *labels)
{
    pod_node *pair[2] = {logits, labels};
    pod_node *losses = pod_graph_composite(m->s.graph, "sparse_softmax_cross_entropy", pair, 2, NULL);
    return pod_graph_mean(m->s.graph, losses, NULL, false);
}

/* 784 - 128 - 10, or 784 - 1024 - 1024 - 10 */
static pod_node *dense_model(model *m, bool large)
{
    pod_node *x = parameter(&m->s, POD_F32, 2, BATCH, 784, "x");
    pod_node *y = parameter(&m->s, POD_S32, 1, BATCH, 0, "y");
    int64_t width = large ? 1024 : 128;
    x = composite(m, "relu", layer(m, x, 784, width));
    if (large)
        x = composite(m, "relu", layer(m, x, width, width));
    return mean_loss(m, layer(m, x, width, 10), y);
}

static pod_node *convolve(model *m, pod_node *x, int64_t in, int64_t out)
{
    pod_graph *g = m->s.graph;
    pod_attributes same = {
        .window = {
            .rank = 2, .size = {3, 3}, .stride = {1, 1}, .pad_low = {1, 1}, .pad_high = {1, 1}, .dilation = {1, 1}}};
    pod_node *both[2] = {pod_graph_convert(g, x, m->compute),
                         pod_graph_convert(g, weight(m, SHAPE(3, 3, in, out)), m->compute)};
    x = pod_graph_apply(g, pod_op_from_name("convolution"), both, 2, &same, NULL, 0);
    x = pod_graph_add(g, x, pod_graph_convert(g, weight(m, SHAPE(out)), m->compute));
    x = composite(m, "relu", x);
    pod_attributes half = {.window = {.rank = 2, .size = {2, 2}, .stride = {2, 2}}};
    return pod_graph_apply(g, pod_op_from_name("pool_max"), &x, 1, &half, NULL, 0);
}

/* Two convolutions of 3 x 3 with pooling, then 128 - 10 */
static pod_node *image_model(model *m, bool large)
{
    int64_t batch = large ? BATCH : 128;
    m->s.parameters[m->s.count++] = pod_graph_parameter(m->s.graph, POD_F32, SHAPE(batch, 28, 28, 1), "x");
    pod_node *x = m->s.parameters[0], *y = parameter(&m->s, POD_S32, 1, batch, 0, "y");
    x = convolve(m, convolve(m, x, 1, 32), 32, 64);
    x = pod_graph_reshape(m->s.graph, x, SHAPE(batch, 3136));
    return mean_loss(m, layer(m, composite(m, "relu", layer(m, x, 3136, 128)), 128, 10), y);
}

static pod_node *normalize(model *m, pod_node *x)
{
    pod_node *inputs[3] = {x, weight(m, SHAPE(256)), weight(m, SHAPE(256))};
    return pod_graph_composite(m->s.graph, "layer_normalization", inputs, 3, &(pod_attributes){.values = {1e-5}});
}

static pod_node *heads(model *m, pod_node *x)
{
    x = pod_graph_reshape(m->s.graph, layer(m, x, 256, 256), SHAPE(32, 128, 4, 64));
    return pod_graph_transpose(m->s.graph, x, &(pod_axes){4, {0, 2, 1, 3}});
}

static pod_node *block(model *m, pod_node *x)
{
    pod_graph *g = m->s.graph;
    pod_node *h = normalize(m, x);
    pod_node *parts[3] = {heads(m, h), heads(m, h), heads(m, h)};
    h = pod_graph_composite(g, "attention", parts, 3, &(pod_attributes){.flag = true});
    h = pod_graph_transpose(g, h, &(pod_axes){4, {0, 2, 1, 3}});
    h = layer(m, pod_graph_reshape(g, h, SHAPE(32, 128, 256)), 256, 256);
    x = pod_graph_add(g, x, pod_graph_convert(g, h, POD_F32));
    h = layer(m, composite(m, "gelu", layer(m, normalize(m, x), 256, 1024)), 1024, 256);
    return pod_graph_add(g, x, pod_graph_convert(g, h, POD_F32));
}

/* Four layers of a decoder: width 256, 4 heads, 128 places, 96 characters, batch 32 */
static pod_node *text_model(model *m, bool large)
{
    (void)large;
    pod_graph *g = m->s.graph;
    pod_node *x = parameter(&m->s, POD_S32, 2, 32, 128, "x");
    pod_node *y = parameter(&m->s, POD_S32, 2, 32, 128, "y");
    pod_node *pair[2] = {weight(m, SHAPE(96, 256)), x};
    x = pod_graph_apply(g, pod_op_from_name("gather"), pair, 2, &(pod_attributes){0}, NULL, 0);
    x = pod_graph_add(g, x, weight(m, SHAPE(128, 256)));
    for (int i = 0; i < 4; i++)
        x = block(m, x);
    return mean_loss(m, layer(m, normalize(m, x), 256, 96), y);
}

/* The training step of a model: gradients and Adam of every weight. */
static step make_step(pod_context *context, pod_node *(*make)(model *, bool), bool large, pod_dtype compute)
{
    model m = {.compute = compute};
    pod_node *gradients[128];
    MUST(pod_graph_new(context, "step", &m.s.graph, &error));
    pod_graph *g = m.s.graph;
    pod_node *loss = make(&m, large);
    MUST(pod_graph_check(g, &error));
    MUST(pod_graph_gradient(g, loss, NULL, m.weights, (size_t)m.count, gradients, &error));
    pod_graph_add_output(g, loss);
    size_t output = 1, first = 2;
    m.s.weights = first + (size_t)m.count;
    pod_node *t = parameter(&m.s, POD_F32, 0, 0, 0, "t");
    pod_node *next = pod_graph_add(g, t, pod_graph_scalar(g, POD_F32, 1, NULL));
    update(&m.s, m.s.count - 1, next, &output);
    pod_node *rate = adam_rate(g, next);
    for (int i = 0; i < m.count; i++) {
        const pod_shape *shape = pod_node_shape(m.weights[i], 0);
        size_t slots = m.s.count;
        for (int j = 0; j < 2; j++) {
            m.s.parameters[m.s.count] = pod_graph_parameter(g, POD_F32, shape, j ? "v" : "m");
            m.s.count++;
        }
        pod_node *inputs[5] = {m.weights[i], m.s.parameters[slots], m.s.parameters[slots + 1], gradients[i], rate};
        pod_attributes attributes = {.values = {0.9, 0.999, 1e-7}};
        pod_node *adam = pod_graph_composite(g, "adam", inputs, 5, &attributes);
        update(&m.s, first + (size_t)i, pod_graph_result(g, adam, 0), &output);
        update(&m.s, slots, pod_graph_result(g, adam, 1), &output);
        update(&m.s, slots + 1, pod_graph_result(g, adam, 2), &output);
    }
    MUST(pod_graph_check(g, &error));
    return m.s;
}

static void fill_argument(pod_buffer *buffer, size_t index)
{
    const pod_shape *shape = pod_buffer_shape(buffer);
    int64_t count = pod_shape_elements(shape);
    int64_t inputs = shape->rank > 1 ? count / shape->dims[shape->rank - 1] : 4 * count;
    uint32_t state = (uint32_t)index * 77 + 1;
    double scale = index == 0 ? 1.0 : sqrt(3.0 / (double)inputs);
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

static const struct {
    const char *name;
    pod_node *(*make)(model *m, bool large);
    bool large;
    int steps; /* a run */
} workloads[] = {
    {"w1", dense_model, false, 20}, {"w2", dense_model, true, 5}, {"w3", image_model, true, 1},
    {"w3s", image_model, false, 5}, {"w4", text_model, false, 1},
};

int main(int argc, char **argv)
{
    size_t work = 0;
    for (size_t i = 0; argc > 1 && i < sizeof workloads / sizeof *workloads; i++)
        work = strcmp(argv[1], workloads[i].name) == 0 ? i : work;
    pod_dtype compute = argc > 2 && strcmp(argv[2], "f32") == 0 ? POD_F32 : POD_BF16;
    pod_context_options options = {.threads = argc > 3 ? atoi(argv[3]) : 2};
    double seconds = argc > 4 ? atof(argv[4]) : 2;
    pod_context *context;
    pod_program *program;
    MUST(pod_context_new(&options, &context, &error));
    step s = make_step(context, workloads[work].make, workloads[work].large, compute);
    MUST(pod_program_compile(context, s.graph, NULL, &program, &error));
    if (argc > 5) {
        char *text = pod_program_print(program);
        printf("%s", text);
        pod_text_free(context, text);
    }
    static pod_buffer *arguments[400], *results[400];
    for (size_t i = 0; i < s.count; i++) {
        MUST(pod_buffer_new(context, pod_node_dtype(s.parameters[i], 0), pod_node_shape(s.parameters[i], 0),
                            &arguments[i], &error));
        if (i < s.weights)
            fill_argument(arguments[i], i);
    }
    static double times[100000], cpu_times[100000];
    int count = 0, steps = workloads[work].steps;
    float loss = 0;
    pod_run_options how = {.steps = steps};
    for (double end = now() + seconds; now() < end && count < 100000;) {
        double start = now(), cpu_start = read_clock(CLOCK_PROCESS_CPUTIME_ID);
        MUST(pod_program_run(program, arguments, results, &how, NULL, &error));
        cpu_times[count] = (read_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu_start) * 1e3 / steps;
        times[count++] = (now() - start) * 1e3 / steps;
        loss = *(float *)pod_buffer_data(results[0]);
        for (size_t i = 0; i < pod_graph_output_count(s.graph); i++)
            pod_buffer_release(results[i]);
    }
    qsort(times, (size_t)count, sizeof *times, compare_doubles);
    qsort(cpu_times, (size_t)count, sizeof *cpu_times, compare_doubles);
    pod_program_stats stats = pod_program_get_stats(program);
    printf("%s %s, %d threads, %s: step_ms median %.3f, best %.3f; cpu_ms median %.3f, best %.3f; "
           "loss %g after %d steps; compiled in %.1f ms, %zu instructions, arena %.1f MB\n",
           workloads[work].name, compute == POD_F32 ? "f32" : "bf16", options.threads, pod_context_isa(context),
           times[count / 2], times[0], cpu_times[count / 2], cpu_times[0], (double)loss, count * steps,
           stats.compile_seconds * 1e3, stats.instructions, (double)stats.arena_bytes * 1e-6);
    for (size_t i = 0; i < s.count; i++)
        pod_buffer_release(arguments[i]);
    pod_program_free(program);
    pod_graph_free(s.graph);
    pod_context_release(context);
    return 0;
}
