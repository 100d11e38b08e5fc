#ifndef MOONPOD_REPL_SCREEN_H
#define MOONPOD_REPL_SCREEN_H

/*
 * screen - paints the entry that is edited at the bottom of a terminal. It remembers the rows that it painted and
 * writes those that differ; what goes to the terminal is collected in `out`. Rows end with newlines of their own, so
 * that it knows where the cursor is whatever the terminal does at its edge. An entry that has more rows than the
 * terminal is seen through a window around the cursor.
 */

#include <stdbool.h>
#include <stddef.h>

#include "editor/above_text.h"
#include "editor/byte_string.h"
#include "editor/entry_pen.h"
#include "editor/screen_pen.h"
#include "editor/screen_view.h"

typedef struct screen {
    size_t columns, height; /* of the terminal */
    screen_row *rows;       /* as they were painted */
    size_t count, capacity;
    size_t at_row, at_column; /* where the terminal's cursor is, from the first of these rows */
    size_t first;             /* the row of the entry that is the first painted */
    entry_marks marks;        /* of the entry's text */
    above_text above;         /* what others write */
    size_t most;              /* rows that the entry has had since */
    byte_string out;
} screen;

/* Says how large the terminal is; what was painted is cleared away as far as it can be known where it went. */
void screen_resize(screen *on, size_t columns, size_t height);

/* Begins a new line where the cursor is not at the start of one. */
void screen_begin(screen *on);

/* Paints; false when there was no memory, and then less may be seen. */
bool screen_paint(screen *on, const screen_view *view);

/* Writes what others say above the entry, which is not seen until it is painted again. */
void screen_print(screen *on, const char *bytes, size_t size);

/* Takes away what was painted: the cursor is where it began. */
void screen_clear(screen *on);

/* Leaves what was painted as it is, the cursor in the line below. */
void screen_leave(screen *on);

void screen_free(screen *ended);

#endif
