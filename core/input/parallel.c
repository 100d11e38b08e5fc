/* parallel - runs a stage on several threads, each on blocks of elements of its own. */

#include "base/growth.h"
#include "input/stage_stats.h"

#include <string.h>

#define MOST_THREADS 256
/* Finished blocks that may wait for the consumer, a thread. */
#define BLOCKS_A_THREAD 2
/* Blocks, a thread, after which the number of threads is judged. */
#define BLOCKS_A_WINDOW 4
/* Bytes of the elements of a block, at most. */
#define BLOCK_BYTES ((int64_t)1 << 20)

typedef struct parallel_dataset {
    pod_dataset base; /* its input is the stage that is run in parallel, and not its own input */
    int64_t threads;  /* as asked for, POD_AUTOTUNE included */
    pod_order order;
    int64_t first_block, most_block; /* elements that a thread takes at once */
} parallel_dataset;

/* The elements of a finished block, or why there are no more. */
typedef struct finished_block {
    bool filled;
    pod_part *parts;
    size_t count, given, room;
    pod_status outcome; /* that comes behind the elements; POD_OK: nothing */
    pod_error failure;
} finished_block;

struct worker;

/* What was measured since the number of threads was judged last. */
typedef struct window {
    uint64_t blocks, elements;
    uint64_t working;   /* nanoseconds of all threads */
    uint64_t supplying; /* that the input took */
    uint64_t began;     /* by the clock */
    uint64_t waited;    /* nanoseconds of the consumer since then */
} window;

typedef struct parallel_stage {
    pod_stage base;
    pod_scope inside;
    bool has_scope, has_mutex, has_input_mutex, has_made, has_free, has_allowed, runs;
    bool direct; /* no threads: the stage itself is asked */
    bool unordered, tunes;
    size_t thread_count, slot_count; /* most threads; slots for those */
    struct stage_worker *workers;
    pod_stage *input; /* of the stage that is run in parallel */

    uv_mutex_t input_mutex; /* guards `input` and the two below */
    uint64_t tickets;       /* blocks taken from the input */
    bool input_ended;       /* or failed: nobody asks again */

    atomic_int_fast64_t block; /* elements of the next block */

    uv_mutex_t mutex;      /* guards everything below */
    uv_cond_t block_made;  /* a slot was filled, or the scope was cancelled */
    uv_cond_t slot_free;   /* a slot was emptied, or the scope was cancelled */
    uv_cond_t allowed;     /* more threads may work, or the scope was cancelled, or the input ended */
    finished_block *slots; /* ticket t goes to slot t mod slot_count */
    uint64_t next;         /* ticket that the consumer wants */
    size_t started;        /* threads of this pass */
    pod_thread_tuner tuner;
    window measured;
    bool no_more; /* the input ended */
} parallel_stage;

/* ---- the input of a worker's stage: the block that the worker took ---- */

typedef struct feeder_stage {
    pod_stage base;
    pod_part *parts;
    size_t count, given;
} feeder_stage;

static pod_status feeder_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    feeder_stage *self = (feeder_stage *)stage;
    const size_t left = self->count - self->given;
    (void)error;
    *count = left < limit ? left : limit;
    if (*count == 0)
        return POD_END;
    memcpy(parts, self->parts + self->given * stage->width, *count * stage->width * sizeof *parts);
    self->given += *count;
    return POD_OK;
}

static const pod_stage_class feeder_class = {
    .name = "feeder",
    .next = feeder_next,
    .untimed = true,
};

typedef struct stage_worker {
    parallel_stage *owner;
    uv_thread_t thread;
    bool runs;
    feeder_stage feeder;
    pod_dataset feeder_dataset;  /* what the feeder's stage says it is of */
    pod_stage *stage;            /* this worker's instance of the stage */
    uint64_t supplying, working; /* nanoseconds of the last block */
} stage_worker;

/* ---- workers ---- */

static void wake(void *context)
{
    parallel_stage *self = context;
    uv_mutex_lock(&self->mutex);
    uv_cond_broadcast(&self->block_made);
    uv_cond_broadcast(&self->slot_free);
    uv_cond_broadcast(&self->allowed);
    uv_mutex_unlock(&self->mutex);
}

static const parallel_dataset *parallel_of(const parallel_stage *self)
{
    return (const parallel_dataset *)self->base.dataset;
}

/* Waits for room in front of the consumer's place; false when the scope was cancelled. */
static bool wait_for_slot(parallel_stage *self, uint64_t ticket)
{
    uv_mutex_lock(&self->mutex);
    while (ticket >= self->next + self->slot_count && !pod_scope_is_cancelled(&self->inside))
        uv_cond_wait(&self->slot_free, &self->mutex);
    uv_mutex_unlock(&self->mutex);
    return !pod_scope_is_cancelled(&self->inside);
}

/* Takes elements for a block of what the input gives at once, and more until it is full. */
static pod_status fill_feeder(stage_worker *one, pod_error *failure)
{
    parallel_stage *self = one->owner;
    const size_t wanted = (size_t)atomic_load(&self->block), width = one->feeder.base.width;
    pod_status status = POD_OK;
    one->feeder.count = 0;
    while (status == POD_OK && one->feeder.count < wanted) {
        size_t got;
        status = pod_stage_next(self->input, one->feeder.parts + one->feeder.count * width, wanted - one->feeder.count,
                                &got, failure);
        one->feeder.count += got;
    }
    /* the outcome stays in the input for the next block */
    return one->feeder.count > 0 ? POD_OK : status;
}

/* Waits until this thread is one of those that may work; false when there is nothing to do any more. */
static bool wait_for_turn(parallel_stage *self, const stage_worker *one)
{
    const int64_t index = one - self->workers;
    uv_mutex_lock(&self->mutex);
    while (index >= self->tuner.threads && !self->no_more && !pod_scope_is_cancelled(&self->inside))
        uv_cond_wait(&self->allowed, &self->mutex);
    const bool works = index < self->tuner.threads;
    uv_mutex_unlock(&self->mutex);
    return works;
}

/* Takes a block of the input and its ticket. POD_END, without a ticket, once somebody saw the end. */
static pod_status take_block(stage_worker *one, uint64_t *ticket, pod_error *failure)
{
    parallel_stage *self = one->owner;
    uv_mutex_lock(&self->input_mutex);
    pod_status status = self->input_ended || !wait_for_slot(self, self->tickets) ? POD_END : POD_OK;
    const bool asks = status == POD_OK;
    const uint64_t begin = uv_hrtime();
    one->feeder.base.given = self->input->given;
    if (asks)
        status = fill_feeder(one, failure);
    one->supplying = uv_hrtime() - begin;
    one->feeder.given = 0;
    *ticket = asks ? self->tickets++ : UINT64_MAX;
    self->input_ended |= asks && status != POD_OK;
    uv_mutex_unlock(&self->input_mutex);
    return status;
}

static pod_status make_room(parallel_stage *self, finished_block *block, pod_error *error)
{
    const pod_growth growth = {
        .item = self->base.width * sizeof *block->parts, .first = POD_STAGE_BLOCK, .what = "a block of elements"};
    return pod_grow(self->base.pass->context, &block->parts, &block->room, block->count + 1, growth, error);
}

/* Runs the worker's stage over its block. */
static pod_status run_block(stage_worker *one, finished_block *block, pod_error *failure)
{
    parallel_stage *self = one->owner;
    pod_status status = POD_OK;
    one->stage->outcome = POD_OK;
    one->feeder.base.outcome = POD_OK;
    while (status == POD_OK) {
        size_t got = 0;
        status = make_room(self, block, failure);
        if (status == POD_OK)
            status = pod_stage_next(one->stage, block->parts + block->count * self->base.width,
                                    block->room - block->count, &got, failure);
        block->count += got;
    }
    return status == POD_END ? POD_OK : status;
}

/* Adds a block to what is measured; called with the lock. */
static void measure(parallel_stage *self, const stage_worker *one)
{
    self->measured.blocks++;
    self->measured.elements += one->feeder.count;
    self->measured.working += one->working;
    self->measured.supplying += one->supplying;
}

static void publish(stage_worker *one, finished_block *block, pod_status outcome, const pod_error *failure)
{
    parallel_stage *self = one->owner;
    uv_mutex_lock(&self->mutex);
    measure(self, one);
    block->outcome = outcome;
    if (outcome < 0)
        block->failure = *failure;
    block->filled = true;
    uv_cond_signal(&self->block_made);
    uv_mutex_unlock(&self->mutex);
}

/* Chooses how many elements the next blocks have, by how long this one took. */
static void choose_block(stage_worker *one)
{
    parallel_stage *self = one->owner;
    const uint64_t took = one->working > one->supplying ? one->working : one->supplying;
    const int64_t block = atomic_load(&self->block);
    const bool fixed = parallel_of(self)->first_block == parallel_of(self)->most_block;
    if (!fixed && (int64_t)one->feeder.count == block) /* shorter ones, at the end, tell nothing */
        atomic_store(&self->block, pod_tuner_choose_block(block, parallel_of(self)->most_block, (double)took * 1e-9));
}

static void end_input(parallel_stage *self)
{
    uv_mutex_lock(&self->mutex);
    self->no_more = true;
    uv_cond_broadcast(&self->allowed);
    uv_mutex_unlock(&self->mutex);
}

static void work(void *argument)
{
    stage_worker *one = argument;
    parallel_stage *self = one->owner;
    pod_error failure;
    for (;;) {
        uint64_t ticket;
        failure.message[0] = '\0';
        if (!wait_for_turn(self, one))
            return;
        pod_status status = take_block(one, &ticket, &failure);
        if (ticket == UINT64_MAX) {
            end_input(self);
            return;
        }
        finished_block *block = &self->slots[ticket % self->slot_count];
        const uint64_t begin = uv_hrtime();
        if (status == POD_OK)
            status = run_block(one, block, &failure);
        one->working = uv_hrtime() - begin;
        const bool ends = status != POD_OK;
        if (ends) { /* what the stage did not take of the block */
            pod_parts_release(one->feeder.parts + one->feeder.given * one->feeder.base.width,
                              (one->feeder.count - one->feeder.given) * one->feeder.base.width);
            one->feeder.count = one->feeder.given = 0;
        }
        publish(one, block, status, &failure);
        choose_block(one);
    }
}

/* ---- the consumer ---- */

/* Starts the threads that may work and do not run yet. Those that can be started do the work; called by the
 * consumer. */
static pod_status start_threads(parallel_stage *self, pod_error *error)
{
    self->runs = true;
    for (; (int64_t)self->started < self->tuner.threads; self->started++) {
        stage_worker *one = &self->workers[self->started];
        const int failure = uv_thread_create(&one->thread, work, one);
        if (failure != 0 && self->started == 0)
            return pod_error_set(error, POD_ERROR_SYSTEM, "cannot start a thread: %s", uv_strerror(failure));
        if (failure != 0)
            break;
        pod_process_mark(self->base.pass->threads_of);
        one->runs = true;
    }
    return POD_OK;
}

static void stop(parallel_stage *self)
{
    if (!self->runs)
        return;
    pod_scope_cancel(&self->inside);
    for (size_t i = 0; i < self->thread_count; i++) {
        if (self->workers[i].runs)
            uv_thread_join(&self->workers[i].thread);
        self->workers[i].runs = false;
    }
    for (size_t i = 0; i < self->slot_count; i++) {
        finished_block *block = &self->slots[i];
        pod_parts_release(block->parts + block->given * self->base.width,
                          (block->count - block->given) * self->base.width);
        block->count = block->given = 0;
        block->filled = false;
    }
    self->runs = false;
    self->next = self->tickets = 0;
    self->started = 0;
    self->input_ended = self->no_more = false;
    self->measured = (window){0};
}

/* Gives elements of a block. */
static void give(parallel_stage *self, finished_block *block, pod_part *parts, size_t limit, size_t *count)
{
    const size_t left = block->count - block->given;
    *count = left < limit ? left : limit;
    memcpy(parts, block->parts + block->given * self->base.width, *count * self->base.width * sizeof *parts);
    block->given += *count;
}

/* Finds the block to give from: that of the next ticket or, without order, any that has elements. Waits
 * for one. Called with the lock; NULL when the scope was cancelled. */
static finished_block *find_block(parallel_stage *self)
{
    for (;;) {
        finished_block *wanted = &self->slots[self->next % self->slot_count];
        if (wanted->filled)
            return wanted;
        for (size_t i = 1; self->unordered && i < self->slot_count; i++) {
            finished_block *other = &self->slots[(self->next + i) % self->slot_count];
            if (other->filled && other->given < other->count)
                return other;
        }
        if (pod_scope_is_cancelled(&self->inside))
            return NULL;
        const uint64_t begin = uv_hrtime();
        uv_cond_wait(&self->block_made, &self->mutex);
        self->measured.waited += uv_hrtime() - begin;
    }
}

/* Judges the number of threads once enough was measured. Called with the lock, by the consumer; returns
 * true when a thread is to be started. */
static bool tune(parallel_stage *self)
{
    window *measured = &self->measured;
    const uint64_t now = uv_hrtime();
    if (measured->began == 0) /* what comes before the first elements is no work of a pass */
        *measured = (window){.began = now};
    const uint64_t enough = BLOCKS_A_WINDOW * (uint64_t)self->tuner.threads;
    if (!self->tunes || measured->blocks < enough || measured->elements == 0)
        return false;
    const double elements = (double)measured->elements, nanosecond = 1e-9;
    const double elapsed = (double)(now - measured->began);
    pod_thread_tuner_judge(&self->tuner, (double)measured->working * nanosecond / elements,
                           (elapsed - (double)measured->waited) * nanosecond / elements,
                           (double)measured->supplying * nanosecond / elements);
    *measured = (window){.began = now};
    uv_cond_broadcast(&self->allowed);
    return (int64_t)self->started < self->tuner.threads;
}

/* Frees the slots of blocks that are used up, from the consumer's place on. Called with the lock. */
static void advance(parallel_stage *self)
{
    for (;;) {
        finished_block *block = &self->slots[self->next % self->slot_count];
        if (!block->filled || block->given < block->count || block->outcome != POD_OK)
            return;
        block->filled = false;
        block->count = block->given = 0;
        self->next++;
        uv_cond_signal(&self->slot_free);
    }
}

static pod_status take(parallel_stage *self, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    pod_status status = POD_OK;
    uv_mutex_lock(&self->mutex);
    if (tune(self)) {
        uv_mutex_unlock(&self->mutex);
        status = start_threads(self, error);
        uv_mutex_lock(&self->mutex);
    }
    while (*count == 0 && status == POD_OK) {
        advance(self);
        finished_block *block = find_block(self);
        if (block == NULL) {
            status = pod_error_set(error, POD_ERROR_CANCELLED, "the iteration was cancelled");
        } else if (block->given < block->count) {
            give(self, block, parts, limit, count);
        } else if (block->outcome != POD_OK) {
            status = block->outcome;
            if (status < 0)
                status = pod_error_set(error, status, "%s", block->failure.message);
        }
    }
    uv_mutex_unlock(&self->mutex);
    return status;
}

static pod_status parallel_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    parallel_stage *self = (parallel_stage *)stage;
    if (self->direct)
        return pod_stage_next(stage->inputs[0], parts, limit, count, error);
    if (!self->runs) {
        const pod_status status = start_threads(self, error);
        if (status != POD_OK)
            return status;
    }
    return take(self, parts, limit, count, error);
}

/* ---- life ---- */

static pod_status open_worker(parallel_stage *self, stage_worker *one, pod_error *error)
{
    pod_dataset *inner = self->base.dataset->inputs[0];
    const size_t bytes = (size_t)parallel_of(self)->most_block * inner->inputs[0]->width * sizeof(pod_part);
    one->owner = self;
    one->feeder_dataset = (pod_dataset){.kind = &feeder_class,
                                        .width = inner->inputs[0]->width,
                                        .components = inner->inputs[0]->components,
                                        .cardinality = POD_CARDINALITY_UNKNOWN};
    one->feeder.base = (pod_stage){.dataset = &one->feeder_dataset,
                                   .pass = self->base.pass,
                                   .scope = &self->inside,
                                   .width = inner->inputs[0]->width};
    one->feeder.parts = pod_allocate(self->base.pass->context, bytes);
    if (one->feeder.parts == NULL)
        return pod_error_memory(error, "a block of elements", bytes);
    return pod_stage_open_over(inner, self->base.pass, &self->inside, &one->feeder.base, &one->stage, error);
}

static pod_status open_locks(parallel_stage *self, pod_error *error)
{
    int failure = uv_mutex_init(&self->mutex);
    self->has_mutex = failure == 0;
    if (failure == 0)
        failure = uv_mutex_init(&self->input_mutex);
    self->has_input_mutex = self->has_mutex && failure == 0;
    if (failure == 0)
        failure = uv_cond_init(&self->block_made);
    self->has_made = self->has_input_mutex && failure == 0;
    if (failure == 0)
        failure = uv_cond_init(&self->slot_free);
    self->has_free = self->has_made && failure == 0;
    if (failure == 0)
        failure = uv_cond_init(&self->allowed);
    self->has_allowed = self->has_free && failure == 0;
    if (failure != 0)
        return pod_error_set(error, POD_ERROR_SYSTEM, "cannot make a queue: %s", uv_strerror(failure));
    const pod_status status = pod_scope_open(&self->inside, self->base.scope, wake, self, error);
    self->has_scope = status == POD_OK;
    return status;
}

static void choose_threads(parallel_stage *self)
{
    const parallel_dataset *dataset = parallel_of(self);
    const pod_pass *pass = self->base.pass;
    const int64_t most = pass->most_threads < MOST_THREADS ? pass->most_threads : MOST_THREADS;
    self->tunes = dataset->threads == POD_AUTOTUNE && !pass->no_autotune && most > 1;
    const bool given = dataset->threads != POD_AUTOTUNE;
    self->thread_count = (size_t)(given ? dataset->threads : most);
    pod_thread_tuner_init(&self->tuner, given ? dataset->threads : 1, (int64_t)self->thread_count);
    atomic_init(&self->block, dataset->first_block);
    self->unordered = dataset->order == POD_ORDER_ANY || (dataset->order == POD_ORDER_DEFAULT && pass->unordered);
    if (self->unordered)
        atomic_store(pass->reordered, true);
}

static pod_status parallel_open(pod_stage *stage, pod_error *error)
{
    parallel_stage *self = (parallel_stage *)stage;
    pod_dataset *inner = stage->dataset->inputs[0];
    self->direct = stage->pass->no_threads || stage->dataset->own_thread;
    if (self->direct)
        return pod_stage_open_input(stage, 0, stage->scope, error);
    choose_threads(self);
    self->slot_count = BLOCKS_A_THREAD * self->thread_count;
    pod_context *context = stage->pass->context;
    self->workers = pod_allocate_zeroed(context, self->thread_count, sizeof *self->workers);
    self->slots = pod_allocate_zeroed(context, self->slot_count, sizeof *self->slots);
    if (self->workers == NULL || self->slots == NULL)
        return pod_error_memory(error, "workers", self->slot_count * sizeof *self->slots);
    pod_status status = open_locks(self, error);
    if (status == POD_OK)
        status = pod_stage_open(inner->inputs[0], stage->pass, &self->inside, &self->input, error);
    for (size_t i = 0; status == POD_OK && i < self->thread_count; i++)
        status = open_worker(self, &self->workers[i], error);
    return status;
}

static void close_workers(parallel_stage *self)
{
    pod_context *context = self->base.pass->context;
    for (size_t i = 0; self->workers != NULL && i < self->thread_count; i++) {
        stage_worker *one = &self->workers[i];
        if (one->stage != NULL)
            one->stage->inputs[0] = NULL; /* the feeder is part of the worker */
        pod_stage_close(one->stage);
        pod_free(context, one->feeder.parts);
    }
    for (size_t i = 0; self->slots != NULL && i < self->slot_count; i++)
        pod_free(context, self->slots[i].parts);
    pod_free(context, self->workers);
    pod_free(context, self->slots);
}

static void parallel_close(pod_stage *stage)
{
    parallel_stage *self = (parallel_stage *)stage;
    stop(self);
    close_workers(self);
    pod_stage_close(self->input);
    if (self->has_scope)
        pod_scope_close(&self->inside);
    if (self->has_allowed)
        uv_cond_destroy(&self->allowed);
    if (self->has_free)
        uv_cond_destroy(&self->slot_free);
    if (self->has_made)
        uv_cond_destroy(&self->block_made);
    if (self->has_input_mutex)
        uv_mutex_destroy(&self->input_mutex);
    if (self->has_mutex)
        uv_mutex_destroy(&self->mutex);
}

/* Before the threads run, elements that become one each need not be made. */
static pod_status parallel_pass_over(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error)
{
    parallel_stage *self = (parallel_stage *)stage;
    if (self->direct)
        return pod_stage_pass_over_input(stage, count, passed, error);
    if (!self->runs && stage->dataset->inputs[0]->kind->one_for_one)
        return pod_stage_pass_over(self->input, count, passed, error);
    return pod_stage_pull_over(stage, count, passed, error);
}

static pod_status parallel_rewind(pod_stage *stage, pod_rewind what, pod_error *error)
{
    parallel_stage *self = (parallel_stage *)stage;
    if (self->direct)
        return pod_stage_rewind_inputs(stage, what, error);
    stop(self);
    pod_scope_revive(&self->inside);
    for (size_t i = 0; i < self->thread_count; i++) {
        self->workers[i].feeder.count = self->workers[i].feeder.given = 0;
        const pod_status status = pod_stage_rewind_alone(self->workers[i].stage, what, error);
        if (status != POD_OK)
            return status;
    }
    return pod_stage_rewind(self->input, what, error);
}

static int64_t parallel_host_bytes(const pod_dataset *dataset)
{
    const parallel_dataset *self = (const parallel_dataset *)dataset;
    const int64_t one = pod_dataset_element_bytes(dataset);
    const int64_t threads = self->threads == POD_AUTOTUNE ? pod_context_threads(dataset->context) : self->threads;
    const int64_t count = threads * BLOCKS_A_THREAD * self->most_block;
    return one < 0 || (one > 0 && count > INT64_MAX / one) ? -1 : one * count;
}

/* The rows of the input and of the stage that runs in parallel: all its instances are one. */
static void parallel_collect(pod_stage *stage, pod_stats_list *list)
{
    parallel_stage *self = (parallel_stage *)stage;
    const pod_dataset *inner = stage->dataset->inputs[0];
    if (self->direct) {
        pod_stage_collect(stage->inputs[0], list);
        return;
    }
    pod_stage_collect(self->input, list);
    pod_stage_stats *row = pod_stats_list_row(list, inner);
    if (row == NULL)
        return;
    for (size_t i = 0; i < self->thread_count; i++)
        row->seconds_busy += pod_stage_busy(self->workers[i].stage);
    row->elements = pod_stage_elements(stage);
    row->seconds_waited = pod_stage_seconds(stage);
    row->tunes_threads = parallel_of(self)->threads == POD_AUTOTUNE;
    const int64_t bytes = inner->in_memory ? 0 : pod_dataset_element_bytes(inner);
    uv_mutex_lock(&self->mutex);
    row->threads = self->tuner.threads;
    for (size_t i = 0; i < self->slot_count; i++)
        if (self->slots[i].filled)
            row->queue_count += (int64_t)(self->slots[i].count - self->slots[i].given);
    uv_mutex_unlock(&self->mutex);
    row->queue_size = (int64_t)self->slot_count * atomic_load(&self->block);
    row->queue_bytes = bytes > 0 ? row->queue_count * bytes : 0;
}

static const pod_stage_class parallel_class = {
    .name = "parallel",
    .dataset_size = sizeof(parallel_dataset),
    .iterator_size = sizeof(parallel_stage),
    .opens_inputs_itself = true,
    .transparent = true,
    .host_bytes = parallel_host_bytes,
    .open = parallel_open,
    .next = parallel_next,
    .pass_over = parallel_pass_over,
    .rewind = parallel_rewind,
    .close = parallel_close,
    .collect = parallel_collect,
};

/* Stages that stack elements for one run say how many; others begin with one and take more while that is
 * quick. */
static void choose_blocks(parallel_dataset *self, const pod_dataset *inner)
{
    if (inner->kind->block_size != NULL) {
        self->first_block = self->most_block = (int64_t)inner->kind->block_size(inner);
        return;
    }
    const int64_t bytes = pod_dataset_element_bytes(inner);
    self->first_block = 1;
    self->most_block = POD_STAGE_BLOCK;
    if (bytes > 0 && BLOCK_BYTES / bytes < POD_STAGE_BLOCK)
        self->most_block = BLOCK_BYTES / bytes > 0 ? BLOCK_BYTES / bytes : 1;
}

pod_status pod_dataset_parallel(pod_dataset *input, const pod_parallel_options *options, pod_dataset **dataset,
                                pod_error *error)
{
    const int64_t threads = options->threads;
    *dataset = NULL;
    if (!input->kind->elementwise)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "stage '%s' cannot run on several threads: only stages that look at each "
                             "element by itself can",
                             input->kind->name);
    if (threads != POD_AUTOTUNE && (threads < 1 || threads > MOST_THREADS))
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "the number of parallel calls is %lld; it is -1 (AUTOTUNE) or 1 to %d",
                             (long long)options->threads, MOST_THREADS);
    const pod_status status = pod_dataset_new(input->context, &parallel_class, &input, 1, NULL, 0, dataset, error);
    if (status != POD_OK)
        return status;
    parallel_dataset *made = (parallel_dataset *)*dataset;
    made->threads = threads;
    made->order = options->order;
    choose_blocks(made, input);
    return POD_OK;
}
