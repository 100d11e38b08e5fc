#ifndef POD_TENSOR_SHARES_H
#define POD_TENSOR_SHARES_H

/* shares - many shares of a buffer at once, as rows of it come and go together. */

#include "moonpod/tensor.h"

/* pod_buffer_retain() and pod_buffer_release(), `count` times; NULL is allowed. */
void pod_buffer_retain_many(pod_buffer *buffer, unsigned count);
void pod_buffer_release_many(pod_buffer *buffer, unsigned count);

#endif
