#ifndef MOONPOD_REPL_EDITOR_H
#define MOONPOD_REPL_EDITOR_H

/*
 * editor - where lines of an interactive session come from. One interface, so that a richer editor can
 * take the place of plain lines.
 */

#include <stdbool.h>
#include <stddef.h>

typedef enum editor_outcome {
    EDITOR_LINE,       /* *line holds a line without its newline */
    EDITOR_END,        /* end of input */
    EDITOR_INTERRUPTED /* Ctrl-C: what was typed is dropped */
} editor_outcome;

typedef struct editor editor;

/* Makes an editor on standard input and output; NULL when there is no memory. */
editor *editor_open(void);

/* Shows the prompt and reads one line. *line is borrowed until the next call. */
editor_outcome editor_read(editor *from, const char *prompt, const char **line, size_t *length);

/* Ends the editor. NULL is allowed. */
void editor_close(editor *ended);

#endif
