#ifndef MOONPOD_KERNEL_JSON_TEXT_H
#define MOONPOD_KERNEL_JSON_TEXT_H

/* json_text - bytes as a string of JSON. */

#include <stdbool.h>
#include <stddef.h>

/* Bytes that json_text_write() makes of so many, at most. */
#define JSON_TEXT_ROOM(size) ((size)*6 + 2)

/* Writes a string of JSON with its quotes; what is no UTF-8 becomes U+FFFD. Returns how many bytes were written. */
size_t json_text_write(char *to, const char *bytes, size_t size);

#endif
