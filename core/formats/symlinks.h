#ifndef POD_FORMATS_SYMLINKS_H
#define POD_FORMATS_SYMLINKS_H

/* symlinks - what a name stands for: a file that is written through a symbolic link is the link's target, as it is for
 * whoever opens it. */

#include "base/error.h"
#include "moonpod/status.h"

/* Gives the path that a path leads to by symbolic links, the path itself where it is none; what it names need not be
 * there. A context that keeps to one folder follows none. *found is the caller's, to end with pod_free(). */
POD_CHECKED pod_status pod_format_follow_links(pod_context *context, const char *path, char **found, pod_error *error);

#endif
