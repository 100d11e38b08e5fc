/* What keys do: emacs' keys, in one table with their help. */

#include "editor/line_state.h"

#include <string.h>

#include "editor/motions.h"
#include "editor/utf8.h"

/* Places that the cursor goes to, or up to which the text is cut. */
enum { LINE_START, LINE_END, CHARACTER_BACK, CHARACTER_ON, WORD_BACK, BIG_WORD_BACK, WORD_ON, TEXT_START, TEXT_END };

static size_t find_place(const line_editor *editor, int place)
{
    const char *text = editor->text.bytes.data;
    const size_t size = editor->text.bytes.size, at = editor->text.cursor;
    switch (place) {
    case LINE_START:
        return motion_line_start(text, at);
    case LINE_END:
        return motion_line_end(text, size, at);
    case CHARACTER_BACK:
        return utf8_previous(text, size, at);
    case CHARACTER_ON:
        return utf8_next(text, size, at);
    case WORD_BACK:
        return motion_word_back(text, at, WORDS_OF_LETTERS);
    case BIG_WORD_BACK:
        return motion_word_back(text, at, WORDS_BIG);
    case WORD_ON:
        return motion_word_end(text, size, at, WORDS_OF_LETTERS);
    default:
        return place == TEXT_START ? 0 : size;
    }
}

/* ---- motions ---- */

/* Takes so much of the hint; false where there is none. */
static bool take_hint(line_editor *editor, bool a_word)
{
    if (editor->text.cursor != editor->text.bytes.size || editor->hint_size == 0)
        return false;
    const size_t size =
        a_word ? motion_word_end(editor->hint, editor->hint_size, 0, WORDS_OF_LETTERS) : editor->hint_size;
    edit_text_insert(&editor->text, editor->hint, size);
    return true;
}

static void move(line_editor *editor, int place)
{
    editor->text.cursor = find_place(editor, place);
}

/* At the end of the entry the hint is taken: a word of it, or all. */
static void move_on(line_editor *editor, int place)
{
    if (!take_hint(editor, place == WORD_ON))
        move(editor, place);
}

/* ---- deleting ---- */

static void erase(line_editor *editor, int place)
{
    const size_t to = find_place(editor, place), at = editor->text.cursor, from = to < at ? to : at;
    (void)edit_text_replace(&editor->text, from, to < at ? at - to : to - at, NULL, 0);
}

static void erase_or_end(line_editor *editor, int place)
{
    if (editor->text.bytes.size == 0)
        editor->outcome = LINE_ENDED;
    else
        erase(editor, place);
}

/* Cuts into the kill ring: cuts one after the other are one. */
static void cut(line_editor *editor, int place)
{
    edit_text *text = &editor->text;
    size_t from = text->cursor, to = find_place(editor, place);
    if (to == from && place == LINE_END) /* the newline itself */
        to += to < text->bytes.size;
    else if (to == from && place == LINE_START)
        to -= to > 0;
    const bool forward = to > from;
    if (to == from)
        return;
    if (!forward) {
        from = to;
        to = text->cursor;
    }
    if (editor->last_act == ACT_KILL)
        kill_ring_extend(&editor->kills, text->bytes.data + from, to - from, forward);
    else
        kill_ring_add(&editor->kills, text->bytes.data + from, to - from);
    editor->act = ACT_KILL;
    (void)edit_text_replace(text, from, to - from, NULL, 0);
}

/* Puts the newest of what was cut in the place of so much text. */
static void insert_kill(line_editor *editor, size_t at, size_t erased)
{
    const byte_string *newest = &editor->kills.texts[0];
    if (newest->size > 0 && edit_text_replace(&editor->text, at, erased, newest->data, newest->size)) {
        editor->yanked_at = at;
        editor->yanked_size = newest->size;
        editor->act = ACT_YANK;
    }
}

static void yank(line_editor *editor, int another)
{
    if (!another) {
        insert_kill(editor, editor->text.cursor, 0);
    } else if (editor->last_act == ACT_YANK) {
        kill_ring_rotate(&editor->kills);
        insert_kill(editor, editor->yanked_at, editor->yanked_size);
    }
}

/* ---- changing ---- */

static void transpose(line_editor *editor, int unused)
{
    edit_text *text = &editor->text;
    char swapped[64];
    (void)unused;
    const char *bytes = text->bytes.data;
    const size_t size = text->bytes.size, end = utf8_next(bytes, size, text->cursor);
    const size_t middle = utf8_previous(bytes, size, end), start = utf8_previous(bytes, size, middle);
    if (start == middle || end - start > sizeof swapped)
        return;
    memcpy(swapped, bytes + middle, end - middle);
    memcpy(swapped + (end - middle), bytes + start, middle - start);
    (void)edit_text_replace(text, start, end - start, swapped, end - start);
}

/* Changes the letters of ASCII up to the end of the word. */
enum { ALL_UPPER, ALL_LOWER, FIRST_UPPER };

static void change_case(line_editor *editor, int how)
{
    edit_text *text = &editor->text;
    const size_t start = text->cursor, end = find_place(editor, WORD_ON);
    byte_string word = {0};
    bool first = true;
    if (end == start || !byte_string_add(&word, text->bytes.data + start, end - start))
        return;
    for (size_t i = 0; i < word.size; i++) {
        char *c = &word.data[i];
        const bool up = how == ALL_UPPER || (how == FIRST_UPPER && first);
        if ((*c >= 'a' && *c <= 'z' && up) || (*c >= 'A' && *c <= 'Z' && !up))
            *c ^= 0x20;
        first = first && ((*c | 0x20) < 'a' || (*c | 0x20) > 'z');
    }
    (void)edit_text_replace(text, start, end - start, word.data, word.size);
    byte_string_free(&word);
}

static void undo(line_editor *editor, int step)
{
    (void)edit_text_undo(&editor->text, step);
}

static void take_literal(line_editor *editor, int on)
{
    editor->literal = on;
}

/* ---- the rest ---- */

static void recall_like(line_editor *editor, int step)
{
    line_recall(editor, step, true);
}

static void clear(line_editor *editor, int unused)
{
    (void)unused;
    screen_clear(&editor->screen);
    above_text_end_line(&editor->screen.above);
    (void)byte_string_add_text(&editor->screen.out, "\033[H\033[2J");
}

static void give(line_editor *editor, int outcome)
{
    editor->outcome = (line_outcome)outcome;
}

/* After Ctrl-X. */
#define AFTER_X 0x08000000u

typedef struct key_binding {
    uint32_t code;
    void (*act)(line_editor *editor, int how);
    int how;
    const char *name, *does; /* NULL: another key for the same */
} key_binding;

static const key_binding bindings[] = {
    {KEY_ENTER, line_enter, 0, "Enter", "runs the entry, or begins another line while it is incomplete"},
    {KEY_ENTER | KEY_ALT, line_indent_newline, 0, "Alt-Enter", "begins another line"},
    {KEY_TAB, line_menu_complete, 1, "Tab", "completes; again: the next candidate"},
    {KEY_TAB | KEY_SHIFT, line_menu_complete, -1, "Shift-Tab", "the candidate before"},
    {KEY_CONTROL | 'a', move, LINE_START, "Ctrl-A, Home", "to the start of the line"},
    {KEY_HOME, move, LINE_START, NULL, NULL},
    {KEY_CONTROL | 'e', move_on, LINE_END, "Ctrl-E, End", "to the end of the line; there: takes the hint"},
    {KEY_END, move_on, LINE_END, NULL, NULL},
    {KEY_CONTROL | 'b', move, CHARACTER_BACK, "Ctrl-B, Left", "a character back"},
    {KEY_LEFT, move, CHARACTER_BACK, NULL, NULL},
    {KEY_CONTROL | 'f', move_on, CHARACTER_ON, "Ctrl-F, Right", "a character on; at the end: takes the hint"},
    {KEY_RIGHT, move_on, CHARACTER_ON, NULL, NULL},
    {KEY_ALT | 'b', move, WORD_BACK, "Alt-B, Ctrl-Left", "a word back"},
    {KEY_LEFT | KEY_CONTROL, move, WORD_BACK, NULL, NULL},
    {KEY_LEFT | KEY_ALT, move, WORD_BACK, NULL, NULL},
    {KEY_ALT | 'f', move_on, WORD_ON, "Alt-F, Ctrl-Right", "a word on; at the end: takes a word of the hint"},
    {KEY_RIGHT | KEY_CONTROL, move_on, WORD_ON, NULL, NULL},
    {KEY_RIGHT | KEY_ALT, move_on, WORD_ON, NULL, NULL},
    {KEY_HOME | KEY_CONTROL, move, TEXT_START, "Ctrl-Home", "to the start of the entry"},
    {KEY_END | KEY_CONTROL, move, TEXT_END, "Ctrl-End", "to the end of the entry"},
    {KEY_CONTROL | 'd', erase_or_end, CHARACTER_ON, "Ctrl-D",
     "deletes a character; in an empty entry: ends the session"},
    {KEY_DELETE, erase, CHARACTER_ON, "Delete", "deletes a character"},
    {KEY_BACKSPACE, erase, CHARACTER_BACK, "Backspace, Ctrl-H", "deletes the character before"},
    {KEY_CONTROL | 'k', cut, LINE_END, "Ctrl-K", "cuts to the end of the line"},
    {KEY_CONTROL | 'u', cut, LINE_START, "Ctrl-U", "cuts to the start of the line"},
    {KEY_CONTROL | 'w', cut, BIG_WORD_BACK, "Ctrl-W", "cuts back to a space"},
    {KEY_ALT | 'd', cut, WORD_ON, "Alt-D", "cuts a word"},
    {KEY_DELETE | KEY_CONTROL, cut, WORD_ON, NULL, NULL},
    {KEY_BACKSPACE | KEY_ALT, cut, WORD_BACK, "Alt-Backspace", "cuts the word before"},
    {KEY_CONTROL | 'y', yank, 0, "Ctrl-Y", "inserts what was cut last"},
    {KEY_ALT | 'y', yank, 1, "Alt-Y", "after Ctrl-Y: what was cut before, instead"},
    {KEY_CONTROL | 't', transpose, 0, "Ctrl-T", "swaps two characters"},
    {KEY_ALT | 'u', change_case, ALL_UPPER, "Alt-U, Alt-L, Alt-C", "a word in capitals, small letters, with a capital"},
    {KEY_ALT | 'l', change_case, ALL_LOWER, NULL, NULL},
    {KEY_ALT | 'c', change_case, FIRST_UPPER, NULL, NULL},
    {KEY_CONTROL | '_', undo, -1, "Ctrl-_, Ctrl-X Ctrl-U", "undoes the last change"},
    {AFTER_X | KEY_CONTROL | 'u', undo, -1, NULL, NULL},
    {KEY_ALT | '_', undo, 1, "Alt-_", "makes it again"},
    {KEY_CONTROL | 'p', line_vertical, -1, "Ctrl-P, Up", "a line up; on the first: the entry before"},
    {KEY_UP, line_vertical, -1, NULL, NULL},
    {KEY_CONTROL | 'n', line_vertical, 1, "Ctrl-N, Down", "a line down; on the last: the next entry"},
    {KEY_DOWN, line_vertical, 1, NULL, NULL},
    {KEY_ALT | 'p', recall_like, -1, "Alt-P, PageUp", "the last entry that begins with what stands before the cursor"},
    {KEY_PAGE_UP, recall_like, -1, NULL, NULL},
    {KEY_ALT | 'n', recall_like, 1, "Alt-N, PageDown", "the next such entry"},
    {KEY_PAGE_DOWN, recall_like, 1, NULL, NULL},
    {KEY_ALT | '<', line_recall_end, -1, "Alt-<, Alt->", "the oldest entry, the newest"},
    {KEY_ALT | '>', line_recall_end, 1, NULL, NULL},
    {KEY_CONTROL | 'r', line_search_begin, -1, "Ctrl-R, Ctrl-S", "looks for what is typed in entries before, behind"},
    {KEY_CONTROL | 's', line_search_begin, 1, NULL, NULL},
    {KEY_CONTROL | 'q', take_literal, 1, "Ctrl-Q, Ctrl-V", "inserts the next key as it is"},
    {KEY_CONTROL | 'v', take_literal, 1, NULL, NULL},
    {AFTER_X | KEY_CONTROL | 'e', give, LINE_EXTERNAL, "Ctrl-X Ctrl-E", "edits the entry in $VISUAL or $EDITOR"},
    {KEY_CONTROL | 'l', clear, 0, "Ctrl-L", "clears the screen"},
    {KEY_CONTROL | 'c', give, LINE_INTERRUPTED, "Ctrl-C", "drops the entry"},
    {KEY_CONTROL | 'g', give, LINE_GOES_ON, "Ctrl-G, Escape", "ends a search or a menu"},
    {KEY_CONTROL | 'z', give, LINE_SUSPENDED, "Ctrl-Z", "stops the process until the shell continues it"},
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
    edit_text_end_typing(&editor->text);
    editor->outcome = LINE_GOES_ON;
    binding->act(editor, binding->how);
    return editor->outcome;
}
