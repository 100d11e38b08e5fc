#ifndef MOONPOD_REPL_EXTERNAL_H
#define MOONPOD_REPL_EXTERNAL_H

/* external - a text in the user's own editor: $VISUAL, else $EDITOR, else vi. */

#include <stdbool.h>
#include <stddef.h>

/* Edits a text in a file of its owner's alone, which is then removed. *edited is the caller's, to free(). False where
 * the editor could not be run, or said that it failed; then nothing is given. */
bool external_edit(const char *text, size_t size, char **edited, size_t *edited_size);

#endif
