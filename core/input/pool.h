#ifndef POD_INPUT_POOL_H
#define POD_INPUT_POOL_H

/*
 * pool - buffers of one type that are used again once their takers have released them.
 *
 * The pool keeps a share of each buffer it made; a buffer of which that is the only share is free. For
 * one thread at a time; takers release from any.
 */

#include "moonpod/tensor.h"

typedef struct pod_pool {
    pod_context *context; /* borrowed */
    pod_buffer **buffers;
    size_t count, room;
    size_t oldest; /* where the search for a free one begins */
} pod_pool;

/* Makes an empty pool; takes no memory yet. */
void pod_pool_init(pod_pool *pool, pod_context *context);

/* Gives a buffer with unspecified elements, shared for the taker. */
pod_status pod_pool_take(pod_pool *pool, pod_dtype dtype, const pod_shape *shape,
                         pod_buffer **buffer, pod_error *error);

/* Ends the pool's shares; buffers that were taken live on. */
void pod_pool_clear(pod_pool *pool);

#endif
