#ifndef POD_TENSOR_UNSET_H
#define POD_TENSOR_UNSET_H

/* unset - buffers whose elements the caller is to write: large ones take long to clear. */

#include "moonpod/tensor.h"

/* pod_buffer_new() with whatever the memory has for elements. */
POD_CHECKED pod_status pod_buffer_new_unset(pod_context *context, pod_dtype dtype, const pod_shape *shape,
                                            pod_buffer **buffer, pod_error *error);

#endif
