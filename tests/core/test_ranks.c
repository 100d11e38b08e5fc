/* test_ranks - what ranks exchange, and what they say where one is elsewhere or has left. */

#include <float.h>
#include <math.h>

#include "backends/mpi/fold.h"
#include "thread_wire.h"

static void make_contexts(pod_context **contexts, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        contexts[i] = test_context(&(pod_context_options){.threads = 1});
}

static void release_contexts(pod_context **contexts, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        pod_context_release(contexts[i]);
}

/* ---- what comes of a meeting ---- */

/* Arrays of one type, three parts: a sum, a maximum and what all have. */
typedef struct exchanged {
    int64_t count;
    int32_t ranks;
    float *sums[MOST_RANKS], *largest[MOST_RANKS], *all[MOST_RANKS];
    uint16_t *halves[MOST_RANKS];
    pod_status status[MOST_RANKS];
} exchanged;

/* Values whose sum depends on its order. */
static float value_of(int32_t rank, int64_t i)
{
    return (float)((i * 7919 + rank * 104729) % 1009 - 504) * (rank % 2 ? 1e-3f : 1e4f);
}

static void exchange(void *argument, int32_t rank, pod_ranks *ranks)
{
    exchanged *e = argument;
    const int64_t count = e->count;
    pod_error error;
    float *own = calloc((size_t)count + 1, sizeof *own);
    uint16_t *halves = calloc((size_t)count + 1, sizeof *halves);
    for (int64_t i = 0; i < count; i++) {
        own[i] = value_of(rank, i);
        pod_convert(POD_F32, &own[i], POD_BF16, &halves[i], 1);
    }
    e->sums[rank] = calloc((size_t)count + 1, sizeof(float));
    e->largest[rank] = calloc((size_t)count + 1, sizeof(float));
    e->halves[rank] = calloc((size_t)count + 1, sizeof(uint16_t));
    e->all[rank] = calloc((size_t)(count * e->ranks) + 1, sizeof(float));
    const pod_meeting_part parts[] = {
        {{false, POD_REDUCE_SUM}, POD_F32, count, own, e->sums[rank]},
        {{true, POD_REDUCE_SUM}, POD_F32, count, own, e->all[rank]},
        {{false, POD_REDUCE_MAX}, POD_F32, count, own, e->largest[rank]},
        {{false, POD_REDUCE_SUM}, POD_BF16, count, halves, e->halves[rank]},
    };
    e->status[rank] = ranks->meet(ranks, &(pod_meeting){parts, 4, 0, "here:1"}, &error);
    free(own);
    free(halves);
}

static void check_exchanged(const exchanged *e, int32_t rank)
{
    ASSERT_EQ(POD_OK, e->status[rank]);
    for (int64_t i = 0; i < e->count; i++) {
        float sum = value_of(0, i), largest = sum, rounded;
        uint16_t half;
        pod_convert(POD_F32, &sum, POD_BF16, &half, 1);
        pod_convert(POD_BF16, &half, POD_F32, &rounded, 1);
        float half_sum = rounded;
        for (int32_t r = 1; r < e->ranks; r++) {
            float value = value_of(r, i);
            sum += value;
            largest = value > largest ? value : largest;
            pod_convert(POD_F32, &value, POD_BF16, &half, 1);
            pod_convert(POD_BF16, &half, POD_F32, &rounded, 1);
            half_sum += rounded;
        }
        pod_convert(POD_F32, &half_sum, POD_BF16, &half, 1);
        ASSERT_EQ(0, memcmp(&sum, &e->sums[rank][i], sizeof sum));
        ASSERT_EQ(0, memcmp(&largest, &e->largest[rank][i], sizeof largest));
        ASSERT_EQ(half, e->halves[rank][i]);
        for (int32_t r = 0; r < e->ranks; r++)
            ASSERT(e->all[rank][r * e->count + i] == value_of(r, i));
    }
}

/* In one round and in two, and where there is nothing or less than an element for each. */
TEST(sums_are_those_in_the_order_of_ranks)
{
    static const int64_t counts[] = {0, 1, 3, 1000, 20011};
    for (int32_t count = 1; count <= 5; count++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            exchanged e = {.count = counts[i], .ranks = count};
            pod_context *contexts[MOST_RANKS];
            make_contexts(contexts, count);
            run_ranks(contexts, count, exchange, &e);
            for (int32_t r = 0; r < count; r++) {
                check_exchanged(&e, r);
                free(e.sums[r]);
                free(e.largest[r]);
                free(e.all[r]);
                free(e.halves[r]);
            }
            release_contexts(contexts, count);
        }
}

typedef struct folded_type {
    pod_dtype dtype;
    double values[3], sum, product, largest, smallest;
} folded_type;

TEST(each_type_folds)
{
    static const pod_reduction ways[] = {POD_REDUCE_SUM, POD_REDUCE_PRODUCT, POD_REDUCE_MAX, POD_REDUCE_MIN};
    const double expected[] = {12, 30, 6, 1}, values[] = {5, 1, 6};
    for (pod_dtype dtype = POD_DTYPE_NONE + 1; dtype < POD_DTYPE_END; dtype++) {
        if (dtype == POD_BOOL)
            continue; /* no graph reduces them */
        uint64_t bits[3] = {0}, to = 0;
        const void *from[3] = {&bits[0], &bits[1], &bits[2]};
        for (int i = 0; i < 3; i++)
            pod_convert(POD_F64, &values[i], dtype, &bits[i], 1);
        for (int way = 0; way < 4; way++) {
            double got;
            pod_mpi_fold(dtype, ways[way], from, 3, &to, 1);
            pod_convert(dtype, &to, POD_F64, &got, 1);
            ASSERT(got == expected[way]);
        }
    }
}

/* ---- one is elsewhere, or gone ---- */

typedef struct strayed {
    pod_status status[2];
    pod_error error[2];
    bool leaves;   /* rank 1 goes, else it exchanges something else */
    int64_t count; /* of what it exchanges */
    int agreed;    /* with the other: 0 */
} strayed;

static void stray(void *argument, int32_t rank, pod_ranks *ranks)
{
    strayed *s = argument;
    static const float from[500];
    float to[500];
    const pod_meeting_part part = {{false, POD_REDUCE_SUM}, POD_F32, rank == 0 ? 1 : s->count, from, to};
    if (rank == 1 && s->leaves)
        return;
    const pod_meeting meeting = {&part, 1, (uint64_t)(rank == 1 ? s->agreed : 0), "train.lua:7"};
    s->status[rank] = ranks->meet(ranks, &meeting, &s->error[rank]);
    if (s->status[rank] != POD_OK)
        ASSERT_EQ(POD_ERROR_STATE, ranks->meet(ranks, &meeting, &s->error[1]));
}

TEST(who_meets_a_rank_that_has_left_is_told_which)
{
    pod_context *contexts[2];
    strayed s = {.leaves = true};
    make_contexts(contexts, 2);
    run_ranks(contexts, 2, stray, &s);
    ASSERT_EQ(POD_ERROR_STATE, s.status[0]);
    ASSERT(strstr(s.error[0].message, "train.lua:7: rank 1 on ") != NULL);
    ASSERT(strstr(s.error[0].message, "has ended its run") != NULL);
    ASSERT(strstr(s.error[1].message, "no longer meet") != NULL);
    release_contexts(contexts, 2);
}

TEST(who_exchanges_other_values_is_told_so)
{
    /* In a message as long, in a longer one, and of another batch. */
    static const strayed others[] = {{.count = 2}, {.count = 500}, {.count = 1, .agreed = 1}};
    for (int i = 0; i < 3; i++) {
        pod_context *contexts[2];
        strayed s = others[i];
        make_contexts(contexts, 2);
        run_ranks(contexts, 2, stray, &s);
        ASSERT_EQ(POD_ERROR_STATE, s.status[0]);
        ASSERT(strstr(s.error[0].message, "train.lua:7: rank 1 on ") != NULL);
        ASSERT(strstr(s.error[0].message, "exchanges other values here") != NULL);
        release_contexts(contexts, 2);
    }
}

/* ---- ways round ---- */

/* All that a rank has of an exchange, by each algorithm. */
typedef struct round_trip {
    const char *algorithm;
    int32_t ranks;
    int64_t count;
    double *sums[MOST_RANKS];
    float *exact[MOST_RANKS];
    int64_t sent;
} round_trip;

static void go_round(void *argument, int32_t rank, pod_ranks *ranks)
{
    round_trip *t = argument;
    pod_error error;
    double *own = calloc((size_t)t->count, sizeof *own);
    float *small = calloc((size_t)t->count, sizeof *small), gathered[MOST_RANKS], mine = (float)rank;
    t->sums[rank] = calloc((size_t)t->count, sizeof(double));
    t->exact[rank] = calloc((size_t)t->count, sizeof(float));
    for (int64_t i = 0; i < t->count; i++) {
        own[i] = (double)value_of(rank, i);
        small[i] = (float)((i * 31 + rank * 17) % 64); /* in any order the same */
    }
    ASSERT_EQ(POD_OK, pod_mpi_choose_algorithm((pod_mpi_ranks *)ranks, t->algorithm, &error));
    const pod_meeting_part parts[] = {{{false, POD_REDUCE_SUM}, POD_F64, t->count, own, t->sums[rank]},
                                      {{true, POD_REDUCE_SUM}, POD_F32, 1, &mine, gathered},
                                      {{false, POD_REDUCE_SUM}, POD_F32, t->count, small, t->exact[rank]}};
    ASSERT_EQ(POD_OK, ranks->meet(ranks, &(pod_meeting){parts, 3, 0, "here:1"}, &error));
    for (int32_t i = 0; i < t->ranks; i++)
        ASSERT(gathered[i] == (float)i);
    t->sent = rank == 0 ? pod_ranks_describe(ranks)->sent_bytes : t->sent;
    free(own);
    free(small);
}

static void check_round_trip(const round_trip *t)
{
    for (int64_t i = 0; i < t->count; i++) {
        double sum = 0, size = 0;
        float exact = 0;
        for (int32_t r = 0; r < t->ranks; r++) {
            sum += (double)value_of(r, i);
            size += fabs((double)value_of(r, i));
            exact += (float)((i * 31 + r * 17) % 64);
        }
        for (int32_t r = 0; r < t->ranks; r++) {
            ASSERT(fabs(t->sums[r][i] - sum) <= size * DBL_EPSILON * t->ranks);
            ASSERT_EQ(0, memcmp(&t->sums[0][i], &t->sums[r][i], sizeof(double)));
            ASSERT(t->exact[r][i] == exact);
        }
    }
}

/* Several are begun before the first has ended, and go on meanwhile; one of them gathers, one is of nothing. */
static void begin_several(void *argument, int32_t rank, pod_ranks *ranks)
{
    enum { SEVERAL = 4, COUNT = 20000 };
    pod_error error;
    const char *algorithm = argument;
    float *own = calloc(COUNT, sizeof *own), *sums[SEVERAL], *all = calloc((size_t)COUNT * MOST_RANKS, sizeof *all);
    const int64_t counts[SEVERAL] = {COUNT, 7, 0, COUNT - 1};
    ASSERT_EQ(POD_OK, pod_mpi_choose_algorithm((pod_mpi_ranks *)ranks, algorithm, &error));
    for (int i = 0; i < COUNT; i++)
        own[i] = (float)((i + rank * 3) % 50);
    for (int k = 0; k < SEVERAL; k++) {
        sums[k] = calloc(COUNT, sizeof(float));
        const pod_meeting_part parts[] = {{{false, POD_REDUCE_SUM}, POD_F32, counts[k], own, sums[k]},
                                          {{true, POD_REDUCE_SUM}, POD_F32, COUNT, own, all}};
        ASSERT_EQ(POD_OK, ranks->begin(ranks, &(pod_meeting){parts, k == 3 ? 2 : 1, 0, "here:1"}, &error));
        for (int turn = 0; turn < rank; turn++)
            ranks->advance(ranks);
    }
    ASSERT_EQ(POD_OK, ranks->finish(ranks, &error));
    ASSERT_EQ(POD_OK, ranks->finish(ranks, &error)); /* of nothing */
    for (int k = 0; k < SEVERAL; k++) {
        for (int64_t i = 0; i < counts[k]; i++) {
            float sum = 0;
            for (int32_t r = 0; r < ranks->count; r++)
                sum += (float)((i + r * 3) % 50);
            ASSERT(sums[k][i] == sum);
        }
        free(sums[k]);
    }
    for (int32_t r = 0; r < ranks->count; r++)
        ASSERT(all[(size_t)r * COUNT + 1] == (float)((1 + r * 3) % 50));
    free(own);
    free(all);
}

TEST(what_was_begun_goes_on_and_ends)
{
    static const char *const names[] = {"direct", "whole", "ring", "tree", "2d", "hierarchical"};
    for (size_t a = 0; a < sizeof names / sizeof *names; a++)
        for (int32_t ranks = 1; ranks <= 4; ranks++) {
            pod_context *contexts[MOST_RANKS];
            make_contexts(contexts, ranks);
            run_ranks(contexts, ranks, begin_several, (void *)(uintptr_t)names[a]);
            release_contexts(contexts, ranks);
        }
}

TEST(each_algorithm_gives_all_the_sum)
{
    static const char *const names[] = {"whole", "direct", "ring", "tree", "2d", "hierarchical"};
    for (size_t a = 0; a < sizeof names / sizeof *names; a++)
        for (int32_t ranks = 1; ranks <= MOST_RANKS; ranks++) {
            round_trip t = {.algorithm = names[a], .ranks = ranks, .count = 5003};
            pod_context *contexts[MOST_RANKS];
            make_contexts(contexts, ranks);
            run_ranks(contexts, ranks, go_round, &t);
            check_round_trip(&t);
            for (int32_t r = 0; r < ranks; r++) {
                free(t.sums[r]);
                free(t.exact[r]);
            }
            release_contexts(contexts, ranks);
        }
}

/* Follows who is in each share, over a machine of several hosts: each rank comes to have each share of each rank once.
 * What is sent in a round is what was there before it. */
static void follow(const pod_mpi_schedule *schedule)
{
    const size_t n = (size_t)schedule->ranks;
    uint8_t *has = calloc(n * n * n, 1), *before = calloc(n * n * n, 1); /* [rank, share, whose] */
    pod_mpi_transfer sends[64], receives[64], others[64], unused[64];
    ASSERT(has && before && n <= 64);
    for (size_t i = 0; i < n; i++)
        for (size_t share = 0; share < n; share++)
            has[(i * n + share) * n + i] = 1;
    for (int32_t number = 0; number < pod_mpi_schedule_rounds(schedule); number++) {
        memcpy(before, has, n * n * n);
        for (int32_t i = 0; i < schedule->ranks; i++) {
            pod_mpi_round own = {.sends = sends, .receives = receives};
            pod_mpi_schedule_round(schedule, i, number, &own);
            for (int32_t k = 0; k < own.receive_count; k++) {
                const pod_mpi_transfer *one = &receives[k];
                pod_mpi_round other = {.sends = others, .receives = unused};
                pod_mpi_schedule_round(schedule, one->place, number, &other);
                int32_t matches = 0;
                for (int32_t m = 0; m < other.send_count; m++)
                    matches += others[m].place == i && others[m].first == one->first && others[m].count == one->count;
                ASSERT_EQ(1, matches);
                ASSERT(k == 0 || receives[k - 1].place < one->place);
                for (size_t share = (size_t)one->first; share < (size_t)(one->first + one->count); share++)
                    for (size_t whose = 0; whose < n; whose++) {
                        uint8_t *to = &has[((size_t)i * n + share) * n + whose];
                        *to = (uint8_t)((own.folds ? *to : 0) + before[((size_t)one->place * n + share) * n + whose]);
                    }
            }
        }
    }
    for (size_t i = 0; i < n * n * n; i++)
        ASSERT_EQ(1, has[i]);
    free(has);
    free(before);
}

TEST(schedules_bring_each_share_to_each_once)
{
    for (int algorithm = 0; algorithm < POD_MPI_ALGORITHM_COUNT; algorithm++)
        for (int32_t ranks = 1; ranks <= 24; ranks++)
            for (int32_t neighbours = 1; neighbours <= ranks; neighbours++) {
                if (ranks % neighbours != 0 || (algorithm != POD_MPI_HIERARCHICAL && neighbours > 1))
                    continue;
                const pod_mpi_schedule made = pod_mpi_schedule_make((pod_mpi_algorithm)algorithm, ranks, neighbours);
                follow(&made);
            }
}

TEST_MAIN(RUN(sums_are_those_in_the_order_of_ranks); RUN(what_was_begun_goes_on_and_ends);
          RUN(each_algorithm_gives_all_the_sum); RUN(schedules_bring_each_share_to_each_once); RUN(each_type_folds);
          RUN(who_meets_a_rank_that_has_left_is_told_which); RUN(who_exchanges_other_values_is_told_so))
