/* Plain lines: what works in a pipe, under rlwrap and on a terminal that cannot do more. */

#include "editor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct editor {
    char *text;
    size_t capacity;
};

editor *editor_open(void)
{
    return calloc(1, sizeof(editor));
}

editor_outcome editor_read(editor *from, const char *prompt, const char **line, size_t *length)
{
    fputs(prompt, stdout);
    fflush(stdout);
    errno = 0;
    ssize_t got = getline(&from->text, &from->capacity, stdin);
    if (got < 0) {
        const bool interrupted = errno == EINTR;
        clearerr(stdin);
        return interrupted ? EDITOR_INTERRUPTED : EDITOR_END;
    }
    if (got > 0 && from->text[got - 1] == '\n')
        from->text[--got] = '\0';
    *line = from->text;
    *length = (size_t)got;
    return EDITOR_LINE;
}

void editor_close(editor *ended)
{
    if (ended == NULL)
        return;
    free(ended->text);
    free(ended);
}
