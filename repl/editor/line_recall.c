/* Entries of the history in the place of the one that is typed, which is kept meanwhile. */

#include "editor/line_state.h"

#include "editor/motions.h"

static void show(line_editor *editor, size_t entry)
{
    const bool present = entry == editor->past.count;
    if (editor->recalled == editor->past.count) {
        editor->draft.size = 0;
        (void)byte_string_add(&editor->draft, editor->text.bytes.data, editor->text.bytes.size);
    }
    const char *text = present ? editor->draft.data : editor->past.entries[entry].text;
    const size_t size = present ? editor->draft.size : editor->past.entries[entry].size;
    if (edit_text_replace(&editor->text, 0, editor->text.bytes.size, text, size)) {
        edit_text_end_typing(&editor->text);
        editor->recalled = entry;
    }
}

void line_recall(line_editor *editor, int step, bool prefix)
{
    const size_t count = editor->past.count, from = editor->recalled;
    size_t cursor = editor->text.cursor, found;
    if (prefix)
        found = history_find(&editor->past, from, step, editor->text.bytes.data, cursor, true);
    else
        found = step < 0 ? (from > 0 ? from - 1 : count) : from < count ? from + 1 : count;
    if (found == from || (found == count && step < 0))
        return;
    show(editor, found);
    if (prefix && cursor <= editor->text.bytes.size)
        editor->text.cursor = cursor;
    editor->act = ACT_RECALL;
}

void line_recall_end(line_editor *editor, int step)
{
    const size_t entry = step < 0 ? 0 : editor->past.count;
    if (entry != editor->recalled)
        show(editor, entry);
}

void line_vertical(line_editor *editor, int step)
{
    edit_text *text = &editor->text;
    if (editor->last_act != ACT_VERTICAL)
        editor->column = motion_column(text->bytes.data, text->bytes.size, text->cursor);
    edit_text_end_typing(text);
    if (editor->last_act != ACT_RECALL &&
        motion_vertical(text->bytes.data, text->bytes.size, &text->cursor, step, editor->column))
        editor->act = ACT_VERTICAL;
    else
        line_recall(editor, step, false);
}
