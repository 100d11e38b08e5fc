/* cache - keeps the elements of the first whole pass. */

#include "input/stage.h"

typedef struct cache_dataset {
    pod_dataset base;
    uv_mutex_t mutex; /* guards the two flags; `parts` is written by the recorder alone until complete */
    bool has_mutex;
    bool recording; /* some iterator is on its first pass */
    atomic_bool complete;
    pod_part *parts;
    size_t count, room; /* elements */
} cache_dataset;

typedef struct cache_stage {
    pod_stage base;
    pod_pass pass;   /* of the input: always the first */
    bool recorder;   /* this pass is being kept */
    bool started;    /* this pass has a source: the input or what was kept */
    bool reads;      /* from what was kept */
    size_t position; /* of the next element that was kept */
} cache_stage;

static cache_dataset *cache_of(pod_stage *stage)
{
    return (cache_dataset *)stage->dataset;
}

/* Chooses where this pass reads, and whether it is the one that is kept. */
static void start_pass(cache_stage *self)
{
    cache_dataset *dataset = cache_of(&self->base);
    uv_mutex_lock(&dataset->mutex);
    self->reads = atomic_load(&dataset->complete);
    self->recorder = !self->reads && !dataset->recording;
    if (self->recorder)
        dataset->recording = true;
    uv_mutex_unlock(&dataset->mutex);
    self->started = true;
    self->position = 0;
}

static pod_status keep(cache_dataset *dataset, const pod_part *parts, size_t count,
                       pod_error *error)
{
    const size_t width = dataset->base.width;
    if (dataset->count + count > dataset->room) {
        size_t room = dataset->room == 0 ? POD_STAGE_BLOCK : dataset->room * 2;
        if (dataset->room == 0 && dataset->base.cardinality > 0 &&
            dataset->base.cardinality < INT32_MAX)
            room = (size_t)dataset->base.cardinality;
        if (room < dataset->count + count)
            room = dataset->count + count;
        pod_part *grown = pod_reallocate(dataset->base.context, dataset->parts,
                                         room * width * sizeof *grown);
        if (grown == NULL)
            return pod_error_memory(error, "a cache", room * width * sizeof *grown);
        dataset->parts = grown;
        dataset->room = room;
    }
    pod_parts_share(parts, count * width, dataset->parts + dataset->count * width);
    dataset->count += count;
    return POD_OK;
}

/* Ends the recording of a pass: whole, or dropped. */
static void end_recording(cache_stage *self, bool whole)
{
    cache_dataset *dataset = cache_of(&self->base);
    if (!self->recorder)
        return;
    self->recorder = false;
    if (!whole) {
        if (dataset->count > 0)
            pod_log(dataset->base.context, POD_LOG_WARNING,
                    "a pass over a cached dataset ended after %zu elements, before all were read: "
                    "nothing is cached; put cache() behind take()",
                    dataset->count);
        pod_parts_release(dataset->parts, dataset->count * dataset->base.width);
        dataset->count = 0;
    }
    uv_mutex_lock(&dataset->mutex);
    dataset->recording = false;
    atomic_store(&dataset->complete, whole);
    uv_mutex_unlock(&dataset->mutex);
}

static pod_status read_kept(cache_stage *self, pod_part *parts, size_t limit, size_t *count)
{
    const cache_dataset *dataset = cache_of(&self->base);
    const size_t left = dataset->count - self->position;
    if (left == 0)
        return POD_END;
    *count = left < limit ? left : limit;
    pod_parts_share(dataset->parts + self->position * self->base.width,
                    *count * self->base.width, parts);
    self->position += *count;
    return POD_OK;
}

static pod_status cache_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count,
                             pod_error *error)
{
    cache_stage *self = (cache_stage *)stage;
    if (!self->started)
        start_pass(self);
    if (self->reads)
        return read_kept(self, parts, limit, count);
    pod_status status = pod_stage_next(stage->inputs[0], parts, limit, count, error);
    if (status == POD_END)
        end_recording(self, true);
    else if (status == POD_OK && self->recorder)
        status = keep(cache_of(stage), parts, *count, error);
    return status;
}

static pod_status cache_open(pod_stage *stage, pod_error *error)
{
    cache_stage *self = (cache_stage *)stage;
    self->pass = *stage->pass;
    self->pass.epoch = 1;
    self->pass.repetition = 0;
    return pod_stage_open(stage->dataset->inputs[0], &self->pass, stage->scope, &stage->inputs[0],
                          error);
}

static pod_status cache_pass_over(pod_stage *stage, int64_t count, int64_t *passed,
                                  pod_error *error)
{
    cache_stage *self = (cache_stage *)stage;
    if (!self->started)
        start_pass(self);
    if (!self->reads)
        return pod_stage_pull_over(stage, count, passed, error);
    const int64_t left = (int64_t)(cache_of(stage)->count - self->position);
    *passed = count < left ? count : left;
    self->position += (size_t)*passed;
    return *passed < count ? POD_END : POD_OK;
}

/* The input closes before the pass that is its own. */
static void cache_close(pod_stage *stage)
{
    end_recording((cache_stage *)stage, false);
    pod_stage_close(stage->inputs[0]);
    stage->inputs[0] = NULL;
}

static pod_status cache_rewind(pod_stage *stage, pod_rewind what, pod_error *error)
{
    (void)what; /* for the input each pass is the first */
    end_recording((cache_stage *)stage, false);
    ((cache_stage *)stage)->started = false;
    return pod_stage_rewind_inputs(stage, POD_REWIND_ALL, error);
}

static void cache_free(pod_dataset *dataset)
{
    cache_dataset *self = (cache_dataset *)dataset;
    pod_parts_release(self->parts, self->count * dataset->width);
    pod_free(dataset->context, self->parts);
    if (self->has_mutex)
        uv_mutex_destroy(&self->mutex);
}

static int64_t cache_host_bytes(const pod_dataset *dataset)
{
    const int64_t held = dataset->in_memory ? 0 : pod_dataset_element_bytes(dataset);
    const int64_t parts = (int64_t)(dataset->width * sizeof(pod_part));
    if (held < 0 || held > INT64_MAX - parts || dataset->cardinality < 0 ||
        dataset->cardinality > INT64_MAX / (held + parts))
        return -1;
    return dataset->cardinality * (held + parts);
}

static const pod_stage_class cache_class = {
    .name = "cache",
    .dataset_size = sizeof(cache_dataset),
    .iterator_size = sizeof(cache_stage),
    .opens_inputs_itself = true,
    .own_pass = true,
    .free = cache_free,
    .host_bytes = cache_host_bytes,
    .open = cache_open,
    .next = cache_next,
    .pass_over = cache_pass_over,
    .rewind = cache_rewind,
    .close = cache_close,
};

pod_status pod_dataset_cache(pod_dataset *input, pod_dataset **dataset, pod_error *error)
{
    *dataset = NULL;
    if (input->cardinality == POD_CARDINALITY_INFINITE)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "cache would keep a dataset without end; put repeat behind cache");
    const pod_status status =
        pod_dataset_new(input->context, &cache_class, &input, 1, NULL, 0, dataset, error);
    if (status != POD_OK)
        return status;
    cache_dataset *made = (cache_dataset *)*dataset;
    const int failure = uv_mutex_init(&made->mutex);
    if (failure != 0) {
        pod_dataset_release(*dataset);
        *dataset = NULL;
        return pod_error_set(error, POD_ERROR_SYSTEM, "cannot make a mutex: %s",
                             uv_strerror(failure));
    }
    made->has_mutex = true;
    made->base.in_memory = input->in_memory;
    return POD_OK;
}
