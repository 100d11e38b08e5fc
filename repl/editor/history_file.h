#ifndef MOONPOD_REPL_HISTORY_FILE_H
#define MOONPOD_REPL_HISTORY_FILE_H

/*
 * history_file - entries of a history in a file: one a line, where a newline is written \n and a backslash \\, so that
 * an entry is whole however many lines it has. Sessions add to it under a lock, each its entries as they come, so none
 * loses those of another; a session reads the file when it begins. The file is its owner's alone (0600).
 */

#include <stdbool.h>
#include <stddef.h>

#include "editor/history.h"

/* Where the file is: $MOONPOD_HISTORY, else moonpod/history in $XDG_STATE_HOME, else in ~/.local/state. False where
 * there is none: MOONPOD_HISTORY is "off" or empty, there is no home, or `size` is too small. */
bool history_file_path(char *path, size_t size);

/* Reads the entries of a file to the end of a history, the last HISTORY_BYTES of them. Where the file has many that
 * came again it is written anew. A file that cannot be read is none. */
void history_file_read(const char *path, line_history *to);

/* Adds an entry; makes the file and its folders. False where that failed. */
bool history_file_add(const char *path, const char *text, size_t size);

#endif
