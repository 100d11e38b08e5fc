#ifndef MOONPOD_REPL_EDIT_TEXT_H
#define MOONPOD_REPL_EDIT_TEXT_H

/* edit_text - the text that is edited, its cursor, and what each change was: undo and redo. All changes go through
 * edit_text_replace(). */

#include <stdbool.h>
#include <stddef.h>

#include "editor/byte_string.h"

/* A change: at `at` the first `erased` bytes of `bytes` became those behind them. */
typedef struct edit_change {
    size_t at, erased, cursor; /* the cursor before it */
    byte_string bytes;
} edit_change;

typedef struct edit_text {
    byte_string bytes;
    size_t cursor;
    size_t most;      /* bytes that the text may have */
    size_t version;   /* another after each change */
    size_t unchanged; /* bytes at the start that are as when whoever looks at the text has set it */
    edit_change *changes;
    size_t done, count, capacity; /* changes, of which `done` are made and the rest are undone */
    size_t held;                  /* bytes of all changes */
    bool typing;                  /* the next typed character joins the last change */
} edit_text;

/* Replaces bytes from `at` on, and puts the cursor behind the new ones. False, and nothing changed, where the text
 * would be too long or there is no memory. */
bool edit_text_replace(edit_text *text, size_t at, size_t erased, const char *bytes, size_t size);

/* Inserts at the cursor, as a change of its own. */
void edit_text_insert(edit_text *text, const char *bytes, size_t size);

/* Inserts at the cursor what was typed: a run of such is undone at once. */
bool edit_text_type(edit_text *text, const char *bytes, size_t size);

/* Whatever was typed before, what follows is another change. */
void edit_text_end_typing(edit_text *text);

/* Undoes a change (step < 0), or makes the next one again. False where there is none. */
bool edit_text_undo(edit_text *text, int step);

/* Takes another text in place of this one, with nothing to undo. */
bool edit_text_reset(edit_text *text, const char *bytes, size_t size);

void edit_text_free(edit_text *ended);

#endif
