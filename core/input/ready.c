/* ready - elements of an iterator that are made before they are asked for. */

#include "input/consumer.h"

#include <string.h>

/* Makes a buffer of what a part refers to; takes the part. */
static pod_status buffer_of(pod_dataset_iterator *iterator, size_t component, pod_part *part, pod_buffer **buffer,
                            pod_error *error)
{
    pod_shape shape;
    *buffer = part->buffer;
    if (part->row < 0)
        return POD_OK;
    pod_input_part_shape(part, &shape);
    const pod_status status =
        pod_input_spares_take(&iterator->spares[component], pod_buffer_dtype(part->buffer), &shape, buffer, error);
    if (status == POD_OK)
        memcpy(pod_buffer_data(*buffer), pod_input_part_data(part), pod_input_part_bytes(part));
    pod_buffer_release(part->buffer);
    return status;
}

/* Passes over the elements that another iterator has given. */
static pod_status pass_over(pod_dataset_iterator *iterator, pod_error *error)
{
    int64_t passed;
    const pod_status status = pod_input_stage_pass_over(iterator->stage, iterator->skip, &passed, error);
    iterator->skip -= passed;
    iterator->position += passed;
    return status;
}

pod_status pod_input_ready_pull(pod_dataset_iterator *iterator, pod_ready_element *element, pod_error *error)
{
    const size_t width = iterator->dataset->width;
    const uint64_t begin = uv_hrtime();
    size_t count;

    if (iterator->failure.status < 0) { /* of an element that was to be made ahead */
        const pod_error failure = iterator->failure;
        iterator->failure.status = POD_OK;
        return pod_error_set(error, failure.status, "%s", failure.message);
    }
    if (iterator->pass.options.epoch == 0)
        iterator->pass.options.epoch = pod_dataset_begin_pass(iterator->dataset);
    atomic_store_explicit(&iterator->shared.awaited, true, memory_order_relaxed);
    pod_status status = pass_over(iterator, error);
    if (status == POD_OK)
        status = pod_input_stage_next(iterator->stage, iterator->parts, 1, &count, error);
    atomic_store_explicit(&iterator->shared.awaited, false, memory_order_relaxed);
    iterator->ended = uv_hrtime();
    iterator->nanoseconds_waited += iterator->ended - begin;
    if (iterator->began == 0)
        iterator->began = begin;
    if (status != POD_OK)
        return status;
    element->by_address = 0;
    for (size_t i = 0; i < width; i++) {
        element->by_address |= (uint64_t)(iterator->parts[i].row == POD_BY_ADDRESS) << i;
        if (status == POD_OK)
            status = buffer_of(iterator, i, &iterator->parts[i], &element->buffers[i], error);
        else
            pod_buffer_release(iterator->parts[i].buffer);
        if (status != POD_OK)
            element->buffers[i] = NULL;
    }
    if (status != POD_OK)
        pod_input_buffers_drop(element->buffers, width);
    return status;
}

/* Makes the ring of ready elements one larger than `needed` at least. */
static pod_status reserve(pod_dataset_iterator *iterator, size_t needed, pod_error *error)
{
    if (needed <= iterator->room)
        return POD_OK;
    const size_t room = needed < 2 * iterator->room ? 2 * iterator->room : needed;
    pod_ready_element *ready = pod_allocate_zeroed(iterator->context, room, sizeof *ready);
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

pod_status pod_input_ready_make(pod_dataset_iterator *iterator, size_t count, size_t *ready, pod_error *error)
{
    pod_error failure;
    pod_status status = reserve(iterator, count, error);
    *ready = iterator->count;
    if (status != POD_OK)
        return status;
    while (iterator->count < count && !(iterator->count > 0 && pod_input_pass_is_late(&iterator->pass))) {
        const size_t place = (iterator->oldest + iterator->count) % iterator->room;
        status = pod_input_ready_pull(iterator, &iterator->ready[place], &failure);
        if (status != POD_OK)
            break;
        iterator->count++;
    }
    *ready = iterator->count;
    if (status < 0 && iterator->count == 0)
        return pod_error_set(error, status, "%s", failure.message);
    if (status < 0)
        iterator->failure = failure; /* told behind the elements that are ready */
    return status == POD_END && iterator->count == 0 ? POD_END : POD_OK;
}

const pod_stage *pod_input_ready_divided(const pod_dataset_iterator *iterator)
{
    const bool here = iterator->dataset->own_thread || iterator->pass.options.no_threads;
    const pod_stage *stage = iterator->stage;
    while (!stage->dataset->kind->divides && stage->inputs[0] != NULL && stage->dataset->input_count == 1 &&
           (stage->dataset->kind->one_for_one || (here && stage->dataset->kind->transparent)))
        stage = stage->inputs[0];
    return stage->dataset->kind->divides ? stage : NULL;
}

void pod_input_ready_drop(pod_dataset_iterator *iterator)
{
    for (; iterator->count > 0; iterator->count--) {
        pod_input_buffers_drop(iterator->ready[iterator->oldest].buffers, iterator->dataset->width);
        iterator->oldest = (iterator->oldest + 1) % iterator->room;
    }
    iterator->has_last = false;
    iterator->failure.status = POD_OK;
}
