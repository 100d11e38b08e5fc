#ifndef MOONPOD_REPL_SCREEN_VIEW_H
#define MOONPOD_REPL_SCREEN_VIEW_H

/* screen_view - what is to be seen of an entry. */

#include <stdbool.h>
#include <stddef.h>

typedef struct screen_view {
    const char *prompt, *more; /* what stands before the first line, and before each other */
    const char *text;
    size_t size, cursor;
    size_t unchanged; /* bytes of the text that are as when it was painted last */
    const char *hint; /* behind the text, faint; NULL: none */
    size_t hint_size;
    const char *below; /* rows under the entry, cut off at the right; NULL: none */
    size_t below_size;
    size_t chosen; /* bytes of `below` at this place up to its line's end or two spaces are marked; SIZE_MAX: none */
    bool colours;
    bool ended; /* no bracket is marked */
} screen_view;

#endif
