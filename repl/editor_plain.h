#ifndef MOONPOD_REPL_EDITOR_PLAIN_H
#define MOONPOD_REPL_EDITOR_PLAIN_H

/* editor_plain - plain lines: what works in a pipe, under rlwrap, with screen readers and on a terminal that cannot do
 * more. */

#include "editor.h"

typedef struct plain_lines {
    char *text;
    size_t capacity;
} plain_lines;

/* As editor_read(), for one line. What goes on meanwhile (options->work) does so until the line begins to come. */
editor_outcome plain_lines_read(plain_lines *from, const editor_options *options, const char *prompt, const char **line,
                                size_t *length);

#endif
