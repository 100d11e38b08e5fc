#ifndef POD_SERVICE_BLOCK_H
#define POD_SERVICE_BLOCK_H

/*
 * block - elements of a dataset as frames: a frame a component, with what all elements of the block have of it.
 *
 * A frame begins with how it is written: whether all elements have one shape, or each its own; whether zstd has
 * compressed what follows; how many bytes that is. Then the shapes, then the elements, one behind the other. Small
 * elements travel by hundreds; the taker makes one buffer of a frame, of which they are the rows.
 */

#include "input/stage.h"
#include "service/endpoint.h"

/* A block is closed when its elements have so many bytes. */
#define POD_BLOCK_BYTES ((size_t)1 << 18)

/* What a block takes of a consumer's credit besides its frames, so that many small ones are bounded, too. */
#define POD_BLOCK_BESIDES 4096

/* The most elements of a block. */
#define POD_MOST_IN_BLOCK POD_STAGE_BLOCK

/* Writes component `component` of `count` elements into a frame, which is the caller's to close or to send. *cost
 * grows by its bytes. */
pod_status pod_service_block_write(pod_context *context, const pod_dataset *dataset, const pod_part *parts,
                                   size_t count, size_t component, bool compress, zmq_msg_t *frame, size_t *cost,
                                   pod_error *error);

/* Reads a frame of `count` elements of `component` into parts[0], parts[width], ...: shares for the caller. `bytes` may
 * be anything; POD_ERROR_FORMAT where it is no such frame. Without a failure there are as many parts, else none. */
pod_status pod_service_block_read(pod_context *context, const pod_component *component, const void *bytes, size_t size,
                                  size_t count, pod_part *parts, size_t width, pod_error *error);

#endif
