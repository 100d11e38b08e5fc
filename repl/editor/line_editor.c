#include "editor/line_editor.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "editor/history_file.h"
#include "editor/line_state.h"
#include "editor/utf8.h"

enum { MOST_BYTES = 8 << 20 };

/* Takes a copy of a prompt; where there is no memory the one before stays. */
static void set_prompt(char **prompt, const char *text)
{
    char *copy = strdup(text);
    if (copy != NULL) {
        free(*prompt);
        *prompt = copy;
    }
}

static void begin_entry(line_editor *editor, const char *prompt, const char *more)
{
    set_prompt(&editor->prompt, prompt);
    set_prompt(&editor->more, more);
    (void)edit_text_reset(&editor->text, NULL, 0);
    editor->recalled = editor->past.count;
    editor->search.active = editor->literal = editor->after_x = editor->closed = false;
    editor->last_act = editor->act = ACT_OTHER;
    editor->hint_size = 0;
    line_menu_close(editor);
}

line_editor *line_editor_new(const line_settings *settings)
{
    line_editor *made = calloc(1, sizeof *made);
    if (made == NULL || !byte_string_reserve(&made->text.bytes, 1)) { /* places in the text are places of something */
        free(made);
        return NULL;
    }
    made->given = *settings;
    if (made->given.most_bytes == 0)
        made->given.most_bytes = MOST_BYTES;
    made->given.history_path = NULL;
    if (settings->history_path != NULL) {
        made->given.history_path = strdup(settings->history_path);
        history_file_read(settings->history_path, &made->past);
    }
    made->text.most = made->keys.most_pasted = made->given.most_bytes;
    made->kills.most = 2 * made->given.most_bytes;
    screen_resize(&made->screen, 80, 24);
    begin_entry(made, "", "");
    return made;
}

void line_editor_free(line_editor *ended)
{
    if (ended == NULL)
        return;
    line_menu_close(ended);
    edit_text_free(&ended->text);
    kill_ring_free(&ended->kills);
    history_free(&ended->past);
    screen_free(&ended->screen);
    byte_string *const strings[] = {&ended->draft,         &ended->keys.pasted,   &ended->search.words,
                                    &ended->search.prompt, &ended->search.before, &ended->menu_text,
                                    &ended->taken_output};
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++)
        byte_string_free(strings[i]);
    free(ended->prompt);
    free(ended->more);
    free((char *)ended->given.history_path);
    free(ended);
}

void line_editor_begin(line_editor *editor, const char *prompt, const char *more)
{
    begin_entry(editor, prompt, more);
    screen_begin(&editor->screen);
}

const char *line_editor_text(const line_editor *editor, size_t *size)
{
    *size = editor->text.bytes.size;
    return editor->text.bytes.data != NULL ? editor->text.bytes.data : "";
}

void line_editor_set_text(line_editor *editor, const char *text, size_t size)
{
    edit_text_end_typing(&editor->text);
    (void)edit_text_replace(&editor->text, 0, editor->text.bytes.size, text, size);
}

void line_editor_set_colours(line_editor *editor, bool colours)
{
    editor->given.colours = colours;
}

const char *line_editor_history(const line_editor *editor, size_t number, size_t *size)
{
    if (number >= editor->past.count)
        return NULL;
    *size = editor->past.entries[number].size;
    return editor->past.entries[number].text;
}

/* ---- keys ---- */

/* A byte that is no character of its own may have come to stand within one, or the cursor among the marks of one: it
 * goes behind it. */
static void mend_cursor(line_editor *editor)
{
    edit_text *text = &editor->text;
    if (text->cursor == 0 || text->cursor == text->bytes.size)
        return;
    const size_t before = utf8_previous(text->bytes.data, text->bytes.size, text->cursor);
    const size_t end = utf8_next(text->bytes.data, text->bytes.size, before);
    if (end > text->cursor)
        text->cursor = end;
}

/* What the entry leaves behind. */
static void close_entry(line_editor *editor, line_outcome outcome)
{
    size_t size;
    const char *text = line_editor_text(editor, &size);
    editor->closed = true;
    if (outcome != LINE_ENTERED)
        return;
    if (history_add(&editor->past, text, size) && editor->given.history_path != NULL)
        (void)history_file_add(editor->given.history_path, text, size);
}

/* Does what a key does. */
static line_outcome act(line_editor *editor, const key_event *event)
{
    if (editor->search.active && line_search_take(editor, event))
        return LINE_GOES_ON;
    if (editor->menu_shown && event->code != KEY_TAB && event->code != (KEY_TAB | KEY_SHIFT)) {
        line_menu_close(editor);
        if (event->code == KEY_ESCAPE)
            return LINE_GOES_ON;
    }
    if (event->code == KEY_PASTE) {
        line_paste(editor, editor->keys.pasted.data, editor->keys.pasted.size);
        byte_string_free(&editor->keys.pasted);
        return LINE_GOES_ON;
    }
    return line_keys_take(editor, event);
}

static line_outcome take_event(line_editor *editor, const key_event *event)
{
    editor->last_act = editor->act;
    editor->act = ACT_OTHER;
    const size_t version = editor->text.version;
    const line_outcome outcome = act(editor, event);
    mend_cursor(editor);
    if (editor->text.version != version)
        editor->hint_size = 0;
    if (outcome == LINE_ENTERED || outcome == LINE_ENDED || outcome == LINE_INTERRUPTED)
        close_entry(editor, outcome);
    return outcome;
}

line_outcome line_editor_feed(line_editor *editor, const char *bytes, size_t size, size_t *taken)
{
    line_outcome outcome = LINE_GOES_ON;
    key_event event;
    size_t at = 0;
    while (at < size && outcome == LINE_GOES_ON) {
        const size_t pasted = key_reader_take_pasted(&editor->keys, bytes + at, size - at);
        at += pasted;
        if (pasted > 0 || !key_reader_take(&editor->keys, bytes[at++], &event))
            continue;
        at -= editor->keys.again;
        outcome = take_event(editor, &event);
    }
    *taken = at;
    return outcome;
}

int line_editor_waits(const line_editor *editor)
{
    return key_reader_waits(&editor->keys);
}

line_outcome line_editor_idle(line_editor *editor)
{
    key_event event;
    return key_reader_flush(&editor->keys, &event) ? take_event(editor, &event) : LINE_GOES_ON;
}

void line_editor_drop(line_editor *editor)
{
    close_entry(editor, LINE_INTERRUPTED);
}

/* ---- what is seen ---- */

void line_editor_resize(line_editor *editor, size_t columns, size_t rows)
{
    screen_resize(&editor->screen, columns, rows);
    line_menu_close(editor);
}

/* Finds what an entry of the history goes on with, up to the end of its line. */
static void find_hint(line_editor *editor)
{
    enum { ROOM = sizeof editor->hint };
    size_t size, length = 0;
    const char *text = line_editor_text(editor, &size);
    editor->hint_size = 0;
    if (!editor->given.colours || editor->closed || editor->search.active || editor->menu_shown || size < 2 ||
        editor->text.cursor != size)
        return;
    const size_t found = history_find(&editor->past, editor->past.count, -1, text, size, true);
    if (found == editor->past.count)
        return;
    const history_entry *entry = &editor->past.entries[found];
    while (size + length < entry->size && entry->text[size + length] != '\n' && length < ROOM)
        length++;
    if (length == ROOM) /* which has no part of a character */
        while (length > 0 && ((unsigned char)entry->text[size + length] & 0xC0) == 0x80)
            length--;
    memcpy(editor->hint, entry->text + size, length);
    editor->hint_size = length;
}

void line_editor_paint(line_editor *editor)
{
    screen_view view = {.prompt = editor->prompt, .more = editor->more, .cursor = editor->text.cursor};
    view.text = line_editor_text(editor, &view.size);
    view.unchanged = editor->text.unchanged;
    view.colours = editor->given.colours;
    view.chosen = SIZE_MAX;
    find_hint(editor);
    if (editor->search.active && !editor->closed && editor->search.prompt.size > 0)
        view.prompt = editor->search.prompt.data;
    if (editor->closed) { /* the end is seen */
        view.cursor = view.size;
        view.ended = true;
    }
    view.hint = editor->hint;
    view.hint_size = editor->hint_size;
    if (editor->menu_shown && !editor->closed) {
        view.below = editor->menu_text.data;
        view.below_size = editor->menu_text.size;
        view.chosen = editor->menu_mark;
    } else if (editor->status != NULL && editor->status[0] != '\0' && !editor->closed) {
        view.below = editor->status;
        view.below_size = strlen(editor->status);
    }
    if (screen_paint(&editor->screen, &view))
        editor->text.unchanged = SIZE_MAX;
    if (editor->closed)
        screen_leave(&editor->screen);
}

void line_editor_set_status(line_editor *editor, const char *status)
{
    editor->status = status;
}

void line_editor_print(line_editor *editor, const char *bytes, size_t size)
{
    screen_print(&editor->screen, bytes, size);
}

void line_editor_hide(line_editor *editor)
{
    screen_clear(&editor->screen);
}

const char *line_editor_output(line_editor *editor, size_t *size)
{
    const byte_string taken = editor->taken_output;
    editor->taken_output = editor->screen.out;
    editor->screen.out = taken;
    editor->screen.out.size = 0;
    *size = editor->taken_output.size;
    return editor->taken_output.data != NULL ? editor->taken_output.data : "";
}
