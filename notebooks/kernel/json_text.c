#include "json_text.h"

#include <stdio.h>
#include <string.h>

#include "editor/utf8.h"

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
    return (size_t)snprintf(to, 7, "\\u%04x", byte); /* the NUL lies where the closing quote goes, at the latest */
}

size_t json_text_write(char *to, const char *bytes, size_t size)
{
    size_t written = 0;
    to[written++] = '"';
    for (size_t at = 0; at < size;) {
        uint32_t code;
        const size_t length = utf8_decode(bytes + at, size - at, &code);
        if (code == UTF8_BAD) {
            memcpy(to + written, "\xEF\xBF\xBD", 3);
            written += 3;
        } else if (length == 1) {
            written += write_byte(to + written, (unsigned char)bytes[at]);
        } else {
            memcpy(to + written, bytes + at, length);
            written += length;
        }
        at += length;
    }
    to[written++] = '"';
    return written;
}
