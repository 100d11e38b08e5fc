#ifndef MOONPOD_REPL_ENTRY_PEN_H
#define MOONPOD_REPL_ENTRY_PEN_H

/*
 * entry_pen - writes an entry with a pen: all of it to measure it, or the rows of a window in colours. What a key costs
 * does not grow with the entry where it can be helped: text is measured by runs of letters, and words of Lua are looked
 * for from a place near the window, of which some are kept while the text before them stays as it is.
 */

#include <stddef.h>

#include "editor/screen_pen.h"
#include "editor/screen_view.h"

/* Places, in their order, at which a word of Lua begins. */
typedef struct entry_marks {
    size_t *places, count, capacity;
} entry_marks;

/* Where in the rows of the entry the cursor is, and how many rows there are. */
typedef struct entry_place {
    size_t row, column, rows;
} entry_place;

/* Writes the entry with a pen that keeps no rows. */
void entry_pen_measure(screen_pen *pen, const screen_view *view, entry_place *place);

/* Writes the rows that the pen keeps. The marks are of this text. */
void entry_pen_write(screen_pen *pen, const screen_view *view, entry_marks *marks);

/* The text has changed from this place on. */
void entry_marks_forget(entry_marks *marks, size_t from);
void entry_marks_free(entry_marks *marks);

#endif
