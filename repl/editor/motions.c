#include "editor/motions.h"

#include <stdint.h>
#include <string.h>

#include "editor/utf8.h"

size_t motion_line_start(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}

size_t motion_line_end(const char *text, size_t size, size_t at)
{
    const char *newline = at < size ? memchr(text + at, '\n', size - at) : NULL;
    return newline != NULL ? (size_t)(newline - text) : size;
}

size_t motion_line_text(const char *text, size_t size, size_t at)
{
    at = motion_line_start(text, at);
    while (at < size && (text[at] == ' ' || text[at] == '\t'))
        at++;
    return at;
}

/* Whether a character is of a word: each byte beyond ASCII is of a letter. */
static bool in_word(char c, motion_words words)
{
    const unsigned char byte = (unsigned char)c;
    if (words == WORDS_BIG)
        return byte > ' ';
    return byte >= 0x80 || (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

size_t motion_word_end(const char *text, size_t size, size_t at, motion_words words)
{
    while (at < size && !in_word(text[at], words))
        at++;
    while (at < size && in_word(text[at], words))
        at++;
    return at;
}

size_t motion_word_back(const char *text, size_t at, motion_words words)
{
    while (at > 0 && !in_word(text[at - 1], words))
        at--;
    while (at > 0 && in_word(text[at - 1], words))
        at--;
    return at;
}

size_t motion_column(const char *text, size_t size, size_t at)
{
    size_t column = 0;
    for (size_t i = motion_line_start(text, at); i < at;) {
        uint32_t code;
        i += utf8_decode(text + i, size - i, &code);
        column += (size_t)utf8_width(code);
    }
    return column;
}

bool motion_vertical(const char *text, size_t size, size_t *at, int lines, size_t column)
{
    size_t start = motion_line_start(text, *at);
    if (lines < 0) {
        if (start == 0)
            return false;
        start = motion_line_start(text, start - 1);
    } else {
        const size_t end = motion_line_end(text, size, *at);
        if (end == size)
            return false;
        start = end + 1;
    }
    size_t reached = 0;
    while (start < size && text[start] != '\n') {
        uint32_t code;
        utf8_decode(text + start, size - start, &code);
        reached += (size_t)utf8_width(code);
        if (reached > column)
            break;
        start = utf8_next(text, size, start);
    }
    *at = start;
    return true;
}
