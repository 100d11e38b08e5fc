#ifndef MOONPOD_KERNEL_STREAMS_H
#define MOONPOD_KERNEL_STREAMS_H

/*
 * streams - what goes to the process's standard output and errors, whoever writes it (print, C libraries, processes of
 * a cell), is published as messages of type "stream". A thread reads it from pipes.
 */

#include "channel.h"

/* Takes file descriptors 1 and 2; standard input has nothing more. Returns the descriptor that standard errors had, for
 * the log, or -1 when it fails. One at a time. */
int streams_begin(kernel_shared *shared);

/* From now on what is written belongs to this header; what was written before to the one before. */
void streams_set_parent(wire_frame header);

/* Publishes all that was written before this call. */
void streams_flush(void);

/* Ends the thread behind a last flush. */
void streams_end(void);

#endif
