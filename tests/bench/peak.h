#ifndef BENCH_PEAK_H
#define BENCH_PEAK_H

/* peak - the clock of measurements, and the rate that a family's multiply-adds reach on operands in the L1
 * cache and registers, against which kernels are held. */

#include "kernels/tiles.h"
#include "moonpod/tensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define PEAK_LOOPS 20000

static inline double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- peaks: independent multiply-adds, one operand from L1 ------------------------------------- */

static float sink[256] __attribute__((aligned(64)));

#if defined(__x86_64__)
__attribute__((target("avx512f,avx512bf16"))) static inline double peak_bf16(void)
{
    __m512 sums[24];
    __m512bh one = (__m512bh)_mm512_setzero_si512();
    for (int i = 0; i < 24; i++)
        sums[i] = _mm512_setzero_ps();
    double start = now();
    for (int loop = 0; loop < PEAK_LOOPS; loop++) {
        __m512bh row = (__m512bh)_mm512_load_si512(sink + (loop & 7) * 16);
#pragma GCC unroll 24
        for (int i = 0; i < 24; i++)
            sums[i] = _mm512_dpbf16_ps(sums[i], one, row);
    }
    double seconds = now() - start;
    for (int i = 1; i < 24; i++)
        sums[0] = _mm512_add_ps(sums[0], sums[i]);
    _mm512_store_ps(sink + 128, sums[0]);
    return PEAK_LOOPS * 24.0 * 64 / seconds;
}

__attribute__((target("avx512f"))) static inline double peak_f32_512(void)
{
    __m512 sums[24], one = _mm512_set1_ps(0.5f);
    for (int i = 0; i < 24; i++)
        sums[i] = _mm512_setzero_ps();
    double start = now();
    for (int loop = 0; loop < PEAK_LOOPS; loop++) {
        __m512 row = _mm512_load_ps(sink + (loop & 7) * 16);
#pragma GCC unroll 24
        for (int i = 0; i < 24; i++)
            sums[i] = _mm512_fmadd_ps(one, row, sums[i]);
    }
    double seconds = now() - start;
    for (int i = 1; i < 24; i++)
        sums[0] = _mm512_add_ps(sums[0], sums[i]);
    _mm512_store_ps(sink + 128, sums[0]);
    return PEAK_LOOPS * 24.0 * 32 / seconds;
}

__attribute__((target("avx2,fma"))) static inline double peak_f32_256(void)
{
    __m256 sums[12], one = _mm256_set1_ps(0.5f);
    for (int i = 0; i < 12; i++)
        sums[i] = _mm256_setzero_ps();
    double start = now();
    for (int loop = 0; loop < PEAK_LOOPS; loop++) {
        __m256 row = _mm256_load_ps(sink + (loop & 7) * 8);
#pragma GCC unroll 12
        for (int i = 0; i < 12; i++)
            sums[i] = _mm256_fmadd_ps(one, row, sums[i]);
    }
    double seconds = now() - start;
    for (int i = 1; i < 12; i++)
        sums[0] = _mm256_add_ps(sums[0], sums[i]);
    _mm256_store_ps(sink + 128, sums[0]);
    return PEAK_LOOPS * 12.0 * 16 / seconds;
}
#endif

typedef float lanes4 __attribute__((vector_size(16)));

static inline double peak_f32_portable(void)
{
    lanes4 sums[12];
    memset(sums, 0, sizeof sums);
    double start = now();
    for (int loop = 0; loop < PEAK_LOOPS; loop++) {
        lanes4 row;
        memcpy(&row, sink + (loop & 7) * 4, sizeof row);
#pragma GCC unroll 12
        for (int i = 0; i < 12; i++)
            sums[i] += 0.5f * row;
    }
    double seconds = now() - start;
    for (int i = 1; i < 12; i++)
        sums[0] += sums[i];
    memcpy(sink + 128, &sums[0], sizeof sums[0]);
    return PEAK_LOOPS * 12.0 * 8 / seconds;
}

#if defined(__x86_64__)
/* Tiles of operands that stream from the L2 cache: 1 MiB of a and b together, blocks of both in turn. The
 * better of two ways to load them. */
static inline double peak_tiles(void)
{
    enum { BLOCKS = 256, BLOCK_BYTES = 2048 };
    static char operands[2 * BLOCKS * BLOCK_BYTES] __attribute__((aligned(64)));
    static float c[32 * 32] __attribute__((aligned(64)));
    int loops = 100;
    double best = 0;
    pod_kernel_tiles_begin();
    pod_kernel_tiles_zero();
    for (int far = 0; far < 2; far++) {
        double start = now();
        for (int loop = 0; loop < loops; loop++)
            for (int i = 0; i < BLOCKS; i++) {
                const char *a = operands + 2 * i * BLOCK_BYTES;
                if (far)
                    pod_tiles_multiply_rows_far(a, a + 1024, 64, a + BLOCK_BYTES);
                else
                    pod_tiles_multiply_rows(a, a + 1024, 64, a + BLOCK_BYTES);
            }
        double rate = (double)loops * BLOCKS * 2.0 * 32 * 32 * 32 / (now() - start);
        best = rate > best ? rate : best;
    }
    pod_kernel_tiles_store(false, c, c + 16 * 32, 32 * (int64_t)sizeof(float));
    pod_kernel_tiles_end();
    sink[128] = c[0];
    return best;
}
#endif

/* Returns the peak, in FLOP/s of one thread, of the instructions that this family's products use: AMX's
 * from the L2 cache, all others' from L1. */
static inline double peak(const char *isa, pod_dtype dtype)
{
#if defined(__x86_64__)
    if (strcmp(isa, "amx") == 0 && dtype == POD_BF16)
        return peak_tiles();
    if (strcmp(isa, "avx512bf16") == 0 && dtype == POD_BF16)
        return peak_bf16();
    if (strcmp(isa, "avx2") == 0)
        return peak_f32_256();
    if (strcmp(isa, "portable") != 0)
        return peak_f32_512();
#endif
    (void)isa;
    (void)dtype;
    return peak_f32_portable();
}

/* Memory for operands, aligned and touched. Ends the process when there is none. */
static inline void *must_allocate(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64 + 64);
    if (memory == NULL) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    memset(memory, 0, bytes);
    return memory;
}

/* Writes numbers between -1 and 1. */
static inline void fill(void *data, pod_dtype dtype, int64_t count)
{
    uint32_t state = 1;
    for (int64_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        float value = (float)(state >> 8) / 8388608.0f - 1.0f;
        if (dtype == POD_BF16)
            ((uint16_t *)data)[i] = pod_bf16_from_f32(value);
        else
            ((float *)data)[i] = value;
    }
}

#endif
