#include "json_text.h"

#include <stdio.h>
#include <string.h>

int json_text_character(const char *bytes, size_t size)
{
    const unsigned char first = (unsigned char)bytes[0];
    if (first < 0x80)
        return 1;
    if (first < 0xC2 || first > 0xF4)
        return 0;
    const size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    /* RFC 3629: no overlong forms, no surrogates, nothing beyond U+10FFFF */
    unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    for (size_t i = 1; i < length; i++, low = 0x80, high = 0xBF) {
        if (i == size)
            return -1;
        if ((unsigned char)bytes[i] < low || (unsigned char)bytes[i] > high)
            return 0;
    }
    return (int)length;
}

/* One byte of ASCII. */
static size_t write_byte(char *to, unsigned char byte)
{
    static const char letters[] = "btn?fr"; /* of bytes 8 to 13 */
    if (byte == '"' || byte == '\\') {
        to[0] = '\\';
        to[1] = (char)byte;
        return 2;
    }
    if (byte >= 8 && byte <= 13 && byte != 11) {
        to[0] = '\\';
        to[1] = letters[byte - 8];
        return 2;
    }
    if (byte >= 32) {
        to[0] = (char)byte;
        return 1;
    }
    char text[7];
    (void)snprintf(text, sizeof text, "\\u%04x", byte);
    memcpy(to, text, 6);
    return 6;
}

size_t json_text_write(char *to, const char *bytes, size_t size)
{
    size_t written = 0;
    to[written++] = '"';
    for (size_t at = 0; at < size;) {
        const int length = json_text_character(bytes + at, size - at);
        if (length == 1) {
            written += write_byte(to + written, (unsigned char)bytes[at]);
        } else if (length > 1) {
            memcpy(to + written, bytes + at, (size_t)length);
            written += (size_t)length;
        } else {
            memcpy(to + written, "\xEF\xBF\xBD", 3);
            written += 3;
        }
        at += length > 1 ? (size_t)length : 1;
    }
    to[written++] = '"';
    return written;
}
