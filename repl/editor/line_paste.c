/* What is pasted is one change and runs nothing. Lines end in newlines only; where it is a piece of a session, with our
 * prompts, what was typed behind them is taken and what was printed between is not. */

#include "editor/line_state.h"

#include <string.h>

#include "editor/motions.h"

static void normalize_ends(byte_string *text)
{
    size_t to = 0;
    for (size_t i = 0; i < text->size; i++) {
        if (text->data[i] != '\r')
            text->data[to++] = text->data[i];
        else if (i + 1 == text->size || text->data[i + 1] != '\n')
            text->data[to++] = '\n';
    }
    text->size = to;
}

/* The bytes of a prompt at the start of a line, behind `indent` spaces; 0 where there is none. An empty line of a
 * prompt may have lost its space. */
static size_t prompt_of(const char *line, size_t size, size_t indent, const char *const prompts[2])
{
    for (size_t i = 0; i < indent; i++)
        if (i >= size || line[i] != ' ')
            return 0;
    for (int which = 0; which < 2; which++) {
        size_t length = strlen(prompts[which]);
        if (length > 0 && size - indent >= length && memcmp(line + indent, prompts[which], length) == 0)
            return indent + length;
        while (length > 0 && prompts[which][length - 1] == ' ')
            length--;
        if (length > 0 && size - indent == length && memcmp(line + indent, prompts[which], length) == 0)
            return indent + length;
    }
    return 0;
}

static size_t line_size(const byte_string *text, size_t at)
{
    const char *newline = memchr(text->data + at, '\n', text->size - at);
    return newline != NULL ? (size_t)(newline - text->data) - at : text->size - at;
}

/* Takes the prompts away where the first line that is not empty has one. */
static void strip_prompts(byte_string *text, const char *const prompts[2])
{
    size_t at = 0, indent = 0, to = 0;
    while (at < text->size && (text->data[at] == '\n' || text->data[at] == ' ')) {
        indent = text->data[at] == ' ' ? indent + 1 : 0;
        at++;
    }
    if (at == text->size || prompt_of(text->data + at, line_size(text, at), 0, prompts) == 0)
        return;
    for (at -= indent; at < text->size;) {
        const size_t size = line_size(text, at), prompt = prompt_of(text->data + at, size, indent, prompts);
        if (prompt > 0) {
            memmove(text->data + to, text->data + at + prompt, size - prompt);
            to += size - prompt;
            text->data[to++] = '\n'; /* there is room: a prompt was before it */
        }
        at += size + 1;
    }
    text->size = to;
}

void line_paste(line_editor *editor, const char *bytes, size_t size)
{
    const char *const prompts[2] = {editor->more, editor->prompt};
    byte_string text = {0};
    if (size == 0 || !byte_string_add(&text, bytes, size))
        return;
    normalize_ends(&text);
    if (motion_line_text(editor->text.bytes.data, editor->text.cursor, 0) == editor->text.cursor)
        strip_prompts(&text, prompts); /* at the start: elsewhere it may be within a string */
    if (text.size > 0 && text.data[text.size - 1] == '\n')
        text.size--;
    edit_text_insert(&editor->text, text.data, text.size);
    byte_string_free(&text);
}
