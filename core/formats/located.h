#ifndef POD_FORMATS_LOCATED_H
#define POD_FORMATS_LOCATED_H

/*
 * located - files of a context that keeps to one folder (pod_context_set_files()): pod_locate_file() of
 * moonpod/formats.h says where a path leads, or refuses it; what it gave is opened here.
 */

#include "moonpod/formats.h"

/* Opens a file that pod_locate_file() has located, below the folder and through no symbolic link, also where somebody
 * put one there in between. Flags are libuv's (UV_FS_O_RDONLY). Returns the file, or one of libuv's errors. */
int pod_format_open_located(pod_context *context, const char *path, int flags, int mode);

/* Gives a located file another located name, deletes one, or an empty folder, and makes a folder with the permissions
 * `mode`, less those that the process withholds: as above. Return 0, or one of libuv's errors. */
int pod_format_rename_located(pod_context *context, const char *from, const char *to);
int pod_format_remove_located(pod_context *context, const char *path);
int pod_format_make_located(pod_context *context, const char *path, int mode);

/* Returns the permissions of a located file, or one of libuv's errors: UV_ENOENT where there is none. */
int pod_format_mode_located(pod_context *context, const char *path);

/* Returns whether there is a folder, as above. */
bool pod_format_is_folder_located(pod_context *context, const char *path);

/* Calls each(closure, name) for the names in a folder, as above, in no order. One that cannot be opened has none. */
void pod_format_each_name_located(pod_context *context, const char *path, void (*each)(void *closure, const char *name),
                                  void *closure);

#endif
