#include "editor/above_text.h"

#include <stdint.h>
#include <string.h>

#include "editor/utf8.h"

enum {
    MOST_OPEN = 4096,       /* bytes of a line that is written again */
    MOST_COLOURS = 256,     /* bytes of sequences of colours that nothing has put out */
    MOST_PARTIAL = 1 << 20, /* bytes of a sequence, such as a picture's */
    TAB_COLUMNS = 8
};

/* What stands at the start of a text. */
typedef struct piece {
    size_t size; /* in bytes; 0: its end has not come yet */
    enum { PIECE_TEXT, PIECE_CONTROL, PIECE_COLOUR, PIECE_ERASE, PIECE_OTHER } kind;
    size_t width; /* of a text */
} piece;

/* A sequence of the kind ESC [ numbers letter. */
static piece read_numbers(const char *text, size_t size)
{
    size_t i = 2;
    while (i < size && text[i] >= 0x20 && text[i] < 0x40)
        i++;
    if (i == size)
        return (piece){0};
    const bool is_private = text[2] >= '<' && text[2] <= '?';
    return (piece){.size = i + 1,
                   .kind = text[i] == 'm' && !is_private ? PIECE_COLOUR
                           : text[i] == 'K'              ? PIECE_ERASE
                                                         : PIECE_OTHER};
}

/* A sequence of the kind ESC ] text, which BEL or ESC \ ends: titles, pictures. */
static piece read_string(const char *text, size_t size)
{
    for (size_t i = 2; i < size; i++)
        if (text[i] == '\a' || (text[i] == '\\' && text[i - 1] == '\033'))
            return (piece){.size = i + 1, .kind = PIECE_OTHER};
    return (piece){0};
}

static piece read_sequence(const char *text, size_t size)
{
    if (size < 2)
        return (piece){0};
    if (text[1] == '[')
        return read_numbers(text, size);
    if (strchr("]PX^_", text[1]) != NULL && text[1] != '\0')
        return read_string(text, size);
    return (piece){.size = 2, .kind = PIECE_OTHER};
}

static piece read_piece(const char *text, size_t size)
{
    uint32_t code;
    if (text[0] == '\033')
        return read_sequence(text, size);
    if ((unsigned char)text[0] < 0x20 || text[0] == 0x7F)
        return (piece){.size = 1, .kind = PIECE_CONTROL};
    if (utf8_is_cut(text, size))
        return (piece){0};
    const size_t length = utf8_decode(text, size, &code);
    return (piece){.size = length, .width = (size_t)utf8_width(code)};
}

/* Adds bytes of the line to what is written, and to what can be written again. */
static void put(above_text *text, const char *bytes, size_t size, byte_string *out)
{
    (void)byte_string_add(out, bytes, size);
    if (!text->broken && (text->open.size > MOST_OPEN || !byte_string_add(&text->open, bytes, size)))
        text->broken = true;
}

static void put_character(above_text *text, const char *bytes, piece one, size_t columns, byte_string *out)
{
    uint32_t code;
    utf8_decode(bytes, one.size, &code);
    if (code == UTF8_BAD || (code >= 0x80 && code < 0xA0)) { /* a terminal might take it for a command */
        bytes = "\xEF\xBF\xBD";
        one = (piece){.size = 3, .width = 1};
    }
    if (text->column + one.width > columns) {
        if (text->column < columns) /* terminals differ in what they do with half a character */
            put(text, "\r\n", 2, out);
        text->row++;
        text->column = 0;
    }
    text->column += one.width;
    text->begun = true;
    put(text, bytes, one.size, out);
}

/* Begins a line, in the colours that are on. */
static void begin_line(above_text *text)
{
    text->open.size = 0;
    (void)byte_string_add(&text->open, text->colours.data, text->colours.size);
    text->row = text->column = 0;
    text->begun = text->broken = text->lost = false;
}

static void put_control(above_text *text, char control, size_t columns, byte_string *out)
{
    switch (control) {
    case '\n':
        (void)byte_string_add_text(out, "\r\n");
        begin_line(text);
        break;
    case '\r':
        if (text->open.size > MOST_OPEN / 2 && text->row == 0) { /* written over and over: it is the last of them */
            text->open.size = 0;
            (void)byte_string_add(&text->open, text->colours.data, text->colours.size);
        }
        put(text, "\r", 1, out);
        text->column = 0;
        break;
    case '\b':
        text->column -= text->column == columns;
        text->column -= text->column > 0;
        put(text, "\b", 1, out);
        break;
    case '\t':
        do
            put_character(text, " ", (piece){.size = 1, .width = 1}, columns, out);
        while (text->column % TAB_COLUMNS != 0 && text->column < columns);
        break;
    case '\a':
        (void)byte_string_add(out, "\a", 1);
        break;
    default: /* what other programs would show, or nothing */
        break;
    }
}

static void put_colour(above_text *text, const char *bytes, size_t size, byte_string *out)
{
    const bool ends = size == 3 || (size == 4 && bytes[2] == '0');
    if (ends || text->colours.size + size > MOST_COLOURS)
        text->colours.size = 0;
    if (!ends)
        (void)byte_string_add(&text->colours, bytes, size);
    put(text, bytes, size, out);
}

static void put_piece(above_text *text, const char *bytes, piece one, size_t columns, byte_string *out)
{
    switch (one.kind) {
    case PIECE_TEXT:
        put_character(text, bytes, one, columns, out);
        break;
    case PIECE_CONTROL:
        put_control(text, bytes[0], columns, out);
        break;
    case PIECE_COLOUR:
        put_colour(text, bytes, one.size, out);
        break;
    default:
        text->lost = text->lost || one.kind == PIECE_OTHER;
        put(text, bytes, one.size, out);
        break;
    }
}

/* Writes all but a piece at the end whose end has not come; returns how much that was. */
static size_t write_pieces(above_text *text, const char *bytes, size_t size, size_t columns, byte_string *out)
{
    size_t at = 0;
    while (at < size) {
        const piece one = read_piece(bytes + at, size - at);
        if (one.size == 0)
            break;
        put_piece(text, bytes + at, one, columns, out);
        at += one.size;
    }
    return at;
}

void above_text_write(above_text *text, const char *bytes, size_t size, size_t columns, byte_string *out)
{
    (void)byte_string_add(out, text->colours.data, text->colours.size);
    if (text->partial.size == 0) {
        const size_t written = write_pieces(text, bytes, size, columns, out);
        (void)byte_string_add(&text->partial, bytes + written, size - written);
    } else if (byte_string_add(&text->partial, bytes, size)) {
        const size_t written = write_pieces(text, text->partial.data, text->partial.size, columns, out);
        (void)byte_string_splice(&text->partial, 0, written, NULL, 0);
    }
    if (text->partial.size > MOST_PARTIAL)
        text->partial.size = 0;
}

void above_text_rest(above_text *text, size_t columns, byte_string *out)
{
    if (text->colours.size > 0)
        (void)byte_string_add_text(out, "\033[m");
    if (text->lost)
        above_text_begin_row(columns, out);
    else if (text->begun)
        (void)byte_string_add_text(out, "\r\n");
    if (text->lost || text->broken)
        begin_line(text);
}

size_t above_text_rows(const above_text *text)
{
    return text->begun ? text->row + 1 : 0;
}

void above_text_again(above_text *text, size_t columns, byte_string *out)
{
    byte_string line = text->open;
    text->open = (byte_string){0};
    text->colours.size = 0;
    begin_line(text);
    (void)write_pieces(text, line.data, line.size, columns, out);
    byte_string_free(&line);
}

void above_text_end_line(above_text *text)
{
    begin_line(text);
}

void above_text_end(above_text *text)
{
    text->colours.size = text->partial.size = 0;
    begin_line(text);
}

void above_text_begin_row(size_t columns, byte_string *out)
{
    for (size_t i = 0; i < columns; i++)
        (void)byte_string_add(out, " ", 1);
    (void)byte_string_add_text(out, "\r\033[K");
}

void above_text_free(above_text *ended)
{
    byte_string_free(&ended->open);
    byte_string_free(&ended->colours);
    byte_string_free(&ended->partial);
}
