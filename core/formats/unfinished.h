#ifndef POD_FORMATS_UNFINISHED_H
#define POD_FORMATS_UNFINISHED_H

/*
 * unfinished - files that are being written under a name of their own, "model.safetensors.1a2b.part", and those that a
 * process left behind when it was killed. Who writes one holds a lock on it, which the system takes back from a process
 * that ends in whatever way: so it is known which nobody writes any more (moonpod/formats.h deletes them).
 */

#include <stdbool.h>

/* What such names end with. */
#define POD_UNFINISHED_SUFFIX ".part"

/* Locks a file that was just made, for as long as it is open. False where somebody who cleans up was faster and the
 * file has no name any more. */
bool pod_format_hold_unfinished(int file);

#endif
