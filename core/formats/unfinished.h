#ifndef POD_FORMATS_UNFINISHED_H
#define POD_FORMATS_UNFINISHED_H

/*
 * unfinished - files that are being written under a name of their own, "model.safetensors.1a2b.part", and those that a
 * process left behind when it was killed. Who writes one holds a lock on it, which the system takes back from a process
 * that ends in whatever way: so it is known which nobody writes any more (moonpod/formats.h deletes them).
 */

#include <stdbool.h>

#include "moonpod/status.h"

/* What such names end with, and how many there are of a file that a writer looks after. */
#define POD_UNFINISHED_SUFFIX ".part"
#define POD_UNFINISHED_NAMES  16u

/* Locks a file that was just made, for as long as it is open. False where somebody who cleans up was faster and the
 * file has no name any more. */
bool pod_format_hold_unfinished(int file);

/* Deletes the file of such a name, which pod_locate_file() has located, where nobody writes it any more. */
void pod_format_remove_unheld(pod_context *context, const char *path);

#endif
