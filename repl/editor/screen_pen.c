#include "editor/screen_pen.h"

#include <stdint.h>
#include <string.h>

#include "editor/utf8.h"

enum { TAB_COLUMNS = 4 };

static const char *const sequences[] = {
    [STYLE_PLAIN] = "\033[m",    [STYLE_PROMPT] = "\033[1m",  [STYLE_KEYWORD] = "\033[35m",
    [STYLE_STRING] = "\033[32m", [STYLE_NUMBER] = "\033[36m", [STYLE_COMMENT] = "\033[90m",
    [STYLE_WRONG] = "\033[31m",  [STYLE_MATCH] = "\033[1;4m", [STYLE_FAINT] = "\033[90m",
    [STYLE_CHOSEN] = "\033[7m",
};

/* The row that is written; NULL where it is not kept. */
static screen_row *row_of(screen_pen *pen)
{
    const size_t at = pen->row - pen->first;
    return pen->row >= pen->first && at < pen->count ? &pen->rows[at] : NULL;
}

static void set_style(screen_pen *pen, screen_row *row, pen_style style)
{
    if (!pen->colours || pen->active == style)
        return;
    if (pen->active != STYLE_PLAIN)
        (void)byte_string_add_text(&row->bytes, sequences[STYLE_PLAIN]);
    if (style != STYLE_PLAIN)
        (void)byte_string_add_text(&row->bytes, sequences[style]);
    pen->active = style;
}

void screen_pen_end(screen_pen *pen)
{
    screen_row *row = row_of(pen);
    if (row != NULL) {
        set_style(pen, row, STYLE_PLAIN);
        row->width = pen->column;
    }
    pen->active = STYLE_PLAIN;
}

void screen_pen_newline(screen_pen *pen)
{
    screen_pen_end(pen);
    pen->row++;
    pen->column = 0;
}

void screen_pen_make_room(screen_pen *pen, size_t columns)
{
    if (pen->column + columns > pen->columns && !pen->clips)
        screen_pen_newline(pen);
}

static void put(screen_pen *pen, const char *bytes, size_t size, size_t width)
{
    screen_pen_make_room(pen, width);
    if (pen->column + width > pen->columns)
        return;
    screen_row *row = row_of(pen);
    if (row != NULL) {
        set_style(pen, row, pen->style);
        (void)byte_string_add(&row->bytes, bytes, size);
    }
    pen->column += width;
}

/* What would change the direction of text, or the state of the terminal. */
static bool is_hidden(uint32_t code)
{
    return code == UTF8_BAD || (code >= 0x80 && code < 0xA0) || code == 0x061C || (code >= 0x200E && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

size_t screen_pen_width(const char *text, size_t size)
{
    uint32_t code;
    if (size == 0 || text[0] == '\n')
        return 1;
    utf8_decode(text, size, &code);
    if (code == '\t')
        return TAB_COLUMNS;
    if (code < 0x20 || code == 0x7F)
        return 2;
    return is_hidden(code) ? 1 : (size_t)utf8_width(code);
}

/* Bytes at the start of a text that are letters of a column each. */
static size_t plain_run(const char *text, size_t size)
{
    const uint64_t ones = UINT64_MAX / 255, tops = ones * 0x80;
    size_t i = 0;
    for (uint64_t word; i + sizeof word <= size; i += sizeof word) {
        memcpy(&word, text + i, sizeof word);
        const uint64_t deleted = word ^ (ones * 0x7F);
        const uint64_t others = word | (word - ones * 0x20) | ((deleted - ones) & ~deleted);
        if ((others & tops) != 0)
            break;
    }
    while (i < size && text[i] >= 0x20 && text[i] < 0x7F)
        i++;
    return i;
}

/* Goes over letters of a column each where no rows are kept; returns how many. */
static size_t pass_over(screen_pen *pen, const char *text, size_t size)
{
    if (pen->clips || (pen->count > 0 && pen->row >= pen->first))
        return 0;
    size_t count = plain_run(text, size);
    if (pen->count > 0) {
        const size_t before = (pen->first - pen->row) * pen->columns - pen->column;
        count = count < before ? count : before;
    }
    const size_t there = pen->column + count;
    if (there > pen->columns) {
        pen->row += (there - 1) / pen->columns;
        pen->column = (there - 1) % pen->columns + 1;
    } else {
        pen->column = there;
    }
    return count;
}

void screen_pen_write(screen_pen *pen, const char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        uint32_t code;
        const size_t passed = pass_over(pen, text + i, size - i);
        if (passed > 0) {
            i += passed;
            continue;
        }
        const size_t length = utf8_decode(text + i, size - i, &code);
        if (code == '\n') {
            screen_pen_newline(pen);
        } else if (code == '\t') {
            for (int k = 0; k < TAB_COLUMNS; k++)
                put(pen, " ", 1, 1);
        } else if (code < 0x20 || code == 0x7F) {
            const char shown[] = {'^', (char)(code ^ 0x40)};
            put(pen, shown, sizeof shown, 2);
        } else if (is_hidden(code)) {
            put(pen, "\xEF\xBF\xBD", 3, 1);
        } else {
            put(pen, text + i, length, (size_t)utf8_width(code));
        }
        i += length;
    }
}

/* The bytes of a sequence of colours at the start of a text; 0 where there is none. */
static size_t colour_sequence(const char *text, size_t size)
{
    size_t i = 2;
    if (size < 3 || text[0] != '\033' || text[1] != '[')
        return 0;
    while (i < size && ((text[i] >= '0' && text[i] <= '9') || text[i] == ';' || text[i] == ':'))
        i++;
    return i < size && text[i] == 'm' ? i + 1 : 0;
}

void screen_pen_write_prompt(screen_pen *pen, const char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        const size_t sequence = colour_sequence(text + i, size - i);
        const char *escape = memchr(text + i + 1, '\033', size - i - 1);
        const size_t end = sequence > 0 ? i + sequence : escape != NULL ? (size_t)(escape - text) : size;
        screen_row *row = row_of(pen);
        if (sequence == 0)
            screen_pen_write(pen, text + i, end - i);
        else if (pen->colours && row != NULL)
            (void)byte_string_add(&row->bytes, text + i, sequence);
        i = end;
    }
}
