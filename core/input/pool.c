/* pool - buffers that are used again. */

#include "input/pool.h"

#include "base/context.h"

/* Buffers that takers keep (a cache, say) are theirs in the end: the pool holds no more than these. */
#define MOST_PLACES 64

void pod_pool_init(pod_pool *pool, pod_context *context)
{
    *pool = (pod_pool){.context = context};
}

static bool fits(const pod_buffer *buffer, pod_dtype dtype, const pod_shape *shape)
{
    return pod_buffer_dtype(buffer) == dtype && pod_shape_equal(pod_buffer_shape(buffer), shape);
}

/* Finds a place whose buffer is free; *fitting tells whether it can be used as it is. */
static bool find_free(const pod_pool *pool, pod_dtype dtype, const pod_shape *shape, size_t *place,
                      bool *fitting)
{
    bool found = false;
    *fitting = false;
    for (size_t i = 0; i < pool->count; i++) {
        const size_t here = (pool->oldest + i) % pool->count;
        if (!pod_buffer_is_unique(pool->buffers[here]))
            continue;
        *place = here;
        found = true;
        *fitting = fits(pool->buffers[here], dtype, shape);
        if (*fitting)
            return true;
    }
    return found;
}

/* Finds a place for a buffer, where all are in use. */
static pod_status add_place(pod_pool *pool, size_t *place, pod_error *error)
{
    if (pool->count == MOST_PLACES) {
        *place = pool->oldest;
        return POD_OK;
    }
    if (pool->count == pool->room) {
        const size_t room = pool->room == 0 ? 8 : pool->room * 2;
        const size_t bytes = room * sizeof(pod_buffer *);
        pod_buffer **buffers = pod_reallocate(pool->context, pool->buffers, bytes);
        if (buffers == NULL)
            return pod_error_memory(error, "a pool of buffers", bytes);
        pool->buffers = buffers;
        pool->room = room;
    }
    *place = pool->count;
    return POD_OK;
}

pod_status pod_pool_take(pod_pool *pool, pod_dtype dtype, const pod_shape *shape,
                         pod_buffer **buffer, pod_error *error)
{
    size_t place = 0;
    bool fitting;
    pod_buffer *made;

    *buffer = NULL;
    const bool found = find_free(pool, dtype, shape, &place, &fitting);
    if (!fitting) {
        pod_status status = found ? POD_OK : add_place(pool, &place, error);
        if (status == POD_OK)
            status = pod_buffer_new(pool->context, dtype, shape, &made, error);
        if (status != POD_OK)
            return status;
        if (place < pool->count)
            pod_buffer_release(pool->buffers[place]);
        else
            pool->count++;
        pool->buffers[place] = made;
    }
    pool->oldest = (place + 1) % pool->count;
    *buffer = pod_buffer_retain(pool->buffers[place]);
    return POD_OK;
}

void pod_pool_clear(pod_pool *pool)
{
    for (size_t i = 0; i < pool->count; i++)
        pod_buffer_release(pool->buffers[i]);
    pod_free(pool->context, pool->buffers);
    pod_pool_init(pool, pool->context);
}
