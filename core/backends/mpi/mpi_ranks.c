/* mpi_ranks - ranks by an MPI: they come together, learn each other's hosts, and leave together. */

#include "backends/mpi/mpi_ranks.h"

#include "backends/mpi/watch.h"
#include "base/error.h"
#include "base/thread.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <uv.h>

/* Gives up what an unfinished meeting would receive. What it sends is received: see drop_messages(). */
static void give_up(pod_mpi_ranks *ranks)
{
    for (uint32_t i = 0; ranks->broken && i < ranks->request_count; i++)
        if (ranks->requests[i].receives)
            ranks->wire.cancel(&ranks->wire, &ranks->requests[i].request);
}

/* Receives what was sent to this rank for meetings to which it does not come: nobody waits for that. Returns whether
 * there was anything. */
static bool drop_messages(pod_mpi_ranks *ranks)
{
    pod_mpi_wire *wire = &ranks->wire;
    bool any = false;
    for (;;) {
        bool found = false, done = false;
        int32_t from = 0;
        size_t bytes = 0;
        pod_mpi_message request = {0};
        if (!wire->probe(wire, POD_MPI_MEETING, &found, &from, &bytes) || !found)
            return any;
        char *dropped = pod_allocate(ranks->context, bytes);
        if (dropped == NULL || !wire->receive(wire, from, POD_MPI_MEETING, dropped, bytes, &request))
            done = true;
        while (!done && wire->test(wire, &request, &done))
            pod_mpi_rest(0);
        pod_free(ranks->context, dropped);
        any = true;
    }
}

/* Tells a rank that this one leaves: so short a message needs nobody to receive it. */
static bool say_farewell(pod_mpi_ranks *ranks, int32_t to)
{
    const char word = 0;
    pod_mpi_message request = {0};
    bool done = false;
    bool good = ranks->wire.send(&ranks->wire, to, POD_MPI_FAREWELL, &word, sizeof word, &request);
    while (good && !done)
        good = ranks->wire.test(&ranks->wire, &request, &done);
    return good;
}

/* All ranks leave together: none ends while another may still wait for it. */
static void leave(pod_mpi_ranks *ranks)
{
    pod_error error;
    int32_t gone = 0;
    uint64_t turns = 0;
    give_up(ranks);
    ranks->left[ranks->about.rank] = true;
    for (int32_t i = 0; i < ranks->about.count; i++)
        if (i != ranks->about.rank && !say_farewell(ranks, i))
            return;
    while (pod_mpi_note_farewells(ranks, &gone, &error) && gone < ranks->about.count && !pod_mpi_is_left_alone(ranks)) {
        turns = drop_messages(ranks) ? 0 : turns + 1;
        pod_mpi_rest(turns);
    }
    (void)drop_messages(ranks);
    (void)pod_mpi_hear_standings(ranks);
    for (uint32_t i = 0; ranks->broken && i < ranks->request_count; i++) {
        bool done = ranks->requests[i].receives;
        for (turns = 0; !done && turns < 20000; turns++)
            if (!ranks->wire.test(&ranks->wire, &ranks->requests[i].request, &done))
                return;
    }
}

static void free_ranks(pod_mpi_ranks *ranks)
{
    pod_context *context = ranks->context;
    pod_free(context, ranks->hosts);
    pod_free(context, ranks->left);
    pod_free(context, ranks->standings);
    pod_free(context, ranks->out);
    pod_free(context, ranks->in);
    pod_free(context, ranks->order);
    pod_free(context, ranks->folded);
    pod_free(context, ranks->transfers);
    pod_free(context, ranks->requests);
    pod_free(context, ranks);
    pod_context_release(context);
}

void pod_ranks_close(pod_ranks *base)
{
    pod_mpi_ranks *ranks = (pod_mpi_ranks *)base;
    if (ranks == NULL)
        return;
    if (pod_context_ranks(ranks->context) == base)
        pod_context_set_ranks(ranks->context, NULL);
    leave(ranks);
    pod_mpi_watch_end(ranks); /* not before: who ends while others are still there has died */
    ranks->wire.end(&ranks->wire);
    free_ranks(ranks);
}

const pod_ranks_description *pod_ranks_describe(const pod_ranks *ranks)
{
    return &((const pod_mpi_ranks *)ranks)->about;
}

void pod_ranks_note_checkpoint(pod_ranks *ranks, const char *path)
{
    pod_mpi_watch_note((const pod_mpi_ranks *)ranks, path);
}

/* Ranks that a launcher has bound to CPUs of their own have those; others share what there is. */
static void count_neighbours(pod_mpi_ranks *ranks)
{
    uv_cpu_info_t *all = NULL;
    int cpus = 0;
    const int own = (int)uv_available_parallelism();
    if (uv_cpu_info(&all, &cpus) == 0)
        uv_free_cpu_info(all, cpus);
    for (int32_t i = 0; i < ranks->about.count; i++)
        ranks->about.neighbours += strcmp(ranks->hosts[i], ranks->hosts[ranks->about.rank]) == 0;
    const int share = own / ranks->about.neighbours;
    ranks->about.threads = own < cpus ? own : share > 1 ? share : 1;
}

/* Ranks of a host at neighbouring places; false: some host has more than another. */
static bool order_by_hosts(pod_mpi_ranks *ranks)
{
    int32_t placed = 0;
    for (int32_t i = 0; i < ranks->about.count; i++) {
        bool is_first = true;
        for (int32_t j = 0; j < i; j++)
            is_first = is_first && strcmp(ranks->hosts[i], ranks->hosts[j]) != 0;
        const int32_t begun = placed;
        for (int32_t j = i; is_first && j < ranks->about.count; j++)
            if (strcmp(ranks->hosts[i], ranks->hosts[j]) == 0)
                ranks->order[placed++] = j;
        if (is_first && placed - begun != ranks->about.neighbours)
            return false;
    }
    for (int32_t i = 0; i < placed; i++)
        ranks->place = ranks->order[i] == ranks->about.rank ? i : ranks->place;
    return true;
}

pod_status pod_mpi_choose_algorithm(pod_mpi_ranks *ranks, const char *name, pod_error *error)
{
    const pod_mpi_algorithm algorithm = name ? pod_mpi_algorithm_of(name) : POD_MPI_DIRECT;
    if (algorithm == POD_MPI_ALGORITHM_COUNT)
        return pod_error_set(error, POD_ERROR_VALUE, "'%s' is no algorithm of an exchange", name);
    if (algorithm == POD_MPI_HIERARCHICAL && !order_by_hosts(ranks))
        return pod_error_set(error, POD_ERROR_VALUE,
                             "the hierarchical exchange wants as many ranks on each host, and %s has %d of %d: take "
                             "another, or start as many on each",
                             ranks->hosts[ranks->about.rank], (int)ranks->about.neighbours, (int)ranks->about.count);
    ranks->algorithm = algorithm;
    return POD_OK;
}

pod_status pod_mpi_ranks_new(pod_context *context, const pod_mpi_wire *wire, pod_mpi_ranks **made, pod_error *error)
{
    const size_t count = (size_t)wire->count;
    pod_mpi_ranks *ranks = *made = pod_allocate_zeroed(context, 1, sizeof *ranks);
    if (ranks == NULL)
        return pod_error_memory(error, "ranks", sizeof *ranks);
    ranks->context = pod_context_retain(context);
    ranks->line = -1;
    ranks->wire = *wire;
    ranks->base = (pod_ranks){.rank = wire->rank,
                              .count = wire->count,
                              .meet = pod_mpi_meet,
                              .begin = pod_mpi_begin,
                              .advance = pod_mpi_advance,
                              .finish = pod_mpi_finish,
                              .give_up = pod_mpi_give_up};
    ranks->about = (pod_ranks_description){.rank = wire->rank, .count = wire->count};
    memcpy(ranks->about.library, wire->library, sizeof ranks->about.library - 1);
    ranks->hosts = pod_allocate_zeroed(context, count, sizeof *ranks->hosts);
    ranks->standings = pod_allocate_zeroed(context, count + 1, sizeof *ranks->standings);
    ranks->left = pod_allocate_zeroed(context, count, sizeof *ranks->left);
    ranks->order = pod_allocate_zeroed(context, count, sizeof *ranks->order);
    ranks->folded = pod_allocate_zeroed(context, count, sizeof *ranks->folded);
    ranks->transfers = pod_allocate_zeroed(context, count * 2, sizeof *ranks->transfers);
    ranks->requests = pod_allocate_zeroed(context, count * 2, sizeof *ranks->requests);
    ranks->place = wire->rank;
    for (int32_t i = 0; ranks->order && i < wire->count; i++)
        ranks->order[i] = i;
    char own[POD_MPI_HOST] = "";
    size_t size = sizeof own;
    const bool has_all = ranks->hosts && ranks->left && ranks->standings && ranks->order && ranks->folded &&
                         ranks->transfers && ranks->requests;
    pod_status status = has_all ? POD_OK : pod_error_memory(error, "ranks", 0);
    if (status == POD_OK && uv_os_gethostname(own, &size) != 0)
        memcpy(own, "a host", sizeof "a host");
    if (status == POD_OK)
        status = pod_ranks_gather(&ranks->base, own, sizeof own, ranks->hosts, error);
    if (status == POD_OK) {
        ranks->about.host = ranks->hosts[wire->rank];
        count_neighbours(ranks);
        return POD_OK;
    }
    free_ranks(ranks);
    *made = NULL;
    return status;
}

/* What was asked for must be the same on all: else messages would not fit. */
static pod_status check_options(pod_mpi_ranks *ranks, pod_error *error)
{
    const int32_t own[] = {(int32_t)ranks->algorithm, ranks->options.narrow};
    int32_t *all = pod_allocate(ranks->context, (size_t)ranks->about.count * sizeof own);
    if (all == NULL)
        return pod_error_memory(error, "ranks", 0);
    pod_status status = pod_ranks_gather(&ranks->base, own, sizeof own, all, error);
    for (int32_t i = 1; status == POD_OK && i < ranks->about.count; i++)
        if (memcmp(all, all + 2 * i, sizeof own) != 0)
            status = pod_error_set(error, POD_ERROR_STATE,
                                   "rank %d on %s would exchange in another way than rank 0: all ranks must run the "
                                   "same script",
                                   i, ranks->hosts[i]);
    pod_free(ranks->context, all);
    return status;
}

/* ---- all begin ---- */

/* MPI begins once all ranks are there: a thread tells where that takes long, as one whose script never comes there. */
typedef struct arrival {
    const pod_ranks_options *options;
    uv_mutex_t mutex;
    uv_cond_t ended;
    bool over;
} arrival;

static void announce_arrival(void *argument)
{
    arrival *a = argument;
    uint64_t seconds = 0, next = POD_MPI_ANNOUNCED;
    uv_mutex_lock(&a->mutex);
    while (!a->over)
        if (uv_cond_timedwait(&a->ended, &a->mutex, next) == UV_ETIMEDOUT && !a->over) {
            char text[192];
            seconds += next / 1000000000u;
            (void)snprintf(text, sizeof text,
                           "waited %d s for other ranks, which do not join: each must come to pod.cluster.resolve "
                           "with `mpi`; what one says that has ended stands in its own output",
                           (int)seconds);
            a->options->tell(a->options->tell_context, text);
            next = POD_MPI_ANNOUNCED2;
        }
    uv_mutex_unlock(&a->mutex);
}

/* Begins MPI; where no thread can be had, without a word. */
static bool arrive(pod_context *context, pod_mpi_wire_opener *open, pod_mpi_wire *wire,
                   const pod_ranks_options *options)
{
    arrival a = {.options = options};
    uv_thread_t thread;
    const int places = options->tell != NULL ? pod_threads_take(context, 1) : 0;
    const bool has_mutex = places > 0 && uv_mutex_init(&a.mutex) == 0;
    const bool has_both = has_mutex && uv_cond_init(&a.ended) == 0;
    const bool tells = has_both && pod_thread_start(&thread, 0, announce_arrival, &a) == 0;
    const bool good = open(wire, POD_MPI_WIRE_VERSION);
    if (tells) {
        uv_mutex_lock(&a.mutex);
        a.over = true;
        uv_cond_signal(&a.ended);
        uv_mutex_unlock(&a.mutex);
        uv_thread_join(&thread);
    }
    if (has_both)
        uv_cond_destroy(&a.ended);
    if (has_mutex)
        uv_mutex_destroy(&a.mutex);
    pod_threads_give_back(context, places);
    return good;
}

pod_status pod_ranks_open(pod_context *context, const pod_ranks_options *options, pod_ranks **made, pod_error *error)
{
    const char *module = options->module;
    pod_mpi_wire wire = {0};
    pod_mpi_ranks *ranks;
    *made = NULL;
    if (pod_context_is_guest(context))
        return pod_error_set(error, POD_ERROR_UNSUPPORTED, "a sandbox has no other ranks");
    if (pod_context_ranks(context) != NULL)
        return pod_error_set(error, POD_ERROR_STATE, "the context has ranks already");
    void *library = dlopen(module, RTLD_NOW | RTLD_GLOBAL); /* an MPI looks for itself among what is loaded */
    if (library == NULL) {
        const char *why = dlerror();
        return pod_error_set(error, POD_ERROR_NOT_FOUND, "MPI cannot be loaded: %s", why != NULL ? why : module);
    }
    pod_mpi_wire_opener *open;
    *(void **)&open = dlsym(library, "pod_mpi_wire_open");
    if (open == NULL)
        return pod_error_set(error, POD_ERROR_NOT_FOUND, "%s is no module of Moonpod for an MPI", module);
    if (!arrive(context, open, &wire, options))
        return pod_error_set(error, POD_ERROR_STATE, "MPI does not begin: %s", wire.trouble);
    const pod_status status = pod_mpi_ranks_new(context, &wire, &ranks, error);
    if (status != POD_OK) {
        wire.end(&wire);
        return status;
    }
    ranks->library = library;
    ranks->options = *options;
    pod_context_set_ranks(context, &ranks->base);
    pod_status begun = pod_mpi_choose_algorithm(ranks, options->algorithm, error);
    if (begun == POD_OK)
        begun = check_options(ranks, error);
    if (begun == POD_OK && options->watches)
        begun = pod_mpi_watch_begin(ranks, error);
    if (begun != POD_OK) {
        pod_ranks_close(&ranks->base);
        return begun;
    }
    *made = &ranks->base;
    return POD_OK;
}
