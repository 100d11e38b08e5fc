/* interleave - elements become datasets, whose elements are given in turns. */

#include "input/stage_stats.h"

#include <string.h>

#define MOST_CYCLE 4096

typedef struct interleave_dataset {
    pod_dataset base;
    pod_expansion expansion;
    int64_t cycle_length, block_length;
    int64_t threads; /* as asked for, POD_AUTOTUNE included */
    pod_order order;
    bool of_files;
} interleave_dataset;

/* One place of the cycle: a dataset that is being read, or none. */
typedef struct slot {
    pod_dataset *dataset; /* shared */
    pod_stage *stage;
    bool ahead;              /* a thread reads it: the stage is a prefetch */
    uint64_t worked, waited; /* nanoseconds of it that are counted already */
} slot;

typedef struct interleave_stage {
    pod_stage base;
    slot *slots;
    int64_t threads; /* places, from the first, that are read ahead */
    bool unordered;
    atomic_uint_fast64_t worked, waited; /* nanoseconds in places that are read ahead; of theirs, of ours */
    atomic_int_fast64_t ahead;           /* how many there are now */
    int64_t turn;                        /* the slot whose turn it is */
    int64_t given;                       /* elements in its turn so far */
    bool input_ended;
    int64_t open;     /* slots that have a dataset */
    pod_pass inner;   /* of the datasets that are read; the epoch follows the iterator's */
    int64_t expanded; /* elements of the input so far, without those that are left to other hosts */
    pod_buffer **buffers;
} interleave_stage;

static const interleave_dataset *interleave_of(const pod_stage *stage)
{
    return (const interleave_dataset *)stage->dataset;
}

static void close_slot(interleave_stage *self, slot *place)
{
    if (place->dataset == NULL)
        return;
    if (place->ahead)
        atomic_fetch_sub(&self->ahead, 1);
    pod_input_stage_close(place->stage);
    pod_dataset_release(place->dataset);
    *place = (slot){0};
    self->open--;
}

/* Counts what a place that is read ahead has worked and was waited for. */
static void count_time(interleave_stage *self, slot *place)
{
    const uint64_t worked = atomic_load(&place->stage->inputs[0]->counts.nanoseconds);
    const uint64_t waited = atomic_load(&place->stage->counts.nanoseconds);
    atomic_fetch_add(&self->worked, worked - place->worked);
    atomic_fetch_add(&self->waited, waited - place->waited);
    place->worked = worked;
    place->waited = waited;
}

/* Puts a thread before the dataset of a place that is to be read ahead. */
static pod_status read_ahead(interleave_stage *self, slot *place, pod_error *error)
{
    pod_dataset *ahead;
    if (place - self->slots >= self->threads || place->dataset->own_thread)
        return POD_OK;
    const pod_status status = pod_dataset_prefetch(place->dataset, POD_AUTOTUNE, &ahead, error);
    if (status != POD_OK)
        return status;
    pod_dataset_release(place->dataset);
    place->dataset = ahead;
    place->ahead = true;
    atomic_fetch_add(&self->ahead, 1);
    return POD_OK;
}

static pod_status check_expansion(const interleave_stage *self, const pod_dataset *made, pod_error *error)
{
    pod_component joined[POD_MAX_COMPONENTS];
    char here[POD_SHAPE_TEXT_SIZE], announced[POD_SHAPE_TEXT_SIZE];
    const pod_dataset *both[] = {self->base.dataset, made};
    if (made->depth > self->inner.depth_left)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "%s: dataset %lld is a chain of %d stages, and here at most %d are possible: does its "
                             "function expand into itself?",
                             self->base.dataset->kind->name, (long long)self->expanded - 1, made->depth,
                             self->inner.depth_left);
    const pod_status status = pod_input_components_join(both, 2, self->base.dataset->kind->name, joined, error);
    for (size_t i = 0; status == POD_OK && i < self->base.width; i++)
        if (!pod_shape_equal(&joined[i].shape, &self->base.dataset->components[i].shape))
            return pod_error_set(error, POD_ERROR_SHAPE,
                                 "%s: component %zu of dataset %lld is %s, but %s was announced",
                                 self->base.dataset->kind->name, i, (long long)self->expanded - 1,
                                 pod_shape_format(&made->components[i].shape, here),
                                 pod_shape_format(&self->base.dataset->components[i].shape, announced));
    return status;
}

/* Passes over elements that are the files of other hosts. */
static pod_status leave_files(interleave_stage *self, pod_error *error)
{
    pod_stage *input = self->base.inputs[0];
    pod_status status = POD_OK;
    int64_t passed;
    while (status == POD_OK && interleave_of(&self->base)->of_files &&
           pod_input_pass_leaves_file(self->base.pass, input->given))
        status = pod_input_stage_pass_over(input, 1, &passed, error);
    return status;
}

/* Fills a slot with the dataset of the next element of the input; POD_END when there is none. */
static pod_status open_slot(interleave_stage *self, slot *place, pod_error *error)
{
    const pod_expansion *expansion = &interleave_of(&self->base)->expansion;
    const size_t width = self->base.inputs[0]->width;
    size_t got;
    pod_status status = leave_files(self, error);
    if (status == POD_OK)
        status = pod_input_stage_next(self->base.inputs[0], self->base.taken, 1, &got, error);
    if (status != POD_OK)
        return status;
    status = pod_input_parts_own(self->base.pass->context, self->base.taken, width, self->buffers, error);
    if (status == POD_OK)
        status = expansion->expand(expansion->context, self->buffers, &place->dataset, error);
    pod_input_buffers_drop(self->buffers, width);
    if (status != POD_OK) {
        place->dataset = NULL;
        return pod_input_stage_explain(&self->base, self->expanded, status, error);
    }
    self->expanded++;
    self->open++;
    status = check_expansion(self, place->dataset, error);
    if (status == POD_OK)
        status = read_ahead(self, place, error);
    pod_input_pass_follow(&self->inner, self->base.pass);
    if (status == POD_OK)
        status = pod_input_stage_open(place->dataset, &self->inner, self->base.scope, NULL, &place->stage, error);
    if (status == POD_OK)
        place->stage->consumer = &self->base;
    else
        close_slot(self, place);
    return status;
}

static void next_turn(interleave_stage *self)
{
    self->turn = (self->turn + 1) % interleave_of(&self->base)->cycle_length;
    self->given = 0;
}

/* Gives elements of the slot whose turn it is. POD_END: it has none any more. */
static pod_status take_turn(interleave_stage *self, slot *place, pod_part *parts, size_t limit, size_t *count,
                            pod_error *error)
{
    const int64_t left = interleave_of(&self->base)->block_length - self->given;
    const pod_status status =
        pod_input_stage_next(place->stage, parts, (int64_t)limit < left ? limit : (size_t)left, count, error);
    self->given += (int64_t)*count;
    if (place->ahead)
        count_time(self, place);
    if (status == POD_END)
        close_slot(self, place);
    if (status == POD_END || self->given >= interleave_of(&self->base)->block_length)
        next_turn(self);
    return status;
}

/* Without order the turn goes to the next place that need not be waited for; if there is none, it stays. */
static void pass_turn(interleave_stage *self)
{
    const int64_t cycle = interleave_of(&self->base)->cycle_length;
    if (self->given > 0 && pod_input_prefetch_is_ready(self->slots[self->turn].stage))
        return;
    for (int64_t i = 0; i < cycle; i++) {
        const int64_t turn = (self->turn + i) % cycle;
        const slot *place = &self->slots[turn];
        if (place->dataset == NULL ? !self->input_ended : !place->ahead || pod_input_prefetch_is_ready(place->stage)) {
            self->turn = turn;
            self->given = 0;
            return;
        }
    }
}

static pod_status interleave_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    interleave_stage *self = (interleave_stage *)stage;
    while (!self->input_ended || self->open > 0) {
        if (self->unordered)
            pass_turn(self);
        slot *place = &self->slots[self->turn];
        pod_status status = POD_OK;
        if (place->dataset == NULL && !self->input_ended) {
            status = open_slot(self, place, error);
            if (status < 0)
                return status;
            self->input_ended = status == POD_END;
        }
        if (place->dataset == NULL) {
            next_turn(self);
            continue;
        }
        status = take_turn(self, place, parts, limit, count, error);
        if (status != POD_END)
            return status;
    }
    return POD_END;
}

static void interleave_drop(pod_stage *stage)
{
    interleave_stage *self = (interleave_stage *)stage;
    for (int64_t i = 0; self->slots != NULL && i < interleave_of(&self->base)->cycle_length; i++)
        close_slot(self, &self->slots[i]);
    self->turn = self->given = self->expanded = 0;
    self->input_ended = false;
}

static pod_status interleave_open(pod_stage *stage, pod_error *error)
{
    interleave_stage *self = (interleave_stage *)stage;
    (void)error; /* memory is checked behind it */
    self->inner = *stage->pass;
    self->inner.depth_left /= 2;
    if (interleave_of(stage)->of_files || stage->pass->options.at_marks)
        self->inner.options.file_shards = 0; /* the elements of the input are divided, and not again */
    const interleave_dataset *dataset = interleave_of(stage);
    const bool tunes = dataset->threads == POD_AUTOTUNE;
    if (!stage->pass->options.no_threads)
        self->threads = tunes ? stage->pass->most_threads : dataset->threads;
    self->unordered = self->threads > 0 && (dataset->order == POD_ORDER_ANY ||
                                            (dataset->order == POD_ORDER_DEFAULT && stage->pass->options.unordered));
    if (self->unordered)
        atomic_store(&stage->pass->shared->reordered, true);
    self->slots = pod_input_hold(&stage->holdings, (size_t)dataset->cycle_length, sizeof *self->slots);
    self->buffers = pod_input_hold(&stage->holdings, stage->inputs[0]->width, sizeof *self->buffers);
    return POD_OK;
}

static void interleave_stats(pod_stage *stage, pod_stage_stats *row)
{
    interleave_stage *self = (interleave_stage *)stage;
    const double waited = (double)atomic_load(&self->waited) * 1e-9;
    row->seconds_busy += (double)atomic_load(&self->worked) * 1e-9 - waited;
    if (row->seconds_busy < 0)
        row->seconds_busy = 0;
    row->seconds_waited += waited;
    row->threads = atomic_load(&self->ahead);
    row->tunes_threads = interleave_of(stage)->threads == POD_AUTOTUNE;
}

static int64_t interleave_file_count(const pod_dataset *dataset)
{
    if (!((const interleave_dataset *)dataset)->of_files)
        return -1;
    const int64_t files = dataset->inputs[0]->cardinality;
    return files >= 0 ? files : POD_CARDINALITY_UNKNOWN;
}

static const pod_stage_class interleave_class = {
    .name = "interleave",
    .dataset_size = sizeof(interleave_dataset),
    .iterator_size = sizeof(interleave_stage),
    .counts_passes = true, /* so that shuffles in the datasets that elements become do not repeat */
    .open = interleave_open,
    .file_count = interleave_file_count,
    .takes = 1,
    .next = interleave_next,
    .drop = interleave_drop,
    .stage_stats = interleave_stats,
};

static pod_status check_options(const pod_interleave_options *options, pod_error *error)
{
    if (options->cycle_length < 0 || options->cycle_length > MOST_CYCLE)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the cycle length of interleave is %lld; it must be 1 to %d",
                             (long long)options->cycle_length, MOST_CYCLE);
    if (options->block_length < 0)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the block length of interleave is %lld; it must be at least 1",
                             (long long)options->block_length);
    if (options->threads < POD_AUTOTUNE || options->threads > MOST_CYCLE)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "the number of parallel calls of interleave is %lld; it is -1 (AUTOTUNE) "
                             "or 0 to %d",
                             (long long)options->threads, MOST_CYCLE);
    return POD_OK;
}

pod_status pod_dataset_interleave(pod_dataset *input, const pod_expansion *expansion, const pod_component *components,
                                  size_t count, const pod_interleave_options *options, pod_dataset **dataset,
                                  pod_error *error)
{
    static const pod_interleave_options defaults = {0};
    if (options == NULL)
        options = &defaults;
    *dataset = NULL;
    pod_status status = check_options(options, error);
    if (status == POD_OK)
        status = pod_dataset_new(input->context, &interleave_class, &input, 1, components, count, dataset, error);
    status = pod_dataset_own(dataset, (pod_owned){expansion->context, expansion->release}, status);
    if (status != POD_OK)
        return status;
    interleave_dataset *made = (interleave_dataset *)*dataset;
    made->expansion = *expansion;
    made->cycle_length = options->cycle_length > 0 ? options->cycle_length : 1;
    made->block_length = options->block_length > 0 ? options->block_length : 1;
    pod_dataset_tell(*dataset, "cycle %lld, block %lld", (long long)made->cycle_length, (long long)made->block_length);
    made->threads = options->threads;
    made->order = options->order;
    made->of_files = options->of_files;
    made->base.own_thread |= !expansion->any_thread;
    made->base.cardinality = input->cardinality == 0 ? 0 : POD_CARDINALITY_UNKNOWN;
    return POD_OK;
}
