/* cache - keeps the elements of the first whole pass. */

#include "base/growth.h"
#include "base/system/system.h"
#include "input/stage.h"
#include "input/recipe.h"

/* Holds what is kept for one host, or of one block of the source, or for all. */
typedef struct recording {
    struct recording *next;
    int64_t shards, shard; /* 1 shard: all elements; below 0: a block of -shards elements of the source */
    bool running;          /* some iterator is on its first pass */
    atomic_bool complete;
    pod_part *parts;
    size_t count, room; /* elements */
} recording;

typedef struct cache_dataset {
    pod_dataset base;
    recording *recordings; /* list and flags under the lock of the process; the recorder alone writes `parts` */
} cache_dataset;

typedef struct cache_stage {
    pod_stage base;
    pod_pass pass;   /* of the input: always the first */
    recording *kept; /* the dataset's */
    bool recorder;   /* this pass is being kept */
    bool reads;      /* from what was kept */
} cache_stage;

static cache_dataset *cache_of(pod_stage *stage)
{
    return (cache_dataset *)stage->dataset;
}

/* Finds, or makes, what is kept for the host whose pass it is. */
static pod_status find_recording(cache_stage *self, pod_error *error)
{
    cache_dataset *dataset = cache_of(&self->base);
    const bool divided = self->pass.options.file_shards > 1;
    const int64_t block = self->pass.options.block_elements;
    const int64_t shards = block > 0 ? -block : divided ? self->pass.options.file_shards : 1;
    const int64_t shard = block > 0 ? self->pass.options.block : divided ? self->pass.options.file_shard : 0;
    pod_process_lock();
    self->kept = dataset->recordings;
    while (self->kept != NULL && (self->kept->shards != shards || self->kept->shard != shard))
        self->kept = self->kept->next;
    if (self->kept == NULL) {
        self->kept = pod_allocate_zeroed(dataset->base.context, 1, sizeof *self->kept);
        if (self->kept != NULL) {
            self->kept->shards = shards;
            self->kept->shard = shard;
            self->kept->next = dataset->recordings;
            dataset->recordings = self->kept;
        }
    }
    pod_process_unlock();
    return self->kept != NULL ? POD_OK : pod_error_memory(error, "a cache", sizeof *self->kept);
}

/* Chooses where this pass reads, and whether it is the one that is kept. */
static void start_pass(cache_stage *self)
{
    pod_process_lock();
    self->reads = atomic_load(&self->kept->complete);
    self->recorder = !self->reads && !self->kept->running;
    if (self->recorder)
        self->kept->running = true;
    pod_process_unlock();
}

static pod_status keep(const cache_dataset *dataset, recording *kept, const pod_part *parts, size_t count,
                       pod_error *error)
{
    const size_t width = dataset->base.width;
    const bool known = kept->shards == 1 && dataset->base.cardinality > 0 && dataset->base.cardinality < INT32_MAX;
    const pod_growth growth = {.item = width * sizeof *kept->parts,
                               .first = known ? (size_t)dataset->base.cardinality : POD_STAGE_BLOCK,
                               .what = "a cache"};
    const pod_status status =
        pod_grow(dataset->base.context, &kept->parts, &kept->room, kept->count + count, growth, error);
    if (status != POD_OK)
        return status;
    pod_input_parts_share(parts, count * width, kept->parts + kept->count * width);
    kept->count += count;
    return POD_OK;
}

/* Ends the recording of a pass: whole, or dropped. */
static void end_recording(cache_stage *self, bool whole)
{
    cache_dataset *dataset = cache_of(&self->base);
    recording *kept = self->kept;
    if (!self->recorder)
        return;
    self->recorder = false;
    if (!whole) {
        if (kept->count > 0)
            pod_log(dataset->base.context, POD_LOG_WARNING,
                    "a pass over a cached dataset ended after %zu elements, before all were read: "
                    "nothing is cached; put cache() behind take()",
                    kept->count);
        pod_input_parts_release(kept->parts, kept->count * dataset->base.width);
        kept->count = 0;
    }
    pod_process_lock();
    kept->running = false;
    atomic_store(&kept->complete, whole);
    pod_process_unlock();
}

static pod_status read_kept(cache_stage *self, pod_part *parts, size_t limit, size_t *count)
{
    const size_t width = self->base.width, first = (size_t)self->base.given, left = self->kept->count - first;
    if (left == 0)
        return POD_END;
    *count = left < limit ? left : limit;
    pod_input_parts_share(self->kept->parts + first * width, *count * width, parts);
    return POD_OK;
}

static pod_status cache_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    cache_stage *self = (cache_stage *)stage;
    if (pod_input_stage_begins(stage))
        start_pass(self);
    if (self->reads)
        return read_kept(self, parts, limit, count);
    pod_status status = pod_input_stage_next(stage->inputs[0], parts, limit, count, error);
    if (status == POD_END)
        end_recording(self, true);
    else if (status == POD_OK && self->recorder)
        status = keep(cache_of(stage), self->kept, parts, *count, error);
    return status;
}

static pod_status cache_open(pod_stage *stage, pod_error *error)
{
    cache_stage *self = (cache_stage *)stage;
    self->pass = *stage->pass;
    self->pass.options.epoch = 1;
    self->pass.options.repetition = 0;
    pod_status status = find_recording(self, error);
    if (status == POD_OK)
        status = pod_input_stage_open_input(stage, 0, &self->pass, stage->scope, error);
    return status;
}

static pod_status cache_pass_over(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error)
{
    cache_stage *self = (cache_stage *)stage;
    if (pod_input_stage_begins(stage))
        start_pass(self);
    if (!self->reads)
        return pod_input_stage_pull_over(stage, count, passed, error);
    return pod_input_stage_pass_over_of(stage, (int64_t)self->kept->count, count, passed);
}

static void cache_drop(pod_stage *stage)
{
    end_recording((cache_stage *)stage, false);
}

static pod_status cache_rewind(pod_stage *stage, pod_rewind what, pod_error *error)
{
    (void)what; /* for the input each pass is the first */
    return pod_input_stage_rewind_inputs(stage, POD_REWIND_ALL, error);
}

static void cache_free(pod_dataset *dataset)
{
    cache_dataset *self = (cache_dataset *)dataset;
    while (self->recordings != NULL) {
        recording *kept = self->recordings;
        self->recordings = kept->next;
        pod_input_parts_release(kept->parts, kept->count * dataset->width);
        pod_free(dataset->context, kept->parts);
        pod_free(dataset->context, kept);
    }
}

static int64_t cache_host_bytes(const pod_dataset *dataset)
{
    if (dataset->cardinality < 0)
        return -1;
    const int64_t place = (int64_t)(dataset->width * sizeof(pod_part));
    const int64_t kept = pod_dataset_kept_bytes(dataset, dataset->cardinality, false);
    return kept < 0 || dataset->cardinality > (INT64_MAX - kept) / place ? -1 : kept + dataset->cardinality * place;
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
    .drop = cache_drop,
    .rewind = cache_rewind,
};

pod_status pod_dataset_cache(pod_dataset *input, pod_dataset **dataset, pod_error *error)
{
    *dataset = NULL;
    if (input->cardinality == POD_CARDINALITY_INFINITE)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "cache would keep a dataset without end; put repeat behind cache");
    return pod_dataset_new(input->context, &cache_class, &input, 1, NULL, 0, dataset, error);
}

pod_status pod_input_cache_recipe(pod_recipe *recipe, pod_dataset **made)
{
    return pod_input_recipe_is_read(recipe) ? pod_dataset_cache(recipe->inputs[0], made, recipe->error) : POD_OK;
}
