/*
 * bench_scaling - what exchanges of `./dev bench scaling` take (scaling.lua): measured, and simulated.
 *
 *     bench_scaling costs                       the same, a byte, of what a rank does alone, in ns
 *     mpirun -n N bench_scaling meet MODULE     the least seconds of sums, by each algorithm and of sizes
 *     bench_scaling simulate BYTES MESSAGE BYTE LATENCY COPY FOLD MOST
 *                                               the same on 2, 4, 8, ... MOST ranks, one a host: each message takes its
 *                                               sender MESSAGE seconds, each of its bytes BYTE on the link of a host,
 *                                               either way, and its way LATENCY; a byte that is copied takes COPY, and
 *                                               one of each array that is folded FOLD
 *
 * A simulation goes by the schedules that the ranks go by (backends/mpi/mpi_schedule.h).
 */

#include <math.h>
#include <moonpod/ranks.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "backends/mpi/fold.h"
#include "backends/mpi/mpi_ranks.h"

#define LARGEST ((size_t)1 << 25) /* bytes */
#define ROUNDS  5

static const char *const names[] = {
#define X(enumerator, name) name,
    POD_MPI_ALGORITHM_LIST(X)
#undef X
};

static void fail(const char *what)
{
    (void)fprintf(stderr, "bench_scaling: %s\n", what);
    exit(1);
}

static void *make(size_t count, size_t size)
{
    void *made = calloc(count, size);
    if (made == NULL)
        fail("out of memory");
    return made;
}

static double seconds_since(uint64_t began)
{
    return (double)(uv_hrtime() - began) * 1e-9;
}

/* What others do on the machine only adds. */
static double least(const double *list, size_t count)
{
    double found = list[0];
    for (size_t i = 1; i < count; i++)
        found = list[i] < found ? list[i] : found;
    return found;
}

/* ---- measured ---- */

static void tell_costs(void)
{
    char *from = make(LARGEST, 1), *more = make(LARGEST, 1), *to = make(LARGEST, 1);
    const void *arrays[] = {from, more};
    double copies[ROUNDS], folds[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t began = uv_hrtime();
        memcpy(to, from, LARGEST);
        copies[i] = seconds_since(began);
        began = uv_hrtime();
        pod_mpi_fold(POD_F32, POD_REDUCE_SUM, arrays, 2, to, LARGEST / 4);
        folds[i] = seconds_since(began) / 2;
    }
    printf("{\"copy\": %.6f, \"fold\": %.6f}\n", least(copies, ROUNDS) * 1e9 / LARGEST,
           least(folds, ROUNDS) * 1e9 / LARGEST);
    free(from);
    free(more);
    free(to);
}

static void meet_once(pod_ranks *ranks, size_t bytes, const char *from, char *to)
{
    pod_error error;
    const pod_meeting_part part = {{false, POD_REDUCE_SUM}, POD_F32, (int64_t)bytes / 4, from, to};
    if (ranks->meet(ranks, &(pod_meeting){&part, 1, 0, NULL}, &error) != POD_OK)
        fail(error.message);
}

static void time_meetings(pod_ranks *ranks, const char *name, const char *from, char *to)
{
    const pod_ranks_description *about = pod_ranks_describe(ranks);
    for (size_t bytes = 1024; bytes <= LARGEST; bytes *= 32) {
        double times[9];
        const int repeats = bytes < 65536 ? 200 : 1;
        meet_once(ranks, bytes, from, to);
        for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
            const uint64_t began = uv_hrtime();
            for (int k = 0; k < repeats; k++)
                meet_once(ranks, bytes, from, to);
            times[i] = seconds_since(began) / repeats;
        }
        if (about->rank == 0)
            printf("{\"algorithm\": \"%s\", \"ranks\": %d, \"bytes\": %zu, \"microseconds\": %.2f}\n", name,
                   (int)about->count, bytes, least(times, sizeof times / sizeof *times) * 1e6);
    }
}

static void tell_meetings(const char *module)
{
    pod_error error;
    pod_context *context;
    pod_ranks *ranks;
    const pod_ranks_options options = {.module = module};
    if (pod_context_new(&(pod_context_options){.threads = 1}, &context, &error) != POD_OK ||
        pod_ranks_open(context, &options, &ranks, &error) != POD_OK)
        fail(error.message);
    char *from = make(LARGEST, 1), *to = make(LARGEST, 1);
    for (int i = 0; i < POD_MPI_ALGORITHM_COUNT; i++) {
        if (pod_mpi_choose_algorithm((pod_mpi_ranks *)ranks, names[i], &error) != POD_OK)
            fail(error.message);
        time_meetings(ranks, names[i], from, to);
    }
    pod_ranks_close(ranks);
    pod_context_release(context);
    free(from);
    free(to);
}

/* ---- simulated ---- */

typedef struct machine {
    double message, byte, latency, copy, fold; /* seconds: see above */
} machine;

typedef struct simulation {
    machine costs;
    pod_mpi_schedule schedule;
    double share;     /* bytes */
    double *ready;    /* of each rank: when it comes to the round */
    double *arrivals; /* [to, from]: when the last byte could be there */
    pod_mpi_transfer *transfers;
} simulation;

static void send_all(simulation *s, int32_t number)
{
    const int32_t ranks = s->schedule.ranks;
    for (int32_t i = 0; i < ranks; i++) {
        pod_mpi_round round = {.sends = s->transfers, .receives = s->transfers + ranks};
        pod_mpi_schedule_round(&s->schedule, i, number, &round);
        double now = s->ready[i];
        for (int32_t k = 0; k < round.send_count; k++) {
            const pod_mpi_transfer *one = &round.sends[k];
            const double bytes = one->count * s->share;
            if (k == 0 || one->first != round.sends[k - 1].first || one->count != round.sends[k - 1].count)
                now += bytes * s->costs.copy;
            now += s->costs.message + bytes * s->costs.byte;
            s->arrivals[(size_t)one->place * (size_t)ranks + (size_t)i] = now + s->costs.latency;
        }
        s->ready[i] = now;
    }
}

/* What comes passes the receiver's link, message by message, in the order in which neighbours sent. */
static void receive_all(simulation *s, int32_t number)
{
    const int32_t ranks = s->schedule.ranks;
    for (int32_t i = 0; i < ranks; i++) {
        pod_mpi_round round = {.sends = s->transfers, .receives = s->transfers + ranks};
        pod_mpi_schedule_round(&s->schedule, i, number, &round);
        double link = 0, bytes = 0, begun = s->ready[i];
        int32_t first = 0;
        while (first < round.receive_count && round.receives[first].place < i)
            first++;
        for (int32_t k = round.receive_count; k > 0; k--) {
            const pod_mpi_transfer *one = &round.receives[(first + k - 1) % round.receive_count];
            const double arrival = s->arrivals[(size_t)i * (size_t)ranks + (size_t)one->place];
            bytes = one->count * s->share;
            link = link + bytes * s->costs.byte > arrival ? link + bytes * s->costs.byte : arrival;
        }
        begun = link > begun ? link : begun;
        if (round.receive_count > 0)
            begun += round.folds ? bytes * (round.receive_count + 1) * s->costs.fold
                                 : bytes * round.receive_count * s->costs.copy;
        s->ready[i] = begun;
    }
}

/* Seconds until the last rank has all. */
static double simulate(const machine *costs, pod_mpi_algorithm algorithm, int32_t ranks, double bytes)
{
    const size_t n = (size_t)ranks;
    simulation s = {*costs,
                    pod_mpi_schedule_make(algorithm, ranks, 1),
                    bytes / ranks,
                    make(n, sizeof(double)),
                    make(n * n, sizeof(double)),
                    make(2 * n, sizeof(pod_mpi_transfer))};
    const double smallest = (double)(ranks * POD_MPI_SHARE_BYTES);
    const double block = smallest > (double)POD_MPI_BLOCK_BYTES ? smallest : (double)POD_MPI_BLOCK_BYTES;
    const double blocks = floor(bytes / block) + 1; /* one after the other, as in meet.c */
    double last = 0;
    s.share /= blocks;
    for (int32_t i = 0; i < pod_mpi_schedule_rounds(&s.schedule); i++) {
        send_all(&s, i);
        receive_all(&s, i);
    }
    for (size_t i = 0; i < n; i++)
        last = s.ready[i] > last ? s.ready[i] : last;
    free(s.ready);
    free(s.arrivals);
    free(s.transfers);
    return last * blocks;
}

static void tell_simulated(char **words)
{
    double given[7];
    for (int i = 0; i < 7; i++)
        given[i] = atof(words[i]);
    const machine costs = {given[1], given[2], given[3], given[4], given[5]};
    for (int32_t ranks = 2; ranks <= (int32_t)given[6] && ranks <= 1024; ranks *= 2)
        for (int i = 0; i < POD_MPI_HIERARCHICAL; i++) /* one rank a host: hierarchical is a ring */
            if (i != POD_MPI_WHOLE || ranks <= 4)
                printf("{\"algorithm\": \"%s\", \"ranks\": %d, \"seconds\": %.9f}\n", names[i], (int)ranks,
                       simulate(&costs, (pod_mpi_algorithm)i, ranks, given[0]));
}

int main(int count, char **words)
{
    if (count == 2 && strcmp(words[1], "costs") == 0)
        tell_costs();
    else if (count == 3 && strcmp(words[1], "meet") == 0)
        tell_meetings(words[2]);
    else if (count == 9 && strcmp(words[1], "simulate") == 0)
        tell_simulated(words + 2);
    else
        fail("costs, meet MODULE or simulate BYTES MESSAGE BYTE LATENCY COPY FOLD MOST");
    return 0;
}
