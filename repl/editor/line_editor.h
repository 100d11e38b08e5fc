#ifndef MOONPOD_REPL_LINE_EDITOR_H
#define MOONPOD_REPL_LINE_EDITOR_H

/*
 * line_editor - edits an entry of one or many lines: what a terminal sends goes in, what it shall show comes out. It
 * neither reads nor writes by itself, so that a loop can go on with other work while somebody types, and so that tests
 * need no terminal:
 *
 *     line_editor_begin(editor, "> ", ">> ");
 *     do {
 *         line_editor_paint(editor);
 *         write(1, ...line_editor_output(editor, &size)...);
 *         outcome = line_editor_feed(editor, bytes, read(0, bytes, sizeof bytes), &taken);
 *     } while (outcome == LINE_GOES_ON);
 *
 * It is our own because of what the library that could be used, libedit, lacks: an entry of several lines as one text,
 * colours and hints while it is typed, pasting as one change, and feeding without a terminal.
 *
 * Its files: byte_string, utf8 (characters and widths), key_reader (bytes to keys), edit_text (changes, undo),
 * kill_ring, motions, lua_lexer, history and history_file; line_keys (what each key does), line_recall, line_search,
 * line_menu (completion), line_paste and line_indent; screen_pen, above_text and screen (painting).
 */

#include <stdbool.h>
#include <stddef.h>

typedef struct line_editor line_editor;

typedef enum line_outcome {
    LINE_GOES_ON,
    LINE_ENTERED,     /* line_editor_text() is an entry */
    LINE_ENDED,       /* Ctrl-D in an empty entry */
    LINE_INTERRUPTED, /* Ctrl-C: the entry is dropped */
    LINE_SUSPENDED,   /* Ctrl-Z: stop the process; the entry goes on when it is continued */
    LINE_EXTERNAL     /* the text is to be edited by another program, then line_editor_set_text() */
} line_outcome;

/* What a completion is asked for. */
typedef struct line_question {
    const char *text;
    size_t size, cursor;
    bool in_string, in_comment;
    size_t string_start; /* where the text of the string begins */
} line_question;

/* What an answer is given by: a candidate in place of the text from `start` to the cursor, with a line of help or
 * NULL. */
typedef struct line_candidates line_candidates;
void line_candidates_add(line_candidates *to, size_t start, const char *text, size_t size, const char *help);

typedef struct line_settings {
    const char *history_path; /* NULL: none is kept */
    size_t most_bytes;        /* of an entry; 0: 8 MiB */
    bool colours;
    void *user;                                                  /* goes to each function; each may be NULL */
    bool (*is_whole)(void *user, const char *text, size_t size); /* false: Enter begins another line */
    void (*complete)(void *user, const line_question *question, line_candidates *to);
} line_settings;

/* NULL when there is no memory. */
line_editor *line_editor_new(const line_settings *settings);
void line_editor_free(line_editor *ended);

/* Begins an empty entry; the prompts stand before its first and its other lines. */
void line_editor_begin(line_editor *editor, const char *prompt, const char *more);

/* Takes bytes of the terminal, all but those behind one that ends the entry: *taken says how many. */
line_outcome line_editor_feed(line_editor *editor, const char *bytes, size_t size, size_t *taken);

/* Milliseconds after which line_editor_idle() is to be called when nothing comes, as an Escape may be a key alone; or
 * 0. */
int line_editor_waits(const line_editor *editor);
line_outcome line_editor_idle(line_editor *editor);

/* Ends the entry from outside: it is painted once more, and dropped. */
void line_editor_drop(line_editor *editor);

/* A line that is seen under the entry, where there is no menu; "": none. It is borrowed. */
void line_editor_set_status(line_editor *editor, const char *status);

/* Writes what others say above the entry, which is seen again when it is painted. All that comes to the terminal
 * between line_editor_begin() and the end of the entry goes this way. */
void line_editor_print(line_editor *editor, const char *bytes, size_t size);

/* Shows the entry as it is now; hiding it lets others write, until it is painted again. */
void line_editor_paint(line_editor *editor);
void line_editor_hide(line_editor *editor);

/* Says how large the terminal is. Before the first time: 80 columns, 24 rows. */
void line_editor_resize(line_editor *editor, size_t columns, size_t rows);

/* What is to be written to the terminal; it is the caller's until the next call. */
const char *line_editor_output(line_editor *editor, size_t *size);

const char *line_editor_text(const line_editor *editor, size_t *size);
void line_editor_set_text(line_editor *editor, const char *text, size_t size);

void line_editor_set_colours(line_editor *editor, bool colours);

/* Entries of the history, the oldest first; NULL behind the last. */
const char *line_editor_history(const line_editor *editor, size_t number, size_t *size);

/* The help of keys: what key number `number` is, and does; NULL behind the last. */
const char *line_editor_key(size_t number, const char **does);

#endif
