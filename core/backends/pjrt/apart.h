#ifndef POD_PJRT_APART_H
#define POD_PJRT_APART_H

/*
 * apart - a plugin is tried and compiles in a child process, so that one that dies, hangs or is none harms nobody.
 *
 * What is compiled there comes back as the plugin's bytes and is loaded here. The child of a CPU has a client of its
 * own. Other devices have one owner: the child compiles for their topology, without them. A plugin that does neither
 * compiles in this process.
 */

#include "client.h"

/* What a program is compiled from. */
typedef struct pod_pjrt_module {
    const char *text, *options;
    size_t text_size, option_size;
} pod_pjrt_module;

/* Makes the device's children, and takes its devices in one: as many as its description counts (-1: all). */
POD_CHECKED pod_status pod_pjrt_try_apart(pod_pjrt_device *device, int seconds, pod_error *error);

/* Finds out how the children can compile for the devices, which were taken here. */
POD_CHECKED pod_status pod_pjrt_find_apart(pod_pjrt_device *device, pod_error *error);

/* Compiles a module and loads it: *executable is the plugin's. *program has its bytes, the caller's, to free with
 * pod_bytes_free(); empty where the plugin gives none. */
POD_CHECKED pod_status pod_pjrt_compile_module(pod_pjrt_device *device, const pod_pjrt_module *module,
                                               void **executable, pod_bytes *program, pod_error *error);

/* Loads a program from its bytes; NULL: the plugin does not take them. */
void *pod_pjrt_load_bytes(const pod_pjrt_device *device, const pod_bytes *program);

#endif
