/*
 * bench_convolution - how fast convolutions are on this machine, for every family of kernels it has.
 *
 *     ninja -C build/release bench_convolution && build/release/tests/bench_convolution [repetitions]
 *
 * One thread, by its own CPU clock; each figure is the best of the repetitions, packing included, in GFLOP/s
 * and as a share of the family's peak from the L1 cache, measured right before. Depthwise convolutions are held against
 * the rate at which memory is copied: operands and result, each read or written once, in GB/s.
 */

#include "kernels/convolution_winograd.h"
#include "kernels/kernels.h"
#include "peak.h"

typedef struct layer {
    const char *name;
    int64_t batch, size, channels, filters, window, stride, pad;
} layer;

static const layer layers[] = {
    {"3x3, 28x28, 1 to 32", 128, 28, 1, 32, 3, 1, 1},      {"3x3, 28x28, 16 to 16", 128, 28, 16, 16, 3, 1, 1},
    {"3x3, 14x14, 32 to 32", 128, 14, 32, 32, 3, 1, 1},    {"3x3, 14x14, 32 to 64", 128, 14, 32, 64, 3, 1, 1},
    {"3x3, 28x28, 32 to 64", 128, 28, 32, 64, 3, 1, 1},    {"3x3/2, 28x28, 64 to 128", 32, 28, 64, 128, 3, 2, 1},
    {"1x1, 14x14, 256 to 256", 32, 14, 256, 256, 1, 1, 0}, {"3x3, 8x8, 64 to 64", 128, 8, 64, 64, 3, 1, 1},
    {"3x3, 56x56, 64 to 64", 16, 56, 64, 64, 3, 1, 1},     {"3x3, 28x28, 128 to 128", 16, 28, 128, 128, 3, 1, 1},
    {"3x3, 14x14, 256 to 256", 16, 14, 256, 256, 3, 1, 1}, {"3x3, 7x7, 512 to 512", 16, 7, 512, 512, 3, 1, 1},
    {"3x3, 14x14, 256, one", 1, 14, 256, 256, 3, 1, 1},    {"3x3, 64x64, 64 to 64", 4, 64, 64, 64, 3, 1, 1},
};

static const char *const kinds[] = {"forward", "input gradient", "kernel gradient"};

static double run(const pod_convolution_call *call, void *shared, void *scratch)
{
    double start = now();
    for (int phase = 0; phase < POD_CONVOLUTION_PHASES; phase++)
        pod_kernel_convolution_run(call, phase, 0, pod_kernel_convolution_units(call, phase), shared, scratch);
    return now() - start;
}

/* Seconds of the best of some runs, and the family's peak next to them. */
static double measure_call(const pod_kernels *kernels, const pod_convolution_call *call, int repetitions,
                           double *best_peak)
{
    void *shared = must_allocate(pod_kernel_convolution_shared_bytes(call));
    void *scratch = must_allocate(pod_kernel_convolution_scratch_bytes(call));
    double best = 1e9;
    *best_peak = 1;
    for (int i = 0; i < repetitions; i++) {
        double rate = peak(kernels->isa, call->dtype), seconds = run(call, shared, scratch);
        *best_peak = rate > *best_peak ? rate : *best_peak;
        best = seconds < best ? seconds : best;
    }
    free(shared);
    free(scratch);
    return best;
}

static void measure(const pod_kernels *kernels, pod_dtype dtype, const layer *one, int repetitions)
{
    const pod_dot_kernels *dot = dtype == POD_BF16 ? &kernels->dot_bf16 : &kernels->dot_f32;
    int64_t out = (one->size + 2 * one->pad - one->window) / one->stride + 1;
    pod_window window = {.rank = 2,
                         .size = {one->window, one->window},
                         .stride = {one->stride, one->stride},
                         .pad_low = {one->pad, one->pad},
                         .pad_high = {one->pad, one->pad}};
    pod_shape x = {4, {one->batch, one->size, one->size, one->channels}};
    pod_shape kernel = {4, {one->window, one->window, one->channels, one->filters}};
    pod_shape g = {4, {one->batch, out, out, one->filters}};
    const pod_shape *shapes[3] = {&x, &kernel, &g};
    void *data[3];
    for (int i = 0; i < 3; i++) {
        data[i] = must_allocate((size_t)pod_shape_elements(shapes[i]) * 4);
        fill(data[i], dtype, pod_shape_elements(shapes[i]));
    }
    int64_t most = pod_shape_elements(&x);
    most = most > pod_shape_elements(&g) ? most : pod_shape_elements(&g);
    most = most > pod_shape_elements(&kernel) ? most : pod_shape_elements(&kernel);
    float *result = must_allocate((size_t)most * sizeof(float));
    printf("%-10s %-4s %-24s", kernels->isa, dtype == POD_BF16 ? "bf16" : "f32", one->name);
    for (int kind = 0; kind < 3; kind++) {
        pod_convolution_call call = {.kind = (pod_convolution_kind)kind,
                                     .dtype = dtype,
                                     .dot = dot,
                                     .direct = kernels->direct,
                                     .sizes = pod_kernel_window_sizes(&window, &x, &kernel, &g),
                                     .left = data[kind == POD_CONVOLVE_INPUT_GRADIENT ? 2 : 0],
                                     .right = data[kind == POD_CONVOLVE_KERNEL_GRADIENT ? 2 : 1],
                                     .result = result,
                                     .result_stride =
                                         kind == POD_CONVOLVE_INPUT_GRADIENT ? one->channels : one->filters};
        const double operations =
            2.0 * (double)(one->batch * out * out * one->filters * one->window * one->window * one->channels);
        double peak_rate, seconds = measure_call(kernels, &call, repetitions, &peak_rate);
        printf("  %s %.1f", kinds[kind], operations / seconds * 1e-9);
        if (peak_rate > 1)
            printf(" (%.0f %%)", 100 * operations / seconds / peak_rate);
        call.winograd = kernels->winograd;
        if (pod_kernel_winograd_fits(&call))
            printf(", in fewer products %.2f of the time",
                   measure_call(kernels, &call, repetitions, &peak_rate) / seconds);
    }
    printf("\n");
    for (int i = 0; i < 3; i++)
        free(data[i]);
    free(result);
}

/* ---- depthwise: 3 x 3 over 28 x 28 places ------------------------------------------------------------ */

#define COPIED_BYTES ((size_t)64 << 20)

/* Bytes a second that a copy reads and writes. */
static double copy_rate(char *to, const char *from)
{
    double start = now();
    memcpy(to, from, COPIED_BYTES);
    return 2 * (double)COPIED_BYTES / (now() - start);
}

static void measure_depthwise(const pod_kernels *kernels, pod_dtype dtype, int repetitions)
{
    static const char *const ops[] = {"convolution", "convolution_input_gradient", "convolution_kernel_gradient"};
    enum { IMAGES = 128, SIZE = 28, CHANNELS = 64 };
    pod_shape shapes[2] = {{4, {IMAGES, SIZE, SIZE, CHANNELS}}, {4, {3, 3, 1, CHANNELS}}};
    pod_attributes attributes = {.window = {.rank = 2,
                                            .size = {3, 3},
                                            .stride = {1, 1},
                                            .pad_low = {1, 1},
                                            .pad_high = {1, 1},
                                            .dilation = {1, 1},
                                            .groups = CHANNELS}};
    pod_array arrays[3];
    for (int i = 0; i < 3; i++) {
        arrays[i] = (pod_array){.dtype = dtype, .shape = shapes[i == 1]};
        arrays[i].data = must_allocate((size_t)pod_shape_elements(&arrays[i].shape) * 4);
        fill(arrays[i].data, dtype, pod_shape_elements(&arrays[i].shape));
    }
    char *memory[2] = {must_allocate(COPIED_BYTES), must_allocate(COPIED_BYTES)};
    memset(memory[0], 1, COPIED_BYTES);
    memset(memory[1], 1, COPIED_BYTES);
    printf("%-10s %-4s %-24s", kernels->isa, dtype == POD_BF16 ? "bf16" : "f32", "depthwise");
    for (int kind = 0; kind < 3; kind++) {
        /* x, kernel, g: what an op reads and gives */
        pod_array inputs[2] = {arrays[kind == 1 ? 2 : 0], arrays[kind == 2 ? 2 : 1]};
        pod_array output = arrays[kind == 1 ? 0 : kind == 2 ? 1 : 2];
        pod_kernel_call call = {&attributes, inputs, 2, &output, 1, NULL, .kernels = NULL};
        attributes.dtype = dtype;
        attributes.shape = output.shape;
        const pod_kernel *kernel = pod_kernel_find(kernels, ops[kind], &call);
        void *scratch = must_allocate(pod_kernel_scratch_bytes(kernel, &call) + 1);
        double best = 1e9, copied = 0;
        for (int i = 0; i < repetitions; i++) {
            double rate = copy_rate(memory[0], memory[1]), start = now();
            if (pod_kernel_run(kernel, &call, 0, pod_kernel_units(kernel, &call), scratch) != POD_OK)
                abort();
            double seconds = now() - start;
            best = seconds < best ? seconds : best;
            copied = rate > copied ? rate : copied;
        }
        double rate = 2.0 * (double)pod_shape_elements(&shapes[0]) * (double)pod_dtype_size(dtype) / best;
        printf("  %s %.1f (%.0f %%)", kinds[kind], rate * 1e-9, 100 * rate / copied);
        free(scratch);
    }
    printf("\n");
    for (int i = 0; i < 3; i++)
        free(arrays[i].data);
    free(memory[0]);
    free(memory[1]);
}

int main(int argument_count, char **arguments)
{
    static const char *const families[] = {"amx", "avx512bf16", "avx512", "avx2", "portable"};
    int repetitions = argument_count > 1 ? atoi(arguments[1]) : 10;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        const pod_kernels *kernels;
        if (pod_kernel_choose_family(families[i], &kernels, NULL) != POD_OK)
            continue;
        for (size_t j = 0; j < sizeof layers / sizeof layers[0]; j++) {
            measure(kernels, POD_BF16, &layers[j], repetitions);
            measure(kernels, POD_F32, &layers[j], repetitions);
        }
        measure_depthwise(kernels, POD_BF16, repetitions);
        measure_depthwise(kernels, POD_F32, repetitions);
    }
    return 0;
}
