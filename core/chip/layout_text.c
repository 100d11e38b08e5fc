/* layout_text - XLA's notation of arrays and layouts, and how it prints sizes. */

#include "moonpod/chip.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/error.h"

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct cursor {
    const char *text;
    size_t length, at;
    pod_error *error;
} cursor;

static pod_status expected(const cursor *c, const char *what)
{
    const size_t shown = c->length < 80 ? c->length : 80;
    /* control characters and broken UTF-8 stay out of messages */
    char clean[81];
    for (size_t i = 0; i < shown; i++)
        clean[i] = c->text[i] >= ' ' && c->text[i] <= '~' ? c->text[i] : '?';
    clean[shown] = '\0';
    return pod_error_set(c->error, POD_ERROR_FORMAT,
                         "'%s'%s, character %zu: expected %s; an array is written as "
                         "f32[128,18]{1,0:T(8,128)}, its layout may be left out",
                         clean, shown < c->length ? "..." : "", c->at + 1, what);
}

static void skip_blanks(cursor *c)
{
    while (c->at < c->length && (c->text[c->at] == ' ' || c->text[c->at] == '\t'))
        c->at++;
}

static char peek(cursor *c)
{
    skip_blanks(c);
    return c->at < c->length ? c->text[c->at] : '\0';
}

static bool take(cursor *c, char character)
{
    if (c->at >= c->length || peek(c) != character)
        return false;
    c->at++;
    return true;
}

static bool take_number(cursor *c, int64_t *number)
{
    skip_blanks(c);
    const size_t start = c->at;
    *number = 0;
    for (; c->at < c->length && c->text[c->at] >= '0' && c->text[c->at] <= '9'; c->at++)
        if (pod_multiply_overflows(*number, (int64_t)10, number) ||
            pod_add_overflows(*number, (int64_t)(c->text[c->at] - '0'), number)) {
            c->at = start;
            return false;
        }
    return c->at > start;
}

static bool ends_here(cursor *c, const char *ends)
{
    const char next = peek(c);
    return next != '\0' && strchr(ends, next);
}

/* Reads numbers with commas between them up to one of `ends`, which stays; there may be none. */
static pod_status read_numbers(cursor *c, const char *ends, const char *what, int64_t *numbers, int32_t *count)
{
    for (*count = 0; !ends_here(c, ends); ++*count) {
        if (*count > 0 && !take(c, ','))
            return expected(c, *ends == ']' ? "',' or ']'" : *ends == ')' ? "',' or ')'" : "',', ':' or '}'");
        if (*count == POD_MAX_RANK)
            return expected(c, "at most 8 axes");
        if (!take_number(c, &numbers[*count]))
            return expected(c, what);
    }
    return POD_OK;
}

static pod_status read_tile(cursor *c, pod_layout *layout)
{
    if (layout->tile_count == POD_MAX_TILES)
        return expected(c, "at most 4 tiles");
    pod_tile *tile = &layout->tiles[layout->tile_count];
    const pod_status status = read_numbers(c, ")", "the size of a tile", tile->dims, &tile->rank);
    if (status != POD_OK)
        return status;
    (void)take(c, ')');
    if (tile->rank == 0)
        return expected(c, "a tile with sizes before this");
    for (int32_t i = 0; i < tile->rank; i++)
        if (tile->dims[i] == 0)
            return expected(c, "a tile whose sizes are not 0 before this");
    layout->tile_count++;
    return POD_OK;
}

/* Reads "(8)" of E(8) and S(1), up to a limit. */
static pod_status read_parameter(cursor *c, int64_t least, int64_t most, const char *what, int32_t *value)
{
    int64_t number;
    if (!take(c, '('))
        return expected(c, "'('");
    if (!take_number(c, &number) || number < least || number > most)
        return expected(c, what);
    *value = (int32_t)number;
    return take(c, ')') ? POD_OK : expected(c, "')'");
}

/* What follows the colon: T(..)(..), E(n), S(n), each at most once. */
static pod_status read_properties(cursor *c, pod_layout *layout)
{
    bool tiles = false, bits = false, space = false;
    for (;;) {
        pod_status status = POD_OK;
        if (take(c, '}'))
            return tiles || bits || space ? POD_OK : expected(c, "T(..), E(..) or S(..) before this");
        if (!tiles && !bits && !space && take(c, 'T')) {
            tiles = true;
            if (peek(c) != '(')
                return expected(c, "'('");
            while (status == POD_OK && take(c, '('))
                status = read_tile(c, layout);
        } else if (!bits && take(c, 'E')) {
            bits = true;
            status = read_parameter(c, 1, 128, "the bits of an element, 1 to 128", &layout->element_bits);
        } else if (!space && take(c, 'S')) {
            space = true;
            status = read_parameter(c, 0, 255, "a memory space, 0 to 255", &layout->memory_space);
        } else {
            return expected(c, "T(..), E(..), S(..) or '}'");
        }
        if (status != POD_OK)
            return status;
    }
}

static pod_status read_layout(cursor *c, pod_layout *layout)
{
    int64_t order[POD_MAX_RANK];
    uint32_t seen = 0;
    *layout = (pod_layout){0};
    if (!take(c, '{'))
        return expected(c, "'{'");
    const size_t start = c->at;
    const pod_status status = read_numbers(c, ":}", "the number of an axis", order, &layout->rank);
    if (status != POD_OK)
        return status;
    for (int32_t i = 0; i < layout->rank; i++) {
        if (order[i] >= layout->rank || (seen & 1u << order[i])) {
            c->at = start;
            return expected(c, "each axis once, numbered from 0");
        }
        seen |= 1u << order[i];
        layout->minor_to_major[i] = (int32_t)order[i];
    }
    if (take(c, ':'))
        return read_properties(c, layout);
    return take(c, '}') ? POD_OK : expected(c, "'}'");
}

static pod_status read_end(cursor *c)
{
    skip_blanks(c);
    return c->at == c->length ? POD_OK : expected(c, "nothing more");
}

pod_status pod_layout_parse(const char *text, size_t length, pod_layout *layout, pod_error *error)
{
    cursor c = {.text = text, .length = length, .error = error};
    pod_status status = read_layout(&c, layout);
    if (status == POD_OK)
        status = read_end(&c);
    if (status != POD_OK)
        *layout = (pod_layout){0};
    return status;
}

static bool is_name(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9') || character == '_';
}

static pod_status read_array_type(cursor *c, pod_array_type *type)
{
    char name[24];
    size_t length = 0;
    skip_blanks(c);
    const size_t start = c->at;
    for (; c->at < c->length && is_name(c->text[c->at]); c->at++)
        if (length < sizeof name - 1)
            name[length++] = c->text[c->at];
    name[length] = '\0';
    type->element = pod_element_from_name(name);
    if (type->element == POD_ELEMENT_NONE) {
        c->at = start;
        return expected(c, "an element type such as f32, bf16, s32 or pred");
    }
    if (!take(c, '['))
        return expected(c, "'['");
    pod_status status = read_numbers(c, "]", "the size of an axis", type->shape.dims, &type->shape.rank);
    if (status != POD_OK)
        return status;
    (void)take(c, ']');
    if (c->at == c->length || peek(c) == '\0')
        return status;
    const size_t layout_start = c->at;
    status = read_layout(c, &type->layout);
    if (status == POD_OK && type->layout.rank != type->shape.rank) {
        c->at = layout_start;
        return expected(c, "a layout that orders as many axes as the shape has");
    }
    type->has_layout = true;
    return status;
}

pod_status pod_array_type_parse(const char *text, size_t length, pod_array_type *type, pod_error *error)
{
    cursor c = {.text = text, .length = length, .error = error};
    *type = (pod_array_type){0};
    pod_status status = read_array_type(&c, type);
    if (status == POD_OK)
        status = read_end(&c);
    if (status != POD_OK)
        *type = (pod_array_type){0};
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct writer {
    char *text;
    size_t size, length;
} writer;

__attribute__((format(printf, 2, 3))) static void put(writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int written = vsnprintf(w->text + w->length, w->size - w->length, format, arguments);
    va_end(arguments);
    if (written > 0)
        w->length += (size_t)written < w->size - w->length ? (size_t)written : w->size - w->length - 1;
}

static int32_t bounded(int32_t count, int32_t limit)
{
    return count < 0 ? 0 : count < limit ? count : limit;
}

static void put_layout(writer *w, const pod_layout *layout)
{
    put(w, "{");
    for (int32_t i = 0; i < bounded(layout->rank, POD_MAX_RANK); i++)
        put(w, "%s%d", i > 0 ? "," : "", (int)layout->minor_to_major[i]);
    if (layout->tile_count > 0 || layout->element_bits != 0 || layout->memory_space != 0)
        put(w, ":");
    if (layout->tile_count > 0)
        put(w, "T");
    for (int32_t i = 0; i < bounded(layout->tile_count, POD_MAX_TILES); i++) {
        const pod_tile *tile = &layout->tiles[i];
        put(w, "(");
        for (int32_t j = 0; j < bounded(tile->rank, POD_MAX_RANK); j++)
            put(w, "%s%lld", j > 0 ? "," : "", (long long)tile->dims[j]);
        put(w, ")");
    }
    if (layout->element_bits != 0)
        put(w, "E(%d)", (int)layout->element_bits);
    if (layout->memory_space != 0)
        put(w, "S(%d)", (int)layout->memory_space);
    put(w, "}");
}

const char *pod_layout_format(const pod_layout *layout, char text[POD_LAYOUT_TEXT_SIZE])
{
    writer w = {text, POD_LAYOUT_TEXT_SIZE, 0};
    put_layout(&w, layout);
    return text;
}

const char *pod_array_type_format(const pod_array_type *type, char text[POD_ARRAY_TYPE_TEXT_SIZE])
{
    writer w = {text, POD_ARRAY_TYPE_TEXT_SIZE, 0};
    put(&w, "%s[", pod_element_xla_name(type->element));
    for (int32_t i = 0; i < bounded(type->shape.rank, POD_MAX_RANK); i++)
        put(&w, "%s%lld", i > 0 ? "," : "", (long long)type->shape.dims[i]);
    put(&w, "]");
    if (type->has_layout)
        put_layout(&w, &type->layout);
    return text;
}

const char *pod_bytes_format(int64_t bytes, char text[POD_BYTES_TEXT_SIZE])
{
    static const char units[] = "KMGTPE";
    const char *sign = bytes < 0 ? "-" : "";
    uint64_t size = bytes < 0 ? 0 - (uint64_t)bytes : (uint64_t)bytes;
    if (size < 1024) {
        snprintf(text, POD_BYTES_TEXT_SIZE, "%s%lluB", sign, (unsigned long long)size);
        return text;
    }
    int unit = 0;
    while (size >= 1024 * 1024) {
        size /= 1024;
        unit++;
    }
    /* size / 1024 in tenths or hundredths, ties to even: no locale has a say in it */
    const uint64_t scale = unit == 0 ? 10 : 100;
    uint64_t digits = size * scale / 1024;
    const uint64_t rest = size * scale % 1024;
    if (rest > 512 || (rest == 512 && digits % 2 == 1))
        digits++;
    snprintf(text, POD_BYTES_TEXT_SIZE, "%s%llu.%0*llu%c", sign, (unsigned long long)(digits / scale),
             unit == 0 ? 1 : 2, (unsigned long long)(digits % scale), units[unit]);
    return text;
}

const char *pod_expansion_format(const pod_layout_bytes *bytes, char text[POD_BYTES_TEXT_SIZE])
{
    const double ratio = bytes->unpadded > 0 ? (double)bytes->padded / (double)bytes->unpadded : 1.0;
    char digits[40];
    snprintf(digits, sizeof digits, "%.1f", ratio);
    /* the last digit is the only one after the point, whatever the locale's point is */
    size_t whole = strspn(digits, "0123456789");
    snprintf(text, POD_BYTES_TEXT_SIZE, "%.*s.%cx", (int)whole, digits, digits[strlen(digits) - 1]);
    return text;
}
