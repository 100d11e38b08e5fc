#ifndef POD_INPUT_FILE_NAMES_H
#define POD_INPUT_FILE_NAMES_H

/*
 * file_names - the names of files that a pattern matches. glob() is not asked: in glibc it ends the process where
 * memory is short, and takes folders that cannot be read for empty ones.
 */

#include "base/arena.h"

typedef struct pod_file_names {
    pod_arena arena; /* has the names */
    const char **names;
    size_t count;
    uint32_t room;
} pod_file_names;

/* Adds the names that a pattern with *, ?, [a-z] and {a,b} matches, in no order; "\\" takes the meaning of the
 * character behind it. A name that does not begin with a dot is matched by a dot alone. That none matches is no
 * failure; a folder that cannot be read is one. */
POD_CHECKED pod_status pod_input_file_names_add(pod_file_names *found, const char *pattern, pod_error *error);

#endif
