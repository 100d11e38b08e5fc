/*
 * bench_short_runs [rounds] - what runs of several sizes take on the caller's thread alone and on all threads: what
 * POD_SHORT_RUN_NANOSECONDS of engine/engine_costs.h is chosen by. `./dev bench short_runs` runs it.
 *
 * A run is one step of tanh(x w + x) of some rows and 128 columns. The two ways alternate, run after run and once more
 * with a pause before each run, in which other threads go to sleep. Told are the median and what the fastest twentieth
 * takes at most: on a machine that others use, threads wait for each other until they get a CPU.
 */

#include "engine/execute.h"
#include "moonpod/builders.h"
#include "moonpod/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

enum { COLUMNS = 128, MOST_ROUNDS = 10000, PAUSE = 2 /* ms */ };

static void check(pod_status status, const pod_error *error)
{
    if (status >= 0)
        return;
    fprintf(stderr, "bench_short_runs: %s\n", error->message);
    exit(1);
}

typedef struct trial {
    pod_context *context;
    pod_program *program;
    pod_buffer *x;
} trial;

/* Of so many rows; `alone` on the caller's thread, else on all. */
static trial trial_new(int64_t rows, bool alone)
{
    pod_error error;
    trial t;
    pod_graph *graph;
    const pod_context_options options = {.short_run_nanoseconds = alone ? INT64_MAX : -1};
    check(pod_context_new(&options, &t.context, &error), &error);
    check(pod_graph_new(t.context, "short run", &graph, &error), &error);
    static float weights[COLUMNS * COLUMNS];
    for (int i = 0; i < COLUMNS * COLUMNS; i++)
        weights[i] = (float)(i % 13) / 64 - 0.1f;
    const pod_shape shape = {2, {rows, COLUMNS}};
    pod_node *x = pod_graph_parameter(graph, POD_F32, &shape, "x");
    pod_node *w = pod_graph_constant(graph, POD_F32, &(pod_shape){2, {COLUMNS, COLUMNS}}, weights);
    pod_graph_add_output(graph, pod_graph_tanh(graph, pod_graph_add(graph, pod_graph_matmul(graph, x, w), x)));
    check(pod_graph_check(graph, &error), &error);
    check(pod_program_compile(t.context, graph, NULL, &t.program, &error), &error);
    pod_graph_free(graph);
    check(pod_buffer_new(t.context, POD_F32, &shape, &t.x, &error), &error);
    for (int64_t i = 0; i < rows * COLUMNS; i++)
        ((float *)pod_buffer_data(t.x))[i] = (float)(i % 17) / 8 - 1;
    return t;
}

/* Returns the nanoseconds of a run. */
static double trial_run(const trial *t)
{
    pod_error error;
    pod_buffer *result;
    const uint64_t began = uv_hrtime();
    check(pod_program_run(t->program, &t->x, &result, NULL, NULL, &error), &error);
    const double took = (double)(uv_hrtime() - began);
    pod_buffer_release(result);
    return took;
}

static void trial_end(const trial *t)
{
    pod_buffer_release(t->x);
    pod_program_free(t->program);
    pod_context_release(t->context);
}

static double estimate(const pod_program *program)
{
    double cost = 0;
    for (uint32_t i = 0; i < program->function->phase_count; i++)
        cost += program->function->phases[i].cost;
    return cost;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void tell(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    printf("%10.1f %8.1f", values[count / 2] * 1e-3, values[count / 20] * 1e-3);
}

static void measure(int64_t rows, int rounds)
{
    static double alone[MOST_ROUNDS], all[MOST_ROUNDS], rested_alone[MOST_ROUNDS], rested_all[MOST_ROUNDS];
    const trial one = trial_new(rows, true), every = trial_new(rows, false);
    for (int i = 0; i < 20; i++) {
        trial_run(&one);
        trial_run(&every);
    }
    /* The second of two runs follows another of its kind. */
    for (int i = 0; i < rounds; i++) {
        trial_run(&one);
        alone[i] = trial_run(&one);
        trial_run(&every);
        all[i] = trial_run(&every);
    }
    const int rested = rounds < 10 ? rounds : rounds / 10;
    for (int i = 0; i < rested; i++) {
        uv_sleep(PAUSE);
        rested_alone[i] = trial_run(&one);
        uv_sleep(PAUSE);
        rested_all[i] = trial_run(&every);
    }
    printf("%6lld %10.1f", (long long)rows, estimate(one.program) * 1e-3);
    tell(alone, rounds);
    tell(all, rounds);
    tell(rested_alone, rested);
    tell(rested_all, rested);
    printf("\n");
    fflush(stdout);
    trial_end(&one);
    trial_end(&every);
}

int main(int count, char **words)
{
    static const int64_t sizes[] = {1, 4, 16, 32, 64, 96, 128, 192, 256, 512, 1024};
    const long wanted = count > 1 ? atol(words[1]) : 1000;
    const int rounds = wanted < 1 || wanted > MOST_ROUNDS ? 1000 : (int)wanted;
    printf("microseconds of a run, median and fastest twentieth\n"
           "                             run after run                   after a pause of %d ms\n"
           "  rows   estimate        alone          all threads          alone          all threads\n",
           PAUSE);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        measure(sizes[i], rounds);
    return 0;
}
