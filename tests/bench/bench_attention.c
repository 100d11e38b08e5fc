/*
 * bench_attention - how fast attention and its gradient are on this machine, for every family of kernels it has.
 *
 *     ninja -C build/release bench_attention && build/release/tests/bench_attention [repetitions]
 *
 * One thread, by its own CPU clock; each figure is the best of the repetitions, in GFLOP/s of the products (two
 * forward, five back; of causal attention the half that is seen) and as a share of the family's peak from the L1
 * cache, measured right before.
 */

#include "kernels/kernels.h"
#include "peak.h"

typedef struct layer {
    int64_t batch, heads, length, width;
    bool causal;
} layer;

static const layer layers[] = {
    {32, 4, 128, 64, true},  {32, 4, 128, 64, false}, {8, 8, 1024, 64, true},
    {8, 8, 1024, 64, false}, {4, 4, 512, 128, true},
};

static double run(const pod_kernel *kernel, const pod_kernel_call *call, void *scratch)
{
    double start = now();
    if (pod_kernel_run(kernel, call, 0, pod_kernel_units(kernel, call), scratch) != POD_OK)
        exit(1);
    return now() - start;
}

static void measure(const pod_kernels *kernels, pod_dtype dtype, const layer *one, int repetitions)
{
    static const char *const names[] = {"attention", "attention_gradient"};
    pod_shape shape = {4, {one->batch, one->length, one->heads, one->width}};
    int64_t elements = pod_shape_elements(&shape);
    pod_attributes attributes = {.axis = 2, .flag = one->causal};
    pod_array arrays[7];
    for (int i = 0; i < 7; i++) {
        arrays[i] = (pod_array){dtype, shape, must_allocate((size_t)elements * pod_dtype_size(dtype))};
        fill(arrays[i].data, dtype, elements);
    }
    printf("%-10s %-4s %2lld x %lld heads, %4lld x %3lld%s", kernels->isa, dtype == POD_BF16 ? "bf16" : "f32",
           (long long)one->batch, (long long)one->heads, (long long)one->length, (long long)one->width,
           one->causal ? ", causal" : "        ");
    for (int back = 0; back < 2; back++) {
        pod_kernel_call call = {&attributes, arrays, back ? 4 : 3, arrays + 4, back ? 3 : 1, NULL, .kernels = kernels};
        const pod_kernel *kernel = pod_kernel_of_composite(names[back], &call);
        void *scratch = must_allocate(pod_kernel_scratch_bytes(kernel, &call));
        double best = 1e9, best_peak = 1;
        for (int i = 0; i < repetitions; i++) {
            double rate = peak(kernels->isa, dtype), seconds = run(kernel, &call, scratch);
            best_peak = rate > best_peak ? rate : best_peak;
            best = seconds < best ? seconds : best;
        }
        double rate = (back ? 10.0 : 4.0) * (double)(elements * one->length) / (one->causal ? 2 : 1) / best;
        printf("  %s %.1f", back ? "gradient" : "forward", rate * 1e-9);
        if (best_peak > 1)
            printf(" (%.0f %%)", 100 * rate / best_peak);
        free(scratch);
    }
    printf("\n");
    for (int i = 0; i < 7; i++)
        free(arrays[i].data);
}

int main(int argument_count, char **arguments)
{
    static const char *const families[] = {"amx", "avx512bf16", "avx512", "avx2", "portable"};
    int repetitions = argument_count > 1 ? atoi(arguments[1]) : 5;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        const pod_kernels *kernels;
        if (pod_kernel_choose_family(families[i], &kernels, NULL) != POD_OK)
            continue;
        for (size_t j = 0; j < sizeof layers / sizeof layers[0]; j++) {
            measure(kernels, POD_BF16, &layers[j], repetitions);
            measure(kernels, POD_F32, &layers[j], repetitions);
        }
    }
    return 0;
}
