#include "editor_plain.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

editor_outcome plain_lines_read(plain_lines *from, const char *prompt, const char **line, size_t *length)
{
    fputs(prompt, stdout);
    fflush(stdout);
    errno = 0;
    ssize_t got = getline(&from->text, &from->capacity, stdin);
    if (got < 0) {
        const bool interrupted = errno == EINTR;
        clearerr(stdin);
        puts("");
        return interrupted ? EDITOR_INTERRUPTED : EDITOR_END;
    }
    if (got > 0 && from->text[got - 1] == '\n')
        from->text[--got] = '\0';
    *line = from->text;
    *length = (size_t)got;
    return EDITOR_LINE;
}
