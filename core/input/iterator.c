/* iterator - the consumer's end of a dataset. */

#include "input/consumer.h"

#include <string.h>

#include "input/stage_stats.h"

#define RAM_BUDGET ((int64_t)256 << 20)

pod_status pod_input_iterator_enter(pod_dataset_iterator *iterator, pod_error *error)
{
    if (iterator->busy)
        return pod_error_set(error, POD_ERROR_STATE,
                             "the iterator is in use: a function that it calls for its elements cannot ask it for "
                             "any, rewind it or take its state; make an iterator for that");
    const pod_status status = pod_process_check(&iterator->shared.threads_of, "the iterator", error);
    iterator->busy = status == POD_OK;
    if (status == POD_OK)
        pod_input_feed_begin(iterator);
    return status;
}

pod_status pod_input_iterator_leave(pod_dataset_iterator *iterator, pod_status status)
{
    iterator->busy = false;
    pod_input_feed_end(iterator);
    if (iterator->closing)
        pod_dataset_iterator_close(iterator);
    return status;
}

static void begin_pass(pod_dataset_iterator *iterator, const pod_iterator_options *options)
{
    static const pod_iterator_options defaults = {0};
    if (options == NULL)
        options = &defaults;
    iterator->numbered = options->epoch > 0;
    iterator->skip = options->skip;
    pod_input_budget_init(&iterator->shared.memory, options->ram_budget > 0 ? options->ram_budget : RAM_BUDGET);
    iterator->pass = (pod_pass){
        .context = iterator->context,
        .shared = &iterator->shared,
        .depth_left = POD_MOST_STAGES_DEEP,
        .options = *options,
        .most_threads = options->cpu_budget > 0 ? options->cpu_budget : pod_context_threads(iterator->context),
    };
}

static pod_status check_budgets(const pod_iterator_options *options, pod_error *error)
{
    if (options == NULL || (options->cpu_budget >= 0 && options->ram_budget >= 0))
        return POD_OK;
    return pod_error_set(error, POD_ERROR_ARGUMENT, "a budget of %lld threads and %lld bytes is not possible",
                         (long long)options->cpu_budget, (long long)options->ram_budget);
}

/* Ends what an iterator has besides its scope and stages. */
static void free_iterator(pod_dataset_iterator *iterator)
{
    pod_context *context = iterator->context;
    pod_free(context, iterator->ready);
    pod_input_spares_end(iterator->spares, iterator->dataset->width);
    pod_input_holdings_end(&iterator->holdings);
    pod_dataset_release(iterator->dataset);
    pod_free(context, iterator);
    pod_context_release(context);
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
    made->context = made->holdings.context = pod_context_retain(context);
    made->dataset = pod_dataset_retain(dataset);
    begin_pass(made, options);
    made->parts = pod_input_hold(&made->holdings, width, sizeof *made->parts);
    made->spares = pod_input_spares_hold(&made->holdings, width);
    made->last_shapes = pod_input_hold(&made->holdings, width, sizeof *made->last_shapes);
    status = pod_input_holdings_check(&made->holdings, "an iterator", error);
    if (status == POD_OK)
        status = pod_input_scope_open(&made->scope, NULL, NULL, NULL, error);
    if (status == POD_OK) {
        status = pod_input_stage_open(dataset, &made->pass, &made->scope, NULL, &made->stage, error);
        if (status != POD_OK)
            pod_input_scope_close(&made->scope);
    }
    if (status != POD_OK) {
        free_iterator(made);
        return status;
    }
    made->pass.divided = pod_input_ready_divided(made);
    *iterator = made;
    return POD_OK;
}

pod_status pod_dataset_iterator_prepare_for(pod_dataset_iterator *iterator, size_t count, uint64_t nanoseconds,
                                            size_t *ready, pod_error *error)
{
    *ready = 0;
    pod_status status = pod_input_iterator_enter(iterator, error);
    if (status != POD_OK)
        return status;
    const uint64_t now = uv_hrtime();
    iterator->pass.until = nanoseconds > 0 && nanoseconds < UINT64_MAX - now ? now + nanoseconds : 0;
    status = pod_input_ready_make(iterator, count, ready, error);
    iterator->pass.until = 0;
    return pod_input_iterator_leave(iterator, status);
}

pod_status pod_dataset_iterator_prepare(pod_dataset_iterator *iterator, size_t count, size_t *ready, pod_error *error)
{
    const pod_status status = pod_dataset_iterator_prepare_for(iterator, count, 0, ready, error);
    return status == POD_END ? POD_OK : status;
}

static pod_ready_element *oldest_of(pod_dataset_iterator *iterator)
{
    return &iterator->ready[iterator->oldest];
}

/* The type of a component of an element. */
static void type_of(const pod_dataset_iterator *iterator, const pod_ready_element *element, size_t component,
                    pod_dtype *dtype, pod_shape *shape)
{
    const pod_buffer *buffer = element->buffers[component];
    *dtype = pod_buffer_dtype(buffer);
    *shape = *pod_buffer_shape(buffer);
    if ((element->by_address >> component & 1) == 0)
        return;
    const int64_t rows = shape->dims[0];
    *dtype = iterator->dataset->components[component].dtype;
    *shape = iterator->dataset->components[component].shape;
    shape->dims[0] = rows;
}

/* Copies the rows of a component that are given by address one behind the other. */
static pod_status join_rows(pod_dataset_iterator *iterator, pod_ready_element *element, size_t component,
                            pod_error *error)
{
    pod_dtype dtype;
    pod_shape shape;
    pod_buffer *table = element->buffers[component], *joined;
    type_of(iterator, element, component, &dtype, &shape);
    const pod_status status = pod_input_spares_take(&iterator->spares[component], dtype, &shape, &joined, error);
    if (status != POD_OK)
        return status;
    const uint64_t *rows = pod_buffer_data(table);
    const size_t bytes = pod_buffer_bytes(joined) / (size_t)shape.dims[0];
    char *to = pod_buffer_data(joined);
    for (int64_t i = 0; i < shape.dims[0]; i++, to += bytes)
        memcpy(to, (const char *)(uintptr_t)rows[i], bytes);
    pod_buffer_release(table);
    element->buffers[component] = joined;
    element->by_address &= ~((uint64_t)1 << component);
    return POD_OK;
}

/* Takes the next element; only components in `by_address` may have addresses of rows. */
static pod_status take(pod_dataset_iterator *iterator, uint64_t by_address, pod_ready_element *element,
                       pod_error *error)
{
    const size_t width = iterator->dataset->width;
    pod_status status = POD_OK;
    if (iterator->count > 0) {
        *element = *oldest_of(iterator);
        iterator->oldest = (iterator->oldest + 1) % iterator->room;
        iterator->count--;
    } else {
        status = pod_input_ready_pull(iterator, element, error);
        if (status != POD_OK)
            return status;
    }
    for (size_t i = 0; i < width && status == POD_OK; i++)
        if ((element->by_address & ~by_address) >> i & 1)
            status = join_rows(iterator, element, i, error);
    for (size_t i = 0; i < width && status != POD_OK; i++)
        pod_buffer_release(element->buffers[i]);
    iterator->elements++;
    iterator->position++;
    return status;
}

static pod_status next_whole(pod_dataset_iterator *iterator, pod_buffer **components, pod_error *error)
{
    pod_ready_element element;
    const size_t width = iterator->dataset->width;
    memset(components, 0, width * sizeof *components);
    const pod_status status = take(iterator, 0, &element, error);
    if (status == POD_OK)
        memcpy(components, element.buffers, width * sizeof *components);
    return status;
}

pod_status pod_dataset_iterator_next(pod_dataset_iterator *iterator, pod_buffer **components, pod_error *error)
{
    const pod_status status = pod_input_iterator_enter(iterator, error);
    return status == POD_OK ? pod_input_iterator_leave(iterator, next_whole(iterator, components, error)) : status;
}

static void remember_shapes(pod_dataset_iterator *iterator, const pod_ready_element *element)
{
    pod_dtype dtype;
    for (size_t i = 0; i < iterator->dataset->width; i++)
        type_of(iterator, element, i, &dtype, &iterator->last_shapes[i]);
    iterator->has_last = true;
}

/* Makes one element ready. */
static pod_status need_one(pod_dataset_iterator *iterator, pod_error *error)
{
    size_t ready;
    return pod_input_ready_make(iterator, 1, &ready, error);
}

static pod_status describe_next(pod_dataset_iterator *iterator, pod_component *components, pod_error *error)
{
    const pod_status status = need_one(iterator, error);
    if (status != POD_OK)
        return status;
    const pod_ready_element *element = oldest_of(iterator);
    for (size_t i = 0; i < iterator->dataset->width; i++) {
        components[i] = (pod_component){.text = iterator->dataset->components[i].text};
        type_of(iterator, element, i, &components[i].dtype, &components[i].shape);
    }
    remember_shapes(iterator, element);
    return POD_OK;
}

pod_status pod_dataset_iterator_peek(pod_dataset_iterator *iterator, pod_component *components, pod_error *error)
{
    const pod_status status = pod_input_iterator_enter(iterator, error);
    return status == POD_OK ? pod_input_iterator_leave(iterator, describe_next(iterator, components, error)) : status;
}

static bool has_last_shapes(const pod_dataset_iterator *iterator, const pod_ready_element *element)
{
    pod_dtype dtype;
    pod_shape shape;
    for (size_t i = 0; i < iterator->dataset->width; i++) {
        type_of(iterator, element, i, &dtype, &shape);
        if (!pod_shape_equal(&iterator->last_shapes[i], &shape))
            return false;
    }
    return true;
}

/* Makes the element ready that the infeed gives next; POD_END where a run has to end before it. */
static pod_status prepare_infeed(pod_dataset_iterator *iterator, size_t count, pod_error *error)
{
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
    return POD_OK;
}

static pod_status infeed_next(void *context, pod_buffer **slots, size_t count, pod_error *error)
{
    pod_status status = pod_input_iterator_enter(context, error);
    if (status != POD_OK)
        return status;
    status = prepare_infeed(context, count, error);
    return pod_input_iterator_leave(context, status == POD_OK ? next_whole(context, slots, error) : status);
}

/* Elements that were made before the program asked for rows have them together. */
static pod_status next_rows(pod_dataset_iterator *iterator, const bool *by_rows, pod_buffer **slots,
                            pod_infeed_rows *rows, size_t count, pod_error *error)
{
    pod_ready_element element;
    uint64_t by_address = 0;
    for (size_t i = 0; i < count && i < POD_MAX_COMPONENTS; i++)
        by_address |= (uint64_t)by_rows[i] << i;
    by_address &= pod_dataset_by_address(iterator->dataset);
    atomic_store_explicit(&iterator->shared.by_address, by_address, memory_order_relaxed);
    pod_status status = prepare_infeed(iterator, count, error);
    if (status == POD_OK)
        status = take(iterator, by_address, &element, error);
    if (status != POD_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        slots[i] = element.buffers[i];
        rows[i].by_address = element.by_address >> i & 1;
        type_of(iterator, &element, i, &rows[i].dtype, &rows[i].shape);
    }
    return POD_OK;
}

static pod_status infeed_next_rows(void *context, const bool *by_rows, pod_buffer **slots, pod_infeed_rows *rows,
                                   size_t count, pod_error *error)
{
    const pod_status status = pod_input_iterator_enter(context, error);
    return status == POD_OK ? pod_input_iterator_leave(context, next_rows(context, by_rows, slots, rows, count, error))
                            : status;
}

pod_infeed pod_dataset_iterator_infeed(pod_dataset_iterator *iterator)
{
    return (pod_infeed){.next = infeed_next, .context = iterator, .next_rows = infeed_next_rows};
}

pod_status pod_input_iterator_rewind(pod_dataset_iterator *iterator, pod_error *error)
{
    pod_input_ready_drop(iterator);
    pod_input_scope_revive(&iterator->scope);
    iterator->position = iterator->skip = 0;
    const pod_status status = pod_input_stage_rewind(iterator->stage, POD_REWIND_ALL, error);
    /* nothing runs now: stages read the number when they give the next element */
    iterator->pass.options.epoch = iterator->numbered ? iterator->pass.options.epoch + 1 : 0;
    iterator->pass.options.repetition = 0;
    return status;
}

pod_status pod_dataset_iterator_rewind(pod_dataset_iterator *iterator, pod_error *error)
{
    const pod_status status = pod_input_iterator_enter(iterator, error);
    return status == POD_OK ? pod_input_iterator_leave(iterator, pod_input_iterator_rewind(iterator, error)) : status;
}

void pod_dataset_iterator_cancel(pod_dataset_iterator *iterator)
{
    pod_input_scope_cancel(&iterator->scope);
}

pod_iterator_stats pod_dataset_iterator_get_stats(const pod_dataset_iterator *iterator)
{
    pod_iterator_stats stats = {
        .elements = iterator->elements,
        .epoch = iterator->pass.options.epoch,
        .position = iterator->position,
        .seconds_waited = (double)iterator->nanoseconds_waited * 1e-9,
    };
    const pod_stage_class *kind = iterator->dataset->kind;
    if (kind->stats != NULL)
        kind->stats(iterator->stage, &stats);
    return stats;
}

size_t pod_dataset_iterator_get_stage_stats(pod_dataset_iterator *iterator, pod_stage_stats *stats, size_t room,
                                            double *seconds)
{
    pod_stats_list list = {.stats = stats, .room = room};
    pod_input_stage_collect(iterator->stage, &list);
    *seconds = (double)(iterator->ended - iterator->began) * 1e-9;
    return list.count;
}

void pod_dataset_iterator_close(pod_dataset_iterator *iterator)
{
    if (iterator == NULL)
        return;
    iterator->closing = true;
    /* What the threads of another process held they hold for ever: it is left to the end of this one. */
    if (iterator->busy || pod_process_is_child(&iterator->shared.threads_of))
        return;
    iterator->busy = true;
    pod_input_ready_drop(iterator);
    pod_input_stage_close(iterator->stage);
    pod_input_scope_close(&iterator->scope);
    free_iterator(iterator);
}
