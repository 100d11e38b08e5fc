#include "editor/edit_text.h"

#include <stdlib.h>
#include <string.h>

/* Changes that are kept: so many, and of so many times the longest text. */
#define MOST_CHANGES 10000
#define MOST_TEXTS   4

static void drop_change(edit_text *text, edit_change *dropped)
{
    text->held -= dropped->bytes.size;
    byte_string_free(&dropped->bytes);
}

static void drop_undone(edit_text *text)
{
    while (text->count > text->done)
        drop_change(text, &text->changes[--text->count]);
}

/* Forgets the oldest changes. */
static void drop_oldest(edit_text *text, size_t needed)
{
    size_t dropped = 0;
    if (text->count < MOST_CHANGES && text->held + needed <= text->most * MOST_TEXTS)
        return;
    while (dropped < text->count &&
           (text->count - dropped >= MOST_CHANGES / 2 || text->held + needed > text->most * MOST_TEXTS))
        drop_change(text, &text->changes[dropped++]);
    memmove(text->changes, text->changes + dropped, (text->count - dropped) * sizeof *text->changes);
    text->count -= dropped;
    text->done = text->count;
}

/* A new change at the end of the list, with room for its bytes; NULL when there is no memory. */
static edit_change *add_change(edit_text *text, size_t size)
{
    drop_undone(text);
    drop_oldest(text, size);
    if (!byte_string_grow(&text->changes, &text->capacity, text->count, sizeof *text->changes))
        return NULL;
    edit_change *added = &text->changes[text->count];
    *added = (edit_change){.cursor = text->cursor};
    if (!byte_string_reserve(&added->bytes, size))
        return NULL;
    return added;
}

/* The text has changed from a place on. */
static void note_change(edit_text *text, size_t at)
{
    text->version++;
    if (at < text->unchanged)
        text->unchanged = at;
}

bool edit_text_replace(edit_text *text, size_t at, size_t erased, const char *bytes, size_t size)
{
    if (erased == 0 && size == 0) {
        text->cursor = at;
        return true;
    }
    if (size > text->most || text->bytes.size - erased > text->most - size)
        return false;
    edit_change *change = add_change(text, erased + size);
    if (change == NULL)
        return false;
    change->at = at;
    change->erased = erased;
    if (erased > 0)
        byte_string_add(&change->bytes, text->bytes.data + at, erased);
    byte_string_add(&change->bytes, bytes, size);
    if (!byte_string_splice(&text->bytes, at, erased, bytes, size)) {
        byte_string_free(&change->bytes);
        return false;
    }
    text->held += change->bytes.size;
    note_change(text, at);
    text->done = ++text->count;
    text->cursor = at + size;
    text->typing = false;
    return true;
}

/* Whether what is typed goes on at the end of the change before. */
static bool joins_typing(const edit_text *text)
{
    if (!text->typing || text->done == 0 || text->done != text->count)
        return false;
    const edit_change *last = &text->changes[text->done - 1];
    return last->erased == 0 && last->at + last->bytes.size == text->cursor;
}

bool edit_text_type(edit_text *text, const char *bytes, size_t size)
{
    const bool joins = joins_typing(text);
    if (!edit_text_replace(text, text->cursor, 0, bytes, size))
        return false;
    text->typing = true;
    if (joins && text->count > 1) { /* the one before may be forgotten by now */
        edit_change *last = &text->changes[text->count - 1];
        if (byte_string_add(&last[-1].bytes, bytes, size)) {
            byte_string_free(&last->bytes);
            text->done = --text->count;
        }
    }
    return true;
}

void edit_text_end_typing(edit_text *text)
{
    text->typing = false;
}

bool edit_text_undo(edit_text *text, int step)
{
    const bool back = step < 0;
    text->typing = false;
    if (back ? text->done == 0 : text->done == text->count)
        return false;
    const edit_change *change = &text->changes[back ? text->done - 1 : text->done];
    const size_t erased = change->erased, added = change->bytes.size - erased;
    if (!byte_string_splice(&text->bytes, change->at, back ? added : erased, change->bytes.data + (back ? 0 : erased),
                            back ? erased : added))
        return false;
    text->done = back ? text->done - 1 : text->done + 1;
    note_change(text, change->at);
    text->cursor = back ? change->cursor : change->at + added;
    if (text->cursor > text->bytes.size)
        text->cursor = text->bytes.size;
    return true;
}

bool edit_text_reset(edit_text *text, const char *bytes, size_t size)
{
    if (size > text->most || !byte_string_splice(&text->bytes, 0, text->bytes.size, bytes, size))
        return false;
    text->done = 0;
    note_change(text, 0);
    drop_undone(text);
    text->cursor = size;
    text->typing = false;
    return true;
}

void edit_text_insert(edit_text *text, const char *bytes, size_t size)
{
    edit_text_end_typing(text);
    (void)edit_text_replace(text, text->cursor, 0, bytes, size);
}

void edit_text_free(edit_text *ended)
{
    ended->done = 0;
    drop_undone(ended);
    free(ended->changes);
    byte_string_free(&ended->bytes);
    *ended = (edit_text){0};
}
