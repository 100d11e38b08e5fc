#ifndef MOONPOD_REPL_UTF8_H
#define MOONPOD_REPL_UTF8_H

/*
 * utf8 - characters of a text and the columns that they take. A text may hold any bytes: what is no UTF-8 counts as a
 * character of its own, a byte long. A cluster is what the cursor steps over: a character with the marks that stand on
 * it, and what a joiner binds to it.
 *
 * The widths are the C library's, of the locale C.UTF-8, which is asked for a character at a time: setlocale() would
 * change how Lua writes numbers and how it compares strings.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What utf8_decode() gives for a byte that is no UTF-8. */
#define UTF8_BAD 0xFFFFFFFFu

/* The code of the character at the start of `size` > 0 bytes; returns how many bytes it has. */
size_t utf8_decode(const char *text, size_t size, uint32_t *code);

/* Whether a text of `size` > 0 bytes is the start of a character whose end has not come. */
bool utf8_is_cut(const char *text, size_t size);

/* The columns that a character takes as it stands on a terminal: 0, 1 or 2. Control characters: 0. */
int utf8_width(uint32_t code);

/* Where the cluster at `at` ends; `size` at the end. */
size_t utf8_next(const char *text, size_t size, size_t at);

/* Where the cluster before `at` begins; 0 at the start. */
size_t utf8_previous(const char *text, size_t size, size_t at);

#endif
