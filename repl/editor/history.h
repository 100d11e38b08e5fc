#ifndef MOONPOD_REPL_HISTORY_H
#define MOONPOD_REPL_HISTORY_H

/* history - entries that were read before, each as a whole, newest last. An entry that comes again takes its place at
 * the end. What has a file is in it too: see history_file.h. */

#include <stdbool.h>
#include <stddef.h>

typedef struct history_entry {
    char *text; /* ends in a zero, and may have zeros within */
    size_t size;
} history_entry;

typedef struct line_history {
    history_entry *entries;
    size_t count, capacity;
    size_t held; /* bytes of all entries */
} line_history;

enum { HISTORY_ENTRIES = 10000, HISTORY_BYTES = 16 << 20 };

/* Adds an entry; an equal one before it goes. Empty texts, and what is all spaces, are not added. Returns whether it
 * was added. */
bool history_add(line_history *to, const char *text, size_t size);

/* Adds an entry that is known to be new. */
bool history_append(line_history *to, const char *text, size_t size);

/* The entry before (step < 0) or behind `from` that contains, or begins with, a text; `count` is the place behind the
 * last. Returns `count` where there is none. */
size_t history_find(const line_history *in, size_t from, int step, const char *text, size_t size, bool at_start);

void history_free(line_history *ended);

#endif
