#ifndef MOONPOD_REPL_EXTERNAL_H
#define MOONPOD_REPL_EXTERNAL_H

/* external - a text in the user's own editor: $VISUAL, else $EDITOR, else vi. */

#include <stdbool.h>
#include <stddef.h>

#include "editor/byte_string.h"

/* Edits a text in a file of its owner's alone, which is then removed. *edited, empty before, is the caller's to free.
 * False where the editor could not be run, or said that it failed: what is in *edited is nothing then. */
bool external_edit(const char *text, size_t size, byte_string *edited);

#endif
