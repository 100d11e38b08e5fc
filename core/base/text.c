#include "base/text.h"
#include "base/growth.h"
#include "base/decimal.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void pod_text_init(pod_text *text, pod_context *context)
{
    *text = (pod_text){.context = context};
}

/* Makes room for `more` bytes and the final NUL. */
static bool reserve(pod_text *text, size_t more)
{
    if (text->failed || more > SIZE_MAX / 4 - text->length) {
        text->failed = true;
        return false;
    }
    assert(text->length <= text->capacity);
    text->failed = pod_grow(text->context, &text->data, &text->capacity, text->length + more + 1,
                            (pod_growth){1, .first = 256}, NULL) != POD_OK;
    return !text->failed;
}

void pod_text_append_bytes(pod_text *text, const void *bytes, size_t length)
{
    if (!reserve(text, length))
        return;
    if (length > 0)
        memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
    assert(text->length < text->capacity);
}

void pod_text_append(pod_text *text, const char *more)
{
    pod_text_append_bytes(text, more, strlen(more));
}

void pod_text_format(pod_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || !reserve(text, (size_t)length))
        return;
    va_start(arguments, format);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}

void pod_text_number(pod_text *text, double value)
{
    char digits[POD_NUMBER_TEXT_SIZE];
    pod_text_append(text, pod_number_text(value, digits));
}

void pod_text_json(pod_text *text, const char *value)
{
    pod_text_append(text, "\"");
    for (const char *at = value; *at != '\0'; at++) {
        const unsigned char byte = (unsigned char)*at;
        if (byte == '"' || byte == '\\')
            pod_text_format(text, "\\%c", byte);
        else if (byte < 0x20)
            pod_text_format(text, "\\u%04x", byte);
        else
            pod_text_append_bytes(text, at, 1);
    }
    pod_text_append(text, "\"");
}

char *pod_text_take(pod_text *text)
{
    pod_text_append_bytes(text, "", 0); /* an empty text is a text too */
    char *data = text->data;
    if (text->failed) {
        pod_free(text->context, data);
        data = NULL;
    }
    pod_text_init(text, text->context);
    return data;
}

void pod_text_clear(pod_text *text)
{
    pod_free(text->context, text->data);
    pod_text_init(text, text->context);
}

size_t pod_text_utf8_length(const unsigned char *at, size_t left)
{
    const size_t length = at[0] < 0x80   ? 1
                          : at[0] < 0xc2 ? 0
                          : at[0] < 0xe0 ? 2
                          : at[0] < 0xf0 ? 3
                          : at[0] < 0xf5 ? 4
                                         : 0;
    if (length == 0 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) || (at[0] == 0xf0 && at[1] < 0x90) ||
        (at[0] == 0xf4 && at[1] > 0x8f))
        return 0;
    return length;
}
