/* json - walks through a JSON text. */

#include "formats/json.h"

#include <string.h>

#include "base/context.h"
#include "base/decimal.h"
#include "base/text.h"

void pod_format_json_begin(pod_json *json, pod_context *context, const char *text, size_t size)
{
    *json = (pod_json){.context = context, .begin = text, .at = text, .end = text + size};
}

static pod_status refuse(const pod_json *json, const char *what, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_FORMAT, "malformed JSON at offset %zu: %s", (size_t)(json->at - json->begin),
                         what);
}

static void skip_spaces(pod_json *json)
{
    while (json->at < json->end && (*json->at == ' ' || *json->at == '\t' || *json->at == '\n' || *json->at == '\r'))
        json->at++;
}

/* The next character that is no space; NUL at the end. */
static char look(pod_json *json)
{
    skip_spaces(json);
    return json->at < json->end ? *json->at : '\0';
}

static bool take(pod_json *json, char wanted)
{
    if (look(json) != wanted || json->at == json->end)
        return false;
    json->at++;
    return true;
}

static bool take_word(pod_json *json, const char *word)
{
    const size_t size = strlen(word);
    if ((size_t)(json->end - json->at) < size || memcmp(json->at, word, size) != 0)
        return false;
    json->at += size;
    return true;
}

pod_status pod_format_json_enter(pod_json *json, char opening, pod_error *error)
{
    if (!take(json, opening))
        return refuse(json, opening == '{' ? "an object is expected" : "an array is expected", error);
    if (json->depth == POD_JSON_MOST_DEPTH)
        return refuse(json, "values are nested too deeply", error);
    json->closing[json->depth] = opening == '{' ? '}' : ']';
    json->first[json->depth] = true;
    json->depth++;
    return POD_OK;
}

pod_status pod_format_json_next(pod_json *json, bool *more, pod_error *error)
{
    bool *first = &json->first[json->depth - 1];
    *more = false;
    if (take(json, json->closing[json->depth - 1])) {
        json->depth--;
        return POD_OK;
    }
    if (!*first && !take(json, ','))
        return refuse(json, "a comma or the end of the object or array is expected", error);
    *first = false;
    *more = true;
    return POD_OK;
}

/* ---- texts ---- */

static void append_utf8(pod_text *text, uint32_t code)
{
    unsigned char bytes[4];
    size_t size = 0;
    if (code < 0x80) {
        bytes[size++] = (unsigned char)code;
    } else if (code < 0x800) {
        bytes[size++] = (unsigned char)(0xc0 | code >> 6);
    } else if (code < 0x10000) {
        bytes[size++] = (unsigned char)(0xe0 | code >> 12);
        bytes[size++] = (unsigned char)(0x80 | (code >> 6 & 0x3f));
    } else {
        bytes[size++] = (unsigned char)(0xf0 | code >> 18);
        bytes[size++] = (unsigned char)(0x80 | (code >> 12 & 0x3f));
        bytes[size++] = (unsigned char)(0x80 | (code >> 6 & 0x3f));
    }
    if (code >= 0x80)
        bytes[size++] = (unsigned char)(0x80 | (code & 0x3f));
    pod_text_append_bytes(text, bytes, size);
}

static bool read_hex4(pod_json *json, uint32_t *code)
{
    *code = 0;
    if (json->end - json->at < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        const char digit = *json->at++;
        const uint32_t value = digit >= '0' && digit <= '9'   ? (uint32_t)(digit - '0')
                               : digit >= 'a' && digit <= 'f' ? (uint32_t)(digit - 'a' + 10)
                               : digit >= 'A' && digit <= 'F' ? (uint32_t)(digit - 'A' + 10)
                                                              : 16;
        if (value == 16)
            return false;
        *code = *code << 4 | value;
    }
    return true;
}

/* Reads what follows "\u": one code unit, or two that make a character. */
static bool read_unicode(pod_json *json, pod_text *text)
{
    uint32_t code, low;
    if (!read_hex4(json, &code) || code == 0 || (code >= 0xdc00 && code <= 0xdfff))
        return false;
    if (code >= 0xd800 && code <= 0xdbff) {
        if (!take_word(json, "\\u") || !read_hex4(json, &low) || low < 0xdc00 || low > 0xdfff)
            return false;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    append_utf8(text, code);
    return true;
}

static bool read_escape(pod_json *json, pod_text *text)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (json->at == json->end)
        return false;
    const char letter = *json->at++;
    if (letter == 'u')
        return read_unicode(json, text);
    const char *found = letter != '\0' ? strchr(letters, letter) : NULL;
    if (found != NULL)
        pod_text_append_bytes(text, meanings + (found - letters), 1);
    return found != NULL;
}

/* Reads the characters up to the closing quote. */
static pod_status read_characters(pod_json *json, pod_text *text, pod_error *error)
{
    while (json->at < json->end && *json->at != '"') {
        const unsigned char *at = (const unsigned char *)json->at;
        if (*at < 0x20)
            return refuse(json, "a text holds a control character", error);
        if (*at == '\\') {
            json->at++;
            if (!read_escape(json, text))
                return refuse(json, "a text holds a malformed escape", error);
            continue;
        }
        const size_t length = pod_text_utf8_length(at, (size_t)(json->end - json->at));
        if (length == 0)
            return refuse(json, "a text is not UTF-8", error);
        pod_text_append_bytes(text, at, length);
        json->at += length;
    }
    return take(json, '"') ? POD_OK : refuse(json, "a text does not end", error);
}

pod_status pod_format_json_read_text(pod_json *json, char **text, pod_error *error)
{
    pod_text characters;
    *text = NULL;
    if (!take(json, '"'))
        return refuse(json, "a text is expected", error);
    pod_text_init(&characters, json->context);
    const pod_status status = read_characters(json, &characters, error);
    if (status != POD_OK) {
        pod_text_clear(&characters);
        return status;
    }
    *text = pod_text_take(&characters);
    return *text != NULL ? POD_OK : pod_error_memory(error, "a text", 1);
}

pod_status pod_format_json_read_key(pod_json *json, char **key, pod_error *error)
{
    const pod_status status = pod_format_json_read_text(json, key, error);
    if (status != POD_OK || take(json, ':'))
        return status;
    pod_free(json->context, *key);
    *key = NULL;
    return refuse(json, "a colon is expected", error);
}

/* ---- numbers ---- */

static bool is_digit(const pod_json *json)
{
    return json->at < json->end && *json->at >= '0' && *json->at <= '9';
}

static bool skip_digits(pod_json *json)
{
    if (!is_digit(json))
        return false;
    while (is_digit(json))
        json->at++;
    return true;
}

/* Skips what an integer is written with, which neither a fraction nor an exponent follows. */
static bool skip_integer(pod_json *json)
{
    if (json->at < json->end && *json->at == '-')
        json->at++;
    const char *first = json->at;
    if (!skip_digits(json) || (*first == '0' && json->at - first > 1))
        return false;
    return json->at == json->end || (*json->at != '.' && *json->at != 'e' && *json->at != 'E');
}

pod_status pod_format_json_read_int64(pod_json *json, int64_t *value, pod_error *error)
{
    *value = 0;
    (void)look(json);
    const char *at = json->at;
    if (!skip_integer(json))
        return refuse(json, "an integer is expected", error);
    const bool negative = *at == '-';
    at += negative;
    return pod_digits_read(&at, json->at, negative, value) ? POD_OK
                                                           : refuse(json, "an integer does not fit 64 bits", error);
}

pod_status pod_format_json_end(pod_json *json, pod_error *error)
{
    skip_spaces(json);
    return json->at == json->end ? POD_OK : refuse(json, "the text goes on after its value", error);
}
