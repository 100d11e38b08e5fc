#ifndef MOONPOD_REPL_SCREEN_PEN_H
#define MOONPOD_REPL_SCREEN_PEN_H

/* screen_pen - writes characters into rows of a terminal: wraps them, makes what is no text visible, and colours. */

#include <stdbool.h>
#include <stddef.h>

#include "editor/byte_string.h"

typedef enum pen_style {
    STYLE_PLAIN,
    STYLE_PROMPT,
    STYLE_KEYWORD,
    STYLE_STRING,
    STYLE_NUMBER,
    STYLE_COMMENT,
    STYLE_WRONG,
    STYLE_MATCH, /* the bracket that belongs to the one at the cursor */
    STYLE_FAINT,
    STYLE_CHOSEN
} pen_style;

/* A row as it goes to the terminal, and how many columns it takes. */
typedef struct screen_row {
    byte_string bytes;
    size_t width;
} screen_row;

typedef struct screen_pen {
    screen_row *rows; /* those that are kept: `count` from row `first` on; may be NULL with none */
    size_t first, count;
    size_t columns;
    size_t row, column;  /* where the next character goes */
    pen_style style;     /* of what comes next; without colours: plain */
    pen_style active;    /* what the terminal has in this row */
    bool colours, clips; /* clips: what does not fit into the row is left out */
} screen_pen;

/* Writes a text; newlines begin rows. */
void screen_pen_write(screen_pen *pen, const char *text, size_t size);

/* Writes a prompt, in which sequences of colours may stand. */
void screen_pen_write_prompt(screen_pen *pen, const char *text, size_t size);

/* Goes on in a row that has so many columns free. */
void screen_pen_make_room(screen_pen *pen, size_t columns);

/* The columns that the character at the start of a text takes as the pen writes it. */
size_t screen_pen_width(const char *text, size_t size);

void screen_pen_newline(screen_pen *pen);

/* Ends the last row. */
void screen_pen_end(screen_pen *pen);

#endif
