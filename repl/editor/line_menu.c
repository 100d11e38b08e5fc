/* Completion: what a question's answers have in common is inserted, then each in turn while they are shown below. */

#include "editor/line_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "editor/lua_lexer.h"
#include "editor/motions.h"
#include "editor/utf8.h"

enum { MOST_CANDIDATES = 1000 };

void line_candidates_add(line_candidates *to, size_t start, const char *text, size_t size, const char *help)
{
    if (start > to->cursor || to->count >= MOST_CANDIDATES || (to->count > 0 && start != to->start))
        return;
    char *copy = malloc(size + 1);
    if (copy == NULL || !byte_string_grow(&to->list, &to->capacity, to->count, sizeof *to->list)) {
        free(copy);
        return;
    }
    memcpy(copy, text, size);
    copy[size] = '\0';
    to->list[to->count++] = (line_candidate){copy, help != NULL ? strdup(help) : NULL, size};
    to->start = start;
}

static void forget(line_candidates *candidates)
{
    for (size_t i = 0; i < candidates->count; i++) {
        free(candidates->list[i].text);
        free(candidates->list[i].help);
    }
    free(candidates->list);
    *candidates = (line_candidates){0};
}

void line_menu_close(line_editor *editor)
{
    forget(&editor->menu);
    editor->menu_shown = false;
    editor->chosen = SIZE_MAX;
}

/* Where in the text the cursor is. */
static line_question question_at(const line_editor *editor)
{
    const edit_text *text = &editor->text;
    const lua_word word = lua_last_word(text->bytes.data, text->cursor);
    return (line_question){.text = text->bytes.data,
                           .size = text->bytes.size,
                           .cursor = text->cursor,
                           .in_string = word.kind == LUA_WORD_STRING && word.open && word.end == text->cursor,
                           .in_comment = word.kind == LUA_WORD_COMMENT && word.open,
                           .string_start = word.inner};
}

/* How many bytes all candidates begin with, up to the start of a character. */
static size_t common_size(const line_candidates *candidates)
{
    const line_candidate *first = &candidates->list[0];
    size_t common = first->size;
    for (size_t i = 1; i < candidates->count; i++) {
        const line_candidate *other = &candidates->list[i];
        size_t same = 0;
        while (same < common && same < other->size && first->text[same] == other->text[same])
            same++;
        common = same;
    }
    while (common > 0 && common < first->size && ((unsigned char)first->text[common] & 0xC0) == 0x80)
        common--;
    return common;
}

/* Puts a candidate in the place of what it completes. */
static void insert_candidate(line_editor *editor, const char *text, size_t size)
{
    line_candidates *menu = &editor->menu;
    if (edit_text_replace(&editor->text, menu->start, menu->cursor - menu->start, text, size))
        menu->cursor = menu->start + size;
}

static size_t columns_of(const char *text, size_t size)
{
    size_t columns = 0;
    for (size_t i = 0; i < size; i = utf8_next(text, size, i))
        columns += screen_pen_width(text + i, size - i);
    return columns;
}

static void add_spaces(byte_string *to, size_t count)
{
    while (count-- > 0)
        (void)byte_string_add(to, " ", 1);
}

/* Lays the candidates out: a line each where there is help, else in columns. */
static void lay_out(line_editor *editor)
{
    const line_candidates *menu = &editor->menu;
    size_t widest = 0, helps = 0;
    for (size_t i = 0; i < menu->count; i++) {
        const size_t columns = columns_of(menu->list[i].text, menu->list[i].size);
        widest = columns > widest ? columns : widest;
        helps += menu->list[i].help != NULL;
    }
    const size_t in_row = helps > 0 ? 1 : (editor->screen.columns + 1) / (widest + 2);
    const size_t rows = (menu->count + (in_row > 0 ? in_row : 1) - 1) / (in_row > 0 ? in_row : 1);
    const size_t room = editor->screen.height > 4 ? editor->screen.height / 2 : 1;
    size_t first = rows > 0 && editor->chosen < menu->count ? editor->chosen % rows : 0;
    first = first < room ? 0 : first - room + 1;
    editor->menu_text.size = 0;
    editor->menu_mark = SIZE_MAX;
    for (size_t row = first; row < rows && row < first + room; row++) {
        for (size_t i = row; i < menu->count; i += rows) {
            const line_candidate *one = &menu->list[i];
            if (i == editor->chosen)
                editor->menu_mark = editor->menu_text.size;
            (void)byte_string_add(&editor->menu_text, one->text, one->size);
            add_spaces(&editor->menu_text, widest + 2 - columns_of(one->text, one->size));
            if (one->help != NULL)
                (void)byte_string_add_text(&editor->menu_text, one->help);
        }
        (void)byte_string_add(&editor->menu_text, "\n", 1);
    }
    if (rows > room) {
        char left[64];
        (void)snprintf(left, sizeof left, "(%zu names; Tab goes through all, more letters leave fewer)\n", menu->count);
        (void)byte_string_add_text(&editor->menu_text, left);
    }
}

static void ask(line_editor *editor)
{
    const line_question asked = question_at(editor);
    line_menu_close(editor);
    editor->menu.cursor = asked.cursor;
    if (editor->given.complete != NULL)
        editor->given.complete(editor->given.user, &asked, &editor->menu);
    if (editor->menu.count == 0)
        return;
    const line_candidate *first = &editor->menu.list[0];
    const size_t common = common_size(&editor->menu), typed = asked.cursor - editor->menu.start;
    if (editor->menu.count == 1) {
        insert_candidate(editor, first->text, first->size);
        line_menu_close(editor);
        return;
    }
    if (common > typed ||
        (common == typed && memcmp(first->text, editor->text.bytes.data + editor->menu.start, common)))
        insert_candidate(editor, first->text, common);
    editor->menu_shown = true;
    lay_out(editor);
}

void line_menu_complete(line_editor *editor, int step)
{
    edit_text *text = &editor->text;
    if (editor->menu_shown) {
        const size_t count = editor->menu.count, at = editor->chosen;
        editor->chosen =
            step > 0 ? (at == SIZE_MAX ? 0 : (at + 1) % count) : (at == SIZE_MAX || at == 0 ? count - 1 : at - 1);
        insert_candidate(editor, editor->menu.list[editor->chosen].text, editor->menu.list[editor->chosen].size);
        lay_out(editor);
        return;
    }
    const size_t start = motion_line_start(text->bytes.data, text->cursor);
    if (motion_line_text(text->bytes.data, text->cursor, start) == text->cursor)
        edit_text_insert(&editor->text, "  ", 2); /* nothing to complete: the line is indented */
    else
        ask(editor);
}
