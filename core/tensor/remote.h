#ifndef POD_TENSOR_REMOTE_H
#define POD_TENSOR_REMOTE_H

/*
 * remote - elements of a buffer that lie on a device as well, or there alone.
 *
 * Whoever writes to a buffer's elements notes it (pod_buffer_note_write()), so a copy on a device is known to be old.
 * Where only the device has the elements they are fetched before the host looks: pod_buffer_settle(). A buffer's copy
 * is for one thread at a time, that which runs programs.
 */

#include "moonpod/tensor.h"

typedef struct pod_remote pod_remote;

/* What a kind of devices does. */
typedef struct pod_remote_kind {
    pod_status (*read)(pod_remote *remote, void *elements, size_t bytes, pod_error *error);
    void (*end)(pod_remote *remote);
} pod_remote_kind;

/* What each copy begins with. */
struct pod_remote {
    const pod_remote_kind *kind;
    const void *owner; /* the device: others cannot use it */
};

/* Gives a buffer a copy of the elements that it has now, in the place of one that it had: the buffer's from here on. */
void pod_buffer_set_remote(pod_buffer *buffer, pod_remote *remote);

/* The same of elements that are on the device alone: what the host has is old. The buffer is no view of a part. */
void pod_buffer_move_to_remote(pod_buffer *buffer, pod_remote *remote);

/* Returns whether only a device has the elements. */
bool pod_buffer_is_only_remote(const pod_buffer *buffer);

/* Returns the copy of the elements that the buffer has now where this owner has it, else NULL; borrowed. */
pod_remote *pod_buffer_remote(const pod_buffer *buffer, const void *owner);

#endif
