/* mpi_schedule - see mpi_schedule.h. An algorithm is a few stages, each among some of the ranks: a grid's row or
 * column. */

#include "backends/mpi/mpi_schedule.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#define MOST_STAGES 4

/* What members do with a span of shares, which falls into a block for each of them. */
typedef enum stage_kind {
    STAGE_ALL,          /* each gives its span to each */
    STAGE_SCATTER,      /* each sums its block */
    STAGE_GATHER,       /* and gives it to each */
    STAGE_RING_SCATTER, /* the same, from neighbour to neighbour */
    STAGE_RING_GATHER,
    STAGE_UP, /* the first sums the span, in pairs */
    STAGE_DOWN,
} stage_kind;

typedef struct stage {
    stage_kind kind;
    int32_t first_place, apart, members; /* who takes part: places first_place + apart * i */
    int32_t own;                         /* this rank's i */
    int32_t first, count;                /* the span */
} stage;

pod_mpi_algorithm pod_mpi_algorithm_of(const char *name)
{
    static const char *const names[] = {
#define X(enumerator, name) name,
        POD_MPI_ALGORITHM_LIST(X)
#undef X
    };
    int at = 0;
    while (at < POD_MPI_ALGORITHM_COUNT && strcmp(names[at], name) != 0)
        at++;
    return (pod_mpi_algorithm)at;
}

/* The largest divisor whose square is not above a number leaves at least as many columns as rows. */
static int32_t square_columns(int32_t ranks)
{
    int32_t rows = 1;
    for (int32_t i = 2; i <= ranks / i; i++)
        rows = ranks % i == 0 ? i : rows;
    return ranks / rows;
}

pod_mpi_schedule pod_mpi_schedule_make(pod_mpi_algorithm algorithm, int32_t ranks, int32_t neighbours)
{
    assert(ranks > 0 && (algorithm != POD_MPI_HIERARCHICAL || ranks % neighbours == 0));
    const int32_t columns = algorithm == POD_MPI_GRID           ? square_columns(ranks)
                            : algorithm == POD_MPI_HIERARCHICAL ? neighbours
                                                                : ranks;
    return (pod_mpi_schedule){algorithm, ranks, columns};
}

/* The kinds of an algorithm's stages; returns how many there are. */
static int32_t kinds_of(pod_mpi_algorithm algorithm, const stage_kind **kinds)
{
    static const stage_kind whole[] = {STAGE_ALL}, direct[] = {STAGE_SCATTER, STAGE_GATHER},
                            ring[] = {STAGE_RING_SCATTER, STAGE_RING_GATHER}, tree[] = {STAGE_UP, STAGE_DOWN},
                            grid[] = {STAGE_RING_SCATTER, STAGE_RING_SCATTER, STAGE_RING_GATHER, STAGE_RING_GATHER},
                            hosts[] = {STAGE_SCATTER, STAGE_RING_SCATTER, STAGE_RING_GATHER, STAGE_GATHER};
    *kinds = algorithm == POD_MPI_WHOLE    ? whole
             : algorithm == POD_MPI_DIRECT ? direct
             : algorithm == POD_MPI_RING   ? ring
             : algorithm == POD_MPI_TREE   ? tree
             : algorithm == POD_MPI_GRID   ? grid
                                           : hosts;
    return algorithm == POD_MPI_WHOLE ? 1 : algorithm < POD_MPI_GRID ? 2 : 4;
}

/* Stages of a grid go along rows, columns, columns and rows; others among all. */
static stage stage_of(const pod_mpi_schedule *schedule, const stage_kind *kinds, int32_t count, int32_t place,
                      int32_t at)
{
    const int32_t columns = schedule->columns, rows = schedule->ranks / columns;
    const int32_t row = place / columns, column = place % columns;
    if (count == MOST_STAGES && (at == 1 || at == 2))
        return (stage){kinds[at], column, columns, rows, row, column * rows, rows};
    return (stage){kinds[at], row * columns, 1, columns, column, 0, schedule->ranks};
}

static int32_t rounds_of(stage_kind kind, int32_t members)
{
    int32_t pairs = 0;
    switch (kind) {
    case STAGE_RING_SCATTER:
    case STAGE_RING_GATHER:
        return members - 1;
    case STAGE_UP:
    case STAGE_DOWN:
        while ((int64_t)1 << pairs < members)
            pairs++;
        return pairs;
    default:
        return members > 1;
    }
}

int32_t pod_mpi_schedule_rounds(const pod_mpi_schedule *schedule)
{
    const stage_kind *kinds;
    const int32_t count = kinds_of(schedule->algorithm, &kinds);
    int32_t rounds = 0;
    for (int32_t i = 0; i < count; i++)
        rounds += rounds_of(kinds[i], stage_of(schedule, kinds, count, 0, i).members);
    return rounds;
}

/* ---- rounds ---- */

static int32_t place_of(const stage *s, int32_t member)
{
    return s->first_place + s->apart * member;
}

static int32_t around(const stage *s, int32_t member)
{
    return (member % s->members + s->members) % s->members;
}

static pod_mpi_transfer span_of(const stage *s, int32_t member)
{
    return (pod_mpi_transfer){place_of(s, member), s->first, s->count};
}

/* The block of a member, on its way to or from another. */
static pod_mpi_transfer block_of(const stage *s, int32_t with, int32_t member)
{
    const int32_t size = s->count / s->members;
    return (pod_mpi_transfer){place_of(s, with), s->first + around(s, member) * size, size};
}

/* With each other member: what goes out turns with this one, so that not all send to the same at once. */
static void exchange_with_all(const stage *s, pod_mpi_round *round)
{
    for (int32_t i = 1; i < s->members; i++) {
        const int32_t to = around(s, s->own + i);
        round->sends[round->send_count++] = s->kind == STAGE_ALL       ? span_of(s, to)
                                            : s->kind == STAGE_SCATTER ? block_of(s, to, to)
                                                                       : block_of(s, to, s->own);
    }
    for (int32_t from = 0; from < s->members; from++)
        if (from != s->own)
            round->receives[round->receive_count++] = s->kind == STAGE_ALL       ? span_of(s, from)
                                                      : s->kind == STAGE_SCATTER ? block_of(s, from, s->own)
                                                                                 : block_of(s, from, from);
}

static void turn(const stage *s, int32_t number, pod_mpi_round *round)
{
    const int32_t own = s->own - number - (s->kind == STAGE_RING_SCATTER);
    round->sends[round->send_count++] = block_of(s, around(s, s->own + 1), own);
    round->receives[round->receive_count++] = block_of(s, around(s, s->own - 1), own - 1);
}

static void climb(const stage *s, int32_t number, pod_mpi_round *round)
{
    const int32_t distance = (int32_t)1 << (s->kind == STAGE_UP ? number : rounds_of(s->kind, s->members) - 1 - number);
    const bool is_lower = s->own % (2 * distance) == 0 && s->own + distance < s->members;
    const bool is_upper = s->own % (2 * distance) == distance;
    if (is_lower || is_upper) {
        const pod_mpi_transfer one = span_of(s, is_lower ? s->own + distance : s->own - distance);
        if (is_upper == (s->kind == STAGE_UP))
            round->sends[round->send_count++] = one;
        else
            round->receives[round->receive_count++] = one;
    }
}

void pod_mpi_schedule_round(const pod_mpi_schedule *schedule, int32_t place, int32_t number, pod_mpi_round *round)
{
    const stage_kind *kinds;
    const int32_t count = kinds_of(schedule->algorithm, &kinds);
    int32_t at = 0, begun = 0;
    stage s = stage_of(schedule, kinds, count, place, 0);
    while (number - begun >= rounds_of(s.kind, s.members)) {
        begun += rounds_of(s.kind, s.members);
        s = stage_of(schedule, kinds, count, place, ++at);
        assert(at < count);
    }
    round->send_count = round->receive_count = 0;
    round->folds = s.kind == STAGE_ALL || s.kind == STAGE_SCATTER || s.kind == STAGE_RING_SCATTER || s.kind == STAGE_UP;
    round->fresh = begun == 0 && (s.kind != STAGE_UP || number == 0);
    if (s.kind == STAGE_RING_SCATTER || s.kind == STAGE_RING_GATHER)
        turn(&s, number - begun, round);
    else if (s.kind == STAGE_UP || s.kind == STAGE_DOWN)
        climb(&s, number - begun, round);
    else
        exchange_with_all(&s, round);
}
