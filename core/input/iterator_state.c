/* iterator_state - the place of an iterator in its dataset, kept and found again. */

#include "input/consumer.h"

#include "input/place.h"

/* Returns where the iterator is. */
static pod_place place_of(pod_dataset_iterator *iterator)
{
    if (iterator->pass.options.epoch == 0)
        iterator->pass.options.epoch = pod_dataset_begin_pass(iterator->dataset);
    return (pod_place){.pass = pod_input_pass_number_of(&iterator->pass, 0),
                       .position = iterator->position + iterator->skip};
}

/* Continues from a place. */
static pod_status go_to(pod_dataset_iterator *iterator, pod_place place, pod_error *error)
{
    const pod_status status = pod_input_iterator_rewind(iterator, error);
    iterator->numbered = true;
    iterator->pass.options.epoch = place.pass.epoch;
    iterator->pass.options.repetition = place.pass.repetition;
    iterator->skip = place.position;
    return status;
}

static pod_status check_order(const pod_dataset_iterator *iterator, pod_error *error)
{
    if (!atomic_load(&iterator->shared.reordered))
        return POD_OK;
    return pod_error_set(error, POD_ERROR_STATE,
                         "elements come in the order in which threads finish them (a stage is not "
                         "deterministic), so no position tells which of them came already");
}

pod_status pod_dataset_iterator_get_state(pod_dataset_iterator *iterator, pod_bytes *state, pod_error *error)
{
    *state = (pod_bytes){0};
    pod_status status = pod_input_iterator_enter(iterator, error);
    if (status != POD_OK)
        return status;
    status = check_order(iterator, error);
    if (status == POD_OK)
        status = pod_input_place_write(iterator->dataset, place_of(iterator), state, error);
    return pod_input_iterator_leave(iterator, status);
}

pod_status pod_dataset_iterator_set_state(pod_dataset_iterator *iterator, const void *bytes, size_t size,
                                          pod_error *error)
{
    pod_place place;
    pod_status status = pod_input_iterator_enter(iterator, error);
    if (status != POD_OK)
        return status;
    status = check_order(iterator, error);
    if (status == POD_OK)
        status = pod_input_place_read(iterator->dataset, bytes, size, &place, error);
    return pod_input_iterator_leave(iterator, status == POD_OK ? go_to(iterator, place, error) : status);
}

pod_status pod_dataset_iterator_save(pod_dataset_iterator *iterator, const char *path, pod_error *error)
{
    pod_bytes state;
    pod_status status = pod_dataset_iterator_get_state(iterator, &state, error);
    if (status == POD_OK)
        status = pod_input_place_save(iterator->context, path, &state, error);
    pod_bytes_free(iterator->context, &state);
    return status;
}

pod_status pod_dataset_iterator_load(pod_dataset_iterator *iterator, const char *path, pod_error *error)
{
    pod_bytes state;
    pod_status status = pod_input_place_load(iterator->context, path, &state, error);
    if (status == POD_OK)
        status = pod_dataset_iterator_set_state(iterator, state.data, state.size, error);
    pod_bytes_free(iterator->context, &state);
    if (status < 0 && error != NULL)
        pod_error_prepend(error, "%s: ", path);
    return status;
}
