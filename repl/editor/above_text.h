#ifndef MOONPOD_REPL_ABOVE_TEXT_H
#define MOONPOD_REPL_ABOVE_TEXT_H

/*
 * above_text - what others write while an entry is edited, on its way to the rows above the entry. It knows where that
 * text ends, so that the entry begins in a row of its own and a line that is written in pieces, or over and over by \r,
 * goes on where it is. Colours end with the text and go on with it.
 */

#include <stdbool.h>
#include <stddef.h>

#include "editor/byte_string.h"

typedef struct above_text {
    byte_string open;    /* the last line as it was written */
    byte_string colours; /* sequences of the colours that are on */
    byte_string partial; /* the start of a character or of a sequence */
    size_t row, column;  /* where the last line ends, from its start; `columns`: the next character begins a row */
    bool begun;          /* something of the last line is seen */
    bool broken;         /* the last line cannot be written again: it is too long */
    bool lost;           /* a sequence has moved the cursor: nobody knows where it is */
} above_text;

/* Writes more of the text to `out`, for a terminal of so many columns, whose cursor is where the text has ended. */
void above_text_write(above_text *text, const char *bytes, size_t size, size_t columns, byte_string *out);

/* Writes what makes room for the entry: it begins at the start of a row, without colours. */
void above_text_rest(above_text *text, size_t columns, byte_string *out);

/* Rows between the start of the open line and the entry; 0: there is none to go on with. */
size_t above_text_rows(const above_text *text);

/* Writes the open line again; the cursor is at its start. */
void above_text_again(above_text *text, size_t columns, byte_string *out);

/* The line that is open stays as it is: what comes begins another. */
void above_text_end_line(above_text *text);

/* The text has ended. */
void above_text_end(above_text *text);

/* Writes spaces up to the edge, which wrap only where something stands before them: a row begins. */
void above_text_begin_row(size_t columns, byte_string *out);

void above_text_free(above_text *ended);

#endif
