#ifndef MOONPOD_REPL_BYTE_STRING_H
#define MOONPOD_REPL_BYTE_STRING_H

/* byte_string - bytes in memory that grows: texts, what goes to the screen, what files have. One that is all zeros is
 * empty. */

#include <stdbool.h>
#include <stddef.h>

typedef struct byte_string {
    char *data; /* NULL while nothing was put in */
    size_t size, capacity;
} byte_string;

/* Adds bytes at the end; false when there is no memory, and then nothing has changed. */
bool byte_string_add(byte_string *to, const void *bytes, size_t size);

/* Adds a text that ends in a zero. */
bool byte_string_add_text(byte_string *to, const char *text);

/* Replaces `erased` bytes at `at` by others; false when there is no memory, and then nothing has changed. */
bool byte_string_splice(byte_string *of, size_t at, size_t erased, const void *bytes, size_t size);

/* Makes room for so many bytes more. */
bool byte_string_reserve(byte_string *of, size_t more);

/* Makes room for one more item in an array of memory that grows: `items` is the address of its pointer. False when
 * there is no memory, and then nothing has changed. */
bool byte_string_grow(void *items, size_t *capacity, size_t count, size_t item);

/* Writes all to a file; false when that fails. */
bool byte_string_write(int file, const char *bytes, size_t size);

/* Adds what a file has from where it stands; false when that fails, or there are more bytes than these. */
bool byte_string_read(byte_string *to, int file, size_t most);

/* Gives the memory back; the string is empty. */
void byte_string_free(byte_string *ended);

#endif
