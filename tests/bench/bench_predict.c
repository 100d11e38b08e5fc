/* bench_predict - one-row predictions of an exported program: bench_predict FILE CALLS. Writes one line, as
 * peers/predict_peers.py does: seconds to open, KiB that this holds, seconds of the calls, the same of the
 * processor's time, outputs. */

#include "moonpod/exported.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <uv.h>

static long resident(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0;
}

static int fail(const pod_error *error)
{
    fprintf(stderr, "bench_predict: %s\n", error->message);
    return 1;
}

int main(int count, char **words)
{
    pod_error error;
    pod_context *context;
    pod_exported *net;
    float x[784], y[10];
    const void *inputs[] = {x};
    void *outputs[] = {y};
    if (count != 3) {
        fprintf(stderr, "bench_predict FILE CALLS\n");
        return 2;
    }
    const long calls = atol(words[2]), memory = resident();
    for (int i = 0; i < 784; i++)
        x[i] = (float)(i % 17) / 17;
    const uint64_t began = uv_hrtime();
    if (pod_context_new(NULL, &context, &error) != POD_OK ||
        pod_exported_open(context, words[1], &net, &error) != POD_OK ||
        pod_exported_run(net, 1, inputs, outputs, &error) != POD_OK)
        return fail(&error);
    const uint64_t opened = uv_hrtime();
    const long held = resident() - memory;
    for (long i = 0; i < 200; i++)
        if (pod_exported_run(net, 1, inputs, outputs, &error) != POD_OK)
            return fail(&error);
    const clock_t work = clock();
    const uint64_t start = uv_hrtime();
    for (long i = 0; i < calls; i++)
        if (pod_exported_run(net, 1, inputs, outputs, &error) != POD_OK)
            return fail(&error);
    const double worked = (double)(clock() - work) / CLOCKS_PER_SEC;
    printf("%g %ld %g %g", (double)(opened - began) * 1e-9, held, (double)(uv_hrtime() - start) * 1e-9, worked);
    for (int i = 0; i < 10; i++)
        printf(" %.9g", (double)y[i]);
    printf("\n");
    pod_exported_close(net);
    pod_context_release(context);
    return 0;
}
