#ifndef MOONPOD_REPL_EDITOR_H
#define MOONPOD_REPL_EDITOR_H

/*
 * editor - where entries of an interactive session come from: on a terminal from the line editor (editor/), which
 * reads an entry of any number of lines; in a pipe, on a dumb terminal and for screen readers from plain lines, one at
 * a time and without one escape byte.
 */

#include <stdbool.h>
#include <stddef.h>

#include "editor/line_editor.h"
#include "terminal.h"

typedef enum editor_outcome {
    EDITOR_LINE,       /* *line holds a line without its newline, or a whole entry */
    EDITOR_END,        /* end of input */
    EDITOR_INTERRUPTED /* Ctrl-C: what was typed is dropped */
} editor_outcome;

typedef struct editor editor;

/* How a session is talked with. */
typedef struct editor_options {
    terminal_colours colours;
    bool plain;          /* plain lines, whatever the terminal can do */
    line_settings lines; /* what the line editor asks; colours and history are found here */
    /* Goes on, for a few milliseconds, with what goes on while keys are waited for; false: there is nothing. It writes
     * a line on what goes on, cut to `room`, and whether Ctrl-C was pressed meanwhile. NULL: nothing ever goes on. */
    bool (*work)(void *user, char *status, size_t room, bool *pressed);
    /* Asks what goes on to return soon, as a key has come, or takes that back. Signal handlers call it. */
    void (*yield)(bool asked);
    void *user;
} editor_options;

/* Makes an editor on standard input and output; NULL when there is no memory. */
editor *editor_open(const editor_options *options);

/* Shows the prompt and reads a line or an entry. *line is borrowed until the next call. `more` is the prompt of its
 * other lines. */
editor_outcome editor_read(editor *from, const char *prompt, const char *more, const char **line, size_t *length);

/* The line editor, for what can be set in it; NULL where lines are plain. */
line_editor *editor_lines(editor *of);

/* The next entry begins with this text. */
void editor_offer(editor *to, const char *text, size_t size);

/* Ends the editor. NULL is allowed. */
void editor_close(editor *ended);

#endif
