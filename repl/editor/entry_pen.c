#include "editor/entry_pen.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "editor/lua_lexer.h"

enum {
    MARK_APART = 4096,  /* bytes from one mark to the next */
    MATCH_RANGE = 65536 /* bytes from the window's start in which brackets find each other */
};

static pen_style style_of(const char *text, const lua_word *word)
{
    switch (word->kind) {
    case LUA_WORD_KEYWORD:
        return STYLE_KEYWORD;
    case LUA_WORD_STRING:
        return STYLE_STRING;
    case LUA_WORD_NUMBER:
        return STYLE_NUMBER;
    case LUA_WORD_COMMENT:
        return STYLE_COMMENT;
    case LUA_WORD_OTHER: /* commands of the session begin with such a sign */
        return word->start == 0 || text[word->start] == '_' ? STYLE_PLAIN : STYLE_WRONG;
    default:
        return STYLE_PLAIN;
    }
}

/* ---- pieces ---- */

static void write_prompt(screen_pen *pen, const char *prompt)
{
    const pen_style style = pen->style;
    pen->style = STYLE_PROMPT;
    screen_pen_write_prompt(pen, prompt, strlen(prompt));
    pen->style = style;
}

/* Writes a piece of one style, of which no part but the first may be where the cursor is. */
static void write_piece(screen_pen *pen, const screen_view *view, size_t from, size_t to)
{
    while (from < to) {
        const char *newline = memchr(view->text + from, '\n', to - from);
        const size_t end = newline != NULL ? (size_t)(newline - view->text) : to;
        screen_pen_write(pen, view->text + from, end - from);
        if (newline != NULL) {
            screen_pen_newline(pen);
            write_prompt(pen, view->more);
        }
        from = end + 1;
    }
}

/* The cluster at the cursor must begin in the row where the cursor stands. */
static void note_cursor(screen_pen *pen, const screen_view *view, entry_place *place)
{
    screen_pen_make_room(pen, screen_pen_width(view->text + view->cursor, view->size - view->cursor));
    if (place != NULL) {
        place->row = pen->row;
        place->column = pen->column;
    }
}

/* Writes from..to and notes the cursor where it is within, or at `from`. */
static void write_span(screen_pen *pen, const screen_view *view, size_t from, size_t to, entry_place *place)
{
    if (view->cursor >= from && view->cursor < to) {
        write_piece(pen, view, from, view->cursor);
        note_cursor(pen, view, place);
        from = view->cursor;
    }
    write_piece(pen, view, from, to);
}

/* What stands behind the text. */
static void write_end(screen_pen *pen, const screen_view *view, entry_place *place)
{
    if (view->cursor == view->size)
        note_cursor(pen, view, place);
    if (view->hint != NULL && view->hint_size > 0) {
        pen->style = STYLE_FAINT;
        screen_pen_write(pen, view->hint, view->hint_size);
        pen->style = STYLE_PLAIN;
    }
}

void entry_pen_measure(screen_pen *pen, const screen_view *view, entry_place *place)
{
    write_prompt(pen, view->prompt);
    write_span(pen, view, 0, view->size, place);
    write_end(pen, view, place);
    screen_pen_end(pen);
    place->rows = pen->row + 1;
}

/* ---- the window ---- */

/* Goes to the line in which the pen's first row is: the pen stands where it begins, behind its prompt. Returns the
 * line's place. */
static size_t find_line(screen_pen *pen, const screen_view *view)
{
    screen_pen measure = {.columns = pen->columns};
    size_t line = 0, row = 0;
    for (;;) {
        const char *newline = memchr(view->text + line, '\n', view->size - line);
        const size_t end = newline != NULL ? (size_t)(newline - view->text) : view->size;
        write_prompt(&measure, line == 0 ? view->prompt : view->more);
        write_span(&measure, view, line, end, NULL);
        if (newline != NULL && view->cursor == end)
            note_cursor(&measure, view, NULL);
        if (newline == NULL || measure.row >= pen->first)
            break;
        screen_pen_newline(&measure);
        row = measure.row;
        line = end + 1;
    }
    pen->row = row;
    write_prompt(pen, line == 0 ? view->prompt : view->more);
    return line;
}

static bool is_below(const screen_pen *pen)
{
    return pen->row >= pen->first + pen->count;
}

static void add_mark(entry_marks *marks, size_t place)
{
    if (place < (marks->count > 0 ? marks->places[marks->count - 1] : 0) + MARK_APART)
        return;
    if (byte_string_grow(&marks->places, &marks->capacity, marks->count, sizeof *marks->places))
        marks->places[marks->count++] = place;
}

/* The place of the word that a place is in. */
static size_t find_word(const screen_view *view, entry_marks *marks, size_t place)
{
    size_t at = 0;
    for (size_t i = marks->count; i > 0 && at == 0; i--)
        if (marks->places[i - 1] <= place)
            at = marks->places[i - 1];
    while (at < view->size) {
        const lua_word word = lua_word_at(view->text, view->size, at);
        if (word.end > place)
            break;
        at = word.end;
        /* Behind a line's end: what comes later does not change where words begin here. */
        if (word.kind == LUA_WORD_SPACE && memchr(view->text + word.start, '\n', word.end - word.start) != NULL)
            add_mark(marks, at);
    }
    return at;
}

/* Writes the text from a line on, word by word, in colours, to the end of the window. Returns where it ended. */
static size_t write_words(screen_pen *pen, const screen_view *view, entry_marks *marks, size_t line)
{
    size_t at = find_word(view, marks, line), match = SIZE_MAX;
    const size_t range = view->size - at < MATCH_RANGE ? view->size - at : MATCH_RANGE;
    if (!view->ended && view->cursor >= at && lua_matching_bracket(view->text + at, range, view->cursor - at, &match))
        match += at;
    else
        match = SIZE_MAX;
    while (at < view->size && !is_below(pen)) {
        const lua_word word = lua_word_at(view->text, view->size, at);
        pen->style = word.start == match ? STYLE_MATCH : style_of(view->text, &word);
        write_span(pen, view, word.start < line ? line : word.start, word.end, NULL);
        at = word.end;
    }
    pen->style = STYLE_PLAIN;
    return at;
}

static size_t write_lines(screen_pen *pen, const screen_view *view, size_t line)
{
    while (line < view->size && !is_below(pen)) {
        const char *newline = memchr(view->text + line, '\n', view->size - line);
        const size_t next = newline != NULL ? (size_t)(newline - view->text) + 1 : view->size;
        write_span(pen, view, line, next, NULL);
        line = next;
    }
    return line;
}

void entry_pen_write(screen_pen *pen, const screen_view *view, entry_marks *marks)
{
    pen->style = STYLE_PLAIN;
    const size_t line = find_line(pen, view);
    if ((view->colours ? write_words(pen, view, marks, line) : write_lines(pen, view, line)) == view->size)
        write_end(pen, view, NULL);
    screen_pen_end(pen);
}

/* ---- marks ---- */

void entry_marks_forget(entry_marks *marks, size_t from)
{
    while (marks->count > 0 && marks->places[marks->count - 1] > from)
        marks->count--;
}

void entry_marks_free(entry_marks *marks)
{
    free(marks->places);
    *marks = (entry_marks){0};
}
