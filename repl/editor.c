#include "editor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "diverted.h"
#include "editor/byte_string.h"
#include "editor/history_file.h"
#include "external.h"

enum {
    PAINT_WAIT = 30, /* ms that more input may keep what is typed from being seen */
    ECHO_REST = 1    /* ms that what goes on leaves to the terminal to show a key */
};

struct editor {
    line_editor *lines; /* NULL: plain lines */
    char *plain;        /* the last line */
    size_t plain_capacity;
    byte_string pending; /* bytes that came behind the end of the last entry */
    byte_string offered; /* what the next entry begins with */
    editor_options options;
    char status[256]; /* on what goes on meanwhile */
};

editor *editor_open(const editor_options *options)
{
    editor *opened = calloc(1, sizeof *opened);
    if (opened != NULL)
        opened->options = *options;
    if (opened == NULL || options->plain || !terminal_can_edit())
        return opened;
    line_settings settings = options->lines;
    char path[4096];
    (void)setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* for a pipe, too, that it may lead into first */
    settings.colours = terminal_has_colours(options->colours);
    settings.history_path = history_file_path(path, sizeof path) ? path : NULL;
    opened->lines = line_editor_new(&settings);
    return opened;
}

line_editor *editor_lines(editor *of)
{
    return of->lines;
}

void editor_offer(editor *to, const char *text, size_t size)
{
    (void)byte_string_splice(&to->offered, 0, to->offered.size, text, size);
}

static void flush(editor *of)
{
    size_t size;
    const char *bytes = line_editor_output(of->lines, &size);
    diverted_write(bytes, size);
}

static void show(editor *of)
{
    line_editor_paint(of->lines);
    flush(of);
}

static void measure(editor *of)
{
    size_t columns, rows;
    terminal_size(&columns, &rows);
    line_editor_resize(of->lines, columns, rows);
}

/* Gives the terminal to another program, or to the shell, and takes it back. */
static void step_aside(editor *of, line_outcome why)
{
    size_t size;
    byte_string edited = {0};
    line_editor_hide(of->lines);
    flush(of);
    terminal_end();
    const char *text = line_editor_text(of->lines, &size);
    if (why == LINE_SUSPENDED)
        terminal_stop_process();
    else if (external_edit(text, size, &edited))
        line_editor_set_text(of->lines, edited.data, edited.size);
    byte_string_free(&edited);
    (void)terminal_begin();
    measure(of);
}

static line_outcome feed(editor *of, const char *bytes, size_t size)
{
    line_outcome outcome = LINE_GOES_ON;
    while (size > 0 && outcome == LINE_GOES_ON) {
        size_t taken;
        outcome = line_editor_feed(of->lines, bytes, size, &taken);
        bytes += taken;
        size -= taken;
        if (outcome == LINE_SUSPENDED || outcome == LINE_EXTERNAL) {
            step_aside(of, outcome);
            outcome = LINE_GOES_ON;
        }
    }
    if (size > 0) /* behind the end of the entry: the next begins with it */
        (void)byte_string_add(&of->pending, bytes, size);
    return outcome;
}

static line_outcome read_input(editor *of)
{
    char bytes[65536];
    const long got = terminal_read(bytes, sizeof bytes);
    if (got > 0)
        return feed(of, bytes, (size_t)got);
    return got < 0 && (errno == EINTR || errno == EAGAIN) ? LINE_GOES_ON : LINE_ENDED;
}

static long milliseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000L + now.tv_nsec / 1000000;
}

/* Writes above the entry what others have written; false: that is nothing. The entry is to be shown then. */
static bool print_above(editor *of)
{
    size_t size;
    fflush(stdout);
    const char *bytes = diverted_take(&size);
    if (size > 0)
        line_editor_print(of->lines, bytes, size);
    return size > 0;
}

/* Goes on with what goes on meanwhile; false: there is nothing. */
static bool work(editor *of, bool *pressed)
{
    char status[sizeof of->status];
    terminal_signals(true);
    const bool goes_on = of->options.work(of->options.user, status, sizeof status, pressed);
    terminal_signals(false);
    const bool differs = strcmp(status, of->status) != 0;
    memcpy(of->status, status, sizeof status);
    line_editor_set_status(of->lines, of->status);
    if (print_above(of) || differs)
        show(of);
    return goes_on;
}

static bool is_key(terminal_event event)
{
    return event != TERMINAL_NOTHING && event != TERMINAL_OUTPUT;
}

/* Does some of what goes on, which ends when a key comes, unless there is one already. */
static terminal_event work_until_key(editor *of, bool *goes_on)
{
    bool pressed = false;
    terminal_watch(of->options.yield);
    terminal_event event = terminal_wait(0);
    if (!is_key(event))
        *goes_on = work(of, &pressed);
    terminal_watch(NULL);
    of->options.yield(false);
    return pressed ? TERMINAL_SIGNAL : event;
}

/* Waits as terminal_wait() does, and goes on with what goes on. */
static terminal_event wait_working(editor *of, int milliseconds)
{
    const long began = milliseconds_now();
    bool goes_on = of->options.work != NULL;
    terminal_event event = goes_on ? terminal_wait(ECHO_REST) : TERMINAL_NOTHING;
    while (goes_on && !is_key(event) && (milliseconds < 0 || milliseconds_now() - began < milliseconds))
        event = work_until_key(of, &goes_on);
    return goes_on || event != TERMINAL_NOTHING ? event : terminal_wait(milliseconds);
}

/* Ctrl-C came as a signal: what was typed before it is taken first, as the entry is dropped, or was empty. */
static line_outcome interrupt(editor *of)
{
    line_outcome outcome = LINE_GOES_ON;
    while (outcome == LINE_GOES_ON && terminal_wait(0) == TERMINAL_INPUT)
        outcome = read_input(of);
    return outcome == LINE_GOES_ON ? LINE_INTERRUPTED : outcome;
}

/* Waits for something and takes it; what is typed is shown when there is no more of it, or when it has been unseen for
 * a while. */
static line_outcome take_next(editor *of, long *shown)
{
    terminal_event event = milliseconds_now() - *shown < PAINT_WAIT ? terminal_wait(0) : TERMINAL_NOTHING;
    if (event == TERMINAL_NOTHING) {
        show(of);
        const int waits = line_editor_waits(of->lines);
        event = wait_working(of, waits > 0 ? waits : -1);
        *shown = milliseconds_now();
    }
    switch (event) {
    case TERMINAL_INPUT:
        return read_input(of);
    case TERMINAL_OUTPUT:
        (void)print_above(of);
        return LINE_GOES_ON;
    case TERMINAL_NOTHING:
        return line_editor_idle(of->lines);
    case TERMINAL_CONTINUED:
        line_editor_hide(of->lines);
        terminal_end();
        (void)terminal_begin();
        measure(of);
        return LINE_GOES_ON;
    case TERMINAL_RESIZED:
        measure(of);
        return LINE_GOES_ON;
    default:
        return interrupt(of);
    }
}

static editor_outcome read_entry(editor *of, const char *prompt, const char *more, const char **line, size_t *length)
{
    fflush(stdout);
    if (!terminal_begin())
        return EDITOR_END;
    measure(of);
    line_editor_begin(of->lines, prompt, more);
    line_editor_set_text(of->lines, of->offered.data, of->offered.size);
    byte_string_free(&of->offered);
    byte_string pending = of->pending;
    of->pending = (byte_string){0};
    line_outcome outcome = feed(of, pending.data, pending.size);
    byte_string_free(&pending);
    for (long shown = 0; outcome == LINE_GOES_ON;)
        outcome = take_next(of, &shown);
    if (outcome != LINE_ENTERED)
        line_editor_drop(of->lines);
    line_editor_set_status(of->lines, "");
    of->status[0] = '\0';
    (void)print_above(of);
    show(of);
    terminal_end();
    *line = line_editor_text(of->lines, length);
    return outcome == LINE_ENTERED ? EDITOR_LINE : outcome == LINE_ENDED ? EDITOR_END : EDITOR_INTERRUPTED;
}

/* ---- plain lines: in a pipe, for screen readers, on a terminal that cannot do more ---- */

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

/* What goes on meanwhile does so until the line begins to come. */
static editor_outcome read_plain(editor *of, const char *prompt, const char **line, size_t *length)
{
    fputs(prompt, stdout);
    fflush(stdout);
    if (!work_until_input(&of->options)) {
        puts("");
        *length = 0;
        return EDITOR_INTERRUPTED;
    }
    errno = 0;
    ssize_t got = getline(&of->plain, &of->plain_capacity, stdin);
    if (got < 0) {
        const bool interrupted = errno == EINTR;
        clearerr(stdin);
        puts("");
        return interrupted ? EDITOR_INTERRUPTED : EDITOR_END;
    }
    if (got > 0 && of->plain[got - 1] == '\n')
        of->plain[--got] = '\0';
    *line = of->plain;
    *length = (size_t)got;
    return EDITOR_LINE;
}

/* ---- */

editor_outcome editor_read(editor *from, const char *prompt, const char *more, const char **line, size_t *length)
{
    return from->lines != NULL ? read_entry(from, prompt, more, line, length) : read_plain(from, prompt, line, length);
}

void editor_close(editor *ended)
{
    if (ended == NULL)
        return;
    line_editor_free(ended->lines);
    free(ended->plain);
    byte_string_free(&ended->pending);
    byte_string_free(&ended->offered);
    free(ended);
}
