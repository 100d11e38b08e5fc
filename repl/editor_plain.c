#include "editor_plain.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Whether a part of the input was read already, and waits in stdin. */
static bool has_read_ahead(void)
{
#ifdef __GLIBC__
    return stdin->_IO_read_ptr < stdin->_IO_read_end;
#else
    return true; /* not known: nothing goes on behind lines that might be there */
#endif
}

/* Goes on with what goes on until there is input. Returns false where Ctrl-C was pressed meanwhile. */
static bool work_until_input(const editor_options *options)
{
    char status[256]; /* shown by nobody */
    bool pressed = false, goes_on = options->work != NULL && !has_read_ahead();
    while (goes_on && !pressed) {
        const terminal_event event = terminal_wait(0);
        if (event != TERMINAL_NOTHING)
            return event != TERMINAL_SIGNAL;
        goes_on = options->work(options->user, status, sizeof status, &pressed);
        fflush(stdout);
    }
    return !pressed;
}

editor_outcome plain_lines_read(plain_lines *from, const editor_options *options, const char *prompt, const char **line,
                                size_t *length)
{
    fputs(prompt, stdout);
    fflush(stdout);
    if (!work_until_input(options)) {
        puts("");
        *length = 0;
        return EDITOR_INTERRUPTED;
    }
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
