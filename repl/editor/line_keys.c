/* What keys do: emacs' keys, in one table with their help. */

#include "editor/line_state.h"

#include <string.h>

#include "editor/motions.h"
#include "editor/utf8.h"

#define TEXT(editor) (editor)->text.bytes.data, (editor)->text.bytes.size

void line_cut(line_editor *editor, size_t from, size_t to, bool keep, bool forward)
{
    edit_text *text = &editor->text;
    if (from >= to || to > text->bytes.size)
        return;
    if (keep && editor->last_act == ACT_KILL)
        kill_ring_extend(&editor->kills, text->bytes.data + from, to - from, forward);
    else if (keep)
        kill_ring_add(&editor->kills, text->bytes.data + from, to - from);
    if (keep)
        editor->act = ACT_KILL;
    (void)edit_text_replace(text, from, to - from, NULL, 0);
}

void line_yank(line_editor *editor)
{
    const byte_string *newest = &editor->kills.texts[0];
    editor->yanked_at = editor->text.cursor;
    editor->yanked_size = newest->size;
    if (newest->size > 0 && edit_text_replace(&editor->text, editor->text.cursor, 0, newest->data, newest->size))
        editor->act = ACT_YANK;
}

/* ---- motions ---- */

static bool at_end(const line_editor *editor)
{
    return editor->text.cursor == editor->text.bytes.size;
}

/* Takes so much of the hint; false where there is none. */
static bool take_hint(line_editor *editor, bool a_word)
{
    if (!at_end(editor) || editor->hint_size == 0)
        return false;
    const size_t size =
        a_word ? motion_word_end(editor->hint, editor->hint_size, 0, WORDS_OF_LETTERS) : editor->hint_size;
    edit_text_insert(&editor->text, editor->hint, size);
    return true;
}

static line_outcome key_home(line_editor *editor)
{
    editor->text.cursor = motion_line_start(TEXT(editor), editor->text.cursor);
    return LINE_GOES_ON;
}

static line_outcome key_end(line_editor *editor)
{
    if (!take_hint(editor, false))
        editor->text.cursor = motion_line_end(TEXT(editor), editor->text.cursor);
    return LINE_GOES_ON;
}

static line_outcome key_left(line_editor *editor)
{
    editor->text.cursor = utf8_previous(TEXT(editor), editor->text.cursor);
    return LINE_GOES_ON;
}

static line_outcome key_right(line_editor *editor)
{
    if (!take_hint(editor, false))
        editor->text.cursor = utf8_next(TEXT(editor), editor->text.cursor);
    return LINE_GOES_ON;
}

static line_outcome key_word_back(line_editor *editor)
{
    editor->text.cursor = motion_word_back(TEXT(editor), editor->text.cursor, WORDS_OF_LETTERS);
    return LINE_GOES_ON;
}

static line_outcome key_word_on(line_editor *editor)
{
    if (!take_hint(editor, true))
        editor->text.cursor = motion_word_end(TEXT(editor), editor->text.cursor, WORDS_OF_LETTERS);
    return LINE_GOES_ON;
}

static line_outcome key_first(line_editor *editor)
{
    editor->text.cursor = 0;
    return LINE_GOES_ON;
}

static line_outcome key_last(line_editor *editor)
{
    editor->text.cursor = editor->text.bytes.size;
    return LINE_GOES_ON;
}

/* ---- deleting ---- */

static line_outcome key_delete(line_editor *editor)
{
    line_cut(editor, editor->text.cursor, utf8_next(TEXT(editor), editor->text.cursor), false, true);
    return LINE_GOES_ON;
}

static line_outcome key_delete_or_end(line_editor *editor)
{
    return editor->text.bytes.size == 0 ? LINE_ENDED : key_delete(editor);
}

static line_outcome key_backspace(line_editor *editor)
{
    line_cut(editor, utf8_previous(TEXT(editor), editor->text.cursor), editor->text.cursor, false, false);
    return LINE_GOES_ON;
}

static line_outcome key_kill_word(line_editor *editor)
{
    line_cut(editor, editor->text.cursor, motion_word_end(TEXT(editor), editor->text.cursor, WORDS_OF_LETTERS), true,
             true);
    return LINE_GOES_ON;
}

static line_outcome key_kill_word_back(line_editor *editor)
{
    line_cut(editor, motion_word_back(TEXT(editor), editor->text.cursor, WORDS_OF_LETTERS), editor->text.cursor, true,
             false);
    return LINE_GOES_ON;
}

static line_outcome key_kill_big_word_back(line_editor *editor)
{
    line_cut(editor, motion_word_back(TEXT(editor), editor->text.cursor, WORDS_BIG), editor->text.cursor, true, false);
    return LINE_GOES_ON;
}

static line_outcome key_kill_line(line_editor *editor)
{
    size_t end = motion_line_end(TEXT(editor), editor->text.cursor);
    if (end == editor->text.cursor && end < editor->text.bytes.size)
        end++;
    line_cut(editor, editor->text.cursor, end, true, true);
    return LINE_GOES_ON;
}

static line_outcome key_kill_line_back(line_editor *editor)
{
    size_t start = motion_line_start(TEXT(editor), editor->text.cursor);
    if (start == editor->text.cursor && start > 0)
        start--;
    line_cut(editor, start, editor->text.cursor, true, false);
    return LINE_GOES_ON;
}

static line_outcome key_yank(line_editor *editor)
{
    line_yank(editor);
    return LINE_GOES_ON;
}

static line_outcome key_yank_other(line_editor *editor)
{
    if (editor->last_act != ACT_YANK)
        return LINE_GOES_ON;
    kill_ring_rotate(&editor->kills);
    const byte_string *newest = &editor->kills.texts[0];
    if (edit_text_replace(&editor->text, editor->yanked_at, editor->yanked_size, newest->data, newest->size)) {
        editor->yanked_size = newest->size;
        editor->act = ACT_YANK;
    }
    return LINE_GOES_ON;
}

/* ---- changing ---- */

static line_outcome key_transpose(line_editor *editor)
{
    edit_text *text = &editor->text;
    char swapped[64];
    const size_t end = at_end(editor) ? text->cursor : utf8_next(TEXT(editor), text->cursor);
    const size_t middle = utf8_previous(TEXT(editor), end), start = utf8_previous(TEXT(editor), middle);
    if (start == middle || end - start > sizeof swapped)
        return LINE_GOES_ON;
    memcpy(swapped, text->bytes.data + middle, end - middle);
    memcpy(swapped + (end - middle), text->bytes.data + start, middle - start);
    (void)edit_text_replace(text, start, end - start, swapped, end - start);
    return LINE_GOES_ON;
}

/* Changes the letters of ASCII up to the end of the word: all, or the first of them. */
static line_outcome change_case(line_editor *editor, bool upper, bool first_only)
{
    edit_text *text = &editor->text;
    const size_t start = text->cursor, end = motion_word_end(TEXT(editor), start, WORDS_OF_LETTERS);
    byte_string word = {0};
    bool first = true;
    if (end == start || !byte_string_add(&word, text->bytes.data + start, end - start))
        return LINE_GOES_ON;
    for (size_t i = 0; i < word.size; i++) {
        char *c = &word.data[i];
        const bool up = upper || (first_only && first);
        if ((*c >= 'a' && *c <= 'z' && up) || (*c >= 'A' && *c <= 'Z' && !up))
            *c ^= 0x20;
        first = first && ((*c | 0x20) < 'a' || (*c | 0x20) > 'z');
    }
    (void)edit_text_replace(text, start, end - start, word.data, word.size);
    byte_string_free(&word);
    return LINE_GOES_ON;
}

static line_outcome key_upper(line_editor *editor)
{
    return change_case(editor, true, false);
}

static line_outcome key_lower(line_editor *editor)
{
    return change_case(editor, false, false);
}

static line_outcome key_capital(line_editor *editor)
{
    return change_case(editor, false, true);
}

static line_outcome key_undo(line_editor *editor)
{
    (void)edit_text_undo(&editor->text);
    return LINE_GOES_ON;
}

static line_outcome key_redo(line_editor *editor)
{
    (void)edit_text_redo(&editor->text);
    return LINE_GOES_ON;
}

static line_outcome key_newline(line_editor *editor)
{
    line_indent_newline(editor);
    return LINE_GOES_ON;
}

static line_outcome key_literal(line_editor *editor)
{
    editor->literal = true;
    return LINE_GOES_ON;
}

/* ---- the history ---- */

static line_outcome key_up(line_editor *editor)
{
    line_vertical(editor, -1);
    return LINE_GOES_ON;
}

static line_outcome key_down(line_editor *editor)
{
    line_vertical(editor, 1);
    return LINE_GOES_ON;
}

static line_outcome key_older(line_editor *editor)
{
    line_recall(editor, -1, true);
    return LINE_GOES_ON;
}

static line_outcome key_newer(line_editor *editor)
{
    line_recall(editor, 1, true);
    return LINE_GOES_ON;
}

static line_outcome key_oldest(line_editor *editor)
{
    line_recall_end(editor, -1);
    return LINE_GOES_ON;
}

static line_outcome key_newest(line_editor *editor)
{
    line_recall_end(editor, 1);
    return LINE_GOES_ON;
}

static line_outcome key_search(line_editor *editor)
{
    line_search_begin(editor, -1);
    return LINE_GOES_ON;
}

static line_outcome key_search_on(line_editor *editor)
{
    line_search_begin(editor, 1);
    return LINE_GOES_ON;
}

/* ---- the rest ---- */

static line_outcome key_complete(line_editor *editor)
{
    line_menu_complete(editor, 1);
    return LINE_GOES_ON;
}

static line_outcome key_complete_back(line_editor *editor)
{
    line_menu_complete(editor, -1);
    return LINE_GOES_ON;
}

static line_outcome key_clear(line_editor *editor)
{
    screen_clear(&editor->screen);
    above_text_end_line(&editor->screen.above);
    (void)byte_string_add_text(&editor->screen.out, "\033[H\033[2J");
    return LINE_GOES_ON;
}

static line_outcome key_interrupt(line_editor *editor)
{
    (void)editor;
    return LINE_INTERRUPTED;
}

static line_outcome key_suspend(line_editor *editor)
{
    (void)editor;
    return LINE_SUSPENDED;
}

static line_outcome key_external(line_editor *editor)
{
    (void)editor;
    return LINE_EXTERNAL;
}

static line_outcome key_nothing(line_editor *editor)
{
    (void)editor;
    return LINE_GOES_ON;
}

/* After Ctrl-X. */
#define AFTER_X 0x08000000u

typedef struct key_binding {
    uint32_t code;
    line_outcome (*act)(line_editor *editor);
    const char *name, *does; /* NULL: another key for the same */
} key_binding;

static const key_binding bindings[] = {
    {KEY_ENTER, line_enter, "Enter", "runs the entry, or begins another line while it is incomplete"},
    {KEY_ENTER | KEY_ALT, key_newline, "Alt-Enter", "begins another line"},
    {KEY_TAB, key_complete, "Tab", "completes; again: the next candidate"},
    {KEY_TAB | KEY_SHIFT, key_complete_back, "Shift-Tab", "the candidate before"},
    {KEY_CONTROL | 'a', key_home, "Ctrl-A, Home", "to the start of the line"},
    {KEY_HOME, key_home, NULL, NULL},
    {KEY_CONTROL | 'e', key_end, "Ctrl-E, End", "to the end of the line; there: takes the hint"},
    {KEY_END, key_end, NULL, NULL},
    {KEY_CONTROL | 'b', key_left, "Ctrl-B, Left", "a character back"},
    {KEY_LEFT, key_left, NULL, NULL},
    {KEY_CONTROL | 'f', key_right, "Ctrl-F, Right", "a character on; at the end: takes the hint"},
    {KEY_RIGHT, key_right, NULL, NULL},
    {KEY_ALT | 'b', key_word_back, "Alt-B, Ctrl-Left", "a word back"},
    {KEY_LEFT | KEY_CONTROL, key_word_back, NULL, NULL},
    {KEY_LEFT | KEY_ALT, key_word_back, NULL, NULL},
    {KEY_ALT | 'f', key_word_on, "Alt-F, Ctrl-Right", "a word on; at the end: takes a word of the hint"},
    {KEY_RIGHT | KEY_CONTROL, key_word_on, NULL, NULL},
    {KEY_RIGHT | KEY_ALT, key_word_on, NULL, NULL},
    {KEY_HOME | KEY_CONTROL, key_first, "Ctrl-Home", "to the start of the entry"},
    {KEY_END | KEY_CONTROL, key_last, "Ctrl-End", "to the end of the entry"},
    {KEY_CONTROL | 'd', key_delete_or_end, "Ctrl-D", "deletes a character; in an empty entry: ends the session"},
    {KEY_DELETE, key_delete, "Delete", "deletes a character"},
    {KEY_BACKSPACE, key_backspace, "Backspace, Ctrl-H", "deletes the character before"},
    {KEY_CONTROL | 'k', key_kill_line, "Ctrl-K", "cuts to the end of the line"},
    {KEY_CONTROL | 'u', key_kill_line_back, "Ctrl-U", "cuts to the start of the line"},
    {KEY_CONTROL | 'w', key_kill_big_word_back, "Ctrl-W", "cuts back to a space"},
    {KEY_ALT | 'd', key_kill_word, "Alt-D", "cuts a word"},
    {KEY_DELETE | KEY_CONTROL, key_kill_word, NULL, NULL},
    {KEY_BACKSPACE | KEY_ALT, key_kill_word_back, "Alt-Backspace", "cuts the word before"},
    {KEY_CONTROL | 'y', key_yank, "Ctrl-Y", "inserts what was cut last"},
    {KEY_ALT | 'y', key_yank_other, "Alt-Y", "after Ctrl-Y: what was cut before, instead"},
    {KEY_CONTROL | 't', key_transpose, "Ctrl-T", "swaps two characters"},
    {KEY_ALT | 'u', key_upper, "Alt-U, Alt-L, Alt-C", "a word in capitals, small letters, with a capital"},
    {KEY_ALT | 'l', key_lower, NULL, NULL},
    {KEY_ALT | 'c', key_capital, NULL, NULL},
    {KEY_CONTROL | '_', key_undo, "Ctrl-_, Ctrl-X Ctrl-U", "undoes the last change"},
    {AFTER_X | KEY_CONTROL | 'u', key_undo, NULL, NULL},
    {KEY_ALT | '_', key_redo, "Alt-_", "makes it again"},
    {KEY_CONTROL | 'p', key_up, "Ctrl-P, Up", "a line up; on the first: the entry before"},
    {KEY_UP, key_up, NULL, NULL},
    {KEY_CONTROL | 'n', key_down, "Ctrl-N, Down", "a line down; on the last: the next entry"},
    {KEY_DOWN, key_down, NULL, NULL},
    {KEY_ALT | 'p', key_older, "Alt-P, PageUp", "the last entry that begins with what stands before the cursor"},
    {KEY_PAGE_UP, key_older, NULL, NULL},
    {KEY_ALT | 'n', key_newer, "Alt-N, PageDown", "the next such entry"},
    {KEY_PAGE_DOWN, key_newer, NULL, NULL},
    {KEY_ALT | '<', key_oldest, "Alt-<, Alt->", "the oldest entry, the newest"},
    {KEY_ALT | '>', key_newest, NULL, NULL},
    {KEY_CONTROL | 'r', key_search, "Ctrl-R, Ctrl-S", "looks for what is typed in entries before, behind"},
    {KEY_CONTROL | 's', key_search_on, NULL, NULL},
    {KEY_CONTROL | 'q', key_literal, "Ctrl-Q, Ctrl-V", "inserts the next key as it is"},
    {KEY_CONTROL | 'v', key_literal, NULL, NULL},
    {AFTER_X | KEY_CONTROL | 'e', key_external, "Ctrl-X Ctrl-E", "edits the entry in $VISUAL or $EDITOR"},
    {KEY_CONTROL | 'l', key_clear, "Ctrl-L", "clears the screen"},
    {KEY_CONTROL | 'c', key_interrupt, "Ctrl-C", "drops the entry"},
    {KEY_CONTROL | 'g', key_nothing, "Ctrl-G, Escape", "ends a search or a menu"},
    {KEY_CONTROL | 'z', key_suspend, "Ctrl-Z", "stops the process until the shell continues it"},
};

const char *line_editor_key(size_t number, const char **does)
{
    for (size_t i = 0; i < sizeof bindings / sizeof bindings[0]; i++)
        if (bindings[i].name != NULL && number-- == 0) {
            *does = bindings[i].does;
            return bindings[i].name;
        }
    return NULL;
}

static const key_binding *find_binding(uint32_t code)
{
    for (size_t i = 0; i < sizeof bindings / sizeof bindings[0]; i++)
        if (bindings[i].code == code)
            return &bindings[i];
    return code & KEY_SHIFT ? find_binding(code & ~KEY_SHIFT) : NULL;
}

/* The byte of a key of control, after Ctrl-Q. */
static void insert_literal(line_editor *editor, const key_event *event)
{
    static const struct {
        uint32_t code;
        char byte;
    } bytes[] = {{KEY_ENTER, '\n'}, {KEY_TAB, '\t'}, {KEY_BACKSPACE, '\x7F'}, {KEY_ESCAPE, '\033'}};
    editor->literal = false;
    if (event->size > 0) {
        edit_text_insert(&editor->text, event->text, event->size);
    } else if ((event->code & ~(KEY_CONTROL | 0x7Fu)) == 0) {
        const char byte = (char)(event->code & 0x1F);
        edit_text_insert(&editor->text, &byte, 1);
    }
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++)
        if (bytes[i].code == event->code)
            edit_text_insert(&editor->text, &bytes[i].byte, 1);
}

line_outcome line_keys_take(line_editor *editor, const key_event *event)
{
    if (editor->literal) {
        insert_literal(editor, event);
        return LINE_GOES_ON;
    }
    const uint32_t after = editor->after_x ? AFTER_X : 0;
    editor->after_x = after == 0 && event->code == (KEY_CONTROL | 'x');
    if (event->size > 0 && after == 0) {
        (void)edit_text_type(&editor->text, event->text, event->size);
        return LINE_GOES_ON;
    }
    const key_binding *binding = find_binding(event->code | after);
    if (binding == NULL)
        return LINE_GOES_ON;
    if (binding->act != key_undo && binding->act != key_redo)
        edit_text_end_typing(&editor->text);
    return binding->act(editor);
}
