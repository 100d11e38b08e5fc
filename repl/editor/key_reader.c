#include "editor/key_reader.h"

#include <string.h>

#include "editor/utf8.h"

enum { PLAIN, IN_CHARACTER, AFTER_ESCAPE, ESCAPE_GIVEN, IN_CSI, AFTER_SS3, IN_PASTE };

/* Milliseconds until an Escape is a key alone; and until what else is incomplete is taken for what it is: over slow
 * lines a key comes in pieces. */
enum { ESCAPE_WAIT = 50, PIECE_WAIT = 1000 };

static const char paste_end[] = "\033[201~";

typedef struct named_key {
    char final;
    int number; /* before '~' */
    uint32_t code;
} named_key;

static const named_key named_keys[] = {
    {'A', 0, KEY_UP},      {'B', 0, KEY_DOWN},      {'C', 0, KEY_RIGHT},  {'D', 0, KEY_LEFT},
    {'H', 0, KEY_HOME},    {'F', 0, KEY_END},       {'M', 0, KEY_ENTER},  {'Z', 0, KEY_TAB | KEY_SHIFT},
    {'~', 1, KEY_HOME},    {'~', 2, KEY_INSERT},    {'~', 3, KEY_DELETE}, {'~', 4, KEY_END},
    {'~', 5, KEY_PAGE_UP}, {'~', 6, KEY_PAGE_DOWN}, {'~', 7, KEY_HOME},   {'~', 8, KEY_END},
};

/* Gives so many bytes of what is held, which are text, or a key that is none. */
static bool give_text(key_reader *reader, key_event *event, uint32_t code, size_t size)
{
    *event = (key_event){.code = code, .size = size};
    memcpy(event->text, reader->held, size);
    reader->state = PLAIN;
    reader->size = 0;
    return true;
}

static bool give(key_reader *reader, key_event *event, uint32_t code)
{
    return give_text(reader, event, code, 0);
}

/* A character of 7 bits: a letter, or a key of control. */
static uint32_t key_of_ascii(unsigned char byte)
{
    switch (byte) {
    case '\t':
        return KEY_TAB;
    case '\r':
    case '\n':
        return KEY_ENTER;
    case 0x1B:
        return KEY_ESCAPE;
    case 0x08:
    case 0x7F:
        return KEY_BACKSPACE;
    case 0:
        return KEY_CONTROL | ' ';
    default:
        return byte >= 0x20 ? byte : byte <= 26 ? KEY_CONTROL | (byte + 0x60u) : KEY_CONTROL | (byte + 0x40u);
    }
}

static bool give_ascii(key_reader *reader, key_event *event, char byte, uint32_t modifiers)
{
    reader->held[0] = byte;
    return give_text(reader, event, key_of_ascii((unsigned char)byte) | modifiers,
                     modifiers == 0 && (unsigned char)byte >= 0x20 && byte != 0x7F);
}

/* What is held is no UTF-8: it is given as it is, but for the last byte, which may begin something else. */
static bool give_bad(key_reader *reader, key_event *event, bool ended)
{
    const size_t size = reader->size > 1 && !ended ? reader->size - 1 : reader->size;
    reader->again = size < reader->size;
    return give_text(reader, event, KEY_TEXT, size);
}

static bool take_in_character(key_reader *reader, key_event *event)
{
    uint32_t code;
    if (utf8_is_cut(reader->held, reader->size)) {
        reader->state = IN_CHARACTER;
        return false;
    }
    const size_t length = utf8_decode(reader->held, reader->size, &code);
    if (code == UTF8_BAD)
        return give_bad(reader, event, false);
    return give_text(reader, event, code, length);
}

static bool take_plain(key_reader *reader, key_event *event, char byte)
{
    if (byte == 0x1B) {
        reader->state = AFTER_ESCAPE;
        return false;
    }
    if ((unsigned char)byte < 0x80)
        return give_ascii(reader, event, byte, 0);
    reader->held[0] = byte;
    reader->size = 1;
    return take_in_character(reader, event);
}

/* The sequence so far as what was typed behind an Escape. */
static bool give_typed(key_reader *reader, key_event *event)
{
    return give_text(reader, event, KEY_TEXT, reader->size);
}

/* Behind an Escape that was given already: what may be the rest of a key, with its first byte held. */
static bool take_escape_given(key_reader *reader, key_event *event, char byte)
{
    if (byte != '[' && byte != 'O') {
        reader->state = PLAIN;
        return take_plain(reader, event, byte);
    }
    reader->state = byte == '[' ? IN_CSI : AFTER_SS3;
    reader->late = true;
    reader->held[0] = byte;
    reader->size = 1;
    return false;
}

static bool take_after_escape(key_reader *reader, key_event *event, char byte)
{
    reader->size = 0;
    reader->late = false;
    if (byte == '[')
        reader->state = IN_CSI;
    else if (byte == 'O')
        reader->state = AFTER_SS3;
    else if (byte == 0x1B)
        return give(reader, event, KEY_ESCAPE) && (reader->state = AFTER_ESCAPE, true);
    else if ((unsigned char)byte >= 0x80)
        return give(reader, event, KEY_ESCAPE) && (reader->again = true);
    else
        return give_ascii(reader, event, byte, KEY_ALT);
    return false;
}

/* The modifiers that xterm writes as 1 + bits. */
static uint32_t modifiers_of(int number)
{
    const int bits = number > 0 ? number - 1 : 0;
    return (bits & 1 ? KEY_SHIFT : 0) | (bits & 2 ? KEY_ALT : 0) | (bits & 4 ? KEY_CONTROL : 0);
}

static bool give_named(key_reader *reader, key_event *event, char final)
{
    int numbers[2] = {0, 0};
    size_t which = 0;
    for (size_t i = 0; i < reader->size && which < 2; i++) {
        const char c = reader->held[i];
        if (c == ';')
            which++;
        else if (c >= '0' && c <= '9' && numbers[which] < 1000)
            numbers[which] = numbers[which] * 10 + (c - '0');
    }
    if (final == '~' && numbers[0] == 200) {
        reader->pasted.size = 0;
        reader->size = 0;
        reader->state = IN_PASTE;
        return false;
    }
    for (size_t i = 0; i < sizeof named_keys / sizeof named_keys[0]; i++)
        if (named_keys[i].final == final && (final != '~' || named_keys[i].number == numbers[0]))
            return give(reader, event, named_keys[i].code | modifiers_of(numbers[1]));
    if (reader->late) /* it was typed, as this byte is */
        return give_typed(reader, event) && (reader->again = true);
    return give(reader, event, KEY_UNKNOWN);
}

static bool take_in_csi(key_reader *reader, key_event *event, char byte)
{
    if (byte >= 0x40 && byte <= 0x7E)
        return give_named(reader, event, byte);
    const size_t most = reader->late ? sizeof event->text : sizeof reader->held;
    if (byte < 0x20 || reader->size == most) { /* broken off: the sequence meant nothing, or was typed */
        if (reader->late)
            return give_typed(reader, event) && (reader->again = true);
        return give(reader, event, KEY_UNKNOWN);
    }
    reader->held[reader->size++] = byte;
    return false;
}

static void keep_pasted(key_reader *reader, const char *bytes, size_t size)
{
    if (size > reader->most_pasted - reader->pasted.size)
        size = reader->most_pasted - reader->pasted.size;
    (void)byte_string_add(&reader->pasted, bytes, size);
}

size_t key_reader_take_pasted(key_reader *reader, const char *bytes, size_t size)
{
    if (reader->state != IN_PASTE || reader->size > 0 || size == 0)
        return 0;
    const char *escape = memchr(bytes, 0x1B, size);
    const size_t taken = escape != NULL ? (size_t)(escape - bytes) : size;
    keep_pasted(reader, bytes, taken);
    return taken;
}

/* Within a paste: only its end means something. */
static bool take_in_paste(key_reader *reader, key_event *event, char byte)
{
    if (byte == paste_end[reader->size]) {
        reader->held[reader->size++] = byte;
        return reader->size == sizeof paste_end - 1 && give(reader, event, KEY_PASTE);
    }
    keep_pasted(reader, reader->held, reader->size);
    reader->size = 0;
    if (byte == paste_end[0])
        reader->held[reader->size++] = byte;
    else
        keep_pasted(reader, &byte, 1);
    return false;
}

bool key_reader_take(key_reader *reader, char byte, key_event *event)
{
    reader->again = false;
    switch (reader->state) {
    case AFTER_ESCAPE:
        return take_after_escape(reader, event, byte);
    case ESCAPE_GIVEN:
        return take_escape_given(reader, event, byte);
    case IN_CSI:
        return take_in_csi(reader, event, byte);
    case AFTER_SS3:
        return give_named(reader, event, byte);
    case IN_PASTE:
        return take_in_paste(reader, event, byte);
    case IN_CHARACTER:
        reader->held[reader->size++] = byte;
        return take_in_character(reader, event);
    default:
        return take_plain(reader, event, byte);
    }
}

bool key_reader_flush(key_reader *reader, key_event *event)
{
    switch (reader->state) {
    case AFTER_ESCAPE:
        return give(reader, event, KEY_ESCAPE) && (reader->state = ESCAPE_GIVEN, true);
    case IN_CHARACTER:
        return give_bad(reader, event, true);
    case IN_CSI:
    case AFTER_SS3:
        return reader->late ? give_typed(reader, event) : give(reader, event, KEY_UNKNOWN);
    case ESCAPE_GIVEN:
        reader->state = PLAIN;
        return false;
    default:
        return false;
    }
}

int key_reader_waits(const key_reader *reader)
{
    return reader->state == PLAIN || reader->state == IN_PASTE ? 0
           : reader->state == AFTER_ESCAPE                     ? ESCAPE_WAIT
                                                               : PIECE_WAIT;
}
