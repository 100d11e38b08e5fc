#ifndef POD_TESTS_THREAD_WIRE_H
#define POD_TESTS_THREAD_WIRE_H

/*
 * thread_wire - ranks that are threads of one process: messages as core/backends/mpi wants them, without an MPI.
 *
 *     rank_results results[3];
 *     run_ranks(contexts, 3, body, argument);
 *
 * calls body(argument, rank) on a thread each, with ranks in their contexts.
 */

#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "backends/mpi/mpi_ranks.h"
#include "test.h"

#define MOST_RANKS 8

typedef struct letter {
    struct letter *next;
    int32_t from, to, tag;
    size_t bytes;
    char data[];
} letter;

/* What is to be received: its `handle` is its place in the list + 1; that of a message which was sent is 0. */
typedef struct wanted {
    int32_t from, tag;
    void *data;
    size_t bytes;
    bool open;
} wanted;

typedef struct post_office {
    uv_mutex_t mutex;
    letter *first; /* in the order in which they were sent */
} post_office;

typedef struct thread_rank {
    post_office *office;
    int32_t rank;
    wanted wants[256];
} thread_rank;

static thread_rank *rank_of(const pod_mpi_wire *wire)
{
    return (thread_rank *)(uintptr_t)wire->own[0];
}

static bool wire_send(pod_mpi_wire *wire, int32_t to, int32_t tag, const void *data, size_t bytes,
                      pod_mpi_message *request)
{
    letter *made = malloc(sizeof *made + bytes);
    *made = (letter){NULL, wire->rank, to, tag, bytes};
    memcpy(made->data, data, bytes);
    post_office *office = rank_of(wire)->office;
    uv_mutex_lock(&office->mutex);
    letter **end = &office->first;
    while (*end)
        end = &(*end)->next;
    *end = made;
    uv_mutex_unlock(&office->mutex);
    request->handle = 0;
    return true;
}

static bool wire_receive(pod_mpi_wire *wire, int32_t from, int32_t tag, void *data, size_t bytes,
                         pod_mpi_message *request)
{
    thread_rank *own = rank_of(wire);
    for (size_t i = 0; i < sizeof own->wants / sizeof *own->wants; i++) {
        if (own->wants[i].open)
            continue;
        own->wants[i] = (wanted){from, tag, data, bytes, true};
        request->handle = i + 1;
        return true;
    }
    return false;
}

/* Takes the first letter of a sender (-1: of any) and a tag; only looks where data is NULL. */
static letter *find_letter(const pod_mpi_wire *wire, int32_t from, int32_t tag, bool takes)
{
    post_office *office = rank_of(wire)->office;
    uv_mutex_lock(&office->mutex);
    letter **at = &office->first;
    while (*at && !((*at)->to == wire->rank && (*at)->tag == tag && (from < 0 || (*at)->from == from)))
        at = &(*at)->next;
    letter *found = *at;
    if (found && takes)
        *at = found->next;
    uv_mutex_unlock(&office->mutex);
    return found;
}

static bool wire_test(pod_mpi_wire *wire, pod_mpi_message *request, bool *done)
{
    *done = request->handle == 0;
    if (*done)
        return true;
    wanted *one = &rank_of(wire)->wants[request->handle - 1];
    letter *found = find_letter(wire, one->from, one->tag, true);
    if (!found)
        return true;
    const bool fits = found->bytes <= one->bytes; /* else an MPI fails */
    memcpy(one->data, found->data, fits ? found->bytes : one->bytes);
    free(found);
    one->open = false;
    request->handle = 0;
    *done = true;
    return fits;
}

static void wire_cancel(pod_mpi_wire *wire, pod_mpi_message *request)
{
    if (request->handle)
        rank_of(wire)->wants[request->handle - 1].open = false;
    request->handle = 0;
}

static bool wire_probe(pod_mpi_wire *wire, int32_t tag, bool *found, int32_t *from, size_t *bytes)
{
    const letter *there = find_letter(wire, -1, tag, false);
    *found = there != NULL;
    if (there) {
        *from = there->from;
        *bytes = there->bytes;
    }
    return true;
}

static void wire_end(pod_mpi_wire *wire)
{
    (void)wire;
}

/* ---- ranks on threads ---- */

typedef void rank_body(void *argument, int32_t rank, pod_ranks *ranks);

typedef struct rank_thread {
    uv_thread_t thread;
    pod_context *context;
    pod_mpi_wire wire;
    thread_rank own;
    rank_body *body;
    void *argument;
    pod_status status;
    pod_error error;
} rank_thread;

static void run_rank(void *argument)
{
    rank_thread *one = argument;
    pod_mpi_ranks *ranks;
    one->status = pod_mpi_ranks_new(one->context, &one->wire, &ranks, &one->error);
    if (one->status != POD_OK)
        return;
    pod_context_set_ranks(one->context, &ranks->base);
    one->body(one->argument, one->own.rank, &ranks->base);
    pod_ranks_close(&ranks->base);
}

/* Runs body(argument, rank, ranks) for each rank. */
__attribute__((unused)) static void run_ranks(pod_context *const *contexts, int32_t count, rank_body *body,
                                              void *argument)
{
    post_office office = {.first = NULL};
    rank_thread *all = calloc((size_t)count, sizeof *all);
    ASSERT(all != NULL && uv_mutex_init(&office.mutex) == 0);
    for (int32_t i = 0; i < count; i++) {
        all[i] = (rank_thread){.context = contexts[i], .body = body, .argument = argument};
        all[i].own = (thread_rank){.office = &office, .rank = i};
        all[i].wire = (pod_mpi_wire){.rank = i,
                                     .count = count,
                                     .library = "threads",
                                     .own = {(uintptr_t)&all[i].own},
                                     .send = wire_send,
                                     .receive = wire_receive,
                                     .test = wire_test,
                                     .cancel = wire_cancel,
                                     .probe = wire_probe,
                                     .end = wire_end};
    }
    for (int32_t i = 0; i < count; i++)
        ASSERT(uv_thread_create(&all[i].thread, run_rank, &all[i]) == 0);
    for (int32_t i = 0; i < count; i++)
        ASSERT(uv_thread_join(&all[i].thread) == 0);
    for (int32_t i = 0; i < count; i++)
        if (all[i].status != POD_OK)
            FAIL("rank %d: %s", i, all[i].error.message);
    ASSERT(office.first == NULL); /* nobody was sent what he does not want */
    uv_mutex_destroy(&office.mutex);
    free(all);
}

#endif
