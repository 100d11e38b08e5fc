/*
 * bench_peak - what this machine can do at best, for the rates of others to be held against.
 *
 *     build/release/tests/bench_peak [threads]
 *
 * Prints one JSON line: the family of kernels that the library would choose; FLOP/s of
 * multiply-adds of all threads together, of bf16 and of f32 operands, in G; and bytes a second, in
 * G, that they read and write in a + s * b over arrays that fit no cache.
 */

#include "moonpod.h"
#include "peak.h"

#include <pthread.h>

#define ROUNDS 20
#define WORDS  (1 << 23) /* floats of an array of a thread: 32 MiB */

typedef struct worker {
    pthread_t thread;
    pthread_barrier_t *barrier;
    const char *isa;
    float *a, *b;
    double bf16, f32, bytes; /* a second */
} worker;

static double triad(float *a, const float *b)
{
    double start = now();
    for (int64_t i = 0; i < WORDS; i++)
        a[i] = b[i] + 0.5f * a[i];
    return 3.0 * WORDS * sizeof(float) / (now() - start);
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* All threads measure the same at the same time. */
static void *work(void *data)
{
    worker *w = data;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(w->barrier);
        w->bf16 = larger(w->bf16, peak(w->isa, POD_BF16));
        pthread_barrier_wait(w->barrier);
        w->f32 = larger(w->f32, peak(w->isa, POD_F32));
        pthread_barrier_wait(w->barrier);
        w->bytes = larger(w->bytes, triad(w->a, w->b));
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 2;
    pod_error error;
    pod_context *context;
    if (threads < 1 || threads > 64) {
        fputs("bench_peak: 1 to 64 threads\n", stderr);
        return 2;
    }
    if (pod_context_new(NULL, &context, &error) != POD_OK) {
        fprintf(stderr, "bench_peak: %s\n", error.message);
        return 1;
    }
    static worker workers[64];
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    double bf16 = 0, f32 = 0, bytes = 0;
    for (int i = 0; i < threads; i++) {
        workers[i] = (worker){.barrier = &barrier,
                              .isa = pod_context_isa(context),
                              .a = must_allocate(WORDS * sizeof(float)),
                              .b = must_allocate(WORDS * sizeof(float))};
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) {
            fputs("bench_peak: no thread\n", stderr);
            return 1;
        }
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(workers[i].thread, NULL);
        bf16 += workers[i].bf16;
        f32 += workers[i].f32;
        bytes += workers[i].bytes;
        free(workers[i].a);
        free(workers[i].b);
    }
    printf("{\"isa\": \"%s\", \"threads\": %d, \"bf16_gflops\": %.1f, \"f32_gflops\": %.1f, "
           "\"memory_gb_per_s\": %.1f}\n",
           pod_context_isa(context), threads, bf16 * 1e-9, f32 * 1e-9, bytes * 1e-9);
    pthread_barrier_destroy(&barrier);
    pod_context_release(context);
    return 0;
}
