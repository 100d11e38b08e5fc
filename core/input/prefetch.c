/* prefetch - a thread that prepares elements ahead of their consumer. */

#include "input/stage_stats.h"
#include "input/recipe.h"
#include "trace/recorder.h"

#include <assert.h>
#include <string.h>

#include "base/thread.h"

#define AUTOTUNE_FIRST 2
#define AUTOTUNE_MOST  1024
/* After so many passes of the consumer a queue stays as large as it is: so does the memory of a long run. */
#define PASSES_TO_SETTLE 2
#define MOST             ((int64_t)1 << 20)

typedef struct prefetch_dataset {
    pod_dataset base;
    int64_t count; /* as asked for, POD_AUTOTUNE included */
} prefetch_dataset;

/* Conditions of its gate: `count` grew, or no more will come; it shrank, or the size grew. */
enum { ITEM_MADE, SLOT_FREE };

typedef struct prefetch_stage {
    pod_stage base;
    uv_thread_t thread;
    bool direct;     /* no thread: the input is asked at once */
    bool has_place;  /* for a thread */
    bool runs;       /* the thread was started and not joined */
    bool holds_rows; /* elements hold no memory of their own */
    size_t room;     /* places of the ring */

    pod_gate gate;         /* guards everything below */
    pod_queue_tuner tuner; /* its size is the number of elements to keep: at most `room` */
    bool finished;         /* set by the thread: `outcome` is valid */
    pod_status outcome;
    pod_error failure;
    size_t oldest, count; /* of the ring */
    pod_part *ring;
    uint64_t taken, waited;
    int passes; /* that ended, up to PASSES_TO_SETTLE */
} prefetch_stage;

static const pod_stage_class prefetch_class;

static pod_part *ring_place(prefetch_stage *self, size_t index)
{
    assert(index < self->room);
    return self->ring + (self->oldest + index) % self->room * self->base.width;
}

/* ---- the thread ---- */

/* Waits until there is room, and returns for how many elements; 0 when the scope was cancelled. There
 * is one producer, so the places are still free when the elements are made. */
static size_t wait_for_slots(prefetch_stage *self)
{
    uv_mutex_lock(&self->gate.mutex);
    while (self->count >= (size_t)self->tuner.size && !pod_input_scope_is_cancelled(&self->gate.scope))
        pod_input_gate_wait(&self->gate, SLOT_FREE);
    const size_t room = pod_input_scope_is_cancelled(&self->gate.scope) ? 0 : (size_t)self->tuner.size - self->count;
    uv_mutex_unlock(&self->gate.mutex);
    return room;
}

static int64_t bytes_of(const pod_part *parts, size_t width)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < width; i++)
        bytes += (int64_t)pod_input_part_bytes(&parts[i]);
    return bytes;
}

static void store(prefetch_stage *self, const pod_part *parts, size_t count)
{
    const size_t width = self->base.width;
    uv_mutex_lock(&self->gate.mutex);
    for (size_t i = 0; i < count; i++)
        memcpy(ring_place(self, self->count + i), parts + i * width, width * sizeof *parts);
    self->count += count;
    assert(self->count <= self->room && (size_t)self->tuner.size <= self->room);
    if (self->count >= (size_t)self->tuner.size)
        self->tuner.was_full = true;
    if (self->tuner.element_bytes < 0)
        self->tuner.element_bytes = self->holds_rows ? 0 : bytes_of(parts, width);
    uv_cond_signal(&self->gate.conditions[ITEM_MADE]);
    uv_mutex_unlock(&self->gate.mutex);
}

static void finish(prefetch_stage *self, pod_status outcome, const pod_error *failure)
{
    uv_mutex_lock(&self->gate.mutex);
    self->finished = true;
    self->outcome = outcome;
    self->failure = *failure;
    uv_cond_signal(&self->gate.conditions[ITEM_MADE]);
    uv_mutex_unlock(&self->gate.mutex);
}

/* Elements that are taken from the input and stored under one lock each time. */
#define BLOCK_PARTS 64

static void produce(void *argument)
{
    prefetch_stage *self = argument;
    pod_part parts[BLOCK_PARTS];
    const size_t most = BLOCK_PARTS / self->base.width;
    pod_status status = POD_OK;
    pod_error failure = {0};
    size_t room;

    while ((room = wait_for_slots(self)) > 0) {
        size_t got;
        (void)pod_trace_lane(self->base.pass->context, "prefetch", 0);
        status = pod_input_stage_next(self->base.inputs[0], parts, room < most ? room : most, &got, &failure);
        if (status != POD_OK)
            break;
        store(self, parts, got);
    }
    if (status == POD_OK) /* there is no room any more: nothing comes behind what is stored */
        status = pod_error_set(&failure, POD_ERROR_CANCELLED, "the iteration was cancelled");
    finish(self, status, &failure);
    pod_trace_end_thread(self->base.pass->context);
}

/* ---- the consumer ---- */

static pod_status start(prefetch_stage *self, pod_error *error)
{
    const int failure = pod_thread_start(&self->thread, 0, produce, self);
    if (failure != 0)
        return pod_error_set(error, POD_ERROR_SYSTEM, "cannot start the prefetch thread: %s", uv_strerror(failure));
    pod_process_mark(&self->base.pass->shared->threads_of);
    self->runs = true;
    return POD_OK;
}

/* Joins the thread and drops what it made. */
static void stop(prefetch_stage *self)
{
    if (self->runs) {
        pod_input_scope_cancel(&self->gate.scope);
        uv_thread_join(&self->thread);
        self->runs = false;
    }
    for (size_t i = 0; i < self->count; i++)
        pod_input_parts_release(ring_place(self, i), self->base.width);
    self->count = 0;
    self->oldest = 0;
    self->finished = false;
}

/* Called with the lock, when the consumer finds nothing ready: more room may let the producer use the time
 * of the consumer's next steps. */
static void tune(prefetch_stage *self)
{
    const prefetch_dataset *dataset = (const prefetch_dataset *)self->base.dataset;
    pod_pass *pass = self->base.pass;
    if (dataset->count == POD_AUTOTUNE && !pass->options.no_autotune && self->passes < PASSES_TO_SETTLE &&
        pod_input_queue_tuner_empty(&self->tuner, &pass->shared->memory))
        uv_cond_signal(&self->gate.conditions[SLOT_FREE]);
}

/* Takes what is ready. *woken: the producer is to be told, once the lock is free: it waits for a full queue, and is not
 * woken for every element while half of them are left. */
static size_t take(prefetch_stage *self, pod_part *parts, size_t limit, bool *woken)
{
    const size_t width = self->base.width;
    const size_t count = self->count < limit ? self->count : limit;
    for (size_t i = 0; i < count; i++)
        memcpy(parts + i * width, ring_place(self, i), width * sizeof *parts);
    self->oldest = (self->oldest + count) % self->room;
    self->count -= count;
    self->taken += count;
    *woken = self->count <= (size_t)self->tuner.size / 2;
    return count;
}

bool pod_input_prefetch_is_ready(pod_stage *stage)
{
    prefetch_stage *self = (prefetch_stage *)stage;
    if (stage->dataset->kind != &prefetch_class || self->direct || !self->runs)
        return true;
    uv_mutex_lock(&self->gate.mutex);
    const bool ready = self->count > 0 || self->finished;
    uv_mutex_unlock(&self->gate.mutex);
    return ready;
}

static pod_status take_or_wait(prefetch_stage *self, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    pod_status status = POD_OK;
    bool woken = false;
    uv_mutex_lock(&self->gate.mutex);
    if (self->count == 0 && !self->finished) {
        self->waited++;
        tune(self);
    }
    while (self->count == 0 && !self->finished && !pod_input_scope_is_cancelled(&self->gate.scope))
        pod_input_gate_wait(&self->gate, ITEM_MADE);
    if (self->count > 0) {
        *count = take(self, parts, limit, &woken);
    } else if (self->finished) {
        status = self->outcome;
        if (status < 0)
            status = pod_error_set(error, status, "%s", self->failure.message);
    } else {
        status = pod_error_set(error, POD_ERROR_CANCELLED, "the iteration was cancelled");
    }
    uv_mutex_unlock(&self->gate.mutex);
    if (woken)
        uv_cond_signal(&self->gate.conditions[SLOT_FREE]);
    return status;
}

static pod_status prefetch_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    prefetch_stage *self = (prefetch_stage *)stage;
    if (self->direct)
        return pod_input_stage_next(stage->inputs[0], parts, limit, count, error);
    if (!self->runs) {
        const pod_status status = start(self, error);
        if (status != POD_OK)
            return status;
    }
    return take_or_wait(self, parts, limit, count, error);
}

static pod_status prefetch_pass_over(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error)
{
    const prefetch_stage *self = (const prefetch_stage *)stage;
    if (!self->direct && self->runs)
        return pod_input_stage_pull_over(stage, count, passed, error);
    return pod_input_stage_pass_over_input(stage, count, passed, error);
}

static pod_status prefetch_rewind(pod_stage *stage, pod_rewind what, pod_error *error)
{
    prefetch_stage *self = (prefetch_stage *)stage;
    if (!self->direct) {
        stop(self);
        pod_input_scope_revive(&self->gate.scope);
        self->passes += what == POD_REWIND_ALL && self->passes < PASSES_TO_SETTLE;
    }
    return pod_input_stage_rewind_inputs(stage, what, error);
}

static size_t first_size(const prefetch_dataset *dataset)
{
    return dataset->count == POD_AUTOTUNE ? AUTOTUNE_FIRST : (size_t)dataset->count;
}

static pod_status open_queue(prefetch_stage *self, pod_error *error)
{
    const prefetch_dataset *dataset = (const prefetch_dataset *)self->base.dataset;

    self->room = dataset->count == POD_AUTOTUNE ? AUTOTUNE_MOST : (size_t)dataset->count;
    self->holds_rows = dataset->base.in_memory;
    pod_input_queue_tuner_init(&self->tuner, (int64_t)first_size(dataset), (int64_t)self->room);
    self->ring = pod_input_hold(&self->base.holdings, self->room, self->base.width * sizeof *self->ring);
    return pod_input_gate_open(&self->gate, self->base.scope, error);
}

static pod_status prefetch_open(pod_stage *stage, pod_error *error)
{
    prefetch_stage *self = (prefetch_stage *)stage;
    const prefetch_dataset *dataset = (const prefetch_dataset *)stage->dataset;
    const bool here = stage->pass->options.no_threads || dataset->base.own_thread || dataset->count == 0;
    self->has_place = !here && pod_threads_take(stage->pass->context, 1) == 1;
    self->direct = !self->has_place;
    if (!self->direct) {
        const pod_status status = open_queue(self, error);
        if (status != POD_OK)
            return status;
    }
    return pod_input_stage_open_input(stage, 0, stage->pass, self->direct ? stage->scope : &self->gate.scope, error);
}

/* The input closes before the scope that it runs in. */
static void prefetch_close(pod_stage *stage)
{
    prefetch_stage *self = (prefetch_stage *)stage;
    if (self->runs || self->count > 0)
        stop(self);
    if (self->has_place)
        pod_threads_give_back(stage->pass->context, 1);
    pod_input_stage_close(stage->inputs[0]);
    stage->inputs[0] = NULL;
    pod_input_queue_tuner_close(&self->tuner, &stage->pass->shared->memory);
    pod_input_gate_close(&self->gate);
}

static void prefetch_stats(pod_stage *stage, pod_iterator_stats *stats)
{
    prefetch_stage *self = (prefetch_stage *)stage;
    if (self->direct)
        return;
    uv_mutex_lock(&self->gate.mutex);
    stats->waited = self->waited;
    stats->prefetch_buffer = self->tuner.size;
    uv_mutex_unlock(&self->gate.mutex);
}

/* The thread's work is the input's; what the stage takes of the consumer's time is waiting. */
static void prefetch_stage_stats(pod_stage *stage, pod_stage_stats *row)
{
    prefetch_stage *self = (prefetch_stage *)stage;
    row->seconds_busy -= pod_input_stage_busy(stage);
    if (self->direct)
        return;
    row->seconds_waited += pod_input_stage_seconds(stage);
    row->threads = 1;
    row->tunes_queue = ((const prefetch_dataset *)stage->dataset)->count == POD_AUTOTUNE;
    uv_mutex_lock(&self->gate.mutex);
    row->queue_count = (int64_t)self->count;
    row->queue_size = self->tuner.size;
    row->queue_bytes = self->tuner.element_bytes > 0 ? row->queue_count * self->tuner.element_bytes : 0;
    uv_mutex_unlock(&self->gate.mutex);
}

static int64_t prefetch_host_bytes(const pod_dataset *dataset)
{
    return pod_input_bytes_times((int64_t)first_size((const prefetch_dataset *)dataset),
                                 dataset->in_memory ? 0 : pod_dataset_element_bytes(dataset));
}

static const pod_stage_class prefetch_class = {
    .name = "prefetch",
    .dataset_size = sizeof(prefetch_dataset),
    .iterator_size = sizeof(prefetch_stage),
    .opens_inputs_itself = true,
    .transparent = true,
    .host_bytes = prefetch_host_bytes,
    .open = prefetch_open,
    .by_address = pod_dataset_by_address_of_input,
    .next = prefetch_next,
    .pass_over = prefetch_pass_over,
    .rewind = prefetch_rewind,
    .close = prefetch_close,
    .stats = prefetch_stats,
    .stage_stats = prefetch_stage_stats,
};

pod_status pod_dataset_prefetch(pod_dataset *input, int64_t count, pod_dataset **dataset, pod_error *error)
{
    *dataset = NULL;
    if (count < POD_AUTOTUNE || count > MOST)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "the buffer size of prefetch is %lld; it is -1 (AUTOTUNE) or 0 to %lld", (long long)count,
                             (long long)MOST);
    const pod_status status = pod_dataset_new(input->context, &prefetch_class, &input, 1, NULL, 0, dataset, error);
    if (status != POD_OK)
        return status;
    ((prefetch_dataset *)*dataset)->count = count;
    return POD_OK;
}

pod_status pod_input_prefetch_recipe(pod_recipe *recipe, pod_dataset **made)
{
    int64_t count = recipe->from != NULL ? ((const prefetch_dataset *)recipe->from)->count : 0;
    pod_input_recipe_number(recipe, &count);
    return pod_input_recipe_is_read(recipe) ? pod_dataset_prefetch(recipe->inputs[0], count, made, recipe->error)
                                            : POD_OK;
}
