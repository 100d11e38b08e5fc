/* Incremental search in the history: what is typed is looked for, the entry is shown while it is. */

#include "editor/line_state.h"

#include "editor/utf8.h"

static void show_found(line_editor *editor)
{
    line_search *search = &editor->search;
    search->prompt.size = 0;
    (void)byte_string_add_text(&search->prompt, search->failed ? "(failed " : "(");
    (void)byte_string_add_text(&search->prompt, search->step < 0 ? "reverse-i-search)`" : "i-search)`");
    (void)byte_string_add(&search->prompt, search->words.data, search->words.size);
    (void)byte_string_add(&search->prompt, "': ", 4); /* with its zero */
}

/* Looks on from an entry, not at it. */
static void look_from(line_editor *editor, size_t from)
{
    line_search *search = &editor->search;
    const size_t found = history_find(&editor->past, from, search->step, search->words.data, search->words.size, false);
    search->failed = found == editor->past.count && search->words.size > 0;
    if (found != editor->past.count && search->words.size > 0) {
        const history_entry *entry = &editor->past.entries[found];
        search->found = found;
        if (edit_text_replace(&editor->text, 0, editor->text.bytes.size, entry->text, entry->size))
            editor->recalled = found;
    }
    show_found(editor);
}

void line_search_begin(line_editor *editor, int step)
{
    line_search *search = &editor->search;
    if (editor->recalled == editor->past.count) {
        editor->draft.size = 0;
        (void)byte_string_add(&editor->draft, editor->text.bytes.data, editor->text.bytes.size);
    }
    search->before.size = 0;
    (void)byte_string_add(&search->before, editor->text.bytes.data, editor->text.bytes.size);
    search->recalled = editor->recalled;
    edit_text_end_typing(&editor->text);
    search->active = true;
    search->failed = false;
    search->step = step;
    search->found = editor->past.count;
    search->words.size = 0;
    show_found(editor);
}

static void give_up(line_editor *editor)
{
    const line_search *search = &editor->search;
    editor->search.active = false;
    if (edit_text_replace(&editor->text, 0, editor->text.bytes.size, search->before.data, search->before.size))
        editor->recalled = search->recalled;
}

bool line_search_take(line_editor *editor, const key_event *event)
{
    line_search *search = &editor->search;
    if (event->code == (KEY_CONTROL | 'r') || event->code == (KEY_CONTROL | 's')) {
        search->step = event->code == (KEY_CONTROL | 'r') ? -1 : 1;
        look_from(editor, search->found);
    } else if (event->code == KEY_BACKSPACE) {
        if (search->words.size > 0)
            search->words.size = utf8_previous(search->words.data, search->words.size, search->words.size);
        look_from(editor, editor->past.count);
    } else if (event->code == (KEY_CONTROL | 'g') || event->code == (KEY_CONTROL | 'c')) {
        give_up(editor);
    } else if (event->size > 0) {
        (void)byte_string_add(&search->words, event->text, event->size);
        const size_t count = editor->past.count; /* the entry that is shown may still have it */
        look_from(editor, search->found == count ? count : search->step < 0 ? search->found + 1 : search->found - 1);
    } else {
        search->active = false;
        return event->code == KEY_ESCAPE;
    }
    return true;
}
