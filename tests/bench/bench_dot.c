/*
 * bench_dot - how fast matrix products are on this machine, for every family of kernels it has.
 *
 *     ninja -C build/release bench_dot && build/release/tests/bench_dot [repetitions]
 *
 * One thread, by its own CPU clock. Each row is the best of the repetitions, with operands as the engine has them: a as
 * it lies, b packed beforehand. The share is that of the peak of multiply-adds, from L1 (of AMX from L2), measured
 * right before it: other programs disturb both alike. The last columns are the time that packing b takes, and the share
 * with it: in a step the packed b of a weight gradient (a^T) is new, others are shared by all threads and chunks of
 * rows.
 */

#include "kernels/kernels.h"
#include "kernels/openblas.h"
#include "peak.h"

/* ---- products ------------------------------------------------------------------------------------ */

typedef struct shape {
    int64_t m, n, k;
    bool transposed; /* a is stored [k][m], as for a weight gradient */
} shape;

static const shape shapes[] = {
    {128, 128, 784, false}, {1024, 128, 784, false},  {1024, 1024, 1024, false}, {4096, 1024, 1024, false},
    {784, 128, 1024, true}, {1024, 1024, 1024, true}, {1024, 10, 128, false},    {128, 10, 1024, true},
    {1024, 128, 10, false}, {1, 1024, 1024, false},
};

/* Four kinds: bf16, f32, and f32 by six or three products of bf16 parts. */
static void measure(const pod_kernels *kernels, int kind, const shape *size, int repetitions)
{
    static const char *const names[] = {"bf16", "f32", "f32/6", "f32/3"};
    const pod_dot_kernels *kinds[] = {&kernels->dot_bf16, &kernels->dot_f32, &kernels->dot_f32_six,
                                      &kernels->dot_f32_three};
    const pod_dot_kernels *dot = kinds[kind];
    const pod_dtype dtype = kind == 0 ? POD_BF16 : POD_F32;
    const char *isa = kernels->isa;
    if (dot->run == NULL)
        return;
    int64_t m = size->m, n = size->n, k = size->k;
    size_t bytes = pod_dtype_size(dtype);
    void *a = must_allocate((size_t)(m * k) * bytes);
    void *b = must_allocate((size_t)(k * n) * bytes);
    fill(a, dtype, m * k);
    fill(b, dtype, k * n);
    size_t packed_bytes = pod_kernel_dot_packed_b_bytes(dot, k, n);
    void *packed = must_allocate(packed_bytes);
    pod_dot_call call = {.m = m,
                         .n = n,
                         .k = k,
                         .a = a,
                         .b = packed_bytes > 0 ? packed : b,
                         .a_row_stride = size->transposed ? 1 : k,
                         .a_k_stride = size->transposed ? m : 1,
                         .b_k_stride = n,
                         .b_column_stride = 1,
                         .result = must_allocate((size_t)(m * n) * 4),
                         .result_stride = n};
    void *scratch = must_allocate(dot->scratch_bytes(dot, &call));
    double best = 1e9, best_packing = 1e9, best_peak = 0;
    for (int i = 0; i < repetitions; i++) {
        double rate = peak(isa, dtype);
        best_peak = rate > best_peak ? rate : best_peak;
        double start = now();
        if (packed_bytes > 0)
            pod_kernel_dot_pack_b(dot, packed, dtype, b, k, n, n, 1, 0,
                                  (n + dot->panel_columns - 1) / dot->panel_columns);
        double middle = now();
        dot->run(dot, &call, 0, m, 0, n, scratch);
        double end = now();
        best_packing = middle - start < best_packing ? middle - start : best_packing;
        best = end - middle < best ? end - middle : best;
    }
    double rate = 2.0 * (double)(m * n * k) / best;
    const char *library = packed_bytes > 0 ? "" : "  by OpenBLAS";
    double with_packing = 2.0 * (double)(m * n * k) / (best + best_packing);
    printf("%-10s %-5s %5lld x %4lld x %4lld %s %9.3f ms %8.1f GFLOP/s %3.0f %% of %.0f  "
           "packing b %.3f ms, with it %.0f %%%s\n",
           isa, names[kind], (long long)m, (long long)n, (long long)k, size->transposed ? "a^T" : "   ", best * 1e3,
           rate * 1e-9, 100 * rate / best_peak, best_peak * 1e-9, best_packing * 1e3, 100 * with_packing / best_peak,
           library);
    free(scratch);
    free(call.result);
    free(packed);
    free(b);
    free(a);
}

int main(int argument_count, char **arguments)
{
    static const char *const families[] = {"amx", "avx512bf16", "avx512", "avx2", "portable"};
    int repetitions = argument_count > 1 ? atoi(arguments[1]) : 20;
    /* Loaded now, OpenBLAS takes its best kernels for all families. */
    printf("f32 library: %s\n", pod_kernel_f32_library());
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        const pod_kernels *kernels;
        if (pod_kernel_choose_family(families[i], &kernels, NULL) != POD_OK)
            continue;
        for (int kind = 0; kind < 4; kind++)
            for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
                measure(kernels, kind, &shapes[s], repetitions);
    }
    return 0;
}
