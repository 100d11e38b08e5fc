#ifndef POD_PJRT_CLIENT_H
#define POD_PJRT_CLIENT_H

/* client - a plugin with its devices, and buffers on them. */

#include "child.h"
#include "plugin.h"

#include "program/backend.h"
#include "tensor/remote.h"

typedef struct pod_pjrt_device {
    pod_device base; /* first */
    char *path;
    char *kept;                  /* folder of compiled programs, see kept_programs.h; NULL: none are kept */
    int64_t kept_bytes;          /* at most */
    pod_pjrt_children *children; /* which compile, see apart.h */
    int compile_seconds;
    pod_text topology; /* by which they do, as the plugin's bytes; empty: they take devices of their own */
    bool is_apart;     /* they do; else what is compiled is compiled here */
    pod_pjrt_plugin plugin;
    void *client;
    void *const *devices; /* of the client; the first base.description.count are used */
} pod_pjrt_device;

/* Elements of a buffer as each of the devices has them. */
typedef struct pod_pjrt_copy {
    pod_remote base;     /* first */
    pod_pjrt_device *of; /* shared */
    pod_shape shape;
    bool is_cut;     /* each device has its part, of rows or along the first axis */
    void *buffers[]; /* of each device; NULL: none yet; and behind them events: elements of the host's are not read */
} pod_pjrt_copy;

extern const pod_backend pod_pjrt_backend; /* device_runs.c */

/* Takes the devices of the plugin, which is open: so many (-1: all). */
POD_CHECKED pod_status pod_pjrt_take_devices(pod_pjrt_device *device, int32_t count, pod_error *error);

/* Ends what the device has: of pod_pjrt_backend. */
void pod_pjrt_end_device(pod_device *device);

/* Makes a copy that has no buffers yet; NULL, with an error, where there is no memory. */
pod_pjrt_copy *pod_pjrt_new_copy(pod_pjrt_device *device, const pod_shape *shape, pod_error *error);

/* Ends a copy with its buffers, and waits until what they borrow is not read any more. NULL is allowed. */
void pod_pjrt_end_copy(pod_pjrt_copy *copy);

/* Sends the elements of a buffer, which are the host's, to all devices: all, or to each its part of the rows. */
POD_CHECKED pod_status pod_pjrt_send(pod_pjrt_device *device, const pod_buffer *buffer, bool is_cut,
                                     pod_pjrt_copy **copy, pod_error *error);

/* Elements of some steps: what each device gets of all of them lies together. The copy borrows them until it ends:
 * XLA's CPU backend reads them where they are. */
typedef struct pod_pjrt_steps {
    const void *elements;
    pod_dtype dtype;
    const pod_shape *shape; /* of one step */
    int64_t count;
    bool is_cut; /* each device gets its part of the rows */
} pod_pjrt_steps;

POD_CHECKED pod_status pod_pjrt_send_steps(pod_pjrt_device *device, const pod_pjrt_steps *steps, pod_pjrt_copy **copy,
                                           pod_error *error);

/* Sends a scalar of 32 bits. */
POD_CHECKED pod_status pod_pjrt_send_number(pod_pjrt_device *device, int32_t number, pod_pjrt_copy **copy,
                                            pod_error *error);

/* Waits for an event and ends it; what it is of may have failed. NULL: there is nothing to wait for. */
POD_CHECKED pod_status pod_pjrt_await(const pod_pjrt_device *device, void *event, pod_error *error);

/* Ends an object of the plugin by the call that does so. NULL is allowed. */
void pod_pjrt_end_object(const pod_pjrt_device *device, pod_pjrt_call call, void *object);

#endif
