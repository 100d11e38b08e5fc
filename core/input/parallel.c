/* parallel - runs a stage on several threads, each on blocks of elements of its own. */

#include "input/parallel.h"
#include "input/recipe.h"

#include <assert.h>
#include <string.h>

#include "base/thread.h"

#define MOST_THREADS 256
/* Finished blocks that may wait for the consumer, a thread. */
#define BLOCKS_A_THREAD 2
/* Blocks, a thread, after which the number of threads is judged. */
#define BLOCKS_A_WINDOW 4
/* Bytes of the elements of a block, at most. */
#define BLOCK_BYTES ((int64_t)1 << 20)

/* ---- the consumer ---- */

/* Starts the threads that may work and do not run yet. Those that can be started do the work;
 * called by the consumer. */
static pod_status start_threads(pod_parallel_stage *self, pod_error *error)
{
    assert((size_t)self->tuner.threads <= self->thread_count);
    self->runs = true;
    for (; (int64_t)self->started < self->tuner.threads; self->started++) {
        pod_stage_worker *one = &self->workers[self->started];
        const int failure = pod_thread_start(&one->thread, 0, pod_input_parallel_work, one);
        if (failure != 0 && self->started == 0)
            return pod_error_set(error, POD_ERROR_SYSTEM, "cannot start a thread: %s", uv_strerror(failure));
        if (failure != 0)
            break;
        pod_process_mark(&self->base.pass->shared->threads_of);
        one->runs = true;
    }
    return POD_OK;
}

static void stop(pod_parallel_stage *self)
{
    if (!self->runs)
        return;
    pod_input_scope_cancel(&self->gate.scope);
    for (size_t i = 0; i < self->thread_count; i++) {
        if (self->workers[i].runs)
            uv_thread_join(&self->workers[i].thread);
        self->workers[i].runs = false;
    }
    for (size_t i = 0; i < self->slot_count; i++) {
        pod_finished_block *block = &self->slots[i];
        pod_input_parts_release(block->parts + block->given * self->base.width,
                                (block->count - block->given) * self->base.width);
        block->count = block->given = 0;
        block->filled = false;
    }
    atomic_store(&self->wanted, 0);
    self->runs = false;
    self->next = self->tickets = 0;
    self->started = 0;
    self->input_ended = self->no_more = false;
    self->measured = (pod_parallel_measurement){0};
}

/* Gives elements of a block. */
static void give(pod_parallel_stage *self, pod_finished_block *block, pod_part *parts, size_t limit, size_t *count)
{
    assert(block->filled && block->given < block->count);
    const size_t left = block->count - block->given;
    *count = left < limit ? left : limit;
    memcpy(parts, block->parts + block->given * self->base.width, *count * self->base.width * sizeof *parts);
    block->given += *count;
}

/* Finds the block to give from: that of the next ticket or, without order, any that has elements. Waits
 * for one. Called with the lock; NULL when the scope was cancelled. */
static pod_finished_block *find_block(pod_parallel_stage *self)
{
    for (;;) {
        pod_finished_block *wanted = &self->slots[self->next % self->slot_count];
        if (wanted->filled)
            return wanted;
        for (size_t i = 1; self->unordered && i < self->slot_count; i++) {
            pod_finished_block *other = &self->slots[(self->next + i) % self->slot_count];
            if (other->filled && other->given < other->count)
                return other;
        }
        if (pod_input_scope_is_cancelled(&self->gate.scope))
            return NULL;
        const uint64_t begin = uv_hrtime();
        pod_input_gate_wait(&self->gate, POD_BLOCK_MADE);
        self->measured.waited += uv_hrtime() - begin;
    }
}

/* Judges the number of threads once enough was measured. Called with the lock, by the consumer; returns
 * true when a thread is to be started. */
static bool tune(pod_parallel_stage *self)
{
    pod_parallel_measurement *measured = &self->measured;
    const uint64_t now = uv_hrtime();
    if (measured->began == 0) /* what comes before the first elements is no work of a pass */
        *measured = (pod_parallel_measurement){.began = now};
    const uint64_t enough = BLOCKS_A_WINDOW * (uint64_t)self->tuner.threads;
    if (!self->tunes || measured->blocks < enough || measured->elements == 0)
        return false;
    const double elements = (double)measured->elements, nanosecond = 1e-9;
    const double elapsed = (double)(now - measured->began);
    pod_input_thread_tuner_judge(&self->tuner, (double)measured->working * nanosecond / elements,
                                 (elapsed - (double)measured->waited) * nanosecond / elements,
                                 (double)measured->supplying * nanosecond / elements);
    *measured = (pod_parallel_measurement){.began = now};
    uv_cond_broadcast(&self->gate.conditions[POD_THREADS_ALLOWED]);
    return (int64_t)self->started < self->tuner.threads;
}

/* Frees the slots of blocks that are used up, from the consumer's place on. Called with the lock. */
static void advance(pod_parallel_stage *self)
{
    for (;;) {
        pod_finished_block *block = &self->slots[self->next % self->slot_count];
        if (!block->filled || block->given < block->count || block->outcome != POD_OK)
            return;
        block->filled = false;
        block->count = block->given = 0;
        self->next++;
        uv_cond_signal(&self->gate.conditions[POD_SLOT_FREE]);
    }
}

static pod_status tell_outcome(const pod_finished_block *block, pod_error *error)
{
    return block->outcome < 0 ? pod_error_set(error, block->outcome, "%s", block->failure.message) : block->outcome;
}

static pod_status take(pod_parallel_stage *self, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    pod_status status = POD_OK;
    uv_mutex_lock(&self->gate.mutex);
    if (tune(self)) {
        uv_mutex_unlock(&self->gate.mutex);
        status = start_threads(self, error);
        uv_mutex_lock(&self->gate.mutex);
    }
    while (*count == 0 && status == POD_OK) {
        advance(self);
        pod_finished_block *block = find_block(self);
        if (block == NULL) {
            status = pod_error_set(error, POD_ERROR_CANCELLED, "the iteration was cancelled");
        } else if (block->given < block->count) {
            give(self, block, parts, limit, count);
        } else if (block->outcome != POD_OK) {
            status = tell_outcome(block, error);
        }
    }
    uv_mutex_unlock(&self->gate.mutex);
    return status;
}

static pod_status parallel_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    pod_parallel_stage *self = (pod_parallel_stage *)stage;
    if (self->direct)
        return pod_input_stage_next(stage->inputs[0], parts, limit, count, error);
    if (!self->runs) {
        const pod_status status = start_threads(self, error);
        if (status != POD_OK)
            return status;
    }
    return take(self, parts, limit, count, error);
}

/* ---- life ---- */

static pod_status open_locks(pod_parallel_stage *self, pod_error *error)
{
    const int failure = uv_mutex_init(&self->input_mutex);
    self->has_input_mutex = failure == 0;
    if (failure != 0)
        return pod_error_set(error, POD_ERROR_SYSTEM, "cannot make a queue: %s", uv_strerror(failure));
    return pod_input_gate_open(&self->gate, self->base.scope, error);
}

/* False where there are places for none. */
static bool choose_threads(pod_parallel_stage *self)
{
    const pod_parallel_dataset *dataset = pod_input_parallel_of(self);
    const pod_pass *pass = self->base.pass;
    const int64_t most = pass->most_threads < MOST_THREADS ? pass->most_threads : MOST_THREADS;
    const bool given = dataset->threads != POD_AUTOTUNE;
    const int got = pod_threads_take(pass->context, (int)(given ? dataset->threads : most));
    self->tunes = !given && !pass->options.no_autotune && got > 1;
    self->thread_count = (size_t)got;
    if (got == 0)
        return false;
    pod_input_thread_tuner_init(&self->tuner, given ? got : 1, got);
    atomic_init(&self->block, dataset->first_block);
    self->unordered =
        dataset->order == POD_ORDER_ANY || (dataset->order == POD_ORDER_DEFAULT && pass->options.unordered);
    if (self->unordered)
        atomic_store(&pass->shared->reordered, true);
    return true;
}

static pod_status parallel_open(pod_stage *stage, pod_error *error)
{
    pod_parallel_stage *self = (pod_parallel_stage *)stage;
    pod_dataset *inner = stage->dataset->inputs[0];
    self->direct = stage->pass->options.no_threads || stage->dataset->own_thread || !choose_threads(self);
    if (self->direct)
        return pod_input_stage_open_input(stage, 0, stage->pass, stage->scope, error);
    self->slot_count = BLOCKS_A_THREAD * self->thread_count;
    self->workers = pod_input_hold(&stage->holdings, self->thread_count, sizeof *self->workers);
    self->slots = pod_input_hold(&stage->holdings, self->slot_count, sizeof *self->slots);
    pod_status status = pod_input_holdings_check(&stage->holdings, "workers", error);
    if (status == POD_OK)
        status = open_locks(self, error);
    if (status == POD_OK)
        status = pod_input_stage_open(inner->inputs[0], stage->pass, &self->gate.scope, NULL, &self->input, error);
    if (status == POD_OK)
        self->input->consumer = stage;
    for (size_t i = 0; status == POD_OK && i < self->thread_count; i++)
        status = pod_input_parallel_open_worker(self, &self->workers[i], error);
    return status;
}

static void close_workers(pod_parallel_stage *self)
{
    for (size_t i = 0; self->workers != NULL && i < self->thread_count; i++) {
        pod_stage_worker *one = &self->workers[i];
        if (one->stage != NULL)
            one->stage->inputs[0] = NULL; /* the feeder is part of the worker */
        pod_input_stage_close(one->stage);
    }
    for (size_t i = 0; self->slots != NULL && i < self->slot_count; i++)
        pod_free(self->base.pass->context, self->slots[i].parts);
}

static void parallel_close(pod_stage *stage)
{
    pod_parallel_stage *self = (pod_parallel_stage *)stage;
    stop(self);
    pod_threads_give_back(stage->pass->context, (int)self->thread_count);
    close_workers(self);
    pod_input_stage_close(self->input);
    pod_input_gate_close(&self->gate);
    if (self->has_input_mutex)
        uv_mutex_destroy(&self->input_mutex);
}

/* Drops elements of a block, and counts those that it leaves out; returns how many of `left` that were. */
static int64_t drop(pod_parallel_stage *self, pod_finished_block *block, int64_t left)
{
    const int64_t left_out = block->left_out, rest = left - left_out, there = (int64_t)(block->count - block->given);
    const size_t count = (size_t)(there < rest ? there : rest);
    pod_input_parts_release(block->parts + block->given * self->base.width, count * self->base.width);
    block->given += count;
    block->left_out = 0;
    return left_out + (int64_t)count;
}

/* Has the threads leave out what is passed over; what they have made of it already is dropped. */
static pod_status leave_out(pod_parallel_stage *self, int64_t count, int64_t *passed, pod_error *error)
{
    pod_status status = POD_OK;
    atomic_store(&self->wanted, self->base.given + count);
    uv_mutex_lock(&self->gate.mutex);
    while (*passed < count && status == POD_OK) {
        advance(self);
        pod_finished_block *block = find_block(self);
        const int64_t here = block != NULL ? drop(self, block, count - *passed) : 0;
        *passed += here;
        if (block == NULL)
            status = pod_error_set(error, POD_ERROR_CANCELLED, "the iteration was cancelled");
        else if (here == 0 && block->outcome != POD_OK)
            status = tell_outcome(block, error);
    }
    uv_mutex_unlock(&self->gate.mutex);
    return status;
}

/* Elements that become one each need not be made. */
static pod_status parallel_pass_over(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error)
{
    pod_parallel_stage *self = (pod_parallel_stage *)stage;
    if (self->direct)
        return pod_input_stage_pass_over_input(stage, count, passed, error);
    if (!stage->dataset->inputs[0]->kind->one_for_one || (self->runs && self->unordered))
        return pod_input_stage_pull_over(stage, count, passed, error);
    return self->runs ? leave_out(self, count, passed, error)
                      : pod_input_stage_pass_over(self->input, count, passed, error);
}

static pod_status parallel_rewind(pod_stage *stage, pod_rewind what, pod_error *error)
{
    pod_parallel_stage *self = (pod_parallel_stage *)stage;
    if (self->direct)
        return pod_input_stage_rewind_inputs(stage, what, error);
    stop(self);
    pod_input_scope_revive(&self->gate.scope);
    for (size_t i = 0; i < self->thread_count; i++) {
        self->workers[i].feeder.count = self->workers[i].feeder.given = 0;
        const pod_status status = pod_input_stage_rewind_alone(self->workers[i].stage, what, error);
        if (status != POD_OK)
            return status;
    }
    return pod_input_stage_rewind(self->input, what, error);
}

/* The blocks that wait for a thread and those that wait for the taker, of which each place has held both; and what each
 * thread but the first has for its work. */
static int64_t parallel_host_bytes(const pod_dataset *dataset)
{
    const pod_parallel_dataset *self = (const pod_parallel_dataset *)dataset;
    const pod_dataset *inner = dataset->inputs[0], *source = inner->inputs[0];
    const int64_t one = pod_dataset_element_bytes(dataset);
    const int64_t waiting = source->in_memory ? 0 : pod_dataset_element_bytes(source);
    const int64_t threads = self->threads == POD_AUTOTUNE ? pod_context_threads(dataset->context) : self->threads;
    const int64_t count = threads * BLOCKS_A_THREAD * pod_dataset_at_once(source, (int64_t)self->most_block);
    const int64_t work = inner->kind->host_bytes != NULL ? inner->kind->host_bytes(inner) : 0;
    const double bytes = (double)count * ((double)one + (double)waiting) + (double)(threads - 1) * (double)work;
    return one < 0 || waiting < 0 || work < 0 || bytes > 0x1p60 ? -1 : (int64_t)bytes;
}

/* The rows of the input and of the stage that runs in parallel: all its instances are one. */
static void parallel_collect(pod_stage *stage, pod_stats_list *list)
{
    pod_parallel_stage *self = (pod_parallel_stage *)stage;
    const pod_dataset *inner = stage->dataset->inputs[0];
    if (self->direct) {
        pod_input_stage_collect(stage->inputs[0], list);
        return;
    }
    pod_input_stage_collect(self->input, list);
    pod_stage_stats *row = pod_input_stats_list_row(list, inner);
    if (row == NULL)
        return;
    for (size_t i = 0; i < self->thread_count; i++)
        row->seconds_busy += pod_input_stage_busy(self->workers[i].stage);
    row->elements = pod_input_stage_elements(stage);
    row->seconds_waited = pod_input_stage_seconds(stage);
    row->tunes_threads = pod_input_parallel_of(self)->threads == POD_AUTOTUNE;
    const int64_t bytes = inner->in_memory ? 0 : pod_dataset_element_bytes(inner);
    uv_mutex_lock(&self->gate.mutex);
    row->threads = self->tuner.threads;
    for (size_t i = 0; i < self->slot_count; i++)
        if (self->slots[i].filled)
            row->queue_count += (int64_t)(self->slots[i].count - self->slots[i].given);
    uv_mutex_unlock(&self->gate.mutex);
    row->queue_size = (int64_t)self->slot_count * atomic_load(&self->block);
    row->queue_bytes = bytes > 0 ? row->queue_count * bytes : 0;
}

static const pod_stage_class parallel_class = {
    .name = "parallel",
    .dataset_size = sizeof(pod_parallel_dataset),
    .iterator_size = sizeof(pod_parallel_stage),
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
static void choose_blocks(pod_parallel_dataset *self, const pod_dataset *inner)
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
    pod_parallel_dataset *made = (pod_parallel_dataset *)*dataset;
    made->threads = threads;
    made->order = options->order;
    choose_blocks(made, input);
    return POD_OK;
}

pod_status pod_input_parallel_recipe(pod_recipe *recipe, pod_dataset **made)
{
    pod_parallel_options options = {0};
    if (recipe->from != NULL) {
        options.threads = ((const pod_parallel_dataset *)recipe->from)->threads;
        options.order = ((const pod_parallel_dataset *)recipe->from)->order;
    }
    size_t order = options.order;
    pod_input_recipe_number(recipe, &options.threads);
    pod_input_recipe_count(recipe, &order, POD_ORDER_ANY);
    options.order = (pod_order)order;
    return pod_input_recipe_is_read(recipe) ? pod_dataset_parallel(recipe->inputs[0], &options, made, recipe->error)
                                            : POD_OK;
}
