/* Lines that are begun within a block are indented by two more; one that ends it goes back. */

#include "editor/line_state.h"

#include <stdlib.h>
#include <string.h>

#include "editor/lua_lexer.h"
#include "editor/motions.h"

enum { STEP = 2 };

/* The spaces that a line begins with where another one is begun at `at`. */
static size_t indentation_behind(const char *text, size_t size, size_t at)
{
    const size_t start = motion_line_start(text, at);
    const size_t indent = motion_line_text(text, size, at) - start;
    return (indent < at - start ? indent : at - start) + (lua_depth(text, size, start, at) > 0 ? STEP : 0);
}

void line_indent_newline(line_editor *editor, int unused)
{
    (void)unused;
    edit_text *text = &editor->text;
    const size_t indent = indentation_behind(text->bytes.data, text->bytes.size, text->cursor);
    char *line = malloc(1 + indent);
    if (line == NULL)
        return;
    line[0] = '\n';
    memset(line + 1, ' ', indent);
    (void)edit_text_replace(text, text->cursor, 0, line, 1 + indent);
    free(line);
}

static void indent_back(line_editor *editor)
{
    edit_text *text = &editor->text;
    const char *bytes = text->bytes.data;
    const size_t size = text->bytes.size, cursor = text->cursor;
    const size_t start = motion_line_start(bytes, cursor), first = motion_line_text(bytes, size, cursor);
    if (start == 0 || first >= size || cursor < first || first - start < STEP)
        return;
    const lua_word word = lua_word_at(bytes, size, first);
    if (lua_word_goes_back(bytes, &word) && first - start == indentation_behind(bytes, size, start - 1) &&
        edit_text_replace(text, first - STEP, STEP, NULL, 0))
        text->cursor = cursor - STEP;
}

void line_enter(line_editor *editor, int unused)
{
    indent_back(editor);
    const byte_string *entry = &editor->text.bytes;
    const char *text = entry->data != NULL ? entry->data : "";
    if (editor->given.is_whole == NULL || editor->given.is_whole(editor->given.user, text, entry->size))
        editor->outcome = LINE_ENTERED;
    else
        line_indent_newline(editor, unused);
}
