#ifndef POD_TENSOR_VERSION_H
#define POD_TENSOR_VERSION_H

/* version - tells whether the elements of a buffer are still those of before. */

#include "moonpod/tensor.h"

/* Returns a number that no other buffer has had, nor this one before pod_buffer_note_write() was last called for it or
 * for a view of the same elements. */
uint64_t pod_buffer_version(const pod_buffer *buffer);

#endif
