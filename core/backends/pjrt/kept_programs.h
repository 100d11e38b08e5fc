#ifndef POD_PJRT_KEPT_PROGRAMS_H
#define POD_PJRT_KEPT_PROGRAMS_H

/*
 * kept_programs - compiled programs on disk, where a plugin gives them as bytes: a second start need not compile.
 *
 * A file's name is the SHA-256 of all that the bytes depend on: the module, the options, the plugin's file and version,
 * the devices' kind, and the CPU where that is the device. Its content has a sum of its own: what is damaged, or what
 * the plugin does not take, is compiled anew. The folder is the user's alone, or nothing is read from it: the bytes
 * are code. It holds POD_PJRT_KEPT_BYTES at most; what was not used for longest goes first.
 */

#include "apart.h"

#define POD_PJRT_KEPT_BYTES ((int64_t)1 << 30)

/* Where a program is kept; an empty path: nowhere. */
typedef struct pod_pjrt_kept {
    char path[1024];
} pod_pjrt_kept;

/* Makes the folder of a device, if it has one, the user's alone. */
void pod_pjrt_make_kept_folder(const pod_pjrt_device *device);

pod_pjrt_kept pod_pjrt_find_kept(const pod_pjrt_device *device, const pod_pjrt_module *module);

/* Loads the program that is kept there; NULL where there is none, or none that can be loaded. */
void *pod_pjrt_load_kept(const pod_pjrt_device *device, const pod_pjrt_kept *kept);

/* Keeps a program's bytes, where the folder takes them; what is too much there is deleted. */
void pod_pjrt_keep(const pod_pjrt_device *device, const pod_pjrt_kept *kept, const pod_bytes *program);

#endif
