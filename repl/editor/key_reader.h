#ifndef MOONPOD_REPL_KEY_READER_H
#define MOONPOD_REPL_KEY_READER_H

/*
 * key_reader - bytes of a terminal to keys. It is fed one byte at a time and holds what is incomplete. An escape byte
 * alone is a key of its own only when nothing follows it for a while: key_reader_flush() says that. What is like the
 * rest of a key and follows soon is its rest even then.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "editor/byte_string.h"

/* Keys that are no characters. */
enum {
    KEY_NONE = 0x110000,
    KEY_TEXT, /* a byte that is no UTF-8: in `text` */
    KEY_ENTER,
    KEY_TAB,
    KEY_BACKSPACE,
    KEY_ESCAPE,
    KEY_UP,
    KEY_DOWN,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_HOME,
    KEY_END,
    KEY_DELETE,
    KEY_INSERT,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_PASTE,  /* what was pasted is in key_reader.pasted */
    KEY_UNKNOWN /* a sequence that means nothing here */
};

/* Modifiers, added to the code. Control with a letter is the small letter. */
#define KEY_CONTROL 0x01000000u
#define KEY_ALT     0x02000000u
#define KEY_SHIFT   0x04000000u

typedef struct key_event {
    uint32_t code; /* a character or a key, with modifiers */
    char text[4];  /* of a character: its bytes */
    size_t size;   /* 0: it is no text */
} key_event;

typedef struct key_reader {
    int state;
    char held[64]; /* the sequence so far */
    size_t size;
    byte_string pasted;
    bool late;          /* the Escape before the sequence was given */
    bool again;         /* the last byte is not taken yet: give it again */
    size_t most_pasted; /* bytes of a paste beyond these are dropped */
} key_reader;

/* Takes a byte; true where it completes a key. */
bool key_reader_take(key_reader *reader, char byte, key_event *event);

/* Bytes of a paste at the start of these that can be taken at once; takes them. */
size_t key_reader_take_pasted(key_reader *reader, const char *bytes, size_t size);

/* Nothing more came: true where what is held is a key. */
bool key_reader_flush(key_reader *reader, key_event *event);

/* Milliseconds after which key_reader_flush() is to be called when nothing comes; 0: it is not. */
int key_reader_waits(const key_reader *reader);

#endif
