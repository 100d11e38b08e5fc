#ifndef POD_FORMATS_OWN_FILE_H
#define POD_FORMATS_OWN_FILE_H

/*
 * own_file - the safetensors files that Lua writes: metadata `format` "moonpod", `version` "1.0" and `kind` ("weights",
 * "exported", ...). The major version says who can read a file: it grows where an older reader would misread. What a
 * minor version adds may be left out.
 */

#include "moonpod/formats.h"

/* Returns a text of the metadata; NULL when there is none such. Borrowed. */
const char *pod_format_own_text(const pod_buffer_list *list, const char *key);

/* Checks format and version, and that the kind is the one wanted (NULL: any). Messages have no path. */
POD_CHECKED pod_status pod_format_check_own(const pod_buffer_list *list, const char *kind, pod_error *error);

#endif
