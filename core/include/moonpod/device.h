#ifndef MOONPOD_DEVICE_H
#define MOONPOD_DEVICE_H

/*
 * device - accelerators that a plugin of PJRT drives, on which programs run in the place of this host.
 *
 *     pod_device *device;
 *     pod_device_question question = {.plugin = "/opt/libtpu.so"};
 *     status = pod_device_open(context, &question, &device, &error);
 *     if (status == POD_OK)
 *         puts(pod_device_describe(device)->platform);
 *     pod_device_release(device);
 *
 * A program is compiled for it by pod_compile_options.device. What a program gives, and the variables that it updates,
 * stay on the device until the host asks for them.
 */

#include "moonpod/tensor.h"

POD_BEGIN_C

typedef struct pod_device pod_device;

typedef struct pod_device_question {
    const char *plugin;      /* path of the shared library */
    int32_t count;           /* how many devices are used; 0: 1. A plugin of CPUs makes as many */
    bool all;                /* all devices that there are, in the place of so many */
    int32_t seconds;         /* until a plugin that does not begin is given up; 0: 120 */
    int32_t compile_seconds; /* the same of one that compiles a program; 0: 3600 */
    const char *kept;   /* a folder of the caller's alone, in which compiled programs are kept, where the plugin gives
                         * them as bytes; NULL: none are */
    int64_t kept_bytes; /* at most; 0: 2^30. Those that were not used for longest go first */
} pod_device_question;

/* What a plugin says of itself. */
typedef struct pod_device_description {
    char platform[32];    /* "cpu", "cuda", "tpu" */
    char version[128];    /* its first line */
    char kind[64];        /* of its devices: "TPU v4" */
    int32_t count;        /* of devices that are used */
    int32_t there;        /* of devices that it has */
    int32_t major, minor; /* of its PJRT */
} pod_device_description;

/* Loads a plugin and takes its devices. A child process does the same before, so that a plugin that aborts or hangs
 * there is an error here; another one, which stays as long as the device, compiles its programs, where the plugin gives
 * them as bytes. It has what this process has in memory when it is forked, now. On success *device is shared: end with
 * pod_device_release(). POD_ERROR_NOT_FOUND: there is no such plugin; POD_ERROR_UNSUPPORTED: it is none, too old, or
 * has fewer devices; POD_ERROR_STATE: it failed, died or took too long. Of a sandbox's context, and on systems without
 * fork(): POD_ERROR_UNSUPPORTED. */
POD_API POD_CHECKED pod_status pod_device_open(pod_context *context, const pod_device_question *question,
                                               pod_device **device, pod_error *error);

/* Ends one share; programs and buffers have their own. NULL is allowed. */
POD_API void pod_device_release(pod_device *device);

/* Returns what the plugin says; borrowed. */
POD_API const pod_device_description *pod_device_describe(const pod_device *device);

/* Bytes of a device's memory; 0: the plugin does not tell (but for `used`). */
typedef struct pod_device_memory {
    int64_t used, peak, limit;
    int64_t largest_free; /* piece */
} pod_device_memory;

/* Asks what a device has in use, by its number from 0. POD_ERROR_UNSUPPORTED: the plugin does not tell. */
POD_API POD_CHECKED pod_status pod_device_ask_memory(const pod_device *device, int32_t index, pod_device_memory *memory,
                                                     pod_error *error);

POD_END_C

#endif
