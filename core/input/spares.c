/* spares - buffers that are used again. */

#include "input/spares.h"

#include "base/context.h"
#include "base/growth.h"

/* Buffers that takers keep (a cache, say) are theirs in the end: no more than these are kept. */
#define MOST_PLACES 64

pod_spares *pod_input_spares_hold(pod_holdings *holdings, size_t count)
{
    pod_spares *spares = pod_input_hold(holdings, count, sizeof *spares);
    for (size_t i = 0; spares != NULL && i < count; i++)
        spares[i].context = holdings->context;
    return spares;
}

static bool fits(const pod_buffer *buffer, pod_dtype dtype, const pod_shape *shape)
{
    return pod_buffer_dtype(buffer) == dtype && pod_shape_equal(pod_buffer_shape(buffer), shape);
}

/* Finds a place whose buffer is free; *fitting tells whether it can be used as it is. */
static bool find_free(const pod_spares *spares, pod_dtype dtype, const pod_shape *shape, size_t *place, bool *fitting)
{
    bool found = false;
    *fitting = false;
    for (size_t i = 0; i < spares->count; i++) {
        const size_t here = (spares->oldest + i) % spares->count;
        if (!pod_buffer_is_unique(spares->buffers[here]))
            continue;
        *place = here;
        found = true;
        *fitting = fits(spares->buffers[here], dtype, shape);
        if (*fitting)
            return true;
    }
    return found;
}

/* Finds a place for a buffer, where all are in use. */
static pod_status add_place(pod_spares *spares, size_t *place, pod_error *error)
{
    if (spares->count == MOST_PLACES) {
        *place = spares->oldest;
        return POD_OK;
    }
    *place = spares->count;
    return pod_grow(spares->context, &spares->buffers, &spares->room, spares->count + 1,
                    (pod_growth){sizeof *spares->buffers, .first = 8, .what = "spare buffers"}, error);
}

pod_status pod_input_spares_take(pod_spares *spares, pod_dtype dtype, const pod_shape *shape, pod_buffer **buffer,
                                 pod_error *error)
{
    size_t place = 0;
    bool fitting;
    pod_buffer *made;

    *buffer = NULL;
    const bool found = find_free(spares, dtype, shape, &place, &fitting);
    if (!fitting) {
        pod_status status = found ? POD_OK : add_place(spares, &place, error);
        if (status == POD_OK)
            status = pod_buffer_new(spares->context, dtype, shape, &made, error);
        if (status != POD_OK)
            return status;
        if (place < spares->count)
            pod_buffer_release(spares->buffers[place]);
        else
            spares->count++;
        spares->buffers[place] = made;
    }
    pod_buffer_note_write(spares->buffers[place]); /* by who takes it */
    spares->oldest = (place + 1) % spares->count;
    *buffer = pod_buffer_retain(spares->buffers[place]);
    return POD_OK;
}

void pod_input_buffers_drop(pod_buffer **buffers, size_t count)
{
    for (size_t i = 0; buffers != NULL && i < count; i++) {
        pod_buffer_release(buffers[i]);
        buffers[i] = NULL;
    }
}

void pod_input_spares_end(pod_spares *spares, size_t count)
{
    for (size_t i = 0; spares != NULL && i < count; i++) {
        pod_input_buffers_drop(spares[i].buffers, spares[i].count);
        pod_free(spares[i].context, spares[i].buffers);
    }
}
