#ifndef POD_INPUT_SPARES_H
#define POD_INPUT_SPARES_H

/*
 * spares - buffers of one type that are used again once their takers have released them.
 *
 * They keep a share of each buffer that was made; a buffer of which that is the only share is free. For
 * one thread at a time; takers release from any.
 */

#include "input/holdings.h"
#include "moonpod/tensor.h"

typedef struct pod_spares {
    pod_context *context; /* borrowed */
    pod_buffer **buffers;
    size_t count, room;
    size_t oldest; /* where the search for a free one begins */
} pod_spares;

/* Returns spares of `count` types among the holdings: none at first. NULL when there is no memory. */
pod_spares *pod_input_spares_hold(pod_holdings *holdings, size_t count);

/* Gives a buffer with unspecified elements, shared for the taker. */
pod_status pod_input_spares_take(pod_spares *spares, pod_dtype dtype, const pod_shape *shape, pod_buffer **buffer,
                                 pod_error *error);

/* Ends the shares of spares of `count` types, which may be NULL; buffers that were taken live on. */
void pod_input_spares_end(pod_spares *spares, size_t count);

/* Ends shares of buffers, and forgets them; `buffers` may be NULL, and any of them. */
void pod_input_buffers_drop(pod_buffer **buffers, size_t count);

#endif
