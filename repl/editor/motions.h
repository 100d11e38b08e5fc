#ifndef MOONPOD_REPL_MOTIONS_H
#define MOONPOD_REPL_MOTIONS_H

/* motions - where the cursor goes from a place in a text: words are of letters and digits, big words are what is
 * between spaces. */

#include <stdbool.h>
#include <stddef.h>

typedef enum motion_words { WORDS_OF_LETTERS, WORDS_BIG } motion_words;

size_t motion_line_start(const char *text, size_t at);
size_t motion_line_end(const char *text, size_t size, size_t at);

/* The first place of the line that is no space, or its end. */
size_t motion_line_text(const char *text, size_t size, size_t at);

/* The end of the word at or behind `at`. */
size_t motion_word_end(const char *text, size_t size, size_t at, motion_words words);

/* The start of the word before `at`. */
size_t motion_word_back(const char *text, size_t at, motion_words words);

/* The place one line up (lines < 0) or down, as near to `column` as the line is long. False where there is no line. */
bool motion_vertical(const char *text, size_t size, size_t *at, int lines, size_t column);

/* The column of a place in its line: of characters, each as wide as it is on a terminal. */
size_t motion_column(const char *text, size_t size, size_t at);

#endif
