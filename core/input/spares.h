#ifndef POD_INPUT_SPARES_H
#define POD_INPUT_SPARES_H

/*
 * spares - buffers of one type that are used again once their takers have released them.
 *
 * They keep a share of each buffer that was made; a buffer of which that is the only share is free. For
 * one thread at a time; takers release from any.
 */

#include "moonpod/tensor.h"

typedef struct pod_spares {
    pod_context *context; /* borrowed */
    pod_buffer **buffers;
    size_t count, room;
    size_t oldest; /* where the search for a free one begins */
} pod_spares;

/* None at first; takes no memory yet. */
void pod_input_spares_init(pod_spares *spares, pod_context *context);

/* Gives a buffer with unspecified elements, shared for the taker. */
pod_status pod_input_spares_take(pod_spares *spares, pod_dtype dtype, const pod_shape *shape, pod_buffer **buffer,
                                 pod_error *error);

/* Ends their shares; buffers that were taken live on. */
void pod_input_spares_clear(pod_spares *spares);

#endif
