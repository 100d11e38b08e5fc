/* iterator - the consumer's end of a dataset. */

#include "input/stage.h"

#include <string.h>

#include "input/place.h"
#include "input/pool.h"
#include "input/stage_stats.h"

#define RAM_BUDGET ((int64_t)256 << 20)

/* An element that is ready: one buffer a component. */
typedef struct ready_element {
    pod_buffer *buffers[POD_MAX_COMPONENTS];
} ready_element;

struct pod_dataset_iterator {
    pod_context *context; /* shared */
    pod_dataset *dataset; /* shared */
    pod_pass pass;
    pod_budget memory;     /* of the pass */
    atomic_bool reordered; /* by some stage */
    pod_scope scope;
    pod_stage *stage;
    pod_part *parts; /* one element on its way out */
    pod_pool *pools; /* of rows that are given alone; one a component */

    ready_element *ready; /* a ring of elements that were prepared */
    size_t oldest, count, room;

    pod_shape *last_shapes; /* of the element that the infeed gave last */
    bool has_last;
    uint64_t elements, nanoseconds_waited;
    uint64_t began, ended; /* the first and the last pull, by the clock; 0: none yet */
    bool numbered;    /* passes have numbers from the one that was asked for; else from those that began */
    int64_t position; /* elements of this pass that were given or passed over */
    int64_t skip;     /* elements that are still to be passed over */
};

static void begin_pass(pod_dataset_iterator *iterator, const pod_iterator_options *options)
{
    static const pod_iterator_options defaults = {0};
    if (options == NULL)
        options = &defaults;
    iterator->numbered = options->epoch > 0;
    iterator->skip = options->skip;
    pod_budget_init(&iterator->memory, options->ram_budget > 0 ? options->ram_budget : RAM_BUDGET);
    atomic_init(&iterator->reordered, false);
    iterator->pass = (pod_pass){
        .context = iterator->context,
        .memory = &iterator->memory,
        .reordered = &iterator->reordered,
        .epoch = options->epoch,
        .repetition = options->repetition,
        .file_shards = options->file_shards,
        .file_shard = options->file_shard,
        .no_threads = options->no_threads,
        .unordered = options->unordered,
        .no_autotune = options->no_autotune,
        .most_threads =
            options->cpu_budget > 0 ? options->cpu_budget : pod_context_threads(iterator->context),
    };
}

static pod_status check_budgets(const pod_iterator_options *options, pod_error *error)
{
    if (options == NULL || (options->cpu_budget >= 0 && options->ram_budget >= 0))
        return POD_OK;
    return pod_error_set(error, POD_ERROR_ARGUMENT,
                         "a budget of %lld threads and %lld bytes is not possible",
                         (long long)options->cpu_budget, (long long)options->ram_budget);
}

pod_status pod_dataset_iterator_open(pod_dataset *dataset, const pod_iterator_options *options,
                                     pod_dataset_iterator **iterator, pod_error *error)
{
    const size_t width = dataset->width;
    pod_context *context = dataset->context;
    *iterator = NULL;
    pod_status status = check_budgets(options, error);
    if (status != POD_OK)
        return status;
    pod_dataset_iterator *made = pod_allocate_zeroed(context, 1, sizeof *made);
    if (made == NULL)
        return pod_error_memory(error, "an iterator", sizeof *made);
    made->context = pod_context_retain(context);
    made->dataset = pod_dataset_retain(dataset);
    begin_pass(made, options);
    made->parts = pod_allocate_zeroed(context, width, sizeof *made->parts);
    made->pools = pod_allocate_zeroed(context, width, sizeof *made->pools);
    made->last_shapes = pod_allocate_zeroed(context, width, sizeof *made->last_shapes);
    for (size_t i = 0; made->pools != NULL && i < width; i++)
        pod_pool_init(&made->pools[i], context);
    if (made->parts == NULL || made->pools == NULL || made->last_shapes == NULL)
        status = pod_error_memory(error, "an iterator", width * sizeof *made->last_shapes);
    if (status == POD_OK)
        status = pod_scope_open(&made->scope, NULL, NULL, NULL, error);
    if (status != POD_OK)
        goto fail;
    status = pod_stage_open(dataset, &made->pass, &made->scope, &made->stage, error);
    if (status != POD_OK)
        goto fail_stage;
    *iterator = made;
    return POD_OK;

fail_stage:
    pod_scope_close(&made->scope);
fail:
    pod_free(context, made->last_shapes);
    pod_free(context, made->pools);
    pod_free(context, made->parts);
    pod_dataset_release(made->dataset);
    pod_free(context, made);
    pod_context_release(context);
    return status;
}

/* Makes a buffer of what a part refers to; takes the part. */
static pod_status buffer_of(pod_dataset_iterator *iterator, size_t component, pod_part *part,
                            pod_buffer **buffer, pod_error *error)
{
    pod_shape shape;
    *buffer = part->buffer;
    if (part->row == POD_WHOLE)
        return POD_OK;
    pod_part_shape(part, &shape);
    const pod_status status = pod_pool_take(&iterator->pools[component],
                                            pod_buffer_dtype(part->buffer), &shape, buffer, error);
    if (status == POD_OK)
        memcpy(pod_buffer_data(*buffer), pod_part_data(part), pod_part_bytes(part));
    pod_buffer_release(part->buffer);
    return status;
}

/* Passes over the elements that another iterator has given. */
static pod_status pass_over(pod_dataset_iterator *iterator, pod_error *error)
{
    int64_t passed;
    const pod_status status =
        pod_stage_pass_over(iterator->stage, iterator->skip, &passed, error);
    iterator->skip -= passed;
    iterator->position += passed;
    return status;
}

/* Pulls one element through the stages. */
static pod_status pull(pod_dataset_iterator *iterator, ready_element *element, pod_error *error)
{
    const size_t width = iterator->dataset->width;
    const uint64_t begin = uv_hrtime();
    size_t count;

    if (iterator->pass.epoch == 0)
        iterator->pass.epoch = pod_dataset_begin_pass(iterator->dataset);
    pod_status status = pass_over(iterator, error);
    if (status == POD_OK)
        status = pod_stage_next(iterator->stage, iterator->parts, 1, &count, error);
    iterator->ended = uv_hrtime();
    iterator->nanoseconds_waited += iterator->ended - begin;
    if (iterator->began == 0)
        iterator->began = begin;
    if (status != POD_OK)
        return status;
    for (size_t i = 0; i < width; i++) {
        if (status == POD_OK)
            status = buffer_of(iterator, i, &iterator->parts[i], &element->buffers[i], error);
        else
            pod_buffer_release(iterator->parts[i].buffer);
        if (status != POD_OK)
            element->buffers[i] = NULL;
    }
    for (size_t i = 0; status != POD_OK && i < width; i++)
        pod_buffer_release(element->buffers[i]);
    return status;
}

/* Makes the ring of ready elements one larger than `needed` at least. */
static pod_status reserve(pod_dataset_iterator *iterator, size_t needed, pod_error *error)
{
    if (needed <= iterator->room)
        return POD_OK;
    const size_t room = needed < 2 * iterator->room ? 2 * iterator->room : needed;
    ready_element *ready = pod_allocate_zeroed(iterator->context, room, sizeof *ready);
    if (ready == NULL)
        return pod_error_memory(error, "a queue of elements", room * sizeof *ready);
    for (size_t i = 0; i < iterator->count; i++)
        ready[i] = iterator->ready[(iterator->oldest + i) % iterator->room];
    pod_free(iterator->context, iterator->ready);
    iterator->ready = ready;
    iterator->room = room;
    iterator->oldest = 0;
    return POD_OK;
}

pod_status pod_dataset_iterator_prepare(pod_dataset_iterator *iterator, size_t count,
                                        size_t *ready, pod_error *error)
{
    pod_error failure;
    pod_status status = reserve(iterator, count, error);
    *ready = iterator->count;
    if (status != POD_OK)
        return status;
    while (iterator->count < count) {
        const size_t place = (iterator->oldest + iterator->count) % iterator->room;
        status = pull(iterator, &iterator->ready[place], &failure);
        if (status != POD_OK)
            break;
        iterator->count++;
    }
    *ready = iterator->count;
    if (status < 0 && iterator->count == 0)
        return pod_error_set(error, status, "%s", failure.message);
    return POD_OK;
}

static ready_element *oldest_of(pod_dataset_iterator *iterator)
{
    return &iterator->ready[iterator->oldest];
}

pod_status pod_dataset_iterator_next(pod_dataset_iterator *iterator, pod_buffer **components,
                                     pod_error *error)
{
    ready_element element;
    const size_t width = iterator->dataset->width;
    memset(components, 0, width * sizeof *components);
    if (iterator->count > 0) {
        element = *oldest_of(iterator);
        iterator->oldest = (iterator->oldest + 1) % iterator->room;
        iterator->count--;
    } else {
        const pod_status status = pull(iterator, &element, error);
        if (status != POD_OK)
            return status;
    }
    memcpy(components, element.buffers, width * sizeof *components);
    iterator->elements++;
    iterator->position++;
    return POD_OK;
}

static void remember_shapes(pod_dataset_iterator *iterator, const ready_element *element)
{
    for (size_t i = 0; i < iterator->dataset->width; i++)
        iterator->last_shapes[i] = *pod_buffer_shape(element->buffers[i]);
    iterator->has_last = true;
}

/* Makes one element ready. */
static pod_status need_one(pod_dataset_iterator *iterator, pod_error *error)
{
    size_t ready;
    const pod_status status = pod_dataset_iterator_prepare(iterator, 1, &ready, error);
    return status == POD_OK && ready == 0 ? POD_END : status;
}

pod_status pod_dataset_iterator_peek(pod_dataset_iterator *iterator, pod_component *components,
                                     pod_error *error)
{
    const pod_status status = need_one(iterator, error);
    if (status != POD_OK)
        return status;
    const ready_element *element = oldest_of(iterator);
    for (size_t i = 0; i < iterator->dataset->width; i++)
        components[i] = (pod_component){.dtype = pod_buffer_dtype(element->buffers[i]),
                                        .shape = *pod_buffer_shape(element->buffers[i]),
                                        .text = iterator->dataset->components[i].text};
    remember_shapes(iterator, element);
    return POD_OK;
}

static bool has_last_shapes(const pod_dataset_iterator *iterator, const ready_element *element)
{
    for (size_t i = 0; i < iterator->dataset->width; i++)
        if (!pod_shape_equal(&iterator->last_shapes[i], pod_buffer_shape(element->buffers[i])))
            return false;
    return true;
}

static pod_status infeed_next(void *context, pod_buffer **slots, size_t count, pod_error *error)
{
    pod_dataset_iterator *iterator = context;
    const size_t width = iterator->dataset->width;
    if (count != width)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "the program takes %zu values a step from its infeed, but elements of "
                             "the dataset have %zu components",
                             count, width);
    if (iterator->dataset->own_thread && iterator->count == 0)
        return POD_END; /* callbacks do not run within a run of a program */
    const pod_status status = need_one(iterator, error);
    if (status != POD_OK)
        return status;
    if (iterator->has_last && !has_last_shapes(iterator, oldest_of(iterator)))
        return POD_END;
    remember_shapes(iterator, oldest_of(iterator));
    return pod_dataset_iterator_next(iterator, slots, error);
}

pod_infeed pod_dataset_iterator_infeed(pod_dataset_iterator *iterator)
{
    return (pod_infeed){infeed_next, iterator};
}

static void drop_ready(pod_dataset_iterator *iterator)
{
    for (; iterator->count > 0; iterator->count--) {
        ready_element *element = oldest_of(iterator);
        for (size_t i = 0; i < iterator->dataset->width; i++)
            pod_buffer_release(element->buffers[i]);
        iterator->oldest = (iterator->oldest + 1) % iterator->room;
    }
    iterator->has_last = false;
}

pod_status pod_dataset_iterator_rewind(pod_dataset_iterator *iterator, pod_error *error)
{
    drop_ready(iterator);
    pod_scope_revive(&iterator->scope);
    iterator->position = iterator->skip = 0;
    const pod_status status = pod_stage_rewind(iterator->stage, POD_REWIND_ALL, error);
    /* nothing runs now: stages read the number when they give the next element */
    iterator->pass.epoch = iterator->numbered ? iterator->pass.epoch + 1 : 0;
    iterator->pass.repetition = 0;
    return status;
}

/* Where the iterator is. */
static pod_place place_of(pod_dataset_iterator *iterator)
{
    if (iterator->pass.epoch == 0)
        iterator->pass.epoch = pod_dataset_begin_pass(iterator->dataset);
    return (pod_place){.pass = pod_pass_number_of(&iterator->pass, 0),
                       .position = iterator->position + iterator->skip};
}

/* Continues from a place. */
static pod_status go_to(pod_dataset_iterator *iterator, pod_place place, pod_error *error)
{
    const pod_status status = pod_dataset_iterator_rewind(iterator, error);
    iterator->numbered = true;
    iterator->pass.epoch = place.pass.epoch;
    iterator->pass.repetition = place.pass.repetition;
    iterator->skip = place.position;
    return status;
}

static pod_status check_order(const pod_dataset_iterator *iterator, pod_error *error)
{
    if (!atomic_load(&iterator->reordered))
        return POD_OK;
    return pod_error_set(error, POD_ERROR_STATE,
                         "elements come in the order in which threads finish them (a stage is not "
                         "deterministic), so no position tells which of them came already");
}

pod_status pod_dataset_iterator_get_state(pod_dataset_iterator *iterator, pod_bytes *state,
                                          pod_error *error)
{
    *state = (pod_bytes){0};
    const pod_status status = check_order(iterator, error);
    return status != POD_OK
               ? status
               : pod_place_write(iterator->dataset, place_of(iterator), state, error);
}

pod_status pod_dataset_iterator_set_state(pod_dataset_iterator *iterator, const void *bytes,
                                          size_t size, pod_error *error)
{
    pod_place place;
    pod_status status = check_order(iterator, error);
    if (status == POD_OK)
        status = pod_place_read(iterator->dataset, bytes, size, &place, error);
    return status == POD_OK ? go_to(iterator, place, error) : status;
}

pod_status pod_dataset_iterator_save(pod_dataset_iterator *iterator, const char *path,
                                     pod_error *error)
{
    pod_bytes state;
    pod_status status = pod_dataset_iterator_get_state(iterator, &state, error);
    if (status == POD_OK)
        status = pod_place_save(iterator->context, path, &state, error);
    pod_bytes_free(iterator->context, &state);
    return status;
}

pod_status pod_dataset_iterator_load(pod_dataset_iterator *iterator, const char *path,
                                     pod_error *error)
{
    pod_bytes state;
    pod_status status = pod_place_load(iterator->context, path, &state, error);
    if (status == POD_OK)
        status = pod_dataset_iterator_set_state(iterator, state.data, state.size, error);
    pod_bytes_free(iterator->context, &state);
    if (status < 0 && error != NULL)
        pod_error_prepend(error, "%s: ", path);
    return status;
}

void pod_dataset_iterator_cancel(pod_dataset_iterator *iterator)
{
    pod_scope_cancel(&iterator->scope);
}

pod_iterator_stats pod_dataset_iterator_get_stats(const pod_dataset_iterator *iterator)
{
    pod_iterator_stats stats = {
        .elements = iterator->elements,
        .epoch = iterator->pass.epoch,
        .position = iterator->position,
        .seconds_waited = (double)iterator->nanoseconds_waited * 1e-9,
    };
    const pod_stage_class *kind = iterator->dataset->kind;
    if (kind->stats != NULL)
        kind->stats(iterator->stage, &stats);
    return stats;
}

size_t pod_dataset_iterator_get_stage_stats(pod_dataset_iterator *iterator, pod_stage_stats *stats,
                                            size_t room, double *seconds)
{
    pod_stats_list list = {.stats = stats, .room = room};
    pod_stage_collect(iterator->stage, &list);
    *seconds = (double)(iterator->ended - iterator->began) * 1e-9;
    return list.count;
}

void pod_dataset_iterator_close(pod_dataset_iterator *iterator)
{
    if (iterator == NULL)
        return;
    pod_context *context = iterator->context;
    drop_ready(iterator);
    pod_stage_close(iterator->stage);
    pod_scope_close(&iterator->scope);
    for (size_t i = 0; i < iterator->dataset->width; i++)
        pod_pool_clear(&iterator->pools[i]);
    pod_free(context, iterator->ready);
    pod_free(context, iterator->last_shapes);
    pod_free(context, iterator->pools);
    pod_free(context, iterator->parts);
    pod_dataset_release(iterator->dataset);
    pod_free(context, iterator);
    pod_context_release(context);
}
