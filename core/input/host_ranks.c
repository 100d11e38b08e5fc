#include "input/host_ranks.h"

#include <string.h>

/* What a rank tells: its rows, whether it has ended, and of each component the rank and the sizes of a row. */
enum { ROWS, ENDED, SHAPES, SHAPE_WORDS = POD_MAX_RANK + 1 };

pod_status pod_input_host_ranks_open(pod_host_ranks *self, pod_stage *stage, int64_t pieces, int64_t *hosts,
                                     int64_t *host, pod_error *error)
{
    self->ranks = pod_context_ranks(stage->pass->context);
    if (self->ranks == NULL)
        return pod_error_set(error, POD_ERROR_STATE,
                             "distribute: the dataset is divided among ranks, and this process is none: use mpirun");
    self->context = stage->pass->context;
    *hosts = self->ranks->count;
    *host = self->ranks->rank;
    self->pieces = pieces;
    self->words = SHAPES + stage->width * SHAPE_WORDS;
    self->own = pod_input_hold(&stage->holdings, self->words, sizeof *self->own);
    self->all = pod_input_hold(&stage->holdings, self->words * (size_t)*hosts, sizeof *self->all);
    return pod_input_holdings_check(&stage->holdings, "what ranks tell of their batches", error);
}

void pod_input_host_ranks_begin(pod_host_ranks *self, int64_t rows, bool ended)
{
    memset(self->own, 0, self->words * sizeof *self->own);
    self->own[ROWS] = rows;
    self->own[ENDED] = ended;
}

void pod_input_host_ranks_tell(pod_host_ranks *self, size_t component, const pod_shape *shape)
{
    int64_t *to = self->own + SHAPES + component * SHAPE_WORDS;
    to[0] = shape->rank;
    for (int32_t k = 1; k < shape->rank; k++)
        to[1 + k] = shape->dims[k];
}

static const int64_t *told_by(const pod_host_ranks *self, int32_t rank)
{
    return self->all + (size_t)rank * self->words;
}

/* The first rank that has rows; all have none: the first. */
static const int64_t *first_told(const pod_host_ranks *self)
{
    for (int32_t i = 0; i < self->ranks->count; i++)
        if (told_by(self, i)[ROWS] > 0)
            return told_by(self, i);
    return self->all;
}

/* Looks whether each rank has the rows that its replicas take of so many. */
static bool are_placed(const pod_host_ranks *self)
{
    const int64_t replicas = self->pieces * self->ranks->count;
    const int64_t share = (self->rows / replicas + (self->rows % replicas > 0)) * self->pieces;
    int64_t left = self->rows;
    for (int32_t i = 0; i < self->ranks->count; i++) {
        const int64_t wanted = share < left ? share : left;
        if (told_by(self, i)[ROWS] != wanted)
            return false;
        left -= wanted;
    }
    return true;
}

/* Gives all ranks what each has. */
static pod_status gather(pod_host_ranks *self, const void *from, size_t bytes, void *all, pod_error *error)
{
    const pod_meeting_part part = {
        .way = {.gathers = true}, .dtype = POD_U8, .count = (int64_t)bytes, .from = from, .to = all};
    return self->ranks->meet(self->ranks, &(pod_meeting){.parts = &part, .count = 1}, error);
}

pod_status pod_input_host_ranks_meet(pod_host_ranks *self, pod_error *error)
{
    const pod_status status = gather(self, self->own, self->words * sizeof *self->own, self->all, error);
    bool ended = true;
    if (status != POD_OK)
        return status;
    const int64_t *first = first_told(self);
    self->rows = self->first_row = 0;
    for (int32_t i = 0; i < self->ranks->count; i++) {
        const int64_t *told = told_by(self, i);
        if (told[ROWS] > 0 && memcmp(told + SHAPES, first + SHAPES, (self->words - SHAPES) * sizeof *told) != 0)
            return pod_error_set(error, POD_ERROR_SHAPE,
                                 "distribute: the batches of ranks have rows of different shapes; pad them to one");
        self->first_row += i < self->ranks->rank ? told[ROWS] : 0;
        self->rows += told[ROWS];
        ended = ended && told[ENDED];
    }
    self->move = !are_placed(self);
    return self->rows == 0 && ended ? POD_END : POD_OK;
}

void pod_input_host_ranks_row(const pod_host_ranks *self, size_t component, pod_shape *shape)
{
    const int64_t *from = first_told(self) + SHAPES + component * SHAPE_WORDS;
    *shape = (pod_shape){.rank = (int32_t)from[0]};
    for (int32_t k = 1; k < shape->rank; k++)
        shape->dims[k] = from[1 + k];
}

pod_status pod_input_host_ranks_complete(pod_host_ranks *self, char *rows, size_t row_bytes, pod_error *error)
{
    const int32_t count = self->ranks->count;
    int64_t most = 0;
    if (!self->move)
        return POD_OK;
    for (int32_t i = 0; i < count; i++)
        most = told_by(self, i)[ROWS] > most ? told_by(self, i)[ROWS] : most;
    const size_t bytes = (size_t)most * row_bytes, own = (size_t)self->own[ROWS] * row_bytes;
    char *room = pod_allocate(self->context, bytes * ((size_t)count + 1) + 1);
    if (room == NULL)
        return pod_error_memory(error, "rows of other ranks", bytes * ((size_t)count + 1));
    memcpy(room, rows + (size_t)self->first_row * row_bytes, own);
    memset(room + own, 0, bytes - own);
    const pod_status status = gather(self, room, bytes, room + bytes, error);
    for (int32_t i = 0; status == POD_OK && i < count; i++) {
        const size_t here = (size_t)told_by(self, i)[ROWS] * row_bytes;
        memcpy(rows, room + bytes * ((size_t)i + 1), here);
        rows += here;
    }
    pod_free(self->context, room);
    return status;
}
