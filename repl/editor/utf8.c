#include "editor/utf8.h"

#include "base/system/host/host_system.h"

#define JOINER 0x200Du

size_t utf8_decode(const char *text, size_t size, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *bytes = (const unsigned char *)text;
    const unsigned char first = bytes[0];
    if (first < 0x80) {
        *code = first;
        return 1;
    }
    const size_t length = first >= 0xF0 && first < 0xF8 ? 4 : first >= 0xE0 ? 3 : 2;
    *code = UTF8_BAD;
    if (first < 0xC2 || first >= 0xF5 || size < length)
        return 1;
    uint32_t result = first & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xC0) != 0x80)
            return 1;
        result = result << 6 | (bytes[i] & 0x3Fu);
    }
    if (result < least[length] || result > 0x10FFFF || (result >= 0xD800 && result < 0xE000))
        return 1;
    *code = result;
    return length;
}

bool utf8_is_cut(const char *text, size_t size)
{
    const unsigned char first = (unsigned char)text[0];
    const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first >= 0xF5 || size >= length)
        return false;
    for (size_t i = 1; i < size; i++)
        if ((text[i] & 0xC0) != 0x80)
            return false;
    return true;
}

int utf8_width(uint32_t code)
{
    if (code < 0x300)
        return code >= 0x20 && (code < 0x7F || code >= 0xA0);
    if (code == UTF8_BAD)
        return 1;
    const int width = pod_host_width(code);
    if (width >= 0)
        return width;
    return code >= 0x20000 && code < 0x40000 ? 2 : 1; /* not given out yet: in planes of ideographs, and elsewhere */
}

/* Whether a character stands on the one before it. */
static bool is_mark(uint32_t code)
{
    return code >= 0x300 && code != UTF8_BAD && utf8_width(code) == 0;
}

size_t utf8_next(const char *text, size_t size, size_t at)
{
    uint32_t code = 0, before;
    if (at >= size)
        return size;
    at += utf8_decode(text + at, size - at, &code);
    while (at < size) {
        before = code;
        const size_t length = utf8_decode(text + at, size - at, &code);
        if (before < 0x20 || (!is_mark(code) && before != JOINER) || code < 0x80)
            break;
        at += length;
    }
    return at;
}

/* Where the character before `at` begins. */
static size_t step_back(const char *text, size_t size, size_t at, uint32_t *code)
{
    for (size_t length = 2; length <= 4 && length <= at; length++)
        if (utf8_decode(text + at - length, size - at + length, code) == length)
            return at - length;
    utf8_decode(text + at - 1, 1, code);
    return at - 1;
}

size_t utf8_previous(const char *text, size_t size, size_t at)
{
    uint32_t code, before;
    if (at == 0)
        return 0;
    at = step_back(text, size, at, &code);
    while (at > 0 && code >= 0x80) {
        const size_t earlier = step_back(text, size, at, &before);
        if (before < 0x20 || (!is_mark(code) && before != JOINER))
            break;
        at = earlier;
        code = before;
    }
    return at;
}
